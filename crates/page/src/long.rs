//! Long code, output and diffs: their beginning and their end, with the rest folded in between.
//!
//! ```html
//! <div class="long">
//!   <pre class="code" data-line="1">…                          the first lines
//!   <details class="more"><summary>1,204 more lines</summary>
//!     <pre class="code" data-line="41">…                       the lines between
//!   </details>
//!   <pre class="code" data-line="1245">…                       the last lines
//! </div>
//! ```
//!
//! Each piece looks like the whole. A piece of code states its first line number, if the whole does. Every piece of a
//! text ends with its last line break, so that the concatenated pieces are the text.

use std::ops::Range;

use maud::{Markup, html};

use human::counted;

/// Longer texts are folded.
pub(super) const AT_ONCE: usize = 60;
/// Number of first lines that are shown.
pub(super) const FIRST: usize = 40;
/// Number of last lines that are shown.
pub(super) const LAST: usize = 10;

/// Content of some lines; `piece` shows a range of them.
pub(super) fn long(lines: usize, piece: impl Fn(Range<usize>) -> Markup) -> Markup {
    if lines <= AT_ONCE {
        return piece(0..lines);
    }
    let (first, last) = (FIRST, lines - LAST);
    html! { div.long { (piece(0..first)) (more(last - first, &piece(first..last))) (piece(last..lines)) } }
}

/// A text; `piece` shows a part of it that begins after a number of lines.
pub(super) fn long_text(text: &str, piece: impl Fn(&str, usize) -> Markup) -> Markup {
    let ends: Vec<usize> = memchr::memchr_iter(b'\n', text.as_bytes()).map(|at| at + 1).collect();
    let lines = ends.len() + usize::from(!text.is_empty() && !text.ends_with('\n'));
    let start = |line: usize| line.checked_sub(1).map_or(0, |before| ends.get(before).copied().unwrap_or(text.len()));
    long(lines, |range| piece(text.get(start(range.start)..start(range.end)).unwrap_or(""), range.start))
}

/// The folded lines.
pub(super) fn more(lines: usize, shown: &Markup) -> Markup {
    html! {
        details.more { summary { (counted(lines as u64, "more line", "more lines")) } (shown) }
    }
}
