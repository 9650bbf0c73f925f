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
    let kept = text.trim_matches(is_debris);
    let debris = kept.len() < text.trim_ascii().len();
    let repairs = Repairs { invalid_utf8, debris };
    let text = if debris { Cow::Owned(kept.to_owned()) } else { text };
    repairs.any().then_some((text, repairs))
}

fn is_debris(c: char) -> bool {
    c.is_control() || c.is_whitespace() || matches!(c, '\u{feff}' | char::REPLACEMENT_CHARACTER)
}

/// Where offsets of the repaired text lie in the line. The offsets are in ascending order; `None` if one is beyond the
/// end.
pub(crate) fn origins(line: &[u8], repairs: Repairs, offsets: &[u32]) -> Option<Vec<u32>> {
    let mut found = Vec::with_capacity(offsets.len());
    let mut next = offsets.iter().map(|offset| *offset as usize).peekable();
    // The position in the line, and that in the repaired text; the text begins behind the debris.
    let (mut at, mut read) = (0, 0);
    let mut is_begun = !repairs.debris;
    for chunk in line.utf8_chunks() {
        let mut valid = chunk.valid();
        if !is_begun {
            valid = valid.trim_start_matches(is_debris);
            is_begun = !valid.is_empty();
            at += chunk.valid().len() - valid.len();
        }
        while let Some(offset) = next.next_if(|offset| is_begun && *offset <= read + valid.len()) {
            found.push(u32::try_from(at + offset.checked_sub(read)?).ok()?);
        }
        (at, read) = (at + valid.len() + chunk.invalid().len(), read + valid.len());
        if is_begun && !chunk.invalid().is_empty() {
            read += char::REPLACEMENT_CHARACTER.len_utf8();
        }
    }
    next.peek().is_none().then_some(found)
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
    fn offsets_of_the_repaired_text_lead_to_the_line() {
        let cases: [&[u8]; 4] =
            [b"\0\0[1,2]", b"[\"\xff\xfe\",12]", b"\xff\0 [\"\xe2\x82\",12]\0", b"\0[\"\xc3\xa4\xff\",12]"];
        for line in cases {
            let (text, repairs) = repair(line).unwrap();
            let offsets: Vec<u32> = text.char_indices().map(|(at, _)| u32::try_from(at).unwrap()).collect();
            let origins = origins(line, repairs, &offsets).unwrap();
            for (offset, origin) in offsets.into_iter().zip(origins) {
                let (repaired, original) = (text.as_bytes()[offset as usize], line[origin as usize]);
                assert!(repaired == original || repaired == 0xef, "{line:?}: {offset} is not {origin}");
            }
            let end = u32::try_from(text.len()).unwrap();
            assert!(super::origins(line, repairs, &[end]).is_some(), "{line:?}");
            assert_eq!(super::origins(line, repairs, &[end + 9]), None, "{line:?}");
        }
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
