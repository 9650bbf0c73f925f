//! A line as a record, and back.
//!
//! A message is stored in its record byte for byte, including the white space around it. A line that is not a message
//! is stored as text, and one that is not UTF-8 as base64, so that a record is always one line of JSON.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use jiff::Timestamp;
use ledger::Money;
use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use crate::event::Event;
use crate::name::Name;

/// The stream of a line.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Stream {
    /// Standard input of the program.
    #[serde(rename = "stdin")]
    Input,
    /// Standard output.
    #[default]
    #[serde(rename = "stdout")]
    Output,
    /// Standard error.
    #[serde(rename = "stderr")]
    Errors,
}

impl Stream {
    /// Its name in records.
    pub fn name(self) -> &'static str {
        match self {
            Self::Input => "stdin",
            Self::Output => "stdout",
            Self::Errors => "stderr",
        }
    }
}

/// A record of a conversation.
#[derive(Debug, Clone, PartialEq)]
pub struct Record {
    /// Its own id.
    pub id: String,
    /// Its conversation.
    pub conversation: String,
    /// Its agent.
    pub agent: String,
    /// When the line was complete.
    pub at: Option<Timestamp>,
    /// Its stream; `None` for events.
    pub stream: Option<Stream>,
    /// Its content.
    pub content: Content,
    /// Whether the line ended with a line feed.
    pub newline: bool,
    /// The cost of the turn that ends here, in dollars.
    pub cost_usd: Option<f64>,
    /// The duration of that turn.
    pub duration_ms: Option<u64>,
}

/// The content of a record.
#[derive(Debug, Clone, PartialEq)]
pub enum Content {
    /// A message, unchanged.
    Message(Vec<u8>),
    /// A line that is not a message.
    Text(String),
    /// A line that is not UTF-8.
    Bytes(Vec<u8>),
    /// An event around the lines.
    Event(Event),
}

impl Record {
    /// The recorded line, byte for byte, with its line feed if it had one; empty for an event.
    pub fn line(&self) -> Vec<u8> {
        let mut line = match &self.content {
            Content::Message(bytes) | Content::Bytes(bytes) => bytes.clone(),
            Content::Text(text) => text.as_bytes().to_vec(),
            Content::Event(_) => return Vec::new(),
        };
        if self.newline {
            line.push(b'\n');
        }
        line
    }

    /// Parses a line of the store. A record must name a conversation or contain a message, since stream messages also
    /// have fields called `event` and `text`.
    pub fn read(line: &[u8]) -> Result<Self, String> {
        let text = std::str::from_utf8(line).map_err(|error| error.to_string())?;
        let written: Written<'_> = serde_json::from_str(text).map_err(|error| error.to_string())?;
        if written.conversation_id.is_none() && written.claude_message.is_none() {
            return Err("it names no conversation".to_owned());
        }
        let content = match (written.claude_message, written.text, written.base64, written.event) {
            (Some(message), ..) => Content::Message(with_space(text, message.get()).as_bytes().to_vec()),
            (_, Some(text), ..) => Content::Text(text),
            (_, _, Some(bytes), _) => Content::Bytes(BASE64.decode(bytes).map_err(|error| error.to_string())?),
            (_, _, _, Some(event)) => Content::Event(event),
            _ => return Err("it contains no message, text, bytes or event".to_owned()),
        };
        let is_event = matches!(content, Content::Event(_));
        Ok(Self {
            id: written.id,
            conversation: written.conversation_id.unwrap_or_default(),
            agent: written.agent_id,
            at: written.timestamp.and_then(|time| time.parse().ok()),
            // Stores that do not separate streams contain the output of a program.
            stream: written.stream.or((!is_event).then_some(Stream::Output)),
            content,
            newline: written.newline,
            cost_usd: written.cost_usd,
            duration_ms: written.duration_ms,
        })
    }
}

