//! A config root with one session of every kind that all readers must agree on: failures and what only looks like one,
//! subagents of all eras, files without their session, copies, captures, worktrees, titles, prices.
//!
//! The sessions are small and hand-written; [`crate::root`] generates many realistic ones. They are eight hours apart,
//! so that days in different time zones contain different ones.

mod agents;
mod calls;
mod places;
mod titles;

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::clock;
use crate::entry;
use crate::era::Version;
use crate::object;
use crate::session::Session;

/// A session of the gallery.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exhibit {
    /// Its topic, such as `rejected calls`.
    pub what: &'static str,
    /// The session id.
    pub id: String,
    /// Its transcript; the folder of its companions, or the prompt history, if it has none.
    pub path: PathBuf,
    /// The facts that readers have to find.
    pub truth: Truth,
}

/// The true facts about a session.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Truth {
    /// Tool uses, each once by its id, wherever it is recorded.
    pub calls: u32,
    /// Calls that failed unexpectedly: not denied, interrupted, cancelled or expected to fail.
    pub failed: u32,
    /// Subagents.
    pub agents: u32,
    /// Its title, if there is no doubt about it.
    pub title: Option<&'static str>,
    /// The repository or folder, if there is no doubt about it.
    pub project: Option<String>,
    /// Its state, if there is no doubt about it.
    pub state: Option<&'static str>,
}

impl Truth {
    const fn of(calls: u32, failed: u32, agents: u32) -> Self {
        Self { calls, failed, agents, title: None, project: None, state: None }
    }

    fn called(self, title: &'static str) -> Self {
        Self { title: Some(title), ..self }
    }

    fn is(self, state: &'static str) -> Self {
        Self { state: Some(state), ..self }
    }
}

/// Writes the gallery below `root`. Its projects are below `work`, where folders with git's files are created. Two
/// sessions were active a few seconds before `now` (milliseconds since 1970); all others are from July 2026.
///
/// `root/stream-json` gets captured runs: one of a session without a transcript, and one of a session with one.
pub fn write(root: &Path, work: &Path, now: i64) -> io::Result<Vec<Exhibit>> {
    let mut gallery = Gallery { root, work, now, exhibits: Vec::new() };
    gallery.folders()?;
    gallery.calls()?;
    gallery.agents()?;
    gallery.titles()?;
    gallery.places()?;
    Ok(gallery.exhibits)
}

/// The newest version in the gallery.
const NEWEST: Version = Version::new(2, 1, 226);

struct Gallery<'g> {
    root: &'g Path,
    work: &'g Path,
    now: i64,
    exhibits: Vec<Exhibit>,
}

impl Gallery<'_> {
    /// A session in the folder `shop`, eight hours after the one before.
    fn session(&self) -> Session {
        self.session_in("shop", NEWEST)
    }

    fn session_in(&self, folder: &str, version: Version) -> Session {
        let number = self.exhibits.len();
        let hours = i64::try_from(number).unwrap_or(0) * 8;
        let start = clock::midnight(2026, 7, 1) + 30 * 60_000 + hours * 3_600_000;
        let seed = 7_000 + u64::try_from(number).unwrap_or(0);
        Session::seeded(seed).written_by(version).in_directory(self.folder(folder)).starting_at(start)
    }

    fn folder(&self, name: &str) -> String {
        if name.starts_with('/') { name.to_owned() } else { self.work.join(name).to_string_lossy().into_owned() }
    }

    fn project(&self, cwd: &str) -> PathBuf {
        self.root.join("projects").join(crate::root::slug(cwd))
    }

    /// The path of a session's transcript.
    fn place(&self, session: &Session) -> PathBuf {
        self.project(session.cwd()).join(format!("{}.jsonl", session.id()))
    }

    /// Writes a session that shows something.
    fn show(&mut self, what: &'static str, session: &Session, truth: Truth) -> io::Result<()> {
        let path = self.place(session);
        write_file(&path, &session.jsonl())?;
        self.note(what, session, path, truth);
        Ok(())
    }

    fn note(&mut self, what: &'static str, session: &Session, path: PathBuf, truth: Truth) {
        self.exhibits.push(Exhibit { what, id: session.id().to_owned(), path, truth });
    }
}

fn write_file(path: &Path, text: &str) -> io::Result<()> {
    if let Some(parent) = path.parent() {
        fs::create_dir_all(parent)?;
    }
    fs::write(path, text)
}

/// A Bash call with output.
fn bash(session: &mut Session, command: &str, output: &str) {
    let call = session.call("Bash", object! { "command" => command, "description" => "Look" });
    let result = object! { "stdout" => output, "stderr" => "", "interrupted" => false, "isImage" => false };
    session.result(&call, output, result);
}

/// A Bash call that fails.
fn failing_bash(session: &mut Session, command: &str, output: &str) {
    let call = session.call("Bash", object! { "command" => command, "description" => "Check" });
    session.failure(&call, output);
}

/// Ends a turn as versions since 2.0 do.
fn end_turn(session: &mut Session, text: &str) {
    session.reply(text);
    session.push(entry::system("turn_duration").with("durationMs", 4_000).with("isMeta", false));
}

#[cfg(test)]
mod tests;
