//! Sections as lines: one look for each form.

use std::borrow::Cow;

use content::call::split_answer;
use content::section::{Body, File, Image, Label, Question, Section, Speaker, Task};
use format::Text;
use format::tool::{Hunk as PatchHunk, TaskStatus};
use styled::ansi::{Limits, output};
use styled::diff::{self, Hunk};
use styled::highlight::{Language, highlight};
use styled::markdown;
use styled::{Line, Role, Style};
use styled::{fold, wrap};

/// The space for a section.
#[derive(Debug, Clone, Copy)]
pub(super) struct Room {
    /// Columns for words.
    pub(super) width: usize,
    /// Columns for code, output and diffs. Unlimited in a file.
    pub(super) columns: usize,
    /// Maximum number of lines of a section.
    pub(super) most: usize,
}

impl Room {
    /// The space beside an indent.
    pub(super) fn indented(self, columns: usize) -> Self {
        let less = |width: usize| if width == usize::MAX { width } else { width.saturating_sub(columns) };
        Self { width: less(self.width), columns: less(self.columns), ..self }
    }
}

/// The lines of consecutive sections. Consecutive facts form one block.
pub(super) fn all<'s, 'e: 's>(sections: impl IntoIterator<Item = &'s Section<'e>>, room: Room) -> Vec<Line> {
    let mut lines = Vec::new();
    let mut sections = sections.into_iter().peekable();
    while let Some(section) = sections.next() {
        let Body::Fact(value) = &section.body else {
            lines.extend(self::lines(section, room));
            while let Some(next) = sections.next_if(|next| section.is_listed_with(next)) {
                lines.extend(body(next, room));
            }
            continue;
        };
        let label = section.label.words();
        let mut values = vec![value.words(section.label)];
        // A list has one label.
        while let Some(next) =
            sections.next_if(|next| matches!(next.body, Body::Fact(_)) && next.label.words() == label)
        {
            if let Body::Fact(value) = &next.body {
                values.push(value.words(next.label));
            }
        }
        lines.extend(fact(&label, &values.join(", "), room));
    }
    lines
}

/// The lines of a section.
pub(super) fn lines(section: &Section<'_>, room: Room) -> Vec<Line> {
    let mut lines = Vec::new();
    if let Some(heading) = section.heading() {
        lines.push(Line::new().with(&format!("{heading}:"), Role::Quiet));
    }
    lines.extend(body(section, room));
    lines
}

/// The lines below the heading of a section.
fn body(section: &Section<'_>, room: Room) -> Vec<Line> {
    let is_human = section.speaker == Speaker::Human;
    match &section.body {
        Body::Reply(text) | Body::Prose(text) | Body::Plan(text) => shortened(markdown(text, room.width), room.most),
        Body::Words(text) => shortened(plain(text, room.width, Role::Prompt.into()), room.most),
        Body::Thinking(text) => shortened(plain(text, room.width, Role::Quiet.into()), room.most),
        Body::Output(text) if section.is_stderr() => error_stream(text, room),
        Body::Output(text) => printed(text, room),
        Body::Matches(found) => printed(found.text, room),
        Body::Code { language, text } => code(text, Language::named(language), room),
        Body::File(file) => self::file(file, room),
        Body::Json(json) => {
            code(&content::json::tidy(json).map_or(Cow::Borrowed(*json), Cow::Owned), json_language(), room)
        }
        Body::Patch { hunks, .. } => patch(hunks, room),
        Body::Replacement { old, new, .. } => shortened(diff::between(old, new, 3, room.columns), room.most),
        Body::Question(question) => self::question(question, room),
        // The question is normally above it.
        Body::Answer { words, .. } => said(words, room),
        Body::Task(task) => self::task(task, room),
        Body::Item(text) => item(text, room),
        Body::Fact(value) => fact(&section.label.words(), &value.words(section.label), room),
        Body::Paths(paths) => self::paths(paths, room),
        Body::Link { title, target, about } => link(title, target, about, room),
        Body::Image(image) => vec![self::image(image)],
        Body::Notice(words) if is_human => said(words, room),
        Body::Notice(words) => plain(words, room.width, Role::Quiet.into()),
        Body::Group(words) => vec![group(section.label, words)],
        Body::Missing(why) => plain(why, room.width, Role::Error.into()),
    }
}

fn json_language() -> Option<Language> {
    Language::named("json")
}

/// Words, unformatted.
pub(super) fn plain(text: &str, width: usize, style: Style) -> Vec<Line> {
    Line::all(text.trim_end(), style).iter().flat_map(|line| wrap(line, width, &Line::new(), &Line::new())).collect()
}

