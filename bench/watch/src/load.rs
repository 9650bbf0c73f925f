//! The board under load: latency of lines, resources, and lost lines.

#![expect(clippy::cast_precision_loss, reason = "counts are small")]

use std::collections::HashMap;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, ensure};
use jiff::Timestamp;
use measure::{Goal, verdict};
use serde_json::Value;

use crate::listener::{self, Heard};
use crate::served::Served;
use crate::writer::{Growth, PendingLines, write_quiet};

const QUIET: u32 = 800;
const GROWING: u32 = 200;
const LINES_PER_SECOND: u32 = 10_000;

/// The interval between writes: every session is written many times a second.
const BEAT: Duration = Duration::from_millis(5);

pub(crate) fn measure(recount: &str, seconds: Duration) -> Result<()> {
    let home = tempfile::Builder::new().prefix("bench-watch-").tempdir()?;
    let root = home.path().join(".claude");
    write_quiet(&root, QUIET)?;
    let mut growing = (0..GROWING).map(|number| Growth::begin(&root, number)).collect::<Result<Vec<_>>>()?;
    let pending: HashMap<String, PendingLines> =
        growing.iter().map(|growth| (growth.id().to_owned(), PendingLines::default())).collect();
    let pending = Arc::new(pending);
    for growth in &mut growing {
        write(growth, &pending)?;
    }
    println!("{QUIET} sessions that ended, {GROWING} that grow");
    let started = Instant::now();
    let served = Served::start(recount, home.path())?;
    let all = usize::try_from(QUIET + GROWING)?;
    served.wait_until(|board| board["sessions"].as_array().is_some_and(|list| list.len() == all))?;
    println!("  all on the board after {:.2} s, from nothing", started.elapsed().as_secs_f64());
    let heard = listener::listen(&served, Arc::clone(&pending))?;
    // Earlier lines produce no events.
    for pending in pending.values() {
        pending.arrived(i64::MAX, Instant::now(), |_| {});
    }
    idle(&served)?;
    hook(recount, home.path())?;
    now_and_then(&mut growing, &pending, &heard)?;
    load(&served, &mut growing, &pending, &heard, seconds)?;
    lost(&served, &growing, &pending, recount, home.path())
}

fn write(growth: &mut Growth, pending: &HashMap<String, PendingLines>) -> Result<()> {
    let lines = pending.get(growth.id()).context("an unknown session")?;
    growth.write(lines)
}

/// Measures an idle server.
fn idle(served: &Served) -> Result<()> {
    const QUIET: Duration = Duration::from_secs(30);
    std::thread::sleep(Duration::from_secs(3));
    let (before, started) = (served.cpu_seconds()?, Instant::now());
    std::thread::sleep(QUIET);
    let share = (served.cpu_seconds()? - before) / started.elapsed().as_secs_f64() * 100.0;
    verdict("nothing happens, CPU in percent", share, Goal::AtMost(0.5));
    Ok(())
}

/// The cost of a hook for Claude Code: from start to exit, while a server listens.
fn hook(recount: &str, home: &Path) -> Result<()> {
    const TIMES: usize = 40;
    let event = r#"{"session_id":"s","hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"make test"},"tool_use_id":"t"}"#;
    let mut took = Vec::with_capacity(TIMES);
    for _ in 0..TIMES {
        let started = Instant::now();
        let mut hook = Command::new(recount)
            .arg("hook")
            .env("HOME", home)
            .env("XDG_STATE_HOME", home.join("state"))
            .stdin(Stdio::piped())
            .spawn()?;
        hook.stdin.take().context("no input")?.write_all(event.as_bytes())?;
        ensure!(hook.wait()?.success(), "a hook failed");
        took.push(started.elapsed().as_secs_f64() * 1000.0);
    }
    took.sort_by(f64::total_cmp);
    verdict("recount hook, p90 ms", percentile(&took, 90), Goal::AtMost(20.0));
    Ok(())
}

/// Measures occasional lines.
fn now_and_then(growing: &mut [Growth], pending: &HashMap<String, PendingLines>, heard: &Heard) -> Result<()> {
    const LINES: usize = 150;
    heard.take();
    for (number, growth) in (0..).zip(growing.iter_mut().take(LINES)) {
        write(growth, pending)?;
        // Not in step with any interval of the server.
        std::thread::sleep(Duration::from_millis(210 + 37 * (number % 7)));
    }
    settle(pending);
    let latencies = heard.take();
    println!("  a line now and then: {} received, {}", latencies.len(), spread(&latencies));
    verdict("a line now and then, p99 ms", percentile(&latencies, 99), Goal::AtMost(100.0));
    Ok(())
}

