//! Finds secrets and private things in one view of a text.
//!
//! The automaton reports keywords; each one is looked at with the rules that it belongs to. What a rule looks at is
//! bounded, so the time is linear in the text.

mod address;
mod block;
mod named;
mod telling;
mod url;

use std::ops::Range;

use crate::check::Verdict;
use crate::detector::{Compiled, Detector};
use crate::layers::{Finder, Located};
use crate::rule::{Category, Certainty, Shape};
use crate::view::View;

pub(crate) use address::is_anyone;
pub(crate) use block::{find as find_block, material as key_material};

/// No token is longer.
const REACH: usize = 16_384;
/// A token or a name with its value is looked for on so many lines.
const MOST_LINES: usize = 64;

/// Something that a rule found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct RuleHit {
    /// The number of the rule in the detector.
    pub(crate) rule: usize,
    pub(crate) certainty: Certainty,
    pub(crate) category: Category,
}

impl Finder for Detector {
    type Hit = RuleHit;

    fn find(&self, view: &View, is_text: bool, found: &mut Vec<Located<RuleHit>>) {
        let mut search = Search { detector: self, view, found: Vec::new(), is_text, done: Vec::new() };
        search.keywords();
        if is_text {
            search.addresses();
            search.own_patterns();
        }
        found.extend(resolved(search.found));
    }
}

struct Search<'a> {
    detector: &'a Detector,
    view: &'a View,
    found: Vec<Located<RuleHit>>,
    is_text: bool,
    /// Up to where a rule has found something: the same is not found twice by another of its keywords.
    done: Vec<(usize, usize)>,
}

impl Search<'_> {
    fn keywords(&mut self) {
        let detector = self.detector;
        let text = self.view.text();
        detector.keywords(text, |keyword, at| {
            let written = text.get(at.clone()).unwrap_or_default();
            for &index in &keyword.rules {
                let Some(compiled) = detector.compiled(index) else { continue };
                if compiled.rule.is_exact() && written != keyword.text {
                    continue;
                }
                if !self.is_text && !matches!(compiled.rule.shape, Shape::Pattern { .. } | Shape::Block) {
                    continue;
                }
                self.look(index, compiled, at.clone());
            }
        });
    }

    fn look(&mut self, index: usize, compiled: &Compiled, at: Range<usize>) {
        let view = self.view;
        if self.done.iter().any(|&(rule, end)| rule == index && at.start < end) {
            return;
        }
        match compiled.rule.shape {
            Shape::Pattern { lead, .. } => {
                if let Some((range, certainty)) = pattern(view, compiled, &at, lead) {
                    self.add(index, range, certainty);
                }
            }
            Shape::Near { .. } => {
                if let Some(range) = named::near(view, compiled, &at) {
                    self.add(index, range, compiled.rule.certainty);
                }
            }
            Shape::Members { reach, within_braces, .. } => {
                let (ranges, end) = named::members(view, compiled, &at, reach, within_braces);
                for range in ranges {
                    self.push(index, range, compiled.rule.certainty);
                }
                self.finish(index, end);
            }
            Shape::Block => {
                if let Some(range) =
                    block::find(view, at.start).filter(|_| block::is_of(view, at.start, compiled.rule.id))
                {
                    self.add(index, range, Certainty::Certain);
                }
            }
            Shape::Url => {
                if let Some(range) = url::password(view, &at) {
                    self.add(index, range, Certainty::Certain);
                }
            }
            Shape::Telling => {
                if let Some(range) = telling::value(view, &at, compiled.rule.label == "password") {
                    self.push(index, range, Certainty::Likely);
                }
            }
            Shape::Home => self.private(index, address::home(view, &at)),
            Shape::Email => self.private(index, address::email(view, at.start)),
            Shape::Host => self.private(index, address::host(view, &at)),
            Shape::Word => {
                let is_whole = stands_alone(view, &at);
                self.private(index, Some(at).filter(|_| is_whole));
            }
            Shape::Address => {}
        }
    }

    fn addresses(&mut self) {
        let Some(index) = self.detector.number_of(Shape::Address) else { return };
        if self.detector.settings().keep.contains(&Category::Ip) {
            return;
        }
        for line in self.view.lines() {
            for range in address::addresses(self.view.slice(line.clone())) {
                self.push(index, line.start + range.start..line.start + range.end, Certainty::Certain);
            }
        }
    }

    fn own_patterns(&mut self) {
        let (patterns, index) = self.detector.own_patterns();
        for pattern in patterns {
            for line in self.view.lines() {
                for found in pattern.find_iter(self.view.slice(line.clone())).filter(|found| !found.is_empty()) {
                    self.push(index, line.start + found.start()..line.start + found.end(), Certainty::Certain);
                }
            }
        }
    }

    fn private(&mut self, index: usize, range: Option<Range<usize>>) {
        if let Some(range) = range {
            self.push(index, range, Certainty::Certain);
        }
    }

    fn add(&mut self, index: usize, range: Range<usize>, certainty: Certainty) {
        self.finish(index, range.end);
        self.push(index, range, certainty);
    }

    fn finish(&mut self, index: usize, end: usize) {
        match self.done.iter_mut().find(|(rule, _)| *rule == index) {
            Some(done) => done.1 = done.1.max(end),
            None => self.done.push((index, end)),
        }
    }

    fn push(&mut self, index: usize, range: Range<usize>, certainty: Certainty) {
        let Some(rule) = self.detector.rule(index) else { return };
        if range.is_empty() || self.detector.is_kept(rule, self.view.slice(range.clone())) {
            return;
        }
        self.found.push(Located { range, hit: RuleHit { rule: index, certainty, category: rule.category } });
    }
}

