//! Reads the bytes of a line into entries.

use std::fmt;

use crate::entry::bookkeeping::AgentMeta;
use crate::entry::capture::{Captured, may_be_record};
use crate::entry::{Body, Entry, Envelope};
use crate::header::{Header, UsageHeader};
use crate::json::{self, Broken, Cursor, Notes, Raw, Reason, Record, Repairs, Scratch, Text};
use crate::tool::Calls;

/// The content of a line.
#[derive(Debug, Clone, Default)]
pub struct Reading<'a> {
    /// The entries: usually one; none if the line is blank or damaged; several if it contains several objects or a list
    /// of them.
    pub entries: Vec<Entry<'a>>,
    /// How the entries are wrapped.
    pub wrapping: Wrapping,
    /// The repairs that were made before reading.
    pub repairs: Repairs,
    /// Why the line, or a part of it, could not be read.
    pub malformed: Option<Malformed>,
    /// The text that was read: that of the line, or a repaired copy.
    pub(crate) text: &'a str,
    /// The part of the text that each entry is, if the entry is not all of it.
    pub(crate) pieces: Vec<&'a str>,
}

/// Readings are equal if they say the same, however it was written.
impl PartialEq for Reading<'_> {
    fn eq(&self, other: &Self) -> bool {
        let Self { entries, wrapping, repairs, malformed, text: _, pieces: _ } = self;
        (entries, wrapping, repairs, malformed) == (&other.entries, &other.wrapping, &other.repairs, &other.malformed)
    }
}

impl Reading<'_> {
    /// Whether the line contains only white space.
    pub fn is_blank(&self) -> bool {
        self.entries.is_empty() && self.malformed.is_none() && self.wrapping == Wrapping::Line
    }
}

/// How entries are packed into a line.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Wrapping {
    /// One object: the normal case.
    #[default]
    Line,
    /// Several objects on one line.
    Several,
    /// A JSON array of messages, as the GitHub Action writes it.
    Array,
    /// `{"loglines":[…]}`, as the web service returns it.
    Loglines,
    /// A record of a capture, with the message inside it.
    Captured,
}

/// Why something could not be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Malformed {
    /// A short description of the error.
    pub reason: String,
    /// The offset in the line where reading failed.
    pub at: usize,
    /// Whether the line only ends too early, like a line that is still being written.
    pub cut_off: bool,
}

impl fmt::Display for Malformed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} (byte {})", self.reason, self.at + 1)
    }
}

/// Reads one line.
///
/// Never fails: [`Reading::malformed`] reports what cannot be read, and the bytes remain available.
///
/// ```
/// use format::{Body, Scratch};
///
/// let scratch = Scratch::default();
/// let reading = format::read(br#"{"type":"custom-title","customTitle":"uploader"}"#, &scratch);
/// let Body::CustomTitle(title) = &reading.entries[0].body else { panic!() };
/// assert_eq!(title.custom_title.unwrap(), "uploader");
/// ```
pub fn read<'a>(line: &'a [u8], scratch: &'a Scratch) -> Reading<'a> {
    read_carefully(line, scratch, Scope::default())
}

/// Options for reading a line.
#[derive(Debug, Clone, Copy)]
pub struct Scope<'a> {
    /// The open calls of the session, if known: their results are typed in the same pass.
    ///
    /// Reading a line neither adds its calls nor removes the calls that it answers. The caller does both, because it
    /// sees the whole session.
    pub calls: Option<&'a Calls>,
    /// How much of it is read.
    pub reach: Reach,
}

/// How much of a line is read. Fields that are left out are not checked for well-formedness.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Reach {
    /// What a story is built from.
    Story,
    /// That and the usage of messages.
    Usage,
    /// Everything, including the content of files before a change, which is often most of the line.
    Everything,
}

impl Default for Scope<'_> {
    fn default() -> Self {
        Self { calls: None, reach: Reach::Everything }
    }
}

impl From<Reach> for Scope<'_> {
    fn from(reach: Reach) -> Self {
        Self { calls: None, reach }
    }
}

impl<'a> From<&'a Calls> for Scope<'a> {
    fn from(calls: &'a Calls) -> Self {
        Self { calls: Some(calls), ..Self::default() }
    }
}

/// Reads one line with the given options.
pub fn read_with<'a>(line: &'a [u8], scratch: &'a Scratch, scope: impl Into<Scope<'a>>) -> Reading<'a> {
    read_carefully(line, scratch, scope.into())
}

