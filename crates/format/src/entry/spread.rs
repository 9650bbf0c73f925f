//! Joins messages that were spread into characters (docs/format B.10).
//!
//! The program spread a text where it expected an object: `{"0":"e","1":"v",…,"content":[]}`. The text is the answer of
//! the API, as it was sent: a stream of events, or the message as one object.

use std::collections::BTreeMap;

use super::Body;
use super::stream::{Delta, StreamEvent};
use crate::block::{Block, CompactionBlock, Content, TextBlock, Thinking, ToolUse};
use crate::json::{Asked, Cursor, Note, Notes, Raw, Record, Scratch, Text, read_value};
use crate::message::{Message, Usage};
use crate::read::Reach;
use crate::tool::ToolInput;

/// Joins the message of an entry, if its characters are among the unknown fields. Their notes are removed.
pub(super) fn join<'a>(body: &mut Body<'a>, notes: &mut Notes<'a>) {
    let message = match body {
        Body::User(user) => &mut user.message,
        Body::Assistant(assistant) => &mut assistant.message,
        _ => return,
    };
    if !notes.list.iter().any(|note| matches!(note, Note::UnknownField { field, .. } if field == "0")) {
        return;
    }
    let mut characters: Vec<(usize, Raw<'a>)> = Vec::new();
    notes.list.retain(|note| {
        let character = character(note);
        characters.extend(character);
        character.is_none()
    });
    characters.sort_by_key(|(at, _)| *at);
    let Some(text) = joined(&characters, notes) else { return };
    let said = read(text, notes);
    match message {
        Some(message) => {
            let role = message.role;
            **message = said;
            message.role = message.role.or(role);
        }
        None => *message = Some(Box::new(said)),
    }
}

/// The position and the value, if a note is about one character of a message.
fn character<'a>(note: &Note<'a>) -> Option<(usize, Raw<'a>)> {
    match note {
        Note::UnknownField { record, field, value } if *record == Message::LABEL => {
            let is_text = value.as_json().starts_with('"');
            Some((field.as_str().parse().ok()?, *value)).filter(|_| is_text)
        }
        _ => None,
    }
}

/// The text. The halves of a character outside the basic plane are two fields, so the escapes are joined, not the
/// characters.
fn joined<'a>(characters: &[(usize, Raw<'a>)], notes: &mut Notes<'a>) -> Option<&'a str> {
    let mut json = String::from('"');
    for (_, character) in characters {
        let inside = character.as_json().strip_prefix('"').and_then(|json| json.strip_suffix('"'));
        json.push_str(inside.unwrap_or_default());
    }
    json.push('"');
    read_value::<Text<'a>>(notes.scratch.keep(&json), notes).map(Text::as_str)
}

/// The message in the text: its events, itself, or else the text as it is.
fn read<'a>(text: &'a str, notes: &mut Notes<'a>) -> Message<'a> {
    if text.starts_with('{')
        && let Some(message) = read_value::<Message<'a>>(text, notes)
    {
        return message;
    }
    let data = text.lines().filter_map(|line| line.strip_prefix("data:"));
    let mut building = Building::default();
    for event in data {
        let before = notes.list.len();
        match read_value(event.trim(), notes) {
            Some(event) => building.push(event),
            // Text that only looks like an event.
            None => notes.list.truncate(before),
        }
    }
    if building.is_begun() {
        return building.finish(notes);
    }
    Message { content: Some(Content::Text(Text::from(text))), ..Message::default() }
}

/// A message that is built from its events.
#[derive(Default)]
struct Building<'a> {
    message: Option<Message<'a>>,
    blocks: BTreeMap<i64, Growing<'a>>,
    usage: Option<Box<Usage<'a>>>,
}

/// A block, and what was added to it.
#[derive(Default)]
struct Growing<'a> {
    block: Option<Block<'a>>,
    added: String,
    signature: String,
}

impl<'a> Building<'a> {
    fn is_begun(&self) -> bool {
        self.message.is_some() || !self.blocks.is_empty()
    }

