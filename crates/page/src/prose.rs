//! Markdown as HTML.
//!
//! GitHub's dialect: tables, task lists, footnotes, alerts, bare URLs. It becomes elements of ours, and no others:
//! - HTML is shown as text; a block of it is a `<p class="raw">` that keeps its spaces and lines.
//! - Headings rank below those of the page.
//! - A line break is a line break here too, as in a terminal.
//! - Only URLs of the web and mail addresses are links ([`links`]); images are not loaded but linked.
//! - Footnotes have numbers and no anchors ([`notes`]), since several texts share a page.
//! - Content that is nested too deep loses its elements, not its text ([`styled::nesting`]).

mod links;
mod notes;
mod tags;
mod writer;

use maud::{Markup, PreEscaped};
use pulldown_cmark::Parser;

use super::text::write;
use styled::clean::clean_text;
use styled::github_flavoured;
use styled::nesting::is_parsed;
use writer::Writer;

/// Renders a text in Markdown.
pub fn prose(markdown: &str) -> Markup {
    let text = clean_text(markdown);
    let mut page = String::with_capacity(text.len() + text.len() / 4 + 32);
    page.push_str("<div class=\"prose\">");
    if is_parsed(&text) {
        let mut writer = Writer::new(page);
        Parser::new_ext(&text, github_flavoured()).for_each(|event| writer.take(event));
        page = writer.finish();
    } else {
        page.push_str("<p class=\"raw\">");
        write(&text, &mut page);
        page.push_str("</p>");
    }
    page.push_str("</div>");
    PreEscaped(page)
}

#[cfg(test)]
mod tests;
