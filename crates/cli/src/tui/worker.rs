//! Slow work in the background: listing sessions and building stories.
//!
//! One thread owns the index and handles one request at a time. Stories arrive in pieces. Each request has a ticket,
//! and only the latest ticket counts: an outdated story is abandoned.

use std::collections::HashMap;
use std::io::{self, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

use app::App;
use content::Selection;
use index::Index;
use index::catalogue::Session;
use live::evidence::{Evidence, Place};
use reader::SessionReader;
use render::terminal::{TerminalLook, write_terminal};
use sources::{FileKey, find_at};
use story::{Detail, Ending, SessionStatus};
use styled::Line;
use styled::Theme;
use styled::ansi::{self, Limits};

use super::events::Event;
use super::finder::{self, SessionMatch};
use super::list::Prompts;
use super::story_lines::Progress;
use super::write::{self, Form};

/// A preview is built only if the selection rests for this long.
const PAUSE: Duration = Duration::from_millis(40);

/// Maximum number of lines of a preview and of an open session, to bound memory.
const MOST_PREVIEWED: usize = 500;
const MOST_READ: usize = 500_000;

/// The first lines are sent at once, the others in larger pieces.
const FIRST_PIECE: usize = 100;
const PIECE: usize = 2_000;

/// Bytes of a session's prompts that a filter searches.
const MOST_PROMPTS: usize = 20_000;

/// A request.
#[derive(Debug)]
pub(crate) enum Ask {
    /// Send the list of sessions.
    List,
    Show(Wish),
    Search(String),
    Write(Target),
    /// Use this index from now on.
    Use(Box<Index>),
}

/// A requested story.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Wish {
    pub(crate) ticket: u64,
    pub(crate) session: i64,
    /// The time of the session's last known activity.
    pub(crate) last: Option<i64>,
    pub(crate) main: FileKey,
    pub(crate) detail: Detail,
    /// The first turn to include.
    pub(crate) from_turn: usize,
    pub(crate) width: usize,
    /// Whether only the beginning is wanted, for a preview.
    pub(crate) is_preview: bool,
}

/// A session to write to a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Target {
    pub(crate) session: i64,
    pub(crate) name: String,
    pub(crate) main: FileKey,
    pub(crate) form: Form,
}

/// A message of the worker.
#[derive(Debug)]
pub(crate) enum News {
    Sessions(Vec<Session>),
    Prompts(HashMap<i64, Prompts>),
    /// Matches of a search, by session.
    Found {
        query: String,
        found: HashMap<i64, SessionMatch>,
    },
    /// Lines of a story, and which of them begin turns.
    Lines {
        ticket: u64,
        lines: Vec<Line>,
        turns: Vec<usize>,
    },
    Shown {
        ticket: u64,
        progress: Progress,
    },
    /// Bytes read so far, and the total.
    Reading {
        done: u64,
        all: u64,
    },
    /// The index is up to date, except for this many unreadable files.
    UpToDate {
        unread: usize,
    },
    /// A notice to show.
    Notice(String),
}

/// A handle to the worker.
#[derive(Debug, Clone)]
pub(crate) struct Worker {
    asks: Sender<Ask>,
    latest: Arc<AtomicU64>,
}

impl Worker {
    /// Starts the worker with the existing index, if there is one.
    pub(crate) fn start(app: App, events: Sender<Event>) -> io::Result<Self> {
        let (asks, todo) = channel();
        let latest = Arc::new(AtomicU64::new(0));
        let index = app.stale_index();
        let mut work = Work { app, index, events, latest: Arc::clone(&latest), kept: None, evidence: None };
        thread::Builder::new().name("worker".to_owned()).spawn(move || work.run(&todo))?;
        Ok(Self { asks, latest })
    }

    pub(crate) fn ask(&self, ask: Ask) {
        if let Ask::Show(wish) = &ask {
            self.latest.store(wish.ticket, Ordering::Relaxed);
        }
        // Fails only when the program ends.
        let _ = self.asks.send(ask);
    }
}

struct Work {
    app: App,
    index: Option<Index>,
    events: Sender<Event>,
    latest: Arc<AtomicU64>,
    /// The latest story, with the session's last activity: often another part of it is requested next.
    kept: Option<(i64, Option<i64>, SessionReader)>,
    /// What runs, and when that was read.
    evidence: Option<(Instant, Evidence)>,
}

