//! `recount resume`: continues conversations.

use std::fs;
use std::process::Stdio;

use record::Store;

use super::fake::Stage;

const SESSION: &str = "5e551000-0000-4000-8000-000000000001";

#[test]
fn a_conversation_is_resumed_in_its_folder() {
    let stage = Stage::new("init\nsay one\nresult success 0.1");
    let folder = stage.sandbox.path("work");
    fs::create_dir_all(&folder).unwrap();
    let mut first = stage.capture(&["--conversation", "c"], &["-p", "begin"]);
    assert!(first.current_dir(&folder).output().unwrap().status.success());
    let shown = stage.recount(&["resume", "c", "--print", "--", "-p", "it's on"]).output().unwrap();
    let shown = String::from_utf8(shown.stdout).unwrap();
    assert!(shown.starts_with(&format!("cd {} && ", folder.display())), "{shown}");
    assert!(shown.ends_with(&format!("claude --resume {SESSION} -p 'it'\\''s on'\n")), "{shown}");
    assert_eq!(stage.runs().len(), 1);
    for (number, text) in [(2, "second"), (3, "third")] {
        stage.plays(&format!("init\nsay {text}\nresult success 0.2\nexit {number}"));
        let output = stage.recount(&["resume", "c", "--", "-p", text]).output().unwrap();
        assert_eq!(output.status.code(), Some(number), "{output:?}");
        let (arguments, directory) = stage.runs().pop().unwrap();
        assert_eq!(arguments, ["--resume", SESSION, "-p", text]);
        assert_eq!(directory, folder.to_str().unwrap());
    }
    let store = Store::open(&stage.sandbox.path(".local/share/recount/captures")).unwrap();
    assert_eq!(store.conversations().unwrap().len(), 1);
    let totals = store.conversation("c").unwrap().summary().unwrap().totals;
    assert_eq!((totals.runs, totals.results, totals.cost_usd), (3, 3, 0.5));
    let listed = stage.recount(&["usage", "session", "--json"]).output().unwrap();
    let listed = String::from_utf8(listed.stdout).unwrap();
    assert!(listed.contains("0.5"), "{listed}");
}

#[test]
fn conversations_are_found_by_prefix_and_by_age() {
    let stage = Stage::new("init");
    for name in ["spades", "shed"] {
        stage.capture(&["--conversation", name], &[]).output().unwrap();
    }
    let store = Store::open(&stage.sandbox.path(".local/share/recount/captures")).unwrap();
    // Makes it look old.
    let old = store.conversation("spades").unwrap();
    let long_ago = std::time::SystemTime::now() - std::time::Duration::from_secs(3600);
    fs::File::options().append(true).open(old.path()).unwrap().set_modified(long_ago).unwrap();
    for (asked, found) in [("spa", "spades"), ("last", "shed"), ("last~1", "spades"), ("shed", "shed")] {
        assert_eq!(store.conversation(asked).unwrap().name(), found, "{asked}");
    }
    for asked in ["s", "last~2", "", "lastly"] {
        assert!(store.conversation(asked).is_err(), "{asked}");
    }
}

#[test]
fn a_conversation_that_cannot_be_resumed_says_why() {
    let stage = Stage::new("out no session here");
    let check = |name: &str, why: &str, code: i32| {
        let output = stage.recount(&["resume", name]).output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(code), "{said}");
        assert!(said.contains(why), "{said}");
    };
    stage.capture(&["--conversation", "nameless"], &[]).output().unwrap();
    check("nameless", "recount: cannot resume nameless: it has no session id\nhint: ", 1);
    stage.plays("init\nout {\"type\":\"ended-by-model\",\"session_id\":\"$SESSION\"}");
    stage.capture(&["--conversation", "ended"], &[]).output().unwrap();
    check("ended", "recount: cannot resume ended: the model ended it\nhint: ", 1);
    stage.plays("init");
    let folder = stage.sandbox.path("gone");
    fs::create_dir_all(&folder).unwrap();
    stage.capture(&["--conversation", "homeless"], &[]).current_dir(&folder).output().unwrap();
    fs::remove_dir(&folder).unwrap();
    check("homeless", "recount: cannot resume homeless: its folder is gone: ", 1);
    check("nobody", "no such conversation: nobody", 2);
    // A transcript may also say that the conversation ended.
    stage.plays("init");
    stage.capture(&["--conversation", "over"], &[]).output().unwrap();
    let line = format!("{{\"type\":\"ended-by-model\",\"sessionId\":\"{SESSION}\"}}\n");
    stage.sandbox.write(&format!(".claude/projects/-x/{SESSION}.jsonl"), line);
    check("over", "the model ended it", 1);
}

#[test]
fn a_closed_pipe_is_not_an_error() {
    let stage = Stage::new("init\nresult success 0.1");
    stage.capture(&["--conversation", "c"], &["-p", "begin"]).output().unwrap();
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let output = stage.recount(&["resume", "c", "--print"]).stdout(writer).stderr(Stdio::piped()).output().unwrap();
    assert!(output.status.success(), "{output:?}");
}
