//! One-line descriptions of entries: calls, results, notices, context.

pub(crate) mod call;
pub(crate) mod notice;
