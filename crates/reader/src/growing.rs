//! A session that is told as it grows.

use story::SourceId;

use crate::telling::Telling;
use sources::follow::{self, Change, Mark};
use sources::source::{Buffer, Input};

/// A session, how far each of its files has been told, and what comes after that.
#[derive(Debug)]
pub struct Growing {
    telling: Telling,
    files: Vec<File>,
}

/// A file of the session.
#[derive(Debug, Clone)]
struct File {
    input: Input,
    mark: Mark,
    /// Whether its lines belong to the session; others only say where it began.
    is_own: bool,
}

/// A file is not what it was: the session has to be told anew.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a file of the session was replaced")]
pub struct Replaced;

impl Growing {
    /// A session that was told up to these marks, of files in the order of the telling.
    pub fn new(telling: Telling, files: impl IntoIterator<Item = (Input, Mark, bool)>) -> Self {
        let files = files.into_iter().map(|(input, mark, is_own)| File { input, mark, is_own }).collect();
        Self { telling, files }
    }

    /// Tells the lines that were added and are complete. Says whether there were some.
    pub fn read_on(&mut self, buffer: &mut Buffer) -> Result<bool, Replaced> {
        let mut is_news = false;
        for (number, file) in self.files.iter_mut().enumerate().filter(|(_, file)| file.is_own) {
            let id = SourceId::new(number).ok_or(Replaced)?;
            let Some(reading) = follow::look_on(&file.input, &file.mark).map_err(|_| Replaced)? else { continue };
            if reading.change != Change::Grown {
                return Err(Replaced);
            }
            let telling = &mut self.telling;
            let mark = reading.read(buffer, |line| {
                if !line.unfinished {
                    telling.take(id, *line, None);
                    is_news = true;
                }
            });
            file.mark = mark.map_err(|_| Replaced)?;
        }
        Ok(is_news)
    }

    /// Tells all that is there, lines too that are not complete. After that it cannot grow.
    pub fn finish(mut self) -> Result<Telling, Replaced> {
        let mut buffer = Buffer::default();
        for (number, file) in self.files.iter().enumerate().filter(|(_, file)| file.is_own) {
            let id = SourceId::new(number).ok_or(Replaced)?;
            let reading = follow::resume(&file.input, &file.mark).ok().flatten().ok_or(Replaced)?;
            let telling = &mut self.telling;
            reading.read(&mut buffer, |line| telling.take(id, *line, None)).map_err(|_| Replaced)?;
        }
        Ok(self.telling)
    }

    /// One that goes on where this one is, and has forgotten what was told; `None` while that would lose something.
    pub fn successor(&mut self) -> Option<Self> {
        Some(Self { telling: self.telling.successor()?, files: self.files.clone() })
    }

    /// What is told so far.
    pub fn telling(&mut self) -> &mut Telling {
        &mut self.telling
    }

    /// Its files.
    pub fn inputs(&self) -> impl Iterator<Item = &Input> {
        self.files.iter().map(|file| &file.input)
    }
}
