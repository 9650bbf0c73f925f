//! Sessions, their agents, and projects.

use index::catalogue::{Agent, Project, Session};
use serde::Serialize;
use story::TurnState;
use story::readable::Moment;

use crate::path;
use crate::used::UsedOut;

/// The name and version of a list of sessions.
pub const SESSIONS: &str = "recount.sessions/2";

/// The name and version of a list of projects.
pub const PROJECTS: &str = "recount.projects/2";

/// A list of sessions.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema))]
pub struct SessionsOut<'a> {
    /// The name and version of this document.
    #[cfg_attr(any(test, feature = "schema"), schemars(extend("const" = SESSIONS)))]
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
        Self { schema: SESSIONS, total, left_out: total.saturating_sub(sessions.len()), sessions }
    }
}

/// A session.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema))]
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
    first: Option<Moment>,
    last: Option<Moment>,
    turns: u32,
    prompts: u32,
    replies: u32,
    calls: u32,
    failed: u32,
    agents: u32,
    branches: u32,
    compactions: u32,
    active_ms: u64,
    waiting_ms: u64,
    state: Option<&'static str>,
    copied_from: Option<&'a str>,
    continued_in: Option<&'a str>,
    only_subagents: bool,
    is_archived: bool,
    #[serde(flatten)]
    used: UsedOut,
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
            first: session.first.map(Moment),
            last: session.last.map(Moment),
            turns: counts.turns,
            prompts: counts.prompts,
            replies: counts.replies,
            calls: counts.calls,
            failed: counts.failed,
            agents: counts.agents,
            branches: counts.branches,
            compactions: counts.compactions,
            active_ms: session.active_ms,
            waiting_ms: session.waiting_ms,
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
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema))]
pub struct AgentOut<'a> {
    agent: &'a str,
    agent_type: Option<&'a str>,
    description: Option<&'a str>,
    /// The turn of the conversation that it works for, from 1.
    turn: Option<u32>,
    first: Option<Moment>,
    last: Option<Moment>,
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
            first: agent.first.map(Moment),
            last: agent.last.map(Moment),
            calls: agent.calls,
            failed: agent.failed,
            used: UsedOut::of(&agent.used),
        }
    }
}

/// A list of projects.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema))]
pub struct ProjectsOut<'a> {
    /// The name and version of this document.
    #[cfg_attr(any(test, feature = "schema"), schemars(extend("const" = PROJECTS)))]
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
        Self { schema: PROJECTS, total, left_out, projects: projects.iter().map(ProjectOut::of).collect() }
    }
}

/// A folder, and what sessions did there.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema))]
pub struct ProjectOut<'a> {
    /// Sessions that do not say where they were have none.
    project: Option<&'a str>,
    sessions: u64,
    first: Option<Moment>,
    last: Option<Moment>,
    turns: u64,
    calls: u64,
    failed: u64,
    active_ms: u64,
    waiting_ms: u64,
    #[serde(flatten)]
    used: UsedOut,
}

impl<'a> ProjectOut<'a> {
    fn of(project: &'a Project) -> Self {
        Self {
            project: (!project.path.is_empty()).then_some(project.path.as_str()),
            sessions: project.sessions,
            first: project.first.map(Moment),
            last: project.last.map(Moment),
            turns: project.turns,
            calls: project.calls,
            failed: project.failed,
            active_ms: project.active_ms,
            waiting_ms: project.waiting_ms,
            used: UsedOut::of(&project.used),
        }
    }
}
