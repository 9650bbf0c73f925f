//! Measures recording: what `recount capture` adds to a stream that goes through it.
//!
//! `cargo run --release -p bench-record -- --help`
//!
//! The captured program is also this one: it prints the time, or as much as it can.

use std::fs::{self, File};
use std::io::{self, BufRead as _, BufReader, Read, Write as _};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use anyhow::{Context as _, Result, bail, ensure};
use measure::{Goal, bench_folder, build_recount, verdict};
use record::Store;
use testkit::stream::{StreamOptions, write_stream};

const HELP: &str = "\
Measures what `recount capture` adds to a stream: how much later lines arrive than without it, and how many megabytes
pass through per second. Needs 2 GB of disk space in target/bench.

Usage: bench-record
";

/// The number of lines whose delay is measured, and the interval between them.
const LINES: usize = 2000;
const EVERY: Duration = Duration::from_micros(1500);

/// Other load on the machine also delays lines: the best of this many runs counts.
const ROUNDS: usize = 5;

/// The amount of data for the throughput test.
const BYTES: u64 = 1_000_000_000;

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match words.as_slice() {
        [] => compare(),
        ["--help" | "-h"] => {
            print!("{HELP}");
            Ok(())
        }
        ["tell-time"] => print_time(),
        ["pour", file] => pour(file),
        _ => bail!("wrong usage\n\n{HELP}"),
    }
}

/// Prints the time, line by line.
fn print_time() -> Result<()> {
    let filling = "x".repeat(600);
    let mut out = io::stdout().lock();
    for _ in 0..LINES {
        let line = format!("{{\"type\":\"assistant\",\"at\":{},\"text\":\"{filling}\"}}\n", now());
        out.write_all(line.as_bytes())?;
        out.flush()?;
        thread::sleep(EVERY);
    }
    Ok(())
}

/// Prints a stream repeatedly.
fn pour(file: &str) -> Result<()> {
    let bytes = fs::read(file)?;
    let mut out = io::stdout().lock();
    let mut left = BYTES;
    while left > 0 {
        out.write_all(&bytes)?;
        left = left.saturating_sub(bytes.len() as u64);
    }
    Ok(out.flush()?)
}

/// Nanoseconds since an arbitrary time.
fn now() -> u128 {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_nanos()
}

fn compare() -> Result<()> {
    let bench = Bench { recount: build_recount()?, store: bench_folder()?.join("record-store") };
    let plain = best(|| plain(&["tell-time"]))?;
    report("without a capture", &plain);
    for fsync in ["never", "interval", "always"] {
        let delays = best(|| bench.captured(fsync, &["tell-time"]))?;
        report(&format!("--fsync {fsync}"), &delays);
        if fsync != "always" {
            let added = (percentile(&delays, 99) - percentile(&plain, 99)).max(0.0);
            verdict(&format!("added with --fsync {fsync}, p99 ms"), added, Goal::AtMost(1.0));
        }
    }
    bench.pour()
}

struct Bench {
    recount: String,
    store: PathBuf,
}

/// The program without a capture.
fn plain(arguments: &[&str]) -> Result<Child> {
    Ok(Command::new(std::env::current_exe()?).args(arguments).stdout(Stdio::piped()).spawn()?)
}

impl Bench {
    fn captured(&self, fsync: &str, arguments: &[&str]) -> Result<Child> {
        let _ = fs::remove_dir_all(&self.store);
        let mut command = Command::new(&self.recount);
        command.args(["capture", "--conversation", "c", "--fsync", fsync, "--store"]).arg(&self.store).arg("--");
        Ok(command.arg(std::env::current_exe()?).args(arguments).stdout(Stdio::piped()).spawn()?)
    }

    /// Measures the throughput, and checks that everything is recorded.
    fn pour(&self) -> Result<()> {
        let file = bench_folder()?.join("record-stream.jsonl");
        let options = StreamOptions { bytes: 20_000_000, ..StreamOptions::default() };
        write_stream(&mut File::create(&file)?, &options)?;
        let path = file.to_str().context("the folder has an odd name")?;
        let (bytes, all) = drained(plain(&["pour", path])?)?;
        println!("  without a capture: {:.0} MB/s", megabytes(bytes) / all.as_secs_f64());
        for fsync in ["never", "interval"] {
            let (bytes, all) = drained(self.captured(fsync, &["pour", path])?)?;
            let speed = megabytes(bytes) / all.as_secs_f64();
            verdict(&format!("through with --fsync {fsync}, MB/s"), speed, Goal::AtLeast(200.0));
            let records = Store::open(&self.store)?.conversation("c")?.records()?;
            let kept: usize = records.map(|record| record.map(|record| record.line().len())).sum::<Result<_, _>>()?;
            ensure!(kept as u64 == bytes, "only {kept} of {bytes} bytes are recorded");
        }
        Ok(fs::remove_dir_all(&self.store)?)
    }
}

fn megabytes(bytes: u64) -> f64 {
    Duration::from_micros(bytes).as_secs_f64()
}

/// The number of bytes received, and the time until all of them are recorded.
fn drained(mut child: Child) -> Result<(u64, Duration)> {
    let start = Instant::now();
    let mut output = child.stdout.take().context("no output")?;
    let (mut buffer, mut bytes) = (vec![0; 1 << 16], 0);
    loop {
        match output.read(&mut buffer)? {
            0 => break,
            length => bytes += length as u64,
        }
    }
    ensure!(child.wait()?.success(), "it failed");
    Ok((bytes, start.elapsed()))
}

/// The delays of the run with the fewest late lines.
fn best(run: impl Fn() -> Result<Child>) -> Result<Vec<f64>> {
    let runs: Vec<Vec<f64>> = (0..ROUNDS).map(|_| delays(run()?)).collect::<Result<_>>()?;
    let best = runs.into_iter().min_by(|one, other| percentile(one, 99).total_cmp(&percentile(other, 99)));
    best.context("nothing was measured")
}

/// The delays of lines in milliseconds, sorted.
fn delays(mut child: Child) -> Result<Vec<f64>> {
    let output = BufReader::new(child.stdout.take().context("no output")?);
    let mut delays = Vec::new();
    for line in output.lines() {
        let (arrived, line) = (now(), line?);
        let said = line.split("\"at\":").nth(1).and_then(|rest| rest.split(',').next()).context("an odd line")?;
        let took = arrived.saturating_sub(said.parse()?);
        delays.push(Duration::from_nanos(u64::try_from(took)?).as_secs_f64() * 1000.0);
    }
    ensure!(child.wait()?.success(), "it failed");
    ensure!(delays.len() == LINES, "{} lines came", delays.len());
    delays.sort_by(f64::total_cmp);
    Ok(delays)
}

fn percentile(sorted: &[f64], percent: usize) -> f64 {
    sorted.get(sorted.len() * percent / 100).copied().unwrap_or_default()
}

fn report(what: &str, delays: &[f64]) {
    let [half, most, nearly] = [50, 99, 100].map(|percent| {
        let at = (delays.len() * percent / 100).min(delays.len().saturating_sub(1));
        delays.get(at).copied().unwrap_or_default()
    });
    println!("  {what}: p50 {half:.3} ms, p99 {most:.3} ms, at most {nearly:.3} ms");
}