    fn push(&mut self, event: StreamEvent<'a>) {
        match event {
            StreamEvent::MessageStart(start) => self.message = start.message.map(|message| *message),
            StreamEvent::BlockStart(start) => {
                self.blocks.entry(start.index.unwrap_or_default()).or_default().block = start.block.map(|block| *block);
            }
            StreamEvent::BlockDelta(piece) => {
                let block = self.blocks.entry(piece.index.unwrap_or_default()).or_default();
                if let Some(delta) = piece.delta {
                    block.grow(&delta);
                }
            }
            StreamEvent::MessageDelta(change) => {
                self.usage = change.usage.or(self.usage.take());
                if let (Some(message), Some(delta)) = (&mut self.message, change.delta) {
                    message.stop_reason = delta.stop_reason.or(message.stop_reason);
                    message.stop_sequence = delta.stop_sequence.or(message.stop_sequence);
                    message.stop_details = delta.stop_details.or(message.stop_details);
                }
            }
            StreamEvent::BlockStop(_)
            | StreamEvent::MessageStop(_)
            | StreamEvent::Ping(_)
            | StreamEvent::Error(_)
            | StreamEvent::Unknown(_) => {}
        }
    }

    fn finish(self, notes: &mut Notes<'a>) -> Message<'a> {
        let mut message = self.message.unwrap_or_default();
        let blocks = self.blocks.into_values().filter_map(|block| block.finish(notes));
        message.content = Some(Content::Blocks(blocks.collect()));
        if notes.scope.reach >= Reach::Usage
            && let Some(last) = self.usage
        {
            let first = message.usage.as_deref().cloned();
            message.usage =
                Asked::from(Some(Box::new(first.map_or_else(|| (*last).clone(), |first| merged(first, &last)))));
        }
        message
    }
}

/// The usage at the start with what the end adds: it repeats only some fields, and some of them as zero.
fn merged<'a>(mut first: Usage<'a>, last: &Usage<'a>) -> Usage<'a> {
    first.input_tokens = first.input_tokens.max(last.input_tokens);
    first.output_tokens = first.output_tokens.max(last.output_tokens);
    first.cache_creation_input_tokens = first.cache_creation_input_tokens.max(last.cache_creation_input_tokens);
    first.cache_read_input_tokens = first.cache_read_input_tokens.max(last.cache_read_input_tokens);
    first.cache_creation = first.cache_creation.or_else(|| last.cache_creation.clone());
    first.server_tool_use = last.server_tool_use.clone().or(first.server_tool_use);
    first.output_tokens_details = last.output_tokens_details.clone().or(first.output_tokens_details);
    if first.iterations.is_empty() {
        first.iterations.clone_from(&last.iterations);
    }
    first
}

impl<'a> Growing<'a> {
    /// Adds a piece. Without a start, the first piece decides what the block is.
    fn grow(&mut self, delta: &Delta<'a>) {
        let word = |text: Option<Text<'a>>| text.map_or("", Text::as_str);
        let (begun, piece) = match delta {
            Delta::Text(delta) => (Block::Text(TextBlock::default()), word(delta.text)),
            Delta::Thinking(delta) => (Block::Thinking(Thinking::default()), word(delta.thinking)),
            Delta::InputJson(delta) => (Block::ToolUse(ToolUse::default()), word(delta.partial_json)),
            Delta::Compaction(delta) => (Block::Compaction(CompactionBlock::default()), word(delta.content)),
            Delta::Signature(delta) => {
                self.signature.push_str(word(delta.signature));
                return;
            }
            Delta::Citations(_) | Delta::Unknown(_) => return,
        };
        self.added.push_str(piece);
        self.block.get_or_insert(begun);
    }

    fn finish(self, notes: &mut Notes<'a>) -> Option<Block<'a>> {
        let Self { block, added, signature } = self;
        let mut block = block?;
        match &mut block {
            Block::Text(text) => extend(&mut text.text, &added, notes.scratch),
            Block::Thinking(thinking) => {
                extend(&mut thinking.thinking, &added, notes.scratch);
                extend(&mut thinking.signature, &signature, notes.scratch);
            }
            Block::Compaction(compaction) => extend(&mut compaction.content, &added, notes.scratch),
            Block::ToolUse(call) | Block::ServerToolUse(call) if !added.is_empty() => {
                let json = notes.scratch.keep(&added);
                let mut cursor = Cursor::new(json);
                if cursor.skip().is_ok() && cursor.peek().is_none() {
                    let name = call.name.map_or("", Text::as_str);
                    call.input_json = Some(Raw::from(json));
                    call.input = ToolInput::read(name, &mut Cursor::new(json), notes).ok().flatten();
                } else {
                    call.input = Some(ToolInput::Unparsed(Text::from(json)));
                }
            }
            _ => {}
        }
        Some(block)
    }
}

/// Appends to a text.
fn extend<'a>(text: &mut Option<Text<'a>>, added: &str, scratch: &'a Scratch) {
    if !added.is_empty() {
        let whole = format!("{}{added}", text.map_or("", Text::as_str));
        *text = Some(Text::from(scratch.keep(&whole)));
    }
}

#[cfg(test)]
mod tests {
    use std::fmt::Write as _;

