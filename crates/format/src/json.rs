//! Reads JSON text into typed values. No other module parses JSON.
//!
//! Reading is lenient: a field may be missing, null, of another type,
//! spelled in two ways, repeated or unknown, and the record around it is
//! still read. Values that do not fit are recorded as a [`Note`].
//! Only text that is not JSON at all is an error.
//!
//! The pieces: [`record!`] declares a struct by its JSON keys, [`tagged!`] an
//! enum by the value of its tag, [`words!`] an enum of strings. All are read in
//! one pass of a [`Cursor`] over the line, without a generic tree in between.

mod cursor;
pub mod fields;
mod record;
mod repair;
mod value;
mod words;

pub(crate) use cursor::{Broken, Cursor, Number, Reason};
pub(crate) use fields::{Fields, Shape, Visit};
pub use record::Unknown;
pub(crate) use record::{Record, Tagged, Waiting, fill, read_tagged, record, strict, tagged};
pub use repair::Repairs;
pub(crate) use repair::{origins, repair};
pub use value::{Asked, Map, Raw, Text, Time};
pub(crate) use value::{Field, OnRequest, Place, Value, read_leniently};
pub(crate) use words::words;

use std::cell::RefCell;

use crate::id::ToolUseId;
use crate::read::{Reach, Scope};

/// Something in a line that the types could not express.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Note<'a> {
    /// A field that no known version writes here. The value is kept.
    UnknownField {
        /// The record it was found in, e.g. `usage` or `Bash input`.
        record: &'static str,
        /// Its name.
        field: Text<'a>,
        /// Its value.
        value: Raw<'a>,
    },
    /// A `type`, `subtype` or tool name that no known version writes.
    UnknownKind {
        /// Its kind: `entry`, `block`, `attachment`, `tool`…
        of: &'static str,
        /// The unknown name.
        name: Text<'a>,
    },
    /// A known field with a value of another type than expected; it reads as absent.
    OddValue {
        /// The record it was found in.
        record: &'static str,
        /// Its name.
        field: &'static str,
        /// The values that the type accepts.
        expected: &'static str,
    },
}

/// Storage for text that cannot be borrowed from its line because it had to be
/// unescaped or repaired. One scratch serves any number of lines.
///
/// ```
/// let mut scratch = format::Scratch::default();
/// for line in [r#"{"type":"mode","mode":"normal"}"#, r#"{"type":"tag","tag":"a\tb"}"#] {
///     scratch.reset();
///     let reading = format::read(line.as_bytes(), &scratch);
///     assert_eq!(reading.entries.len(), 1);
/// }
/// ```
#[derive(Debug, Default)]
pub struct Scratch {
    texts: bumpalo::Bump,
    /// The buffer in which a text is assembled.
    buffer: RefCell<Vec<u8>>,
}

impl Scratch {
    /// Discards all text, and keeps the memory for the next line.
    pub fn reset(&mut self) {
        /// Memory beyond this, for a very long line, is released.
        const LARGEST_KEPT: usize = 4 << 20;
        if self.texts.allocated_bytes() > LARGEST_KEPT {
            self.texts = bumpalo::Bump::new();
        } else {
            self.texts.reset();
        }
    }

    /// Keeps a copy of `text`.
    pub(crate) fn keep(&self, text: &str) -> &str {
        self.texts.alloc_str(text)
    }

    /// An empty buffer to assemble a text in.
    fn borrow_buffer(&self) -> Vec<u8> {
        let mut buffer = self.buffer.take();
        buffer.clear();
        buffer
    }

    /// Keeps the text in the buffer, and the buffer for the next one.
    fn keep_buffer(&self, buffer: Vec<u8>) -> &str {
        // Cannot fail: it was assembled from pieces of text.
        let text = self.keep(simdutf8::basic::from_utf8(&buffer).unwrap_or_default());
        self.buffer.replace(buffer);
        text
    }

    /// Space for a text of up to `length` bytes, to be filled in place.
    fn room(&self, length: usize) -> Room<'_> {
        Room { bytes: self.texts.alloc_slice_fill_copy(length, 0), filled: 0 }
    }
}

/// Space in a [`Scratch`] that is being filled.
struct Room<'a> {
    bytes: &'a mut [u8],
    filled: usize,
}

impl<'a> Room<'a> {
    /// Appends bytes. They always fit: an escape is never shorter than the bytes that it stands for.
    fn extend(&mut self, bytes: &[u8]) {
        let free = self.bytes.get_mut(self.filled..).unwrap_or_default();
        free.iter_mut().zip(bytes).for_each(|(to, from)| *to = *from);
        self.filled += bytes.len();
    }

    fn into_text(self) -> &'a str {
        let filled = self.bytes.get(..self.filled).unwrap_or_default();
        // Cannot fail: it was assembled from pieces of text.
        simdutf8::basic::from_utf8(filled).unwrap_or_default()
    }
}

/// The context of reading one line.
#[derive(Debug)]
pub(crate) struct Notes<'a> {
    /// The values that did not fit.
    pub(crate) list: Vec<Note<'a>>,
    /// Storage for unescaped text.
    pub(crate) scratch: &'a Scratch,
    /// The number of lists of blocks around the current one.
    pub(crate) content_depth: u8,
    /// The known calls, and the requested extent.
    pub(crate) scope: Scope<'a>,
    /// The call that the message answers, if it contains exactly one result and no failure.
    pub(crate) answered: Option<ToolUseId<'a>>,
}

impl<'a> Notes<'a> {
    pub(crate) const fn new(scratch: &'a Scratch) -> Self {
        Self {
            list: Vec::new(),
            scratch,
            content_depth: 0,
            scope: Scope { calls: None, reach: Reach::Everything },
            answered: None,
        }
    }

    pub(crate) fn push(&mut self, note: Note<'a>) {
        self.list.push(note);
    }
}

/// Reads a whole JSON text as `T`; `None` when it is null or of another type.
///
/// Text that is not JSON also reads as `None`: callers pass values that are
/// known to be well formed, or guesses (`KillShell`'s JSON inside a string).
pub(crate) fn read_value<'a, T: Value<'a>>(text: &'a str, notes: &mut Notes<'a>) -> Option<T> {
    T::read(&mut Cursor::new(text), &Place::WHOLE, notes).ok().flatten()
}

/// A sequence of JSON values in one text.
#[derive(Debug, Default)]
pub(crate) struct Pieces<'a> {
    /// The values up to the first that is not well formed.
    pub(crate) values: Vec<&'a str>,
    /// The start of the first value that is not well formed, and its error.
    pub(crate) broken: Option<(usize, Broken)>,
}

/// Splits text that contains several JSON values.
pub(crate) fn split_values(text: &str) -> Pieces<'_> {
    let mut cursor = Cursor::new(text);
    let mut pieces = Pieces::default();
    while cursor.peek().is_some() {
        let start = cursor.position();
        match cursor.raw() {
            Ok(value) => pieces.values.push(value),
            Err(broken) => {
                pieces.broken = Some((start, broken));
                break;
            }
        }
    }
    pieces
}
