//! Inputs and results whose fields are free, or not known.

use super::result::{Outcome, Said};
use crate::json::fields::{Each, FieldValue};
use crate::json::{Broken, Cursor, Fields, Map, Notes, Raw, Record, Shape, Text, Value, Visit, fill, record};

/// An object with any fields: of a schema that the caller brings, or that nobody has published.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Open<'a> {
    /// The fields, in their order.
    pub fields: Map<'a, Raw<'a>>,
    /// The text that stands for them.
    pub text: Option<Text<'a>>,
}

impl<'a> Record<'a> for Open<'a> {
    const LABEL: &'static str = "open object";

    fn field(&mut self, key: &'a str, cursor: &mut Cursor<'a>, _: &mut Notes<'a>) -> Result<bool, Broken> {
        self.fields.push(Text::from(key), Raw::from(cursor.raw()?));
        Ok(true)
    }
}

impl Fields for Open<'_> {
    fn each_field<'e>(&'e self, each: &mut Each<'_, 'e>) {
        self.fields.each_field(each);
        self.text.visit("text", each);
    }
}

impl Visit for Open<'_> {
    fn visit<'e>(&'e self, key: &'e str, each: &mut Each<'_, 'e>) {
        each(key, FieldValue::Record(self));
    }
    fn shape() -> Shape {
        Shape::Map(Raw::shape)
    }
}

impl<'a> Value<'a> for Open<'a> {
    const EXPECTED: &'static str = "an object";

    fn from_map(cursor: &mut Cursor<'a>, notes: &mut Notes<'a>) -> Result<Option<Self>, Broken> {
        let mut open = Self::default();
        fill(&mut open, cursor, notes)?;
        Ok(Some(open))
    }
}

impl<'a> Outcome<'a> for Open<'a> {
    fn from_said(said: &Said<'a, '_>, _: &mut Notes<'a>) -> Option<Self> {
        Some(Self { text: Some(Text::from(said.text)), ..Self::default() })
    }
}

record! {
    /// An input without fields.
    pub struct NoInput: "input without fields" {}

    /// What a tool that runs at the API takes.
    pub struct ServerInput<'a>: "server tool input" {
        query: Option<Text<'a>> = "query",
        pattern: Option<Text<'a>> = "pattern",
        limit: Option<i64> = "limit",
        url: Option<Text<'a>> = "url",
        code: Option<Text<'a>> = "code",
        command: Option<Text<'a>> = "command",
        path: Option<Text<'a>> = "path",
        file_text: Option<Text<'a>> = "file_text",
        old_str: Option<Text<'a>> = "old_str",
        new_str: Option<Text<'a>> = "new_str",
        insert_line: Option<i64> = "insert_line",
        view_range: Vec<i64> = "view_range",
        restart: Option<bool> = "restart",
    }
}
