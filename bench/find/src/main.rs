//! Measures how fast sessions are indexed, listed, searched and archived, compared with peers.
//!
//! `cargo run --release -p bench-find -- --help`
//!
//! | module | for |
//! |---|---|
//! | `roots` | the indexed roots |
//! | `searches` | the searches, and how long each takes |
//! | `peers` | the figures of peers |

mod peers;
mod roots;
mod searches;

use std::fs::{self, File};
use std::io::Write as _;
use std::path::Path;
use std::process::Command;
use std::time::Instant;

use anyhow::{Context as _, Result, ensure};
use measure::{Goal, Measured, bench_folder, best_of, build_recount, contest, corpus, verdict};

use roots::{Home, SIZES};

/// The program's allocator, since searches run in this process.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

const HELP: &str = "\
Measures indexing, listing, searching and archiving all sessions of a root, compared with agentsview, claudex and ripgrep.

Usage: bench-find [--rounds N] [--without-peers]

Roots of 100 MB, 1 GB and 5 GB are written once and kept in target/bench; the peers are installed there, from PyPI and
crates.io; ripgrep is that of the system. Needs about 20 GB of disk space.
";

fn main() -> Result<()> {
    contest(HELP, 3, compare)
}

fn compare(rounds: usize, with_peers: bool) -> Result<()> {
    let recount = build_recount()?;
    for size in &SIZES {
        let home = Home::of(size)?;
        println!("{:.0} MB in {} files", home.megabytes, home.files);
        let bench = Bench { recount: &recount, home: &home, cache: bench_folder()?.join("find-cache") };
        // An earlier run may have been interrupted.
        bench.forget_archive()?;
        // The large root takes minutes; one round is enough to see what grows.
        let rounds = if home.megabytes > 2000.0 { 1 } else { rounds };
        bench.index(rounds)?;
        bench.append()?;
        searches::measure(&bench.database(), size.latency)?;
        bench.archive(rounds)?;
        if with_peers {
            peers::measure(&home, rounds.min(2))?;
        }
        println!();
    }
    match corpus() {
        Some(corpus) => sizes(&recount, &corpus.canonicalize()?),
        None => Ok(()),
    }
}

/// The size of index and archive for published transcripts. Generated ones are less informative: their random texts
/// repeat less than what people and tools write.
fn sizes(recount: &str, corpus: &Path) -> Result<()> {
    let raw = roots::megabytes(&corpus.join("projects"))?;
    println!("corpus, {raw:.0} MB");
    for (what, arguments, goal) in
        [("index", ["ls", "--limit=1"], Goal::AtMost(0.25)), ("archive", ["archive", "--quiet"], Goal::AtMost(0.2))]
    {
        let folder = bench_folder()?.join("find-sizes");
        let output = Command::new(recount)
            .args(arguments)
            .env("CLAUDE_CONFIG_DIR", corpus)
            .env("XDG_CACHE_HOME", &folder)
            .env("XDG_DATA_HOME", &folder)
            .output()?;
        ensure!(output.status.success(), "cannot write the {what} of the corpus");
        verdict(&format!("{what} / raw"), roots::megabytes(&folder)? / raw, goal);
        fs::remove_dir_all(folder)?;
    }
    Ok(())
}

/// A root, and the location of its index.
struct Bench<'b> {
    recount: &'b str,
    home: &'b Home,
    cache: std::path::PathBuf,
}

