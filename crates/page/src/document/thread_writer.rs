//! Writes threads of turns of steps, chunk by chunk.

use std::io;
use std::ops::Range;

use maud::{Markup, html};
use rustc_hash::{FxHashMap, FxHashSet};
use story::step::{CallState, Millis, PromptKind, StepKind};
use story::{BlockPlace, Detail, Step, StepId, Texts, Thread, ThreadId, Turn};

use super::chunk::{Chunk, rows};
use super::files::{Files, Within};
use super::layout::{Layout, level};
use super::moment::{moment, time_at};
use super::window::overlap;
use crate::anchor::{self, Anchors};
use crate::step::{Frame, step};
use crate::{rail, text, thread};
use human::{Locale, duration};

/// The level of threads other than the conversation, and of the links to them.
pub(super) const THREADS: u8 = 2;

/// A page whose threads are being written.
pub(super) struct ThreadWriter<'p> {
    pub(super) files: Files<'p>,
    pub(super) layout: &'p Layout<'p>,
    pub(super) texts: &'p mut dyn Texts,
    anchors: Anchors,
    /// Turns of the conversation: number, start, and chunk.
    turns: Vec<(usize, Option<Millis>, usize)>,
    /// Agents that are already linked, although no recorded step started them.
    linked: FxHashSet<ThreadId>,
    /// Prompts that report the end of background tasks, by task.
    endings: FxHashMap<&'p str, &'p Step>,
    /// Lines that are already shown raw.
    pub(super) shown_lines: FxHashSet<BlockPlace>,
}

/// The thread that is being written.
struct Sheet {
    id: ThreadId,
    chunk: Chunk,
    /// Number of chunks written.
    written: usize,
    /// The last minute shown, by level.
    minutes: [Option<Millis>; 5],
}

impl<'p> ThreadWriter<'p> {
    pub(super) fn new(files: Files<'p>, layout: &'p Layout<'p>, texts: &'p mut dyn Texts, anchors: Anchors) -> Self {
        let (turns, linked, shown_lines) = (Vec::new(), FxHashSet::default(), FxHashSet::default());
        Self { files, layout, texts, anchors, turns, linked, endings: endings(layout), shown_lines }
    }

    /// Ends all files but the page; returns where the turns of the conversation are.
    pub(super) fn end(mut self) -> io::Result<Vec<(usize, Option<Millis>, usize)>> {
        self.files.end()?;
        Ok(self.turns)
    }

    /// Writes the conversation.
    pub(super) fn conversation(&mut self) -> io::Result<()> {
        self.files.enter(Within {
            name: "conversation".to_owned(),
            opening: "<main id=\"conversation\" tabindex=\"-1\" aria-label=\"Conversation\">\n".to_owned(),
            closing: "</main>\n",
            is_main: true,
            ..Within::default()
        })?;
        if let Some(main) = self.layout.story.thread(self.layout.main) {
            self.thread(self.layout.main, main)?;
        }
        self.files.leave()
    }

    /// Writes agents and branches.
    pub(super) fn threads(&mut self) -> io::Result<()> {
        let mut others = self.layout.others().peekable();
        if others.peek().is_none() {
            return Ok(());
        }
        self.files.page().write_all(b"<section class=\"threads\" aria-label=\"Agents and branches\">\n")?;
        for (id, other) in others {
            let (name, kind) = (anchor::thread(id), thread::kind(other));
            let heading = thread::heading(self.layout, &self.anchors, id, other);
            let opening = |named: &str| {
                format!(
                    "<section class=\"thread\" {named}=\"{name}\" data-kind=\"{kind}\" data-level=\"{THREADS}\">{}\n",
                    heading.0
                )
            };
            let (opening, part_opening, closing) = (opening("id"), opening("data-within"), "</section>\n");
            self.files.enter(Within { name, opening, closing, part_opening, part_closing: closing, is_main: false })?;
            self.thread(id, other)?;
            self.files.leave()?;
        }
        self.files.page().write_all(b"</section>\n")
    }

