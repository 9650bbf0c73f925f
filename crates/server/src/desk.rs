//! Keeps the board, in a thread of its own, and tells what changed.

use std::collections::{HashMap, HashSet, VecDeque};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use app::App;
use human::Locale;
use index::Index;
use live::board::{Board, Card, Totals};
use live::glance::Bar;
use live::hooks::{self, Listener, Spool};
use live::json::BarOut;
use live::keeper::{Keeper, News};
use live::process::Here;
use serde::Serialize;
use story::step::Millis;

use crate::feed::Feed;
use crate::librarian::{Librarian, Order};
use crate::pages;
use crate::watcher::{Changes, Watcher};

/// The board, for all who ask.
#[derive(Debug)]
pub(crate) struct Desk {
    pub(crate) feed: Feed,
    /// The zone and the currency that cards are shown in.
    locale: Locale,
    view: Mutex<Arc<View>>,
    is_stopped: AtomicBool,
}

/// The board at a moment.
#[derive(Debug, Default)]
pub(crate) struct View {
    /// The last event that is in it.
    pub(crate) event: u64,
    pub(crate) at: Millis,
    /// In the order of the board.
    pub(crate) cards: Vec<Arc<CardView>>,
    pub(crate) totals: Totals,
    /// What the reader should know about the board itself.
    pub(crate) notes: Vec<String>,
    /// Whether everything has been looked at once.
    pub(crate) is_ready: bool,
}

/// A session on the board.
#[derive(Debug)]
pub(crate) struct CardView {
    pub(crate) card: Card,
    pub(crate) html: String,
}

/// What the desk works with.
pub(crate) struct Work {
    pub(crate) keeper: Keeper,
    /// The same index, for the thread that brings it up to date.
    pub(crate) index: Index,
    pub(crate) app: App,
}

/// What changed, as the page reads it.
#[derive(Serialize)]
struct Told<'t> {
    changed: Vec<Changed<'t>>,
    gone: Vec<&'t str>,
    /// All sessions in their order, if that is another.
    order: Option<Vec<&'t str>>,
    needs_you: usize,
    totals: String,
    notes: String,
}

#[derive(Serialize)]
struct Changed<'t> {
    id: &'t str,
    part: &'static str,
    /// The moment of the last line that is in it.
    last: Option<Millis>,
    html: &'t str,
    bars: Vec<BarOut<'t>>,
}

/// How long the thread sleeps at most: states change by themselves, too.
const TICK: Duration = Duration::from_secs(1);

/// How soon it is tried again to have everything looked at.
const SOON: Duration = Duration::from_millis(500);

/// How often the board is told, at most: more than this, nobody sees.
const BETWEEN_VIEWS: Duration = Duration::from_millis(40);

/// How often it is looked whether something has changed by itself, if nothing happens: that somebody waits by now, or has
/// gone.
const BETWEEN_GLANCES: Duration = Duration::from_secs(3);

/// For how long files are read before what is known by then is told. Where very many grow, none has to wait for all.
const SLICE: Duration = Duration::from_millis(40);

impl Desk {
    pub(crate) fn new(epoch: String, locale: Locale) -> Self {
        Self { feed: Feed::new(epoch), locale, view: Mutex::default(), is_stopped: AtomicBool::new(false) }
    }

    /// The board as it was told last.
    pub(crate) fn view(&self) -> Arc<View> {
        Arc::clone(&self.lock())
    }

    /// Lets the thread end.
    pub(crate) fn stop(&self) {
        self.is_stopped.store(true, Ordering::Relaxed);
    }

    fn lock(&self) -> MutexGuard<'_, Arc<View>> {
        self.view.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Keeps the board until it is stopped.
    pub(crate) fn run(&self, work: Work) {
        let Work { mut keeper, index, app } = work;
        let (mut watcher, why) = Watcher::new(keeper.roots());
        let mut blind = why;
        let mut growing = Growing::default();
        let mut changes = Changes { is_anything: true, ..Changes::default() };
        let (mut is_wanting, mut is_ready) = (false, false);
        let mut failure = None;
        let librarian = Librarian::start(index, app.clone(), watcher.bell());
        let mut librarian = match librarian {
            Ok(librarian) => librarian,
            // Without threads nothing can be kept up to date.
            Err(error) => return self.fail(&error.to_string()),
        };
        let (mut order, mut told) = (Order::Update, Instant::now());
        let mut spool = hooks::folder().map(|folder| {
            listen(&folder, watcher.bell());
            Spool::new(&folder)
        });
        while !self.is_stopped.load(Ordering::Relaxed) {
            let started = Instant::now();
            let now = app.timestamp().as_millisecond();
            let is_another_day = keeper.begin_day(app.midnight().unwrap_or_default());
            let heard = spool.as_mut().and_then(|spool| spool.read().ok()).unwrap_or_default();
            let is_quiet = heard.is_empty() && changes == Changes::default() && growing.is_empty() && !is_another_day;
            keeper.hear(heard);
            if changes.is_processes {
                keeper.processes_changed();
            }
            growing.add(changes.files);
            let mut news = growing.read(&mut keeper, now);
            is_wanting |= changes.is_anything || news.is_unknown;
            if is_wanting && librarian.ask(order) {
                (is_wanting, order) = (false, Order::Update);
                blind = watcher.watch(keeper.roots()).or(blind);
            }
            let mut done = librarian.done();
            if is_quiet && done.is_none() && told.elapsed() < BETWEEN_GLANCES {
                changes = watcher.wait(if is_wanting { SOON } else { TICK });
                continue;
            }
            if let Some(Ok(problems)) = done.as_mut() {
                keeper.note(std::mem::take(problems));
            }
            let refreshed = match &done {
                Some(Err(error)) => Err(error.to_string()),
                None if !is_another_day => Ok(None),
                Some(Ok(_)) | None => match keeper.refresh(&Here, now) {
                    Ok(more) => Ok(Some(more)),
                    Err(error) => {
                        order = if error.is_damage() { Order::Anew } else { order };
                        is_wanting = true;
                        Err(error.to_string())
                    }
                },
            };
            match refreshed {
                Ok(Some(more)) => {
                    news.sessions.extend(more.sessions);
                    (failure, is_ready) = (None, true);
                }
                Ok(None) => {}
                Err(why) => failure = Some(why),
            }
            if !is_ready && failure.is_none() {
                // Nothing is known yet.
                changes = watcher.wait(TICK);
                continue;
            }
            self.publish(keeper.board(&Here, now), &news, now, &[&blind_note(blind.as_deref()), &failure]);
            told = Instant::now();
            if growing.is_empty() {
                std::thread::sleep(BETWEEN_VIEWS.saturating_sub(started.elapsed()));
            }
            changes = watcher.wait(match (growing.is_empty(), is_wanting) {
                (false, _) => Duration::ZERO,
                (true, true) => SOON,
                (true, false) => TICK,
            });
        }
    }

