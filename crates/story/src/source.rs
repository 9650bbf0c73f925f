//! Where the lines of a session come from.

use serde::{Deserialize, Serialize};

/// A source of lines, as the story needs to know it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Source {
    /// What it holds.
    pub role: Role,
    /// The session that it belongs to, by its name or whatever else says so; empty if nothing does.
    pub session: Box<str>,
}

/// What a source holds.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Role {
    /// The session itself.
    #[default]
    Main,
    /// An agent of it.
    Agent {
        /// The agent, from the name of the file.
        id: Box<str>,
        /// The run of a workflow that it took part in.
        workflow: Option<Box<str>>,
    },
    /// What a workflow did, by its run.
    Journal(Box<str>),
    /// The session itself, as it was captured; its own file is the richer source.
    Capture,
    /// Another session, from which this one may have copied: told elsewhere, so its lines are only looked at.
    Elsewhere,
}

/// What is known of an agent beside its lines: the `.meta.json` next to its file.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct AgentNotes {
    /// `Explore`, `general-purpose`…
    pub agent_type: Option<Box<str>>,
    /// What it was to do.
    pub description: Option<Box<str>>,
    /// The call that started it.
    pub tool_use_id: Option<Box<str>>,
    /// The agent that started it.
    pub parent_agent: Option<Box<str>>,
    /// What it is called.
    pub name: Option<Box<str>>,
    /// The model that it was given.
    pub model: Option<Box<str>>,
    /// Whether it is a member of a team.
    pub teammate: bool,
}
