//! JSON values, exactly as in their lines.

use serde::{Serialize, Serializer};
use serde_json::value::RawValue;

/// A JSON value, exactly as in its line.
#[derive(Debug, Clone)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema), schemars(transparent))]
pub struct Json(#[cfg_attr(any(test, feature = "schema"), schemars(with = "serde_json::Value"))] Box<RawValue>);

impl Json {
    /// Text that is not valid JSON becomes a JSON string, so that the document stays readable.
    pub(super) fn new(json: &str) -> Option<Self> {
        let json = json.trim();
        if json.is_empty() || json == "null" {
            return None;
        }
        let value = RawValue::from_string(json.to_owned());
        value.or_else(|_| serde_json::value::to_raw_value(json)).ok().map(Self)
    }
}

impl Serialize for Json {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_stay_as_they_are() {
        let written = |json| Json::new(json).map(|json| serde_json::to_string(&json).unwrap());
        assert_eq!(written(r#" {"b":1.0,"a":1e400} "#).as_deref(), Some(r#"{"b":1.0,"a":1e400}"#));
        assert_eq!(written("{nonsense").as_deref(), Some(r#""{nonsense""#));
        assert_eq!(written("null"), None);
    }
}
