//! What can be wrong with a source. One source's problem is no reason to stop.

use std::io;
use std::path::PathBuf;

use format::entry::Agent;

use crate::source::Input;

/// Why something was not read. Shown as `what is wrong: where`.
#[derive(Debug, thiserror::Error)]
pub enum Problem {
    /// There is nothing at a path that was named.
    #[error("no such file or folder: {}", path.display())]
    Missing {
        /// The path.
        path: PathBuf,
    },
    /// The system would not let it be read.
    #[error("cannot read: {input}: {error}")]
    Unreadable {
        /// The file or folder.
        input: Input,
        /// What the system said.
        error: io::Error,
    },
    /// A folder that was named holds no session.
    #[error("no sessions in this folder: {}", path.display())]
    NoSessions {
        /// The folder.
        path: PathBuf,
    },
    /// No root holds any session.
    #[error("no sessions found: {}", looked_in(roots))]
    NoRoots {
        /// The roots that were tried.
        roots: Vec<PathBuf>,
    },
    /// Files were found and read, but none is a transcript.
    #[error("no transcript among the files found: {files} read{}", written_by(agents))]
    NoTranscripts {
        /// How many were read.
        files: u64,
        /// Other agents that wrote some of them.
        agents: Vec<Agent>,
    },
    /// Neither a file nor a folder: a device, a socket.
    #[error("neither a file nor a folder: {}", path.display())]
    NotAFile {
        /// The path.
        path: PathBuf,
    },
    /// A file with keys or account data, which is never opened.
    #[error("holds secrets, so it is not opened: {}", path.display())]
    Secret {
        /// The path.
        path: PathBuf,
    },
    /// A file that was named holds nothing.
    #[error("empty: {input}")]
    Empty {
        /// The file.
        input: Input,
    },
    /// A file that was named holds no entry of Claude Code.
    #[error("not a transcript: {input}")]
    NotATranscript {
        /// The file.
        input: Input,
    },
    /// A file that was named is the work of another agent.
    #[error("written by {agent}, not by Claude Code: {input}")]
    Foreign {
        /// The file.
        input: Input,
        /// Who wrote it.
        agent: Agent,
    },
}

impl Problem {
    pub(crate) fn unreadable(path: &std::path::Path, error: io::Error) -> Self {
        Self::Unreadable { input: Input::File(path.to_path_buf()), error }
    }
}

fn written_by(agents: &[Agent]) -> String {
    let names: Vec<_> = agents.iter().map(ToString::to_string).collect();
    if names.is_empty() { String::new() } else { format!(", some written by {}", names.join(" and ")) }
}

fn looked_in(roots: &[PathBuf]) -> String {
    if roots.is_empty() {
        return "there is no home directory to look in".to_owned();
    }
    let roots: Vec<_> = roots.iter().map(|root| root.display().to_string()).collect();
    format!("looked in {}", roots.join(", "))
}