/// Reads a line and, if that fails, reads a repaired copy.
fn read_carefully<'a>(line: &'a [u8], scratch: &'a Scratch, scope: Scope<'a>) -> Reading<'a> {
    let first = match simdutf8::basic::from_utf8(line) {
        Ok(text) => read_text(text, scratch, scope),
        Err(_) => Reading::failed(not_utf8(line)),
    };
    if first.malformed.is_none() {
        return first;
    }
    let Some((text, repairs)) = json::repair(line) else { return first };
    let mut second = Reading { repairs, ..read_text(scratch.keep(&text), scratch, scope) };
    if second.malformed.is_some() && second.entries.len() <= first.entries.len() {
        return first;
    }
    if let Some(malformed) = &mut second.malformed {
        // The offset counts bytes of the repaired text, which may be longer than the line.
        malformed.at = malformed.at.min(line.len());
    }
    second
}

impl<'a> Reading<'a> {
    /// The JSON of an entry that is only a part of its line.
    pub fn piece(&self, entry: usize) -> Option<&'a str> {
        self.pieces.get(entry).copied()
    }

    fn failed(malformed: Malformed) -> Self {
        Self { malformed: Some(malformed), ..Self::default() }
    }

    /// Adds an entry that is a part of the text.
    fn add(&mut self, piece: &'a str, scratch: &'a Scratch, scope: Scope<'a>) {
        self.entries.push(Entry::of_value(piece, scratch, scope));
        self.pieces.push(piece);
    }
}

/// Reads the header of a line that is a single object; for a record of a capture, the header of the message inside it.
///
/// `None` for everything else: blank and damaged lines, several objects, wrapped lists, records without a message.
/// [`read`] distinguishes these.
pub fn read_header<'a>(line: &'a [u8], scratch: &'a Scratch) -> Option<Header<'a>> {
    let text = plain_text(line)?;
    // Filled in place: the header is large, and moving it would cost as much as reading some of its fields.
    let mut header = Header::default();
    let Some(record) = captured(text, scratch) else {
        let is_one = fill_header(&mut header, text, scratch) && is_entry(text, header.kind, scratch);
        return is_one.then_some(header);
    };
    if !fill_header(&mut header, record.message?.as_json(), scratch) {
        return None;
    }
    header.timestamp = header.timestamp.or(record.timestamp);
    Some(header)
}

/// Reads the usage of a line under the same conditions; `None` also if the line may be a record of a capture, or if its
/// message must be joined from its characters first.
pub fn read_usage_header<'a>(line: &'a [u8], scratch: &'a Scratch) -> Option<UsageHeader<'a>> {
    let text = plain_text(line).filter(|text| !may_be_record(text.as_bytes()))?;
    let mut header = UsageHeader::default();
    let is_one = fill_header(&mut header, text, scratch) && is_entry(text, header.kind, scratch);
    let is_spread = header.message.as_ref().is_some_and(|message| message.first_character.is_some());
    (is_one && !is_spread).then_some(header)
}

/// The text of a line that needs no repair.
pub(crate) fn plain_text(line: &[u8]) -> Option<&str> {
    simdutf8::basic::from_utf8(line).ok().map(without_mark)
}

/// Removes the byte order mark at the start of a text.
fn without_mark(text: &str) -> &str {
    text.strip_prefix('\u{feff}').unwrap_or(text)
}

fn fill_header<'a, H: Record<'a>>(header: &mut H, text: &'a str, scratch: &'a Scratch) -> bool {
    let mut cursor = Cursor::new(text);
    json::fill(header, &mut cursor, &mut Notes::new(scratch)).is_ok() && cursor.peek().is_none()
}

/// Whether an object with this type is an entry itself. An object without a type may wrap a list of entries, which only
/// a full read reveals; such lines are rare.
fn is_entry<'a>(text: &'a str, kind: Option<Text<'a>>, scratch: &'a Scratch) -> bool {
    kind.is_some_and(|kind| !kind.is_empty())
        || read_object(Cursor::new(text), scratch, Scope::default())
            .is_some_and(|reading| reading.wrapping == Wrapping::Line)
}

/// Reads the `.meta.json` beside a subagent's file. `None` if it is not an object.
pub fn read_agent_meta<'a>(json: &'a [u8], scratch: &'a Scratch) -> Option<AgentMeta<'a>> {
    json::read_value(plain_text(json)?, &mut Notes::new(scratch))
}

