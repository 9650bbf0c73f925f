//! Handles keys, the mouse and pasted text.

use std::time::{Duration, Instant};

use ratatui::crossterm::event::{Event, KeyEventKind, KeyModifiers, MouseButton, MouseEvent, MouseEventKind};
use ratatui::layout::Position;
use story::Detail;

use super::{Browser, Effect};
use crate::terminal::steers;
use crate::tui::clipboard;
use crate::tui::keys::{self, Command, Focus};
use crate::tui::list::Scope;
use crate::tui::story_lines::Step;
use crate::tui::worker::{Ask, Target};
use crate::tui::write::Form;

/// Lines per step of the wheel.
const WHEEL: isize = 3;

/// Longest time between the two clicks of a double click.
const DOUBLE: Duration = Duration::from_millis(400);

/// The last click on a row, to detect a double click.
#[derive(Debug, Default)]
pub(crate) struct Clicks {
    last: Option<(Instant, u16)>,
}

impl Clicks {
    pub(crate) fn is_double(&mut self, row: u16, now: Instant) -> bool {
        let is_double = self.last.is_some_and(|(at, last)| last == row && now.duration_since(at) < DOUBLE);
        self.last = (!is_double).then_some((now, row));
        is_double
    }
}

/// The levels of detail in order.
const DETAILS: [Detail; 5] = [Detail::Prompts, Detail::Talk, Detail::Steps, Detail::Full, Detail::Raw];

impl Browser {
    /// Handles user input.
    pub(crate) fn take(&mut self, input: &Event, now: Instant) {
        match input {
            Event::Key(key) if key.kind != KeyEventKind::Release => {
                self.notice = None;
                let command = keys::command(self.focus, *key);
                let is_urgent = key.modifiers.contains(KeyModifiers::CONTROL);
                if self.is_helping && !is_urgent {
                    self.is_helping = false;
                } else if let Some(command) = command {
                    self.obey(command);
                }
            }
            Event::Mouse(mouse) => self.take_mouse(*mouse, now),
            Event::Paste(text) => {
                if matches!(self.focus, Focus::List | Focus::Preview) && !self.is_helping {
                    self.focus = Focus::Filter;
                }
                let text: String = text.chars().map(|c| if steers(c) { ' ' } else { c }).collect();
                self.edit(|line| line.push_str(&text));
            }
            Event::Key(_) | Event::FocusGained | Event::FocusLost | Event::Resize(..) => {}
        }
    }

    fn obey(&mut self, command: Command) {
        match command {
            Command::Quit => self.effects.push(Effect::Quit),
            Command::Suspend => self.effects.push(Effect::Suspend),
            Command::Back => self.back(),
            Command::Help => self.is_helping = true,
            Command::Go(step) => self.go(step),
            Command::GoPreview(step) => self.preview.story_lines.scroll(step),
            Command::Open => self.open(),
            Command::SwitchFocus => {
                self.focus = match self.focus {
                    Focus::List | Focus::Filter if self.layout.preview.is_some() => Focus::Preview,
                    _ => Focus::List,
                };
            }
            Command::Filter(letter) => {
                self.focus = Focus::Filter;
                self.edit(|line| line.extend(letter));
            }
            Command::Type(letter) => self.edit(|line| line.push(letter)),
            Command::Erase => self.edit(|line| {
                line.pop();
            }),
            Command::EraseWord => self.edit(|line| {
                let rest = line.trim_end().trim_end_matches(|c: char| !c.is_whitespace()).len();
                line.truncate(rest);
            }),
            Command::EraseAll => self.edit(String::clear),
            Command::Accept => self.accept(),
            Command::Browser => self.write(Form::Browser),
            Command::ExportPage => self.write(Form::Page),
            Command::ExportMarkdown => self.write(Form::Markdown),
            Command::Share => self.write(Form::Shared),
            Command::CopyId => {
                let id = self.session().map(|session| session.name.clone());
                self.copy(id, "there is no id to copy");
            }
            Command::Resume => {
                let command = self.session().and_then(clipboard::resume_command);
                self.copy(command, "this session has no id or folder that could be typed");
            }
            Command::Sort => self.list.resort(),
            Command::Scope => self.switch_scope(),
            Command::Detail => self.switch_detail(),
            Command::Find => {
                self.typed.clear();
                self.focus = Focus::Find;
            }
            Command::FindNext => self.find(true, false),
            Command::FindPrevious => self.find(false, false),
            Command::Turns(turns) => match &mut self.reader {
                Some(reader) => reader.story_lines.go_by_turns(turns),
                None => self.preview.story_lines.go_by_turns(turns),
            },
        }
    }

