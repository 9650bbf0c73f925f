//! The document: a session with its threads, turns, tasks and lines.
//!
//! The facts of a story are written as the story's types derive them ([`Facts`], [`Agent`], [`Task`]…). The types
//! here add the facts of a document: numbers of threads, lines and texts. The contents of a thread and of a turn are
//! type parameters: the schema describes lists there, and the writer inserts values that read step by step.

use serde::Serialize;
use story::readable::Moment;
use story::step::ThreadId;
use story::tasks::Task;
use story::{Accounting, Agent, Detail, Facts, Origin, Remnant, TurnState};

use super::step::Step;
use crate::state::StateOut;
use crate::used::UsedOut;

/// A session of Claude Code.
#[derive(Debug, Serialize)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema), schemars(rename = "Story"))]
pub struct Document<'a, T = Vec<Thread<'static>>> {
    /// The name and version of this document.
    #[cfg_attr(any(test, feature = "schema"), schemars(extend("const" = super::SCHEMA)))]
    pub schema: &'static str,
    /// The level of detail.
    pub detail: Detail,
    /// The session as a whole, whatever part of it was selected.
    pub session: Session<'a>,
    /// The files that it was read from.
    pub sources: Vec<Source<'a>>,
    /// The selected threads that have steps; the main one comes first.
    pub threads: T,
    /// The tasks at the end of the main thread.
    pub tasks: Vec<&'a Task>,
    /// The number of lines by category, selected or not. Lines of other sessions do not count.
    pub accounting: Accounting,
}

/// The session as a whole.
#[derive(Debug, Serialize)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema))]
pub struct Session<'a> {
    /// What the story knows of it.
    #[serde(flatten)]
    pub facts: &'a Facts,
    /// Its state when this was written.
    #[serde(flatten)]
    pub state: StateOut,
    /// Its tokens and cost, subagents included, at the user's prices; `null` if they were not counted.
    pub usage: Option<UsedOut>,
    /// The part of `usage` that belongs to no turn; `null` if there is none. The usage of the turns of the main thread
    /// and of rewound branches is the rest.
    pub usage_outside_turns: Option<UsedOut>,
    /// What is left of it if its transcript is gone; `null` if it is there.
    pub only_left: Option<Remnant>,
}

/// A file that the session was read from.
#[derive(Debug, Serialize)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema))]
pub struct Source<'a> {
    /// Its path or another name.
    pub label: &'a str,
    /// Its role in the session.
    pub role: Role,
    /// The session that it belongs to.
    pub session: Option<&'a str>,
    /// The id of the agent, if it is the file of one.
    pub agent: Option<&'a str>,
    /// The workflow run that it belongs to.
    pub workflow: Option<&'a str>,
}

/// The role of a file in a session.
#[derive(Debug, Clone, Copy, Serialize)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// The session's own file.
    Main,
    /// An earlier version of the session's own file, with lines that the file has lost since.
    Earlier,
    /// A subagent of the session.
    Agent,
    /// The journal of a workflow run.
    Journal,
    /// A capture of the session; its own file is the richer source.
    Capture,
    /// Another session, from which this one may have copied. None of its steps are shown.
    Elsewhere,
    /// The prompts of the session in a prompt history, if nothing else is left of it.
    Prompts,
}

/// One path through a session.
#[derive(Debug, Serialize)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema), schemars(rename = "Thread"))]
pub struct Thread<'a, T = Vec<Turn>> {
    /// Its number, by which steps refer to it.
    pub id: ThreadId,
    /// Its kind.
    pub kind: ThreadWord,
    /// The agent, if it is the thread of one.
    pub agent: Option<&'a Agent>,
    /// Where it branches off another thread.
    pub origin: Option<Origin>,
    /// The selected turns that have steps.
    pub turns: T,
}

/// The kind of a thread.
#[derive(Debug, Clone, Copy, Serialize)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema), schemars(rename = "ThreadKind"))]
#[serde(rename_all = "snake_case")]
pub enum ThreadWord {
    /// The main conversation.
    Main,
    /// A rewound branch: the user went back and continued differently.
    Branch,
    /// A subagent.
    Agent,
}

/// One prompt and everything until the next.
#[derive(Debug, Serialize)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema), schemars(rename = "Turn"))]
pub struct Turn<S = Vec<Step<'static>>> {
    /// Its number in the thread, from 1.
    pub number: usize,
    /// The time of its first step.
    pub started: Option<Moment>,
    /// The time of its last step.
    pub ended: Option<Moment>,
    /// Its active time, in milliseconds.
    pub active_ms: u64,
    /// The time that its calls waited for you, in milliseconds.
    pub waited_ms: u64,
    /// Its share of the usage of the session, with the subagents that it started; `null` if it used nothing or was not
    /// counted. In the thread of a subagent it is a part of the turn that started it.
    pub usage: Option<UsedOut>,
    /// Its state.
    pub state: TurnState,
    /// The selected steps.
    pub steps: S,
}
