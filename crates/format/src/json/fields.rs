//! All fields of a record, one by one, for code that shows or searches everything; and the values that it accepts.
//!
//! `record!` generates both from the table that it reads the record with, so that a new field
//! needs no second line of code.

use std::fmt;

use super::{Asked, Map, Raw, Text, Time, Unknown};
use crate::block::Content;

/// A record that passes on its fields.
///
/// ```
/// use format::fields::{FieldValue, Fields};
/// use format::tool::ToolInput;
///
/// let line = br#"{"type":"assistant","message":{"content":[
///     {"type":"tool_use","id":"t1","name":"Bash","input":{"command":"ls","timeout":9}}]}}"#;
/// let scratch = format::Scratch::default();
/// let reading = format::read(line, &scratch);
/// let block = &reading.entries[0].body.message().unwrap().content.as_ref().unwrap().blocks()[0];
/// let format::block::Block::ToolUse(call) = block else { panic!("no call") };
/// let Some(ToolInput::Bash(shell)) = &call.input else { panic!("no shell") };
/// let mut seen = Vec::new();
/// shell.each_field(&mut |key, value| match value {
///     FieldValue::Text(text) => seen.push(format!("{key}={text}")),
///     FieldValue::Number(number) => seen.push(format!("{key}={number}")),
///     _ => {}
/// });
/// assert_eq!(seen, ["command=ls", "timeout=9"]);
/// ```
pub trait Fields {
    /// Passes the fields that are present to `each`, with their keys, in the order of the table. Elements of a list are
    /// passed one by one, with the key of the list; an object whose keys are data is a record with these keys.
    fn each_field<'e>(&'e self, each: &mut Each<'_, 'e>);
}

/// Receives fields: the key, and the value.
pub type Each<'f, 'e> = dyn FnMut(&'e str, FieldValue<'e>) + 'f;

