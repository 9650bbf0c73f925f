//! The page of a session, written incrementally: memory use does not grow with the session.

mod assets;
mod bill;
mod changes;
mod chunk;
mod excerpt;
mod facts;
mod files;
pub(super) mod layout;
pub(super) mod moment;
mod raw;
mod thread_writer;
mod toolbar;
mod window;

use std::io::{self, Write};

use human::Locale;
use maud::{DOCTYPE, Markup, PreEscaped, html};
use story::{Detail, SessionStatus, Story, Texts};

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
use thread_writer::ThreadWriter;
pub use window::{Growth, Piece, Whereabouts, growth, piece, whereabouts, write_growing_page};

/// The options of a page, and facts that the story does not contain.
#[derive(Debug, Clone, Default)]
pub struct PageOptions<'p> {
    /// The initial level. A page contains all levels below `raw`; it contains the raw lines only if this is `raw`.
    pub detail: Detail,
    /// The part of the session on the page, if not all of it. Its detail level is ignored.
    pub selection: Option<&'p Selection>,
    /// The paths of the session's files, the main file first.
    pub sources: &'p [String],
    /// Usage and cost, if they are known.
    pub ledger: Option<LedgerView>,
    /// The state of the session, if that was asked.
    pub status: Option<SessionStatus>,
    /// The time zone and the currency of all output.
    pub locale: Locale,
    /// Where the stylesheet and the script come from.
    pub dress: Dress,
    /// The link to the list of all sessions, if there is one.
    pub index: Option<&'p str>,
    /// The link to the session without its secrets, if there is one.
    pub share: Option<&'p str>,
    /// The last event that a growing page already includes.
    pub event: &'p str,
}

/// Writes the page of a session as one file.
pub fn write_page(out: &mut dyn Write, story: &Story, texts: &mut dyn Texts, page: &PageOptions<'_>) -> io::Result<()> {
    write(out, None, story, texts, page)
}

/// Writes the page of a session as several files, if it is long.
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
    // Shortens the lifetime of the trait object, since the parts outlive the other borrows of the page.
    let parts = parts.map(|parts| parts as &mut dyn Parts);
    let files = Files::new(&mut *out, parts, &layout, page);
    let mut writer = ThreadWriter::new(files, &layout, texts, anchors);
    writer.conversation()?;
    writer.threads()?;
    if layout.deepest == Detail::Raw {
        writer.other_lines()?;
    }
    let turns = writer.end()?;
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

/// The beginning of a page, up to the outline.
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

/// The first tag of a page. It names the time zone if the user chose one, and the script then keeps to it.
fn opening_tag(detail: Detail, locale: &Locale) -> Markup {
    let zone = zone_attribute(locale);
    PreEscaped(format!("<html lang=\"en\" data-detail=\"{}\"{zone}>", layout::name(detail)))
}

/// The time zone of a page for the script; `None` if times are shown in the reader's own.
pub(super) fn zone_attribute(locale: &Locale) -> String {
    let is_name = |name: &&str| name.chars().all(|c| c.is_ascii_alphanumeric() || "/_+-".contains(c));
    locale.chosen_zone().filter(is_name).map(|name| format!(" data-zone=\"{name}\"")).unwrap_or_default()
}

#[cfg(test)]
mod tests;
