//! Reads candidate lines from their files and turns matches into hits.

use std::io::{self, Read as _, Seek as _, SeekFrom};
use std::path::PathBuf;

use format::tool::Calls;
use format::{Entry, Scratch, Time};
use rusqlite::Connection;
use rustc_hash::FxHashMap;
use sources::archived::{Opened, Shelf};
use sources::follow;

use super::about::{self, Transcript};
use super::needle::Finder;
use super::snippet::{self, Cut, Snippet};
use super::statement::CandidateLine;
use super::{Hit, Needle, Search};
use crate::store::{Index, damage};
use crate::texts::{Column, marks, pieces};

/// Reads candidate lines.
#[derive(Debug)]
pub(super) struct Lines<'a> {
    db: &'a Connection,
    shelf: &'a Shelf,
    reader: Reader<'a>,
    sources: FxHashMap<i64, Source>,
    bytes: Vec<u8>,
    /// The number of lines that could not be read.
    pub(super) changed: u64,
}

#[derive(Debug)]
struct Source {
    transcript: Transcript,
    file: Option<Opened>,
}

impl<'a> Lines<'a> {
    pub(super) fn new(index: &'a Index, needle: Needle<'a>, search: &Search<'a>) -> Self {
        let Index { db, shelf, .. } = index;
        let reader = Reader::new(needle, search.columns, search.cut);
        Self { db, shelf, reader, sources: FxHashMap::default(), bytes: Vec::new(), changed: 0 }
    }

    /// Sets the weights of words.
    pub(super) fn weigh(&mut self, weights: &[f32]) {
        self.reader.finder.weigh(weights);
    }

    /// The hit of a line, if it matches at least a share of the query.
    pub(super) fn hit(&mut self, found: &CandidateLine, least: f32) -> rusqlite::Result<Option<Hit>> {
        let Some(read) = self.read(found, least)? else { return Ok(None) };
        // Only the number comes from the tables; everything else comes from the line itself.
        let mut statement = self.db.prepare_cached(
            "SELECT 1 FROM line INDEXED BY line_by_source WHERE source = ?1 AND number = ?2 AND id = ?3",
        )?;
        if !statement.exists([found.source, found.number.cast_signed(), found.id])? {
            return Err(damage());
        }
        let Some(source) = self.sources.get_mut(&found.source) else { return Ok(None) };
        Ok(Some(Hit {
            turn: source.transcript.turn(self.db, found.number)?,
            path: source.transcript.key.path.clone(),
            line: found.number,
            offset: found.offset,
            agent: source.transcript.agent.clone(),
            ..read.hit
        }))
    }

    /// The score of a line; `None` if it matches less than a share of the query.
    pub(super) fn score(&mut self, found: &CandidateLine, least: f32) -> rusqlite::Result<Option<(f32, f32)>> {
        Ok(self.read(found, least)?.map(|read| (read.hit.share, read.score)))
    }

    fn read(&mut self, found: &CandidateLine, least: f32) -> rusqlite::Result<Option<Read>> {
        if !self.sources.contains_key(&found.source) {
            let transcript = Transcript::load(self.db, found.source)?;
            let file = self.shelf.input_at(&transcript.key).and_then(|input| input.open().ok());
            self.sources.insert(found.source, Source { transcript, file });
        }
        let file = self.sources.get_mut(&found.source).and_then(|source| source.file.as_mut());
        if file.is_none_or(|file| read_line(file, found, &mut self.bytes).is_err()) {
            return self.give_up(found);
        }
        let scratch = Scratch::default();
        let reading = format::read(&self.bytes, &scratch);
        if reading.entries.is_empty() {
            return self.give_up(found);
        }
        let answers: Vec<String> =
            reading.entries.iter().flat_map(|entry| marks(entry).answers).map(str::to_owned).collect();
        if answers.is_empty() {
            return Ok(self.reader.best(&reading.entries, &[], least));
        }
        // The tool determines the type of a result. If there are several tools, the line does not say which result is
        // whose.
        let tools = about::tools(self.db, found.id)?;
        for tool in &tools {
            let calls = Calls::default();
            for id in &answers {
                calls.open(id.as_str().into(), tool.as_str());
            }
            let scratch = Scratch::default();
            let reading = format::read_with(&self.bytes, &scratch, &calls);
            let read = self.reader.best(&reading.entries, &tools, least);
            if read.is_some() {
                return Ok(read);
            }
        }
        Ok(self.reader.best(&reading.entries, &tools, least))
    }

    /// Handles a line that is not at its recorded position. If its file has not changed, the index is damaged.
    fn give_up(&mut self, found: &CandidateLine) -> rusqlite::Result<Option<Read>> {
        let (key, mark) = about::file(self.db, found.source)?;
        match self.shelf.input_at(&key).map(|input| follow::look(&input, Some(&mark))) {
            Some(Ok(None)) => return Err(damage()),
            Some(Ok(Some(reading))) if reading.is_idle() => return Err(damage()),
            Some(Ok(Some(_)) | Err(_)) | None => {}
        }
        self.changed += 1;
        Ok(None)
    }
}

