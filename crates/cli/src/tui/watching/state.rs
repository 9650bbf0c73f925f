//! The state of the board, and how keys, clicks and events change it.
//!
//! Nothing here touches a terminal or a file: side effects are returned as [`Effect`]s.

use std::collections::HashSet;
use std::path::Path;
use std::time::Instant;

use app::ProjectFilter;
use live::board::{Board, Card};
use ratatui::crossterm::event::{
    Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers, MouseButton, MouseEvent, MouseEventKind,
};
use ratatui::layout::{Position, Rect};

use crate::listing::folder_name;
use crate::terminal::steers;
use crate::tui::clipboard;
use crate::tui::finder;
use crate::tui::keys::Keys;
use crate::tui::list::List;
use crate::tui::state::{Browser, Clicks, Effect};
use crate::tui::story_lines::Step;
use crate::tui::worker::{Ask, Target};
use crate::tui::write::Form;

/// Number of ended sessions shown.
const ENDED: usize = 5;

/// The state of the board.
#[derive(Debug)]
pub(crate) struct Watching {
    /// The browser, whose reader opens sessions and which keeps notices.
    pub(crate) app: Browser,
    /// The latest board; `None` until the first arrives.
    pub(crate) board: Option<Board>,
    pub(crate) grouping: Grouping,
    pub(crate) filter: String,
    pub(crate) is_typing: bool,
    pub(crate) is_helping: bool,
    pub(crate) areas: Areas,
    /// The id of the selected session.
    selected: Option<String>,
    /// The first visible row.
    top: usize,
    has_bell: bool,
    clicks: Clicks,
    effects: Vec<Effect>,
}

/// How sessions are grouped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Grouping {
    State,
    Project,
}

/// The areas of the screen.
#[derive(Debug, Default, Clone, Copy)]
pub(crate) struct Areas {
    pub(crate) all: Rect,
    pub(crate) header: Rect,
    pub(crate) board: Rect,
    pub(crate) today: Rect,
    pub(crate) footer: Rect,
}

/// The content of a row. A working or waiting session has two rows, and one more for each alert.
#[derive(Debug, Clone)]
pub(crate) enum Row<'b> {
    Blank,
    Heading(String, usize),
    /// A session, with its number among the waiting ones.
    Session(&'b Card, Option<usize>),
    /// What a session does or waits for.
    What(&'b Card),
    /// An alert about a session.
    Alert(&'b Card, &'b str),
    /// The number of further ended sessions.
    More(usize),
}

impl Row<'_> {
    fn card(&self) -> Option<&Card> {
        match self {
            Self::Session(card, _) | Self::What(card) | Self::Alert(card, _) => Some(card),
            Self::Blank | Self::Heading(..) | Self::More(_) => None,
        }
    }
}

/// Key hints for the footer, most important first.
pub(crate) const HINTS: &[(&str, &str)] = &[
    ("enter", "read"),
    ("1-9", "waiting"),
    ("/", "filter"),
    ("q", "quit"),
    ("?", "keys"),
    ("g", "group"),
    ("o", "browser"),
    ("y", "copy resume"),
];

/// All keys.
pub(crate) const HELP: Keys = &[
    (
        "sessions",
        &[
            ("j k ↑ ↓", "select; space, b, home, end by pages and to the ends"),
            ("1 to 9", "go to the first, the second… session that waits"),
            ("enter", "read the session, from its last turn"),
            ("/", "filter by title, project, branch, state, activity"),
            ("g", "group by state, or by project"),
            ("q ctrl-c", "quit; esc clears the filter; ctrl-z suspends"),
        ],
    ),
    ("a session", &[("o", "open it as a page in the browser"), ("y", "copy the command that resumes it")]),
];

impl Watching {
    pub(crate) fn new(has_bell: bool) -> Self {
        Self {
            app: Browser::new(List::new(ProjectFilter::of(".", Path::new("")))),
            board: None,
            grouping: Grouping::State,
            filter: String::new(),
            is_typing: false,
            is_helping: false,
            areas: Areas::default(),
            selected: None,
            top: 0,
            has_bell,
            clicks: Clicks::default(),
            effects: Vec::new(),
        }
    }

