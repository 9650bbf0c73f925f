//! A line of styled text.

use std::borrow::Cow;
use std::ops::Range;

use crate::clean::{CleanLines, clean_piece};
use crate::style::{Role, Style};
use crate::width::{Columns, EMOJI_FORM, width_after};

/// The distance of tab stops in code.
const TAB: usize = 4;

/// A line of text with styles, which is safe to print.
///
/// All text is cleaned when it is pushed: a line contains no control characters, and its width is known.
///
/// ```
/// use styled::Line;
/// use styled::Role;
///
/// let line = Line::new().with("Edit", Role::Tool).with(" retry\x1b[2J.py", Role::Quiet);
/// assert_eq!(line.text(), "Edit retry.py");
/// assert_eq!(line.width(), 13);
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Line {
    text: String,
    marks: Vec<Mark>,
    width: usize,
}

/// The style of the text up to a byte.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Mark {
    end: usize,
    style: Style,
}

/// A piece of a line in one style.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Span<'l> {
    /// The text.
    pub text: &'l str,
    /// Its style.
    pub style: Style,
}

impl Line {
    /// An empty line.
    pub const fn new() -> Self {
        Self { text: String::new(), marks: Vec::new(), width: 0 }
    }

    /// The lines of a text, all in one style.
    pub fn all(text: &str, style: impl Into<Style>) -> Vec<Self> {
        Self::each(text.into(), style).collect()
    }

    /// The same, one after another.
    pub fn each<'t>(text: Cow<'t, str>, style: impl Into<Style> + 't) -> impl Iterator<Item = Self> + 't {
        let style = style.into();
        let mut lines = CleanLines::of(text);
        std::iter::from_fn(move || lines.next_with(|line| Self::new().with(line, style)))
    }

    /// An empty line with capacity for a text.
    pub(crate) fn with_room_for(text: &str) -> Self {
        Self { text: String::with_capacity(text.len()), ..Self::new() }
    }

    /// Adds text; line breaks become spaces, tabs go to the next stop.
    pub fn push(&mut self, text: &str, style: impl Into<Style>) {
        let style = style.into();
        let cleaned = clean_piece(text);
        let mut pieces = cleaned.split('\t');
        self.push_clean(pieces.next().unwrap_or(""), style);
        for piece in pieces {
            let stop = TAB - self.width % TAB;
            self.push_clean("    ".get(..stop).unwrap_or(" "), style);
            self.push_clean(piece, style);
        }
    }

    /// This line with more text.
    #[must_use]
    pub fn with(mut self, text: &str, style: impl Into<Style>) -> Self {
        self.push(text, style);
        self
    }

    /// Adds another line.
    pub fn append(&mut self, other: &Self) {
        self.copy(other, 0..other.text.len());
    }

    /// Adds a range of bytes of another line.
    pub(crate) fn copy(&mut self, other: &Self, range: Range<usize>) {
        let first = other.marks.partition_point(|mark| mark.end <= range.start);
        let mut start = range.start;
        for mark in other.marks.iter().skip(first) {
            if start >= range.end {
                break;
            }
            let end = mark.end.min(range.end);
            self.push_clean(other.text.get(start..end).unwrap_or(""), mark.style);
            start = end;
        }
    }

    /// Adds text that has neither control characters nor tabs.
    pub(crate) fn push_clean(&mut self, text: &str, style: Style) {
        // At the start it has no effect, but would affect the end of a line that this one is appended to.
        let text = if self.text.is_empty() { text.trim_start_matches(EMOJI_FORM) } else { text };
        if text.is_empty() {
            return;
        }
        self.width += width_after(&self.text, text);
        self.text.push_str(text);
        let end = self.text.len();
        match self.marks.last_mut() {
            Some(last) if last.style == style => last.end = end,
            _ => self.marks.push(Mark { end, style }),
        }
    }

    /// Adds a role to the whole line.
    #[must_use]
    pub fn also(mut self, role: Role) -> Self {
        for mark in &mut self.marks {
            mark.style = mark.style | role;
        }
        self
    }

