//! Tests of keys, clicks and events, without a terminal.

use std::time::{Duration, Instant};

use ratatui::crossterm::event::{Event, KeyCode, KeyEvent, KeyModifiers, MouseButton, MouseEvent, MouseEventKind};
use styled::Line;
use styled::Role;

use super::*;
use crate::tui::finder::SessionMatch;
use crate::tui::samples::session;
use crate::tui::write::Form;
use app::ProjectFilter;

/// A browser of 80 × 24 with three sessions, two of them of this project.
fn app() -> Browser {
    let mut app = Browser::new(List::new(ProjectFilter::Folder("/src/garden".to_owned())));
    app.lay_out(Rect::new(0, 0, 80, 24));
    app.hear(News::Sessions(vec![
        session(1, "Water the beds", "/src/garden", 30),
        session(2, "Fix the build", "/src/other", 20),
        session(3, "Plan the spring", "/src/garden", 10),
    ]));
    app.hear(News::UpToDate { unread: 0 });
    app.lay_out(Rect::new(0, 0, 80, 24));
    app
}

fn press(app: &mut Browser, keys: &str) {
    for letter in keys.chars() {
        let (code, modifiers) = match letter {
            '\n' => (KeyCode::Enter, KeyModifiers::NONE),
            '\t' => (KeyCode::Tab, KeyModifiers::NONE),
            '\x1b' => (KeyCode::Esc, KeyModifiers::NONE),
            '\x7f' => (KeyCode::Backspace, KeyModifiers::NONE),
            '\x03' => (KeyCode::Char('c'), KeyModifiers::CONTROL),
            '\x17' => (KeyCode::Char('w'), KeyModifiers::CONTROL),
            letter => (KeyCode::Char(letter), KeyModifiers::NONE),
        };
        app.take(&Event::Key(KeyEvent::new(code, modifiers)), Instant::now());
        app.lay_out(app.layout.all);
    }
}

fn mouse(app: &mut Browser, kind: MouseEventKind, column: u16, row: u16, now: Instant) {
    app.take(&Event::Mouse(MouseEvent { kind, column, row, modifiers: KeyModifiers::NONE }), now);
    app.lay_out(app.layout.all);
}

fn quits(app: &mut Browser) -> bool {
    app.take_effects().iter().any(|effect| matches!(effect, Effect::Quit))
}

/// Returns the requested stories.
fn asked(app: &mut Browser) -> Vec<Wish> {
    let wish = |effect| match effect {
        Effect::Ask(Ask::Show(wish)) => Some(wish),
        _ => None,
    };
    app.take_effects().into_iter().filter_map(wish).collect()
}

fn selected(app: &Browser) -> i64 {
    app.list.selected().map_or(0, |session| session.id)
}

/// Answers a request with this many lines, and a turn every ten.
fn send_lines(app: &mut Browser, ticket: u64, count: usize) {
    let lines = (0..count).map(|n| Line::new().with(&format!("line {n}"), Role::Quiet)).collect();
    app.hear(News::Lines { ticket, lines, turns: (4..count).step_by(10).collect() });
    app.hear(News::Shown { ticket, progress: Progress::Whole });
}

#[test]
fn q_quits_and_in_a_filter_it_is_a_letter() {
    let mut app = app();
    press(&mut app, "/q");
    assert!(!quits(&mut app));
    assert_eq!(app.list.filter(), "q");
    press(&mut app, "\x1bq");
    assert!(quits(&mut app));
}

#[test]
fn control_c_quits_from_everywhere() {
    for before in ["", "/ab", "\t", "\n", "\n/ab", "?"] {
        let mut app = app();
        press(&mut app, before);
        press(&mut app, "\x03");
        assert!(quits(&mut app), "{before:?}");
    }
}

#[test]
fn escape_leaves_step_by_step() {
    let mut app = app();
    press(&mut app, "/spring\n\n/line");
    assert_eq!((app.focus, app.typed.as_str()), (Focus::Find, "line"));
    press(&mut app, "\x1b");
    assert_eq!(app.focus, Focus::Reader);
    press(&mut app, "\x1b");
    assert_eq!((app.focus, app.list.filter()), (Focus::List, "spring"));
    assert!(!quits(&mut app));
    press(&mut app, "\x1b");
    assert_eq!(app.list.filter(), "");
    assert!(!quits(&mut app));
    press(&mut app, "\x1b");
    assert!(quits(&mut app));
}

