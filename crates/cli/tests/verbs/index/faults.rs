//! A disk that is full or fails, at every single write.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use rusqlite::Connection;
use tempfile::TempDir;
use testkit::rng::Rng;

use super::index_contents::index_contents;
use super::root::{Home, QUESTIONS};

/// The library that intercepts calls between the program and the disk.
pub(crate) fn layer(folder: &Path) -> PathBuf {
    let layer = folder.join("faults.so");
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/verbs/index/faults.c");
    let compiled = Command::new("cc").args(["-shared", "-fPIC", "-o"]).arg(&layer).arg(source).status();
    assert!(compiled.unwrap().success());
    layer
}

fn copy(from: &Path, to: &Path) {
    let _ = fs::remove_dir_all(to);
    if from.exists() {
        fs::create_dir_all(to).unwrap();
        for entry in fs::read_dir(from).unwrap() {
            let path = entry.unwrap().path();
            fs::copy(&path, to.join(path.file_name().unwrap())).unwrap();
        }
    }
}

/// A home folder, and the faults injected there.
struct Trial {
    home: Home,
    folder: TempDir,
    layer: PathBuf,
    /// The answers of the index before the run, and after a successful one.
    before: Vec<String>,
    after: Vec<String>,
    right: Vec<u8>,
}

impl Trial {
    /// Starts with an index of the earlier state of the sessions, or without an index.
    fn new(has_index: bool) -> Self {
        let home = Home::new(3);
        let folder = tempfile::tempdir().unwrap();
        let mut rng = Rng::new(8);
        (0..30).for_each(|_| home.change(&mut rng));
        let mut before = Vec::new();
        if has_index {
            home.check("before");
            before = index_contents(&home.index());
        }
        copy(home.index().parent().unwrap(), &folder.path().join("before"));
        (0..6).for_each(|_| home.change(&mut rng));
        let fresh = tempfile::tempdir().unwrap();
        let right = home.run(fresh.path(), QUESTIONS[0]).stdout;
        let after = index_contents(&fresh.path().join("recount/index.db"));
        let layer = layer(folder.path());
        Self { home, folder, layer, before, after, right }
    }

    /// Runs on the earlier state with one failing call, and returns the number of calls.
    fn run(&self, kind: &str, at: usize) -> (Output, usize) {
        let cache = self.home.sandbox.path(".cache");
        let _ = fs::remove_dir_all(&cache);
        copy(&self.folder.path().join("before"), self.home.index().parent().unwrap());
        let count = self.folder.path().join("count");
        let _ = fs::remove_file(&count);
        let mut command = self.home.sandbox.recount(QUESTIONS[0]);
        command.env("LD_PRELOAD", &self.layer).env("FAULT_FOLDER", &cache).env("FAULT_COUNT", &count);
        let output = command.env("FAULT_KIND", kind).env("FAULT_AT", at.to_string()).output().unwrap();
        (output, fs::read_to_string(count).unwrap().parse().unwrap())
    }

    /// Makes each call fail in turn, and returns the messages.
    fn run_all(&self, kind: &str) -> Vec<String> {
        /// If there are many calls, those in the middle are similar.
        const ALL: usize = 60;
        let (output, calls) = self.run(kind, 0);
        assert!(output.status.success() && output.stderr.is_empty() && output.stdout == self.right);
        assert!(calls > 10, "{calls} calls");
        let mut sayings = Vec::new();
        let step = (calls / 20).max(1);
        let some = (1..calls + 2).filter(|at| *at <= ALL || *at + ALL > calls || at % step == 0);
        // The last one is never reached, even if a run needs a few more calls.
        for at in some.chain([2 * calls + 100]) {
            let (output, _) = self.run(kind, at);
            let what = format!("{kind} at {at} of {calls}");
            let said = self.home.sandbox.shown(&Output { stdout: Vec::new(), ..output.clone() });
            assert_eq!(output.status.code(), Some(0), "{what}: {said}");
            assert!(output.stdout == self.right, "{what}: the list is not right\n{said}");
            let is_clear = said.contains("index") && said.contains("all sessions are read instead");
            assert!(output.stderr.is_empty() || is_clear, "{what}: {said}");
            self.check_state(&what);
            self.check_repair(&what);
            sayings.push(said);
        }
        sayings.sort();
        sayings.dedup();
        sayings
    }

    /// Checks that the next run succeeds and leaves a correct index.
    fn check_repair(&self, what: &str) {
        let output = self.home.run(&self.home.sandbox.path(".cache"), QUESTIONS[0]);
        assert!(output.status.success() && output.stderr.is_empty() && output.stdout == self.right, "{what}");
        assert!(index_contents(&self.home.index()) == self.after, "{what}: the next index is another one");
    }

    /// Checks that the index is in the earlier or the final state, and in none between.
    fn check_state(&self, what: &str) {
        let there = self.folder.path().join("there");
        copy(self.home.index().parent().unwrap(), &there);
        let index = there.join("index.db");
        let version = || Connection::open(&index).unwrap().pragma_query_value(None, "user_version", |row| row.get(0));
        let is_made = index.exists() && version().is_ok_and(|version: i64| version > 0);
        let contents = if is_made { index_contents(&index) } else { Vec::new() };
        // A newly created index is empty.
        let is_empty = self.before.is_empty() && contents.len() < 2;
        assert!(is_empty || contents == self.before || contents == self.after, "{what}: the index is another one");
    }
}

#[test]
fn a_full_disk_is_reported_and_loses_nothing() {
    insta::assert_snapshot!(Trial::new(true).run_all("full").join("\n"), @"
    exit 0

    exit 0
    recount: cannot write the index: [HERE]/.cache/recount/index.db: No space left on device (os error 28)
    hint: all sessions are read instead, which takes longer
          check that [HERE]/.cache/recount is writable and has space

    exit 0
    recount: the index failed: database or disk is full
    hint: all sessions are read instead, which takes longer
          check that [HERE]/.cache/recount is writable and has space

    exit 0
    recount: the index failed: disk I/O error
    hint: all sessions are read instead, which takes longer
          check that [HERE]/.cache/recount is writable and has space

    exit 0
    recount: the index failed: unable to open database file
    hint: all sessions are read instead, which takes longer
          check that [HERE]/.cache/recount is writable and has space
    ");
}

#[test]
fn a_failed_disk_is_reported_and_loses_nothing() {
    Trial::new(true).run_all("dead");
}

#[test]
fn a_disk_that_fails_once_is_reported_and_loses_nothing() {
    Trial::new(true).run_all("once");
}

#[test]
fn a_disk_may_be_full_before_there_is_an_index() {
    Trial::new(false).run_all("full");
}
