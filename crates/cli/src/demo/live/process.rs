//! A placeholder process of a session, with its file in the registry.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use crate::failure::{CommandError, Context as _};
use live::process::{Here, Life, Processes as _};
use serde_json::{Value, json};

use super::session::VERSION;

/// A process that runs until this is dropped, or until this program ends in any way.
#[derive(Debug)]
pub(super) struct Process {
    child: Child,
    file: PathBuf,
    /// The constant fields of the file.
    about: Value,
}

impl Process {
    pub(super) fn start(root: &Path, session: &str, project: &str, name: &str, now: i64) -> Result<Self, CommandError> {
        // `cat` waits for the end of its input, which arrives at the latest when this program is gone.
        let child = Command::new("cat").stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null()).spawn();
        let child = child.context("cannot start a process for a session: cat")?;
        let pid = child.id();
        let mut about = json!({
            "pid": pid, "sessionId": session, "cwd": project, "startedAt": now, "version": VERSION,
            "peerProtocol": 1, "kind": "interactive", "entrypoint": "cli", "name": name, "nameSource": "derived",
        });
        if let (Life::Since(start), Some(about)) = (Here.life(pid), about.as_object_mut()) {
            about.insert("procStart".to_owned(), start.into());
        }
        let file = root.join("sessions").join(format!("{pid}.json"));
        Ok(Self { child, file, about })
    }

    /// Writes the status of the session, starting now.
    pub(super) fn say(&self, status: &str, waits_for: Option<&str>, now: i64) -> Result<(), CommandError> {
        let mut text = self.about.clone();
        if let Some(said) = text.as_object_mut() {
            said.insert("status".to_owned(), status.into());
            said.extend(waits_for.map(|what| ("waitingFor".to_owned(), what.into())));
            said.insert("updatedAt".to_owned(), now.into());
            said.insert("statusUpdatedAt".to_owned(), now.into());
        }
        self.write(&text.to_string()).with_context(|| format!("cannot write: {}", self.file.display()))
    }

    /// Replaces the file atomically, so that readers never see half of it.
    fn write(&self, text: &str) -> io::Result<()> {
        let folder = self.file.parent().unwrap_or(Path::new("."));
        fs::create_dir_all(folder)?;
        let new = self.file.with_extension("new");
        fs::write(&new, text)?;
        fs::rename(new, &self.file)
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.file);
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