/// The output of a program; JSON is indented to be readable.
fn printed(text: &str, room: Room) -> Vec<Line> {
    if let Some(json) = content::json::printed(text) {
        return code(&json, json_language(), room);
    }
    let shown = output(text.trim_end(), Limits { columns: usize::MAX, lines: room.most });
    let mut lines = folded(&shown.lines, room);
    if shown.left_out > 0 {
        lines.push(left_out(shown.left_out));
    }
    lines
}

/// What a program wrote to its standard error: a bar along it tells it from its output.
fn error_stream(text: &str, room: Room) -> Vec<Line> {
    let shown = output(text.trim_end(), Limits { columns: usize::MAX, lines: room.most });
    let mut lines = folded(&shown.lines, room.indented(2));
    if shown.left_out > 0 {
        lines.push(left_out(shown.left_out));
    }
    let barred = |line: Line| {
        let mut barred = Line::new().with("┃ ", Role::Error);
        barred.append(&line);
        barred
    };
    lines.into_iter().map(barred).collect()
}

/// Lines that are wrapped at the width, with a mark where they continue.
fn folded(lines: &[Line], room: Room) -> Vec<Line> {
    let (blank, again) = (Line::new(), Line::new().with("↳ ", Role::Quiet));
    lines.iter().flat_map(|line| fold(line, room.columns, &blank, &again)).collect()
}

fn coloured(text: &str, language: Option<Language>) -> Vec<Line> {
    match language {
        Some(language) => highlight(text, language),
        None => Line::all(text, Style::PLAIN),
    }
}

fn code(text: &str, language: Option<Language>, room: Room) -> Vec<Line> {
    let lines = coloured(text.trim_end(), language);
    let mut shown = folded(lines.get(..room.most).unwrap_or(&lines), room);
    if let Some(more) = lines.len().checked_sub(room.most).filter(|more| *more > 0) {
        shown.push(left_out(more));
    }
    shown
}

fn file(file: &File<'_>, room: Room) -> Vec<Line> {
    let range = file.range();
    let note = (!range.is_empty()).then(|| Line::new().with(&range, Role::Quiet));
    let language = Language::of_path(file.path);
    let lines = match file.numbered() {
        Some(numbers) if !file.text.is_empty() => numbered(file, numbers.map(|(number, _)| number), language, room),
        Some(_) | None => code(&file.text, language, room),
    };
    note.into_iter().chain(lines).collect()
}

/// Lines of a file with their numbers.
fn numbered(
    file: &File<'_>,
    numbers: impl Iterator<Item = usize>,
    language: Option<Language>,
    room: Room,
) -> Vec<Line> {
    let width = file.number_width();
    let lines = coloured(file.text.trim_end_matches('\n'), language);
    let more = lines.len().saturating_sub(room.most);
    let columns = room.indented(width + 3).columns;
    let gutter = |number: &str| Line::new().with(&format!("{number:>width$} │ "), Role::Quiet);
    let mut shown = Vec::new();
    for (line, number) in lines.iter().zip(numbers).take(room.most) {
        shown.extend(fold(line, columns, &gutter(&number.to_string()), &gutter("")));
    }
    shown.extend((more > 0).then(|| left_out(more)));
    shown
}

