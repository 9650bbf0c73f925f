//! What a line says, by who said it: the texts that can be found, and the marks that narrow a search.
//!
//! What a line says is decided by [`content`]; here each of its sections goes to one of five [`Column`]s. Nothing is
//! copied that need not be: texts are handed on as they stand in the line, and only JSON that has no type is unescaped
//! again. What a result says twice, for the model and for the program, is put once.

mod json;
mod marks;
mod result;

use std::fmt;

use content::section::{Body, Section, Speaker, Value};
use format::Entry;
use story::Detail;

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
    let mut pen = Pen { each: &mut each };
    result::results(entry, &mut pen);
    content::entry(entry, Detail::Full, &mut |section| pen.section(&section));
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

    /// Puts all texts of a section.
    fn section(&mut self, section: &Section<'_>) {
        let column = column(section);
        match &section.body {
            // A number may be all there is.
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

/// Keys of facts that are one of a few words: what every call of a tool has, nobody looks for.
const WORDS_OF_FORMAT: [&str; 5] = ["mode", "output_mode", "priority", "status", "type"];

/// Whether a fact is one of the few words that it can be.
fn is_word_of_format(section: &Section<'_>) -> bool {
    WORDS_OF_FORMAT.contains(&section.label.key)
}

#[cfg(test)]
mod tests;
