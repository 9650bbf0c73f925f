//! The description of a language: plain data, one value per language.

use crate::style::Role;

/// The lexical rules of a language, as far as highlighting needs them.
///
/// Word lists are separated by blanks. Where several marks could begin at one place, the first in its list wins, and
/// comments win over strings: longer marks come before their prefixes.
#[derive(Debug)]
pub struct Spec {
    /// Its name.
    pub name: &'static str,
    /// Other names it has after ` ``` `, and its file extensions; lower case.
    pub aliases: &'static str,
    /// Names of whole files; lower case.
    pub files: &'static str,
    /// Its keywords.
    pub keywords: &'static str,
    /// Types and built-in names.
    pub types: &'static str,
    /// Whether `SELECT` is `select`; the words are then given in lower case.
    pub ignore_case: bool,
    /// Whether `Name` is a type by convention.
    pub capital_types: bool,
    /// Characters of a word besides letters, digits and `_`.
    pub word: &'static str,
    /// Characters that begin a special word: `@decorator`, `$variable`.
    pub sigils: &'static str,
    /// Marks that begin a comment up to the end of the line.
    pub line_comments: &'static [&'static str],
    /// Whether such a comment must be at the start of a line or after a blank.
    pub comment_after_blank: bool,
    /// Comments with an end mark.
    pub block_comments: &'static [Block],
    /// Kinds of strings.
    pub strings: &'static [Quote],
    /// Whether a quote right after a word is an apostrophe.
    pub apostrophes: bool,
    /// The mark that announces a heredoc, from the next line to a line with a given word: `<<EOF`.
    pub heredoc: Option<&'static str>,
    /// The character between a key and its value.
    pub key: Option<char>,
    /// The role of a whole line, by its start.
    pub line_starts: &'static [(&'static str, Role)],
    /// Whether it is text with `<tags>`.
    pub markup: bool,
}

/// A comment with an end mark.
#[derive(Debug)]
pub struct Block {
    /// The start mark.
    pub open: &'static str,
    /// The end mark.
    pub close: &'static str,
    /// Whether such comments nest.
    pub nested: bool,
}

/// A kind of string.
#[derive(Debug)]
pub struct Quote {
    /// The start mark.
    pub open: &'static str,
    /// The end mark.
    pub close: &'static str,
    /// The escape character, in ASCII.
    pub escape: Option<char>,
    /// How far it can extend.
    pub reach: Reach,
}

/// How far a string can extend.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reach {
    /// One character; anything longer is not a string (`'a` is a lifetime in Rust).
    Character,
    /// To the end of the line at most.
    Line,
    /// Over any number of lines.
    Lines,
}

impl Spec {
    /// A language of which nothing is known.
    pub(super) const UNKNOWN: Self = Self {
        name: "",
        aliases: "",
        files: "",
        keywords: "",
        types: "",
        ignore_case: false,
        capital_types: false,
        word: "",
        sigils: "",
        line_comments: &[],
        comment_after_blank: false,
        block_comments: &[],
        strings: &[],
        apostrophes: false,
        heredoc: None,
        key: None,
        line_starts: &[],
        markup: false,
    };
}

impl Block {
    pub(super) const C: &'static [Self] = &[Self { open: "/*", close: "*/", nested: false }];
    pub(super) const NESTED_C: &'static [Self] = &[Self { open: "/*", close: "*/", nested: true }];
    pub(super) const SGML: &'static [Self] = &[Self { open: "<!--", close: "-->", nested: false }];
}

impl Quote {
    /// `"…"` on one line, with `\`.
    pub(super) const DOUBLE: Self = Self::line("\"");
    /// `'…'` on one line, with `\`.
    pub(super) const SINGLE: Self = Self::line("'");
    /// `'x'`.
    pub(super) const CHARACTER: Self = Self { reach: Reach::Character, ..Self::line("'") };

    pub(super) const fn line(mark: &'static str) -> Self {
        Self { open: mark, close: mark, escape: Some('\\'), reach: Reach::Line }
    }

    pub(super) const fn lines(mark: &'static str) -> Self {
        Self { reach: Reach::Lines, ..Self::line(mark) }
    }

    /// Without escapes. A doubled quote inside reads as two adjacent strings, which looks the same.
    pub(super) const fn raw(open: &'static str, close: &'static str) -> Self {
        Self { open, close, escape: None, reach: Reach::Lines }
    }
}
