//! Checksums of rows. The database detects damage to the structure of its pages, but not to their content.

use std::hash::Hasher as _;

use rusqlite::functions::{Context, FunctionFlags};
use rusqlite::types::ValueRef;
use rusqlite::{Connection, Error, ffi};
use rustc_hash::FxHasher;

/// Registers the functions that the tables need: `seal` computes the checksum of values, and `is_sealed` fails unless
/// its first value is the checksum of the others.
pub(super) fn register(db: &Connection) -> rusqlite::Result<()> {
    let flags = FunctionFlags::SQLITE_UTF8 | FunctionFlags::SQLITE_DETERMINISTIC | FunctionFlags::SQLITE_INNOCUOUS;
    db.create_scalar_function("seal", -1, flags, |values| Ok(seal(values, 0)))?;
    db.create_scalar_function("is_sealed", -1, flags, |values| match values.get_raw(0) {
        ValueRef::Integer(sealed) if sealed == seal(values, 1) => Ok(1),
        _ => Err(damage()),
    })
}

/// The error for rows with a wrong checksum.
pub(crate) fn damage() -> Error {
    Error::SqliteFailure(ffi::Error::new(ffi::SQLITE_CORRUPT), None)
}

fn seal(values: &Context<'_>, from: usize) -> i64 {
    let mut hasher = FxHasher::default();
    for at in from..values.len() {
        let (kind, bytes) = match values.get_raw(at) {
            ValueRef::Null => (0, &[][..]),
            ValueRef::Integer(number) => {
                hasher.write_i64(number);
                (1, &[][..])
            }
            ValueRef::Real(number) => {
                hasher.write_u64(number.to_bits());
                (2, &[][..])
            }
            ValueRef::Text(bytes) => (3, bytes),
            ValueRef::Blob(bytes) => (4, bytes),
        };
        hasher.write_u8(kind);
        hasher.write_usize(bytes.len());
        hasher.write(bytes);
    }
    hasher.finish().cast_signed()
}
