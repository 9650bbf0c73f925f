//! Measures reading, compared with other parsers on the same bytes.
//!
//! Every task runs in a process of its own, over the same files and with the same I/O, one round after another, so that
//! a busy machine slows all of them equally; the best round of each task counts. CPU seconds and peak memory are those
//! that the system reports for the process.
//!
//! `cargo run --release -p bench-read -- --help`

mod report;
mod task;

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use testkit::root::{RootOptions, write_root};

use measure::{bench_folder, build_recount, corpus, in_own_process};
use report::Report;
use task::Task;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

const HELP: &str = "\
Measures how fast transcripts are read, compared with other parsers on the same bytes.

Usage: bench-read [--megabytes N] [--rounds N] [--longest-line MEGABYTES] [FOLDER…]

Without a FOLDER: a generated root of N megabytes (500), kept in target/bench,
and the corpus beside the checkout if there is one (RECOUNT_CORPUS, ../shared/corpus).
";

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match words.as_slice() {
        ["--help" | "-h"] => print!("{HELP}"),
        ["task", name, threads, folder] => {
            let task = Task::named(name).with_context(|| format!("no task is called {name}"))?;
            println!("{}", task.run(Path::new(folder), threads.parse()?)?);
        }
        ["command", program, rest @ ..] => println!("{}", measure::run_command(program, rest)?),
        _ => compare(&Options::parse(&words)?)?,
    }
    Ok(())
}

struct Options {
    megabytes: u64,
    rounds: usize,
    longest_line: Option<usize>,
    folders: Vec<PathBuf>,
}

impl Options {
    fn parse(words: &[&str]) -> Result<Self> {
        let mut options = Self { megabytes: 500, rounds: 5, longest_line: None, folders: Vec::new() };
        let mut words = words.iter();
        while let Some(&word) = words.next() {
            let mut number =
                || words.next().with_context(|| format!("{word} needs a number"))?.parse().context(word.to_owned());
            match word {
                "--megabytes" => options.megabytes = number()?,
                "--rounds" => options.rounds = usize::try_from(number()?)?.max(1),
                "--longest-line" => options.longest_line = Some(usize::try_from(number()?)? << 20),
                _ if word.starts_with('-') => bail!("unknown option {word}\n\n{HELP}"),
                folder => options.folders.push(PathBuf::from(folder)),
            }
        }
        Ok(options)
    }
}

fn compare(options: &Options) -> Result<()> {
    let recount = build_recount()?;
    let mut folders = options.folders.clone();
    if folders.is_empty() {
        folders.push(generated_root(options)?);
        folders.extend(corpus());
    }
    for folder in folders {
        let mut report = Report::default();
        for _ in 0..options.rounds {
            for task in Task::ALL {
                report.add(task.name(), in_own_process(&["task", task.name(), "1"], &folder)?);
            }
            report.add("full, 2 threads", in_own_process(&["task", Task::Full.name(), "2"], &folder)?);
            let check = ["command", &recount, "check", "--json", "--threads", "1"];
            report.add("recount check", in_own_process(&check, &folder)?);
        }
        println!("{}: {} rounds", folder.display(), options.rounds);
        println!("{report}");
    }
    Ok(())
}

/// A root of the requested size; written once and reused.
fn generated_root(options: &Options) -> Result<PathBuf> {
    let bytes = options.megabytes * 1_000_000;
    let longest = options.longest_line.map_or_else(String::new, |length| format!("-line-{}", length >> 20));
    let root = bench_folder()?.join(format!("root-{}MB{longest}", options.megabytes));
    if !root.join("done").exists() {
        eprintln!("writing {}", root.display());
        write_root(
            &root,
            &RootOptions { bytes, seed: 7, longest_line: options.longest_line, ..RootOptions::default() },
        )?;
        std::fs::write(root.join("done"), "")?;
    }
    Ok(root)
}
