//! Calls: the input and the result of a tool.
//!
//! [`input`] and [`result`] map the two separately, as the lines contain them. [`CallSections`] combines them for a
//! reader: content that both contain is shown once, in its better form; facts in the line of the call are not repeated;
//! and output that is stored beside the session is read from there.

mod cell;
mod failure;
mod file;
mod input;
mod question;
mod refined;
mod result;
mod stored;
mod task;
mod tools;

use std::borrow::Cow;

use format::block::Content;
use format::tool::{ReadResult, ToolInput, ToolResult};
use format::{Note, Raw};
use story::Detail;
use story::step::Call;

pub use question::split_answer;
pub use stored::Stored;
pub use task::{changes, left};

use crate::block;
use crate::pen::{Form, Pen, word};
use crate::section::{Body, Label, Section, Speaker, Value, drop_empty_groups};

/// A call and its result, read again from their lines.
#[derive(Debug, Clone, Copy, Default)]
pub struct CallParts<'a> {
    /// The input, typed by the tool.
    pub input: Option<&'a ToolInput<'a>>,
    /// The input as JSON, as it stands in the line.
    pub input_json: Option<Raw<'a>>,
    /// The result, typed by the tool.
    pub result: Option<&'a ToolResult<'a>>,
    /// The result's text for the model.
    pub content: Option<&'a Content<'a>>,
    /// The result of a tool that ran at the API.
    pub result_json: Option<Raw<'a>>,
    /// The parts of the input that the types do not cover.
    pub input_notes: &'a [Note<'a>],
    /// The parts of the result that the types do not cover.
    pub result_notes: &'a [Note<'a>],
    /// Why the line of the call cannot be read.
    pub input_missing: Option<&'a str>,
    /// Why the line of the result cannot be read.
    pub result_missing: Option<&'a str>,
}

/// Passes on the sections of an input, up to a level.
pub fn input<'e>(asked: &'e ToolInput<'e>, most: Detail, each: &mut dyn FnMut(Section<'e>)) {
    tools::asked(asked, &mut Pen::new(most, each).by(Speaker::Claude));
}

/// Passes on the sections of a result, up to a level.
pub fn result<'e>(given: &'e ToolResult<'e>, most: Detail, each: &mut dyn FnMut(Section<'e>)) {
    tools::given(given, &mut Pen::new(most, each).by(Speaker::Tool));
}

/// Passes on the sections of the blocks in a result's content that are not text, up to a level.
pub fn others<'e>(content: &'e Content<'e>, most: Detail, each: &mut dyn FnMut(Section<'e>)) {
    block::others(content, &mut Pen::new(most, each).by(Speaker::Tool));
}

/// The input of a tool, inside an entry.
pub(crate) fn asked_of<'e>(asked: &'e ToolInput<'e>, pen: &mut Pen<'_, 'e>) {
    tools::asked(asked, pen);
}

/// A file, as if a tool had read it.
pub(crate) fn file_read<'e>(read: &'e ReadResult<'e>, pen: &mut Pen<'_, 'e>) {
    file::read(read, pen);
}

/// The sections of a call for a reader.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct CallSections<'e> {
    /// The sections of the input.
    pub input: Vec<Section<'e>>,
    /// The sections of the result.
    pub result: Vec<Section<'e>>,
}

impl<'e> CallSections<'e> {
    /// All sections of a call, without the facts in the line of the call.
    ///
    /// `stored` is the output of the call, if it is stored elsewhere ([`CallParts::stored_name`]).
    pub fn new(call: &Call, parts: &CallParts<'e>, stored: Option<&'e Stored>) -> Self {
        let mut shown = Self { input: asked(parts), result: came(parts) };
        shown.settle();
        shown.restore(stored);
        shown.mark_tasks(call);
        for list in [&mut shown.input, &mut shown.result] {
            list.retain(|section| !(is_in_line(section, call) || task::is_in_line(section, call)));
        }
        for list in [&mut shown.input, &mut shown.result] {
            *list = std::mem::take(list).into_iter().flat_map(refined::refined).collect();
            drop_empty_groups(list);
        }
        if let Some(title) = call.chapter() {
            // The heading says it.
            shown.input.retain(|section| section.body.text() != Some(title));
        }
        if let Some(ToolInput::Grep(grep)) = parts.input {
            for section in &mut shown.result {
                if let Body::Matches(found) = &mut section.body {
                    (found.pattern, found.ignores_case) = (word(grep.pattern), grep.ignore_case == Some(true));
                }
            }
        }
        shown
    }