    /// The text without its styles.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The width in columns.
    pub const fn width(&self) -> usize {
        self.width
    }

    /// Whether there is no text.
    pub const fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    /// The spans; adjacent ones differ in style.
    pub fn spans(&self) -> impl Iterator<Item = Span<'_>> {
        let mut start = 0;
        self.marks.iter().map(move |mark| {
            let text = self.text.get(start..mark.end).unwrap_or("");
            start = mark.end;
            Span { text, style: mark.style }
        })
    }

    /// This line in at most `width` columns, truncated with `…`.
    #[must_use]
    pub fn cut(self, width: usize) -> Self {
        if self.width <= width {
            return self;
        }
        let mut kept = self.start(width.saturating_sub(1));
        if width > 0 {
            kept.push("…", Role::Quiet);
        }
        kept
    }

    /// The longest prefix that fits.
    pub(crate) fn start(&self, width: usize) -> Self {
        let (mut columns, mut used) = (Columns::default(), 0);
        let end = self.text.char_indices().find_map(|(at, character)| {
            used += columns.of(character);
            (used > width).then_some(at)
        });
        let mut kept = Self::new();
        kept.copy(self, 0..end.unwrap_or(self.text.len()));
        kept
    }

    /// This line without the blanks at its end.
    pub(crate) fn trim_end(&self) -> Self {
        let mut kept = Self::new();
        kept.copy(self, 0..self.text.trim_end_matches(' ').len());
        kept
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use proptest::prelude::*;
    use testkit::hostile::hostile;

    use super::*;
    use crate::write;

    /// Checks that lines are safe to print and no wider than a width.
    pub(crate) fn hold(lines: &[Line], width: usize) {
        for line in lines {
            assert!(line.width() <= width, "{} > {width}: {line:?}", line.width());
            assert_eq!(line.width(), crate::width(line.text()));
        }
        let written = write(lines, None);
        assert!(written.chars().all(|c| c == '\n' || !c.is_control()), "{written:?}");
        assert_eq!(written.matches('\n').count(), lines.len(), "{written:?}");
    }

    /// The lines with their styles in brackets, for snapshots: `a ⟨Code word⟩`.
    pub(crate) fn marked(lines: &[Line]) -> String {
        let mut text = String::new();
        for line in lines {
            for span in line.spans() {
                let names: Vec<_> = span.style.roles().map(|role| format!("{role:?}")).collect();
                let own = span.style.own().render().to_string().replace("\x1b[", "");
                match names.join("+") + &own {
                    name if name.is_empty() => text += span.text,
                    name => text.extend(["⟨", &name, " ", span.text, "⟩"]),
                }
            }
            text.push('\n');
        }
        text
    }

    #[test]
    fn adjacent_text_of_one_style_is_one_span() {
        let line =
            Line::new().with("a", Role::Code).with("", Role::Error).with("b", Role::Code).with("c", Style::PLAIN);
        let spans: Vec<_> = line.spans().map(|span| span.text).collect();
        assert_eq!(spans, ["ab", "c"]);
    }

    #[test]
    fn tabs_go_to_the_next_stop() {
        let line = Line::new().with("\ta\tbcd\t", Style::PLAIN).with("日本\te", Role::Code);
        assert_eq!(line.text(), "    a   bcd 日本    e");
    }

    #[test]
    fn lines_are_truncated_with_a_mark() {
        let line = Line::new().with("日本", Role::Code).with("go", Style::PLAIN);
        let cut = |width| line.clone().cut(width).text().to_owned();
        assert_eq!([cut(6), cut(5), cut(4), cut(1), cut(0)], ["日本go", "日本…", "日…", "…", ""]);
    }

    proptest! {
        #[test]
        fn any_text_is_made_safe(text in hostile(), width in 0_usize..50) {
            hold(&Line::all(&text, Style::PLAIN), usize::MAX);
            let line = Line::new().with(&text, Role::Code);
            hold(std::slice::from_ref(&line), usize::MAX);
            hold(&[line.cut(width)], width);
        }
    }
}
