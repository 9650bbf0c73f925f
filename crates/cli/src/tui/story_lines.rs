//! A story as lines, while they arrive: scrolling, searching, and moving by turn.

use std::ops::Range;

use styled::Line;

/// Lines, to which more may be added.
#[derive(Debug, Default)]
pub(crate) struct StoryLines {
    lines: Vec<Line>,
    /// The first lines of turns, in order.
    turns: Vec<usize>,
    /// The first visible line.
    top: usize,
    /// The number of visible lines.
    height: usize,
    pub(crate) progress: Progress,
    /// The turn to go to when it arrives.
    goal: Option<usize>,
    needle: String,
}

/// How much of the text has arrived.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) enum Progress {
    #[default]
    Reading,
    Whole,
    /// There is more than was requested.
    Cut,
    Failed(String),
}

/// A movement.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Step {
    Lines(isize),
    Pages(isize),
    Half(isize),
    First,
    Last,
}

impl Step {
    /// Applies the movement to a position, given the size of a page and the last position.
    pub(crate) fn apply(self, at: usize, page: usize, last: usize) -> usize {
        let page = isize::try_from(page).unwrap_or(isize::MAX).max(1);
        let to = match self {
            Self::Lines(lines) => at.saturating_add_signed(lines),
            // One line of the previous page stays visible.
            Self::Pages(pages) => at.saturating_add_signed(pages.saturating_mul((page - 1).max(1))),
            Self::Half(halves) => at.saturating_add_signed(halves.saturating_mul((page / 2).max(1))),
            Self::First => 0,
            Self::Last => last,
        };
        to.min(last)
    }
}

impl StoryLines {
    /// Starts empty, and goes to the turn with this number when it arrives.
    pub(crate) fn going_to(turn: Option<usize>, needle: &str, height: usize) -> Self {
        Self { goal: turn.filter(|turn| *turn > 1), needle: needle.to_owned(), height, ..Self::default() }
    }

    /// Adds lines. `turns` are the first lines of turns among them.
    pub(crate) fn add(&mut self, lines: Vec<Line>, turns: &[usize]) {
        let before = self.lines.len();
        self.turns.extend(turns.iter().map(|at| before + at));
        self.lines.extend(lines);
        self.reach();
    }

    pub(crate) fn end(&mut self, progress: Progress) {
        self.progress = progress;
        self.reach();
        self.goal = None;
    }

    /// Goes to the wanted turn as soon as a page of it has arrived.
    fn reach(&mut self) {
        let Some(place) = self.goal.and_then(|turn| self.turns.get(turn - 1)) else { return };
        if self.progress != Progress::Reading || place + self.height < self.lines.len() {
            self.top = (*place).min(self.last_top());
            self.goal = None;
        }
    }

    pub(crate) fn set_height(&mut self, height: usize) {
        self.height = height;
        self.top = self.top.min(self.last_top());
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }

    pub(crate) fn visible(&self) -> impl Iterator<Item = &Line> {
        self.lines.iter().skip(self.top).take(self.height)
    }

    fn last_top(&self) -> usize {
        self.lines.len().saturating_sub(self.height)
    }

    pub(crate) fn scroll(&mut self, step: Step) {
        self.goal = None;
        self.top = step.apply(self.top, self.height, self.last_top());
    }

    /// Moves by this many turns.
    pub(crate) fn go_by_turns(&mut self, turns: isize) {
        self.goal = None;
        let place = if turns > 0 {
            self.turns.iter().find(|at| **at > self.top)
        } else {
            self.turns.iter().rev().find(|at| **at < self.top)
        };
        let fallback = if turns > 0 { self.top } else { 0 };
        self.top = place.copied().unwrap_or(fallback).min(self.last_top());
    }

    /// Returns the turn at the top of the screen, from 1; 0 before the first.
    pub(crate) fn turn(&self) -> usize {
        self.goal.unwrap_or_else(|| self.turns.iter().take_while(|at| **at <= self.top.saturating_add(1)).count())
    }

    pub(crate) fn turn_count(&self) -> usize {
        self.turns.len()
    }

    /// Returns the share of lines above the bottom of the screen, in percent.
    pub(crate) fn percent(&self) -> usize {
        let end = (self.top + self.height).min(self.lines.len());
        (end * 100).checked_div(self.lines.len()).unwrap_or(100)
    }

    pub(crate) fn needle(&self) -> &str {
        &self.needle
    }

    pub(crate) fn look_for(&mut self, needle: &str) {
        needle.clone_into(&mut self.needle);
    }

