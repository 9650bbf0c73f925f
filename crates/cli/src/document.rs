//! One JSON document on the output, for programs.

use std::io::{self, Write};

use serde::Serialize;

/// Writes it, laid out for those who look at it nevertheless.
pub(crate) fn write(out: &mut impl Write, document: &impl Serialize) -> io::Result<()> {
    serde_json::to_writer_pretty(&mut *out, document)?;
    writeln!(out)
}
