//! Calls and their results.

use std::sync::Arc;

use format::block::{Block, Call as CallBlock, ToolResultBlock};
use format::entry::User;
use format::id::ToolUseId;
use format::tool::{Calls, Structured, ToolInput, ToolResult, TypedResult, read_result};
use format::{PieceRole, Raw, Scope, Scratch, Text};

use super::agents::LaneId;
use super::node::NodeId;
use super::{Reader, StoryBuilder};
use crate::describe::call::{got_status, got_subject, made, outcome, subject, terms, update_subject};
use crate::key::Key;
use crate::place::{BlockPlace, LineId};
use crate::preview::preview;
use crate::step::{Call, CallState, CallTerms, Duration, Millis, Orphan, Severity, StepId, StepKind};
use crate::tasks::{TaskChange, TaskEvent, TaskStatus};

/// The result of a call.
struct Answer<'r> {
    place: BlockPlace,
    at: Option<Millis>,
    read: &'r TypedResult<'r>,
    block: Option<&'r ToolResultBlock<'r>>,
    user: Option<&'r User<'r>>,
}

/// What a call did to the list of tasks.
#[derive(Default)]
struct ListChange {
    tasks: Box<[TaskChange]>,
    /// The subject of the call, if only the list knows the task that it is about.
    subject: Option<Box<str>>,
}

