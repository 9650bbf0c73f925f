//! `recount forget`: nothing is left of a forgotten session, and nothing else is touched.

use std::fs;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use record::{Outcome, Run, Store, Stream};
use testkit::rng::Rng;

use crate::sandbox::Sandbox;

const A: &str = "aaaaaaaa-0000-4000-8000-00000000000a";
const B: &str = "bbbbbbbb-0000-4000-8000-00000000000b";
const PROJECT: &str = ".claude/projects/-home-ana-garden";
const SHOP: &str = ".claude/projects/-home-ana-shop";

/// Words of the session to forget, each in another place.
const PLANTED: [&str; 7] = ["qxdaffodil", "wzagent", "kqspilled", "vjprompt", "xwcaptured", "zkcommand", "jqhook"];

fn entry(session: &str, uuid: &str, parent: &str, cwd: &str, day: u32, words: &str) -> String {
    let kind = if uuid.ends_with('1') { "user" } else { "assistant" };
    format!(
        "{{\"type\":\"{kind}\",\"uuid\":\"{session}{uuid}\",\"parentUuid\":{parent},\"sessionId\":\"{session}\",\"cwd\":\"{cwd}\",\
         \"timestamp\":\"2026-08-{day:02}T09:00:00.000Z\",\"message\":{{\"role\":\"{kind}\",\"content\":\"{words}\"}}}}\n"
    )
}

fn session(session: &str, cwd: &str, day: u32, words: &str) -> String {
    let parent = format!("\"{session}1\"");
    [entry(session, "1", "null", cwd, day, words), entry(session, "2", &parent, cwd, day, "Done with it.")].concat()
}

/// Sessions in every place where recount keeps any.
fn sandbox() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.write(&format!("{PROJECT}/{A}.jsonl"), session(A, "/home/ana/garden", 8, "water the qxdaffodil"));
    sandbox.write(&format!("{PROJECT}/{A}/subagents/agent-a1.jsonl"), session(A, "/home/ana/garden", 8, "wzagent"));
    sandbox.write(&format!("{PROJECT}/{A}/tool-results/b1.txt"), "kqspilled output\n");
    sandbox.write(&format!("{SHOP}/{B}.jsonl"), session(B, "/home/ana/shop", 20, "sell the tulip"));
    let prompt = |id: &str, words: &str| {
        format!(
            "{{\"display\":\"{words}\",\"pastedContents\":{{}},\"timestamp\":1786000000000,\"project\":\"/a\",\"sessionId\":\"{id}\"}}\n"
        )
    };
    sandbox.write(".claude/history.jsonl", prompt(A, "vjprompt") + &prompt(B, "crocus"));
    let store = Store::at(&sandbox.path(".local/share/recount/captures")).unwrap();
    for (name, id, words, argument) in [("c", A, "xwcaptured", "zkcommand"), ("d", B, "violet", "plain")] {
        let run = Run::new("garden", "claude").unwrap().in_conversation(name).unwrap();
        let mut recorder = store.record(run.command(vec!["claude".into(), argument.into()], None)).unwrap();
        let line =
            format!("{{\"type\":\"assistant\",\"session_id\":\"{id}\",\"message\":{{\"content\":\"{words}\"}}}}\n");
        recorder.push(Stream::Output, line.as_bytes()).unwrap();
        recorder.close(Outcome::code(0)).unwrap();
    }
    let hook = |id: &str, words: &str| {
        format!("{{\"hook_event_name\":\"Stop\",\"session_id\":\"{id}\",\"last_assistant_message\":\"{words}\"}}")
    };
    for event in [hook(A, "jqhook"), hook(B, "lily")] {
        let mut command = sandbox.recount(&["hook"]);
        assert_eq!(command.write_stdin(event).output().unwrap().status.code(), Some(0));
    }
    sandbox.write(".cache/recount/pages/session-1.html", "a page with qxdaffodil");
    sandbox
}

fn run(sandbox: &Sandbox, arguments: &[&str]) -> Output {
    sandbox.recount(arguments).output().unwrap()
}

fn says(sandbox: &Sandbox, arguments: &[&str]) -> String {
    let output = run(sandbox, arguments);
    assert_eq!(output.status.code(), Some(0), "{arguments:?}: {}", sandbox.shown(&output));
    String::from_utf8(output.stdout).unwrap()
}

/// All files below a folder.
fn files(folder: &Path) -> Vec<PathBuf> {
    let (mut files, mut folders) = (Vec::new(), vec![folder.to_path_buf()]);
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).into_iter().flatten() {
            let path = entry.unwrap().path();
            if path.is_dir() { folders.push(path) } else { files.push(path) }
        }
    }
    files
}

