//! The verbs, one file each.

pub(crate) mod cat;
pub(crate) mod check;
pub(crate) mod show;
