//! What the messages of a root used, noted as they are made: for tests to compare with what a reader counts.

use std::io;

use super::author::Author;
use crate::json::Json;
use crate::object;

/// The name of the file in the root: a JSON object per line. Not one that looks like a transcript.
pub const FILE: &str = "usage.truth";

/// What an API message used.
pub(super) struct Spent<'a> {
    pub(super) message: &'a str,
    pub(super) model: &'static str,
    pub(super) input: i64,
    /// At most so much is in the lines.
    pub(super) output_said: i64,
    /// Some versions never wrote it down.
    pub(super) output: i64,
    pub(super) cache_write: i64,
    pub(super) cache_write_1h: i64,
    pub(super) cache_read: i64,
    pub(super) extras: Extras,
    /// What the lines say that it cost, in millionths of a dollar.
    pub(super) stated: u32,
    /// When its first line was written.
    pub(super) at: i64,
}

/// What makes a message dearer than its tokens.
#[derive(Clone, Copy, Default)]
pub(super) struct Extras {
    pub(super) fast: bool,
    pub(super) us_only: bool,
    pub(super) searches: i64,
}

impl Extras {
    /// Puts them into a `usage` object that has a place for them.
    pub(super) fn apply(self, usage: Json) -> Json {
        let usage = if self.fast { usage.with("speed", "fast") } else { usage };
        let usage = if self.us_only { usage.with("inference_geo", "us") } else { usage };
        match self.searches {
            0 => usage,
            searches => {
                let requests = object! { "web_search_requests" => searches, "web_fetch_requests" => 0 };
                usage.with("server_tool_use", requests)
            }
        }
    }
}

impl Author<'_> {
    /// Notes what a message used, if somebody wants to know.
    pub(super) fn note_truth(&mut self, spent: &Spent<'_>) -> io::Result<()> {
        let Some(truth) = &mut self.studio.truth else { return Ok(()) };
        let line = object! {
            "message" => spent.message, "session" => self.session.id(), "agent" => self.depth > 0,
            "model" => spent.model, "at" => spent.at, "input" => spent.input, "output" => spent.output_said,
            "output_really" => spent.output, "cache_write" => spent.cache_write,
            "cache_write_1h" => spent.cache_write_1h, "cache_read" => spent.cache_read,
            "fast" => spent.extras.fast, "us_only" => spent.extras.us_only, "searches" => spent.extras.searches,
            "stated_micros" => i64::from(spent.stated),
        };
        truth.write_json(&line).map(drop)
    }
}
