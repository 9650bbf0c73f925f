//! Text of a session, on its way to a page.

use maud::{Escaper, Render};
use std::fmt::Write as _;

use crate::clean::clean_text;

/// Text of a session: cleaned and escaped when it is written.
#[derive(Debug, Clone, Copy)]
pub struct Text<'t>(&'t str);

/// Text of a session, for an element or an attribute.
///
/// ```
/// use maud::html;
/// use render::html::text;
///
/// let words = "<b onclick=\"x\">\u{202e}\u{1b}[31mhi";
/// assert_eq!(html!(p title=(text(words)) { (text("a < b")) }).into_string(),
///     "<p title=\"&lt;b onclick=&quot;x&quot;&gt;hi\">a &lt; b</p>");
/// ```
pub const fn text(text: &str) -> Text<'_> {
    Text(text)
}

impl Render for Text<'_> {
    fn render_to(&self, page: &mut String) {
        // Writing to a string cannot fail.
        let _ = Escaper::new(page).write_str(&clean_text(self.0));
    }
}
