//! The watcher that notices changes below the roots.
//!
//! The system reports changes where it can, but not all: it misses files that are created right after their folder,
//! changes by other machines, and everything beyond its limits. So everything is checked from time to time, and often
//! if the system reports nothing.

use std::collections::HashSet;
use std::path::PathBuf;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::{Duration, Instant};

use notify::RecursiveMode;
use sources::Root;

/// Interval between full checks, with and without reports from the system.
const NET: Duration = Duration::from_secs(15);
const POLL: Duration = Duration::from_secs(1);

/// Changes within this interval are handled together.
const BREATH: Duration = Duration::from_millis(10);

/// The watcher.
pub(crate) struct Watcher {
    events: Receiver<notify::Result<notify::Event>>,
    /// `None` if the system reports no changes.
    system: Option<Box<dyn notify::Watcher + Send>>,
    /// Wakes the watcher.
    bell: Sender<notify::Result<notify::Event>>,
    looked: Instant,
    watched: HashSet<PathBuf>,
    /// Why the system stopped reporting.
    why: Option<String>,
}

/// What changed.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Changes {
    /// These files changed.
    pub(crate) files: HashSet<PathBuf>,
    /// The files that processes register themselves in changed.
    pub(crate) is_processes: bool,
    /// Anything may have changed.
    pub(crate) is_anything: bool,
}

impl Watcher {
    /// Watches the roots. If the system cannot report changes, returns the reason as well.
    pub(crate) fn new(roots: &[Root]) -> (Self, Option<String>) {
        let (bell, events) = channel();
        let system = notify::recommended_watcher(bell.clone());
        Self::told_by(system.map(|system| Box::new(system) as _), (bell, events), roots)
    }

    fn told_by(
        system: notify::Result<Box<dyn notify::Watcher + Send>>,
        (bell, events): (Sender<notify::Result<notify::Event>>, Receiver<notify::Result<notify::Event>>),
        roots: &[Root],
    ) -> (Self, Option<String>) {
        let (system, why) = match system {
            Ok(system) => (Some(system), None),
            Err(error) => (None, Some(error.to_string())),
        };
        let mut watcher = Self { events, system, bell, looked: Instant::now(), watched: HashSet::new(), why: None };
        let why = why.or_else(|| watcher.watch(roots));
        (watcher, why)
    }