/// Keeps one of several findings at the same place: the surest, then the longest, then the first in the table.
fn resolved(mut found: Vec<Located<RuleHit>>) -> Vec<Located<RuleHit>> {
    found.sort_by_key(|located| {
        (
            located.hit.category,
            located.hit.certainty,
            located.range.start,
            std::cmp::Reverse(located.range.end),
            located.hit.rule,
        )
    });
    let mut kept: Vec<Located<RuleHit>> = Vec::with_capacity(found.len());
    let mut groups: Vec<(usize, usize)> = Vec::new();
    let mut at = 0;
    while let Some(first) = found.get(at) {
        let key = (first.hit.category, first.hit.certainty);
        let length = found
            .get(at..)
            .unwrap_or_default()
            .partition_point(|other| (other.hit.category, other.hit.certainty) <= key);
        let from = kept.len();
        let mut reached = 0;
        for located in found.get(at..at + length).unwrap_or_default() {
            // The earlier groups are the surer ones; within a group a finding that goes further than all before it stays.
            let is_covered = located.range.end <= reached
                || groups.iter().any(|&(start, end)| covers(kept.get(start..end).unwrap_or_default(), &located.range));
            if !is_covered {
                reached = located.range.end;
                kept.push(located.clone());
            }
        }
        groups.push((from, kept.len()));
        at += length.max(1);
    }
    kept
}

/// Whether one of the findings, which are in order, covers a range.
fn covers(found: &[Located<RuleHit>], range: &Range<usize>) -> bool {
    let next = found.partition_point(|located| located.range.start <= range.start);
    next.checked_sub(1).and_then(|index| found.get(index)).is_some_and(|located| located.range.end >= range.end)
}

/// Looks for the pattern of a rule around its keyword, on its line and, if it is not there, across the ends of lines.
fn pattern(view: &View, compiled: &Compiled, at: &Range<usize>, lead: usize) -> Option<(Range<usize>, Certainty)> {
    let from = at.start.saturating_sub(lead);
    if lead == 0 && !begins_here(view, at) {
        return None;
    }
    let line_end = view.line_end(at.start);
    let reach = (at.end + REACH).min(view.text().len());
    let direct = if line_end >= at.end {
        matched(view, compiled, from.max(line_start(view, at.start, lead))..line_end.min(reach), at)
    } else {
        None
    };
    match direct {
        Some((range, verdict)) if verdict != Verdict::Doubtful => {
            let range = if verdict == Verdict::Proven { range } else { wrapped_tail(view, range, line_end) };
            Some((range, compiled.rule.certainty))
        }
        doubtful => match joined(view, compiled, at, from, line_end) {
            Some(range) => Some((range, compiled.rule.certainty)),
            None => doubtful.map(|(range, _)| (range, Certainty::Likely)),
        },
    }
}

/// Looks for a pattern on the line of its keyword and the next ones together: on as few of them as hold it.
fn joined(view: &View, compiled: &Compiled, at: &Range<usize>, from: usize, line_end: usize) -> Option<Range<usize>> {
    let has_group = compiled.regex()?.captures_len() > 1;
    let mut is_new = from < view.line_start(at.start);
    let mut end = line_end;
    for _ in 0..MOST_LINES {
        if is_new
            && end >= at.end
            && let Some((range, verdict)) = matched(view, compiled, from..end, at)
            && verdict != Verdict::Doubtful
        {
            return Some(if verdict == Verdict::Proven { range } else { wrapped_tail(view, range, end) });
        }
        // A token that goes on fills its line up to the end; between a name and its value there may be anything.
        if end >= view.text().len() || end > at.start + REACH || !(has_group || fills_line(view, at.end, end)) {
            return None;
        }
        end = view.line_end(end);
        is_new = true;
    }
    None
}

/// Whether the line that ends at `end` holds nothing but a token, from `from` on.
fn fills_line(view: &View, from: usize, end: usize) -> bool {
    let start = view.line_start(end.saturating_sub(1)).max(from);
    view.slice(start..end.max(start)).iter().all(|&byte| is_token(byte))
}

fn is_token(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.' | b'+' | b'/' | b'=' | b'~' | b'%' | b':')
}

fn line_start(view: &View, at: usize, lead: usize) -> usize {
    if lead == 0 { at } else { view.line_start(at) }
}

