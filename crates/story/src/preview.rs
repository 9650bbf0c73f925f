//! The first words of a text, fit for one line of a terminal or a page.

use std::borrow::Cow;

/// How many characters a preview has at most.
pub(crate) const LONGEST: usize = 160;

/// The first words of `text` on one line: white space is one blank, control characters and the colours of a
/// terminal are gone.
pub(crate) fn preview(text: &str) -> Box<str> {
    shortened(text, LONGEST)
}

/// The same with at most `longest` characters; what is cut ends with `…`.
pub(crate) fn shortened(text: &str, longest: usize) -> Box<str> {
    let text = text.trim();
    if text.len() <= longest && is_plain(text) {
        return text.into();
    }
    let mut short = String::with_capacity(text.len().min(longest + '…'.len_utf8()));
    let mut left = longest;
    let plain = without_colours(text, longest);
    for word in plain.split(|c: char| c.is_whitespace() || c.is_control()).filter(|word| !word.is_empty()) {
        if !short.is_empty() {
            short.push(' ');
            left = left.saturating_sub(1);
        }
        for c in word.chars().filter(|c| !is_invisible(*c)) {
            if left == 0 {
                short.truncate(short.trim_end().len());
                short.push('…');
                return short.into();
            }
            short.push(c);
            left -= 1;
        }
    }
    short.into()
}

/// Enough of a text for `longest` characters, without the escapes that give it colours.
fn without_colours(text: &str, longest: usize) -> Cow<'_, str> {
    let enough = longest * 16;
    if !text.as_bytes().get(..enough).unwrap_or(text.as_bytes()).contains(&0x1b) {
        return Cow::Borrowed(text);
    }
    let mut pieces = text.split('\u{1b}');
    let mut plain = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        if plain.len() > enough {
            break;
        }
        let is_end = |c: char| ('@'..='~').contains(&c);
        plain.push_str(match piece.strip_prefix('[') {
            Some(rest) => rest.find(is_end).and_then(|end| rest.get(end + 1..)).unwrap_or_default(),
            None => piece,
        });
    }
    Cow::Owned(plain)
}

/// Whether a text is one line of words already.
fn is_plain(text: &str) -> bool {
    let mut before = b' ';
    text.bytes().all(|byte| {
        let is_single = byte != b' ' || before != b' ';
        before = byte;
        (b' '..=b'~').contains(&byte) && is_single
    })
}

/// Marks that change the direction of text or stand for nothing: they hide what a line says.
fn is_invisible(c: char) -> bool {
    matches!(c, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{feff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_preview_is_one_line_of_words() {
        assert_eq!(&*preview("  add\n\tretries \u{1b}[31mnow\u{7} "), "add retries now");
        assert_eq!(&*preview(""), "");
        assert_eq!(&*shortened("one two three", 7), "one two…");
        assert_eq!(&*shortened("one two three", 8), "one two…");
        assert_eq!(&*shortened("a\u{202e}b", 8), "ab");
        assert_eq!(preview(&"x".repeat(1_000_000)).chars().count(), LONGEST + 1);
    }
}
