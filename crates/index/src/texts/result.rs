//! The texts of tool results: the text for the model, and the sections of the structured result that add to it.

use std::ops::Range;

use content::call;
use content::section::{Body, File, Section, Value};
use format::block::{Block, Content, ToolResultBlock};
use format::text::{Reply, ResultText, result_text, split_trailing_reminders};
use format::tool::{Hunk, Structured, ToolKind, ToolResult, read_result};
use format::{Body as EntryBody, Entry, Scratch, Text};
use rustc_hash::FxHashSet;
use story::Detail;

use super::{Column, Pen, column, is_word_of_format, json};

/// All results of an entry. If there are several, it is unknown to which of them the structured result belongs.
pub(super) fn results(entry: &Entry<'_>, pen: &mut Pen<'_>) {
    if entry.foreign.is_some() {
        return;
    }
    let body = &entry.inner().body;
    let structured = match body {
        EntryBody::User(user) => user.tool_use_result.as_ref(),
        _ => None,
    };
    let Some(content) = body.message().and_then(|message| message.content.as_ref()) else { return };
    let results = || content.blocks().iter().filter_map(Block::as_result);
    let is_single = results().count() == 1;
    for result in results() {
        self::result(result, structured.filter(|_| is_single), pen);
    }
    if let Some(structured) = structured.filter(|_| !is_single) {
        pen.put_json(Column::Seen, structured.json.as_json());
    }
}

/// One result.
fn result(block: &ToolResultBlock<'_>, structured: Option<&Structured<'_>>, pen: &mut Pen<'_>) {
    let mut model_text = ModelText::new(block.content.as_ref());
    let scratch = Scratch::default();
    if let Some(answered) = answers(block, structured, &scratch) {
        return call::result(&answered, Detail::Full, &mut |section| answer(&section, pen));
    }
    // Only an object can have been parsed as the result type of its tool. A result without a named tool is not guessed.
    let is_object = |structured: &&Structured<'_>| structured.json.as_json().starts_with('{');
    let typed = structured.filter(is_object).map(|it| read_result(Some(""), Some(it.clone()), None, &scratch).result);
    let Some(typed) = typed.filter(|typed| !matches!(typed, ToolResult::Other(_))) else {
        put_model_text(block, false, pen);
        return structured.into_iter().for_each(|it| model_text.put_rest_of_json(it.json.as_json(), pen));
    };
    let mut sections = Vec::new();
    call::result(&typed, Detail::Full, &mut |section| sections.push(section));
    let is_in_model_text = |section: &Section<'_>| matches!(&section.body, Body::File(file) if model_text.shows(file));
    let is_put = sections.iter().any(is_in_model_text);
    if is_put {
        for section in &sections {
            pen.section(section);
        }
        return put_model_text(block, true, pen);
    }
    put_model_text(block, false, pen);
    for section in &sections {
        model_text.put_rest_of(section, pen);
    }
}

/// The text for the model, and the user's words in it. With `is_put`, only the text added at its end.
fn put_model_text(block: &ToolResultBlock<'_>, is_put: bool, pen: &mut Pen<'_>) {
    let Some(content) = &block.content else { return };
    for text in content.texts() {
        let (body, _) = split_trailing_reminders(text.as_str());
        let reminders = text.get(body.len()..).unwrap_or_default();
        match user_said(block, body) {
            _ if is_put => {}
            Some((before, words, after)) => {
                pen.put(Column::Seen, before.trim());
                pen.put(Column::Said, words);
                pen.put(Column::Seen, after.trim());
            }
            None => pen.put(Column::Seen, body),
        }
        // Reminders include their tags, because these are displayed too.
        for reminder in reminders.split_inclusive("</system-reminder>").filter(|text| !is_said_of_every_file(text)) {
            pen.put(Column::Seen, reminder.trim());
        }
    }
    content::call::others(content, Detail::Full, &mut |section| pen.section(&section));
}

/// Whether a reminder is the one below every file, which would make every file a match.
fn is_said_of_every_file(reminder: &str) -> bool {
    let inside = reminder.trim_start().strip_prefix("<system-reminder>").unwrap_or(reminder);
    inside.trim_start().starts_with("Whenever you read a file, you should consider whether it ")
}

/// The user's own words in a rejection, with the text before and after them.
fn user_said<'t>(block: &ToolResultBlock<'_>, text: &'t str) -> Option<(&'t str, &'t str, &'t str)> {
    // Every rejection is an error, but old versions do not always mark it as one.
    let is_rejection = block.is_error.unwrap_or_else(|| text.starts_with("The user doesn't want to "));
    let ResultText::Rejected(Reply::Said(words)) = is_rejection.then(|| result_text(text))? else { return None };
    let (before, after) = text.rsplit_once(words)?;
    Some((before, words, after))
}

