//! Every write fails once, in every way: committed data stays, and the next run continues.

use std::fs;
use std::io::{self, Cursor, Read as _};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use super::{Fate, Writer};
use crate::commit::Stamp;
use crate::disk::{Disk, Here, Sink};
use crate::error::{ArchiveError, TakeError};
use crate::name::{FileKey, Name, Origin};
use crate::open::Archive;
use crate::state::Kept;
use crate::verify::verify;

/// A disk on which only the first few operations succeed.
#[derive(Clone)]
struct Failing {
    left: Arc<AtomicUsize>,
    /// Whether half of the failing write reaches the disk.
    torn: bool,
}

impl Failing {
    fn step(&self) -> io::Result<()> {
        let some = self.left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(1));
        some.map(|_| ()).map_err(|_| io::Error::from(io::ErrorKind::StorageFull))
    }
}

impl Disk for Failing {
    fn make_folder(&self, path: &Path) -> io::Result<()> {
        self.step()?;
        Here.make_folder(path)
    }

    fn open(&self, path: &Path) -> io::Result<Box<dyn Sink>> {
        self.step()?;
        Ok(Box::new(FailingSink { sink: Here.open(path)?, disk: self.clone() }))
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.step()?;
        Here.rename(from, to)
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        self.step()?;
        Here.remove(path)
    }

    fn sync_folder(&self, path: &Path) -> io::Result<()> {
        self.step()?;
        Here.sync_folder(path)
    }
}

struct FailingSink {
    sink: Box<dyn Sink>,
    disk: Failing,
}

impl Sink for FailingSink {
    fn write_at(&mut self, offset: u64, bytes: &[u8]) -> io::Result<()> {
        let step = self.disk.step();
        if step.is_err() && self.disk.torn {
            self.sink.write_at(offset, &bytes[..bytes.len() / 2])?;
        }
        step?;
        self.sink.write_at(offset, bytes)
    }

    fn set_length(&mut self, length: u64) -> io::Result<()> {
        self.disk.step()?;
        self.sink.set_length(length)
    }

    fn sync(&mut self) -> io::Result<()> {
        self.disk.step()?;
        self.sink.sync()
    }
}

type Files<'a> = [(&'a str, &'a [u8])];

fn archive(disk: Arc<dyn Disk>, folder: &Path, files: &Files<'_>) -> Result<(), ArchiveError> {
    let mut writer = Writer::open_on(disk, folder, Duration::ZERO)?;
    for (name, bytes) in files {
        let stamp = Stamp { size: bytes.len() as u64, ..Stamp::default() };
        let name = Name {
            origin: Origin { root: "/r".into(), ..Origin::default() },
            path: name.into(),
            kind: "k".into(),
            session: "s".into(),
        };
        writer.take(&name, stamp, || Ok((Cursor::new(bytes.to_vec()), stamp))).map_err(|error| match error {
            TakeError::Source(error) => panic!("{error}"),
            TakeError::Archive(error) => error,
        })?;
        // Commits in between, as a long run does.
        writer.commit()?;
    }
    writer.finish().map(drop)
}

/// Whether every file is archived, and some version begins with its bytes.
fn has(folder: &Path, files: &Files<'_>) -> bool {
    let archive = Archive::open(folder).unwrap();
    files.iter().all(|(name, bytes)| {
        let file = archive.file(&FileKey::new(&Origin::default(), Path::new("/r").join(name)));
        file.is_some_and(|file| {
            file.versions.iter().any(|version| {
                let mut read = Vec::new();
                archive.read(file, version).read_to_end(&mut read).unwrap();
                read.starts_with(bytes)
            })
        })
    })
}

fn copy(from: &Path) -> tempfile::TempDir {
    let to = tempfile::tempdir().unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        fs::copy(entry.path(), to.path().join(entry.file_name())).unwrap();
    }
    to
}

/// Makes every operation of a run fail that starts from what `prepare` leaves.
fn every_step_fails(before: &Files<'_>, after: &Files<'_>, prepare: impl Fn(&Path)) {
    let start = tempfile::tempdir().unwrap();
    if !before.is_empty() {
        archive(Arc::new(Here), start.path(), before).unwrap();
    }
    prepare(start.path());
    for torn in [false, true] {
        for steps in 0.. {
            let folder = copy(start.path());
            let disk = Failing { left: Arc::new(AtomicUsize::new(steps)), torn };
            let outcome = archive(Arc::new(disk.clone()), folder.path(), after);
            assert!(has(folder.path(), before), "after {steps} steps");
            let verified = verify(folder.path(), &|_| {}).unwrap();
            assert_eq!(verified.damages, [], "after {steps} steps");
            match &outcome {
                Ok(()) => assert!(has(folder.path(), after), "after {steps} steps"),
                Err(error) => assert!(matches!(error, ArchiveError::Write { .. }), "{error}"),
            }
            archive(Arc::new(Here), folder.path(), after).unwrap();
            assert!(has(folder.path(), before) && has(folder.path(), after), "after {steps} steps and once more");
            let verified = verify(folder.path(), &|_| {}).unwrap();
            assert_eq!((verified.damages, verified.unfinished), (vec![], 0), "after {steps} steps and once more");
            assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 3, "nothing else is left, after {steps} steps");
            if disk.left.load(Ordering::Relaxed) > 0 {
                assert!(steps > 3, "some steps fail");
                break;
            }
        }
    }
}

