//! Types of single settings: their valid values, in the file and as variables.

use std::str::FromStr;

use jiff::civil::Weekday;
use jiff::tz::TimeZone;
use serde::Deserialize;

/// The time zone in which days begin.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(try_from = "String")]
pub struct Zone(pub TimeZone);

impl FromStr for Zone {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let zone = super::zone::named(text);
        zone.map(Self).ok_or_else(|| format!("unknown time zone `{text}`, expected one such as Europe/Riga or UTC"))
    }
}

/// The first day of a week.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub struct WeekStart(pub Weekday);

impl Default for WeekStart {
    fn default() -> Self {
        Self(Weekday::Sunday)
    }
}

impl FromStr for WeekStart {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        const DAYS: [(&str, Weekday); 7] = [
            ("monday", Weekday::Monday),
            ("tuesday", Weekday::Tuesday),
            ("wednesday", Weekday::Wednesday),
            ("thursday", Weekday::Thursday),
            ("friday", Weekday::Friday),
            ("saturday", Weekday::Saturday),
            ("sunday", Weekday::Sunday),
        ];
        let day = DAYS.iter().find(|(name, _)| text.eq_ignore_ascii_case(name));
        day.map(|(_, day)| Self(*day))
            .ok_or_else(|| format!("unknown day `{text}`, expected one from monday to sunday"))
    }
}

/// The day on which a month begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(try_from = "i64")]
pub struct BillingDay(pub i8);

impl Default for BillingDay {
    fn default() -> Self {
        Self(1)
    }
}

impl TryFrom<i64> for BillingDay {
    type Error = &'static str;

    fn try_from(day: i64) -> Result<Self, &'static str> {
        const EXPECTED: &str = "expected a day from 1 to 31";
        i8::try_from(day).ok().filter(|day| (1..=31).contains(day)).map(Self).ok_or(EXPECTED)
    }
}

impl FromStr for BillingDay {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, &'static str> {
        // Text that is no number fails like an invalid day.
        text.trim().parse().unwrap_or(0_i64).try_into()
    }
}

/// The sign before amounts.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub struct Sign(pub String);

impl Default for Sign {
    fn default() -> Self {
        Self("$".to_owned())
    }
}

impl FromStr for Sign {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, &'static str> {
        let is_short = (1..=8).contains(&text.chars().count());
        let is_plain = is_short && !text.contains(steers);
        is_plain
            .then(|| Self(text.to_owned()))
            .ok_or("expected a currency symbol such as € or CHF, with at most 8 characters")
    }
}

/// Returns whether a character is a control character or changes the text direction.
fn steers(c: char) -> bool {
    c.is_control() || matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// The value of one dollar in the user's currency.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize)]
#[serde(try_from = "f64")]
pub struct Rate(pub f64);

impl Default for Rate {
    fn default() -> Self {
        Self(1.0)
    }
}

impl TryFrom<f64> for Rate {
    type Error = &'static str;

    fn try_from(rate: f64) -> Result<Self, &'static str> {
        (rate > 0.0 && rate < 1e6).then_some(Self(rate)).ok_or("expected the value of a dollar, such as 0.92")
    }
}

impl FromStr for Rate {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, &'static str> {
        text.trim().parse().unwrap_or(f64::NAN).try_into()
    }
}

/// The token limit of a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(try_from = "NumberOrText")]
pub enum BlockLimit {
    /// A number of tokens.
    Tokens(u64),
    /// The tokens of the largest block so far.
    Max,
}

#[derive(Deserialize)]
#[serde(untagged, expecting = "expected a number of tokens, or \"max\"")]
enum NumberOrText {
    Number(i64),
    Text(String),
}

const LIMIT: &str = "expected a number of tokens, or \"max\"";

impl TryFrom<NumberOrText> for BlockLimit {
    type Error = &'static str;

    fn try_from(value: NumberOrText) -> Result<Self, &'static str> {
        match value {
            NumberOrText::Number(tokens) => {
                u64::try_from(tokens).ok().filter(|tokens| *tokens > 0).map(Self::Tokens).ok_or(LIMIT)
            }
            NumberOrText::Text(text) => text.parse(),
        }
    }
}

impl FromStr for BlockLimit {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, &'static str> {
        if text == "max" {
            return Ok(Self::Max);
        }
        text.trim().parse().ok().filter(|tokens| *tokens > 0).map(Self::Tokens).ok_or(LIMIT)
    }
}

/// Yes or no.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(transparent)]
pub(super) struct Flag(pub(super) bool);

impl FromStr for Flag {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, &'static str> {
        match text {
            "true" | "1" | "yes" => Ok(Self(true)),
            "false" | "0" | "no" => Ok(Self(false)),
            _ => Err("expected true or false"),
        }
    }
}

/// Implements deserialization by parsing the text, as for a variable.
macro_rules! from_text {
    ($($name:ty),+) => {$(
        impl TryFrom<String> for $name {
            type Error = <Self as FromStr>::Err;

            fn try_from(text: String) -> Result<Self, Self::Error> {
                text.parse()
            }
        }
    )+};
}

from_text!(Zone, WeekStart, Sign);
