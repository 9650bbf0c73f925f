//! Lists for programs. Their fields are described in `docs/ls-json.md`.

use std::io::{self, Write};
use std::path::Path;

use index::catalogue::{Agent, Session, Used};
use jiff::Timestamp;
use serde::Serialize;

use super::state_word;

/// Writes a document.
pub(crate) fn write(out: &mut impl Write, document: &impl Serialize) -> io::Result<()> {
    serde_json::to_writer_pretty(&mut *out, document)?;
    writeln!(out)
}

/// A moment as others read it.
pub(crate) fn moment(at: Option<i64>) -> Option<String> {
    let moment = Timestamp::from_millisecond(at?).ok()?;
    Some(format!("{moment:.3}"))
}

#[derive(Serialize)]
pub(crate) struct UsedOut {
    tokens: u64,
    cost_usd: f64,
    /// Only a first count of tokens was written down.
    cost_is_at_least: bool,
    /// Some of it has no known price.
    cost_is_partial: bool,
}

impl UsedOut {
    pub(crate) fn of(used: &Used) -> Self {
        Self {
            tokens: used.tokens,
            cost_usd: used.cost.dollars(),
            cost_is_at_least: used.is_low,
            cost_is_partial: used.is_partial,
        }
    }
}

#[derive(Serialize)]
pub(super) struct SessionOut<'a> {
    session: &'a str,
    path: &'a Path,
    title: Option<&'a str>,
    project: Option<&'a str>,
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
    is_subagent: bool,
    is_archived: bool,
    #[serde(flatten)]
    used: UsedOut,
    #[serde(skip_serializing_if = "Option::is_none")]
    subagents: Option<Vec<AgentOut<'a>>>,
}

impl<'a> SessionOut<'a> {
    pub(super) fn of(session: &'a Session, subagents: Option<Vec<AgentOut<'a>>>) -> Self {
        let counts = &session.counts;
        Self {
            session: &session.name,
            path: &session.path,
            title: session.title.as_deref(),
            project: session.project.as_deref(),
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
            state: session.state.map(state_word),
            copied_from: session.origin.as_deref(),
            continued_in: session.continued_in.as_deref(),
            is_subagent: session.is_agent,
            is_archived: session.is_archived,
            used: UsedOut::of(&session.used),
            subagents,
        }
    }
}

#[derive(Serialize)]
pub(super) struct AgentOut<'a> {
    agent: &'a str,
    agent_type: Option<&'a str>,
    description: Option<&'a str>,
    turn: Option<u32>,
    first: Option<String>,
    last: Option<String>,
    calls: u32,
    failed: u32,
    #[serde(flatten)]
    used: UsedOut,
}

impl<'a> AgentOut<'a> {
    pub(super) fn of(agent: &'a Agent) -> Self {
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
