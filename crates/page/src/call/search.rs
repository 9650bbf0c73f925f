//! Files, lines, symbols and tools that were looked for.

use std::fmt::Write as _;

use format::Text;
use format::tool::{
    GlobResult, GrepInput, GrepMode, GrepResult, ListDirectoryResult, LspResult, ToolInput, ToolSearchResult,
};
use maud::{Markup, PreEscaped, Render as _, html};
use rustc_hash::FxHashMap;

use super::content::said;
use super::pattern::Pattern;
use super::piece::{counted, note, notes, word};
use crate::long::long_text;
use crate::text::Cleaned;
use crate::{output, text};
use content::view::CallParts;
use human::thousands;
use styled::clean::{clean_line, clean_text};

/// More places than this are not marked: a page that is all marks says nothing.
const MOST_MARKS: usize = 1000;

/// Files by name.
pub(super) fn globbed(found: &GlobResult<'_>, project: &str) -> Markup {
    let more = match (found.timed_out, found.truncated, found.total_matches) {
        (Some(true), _, _) => "there may be more: it took too long".to_owned(),
        (_, Some(true), Some(total)) => {
            format!("{} of {}", thousands(found.filenames.len() as u64), counted(Some(total), "file", "files"))
        }
        (_, Some(true), None) => "there are more".to_owned(),
        _ => String::new(),
    };
    html! { (paths(&found.filenames, project)) (note(&more)) }
}

/// Paths by folder, in the order in which the folders come.
fn paths(paths: &[Text<'_>], project: &str) -> Markup {
    let mut places = FxHashMap::default();
    let mut folders: Vec<(&str, Vec<&str>)> = Vec::new();
    for path in paths.iter().map(|path| below(path.as_str(), project)) {
        let (folder, file) = match path.rfind(['/', '\\']).and_then(|at| path.split_at_checked(at + 1)) {
            Some((folder, file)) => (folder, file),
            None => ("", path),
        };
        let place = *places.entry(folder).or_insert_with(|| {
            folders.push((folder, Vec::new()));
            folders.len() - 1
        });
        if let Some((_, files)) = folders.get_mut(place) {
            files.push(file);
        }
    }
    if folders.is_empty() {
        return note("no files");
    }
    let mut listed = String::new();
    for (folder, files) in &folders {
        let indent = if folder.is_empty() { "" } else { "  " };
        if !folder.is_empty() {
            let _ = writeln!(listed, "{}", clean_line(folder));
        }
        for file in files {
            let _ = writeln!(listed, "{indent}{}", clean_line(file));
        }
    }
    long_text(&listed, |lines, _| html! { pre.paths tabindex="0" { (Cleaned(lines)) } })
}

/// A path as it is seen from the project.
fn below<'p>(path: &'p str, project: &str) -> &'p str {
    let inside = path.strip_prefix(project).and_then(|rest| rest.strip_prefix(['/', '\\']));
    inside.filter(|rest| !project.is_empty() && !rest.is_empty()).unwrap_or(path)
}

/// What else was asked for beside the pattern.
pub(super) fn grep_asked(asked: &GrepInput<'_>) -> Markup {
    let context = match (asked.context, asked.before, asked.after) {
        (Some(lines), _, _) => counted(Some(lines), "line around", "lines around"),
        (None, Some(lines), None) => counted(Some(lines), "line before", "lines before"),
        (None, None, Some(lines)) => counted(Some(lines), "line after", "lines after"),
        (None, Some(before), Some(after)) => {
            format!("{} before and {after} after", counted(Some(before), "line", "lines"))
        }
        (None, None, None) => String::new(),
    };
    let flag = |is_set: Option<bool>, words: &'static str| if is_set == Some(true) { words } else { "" };
    let mode = match asked.output_mode {
        Some(GrepMode::Count) => "counts",
        Some(GrepMode::Content | GrepMode::Files | GrepMode::Other(_)) | None => "",
    };
    notes(&[
        mode,
        flag(asked.ignore_case, "upper and lower case alike"),
        flag(asked.multiline, "over several lines"),
        flag(asked.only_matching, "only what matches"),
        &context,
    ])
}

