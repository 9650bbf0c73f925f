//! `recount usage` from the outside: every report, every flag, and what is said when there is nothing to report.

mod blocks;
mod ccusage;
mod faults;
mod programs;
pub(crate) mod root;
mod tables;

/// All reports, as they are typed.
const REPORTS: [&str; 10] =
    ["daily", "weekly", "monthly", "session", "project", "model", "tool", "branch", "agent", "blocks"];
