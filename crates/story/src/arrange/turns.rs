//! Divides threads into turns and derives times, states and counts.

use super::titles::titles;
use crate::facts::Counts;
use crate::fold::StoryBuilder;
use crate::source::Remnant;
use crate::step::{CallState, Delivery, Extent, Millis, NoticeKind, PromptKind, Severity, Step, StepId, StepKind};
use crate::thread::{Thread, ThreadKind, Turn, TurnState};

/// Divides threads into turns, and settles the state of calls without a result.
pub(super) fn divide(builder: &mut StoryBuilder, mut threads: Vec<Thread>) -> Vec<Thread> {
    let ends = ends_of_agents(builder, &threads);
    for (id, thread) in threads.iter_mut().enumerate() {
        let mut bounds = starts(builder, &thread.steps);
        bounds.push(thread.steps.len());
        let ranges: Vec<_> = bounds.windows(2).filter_map(|pair| Some(*pair.first()?..*pair.last()?)).collect();
        let last = ranges.len().saturating_sub(1);
        for (number, range) in ranges.into_iter().enumerate() {
            let steps = thread.steps.get(range.clone()).unwrap_or_default();
            let ended = ends.get(id).copied().flatten();
            let goes_on = || steps.iter().filter_map(|step| last_moment(builder.story.step(*step)?)).max() > ended;
            let is_open = number == last
                && thread.kind != ThreadKind::Branch
                && builder.story.remnant() != Some(Remnant::Prompts)
                && (ended.is_none() || goes_on());
            let turn = turn(builder, steps, range, is_open, number == last);
            thread.turns.push(turn);
        }
    }
    threads
}

/// When the agents of threads ended, according to the call that started them or to a notification.
fn ends_of_agents(builder: &StoryBuilder, threads: &[Thread]) -> Vec<Option<Millis>> {
    let mut ends = vec![None; threads.len()];
    for step in builder.links.linked.iter().filter_map(|step| builder.story.step(*step)) {
        let StepKind::Prompt(prompt) = &step.kind else { continue };
        let has_ended =
            matches!(&prompt.kind, PromptKind::Notification { status, .. } if !matches!(&**status, "" | "running"));
        if let Some(end) = prompt.thread.filter(|_| has_ended).and_then(|thread| ends.get_mut(thread.index())) {
            *end = step.at.max(*end);
        }
    }
    for (thread, end) in threads.iter().zip(&mut ends) {
        let call = thread.origin.filter(|_| thread.kind != ThreadKind::Branch).and_then(|origin| origin.step);
        if let Some(StepKind::Call(call)) = call.and_then(|call| builder.story.step(call)).map(|step| &step.kind)
            && call.state != CallState::Background
        {
            *end = call.ended.max(*end);
        }
    }
    ends
}

/// Where turns begin. The first one includes everything before the first prompt, unless the model already worked there.
fn starts(builder: &StoryBuilder, steps: &[StepId]) -> Vec<usize> {
    let mut starts = Vec::new();
    let (mut has_worked, mut is_over) = (false, false);
    for (at, step) in steps.iter().enumerate() {
        let Some(step) = builder.story.step(*step) else { continue };
        let works = matches!(step.kind, StepKind::Reply(_) | StepKind::Thinking(_) | StepKind::Call(_));
        // A stream may lack prompts, but states when a turn has ended.
        if step.begins_turn() || is_over && works {
            let is_first = starts.is_empty() && !has_worked;
            starts.push(if is_first { 0 } else { at });
            is_over = false;
        }
        has_worked |= works || matches!(step.kind, StepKind::Compaction(_) | StepKind::Orphan(_));
        is_over |= matches!(step.kind, StepKind::Outcome(_));
    }
    if starts.first() != Some(&0) && !steps.is_empty() {
        starts.insert(0, 0);
    }
    starts
}

