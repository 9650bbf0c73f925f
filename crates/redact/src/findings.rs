//! What was found in a session.

use std::borrow::Cow;

use rustc_hash::FxHashMap;
use serde::Serialize;

use crate::detector::Detector;
use crate::find::RuleHit;
use crate::rule::{Category, Certainty, Shape};
use crate::rules::RULES_VERSION;

/// So many places of a finding are listed; all are counted.
const MOST_PLACES: usize = 10;
/// A line of a private key that is this long is replaced wherever it stands, also alone.
const TELLING_LINE: usize = 24;

/// One secret or private thing, however often it occurs.
#[derive(Debug, Clone)]
pub struct Finding {
    /// Its number among the findings.
    pub id: usize,
    /// The rule that found it.
    pub rule: &'static str,
    /// How sure it is.
    pub certainty: Certainty,
    /// What it is.
    pub category: Category,
    /// Its beginning and end, as far as they give nothing away: `ghp_…3f9a`.
    pub preview: String,
    /// What stands in its place.
    pub replacement: String,
    /// How often it was found. It is replaced wherever it occurs, which may be more often.
    pub count: u64,
    /// The first places where it was found.
    pub places: Vec<Place>,
    pub(crate) value: Vec<u8>,
    pub(crate) parts: Vec<Vec<u8>>,
    pub(crate) is_block: bool,
}

impl Finding {
    /// The value itself, to be shown to its owner and to no one else.
    pub fn value(&self) -> Cow<'_, str> {
        String::from_utf8_lossy(&self.value)
    }

    /// A short hash of the value, by which settings can allow it without holding it.
    ///
    /// It belongs into settings and nowhere else: a short password can be guessed from it.
    pub fn fingerprint(&self) -> String {
        fingerprint(&self.value)
    }

    /// Whether a decision is needed.
    pub fn is_doubtful(&self) -> bool {
        self.certainty == Certainty::Likely
    }
}

/// The fingerprint of a value.
pub(crate) fn fingerprint(value: &[u8]) -> String {
    blake3::hash(value).to_hex().chars().take(16).collect()
}

/// Where something was found.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Place {
    /// The name that the caller gave the source.
    pub source: String,
    /// The number of the line, from 1; 0 for a text that is no line.
    pub line: u64,
    /// Where in the line: `message.content[0].text`.
    pub path: String,
}

/// A line of which nothing could be read, so that it is left out.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct LeftOut {
    /// The name that the caller gave the source.
    pub source: String,
    /// The number of the line, from 1.
    pub line: u64,
    /// The number of bytes that are left out.
    pub bytes: u64,
}

/// Everything that was found in a session.
#[derive(Debug, Default)]
pub struct Findings {
    list: Vec<Finding>,
    left_out: Vec<LeftOut>,
    index: FxHashMap<(Category, Vec<u8>), usize>,
    order: Vec<(usize, u64)>,
}

impl Findings {
    /// The findings, in the order in which they were found.
    pub fn list(&self) -> &[Finding] {
        &self.list
    }

    /// Lines of which nothing could be read.
    pub fn left_out(&self) -> &[LeftOut] {
        &self.left_out
    }

    /// The version of the rules that were used.
    pub fn rules_version(&self) -> u32 {
        RULES_VERSION
    }

