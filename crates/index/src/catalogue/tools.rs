//! Figures of the tools of a session: calls, failures and durations.
//!
//! The figures of a session are one row, and sums are computed on request. They are therefore available for any
//! selection of sessions and always consistent with them.

use std::collections::BTreeMap;

use format::tool::present_name;
use rusqlite::{Connection, params};
use serde::{Deserialize, Serialize};
use story::step::{Call, CallState, Millis, StepKind};
use story::{Anchors, Step, Story};

use super::Session;
use crate::store::{Index, IndexError, damage};

/// The figures of a tool.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ToolFigures {
    /// The number of calls.
    pub calls: u32,
    /// The number of unexpected failures.
    pub failed: u32,
    /// The number of expected failures: the target had already ended, or a parallel call had failed.
    pub expected: u32,
    /// The number of denied calls.
    pub rejected: u32,
    /// The number of calls that the user interrupted.
    pub interrupted: u32,
    /// The durations of the calls.
    pub durations: Durations,
    /// The longest calls, slowest first.
    pub slowest: Vec<SlowCall>,
    /// The errors, by their shortened messages.
    pub errors: BTreeMap<String, Mistake>,
}

/// The durations of calls, in milliseconds. Only the first three digits are kept, because no display is more precise.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Durations(BTreeMap<u64, u32>);

/// A slow call.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SlowCall {
    /// Its duration, in milliseconds.
    pub millis: u64,
    /// When it began.
    pub at: Option<Millis>,
    /// Its subject.
    pub subject: String,
    /// Its anchor on the session's page.
    pub anchor: String,
}

/// An error, with the number of its occurrences.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Mistake {
    /// The number of occurrences.
    pub times: u32,
    /// When it last occurred.
    pub at: Option<Millis>,
    /// The anchor of the last occurrence on the session's page.
    pub anchor: String,
}

/// The figures of all tools of a session, by name.
pub type Tools = BTreeMap<String, ToolFigures>;

/// The number of slow calls kept for each tool.
const MOST_SLOW: usize = 5;

/// The number of different errors kept for each tool.
const MOST_ERRORS: usize = 40;

/// The maximum length of a kept text, in characters.
const LONGEST: usize = 160;

/// Computes the figures of a story.
pub fn tools_of(story: &Story) -> Tools {
    let anchors = Anchors::of(story);
    let mut tools = Tools::new();
    for (_, thread) in story.threads() {
        for step in thread.steps.iter().filter_map(|step| story.step(*step)) {
            let StepKind::Call(call) = &step.kind else { continue };
            if !story.is_counted(call) {
                continue;
            }
            // A renamed tool is still the same tool.
            let name = present_name(&call.tool);
            if !tools.contains_key(name) {
                tools.insert(name.to_owned(), ToolFigures::default());
            }
            if let Some(figures) = tools.get_mut(name) {
                figures.take(call, step, || anchors.at(story, step.place));
            }
        }
    }
    for figures in tools.values_mut() {
        figures.keep_most(MOST_ERRORS);
    }
    tools
}

impl ToolFigures {
    fn take(&mut self, call: &Call, step: &Step, anchor: impl Fn() -> String) {
        self.calls += 1;
        match call.state {
            CallState::ExpectedFailure | CallState::Cancelled => self.expected += 1,
            CallState::Failed => {
                self.failed += 1;
                let at = call.ended.or(step.at);
                let mistake = Mistake { times: 1, at, anchor: anchor() };
                add(&mut self.errors, gist(&call.outcome), mistake);
            }
            CallState::Rejected => self.rejected += 1,
            CallState::Interrupted => self.interrupted += 1,
            CallState::Pending | CallState::Done | CallState::Background | CallState::Lost => {}
        }
        // The duration of a denied or interrupted call measures the user, not the tool.
        let Some(took) = call.duration.filter(|_| call.state.is_of_tool()) else { return };
        self.durations.add(took.millis, 1);
        let is_slow = self.slowest.len() < MOST_SLOW || self.slowest.iter().any(|slow| slow.millis < took.millis);
        if is_slow {
            let subject = call.subject.chars().take(LONGEST).collect();
            self.add_slow(SlowCall { millis: took.millis, at: step.at, subject, anchor: anchor() });
        }
    }

    fn add_slow(&mut self, slow: SlowCall) {
        let at = self.slowest.partition_point(|other| other.millis >= slow.millis);
        self.slowest.insert(at, slow);
        self.slowest.truncate(MOST_SLOW);
    }

    /// Keeps the most frequent errors.
    fn keep_most(&mut self, most: usize) {
        if self.errors.len() > most {
            let mut errors: Vec<_> = std::mem::take(&mut self.errors).into_iter().collect();
            errors.sort_by_key(|(_, mistake)| std::cmp::Reverse((mistake.times, mistake.at)));
            errors.truncate(most);
            self.errors = errors.into_iter().collect();
        }
    }
}

fn add(errors: &mut BTreeMap<String, Mistake>, text: String, mistake: Mistake) {
    match errors.get_mut(&text) {
        Some(known) => {
            known.times += mistake.times;
            if known.at <= mistake.at {
                (known.at, known.anchor) = (mistake.at, mistake.anchor);
            }
        }
        None => drop(errors.insert(text, mistake)),
    }
}