    /// Returns the pending effects.
    pub(crate) fn take_effects(&mut self) -> Vec<Effect> {
        let mut effects = std::mem::take(&mut self.effects);
        effects.append(&mut self.app.take_effects());
        effects
    }

    /// Lays everything out in an area.
    pub(crate) fn lay_out(&mut self, all: Rect) {
        self.app.lay_out(all);
        let row = |y: u16| Rect { y, height: 1, ..all };
        let mut areas = Areas { all, board: all, ..Areas::default() };
        if all.height > 4 {
            areas.header = row(all.y);
            areas.today = row(all.bottom() - 2);
            areas.footer = row(all.bottom() - 1);
            areas.board = Rect { y: all.y + 1, height: all.height - 3, ..all };
        }
        self.areas = areas;
        self.show_selected();
    }

    /// Stores the current board, and rings the bell for sessions that start waiting and for new alerts.
    pub(crate) fn hear(&mut self, board: Board) {
        let reasons = |board: &Board| -> HashSet<(String, Option<String>)> {
            let waiting = board.cards.iter().filter(|card| card.needs_you()).map(|card| (card.name.clone(), None));
            // An alert whose numbers change is not new.
            let kind = |alert: &String| alert.chars().filter(|letter| !letter.is_ascii_digit()).collect();
            let alerts = board.cards.iter().flat_map(|card| card.alerts.iter().map(|alert| (&card.name, alert)));
            waiting.chain(alerts.map(|(name, alert)| (name.clone(), Some(kind(alert))))).collect()
        };
        let before = self.board.as_ref().map(reasons);
        let is_new = before.is_some_and(|before| !reasons(&board).is_subset(&before));
        if self.has_bell && is_new {
            self.effects.push(Effect::Send("\x07".to_owned()));
        }
        // Each read problem is reported once, not every second.
        let known = self.board.as_ref().map_or(&[][..], |before| &before.problems);
        if let Some(problem) = board.problems.iter().find(|problem| !known.contains(problem)) {
            self.app.notice = Some(problem.clone());
        }
        self.board = Some(board);
        self.show_selected();
    }

    fn cards(&self) -> impl Iterator<Item = &Card> {
        let words = finder::words(&self.filter);
        let cards = self.board.iter().flat_map(|board| &board.cards);
        cards.filter(move |card| {
            let text = haystack(card);
            words.iter().all(|word| text.contains(word.as_str()))
        })
    }

    /// Returns the numbers of waiting, working and ended sessions.
    pub(crate) fn counts(&self) -> [usize; 3] {
        let mut counts = [0; 3];
        let [waiting, working, ended] = &mut counts;
        for card in self.cards() {
            *match (card.needs_you(), card.state.doing.is_active()) {
                (true, _) => &mut *waiting,
                (false, true) => &mut *working,
                (false, false) => &mut *ended,
            } += 1;
        }
        counts
    }

