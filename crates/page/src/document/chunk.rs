//! Pieces of a thread that a browser takes one at a time.
//!
//! All but the first are in a `<noscript>`, which is a single text for a browser that runs scripts: a long session
//! costs nothing until it is read.

use std::io::{self, Write};

use maud::{Markup, Render, html};

/// A chunk has hardly more bytes than this.
const BYTES: usize = 48 * 1024;
/// A chunk has no more steps than this.
const STEPS: usize = 60;
/// About as many characters go on a line.
const COLUMNS: usize = 110;
/// What is higher than this many lines is hardly seen at once.
const MOST_ROWS: usize = 400;

/// A chunk that is being filled.
#[derive(Debug, Default)]
pub(super) struct Chunk {
    markup: String,
    steps: usize,
    rows: usize,
    turns: Option<(usize, usize)>,
    /// Turns that begin in it, and their names.
    begun: Vec<(usize, String)>,
}

/// How much is in some chunks.
#[derive(Debug, Default)]
pub(super) struct Extent {
    pub(super) chunks: usize,
    /// About as many lines.
    pub(super) rows: usize,
    /// The first turn and the last.
    pub(super) turns: Option<(usize, usize)>,
    /// Turns that begin there, and their names.
    pub(super) begun: Vec<(usize, String)>,
}

impl Extent {
    /// Adds what comes after it.
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
    /// Begins a turn; one without a name goes on from another chunk.
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

    /// Adds something without any height of its own.
    pub(super) fn push(&mut self, markup: &Markup) {
        self.markup.push_str(&markup.0);
    }

    /// Adds a step that takes about as many lines.
    pub(super) fn push_step(&mut self, markup: &Markup, rows: usize) {
        self.push(markup);
        self.markup.push('\n');
        self.rows += rows;
        self.steps += 1;
    }

    /// Whether there is enough in it.
    pub(super) fn is_full(&self) -> bool {
        self.markup.len() >= BYTES || self.steps >= STEPS
    }

    /// Whether there is nothing in it.
    pub(super) fn is_empty(&self) -> bool {
        self.markup.is_empty()
    }

    /// What is in it.
    pub(super) fn markup(&self) -> &str {
        &self.markup
    }

    /// How much is in it.
    pub(super) fn bytes(&self) -> usize {
        self.markup.len()
    }

    /// Writes what is in it, and begins anew.
    pub(super) fn write(&mut self, out: &mut dyn Write, is_plain: bool) -> io::Result<Extent> {
        let turns = self.turns.map(|(first, last)| format!("{first}-{last}"));
        let opening = html! { div.chunk data-rows=(self.rows) data-turns=[turns] {} }.into_string();
        out.write_all(opening.trim_end_matches("</div>").as_bytes())?;
        out.write_all(if is_plain { b"\n" } else { b"<noscript>" })?;
        out.write_all(self.markup.as_bytes())?;
        out.write_all(if is_plain { b"</div>\n" } else { b"</noscript></div>\n" })?;
        self.markup.clear();
        // A single step can be as large as a file; that much is not needed again.
        self.markup.shrink_to(4 * BYTES);
        let begun = std::mem::take(&mut self.begun);
        let extent = Extent { chunks: 1, rows: self.rows, turns: self.turns, begun };
        (self.steps, self.rows, self.turns) = (0, 0, None);
        Ok(extent)
    }
}

/// About how many lines a text takes.
pub(super) fn rows(markup: &Markup) -> usize {
    let breaks = markup.0.bytes().filter(|byte| *byte == b'\n').count();
    (1 + breaks + markup.0.len() / COLUMNS).min(MOST_ROWS)
}