    use super::*;

    /// A line whose message is this text, one field for each UTF-16 unit.
    fn spread(kind: &str, text: &str) -> String {
        let mut fields = String::new();
        for (at, unit) in text.encode_utf16().enumerate() {
            let character = match char::from_u32(u32::from(unit)) {
                Some('"') => r#"\""#.to_owned(),
                Some('\\') => r"\\".to_owned(),
                Some('\n') => r"\n".to_owned(),
                Some(character) => character.to_string(),
                None => format!(r"\u{unit:04x}"),
            };
            let _ = write!(fields, r#""{at}":"{character}","#);
        }
        format!(r#"{{"type":"{kind}","uuid":"a1","parentUuid":"request_1","message":{{{fields}"content":[]}}}}"#)
    }

    const STREAM: &str = r#"event: message_start
data: {"type":"message_start","message":{"id":"msg_1","type":"message","role":"assistant","model":"claude-opus-5","content":[],"stop_reason":null,"usage":{"input_tokens":3,"cache_read_input_tokens":400,"output_tokens":1}}}

event: ping
data: {"type":"ping"}

event: content_block_start
data: {"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}

event: content_block_delta
data: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"Say \"hi\" 🌱"}}

event: content_block_delta
data: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"\\o/"}}

event: content_block_start
data: {"type":"content_block_start","index":1,"content_block":{"type":"tool_use","id":"toolu_1","name":"Bash","input":{}}}

event: content_block_delta
data: {"type":"content_block_delta","index":1,"delta":{"type":"input_json_delta","partial_json":"{\"command\":"}}

event: content_block_delta
data: {"type":"content_block_delta","index":1,"delta":{"type":"input_json_delta","partial_json":"\"ls\"}"}}

event: message_delta
data: {"type":"message_delta","delta":{"stop_reason":"tool_use","stop_sequence":null},"usage":{"input_tokens":0,"output_tokens":42}}

event: message_stop
data: {"type":"message_stop"}

"#;

    #[test]
    fn a_message_spread_by_character_is_joined() {
        let scratch = Scratch::default();
        let line = spread("assistant", STREAM);
        let reading = crate::read(line.as_bytes(), &scratch);
        let entry = &reading.entries[0];
        assert_eq!(entry.notes, [], "no field is left over");
        let message = entry.body.message().unwrap();
        assert_eq!(message.id.unwrap().as_str(), "msg_1");
        assert_eq!(message.model.unwrap(), "claude-opus-5");
        assert_eq!(message.stop_reason.unwrap().as_str(), "tool_use");
        let usage = message.usage.as_deref().unwrap();
        assert_eq!((usage.input_tokens, usage.output_tokens), (Some(3), Some(42)));
        assert_eq!(usage.cache_read_input_tokens, Some(400));
        let [Block::Text(text), Block::ToolUse(call)] = message.content.as_ref().unwrap().blocks() else {
            panic!("{message:?}")
        };
        assert_eq!(text.text.unwrap(), "Say \"hi\" 🌱\\o/");
        let Some(ToolInput::Bash(shell)) = &call.input else { panic!("{call:?}") };
        assert_eq!(shell.command.unwrap(), "ls");
        assert!(crate::read_usage_header(line.as_bytes(), &scratch).is_none(), "the header is not enough to count it");
    }

    #[test]
    fn other_texts_are_joined_too() {
        let scratch = Scratch::default();
        let whole =
            spread("assistant", r#"{"id":"msg_2","role":"assistant","content":[{"type":"text","text":"Done."}]}"#);
        let reading = crate::read(whole.as_bytes(), &scratch);
        let message = reading.entries[0].body.message().unwrap();
        assert_eq!(message.content.as_ref().unwrap().texts().next().unwrap(), "Done.");
        let plain = spread("user", "look here");
        let reading = crate::read(plain.as_bytes(), &scratch);
        let message = reading.entries[0].body.message().unwrap();
        assert_eq!(message.content.as_ref().unwrap().texts().next().unwrap(), "look here");
        assert_eq!(reading.entries[0].notes, []);
    }
}