/// A value of a field.
#[derive(Clone, Copy)]
pub enum FieldValue<'e> {
    /// Any text.
    Text(&'e str),
    /// A word of the format, such as a status.
    Word(&'e str),
    /// An id.
    Id(&'e str),
    /// A moment.
    Time(Time<'e>),
    /// A whole number.
    Number(i64),
    /// A number with a fraction.
    Fraction(f64),
    /// Yes or no.
    Flag(bool),
    /// JSON that has no type.
    Json(Raw<'e>),
    /// Text or blocks.
    Content(&'e Content<'e>),
    /// A record in the record.
    Record(&'e dyn Fields),
    /// One of a list of records.
    Element(&'e dyn Fields),
}

impl fmt::Debug for FieldValue<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Text(text) | Self::Word(text) | Self::Id(text) => fmt::Debug::fmt(text, f),
            Self::Time(time) => fmt::Debug::fmt(time, f),
            Self::Number(number) => fmt::Debug::fmt(number, f),
            Self::Fraction(number) => fmt::Debug::fmt(number, f),
            Self::Flag(flag) => fmt::Debug::fmt(flag, f),
            Self::Json(json) => fmt::Debug::fmt(json, f),
            Self::Content(content) => fmt::Debug::fmt(content, f),
            Self::Record(_) | Self::Element(_) => f.write_str("a record"),
        }
    }
}

/// The values that a type accepts, for code that generates examples. Each `fn` returns the shape of the inner value:
/// shapes nest without end, because blocks contain blocks.
#[derive(Debug, Clone)]
pub enum Shape {
    /// Any text.
    Text,
    /// One of some words; unknown words are kept.
    Word(&'static [&'static str]),
    /// An id.
    Id,
    /// A moment.
    Time,
    /// A number.
    Number,
    /// Yes or no.
    Flag,
    /// Any JSON.
    Json,
    /// Several values.
    List(fn() -> Self),
    /// An object whose keys are data.
    Map(fn() -> Self),
    /// An object with these keys.
    Record(Vec<NamedShape>),
    /// An object with the keys of one of several records, selected by its tag.
    Tagged {
        /// The key of the tag.
        tag: &'static str,
        /// The values of the tag, and the shape that each of them selects.
        kinds: Vec<NamedShape>,
    },
    /// One of several shapes.
    Either(Vec<fn() -> Self>),
}

/// A key or the value of a tag, and the shape of its value.
pub type NamedShape = (&'static str, fn() -> Shape);

/// A value that can be passed on, and that describes the values it accepts.
pub trait Visit {
    /// Passes the value to `each`, unless it is absent.
    fn visit<'e>(&'e self, key: &'e str, each: &mut Each<'_, 'e>);

    /// The values that it accepts.
    fn shape() -> Shape
    where
        Self: Sized;
}

/// Values that are one [`FieldValue`] each.
macro_rules! plain {
    ($( $ty:ty => $variant:ident ($get:expr), $shape:expr; )+) => {$(
        impl Visit for $ty {
            fn visit<'e>(&'e self, key: &'e str, each: &mut Each<'_, 'e>) {
                let get: fn(&'e Self) -> _ = $get;
                each(key, FieldValue::$variant(get(self)));
            }
            fn shape() -> Shape {
                $shape
            }
        }
    )+};
}

plain! {
    Text<'_> => Text(|text| text.as_str()), Shape::Text;
    Time<'_> => Time(|time| *time), Shape::Time;
    Raw<'_> => Json(|json| *json), Shape::Json;
    bool => Flag(|flag| *flag), Shape::Flag;
    i64 => Number(|number| *number), Shape::Number;
    f64 => Fraction(|number| *number), Shape::Number;
}

impl Visit for Content<'_> {
    fn visit<'e>(&'e self, key: &'e str, each: &mut Each<'_, 'e>) {
        each(key, FieldValue::Content(self));
    }
    fn shape() -> Shape {
        Shape::Either(vec![Text::shape, Vec::<crate::block::Block<'_>>::shape])
    }
}

impl<T: Visit> Visit for Option<T> {
    fn visit<'e>(&'e self, key: &'e str, each: &mut Each<'_, 'e>) {
        if let Some(value) = self {
            value.visit(key, each);
        }
    }
    fn shape() -> Shape {
        T::shape()
    }
}

impl<T: Visit> Visit for Asked<T> {
    fn visit<'e>(&'e self, key: &'e str, each: &mut Each<'_, 'e>) {
        (**self).visit(key, each);
    }
    fn shape() -> Shape {
        T::shape()
    }
}

impl<T: Visit> Visit for Box<T> {
    fn visit<'e>(&'e self, key: &'e str, each: &mut Each<'_, 'e>) {
        (**self).visit(key, each);
    }
    fn shape() -> Shape {
        T::shape()
    }
}

impl<T: Visit> Visit for Vec<T> {
    fn visit<'e>(&'e self, key: &'e str, each: &mut Each<'_, 'e>) {
        for value in self {
            value.visit(key, &mut |key, value| match value {
                FieldValue::Record(record) => each(key, FieldValue::Element(record)),
                value => each(key, value),
            });
        }
    }
    fn shape() -> Shape {
        Shape::List(T::shape)
    }
}

impl<T: Visit> Fields for Map<'_, T> {
    fn each_field<'e>(&'e self, each: &mut Each<'_, 'e>) {
        for (name, value) in self.iter() {
            value.visit(name, each);
        }
    }
}

impl<T: Visit> Visit for Map<'_, T> {
    fn visit<'e>(&'e self, key: &'e str, each: &mut Each<'_, 'e>) {
        if !self.is_empty() {
            each(key, FieldValue::Record(self));
        }
    }
    fn shape() -> Shape {
        Shape::Map(T::shape)
    }
}

impl Fields for Unknown<'_> {
    fn each_field<'e>(&'e self, each: &mut Each<'_, 'e>) {
        self.fields.each_field(each);
    }
}

impl<T: Fields> Fields for Box<T> {
    fn each_field<'e>(&'e self, each: &mut Each<'_, 'e>) {
        (**self).each_field(each);
    }
}

impl Visit for Unknown<'_> {
    fn visit<'e>(&'e self, key: &'e str, each: &mut Each<'_, 'e>) {
        each(key, FieldValue::Record(self));
    }
    fn shape() -> Shape {
        Shape::Map(Raw::shape)
    }
}
