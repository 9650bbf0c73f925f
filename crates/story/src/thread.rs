//! Threads of turns.

use std::ops::Range;

use serde::{Deserialize, Serialize};

use crate::readable::or_null;
use crate::step::{Millis, StepId, ThreadId};

/// One path through a session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Thread {
    /// Its kind.
    pub kind: ThreadKind,
    /// Where it branches off another thread; `None` for the main one, and where it is unknown.
    pub origin: Option<Origin>,
    /// All its steps in order.
    pub steps: Vec<StepId>,
    /// Its turns, which partition the steps.
    pub turns: Vec<Turn>,
}

/// The kind of a thread.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ThreadKind {
    /// The main conversation.
    Main,
    /// A rewound branch: the user went back and continued differently.
    Branch,
    /// A subagent.
    Agent(Box<Agent>),
}

/// A subagent.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Agent {
    /// Its id; empty if it has none.
    #[serde(serialize_with = "or_null")]
    #[cfg_attr(feature = "schema", schemars(with = "Option<String>"))]
    pub id: Box<str>,
    /// `Explore`, `general-purpose`…
    #[serde(rename = "type")]
    pub agent_type: Option<Box<str>>,
    /// Its task.
    pub description: Option<Box<str>>,
    /// Its name.
    pub name: Option<Box<str>>,
    /// The workflow run that it took part in.
    pub workflow: Option<Box<str>>,
    /// Whether it is a teammate.
    pub teammate: bool,
    /// Whether it only warmed up the cache or served the program itself, and is not worth reading.
    pub hidden: bool,
}

/// Where a thread branches off another.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Origin {
    /// The other thread.
    pub thread: ThreadId,
    /// The step after which it branches off, or the call that started it; `None` if it branches off at the very start.
    pub step: Option<StepId>,
}

/// One prompt and everything until the next.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Turn {
    /// Its steps, as a range of the thread's.
    pub steps: Range<usize>,
    /// The time of its first step.
    pub started: Option<Millis>,
    /// The time of its last step.
    pub ended: Option<Millis>,
    /// Its active time, in milliseconds: as it states, or else without waits for the user and without idle gaps.
    pub active_ms: u64,
    /// The duration that it states, in milliseconds.
    pub stated_ms: Option<u64>,
    /// The time that its calls waited for the user, in milliseconds.
    pub waited_ms: u64,
    /// Its state.
    pub state: TurnState,
}

/// The state of a turn. Whether its session is at work is another question: see [`crate::SessionState`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum TurnState {
    /// No line shows its end.
    Open,
    /// The model finished its answer.
    Done,
    /// The user interrupted it.
    Interrupted,
    /// An error ended it.
    Failed,
}

impl TurnState {
    /// Its name in every output.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Done => "done",
            Self::Interrupted => "interrupted",
            Self::Failed => "failed",
        }
    }
}
