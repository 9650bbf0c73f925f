//! Parses the values that doors show, to make them comparable.

use std::collections::BTreeMap;
use std::fmt;

use jiff::Timestamp;
use jiff::civil::DateTime;
use jiff::tz::TimeZone;
use serde_json::Value;

use crate::stage::{RATE, SIGN, ZONE};

/// The compared fields and their types. A new field is a line here; doors that name it differently map it themselves.
pub(crate) const FIELDS: [(&str, ValueKind); 13] = [
    ("id", ValueKind::Id),
    ("title", ValueKind::Text),
    ("project", ValueKind::Path),
    ("state", ValueKind::State),
    ("first", ValueKind::Moment),
    ("last", ValueKind::Moment),
    ("turns", ValueKind::Count),
    ("calls", ValueKind::Count),
    ("failed", ValueKind::Count),
    ("agents", ValueKind::Count),
    ("tokens", ValueKind::Tokens),
    ("cost", ValueKind::Money),
    ("sure", ValueKind::Sure),
];

/// The type of a field, which determines how it is parsed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ValueKind {
    /// An id, or an unambiguous part of it.
    Id,
    /// A text; if it ends in `…`, it may be cut.
    Text,
    /// The state of a session; people may also be told how certain it is, the reason, and since when.
    State,
    /// A folder, or the end of its path.
    Path,
    /// A time: in UTC for programs, in the configured zone for people.
    Moment,
    Count,
    /// Tokens: a number, or `12.4 k`.
    Tokens,
    /// Costs: dollars for programs, the user's currency for people.
    Money,
    /// Whether the cost is complete: a flag for programs, no sign of doubt for people.
    Sure,
}

/// The value that a door shows: for programs, for people, or both.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Said {
    Value(Value),
    Words(String),
    Both(Value, String),
}

impl Said {
    pub(crate) fn words(text: impl AsRef<str>) -> Self {
        Self::Words(text.as_ref().split_whitespace().collect::<Vec<_>>().join(" "))
    }
}

impl fmt::Display for Said {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Value(value) => write!(f, "{value}"),
            Self::Words(text) => write!(f, "“{text}”"),
            Self::Both(value, text) => write!(f, "{value} “{text}”"),
        }
    }
}

/// The facts that a door shows about a session. Facts that it leaves out are missing.
pub(crate) type Facts = BTreeMap<&'static str, Said>;

