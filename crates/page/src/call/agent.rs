//! Other agents: started, written to, organised.

use format::block::Content;
use format::tool::{
    AgentInput, AgentResult, AgentStatus, HandbackInput, ListAgentsResult, SendMessageInput, SendMessageResult,
    TeamCreateInput, TeamCreateResult, TeamDeleteResult, ToolStats, WorkflowInput, WorkflowResult,
};
use format::{Raw, Scratch};
use maud::{Markup, html};

use super::content::content;
use super::json;
use super::piece::{agent, beyond, counted, facts, first_of, label, link, note, notes, spaced, task, with, word};
use crate::{code, output, prose};
use human::thousands;
use styled::highlight::Language;

/// What an agent is to do. What it was told stands in its own thread, if that is known.
pub(super) fn started(asked: &AgentInput<'_>, line: &str, has_thread: bool) -> Markup {
    let flag = |is_set: Option<bool>, words: &'static str| if is_set == Some(true) { words } else { "" };
    html! {
        (notes(&[
            beyond(line, word(asked.subagent_type)),
            &with("named", word(asked.name)),
            &with("of team", word(asked.team_name)),
            word(asked.model),
            &with("effort", word(asked.effort)),
            &with("mode", word(asked.mode)),
            &with("isolated in a", word(asked.isolation)),
            &with("goes on with", agent(asked.resume)),
            flag(asked.run_in_background, "in the background"),
        ]))
        @if !has_thread { (prose(word(asked.prompt))) }
    }
}

/// What an agent answered, or where it is at work.
pub(super) fn answered(given: &AgentResult<'_>) -> Markup {
    let state = match given.status {
        Some(AgentStatus::AsyncLaunched) => with("runs in the background as", agent(given.agent_id)),
        Some(AgentStatus::RemoteLaunched) => with("runs remotely as", task(given.task_id)),
        Some(AgentStatus::TeammateSpawned) => with("joined as", first_of([word(given.name), agent(given.agent_id)])),
        Some(AgentStatus::Completed | AgentStatus::Forked | AgentStatus::Other(_)) | None => String::new(),
    };
    let tokens = given.total_tokens.and_then(|tokens| u64::try_from(tokens).ok()).map(thousands).unwrap_or_default();
    html! {
        @if let Some(answer) = &given.content { (label("answer")) (spoken(answer)) }
        (notes(&[
            &state,
            if given.was_interrupted == Some(true) { "interrupted" } else { "" },
            &counted(given.total_tool_use_count, "tool call", "tool calls"),
            // Not what it cost: the sum of all requests is elsewhere.
            &(if tokens.is_empty() { tokens } else { format!("{tokens} tokens in its last request") }),
            word(given.resolved_model),
        ]))
        @if let Some(stats) = given.tool_stats.as_deref() { (uses(stats)) }
        (facts(&[
            ("worktree", word(given.worktree_path)),
            ("branch", word(given.worktree_branch)),
            ("output", word(given.output_file)),
        ]))
        @if let Some(url) = given.session_url { p.note { (link("", &url)) } }
    }
}

/// What an agent used, by kind.
fn uses(stats: &ToolStats) -> Markup {
    let used = |number: Option<i64>, one: &str, many: &str| counted(number.filter(|number| *number > 0), one, many);
    let lines = match (stats.lines_added.unwrap_or_default(), stats.lines_removed.unwrap_or_default()) {
        (0, 0) => String::new(),
        (added, removed) => format!("+{added} −{removed} lines"),
    };
    notes(&[
        used(stats.read_count, "read", "reads").as_str(),
        &used(stats.search_count, "search", "searches"),
        &used(stats.bash_count, "command", "commands"),
        &used(stats.edit_file_count, "file edited", "files edited"),
        &lines,
    ])
}

/// Text that a model wrote.
fn spoken(answer: &Content<'_>) -> Markup {
    match answer {
        Content::Text(text) => prose(text),
        Content::Blocks(_) if answer.texts().next().is_some() => html! {
            @for text in answer.texts() { (prose(&text)) }
        },
        Content::Blocks(_) | Content::Raw(_) => content(answer),
    }
}

/// A message to another agent.
pub(super) fn message(sent: &SendMessageInput<'_>, line: &str) -> Markup {
    html! {
        (notes(&[
            &with("to", beyond(line, word(sent.to))),
            &spaced(sent.kind.map_or("", |kind| kind.as_str())),
            match sent.approve { Some(true) => "approved", Some(false) => "not approved", None => "" },
            beyond(line, word(sent.summary)),
        ]))
        @if let Some(message) = sent.message { (prose_or_json(message)) }
    }
}

fn prose_or_json(raw: Raw<'_>) -> Markup {
    let scratch = Scratch::default();
    raw.as_text(&scratch).map_or_else(|| json::block(raw.as_json()), |words| prose(&words))
}

/// Where a message went.
pub(super) fn delivered(sent: &SendMessageResult<'_>) -> Markup {
    let recipients = sent.recipients.iter().map(|name| name.as_str()).collect::<Vec<_>>().join(", ");
    notes(&[word(sent.message), &with("to", &recipients)])
}

/// An agent's report to whoever started it.
pub(super) fn report(report: &HandbackInput<'_>) -> Markup {
    html! { (notes(&[&with("to", agent(report.to)), word(report.summary)])) (prose(word(report.message))) }
}

/// A team that is to be.
pub(super) fn team(team: &TeamCreateInput<'_>, line: &str) -> Markup {
    facts(&[
        ("team", beyond(line, word(team.team_name))),
        ("for", beyond(line, word(team.description))),
        ("led by", word(team.agent_type)),
    ])
}

/// A team that is.
pub(super) fn founded(team: &TeamCreateResult<'_>) -> Markup {
    facts(&[("leader", agent(team.lead_agent_id)), ("file", word(team.team_file_path))])
}

/// A team that was.
pub(super) fn dissolved(team: &TeamDeleteResult<'_>) -> Markup {
    note(word(team.message))
}

/// The agents there are.
pub(super) fn agents(list: &ListAgentsResult<'_>) -> Markup {
    output(word(list.listing))
}

/// A workflow: what it is called, and its script.
pub(super) fn workflow(asked: &WorkflowInput<'_>, line: &str) -> Markup {
    html! {
        (facts(&[
            ("name", beyond(line, first_of([word(asked.title), word(asked.name)]))),
            ("for", beyond(line, word(asked.description))),
            ("script", word(asked.script_path)),
            ("goes on with", word(asked.resume_from_run_id)),
        ]))
        @if let Some(args) = asked.args { (label("arguments")) (json::block(args.as_json())) }
        @if let Some(script) = asked.script { (code(&script, Language::named("javascript"), None)) }
    }
}

/// A started workflow.
pub(super) fn launched(given: &WorkflowResult<'_>, line: &str) -> Markup {
    html! {
        (note(&with("runs in the background as", task(given.task_id))))
        (facts(&[
            ("run", word(given.run_id)),
            ("for", beyond(line, word(given.summary))),
            ("transcripts", word(given.transcript_dir)),
            ("warning", word(given.warning)),
            ("error", word(given.error)),
        ]))
        @if let Some(url) = given.session_url { p.note { (link("", &url)) } }
    }
}
