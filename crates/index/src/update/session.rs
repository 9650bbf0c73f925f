//! Updates one session: its new lines, its story and its ledger.

use std::path::Path;

use format::tool::Calls;
use format::{Entry, Line, Scratch};
use reader::SessionReader;
use rusqlite::{Connection, OptionalExtension as _, params};
use sources::Head;
use sources::Origin;
use sources::Problem;
use sources::SessionFile;
use sources::Source;
use sources::SourceKind;
use sources::files_of_session;
use sources::follow::{self, Change, Mark, Reading};
use story::{Role, SourceId};

use super::plan::{Job, Known, Plan};
use super::{Update, text};
use crate::catalogue;
use crate::copies;
use crate::skeleton::{File, Skeleton};
use crate::store::place::{inside, origin_row};
use crate::texts::OwnFiles;

/// The reason why a session was not updated.
#[derive(Debug)]
pub(super) enum Failure {
    Read(Problem),
    Database(rusqlite::Error),
}

impl From<rusqlite::Error> for Failure {
    fn from(error: rusqlite::Error) -> Self {
        Self::Database(error)
    }
}

/// A file of a session during the update.
struct Piece {
    part: SessionFile,
    /// Its row.
    id: i64,
    /// Whether its lines belong to this session.
    is_own: bool,
    /// The lines to read, if any.
    reading: Option<Reading>,
    /// The change of the file since its lines were added.
    change: Option<Change>,
    /// Lines before this offset are indexed.
    text_from: u64,
    /// Calls without a result. They are tracked per file, so that the text of a line does not depend on copies of the
    /// file or on the order of reading.
    calls: Calls,
}

/// An incomplete line: it is part of the story now, but is read again later.
struct Unfinished {
    piece: usize,
    source: SourceId,
    bytes: Vec<u8>,
    number: u64,
    offset: u64,
    span: u64,
}

impl Unfinished {
    fn of(line: &Line<'_>, piece: usize, source: SourceId) -> Self {
        let Line { number, offset, span, .. } = *line;
        Self { piece, source, bytes: line.bytes.to_vec(), number, offset, span }
    }

    fn line(&self) -> Line<'_> {
        let Self { bytes, number, offset, span, .. } = self;
        Line { bytes, number: *number, offset: *offset, span: *span, unfinished: true }
    }
}