pub(super) fn read_line(file: &mut Opened, found: &CandidateLine, bytes: &mut Vec<u8>) -> io::Result<()> {
    file.seek(SeekFrom::Start(found.offset))?;
    bytes.clear();
    let length = file.take(found.length as u64).read_to_end(bytes)?;
    if length == found.length { Ok(()) } else { Err(io::ErrorKind::UnexpectedEof.into()) }
}

/// A matching entry.
#[derive(Debug)]
pub(super) struct Read {
    /// The hit as far as the line determines it; the caller adds its location.
    pub(super) hit: Hit,
    /// Its score.
    pub(super) score: f32,
}

/// Searches the texts of entries.
#[derive(Debug)]
pub(super) struct Reader<'q> {
    pub(super) finder: Finder<'q>,
    columns: &'q [Column],
    cut: Cut,
}

/// A text with matches.
struct MatchedText {
    snippet: Snippet,
    /// The groups that it matches.
    groups: Vec<usize>,
}

/// The number of parts of an entry that are kept, and the number shown.
const MOST_PARTS: usize = 32;
const SHOWN_PARTS: usize = 2;

impl<'q> Reader<'q> {
    pub(super) fn new(needle: Needle<'q>, columns: &'q [Column], cut: Cut) -> Self {
        Self { finder: Finder::new(needle), columns, cut }
    }

    /// The entry that matches best.
    fn best(&mut self, entries: &[Entry<'_>], tools: &[String], least: f32) -> Option<Read> {
        let read = entries.iter().filter_map(|entry| self.entry(entry, tools, least));
        read.max_by(|one, other| one.hit.share.total_cmp(&other.hit.share))
    }

    /// An entry, if it matches at least a share of the query. `answered` are the tools of its results.
    pub(super) fn entry(&mut self, entry: &Entry<'_>, answered: &[String], least: f32) -> Option<Read> {
        let Self { finder, columns, cut } = self;
        finder.clear();
        let mut parts: Vec<MatchedText> = Vec::new();
        let mut counts = vec![0.0_f32; finder.held.len()];
        let mut length = 0;
        pieces(entry, |column, text| {
            if !columns.is_empty() && !columns.contains(&column) {
                return;
            }
            length += text.len();
            let places = finder.places(text);
            let is_shown = !places.is_empty() || finder.is_empty() && parts.is_empty();
            for place in &places {
                if let Some(count) = counts.get_mut(place.group) {
                    *count += weight(column);
                }
            }
            if is_shown && parts.len() < MOST_PARTS {
                let snippet = snippet::cut(column, text, &places, *cut);
                let mut groups: Vec<usize> = places.iter().map(|place| place.group).collect();
                groups.sort_unstable();
                groups.dedup();
                parts.push(MatchedText { snippet, groups });
            }
        });
        let share = finder.share();
        if share <= 0.0 || share < least {
            return None;
        }
        // More terms at once are better; in a tie, texts of people precede those of machines.
        let is_near = parts.iter().any(|part| part.groups.len() == counts.len());
        parts.sort_by_key(|part| (std::cmp::Reverse(part.groups.len()), part.snippet.column));
        let mut shown: Vec<MatchedText> = Vec::new();
        for part in parts {
            let is_new = part.groups.iter().any(|group| !shown.iter().any(|shown| shown.groups.contains(group)));
            if shown.is_empty() || is_new && shown.len() < SHOWN_PARTS {
                shown.push(part);
            }
        }
        let marks = marks(entry);
        let mut tools: Vec<String> = marks.calls.iter().map(|call| call.tool.to_owned()).collect();
        tools.extend(answered.iter().filter(|_| !marks.answers.is_empty()).cloned());
        tools.dedup();
        Some(Read {
            score: score(&counts, length, is_near),
            hit: Hit {
                path: PathBuf::new(),
                line: 0,
                offset: 0,
                agent: None,
                turn: None,
                at: entry.envelope.timestamp.and_then(Time::milliseconds),
                kind: marks.kind.to_owned(),
                role: marks.role,
                tools,
                is_error: marks.is_error,
                snippets: shown.into_iter().map(|part| part.snippet).collect(),
                share,
            },
        })
    }
}

/// The weight of a match, by speaker.
pub(super) const fn weight(column: Column) -> f32 {
    match column {
        Column::Said => 3.0,
        Column::Replied => 2.0,
        Column::Done => 1.5,
        Column::Thought => 1.2,
        Column::Seen => 1.0,
    }
}

/// The score grows with the number of matches, ever more slowly, and decreases with the length of the text (as in BM25,
/// but without word rarity, because all entries contain all words). Adjacent matches add to it.
fn score(counts: &[f32], length: usize, is_near: bool) -> f32 {
    const SATURATION: f32 = 1.2;
    /// The usual length of an entry, in bytes.
    const USUAL: f32 = 1500.0;
    #[expect(clippy::cast_precision_loss, reason = "it is about the size")]
    let longer = 0.25 + 0.75 * length as f32 / USUAL;
    let sum: f32 = counts.iter().map(|count| count * (SATURATION + 1.0) / (count + SATURATION * longer)).sum();
    if is_near { sum * 1.5 } else { sum }
}
