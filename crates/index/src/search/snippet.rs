//! Snippets: excerpts of a text around its matches.

use std::ops::Range;

use super::needle::TextMatch;
use crate::texts::Column;

/// The size of a snippet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cut {
    /// About this many bytes.
    Around(usize),
    /// The lines with matches, and this many lines before and after them.
    Lines(usize),
}

/// An excerpt of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Snippet {
    /// The speaker.
    pub column: Column,
    /// The excerpt, unchanged.
    pub text: String,
    /// The byte ranges of the matches in the excerpt.
    pub marks: Vec<Range<usize>>,
    /// Text precedes it.
    pub is_cut_before: bool,
    /// Text follows it.
    pub is_cut_after: bool,
}

/// The maximum number of bytes before or after the matches, however long a line is.
const LONGEST_SIDE: usize = 2_000;

/// Cuts a text around the best matches: as many different words as fit. Without matches, returns the beginning.
pub(super) fn cut(column: Column, text: &str, places: &[TextMatch], cut: Cut) -> Snippet {
    let window = match cut {
        Cut::Around(length) => length,
        Cut::Lines(_) => LONGEST_SIDE / 4,
    };
    let shown = best(places, window);
    let first = shown.first().map_or(0, |place| place.range.start);
    let last = shown.last().map_or(0, |place| place.range.end);
    let range = match cut {
        Cut::Around(length) => around(text, first, last, length),
        Cut::Lines(lines) => whole_lines(text, first, last, lines),
    };
    let marks = places.iter().map(|place| &place.range).filter(|mark| mark.start < range.end && mark.end > range.start);
    let marks = marks.map(|mark| mark.start.max(range.start) - range.start..mark.end.min(range.end) - range.start);
    Snippet {
        column,
        text: text.get(range.clone()).unwrap_or_default().to_owned(),
        marks: marks.collect(),
        is_cut_before: !text.get(..range.start).unwrap_or_default().trim().is_empty(),
        is_cut_after: !text.get(range.end..).unwrap_or_default().trim().is_empty(),
    }
}

/// The matches within a window that cover most groups; the first of equals.
fn best(places: &[TextMatch], window: usize) -> &[TextMatch] {
    let groups = places.iter().map(|place| place.group + 1).max().unwrap_or_default();
    let mut counts = vec![0_usize; groups];
    let (mut start, mut distinct) = (0, 0);
    let (mut best, mut most) = (0..0, 0);
    for (at, place) in places.iter().enumerate() {
        if let Some(count) = counts.get_mut(place.group) {
            distinct += usize::from(*count == 0);
            *count += 1;
        }
        while let Some(first) =
            places.get(start).filter(|first| start < at && place.range.end - first.range.start > window)
        {
            if let Some(count) = counts.get_mut(first.group) {
                *count -= 1;
                distinct -= usize::from(*count == 0);
            }
            start += 1;
        }
        if distinct > most {
            (best, most) = (start..at + 1, distinct);
        }
    }
    places.get(best).unwrap_or_default()
}

/// A range of the given length around the matches, with slightly more text after than before and with whole words where
/// possible.
fn around(text: &str, first: usize, last: usize, length: usize) -> Range<usize> {
    const WORD: usize = 24;
    let spare = length.saturating_sub(last - first);
    let before = first.saturating_sub(spare / 3);
    // Length that is not used before the matches is available after them.
    let after = (before + length).max(last).min(text.len());
    let before = if after == text.len() { before.min(after.saturating_sub(length)).min(first) } else { before };
    let start = ceil(text, before).min(first);
    let end = floor(text, after).max(last);
    let start = if start == 0 {
        0
    } else {
        let ahead = text.get(start..first).unwrap_or_default();
        let blank = ahead.char_indices().find(|(_, c)| c.is_whitespace()).map(|(at, c)| at + c.len_utf8());
        start + blank.filter(|at| *at <= WORD).unwrap_or_default()
    };
    let end = if end == text.len() {
        end
    } else {
        let behind = text.get(last..end).unwrap_or_default();
        let blank = behind.char_indices().rev().find(|(_, c)| c.is_whitespace()).map(|(at, _)| last + at);
        blank.filter(|at| end - at <= WORD).unwrap_or(end)
    };
    start..end
}

/// The lines of the matches, and some before and after.
fn whole_lines(text: &str, first: usize, last: usize, lines: usize) -> Range<usize> {
    let before = text.get(..first).unwrap_or_default();
    let start = before.rmatch_indices('\n').nth(lines).map_or(0, |(at, _)| at + 1);
    let behind = text.get(last..).unwrap_or_default();
    let end = behind.match_indices('\n').nth(lines).map_or(text.len(), |(at, _)| last + at);
    let start = ceil(text, start.max(first.saturating_sub(LONGEST_SIDE))).min(first);
    let end = floor(text, end.min(last.saturating_add(LONGEST_SIDE))).max(last);
    start..end
}

/// The next character boundary.
fn ceil(text: &str, mut at: usize) -> usize {
    while !text.is_char_boundary(at) && at < text.len() {
        at += 1;
    }
    at.min(text.len())
}

/// The previous character boundary.
fn floor(text: &str, at: usize) -> usize {
    let mut at = at.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str, words: &[&str], how: Cut) -> (String, Vec<String>) {
        let mut places: Vec<TextMatch> = Vec::new();
        for (group, word) in words.iter().enumerate() {
            places.extend(text.match_indices(word).map(|(at, _)| TextMatch { range: at..at + word.len(), group }));
        }
        places.sort_by_key(|place| place.range.start);
        let snippet = cut(Column::Said, text, &places, how);
        let marks = snippet.marks.iter().map(|mark| snippet.text[mark.clone()].to_owned()).collect();
        let dots = |is_cut: bool| if is_cut { "…" } else { "" };
        (format!("{}{}{}", dots(snippet.is_cut_before), snippet.text, dots(snippet.is_cut_after)), marks)
    }

    #[test]
    fn a_part_shows_as_many_words_as_fit() {
        let text = format!("seed {}the seed needs water and some sun {}", "word ".repeat(60), "word ".repeat(60));
        let (part, marks) = shown(&text, &["seed", "sun"], Cut::Around(60));
        assert_eq!(part, "…word the seed needs water and some sun word word word word…");
        assert_eq!(marks, ["seed", "sun"]);
    }

    #[test]
    fn short_texts_are_shown_as_they_are() {
        assert_eq!(shown("a seed", &["seed"], Cut::Around(60)), ("a seed".to_owned(), vec!["seed".to_owned()]));
        assert_eq!(shown("", &["seed"], Cut::Around(60)), (String::new(), vec![]));
        assert_eq!(shown("é".repeat(9).as_str(), &[], Cut::Around(5)).0, "éé…");
    }

    #[test]
    fn lines_around_are_whole() {
        let text = "one\ntwo\nthree seed\nfour\nfive";
        assert_eq!(shown(text, &["seed"], Cut::Lines(1)).0, "…two\nthree seed\nfour…");
        assert_eq!(shown(text, &["seed"], Cut::Lines(9)).0, text);
    }

    #[test]
    fn letters_are_never_cut() {
        for length in 1..40 {
            let text = "漢字éé漢字 seed 漢字漢字😀漢字";
            let (part, _) = shown(text, &["seed"], Cut::Around(length));
            assert!(part.contains("seed"), "{part}");
        }
    }
}