    /// Says why there is no board.
    fn fail(&self, why: &str) {
        let view = View { notes: vec![format!("the board cannot be kept: {why}")], ..View::default() };
        *self.lock() = Arc::new(view);
    }

    /// Shows a board, and tells what is new in it.
    fn publish(&self, board: Board, news: &News, now: Millis, notes: &[&Option<String>]) {
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
        let notes = notes.iter().filter_map(|note| (*note).clone());
        let notes: Vec<String> = notes.chain(board.alert).chain(board.problems).collect();
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
            let told = Told {
                changed: changed.iter().map(|(view, old)| Changed::of(view, old.as_deref())).collect(),
                gone,
                needs_you: cards.iter().filter(|view| view.card.needs_you()).count(),
                totals: pages::board::totals(&totals, &self.locale).into_string(),
                notes: pages::board::notes(&notes).into_string(),
                order: (order != old_order).then(|| order.clone()),
            };
            if let Ok(data) = serde_json::to_string(&told) {
                self.feed.tell(None, "cards", &data);
            }
        }
        for view in
            cards.iter().filter(|view| view.card.session.as_ref().is_some_and(|it| news.sessions.contains(&it.id)))
        {
            let name = view.card.name.as_str();
            self.feed.tell(Some(name), "session", &serde_json::json!({ "id": name }).to_string());
        }
        let event = self.feed.last();
        *self.lock() = Arc::new(View { event, at: now, cards, totals, notes, is_ready: true });
    }
}

/// Files that have grown, in the order in which that was heard.
#[derive(Debug, Default)]
struct Growing {
    files: VecDeque<PathBuf>,
    known: HashSet<PathBuf>,
}

impl Growing {
    fn add(&mut self, files: HashSet<PathBuf>) {
        for file in files {
            if self.known.insert(file.clone()) {
                self.files.push_back(file);
            }
        }
    }

    fn is_empty(&self) -> bool {
        self.files.is_empty()
    }

    /// Reads what was added to them, for a while. What cannot be read is looked at with everything else.
    fn read(&mut self, keeper: &mut Keeper, now: Millis) -> News {
        let (started, mut news) = (Instant::now(), News::default());
        while started.elapsed() < SLICE
            && let Some(file) = self.files.pop_front()
        {
            self.known.remove(&file);
            match keeper.grew([file.as_path()], now) {
                Ok(more) => {
                    news.sessions.extend(more.sessions);
                    news.is_unknown |= more.is_unknown;
                }
                Err(_) => news.is_unknown = true,
            }
        }
        news
    }
}

/// Wakes the desk up whenever a hook has told something. Where that cannot be, it is read a moment later.
fn listen(folder: &Path, bell: impl Fn() -> bool + Send + 'static) {
    let Ok(listener) = Listener::bind(folder) else { return };
    let _ = std::thread::Builder::new().name("hooks".to_owned()).spawn(move || {
        while let Ok(event) = listener.wait(TICK) {
            if !(event.is_none() || bell()) {
                break;
            }
        }
    });
}

fn blind_note(why: Option<&str>) -> Option<String> {
    why.map(|why| format!("the system does not tell of changes ({why}); everything is looked at every second instead"))
}

/// Whether nothing is to be said about a session that was not said before.
fn is_same(one: &Card, other: &Card) -> bool {
    one.state == other.state
        && one.session == other.session
        && one.process == other.process
        && one.alerts == other.alerts
        && (Arc::ptr_eq(&one.glance, &other.glance) || one.glance == other.glance)
}

impl<'t> Changed<'t> {
    /// What is new about a session. Bars are those that it did not have before.
    fn of(view: &'t CardView, old: Option<&CardView>) -> Self {
        let place = |bar: &Bar| (bar.lane, bar.from);
        let mut before = old.map_or(&[][..], |old| &old.card.glance.bars).iter().peekable();
        // Both are in the same order; those that are too old have gone.
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
