//! Key bindings by focus.
//!
//! Single letters are commands, as in `less` and `vi`. `/` starts a filter, as does any other letter or digit that is
//! no command. While you type a filter, letters are text.

use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use super::story_lines::Step;

/// The focused part of the screen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Focus {
    List,
    /// The input line of the filter.
    Filter,
    Preview,
    /// The full-screen reader.
    Reader,
    /// The input line of a search in the reader.
    Find,
}

/// A command of the user.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Command {
    Quit,
    Suspend,
    /// Leaves the help, the reader, the filter or the program.
    Back,
    Help,
    Go(Step),
    /// Scrolls the preview, independent of focus.
    GoPreview(Step),
    Open,
    SwitchFocus,
    /// Starts a filter, with its first letter if there is one.
    Filter(Option<char>),
    Type(char),
    Erase,
    EraseWord,
    EraseAll,
    /// Accepts the typed text.
    Accept,
    Browser,
    CopyId,
    Resume,
    ExportPage,
    ExportMarkdown,
    Share,
    Sort,
    Scope,
    Detail,
    Find,
    FindNext,
    FindPrevious,
    Turns(isize),
}

/// Returns the command of a key.
pub(crate) fn command(focus: Focus, key: KeyEvent) -> Option<Command> {
    let has = |modifier| key.modifiers.contains(modifier);
    if has(KeyModifiers::CONTROL) {
        return with_control(focus, key.code);
    }
    if has(KeyModifiers::ALT) || has(KeyModifiers::SUPER) {
        return None;
    }
    match focus {
        Focus::List => in_list(key.code).or(match key.code {
            KeyCode::Char(letter) if letter.is_alphanumeric() => Some(Command::Filter(Some(letter))),
            _ => None,
        }),
        Focus::Preview => in_preview(key.code).or(in_list(key.code)),
        Focus::Reader => in_reader(key.code),
        Focus::Filter => match key.code {
            KeyCode::Up => Some(Command::Go(Step::Lines(-1))),
            KeyCode::Down => Some(Command::Go(Step::Lines(1))),
            KeyCode::PageUp => Some(Command::Go(Step::Pages(-1))),
            KeyCode::PageDown => Some(Command::Go(Step::Pages(1))),
            KeyCode::Tab => Some(Command::SwitchFocus),
            code => in_line(code),
        },
        Focus::Find => in_line(key.code),
    }
}

fn with_control(focus: Focus, code: KeyCode) -> Option<Command> {
    let is_typed = matches!(focus, Focus::Filter | Focus::Find);
    match code {
        KeyCode::Char('c' | 'q') => Some(Command::Quit),
        KeyCode::Char('z') => Some(Command::Suspend),
        KeyCode::Char('w') | KeyCode::Backspace if is_typed => Some(Command::EraseWord),
        KeyCode::Char('u') if is_typed => Some(Command::EraseAll),
        KeyCode::Char('h') if is_typed => Some(Command::Erase),
        KeyCode::Char('j') if is_typed => Some(Command::Accept),
        KeyCode::Char('n') => Some(Command::Go(Step::Lines(1))),
        KeyCode::Char('p') => Some(Command::Go(Step::Lines(-1))),
        KeyCode::Char('d') => Some(Command::Go(Step::Half(1))),
        KeyCode::Char('u') => Some(Command::Go(Step::Half(-1))),
        KeyCode::Char('f') => Some(Command::Go(Step::Pages(1))),
        KeyCode::Char('b') => Some(Command::Go(Step::Pages(-1))),
        _ => None,
    }
}

/// Movement keys, the same in all texts and lists.
fn moving(code: KeyCode) -> Option<Command> {
    let step = match code {
        KeyCode::Char('j') | KeyCode::Down => Step::Lines(1),
        KeyCode::Char('k') | KeyCode::Up => Step::Lines(-1),
        KeyCode::Char(' ' | 'f') | KeyCode::PageDown => Step::Pages(1),
        KeyCode::Char('b') | KeyCode::PageUp => Step::Pages(-1),
        KeyCode::Char('g') | KeyCode::Home => Step::First,
        KeyCode::Char('G') | KeyCode::End => Step::Last,
        _ => return None,
    };
    Some(Command::Go(step))
}

/// Commands for a session, the same in list and reader.
fn with_session(code: KeyCode) -> Option<Command> {
    Some(match code {
        KeyCode::Char('o') => Command::Browser,
        KeyCode::Char('y') => Command::CopyId,
        KeyCode::Char('r') => Command::Resume,
        KeyCode::Char('e') => Command::ExportPage,
        KeyCode::Char('E') => Command::ExportMarkdown,
        KeyCode::Char('S') => Command::Share,
        KeyCode::Char('?') | KeyCode::F(1) => Command::Help,
        KeyCode::Esc => Command::Back,
        _ => return None,
    })
}

fn in_list(code: KeyCode) -> Option<Command> {
    Some(match code {
        KeyCode::Char('q') => Command::Quit,
        KeyCode::Enter | KeyCode::Char('l') | KeyCode::Right => Command::Open,
        KeyCode::Tab | KeyCode::BackTab => Command::SwitchFocus,
        KeyCode::Char('/') | KeyCode::Backspace => Command::Filter(None),
        KeyCode::Char('s') => Command::Sort,
        KeyCode::Char('p') => Command::Scope,
        KeyCode::Char('J') => Command::GoPreview(Step::Lines(1)),
        KeyCode::Char('K') => Command::GoPreview(Step::Lines(-1)),
        code => return moving(code).or(with_session(code)),
    })
}