    fn back(&mut self) {
        match self.focus {
            Focus::Find => self.focus = Focus::Reader,
            Focus::Reader => {
                self.reader = None;
                self.focus = Focus::List;
            }
            Focus::Preview => self.focus = Focus::List,
            Focus::List if self.list.filter().is_empty() => self.effects.push(Effect::Quit),
            Focus::List | Focus::Filter => {
                self.list.set_filter(String::new());
                self.focus = Focus::List;
            }
        }
    }

    fn go(&mut self, step: Step) {
        match (self.focus, &mut self.reader) {
            (_, Some(reader)) => reader.story_lines.scroll(step),
            (Focus::Preview, None) => self.preview.story_lines.scroll(step),
            (Focus::List | Focus::Filter | Focus::Reader | Focus::Find, None) => self.list.go(step),
        }
    }

    /// Changes the active input line.
    fn edit(&mut self, change: impl FnOnce(&mut String)) {
        match self.focus {
            Focus::Filter => {
                let mut filter = self.list.filter().to_owned();
                change(&mut filter);
                self.list.set_filter(filter);
            }
            Focus::Find => change(&mut self.typed),
            Focus::List | Focus::Preview | Focus::Reader => {}
        }
    }

    fn accept(&mut self) {
        if self.focus == Focus::Find {
            self.focus = Focus::Reader;
            if let Some(reader) = self.reader.as_mut().filter(|_| !self.typed.is_empty()) {
                reader.story_lines.look_for(&self.typed);
            }
            self.find(true, true);
        } else {
            self.focus = Focus::List;
            let query = self.list.filter().to_owned();
            if !query.trim().is_empty() {
                self.effects.push(Effect::Ask(Ask::Search(query)));
            }
        }
    }

    fn find(&mut self, forward: bool, with_here: bool) {
        let Some(reader) = &mut self.reader else { return };
        let needle = reader.story_lines.needle().to_owned();
        if !needle.is_empty() && !reader.story_lines.find(forward, with_here) {
            self.notice = Some(format!("not found: {needle}"));
        }
    }

    fn write(&mut self, form: Form) {
        let Some(session) = self.session() else { return };
        let target = Target { session: session.id, name: session.name.clone(), main: session.key(), form };
        self.notice = Some("writing…".to_owned());
        self.effects.push(Effect::Ask(Ask::Write(target)));
    }

    fn copy(&mut self, text: Option<String>, none: &str) {
        self.notice = Some(match text {
            Some(text) => {
                self.effects.push(Effect::Send(clipboard::copy(&text)));
                format!("copied: {text}")
            }
            None => none.to_owned(),
        });
    }

    fn switch_scope(&mut self) {
        let scope = match self.list.scope {
            Scope::All => Scope::ThisProject,
            Scope::ThisProject => Scope::All,
        };
        if scope == Scope::ThisProject && self.list.count_here() == 0 {
            self.notice = Some("no session of this project".to_owned());
        } else {
            self.list.set_scope(scope);
        }
    }

    fn switch_detail(&mut self) {
        let Some(reader) = &mut self.reader else { return };
        let at = DETAILS.iter().position(|detail| *detail == reader.detail).unwrap_or(0);
        reader.detail = DETAILS.get(at + 1).copied().unwrap_or(Detail::Prompts);
        self.read_again();
    }

    fn take_mouse(&mut self, mouse: MouseEvent, now: Instant) {
        let lines = match mouse.kind {
            MouseEventKind::ScrollDown => WHEEL,
            MouseEventKind::ScrollUp => -WHEEL,
            MouseEventKind::Down(MouseButton::Left) => return self.click(mouse, now),
            _ => return,
        };
        let is_over_preview = self.layout.preview.is_some_and(|area| area.contains(place(mouse)));
        match &mut self.reader {
            Some(reader) => reader.story_lines.scroll(Step::Lines(lines)),
            None if is_over_preview => self.preview.story_lines.scroll(Step::Lines(lines)),
            None => self.list.go(Step::Lines(lines)),
        }
    }

    fn click(&mut self, mouse: MouseEvent, now: Instant) {
        if self.is_helping {
            self.is_helping = false;
            return;
        }
        if self.reader.is_some() {
            return;
        }
        if self.layout.preview.is_some_and(|area| area.contains(place(mouse))) {
            self.focus = Focus::Preview;
        } else if self.layout.list.contains(place(mouse)) {
            self.focus = Focus::List;
            let is_session = self.list.select_row((mouse.row - self.layout.list.y).into());
            if is_session && self.clicks.is_double(mouse.row, now) {
                self.open();
            }
        }
    }
}

fn place(mouse: MouseEvent) -> Position {
    Position::new(mouse.column, mouse.row)
}
