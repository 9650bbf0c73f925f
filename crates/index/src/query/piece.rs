//! Splits a query into pieces: words, phrases, filters and operators.

use std::ops::Range;

use super::QueryError;
use super::filter::{Condition, Field};
use crate::words::Term;

/// A piece of a query.
#[derive(Debug)]
pub(super) struct Piece {
    pub(super) kind: PieceKind,
    /// Whether `-` precedes it.
    pub(super) is_not: bool,
    pub(super) range: Range<usize>,
}

#[derive(Debug)]
pub(super) enum PieceKind {
    /// A word or phrase; `None` if it has neither letters nor digits.
    Term(Option<Term>),
    Filter(Condition),
    Or,
    And,
}

/// Quotation marks of keyboards and word processors.
const QUOTES: [char; 4] = ['"', '“', '”', '„'];

/// Splits a query into pieces.
pub(super) fn pieces(query: &str) -> Result<Vec<Piece>, QueryError> {
    let mut cursor = Cursor { query, at: 0 };
    let mut pieces = Vec::new();
    while let Some(piece) = cursor.piece()? {
        pieces.push(piece);
    }
    Ok(pieces)
}

struct Cursor<'q> {
    query: &'q str,
    at: usize,
}

impl<'q> Cursor<'q> {
    fn rest(&self) -> &'q str {
        self.query.get(self.at..).unwrap_or_default()
    }

    /// Takes all characters up to the first one that satisfies a predicate.
    fn until(&mut self, is_end: impl Fn(char) -> bool) -> &'q str {
        let rest = self.rest();
        let text = rest.get(..rest.find(is_end).unwrap_or(rest.len())).unwrap_or_default();
        self.at += text.len();
        text
    }

    /// Takes a phrase, if a quotation mark begins one here.
    fn quoted(&mut self) -> Option<&'q str> {
        let open = self.rest().chars().next().filter(|first| QUOTES.contains(first))?;
        self.at += open.len_utf8();
        let text = self.until(|c| QUOTES.contains(&c));
        self.at += self.rest().chars().next().map_or(0, char::len_utf8);
        Some(text)
    }

    fn piece(&mut self) -> Result<Option<Piece>, QueryError> {
        self.until(|c| !c.is_whitespace());
        let start = self.at;
        if self.rest().is_empty() {
            return Ok(None);
        }
        // Two dashes begin the name of a command-line option.
        let is_not = self.rest().strip_prefix('-').is_some_and(|rest| !rest.starts_with('-'));
        self.at += usize::from(is_not);
        let kind = match self.quoted() {
            Some(phrase) => {
                let is_open = self.rest().starts_with('*');
                self.at += usize::from(is_open);
                PieceKind::Term(if is_open { Term::beginning(phrase) } else { Term::new(phrase) })
            }
            None => self.word(is_not)?,
        };
        Ok(Some(Piece { kind, is_not, range: start..self.at }))
    }

    /// A piece without quotes: a filter, an operator or a word.
    fn word(&mut self, is_not: bool) -> Result<PieceKind, QueryError> {
        let start = self.at;
        let word = self.until(|c| c.is_whitespace() || QUOTES.contains(&c));
        if let Some(condition) = self.filter(start, word)? {
            return Ok(PieceKind::Filter(condition));
        }
        Ok(match word {
            "OR" if !is_not => PieceKind::Or,
            "AND" if !is_not => PieceKind::And,
            _ => PieceKind::Term(match word.strip_suffix('*') {
                Some(beginning) => Term::beginning(beginning.trim_end_matches('*')),
                None => Term::new(word),
            }),
        })
    }

    /// The filter that a word begins, if any. URLs and module paths are not filters.
    fn filter(&mut self, start: usize, word: &str) -> Result<Option<Condition>, QueryError> {
        let Some((name, value)) = word.split_once(':') else { return Ok(None) };
        let is_name = name.bytes().all(|byte| byte.is_ascii_lowercase());
        if !is_name || value.starts_with(':') || value.starts_with("//") {
            return Ok(None);
        }
        if let Some(field) = Field::named(name) {
            let value = if value.is_empty() { self.quoted().unwrap_or_default() } else { value };
            return field.read(value, start..self.at).map(Some);
        }
        let is_valued = !value.is_empty() || self.rest().starts_with(QUOTES);
        let Some(field) = Field::nearest(name).filter(|_| is_valued) else { return Ok(None) };
        let hint = format!("did you mean {}:? In quotes, \"{word}\" is words", field.as_str());
        Err(QueryError::new(start..start + name.len(), format!("unknown filter {name}:"), hint))
    }
}
