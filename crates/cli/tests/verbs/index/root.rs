//! Sessions that appear, grow and disappear, and the answers about them.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Output;

use serde_json::Value;
use testkit::rng::Rng;
use testkit::root::{RootOptions, write_root};

use super::index_contents::index_contents;
use crate::sandbox::Sandbox;

/// A home folder with growing sessions.
pub(crate) struct Home {
    pub(crate) sandbox: Sandbox,
    /// The content to write, file by file.
    sessions: Vec<(PathBuf, Vec<u8>)>,
    /// The content that may replace it.
    others: Vec<(PathBuf, Vec<u8>)>,
}

impl Home {
    /// Starts without any line. The files beside sessions exist before them.
    pub(crate) fn new(seed: u64) -> Self {
        let is_session = |(name, _): &(PathBuf, Vec<u8>)| name.extension() == Some("jsonl".as_ref());
        let (sessions, beside): (Vec<_>, Vec<_>) = generated(seed).into_iter().partition(is_session);
        let others = generated(seed + 1000).into_iter().filter(is_session).collect();
        let home = Self { sandbox: Sandbox::new(), sessions, others };
        for (name, bytes) in &beside {
            home.write(name, bytes);
        }
        home
    }

    fn path(&self, name: &Path) -> PathBuf {
        self.sandbox.path(".claude").join(name)
    }

    /// Writes everything that is left.
    pub(crate) fn complete(&self) {
        for (name, bytes) in &self.sessions {
            self.write(name, bytes);
        }
    }

    fn write(&self, name: &Path, bytes: &[u8]) {
        fs::create_dir_all(self.path(name).parent().unwrap()).unwrap();
        fs::write(self.path(name), bytes).unwrap();
    }

    /// Changes one of the files: usually it grows, and not always by whole lines.
    pub(crate) fn change(&self, rng: &mut Rng) {
        let (name, bytes) = &self.sessions[rng.below(self.sessions.len())];
        let path = self.path(name);
        let there = fs::metadata(&path).map_or(0, |metadata| usize::try_from(metadata.len()).unwrap());
        match rng.below(12) {
            0 => drop(fs::remove_file(path)),
            1 => self.write(name, &bytes[..rng.below(bytes.len())]),
            2 => {
                let is_alike = |other: &&(PathBuf, Vec<u8>)| is_agent(&other.0) == is_agent(name);
                let others: Vec<_> = self.others.iter().filter(is_alike).collect();
                self.write(name, others.get(rng.below(others.len())).map_or(b"", |(_, bytes)| bytes));
            }
            _ => {
                let more = &bytes[there.min(bytes.len())..];
                fs::create_dir_all(path.parent().unwrap()).unwrap();
                let mut file = fs::File::options().create(true).append(true).open(path).unwrap();
                file.write_all(&more[..more.len().min(rng.below(40_000))]).unwrap();
            }
        }
    }

    pub(crate) fn index(&self) -> PathBuf {
        self.sandbox.path(".cache/recount/index.db")
    }

    /// The output of `recount`.
    pub(crate) fn run(&self, cache: &Path, arguments: &[&str]) -> Output {
        self.sandbox.recount(arguments).env("XDG_CACHE_HOME", cache).output().unwrap()
    }

    /// The answers to a few questions. A rebuild of the index must not cause a message.
    pub(crate) fn answers(&self, cache: &Path) -> Vec<String> {
        let answer = |arguments: &&[&str]| {
            let output = self.run(cache, arguments);
            let said = String::from_utf8(output.stderr).unwrap();
            assert!(matches!(output.status.code(), Some(0 | 1)) && said.is_empty(), "{arguments:?}: {said}");
            in_order(&output.stdout)
        };
        QUESTIONS.iter().map(answer).collect()
    }

    /// Checks that the index answers like a fresh one.
    pub(crate) fn check(&self, what: &str) {
        let fresh = tempfile::tempdir().unwrap();
        let (answers, right) = (self.answers(&self.sandbox.path(".cache")), self.answers(fresh.path()));
        for ((question, answer), right) in QUESTIONS.iter().zip(&answers).zip(&right) {
            assert_same(&lines(answer), &lines(right), &format!("{what}: {question:?}"));
        }
        assert_same(&index_contents(&self.index()), &index_contents(&fresh.path().join("recount/index.db")), what);
    }
}

/// The questions that show whether an index is correct.
pub(crate) const QUESTIONS: [&[&str]; 4] = [
    &["ls", "--json", "--tree"],
    &["search", "--json", "--limit", "100", "--hits", "100", "the"],
    &["search", "--json", "--limit", "100", "--hits", "100", "tool:Bash", "error"],
    &["file", "--json", "src"],
];

/// The search results in a fixed order: copies of a session have the same times, so any may come first.
fn in_order(json: &[u8]) -> String {
    let mut answer: Value = serde_json::from_slice(json).unwrap();
    if answer["schema"] == "recount.search/2" {
        let by_text = |list: &mut Value| list.as_array_mut().unwrap().sort_by_cached_key(Value::to_string);
        answer["sessions"].as_array_mut().unwrap().iter_mut().for_each(|session| by_text(&mut session["hits"]));
        by_text(&mut answer["sessions"]);
    }
    serde_json::to_string_pretty(&answer).unwrap()
}

pub(crate) fn lines(text: &str) -> Vec<String> {
    text.lines().map(str::to_owned).collect()
}

/// Shows where two long texts begin to differ.
pub(crate) fn assert_same(is: &[String], should: &[String], what: &str) {
    let same = is.iter().zip(should).take_while(|(is, should)| is == should).count();
    let next = |lines: &[String]| lines.iter().skip(same).take(4).cloned().collect::<Vec<_>>();
    assert_eq!(next(is), next(should), "{what}: line {same}");
}

fn is_agent(name: &Path) -> bool {
    name.file_name().is_some_and(|name| name.to_string_lossy().starts_with("agent-"))
}

/// A realistic root: its files and their contents.
fn generated(seed: u64) -> Vec<(PathBuf, Vec<u8>)> {
    let root = tempfile::tempdir().unwrap();
    let options = RootOptions { bytes: 400_000, seed, projects: 2, largest_session: 50_000, ..RootOptions::default() };
    write_root(root.path(), &options).unwrap();
    let mut files = Vec::new();
    gather(root.path(), root.path(), &mut files);
    files.sort();
    files
}

fn gather(root: &Path, folder: &Path, into: &mut Vec<(PathBuf, Vec<u8>)>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            gather(root, &path, into);
        } else {
            into.push((path.strip_prefix(root).unwrap().to_path_buf(), fs::read(&path).unwrap()));
        }
    }
}
