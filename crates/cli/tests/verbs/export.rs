//! `recount export` from the outside: a site, and folders that it refuses.

use std::fs;
use std::process::Output;

use crate::sandbox::Sandbox;

fn stdout(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[test]
fn sessions_become_a_site_and_nothing_changes_the_second_time() {
    let home = tempfile::tempdir().unwrap();
    let project = home.path().join("root/projects/-home-ana-garden");
    fs::create_dir_all(&project).unwrap();
    let session = "11111111-1111-4111-8111-111111111111";
    let line = r#"{"type":"user","uuid":"u1","cwd":"/home/ana/garden","message":{"content":"water the beds"}}"#;
    fs::write(project.join(format!("{session}.jsonl")), line).unwrap();
    let site = home.path().join("site");
    let export =
        || Sandbox::new().recount(&["export", "html"]).arg(&site).arg(home.path().join("root")).output().unwrap();
    let first = export();
    assert_eq!(stdout(&first), format!("{}: 1 session written\n", site.display()), "{}", stderr(&first));
    let again = export();
    assert_eq!(stdout(&again), format!("{}: 0 sessions written, 1 unchanged\n", site.display()));
    assert!(fs::read_to_string(site.join("index.html")).unwrap().contains("water the beds"));
}

#[test]
fn a_foreign_folder_is_refused_with_a_hint() {
    let home = tempfile::tempdir().unwrap();
    let line = r#"{"type":"user","uuid":"u1","message":{"content":"water the beds"}}"#;
    let (session, folder) = (home.path().join("a.jsonl"), home.path().join("thesis"));
    fs::write(&session, line).unwrap();
    fs::create_dir(&folder).unwrap();
    fs::write(folder.join("chapter.txt"), "mine").unwrap();
    let refused = Sandbox::new().recount(&["export", "html"]).arg(&folder).arg(&session).output().unwrap();
    assert_eq!(refused.status.code(), Some(2));
    assert!(stderr(&refused).contains("is not empty") && stderr(&refused).contains("hint: name a folder"));
}

#[test]
fn without_sessions_no_folder_is_created() {
    let home = tempfile::tempdir().unwrap();
    let folder = home.path().join("site");
    let nothing =
        Sandbox::new().recount(&["export", "html"]).arg(&folder).arg(home.path().join("none.jsonl")).output().unwrap();
    assert_eq!(nothing.status.code(), Some(2));
    assert!(!folder.exists());
}
