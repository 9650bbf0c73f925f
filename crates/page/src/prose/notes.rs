//! Footnotes.

use std::collections::HashMap;

/// The footnotes of a text, which follow it in the order of their references.
#[derive(Default)]
pub(super) struct Notes {
    numbers: HashMap<String, usize>,
    /// The contents of the notes, with their labels.
    said: Vec<(String, String)>,
    /// The notes that are being read, each with the output outside it.
    open: Vec<(String, String)>,
}

impl Notes {
    /// The number of a referenced note.
    pub(super) fn number(&mut self, label: &str) -> usize {
        let next = self.numbers.len() + 1;
        match self.numbers.get(label) {
            Some(number) => *number,
            None => *self.numbers.entry(label.to_owned()).or_insert(next),
        }
    }

    /// Begins a note; until it ends, all output belongs to it.
    pub(super) fn begin(&mut self, label: &str, page: &mut String) {
        self.open.push((label.to_owned(), std::mem::take(page)));
    }

    /// Ends a note.
    pub(super) fn end(&mut self, page: &mut String) {
        if let Some((label, outside)) = self.open.pop() {
            self.said.push((label, std::mem::replace(page, outside)));
        }
    }

    /// Writes all notes. Those without a reference come last.
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
