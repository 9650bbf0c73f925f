//! A story as lines for a terminal: calm and dense, prompts and replies first.

mod header;
mod section;
mod step;

use std::io::{self, Write};

use human::Locale;
use story::thread::{Thread, ThreadKind, Turn};
use story::{Detail, SessionStatus, Step, Story, Texts, ThreadId};

use content::{Bill, Selection, main_thread};
use styled::Line;
use styled::Role;
use styled::{Theme, write};

pub use step::call_line;

/// The appearance of lines.
#[derive(Debug, Clone)]
pub struct TerminalLook {
    /// The width in columns.
    pub width: usize,
    /// Whether long lines are wrapped at the width, as in a terminal. In a file or a pipe, code, output and diffs keep
    /// their lines.
    pub is_terminal: bool,
    /// The colours; `None` for plain text.
    pub theme: Option<Theme>,
    /// The time zone and the currency of all output.
    pub locale: Locale,
    /// What the session and its turns used.
    pub bill: Bill,
    /// The session's state, if that was asked.
    pub status: Option<SessionStatus>,
}

/// Minimum width for wrapping: below it no line is readable, and the terminal wraps as it likes.
const NARROWEST: usize = 30;

/// Maximum width of text: longer lines are hard to read.
const WIDEST: usize = 110;

/// Writes the selected part of a story.
pub fn write_terminal(
    out: &mut dyn Write,
    story: &Story,
    texts: &mut dyn Texts,
    selection: &Selection,
    look: &TerminalLook,
) -> io::Result<()> {
    let width = look.width.clamp(NARROWEST, WIDEST);
    let mut page = Page { out, story, texts, selection, look, width };
    page.lines(&header::lines(story, look, width))?;
    for (id, thread) in story.threads().filter(|(id, _)| selection.has_thread(story, *id)) {
        page.thread(id, thread)?;
    }
    Ok(())
}

struct Page<'p> {
    out: &'p mut dyn Write,
    story: &'p Story,
    texts: &'p mut dyn Texts,
    selection: &'p Selection,
    look: &'p TerminalLook,
    width: usize,
}

impl Page<'_> {
    fn lines(&mut self, lines: &[Line]) -> io::Result<()> {
        self.out.write_all(write(lines, self.look.theme.as_ref()).as_bytes())
    }

    fn thread(&mut self, id: ThreadId, thread: &Thread) -> io::Result<()> {
        if id != main_thread(self.story) {
            let title = thread_title(id, thread);
            self.lines(&[Line::new(), rule(&title, self.width, Role::Heading)])?;
        }
        for (number, turn) in (1..).zip(&thread.turns) {
            if self.selection.has_turn(number) {
                self.turn(id, number, thread, turn)?;
            }
        }
        Ok(())
    }

    fn turn(&mut self, id: ThreadId, number: usize, thread: &Thread, turn: &Turn) -> io::Result<()> {
        let steps: Vec<&Step> =
            self.story.steps(thread, turn).map(|(_, step)| step).filter(|step| self.selection.has_step(step)).collect();
        if steps.is_empty() {
            return Ok(());
        }
        let took = Some(turn.active_ms).filter(|millis| *millis >= 1000).map(human::duration);
        let failed = match self.selection.detail {
            Detail::Prompts => self.story.failures(thread, turn),
            Detail::Talk | Detail::Steps | Detail::Full | Detail::Raw => 0,
        };
        let failed = (failed > 0).then(|| format!("{failed} failed"));
        let spent = self.look.bill.turn(id, number).map(|spent| self.look.locale.spent(&spent));
        self.lines(&beginning(number, turn, [took, failed, spent], self.look))?;
        let mut before = None;
        for step in steps {
            let is_shown = |thread| self.selection.has_thread(self.story, thread);
            let builder = step::Shown {
                story: self.story,
                detail: self.selection.detail,
                room: room(self.look),
                locale: &self.look.locale,
                has_thread: &is_shown,
            };
            let mut printer = Printer::new(self.out, self.look.theme.as_ref(), step, before);
            builder.write(self.texts, step, &mut |line| printer.line(line));
            before = Some(printer.finish()?);
        }
        Ok(())
    }
}

