//! Events around the lines of a conversation.

use serde::{Deserialize, Serialize};

/// An event around the lines.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "camelCase")]
pub enum Event {
    /// A run of a program begins: everything until its end belongs to this process.
    #[serde(rename_all = "camelCase")]
    Start {
        /// The version of the store's format.
        version: u64,
        /// The program and its arguments; empty if its output came through a pipe.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        command: Vec<String>,
        /// The working directory.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        cwd: Option<String>,
        /// The title of the conversation.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        title: Option<String>,
        /// Tags for finding it.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        tags: Vec<String>,
        /// The file that the lines were imported from, if they were recorded elsewhere.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        imported_from: Option<String>,
    },
    /// The run ended.
    End(Outcome),
    /// Records are missing here: they could not be written.
    Lost {
        /// The number of missing records.
        records: u64,
        /// The number of bytes in their lines.
        bytes: u64,
    },
    /// An event of a later version.
    #[serde(other)]
    Other,
}

/// How a run ended.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Outcome {
    /// The exit code.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub code: Option<i32>,
    /// The signal that ended it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub signal: Option<i32>,
}

impl Outcome {
    /// It exited by itself.
    pub fn code(code: i32) -> Self {
        Self { code: Some(code), signal: None }
    }

    /// A signal ended it.
    pub fn signal(signal: i32) -> Self {
        Self { code: None, signal: Some(signal) }
    }
}
