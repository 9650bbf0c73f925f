//! Tests that every verb leaves the files of Claude Code alone: none is written or locked, and secrets are not opened.

#![cfg(unix)]

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::sandbox::Sandbox;

/// The arguments of each verb. `OUT` is a folder elsewhere; all runs start in a project's folder.
const VERBS: &[&[&str]] = &[
    &["archive"],
    &["archive", "status"],
    &["capture", "--store", "OUT/store", "--conversation", "c", "--", "/bin/sh", "-c", SAYS],
    &["cat", "last"],
    &["cat", SESSION, "--pretty"],
    &["check"],
    &["check", "--json", "."],
    &["demo"],
    &["demo", "--live", "OUT/played", "--speed", "10000", "--one-round"],
    &["diff", SESSION],
    &["export", "html", "OUT/site"],
    &["export", "md", "OUT/notes"],
    &["export", "json", "OUT/documents"],
    &["file", "retry.py"],
    &["show", COWORK_SESSION],
    &["forget", COWORK_SESSION, "--yes"],
    &["hooks", "install", "--print"],
    &["import", "--store", "OUT/imports", "d3e0a5c4-71de-4c0b-9a11-7d1de0c11e47.jsonl"],
    &["ls", "--tree"],
    &["projects"],
    &["replay", SESSION, "--speed", "100", "--max-pause", "0s"],
    &["resume", "c", "--print", "--store", "OUT/store"],
    &["search", "retry"],
    &["share", SESSION, "--yes", "-o", "OUT/shared.html"],
    &["show", "last"],
    &["show", SESSION, "--detail", "raw"],
    &["show", SESSION, "--format", "html", "-o", "OUT/page.html"],
    &["statusline"],
    &["tail", SESSION],
    &["tail", "--all"],
    &["usage"],
    &["usage", "session"],
    &["usage", "tool"],
    &["watch", "--since", "2025-01-01"],
];

/// The output of the captured program.
const SAYS: &str = r#"echo '{"type":"system","subtype":"init","session_id":"5e55"}'"#;
const SESSION: &str = "d3e0a5c4-71de-4c0b-9a11-7d1de0c11e47";
const COWORK_SESSION: &str = "77aa0f7a-2b3c-4d5e-8f90-a1b2c3d4e5f6";
const PROJECT: &str = ".claude/projects/-home-ana-client";

