//! `recount diff` from the outside: patches that git accepts, and messages about changes that have none.

use std::fs;
use std::process::Command;

use crate::sandbox::{Sandbox, steers, without_colours};
use serde_json::{Value, json};
use testkit::Session;

const BEFORE: &str = "import os\n\ndef up():\n    send()\n\n\ndef down():\n    pass";
const BETWEEN: &str = "import os\n\ndef up():\n    retry(send)\n\n\ndef down():\n    pass";
const AFTER: &str = "import os\nimport sys\n\ndef up():\n    retry(send)\n\n\ndef down():\n    return 1";

/// The result of applying a patch with git in a folder with some files.
struct Repository<'s>(&'s Sandbox);

impl<'s> Repository<'s> {
    fn new(sandbox: &'s Sandbox, files: &[(&str, &str)]) -> Self {
        fs::create_dir_all(sandbox.path("shop")).unwrap();
        for (name, content) in files {
            sandbox.write(&format!("shop/{name}"), content);
        }
        let repository = Self(sandbox);
        assert!(repository.git(&["init", "-q"]).success());
        repository
    }

    fn git(&self, arguments: &[&str]) -> std::process::ExitStatus {
        Command::new("git").args(arguments).current_dir(self.0.path("shop")).status().unwrap()
    }

    fn apply(&self, patch: &[u8]) {
        self.0.write("a.patch", patch);
        assert!(self.git(&["apply", "../a.patch"]).success(), "{}", String::from_utf8_lossy(patch));
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.0.path(&format!("shop/{name}"))).unwrap()
    }
}

fn edit(session: &mut Session, path: &str, strings: [&str; 2], hunks: &Value) {
    let path = format!("/home/ana/work/shop/{path}");
    let [old, new] = strings;
    let call = session.call("Edit", json!({"file_path": path, "old_string": old, "new_string": new}));
    let result = json!({
        "filePath": path, "oldString": old, "newString": new, "originalFile": null, "structuredPatch": hunks,
        "userModified": false, "replaceAll": false,
    });
    session.result(&call, "The file has been updated.", result);
}

fn create(session: &mut Session, path: &str, content: &str) {
    let call = session.call("Write", json!({"file_path": path, "content": content}));
    let result =
        json!({"type": "create", "filePath": path, "content": content, "structuredPatch": [], "originalFile": null});
    session.result(&call, "File created successfully.", result);
}

/// Two turns: a file is edited in both, another is created, and a third is outside the project.
fn session() -> Session {
    let mut session = Session::new().in_directory("/home/ana/work/shop");
    session.prompt("make it retry");
    let lines = [" ", " def up():", "-    send()", "+    retry(send)", " ", " ", " def down():"];
    // Line numbers count from the line before the function.
    let hunk = json!([{"oldStart": 2, "oldLines": 6, "newStart": 2, "newLines": 6, "lines": lines}]);
    edit(&mut session, "src/up.py", ["    send()", "    retry(send)"], &hunk);
    let call = session.call("Bash", json!({"command": "make test"}));
    session.result(&call, "ok", json!({"stdout": "ok", "stderr": "", "interrupted": false}));
    session.prompt("and the rest");
    let first = [" import os", "+import sys", " ", " def up():", "     retry(send)"];
    let second = [
        " ",
        " ",
        " def down():",
        "-    pass",
        "\\ No newline at end of file",
        "+    return 1",
        "\\ No newline at end of file",
    ];
    let hunks = json!([
        {"oldStart": 1, "oldLines": 4, "newStart": 1, "newLines": 5, "lines": first},
        {"oldStart": 5, "oldLines": 4, "newStart": 6, "newLines": 4, "lines": second},
    ]);
    edit(&mut session, "src/up.py", ["", ""], &hunks);
    create(&mut session, "/home/ana/work/shop/docs/notes for all.md", "# Notes\n\n--- a/src/up.py\n+++ b/src/up.py\n");
    create(&mut session, "/home/ana/elsewhere.txt", "x\n");
    session
}

fn diff(arguments: &[&str]) -> (Sandbox, std::process::Output) {
    let sandbox = Sandbox::new();
    sandbox.write("a.jsonl", session().jsonl());
    let output = sandbox.recount(&["diff", "a.jsonl"]).args(arguments).env("COLUMNS", "80").output().unwrap();
    (sandbox, output)
}