/// Runs the expression of a rule over a window, and checks what it finds.
fn matched(
    view: &View,
    compiled: &Compiled,
    window: Range<usize>,
    at: &Range<usize>,
) -> Option<(Range<usize>, Verdict)> {
    let regex = compiled.regex()?;
    let text = view.slice(window.clone());
    let has_group = regex.captures_len() > 1;
    let keyword = at.start - window.start..at.end - window.start;
    let covers = |range: &Range<usize>| range.start <= keyword.start && range.end >= keyword.end;
    let (whole, secret) = if has_group {
        let captures = regex.captures_iter(text).find(|found| found.get(0).is_some_and(|all| covers(&all.range())))?;
        let group = captures.iter().skip(1).flatten().next()?;
        (captures.get(0)?.range(), group.range())
    } else {
        let found = regex.find_iter(text).map(|found| found.range()).find(covers)?;
        (found.clone(), found)
    };
    let whole = window.start + whole.start..window.start + whole.end;
    let mut secret = window.start + secret.start..window.start + secret.end;
    if has_group && compiled.rule.is_open() {
        // What follows on the next line belongs to something else, unless the secret fills its line.
        secret.end = secret.end.min(view.line_end(secret.start));
    }
    let verdict = compiled.rule.check.of(view.slice(secret.clone()));
    if verdict == Verdict::Fails {
        return None;
    }
    if !has_group && verdict != Verdict::Proven {
        let is_distinctive = at.len() >= 5;
        if !is_distinctive && goes_on(view, secret.end) {
            return None;
        }
        if is_distinctive && !view.is_break(secret.end) {
            secret.end += run(view, secret.end, |byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'));
        }
        if whole.start < at.start && !is_boundary(view, whole.start, false) {
            return None;
        }
    }
    Some((secret, verdict))
}

/// The rest of a token whose last line holds nothing but it.
fn wrapped_tail(view: &View, mut range: Range<usize>, line_end: usize) -> Range<usize> {
    let mut end = line_end;
    while range.end == end && end < view.text().len() {
        let tail = run(view, end, |byte| {
            byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.' | b'+' | b'/' | b'=')
        });
        let piece = view.slice(end..end + tail);
        let stands_alone = view.line_end(end) == end + tail
            || matches!(view.text().get(end + tail), Some(b'"' | b'\'' | b'`' | b',' | b'\\'));
        let width = end - view.line_start(end.saturating_sub(1));
        let is_random = piece.len() >= 16
            || (piece.len() >= 4 && piece.iter().any(u8::is_ascii_digit))
            || (piece.len() >= 6 && piece.len() == width);
        if !stands_alone || !is_random {
            break;
        }
        range.end = end + tail;
        end = view.line_end(end);
    }
    range
}

/// Whether a word stands alone. The end of a line ends a word, unless the word itself goes on in the next line.
pub(crate) fn stands_alone(view: &View, range: &Range<usize>) -> bool {
    let start = view.line_start(range.start);
    let end = view.line_end(range.end.saturating_sub(1)).max(range.end);
    address::is_whole_word(view.slice(start..end), &(range.start - start..range.end - start))
}

/// The number of bytes from `at` on the same line that belong to an alphabet.
pub(crate) fn run(view: &View, at: usize, belongs: impl Fn(u8) -> bool) -> usize {
    let line = view.line_end(at);
    view.slice(at..line).iter().take(REACH).take_while(|&&byte| belongs(byte)).count()
}

/// Whether a token goes on at `at`, after what was found of it.
fn goes_on(view: &View, at: usize) -> bool {
    !view.is_break(at) && view.text().get(at).is_some_and(u8::is_ascii_alphanumeric)
}

/// Whether a token may begin with the keyword that stands here. A keyword that is distinctive enough needs no boundary.
fn begins_here(view: &View, at: &Range<usize>) -> bool {
    let keyword = view.slice(at.clone());
    let is_distinctive = keyword.len() >= 4 && keyword.iter().any(|byte| !byte.is_ascii_alphanumeric());
    is_distinctive || is_boundary(view, at.start, keyword.len() <= 3)
}

/// Whether a token may begin at `at`: after something that is no part of a word, or after an escape.
pub(crate) fn is_boundary(view: &View, at: usize, is_strict: bool) -> bool {
    if at == 0 || view.is_break(at) {
        return true;
    }
    let text = view.text().get(..at).unwrap_or_default();
    let Some(&last) = text.last() else { return true };
    if !last.is_ascii_alphanumeric() {
        return !(is_strict && matches!(last, b'_' | b'-'));
    }
    let before = |distance: usize| at.checked_sub(distance).and_then(|index| text.get(index)).copied();
    (before(2) == Some(b'\\') && matches!(last, b'n' | b'r' | b't' | b'b' | b'f'))
        || (before(3) == Some(b'%')
            && before(2).is_some_and(|byte| byte.is_ascii_hexdigit())
            && last.is_ascii_hexdigit())
}
