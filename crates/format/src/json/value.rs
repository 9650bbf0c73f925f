//! Types of single JSON values: text, numbers, flags, times, raw JSON, lists and maps.

use std::fmt;
use std::ops::Deref;

use super::{Broken, Cursor, Note, Notes, Number, Scratch};
use crate::read::Reach;

/// The position of a value: the record and the key it is read for.
#[derive(Debug)]
pub(crate) struct Place {
    pub(crate) record: &'static str,
    pub(crate) field: &'static str,
}

impl Place {
    /// A value that is a whole JSON text.
    pub(crate) const WHOLE: Self = Self { record: "value", field: "" };
}

/// A value that can be read from any JSON.
///
/// A type accepts values through the `from_…` functions. Any other value is skipped and noted, and reads as absent.
pub(crate) trait Value<'a>: Sized {
    /// The values that the type accepts, for notes: `text`, `a number`…
    const EXPECTED: &'static str;

    fn from_text(_: &'a str) -> Option<Self> {
        None
    }
    fn from_bool(_: bool) -> Option<Self> {
        None
    }
    fn from_integer(_: i64, _: &'a Scratch) -> Option<Self> {
        None
    }
    fn from_float(_: f64, _: &'a Scratch) -> Option<Self> {
        None
    }
    /// The cursor is before an object and must consume it.
    fn from_map(cursor: &mut Cursor<'a>, _: &mut Notes<'a>) -> Result<Option<Self>, Broken> {
        cursor.skip().map(|()| None)
    }
    /// The cursor is before a list and must consume it.
    fn from_list(cursor: &mut Cursor<'a>, _: &'static Place, _: &mut Notes<'a>) -> Result<Option<Self>, Broken> {
        cursor.skip().map(|()| None)
    }

    /// Reads the next value; `None` when it is null or does not fit.
    fn read(cursor: &mut Cursor<'a>, place: &'static Place, notes: &mut Notes<'a>) -> Result<Option<Self>, Broken> {
        read_leniently(cursor, place, notes)
    }
}

/// Reads the next value through the `from_…` functions of its type.
///
/// Nearly all values are strings. Testing for a string first avoids a branch over all kinds that processors mispredict.
#[inline]
pub(crate) fn read_leniently<'a, T: Value<'a>>(
    cursor: &mut Cursor<'a>,
    place: &'static Place,
    notes: &mut Notes<'a>,
) -> Result<Option<T>, Broken> {
    if !cursor.eat(b'"') {
        return read_other(cursor, place, notes);
    }
    let value = T::from_text(cursor.rest_of_string(notes.scratch)?);
    Ok(noted(value, place, notes))
}

#[inline(never)]
fn read_other<'a, T: Value<'a>>(
    cursor: &mut Cursor<'a>,
    place: &'static Place,
    notes: &mut Notes<'a>,
) -> Result<Option<T>, Broken> {
    let value = match cursor.peek() {
        Some(b'{') => T::from_map(cursor, notes)?,
        Some(b'[') => T::from_list(cursor, place, notes)?,
        Some(b'-' | b'0'..=b'9') => match cursor.number()? {
            Some(Number::Whole(number)) => T::from_integer(number, notes.scratch),
            Some(Number::Float(number)) => T::from_float(number, notes.scratch),
            None => return Ok(None),
        },
        _ => match cursor.literal()? {
            Some(flag) => T::from_bool(flag),
            None => return Ok(None),
        },
    };
    Ok(noted(value, place, notes))
}

/// Notes a value that does not fit.
#[inline]
fn noted<'a, T: Value<'a>>(value: Option<T>, place: &'static Place, notes: &mut Notes<'a>) -> Option<T> {
    if value.is_none() {
        notes.push(Note::OddValue { record: place.record, field: place.field, expected: T::EXPECTED });
    }
    value
}

/// A field of a record, which may be absent.
pub(crate) trait Field<'a>: Default {
    fn read_field(
        &mut self,
        cursor: &mut Cursor<'a>,
        place: &'static Place,
        notes: &mut Notes<'a>,
    ) -> Result<(), Broken>;
    fn is_absent(&self) -> bool;
}

/// A field that is read only on request ([`Scope::reach`](crate::Scope)).
#[derive(Clone, PartialEq)]
pub struct Asked<T>(Option<T>);

impl<T> Default for Asked<T> {
    fn default() -> Self {
        Self(None)
    }
}

impl<T> From<Option<T>> for Asked<T> {
    fn from(value: Option<T>) -> Self {
        Self(value)
    }
}

impl<T> Deref for Asked<T> {
    type Target = Option<T>;

