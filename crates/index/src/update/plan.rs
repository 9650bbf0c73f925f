//! Decides which sessions need an update, from the changes of their files.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use rustc_hash::{FxHashMap, FxHashSet};
use sources::FileKey;
use sources::FoundSources;
use sources::Head;
use sources::Neighbours;
use sources::Problem;
use sources::Source;
use sources::SourceKind;
use sources::Twin;
use sources::follow::{self, Change, FileId, Mark, Reading};
use sources::prompts::split_prompts;

/// A file in the index.
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

/// The work of an update.
#[derive(Debug, Default)]
pub(super) struct Plan<'s> {
    /// The files that contain lines of sessions.
    pub(super) there: FxHashMap<FileKey, &'s Source>,
    /// Sessions of which only subagent files or prompts are left, by the path of the missing main file.
    pub(super) partial: FxHashMap<FileKey, Source>,
    /// Sessions to extend or rebuild, by their main files.
    pub(super) sessions: BTreeMap<FileKey, Job>,
    /// Moved files: their rows and new locations.
    pub(super) moved: Vec<(i64, &'s Source)>,
    /// Files that moved into the archive or out of it.
    pub(super) shelved: Vec<(i64, bool)>,
    /// Files of which only the metadata changed.
    pub(super) idle: Vec<(i64, Reading)>,
    /// The rows of deleted files.
    pub(super) gone: Vec<i64>,
    pub(super) neighbours: Neighbours,
    pub(super) problems: Vec<Problem>,
}

/// The work for a session.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Job {
    /// Whether it is rebuilt, because files that determine copies were added or removed.
    pub(super) anew: bool,
}

