//! Tokenization: splits texts into searchable words, including parts of names, paths and all languages.
//!
//! The full-text table uses the simplest tokenizer (`tokenize = 'ascii'`: ASCII letters, digits and everything beyond
//! ASCII form words, all else separates them). This module prepares both texts and queries for it, so that they always
//! agree. [`prepare`] returns the words of a text, a [`Term`] is one word or phrase of a query, and [`find`] locates a
//! term in the original text.
//!
//! - Words are runs of letters and digits, without case and accents.
//! - **Parts are in their place.** `retryPolicy`, `RetryPolicy`, `retry_policy` and `retry-policy` are the words `retry
//!   policy`, so that the phrase `"retry policy limit"` finds `retryPolicy limit`. `HTTPServer2` is `http server 2`;
//!   `/src/up.py` is `src up py`. A run with letters after digits (`3d`, `10ms`, `e29b41d4`) is one word.
//! - **Wholes are at the end.** All parts are followed by a word that occurs in no text ([`BREAK`]) and by the names
//!   with several parts as single words: `retrypolicy`, `httpserver2`. They can be found as such and do not interrupt
//!   phrases. All runs can be found this way in any spelling; so can names joined by `_` and `-`, unless they look like
//!   dates or ids.
//! - **Wholes encode the length of their first part**, as a leading letter that occurs in no text (`mark`). There are
//!   far more names than words, but a search for `retr*` can skip all names that begin with `retry`, because each text
//!   that contains one of them contains `retry` too. Only names whose first part is shorter than the typed prefix
//!   remain.
//! - Dense scripts (Chinese, Japanese, Korean, Thai, Lao, Burmese, Khmer) are overlapping pairs of letters; see
//!   `words/dense.rs`.
//! - A word has at most [`TOKEN`] bytes; longer words are cut, in texts and queries alike. Long runs and random ones
//!   (hashes, keys, base64) are one word.
//! - Terminal escape sequences are not words, and separate words.

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
pub use find::{TermMatch, find};
pub use prepare::prepare;
pub use term::Term;
pub(crate) use term::either;

/// The maximum length of a word, in bytes.
pub const TOKEN: usize = 64;

/// A word that occurs in no text or query, with its space: no phrase matches across it.
pub const BREAK: &str = "\u{e000} ";

/// The largest length of a first part that is encoded exactly, in bytes; longer parts are encoded as this length.
const LONGEST_MARK: usize = 8;

/// The letter before a whole whose first part has this many bytes. It occurs in no text or query.
fn mark(first: usize) -> char {
    let length = u32::try_from(first.clamp(1, LONGEST_MARK)).unwrap_or(1);
    char::from_u32(0xe000 + length).unwrap_or('\u{e001}')
}

/// All forms of a word as a whole whose first part is shorter than the word.
fn as_wholes(word: &str) -> impl Iterator<Item = String> {
    (1..word.len().min(LONGEST_MARK + 1)).map(move |first| format!("{}{word}", mark(first)))
}

/// Cuts a word to the maximum length.
#[inline]
fn cut(word: &[u8]) -> &[u8] {
    let is_end = |end: &usize| word.get(*end).is_none_or(|byte| *byte < 0x80 || *byte >= 0xc0);
    let end = if word.len() <= TOKEN { Some(word.len()) } else { (0..=TOKEN).rev().find(is_end) };
    end.and_then(|end| word.get(..end)).unwrap_or_default()
}

/// ASCII letters and digits in lower case.
#[inline]
fn small<'a>(word: &[u8], room: &'a mut [u8]) -> &'a [u8] {
    room.iter_mut().zip(word).for_each(|(to, from)| *to = from | 0x20);
    room.get(..word.len()).unwrap_or_default()
}