#[test]
fn a_filter_narrows_with_every_letter() {
    let mut app = app();
    press(&mut app, "w");
    assert_eq!((app.focus, app.list.filter(), app.list.count_listed()), (Focus::Filter, "w", 1));
    press(&mut app, "\x7fthe b");
    assert_eq!(app.list.count_listed(), 2);
    press(&mut app, "\x17build");
    assert_eq!((app.list.filter(), selected(&app)), ("the build", 2));
    press(&mut app, "\n");
    assert_eq!((app.focus, app.list.filter()), (Focus::List, "the build"));
}

#[test]
fn a_search_goes_to_its_match() {
    let mut app = app();
    press(&mut app, "/tulips");
    assert_eq!(app.list.count_listed(), 0);
    app.take_effects();
    press(&mut app, "\n");
    let searched = app
        .take_effects()
        .into_iter()
        .any(|effect| matches!(effect, Effect::Ask(Ask::Search(query)) if query == "tulips"));
    assert!(searched);
    let found = || std::collections::HashMap::from([(3, SessionMatch { turn: 7, text: "red tulips".to_owned() })]);
    app.hear(News::Found { query: "roses".to_owned(), found: found() });
    assert_eq!(app.list.count_listed(), 0);
    app.hear(News::Found { query: "tulips".to_owned(), found: found() });
    app.lay_out(app.layout.all);
    let wish = asked(&mut app).pop().unwrap();
    assert_eq!((selected(&app), wish.session, wish.from_turn), (3, 3, 7));
    press(&mut app, "\n");
    let wish = asked(&mut app).pop().unwrap();
    send_lines(&mut app, wish.ticket, 200);
    let story_lines = &app.reader.as_ref().unwrap().story_lines;
    assert_eq!((wish.from_turn, story_lines.turn(), story_lines.needle()), (0, 7, "tulips"));
}

#[test]
fn pasted_text_is_not_a_command() {
    let mut app = app();
    app.take(&Event::Paste("quit\nthe \x1b[2Jbuild".to_owned()), Instant::now());
    assert_eq!((app.focus, app.list.filter()), (Focus::Filter, "quit the  [2Jbuild"));
    assert!(!quits(&mut app));
}

#[test]
fn the_preview_follows_the_selection() {
    let mut app = app();
    let first = asked(&mut app);
    assert_eq!(first.iter().map(|wish| (wish.session, wish.is_preview)).collect::<Vec<_>>(), [(1, true)]);
    send_lines(&mut app, first[0].ticket, 50);
    assert!(app.preview.is_current());
    press(&mut app, "j");
    let second = asked(&mut app);
    assert_eq!((second.len(), second[0].session, second[0].detail), (1, 3, Detail::Talk));
    assert!(!app.preview.is_current() && !app.preview.story_lines.is_empty());
    // An outdated answer is ignored.
    send_lines(&mut app, first[0].ticket, 7);
    assert!(!app.preview.is_current());
    send_lines(&mut app, second[0].ticket, 20);
    assert!(app.preview.is_current());
    press(&mut app, "\tG");
    assert_eq!((selected(&app), app.preview.story_lines.percent()), (3, 100));
}

#[test]
fn a_change_of_detail_keeps_the_turn() {
    let mut app = app();
    press(&mut app, "\n");
    let first = asked(&mut app).pop().unwrap();
    assert_eq!((first.session, first.is_preview, first.detail, first.width), (1, false, Detail::Steps, 78));
    send_lines(&mut app, first.ticket, 100);
    press(&mut app, "]]]");
    assert_eq!(app.reader.as_ref().unwrap().story_lines.turn(), 3);
    press(&mut app, "d");
    let second = asked(&mut app).pop().unwrap();
    assert_eq!(second.detail, Detail::Full);
    send_lines(&mut app, second.ticket, 200);
    assert_eq!(app.reader.as_ref().unwrap().story_lines.turn(), 3);
    app.lay_out(Rect::new(0, 0, 60, 20));
    let third = asked(&mut app).pop().unwrap();
    assert_eq!(third.width, 58);
    press(&mut app, "q");
    assert!(app.reader.is_none() && app.focus == Focus::List);
}

