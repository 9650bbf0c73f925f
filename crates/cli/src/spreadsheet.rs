//! Writes comma-separated values.

use std::borrow::Cow;
use std::io::{self, Write};

use crate::terminal::clean;

/// Cleans untrusted text: escapes control characters, and keeps spreadsheets from reading it as a formula.
pub(crate) fn name(text: &str) -> String {
    let before = if text.starts_with(['=', '+', '-', '@']) { "'" } else { "" };
    format!("{before}{}", clean(text))
}

/// Writes a line according to RFC 4180.
pub(crate) fn line(out: &mut impl Write, cells: &[impl AsRef<str>]) -> io::Result<()> {
    let cells: Vec<Cow<'_, str>> = cells.iter().map(|cell| quoted(cell.as_ref())).collect();
    write!(out, "{}\r\n", cells.join(","))
}

fn quoted(cell: &str) -> Cow<'_, str> {
    if cell.contains(['"', ',', '\r', '\n']) {
        Cow::Owned(format!("\"{}\"", cell.replace('"', "\"\"")))
    } else {
        Cow::Borrowed(cell)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_quoted_where_they_must_be() {
        let mut out = Vec::new();
        line(&mut out, &["plain", "a,b", "say \"hi\"", "two\nlines", ""]).unwrap();
        assert_eq!(String::from_utf8(out).unwrap(), "plain,\"a,b\",\"say \"\"hi\"\"\",\"two\nlines\",\r\n");
    }

    #[test]
    fn names_are_neither_formulas_nor_escapes() {
        assert_eq!(name("=HYPERLINK(1)"), "'=HYPERLINK(1)");
        assert_eq!(name("-p"), "'-p");
        assert_eq!(name("a\x1b[2Jb\n"), "a\\u{1b}[2Jb\\n");
        assert_eq!(name(""), "");
    }
}
