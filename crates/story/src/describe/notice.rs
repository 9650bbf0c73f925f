//! Steps from entries that are not messages: events, attachments, stream signals, and text of the program in the
//! assistant's role.
//!
//! Every kind of entry has one row in one of the tables below: `system`, `attachment`, `other`. Failures are shown as
//! such, successes quietly, and entries that only keep the program running are bookkeeping. An entry without content is
//! bookkeeping, too, whatever its kind.

mod attachment;
mod capture;
mod failure;
mod hook;
mod program;
mod stream;
mod system;
mod task;
#[cfg(test)]
mod tests;
mod words;

pub(crate) use attachment::attachment;
pub(crate) use program::{synthetic, transformed};
pub(crate) use stream::other;
pub(crate) use system::system;

use crate::step::{Context, ContextKind, Notice, NoticeKind, Severity, StepKind};

/// The result of describing an entry.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum EntryOutcome {
    /// A step.
    Step(StepKind),
    /// It contains nothing for a reader; it is only counted.
    Bookkeeping,
}

impl From<Option<StepKind>> for EntryOutcome {
    fn from(step: Option<StepKind>) -> Self {
        step.map_or(Self::Bookkeeping, Self::Step)
    }
}

/// A notice, unless it is empty.
fn say(kind: NoticeKind, severity: Severity, text: &str) -> Option<StepKind> {
    let text = crate::preview::preview(text);
    (!text.is_empty()).then(|| StepKind::Notice(Box::new(Notice { kind, severity, text, times: 1, duration_ms: None })))
}

/// Context, unless it is empty.
fn context(kind: ContextKind, text: &str) -> Option<StepKind> {
    let preview = crate::preview::preview(text);
    (!preview.is_empty()).then(|| StepKind::Context(Box::new(Context { kind, preview })))
}

/// An entry that no known version writes, with the name it is counted under.
fn unknown(group: &str, name: &str) -> StepKind {
    let name = if name.is_empty() { "without a type" } else { name };
    let path = if group.is_empty() { name.to_owned() } else { format!("{group}/{name}") };
    StepKind::Unknown(crate::preview::preview(&path))
}
