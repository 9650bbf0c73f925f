use super::*;
use SourceKind::{History, Journal, Subagent, Transcript};
use tempfile::TempDir;

/// Writes files below a new folder; names that end in a slash are folders.
fn tree(names: &[&str]) -> TempDir {
    let dir = tempfile::tempdir().unwrap();
    for name in names {
        let path = dir.path().join(name);
        if name.ends_with('/') {
            fs::create_dir_all(path).unwrap();
            continue;
        }
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, "{\"type\":\"mode\"}\n").unwrap();
    }
    dir
}

fn names(found: &Found, dir: &TempDir) -> Vec<String> {
    let name = |source: &Source| match &source.input {
        Input::File(path) => path.strip_prefix(dir.path()).unwrap().display().to_string(),
        Input::Stdin => "-".to_owned(),
    };
    found.sources.iter().map(name).collect()
}

fn named(path: &Path) -> Root {
    Root { path: path.to_path_buf(), named: true }
}

#[test]
fn a_root_gives_transcripts_of_all_eras_journals_and_the_history() {
    let dir = tree(&[
        "projects/-b/2.jsonl",
        "projects/-a/1.jsonl",
        "projects/-a/1.jsonl.backup",
        "projects/-a/sessions-index.json",
        "projects/-a/agent-3f19c27.jsonl",
        "projects/-a/1/subagents/agent-a3f1.jsonl",
        "projects/-a/1/subagents/agent-a3f1.meta.json",
        "projects/-a/1/subagents/workflows/wf_1/journal.jsonl",
        "projects/-a/1/tool-results/x.txt",
        "history.jsonl",
        "jobs/1/timeline.jsonl",
        ".claude.json",
        "sessions/12.key",
    ]);
    let found = find_in_roots(&[named(dir.path())]);
    assert_eq!(
        names(&found, &dir),
        [
            "projects/-a/1/subagents/agent-a3f1.jsonl",
            "projects/-a/1/subagents/workflows/wf_1/journal.jsonl",
            "projects/-a/1.jsonl",
            "projects/-a/agent-3f19c27.jsonl",
            "projects/-b/2.jsonl",
            "history.jsonl",
        ]
    );
    let kinds: Vec<_> = found.sources.iter().map(|source| source.kind).collect();
    assert_eq!(kinds, [Subagent, Journal, Transcript, Subagent, Transcript, History]);
    assert!(found.problems.is_empty(), "{:?}", found.problems);
}

#[test]
fn folders_are_searched_and_files_taken_as_they_are() {
    let dir = tree(&["f/deep/er/b.ndjson", "f/a.jsonl", "f/notes.txt", "run.txt", "x.json"]);
    let paths = ["x.json", "f", "run.txt", "f/a.jsonl"].map(|name| dir.path().join(name));
    let found = find_at(&paths);
    assert_eq!(names(&found, &dir), ["x.json", "f/a.jsonl", "f/deep/er/b.ndjson", "run.txt"]);
    let origins: Vec<_> = found.sources.iter().map(|source| source.origin).collect();
    assert_eq!(origins, [Origin::Named, Origin::Folder, Origin::Folder, Origin::Named]);
}

#[test]
fn standard_input_is_read_once() {
    let found = find_at(&["-".into(), "-".into()]);
    assert_eq!(found.sources, [Source::stdin()]);
}

#[cfg(unix)]
#[test]
fn links_lead_to_each_file_once_and_loops_end() {
    use std::os::unix::fs::symlink;
    let dir = tree(&["projects/a/1.jsonl", "elsewhere/2.jsonl", "elsewhere/secret.key"]);
    let project = dir.path().join("projects/a");
    symlink(&project, project.join("loop")).unwrap();
    symlink(project.join("1.jsonl"), project.join("also.jsonl")).unwrap();
    symlink(dir.path().join("elsewhere"), dir.path().join("projects/b")).unwrap();
    symlink(dir.path().join("nowhere"), project.join("gone.jsonl")).unwrap();
    symlink(dir.path().join("elsewhere/secret.key"), project.join("key.jsonl")).unwrap();
    let found = find_in_roots(&[named(dir.path()), named(dir.path())]);
    assert_eq!(names(&found, &dir), ["projects/a/1.jsonl", "projects/b/2.jsonl"]);
    assert!(found.problems.is_empty(), "{:?}", found.problems);
}

#[test]
fn each_failure_is_told_apart_and_stops_nothing() {
    let dir = tree(&["a.jsonl", "empty/", ".claude.json", "12.key", "empty/notes.txt"]);
    let paths = ["nowhere", "empty", ".claude.json", "12.key", "a.jsonl/below", "a.jsonl"];
    let found = find_at(&paths.map(|name| dir.path().join(name)));
    assert_eq!(names(&found, &dir), ["a.jsonl"]);
    let kinds: Vec<_> = found
        .problems
        .iter()
        .map(|problem| match problem {
            Problem::Missing { .. } => "missing",
            Problem::NoSessions { .. } => "no sessions",
            Problem::Secret { .. } => "secret",
            _ => "other",
        })
        .collect();
    assert_eq!(kinds, ["missing", "no sessions", "secret", "secret", "missing"]);
}

#[test]
fn the_folder_of_projects_stands_for_its_root() {
    let dir = tree(&["projects/-a/1.jsonl", "history.jsonl", "odd/projects/projects/-a/2.jsonl"]);
    let found = find_in_roots(&[named(&dir.path().join("projects"))]);
    assert_eq!(names(&found, &dir), ["projects/-a/1.jsonl", "history.jsonl"]);
    let found = find_in_roots(&[named(&dir.path().join("odd/projects"))]);
    assert_eq!(names(&found, &dir), ["odd/projects/projects/-a/2.jsonl"]);
}

#[test]
fn only_named_roots_are_missed() {
    let dir = tree(&["full/projects/a/1.jsonl", "bare/projects/"]);
    let root = |name: &str, named| Root { path: dir.path().join(name), named };
    let found = find_in_roots(&[root("gone", false), root("full", false)]);
    assert_eq!((found.sources.len(), found.problems.len()), (1, 0));
    let found = find_in_roots(&[root("gone", true), root("full", true), root("bare", true)]);
    assert!(matches!(found.problems.as_slice(), [Problem::Missing { .. }, Problem::NoSessions { .. }]));
    let found = find_in_roots(&[root("gone", false), root("bare", false)]);
    let [problem] = found.problems.as_slice() else { panic!("{:?}", found.problems) };
    assert!(problem.to_string().starts_with("no sessions found: looked in "), "{problem}");
    assert!(matches!(find_in_roots(&[]).problems.as_slice(), [Problem::NoRoots { .. }]));
}

#[cfg(unix)]
#[test]
fn devices_are_not_read() {
    let found = find_at(&["/dev/null".into()]);
    assert!(matches!(found.problems.as_slice(), [Problem::NotAFile { .. }]));
}
