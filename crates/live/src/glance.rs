//! What there is to say about a session at a glance: where its end stands, how far it is, and what it did when.

use index::catalogue::{Session, Used};
use ledger::Summary;
use story::step::{Call, CallState, Millis, StepKind};
use story::tasks::TaskStatus;
use story::{Anchors, Story, Thread, ThreadId, ThreadKind, Turn};

use crate::tail::Tail;

/// A session at a glance.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Glance {
    /// Where its end stands.
    pub tail: Tail,
    /// Its list of tasks, if it has one.
    pub tasks: Option<Progress>,
    /// How many tokens the model was given last.
    pub context: Option<u32>,
    /// Lines of files that were added.
    pub added: u64,
    /// Lines of files that were removed.
    pub removed: u64,
    /// Calls that failed one after the other, at the end.
    pub failed_in_a_row: u32,
    /// How often the last call was made before, one after the other, with the same words.
    pub repeated: u32,
    /// What was used today, with subagents.
    pub used_today: Used,
    /// How long turns took today, in milliseconds.
    pub worked_today: u64,
    /// How long the human was waited for today, in milliseconds.
    pub waited_today: u64,
    /// What was done when, in the order of lanes and time.
    pub bars: Vec<Bar>,
}

/// The moments that a glance is about.
#[derive(Debug, Clone, Copy)]
pub struct Moments {
    /// Bars are those of what was done since.
    pub since: Millis,
    /// When this day began.
    pub midnight: Millis,
}

/// How far a list of tasks is.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Progress {
    /// How many are done.
    pub done: usize,
    /// How many there are.
    pub all: usize,
    /// What somebody is at.
    pub current: Option<String>,
}

/// Something that took time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bar {
    /// 0 is the conversation; subagents follow in the order in which they began.
    pub lane: u32,
    /// What it was.
    pub kind: BarKind,
    /// When it began.
    pub from: Millis,
    /// When it ended, if it has.
    pub to: Option<Millis>,
    /// What it was about.
    pub what: String,
    /// The name by which the session's page finds it.
    pub anchor: String,
}

/// What took time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BarKind {
    /// A command.
    Command,
    /// Files were read or looked for.
    Read,
    /// Files were changed.
    Edit,
    /// The web.
    Web,
    /// A subagent.
    Agent,
    /// Somebody was asked.
    Human,
    /// Another tool.
    Other,
    /// A call that failed.
    Failed,
    /// Nothing: the human was waited for, between two turns.
    Waiting,
}

impl BarKind {
    /// As pages and programs know it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Command => "command",
            Self::Read => "read",
            Self::Edit => "edit",
            Self::Web => "web",
            Self::Agent => "agent",
            Self::Human => "human",
            Self::Other => "other",
            Self::Failed => "failed",
            Self::Waiting => "waiting",
        }
    }

    fn of(call: &Call) -> Self {
        if call.state == CallState::Failed {
            return Self::Failed;
        }
        match &*call.tool {
            "Bash" | "BashOutput" | "KillShell" | "PowerShell" => Self::Command,
            "Read" | "Grep" | "Glob" | "LS" | "NotebookRead" => Self::Read,
            "Edit" | "MultiEdit" | "Write" | "NotebookEdit" => Self::Edit,
            "WebFetch" | "WebSearch" => Self::Web,
            "Task" | "Agent" => Self::Agent,
            "AskUserQuestion" | "ExitPlanMode" => Self::Human,
            _ => Self::Other,
        }
    }
}

/// How many bars are kept of a session, the latest.
const MOST_BARS: usize = 2_000;

/// A pause that is shorter than this, in milliseconds, is not shown.
const SHORTEST_WAIT: Millis = 3_000;

/// How long a text of a bar is, in characters.
const LONGEST: usize = 120;

impl Glance {
    /// A story at a glance.
    pub fn of(story: &Story, summary: Option<&Summary>, moments: Moments) -> Self {
        let (worked_today, waited_today) = times(story, moments.midnight);
        let mut glance = Self {
            tail: Tail::of(story),
            tasks: Progress::of(story),
            context: summary.and_then(|summary| summary.context.last()).map(|(_, tokens)| *tokens),
            worked_today,
            waited_today,
            ..Self::default()
        };
        let mut lane = 0;
        let anchors = Anchors::of(story);
        for (_, thread) in story.threads() {
            let is_shown = match &thread.kind {
                ThreadKind::Main => true,
                ThreadKind::Branch => false,
                ThreadKind::Agent(agent) => !agent.hidden,
            };
            if is_shown {
                glance.thread(story, &anchors, thread, lane, moments.since);
                lane += 1;
            }
        }
        glance.waits(story, &anchors, moments.since);
        let too_many = glance.bars.len().saturating_sub(MOST_BARS);
        if too_many > 0 {
            glance.bars.sort_by_key(|bar| bar.from);
            glance.bars.drain(..too_many);
        }
        glance.bars.sort_by_key(|bar| (bar.lane, bar.from));
        glance
    }

