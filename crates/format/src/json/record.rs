//! Records and tagged records: objects with known keys.

use super::{Broken, Cursor, Map, Note, Notes, Place, Raw, Text, Value};

/// An object that takes its fields one by one, by name.
///
/// Fields arrive in the order of the line; a repeated key is read again, so
/// that the last one wins.
pub(crate) trait Record<'a> {
    /// The name of the record in notes.
    const LABEL: &'static str;

    /// Whether unknown fields are noted; headers omit most fields on purpose.
    const STRICT: bool = true;

    /// The same as `LABEL`, for records that are several (see [`tagged!`]).
    fn label(&self) -> &'static str {
        Self::LABEL
    }

    /// Reads the value of `key` and says so, if the record has such a field;
    /// leaves the cursor before the value otherwise.
    fn field(&mut self, key: &'a str, cursor: &mut Cursor<'a>, notes: &mut Notes<'a>) -> Result<bool, Broken>;

    /// Called when all fields have been read.
    fn finish(&mut self, _: &mut Notes<'a>) {}
}

/// Reads all fields of an object into `record`, and notes unknown ones.
pub(crate) fn fill<'a, R: Record<'a>>(
    record: &mut R,
    cursor: &mut Cursor<'a>,
    notes: &mut Notes<'a>,
) -> Result<(), Broken> {
    cursor.object(notes.scratch, |cursor, key| fill_field(record, key, cursor, notes))?;
    record.finish(notes);
    Ok(())
}

/// Reads one field into `record`, or notes it.
#[inline]
fn fill_field<'a, R: Record<'a>>(
    record: &mut R,
    key: &'a str,
    cursor: &mut Cursor<'a>,
    notes: &mut Notes<'a>,
) -> Result<(), Broken> {
    if record.field(key, cursor, notes)? {
        return Ok(());
    }
    if !R::STRICT {
        return cursor.skip();
    }
    let value = Raw::from(cursor.raw()?);
    notes.push(Note::UnknownField { record: record.label(), field: Text::from(key), value });
    Ok(())
}

/// Fields that came before the tag that determines their meaning.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Waiting<'a>(Vec<(&'a str, Raw<'a>)>);

impl<'a> Waiting<'a> {
    /// Keeps a field for later.
    pub(crate) fn push(&mut self, key: &'a str, cursor: &mut Cursor<'a>) -> Result<(), Broken> {
        self.0.push((key, Raw::from(cursor.raw()?)));
        Ok(())
    }

    /// Keeps fields that were read for something else.
    pub(crate) fn extend(&mut self, fields: impl IntoIterator<Item = (&'a str, Raw<'a>)>) {
        self.0.extend(fields);
    }

    /// Whether a field of that name is kept.
    pub(crate) fn has(&self, key: &str) -> bool {
        self.0.iter().any(|(name, _)| *name == key)
    }

    /// Reads the kept fields into `record`.
    pub(crate) fn replay<R: Record<'a>>(&mut self, record: &mut R, notes: &mut Notes<'a>) {
        for (key, value) in std::mem::take(&mut self.0) {
            // The value was well formed when it was kept.
            let _ = fill_field(record, key, &mut Cursor::new(value.as_json()), notes);
        }
    }
}

/// An enum of records that a tag among their fields distinguishes.
pub(crate) trait Tagged<'a>: Record<'a> + Sized {
    /// The key of the tag.
    const TAG: &'static str;

    /// The empty record for a tag; notes an unknown tag.
    fn begin(tag: Text<'a>, notes: &mut Notes<'a>) -> Self;
}

/// Reads an object whose tag may be anywhere in it. `None` if it has no tag.
pub(crate) fn read_tagged<'a, T: Tagged<'a>>(
    cursor: &mut Cursor<'a>,
    notes: &mut Notes<'a>,
) -> Result<Option<T>, Broken> {
    let mut building = Building::<T> { record: None, waiting: Waiting::default() };
    fill(&mut building, cursor, notes)?;
    Ok(building.record)
}

/// A tagged record before and after its tag is known.
struct Building<'a, T> {
    record: Option<T>,
    waiting: Waiting<'a>,
}

impl<'a, T: Tagged<'a>> Record<'a> for Building<'a, T> {
    const LABEL: &'static str = T::LABEL;

    fn field(&mut self, key: &'a str, cursor: &mut Cursor<'a>, notes: &mut Notes<'a>) -> Result<bool, Broken> {
        const PLACE: Place = Place { record: "tag", field: "type" };
        match &mut self.record {
            Some(record) if key != T::TAG => return record.field(key, cursor, notes),
            None if key != T::TAG => self.waiting.push(key, cursor)?,
            _ => {
                if let Some(tag) = Text::read(cursor, &PLACE, notes)? {
                    let mut record = T::begin(tag, notes);
                    self.waiting.replay(&mut record, notes);
                    self.record = Some(record);
                }
            }
        }
        Ok(true)
    }

