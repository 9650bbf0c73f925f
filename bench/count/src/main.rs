//! Measures counting: `recount usage` compared with ccusage and ccu, and the status line.
//!
//! `cargo run --release -p bench-count -- --help`

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, SystemTime};

use anyhow::{Context, Result, bail};
use measure::{Goal, bench_folder, best_of, build_recount, contest, generated_root, run, verdict};
use testkit::root::RootOptions;

const HELP: &str = "\
Measures counting all sessions of a root: recount compared with ccusage and ccu.

Usage: bench-count [--rounds N] [--without-peers]

Roots are written once and kept in target/bench; the peers are installed there, from npm and crates.io.
";

/// The releases compared with.
const CCUSAGE: &str = "20.0.24";
const CCU: &str = "0.3.2";

/// The path of sessions in a home.
const PROJECTS: &str = ".claude/projects";

fn main() -> Result<()> {
    contest(HELP, 5, compare)
}

/// A measured program, as a shell command; `$0` is the home that contains the root.
struct Contender {
    name: &'static str,
    line: String,
}

impl Contender {
    fn command(&self) -> Vec<String> {
        ["sh", "-c", &self.line].map(str::to_owned).to_vec()
    }
}

fn compare(rounds: usize, with_peers: bool) -> Result<()> {
    let recount = build_recount()?;
    let mut contenders = vec![
        Contender { name: "recount usage daily", line: daily(&recount, "") },
        Contender { name: "the same, one thread", line: daily(&recount, "--threads 1") },
    ];
    if with_peers {
        contenders.extend(peers());
    }
    let mut own = Vec::new();
    for (name, megabytes, largest) in [("count-200MB", 200, 16_000_000), ("count-2GB", 2000, 32_000_000)] {
        let home = home(name, megabytes, largest)?;
        let (bytes, files) = size(&home.join(PROJECTS))?;
        println!("{:.0} MB in {files} files", bytes / 1e6);
        println!("{:<26}{:>9}{:>9}{:>12}{:>11}", "", "CPU s", "time s", "MB/CPU s", "peak MB");
        let rounds = if megabytes > 1000 { rounds.min(3) } else { rounds };
        let commands: Vec<_> = contenders.iter().map(Contender::command).collect();
        let measured = best_of(rounds, &commands, &home)?;
        for (contender, it) in contenders.iter().zip(&measured) {
            let rate = bytes / 1e6 / it.cpu_seconds;
            println!(
                "{:<26}{:>9.3}{:>9.3}{rate:>12.0}{:>11.1}",
                contender.name, it.cpu_seconds, it.wall_seconds, it.peak_megabytes
            );
        }
        let ours = *measured.first().context("nothing was measured")?;
        for (contender, it) in contenders.iter().zip(&measured).skip(2) {
            let goal = if contender.name == "ccu daily" { 0.5 } else { 0.25 };
            verdict(
                &format!("recount / {}, CPU", contender.name),
                ours.cpu_seconds / it.cpu_seconds,
                Goal::AtMost(goal),
            );
        }
        verdict("peak memory, MB", ours.peak_megabytes, Goal::AtMost(64.0));
        println!();
        own.push((bytes, ours.cpu_seconds));
    }
    if let [(small, fast), (large, slow)] = own.as_slice() {
        verdict("CPU per byte, 2 GB / 200 MB", (slow / large) / (fast / small), Goal::AtMost(1.2));
    }
    status_line(&recount)
}

