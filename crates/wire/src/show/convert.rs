//! Converts the story to the document.

use format::tool::Family;
use human::Spent;
use story::readable::Moment;
use story::step::{self, PromptKind};
use story::{BlockPlace, StepId, Story};

use super::document::{Role, Source, Thread, ThreadWord, Turn};
use super::recall::{Read, Recall};
use super::step::{Call, CallResult, Compaction, Line, Prompt, PromptBy, Step, StepKind};
use crate::used::UsedOut;

/// Treats an empty text as missing.
fn said(text: &str) -> Option<&str> {
    Some(text).filter(|text| !text.is_empty())
}

impl<'a> Source<'a> {
    pub(super) fn new(label: &'a str, source: &'a story::Source) -> Self {
        let (role, agent, workflow) = match &source.role {
            story::Role::Main => (Role::Main, None, None),
            story::Role::Earlier => (Role::Earlier, None, None),
            story::Role::Agent { id, workflow } => (Role::Agent, said(id), workflow.as_deref()),
            story::Role::Journal(workflow) => (Role::Journal, None, said(workflow)),
            story::Role::Capture => (Role::Capture, None, None),
            story::Role::Elsewhere => (Role::Elsewhere, None, None),
            story::Role::Prompts => (Role::Prompts, None, None),
        };
        Self { label, role, session: said(&source.session), agent, workflow }
    }
}

impl<'a, T> Thread<'a, T> {
    pub(super) fn new(id: story::ThreadId, thread: &'a story::Thread, turns: T) -> Self {
        let (kind, agent) = match &thread.kind {
            story::ThreadKind::Main => (ThreadWord::Main, None),
            story::ThreadKind::Branch => (ThreadWord::Branch, None),
            story::ThreadKind::Agent(agent) => (ThreadWord::Agent, Some(&**agent)),
        };
        Self { id, kind, agent, origin: thread.origin, turns }
    }
}

impl<S> Turn<S> {
    pub(super) fn new(number: usize, turn: &story::Turn, used: Option<&Spent>, steps: S) -> Self {
        let (started, ended) = (turn.started.map(Moment), turn.ended.map(Moment));
        let &story::Turn { active_ms, waited_ms, state, .. } = turn;
        let usage = used.map(UsedOut::of_spent);
        Self { number, started, ended, active_ms, waited_ms, usage, state, steps }
    }
}

fn line(story: &Story, place: BlockPlace) -> Option<Line> {
    let span = story.span(place.line)?;
    Some(Line { source: span.source.number(), number: span.number, entry: place.entry, block: place.block })
}

/// Converts steps, with the texts that the level of detail includes.
pub(super) struct Steps<'a> {
    pub(super) story: &'a Story,
    pub(super) detail: story::Detail,
    pub(super) recall: Recall<'a>,
}

/// Why a text is missing: the first reason counts.
#[derive(Default)]
struct Missing(Option<String>);

impl Missing {
    fn note<T: Default>(&mut self, read: Read<T>) -> T {
        read.unwrap_or_else(|why| {
            self.0.get_or_insert(why);
            T::default()
        })
    }
}

