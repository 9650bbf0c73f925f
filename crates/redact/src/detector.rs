//! All rules and settings, made ready to search.

use std::ops::Range;

use aho_corasick::automaton::Automaton as _;
use aho_corasick::dfa::DFA;
use aho_corasick::{Anchored, MatchKind};
use regex::bytes::{Regex, RegexBuilder};

use crate::plausible;
use crate::rule::{Category, Rule, Shape, special};
use crate::rules;
use crate::settings::{BadSettings, Settings};

/// What one's own words and patterns are called.
const OWN: [Rule; 4] = [
    special("own-word", &[], Shape::Word).of(Category::Word).called("private"),
    special("own-pattern", &[], Shape::Word).of(Category::Word).called("private"),
    special("known-user", &[], Shape::Word).of(Category::User).called("user"),
    special("known-host", &[], Shape::Word).of(Category::Host).called("host"),
];
const OWN_WORD: usize = 0;
const OWN_PATTERN: usize = 1;
const KNOWN_USER: usize = 2;
const KNOWN_HOST: usize = 3;

/// Rules and settings, made ready to search. Made once, it serves any number of sessions.
#[derive(Debug)]
pub struct Detector {
    rules: Vec<Compiled>,
    automaton: DFA,
    /// The rules that each keyword of the automaton belongs to.
    meanings: Vec<Keyword>,
    patterns: Vec<Regex>,
    own: usize,
    settings: Settings,
}

/// A rule with its regular expression.
#[derive(Debug)]
pub(crate) struct Compiled {
    pub(crate) rule: Rule,
    regex: std::sync::OnceLock<Option<Regex>>,
}

/// A keyword and the rules that it leads to.
#[derive(Debug)]
pub(crate) struct Keyword {
    pub(crate) text: Vec<u8>,
    pub(crate) rules: Vec<usize>,
}

impl Compiled {
    /// The regular expression of the rule, which is only made if one of its keywords occurs.
    pub(crate) fn regex(&self) -> Option<&Regex> {
        self.regex.get_or_init(|| self.rule.expression().and_then(|text| expression(&text).ok())).as_ref()
    }
}

fn expression(text: &str) -> Result<Regex, regex::Error> {
    RegexBuilder::new(text).unicode(false).dot_matches_new_line(true).build()
}

impl Detector {
    /// Prepares the built-in rules with these settings.
    pub fn new(settings: Settings) -> Result<Self, BadSettings> {
        let mut rules: Vec<Rule> = rules::builtin().copied().collect();
        let own = rules.len();
        rules.extend(OWN);
        let mut keywords: Vec<Keyword> = Vec::new();
        let mut known = rustc_hash::FxHashMap::default();
        let mut add = |text: &str, rule: usize| {
            let lower = text.to_ascii_lowercase();
            let index = *known.entry((lower, text.to_owned())).or_insert_with(|| {
                keywords.push(Keyword { text: text.as_bytes().to_vec(), rules: Vec::new() });
                keywords.len() - 1
            });
            if let Some(keyword) = keywords.get_mut(index) {
                keyword.rules.push(rule);
            }
        };
        for (index, rule) in rules.iter().enumerate() {
            for keyword in rule.keywords {
                add(keyword, index);
            }
        }
        for (names, kind) in [(&settings.words, OWN_WORD), (&settings.users, KNOWN_USER), (&settings.hosts, KNOWN_HOST)]
        {
            // A name that anyone's home directory may have says nothing, and is a word elsewhere.
            let says_nothing =
                |name: &str| crate::find::is_anyone(name.as_bytes()) || crate::replace::is_word(name.as_bytes());
            let is_name = |name: &&str| !name.is_empty() && (kind != KNOWN_USER || !says_nothing(name));
            for name in names.iter().map(|name| name.trim()).filter(is_name) {
                add(name, own + kind);
            }
        }
        let automaton = DFA::builder()
            .ascii_case_insensitive(true)
            .match_kind(MatchKind::Standard)
            .build(keywords.iter().map(|keyword| &keyword.text))
            .map_err(|error| BadSettings::Rules(error.to_string()))?;
        let patterns = settings.patterns.iter().enumerate().map(|(index, text)| {
            Regex::new(text).map_err(|error| BadSettings::Pattern { number: index + 1, reason: error.to_string() })
        });
        Ok(Self {
            patterns: patterns.collect::<Result<_, _>>()?,
            rules: rules.into_iter().map(|rule| Compiled { rule, regex: std::sync::OnceLock::new() }).collect(),
            automaton,
            meanings: keywords,
            own,
            settings,
        })
    }

    /// The settings it was made with.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Finds the keywords in a text, also those that overlap. Walking the automaton takes a third of the time that its
    /// own search for overlapping matches takes, because nearly all bytes lead to a state without a match.
    pub(crate) fn keywords(&self, text: &[u8], mut found: impl FnMut(&Keyword, Range<usize>)) {
        let automaton = &self.automaton;
        let Ok(mut state) = automaton.start_state(Anchored::No) else { return };
        for (at, &byte) in text.iter().enumerate() {
            state = automaton.next_state(Anchored::No, state, byte);
            if !automaton.is_special(state) || !automaton.is_match(state) {
                continue;
            }
            for index in 0..automaton.match_len(state) {
                let pattern = automaton.match_pattern(state, index);
                let start = (at + 1).saturating_sub(automaton.pattern_len(pattern));
                if let Some(keyword) = self.meanings.get(pattern.as_usize()) {
                    found(keyword, start..at + 1);
                }
            }
        }
    }

    pub(crate) fn compiled(&self, index: usize) -> Option<&Compiled> {
        self.rules.get(index)
    }

    /// The rule with this number.
    pub(crate) fn rule(&self, index: usize) -> Option<&Rule> {
        self.rules.get(index).map(|compiled| &compiled.rule)
    }

    /// The number of the first rule of this shape.
    pub(crate) fn number_of(&self, shape: Shape) -> Option<usize> {
        self.rules.iter().position(|compiled| compiled.rule.shape == shape)
    }

    pub(crate) fn own_patterns(&self) -> (&[Regex], usize) {
        (&self.patterns, self.own + OWN_PATTERN)
    }

    /// Whether a value is to be left as it is, because of its category or by itself.
    pub(crate) fn is_kept(&self, rule: &Rule, value: &[u8]) -> bool {
        let settings = &self.settings;
        settings.keep.contains(&rule.category)
            || (!settings.allow.is_empty()
                && std::str::from_utf8(value).is_ok_and(|value| settings.allow.contains(value)))
            || (!settings.allow_fingerprints.is_empty()
                && settings.allow_fingerprints.contains(&crate::findings::fingerprint(value)))
            || (rule.category == Category::Secret && plausible::is_replacement(value))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_pattern_is_a_regular_expression() {
        for rule in rules::builtin() {
            if let Some(text) = rule.expression() {
                assert!(expression(&text).is_ok(), "{}: {text}", rule.id);
            }
        }
    }
}
