//! The searchable texts of a line, by speaker, and the marks that narrow a search.
//!
//! [`content`] decides what a line says; this module assigns each of its sections to one of five [`Column`]s. It copies
//! as little as possible: texts are passed on exactly as in the line, and only untyped JSON is unescaped again. Text
//! that a result contains twice, for the model and for the program, is passed on once.

mod json;
mod marks;
mod own_files;
mod result;

use std::fmt;

use content::section::{Body, Section, Speaker, Value};
use format::Entry;
use story::Detail;

pub use marks::{Call, Marks, Role, Touch, marks};
pub use own_files::OwnFiles;
pub(crate) use own_files::carries_entry;

/// The speaker of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Column {
    /// Words of the user: prompts, commands, answers, and custom titles.
    Said,
    /// Words of Claude: replies, summaries, and generated titles.
    Replied,
    /// Tools and their inputs.
    Done,
    /// Results, errors, and all other output of the program.
    Seen,
    /// Thinking.
    Thought,
}

impl Column {
    /// All columns.
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

/// Passes every text of an entry to `each`, in order.
///
/// An entry that was read with the open calls of its session ([`format::Scope::calls`]) has typed results, which are
/// more precise and faster to process.
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
    let mut pen = Pen { each: &mut each };
    result::results(entry, &mut pen);
    content::entry(entry, Detail::Full, &mut |section| pen.section(&section));
}

/// Receives the texts of an entry.
struct Pen<'f> {
    each: &'f mut dyn FnMut(Column, &str),
}

impl Pen<'_> {
    fn put(&mut self, column: Column, text: &str) {
        if !text.is_empty() {
            (self.each)(column, text);
        }
    }

    /// Passes on all texts of a section.
    fn section(&mut self, section: &Section<'_>) {
        let column = column(section);
        match &section.body {
            // The input may consist of a number only.
            Body::Json(json) if column == Column::Done => self.put_open_json(column, json),
            Body::Json(json) => self.put_json(column, json),
            Body::Fact(_) if is_word_of_format(section) => {}
            Body::Fact(Value::Time(time)) => self.put(column, time.as_str()),
            body => body.each_text(|text| self.put(column, text)),
        }
    }
}

/// The column of a section.
fn column(section: &Section<'_>) -> Column {
    match (section.speaker, &section.body) {
        (_, Body::Thinking(_)) => Column::Thought,
        (Speaker::Human, _) => Column::Said,
        (Speaker::Claude, Body::Reply(_)) => Column::Replied,
        (Speaker::Claude, _) => Column::Done,
        (Speaker::Tool | Speaker::Program, _) => Column::Seen,
    }
}

/// Keys of facts that have one of a few values. Every call of a tool has them, so they are useless in a search.
const WORDS_OF_FORMAT: [&str; 5] = ["mode", "output_mode", "priority", "status", "type"];

/// Whether a fact has one of a few values.
fn is_word_of_format(section: &Section<'_>) -> bool {
    WORDS_OF_FORMAT.contains(&section.label.key)
}

#[cfg(test)]
mod tests;