impl StoryBuilder {
    /// Adds a call. A known call is a copy: in a growing message, the later one is more complete.
    pub(super) fn call(
        &mut self,
        node: NodeId,
        place: BlockPlace,
        call: CallBlock<'_>,
        (input, json): (Option<&ToolInput<'_>>, Option<Raw<'_>>),
        calls: &Calls,
    ) -> Option<StepId> {
        let tool = self.tool(call.tool.map_or("", Text::as_str));
        let mut call_step = Call {
            id: call.id.map_or("", |id| id.as_str()).into(),
            tool: Arc::clone(&tool),
            subject: input.map_or_else(Box::default, subject),
            state: CallState::Pending,
            severity: Severity::Normal,
            outcome: Box::default(),
            change: None,
            duration: None,
            terms: input.map_or_else(CallTerms::default, terms),
            result: None,
            ended: None,
            user_said: None,
            tasks: Box::default(),
            thread: None,
        };
        let Some(id) = call.id else { return Some(self.add_step(node, place, StepKind::Call(Box::new(call_step)))) };
        let key = Key::of(id.as_str());
        if let Some(earlier) = self.calls.get(&key).copied() {
            self.change_step(earlier, |step| {
                if let StepKind::Call(call) = &mut step.kind
                    && call.subject.len() < call_step.subject.len()
                    // The answer has named the task.
                    && !(call.result.is_some() && matches!(input, Some(ToolInput::TaskUpdate(_))))
                {
                    call.subject = call_step.subject;
                    call.terms = call_step.terms;
                    step.place = place;
                }
            });
            return None;
        }
        if let Some(ToolInput::TaskUpdate(update)) = input {
            let lane = self.lane_at(node);
            let tasks = self.tasks(lane).map(|tasks| &*tasks);
            let name = update.task_id.and_then(|id| tasks?.subject_of(id.as_str()));
            call_step.subject = update_subject(update, name.unwrap_or_default(), false);
        }
        let step = self.add_step(node, place, StepKind::Call(Box::new(call_step)));
        self.calls.insert(key, step);
        self.link_input(step, input);
        if matches!(input, Some(ToolInput::TodoWrite(_) | ToolInput::TaskCreate(_) | ToolInput::TaskUpdate(_))) {
            // The name is one of the table, which need no escapes.
            let json = format!(r#"{{"type":"tool_use","name":"{tool}","input":{}}}"#, json.map_or("{}", Raw::as_json));
            self.task_calls.insert(key, json.into());
        }
        match self.orphans.remove(&key) {
            Some(orphan) => self.pair_early(step, orphan),
            None => calls.open(id, tool),
        }
        Some(step)
    }

    /// The result came before the call: its one-line description is all that is known until its line is read again.
    fn pair_early(&mut self, step: StepId, orphan: StepId) {
        let found = self.story.step(orphan).map(|step| (step.place, step.at, step.kind.clone()));
        let Some((place, at, StepKind::Orphan(result))) = found else { return };
        self.absorbed.insert(orphan);
        self.changed.push(orphan);
        self.change_step(step, |step| {
            let started = step.at;
            if let StepKind::Call(call) = &mut step.kind {
                call.state = if result.failed { CallState::Failed } else { CallState::Done };
                call.severity = if result.failed { Severity::Error } else { Severity::Normal };
                call.outcome = result.preview;
                call.result = Some(place);
                call.ended = at;
                call.duration = lasted(call, None, between(started, at));
            }
        });
    }

    /// Pairs a result with its call. Returns the place of the result that the call already has, if any.
    pub(super) fn result(
        &mut self,
        node: NodeId,
        place: BlockPlace,
        block: &ToolResultBlock<'_>,
        structured: Option<Structured<'_>>,
        user: Option<&User<'_>>,
        reader: &Reader,
    ) -> Option<BlockPlace> {
        let at = self.nodes.get(node.index()).and_then(super::Node::at);
        let id = block.tool_use_id.map_or("", |id| id.as_str());
        let key = Key::of(id);
        let call = if id.is_empty() { None } else { self.calls.get(&key).copied() };
        let tool = block.tool_use_id.and_then(|id| reader.calls.close(id));
        let tool = tool.or_else(|| self.tool_of(call?));
        let read = read_result(tool.as_deref(), structured, Some(block), &reader.scratch);
        let Some(call) = call else {
            let outcome = outcome(None, &read, Some(block), user);
            let failed = outcome.severity == Severity::Error;
            let orphan = StepKind::Orphan(Box::new(Orphan { id: id.into(), preview: outcome.preview, failed }));
            let step = self.add_step(node, place, orphan);
            if !id.is_empty() {
                self.orphans.entry(key).or_insert(step);
            }
            return None;
        };
        if let Some(earlier) = self.result_of(call) {
            return Some(earlier);
        }
        let change = self.change_tasks(self.lane_at(node), block.tool_use_id, &read.result);
        let (tasks, subject) = (change.tasks, change.subject);
        self.answer(call, tasks, &Answer { place, at, read: &read, block: Some(block), user });
        if let Some(subject) = subject {
            self.change_step(call, |step| {
                let StepKind::Call(call) = &mut step.kind else { return };
                call.subject = subject;
            });
        }
        None
    }

    fn lane_at(&self, node: NodeId) -> LaneId {
        self.nodes.get(node.index()).map_or(LaneId::MAIN, |node| node.lane)
    }

    /// Replaces the result of a call with the same result in a better place.
    pub(super) fn answer_again(
        &mut self,
        (from, to): (LineId, BlockPlace),
        at: Option<Millis>,
        block: &ToolResultBlock<'_>,
        structured: Option<Structured<'_>>,
        (user, reader): (&User<'_>, &Reader),
    ) {
        let call = block.tool_use_id.and_then(|id| self.calls.get(&Key::of(id.as_str())).copied());
        let Some(call) = call.filter(|call| self.result_of(*call).is_some_and(|place| place.line == from)) else {
            return;
        };
        let read = read_result(self.tool_of(call).as_deref(), structured, Some(block), &reader.scratch);
        let tasks = match self.story.step(call).map(|step| &step.kind) {
            Some(StepKind::Call(call)) => call.tasks.clone(),
            _ => Box::default(),
        };
        self.answer(call, tasks, &Answer { place: to, at, read: &read, block: Some(block), user: Some(user) });
    }

    /// The name of a tool, shared by all its calls.
    fn tool(&mut self, name: &str) -> Arc<str> {
        let shared = self.tools.entry(Key::of(name));
        Arc::clone(shared.or_insert_with(|| crate::preview::shortened(name, 80).into()))
    }

    fn tool_of(&self, call: StepId) -> Option<Arc<str>> {
        match &self.story.step(call)?.kind {
            StepKind::Call(call) => Some(Arc::clone(&call.tool)),
            _ => None,
        }
    }

    fn result_of(&self, call: StepId) -> Option<BlockPlace> {
        match &self.story.step(call)?.kind {
            StepKind::Call(call) => call.result,
            _ => None,
        }
    }

    /// Applies a call with its result to the tasks of its lane.
    fn change_tasks(&mut self, lane: LaneId, id: Option<ToolUseId<'_>>, result: &ToolResult<'_>) -> ListChange {
        let json = id.and_then(|id| self.task_calls.remove(&Key::of(id.as_str())));
        let (scratch, role) = (Scratch::default(), PieceRole { is_assistant: true, ..PieceRole::default() });
        let call = json.as_ref().and_then(|json| format::read_block(json.as_bytes(), role, &scratch, Scope::default()));
        let content = call.as_ref().and_then(|entry| entry.body.message()?.content.as_ref());
        let input = match content.and_then(|content| content.blocks().first()) {
            Some(Block::ToolUse(call)) => call.input.as_ref(),
            _ => None,
        };
        let Some(list) = self.tasks(lane) else { return ListChange::default() };
        let Some(ToolInput::TaskUpdate(update)) = input else {
            let tasks = list.apply(input, Some(result));
            let got = if let ToolResult::TaskGet(got) = result { got.task.as_ref() } else { None };
            return ListChange { tasks, subject: got.map(got_subject) };
        };
        let name = update.task_id.and_then(|id| list.subject_of(id.as_str())).unwrap_or_default().to_owned();
        let tasks = list.apply(input, Some(result));
        let has_status = tasks.iter().any(|change| !status_change(change).is_empty());
        ListChange { tasks, subject: Some(update_subject(update, &name, has_status)) }
    }

    fn answer(&mut self, step: StepId, tasks: Box<[TaskChange]>, answer: &Answer<'_>) {
        let tool = self.tool_of(step);
        let outcome = outcome(tool.as_deref(), answer.read, answer.block, answer.user);
        self.link_result(step, &answer.read.result);
        self.note_made(step, answer);
        self.change_step(step, |step| {
            let started = step.at;
            let StepKind::Call(call) = &mut step.kind else { return };
            let outcome = outcome.under(&call.terms);
            call.state = outcome.state;
            call.severity = outcome.severity;
            call.outcome = outcome.preview;
            call.change = outcome.change;
            call.user_said = outcome.user_said;
            call.result = Some(answer.place);
            call.ended = answer.at;
            let known = match (&answer.read.result, &*tasks) {
                (ToolResult::TaskUpdate(_), [change]) => status_change(change),
                // The subject names the task.
                (ToolResult::TaskGet(got), _) => got.task.as_ref().map(got_status).unwrap_or_default(),
                _ => String::new(),
            };
            if !known.is_empty() {
                call.outcome = preview(&known);
            }
            call.tasks = tasks;
            call.duration = lasted(call, outcome.measured_ms, between(started, answer.at));
        });
    }

    /// Records the commits and pull requests that a call made.
    fn note_made(&mut self, step: StepId, answer: &Answer<'_>) {
        let Some(StepKind::Call(call)) = self.story.step(step).map(|step| &step.kind) else { return };
        let made = made(&call.terms.git, answer.read);
        if !made.commits.is_empty() || !made.requests.is_empty() {
            let id = call.id.clone();
            self.known.made(&id, answer.at, made);
        }
    }

    /// The result of a tool that ran at the API.
    pub(super) fn server_result(&mut self, node: NodeId, place: BlockPlace, id: &str, failed: bool, said: &str) {
        let key = Key::of(id);
        let at = self.nodes.get(node.index()).and_then(super::Node::at);
        let Some(call) = self.calls.get(&key).copied() else {
            let orphan = Orphan { id: id.into(), preview: preview(said), failed };
            self.add_step(node, place, StepKind::Orphan(Box::new(orphan)));
            return;
        };
        self.change_step(call, |step| {
            let started = step.at;
            let StepKind::Call(call) = &mut step.kind else { return };
            call.state = if failed { CallState::Failed } else { CallState::Done };
            call.severity = if failed { Severity::Error } else { Severity::Normal };
            call.outcome = preview(said);
            call.result = Some(place);
            call.ended = at;
            call.duration = between(started, at);
        });
    }
}

/// The change of a task's status: `pending → in progress: Digging the beds`; empty if the status stayed.
fn status_change(change: &TaskChange) -> String {
    let active_form = change.active_form.as_deref().filter(|_| change.after == Some(TaskStatus::InProgress));
    match (change.before, change.after) {
        (Some(before), Some(after)) if before != after => {
            let words = format!("{} → {}", before.words(), after.words());
            match active_form {
                Some(active_form) => format!("{words}: {active_form}"),
                None => words,
            }
        }
        (_, None) => TaskEvent::Removed.words().to_owned(),
        (_, Some(_)) => String::new(),
    }
}

/// The time between two lines.
pub(super) fn between(started: Option<Millis>, ended: Option<Millis>) -> Option<Duration> {
    let millis = u64::try_from(ended? - started?).ok()?;
    Some(Duration { millis, waited: 0, measured: false })
}

/// The duration of a call that ended: the time that it ran, and the time that it waited for the user before.
///
/// Transcripts do not say how long a call waited for permission. What is certain is that a call ran no longer than the
/// tool measured or than its terms allow, and that a question or a rejected call did not run at all.
fn lasted(call: &Call, measured_ms: Option<u64>, between: Option<Duration>) -> Option<Duration> {
    let whole = between.map(|between| between.millis);
    let longest = if call.asks() || call.state == CallState::Rejected { Some(0) } else { call.terms.longest_ms };
    match (measured_ms, whole) {
        (Some(millis), whole) => {
            let more = whole.unwrap_or_default().saturating_sub(millis);
            let waited = if more >= SHORTEST_WAIT { more } else { 0 };
            Some(Duration { millis, waited, measured: true })
        }
        (None, Some(whole)) => {
            let millis = longest.map_or(whole, |longest| whole.min(longest.into()));
            Some(Duration { millis, waited: whole - millis, measured: false })
        }
        (None, None) => None,
    }
}

/// A shorter difference between the time that a tool measured and the time between the lines is not a wait for the
/// user, in milliseconds.
const SHORTEST_WAIT: u64 = 2000;
