//! From the story to the document.

use story::step::{self, PromptKind};
use story::tasks::TaskChange;
use story::{Place, StepId, Story};

use super::document::{
    Accounting, Agent, Counts, Link, Origin, Role, Session, Source, Task, Thread, ThreadKind, Title, Turn,
};
use super::moment::Moment;
use super::recall::{Read, Recall};
use super::step::{
    Call, CallResult, Compaction, Context, Joint, Line, LineChange, Notice, Orphan, Outcome, Output, Prompt, PromptBy,
    Reply, Step, StepKind, Thinking, Unknown,
};

fn texts(texts: &[Box<str>]) -> Vec<String> {
    texts.iter().map(ToString::to_string).collect()
}

fn text(text: Option<&str>) -> Option<String> {
    text.map(str::to_owned)
}

/// A text that is empty is not there.
fn said(text: &str) -> Option<String> {
    (!text.is_empty()).then(|| text.to_owned())
}

impl From<&story::Facts> for Session {
    fn from(facts: &story::Facts) -> Self {
        Self {
            id: facts.id.to_string(),
            title: facts
                .title
                .as_ref()
                .map(|title| Title { text: title.text.to_string(), source: title.source.into() }),
            project: text(facts.project.as_deref()),
            other_folders: texts(&facts.other_folders),
            branch: text(facts.branch.as_deref()),
            models: texts(&facts.models),
            versions: texts(&facts.versions),
            entrypoint: text(facts.entrypoint.as_deref()),
            team: text(facts.team.as_deref()),
            first: facts.first.and_then(Moment::new),
            last: facts.last.and_then(Moment::new),
            active_ms: facts.active_ms,
            waiting_ms: facts.waiting_ms,
            counts: facts.counts.into(),
            state: facts.state.map(Into::into),
            links: facts.links.iter().map(Link::from).collect(),
            usage: None,
            continued_in: text(facts.continued_in.as_deref()),
        }
    }
}

impl From<story::Counts> for Counts {
    fn from(counts: story::Counts) -> Self {
        let story::Counts { turns, prompts, replies, calls, failed, agents, branches, compactions } = counts;
        Self { turns, prompts, replies, calls, failed, agents, branches, compactions }
    }
}

impl From<&story::Link> for Link {
    fn from(link: &story::Link) -> Self {
        Self { kind: link.kind.into(), title: link.title.to_string(), url: said(&link.url) }
    }
}

impl Source {
    pub(super) fn new(label: &str, source: &story::Source) -> Self {
        let (role, agent, workflow) = match &source.role {
            story::Role::Main => (Role::Main, None, None),
            story::Role::Agent { id, workflow } => (Role::Agent, said(id), text(workflow.as_deref())),
            story::Role::Journal(workflow) => (Role::Journal, None, said(workflow)),
            story::Role::Capture => (Role::Capture, None, None),
            story::Role::Elsewhere => (Role::Elsewhere, None, None),
        };
        Self { label: label.to_owned(), role, session: said(&source.session), agent, workflow }
    }
}

impl From<&story::tasks::Task> for Task {
    fn from(task: &story::tasks::Task) -> Self {
        Self {
            id: text(task.id.as_deref()),
            subject: task.subject.to_string(),
            status: task.status.into(),
            owner: text(task.owner.as_deref()),
        }
    }
}

impl From<story::Accounting> for Accounting {
    fn from(accounting: story::Accounting) -> Self {
        let story::Accounting { lines, told, bookkeeping, duplicate, malformed, unknown } = accounting;
        Self { lines, told, bookkeeping, duplicate, malformed, unknown }
    }
}

impl<T> Thread<T> {
    pub(super) fn new(id: story::ThreadId, thread: &story::Thread, turns: T) -> Self {
        let (kind, agent) = match &thread.kind {
            story::ThreadKind::Main => (ThreadKind::Main, None),
            story::ThreadKind::Branch => (ThreadKind::Branch, None),
            story::ThreadKind::Agent(agent) => (ThreadKind::Agent, Some(Agent::from(&**agent))),
        };
        let origin =
            thread.origin.map(|origin| Origin { thread: origin.thread.index(), step: origin.step.map(StepId::index) });
        Self { id: id.index(), kind, agent, origin, turns }
    }
}

