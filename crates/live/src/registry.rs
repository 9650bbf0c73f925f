//! The registry of running sessions: `sessions/<pid>.json` in a config root.
//!
//! Every process of Claude Code keeps such a file while it runs. Some remain after a process dies, so only the process
//! itself shows whether it is alive; the age of the file does not. Beside these files are keys, which are never opened.

use std::fs::{self, File};
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use serde::Deserialize;

use crate::process::{Life, Processes};

/// A process of Claude Code, according to its file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Registered {
    /// The process id.
    pub pid: u32,
    /// The session that it runs.
    pub session: String,
    /// Its working directory.
    pub cwd: Option<PathBuf>,
    /// The name of the session.
    pub name: Option<String>,
    /// How it was started: `cli`, `sdk-ts`, `claude-vscode`…
    pub entrypoint: Option<String>,
    /// `interactive`, `background`…
    pub kind: Option<String>,
    /// Its status; processes driven by a program have none.
    pub status: Option<Status>,
    /// What it waits for, in its own words.
    pub waiting_for: Option<String>,
    /// Since when, in milliseconds since 1970.
    pub since: Option<i64>,
}

/// The status of a process.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Status {
    /// A turn is in progress.
    Busy,
    /// It waits for the user's permission or answer.
    Waiting,
    /// It is the user's turn.
    Idle,
    /// The user runs shell commands in it.
    Shell,
}

/// The file's format.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Written {
    pid: u32,
    session_id: String,
    cwd: Option<PathBuf>,
    name: Option<String>,
    entrypoint: Option<String>,
    kind: Option<String>,
    status: Option<String>,
    waiting_for: Option<String>,
    status_updated_at: Option<i64>,
    proc_start: Option<String>,
}

/// Such a file has a few hundred bytes.
const LARGEST: u64 = 1 << 20;

/// The registry of a config root.
#[derive(Debug, Default)]
pub struct Registry {
    /// The live processes, by process id.
    pub alive: Vec<Registered>,
    /// The sessions whose processes died without removing their files.
    pub gone: Vec<String>,
    /// The files that cannot be read.
    pub problems: Vec<(PathBuf, io::Error)>,
}

/// Reads the registry of a config root.
pub fn read(root: &Path, processes: &dyn Processes) -> Registry {
    let mut registry = Registry::default();
    let folder = root.join("sessions");
    let entries = match fs::read_dir(&folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return registry,
        Err(error) => return Registry { problems: vec![(folder, error)], ..registry },
    };
    for entry in entries.flatten() {
        let path = entry.path();
        let is_registered = path.file_name().and_then(|name| name.to_str()).is_some_and(is_name);
        // A link may lead anywhere.
        if !is_registered || !entry.file_type().is_ok_and(|kind| kind.is_file()) {
            continue;
        }
        match read_file(&path) {
            Ok(written) => match written.if_alive(processes) {
                Ok(registered) => registry.alive.push(registered),
                Err(session) => registry.gone.push(session),
            },
            // It disappeared in the meantime, or is being written.
            Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::UnexpectedEof) => {}
            Err(error) => registry.problems.push((path, error)),
        }
    }
    registry.alive.sort_by_key(|it| it.pid);
    registry
}

/// Whether a file is named after a process.
fn is_name(name: &str) -> bool {
    name.strip_suffix(".json").is_some_and(|pid| !pid.is_empty() && pid.bytes().all(|byte| byte.is_ascii_digit()))
}

fn read_file(path: &Path) -> io::Result<Written> {
    let mut text = String::new();
    File::open(path)?.take(LARGEST).read_to_string(&mut text)?;
    serde_json::from_str(&text).map_err(io::Error::from)
}

impl Written {
    /// The session alone if the process is gone, or its id belongs to another one now.
    fn if_alive(self, processes: &dyn Processes) -> Result<Registered, String> {
        match (processes.life(self.pid), self.proc_start) {
            (Life::Gone, _) => return Err(self.session_id),
            (Life::Since(start), Some(written)) if start != written => return Err(self.session_id),
            (Life::Since(_) | Life::Unknown, _) => {}
        }
        let status = match self.status.as_deref() {
            Some("busy") => Some(Status::Busy),
            Some("waiting") => Some(Status::Waiting),
            Some("idle") => Some(Status::Idle),
            Some("shell") => Some(Status::Shell),
            Some(_) | None => None,
        };
        Ok(Registered {
            pid: self.pid,
            session: self.session_id,
            cwd: self.cwd,
            name: self.name,
            entrypoint: self.entrypoint,
            kind: self.kind,
            status,
            waiting_for: self.waiting_for.filter(|it| status == Some(Status::Waiting) && !it.is_empty()),
            since: self.status_updated_at,
        })
    }
}
