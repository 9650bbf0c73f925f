//! Search results: files and lines.

use std::fmt::Write as _;

use content::section::Matches;
use format::Text;
use maud::{Markup, PreEscaped, Render as _, html};
use rustc_hash::FxHashMap;

use super::pattern::Pattern;
use crate::long::long_text;
use crate::text::Cleaned;
use styled::clean::{clean_line, clean_text};

/// Maximum number of marks: a page full of marks shows nothing.
const MOST_MARKS: usize = 1000;

/// Paths by folder, in order of appearance.
pub(super) fn paths(paths: &[Text<'_>], project: &str) -> Markup {
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

/// A path relative to the project.
fn below<'p>(path: &'p str, project: &str) -> &'p str {
    let inside = human::path_below(path, project);
    inside.filter(|rest| !project.is_empty() && !rest.is_empty()).unwrap_or(path)
}

/// Lines that match, with the matches marked.
pub(super) fn matches(found: &Matches<'_>, project: &str) -> Markup {
    let pattern = Pattern::new(found.pattern, found.ignores_case);
    long_text(&clean_text(found.text), |lines, _| {
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

/// The location before a line (`src/a.rs:12:`, `src/a.rs-13-`, `12:`), and the line.
fn split_place(line: &str) -> (&str, &str) {
    /// Maximum length of a path.
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
