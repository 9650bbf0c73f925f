//! Sections as blocks of Markdown: one look for each form.

use std::borrow::Cow;
use std::fmt::Write as _;
use std::io;

use content::call::split_answer;
use content::section::{Body, File, Image, Question, Section, Speaker, Task};
use format::Text;
use format::tool::{Hunk as PatchHunk, TaskStatus};
use human::counted;
use styled::ansi::{self, Limits};
use styled::clean::{clean_line, clean_text};
use styled::diff::{Change, Hunk, hunks};

use super::images::ImageSink;
use super::sheet::quote;
use super::{code, literal, prose};

/// Longer blocks, in lines, are folded.
const LONG: usize = 40;

/// The blocks of nested sections. Consecutive facts, tasks, items and links become a list.
pub(super) fn all<'s, 'e: 's>(
    sections: impl IntoIterator<Item = &'s Section<'e>>,
    images: &mut dyn ImageSink,
) -> io::Result<Vec<String>> {
    let mut blocks: Vec<String> = Vec::new();
    let mut sections = sections.into_iter().peekable();
    while let Some(section) = sections.next() {
        let heading = section.heading().map(|words| format!("*{}:*", literal::words(&words)));
        if !is_listed(&section.body) {
            let block = nested(section, images)?;
            blocks.extend(heading.filter(|_| !block.is_empty()));
            blocks.push(block);
            continue;
        }
        blocks.extend(heading);
        let mut list = listed(section);
        let mut previous = section;
        while let Some(next) = sections.next_if(|next| section.is_listed_with(next)) {
            let is_more = previous.label.words() == next.label.words();
            previous = next;
            if let (Body::Fact(value), true) = (&next.body, is_more) {
                // A list of values has one label.
                let _ = write!(list, ", {}", value_of(&value.words(next.label)));
            } else {
                list.push('\n');
                list.push_str(&listed(next));
            }
        }
        blocks.push(list);
    }
    blocks.retain(|block| !block.is_empty());
    Ok(blocks)
}

/// Whether a form is a list item.
const fn is_listed(body: &Body<'_>) -> bool {
    matches!(body, Body::Fact(_) | Body::Task(_) | Body::Item(_) | Body::Link { .. })
}

fn listed(section: &Section<'_>) -> String {
    match &section.body {
        Body::Fact(value) => {
            let label = section.label.words();
            format!("- *{}:* {}", literal::words(&label), value_of(&value.words(section.label)))
        }
        Body::Task(task) => self::task(task),
        Body::Item(text) => format!("- {}", literal::line(text)),
        Body::Link { title, target, about } => {
            let title = if title.is_empty() { target } else { title };
            let about = literal::line(about);
            let between = if about.is_empty() { "" } else { " — " };
            let is_plain = !is_web(target) && title != target;
            let target_words = if is_plain { format!(" ({})", literal::words(target)) } else { String::new() };
            format!("- {}{target_words}{between}{about}", link(title, target))
        }
        _ => String::new(),
    }
}

/// A value in a list item: a link if it is one; a value of several lines goes below.
fn value_of(value: &str) -> String {
    if is_web(value) && !value.contains(char::is_whitespace) {
        return link(value, value);
    }
    if value.trim_end().contains('\n') {
        format!("\n  {}", code::fence("", value).replace('\n', "\n  "))
    } else {
        literal::words(value)
    }
}

/// The block of a nested section: in a list, or a quotation.
pub(super) fn nested(section: &Section<'_>, images: &mut dyn ImageSink) -> io::Result<String> {
    Ok(match &section.body {
        // Human words are never folded.
        Body::Reply(text) | Body::Prose(text) | Body::Plan(text) if section.speaker == Speaker::Human => {
            prose::nested(text)
        }
        Body::Reply(text) | Body::Prose(text) | Body::Plan(text) => fold_long(prose::nested(text), text),
        Body::Words(text) | Body::Thinking(text) => literal::lines(text),
        Body::Output(text) if section.is_stderr() => fold_long(code::fence("", &output(text)), text),
        Body::Output(text) => printed(text),
        Body::Matches(found) => printed(found.text),
        Body::Code { language, text } => fold_long(code::fence(language, text), text),
        Body::Json(json) => {
            let tidy = content::json::tidy(json).map_or(Cow::Borrowed(*json), Cow::Owned);
            fold_long(code::fence("json", &tidy), &tidy)
        }
        Body::File(file) => self::file(file),
        Body::Patch { hunks, .. } => {
            let patch = hunks.iter().map(patched).collect::<String>();
            fold_long(code::fence("diff", &patch), &patch)
        }
        Body::Replacement { old, new, .. } => {
            let (old, new) = (clean_text(old), clean_text(new));
            let changes = replaced(&old, &new);
            fold_long(code::fence("diff", &changes), &changes)
        }
        Body::Question(question) => self::question(question),
        Body::Answer { words, .. } => quote(&literal::lines(words)),
        Body::Fact(_) | Body::Task(_) | Body::Item(_) | Body::Link { .. } => listed(section),
        Body::Paths(paths) => {
            let paths = paths.iter().map(|path| clean_line(path).into_owned()).collect::<Vec<_>>().join("\n");
            fold_long(code::fence("", &paths), &paths)
        }
        Body::Image(image) => self::image(image, images)?,
        Body::Notice(words) if section.speaker == Speaker::Human => format!("**You** {}", literal::line(words)),
        Body::Notice(words) => format!("*{}*", literal::words(words)),
        Body::Group(words) => {
            let words = if words.is_empty() { section.label.words() } else { Cow::Borrowed(&**words) };
            format!("**{}**", literal::words(&words))
        }
        Body::Missing(why) => format!("*{}*", literal::words(why)),
    })
}

