//! A page that grows with its session: the browser requests a window of it when that comes near the viewport.
//!
//! The start of a window depends only on earlier steps, so that a window stays the same while the session continues
//! after it. A window is identified by its thread and its first step, and by a mark that changes with its content.

use std::hash::{Hash as _, Hasher as _};
use std::io::{self, Write};
use std::ops::Range;

use maud::{PreEscaped, html};
use rustc_hash::FxHasher;
use serde::Serialize;
use story::step::{Millis, StepKind};
use story::{BlockPlace, Step, Story, Texts, Thread, ThreadId};

use super::facts::{PageFacts, Totals};
use super::files::Files;
use super::layout::Layout;
use super::thread_writer::{THREADS, ThreadWriter};
use super::{PageOptions, opening, toolbar};
use crate::anchor::{self, Anchors};
use crate::{head, rail, thread, timeline};

/// Maximum number of steps in a window.
const STEPS: usize = 60;

/// Approximate maximum size of the lines in a window.
const BYTES: u64 = 64 * 1024;

/// Approximate number of characters per line.
const COLUMNS: u32 = 110;

/// Upper limit of the estimated height: more lines do not fit on a screen.
const MOST_ROWS: u32 = 400;

/// A window, as the page describes it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(super) struct Window {
    /// The name that requests use: the thread and the first step.
    pub name: String,
    /// The container: the conversation or a thread.
    pub within: String,
    /// Estimated number of lines.
    pub rows: usize,
    /// The first turn and the last.
    pub turns: Option<(usize, usize)>,
    /// Changes when the content changes.
    pub mark: String,
    /// Number of steps.
    pub count: usize,
    #[serde(skip)]
    thread: ThreadId,
    #[serde(skip)]
    steps: Range<usize>,
}

/// The content of a window, in the form that the script reads.
#[derive(Debug, Serialize)]
pub struct Piece {
    within: String,
    rows: usize,
    turns: Option<String>,
    text: String,
}

/// The parts of a page that are replaced when the session has grown.
#[derive(Debug, Serialize)]
pub struct Growth {
    windows: Vec<Window>,
    /// Threads other than the conversation: their names, and their openings.
    threads: Vec<(String, String)>,
    /// Turns of the conversation: number, start, and window.
    turns: Vec<(usize, Option<Millis>, usize)>,
    /// The outline and the head, as markup.
    rail: String,
    head: String,
    title: String,
}

/// Writes a page whose further windows the browser requests one by one.
pub fn write_growing_page(
    out: &mut dyn Write,
    story: &Story,
    texts: &mut dyn Texts,
    page: &PageOptions<'_>,
) -> io::Result<()> {
    let layout = Layout::new(story, page.detail, page.selection, &page.locale);
    let totals = Totals::of(&layout);
    let axis = timeline::axis(&layout);
    let opening = opening(&layout, page, &page.dress.clone().growing(), &totals, axis.as_ref());
    out.write_all(opening.into_string().as_bytes())?;
    let anchors = Anchors::of(story);
    rail::rail(out, &layout, &anchors)?;
    out.write_all(b"<main id=\"conversation\" tabindex=\"-1\" aria-label=\"Conversation\">\n")?;
    let windows = windows(&layout);
    let conversation = || windows.iter().filter(|window| window.thread == layout.main);
    // The first window of the conversation is in the page.
    if let Some(first) = conversation().next() {
        let mut nowhere = io::empty();
        let files = Files::new(&mut nowhere, None, &layout, page);
        let mut writer = ThreadWriter::new(files, &layout, texts, anchors);
        let markup = writer.window(first.thread, &first.steps).markup().to_owned();
        let turns = first.turns.map(|(first, last)| format!("{first}-{last}"));
        let chunk = html! {
            div.chunk data-window=(first.name) data-mark=(first.mark) data-rows=(first.rows) data-turns=[turns] {
                (PreEscaped(markup))
            }
        };
        out.write_all(chunk.into_string().as_bytes())?;
    }
    for window in conversation().skip(1) {
        out.write_all(window.stand_in().as_bytes())?;
    }
    out.write_all(b"</main>\n")?;
    let anchors = Anchors::of(story);
    out.write_all(b"<section class=\"threads\" aria-label=\"Agents and branches\">\n")?;
    for (id, other) in layout.others() {
        out.write_all(thread_opening(&layout, &anchors, id, other).as_bytes())?;
        for window in windows.iter().filter(|window| window.thread == id) {
            out.write_all(window.stand_in().as_bytes())?;
        }
        out.write_all(b"</section>")?;
    }
    out.write_all(b"</section>\n")?;
    let turns = turns(&layout, &windows);
    let points = axis.as_ref().map_or(&[][..], |axis| axis.points());
    let facts = PageFacts::new(&layout, page.detail, &totals, &turns, points).growing(page.event).markup()?;
    let closing = html! {
        (toolbar::help(true))
        (facts)
        (page.dress.scripts())
        (PreEscaped("</body></html>\n"))
    };
    out.write_all(closing.into_string().as_bytes())
}

