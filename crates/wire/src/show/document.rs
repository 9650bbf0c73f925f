//! The document: a session with its threads, turns, tasks and lines.
//!
//! What is in a thread, and in a turn, is a type parameter: whoever holds a document has lists there, and who writes
//! one has something that reads them step by step.

use std::collections::BTreeMap;

use human::Spent;
use serde::Serialize;

use super::moment::Moment;
use super::step::Step;
use super::words::{Detail, LinkKind, TaskStatus, TitleSource, TurnState};

/// A session of Claude Code, told.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "Document"))]
pub struct Document<T = Vec<Thread>> {
    /// The version of this form. It grows when a field goes or changes its meaning.
    #[cfg_attr(test, schemars(extend("const" = super::VERSION)))]
    pub version: u32,
    /// How much is told.
    pub detail: Detail,
    /// What is known about the session as a whole.
    pub session: Session,
    /// The files it was told from.
    pub sources: Vec<Source>,
    /// The threads that were chosen and have something to tell; the main one comes first.
    pub threads: T,
    /// The tasks as they stand at the end of the main thread.
    pub tasks: Vec<Task>,
    /// What became of all lines, chosen or not.
    pub accounting: Accounting,
}

/// What is known about a session as a whole, whatever was chosen of it.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Session {
    /// The session; empty if nothing says so.
    pub id: String,
    /// What it is called.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<Title>,
    /// The folder that it works in.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub project: Option<String>,
    /// Other folders it went to.
    pub other_folders: Vec<String>,
    /// The git branch, as it was last.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub branch: Option<String>,
    /// The models that answered, in the order of their first answers.
    pub models: Vec<String>,
    /// The versions of Claude Code that wrote it, in their order.
    pub versions: Vec<String>,
    /// How it was started: `cli`, `sdk-ts`…
    #[serde(skip_serializing_if = "Option::is_none")]
    pub entrypoint: Option<String>,
    /// The team that it belongs to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub team: Option<String>,
    /// Its first moment.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub first: Option<Moment>,
    /// Its last moment.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last: Option<Moment>,
    /// How long turns took, in milliseconds.
    pub active_ms: u64,
    /// How long the human was waited for, in milliseconds.
    pub waiting_ms: u64,
    /// How much there is of everything.
    pub counts: Counts,
    /// What it used, its subagents included, at the prices of the user.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub usage: Option<Usage>,
    /// How its last turn stands.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub state: Option<TurnState>,
    /// Where it leads to.
    pub links: Vec<Link>,
    /// The session that it goes on in.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub continued_in: Option<String>,
}

/// What a session is called.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Title {
    /// The title.
    pub text: String,
    /// Where it comes from.
    pub source: TitleSource,
}

/// How much there is of everything in the main thread, and of calls and agents everywhere.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Counts {
    /// Turns of the main thread.
    pub turns: u32,
    /// What the user asked.
    pub prompts: u32,
    /// What the model said.
    pub replies: u32,
    /// What the model did, in all threads.
    pub calls: u32,
    /// Calls that failed.
    pub failed: u32,
    /// Agents.
    pub agents: u32,
    /// Branches that were left.
    pub branches: u32,
    /// How often the conversation was summarised.
    pub compactions: u32,
}

/// Tokens, and what they cost.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Usage {
    /// Tokens of all kinds.
    pub tokens: u64,
    /// The cost in US dollars, without what has no known price.
    pub cost_usd: f64,
    /// Only a first count of tokens was recorded for some of it.
    pub cost_is_at_least: bool,
    /// Some of it has no known price.
    pub cost_is_partial: bool,
}

impl From<Spent> for Usage {
    fn from(spent: Spent) -> Self {
        Self {
            tokens: spent.tokens,
            cost_usd: spent.cost.dollars,
            cost_is_at_least: spent.cost.is_at_least,
            cost_is_partial: spent.cost.is_partial,
        }
    }
}

/// Where a session leads to.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Link {
    /// What it leads to.
    pub kind: LinkKind,
    /// What it is called.
    pub title: String,
    /// The address.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
}

/// A file that the session was told from.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Source {
    /// Its path, or whatever else it goes by.
    pub label: String,
    /// What it holds.
    pub role: Role,
    /// The session that it belongs to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub session: Option<String>,
    /// The agent, if it holds one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub agent: Option<String>,
    /// The run of a workflow, if it belongs to one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub workflow: Option<String>,
}

/// What a file holds.
#[derive(Debug, Clone, Copy, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// The session itself.
    Main,
    /// An agent of it.
    Agent,
    /// What a workflow did.
    Journal,
    /// The session, as it was captured. What its own file says is told from there.
    Capture,
    /// Another session, from which this one may have copied. Nothing is told from it.
    Elsewhere,
}

/// One path through a session.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "Thread"))]
pub struct Thread<T = Vec<Turn>> {
    /// Its number; steps name it by this.
    pub id: usize,
    /// What kind of path it is.
    pub kind: ThreadKind,
    /// The agent, if it is the path of one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub agent: Option<Agent>,
    /// Where it leaves another thread.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub origin: Option<Origin>,
    /// The turns that were chosen and have something to tell.
    pub turns: T,
}

/// What kind of path a thread is.
#[derive(Debug, Clone, Copy, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum ThreadKind {
    /// The conversation.
    Main,
    /// A part of the conversation that was left: the user went back and said something else.
    Branch,
    /// A subagent.
    Agent,
}

/// A subagent.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Agent {
    /// Its id.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// `Explore`, `general-purpose`…
    #[serde(rename = "type", skip_serializing_if = "Option::is_none")]
    pub agent_type: Option<String>,
    /// What it was to do.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// What it is called.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The run of a workflow that it took part in.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub workflow: Option<String>,
    /// Whether it is a member of a team.
    pub teammate: bool,
    /// Whether it served the program itself: nobody wants to read it.
    pub hidden: bool,
}

/// Where a thread leaves another.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Origin {
    /// The other thread.
    pub thread: usize,
    /// The step after which it leaves, or the call that started it; not there if it leaves at the very beginning.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub step: Option<usize>,
}

/// One prompt and everything until the next.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "Turn"))]
pub struct Turn<S = Vec<Step>> {
    /// Its number in the thread, from 1.
    pub number: usize,
    /// When its first step happened.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub started: Option<Moment>,
    /// When its last step happened.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ended: Option<Moment>,
    /// How it ended.
    pub state: TurnState,
    /// The steps that were chosen.
    pub steps: S,
}

/// One task.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Task {
    /// Its number, if the list has numbers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// What is to be done.
    pub subject: String,
    /// Where it stands.
    pub status: TaskStatus,
    /// Who is at it, in a team.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub owner: Option<String>,
}

/// How many lines ended where. Those of other sessions do not count.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Accounting {
    /// All lines that were read.
    pub lines: u64,
    /// Lines that are told.
    pub told: u64,
    /// Lines that tell nothing to a reader, by what they are.
    pub bookkeeping: BTreeMap<String, u64>,
    /// Lines that say again what another says.
    pub duplicate: u64,
    /// Lines that could not be read.
    pub malformed: u64,
    /// Lines that no known version writes.
    pub unknown: u64,
}
