//! Sections as lines: one look for each form.

use std::borrow::Cow;
use std::cell::RefCell;

use content::call::split_answer;
use content::section::{Body, File, Image, Label, Question, Section, Speaker, Task};
use format::Text;
use format::tool::{Hunk as PatchHunk, TaskStatus};
use styled::ansi::{self, Limits, output};
use styled::diff::{self, Hunk};
use styled::highlight::Language;
use styled::markdown;
use styled::nesting::is_parsed;
use styled::{Line, Role, Style};
use styled::{fold_each, highlight_each, wrap, wrap_each};

/// Lines, one after another: those of a long text are never all in memory.
pub(super) type Lines<'t> = Box<dyn Iterator<Item = Line> + 't>;

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
pub(super) fn all<'s, 'e: 's>(
    sections: impl IntoIterator<Item = &'s Section<'e>>,
    room: Room,
    out: &mut dyn FnMut(Line),
) {
    let mut sections = sections.into_iter().peekable();
    while let Some(section) = sections.next() {
        let Body::Fact(value) = &section.body else {
            self::lines(section, room).for_each(&mut *out);
            while let Some(next) = sections.next_if(|next| section.is_listed_with(next)) {
                body(next, room).for_each(&mut *out);
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
        fact(&label, &values.join(", "), room).into_iter().for_each(&mut *out);
    }
}

/// The lines of a section.
pub(super) fn lines<'t>(section: &'t Section<'_>, room: Room) -> impl Iterator<Item = Line> + 't {
    let heading = section.heading().map(|heading| Line::new().with(&format!("{heading}:"), Role::Quiet));
    heading.into_iter().chain(body(section, room))
}

/// The lines below the heading of a section.
fn body<'t>(section: &'t Section<'_>, room: Room) -> Lines<'t> {
    let is_human = section.speaker == Speaker::Human;
    match &section.body {
        Body::Reply(text) | Body::Prose(text) | Body::Plan(text) => prose(text, room),
        Body::Words(text) => shortened(plain(text, room.width, Role::Prompt.into()), room.most),
        Body::Thinking(text) => shortened(plain(text, room.width, Role::Quiet.into()), room.most),
        Body::Output(text) if section.is_stderr() => error_stream(text, room),
        Body::Output(text) => printed(text, room),
        Body::Matches(found) => printed(found.text, room),
        Body::Code { language, text } => code(Cow::Borrowed(text), Language::named(language), room),
        Body::File(file) => self::file(file, room),
        Body::Json(json) => {
            code(content::json::tidy(json).map_or(Cow::Borrowed(*json), Cow::Owned), json_language(), room)
        }
        Body::Patch { hunks, .. } => whole(patch(hunks, room)),
        Body::Replacement { old, new, .. } => shortened(whole(diff::between(old, new, 3, room.columns)), room.most),
        Body::Question(question) => whole(self::question(question, room)),
        // The question is normally above it.
        Body::Answer { words, .. } => said(words, room),
        Body::Task(task) => whole(self::task(task, room)),
        Body::Item(text) => item(text, room),
        Body::Fact(value) => whole(fact(&section.label.words(), &value.words(section.label), room)),
        Body::Paths(paths) => self::paths(paths, room),
        Body::Link { title, target, about } => whole(link(title, target, about, room)),
        Body::Image(image) => whole(vec![self::image(image)]),
        Body::Notice(words) if is_human => said(words, room),
        Body::Notice(words) => plain(words, room.width, Role::Quiet.into()),
        Body::Group(words) => whole(vec![group(section.label, words)]),
        Body::Missing(why) => plain(why, room.width, Role::Error.into()),
    }
}

fn whole(lines: Vec<Line>) -> Lines<'static> {
    Box::new(lines.into_iter())
}

fn json_language() -> Option<Language> {
    Language::named("json")
}

/// Markdown.
fn prose(text: &str, room: Room) -> Lines<'_> {
    if is_parsed(text) {
        return shortened(whole(markdown(text, room.width)), room.most);
    }
    shortened(plain(text, room.width, Style::PLAIN), room.most)
}

/// Words, unformatted.
pub(super) fn plain(text: &str, width: usize, style: Style) -> Lines<'_> {
    let lines = Line::each(text.trim_end().into(), style);
    Box::new(lines.flat_map(move |line| wrap_each(line, width, &Line::new(), &Line::new())))
}

/// The output of a program; JSON is indented to be readable.
fn printed(text: &str, room: Room) -> Lines<'_> {
    if let Some(json) = content::json::printed(text) {
        return code(json, json_language(), room);
    }
    output_lines(text, room, room)
}

/// What a program wrote to its standard error: a bar along it tells it from its output.
fn error_stream(text: &str, room: Room) -> Lines<'_> {
    let barred = |line: Line| {
        let mut barred = Line::new().with("┃ ", Role::Error);
        barred.append(&line);
        barred
    };
    Box::new(output_lines(text, room, room.indented(2)).map(barred))
}

