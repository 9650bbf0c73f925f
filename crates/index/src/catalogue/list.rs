//! Lists of sessions, turns and agents.

use std::path::PathBuf;

use ledger::{Money, Totals};
use reader::GrowingSession;
use reader::SessionReader;
use reader::Surroundings;
use rusqlite::{OptionalExtension as _, Params, Row};
use rustc_hash::FxHashMap;
use sources::follow::Mark;
use sources::naming::{name_apart, split_name};
use sources::project::{Project, ShortNames, project_of};
use sources::{FileKey, Input, Origin};
use story::{Counts, Ending, Remnant, SessionStatus, Story, TitleSource};

use super::ending::EndingColumns;
use super::{REMNANTS, Used};
use crate::copies;
use crate::skeleton::Skeleton;
use crate::store::place::{PLACE, key_at, origin_at};
use crate::store::{Index, IndexError, damage};

/// A session.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Session {
    /// Its number in the index.
    pub id: i64,
    /// The name of its file, or its id in Claude Code if the file has none.
    pub stem: String,
    /// Its id in recount: that name, with a suffix if several sessions share it.
    pub name: String,
    /// Its id in Claude Code.
    pub session_id: Option<String>,
    /// The origin of its main file.
    pub origin: Origin,
    /// Its main file, or the file of one of its agents, or its part of the prompt history, if nothing else is left.
    pub path: PathBuf,
    /// What is left of it; `None` if it has a file of its own.
    pub remnant: Option<Remnant>,
    /// Whether it is deleted from the disk and read from the archive.
    pub is_archived: bool,
    /// Its title; `Untitled` and its first moment if it has none.
    pub title: String,
    /// The source of the title.
    pub title_source: TitleSource,
    /// The folder in which it ran.
    pub folder: Option<String>,
    /// The project of that folder: a repository, or a folder outside all repositories.
    pub project: Option<String>,
    /// The shortest unique name of the project among the listed sessions; empty without a project.
    pub project_name: String,
    /// The worktree in which it ran, if it is not the main worktree.
    pub worktree: Option<String>,
    /// The latest git branch.
    pub branch: Option<String>,
    /// The models that replied, in the order of their first replies.
    pub models: Vec<String>,
    /// Its first timestamp, in milliseconds since 1970.
    pub first: Option<i64>,
    /// Its last timestamp.
    pub last: Option<i64>,
    /// The duration of its turns, in milliseconds.
    pub active_ms: u64,
    /// The time spent waiting for the user, in milliseconds.
    pub waiting_ms: u64,
    /// Its counts.
    pub counts: Counts,
    /// The end of its story, as far as it decides the state.
    pub ending: Ending,
    /// Its state, which also depends on the time and on what runs; `None` until that has been asked.
    pub status: Option<SessionStatus>,
    /// The session from which it was copied.
    pub copied_from: Option<String>,
    /// The session that continues it.
    pub continued_in: Option<String>,
    /// Its usage.
    pub used: Used,
}

/// A turn of a conversation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Turn {
    /// From 1.
    pub number: u32,
    /// When it began, in milliseconds since 1970.
    pub at: Option<i64>,
    /// The beginning of the prompt.
    pub prompt: String,
}

/// A subagent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Agent {
    /// Its number in the session.
    pub number: i64,
    /// Its id; empty if it has none.
    pub name: String,
    /// The number of the agent that started it.
    pub parent: Option<i64>,
    /// The turn in which it worked.
    pub turn: Option<u32>,
    /// `Explore`, `general-purpose`…
    pub kind: Option<String>,
    /// The description of its task.
    pub description: Option<String>,
    /// Its first timestamp.
    pub first: Option<i64>,
    /// Its last timestamp.
    pub last: Option<i64>,
    /// The number of its calls.
    pub calls: u32,
    /// The number of its failed calls.
    pub failed: u32,
    /// Its usage.
    pub used: Used,
}

/// The question for sessions, in the order of the given index and under the given condition.
fn sessions(way: &str, condition: &str) -> String {
    let counts = Counts::NAMES.map(|name| format!("n.{name}")).join(", ");
    format!(
        "SELECT n.id, n.name, s.is_archived, n.remnant, n.title, n.project, n.branch, n.models, n.first, n.last, n.active_ms,
        n.waiting_ms, n.copied_from, n.continued_in, n.tokens, n.cost, n.cost_quality, n.folder, n.worktree, o.tenant,
        o.machine, o.root, s.path, n.last_turn, n.open_tool, n.open_since, n.open_latest, n.trouble, n.background,
        n.has_outcome, n.last_sign, n.session_id, n.title_source,
        (SELECT y.text FROM summarised e JOIN summary y ON y.leaf = e.leaf AND y.session != e.session
            WHERE e.session = n.id AND e.intact AND y.intact ORDER BY e.place DESC, y.text DESC LIMIT 1),
        {counts}
            FROM session n {way} LEFT JOIN source s ON s.id = n.main LEFT JOIN origin o ON o.id = s.origin
            WHERE n.intact AND coalesce(s.intact, 1) AND coalesce(o.intact, 1) {condition}
            ORDER BY n.last DESC, n.name"
    )
}