impl Update<'_> {
    /// Extends or rebuilds a session and adds its new lines. Returns the problems of reading it.
    pub(super) fn session(
        &mut self,
        db: &Connection,
        main: &Source,
        job: Job,
        plan: &Plan<'_>,
        progress: &dyn Fn(u64),
    ) -> Result<Vec<Problem>, Failure> {
        let neighbours = &plan.neighbours;
        let (parts, mut problems) = files_of_session(main, neighbours);
        let mut pieces = self.pieces(db, plan, main, parts, &mut problems)?;
        // If only agents are left, the first of them represents the session.
        let main_piece = match main.kind {
            SourceKind::Partial => pieces.iter().min_by_key(|piece| piece.id),
            _ => pieces.iter().find(|piece| piece.part.source.input == main.input),
        };
        let Some(main_id) = main_piece.map(|piece| piece.id) else { return Ok(problems) };
        let session = session_row(db, main_id)?;
        // The relation between copies may have changed.
        let is_alone = neighbours.relatives(main).is_empty();
        let kept = if is_alone && !job.anew { restore(db, session, &pieces)? } else { None };
        let (mut reader, mut numbers) = if let Some((reader, numbers)) = kept {
            // Lines of other sessions matter only at the beginning of this one.
            pieces.iter_mut().filter(|piece| !piece.is_own).for_each(|piece| piece.reading = None);
            (reader, numbers)
        } else {
            for piece in &mut pieces {
                // The story needs the whole file; lines that are indexed are not added again.
                piece.reading = follow::look(&piece.part.source.input, None).unwrap_or_default();
            }
            (SessionReader::counting(), vec![None; pieces.len()])
        };
        let own_files = OwnFiles::of(pieces.iter().map(|piece| &piece.part));
        let mut unfinished = Vec::new();
        for (at, piece) in pieces.iter_mut().enumerate() {
            let number = match numbers.get(at).copied().flatten() {
                Some(number) => {
                    reader.note(&piece.part.role, piece.part.notes.take());
                    number
                }
                None => reader.add(piece.take_part()),
            };
            if let Some(slot) = numbers.get_mut(at) {
                *slot = Some(number);
            }
            if let Err(failure) = self.read(db, (at, piece), number, (&mut reader, &own_files), &mut unfinished) {
                match failure {
                    Failure::Read(problem) => problems.push(problem),
                    failure @ Failure::Database(_) => return Err(failure),
                }
            }
            progress(piece.part.source.size);
        }
        let mut order: Vec<(SourceId, &Piece)> =
            numbers.iter().zip(&pieces).filter_map(|(number, piece)| Some(((*number)?, piece))).collect();
        order.sort_by_key(|(number, _)| number.number());
        let sources: Vec<i64> = order.iter().map(|(_, piece)| piece.id).collect();
        let files: Vec<File> =
            order.iter().map(|(_, piece)| File { id: piece.id, open_calls: piece.calls.list() }).collect();
        // Incomplete lines are read again, so the state is stored without them.
        let state = reader.store();
        for line in &unfinished {
            let Some(piece) = pieces.get(line.piece) else { continue };
            self.line(db, piece, line.source, &line.line(), (&mut reader, &own_files))?;
        }
        for piece in pieces.iter().filter(|piece| piece.is_own) {
            note_owner(db, piece, session, main_id, &neighbours.head(&piece.part.source))?;
        }
        reader.disown(&copies::known(db, session)?);
        catalogue::write(db, session, &mut reader, &sources, main, self.prices)?;
        self.summaries.note(db, session, &reader)?;
        copies::write(db, session, &mut reader)?;
        Skeleton::save(db, session, &files, state.as_deref(), reader.ledger())?;
        Ok(problems)
    }

    /// The files of a session with their rows and their changes.
    fn pieces(
        &mut self,
        db: &Connection,
        plan: &Plan<'_>,
        main: &Source,
        parts: Vec<SessionFile>,
        problems: &mut Vec<Problem>,
    ) -> rusqlite::Result<Vec<Piece>> {
        let mut pieces = Vec::new();
        for part in parts {
            let Some(key) = part.source.input.key() else { continue };
            let is_known = self.known.contains_key(&key);
            let known = match self.known.entry(key) {
                std::collections::hash_map::Entry::Occupied(known) => known.into_mut(),
                std::collections::hash_map::Entry::Vacant(place) => {
                    // A file that appeared after discovery belongs to the origin of its session.
                    let origin = &plan.there.get(place.key()).unwrap_or(&main).origin;
                    let id = add_source(db, origin, &place.key().path)?;
                    place.insert(Known { id, ..Known::default() })
                }
            };
            let is_own = part.role != Role::Elsewhere;
            let mut piece = Piece {
                id: known.id,
                is_own,
                reading: None,
                change: None,
                text_from: known.mark.offset,
                calls: Calls::default(),
                part,
            };
            match follow::look(&piece.part.source.input, is_known.then_some(&known.mark)) {
                Err(error) => {
                    problems.push(piece.part.source.unreadable(error));
                    // Indexed lines stay until the file is readable again.
                    if matches!(piece.part.role, Role::Main | Role::Prompts) {
                        return Ok(Vec::new());
                    }
                    continue;
                }
                Ok(None) => {}
                Ok(Some(reading)) => {
                    piece.change = Some(reading.change);
                    piece.reading = Some(reading);
                }
            }
            if piece.change != Some(Change::Grown) && piece.change.is_some() {
                piece.text_from = 0;
            }
            pieces.push(piece);
        }
        Ok(pieces)
    }

    /// Reads the new lines of a file.
    fn read(
        &mut self,
        db: &Connection,
        (at, piece): (usize, &mut Piece),
        number: SourceId,
        (reader, own_files): (&mut SessionReader, &OwnFiles),
        unfinished: &mut Vec<Unfinished>,
    ) -> Result<(), Failure> {
        if piece.is_own {
            match piece.change {
                Some(Change::Grown) => text::forget_unfinished(db, piece.id)?,
                Some(Change::New | Change::Replaced) => text::forget(db, piece.id)?,
                None => {}
            }
        }
        let Some(reading) = piece.reading.take() else { return Ok(()) };
        let mut failed = None;
        let mut buffer = std::mem::take(&mut self.buffer);
        let mark = reading.read(&mut buffer, |line| {
            if line.unfinished {
                unfinished.push(Unfinished::of(line, at, number));
            } else if failed.is_none() {
                failed = self.line(db, piece, number, line, (&mut *reader, own_files)).err();
            }
        });
        self.buffer = buffer;
        if let Some(error) = failed {
            return Err(error.into());
        }
        match mark {
            Ok(mark) if piece.is_own => {
                note_mark(db, piece.id, &mark)?;
                // If another session also claims the file, its lines are not added again.
                if let Some(known) = piece.part.source.input.key().and_then(|key| self.known.get_mut(&key)) {
                    known.mark = mark;
                }
            }
            Ok(_) => {}
            Err(error) => {
                // An unknown part of its lines was added, so it is read again from the start.
                text::forget(db, piece.id)?;
                note_mark(db, piece.id, &Mark::default())?;
                return Err(Failure::Read(piece.part.source.unreadable(error)));
            }
        }
        Ok(())
    }

    /// Adds a line to the story, and its texts to the index unless they are there.
    fn line(
        &mut self,
        db: &Connection,
        piece: &Piece,
        number: SourceId,
        line: &Line<'_>,
        (reader, own_files): (&mut SessionReader, &OwnFiles),
    ) -> rusqlite::Result<()> {
        if !piece.is_own || piece.part.source.kind == SourceKind::Journal {
            reader.take(number, *line, None);
            return Ok(());
        }
        // An incomplete line that has not grown is indexed already.
        let is_there = line.offset < piece.text_from || piece.change.is_none();
        let calls = &piece.calls;
        let (mut failed, mut number_in_line) = (None, 0);
        let mut show = |entry: &Entry<'_>| {
            if is_there || own_files.contain(entry) {
                text::pass_over(entry, calls);
            } else if failed.is_none() && text::is_read_otherwise(entry, calls) {
                let scratch = Scratch::default();
                let again = format::read_with(line.bytes, &scratch, calls);
                let again = again.entries.get(number_in_line);
                failed = again.and_then(|entry| self.writer.add(db, piece.id, line, entry, calls).err());
            } else if failed.is_none() {
                failed = self.writer.add(db, piece.id, line, entry, calls).err();
            }
            number_in_line += 1;
        };
        reader.take(number, *line, Some(&mut show));
        failed.map_or(Ok(()), Err)
    }
}

