//! Highlights code with one table of languages ([`LANGUAGES`]) and one small lexer.
//!
//! The lexer knows words, numbers, strings and comments, not grammar. That is enough for reading, is fast, and cannot
//! fail: the spans of a line always add up to the line.

pub mod export;
mod languages;
mod lexer;
mod spec;

pub use languages::LANGUAGES;
pub use spec::{Block, Quote, Reach, Spec};

use std::borrow::Cow;

use crate::clean::CleanLines;
use crate::line::Line;
use crate::style::{Role, Style};
use lexer::Lexer;

/// A language of the table.
///
/// ```
/// use styled::Language;
///
/// let rust = Language::named("rust,ignore").unwrap();
/// assert_eq!(Some(rust), Language::of_path("src/main.rs"));
/// assert_eq!(rust.name(), "rust");
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Language(&'static Spec);

impl Language {
    /// The language named by the info string of a code block: `rust`, `js title="x"`, `{.python}`.
    pub fn named(info: &str) -> Option<Self> {
        let name = info.trim_start_matches(|c: char| c.is_whitespace() || matches!(c, '{' | '.'));
        let end = name.find(|c: char| c.is_whitespace() || matches!(c, ',' | '{' | '}' | ':'));
        let name = lower(name.get(..end.unwrap_or(name.len()))?)?;
        Self::find(|spec| answers_to(spec, &name))
    }

    /// The language of a file, by its name.
    pub fn of_path(path: &str) -> Option<Self> {
        let file = lower(path.rsplit(['/', '\\']).next()?)?;
        Self::find(|spec| lists(spec.files, &file)).or_else(|| {
            let (stem, ending) = file.rsplit_once('.')?;
            // `Dockerfile.dev`, `.env.local`
            Self::find(|spec| answers_to(spec, ending)).or_else(|| Self::find(|spec| lists(spec.files, stem)))
        })
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        self.0.name
    }

    /// Its entry in the table.
    pub fn spec(self) -> &'static Spec {
        self.0
    }

    fn find(is_it: impl Fn(&Spec) -> bool) -> Option<Self> {
        LANGUAGES.iter().copied().flatten().find(|spec| is_it(spec)).map(Self)
    }
}

impl PartialEq for Language {
    fn eq(&self, other: &Self) -> bool {
        self.name() == other.name()
    }
}

impl Eq for Language {}

fn answers_to(spec: &Spec, name: &str) -> bool {
    spec.name == name || lists(spec.aliases, name)
}

fn lists(words: &str, word: &str) -> bool {
    words.split_ascii_whitespace().any(|listed| listed == word)
}

/// A name in lower case, unless it is too long for the table.
fn lower(name: &str) -> Option<String> {
    (name.len() <= 64).then(|| name.to_ascii_lowercase())
}

/// A part of a line of code that has a role.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Token {
    /// Its first byte.
    pub start: usize,
    /// The byte after its last.
    pub end: usize,
    /// What it is.
    pub role: Role,
}

/// The lines of some code that has been cleaned, with the parts that have a role.
///
/// ```
/// use styled::Role;
/// use styled::highlight::{Language, tokens};
///
/// let mut lines = tokens("let x = 1;", Language::named("rust").unwrap());
/// let (line, tokens) = lines.next().unwrap();
/// assert_eq!((&line[tokens[0].start..tokens[0].end], tokens[0].role), ("let", Role::Keyword));
/// ```
pub fn tokens(code: &str, language: Language) -> impl Iterator<Item = (&str, Vec<Token>)> {
    let mut lexer = Lexer::new(language.0);
    code.lines().map(move |line| {
        let mut tokens = Vec::new();
        lexer.line(line, &mut tokens);
        (line, tokens)
    })
}

/// The lines of some code with the roles of its words.
///
/// ```
/// use styled::Language;
/// use styled::Role;
/// use styled::highlight;
///
/// let lines = highlight("let x = 1;", Language::named("rust").unwrap());
/// let first = lines[0].spans().next().unwrap();
/// assert_eq!((first.text, first.style), ("let", Role::Keyword.into()));
/// ```
pub fn highlight(code: &str, language: Language) -> Vec<Line> {
    highlight_each(code.into(), language).collect()
}

/// The same, one line after another.
pub fn highlight_each(code: Cow<'_, str>, language: Language) -> impl Iterator<Item = Line> {
    let mut lines = CleanLines::of(code);
    let mut lexer = Lexer::new(language.0);
    let mut tokens = Vec::new();
    std::iter::from_fn(move || {
        lines.next_with(|line| {
            tokens.clear();
            lexer.line(line, &mut tokens);
            styled_line(line, &tokens)
        })
    })
}

fn styled_line(text: &str, tokens: &[Token]) -> Line {
    let mut line = Line::with_room_for(text);
    // The code has been cleaned as a whole, but for its tabs.
    let has_tabs = memchr::memchr(b'\t', text.as_bytes()).is_some();
    let mut push = |from: usize, to: usize, style: Style| match text.get(from..to).unwrap_or("") {
        piece if has_tabs => line.push(piece, style),
        piece => line.push_clean(piece, style),
    };
    let mut at = 0;
    for token in tokens {
        push(at, token.start, Style::PLAIN);
        push(token.start, token.end, token.role.into());
        at = token.end;
    }
    push(at, text.len(), Style::PLAIN);
    line
}

#[cfg(test)]
mod tests;
