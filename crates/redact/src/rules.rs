//! The table of rules.
//!
//! Prefixes, lengths and alphabets are public facts about the formats of tokens. Checksums are enforced only where their
//! construction is public and certain.

mod cloud;
mod code;
mod data;
mod generic;
mod models;
mod operations;
mod private;
mod registries;
mod services;
mod talk;

use crate::rule::Rule;

/// The version of the table: it changes whenever the same text may give other findings.
pub const RULES_VERSION: u32 = 1;

/// All rules. Where two find the same, the first one names it.
pub fn builtin() -> impl Iterator<Item = &'static Rule> {
    [
        generic::BLOCKS,
        services::RULES,
        models::RULES,
        cloud::RULES,
        code::RULES,
        talk::RULES,
        registries::RULES,
        operations::RULES,
        data::RULES,
        generic::RULES,
        private::RULES,
    ]
    .into_iter()
    .flatten()
}
