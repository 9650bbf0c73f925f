//! What a status line looks like: text, words in braces, and parts that vanish.

use std::iter::Peekable;
use std::str::{Chars, FromStr};

/// What the line looks like unless the user wants it otherwise.
pub(super) const DEFAULT: &str = "{model}[ · {cost} session][ · {today} today][ · block {block} left]\
                                  [ · {context} context][ · {limits}]";

/// What a word in braces stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Word {
    /// What the model is called.
    Model,
    /// How hard it thinks.
    Effort,
    /// The agent that the session runs as.
    Agent,
    /// What the session is called.
    Title,
    /// The repository, or the folder.
    Project,
    /// The worktree.
    Worktree,
    /// What the session cost.
    Cost,
    /// How long it has been running.
    Duration,
    /// Lines added and removed.
    Lines,
    /// What all sessions cost since midnight.
    Today,
    /// How long the five-hour window still is.
    Block,
    /// How much of the context is used.
    Context,
    /// How much of the limits is used.
    Limits,
}

impl Word {
    pub(super) const ALL: [(&str, Self); 13] = [
        ("model", Self::Model),
        ("effort", Self::Effort),
        ("agent", Self::Agent),
        ("title", Self::Title),
        ("project", Self::Project),
        ("worktree", Self::Worktree),
        ("cost", Self::Cost),
        ("duration", Self::Duration),
        ("lines", Self::Lines),
        ("today", Self::Today),
        ("block", Self::Block),
        ("context", Self::Context),
        ("limits", Self::Limits),
    ];
}

/// A template that was understood.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Template(Vec<Part>);

#[derive(Debug, Default, PartialEq, Eq)]
struct Part {
    /// Whether it is left out when a word in it stands for nothing.
    vanishes: bool,
    pieces: Vec<Piece>,
}

#[derive(Debug, PartialEq, Eq)]
enum Piece {
    Sign(char),
    Word(Word),
}

impl FromStr for Template {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let mut parts = Vec::new();
        let mut part = Part::default();
        let mut chars = text.chars().peekable();
        while let Some(c) = chars.next() {
            match c {
                '{' | '}' | '[' | ']' if chars.next_if_eq(&c).is_some() => part.pieces.push(Piece::Sign(c)),
                '{' => part.pieces.push(Piece::Word(word(&mut chars)?)),
                '}' => return Err(alone('}', '{')),
                '[' if part.vanishes => return Err("a `[` inside of brackets; write `[[` for the sign".to_owned()),
                ']' if !part.vanishes => return Err(alone(']', '[')),
                '[' | ']' => parts.push(std::mem::replace(&mut part, Part { vanishes: c == '[', pieces: Vec::new() })),
                c => part.pieces.push(Piece::Sign(c)),
            }
        }
        if part.vanishes {
            return Err(alone('[', ']'));
        }
        parts.push(part);
        Ok(Self(parts))
    }
}

fn alone(sign: char, other: char) -> String {
    format!("a `{sign}` without a `{other}`; write `{sign}{sign}` for the sign")
}

/// The word behind a brace.
fn word(chars: &mut Peekable<Chars<'_>>) -> Result<Word, String> {
    let mut name = String::new();
    loop {
        match chars.next() {
            Some('}') => break,
            Some(c) if c != '{' => name.push(c),
            _ => return Err(alone('{', '}')),
        }
    }
    let known = Word::ALL.iter().find(|(known, _)| *known == name);
    known.map(|(_, word)| *word).ok_or_else(|| {
        let known: Vec<_> = Word::ALL.iter().map(|(name, _)| *name).collect();
        format!("unknown word `{{{name}}}`, expected one of {}", known.join(", "))
    })
}

impl Template {
    /// The line. What only separates is left out at its ends.
    pub(super) fn fill(&self, value: impl Fn(Word) -> Option<String>) -> String {
        let line: String = self.0.iter().filter_map(|part| part.fill(&value)).collect();
        line.trim_matches([' ', '·', '|']).to_owned()
    }
}

impl Part {
    fn fill(&self, value: &impl Fn(Word) -> Option<String>) -> Option<String> {
        let mut text = String::new();
        for piece in &self.pieces {
            match piece {
                Piece::Sign(sign) => text.push(*sign),
                Piece::Word(word) => match value(*word) {
                    Some(value) => text.push_str(&value),
                    None if self.vanishes => return None,
                    None => {}
                },
            }
        }
        Some(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn filled(text: &str) -> Result<String, String> {
        let template: Template = text.parse()?;
        Ok(template.fill(|word| match word {
            Word::Model => Some("Opus".to_owned()),
            Word::Today => Some("$3.00".to_owned()),
            _ => None,
        }))
    }

    #[test]
    fn words_are_replaced_and_parts_vanish() {
        let cases = [
            ("{model}: {today}", "Opus: $3.00"),
            ("{model}[ · {cost} session][ · {today} today]", "Opus · $3.00 today"),
            ("[{cost} · ]{model} | {limits}", "Opus"),
            ("[always]{block}", "always"),
            ("{{model}} [[{model}]]", "{model} [Opus]"),
            ("{{{model}}}", "{Opus}"),
            ("", ""),
        ];
        for (template, line) in cases {
            assert_eq!(filled(template).as_deref(), Ok(line), "{template}");
        }
    }

    #[test]
    fn mistakes_are_named() {
        let texts = ["{modell}", "{model", "{a{b}", "model}", "[{model}", "{model}]", "[[[{model}[x]]", "{}"];
        let errors: Vec<_> = texts.iter().map(|text| filled(text).unwrap_err()).collect();
        insta::assert_snapshot!(errors.join("\n"), @r"
        unknown word `{modell}`, expected one of model, effort, agent, title, project, worktree, cost, duration, lines, today, block, context, limits
        a `{` without a `}`; write `{{` for the sign
        a `{` without a `}`; write `{{` for the sign
        a `}` without a `{`; write `}}` for the sign
        a `[` without a `]`; write `[[` for the sign
        a `]` without a `[`; write `]]` for the sign
        a `[` inside of brackets; write `[[` for the sign
        unknown word `{}`, expected one of model, effort, agent, title, project, worktree, cost, duration, lines, today, block, context, limits
        ");
    }

    #[test]
    fn the_usual_template_is_right() {
        assert_eq!(filled(DEFAULT).as_deref(), Ok("Opus · $3.00 today"));
    }
}
