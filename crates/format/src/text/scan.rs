//! Finds elements (`<name attribute="…">…</name>`) in text that is not XML.
//!
//! The texts quote tags freely, so this module does not parse documents: a caller asks for one element by name and gets
//! it or nothing. Every function takes linear time, for any text.

use std::borrow::Cow;

use memchr::memchr_iter;

/// An opening tag at the start of a text.
#[derive(Debug, Clone, Copy)]
pub(super) struct Opening<'a> {
    pub(super) name: &'a str,
    pub(super) attributes: Attributes<'a>,
    /// The text after the `>`.
    pub(super) after: &'a str,
}

/// Reads `<name …>` at the start of `text`.
pub(super) fn opening(text: &str) -> Option<Opening<'_>> {
    let inside = text.strip_prefix('<')?;
    let name_end = inside.find(|c: char| !(c.is_ascii_alphanumeric() || c == '-' || c == '_'))?;
    let (name, rest) = inside.split_at_checked(name_end)?;
    let (attributes, after) = rest.split_at_checked(attributes_end(rest)?)?;
    let spaced = attributes.is_empty() || attributes.starts_with(|c: char| c.is_ascii_whitespace());
    if name.is_empty() || !spaced {
        return None;
    }
    Some(Opening { name, attributes: Attributes(attributes), after: after.strip_prefix('>')? })
}

/// The position of the `>` that ends an opening tag, ignoring any `>` inside a quoted value.
fn attributes_end(rest: &str) -> Option<usize> {
    let mut quoted = false;
    for (at, byte) in rest.bytes().enumerate() {
        match byte {
            b'"' => quoted = !quoted,
            b'>' if !quoted => return Some(at),
            _ => {}
        }
    }
    // A value contains a lone quote: end the tag at the first `>`.
    rest.find('>')
}

/// The attributes of a tag, as written: values are not unescaped.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Attributes<'a>(&'a str);

impl<'a> Attributes<'a> {
    /// The value of the attribute `name`.
    pub fn get(self, name: &str) -> Option<&'a str> {
        self.iter().find_map(|(key, value)| (key == name).then_some(value))
    }

    /// All `name="value"` pairs, in order.
    pub fn iter(self) -> impl Iterator<Item = (&'a str, &'a str)> {
        let mut rest = self.0;
        std::iter::from_fn(move || {
            let (key, tail) = rest.split_once("=\"")?;
            let (value, tail) = tail.split_once('"')?;
            rest = tail;
            Some((key.split_ascii_whitespace().next_back()?, value))
        })
    }
}

/// Finds closing tags, and remembers when counting nested tags has failed.
///
/// A body may quote its own tag. If it quotes a whole element, counting finds the right end. If it only mentions the
/// opening tag, counting runs to the end of the text without success, and the first closing tag is used instead.
/// Remembering that limits such runs to one per text, instead of one per element.
#[derive(Debug, Default)]
pub(super) struct Closer {
    flat: bool,
}

impl Closer {
    /// Splits `body`, which follows an opening tag `name`, into the element's content and the text after it.
    pub(super) fn split<'a>(&mut self, body: &'a str, name: &str) -> Option<(&'a str, &'a str)> {
        let mut depth = 1_usize;
        let mut first = None;
        for at in memchr_iter(b'<', body.as_bytes()) {
            let Some((inner, tag)) = body.split_at_checked(at) else { continue };
            match boundary(tag, name) {
                Some(Boundary::Close(after)) => {
                    depth -= 1;
                    if depth == 0 || self.flat {
                        return Some((inner, after));
                    }
                    first = first.or(Some((inner, after)));
                }
                Some(Boundary::Open) => depth += 1,
                None => {}
            }
        }
        self.flat = true;
        first
    }
}

enum Boundary<'a> {
    Open,
    Close(&'a str),
}

fn boundary<'a>(tag: &'a str, name: &str) -> Option<Boundary<'a>> {
    let inside = tag.strip_prefix('<')?;
    if let Some(closing) = inside.strip_prefix('/') {
        return closing.strip_prefix(name)?.strip_prefix('>').map(Boundary::Close);
    }
    let rest = inside.strip_prefix(name)?;
    rest.starts_with(|c: char| c == '>' || c.is_ascii_whitespace()).then_some(Boundary::Open)
}

/// The content of the first `<name>…</name>` in `text`.
///
/// ```
/// assert_eq!(format::text::tag("<status>done</status>\n\n<exit_code>0</exit_code>", "exit_code"), Some("0"));
/// ```
pub fn tag<'a>(text: &'a str, name: &str) -> Option<&'a str> {
    fields(text, &[name]).first().map(|&(_, inner)| inner)
}