/// The output of a program, without colours; JSON is indented to be readable.
fn printed(text: &str) -> String {
    if let Some(json) = content::json::printed(text) {
        return fold_long(code::fence("json", &json), &json);
    }
    let text = output(text);
    if text.trim().is_empty() { String::new() } else { fold_long(code::fence("", &text), &text) }
}

/// The output of a command, without colours; of a progress bar, the last state.
fn output(text: &str) -> String {
    let text = text.trim_end();
    let shown = ansi::output(text, Limits { columns: usize::MAX, lines: usize::MAX });
    let mut plain = String::with_capacity(text.len());
    for line in &shown.lines {
        plain.push_str(line.text().trim_end());
        plain.push('\n');
    }
    plain
}

fn file(file: &File<'_>) -> String {
    let range = literal::words(&file.range());
    if file.text.is_empty() {
        return if range.is_empty() { range } else { format!("*{range}*") };
    }
    let text = numbered(file).map_or(Cow::Borrowed(&*file.text), Cow::Owned);
    let block = fold_long(code::fence(code::language_of(file.path), &text), &text);
    if range.is_empty() { block } else { format!("*{range}:*\n\n{block}") }
}

/// The lines of a file with their numbers, if they are known.
fn numbered(file: &File<'_>) -> Option<String> {
    let width = file.number_width();
    let mut text = String::with_capacity(file.text.len() + file.text.len() / 4);
    for (number, line) in file.numbered()? {
        let _ = writeln!(text, "{number:>width$} │ {line}");
    }
    Some(text)
}

fn question(question: &Question<'_>) -> String {
    let word = |text: Option<Text<'_>>| literal::line(text.map_or("", Text::as_str));
    let header = literal::words(question.header);
    let header = if header.is_empty() { header } else { format!("**{header}** ") };
    let mut block = format!("{header}{}", literal::line(question.text));
    let (chosen, _) = split_answer(question.answer, question.options, question.is_multiple);
    for (number, option) in question.options.iter().enumerate() {
        let lead = if number == 0 { "\n\n" } else { "\n" };
        let _ = write!(block, "{lead}- {}{}", check(Some(chosen.contains(&number))), word(option.label));
        if let Some(description) = option.description {
            let _ = write!(block, " — {}", literal::line(&description));
        }
        if let Some(preview) = option.preview {
            let _ = write!(block, "\n\n  {}\n", code::fence("", &preview).replace('\n', "\n  "));
        }
    }
    block
}

/// A block that is folded until the reader opens it.
pub(super) fn fold(title: &str, block: &str) -> String {
    format!("<details><summary>{}</summary>\n\n{block}\n\n</details>", summary(title))
}

fn fold_long(block: String, text: &str) -> String {
    let lines = text.trim_end().lines().count();
    if lines > LONG { fold(&counted(lines as u64, "line", "lines"), &block) } else { block }
}