fn load(
    served: &Served,
    growing: &mut [Growth],
    pending: &HashMap<String, PendingLines>,
    heard: &Heard,
    seconds: Duration,
) -> Result<()> {
    let (cpu, started) = (served.cpu_seconds()?, Instant::now());
    let count = growing.len();
    let (mut written, mut late) = (0_usize, 0.0_f64);
    while started.elapsed() < seconds {
        let due = started.elapsed().as_secs_f64() * f64::from(LINES_PER_SECOND);
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a count of lines")]
        let due = due as usize;
        late = late.max((due.saturating_sub(written)) as f64 / f64::from(LINES_PER_SECOND));
        while written < due {
            let growth = growing.get_mut(written % count).context("no session")?;
            write(growth, pending)?;
            written += 1;
        }
        std::thread::sleep(BEAT);
    }
    let took = started.elapsed().as_secs_f64();
    settle(pending);
    let latencies = heard.take();
    println!(
        "  {written} lines in {took:.0} s (the writer at most {late:.2} s late), {} received, {}",
        latencies.len(),
        spread(&latencies)
    );
    println!(
        "  {} events, {:.1} MB a second to the client, {:.2} s of CPU a second",
        heard.events.load(Ordering::Relaxed),
        heard.bytes.load(Ordering::Relaxed) as f64 / 1e6 / took,
        (served.cpu_seconds()? - cpu) / took
    );
    verdict("load, p99 ms", percentile(&latencies, 99), Goal::AtMost(250.0));
    verdict("load, peak memory in MB", served.peak_megabytes()?, Goal::AtMost(250.0));
    verdict("times the client fell behind", heard.resets.load(Ordering::Relaxed) as f64, Goal::AtMost(1.0));
    Ok(())
}

/// Checks that the board and the index match the disk.
fn lost(
    served: &Served,
    growing: &[Growth],
    pending: &HashMap<String, PendingLines>,
    recount: &str,
    home: &Path,
) -> Result<()> {
    let missing: usize = pending.values().map(PendingLines::count).sum();
    verdict("lines that were not received", missing as f64, Goal::AtMost(0.0));
    let started = Instant::now();
    let is_there = |list: &HashMap<String, Value>, growth: &Growth| {
        let session = list.get(growth.id());
        session.is_some_and(|session| session["calls"] == growth.calls && session["turns"] == growth.turns)
    };
    let wrong = loop {
        let list = sessions(served)?;
        let wrong = growing.iter().filter(|growth| !is_there(&list, growth)).count();
        if wrong == 0 || started.elapsed() > Duration::from_secs(60) {
            break wrong;
        }
        std::thread::sleep(Duration::from_millis(200));
    };
    println!("  the index has all of it {:.1} s later", started.elapsed().as_secs_f64());
    verdict("sessions that are wrong in the index", wrong as f64, Goal::AtMost(0.0));
    // The same from scratch, by a process without any earlier state.
    let output = Command::new(recount)
        .args(["watch", "--json"])
        .env("HOME", home)
        .env_remove("CLAUDE_CONFIG_DIR")
        .env("XDG_CACHE_HOME", home.join("another-cache"))
        .env("XDG_STATE_HOME", home.join("state"))
        .output()?;
    let fresh: Value = serde_json::from_slice(&output.stdout).context("recount watch --json")?;
    let fresh = by_id(&fresh)?;
    ensure!(fresh.len() >= growing.len(), "only {} sessions are on the disk", fresh.len());
    let board = by_id(&served.json("/api/v1/board")?)?;
    let is_same = |id: &String, one: &Value| {
        let fields = one.as_object().into_iter().flatten();
        let is_same =
            |board: &Value, value: &Value| board == value || moment(board).is_some_and(|at| moment(value) == Some(at));
        board.get(id).is_some_and(|board| fields.into_iter().all(|(name, value)| is_same(&board[name], value)))
    };
    let differing: Vec<&String> = fresh.iter().filter(|(id, one)| !is_same(id, one)).map(|(id, _)| id).collect();
    if let Some((one, id)) = differing.first().and_then(|id| Some((fresh.get(*id)?, *id))) {
        let without_bars =
            board.get(id).cloned().map(|mut board| board.as_object_mut().map(|it| it.remove("bars")).and(Some(board)));
        println!("  on the disk: {one}\n  on the board: {}", without_bars.flatten().unwrap_or_default());
    }
    verdict("sessions that are wrong on the board", differing.len() as f64, Goal::AtMost(0.0));
    Ok(())
}

/// A timestamp with any number of digits.
fn moment(text: &Value) -> Option<Timestamp> {
    text.as_str()?.parse().ok()
}

fn by_id(board: &Value) -> Result<HashMap<String, Value>> {
    let list = board["sessions"].as_array().context("no sessions")?;
    let named = |session: &Value| Some((session["session"].as_str()?.to_owned(), session.clone()));
    Ok(list.iter().filter_map(named).collect())
}

/// All sessions of the index.
fn sessions(served: &Served) -> Result<HashMap<String, Value>> {
    let mut all = HashMap::new();
    for page in 1.. {
        let list = by_id(&served.json(&format!("/api/v1/sessions?page={page}"))?)?;
        if list.is_empty() {
            break;
        }
        all.extend(list);
    }
    Ok(all)
}

/// Waits a while until all written lines have been received.
fn settle(pending: &HashMap<String, PendingLines>) {
    const PATIENCE: Duration = Duration::from_secs(20);
    let started = Instant::now();
    while pending.values().any(|lines| lines.count() > 0) && started.elapsed() < PATIENCE {
        std::thread::sleep(Duration::from_millis(20));
    }
}

fn spread(latencies: &[f64]) -> String {
    let at = |percent| percentile(latencies, percent);
    format!("p50 {:.0} ms, p90 {:.0} ms, p99 {:.0} ms, at most {:.0} ms", at(50), at(90), at(99), at(100))
}

/// The figure that this percentage of sorted figures does not exceed.
fn percentile(figures: &[f64], percent: usize) -> f64 {
    let last = figures.len().saturating_sub(1);
    figures.get((figures.len() * percent / 100).min(last)).copied().unwrap_or(f64::INFINITY)
}