/// The parts of a page that are replaced now that the session has grown.
pub fn growth(story: &Story, page: &PageOptions<'_>) -> io::Result<Growth> {
    let layout = Layout::new(story, page.detail, page.selection, &page.locale);
    let axis = timeline::axis(&layout);
    let windows = windows(&layout);
    let turns = turns(&layout, &windows);
    let anchors = Anchors::of(story);
    let mut outline = Vec::new();
    rail::rail(&mut outline, &layout, &anchors)?;
    let opening = |(id, other): (ThreadId, &Thread)| (anchor::thread(id), thread_opening(&layout, &anchors, id, other));
    Ok(Growth {
        windows,
        threads: layout.others().map(opening).collect(),
        turns,
        rail: String::from_utf8_lossy(&outline).into_owned(),
        head: head::head(&layout, page, axis.as_ref()).into_string(),
        title: content::wording::title(&story.facts),
    })
}

/// The content of a window, if there is one with that name.
pub fn piece(story: &Story, texts: &mut dyn Texts, page: &PageOptions<'_>, name: &str) -> Option<Piece> {
    let layout = Layout::new(story, page.detail, page.selection, &page.locale);
    let window = windows(&layout).into_iter().find(|window| window.name == name)?;
    let mut nowhere = io::empty();
    let files = Files::new(&mut nowhere, None, &layout, page);
    let mut writer = ThreadWriter::new(files, &layout, texts, Anchors::of(story));
    let chunk = writer.window(window.thread, &window.steps);
    Some(Piece {
        within: window.within,
        rows: window.rows,
        turns: window.turns.map(|(first, last)| format!("{first}-{last}")),
        text: chunk.markup().to_owned(),
    })
}

/// The location of a line on a page.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub struct Whereabouts {
    /// The windows to load: those with the calls that its thread hangs on, then its own.
    windows: Vec<String>,
    /// The anchor of the step that shows it.
    anchor: String,
}

/// The location of the step that shows a line, by the line's own name or that of a call's result. A line that no step
/// shows is located at the step before it.
pub fn whereabouts(story: &Story, page: &PageOptions<'_>, name: &str) -> Option<Whereabouts> {
    let layout = Layout::new(story, page.detail, page.selection, &page.locale);
    let anchors = Anchors::of(story);
    let wanted = anchors.line(name)?;
    let line = |place: BlockPlace| story.span(place.line).map(|span| (span.source.number(), span.number));
    // The nearest step before it: by quality of the match, then by line.
    let windows = windows(&layout);
    let mut best: Option<(u8, u32, &Step, &Window)> = None;
    for window in &windows {
        let steps = story.thread(window.thread).and_then(|thread| thread.steps.get(window.steps.clone()));
        for step in steps.unwrap_or_default().iter().filter_map(|step| story.step(*step)) {
            let Some((source, number)) = line(step.place) else { continue };
            let result = match &step.kind {
                StepKind::Call(call) => call.result.and_then(line),
                _ => None,
            };
            let goodness = if !layout.shows(step) {
                continue;
            } else if anchors.at(story, step.place) == name {
                3
            } else if result == Some(wanted) || (source, number) == wanted {
                2
            } else if source == wanted.0 && number < wanted.1 {
                1
            } else {
                continue;
            };
            if best.as_ref().is_none_or(|(good, at, ..)| (*good, *at) < (goodness, number)) {
                best = Some((goodness, number, step, window));
            }
        }
    }
    let (_, _, step, mut window) = best?;
    let mut needed = vec![window.name.clone()];
    // Threads hang on calls of threads; the limit guards against cycles.
    while needed.len() < 20
        && let Some(step) = story.thread(window.thread).and_then(|thread| thread.origin?.step)
        && let Some(above) = windows.iter().find(|other| {
            let steps = story.thread(other.thread).and_then(|thread| thread.steps.get(other.steps.clone()));
            other.thread != window.thread && steps.is_some_and(|steps| steps.contains(&step))
        })
    {
        needed.insert(0, above.name.clone());
        window = above;
    }
    Some(Whereabouts { windows: needed, anchor: anchors.at(story, step.place) })
}

