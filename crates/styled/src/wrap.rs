//! Breaks lines to a width.

use std::ops::Range;

use crate::line::Line;
use crate::width::{Columns, EMOJI_FORM};

/// The minimum width for a layout: an indent and one wide character.
const NARROWEST: usize = 4;

/// Joins emoji; the two sides belong together.
const JOINER: char = '\u{200d}';

/// Punctuation that may not begin a line.
const CLOSING: &str = "、。，．・：；？！）」』】〉》〕ー";

/// Breaks a line at blanks, and overlong words anywhere. The blanks at a break are dropped.
///
/// The first line begins with `first`, the others with `next`; an indent of more than half the width is truncated.
///
/// ```
/// use styled::Line;
/// use styled::Style;
/// use styled::wrap;
/// use styled::write;
///
/// let line = Line::new().with("a few words more", Style::PLAIN);
/// let (bullet, indent) = (Line::new().with("• ", Style::PLAIN), Line::new().with("  ", Style::PLAIN));
/// assert_eq!(write(&wrap(&line, 9, &bullet, &indent), None), "• a few\n  words\n  more\n");
/// ```
pub fn wrap(line: &Line, width: usize, first: &Line, next: &Line) -> Vec<Line> {
    lay_out(line, width, first, next, true)
}

/// Breaks a line exactly at the width, as for code: nothing is dropped.
pub fn fold(line: &Line, width: usize, first: &Line, next: &Line) -> Vec<Line> {
    lay_out(line, width, first, next, false)
}

/// Like [`wrap`], one line after another: a long line is not held twice.
pub fn wrap_each(line: Line, width: usize, first: &Line, next: &Line) -> impl Iterator<Item = Line> + use<> {
    lay_out_each(line, width, first, next, true)
}

/// Like [`fold`], one line after another.
pub fn fold_each(line: Line, width: usize, first: &Line, next: &Line) -> impl Iterator<Item = Line> + use<> {
    lay_out_each(line, width, first, next, false)
}

fn lay_out_each(
    line: Line,
    width: usize,
    first: &Line,
    next: &Line,
    at_blanks: bool,
) -> impl Iterator<Item = Line> + use<> {
    let width = width.max(NARROWEST);
    let (first, next) = (first.start(width / 2), next.start(width / 2));
    let fits = first.width() + line.width() <= width;
    let breaker = || Breaker::new(at_blanks, width - first.width(), width - next.width());
    let ranges = if fits { std::iter::once(0..line.text().len()).collect() } else { breaker().ranges(line.text()) };
    let mut current = Some(first);
    ranges.into_iter().map(move |range| {
        let mut broken = current.take().unwrap_or_else(|| next.clone());
        broken.copy(&line, range);
        broken
    })
}

fn lay_out(line: &Line, width: usize, first: &Line, next: &Line, at_blanks: bool) -> Vec<Line> {
    let width = width.max(NARROWEST);
    let first = first.start(width / 2);
    if first.width() + line.width() <= width {
        let mut whole = first;
        whole.append(line);
        return vec![whole];
    }
    let next = next.start(width / 2);
    let ranges = Breaker::new(at_blanks, width - first.width(), width - next.width()).ranges(line.text());
    let mut lines = Vec::with_capacity(ranges.len());
    let mut current = first;
    for range in ranges {
        current.copy(line, range);
        lines.push(std::mem::replace(&mut current, next.clone()));
    }
    lines
}

/// Finds where to break a text.
struct Breaker {
    at_blanks: bool,
    /// The columns of the current line, and of later ones.
    room: usize,
    next_room: usize,
    /// Where the current line begins, and the columns it uses.
    start: usize,
    used: usize,
    /// The last place where the current line may be broken.
    candidate: Option<Candidate>,
    ranges: Vec<Range<usize>>,
}

/// A possible break: where the line would end, and where the next one would begin.
#[derive(Clone, Copy)]
struct Candidate {
    end: usize,
    next: usize,
    used: usize,
}

impl Breaker {
    fn new(at_blanks: bool, room: usize, next_room: usize) -> Self {
        Self { at_blanks, room, next_room, start: 0, used: 0, candidate: None, ranges: Vec::new() }
    }