    fn thread(&mut self, id: ThreadId, thread: &Thread) -> io::Result<()> {
        let mut sheet = Sheet { id, chunk: Chunk::default(), written: 0, minutes: [None; 5] };
        for branch in self.layout.branches(id, None) {
            sheet.chunk.push_step(&thread::branch(self.layout, *branch, THREADS), 1);
        }
        for (number, turn) in (1..).zip(&thread.turns) {
            self.turn(&mut sheet, thread, number, turn)?;
        }
        self.end_chunk(&mut sheet)
    }

    /// Some steps of a thread as one chunk.
    pub(super) fn window(&mut self, id: ThreadId, steps: &Range<usize>) -> Chunk {
        let mut sheet = Sheet { id, chunk: Chunk::default(), written: 0, minutes: [None; 5] };
        let layout = self.layout;
        let Some(thread) = layout.story.thread(id) else { return sheet.chunk };
        if steps.start == 0 {
            for branch in layout.branches(id, None) {
                sheet.chunk.push_step(&thread::branch(layout, *branch, THREADS), 1);
            }
        }
        for (number, turn) in (1..).zip(&thread.turns).filter(|(_, turn)| overlap(&turn.steps, steps)) {
            let Some(lowest) = self.lowest(id, thread, turn) else { continue };
            let name = anchor::turn(layout.main, id, number);
            let is_begun = turn.steps.start >= steps.start;
            let head = if is_begun {
                heading(id == layout.main, &name, number, turn, &layout.locale)
            } else {
                html! {}
            };
            sheet.minutes = [turn.started.map(minute); 5];
            sheet.chunk.turn(number, is_begun.then_some(name.as_str()), lowest, &head);
            let from = turn.steps.start.max(steps.start);
            let within = thread.steps.get(from..turn.steps.end.min(steps.end)).unwrap_or_default();
            for step_id in within {
                let Some(step) = layout.story.step(*step_id) else { continue };
                if layout.shows(step) {
                    self.step(&mut sheet, *step_id, step);
                }
                for branch in layout.branches(id, Some(*step_id)) {
                    sheet.chunk.push_step(&thread::branch(layout, *branch, THREADS), 1);
                }
            }
            sheet.chunk.end_turn();
        }
        sheet.chunk
    }

    /// The lowest level at which a step of a turn is shown, if any is.
    fn lowest(&self, id: ThreadId, thread: &Thread, turn: &Turn) -> Option<u8> {
        let layout = self.layout;
        let levels = layout.story.steps(thread, turn).filter_map(|(step_id, step)| {
            let shown = Some(level(step.kind.detail())).filter(|_| layout.shows(step));
            let branch = (!layout.branches(id, Some(step_id)).is_empty()).then_some(THREADS);
            shown.into_iter().chain(branch).min()
        });
        levels.min()
    }

    fn end_chunk(&mut self, sheet: &mut Sheet) -> io::Result<()> {
        if sheet.chunk.is_empty() {
            return Ok(());
        }
        sheet.written += 1;
        self.files.chunk(&mut sheet.chunk)
    }

    fn turn(&mut self, sheet: &mut Sheet, thread: &Thread, number: usize, turn: &Turn) -> io::Result<()> {
        let (layout, id) = (self.layout, sheet.id);
        let Some(lowest) = self.lowest(id, thread, turn) else { return Ok(()) };
        if sheet.chunk.is_full() {
            self.end_chunk(sheet)?;
        }
        if id == layout.main {
            self.turns.push((number, turn.started, sheet.written));
        }
        let name = anchor::turn(layout.main, id, number);
        sheet.minutes = [turn.started.map(minute); 5];
        sheet.chunk.turn(number, Some(&name), lowest, &heading(id == layout.main, &name, number, turn, &layout.locale));
        for (step_id, step) in layout.story.steps(thread, turn) {
            if sheet.chunk.is_full() {
                sheet.chunk.end_turn();
                self.end_chunk(sheet)?;
                sheet.chunk.turn(number, None, lowest, &html! {});
            }
            if layout.shows(step) {
                self.step(sheet, step_id, step);
            }
            for branch in layout.branches(id, Some(step_id)) {
                sheet.chunk.push_step(&thread::branch(layout, *branch, THREADS), 1);
            }
        }
        sheet.chunk.end_turn();
        Ok(())
    }

