//! Prompts: their words, their sender, and how they were delivered.

use maud::{Markup, html};
use story::Step;
use story::step::{Delivery, Prompt, PromptKind};

use super::Frame;
use crate::section::{self, Around};
use crate::text;
use content::section::{Body, Section};

pub(super) fn prompt(step: &Step, prompt: &Prompt, shown: &[Section<'_>], frame: Frame<'_>) -> Markup {
    let has_images = shown.iter().any(|part| matches!(part.body, Body::Image(_)));
    html! {
        div.step.prompt id=(frame.anchor) data-level=(frame.level) data-kind="prompt" data-from=(from(&prompt.kind))
            data-delivery=[delivery(prompt.delivery)] data-withdrawn[step.withdrawn] {
            (note(step, prompt, frame.thread))
            @if let Some((words, rest)) = shown.split_first() {
                (said(prompt, words))
                (section::all(rest, Around::default()))
            }
            @if !has_images {
                @for number in &prompt.images {
                    p.image-mark { @match number { 1.. => { "[image " (number) "]" }, _ => "[image]" } }
                }
            }
        }
    }
}

/// The words of a prompt, as typed.
fn said(prompt: &Prompt, part: &Section<'_>) -> Markup {
    match (&part.body, &prompt.kind) {
        (Body::Words(words), PromptKind::Command { name, .. }) => {
            let args = words.strip_prefix(&**name);
            let name = args.map(|_| name);
            html! {
                div.words {
                    @if let Some(name) = name { code.command { (text(name)) } }
                    (text(args.unwrap_or(words)))
                }
            }
        }
        (Body::Words(words), _) => html! { div.words { (text(words)) } },
        _ => section::section(part, Around::default()),
    }
}

/// The sender and the delivery, unless the user typed the prompt and it was sent at once.
fn note(step: &Step, prompt: &Prompt, thread: Option<&Markup>) -> Markup {
    let from = match &prompt.kind {
        PromptKind::Typed | PromptKind::Command { .. } | PromptKind::Bash => html! {},
        PromptKind::Memory => html! { "to remember" },
        PromptKind::Plan => html! { "a plan to carry out" },
        PromptKind::Notification { task, status } => html! { "task " code { (text(task)) } " " (text(status)) },
        PromptKind::Scheduled => html! { "scheduled" },
        PromptKind::Teammate(name) => html! { "teammate " (text(name)) },
        PromptKind::Peer(name) => html! { "from " (text(name)) },
        PromptKind::Channel(name) => html! { "channel " (text(name)) },
        PromptKind::Parent => html! { "asked by its parent" },
        PromptKind::Program => html! { "asked by the program" },
    };
    let delivery = match prompt.delivery {
        Delivery::Direct => "",
        Delivery::Queued => "queued",
        Delivery::Steering => "said in between",
        Delivery::Undelivered => "never sent",
    };
    let taken_back = if step.withdrawn { "taken back" } else { "" };
    let parts = [from, html! { (delivery) }, thread.cloned().unwrap_or_default(), html! { (taken_back) }];
    let parts: Vec<&Markup> = parts.iter().filter(|part| !part.0.is_empty()).collect();
    html! {
        @if !parts.is_empty() {
            p.note { @for (number, part) in parts.into_iter().enumerate() { @if number > 0 { " · " } (part) } }
        }
    }
}

fn from(kind: &PromptKind) -> &'static str {
    match kind {
        PromptKind::Typed => "typed",
        PromptKind::Command { .. } => "command",
        PromptKind::Bash => "bash",
        PromptKind::Memory => "memory",
        PromptKind::Plan => "plan",
        PromptKind::Notification { .. } => "notification",
        PromptKind::Scheduled => "scheduled",
        PromptKind::Teammate(_) => "teammate",
        PromptKind::Peer(_) => "peer",
        PromptKind::Channel(_) => "channel",
        PromptKind::Parent => "parent",
        PromptKind::Program => "program",
    }
}

fn delivery(delivery: Delivery) -> Option<&'static str> {
    match delivery {
        Delivery::Direct => None,
        Delivery::Queued => Some("queued"),
        Delivery::Steering => Some("steering"),
        Delivery::Undelivered => Some("undelivered"),
    }
}
