//! Decides whether the lines that only patches show begin with tabs or with spaces.
//!
//! Patches have two spaces for each leading tab. Where every exactly known line of the file is indented in one way, so
//! are these. Where both occur, a line is indented like its nearest exactly known neighbour, and that is a guess.

use rustc_hash::{FxHashMap, FxHashSet};

use super::seen::{Seen, TAB};
use super::sketch::Region;

/// How the exactly known lines of a file are indented.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Indents {
    tabs: bool,
    spaces: bool,
}

impl Indents {
    /// Adds a line.
    pub(super) fn add(&mut self, line: &str) {
        self.tabs |= line.starts_with('\t');
        self.spaces |= line.starts_with(TAB);
    }

    /// Adds the start of a text, which may be in the middle of a line: a tab there is indentation, spaces need not be.
    pub(super) fn add_start(&mut self, text: &str) {
        self.tabs |= text.starts_with('\t');
    }
}

/// Resolves all lines; returns those that are a guess, as resolved.
pub(super) fn resolve(regions: &mut [Region], mut known: Indents) -> FxHashSet<Box<str>> {
    let all = || regions.iter().flat_map(|region| region.old.iter().chain(&region.new));
    all().filter(|line| !line.loose).for_each(|line| known.add(&line.text));
    let mut guessed = FxHashSet::default();
    if !known.tabs || !all().any(|line| line.loose) {
        return guessed;
    }
    // The same line must become the same on both sides, or it would be a change.
    let mut decided: FxHashMap<Box<str>, bool> = FxHashMap::default();
    for lines in regions.iter_mut().flat_map(|region| [&mut region.old, &mut region.new]) {
        let nearest = if known.spaces { nearest(lines) } else { Vec::new() };
        for (at, line) in lines.iter_mut().enumerate().filter(|(_, line)| line.loose) {
            let is_tabs = nearest.get(at).copied().flatten().unwrap_or(true);
            let is_tabs = *decided.entry(line.text.clone()).or_insert(is_tabs);
            *line = if is_tabs { line.clone().with_tabs() } else { Seen { loose: false, ..line.clone() } };
            if known.spaces {
                guessed.insert(line.text.clone());
            }
        }
    }
    guessed
}

/// For each line, whether the nearest exactly known and indented one begins with a tab.
fn nearest(lines: &[Seen]) -> Vec<Option<bool>> {
    let indent = |line: &Seen| {
        let has_tabs = line.text.starts_with('\t');
        (!line.loose && (has_tabs || line.text.starts_with(TAB))).then_some(has_tabs)
    };
    let mut found: Vec<Option<(usize, bool)>> = vec![None; lines.len()];
    let mut pass = |order: &mut dyn Iterator<Item = usize>| {
        let mut last: Option<(usize, bool)> = None;
        for at in order {
            if let Some(has_tabs) = lines.get(at).and_then(indent) {
                last = Some((at, has_tabs));
            }
            let (Some((from, has_tabs)), Some(found)) = (last, found.get_mut(at)) else { continue };
            let distance = from.abs_diff(at);
            if found.is_none_or(|(known, _)| distance < known) {
                *found = Some((distance, has_tabs));
            }
        }
    };
    pass(&mut (0..lines.len()));
    pass(&mut (0..lines.len()).rev());
    found.into_iter().map(|found| found.map(|(_, has_tabs)| has_tabs)).collect()
}