    fn ranges(mut self, text: &str) -> Vec<Range<usize>> {
        let mut columns = Columns::default();
        let (mut before, mut before_width) = ('\0', 0);
        // The start of the run of blanks that ends here.
        let mut blanks_from = 0;
        let mut characters = text.char_indices().peekable();
        while let Some((at, character)) = characters.next() {
            let mut width = columns.of(character);
            // No break between a character and its form selector.
            while characters.next_if(|(_, next)| *next == EMOJI_FORM).is_some() {
                width += columns.of(EMOJI_FORM);
            }
            let blank = self.at_blanks && character == ' ';
            if blank && before != ' ' {
                blanks_from = at;
            }
            if blank && blanks_from > self.start {
                // Blanks after a word may overhang; they are dropped if the line is broken here.
                self.used += width;
                let next = characters.peek().map_or(text.len(), |(next, _)| *next);
                self.candidate = Some(Candidate { end: blanks_from, next, used: self.used });
            } else {
                let wide = self.at_blanks && (width > 1 || before_width > 1) && width > 0;
                if wide && before != JOINER && before != ' ' && !CLOSING.contains(character) && at > self.start {
                    self.candidate = Some(Candidate { end: at, next: at, used: self.used });
                }
                self.make_room(at, width);
                self.used += width;
            }
            (before, before_width) = (character, width);
        }
        let overhang = self.at_blanks && before == ' ' && blanks_from > self.start;
        self.ranges.push(self.start..if overhang { blanks_from } else { text.len() });
        self.ranges
    }

    /// Breaks lines until a character of this width fits at this place.
    fn make_room(&mut self, at: usize, width: usize) {
        while self.used + width > self.room && self.used > 0 {
            let place = self.candidate.take().unwrap_or(Candidate { end: at, next: at, used: self.used });
            self.ranges.push(self.start..place.end);
            self.start = place.next;
            self.used -= place.used;
            self.room = self.next_room;
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::Role;
    use crate::Style;
    use crate::line::tests::{hold, marked};
    use crate::write;
    use testkit::hostile::hostile;

    fn wrapped(text: &str, width: usize) -> Vec<String> {
        let lines = wrap(&Line::new().with(text, Style::PLAIN), width, &Line::new(), &Line::new());
        lines.iter().map(|line| line.text().to_owned()).collect()
    }

    #[test]
    fn lines_break_at_blanks() {
        assert_eq!(wrapped("one two three", 20), ["one two three"]);
        assert_eq!(wrapped("one two three", 7), ["one two", "three"]);
        assert_eq!(wrapped("one   two three", 8), ["one", "two", "three"]);
        assert_eq!(wrapped("  one two", 5), ["  one", "two"]);
        assert_eq!(wrapped("one      ", 5), ["one"]);
        assert_eq!(wrapped("      one", 4), ["    ", "  on", "e"]);
    }

    #[test]
    fn long_words_break_anywhere() {
        assert_eq!(wrapped("a verylongword b", 6), ["a", "verylo", "ngword", "b"]);
        assert_eq!(wrapped("日本語", 4), ["日本", "語"]);
        assert_eq!(wrapped("see 日本語。", 8), ["see 日本", "語。"]);
        assert_eq!(wrapped("abc\u{301}def", 4), ["abc\u{301}d", "ef"]);
    }

    #[test]
    fn styles_continue_after_a_break() {
        let line = Line::new().with("quiet", Role::Quiet).with(" and code here", Role::Code);
        let bar = Line::new().with("│ ", Role::Quiet);
        insta::assert_snapshot!(marked(&wrap(&line, 12, &bar, &bar)), @"
        ⟨Quiet │ quiet⟩⟨Code  and⟩
        ⟨Quiet │ ⟩⟨Code code here⟩
        ");
    }

    #[test]
    fn folding_drops_nothing() {
        let line = Line::new().with("let  x  =  1;", Style::PLAIN);
        let indent = Line::new().with("  ", Style::PLAIN);
        assert_eq!(write(&fold(&line, 8, &indent, &indent), None), "  let  x\n    =  1\n  ;\n");
    }

    #[test]
    fn no_width_is_too_small() {
        assert_eq!(wrapped("日本", 0), ["日本"]);
        let wide = Line::new().with("          ", Style::PLAIN);
        hold(&wrap(&Line::new().with("日本語", Style::PLAIN), 0, &wide, &wide), NARROWEST);
    }

    proptest! {
        #[test]
        fn nothing_is_lost_and_nothing_is_too_wide(text in hostile(), width in 0_usize..60) {
            let line = Line::new().with(&text, Style::PLAIN);
            let none = Line::new();
            let folded = fold(&line, width, &none, &none);
            hold(&folded, width.max(NARROWEST));
            prop_assert_eq!(folded.iter().map(Line::text).collect::<String>(), line.text());

            let indent = Line::new().with("日本 > ", Role::Quiet);
            hold(&wrap(&line, width, &indent, &indent), width.max(NARROWEST));
            let words = |text: &str| text.replace([' ', EMOJI_FORM], "");
            let wrapped = wrap(&line, width, &none, &none);
            prop_assert_eq!(words(&wrapped.iter().map(Line::text).collect::<String>()), words(line.text()));
        }
    }
}