/// The first column of the counts in [`sessions`].
const COUNTS: usize = 34;

impl Index {
    /// All selected sessions, latest first.
    pub fn sessions(&self) -> Result<Vec<Session>, IndexError> {
        let count = "SELECT count(*) FROM session INDEXED BY session_by_time";
        let mut sessions = self.list(&sessions("NOT INDEXED", ""), count, (), Session::read)?;
        self.prepare(&mut sessions);
        Ok(sessions)
    }

    /// The selected sessions with this id, latest first. Each has a name of its own.
    pub fn sessions_with_id(&self, id: &str) -> rusqlite::Result<Vec<Session>> {
        let mut statement = self.db.prepare_cached(&sessions("INDEXED BY session_by_name", "AND n.name = ?"))?;
        let rows = statement.query_map([id], Session::read)?;
        let mut sessions = rows.collect::<rusqlite::Result<Vec<_>>>()?;
        self.prepare(&mut sessions);
        Ok(sessions)
    }

    /// The selected session with this number.
    pub fn session_numbered(&self, id: i64) -> rusqlite::Result<Option<Session>> {
        let mut statement = self.db.prepare_cached("SELECT name FROM session WHERE id = ? AND intact")?;
        let name: Option<String> = statement.query_row([id], |row| row.get(0)).optional()?;
        let sessions = name.map(|name| self.sessions_with_id(&name)).transpose()?.unwrap_or_default();
        Ok(sessions.into_iter().find(|session| session.id == id))
    }

    /// Leaves only selected sessions, and gives them names, and titles to those without any.
    fn prepare(&self, sessions: &mut Vec<Session>) {
        sessions.retain(|session| self.is_meant(&session.path, session.is_archived));
        disambiguate(sessions);
        name_projects(sessions);
        for session in sessions.iter_mut().filter(|session| session.title_source == TitleSource::Untitled) {
            session.title = self.locale.title(None, session.first, self.now).into_owned();
        }
    }

    /// The session with this name. If several sessions share an id, the one that was active last.
    pub fn session(&self, name: &str) -> Result<Option<Session>, IndexError> {
        let _reading = self.read()?;
        // A captured session can have any name, including one that ends like a suffix.
        if let Some(session) = self.sessions_with_id(name)?.into_iter().next() {
            return Ok(Some(session));
        }
        let (id, Some(_)) = split_name(name) else { return Ok(None) };
        Ok(self.sessions_with_id(id)?.into_iter().find(|session| session.name == name))
    }

    /// The turns of a session.
    pub fn turns(&self, session: i64) -> Result<Vec<Turn>, IndexError> {
        self.list(
            "SELECT number, at, prompt FROM turn WHERE session = ? AND intact ORDER BY number",
            "SELECT turn_rows FROM session WHERE id = ?",
            [session],
            |row| Ok(Turn { number: row.get(0)?, at: row.get(1)?, prompt: row.get(2)? }),
        )
    }

    /// The subagents of a session, in starting order.
    pub fn agents(&self, session: i64) -> Result<Vec<Agent>, IndexError> {
        self.list(
            "SELECT number, name, parent, turn, kind, description, first, last, calls, failed, tokens, cost,
                cost_quality
             FROM agent WHERE session = ? AND intact ORDER BY first, number",
            "SELECT agents FROM session WHERE id = ?",
            [session],
            Agent::read,
        )
    }

