//! The verbs, one file each.

pub(crate) mod archive;
pub(crate) mod capture;
pub(crate) mod cat;
pub(crate) mod check;
pub(crate) mod demo;
pub(crate) mod diff;
pub(crate) mod export;
pub(crate) mod file;
pub(crate) mod hook;
pub(crate) mod hooks;
pub(crate) mod import;
pub(crate) mod ls;
pub(crate) mod projects;
pub(crate) mod replay;
pub(crate) mod resume;
pub(crate) mod search;
pub(crate) mod serve;
pub(crate) mod show;
pub(crate) mod statusline;
pub(crate) mod tail;
pub(crate) mod usage;
pub(crate) mod watch;
