//! Markdown.

use maud::{Markup, html};

use super::text;

/// What was said in Markdown.
pub fn prose(markdown: &str) -> Markup {
    html! { div.prose { p { (text(markdown)) } } }
}
