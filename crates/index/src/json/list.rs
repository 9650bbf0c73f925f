//! Sessions, their agents, and projects.

use serde::Serialize;
use story::TurnState;

use super::{UsedOut, moment, path};
use crate::catalogue::{Agent, Project, Session};

/// A list of sessions.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SessionsOut<'a> {
    schema: &'static str,
    /// How many fit what was asked for.
    total: usize,
    /// How many of them are not in this list.
    left_out: usize,
    sessions: Vec<SessionOut<'a>>,
}

impl<'a> SessionsOut<'a> {
    /// Some sessions of so many.
    pub fn new(sessions: Vec<SessionOut<'a>>, total: usize) -> Self {
        Self { schema: "recount.sessions/2", total, left_out: total.saturating_sub(sessions.len()), sessions }
    }
}

/// A session.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SessionOut<'a> {
    session: &'a str,
    /// Its main file; where it was, if it is archived.
    path: String,
    /// The machine that it comes from, if that is not this one.
    machine: Option<&'a str>,
    title: Option<&'a str>,
    project: Option<&'a str>,
    folder: Option<&'a str>,
    branch: Option<&'a str>,
    models: &'a [String],
    first: Option<String>,
    last: Option<String>,
    turns: u32,
    prompts: u32,
    replies: u32,
    calls: u32,
    failed: u32,
    agents: u32,
    branches: u32,
    compactions: u32,
    worked_ms: u64,
    waited_ms: u64,
    state: Option<&'static str>,
    copied_from: Option<&'a str>,
    continued_in: Option<&'a str>,
    only_subagents: bool,
    is_archived: bool,
    #[serde(flatten)]
    used: UsedOut,
    #[serde(skip_serializing_if = "Option::is_none")]
    subagents: Option<Vec<AgentOut<'a>>>,
}

impl<'a> SessionOut<'a> {
    /// A session, with its agents where they are wanted.
    pub fn of(session: &'a Session, agents: Option<&'a [Agent]>) -> Self {
        let counts = &session.counts;
        Self {
            session: &session.name,
            path: path(&session.path),
            machine: Some(&*session.origin.machine).filter(|machine| !machine.is_empty()),
            title: session.title.as_deref(),
            project: session.project.as_deref(),
            folder: session.folder.as_deref(),
            branch: session.branch.as_deref(),
            models: &session.models,
            first: moment(session.first),
            last: moment(session.last),
            turns: counts.turns,
            prompts: counts.prompts,
            replies: counts.replies,
            calls: counts.calls,
            failed: counts.failed,
            agents: counts.agents,
            branches: counts.branches,
            compactions: counts.compactions,
            worked_ms: session.active_ms,
            waited_ms: session.waiting_ms,
            state: session.state.map(TurnState::word),
            copied_from: session.copied_from.as_deref(),
            continued_in: session.continued_in.as_deref(),
            only_subagents: session.is_partial,
            is_archived: session.is_archived,
            used: UsedOut::of(&session.used),
            subagents: agents.map(|agents| agents.iter().map(AgentOut::of).collect()),
        }
    }
}

/// A subagent of a session.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct AgentOut<'a> {
    agent: &'a str,
    agent_type: Option<&'a str>,
    description: Option<&'a str>,
    /// The turn of the conversation that it works for, from 1.
    turn: Option<u32>,
    first: Option<String>,
    last: Option<String>,
    calls: u32,
    failed: u32,
    #[serde(flatten)]
    used: UsedOut,
}

impl<'a> AgentOut<'a> {
    fn of(agent: &'a Agent) -> Self {
        Self {
            agent: &agent.name,
            agent_type: agent.kind.as_deref(),
            description: agent.description.as_deref(),
            turn: agent.turn,
            first: moment(agent.first),
            last: moment(agent.last),
            calls: agent.calls,
            failed: agent.failed,
            used: UsedOut::of(&agent.used),
        }
    }
}

/// A list of projects.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ProjectsOut<'a> {
    schema: &'static str,
    /// How many fit what was asked for.
    total: usize,
    /// How many of them are not in this list.
    left_out: usize,
    projects: Vec<ProjectOut<'a>>,
}

impl<'a> ProjectsOut<'a> {
    /// Some projects of so many.
    pub fn new(projects: &'a [Project], total: usize) -> Self {
        let left_out = total.saturating_sub(projects.len());
        Self { schema: "recount.projects/1", total, left_out, projects: projects.iter().map(ProjectOut::of).collect() }
    }
}

/// A folder, and what sessions did there.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ProjectOut<'a> {
    /// Sessions that do not say where they were have none.
    project: Option<&'a str>,
    sessions: u64,
    first: Option<String>,
    last: Option<String>,
    turns: u64,
    calls: u64,
    failed: u64,
    worked_ms: u64,
    waited_ms: u64,
    #[serde(flatten)]
    used: UsedOut,
}

impl<'a> ProjectOut<'a> {
    fn of(project: &'a Project) -> Self {
        Self {
            project: (!project.path.is_empty()).then_some(project.path.as_str()),
            sessions: project.sessions,
            first: moment(project.first),
            last: moment(project.last),
            turns: project.turns,
            calls: project.calls,
            failed: project.failed,
            worked_ms: project.active_ms,
            waited_ms: project.waiting_ms,
            used: UsedOut::of(&project.used),
        }
    }
}