/// The shell command of a report. It needs no other flags, since prices are built in.
fn daily(recount: &str, flags: &str) -> String {
    format!(r#"HOME="$0" exec '{recount}' usage daily --json {flags}"#)
}

/// The peers that can be installed.
fn peers() -> Vec<Contender> {
    let mut contenders = Vec::new();
    match install_ccu() {
        Ok(ccu) => contenders
            .push(Contender { name: "ccu daily", line: format!(r#"HOME="$0" exec '{}' daily"#, ccu.display()) }),
        Err(error) => eprintln!("without ccu: {error:#}"),
    }
    match install_ccusage() {
        Ok(ccusage) => contenders.push(Contender {
            name: "ccusage claude daily",
            line: format!(r#"HOME="$0" exec '{}' claude daily --json --offline"#, ccusage.display()),
        }),
        Err(error) => eprintln!("without ccusage: {error:#}"),
    }
    contenders
}

fn install_ccu() -> Result<PathBuf> {
    let home = bench_folder()?.join("count-peers/ccu");
    let program = home.join("bin/ccu");
    if !program.exists() {
        eprintln!("installing cc-usage {CCU}");
        run(Command::new("cargo").args(["install", "--quiet", "cc-usage", "--version", CCU, "--root"]).arg(&home))?;
    }
    Ok(program)
}

/// The binary itself: the command that npm installs is a script that starts it, which takes longer.
fn install_ccusage() -> Result<PathBuf> {
    let home = bench_folder()?.join("count-peers");
    let modules = home.join("node_modules");
    if !modules.join("ccusage").exists() {
        eprintln!("installing ccusage {CCUSAGE}");
        fs::create_dir_all(&home)?;
        let package = format!("ccusage@{CCUSAGE}");
        run(Command::new("npm").args(["install", "--silent", "--no-audit", &package, "--prefix"]).arg(&home))?;
    }
    for platform in fs::read_dir(modules.join("@ccusage")).context("ccusage has no program for this system")? {
        let program = platform?.path().join("bin/ccusage");
        if program.exists() {
            return Ok(program);
        }
    }
    bail!("ccusage has no program for this system")
}

/// A home with a root that is written once and reused. All but three of its sessions are older than a week.
fn home(name: &str, megabytes: u64, largest: u64) -> Result<PathBuf> {
    let options =
        RootOptions { bytes: megabytes * 1_000_000, seed: 13, largest_session: largest, ..RootOptions::default() };
    let (home, is_new) = generated_root(name, ".claude", &options)?;
    if is_new {
        let week_ago = SystemTime::now() - Duration::from_secs(7 * 24 * 60 * 60);
        let mut files = Vec::new();
        transcripts(&home.join(PROJECTS), &mut files)?;
        for path in files.iter().skip(3) {
            File::options().append(true).open(path)?.set_modified(week_ago)?;
        }
    }
    Ok(home)
}

fn transcripts(folder: &Path, files: &mut Vec<PathBuf>) -> Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            transcripts(&path, files)?;
        } else if path.extension().is_some_and(|ending| ending == "jsonl") {
            files.push(path);
        }
    }
    Ok(())
}

/// The number of bytes and of files.
#[expect(clippy::cast_precision_loss, reason = "shown in megabytes")]
fn size(projects: &Path) -> Result<(f64, usize)> {
    let mut files = Vec::new();
    transcripts(projects, &mut files)?;
    let mut bytes = 0;
    for file in &files {
        bytes += fs::metadata(file)?.len();
    }
    Ok((bytes as f64, files.len()))
}

/// The cost of a status line call on the large root, after earlier calls.
fn status_line(recount: &str) -> Result<()> {
    const CALLS: u64 = 20;
    let home = bench_folder()?.join("count-2GB");
    let mut files = Vec::new();
    transcripts(&home.join(PROJECTS), &mut files)?;
    let session = files.first().context("no session")?;
    let asked = format!(
        r#"{{"session_id":"s","transcript_path":"{}","model":{{"id":"claude-opus-5","display_name":"Opus 5"}}}}"#,
        session.display()
    );
    let stdin = bench_folder()?.join("statusline.json");
    fs::write(&stdin, asked)?;
    let cache = bench_folder()?.join("statusline-cache");
    if cache.exists() {
        fs::remove_dir_all(&cache)?;
    }
    let one =
        format!(r#"HOME="$0" XDG_CACHE_HOME='{}' '{recount}' statusline < '{}'"#, cache.display(), stdin.display());
    let shell = |line: &str| best_of(1, &[["sh", "-c", line].map(str::to_owned).to_vec()], &home);
    let first = shell(&one)?.pop().context("nothing was measured")?;
    // Throttled calls would be unrealistically cheap.
    let line = format!("for call in $(seq {CALLS}); do {one}; sleep 0.4; done");
    let measured = shell(&line)?.pop().context("nothing was measured")?.per(CALLS);
    println!("\nrecount statusline, 2 GB: first call {:.1} ms of CPU", first.cpu_seconds * 1000.0);
    verdict("each later call, ms of CPU (sh included)", measured.cpu_seconds * 1000.0, Goal::AtMost(10.0));
    Ok(())
}
