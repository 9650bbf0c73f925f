//! Threads of turns.

use std::ops::Range;

use serde::{Deserialize, Serialize};

use crate::step::{Millis, StepId, ThreadId};

/// One path through a session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Thread {
    /// What kind of path it is.
    pub kind: ThreadKind,
    /// Where it leaves another thread; `None` for the main one, and where nothing says so.
    pub origin: Option<Origin>,
    /// All its steps in order.
    pub steps: Vec<StepId>,
    /// Its turns, which share the steps among them.
    pub turns: Vec<Turn>,
}

/// What kind of path a thread is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ThreadKind {
    /// The conversation.
    Main,
    /// A part of the conversation that was left: the user went back and said something else.
    Branch,
    /// A subagent.
    Agent(Box<Agent>),
}

/// A subagent.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Agent {
    /// Its id; empty if it has none.
    pub id: Box<str>,
    /// `Explore`, `general-purpose`…
    pub agent_type: Option<Box<str>>,
    /// What it was to do.
    pub description: Option<Box<str>>,
    /// What it is called.
    pub name: Option<Box<str>>,
    /// The run of a workflow that it took part in.
    pub workflow: Option<Box<str>>,
    /// Whether it is a member of a team.
    pub teammate: bool,
    /// Whether it did nothing but warm up the cache, or served the program itself: nobody wants to read it.
    pub hidden: bool,
}

/// Where a thread leaves another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Origin {
    /// The other thread.
    pub thread: ThreadId,
    /// The step after which it leaves, or the call that started it; `None` if it leaves at the very beginning.
    pub step: Option<StepId>,
}

/// One prompt and everything until the next.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Turn {
    /// Its steps, among those of the thread.
    pub steps: Range<usize>,
    /// When its first step happened.
    pub started: Option<Millis>,
    /// When its last step happened.
    pub ended: Option<Millis>,
    /// How it ended.
    pub state: TurnState,
}

/// How a turn ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum TurnState {
    /// It has not: the model is at work, as far as the lines tell.
    Working,
    /// It has not: the model has a question.
    Asking,
    /// The model said all it had to say.
    Done,
    /// The user stopped it.
    Interrupted,
    /// Something went wrong.
    Failed,
}

impl TurnState {
    /// What it is called in lists.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Working => "open",
            Self::Asking => "asking",
            Self::Done => "done",
            Self::Interrupted => "stopped",
            Self::Failed => "failed",
        }
    }
}
