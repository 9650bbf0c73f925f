//! Problems with a source. A problem with one source does not stop the others.

use std::io;
use std::path::PathBuf;

use format::entry::Agent;

use crate::source::Input;

/// Why something was not read. Displayed as `problem: path`.
#[derive(Debug, thiserror::Error)]
pub enum Problem {
    /// A named path does not exist.
    #[error("no such file or folder: {}", path.display())]
    Missing {
        /// The path.
        path: PathBuf,
    },
    /// The system denied access or reported an error.
    #[error("cannot read: {input}: {error}")]
    Unreadable {
        /// The file or folder.
        input: Input,
        /// The error that the system reported.
        error: io::Error,
    },
    /// A named folder contains no session.
    #[error("no sessions in this folder: {}", path.display())]
    NoSessions {
        /// The folder.
        path: PathBuf,
    },
    /// No root contains any session.
    #[error("no sessions found: {}", looked_in(roots))]
    NoRoots {
        /// The roots that were searched.
        roots: Vec<PathBuf>,
    },
    /// Files were found and read, but none is a transcript.
    #[error("no transcript among the files found: {files} read{}", written_by(agents))]
    NoTranscripts {
        /// The number of files that were read.
        files: u64,
        /// Other agents that wrote some of them.
        agents: Vec<Agent>,
    },
    /// Neither a file nor a folder, but for example a device or a socket.
    #[error("neither a file nor a folder: {}", path.display())]
    NotAFile {
        /// The path.
        path: PathBuf,
    },
    /// A file with keys or account data, which is never opened.
    #[error("contains secrets, so it is not opened: {}", path.display())]
    Secret {
        /// The path.
        path: PathBuf,
    },
    /// A named file is empty.
    #[error("empty: {input}")]
    Empty {
        /// The file.
        input: Input,
    },
    /// A named file contains no entry of Claude Code.
    #[error("not a transcript: {input}")]
    NotATranscript {
        /// The file.
        input: Input,
    },
    /// A named file was written by another agent.
    #[error("written by {agent}, not by Claude Code: {input}")]
    Foreign {
        /// The file.
        input: Input,
        /// The agent that wrote it.
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
