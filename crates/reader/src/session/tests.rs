use super::*;
use std::fs::{self, File};
use std::time::{Duration, SystemTime};
use tempfile::TempDir;

const MAIN: &str = "4c1e0f7a-2b3c-4d5e-8f90-a1b2c3d4e5f6";

/// A root with two sessions, the second newer, and a subagent that is newer still.
fn library() -> (TempDir, Vec<Root>) {
    let dir = tempfile::tempdir().unwrap();
    let files = [
        format!("projects/-shop/{MAIN}.jsonl"),
        "projects/-shop/4c99aaaa-0000-4000-8000-000000000000.jsonl".to_owned(),
        format!("projects/-shop/{MAIN}/subagents/agent-a3f19c27be5540d18.jsonl"),
        "history.jsonl".to_owned(),
    ];
    for (age, name) in files.iter().enumerate() {
        let path = dir.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        let file = File::create(path).unwrap();
        file.set_modified(SystemTime::UNIX_EPOCH + Duration::from_secs(1_000_000 + age as u64)).unwrap();
    }
    let roots = vec![Root { path: dir.path().to_path_buf(), named: true }];
    (dir, roots)
}

fn stem(found: Result<Source, LookupError>) -> String {
    match found {
        Ok(source) => source.stem().unwrap().to_str().unwrap().to_owned(),
        Err(error) => error.to_string(),
    }
}

#[test]
fn sessions_have_several_names() {
    let (dir, roots) = library();
    let path = dir.path().join(format!("projects/-shop/{MAIN}.jsonl"));
    let cases = [
        (MAIN, MAIN),
        ("4c1e", MAIN),
        (path.to_str().unwrap(), MAIN),
        ("last~1", MAIN),
        ("last", "4c99aaaa-0000-4000-8000-000000000000"),
        ("a3f19", "agent-a3f19c27be5540d18"),
        ("agent-a3", "agent-a3f19c27be5540d18"),
    ];
    for (name, expected) in cases {
        assert_eq!(stem(find_session(name, &roots)), expected, "{name}");
    }
    assert_eq!(find_session("-", &roots).unwrap(), Source::stdin());
}

#[test]
fn last_is_the_session_with_the_latest_activity() {
    const DAY: u64 = 86_400;
    let (dir, roots) = library();
    let other = "4c99aaaa-0000-4000-8000-000000000000";
    let write = |name: &str, at: &str, modified: u64| {
        let line = format!("{{\"type\":\"user\",\"timestamp\":\"{at}\",\"message\":{{\"content\":\"dig\"}}}}\n");
        let path = dir.path().join("projects/-shop").join(name);
        fs::write(&path, line).unwrap();
        let file = File::options().write(true).open(path).unwrap();
        file.set_modified(SystemTime::UNIX_EPOCH + Duration::from_secs(modified)).unwrap();
    };
    // Copied later than the other session was written.
    write(&format!("{MAIN}.jsonl"), "1970-02-01T00:00:00Z", 90 * DAY);
    write(&format!("{other}.jsonl"), "1970-03-01T00:00:00Z", 60 * DAY);
    assert_eq!(stem(find_session("last", &roots)), other);
    assert_eq!(stem(find_session("last~1", &roots)), MAIN);
    // An agent's work is activity of its session.
    write(&format!("{MAIN}/subagents/agent-a3f19c27be5540d18.jsonl"), "1970-03-02T00:00:00Z", 61 * DAY);
    assert_eq!(stem(find_session("last", &roots)), MAIN);
    assert_eq!(stem(find_session("last~1", &roots)), other);
}

#[test]
fn failed_lookups_say_why() {
    let (dir, roots) = library();
    assert_eq!(stem(find_session("ffff", &roots)), "no such session: ffff");
    assert_eq!(stem(find_session("history", &roots)), "no such session: history");
    assert_eq!(stem(find_session("last~2", &roots)), "there are only 2 sessions: last~2");
    assert_eq!(stem(find_session("gone.jsonl", &roots)), "no such file or folder: gone.jsonl");
    let folder = dir.path().to_str().unwrap();
    assert!(stem(find_session(folder, &roots)).starts_with("a folder, not a session: "));
    let Err(LookupError::Ambiguous { candidates, .. }) = find_session("4c", &roots) else { panic!() };
    assert_eq!(candidates.len(), 2);
    assert!(matches!(find_session("4c", &[]), Err(LookupError::Problem(Problem::NoRoots { .. }))));
}

#[test]
fn a_session_wins_over_the_folder_beside_it() {
    let (dir, roots) = library();
    // In the project's folder, the id is also the name of a folder.
    let folder = dir.path().join("projects/-shop").join(MAIN);
    assert!(folder.is_dir());
    assert!(matches!(find_session(folder.to_str().unwrap(), &roots), Err(LookupError::Folder { .. })));
    assert!(matches!(find_session("src", &roots), Err(LookupError::Folder { .. })), "a folder of this crate");
    assert_eq!(stem(find_session(MAIN, &roots)), MAIN);
}

#[test]
fn a_whole_id_wins_over_longer_ones() {
    let (dir, roots) = library();
    fs::write(dir.path().join(format!("projects/-shop/{MAIN}.copy1.jsonl")), "").unwrap();
    assert_eq!(stem(find_session(MAIN, &roots)), MAIN);
}

