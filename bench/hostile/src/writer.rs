//! Writes the lines of hostile sessions.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use anyhow::Result;
use serde_json::{Value, json};

/// The id of the main session.
pub(crate) const SESSION: &str = "00000000-0000-4000-8000-000000000000";

/// The files of a config root: those of one session, and what a shape adds.
#[derive(Debug, Default)]
pub(crate) struct Writer {
    /// The transcript.
    pub(crate) main: Vec<u8>,
    /// Other files, by their path below the root.
    pub(crate) others: Vec<(String, Vec<u8>)>,
    entries: usize,
    last: Option<String>,
}

/// The time of an entry, by its number.
pub(crate) fn time(number: usize) -> String {
    let (seconds, days) = (number / 10 % 86_400, number / 864_000 % 28);
    let (hours, minutes, rest) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    format!("2026-08-{:02}T{hours:02}:{minutes:02}:{rest:02}.{:03}Z", days + 1, number % 10 * 100)
}

impl Writer {
    /// Adds a line.
    pub(crate) fn line(&mut self, line: impl AsRef<[u8]>) {
        self.main.extend_from_slice(line.as_ref());
        self.main.push(b'\n');
    }

    /// Adds a file below the root.
    pub(crate) fn file(&mut self, path: impl Into<String>, bytes: impl Into<Vec<u8>>) {
        self.others.push((path.into(), bytes.into()));
    }

    /// An entry that follows the last one, without adding it.
    pub(crate) fn entry(&mut self, kind: &str, rest: &Value) -> Value {
        let uuid = format!("u{}", self.entries);
        let parent = self.last.replace(uuid.clone());
        let mut entry = entry(kind, &uuid, parent.as_deref(), self.entries);
        self.entries += 1;
        extend(&mut entry, rest);
        entry
    }

    /// Adds an entry that follows the last one.
    pub(crate) fn push(&mut self, kind: &str, rest: &Value) {
        let entry = self.entry(kind, rest);
        self.line(entry.to_string());
    }

    /// Adds a prompt.
    pub(crate) fn prompt(&mut self, text: &str) {
        self.push("user", &json!({"message": {"role": "user", "content": text}}));
    }

    /// Adds a reply.
    pub(crate) fn reply(&mut self, text: &str) {
        self.assistant(&json!([{"type": "text", "text": text}]));
    }

    /// Adds a message of the model.
    pub(crate) fn assistant(&mut self, content: &Value) {
        let message = message(self.entries, content);
        self.push("assistant", &json!({ "message": message }));
    }

    /// Adds a call and its result.
    pub(crate) fn call(&mut self, tool: &str, input: &Value, text: &str, structured: &Value) {
        let id = format!("toolu_{}", self.entries);
        self.assistant(&json!([{"type": "tool_use", "id": id, "name": tool, "input": input}]));
        self.result(&id, text, structured);
    }

    /// Adds a result.
    pub(crate) fn result(&mut self, id: &str, text: &str, structured: &Value) {
        let content = json!([{"type": "tool_result", "tool_use_id": id, "content": text}]);
        let mut rest = json!({"message": {"role": "user", "content": content}});
        if !structured.is_null() {
            extend(&mut rest, &json!({ "toolUseResult": structured }));
        }
        self.push("user", &rest);
    }

    /// Adds an event of a stream.
    pub(crate) fn event(&mut self, event: &Value, parent: Option<&str>) {
        let line = json!({"type": "stream_event", "event": event, "session_id": SESSION, "parent_tool_use_id": parent});
        self.line(line.to_string());
    }

    /// Writes all files below a root.
    pub(crate) fn write(&self, root: &Path) -> Result<()> {
        let main = (format!("projects/-w-shop/{SESSION}.jsonl"), &self.main);
        let others = self.others.iter().map(|(path, bytes)| (path.clone(), bytes));
        for (path, bytes) in others.chain([main]) {
            let path = root.join(path);
            fs::create_dir_all(path.parent().unwrap_or(root))?;
            fs::write(path, bytes)?;
        }
        Ok(())
    }
}

/// An entry with an id of its own.
pub(crate) fn entry(kind: &str, uuid: &str, parent: Option<&str>, number: usize) -> Value {
    json!({
        "type": kind, "uuid": uuid, "parentUuid": parent, "timestamp": time(number), "sessionId": SESSION,
        "isSidechain": false, "userType": "external", "cwd": "/w/shop", "version": "2.1.200", "gitBranch": "main",
    })
}

/// A message of the model.
pub(crate) fn message(number: usize, content: &Value) -> Value {
    json!({
        "id": format!("msg_{number}"), "type": "message", "role": "assistant", "model": "claude-opus-5",
        "content": content, "stop_reason": null,
        "usage": {"input_tokens": 3, "output_tokens": 20, "cache_read_input_tokens": 900},
    })
}

/// Adds the fields of one object to another.
pub(crate) fn extend(entry: &mut Value, rest: &Value) {
    if let (Some(entry), Some(rest)) = (entry.as_object_mut(), rest.as_object()) {
        entry.extend(rest.iter().map(|(key, value)| (key.clone(), value.clone())));
    }
}

/// Pieces by number, one after another.
pub(crate) fn pieces(n: usize, mut piece: impl FnMut(usize) -> String) -> String {
    (0..n).fold(String::new(), |mut all, number| {
        // Writing to a string cannot fail.
        let _ = write!(all, "{}", piece(number));
        all
    })
}
