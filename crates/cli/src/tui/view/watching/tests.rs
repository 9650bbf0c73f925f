//! Snapshots of the board in terminals of several sizes.

use std::sync::Arc;
use std::time::Instant;

use human::Locale;
use index::catalogue::Used;
use insta::assert_snapshot;
use ledger::Money;
use live::board::Board;
use live::glance::Glance;
use live::state::{Confidence, State};
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::crossterm::event::{Event, KeyCode, KeyEvent, KeyModifiers, MouseButton, MouseEvent, MouseEventKind};
use story::{Ending, OpenCall};

use super::*;
use crate::listing;
use crate::tui::look::TuiLook;
use crate::tui::samples::session;
use crate::tui::state::Effect;
use crate::tui::worker::Ask;

const NOON: i64 = 1_786_190_400_000;

fn card(id: i64, title: &str, project: &str, doing: Doing, seconds: i64) -> Card {
    let mut session = session(id, title, project, 0);
    session.branch = Some(format!("branch-{id}"));
    let confidence = if id == 3 { Confidence::Probable } else { Confidence::Sure };
    let words = Some("It retries now.".to_owned());
    let tail = Ending { agents: usize::from(id == 4) * 2, words, ..Ending::default() };
    Card {
        name: session.name.clone(),
        session: Some(session),
        process: None,
        state: State { doing, confidence, since: Some(NOON - seconds * 1000) },
        glance: Arc::new(Glance { tail, ..Glance::default() }),
        alerts: Vec::new(),
    }
}

fn open(tool: &str, subject: &str) -> OpenCall {
    OpenCall { tool: tool.to_owned(), subject: subject.to_owned(), since: Some(NOON - 42_000), ..OpenCall::default() }
}

/// Waiting sessions come first, as on every board.
fn cards() -> Vec<Card> {
    let push = open("Bash", "git push \u{1b}[2J\u{202e}origin");
    let mut cards = vec![
        card(1, "Round discounted totals to whole cents", "/w/shop", Doing::Permission(Some(push)), 95),
        card(2, "水をやる: water the beds", "/w/garden", Doing::Question(open("AskUserQuestion", "Which beds?")), 20),
        card(3, "Fix a typo", "/w/shop", Doing::YourTurn(Some("Fixed; shall I push?".to_owned())), 5),
        card(4, "Make the search page fast", "/w/shop", Doing::Working(Some(open("Bash", "npm test"))), 42),
        card(5, "", "/w/garden", Doing::Working(None), 2),
    ];
    cards.extend((6..13).map(|id| card(id, "An old one", "/w/old", Doing::Finished, id * 600)));
    cards
}

fn watching(cards: Vec<Card>) -> Watching {
    let mut watching = Watching::new(true);
    watching.lay_out(Rect::new(0, 0, 80, 24));
    watching.hear(board_of(cards));
    watching
}

fn board_of(cards: Vec<Card>) -> Board {
    let used = Used { cost: Money::from_picodollars(3_410_000_000_000), ..Used::default() };
    Board { cards, today: Totals { used, worked: 7_260_000, waited: 1_500_000 }, ..Board::default() }
}

fn press(watching: &mut Watching, keys: &str) {
    for letter in keys.chars() {
        let code = match letter {
            '\n' => KeyCode::Enter,
            '\u{1b}' => KeyCode::Esc,
            letter => KeyCode::Char(letter),
        };
        watching.take(&Event::Key(KeyEvent::new(code, KeyModifiers::NONE)), Instant::now());
    }
}

fn picture(watching: &mut Watching, width: u16, height: u16) -> String {
    let locale = Locale::default();
    let around = Surroundings {
        look: TuiLook::new(true),
        listing: listing::ListLook { columns: 0, locale: &locale, home: None, limit: None },
        here: String::new(),
        roots: Vec::new(),
        now: "2026-08-08T12:00:00[UTC]".parse().unwrap(),
    };
    watching.lay_out(Rect::new(0, 0, width, height));
    let mut terminal = Terminal::new(TestBackend::new(width, height)).unwrap();
    terminal.draw(|frame| draw(frame, watching, &around)).unwrap();
    super::super::tests::text(terminal.backend().buffer(), width, height)
}

/// Returns the number of the selected row.
fn selected(watching: &Watching) -> Option<i64> {
    let rows = watching.rows();
    rows.iter().find_map(|row| match row {
        Row::Session(card, _) if watching.is_selected(card) => Some(card.session.as_ref()?.id),
        _ => None,
    })
}

#[test]
fn waiting_sessions_are_above_the_others() {
    assert_snapshot!(picture(&mut watching(cards()), 80, 24));
}

#[test]
fn there_is_room_for_it_in_forty_columns() {
    assert_snapshot!(picture(&mut watching(cards()), 40, 16));
}

#[test]
fn sessions_are_grouped_by_project() {
    let mut watching = watching(cards());
    press(&mut watching, "g");
    assert_snapshot!(picture(&mut watching, 100, 30));
}

#[test]
fn it_says_when_there_is_nothing() {
    assert!(picture(&mut Watching::new(false), 80, 10).contains("reading…"));
    assert!(picture(&mut watching(Vec::new()), 80, 10).contains("no session was active recently"));
    let mut watching = watching(cards());
    press(&mut watching, "/nowhere");
    let picture = picture(&mut watching, 80, 10);
    assert!(picture.contains("no matches") && picture.contains("/ nowhere"), "{picture}");
}

