//! Moments and values as the document writes them.

use std::fmt;

use serde::{Serialize, Serializer};
use serde_json::value::RawValue;
use story::step::Millis;

/// A moment: RFC 3339 in UTC, with milliseconds.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(extend("format" = "date-time")))]
pub struct Moment(String);

impl Moment {
    /// `None` for what is no moment at all, such as those before the year -9999.
    pub(super) fn new(millis: Millis) -> Option<Self> {
        let moment = jiff::Timestamp::from_millisecond(millis).ok()?;
        Some(Self(format!("{moment:.3}")))
    }
}

impl fmt::Display for Moment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A JSON value as it stands in its line.
#[derive(Debug, Clone)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(transparent))]
pub struct Json(#[cfg_attr(test, schemars(with = "serde_json::Value"))] Box<RawValue>);

impl Json {
    /// What is no JSON after all becomes a text: better than a document that nobody can read.
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
    fn moments_have_milliseconds_and_no_zone_but_utc() {
        let written = |millis| Moment::new(millis).map(|moment| moment.to_string());
        assert_eq!(written(1_786_179_600_000).as_deref(), Some("2026-08-08T09:00:00.000Z"));
        assert_eq!(written(-1).as_deref(), Some("1969-12-31T23:59:59.999Z"));
        assert_eq!(written(i64::MAX), None);
    }

    #[test]
    fn values_stay_as_they_are() {
        let written = |json| Json::new(json).map(|json| serde_json::to_string(&json).unwrap());
        assert_eq!(written(r#" {"b":1.0,"a":1e400} "#).as_deref(), Some(r#"{"b":1.0,"a":1e400}"#));
        assert_eq!(written("{nonsense").as_deref(), Some(r#""{nonsense""#));
        assert_eq!(written("null"), None);
    }
}
