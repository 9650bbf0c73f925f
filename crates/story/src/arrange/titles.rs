//! Titles that the steps of a story provide.

use crate::facts::{Title, TitleSource};
use crate::fold::is_command;
use crate::step::{Delivery, Prompt, PromptKind, StepKind};
use crate::story::Story;
use crate::thread::{Thread, ThreadKind};

/// The titles that the steps provide, one of each source.
pub(super) fn titles(story: &Story) -> Vec<Title> {
    let title = |source: TitleSource| move |text: Box<str>| Title { text, source };
    let main = || story.threads.iter().filter(|thread| thread.kind == ThreadKind::Main);
    let first = |named: fn(&Prompt) -> Option<Box<str>>| {
        main().flat_map(|thread| prompts(story, thread)).find_map(named).filter(|text| !text.is_empty())
    };
    [
        first(typed).map(title(TitleSource::FirstPrompt)),
        main().find_map(|thread| command(story, thread)).map(title(TitleSource::Command)),
        first(task).or_else(|| agent_task(story)).map(title(TitleSource::Task)),
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// The prompts of a thread that reached the model.
fn prompts<'s>(story: &'s Story, thread: &'s Thread) -> impl Iterator<Item = &'s Prompt> {
    thread.steps.iter().filter_map(|step| match &story.step(*step)?.kind {
        StepKind::Prompt(prompt) => Some(&**prompt).filter(|prompt| prompt.delivery != Delivery::Undelivered),
        _ => None,
    })
}

fn typed(prompt: &Prompt) -> Option<Box<str>> {
    let is_fit = prompt.kind == PromptKind::Typed
        && !prompt.preview.is_empty()
        && format::text::known_tag(&prompt.preview).is_none()
        && !is_command(&prompt.preview);
    is_fit.then(|| prompt.preview.clone())
}

/// The first command that the model worked on; else the first one.
fn command(story: &Story, thread: &Thread) -> Option<Box<str>> {
    let mut first = None;
    for turn in &thread.turns {
        let steps = || story.steps(thread, turn).map(|(_, step)| &step.kind);
        let name = steps().find_map(|step| match step {
            StepKind::Prompt(prompt) => match &prompt.kind {
                PromptKind::Command { name, args } => Some(format!("{name} {args}").trim_end().into()),
                PromptKind::Typed if is_command(&prompt.preview) => Some(prompt.preview.clone()),
                _ => None,
            },
            _ => None,
        });
        let is_answered = || steps().any(|step| matches!(step, StepKind::Reply(_) | StepKind::Call(_)));
        match name {
            Some(name) if is_answered() => return Some(name),
            Some(name) => first = first.or(Some(name)),
            None => {}
        }
    }
    first
}

fn task(prompt: &Prompt) -> Option<Box<str>> {
    match prompt.kind {
        PromptKind::Teammate(_)
        | PromptKind::Peer(_)
        | PromptKind::Channel(_)
        | PromptKind::Scheduled
        | PromptKind::Parent => Some(prompt.preview.clone()).filter(|text| !text.is_empty()),
        PromptKind::Typed
        | PromptKind::Command { .. }
        | PromptKind::Bash
        | PromptKind::Memory
        | PromptKind::Plan
        | PromptKind::Notification { .. }
        | PromptKind::Program => None,
    }
}

/// The task of the first agent, for a session of which only agents are left.
fn agent_task(story: &Story) -> Option<Box<str>> {
    story.threads.iter().find_map(|thread| match &thread.kind {
        ThreadKind::Agent(agent) if !agent.hidden => {
            agent.description.clone().or_else(|| prompts(story, thread).find_map(task))
        }
        ThreadKind::Agent(_) | ThreadKind::Main | ThreadKind::Branch => None,
    })
}
