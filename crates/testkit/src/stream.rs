//! Writes captured runs: `claude -p --output-format stream-json` and the ways in which other programs wrap the same
//! messages (docs/format H and A.8).

mod messages;
mod partial;
mod turn;

use crate::clock;
use crate::json::Json;
use crate::rng::Rng;
use messages::Speaker;
use std::collections::BTreeMap;
use std::io::{self, Write};
use std::str::FromStr;

/// The wrapping of the messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wrapping {
    /// One message per line, as the CLI prints them.
    Lines,
    /// An indented JSON array, as the GitHub Action saves it.
    Array,
    /// `{"loglines":[…]}` with the conversation only, as the web API returns it.
    LogLines,
    /// Only the last `result`, as `--output-format json` prints it.
    SingleResult,
    /// One message per line with audit fields, as Cowork stores them.
    Audit,
}

impl Wrapping {
    /// All wrappings and their names on the command line.
    pub const ALL: [(&'static str, Wrapping); 5] = [
        ("lines", Wrapping::Lines),
        ("array", Wrapping::Array),
        ("loglines", Wrapping::LogLines),
        ("json", Wrapping::SingleResult),
        ("audit", Wrapping::Audit),
    ];
}

impl FromStr for Wrapping {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        Wrapping::ALL
            .iter()
            .find(|(known, _)| *known == name)
            .map(|(_, wrapping)| *wrapping)
            .ok_or_else(|| format!("unknown wrapping `{name}` (one of lines, array, loglines, json, audit)"))
    }
}

/// The options of a run.
#[derive(Clone, Debug)]
pub struct StreamOptions {
    /// Determines everything that is not an option.
    pub seed: u64,
    /// The approximate size of the messages before wrapping; at least one turn is written.
    pub bytes: u64,
    /// With `stream_event` lines, as `--include-partial-messages` prints them.
    pub partial_messages: bool,
    /// The wrapping of the messages.
    pub wrapping: Wrapping,
}

impl Default for StreamOptions {
    fn default() -> Self {
        Self { seed: 1, bytes: 200_000, partial_messages: false, wrapping: Wrapping::Lines }
    }
}

/// What was written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StreamWritten {
    /// Messages in the output.
    pub messages: u64,
    /// Bytes of the output.
    pub bytes: u64,
    /// Messages by `type`, `system` ones as `system/init`.
    pub kinds: BTreeMap<String, u64>,
    /// `tool_use` blocks of complete messages.
    pub tool_calls: u64,
    /// Turns, each with one `result`.
    pub turns: u64,
}

impl StreamWritten {
    /// The messages of this kind: `assistant`, `system/init`, ….
    pub fn kind_of(&self, kind: &str) -> u64 {
        self.kinds.get(kind).copied().unwrap_or(0)
    }
}

/// Writes a run.
pub fn write_stream(out: &mut impl Write, options: &StreamOptions) -> io::Result<StreamWritten> {
    let mut tape = Tape {
        out,
        wrapping: options.wrapping,
        made: 0,
        written: StreamWritten::default(),
        last_result: None,
        buffer: Vec::new(),
        now: clock::midnight(2026, 8, 8) + 33_322_118,
        rng: Rng::new(options.seed).fork(9),
    };
    let mut speaker = Speaker::new(options);
    speaker.before_the_first_turn(&mut tape)?;
    while tape.written.turns == 0 || tape.made < options.bytes {
        speaker.turn(&mut tape, options.bytes)?;
        tape.written.turns += 1;
    }
    tape.finish()
}

/// The output with its wrapping.
struct Tape<'a, W: Write> {
    out: &'a mut W,
    wrapping: Wrapping,
    /// Bytes of the messages, wrapped or not.
    made: u64,
    written: StreamWritten,
    last_result: Option<Json>,
    buffer: Vec<u8>,
    now: i64,
    rng: Rng,
}

impl<W: Write> Tape<'_, W> {
    /// The current time, a little later each time.
    fn time(&mut self) -> String {
        self.now += self.rng.integer(40, 3000);
        clock::iso(self.now)
    }

    /// Writes one message.
    fn say(&mut self, message: Json) -> io::Result<()> {
        self.buffer.clear();
        message.write(&mut self.buffer);
        self.made += self.buffer.len() as u64 + 1;
        match self.wrapping {
            Wrapping::Lines => {
                self.note(&message);
                self.buffer.push(b'\n');
            }
            Wrapping::Audit => {
                let stamp = self.time();
                let hmac = self.rng.hex(64);
                let message = message.with("_audit_timestamp", stamp).with("_audit_hmac", hmac);
                self.note(&message);
                self.buffer.clear();
                message.write(&mut self.buffer);
                self.buffer.push(b'\n');
            }
            Wrapping::Array => {
                self.buffer.clear();
                self.buffer.extend_from_slice(if self.written.messages == 0 { b"[\n  " } else { b",\n  " });
                message.write_indented(&mut self.buffer, 1);
                self.note(&message);
            }
            Wrapping::LogLines => {
                let Some(line) = self.logline(&message) else { return Ok(()) };
                self.buffer.clear();
                self.buffer.extend_from_slice(if self.written.messages == 0 {
                    b"{\"loglines\":[".as_slice()
                } else {
                    b","
                });
                line.write(&mut self.buffer);
                self.note(&message);
            }
            Wrapping::SingleResult => {
                if kind(&message) == "result" {
                    self.last_result = Some(message);
                }
                return Ok(());
            }
        }
        self.put()
    }

    /// The form in which the web API returns prompts, answers and results.
    fn logline(&mut self, message: &Json) -> Option<Json> {
        let kind = kind(message);
        let inner = message.get("message")?.clone();
        let line = crate::object! { "type" => kind, "timestamp" => self.time(), "message" => inner };
        (kind == "user" || kind == "assistant").then_some(line)
    }

    fn put(&mut self) -> io::Result<()> {
        self.written.bytes += self.buffer.len() as u64;
        self.out.write_all(&self.buffer)
    }

    fn note(&mut self, message: &Json) {
        let kind = match (kind(message), message.get("subtype").and_then(Json::as_str)) {
            ("system", Some(subtype)) => format!("system/{subtype}"),
            (kind, _) => kind.to_owned(),
        };
        *self.written.kinds.entry(kind).or_insert(0) += 1;
        self.written.messages += 1;
        if let Some(Json::Array(blocks)) = message.get("message").and_then(|message| message.get("content")) {
            let calls = blocks.iter().filter(|block| self::kind(block) == "tool_use").count();
            self.written.tool_calls += calls as u64;
        }
    }

    fn finish(mut self) -> io::Result<StreamWritten> {
        self.buffer.clear();
        match self.wrapping {
            Wrapping::Lines | Wrapping::Audit => {}
            Wrapping::Array => self.buffer.extend_from_slice(b"\n]"),
            Wrapping::LogLines => self.buffer.extend_from_slice(b"],\"title\":\"Add retries\"}"),
            Wrapping::SingleResult => {
                if let Some(result) = self.last_result.take() {
                    self.note(&result);
                    result.write(&mut self.buffer);
                    self.buffer.push(b'\n');
                }
            }
        }
        self.put()?;
        self.out.flush()?;
        Ok(self.written)
    }
}

fn kind(message: &Json) -> &str {
    message.get("type").and_then(Json::as_str).unwrap_or_default()
}

#[cfg(test)]
mod tests;
