//! The JSON that Claude Code passes about the session (docs/format I.3).

use std::path::Path;

use jiff::Timestamp;
use serde_json::Value;

use crate::terminal::clean;

/// JSON in which any part may be missing or have another type.
#[derive(Debug)]
pub(super) struct Input(Value);

/// Maximum length of a name; longer ones are cut.
const LONGEST_NAME: usize = 60;

impl Input {
    pub(super) fn read(bytes: &[u8]) -> serde_json::Result<Self> {
        let bytes = bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(bytes);
        serde_json::from_slice(bytes).map(Self)
    }

    fn text(&self, pointer: &str) -> Option<&str> {
        self.0.pointer(pointer)?.as_str().filter(|text| !text.trim().is_empty())
    }

    /// Returns the first name found at these pointers, safe for the terminal.
    pub(super) fn name(&self, pointers: &[&str]) -> Option<String> {
        pointers.iter().find_map(|pointer| self.text(pointer)).map(shown)
    }

    /// Returns the last component of a path, safe for the terminal.
    pub(super) fn folder(&self, pointers: &[&str]) -> Option<String> {
        let last = |path| Path::new(path).file_name().and_then(|name| name.to_str());
        pointers.iter().find_map(|pointer| last(self.text(pointer)?)).map(shown)
    }

    /// Returns a non-negative number.
    pub(super) fn number(&self, pointer: &str) -> Option<f64> {
        self.0.pointer(pointer)?.as_f64().filter(|number| *number >= 0.0)
    }

    /// Returns a non-negative whole number.
    pub(super) fn count(&self, pointer: &str) -> Option<u64> {
        self.0.pointer(pointer)?.as_u64()
    }

    /// Returns a moment, given in seconds since 1970 or as a timestamp.
    pub(super) fn moment(&self, pointer: &str) -> Option<Timestamp> {
        let value = self.0.pointer(pointer)?;
        match value.as_str() {
            Some(text) => text.parse().ok(),
            None => value.as_i64().and_then(|seconds| Timestamp::from_second(seconds).ok()),
        }
    }

    /// Returns the main file of the session.
    pub(super) fn transcript(&self) -> Option<&Path> {
        self.text("/transcript_path").map(Path::new)
    }

    /// Returns the id of the session.
    pub(super) fn session(&self) -> Option<&str> {
        self.text("/session_id").or_else(|| self.transcript()?.file_stem()?.to_str())
    }
}

fn shown(name: &str) -> String {
    clean(&human::shortened(name.trim(), LONGEST_NAME)).into_owned()
}