impl<'s> Plan<'s> {
    /// Compares the index with the files on the disk, and updates `known` for moved files. Only missing files within
    /// the selected folders count as deleted.
    pub(super) fn of(
        known: &mut FxHashMap<FileKey, Known>,
        found: &'s FoundSources,
        is_meant: &dyn Fn(&FileKey, &Known) -> bool,
    ) -> Self {
        let mut plan = Self::default();
        let earlier = found.sources.iter().flat_map(|source| &source.earlier);
        for source in found.sources.iter().chain(earlier) {
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
                if source.kind == SourceKind::Transcript && source.input.earlier_of().is_none() {
                    let session = plan.neighbours.head(source).session.unwrap_or_default();
                    for owner in kin.owners_of_agents(&key, &session) {
                        plan.touch(kin.of_session(*owner));
                    }
                }
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

    /// Removes deleted files from `known`, updates the keys of moved files, and returns the former locations of both.
    fn find_lost(
        &mut self,
        known: &mut FxHashMap<FileKey, Known>,
        is_meant: &dyn Fn(&FileKey, &Known) -> bool,
    ) -> Vec<(FileKey, Known)> {
        // Prompts are no files: see `add_prompts`.
        let is_gone = |key: &FileKey, row: &Known| {
            !self.there.contains_key(key) && split_prompts(&key.path).is_none() && is_meant(key, row)
        };
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

    /// Finds files that have grown, and files that are new or were replaced. The indexed content of replaced files is
    /// dropped. A file that does not look like a transcript is left alone.
    fn find_changed(
        &mut self,
        known: &mut FxHashMap<FileKey, Known>,
        lost: &mut Vec<(FileKey, Known)>,
    ) -> (Vec<&'s Source>, Vec<&'s Source>) {
        let (mut grown, mut other, mut alien) = (Vec::new(), Vec::new(), Vec::new());
        for (key, source) in &self.there {
            let Some(row) = known.get_mut(key) else {
                let files = if source.looks_like_transcript() { &mut other } else { &mut alien };
                files.push(*source);
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
                    let files = if source.looks_like_transcript() { &mut other } else { &mut alien };
                    files.push(*source);
                }
                Err(error) => self.problems.push(source.unreadable(error)),
            }
        }
        for key in alien.into_iter().filter_map(|source| source.input.key()) {
            self.there.remove(&key);
            self.gone.extend(known.remove(&key).map(|row| row.id));
        }
        (grown, other)
    }

    /// Adds the sessions of which only prompts are left. The prompts of other sessions are dropped.
    pub(super) fn add_prompts(
        &mut self,
        known: &mut FxHashMap<FileKey, Known>,
        prompts: Vec<Source>,
        is_meant: &dyn Fn(&FileKey, &Known) -> bool,
    ) {
        let prompts: FxHashMap<FileKey, Source> =
            prompts.into_iter().filter_map(|session| Some((session.input.key()?, session))).collect();
        let is_gone = |key: &FileKey, row: &Known| {
            split_prompts(&key.path).is_some() && !prompts.contains_key(key) && is_meant(key, row)
        };
        self.gone.extend(known.extract_if(|key, row| is_gone(key, row)).map(|(_, row)| row.id));
        for (key, session) in prompts {
            let job = match known.get(&key) {
                None => Some(Job { anew: true }),
                Some(row) => {
                    if row.is_archived != session.input.is_archived() {
                        self.shelved.push((row.id, session.input.is_archived()));
                    }
                    match follow::look(&session.input, Some(&row.mark)) {
                        Ok(None) => None,
                        Ok(Some(reading)) if reading.is_idle() => {
                            self.idle.push((row.id, reading));
                            None
                        }
                        Ok(Some(reading)) => Some(Job { anew: reading.change != Change::Grown }),
                        Err(error) => {
                            self.problems.push(session.unreadable(error));
                            None
                        }
                    }
                }
            };
            if let Some(job) = job {
                self.sessions.insert(key.clone(), job);
            }
            self.partial.insert(key, session);
        }
    }

    /// Captures whose session has changed because a transcript has appeared.
    fn find_paired(&self, known: &FxHashMap<FileKey, Known>) -> Vec<&'s Source> {
        let session = |key: &FileKey| known.get(key).map(|row| row.session);
        let is_new = |source: &&&Source| match (&source.twin, source.input.key()) {
            (Twin::CaptureOf(main), Some(key)) => session(&key).is_some() && session(&key) != session(main),
            _ => false,
        };
        self.there.values().filter(is_new).copied().collect()
    }

    /// Of several sessions with the same beginning, the order may depend on how each continues.
    fn touch_relatives(&mut self, source: &Source) {
        if source.kind == SourceKind::Transcript && source.input.earlier_of().is_none() {
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

    /// The path of the main file of a session, even if it is missing.
    pub(super) fn main_of(&mut self, source: &Source) -> FileKey {
        let is_there = |main: &FileKey| self.there.contains_key(main) || self.partial.contains_key(main);
        if let Some(session) = self.neighbours.partial_of(source, is_there)
            && let Some(key) = session.input.key()
        {
            self.partial.insert(key.clone(), session);
            return key;
        }
        self.neighbours.main_of(source)
    }

    /// The session with this main file.
    pub(super) fn session(&self, main: &FileKey) -> Option<&Source> {
        self.there.get(main).copied().or_else(|| self.partial.get(main))
    }
}

/// A folder of a machine, and a value that its files share.
type Shared<'k> = (&'k str, &'k str, &'k Path, &'k str);

fn shared<'k>(key: &'k FileKey, what: &'k str) -> Shared<'k> {
    (&key.tenant, &key.machine, key.path.parent().unwrap_or(&key.path), what)
}

/// The relations between files.
#[derive(Debug, Default)]
struct Kin<'k> {
    /// Files by session.
    sessions: FxHashMap<i64, Vec<&'k FileKey>>,
    /// Files by folder and first entry.
    firsts: FxHashMap<Shared<'k>, Vec<&'k FileKey>>,
    /// Sessions by folder and the session that agents beside them name.
    owners: FxHashMap<Shared<'k>, Vec<i64>>,
    /// Files by folder and copied session.
    origins: FxHashMap<Shared<'k>, Vec<&'k FileKey>>,
}

impl<'k> Kin<'k> {
    fn among(known: &'k FxHashMap<FileKey, Known>) -> Self {
        let mut kin = Self::default();
        for (key, row) in known {
            kin.sessions.entry(row.session).or_default().push(key);
            if let (SourceKind::Subagent, Some(session)) = (SourceKind::of(&key.path), &row.head.session) {
                kin.owners.entry(shared(key, session)).or_default().push(row.session);
            }
            if let Some(first) = &row.head.first {
                kin.firsts.entry(shared(key, first)).or_default().push(key);
            }
            if let Some(origin) = &row.head.forked_from {
                kin.origins.entry(shared(key, origin)).or_default().push(key);
            }
        }
        kin
    }

    /// Sessions that name this one as their origin.
    fn forks_of<'p>(&'p self, key: &'p FileKey) -> &'p [&'k FileKey] {
        let name = key.path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
        self.origins.get(&shared(key, name)).map_or(&[], Vec::as_slice)
    }

    /// The sessions that have agents of this session, in the layout of versions 2.0 to 2.1.2: a new file of the session
    /// may take them.
    fn owners_of_agents<'p>(&'p self, key: &'p FileKey, session: &'p str) -> &'p [i64] {
        self.owners.get(&shared(key, session)).map_or(&[], Vec::as_slice)
    }

    /// The other files of a session.
    fn of_session(&self, session: i64) -> &[&'k FileKey] {
        self.sessions.get(&session).map_or(&[], Vec::as_slice)
    }

    /// Sessions in the same folder with the same beginning.
    fn relatives_of<'p>(&'p self, key: &'p FileKey, head: &'p Head) -> &'p [&'k FileKey] {
        let first = head.first.as_deref().unwrap_or_default();
        self.firsts.get(&shared(key, first)).map_or(&[], Vec::as_slice)
    }
}
