//! File contents as the Read tool returns them: every line behind its number (docs/format F.4).

use super::reminder::split_trailing_reminders;
use super::scan::leading_number;

/// One line of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NumberedLine<'a> {
    /// Its number in the file, from 1.
    pub number: u64,
    /// Its text, without the line break.
    pub text: &'a str,
}

/// Reads numbered lines, `     1→…` (U+2192) or `1⇥…`; `None` when any line has no number or the numbers fall.
///
/// Reminders before and after the lines are left out.
///
/// ```
/// let lines = format::text::cat_n("     9→let x;\n    10→").unwrap();
/// assert_eq!((lines[0].number, lines[0].text), (9, "let x;"));
/// assert_eq!((lines[1].number, lines[1].text), (10, ""));
/// ```
pub fn cat_n(text: &str) -> Option<Vec<NumberedLine<'_>>> {
    let (body, _) = split_trailing_reminders(after_leading_reminder(text));
    let mut lines: Vec<NumberedLine<'_>> = Vec::new();
    for line in body.trim_end_matches('\n').split('\n') {
        let line = numbered(line)?;
        if lines.last().is_some_and(|last| last.number >= line.number) {
            return None;
        }
        lines.push(line);
    }
    Some(lines)
}

fn numbered(line: &str) -> Option<NumberedLine<'_>> {
    let (number, rest) = leading_number(line.trim_start_matches(' '))?;
    Some(NumberedLine { number, text: rest.strip_prefix(['→', '\t'])? })
}

/// A file of memories comes with a warning about its age before the lines.
fn after_leading_reminder(text: &str) -> &str {
    let Some(body) = text.trim_start().strip_prefix("<system-reminder>") else { return text };
    body.split_once("</system-reminder>").map_or(text, |(_, lines)| lines.trim_start_matches('\n'))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Option<Vec<(u64, &str)>> {
        Some(cat_n(text)?.into_iter().map(|line| (line.number, line.text)).collect())
    }

    #[test]
    fn both_spellings() {
        assert_eq!(read("     1→a\n     2→\n     3→  b→c"), Some(vec![(1, "a"), (2, ""), (3, "  b→c")]));
        assert_eq!(read("99\ta\n100\t\tb\n"), Some(vec![(99, "a"), (100, "\tb")]));
    }

    #[test]
    fn reminders_around_the_lines() {
        let text = "<system-reminder>old</system-reminder>\n     1→a\n\n<system-reminder>\nx\n</system-reminder>\n";
        assert_eq!(read(text), Some(vec![(1, "a")]));
    }

    #[test]
    fn anything_else_is_none() {
        for text in ["", "a", "1 a", "1→a\nb", "2→a\n1→b", "→a", "99999999999999999999→a"] {
            assert_eq!(read(text), None, "{text}");
        }
    }
}
