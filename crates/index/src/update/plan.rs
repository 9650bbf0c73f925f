//! Which sessions have to be looked at, by what became of their files.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use rustc_hash::{FxHashMap, FxHashSet};
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
    pub(super) there: FxHashMap<&'s Path, &'s Source>,
    /// Sessions to be told on or anew, by their main files.
    pub(super) sessions: BTreeMap<PathBuf, Job>,
    /// Files that lie elsewhere now: their rows, and where.
    pub(super) moved: Vec<(i64, PathBuf)>,
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
        known: &mut FxHashMap<PathBuf, Known>,
        sources: &'s [Source],
        is_meant: &dyn Fn(&Path, &Known) -> bool,
    ) -> Self {
        let mut plan = Self::default();
        for source in sources {
            if let (
                Some(path),
                SourceKind::Transcript | SourceKind::Subagent | SourceKind::Journal | SourceKind::Capture,
            ) = (source.input.path(), source.kind)
            {
                plan.there.insert(path, source);
            }
        }
        let mut lost = plan.find_lost(known, is_meant);
        let (grown, mut other) = plan.find_changed(known, &mut lost);
        other.extend(plan.find_paired(known));
        other.extend(plan.moved.iter().filter_map(|(_, path)| plan.there.get(path.as_path()).copied()));
        let heads = known.iter().filter(|(_, known)| known.head.is_whole());
        let heads = heads.map(|(path, known)| (path.clone(), known.head.clone()));
        plan.neighbours = Neighbours::with_heads(heads.collect());
        for source in &grown {
            plan.sessions.entry(plan.neighbours.main_of(source)).or_default();
            plan.touch_relatives(source);
        }
        if !lost.is_empty() || !other.is_empty() {
            let kin = Kin::among(known);
            for source in other {
                let Some(path) = source.input.path() else { continue };
                plan.sessions.insert(plan.neighbours.main_of(source), Job { anew: true });
                plan.touch_relatives(source);
                plan.touch(kin.forks_of(path));
            }
            for (path, row) in &lost {
                plan.touch(kin.forks_of(path));
                plan.touch(kin.of_session(row.session));
                plan.touch(kin.relatives_of(path, &row.head));
            }
        }
        plan
    }

    /// Takes files that are gone, or lie elsewhere now, out of what is known, and tells where they were.
    fn find_lost(
        &mut self,
        known: &mut FxHashMap<PathBuf, Known>,
        is_meant: &dyn Fn(&Path, &Known) -> bool,
    ) -> Vec<(PathBuf, Known)> {
        let is_gone = |path: &Path, row: &Known| !self.there.contains_key(path) && is_meant(path, row);
        let lost: Vec<_> = known.extract_if(|path, row| is_gone(path, row)).collect();
        if lost.is_empty() {
            return lost;
        }
        let mut gone: FxHashMap<FileId, &Known> = lost.iter().map(|(_, row)| (row.mark.id, row)).collect();
        for (path, source) in &self.there {
            if known.contains_key(*path) || source.input.is_archived() {
                continue;
            }
            let id = fs::metadata(path).map(|metadata| FileId::of(&metadata)).unwrap_or_default();
            let is_same = |row: &Known| match follow::look(&source.input, Some(&row.mark)) {
                Ok(reading) => reading.is_none_or(|reading| reading.change == Change::Grown),
                Err(_) => false,
            };
            if gone.get(&id).is_some_and(|row| is_same(row))
                && let Some(row) = gone.remove(&id)
            {
                self.moved.push((row.id, path.to_path_buf()));
                known.insert(path.to_path_buf(), row.clone());
            }
        }
        let moved: FxHashSet<i64> = self.moved.iter().map(|(id, _)| *id).collect();
        self.gone = lost.iter().map(|(_, row)| row.id).filter(|id| !moved.contains(id)).collect();
        lost
    }

    /// Files that have grown, and those that are new or hold something else than before. What these held is lost.
    fn find_changed(
        &mut self,
        known: &mut FxHashMap<PathBuf, Known>,
        lost: &mut Vec<(PathBuf, Known)>,
    ) -> (Vec<&'s Source>, Vec<&'s Source>) {
        let (mut grown, mut other) = (Vec::new(), Vec::new());
        for (path, source) in &self.there {
            let Some(row) = known.get_mut(*path) else {
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
                    lost.push((path.to_path_buf(), row.clone()));
                    row.head = Head::default();
                    other.push(*source);
                }
                Err(error) => self.problems.push(source.unreadable(error)),
            }
        }
        (grown, other)
    }

    /// Captures that were sessions of their own until now, or belong to another one: a transcript has turned up.
    fn find_paired(&self, known: &FxHashMap<PathBuf, Known>) -> Vec<&'s Source> {
        let session = |path: &Path| known.get(path).map(|row| row.session);
        let is_new = |source: &&&Source| match (&source.twin, source.input.path()) {
            (Twin::CaptureOf(main), Some(path)) => session(path).is_some() && session(path) != session(main),
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

    fn touch(&mut self, files: &[&Path]) {
        for path in files {
            if let Some(source) = self.there.get(*path) {
                self.sessions.insert(self.neighbours.main_of(source), Job { anew: true });
            }
        }
    }
}

/// Which files have to do with each other.
#[derive(Debug, Default)]
struct Kin<'k> {
    /// By the session.
    sessions: FxHashMap<i64, Vec<&'k Path>>,
    /// By the folder and the first entry.
    firsts: FxHashMap<(&'k Path, &'k str), Vec<&'k Path>>,
    /// By the folder and the session that was copied.
    origins: FxHashMap<(&'k Path, &'k str), Vec<&'k Path>>,
}

impl<'k> Kin<'k> {
    fn among(known: &'k FxHashMap<PathBuf, Known>) -> Self {
        let mut kin = Self::default();
        for (path, row) in known {
            let folder = path.parent().unwrap_or(path);
            kin.sessions.entry(row.session).or_default().push(path);
            if let Some(first) = &row.head.first {
                kin.firsts.entry((folder, first)).or_default().push(path);
            }
            if let Some(origin) = &row.head.forked_from {
                kin.origins.entry((folder, origin)).or_default().push(path);
            }
        }
        kin
    }

    /// Sessions that say they were copied from this one.
    fn forks_of<'p>(&'p self, path: &'p Path) -> &'p [&'k Path] {
        let name = path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
        self.origins.get(&(path.parent().unwrap_or(path), name)).map_or(&[], Vec::as_slice)
    }

    /// The other files of the session that a file was in.
    fn of_session(&self, session: i64) -> &[&'k Path] {
        self.sessions.get(&session).map_or(&[], Vec::as_slice)
    }

    /// Sessions in the same folder that begin as this one did.
    fn relatives_of<'p>(&'p self, path: &'p Path, head: &'p Head) -> &'p [&'k Path] {
        let first = head.first.as_deref().unwrap_or_default();
        self.firsts.get(&(path.parent().unwrap_or(path), first)).map_or(&[], Vec::as_slice)
    }
}