fn turn(
    builder: &mut StoryBuilder,
    steps: &[StepId],
    range: std::ops::Range<usize>,
    is_open: bool,
    is_last: bool,
) -> Turn {
    let kinds = || steps.iter().filter_map(|step| builder.story.step(*step));
    let is_interrupted =
        |step: &Step| matches!(&step.kind, StepKind::Notice(notice) if notice.kind == NoticeKind::Interrupted);
    let interrupted = kinds().any(is_interrupted);
    let prompt = kinds().find(|step| step.begins_turn()).and_then(|step| step.at);
    let started = prompt.or_else(|| kinds().filter(|step| step.is_work()).chain(kinds()).find_map(|step| step.at));
    let ended = kinds().filter(|step| step.is_work()).filter_map(last_moment).max().or(started);
    let open: Vec<StepId> = steps
        .iter()
        .filter(|step| matches!(builder.story.step(**step).map(|step| &step.kind), Some(StepKind::Call(call)) if call.result.is_none()))
        .copied()
        .collect();
    let without_result = match (interrupted, is_open) {
        (true, _) => CallState::Interrupted,
        (false, true) => CallState::Pending,
        (false, false) => CallState::Lost,
    };
    for step in &open {
        if let Some(StepKind::Call(call)) = builder.story.steps.get_mut(step.index()).map(|step| &mut step.kind)
            && std::mem::replace(&mut call.state, without_result) != without_result
        {
            builder.changed.push(*step);
        }
    }
    let state = if builder.story.remnant() == Some(Remnant::Prompts) {
        // The answer is gone.
        TurnState::Done
    } else if interrupted {
        TurnState::Interrupted
    } else if is_open {
        open_state(builder, steps, &open)
    } else {
        closed_state(builder, steps, is_last)
    };
    let Times { active: active_ms, stated: stated_ms, waited: waited_ms } = times(builder, steps, started.zip(ended));
    Turn { steps: range, started, ended, active_ms, stated_ms, waited_ms, state }
}

fn last_moment(step: &Step) -> Option<Millis> {
    match &step.kind {
        StepKind::Call(call) => call.ended.max(step.at),
        _ => step.at,
    }
}

/// The state of the last turn while it is open.
fn open_state(builder: &StoryBuilder, steps: &[StepId], open: &[StepId]) -> TurnState {
    if !open.is_empty() {
        return TurnState::Open;
    }
    let newest_first = steps.iter().rev().filter_map(|id| Some((*id, builder.story.step(*id)?)));
    for (id, step) in newest_first.filter(|(_, step)| !step.withdrawn) {
        match &step.kind {
            StepKind::Reply(reply) => {
                let is_open = reply.partial || builder.announces_call(id);
                return if is_open { TurnState::Open } else { TurnState::Done };
            }
            StepKind::Outcome(outcome) => return if outcome.is_error { TurnState::Failed } else { TurnState::Done },
            StepKind::Notice(notice) => match (notice.kind, notice.severity) {
                (NoticeKind::TurnDuration, _) => return TurnState::Done,
                (NoticeKind::ApiError | NoticeKind::Limit | NoticeKind::ModelChange, Severity::Error) => {
                    return TurnState::Failed;
                }
                _ => {}
            },
            StepKind::Output(_) => return TurnState::Done,
            StepKind::Call(_) | StepKind::Thinking(_) => return TurnState::Open,
            StepKind::Prompt(prompt) if prompt.delivery != Delivery::Undelivered => {
                // The program runs these commands itself, without a turn of the model.
                return match prompt.kind {
                    PromptKind::Bash | PromptKind::Memory => TurnState::Done,
                    _ => TurnState::Open,
                };
            }
            StepKind::Prompt(_)
            | StepKind::Context(_)
            | StepKind::Compaction(_)
            | StepKind::Joint(_)
            | StepKind::Orphan(_)
            | StepKind::Unknown(_) => {}
        }
    }
    TurnState::Done
}

