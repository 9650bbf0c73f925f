//! The sources of a session's lines.

use serde::{Deserialize, Serialize};

/// A source of lines, as a story sees it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Source {
    /// Its role in the session.
    pub role: Role,
    /// The session it belongs to, by file name or otherwise; empty if unknown.
    pub session: Box<str>,
}

/// The role of a source in a session.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Role {
    /// The session's own file.
    #[default]
    Main,
    /// An earlier version of the session's own file, with lines that the file has lost since. It comes before the file.
    Earlier,
    /// A subagent of the session.
    Agent {
        /// The agent id, from the file name.
        id: Box<str>,
        /// The workflow run that it took part in.
        workflow: Option<Box<str>>,
    },
    /// The journal of a workflow run.
    Journal(Box<str>),
    /// A capture of the session; its own file is the richer source.
    Capture,
    /// Another session, from which this one may have copied: its lines are only used to recognise copies.
    Elsewhere,
    /// The prompts of the session in a prompt history, if nothing else is left of it.
    Prompts,
}

impl Role {
    /// Whether it is the session's own file, now or earlier.
    pub const fn is_main(&self) -> bool {
        matches!(self, Self::Main | Self::Earlier)
    }
}

/// What is left of a session whose own file is gone.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Remnant {
    /// Only files of its subagents.
    Subagents,
    /// Only its prompts, in the prompt history.
    Prompts,
}

impl Remnant {
    /// Its name in JSON.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Subagents => "subagents",
            Self::Prompts => "prompts",
        }
    }
}

/// Metadata about an agent: the `.meta.json` beside its file.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct AgentNotes {
    /// `Explore`, `general-purpose`…
    pub agent_type: Option<Box<str>>,
    /// Its task.
    pub description: Option<Box<str>>,
    /// The call that started it.
    pub tool_use_id: Option<Box<str>>,
    /// The agent that started it.
    pub parent_agent: Option<Box<str>>,
    /// Its name.
    pub name: Option<Box<str>>,
    /// The model it was assigned.
    pub model: Option<Box<str>>,
    /// Whether it is a teammate.
    pub teammate: bool,
}