impl Bench<'_> {
    /// A shell command that runs the program; `$0` is the home.
    fn line(&self, arguments: &str) -> String {
        format!(
            r#"HOME="$0" XDG_CACHE_HOME='{}' XDG_DATA_HOME='{}' '{}' {arguments}"#,
            self.cache.display(),
            self.data().display(),
            self.recount
        )
    }

    /// A data folder without any archive except the measured one.
    fn data(&self) -> std::path::PathBuf {
        self.cache.with_file_name("find-data")
    }

    fn database(&self) -> std::path::PathBuf {
        self.cache.join("recount/index.db")
    }

    fn shell(&self, rounds: usize, line: &str) -> Result<Measured> {
        let command = ["sh", "-c", line].map(str::to_owned).to_vec();
        best_of(rounds, &[command], &self.home.path)?.pop().context("nothing was measured")
    }

    /// Indexes everything, then again without changes.
    fn index(&self, rounds: usize) -> Result<()> {
        const CALLS: u64 = 20;
        const FILES: f64 = 4_000.0;
        let fresh = format!("rm -rf '{}'; {}", self.cache.display(), self.line("ls --limit 1"));
        let cold = self.shell(rounds, &fresh)?;
        let size = roots::megabytes(&self.cache)?;
        println!(
            "  cold: {:.2} s of CPU, {:.2} s, {:.0} MB at most; the index has {size:.0} MB, {:.2} of the transcripts",
            cold.cpu_seconds,
            cold.wall_seconds,
            cold.peak_megabytes,
            size / self.home.megabytes
        );
        verdict("cold, MB per second of CPU", self.home.megabytes / cold.cpu_seconds, Goal::AtLeast(80.0));
        verdict("peak memory, MB", cold.peak_megabytes, Goal::AtMost(150.0));
        let again = format!("for call in $(seq {CALLS}); do {}; done", self.line("ls --limit 30"));
        let again = self.shell(rounds, &again)?.per(CALLS);
        let (cpu, clock) = (again.cpu_seconds * 1000.0, again.wall_seconds * 1000.0);
        println!("  nothing changed, recount ls: {cpu:.1} ms of CPU, {clock:.1} ms");
        if self.home.files_as_number() > FILES {
            let per_files = cpu * FILES / self.home.files_as_number();
            verdict("nothing changed, ms of CPU per 4,000 files", per_files, Goal::AtMost(60.0));
        } else {
            verdict("recount ls, ms", clock, Goal::AtMost(30.0));
        }
        Ok(())
    }

    /// The time from a message being added to a session until a search finds it, each by a new process; minus the time
    /// of the same search in an unchanged root.
    fn append(&self) -> Result<()> {
        const TIMES: usize = 20;
        let session = &self.home.session;
        let size = fs::metadata(session)?.len();
        let (mut added, mut unchanged) = (Vec::new(), Vec::new());
        for at in 0..TIMES {
            let word = format!("quagga{at}zebra");
            let line = format!(
                r#"{{"type":"user","uuid":"bench-{at}","sessionId":"bench","timestamp":"2026-11-01T09:00:{at:02}.000Z","message":{{"role":"user","content":"where is the {word}?"}}}}"#
            );
            writeln!(File::options().append(true).open(session)?, "{line}")?;
            for times in [&mut added, &mut unchanged] {
                let started = Instant::now();
                let command = self.line(&format!("search {word} --count"));
                let output = Command::new("sh").args(["-c", &command]).arg(&self.home.path).output()?;
                times.push(started.elapsed().as_secs_f64() * 1000.0);
                let said = String::from_utf8_lossy(&output.stdout);
                ensure!(said.starts_with("1 "), "{word} was not found: {said}");
            }
        }
        File::options().write(true).open(session)?.set_len(size)?;
        let (added, unchanged) = (percentile(&mut added, 50), percentile(&mut unchanged, 50));
        println!("  a message is added to a session of {:.1} MB: found after {added:.1} ms", mega(size));
        println!("  the same search again: {unchanged:.1} ms");
        verdict("what the message took, ms", added - unchanged, Goal::AtMost(20.0));
        Ok(())
    }

    fn archive(&self, rounds: usize) -> Result<()> {
        let fresh = format!("rm -rf '{}'; {}", self.data().display(), self.line("archive --quiet"));
        let took = self.shell(rounds, &fresh)?;
        let size = roots::megabytes(&self.data())?;
        println!(
            "  archive: {:.2} s of CPU, {:.2} s, {:.0} MB at most; it has {size:.0} MB, {:.2} of the files",
            took.cpu_seconds,
            took.wall_seconds,
            took.peak_megabytes,
            size / self.home.all_megabytes
        );
        verdict("archive, MB per second of CPU", self.home.all_megabytes / took.cpu_seconds, Goal::AtLeast(150.0));
        self.forget_archive()
    }

    /// Removes the archive, which would be listed and searched, too.
    fn forget_archive(&self) -> Result<()> {
        match fs::remove_dir_all(self.data()) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(error.into()),
            _ => Ok(()),
        }
    }
}

#[expect(clippy::cast_precision_loss, reason = "shown in megabytes")]
fn mega(bytes: u64) -> f64 {
    bytes as f64 / 1e6
}

/// The time that this percentage does not exceed.
fn percentile(times: &mut [f64], percent: usize) -> f64 {
    times.sort_by(f64::total_cmp);
    let at = (times.len() * percent).div_ceil(100).saturating_sub(1);
    times.get(at).copied().unwrap_or_default()
}

/// All files below a folder.
fn files(folder: &Path, each: &mut dyn FnMut(&Path) -> Result<()>) -> Result<()> {
    for entry in fs::read_dir(folder).with_context(|| folder.display().to_string())? {
        let path = entry?.path();
        if path.is_dir() {
            files(&path, each)?;
        } else {
            each(&path)?;
        }
    }
    Ok(())
}