/// Records how far a file has been read.
pub(super) fn note_mark(db: &Connection, id: i64, mark: &Mark) -> rusqlite::Result<()> {
    let bytes = postcard::to_extend(mark, Vec::new()).unwrap_or_default();
    db.prepare_cached("UPDATE source SET mark = ?2 WHERE id = ?1")?.execute(params![id, bytes])?;
    Ok(())
}

impl Piece {
    /// Takes the part for the story, and keeps what later steps need.
    fn take_part(&mut self) -> SessionFile {
        SessionFile {
            source: self.part.source.clone(),
            role: self.part.role.clone(),
            session: self.part.session.clone(),
            notes: self.part.notes.take(),
        }
    }
}

/// Adds a row for a file.
fn add_source(db: &Connection, origin: &Origin, path: &Path) -> rusqlite::Result<i64> {
    let row = origin_row(db, origin)?;
    let mut statement =
        db.prepare_cached("INSERT INTO source (origin, path, mark, head, session) VALUES (?, ?, x'', x'', 0)")?;
    statement.insert(params![row, inside(origin, path)])
}

/// The row of the session with this main file.
fn session_row(db: &Connection, main: i64) -> rusqlite::Result<i64> {
    let known =
        db.prepare_cached("SELECT id FROM session WHERE main = ?")?.query_row([main], |row| row.get(0)).optional()?;
    match known {
        Some(id) => Ok(id),
        None => db.prepare_cached("INSERT INTO session (main) VALUES (?)")?.insert([main]),
    }
}

/// Records the session of a file.
fn note_owner(db: &Connection, piece: &Piece, session: i64, main: i64, head: &Head) -> rusqlite::Result<()> {
    if piece.id != main {
        super::forget_session(db, piece.id)?;
    }
    let is_archived = piece.part.source.input.is_archived();
    let agent = match &piece.part.role {
        Role::Agent { id, .. } => Some(id.as_ref()),
        Role::Main | Role::Earlier | Role::Capture | Role::Journal(_) | Role::Elsewhere | Role::Prompts => None,
    };
    let head = postcard::to_extend(head, Vec::new()).unwrap_or_default();
    let mut statement = db.prepare_cached(
        "UPDATE source SET session = ?2, agent = ?3, head = ?4, is_archived = ?5,
            first = (SELECT id FROM line WHERE source = ?1 ORDER BY number LIMIT 1)
         WHERE id = ?1",
    )?;
    statement.execute(params![piece.id, session, agent, head, is_archived])?;
    Ok(())
}

/// The restored story and the ids of its files; `None` if it must be rebuilt.
type Restored = (SessionReader, Vec<Option<SourceId>>);

fn restore(db: &Connection, session: i64, pieces: &[Piece]) -> rusqlite::Result<Option<Restored>> {
    Ok(Skeleton::load(db, session)?.and_then(|skeleton| restore_from(skeleton, pieces)))
}

fn restore_from(mut skeleton: Skeleton, pieces: &[Piece]) -> Option<Restored> {
    let mut inputs = Vec::new();
    let mut numbers = vec![None; pieces.len()];
    let mut is_other = false;
    for file in &skeleton.files {
        let at = pieces.iter().position(|piece| piece.id == file.id)?;
        let piece = pieces.get(at)?;
        is_other |= piece.is_own && matches!(piece.change, Some(Change::New | Change::Replaced));
        *numbers.get_mut(at)? = Some(SourceId::new(inputs.len())?);
        inputs.push(piece.part.source.input.clone());
    }
    let is_news = |(piece, number): (&Piece, &Option<SourceId>)| !piece.is_own && number.is_none();
    if is_other || pieces.iter().zip(&numbers).any(is_news) {
        return None;
    }
    let files = std::mem::take(&mut skeleton.files);
    let reader = skeleton.reader(inputs)?;
    for file in &files {
        let piece = pieces.iter().find(|piece| piece.id == file.id)?;
        for (id, tool) in &file.open_calls {
            piece.calls.open(id.as_str().into(), tool.as_str());
        }
    }
    Some((reader, numbers))
}