fn patch(hunks: &[PatchHunk<'_>], room: Room) -> Vec<Line> {
    let number = |line: Option<i64>| line.and_then(|line| usize::try_from(line).ok()).unwrap_or(1);
    let hunks: Vec<Hunk<'_>> = hunks
        .iter()
        .map(|hunk| {
            let lines = hunk.lines.iter().map(|line| line.as_str());
            Hunk::from_patch(number(hunk.old_start), number(hunk.new_start), lines)
        })
        .collect();
    shortened(diff::unified(&hunks, room.columns), room.most)
}

fn question(question: &Question<'_>, room: Room) -> Vec<Line> {
    let mut line = Line::new();
    if !question.header.is_empty() {
        line.push(&format!("{}: ", question.header), Role::Strong);
    }
    line.push(question.text, Role::Strong);
    let mut lines = wrap(&line, room.width, &Line::new(), &Line::new());
    let (chosen, _) = split_answer(question.answer, question.options, question.is_multiple);
    for (number, option) in question.options.iter().enumerate() {
        let word = |text: Option<Text<'_>>| text.map_or("", Text::as_str).to_owned();
        let mark = if chosen.contains(&number) { "  [x] " } else { "  [ ] " };
        let mut line = Line::new().with(&word(option.label), Style::PLAIN);
        if let Some(description) = option.description {
            line.push("  ", Style::PLAIN);
            line.push(&description, Role::Quiet);
        }
        let indent = Line::new().with("      ", Style::PLAIN);
        lines.extend(wrap(&line, room.width, &Line::new().with(mark, Role::Tool), &indent));
        if let Some(preview) = option.preview {
            let shown = printed(&preview, room.indented(6));
            lines.extend(super::step::indented(shown, 6));
        }
    }
    lines
}

/// The words or the action of the human.
fn said(words: &str, room: Room) -> Vec<Line> {
    let lines = plain(words, room.width.saturating_sub(2), Role::Prompt.into());
    super::step::marked("❯ ", Role::Prompt, lines)
}

/// A task, with what the call changed about it.
pub(super) fn task(task: &Task<'_>, room: Room) -> Vec<Line> {
    let (mark, role) = match task.status {
        Some(TaskStatus::Completed) => ("[x] ", Role::Added),
        Some(TaskStatus::InProgress) => ("[>] ", Role::Tool),
        Some(TaskStatus::Deleted) => ("[-] ", Role::Quiet),
        Some(TaskStatus::Pending | TaskStatus::Other(_)) | None => ("[ ] ", Role::Quiet),
    };
    let mut line = Line::new();
    if !task.id.is_empty() {
        line.push(&format!("#{} ", task.id), Role::Quiet);
    }
    line.push(&task.text, Style::PLAIN);
    let remarks = task.remarks();
    if !remarks.is_empty() {
        line.push(&format!(" ({remarks})"), Role::Quiet);
    }
    for (words, role) in [(task.progress(), Role::Tool), (task.news(), Role::Strong)] {
        if !words.is_empty() {
            line.push(" · ", Role::Quiet);
            line.push(&words, role);
        }
    }
    wrap(&line, room.width, &Line::new().with(mark, role), &Line::new().with("    ", Style::PLAIN))
}

fn item(text: &str, room: Room) -> Vec<Line> {
    let indent = Line::new().with("  ", Style::PLAIN);
    let text = Line::new().with(text, Style::PLAIN);
    wrap(&text, room.width, &Line::new().with("• ", Role::Quiet), &indent)
}

/// A fact: its label with the value beside it, or below it if the value has several lines.
fn fact(label: &str, value: &str, room: Room) -> Vec<Line> {
    if value.trim_end().contains('\n') {
        let below = super::step::indented(plain(value, room.indented(2).width, Style::PLAIN), 2);
        return std::iter::once(Line::new().with(&format!("{label}:"), Role::Quiet)).chain(below).collect();
    }
    let label = Line::new().with(&format!("{label}: "), Role::Quiet);
    wrap(&Line::new().with(value, Style::PLAIN), room.width, &label, &Line::new().with("  ", Style::PLAIN))
}

fn paths(paths: &[Text<'_>], room: Room) -> Vec<Line> {
    let lines: Vec<Line> = paths.iter().map(|path| Line::new().with(path, Style::PLAIN)).collect();
    folded(&lines, room)
}

fn link(title: &str, target: &str, about: &str, room: Room) -> Vec<Line> {
    let mut line = Line::new().with(title, Style::PLAIN);
    if !title.is_empty() && !target.is_empty() && title != target {
        line.push("  ", Style::PLAIN);
    }
    if title != target {
        line.push(target, Role::Quiet);
    }
    let indent = Line::new().with("  ", Style::PLAIN);
    let mut lines = wrap(&line, room.width, &Line::new().with("• ", Role::Quiet), &indent);
    if !about.is_empty() {
        let about = plain(about, room.indented(2).width, Role::Quiet.into());
        lines.extend(super::step::indented(about, 2));
    }
    lines
}

fn image(image: &Image<'_>) -> Line {
    let text = format!("[{}, {}]", image.media_type, human::bytes(image.size()));
    Line::new().with(&text, Role::Quiet)
}

fn group(label: Label<'_>, words: &str) -> Line {
    let words = if words.is_empty() { label.words() } else { Cow::Borrowed(words) };
    Line::new().with(&format!("— {words}"), Role::Quiet)
}

fn shortened(mut lines: Vec<Line>, most: usize) -> Vec<Line> {
    let total = lines.len();
    if total > most {
        lines.truncate(most);
        lines.push(left_out(total - most));
    }
    lines
}

fn left_out(lines: usize) -> Line {
    let text = format!("… {}", human::counted(lines as u64, "more line", "more lines"));
    Line::new().with(&text, Role::Quiet)
}
