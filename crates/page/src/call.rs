//! Calls: a line each that opens in place.
//!
//! # The markup of bodies
//!
//! Beside code, diffs, output, prose and images, which look as they do everywhere, a body is made of these:
//!
//! - `<p class="note">` is a sentence of ours, `<p class="label">` names the block after it, `<p class="missing">` says
//!   why something cannot be shown, `<blockquote class="said">` has the user's words.
//! - `<dl class="facts">` of `<dt>` and `<dd>` has short facts, `<table class="fields">` the keys of an input.
//! - `<pre class="paths">` has files below their folders, `<pre class="output matches">` lines with `<mark>`,
//!   `<ul class="names">` names as `<code>`, `<ul class="links">` links.
//! - `<div class="unnumbered">` is around a diff whose numbers mean nothing.
//! - `<ul class="tasks">` of `<li data-status="pending|in-progress|completed|removed">`, each with a `badge` that says
//!   what happened to it.
//! - `<section class="question">` with `<ul class="options">` of `<li data-chosen>`; also `<section class="cell">` and
//!   `<section class="finding">`.

mod agent;
mod artifact;
mod body;
mod content;
mod failure;
mod family;
mod files;
mod json;
mod notebook;
mod pattern;
mod piece;
mod plan;
mod rest;
mod search;
mod shell;
mod stored;
mod tasks;
mod web;

use std::borrow::Cow;

use format::tool::{ReadResult, ToolInput, ToolResult, split_mcp};
use maud::{Markup, html};
use story::step::{Call, CallState};
use story::{Step, Story, Texts};

use super::step::severity;
use super::text;
use ::content::view::with_call;
use body::Told;
use human::duration;
use stored::Stored;
use styled::clean::clean_line;

pub(super) use family::{WRITE, family};

/// A call: one line that opens in place.
///
/// `agent` is the way to the thread that the call started, or that thread itself.
pub fn call(
    story: &Story,
    texts: &mut dyn Texts,
    step: &Step,
    call: &Call,
    anchor: &str,
    level: u8,
    agent: Option<&Markup>,
) -> Markup {
    let project = story.facts.project.as_deref().unwrap_or_default();
    let frame = |told: Told<'_>| {
        html! {
            details.step.call id=(anchor) data-level=(level) data-kind="call" data-tool=(text(&clean_line(&call.tool)))
                data-family=(family(&call.tool)) data-state=(state(call.state)) data-severity=[severity(call.severity)]
                data-withdrawn[step.withdrawn] {
                (summary(told))
                div.body {
                    (body::asked(told))
                    (body::came(told))
                    @if let Some(agent) = agent { (agent) }
                    (failure::standing(call, told.parts))
                }
            }
        }
    };
    let has_thread = agent.is_some();
    // Only a look at the result tells whether there is more of it elsewhere.
    let shown = with_call(story, texts, step, call, |parts| match stored::name(parts.result) {
        Some(name) => Err(name),
        None => Ok(frame(Told { call, parts, project, has_thread, stored: None })),
    });
    shown.unwrap_or_else(|name| {
        let stored = Stored::read(texts, &name);
        with_call(story, texts, step, call, |parts| {
            frame(Told { call, parts, project, has_thread, stored: stored.as_ref() })
        })
    })
}

/// What a call asks for, in full, without the line that it opens from: the command, the diff, the questions, the plan.
pub fn asked(story: &Story, texts: &mut dyn Texts, step: &Step, call: &Call) -> Markup {
    let project = story.facts.project.as_deref().unwrap_or_default();
    with_call(story, texts, step, call, |parts| {
        body::asked(Told { call, parts, project, has_thread: false, stored: None })
    })
}

const fn state(state: CallState) -> &'static str {
    match state {
        CallState::Pending => "pending",
        CallState::Done => "done",
        CallState::Background => "background",
        CallState::Failed => "failed",
        CallState::Rejected => "rejected",
        CallState::Interrupted => "interrupted",
        CallState::Lost => "lost",
    }
}

