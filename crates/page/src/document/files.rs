//! A page in several files: a long session continues in further files, each of which is readable on its own.
//!
//! The page itself contains a link in place of each such file. The script replaces the link by the content when it
//! comes near the viewport. All files are written incrementally: memory use does not grow with them.

use std::io::{self, Write};

use maud::{DOCTYPE, Markup, PreEscaped, html};

use super::chunk::{Chunk, Extent};
use super::facts::PartFacts;
use super::layout::Layout;
use super::{PageOptions, opening_tag};
use crate::text;

/// The destination of the further files of a page.
pub trait Parts {
    /// Approximate maximum size of a session's content in one file.
    fn limit(&self) -> usize;

    /// The name by which other files link to a file: all are in one folder. Number one is the page itself.
    fn name(&self, number: usize) -> String;

    /// Begins the next file.
    fn begin(&mut self, number: usize) -> io::Result<()>;

    /// The current file.
    fn out(&mut self) -> &mut dyn Write;
}

/// The files of a page that is being written.
pub(super) struct Files<'p> {
    page: &'p mut dyn Write,
    parts: Option<&'p mut dyn Parts>,
    layout: &'p Layout<'p>,
    options: &'p PageOptions<'p>,
    /// The number of the current file.
    number: usize,
    /// The size of the session's content in it.
    bytes: usize,
    within: Within,
    /// Whether the opening of the container is already in the file.
    is_begun: bool,
    /// The content that is in the file instead of the page.
    absent: Extent,
}

/// The container of chunks: the conversation, a thread, or the lines without a step.
#[derive(Debug, Default)]
pub(super) struct Within {
    /// Its name in the page.
    pub(super) name: String,
    /// Its start and end in the page.
    pub(super) opening: String,
    pub(super) closing: &'static str,
    /// Its start and end in other files, where it has no name of its own.
    pub(super) part_opening: String,
    pub(super) part_closing: &'static str,
    /// Whether it is visible at once.
    pub(super) is_main: bool,
}

impl<'p> Files<'p> {
    pub(super) fn new(
        page: &'p mut dyn Write,
        parts: Option<&'p mut dyn Parts>,
        layout: &'p Layout<'p>,
        options: &'p PageOptions<'p>,
    ) -> Self {
        let (within, absent) = (Within::default(), Extent::default());
        Self { page, parts, layout, options, number: 1, bytes: 0, within, is_begun: false, absent }
    }

    /// The page itself.
    pub(super) fn page(&mut self) -> &mut dyn Write {
        self.page
    }

    /// Begins a container of chunks.
    pub(super) fn enter(&mut self, within: Within) -> io::Result<()> {
        self.page.write_all(within.opening.as_bytes())?;
        self.within = within;
        Ok(())
    }

    /// Writes a chunk and empties it.
    pub(super) fn chunk(&mut self, chunk: &mut Chunk) -> io::Result<()> {
        let limit = self.parts.as_ref().map_or(usize::MAX, |parts| parts.limit());
        if self.bytes > 0 && self.bytes.saturating_add(chunk.bytes()) > limit {
            self.turn_over()?;
        }
        let is_first = self.bytes == 0;
        self.bytes = self.bytes.saturating_add(chunk.bytes());
        match &mut self.parts {
            Some(parts) if self.number > 1 => {
                let out = parts.out();
                if !std::mem::replace(&mut self.is_begun, true) {
                    out.write_all(self.within.part_opening.as_bytes())?;
                }
                self.absent.extend(chunk.write(out, is_first)?);
            }
            _ => {
                chunk.write(self.page, is_first && self.within.is_main)?;
            }
        }
        Ok(())
    }

    /// Ends the container.
    pub(super) fn leave(&mut self) -> io::Result<()> {
        self.part_from_it()?;
        self.page.write_all(self.within.closing.as_bytes())?;
        self.within = Within::default();
        Ok(())
    }

    /// Ends the last of the further files.
    pub(super) fn end(&mut self) -> io::Result<()> {
        self.end_part(false)
    }

    /// Ends a file and begins the next.
    fn turn_over(&mut self) -> io::Result<()> {
        self.part_from_it()?;
        self.end_part(true)?;
        let Some(parts) = &mut self.parts else { return Ok(()) };
        self.number += 1;
        self.bytes = 0;
        parts.begin(self.number)?;
        let opening = opening(&**parts, self.layout, self.options, self.number);
        parts.out().write_all(opening.into_string().as_bytes())
    }

    /// Closes the container in this file, and writes the link to it into the page.
    fn part_from_it(&mut self) -> io::Result<()> {
        if !std::mem::take(&mut self.is_begun) {
            return Ok(());
        }
        let Some(parts) = &mut self.parts else { return Ok(()) };
        parts.out().write_all(self.within.part_closing.as_bytes())?;
        let absent = std::mem::take(&mut self.absent);
        let stand_in = stand_in(&parts.name(self.number), &self.within.name, &absent);
        self.page.write_all(stand_in.into_string().as_bytes())
    }

    fn end_part(&mut self, has_next: bool) -> io::Result<()> {
        let Some(parts) = self.parts.as_mut().filter(|_| self.number > 1) else { return Ok(()) };
        let facts = PartFacts::new(self.layout, self.options.detail, self.number, &parts.name(1)).markup()?;
        let ending = html! {
            (PreEscaped("</main>\n"))
            nav.parts aria-label="Parts" {
                a rel="prev" href=(parts.name(self.number - 1)) { "part " (self.number - 1) }
                @if has_next { " " a rel="next" href=(parts.name(self.number + 1)) { "part " (self.number + 1) } }
            }
            (facts)
            (self.options.dress.scripts())
            (PreEscaped("</body></html>\n"))
        };
        parts.out().write_all(ending.into_string().as_bytes())
    }
}

/// The beginning of a further file.
fn opening(parts: &dyn Parts, layout: &Layout<'_>, options: &PageOptions<'_>, number: usize) -> Markup {
    let title = content::wording::title(&layout.story.facts);
    html! {
        (DOCTYPE)
        (opening_tag(options.detail, &options.locale))
        head {
            (options.dress.head())
            title { (text(&title)) " · part " (number) " · recount" }
        }
        (PreEscaped("<body>\n"))
        a.skip href="#conversation" { "skip to the conversation" }
        nav.up aria-label="Site" {
            @if let Some(index) = options.index { a href=(index) { "all sessions" } " " }
            a href=(parts.name(1)) { "the whole session" }
        }
        header.head { h1 { (text(&title)) " · part " (number) } }
        (PreEscaped("<main id=\"conversation\" tabindex=\"-1\" aria-label=\"Conversation\">\n"))
    }
}

/// The page's placeholder for chunks in another file. Without a script, links to turns lead here, and from here to that
/// file.
fn stand_in(file: &str, within: &str, absent: &Extent) -> Markup {
    let turns = absent.turns.map(|(first, last)| format!("{first}-{last}"));
    html! {
        div.part data-part=(file) data-within=(within) data-rows=(absent.rows) data-turns=[turns] data-chunks=(absent.chunks) {
            a href=(file) {
                @match absent.turns {
                    Some((first, last)) if first == last => { "turn " (first) },
                    Some((first, last)) => { "turns " (first) "–" (last) },
                    None => "more",
                }
            }
            @if !absent.begun.is_empty() {
                noscript {
                    ul {
                        @for (number, name) in &absent.begun {
                            li { a id=(name) href={ (file) "#" (name) } { "turn " (number) } }
                        }
                    }
                }
            }
        }
        "\n"
    }
}
