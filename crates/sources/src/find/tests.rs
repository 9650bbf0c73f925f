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
    let name = |source: &Source| match source.input.path() {
        Some(path) => path.strip_prefix(dir.path()).unwrap().display().to_string(),
        None => "-".to_owned(),
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
    let found_by: Vec<_> = found.sources.iter().map(|source| source.found_by).collect();
    assert_eq!(found_by, [FoundBy::Named, FoundBy::Folder, FoundBy::Folder, FoundBy::Named]);
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
fn each_failure_has_its_own_kind_and_stops_nothing() {
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

const COWORK_SESSION: &str = "local-agent-mode-sessions/acc/org/local_77aa";

#[test]
fn sessions_of_cowork_have_roots_of_their_own() {
    let below = |name: &str| format!("{COWORK_SESSION}/{name}");
    let files = [
        below(".claude/projects/-sessions-x/1.jsonl"),
        below(".claude/projects/-sessions-x/1/subagents/agent-a1.jsonl"),
        below(".claude/history.jsonl"),
        below("audit.jsonl"),
        below("uploads/measurements.jsonl"),
        below("outputs/deep/measurements.jsonl"),
        below(".claude/sessions/1.key"),
        "local-agent-mode-sessions/acc/org/agent/local_ditto_1/.claude/projects/-d/2.jsonl".to_owned(),
        "local-agent-mode-sessions/acc/org/local_77aa.json".to_owned(),
        "local-agent-mode-sessions/acc/notes.jsonl".to_owned(),
        "claude-code-sessions/acc/org/local_9.json".to_owned(),
        "logs/main.jsonl".to_owned(),
    ];
    let dir = tree(&files.each_ref().map(String::as_str));
    let expected = [
        "local-agent-mode-sessions/acc/org/agent/local_ditto_1/.claude/projects/-d/2.jsonl".to_owned(),
        below(".claude/projects/-sessions-x/1/subagents/agent-a1.jsonl"),
        below(".claude/projects/-sessions-x/1.jsonl"),
        below(".claude/history.jsonl"),
    ];
    let found = find_in_roots(&[named(dir.path()), named(&dir.path().join("local-agent-mode-sessions"))]);
    assert_eq!(names(&found, &dir), expected);
    assert!(found.sources.iter().all(|source| source.found_by == FoundBy::Root));
    assert!(found.problems.is_empty(), "{:?}", found.problems);
    // The root of the session comes first: the same files are found, and still no stream beside them.
    let own = named(&dir.path().join(COWORK_SESSION).join(".claude"));
    let found = find_in_roots(&[own, named(dir.path())]);
    let mut all = names(&found, &dir);
    all.sort();
    let mut expected = expected;
    expected.sort();
    assert_eq!(all, expected);
}

#[test]
fn the_stream_of_coworks_host_replaces_a_missing_transcript() {
    let empty = format!("{COWORK_SESSION}/.claude/projects/-x/1.jsonl");
    let (here, there) = (format!("{COWORK_SESSION}/audit.jsonl"), format!("{COWORK_SESSION}b/audit.jsonl"));
    let dir = tree(&[&empty, &here, &there]);
    fs::write(dir.path().join(&empty), "").unwrap();
    let found = find_in_roots(&[Root { path: dir.path().to_path_buf(), named: false }]);
    assert_eq!(names(&found, &dir), [empty, here, there]);
    assert_eq!(found.sources[2].kind, Transcript);
}

#[test]
fn the_desktop_app_is_named_only_where_it_is() {
    let dir = tree(&["config/Claude/"]);
    let root = |name: &str| Root { path: dir.path().join(name), named: false };
    let message = |roots: &[Root]| {
        let message = find_in_roots(roots).problems[0].to_string();
        message.replace(dir.path().to_str().unwrap(), "~")
    };
    assert_eq!(message(&[root(".claude"), root("Claude")]), "no sessions found: looked in ~/.claude");
    let both = message(&[root(".claude"), root("config/Claude")]);
    assert_eq!(both, "no sessions found: looked in ~/.claude, ~/config/Claude");
}

#[test]
fn strays_are_found_and_leftovers_are_not() {
    let dir = tree(&[
        "projects/backup.jsonl",
        "projects/-a/4c1e (1).jsonl",
        "projects/-a/4c1e.jsonl",
        "projects/-a/stream.ndjson",
        "projects/-a/odd.jsonl/2.jsonl",
        "projects/-a/much/deeper/than/usual/3.jsonl",
        "projects/-a/.jsonl",
        "projects/-a/4c1e.jsonl.gz",
        "projects/-a/4c1e.jsonl.backup",
        "projects/-a/4c1e.jsonl.orphaned",
        "projects/-a/4c1e.orphaned-1770919912345.jsonl",
        "projects/-a/4c1e.superseded.jsonl",
        "projects/-a/.session-aliases",
        "projects/-a/sessions-index.json",
        "projects/-a/memory/MEMORY.md",
    ]);
    let found = find_in_roots(&[named(dir.path())]);
    assert_eq!(
        names(&found, &dir),
        [
            "projects/-a/4c1e (1).jsonl",
            "projects/-a/4c1e.jsonl",
            "projects/-a/much/deeper/than/usual/3.jsonl",
            "projects/-a/odd.jsonl/2.jsonl",
            "projects/-a/stream.ndjson",
            "projects/backup.jsonl",
        ]
    );
    let named_itself = find_at(&[dir.path().join("projects/-a/4c1e.superseded.jsonl")]);
    assert_eq!(named_itself.sources.len(), 1, "a path that the user names may be read");
}

/// Creates a named pipe; opening it blocks forever.
#[cfg(unix)]
fn pipe(path: &Path) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    assert!(std::process::Command::new("mkfifo").arg(path).status().unwrap().success());
}

#[cfg(unix)]
#[test]
fn unknown_files_in_a_root_are_skipped() {
    use std::os::unix::ffi::OsStrExt as _;
    use std::os::unix::fs::symlink;
    let dir = tree(&["projects/-a/1.jsonl", "projects/-a/z.jsonl"]);
    let project = dir.path().join("projects/-a");
    pipe(&project.join("pipe.jsonl"));
    pipe(&project.join("2/subagents/agent-pipe.jsonl"));
    let _socket = std::os::unix::net::UnixListener::bind(project.join("socket.jsonl")).unwrap();
    symlink("itself.jsonl", project.join("itself.jsonl")).unwrap();
    symlink("pong.jsonl", project.join("ping.jsonl")).unwrap();
    symlink("ping.jsonl", project.join("pong.jsonl")).unwrap();
    symlink("nowhere", project.join("nowhere.jsonl")).unwrap();
    symlink("1.jsonl/below", project.join("below-a-file.jsonl")).unwrap();
    symlink("../..", project.join("up")).unwrap();
    symlink("/dev/zero", project.join("endless.jsonl")).unwrap();
    symlink("pipe.jsonl", project.join("to-pipe.jsonl")).unwrap();
    let strange = OsStr::from_bytes(b"caf\xe9.jsonl");
    fs::write(project.join(strange), "{\"type\":\"mode\"}\n").unwrap();
    let found = find_in_roots(&[named(dir.path())]);
    let paths: Vec<_> = found.sources.iter().map(|source| source.input.clone()).collect();
    let expected = [OsStr::new("1.jsonl"), strange, OsStr::new("z.jsonl")].map(|name| Input::File(project.join(name)));
    assert_eq!(paths, expected);
    assert!(found.problems.is_empty(), "{:?}", found.problems);
}

#[cfg(unix)]
#[test]
fn what_cannot_be_listed_is_reported_and_the_rest_is_found() {
    // The path is too long even for root, so this test also works for root.
    let dir = tree(&["projects/-a/1.jsonl", "projects/-z/2.jsonl"]);
    let name = "x".repeat(250);
    let deep = |top: &str| {
        let mut path = dir.path().join(top);
        path.extend(std::iter::repeat_n(&name, 12));
        fs::create_dir_all(&path).unwrap();
        path
    };
    let (upper, lower) = (deep("projects/-b"), deep("lower"));
    assert!(lower.is_dir());
    fs::rename(dir.path().join("lower"), upper.join("lower")).unwrap();
    let found = find_in_roots(&[named(dir.path())]);
    assert_eq!(names(&found, &dir), ["projects/-a/1.jsonl", "projects/-z/2.jsonl"]);
    let [problem] = found.problems.as_slice() else { panic!("{:?}", found.problems) };
    assert!(matches!(problem, Problem::Unreadable { .. }), "{problem}");
}

#[cfg(unix)]
#[test]
fn what_may_not_be_read_is_reported() {
    use std::os::unix::fs::PermissionsExt as _;
    let dir = tree(&["projects/-a/1.jsonl", "projects/-closed/2.jsonl", "projects/-z/3.jsonl"]);
    let set =
        |mode| fs::set_permissions(dir.path().join("projects/-closed"), fs::Permissions::from_mode(mode)).unwrap();
    set(0o000);
    let may_read_all = fs::read_dir(dir.path().join("projects/-closed")).is_ok();
    let found = find_in_roots(&[named(dir.path())]);
    set(0o700);
    if may_read_all {
        assert_eq!((found.sources.len(), found.problems.len()), (3, 0));
    } else {
        assert_eq!((found.sources.len(), found.problems.len()), (2, 1), "{:?}", found.problems);
    }
}

#[cfg(unix)]
#[test]
fn secrets_are_not_opened_by_any_name() {
    use std::os::unix::fs::symlink;
    let dir = tree(&["projects/-a/1.jsonl"]);
    let secrets = [".claude.json", "sessions/12.key", ".credentials.json"].map(|name| dir.path().join(name));
    for (number, secret) in secrets.iter().enumerate() {
        // A regular file could be read; opening a pipe would block.
        fs::create_dir_all(secret.parent().unwrap()).unwrap();
        fs::write(secret, "{\"type\":\"mode\"}\n").unwrap();
        symlink(secret, dir.path().join(format!("projects/-a/secret-{number}.jsonl"))).unwrap();
        symlink(format!("secret-{number}.jsonl"), dir.path().join(format!("projects/-a/again-{number}.jsonl")))
            .unwrap();
    }
    symlink(&secrets[1], dir.path().join("history.jsonl")).unwrap();
    let found = find_in_roots(&[named(dir.path())]);
    assert_eq!(names(&found, &dir), ["projects/-a/1.jsonl"]);
    assert!(found.problems.is_empty(), "{:?}", found.problems);
    for secret in &secrets {
        fs::remove_file(secret).unwrap();
        pipe(secret);
    }
    let links = (0..3).map(|number| dir.path().join(format!("projects/-a/again-{number}.jsonl")));
    let named_ones: Vec<_> = secrets.iter().cloned().chain(links).collect();
    let found = find_at(&named_ones);
    assert!(found.sources.is_empty(), "{:?}", found.sources);
    assert!(found.problems.iter().all(|problem| matches!(problem, Problem::Secret { .. })), "{:?}", found.problems);
    assert_eq!(found.problems.len(), 6);
}
