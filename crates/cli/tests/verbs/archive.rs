//! `recount archive` from the outside: what it stores and prints, and which failures it survives.

mod install;
mod kill;

use std::fs;
use std::process::Output;

use crate::sandbox::Sandbox;

const A: &str = "aaaaaaaa-0000-4000-8000-000000000001";
const B: &str = "bbbbbbbb-0000-4000-8000-000000000002";
const PROJECT: &str = ".claude/projects/-home-ana-garden";

fn line(session: &str, text: &str) -> String {
    format!("{{\"type\":\"user\",\"sessionId\":\"{session}\",\"message\":{{\"content\":\"{text}\"}}}}\n")
}

/// A complete session, and files that do not belong to it.
fn sandbox() -> Sandbox {
    let sandbox = Sandbox::new();
    let line = |text: &str| line(A, text);
    sandbox.write(&format!("{PROJECT}/{A}.jsonl"), line("water the beds"));
    sandbox.write(&format!("{PROJECT}/{A}/subagents/agent-a1.jsonl"), line("look"));
    sandbox.write(&format!("{PROJECT}/{A}/subagents/agent-a1.meta.json"), "{\"agentType\":\"Explore\"}");
    sandbox.write(&format!("{PROJECT}/{A}/subagents/workflows/wf_1/journal.jsonl"), "{\"type\":\"launched\"}\n");
    sandbox.write(&format!("{PROJECT}/{A}/tool-results/b1.txt"), "much output\n");
    sandbox.write(&format!("{PROJECT}/agent-3f19c27.jsonl"), line("an older agent"));
    sandbox.write(&format!("{PROJECT}/{B}.jsonl"), line("another").replace(A, B));
    sandbox.write(".claude/history.jsonl", "{\"display\":\"water\"}\n");
    sandbox.write(&format!("{PROJECT}/{A}/session.key"), "secret");
    sandbox.write(&format!("{PROJECT}/{A}/.credentials.json"), "secret");
    sandbox.write(".claude/.claude.json", "secret");
    sandbox.write(".claude/settings.json", "{}");
    sandbox.write(&format!("{PROJECT}/memory/MEMORY.md"), "not a session's");
    sandbox
}

fn recount(sandbox: &Sandbox, arguments: &[&str]) -> Output {
    sandbox.recount(&[&["archive"], arguments].concat()).output().unwrap()
}

