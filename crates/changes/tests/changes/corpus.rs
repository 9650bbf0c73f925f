//! Real sessions, if present: the patch of each file turns its first bytes into its last.
//!
//! The corpus is a folder of published transcripts beside the checkout (`../shared/corpus`, or `RECOUNT_CORPUS`); it is
//! not part of the project.

use std::collections::BTreeMap;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;

use crate::desk::{apply, changes_of_lines};

/// The bytes of a file before and after a session, by an independent reading of its lines.
#[derive(Debug, Default)]
struct Bytes {
    /// `None` if the session created it.
    first: Option<String>,
    last: Option<String>,
    /// Whether something is missing, or something else changed the file.
    is_broken: bool,
}

impl Bytes {
    fn turn(&mut self, before: Option<&str>, after: Option<String>) {
        match (&self.last, before) {
            (None, before) => self.first = before.map(str::to_owned),
            (Some(last), Some(before)) => self.is_broken |= last != before,
            (Some(_), None) => self.is_broken = true,
        }
        self.is_broken |= after.is_none();
        self.last = after.or_else(|| Some(String::new()));
    }
}

fn replaced(before: &str, result: &Value) -> Option<String> {
    let (old, new) = (result["oldString"].as_str()?, result["newString"].as_str()?);
    // Removing a line removes its newline.
    let with_newline = format!("{old}\n");
    let eats = new.is_empty() && !old.ends_with('\n') && before.contains(&with_newline);
    let old = if eats { &with_newline } else { old };
    let times = if result["replaceAll"] == true { usize::MAX } else { 1 };
    (!old.is_empty() && before.contains(old)).then(|| before.replacen(old, new, times))
}

fn truth(lines: &[Value]) -> BTreeMap<String, Bytes> {
    let mut files: BTreeMap<String, Bytes> = BTreeMap::new();
    for line in lines {
        let result = &line["toolUseResult"];
        let (Some(path), true) = (result["filePath"].as_str(), result["structuredPatch"].is_array()) else { continue };
        let bytes = files.entry(path.to_owned()).or_default();
        let before = result["originalFile"].as_str();
        match (result["type"].as_str(), before) {
            (Some("create"), _) => bytes.turn(None, result["content"].as_str().map(str::to_owned)),
            (Some("update"), Some(before)) => bytes.turn(Some(before), result["content"].as_str().map(str::to_owned)),
            (None, Some(before)) => bytes.turn(Some(before), replaced(before, result)),
            _ => bytes.is_broken = true,
        }
    }
    files
}

/// What a session without `originalFile` reveals, as large files and subagents do.
fn without_originals(lines: &[Value]) -> Vec<Value> {
    let mut lines = lines.to_vec();
    for line in &mut lines {
        if line["toolUseResult"]["originalFile"].is_string() {
            line["toolUseResult"]["originalFile"] = Value::Null;
        }
    }
    lines
}

fn sessions() -> Vec<PathBuf> {
    let default = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus");
    let root = std::env::var_os("RECOUNT_CORPUS").map_or(default, PathBuf::from);
    let (mut folders, mut files) = (vec![root], Vec::new());
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "jsonl") {
                files.push(path);
            }
        }
    }
    files.sort();
    files
}

#[derive(Debug, Default)]
struct Tally {
    exact: usize,
    /// The number of these that `git apply` turned into the same bytes.
    by_git: usize,
    /// Not exact, and the patch says so.
    marked: usize,
    wrong: Vec<String>,
}

/// The bytes of a file after `git apply`, or its complaint; `None` without git.
pub(crate) fn apply_by_git(patch: &str, name: &str, before: Option<&str>) -> Option<Result<String, String>> {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join(name);
    if let Some(before) = before {
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(&file, before).unwrap();
    }
    // A name may contain what is a pattern to git.
    let pattern: String =
        name.chars().flat_map(|c| ['\\', c].into_iter().skip(usize::from(!"\\*?[]".contains(c)))).collect();
    let mut git = Command::new("git");
    git.args(["apply", "--whitespace=nowarn", "--include", &pattern, "-"]).current_dir(folder.path());
    // The folder must not count as part of a repository around it.
    git.env("GIT_CEILING_DIRECTORIES", folder.path().parent().unwrap()).stdin(Stdio::piped()).stderr(Stdio::piped());
    let mut git = git.spawn().ok()?;
    let mut input = git.stdin.take().unwrap();
    let patch = patch.to_owned();
    let writer = std::thread::spawn(move || drop(input.write_all(patch.as_bytes())));
    let output = git.wait_with_output().unwrap();
    writer.join().unwrap();
    if !output.status.success() {
        return Some(Err(String::from_utf8_lossy(&output.stderr).into_owned()));
    }
    // A file that git removes is empty.
    Some(Ok(fs::read_to_string(file).unwrap_or_default()))
}

fn check(tally: &mut Tally, session: &Path, lines: &[Value], truth: &BTreeMap<String, Bytes>) {
    let text: String = lines.iter().flat_map(|line| [line.to_string(), "\n".to_owned()]).collect();
    let changes = changes_of_lines(&text);
    if changes.on_branches > 0 || changes.unreadable > 0 {
        return;
    }
    let patch = changes.patch();
    for (path, bytes) in truth.iter().filter(|(_, bytes)| !bytes.is_broken && bytes.first != bytes.last) {
        let Some(file) = changes.files.iter().find(|file| file.path.absolute == human::path_spelling(path)) else {
            tally.wrong.push(format!("{}: {path}: not in the patch", session.display()));
            continue;
        };
        if file.path.outside {
            continue;
        }
        let is_exact = file.patches.len() == 1 && {
            let name = file.path.name.trim_start_matches('/');
            apply(&patch, name, bytes.first.as_deref()) == bytes.last
        };
        if is_exact {
            tally.exact += 1;
            match apply_by_git(&patch, file.path.name.trim_start_matches('/'), bytes.first.as_deref()) {
                Some(Ok(by_git)) if Some(&by_git) == bytes.last.as_ref() => tally.by_git += 1,
                Some(by_git) => tally.wrong.push(format!("{}: {path}: git gives {by_git:?}", session.display())),
                None => {}
            }
        } else if !file.is_whole() || file.patches.iter().any(|patch| patch.is_guessed) {
            tally.marked += 1;
        } else {
            tally.wrong.push(format!("{}: {path}: {:?}", session.display(), file.notes()));
        }
    }
}

#[test]
fn patches_of_real_sessions_give_the_last_bytes_or_say_why_not() {
    let (mut known, mut hidden) = (Tally::default(), Tally::default());
    for session in sessions() {
        let Ok(text) = fs::read_to_string(&session) else { continue };
        let lines: Vec<Value> = text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
        let truth = truth(&lines);
        // The edits of agents are not in the truth.
        let has_agents =
            lines.iter().any(|line| line["isSidechain"] == true || line["data"]["type"] == "agent_progress");
        if truth.is_empty() || has_agents {
            continue;
        }
        check(&mut known, &session, &lines, &truth);
        check(&mut hidden, &session, &without_originals(&lines), &truth);
    }
    assert!(known.wrong.is_empty(), "{:#?}", known.wrong);
    assert!(hidden.wrong.is_empty(), "{:#?}", hidden.wrong);
    assert_eq!(known.marked, 0, "with `originalFile` everything is known");
    let has_git = Command::new("git").arg("--version").output().is_ok_and(|output| output.status.success());
    if has_git {
        assert_eq!((known.by_git, hidden.by_git), (known.exact, hidden.exact));
    }
}
