//! What a line says, by who said it: the texts that can be found, and the marks that narrow a search.
//!
//! Each text goes to one of five [`Column`]s. Nothing is copied that need not be: texts are handed on as they stand in
//! the line, and only JSON that has no type is unescaped again. What a result says twice, for the model and for the
//! program, is said once here; what nobody reads (images, signatures, files as they were before an edit) is left out.

mod around;
mod attachment;
mod call;
mod json;
mod marks;
mod result;
mod speech;
mod system;

use std::fmt;

use format::block::{Block, Content};
use format::entry::{Assistant, User};
use format::{Body, Entry, Envelope, Note, Text};

pub use marks::{Call, Marks, Role, Touch, marks};

/// Who said a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Column {
    /// What the user said: prompts, commands, answers, and titles that the user gave.
    Said,
    /// What Claude said: replies, summaries, and titles that the model found.
    Replied,
    /// What was done: tools and what was asked of them.
    Done,
    /// What was seen: results, errors, and whatever else the program told.
    Seen,
    /// What was thought.
    Thought,
}

impl Column {
    /// All of them.
    pub const ALL: [Self; 5] = [Self::Said, Self::Replied, Self::Done, Self::Seen, Self::Thought];

    /// Its name.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Said => "said",
            Self::Replied => "replied",
            Self::Done => "done",
            Self::Seen => "seen",
            Self::Thought => "thought",
        }
    }
}

impl fmt::Display for Column {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// Hands every text of an entry to `each`, one after the other.
///
/// An entry whose line was read with the open calls of its session ([`format::Scope::calls`]) says more exactly what
/// its result is, and is taken apart faster.
///
/// ```
/// use index::texts::{Column, pieces};
///
/// let line = br#"{"type":"assistant","message":{"content":[{"type":"text","text":"Four beds."},
///     {"type":"tool_use","id":"t1","name":"Bash","input":{"command":"ls beds"}}]}}"#;
/// let scratch = format::Scratch::default();
/// let mut found = Vec::new();
/// for entry in &format::read(line, &scratch).entries {
///     pieces(entry, |column, text| found.push((column, text.to_owned())));
/// }
/// assert_eq!(found[0], (Column::Replied, "Four beds.".to_owned()));
/// assert_eq!(found[2], (Column::Done, "ls beds".to_owned()));
/// ```
pub fn pieces(entry: &Entry<'_>, mut each: impl FnMut(Column, &str)) {
    // What only looks like an entry was written by another agent.
    if entry.foreign.is_some() {
        return;
    }
    let mut pen = Pen { each: &mut each };
    match &entry.body {
        Body::User(user) => self::user(&entry.envelope, user, &mut pen),
        Body::Assistant(assistant) => self::assistant(assistant, &mut pen),
        Body::System(system) => {
            system::pieces(system, &mut pen);
            unexpected(&entry.notes, &mut pen);
        }
        Body::Attachment(attached) => {
            attachment::pieces(attached, &mut pen);
            unexpected(&entry.notes, &mut pen);
        }
        body => around::pieces(&entry.envelope, body, &mut pen),
    }
}

/// Where the texts of an entry go.
struct Pen<'f> {
    each: &'f mut dyn FnMut(Column, &str),
}

impl Pen<'_> {
    fn put(&mut self, column: Column, text: &str) {
        if !text.is_empty() {
            (self.each)(column, text);
        }
    }

    fn put_all<'a>(&mut self, column: Column, texts: impl IntoIterator<Item = impl Into<Option<Text<'a>>>>) {
        for text in texts.into_iter().filter_map(Into::into) {
            self.put(column, text.as_str());
        }
    }
}

