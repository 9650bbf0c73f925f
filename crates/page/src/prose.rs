//! Markdown.
//!
//! What people and models write on GitHub: tables, task lists, footnotes, alerts, bare addresses. It becomes elements
//! of ours, and no others:
//! - HTML is shown as the text that it is; a block of it is a `<p class="raw">` that keeps its blanks and lines.
//! - Headings stay below those of the page.
//! - The end of a line ends a line here too, as it does in a terminal.
//! - Only what leads to the web or to mail is a link ([`links`]); images are not loaded but linked.
//! - Footnotes have numbers and no anchors ([`notes`]): several texts on a page must not meet in one.
//! - What is nested deeper than anyone would follow loses its elements, not its text ([`styled::nesting`]).

mod links;
mod notes;
mod tags;
mod writer;

use maud::{Markup, PreEscaped};
use pulldown_cmark::Parser;

use super::text::write;
use styled::clean::clean_text;
use styled::github_flavoured;
use styled::nesting::is_too_deep;
use writer::Writer;

/// What was said in Markdown.
pub fn prose(markdown: &str) -> Markup {
    let text = clean_text(markdown);
    let mut page = String::with_capacity(text.len() + text.len() / 4 + 32);
    page.push_str("<div class=\"prose\">");
    if is_too_deep(&text) {
        page.push_str("<p class=\"raw\">");
        write(&text, &mut page);
        page.push_str("</p>");
    } else {
        let mut writer = Writer::new(page);
        Parser::new_ext(&text, github_flavoured()).for_each(|event| writer.take(event));
        page = writer.finish();
    }
    page.push_str("</div>");
    PreEscaped(page)
}

#[cfg(test)]
mod tests;