/// The user's answers, if the tool asks questions.
fn answers<'a>(
    block: &ToolResultBlock<'a>,
    structured: Option<&Structured<'a>>,
    scratch: &'a Scratch,
) -> Option<ToolResult<'a>> {
    const STARTS: [&str; 2] = ["User has answered your questions: ", "Your questions have been answered: "];
    let text = block.content.as_ref()?.texts().next()?;
    if !STARTS.iter().any(|start| text.starts_with(start)) {
        return None;
    }
    let typed = read_result(Some(ToolKind::AskUserQuestion.name()), structured.cloned(), Some(block), scratch).result;
    Some(typed).filter(|typed| matches!(typed, ToolResult::AskUserQuestion(_)))
}

/// The call asked the questions; the answers are the user's.
fn answer(section: &Section<'_>, pen: &mut Pen<'_>) {
    match &section.body {
        Body::Question(_) => {}
        Body::Answer { question, words } => {
            pen.put(Column::Seen, question);
            pen.put(Column::Said, words);
        }
        _ => pen.section(section),
    }
}

/// Whether a text is a file with line numbers, judged by its beginning and its length.
fn is_numbered(model_text: &str, file: &str, lines: i64) -> bool {
    /// The size of a line number and its separators.
    const LONGEST_NUMBER: usize = 12;
    let (model_text, _) = split_trailing_reminders(model_text);
    let first = |text: &'_ str| text.split('\n').next().map(str::len);
    let (Some(model_first), Some(file_first)) = (first(model_text), first(file)) else { return false };
    let lines = usize::try_from(lines).unwrap_or_default();
    let longest = lines.saturating_add(1).saturating_mul(LONGEST_NUMBER).saturating_add(file.len());
    model_first > file_first
        && model_text
            .get(..model_first)
            .zip(file.get(..file_first))
            .is_some_and(|(model_text, file)| model_text.ends_with(file))
        && (file.trim_end().len() + lines..=longest).contains(&model_text.len())
}

/// Passes on the lines of a patch that the text for the model does not contain.
fn patch(hunks: &[Hunk<'_>], model_text: &ModelText<'_>, pen: &mut Pen<'_>) {
    let shown = shown_lines(model_text.first());
    for hunk in hunks {
        let mut number = hunk.new_start.unwrap_or_default();
        for line in &hunk.lines {
            let is_there = line.starts_with([' ', '+']);
            if !(is_there && shown.contains(&number)) {
                pen.put(Column::Seen, line.get(1..).unwrap_or(line).trim());
            }
            number = number.saturating_add(is_there.into());
        }
    }
}

/// The numbers of the lines that older versions show after a change.
fn shown_lines(model_text: &str) -> Range<i64> {
    let Some((_, lines)) = model_text.split_once(" snippet of the edited file:\n") else { return 0..0 };
    let digits = |text: &str| text.find(|c: char| !c.is_ascii_digit());
    let first = lines.trim_start();
    let number = digits(first).and_then(|end| first.get(..end)?.parse().ok()).unwrap_or(i64::MAX);
    // The last line may be a sentence; a duplicate is better than a loss.
    let count = i64::try_from(lines.lines().count()).unwrap_or_default().saturating_sub(1);
    number..number.saturating_add(count)
}

/// The text of a result for the model.
struct ModelText<'c> {
    content: Option<&'c Content<'c>>,
    /// The number of searches left: results are large, and the number of texts to look for is unbounded.
    searches: u32,
}

impl<'c> ModelText<'c> {
    fn new(content: Option<&'c Content<'c>>) -> Self {
        const SEARCHES: u32 = 32;
        Self { content, searches: SEARCHES }
    }

