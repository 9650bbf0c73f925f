//! Measures building a story compared with reading the session.
//!
//! One session of 50 and one of 500 megabytes, each read in full and built into a story, in processes of their own,
//! round after round; the best round counts.
//!
//! `cargo run --release -p bench-story -- --help`

use std::hint::black_box;
use std::path::Path;
use std::time::Instant;

use anyhow::{Context, Result, anyhow, bail};
use format::Scratch;
use format::tool::Calls;
use measure::{Measured, generated_session, in_own_process, read_fully};
use reader::SessionReader;
use sources::Buffer;
use sources::Lines;
use sources::Neighbours;
use sources::Source;
use sources::files_of_session;
use sources::find_at;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

const HELP: &str = "\
Measures how fast stories are built, compared with reading the sessions in full.

Usage: bench-story [--rounds N] [MEGABYTES…]

Without MEGABYTES: 50 and 500. Sessions are written once and kept in target/bench.
";

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match words.as_slice() {
        ["--help" | "-h"] => print!("{HELP}"),
        ["task", task, path] => println!("{}", run(task, Path::new(path))?),
        ["--rounds", rounds, sizes @ ..] => compare(rounds.parse()?, sizes)?,
        sizes => compare(5, sizes)?,
    }
    Ok(())
}

/// The maximum memory besides the entries.
const FIXED_MEGABYTES: f64 = 30.0;

/// The maximum memory per entry.
const BYTES_PER_ENTRY: f64 = 400.0;

#[expect(clippy::cast_precision_loss, reason = "megabytes")]
fn compare(rounds: usize, sizes: &[&str]) -> Result<()> {
    let sizes: Vec<u64> = if sizes.is_empty() {
        vec![50, 500]
    } else {
        sizes
            .iter()
            .map(|size| size.parse().with_context(|| format!("not a number: {size}\n\n{HELP}")))
            .collect::<Result<_>>()?
    };
    println!(
        "{:>8}{:>10}{:>10}{:>10}{:>9}{:>12}{:>14}",
        "MB", "entries", "read s", "story s", "ratio", "story MB", "bytes/entry"
    );
    for size in sizes {
        let session = generated_session(size)?;
        let (mut read, mut story): (Option<Measured>, Option<Measured>) = (None, None);
        for _ in 0..rounds.max(1) {
            for (task, best) in [("read", &mut read), ("story", &mut story)] {
                let measured = in_own_process(&["task", task], &session)?;
                *best = Some(best.map_or(measured, |best| best.best(measured)));
            }
        }
        let (Some(read), Some(story)) = (read, story) else { bail!("nothing was measured") };
        let entries = entries(&session)? as f64;
        let ratio = story.cpu_seconds / read.cpu_seconds;
        let per_entry = (story.peak_megabytes - FIXED_MEGABYTES) * 1e6 / entries;
        println!(
            "{:>8.1}{entries:>10.0}{:>10.3}{:>10.3}{ratio:>9.2}{:>12.1}{per_entry:>14.0}",
            read.bytes as f64 / 1e6,
            read.cpu_seconds,
            story.cpu_seconds,
            story.peak_megabytes
        );
        let verdict = |met: bool| if met { "met" } else { "MISSED" };
        println!("  story / read, CPU: at most 1.4: {}", verdict(ratio <= 1.4));
        println!("  memory: at most 30 MB and 400 bytes per entry: {}", verdict(per_entry <= BYTES_PER_ENTRY));
    }
    Ok(())
}

fn source(path: &Path) -> Result<Source> {
    find_at(&[path.to_path_buf()]).sources.into_iter().next().context("no such session")
}

fn run(task: &str, path: &Path) -> Result<Measured> {
    let source = source(path)?;
    let bytes = files_of_session(&source, &Neighbours::default()).0.iter().map(|part| part.source.size).sum();
    let started = Instant::now();
    match task {
        "read" => {
            read(&source)?;
            Measured::since(started, bytes)
        }
        "story" => {
            let (mut reader, _) = SessionReader::of(&source, &|_| {}).map_err(|problem| anyhow!("{problem}"))?;
            black_box(reader.parts().0);
            // Before the story is dropped, which no program does that exits.
            Measured::since(started, bytes)
        }
        _ => bail!("no task is called {task}"),
    }
}

fn entries(path: &Path) -> Result<usize> {
    let mut lines = 0;
    for_each_line(&source(path)?, |_| lines += 1)?;
    Ok(lines)
}

fn for_each_line(source: &Source, mut each: impl FnMut(format::Line<'_>)) -> Result<()> {
    let mut buffer = Buffer::default();
    for part in files_of_session(source, &Neighbours::default()).0 {
        let mut lines = Lines::new(part.source.open().map_err(|problem| anyhow!("{problem}"))?, &mut buffer);
        while let Some(line) = lines.next_line()? {
            each(line);
        }
    }
    Ok(())
}

/// Parses everything and keeps nothing.
fn read(source: &Source) -> Result<()> {
    let (mut scratch, calls) = (Scratch::default(), Calls::default());
    for_each_line(source, |line| {
        scratch.reset();
        read_fully(line, &scratch, &calls, |_| {});
    })
}
