//! The second pass: puts the replacements in place.

mod edits;
mod values;

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::Range;

use rustc_hash::FxHashMap;
use serde::Serialize;

use crate::findings::{Finding, Findings, LeftOut, Place};
use crate::layers::{DEPTH, Found, explore};
use crate::pieces::{Chains, LineKey, line_key};
use crate::rule::{Category, Certainty};
use crate::rules::RULES_VERSION;
use crate::scan::is_unreadable;
use crate::view::{View, from_json, strings};

use edits::{Edit, apply};
use values::Values;
pub(crate) use values::is_word;

/// The decision about a finding.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Choice {
    /// It is replaced.
    Replace,
    /// It stays.
    Keep,
}

/// The decisions about findings that are only likely. Certain ones and private things are always replaced; settings can keep
/// whole categories and single values.
#[derive(Debug, Clone, Default)]
pub struct Decisions {
    /// The decision about those without a choice of their own; `None` to be asked.
    pub likely: Option<Choice>,
    /// Choices by [`Finding::id`].
    pub each: BTreeMap<usize, Choice>,
}

impl Decisions {
    /// Replaces everything without asking.
    pub fn replace_all() -> Self {
        Self { likely: Some(Choice::Replace), each: BTreeMap::new() }
    }

    fn of(&self, finding: &Finding) -> Option<Choice> {
        match finding.certainty {
            Certainty::Certain => Some(Choice::Replace),
            Certainty::Likely => self.each.get(&finding.id).copied().or(self.likely),
        }
    }
}

/// Nothing can be written before a decision about these findings.
#[derive(Debug, thiserror::Error)]
#[error("{} likely secrets need a decision", ids.len())]
pub struct Undecided {
    /// The ids of the findings.
    pub ids: Vec<usize>,
    /// The findings, handed back.
    pub findings: Findings,
}

/// Between the passes: looks for values that are stored in pieces.
///
/// Deltas of a stream and adjacent blocks of text cut values anywhere. Give it all lines, in the order of the file; a
/// caller that has no lines, but only texts, goes on to the [`Replacer`] at once.
#[derive(Debug)]
pub struct Tracer {
    replacer: Replacer,
    chains: Chains,
}

impl Tracer {
    /// Begins with what was found. Fails if a likely secret needs a decision.
    pub fn new(findings: Findings, decisions: &Decisions) -> Result<Self, Box<Undecided>> {
        let choices: Vec<_> = findings.list().iter().map(|finding| decisions.of(finding)).collect();
        let undecided = choices.iter().enumerate().filter(|(_, choice)| choice.is_none());
        let ids: Vec<usize> = undecided.map(|(id, _)| id).collect();
        if !ids.is_empty() {
            return Err(Box::new(Undecided { ids, findings }));
        }
        let is_replaced = choices.iter().map(|choice| *choice == Some(Choice::Replace)).collect::<Vec<_>>();
        let values = Values::new(findings.list(), &is_replaced);
        let counts = vec![0; findings.list().len()];
        let fragments = FxHashMap::default();
        let replacer = Replacer { values, findings, is_replaced, replaced: counts, fragments, left_out: 0 };
        Ok(Self { replacer, chains: Chains::default() })
    }

    /// Looks at a line, in the order of the file.
    pub fn look(&mut self, line: &[u8]) {
        if self.replacer.values.is_empty() || from_json_is_hopeless(line) {
            return;
        }
        let Replacer { values, fragments, .. } = &mut self.replacer;
        self.chains.add(line, &strings(line), |chain| fragment(values, fragments, chain));
    }

    /// Ends this pass.
    pub fn finish(mut self) -> Replacer {
        let Replacer { values, fragments, .. } = &mut self.replacer;
        self.chains.finish(|chain| fragment(values, fragments, chain));
        self.replacer
    }
}

/// Whether a line is not worth a look for pieces, because it is no object.
fn from_json_is_hopeless(line: &[u8]) -> bool {
    !line.iter().find(|byte| !byte.is_ascii_whitespace()).is_some_and(|byte| matches!(byte, b'{' | b'['))
}

/// A piece of a value that other lines hold the rest of.
#[derive(Debug, Clone)]
struct Fragment {
    range: Range<usize>,
    finding: usize,
    is_first: bool,
}

