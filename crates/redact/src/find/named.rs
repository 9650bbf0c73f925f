//! Values that are known by the name they are assigned to.

use std::ops::Range;

use crate::check::Verdict;
use crate::detector::Compiled;
use crate::plausible;
use crate::view::View;

/// How far behind the name its value may begin.
const WINDOW: usize = 120;
/// Words one of which must stand between the name and the value, if they are not joined by `=` or `:`.
const TELLING: [&[u8]; 10] =
    [b"key", b"token", b"secret", b"passw", b"pat", b"auth", b"login", b"credential", b"ssws", b"="];

/// The value of the form that a rule asks for, assigned to the name around `at`.
pub(super) fn near(view: &View, compiled: &Compiled, at: &Range<usize>) -> Option<Range<usize>> {
    let regex = compiled.regex()?;
    let text = view.text();
    let line = view.line_end(at.end.saturating_sub(1)).max(at.end);
    let limit = line.min(at.end + WINDOW);
    let mut start = at.end;
    let mut is_assigned = false;
    while start < limit {
        let byte = *text.get(start)?;
        if !is_token(byte) {
            is_assigned |= matches!(byte, b'=' | b':');
            start += 1;
            continue;
        }
        let length = text.get(start..)?.iter().take(4096).take_while(|&&byte| is_token(byte)).count();
        let is_telling = is_assigned || says_key(text.get(at.start..start)?);
        if is_telling && start > at.end {
            if let Some(range) = value(view, compiled, regex, start, line) {
                return Some(range);
            }
            // Across the end of a line, if the value goes on there.
            if start + length >= line
                && let Some(range) = value(view, compiled, regex, start, text.len())
            {
                return Some(range);
            }
        }
        // A value may follow its name within one run: `DD_API_KEY=…`.
        let joint = text.get(start..start + length)?.iter().position(|&byte| byte == b'=');
        start += match joint {
            Some(joint) if joint + 1 < length => {
                is_assigned = true;
                joint + 1
            }
            _ => length,
        };
    }
    None
}

fn value(
    view: &View,
    compiled: &Compiled,
    regex: &regex::bytes::Regex,
    start: usize,
    end: usize,
) -> Option<Range<usize>> {
    let window = view.slice(start..end.min(start + 4096));
    let found = regex.find(window)?;
    let range = start..start + found.end();
    let token = view.slice(range.clone());
    let ends_here = range.end >= end
        || view.is_break(range.end)
        || !view
            .text()
            .get(range.end)
            .is_some_and(|&byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'/' | b'+'));
    if !ends_here || compiled.rule.check.of(token) == Verdict::Fails {
        return None;
    }
    // Transcripts are full of ids, and some providers' keys look like one.
    if plausible::is_uuid(token) && is_assigned_to_id(view.text(), start) {
        return None;
    }
    let hexadecimal = |byte: &u8| byte.is_ascii_hexdigit() || *byte == b'-';
    let is_plain_form = compiled.rule.expression().is_some_and(|text| !text.contains("A-Z"));
    // A hash beside a provider's name is a hash, unless that provider's keys look like one.
    let is_other = !is_plain_form && !plausible::is_uuid(token) && (token.iter().all(hexadecimal) || !varies(token));
    let is_plain = is_plain_form && !token.iter().any(u8::is_ascii_digit);
    (!is_other && !is_plain).then_some(range)
}

/// Whether the value at `at` is assigned to a name that ends with `id`.
fn is_assigned_to_id(text: &[u8], at: usize) -> bool {
    let before = text.get(at.saturating_sub(64)..at).unwrap_or_default();
    let joint =
        before.iter().rev().take_while(|byte| matches!(byte, b'"' | b'\'' | b'\\' | b' ' | b':' | b'=')).count();
    let name = before.get(..before.len() - joint).unwrap_or_default();
    joint > 0 && name.last_chunk::<2>().is_some_and(|end| end.eq_ignore_ascii_case(b"id"))
}

/// Whether a token has letters of both cases or digits among letters, rather than being a word.
fn varies(token: &[u8]) -> bool {
    let digits = token.iter().filter(|byte| byte.is_ascii_digit()).count();
    let letters = token.iter().filter(|byte| byte.is_ascii_alphabetic()).count();
    digits >= 1 && letters >= 1
}

fn is_token(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.' | b'+' | b'/' | b'=' | b'~')
}

fn says_key(text: &[u8]) -> bool {
    TELLING.iter().any(|word| text.windows(word.len()).any(|window| window.eq_ignore_ascii_case(word)))
}

/// All matches of a rule in the object around `at`, and where that object ends.
pub(super) fn members(
    view: &View,
    compiled: &Compiled,
    at: &Range<usize>,
    reach: usize,
    within_braces: bool,
) -> (Vec<Range<usize>>, usize) {
    let text = view.text();
    let mut start = at.start.saturating_sub(reach);
    let mut end = (at.end + reach).min(text.len());
    if within_braces {
        start += memchr::memrchr2(b'{', b'}', view.slice(start..at.start)).unwrap_or(0);
        end = at.end + memchr::memchr2(b'{', b'}', view.slice(at.end..end)).unwrap_or(end - at.end);
    }
    let Some(regex) = compiled.regex() else { return (Vec::new(), end) };
    let mut ranges = Vec::new();
    let mut line = start;
    while line < end {
        // A name and its value stand on one line, however the object is laid out.
        let next = view.line_end(line).min(end);
        let groups = regex.captures_iter(view.slice(line..next)).filter_map(|captures| captures.get(1));
        let found = groups.map(|group| line + group.start()..line + group.end());
        ranges.extend(found.filter(|range| compiled.rule.check.of(view.slice(range.clone())) != Verdict::Fails));
        line = next.max(line + 1);
    }
    (ranges, end)
}
