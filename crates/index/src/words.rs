//! Texts as words that can be found: parts of names, paths, all languages.
//!
//! The full-text table has the simplest tokenizer there is (`tokenize = 'ascii'`: ASCII letters, digits and everything
//! beyond ASCII are words, all else separates), and what goes into it is prepared here; queries alike, so that both
//! always agree. [`prepare`] gives the words of a text, a [`Term`] is one word or phrase of a query, and [`find`] says
//! where in the text itself a term is.
//!
//! - Words are runs of letters and digits, without case and accents.
//! - **Parts are in their place.** `retryPolicy`, `RetryPolicy`, `retry_policy` and `retry-policy` are the words `retry
//!   policy`, so that the phrase `"retry policy limit"` finds `retryPolicy limit`. `HTTPServer2` is `http server 2`;
//!   `/src/up.py` is `src up py`. What has letters behind digits (`3d`, `10ms`, `e29b41d4`) is one word.
//! - **Wholes are at the end.** Behind all parts, and behind a word that no text has ([`BREAK`]), come the names that have
//!   several parts, as one word each: `retrypolicy`, `httpserver2`. They can be found as such, and stand in no phrase's
//!   way. All runs can be found so in any spelling; names joined by `_` and `-` unless they look like dates or ids.
//! - **Wholes say how long their first part is**, by a letter before them that no text has (`mark`). There are far more
//!   names than words: whoever looks for `retr*` need not look for all that begin with `retry`, since each text that has
//!   one of them has `retry` too. Only those are left whose first part is shorter than what was typed.
//! - Dense scripts (Chinese, Japanese, Korean, Thai, Lao, Burmese, Khmer) are overlapping pairs of letters; see
//!   `words/dense.rs`.
//! - A word has at most [`TOKEN`] bytes; what is longer is cut, in texts and queries alike. Long runs and random ones
//!   (hashes, keys, base64) are one word.
//! - Escape sequences of terminals are no words, and separate words.

mod block;
mod dense;
mod find;
mod fold;
mod letter;
mod name;
mod prepare;
mod term;
mod walk;

pub(crate) use find::note;
pub use find::{Found, find};
pub use prepare::prepare;
pub use term::Term;
pub(crate) use term::either;

/// The longest word, in bytes.
pub const TOKEN: usize = 64;

/// A word that is in no text and no query, with its spaces: a phrase does not go across it.
pub const BREAK: &str = "\u{e000} ";

/// First parts of wholes are told apart up to this length, in bytes; longer ones are counted as this long.
const LONGEST_MARK: usize = 8;

/// What stands before a whole whose first part has so many bytes: a letter that is in no text and no query.
fn mark(first: usize) -> char {
    let length = u32::try_from(first.clamp(1, LONGEST_MARK)).unwrap_or(1);
    char::from_u32(0xe000 + length).unwrap_or('\u{e001}')
}

/// All ways in which a word may stand in the table as a whole whose first part is shorter than it.
fn as_wholes(word: &str) -> impl Iterator<Item = String> {
    (1..word.len().min(LONGEST_MARK + 1)).map(move |first| format!("{}{word}", mark(first)))
}

/// The beginning of a word that is not too long.
#[inline]
fn cut(word: &[u8]) -> &[u8] {
    let is_end = |end: &usize| word.get(*end).is_none_or(|byte| *byte < 0x80 || *byte >= 0xc0);
    let end = if word.len() <= TOKEN { Some(word.len()) } else { (0..=TOKEN).rev().find(is_end) };
    end.and_then(|end| word.get(..end)).unwrap_or_default()
}

/// ASCII letters and digits in small letters.
#[inline]
fn small<'a>(word: &[u8], room: &'a mut [u8]) -> &'a [u8] {
    room.iter_mut().zip(word).for_each(|(to, from)| *to = from | 0x20);
    room.get(..word.len()).unwrap_or_default()
}