/// The line of a call.
fn summary(told: Told<'_>) -> Markup {
    let call = told.call;
    let badges = badges(told);
    let outcome = outcome(call, &badges);
    let change = call.change.filter(|change| change.added > 0 || change.removed > 0);
    html! {
        summary {
            (name(&call.tool))
            @if !call.subject.is_empty() { " " span.subject { (text(subject(told))) } }
            @for badge in &badges { " " span.badge { (text(badge)) } }
            @if let Some(change) = change {
                " " span.change {
                    @if change.added > 0 { ins { "+" (change.added) } }
                    @if change.added > 0 && change.removed > 0 { " " }
                    @if change.removed > 0 { del { "−" (change.removed) } }
                }
            }
            @if !outcome.is_empty() { " " span.outcome { (text(&outcome)) } }
            @if let Some(took) = call.duration.filter(|took| took.millis >= SHORTEST) {
                " " span.took title=[(!took.measured).then_some("from call to result, not measured")] {
                    (duration(took.millis))
                }
            }
        }
    }
}

/// What takes less time than this, in milliseconds, takes none.
const SHORTEST: u64 = 100;

/// The name of a tool; that of a server's with its server.
fn name(tool: &str) -> Markup {
    let name = clean_line(tool);
    match split_mcp(&name) {
        Some((server, tool)) => html! { b { span.server { (text(server)) } " " (text(tool)) } },
        None if name.trim().is_empty() => html! { b { "?" } },
        None => html! { b { (text(&name)) } },
    }
}

/// What a call is about; a path as it is seen from the project.
fn subject(told: Told<'_>) -> &str {
    let is_path = told.call.nature().has_path;
    let subject = &*told.call.subject;
    let inside = subject.strip_prefix(told.project).and_then(|rest| rest.strip_prefix(['/', '\\']));
    inside.filter(|rest| is_path && !told.project.is_empty() && !rest.is_empty()).unwrap_or(subject)
}

/// What is special about a call, in a word or two each.
fn badges(told: Told<'_>) -> Vec<Cow<'static, str>> {
    let (input, result) = (told.parts.input, told.parts.result);
    let mut badges = Vec::new();
    if told.call.state == CallState::Background {
        badges.push("background".into());
    }
    let is_changed = match result {
        Some(ToolResult::Edit(edit)) => edit.user_modified,
        Some(ToolResult::MultiEdit(edit)) => edit.user_modified,
        Some(ToolResult::Write(write)) => write.user_modified,
        _ => None,
    };
    if is_changed == Some(true) {
        badges.push("changed by the user".into());
    }
    let replaces_all = match (input, result) {
        (Some(ToolInput::Edit(edit)), _) => edit.replace_all,
        (_, Some(ToolResult::Edit(edit))) => edit.replace_all,
        _ => None,
    };
    if replaces_all == Some(true) {
        badges.push("replace all".into());
    }
    let is_cut = match result {
        Some(ToolResult::Read(read)) => match &**read {
            ReadResult::Text(read) => read.file.as_ref().and_then(|file| file.truncated_by_token_cap),
            _ => None,
        },
        Some(ToolResult::Glob(found)) => found.truncated,
        Some(ToolResult::Grep(found)) => found.applied_limit.map(|limit| limit > 0),
        _ => None,
    };
    if is_cut == Some(true) {
        badges.push("truncated".into());
    }
    if let Some(ToolResult::Bash(shell) | ToolResult::PowerShell(shell)) = result
        && let Some(done) = shell.git_operation.as_deref()
    {
        badges.extend(shell::git(done).into_iter().map(Cow::from));
    }
    badges
}

/// What came of a call, as far as its badges do not say so. A call that did not go its way always says that.
fn outcome<'c>(call: &'c Call, badges: &[Cow<'static, str>]) -> Cow<'c, str> {
    let outcome = &*call.outcome;
    let is_badge = |part: &str| badges.iter().any(|badge| badge == part);
    if call.state == CallState::Background && outcome.starts_with("runs in the background") {
        return "".into();
    }
    if !badges.is_empty() && outcome.split(", ").any(is_badge) {
        return outcome.split(", ").filter(|part| !is_badge(part)).collect::<Vec<_>>().join(", ").into();
    }
    if call.user_said.is_some() {
        return format!("rejected: {outcome}").into();
    }
    if !outcome.is_empty() {
        return outcome.into();
    }
    match call.state {
        CallState::Done | CallState::Background => "",
        CallState::Pending => "no result yet",
        CallState::Failed => "failed",
        CallState::Rejected => "rejected",
        CallState::Interrupted => "interrupted",
        CallState::Lost => "no result",
    }
    .into()
}

#[cfg(test)]
mod tests;