#[test]
fn words_are_found_in_the_open_session() {
    let mut app = app();
    press(&mut app, "\n");
    let wish = asked(&mut app).pop().unwrap();
    send_lines(&mut app, wish.ticket, 100);
    press(&mut app, "/LINE 5\x7f\x7f\x7f\x7f\x7f\x7fline 5\n");
    assert_eq!(app.focus, Focus::Reader);
    let top = |app: &Browser| app.reader.as_ref().unwrap().story_lines.visible().next().unwrap().text().to_owned();
    assert_eq!(top(&app), "line 5");
    press(&mut app, "nn");
    assert_eq!(top(&app), "line 51");
    press(&mut app, "N");
    assert_eq!(top(&app), "line 50");
    press(&mut app, "/nowhere\n");
    assert_eq!(app.notice.as_deref(), Some("not found: nowhere"));
}

#[test]
fn clicks_select_and_double_clicks_read() {
    let mut app = app();
    let (now, left) = (Instant::now(), MouseEventKind::Down(MouseButton::Left));
    // Below the header and the heading.
    mouse(&mut app, left, 10, 3, now);
    assert_eq!((selected(&app), app.reader.is_some()), (3, false));
    mouse(&mut app, left, 10, 3, now + Duration::from_secs(1));
    assert!(app.reader.is_none());
    mouse(&mut app, left, 10, 3, now + Duration::from_millis(1200));
    assert_eq!(app.reader.as_ref().map(|reader| reader.session.id), Some(3));
}

#[test]
fn the_wheel_scrolls_the_area_under_it() {
    let mut app = app();
    let wish = asked(&mut app).pop().unwrap();
    send_lines(&mut app, wish.ticket, 50);
    mouse(&mut app, MouseEventKind::ScrollDown, 10, 20, Instant::now());
    assert_eq!((selected(&app), app.preview.story_lines.visible().next().unwrap().text()), (1, "line 3"));
    mouse(&mut app, MouseEventKind::ScrollDown, 10, 2, Instant::now());
    assert_eq!(selected(&app), 2);
}

#[test]
fn ids_and_commands_are_copied() {
    let mut app = app();
    press(&mut app, "r");
    let sent = app
        .take_effects()
        .into_iter()
        .any(|effect| matches!(effect, Effect::Send(text) if text.starts_with("\x1b]52;c;")));
    assert!(sent);
    let notice = "copied: cd /src/garden && claude --resume 00000001-5a1b-4c00-9e21-7d1de0c11e47";
    assert_eq!(app.notice.as_deref(), Some(notice));
    press(&mut app, "y");
    assert_eq!(app.notice.as_deref(), Some("copied: 00000001-5a1b-4c00-9e21-7d1de0c11e47"));
    press(&mut app, "j");
    assert_eq!(app.notice, None);
}

#[test]
fn pages_are_written_by_the_worker() {
    let mut app = app();
    app.take_effects();
    press(&mut app, "oeES");
    let form = |effect| match effect {
        Effect::Ask(Ask::Write(target)) => Some((target.session, target.form)),
        _ => None,
    };
    let forms: Vec<_> = app.take_effects().into_iter().filter_map(form).collect();
    assert_eq!(forms, [(1, Form::Browser), (1, Form::Page), (1, Form::Markdown), (1, Form::Shared)]);
}

#[test]
fn any_key_closes_the_help() {
    for key in ["q", "?", "\x1b", "j"] {
        let mut app = app();
        press(&mut app, "?");
        assert!(app.is_helping);
        press(&mut app, key);
        assert!(!app.is_helping && !quits(&mut app) && selected(&app) == 1, "{key:?}");
    }
}

#[test]
fn without_sessions_keys_do_no_harm() {
    let mut app = Browser::new(List::new(ProjectFilter::Folder("/src/garden".to_owned())));
    for area in [Rect::new(0, 0, 80, 24), Rect::new(0, 0, 1, 1), Rect::new(0, 0, 0, 0)] {
        app.lay_out(area);
        press(&mut app, "jkgG \n\toyreESspJKd[]nN?x/ab\x7f\x17cd\n\x1b");
    }
    assert!(!quits(&mut app));
}
