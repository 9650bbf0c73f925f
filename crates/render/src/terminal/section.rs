//! Sections as lines.

use content::view::{PatchHunk, Section};
use styled::Line;
use styled::Role;
use styled::ansi::{Limits, output};
use styled::diff::{self, Hunk};
use styled::highlight::{Language, highlight};
use styled::markdown;
use styled::{fold, wrap};

/// The lines of a section, in at most `width` columns and `most` lines.
pub(super) fn lines(section: &Section, width: usize, most: usize) -> Vec<Line> {
    match section {
        Section::Prose(text) => shortened(markdown(text, width), most),
        Section::Plain(text) => shortened(plain(text, width, Role::Prompt, false), most),
        Section::Output(text) => {
            let shown = output(text.trim_end(), Limits { columns: width, lines: most });
            let mut lines = shown.lines;
            if shown.left_out > 0 {
                lines.push(left_out(shown.left_out));
            }
            lines
        }
        Section::Code { language, path, text, .. } => {
            let language =
                language.as_deref().and_then(Language::named).or_else(|| path.as_deref().and_then(Language::of_path));
            let lines = match language {
                Some(language) => highlight(text.trim_end(), language),
                None => Line::all(text.trim_end(), styled::Style::PLAIN),
            };
            let (blank, again) = (Line::new(), Line::new().with("↳ ", Role::Quiet));
            let total = lines.len();
            let mut lines: Vec<Line> =
                lines.iter().take(most).flat_map(|line| fold(line, width, &blank, &again)).collect();
            if total > most {
                lines.push(left_out(total - most));
            }
            lines
        }
        Section::Patch { hunks, .. } => {
            let hunk = |hunk: &PatchHunk| (hunk.old_start, hunk.new_start, hunk.lines.clone());
            let owned: Vec<_> = hunks.iter().map(hunk).collect();
            let hunks: Vec<Hunk<'_>> = owned
                .iter()
                .map(|(old, new, lines)| Hunk::from_patch(*old, *new, lines.iter().map(String::as_str)))
                .collect();
            shortened(diff::unified(&hunks, width), most)
        }
        Section::Replacement { old, new, .. } => shortened(diff::between(old, new, 3, width), most),
        Section::Items(items) => {
            let item = |item: &content::view::Item| {
                let mark = match item.done {
                    Some(true) => "[x] ",
                    Some(false) => "[ ] ",
                    None => "• ",
                };
                let indent = Line::new().with(&" ".repeat(mark.chars().count()), Role::Quiet);
                let role = if item.done == Some(true) { Role::Quiet } else { Role::Tool };
                let text = Line::new().with(&item.text, styled::Style::PLAIN);
                wrap(&text, width, &Line::new().with(mark, role), &indent)
            };
            shortened(items.iter().flat_map(item).collect(), most)
        }
        Section::Image(image) => {
            // Four characters of base64 are three bytes.
            let bytes = human::bytes(image.data.len() as u64 / 4 * 3);
            vec![Line::new().with(&format!("[{}, {bytes}]", image.media_type), Role::Quiet)]
        }
        Section::Missing(why) => wrap(&Line::new().with(why, Role::Error), width, &Line::new(), &Line::new()),
    }
}

/// Words as they were typed.
pub(super) fn plain(text: &str, width: usize, role: Role, quiet: bool) -> Vec<Line> {
    let style = if quiet { Role::Quiet.into() } else { styled::Style::from(role) };
    Line::all(text.trim_end(), style).iter().flat_map(|line| wrap(line, width, &Line::new(), &Line::new())).collect()
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
