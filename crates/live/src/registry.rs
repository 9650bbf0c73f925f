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

/// The live processes of a config root, by process id; and the files that cannot be read.
pub fn read(root: &Path, processes: &dyn Processes) -> (Vec<Registered>, Vec<(PathBuf, io::Error)>) {
    let (mut alive, mut problems) = (Vec::new(), Vec::new());
    let folder = root.join("sessions");
    let entries = match fs::read_dir(&folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return (alive, problems),
        Err(error) => return (alive, vec![(folder, error)]),
    };
    for entry in entries.flatten() {
        let path = entry.path();
        let is_registered = path.file_name().and_then(|name| name.to_str()).is_some_and(is_name);
        // A link may lead anywhere.
        if !is_registered || !entry.file_type().is_ok_and(|kind| kind.is_file()) {
            continue;
        }
        match read_file(&path) {
            Ok(written) => alive.extend(written.if_alive(processes)),
            // It disappeared in the meantime, or is being written.
            Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::UnexpectedEof) => {}
            Err(error) => problems.push((path, error)),
        }
    }
    alive.sort_by_key(|it| it.pid);
    (alive, problems)
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
    /// `None` if the process is gone, or its id belongs to another one now.
    fn if_alive(self, processes: &dyn Processes) -> Option<Registered> {
        match (processes.life(self.pid), self.proc_start) {
            (Life::Gone, _) => return None,
            (Life::Since(start), Some(written)) if start != written => return None,
            (Life::Since(_) | Life::Unknown, _) => {}
        }
        let status = match self.status.as_deref() {
            Some("busy") => Some(Status::Busy),
            Some("waiting") => Some(Status::Waiting),
            Some("idle") => Some(Status::Idle),
            Some("shell") => Some(Status::Shell),
            Some(_) | None => None,
        };
        Some(Registered {
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
