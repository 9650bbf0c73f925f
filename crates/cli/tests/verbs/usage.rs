//! `recount usage` from the outside: every report, every flag, and the messages if there is nothing to report.

mod blocks;
mod ccusage;
mod faults;
mod programs;
pub(crate) mod root;
mod tables;

/// All reports, as typed.
const REPORTS: [&str; 10] =
    ["daily", "weekly", "monthly", "session", "project", "model", "tool", "branch", "agent", "blocks"];