    fn deref(&self) -> &Self::Target {
        &self.0
    }
}

/// A value that is read only on request.
pub(crate) trait OnRequest {
    /// The least reach that includes it.
    const REACH: Reach;
}

/// The content of a file before a change.
impl OnRequest for Text<'_> {
    const REACH: Reach = Reach::Everything;
}

impl<T: fmt::Debug> fmt::Debug for Asked<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl<'a, T: Value<'a> + OnRequest> Field<'a> for Asked<T> {
    fn read_field(
        &mut self,
        cursor: &mut Cursor<'a>,
        place: &'static Place,
        notes: &mut Notes<'a>,
    ) -> Result<(), Broken> {
        if notes.scope.reach >= T::REACH { self.0.read_field(cursor, place, notes) } else { cursor.pass() }
    }

    fn is_absent(&self) -> bool {
        self.0.is_none()
    }
}

impl<'a, T: Value<'a>> Field<'a> for Option<T> {
    /// Null keeps the value of an earlier spelling of the key; otherwise the last value wins.
    #[inline]
    fn read_field(
        &mut self,
        cursor: &mut Cursor<'a>,
        place: &'static Place,
        notes: &mut Notes<'a>,
    ) -> Result<(), Broken> {
        if let Some(value) = T::read(cursor, place, notes)? {
            *self = Some(value);
        }
        Ok(())
    }
    fn is_absent(&self) -> bool {
        self.is_none()
    }
}

impl<'a, T: Value<'a>> Field<'a> for Vec<T> {
    #[inline]
    fn read_field(
        &mut self,
        cursor: &mut Cursor<'a>,
        place: &'static Place,
        notes: &mut Notes<'a>,
    ) -> Result<(), Broken> {
        if let Some(list) = <Self as Value<'a>>::read(cursor, place, notes)? {
            *self = list;
        }
        Ok(())
    }
    fn is_absent(&self) -> bool {
        self.is_empty()
    }
}

impl<'a, T: Value<'a>> Value<'a> for Vec<T> {
    const EXPECTED: &'static str = "a list";

    fn from_list(
        cursor: &mut Cursor<'a>,
        place: &'static Place,
        notes: &mut Notes<'a>,
    ) -> Result<Option<Self>, Broken> {
        let mut values = Self::new();
        cursor.list(|cursor| {
            values.extend(T::read(cursor, place, notes)?);
            Ok(())
        })?;
        Ok(Some(values))
    }
    /// Accepts a single text in place of a list of texts, because hooks write that.
    fn from_text(text: &'a str) -> Option<Self> {
        T::from_text(text).map(|value| vec![value])
    }
}

impl<'a, T: Value<'a>> Value<'a> for Box<T> {
    const EXPECTED: &'static str = T::EXPECTED;

    fn read(cursor: &mut Cursor<'a>, place: &'static Place, notes: &mut Notes<'a>) -> Result<Option<Self>, Broken> {
        Ok(T::read(cursor, place, notes)?.map(Self::new))
    }
}

/// Text of a line, borrowed from the line, or from the [`Scratch`] if it contains escapes.
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Text<'a>(&'a str);

impl<'a> Text<'a> {
    /// The text, valid for as long as the line.
    pub const fn as_str(self) -> &'a str {
        self.0
    }
}

impl Deref for Text<'_> {
    type Target = str;

    fn deref(&self) -> &str {
        self.0
    }
}

impl fmt::Debug for Text<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.0, f)
    }
}

impl fmt::Display for Text<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

impl<'a> From<&'a str> for Text<'a> {
    fn from(text: &'a str) -> Self {
        Self(text)
    }
}

impl PartialEq<str> for Text<'_> {
    fn eq(&self, other: &str) -> bool {
        self.0 == other
    }
}

impl PartialEq<&str> for Text<'_> {
    fn eq(&self, other: &&str) -> bool {
        self.0 == *other
    }
}

impl<'a> Value<'a> for Text<'a> {
    const EXPECTED: &'static str = "text";

    #[inline]
    fn from_text(text: &'a str) -> Option<Self> {
        Some(Self(text))
    }
    fn from_bool(flag: bool) -> Option<Self> {
        Some(Self(if flag { "true" } else { "false" }))
    }
    fn from_integer(number: i64, scratch: &'a Scratch) -> Option<Self> {
        Some(Self(scratch.keep(&number.to_string())))
    }
    fn from_float(number: f64, scratch: &'a Scratch) -> Option<Self> {
        Some(Self(scratch.keep(&number.to_string())))
    }
}

impl<'a> Value<'a> for bool {
    const EXPECTED: &'static str = "true or false";

