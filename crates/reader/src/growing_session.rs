//! A session that is read while it grows.
//!
//! A last line without a line feed counts if it is whole: if it is a JSON object. Anything else is still being written.

use format::{Line, Scratch};
use story::SourceId;

use crate::session_reader::SessionReader;
use crate::surroundings::Surroundings;
use sources::follow::{self, Change, Mark};
use sources::source::{Buffer, Input};

/// A session, with the position reached in each of its files.
#[derive(Debug)]
pub struct GrowingSession {
    reader: SessionReader,
    files: Vec<File>,
}

/// A file of the session.
#[derive(Debug, Clone)]
struct File {
    input: Input,
    mark: Mark,
    /// Whether its lines belong to the session; other files only show where it began.
    is_own: bool,
    /// A last line without a line feed that was read.
    last: Option<Vec<u8>>,
    /// Whether the end of the file was read.
    is_at_end: bool,
}

/// A file is no longer the one that was read: the session must be read again from the start.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a file of the session was replaced")]
pub struct Replaced;

impl GrowingSession {
    /// Continues a session that was read up to these marks, with its files in reading order.
    pub fn new(reader: SessionReader, files: impl IntoIterator<Item = (Input, Mark, bool)>) -> Self {
        let files =
            files.into_iter().map(|(input, mark, is_own)| File { input, mark, is_own, last: None, is_at_end: false });
        let files = files.collect();
        Self { reader, files }
    }

    /// Reads whole new lines. Returns whether there were any.
    pub fn read_on(&mut self, buffer: &mut Buffer) -> Result<bool, Replaced> {
        let mut is_news = false;
        for (number, file) in self.files.iter_mut().enumerate().filter(|(_, file)| file.is_own) {
            let id = SourceId::new(number).ok_or(Replaced)?;
            // The mark is after the last line with a line feed, even if nothing has changed since.
            let has_rest = !std::mem::replace(&mut file.is_at_end, true) && file.mark.has_rest();
            let look = if has_rest { follow::resume } else { follow::look_on };
            let Some(reading) = look(&file.input, &file.mark).map_err(|_| Replaced)? else {
                if has_rest {
                    return Err(Replaced);
                }
                continue;
            };
            if reading.change != Change::Grown {
                return Err(Replaced);
            }
            let (reader, last, mut is_other) = (&mut self.reader, &mut file.last, false);
            let mark = reading.read(buffer, |line| match last.take() {
                // It is read again with its line feed, or unchanged.
                Some(known) => {
                    is_other |= line.bytes.trim_ascii_end() != known;
                    *last = line.unfinished.then_some(known);
                }
                None if !line.unfinished || is_whole(line) => {
                    reader.take(id, *line, None);
                    is_news = true;
                    *last = line.unfinished.then(|| line.bytes.trim_ascii_end().to_vec());
                }
                None => {}
            });
            file.mark = mark.map_err(|_| Replaced)?;
            if is_other {
                return Err(Replaced);
            }
        }
        Ok(is_news)
    }

    /// Reads everything that is left, incomplete lines included. The session cannot grow after that.
    pub fn finish(mut self) -> Result<SessionReader, Replaced> {
        let mut buffer = Buffer::default();
        for (number, file) in self.files.iter_mut().enumerate().filter(|(_, file)| file.is_own) {
            let id = SourceId::new(number).ok_or(Replaced)?;
            let reading = follow::resume(&file.input, &file.mark).ok().flatten().ok_or(Replaced)?;
            let (reader, last, mut is_other) = (&mut self.reader, &mut file.last, false);
            let read = reading.read(&mut buffer, |line| match last.take() {
                Some(known) => is_other |= line.bytes.trim_ascii_end() != known,
                None => reader.take(id, *line, None),
            });
            if read.is_err() || is_other {
                return Err(Replaced);
            }
        }
        Ok(self.reader)
    }

    /// A copy that continues from here without the history before it; `None` while that would lose something.
    pub fn successor(&mut self) -> Option<Self> {
        Some(Self { reader: self.reader.successor()?, files: self.files.clone() })
    }

    /// Shows the session as lists do.
    #[must_use]
    pub fn surrounded_by(self, surroundings: Surroundings) -> Self {
        Self { reader: self.reader.surrounded_by(surroundings), ..self }
    }

    /// The session as read so far.
    pub fn reader(&mut self) -> &mut SessionReader {
        &mut self.reader
    }

    /// The session's files.
    pub fn inputs(&self) -> impl Iterator<Item = &Input> {
        self.files.iter().map(|file| &file.input)
    }
}

/// Whether a line without a line feed is whole.
fn is_whole(line: &Line<'_>) -> bool {
    let scratch = Scratch::default();
    let reading = format::read(line.bytes, &scratch);
    reading.malformed.is_none() && !reading.entries.is_empty()
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::io::Write as _;

    use sources::SessionFile;
    use story::Role;

    use super::*;

    const PROMPT: &str = r#"{"type":"user","uuid":"u1","message":{"content":"dig"}}"#;
    const REPLY: &str = r#"{"type":"assistant","uuid":"a1","parentUuid":"u1","message":{"id":"m1","content":[{"type":"text","text":"Done."}]}}"#;

    #[test]
    fn a_whole_last_line_without_a_line_feed_counts_once() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("s.jsonl");
        fs::write(&path, format!("{PROMPT}\n{REPLY}")).unwrap();
        let source = sources::find_at(std::slice::from_ref(&path)).sources.remove(0);
        let mut reader = SessionReader::default();
        let input = source.input.clone();
        let part = SessionFile { source, role: Role::Main, session: Box::default(), notes: None };
        reader.add(part);
        let mut growing = GrowingSession::new(reader, [(input, Mark::default(), true)]);
        let mut buffer = Buffer::default();
        let add = |text: &str| {
            fs::OpenOptions::new().append(true).open(&path).unwrap().write_all(text.as_bytes()).unwrap();
        };
        let steps = |growing: &mut GrowingSession| -> usize {
            growing.reader().parts().0.threads().map(|(_, thread)| thread.steps.len()).sum()
        };
        assert_eq!(growing.read_on(&mut buffer), Ok(true));
        assert_eq!(steps(&mut growing), 2);
        assert_eq!(growing.read_on(&mut buffer), Ok(false), "it is not read twice");
        add("\n");
        assert_eq!(growing.read_on(&mut buffer), Ok(false), "nor with its line feed");
        // A line that is still being written does not count.
        let next = REPLY.replace("a1", "a2").replace("m1", "m2");
        let (start, rest) = next.split_at(60);
        add(start);
        assert_eq!(growing.read_on(&mut buffer), Ok(false));
        assert_eq!(steps(&mut growing), 2);
        add(rest);
        assert_eq!(growing.read_on(&mut buffer), Ok(true));
        assert_eq!(steps(&mut growing), 3);
        assert_eq!(steps(&mut GrowingSession { reader: growing.finish().unwrap(), files: Vec::new() }), 3);
    }
}
