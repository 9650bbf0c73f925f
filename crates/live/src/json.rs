//! The JSON of the board, the same for commands and the server. `docs/watch-json.md` describes its fields.
//!
//! With the feature `schema` it has a JSON Schema.

use index::json::{UsedOut, moment};
use serde::Serialize;
use story::step::Millis;

use crate::alert::window;
use crate::board::{Card, Totals};
use crate::glance::{Bar, Progress};
use crate::state::Confidence;

/// The board.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct BoardOut<'a> {
    schema: &'static str,
    at: Option<String>,
    needs_you: usize,
    today: TodayOut,
    notes: &'a [String],
    sessions: Vec<CardOut<'a>>,
}

/// What today came to.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct TodayOut {
    #[serde(flatten)]
    used: UsedOut,
    worked_ms: u64,
    waited_ms: u64,
}

/// A session on the board.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct CardOut<'a> {
    session: &'a str,
    title: Option<&'a str>,
    project: Option<&'a str>,
    branch: Option<&'a str>,
    pid: Option<u32>,
    state: String,
    is_sure: bool,
    needs_you: bool,
    since: Option<String>,
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
    used: Option<UsedOut>,
    bars: Vec<BarOut<'a>>,
}

/// A list of tasks.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct TasksOut<'a> {
    done: usize,
    all: usize,
    current: Option<&'a str>,
}

/// Something that took time.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
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
            schema: "recount.board/1",
            at: moment(Some(at)),
            needs_you: sessions.iter().filter(|card| card.needs_you).count(),
            today: TodayOut { used: UsedOut::of(&today.used), worked_ms: today.worked, waited_ms: today.waited },
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
            state: doing.word().replace(' ', "-"),
            is_sure: card.state.confidence == Confidence::Sure,
            needs_you: card.needs_you(),
            since: moment(card.state.since),
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
            used: card.session.as_ref().map(|session| UsedOut::of(&session.used)),
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
