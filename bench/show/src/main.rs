//! Measures pages: of one session beside claude-code-log, and of many sessions.
//!
//! `cargo run --release -p bench-show -- --help`

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};
use measure::{Measured, bench_folder, build_recount, generated_session, in_own_process, run_command};
use testkit::root::{RootOptions, write_root};

const HELP: &str = "\
Measures pages of sessions: recount's beside claude-code-log's, and whole sites.

Usage: bench-show [--rounds N] [--without-peer]

Sessions are written once and kept in target/bench; claude-code-log is installed there
from PyPI, with the Python that is found.
";

/// The release that is compared with.
const PEER: &str = "claude-code-log==1.7.0";

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match words.as_slice() {
        ["--help" | "-h"] => print!("{HELP}"),
        ["command", program, rest @ ..] => println!("{}", run_command(program, rest)?),
        ["--rounds", rounds] => compare(rounds.parse()?, true)?,
        ["--rounds", rounds, "--without-peer"] => compare(rounds.parse()?, false)?,
        ["--without-peer"] => compare(3, false)?,
        [] => compare(3, true)?,
        _ => bail!("wrong usage\n\n{HELP}"),
    }
    Ok(())
}

/// The best of some rounds; the last word of the command is the path that it reads.
fn best(rounds: usize, command: &[&str], path: &Path) -> Result<Measured> {
    let mut arguments = vec!["command"];
    arguments.extend(command);
    let mut best: Option<Measured> = None;
    for _ in 0..rounds.max(1) {
        let measured = in_own_process(&arguments, path)?;
        best = Some(best.map_or(measured, |best| best.best(measured)));
    }
    best.context("nothing was measured")
}

fn verdict(what: &str, value: f64, goal: f64, at_least: bool) {
    let met = if at_least { value >= goal } else { value <= goal };
    let (bound, met) = (if at_least { "at least" } else { "at most" }, if met { "met" } else { "MISSED" });
    println!("  {what:<46}{value:>9.2}   goal: {bound} {goal}   {met}");
}

#[expect(clippy::cast_precision_loss, reason = "megabytes")]
fn size(path: &Path) -> Result<f64> {
    Ok(fs::metadata(path).with_context(|| path.display().to_string())?.len() as f64 / 1e6)
}

fn row(name: &str, measured: Measured, megabytes: f64) {
    println!("{name:<34}{:>9.3}{:>11.1}{megabytes:>11.1}", measured.cpu_seconds, measured.peak_megabytes);
}

fn compare(rounds: usize, with_peer: bool) -> Result<()> {
    let recount = build_recount()?;
    println!("{:<34}{:>9}{:>11}{:>11}", "", "CPU s", "peak MB", "output MB");
    let small = generated_session(50)?;
    let html = page(&recount, &small, rounds, "50")?;
    let json = bench_folder()?.join("page.json");
    let json_words = ["show", "--format", "json", "--detail", "full", "--thread", "all", "-o", &text(&json)];
    let measured = best(rounds, &[&[recount.as_str()][..], &json_words].concat(), &small)?;
    row("recount show --format json, 50 MB", measured, size(&json)?);
    let peer = if with_peer { Some(peer(&small)?) } else { None };
    let large = generated_session(500)?;
    let large_html = page(&recount, &large, 1, "500")?;
    if let Some(peer) = peer {
        verdict("claude-code-log / page, CPU", peer.cpu_seconds / html.0.cpu_seconds, 40.0, true);
    }
    verdict("page / session, bytes", html.1 / size_of_session(&small)?, 1.0, false);
    verdict("peak memory of the page of 500 MB", large_html.0.peak_megabytes, 150.0, false);
    verdict("page of 500 MB / page of 50 MB, CPU", large_html.0.cpu_seconds / html.0.cpu_seconds, 11.0, false);
    sites(&recount)
}

fn page(recount: &str, session: &Path, rounds: usize, name: &str) -> Result<(Measured, f64)> {
    let page = bench_folder()?.join(format!("page-{name}MB.html"));
    let measured = best(rounds, &[recount, "show", "--format", "html", "-o", &text(&page)], session)?;
    let megabytes = size(&page)?;
    row(&format!("recount show --format html, {name} MB"), measured, megabytes);
    Ok((measured, megabytes))
}