impl<'a> Steps<'a> {
    /// A step with its texts.
    pub(super) fn step(&mut self, id: StepId, step: &'a story::Step) -> Step<'a> {
        let mut missing = Missing::default();
        let kind = self.kind(id, step, &mut missing);
        let raw = self.is_raw().then(|| missing.note(self.recall.raw(step.place).map(Some))).flatten();
        Step {
            id,
            kind,
            at: step.at.map(Moment),
            withdrawn: step.withdrawn,
            line: line(self.story, step.place),
            raw,
            text_error: missing.0,
        }
    }

    fn is_full(&self) -> bool {
        self.detail >= story::Detail::Full
    }

    fn is_raw(&self) -> bool {
        self.detail >= story::Detail::Raw
    }

    fn kind(&mut self, id: StepId, step: &'a story::Step, missing: &mut Missing) -> StepKind<'a> {
        let (place, is_full) = (step.place, self.is_full());
        let recall = &mut self.recall;
        match &step.kind {
            step::StepKind::Prompt(prompt) => {
                StepKind::Prompt(Prompt { text: missing.note(recall.prompt(place)), ..Prompt::from(&**prompt) })
            }
            step::StepKind::Reply(reply) => {
                StepKind::Reply { reply, text: missing.note(recall.speech(place, reply.partial)) }
            }
            step::StepKind::Thinking(thinking) => {
                StepKind::Thinking { thinking, text: missing.note(recall.speech(place, thinking.partial)) }
            }
            step::StepKind::Call(call) => StepKind::Call(Box::new(self.call(step, call, missing))),
            step::StepKind::Output(output) => {
                let text = is_full.then(|| missing.note(recall.output(id, step))).flatten();
                StepKind::Output { output, text }
            }
            step::StepKind::Notice(notice) => {
                let (text, attachment) =
                    if is_full { missing.note(recall.notice(place, notice.kind)) } else { Default::default() };
                StepKind::Notice { notice, text, attachment }
            }
            step::StepKind::Context(context) => {
                let (text, attachment) =
                    if is_full { missing.note(recall.context(id, step)) } else { Default::default() };
                StepKind::Context { context, text, attachment }
            }
            step::StepKind::Compaction(compaction) => StepKind::Compaction(self.compaction(place, compaction, missing)),
            step::StepKind::Joint(joint) => StepKind::Joint(joint),
            step::StepKind::Outcome(outcome) => {
                let (text, structured_output) =
                    if is_full { missing.note(recall.outcome(place)) } else { Default::default() };
                StepKind::Outcome { outcome, text, structured_output }
            }
            step::StepKind::Orphan(orphan) => {
                let result = is_full.then(|| missing.note(recall.result(place).map(Some))).flatten();
                StepKind::Orphan { orphan, result }
            }
            step::StepKind::Unknown(name) => StepKind::Unknown { name },
        }
    }

    fn call(&mut self, step: &'a story::Step, call: &'a step::Call, missing: &mut Missing) -> Call<'a> {
        let place = step.place;
        let (mut input, mut result) = (None, None::<CallResult>);
        if self.is_full() {
            input = missing.note(self.recall.input(place));
            result = call.result.and_then(|place| missing.note(self.recall.result(place).map(Some)));
        }
        if let (true, Some(place), Some(result)) = (self.is_raw(), call.result, &mut result) {
            result.raw = missing.note(self.recall.raw(place).map(Some));
        }
        let is_shell = self.is_full() && call.nature().family == Family::Shell;
        Call {
            call,
            chapter: call.chapter(),
            duration_ms: call.duration.map(|duration| duration.millis),
            duration_measured: call.duration.is_some_and(|duration| duration.measured),
            waited_ms: call.duration.map(|duration| duration.waited),
            human_words: if call.has_human_words() { self.recall.human_words(step, call) } else { Vec::new() },
            input,
            streams: is_shell.then(|| self.recall.streams(step, call)).flatten(),
            result_line: call.result.and_then(|place| line(self.story, place)),
            result,
        }
    }

    fn compaction(&mut self, place: BlockPlace, of: &'a step::Compaction, missing: &mut Missing) -> Compaction<'a> {
        let is_apart = of.summary.filter(|summary| (summary.line, summary.entry) != (place.line, place.entry));
        Compaction {
            trigger: of.trigger,
            extent: of.extent,
            tokens_before: of.tokens_before,
            tokens_after: of.tokens_after,
            preserved: of.preserved,
            preview: said(&of.preview),
            summary: missing.note(self.recall.summary(of.summary.unwrap_or(place))),
            summary_line: of.summary.and_then(|place| line(self.story, place)),
            summary_raw: is_apart
                .filter(|_| self.is_raw())
                .and_then(|place| missing.note(self.recall.raw(place).map(Some))),
        }
    }
}

impl<'a> From<&'a step::Prompt> for Prompt<'a> {
    fn from(prompt: &'a step::Prompt) -> Self {
        let no_more = (None, None, None, None, None);
        let (by, (command, args, from, task, task_status)) = match &prompt.kind {
            PromptKind::Typed => (PromptBy::Typed, no_more),
            PromptKind::Command { name, args } => (PromptBy::Command, (said(name), said(args), None, None, None)),
            PromptKind::Bash => (PromptBy::Bash, no_more),
            PromptKind::Memory => (PromptBy::Memory, no_more),
            PromptKind::Plan => (PromptBy::Plan, no_more),
            PromptKind::Notification { task, status } => {
                (PromptBy::Notification, (None, None, None, said(task), said(status)))
            }
            PromptKind::Scheduled => (PromptBy::Scheduled, no_more),
            PromptKind::Teammate(from) => (PromptBy::Teammate, (None, None, said(from), None, None)),
            PromptKind::Peer(from) => (PromptBy::Peer, (None, None, said(from), None, None)),
            PromptKind::Channel(from) => (PromptBy::Channel, (None, None, said(from), None, None)),
            PromptKind::Parent => (PromptBy::Parent, no_more),
            PromptKind::Program => (PromptBy::Program, no_more),
        };
        Self {
            by,
            delivery: prompt.delivery,
            preview: &prompt.preview,
            text: None,
            command,
            args,
            from,
            task,
            task_status,
            images: &prompt.images,
            thread: prompt.thread,
        }
    }
}