/// The contents of all elements that have one of these `names` and no attributes, in the order of the text.
///
/// The content of a found element is not searched, so a `<usage>` that an agent's `<result>` quotes is not a field of
/// its own.
pub fn fields<'a, 'n>(text: &'a str, names: &[&'n str]) -> Vec<(&'n str, &'a str)> {
    let mut found = Vec::new();
    let mut closer = Closer::default();
    // A name without a closing tag here has none later either.
    let mut sought: Vec<&'n str> = names.to_vec();
    let mut rest = text;
    while let Some(at) = rest.find('<') {
        let Some(here) = rest.get(at..) else { break };
        rest = here.get(1..).unwrap_or_default();
        let bare = |name: &'n str| Some((name, rest.strip_prefix(name)?.strip_prefix('>')?));
        let Some((name, after)) = sought.iter().find_map(|&name| bare(name)) else { continue };
        if let Some((inner, after)) = closer.split(after, name) {
            found.push((name, inner));
            rest = after;
        } else {
            sought.retain(|other| *other != name);
        }
    }
    found
}

/// Resolves the five predefined entities and `&#39;`, which Claude Code writes into summaries and attributes.
pub fn unescape(text: &str) -> Cow<'_, str> {
    const ENTITIES: [(&str, char); 6] =
        [("&amp;", '&'), ("&lt;", '<'), ("&gt;", '>'), ("&quot;", '"'), ("&apos;", '\''), ("&#39;", '\'')];
    let Some((before, _)) = text.split_once('&') else { return Cow::Borrowed(text) };
    let mut out = String::with_capacity(text.len());
    out.push_str(before);
    let mut rest = text.get(before.len()..).unwrap_or_default();
    while let Some(next) = rest.chars().next() {
        let (character, tail) = ENTITIES
            .iter()
            .find_map(|&(entity, character)| rest.strip_prefix(entity).map(|tail| (character, tail)))
            .unwrap_or((next, rest.get(next.len_utf8()..).unwrap_or_default()));
        out.push(character);
        rest = tail;
    }
    Cow::Owned(out)
}

/// The first line of `text`, and the text after the line break.
pub(super) fn first_line(text: &str) -> (&str, &str) {
    text.split_once('\n').unwrap_or((text, ""))
}

/// The number at the start of `text`, and the text after it.
pub(super) fn leading_number<N: std::str::FromStr>(text: &str) -> Option<(N, &str)> {
    let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let (digits, rest) = text.split_at_checked(end)?;
    Some((digits.parse().ok()?, rest))
}

/// The text after the first of `prefixes` that `text` starts with.
pub(super) fn strip_any<'a>(text: &'a str, prefixes: &[&str]) -> Option<&'a str> {
    prefixes.iter().find_map(|prefix| text.strip_prefix(prefix))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_opening_tag_is_read_with_its_attributes() {
        let open = opening("<note to=\"a > b\" by='x' colour=\"red\">rest").unwrap();
        assert_eq!((open.name, open.after), ("note", "rest"));
        assert_eq!(open.attributes.get("to"), Some("a > b"));
        assert_eq!(open.attributes.get("colour"), Some("red"));
        assert_eq!(open.attributes.get("missing"), None);
    }

    #[test]
    fn what_is_no_opening_tag_is_none() {
        for text in ["", "<", "<>", "< a>", "</a>", "<a", "<a/b>", "a<b>", "<é>"] {
            assert!(opening(text).is_none(), "{text}");
        }
    }

    #[test]
    fn a_quoted_element_does_not_end_its_own_kind() {
        let text = "<r>one <r>two</r> three</r>four";
        assert_eq!(tag(text, "r"), Some("one <r>two</r> three"));
    }

    #[test]
    fn a_mentioned_opening_tag_does_not_hide_the_end() {
        assert_eq!(tag("<r>the <r> tag</r> after", "r"), Some("the <r> tag"));
    }

    #[test]
    fn fields_are_not_looked_for_inside_fields() {
        let text = "<id>7</id><result>see <usage>9</usage></result><usage>1</usage><open>";
        assert_eq!(
            fields(text, &["usage", "id", "result", "open"]),
            [("id", "7"), ("result", "see <usage>9</usage>"), ("usage", "1")]
        );
    }

    #[test]
    fn names_match_whole() {
        assert_eq!(tag("<statusx>1</statusx><status>2</status>", "status"), Some("2"));
        assert_eq!(tag("<status>2", "status"), None);
    }

    #[test]
    fn entities_are_resolved_once() {
        assert_eq!(unescape("plain"), "plain");
        assert_eq!(unescape("a &amp; b &lt;c&gt; &amp;lt; & &#39;d&quot;"), "a & b <c> &lt; & 'd\"");
    }
}