fn fragment(values: &Values, fragments: &mut FxHashMap<LineKey, Vec<Fragment>>, chain: &crate::pieces::Chain) {
    for found in explore(values, &chain.view(), true, DEPTH) {
        let (Found::Plain { origin, .. } | Found::Encoded { origin, .. }) = &found;
        let Some(pieces) = chain.origin(origin) else { continue };
        let Some(finding) = first_finding(&found) else { continue };
        for (index, (line, range)) in pieces.into_iter().enumerate() {
            fragments.entry(line).or_default().push(Fragment { range, finding, is_first: index == 0 });
        }
    }
}

fn first_finding(found: &Found<usize>) -> Option<usize> {
    match found {
        Found::Plain { hit, .. } => Some(*hit),
        Found::Encoded { inside, .. } => inside.first().and_then(first_finding),
    }
}

/// Replaces what was found, wherever it occurs.
///
/// It replaces the values that were found, and nothing else: a text that was not looked at before may hold others.
#[derive(Debug)]
pub struct Replacer {
    values: Values,
    findings: Findings,
    is_replaced: Vec<bool>,
    replaced: Vec<u64>,
    fragments: FxHashMap<LineKey, Vec<Fragment>>,
    left_out: u64,
}

impl Replacer {
    /// A line without what was found. It is borrowed if nothing changes.
    ///
    /// A line of JSON keeps its structure, keys, ids, times and numbers; only strings change.
    pub fn line<'a>(&mut self, line: &'a [u8]) -> Cow<'a, [u8]> {
        let view = from_json(line);
        if view.is_none() && is_unreadable(line) {
            self.left_out += 1;
            return Cow::Owned(left_out(line));
        }
        if self.values.is_empty() {
            return Cow::Borrowed(line);
        }
        let is_json = view.is_some();
        let view = view.unwrap_or_else(|| View::from_text(line));
        let mut edits = self.edits(explore(&self.values, &view, true, DEPTH));
        self.add_fragments(line, &mut edits);
        if edits.is_empty() {
            return Cow::Borrowed(line);
        }
        if is_json {
            edits = edits::within_strings(line, &strings(line), edits, |finding| self.is_certain(finding));
        }
        self.finish(line, edits)
    }

    /// A text without what was found: a title, the name of a file, a rendered page.
    pub fn text<'a>(&mut self, text: &'a str) -> Cow<'a, str> {
        if self.values.is_empty() {
            return Cow::Borrowed(text);
        }
        let edits = self.edits(explore(&self.values, &View::from_text(text.as_bytes()), true, DEPTH));
        match self.finish(text.as_bytes(), edits) {
            Cow::Borrowed(_) => Cow::Borrowed(text),
            // Replacements are text, and they replace whole characters.
            Cow::Owned(bytes) => Cow::Owned(String::from_utf8_lossy(&bytes).into_owned()),
        }
    }

    /// An id without what was found, by the rule for ids in lines: it stays as it is, unless it is a certain secret.
    pub fn id<'a>(&mut self, id: &'a str) -> Cow<'a, str> {
        if !edits::is_plain(id.as_bytes()) {
            return self.text(id);
        }
        let mut edits = self.edits(explore(&self.values, &View::from_text(id.as_bytes()), true, DEPTH));
        edits.retain(|edit| edit.finding.is_some_and(|finding| self.is_certain(finding)));
        match self.finish(id.as_bytes(), edits) {
            Cow::Borrowed(_) => Cow::Borrowed(id),
            Cow::Owned(bytes) => Cow::Owned(String::from_utf8_lossy(&bytes).into_owned()),
        }
    }

    /// What was replaced so far, and where.
    pub fn report(&self) -> Report {
        let entries = self.findings.list().iter().zip(&self.replaced).zip(&self.is_replaced);
        Report {
            rules_version: RULES_VERSION,
            findings: entries
                .map(|((finding, replaced), is_replaced)| Reported {
                    rule: finding.rule,
                    certainty: finding.certainty,
                    category: finding.category,
                    preview: finding.preview.clone(),
                    replacement: is_replaced.then(|| finding.replacement.clone()),
                    found: finding.count,
                    replaced: *replaced,
                    places: finding.places.clone(),
                })
                .collect(),
            left_out: self.findings.left_out().to_vec(),
            lines_left_out: self.left_out,
        }
    }

    fn is_certain(&self, finding: usize) -> bool {
        self.findings
            .list()
            .get(finding)
            .is_some_and(|finding| finding.certainty == Certainty::Certain && finding.category == Category::Secret)
    }

    fn finish<'a>(&mut self, bytes: &'a [u8], edits: Vec<Edit>) -> Cow<'a, [u8]> {
        if edits.is_empty() {
            return Cow::Borrowed(bytes);
        }
        let replaced = &mut self.replaced;
        let text = apply(bytes, edits, |finding| {
            if let Some(count) = replaced.get_mut(finding) {
                *count += 1;
            }
        });
        Cow::Owned(text)
    }

    fn edits(&mut self, found: Vec<Found<usize>>) -> Vec<Edit> {
        let mut edits = Vec::new();
        for found in found {
            self.add_edits(found, &mut edits);
        }
        edits
    }

    fn add_edits(&mut self, found: Found<usize>, edits: &mut Vec<Edit>) {
        match found {
            Found::Plain { hit, origin, .. } => {
                for (index, range) in origin.into_iter().enumerate() {
                    edits.push(self.edit(range, hit, index == 0));
                }
            }
            Found::Encoded { origin, run, inside } => {
                let finding = first_finding_of(&inside);
                let text = if run.is_text {
                    // The depth of this is that of the layers.
                    let inner = self.edits(inside);
                    match self.finish(&run.decoded, inner) {
                        Cow::Borrowed(_) => return,
                        Cow::Owned(bytes) => run.encode(&bytes),
                    }
                } else {
                    edits::instead_of_data(&run.decoded, finding.and_then(|finding| self.replacement(finding)))
                };
                for (index, range) in origin.into_iter().enumerate() {
                    let text = if index == 0 { text.clone() } else { String::new() };
                    edits.push(Edit { range, text, finding, is_encoded: true, is_counted: index == 0 && !run.is_text });
                }
            }
        }
    }

    fn edit(&self, range: Range<usize>, finding: usize, is_first: bool) -> Edit {
        let text = self.replacement(finding).filter(|_| is_first).unwrap_or_default().to_owned();
        Edit { range, text, finding: Some(finding), is_encoded: false, is_counted: is_first }
    }

    fn replacement(&self, finding: usize) -> Option<&str> {
        self.findings.list().get(finding).map(|finding| finding.replacement.as_str())
    }

    fn add_fragments(&self, line: &[u8], edits: &mut Vec<Edit>) {
        if self.fragments.is_empty() {
            return;
        }
        let fragments = self.fragments.get(&line_key(line)).map(Vec::as_slice).unwrap_or_default();
        let valid = fragments.iter().filter(|fragment| fragment.range.end <= line.len());
        edits.extend(valid.map(|fragment| self.edit(fragment.range.clone(), fragment.finding, fragment.is_first)));
    }
}

