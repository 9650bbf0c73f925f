//! Measures pages: of one session compared with claude-code-log, and of many sessions.
//!
//! `cargo run --release -p bench-show -- --help`

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};
use measure::{
    Goal, Measured, bench_folder, best_of, build_recount, contest, generated_root, generated_session, run, verdict,
};
use testkit::root::RootOptions;

const HELP: &str = "\
Measures pages of sessions, compared with claude-code-log, and whole sites.

Usage: bench-show [--rounds N] [--without-peers]

Sessions are written once and kept in target/bench; claude-code-log is installed there
from PyPI, with the system's Python.
";

/// The release compared with.
const PEER: &str = "claude-code-log==1.7.0";

fn main() -> Result<()> {
    contest(HELP, 3, compare)
}

/// The best of some rounds; the path to read is the last argument of the command.
fn best(rounds: usize, command: &[&str], path: &Path) -> Result<Measured> {
    let command = command.iter().map(ToString::to_string).collect();
    best_of(rounds, &[command], path)?.pop().context("nothing was measured")
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
        verdict("claude-code-log / page, CPU", peer.cpu_seconds / html.0.cpu_seconds, Goal::AtLeast(40.0));
    }
    verdict("page / session, bytes", html.1 / size_of_session(&small)?, Goal::AtMost(1.0));
    verdict("peak memory of the page of 500 MB", large_html.0.peak_megabytes, Goal::AtMost(150.0));
    verdict("page of 500 MB / page of 50 MB, CPU", large_html.0.cpu_seconds / html.0.cpu_seconds, Goal::AtMost(11.0));
    sites(&recount)
}

fn page(recount: &str, session: &Path, rounds: usize, name: &str) -> Result<(Measured, f64)> {
    let page = bench_folder()?.join(format!("page-{name}MB.html"));
    let measured = best(rounds, &[recount, "show", "--format", "html", "-o", &text(&page)], session)?;
    let megabytes = size(&page)?;
    row(&format!("recount show --format html, {name} MB"), measured, megabytes);
    Ok((measured, megabytes))
}

/// The size of all files of the session, including its agents'.
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

/// One round of the peer is enough, since it is slow.
fn peer(session: &Path) -> Result<Measured> {
    let home = bench_folder()?.join("peers");
    let program = home.join("bin/claude-code-log");
    if !program.exists() {
        eprintln!("installing {PEER}");
        run(Command::new("python3").args(["-m", "venv"]).arg(&home))?;
        run(Command::new(home.join("bin/pip")).args(["install", "--quiet", PEER]))?;
    }
    let page = bench_folder()?.join("peer.html");
    let measured = best(1, &[&text(&program), "--no-cache", "-o", &text(&page)], session)?;
    row(&format!("{PEER}, 50 MB"), measured, size(&page)?);
    Ok(measured)
}

/// Many sessions: all of them, then again without changes.
fn sites(recount: &str) -> Result<()> {
    let mut times = Vec::new();
    for megabytes in [50, 500] {
        let root = root(&format!("sites-{megabytes}MB"), megabytes, 2_000_000)?;
        times.push(site(recount, &root, &format!("{megabytes} MB of sessions"))?.0.cpu_seconds);
    }
    if let [small, large] = times.as_slice() {
        verdict("500 MB of sessions / 50 MB, CPU", large / small, Goal::AtMost(11.0));
    }
    let many = root("sites-many", 100, 100_000)?;
    let (_, again) = site(recount, &many, "many small sessions")?;
    let sessions = walk_transcripts(&many.join("projects"))?;
    println!("  {sessions} sessions in it");
    #[expect(clippy::cast_precision_loss, reason = "a small number")]
    let per_thousand = again.cpu_seconds * 1000.0 / sessions.max(1) as f64;
    verdict("nothing changed, CPU s per 1,000 sessions", per_thousand, Goal::AtMost(0.3));
    Ok(())
}

fn root(name: &str, megabytes: u64, largest: u64) -> Result<PathBuf> {
    let options =
        RootOptions { bytes: megabytes * 1_000_000, seed: 11, largest_session: largest, ..RootOptions::default() };
    Ok(generated_root(name, "", &options)?.0)
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

/// The number of sessions: transcripts in a project's folder.
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
