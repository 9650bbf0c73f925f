//! The board that all clients see, and the events that describe its changes.
//!
//! One thread updates it (`board_loop`); requests only read it.

use std::collections::{HashMap, HashSet};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use human::Locale;
use live::board::{Board, Card, Totals};
use live::evidence::Evidence;
use live::glance::Bar;
use live::session_follower::News;
use serde::Serialize;
use story::step::Millis;
use wire::board::BarOut;

use crate::feed::Feed;
use crate::pages;

/// The board, shared by the loop that updates it and by all requests.
#[derive(Debug)]
pub(crate) struct LiveBoard {
    pub(crate) feed: Feed,
    /// The time zone and the currency that cards are shown in.
    locale: Locale,
    view: Mutex<Arc<View>>,
    is_stopped: AtomicBool,
}

/// The board at a moment.
#[derive(Debug, Default)]
pub(crate) struct View {
    /// The last event that it includes.
    pub(crate) event: u64,
    pub(crate) at: Millis,
    /// In the order of the board.
    pub(crate) cards: Vec<Arc<CardView>>,
    pub(crate) totals: Totals,
    /// Notices about the board itself.
    pub(crate) notes: Vec<String>,
    /// Whether all roots have been read once.
    pub(crate) is_ready: bool,
    /// What runs, for the states of all sessions.
    pub(crate) evidence: Evidence,
}

/// A session on the board.
#[derive(Debug)]
pub(crate) struct CardView {
    pub(crate) card: Card,
    pub(crate) html: String,
}

/// The changes, as the page's script reads them.
#[derive(Serialize)]
struct BoardUpdate<'t> {
    changed: Vec<CardUpdate<'t>>,
    gone: Vec<&'t str>,
    /// All sessions in order, if the order changed.
    order: Option<Vec<&'t str>>,
    needs_you: usize,
    totals: String,
    notes: String,
}

#[derive(Serialize)]
struct CardUpdate<'t> {
    id: &'t str,
    part: &'static str,
    /// The time of the last line that it includes.
    last: Option<Millis>,
    html: &'t str,
    bars: Vec<BarOut<'t>>,
}

impl LiveBoard {
    pub(crate) fn new(epoch: String, locale: Locale) -> Self {
        Self { feed: Feed::new(epoch), locale, view: Mutex::default(), is_stopped: AtomicBool::new(false) }
    }

    /// The board as it was last published.
    pub(crate) fn view(&self) -> Arc<View> {
        Arc::clone(&self.lock())
    }

    /// Ends the loop that updates it.
    pub(crate) fn stop(&self) {
        self.is_stopped.store(true, Ordering::Relaxed);
    }

    /// Whether that loop has to end.
    pub(crate) fn is_stopped(&self) -> bool {
        self.is_stopped.load(Ordering::Relaxed)
    }

    fn lock(&self) -> MutexGuard<'_, Arc<View>> {
        self.view.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Shows why there is no board.
    pub(crate) fn fail(&self, why: &str) {
        let view = View { notes: vec![format!("the board cannot be updated: {why}")], ..View::default() };
        *self.lock() = Arc::new(view);
    }

    /// Replaces the board, and sends the changes to all clients. `notes` are shown above it.
    pub(crate) fn publish(
        &self,
        (board, evidence): (Board, Evidence),
        news: &News,
        now: Millis,
        notes: impl IntoIterator<Item = String>,
    ) {
        let before = self.view();
        let known: HashMap<&str, &Arc<CardView>> =
            before.cards.iter().map(|view| (view.card.name.as_str(), view)).collect();
        let mut cards = Vec::with_capacity(board.cards.len());
        let mut changed = Vec::new();
        for card in board.cards {
            match known.get(card.name.as_str()) {
                Some(view) if is_same(&view.card, &card) => cards.push(Arc::clone(view)),
                old => {
                    let html = pages::board::card(&card, now, &self.locale).into_string();
                    let view = Arc::new(CardView { card, html });
                    changed.push((Arc::clone(&view), old.map(|old| Arc::clone(old))));
                    cards.push(view);
                }
            }
        }
        let totals = board.today;
        let notes: Vec<String> = notes.into_iter().chain(board.alert).chain(board.problems).collect();
        let order: Vec<&str> = cards.iter().map(|view| view.card.name.as_str()).collect();
        let old_order: Vec<&str> = before.cards.iter().map(|view| view.card.name.as_str()).collect();
        let there: HashSet<&str> = order.iter().copied().collect();
        let gone: Vec<&str> = old_order.iter().copied().filter(|name| !there.contains(name)).collect();
        let is_news = !changed.is_empty()
            || order != old_order
            || totals != before.totals
            || notes != before.notes
            || !before.is_ready;
        if is_news {
            let update = BoardUpdate {
                changed: changed.iter().map(|(view, old)| CardUpdate::of(view, old.as_deref())).collect(),
                gone,
                needs_you: cards.iter().filter(|view| view.card.needs_you()).count(),
                totals: pages::board::totals(&totals, &self.locale).into_string(),
                notes: pages::board::notes(&notes).into_string(),
                order: (order != old_order).then(|| order.clone()),
            };
            if let Ok(data) = serde_json::to_string(&update) {
                self.feed.send(None, "cards", &data);
            }
        }
        for view in
            cards.iter().filter(|view| view.card.session.as_ref().is_some_and(|it| news.sessions.contains(&it.id)))
        {
            let name = view.card.name.as_str();
            self.feed.send(Some(name), "session", &serde_json::json!({ "id": name }).to_string());
        }
        let event = self.feed.last();
        *self.lock() = Arc::new(View { event, at: now, cards, totals, notes, is_ready: true, evidence });
    }
}

/// Whether two cards of a session show the same.
fn is_same(one: &Card, other: &Card) -> bool {
    one.state == other.state
        && one.session == other.session
        && one.process == other.process
        && one.alerts == other.alerts
        && (Arc::ptr_eq(&one.glance, &other.glance) || one.glance == other.glance)
}

impl<'t> CardUpdate<'t> {
    /// The changes of a session. Bars are those that it did not have before.
    fn of(view: &'t CardView, old: Option<&CardView>) -> Self {
        let place = |bar: &Bar| (bar.lane, bar.from);
        let mut before = old.map_or(&[][..], |old| &old.card.glance.bars).iter().peekable();
        // Both are in the same order; bars that are too old are gone.
        let is_new = |bar: &&Bar| {
            while before.next_if(|known| place(known) < place(bar)).is_some() {}
            before.next_if(|known| known == bar).is_none()
        };
        let bars = view.card.glance.bars.iter().filter(is_new);
        Self {
            id: &view.card.name,
            part: pages::board::part(&view.card),
            last: view.card.glance.tail.last,
            html: &view.html,
            bars: bars.map(BarOut::of).collect(),
        }
    }
}
