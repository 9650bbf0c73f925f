//! How much was found, for programs. Its fields are described in `docs/search.md`.

use std::io::{self, Write};

use index::json::FoundOut;
use index::search::{Count, Hits};
use serde::Serialize;

use crate::document;

pub(super) fn write(out: &mut impl Write, query: &str, hits: &Hits) -> io::Result<()> {
    document::write(out, &FoundOut::of(query, hits, &|_, _| None))
}

pub(super) fn write_count(out: &mut impl Write, query: &str, count: Count) -> io::Result<()> {
    let Count { entries, sessions } = count;
    document::write(out, &CountOut { schema: "recount.search/1", query, entries, sessions })
}

#[derive(Serialize)]
struct CountOut<'a> {
    schema: &'static str,
    query: &'a str,
    entries: u64,
    sessions: u64,
}