impl From<&story::Agent> for Agent {
    fn from(agent: &story::Agent) -> Self {
        Self {
            id: said(&agent.id),
            agent_type: text(agent.agent_type.as_deref()),
            description: text(agent.description.as_deref()),
            name: text(agent.name.as_deref()),
            workflow: text(agent.workflow.as_deref()),
            teammate: agent.teammate,
            hidden: agent.hidden,
        }
    }
}

impl<S> Turn<S> {
    pub(super) fn new(number: usize, turn: &story::Turn, steps: S) -> Self {
        Self {
            number,
            started: turn.started.and_then(Moment::new),
            ended: turn.ended.and_then(Moment::new),
            state: turn.state.into(),
            steps,
        }
    }
}

fn line(story: &Story, place: Place) -> Option<Line> {
    let span = story.span(place.line)?;
    Some(Line { source: span.source.number(), number: span.number, entry: place.entry, block: place.block })
}

/// Tells steps with as much of their texts as is wanted.
pub(super) struct Steps<'a> {
    pub(super) story: &'a Story,
    pub(super) detail: story::Detail,
    pub(super) recall: Recall<'a>,
}

/// Why a text is not there: the first reason counts.
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

impl Steps<'_> {
    /// Tells a step.
    pub(super) fn tell(&mut self, id: StepId, step: &story::Step) -> Step {
        let mut missing = Missing::default();
        let kind = self.kind(id, step, &mut missing);
        let raw = self.is_raw().then(|| missing.note(self.recall.raw(step.place).map(Some))).flatten();
        Step {
            id: id.index(),
            kind,
            at: step.at.and_then(Moment::new),
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

    fn kind(&mut self, id: StepId, step: &story::Step, missing: &mut Missing) -> StepKind {
        let (place, is_full) = (step.place, self.is_full());
        let recall = &mut self.recall;
        match &step.kind {
            step::StepKind::Prompt(prompt) => {
                StepKind::Prompt(Prompt { text: missing.note(recall.prompt(place)), ..Prompt::from(&**prompt) })
            }
            step::StepKind::Reply(reply) => StepKind::Reply(Reply {
                preview: reply.preview.to_string(),
                length: reply.length,
                partial: reply.partial,
                text: missing.note(recall.speech(place, reply.partial)),
            }),
            step::StepKind::Thinking(thinking) => StepKind::Thinking(Thinking {
                length: thinking.length,
                partial: thinking.partial,
                text: missing.note(recall.speech(place, thinking.partial)),
            }),
            step::StepKind::Call(call) => StepKind::Call(Box::new(self.call(place, call, missing))),
            step::StepKind::Output(output) => StepKind::Output(Output {
                is_error: output.is_error,
                preview: output.preview.to_string(),
                text: is_full.then(|| missing.note(recall.output(id, step))).flatten(),
            }),
            step::StepKind::Notice(notice) => {
                let (text, attachment) = if is_full { missing.note(recall.notice(place)) } else { Default::default() };
                StepKind::Notice(Notice {
                    about: notice.kind.into(),
                    severity: notice.severity.into(),
                    preview: notice.text.to_string(),
                    times: notice.times,
                    text,
                    attachment,
                })
            }
            step::StepKind::Context(context) => {
                let (text, attachment) =
                    if is_full { missing.note(recall.context(id, step)) } else { Default::default() };
                let preview = context.preview.to_string();
                StepKind::Context(Context { about: context.kind.into(), preview, text, attachment })
            }
            step::StepKind::Compaction(compaction) => StepKind::Compaction(self.compaction(place, compaction, missing)),
            step::StepKind::Joint(joint) => {
                StepKind::Joint(Joint { session: joint.session.to_string(), entries: joint.entries })
            }
            step::StepKind::Outcome(outcome) => {
                let (text, structured_output) =
                    if is_full { missing.note(recall.outcome(place)) } else { Default::default() };
                StepKind::Outcome(Box::new(Outcome { text, structured_output, ..Outcome::from(&**outcome) }))
            }
            step::StepKind::Orphan(orphan) => StepKind::Orphan(Orphan {
                tool_use_id: said(&orphan.id),
                preview: orphan.preview.to_string(),
                failed: orphan.failed,
                result: is_full.then(|| missing.note(recall.result(place).map(Some))).flatten(),
            }),
            step::StepKind::Unknown(name) => StepKind::Unknown(Unknown { name: name.to_string() }),
        }
    }

    fn call(&mut self, place: Place, call: &step::Call, missing: &mut Missing) -> Call {
        let mut told = Call::from(call);
        told.result_line = call.result.and_then(|place| line(self.story, place));
        if self.is_full() {
            told.input = missing.note(self.recall.input(place));
            told.result = call.result.and_then(|place| missing.note(self.recall.result(place).map(Some)));
        }
        if let (true, Some(place), Some(result)) = (self.is_raw(), call.result, &mut told.result) {
            result.raw = missing.note(self.recall.raw(place).map(Some));
        }
        told
    }

    fn compaction(&mut self, place: Place, told: &step::Compaction, missing: &mut Missing) -> Compaction {
        let is_apart = told.summary.filter(|summary| (summary.line, summary.entry) != (place.line, place.entry));
        Compaction {
            trigger: told.trigger.into(),
            extent: told.extent.into(),
            tokens_before: told.tokens_before,
            tokens_after: told.tokens_after,
            preserved: told.preserved,
            preview: said(&told.preview),
            summary: missing.note(self.recall.summary(told.summary.unwrap_or(place))),
            summary_line: told.summary.and_then(|place| line(self.story, place)),
            summary_raw: is_apart
                .filter(|_| self.is_raw())
                .and_then(|place| missing.note(self.recall.raw(place).map(Some))),
        }
    }
}

impl From<&step::Prompt> for Prompt {
    fn from(prompt: &step::Prompt) -> Self {
        let mut told = Self {
            by: PromptBy::Typed,
            delivery: prompt.delivery.into(),
            preview: prompt.preview.to_string(),
            text: None,
            command: None,
            args: None,
            from: None,
            task: None,
            task_status: None,
            images: prompt.images.to_vec(),
            thread: prompt.thread.map(story::ThreadId::index),
        };
        told.by = match &prompt.kind {
            PromptKind::Typed => PromptBy::Typed,
            PromptKind::Command { name, args } => {
                (told.command, told.args) = (said(name), said(args));
                PromptBy::Command
            }
            PromptKind::Bash => PromptBy::Bash,
            PromptKind::Memory => PromptBy::Memory,
            PromptKind::Plan => PromptBy::Plan,
            PromptKind::Notification { task, status } => {
                (told.task, told.task_status) = (said(task), said(status));
                PromptBy::Notification
            }
            PromptKind::Scheduled => PromptBy::Scheduled,
            PromptKind::Teammate(from) => {
                told.from = said(from);
                PromptBy::Teammate
            }
            PromptKind::Peer(from) => {
                told.from = said(from);
                PromptBy::Peer
            }
            PromptKind::Channel(from) => {
                told.from = said(from);
                PromptBy::Channel
            }
            PromptKind::Parent => PromptBy::Parent,
            PromptKind::Program => PromptBy::Program,
        };
        told
    }
}

impl From<&step::Call> for Call {
    fn from(call: &step::Call) -> Self {
        Self {
            tool_use_id: said(&call.id),
            tool: call.tool.to_string(),
            subject: call.subject.to_string(),
            state: call.state.into(),
            severity: call.severity.into(),
            outcome: said(&call.outcome),
            change: call.change.map(|change| LineChange { added: change.added, removed: change.removed }),
            duration_ms: call.duration.map(|duration| duration.millis),
            duration_measured: call.duration.is_some_and(|duration| duration.measured),
            ended: call.ended.and_then(Moment::new),
            user_said: text(call.user_said.as_deref()),
            tasks: call.tasks.iter().map(super::step::TaskChange::from).collect(),
            thread: call.thread.map(story::ThreadId::index),
            input: None,
            result_line: None,
            result: None::<CallResult>,
        }
    }
}

impl From<&TaskChange> for super::step::TaskChange {
    fn from(change: &TaskChange) -> Self {
        let (before, after) = (change.before.map(Into::into), change.after.map(Into::into));
        Self { subject: change.subject.to_string(), before, after }
    }
}

impl From<&step::RunOutcome> for Outcome {
    fn from(outcome: &step::RunOutcome) -> Self {
        Self {
            outcome: outcome.kind.to_string(),
            is_error: outcome.is_error,
            preview: outcome.preview.to_string(),
            text: None,
            structured_output: None,
            // Infinity has no form in JSON.
            cost_usd: outcome.cost_usd.filter(|cost| cost.is_finite()),
            duration_ms: outcome.duration_ms,
            model_turns: outcome.turns,
            denied: texts(&outcome.denied),
            errors: texts(&outcome.errors),
        }
    }
}
