//! Diffs of files.
//!
//! ```html
//! <div class="diff" data-language="rust">
//!   <div class="hunk">
//!     <p class="same" data-old="1" data-new="1">…</p>
//!     <div class="change">
//!       <p class="removed" data-old="2">…</p>
//!       <p class="added" data-new="2">… <mark>word</mark> …</p>
//!     </div>
//!     <p class="note">No newline at end of file</p>
//!   </div>
//!   <p class="gap">12 unchanged lines</p>
//!   <details class="more"><summary>90 more lines</summary>…
//! ```
//!
//! A long diff is folded like other [long](super::long) texts. A hunk that is folded in part continues in another
//! `hunk`, without a gap. Lines that were removed and added in one place stay together, so that they can be shown side
//! by side, unless there are too many.

mod rows;

use std::borrow::Cow;
use std::ops::Range;

use maud::{Markup, html};

use super::long::more;
use super::text::Cleaned;
use human::counted;
use rows::{Block, Row, Rows};
use styled::clean::clean_piece;
use styled::diff::{Change, Hunk};
use styled::highlight::Language;

/// The diff of a file.
pub fn diff(hunks: &[Hunk<'_>], language: Option<Language>) -> Markup {
    // Cleaned before lines are split into words, as a word may be half of an escape sequence.
    let texts: Vec<Vec<Cow<'_, str>>> = hunks.iter().map(clean).collect();
    let hunks: Vec<Hunk<'_>> = hunks.iter().zip(&texts).map(|(hunk, texts)| with_texts(hunk, texts)).collect();
    let rows = Rows::new(&hunks);
    html! {
        div.diff data-language=[language.map(Language::name)] tabindex="0" {
            @match rows.folded() {
                None => (piece(&rows, 0..rows.len())),
                Some(folded) => {
                    (piece(&rows, 0..folded.start))
                    (more(folded.len(), &piece(&rows, folded.clone())))
                    (piece(&rows, folded.end..rows.len()))
                },
            }
        }
    }
}

fn clean<'t>(hunk: &Hunk<'t>) -> Vec<Cow<'t, str>> {
    let line = |&(change, line): &(Change, &'t str)| {
        clean_piece(if change == Change::Note { line.trim() } else { line.strip_suffix('\r').unwrap_or(line) })
    };
    hunk.lines.iter().map(line).collect()
}

fn with_texts<'t>(hunk: &Hunk<'_>, texts: &'t [Cow<'_, str>]) -> Hunk<'t> {
    let lines = hunk.lines.iter().zip(texts).map(|((change, _), text)| (*change, text.as_ref())).collect();
    Hunk { old_start: hunk.old_start, new_start: hunk.new_start, lines }
}

fn piece(rows: &Rows<'_>, range: Range<usize>) -> Markup {
    html! {
        @for (hunk, blocks) in rows.hunks(range) {
            @if let Some(unchanged) = rows.gap_before(hunk, &blocks) {
                p.gap {
                    @if unchanged == 0 { "⋮" }
                    @else { (counted(unchanged as u64, "unchanged line", "unchanged lines")) }
                }
            }
            div.hunk {
                @for Block { rows, is_change } in blocks {
                    @if is_change { div.change { @for row in rows { (shown(row)) } } }
                    @else { @for row in rows { (shown(row)) } }
                }
            }
        }
    }
}

fn shown(row: &Row<'_>) -> Markup {
    let (class, old, new) = match row.line.change {
        Change::Same => ("same", Some(row.old), Some(row.new)),
        Change::Removed => ("removed", Some(row.old), None),
        Change::Added => ("added", None, Some(row.new)),
        Change::Note => ("note", None, None),
    };
    html! {
        p class=(class) data-old=[old] data-new=[new] {
            @for (piece, changed) in row.line.pieces() {
                @if changed { mark { (Cleaned(piece)) } } @else { (Cleaned(piece)) }
            }
        }
    }
}

#[cfg(test)]
mod tests;