fn output_lines(text: &str, room: Room, columns: Room) -> Lines<'_> {
    let text = text.trim_end();
    if room.most == usize::MAX {
        return Box::new(folded(ansi::each_line(text), columns));
    }
    let shown = output(text, Limits { columns: usize::MAX, lines: room.most });
    let more = (shown.left_out > 0).then(|| left_out(shown.left_out));
    Box::new(folded(shown.lines.into_iter(), columns).chain(more))
}

/// Lines that are wrapped at the width, with a mark where they continue.
fn folded<'t>(lines: impl Iterator<Item = Line> + 't, room: Room) -> impl Iterator<Item = Line> + 't {
    lines.flat_map(move |line| folded_line(line, room))
}

fn folded_line(line: Line, room: Room) -> impl Iterator<Item = Line> + use<> {
    fold_each(line, room.columns, &Line::new(), &Line::new().with("↳ ", Role::Quiet))
}

fn coloured(text: Cow<'_, str>, language: Option<Language>) -> Lines<'_> {
    match language {
        Some(language) => Box::new(highlight_each(text, language)),
        None => Box::new(Line::each(text, Style::PLAIN)),
    }
}

fn code(text: Cow<'_, str>, language: Option<Language>, room: Room) -> Lines<'_> {
    let text = match text {
        Cow::Borrowed(text) => Cow::Borrowed(text.trim_end()),
        Cow::Owned(mut text) => {
            text.truncate(text.trim_end().len());
            Cow::Owned(text)
        }
    };
    first_of(coloured(text, language), room.most, move |line| Box::new(folded_line(line, room)))
}

/// The first of some lines, each laid out, and how many more there are.
fn first_of<'t>(
    mut lines: impl Iterator<Item = Line> + 't,
    most: usize,
    lay_out: impl Fn(Line) -> Lines<'static> + 't,
) -> Lines<'t> {
    let mut left = most;
    let mut is_over = false;
    let next = std::iter::from_fn(move || {
        if is_over {
            return None;
        }
        if left > 0 {
            left -= 1;
            return lines.next().map(&lay_out);
        }
        is_over = true;
        let more = lines.by_ref().count();
        (more > 0).then(|| whole(vec![left_out(more)]))
    });
    Box::new(next.flatten())
}

fn file<'t>(file: &'t File<'_>, room: Room) -> Lines<'t> {
    let range = file.range();
    let note = (!range.is_empty()).then(|| Line::new().with(&range, Role::Quiet));
    let language = Language::of_path(file.path);
    let lines = match file.numbered() {
        Some(numbers) if !file.text.is_empty() => {
            let numbers: Vec<usize> = numbers.map(|(number, _)| number).collect();
            numbered(file, numbers.into_iter(), language, room)
        }
        Some(_) | None => code(Cow::Borrowed(&file.text), language, room),
    };
    Box::new(note.into_iter().chain(lines))
}

/// Lines of a file with their numbers.
fn numbered<'t>(
    file: &'t File<'_>,
    numbers: impl Iterator<Item = usize> + 't,
    language: Option<Language>,
    room: Room,
) -> Lines<'t> {
    let width = file.number_width();
    let lines = coloured(file.text.trim_end_matches('\n').into(), language);
    let columns = room.indented(width + 3).columns;
    let gutter = move |number: &str| Line::new().with(&format!("{number:>width$} │ "), Role::Quiet);
    let numbers = RefCell::new(numbers);
    first_of(lines, room.most, move |line| {
        let Some(number) = numbers.borrow_mut().next() else { return whole(Vec::new()) };
        Box::new(fold_each(line, columns, &gutter(&number.to_string()), &gutter("")))
    })
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
    shortened(whole(diff::unified(&hunks, room.columns)), room.most).collect()
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
fn said(words: &str, room: Room) -> Lines<'_> {
    let mark = super::step::marker("❯ ", Role::Prompt);
    Box::new(plain(words, room.width.saturating_sub(2), Role::Prompt.into()).map(mark))
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

fn item(text: &str, room: Room) -> Lines<'static> {
    let indent = Line::new().with("  ", Style::PLAIN);
    let text = Line::new().with(text, Style::PLAIN);
    Box::new(wrap_each(text, room.width, &Line::new().with("• ", Role::Quiet), &indent))
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

fn paths<'t>(paths: &'t [Text<'_>], room: Room) -> Lines<'t> {
    Box::new(folded(paths.iter().map(|path| Line::new().with(path, Style::PLAIN)), room))
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

fn shortened(lines: Lines<'_>, most: usize) -> Lines<'_> {
    if most == usize::MAX {
        return lines;
    }
    first_of(lines, most, |line| whole(vec![line]))
}

fn left_out(lines: usize) -> Line {
    let text = format!("… {}", human::counted(lines as u64, "more line", "more lines"));
    Line::new().with(&text, Role::Quiet)
}
