//! What there is to know about a language: plain data, one value per language.

use crate::style::Role;

/// How a language looks, as far as colours go.
///
/// Lists of words have blanks between them. Where several marks could begin at one place, the first in its list wins,
/// and comments win over strings: longer marks stand before their beginnings.
#[derive(Debug)]
pub struct Spec {
    /// Its name.
    pub name: &'static str,
    /// Other names it has after ` ``` `, and the endings of its files; lower case.
    pub aliases: &'static str,
    /// Names of whole files; lower case.
    pub files: &'static str,
    /// Its words.
    pub keywords: &'static str,
    /// Types and built-in names.
    pub types: &'static str,
    /// Whether `SELECT` is `select`; the words are given in lower case then.
    pub ignore_case: bool,
    /// Whether `Name` is a type by convention.
    pub capital_types: bool,
    /// What may stand in a word besides letters, digits and `_`.
    pub word: &'static str,
    /// What begins a word that is set apart: `@decorator`, `$variable`.
    pub sigils: &'static str,
    /// What begins a comment that ends with the line.
    pub line_comments: &'static [&'static str],
    /// Whether such a comment has to stand at the beginning of a line or after a blank.
    pub comment_after_blank: bool,
    /// Comments with an end of their own.
    pub block_comments: &'static [Block],
    /// Kinds of strings.
    pub strings: &'static [Quote],
    /// Whether a quote right after a word is an apostrophe.
    pub apostrophes: bool,
    /// What begins a text that goes from the next line to a line with a certain word: `<<EOF`.
    pub heredoc: Option<&'static str>,
    /// What stands between the name of a value and the value.
    pub key: Option<char>,
    /// Lines that are one thing, by their beginning.
    pub line_starts: &'static [(&'static str, Role)],
    /// Whether it is text with `<tags>`.
    pub markup: bool,
}

/// A comment with an end of its own.
#[derive(Debug)]
pub struct Block {
    /// What begins it.
    pub open: &'static str,
    /// What ends it.
    pub close: &'static str,
    /// Whether there can be comments in comments.
    pub nested: bool,
}

/// A kind of string.
#[derive(Debug)]
pub struct Quote {
    /// What begins it.
    pub open: &'static str,
    /// What ends it.
    pub close: &'static str,
    /// What takes the meaning from the character after it, in ASCII.
    pub escape: Option<char>,
    /// How far it can go.
    pub reach: Reach,
}

/// How far a string can go.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reach {
    /// One character; anything longer is no string (`'a` is a lifetime in Rust).
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

    /// Everything means itself. A doubled quote within is two such strings side by side, which looks the same.
    pub(super) const fn raw(open: &'static str, close: &'static str) -> Self {
        Self { open, close, escape: None, reach: Reach::Lines }
    }
}