    /// Whether there is nothing to replace.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty() && self.left_out.is_empty()
    }

    pub(crate) fn leave_out(&mut self, left_out: LeftOut) {
        self.left_out.push(left_out);
    }

    /// Whether a value was found before.
    pub(crate) fn knows(&self, detector: &Detector, hit: RuleHit, value: &[u8]) -> bool {
        let Some(rule) = detector.rule(hit.rule) else { return true };
        let value = if rule.shape == Shape::Block { crate::find::key_material(value) } else { value.to_vec() };
        self.index.contains_key(&(hit.category, identity(hit.category, &value)))
    }

    /// Notes that a rule has found a value.
    pub(crate) fn record(&mut self, detector: &Detector, hit: RuleHit, value: &[u8], lines: &[usize], place: Place) {
        let Some(rule) = detector.rule(hit.rule) else { return };
        let (value, parts) = match rule.shape {
            Shape::Block => (crate::find::key_material(value), parts(value, lines)),
            // A value that seems to go on in the next line may also end with its own.
            _ => (
                value.to_vec(),
                lines
                    .first()
                    .and_then(|&end| value.get(..end))
                    .filter(|line| is_telling(line))
                    .map(<[u8]>::to_vec)
                    .into_iter()
                    .collect(),
            ),
        };
        let next = self.list.len();
        let index = *self.index.entry((hit.category, identity(hit.category, &value))).or_insert(next);
        if index == next {
            self.order.push((hit.rule, 0));
            self.list.push(Finding {
                id: index,
                rule: rule.id,
                certainty: hit.certainty,
                category: hit.category,
                preview: preview(&value),
                replacement: String::new(),
                count: 0,
                places: Vec::new(),
                value,
                parts: Vec::new(),
                is_block: rule.shape == Shape::Block,
            });
        }
        let Some((finding, order)) = self.list.get_mut(index).zip(self.order.get_mut(index)) else { return };
        // The surest rule names it, and of these the first in the table.
        if (hit.certainty, hit.rule) < (finding.certainty, order.0) {
            finding.certainty = hit.certainty;
            finding.rule = rule.id;
            order.0 = hit.rule;
        }
        for part in parts {
            if !finding.parts.contains(&part) {
                finding.parts.push(part);
            }
        }
        finding.count += 1;
        if finding.places.len() < MOST_PLACES && finding.places.last() != Some(&place) {
            finding.places.push(place);
        }
    }

    /// Gives every finding the text that stands in its place.
    pub(crate) fn name(&mut self, detector: &Detector) {
        let mut counts: FxHashMap<&str, u64> = FxHashMap::default();
        let pseudonyms = detector.settings().pseudonyms.as_deref();
        for (finding, (rule, _)) in self.list.iter_mut().zip(&self.order) {
            let label = detector.rule(*rule).map_or("secret", |rule| rule.label);
            let count = counts.entry(label).or_insert(0);
            *count += 1;
            let stated = pseudonyms
                .filter(|_| finding.category != Category::Secret)
                .and_then(|names| names.number(finding.category, &String::from_utf8_lossy(&finding.value)));
            let number = stated.unwrap_or(*count);
            finding.replacement = match finding.category {
                Category::Secret | Category::Word => format!("[{label} {number}]"),
                Category::Email => format!("{label}-{number}@example.com"),
                Category::User | Category::Host | Category::Ip | Category::Account => format!("{label}-{number}"),
            };
        }
    }
}

/// Whether the first line of a wrapped value is enough to be one by itself.
fn is_telling(line: &[u8]) -> bool {
    line.len() >= 8 && line.iter().any(u8::is_ascii_digit) && line.iter().any(u8::is_ascii_alphabetic)
}

/// What a value is known by: names are the same in upper and lower case.
fn identity(category: Category, value: &[u8]) -> Vec<u8> {
    match category {
        Category::User | Category::Host | Category::Email => value.to_ascii_lowercase(),
        Category::Secret | Category::Ip | Category::Account | Category::Word => value.to_vec(),
    }
}

/// The lines of a private key that are telling enough to be replaced wherever they stand.
fn parts(value: &[u8], lines: &[usize]) -> Vec<Vec<u8>> {
    let starts = [0].into_iter().chain(lines.iter().copied());
    let ends = lines.iter().copied().chain([value.len()]);
    starts
        .zip(ends)
        .filter_map(|(start, end)| {
            let line = value.get(start..end)?;
            let from = line.iter().position(|byte| !matches!(byte, b'+' | b'-' | b' '))?;
            let line = line.get(from..)?;
            let is_key = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'=');
            (line.len() >= TELLING_LINE && line.iter().all(is_key)).then(|| line.to_vec())
        })
        .collect()
}

/// The beginning and end of a value, as far as they give nothing away.
fn preview(value: &[u8]) -> String {
    let shown = match value.len() {
        0..12 => 0,
        12..24 => 2,
        _ => 4,
    };
    let printed = |bytes: &[u8]| -> String {
        bytes.iter().map(|&byte| if byte.is_ascii_graphic() { char::from(byte) } else { '·' }).collect()
    };
    let first = printed(value.get(..shown).unwrap_or_default());
    let last = printed(value.get(value.len() - shown..).unwrap_or_default());
    format!("{first}…{last}")
}
