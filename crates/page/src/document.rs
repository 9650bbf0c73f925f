//! The page of a session, written as it is told: memory does not follow the session.

mod assets;
mod bill;
mod changes;
mod chunk;
mod facts;
mod files;
pub(super) mod layout;
pub(super) mod moment;
mod part;
mod raw;
mod telling;
mod toolbar;
mod window;

use std::io::{self, Write};

use human::Locale;
use maud::{DOCTYPE, Markup, PreEscaped, html};
use story::{Detail, Story, Texts};

use super::anchor::Anchors;
use super::{head, rail, text, timeline};
pub use assets::Dress;
pub use bill::LedgerView;
pub use changes::write_changes;
use content::Selection;
use facts::{PageFacts, Totals};
use files::Files;
pub use files::Parts;
use layout::Layout;
use telling::Telling;
pub use window::{Growth, Piece, Whereabouts, growth, piece, whereabouts, write_growing_page};

/// How a page is made, and what is known beside the story.
#[derive(Debug, Clone, Default)]
pub struct PageOptions<'p> {
    /// The level that is shown at first. A page has all levels but the last, which has the lines themselves and is
    /// there only if it is asked for.
    pub detail: Detail,
    /// Which part of the session is on the page, if not all of it. Its detail says nothing here.
    pub selection: Option<&'p Selection>,
    /// Where the files of the session are, that of the session itself first.
    pub sources: &'p [String],
    /// What it cost, if that is known.
    pub ledger: Option<LedgerView>,
    /// The zone and the currency that everything is shown in.
    pub locale: Locale,
    /// Where the page has its style and script.
    pub dress: Dress,
    /// Where the list of all sessions is, if there is one.
    pub index: Option<&'p str>,
    /// The last event that a page that grows already tells.
    pub event: &'p str,
}

/// Writes the page of a session, in one file.
pub fn write_page(out: &mut dyn Write, story: &Story, texts: &mut dyn Texts, page: &PageOptions<'_>) -> io::Result<()> {
    write(out, None, story, texts, page)
}

/// Writes the page of a session, in as many files as it takes.
pub fn write_page_in_parts(
    out: &mut dyn Write,
    parts: &mut dyn Parts,
    story: &Story,
    texts: &mut dyn Texts,
    page: &PageOptions<'_>,
) -> io::Result<()> {
    write(out, Some(parts), story, texts, page)
}

fn write(
    out: &mut dyn Write,
    parts: Option<&mut dyn Parts>,
    story: &Story,
    texts: &mut dyn Texts,
    page: &PageOptions<'_>,
) -> io::Result<()> {
    let layout = Layout::new(story, page.detail, page.selection, &page.locale);
    let anchors = Anchors::of(story);
    let totals = Totals::of(&layout);
    let axis = timeline::axis(&layout);
    let dress = if parts.is_some() { page.dress.clone().in_parts() } else { page.dress.clone() };
    let opening = opening(&layout, page, &dress, &totals, axis.as_ref());
    out.write_all(opening.into_string().as_bytes())?;
    rail::rail(out, &layout, &anchors)?;
    // They outlive what is known of the page only.
    let parts = parts.map(|parts| parts as &mut dyn Parts);
    let files = Files::new(&mut *out, parts, &layout, page);
    let mut telling = Telling::new(files, &layout, texts, anchors);
    telling.conversation()?;
    telling.threads()?;
    if layout.deepest == Detail::Raw {
        telling.other_lines()?;
    }
    let turns = telling.end()?;
    let points = axis.as_ref().map_or(&[][..], |axis| axis.points());
    let facts = PageFacts::new(&layout, page.detail, &totals, &turns, points).markup()?;
    let closing = html! {
        (toolbar::help(false))
        (facts)
        (page.dress.scripts())
        (PreEscaped("</body></html>\n"))
    };
    out.write_all(closing.into_string().as_bytes())
}

/// What a page begins with, up to the outline.
fn opening(
    layout: &Layout<'_>,
    page: &PageOptions<'_>,
    dress: &Dress,
    totals: &Totals,
    axis: Option<&timeline::Axis>,
) -> Markup {
    html! {
        (DOCTYPE)
        (opening_tag(page.detail, &page.locale))
        head {
            (dress.head())
            title { (text(&content::wording::title(&layout.story.facts))) " · recount" }
        }
        (PreEscaped("<body>\n"))
        a.skip href="#conversation" { "skip to the conversation" }
        @if let Some(index) = page.index { nav.up aria-label="Site" { a href=(index) { "all sessions" } } }
        (head::head(layout, page, axis))
        (toolbar::toolbar(page.detail, layout.deepest, totals))
        @if let Some(axis) = axis { (timeline::timeline(layout, axis)) }
    }
}

/// The first tag of a page. A zone that the user chose is in it, and the script keeps to that.
fn opening_tag(detail: Detail, locale: &Locale) -> Markup {
    let zone = zone_attribute(locale);
    PreEscaped(format!("<html lang=\"en\" data-detail=\"{}\"{zone}>", layout::name(detail)))
}

/// The zone that times of a page are shown in, for the script; nothing if they are shown in the reader's own.
pub(super) fn zone_attribute(locale: &Locale) -> String {
    let is_name = |name: &&str| name.chars().all(|c| c.is_ascii_alphanumeric() || "/_+-".contains(c));
    locale.chosen_zone().filter(is_name).map(|name| format!(" data-zone=\"{name}\"")).unwrap_or_default()
}

#[cfg(test)]
mod tests;
