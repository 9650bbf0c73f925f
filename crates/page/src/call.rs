//! Calls: one line each that opens in place. The content is made of sections ([`crate::section`]).

mod family;

use std::borrow::Cow;

use format::tool::split_mcp;
use maud::{Markup, html};
use story::step::{Call, CallState};
use story::{Detail, Step, Story, Texts};

use super::document::layout::level;
use super::section::{self, Around};
use super::step::severity;
use super::text;
use content::CallSections;
use content::section::{Body, Section, Speaker};
use content::view::call_sections;
use human::duration;
use styled::clean::clean_line;

pub(super) use family::{WRITE, family};

/// A call: one line that opens in place, and a card below it with the user's words in its result.
///
/// `agent` is the link to the thread that the call started, or that thread itself.
pub fn call(
    story: &Story,
    texts: &mut dyn Texts,
    step: &Step,
    call: &Call,
    anchor: &str,
    agent: Option<&Markup>,
) -> Markup {
    let around = Around { project: project(story) };
    if let Some(title) = call.chapter() {
        return call_sections(story, texts, step, call, |sections| chapter(step, call, anchor, title, sections));
    }
    // The prompt of an agent is shown in its thread.
    let is_shown =
        |section: &&Section<'_>| !(agent.is_some() && section.is_in_thread() && section.label.key == "prompt");
    call_sections(story, texts, step, call, |sections| {
        let badges = badges(call, sections);
        let is_on_card = |section: &Section<'_>| call.has_human_words() && section.speaker == Speaker::Human;
        let is_left = |section: &&Section<'_>| {
            is_shown(section) && !is_on_card(section) && !badges.iter().any(|badge| badge.is_said_by(section))
        };
        html! {
            details.step.call id=(anchor) data-level=(level(call.line_detail())) data-kind="call" data-tool=(text(&clean_line(&call.tool)))
                data-family=(family(&call.tool)) data-state=(state(call.state)) data-severity=[severity(call.severity)]
                data-withdrawn[step.withdrawn] {
                (summary(story, call, &badges))
                div.body {
                    (section::all(sections.all().filter(is_left), around))
                    @if let Some(agent) = agent { (agent) }
                    (standing(call, sections))
                }
            }
            @if call.has_human_words() && sections.human_words().next().is_some() { (card(sections)) }
        }
    })
}

/// A chapter: its title as a heading that opens what else the call says about it.
fn chapter(step: &Step, call: &Call, anchor: &str, title: &str, sections: &CallSections<'_>) -> Markup {
    html! {
        section.step.chapter id=(anchor) data-level=(level(call.line_detail())) data-kind="chapter"
            data-withdrawn[step.withdrawn] {
            h3 { (text(title)) }
            (section::all(&sections.input, Around::default()))
        }
    }
}

/// The user's words in the result of a call, each answer below its question.
fn card(sections: &CallSections<'_>) -> Markup {
    html! {
        div.prompt.answers data-level=(level(Detail::Prompts)) {
            @for section in sections.human_words() {
                @match &section.body {
                    Body::Answer { question, words } => {
                        @if !question.is_empty() { p.label { (text(question)) } }
                        div.words { (text(words)) }
                    }
                    _ => (section::section(section, Around::default())),
                }
            }
        }
    }
}

/// The full input of a call, without its summary line: the command, the diff, the questions, the plan.
pub fn asked(story: &Story, texts: &mut dyn Texts, step: &Step, call: &Call) -> Markup {
    let around = Around { project: project(story) };
    call_sections(story, texts, step, call, |sections| section::all(&sections.input, around))
}

fn project(story: &Story) -> &str {
    story.facts.folder.as_deref().unwrap_or_default()
}

/// The state of a call, where none of its sections says it.
fn standing(call: &Call, sections: &CallSections<'_>) -> Markup {
    let is_said = sections.result.iter().any(|section| section.speaker == Speaker::Human);
    let note = |words: &str| html! { p.note { (words) } };
    match (call.state, call.user_said.as_deref()) {
        _ if is_said => html! {},
        (_, Some(words)) => html! { p.note { b { "You" } " rejected" } blockquote.said { (text(words)) } },
        (CallState::Pending, None) => note("there is no result yet"),
        (CallState::Lost, None) => note("there is no result: the program ended first"),
        (CallState::Interrupted, None) => html! { p.note { b { "You" } " interrupted" } },
        (CallState::Rejected, None) if sections.result.is_empty() => html! { p.note { b { "You" } " rejected" } },
        (
            CallState::Done
            | CallState::Background
            | CallState::Failed
            | CallState::ExpectedFailure
            | CallState::Cancelled
            | CallState::Rejected,
            None,
        ) => html! {},
    }
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
        CallState::ExpectedFailure => "expected-failure",
        CallState::Cancelled => "cancelled",
    }
}

/// The summary line of a call.
fn summary(story: &Story, call: &Call, badges: &[Badge]) -> Markup {
    let outcome = outcome(call, badges);
    let change = call.change.filter(|change| change.added > 0 || change.removed > 0);
    html! {
        summary {
            (name(&call.tool))
            @if !call.subject.is_empty() { " " span.subject { (text(subject(project(story), call))) } }
            @for badge in badges { " " span.badge { (badge.words) } }
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

/// Shorter run times, in milliseconds, are not shown.
const SHORTEST: u64 = 100;

/// The name of a tool; an MCP tool's includes its server.
fn name(tool: &str) -> Markup {
    let name = clean_line(tool);
    match split_mcp(&name) {
        Some((server, tool)) => html! { b { span.server { (text(server)) } " " (text(tool)) } },
        None if name.trim().is_empty() => html! { b { "?" } },
        None => html! { b { (text(&name)) } },
    }
}

/// The subject of a call; a path is relative to the project.
fn subject<'c>(project: &str, call: &'c Call) -> &'c str {
    let is_path = call.nature().has_path;
    let subject = &*call.subject;
    let inside = human::path_below(subject, project);
    inside.filter(|rest| is_path && !project.is_empty() && !rest.is_empty()).unwrap_or(subject)
}

/// A special property of a call, in a word or two.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Badge {
    /// The keys of the facts that it stands for.
    keys: &'static [&'static str],
    words: &'static str,
}

/// The badges on the summary line of a call.
const BADGES: [Badge; 3] = [
    Badge { keys: &["userModified"], words: "changed by the user" },
    Badge { keys: &["replace_all", "replaceAll"], words: "replace all" },
    Badge { keys: &["truncated", "truncatedByTokenCap", "appliedLimit"], words: "truncated" },
];

impl Badge {
    /// Whether a fact says no more than the badge.
    fn is_said_by(&self, section: &Section<'_>) -> bool {
        matches!(section.body, Body::Fact(content::section::Value::Flag(true)))
            && self.keys.contains(&section.label.key)
    }
}

fn badges(call: &Call, sections: &CallSections<'_>) -> Vec<Badge> {
    let background = (call.state == CallState::Background).then_some(Badge { keys: &[], words: "background" });
    let is_so =
        |badge: &Badge| sections.all().any(|section| badge.keys.iter().any(|key| section::is_set(section, key)));
    background.into_iter().chain(BADGES.into_iter().filter(is_so)).collect()
}

/// The outcome of a call, as far as its badges do not say it. A call that did not succeed always states it.
fn outcome<'c>(call: &'c Call, badges: &[Badge]) -> Cow<'c, str> {
    let outcome = &*call.outcome;
    let is_badge = |part: &str| badges.iter().any(|badge| badge.words == part);
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
    if call.state == CallState::Background { "" } else { call.state.note() }.into()
}

#[cfg(test)]
mod tests;
