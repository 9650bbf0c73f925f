//! Makes text from a session harmless for a terminal.
//!
//! - Escape sequences are removed whole, as are other control characters.
//! - Characters that change the direction of text can make code read differently, so they are shown: `\u{202e}`.
//! - Invisible characters (zero-width spaces, soft hyphens, tags) are removed. Joiners stay where they shape emoji and
//!   scripts, which is after a non-ASCII character.

use std::borrow::Cow;
use std::fmt::Write as _;

use crate::escape;

/// Text on one line: line breaks and tabs become spaces.
///
/// ```
/// assert_eq!(styled::clean::clean_line("\x1b[1mtwo\x1b[0m\r\nlines"), "two lines");
/// ```
pub fn clean_line(text: &str) -> Cow<'_, str> {
    clean(text, Blanks { newline: ' ', tab: ' ' })
}

/// Text on any number of lines: `\n` and tabs stay, other line breaks become `\n`.
pub fn clean_text(text: &str) -> Cow<'_, str> {
    clean(text, Blanks { newline: '\n', tab: '\t' })
}

/// The lines of a text that is made harmless, one after another: a long text is not held as lines.
#[derive(Debug)]
pub(crate) struct CleanLines<'t> {
    text: Cow<'t, str>,
    at: usize,
}

impl<'t> CleanLines<'t> {
    pub(crate) fn of(text: Cow<'t, str>) -> Self {
        let text = match text {
            Cow::Borrowed(text) => clean_text(text),
            Cow::Owned(text) => match clean_text(&text) {
                Cow::Owned(cleaned) => Cow::Owned(cleaned),
                Cow::Borrowed(_) => Cow::Owned(text),
            },
        };
        Self { text, at: 0 }
    }

    /// Passes the next line to `read`.
    pub(crate) fn next_with<T>(&mut self, read: impl FnOnce(&str) -> T) -> Option<T> {
        let rest = self.text.get(self.at..).filter(|rest| !rest.is_empty())?;
        let line = memchr::memchr(b'\n', rest.as_bytes()).and_then(|end| rest.get(..end));
        self.at += line.map_or(rest.len(), |line| line.len() + 1);
        Some(read(line.unwrap_or(rest)))
    }
}

/// A piece of a line whose tabs are still to be laid out.
pub fn clean_piece(text: &str) -> Cow<'_, str> {
    clean(text, Blanks { newline: ' ', tab: '\t' })
}

/// The replacements for line breaks and tabs.
#[derive(Clone, Copy)]
struct Blanks {
    newline: char,
    tab: char,
}

fn clean(text: &str, blanks: Blanks) -> Cow<'_, str> {
    let mut rest = text;
    let mut cleaned = String::new();
    while let Some(at) = find_harmful(rest, blanks) {
        if cleaned.capacity() == 0 {
            cleaned.reserve(text.len());
        }
        let (harmless, harmful) = rest.split_at_checked(at).unwrap_or((rest, ""));
        cleaned.push_str(harmless);
        rest = disarm(harmful, blanks, &mut cleaned);
    }
    if rest.len() == text.len() {
        return Cow::Borrowed(text);
    }
    cleaned.push_str(rest);
    Cow::Owned(cleaned)
}

/// The position of the first character that cannot stay as it is.
fn find_harmful(text: &str, blanks: Blanks) -> Option<usize> {
    let mut at = 0;
    loop {
        at += text.as_bytes().get(at..)?.iter().position(|&byte| may_harm(byte, blanks))?;
        let character = text.get(at..)?.chars().next()?;
        if is_harmful(character, blanks) {
            return Some(at);
        }
        at += character.len_utf8();
    }
}

/// Whether a character that begins with this byte needs a check.
fn may_harm(byte: u8, blanks: Blanks) -> bool {
    match byte {
        b'\n' => blanks.newline != '\n',
        b'\t' => blanks.tab != '\t',
        // Controls, and the lead bytes of the characters below.
        0..0x20 | 0x7f | 0xc2 | 0xcd | 0xd8 | 0xe1 | 0xe2 | 0xef | 0xf3 => true,
        _ => false,
    }
}

