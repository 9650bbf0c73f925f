//! What `recount usage` reports, for people ([`text`]) and for programs ([`csv`], [`ccusage`]; as JSON it is `wire::usage`).

pub(crate) mod ccusage;
pub(crate) mod csv;
pub(crate) mod text;
