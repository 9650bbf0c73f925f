//! Serializes values to JSON where that differs from the compact form of the skeleton.
//!
//! The same derives write both: the skeleton (`fold/store.rs`) is a binary format without names, in which every field
//! has its place, so no field may be left out. A value that is missing is `null` in JSON.

use serde::{Serialize, Serializer};

use crate::step::Millis;

/// A moment in JSON: RFC 3339 in UTC with milliseconds; `null` if it is out of the range of that format.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Moment(pub Millis);

impl Moment {
    /// The text, if it is in range.
    pub fn rfc3339(self) -> Option<String> {
        jiff::Timestamp::from_millisecond(self.0).ok().map(|at| format!("{at:.3}"))
    }
}

impl Serialize for Moment {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.rfc3339().serialize(serializer)
    }
}

#[cfg(feature = "schema")]
impl schemars::JsonSchema for Moment {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Moment".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({
            "description": "A moment: RFC 3339 in UTC with milliseconds.",
            "type": "string",
            "format": "date-time",
        })
    }
}

/// A [`Moment`] in JSON, the number itself in the skeleton.
#[expect(clippy::ref_option, reason = "the signature that serde expects")]
pub(crate) fn moment<S: Serializer>(at: &Option<Millis>, serializer: S) -> Result<S::Ok, S::Error> {
    if serializer.is_human_readable() { at.map(Moment).serialize(serializer) } else { at.serialize(serializer) }
}

/// A text, `null` if it is empty.
pub(crate) fn or_null<S: Serializer>(text: &str, serializer: S) -> Result<S::Ok, S::Error> {
    if serializer.is_human_readable() && text.is_empty() {
        serializer.serialize_none()
    } else {
        text.serialize(serializer)
    }
}

/// A number with a fraction, `null` if it is infinite or no number.
#[expect(clippy::ref_option, reason = "the signature that serde expects")]
pub(crate) fn finite<S: Serializer>(number: &Option<f64>, serializer: S) -> Result<S::Ok, S::Error> {
    number.filter(|number| !serializer.is_human_readable() || number.is_finite()).serialize(serializer)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_have_milliseconds_and_are_in_utc() {
        assert_eq!(Moment(1_786_179_600_000).rfc3339().as_deref(), Some("2026-08-08T09:00:00.000Z"));
        assert_eq!(Moment(-1).rfc3339().as_deref(), Some("1969-12-31T23:59:59.999Z"));
        assert_eq!(Moment(i64::MAX).rfc3339(), None);
    }
}
