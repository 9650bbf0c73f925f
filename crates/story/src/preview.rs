//! The first words of a text, fit for one line of a terminal or a page.

use std::borrow::Cow;

use wide::u8x32;

/// The maximum length of a preview, in characters.
pub(crate) const LONGEST: usize = 160;

/// The first words of `text` on one line: white space becomes one blank, control characters and terminal colours are
/// removed.
pub fn preview(text: &str) -> Box<str> {
    shortened(text, LONGEST)
}

/// The same with at most `longest` characters; a truncated text ends with `…`.
pub(crate) fn shortened(text: &str, longest: usize) -> Box<str> {
    let text = text.trim_start();
    // The first words never need the end of a long output, which may be white space.
    let enough = (longest * 16..text.len()).find(|end| text.is_char_boundary(*end));
    let text = enough.and_then(|end| text.get(..end)).unwrap_or(text).trim_end();
    if text.len() <= longest && plain_run(text, longest) == text.len() {
        return text.into();
    }
    let text = without_escapes(text);
    let mut short = String::with_capacity(text.len().min(longest) + '…'.len_utf8());
    let (mut rest, mut left) = (&*text, longest);
    loop {
        // Most text is plain and is copied as it is.
        let (plain, after) = rest.split_at(plain_run(rest, left));
        short.push_str(plain);
        left -= plain.len();
        let Some(c) = after.chars().next() else { break };
        rest = after.get(c.len_utf8()..).unwrap_or_default();
        if c.is_whitespace() || c.is_control() {
            // White space becomes one blank, and none at the end.
            let next = rest.trim_start_matches(|c: char| c.is_whitespace() || c.is_control());
            if left > 0 && !next.is_empty() && !short.is_empty() && !short.ends_with(' ') {
                short.push(' ');
                left -= 1;
            }
            rest = next;
        } else if left == 0 {
            if !is_invisible(c) {
                short.truncate(short.trim_end().len());
                short.push('…');
                break;
            }
        } else if !is_invisible(c) {
            short.push(c);
            left -= 1;
        }
    }
    short.truncate(short.trim_end().len());
    short.into()
}

/// The length in bytes of the leading run of ASCII words with single blanks between them, up to `most`.
fn plain_run(text: &str, most: usize) -> usize {
    const LANES: usize = 32;
    let bytes = text.as_bytes().get(..most).unwrap_or(text.as_bytes());
    let mut run = 0;
    // Whether the previous byte was a blank; a leading blank would be out of place.
    let mut after_blank = 1;
    for piece in bytes.chunks(LANES) {
        let mut lanes = [0; LANES];
        lanes.iter_mut().zip(piece).for_each(|(lane, byte)| *lane = *byte);
        let lanes = u8x32::from(lanes);
        let blanks = lanes.simd_eq(u8x32::splat(b' ')).to_bitmask();
        let graphic = lanes.simd_gt(u8x32::splat(b' ')) & lanes.simd_lt(u8x32::splat(0x7f));
        let plain = graphic.to_bitmask() | blanks & !(blanks << 1 | after_blank);
        after_blank = blanks >> (LANES - 1);
        run += plain.trailing_ones() as usize;
        if plain != u32::MAX {
            break;
        }
    }
    run
}

/// The text without terminal escapes.
pub(crate) fn without_escapes(text: &str) -> Cow<'_, str> {
    if memchr::memchr(0x1b, text.as_bytes()).is_none() {
        return Cow::Borrowed(text);
    }
    let mut pieces = text.split('\u{1b}').peekable();
    let mut plain = String::from(pieces.next().unwrap_or_default());
    while let Some(piece) = pieces.next() {
        let is_ended = pieces.peek().is_some_and(|next| next.starts_with('\\'));
        plain.push_str(after_escape(piece, is_ended));
    }
    Cow::Owned(plain)
}

/// The text after an escape sequence whose escape character has been consumed; the next escape may end it.
fn after_escape(piece: &str, is_ended: bool) -> &str {
    let mut chars = piece.chars();
    match chars.next() {
        // Colours, cursor: parameters up to one letter or sign.
        Some('[') => {
            let _ = chars.find(|c| ('@'..='~').contains(c));
        }
        // Titles and links: up to a bell or the escape that ends them. Without an end they hide nothing.
        Some(']') => match piece.split_once('\u{7}') {
            Some((_, rest)) => return rest,
            None if is_ended => return "",
            None => {}
        },
        _ => {}
    }
    chars.as_str()
}

/// Characters that change the direction of text or are invisible: they can disguise a line.
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

    /// The same, character by character.
    fn plainly(text: &str, longest: usize) -> String {
        let visible = text.chars().filter(|c| !is_invisible(*c)).map(|c| if c.is_control() { ' ' } else { c });
        let words = visible.collect::<String>().split_whitespace().collect::<Vec<_>>().join(" ");
        match words.char_indices().nth(longest) {
            Some((end, _)) => format!("{}…", words[..end].trim_end()),
            None => words,
        }
    }

    proptest::proptest! {
        #[test]
        fn a_preview_is_the_words_of_a_text(text in "[a-c  \n\u{200b}é]{0,200}", longest in 40_usize..180) {
            proptest::prop_assert_eq!(&*shortened(&text, longest), plainly(&text, longest));
        }
    }
}
