//! What happened around the lines of a conversation.

use serde::{Deserialize, Serialize};

/// Something that happened around the lines.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "camelCase")]
pub enum Event {
    /// A run of a program begins: everything until its end is of this process.
    #[serde(rename_all = "camelCase")]
    Start {
        /// The version of the store's format.
        version: u64,
        /// The program and its arguments; empty if what it said came through a pipe.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        command: Vec<String>,
        /// The folder that it ran in.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        cwd: Option<String>,
        /// What the conversation is called.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        title: Option<String>,
        /// Words to find it by.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        tags: Vec<String>,
        /// The file that the lines were taken from, if they were recorded elsewhere.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        imported_from: Option<String>,
    },
    /// The run is over.
    End(Outcome),
    /// Records are missing here: they could not be written.
    Lost {
        /// How many.
        records: u64,
        /// How many bytes their lines had.
        bytes: u64,
    },
    /// Something else, which a later version writes.
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
    /// It ended by itself.
    pub fn code(code: i32) -> Self {
        Self { code: Some(code), signal: None }
    }

    /// It was ended.
    pub fn signal(signal: i32) -> Self {
        Self { code: None, signal: Some(signal) }
    }
}
