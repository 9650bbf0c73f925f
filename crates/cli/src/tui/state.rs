//! The state of the browser, and how keys, clicks and events change it.
//!
//! Nothing here touches a terminal or a file: side effects are returned as [`Effect`]s.

mod input;

use index::catalogue::Session;
use ratatui::layout::Rect;
use story::Detail;

use super::finder;
use super::keys::Focus;
use super::list::List;
use super::story_lines::{Progress, StoryLines};
use super::view::layout::Layout;
use super::worker::{Ask, News, Wish};

pub(crate) use input::Clicks;

/// The state of the browser.
#[derive(Debug)]
pub(crate) struct Browser {
    pub(crate) list: List,
    pub(crate) focus: Focus,
    pub(crate) is_helping: bool,
    /// The open session, if there is one.
    pub(crate) reader: Option<Reader>,
    pub(crate) preview: Preview,
    /// The typed search text of the reader.
    pub(crate) typed: String,
    /// The latest notice.
    pub(crate) notice: Option<String>,
    pub(crate) freshness: Freshness,
    pub(crate) layout: Layout,
    /// Number of stories requested so far.
    tickets: u64,
    clicks: Clicks,
    effects: Vec<Effect>,
}

/// An open session.
#[derive(Debug)]
pub(crate) struct Reader {
    pub(crate) session: Session,
    pub(crate) detail: Detail,
    pub(crate) story_lines: StoryLines,
    width: usize,
    ticket: u64,
}

/// The preview of the selected session. The previous content stays until new lines arrive.
#[derive(Debug, Default)]
pub(crate) struct Preview {
    pub(crate) story_lines: StoryLines,
    /// The subject of `story_lines`.
    shown: Option<Subject>,
    /// The latest request.
    asked: Option<(u64, Subject)>,
}

/// The subject of a preview: a session at a point in time, for a width in columns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Subject {
    session: i64,
    last: Option<i64>,
    width: usize,
    from_turn: usize,
}

/// Whether the list matches the files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Freshness {
    /// Bytes read so far, and the total.
    Reading {
        done: u64,
        all: u64,
    },
    UpToDate,
}

/// A side effect to carry out.
#[derive(Debug)]
pub(crate) enum Effect {
    Quit,
    Suspend,
    Ask(Ask),
    /// A sequence to send to the terminal unchanged.
    Send(String),
}

impl Browser {
    pub(crate) fn new(list: List) -> Self {
        Self {
            list,
            focus: Focus::List,
            is_helping: false,
            reader: None,
            preview: Preview::default(),
            typed: String::new(),
            notice: None,
            freshness: Freshness::Reading { done: 0, all: 0 },
            layout: Layout::default(),
            tickets: 0,
            clicks: Clicks::default(),
            effects: Vec::new(),
        }
    }

    /// Returns the pending effects.
    pub(crate) fn take_effects(&mut self) -> Vec<Effect> {
        std::mem::take(&mut self.effects)
    }

    /// Lays everything out in an area, and requests missing content.
    pub(crate) fn lay_out(&mut self, area: Rect) {
        self.layout = Layout::of(area);
        self.list.set_height(self.layout.list.height.into());
        self.preview.story_lines.set_height(self.layout.preview.map_or(0, |area| area.height.into()));
        if self.layout.preview.is_none() && self.focus == Focus::Preview {
            self.focus = Focus::List;
        }
        let (width, height) = (usize::from(self.layout.reader.width), usize::from(self.layout.reader.height));
        match &mut self.reader {
            Some(reader) => {
                reader.story_lines.set_height(height);
                if reader.width != width {
                    self.read_again();
                }
            }
            None => self.ask_for_preview(),
        }
    }

    fn ask_for_preview(&mut self) {
        let Some(area) = self.layout.preview else { return };
        let Some(session) = self.list.selected() else {
            self.preview = Preview::default();
            return;
        };
        let from_turn = self.list.found(session).map_or(0, |found| found.turn);
        let subject = Subject { session: session.id, last: session.last, width: area.width.into(), from_turn };
        if self.preview.asked.is_some_and(|(_, asked)| asked == subject) {
            return;
        }
        let main = session.key();
        self.tickets += 1;
        self.preview.asked = Some((self.tickets, subject));
        self.effects.push(Effect::Ask(Ask::Show(Wish {
            ticket: self.tickets,
            session: subject.session,
            last: subject.last,
            main,
            detail: Detail::Talk,
            from_turn,
            width: subject.width,
            is_preview: true,
        })));
    }

