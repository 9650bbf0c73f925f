//! Records: the units of an archive's files, each with its own checksum.
//!
//! ```text
//! mark (4 bytes) · kind (1) · length (4) · checksum (16) · content
//! ```
//!
//! The checksum covers kind, length and content. After damage, the next record is found by its mark.

use memchr::memmem;

/// The start of every record. The first byte does not occur in text.
const MARK: [u8; 4] = [0x01, b'r', b'c', 1];

/// The number of bytes before the content.
pub(crate) const HEADER: usize = MARK.len() + 1 + 4 + SUM;

/// The length of a checksum: a prefix of a BLAKE3 hash.
pub(crate) const SUM: usize = 16;

/// The kind of a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RecordKind {
    /// Compressed bytes of files.
    Pack,
    /// Changes to files; it makes everything before it count.
    Commit,
}

impl RecordKind {
    const fn code(self) -> u8 {
        match self {
            Self::Pack => b'P',
            Self::Commit => b'C',
        }
    }

    const fn of(code: u8) -> Option<Self> {
        match code {
            b'P' => Some(Self::Pack),
            b'C' => Some(Self::Commit),
            _ => None,
        }
    }
}

/// Appends a record. `None` if the content exceeds 4 GB, which never happens here.
pub(crate) fn append(kind: RecordKind, content: &[u8], to: &mut Vec<u8>) -> Option<()> {
    let length = u32::try_from(content.len()).ok()?.to_le_bytes();
    to.extend(MARK);
    to.push(kind.code());
    to.extend(length);
    to.extend(sum(kind.code(), length, content));
    to.extend(content);
    Some(())
}

fn sum(kind: u8, length: [u8; 4], content: &[u8]) -> [u8; SUM] {
    let mut hasher = blake3::Hasher::new();
    hasher.update(&[kind]).update(&length).update(content);
    first(&hasher.finalize())
}

/// A prefix of a hash.
pub(crate) fn first(hash: &blake3::Hash) -> [u8; SUM] {
    hash.as_bytes().first_chunk().copied().unwrap_or_default()
}

/// The record at the start of `bytes`: its kind and content. `None` if it is missing or incomplete.
pub(crate) fn read(bytes: &[u8]) -> Option<(RecordKind, &[u8])> {
    let rest = bytes.strip_prefix(&MARK)?;
    let (&kind, rest) = rest.split_first()?;
    let (length, rest) = rest.split_first_chunk::<4>()?;
    let (stated, rest) = rest.split_first_chunk::<SUM>()?;
    let content = rest.get(..usize::try_from(u32::from_le_bytes(*length)).ok()?)?;
    let known = RecordKind::of(kind)?;
    (sum(kind, *length, content) == *stated).then_some((known, content))
}

/// Whether `bytes` begin with a record of a later version of the program.
pub(crate) fn is_of_later_version(bytes: &[u8]) -> bool {
    let (name, version) = MARK.split_at(3);
    bytes.get(..MARK.len()).is_some_and(|mark| mark.starts_with(name) && !mark.ends_with(version))
}

/// An element of a file of records.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum RecordItem<'a> {
    /// An intact record.
    Record {
        /// Where it begins.
        offset: u64,
        kind: RecordKind,
        content: &'a [u8],
    },
    /// Bytes that are not a record, up to the next one or to the end.
    Damage {
        /// Where they begin.
        offset: u64,
        length: u64,
        /// Whether nothing follows them.
        at_end: bool,
    },
}

/// All records in `bytes`, and what lies between them.
pub(crate) fn scan(bytes: &[u8]) -> Vec<RecordItem<'_>> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(rest) = bytes.get(at..).filter(|rest| !rest.is_empty()) {
        let offset = at as u64;
        if let Some((kind, content)) = read(rest) {
            found.push(RecordItem::Record { offset, kind, content });
            at += HEADER + content.len();
        } else {
            let whole = |next: &usize| rest.get(*next..).and_then(read).is_some();
            let next = memmem::find_iter(rest, &MARK).filter(|next| *next > 0).find(whole);
            let length = next.unwrap_or(rest.len());
            found.push(RecordItem::Damage { offset, length: length as u64, at_end: next.is_none() });
            at += length;
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn two() -> Vec<u8> {
        let mut bytes = Vec::new();
        append(RecordKind::Pack, b"first", &mut bytes).unwrap();
        append(RecordKind::Commit, b"second", &mut bytes).unwrap();
        bytes
    }

    #[test]
    fn records_round_trip() {
        let bytes = two();
        let second = (HEADER + 5) as u64;
        assert_eq!(
            scan(&bytes),
            [
                RecordItem::Record { offset: 0, kind: RecordKind::Pack, content: b"first" },
                RecordItem::Record { offset: second, kind: RecordKind::Commit, content: b"second" },
            ]
        );
    }

    #[test]
    fn a_flipped_bit_damages_only_one_record() {
        let bytes = two();
        let second = HEADER + 5;
        for at in 0..bytes.len() {
            let mut damaged = bytes.clone();
            damaged[at] ^= 4;
            let whole = scan(&damaged).iter().filter(|found| matches!(found, RecordItem::Record { .. })).count();
            assert_eq!(whole, 1, "byte {at}");
            let (offset, at_end) = if at < second { (0, false) } else { (second as u64, true) };
            let is_it = |found: &RecordItem<'_>| matches!(found, RecordItem::Damage { offset: o, at_end: e, .. } if *o == offset && *e == at_end);
            assert!(scan(&damaged).iter().any(is_it), "byte {at}");
        }
    }

    #[test]
    fn a_torn_end_is_damage_at_the_end() {
        let bytes = two();
        for length in HEADER + 6..bytes.len() {
            let found = scan(&bytes[..length]);
            assert!(
                matches!(found[..], [RecordItem::Record { .. }, RecordItem::Damage { at_end: true, .. }]),
                "{length}"
            );
        }
        assert_eq!(scan(&[]), []);
    }
}
