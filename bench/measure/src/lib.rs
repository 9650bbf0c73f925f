//! Measures the time, CPU and memory of a process, as reported by the system (Linux).
//!
//! Every task runs in a process of its own, which prints its [`Measured`]; the benchmarks start those processes round
//! after round and keep the best.

mod contest;
mod material;
mod peer;

use std::fmt;
use std::hint::black_box;
use std::path::Path;
use std::process::{Command, Stdio};
use std::str::FromStr;
use std::time::Instant;

use anyhow::{Context, Result, bail};
use format::block::{Call, Content};
use format::tool::{Calls, read_result};
use format::{Entry, Line, Scratch};
use nix::sys::resource::{UsageWho, getrusage};
use nix::sys::time::TimeValLike;
use nix::time::{ClockId, clock_gettime};

pub use contest::{Goal, best_of, contest, generated_root, run, verdict};
pub use material::{bench_folder, build_recount, corpus, generated_session};
pub use peer::install_agentsview;

/// The CPU time of this thread so far, in milliseconds: independent of other load on the machine.
pub fn thread_milliseconds() -> Result<f64> {
    let taken = clock_gettime(ClockId::CLOCK_THREAD_CPUTIME_ID)?;
    #[expect(clippy::cast_precision_loss, reason = "a thread of the benchmark runs for minutes at most")]
    Ok(taken.num_microseconds() as f64 / 1000.0)
}

/// Runs this program with `arguments` and a path, in a separate process that prints its measurement.
pub fn in_own_process(arguments: &[&str], path: &Path) -> Result<Measured> {
    let output = Command::new(std::env::current_exe()?).args(arguments).arg(path).output()?;
    let said = String::from_utf8_lossy(&output.stdout);
    if !output.status.success() {
        bail!("{} failed: {}{}", arguments.join(" "), said, String::from_utf8_lossy(&output.stderr));
    }
    said.trim().parse()
}

/// Runs a program and measures it.
pub fn run_command(program: &str, arguments: &[&str]) -> Result<Measured> {
    let started = Instant::now();
    // Errors it reports do not matter; that it ran is enough.
    Command::new(program).args(arguments).stdout(Stdio::null()).stderr(Stdio::null()).status()?;
    Measured::of(started, UsageWho::RUSAGE_CHILDREN, 0)
}

/// The measurement of a task.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Measured {
    /// CPU seconds, user and system.
    pub cpu_seconds: f64,
    /// Wall-clock seconds.
    pub wall_seconds: f64,
    /// Peak memory.
    pub peak_megabytes: f64,
    /// The number of bytes read.
    pub bytes: u64,
}

impl Measured {
    /// The measurement of this process, with the time since `started`.
    pub fn since(started: Instant, bytes: u64) -> Result<Self> {
        Self::of(started, UsageWho::RUSAGE_SELF, bytes)
    }

    /// The better of two rounds, and the larger peak memory.
    #[must_use]
    pub fn best(self, other: Self) -> Self {
        Self {
            cpu_seconds: self.cpu_seconds.min(other.cpu_seconds),
            wall_seconds: self.wall_seconds.min(other.wall_seconds),
            peak_megabytes: self.peak_megabytes.max(other.peak_megabytes),
            bytes: self.bytes,
        }
    }

    #[expect(clippy::cast_precision_loss, reason = "microseconds and kilobytes of a short run")]
    fn of(started: Instant, who: UsageWho, bytes: u64) -> Result<Self> {
        let wall_seconds = started.elapsed().as_secs_f64();
        let usage = getrusage(who)?;
        let microseconds = usage.user_time().num_microseconds() + usage.system_time().num_microseconds();
        let peak_kilobytes = match who {
            UsageWho::RUSAGE_SELF => own_peak()?,
            // For a child, the system also counts what its parent had when it was started.
            _ => usage.max_rss() as f64,
        };
        let peak_megabytes = peak_kilobytes * 1024.0 / 1e6;
        Ok(Self { cpu_seconds: microseconds as f64 / 1e6, wall_seconds, peak_megabytes, bytes })
    }

    /// The average of this many repetitions.
    #[expect(clippy::cast_precision_loss, reason = "a small number")]
    #[must_use]
    pub fn per(self, times: u64) -> Self {
        let times = times as f64;
        Self { cpu_seconds: self.cpu_seconds / times, wall_seconds: self.wall_seconds / times, ..self }
    }
}

/// The peak memory of this process in kilobytes, as reported by Linux.
fn own_peak() -> Result<f64> {
    let status = std::fs::read_to_string("/proc/self/status")?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).context("no VmHWM")?;
    Ok(line.trim().trim_end_matches(" kB").parse()?)
}

impl fmt::Display for Measured {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} {} {}", self.cpu_seconds, self.wall_seconds, self.peak_megabytes, self.bytes)
    }
}

impl FromStr for Measured {
    type Err = anyhow::Error;

    fn from_str(line: &str) -> Result<Self> {
        let mut words = line.split(' ');
        let mut next = || words.next().with_context(|| format!("not a measurement: {line:?}"));
        Ok(Self {
            cpu_seconds: next()?.parse()?,
            wall_seconds: next()?.parse()?,
            peak_megabytes: next()?.parse()?,
            bytes: next()?.parse()?,
        })
    }
}

/// Parses everything: the entry, its blocks and tool inputs, and its results by the names of their calls. Passes each
/// entry to `each` first.
pub fn read_fully(line: Line<'_>, scratch: &Scratch, calls: &Calls, each: impl Fn(&Entry<'_>)) {
    for mut entry in format::read_with(line.bytes, scratch, calls).entries {
        each(&entry);
        let mut structured = entry.body.take_structured();
        let content = entry.body.message().and_then(|message| message.content.as_ref());
        for block in content.map_or(&[][..], Content::blocks) {
            if let Some(Call { id: Some(id), tool: Some(tool) }) = block.call() {
                calls.open(id, tool.as_str());
            } else if let Some(result) = block.as_result() {
                let tool = result.tool_use_id.and_then(|id| calls.close(id));
                black_box(read_result(tool.as_deref(), structured.take(), Some(result), scratch));
            }
        }
        black_box::<&Entry<'_>>(&entry);
    }
}