    /// Opens the selected session.
    fn open(&mut self) {
        let Some(session) = self.list.selected().cloned() else { return };
        // Cancels the pending preview.
        if self.preview.story_lines.progress == Progress::Reading || !self.preview.is_current() {
            self.preview.asked = None;
        }
        let turn = self.list.found(&session).map(|found| found.turn);
        let story_lines = StoryLines::going_to(turn, &finder::needle(self.list.filter()), 0);
        self.read(session, story_lines);
    }

    /// Opens a session at its last turn.
    pub(crate) fn read_end(&mut self, session: Session) {
        let last = usize::try_from(session.counts.turns).ok();
        self.read(session, StoryLines::going_to(last, "", 0));
    }

    fn read(&mut self, session: Session, story_lines: StoryLines) {
        self.reader = Some(Reader { session, detail: Detail::default(), story_lines, width: 0, ticket: 0 });
        self.focus = Focus::Reader;
        self.read_again();
    }

    /// Requests the open session again, at the visible turn.
    fn read_again(&mut self) {
        let Some(reader) = &mut self.reader else { return };
        self.tickets += 1;
        reader.ticket = self.tickets;
        reader.width = self.layout.reader.width.into();
        let turn = reader.story_lines.turn();
        reader.story_lines =
            StoryLines::going_to(Some(turn), reader.story_lines.needle(), self.layout.reader.height.into());
        self.effects.push(Effect::Ask(Ask::Show(Wish {
            ticket: reader.ticket,
            session: reader.session.id,
            last: reader.session.last,
            main: reader.session.key(),
            detail: reader.detail,
            from_turn: 0,
            width: reader.width,
            is_preview: false,
        })));
    }

    /// Handles a message of the worker.
    pub(crate) fn hear(&mut self, news: News) {
        match news {
            News::Sessions(sessions) => self.list.set_sessions(sessions),
            News::Prompts(prompts) => self.list.set_prompts(prompts),
            News::Found { query, found } => self.list.set_found(&query, found),
            News::Lines { ticket, lines, turns } => {
                if let Some(story_lines) = self.story_lines(ticket) {
                    story_lines.add(lines, &turns);
                }
            }
            News::Shown { ticket, progress } => {
                if let Some(story_lines) = self.story_lines(ticket) {
                    story_lines.end(progress);
                }
            }
            News::Reading { done, all } => self.freshness = Freshness::Reading { done, all },
            News::UpToDate { unread } => {
                self.freshness = Freshness::UpToDate;
                if unread > 0 {
                    let files = human::counted(unread as u64, "file", "files");
                    self.notice = Some(format!("{files} could not be read; `recount check` says why"));
                }
            }
            News::Notice(notice) => self.notice = Some(notice),
        }
    }

    /// Returns the text that a ticket was issued for, if it is still wanted.
    fn story_lines(&mut self, ticket: u64) -> Option<&mut StoryLines> {
        if let Some(reader) = self.reader.as_mut().filter(|reader| reader.ticket == ticket) {
            return Some(&mut reader.story_lines);
        }
        let (_, subject) = self.preview.asked.filter(|(asked, _)| *asked == ticket)?;
        if self.preview.shown != Some(subject) {
            // If the session grew or the window was resized, the visible turn stays.
            let is_same = |shown: Subject| (shown.session, shown.from_turn) == (subject.session, subject.from_turn);
            let turn = self.preview.shown.is_some_and(is_same).then(|| self.preview.story_lines.turn());
            let height = self.layout.preview.map_or(0, |area| area.height.into());
            self.preview.story_lines = StoryLines::going_to(turn, "", height);
            self.preview.shown = Some(subject);
        }
        Some(&mut self.preview.story_lines)
    }

    /// Returns the session that commands apply to.
    fn session(&self) -> Option<&Session> {
        self.reader.as_ref().map(|reader| &reader.session).or_else(|| self.list.selected())
    }
}

impl Preview {
    /// Returns whether the preview shows the selected session.
    pub(crate) fn is_current(&self) -> bool {
        self.asked.map(|(_, subject)| subject) == self.shown
    }
}

#[cfg(test)]
mod tests;
