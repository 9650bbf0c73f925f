//! Text of a session, cleaned and escaped for a page.

use maud::Render;

use styled::clean::clean_text;

/// Text of a session: cleaned and escaped when it is written.
#[derive(Debug, Clone, Copy)]
pub struct Text<'t>(&'t str);

/// Text of a session, for an element or an attribute.
///
/// ```
/// use maud::html;
/// use page::text;
///
/// let words = "<b onclick=\"x\">\u{202e}\u{1b}[31mhi";
/// assert_eq!(html!(p title=(text(words)) { (text("a < b")) }).into_string(),
///     "<p title=\"&lt;b onclick=&quot;x&quot;&gt;\\u{202e}hi\">a &lt; b</p>");
/// ```
pub const fn text(text: &str) -> Text<'_> {
    Text(text)
}

impl Render for Text<'_> {
    fn render_to(&self, page: &mut String) {
        let cleaned = clean_text(self.0);
        let mut pieces = cleaned.split('"');
        write(pieces.next().unwrap_or(""), page);
        for piece in pieces {
            page.push_str("&quot;");
            write(piece, page);
        }
    }
}

/// A piece of a text that was cleaned as a whole, for the content of an element.
#[derive(Debug, Clone, Copy)]
pub(super) struct Cleaned<'t>(pub &'t str);

impl Render for Cleaned<'_> {
    fn render_to(&self, page: &mut String) {
        write(self.0, page);
    }
}

/// Writes cleaned text as the content of an element. Quotes are not escaped: code is full of them, and they are
/// harmless here.
pub(super) fn write(cleaned: &str, page: &mut String) {
    let mut rest = cleaned;
    while let Some(at) = memchr::memchr3(b'&', b'<', b'>', rest.as_bytes()) {
        let (plain, sign) = rest.split_at_checked(at).unwrap_or((rest, ""));
        page.push_str(plain);
        page.push_str(match sign.as_bytes().first() {
            Some(b'&') => "&amp;",
            Some(b'<') => "&lt;",
            _ => "&gt;",
        });
        rest = sign.get(1..).unwrap_or("");
    }
    page.push_str(rest);
}

#[cfg(test)]
pub(super) mod tests;
