//! The calls that changed or read files, in the order they took effect.

use format::tool::{Family, ToolKind};
use rustc_hash::FxHashMap;
use story::step::{Call, CallState, Millis, StepKind};
use story::{Step, StepId, Story, Thread, ThreadId, ThreadKind};

use content::main_thread;

/// A call that changed or read a file.
#[derive(Debug, Clone, Copy)]
pub(super) struct FileCall<'s> {
    pub(super) step: &'s Step,
    pub(super) call: &'s Call,
    /// Whether it changed something.
    pub(super) changes: bool,
    /// The turn of the conversation, from 1.
    pub(super) turn: u64,
}

/// All relevant calls, in order.
#[derive(Debug, Default)]
pub(super) struct Ordered<'s> {
    pub(super) calls: Vec<FileCall<'s>>,
    /// How many commands were run as well.
    pub(super) commands: usize,
    /// How many changes on rewound branches are left out.
    pub(super) on_branches: usize,
}

/// The effect of a call on files.
enum Doing {
    Reads,
    Changes,
    /// Unknown: it runs a command.
    Runs,
}

fn doing(call: &Call) -> Option<Doing> {
    let kind = ToolKind::named(&call.tool)?;
    if kind.nature().family == Family::Edit {
        return Some(Doing::Changes);
    }
    let runs = matches!(kind, ToolKind::Bash | ToolKind::PowerShell);
    (kind == ToolKind::Read).then_some(Doing::Reads).or_else(|| runs.then_some(Doing::Runs))
}

/// The calls of a story, in the order of their results across all threads.
pub(super) fn calls_in_order(story: &Story, with_branches: bool) -> Ordered<'_> {
    let clock = Clock::new(story);
    let standings = standings(story, &clock);
    let mut ordered = Ordered::default();
    let mut timed = Vec::new();
    for ((_, thread), standing) in story.threads().zip(&standings) {
        let mut calls: Vec<_> = done(story, thread).collect();
        calls.sort_by_key(|(_, step, call)| call.result.unwrap_or(step.place));
        let mut now = Millis::MIN;
        for (id, step, call) in calls {
            let changes = match doing(call) {
                Some(Doing::Reads) => false,
                Some(Doing::Changes) => true,
                Some(Doing::Runs) => {
                    ordered.commands += usize::from(!standing.is_left || with_branches);
                    continue;
                }
                None => continue,
            };
            if standing.is_left && !with_branches {
                ordered.on_branches += usize::from(changes);
                continue;
            }
            now = call.ended.or(step.at).unwrap_or(now).max(now);
            let turn = match clock.turns.get(&id) {
                Some(turn) => *turn,
                None => clock.turn_at(now).max(standing.turn),
            };
            timed.push((now, call.result, FileCall { step, call, changes, turn }));
        }
    }
    timed.sort_by_key(|(now, result, _)| (*now, *result));
    ordered.calls = timed.into_iter().map(|(_, _, call)| call).collect();
    ordered
}

/// The successful calls of a thread.
fn done<'s>(story: &'s Story, thread: &'s Thread) -> impl Iterator<Item = (StepId, &'s Step, &'s Call)> {
    thread.steps.iter().filter_map(|id| {
        let step = story.step(*id)?;
        match &step.kind {
            StepKind::Call(call) if call.state == CallState::Done => Some((*id, step, &**call)),
            _ => None,
        }
    })
}

/// The times of the conversation's turns.
struct Clock {
    /// The turns by step.
    turns: FxHashMap<StepId, u64>,
    /// When each began, in order.
    starts: Vec<(Millis, u64)>,
}

impl Clock {
    fn new(story: &Story) -> Self {
        let mut clock = Self { turns: FxHashMap::default(), starts: Vec::new() };
        let Some(thread) = story.thread(main_thread(story)) else { return clock };
        for (number, turn) in (1..).zip(&thread.turns) {
            clock.turns.extend(story.steps(thread, turn).map(|(id, _)| (id, number)));
            let latest = clock.starts.last().map_or(Millis::MIN, |(start, _)| *start);
            clock.starts.extend(turn.started.filter(|start| *start >= latest).map(|start| (start, number)));
        }
        clock
    }

    /// The turn at a given time.
    fn turn_at(&self, time: Millis) -> u64 {
        let after = self.starts.partition_point(|(start, _)| *start <= time);
        after.checked_sub(1).and_then(|at| self.starts.get(at)).map_or(1, |(_, turn)| *turn)
    }
}

/// The relation of a thread to the conversation.
#[derive(Debug, Clone, Copy)]
struct Standing {
    /// Whether it is a rewound branch, or was started on one.
    is_left: bool,
    /// The turn in which it was started.
    turn: u64,
}

/// The relation of each thread to the conversation, in order.
fn standings(story: &Story, clock: &Clock) -> Vec<Standing> {
    let mut known: Vec<Option<Standing>> = vec![None; story.threads().len()];
    for (id, _) in story.threads() {
        // Up to a thread whose relation is known, and down again.
        let (mut way, mut next) = (Vec::new(), Some(id));
        let mut standing = Standing { is_left: false, turn: 1 };
        while let Some(thread) = next.filter(|_| way.len() <= known.len()) {
            if let Some(found) = known.get(thread.index()).copied().flatten() {
                standing = found;
                break;
            }
            way.push(thread);
            next = story.thread(thread).and_then(|thread| thread.origin).map(|origin| origin.thread);
        }
        for thread in way.into_iter().rev() {
            standing = of_thread(story, clock, thread, standing);
            if let Some(known) = known.get_mut(thread.index()) {
                *known = Some(standing);
            }
        }
    }
    known.into_iter().map(|standing| standing.unwrap_or(Standing { is_left: false, turn: 1 })).collect()
}

/// The relation of a thread, derived from that of the thread it branches off.
fn of_thread(story: &Story, clock: &Clock, id: ThreadId, other: Standing) -> Standing {
    let Some(thread) = story.thread(id) else { return other };
    let step = thread.origin.and_then(|origin| origin.step);
    Standing {
        is_left: other.is_left || thread.kind == ThreadKind::Branch,
        turn: step.and_then(|step| clock.turns.get(&step)).copied().unwrap_or(other.turn),
    }
}
