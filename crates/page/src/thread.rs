//! Agents and branches: their names, and the links to them.

use maud::{Markup, html};
use story::step::StepKind;
use story::thread::{Agent, ThreadKind};
use story::{StepId, Thread, ThreadId};

use super::anchor::{self, Anchors};
use super::document::layout::Layout;
use super::text;
use human::counted;

/// The kind of a thread, for the stylesheet and the script.
pub(super) fn kind(thread: &Thread) -> &'static str {
    match &thread.kind {
        ThreadKind::Main => "main",
        ThreadKind::Branch => "branch",
        ThreadKind::Agent(_) => "agent",
    }
}

/// The name of an agent, if it has one.
fn agent_name(agent: &Agent) -> Option<&str> {
    let names = [agent.name.as_deref(), agent.agent_type.as_deref(), agent.description.as_deref(), Some(&*agent.id)];
    names.into_iter().flatten().find(|name| !name.is_empty())
}

/// The name of a thread.
pub(super) fn name(thread: &Thread) -> String {
    match &thread.kind {
        ThreadKind::Main => "the conversation".to_owned(),
        ThreadKind::Branch => "an abandoned branch".to_owned(),
        ThreadKind::Agent(agent) => agent_name(agent).map_or("an agent".to_owned(), |name| format!("the agent {name}")),
    }
}

/// The task of an agent, unless it serves as its name.
fn description(agent: &Agent) -> Option<&str> {
    agent.description.as_deref().filter(|words| !words.is_empty() && agent_name(agent) != Some(words))
}

fn amount(layout: &Layout<'_>, thread: &Thread) -> String {
    let steps = || thread.steps.iter().filter_map(|id| layout.story.step(*id)).filter(|step| layout.wants(step));
    let calls = steps().filter(|step| matches!(step.kind, StepKind::Call(_))).count();
    match thread.kind {
        ThreadKind::Agent(_) => counted(calls as u64, "call", "calls"),
        ThreadKind::Main | ThreadKind::Branch => {
            counted(steps().filter(|step| layout.shows(step)).count() as u64, "step", "steps")
        }
    }
}

/// The heading of a thread: its name, and its origin.
pub(super) fn heading(layout: &Layout<'_>, anchors: &Anchors, id: ThreadId, thread: &Thread) -> Markup {
    html! {
        h2 {
            @match &thread.kind {
                ThreadKind::Main => "the conversation",
                ThreadKind::Branch => "abandoned branch",
                ThreadKind::Agent(agent) => {
                    (if agent.teammate { "teammate" } else { "agent" })
                    @if let Some(name) = agent_name(agent) { " " (text(name)) }
                    @if let Some(description) = description(agent) { " · " (text(description)) }
                }
            }
        }
        (origin(layout, anchors, id, thread))
    }
}

fn origin(layout: &Layout<'_>, anchors: &Anchors, id: ThreadId, thread: &Thread) -> Markup {
    let origin = thread.origin.filter(|origin| layout.thread(origin.thread).is_some());
    let (words, name) = match &thread.kind {
        ThreadKind::Branch => ("left here", origin.map(|_| anchor::branch(id))),
        ThreadKind::Main | ThreadKind::Agent(_) => {
            let step = origin.and_then(|origin| layout.story.step(origin.step?)).filter(|step| layout.shows(step));
            ("started here", step.map(|step| anchors.at(layout.story, step.place)))
        }
    };
    html! {
        p.origin {
            (amount(layout, thread))
            @if let Some(name) = name { " · " a href={ "#" (name) } { (words) } }
        }
    }
}

/// The link to the thread of an agent, from a step that started it or refers to it.
pub(super) fn link(layout: &Layout<'_>, id: ThreadId, is_first: bool) -> Option<Markup> {
    let thread = layout.thread(id)?;
    let words = match &thread.kind {
        ThreadKind::Main => "the conversation",
        ThreadKind::Branch => "abandoned branch",
        ThreadKind::Agent(agent) => agent_name(agent).unwrap_or("agent"),
    };
    let class = if is_first { "thread-link" } else { "thread-ref" };
    Some(html! {
        a class=(class) href={ "#" (anchor::thread(id)) } { (text(words)) " · " (amount(layout, thread)) }
    })
}

/// Whether a thread hangs on a step.
pub(super) fn hangs_on(thread: &Thread, step: StepId) -> bool {
    thread.origin.is_some_and(|origin| origin.step == Some(step))
}

/// The point where a branch leaves.
pub(super) fn branch(layout: &Layout<'_>, id: ThreadId, level: u8) -> Markup {
    html! {
        @if let Some(thread) = layout.thread(id) {
            details.step.branch id=(anchor::branch(id)) data-level=(level) data-kind="branch" {
                summary { "abandoned branch · " (amount(layout, thread)) }
                div.body { a.thread-link href={ "#" (anchor::thread(id)) } { "what was said and done there" } }
            }
        }
    }
}