    /// Reads rows, and fails unless there are as many as another table records: a damaged table may lack some.
    fn list<T>(
        &self,
        rows: &str,
        count: &str,
        parameters: impl Params + Copy,
        read: impl Fn(&Row<'_>) -> rusqlite::Result<T>,
    ) -> Result<Vec<T>, IndexError> {
        let _reading = self.read()?;
        let count: Option<usize> = self.db.prepare_cached(count)?.query_row(parameters, |row| row.get(0)).optional()?;
        let mut statement = self.db.prepare_cached(rows)?;
        let list: Vec<T> = statement.query_map(parameters, read)?.collect::<rusqlite::Result<_>>()?;
        if count.is_none_or(|count| count == list.len()) { Ok(list) } else { Err(damage().into()) }
    }

    /// The indexed files of a session.
    pub fn files(&self, session: i64) -> Result<Vec<FileKey>, IndexError> {
        let mut statement = self.db.prepare_cached(&format!(
            "SELECT {PLACE} FROM source s JOIN origin o ON o.id = s.origin
             WHERE s.session = ? AND s.intact AND o.intact ORDER BY s.id"
        ))?;
        let files = statement.query_map([session], |row| key_at(row, 0))?;
        Ok(files.collect::<rusqlite::Result<_>>()?)
    }

    /// The current story of a session, for which only lines that are not indexed are read. `None` if the whole session
    /// must be read.
    pub fn reader(&self, session: &Session) -> Result<Option<SessionReader>, IndexError> {
        Ok(self.growing(session)?.and_then(|growing| growing.finish().ok()))
    }

    /// The story of a session as indexed, which can be extended. `None` if the whole session must be read.
    pub fn growing(&self, session: &Session) -> Result<Option<GrowingSession>, IndexError> {
        let _reading = self.read()?;
        let Some(skeleton) = Skeleton::load(&self.db, session.id)? else { return Ok(None) };
        let mut source = self.db.prepare_cached(&format!(
            "SELECT {PLACE}, s.mark, s.session FROM source s JOIN origin o ON o.id = s.origin
             WHERE s.id = ? AND s.intact AND o.intact"
        ))?;
        let mut files: Vec<(Input, Mark, bool)> = Vec::new();
        for file in &skeleton.files {
            let file = source.query_row([file.id], |row| {
                let mark = postcard::from_bytes(row.get_ref(4)?.as_blob().unwrap_or_default()).unwrap_or_default();
                Ok((self.shelf.input_at(&key_at(row, 0)?), mark, row.get::<_, i64>(5)? == session.id))
            });
            let Some((Some(input), mark, is_own)) = file.optional()? else { return Ok(None) };
            files.push((input, mark, is_own));
        }
        let reader = skeleton.reader(files.iter().map(|(input, ..)| input.clone()).collect());
        let Some(mut reader) = reader else { return Ok(None) };
        reader.disown(&copies::known(&self.db, session.id)?);
        Ok(Some(GrowingSession::new(reader.surrounded_by(self.surroundings(session)?), files)))
    }

    /// What has to be known besides its lines to show a session as it is listed.
    pub fn surroundings(&self, session: &Session) -> Result<Surroundings, IndexError> {
        let project = |path: &String| Project { path: path.clone(), worktree: session.worktree.clone() };
        Ok(Surroundings {
            id: Some(session.name.clone()),
            project: session.folder.clone().zip(session.project.as_ref().map(project)),
            summaries: self.summaries_of(session.id)?,
            locale: self.locale.clone(),
            now: self.now,
        })
    }

    /// The summaries of a session in the lines of others, each with the hash of the last entry that it covers.
    fn summaries_of(&self, session: i64) -> Result<Vec<(u64, String)>, IndexError> {
        let mut statement = self.db.prepare_cached(
            "SELECT y.leaf, y.text FROM summarised e JOIN summary y ON y.leaf = e.leaf AND y.session != e.session
             WHERE e.session = ? AND e.intact AND y.intact",
        )?;
        let rows = statement.query_map([session], |row| Ok((row.get::<_, i64>(0)?.cast_unsigned(), row.get(1)?)))?;
        Ok(rows.collect::<rusqlite::Result<_>>()?)
    }

    /// The folders in which sessions ran, each with the origin of the session.
    pub fn folders(&self) -> Result<Vec<(Origin, String)>, IndexError> {
        let mut statement = self.db.prepare_cached(&format!(
            "SELECT {PLACE}, n.folder, s.is_archived FROM session n JOIN source s ON s.id = n.main
             JOIN origin o ON o.id = s.origin WHERE n.folder NOT NULL AND n.intact AND s.intact AND o.intact"
        ))?;
        let rows = statement.query_map([], |row| {
            Ok((origin_at(row, 0)?, row.get(4)?, self.is_meant(&key_at(row, 0)?.path, row.get(5)?)))
        })?;
        let mut folders = Vec::new();
        for row in rows {
            let (origin, folder, is_meant) = row?;
            if is_meant {
                folders.push((origin, folder));
            }
        }
        Ok(folders)
    }
}

/// Adds a suffix to the names of sessions that share an id.
fn disambiguate(sessions: &mut [Session]) {
    let mut ids: FxHashMap<&str, usize> = FxHashMap::default();
    for session in sessions.iter() {
        *ids.entry(&session.stem).or_default() += 1;
    }
    let are_several = |session: &Session| ids.get(session.stem.as_str()).is_some_and(|times| *times > 1);
    let several: Vec<bool> = sessions.iter().map(are_several).collect();
    for (session, _) in sessions.iter_mut().zip(several).filter(|(_, is_one_of_several)| *is_one_of_several) {
        session.name = name_apart(&session.stem, &session.key());
    }
}

/// Gives every project its shortest unique name.
fn name_projects(sessions: &mut [Session]) {
    let names = ShortNames::of(sessions.iter().filter_map(|session| session.project.as_deref()));
    for session in sessions {
        session.project_name = session.project.as_deref().map(|path| names.get(path).to_owned()).unwrap_or_default();
    }
}

impl Session {
    /// The key of its main file.
    pub fn key(&self) -> FileKey {
        FileKey::new(&self.origin, self.path.clone())
    }

