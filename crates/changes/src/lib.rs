//! The changes of a session to files: one patch per file, from its first to its last state.
//!
//! A story lists the calls that changed something, in order; their lines contain the details. Each file has a
//! `history`, which applies one change after another to a `sketch` of the file: all of it where all of it is known,
//! else the parts that patches and readings reveal, with gaps between them. `compose` compares the result with the
//! first state. A change that does not fit the sketch means that something else changed the file in between; then the
//! changes so far become a patch of their own, and a new sketch begins.
//!
//! Changes by commands are not known. Failed calls change nothing.

mod call;
mod compose;
mod edit;
mod history;
mod indent;
mod order;
mod path;
mod reveal;
mod seen;
mod sketch;
mod unified;

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;
use story::{Story, Texts};

pub use compose::{FileLine, Hunk, Patch};
use content::view::with_call;
use format::Reach;
use history::History;
pub use history::Unplaced;
use human::counted;
use order::{Ordered, calls_in_order};
pub use path::FilePath;
use path::Project;
pub use sketch::Base;

/// Which changes to collect. By default all of the conversation and its agents.
#[derive(Debug, Clone, Default)]
pub struct ChangeFilter {
    /// Only from this turn on.
    pub since_turn: Option<u64>,
    /// Include rewound branches.
    pub branches: bool,
    /// Only files that match one of these, if there are any: a path, parts of one, or a folder.
    pub files: Vec<String>,
}

/// The changes of a session.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Changes {
    /// The title of the session.
    pub title: String,
    /// The session id.
    pub session: String,
    /// Its working directory.
    pub project: Option<String>,
    /// The first turn that is included, if not the first of all.
    pub since_turn: Option<u64>,
    /// The files by name; those outside the project last.
    pub files: Vec<FileChange>,
    /// How many commands were run: their changes are not known.
    pub commands: usize,
    /// How many changes on rewound branches are left out.
    pub on_branches: usize,
    /// How many calls could not be read.
    pub unreadable: usize,
    /// Whether the user named these files.
    named: bool,
}

/// The changes of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileChange {
    /// The file.
    pub path: FilePath,
    /// The patches; several in order if something else changed the file in between.
    pub patches: Vec<Patch>,
    /// Changes without a known position.
    pub unplaced: Vec<Unplaced>,
    /// How many calls changed it.
    pub calls: usize,
    /// The first and the last turn in which it was changed.
    pub turns: (u64, u64),
}

impl FileChange {
    /// The number of added and of removed lines.
    pub fn counts(&self) -> (usize, usize) {
        let patched = self.patches.iter().map(Patch::counts);
        let unplaced = self.unplaced.iter().map(|change| (change.new.lines().count(), change.old.lines().count()));
        patched.chain(unplaced).fold((0, 0), |sum, (added, removed)| (sum.0 + added, sum.1 + removed))
    }

    /// Whether the patches contain all changes.
    pub fn is_whole(&self) -> bool {
        self.unplaced.is_empty() && self.patches.iter().all(|patch| patch.base != Base::Lost)
    }

    /// Notes for the reader.
    pub fn notes(&self) -> Vec<&'static str> {
        let is_new = self.patches.first().is_some_and(|patch| patch.base == Base::Absent);
        let is_lost = self.patches.iter().any(|patch| patch.base == Base::Lost);
        let notes = [
            (is_new, "new"),
            (self.patches.len() > 1, "changed elsewhere in between"),
            (is_lost, "rewritten, previous content unknown"),
            (self.patches.iter().any(|patch| patch.is_guessed), "tabs or spaces at some lines are a guess"),
            (!self.unplaced.is_empty(), "in part, position unknown"),
        ];
        notes.into_iter().filter_map(|(is_so, note)| is_so.then_some(note)).collect()
    }
}

impl Changes {
    /// Collects the changes of a session.
    pub fn of(story: &Story, texts: &mut dyn Texts, filter: &ChangeFilter) -> Self {
        let project = Project::new(story.facts.folder.as_deref());
        let ordered = calls_in_order(story, filter.branches);
        let mut gathering = Gathering { histories: FxHashMap::default(), project, filter };
        let mut changes = Self {
            title: content::wording::title(&story.facts),
            session: story.facts.id.to_string(),
            project: story.facts.folder.as_deref().map(str::to_owned),
            since_turn: filter.since_turn,
            commands: ordered.commands,
            on_branches: ordered.on_branches,
            unreadable: gathering.gather(story, texts, &ordered),
            named: !filter.files.is_empty(),
            files: Vec::new(),
        };
        changes.files = gathering.finish();
        changes
    }

