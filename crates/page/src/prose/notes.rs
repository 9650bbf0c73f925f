//! Footnotes.

use std::collections::HashMap;

/// The notes of a text, which stand at its end in the order in which they are mentioned.
#[derive(Default)]
pub(super) struct Notes {
    numbers: HashMap<String, usize>,
    /// What the notes say, with the numbers of those that are mentioned.
    said: Vec<(String, String)>,
    /// The notes that are being read, and the page outside of each.
    open: Vec<(String, String)>,
}

impl Notes {
    /// The number of a note that is mentioned.
    pub(super) fn number(&mut self, label: &str) -> usize {
        let next = self.numbers.len() + 1;
        match self.numbers.get(label) {
            Some(number) => *number,
            None => *self.numbers.entry(label.to_owned()).or_insert(next),
        }
    }

    /// Begins a note; until it ends, what is written belongs to it.
    pub(super) fn begin(&mut self, label: &str, page: &mut String) {
        self.open.push((label.to_owned(), std::mem::take(page)));
    }

    /// Ends a note.
    pub(super) fn end(&mut self, page: &mut String) {
        if let Some((label, outside)) = self.open.pop() {
            self.said.push((label, std::mem::replace(page, outside)));
        }
    }

    /// Writes all notes. Those that are not mentioned anywhere are the last.
    pub(super) fn write(mut self, page: &mut String) {
        if self.said.is_empty() {
            return;
        }
        self.said.sort_by_key(|(label, _)| self.numbers.get(label).copied().unwrap_or(usize::MAX));
        page.push_str("<ol class=\"notes\">");
        for (_, said) in &self.said {
            page.push_str("<li>");
            page.push_str(said);
            page.push_str("</li>");
        }
        page.push_str("</ol>");
    }
}
