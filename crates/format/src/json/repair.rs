//! Repairs lines that are not quite JSON, for a second reading.
//!
//! Only lines that failed the first reading come here. The bytes of the line do not change; the repaired text is a
//! copy.

use std::borrow::Cow;
use std::fmt;

/// The repairs that were made before a line could be read.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Repairs {
    /// Bytes that are not UTF-8 were replaced with U+FFFD.
    pub invalid_utf8: bool,
    /// NUL bytes or other control characters around the object were removed.
    pub debris: bool,
}

impl Repairs {
    /// Whether anything was repaired.
    pub fn any(self) -> bool {
        self != Self::default()
    }
}

impl fmt::Display for Repairs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let said = [(self.invalid_utf8, "invalid UTF-8"), (self.debris, "control characters around the object")];
        let list: Vec<_> = said.iter().filter(|(is, _)| *is).map(|(_, what)| *what).collect();
        f.write_str(&list.join(", "))
    }
}

/// A repaired text that may parse where the bytes did not, and its repairs. `None` if there is nothing to repair.
pub(crate) fn repair(line: &[u8]) -> Option<(Cow<'_, str>, Repairs)> {
    let text = String::from_utf8_lossy(line);
    let invalid_utf8 = matches!(text, Cow::Owned(_));
    let is_debris =
        |c: char| c.is_control() || c.is_whitespace() || matches!(c, '\u{feff}' | char::REPLACEMENT_CHARACTER);
    let kept = text.trim_matches(is_debris);
    let debris = kept.len() < text.trim_ascii().len();
    let repairs = Repairs { invalid_utf8, debris };
    let text = if debris { Cow::Owned(kept.to_owned()) } else { text };
    repairs.any().then_some((text, repairs))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_to_repair() {
        assert_eq!(repair(br#"{"a":"b"}"#), None);
        assert_eq!(repair(br#" {"a":"b "#), None);
    }

    #[test]
    fn each_damage_is_repaired_and_named() {
        let cases: [(&[u8], &str, &str); 4] = [
            (b"\0\0\0{\"a\":1}", r#"{"a":1}"#, "control characters around the object"),
            (b"{\"a\":1}\0\0\n", r#"{"a":1}"#, "control characters around the object"),
            (b"{\"a\":\"\xff\"}", "{\"a\":\"\u{fffd}\"}", "invalid UTF-8"),
            (b"\xff\0{\"a\":1}", "{\"a\":1}", "invalid UTF-8, control characters around the object"),
        ];
        for (line, repaired, what) in cases {
            let (text, repairs) = repair(line).unwrap_or_else(|| panic!("{what}"));
            assert_eq!(text, repaired);
            assert_eq!(repairs.to_string(), what);
        }
    }
}