/// A record as it is written.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Written<'a> {
    #[serde(default)]
    id: String,
    conversation_id: Option<String>,
    #[serde(default)]
    agent_id: String,
    timestamp: Option<String>,
    stream: Option<Stream>,
    #[serde(default = "yes")]
    newline: bool,
    #[serde(rename = "costUSD")]
    cost_usd: Option<f64>,
    duration_ms: Option<u64>,
    #[serde(borrow)]
    claude_message: Option<&'a RawValue>,
    text: Option<String>,
    base64: Option<String>,
    event: Option<Event>,
}

fn yes() -> bool {
    true
}

/// A message with the white space around it, which belongs to it if the message is the last field of its record.
fn with_space<'a>(record: &'a str, message: &'a str) -> &'a str {
    let start = message.as_ptr().addr() - record.as_ptr().addr();
    let end = start + message.len();
    let before = record.get(..start).unwrap_or_default();
    let start = start - (before.len() - before.trim_end().len());
    let after = record.get(end..).unwrap_or_default();
    let space = match after.trim_end().strip_suffix('}') {
        Some(space) if space.trim().is_empty() => space.len(),
        _ => return message,
    };
    record.get(start..end + space).unwrap_or(message)
}

/// The fields around a line.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Around<'a> {
    pub(crate) id: &'a str,
    pub(crate) conversation: &'a Name,
    pub(crate) agent: &'a Name,
    pub(crate) at: Timestamp,
}

impl Around<'_> {
    fn begin(&self, out: &mut Vec<u8>) {
        // None of these can contain characters that JSON escapes.
        let Self { id, conversation, agent, at } = self;
        let text =
            format!(r#"{{"id":"{id}","conversationId":"{conversation}","agentId":"{agent}","timestamp":"{at:.6}""#);
        out.extend_from_slice(text.as_bytes());
    }

    /// Appends the record of an event.
    pub(crate) fn event(&self, event: &Event, out: &mut Vec<u8>) {
        self.begin(out);
        out.extend_from_slice(b",\"event\":");
        append_json(event, out);
        out.extend_from_slice(b"}\n");
    }

    /// Appends the record of a line. `read` receives a message and returns the cost and duration of its turn.
    pub(crate) fn line(
        &self,
        stream: Stream,
        line: &[u8],
        read: impl FnOnce(&[u8]) -> (Option<Money>, Option<u64>),
        out: &mut Vec<u8>,
    ) {
        let (said, newline) = line.strip_suffix(b"\n").map_or((line, false), |line| (line, true));
        self.begin(out);
        out.extend_from_slice(b",\"stream\":\"");
        out.extend_from_slice(stream.name().as_bytes());
        out.push(b'"');
        if !newline {
            out.extend_from_slice(b",\"newline\":false");
        }
        match std::str::from_utf8(said) {
            // Standard error never contains messages, whatever they look like.
            Ok(_) if stream != Stream::Errors && is_message(said) => {
                let (cost, duration) = read(said);
                if let Some(cost) = cost {
                    out.extend_from_slice(b",\"costUSD\":");
                    append_json(&cost.dollars(), out);
                }
                if let Some(duration) = duration {
                    out.extend_from_slice(format!(",\"durationMs\":{duration}").as_bytes());
                }
                out.extend_from_slice(b",\"claudeMessage\":");
                out.extend_from_slice(said);
            }
            Ok(text) => {
                out.extend_from_slice(b",\"text\":");
                append_json(text, out);
            }
            Err(_) => {
                out.extend_from_slice(b",\"base64\":\"");
                out.extend_from_slice(BASE64.encode(said).as_bytes());
                out.push(b'"');
            }
        }
        out.extend_from_slice(b"}\n");
    }
}

/// Strings, numbers and events always serialize.
fn append_json(value: &(impl Serialize + ?Sized), out: &mut Vec<u8>) {
    if serde_json::to_writer(&mut *out, value).is_err() {
        out.extend_from_slice(b"null");
    }
}