#[test]
fn git_takes_the_patch() {
    let (sandbox, output) = diff(&[]);
    let repository = Repository::new(&sandbox, &[("src/up.py", BEFORE)]);
    repository.apply(&output.stdout);
    assert_eq!(repository.read("src/up.py"), AFTER);
    assert_eq!(repository.read("docs/notes for all.md"), "# Notes\n\n--- a/src/up.py\n+++ b/src/up.py\n");
    assert!(repository.git(&["apply", "-R", "../a.patch"]).success(), "and takes it back");
    assert_eq!(repository.read("src/up.py"), BEFORE);
    insta::assert_snapshot!(sandbox.shown(&output));
}

#[test]
fn the_patch_of_later_turns_applies_to_the_state_before_them() {
    let (sandbox, output) = diff(&["--since-turn", "2", "--file", "up.py", "-o", "later.patch"]);
    assert_eq!(sandbox.shown(&output), "exit 0\n");
    let repository = Repository::new(&sandbox, &[("src/up.py", BETWEEN)]);
    repository.apply(&fs::read(sandbox.path("later.patch")).unwrap());
    assert_eq!(repository.read("src/up.py"), AFTER);
}

#[test]
fn changes_are_shown() {
    let (sandbox, output) = diff(&["--format", "terminal"]);
    insta::assert_snapshot!(sandbox.shown(&output));
}

#[test]
fn a_line_for_each_file() {
    let (sandbox, output) = diff(&["--stat"]);
    insta::assert_snapshot!(sandbox.shown(&output), @r"
    exit 0
    +4 −0  docs/notes for all.md · new
    +3 −2  src/up.py
    +1 −0  /home/ana/elsewhere.txt · new
    3 files changed +8 −2
    ");
}

#[test]
fn programs_get_json() {
    let (_, output) = diff(&["--json", "--file", "src"]);
    let document: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((&document["schema"], &document["shell_commands"]), (&json!("recount.diff/2"), &json!(1)));
    let file = &document["files"][0];
    assert_eq!(file["path"], "src/up.py");
    assert_eq!((&file["calls"], &file["first_turn"], &file["last_turn"]), (&json!(2), &json!(1), &json!(2)));
    let last = file["patches"][0]["hunks"][0]["lines"].as_array().unwrap().last().unwrap();
    assert_eq!(last, &json!({"change": "added", "text": "    return 1", "no_newline": true}));
}

#[test]
fn a_page_needs_nothing_else() {
    let (sandbox, output) = diff(&["--format", "html", "-o", "a.html"]);
    assert_eq!(sandbox.shown(&output), "exit 0\n");
    let page = fs::read_to_string(sandbox.path("a.html")).unwrap();
    assert!(page.contains("src/up.py") && page.contains("class=\"added\""));
    assert!(!page.contains("src=\"") && !page.contains("<link rel=\"stylesheet\""));
}

/// The contents and names of files cannot steer a terminal, end a script, or pass for a header.
#[test]
fn content_is_content() {
    let mut session = Session::new().in_directory("/home/ana/work/shop");
    session.prompt("be evil");
    let content =
        "\u{1b}]0;title\u{7}\n</script><script>alert(1)</script>\ndiff --git a/x b/x\n@@ -1 +1 @@\n\u{202e}end";
    create(&mut session, "/home/ana/work/shop/a\n\u{1b}[2J/../b </script>.txt", content);
    let sandbox = Sandbox::new();
    sandbox.write("a.jsonl", session.jsonl());
    for form in ["--format=terminal", "--stat"] {
        let output = sandbox.recount(&["diff", "a.jsonl", form]).output().unwrap();
        let shown = String::from_utf8(output.stdout).unwrap();
        assert!(!without_colours(&shown).contains(steers), "{shown:?}");
    }
    let page = sandbox.recount(&["diff", "a.jsonl", "--format=html"]).output().unwrap();
    assert!(!String::from_utf8(page.stdout).unwrap().contains("<script>alert"));
    let patch = sandbox.recount(&["diff", "a.jsonl"]).output().unwrap();
    let repository = Repository::new(&sandbox, &[]);
    repository.apply(&patch.stdout);
    assert_eq!(repository.read("b </script>.txt"), content);
}

#[test]
fn without_changes_it_says_so() {
    let mut session = Session::new();
    session.prompt("hello");
    session.reply("Hi.");
    let sandbox = Sandbox::new();
    sandbox.write("a.jsonl", session.jsonl());
    let output = sandbox.recount(&["diff", "a.jsonl"]).output().unwrap();
    insta::assert_snapshot!(sandbox.shown(&output), @r"
    exit 1
    recount: no changes: a.jsonl
    hint: `recount show` shows what it did
    ");
}
