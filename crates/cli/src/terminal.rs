//! Safe and readable text for terminals.

use std::borrow::Cow;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use app::App;
pub(crate) use human::{counted as plural, thousands};
use sources::Input;

/// Escapes everything in a text that could control a terminal.
pub(crate) fn clean(text: &str) -> Cow<'_, str> {
    if !text.contains(steers) {
        return Cow::Borrowed(text);
    }
    let mut cleaned = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        match c {
            '\n' => cleaned.push_str("\\n"),
            '\r' => cleaned.push_str("\\r"),
            '\t' => cleaned.push_str("\\t"),
            c if steers(c) => {
                let _ = write!(cleaned, "\\u{{{:x}}}", u32::from(c));
            }
            c => cleaned.push(c),
        }
    }
    Cow::Owned(cleaned)
}

/// Returns whether a character is a control character or changes the text direction.
pub(crate) fn steers(c: char) -> bool {
    c.is_control() || matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// Returns the columns of the terminal, or a readable default.
pub(crate) fn columns() -> usize {
    const USUAL: usize = 100;
    let stated = std::env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok());
    let measured = || terminal_size::terminal_size().map(|(width, _)| usize::from(width.0));
    stated.or_else(measured).unwrap_or(USUAL)
}

/// Shows paths relative to the working directory.
#[derive(Debug)]
pub(crate) struct Paths {
    here: PathBuf,
}

impl Paths {
    pub(crate) fn from_here(app: &App) -> Self {
        Self { here: app.here().to_path_buf() }
    }

    /// Returns a path that can be typed here, safe for the terminal.
    pub(crate) fn show<'a>(&self, input: &'a Input) -> String {
        let shorter = |path: &'a Path| {
            let below = path.strip_prefix(&self.here).ok()?;
            (!below.as_os_str().is_empty()).then_some(below)
        };
        match input {
            Input::File(_) | Input::Archived(_) | Input::Prompts(_) => {
                let path = input.path().unwrap_or(Path::new(""));
                let path = shorter(path).or(path.strip_prefix(".").ok()).unwrap_or(path);
                clean(&path.display().to_string()).into_owned()
            }
            Input::Stdin => input.to_string(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_are_shown_as_escapes() {
        assert_eq!(clean("plain – ünï"), "plain – ünï");
        assert_eq!(clean("a\x1b[31mb\x07\r\n\u{9b}0m\u{202e}"), "a\\u{1b}[31mb\\u{7}\\r\\n\\u{9b}0m\\u{202e}");
    }

    #[test]
    fn paths_below_here_are_shortened() {
        let paths = Paths { here: "/home/ana".into() };
        let show = |path: &str| paths.show(&Input::File(path.into()));
        assert_eq!(show("/home/ana/a/b.jsonl"), "a/b.jsonl");
        assert_eq!(show("/home/bo/b.jsonl"), "/home/bo/b.jsonl");
        assert_eq!(show("./b.jsonl"), "b.jsonl");
        assert_eq!(show("../b\x1b.jsonl"), "../b\\u{1b}.jsonl");
        assert_eq!(Paths { here: PathBuf::new() }.show(&Input::Stdin), "standard input");
    }
}