const BEFORE: &Files<'_> = &[("a", b"one\ntwo\n"), ("b", b"alpha\nbeta\n"), ("c", b"same\n")];
const AFTER: &Files<'_> = &[("a", b"one\ntwo\nthree\n"), ("b", b"gamma\n"), ("c", b"same\n"), ("d", b"new\n")];

/// Wherever forgetting fails, the archive is the old one or the new one, and all else is as it was. The next attempt
/// ends with the new one, and nothing of the other is left.
#[test]
fn forgetting_may_fail_anywhere() {
    let start = tempfile::tempdir().unwrap();
    archive(Arc::new(Here), start.path(), BEFORE).unwrap();
    archive(Arc::new(Here), start.path(), AFTER).unwrap();
    let forget = |disk: Arc<dyn Disk>, folder: &Path| {
        let writer = Writer::open_on(disk, folder, Duration::ZERO)?;
        let fate = |file: &Kept| if file.name.path.ends_with("b") { Fate::Goes } else { Fate::Stays };
        writer.forget(&fate, &|_| {})
    };
    let others: Vec<(&str, &[u8])> = AFTER.iter().copied().filter(|(name, _)| *name != "b").collect();
    let has_b = |folder: &Path| has(folder, &[("b", b"alpha\nbeta\n"), ("b", b"gamma\n")]);
    for torn in [false, true] {
        for steps in 0.. {
            let folder = copy(start.path());
            let disk = Failing { left: Arc::new(AtomicUsize::new(steps)), torn };
            let outcome = forget(Arc::new(disk.clone()), folder.path());
            let is_new = !has_b(folder.path());
            let check = |what: &str| {
                assert!(has(folder.path(), &others), "{what} after {steps} steps");
                assert_eq!(has_b(folder.path()), !is_new, "{what} after {steps} steps");
                assert_eq!(verify(folder.path(), &|_| {}).unwrap().damages, [], "{what} after {steps} steps");
            };
            check("forgotten");
            assert!(outcome.is_err() || is_new, "after {steps} steps");
            // Even without the log, one of both is found again.
            let log = folder.path().join("commits.log");
            let bytes = fs::read(&log).unwrap();
            fs::remove_file(&log).unwrap();
            assert!(has(folder.path(), &others), "without the log, after {steps} steps");
            fs::write(&log, bytes).unwrap();
            // A run of archiving clears up, too.
            let other = copy(folder.path());
            archive(Arc::new(Here), other.path(), &[("e", b"later\n")]).unwrap();
            assert!(has(other.path(), &others) && has(other.path(), &[("e", b"later\n")]));
            assert_eq!(fs::read_dir(other.path()).unwrap().count(), 3, "nothing else is left, after {steps} steps");

            forget(Arc::new(Here), folder.path()).unwrap();
            assert!(has(folder.path(), &others) && !has_b(folder.path()), "after {steps} steps and once more");
            let verified = verify(folder.path(), &|_| {}).unwrap();
            assert_eq!((verified.damages, verified.unfinished), (vec![], 0), "after {steps} steps and once more");
            assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 3, "nothing else is left, after {steps} steps");
            if disk.left.load(Ordering::Relaxed) > 0 {
                assert!(steps > 8, "some steps fail");
                break;
            }
        }
    }
}

#[test]
fn a_first_run_may_fail_anywhere() {
    every_step_fails(&[], AFTER, |_| {});
}

#[test]
fn a_later_run_may_fail_anywhere() {
    every_step_fails(BEFORE, AFTER, |_| {});
}

#[test]
fn cleaning_up_may_fail_anywhere() {
    let add = |path: &Path, tail: &[u8]| {
        let mut bytes = fs::read(path).unwrap();
        bytes.extend(tail);
        fs::write(path, bytes).unwrap();
    };
    every_step_fails(BEFORE, AFTER, |folder| {
        add(&folder.join("segment-000000.pack"), b"half a pack");
        add(&folder.join("commits.log"), b"half a commit");
        fs::write(folder.join("segment-000001.pack"), b"half a segment").unwrap();
    });
}
