//! One line for any object: inputs and results of MCP servers, and of tools without a line of their own.

use std::borrow::Cow;

use format::fields::{FieldValue, Fields};
use format::tool::{ToolKind, ToolResult, read_result};
use format::{Raw, Scratch};

use super::phrase::{self, list, pair};
use crate::preview::preview;

/// Keys whose value best describes an object, best first.
const INFORMATIVE: [&str; 20] = [
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
pub(super) fn gist_of_text(text: &str) -> String {
    if text.trim_start().starts_with('{') { gist_of_json(text) } else { phrase::gist(text) }
}

/// One line for an object: the value of its most informative key, else all of its fields.
pub(super) fn gist_of_json(json: &str) -> String {
    // The only object with free fields that `format` reads; which tool it belongs to does not matter.
    const FREE: Option<&str> = Some(ToolKind::StructuredOutput.name());
    let scratch = Scratch::default();
    match read_result(FREE, Some(Raw::from(json).into()), None, &scratch).result {
        ToolResult::StructuredOutput(open) => gist_of_record(&*open),
        _ if json.trim() == "{}" => String::new(),
        _ => preview(json).into(),
    }
}

/// One line for a record, by the same rule.
pub(super) fn gist_of_record(record: &dyn Fields) -> String {
    let scratch = Scratch::default();
    let (mut best, mut fields): (Option<(usize, &str)>, Vec<Field<'_>>) = (None, Vec::new());
    record.each_field(&mut |key, value| {
        let Some(value) = Value::of(value, &scratch) else { return };
        if let (Value::Text(text), Some(rank)) = (&value, INFORMATIVE.iter().position(|known| *known == key))
            && !text.trim().is_empty()
            && best.is_none_or(|(least, _)| rank < least)
        {
            best = Some((rank, text));
        }
        if fields.len() < MOST {
            fields.push((key, value));
        }
    });
    if let Some((_, text)) = best {
        return preview(text).into();
    }
    match fields.as_slice() {
        [(_, Value::Text(text))] => preview(text).into(),
        fields => {
            let pairs: Vec<_> = fields.iter().map(|(key, value)| pair(key, "=", value.as_str())).collect();
            list(pairs.iter().map(String::as_str), " ")
        }
    }
}

/// More fields than this do not fit into a line.
const MOST: usize = 20;

type Field<'e> = (&'e str, Value<'e>);

/// The value of a field.
enum Value<'e> {
    Text(&'e str),
    /// A number, a flag or JSON.
    Other(Cow<'e, str>),
}

impl<'e> Value<'e> {
    /// The value, unless it is a record or content.
    fn of(value: FieldValue<'e>, scratch: &'e Scratch) -> Option<Self> {
        Some(match value {
            FieldValue::Text(text) | FieldValue::Word(text) | FieldValue::Id(text) => Self::Text(text),
            FieldValue::Json(raw) => match raw.as_text(scratch) {
                Some(text) => Self::Text(text.as_str()),
                None => Self::Other(raw.as_json().into()),
            },
            FieldValue::Number(number) => Self::Other(number.to_string().into()),
            FieldValue::Fraction(number) => Self::Other(number.to_string().into()),
            FieldValue::Flag(flag) => Self::Other(flag.to_string().into()),
            FieldValue::Time(_) | FieldValue::Content(_) | FieldValue::Record(_) | FieldValue::Element(_) => {
                return None;
            }
        })
    }

    fn as_str(&self) -> &str {
        match self {
            Self::Text(text) => text,
            Self::Other(text) => text,
        }
    }
}
