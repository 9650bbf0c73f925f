//! URLs: which of them are safe to link, and where they are in a text.

use std::ops::Range;

use pulldown_cmark::LinkType;

use styled::clean::clean_line;

/// Maximum length of a target that is shown instead of linked.
const LONGEST: usize = 200;

/// The URL of a link; `None` if it leads neither to the web nor to mail.
pub(super) fn address(kind: LinkType, target: &str) -> Option<String> {
    if kind == LinkType::Email {
        return Some(format!("mailto:{target}"));
    }
    let known = ["http://", "https://", "mailto:"];
    let is_known = known.iter().any(|scheme| {
        target.get(..scheme.len()).is_some_and(|start| start.eq_ignore_ascii_case(scheme))
            && target.len() > scheme.len()
    });
    is_known.then(|| target.to_owned())
}

/// A target, as text.
pub(super) fn shown(target: &str) -> String {
    let target = clean_line(target);
    match target.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", target.get(..end).unwrap_or("")),
        None => target.into_owned(),
    }
}

/// The first bare `http://…` or `https://…` in a text.
pub(super) fn find(text: &str) -> Option<Range<usize>> {
    let bytes = text.as_bytes();
    memchr::memchr_iter(b':', bytes).find_map(|colon| {
        let after = text.get(colon + 1..)?.strip_prefix("//")?;
        let start = scheme_start(bytes, colon)?;
        if !after.starts_with(|c: char| c.is_alphanumeric() || c == '[') {
            return None;
        }
        let length = after.find(ends_address).unwrap_or(after.len());
        let length = without_punctuation(after.get(..length)?);
        Some(start..colon + "://".len() + length)
    })
}

/// The start of the scheme before a colon, if it is one of the web and a word of its own.
fn scheme_start(text: &[u8], colon: usize) -> Option<usize> {
    let before = text.get(..colon)?;
    let start = ["https", "http"].iter().find_map(|scheme| {
        let start = colon.checked_sub(scheme.len())?;
        before.get(start..)?.eq_ignore_ascii_case(scheme.as_bytes()).then_some(start)
    })?;
    let is_inside = before.get(..start)?.last().is_some_and(u8::is_ascii_alphanumeric);
    (!is_inside).then_some(start)
}

/// Whether a URL ends before a character: spaces, characters that no URL contains, and the punctuation of scripts that
/// write no spaces.
fn ends_address(c: char) -> bool {
    c.is_whitespace()
        || c.is_control()
        || matches!(c, '<' | '>' | '"' | '`' | '|' | '\\' | '^' | '…' | '“' | '”' | '‘' | '’' | '«' | '»')
        || matches!(c, '\u{3000}'..='\u{303f}' | '\u{ff01}'..='\u{ff0f}' | '\u{ff1a}'..='\u{ff20}')
}

/// The length of a URL without the punctuation of the sentence around it.
fn without_punctuation(address: &str) -> usize {
    let count = |sign| memchr::memchr_iter(sign, address.as_bytes()).count();
    let pairs = [(b')', b'('), (b']', b'['), (b'}', b'{')];
    // The number of closing brackets without an opening one.
    let mut surplus = pairs.map(|(close, open)| count(close).saturating_sub(count(open)));
    let mut kept = address.as_bytes();
    while let [rest @ .., last] = kept {
        let of_pair = pairs.iter().zip(&mut surplus).find(|((close, _), _)| close == last);
        match (last, of_pair) {
            (_, Some((_, surplus))) if *surplus > 0 => *surplus -= 1,
            (b'.' | b',' | b';' | b':' | b'!' | b'?' | b'\'' | b'*' | b'_' | b'~', _) => {}
            _ => break,
        }
        kept = rest;
    }
    kept.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_end_where_the_sentence_goes_on() {
        let cases = [
            ("see https://a.b/c.", "https://a.b/c"),
            ("(http://a.b/c(d)e)", "http://a.b/c(d)e"),
            ("(http://a.b/c)).", "http://a.b/c"),
            ("http://a.b/x?q=1&r=[2]!", "http://a.b/x?q=1&r=[2]"),
            ("\"https://a.b\" c", "https://a.b"),
            ("'https://a.b', c", "https://a.b"),
            ("**https://a.b**", "https://a.b"),
            ("HTTPS://A.b/C_d_", "HTTPS://A.b/C_d"),
            ("见https://a.b/c。好", "https://a.b/c"),
            ("http://[::1]:80/", "http://[::1]:80/"),
            ("a: b ://c http:// http://d", "http://d"),
            ("https://a.b/~me/*", "https://a.b/~me/"),
        ];
        for (text, address) in cases {
            assert_eq!(find(text).and_then(|range| text.get(range)), Some(address), "{text}");
        }
        for text in ["", "http://", "xhttp://a.b", "ftp://a.b", "http:/a", "http://…", "https://.", "javascript://a"]
        {
            assert_eq!(find(text), None, "{text}");
        }
    }

    #[test]
    fn only_the_web_and_mail_can_be_followed() {
        for target in ["http://a", "HTTPS://a.b", "mailto:me@a.b"] {
            assert_eq!(address(LinkType::Inline, target).as_deref(), Some(target));
        }
        assert_eq!(address(LinkType::Email, "me@a.b").as_deref(), Some("mailto:me@a.b"));
        for target in [
            "",
            "javascript:alert(1)",
            "JavaScript:alert(1)",
            " javascript:alert(1)",
            "java\tscript:alert(1)",
            "data:text/html,x",
            "vbscript:x",
            "file:///etc/passwd",
            "//host/x",
            "\\\\host\\x",
            "src/a.rs",
            "#l12",
            "https:a",
            "http:/a",
            "https://",
            "blob:https://a.b",
            "view-source:https://a.b",
            "\u{1}https://a.b",
        ] {
            assert_eq!(address(LinkType::Inline, target), None, "{target}");
        }
    }
}
