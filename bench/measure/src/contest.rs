//! The shared parts of comparisons with peers: arguments, rounds and verdicts.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};
use testkit::root::{RootOptions, write_root};

use crate::{Measured, bench_folder, in_own_process, run_command};

/// Runs a comparison according to the program's arguments: `compare` receives the number of rounds, and whether to
/// include peers.
///
/// Measured programs run in separate processes, which are this program again (`command …`).
pub fn contest(help: &str, rounds: usize, compare: fn(usize, bool) -> Result<()>) -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match words.as_slice() {
        ["--help" | "-h"] => print!("{help}"),
        ["command", program, rest @ ..] => println!("{}", run_command(program, rest)?),
        ["--rounds", rounds] => compare(rounds.parse()?, true)?,
        ["--rounds", rounds, "--without-peers"] => compare(rounds.parse()?, false)?,
        ["--without-peers"] => compare(rounds, false)?,
        [] => compare(rounds, true)?,
        _ => bail!("wrong usage\n\n{help}"),
    }
    Ok(())
}

/// The best of some rounds for each command, with a path as its last argument.
///
/// Commands alternate within each round, so that a busy machine slows all of them equally.
pub fn best_of(rounds: usize, commands: &[Vec<String>], path: &Path) -> Result<Vec<Measured>> {
    let mut best: Vec<Option<Measured>> = vec![None; commands.len()];
    for _ in 0..rounds.max(1) {
        for (best, command) in best.iter_mut().zip(commands) {
            let words: Vec<&str> = std::iter::once("command").chain(command.iter().map(String::as_str)).collect();
            let measured = in_own_process(&words, path)?;
            *best = Some(best.map_or(measured, |best| best.best(measured)));
        }
    }
    best.into_iter().map(|best| best.context("nothing was measured")).collect()
}

/// The goal for a figure.
#[derive(Debug, Clone, Copy)]
pub enum Goal {
    /// An upper bound.
    AtMost(f64),
    /// A lower bound.
    AtLeast(f64),
}

/// Prints whether a figure meets its goal.
pub fn verdict(what: &str, value: f64, goal: Goal) {
    let (met, bound, goal) = match goal {
        Goal::AtMost(goal) => (value <= goal, "at most", goal),
        Goal::AtLeast(goal) => (value >= goal, "at least", goal),
    };
    println!("  {what:<46}{value:>9.2}   goal: {bound} {goal}   {}", if met { "met" } else { "MISSED" });
}

/// Runs a command that must succeed, such as the installation of a peer.
pub fn run(command: &mut Command) -> Result<()> {
    let status = command.status().with_context(|| format!("{command:?}"))?;
    if !status.success() {
        bail!("{command:?} failed");
    }
    Ok(())
}

/// A benchmark folder with a root in it, written once and reused.
pub fn generated_root(name: &str, below: &str, options: &RootOptions) -> Result<(PathBuf, bool)> {
    let folder = bench_folder()?.join(name);
    let is_new = !folder.join("done").exists();
    if is_new {
        eprintln!("writing {}", folder.display());
        write_root(&folder.join(below), options)?;
        std::fs::write(folder.join("done"), "")?;
    }
    Ok((folder, is_new))
}
