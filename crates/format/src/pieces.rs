//! The pieces of a line: where its entries and their blocks lie, so that each can be read again without the others.
//!
//! Nearly every line is one entry with one block. A line that holds thousands would otherwise be parsed as a whole for
//! each of them.

use std::ops::Range;

use serde::{Deserialize, Serialize};

use crate::block::{Block, Content};
use crate::json::{Broken, Cursor, Scratch, origins, repair};
use crate::read::{Reading, Scope, plain_text};
use crate::{Body, Entry};

/// Where an entry lies within its line.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct EntryPiece {
    /// Its bytes in the line.
    pub bytes: Range<u32>,
    /// The bytes of its blocks in the line; empty if it has few.
    pub blocks: Box<[Range<u32>]>,
    /// What a block must know about its entry.
    pub role: PieceRole,
}

/// What a block must know about the entry around it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PieceRole {
    /// Whether the model wrote the entry.
    pub is_assistant: bool,
    /// Whether the entry is hidden from the user.
    pub is_hidden: bool,
    /// Whether the entry is a summary of the conversation.
    pub is_summary: bool,
    /// Whether the block is the only call of the entry: then the entry's notes about a call are about this one.
    pub is_only_call: bool,
    /// Whether the block is the only result of the entry: then the entry's `toolUseResult` belongs to it.
    pub is_only_result: bool,
}

/// An entry with at most this many blocks is read as a whole for each of them.
pub const FEW_BLOCKS: usize = 8;

/// The pieces of a line, one for each of its entries. `None` for a line whose pieces are read with it, because they are
/// few, and for one where they cannot be located: see [`is_crowded`].
///
/// ```
/// let line = br#"[{"type":"mode","mode":"plan"},{"type":"tag","tag":"beds"}]"#;
/// let scratch = format::Scratch::default();
/// let pieces = format::pieces(line, &format::read(line, &scratch)).unwrap();
/// let bytes = pieces[1].bytes.start as usize..pieces[1].bytes.end as usize;
/// let entry = format::read_piece(&line[bytes], &scratch, format::Scope::default()).unwrap();
/// assert_eq!(entry.body.kind(), "tag");
/// ```
pub fn pieces(line: &[u8], reading: &Reading<'_>) -> Option<Vec<EntryPiece>> {
    if !is_crowded(reading) {
        return None;
    }
    let start = reading.text.as_ptr().addr();
    let within = |piece: &str| {
        let from = piece.as_ptr().addr().checked_sub(start)?;
        let to = from.checked_add(piece.len()).filter(|to| *to <= reading.text.len())?;
        Some(u32::try_from(from).ok()?..u32::try_from(to).ok()?)
    };
    let texts = if reading.pieces.is_empty() { std::slice::from_ref(&reading.text) } else { &reading.pieces[..] };
    if texts.len() != reading.entries.len() {
        return None;
    }
    let scratch = Scratch::default();
    let mut places = Vec::with_capacity(texts.len());
    for (text, entry) in texts.iter().zip(&reading.entries) {
        let blocks = if has_many_blocks(entry) { blocks_of(text, entry, &scratch)? } else { Vec::new() };
        let blocks = blocks.into_iter().map(within).collect::<Option<_>>()?;
        places.push(EntryPiece { bytes: within(text)?, blocks, role: role_of(entry) });
    }
    if reading.repairs.any() { as_in_line(line, reading, places) } else { Some(places) }
}

/// Whether a line has so many entries or blocks that each has to be read on its own.
pub fn is_crowded(reading: &Reading<'_>) -> bool {
    reading.entries.len() > 1 || reading.entries.iter().any(has_many_blocks)
}

fn has_many_blocks(entry: &Entry<'_>) -> bool {
    content(entry).is_some_and(|content| content.blocks().len() > FEW_BLOCKS)
}

fn content<'i, 'a>(entry: &'i Entry<'a>) -> Option<&'i Content<'a>> {
    entry.inner().body.message()?.content.as_ref()
}

