//! Which sessions have to be looked at, by what became of their files.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use rustc_hash::{FxHashMap, FxHashSet};
use sources::FileKey;
use sources::Found;
use sources::Head;
use sources::Neighbours;
use sources::Problem;
use sources::Source;
use sources::SourceKind;
use sources::Twin;
use sources::follow::{self, Change, FileId, Mark, Reading};

/// A file as the index knows it.
#[derive(Debug, Clone, Default)]
pub(super) struct Known {
    /// Its row.
    pub(super) id: i64,
    /// The row of its session.
    pub(super) session: i64,
    pub(super) mark: Mark,
    pub(super) head: Head,
    pub(super) is_archived: bool,
}

/// What has to be done.
#[derive(Debug, Default)]
pub(super) struct Plan<'s> {
    /// The files that hold lines of sessions.
    pub(super) there: FxHashMap<FileKey, &'s Source>,
    /// Sessions of which only files of subagents are left, by where their main files would be.
    pub(super) partial: FxHashMap<FileKey, Source>,
    /// Sessions to be told on or anew, by their main files.
    pub(super) sessions: BTreeMap<FileKey, Job>,
    /// Files that lie elsewhere now: their rows, and what they are there.
    pub(super) moved: Vec<(i64, &'s Source)>,
    /// Files that went to the archive, or came back from there.
    pub(super) shelved: Vec<(i64, bool)>,
    /// Files that changed in nothing but what the system says about them.
    pub(super) idle: Vec<(i64, Reading)>,
    /// The rows of files that are not there any more.
    pub(super) gone: Vec<i64>,
    pub(super) neighbours: Neighbours,
    pub(super) problems: Vec<Problem>,
}

/// What has to be done about a session.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Job {
    /// Whether it has to be told from the start, since files went or came that say who copied from whom.
    pub(super) anew: bool,
}

impl<'s> Plan<'s> {
    /// Compares what is known with what there is. What is known is brought up to date with moved files. Of the files
    /// that are not there, only those that are meant are gone.
    pub(super) fn of(
        known: &mut FxHashMap<FileKey, Known>,
        found: &'s Found,
        is_meant: &dyn Fn(&FileKey, &Known) -> bool,
    ) -> Self {
        let mut plan = Self::default();
        for source in &found.sources {
            if let (
                Some(key),
                SourceKind::Transcript | SourceKind::Subagent | SourceKind::Journal | SourceKind::Capture,
            ) = (source.input.key(), source.kind)
            {
                plan.there.insert(key, source);
            }
        }
        let mut lost = plan.find_lost(known, is_meant);
        let (grown, mut other) = plan.find_changed(known, &mut lost);
        other.extend(plan.find_paired(known));
        other.extend(plan.moved.iter().map(|(_, source)| *source));
        let heads = known.iter().filter(|(_, known)| known.head.is_whole());
        let heads = heads.map(|(key, known)| (key.clone(), known.head.clone()));
        plan.neighbours = Neighbours::of(found, heads.collect());
        let keyed = found.partial.iter().filter_map(|session| Some((session.input.key()?, session.clone())));
        plan.partial = keyed.collect();
        for source in &grown {
            let main = plan.main_of(source);
            plan.sessions.entry(main).or_default();
            plan.touch_relatives(source);
        }
        if !lost.is_empty() || !other.is_empty() {
            let kin = Kin::among(known);
            for source in other {
                let Some(key) = source.input.key() else { continue };
                let main = plan.main_of(source);
                plan.sessions.insert(main, Job { anew: true });
                plan.touch_relatives(source);
                plan.touch(kin.forks_of(&key));
            }
            for (key, row) in &lost {
                plan.touch(kin.forks_of(key));
                plan.touch(kin.of_session(row.session));
                plan.touch(kin.relatives_of(key, &row.head));
            }
        }
        plan
    }

    /// Takes files that are gone, or lie elsewhere now, out of what is known, and tells where they were.
    fn find_lost(
        &mut self,
        known: &mut FxHashMap<FileKey, Known>,
        is_meant: &dyn Fn(&FileKey, &Known) -> bool,
    ) -> Vec<(FileKey, Known)> {
        let is_gone = |key: &FileKey, row: &Known| !self.there.contains_key(key) && is_meant(key, row);
        let lost: Vec<_> = known.extract_if(|key, row| is_gone(key, row)).collect();
        if lost.is_empty() {
            return lost;
        }
        let mut gone: FxHashMap<FileId, &Known> = lost.iter().map(|(_, row)| (row.mark.id, row)).collect();
        for (key, source) in &self.there {
            if known.contains_key(key) || source.input.is_archived() {
                continue;
            }
            let id = fs::metadata(&key.path).map(|metadata| FileId::of(&metadata)).unwrap_or_default();
            let is_same = |row: &Known| match follow::look(&source.input, Some(&row.mark)) {
                Ok(reading) => reading.is_none_or(|reading| reading.change == Change::Grown),
                Err(_) => false,
            };
            if gone.get(&id).is_some_and(|row| is_same(row))
                && let Some(row) = gone.remove(&id)
            {
                self.moved.push((row.id, source));
                known.insert(key.clone(), row.clone());
            }
        }
        let moved: FxHashSet<i64> = self.moved.iter().map(|(id, _)| *id).collect();
        self.gone = lost.iter().map(|(_, row)| row.id).filter(|id| !moved.contains(id)).collect();
        lost
    }