impl Work {
    fn run(&mut self, todo: &Receiver<Ask>) {
        while let Ok(ask) = todo.recv() {
            match ask {
                Ask::List => self.list(),
                Ask::Show(wish) => {
                    if wish.is_preview && self.is_wanted(wish.ticket) {
                        thread::sleep(PAUSE);
                    }
                    if self.is_wanted(wish.ticket) {
                        let progress = self.show(&wish).unwrap_or_else(Progress::Failed);
                        self.send(News::Shown { ticket: wish.ticket, progress });
                    }
                }
                Ask::Search(query) => self.search(query),
                Ask::Write(target) => self.write(target),
                Ask::Use(index) => {
                    self.index = Some(*index);
                    self.list();
                }
            }
        }
    }

    fn send(&self, news: News) {
        let _ = self.events.send(Event::News(news));
    }

    fn is_wanted(&self, ticket: u64) -> bool {
        self.latest.load(Ordering::Relaxed) == ticket
    }

    fn list(&mut self) {
        let evidence = self.evidence();
        let Some(index) = &self.index else { return };
        let mut sessions = match index.sessions() {
            Ok(sessions) => sessions,
            Err(error) => return self.send(News::Notice(error.to_string())),
        };
        evidence.settle(&mut sessions, self.app.timestamp().as_millisecond());
        let ids: Vec<i64> = sessions.iter().map(|session| session.id).collect();
        self.send(News::Sessions(sessions));
        let prompts = ids.into_iter().filter_map(|id| Some((id, prompts(index, id)?))).collect();
        self.send(News::Prompts(prompts));
    }

    /// Returns the evidence that sessions run, at most a few seconds old.
    fn evidence(&mut self) -> Evidence {
        /// Moving through a list asks for one session after another.
        const VALID: Duration = Duration::from_secs(3);
        let known = self.evidence.take().filter(|(read, _)| read.elapsed() < VALID);
        let (_, evidence) = self.evidence.insert(known.unwrap_or_else(|| (Instant::now(), self.app.read_evidence())));
        evidence.clone()
    }

    /// Returns the state of a session that was read.
    fn status(&mut self, main: &FileKey, reader: &mut SessionReader) -> SessionStatus {
        let evidence = self.evidence();
        let story = reader.parts().0;
        let is_here = main.machine.is_empty() && main.tenant.is_empty();
        let session = story.facts.session_id.as_deref().unwrap_or_default();
        let place = Place { session, path: Some(&main.path), is_here };
        evidence.status(&place, &Ending::of(story), self.app.timestamp().as_millisecond())
    }

    fn search(&self, query: String) {
        let Some(index) = &self.index else { return };
        self.send(match finder::find(&self.app, index, &query) {
            Ok(found) => News::Found { query, found },
            Err(error) => News::Notice(error),
        });
    }

    fn show(&mut self, wish: &Wish) -> Result<Progress, String> {
        let mut reader = match self.kept.take() {
            Some((session, last, reader)) if (session, last) == (wish.session, wish.last) => reader,
            _ => self.reader(wish.session, &wish.main)?,
        };
        let turns = (wish.from_turn > 1).then_some(wish.from_turn as u64..=u64::MAX);
        let settings = self.app.settings().map_err(|error| error.to_string())?;
        let (locale, bill) = (settings.locale.clone(), settings.bill(&mut reader));
        let selection = Selection { detail: wish.detail, turns, ..Selection::default() };
        let status = Some(self.status(&wish.main, &mut reader));
        let (width, theme) = (wish.width, Some(Theme::default()));
        let look = TerminalLook { width, is_terminal: true, theme, locale, bill, status };
        let left = if wish.is_preview { MOST_PREVIEWED } else { MOST_READ };
        let mut sink = Sink { work: self, ticket: wish.ticket, left, piece: FIRST_PIECE, lines: Vec::new() };
        let (story, texts) = reader.parts();
        let outcome = write_terminal(&mut sink, story, texts, &selection, &look);
        sink.send();
        let is_cut = sink.left == 0;
        self.kept = Some((wish.session, wish.last, reader));
        match outcome {
            Ok(()) => Ok(Progress::Whole),
            Err(_) if is_cut => Ok(Progress::Cut),
            Err(error) => Err(error.to_string()),
        }
    }