fn succeeds(sandbox: &Sandbox, arguments: &[&str]) -> String {
    let output = recount(sandbox, arguments);
    assert_eq!(output.status.code(), Some(0), "{arguments:?}: {}", sandbox.shown(&output));
    assert_eq!(String::from_utf8_lossy(&output.stderr), "", "{arguments:?}");
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn everything_of_a_session_is_archived_and_nothing_else() {
    let sandbox = sandbox();
    let said = succeeds(&sandbox, &[]);
    // The stored size depends on the length of the sandbox's path.
    assert!(
        said.starts_with(
            "archived 8 of 8 files: 8 new
482 bytes new, stored in "
        ),
        "{said}"
    );
    assert_eq!(succeeds(&sandbox, &[]), "nothing new in 8 files\n");
    assert_eq!(succeeds(&sandbox, &["--quiet"]), "");
    let status: serde_json::Value = serde_json::from_str(&succeeds(&sandbox, &["status", "--json"])).unwrap();
    assert_eq!(status["session_count"], 2);
    let mut paths: Vec<String> = Vec::new();
    for session in status["sessions"].as_array().unwrap() {
        for file in session["files"].as_array().unwrap() {
            let path = file["path"].as_str().unwrap().rsplit_once("-garden/").unwrap().1;
            paths.push(format!(
                "{} {} {path}",
                &session["session"].as_str().unwrap()[..1],
                file["kind"].as_str().unwrap()
            ));
        }
    }
    insta::assert_snapshot!(paths.join("\n"), @r"
    a subagent aaaaaaaa-0000-4000-8000-000000000001/subagents/agent-a1.jsonl
    a notes aaaaaaaa-0000-4000-8000-000000000001/subagents/agent-a1.meta.json
    a journal aaaaaaaa-0000-4000-8000-000000000001/subagents/workflows/wf_1/journal.jsonl
    a tool-result aaaaaaaa-0000-4000-8000-000000000001/tool-results/b1.txt
    a transcript aaaaaaaa-0000-4000-8000-000000000001.jsonl
    a subagent agent-3f19c27.jsonl
    b transcript bbbbbbbb-0000-4000-8000-000000000002.jsonl
    ");
}

#[test]
fn a_deleted_session_is_restored_unchanged() {
    let sandbox = sandbox();
    let path = |name: &str| sandbox.path(&format!("{PROJECT}/{name}"));
    succeeds(&sandbox, &[]);
    // Truncated, then extended: two versions.
    let before = fs::read(path(&format!("{A}.jsonl"))).unwrap();
    fs::write(path(&format!("{A}.jsonl")), &before[..20]).unwrap();
    succeeds(&sandbox, &[]);
    fs::remove_file(path(&format!("{A}.jsonl"))).unwrap();
    fs::remove_dir_all(path(A)).unwrap();
    let status = succeeds(&sandbox, &["status"]);
    assert!(status.contains("sessions  2, 1 of them only in the archive"), "{status}");
    assert!(status.contains("files     8, and 1 older version"), "{status}");

    let restored = succeeds(&sandbox, &["restore", "aaaa", "-o", "back", "--versions"]);
    assert_eq!(restored.lines().count(), 7, "{restored}");
    let back = sandbox.path("back/projects/-home-ana-garden");
    assert_eq!(fs::read(back.join(format!("{A}.jsonl"))).unwrap(), before[..20]);
    assert_eq!(fs::read(back.join(format!("{A}.jsonl.version-1"))).unwrap(), before);
    assert_eq!(fs::read_to_string(back.join(A).join("tool-results/b1.txt")).unwrap(), "much output\n");

    let again = recount(&sandbox, &["restore", "aaaa", "-o", "back"]);
    assert_eq!(again.status.code(), Some(2));
    assert!(sandbox.shown(&again).contains("this file already exists"));
    succeeds(&sandbox, &["restore", "aaaa", "-o", "back", "--force"]);
}

#[test]
fn every_listed_name_can_be_restored() {
    let sandbox = sandbox();
    // The same id in another home, agents whose session is gone, and one that names none.
    sandbox.write(&format!("other/projects/-shop/{A}.jsonl"), line(A, "sell"));
    let gone = "cccccccc-0000-4000-8000-000000000003";
    sandbox.write(&format!("{PROJECT}/{gone}/subagents/agent-b7.jsonl"), line(gone, "help"));
    sandbox.write(&format!("{PROJECT}/agent-5d20c11.jsonl"), line("dddddddd-0000-4000-8000-000000000004", "older"));
    sandbox.write(&format!("{PROJECT}/agent-6e31.jsonl"), line("", "of none").replace("\"sessionId\":\"\",", ""));
    // They stay, so that no home is empty.
    for (home, session) in [(".claude", "e"), ("other", "f")] {
        let id = format!("{session}eeeeeee-0000-4000-8000-000000000005");
        sandbox.write(&format!("{home}/projects/-stays/{id}.jsonl"), line(&id, "stay"));
    }
    let roots = [".claude", "other"].map(|root| sandbox.path(root).to_str().unwrap().to_owned());
    let config = roots.join(",");
    let run = |arguments: &[&str]| {
        let output = sandbox.recount(arguments).env("CLAUDE_CONFIG_DIR", &config).output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{arguments:?}: {}", sandbox.shown(&output));
        String::from_utf8(output.stdout).unwrap()
    };
    run(&["archive"]);
    for is_deleted in [false, true] {
        if is_deleted {
            fs::remove_dir_all(sandbox.path(PROJECT)).unwrap();
            fs::remove_dir_all(sandbox.path("other/projects/-shop")).unwrap();
        }
        let listed: serde_json::Value = serde_json::from_str(&run(&["ls", "--json"])).unwrap();
        let names: Vec<&str> =
            listed["sessions"].as_array().unwrap().iter().map(|row| row["session"].as_str().unwrap()).collect();
        assert!(names.len() >= 5 && names.iter().any(|name| name.contains('~')), "{names:?}");
        for (at, name) in names.iter().enumerate() {
            let (short, mark) = name.split_once('~').map_or((*name, ""), |(id, mark)| (id, mark));
            let short = if short.starts_with("agent-") { short } else { &short[..8] };
            let short = if mark.is_empty() { short.to_owned() } else { format!("{short}~{mark}") };
            let restored = |name: &str, kind: &str| {
                let to = format!("back-{is_deleted}-{at}-{kind}");
                run(&["archive", "restore", name, "-o", &to]).replace(&to, "")
            };
            let whole = restored(name, "whole");
            assert!(!whole.is_empty() && whole == restored(&short, "short"), "{name}: {whole}");
            let is_of_other = whole.contains("-shop");
            assert!(!is_of_other || whole.lines().count() == 1, "{name}: {whole}");
        }
    }
}

#[test]
fn a_folder_that_is_no_archive_cannot_be_verified() {
    let sandbox = Sandbox::new();
    sandbox.write("thesis/chapter.txt", "words");
    for folder in ["thesis", "missing"] {
        let refused = recount(&sandbox, &["verify", "--archive", folder]);
        let said = sandbox.shown(&refused);
        assert!(said.starts_with("exit 2\nrecount: not an archive: ") && said.contains("hint: "), "{said}");
    }
}

#[cfg(unix)]
#[test]
fn nothing_is_restored_through_a_link() {
    let sandbox = sandbox();
    succeeds(&sandbox, &[]);
    fs::create_dir_all(sandbox.path("outside")).unwrap();
    fs::create_dir_all(sandbox.path("back")).unwrap();
    std::os::unix::fs::symlink(sandbox.path("outside"), sandbox.path("back/projects")).unwrap();
    for force in [&["restore", A, "-o", "back"][..], &["restore", A, "-o", "back", "--force"]] {
        let refused = recount(&sandbox, force);
        let said = sandbox.shown(&refused);
        assert!(refused.status.code() == Some(2) && said.contains("it is a link") && said.contains("hint: "), "{said}");
        assert_eq!(fs::read_dir(sandbox.path("outside")).unwrap().count(), 0);
    }
    // The folder itself may be one: the user named it.
    std::os::unix::fs::symlink(sandbox.path("outside"), sandbox.path("linked")).unwrap();
    succeeds(&sandbox, &["restore", A, "-o", "linked"]);
    assert!(sandbox.path(&format!("outside/projects/-home-ana-garden/{A}.jsonl")).is_file());
}

#[test]
fn deleted_sessions_are_restored_by_title_or_recency() {
    let sandbox = sandbox();
    succeeds(&sandbox, &[]);
    fs::remove_file(sandbox.path(&format!("{PROJECT}/{A}.jsonl"))).unwrap();
    fs::remove_dir_all(sandbox.path(&format!("{PROJECT}/{A}"))).unwrap();
    let restored = succeeds(&sandbox, &["restore", "water the beds", "-o", "back"]);
    assert!(restored.contains(&format!("back/projects/-home-ana-garden/{A}.jsonl")), "{restored}");
    let last = succeeds(&sandbox, &["restore", "last", "-o", "again"]);
    assert!(last.starts_with("again/projects/-home-ana-garden/"), "{last}");
}

#[test]
fn deleted_sessions_are_found_with_and_without_the_index() {
    let sandbox = sandbox();
    succeeds(&sandbox, &[]);
    let found = |arguments: &[&str]| {
        let output = sandbox.recount(&[&["search"], arguments].concat()).output().unwrap();
        sandbox.shown(&output)
    };
    let before = found(&["-l", "beds"]);
    assert!(before.starts_with("exit 0\n") && before.contains(A), "{before}");
    fs::remove_file(sandbox.path(&format!("{PROJECT}/{A}.jsonl"))).unwrap();
    for way in [&["-l", "beds"][..], &["-l", "beds", "--no-index"], &["-l", "--regex", "be.s"]] {
        assert_eq!(found(way), before, "{way:?}");
    }
    assert!(found(&["--regex", "be.s"]).contains("turn 1"), "{}", found(&["--regex", "be.s"]));
}

#[test]
fn a_config_root_is_only_written_to_when_it_is_named() {
    let sandbox = sandbox();
    succeeds(&sandbox, &[]);
    let inside = sandbox.recount(&["archive", "restore", A]).current_dir(sandbox.path(".claude")).output().unwrap();
    assert_eq!(inside.status.code(), Some(2));
    assert!(sandbox.shown(&inside).contains("hint: name a folder with -o"));
    fs::remove_file(sandbox.path(&format!("{PROJECT}/{A}.jsonl"))).unwrap();
    let named = recount(&sandbox, &["restore", A, "-o", ".claude"]);
    assert_eq!(named.status.code(), Some(2), "the agent is still there");
    succeeds(&sandbox, &["restore", A, "-o", ".claude", "--force"]);
    let restored = fs::metadata(sandbox.path(&format!("{PROJECT}/{A}.jsonl"))).unwrap();
    assert!(restored.modified().unwrap().elapsed().unwrap().as_secs() < 3600, "or it would be deleted again");
}

#[test]
fn missing_sessions_are_reported() {
    let sandbox = sandbox();
    insta::assert_snapshot!(sandbox.shown(&recount(&sandbox, &["status"])), @r"
    exit 1
    recount: nothing is archived yet: [HERE]/.local/share/recount/archive
    hint: `recount archive` creates an archive
    ");
    succeeds(&sandbox, &[]);
    insta::assert_snapshot!(sandbox.shown(&recount(&sandbox, &["restore", "c"])), @r"
    exit 1
    recount: no such session in the archive: c
    hint: looked at the ids of 2 sessions
    ");
    insta::assert_snapshot!(sandbox.shown(&recount(&sandbox, &["restore", ""])), @r"
    exit 1
    recount: no such session in the archive: 
    hint: several ids begin with this, give more of the id:
          aaaaaaaa-0000-4000-8000-000000000001
          bbbbbbbb-0000-4000-8000-000000000002
    ");
}

#[test]
fn an_export_is_a_tar_file_that_others_can_read() {
    let sandbox = sandbox();
    succeeds(&sandbox, &[]);
    sandbox.write(&format!("{PROJECT}/{B}.jsonl"), "anew\n");
    succeeds(&sandbox, &[]);
    let said = succeeds(&sandbox, &["export", "-o", "all.tar"]);
    assert!(said.starts_with("all.tar: 9 files, "), "{said}");
    assert_eq!(recount(&sandbox, &["export", "-o", "all.tar"]).status.code(), Some(2));
    let piped = recount(&sandbox, &["export"]);
    assert_eq!(piped.stdout, fs::read(sandbox.path("all.tar")).unwrap());
    fs::create_dir(sandbox.path("out")).unwrap();
    let tar = std::process::Command::new("tar")
        .arg("-xf")
        .arg(sandbox.path("all.tar"))
        .arg("-C")
        .arg(sandbox.path("out"))
        .status();
    // Not every machine has it.
    if tar.is_ok_and(|status| status.success()) {
        let here = sandbox.path("out").join(sandbox.path(PROJECT).strip_prefix("/").unwrap());
        assert_eq!(fs::read_to_string(here.join(format!("{B}.jsonl"))).unwrap(), "anew\n");
        assert!(fs::read_to_string(here.join(format!("{B}.jsonl.version-1"))).unwrap().contains("another"));
        let agent = format!("{A}/subagents/workflows/wf_1/journal.jsonl");
        assert_eq!(fs::read_to_string(here.join(agent)).unwrap(), "{\"type\":\"launched\"}\n");
    }
}

#[test]
fn damage_is_named_with_the_session_it_hurts() {
    let sandbox = sandbox();
    succeeds(&sandbox, &[]);
    assert!(succeeds(&sandbox, &["verify"]).ends_with(": all in order\n"));
    let path = sandbox.path(".local/share/recount/archive/segment-000000.pack");
    let mut bytes = fs::read(&path).unwrap();
    // Within the pack of the first session, after that of the prompt history.
    bytes[120] ^= 1;
    fs::write(&path, bytes).unwrap();
    let damaged = sandbox.shown(&recount(&sandbox, &["verify"]));
    assert!(
        damaged
            .starts_with("exit 1\n[HERE]/.local/share/recount/archive/segment-000000.pack at byte 98: does not match"),
        "{damaged}"
    );
    assert!(damaged.contains(&format!("{A}.jsonl, version 1, session {A}")) && !damaged.contains(B), "{damaged}");
    let restore = recount(&sandbox, &["restore", A, "-o", "back"]);
    assert_eq!(restore.status.code(), Some(2));
    assert!(!sandbox.path("back/projects").join("-home-ana-garden").join(format!("{A}.jsonl")).exists());
    succeeds(&sandbox, &["restore", B, "-o", "back"]);
    succeeds(&sandbox, &["--compare"]);
    succeeds(&sandbox, &["restore", A, "-o", "back"]);
}

#[test]
fn write_errors_have_a_hint() {
    let sandbox = sandbox();
    sandbox.write("file", "not a folder");
    let refused = sandbox.shown(&recount(&sandbox, &["--archive", "file/below"]));
    assert!(refused.starts_with("exit 2\nrecount: cannot write to the archive: file/below: "), "{refused}");
    assert!(refused.contains("hint: "), "{refused}");
    let nothing = Sandbox::new();
    let none = nothing.shown(&recount(&nothing, &[]));
    assert!(none.starts_with("exit 2\nrecount: no sessions found"), "{none}");
    assert!(!nothing.path(".local").exists(), "nothing is made where nothing is kept");
}

#[cfg(unix)]
#[test]
fn an_unreadable_file_does_not_stop_the_others() {
    use std::os::unix::fs::PermissionsExt as _;
    let sandbox = sandbox();
    let path = sandbox.path(&format!("{PROJECT}/{B}.jsonl"));
    fs::set_permissions(&path, fs::Permissions::from_mode(0o000)).unwrap();
    if fs::read(&path).is_ok() {
        return; // This user may read everything.
    }
    let output = sandbox.shown(&recount(&sandbox, &[]));
    assert!(output.starts_with("exit 2\narchived 7 of 8 files"), "{output}");
    assert!(output.contains("recount: cannot read: "), "{output}");
}

#[test]
fn the_folder_may_be_named() {
    let sandbox = sandbox();
    succeeds(&sandbox, &["--archive", "kept"]);
    assert!(sandbox.path("kept/commits.log").exists() && !sandbox.path(".local/share/recount/archive").exists());
    let output = sandbox.recount(&["archive", "status"]).env("RECOUNT_ARCHIVE", sandbox.path("kept")).output().unwrap();
    assert_eq!(output.status.code(), Some(0));
}

#[cfg(unix)]
#[test]
fn an_archive_is_for_its_user_only() {
    use std::os::unix::fs::PermissionsExt as _;
    let sandbox = sandbox();
    succeeds(&sandbox, &[]);
    let folder = sandbox.path(".local/share/recount/archive");
    for path in fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).chain([folder.clone()]) {
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o077, 0, "{}", path.display());
    }
}