    fn from_bool(flag: bool) -> Option<Self> {
        Some(flag)
    }
    fn from_text(text: &'a str) -> Option<Self> {
        text.parse().ok()
    }
    fn from_integer(number: i64, _: &'a Scratch) -> Option<Self> {
        matches!(number, 0 | 1).then_some(number == 1)
    }
}

impl<'a> Value<'a> for i64 {
    const EXPECTED: &'static str = "a number";

    fn from_integer(number: i64, _: &'a Scratch) -> Option<Self> {
        Some(number)
    }
    fn from_float(number: f64, _: &'a Scratch) -> Option<Self> {
        Some(whole(number))
    }
    fn from_text(text: &'a str) -> Option<Self> {
        let text = text.trim();
        text.parse().ok().or_else(|| f64::from_text(text).map(whole))
    }
}

/// The nearest integer, saturated at the limits of `i64`.
#[expect(clippy::cast_possible_truncation, reason = "the cast saturates")]
fn whole(number: f64) -> i64 {
    number.round() as i64
}

impl<'a> Value<'a> for f64 {
    const EXPECTED: &'static str = "a number";

    #[expect(clippy::cast_precision_loss, reason = "durations and money stay far below 2^53")]
    fn from_integer(number: i64, _: &'a Scratch) -> Option<Self> {
        Some(number as Self)
    }
    fn from_float(number: f64, _: &'a Scratch) -> Option<Self> {
        Some(number)
    }
    fn from_text(text: &'a str) -> Option<Self> {
        text.trim().parse().ok().filter(|number: &Self| number.is_finite())
    }
}

/// A time as written: ISO 8601 text, or epoch milliseconds or seconds as a number.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Time<'a>(Text<'a>);

impl<'a> Time<'a> {
    /// The time as written.
    pub const fn as_str(self) -> &'a str {
        self.0.as_str()
    }

    /// The time in milliseconds since 1970, if it is valid.
    pub fn milliseconds(self) -> Option<i64> {
        self.usual_milliseconds().or_else(|| self.timestamp().map(jiff::Timestamp::as_millisecond))
    }

    /// A fast path for `2026-02-12T16:25:22.067Z`, the form of nearly all times.
    fn usual_milliseconds(self) -> Option<i64> {
        const FORM: &[u8; 24] = b"0000-00-00T00:00:00.000Z";
        let bytes: &[u8; 24] = self.0.as_bytes().try_into().ok()?;
        // A digit is at most 9 above the `0` of the form; every other byte equals the form.
        let mut digits = [0; 24];
        let mut fits = true;
        for ((digit, byte), form) in digits.iter_mut().zip(bytes).zip(FORM) {
            *digit = byte.wrapping_sub(*form);
            fits &= *digit <= if *form == b'0' { 9 } else { 0 };
        }
        if !fits {
            return None;
        }
        let [y0, y1, y2, y3, _, m0, m1, _, d0, d1, _, h0, h1, _, n0, n1, _, s0, s1, _, t0, t1, t2, _] =
            digits.map(i64::from);
        let (year, month, day) = (((y0 * 10 + y1) * 10 + y2) * 10 + y3, m0 * 10 + m1, d0 * 10 + d1);
        let (hour, minute, second) = (h0 * 10 + h1, n0 * 10 + n1, s0 * 10 + s1);
        let milli = (t0 * 10 + t1) * 10 + t2;
        // Days after the 28th, years before 1970 and invalid times are left to the full parser.
        if year < 1970
            || !(1..=12).contains(&month)
            || !(1..=28).contains(&day)
            || hour > 23
            || minute > 59
            || second > 59
        {
            return None;
        }
        // Counts years from March, so that the leap day is the last day of the year.
        let (year, month) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
        let days = year * 365 + year / 4 - year / 100 + year / 400 + (month * 153 + 2) / 5 + day - 1 - 719_468;
        Some((((days * 24 + hour) * 60 + minute) * 60 + second) * 1000 + milli)
    }

    /// The time, if it is valid.
    ///
    /// Numbers above 10^11 are milliseconds: as seconds they would lie beyond the year 5138.
    pub fn timestamp(self) -> Option<jiff::Timestamp> {
        let text = self.0.trim();
        if let Ok(moment) = text.parse() {
            return Some(moment);
        }
        let number = i64::from_text(text)?;
        if number.unsigned_abs() > 100_000_000_000 {
            jiff::Timestamp::from_millisecond(number).ok()
        } else {
            jiff::Timestamp::from_second(number).ok()
        }
    }
}

impl fmt::Debug for Time<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl<'a> From<&'a str> for Time<'a> {
    fn from(text: &'a str) -> Self {
        Self(Text::from(text))
    }
}