/// Prints the lines of a step as they come.
struct Printer<'p> {
    out: &'p mut dyn Write,
    theme: Option<&'p Theme>,
    step: &'p Step,
    before: Option<step::Spacing>,
    /// The spacing, which depends on the number of lines: a few tell.
    spacing: Option<step::Spacing>,
    first: Vec<Line>,
    /// What has not been written yet.
    text: String,
    failed: io::Result<()>,
}

impl<'p> Printer<'p> {
    fn new(out: &'p mut dyn Write, theme: Option<&'p Theme>, step: &'p Step, before: Option<step::Spacing>) -> Self {
        Self { out, theme, step, before, spacing: None, first: Vec::new(), text: String::new(), failed: Ok(()) }
    }

    fn line(&mut self, line: Line) {
        if self.spacing.is_some() {
            return self.print(&line);
        }
        self.first.push(line);
        if self.first.len() > step::Spacing::FEW {
            self.begin();
        }
    }

    fn begin(&mut self) -> step::Spacing {
        let spacing = step::Spacing::of(self.step, self.first.len());
        self.spacing = Some(spacing);
        if self.before.is_some_and(|before| before.wants_air(spacing)) {
            self.print(&Line::new());
        }
        for line in std::mem::take(&mut self.first) {
            self.print(&line);
        }
        spacing
    }

    fn print(&mut self, line: &Line) {
        const PIECE: usize = 64 << 10;
        self.text.push_str(&write([line], self.theme));
        if self.text.len() >= PIECE {
            self.flush();
        }
    }

    fn flush(&mut self) {
        if self.failed.is_ok() {
            self.failed = self.out.write_all(self.text.as_bytes());
        }
        self.text.clear();
    }

    /// Prints the rest. Returns the spacing of the step.
    fn finish(mut self) -> io::Result<step::Spacing> {
        let spacing = self.spacing.unwrap_or_else(|| self.begin());
        self.flush();
        self.failed.map(|()| spacing)
    }
}

/// The heading of a turn.
fn beginning(number: usize, turn: &Turn, facts: [Option<String>; 3], look: &TerminalLook) -> Vec<Line> {
    let time = look.locale.time_of_day(turn.started);
    let title = [Some(number.to_string()), Some(time)].into_iter().chain(facts).flatten();
    let title = title.filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" · ");
    vec![Line::new(), rule(&title, look.width.clamp(NARROWEST, WIDEST), Role::Quiet)]
}

/// The heading of a turn whose duration is not known yet.
pub(crate) fn turn_rule(number: usize, turn: &Turn, look: &TerminalLook) -> Vec<Line> {
    beginning(number, turn, [None, None, None], look)
}

/// Passes on the lines of a step alone.
pub(crate) fn write_step(
    story: &Story,
    texts: &mut dyn Texts,
    step: &Step,
    look: &TerminalLook,
    out: &mut dyn FnMut(Line),
) {
    let shown =
        step::Shown { story, detail: Detail::Steps, room: room(look), locale: &look.locale, has_thread: &|_| false };
    shown.write(texts, step, out);
}

/// The space for a line.
fn room(look: &TerminalLook) -> section::Room {
    let width = look.width.clamp(NARROWEST, WIDEST);
    section::Room { width, columns: if look.is_terminal { width } else { usize::MAX }, most: usize::MAX }
}

/// A thin line with a title.
fn rule(title: &str, width: usize, role: Role) -> Line {
    let mut line = Line::new().with("── ", Role::Quiet).with(title, role).with(" ", Role::Quiet).cut(width);
    let rest = width.saturating_sub(line.width());
    line.push(&"─".repeat(rest), Role::Quiet);
    line
}

fn thread_title(id: ThreadId, thread: &Thread) -> String {
    let about = match &thread.kind {
        ThreadKind::Main => "the conversation".to_owned(),
        ThreadKind::Branch => "a branch that was left".to_owned(),
        ThreadKind::Agent(agent) => {
            let name = agent.name.as_deref().or(agent.agent_type.as_deref());
            let words = [name, agent.description.as_deref()].into_iter().flatten();
            let what = words.filter(|word| !word.is_empty()).collect::<Vec<_>>().join(": ");
            format!("{} {what}", if agent.teammate { "teammate" } else { "agent" })
        }
    };
    format!("thread {} · {}", id.index(), about.trim_end())
}
