//! Growing sessions, a line at a time, each with the time it was written.

use std::collections::VecDeque;
use std::fs::{self, File};
use std::io::Write as _;
use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use anyhow::{Context as _, Result};
use jiff::Timestamp;
use testkit::entry::{self, ToolUse};
use testkit::{Session, clock, object};

/// A growing session.
pub(crate) struct Growth {
    session: Session,
    file: File,
    number: u32,
    /// The time of the last line.
    at: i64,
    open: Option<ToolUse>,
    /// Its figures so far.
    pub(crate) calls: u32,
    pub(crate) turns: u32,
    pub(crate) lines: u32,
}

/// The lines of a session that have not reached the client: their timestamps, and when they were written.
#[derive(Default)]
pub(crate) struct PendingLines(Mutex<VecDeque<(i64, Instant)>>);

impl PendingLines {
    fn add(&self, at: i64, written: Instant) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push_back((at, written));
    }

    /// Removes those up to a time; calls `each` with their age in milliseconds.
    pub(crate) fn arrived(&self, until: i64, arrived: Instant, mut each: impl FnMut(f64)) {
        let mut lines = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let count = lines.partition_point(|(at, _)| *at <= until);
        for (_, written) in lines.drain(..count) {
            each(arrived.saturating_duration_since(written).as_secs_f64() * 1000.0);
        }
    }

    /// The number of them.
    pub(crate) fn count(&self) -> usize {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).len()
    }
}

/// The sizes of command outputs, realistically mostly small.
const OUTPUTS: [usize; 4] = [80, 300, 900, 2400];

impl Growth {
    /// Starts a session in a project's folder, and registers a process for it, as Claude Code does.
    pub(crate) fn begin(root: &Path, number: u32) -> Result<Self> {
        let folder = root.join(format!("projects/-w-project-{}", number % 20));
        fs::create_dir_all(&folder)?;
        let now = Timestamp::now().as_millisecond();
        let session = Session::seeded(u64::from(number) + 1).in_directory(format!("/w/project-{}", number % 20));
        let session = session.starting_at(now);
        let file = File::options().create(true).append(true).open(folder.join(format!("{}.jsonl", session.id())))?;
        let sessions = root.join("sessions");
        fs::create_dir_all(&sessions)?;
        // This process runs all of them.
        let registered = serde_json::json!({
            "pid": std::process::id(), "sessionId": session.id(), "cwd": session.cwd(), "kind": "interactive",
            "entrypoint": "cli", "status": "busy", "statusUpdatedAt": now, "updatedAt": now,
        });
        fs::write(sessions.join(format!("{}.json", 100_000 + number)), registered.to_string())?;
        Ok(Self { session, file, number, at: now, open: None, calls: 0, turns: 0, lines: 0 })
    }

    pub(crate) fn id(&self) -> &str {
        self.session.id()
    }

    /// Writes the next line: occasionally a prompt, in between calls with their results, and replies.
    pub(crate) fn write(&mut self, pending: &PendingLines) -> Result<()> {
        let at = Timestamp::now().as_millisecond().max(self.at + 1);
        self.at = at;
        let (number, line) = (self.number, self.lines);
        let entry = match (self.open.take(), line % 60) {
            (Some(call), _) => {
                let length = OUTPUTS.get(usize::try_from(line / 2 % 4)?).copied().unwrap_or_default();
                let output = "all is well in this part of the work\n".repeat(length / 37 + 1);
                let result = object! {"stdout" => output.as_str(), "stderr" => "", "interrupted" => false};
                entry::tool_result(&call).output(output.as_str()).with_result(result)
            }
            (None, 0) => {
                self.turns += 1;
                entry::user(format!("go on with part {line} of project {number}"))
            }
            (None, rest) => {
                let (message, request) = (self.session.rng().message_id(), self.session.rng().request_id());
                let said = entry::assistant().message_id(message).request_id(request);
                if rest % 7 == 0 {
                    said.text(format!("Part {line} is done. The next one needs a look at what it depends on."))
                } else {
                    self.calls += 1;
                    let (id, input) =
                        (self.session.rng().tool_use_id(), object! {"command" => format!("make part-{line}")});
                    let said = said.tool_use_with_id(&id, "Bash", input.clone());
                    self.open = Some(ToolUse { id, name: "Bash".to_owned(), input, entry: String::new() });
                    said
                }
            }
        };
        let (entry, _) = self.session.stamp(entry.at(clock::iso(at)));
        let mut bytes = entry.line().into_bytes();
        bytes.push(b'\n');
        self.lines += 1;
        let written = Instant::now();
        pending.add(at, written);
        self.file.write_all(&bytes).context("a line")
    }
}

/// Writes ended sessions for the board.
pub(crate) fn write_quiet(root: &Path, count: u32) -> Result<()> {
    let hour_ago = Timestamp::now().as_millisecond() - 3_600_000;
    for number in 0..count {
        let folder = root.join(format!("projects/-w-quiet-{}", number % 30));
        fs::create_dir_all(&folder)?;
        let seed = u64::from(number) + 1_000_000;
        let mut session = Session::seeded(seed).in_directory(format!("/w/quiet-{}", number % 30)).starting_at(hour_ago);
        for part in 0..8 {
            session.prompt(&format!("look at part {part}"));
            let call = session.call("Bash", object! {"command" => format!("make part-{part}")});
            let result = object! {"stdout" => "all is well", "stderr" => "", "interrupted" => false};
            session.result(&call, "all is well", result);
            session.reply("It is as it should be.");
        }
        fs::write(folder.join(format!("{}.jsonl", session.id())), session.jsonl())?;
    }
    Ok(())
}