impl<'a> Value<'a> for Time<'a> {
    const EXPECTED: &'static str = "a time";

    fn from_text(text: &'a str) -> Option<Self> {
        Text::from_text(text).map(Self)
    }
    fn from_integer(number: i64, scratch: &'a Scratch) -> Option<Self> {
        Text::from_integer(number, scratch).map(Self)
    }
    fn from_float(number: f64, scratch: &'a Scratch) -> Option<Self> {
        Text::from_float(number, scratch).map(Self)
    }
}

/// A JSON value as written in the line, for fields that have no type or get one later.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Raw<'a>(&'a str);

impl<'a> Raw<'a> {
    /// The JSON text.
    pub const fn as_json(self) -> &'a str {
        self.0
    }

    /// The unescaped text, if the value is a string.
    pub fn as_text(self, scratch: &'a Scratch) -> Option<Text<'a>> {
        self.0.starts_with('"').then(|| self.read_as(&mut Notes::new(scratch))).flatten()
    }

    /// Reads the value as `T`; `None` if it has another type.
    pub(crate) fn read_as<T: Value<'a>>(self, notes: &mut Notes<'a>) -> Option<T> {
        super::read_value(self.0, notes)
    }
}

impl fmt::Debug for Raw<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "json {}", self.0)
    }
}

impl<'a> From<&'a str> for Raw<'a> {
    fn from(json: &'a str) -> Self {
        Self(json)
    }
}

impl<'a> Value<'a> for Raw<'a> {
    const EXPECTED: &'static str = "any value";

    fn read(cursor: &mut Cursor<'a>, _: &'static Place, _: &mut Notes<'a>) -> Result<Option<Self>, Broken> {
        let json = cursor.raw()?;
        Ok((json != "null").then_some(Self(json)))
    }
}

/// An object whose keys are data (file names, questions, model ids), in the order of the line.
#[derive(Clone, PartialEq)]
pub struct Map<'a, T>(Vec<(Text<'a>, T)>);

impl<'a, T> Map<'a, T> {
    /// The pairs in the order of the line.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &T)> {
        self.0.iter().map(|(key, value)| (key.as_str(), value))
    }
    /// The value for `key`; the last one if the key is repeated.
    pub fn get(&self, key: &str) -> Option<&T> {
        self.0.iter().rev().find(|(name, _)| name == key).map(|(_, value)| value)
    }
    /// The number of pairs.
    pub fn len(&self) -> usize {
        self.0.len()
    }
    /// Whether there are no pairs.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
    /// The pairs in the order of the line.
    pub(crate) fn into_pairs(self) -> impl Iterator<Item = (Text<'a>, T)> {
        self.0.into_iter()
    }

    /// Adds a pair at the end.
    pub(crate) fn push(&mut self, key: Text<'a>, value: T) {
        self.0.push((key, value));
    }
}

impl<T> Default for Map<'_, T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<T: fmt::Debug> fmt::Debug for Map<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.iter()).finish()
    }
}

impl<'a, T: Value<'a>> Field<'a> for Map<'a, T> {
    fn read_field(
        &mut self,
        cursor: &mut Cursor<'a>,
        place: &'static Place,
        notes: &mut Notes<'a>,
    ) -> Result<(), Broken> {
        if let Some(map) = Self::read(cursor, place, notes)? {
            *self = map;
        }
        Ok(())
    }
    fn is_absent(&self) -> bool {
        self.is_empty()
    }
}

impl<'a, T: Value<'a>> Value<'a> for Map<'a, T> {
    const EXPECTED: &'static str = "an object";

    fn from_map(cursor: &mut Cursor<'a>, notes: &mut Notes<'a>) -> Result<Option<Self>, Broken> {
        let mut pairs = Self::default();
        cursor.object(notes.scratch, |cursor, key| {
            if let Some(value) = T::read(cursor, &Place::WHOLE, notes)? {
                pairs.push(Text(key), value);
            }
            Ok(())
        })?;
        Ok(Some(pairs))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    proptest::proptest! {
        #[test]
        fn the_fast_path_reads_times_like_the_full_parser(year in 1960..2110_i64, month in 0..14, day in 0..33, clock in 0..90_000_000_i64) {
            let (hour, minute) = (clock / 3_600_000, clock / 60_000 % 60);
            let (second, milli) = (clock / 1000 % 60, clock % 1000);
            let text = format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{milli:03}Z");
            let time = Time::from(text.as_str());
            proptest::prop_assert_eq!(time.milliseconds(), time.timestamp().map(jiff::Timestamp::as_millisecond), "{}", text);
        }
    }
}
