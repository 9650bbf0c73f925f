//! A story as a document in GitHub-flavoured Markdown.
//!
//! Invariants of every document:
//! - Nothing in a session becomes markup, except the model's Markdown; HTML in it is shown as text. The only tags are
//!   `<details>`, `<summary>` and `<a id>`, and they are ours.
//! - Headings nest: `#` for the session, agents and branches, `##` for turns, deeper ones are those of replies.
//! - Opening the document loads nothing, and names in it notify no GitHub users.
//! - Times state their zone, since documents are shared.

mod call;
mod code;
mod head;
mod images;
mod index;
mod literal;
mod prose;
mod raw;
mod section;
mod sheet;
mod step;

use std::io::{self, Write};

use rustc_hash::FxHashSet;
use story::step::StepKind;
use story::thread::{Agent, ThreadKind};
use story::{BlockPlace, Detail, SessionStatus, Step, StepId, Story, Texts, Thread, ThreadId, Turn, TurnState};

use content::{Bill, Selection, main_thread};
use human::{Locale, duration};
use sheet::Sheet;

pub use images::{ImageSink, Images, Placing};
pub use index::write_markdown_index;

/// The figures of a document.
#[derive(Debug, Clone, Copy)]
pub struct Figures<'f> {
    /// The time zone and the currency.
    pub locale: &'f Locale,
    /// What the session and its turns used.
    pub bill: &'f Bill,
    /// The session's state, if that was asked.
    pub status: Option<SessionStatus>,
}

/// Writes the selected part of a story.
pub fn write_markdown(
    out: &mut dyn Write,
    story: &Story,
    texts: &mut dyn Texts,
    selection: &Selection,
    images: &mut dyn ImageSink,
    figures: &Figures<'_>,
) -> io::Result<()> {
    let Figures { locale, bill, status } = *figures;
    let sheet = Sheet::new(out);
    let mut page =
        Page { sheet, story, texts, selection, images, locale, bill, status, shown_lines: FxHashSet::default() };
    page.head()?;
    for (id, thread) in story.threads().filter(|(id, _)| selection.has_thread(story, *id)) {
        page.thread(id, thread)?;
    }
    if selection.detail == Detail::Raw && is_whole(selection) {
        page.other_lines()?;
    }
    Ok(())
}

/// Whether a selection includes all of the selected threads.
fn is_whole(selection: &Selection) -> bool {
    selection.turns.is_none() && selection.since.is_none() && selection.until.is_none()
}

/// Maximum number of characters of a prompt in a heading.
const HEADING: usize = 70;

/// A document that is being written.
struct Page<'p> {
    sheet: Sheet<'p>,
    story: &'p Story,
    texts: &'p mut dyn Texts,
    selection: &'p Selection,
    images: &'p mut dyn ImageSink,
    /// The time zone and the currency of all output.
    locale: &'p Locale,
    bill: &'p Bill,
    status: Option<SessionStatus>,
    /// The lines that are already shown raw.
    shown_lines: FxHashSet<BlockPlace>,
}

