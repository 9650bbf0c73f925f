//! Sections: the pieces of content of an entry or a call.
//!
//! A section has a speaker, a label, a level of detail and a form. It borrows everything from its entry. Outputs decide
//! how a form looks, never what it contains.

use std::borrow::Cow;

use format::tool::{Choice, Hunk, TaskStatus};
use format::{Text, Time};
use story::Detail;
pub use story::tasks::TaskEvent;

/// The speaker of a section.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Speaker {
    /// A person, who typed or chose something.
    Human,
    /// The model: replies, thinking, and inputs of tools.
    Claude,
    /// A tool: its results.
    Tool,
    /// The program around the conversation: notices, context, hooks, other sessions.
    Program,
}

/// One piece of content of an entry or a call.
#[derive(Debug, Clone, PartialEq)]
pub struct Section<'e> {
    /// Its speaker.
    pub speaker: Speaker,
    /// The lowest level of detail at which it is shown.
    pub level: Detail,
    /// Its label.
    pub label: Label<'e>,
    /// Its content.
    pub body: Body<'e>,
}

/// The label of a section: a key of the format, or a word of recount. [`Label::words`] is its readable form.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Label<'e> {
    /// The key of the nested record that contains it, if any.
    pub group: &'e str,
    /// Its own key; empty if the form needs no label.
    pub key: &'e str,
    /// Whether the key is data of the session, which stays unchanged.
    pub is_verbatim: bool,
}

