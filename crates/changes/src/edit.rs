//! The change of a call, line by line: its patch, made exact from its other fields.
//!
//! Patches in transcripts are meant for display: they have spaces where the file has tabs, and newlines where the file
//! may have carriage returns as well. The replaced texts are exact, but have no position.

use format::tool::Hunk as PatchHunk;

use super::reveal::revealed;
use super::seen::{Seen, all_fit, lines, text_of, without_return};
use super::sketch::{Op, Sketch};

/// No editable file is larger.
const LARGEST: usize = 64 << 20;

/// A text that replaces another.
#[derive(Debug, Clone, Copy)]
pub(super) struct Replacement<'t> {
    pub(super) old: &'t str,
    pub(super) new: &'t str,
    pub(super) everywhere: bool,
}

/// A part of a patch.
#[derive(Debug)]
pub(super) struct PatchPart {
    /// The number of lines before it in the file.
    pub(super) at: usize,
    pub(super) ops: Vec<Op>,
}

/// A patch from a transcript; `None` if it is invalid.
pub(super) fn parts(hunks: &[PatchHunk<'_>]) -> Option<Vec<PatchPart>> {
    let mut end = 0;
    let mut parts = Vec::with_capacity(hunks.len());
    for hunk in hunks {
        let at = usize::try_from(hunk.old_start?).ok()?.saturating_sub(1);
        if at < end {
            return None;
        }
        let mut ops: Vec<Op> = Vec::with_capacity(hunk.lines.len());
        for line in &hunk.lines {
            let seen = Seen::of_patch(line.get(1..).unwrap_or_default());
            match line.as_bytes() {
                text if text.contains(&b'\n') => return None,
                [b' ', ..] | [] => ops.push(Op::Keep(seen)),
                [b'-', ..] => ops.push(Op::Remove(seen)),
                [b'+', ..] => ops.push(Op::Add(seen)),
                [b'\\', ..] => match ops.last_mut()? {
                    Op::Keep(line) | Op::Remove(line) | Op::Add(line) => line.ended = false,
                },
                _ => return None,
            }
        }
        end = at.checked_add(ops.iter().filter(|op| op.before().is_some()).count())?;
        parts.push(PatchPart { at, ops });
    }
    Some(parts)
}

/// Applies a change of which only the patch is known; `false`, without any effect, if it does not fit.
pub(super) fn make(sketch: &mut Sketch, parts: &[PatchPart], replacements: &[Replacement<'_>]) -> bool {
    if !parts.iter().all(|part| sketch.may_change(part.at, &part.ops)) {
        return false;
    }
    let revealed = revealed(parts, replacements);
    // From the end, so that line numbers stay valid.
    for (part, ops) in parts.iter().zip(revealed).rev() {
        let ops = exact(sketch, part.at, ops, replacements);
        sketch.make(part.at, ops);
    }
    true
}

/// The file after a change, if all of it was known.
pub(super) fn after(before: &str, parts: &[PatchPart], replacements: &[Replacement<'_>]) -> Option<Vec<Seen>> {
    let old = lines(before);
    let patched = (!parts.is_empty()).then(|| patched(&old, parts, replacements)).flatten();
    for eats_newline in [false, true] {
        let Some(text) = replaced(before, replacements, eats_newline) else { continue };
        let new = lines(&text);
        if patched.as_ref().is_none_or(|patched| all_fit(patched, &new)) {
            return Some(new);
        }
    }
    patched
}

/// The file before it was written, from its current content and the patch.
pub(super) fn before(after: &[Seen], parts: &[PatchPart]) -> Option<Vec<Seen>> {
    let (mut old, mut rest) = (Vec::new(), after.iter());
    for part in parts {
        old.extend(rest.by_ref().take(part.at.checked_sub(old.len())?).cloned());
        if old.len() != part.at {
            return None;
        }
        for op in &part.ops {
            let known = match op.after() {
                Some(line) => Some(rest.next().filter(|known| known.fits(line))?),
                None => None,
            };
            match (op, known) {
                (Op::Keep(_), Some(known)) => old.push(known.clone()),
                (Op::Remove(line), _) => old.push(line.clone()),
                (Op::Keep(_) | Op::Add(_), _) => {}
            }
        }
    }
    old.extend(rest.cloned());
    Some(old)
}

/// A part of a patch with its lines as in the file, as far as known.
fn exact(sketch: &Sketch, at: usize, ops: Vec<Op>, replacements: &[Replacement<'_>]) -> Vec<Op> {
    let count = ops.iter().filter(|op| op.before().is_some()).count();
    let present = sketch.present(at, count);
    let has_returns = present.iter().flatten().any(|line| line.text.ends_with('\r'));
    let mut present = present.into_iter();
    let mut known = |line: Seen| present.next().flatten().filter(|known| !known.loose).cloned().unwrap_or(line);
    let mut ops: Vec<Op> = ops
        .into_iter()
        .map(|op| match op {
            Op::Keep(line) => Op::Keep(known(line)),
            Op::Remove(line) => Op::Remove(known(line)),
            Op::Add(line) => Op::Add(line),
        })
        .collect();
    if ops.iter().any(|op| matches!(op, Op::Add(line) if line.loose))
        && let Some(new) = replaced_part(&ops, replacements)
    {
        let is_sure = ops.iter().filter_map(Op::before).all(|line| !line.loose);
        let mut new = new.into_iter();
        for op in &mut ops {
            match op {
                Op::Keep(_) => drop(new.next()),
                Op::Add(line) => {
                    if let Some(found) = new.next() {
                        let is_other = found.text != line.text;
                        *line = Seen { loose: line.loose && !is_sure && !is_other, ended: line.ended, ..found };
                    }
                }
                Op::Remove(_) => {}
            }
        }
    }
    if has_returns {
        for op in &mut ops {
            if let Op::Add(line) = op
                && line.ended
                && !line.text.ends_with('\r')
            {
                line.text = format!("{}\r", line.text).into();
            }
        }
    }
    ops
}

/// The new lines of a part, by replacing text in its old ones; `None` if the patch does not match.
fn replaced_part(ops: &[Op], replacements: &[Replacement<'_>]) -> Option<Vec<Seen>> {
    let old = text_of(ops.iter().filter_map(Op::before));
    let new: Vec<Seen> = ops.iter().filter_map(Op::after).cloned().collect();
    [false, true].into_iter().find_map(|eats_newline| {
        let found = lines(&replaced(&old, replacements, eats_newline)?);
        all_fit(&found, &new).then_some(found)
    })
}

/// A text with replacements applied in order. Removing whole lines sometimes includes their newline.
fn replaced(text: &str, replacements: &[Replacement<'_>], eats_newline: bool) -> Option<String> {
    let mut text = text.to_owned();
    for Replacement { old, new, everywhere } in replacements {
        let with_newline = format!("{old}\n");
        let old = if eats_newline && new.is_empty() && text.contains(&with_newline) { &with_newline } else { *old };
        if old.is_empty() || !text.contains(old) {
            return None;
        }
        let times = if *everywhere { text.matches(old).count() } else { 1 };
        if new.len().saturating_mul(times) > LARGEST {
            return None;
        }
        text = text.replacen(old, new, times);
    }
    (!replacements.is_empty()).then_some(text)
}

/// A whole file with a patch applied.
fn patched(old: &[Seen], parts: &[PatchPart], replacements: &[Replacement<'_>]) -> Option<Vec<Seen>> {
    let mut sketch = Sketch::default();
    sketch.learn(0, old, true);
    make(&mut sketch, parts, replacements)
        .then(|| sketch.runs().into_iter().flat_map(|(_, run)| run).cloned().collect())
}

/// Applies a change of which only the texts are known, where they occur; `false`, without any effect, if they do not.
pub(super) fn place(sketch: &mut Sketch, replacements: &[Replacement<'_>]) -> bool {
    let has_gap = sketch.has_gap();
    // A gap may contain another occurrence of a text that is replaced everywhere.
    if has_gap && (replacements.len() != 1 || replacements.iter().any(|replacement| replacement.everywhere)) {
        return false;
    }
    for (at, run) in sketch.runs() {
        let old: Vec<Seen> = run.into_iter().cloned().collect();
        let Some(text) = replaced(&text_of(&old), replacements, false) else { continue };
        let ops = between(&old, lines(&text));
        sketch.make(at, ops);
        return true;
    }
    false
}

/// The same, with the numbered lines around the change as they are after it.
pub(super) fn place_by_snippet(
    sketch: &mut Sketch,
    (at, snippet): (usize, &str),
    replacements: &[Replacement<'_>],
) -> bool {
    let [Replacement { old, new, everywhere: false }] = *replacements else { return false };
    if new.is_empty() || snippet.matches(new).count() != 1 {
        return false;
    }
    let before = lines(&snippet.replacen(new, old, 1));
    let ops = between(&before, lines(snippet));
    let fits = sketch.may_change(at, &ops);
    if fits {
        sketch.make(at, ops);
    }
    fits
}

/// Replaces all lines between the common start and the common end.
fn between(old: &[Seen], new: Vec<Seen>) -> Vec<Op> {
    let is_same =
        |(old, new): &(&Seen, &Seen)| without_return(&old.text) == without_return(&new.text) && old.ended == new.ended;
    let first = old.iter().zip(&new).take_while(is_same).count();
    let most = old.len().min(new.len()) - first;
    let last = old.iter().rev().zip(new.iter().rev()).take(most).take_while(is_same).count();
    let has_returns = old.iter().any(|line| line.text.ends_with('\r'));
    let (old_end, new_end) = (old.len() - last, new.len() - last);
    let added = new.into_iter().take(new_end).skip(first).map(|mut line| {
        if has_returns && line.ended && !line.text.ends_with('\r') {
            line.text = format!("{}\r", line.text).into();
        }
        Op::Add(line)
    });
    let mut ops: Vec<Op> = old.iter().take(first).cloned().map(Op::Keep).collect();
    ops.extend(old.iter().take(old_end).skip(first).cloned().map(Op::Remove));
    ops.extend(added);
    ops.extend(old.iter().skip(old_end).cloned().map(Op::Keep));
    ops
}
