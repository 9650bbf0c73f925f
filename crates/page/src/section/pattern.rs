//! Patterns that are plain words, to mark their matches.
//!
//! Most search patterns are words, or a choice of words. Their matches are marked; matches of other regular expressions
//! are shown without marks.

use memchr::memmem;

/// Maximum number of choices.
const MOST_CHOICES: usize = 16;

/// A choice of plain words.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Pattern {
    choices: Vec<Choice>,
    ignores_case: bool,
}

#[derive(Debug, Default, PartialEq, Eq)]
struct Choice {
    words: String,
    at_start: bool,
    at_end: bool,
    word_starts: bool,
    word_ends: bool,
}

impl Pattern {
    /// Parses a pattern; `None` if it needs more than plain words.
    pub(super) fn new(pattern: &str, ignores_case: bool) -> Option<Self> {
        let (pattern, ignores_case) = match pattern.strip_prefix("(?i)") {
            Some(rest) => (rest, true),
            None => (pattern, ignores_case),
        };
        let mut choices = Vec::new();
        let mut choice = Choice::default();
        let mut rest = pattern.chars();
        while let Some(character) = rest.next() {
            let is_first = choice.words.is_empty();
            match character {
                '|' => choices.push(std::mem::take(&mut choice)),
                // Nothing can follow the end of a line or a word in the same match.
                _ if choice.at_end || choice.word_ends => return None,
                '^' if is_first => choice.at_start = true,
                '$' => choice.at_end = true,
                '\\' => match rest.next()? {
                    'b' if is_first => choice.word_starts = true,
                    'b' => choice.word_ends = true,
                    't' => choice.words.push('\t'),
                    escaped if escaped.is_ascii_punctuation() => choice.words.push(escaped),
                    _ => return None,
                },
                '.' | '*' | '+' | '?' | '(' | ')' | '[' | '{' | '^' | '\n' => return None,
                plain => choice.words.push(plain),
            }
        }
        choices.push(choice);
        let is_plain = choices.len() <= MOST_CHOICES && choices.iter().all(|choice| !choice.words.is_empty());
        if ignores_case {
            for choice in &mut choices {
                choice.words.make_ascii_lowercase();
            }
        }
        is_plain.then_some(Self { choices, ignores_case })
    }

    /// The matches in a line, as byte ranges.
    pub(super) fn find_in(&self, line: &str) -> Vec<(usize, usize)> {
        let folded;
        let searched = if self.ignores_case {
            folded = line.to_ascii_lowercase();
            &folded
        } else {
            line
        };
        let mut found: Vec<(usize, usize)> = self.choices.iter().flat_map(|choice| choice.find_in(searched)).collect();
        found.sort_unstable();
        let mut end = 0;
        found.retain(|(from, to)| {
            let is_apart = *from >= end;
            end = if is_apart { *to } else { end };
            is_apart
        });
        found
    }
}

impl Choice {
    fn find_in<'t>(&'t self, line: &'t str) -> impl Iterator<Item = (usize, usize)> + 't {
        let is_word = |character: Option<char>| character.is_some_and(|c| c.is_alphanumeric() || c == '_');
        memmem::find_iter(line.as_bytes(), &self.words).map(|from| (from, from + self.words.len())).filter(
            move |(from, to)| {
                let before = line.get(..*from).and_then(|before| before.chars().next_back());
                let after = line.get(*to..).and_then(|after| after.chars().next());
                !(self.at_start && *from > 0
                    || self.at_end && *to < line.len()
                    || self.word_starts && is_word(before)
                    || self.word_ends && is_word(after))
            },
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(pattern: &str, line: &str) -> Option<Vec<String>> {
        let pattern = Pattern::new(pattern, false)?;
        Some(pattern.find_in(line).into_iter().map(|(from, to)| line[from..to].to_owned()).collect())
    }

    #[test]
    fn plain_words_are_found() {
        let cases = [
            ("water", "water, waters", vec!["water", "water"]),
            (r"\bwater\b", "water, waters", vec!["water"]),
            ("^fn |struct", "fn a struct fn ", vec!["fn ", "struct"]),
            (r"beds\.dig\(", "beds.dig() bedsxdig(", vec!["beds.dig("]),
            ("(?i)ÄRGER|dig", "DIG ärger ÄRGER", vec!["DIG", "ÄRGER"]),
            ("end$", "end end", vec!["end"]),
        ];
        for (pattern, line, wanted) in cases {
            assert_eq!(found(pattern, line).unwrap(), wanted, "{pattern}");
        }
    }

    #[test]
    fn what_takes_more_is_left_alone() {
        for pattern in ["", "a.b", "fn \\w+", "a|", "(a|b)", "[ab]", "x$y", "a\\", "a{2}", "a\\d"] {
            assert_eq!(Pattern::new(pattern, false), None, "{pattern}");
        }
    }
}
