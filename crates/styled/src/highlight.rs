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

use crate::clean::clean_text;
use crate::line::Line;
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

/// Splits code into lines with the roles of its words.
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
    let code = clean_text(code);
    let mut lexer = Lexer::new(language.0);
    code.lines().map(|line| lexer.line(line)).collect()
}

#[cfg(test)]
mod tests;
