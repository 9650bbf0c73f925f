//! What entries say, in a line: calls, results, notices, context.

pub(crate) mod call;
pub(crate) mod notice;