/// Text between tags, where Markdown has no meaning.
fn summary(text: &str) -> String {
    clean_line(text).trim().replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

fn patched(hunk: &PatchHunk<'_>) -> String {
    let number = |line: Option<i64>| line.and_then(|line| usize::try_from(line).ok()).unwrap_or(1);
    let (old_start, new_start) = (number(hunk.old_start), number(hunk.new_start));
    let lines = hunk.lines.iter().map(|line| clean_line(line)).collect::<Vec<_>>();
    let read = Hunk::from_patch(old_start, new_start, lines.iter().map(AsRef::as_ref));
    let (added, removed) = read.counts();
    let same = read.lines.iter().filter(|(change, _)| *change == Change::Same).count();
    let mut text = format!("@@ -{old_start},{} +{new_start},{} @@\n", same + removed, same + added);
    read.lines.iter().for_each(|line| write_change(*line, &mut text));
    text
}

/// The diff of two texts. Their position in the file is unknown, so there are no line numbers.
fn replaced(old: &str, new: &str) -> String {
    let mut text = String::new();
    for (number, hunk) in hunks(old, new, 3).iter().enumerate() {
        if number > 0 {
            text.push_str("@@ … @@\n");
        }
        hunk.lines.iter().for_each(|line| write_change(*line, &mut text));
    }
    text
}

fn write_change((change, line): (Change, &str), text: &mut String) {
    let mark = match change {
        Change::Same => ' ',
        Change::Removed => '-',
        Change::Added => '+',
        Change::Note => '\\',
    };
    let _ = writeln!(text, "{mark}{line}");
}

/// A task, with what the call changed about it.
pub(super) fn task(task: &Task<'_>) -> String {
    let id = if task.id.is_empty() { String::new() } else { format!("{} ", literal::words(&format!("#{}", task.id))) };
    let remarks = task.remarks();
    let remark = if remarks.is_empty() { remarks } else { format!(" ({})", literal::words(&remarks)) };
    let mut text = literal::line(&task.text);
    if task.status == Some(TaskStatus::Deleted) {
        text = format!("~~{text}~~");
    }
    let mut item = format!("- {}{id}{text}{remark}", check(Some(task.status == Some(TaskStatus::Completed))));
    for words in [task.progress(), task.news()].iter().filter(|words| !words.is_empty()) {
        let _ = write!(item, " · *{}*", literal::words(words));
    }
    item
}

/// The checkbox of a task.
pub(super) fn check(done: Option<bool>) -> &'static str {
    match done {
        Some(true) => "[x] ",
        Some(false) => "[ ] ",
        None => "",
    }
}

fn image(image: &Image<'_>, images: &mut dyn ImageSink) -> io::Result<String> {
    let is_image = image.media_type.starts_with("image/");
    let kind = if is_image { "image" } else { "document" };
    Ok(match images.place(&image.media_type, &image.data)? {
        Some(target) => format!("{}[{kind}](<{}>)", if is_image { "!" } else { "" }, target_of(&target)),
        None => format!("*{kind} left out ({})*", literal::words(&image.media_type)),
    })
}

/// The target of a link, between `<` and `>`.
fn target_of(target: &str) -> String {
    let mut escaped = String::with_capacity(target.len());
    for c in clean_line(target).chars() {
        match c {
            '<' => escaped.push_str("%3C"),
            '>' => escaped.push_str("%3E"),
            '\\' => escaped.push_str("%5C"),
            '&' => escaped.push_str("&amp;"),
            c => escaped.push(c),
        }
    }
    escaped
}

fn is_web(target: &str) -> bool {
    target.starts_with("https://") || target.starts_with("http://")
}

/// A link, or the text alone if the target is not on the web.
pub(super) fn link(text: &str, target: &str) -> String {
    let text = literal::words(text);
    if is_web(target) { format!("[{text}](<{}>)", target_of(target)) } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::github::images::{Images, Placing};
    use content::section::Label;
    use story::Detail;

    fn markdown(body: Body<'_>) -> String {
        let section = Section { speaker: Speaker::Tool, level: Detail::Full, label: Label::default(), body };
        all([&section], &mut Placing::new(Images::Embed, |_, _| Ok(None))).unwrap().join("\n\n")
    }

    #[test]
    fn output_has_no_colours() {
        let output = Body::Output("10 %\r\x1b[32mdone\x1b[0m ```\n\n".into());
        assert_eq!(markdown(output), "````\ndone ```\n````");
        assert_eq!(markdown(Body::Output(" \n\x1b[0m".into())), "");
    }

    #[test]
    fn what_is_long_is_folded_and_not_cut() {
        let text = "x\n".repeat(LONG + 1);
        let markdown = markdown(Body::Output(text.clone().into()));
        assert_eq!(markdown, format!("<details><summary>41 lines</summary>\n\n```\n{text}```\n\n</details>"));
    }

    #[test]
    fn changes_are_diffs() {
        let lines = [" a", "-b", "+c", "+d"].map(Text::from).to_vec();
        let hunks = [PatchHunk { old_start: Some(3), new_start: Some(3), lines, ..PatchHunk::default() }];
        let patch = Body::Patch { path: "", hunks: &hunks };
        assert_eq!(markdown(patch), "```diff\n@@ -3,2 +3,3 @@\n a\n-b\n+c\n+d\n```");
        let replacement = Body::Replacement { path: "", language: "", old: "a\nb".into(), new: "a\nc".into() };
        assert_eq!(markdown(replacement), "```diff\n a\n-b\n+c\n```");
    }

    #[test]
    fn summaries_and_targets_cannot_get_out() {
        assert_eq!(fold("</summary> & <b>\n", "x").lines().next().unwrap().matches('<').count(), 3);
        assert_eq!(link("a]b", "https://a.b/>c d"), "[a\\]b](<https://a.b/%3Ec d>)");
        assert_eq!(link("a", "javascript:x"), "a");
    }
}
