//! A session at a glance: its end, its progress, and its recent activity.

use std::sync::Arc;

use format::tool::Family;
use index::catalogue::{Session, Used};
use ledger::Standing;
use story::step::{Call, CallState, Millis, StepKind};
use story::tasks::TaskStatus;
use story::{Anchors, Ending, Story, Texts, Thread, ThreadId, ThreadKind, Turn};

use crate::before::{Before, end_of_turn, goes_on};
use crate::details;

/// A session at a glance.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Glance {
    /// The end of its story.
    pub tail: Ending,
    /// The progress of its list of tasks, if it has one.
    pub tasks: Option<Progress>,
    /// The context size of the last request, in tokens.
    pub context: Option<u32>,
    /// Added lines in files.
    pub added: u64,
    /// Removed lines in files.
    pub removed: u64,
    /// The number of consecutive failed calls at the end.
    pub failed_in_a_row: u32,
    /// How often the last call was repeated in a row, with the same input.
    pub repeated: u32,
    /// Usage today, including subagents.
    pub used_today: Used,
    /// Active time today, in milliseconds.
    pub worked_today: u64,
    /// Time spent waiting for you today, in milliseconds.
    pub waited_today: u64,
    /// Its activity, by lane and time.
    pub bars: Vec<Bar>,
    /// The tool and subject of the last call.
    pub last_call: Option<(Arc<str>, Box<str>)>,
}

/// The times that a glance depends on.
#[derive(Debug, Clone, Copy)]
pub struct Moments {
    /// Bars cover the activity since this time.
    pub since: Millis,
    /// The start of the current day.
    pub midnight: Millis,
}

/// The progress of a list of tasks.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Progress {
    /// How many tasks are done.
    pub done: usize,
    /// How many there are.
    pub all: usize,
    /// The task in progress.
    pub current: Option<String>,
}

/// An activity with a duration.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Bar {
    /// 0 is the conversation; subagents follow in the order they began.
    pub lane: u32,
    /// Its kind.
    pub kind: BarKind,
    /// When it began.
    pub from: Millis,
    /// When it ended, if it has.
    pub to: Option<Millis>,
    /// Its subject.
    pub what: Arc<str>,
    /// Its anchor in the session's page.
    pub anchor: Arc<str>,
}

/// The kind of an activity.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum BarKind {
    /// A shell command.
    Command,
    /// Reading or searching files.
    Read,
    /// Editing files.
    Edit,
    /// The web.
    Web,
    /// A subagent.
    Agent,
    /// A question to the user.
    Human,
    /// Another tool.
    Other,
    /// A call that failed.
    Failed,
    /// Waiting for the user between two turns.
    Waiting,
}

impl BarKind {
    /// Its name in pages and JSON.
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
        let nature = call.nature();
        if nature.asks.is_some() {
            return Self::Human;
        }
        match nature.family {
            Family::Shell => Self::Command,
            Family::Read | Family::Search => Self::Read,
            Family::Edit => Self::Edit,
            Family::Web => Self::Web,
            Family::Agent => Self::Agent,
            Family::Plan
            | Family::Question
            | Family::Task
            | Family::Mcp
            | Family::Message
            | Family::Skill
            | Family::Schedule
            | Family::Worktree
            | Family::Other => Self::Other,
        }
    }
}

/// Limit on the bars of a session; the latest are kept.
const MOST_BARS: usize = 500;

/// Shorter pauses, in milliseconds, are not shown.
const SHORTEST_WAIT: Millis = 3_000;

/// The maximum length of a bar's text, in characters.
const LONGEST: usize = 120;

impl Glance {
    /// The glance of a story.
    pub fn of(story: &Story, standing: Option<&Standing>, moments: Moments) -> Self {
        Self::after(None, story, standing, moments)
    }

    /// The same for a story that continues an earlier one.
    pub(crate) fn after(before: Option<&Before>, story: &Story, standing: Option<&Standing>, moments: Moments) -> Self {
        let ended = before.and_then(|before| before.ended);
        let (worked_today, waited_today) = times(story, ended, moments.midnight);
        let mut glance = before.map(|before| before.glance.figures(moments.since)).unwrap_or_default();
        glance.tail = Ending::of(story);
        if let Some(before) = before {
            let is_one_turn = story.thread(ThreadId::MAIN).is_some_and(|main| main.turns.len() == 1);
            glance.tail = glance.tail.after(&before.glance.tail, is_one_turn && goes_on(story));
        }
        glance.tasks = Progress::of(story);
        if let Some(standing) = standing {
            glance.context = standing.context.or(glance.context);
            glance.used_today += Used::of(&standing.since);
        }
        glance.worked_today += worked_today;
        glance.waited_today += waited_today;
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
        glance.waits(story, &anchors, ended, moments.since);
        let too_many = glance.bars.len().saturating_sub(MOST_BARS);
        if too_many > 0 {
            glance.bars.sort_by_key(|bar| bar.from);
            glance.bars.drain(..too_many);
        }
        glance.bars.sort_by_key(|bar| (bar.lane, bar.from));
        glance
    }

