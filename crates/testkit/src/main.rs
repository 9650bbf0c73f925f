//! The command line of the test kit: roots, streams and mutations from a seed.

mod arguments;

use arguments::{Arguments, Usage};
use std::fs::File;
use std::io::{self, BufWriter, Read, Write};
use std::path::Path;
use std::process::ExitCode;
use testkit::Era;
use testkit::Words;
use testkit::clock;
use testkit::gallery;
use testkit::mutate;
use testkit::root::{self, RootOptions};
use testkit::stream::{self, StreamOptions};

const HELP: &str = "\
Writes Claude Code sessions for tests and benches, deterministically from a seed.

usage: testkit root --out DIR [--bytes SIZE] [--seed N] [--era ERA[,ERA…]|all]
                    [--projects N] [--largest-session SIZE] [--longest-line SIZE]
                    [--natural-words]
       testkit gallery --out DIR
       testkit stream [--out FILE] [--bytes SIZE] [--seed N] [--partial]
                    [--wrapping lines|array|loglines|json|audit]
       testkit mutate FILE [--seed N] [--with NAME] [--out FILE]
       testkit mutators

root      a config root: projects/, subagents, tool-results, history.jsonl
          eras: 1.0 2.0 2.1.12 2.1.63 2.1.97 2.1.2xx 2.1.326 (default all)
          --natural-words: thousands of words, few of them common
gallery   a config root with one session of every kind; their projects are in DIR/work
stream    a captured `--output-format stream-json` run (default to stdout)
mutate    damages a file (`-` for stdin): --with one named mutator, or some by seed
mutators  the names that --with knows

SIZE is a number with an optional KB, MB or GB (powers of 1000).
Exit codes: 0 done, 1 failed, 2 wrong usage.
";

/// Why the program fails.
enum Failure {
    Usage(Usage),
    Io(io::Error),
}

impl From<Usage> for Failure {
    fn from(usage: Usage) -> Self {
        Failure::Usage(usage)
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Failure::Io(error)
    }
}

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(Failure::Io(error)) if error.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(Failure::Io(error)) => {
            eprintln!("testkit: {error}");
            ExitCode::FAILURE
        }
        Err(Failure::Usage(usage)) => {
            eprintln!("testkit: {usage}\nhint: testkit --help");
            ExitCode::from(2)
        }
    }
}

fn run() -> Result<(), Failure> {
    let mut arguments = Arguments::new(std::env::args().skip(1))?;
    if arguments.flag("help") {
        io::stdout().write_all(HELP.as_bytes())?;
        return Ok(());
    }
    match arguments.word()?.as_str() {
        "root" => write_root(arguments),
        "gallery" => write_gallery(arguments),
        "stream" => write_stream(arguments),
        "mutate" => mutate_file(arguments),
        "mutators" => {
            arguments.finish()?;
            for (name, _) in mutate::MUTATORS {
                writeln!(io::stdout(), "{name}")?;
            }
            Ok(())
        }
        other => Err(Usage::new(format!("unknown command `{other}`")).into()),
    }
}

fn write_root(mut arguments: Arguments) -> Result<(), Failure> {
    let default = RootOptions::default();
    let out = arguments.required("out")?;
    let options = RootOptions {
        seed: arguments.number("seed")?.unwrap_or(default.seed),
        bytes: arguments.size("bytes")?.unwrap_or(default.bytes),
        eras: match arguments.value("era") {
            None => default.eras,
            Some(name) if name == "all" => default.eras,
            Some(names) => names.split(',').map(str::parse).collect::<Result<Vec<Era>, _>>().map_err(Usage::new)?,
        },
        truth: false,
        one_session: default.one_session,
        projects: arguments.count("projects")?.unwrap_or(default.projects),
        largest_session: arguments.size("largest-session")?.unwrap_or(default.largest_session),
        longest_line: arguments.size("longest-line")?.and_then(|size| usize::try_from(size).ok()),
        words: if arguments.flag("natural-words") { Words::Natural } else { default.words },
    };
    arguments.finish()?;
    let written = root::write_root(Path::new(&out), &options)?;
    let mut report = io::stdout().lock();
    writeln!(report, "{} bytes in {} files", written.bytes, written.files)?;
    writeln!(
        report,
        "{} sessions, {} subagent files, {} lines, {} tool calls, {} prompts in history.jsonl",
        written.sessions,
        written.agent_files,
        written.lines,
        written.tool_call_count(),
        written.history_lines
    )?;
    for (kind, number) in &written.entries {
        writeln!(report, "{number:>10} {kind}")?;
    }
    Ok(())
}

fn write_gallery(mut arguments: Arguments) -> Result<(), Failure> {
    let out = arguments.required("out")?;
    arguments.finish()?;
    let out = std::path::absolute(out)?;
    let exhibits = gallery::write(&out, &out.join("work"), clock::midnight(2026, 8, 8))?;
    let mut report = io::stdout().lock();
    for exhibit in exhibits {
        writeln!(report, "{}  {}", exhibit.id, exhibit.what)?;
    }
    Ok(())
}

fn write_stream(mut arguments: Arguments) -> Result<(), Failure> {
    let default = StreamOptions::default();
    let out = arguments.value("out");
    let options = StreamOptions {
        seed: arguments.number("seed")?.unwrap_or(default.seed),
        bytes: arguments.size("bytes")?.unwrap_or(default.bytes),
        partial_messages: arguments.flag("partial"),
        wrapping: match arguments.value("wrapping") {
            Some(name) => name.parse().map_err(Usage::new)?,
            None => default.wrapping,
        },
    };
    arguments.finish()?;
    stream::write_stream(&mut output(out.as_deref())?, &options)?;
    Ok(())
}

fn mutate_file(mut arguments: Arguments) -> Result<(), Failure> {
    let seed = arguments.number("seed")?.unwrap_or(1);
    let out = arguments.value("out");
    let mutator = match arguments.value("with") {
        Some(name) => Some(mutate::named(&name).ok_or_else(|| Usage::new(format!("unknown mutator `{name}`")))?),
        None => None,
    };
    let file = arguments.word()?;
    arguments.finish()?;
    let mut bytes = Vec::new();
    if file == "-" {
        io::stdin().read_to_end(&mut bytes)?;
    } else {
        bytes = std::fs::read(&file)?;
    }
    let mutated = match mutator {
        Some(mutator) => mutator(&bytes, &mut testkit::Rng::new(seed)),
        None => mutate::mutate(&bytes, seed),
    };
    let mut out = output(out.as_deref())?;
    out.write_all(&mutated)?;
    out.flush()?;
    Ok(())
}

/// The file, or standard output.
fn output(path: Option<&str>) -> io::Result<Box<dyn Write>> {
    Ok(match path {
        Some(path) if path != "-" => Box::new(BufWriter::new(File::create(path)?)),
        _ => Box::new(BufWriter::new(io::stdout())),
    })
}
