//! The HTML elements of Markdown.

use pulldown_cmark::{Alignment, BlockQuoteKind, HeadingLevel, Tag};

/// The table that is being read.
#[derive(Default)]
pub(super) struct Table {
    pub alignments: Vec<Alignment>,
    pub column: usize,
    pub is_open: bool,
    pub in_head: bool,
    pub has_body: bool,
}

impl Table {
    /// The opening tag of the next cell.
    pub(super) fn cell(&mut self) -> &'static str {
        let alignment = self.alignments.get(self.column).copied().unwrap_or(Alignment::None);
        self.column += 1;
        match (self.in_head, alignment) {
            (true, Alignment::None) => "<th>",
            (true, Alignment::Left) => "<th data-align=\"left\">",
            (true, Alignment::Center) => "<th data-align=\"center\">",
            (true, Alignment::Right) => "<th data-align=\"right\">",
            (false, Alignment::None) => "<td>",
            (false, Alignment::Left) => "<td data-align=\"left\">",
            (false, Alignment::Center) => "<td data-align=\"center\">",
            (false, Alignment::Right) => "<td data-align=\"right\">",
        }
    }
}

/// Whether a tag is inline, or a part of a table.
pub(super) const fn is_of_line(tag: &Tag<'_>) -> bool {
    matches!(
        tag,
        Tag::TableHead
            | Tag::TableRow
            | Tag::TableCell
            | Tag::Emphasis
            | Tag::Strong
            | Tag::Strikethrough
            | Tag::Link { .. }
            | Tag::Image { .. }
    )
}

/// The opening and closing tags of a heading. The page has three levels of its own.
pub(super) const fn heading(level: HeadingLevel) -> (&'static str, &'static str) {
    match level {
        HeadingLevel::H1 => ("<h4>", "</h4>"),
        HeadingLevel::H2 => ("<h5>", "</h5>"),
        HeadingLevel::H3 | HeadingLevel::H4 | HeadingLevel::H5 | HeadingLevel::H6 => ("<h6>", "</h6>"),
    }
}

/// The rest of the opening tag of an alert, and its title.
pub(super) const fn alert(kind: BlockQuoteKind) -> &'static str {
    match kind {
        BlockQuoteKind::Note => " class=\"alert\" data-kind=\"note\"><p class=\"kind\">Note</p>",
        BlockQuoteKind::Tip => " class=\"alert\" data-kind=\"tip\"><p class=\"kind\">Tip</p>",
        BlockQuoteKind::Important => " class=\"alert\" data-kind=\"important\"><p class=\"kind\">Important</p>",
        BlockQuoteKind::Warning => " class=\"alert\" data-kind=\"warning\"><p class=\"kind\">Warning</p>",
        BlockQuoteKind::Caution => " class=\"alert\" data-kind=\"caution\"><p class=\"kind\">Caution</p>",
    }
}