/// The gist of an error: its first sentence, without parts that vary, such as long numbers and the folders of paths.
fn gist(text: &str) -> String {
    let text = first_sentence(text.trim());
    if text.is_empty() {
        return "(nothing was said)".to_owned();
    }
    let mut gist = String::with_capacity(text.len().min(LONGEST * 4));
    for (number, word) in text.split_whitespace().enumerate() {
        if number > 0 {
            gist.push(' ');
        }
        let word = word.rsplit_once('/').filter(|(folder, name)| !folder.is_empty() && !name.is_empty()).map_or_else(
            || word.to_owned(),
            |(folder, name)| {
                let before: String =
                    folder.chars().take_while(|c| !c.is_alphanumeric() && !matches!(c, '/' | '.' | '~')).collect();
                format!("{before}…/{name}")
            },
        );
        let is_long_number = word.chars().filter(char::is_ascii_digit).count() > 3;
        if is_long_number {
            gist.extend(word.chars().map(|c| if c.is_ascii_digit() { '#' } else { c }));
        } else {
            gist.push_str(&word);
        }
        if gist.chars().count() > LONGEST {
            break;
        }
    }
    gist.chars().take(LONGEST).collect()
}

/// The text up to the first full stop that precedes another sentence.
fn first_sentence(text: &str) -> &str {
    const SHORTEST: usize = 12;
    let is_end = |(at, _): &(usize, &str)| {
        let next = text.get(at + 2..).and_then(|rest| rest.chars().next());
        *at >= SHORTEST && next.is_some_and(char::is_uppercase)
    };
    let end = text.match_indices(". ").find(is_end).and_then(|(at, _)| text.get(..=at));
    end.unwrap_or(text)
}

impl Durations {
    fn add(&mut self, millis: u64, times: u32) {
        *self.0.entry(rounded(millis)).or_default() += times;
    }

    /// The number of durations.
    pub fn count(&self) -> u64 {
        self.0.values().map(|times| u64::from(*times)).sum()
    }

    /// The sum, in milliseconds.
    pub fn sum(&self) -> u64 {
        self.0.iter().fold(0, |sum, (millis, times)| sum.saturating_add(millis.saturating_mul((*times).into())))
    }

    /// The given percentile; `None` without durations.
    pub fn percentile(&self, percent: u64) -> Option<u64> {
        let wanted = (self.count() * percent).div_ceil(100).max(1);
        let mut seen = 0;
        self.0.iter().find_map(|(millis, times)| {
            seen += u64::from(*times);
            (seen >= wanted).then_some(*millis)
        })
    }

    /// The longest duration.
    pub fn longest(&self) -> Option<u64> {
        self.0.last_key_value().map(|(millis, _)| *millis)
    }

    /// Adds the durations of another set.
    pub fn merge(&mut self, other: &Self) {
        for (millis, times) in &other.0 {
            *self.0.entry(*millis).or_default() += times;
        }
    }
}

/// Replaces all digits of a number after the third by zeros.
fn rounded(number: u64) -> u64 {
    let unit = 10_u64.pow(number.checked_ilog10().unwrap_or(0).saturating_sub(2));
    number.saturating_add(unit / 2) / unit * unit
}

/// Writes the figures of a session.
pub(super) fn write(db: &Connection, session: i64, story: &Story) -> rusqlite::Result<()> {
    let bytes = postcard::to_extend(&tools_of(story), Vec::new()).unwrap_or_default();
    db.prepare_cached("INSERT OR REPLACE INTO tools (session, figures) VALUES (?, ?)")?
        .execute(params![session, bytes])?;
    Ok(())
}

impl Index {
    /// The figures of each session.
    pub fn tools<'s>(
        &self,
        sessions: impl IntoIterator<Item = &'s Session>,
    ) -> Result<Vec<(&'s Session, Tools)>, IndexError> {
        let _reading = self.read()?;
        let mut figures = self.db.prepare_cached("SELECT figures FROM tools WHERE session = ? AND intact")?;
        let mut all = Vec::new();
        for session in sessions {
            let mut rows = figures.query([session.id])?;
            // The session may have been removed since it was listed.
            let Some(row) = rows.next()? else { continue };
            let tools = postcard::from_bytes(row.get_ref(0)?.as_blob().unwrap_or_default());
            all.push((session, tools.map_err(|_| damage())?));
        }
        Ok(all)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_keep_three_digits() {
        for (number, expected) in [(0, 0), (7, 7), (999, 999), (1_234, 1_230), (1_235, 1_240), (99_961, 100_000)] {
            assert_eq!(rounded(number), expected, "{number}");
        }
        assert!(rounded(u64::MAX) > u64::MAX / 2);
    }

    #[test]
    fn percentiles_are_those_of_the_sorted_list() {
        let mut durations = Durations::default();
        assert_eq!(durations.percentile(50), None);
        for millis in 1..=100 {
            durations.add(millis, 1);
        }
        assert_eq!([50, 95, 100].map(|percent| durations.percentile(percent)), [Some(50), Some(95), Some(100)]);
        assert_eq!((durations.count(), durations.sum(), durations.longest()), (100, 5050, Some(100)));
    }

    #[test]
    fn equal_errors_are_grouped() {
        let one = gist("exit 2: ls: cannot access '/home/me/a/lost.txt': No such file");
        assert_eq!(one, gist("exit 2: ls: cannot access '/w/b/lost.txt':  No such file"));
        assert_eq!(one, "exit 2: ls: cannot access '…/lost.txt': No such file");
        assert_eq!(gist("pid 12345 is gone"), gist("pid 54321 is gone"));
        assert_eq!(gist("error[E308]: mismatched types"), "error[E308]: mismatched types");
        assert_eq!(gist(" "), "(nothing was said)");
        assert_eq!(gist("String to replace not found. String: fn main"), "String to replace not found.");
        assert_eq!(gist("exit 1: a. b of 3 failed"), "exit 1: a. b of 3 failed");
    }
}