fn in_preview(code: KeyCode) -> Option<Command> {
    match code {
        KeyCode::Char('h') | KeyCode::Left => Some(Command::SwitchFocus),
        KeyCode::Char(']') => Some(Command::Turns(1)),
        KeyCode::Char('[') => Some(Command::Turns(-1)),
        _ => None,
    }
}

fn in_reader(code: KeyCode) -> Option<Command> {
    Some(match code {
        KeyCode::Char('q' | 'h') | KeyCode::Left | KeyCode::Backspace => Command::Back,
        KeyCode::Enter => Command::Go(Step::Lines(1)),
        KeyCode::Char('/') => Command::Find,
        KeyCode::Char('n') => Command::FindNext,
        KeyCode::Char('N') => Command::FindPrevious,
        KeyCode::Char('d') => Command::Detail,
        KeyCode::Char(']' | '}') => Command::Turns(1),
        KeyCode::Char('[' | '{') => Command::Turns(-1),
        code => return moving(code).or(with_session(code)),
    })
}

fn in_line(code: KeyCode) -> Option<Command> {
    Some(match code {
        KeyCode::Char(letter) => Command::Type(letter),
        KeyCode::Backspace => Command::Erase,
        KeyCode::Enter => Command::Accept,
        KeyCode::Esc => Command::Back,
        _ => return None,
    })
}

/// Key hints for the footer, most important first; as many as fit are shown.
pub(crate) const fn hints(focus: Focus) -> &'static [(&'static str, &'static str)] {
    match focus {
        Focus::List => &[
            ("enter", "read"),
            ("/", "filter"),
            ("q", "quit"),
            ("?", "keys"),
            ("tab", "preview"),
            ("o", "browser"),
            ("r", "resume"),
            ("y", "copy id"),
            ("e", "export"),
            ("s", "sort"),
            ("p", "this project"),
        ],
        Focus::Filter => &[("enter", "search"), ("esc", "clear"), ("↑↓", "select"), ("ctrl-c", "quit")],
        Focus::Preview => &[("tab", "list"), ("j k", "scroll"), ("[ ]", "turns"), ("enter", "read"), ("q", "quit")],
        Focus::Reader => &[
            ("q", "back"),
            ("[ ]", "turns"),
            ("d", "detail"),
            ("/", "find"),
            ("n N", "next"),
            ("?", "keys"),
            ("o", "browser"),
            ("r", "resume"),
            ("e", "export"),
        ],
        Focus::Find => &[("enter", "find"), ("esc", "back")],
    }
}

/// Keys and their effects, grouped by topic.
pub(crate) type Keys = &'static [(&'static str, &'static [(&'static str, &'static str)])];

/// All keys, for the help.
pub(crate) const HELP: Keys = &[
    (
        "sessions",
        &[
            ("j k ↑ ↓", "select; space, b, g, G by pages and to the ends"),
            ("enter", "read the session"),
            ("/", "filter by title, project, branch, prompts, id"),
            ("s", "sort by time, cost, turns, failures, time worked, title"),
            ("p", "only this project, or all"),
            ("tab", "scroll the preview; J and K do so from the list"),
            ("q ctrl-c esc", "quit; esc clears the filter first; ctrl-z suspends"),
        ],
    ),
    (
        "reading",
        &[
            ("j k space b", "scroll; g, G to the ends"),
            ("[ ]", "the turn before, the next turn"),
            ("d", "level of detail: prompts, talk, steps, full, raw"),
            ("/ n N", "find; the next, the one before"),
            ("q esc", "back to the list"),
        ],
    ),
    (
        "a session",
        &[
            ("o", "open it as a page in the browser"),
            ("y", "copy its id"),
            ("r", "copy the command that resumes it"),
            ("e E", "write a page, or Markdown, into this folder"),
            ("S", "write a page without secrets and private things"),
        ],
    ),
];

#[cfg(test)]
mod tests {
    use super::*;

    fn pressed(focus: Focus, letter: char) -> Option<Command> {
        command(focus, KeyEvent::new(KeyCode::Char(letter), KeyModifiers::NONE))
    }

    #[test]
    fn letters_are_commands_until_a_filter_is_typed() {
        assert_eq!(pressed(Focus::List, 'q'), Some(Command::Quit));
        assert_eq!(pressed(Focus::List, '/'), Some(Command::Filter(None)));
        assert_eq!(pressed(Focus::List, 'w'), Some(Command::Filter(Some('w'))));
        assert_eq!(pressed(Focus::List, '7'), Some(Command::Filter(Some('7'))));
        assert_eq!(pressed(Focus::List, '%'), None);
        assert_eq!(pressed(Focus::Filter, 'q'), Some(Command::Type('q')));
        assert_eq!(pressed(Focus::Reader, 'q'), Some(Command::Back));
        assert_eq!(pressed(Focus::Preview, 'q'), Some(Command::Quit));
    }

    #[test]
    fn control_c_and_control_q_quit_from_everywhere() {
        for focus in [Focus::List, Focus::Filter, Focus::Preview, Focus::Reader, Focus::Find] {
            for letter in ['c', 'q'] {
                let key = KeyEvent::new(KeyCode::Char(letter), KeyModifiers::CONTROL);
                assert_eq!(command(focus, key), Some(Command::Quit), "{focus:?} {letter}");
            }
        }
    }

    #[test]
    fn every_hinted_key_has_an_effect() {
        for focus in [Focus::List, Focus::Preview, Focus::Reader] {
            let letters = hints(focus).iter().flat_map(|(keys, _)| keys.split(' ')).filter(|key| key.len() == 1);
            for letter in letters.filter_map(|key| key.chars().next()) {
                assert!(pressed(focus, letter).is_some(), "{focus:?} {letter}");
            }
        }
    }
}
