//! What a run costs: instructions, or for a quick look the CPU time.

use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};
use nix::sys::resource::{UsageWho, getrusage};
use nix::sys::time::TimeValLike as _;

use crate::verbs::Verb;

/// How the cost is measured.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Meter {
    /// Instructions, counted by valgrind.
    Instructions,
    /// Microseconds of CPU time, which other load on the machine disturbs.
    Time,
}

impl Meter {
    /// The cost of a verb on a root, in a home of its own.
    pub(crate) fn cost(self, recount: &str, verb: &Verb, root: &Path) -> Result<u64> {
        let home = tempfile::tempdir()?;
        let out = home.path().join("out");
        let mut command = match self {
            Self::Time => Command::new(recount),
            Self::Instructions => {
                let mut valgrind = Command::new("valgrind");
                valgrind.args(["--tool=callgrind", "--callgrind-out-file=/dev/null", recount]);
                valgrind
            }
        };
        command.args(verb.arguments(root, &out));
        // One thread, so that the same work is the same number of instructions.
        command.env_clear().env("HOME", home.path()).env("TZ", "UTC").env("RAYON_NUM_THREADS", "1").env("PATH", path());
        command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::piped());
        let before = children()?;
        let mut child = command.spawn().context("cannot run it; is valgrind installed?")?;
        if let Some(mut input) = child.stdin.take() {
            // A verb that reads nothing may have ended.
            drop(input.write_all(verb.input(root).as_bytes()));
        }
        let output = child.wait_with_output()?;
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        match output.status.code() {
            // Nothing found is an answer.
            Some(0 | 1) => {}
            _ if said.contains("nothing") => {}
            _ => bail!("{} ended with {}: {said}", verb.name, output.status),
        }
        match self {
            Self::Time => Ok(children()?.saturating_sub(before)),
            Self::Instructions => {
                let count = said.lines().find_map(|line| line.split("Collected : ").nth(1));
                count.context("valgrind counted nothing")?.trim().parse().context("a count")
            }
        }
    }
}

fn path() -> std::ffi::OsString {
    std::env::var_os("PATH").unwrap_or_default()
}

/// The CPU time of all children so far, in microseconds. Time in the system is the same for all shapes of a size.
fn children() -> Result<u64> {
    Ok(getrusage(UsageWho::RUSAGE_CHILDREN)?.user_time().num_microseconds().unsigned_abs())
}