impl Page<'_> {
    /// Whether any part of a thread is in the document.
    fn has_thread(&self, id: ThreadId) -> bool {
        let Some(thread) = self.story.thread(id).filter(|_| self.selection.has_thread(self.story, id)) else {
            return false;
        };
        let mut turns = (1..).zip(&thread.turns).filter(|(number, _)| self.selection.has_turn(*number));
        turns.any(|(_, turn)| self.story.steps(thread, turn).any(|(_, step)| self.selection.has_step(step)))
    }

    fn thread(&mut self, id: ThreadId, thread: &Thread) -> io::Result<()> {
        let is_main = id == main_thread(self.story);
        if !is_main {
            if !self.has_thread(id) {
                return Ok(());
            }
            self.thread_head(id, thread)?;
        }
        for (number, turn) in (1..).zip(&thread.turns) {
            if self.selection.has_turn(number) {
                self.turn(id, number, thread, turn)?;
            }
        }
        // From the next level on, the calls show the tasks.
        if is_main && self.selection.detail == Detail::Talk && is_whole(self.selection) {
            self.tasks()?;
        }
        Ok(())
    }

    fn thread_head(&mut self, id: ThreadId, thread: &Thread) -> io::Result<()> {
        let title = match &thread.kind {
            ThreadKind::Main => "The conversation".to_owned(),
            ThreadKind::Branch => format!("Branch {}", id.index()),
            ThreadKind::Agent(agent) => agent_title(agent),
        };
        self.sheet.block(&format!("# <a id=\"{}\"></a>{title}", anchor(id)))?;
        let verb = if matches!(thread.kind, ThreadKind::Branch) { "left" } else { "started" };
        let turn = thread.origin.and_then(|origin| {
            let parent = self.story.thread(origin.thread)?;
            Some((origin.thread, turn_of(parent, origin.step?)?))
        });
        let Some((parent, turn)) = turn else { return Ok(()) };
        let of = if parent == main_thread(self.story) {
            String::new()
        } else if self.has_thread(parent) {
            format!(" of [this thread](#{})", anchor(parent))
        } else {
            " of another thread".to_owned()
        };
        self.sheet.block(&format!("*{verb} in turn {turn}{of}*"))
    }

    fn turn(&mut self, id: ThreadId, number: usize, thread: &Thread, turn: &Turn) -> io::Result<()> {
        let story = self.story;
        let steps = story.steps(thread, turn).map(|(_, step)| step);
        let steps: Vec<&Step> = steps.filter(|step| self.selection.has_step(step)).collect();
        if steps.is_empty() {
            return Ok(());
        }
        let prompt = story.steps(thread, turn).find_map(|(_, step)| match &step.kind {
            StepKind::Prompt(prompt) => Some(&*prompt.preview),
            _ => None,
        });
        let words = prompt.map(|words| literal::words(&shortened(words, HEADING))).filter(|words| !words.is_empty());
        self.sheet.block(&format!("## {}", joined([Some(number.to_string()), words])))?;
        let time = self.locale.date_and_time(turn.started);
        let failed = if self.selection.detail == Detail::Prompts { story.failures(thread, turn) } else { 0 };
        let row = joined([
            (!time.is_empty()).then(|| format!("{time} {}", self.locale.zone_at(turn.started))),
            Some(turn.active_ms).filter(|millis| *millis >= 1000).map(duration),
            (failed > 0).then(|| format!("{failed} failed")),
            self.bill.turn(id, number).map(|spent| literal::words(&self.locale.spent(&spent))),
            (turn.state != TurnState::Done).then(|| turn.state.word().to_owned()),
        ]);
        if !row.is_empty() {
            self.sheet.block(&format!("*{row}*"))?;
        }
        for step in steps {
            self.step(step)?;
            if self.selection.detail == Detail::Raw {
                self.raw(step)?;
            }
        }
        Ok(())
    }
}

/// The anchor of a thread.
fn anchor(thread: ThreadId) -> String {
    format!("thread-{}", thread.index())
}

fn agent_title(agent: &Agent) -> String {
    let kind = if agent.teammate { "Teammate" } else { "Agent" };
    let name = agent.name.as_deref().or(agent.agent_type.as_deref());
    let words = [name, agent.description.as_deref()].into_iter().flatten().filter(|word| !word.is_empty());
    let words = words.map(literal::words).collect::<Vec<_>>().join(" · ");
    let words = if words.is_empty() { code::span(&agent.id) } else { words };
    if words.is_empty() { kind.to_owned() } else { format!("{kind}: {words}") }
}

/// The number of the turn that a step belongs to.
fn turn_of(thread: &Thread, step: StepId) -> Option<usize> {
    let at = thread.steps.iter().position(|id| *id == step)?;
    thread.turns.iter().position(|turn| turn.steps.contains(&at)).map(|turn| turn + 1)
}

/// The first words of a text.
fn shortened(text: &str, longest: usize) -> String {
    let Some((end, _)) = text.char_indices().nth(longest) else { return text.to_owned() };
    let start = text.get(..end).unwrap_or_default();
    let words = start.rsplit_once(' ').map_or(start, |(words, _)| words);
    format!("{}…", words.trim_end_matches([' ', ',', '.', ':', '…']))
}

fn joined(parts: impl IntoIterator<Item = Option<String>>) -> String {
    parts.into_iter().flatten().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" · ")
}

#[cfg(test)]
mod tests;