    /// The user's words and choices: answers, decisions, the words of a rejection.
    pub fn human_words(&self) -> impl Iterator<Item = &Section<'e>> {
        self.all().filter(|section| section.speaker == Speaker::Human)
    }

    /// Whether the user's words name the questions that they answer.
    pub fn answers_questions(&self) -> bool {
        self.human_words().any(|section| matches!(section.body, Body::Answer { question, .. } if !question.is_empty()))
    }

    /// All sections, in order.
    pub fn all(&self) -> impl Iterator<Item = &Section<'e>> {
        self.input.iter().chain(&self.result)
    }

    /// Removes sections of one side that the other side shows better.
    fn settle(&mut self) {
        let is_change = |section: &Section<'_>| matches!(section.body, Body::Patch { .. } | Body::Replacement { .. });
        let has_change = self.result.iter().any(is_change);
        let has_plan = self.result.iter().any(|section| matches!(section.body, Body::Plan(_)));
        let has_questions = self.result.iter().any(|section| matches!(section.body, Body::Question(_)));
        let is_source = |section: &Section<'_>| {
            matches!(section.body, Body::Code { .. } | Body::Prose(_)) && section.label.key == cell::SOURCE
        };
        self.input.retain(|section| {
            let is_changed = matches!(section.body, Body::Replacement { .. } | Body::File(_)) || is_source(section);
            let is_plan = matches!(section.body, Body::Plan(_));
            // Answers are shown with their questions.
            let is_asked = matches!(section.body, Body::Question(_) | Body::Answer { .. });
            !(has_change && is_changed || has_plan && is_plan || has_questions && is_asked)
        });
        let (input, mut result) = (&self.input, std::mem::take(&mut self.result));
        result.retain(|section| !input.iter().any(|asked| says_the_same(asked, section)));
        self.result = result;
    }

    /// Marks the changes of the call in the list of tasks that it shows.
    fn mark_tasks(&mut self, call: &Call) {
        let has_tasks = |list: &[Section<'_>]| list.iter().any(|section| matches!(section.body, Body::Task(_)));
        task::mark(if has_tasks(&self.input) { &mut self.input } else { &mut self.result }, call);
    }

    /// Replaces the beginning of the output by the whole output.
    fn restore(&mut self, stored: Option<&'e Stored>) {
        let Some(Stored { text, is_cut }) = stored else { return };
        let printed = self.result.iter_mut().find(|section| matches!(section.body, Body::Output(_)));
        match printed {
            Some(section) => section.body = Body::Output(Cow::Borrowed(text)),
            None => self.result.push(tool_section(Body::Output(Cow::Borrowed(text)))),
        }
        if *is_cut {
            let most = human::bytes(story::LONGEST_COMPANION as u64);
            self.result.push(tool_section(Body::Notice(Cow::Owned(format!("only the first {most} of it")))));
        } else {
            self.result.retain(|section| !stored::KEYS.contains(&section.label.key));
        }
    }
}

impl<'a> CallParts<'a> {
    /// The name of the file beside the session with the whole output, if the line contains only a part.
    pub fn stored_name(&self) -> Option<&'a str> {
        stored::name(self.result?)
    }
}

/// A section of a tool's result.
fn tool_section(body: Body<'_>) -> Section<'_> {
    Section { speaker: Speaker::Tool, level: Detail::Full, label: Label::default(), body }
}

/// The sections of the input.
fn asked<'e>(parts: &CallParts<'e>) -> Vec<Section<'e>> {
    let mut sections = Vec::new();
    let mut each = |section| sections.push(section);
    let mut pen = Pen::new(Detail::Full, &mut each);
    let mut pen = pen.by(Speaker::Claude);
    match (parts.input, parts.input_json) {
        (Some(asked), _) => {
            tools::asked(asked, &mut pen);
            unexpected(parts.input_notes, &mut pen);
        }
        (None, Some(json)) => pen.json("", Form::Words, json),
        (None, None) => missing(parts.input_missing, &mut pen),
    }
    sections
}