fn not_utf8(line: &[u8]) -> Malformed {
    let at = std::str::from_utf8(line).map_or_else(|error| error.valid_up_to(), str::len);
    Malformed { reason: "the bytes are not UTF-8".to_owned(), at, cut_off: false }
}

fn read_text<'a>(whole: &'a str, scratch: &'a Scratch, scope: Scope<'a>) -> Reading<'a> {
    let text = without_mark(whole);
    let mut cursor = Cursor::new(text);
    let reading = match cursor.peek() {
        Some(b'{') => captured(text, scratch)
            .map(|record| read_captured(&record, scratch, scope))
            .or_else(|| read_object(cursor, scratch, scope))
            .unwrap_or_else(|| read_pieces(text, scratch, scope)),
        Some(_) => read_pieces(text, scratch, scope),
        None => Reading::default(),
    };
    Reading { text: whole, ..reading }
}

/// The common case: the text is one object. `None` if it is not.
fn read_object<'a>(mut cursor: Cursor<'a>, scratch: &'a Scratch, scope: Scope<'a>) -> Option<Reading<'a>> {
    let entry = Entry::read(&mut cursor, scratch, scope).ok()?;
    if cursor.peek().is_some() {
        return None;
    }
    Some(match loglines(&entry, scratch) {
        Some(items) => {
            let mut reading = Reading { wrapping: Wrapping::Loglines, ..Reading::default() };
            for item in items {
                reading.add(item.as_json(), scratch, scope);
            }
            reading
        }
        None => Reading { entries: vec![entry], ..Reading::default() },
    })
}

/// Reads a text as a record of a capture; `None` if it is not one.
fn captured<'a>(text: &'a str, scratch: &'a Scratch) -> Option<Captured<'a>> {
    if !may_be_record(text.as_bytes()) {
        return None;
    }
    let (mut record, mut cursor) = (Captured::default(), Cursor::new(text));
    let is_whole = json::fill(&mut record, &mut cursor, &mut Notes::new(scratch)).is_ok() && cursor.peek().is_none();
    let says = record.event.is_some() || record.text.is_some() || record.base64.is_some();
    let is_one = record.message.is_some() || record.conversation_id.is_some() && says;
    (is_whole && is_one).then_some(record)
}

/// Reads the message of a record, with the time of the record if the message has none. Without a message, the record
/// itself is the entry.
fn read_captured<'a>(record: &Captured<'a>, scratch: &'a Scratch, scope: Scope<'a>) -> Reading<'a> {
    let Some(message) = record.message else {
        let envelope = Envelope { timestamp: record.timestamp, ..Envelope::default() };
        let body = Body::Captured(Box::new(record.clone()));
        let entry = Entry { envelope, body, notes: Vec::new(), foreign: None };
        return Reading { entries: vec![entry], ..Reading::default() };
    };
    let mut reading = Reading { wrapping: Wrapping::Captured, ..Reading::default() };
    match message.as_json().as_bytes().first() {
        Some(b'[') => {
            let items: Vec<Raw<'a>> = json::read_value(message.as_json(), &mut Notes::new(scratch)).unwrap_or_default();
            for item in items {
                reading.add(item.as_json(), scratch, scope);
            }
        }
        _ => reading.add(message.as_json(), scratch, scope),
    }
    for entry in &mut reading.entries {
        entry.envelope.timestamp = entry.envelope.timestamp.or(record.timestamp);
    }
    reading
}

/// The list in `{"loglines":[…]}`.
fn loglines<'a>(entry: &Entry<'a>, scratch: &'a Scratch) -> Option<Vec<Raw<'a>>> {
    match &entry.body {
        Body::Unknown(unknown) if unknown.kind.is_empty() => {
            unknown.fields.get("loglines")?.read_as(&mut Notes::new(scratch))
        }
        _ => None,
    }
}