#[test]
fn the_filter_searches_everything_shown() {
    for (filter, count) in [("shop", 3), ("BRANCH-2", 1), ("which beds", 1), ("blocked", 2), ("", 12)] {
        let mut watching = watching(cards());
        press(&mut watching, &format!("/{filter}\n"));
        assert_eq!(watching.counts().iter().sum::<usize>(), count, "{filter}");
        press(&mut watching, "\u{1b}");
        assert_eq!(watching.counts().iter().sum::<usize>(), 12);
    }
}

#[test]
fn numbers_go_to_waiting_sessions() {
    let mut watching = watching(cards());
    assert_eq!(selected(&watching), Some(1));
    press(&mut watching, "3");
    assert_eq!(selected(&watching), Some(3));
    press(&mut watching, "jj");
    assert_eq!(selected(&watching), Some(5));
    press(&mut watching, "9");
    assert_eq!(selected(&watching), Some(5));
    assert!(watching.app.notice.is_some());
    // The selection follows a session that moves on the board.
    let mut cards = cards();
    cards.rotate_left(4);
    watching.hear(board_of(cards));
    assert_eq!(selected(&watching), Some(5));
}

#[test]
fn the_selection_is_visible() {
    let mut watching = watching(cards());
    watching.lay_out(Rect::new(0, 0, 60, 9));
    for _ in 0..12 {
        press(&mut watching, "j");
        let picture = picture(&mut watching, 60, 9);
        let is_seen = watching.visible().any(|row| matches!(row, Row::Session(card, _) if watching.is_selected(card)));
        assert!(is_seen, "{picture}");
    }
}

#[test]
fn a_bell_rings_once_for_each_that_begins_to_wait() {
    let mut watching = watching(cards());
    let rings = |watching: &mut Watching| {
        watching.take_effects().iter().filter(|effect| matches!(effect, Effect::Send(it) if it == "\x07")).count()
    };
    assert_eq!(rings(&mut watching), 0, "who waited before is no news");
    watching.hear(board_of(cards()));
    assert_eq!(rings(&mut watching), 0);
    let mut now = cards();
    now[3].state.doing = Doing::Plan(open("ExitPlanMode", "A plan"));
    watching.hear(board_of(now));
    assert_eq!(rings(&mut watching), 1);
}

#[test]
fn alerts_stand_below_the_session() {
    let mut cards = cards();
    cards[3].alerts = vec!["5 calls failed in a row".to_owned(), "“rm \u{1b}[2J -rf”".to_owned()];
    cards[3].glance = Arc::new(Glance {
        tasks: Some(Progress { done: 3, all: 7, current: None }),
        context: Some(185_000),
        added: 1_204,
        removed: 38,
        ..Glance::clone(&cards[3].glance)
    });
    let mut watching = watching(Vec::new());
    watching.hear(Board { alert: Some("today cost $53.20, more than $50.00".to_owned()), ..board_of(cards.clone()) });
    assert_snapshot!(picture(&mut watching, 80, 24));
    // Both rows belong to the session, for the mouse and for the filter.
    press(&mut watching, "/failed in a row\n");
    assert_eq!(selected(&watching), Some(4));
    let rings =
        |watching: &mut Watching| watching.take_effects().iter().filter(|it| matches!(it, Effect::Send(_))).count();
    rings(&mut watching);
    cards[3].alerts[0] = "6 calls failed in a row".to_owned();
    watching.hear(board_of(cards.clone()));
    assert_eq!(rings(&mut watching), 0, "more of the same");
    cards[4].alerts = vec!["the context is nearly full".to_owned()];
    watching.hear(board_of(cards));
    assert_eq!(rings(&mut watching), 1);
}

#[test]
fn a_session_is_read_and_left() {
    let mut watching = watching(cards());
    press(&mut watching, "2\n");
    let asks = watching.take_effects();
    assert!(asks.iter().any(|effect| matches!(effect, Effect::Ask(Ask::Show(wish)) if wish.session == 2)), "{asks:?}");
    assert!(picture(&mut watching, 80, 24).contains("water the beds"));
    press(&mut watching, "q");
    assert!(picture(&mut watching, 80, 24).contains("needs you"));
    press(&mut watching, "q");
    assert!(watching.take_effects().iter().any(|effect| matches!(effect, Effect::Quit)));
}

#[test]
fn the_mouse_selects_and_reads() {
    let mut watching = watching(cards());
    let mut click = |row| {
        let kind = MouseEventKind::Down(MouseButton::Left);
        let mouse = MouseEvent { kind, column: 10, row, modifiers: KeyModifiers::NONE };
        watching.take(&Event::Mouse(mouse), Instant::now());
    };
    // The heading, and the second row of the second session.
    click(1);
    click(5);
    assert_eq!(selected(&watching), Some(2));
    let mouse =
        MouseEvent { kind: MouseEventKind::Down(MouseButton::Left), column: 10, row: 5, modifiers: KeyModifiers::NONE };
    watching.take(&Event::Mouse(mouse), Instant::now());
    assert!(watching.app.reader.is_some());
}

#[test]
fn the_command_to_resume_is_copied() {
    let mut watching = watching(cards());
    press(&mut watching, "y");
    let notice = watching.app.notice.clone().unwrap_or_default();
    assert_eq!(notice, "copied: cd /w/shop && claude --resume 00000001-5a1b-4c00-9e21-7d1de0c11e47");
    assert!(watching.take_effects().iter().any(|effect| matches!(effect, Effect::Send(it) if it.contains("52;c;"))));
}

#[test]
fn it_draws_in_windows_of_any_size() {
    let mut watching = watching(cards());
    for (width, height) in [(1, 1), (2, 3), (7, 3), (20, 5), (300, 100)] {
        picture(&mut watching, width, height);
    }
    press(&mut watching, "?");
    assert!(picture(&mut watching, 80, 24).contains("copy the command that resumes it"));
}