    /// Updates it from a newer story and newer totals.
    pub fn renew(&mut self, story: &Story, totals: Option<&Totals>) {
        let facts = &story.facts;
        let text = |text: &Option<Box<str>>| text.as_deref().map(str::to_owned);
        if let Some(title) = &facts.title {
            (self.title, self.title_source) = (title.text.to_string(), title.source);
        }
        let folder = text(&facts.folder);
        if self.folder != folder {
            let project = folder.as_deref().map(project_of);
            self.worktree = project.as_ref().and_then(|project| project.worktree.clone());
            self.project = project.map(|project| project.path);
            self.project_name =
                self.project.as_deref().map(|path| ShortNames::default().get(path).to_owned()).unwrap_or_default();
            self.folder = folder;
        }
        self.branch = text(&facts.branch);
        self.models = facts.models.iter().map(ToString::to_string).collect();
        (self.first, self.last) = (facts.first, facts.last);
        (self.active_ms, self.waiting_ms) = (facts.active_ms, facts.waiting_ms);
        self.counts = facts.counts;
        self.ending = Ending::of(story).reduced();
        self.continued_in = text(&facts.continued_in);
        if let Some(totals) = totals {
            self.used = Used::of(totals);
        }
    }
}

impl Session {
    fn read(row: &Row<'_>) -> rusqlite::Result<Self> {
        let models: String = row.get(7)?;
        let name: String = row.get(1)?;
        let remnant: Option<usize> = row.get(3)?;
        let own = row.get::<_, Option<String>>(4)?.zip(title_source(row, 32)?);
        // A summary in another file counts like one in its own.
        let handed = row.get::<_, Option<String>>(33)?.map(|text| (text, TitleSource::Summary));
        let (title, title_source) = own
            .into_iter()
            .chain(handed)
            .min_by_key(|(_, source)| *source)
            .unwrap_or_else(|| (String::new(), TitleSource::Untitled));
        Ok(Self {
            id: row.get(0)?,
            stem: name.clone(),
            name,
            session_id: row.get(31)?,
            origin: origin_at(row, 19)?,
            path: key_at(row, 19)?.path,
            remnant: remnant.and_then(|at| REMNANTS.get(at).copied()),
            title,
            title_source,
            folder: row.get(17)?,
            project: row.get(5)?,
            project_name: String::new(),
            worktree: row.get(18)?,
            branch: row.get(6)?,
            models: models.lines().map(str::to_owned).collect(),
            first: row.get(8)?,
            last: row.get(9)?,
            active_ms: number(row, 10)?,
            waiting_ms: number(row, 11)?,
            counts: counts(row)?,
            ending: EndingColumns::read(row, 23)?.ending(),
            status: None,
            copied_from: row.get(12)?,
            continued_in: row.get(13)?,
            used: used(row, 14)?,
            is_archived: row.get(2)?,
        })
    }
}

impl Agent {
    fn read(row: &Row<'_>) -> rusqlite::Result<Self> {
        Ok(Self {
            number: row.get(0)?,
            name: row.get(1)?,
            parent: row.get(2)?,
            turn: row.get(3)?,
            kind: row.get(4)?,
            description: row.get(5)?,
            first: row.get(6)?,
            last: row.get(7)?,
            calls: row.get(8)?,
            failed: row.get(9)?,
            used: used(row, 10)?,
        })
    }
}

fn counts(row: &Row<'_>) -> rusqlite::Result<Counts> {
    let mut counts = Counts::default().values();
    for (at, count) in (COUNTS..).zip(&mut counts) {
        *count = row.get(at)?;
    }
    Ok(Counts::of(counts))
}

fn title_source(row: &Row<'_>, at: usize) -> rusqlite::Result<Option<TitleSource>> {
    let number: Option<usize> = row.get(at)?;
    Ok(number.and_then(|number| TitleSource::ALL.get(number).copied()))
}

fn number(row: &Row<'_>, at: usize) -> rusqlite::Result<u64> {
    row.get(at).map(i64::cast_unsigned)
}

/// Reads tokens, cost and quality, starting at a column.
fn used(row: &Row<'_>, at: usize) -> rusqlite::Result<Used> {
    let quality: i64 = row.get(at + 2)?;
    Ok(Used {
        tokens: number(row, at)?,
        cost: Money::from_picodollars(row.get::<_, i64>(at + 1)?.into()),
        is_low: quality & Used::LOW != 0,
        is_partial: quality & Used::PARTIAL != 0,
    })
}