/// Files by content.
pub(super) fn grepped(found: &GrepResult<'_>, parts: &CallParts<'_>, project: &str) -> Markup {
    let asked = match parts.input {
        Some(ToolInput::Grep(asked)) => Some(&**asked),
        _ => None,
    };
    let content = word(found.content);
    let limit = found.applied_limit.filter(|limit| *limit > 0).map(|limit| {
        let all = found.total_lines.or(found.total_files).map(|all| format!(" of {all}")).unwrap_or_default();
        format!("only the first {limit}{all}")
    });
    let skipped = found.applied_offset.filter(|offset| *offset > 0).map(|offset| format!("from the {offset}th on"));
    html! {
        @match found.mode {
            Some(GrepMode::Content) if content.trim().is_empty() => (note("no matches")),
            Some(GrepMode::Content) => (matches(content, asked, project)),
            Some(GrepMode::Count) => (matches(content, None, project)),
            Some(GrepMode::Files | GrepMode::Other(_)) | None => (paths(&found.filenames, project)),
        }
        (notes(&[
            limit.as_deref().unwrap_or_default(),
            skipped.as_deref().unwrap_or_default(),
            if found.timed_out == Some(true) { "there may be more: it took too long" } else { "" },
        ]))
    }
}

/// Lines that match, with what matches marked in them.
fn matches(content: &str, asked: Option<&GrepInput<'_>>, project: &str) -> Markup {
    let pattern = asked.and_then(|asked| Pattern::new(word(asked.pattern), asked.ignore_case == Some(true)));
    long_text(&clean_text(content), |lines, _| {
        let mut shown = String::with_capacity(lines.len());
        let mut marks = 0;
        for line in lines.lines() {
            let (place, words) = split_place(below(line, project));
            let found = pattern.as_ref().filter(|_| marks < MOST_MARKS).map(|pattern| pattern.find_in(words));
            let found = found.unwrap_or_default();
            marks += found.len();
            Cleaned(place).render_to(&mut shown);
            write_marked(words, &found, &mut shown);
            shown.push('\n');
        }
        html! { pre.output.matches tabindex="0" { (PreEscaped(shown)) } }
    })
}

fn write_marked(line: &str, found: &[(usize, usize)], shown: &mut String) {
    let mut at = 0;
    for (from, to) in found {
        let (before, marked) = (line.get(at..*from).unwrap_or_default(), line.get(*from..*to).unwrap_or_default());
        html! { (Cleaned(before)) mark { (Cleaned(marked)) } }.render_to(shown);
        at = *to;
    }
    Cleaned(line.get(at..).unwrap_or_default()).render_to(shown);
}

/// The place before a line that was found (`src/a.rs:12:`, `src/a.rs-13-`, `12:`), and the line.
fn split_place(line: &str) -> (&str, &str) {
    /// Paths are not longer.
    const LONGEST: usize = 1000;
    let bytes = line.as_bytes();
    let is_number = |from: usize, mark: u8| {
        let digits =
            bytes.get(from..).unwrap_or_default().iter().take(10).take_while(|byte| byte.is_ascii_digit()).count();
        (digits > 0 && bytes.get(from + digits) == Some(&mark)).then_some(from + digits + 1)
    };
    let end = is_number(0, b':').or_else(|| is_number(0, b'-')).or_else(|| {
        let mut marks = bytes.iter().enumerate().take(LONGEST).filter(|(_, byte)| matches!(byte, b':' | b'-'));
        marks.find_map(|(at, mark)| is_number(at + 1, *mark))
    });
    // Without numbers the path ends at the first colon.
    let end = end.or_else(|| {
        let at = line.find(':')?;
        let path = line.get(..at)?;
        (path.contains(['/', '.']) && !path.contains([' ', '(', '"'])).then_some(at + 1)
    });
    end.and_then(|end| line.split_at_checked(end)).unwrap_or(("", line))
}

/// A folder as an indented list.
pub(super) fn listed(listed: &ListDirectoryResult<'_>) -> Markup {
    output(word(listed.tree))
}

/// What a language server knows.
pub(super) fn symbols(found: &LspResult<'_>, parts: &CallParts<'_>) -> Markup {
    let told = word(found.result);
    if told.is_empty() { said(parts.content) } else { output(told) }
}

/// Tools that were found.
pub(super) fn tools(found: &ToolSearchResult<'_>) -> Markup {
    let of = found.total_deferred_tools.map(|total| format!("among {total}")).unwrap_or_default();
    html! {
        @if found.matches.is_empty() { (notes(&["no tools found", &of])) } @else {
            ul.names { @for name in &found.matches { li { code { (text(name)) } } } }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_no_part_of_what_was_found() {
        let cases = [
            ("src/a-1.rs:12:let x = 3:4;", "src/a-1.rs:12:"),
            ("src/a.rs-13-  x", "src/a.rs-13-"),
            ("12:water()", "12:"),
            ("src/a.rs:water", "src/a.rs:"),
            ("see: water", ""),
            ("--", ""),
            ("", ""),
        ];
        for (line, place) in cases {
            assert_eq!(split_place(line).0, place, "{line}");
        }
    }
}
