//! `[Image #2]`: where a prompt mentions a pasted image (docs/format F.2).

use std::ops::Range;

use super::scan::leading_number;

/// The placeholder of a pasted image in a prompt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ImagePlaceholder {
    /// Its bytes in the text.
    pub range: Range<usize>,
    /// The image's number, counted from 1 through the session.
    pub number: u32,
}

/// All `[Image #2]` in a text, in order.
///
/// ```
/// let found: Vec<_> = format::text::image_placeholders("see [Image #2]!").collect();
/// assert_eq!((found[0].range.clone(), found[0].number), (4..14, 2));
/// ```
pub fn image_placeholders(text: &str) -> impl Iterator<Item = ImagePlaceholder> {
    const OPEN: &str = "[Image #";
    text.match_indices(OPEN).filter_map(move |(start, _)| {
        let (number, rest) = leading_number(text.get(start + OPEN.len()..)?)?;
        let rest = rest.strip_prefix(']')?;
        Some(ImagePlaceholder { range: start..text.len() - rest.len(), number })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn placeholders_have_range_and_number() {
        let text = "ä [Image #1] and [Image #12][Image #x] [Image #3";
        let found: Vec<_> = image_placeholders(text).map(|found| (&text[found.range], found.number)).collect();
        assert_eq!(found, [("[Image #1]", 1), ("[Image #12]", 12)]);
    }
}