/// What is said in the user's role.
fn user(envelope: &Envelope<'_>, user: &User<'_>, pen: &mut Pen<'_>) {
    let Some(content) = user.message.as_ref().and_then(|message| message.content.as_ref()) else { return };
    if user.is_compact_summary == Some(true) {
        content.texts().for_each(|text| speech::summary(text.as_str(), pen));
        return;
    }
    let who = speech::Who::of(envelope, user);
    result::results(content, user.tool_use_result.as_ref(), pen);
    match content {
        Content::Text(text) => speech::pieces(text.as_str(), who, pen),
        Content::Raw(json) => pen.put_json(Column::Seen, [*json]),
        Content::Blocks(blocks) => {
            for block in blocks {
                match block {
                    Block::Text(text) => speech::pieces(text.text.map_or("", Text::as_str), who, pen),
                    block if block.as_result().is_some() => {}
                    block => self::block(Column::Seen, block, pen),
                }
            }
        }
    }
}

/// What the model said, thought and called, or what the program says in its place.
fn assistant(assistant: &Assistant<'_>, pen: &mut Pen<'_>) {
    let Some(message) = assistant.message.as_deref() else { return };
    let is_synthetic =
        assistant.is_api_error_message == Some(true) || message.model.is_some_and(|model| model == "<synthetic>");
    let column = if is_synthetic { Column::Seen } else { Column::Replied };
    match &message.content {
        Some(Content::Text(text)) => pen.put(column, text.as_str()),
        Some(Content::Raw(json)) => pen.put_json(column, [*json]),
        Some(Content::Blocks(blocks)) => blocks.iter().for_each(|block| self::block(column, block, pen)),
        None => {}
    }
    if is_synthetic {
        pen.put_json(column, [assistant.error, assistant.error_details].into_iter().flatten());
    }
}

/// One block. Its text goes to `spoken`; what else there may be has its own column.
fn block(spoken: Column, block: &Block<'_>, pen: &mut Pen<'_>) {
    if let Some(result) = block.as_result() {
        return result::result(result, None, pen);
    }
    if let Some(result) = block.as_server_result() {
        return pen.put_json(Column::Seen, result.content);
    }
    match block {
        Block::Text(text) => pen.put_all(spoken, [text.text]),
        Block::Thinking(thinking) => pen.put_all(Column::Thought, [thinking.thinking]),
        Block::ToolUse(call) | Block::ServerToolUse(call) => call::pieces(call, pen),
        Block::McpToolUse(call) => {
            pen.put_all(Column::Done, [call.server_name, call.name]);
            pen.put_open_json(Column::Done, call.input);
        }
        Block::Compaction(compaction) => pen.put_all(Column::Replied, [compaction.content]),
        Block::Document(document) => {
            pen.put_all(Column::Seen, [document.title, document.context]);
            let source = document.source.as_ref();
            let is_text = source.and_then(|source| source.kind).is_some_and(|kind| kind == "text");
            pen.put_all(Column::Seen, source.filter(|_| is_text).map(|source| source.data));
            pen.put_json(Column::Seen, source.and_then(|source| source.content));
        }
        Block::SearchResult(found) => {
            pen.put_all(Column::Seen, [found.source, found.title]);
            found.content.iter().for_each(|content| result::content(content, pen));
        }
        Block::ToolReference(reference) => pen.put_all(Column::Seen, [reference.tool_name]),
        Block::Resource(resource) => {
            pen.put_all(Column::Seen, [resource.uri, resource.name, resource.title, resource.description]);
            pen.put_json(Column::Seen, resource.resource);
        }
        Block::Fallback(fallback) => {
            let models = [&fallback.from, &fallback.to].into_iter().flatten();
            pen.put_all(Column::Seen, models.map(|name| name.model));
        }
        Block::Unknown(unknown) => pen.put_json(Column::Seen, unknown.fields.iter().map(|(_, json)| *json)),
        // Data, and what others say.
        _ => {}
    }
}

/// What a newer version, or one that only the name is known of, adds to an entry.
fn unexpected(notes: &[Note<'_>], pen: &mut Pen<'_>) {
    for note in notes {
        if let Note::UnknownField { value, .. } = note {
            pen.put_json(Column::Seen, [*value]);
        }
    }
}

#[cfg(test)]
mod tests;