    /// Returns the story of a session from the index, or else from its files.
    fn reader(&self, session: i64, main: &FileKey) -> Result<SessionReader, String> {
        let known = self.index.as_ref().and_then(|index| {
            let session = index.session_numbered(session).ok()??;
            index.reader(&session).ok()?
        });
        if let Some(reader) = known {
            return Ok(reader);
        }
        let mut found = find_at(std::slice::from_ref(&main.path));
        let archived = self.index.as_ref().and_then(|index| index.shelf().source_at(main));
        let Some(source) = archived.or_else(|| found.sources.pop()) else {
            let why = found.problems.first().map(ToString::to_string);
            return Err(why.unwrap_or_else(|| format!("no longer there: {}", main.path.display())));
        };
        let copied = self.index.as_ref().and_then(|index| index.copied(main).ok().flatten());
        let (reader, _) = SessionReader::counted(&source, copied, &|_| {}).map_err(|problem| problem.to_string())?;
        let surroundings = self.app.surroundings(&source).map_err(|error| error.to_string())?;
        Ok(reader.surrounded_by(surroundings))
    }

    /// Writes a session in a separate thread, so that the list stays responsive.
    fn write(&mut self, target: Target) {
        let mut reader = match self.reader(target.session, &target.main) {
            Ok(reader) => reader,
            Err(why) => return self.send(News::Notice(why)),
        };
        let status = self.status(&target.main, &mut reader);
        let (app, events) = (self.app.clone(), self.events.clone());
        let write = move || {
            let written = write::write(&app, &mut reader, &target.name, (&target.main, target.form), status);
            let notice = written.unwrap_or_else(|error| error.to_string());
            let _ = events.send(Event::News(News::Notice(notice)));
        };
        if let Err(error) = thread::Builder::new().name("write".to_owned()).spawn(write) {
            self.send(News::Notice(error.to_string()));
        }
    }
}

/// Returns the prompts of a session; `None` if they are unknown.
fn prompts(index: &Index, session: i64) -> Option<Prompts> {
    let turns = index.turns(session).ok()?;
    let first = turns.iter().map(|turn| turn.prompt.trim()).find(|prompt| !prompt.is_empty())?.to_owned();
    let mut all = String::new();
    for turn in &turns {
        if all.len() > MOST_PROMPTS {
            break;
        }
        all.push_str(&turn.prompt);
        all.push('\n');
    }
    Some(Prompts { first, all })
}

/// A writer that sends a story in pieces.
struct Sink<'w> {
    work: &'w Work,
    ticket: u64,
    /// Number of lines still wanted.
    left: usize,
    /// Number of lines per piece.
    piece: usize,
    lines: Vec<Line>,
}

impl Sink<'_> {
    fn send(&mut self) {
        if self.lines.is_empty() || !self.work.is_wanted(self.ticket) {
            return;
        }
        let lines = std::mem::take(&mut self.lines);
        let begins = lines.iter().enumerate().filter(|(_, line)| begins_turn(line.text()));
        let turns = begins.map(|(at, _)| at).collect();
        self.work.send(News::Lines { ticket: self.ticket, lines, turns });
        self.piece = PIECE;
    }
}

impl Write for Sink<'_> {
    /// Receives whole lines, since the story is written line by line.
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if !self.work.is_wanted(self.ticket) {
            return Err(io::Error::other("no longer needed"));
        }
        if self.left == 0 {
            return Err(io::Error::other("the limit is reached"));
        }
        let limits = Limits { columns: usize::MAX, lines: self.left };
        let mut lines = ansi::output(&String::from_utf8_lossy(bytes), limits).lines;
        self.left -= lines.len().min(self.left);
        self.lines.append(&mut lines);
        if self.lines.len() >= self.piece {
            self.send();
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Returns whether a line is the heading of a turn: `── 3 · 09:15 ───`.
fn begins_turn(line: &str) -> bool {
    let Some(title) = line.strip_prefix("── ") else { return false };
    let number = title.split(' ').next().unwrap_or_default();
    line.ends_with('─') && !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn turns_are_known_by_their_rules() {
        assert!(begins_turn("── 12 · 09:15 · 2 min ───────") && begins_turn("── 1 ─────"));
        assert!(!begins_turn("── thread 2 · agent ────") && !begins_turn("  ── 1 ──") && !begins_turn("── 1 thing"));
    }
}
