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

/// The longest word, in bytes.
pub const TOKEN: usize = 64;

/// A word that is in no text and no query, with its spaces: a phrase does not go across it.
pub const BREAK: &str = "\u{e000} ";

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