    /// Goes to the next or previous matching line, and wraps around at the end. Returns whether there is one.
    pub(crate) fn find(&mut self, forward: bool, with_here: bool) -> bool {
        let has = |at: &usize| self.lines.get(*at).is_some_and(|line| !find_in(line.text(), &self.needle).is_empty());
        let count = self.lines.len();
        let first = if with_here { self.top } else { self.top + 1 }.min(count);
        let found = if forward {
            (first..count).chain(0..first).find(has)
        } else {
            (0..self.top).rev().chain((self.top..count).rev()).find(has)
        };
        if let Some(place) = found {
            self.goal = None;
            // The last page shows the line as well; the next search continues from there.
            self.top = place;
        }
        found.is_some()
    }
}

/// Returns the matches of a word in a text. Ignores case unless the word has capitals.
pub(crate) fn find_in(text: &str, needle: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    if needle.is_empty() {
        return found;
    }
    let is_exact = needle.chars().any(char::is_uppercase);
    let same = |one: char, other: char| one == other || !is_exact && one.to_lowercase().eq(other.to_lowercase());
    let mut from = 0;
    while let Some(rest) = text.get(from..).filter(|rest| !rest.is_empty()) {
        let mut there = rest.char_indices();
        let fits = needle.chars().all(|wanted| there.next().is_some_and(|(_, c)| same(c, wanted)));
        let length = if fits { there.offset() } else { 0 };
        if fits {
            found.push(from..from + length);
        }
        from += length.max(rest.chars().next().map_or(1, char::len_utf8));
    }
    found
}

#[cfg(test)]
mod tests {
    use styled::Role;

    use super::*;

    fn story_lines(count: usize, turns: &[usize]) -> StoryLines {
        let mut story_lines = StoryLines::going_to(None, "", 10);
        story_lines.add((0..count).map(|n| Line::new().with(&format!("line {n}"), Role::Quiet)).collect(), turns);
        story_lines.end(Progress::Whole);
        story_lines
    }

    #[test]
    fn scrolling_stays_within_the_text() {
        let mut story_lines = story_lines(25, &[]);
        let mut to = |step| {
            story_lines.scroll(step);
            story_lines.top
        };
        assert_eq!(to(Step::Lines(-1)), 0);
        assert_eq!(to(Step::Pages(1)), 9);
        assert_eq!(to(Step::Half(1)), 14);
        assert_eq!(to(Step::Pages(1)), 15);
        assert_eq!(to(Step::First), 0);
        assert_eq!(to(Step::Last), 15);
        assert_eq!(story_lines.percent(), 100);
        let mut empty = StoryLines::default();
        empty.scroll(Step::Last);
        empty.go_by_turns(1);
        assert_eq!((empty.top, empty.percent(), empty.find(true, true)), (0, 100, false));
    }

    #[test]
    fn turns_are_walked_one_by_one() {
        let mut story_lines = story_lines(60, &[4, 20, 40]);
        let mut go = |turns| {
            story_lines.go_by_turns(turns);
            (story_lines.top, story_lines.turn())
        };
        assert_eq!([go(1), go(1), go(1), go(1)], [(4, 1), (20, 2), (40, 3), (40, 3)]);
        assert_eq!([go(-1), go(-1), go(-1)], [(20, 2), (4, 1), (0, 0)]);
    }

    #[test]
    fn the_view_goes_to_a_turn_when_it_arrives() {
        let mut story_lines = StoryLines::going_to(Some(2), "", 3);
        let lines = |count| vec![Line::new(); count];
        story_lines.add(lines(10), &[2]);
        assert_eq!((story_lines.top, story_lines.turn()), (0, 2));
        story_lines.add(lines(10), &[1]);
        assert_eq!((story_lines.top, story_lines.turn()), (11, 2));
    }

    #[test]
    fn words_are_found_around_the_end() {
        let mut story_lines = story_lines(30, &[]);
        story_lines.look_for("line 2");
        assert!(story_lines.find(true, true));
        assert_eq!(story_lines.top, 2);
        assert!(story_lines.find(true, false));
        assert_eq!(story_lines.top, 20);
        assert!(story_lines.find(false, false));
        assert_eq!(story_lines.top, 2);
        assert!(story_lines.find(false, false));
        assert_eq!(story_lines.top, 29);
        story_lines.look_for("none");
        assert!(!story_lines.find(true, false));
    }

    #[test]
    fn capitals_are_meant() {
        assert_eq!(find_in("Retry, retry: ÄRGER", "retry"), [0..5, 7..12]);
        assert_eq!(find_in("Retry, retry, Retry", "Retry"), [0..5, 14..19]);
        assert_eq!(find_in("Ärger ärger", "ärger"), [0..6, 7..13]);
        assert_eq!(find_in("aaaaa", "aa"), [0..2, 2..4]);
        assert!(find_in("", "a").is_empty() && find_in("a", "").is_empty());
    }
}