/// All windows, those of the conversation first.
fn windows(layout: &Layout<'_>) -> Vec<Window> {
    let main = layout.story.thread(layout.main).map(|thread| (layout.main, thread));
    let mut windows = Vec::new();
    for (id, thread) in main.into_iter().chain(layout.others()) {
        let mut start = 0;
        let mut plan = Plan::default();
        for (at, step) in thread.steps.iter().enumerate() {
            let Some(step) = layout.story.step(*step) else { continue };
            if plan.is_full() {
                windows.push(plan.window(layout, id, thread, start..at));
                (plan, start) = (Plan::default(), at);
            }
            plan.add(layout, step);
        }
        if start < thread.steps.len() {
            windows.push(plan.window(layout, id, thread, start..thread.steps.len()));
        }
    }
    windows
}

/// A window that is being planned.
#[derive(Default)]
struct Plan {
    steps: usize,
    bytes: u64,
    rows: u32,
    mark: FxHasher,
}

impl Plan {
    fn is_full(&self) -> bool {
        self.steps >= STEPS || self.bytes >= BYTES
    }

    fn add(&mut self, layout: &Layout<'_>, step: &Step) {
        (step.place.line.index(), step.place.block, step.withdrawn).hash(&mut self.mark);
        if let StepKind::Call(call) = &step.kind {
            let result = call.result.map(|place| place.line.index());
            (call.state as u8, result, call.outcome.len(), call.thread.map(ThreadId::index)).hash(&mut self.mark);
        }
        if !layout.shows(step) {
            return;
        }
        let length = layout.story.span(step.place.line).map_or(0, |span| span.length);
        self.steps += 1;
        self.bytes += u64::from(length);
        self.rows += match step.kind {
            StepKind::Prompt(_) | StepKind::Reply(_) => (1 + length / COLUMNS).min(MOST_ROWS),
            _ => 1,
        };
    }

    fn window(&self, layout: &Layout<'_>, id: ThreadId, thread: &Thread, steps: Range<usize>) -> Window {
        let within = if id == layout.main { "conversation".to_owned() } else { anchor::thread(id) };
        let numbered = || (1..).zip(&thread.turns).filter(|(_, turn)| overlap(&turn.steps, &steps));
        let turns = numbered().next().zip(numbered().last()).map(|((first, _), (last, _))| (first, last));
        // The states of turns are part of the content, too.
        let mut mark = self.mark.clone();
        for (_, turn) in numbered() {
            (turn.state as u8, turn.ended).hash(&mut mark);
        }
        steps.len().hash(&mut mark);
        Window {
            name: format!("{}-{}", id.index(), steps.start),
            within,
            rows: self.rows.max(1) as usize,
            turns,
            mark: format!("{:x}", mark.finish()),
            count: self.steps,
            thread: id,
            steps,
        }
    }
}

pub(super) fn overlap(one: &Range<usize>, other: &Range<usize>) -> bool {
    one.start < other.end && other.start < one.end
}

impl Window {
    /// The placeholder until the script requests the window. It is minimal, since there may be thousands.
    fn stand_in(&self) -> String {
        let turns = self.turns.map(|(first, last)| format!("{first}-{last}"));
        let markup = html! {
            div.part data-part=(self.name) data-within=(self.within) data-mark=(self.mark) data-rows=(self.rows)
                data-turns=[turns] data-chunks="1" {}
        };
        markup.into_string()
    }
}

/// Turns of the conversation: number, start, and window.
fn turns(layout: &Layout<'_>, windows: &[Window]) -> Vec<(usize, Option<Millis>, usize)> {
    let Some(main) = layout.story.thread(layout.main) else { return Vec::new() };
    let own: Vec<&Window> = windows.iter().filter(|window| window.thread == layout.main).collect();
    let place = |start: usize| own.partition_point(|window| window.steps.end <= start);
    (1..).zip(&main.turns).map(|(number, turn)| (number, turn.started, place(turn.steps.start))).collect()
}

fn thread_opening(layout: &Layout<'_>, anchors: &Anchors, id: ThreadId, other: &Thread) -> String {
    let heading = thread::heading(layout, anchors, id, other);
    let (name, kind) = (anchor::thread(id), thread::kind(other));
    format!("<section class=\"thread\" id=\"{name}\" data-kind=\"{kind}\" data-level=\"{THREADS}\">{}", heading.0)
}
