//! Measures how fast sessions are searched for secrets and written without them, and lists what is found, for review.
//!
//! `cargo run --release -p bench-redact -- --help`
//!
//! CPU time is that of the thread, as the system counts it (Linux), so other load on the machine matters little.

use std::collections::BTreeMap;
use std::fs;
use std::hint::black_box;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use redact::{Category, Certainty, Decisions, Detector, Replacer, Scanner, Settings, Tracer};

const HELP: &str = "\
Measures searching transcripts for secrets and writing them without.

Usage: bench-redact [--rounds N] [--findings] [--repeat N] [FOLDER]

FOLDER holds transcripts; without it, the corpus beside the checkout or $RECOUNT_CORPUS is used.
--findings lists every secret that is found, with its place, for review by hand, and measures nothing.
--repeat N only searches the folder N times, for a profiler.
";
/// At least so many megabytes per CPU second with nothing to find.
const GOAL: f64 = 150.0;

/// A transcript, by its path.
struct Transcript {
    path: PathBuf,
    bytes: Vec<u8>,
}

impl Transcript {
    fn lines(&self) -> impl Iterator<Item = &[u8]> {
        let ends = memchr::memchr_iter(b'\n', &self.bytes).map(|end| end + 1).chain([self.bytes.len()]);
        let mut start = 0;
        ends.filter_map(move |end| {
            let line = self.bytes.get(start..end).filter(|line| !line.is_empty());
            start = end;
            line
        })
    }
}

fn main() -> Result<()> {
    let mut rounds = 5;
    let (mut only_findings, mut repeat, mut folder) = (false, None, None);
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        let mut number = || arguments.next().and_then(|number| number.parse().ok()).context("a number is missing");
        match argument.as_str() {
            "--rounds" => rounds = number()?,
            "--repeat" => repeat = Some(number()?),
            "--findings" => only_findings = true,
            "-h" | "--help" => {
                print!("{HELP}");
                return Ok(());
            }
            _ if argument.starts_with('-') => bail!("no such option: {argument}\n\n{HELP}"),
            _ => folder = Some(PathBuf::from(argument)),
        }
    }
    let folder = folder.or_else(corpus).context("no corpus; name a folder with transcripts")?;
    let mut transcripts = Vec::new();
    collect(&folder, &mut transcripts)?;
    let detector = Detector::new(Settings::default())?;
    if only_findings {
        return list(&detector, &transcripts, &folder);
    }
    if let Some(repeat) = repeat {
        (0..repeat).for_each(|_: usize| transcripts.iter().for_each(|transcript| search(&detector, transcript)));
        return Ok(());
    }
    measure(&detector, &transcripts, rounds)
}

fn measure(detector: &Detector, transcripts: &[Transcript], rounds: usize) -> Result<()> {
    let bytes = transcripts.iter().map(|transcript| transcript.bytes.len()).sum();
    println!("{:.1} MB in {} files", megabytes(bytes), transcripts.len());
    println!("{:<28}{:>9}{:>12}", "", "CPU s", "MB/CPU s");
    let row = |name: &str, bytes: usize, run: &mut dyn FnMut()| -> Result<f64> {
        let mut best = f64::INFINITY;
        for _ in 0..rounds {
            let started = thread_seconds()?;
            run();
            best = best.min(thread_seconds()? - started);
        }
        let rate = megabytes(bytes) / best;
        println!("{name:<28}{best:>9.3}{rate:>12.0}");
        Ok(rate)
    };
    let clean: Vec<Transcript> = transcripts.iter().map(|transcript| redacted(detector, transcript)).collect();
    let clean_bytes = clean.iter().map(|transcript| transcript.bytes.len()).sum();
    row("search, as it is", bytes, &mut || transcripts.iter().for_each(|it| search(detector, it)))?;
    row("all passes, as it is", bytes, &mut || {
        for transcript in transcripts {
            black_box(redacted(detector, transcript));
        }
    })?;
    let rate = row("search, nothing to find", clean_bytes, &mut || clean.iter().for_each(|it| search(detector, it)))?;
    let is_met = if rate >= GOAL { "met" } else { "missed" };
    println!("MB per CPU second with nothing to find {rate:>8.0}   goal: at least {GOAL:.0}   {is_met}");
    Ok(())
}