/// All files of the session, its agents' too.
fn size_of_session(session: &Path) -> Result<f64> {
    let mut megabytes = size(session)?;
    let mut folders = vec![session.with_extension("")];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).into_iter().flatten() {
            let path = entry?.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|ending| ending == "jsonl") {
                megabytes += size(&path)?;
            }
        }
    }
    Ok(megabytes)
}

/// One round of the peer is enough: it takes its time.
fn peer(session: &Path) -> Result<Measured> {
    let home = bench_folder()?.join("peers");
    let program = home.join("bin/claude-code-log");
    if !program.exists() {
        eprintln!("installing {PEER}");
        run("python3", &["-m", "venv", &text(&home)])?;
        run(&text(&home.join("bin/pip")), &["install", "--quiet", PEER])?;
    }
    let page = bench_folder()?.join("peer.html");
    let measured = best(1, &[&text(&program), "--no-cache", "-o", &text(&page)], session)?;
    row(&format!("{PEER}, 50 MB"), measured, size(&page)?);
    Ok(measured)
}

fn run(program: &str, arguments: &[&str]) -> Result<()> {
    let status = Command::new(program).args(arguments).status().with_context(|| program.to_owned())?;
    if !status.success() {
        bail!("{program} {} failed", arguments.join(" "));
    }
    Ok(())
}

/// Many sessions: all of them, and then once more when nothing has changed.
fn sites(recount: &str) -> Result<()> {
    let mut times = Vec::new();
    for megabytes in [50, 500] {
        let root = root(&format!("sites-{megabytes}MB"), megabytes, 2_000_000)?;
        times.push(site(recount, &root, &format!("{megabytes} MB of sessions"))?.0.cpu_seconds);
    }
    if let [small, large] = times.as_slice() {
        verdict("500 MB of sessions / 50 MB, CPU", large / small, 11.0, false);
    }
    let many = root("sites-many", 100, 100_000)?;
    let (_, again) = site(recount, &many, "many small sessions")?;
    let sessions = walk_transcripts(&many.join("projects"))?;
    println!("  {sessions} sessions in it");
    #[expect(clippy::cast_precision_loss, reason = "a small number")]
    let per_thousand = again.cpu_seconds * 1000.0 / sessions.max(1) as f64;
    verdict("nothing changed, CPU s per 1,000 sessions", per_thousand, 0.3, false);
    Ok(())
}

fn root(name: &str, megabytes: u64, largest: u64) -> Result<PathBuf> {
    let root = bench_folder()?.join(name);
    if !root.join("done").exists() {
        eprintln!("writing {}", root.display());
        let options =
            RootOptions { bytes: megabytes * 1_000_000, seed: 11, largest_session: largest, ..RootOptions::default() };
        write_root(&root, &options)?;
        fs::write(root.join("done"), "")?;
    }
    Ok(root)
}

fn site(recount: &str, root: &Path, name: &str) -> Result<(Measured, Measured)> {
    let folder = bench_folder()?.join("site");
    if folder.exists() {
        fs::remove_dir_all(&folder)?;
    }
    let command = [recount, "export", "html", &text(&folder), "--jobs", "1", "--root"];
    let first = best(1, &command, root)?;
    let again = best(3, &command, root)?;
    row(&format!("recount export html, {name}"), first, folder_size(&folder)?);
    row("the same, nothing changed", again, folder_size(&folder)?);
    Ok((first, again))
}

fn folder_size(folder: &Path) -> Result<f64> {
    let mut megabytes = 0.0;
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        megabytes += if path.is_dir() { folder_size(&path)? } else { size(&path)? };
    }
    Ok(megabytes)
}

/// How many sessions there are: transcripts that lie in the folder of a project.
fn walk_transcripts(projects: &Path) -> Result<usize> {
    let mut sessions = 0;
    for project in fs::read_dir(projects)? {
        for entry in fs::read_dir(project?.path())? {
            let name = entry?.file_name();
            let name = name.to_string_lossy();
            sessions += usize::from(name.ends_with(".jsonl") && !name.starts_with("agent-"));
        }
    }
    Ok(sessions)
}

fn text(path: &Path) -> String {
    path.display().to_string()
}
