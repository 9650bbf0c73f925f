//! Chunks of a thread, which a browser loads one at a time.
//!
//! All but the first are inside a `<noscript>`, which is a single text node for a browser that runs scripts: a long
//! session costs nothing until it is read.

use std::io::{self, Write};

use maud::{Markup, Render, html};

/// Approximate maximum size of a chunk.
const BYTES: usize = 48 * 1024;
/// Maximum number of steps in a chunk.
const STEPS: usize = 60;
/// Approximate number of characters per line.
const COLUMNS: usize = 110;
/// Upper limit of the estimated height: more lines do not fit on a screen.
const MOST_ROWS: usize = 400;

/// A chunk that is being filled.
#[derive(Debug, Default)]
pub(super) struct Chunk {
    markup: String,
    steps: usize,
    rows: usize,
    turns: Option<(usize, usize)>,
    /// Turns that begin in it, and their anchors.
    begun: Vec<(usize, String)>,
}

/// The amount of content in some chunks.
#[derive(Debug, Default)]
pub(super) struct Extent {
    pub(super) chunks: usize,
    /// Estimated number of lines.
    pub(super) rows: usize,
    /// The first turn and the last.
    pub(super) turns: Option<(usize, usize)>,
    /// Turns that begin in them, and their anchors.
    pub(super) begun: Vec<(usize, String)>,
}

impl Extent {
    /// Adds the content that follows.
    pub(super) fn extend(&mut self, next: Self) {
        self.chunks += next.chunks;
        self.rows += next.rows;
        self.turns = match (self.turns, next.turns) {
            (Some((first, _)), Some((_, last))) => Some((first, last)),
            (turns, None) | (None, turns) => turns,
        };
        self.begun.extend(next.begun);
    }
}

impl Chunk {
    /// Begins a turn; one without a name continues from another chunk.
    pub(super) fn turn(&mut self, number: usize, name: Option<&str>, level: u8, heading: &Markup) {
        let first = self.turns.map_or(number, |(first, _)| first);
        self.turns = Some((first, number));
        let continues = name.is_none();
        let opening = html! {
            section.turn id=[name] data-turn=(number) data-level=(level) data-continues[continues] {}
        };
        self.markup.push_str(opening.0.trim_end_matches("</section>"));
        self.begun.extend(name.map(|name| (number, name.to_owned())));
        heading.render_to(&mut self.markup);
        self.rows += 2;
    }

    /// Ends a turn.
    pub(super) fn end_turn(&mut self) {
        self.markup.push_str("</section>\n");
    }

    /// Adds markup without a height of its own.
    pub(super) fn push(&mut self, markup: &Markup) {
        self.markup.push_str(&markup.0);
    }

    /// Adds a step with an estimated number of lines.
    pub(super) fn push_step(&mut self, markup: &Markup, rows: usize) {
        self.push(markup);
        self.markup.push('\n');
        self.rows += rows;
        self.steps += 1;
    }

    /// Whether the chunk is large enough.
    pub(super) fn is_full(&self) -> bool {
        self.markup.len() >= BYTES || self.steps >= STEPS
    }

    /// Whether the chunk is empty.
    pub(super) fn is_empty(&self) -> bool {
        self.markup.is_empty()
    }

    /// The content.
    pub(super) fn markup(&self) -> &str {
        &self.markup
    }

    /// The size of the content.
    pub(super) fn bytes(&self) -> usize {
        self.markup.len()
    }

    /// Writes the content and empties the chunk.
    pub(super) fn write(&mut self, out: &mut dyn Write, is_plain: bool) -> io::Result<Extent> {
        let turns = self.turns.map(|(first, last)| format!("{first}-{last}"));
        let opening = html! { div.chunk data-rows=(self.rows) data-turns=[turns] {} }.into_string();
        out.write_all(opening.trim_end_matches("</div>").as_bytes())?;
        out.write_all(if is_plain { b"\n" } else { b"<noscript>" })?;
        out.write_all(self.markup.as_bytes())?;
        out.write_all(if is_plain { b"</div>\n" } else { b"</noscript></div>\n" })?;
        self.markup.clear();
        // A single step can be as large as a file; that much memory is not needed again.
        self.markup.shrink_to(4 * BYTES);
        let begun = std::mem::take(&mut self.begun);
        let extent = Extent { chunks: 1, rows: self.rows, turns: self.turns, begun };
        (self.steps, self.rows, self.turns) = (0, 0, None);
        Ok(extent)
    }
}

/// Estimates how many lines a text takes.
pub(super) fn rows(markup: &Markup) -> usize {
    let breaks = markup.0.bytes().filter(|byte| *byte == b'\n').count();
    (1 + breaks + markup.0.len() / COLUMNS).min(MOST_ROWS)
}