    /// The files that a patch can contain: those of the project, and others if the user named them.
    pub fn in_patch(&self) -> impl Iterator<Item = &FileChange> {
        self.files.iter().filter(|file| self.named || !file.path.outside)
    }

    /// The changes as a patch for `git apply` and `patch -p1`.
    pub fn patch(&self) -> String {
        unified::text(self)
    }

    /// Notes on what is missing from the changes.
    pub fn notes(&self) -> Vec<String> {
        let commands = (self.commands > 0).then(|| {
            let commands = counted(self.commands as u64, "shell command", "shell commands");
            format!("Changes made by {commands} are unknown.")
        });
        let branches = (self.on_branches > 0).then(|| {
            let changes = counted(self.on_branches as u64, "change", "changes");
            format!("{changes} on rewound branches: not included.")
        });
        [commands, branches].into_iter().flatten().collect()
    }

    /// The number of added and of removed lines.
    pub fn counts(&self) -> (usize, usize) {
        let counts = self.files.iter().map(FileChange::counts);
        counts.fold((0, 0), |sum, (added, removed)| (sum.0 + added, sum.1 + removed))
    }
}

/// The files whose histories are being collected.
struct Gathering<'w> {
    histories: FxHashMap<String, Entry>,
    project: Project,
    filter: &'w ChangeFilter,
}

/// The history of a file, and its authors.
#[derive(Default)]
struct Entry {
    history: History,
    calls: usize,
    turns: (u64, u64),
}

impl Gathering<'_> {
    /// Reads all calls; returns how many could not be read.
    fn gather(&mut self, story: &Story, texts: &mut dyn Texts, ordered: &Ordered<'_>) -> usize {
        let mut unreadable = 0;
        for change in ordered.calls.iter().filter(|call| call.changes) {
            let (path, is_read) = with_call(story, texts, change.step, change.call, Reach::Story, |parts| {
                (call::path(parts).map(str::to_owned), parts.result_missing.is_none() && parts.input_missing.is_none())
            });
            unreadable += usize::from(!is_read);
            if let Some(path) = path.map(|path| self.project.absolute(&path)).filter(|path| self.wants(path)) {
                self.histories.entry(path).or_default();
            }
        }
        let mut is_before = self.filter.since_turn.is_some();
        for change in &ordered.calls {
            if is_before && self.filter.since_turn.is_none_or(|since| change.turn >= since) {
                is_before = false;
                self.histories.values_mut().for_each(|entry| *entry = entry.rebased());
            }
            with_call(story, texts, change.step, change.call, Reach::Everything, |parts| {
                let path = call::path(parts).map(|path| self.project.absolute(path));
                let Some(entry) = path.and_then(|path| self.histories.get_mut(&path)) else { return };
                if call::add_call(&mut entry.history, parts) && !is_before {
                    entry.calls += 1;
                    entry.turns = (if entry.calls == 1 { change.turn } else { entry.turns.0 }, change.turn);
                }
            });
        }
        if is_before {
            self.histories.clear();
        }
        unreadable
    }

    fn wants(&self, path: &str) -> bool {
        let file = self.project.file(path.to_owned());
        self.filter.files.is_empty() || self.filter.files.iter().any(|words| file.is_meant_by(words, &self.project))
    }

    fn finish(self) -> Vec<FileChange> {
        let mut files = BTreeMap::new();
        for (path, Entry { history, calls, turns }) in self.histories {
            let path = self.project.file(path);
            let (patches, unplaced) = history.finish();
            if !patches.is_empty() || !unplaced.is_empty() {
                files.insert(path.clone(), FileChange { path, patches, unplaced, calls, turns });
            }
        }
        files.into_values().collect()
    }
}

impl Entry {
    /// The same, starting over from here.
    fn rebased(&mut self) -> Self {
        let mut history = std::mem::take(&mut self.history);
        history.rebase();
        Self { history, ..Self::default() }
    }
}
