//! Sections: what an entry or a call says, one piece at a time.
//!
//! A section says who speaks, what the piece is called, at which detail it is shown, and what form it has. It borrows
//! everything from the entry that it was made of. Outputs decide how a form looks, never what is in it.

use std::borrow::Cow;

use format::tool::{Choice, Hunk, TaskStatus};
use format::{Text, Time};
use story::Detail;

/// Who says something.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Speaker {
    /// A person: what was typed or chosen.
    Human,
    /// The model: replies, thoughts, and what it asks of tools.
    Claude,
    /// A tool: what it gives back.
    Tool,
    /// The program around the conversation: notices, context, hooks, other sessions.
    Program,
}

/// One piece of what an entry or a call says.
#[derive(Debug, Clone, PartialEq)]
pub struct Section<'e> {
    /// Who says it.
    pub speaker: Speaker,
    /// The least detail at which it is shown.
    pub level: Detail,
    /// What it is called.
    pub label: Label<'e>,
    /// What it says.
    pub body: Body<'e>,
}

/// What a section is called: a key of the format, or a word of ours. [`Label::words`] is for people.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Label<'e> {
    /// The key of the record that it is part of, if that is inside another one.
    pub group: &'e str,
    /// Its own key; empty where the form says enough.
    pub key: &'e str,
    /// Whether the key is data of the session, and stays as it is.
    pub is_verbatim: bool,
}

/// What a section says, by its form.
#[derive(Debug, Clone, PartialEq)]
pub enum Body<'e> {
    /// Words as they were typed or sent, without any markup.
    Words(Cow<'e, str>),
    /// What the model says to its reader, in Markdown.
    Reply(Cow<'e, str>),
    /// What the model thinks.
    Thinking(Cow<'e, str>),
    /// Other prose in Markdown: prompts and answers of agents, descriptions, pages that were fetched.
    Prose(Cow<'e, str>),
    /// A plan, in Markdown.
    Plan(Cow<'e, str>),
    /// A command, a script, a cell: code that belongs to no file.
    Code {
        /// The name of the language; may be empty.
        language: &'e str,
        /// The code.
        text: Cow<'e, str>,
    },
    /// What a program printed, perhaps in colours.
    Output(Cow<'e, str>),
    /// Lines that a search found.
    Matches(Matches<'e>),
    /// A file, or lines of it.
    File(File<'e>),
    /// Changes of a file, with the numbers of their lines.
    Patch {
        /// The file.
        path: &'e str,
        /// The changes.
        hunks: &'e [Hunk<'e>],
    },
    /// A text that takes the place of another, somewhere in a file.
    Replacement {
        /// The file.
        path: &'e str,
        /// The language, where the path does not say it.
        language: &'e str,
        /// What was there.
        old: Cow<'e, str>,
        /// What is there now.
        new: Cow<'e, str>,
    },
    /// A question to the human, with the answers to choose from.
    Question(Question<'e>),
    /// What the human answers.
    Answer {
        /// The question; empty if it is an answer to all of them.
        question: &'e str,
        /// The labels that were chosen, or the human's own words.
        words: &'e str,
    },
    /// One task of a list. Those that follow one another are one list.
    Task(Task<'e>),
    /// One thing of a list. Those that follow one another under one label are one list.
    Item(Cow<'e, str>),
    /// A short fact with a name. Those that follow one another belong together.
    Fact(Value<'e>),
    /// Files and folders.
    Paths(&'e [Text<'e>]),
    /// A page or a resource. Those that follow one another are one list.
    Link {
        /// What it is called; may be empty.
        title: Cow<'e, str>,
        /// Where it is.
        target: Cow<'e, str>,
        /// What is said about it; may be empty.
        about: Cow<'e, str>,
    },
    /// An image, or a document that is not text.
    Image(Image<'e>),
    /// A sentence of the program or of ours.
    Notice(Cow<'e, str>),
    /// JSON that has no better form.
    Json(&'e str),
    /// The sections up to the next one of these belong together: one of several things. The words may be empty.
    Group(Cow<'e, str>),
    /// Why something cannot be shown.
    Missing(Cow<'e, str>),
}

/// The value of a fact. Its label says what a number counts.
#[derive(Debug, Clone, PartialEq)]
pub enum Value<'e> {
    /// Any text.
    Text(Cow<'e, str>),
    /// A word of the format, such as a status.
    Word(&'e str),
    /// An id.
    Id(&'e str),
    /// A moment.
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
    /// The lines, each with the place where it was found.
    pub text: &'e str,
    /// What was looked for, where it is known: a regular expression.
    pub pattern: &'e str,
    /// Whether capital letters were ignored.
    pub ignores_case: bool,
}

/// A file, or lines of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct File<'e> {
    /// Where it is; empty if that is not said.
    pub path: &'e str,
    /// The number of the first line that is here, if that is said.
    pub first_line: Option<i64>,
    /// How many lines are here, if that is said.
    pub lines: Option<i64>,
    /// How many lines the file has, if that is said.
    pub total_lines: Option<i64>,
    /// The lines.
    pub text: Cow<'e, str>,
}

/// A question to the human.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Question<'e> {
    /// What it is about, in a word or two; may be empty.
    pub header: &'e str,
    /// The question.
    pub text: &'e str,
    /// The answers to choose from.
    pub options: &'e [Choice<'e>],
    /// Whether several may be chosen.
    pub is_multiple: bool,
    /// What was answered, to mark what was chosen; the answer itself is a section of its own.
    pub answer: &'e str,
}

/// A task of a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Task<'e> {
    /// Its number; may be empty.
    pub id: &'e str,
    /// What is to be done.
    pub text: &'e str,
    /// How it stands, if that is said.
    pub status: Option<TaskStatus<'e>>,
    /// Who does it, or how much it matters; may be empty.
    pub remark: &'e str,
    /// The same task as it is called while it is done; may be empty.
    pub active_form: &'e str,
    /// The tasks that it waits for.
    pub blocked_by: &'e [Text<'e>],
    /// The tasks that wait for it.
    pub blocks: &'e [Text<'e>],
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
    /// How many bytes it has.
    pub fn size(&self) -> u64 {
        // Four characters of base64 are three bytes.
        self.data.len() as u64 / 4 * 3
    }
}

impl Body<'_> {
    /// Hands every text of the form to `each`, but for JSON and data.
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
                [task.id, task.text, task.remark, task.active_form].into_iter().for_each(&mut each);
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
            // Sentences of ours say nothing that the session says.
            Self::Notice(_)
            | Self::Missing(_)
            | Self::Image(_)
            | Self::Json(_)
            | Self::Fact(Value::Time(_) | Value::Number(_) | Value::Fraction(_) | Value::Flag(_)) => {}
        }
    }

    /// The text, of forms that are one text.
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

/// Drops groups without a name that have nothing in them, because something else says it.
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