/// Sessions of Claude Code and of Cowork, beside secrets whose opening blocks forever.
fn home() -> Sandbox {
    let home = Sandbox::new();
    let demo = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/demo");
    let cowork = format!(".config/Claude/local-agent-mode-sessions/acc/org/local_{COWORK_SESSION}");
    let agent = "subagents/agent-a7c41e90b2d85f36d";
    for name in [".jsonl", &format!("/{agent}.jsonl"), &format!("/{agent}.meta.json")] {
        let bytes = fs::read(demo.join(format!("{SESSION}{name}"))).unwrap();
        home.write(&format!("{PROJECT}/{SESSION}{name}"), bytes);
    }
    let line = r#"{"type":"user","uuid":"u1","sessionId":"77aa","cwd":"/sessions/x","message":{"content":"water"}}"#;
    home.write(&format!("{cowork}/.claude/projects/-sessions-x/{COWORK_SESSION}.jsonl"), line);
    home.write(&format!("{cowork}/audit.jsonl"), line);
    home.write(&format!("{PROJECT}/{SESSION}/tool-results/b2a12tqgj.txt"), "much");
    home.write(".claude/history.jsonl", r#"{"display":"water","timestamp":1770919912345,"project":"/x"}"#);
    home.write(".claude/sessions/12.json", r#"{"pid":12}"#);
    home.write(".claude/settings.json", "{}");
    for name in [".claude.json", ".claude/.claude.json", ".claude/.credentials.json", ".claude/sessions/12.key"] {
        make_pipe(&home.path(name));
    }
    home.write(&format!("{PROJECT}/{SESSION}/subagents/agent-a1.jsonl"), line);
    let notes = format!("{SESSION}/subagents/agent-a1.meta.json");
    for name in ["left.key", "pipe.jsonl", "agent-pipe.jsonl", &notes] {
        make_pipe(&home.path(&format!("{PROJECT}/{name}")));
    }
    std::os::unix::fs::symlink("left.key", home.path(&format!("{PROJECT}/link.jsonl"))).unwrap();
    home
}

fn make_pipe(path: &Path) {
    assert!(Command::new("mkfifo").arg(path).status().unwrap().success());
}

/// The metadata of everything below a folder, and the contents of files that do not block.
fn tree(folder: &Path) -> BTreeMap<PathBuf, String> {
    let mut all = BTreeMap::new();
    let mut to_do = vec![folder.to_path_buf()];
    while let Some(path) = to_do.pop() {
        let metadata = fs::symlink_metadata(&path).unwrap();
        if metadata.is_dir() {
            to_do.extend(fs::read_dir(&path).unwrap().map(|entry| entry.unwrap().path()));
        }
        let bytes = if metadata.is_file() { fs::read(&path).unwrap() } else { Vec::new() };
        let state = format!(
            "{:?} {} bytes, modified {:?}, {:?}, {}",
            metadata.file_type(),
            metadata.len(),
            metadata.modified().unwrap(),
            metadata.permissions(),
            String::from_utf8_lossy(&bytes)
        );
        all.insert(path, state);
    }
    all
}

#[test]
fn every_verb_leaves_roots_as_they_are() {
    let home = home();
    let out = tempfile::tempdir().unwrap();
    let roots = [".claude", ".config/Claude"].map(|name| home.path(name));
    let before = roots.each_ref().map(|root| tree(root));
    // A program that locks one of these files has to wait.
    let files = before.iter().flat_map(BTreeMap::keys).filter(|path| path.is_file());
    let locked: Vec<File> = files.map(|path| File::open(path).unwrap()).collect();
    for file in &locked {
        file.lock().unwrap();
    }
    let status = format!(
        r#"{{"session_id":"{SESSION}","transcript_path":"{}"}}"#,
        home.path(&format!("{PROJECT}/{SESSION}.jsonl")).display()
    );
    for verb in VERBS {
        let out = out.path().to_str().unwrap();
        let arguments: Vec<String> = verb.iter().map(|argument| argument.replace("OUT", out)).collect();
        let mut command = home.recount(&arguments.iter().map(String::as_str).collect::<Vec<_>>());
        command.current_dir(home.path(PROJECT)).write_stdin(status.clone()).timeout(Duration::from_secs(60));
        command.assert().code(0);
        let after = roots.each_ref().map(|root| tree(root));
        assert_eq!(before, after, "{verb:?}");
    }
    assert!(fs::read_dir(out.path()).unwrap().count() >= 4, "they did write elsewhere");
    serve(&home);
    assert_eq!(before, roots.each_ref().map(|root| tree(root)), "serve");
}

/// Runs `recount serve` until it lists the session, then ends it with a signal.
fn serve(home: &Sandbox) {
    let program = assert_cmd::cargo::cargo_bin!("recount");
    let mut command = Command::new(program);
    command.args(["serve", "--port", "0"]).env_clear().env("HOME", home.path("")).stdout(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let (host, token) = line.trim().strip_prefix("http://").unwrap().split_once("/?token=").unwrap();
    let ask = || {
        let mut stream = TcpStream::connect(host).unwrap();
        let head = format!("Host: {host}\r\nAuthorization: Bearer {token}\r\nConnection: close\r\n\r\n");
        write!(stream, "GET /api/v1/sessions HTTP/1.1\r\n{head}").unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        answer
    };
    let ends = Instant::now() + Duration::from_secs(60);
    while !ask().contains(SESSION) {
        assert!(Instant::now() < ends, "it never read the session: {}", ask());
        std::thread::sleep(Duration::from_millis(50));
    }
    assert!(Command::new("kill").arg(child.id().to_string()).status().unwrap().success());
    assert!(child.wait().unwrap().success());
}

#[test]
fn every_verb_is_tried() {
    let help = Sandbox::new().recount(&["--help"]).output().unwrap();
    let help = String::from_utf8(help.stdout).unwrap();
    let listed = help.lines().skip_while(|line| *line != "Commands:").skip(1).take_while(|line| !line.is_empty());
    // Names are indented by two columns; lines indented further continue a description.
    let names = listed.filter_map(|line| line.strip_prefix("  ").filter(|rest| !rest.starts_with(' ')));
    let verbs: BTreeSet<&str> = names.filter_map(|rest| rest.split_whitespace().next()).collect();
    let tried: BTreeSet<&str> = VERBS.iter().filter_map(|verb| verb.first().copied()).chain(["serve"]).collect();
    assert_eq!(verbs, tried, "each verb needs a line in VERBS");
}