/// Reads everything else: several values, a list of values, or damage.
fn read_pieces<'a>(text: &'a str, scratch: &'a Scratch, scope: Scope<'a>) -> Reading<'a> {
    let mut pieces = json::split_values(text);
    let mut reading = Reading::default();
    if let Some((start, Broken { at, reason })) = pieces.broken {
        let rest = text.get(start..).unwrap_or_default();
        if !pieces.values.is_empty() && rest.trim_ascii() == "," {
            // One line of a list whose beginning or end is missing.
            reading.wrapping = Wrapping::Array;
        } else {
            let cut_off = reason == Reason::CutOff;
            reading.malformed = Some(Malformed { reason: reason.to_string(), at, cut_off });
            pieces.values.extend(glued_on(rest));
        }
    }
    if pieces.values.len() + usize::from(reading.malformed.is_some()) > 1 {
        reading.wrapping = Wrapping::Several;
    }
    for value in pieces.values {
        match value.as_bytes().first() {
            Some(b'[') => {
                let items: Vec<Raw<'a>> = json::read_value(value, &mut Notes::new(scratch)).unwrap_or_default();
                reading.wrapping = Wrapping::Array;
                for item in items {
                    reading.add(item.as_json(), scratch, scope);
                }
            }
            Some(b'{') => reading.add(value, scratch, scope),
            _ => {
                let reason = "not an object".to_owned();
                reading.malformed.get_or_insert(Malformed { reason, at: 0, cut_off: false });
            }
        }
    }
    reading
}

