//! Facts about a session as a whole.

use std::ops::AddAssign;

use serde::{Deserialize, Serialize};

use crate::readable::{moment, or_null};
use crate::step::Millis;

/// Facts about a session as a whole.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Facts {
    /// Its id in lists, which every verb accepts: the name of its file or captured conversation, with a mark if several
    /// sessions share it.
    pub id: Box<str>,
    /// Its id in Claude Code, which `claude --resume` accepts.
    pub session_id: Option<Box<str>>,
    /// Its title, with the source of the title.
    pub title: Option<Title>,
    /// The repository in which it ran, as the path of the main worktree; the folder itself if it is in no repository.
    pub project: Option<Box<str>>,
    /// The worktree in which it ran, if it is not the main one.
    pub worktree: Option<Box<str>>,
    /// The working directory, as recorded in its entries.
    pub folder: Option<Box<str>>,
    /// Other working directories.
    pub other_folders: Vec<Box<str>>,
    /// The last recorded git branch.
    pub branch: Option<Box<str>>,
    /// The models that answered, in the order of their first answers.
    pub models: Vec<Box<str>>,
    /// The versions of Claude Code that wrote it, in order.
    pub versions: Vec<Box<str>>,
    /// How it was started: `cli`, `sdk-ts`…
    pub entrypoint: Option<Box<str>>,
    /// The team that it belongs to.
    pub team: Option<Box<str>>,
    /// The time of its first entry.
    #[serde(serialize_with = "moment")]
    #[cfg_attr(feature = "schema", schemars(with = "Option<crate::readable::Moment>"))]
    pub first: Option<Millis>,
    /// The time of its last entry.
    #[serde(serialize_with = "moment")]
    #[cfg_attr(feature = "schema", schemars(with = "Option<crate::readable::Moment>"))]
    pub last: Option<Millis>,
    /// The active time of its turns, in milliseconds.
    pub active_ms: u64,
    /// The time spent waiting for the user, in milliseconds.
    pub waiting_ms: u64,
    /// The numbers of its turns, calls and so on.
    pub counts: Counts,
    /// Links to other places.
    pub links: Vec<Link>,
    /// The commits that its commands made, in order of time.
    pub commits: Vec<Commit>,
    /// The session that it came from, if its lines say so.
    pub derived_from: Option<Box<str>>,
    /// The session that continues it.
    pub continued_in: Option<Box<str>>,
}

/// The title of a session.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Title {
    /// The text.
    pub text: Box<str>,
    /// Where it comes from.
    pub source: TitleSource,
}

/// Where a title comes from; earlier variants take precedence.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum TitleSource {
    /// The user set it.
    Custom,
    /// The model generated it.
    Model,
    /// A summary, as old versions wrote it.
    Summary,
    /// The first typed prompt.
    FirstPrompt,
    /// The heading of the plan that the session carries out.
    Plan,
    /// A slash command with its arguments.
    Command,
    /// The task of a teammate, an agent or a schedule.
    Task,
    /// The prompt on the command line of a captured run.
    CommandLine,
    /// The last prompt, when nothing else is left of the session.
    LastPrompt,
    /// Nothing: the text says when the session began.
    #[default]
    Untitled,
}

impl TitleSource {
    /// All of them, in order of precedence.
    pub const ALL: [Self; 10] = [
        Self::Custom,
        Self::Model,
        Self::Summary,
        Self::FirstPrompt,
        Self::Plan,
        Self::Command,
        Self::Task,
        Self::CommandLine,
        Self::LastPrompt,
        Self::Untitled,
    ];

    /// Its name in JSON and CSV.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Custom => "custom",
            Self::Model => "model",
            Self::Summary => "summary",
            Self::FirstPrompt => "first_prompt",
            Self::Plan => "plan",
            Self::Command => "command",
            Self::Task => "task",
            Self::CommandLine => "command_line",
            Self::LastPrompt => "last_prompt",
            Self::Untitled => "untitled",
        }
    }
}

/// The facts about a session that do not follow from its lines alone. Whoever reads it provides them
/// ([`StoryBuilder::list_as`](crate::StoryBuilder::list_as)).
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Listing {
    /// Its id in lists. Without one, it is listed by its id in Claude Code.
    pub id: Box<str>,
    /// The project of its folder. Without one, it is the folder.
    pub project: Option<Box<str>>,
    /// The worktree of that project, if it is not the main one.
    pub worktree: Option<Box<str>>,
    /// The text that stands for its title if it has none.
    pub untitled: Option<Box<str>>,
}

