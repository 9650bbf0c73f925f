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
fn what_cannot_be_found_is_said() {
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
fn the_folder_beside_a_session_is_not_in_its_way() {
    let (dir, roots) = library();
    // Seen from the project's folder, the id is also the name of a folder.
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
fn titles_are_words_that_find_a_session() {
    let (dir, roots) = library();
    let write = |name: &str, title: &str| {
        let line = format!("{{\"type\":\"custom-title\",\"customTitle\":\"{title}\"}}\n");
        fs::write(dir.path().join("projects/-shop").join(name), line).unwrap();
    };
    write(&format!("{MAIN}.jsonl"), "Retry the uploader");
    write("4c99aaaa-0000-4000-8000-000000000000.jsonl", "Retry logic");
    assert_eq!(stem(find_session("UPLOADER retry", &roots)), MAIN);
    assert_eq!(stem(find_session("retry", &roots)), "2 sessions fit: retry");
    let Err(LookupError::Unknown { nearest, .. }) = find_session("retry downloads", &roots) else { panic!("found") };
    assert_eq!(nearest.len(), 2);
    assert!(nearest.iter().any(|near| near.title.as_deref() == Some("Retry logic")));
}
