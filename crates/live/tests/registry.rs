//! Finds the live processes of a config root.

#![allow(clippy::unwrap_used, reason = "these are tests")]

use std::fs;

use live::process::{Life, Processes};
use live::registry::{self, Registry, Status};

/// Processes 7 and 8 run; nothing is known about 9.
struct Some7And8;

impl Processes for Some7And8 {
    fn life(&self, pid: u32) -> Life {
        match pid {
            7 | 8 => Life::Since("20095994".to_owned()),
            9 => Life::Unknown,
            _ => Life::Gone,
        }
    }
}

fn file(pid: u32, more: &str) -> String {
    format!(r#"{{"pid":{pid},"sessionId":"s{pid}","cwd":"/w/shop","kind":"interactive"{more}}}"#)
}

#[test]
fn only_live_processes_count() {
    let root = tempfile::tempdir().unwrap();
    let folder = root.path().join("sessions");
    fs::create_dir(&folder).unwrap();
    let busy = r#","procStart":"20095994","status":"busy","statusUpdatedAt":1778681861222,"name":"uploader""#;
    let files = [
        ("7.json", file(7, busy)),
        // The process id has been reused.
        ("8.json", file(8, r#","procStart":"11","status":"busy""#)),
        ("9.json", file(9, r#","procStart":"11","status":"waiting","waitingFor":"permission prompt","new":{"x":1}"#)),
        ("10.json", file(10, "")),
        // Files of other programs, incomplete files, and other entries.
        ("pid-7.json", r#"{"session_id":"old","cwd":"/w"}"#.to_owned()),
        ("11.json", String::new()),
        ("12.json", file(12, "").replace('}', "")),
        ("x.json", "no".to_owned()),
    ];
    for (name, text) in &files {
        fs::write(folder.join(name), text).unwrap();
    }
    let Registry { alive, gone, problems } = registry::read(root.path(), &Some7And8);
    assert!(problems.is_empty(), "{problems:?}");
    let gone: std::collections::BTreeSet<_> = gone.iter().map(String::as_str).collect();
    assert_eq!(gone, ["s10", "s8"].into(), "they left their files");
    let names: Vec<_> = alive.iter().map(|it| (it.session.as_str(), it.status, it.waiting_for.as_deref())).collect();
    assert_eq!(names, [("s7", Some(Status::Busy), None), ("s9", Some(Status::Waiting), Some("permission prompt"))]);
    assert_eq!(
        (alive.first().unwrap().since, alive.first().unwrap().name.as_deref()),
        (Some(1_778_681_861_222), Some("uploader"))
    );
}

#[test]
#[cfg(unix)]
fn keys_and_links_are_never_opened() {
    let root = tempfile::tempdir().unwrap();
    let folder = root.path().join("sessions");
    fs::create_dir(&folder).unwrap();
    // Opening these would block forever.
    let pipe = folder.join("7.key");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    std::os::unix::fs::symlink(&pipe, folder.join("7.json")).unwrap();
    assert!(std::process::Command::new("mkfifo").arg(folder.join("8.json")).status().unwrap().success());
    let Registry { alive, gone, problems } = registry::read(root.path(), &Some7And8);
    assert!(alive.is_empty() && gone.is_empty() && problems.is_empty());
}

#[test]
fn unreadable_files_are_reported() {
    let root = tempfile::tempdir().unwrap();
    assert_eq!(registry::read(root.path(), &Some7And8).alive, [], "older versions have none");
    fs::create_dir(root.path().join("sessions")).unwrap();
    fs::write(root.path().join("sessions/7.json"), "{\"pid\":\"seven\"}").unwrap();
    fs::write(root.path().join("sessions/9.json"), file(9, "")).unwrap();
    let Registry { alive, problems, .. } = registry::read(root.path(), &Some7And8);
    assert_eq!(alive.len(), 1, "one bad file hides no other");
    assert!(problems.first().unwrap().0.ends_with("7.json"));
}