    fn step(&mut self, sheet: &mut Sheet, id: StepId, shown: &Step) {
        let least = shown.kind.detail();
        let level = level(least);
        let minute = sheet.minute(shown.at, level, &self.layout.locale);
        sheet.chunk.push(&minute);
        let anchor = self.anchors.give(self.layout.story, shown);
        let link = self.link(id, shown);
        let markup = step(
            self.layout.story,
            self.texts,
            shown,
            Frame { anchor: &anchor, level, thread: link.as_ref(), locale: &self.layout.locale },
        );
        let height = match shown.kind {
            _ if least > Detail::Steps => 0,
            StepKind::Prompt(_) | StepKind::Reply(_) => rows(&markup),
            _ => 1,
        };
        sheet.chunk.push_step(&markup, height);
        if self.layout.deepest == Detail::Raw {
            let lines = self.lines_of(shown);
            sheet.chunk.push(&lines);
        }
    }

    fn link(&mut self, id: StepId, step: &Step) -> Option<Markup> {
        let to = match &step.kind {
            // The outcome of such a call ends with the name of its task: `runs in the background as b7`.
            StepKind::Call(call) if call.state == CallState::Background && call.thread.is_none() => {
                return self.ending(call.outcome.rsplit(' ').next()?);
            }
            StepKind::Call(call) => call.thread?,
            StepKind::Prompt(prompt) => return thread::link(self.layout, prompt.thread?, false),
            _ => return None,
        };
        let other = self.layout.thread(to)?;
        let is_first = match other.origin.and_then(|origin| origin.step) {
            Some(_) => thread::hangs_on(other, id),
            None => self.linked.insert(to),
        };
        thread::link(self.layout, to, is_first)
    }
}

impl ThreadWriter<'_> {
    /// How a background task ended, with a link to the step that reports it.
    fn ending(&self, task: &str) -> Option<Markup> {
        let step = self.endings.get(task)?;
        let StepKind::Prompt(prompt) = &step.kind else { return None };
        let PromptKind::Notification { status, .. } = &prompt.kind else { return None };
        let status = if status.is_empty() { "it said something" } else { status };
        let place = self.anchors.at(self.layout.story, step.place);
        Some(html! { p.became { a href={ "#" (place) } { (text(status)) } " · " (text(&prompt.preview)) } })
    }
}

/// The last report on each background task.
fn endings<'p>(layout: &Layout<'p>) -> FxHashMap<&'p str, &'p Step> {
    let story = layout.story;
    let mut endings = FxHashMap::default();
    for (_, thread) in story.threads() {
        for step in thread.steps.iter().filter_map(|id| story.step(*id)).filter(|step| layout.wants(step)) {
            if let StepKind::Prompt(prompt) = &step.kind
                && let PromptKind::Notification { task, .. } = &prompt.kind
            {
                endings.insert(&**task, step);
            }
        }
    }
    endings
}

impl Sheet {
    /// The time of a step, if its minute differs from the one before.
    fn minute(&mut self, at: Option<Millis>, level: u8, locale: &Locale) -> Markup {
        let Some(present) = at.map(minute) else { return html! {} };
        let mut visible = (0..).zip(&mut self.minutes).skip(usize::from(level)).peekable();
        if visible.peek().is_none_or(|(_, shown)| **shown == Some(present)) {
            return html! {};
        }
        // Steps of higher levels may already show the minute there.
        let mut below = None;
        for (level, shown) in visible {
            if shown.replace(present) == Some(present) {
                below = below.or(Some(level));
            }
        }
        time_at(at, level, below, locale)
    }
}

fn minute(at: Millis) -> Millis {
    at.div_euclid(60_000)
}

/// The heading of a turn, with its start.
fn heading(is_main: bool, name: &str, number: usize, turn: &Turn, locale: &Locale) -> Markup {
    let parts = [
        moment(turn.started, locale),
        html! { @if let Some(took) = rail::took(turn) { (duration(took)) } },
        html! { @if let Some(state) = rail::state(turn.state) { span.state data-state=(state) { (turn.state.word()) } } },
    ];
    let words = html! {
        a href={ "#" (name) } { "turn " (number) }
        " " small {
            @for (number, part) in parts.iter().filter(|part| !part.0.is_empty()).enumerate() {
                @if number > 0 { " · " }
                (part)
            }
        }
    };
    if is_main {
        html! { h2 { (words) } }
    } else {
        html! { h3 { (words) } }
    }
}
