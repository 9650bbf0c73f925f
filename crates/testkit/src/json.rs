//! JSON values that preserve the order of their keys.
//!
//! Transcripts are written with a fixed key order, and readers may depend on it by accident; so the kit writes the real
//! order. `serde_json` would need its `preserve_order` feature for that, which Cargo would then also enable for every
//! crate whose tests use this kit: their tests would no longer test what they ship.

use std::borrow::Cow;

/// A JSON value; objects preserve the order in which their keys were added.
#[derive(Clone, Debug, PartialEq)]
pub enum Json {
    /// `null`
    Null,
    /// `true` or `false`
    Bool(bool),
    /// A number without a fraction.
    Int(i64),
    /// A number with a fraction.
    Float(f64),
    /// A string.
    Str(Cow<'static, str>),
    /// An array.
    Array(Vec<Json>),
    /// An object.
    Object(Object),
}

/// The keys and values of a JSON object, in order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Object(Vec<(Cow<'static, str>, Json)>);

/// Builds a [`Json`] object whose keys keep their order: `object! { "type" => "text", "text" => body }`.
#[macro_export]
macro_rules! object {
    () => { $crate::json::Json::Object($crate::json::Object::default()) };
    ($($key:literal => $value:expr),+ $(,)?) => {
        $crate::json::Json::Object($crate::json::Object::from_pairs(vec![
            $((::std::borrow::Cow::Borrowed($key), $crate::json::Json::from($value))),+
        ]))
    };
}

/// Builds a [`Json`] array: `array![object! { … }, "text", 3]`.
#[macro_export]
macro_rules! array {
    ($($value:expr),* $(,)?) => {
        $crate::json::Json::Array(vec![$($crate::json::Json::from($value)),*])
    };
}

impl Object {
    /// An object with these keys and values.
    pub fn from_pairs(pairs: Vec<(Cow<'static, str>, Json)>) -> Self {
        Self(pairs)
    }

    /// Adds a key at the end, even if it already exists.
    pub fn push(&mut self, key: impl Into<Cow<'static, str>>, value: impl Into<Json>) {
        self.0.push((key.into(), value.into()));
    }

    /// Replaces the value of a key, or adds the key at the end.
    pub fn set(&mut self, key: impl Into<Cow<'static, str>>, value: impl Into<Json>) {
        let key = key.into();
        match self.0.iter_mut().find(|(present, _)| *present == key) {
            Some((_, old)) => *old = value.into(),
            None => self.0.push((key, value.into())),
        }
    }

    /// Adds all keys of another object at the end.
    pub fn append(&mut self, other: Object) {
        self.0.extend(other.0);
    }

    /// Removes a key.
    pub fn remove(&mut self, key: &str) {
        self.0.retain(|(present, _)| present != key);
    }

    /// The value of a key, to be changed.
    pub fn get_mut(&mut self, key: &str) -> Option<&mut Json> {
        self.0.iter_mut().find(|(present, _)| present == key).map(|(_, value)| value)
    }

    /// The value of a key.
    pub fn get(&self, key: &str) -> Option<&Json> {
        self.0.iter().find(|(present, _)| present == key).map(|(_, value)| value)
    }
}

impl Json {
    /// The value of a key, if this is an object that has it.
    pub fn get(&self, key: &str) -> Option<&Json> {
        match self {
            Json::Object(object) => object.get(key),
            _ => None,
        }
    }

    /// The text, if this is a string.
    pub fn as_str(&self) -> Option<&str> {
        match self {
            Json::Str(text) => Some(text),
            _ => None,
        }
    }

    /// This object with one more key (any other value stays as it is).
    #[must_use]
    pub fn with(mut self, key: &'static str, value: impl Into<Json>) -> Self {
        if let Json::Object(object) = &mut self {
            object.set(key, value);
        }
        self
    }

