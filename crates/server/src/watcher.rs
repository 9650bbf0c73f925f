//! Notices what changes below config roots.
//!
//! The system tells of changes where it can. It does not tell of all: of files that are made right after their folder, of
//! what happens on other machines, and of anything once its limits are reached. So everything is looked at now and then,
//! and often if the system does not tell at all.

use std::collections::HashSet;
use std::path::PathBuf;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::{Duration, Instant};

use library::Root;
use notify::{RecommendedWatcher, RecursiveMode, Watcher as _};

/// How often everything is looked at, if the system tells of changes and if it does not.
const NET: Duration = Duration::from_secs(15);
const POLL: Duration = Duration::from_secs(1);

/// Changes that come close together are looked at together.
const BREATH: Duration = Duration::from_millis(10);

/// Who notices.
pub(crate) struct Watcher {
    events: Receiver<notify::Result<notify::Event>>,
    /// None if the system does not tell.
    system: Option<RecommendedWatcher>,
    /// Wakes it up.
    bell: Sender<notify::Result<notify::Event>>,
    looked: Instant,
    watched: HashSet<PathBuf>,
}

/// What changed.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Changes {
    /// These files.
    pub(crate) files: HashSet<PathBuf>,
    /// What processes say about themselves.
    pub(crate) is_processes: bool,
    /// Anything may have.
    pub(crate) is_anything: bool,
}

impl Watcher {
    /// Watches what is below roots. If the system cannot tell, the reason comes along.
    pub(crate) fn new(roots: &[Root]) -> (Self, Option<String>) {
        let (sender, events) = channel();
        let (system, why) = match notify::recommended_watcher(sender.clone()) {
            Ok(system) => (Some(system), None),
            Err(error) => (None, Some(error.to_string())),
        };
        let mut watcher = Self { events, system, bell: sender, looked: Instant::now(), watched: HashSet::new() };
        let why = why.or_else(|| watcher.watch(roots));
        (watcher, why)
    }

    /// Watches what is there by now. Says why the system cannot tell, if that is so.
    pub(crate) fn watch(&mut self, roots: &[Root]) -> Option<String> {
        let system = self.system.as_mut()?;
        for root in roots.iter().filter(|root| !root.is_archive()) {
            for (folder, mode) in [("projects", RecursiveMode::Recursive), ("sessions", RecursiveMode::NonRecursive)] {
                let folder = root.path.join(folder);
                if self.watched.contains(&folder) || !folder.is_dir() {
                    continue;
                }
                if let Err(error) = system.watch(&folder, mode) {
                    self.system = None;
                    return Some(error.to_string());
                }
                self.watched.insert(folder);
            }
        }
        None
    }

    /// Something that wakes it up, until it is gone: then that says so.
    pub(crate) fn bell(&self) -> impl Fn() -> bool + Send + use<> {
        let bell = self.bell.clone();
        move || bell.send(Ok(notify::Event::default())).is_ok()
    }

    /// Whether the system tells of changes.
    pub(crate) fn is_told(&self) -> bool {
        self.system.is_some()
    }

    /// Waits until something may have changed, or until it is time for something else.
    pub(crate) fn wait(&mut self, most: Duration) -> Changes {
        let mut changes = Changes::default();
        let every = if self.is_told() { NET } else { POLL };
        let mut end = (Instant::now() + most).min(self.looked + every);
        let mut is_first = true;
        while let Ok(event) = self.events.recv_timeout(end.saturating_duration_since(Instant::now())) {
            if changes.add(event) && std::mem::take(&mut is_first) {
                end = end.min(Instant::now() + BREATH);
            }
        }
        // However many have come meanwhile, they are looked at together.
        for event in self.events.try_iter() {
            changes.add(event);
        }
        if self.looked.elapsed() >= every {
            changes.is_anything = true;
        }
        // Nobody tells.
        changes.is_processes |= !self.is_told();
        if changes.is_anything {
            self.looked = Instant::now();
        }
        changes
    }
}

impl Changes {
    /// Takes note of what the system tells. Says whether it is something.
    fn add(&mut self, event: notify::Result<notify::Event>) -> bool {
        let Ok(event) = event else {
            // It may have lost some.
            self.is_anything = true;
            return true;
        };
        // Reading is no change, above all not our own.
        if event.kind.is_access() {
            return false;
        }
        self.is_anything |= event.need_rescan();
        for path in event.paths {
            match path.extension().and_then(|ending| ending.to_str()) {
                Some("jsonl") => drop(self.files.insert(path)),
                Some("json") => self.is_processes = true,
                // A folder: what was made in it at once may have been missed.
                None => self.is_anything |= event.kind.is_create() || event.kind.is_remove(),
                Some(_) => {}
            }
        }
        true
    }
}
