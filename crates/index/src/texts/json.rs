//! The texts in untyped JSON: inputs and results of tools without a known type.

use format::{Raw, Scratch};

use super::{Column, Pen};

/// Keys of values that are not searchable: data, files before a change, and words of the format itself.
const UNREAD: [&str; 15] = [
    "type",
    "base64",
    "blob",
    "signature",
    "encrypted_content",
    "encrypted_index",
    "encryptedContent",
    "media_type",
    "mediaType",
    "mimeType",
    "originalFile",
    "originalFileContents",
    "original_file",
    "updated_file",
    "cache_control",
];

impl Pen<'_> {
    /// Passes on all texts of a value.
    pub(super) fn put_json(&mut self, column: Column, json: &str) {
        texts(json, |text| self.put(column, text));
    }

    /// Passes on all texts and numbers of a value.
    pub(super) fn put_open_json(&mut self, column: Column, json: &str) {
        numbers(json, |number| self.put(column, number));
        self.put_json(column, json);
    }
}

/// Passes all texts of a value to `each`, except keys and values that are not searchable.
pub(super) fn texts(json: &str, mut each: impl FnMut(&str)) {
    let scratch = Scratch::default();
    let mut key = "";
    for (before, string) in Strings(json) {
        // A key applies to the value right after its colon, not to values nested deeper.
        if before.trim() != ":" {
            key = "";
        }
        if string.is_key {
            key = string.inside;
            continue;
        }
        if UNREAD.contains(&std::mem::take(&mut key)) || is_data(string.inside) {
            continue;
        }
        if string.is_escaped {
            each(Raw::from(string.quoted).as_text(&scratch).map_or("", format::Text::as_str));
        } else {
            each(string.inside);
        }
    }
}

fn numbers(json: &str, mut each: impl FnMut(&str)) {
    let mut strings = Strings(json);
    let mut between = |text: &str| {
        let tokens = text.split(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '-' | '+' | '.')));
        tokens.filter(|token| token.contains(|c: char| c.is_ascii_digit())).for_each(&mut each);
    };
    for (before, _) in strings.by_ref() {
        between(before);
    }
    between(strings.0);
}

/// Whether a text is encoded data: a long run without spaces or punctuation.
pub(super) fn is_data(text: &str) -> bool {
    const SHORTEST: usize = 400;
    let is_letter = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'=' | b'-' | b'_');
    text.as_bytes().get(..SHORTEST).is_some_and(|start| {
        let start = start.strip_prefix(b"data:").map_or(start, |data| {
            data.iter().position(|byte| *byte == b',').and_then(|at| data.get(at + 1..)).unwrap_or(data)
        });
        start.iter().all(is_letter)
    })
}

/// A string in a value.
struct JsonString<'a> {
    /// With its quotes.
    quoted: &'a str,
    /// Without its quotes.
    inside: &'a str,
    is_escaped: bool,
    is_key: bool,
}

/// The strings of a value, each with the text before it.
struct Strings<'a>(&'a str);

impl<'a> Iterator for Strings<'a> {
    type Item = (&'a str, JsonString<'a>);

    fn next(&mut self) -> Option<Self::Item> {
        let (before, rest) = self.0.split_at_checked(self.0.find('"')?)?;
        let (length, is_escaped) = string_length(rest.as_bytes())?;
        let (quoted, after) = rest.split_at_checked(length)?;
        self.0 = after;
        let inside = quoted.get(1..length - 1)?;
        Some((before, JsonString { quoted, inside, is_escaped, is_key: after.trim_start().starts_with(':') }))
    }
}

/// The length of the string that begins here, and whether it contains escapes.
fn string_length(bytes: &[u8]) -> Option<(usize, bool)> {
    let (mut at, mut is_escaped) = (1, false);
    loop {
        at += bytes.get(at..)?.iter().position(|byte| matches!(byte, b'"' | b'\\'))?;
        if bytes.get(at) == Some(&b'"') {
            return Some((at + 1, is_escaped));
        }
        is_escaped = true;
        at += 2;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(json: &str) -> Vec<String> {
        let mut found = Vec::new();
        texts(json, |text| found.push(text.to_owned()));
        found
    }

    #[test]
    fn values_are_found_and_keys_are_not() {
        let json =
            r#"{"query": "beds","limit":3,"tags":["a\tb","c\\"],"deep":{"type":"text","text":"say \"hi\" \u00e9"}}"#;
        assert_eq!(found(json), ["beds", "a\tb", "c\\", "say \"hi\" é"]);
        let mut numbered = Vec::new();
        numbers(r#"{"n":12,"deep":[-1.5e3,true,"7"],"last":9}"#, |number| numbered.push(number.to_owned()));
        assert_eq!(numbered, ["12", "-1.5e3", "9"]);
    }

    #[test]
    fn data_is_left_out() {
        let data = "iVBORw0KGgo".repeat(50);
        let json =
            format!(r#"{{"data":"{data}","url":"data:image/png;base64,{data}","signature":"x","text":"a picture"}}"#);
        assert_eq!(found(&json), ["a picture"]);
        assert!(!is_data(&"plain words ".repeat(50)));
    }

    #[test]
    fn a_key_counts_for_its_own_value_only() {
        assert_eq!(found(r#"{"signature":["kept"],"x":{"signature":"gone"},"y":["kept too"]}"#), ["kept", "kept too"]);
    }

    #[test]
    fn broken_json_ends_quietly() {
        for json in ["", "\"", "\"a\\", "{\"a\":\"b", "[1,2", "\"\\\""] {
            assert_eq!(found(json), Vec::<String>::new(), "{json}");
        }
    }
}
