//! Templates of status lines: text, placeholders in braces, and optional parts in brackets.

use std::iter::Peekable;
use std::str::{Chars, FromStr};

/// The default template.
pub(super) const DEFAULT: &str = "{model}[ · {cost} session][ · {today} today][ · block {block} left]\
                                  [ · {context} context][ · {limits}]";

/// A placeholder.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Word {
    /// Display name of the model.
    Model,
    /// Effort level of the model.
    Effort,
    /// Agent that the session runs as.
    Agent,
    /// Title of the session.
    Title,
    /// Repository, or folder.
    Project,
    /// Worktree.
    Worktree,
    /// Cost of the session.
    Cost,
    /// Duration of the session.
    Duration,
    /// Lines added and removed.
    Lines,
    /// Cost of all sessions since midnight.
    Today,
    /// Time left in the five-hour window.
    Block,
    /// Used share of the context.
    Context,
    /// Used share of the limits.
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

/// A parsed template.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Template(Vec<TemplatePart>);

#[derive(Debug, Default, PartialEq, Eq)]
struct TemplatePart {
    /// Whether the part is omitted if a placeholder in it has no value.
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
        let mut part = TemplatePart::default();
        let mut chars = text.chars().peekable();
        while let Some(c) = chars.next() {
            match c {
                '{' | '}' | '[' | ']' if chars.next_if_eq(&c).is_some() => part.pieces.push(Piece::Sign(c)),
                '{' => part.pieces.push(Piece::Word(word(&mut chars)?)),
                '}' => return Err(alone('}', '{')),
                '[' if part.vanishes => return Err("a `[` inside brackets; write `[[` for the character".to_owned()),
                ']' if !part.vanishes => return Err(alone(']', '[')),
                '[' | ']' => {
                    parts.push(std::mem::replace(&mut part, TemplatePart { vanishes: c == '[', pieces: Vec::new() }));
                }
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
    format!("a `{sign}` without a `{other}`; write `{sign}{sign}` for the character")
}

/// Parses the placeholder after a brace.
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
        format!("unknown placeholder `{{{name}}}`, expected one of {}", known.join(", "))
    })
}

impl Template {
    /// Fills in the template. Separators at both ends are removed.
    pub(super) fn fill(&self, value: impl Fn(Word) -> Option<String>) -> String {
        let line: String = self.0.iter().filter_map(|part| part.fill(&value)).collect();
        line.trim_matches([' ', '·', '|']).to_owned()
    }
}

impl TemplatePart {
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
        unknown placeholder `{modell}`, expected one of model, effort, agent, title, project, worktree, cost, duration, lines, today, block, context, limits
        a `{` without a `}`; write `{{` for the character
        a `{` without a `}`; write `{{` for the character
        a `}` without a `{`; write `}}` for the character
        a `[` without a `]`; write `[[` for the character
        a `]` without a `[`; write `]]` for the character
        a `[` inside brackets; write `[[` for the character
        unknown placeholder `{}`, expected one of model, effort, agent, title, project, worktree, cost, duration, lines, today, block, context, limits
        ");
    }

    #[test]
    fn the_usual_template_is_right() {
        assert_eq!(filled(DEFAULT).as_deref(), Ok("Opus · $3.00 today"));
    }
}