fn search(detector: &Detector, transcript: &Transcript) {
    let mut scanner = Scanner::new(detector);
    transcript.lines().zip(1..).for_each(|(line, number)| scanner.look("main", number, line));
    black_box(scanner.finish());
}

fn replacer(detector: &Detector, transcript: &Transcript) -> Option<Replacer> {
    let mut scanner = Scanner::new(detector);
    transcript.lines().zip(1..).for_each(|(line, number)| scanner.look("main", number, line));
    let mut tracer = Tracer::new(scanner.finish(), &Decisions::replace_all()).ok()?;
    transcript.lines().for_each(|line| tracer.look(line));
    Some(tracer.finish())
}

fn redacted(detector: &Detector, transcript: &Transcript) -> Transcript {
    let mut replacer = replacer(detector, transcript);
    let mut bytes = Vec::with_capacity(transcript.bytes.len());
    for line in transcript.lines() {
        match &mut replacer {
            Some(replacer) => bytes.extend_from_slice(&replacer.line(line)),
            None => bytes.extend_from_slice(line),
        }
    }
    Transcript { path: transcript.path.clone(), bytes }
}

/// Lists the secrets, with what stands in the lines that have them.
fn list(detector: &Detector, transcripts: &[Transcript], folder: &Path) -> Result<()> {
    let mut counts: BTreeMap<(Certainty, &str), usize> = BTreeMap::new();
    for transcript in transcripts {
        let mut scanner = Scanner::new(detector);
        transcript.lines().zip(1..).for_each(|(line, number)| scanner.look("", number, line));
        let path = transcript.path.strip_prefix(folder).unwrap_or(&transcript.path).display();
        for finding in scanner.finish().list().iter().filter(|finding| finding.category == Category::Secret) {
            *counts.entry((finding.certainty, finding.rule)).or_default() += 1;
            let place = finding.places.first().context("a finding without a place")?;
            let (rule, certainty, value) = (finding.rule, finding.certainty, finding.value());
            println!("{certainty:?}\t{rule}\t{path}:{}\t{}\t{}", place.line, place.path, shortened(&value));
        }
    }
    let bytes = transcripts.iter().map(|transcript| transcript.bytes.len()).sum();
    println!("\n{:.1} MB", megabytes(bytes));
    for ((certainty, rule), count) in &counts {
        println!("{certainty:?} {rule}: {count}");
    }
    Ok(())
}

fn shortened(value: &str) -> String {
    value.chars().take(60).collect()
}

fn corpus() -> Option<PathBuf> {
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus");
    let corpus = std::env::var_os("RECOUNT_CORPUS").map_or(beside, PathBuf::from);
    corpus.is_dir().then_some(corpus)
}

fn collect(folder: &Path, transcripts: &mut Vec<Transcript>) -> Result<()> {
    let mut paths: Vec<PathBuf> =
        fs::read_dir(folder)?.map(|entry| entry.map(|entry| entry.path())).collect::<Result<_, _>>()?;
    paths.sort();
    for path in paths {
        if path.is_dir() {
            collect(&path, transcripts)?;
        } else if path.extension().is_some_and(|extension| extension == "jsonl") {
            let bytes = fs::read(&path)?;
            transcripts.push(Transcript { path, bytes });
        }
    }
    Ok(())
}

/// The CPU time of this thread.
fn thread_seconds() -> Result<f64> {
    let text = fs::read_to_string("/proc/thread-self/schedstat").context("the system does not count CPU time")?;
    let nanoseconds: f64 = text.split_whitespace().next().context("no CPU time")?.parse()?;
    Ok(nanoseconds / 1e9)
}

#[expect(clippy::cast_precision_loss, reason = "a number of bytes to be shown")]
fn megabytes(bytes: usize) -> f64 {
    bytes as f64 / 1e6
}