    fn texts(&self) -> impl Iterator<Item = &'c str> + use<'c> {
        self.content.into_iter().flat_map(Content::texts).map(Text::as_str)
    }

    fn first(&self) -> &'c str {
        self.texts().next().unwrap_or_default()
    }

    /// Whether it contains a text. Only the first occurrence of the text's beginning is examined.
    fn holds(&mut self, text: &str) -> bool {
        /// The length that is searched for. Searching a long text costs as much as reading the text that contains it.
        const BEGINNING: usize = 32;
        let text = text.trim();
        if text.is_empty() {
            return true;
        }
        let Some(left) = self.searches.checked_sub(1) else { return false };
        self.searches = left;
        let end = text.char_indices().nth(BEGINNING).map_or(text.len(), |(at, _)| at);
        let beginning = text.get(..end).unwrap_or(text);
        let holds = |model_text: &str, at: usize| {
            model_text.get(at..).is_some_and(|rest| rest.starts_with(text)) && stands_alone(model_text, at, text)
        };
        let long_enough = |model_text: &&str| model_text.len() >= text.len();
        self.texts().filter(long_enough).any(|model_text| {
            holds(model_text, 0) || model_text.find(beginning).is_some_and(|at| holds(model_text, at))
        })
    }

    /// Whether it is this file, with line numbers.
    fn shows(&self, file: &File<'_>) -> bool {
        file.lines.is_some_and(|lines| is_numbered(self.first(), &file.text, lines))
    }

    /// Passes on the parts of a section that it does not contain.
    fn put_rest_of(&mut self, section: &Section<'_>, pen: &mut Pen<'_>) {
        match &section.body {
            Body::Json(json) => self.put_rest_of_json(json, pen),
            Body::Paths(paths) => self.put_other_lines(paths, pen),
            Body::Patch { hunks, .. } => patch(hunks, self, pen),
            Body::Fact(_) if is_word_of_format(section) => {}
            Body::Fact(Value::Time(time)) => pen.put(column(section), time.as_str()),
            body => body.each_text(|text| {
                if !json::is_data(text) && !self.holds(text) {
                    pen.put(column(section), self.beyond(text));
                }
            }),
        }
    }

    /// Passes on the texts of a value that it does not contain.
    fn put_rest_of_json(&mut self, value: &str, pen: &mut Pen<'_>) {
        json::texts(value, |text| {
            if !self.holds(text.strip_prefix("Error: ").unwrap_or(text)) {
                pen.put(Column::Seen, self.beyond(text));
            }
        });
    }

    /// Passes on the texts that are not among its lines. There may be very many.
    fn put_other_lines(&self, texts: &[Text<'_>], pen: &mut Pen<'_>) {
        if texts.is_empty() {
            return;
        }
        let lines: FxHashSet<&str> = self.texts().flat_map(str::lines).collect();
        let others = texts.iter().filter(|text| !lines.contains(text.as_str()));
        others.for_each(|text| pen.put(Column::Seen, text.as_str()));
    }

    /// A text without the lines that this one shares at its beginning: the model gets only the beginning of long
    /// output.
    fn beyond<'t>(&self, text: &'t str) -> &'t str {
        /// Truncated output is longer. A shorter match may be chance, and its lines then belong to the text after them.
        const SHORTEST_CUT: usize = 1000;
        let whole = text.trim_start();
        let pairs = whole.bytes().zip(self.first().trim_start().bytes());
        let (mut common, mut lines) = (0, 0);
        for (byte, _) in pairs.take_while(|(byte, other)| byte == other) {
            common += 1;
            if byte == b'\n' {
                lines = common;
            }
        }
        if common < SHORTEST_CUT { text } else { whole.get(lines..).unwrap_or(text) }
    }
}

/// Whether a match is not part of longer words.
fn stands_alone(whole: &str, at: usize, text: &str) -> bool {
    let is_inside = |left: Option<char>, right: Option<char>| {
        left.is_some_and(char::is_alphanumeric) && right.is_some_and(char::is_alphanumeric)
    };
    let before = whole.get(..at).and_then(|before| before.chars().next_back());
    let after = whole.get(at + text.len()..).and_then(|after| after.chars().next());
    !is_inside(before, text.chars().next()) && !is_inside(text.chars().next_back(), after)
}