/// The object at the end of a text whose beginning is damaged.
///
/// Two processes that append to one file can cut each other's lines. Quotes inside strings are escaped, so these
/// openers occur only where an entry begins, or a block of an entry, which does not reach the end of the text.
fn glued_on(text: &str) -> Option<&str> {
    const OPENERS: [&str; 2] = ["{\"type\":\"", "{\"parentUuid\":"];
    const TRIES: usize = 8;
    let mut end = text.len();
    for _ in 0..TRIES {
        let head = text.get(..end)?;
        let at = OPENERS.iter().filter_map(|opener| head.rfind(opener)).max().filter(|&at| at > 0)?;
        let tail = text.get(at..)?;
        let pieces = json::split_values(tail);
        if let ([value], None) = (pieces.values.as_slice(), pieces.broken) {
            return Some(value);
        }
        end = at;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn types(line: &str) -> (Vec<String>, Option<String>) {
        let scratch = Scratch::default();
        let reading = read(line.as_bytes(), &scratch);
        let types = reading.entries.iter().map(|entry| entry.body.kind().to_owned()).collect();
        (types, reading.malformed.map(|malformed| malformed.to_string()))
    }

    #[test]
    fn damage_is_named_and_the_rest_is_read() {
        let cases: [(&str, &[&str], Option<&str>); 13] = [
            ("", &[], None),
            (" \r\n", &[], None),
            (r#"{"type":"mode"}"#, &["mode"], None),
            ("\u{feff}{\"type\":\"mode\"}\r\n", &["mode"], None),
            (r#"{"type":"mode"}{"type":"tag"}"#, &["mode", "tag"], None),
            (r#"{"type":"mode"},"#, &["mode"], None),
            (r#"[{"type":"mode"},{"type":"tag"}]"#, &["mode", "tag"], None),
            (r#"{"loglines":[{"type":"user"}]}"#, &["user"], None),
            (r#"{"type":"mode","mo"#, &[], Some("the line ends in the middle of a value (byte 19)")),
            (r#"{"type":"user","message":{"co{"type":"tag","tag":"x"}"#, &["tag"], Some("")),
            ("nonsense", &[], Some("")),
            ("42", &[], Some("not an object (byte 1)")),
            ("\0\0{\"type\":\"mode\"}", &["mode"], None),
        ];
        for (line, expected, reason) in cases {
            let (types, malformed) = types(line);
            assert_eq!(types, expected, "{line:?}");
            assert_eq!(malformed.is_some(), reason.is_some(), "{line:?}: {malformed:?}");
            if let Some(reason) = reason.filter(|reason| !reason.is_empty()) {
                assert_eq!(malformed.as_deref(), Some(reason), "{line:?}");
            }
        }
    }

    #[test]
    fn records_of_captures_are_read_as_what_is_in_them() {
        const AROUND: &str = r#""id":"1","conversationId":"c","agentId":"a","timestamp":"2026-08-08T09:15:00Z""#;
        let scratch = Scratch::default();
        let line = format!(
            r#"{{{AROUND},"stream":"stdout","claudeMessage":{{"type":"assistant","session_id":"s","message":{{}}}}}}"#
        );
        let reading = read(line.as_bytes(), &scratch);
        let [entry] = reading.entries.as_slice() else { panic!("{reading:?}") };
        assert_eq!((entry.body.kind(), reading.wrapping), ("assistant", Wrapping::Captured));
        assert_eq!(entry.envelope.timestamp.unwrap().milliseconds(), Some(1_786_180_500_000));
        assert!(entry.envelope.agent_id.is_none() && entry.notes.is_empty(), "{entry:?}");
        let header = read_header(line.as_bytes(), &scratch).unwrap();
        assert_eq!(header.stream_session_id.unwrap().as_str(), "s");
        assert_eq!(header.timestamp, entry.envelope.timestamp);
        assert!(read_usage_header(line.as_bytes(), &scratch).is_none());
        // A message keeps its own time.
        let line = format!(r#"{{{AROUND},"claudeMessage":{{"type":"user","timestamp":"2026-08-08T09:14:00Z"}}}}"#);
        let reading = read(line.as_bytes(), &scratch);
        assert_eq!(reading.entries[0].envelope.timestamp.unwrap().milliseconds(), Some(1_786_180_440_000));
        for (rest, kind) in [
            (r#""stream":"stderr","text":"oops""#, "capture"),
            (r#""event":{"type":"end","code":1}"#, "capture"),
            (r#""claudeMessage":[{"type":"result"}]"#, "result"),
            (r#""other":1"#, ""),
        ] {
            assert_eq!(types(&format!("{{{AROUND},{rest}}}")).0, [kind], "{rest}");
        }
        // A record that is still being written.
        let (kinds, malformed) = types(&format!("{{{AROUND},\"claudeMessage\":{{\"ty"));
        assert!(kinds.is_empty() && malformed.is_some());
    }

    #[test]
    fn headers_are_read_of_lines_that_are_one_entry() {
        let deep = |depth: usize| format!("{}{}", "[".repeat(depth), "]".repeat(depth));
        let in_message = |depth| format!(r#"{{"type":"mode","message":{{"content":[{{"x":{}}}]}}}}"#, deep(depth));
        let record = r#""conversationId":"c","claudeMessage":{"type":"user"}"#;
        for (line, kind) in [
            (r#"{"type":"user"}"#.to_owned(), Some("user")),
            // A header looks into the content of a message; the entry skips it.
            (in_message(1021), Some("mode")),
            (in_message(1022), None),
            (r#"{"type":"user","costUSD":-Infinity}"#.to_owned(), Some("user")),
            (r#"{"loglines":[{"type":"user"}]}"#.to_owned(), None),
            (r#"{"loglin\u0065s":[]}"#.to_owned(), None),
            (r#"{"type":"","loglines":[{"type":"user"}]}"#.to_owned(), None),
            (r#"{"loglines":7}"#.to_owned(), Some("")),
            (r#"{"display":"dig","loglines":[]}"#.to_owned(), Some("")),
            (format!("{{{record}}}"), Some("user")),
            (format!("\u{feff}{{{record}}}"), Some("user")),
            (
                r#"{"timestamp":"2026-08-08T09:15:00Z","type":"user","x":{"conversationId":"c"}}"#.to_owned(),
                Some("user"),
            ),
            (r#"{"type":"user"}{"type":"tag"}"#.to_owned(), None),
            (r#"[{"type":"user"}]"#.to_owned(), None),
            (r#"{"type":"user"},"#.to_owned(), None),
            ("\0{\"type\":\"user\"}".to_owned(), None),
        ] {
            let scratch = Scratch::default();
            let shown = line.get(..80).unwrap_or(&line);
            let header = read_header(line.as_bytes(), &scratch);
            assert_eq!(header.map(|header| header.kind.map_or("", Text::as_str)), kind, "{shown}");
            let reading = read(line.as_bytes(), &scratch);
            let is_one = reading.entries.len() == 1
                && matches!(reading.wrapping, Wrapping::Line | Wrapping::Captured)
                && reading.malformed.is_none()
                && !reading.repairs.any();
            assert_eq!(is_one, kind.is_some(), "{shown}");
            let usage = read_usage_header(line.as_bytes(), &scratch);
            assert_eq!(usage.is_some(), kind.is_some() && !line.contains("conversationId"), "{shown}");
        }
    }

    #[test]
    fn nesting_is_bounded() {
        for (depth, too_deep) in [(900, false), (200_000, true)] {
            let line = format!(r#"{{"type":"mode","x":{}{}}}"#, "[".repeat(depth), "]".repeat(depth));
            let (types, malformed) = types(&line);
            assert_eq!((types.is_empty(), malformed.is_some()), (too_deep, too_deep));
        }
    }
}
