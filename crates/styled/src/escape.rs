//! Recognises whole terminal escape sequences.
//!
//! The one-byte forms of UTF-8 terminals (U+009B for `ESC [` and so on) count as well. Of an unterminated sequence only
//! the introducer is consumed: a stray `ESC ]` must not hide the rest of a text.

/// The character that begins most sequences.
const ESC: char = '\u{1b}';

/// One escape sequence.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Escape<'t> {
    /// `ESC [ parameters action`: colours, cursor, erasing.
    Control {
        /// The parameters as written.
        parameters: &'t str,
        /// The final character, which selects the action.
        action: char,
    },
    /// Anything else; titles, links, pictures, character sets.
    Other,
}

/// The sequence at the start of a text, and the rest; `None` if there is none.
pub(crate) fn take(text: &str) -> Option<(Escape<'_>, &str)> {
    let mut characters = text.chars();
    let introducer = match characters.next()? {
        ESC => {
            let after = characters.as_str();
            match characters.next() {
                Some(kind @ ('[' | ']' | 'P' | 'X' | '^' | '_')) => kind,
                Some(' '..='/') => {
                    let end = after.trim_start_matches(|c| matches!(c, ' '..='/'));
                    return Some((Escape::Other, end.strip_prefix(|c| matches!(c, '0'..='~')).unwrap_or(end)));
                }
                Some('0'..='~') => return Some((Escape::Other, characters.as_str())),
                _ => return Some((Escape::Other, after)),
            }
        }
        '\u{9b}' => '[',
        '\u{9d}' => ']',
        '\u{90}' => 'P',
        '\u{98}' | '\u{9e}' | '\u{9f}' => '_',
        _ => return None,
    };
    let after = characters.as_str();
    Some(if introducer == '[' { control(after) } else { (Escape::Other, string_end(after, introducer == ']')) })
}

/// The control sequence whose parameters a text begins with.
fn control(text: &str) -> (Escape<'_>, &str) {
    let end = text.find(|c| !matches!(c, ' '..='?')).unwrap_or(text.len());
    let (parameters, rest) = text.split_at_checked(end).unwrap_or((text, ""));
    let mut characters = rest.chars();
    match characters.next() {
        Some(action @ '@'..='~') => (Escape::Control { parameters, action }, characters.as_str()),
        // Truncated: what looked like parameters is text.
        _ => (Escape::Other, text),
    }
}

/// The text after the terminator of the string at its start, or the text itself if there is no terminator.
///
/// The search ends at the first control character, so that many unterminated sequences take linear time together.
/// Pictures span several lines; titles and links do not.
fn string_end(text: &str, one_line: bool) -> &str {
    let Some(at) = text.find(|c: char| c.is_control() && (one_line || !matches!(c, '\n' | '\r' | '\t'))) else {
        return text;
    };
    let rest = text.get(at..).unwrap_or("");
    rest.strip_prefix(['\u{7}', '\u{9c}']).or_else(|| rest.strip_prefix("\u{1b}\\")).unwrap_or(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sequences_are_consumed_whole() {
        let cases = [
            ("\u{1b}]0;title\u{7}x", "x"),
            ("\u{1b}]8;;http://a\u{1b}\\x", "x"),
            ("\u{9d}title\u{9c}x", "x"),
            ("\u{1b}Pq#0;2\n#1~~\u{1b}\\x", "x"),
            ("\u{1b}_Ga=T;AAAA\u{1b}\\x", "x"),
            ("\u{1b}(Bx", "x"),
            ("\u{1b}cx", "x"),
            ("\u{1b}", ""),
            ("\u{1b}\u{1b}[m", "\u{1b}[m"),
            ("\u{1b}üx", "üx"),
        ];
        for (text, rest) in cases {
            assert_eq!(take(text), Some((Escape::Other, rest)), "{text:?}");
        }
        assert_eq!(take("\u{9b}1;31mx"), Some((Escape::Control { parameters: "1;31", action: 'm' }, "x")));
        assert_eq!(take("\u{1b}[?25lx"), Some((Escape::Control { parameters: "?25", action: 'l' }, "x")));
        assert_eq!(take("x"), None);
    }

    #[test]
    fn unterminated_sequences_hide_nothing() {
        for text in ["\u{1b}]title", "\u{1b}]title\nmore\u{7}", "\u{1b}Pq", "\u{1b}[12", "\u{1b}[12\n"] {
            let shown: String = text.chars().skip(2).collect();
            assert_eq!(take(text), Some((Escape::Other, shown.as_str())), "{text:?}");
        }
    }
}