    /// Returns all rows.
    pub(crate) fn rows(&self) -> Vec<Row<'_>> {
        type Group<'b> = Vec<(&'b Card, Option<usize>)>;
        let mut groups: Vec<(String, Group<'_>)> = Vec::new();
        let mut waiting = 0;
        for card in self.cards() {
            waiting += usize::from(card.needs_you());
            let number = card.needs_you().then_some(waiting);
            let heading = match self.grouping {
                Grouping::Project => folder_name(card.project()),
                Grouping::State if card.needs_you() => "needs you".to_owned(),
                Grouping::State if card.state.doing.is_active() => "working".to_owned(),
                Grouping::State => "ended".to_owned(),
            };
            match groups.iter_mut().find(|(known, _)| *known == heading) {
                Some((_, group)) => group.push((card, number)),
                None => groups.push((heading, vec![(card, number)])),
            }
        }
        let mut rows = Vec::new();
        for (heading, group) in groups {
            if !rows.is_empty() {
                rows.push(Row::Blank);
            }
            rows.push(Row::Heading(heading, group.len()));
            let mut ended = 0;
            for (card, number) in group {
                if card.state.doing.is_active() {
                    rows.extend([Row::Session(card, number), Row::What(card)]);
                    rows.extend(card.alerts.iter().map(|alert| Row::Alert(card, alert)));
                    continue;
                }
                ended += 1;
                if ended <= ENDED {
                    rows.push(Row::Session(card, None));
                }
            }
            if ended > ENDED {
                rows.push(Row::More(ended - ENDED));
            }
        }
        rows
    }

    /// Returns the visible rows.
    pub(crate) fn visible(&self) -> impl Iterator<Item = Row<'_>> {
        self.rows().into_iter().skip(self.top).take(self.areas.board.height.into())
    }

    pub(crate) fn is_selected(&self, card: &Card) -> bool {
        self.selected.as_ref() == Some(&card.name)
    }

    fn selected(&self) -> Option<&Card> {
        self.cards().find(|card| self.is_selected(card))
    }

    /// Returns the sessions in the order of their rows.
    fn listed(&self) -> Vec<String> {
        let rows = self.rows();
        let sessions = rows.iter().filter_map(|row| match row {
            Row::Session(card, _) => Some(card.name.clone()),
            _ => None,
        });
        sessions.collect()
    }

    /// Selects a session if none is selected, and scrolls to it.
    fn show_selected(&mut self) {
        let listed = self.listed();
        if !listed.iter().any(|name| Some(name) == self.selected.as_ref()) {
            self.selected = listed.into_iter().next();
        }
        let rows = self.rows();
        let height = usize::from(self.areas.board.height);
        let is_it = |row: &Row<'_>| row.card().is_some_and(|card| self.is_selected(card));
        let first = rows.iter().position(is_it).unwrap_or(0);
        let last = rows.iter().rposition(is_it).unwrap_or(0);
        // The heading above the first session stays visible.
        let first = if first <= 1 { 0 } else { first };
        let top = self.top.max((last + 1).saturating_sub(height)).min(first);
        self.top = top.min(rows.len().saturating_sub(height));
    }

    fn go(&mut self, step: Step) {
        let listed = self.listed();
        let at = listed.iter().position(|name| Some(name) == self.selected.as_ref()).unwrap_or(0);
        let page = usize::from(self.areas.board.height) / 2;
        self.selected = listed.into_iter().nth(step.apply(at, page, self.listed().len().saturating_sub(1)));
        self.show_selected();
    }

    /// Selects the session that has waited longest, or one of the next.
    fn go_to_waiting(&mut self, number: usize) {
        let name = self.cards().filter(|card| card.needs_you()).nth(number - 1).map(|card| card.name.clone());
        match name {
            Some(name) => {
                self.selected = Some(name);
                self.show_selected();
            }
            None => self.app.notice = Some("so many do not need you".to_owned()),
        }
    }

    /// Handles user input.
    pub(crate) fn take(&mut self, input: &Event, now: Instant) {
        if self.app.reader.is_some() {
            return self.app.take(input, now);
        }
        match input {
            Event::Key(key) if key.kind != KeyEventKind::Release => {
                self.app.notice = None;
                if key.modifiers.contains(KeyModifiers::CONTROL) {
                    self.take_control(key.code);
                } else if self.is_helping {
                    self.is_helping = false;
                } else if self.is_typing {
                    self.type_filter(key.code);
                } else {
                    self.obey(*key);
                }
            }
            Event::Mouse(mouse) => self.take_mouse(*mouse, now),
            Event::Paste(text) => {
                self.is_typing = true;
                self.edit(|filter| filter.extend(text.chars().map(|c| if steers(c) { ' ' } else { c })));
            }
            Event::Key(_) | Event::FocusGained | Event::FocusLost | Event::Resize(..) => {}
        }
    }

    fn take_control(&mut self, code: KeyCode) {
        match code {
            KeyCode::Char('c' | 'q') => self.effects.push(Effect::Quit),
            KeyCode::Char('z') => self.effects.push(Effect::Suspend),
            KeyCode::Char('u') if self.is_typing => self.edit(String::clear),
            KeyCode::Char('n') => self.go(Step::Lines(1)),
            KeyCode::Char('p') => self.go(Step::Lines(-1)),
            _ => {}
        }
    }

    fn type_filter(&mut self, code: KeyCode) {
        match code {
            KeyCode::Char(letter) => self.edit(|filter| filter.push(letter)),
            KeyCode::Backspace => self.edit(|filter| {
                filter.pop();
            }),
            KeyCode::Enter => self.is_typing = false,
            KeyCode::Esc => {
                self.is_typing = false;
                self.edit(String::clear);
            }
            KeyCode::Up => self.go(Step::Lines(-1)),
            KeyCode::Down => self.go(Step::Lines(1)),
            _ => {}
        }
    }

    fn edit(&mut self, change: impl FnOnce(&mut String)) {
        change(&mut self.filter);
        self.show_selected();
    }

    fn obey(&mut self, key: KeyEvent) {
        match key.code {
            KeyCode::Char('q') => self.effects.push(Effect::Quit),
            KeyCode::Char('j') | KeyCode::Down => self.go(Step::Lines(1)),
            KeyCode::Char('k') | KeyCode::Up => self.go(Step::Lines(-1)),
            KeyCode::Char(' ') | KeyCode::PageDown => self.go(Step::Pages(1)),
            KeyCode::Char('b') | KeyCode::PageUp => self.go(Step::Pages(-1)),
            KeyCode::Home => self.go(Step::First),
            KeyCode::Char('G') | KeyCode::End => self.go(Step::Last),
            KeyCode::Char(digit @ '1'..='9') => {
                self.go_to_waiting(digit.to_digit(10).map_or(1, |digit| digit as usize));
            }
            KeyCode::Enter | KeyCode::Char('l') | KeyCode::Right => self.read(),
            KeyCode::Char('/') => self.is_typing = true,
            KeyCode::Esc => self.edit(String::clear),
            KeyCode::Char('g') => {
                self.grouping = match self.grouping {
                    Grouping::State => Grouping::Project,
                    Grouping::Project => Grouping::State,
                };
                self.show_selected();
            }
            KeyCode::Char('o') => self.open_page(),
            KeyCode::Char('y') => self.copy_resume(),
            KeyCode::Char('?') | KeyCode::F(1) => self.is_helping = true,
            _ => {}
        }
    }

    fn read(&mut self) {
        match self.selected().map(|card| card.session.clone()) {
            Some(Some(session)) => self.app.read_end(session),
            Some(None) => self.app.notice = Some("it has no prompt yet".to_owned()),
            None => {}
        }
    }

    fn open_page(&mut self) {
        let Some(session) = self.selected().and_then(|card| card.session.as_ref()) else { return };
        let (name, main) = (session.name.clone(), session.key());
        let target = Target { session: session.id, name, main, form: Form::Browser };
        self.app.notice = Some("writing…".to_owned());
        self.effects.push(Effect::Ask(Ask::Write(target)));
    }

    fn copy_resume(&mut self) {
        let session = self.selected().and_then(|card| card.session.as_ref());
        self.app.notice = Some(match session.and_then(clipboard::resume_command) {
            Some(command) => {
                self.effects.push(Effect::Send(clipboard::copy(&command)));
                format!("copied: {command}")
            }
            None => "this session has no id or folder that could be typed".to_owned(),
        });
    }

    fn take_mouse(&mut self, mouse: MouseEvent, now: Instant) {
        match mouse.kind {
            MouseEventKind::ScrollDown => self.go(Step::Lines(1)),
            MouseEventKind::ScrollUp => self.go(Step::Lines(-1)),
            MouseEventKind::Down(MouseButton::Left) if self.is_helping => self.is_helping = false,
            MouseEventKind::Down(MouseButton::Left) => {
                if !self.areas.board.contains(Position::new(mouse.column, mouse.row)) {
                    return;
                }
                let row = self.visible().nth((mouse.row - self.areas.board.y).into());
                let Some(name) = row.and_then(|row| Some(row.card()?.name.clone())) else { return };
                self.selected = Some(name);
                if self.clicks.is_double(mouse.row, now) {
                    self.read();
                }
            }
            _ => {}
        }
    }
}

/// Returns the text that a filter searches.
fn haystack(card: &Card) -> String {
    let what = card.state.doing.what();
    let reason = card.state.status().reason;
    let parts = [
        Some(card.title()),
        card.project(),
        card.session.as_ref().and_then(|session| session.branch.as_deref()),
        Some(reason.state().word()),
        reason.detail(),
        Some(what.as_str()),
        Some(card.name.as_str()),
    ];
    let alerts = card.alerts.iter().map(String::as_str);
    parts.into_iter().flatten().chain(alerts).collect::<Vec<_>>().join("\n").to_lowercase()
}
