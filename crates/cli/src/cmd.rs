//! The verbs, one file each.

pub(crate) mod cat;
pub(crate) mod check;
pub(crate) mod demo;
pub(crate) mod export;
pub(crate) mod show;
pub(crate) mod statusline;
pub(crate) mod usage;
