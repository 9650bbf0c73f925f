//! Detects copies of a session: backups, leftovers of a sync, a second root.

use std::cmp::Reverse;
use std::io::{self, Read};

use sources::source::Source;

/// The index of the longest file, if all others are copies of it or of an earlier state of it.
///
/// `None` if the files belong to different sessions, or diverge. Only files of one session are read.
pub(super) fn whole(sources: &[&Source]) -> Option<usize> {
    let ids: Vec<&str> = sources.iter().map(|source| id_of(source)).collect();
    let first = *ids.first()?;
    if first.is_empty() || ids.iter().any(|id| *id != first) {
        return None;
    }
    // The longest; of equally long copies, one with the plain name, then the last written.
    let rank = |source: &Source| {
        let is_plain = source.name() == Some(first);
        (source.size, is_plain, source.modified, Reverse(source.input.clone()))
    };
    let (at, whole) = sources.iter().enumerate().max_by_key(|(_, source)| rank(source))?;
    let is_copy = |(other, source): (usize, &&Source)| other == at || begins_with(whole, source).unwrap_or(false);
    sources.iter().enumerate().all(is_copy).then_some(at)
}

/// The id in a file's name: copies are named `<id> (1)`, `<id> - Copy`, `<id>.old`.
fn id_of(source: &Source) -> &str {
    let is_of_id = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
    source.name().and_then(|name| name.split(|c| !is_of_id(c)).next()).unwrap_or_default()
}

/// Whether a file starts with the whole content of another.
fn begins_with(file: &Source, other: &Source) -> io::Result<bool> {
    const CHUNK: usize = 64 << 10;
    let (mut file, mut other) = (file.input.open()?, other.input.open()?);
    let (mut ours, mut theirs) = (Vec::with_capacity(CHUNK), Vec::with_capacity(CHUNK));
    loop {
        theirs.clear();
        ours.clear();
        other.by_ref().take(CHUNK as u64).read_to_end(&mut theirs)?;
        if theirs.is_empty() {
            return Ok(true);
        }
        file.by_ref().take(theirs.len() as u64).read_to_end(&mut ours)?;
        if ours != theirs {
            return Ok(false);
        }
    }
}
