//! What is known about a session as a whole.

use serde::{Deserialize, Serialize};

use crate::step::Millis;
use crate::thread::TurnState;

/// What is known about a session as a whole.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Facts {
    /// The session.
    pub id: Box<str>,
    /// What it is called, by what gives it a name.
    pub title: Option<Title>,
    /// The folder that it works in, as its entries say.
    pub project: Option<Box<str>>,
    /// Other folders it went to.
    pub other_folders: Vec<Box<str>>,
    /// The git branch, as it was last.
    pub branch: Option<Box<str>>,
    /// The models that answered, in the order of their first answers.
    pub models: Vec<Box<str>>,
    /// The versions of Claude Code that wrote it, in their order.
    pub versions: Vec<Box<str>>,
    /// How it was started: `cli`, `sdk-ts`…
    pub entrypoint: Option<Box<str>>,
    /// The team that it belongs to.
    pub team: Option<Box<str>>,
    /// Its first moment.
    pub first: Option<Millis>,
    /// Its last moment.
    pub last: Option<Millis>,
    /// How long turns took, in milliseconds.
    pub active_ms: u64,
    /// How long the human was waited for, in milliseconds.
    pub waiting_ms: u64,
    /// How much there is of everything.
    pub counts: Counts,
    /// How its last turn stands.
    pub state: Option<TurnState>,
    /// Where it leads to.
    pub links: Vec<Link>,
    /// The session that it goes on in.
    pub continued_in: Option<Box<str>>,
}

/// What a session is called.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Title {
    /// The title.
    pub text: Box<str>,
    /// Where it comes from.
    pub source: TitleSource,
}

/// Where a title comes from; later ones give way to earlier ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum TitleSource {
    /// The user gave it.
    Custom,
    /// The model found it.
    Model,
    /// The last thing that was asked.
    LastPrompt,
    /// A summary, as old versions wrote.
    Summary,
    /// The first thing that was asked.
    FirstPrompt,
}

/// How much there is of everything in the main thread, and of calls and agents everywhere.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
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

/// Where a session leads to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Link {
    /// What it leads to.
    pub kind: LinkKind,
    /// What it is called.
    pub title: Box<str>,
    /// The address; empty if there is none.
    pub url: Box<str>,
}

/// What a link leads to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum LinkKind {
    /// A pull request.
    PullRequest,
    /// A page that was published.
    Artifact,
    /// Remote control of the session.
    Bridge,
    /// A worktree.
    Worktree,
}
