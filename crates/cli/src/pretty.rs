//! Formats JSON with line breaks and colors.
//!
//! It works on the source text: order, duplicate keys and the digits of numbers stay. Lines that are not JSON are
//! printed unchanged.

use std::io::{self, Write};

use anstyle::{AnsiColor, Style};
use format::Scratch;

use crate::terminal::{clean, steers};

const KEY: Style = AnsiColor::Cyan.on_default();
const NUMBER: Style = AnsiColor::Yellow.on_default();
const WORD: Style = AnsiColor::Magenta.on_default();
const STRING: Style = Style::new();

/// Writes a line.
pub(crate) fn write(out: &mut impl Write, line: &[u8]) -> io::Result<()> {
    let text = String::from_utf8_lossy(line);
    if format::read(line, &Scratch::default()).malformed.is_some() {
        return writeln!(out, "{}", clean(text.trim_end()));
    }
    let mut layout = Layout { rest: text.trim_start_matches('\u{feff}'), depth: 0, out };
    layout.write()?;
    writeln!(layout.out)
}

/// The text and the state of its layout.
struct Layout<'t, W> {
    rest: &'t str,
    depth: usize,
    out: W,
}

impl<W: Write> Layout<'_, W> {
    fn write(&mut self) -> io::Result<()> {
        let mut after_value = false;
        while let Some(first) = self.peek() {
            // A line may hold several objects.
            if after_value && self.depth == 0 && first != ',' {
                writeln!(self.out)?;
            }
            after_value = !matches!(first, ',' | ':' | '{' | '[');
            match first {
                '{' | '[' => after_value = self.open(first)?,
                '}' | ']' => {
                    self.depth = self.depth.saturating_sub(1);
                    self.break_line()?;
                    self.pass(1, Style::new())?;
                }
                ',' => {
                    self.pass(1, Style::new())?;
                    if self.depth > 0 {
                        self.break_line()?;
                    }
                }
                ':' => {
                    self.pass(1, Style::new())?;
                    write!(self.out, " ")?;
                }
                '"' => self.string()?,
                _ => {
                    let end = self.rest.find(|c: char| c.is_ascii_whitespace() || "{}[],:\"".contains(c));
                    let style = if first.is_ascii_alphabetic() { WORD } else { NUMBER };
                    self.pass(end.unwrap_or(self.rest.len()), style)?;
                }
            }
        }
        Ok(())
    }

    /// Returns the next character that is not white space.
    fn peek(&mut self) -> Option<char> {
        self.rest = self.rest.trim_ascii_start();
        self.rest.chars().next()
    }

    /// Opens an object or a list. Returns whether it is empty and therefore complete.
    fn open(&mut self, bracket: char) -> io::Result<bool> {
        self.pass(1, Style::new())?;
        let close = if bracket == '{' { '}' } else { ']' };
        if self.peek() == Some(close) {
            self.pass(1, Style::new())?;
            return Ok(true);
        }
        self.depth += 1;
        self.break_line()?;
        Ok(false)
    }

    fn string(&mut self) -> io::Result<()> {
        let length = string_length(self.rest);
        let is_key = self.rest.get(length..).is_some_and(|rest| rest.trim_ascii_start().starts_with(':'));
        self.pass(length, if is_key { KEY } else { STRING })
    }

    /// Writes the next `length` bytes, with control characters escaped as in JSON.
    fn pass(&mut self, length: usize, style: Style) -> io::Result<()> {
        let (text, rest) = self.rest.split_at_checked(length).unwrap_or((self.rest, ""));
        self.rest = rest;
        write!(self.out, "{style}")?;
        let mut plain = text;
        while let Some(at) = plain.find(steers) {
            let (before, from) = plain.split_at_checked(at).unwrap_or((plain, ""));
            write!(self.out, "{before}")?;
            let mut characters = from.chars();
            if let Some(character) = characters.next() {
                write!(self.out, "\\u{:04x}", u32::from(character))?;
            }
            plain = characters.as_str();
        }
        write!(self.out, "{plain}{style:#}")
    }

    fn break_line(&mut self) -> io::Result<()> {
        write!(self.out, "\n{:indent$}", "", indent = 2 * self.depth)
    }
}

/// Returns the length of the string at the beginning of a text, including quotes.
fn string_length(text: &str) -> usize {
    let mut escaped = false;
    for (at, byte) in text.bytes().enumerate().skip(1) {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = true,
            b'"' => return at + 1,
            _ => {}
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(line: &[u8]) -> String {
        let mut out = Vec::new();
        write(&mut anstream::StripStream::new(&mut out), line).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn json_keeps_its_order_and_numbers() {
        let line = br#"{"type":"user", "a" :[1,2.50,{}],"b":{"c":null,"c":true},"d":"x\"y: {","e":[]}"#;
        insta::assert_snapshot!(shown(line), @r#"
        {
          "type": "user",
          "a": [
            1,
            2.50,
            {}
          ],
          "b": {
            "c": null,
            "c": true
          },
          "d": "x\"y: {",
          "e": []
        }
        "#);
    }

    #[test]
    fn several_objects_are_printed_one_below_the_other() {
        assert_eq!(
            shown(br#"{"type":"mode"}{"type":"tag"}"#),
            "{\n  \"type\": \"mode\"\n}\n{\n  \"type\": \"tag\"\n}\n"
        );
    }

    #[test]
    fn damaged_lines_are_shown_as_they_are() {
        assert_eq!(shown(b"{\"type\":\"us\x1b[31m\n"), "{\"type\":\"us\\u{1b}[31m\n");
        assert_eq!(shown(b"\r\n"), "\n");
    }

    #[test]
    fn nothing_steers_the_terminal() {
        assert_eq!(
            shown("{\"type\":\"mode\",\"mode\":\"a\u{9b}31m\u{202e}\"}".as_bytes()),
            "{\n  \"type\": \"mode\",\n  \"mode\": \"a\\u009b31m\\u202e\"\n}\n"
        );
    }

    #[test]
    fn colours_come_in_pairs() {
        let mut out = Vec::new();
        write(&mut out, br#"{"type":"mode","n":1}"#).unwrap();
        let text = String::from_utf8(out).unwrap();
        assert_eq!(text, "{\n  \x1b[36m\"type\"\x1b[0m: \"mode\",\n  \x1b[36m\"n\"\x1b[0m: \x1b[33m1\x1b[0m\n}\n");
    }
}