    /// That of a session of which only the figures are known.
    pub fn unknown(session: &Session) -> Self {
        let tail = Tail { turn: session.state, last: session.last, ..Tail::default() };
        Self { tail, ..Self::default() }
    }

    /// Times between turns of the conversation, in which the human was waited for.
    fn waits(&mut self, story: &Story, anchors: &Anchors, since: Millis) {
        let Some(main) = story.thread(ThreadId::MAIN) else { return };
        for two in main.turns.windows(2) {
            let [before, after] = two else { continue };
            let (Some(from), Some(to)) = (before.ended, after.started) else { continue };
            let prompt = story.steps(main, after).next().map(|(_, step)| step.place);
            let Some(prompt) = prompt.filter(|_| to >= since && to - from >= SHORTEST_WAIT) else { continue };
            let (what, anchor) = ("waited for you".to_owned(), anchors.at(story, prompt));
            self.bars.push(Bar { lane: 0, kind: BarKind::Waiting, from, to: Some(to), what, anchor });
        }
    }

    fn thread(&mut self, story: &Story, anchors: &Anchors, thread: &Thread, lane: u32, since: Millis) {
        let mut last: Option<&Call> = None;
        for step in thread.steps.iter().filter_map(|step| story.step(*step)).filter(|step| !step.withdrawn) {
            let StepKind::Call(call) = &step.kind else { continue };
            if let Some(change) = call.change {
                self.added += u64::from(change.added);
                self.removed += u64::from(change.removed);
            }
            if lane == 0 {
                self.failed_in_a_row = match call.state {
                    CallState::Failed => self.failed_in_a_row + 1,
                    CallState::Done => 0,
                    _ => self.failed_in_a_row,
                };
                let is_same = last.is_some_and(|last| last.tool == call.tool && last.subject == call.subject);
                self.repeated = if is_same { self.repeated + 1 } else { 0 };
                last = Some(call);
            }
            let Some(from) = step.at else { continue };
            if call.ended.is_some_and(|ended| ended < since) || call.ended.is_none() && from < since {
                continue;
            }
            self.bars.push(Bar {
                lane,
                kind: BarKind::of(call),
                from,
                // What will never end is over.
                to: call.ended.or((call.state != CallState::Pending).then_some(from)),
                what: format!("{} {}", call.tool, call.subject).chars().take(LONGEST).collect(),
                anchor: anchors.at(story, step.place),
            });
        }
    }
}

/// A human who has been away for longer than this, in milliseconds, was not waited for all the time.
const LONGEST_WAIT: Millis = 60 * 60 * 1000;

/// How long questions and plans of a turn waited for the human since a moment.
fn asked(story: &Story, turn: &Turn, since: Millis) -> u64 {
    let Some(main) = story.thread(ThreadId::MAIN) else { return 0 };
    let waits = story.steps(main, turn).filter_map(|(_, step)| match (&step.kind, step.at) {
        (StepKind::Call(call), Some(at)) if matches!(&*call.tool, "AskUserQuestion" | "ExitPlanMode") => {
            Some((call.ended? - at.max(since)).clamp(0, LONGEST_WAIT).unsigned_abs())
        }
        _ => None,
    });
    waits.sum()
}

/// How long turns took since a moment, and how long the human was waited for, in them and between them.
fn times(story: &Story, since: Millis) -> (u64, u64) {
    let (mut worked, mut waited) = (0, 0);
    let mut before = None;
    for turn in story.thread(ThreadId::MAIN).map_or(&[][..], |main| &main.turns) {
        let (Some(started), Some(ended)) = (turn.started, turn.ended) else { continue };
        let asked = asked(story, turn, since);
        worked += (ended - started.max(since)).max(0).unsigned_abs().saturating_sub(asked);
        waited += asked;
        if let Some(before) = before {
            waited += (started - since.max(before).max(started - LONGEST_WAIT)).max(0).unsigned_abs();
        }
        before = Some(ended);
    }
    (worked, waited)
}

impl Progress {
    fn of(story: &Story) -> Option<Self> {
        let mut progress = Self::default();
        for task in story.tasks.items() {
            progress.all += 1;
            match task.status {
                TaskStatus::Completed => progress.done += 1,
                TaskStatus::InProgress => {
                    progress.current.get_or_insert_with(|| task.subject.to_string());
                }
                TaskStatus::Pending => {}
            }
        }
        (progress.all > 0).then_some(progress)
    }
}
