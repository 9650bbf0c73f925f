//! The true usage of a root's messages, recorded as they are generated, for tests to compare with what a reader counts.

use std::io;

use super::author::Author;
use crate::json::Json;
use crate::object;

/// The name of the file in the root: a JSON object per line. It does not look like a transcript.
pub const FILE: &str = "usage.truth";

/// The name of the file with the words of the user: what was typed, spoken, answered, or said with a rejection. An
/// object per line: `session` and `words`.
pub const WORDS: &str = "words.truth";

/// The name of the file with the changed files of the sessions: `session`, `path`, the `first` bytes (null if the
/// session created it), the `last`, and whether that is `certain`: the session neither went back nor began as a copy.
pub const FILES: &str = "files.truth";

/// The usage of an API message.
pub(super) struct Spent<'a> {
    pub(super) message: &'a str,
    pub(super) model: &'static str,
    pub(super) input: i64,
    /// The largest output in the lines.
    pub(super) output_said: i64,
    /// The true output, which some versions never wrote.
    pub(super) output: i64,
    pub(super) cache_write: i64,
    pub(super) cache_write_1h: i64,
    pub(super) cache_read: i64,
    pub(super) extras: Extras,
    /// The cost stated in the lines, in millionths of a dollar.
    pub(super) stated: u32,
    /// The time of its first line.
    pub(super) at: i64,
}

/// What raises the cost of a message beyond its tokens.
#[derive(Clone, Copy, Default)]
pub(super) struct Extras {
    pub(super) fast: bool,
    pub(super) us_only: bool,
    pub(super) searches: i64,
}

impl Extras {
    /// Adds them to a `usage` object that has fields for them.
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
    /// Records the usage of a message, if requested.
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