fn first_finding_of(inside: &[Found<usize>]) -> Option<usize> {
    inside.first().and_then(first_finding)
}

/// What stands in the place of a line that could not be read.
fn left_out(line: &[u8]) -> Vec<u8> {
    let end = line.len() - usize::from(line.ends_with(b"\n"));
    let mut text = format!("[{end} unreadable bytes left out]").into_bytes();
    text.extend_from_slice(line.get(end..).unwrap_or_default());
    text
}

/// What was replaced, and where.
#[derive(Debug, Clone, Serialize)]
pub struct Report {
    /// The version of the rules.
    pub rules_version: u32,
    /// What was found.
    pub findings: Vec<Reported>,
    /// Lines that could not be read.
    pub left_out: Vec<LeftOut>,
    /// The number of lines that were left out so far.
    pub lines_left_out: u64,
}

/// A finding in a report.
#[derive(Debug, Clone, Serialize)]
pub struct Reported {
    /// The rule that found it.
    pub rule: &'static str,
    /// How sure it is.
    pub certainty: Certainty,
    /// What it is.
    pub category: Category,
    /// Its beginning and end, as far as they give nothing away.
    pub preview: String,
    /// What stands in its place; `None` if it was kept.
    pub replacement: Option<String>,
    /// How often a rule found it.
    pub found: u64,
    /// How often it was replaced.
    pub replaced: u64,
    /// The first places where it was found.
    pub places: Vec<Place>,
}
