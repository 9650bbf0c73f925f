//! The board, for programs.

use std::sync::Arc;

use axum::extract::State;
use axum::response::Response;
use live::alert::window;
use live::glance::{Bar, Progress};
use live::state::Confidence;
use serde::Serialize;
use story::step::Millis;

use super::{UsedOut, moment};
use crate::desk::{CardView, Totals, View};
use crate::routes::{App, json};

pub(super) async fn answer(State(app): State<Arc<App>>) -> Response {
    json(&BoardOut::of(&app.desk.view()))
}

/// The board.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct BoardOut<'a> {
    schema: &'static str,
    at: Option<String>,
    needs_you: usize,
    today: TodayOut,
    notes: &'a [String],
    sessions: Vec<CardOut<'a>>,
}

/// What today came to.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct TodayOut {
    #[serde(flatten)]
    used: UsedOut,
    worked_ms: u64,
    waited_ms: u64,
}

/// A session on the board.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
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
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct TasksOut<'a> {
    done: usize,
    all: usize,
    current: Option<&'a str>,
}

/// Something that took time.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct BarOut<'a> {
    lane: u32,
    kind: &'static str,
    from: Millis,
    to: Option<Millis>,
    what: &'a str,
    anchor: &'a str,
}

impl<'a> BoardOut<'a> {
    pub(crate) fn of(view: &'a View) -> Self {
        Self {
            schema: "recount.board/1",
            at: moment(Some(view.at)),
            needs_you: view.cards.iter().filter(|view| view.card.needs_you()).count(),
            today: TodayOut::of(&view.totals),
            notes: &view.notes,
            sessions: view.cards.iter().map(|card| CardOut::of(card, view.at)).collect(),
        }
    }
}

impl TodayOut {
    fn of(totals: &Totals) -> Self {
        Self { used: UsedOut::of(&totals.used), worked_ms: totals.worked, waited_ms: totals.waited }
    }
}

impl<'a> CardOut<'a> {
    fn of(view: &'a CardView, at: Millis) -> Self {
        let card = &view.card;
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
            alerts: &view.alerts,
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
    pub(crate) fn of(bar: &'a Bar) -> Self {
        let Bar { lane, kind, from, to, what, anchor } = bar;
        Self { lane: *lane, kind: kind.name(), from: *from, to: *to, what, anchor }
    }
}