    /// Watches the folders that exist by now. Returns the reason if the system cannot report changes.
    pub(crate) fn watch(&mut self, roots: &[Root]) -> Option<String> {
        // Transcripts, registered processes, and captures.
        const FOLDERS: [(&str, RecursiveMode); 3] = [
            ("projects", RecursiveMode::Recursive),
            ("sessions", RecursiveMode::NonRecursive),
            ("conversations", RecursiveMode::Recursive),
        ];
        let Some(system) = self.system.as_mut() else { return self.why.take() };
        for root in roots.iter().filter(|root| !root.is_archive()) {
            for (folder, mode) in FOLDERS {
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

    /// A function that wakes the watcher. It returns false once the watcher is gone.
    pub(crate) fn bell(&self) -> impl Fn() -> bool + Send + use<> {
        let bell = self.bell.clone();
        move || bell.send(Ok(notify::Event::default())).is_ok()
    }

    /// Whether the system reports changes.
    pub(crate) fn is_told(&self) -> bool {
        self.system.is_some()
    }

    /// Waits until something may have changed, or until the time is up.
    pub(crate) fn wait(&mut self, most: Duration) -> Changes {
        let mut changes = Changes::default();
        let every = if self.is_told() { NET } else { POLL };
        let mut end = (Instant::now() + most).min(self.looked + every);
        let mut is_first = true;
        while let Ok(event) = self.events.recv_timeout(end.saturating_duration_since(Instant::now())) {
            if self.hear(event, &mut changes) && std::mem::take(&mut is_first) {
                end = end.min(Instant::now() + BREATH);
            }
        }
        // All changes that have arrived by now are handled together.
        while let Ok(event) = self.events.try_recv() {
            self.hear(event, &mut changes);
        }
        if self.looked.elapsed() >= every {
            changes.is_anything = true;
        }
        // Without reports, the processes may have changed at any time.
        changes.is_processes |= !self.is_told();
        if changes.is_anything {
            self.looked = Instant::now();
        }
        changes
    }

    /// Records an event of the system. Returns whether it is a change.
    fn hear(&mut self, event: notify::Result<notify::Event>, changes: &mut Changes) -> bool {
        match event {
            Ok(event) => {
                if event.kind.is_remove() {
                    // The folder may be created again.
                    self.watched.retain(|folder| !event.paths.contains(folder));
                }
                changes.add(event)
            }
            Err(error) => {
                // The system may have lost events; beyond its limit of folders, it reports only some.
                changes.is_anything = true;
                if matches!(error.kind, notify::ErrorKind::MaxFilesWatch) {
                    (self.system, self.why) = (None, Some(error.to_string()));
                }
                true
            }
        }
    }
}

impl Changes {
    /// Records an event of the system. Returns whether it is a change.
    fn add(&mut self, event: notify::Event) -> bool {
        // Reading is not a change, above all not our own.
        if event.kind.is_access() {
            return false;
        }
        self.is_anything |= event.need_rescan();
        for path in event.paths {
            match path.extension().and_then(|ending| ending.to_str()) {
                Some("jsonl") => drop(self.files.insert(path)),
                Some("json") => self.is_processes = true,
                // A folder: files that were created in it right away may have been missed.
                None => self.is_anything |= event.kind.is_create() || event.kind.is_remove(),
                Some(_) => {}
            }
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use super::*;

    /// A system that accepts every watch, or no further ones.
    #[derive(Debug)]
    struct System {
        is_full: bool,
    }

    impl notify::Watcher for System {
        fn new<F: notify::EventHandler>(_: F, _: notify::Config) -> notify::Result<Self> {
            Ok(Self { is_full: false })
        }

        fn watch(&mut self, _: &Path, _: RecursiveMode) -> notify::Result<()> {
            if self.is_full { Err(notify::Error::new(notify::ErrorKind::MaxFilesWatch)) } else { Ok(()) }
        }

        fn unwatch(&mut self, _: &Path) -> notify::Result<()> {
            Ok(())
        }

        fn kind() -> notify::WatcherKind {
            notify::WatcherKind::NullWatcher
        }
    }

    fn root() -> (tempfile::TempDir, Vec<Root>) {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir_all(folder.path().join("projects/-w")).unwrap();
        let roots = vec![Root { path: folder.path().to_path_buf(), named: true }];
        (folder, roots)
    }

    #[test]
    fn beyond_the_systems_limits_everything_is_checked_and_that_is_reported() {
        let (_folder, roots) = root();
        let (mut watcher, why) = Watcher::told_by(Ok(Box::new(System { is_full: true })), channel(), &roots);
        assert!(why.unwrap().contains("limit"));
        assert!(!watcher.is_told());
        // Without reports, the watcher still checks again and again.
        for _ in 0..2 {
            let changes = watcher.wait(NET);
            assert!(changes.is_anything && changes.is_processes);
        }
    }

    #[test]
    fn limits_may_be_reached_later() {
        let (_folder, roots) = root();
        let (bell, events) = channel();
        let (mut watcher, why) =
            Watcher::told_by(Ok(Box::new(System { is_full: false })), (bell.clone(), events), &roots);
        assert!(why.is_none() && watcher.is_told());
        bell.send(Err(notify::Error::new(notify::ErrorKind::MaxFilesWatch))).unwrap();
        assert!(watcher.wait(NET).is_anything && !watcher.is_told());
        assert!(watcher.watch(&roots).unwrap().contains("limit"));
    }

    #[test]
    fn growth_is_reported_and_reading_is_not() {
        let (folder, roots) = root();
        let file = folder.path().join("projects/-w/a.jsonl");
        let (mut watcher, why) = Watcher::new(&roots);
        assert_eq!(why, None);
        fs::write(&file, "{}\n").unwrap();
        let mut changes = Changes::default();
        while changes.files.is_empty() {
            changes = watcher.wait(NET);
        }
        assert!(changes.files.contains(&file), "{changes:?}");
        // By now all events from the writes have arrived; reads cause none.
        while watcher.wait(Duration::from_millis(300)) != Changes::default() {}
        fs::read(&file).unwrap();
        assert_eq!(watcher.wait(Duration::from_millis(300)), Changes::default());
    }
}