    fn label(&self) -> &'static str {
        self.record.as_ref().map_or(T::LABEL, Record::label)
    }

    fn finish(&mut self, notes: &mut Notes<'a>) {
        if let Some(record) = &mut self.record {
            record.finish(notes);
        }
    }
}

/// A record of an unknown kind: all its fields, unchanged.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Unknown<'a> {
    /// Its own name for its kind; empty if it has none.
    pub kind: Text<'a>,
    /// Its fields in the order of the line.
    pub fields: Map<'a, Raw<'a>>,
}

impl<'a> Unknown<'a> {
    /// Its fields in the order of the line.
    pub(crate) fn into_fields(self) -> impl Iterator<Item = (&'a str, Raw<'a>)> {
        self.fields.into_pairs().map(|(key, value)| (key.as_str(), value))
    }
}

impl<'a> Record<'a> for Unknown<'a> {
    const LABEL: &'static str = "unknown";

    fn field(&mut self, key: &'a str, cursor: &mut Cursor<'a>, _: &mut Notes<'a>) -> Result<bool, Broken> {
        self.fields.push(Text::from(key), Raw::from(cursor.raw()?));
        Ok(true)
    }
}

/// Declares structs by their JSON keys.
///
/// ```text
/// record! {
///     /// What a request used.
///     pub struct Usage<'a>: "usage" {
///         input_tokens: Option<i64> = "input_tokens",
///         tier: Option<Text<'a>> = "service_tier" | "serviceTier",
///     }
/// }
/// ```
///
/// Every field is optional by its type (`Option`, `Vec`, `Map`); absent fields
/// are left out of the `Debug` form. With `"usage", loose`, undeclared fields
/// are skipped instead of noted.
macro_rules! record {
    ($(
        $(#[$meta:meta])*
        $vis:vis struct $name:ident $(<$lt:lifetime>)? : $label:literal $(, $loose:ident)? {
            $( $(#[$field_meta:meta])* $field:ident : $ty:ty = $key:literal $(| $alias:literal)* ),* $(,)?
        }
    )+) => {$(
        $(#[$meta])*
        #[derive(Clone, Default, PartialEq)]
        $vis struct $name $(<$lt>)? {
            $( #[doc = concat!("`", $key, "`")] $(#[$field_meta])* pub $field: $ty, )*
        }

        impl<'a> crate::json::Record<'a> for $name $(<$lt>)? {
            const LABEL: &'static str = $label;
            const STRICT: bool = crate::json::strict!($($loose)?);

            fn field(
                &mut self,
                key: &'a str,
                cursor: &mut crate::json::Cursor<'a>,
                notes: &mut crate::json::Notes<'a>,
            ) -> Result<bool, crate::json::Broken> {
                match key {
                    $( $key $(| $alias)* => {
                        const PLACE: crate::json::Place = crate::json::Place { record: $label, field: $key };
                        crate::json::Field::read_field(&mut self.$field, cursor, &PLACE, notes)?;
                    } )*
                    _ => {
                        let _ = (cursor, notes);
                        return Ok(false);
                    }
                }
                #[allow(unreachable_code, reason = "a record may have no fields")]
                Ok(true)
            }
        }

        impl $(<$lt>)? crate::json::Fields for $name $(<$lt>)? {
            fn each_field<'e>(&'e self, each: &mut crate::json::fields::Each<'_, 'e>) {
                let _ = &each;
                $( crate::json::Visit::visit(&self.$field, $key, each); )*
            }
        }

        impl $(<$lt>)? crate::json::Visit for $name $(<$lt>)? {
            fn visit<'e>(&'e self, key: &'e str, each: &mut crate::json::fields::Each<'_, 'e>) {
                each(key, crate::json::fields::FieldValue::Record(self));
            }
            fn shape() -> crate::json::Shape {
                crate::json::Shape::Record(vec![$( ($key, <$ty as crate::json::Visit>::shape), )*])
            }
        }

        impl<'a> crate::json::Value<'a> for $name $(<$lt>)? {
            const EXPECTED: &'static str = "an object";

            fn from_map(
                cursor: &mut crate::json::Cursor<'a>,
                notes: &mut crate::json::Notes<'a>,
            ) -> Result<Option<Self>, crate::json::Broken> {
                let mut record = Self::default();
                crate::json::fill(&mut record, cursor, notes)?;
                Ok(Some(record))
            }
        }

        impl $(<$lt>)? std::fmt::Debug for $name $(<$lt>)? {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                #[allow(unused_mut, reason = "a record may have no fields")]
                let mut shown = f.debug_struct(stringify!($name));
                $( if !crate::json::Field::is_absent(&self.$field) {
                    shown.field(stringify!($field), &self.$field);
                } )*
                shown.finish()
            }
        }
    )+};
}
pub(crate) use record;

/// `true`, or `false` after the word `loose`.
macro_rules! strict {
    () => {
        true
    };
    (loose) => {
        false
    };
}
pub(crate) use strict;

/// Declares enums of records that a tag distinguishes, plus `Unknown` for the rest.
///
/// ```text
/// tagged! {
///     /// One block of content.
///     pub enum Block<'a>: "block" by "type" {
///         Text(TextBlock<'a>) = "text",
///         Image(Image<'a>) = "image",
///     }
/// }
/// ```
///
/// With `by "type" or function`, a bare string is accepted too and goes through the function.
macro_rules! tagged {
    ($(
        $(#[$meta:meta])*
        $vis:vis enum $name:ident<'a> : $label:literal by $tag:literal $(or $bare:path)? {
            $( $(#[$variant_meta:meta])* $variant:ident ( $ty:ty ) = $word:literal $(| $alias:literal)* ),+ $(,)?
        }
    )+) => {$(
        $(#[$meta])*
        #[derive(Debug, Clone, PartialEq)]
        $vis enum $name<'a> {
            $( #[doc = concat!("`", $word, "`")] $(#[$variant_meta])* $variant($ty), )+
            /// A kind that no known version writes; its fields are kept.
            Unknown(crate::json::Unknown<'a>),
        }

        impl<'a> $name<'a> {
            /// The kind as the format spells it.
            pub fn kind(&self) -> &'a str {
                match self {
                    $( Self::$variant(_) => $word, )+
                    Self::Unknown(unknown) => unknown.kind.as_str(),
                }
            }
        }

        impl<'a> crate::json::Record<'a> for $name<'a> {
            const LABEL: &'static str = $label;

            fn field(
                &mut self,
                key: &'a str,
                cursor: &mut crate::json::Cursor<'a>,
                notes: &mut crate::json::Notes<'a>,
            ) -> Result<bool, crate::json::Broken> {
                match self {
                    $( Self::$variant(record) => crate::json::Record::field(record, key, cursor, notes), )+
                    Self::Unknown(record) => crate::json::Record::field(record, key, cursor, notes),
                }
            }

            fn label(&self) -> &'static str {
                match self {
                    $( Self::$variant(record) => crate::json::Record::label(record), )+
                    Self::Unknown(_) => $label,
                }
            }

            fn finish(&mut self, notes: &mut crate::json::Notes<'a>) {
                match self {
                    $( Self::$variant(record) => crate::json::Record::finish(record, notes), )+
                    Self::Unknown(_) => {}
                }
            }
        }

        impl crate::json::Fields for $name<'_> {
            /// Without the tag: it is the kind.
            fn each_field<'e>(&'e self, each: &mut crate::json::fields::Each<'_, 'e>) {
                match self {
                    $( Self::$variant(record) => crate::json::Fields::each_field(record, each), )+
                    Self::Unknown(record) => crate::json::Fields::each_field(record, each),
                }
            }
        }

        impl<'a> crate::json::Visit for $name<'a> {
            fn visit<'e>(&'e self, key: &'e str, each: &mut crate::json::fields::Each<'_, 'e>) {
                each(key, crate::json::fields::FieldValue::Record(self));
            }
            fn shape() -> crate::json::Shape {
                let kinds = vec![$( ($word, <$ty as crate::json::Visit>::shape as fn() -> crate::json::Shape), )+];
                crate::json::Shape::Tagged { tag: $tag, kinds }
            }
        }

        impl<'a> crate::json::Tagged<'a> for $name<'a> {
            const TAG: &'static str = $tag;

            fn begin(tag: crate::json::Text<'a>, notes: &mut crate::json::Notes<'a>) -> Self {
                match tag.as_str() {
                    $( $word $(| $alias)* => Self::$variant(Default::default()), )+
                    _ => {
                        notes.push(crate::json::Note::UnknownKind { of: $label, name: tag });
                        Self::Unknown(crate::json::Unknown { kind: tag, ..Default::default() })
                    }
                }
            }
        }

        impl<'a> crate::json::Value<'a> for $name<'a> {
            const EXPECTED: &'static str = concat!("an object with a ", $tag);

            $( fn from_text(text: &'a str) -> Option<Self> {
                Some($bare(text))
            } )?

            fn from_map(
                cursor: &mut crate::json::Cursor<'a>,
                notes: &mut crate::json::Notes<'a>,
            ) -> Result<Option<Self>, crate::json::Broken> {
                crate::json::read_tagged(cursor, notes)
            }
        }
    )+};
}
pub(crate) use tagged;

impl<'a, T: Record<'a>> Record<'a> for Box<T> {
    const LABEL: &'static str = T::LABEL;

    fn label(&self) -> &'static str {
        T::label(self)
    }

    fn field(&mut self, key: &'a str, cursor: &mut Cursor<'a>, notes: &mut Notes<'a>) -> Result<bool, Broken> {
        T::field(self, key, cursor, notes)
    }

    fn finish(&mut self, notes: &mut Notes<'a>) {
        T::finish(self, notes);
    }
}