    /// Files that have grown, and those that are new or hold something else than before. What these held is lost.
    fn find_changed(
        &mut self,
        known: &mut FxHashMap<FileKey, Known>,
        lost: &mut Vec<(FileKey, Known)>,
    ) -> (Vec<&'s Source>, Vec<&'s Source>) {
        let (mut grown, mut other) = (Vec::new(), Vec::new());
        for (key, source) in &self.there {
            let Some(row) = known.get_mut(key) else {
                other.push(*source);
                continue;
            };
            if row.is_archived != source.input.is_archived() {
                self.shelved.push((row.id, source.input.is_archived()));
            }
            match follow::look(&source.input, Some(&row.mark)) {
                Ok(None) => {}
                Ok(Some(reading)) if reading.is_idle() => self.idle.push((row.id, reading)),
                Ok(Some(reading)) if reading.change == Change::Grown => grown.push(*source),
                Ok(Some(_)) => {
                    lost.push((key.clone(), row.clone()));
                    row.head = Head::default();
                    other.push(*source);
                }
                Err(error) => self.problems.push(source.unreadable(error)),
            }
        }
        (grown, other)
    }

    /// Captures that were sessions of their own until now, or belong to another one: a transcript has turned up.
    fn find_paired(&self, known: &FxHashMap<FileKey, Known>) -> Vec<&'s Source> {
        let session = |key: &FileKey| known.get(key).map(|row| row.session);
        let is_new = |source: &&&Source| match (&source.twin, source.input.key()) {
            (Twin::CaptureOf(main), Some(key)) => session(&key).is_some() && session(&key) != session(main),
            _ => false,
        };
        self.there.values().filter(is_new).copied().collect()
    }

    /// Which of several sessions with the same beginning is the first may depend on how each goes on.
    fn touch_relatives(&mut self, source: &Source) {
        if source.kind == SourceKind::Transcript {
            for relative in self.neighbours.relatives(source) {
                self.sessions.insert(relative, Job { anew: true });
            }
        }
    }

    fn touch(&mut self, files: &[&FileKey]) {
        for key in files {
            if let Some(source) = self.there.get(*key).copied() {
                let main = self.main_of(source);
                self.sessions.insert(main, Job { anew: true });
            }
        }
    }

    /// Where the main file of a session is, or would be.
    fn main_of(&mut self, source: &Source) -> FileKey {
        let is_there = |main: &FileKey| self.there.contains_key(main) || self.partial.contains_key(main);
        if let Some(session) = self.neighbours.partial_of(source, is_there)
            && let Some(key) = session.input.key()
        {
            self.partial.insert(key.clone(), session);
            return key;
        }
        self.neighbours.main_of(source)
    }

    /// A session by its main file.
    pub(super) fn session(&self, main: &FileKey) -> Option<&Source> {
        self.there.get(main).copied().or_else(|| self.partial.get(main))
    }
}

/// A folder of a machine, and what files in it have in common.
type Shared<'k> = (&'k str, &'k str, &'k Path, &'k str);

fn shared<'k>(key: &'k FileKey, what: &'k str) -> Shared<'k> {
    (&key.tenant, &key.machine, key.path.parent().unwrap_or(&key.path), what)
}

/// Which files have to do with each other.
#[derive(Debug, Default)]
struct Kin<'k> {
    /// By the session.
    sessions: FxHashMap<i64, Vec<&'k FileKey>>,
    /// By the folder and the first entry.
    firsts: FxHashMap<Shared<'k>, Vec<&'k FileKey>>,
    /// By the folder and the session that was copied.
    origins: FxHashMap<Shared<'k>, Vec<&'k FileKey>>,
}

impl<'k> Kin<'k> {
    fn among(known: &'k FxHashMap<FileKey, Known>) -> Self {
        let mut kin = Self::default();
        for (key, row) in known {
            kin.sessions.entry(row.session).or_default().push(key);
            if let Some(first) = &row.head.first {
                kin.firsts.entry(shared(key, first)).or_default().push(key);
            }
            if let Some(origin) = &row.head.forked_from {
                kin.origins.entry(shared(key, origin)).or_default().push(key);
            }
        }
        kin
    }

    /// Sessions that say they were copied from this one.
    fn forks_of<'p>(&'p self, key: &'p FileKey) -> &'p [&'k FileKey] {
        let name = key.path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
        self.origins.get(&shared(key, name)).map_or(&[], Vec::as_slice)
    }

    /// The other files of the session that a file was in.
    fn of_session(&self, session: i64) -> &[&'k FileKey] {
        self.sessions.get(&session).map_or(&[], Vec::as_slice)
    }

    /// Sessions in the same folder that begin as this one did.
    fn relatives_of<'p>(&'p self, key: &'p FileKey, head: &'p Head) -> &'p [&'k FileKey] {
        let first = head.first.as_deref().unwrap_or_default();
        self.firsts.get(&shared(key, first)).map_or(&[], Vec::as_slice)
    }
}