/// The files of recount that have a word, as they are or in a compressed part. `SQLite`'s free pages and its log are parts
/// of its files.
fn holders(sandbox: &Sandbox, word: &str) -> Vec<String> {
    let kept = [".local", ".cache", ".config"].map(|folder| sandbox.path(folder));
    let mut holders = Vec::new();
    for path in kept.iter().flat_map(|folder| files(folder)) {
        let bytes = fs::read(&path).unwrap();
        let mut all = Vec::new();
        for at in memchr::memmem::find_iter(&bytes, b"\x28\xb5\x2f\xfd") {
            let frame = zstd::stream::read::Decoder::new(&bytes[at..]).unwrap().single_frame();
            // What is no frame ends with an error.
            let _ = frame.take(64 << 20).read_to_end(&mut all);
        }
        all.extend(&bytes);
        if memchr::memmem::find(&all, word.as_bytes()).is_some() {
            holders.push(path.strip_prefix(sandbox.path("")).unwrap().display().to_string());
        }
    }
    holders.sort();
    holders
}

/// Fills everything that recount keeps.
fn fill(sandbox: &Sandbox) {
    says(sandbox, &["archive"]);
    says(sandbox, &["ls"]);
    says(sandbox, &["search", "tulip"]);
    run(sandbox, &["statusline"]);
}

/// What every list says.
fn lists(sandbox: &Sandbox) -> String {
    let verbs: [&[&str]; 9] = [
        &["ls", "--json"],
        &["ls", "--no-index"],
        &["projects"],
        &["archive", "status", "--json"],
        &["search", "done", "--json"],
        &["search", "water OR sell", "--no-index"],
        &["watch", "--once", "--since", "2000d"],
        &["check", "--json"],
        &["tail", "--all"],
    ];
    verbs.iter().map(|verb| sandbox.shown(&run(sandbox, verb))).collect()
}

#[test]
fn nothing_is_left_of_a_forgotten_session() {
    for is_deleted in [true, false] {
        let sandbox = sandbox();
        fill(&sandbox);
        if is_deleted {
            fs::remove_dir_all(sandbox.path(PROJECT)).unwrap();
            says(&sandbox, &["ls"]);
        }
        for word in PLANTED {
            assert!(!holders(&sandbox, word).is_empty(), "{word} is nowhere before");
        }
        assert!(lists(&sandbox).contains(A));
        let before = says(&sandbox, &["show", B, "--format", "json"]);

        let refused = sandbox.shown(&run(&sandbox, &["forget", "aaaa"]));
        assert!(
            refused.starts_with("exit 2\nthis will forget 1 session:\n  aaaaaaaa  water the qxdaffodil"),
            "{refused}"
        );
        assert!(refused.contains("cannot ask") && lists(&sandbox).contains(A), "{refused}");
        let said = says(&sandbox, &["forget", "aaaa", "--yes"]);
        assert!(said.contains("forgot 1 session: removed 3 files from the archive"), "{said}");
        assert_eq!(said.contains(&format!("{A}.jsonl")), !is_deleted, "Claude's own file is named: {said}");
        assert!(said.contains("history.jsonl"), "{said}");

        let is_gone = |when: &str| {
            for word in PLANTED.into_iter().chain([A]) {
                assert_eq!(holders(&sandbox, word), [""; 0], "{word} {when}, deleted: {is_deleted}");
            }
        };
        is_gone("at once");
        // Nothing brings it back: not the files and prompts that Claude still has, not the next runs.
        for _ in 0..2 {
            let listed = lists(&sandbox);
            assert!(!listed.contains("aaaaaaaa") && listed.contains(B), "{listed}");
            fill(&sandbox);
        }
        // Positions in Claude's own prompt history are kept with the ids that are there.
        let without_ids = PLANTED.into_iter().filter(|word| !holders(&sandbox, word).is_empty()).collect::<Vec<_>>();
        assert_eq!(without_ids, [""; 0]);
        let shown = sandbox.shown(&run(&sandbox, &["show", A]));
        assert!(shown.contains("no such session"), "{shown}");
        assert_eq!(sandbox.path(&format!("{PROJECT}/{A}.jsonl")).exists(), !is_deleted);
        assert!(fs::read_to_string(sandbox.path(".claude/history.jsonl")).unwrap().contains("vjprompt"));

        // All else is as it was.
        assert_eq!(says(&sandbox, &["show", B, "--format", "json"]), before);
        assert!(says(&sandbox, &["archive", "verify"]).ends_with(": all in order\n"));
        says(&sandbox, &["archive", "restore", B, "-o", "back"]);
        let back = fs::read(sandbox.path(&format!("back/projects/-home-ana-shop/{B}.jsonl"))).unwrap();
        assert_eq!(back, session(B, "/home/ana/shop", 20, "sell the tulip").into_bytes());
        assert!(!holders(&sandbox, "violet").is_empty() && !holders(&sandbox, "lily").is_empty());
        let again = run(&sandbox, &["forget", A, "--yes"]);
        assert_eq!(again.status.code(), Some(2), "it is not listed any more");
    }
}

