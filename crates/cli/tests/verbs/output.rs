//! Files that are written with `-o` and the like: whole or not at all.

use std::fs;
use std::path::Path;

use crate::index::faults::layer;
use crate::sandbox::Sandbox;

const ID: &str = "11111111-1111-4111-8111-111111111111";

fn sandbox() -> Sandbox {
    let sandbox = Sandbox::new();
    let line = |kind: &str, uuid: &str, parent: &str, second: u32, content: &str| {
        let usage =
            ",\"id\":\"m1\",\"model\":\"claude-opus-4-20250514\",\"usage\":{\"input_tokens\":9,\"output_tokens\":5}";
        let usage = if kind == "assistant" { usage } else { "" };
        format!(
            "{{\"type\":\"{kind}\",\"uuid\":\"{uuid}\",\"parentUuid\":{parent},\"sessionId\":\"{ID}\",\"cwd\":\"/garden\",\
             \"timestamp\":\"2026-08-08T09:00:0{second}.000Z\",\"message\":{{\"role\":\"{kind}\",\"content\":{content}{usage}}}}}\n"
        )
    };
    let write = "[{\"type\":\"tool_use\",\"id\":\"t1\",\"name\":\"Write\",\"input\":{\"file_path\":\"/garden/beds.txt\",\"content\":\"four\"}}]";
    let written = "[{\"type\":\"tool_result\",\"tool_use_id\":\"t1\",\"content\":\"File created successfully at: /garden/beds.txt\"}]";
    let lines = [
        line("user", "u1", "null", 1, "\"water the beds\""),
        line("assistant", "a1", "\"u1\"", 2, write),
        line("user", "u2", "\"a1\"", 3, written),
        line("assistant", "a2", "\"u2\"", 4, "\"Done.\""),
    ];
    sandbox.write(&format!(".claude/projects/-garden/{ID}.jsonl"), lines.concat());
    sandbox
}

/// Commands that write a file, which is the last argument.
const COMMANDS: [&[&str]; 14] = [
    &["show", ID, "-o"],
    &["show", ID, "--format", "md", "-o"],
    &["show", ID, "--format", "html", "-o"],
    &["show", ID, "--format", "json", "-o"],
    &["show", ID, "--accounting", "-o"],
    &["cat", ID, "-o"],
    &["cat", ID, "--pretty", "-o"],
    &["ls", "-o"],
    &["check", "-o"],
    &["usage", "-o"],
    &["tail", ID, "-o"],
    &["diff", ID, "-o"],
    &["search", "water", "-o"],
    &["replay", ID, "--cast"],
];

fn names(folder: &Path) -> Vec<String> {
    fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
}

#[test]
fn a_full_disk_leaves_the_old_file_and_is_named() {
    let sandbox = sandbox();
    let aside = tempfile::tempdir().unwrap();
    let layer = layer(aside.path());
    fs::create_dir(sandbox.path("out")).unwrap();
    let (path, count) = (sandbox.path("out/file"), aside.path().join("count"));
    let named = path.to_str().unwrap();
    assert_eq!(sandbox.recount(&["archive", "--quiet"]).output().unwrap().status.code(), Some(0));
    for command in COMMANDS.iter().copied().chain([&["archive", "export", "--force", "-o"][..]]) {
        let arguments = [command, &[named]].concat();
        let run = |at: usize| {
            fs::write(&path, "old").unwrap();
            let mut recount = sandbox.recount(&arguments);
            recount.env("LD_PRELOAD", &layer).env("FAULT_FOLDER", sandbox.path("out")).env("FAULT_COUNT", &count);
            let output = recount.env("FAULT_KIND", "full").env("FAULT_AT", at.to_string()).output().unwrap();
            let calls: usize = fs::read_to_string(&count).unwrap().parse().unwrap();
            assert_eq!(names(&sandbox.path("out")), ["file"], "{arguments:?} {at}");
            (output, calls, fs::read(&path).unwrap())
        };
        let (output, calls, whole) = run(0);
        assert_eq!(output.status.code(), Some(0), "{arguments:?}: {}", sandbox.shown(&output));
        assert!(!whole.is_empty() && whole != b"old" && calls > 2, "{arguments:?}: {calls}");
        let mut failed = 0;
        for at in 1..=calls {
            let (output, _, content) = run(at);
            let said = sandbox.shown(&output);
            if output.status.success() {
                assert!(content == whole || command[0] == "archive", "{arguments:?} {at}");
                continue;
            }
            failed += 1;
            assert_eq!((output.status.code(), content), (Some(2), b"old".to_vec()), "{arguments:?} {at}: {said}");
            assert!(said.contains("[HERE]/out/file: No space left"), "{arguments:?} {at}: {said}");
        }
        assert!(failed > 0, "{arguments:?}");
    }
}

#[cfg(unix)]
#[test]
fn pipes_and_standard_output_can_be_named() {
    let sandbox = sandbox();
    let printed = sandbox.recount(&["show", ID, "--format", "md"]).output().unwrap();
    let named = sandbox.recount(&["show", ID, "--format", "md", "-o", "/dev/stdout"]).output().unwrap();
    assert_eq!((named.status.code(), &named.stdout), (Some(0), &printed.stdout), "{}", sandbox.shown(&named));
    let pipe = sandbox.path("pipe");
    if std::process::Command::new("mkfifo").arg(&pipe).status().is_ok_and(|status| status.success()) {
        let reader = std::thread::spawn({
            let pipe = pipe.clone();
            move || fs::read(pipe).unwrap()
        });
        let output = sandbox.recount(&["show", ID, "--format", "md", "-o", "pipe"]).output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{}", sandbox.shown(&output));
        assert_eq!(reader.join().unwrap(), printed.stdout);
    }
    let full = sandbox.recount(&["show", ID, "-o", "/dev/full"]).output().unwrap();
    let said = sandbox.shown(&full);
    assert!(full.status.code() == Some(2) && said.contains("/dev/full: No space left"), "{said}");
}