    /// The figures since the start of a session, and the bars since a given time.
    fn figures(&self, since: Millis) -> Self {
        Self {
            context: self.context,
            added: self.added,
            removed: self.removed,
            failed_in_a_row: self.failed_in_a_row,
            repeated: self.repeated,
            used_today: self.used_today,
            worked_today: self.worked_today,
            waited_today: self.waited_today,
            bars: self.bars.iter().filter(|bar| bar.to.unwrap_or(bar.from) >= since).cloned().collect(),
            last_call: self.last_call.clone(),
            ..Self::default()
        }
    }

    /// Reads the few lines at the end that contain more than the story does.
    pub fn read_lines(&mut self, story: &Story, texts: &mut dyn Texts) {
        details::read_lines(&mut self.tail, &mut |place| Some(texts.line(story.span(place.line)?).ok()?.to_vec()));
    }

    /// The glance of a session of which only the figures are known.
    pub fn unknown(session: &Session) -> Self {
        Self { tail: session.ending.clone(), ..Self::default() }
    }

    /// Adds the times between turns, in which the session waited for the user. The turn before the first may have
    /// `ended` before this story begins.
    fn waits(&mut self, story: &Story, anchors: &Anchors, ended: Option<Millis>, since: Millis) {
        let Some(main) = story.thread(ThreadId::MAIN) else { return };
        let mut before = if goes_on(story) { None } else { end_of_turn(ended, story).0 };
        for turn in &main.turns {
            let between = std::mem::replace(&mut before, turn.ended).zip(turn.started);
            // The first turn may begin with the end of one before this story.
            let steps = || story.steps(main, turn).map(|(_, step)| step);
            let prompt = steps().find(|step| step.begins_turn()).or_else(|| steps().next()).map(|step| step.place);
            let (Some((from, to)), Some(prompt)) = (between, prompt) else { continue };
            if to >= since && to - from >= SHORTEST_WAIT {
                let (what, anchor) = ("waited for you".into(), anchors.at(story, prompt).into());
                self.bars.push(Bar { lane: 0, kind: BarKind::Waiting, from, to: Some(to), what, anchor });
            }
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
                    CallState::Done | CallState::ExpectedFailure => 0,
                    _ => self.failed_in_a_row,
                };
                let is_same = match (last, &self.last_call) {
                    (Some(last), _) => last.tool == call.tool && last.subject == call.subject,
                    (None, Some((tool, subject))) => *tool == call.tool && *subject == call.subject,
                    (None, None) => false,
                };
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
                // A call that will never end counts as over.
                to: call.ended.or((call.state != CallState::Pending).then_some(from)),
                what: shortened(format!("{} {}", call.tool, call.subject)),
                anchor: anchors.at(story, step.place).into(),
            });
        }
        if let Some(last) = last {
            self.last_call = Some((Arc::clone(&last.tool), last.subject.clone()));
        }
    }
}

fn shortened(mut text: String) -> Arc<str> {
    if let Some((end, _)) = text.char_indices().nth(LONGEST) {
        text.truncate(end);
    }
    text.into()
}

/// A longer absence of the user, in milliseconds, does not count as waiting.
const LONGEST_WAIT: Millis = 60 * 60 * 1000;

/// How long questions and plans of a turn waited for the user since a given time.
fn asked(story: &Story, turn: &Turn, since: Millis) -> u64 {
    let Some(main) = story.thread(ThreadId::MAIN) else { return 0 };
    let waits = story.steps(main, turn).filter_map(|(_, step)| match (&step.kind, step.at) {
        (StepKind::Call(call), Some(at)) if call.asks() => {
            Some((call.ended? - at.max(since)).clamp(0, LONGEST_WAIT).unsigned_abs())
        }
        _ => None,
    });
    waits.sum()
}

/// The active time since a given time, and the time spent waiting for the user, in turns and between them. The story
/// may begin with the rest of a turn that `ended` before.
fn times(story: &Story, ended: Option<Millis>, since: Millis) -> (u64, u64) {
    let (mut before, late) = end_of_turn(ended, story);
    let is_today = before.is_some_and(|before| before >= since);
    let (mut worked, mut waited) = (if is_today { late } else { 0 }, 0);
    let mut goes_on = ended.is_some() && goes_on(story);
    for turn in story.thread(ThreadId::MAIN).map_or(&[][..], |main| &main.turns) {
        let (Some(mut started), Some(ended)) = (turn.started, turn.ended) else { continue };
        if std::mem::take(&mut goes_on) {
            started = before.map_or(started, |before| before.min(started));
        }
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
