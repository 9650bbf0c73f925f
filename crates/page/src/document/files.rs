//! A page in several files: what is too much for one goes on in others, each of which reads alone.
//!
//! In the page itself something stands for what is elsewhere: a link, which the script replaces by what it leads to
//! when that comes near. All files are written as the session is told: memory does not follow them.

use std::io::{self, Write};

use maud::{DOCTYPE, Markup, PreEscaped, html};

use super::chunk::{Chunk, Extent};
use super::facts::PartFacts;
use super::layout::Layout;
use super::{PageOptions, opening_tag};
use crate::text;

/// Where the further files of a page go.
pub trait Parts {
    /// About as many bytes of a session go into one file.
    fn limit(&self) -> usize;

    /// What a file is called where another one links to it: they are in one folder. The page itself is the first.
    fn name(&self, number: usize) -> String;

    /// Begins the next file.
    fn begin(&mut self, number: usize) -> io::Result<()>;

    /// The file that was begun last.
    fn out(&mut self) -> &mut dyn Write;
}

/// The files of a page that is being written.
pub(super) struct Files<'p> {
    page: &'p mut dyn Write,
    parts: Option<&'p mut dyn Parts>,
    layout: &'p Layout<'p>,
    options: &'p PageOptions<'p>,
    /// The file that is being written.
    number: usize,
    /// How much of the session is in it.
    bytes: usize,
    within: Within,
    /// Whether the file has the beginning of what chunks are within.
    is_begun: bool,
    /// What the page does not have of it, since the file does.
    absent: Extent,
}

/// What chunks are within: the conversation, a thread, or the lines that tell nothing.
#[derive(Debug, Default)]
pub(super) struct Within {
    /// Its name in the page.
    pub(super) name: String,
    /// What it begins and ends with in the page.
    pub(super) opening: String,
    pub(super) closing: &'static str,
    /// What it begins and ends with in other files, which have no names of their own for it.
    pub(super) part_opening: String,
    pub(super) part_closing: &'static str,
    /// Whether it is there to be read at once.
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

    /// Begins something that has chunks.
    pub(super) fn enter(&mut self, within: Within) -> io::Result<()> {
        self.page.write_all(within.opening.as_bytes())?;
        self.within = within;
        Ok(())
    }

    /// Writes a chunk, and begins it anew.
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

    /// Ends what was entered.
    pub(super) fn leave(&mut self) -> io::Result<()> {
        self.part_from_it()?;
        self.page.write_all(self.within.closing.as_bytes())?;
        self.within = Within::default();
        Ok(())
    }

    /// Ends the last of the files other than the page.
    pub(super) fn end(&mut self) -> io::Result<()> {
        self.end_part(false)
    }

    /// Ends a file, and begins the next.
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

    /// Ends in this file what chunks are within, and lets the page say that it is there.
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

/// What a file other than the page begins with.
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

/// What the page has instead of chunks that are in another file. Without a script, links to turns lead here, and from
/// here there.
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