/// The state of a turn that has ended. An earlier one may be answered in the next, when prompts were queued together.
fn closed_state(builder: &StoryBuilder, steps: &[StepId], is_last: bool) -> TurnState {
    let last = steps.iter().rev().filter_map(|step| builder.story.step(*step)).find_map(|step| match &step.kind {
        StepKind::Notice(notice)
            if matches!(notice.kind, NoticeKind::ApiError | NoticeKind::Limit | NoticeKind::ModelChange) =>
        {
            Some(notice.severity == Severity::Error)
        }
        StepKind::Outcome(outcome) => Some(outcome.is_error),
        StepKind::Call(call) => Some(call.state == CallState::Lost),
        StepKind::Reply(_) => Some(false),
        _ => None,
    });
    let asks = |step: &Step| match &step.kind {
        StepKind::Prompt(prompt) => {
            !matches!(prompt.kind, PromptKind::Command { .. } | PromptKind::Bash | PromptKind::Memory)
        }
        _ => false,
    };
    match last {
        Some(true) => TurnState::Failed,
        None if is_last && steps.iter().filter_map(|step| builder.story.step(*step)).any(asks) => {
            TurnState::Interrupted
        }
        Some(false) | None => TurnState::Done,
    }
}

/// Derives the facts that depend on the order of the steps.
pub(super) fn settle_facts(builder: &mut StoryBuilder) {
    let story = &builder.story;
    let mut facts = builder.known.facts.clone();
    if story.facts.session_id.is_some() {
        facts.session_id.clone_from(&story.facts.session_id);
    }
    let mut counts = Counts::default();
    for thread in &story.threads {
        match &thread.kind {
            ThreadKind::Main => {}
            ThreadKind::Branch => counts.branches += 1,
            ThreadKind::Agent(agent) => counts.agents += u32::from(!agent.hidden),
        }
        for step in thread.steps.iter().filter_map(|step| story.step(*step)) {
            match &step.kind {
                StepKind::Call(call) if !story.is_counted(call) => {}
                StepKind::Call(call) => {
                    counts.calls += 1;
                    let state = match call.state {
                        CallState::Failed => &mut counts.failed,
                        CallState::ExpectedFailure => &mut counts.expected_failures,
                        CallState::Rejected => &mut counts.denied,
                        CallState::Interrupted => &mut counts.interrupted,
                        CallState::Cancelled => &mut counts.cancelled,
                        CallState::Pending | CallState::Done | CallState::Background | CallState::Lost => continue,
                    };
                    *state += 1;
                }
                StepKind::Prompt(prompt) if thread.kind == ThreadKind::Main => {
                    counts.prompts += u32::from(prompt.kind.is_human() && prompt.delivery != Delivery::Undelivered);
                }
                StepKind::Reply(_) if thread.kind == ThreadKind::Main => counts.replies += 1,
                StepKind::Compaction(compaction) if thread.kind == ThreadKind::Main => {
                    // Dropping old results from the context is not a compaction of the conversation.
                    counts.compactions += u32::from(compaction.extent != Extent::Results);
                }
                _ => {}
            }
        }
    }
    if let Some(main) = story.threads.first() {
        // What was copied from another session, and notes beside the conversation, are no turn of their own.
        let happens = |turn: &&Turn| {
            let steps = main.steps.get(turn.steps.clone()).unwrap_or_default();
            steps.iter().filter_map(|step| story.step(*step)).any(Step::is_work)
        };
        counts.turns = u32::try_from(main.turns.iter().filter(happens).count()).unwrap_or(u32::MAX);
        let (active, waiting) = times_of_thread(builder, main);
        facts.active_ms = active;
        // Prompts alone do not show when their turns ended.
        facts.waiting_ms = if story.remnant() == Some(Remnant::Prompts) { 0 } else { waiting };
    }
    facts.counts = counts;
    // Files of agents are read after the main one.
    facts.commits.sort_by_key(|commit| commit.at);
    facts.title = builder.known.best_title(titles(story), &builder.handed, |leaf| builder.place_of(leaf));
    builder.listing().apply(&mut facts);
    builder.story.facts = facts;
}

