//! Sections as blocks of Markdown.

use std::fmt::Write as _;
use std::io;

use content::view::{Image, Item, PatchHunk, Section};
use human::counted;
use styled::ansi::{self, Limits};
use styled::clean::{clean_line, clean_text};
use styled::diff::{Change, Hunk, hunks};

use super::images::ImageSink;
use super::{code, literal, prose};

/// Beyond this many lines a block is folded.
const LONG: usize = 40;

/// The block of a section that stands below something: in a list, or a quotation.
pub(super) fn nested(section: &Section, images: &mut dyn ImageSink) -> io::Result<String> {
    Ok(match section {
        Section::Prose(text) => fold_long(prose::nested(text), text),
        Section::Plain(text) => literal::lines(text),
        Section::Output(text) => {
            let text = output(text);
            if text.trim().is_empty() { String::new() } else { fold_long(code::fence("", &text), &text) }
        }
        Section::Code { language, path, first_line, text } => {
            let language = match (language, path) {
                (Some(language), _) => language,
                (None, Some(path)) => code::language_of(path),
                (None, None) => "",
            };
            let block = fold_long(code::fence(language, text), text);
            if *first_line > 1 { format!("*From line {first_line}:*\n\n{block}") } else { block }
        }
        Section::Patch { hunks, .. } => {
            let patch = hunks.iter().map(patched).collect::<String>();
            fold_long(code::fence("diff", &patch), &patch)
        }
        Section::Replacement { old, new, .. } => {
            let (old, new) = (clean_text(old), clean_text(new));
            let changes = replaced(&old, &new);
            fold_long(code::fence("diff", &changes), &changes)
        }
        Section::Items(items) => items.iter().map(item).collect::<Vec<_>>().join("\n"),
        Section::Image(image) => self::image(image, images)?,
        Section::Missing(why) => format!("*{}*", literal::words(why)),
    })
}

/// What a command printed, without colours; of a progress bar, the last state.
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

/// Something that is opened by who wants to see it.
pub(super) fn fold(title: &str, block: &str) -> String {
    format!("<details><summary>{}</summary>\n\n{block}\n\n</details>", summary(title))
}

fn fold_long(block: String, text: &str) -> String {
    let lines = text.trim_end().lines().count();
    if lines > LONG { fold(&counted(lines as u64, "line", "lines"), &block) } else { block }
}

/// Text between tags, where Markdown means nothing.
fn summary(text: &str) -> String {
    clean_line(text).trim().replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

fn patched(hunk: &PatchHunk) -> String {
    let lines = hunk.lines.iter().map(|line| clean_line(line)).collect::<Vec<_>>();
    let read = Hunk::from_patch(hunk.old_start, hunk.new_start, lines.iter().map(AsRef::as_ref));
    let (added, removed) = read.counts();
    let same = read.lines.iter().filter(|(change, _)| *change == Change::Same).count();
    let mut text = format!("@@ -{},{} +{},{} @@\n", hunk.old_start, same + removed, hunk.new_start, same + added);
    read.lines.iter().for_each(|line| write_change(*line, &mut text));
    text
}

/// The changes from one text to another. Where they stand in the file is not known, so there are no numbers.
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

pub(super) fn item(item: &Item) -> String {
    format!("- {}{}", check(item.done), literal::line(&item.text))
}

/// The box before something to do.
pub(super) fn check(done: Option<bool>) -> &'static str {
    match done {
        Some(true) => "[x] ",
        Some(false) => "[ ] ",
        None => "",
    }
}

fn image(image: &Image, images: &mut dyn ImageSink) -> io::Result<String> {
    let is_image = image.media_type.starts_with("image/");
    let kind = if is_image { "image" } else { "document" };
    Ok(match images.place(&image.media_type, &image.data)? {
        Some(target) => format!("{}[{kind}](<{}>)", if is_image { "!" } else { "" }, target_of(&target)),
        None => format!("*{kind} left out ({})*", literal::words(&image.media_type)),
    })
}

/// The target of a link between `<` and `>`.
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

/// A link, or the text alone if the target is not one of the web.
pub(super) fn link(text: &str, target: &str) -> String {
    let text = literal::words(text);
    let is_web = target.starts_with("https://") || target.starts_with("http://");
    if is_web { format!("[{text}](<{}>)", target_of(target)) } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::github::images::{Images, Placing};

    fn told(section: &Section) -> String {
        nested(section, &mut Placing::new(Images::Embed, |_, _| Ok(None))).unwrap()
    }

    #[test]
    fn output_has_no_colours() {
        let output = Section::Output("10 %\r\x1b[32mdone\x1b[0m ```\n\n".to_owned());
        assert_eq!(told(&output), "````\ndone ```\n````");
        assert_eq!(told(&Section::Output(" \n\x1b[0m".to_owned())), "");
    }

    #[test]
    fn what_is_long_is_folded_and_not_cut() {
        let text = "x\n".repeat(LONG + 1);
        let told = told(&Section::Output(text.clone()));
        assert_eq!(told, format!("<details><summary>41 lines</summary>\n\n```\n{text}```\n\n</details>"));
    }

    #[test]
    fn changes_are_diffs() {
        let lines = [" a", "-b", "+c", "+d"].map(str::to_owned).to_vec();
        let patch =
            Section::Patch { path: String::new(), hunks: vec![PatchHunk { old_start: 3, new_start: 3, lines }] };
        assert_eq!(told(&patch), "```diff\n@@ -3,2 +3,3 @@\n a\n-b\n+c\n+d\n```");
        let [old, new] = ["a\nb", "a\nc"].map(str::to_owned);
        let replacement = Section::Replacement { path: String::new(), old, new };
        assert_eq!(told(&replacement), "```diff\n a\n-b\n+c\n```");
    }

    #[test]
    fn summaries_and_targets_cannot_get_out() {
        assert_eq!(fold("</summary> & <b>\n", "x").lines().next().unwrap().matches('<').count(), 3);
        assert_eq!(link("a]b", "https://a.b/>c d"), "[a\\]b](<https://a.b/%3Ec d>)");
        assert_eq!(link("a", "javascript:x"), "a");
    }
}
