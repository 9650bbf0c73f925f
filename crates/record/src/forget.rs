//! Removes sessions from a recorded conversation for good.

use std::collections::BTreeSet;
use std::fs::{self, File, TryLockError};
use std::io::{BufRead as _, BufReader, Read as _};
use std::path::Path;

use format::Scratch;

use crate::conversation::Conversation;
use crate::error::RecordError;
use crate::event::Event;
use crate::line::{Content, Record};
use crate::store::sync_folder;

/// What became of a conversation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Forgot {
    /// It has none of the sessions.
    Untouched,
    /// It has others, which stay.
    Shortened,
    /// Nothing was left, so it is removed.
    Removed,
}

impl Conversation {
    /// The sessions that its lines name, each once.
    pub fn sessions(&self) -> Result<Vec<String>, RecordError> {
        let failed = || RecordError::disk("read", self.path());
        let mut file = BufReader::with_capacity(256 << 10, File::open(self.path()).map_err(failed())?);
        let (mut line, mut sessions) = (Vec::new(), BTreeSet::new());
        while file.read_until(b'\n', &mut line).map_err(failed())? > 0 {
            sessions.extend(session_of(&line));
            line.clear();
        }
        Ok(sessions.into_iter().collect())
    }

    /// Removes the lines of sessions for good, and the whole conversation if no other session is left in it. A kill at
    /// any moment leaves the old file or the new one.
    ///
    /// A run that has no other session goes with all its lines. Of a run with several sessions, the lines that name
    /// another one stay. The file is held in memory meanwhile.
    pub fn forget(&self, is_meant: &dyn Fn(&str) -> bool) -> Result<Forgot, RecordError> {
        let path = self.path();
        let mut file = File::options().read(true).write(true).open(path).map_err(RecordError::disk("open", path))?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(RecordError::Busy { name: self.name().to_owned() }),
            Err(TryLockError::Error(error)) => return Err(RecordError::disk("lock", path)(error)),
        }
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).map_err(RecordError::disk("read", path))?;
        let (kept, is_changed) = without(&bytes, is_meant);
        if !is_changed {
            return Ok(Forgot::Untouched);
        }
        // Torn ends name no session.
        for torn in torn_beside(path)? {
            fs::remove_file(&torn).map_err(RecordError::disk("remove", &torn))?;
        }
        let (forgot, done) = if kept.is_empty() {
            (Forgot::Removed, fs::remove_file(path))
        } else {
            (Forgot::Shortened, private::replace(path, &kept))
        };
        done.map_err(RecordError::disk("write", path))?;
        if let Some(folder) = path.parent() {
            sync_folder(folder).map_err(RecordError::disk("sync", folder))?;
        }
        Ok(forgot)
    }
}

/// The records that stay, and whether any does not.
fn without(bytes: &[u8], is_meant: &dyn Fn(&str) -> bool) -> (Vec<u8>, bool) {
    let mut runs: Vec<Vec<&[u8]>> = Vec::new();
    for line in bytes.split_inclusive(|byte| *byte == b'\n') {
        match runs.last_mut() {
            Some(run) if !is_start(line) => run.push(line),
            _ => runs.push(vec![line]),
        }
    }
    let (mut kept, mut is_changed) = (Vec::with_capacity(bytes.len()), false);
    for run in runs {
        let sessions: Vec<Option<String>> = run.iter().map(|line| session_of(line)).collect();
        let meant = sessions.iter().flatten().filter(|session| is_meant(session)).count();
        let others = sessions.iter().flatten().count() - meant;
        is_changed |= meant > 0;
        for (line, session) in run.iter().zip(&sessions) {
            let stays = match session {
                Some(session) => !is_meant(session),
                None => meant == 0 || others > 0 && is_event(line),
            };
            if stays && (meant == 0 || others > 0) {
                kept.extend_from_slice(line);
            }
        }
    }
    // What names no session is of no use without the others.
    let has_others = kept.split_inclusive(|byte| *byte == b'\n').any(|line| session_of(line).is_some());
    (if has_others { kept } else { Vec::new() }, is_changed)
}

fn session_of(line: &[u8]) -> Option<String> {
    let scratch = Scratch::default();
    let header = format::read_header(line, &scratch)?;
    header.stream_session_id.or(header.session_id).map(|id| id.as_str().to_owned())
}

fn is_start(line: &[u8]) -> bool {
    matches!(Record::read(line), Ok(Record { content: Content::Event(Event::Start { .. }), .. }))
}

/// What happened around the lines, except the start, which has the words of the command.
fn is_event(line: &[u8]) -> bool {
    matches!(Record::read(line), Ok(Record { content: Content::Event(event), .. }) if !matches!(event, Event::Start { .. }))
}

/// The torn ends that were kept beside a conversation.
fn torn_beside(path: &Path) -> Result<Vec<std::path::PathBuf>, RecordError> {
    let Some((folder, name)) = path.parent().zip(path.file_name()) else { return Ok(Vec::new()) };
    let mut prefix = name.to_owned();
    prefix.push(".torn-");
    let entries = fs::read_dir(folder).map_err(RecordError::disk("list", folder))?;
    let is_torn = |path: &std::path::PathBuf| {
        path.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(prefix.as_encoded_bytes()))
    };
    Ok(entries.flatten().map(|entry| entry.path()).filter(is_torn).collect())
}