fn is_harmful(character: char, blanks: Blanks) -> bool {
    match character {
        '\n' => blanks.newline != '\n',
        '\t' => blanks.tab != '\t',
        c => c.is_control() || is_break(c) || is_joiner(c) || is_unseen(c) || turns_direction(c),
    }
}

/// Writes the replacement for the harmful character or escape sequence at the start of a text; returns the rest.
fn disarm<'t>(text: &'t str, blanks: Blanks, cleaned: &mut String) -> &'t str {
    if let Some((_, rest)) = escape::take(text) {
        return rest;
    }
    let mut characters = text.chars();
    match characters.next() {
        Some('\t') => cleaned.push(blanks.tab),
        Some('\r') => {
            cleaned.push(blanks.newline);
            let rest = characters.as_str();
            return rest.strip_prefix('\n').unwrap_or(rest);
        }
        Some(c) if is_break(c) => cleaned.push(blanks.newline),
        Some(c) if is_joiner(c) && cleaned.chars().next_back().is_some_and(|before| !before.is_ascii()) => {
            cleaned.push(c);
        }
        Some(c) if turns_direction(c) => {
            let _ = write!(cleaned, "\\u{{{:x}}}", u32::from(c));
        }
        _ => {}
    }
    characters.as_str()
}

fn is_break(c: char) -> bool {
    matches!(c, '\n' | '\u{85}' | '\u{2028}' | '\u{2029}')
}

fn is_joiner(c: char) -> bool {
    matches!(c, '\u{200c}' | '\u{200d}')
}

/// Embeddings, overrides and isolates.
fn turns_direction(c: char) -> bool {
    matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// Characters that are invisible and take no space.
fn is_unseen(c: char) -> bool {
    matches!(
        c,
        '\u{ad}'
            | '\u{34f}'
            | '\u{61c}'
            | '\u{180b}'..='\u{180f}'
            | '\u{200b}'
            | '\u{200e}'
            | '\u{200f}'
            | '\u{2060}'..='\u{2065}'
            | '\u{206a}'..='\u{206f}'
            | '\u{feff}'
            | '\u{fff9}'..='\u{fffb}'
            | '\u{e0000}'..='\u{e0fff}'
    )
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn harmless_text_is_borrowed() {
        for text in ["", "plain – “ünï” 日本 👍🏽", "─ • …", "a\u{301} ❤\u{fe0f}"] {
            assert!(matches!(clean_line(text), Cow::Borrowed(same) if same == text), "{text:?}");
        }
        assert!(matches!(clean_text("two\n\tlines\n"), Cow::Borrowed(_)));
    }

    #[test]
    fn sequences_and_controls_are_removed() {
        assert_eq!(clean_line("a\x1b[31mb\x07\0c\u{9b}0md\x1b]0;title\x07e\x7f"), "abcde");
        assert_eq!(clean_line("a\r\nb\nc\td\u{85}e\u{2028}f"), "a b c d e f");
        assert_eq!(clean_text("a\r\nb\rc\n\td"), "a\nb\nc\n\td");
    }

    #[test]
    fn direction_changes_are_shown() {
        assert_eq!(clean_line("if \u{202e}x\u{2066}"), "if \\u{202e}x\\u{2066}");
    }

    #[test]
    fn invisible_characters_are_removed_but_shaping_joiners_stay() {
        assert_eq!(clean_line("pass\u{200b}wo\u{ad}rd\u{feff}\u{e0041}"), "password");
        assert_eq!(clean_line("pass\u{200d}word"), "password");
        assert_eq!(clean_line("👨\u{200d}👩\u{200d}👧"), "👨\u{200d}👩\u{200d}👧");
    }

    proptest! {
        #[test]
        fn cleaning_twice_changes_nothing(text in testkit::hostile::hostile()) {
            let once = clean_text(&text).into_owned();
            prop_assert_eq!(clean_text(&once), once.as_str());
            let once = clean_line(&text).into_owned();
            prop_assert!(!once.contains(char::is_control));
            prop_assert_eq!(clean_line(&once), once.as_str());
        }
    }
}