fn role_of(entry: &Entry<'_>) -> PieceRole {
    let entry = entry.inner();
    let blocks = content(entry).map_or(&[][..], Content::blocks);
    let is_only = |is: fn(&Block<'_>) -> bool| blocks.iter().filter(|block| is(block)).count() == 1;
    let (is_synthetic, is_summary) = match &entry.body {
        Body::User(user) => (user.is_synthetic == Some(true), user.is_compact_summary == Some(true)),
        _ => (false, false),
    };
    PieceRole {
        is_assistant: matches!(entry.body, Body::Assistant(_)),
        is_hidden: entry.envelope.is_meta == Some(true) || is_synthetic,
        is_summary,
        is_only_call: is_only(|block| block.call().is_some()),
        is_only_result: is_only(|block| block.as_result().is_some()),
    }
}

/// The texts of the blocks of an entry. `None` if they are not where they usually are, as in a message that was spread
/// into characters.
fn blocks_of<'t>(text: &'t str, entry: &Entry<'_>, scratch: &'t Scratch) -> Option<Vec<&'t str>> {
    /// The keys that lead to the blocks, in an entry and in a progress entry that carries one.
    const PATHS: [&[&str]; 2] = [&["message", "content"], &["data", "message", "message", "content"]];
    let path = if matches!(entry.body, Body::Progress(_)) { PATHS[1] } else { PATHS[0] };
    let mut list = text;
    for key in path {
        list = value_of(list, key, scratch)?;
    }
    let mut blocks = Vec::new();
    let mut cursor = Cursor::new(list);
    cursor
        .list(|cursor| -> Result<(), Broken> {
            let block = cursor.raw()?;
            // Other values are no blocks.
            blocks.extend(Some(block).filter(|block| block.starts_with(['{', '"'])));
            Ok(())
        })
        .ok()?;
    let known = content(entry).map_or(0, |content| content.blocks().len());
    (blocks.len() == known).then_some(blocks)
}

/// The value of a key in an object; of several, the last.
fn value_of<'t>(object: &'t str, key: &str, scratch: &'t Scratch) -> Option<&'t str> {
    let mut value = None;
    let mut cursor = Cursor::new(object);
    let read = cursor.object(scratch, |cursor, name| {
        if name == key {
            value = Some(cursor.raw()?);
            return Ok(());
        }
        cursor.skip()
    });
    read.ok().and(value)
}

/// Moves the pieces of a repaired text to where they lie in the line.
fn as_in_line(line: &[u8], reading: &Reading<'_>, mut places: Vec<EntryPiece>) -> Option<Vec<EntryPiece>> {
    let ranges = places.iter().flat_map(|place| std::iter::once(&place.bytes).chain(&place.blocks));
    let mut offsets: Vec<u32> = ranges.flat_map(|range| [range.start, range.end]).collect();
    offsets.sort_unstable();
    offsets.dedup();
    let moved = origins(line, reading.repairs, &offsets)?;
    let to = |offset: u32| Some(*moved.get(offsets.binary_search(&offset).ok()?)?);
    for place in &mut places {
        for range in std::iter::once(&mut place.bytes).chain(&mut place.blocks) {
            *range = to(range.start)?..to(range.end)?;
        }
    }
    Some(places)
}

/// Reads the bytes of one entry of a line, as [`EntryPiece::bytes`] says where they are.
pub fn read_piece<'a>(json: &'a [u8], scratch: &'a Scratch, scope: impl Into<Scope<'a>>) -> Option<Entry<'a>> {
    Some(Entry::of_value(text_of(json, scratch)?, scratch, scope.into()))
}

/// Reads the bytes of one block of an entry: the entry that would have no other block.
pub fn read_block<'a>(
    json: &'a [u8],
    role: PieceRole,
    scratch: &'a Scratch,
    scope: impl Into<Scope<'a>>,
) -> Option<Entry<'a>> {
    let PieceRole { is_assistant, is_hidden, is_summary, is_only_call: _, is_only_result: _ } = role;
    let kind = if is_assistant { "assistant" } else { "user" };
    let flag = |is: bool, key: &'static str| if is { key } else { "" };
    let (hidden, summary) = (flag(is_hidden, r#""isMeta":true,"#), flag(is_summary, r#""isCompactSummary":true,"#));
    let block = text_of(json, scratch)?;
    let entry = format!(r#"{{"type":"{kind}",{hidden}{summary}"message":{{"content":[{block}]}}}}"#);
    Some(Entry::of_value(scratch.keep(&entry), scratch, scope.into()))
}

fn text_of<'a>(json: &'a [u8], scratch: &'a Scratch) -> Option<&'a str> {
    plain_text(json).or_else(|| repair(json).map(|(text, _)| scratch.keep(&text)))
}
