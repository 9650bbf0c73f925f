//! The width of text in a terminal, in columns.
//!
//! Terminals disagree about sequences of emoji. This counts the maximum of all of them, so that a line is never wider
//! than computed.

use unicode_width::UnicodeWidthChar;

/// Requests the colourful, wide form of the character before it.
pub(crate) const EMOJI_FORM: char = '\u{fe0f}';

/// The columns of a text without control characters.
pub fn width(text: &str) -> usize {
    width_after("", text)
}

/// The columns that a text adds to the one before it.
pub(crate) fn width_after(before: &str, text: &str) -> usize {
    if text.is_ascii() {
        return text.len();
    }
    let mut columns = Columns { previous: before.chars().next_back() };
    text.chars().map(|c| columns.of(c)).sum()
}

/// Counts the columns of one character after another.
#[derive(Debug, Default)]
pub(crate) struct Columns {
    previous: Option<char>,
}

impl Columns {
    /// The columns that the next character adds.
    pub(crate) fn of(&mut self, character: char) -> usize {
        let columns = match character {
            ' '..='~' => 1,
            EMOJI_FORM => usize::from(self.previous.is_some_and(has_emoji_form)),
            c => c.width().unwrap_or(0),
        };
        self.previous = Some(character);
        columns
    }
}

/// Whether a narrow character might be an emoji; any non-ASCII one might.
fn has_emoji_form(c: char) -> bool {
    if c.is_ascii() { matches!(c, '#' | '*' | '0'..='9') } else { c.width() == Some(1) }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use unicode_width::UnicodeWidthStr;

    use super::*;

    #[test]
    fn widths_match_terminals() {
        let cases = [("", 0), ("plain", 5), ("日本", 4), ("a\u{301}", 1), ("❤\u{fe0f}", 2), ("…", 1), ("👍🏽", 4)];
        for (text, columns) in cases {
            assert_eq!(width(text), columns, "{text:?}");
        }
    }

    proptest! {
        #[test]
        fn width_is_never_underestimated(text in testkit::hostile::hostile()) {
            let text = crate::clean::clean_line(&text);
            prop_assert!(width(&text) >= text.width(), "{:?}", text);
        }
    }
}
