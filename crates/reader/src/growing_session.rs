//! A session that is read while it grows.

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
}

/// A file is no longer the one that was read: the session must be read again from the start.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a file of the session was replaced")]
pub struct Replaced;

impl GrowingSession {
    /// Continues a session that was read up to these marks, with its files in reading order.
    pub fn new(reader: SessionReader, files: impl IntoIterator<Item = (Input, Mark, bool)>) -> Self {
        let files = files.into_iter().map(|(input, mark, is_own)| File { input, mark, is_own }).collect();
        Self { reader, files }
    }

    /// Reads complete new lines. Returns whether there were any.
    pub fn read_on(&mut self, buffer: &mut Buffer) -> Result<bool, Replaced> {
        let mut is_news = false;
        for (number, file) in self.files.iter_mut().enumerate().filter(|(_, file)| file.is_own) {
            let id = SourceId::new(number).ok_or(Replaced)?;
            let Some(reading) = follow::look_on(&file.input, &file.mark).map_err(|_| Replaced)? else { continue };
            if reading.change != Change::Grown {
                return Err(Replaced);
            }
            let reader = &mut self.reader;
            let mark = reading.read(buffer, |line| {
                if !line.unfinished {
                    reader.take(id, *line, None);
                    is_news = true;
                }
            });
            file.mark = mark.map_err(|_| Replaced)?;
        }
        Ok(is_news)
    }

    /// Reads everything that is left, incomplete lines included. The session cannot grow after that.
    pub fn finish(mut self) -> Result<SessionReader, Replaced> {
        let mut buffer = Buffer::default();
        for (number, file) in self.files.iter().enumerate().filter(|(_, file)| file.is_own) {
            let id = SourceId::new(number).ok_or(Replaced)?;
            let reading = follow::resume(&file.input, &file.mark).ok().flatten().ok_or(Replaced)?;
            let reader = &mut self.reader;
            reading.read(&mut buffer, |line| reader.take(id, *line, None)).map_err(|_| Replaced)?;
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
