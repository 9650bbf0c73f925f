//! What was added to a file, counted.

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
    /// How many bytes may be read in all, and still.
    budget: u64,
    left: u64,
    /// Messages before this moment are of no interest.
    since: i64,
    usage: memmem::Finder<'static>,
    buffer: Buffer,
    scratch: Scratch,
}

/// So many bytes tell whether a file still has what was read of it: enough for a time or an id of the last line.
const BEFORE: usize = 1024;

/// In files larger than this the old part is passed over unread.
const LARGE: u64 = 1 << 20;

/// How much is read to see how old a part is.
const PROBE: usize = 64 << 10;

impl<'l> Tail<'l> {
    pub(super) fn new(ledger: &'l mut Ledger, budget: u64, since: i64) -> Self {
        // In a text, the quotes would be escaped.
        let usage = memmem::Finder::new("\"usage\"");
        let (buffer, scratch) = (Buffer::default(), Scratch::default());
        Self { ledger, budget, left: budget, since, usage, buffer, scratch }
    }

    /// Reads what is new in a file, as far as the budget goes.
    pub(super) fn read(&mut self, path: &Path, known: &mut Known) {
        if self.left > 0 && self.try_read(path, known).is_err() {
            // Trying again would help nobody; when it is written to, it is looked at again.
            known.end = known.size;
        }
    }

    /// How many bytes were read.
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

/// Whether a file still has the bytes that were read last.
fn has_before(file: &mut File, known: &Known) -> io::Result<bool> {
    let (length, expected) = known.before;
    let mut bytes = [0; BEFORE];
    let Some(bytes) = bytes.get_mut(..usize::from(length)).filter(|bytes| !bytes.is_empty()) else { return Ok(true) };
    file.seek(SeekFrom::Start(known.offset.saturating_sub(u64::from(length))))?;
    file.read_exact(bytes)?;
    Ok(hash(&*bytes) == expected)
}

/// Where to begin so that all messages since a moment are behind: lines stand in the order of time.
fn start_of_recent(file: &mut File, size: u64, since: i64) -> io::Result<u64> {
    let (mut old, mut recent) = (0, size);
    let mut probe = Vec::with_capacity(PROBE);
    while recent - old > LARGE / 4 {
        let middle = old + (recent - old) / 2;
        file.seek(SeekFrom::Start(middle))?;
        probe.clear();
        file.by_ref().take(PROBE as u64).read_to_end(&mut probe)?;
        // A part that says nothing is as good as recent: then more is read than must be.
        if first_time(&probe).is_some_and(|at| at < since) { old = middle } else { recent = middle }
    }
    Ok(old)
}

/// The first time that is said after the first end of a line.
fn first_time(bytes: &[u8]) -> Option<i64> {
    const KEY: &[u8] = b"\"timestamp\":\"";
    let lines = bytes.get(memchr(b'\n', bytes)?..)?;
    let value = lines.get(memmem::find(lines, KEY)? + KEY.len()..)?;
    let text = std::str::from_utf8(value.get(..memchr(b'"', value)?)?).ok()?;
    text.parse::<jiff::Timestamp>().ok().map(jiff::Timestamp::as_millisecond)
}

/// Counts a line. Without a time it is of no day, and what sessions state about their cost is of many.
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

/// Whose line it is: by the file, or by what the line says.
fn feed(ledger: &mut Ledger, owner: &mut Owner, said: Option<SessionId<'_>>) -> Feed {
    let session = owner.session.get_or_insert_with(|| said.map(|id| id.as_str().to_owned()).unwrap_or_default());
    ledger.feed(session, owner.agent.as_deref())
}