/// The times of a turn, in milliseconds.
#[derive(Debug, Default)]
struct Times {
    active: u64,
    stated: Option<u64>,
    waited: u64,
}

/// The times of a turn.
///
/// A turn states its duration; if it does not, its active time is the time from its prompt to its last step, without
/// waits and without gaps in which nothing ran.
fn times(builder: &StoryBuilder, steps: &[StepId], span: Option<(Millis, Millis)>) -> Times {
    let steps = || steps.iter().filter_map(|step| builder.story.step(*step));
    // A duration before the prompt is that of an earlier turn.
    let has_prompt = steps().any(Step::begins_turn);
    let own = steps().skip_while(|step| has_prompt && !step.begins_turn());
    let stated = own.filter_map(Step::stated_duration).reduce(u64::saturating_add);
    let Some((begin, end)) = span else {
        return Times { active: stated.unwrap_or_default(), stated, ..Times::default() };
    };
    let mut waits = Waits { until: begin, ..Waits::default() };
    steps().for_each(|step| waits.add(step));
    let without_waits = length(begin, end).saturating_sub(waits.waited).saturating_sub(waits.idle);
    Times { active: stated.unwrap_or(without_waits), stated, waited: waits.waited }
}

fn length(from: Millis, to: Millis) -> u64 {
    u64::try_from(to.saturating_sub(from)).unwrap_or_default()
}

/// The active time of a thread, and the time spent waiting for the user: before prompts, and while calls waited.
fn times_of_thread(builder: &StoryBuilder, thread: &Thread) -> (u64, u64) {
    let (mut active, mut waiting) = (0_u64, 0_u64);
    let mut last_end: Option<Millis> = None;
    for turn in &thread.turns {
        active = active.saturating_add(turn.active_ms);
        waiting = waiting.saturating_add(turn.waited_ms);
        let (Some(started), Some(ended)) = (turn.started, turn.ended) else { continue };
        let is_human = |step: &Step| matches!(&step.kind, StepKind::Prompt(prompt) if prompt.kind.is_human());
        if builder.story.steps(thread, turn).any(|(_, step)| is_human(step)) {
            waiting = waiting.saturating_add(last_end.map_or(0, |end| length(end, started)));
        }
        last_end = last_end.max(Some(ended));
    }
    (active, waiting)
}

/// The parts of a turn in which nothing ran, found by walking its steps in order.
#[derive(Debug, Default)]
struct Waits {
    /// The end of the latest step so far.
    until: Millis,
    /// Waits for the user, in milliseconds. Waits at the same time count once.
    waited: u64,
    /// Gaps without a step or a running call, in milliseconds.
    idle: u64,
}

impl Waits {
    /// A longer gap between steps is idle, in milliseconds: a suspended machine, a limit. The model takes minutes to
    /// write a long answer, and no line is written meanwhile.
    const LONGEST_PAUSE: Millis = 10 * 60 * 1000;

    fn add(&mut self, step: &Step) {
        let Some(at) = step.at.filter(|_| step.is_work()) else { return };
        let gap = at.saturating_sub(self.until);
        if gap > Self::LONGEST_PAUSE {
            self.idle = self.idle.saturating_add(gap.unsigned_abs());
        }
        let Some(end) = last_moment(step) else { return };
        if let StepKind::Call(call) = &step.kind
            && let Some(duration) = call.duration
        {
            // Only the part after the latest end is new: parallel calls may wait for the same person.
            let new = u64::try_from(end.saturating_sub(self.until.max(at))).unwrap_or_default();
            self.waited = self.waited.saturating_add(duration.waited.min(new));
        }
        self.until = self.until.max(end);
    }
}
