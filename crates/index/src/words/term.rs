//! A word or phrase of a query, in the form that the full-text table is queried for.

use std::ops::Range;

use super::walk::{Pair, Sink, walk};
use super::{TOKEN, as_wholes, small};

/// A search term: a word or phrase.
///
/// A word may have several parts (`retryPolicy`, `up.py`, `日本語`); it is then searched as the phrase of its parts, and
/// also as a whole if it is one name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Term {
    /// The words of the phrase. Never empty.
    pub(super) parts: Vec<String>,
    /// The term as one name.
    pub(super) whole: Option<String>,
    /// Whether the last word is a prefix.
    pub(super) is_open: bool,
    /// The last word is one letter of a dense script, which is searched as the beginning of a pair.
    pub(super) is_letter: bool,
}

impl Term {
    /// The term for a typed text; `None` if it has neither letters nor digits.
    ///
    /// ```
    /// use index::words::Term;
    ///
    /// let plain = |text| Term::new(text).unwrap().expression().replace(|letter| letter > '\u{e000}', "");
    /// assert_eq!(plain("ab cd"), r#""ab cd""#);
    /// assert_eq!(plain("aB"), r#"("a b" OR "ab" OR "ab")"#);
    /// assert_eq!(plain("\"OR"), r#"("or" OR "or")"#);
    /// assert_eq!(Term::new("=>"), None);
    /// ```
    pub fn new(text: &str) -> Option<Self> {
        Self::read(text, false)
    }

    /// The same for a prefix (`retr*`). A text that does not end in a letter or digit is complete.
    pub fn beginning(text: &str) -> Option<Self> {
        Self::read(text, true)
    }

    fn read(text: &str, is_open: bool) -> Option<Self> {
        let mut words = Words::default();
        walk(text, &mut words);
        let range = words.parts.first()?.range.start..words.parts.last()?.range.end;
        let whole = words.wholes.into_iter().find(|whole| whole.range == range).map(|whole| whole.word);
        let mut is_open = is_open && range.end == text.len();
        let mut is_letter = false;
        if words.ends_dense {
            // The last letter is the end of the pair before it. A single letter may be followed by any letter.
            is_letter = words.run == 1;
            is_open = is_letter;
            if !is_letter {
                words.parts.pop();
            }
        }
        let parts = words.parts.into_iter().map(|part| part.word).collect();
        Some(Self { parts, whole, is_open, is_letter })
    }

    /// The number of words that the table must look up.
    pub fn count(&self) -> usize {
        self.parts.len() + usize::from(self.whole.is_some())
    }

    /// The FTS5 expression. Typed text becomes words in quotes, never syntax.
    pub fn expression(&self) -> String {
        let star = if self.is_open { " *" } else { "" };
        let phrase = self.parts.join(" ");
        let phrases: Vec<String> = [phrase].into_iter().chain(self.as_one_word()).collect();
        any_of(&phrases, star)
    }

    /// The forms of the term as one word, besides its phrase.
    fn as_one_word(&self) -> impl Iterator<Item = String> {
        let single = self.parts.first().filter(|_| self.parts.len() == 1 && !self.is_letter);
        let word = self.whole.as_deref().or(single.map(String::as_str)).unwrap_or_default();
        self.whole.clone().into_iter().chain(as_wholes(word))
    }

    /// The same without a prefix query: `complete` returns the completions of a prefix, or `None` if there are too
    /// many. The result is then `None`, too.
    pub(crate) fn expression_of<E>(
        &self,
        complete: &mut impl FnMut(&str) -> Result<Option<Vec<String>>, E>,
    ) -> Result<Option<String>, E> {
        let Some((last, first)) = self.parts.split_last().filter(|_| self.is_open) else {
            return Ok(Some(self.expression()));
        };
        let before: String = first.iter().flat_map(|word| [word, " "]).collect();
        let Some(words) = complete(last)? else { return Ok(None) };
        let mut phrases: Vec<String> = words.iter().map(|word| format!("{before}{word}")).collect();
        for whole in self.as_one_word() {
            let Some(words) = complete(&whole)? else { return Ok(None) };
            phrases.extend(words);
        }
        // Without completions, the typed word itself is searched, and not found.
        if phrases.is_empty() {
            phrases.push(format!("{before}{last}"));
        }
        Ok(Some(any_of(&phrases, "")))
    }

    /// The words of its phrase.
    pub fn parts(&self) -> impl Iterator<Item = &str> {
        self.parts.iter().map(String::as_str)
    }
}

/// An expression for any of several phrases, each in quotes and followed by `star`.
fn any_of(phrases: &[String], star: &str) -> String {
    let quoted: Vec<String> = phrases.iter().map(|phrase| format!("\"{phrase}\"{star}")).collect();
    either(&quoted)
}

/// An expression for any of several expressions.
pub(crate) fn either(expressions: &[String]) -> String {
    if expressions.len() == 1 { expressions.concat() } else { format!("({})", expressions.join(" OR ")) }
}

/// The words of a typed text.
#[derive(Default)]
struct Words {
    parts: Vec<Word>,
    wholes: Vec<Word>,
    /// The number of letters so far in the last run of a dense script.
    run: usize,
    /// Whether the last word ends such a run.
    ends_dense: bool,
}

struct Word {
    word: String,
    range: Range<usize>,
}

impl Word {
    fn new(word: &[u8], range: Range<usize>) -> Self {
        Self { word: String::from_utf8_lossy(word).into_owned(), range }
    }
}

impl Sink for Words {
    fn ascii(&mut self, bytes: &[u8], range: Range<usize>) {
        let word = bytes.get(..range.len()).unwrap_or_default();
        self.part(small(word, &mut [0; TOKEN]), range);
    }

    fn part(&mut self, word: &[u8], range: Range<usize>) {
        self.parts.push(Word::new(word, range));
        (self.run, self.ends_dense) = (0, false);
    }

    fn dense(&mut self, pair: Pair<'_>) {
        // The previous run has ended.
        if self.ends_dense {
            self.run = 0;
        }
        self.parts.push(Word::new(pair.word.as_bytes(), pair.start..pair.end));
        self.run += 1;
        self.ends_dense = pair.middle == pair.end;
    }

    fn whole(&mut self, word: &[u8], _: usize, range: Range<usize>) {
        self.wholes.push(Word::new(word, range));
    }
}
