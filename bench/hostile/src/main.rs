//! Measures how the cost of every verb grows with input that is made to be slow.
//!
//! `cargo run --release -p bench-hostile -- --help`

mod cost;
mod shapes;
mod verbs;
mod writer;

use std::path::Path;

use anyhow::{Result, bail};
use measure::build_recount;

use cost::Meter;
use shapes::Shape;
use verbs::{VERBS, Verb};
use writer::Writer;

const HELP: &str = "\
Measures how the cost of every verb grows with input that is made to be slow: each shape at 1, 2, 4
and 8 times its size. Fails if twice the size costs more than 2.6 times as much.

Usage: bench-hostile [--quick] [--recount PROGRAM] [--scale N] [--shapes WORDS] [--verbs WORDS]
       bench-hostile --write SHAPE SIZE DIR

  --quick            CPU time instead of instructions: minutes instead of hours, and less sure
  --recount PROGRAM  the program to measure [default: the release build]
  --scale N          multiply all sizes
  --shapes WORDS     only shapes whose names contain one of these, separated by commas
  --verbs WORDS      only these verbs
  --write …          write one shape and exit
";

/// The most that twice the size may cost, as a multiple. Sorting and trees take a little more than 2.
const MOST: f64 = 2.6;
/// What a run must cost, beyond starting, before its growth says anything.
const LEAST_INSTRUCTIONS: u64 = 10_000_000;
const LEAST_MICROSECONDS: u64 = 60_000;
const SIZES: [usize; 4] = [1, 2, 4, 8];

struct Options {
    meter: Meter,
    recount: Option<String>,
    scale: usize,
    shapes: String,
    verbs: String,
}

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let mut options =
        Options { meter: Meter::Instructions, recount: None, scale: 1, shapes: String::new(), verbs: String::new() };
    let mut words = arguments.iter().map(String::as_str);
    while let Some(word) = words.next() {
        let mut value = || words.next().map(str::to_owned).unwrap_or_default();
        match word {
            "--help" | "-h" => {
                print!("{HELP}");
                return Ok(());
            }
            "--quick" => options.meter = Meter::Time,
            "--recount" => options.recount = Some(value()),
            "--scale" => options.scale = value().parse()?,
            "--shapes" => options.shapes = value(),
            "--verbs" => options.verbs = value(),
            "--write" => return write(&value(), value().parse()?, Path::new(&value())),
            _ => bail!("wrong usage\n\n{HELP}"),
        }
    }
    measure(&options)
}

/// Whether a name was asked for.
fn is_chosen(words: &str, fits: impl Fn(&str) -> bool) -> bool {
    words.is_empty() || words.split(',').any(fits)
}

fn write(name: &str, size: usize, folder: &Path) -> Result<()> {
    let shapes = shapes::all();
    let Some(shape) = shapes.iter().find(|shape| shape.name == name) else { bail!("no such shape: {name}") };
    written(shape, size, folder)
}

fn written(shape: &Shape, size: usize, folder: &Path) -> Result<()> {
    let mut writer = Writer::default();
    // What does not begin like a transcript is left alone.
    writer.line(format!(r#"{{"type":"mode","mode":"normal","sessionId":"{}"}}"#, writer::SESSION));
    (shape.write)(&mut writer, size);
    writer.write(folder)
}

fn measure(options: &Options) -> Result<()> {
    let recount = options.recount.clone().map_or_else(build_recount, Ok)?;
    let verbs: Vec<Verb> =
        VERBS.iter().filter(|verb| is_chosen(&options.verbs, |word| verb.name == word)).copied().collect();
    let mut starts = Vec::new();
    let folder = tempfile::tempdir()?;
    let mut nearly_empty = Writer::default();
    nearly_empty.prompt("dig");
    nearly_empty.write(folder.path())?;
    for verb in &verbs {
        starts.push(options.meter.cost(&recount, verb, folder.path())?);
    }
    let mut slow = Vec::new();
    let mut count = 0;
    for shape in shapes::all() {
        if !is_chosen(&options.shapes, |word| shape.name.contains(word)) {
            continue;
        }
        count += 1;
        let folder = tempfile::tempdir()?;
        let roots = SIZES.map(|size| folder.path().join(size.to_string()));
        for (root, size) in roots.iter().zip(SIZES) {
            written(&shape, shape.base * options.scale * size, root)?;
        }
        for (verb, start) in verbs.iter().zip(&starts) {
            let growth = growth(options.meter, &recount, verb, *start, &roots)?;
            if growth.is_slow {
                println!("{:<34}{:<18}{}", shape.name, verb.name, growth.said);
                slow.push(format!("{} {}", shape.name, verb.name));
            }
        }
    }
    println!("{count} shapes, {} verbs, {} grow by more than {MOST}", verbs.len(), slow.len());
    if !slow.is_empty() {
        bail!("more than linear: {}", slow.join(", "));
    }
    Ok(())
}

struct Growth {
    is_slow: bool,
    said: String,
}

/// The growth of a cost with the size, without what starting costs.
fn growth(meter: Meter, recount: &str, verb: &Verb, start: u64, roots: &[std::path::PathBuf]) -> Result<Growth> {
    // Other load makes some runs slower, none faster. A suspicion is checked again.
    let rounds = if meter == Meter::Time { 3 } else { 1 };
    let mut best: Vec<u64> = Vec::new();
    for round in 0..rounds {
        let mut costs = Vec::new();
        for root in roots {
            let cost = meter.cost(recount, verb, root)?.saturating_sub(start);
            costs.push(best.get(costs.len()).map_or(cost, |best| cost.min(*best)));
        }
        best = costs;
        if steepest(meter, &best) <= MOST || round + 1 == rounds {
            break;
        }
    }
    let unit = if meter == Meter::Time { 1000 } else { 1_000_000 };
    let costs: Vec<String> = best.iter().map(|cost| (cost / unit).to_string()).collect();
    let steepest = steepest(meter, &best);
    Ok(Growth { is_slow: steepest > MOST, said: format!("{steepest:.2}  {}", costs.join(" ")) })
}

/// The largest quotient of the costs of two sizes that follow one another, as far as they are large enough to tell.
#[expect(clippy::cast_precision_loss, reason = "a quotient for people")]
fn steepest(meter: Meter, costs: &[u64]) -> f64 {
    let least = if meter == Meter::Time { LEAST_MICROSECONDS } else { LEAST_INSTRUCTIONS };
    let pairs = costs.windows(2).filter_map(|pair| match pair {
        [less, more] if *more >= least => Some(*more as f64 / (*less).max(least / 10) as f64),
        _ => None,
    });
    pairs.fold(0.0, f64::max)
}
