//! Every JSON document that leaves recount: the outputs of commands, the answers of the server, the files of exports.
//!
//! All documents follow one convention, which `docs/json/README.md` states: an object with its name and version as
//! `schema`, keys in snake case, moments in RFC 3339, durations in milliseconds, costs in US dollars, and `null` for a
//! value that is missing. [`show`] holds the story of a session.
//!
//! The JSON Schemas and TypeScript declarations in `docs/json/` are generated from these types; a test fails when they
//! are out of date. With the feature `schema` the types derive their schemas for other crates.

#[cfg(test)]
mod schema;
pub mod show;
