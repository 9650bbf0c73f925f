//! Translates queries into expressions for the full-text table.
//!
//! Words are always in quotes ([`Term::expression`](crate::words::Term::expression)), so typed text is never syntax.

use super::{Query, QueryTerm};
use crate::texts::Column;
use crate::words::{Term, either};

/// Words that carry no meaning in a question.
const COMMON: &str = " a about all also am an and any are as at be been but by can could did do does for from get got had \
    has have how i if in into is it its just like me my no not of on or our out please show so some tell than that the \
    their them then there these they this those to up us was we were what when where which who why will with would you \
    your ";

impl Query {
    /// The expression for entries that contain all required words in the given columns, and no excluded ones. No
    /// columns means all.
    ///
    /// `None` if the query has only filters; [`Query::not_expression`] may still exclude entries then.
    pub fn match_expression(&self, columns: &[Column]) -> Option<String> {
        let groups: Vec<String> = self.groups.iter().map(|group| any_of(group)).collect();
        (!groups.is_empty()).then(|| within(columns, &self.without(&groups.join(" AND "), groups.len())))
    }

    /// The same with a caller's expressions for words. A word without an expression is left out, and the caller must
    /// check the entries for it.
    pub(crate) fn match_expression_of<E>(
        &self,
        columns: &[Column],
        express: &mut dyn FnMut(&Term) -> Result<Option<String>, E>,
    ) -> Result<Option<String>, E> {
        let mut groups = Vec::new();
        for group in &self.groups {
            let words: Option<Vec<String>> =
                group.iter().map(|wanted| express(&wanted.term)).collect::<Result<_, E>>()?;
            groups.extend(words.map(|words| either(&words)));
        }
        if groups.is_empty() {
            return Ok(None);
        }
        let not: Vec<Option<String>> = self.not.iter().map(|wanted| express(&wanted.term)).collect::<Result<_, E>>()?;
        let not: Vec<String> = not.into_iter().flatten().collect();
        let mut words = groups.join(" AND ");
        if !not.is_empty() {
            words = format!("({words}) NOT {}", either(&not));
        }
        Ok(Some(within(columns, &words)))
    }

    /// The expression for entries that contain any of the words, used if no entry contains all. Common words are left
    /// out if others remain.
    pub fn any_expression(&self, columns: &[Column]) -> Option<String> {
        let all: Vec<&QueryTerm> = self.groups.iter().flatten().collect();
        let rare: Vec<&QueryTerm> = all.iter().copied().filter(|wanted| !is_common(wanted)).collect();
        let chosen = if rare.is_empty() { all } else { rare };
        let words: Vec<String> = chosen.iter().map(|wanted| wanted.term.expression()).collect();
        (!words.is_empty()).then(|| within(columns, &self.without(&words.join(" OR "), words.len())))
    }

    /// The expression for excluded entries.
    pub fn not_expression(&self, columns: &[Column]) -> Option<String> {
        (!self.not.is_empty()).then(|| within(columns, &any_of(&self.not)))
    }

    /// An expression minus the excluded terms.
    fn without(&self, words: &str, count: usize) -> String {
        if self.not.is_empty() {
            return words.to_owned();
        }
        let words = if count > 1 { format!("({words})") } else { words.to_owned() };
        format!("{words} NOT {}", any_of(&self.not))
    }
}

fn is_common(wanted: &QueryTerm) -> bool {
    let mut parts = wanted.term.parts();
    matches!((parts.next(), parts.next()), (Some(word), None) if COMMON.contains(&format!(" {word} ")))
}

fn any_of(group: &[QueryTerm]) -> String {
    either(&group.iter().map(|wanted| wanted.term.expression()).collect::<Vec<_>>())
}

fn within(columns: &[Column], words: &str) -> String {
    if columns.is_empty() || Column::ALL.iter().all(|column| columns.contains(column)) {
        return words.to_owned();
    }
    let names: Vec<&str> = columns.iter().map(|column| column.as_str()).collect();
    format!("{{{}}} : ({words})", names.join(" "))
}