/// The content of a section, by its form.
#[derive(Debug, Clone, PartialEq)]
pub enum Body<'e> {
    /// Words as they were typed or sent, without markup.
    Words(Cow<'e, str>),
    /// Words of the model to the reader, in Markdown.
    Reply(Cow<'e, str>),
    /// Thinking of the model.
    Thinking(Cow<'e, str>),
    /// Other prose in Markdown: prompts and answers of agents, descriptions, fetched pages.
    Prose(Cow<'e, str>),
    /// A plan, in Markdown.
    Plan(Cow<'e, str>),
    /// A command, a script, a cell: code outside a file.
    Code {
        /// The name of the language; may be empty.
        language: &'e str,
        /// The code.
        text: Cow<'e, str>,
    },
    /// Output of a program, perhaps in colours.
    Output(Cow<'e, str>),
    /// Lines that a search found.
    Matches(Matches<'e>),
    /// A file, or lines of it.
    File(File<'e>),
    /// Changes of a file, with line numbers.
    Patch {
        /// The file.
        path: &'e str,
        /// The changes.
        hunks: &'e [Hunk<'e>],
    },
    /// A replacement of one text by another, at an unknown position in a file.
    Replacement {
        /// The file.
        path: &'e str,
        /// The language, if the path does not determine it.
        language: &'e str,
        /// The old text.
        old: Cow<'e, str>,
        /// The new text.
        new: Cow<'e, str>,
    },
    /// A question to the user, with its options.
    Question(Question<'e>),
    /// An answer of the user.
    Answer {
        /// The question; empty if the answer is to all of them.
        question: &'e str,
        /// The chosen labels, or the user's own words.
        words: &'e str,
    },
    /// One task of a list. Consecutive tasks form one list.
    Task(Task<'e>),
    /// One item of a list. Consecutive items with one label form one list.
    Item(Cow<'e, str>),
    /// A short fact with a name. Consecutive facts belong together.
    Fact(Value<'e>),
    /// Files and folders.
    Paths(&'e [Text<'e>]),
    /// A page or a resource. Consecutive links form one list.
    Link {
        /// Its title; may be empty.
        title: Cow<'e, str>,
        /// Its address.
        target: Cow<'e, str>,
        /// Its description; may be empty.
        about: Cow<'e, str>,
    },
    /// An image, or a document that is not text.
    Image(Image<'e>),
    /// A sentence of the program or of recount.
    Notice(Cow<'e, str>),
    /// JSON without a better form.
    Json(&'e str),
    /// Begins a group, one of several things, which extends to the next group. The words may be empty.
    Group(Cow<'e, str>),
    /// Why something cannot be shown.
    Missing(Cow<'e, str>),
}

/// The value of a fact. The label determines the unit of a number.
#[derive(Debug, Clone, PartialEq)]
pub enum Value<'e> {
    /// Any text.
    Text(Cow<'e, str>),
    /// A word of the format, such as a status.
    Word(&'e str),
    /// An id.
    Id(&'e str),
    /// A timestamp.
    Time(Time<'e>),
    /// A whole number.
    Number(i64),
    /// A number with a fraction.
    Fraction(f64),
    /// Yes or no.
    Flag(bool),
}

/// Lines that a search found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Matches<'e> {
    /// The lines, each with its location.
    pub text: &'e str,
    /// The regular expression of the search, if known.
    pub pattern: &'e str,
    /// Whether the search ignored case.
    pub ignores_case: bool,
}

/// A file, or lines of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct File<'e> {
    /// Its path; empty if unknown.
    pub path: &'e str,
    /// The number of the first line, if known.
    pub first_line: Option<i64>,
    /// The number of lines in this section, if known.
    pub lines: Option<i64>,
    /// The number of lines of the whole file, if known.
    pub total_lines: Option<i64>,
    /// The lines.
    pub text: Cow<'e, str>,
}

/// A question to the user.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Question<'e> {
    /// Its subject, in a word or two; may be empty.
    pub header: &'e str,
    /// The question.
    pub text: &'e str,
    /// The options.
    pub options: &'e [Choice<'e>],
    /// Whether several options may be chosen.
    pub is_multiple: bool,
    /// The answer, for marking the chosen options; it also has a section of its own.
    pub answer: &'e str,
}

/// A task of a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Task<'e> {
    /// Its number; may be empty.
    pub id: Cow<'e, str>,
    /// Its description.
    pub text: Cow<'e, str>,
    /// Its status, if known.
    pub status: Option<TaskStatus<'e>>,
    /// Its owner or priority; may be empty.
    pub remark: &'e str,
    /// Its description while it is in progress; may be empty.
    pub active_form: Cow<'e, str>,
    /// The tasks for which it waits.
    pub blocked_by: &'e [Text<'e>],
    /// The tasks that wait for it.
    pub blocks: &'e [Text<'e>],
    /// What the call changed about it; `None` if nothing, or if the whole list is new.
    pub event: Option<TaskEvent>,
    /// Its description before the call, if that differs; may be empty.
    pub reworded_from: Cow<'e, str>,
}

/// An image, or a document that is not text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Image<'e> {
    /// `image/png`…
    pub media_type: Cow<'e, str>,
    /// The bytes, in base64.
    pub data: Cow<'e, str>,
}

impl Image<'_> {
    /// Its size in bytes.
    pub fn size(&self) -> u64 {
        // Four characters of base64 are three bytes.
        self.data.len() as u64 / 4 * 3
    }
}

impl Body<'_> {
    /// Passes every text of the form to `each`, except JSON and data.
    pub fn each_text(&self, mut each: impl FnMut(&str)) {
        match self {
            Self::Words(text)
            | Self::Reply(text)
            | Self::Thinking(text)
            | Self::Prose(text)
            | Self::Plan(text)
            | Self::Code { text, .. }
            | Self::Output(text)
            | Self::Item(text)
            | Self::Fact(Value::Text(text)) => each(text),
            Self::Matches(found) => each(found.text),
            Self::File(file) => each(&file.text),
            Self::Patch { hunks, .. } => {
                let lines = hunks.iter().flat_map(|hunk| &hunk.lines);
                lines.for_each(|line| each(line.get(1..).unwrap_or(line)));
            }
            Self::Replacement { old, new, .. } => {
                each(old);
                each(new);
            }
            Self::Question(question) => {
                each(question.header);
                each(question.text);
                for option in question.options {
                    [option.label, option.description, option.preview].into_iter().flatten().for_each(|it| each(&it));
                }
            }
            Self::Answer { words, .. } => each(words),
            Self::Task(task) => {
                [&*task.id, &*task.text, task.remark, &*task.active_form].into_iter().for_each(&mut each);
                task.blocked_by.iter().chain(task.blocks).for_each(|id| each(id));
            }
            Self::Fact(Value::Word(text) | Value::Id(text)) => each(text),
            Self::Paths(paths) => paths.iter().for_each(|path| each(path)),
            Self::Link { title, target, about } => {
                each(title);
                each(target);
                each(about);
            }
            Self::Group(words) => each(words),
            // Sentences of recount are not content of the session.
            Self::Notice(_)
            | Self::Missing(_)
            | Self::Image(_)
            | Self::Json(_)
            | Self::Fact(Value::Time(_) | Value::Number(_) | Value::Fraction(_) | Value::Flag(_)) => {}
        }
    }

    /// Whether its label is a heading above it. Consecutive items with one label share a heading.
    pub(crate) const fn has_heading(&self) -> bool {
        match self {
            Self::Words(_)
            | Self::Reply(_)
            | Self::Prose(_)
            | Self::Plan(_)
            | Self::Code { .. }
            | Self::Output(_)
            | Self::Matches(_)
            | Self::File(_)
            | Self::Paths(_)
            | Self::Item(_)
            | Self::Json(_)
            | Self::Answer { .. } => true,
            Self::Thinking(_)
            | Self::Patch { .. }
            | Self::Replacement { .. }
            | Self::Question(_)
            | Self::Task(_)
            | Self::Fact(_)
            | Self::Link { .. }
            | Self::Image(_)
            | Self::Notice(_)
            | Self::Group(_)
            | Self::Missing(_) => false,
        }
    }

    /// The text of a form that consists of one text.
    pub fn text(&self) -> Option<&str> {
        match self {
            Self::Words(text)
            | Self::Reply(text)
            | Self::Thinking(text)
            | Self::Prose(text)
            | Self::Plan(text)
            | Self::Code { text, .. }
            | Self::Output(text)
            | Self::Item(text)
            | Self::Notice(text)
            | Self::Fact(Value::Text(text)) => Some(text),
            Self::Fact(Value::Word(text) | Value::Id(text)) => Some(text),
            Self::Matches(found) => Some(found.text),
            Self::File(file) => Some(&file.text),
            Self::Patch { .. }
            | Self::Replacement { .. }
            | Self::Question(_)
            | Self::Answer { .. }
            | Self::Task(_)
            | Self::Fact(_)
            | Self::Paths(_)
            | Self::Link { .. }
            | Self::Image(_)
            | Self::Json(_)
            | Self::Group(_)
            | Self::Missing(_) => None,
        }
    }
}

/// Drops empty groups without a name, whose content is shown elsewhere.
pub(crate) fn drop_empty_groups(sections: &mut Vec<Section<'_>>) {
    let is_group = |section: &Section<'_>| matches!(section.body, Body::Group(_));
    let mut is_empty = vec![true; sections.len()];
    for (flag, next) in is_empty.iter_mut().zip(sections.iter().skip(1)) {
        *flag = is_group(next);
    }
    let mut is_empty = is_empty.into_iter();
    sections.retain(|section| {
        let is_empty = is_empty.next() == Some(true);
        !(is_empty && matches!(&section.body, Body::Group(words) if words.is_empty()))
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_group_needs_a_name_or_something_in_it() {
        let section = |body| Section { speaker: Speaker::Tool, level: Detail::Full, label: Label::default(), body };
        let group = |words: &'static str| section(Body::Group(words.into()));
        let item = section(Body::Item("row".into()));
        let mut sections = vec![group(""), group("beds"), group(""), item.clone(), group("")];
        drop_empty_groups(&mut sections);
        assert_eq!(sections, [group("beds"), group(""), item]);
    }
}
