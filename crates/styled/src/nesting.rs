//! Which texts are not read as Markdown, because that would cost too much.
//!
//! Parsing takes time for each line and each list or quotation that is open there: a line of ten thousand `>` and as
//! many short lines below it would take minutes. So text nested like that is not parsed at all, but shown as plain
//! text.

/// The maximum number of quotations and lists that may begin in one line.
const MOST: usize = 100;

/// The last column in which a quotation, a list or a footnote may begin.
const WIDEST: usize = 200;

/// The longest text that is read as Markdown, in bytes. The parser needs several times the memory of a text, and no model
/// writes that much in one reply.
const LONGEST: usize = 1 << 20;

/// Whether a text is read as Markdown; else it is shown as plain text.
pub fn is_parsed(text: &str) -> bool {
    text.len() <= LONGEST && !is_too_deep(text)
}

/// Whether a line of the text could be inside more lists and quotations than any real document has.
fn is_too_deep(text: &str) -> bool {
    text.split('\n').any(|line| {
        // Most lines begin with a letter.
        line.starts_with(|c: char| c.is_ascii() && !c.is_ascii_alphabetic()) && begins_too_deep(line.as_bytes())
    })
}

fn begins_too_deep(line: &[u8]) -> bool {
    let (mut marks, mut column, mut rest) = (0, 0, line);
    loop {
        let after = match rest {
            [b'\t', after @ ..] => {
                column += 4;
                rest = after;
                continue;
            }
            [b' ' | b'0'..=b'9', after @ ..] => {
                column += 1;
                rest = after;
                continue;
            }
            [b'>', after @ ..] => after,
            [b'-' | b'*' | b'+' | b'.' | b')', after @ ..] if matches!(after, [] | [b' ' | b'\t', ..]) => after,
            [b'[', b'^', label @ ..] => match memchr::memchr(b']', label).and_then(|end| label.get(end + 1..)) {
                Some([b':', after @ ..]) => after,
                _ => return false,
            },
            _ => return false,
        };
        marks += 1;
        if marks > MOST || column > WIDEST {
            return true;
        }
        column += rest.len() - after.len();
        rest = after;
    }
}

#[cfg(test)]
mod tests {
    use testkit::hostile::too_deep;

    use super::*;

    #[test]
    fn unrealistic_nesting_is_too_deep() {
        assert!(too_deep().iter().all(|text| is_too_deep(text)));
    }

    #[test]
    fn realistic_nesting_is_not() {
        let list: String = (0..99).map(|depth| "  ".repeat(depth) + "- a\n").collect();
        let rule = "-".repeat(1000);
        let table = "| a ".repeat(500);
        let digits = "7".repeat(1000);
        for text in [list.as_str(), &rule, &table, &digits, "> > > a", "    ".repeat(200).as_str(), ""] {
            assert!(!is_too_deep(text), "{text}");
        }
    }
}
