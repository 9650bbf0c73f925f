//! One line for objects with arbitrary fields: the inputs and results of MCP servers.

use format::tool::{Open, ToolKind, ToolResult, read_result};
use format::{Raw, Scratch, Text};

use super::phrase::{self, first_of, list, pair};
use crate::preview::preview;

/// Keys whose value best describes an object, best first.
const TELLING: [&str; 20] = [
    "error",
    "title",
    "query",
    "question",
    "prompt",
    "command",
    "url",
    "uri",
    "file_path",
    "filePath",
    "path",
    "pattern",
    "message",
    "summary",
    "text",
    "body",
    "content",
    "name",
    "description",
    "result",
];

/// One line for a text: its fields if it is JSON, else its most informative line.
pub(super) fn told_text(text: &str) -> String {
    if text.trim_start().starts_with('{') { told(text) } else { phrase::told(text) }
}

/// One line for an object: the value of its most informative key, else all of its fields.
pub(super) fn told(json: &str) -> String {
    // The only object with free fields that `format` reads; which tool it belongs to does not matter.
    const FREE: Option<&str> = Some(ToolKind::StructuredOutput.name());
    let scratch = Scratch::default();
    match read_result(FREE, Some(Raw::from(json).into()), None, &scratch).result {
        ToolResult::StructuredOutput(open) => told_open(&open),
        _ if json.trim() == "{}" => String::new(),
        _ => preview(json).into(),
    }
}

/// The same for an object that is already parsed.
pub(super) fn told_open(open: &Open<'_>) -> String {
    let scratch = Scratch::default();
    let value = |raw: &Raw<'_>| preview(raw.as_text(&scratch).map_or(raw.as_json(), |text| text.as_str()));
    let telling = TELLING.iter().filter_map(|key| open.fields.get(key)?.as_text(&scratch)).map(Text::as_str);
    let telling = first_of(telling);
    if !telling.is_empty() {
        return preview(telling).into();
    }
    let fields: Vec<_> = open.fields.iter().take(20).map(|(key, raw)| pair(key, "=", &value(raw))).collect();
    match (open.fields.iter().next(), open.fields.len()) {
        (Some((_, raw)), 1) if raw.as_json().starts_with('"') => value(raw).into(),
        _ => list(fields.iter().map(String::as_str), " "),
    }
}