#[test]
fn projects_and_dates_choose_sessions() {
    for (arguments, gone) in [
        (&["forget", "--project", "garden", "--yes"][..], vec![A]),
        (&["forget", "--before", "2026-08-15", "--yes"], vec![A]),
        (&["forget", "--before", "2026-08-30", "--yes"], vec![A, B]),
        (&["forget", "--before", "2026-08-30", "--project", "shop", "--yes"], vec![B]),
        (&["forget", "aaaa", "bbbb", "--yes"], vec![A, B]),
    ] {
        let sandbox = sandbox();
        // Captures are of today.
        fs::remove_dir_all(sandbox.path(".local/share/recount/captures")).unwrap();
        fill(&sandbox);
        says(&sandbox, arguments);
        let listed = lists(&sandbox);
        for id in [A, B] {
            assert_eq!(!listed.contains(id), gone.contains(&id), "{arguments:?}: {listed}");
        }
        assert_eq!(holders(&sandbox, "qxdaffodil").is_empty(), gone.contains(&A), "{arguments:?}");
    }
    let sandbox = sandbox();
    for (arguments, code) in [
        (&["forget"][..], 2),
        (&["forget", "nowhere", "--yes"], 2),
        (&["forget", "--before", "2001-01-01", "--yes"], 1),
    ] {
        let output = run(&sandbox, arguments);
        let said = sandbox.shown(&output);
        assert!(output.status.code() == Some(code) && said.contains("hint: "), "{arguments:?}: {said}");
    }
    assert!(!sandbox.path(".local/share/recount/forgotten").exists());
}

/// However it is killed: the session is listed as before or hidden, no other loses anything, and the next attempt leaves
/// nothing of it.
#[test]
fn a_killed_attempt_is_completed_by_the_next() {
    const ROUNDS: usize = 40;
    let sandbox = sandbox();
    // Enough for the rewriting to take a while.
    let mut rng = Rng::new(8);
    for number in 0..8 {
        let id = format!("cccccccc-0000-4000-8000-00000000000{number}");
        let words: String = (0..60_000).map(|_| char::from(b'a' + u8::try_from(rng.below(26)).unwrap())).collect();
        sandbox.write(&format!("{SHOP}/{id}.jsonl"), session(&id, "/home/ana/shop", 9, &words));
    }
    fill(&sandbox);
    fs::remove_dir_all(sandbox.path(PROJECT)).unwrap();
    says(&sandbox, &["ls"]);
    let kept = tempfile::tempdir().unwrap();
    copy(&sandbox.path(""), kept.path());
    let mut usual = Duration::from_millis(100);
    let (mut killed, mut hidden) = (0, 0);
    for round in 0..ROUNDS {
        for folder in [".local", ".cache", ".claude", "back"] {
            let _ = fs::remove_dir_all(sandbox.path(folder));
        }
        copy(kept.path(), &sandbox.path(""));
        let mut command = Command::new(assert_cmd::cargo::cargo_bin!("recount"));
        command.args(["forget", A, "--yes"]).env_clear().env("HOME", sandbox.path("")).env("TZ", "UTC");
        let started = Instant::now();
        let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        if round % 10 > 0 {
            std::thread::sleep(usual.mul_f64(f64::from(u32::try_from(rng.below(1000)).unwrap()) / 900.0));
            let _ = child.kill();
        }
        let is_done = child.wait().unwrap().success();
        if round % 10 == 0 {
            assert!(is_done, "round {round}");
            usual = started.elapsed();
        }
        killed += usize::from(!is_done);
        assert!(says(&sandbox, &["archive", "verify"]).contains(": all in order\n"), "round {round}");
        let listed = says(&sandbox, &["ls", "--json"]);
        assert!(listed.contains(B), "round {round}");
        let is_hidden = !listed.contains(A);
        hidden += usize::from(is_hidden && !is_done);
        assert!(is_hidden || !is_done, "round {round}");
        let next: &[&str] = if is_hidden { &["forget", "--yes"] } else { &["forget", A, "--yes"] };
        let output = run(&sandbox, next);
        let is_complete = output.status.success() || sandbox.shown(&output).contains("name the sessions to forget");
        assert!(is_complete, "round {round}: {}", sandbox.shown(&output));
        for word in PLANTED {
            assert_eq!(holders(&sandbox, word), [""; 0], "{word} in round {round}");
        }
        says(&sandbox, &["archive", "restore", B, "-o", "back"]);
        let status: serde_json::Value =
            serde_json::from_str(&says(&sandbox, &["archive", "status", "--json"])).unwrap();
        assert_eq!(status["session_count"], 9, "round {round}");
    }
    assert!(killed > 5 && hidden > 0, "{killed} were killed, {hidden} of them hidden");
}

fn copy(from: &Path, to: &Path) {
    for path in files(from) {
        let target = to.join(path.strip_prefix(from).unwrap());
        fs::create_dir_all(target.parent().unwrap()).unwrap();
        fs::copy(path, target).unwrap();
    }
}
