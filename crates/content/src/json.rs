//! Formats JSON for people, with its original order and numbers.

use std::borrow::Cow;

use serde::de::IgnoredAny;

/// A line up to this length is not split.
const WIDTH: usize = 80;

/// Deeper levels are not indented further, because on hostile input most of the page would be blanks.
const DEEPEST: usize = 8;

/// The output of a program over several lines, if it is a JSON object or list. Short output, and output with line
/// breaks, is unchanged.
pub fn printed(text: &str) -> Option<Cow<'_, str>> {
    let trimmed = text.trim();
    if !trimmed.starts_with(['{', '[']) {
        return None;
    }
    let tidy = tidy(trimmed)?;
    let keeps = trimmed.len() <= WIDTH || trimmed.contains('\n');
    Some(if keeps { Cow::Borrowed(trimmed) } else { Cow::Owned(tidy) })
}

/// JSON over several lines; `None` if the text is not JSON.
pub fn tidy(json: &str) -> Option<String> {
    serde_json::from_str::<IgnoredAny>(json).ok()?;
    let mut printer =
        Printer { lengths: lengths(json), written: String::with_capacity(json.len() * 2), ..Printer::default() };
    for token in tokens(json) {
        printer.write(token);
    }
    Some(printer.written)
}

/// Brackets, commas, colons, strings, numbers and words.
fn tokens(json: &str) -> impl Iterator<Item = &str> {
    let bytes = json.as_bytes();
    let mut at = 0;
    std::iter::from_fn(move || {
        at += bytes.get(at..)?.iter().take_while(|byte| byte.is_ascii_whitespace()).count();
        let rest = bytes.get(at..)?;
        let length = match rest.first()? {
            b'{' | b'}' | b'[' | b']' | b',' | b':' => 1,
            b'"' => string_length(rest),
            _ => rest
                .iter()
                .take_while(|byte| !byte.is_ascii_whitespace() && !matches!(byte, b'}' | b']' | b','))
                .count(),
        };
        let token = json.get(at..at + length)?;
        at += length;
        Some(token)
    })
}

fn mark(token: &str) -> u8 {
    token.as_bytes().first().copied().unwrap_or_default()
}

fn string_length(json: &[u8]) -> usize {
    let mut is_escaped = false;
    for (at, byte) in json.iter().enumerate().skip(1) {
        match byte {
            _ if is_escaped => is_escaped = false,
            b'\\' => is_escaped = true,
            b'"' => return at + 1,
            _ => {}
        }
    }
    json.len()
}

/// The length of each object and list on one line, in the order of their starts.
fn lengths(json: &str) -> std::vec::IntoIter<usize> {
    let (mut lengths, mut open, mut written) = (Vec::new(), Vec::new(), 0);
    for token in tokens(json) {
        match mark(token) {
            b'{' | b'[' => {
                open.push((lengths.len(), written));
                lengths.push(0);
                written += 1;
            }
            b'}' | b']' => {
                written += 1;
                if let Some((number, start)) = open.pop()
                    && let Some(length) = lengths.get_mut(number)
                {
                    *length = written - start;
                }
            }
            b',' | b':' => written += 2,
            _ => written += token.len(),
        }
    }
    lengths.into_iter()
}

#[derive(Default)]
struct Printer {
    lengths: std::vec::IntoIter<usize>,
    written: String,
    /// For each open object or list, whether it is on one line.
    open: Vec<bool>,
    /// The start of the line.
    line: usize,
    /// Whether the next value of a list may continue the line.
    is_filling: bool,
}

impl Printer {
    fn write(&mut self, token: &str) {
        match mark(token) {
            b'{' | b'[' => {
                let length = self.lengths.next().unwrap_or_default();
                let is_inside = self.open.last() == Some(&true);
                let is_whole = is_inside || length <= WIDTH || self.open.len() >= DEEPEST;
                if self.is_filling {
                    self.break_line();
                }
                self.written.push_str(token);
                self.open.push(is_whole);
                if !is_whole {
                    self.break_line();
                }
            }
            b'}' | b']' => {
                self.is_filling = false;
                if self.open.pop() == Some(false) {
                    self.break_line();
                }
                self.written.push_str(token);
            }
            b',' => {
                self.written.push(',');
                if self.open.last() == Some(&false) { self.is_filling = true } else { self.written.push(' ') }
            }
            b':' => self.written.push_str(": "),
            _ => self.scalar(token),
        }
    }

    /// In a list that is too long for a line, plain values share lines; each key begins a new line.
    fn scalar(&mut self, token: &str) {
        if std::mem::take(&mut self.is_filling) {
            let fits = self.written.len() - self.line + token.len() < WIDTH;
            if fits && mark(token) != b'"' { self.written.push(' ') } else { self.break_line() }
        }
        self.written.push_str(token);
    }

    fn break_line(&mut self) {
        self.is_filling = false;
        self.written.push('\n');
        self.line = self.written.len();
        (0..self.open.len()).for_each(|_| self.written.push_str("  "));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn order_and_numbers_stay() {
        let json = r#"{"b":1.10,"a":12345678901234567890,"c":[],"d":{"x":"a\"}{","y":null}}"#;
        assert_eq!(
            tidy(json).unwrap(),
            r#"{"b": 1.10, "a": 12345678901234567890, "c": [], "d": {"x": "a\"}{", "y": null}}"#
        );
    }

    #[test]
    fn long_values_are_broken_into_lines() {
        let numbers: Vec<String> = (1000..1030).map(|number| number.to_string()).collect();
        let json =
            format!(r#"{{"beds":[{}],"deep":[{{"a":"{}"}},{{"b":[1, 2]}}]}}"#, numbers.join(","), "x".repeat(80));
        insta::assert_snapshot!(tidy(&json).unwrap(), @r#"
        {
          "beds": [
            1000, 1001, 1002, 1003, 1004, 1005, 1006, 1007, 1008, 1009, 1010, 1011, 1012,
            1013, 1014, 1015, 1016, 1017, 1018, 1019, 1020, 1021, 1022, 1023, 1024, 1025,
            1026, 1027, 1028, 1029
          ],
          "deep": [
            {
              "a": "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"
            },
            {"b": [1, 2]}
          ]
        }
        "#);
    }

    #[test]
    fn hostile_json_does_not_grow() {
        let deep = format!("{}{}{}", "[".repeat(100), "1,".repeat(50_000) + "1", "]".repeat(100));
        let tidy = tidy(&deep).unwrap();
        assert!(tidy.len() < 2 * deep.len());
        for broken in ["", "{", "[1,", "{\"a\":}", "nul", "\"\\"] {
            assert_eq!(super::tidy(broken), None, "{broken}");
        }
    }
}
