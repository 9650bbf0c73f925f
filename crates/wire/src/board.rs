//! The board of running sessions, the same for `recount watch` and the server.

use live::alert::window;
use live::board::{Card, Totals};
use live::glance::{Bar, Progress};
use serde::Serialize;
use story::readable::Moment;
use story::step::Millis;

use crate::state::StateOut;
use crate::used::UsedOut;

/// The name and version of the board.
pub const BOARD: &str = "recount.board/2";

/// The board.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema))]
pub struct BoardOut<'a> {
    /// The name and version of this document.
    #[cfg_attr(any(test, feature = "schema"), schemars(extend("const" = BOARD)))]
    schema: &'static str,
    at: Moment,
    needs_you: usize,
    today: TodayOut,
    notes: &'a [String],
    sessions: Vec<CardOut<'a>>,
}

/// The totals of today.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema))]
struct TodayOut {
    #[serde(flatten)]
    used: UsedOut,
    active_ms: u64,
    waiting_ms: u64,
}

/// A session on the board.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema))]
struct CardOut<'a> {
    session: &'a str,
    title: &'a str,
    project: Option<&'a str>,
    branch: Option<&'a str>,
    pid: Option<u32>,
    #[serde(flatten)]
    state: StateOut,
    needs_you: bool,
    what: String,
    subagents: usize,
    tasks: Option<TasksOut<'a>>,
    words: Option<&'a str>,
    context_tokens: Option<u32>,
    context_window: Option<u32>,
    cost_per_hour_usd: Option<f64>,
    lines_added: u64,
    lines_removed: u64,
    failed_in_a_row: u32,
    alerts: &'a [String],
    #[serde(flatten)]
    used: UsedOut,
    bars: Vec<BarOut<'a>>,
}

/// A list of tasks.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema))]
struct TasksOut<'a> {
    done: usize,
    all: usize,
    current: Option<&'a str>,
}

/// An activity on the timeline.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema))]
pub struct BarOut<'a> {
    lane: u32,
    kind: &'static str,
    from: Millis,
    to: Option<Millis>,
    what: &'a str,
    anchor: &'a str,
}

impl<'a> BoardOut<'a> {
    /// The board at a given time, with notes for its reader.
    pub fn new(cards: impl Iterator<Item = &'a Card>, today: &Totals, notes: &'a [String], at: Millis) -> Self {
        let sessions: Vec<CardOut<'_>> = cards.map(|card| CardOut::of(card, at)).collect();
        Self {
            schema: BOARD,
            at: Moment(at),
            needs_you: sessions.iter().filter(|card| card.needs_you).count(),
            today: TodayOut { used: UsedOut::of(&today.used), active_ms: today.worked, waiting_ms: today.waited },
            notes,
            sessions,
        }
    }
}

impl<'a> CardOut<'a> {
    fn of(card: &'a Card, at: Millis) -> Self {
        let (doing, glance) = (&card.state.doing, &card.glance);
        Self {
            session: &card.name,
            title: card.title(),
            project: card.project(),
            branch: card.session.as_ref().and_then(|session| session.branch.as_deref()),
            pid: card.process.as_ref().map(|process| process.pid),
            state: card.state.status().into(),
            needs_you: card.needs_you(),
            what: doing.what(),
            subagents: glance.tail.agents,
            tasks: glance.tasks.as_ref().map(TasksOut::of),
            words: glance.tail.words.as_deref(),
            context_tokens: glance.context,
            context_window: glance.context.map(window),
            cost_per_hour_usd: card.cost_per_hour(at),
            lines_added: glance.added,
            lines_removed: glance.removed,
            failed_in_a_row: glance.failed_in_a_row,
            alerts: &card.alerts,
            used: UsedOut::of(&card.session.as_ref().map(|session| session.used).unwrap_or_default()),
            bars: glance.bars.iter().map(BarOut::of).collect(),
        }
    }
}

impl<'a> TasksOut<'a> {
    fn of(progress: &'a Progress) -> Self {
        Self { done: progress.done, all: progress.all, current: progress.current.as_deref() }
    }
}

impl<'a> BarOut<'a> {
    /// The JSON of an activity.
    pub fn of(bar: &'a Bar) -> Self {
        let Bar { lane, kind, from, to, what, anchor } = bar;
        Self { lane: *lane, kind: kind.name(), from: *from, to: *to, what, anchor }
    }
}