#[test]
fn words_of_a_title_find_a_session() {
    let (dir, roots) = library();
    let write = |name: &str, title: &str| {
        let line = format!("{{\"type\":\"custom-title\",\"customTitle\":\"{title}\"}}\n");
        fs::write(dir.path().join("projects/-shop").join(name), line).unwrap();
    };
    write(&format!("{MAIN}.jsonl"), "Retry the uploader");
    write("4c99aaaa-0000-4000-8000-000000000000.jsonl", "Retry logic");
    assert_eq!(stem(find_session("UPLOADER retry", &roots)), MAIN);
    assert_eq!(stem(find_session("retry", &roots)), "2 sessions match: retry");
    let Err(LookupError::Unknown { nearest, .. }) = find_session("retry downloads", &roots) else { panic!("found") };
    assert_eq!(nearest.len(), 2);
    assert!(nearest.iter().any(|near| near.title.as_deref() == Some("Retry logic")));
}

/// Writes a copy of the main session with these lines and this age.
fn copy(dir: &TempDir, name: &str, lines: &[&str], age: u64) {
    let path = dir.path().join(name);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(&path, lines.concat()).unwrap();
    let file = File::options().write(true).open(path).unwrap();
    file.set_modified(SystemTime::UNIX_EPOCH + Duration::from_secs(2_000_000 - age)).unwrap();
}

fn place(found: Result<Source, LookupError>, dir: &TempDir) -> String {
    match found {
        Ok(Source { input: Input::Stdin, .. }) => "-".to_owned(),
        Ok(Source { input, .. }) => {
            let path = input.path().unwrap();
            path.strip_prefix(dir.path()).unwrap().display().to_string()
        }
        Err(error) => error.to_string(),
    }
}

#[test]
fn a_session_is_found_after_its_file_moved() {
    let (dir, roots) = library();
    let moved = dir.path().join("projects/-shop--claude-worktrees-retry");
    fs::create_dir(&moved).unwrap();
    fs::rename(dir.path().join(format!("projects/-shop/{MAIN}.jsonl")), moved.join(format!("{MAIN}.jsonl"))).unwrap();
    assert_eq!(place(find_session(MAIN, &roots), &dir), format!("projects/-shop--claude-worktrees-retry/{MAIN}.jsonl"));
}

#[test]
fn copies_do_not_make_a_name_ambiguous() {
    let (dir, mut roots) = library();
    let (one, two, three) = ("{\"type\":\"mode\"}\n", "{\"type\":\"tag\"}\n", "{\"type\":\"summary\"}\n");
    let main = format!("projects/-shop/{MAIN}.jsonl");
    copy(&dir, &main, &[one, two], 10);
    copy(&dir, &format!("projects/-old/{MAIN}.jsonl"), &[one], 0);
    copy(&dir, &format!("backup/projects/-shop/{MAIN}.jsonl"), &[one, "{\"type\":"], 20);
    copy(&dir, &format!("projects/-shop/{MAIN} (1).jsonl"), &[one, two], 0);
    roots.push(Root { path: dir.path().join("backup"), named: true });
    fs::remove_file(dir.path().join("projects/-shop/4c99aaaa-0000-4000-8000-000000000000.jsonl")).unwrap();
    assert_eq!(place(find_session(MAIN, &roots[..1]), &dir), main);
    assert_eq!(place(find_session("4c1e", &roots[..1]), &dir), main, "as long as its copy, but with the plain name");
    assert_eq!(place(find_session("4c1e", &roots), &dir), main, "one is truncated within a line");
    copy(&dir, &format!("backup/projects/-shop/{MAIN}.jsonl"), &[one, three], 20);
    assert_eq!(place(find_session("4c1e", &roots), &dir), "4 sessions match: 4c1e", "one diverges");
    copy(&dir, &format!("backup/projects/-shop/{MAIN}.jsonl"), &[one, two, three], 20);
    let expected = format!("backup/projects/-shop/{MAIN}.jsonl");
    assert_eq!(place(find_session("4c1e", &roots), &dir), expected, "the longest, though not the newest");
}

#[test]
fn the_newest_of_identical_copies_is_chosen() {
    let (dir, roots) = library();
    let line = "{\"type\":\"custom-title\",\"customTitle\":\"Retry the uploader\"}\n";
    for (folder, age) in [("-a", 5), ("-b", 0), ("-shop", 5)] {
        copy(&dir, &format!("projects/{folder}/{MAIN}.jsonl"), &[line], age);
    }
    let expected = format!("projects/-b/{MAIN}.jsonl");
    assert_eq!(place(find_session(MAIN, &roots), &dir), expected);
    assert_eq!(place(find_session("retry uploader", &roots), &dir), expected);
}

#[test]
fn a_cowork_stream_is_named_after_its_folder() {
    let (dir, roots) = library();
    let folder = "local-agent-mode-sessions/account/org/local_77aa0f7a-2b3c-4d5e-8f90-a1b2c3d4e5f6";
    copy(&dir, &format!("{folder}/audit.jsonl"), &["{\"type\":\"result\"}\n"], 0);
    copy(&dir, &format!("{}99/audit.jsonl", folder.trim_end_matches("f6")), &["{\"type\":\"result\"}\n"], 0);
    assert_eq!(
        place(find_session("77aa0f7a-2b3c-4d5e-8f90-a1b2c3d4e5f6", &roots), &dir),
        format!("{folder}/audit.jsonl")
    );
    assert_eq!(place(find_session("77aa", &roots), &dir), "2 sessions match: 77aa");
}
