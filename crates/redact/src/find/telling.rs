//! Values beside a telling word: `PASSWORD=…`, `"api_key": "…"`, `--token …`, `?secret=…`, `Authorization: …`.

use std::ops::Range;

use crate::plausible;
use crate::view::View;

const LONGEST_NAME: usize = 48;
const LONGEST_VALUE: usize = 512;
/// Words in a name that say that its value is about a secret, not the secret: `token_count`, `PASSWORD_FILE`.
const ABOUT: [&[u8]; 44] = [
    b"hash",
    b"digest",
    b"count",
    b"limit",
    b"length",
    b"len",
    b"type",
    b"name",
    b"url",
    b"uri",
    b"path",
    b"file",
    b"id",
    b"ids",
    b"expires",
    b"expiry",
    b"expiration",
    b"usage",
    b"max",
    b"min",
    b"num",
    b"total",
    b"budget",
    b"cache",
    b"policy",
    b"field",
    b"label",
    b"input",
    b"output",
    b"placeholder",
    b"hint",
    b"error",
    b"message",
    b"version",
    b"format",
    b"mode",
    b"ttl",
    b"size",
    b"rate",
    b"index",
    b"arn",
    b"ref",
    b"sha",
    b"commit",
];
const SCHEMES: [&[u8]; 6] = [b"bearer ", b"basic ", b"token ", b"ssws ", b"apikey ", b"digest "];

/// The value that is assigned to the name around the telling word at `at`.
pub(super) fn value(view: &View, at: &Range<usize>, is_password: bool) -> Option<Range<usize>> {
    let text = view.text();
    let line = view.line_end(at.start);
    if line < at.end || text.get(at.end).is_some_and(u8::is_ascii_lowercase) && at.end < line {
        return None;
    }
    let name = name(view, at, line)?;
    let joint = joint(text.get(name.end..line)?, text.get(..name.start)?.ends_with(b"-"))?;
    let start = name.end + joint;
    let is_query = matches!(text.get(..name.start)?.last(), Some(b'?' | b'&'));
    let range = written(text, start, line, is_query)?;
    let value = view.slice(range.clone());
    let is_about = words(view.slice(name.clone())).iter().any(|word| ABOUT.contains(&word.as_slice()));
    let is_none = is_about
        || plausible::is_placeholder(value)
        || plausible::is_made_up(value)
        || value.eq_ignore_ascii_case(view.slice(name));
    let is_secret = if is_password { plausible::is_password(value) } else { plausible::is_strong(value) };
    (!is_none && is_secret).then_some(range)
}

/// The whole name that a telling word is a part of.
fn name(view: &View, at: &Range<usize>, line: usize) -> Option<Range<usize>> {
    let text = view.text();
    let belongs = |byte: &&u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.');
    let floor = view.line_start(at.start);
    let before = text.get(floor..at.start)?.iter().rev().take(LONGEST_NAME).take_while(belongs).count();
    let after = text.get(at.end..line)?.iter().take(LONGEST_NAME).take_while(belongs).count();
    let start = at.start - before;
    let dashes = text.get(start..at.start)?.iter().take_while(|&&byte| byte == b'-').count();
    (before < LONGEST_NAME && after < LONGEST_NAME).then_some(start + dashes..at.end + after)
}

/// The length of what joins a name to its value.
fn joint(rest: &[u8], is_flag: bool) -> Option<usize> {
    let mut at = rest.iter().take(3).take_while(|byte| matches!(byte, b'"' | b'\'' | b'\\' | b']' | b'`')).count();
    let is_quoted_name = at > 0;
    at += spaces(rest.get(at..)?);
    let tail = rest.get(at..)?;
    at += match tail {
        [b'=', b'=' | b'~', ..] => return None,
        [b'=' | b':', b'>' | b'=', ..] | [b',', b' ', b'"' | b'\'', ..] => 2,
        [b'=' | b':', ..] | [b'(' | b',', b'"' | b'\'', ..] => 1,
        [b'>', ..] if at == 0 => 1,
        _ if tail.starts_with(b"is ") && at > 0 => 3,
        _ if tail.starts_with(b"was ") && at > 0 => 4,
        [b'"' | b'\'', ..] if at > 0 && !is_quoted_name => 0,
        _ if is_flag && at > 0 => 0,
        _ => return None,
    };
    at += spaces(rest.get(at..)?);
    let tail = rest.get(at..)?;
    let quotes = tail.iter().take(2).take_while(|byte| matches!(byte, b'"' | b'\'' | b'\\')).count();
    if let Some(scheme) = SCHEMES
        .iter()
        .find(|scheme| tail.get(quotes..quotes + scheme.len()).is_some_and(|start| start.eq_ignore_ascii_case(scheme)))
    {
        return Some(at + quotes + scheme.len());
    }
    Some(at)
}

fn spaces(rest: &[u8]) -> usize {
    rest.iter().take(4).take_while(|byte| matches!(byte, b' ' | b'\t')).count()
}

/// The value that is written at `start`: up to its closing quote, or to the end of the word.
fn written(text: &[u8], start: usize, line: usize, is_query: bool) -> Option<Range<usize>> {
    let rest = text.get(start..line)?;
    let slash = usize::from(rest.first() == Some(&b'\\'));
    if let Some(&quote @ (b'"' | b'\'' | b'`')) = rest.get(slash) {
        let from = slash + 1;
        let content = rest.get(from..rest.len().min(from + LONGEST_VALUE))?;
        let mut length = memchr::memchr(quote, content)?;
        length -= usize::from(slash > 0 && content.get(..length)?.last() == Some(&b'\\'));
        return Some(start + from..start + from + length);
    }
    let ends = |byte: &u8| {
        byte.is_ascii_whitespace()
            || (is_query && *byte == b'&')
            || matches!(byte, b',' | b';' | b'"' | b'\'' | b'`' | b'<' | b'>' | b'|' | b'\\' | b')' | b'}' | b']')
    };
    let mut length = rest.iter().take(LONGEST_VALUE).position(ends).unwrap_or(rest.len().min(LONGEST_VALUE));
    // An expression, as in `token = get(…)`.
    if rest.get(..length)?.iter().any(|byte| matches!(byte, b'(' | b'{' | b'[')) {
        return None;
    }
    while length > 0 && matches!(rest.get(length - 1), Some(b'.' | b':' | b'?')) {
        length -= 1;
    }
    Some(start..start + length)
}

/// The words of a name: `clientSecretHash` and `client_secret_hash` have three.
fn words(name: &[u8]) -> Vec<Vec<u8>> {
    let mut words: Vec<Vec<u8>> = Vec::new();
    let mut last = b'_';
    for &byte in name {
        let begins = !last.is_ascii_alphanumeric() || (byte.is_ascii_uppercase() && last.is_ascii_lowercase());
        if byte.is_ascii_alphanumeric() {
            match words.last_mut() {
                Some(word) if !begins => word.push(byte.to_ascii_lowercase()),
                _ => words.push(vec![byte.to_ascii_lowercase()]),
            }
        }
        last = byte;
    }
    words
}
