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
    if text.len() <= longest && is_plain(text.as_bytes()) {
        return text.into();
    }
    let text = without_colours(text, longest);
    let mut short = String::with_capacity(text.len().min(longest) + '…'.len_utf8());
    let (mut rest, mut left) = (&*text, longest);
    loop {
        // Most of a text is plain, and is taken as it is.
        let (plain, after) = rest.split_at(plain_run(rest, left));
        short.push_str(plain);
        left -= plain.len();
        let Some(c) = after.chars().next() else { break };
        rest = after.get(c.len_utf8()..).unwrap_or_default();
        if c.is_whitespace() || c.is_control() {
            // White space is one blank, and none where the text ends.
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

/// How many bytes at the beginning are words of ASCII with single blanks between them, up to `most`.
fn plain_run(text: &str, most: usize) -> usize {
    const PIECE: usize = 32;
    let bytes = text.as_bytes().get(..most).unwrap_or(text.as_bytes());
    if bytes.first() == Some(&b' ') {
        return 0;
    }
    let mut run: usize = 0;
    // Whole pieces are looked at at once, each with the byte before it.
    while let Some(piece) = bytes.get(run.saturating_sub(1)..run + PIECE).filter(|piece| is_plain(piece)) {
        run += piece.len() - usize::from(run > 0);
    }
    let mut before = run.checked_sub(1).and_then(|at| bytes.get(at)).copied().unwrap_or(b' ');
    let fits = |byte: &&u8| {
        let fits = byte.is_ascii_graphic() || **byte == b' ' && before != b' ';
        before = **byte;
        fits
    };
    run + bytes.iter().skip(run).take_while(fits).count()
}

/// Enough of a text for `longest` characters, without the escapes that give it colours.
fn without_colours(text: &str, longest: usize) -> Cow<'_, str> {
    let enough = longest * 16;
    if memchr::memchr(0x1b, text.as_bytes().get(..enough).unwrap_or(text.as_bytes())).is_none() {
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

/// Whether all of it is printable ASCII, and no blank follows another.
fn is_plain(bytes: &[u8]) -> bool {
    // Without a way out in the middle, both loops take many bytes at once.
    let printable = bytes.iter().fold(true, |all, byte| all & (b' '..=b'~').contains(byte));
    let next = bytes.get(1..).unwrap_or_default();
    printable && !bytes.iter().zip(next).fold(false, |any, (byte, next)| any | (*byte == b' ') & (*next == b' '))
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
        fn a_preview_is_the_words_of_a_text(text in "[a-c  \n\u{200b}é]{0,200}", longest in 1_usize..180) {
            proptest::prop_assert_eq!(&*shortened(&text, longest), plainly(&text, longest));
        }
    }
}