impl Listing {
    /// Adds the facts of this listing to those that follow from the lines.
    pub(crate) fn apply(&self, facts: &mut Facts) {
        let own = facts.session_id.clone().unwrap_or_default();
        facts.id = if self.id.is_empty() { own } else { self.id.clone() };
        facts.project = self.project.clone().or_else(|| facts.folder.clone());
        facts.worktree.clone_from(&self.worktree);
        if facts.title.as_ref().is_none_or(|title| title.source == TitleSource::Untitled) {
            facts.title = self.untitled.clone().map(|text| Title { text, source: TitleSource::Untitled });
        }
    }
}

/// Declares the counts of a session, each once: what stores or adds them goes through all.
macro_rules! counts {
    ($( $(#[$about:meta])* $name:ident, )+) => {
        /// Counts for the main thread; calls and agents are counted in all threads.
        #[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
        #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
        pub struct Counts {
            $( $(#[$about])* pub $name: u32, )+
        }

        impl Counts {
            /// Their names.
            pub const NAMES: [&'static str; [$( stringify!($name) ),+].len()] = [$( stringify!($name) ),+];

            /// Their values, in the order of their names.
            pub const fn values(&self) -> [u32; Self::NAMES.len()] {
                [$( self.$name ),+]
            }

            /// The counts with these values.
            pub const fn of([$( $name ),+]: [u32; Self::NAMES.len()]) -> Self {
                Self { $( $name ),+ }
            }
        }

        impl AddAssign for Counts {
            fn add_assign(&mut self, other: Self) {
                $( self.$name += other.$name; )+
            }
        }
    };
}

counts! {
    /// Turns of the main thread.
    turns,
    /// Prompts of the user.
    prompts,
    /// Replies of the model.
    replies,
    /// Calls, in all threads.
    calls,
    /// Calls that failed unexpectedly.
    failed,
    /// Calls whose failure was an answer: a search without a match, a shell that had already ended.
    expected_failures,
    /// Calls that the user, a rule or a mode denied.
    denied,
    /// Calls that the user interrupted.
    interrupted,
    /// Calls that did not run, because a call beside them failed.
    cancelled,
    /// Agents.
    agents,
    /// Rewound branches.
    branches,
    /// How often the conversation was compacted.
    compactions,
}

/// A link from a session to another place.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Link {
    /// The kind of target.
    pub kind: LinkKind,
    /// The label.
    pub title: Box<str>,
    /// The address; empty if there is none.
    #[serde(serialize_with = "or_null")]
    #[cfg_attr(feature = "schema", schemars(with = "Option<String>"))]
    pub url: Box<str>,
    /// The id of the call that made it, if it is known.
    pub tool_use_id: Option<Box<str>>,
}

/// A commit that a command of the session made.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Commit {
    /// Its name, usually shortened.
    pub sha: Box<str>,
    /// How it was made.
    pub kind: CommitKind,
    /// Its branch; `None` if there was none, or it is not known.
    pub branch: Option<Box<str>>,
    /// The first line of its message; empty if it is not known.
    #[serde(serialize_with = "or_null")]
    #[cfg_attr(feature = "schema", schemars(with = "Option<String>"))]
    pub subject: Box<str>,
    /// The id of the call that made it.
    #[serde(serialize_with = "or_null")]
    #[cfg_attr(feature = "schema", schemars(with = "Option<String>"))]
    pub tool_use_id: Box<str>,
    /// When the call ended.
    #[serde(serialize_with = "moment")]
    #[cfg_attr(feature = "schema", schemars(with = "Option<crate::readable::Moment>"))]
    pub at: Option<Millis>,
}

/// How a commit was made.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum CommitKind {
    /// From changes.
    #[default]
    Committed,
    /// It replaces the commit before it.
    Amended,
    /// It repeats a commit of another branch.
    CherryPicked,
    /// It undoes a commit.
    Reverted,
}

/// The target of a link.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum LinkKind {
    /// A pull request.
    PullRequest,
    /// A published page.
    Artifact,
    /// Remote control of the session.
    Bridge,
    /// A worktree.
    Worktree,
}
