//! Parses a query.

use std::ops::Range;
use std::str::FromStr;

use super::filter::{Condition, Field, Filter};
use super::piece::{Piece, PieceKind, pieces};
use super::{Query, QueryError, QueryTerm};
use crate::words::Term;

/// The maximum number of words: more than any query needs, and few enough for a fast search.
const MOST: usize = 200;

impl FromStr for Query {
    type Err = QueryError;

    fn from_str(text: &str) -> Result<Self, QueryError> {
        let mut reader = Reader { query: Self::EMPTY, count: 0, or: None, last: Last::Nothing };
        let pieces = pieces(text)?;
        let count = pieces.len();
        for (index, piece) in pieces.into_iter().enumerate() {
            reader.put(piece, index + 1 < count)?;
        }
        reader.end(text.len())
    }
}

impl Query {
    const EMPTY: Self = Self { groups: Vec::new(), not: Vec::new(), filters: Vec::new(), ignored: Vec::new() };
}

struct Reader {
    query: Query,
    /// The number of words to look up.
    count: usize,
    /// The range of an `OR` that still lacks its right side.
    or: Option<Range<usize>>,
    last: Last,
}

/// The latest piece, which may be the left side of an `OR`.
enum Last {
    Nothing,
    /// Only ignored pieces, which otherwise have no effect.
    Ignored,
    Term,
    Not,
    Filter {
        field: Field,
        is_not: bool,
    },
}

impl Reader {
    fn put(&mut self, piece: Piece, is_more: bool) -> Result<(), QueryError> {
        let Piece { kind, is_not, range } = piece;
        match kind {
            PieceKind::Or => self.or(range, is_more),
            // Between words it is redundant. Elsewhere it is a word.
            PieceKind::And if is_more && self.or.is_none() && !matches!(self.last, Last::Nothing) => Ok(()),
            PieceKind::And => Term::new("AND").map_or(Ok(()), |term| self.term(term, is_not, range)),
            PieceKind::Term(Some(term)) => self.term(term, is_not, range),
            PieceKind::Term(None) => {
                self.query.ignored.push(range);
                if matches!(self.last, Last::Nothing) {
                    self.last = Last::Ignored;
                }
                Ok(())
            }
            PieceKind::Filter(condition) => self.filter(condition, is_not, range),
        }
    }

    fn or(&mut self, range: Range<usize>, is_more: bool) -> Result<(), QueryError> {
        if self.or.is_some() || !is_more || matches!(self.last, Last::Nothing) {
            let hint = "in quotes or small letters, \"or\" is a word like any other";
            return Err(QueryError::new(range, "OR needs something on both sides", hint));
        }
        self.or = Some(range);
        Ok(())
    }

    fn term(&mut self, term: Term, is_not: bool, range: Range<usize>) -> Result<(), QueryError> {
        self.count += term.count();
        if self.count > MOST {
            let hint = format!("a query can have at most {MOST} words");
            return Err(QueryError::new(range, "the query is too long", hint));
        }
        let wanted = QueryTerm { term, range };
        let or = self.or.take();
        match (or, is_not, &self.last) {
            (Some(or), true, _) | (Some(or), _, Last::Not) => {
                return Err(QueryError::new(
                    or,
                    "OR cannot be combined with -",
                    "use OR only between words that must occur",
                ));
            }
            (Some(or), _, Last::Filter { .. }) => return Err(mixed(or)),
            (Some(_), false, Last::Term) => {
                if let Some(group) = self.query.groups.last_mut() {
                    group.push(wanted);
                }
            }
            (None, true, _) => self.query.not.push(wanted),
            (None, false, _) | (Some(_), false, Last::Nothing | Last::Ignored) => self.query.groups.push(vec![wanted]),
        }
        self.last = if is_not { Last::Not } else { Last::Term };
        Ok(())
    }

    fn filter(&mut self, condition: Condition, is_not: bool, range: Range<usize>) -> Result<(), QueryError> {
        let field = condition.field();
        let or = self.or.take();
        match (&or, &self.last) {
            (Some(or), Last::Term | Last::Not) => return Err(mixed(or.clone())),
            (Some(or), Last::Filter { field: last, is_not: was_not }) if (*last, *was_not) != (field, is_not) => {
                return Err(mixed(or.clone()));
            }
            _ => {}
        }
        self.last = Last::Filter { field, is_not };
        // Two times must both hold, unless `OR` joins them.
        let is_moment = matches!(field, Field::After | Field::Before);
        let filters = &mut self.query.filters;
        let same = filters.iter_mut().rfind(|filter| (filter.field, filter.is_not) == (field, is_not));
        match same.filter(|_| or.is_some() || !is_moment) {
            Some(filter) => filter.any.push((condition, range)),
            None => filters.push(Filter { field, is_not, any: vec![(condition, range)] }),
        }
        Ok(())
    }

    fn end(self, length: usize) -> Result<Query, QueryError> {
        let query = self.query;
        if !query.groups.is_empty() || !query.filters.is_empty() {
            return Ok(query);
        }
        Err(match (query.not.first(), query.ignored.first()) {
            (Some(not), _) => {
                let hint = "add a word that must occur, such as retry -test, or a filter";
                QueryError::new(not.range.clone(), "this only excludes words", hint)
            }
            (None, Some(ignored)) => {
                let hint = "--regex also finds punctuation";
                QueryError::new(ignored.clone(), "no letter or digit to search for", hint)
            }
            (None, None) => QueryError::new(0..length, "nothing to search for", "type a word"),
        })
    }
}

fn mixed(or: Range<usize>) -> QueryError {
    let hint = "OR joins words with words, and a filter with the same filter";
    QueryError::new(or, "OR cannot join these", hint)
}
