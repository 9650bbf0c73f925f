//! Small pieces that bodies are put together from.

use format::Text;
use format::id::{AgentId, TaskId};
use maud::{Markup, html};

use crate::text;

/// The text, or nothing.
pub(super) fn word(text: Option<Text<'_>>) -> &str {
    text.map_or("", Text::as_str)
}

/// The id of a task, or nothing.
pub(super) fn task(id: Option<TaskId<'_>>) -> &str {
    id.map_or("", TaskId::as_str)
}

/// The id of an agent, or nothing.
pub(super) fn agent(id: Option<AgentId<'_>>) -> &str {
    id.map_or("", AgentId::as_str)
}

/// The first that says anything.
pub(super) fn first_of<'a>(texts: impl IntoIterator<Item = &'a str>) -> &'a str {
    texts.into_iter().find(|text| !text.trim().is_empty()).unwrap_or_default()
}

/// A word of the format's, as people write it.
pub(super) fn spaced(word: &str) -> String {
    word.replace('_', " ")
}

/// A sentence of ours, perhaps with a word of the session's in it.
pub(super) fn note(words: &str) -> Markup {
    html! { @if !words.trim().is_empty() { p.note { (text(words)) } } }
}

/// Several short facts in one line.
pub(super) fn notes(facts: &[&str]) -> Markup {
    let facts: Vec<&str> = facts.iter().copied().filter(|fact| !fact.trim().is_empty()).collect();
    note(&facts.join(" · "))
}

/// What the next block is, where that is not plain to see.
pub(super) fn label(words: &str) -> Markup {
    html! { p.label { (text(words)) } }
}

/// Names and what they stand for; those that stand for nothing are left out.
pub(super) fn facts(facts: &[(&str, &str)]) -> Markup {
    let told: Vec<_> = facts.iter().filter(|(_, value)| !value.trim().is_empty()).collect();
    html! {
        @if !told.is_empty() {
            dl.facts { @for (name, value) in told { dt { (name) } dd { (text(value)) } } }
        }
    }
}

/// A link, if its target is one of the web; otherwise both as text.
pub(super) fn link(title: &str, target: &str) -> Markup {
    let is_web = ["https://", "http://"]
        .iter()
        .any(|start| target.get(..start.len()).is_some_and(|scheme| scheme.eq_ignore_ascii_case(start)));
    let title = first_of([title, target]);
    html! {
        @if is_web {
            a href=(text(target)) rel="noopener noreferrer nofollow" { (text(title)) }
        } @else {
            (text(title)) @if title != target && !target.is_empty() { " (" (text(target)) ")" }
        }
    }
}

/// A number of bytes; nothing if it is not known.
pub(super) fn sized(bytes: Option<i64>) -> String {
    bytes.and_then(|bytes| u64::try_from(bytes).ok()).map(human::bytes).unwrap_or_default()
}

/// A duration in milliseconds, as people say it; nothing if it is not known.
pub(super) fn took(millis: Option<i64>) -> String {
    millis.and_then(|millis| u64::try_from(millis).ok()).map(human::duration).unwrap_or_default()
}

/// A number of things, as people say it; nothing if it is not known.
pub(super) fn counted(number: Option<i64>, one: &str, many: &str) -> String {
    let number = number.and_then(|number| u64::try_from(number).ok());
    number.map(|number| human::counted(number, one, many)).unwrap_or_default()
}

/// The text, unless the line of the call says it already.
pub(super) fn beyond<'t>(line: &str, text: &'t str) -> &'t str {
    if line.contains(text) { "" } else { text }
}

/// A role before a value; nothing if there is no value.
pub(super) fn with(role: &str, value: &str) -> String {
    if value.trim().is_empty() { String::new() } else { format!("{role} {value}") }
}
