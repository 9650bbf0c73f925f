//! Counts the lines added to a file.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;

use format::id::SessionId;
use format::{Body, Scratch, Time};
use ledger::{Feed, Ledger, Taken};
use memchr::{memchr, memmem};

use super::hash;
use super::state::Known;
use crate::account::Owner;
use sources::source::{Buffer, Lines};

/// Reads new lines into a ledger.
pub(super) struct Tail<'l> {
    ledger: &'l mut Ledger,
    /// How many bytes may be read in total, and how many are left.
    budget: u64,
    left: u64,
    /// Messages before this time are ignored.
    since: i64,
    usage: memmem::Finder<'static>,
    buffer: Buffer,
    scratch: Scratch,
}

/// The number of bytes that identify the part already read: enough for a timestamp or an id of the last line.
const BEFORE: usize = 1024;

/// In files larger than this, the old part is skipped unread.
const LARGE: u64 = 1 << 20;

/// The number of bytes that are read to find the age of a part.
const PROBE: usize = 64 << 10;

impl<'l> Tail<'l> {
    pub(super) fn new(ledger: &'l mut Ledger, budget: u64, since: i64) -> Self {
        // Inside a JSON string, the quotes would be escaped.
        let usage = memmem::Finder::new("\"usage\"");
        let (buffer, scratch) = (Buffer::default(), Scratch::default());
        Self { ledger, budget, left: budget, since, usage, buffer, scratch }
    }

    /// Reads the new lines of a file, within the budget.
    pub(super) fn read(&mut self, path: &Path, known: &mut Known) {
        if self.left > 0 && self.try_read(path, known).is_err() {
            // Trying again would not help; the next write triggers another check.
            known.end = known.size;
        }
    }

    /// The number of bytes read.
    pub(super) fn bytes(&self) -> u64 {
        self.budget - self.left
    }

    fn try_read(&mut self, path: &Path, known: &mut Known) -> io::Result<()> {
        let mut file = File::open(path)?;
        if !has_before(&mut file, known)? {
            known.start_anew();
        }
        if known.offset == 0 && known.size > LARGE {
            known.offset = start_of_recent(&mut file, known.size, self.since)?;
            known.is_inside = known.offset > 0;
        }
        file.seek(SeekFrom::Start(known.offset))?;
        let (start, window) = (known.offset, self.left);
        let mut owner = Owner::of_file(path);
        let mut read = 0;
        let mut lines = Lines::new(file.take(window), &mut self.buffer);
        while let Some(line) = lines.next_line()? {
            let length = line.bytes.len() as u64;
            read += length;
            if !line.unfinished {
                if !std::mem::take(&mut known.is_inside) && self.usage.find(line.bytes).is_some() {
                    self.scratch.reset();
                    count(self.ledger, &mut owner, line.bytes, &self.scratch, self.since);
                }
                known.offset += length;
                let before = line.bytes.last_chunk::<BEFORE>().map_or(line.bytes, |bytes| bytes);
                known.before = (u16::try_from(before.len()).unwrap_or_default(), hash(before));
            } else if known.is_inside || length >= window && window >= self.budget / 2 {
                // No message is that long.
                known.offset += length;
                known.is_inside = true;
                known.before = (0, 0);
            }
        }
        self.left = self.left.saturating_sub(read);
        known.end = if read < window { start + read } else { known.offset };
        Ok(())
    }
}

/// Whether a file still contains the bytes that were read last.
fn has_before(file: &mut File, known: &Known) -> io::Result<bool> {
    let (length, expected) = known.before;
    let mut bytes = [0; BEFORE];
    let Some(bytes) = bytes.get_mut(..usize::from(length)).filter(|bytes| !bytes.is_empty()) else { return Ok(true) };
    file.seek(SeekFrom::Start(known.offset.saturating_sub(u64::from(length))))?;
    file.read_exact(bytes)?;
    Ok(hash(&*bytes) == expected)
}

/// A position before all messages since a given time: lines are in chronological order.
fn start_of_recent(file: &mut File, size: u64, since: i64) -> io::Result<u64> {
    let (mut old, mut recent) = (0, size);
    let mut probe = Vec::with_capacity(PROBE);
    while recent - old > LARGE / 4 {
        let middle = old + (recent - old) / 2;
        file.seek(SeekFrom::Start(middle))?;
        probe.clear();
        file.by_ref().take(PROBE as u64).read_to_end(&mut probe)?;
        // A part without a timestamp is treated as recent: that reads too much, never too little.
        if first_time(&probe).is_some_and(|at| at < since) { old = middle } else { recent = middle }
    }
    Ok(old)
}

/// The first timestamp after the first newline.
fn first_time(bytes: &[u8]) -> Option<i64> {
    const KEY: &[u8] = b"\"timestamp\":\"";
    let lines = bytes.get(memchr(b'\n', bytes)?..)?;
    let value = lines.get(memmem::find(lines, KEY)? + KEY.len()..)?;
    let text = std::str::from_utf8(value.get(..memchr(b'"', value)?)?).ok()?;
    text.parse::<jiff::Timestamp>().ok().map(jiff::Timestamp::as_millisecond)
}

/// Counts a line. Skips lines without a timestamp, which belong to no day, and stated totals, which span several.
fn count(ledger: &mut Ledger, owner: &mut Owner, line: &[u8], scratch: &Scratch, since: i64) {
    let is_recent = |at: Option<Time<'_>>| at.and_then(Time::milliseconds).is_some_and(|at| at >= since);
    if let Some(header) = format::read_usage_header(line, scratch) {
        if !is_recent(header.timestamp) {
            return;
        }
        let mut feed = feed(ledger, owner, header.session_id);
        match ledger.push_header(&mut feed, &header) {
            Taken::Whole(_) | Taken::ReadFile => return,
            Taken::ReadLine => {}
        }
    }
    for entry in &format::read(line, scratch).entries {
        if is_recent(entry.envelope.timestamp) && !matches!(entry.body, Body::CostState(_) | Body::Result(_)) {
            let mut feed = feed(ledger, owner, entry.envelope.session_id);
            ledger.push(&mut feed, entry);
        }
    }
}

/// The owner of a line, according to the file or else to the line.
fn feed(ledger: &mut Ledger, owner: &mut Owner, said: Option<SessionId<'_>>) -> Feed {
    let session = owner.session.get_or_insert_with(|| said.map(|id| id.as_str().to_owned()).unwrap_or_default());
    ledger.feed(session, owner.agent.as_deref())
}
