//! Snapshots of the browser in terminals of several sizes.

use app::ProjectFilter;
use human::Locale;
use insta::assert_snapshot;
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use styled::Style;

use super::*;
use crate::tui::list::List;
use crate::tui::samples::session;
use crate::tui::state::Effect;
use crate::tui::story_lines::Progress;
use crate::tui::worker::{Ask, News};

fn app() -> Browser {
    let mut app = Browser::new(List::new(ProjectFilter::Folder("/home/ana/garden".to_owned())));
    app.lay_out(Rect::new(0, 0, 80, 24));
    app.hear(News::Sessions(vec![
        session(1, "Retries for the HTTP client, with a budget of three and no sleep", "/home/ana/garden", -20),
        session(2, "水をやる: water the beds \u{1b}[2J\u{202e}twice", "/home/ana/garden/app", -60 * 30),
        session(3, "Fix the build", "/srv/build-system-of-the-company", -60 * 24 * 40),
        session(4, "", "/srv/other", -60 * 24 * 400),
    ]));
    app.hear(News::UpToDate { unread: 0 });
    app
}

fn press(app: &mut Browser, keys: &str) {
    use ratatui::crossterm::event::{Event, KeyCode, KeyModifiers};
    for letter in keys.chars() {
        let code = if letter == '\n' { KeyCode::Enter } else { KeyCode::Char(letter) };
        let key = ratatui::crossterm::event::KeyEvent::new(code, KeyModifiers::NONE);
        app.take(&Event::Key(key), std::time::Instant::now());
    }
}

/// Draws the browser after the worker has answered all requests.
fn picture(app: &mut Browser, width: u16, height: u16) -> String {
    let locale = Locale::default();
    let around = Surroundings {
        look: TuiLook::new(true),
        listing: listing::ListLook { columns: 0, locale: &locale, home: Some("/home/ana".to_owned()), limit: None },
        here: "~/garden".to_owned(),
        roots: vec!["~/.claude".to_owned(), "~/.config/claude".to_owned()],
        now: "2026-08-08T12:00:00[UTC]".parse().unwrap(),
    };
    app.lay_out(Rect::new(0, 0, width, height));
    for effect in app.take_effects() {
        if let Effect::Ask(Ask::Show(wish)) = effect {
            let mut lines = vec![Line::new().with("Retries for the HTTP client", Role::Heading), Line::new()];
            for turn in 1..=wish.session {
                lines.push(Line::new().with(&format!("── {turn} · 09:15 ──"), Role::Quiet));
                lines.push(Line::new().with("❯ ", Role::Prompt).with("please retry", Style::PLAIN));
                lines.push(Line::new().with("  It retries now.", Style::PLAIN));
            }
            app.hear(News::Lines { ticket: wish.ticket, lines, turns: vec![2] });
            app.hear(News::Shown { ticket: wish.ticket, progress: Progress::Whole });
        }
    }
    let mut terminal = Terminal::new(TestBackend::new(width, height)).unwrap();
    terminal.draw(|frame| draw(frame, app, &around)).unwrap();
    text(terminal.backend().buffer(), width, height)
}

/// Returns the text on a screen.
pub(super) fn text(buffer: &Buffer, width: u16, height: u16) -> String {
    let row = |y| {
        let (mut text, mut column) = (String::new(), 0);
        while let Some(cell) = buffer.cell((column, y)).filter(|_| column < width) {
            text.push_str(cell.symbol());
            // A wide character covers the next cell.
            column += u16::try_from(styled::width(cell.symbol())).unwrap().max(1);
        }
        text.trim_end().to_owned()
    };
    (0..height).map(row).collect::<Vec<_>>().join("\n")
}

#[test]
fn in_80_columns_the_preview_is_below() {
    assert_snapshot!(picture(&mut app(), 80, 24));
}

#[test]
fn in_120_columns_it_is_beside() {
    assert_snapshot!(picture(&mut app(), 120, 40));
}

#[test]
fn in_40_columns_there_are_titles() {
    assert_snapshot!(picture(&mut app(), 40, 10));
}

#[test]
fn a_filter_is_shown_above_the_list() {
    let mut app = app();
    press(&mut app, "/water beds");
    assert_snapshot!(picture(&mut app, 80, 16));
}

#[test]
fn commands_are_shown_to_their_ends() {
    let mut app = app();
    press(&mut app, "r");
    let picture = picture(&mut app, 60, 10);
    let last: Vec<&str> = picture.lines().skip(8).collect();
    assert_eq!(
        last,
        ["copied: cd /home/ana/garden && claude --resume", "00000001-5a1b-4c00-9e21-7d1de0c11e47"],
        "{picture}"
    );
}

#[test]
fn a_filter_without_matches() {
    let mut app = app();
    press(&mut app, "/xylophone");
    assert_snapshot!(picture(&mut app, 60, 8));
}

#[test]
fn the_help_lists_all_keys() {
    let mut app = app();
    press(&mut app, "?");
    assert_snapshot!(picture(&mut app, 80, 30));
}

#[test]
fn a_session_is_read_on_the_whole_screen() {
    let mut app = app();
    press(&mut app, "j\n");
    assert_snapshot!(picture(&mut app, 80, 12));
}

#[test]
fn without_sessions_it_says_where_they_would_be() {
    let mut app = Browser::new(List::new(ProjectFilter::Folder("/home/ana/garden".to_owned())));
    app.hear(News::UpToDate { unread: 0 });
    assert_snapshot!(picture(&mut app, 80, 16));
}

#[test]
fn any_size_will_do() {
    for width in 0..130 {
        for height in (0..32).filter(|height| width % 7 == 0 || *height < 4) {
            let mut app = app();
            picture(&mut app, width.max(1), height.max(1));
            press(&mut app, "/a\n");
            picture(&mut app, width.max(1), height.max(1));
            press(&mut app, "\n?");
            picture(&mut app, width.max(1), height.max(1));
        }
    }
}

#[test]
fn nothing_that_steers_a_terminal_is_drawn() {
    let mut app = app();
    app.hear(News::Notice("cannot read: /tmp/\u{1b}]0;evil\u{7}\u{9b}2J".to_owned()));
    for width in [40, 80, 120] {
        let picture = picture(&mut app, width, 24);
        assert!(!picture.contains(|c: char| c != '\n' && crate::terminal::steers(c)), "{picture:?}");
    }
}