/// Whether a line is an object, or a list of objects, that can be stored unchanged.
fn is_message(line: &[u8]) -> bool {
    matches!(line.trim_ascii_start().first(), Some(b'{' | b'['))
        // A form feed is white space in Rust, but not in JSON.
        && serde_json::from_slice::<IgnoredAny>(line).is_ok()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn record(line: &[u8]) -> Vec<u8> {
        let (conversation, agent) = (Name::new("c").unwrap(), Name::new("a").unwrap());
        let at = "2026-08-08T09:15:00.123456789Z".parse().unwrap();
        let around = Around { id: "i", conversation: &conversation, agent: &agent, at };
        let mut out = Vec::new();
        around.line(Stream::Output, line, |_| (Some(Money::from_dollars(0.1)), Some(7)), &mut out);
        out
    }

    #[test]
    fn a_message_is_stored_unchanged() {
        let text = String::from_utf8(record(b" {\"type\": \"result\", \"x\": 1.10}\t\r\n")).unwrap();
        assert_eq!(
            text,
            "{\"id\":\"i\",\"conversationId\":\"c\",\"agentId\":\"a\",\
             \"timestamp\":\"2026-08-08T09:15:00.123456Z\",\"stream\":\"stdout\",\"costUSD\":0.1,\
             \"durationMs\":7,\"claudeMessage\": {\"type\": \"result\", \"x\": 1.10}\t\r}\n"
        );
    }

    #[test]
    fn lines_of_any_content_round_trip() {
        let deep = format!("{}{}\n", "[".repeat(5000), "]".repeat(5000));
        let lines: [&[u8]; 16] = [
            b"",
            b"\n",
            b"\r\n",
            b"{}",
            b"{}\n",
            b"  { \"a\" : [1, 2.50e3] }  \r\n",
            b"[{\"type\":\"result\"}]\n",
            b"{\"a\":\"\\ud800\"}\n",
            b"{\"a\":1,\"a\":2}\n",
            b"{\"a\":1}{\"b\":2}\n",
            b"\x0c{}\n",
            b"\xef\xbb\xbf{}\n",
            b"{\"a\":\"\xff\"}\n",
            b"not JSON \"at\" all \x1b[31m\x00\xe2\x80\xa8\n",
            b"42\n",
            deep.as_bytes(),
        ];
        for line in lines {
            let written = record(line);
            assert_eq!(memchr::memchr_iter(b'\n', &written).collect::<Vec<_>>(), [written.len() - 1]);
            let read = Record::read(&written).unwrap();
            assert_eq!(read.line(), line, "{}", String::from_utf8_lossy(line));
            assert!(serde_json::from_slice::<IgnoredAny>(&written).is_ok());
        }
    }

    proptest! {
        #[test]
        fn any_line_round_trips(mut line: Vec<u8>, ends: bool) {
            line.retain(|byte| *byte != b'\n');
            if ends {
                line.push(b'\n');
            }
            prop_assert_eq!(Record::read(&record(&line)).unwrap().line(), line);
        }
    }

    #[test]
    fn records_of_other_programs_are_read() {
        let line = br#"{"claudeMessage":{"type":"user"},"id":"1","conversationId":"c","agentId":"a","new":1}"#;
        let read = Record::read(line).unwrap();
        assert_eq!((read.line(), read.stream), (b"{\"type\":\"user\"}\n".to_vec(), Some(Stream::Output)));
        let line = br#"{"id":"1","conversationId":"c","agentId":"a","text":"hello"}"#;
        assert_eq!(Record::read(line).unwrap().line(), b"hello\n");
        let line = br#"{"id":"1","conversationId":"c","agentId":"a","event":{"type":"paused"}}"#;
        assert_eq!(Record::read(line).unwrap().content, Content::Event(Event::Other));
        assert!(Record::read(br#"{"id":"1"}"#).is_err());
    }

    #[test]
    fn stream_messages_are_not_records() {
        let lines = [
            r#"{"type":"stream_event","event":{"type":"content_block_delta","index":0},"session_id":"s"}"#,
            r#"{"type":"stream_event","event":{"type":"start","version":1}}"#,
            r#"{"type":"system","subtype":"status","text":"thinking"}"#,
            r#"{"type":"attachment","base64":"AAAA"}"#,
        ];
        for line in lines {
            assert!(Record::read(line.as_bytes()).is_err(), "{line}");
        }
    }
}
