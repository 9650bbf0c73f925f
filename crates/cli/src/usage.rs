//! The outputs of `recount usage`: text ([`text`]), CSV ([`csv`]) and ccusage's JSON ([`ccusage`]). `wire::usage`
//! writes the JSON of recount.

pub(crate) mod ccusage;
pub(crate) mod csv;
pub(crate) mod text;