    /// This object without a key (any other value stays as it is).
    #[must_use]
    pub fn without(mut self, key: &str) -> Self {
        if let Json::Object(object) = &mut self {
            object.remove(key);
        }
        self
    }

    /// Appends the compact form, as `JSON.stringify` writes it.
    pub fn write(&self, out: &mut Vec<u8>) {
        match self {
            Json::Bool(true) => out.extend_from_slice(b"true"),
            Json::Bool(false) => out.extend_from_slice(b"false"),
            Json::Int(number) => out.extend_from_slice(number.to_string().as_bytes()),
            Json::Float(number) if number.is_finite() => out.extend_from_slice(number.to_string().as_bytes()),
            Json::Null | Json::Float(_) => out.extend_from_slice(b"null"),
            Json::Str(text) => write_string(text, out),
            Json::Array(items) => {
                out.push(b'[');
                for (index, item) in items.iter().enumerate() {
                    if index > 0 {
                        out.push(b',');
                    }
                    item.write(out);
                }
                out.push(b']');
            }
            Json::Object(object) => object.write(out),
        }
    }
}

impl Json {
    /// Appends the indented form, as `JSON.stringify(value, null, 2)` writes it at this depth.
    pub fn write_indented(&self, out: &mut Vec<u8>, depth: usize) {
        let new_line = |out: &mut Vec<u8>, depth: usize| {
            out.push(b'\n');
            out.resize(out.len() + 2 * depth, b' ');
        };
        match self {
            Json::Array(items) if !items.is_empty() => {
                for (index, item) in items.iter().enumerate() {
                    out.push(if index == 0 { b'[' } else { b',' });
                    new_line(out, depth + 1);
                    item.write_indented(out, depth + 1);
                }
                new_line(out, depth);
                out.push(b']');
            }
            Json::Object(object) if !object.0.is_empty() => {
                for (index, (key, value)) in object.0.iter().enumerate() {
                    out.push(if index == 0 { b'{' } else { b',' });
                    new_line(out, depth + 1);
                    write_string(key, out);
                    out.extend_from_slice(b": ");
                    value.write_indented(out, depth + 1);
                }
                new_line(out, depth);
                out.push(b'}');
            }
            other => other.write(out),
        }
    }
}

impl Object {
    /// Appends the compact form.
    pub fn write(&self, out: &mut Vec<u8>) {
        out.push(b'{');
        for (index, (key, value)) in self.0.iter().enumerate() {
            if index > 0 {
                out.push(b',');
            }
            write_string(key, out);
            out.push(b':');
            value.write(out);
        }
        out.push(b'}');
    }
}

impl IntoIterator for Object {
    type Item = (Cow<'static, str>, Json);
    type IntoIter = std::vec::IntoIter<Self::Item>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

impl std::fmt::Display for Json {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut bytes = Vec::new();
        self.write(&mut bytes);
        f.write_str(&String::from_utf8_lossy(&bytes))
    }
}

/// Appends `text` as a JSON string with the escapes that `JSON.stringify` uses: short ones where they exist, `\u00XX`
/// for other control characters, and non-ASCII characters as they are.
pub fn write_string(text: &str, out: &mut Vec<u8>) {
    const HEX: &[u8; 16] = b"0123456789abcdef";
    let bytes = text.as_bytes();
    out.reserve(bytes.len() + bytes.len() / 16 + 2);
    out.push(b'"');
    let mut copied = 0;
    for (index, &byte) in bytes.iter().enumerate() {
        if byte >= 0x20 && byte != b'"' && byte != b'\\' {
            continue;
        }
        out.extend_from_slice(bytes.get(copied..index).unwrap_or_default());
        copied = index + 1;
        let short = match byte {
            b'"' => b'"',
            b'\\' => b'\\',
            b'\n' => b'n',
            b'\r' => b'r',
            b'\t' => b't',
            0x08 => b'b',
            0x0c => b'f',
            _ => {
                let digit = |nibble: u8| HEX.get(usize::from(nibble)).copied().unwrap_or(b'0');
                out.extend_from_slice(&[b'\\', b'u', b'0', b'0', digit(byte >> 4), digit(byte & 15)]);
                continue;
            }
        };
        out.extend_from_slice(&[b'\\', short]);
    }
    out.extend_from_slice(bytes.get(copied..).unwrap_or_default());
    out.push(b'"');
}

impl From<bool> for Json {
    fn from(value: bool) -> Self {
        Json::Bool(value)
    }
}

impl From<i32> for Json {
    fn from(value: i32) -> Self {
        Json::Int(value.into())
    }
}

impl From<i64> for Json {
    fn from(value: i64) -> Self {
        Json::Int(value)
    }
}

impl From<usize> for Json {
    fn from(value: usize) -> Self {
        Json::Int(i64::try_from(value).unwrap_or(i64::MAX))
    }
}

impl From<f64> for Json {
    fn from(value: f64) -> Self {
        Json::Float(value)
    }
}

impl From<&str> for Json {
    fn from(value: &str) -> Self {
        Json::Str(Cow::Owned(value.to_owned()))
    }
}

impl From<&String> for Json {
    fn from(value: &String) -> Self {
        Json::Str(Cow::Owned(value.clone()))
    }
}

impl From<String> for Json {
    fn from(value: String) -> Self {
        Json::Str(Cow::Owned(value))
    }
}

impl From<Object> for Json {
    fn from(value: Object) -> Self {
        Json::Object(value)
    }
}

impl<T: Into<Json>> From<Vec<T>> for Json {
    fn from(values: Vec<T>) -> Self {
        Json::Array(values.into_iter().map(Into::into).collect())
    }
}

impl<T: Into<Json>> From<Option<T>> for Json {
    fn from(value: Option<T>) -> Self {
        value.map_or(Json::Null, Into::into)
    }
}

impl From<serde_json::Value> for Json {
    fn from(value: serde_json::Value) -> Self {
        use serde_json::Value;
        match value {
            Value::Null => Json::Null,
            Value::Bool(flag) => Json::Bool(flag),
            Value::Number(number) => {
                number.as_i64().map_or_else(|| Json::Float(number.as_f64().unwrap_or(0.0)), Json::Int)
            }
            Value::String(text) => text.into(),
            Value::Array(items) => items.into(),
            Value::Object(map) => {
                Json::Object(Object(map.into_iter().map(|(key, value)| (key.into(), value.into())).collect()))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_keep_their_order() {
        let value = object! { "z" => 1, "a" => array![true, 2.5, Json::Null], "m" => object! {} };
        assert_eq!(value.to_string(), r#"{"z":1,"a":[true,2.5,null],"m":{}}"#);
    }

    #[test]
    fn strings_are_escaped_like_json_stringify() {
        let text = "a\"b\\c\n\t\r\u{8}\u{c}\u{1}\u{7f}é\u{2028}";
        let spelled = Json::from(text).to_string();
        assert_eq!(spelled, "\"a\\\"b\\\\c\\n\\t\\r\\b\\f\\u0001\u{7f}é\u{2028}\"");
        assert_eq!(serde_json::from_str::<String>(&spelled).unwrap(), text);
    }

    #[test]
    fn set_replaces_in_place() {
        let value = object! { "a" => 1, "b" => 2 }.with("a", "x").with("c", 3);
        assert_eq!(value.to_string(), r#"{"a":"x","b":2,"c":3}"#);
    }

    #[test]
    fn serde_values_convert_unchanged() {
        let value = serde_json::json!({"n": null, "i": -3, "f": 0.5, "s": "x", "l": [1, {"k": false}]});
        let spelled = Json::from(value.clone()).to_string();
        assert_eq!(serde_json::from_str::<serde_json::Value>(&spelled).unwrap(), value);
    }
}