/// The facts in a JSON object, by these pointers.
pub(crate) fn facts(value: &Value, pointers: &[(&'static str, &str)]) -> Facts {
    let said = |(field, pointer): &(&'static str, &str)| {
        let part = value.pointer(pointer).cloned().unwrap_or(Value::Null);
        (*field, Said::Value(part))
    };
    pointers.iter().map(said).collect()
}

/// Whether a shown value agrees with the true one, as precisely as it is shown.
pub(crate) fn agrees(kind: ValueKind, truth: &Said, said: &Said) -> bool {
    if let Said::Both(value, text) = said {
        let [value, text] = [Said::Value(value.clone()), Said::Words(text.clone())];
        return agrees(kind, truth, &value) && agrees(kind, truth, &text);
    }
    let Said::Value(truth) = truth else { panic!("the door that all are compared with speaks to programs") };
    match (kind, said) {
        (ValueKind::Id | ValueKind::Text | ValueKind::State | ValueKind::Sure, Said::Value(value)) => truth == value,
        (ValueKind::Id, Said::Words(text)) => {
            // The id may be shortened, but not the mark of a session that shares its id.
            let (start, mark) = text.split_once('~').map_or((text.as_str(), ""), |(start, mark)| (start, mark));
            let truth = words(truth);
            start.chars().count() >= 8.min(truth.chars().count()) && truth.starts_with(start) && truth.ends_with(mark)
        }
        (ValueKind::Text, Said::Words(text)) => match text.strip_suffix('…') {
            Some(start) => words(truth).starts_with(start.trim_end()),
            None => words(truth) == *text,
        },
        (ValueKind::State, Said::Words(text)) => {
            let word = text.split([',', '·']).next().unwrap_or_default().trim();
            word.strip_suffix('?').unwrap_or(word) == words(truth)
        }
        (ValueKind::Path, Said::Value(value)) => words(truth) == words(value),
        (ValueKind::Path, Said::Words(text)) => is_end_of(text.trim_start_matches('~'), &words(truth)),
        (ValueKind::Moment, said) => moment_agrees(truth, said),
        (ValueKind::Count, said) => truth.as_u64() == count(said),
        (ValueKind::Tokens, said) => {
            tokens(said).is_some_and(|(low, high)| truth.as_f64().is_some_and(|tokens| (low..=high).contains(&tokens)))
        }
        (ValueKind::Money, said) => money(said)
            .is_some_and(|(dollars, slack)| truth.as_f64().is_some_and(|truth| (truth - dollars).abs() <= slack)),
        (ValueKind::Sure, Said::Words(text)) => {
            let is_doubtful = text.contains(['≥', '?', '~']) || text.starts_with(AT_LEAST) || text == UNKNOWN;
            truth.as_bool() == Some(!is_doubtful)
        }
        (_, Said::Both(..)) => unreachable!("both were looked at"),
    }
}

fn words(value: &Value) -> String {
    value.as_str().unwrap_or_default().split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Whether a text is a path or its last components; `…` replaces the components left out.
fn is_end_of(text: &str, path: &str) -> bool {
    // Names of projects have slashes on every system.
    let (text, path) = (&*text.replace('\\', "/"), &*path.replace('\\', "/"));
    let is_edge = |rest: &str| rest.is_empty() || rest.ends_with(['/', '\\']);
    if let Some(start) = text.strip_suffix('…') {
        return path.match_indices(start).any(|(at, _)| is_edge(&path[..at]));
    }
    let text = text.rsplit('…').next().unwrap_or(text);
    let is_end = |before: &str| text == path || !text.is_empty() && (is_edge(before) || text.starts_with('/'));
    path.strip_suffix(text).is_some_and(is_end)
}

fn moment_agrees(truth: &Value, said: &Said) -> bool {
    let truth = truth.as_str().map(|text| text.parse::<Timestamp>().unwrap());
    match said {
        Said::Value(Value::Null) => truth.is_none(),
        Said::Value(Value::String(text)) => truth == text.parse().ok() && truth.is_some(),
        Said::Value(value) => truth.is_some_and(|truth| Some(truth.as_millisecond()) == value.as_i64()),
        Said::Words(text) if text.is_empty() => truth.is_none(),
        Said::Words(text) => truth.is_some_and(|truth| {
            let there = truth.to_zoned(TimeZone::get(ZONE).unwrap());
            // The zone may be named if it is the right one.
            let text = text.strip_suffix(&there.strftime(" %Z").to_string()).unwrap_or(text);
            let there = there.datetime();
            minute(text, there)
                .is_some_and(|shown| shown.strftime("%F %H:%M").to_string() == there.strftime("%F %H:%M").to_string())
        }),
        Said::Both(..) => false,
    }
}

/// A time as people read it; a missing year is that of `about`.
fn minute(text: &str, about: DateTime) -> Option<DateTime> {
    let dated = format!("{} {text}", about.year());
    let read = |form: &str, text: &str| DateTime::strptime(form, text).ok();
    read("%Y-%m-%d %H:%M", text).or_else(|| read("%d %b %Y %H:%M", text)).or_else(|| read("%Y %d %b %H:%M", &dated))
}

/// A number, possibly with thousands separators.
pub(crate) fn count(said: &Said) -> Option<u64> {
    match said {
        Said::Value(value) => value.as_u64(),
        Said::Words(text) if text.is_empty() => Some(0),
        Said::Words(text) | Said::Both(_, text) => text.replace(',', "").parse().ok(),
    }
}

/// The range of numbers of tokens that a text stands for.
pub(crate) fn tokens(said: &Said) -> Option<(f64, f64)> {
    let text = match said {
        Said::Value(value) => return value.as_f64().map(|tokens| (tokens, tokens)),
        Said::Words(text) if text.is_empty() => return Some((0.0, 0.0)),
        Said::Words(text) | Said::Both(_, text) => text.replace([',', ' '], ""),
    };
    let (digits, unit) = match text.strip_suffix(['k', 'M', 'G']) {
        Some(digits) if text.ends_with('k') => (digits, 1e3),
        Some(digits) if text.ends_with('M') => (digits, 1e6),
        Some(digits) => (digits, 1e9),
        None => (text.as_str(), 1.0),
    };
    let decimals = digits.split_once('.').map_or(0, |(_, decimals)| decimals.len());
    let (number, step) = (digits.parse::<f64>().ok()? * unit, unit / 10f64.powi(i32::try_from(decimals).ok()?));
    // The number may be rounded or truncated.
    let step = if unit > 1.0 { step } else { 0.0 };
    Some((number - step, number + step))
}

/// Signs of doubt in words.
const AT_LEAST: &str = "at least ";
const UNKNOWN: &str = "unknown";

/// The number of dollars, and its precision.
pub(crate) fn money(said: &Said) -> Option<(f64, f64)> {
    let text = match said {
        Said::Value(value) => return value.as_f64().map(|dollars| (dollars, 1e-6)),
        Said::Words(text) | Said::Both(_, text) => text,
    };
    let text = text.strip_prefix(AT_LEAST).unwrap_or(text);
    let text = if text == UNKNOWN { "" } else { text };
    let text = text.trim_start_matches(['≥', '~', ' ']).trim_end_matches([' ', '+', '?', '–']);
    // Nothing with a price.
    if text.is_empty() {
        return Some((0.0, 0.0));
    }
    let digits = text.strip_prefix(SIGN)?.replace(',', "");
    let decimals = digits.split_once('.').map_or(0, |(_, decimals)| decimals.len());
    let step = 10f64.powi(-i32::try_from(decimals).ok()?);
    Some((digits.parse::<f64>().ok()? / RATE, step * 0.51 / RATE))
}

#[test]
fn values_for_people_are_compared_with_values_for_programs() {
    use serde_json::json;
    let says = |kind, truth: Value, text: &str| agrees(kind, &Said::Value(truth), &Said::words(text));
    for (kind, truth, right, wrong) in [
        (ValueKind::Id, json!("4c1e0f7a-2b3c"), "4c1e0f7a", "4c1e0f7b"),
        (ValueKind::Id, json!("4c1e0f7a-2b3c~9f3a21"), "4c1e0f7a~9f3a21", "4c1e0f7a~9f3a22"),
        (ValueKind::Text, json!("add retries to up.py"), "add retries…", "add retry…"),
        (ValueKind::Text, json!(null), "", "(no title)"),
        (ValueKind::State, json!("ended"), "ended, archived", "archived"),
        (ValueKind::State, json!("working"), "working? · in the background", "at work"),
        (ValueKind::Path, json!("/home/ana/shop"), "shop", "hop"),
        (ValueKind::Path, json!("/home/ana/shop"), "~/shop", "~/ana"),
        (ValueKind::Path, json!("/home/ana/a-very-long-name"), "a-very-lo…", "very-long…"),
        (ValueKind::Moment, json!("2026-08-08T20:30:05.000Z"), "2026-08-09 05:30", "2026-08-08 20:30"),
        (ValueKind::Moment, json!("2026-08-08T20:30:05.000Z"), "9 Aug 2026 05:30", "9 Aug 2026 05:30 UTC"),
        (ValueKind::Moment, json!("2026-08-08T20:30:05.000Z"), "9 Aug 05:30", "8 Aug 05:30"),
        (ValueKind::Moment, json!("2026-08-08T20:30:05.000Z"), "9 Aug 05:30 JST", "9 Aug 05:30 CEST"),
        (ValueKind::Count, json!(1234), "1,234", "1,235"),
        (ValueKind::Count, json!(0), "", "1"),
        (ValueKind::Tokens, json!(12_449), "12.4 k", "12.6 k"),
        (ValueKind::Tokens, json!(828_400), "828k", "830k"),
        (ValueKind::Tokens, json!(31_240_000), "31.2M", "31.2 k"),
        (ValueKind::Money, json!(84.61), "€42.31", "$84.61"),
        (ValueKind::Money, json!(84.61), "≥€42.31 + ?", "€84.61"),
        (ValueKind::Money, json!(0.0), "?", "€0.02"),
        (ValueKind::Sure, json!(true), "€42.31", "≥€42.31"),
        (ValueKind::Sure, json!(false), "at least €42.31", "€42.31"),
    ] {
        assert!(says(kind, truth.clone(), right), "{kind:?} {truth} {right}");
        assert!(!says(kind, truth.clone(), wrong), "{kind:?} {truth} {wrong}");
    }
}
