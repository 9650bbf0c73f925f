//! Numbers, names and times in human-readable form.

use std::time::Duration;

use format::{Text, Time};

use crate::preview::{LONGEST, preview};

/// A text field; empty if absent.
pub(super) fn of(text: Option<Text<'_>>) -> &str {
    text.map_or("", Text::as_str)
}

/// The pieces that are not empty, joined by dots.
pub(super) fn dotted<const N: usize>(pieces: [&str; N]) -> String {
    joined(pieces, " · ")
}

/// A list of a few names.
pub(super) fn list<'a>(names: impl IntoIterator<Item = &'a str>) -> String {
    joined(names, ", ")
}

fn joined<'a>(pieces: impl IntoIterator<Item = &'a str>, between: &str) -> String {
    let mut whole = String::new();
    for piece in pieces.into_iter().map(preview).filter(|piece| !piece.is_empty()) {
        if !whole.is_empty() {
            whole.push_str(between);
        }
        whole.push_str(&piece);
        // The rest would be truncated anyway.
        if whole.len() > LONGEST * 4 {
            break;
        }
    }
    whole
}

/// `what: detail`, or whichever of the two is present.
pub(super) fn with(what: &str, detail: &str) -> String {
    joined([what, detail], ": ")
}

/// An identifier of the format, written as words: `review_ready` is `review ready`.
pub(super) fn spaced(word: &str) -> String {
    word.replace(['_', '-'], " ")
}

/// The last component of a path of any system.
pub(super) fn file_name(path: &str) -> &str {
    path.trim_end_matches(['/', '\\']).rsplit(['/', '\\']).next().unwrap_or(path)
}

/// `1 file`, `3 files`.
pub(super) fn counted(count: usize, noun: &str) -> String {
    human::counted(count as u64, noun, &format!("{noun}s"))
}

/// A large number with few digits: `812`, `45.2k`, `1.2M`.
pub(super) fn short(number: i64) -> String {
    u64::try_from(number).map_or_else(|_| number.to_string(), human::tokens)
}

/// `45.2k tokens`; empty if absent.
pub(super) fn tokens(number: Option<i64>) -> String {
    let words = |number: i64| u64::try_from(number).map_or_else(|_| format!("{number} tokens"), human::counted_tokens);
    number.map(words).unwrap_or_default()
}

/// A duration: `812 ms`, `4.1 s`, `1 min 12 s`; empty if absent.
pub(super) fn duration(millis: Option<f64>) -> String {
    millis.and_then(whole_millis).map(human::duration).unwrap_or_default()
}

/// Milliseconds as a whole number, if they are a valid duration.
pub(super) fn whole_millis(millis: f64) -> Option<u64> {
    u64::try_from(span(millis)?.as_millis()).ok()
}

fn span(millis: f64) -> Option<Duration> {
    Duration::try_from_secs_f64(millis / 1_000.0).ok()
}

/// When a limit resets, independent of the reader's time zone: `resets 8 Aug 2026 11:53 UTC`; empty if absent.
pub(super) fn resets(time: Option<Time<'_>>) -> String {
    let moment = time.and_then(Time::timestamp);
    moment.map_or_else(String::new, |moment| {
        format!("resets {} UTC", human::date_and_time(Some(moment.as_millisecond()), &jiff::tz::TimeZone::UTC))
    })
}
