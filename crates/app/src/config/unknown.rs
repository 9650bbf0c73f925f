//! Unknown settings, which cause a warning with their line and not an error, so that one file serves two versions.

use std::fmt;
use std::path::PathBuf;

use serde::de::{self, Deserialize, Deserializer, Visitor};
use toml::de::{DeTable, DeValue};

use super::alerts::AlertSettings;
use super::prices::{ModelPrice, PriceSettings, Tier};
use super::redact_settings::RedactSettings;
use super::{Config, StatuslineSettings, UsageSettings};

/// A setting that this version does not know.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownSetting {
    /// The file.
    pub path: PathBuf,
    /// The line, from 1.
    pub line: usize,
    /// The name, with the names of the tables that contain it: `usage.curency`.
    pub name: String,
    /// The known settings in the same table.
    pub expected: &'static [&'static str],
}

impl fmt::Display for UnknownSetting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: unknown setting {} is ignored", self.path.display(), self.line, self.name)
    }
}

impl UnknownSetting {
    /// Returns hints.
    pub fn hints(&self) -> Vec<String> {
        vec![format!("this version knows {} here; check the spelling, or update recount", self.expected.join(", "))]
    }
}

/// A callback that receives the name of a setting, its known siblings, and its location.
pub(super) type OnUnknown<'a> = dyn FnMut(&[String], &'static [&'static str], usize) + 'a;

/// Removes unknown settings from a table, and reports their names, known siblings and locations.
pub(super) fn take_out(table: &mut DeTable<'_>, names: &mut Vec<String>, on_unknown: &mut OnUnknown<'_>) {
    let known = known_in(names);
    for (key, mut value) in std::mem::take(table) {
        names.push(key.get_ref().to_string());
        if known.is_none_or(|known| known.contains(&key.get_ref().as_ref())) {
            if let DeValue::Table(inner) = value.get_mut() {
                take_out(inner, names, on_unknown);
            }
            table.insert(key, value);
        } else {
            on_unknown(names, known.unwrap_or_default(), key.span().start);
        }
        names.pop();
    }
}

/// Returns the settings that a table may contain; `None` if it may contain any.
fn known_in(names: &[String]) -> Option<&'static [&'static str]> {
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    match names.as_slice() {
        [] => Some(fields::<Config>()),
        ["usage"] => Some(fields::<UsageSettings>()),
        ["prices"] => Some(fields::<PriceSettings>()),
        ["prices", "models", _] => Some(fields::<ModelPrice>()),
        ["prices", "models", _, "above"] => Some(fields::<Tier>()),
        ["statusline"] => Some(fields::<StatuslineSettings>()),
        ["alerts"] => Some(fields::<AlertSettings>()),
        ["redact"] => Some(fields::<RedactSettings>()),
        _ => None,
    }
}

/// Returns the names of the fields that a struct deserializes.
fn fields<'de, T: Deserialize<'de>>() -> &'static [&'static str] {
    let mut names: &'static [&'static str] = &[];
    // Always fails, since there is nothing to read.
    let _ = T::deserialize(FieldNames(&mut names));
    names
}

/// A deserializer that only records the field names that a struct asks for.
struct FieldNames<'n>(&'n mut &'static [&'static str]);

impl<'de> Deserializer<'de> for FieldNames<'_> {
    type Error = de::value::Error;

    fn deserialize_any<V: Visitor<'de>>(self, _visitor: V) -> Result<V::Value, Self::Error> {
        Err(de::Error::custom("not a struct"))
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        fields: &'static [&'static str],
        _visitor: V,
    ) -> Result<V::Value, Self::Error> {
        *self.0 = fields;
        Err(de::Error::custom("only the names are wanted"))
    }

    serde::forward_to_deserialize_any! {
        bool i8 i16 i32 i64 u8 u16 u32 u64 f32 f64 char str string bytes byte_buf option unit unit_struct newtype_struct
        seq tuple tuple_struct map enum identifier ignored_any
    }
}