/// The sections of the result.
pub(crate) fn came<'e>(parts: &CallParts<'e>) -> Vec<Section<'e>> {
    // If the call is lost, its repetition in the result is the only source.
    let most = if parts.input.is_some() { Detail::Full } else { Detail::Raw };
    let mut sections = Vec::new();
    let mut each = |section| sections.push(section);
    let mut pen = Pen::new(most, &mut each);
    let mut pen = pen.by(Speaker::Tool);
    match (parts.result, parts.result_json) {
        (Some(ToolResult::AskUserQuestion(given)), _) => {
            let mut questions = &[][..];
            if let Some(ToolInput::AskUserQuestion(asked)) = parts.input {
                questions = &asked.questions;
            }
            question::answered(questions, given, &mut pen);
        }
        (Some(given), _) => {
            match stored::persisted(given) {
                Some(output) => result::persisted(output, &mut pen),
                None => tools::given(given, &mut pen),
            }
            unexpected(parts.result_notes, &mut pen);
        }
        (None, Some(json)) => block::served(json, &mut pen),
        (None, None) => missing(parts.result_missing, &mut pen),
    }
    // The text for the model is used where the result itself is empty; and only it contains the images of commands.
    let is_image = matches!(parts.result, Some(ToolResult::Bash(shell) | ToolResult::PowerShell(shell)) if shell.is_image == Some(true));
    let is_silent = sections.is_empty() && parts.result.is_some_and(|result| !is_done_silently(result));
    if let Some(content) = parts.content.filter(|_| is_image || is_silent) {
        let mut each = |section| sections.push(section);
        let mut pen = Pen::new(Detail::Full, &mut each);
        let mut pen = pen.by(Speaker::Tool);
        if is_image { block::others(content, &mut pen) } else { block::content(content, &mut pen) }
    }
    sections
}

/// Whether a result only confirms success, and the text for the model adds nothing to that.
fn is_done_silently(result: &ToolResult<'_>) -> bool {
    matches!(
        result,
        ToolResult::TodoWrite(_)
            | ToolResult::SetGoal(_)
            | ToolResult::ReportFindings(_)
            | ToolResult::SendUserMessage(_)
            | ToolResult::Edit(_)
            | ToolResult::MultiEdit(_)
            | ToolResult::Write(_)
    )
}

fn missing<'e>(why: Option<&'e str>, pen: &mut Pen<'_, 'e>) {
    if let Some(why) = why {
        pen.put("", Body::Missing(Cow::Borrowed(why)));
    }
}

/// Whether a note concerns the input or the result of a tool, not the surrounding entry.
pub fn is_of_tool(note: &Note<'_>) -> bool {
    const AROUND: [&str; 9] = [
        "envelope",
        "user",
        "assistant",
        "message",
        "usage",
        "iteration",
        "tool_use block",
        "tool_result block",
        "text block",
    ];
    matches!(note, Note::UnknownField { record, .. } if !AROUND.contains(record))
}

/// Fields that a newer version adds to an input or a result.
pub(crate) fn unexpected<'e>(notes: impl IntoIterator<Item = &'e Note<'e>>, pen: &mut Pen<'_, 'e>) {
    for note in notes {
        if let Note::UnknownField { field, value, .. } = note {
            pen.verbatim().json(field.as_str(), Form::Fact, *value);
        }
    }
}

/// Whether a result repeats a part of the input.
fn says_the_same(asked: &Section<'_>, given: &Section<'_>) -> bool {
    let Body::Fact(value) = &given.body else { return false };
    if let Body::Fact(one) = &asked.body {
        return one == value && (asked.label.words() == given.label.words() || is_telling(value));
    }
    matches!(value, Value::Text(text) if asked.body.text() == Some(text))
}

/// Whether a value identifies a thing regardless of its label: a path, an id, a sentence.
fn is_telling(value: &Value<'_>) -> bool {
    const SHORTEST: usize = 6;
    match value {
        Value::Text(text) => text.len() >= SHORTEST,
        Value::Id(_) => true,
        Value::Word(_) | Value::Time(_) | Value::Number(_) | Value::Fraction(_) | Value::Flag(_) => false,
    }
}

/// Whether the line of the call contains this fact.
fn is_in_line(section: &Section<'_>, call: &Call) -> bool {
    let Body::Fact(value) = &section.body else { return false };
    match value {
        // A URL is kept, because outputs make it a link.
        Value::Text(text) => !text.starts_with("http") && stands_in(text, &call.subject),
        Value::Id(text) | Value::Word(text) => stands_in(text, &call.subject),
        Value::Time(_) | Value::Number(_) | Value::Fraction(_) | Value::Flag(_) => false,
    }
}

/// Whether a text occurs in a line as whole words.
pub fn stands_in(text: &str, line: &str) -> bool {
    let text = text.trim();
    let is_word = |character: Option<char>| character.is_some_and(char::is_alphanumeric);
    let (first, last) = (text.chars().next(), text.chars().next_back());
    first.is_some()
        && line.match_indices(text).any(|(at, _)| {
            let before = line.get(..at).and_then(|before| before.chars().next_back());
            let after = line.get(at + text.len()..).and_then(|after| after.chars().next());
            !(is_word(before) && is_word(first) || is_word(last) && is_word(after))
        })
}
