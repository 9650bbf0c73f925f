//! Folds the entries of a session into a story: threads of turns of steps.
//!
//! Lines go into a [`StoryBuilder`] one at a time, from any number of sources; the [`Story`] is complete after each. A
//! story is small: it contains what happened, in which order, and where the text is, but not the text itself, which is
//! read from its line when needed. A builder can be stored and resumes when restored ([`StoryBuilder::store`]).
//!
//! No I/O, no clock: the same lines in the same order give the same story.

pub mod accounting;
pub mod anchor;
mod arrange;
mod describe;
pub mod ending;
pub mod facts;
mod fold;
mod key;
mod number;
mod place;
mod preview;
pub mod readable;
pub mod session_state;
mod source;
pub mod step;
mod story;
pub mod tasks;
mod texts;
pub mod thread;

pub use accounting::Accounting;
pub use anchor::Anchors;
pub use ending::{Ending, OpenCall, Trouble};
pub use facts::{Commit, CommitKind, Counts, Facts, Link, LinkKind, Listing, Title, TitleSource};
pub use fold::{StoryBuilder, prompt_text, prompt_text_with};
pub use place::{BlockPlace, LineId, Part, SourceId, Span, Wanted};
pub use preview::preview;
pub use session_state::{SessionState, SessionStatus, StateReason};
pub use source::{AgentNotes, Remnant, Role, Source};
pub use step::{Detail, Step, StepId, StepKind, ThreadId};
pub use story::Story;
pub use texts::{LONGEST_COMPANION, Texts};
pub use thread::{Agent, Origin, Thread, ThreadKind, Turn, TurnState};
