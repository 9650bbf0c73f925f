//! Roots, folders and files whose names are not Unicode.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};
use std::process::Output;

use crate::sandbox::Sandbox;

const ONE: &str = "1 entry in 1 session";
const ID: &str = "11111111-1111-4111-8111-111111111111";

fn name(bytes: &[u8]) -> &OsStr {
    OsStr::from_bytes(bytes)
}

/// A root, a folder of a project and a session, each with a byte that is no Unicode.
struct Stage {
    sandbox: Sandbox,
    root: PathBuf,
}

impl Stage {
    fn new() -> Self {
        let sandbox = Sandbox::new();
        let root = sandbox.path("").join(name(b"claude\xff"));
        let stage = Self { sandbox, root };
        Self::write(&stage.named(), "odd", "water the peonies");
        Self::write(&stage.project().join(format!("{ID}.jsonl")), ID, "count the seeds");
        // Another one that looks the same.
        Self::write(&stage.project().join(name(b"garden\xfd.jsonl")), "twin", "rake the gravel");
        let agent = stage.project().join(ID).join("subagents").join(name(b"agent-a\xfc.jsonl"));
        Self::write(&agent, ID, "look for slugs");
        stage
    }

    fn project(&self) -> PathBuf {
        self.root.join("projects").join(name(b"-home-\xfe"))
    }

    fn named(&self) -> PathBuf {
        self.project().join(name(b"garden\xfb.jsonl"))
    }

    fn write(path: &Path, session: &str, words: &str) {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        let own = words;
        let line = |kind: &str, uuid: &str, parent: &str, words: &str| {
            let usage = ",\"id\":\"m1\",\"model\":\"claude-opus-4-20250514\",\"usage\":{\"input_tokens\":9,\"output_tokens\":5}";
            let usage =
                if kind == "assistant" { usage.replace("m1", &format!("{session}{own}")) } else { String::new() };
            format!(
                "{{\"type\":\"{kind}\",\"uuid\":\"{session}-{own}-{uuid}\",\"parentUuid\":{parent},\"sessionId\":\"{session}\",\
                 \"cwd\":\"/garden\",\"timestamp\":\"2026-08-08T09:00:00.000Z\",\
                 \"message\":{{\"role\":\"{kind}\",\"content\":\"{words}\"{usage}}}}}\n"
            )
        };
        let parent = format!("\"{session}-{own}-1\"");
        let lines = [line("user", "1", "null", words), line("assistant", "2", &parent, "Done with it.")];
        fs::write(path, lines.concat()).unwrap();
    }

    fn run<A: AsRef<OsStr>>(&self, arguments: &[A]) -> Output {
        let mut command = self.sandbox.recount(&[]);
        command.args(arguments).env("CLAUDE_CONFIG_DIR", &self.root).output().unwrap()
    }

    /// What a successful run prints.
    fn says<A: AsRef<OsStr>>(&self, arguments: &[A]) -> String {
        let output = self.run(arguments);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        let shown: Vec<String> = arguments.iter().map(|it| it.as_ref().to_string_lossy().into_owned()).collect();
        assert_eq!((output.status.code(), said.as_str()), (Some(0), ""), "{shown:?}");
        String::from_utf8(output.stdout).unwrap()
    }

    fn listed(&self) -> Vec<String> {
        let listed: serde_json::Value = serde_json::from_str(&self.says(&["ls", "--json"])).unwrap();
        let sessions = listed["sessions"].as_array().unwrap().iter();
        let mut names: Vec<String> = sessions.map(|row| row["session"].as_str().unwrap().to_owned()).collect();
        names.sort();
        names
    }
}

#[test]
fn sessions_are_listed_found_and_shown() {
    let stage = Stage::new();
    for _ in 0..2 {
        let listed = stage.listed();
        assert!(listed.len() == 3 && listed[1..].iter().all(|name| name.starts_with("garden\u{fffd}~")), "{listed:?}");
        for words in ["peonies", "gravel", "slugs"] {
            let found = stage.says(&["search", words]);
            assert!(found.contains(words), "{found}");
            assert_eq!(stage.says(&["search", words, "--count"]).trim(), ONE, "read from its file");
        }
        let shown: Vec<String> = listed[1..].iter().map(|name| stage.says(&["show", name])).collect();
        let (one, other) = (shown.concat().matches("peonies").count(), shown.concat().matches("gravel").count());
        assert!(one > 0 && other > 0 && shown[0] != shown[1], "{shown:?}");
    }
    let by_path = stage.says(&[OsString::from("show"), stage.named().into()]);
    assert!(by_path.contains("water the peonies"));
    assert!(stage.says(&["show", ID, "--thread", "all"]).contains("look for slugs"));
    let cat = stage.run(&[OsString::from("cat"), stage.named().into()]);
    assert_eq!(cat.stdout, fs::read(stage.named()).unwrap());
    for verb in [&["check"][..], &["usage"], &["projects"], &["ls", "--no-index"], &["tail", ID]] {
        assert!(!stage.says(verb).is_empty(), "{verb:?}");
    }
    let input = format!("{{\"session_id\":\"{ID}\"}}");
    let mut status = stage.sandbox.recount(&["statusline", "--template", "{today}"]);
    let status = status.env("CLAUDE_CONFIG_DIR", &stage.root).write_stdin(input).output().unwrap();
    assert_eq!(status.status.code(), Some(0), "{}", stage.sandbox.shown(&status));
}

#[test]
fn an_index_reads_only_what_is_new() {
    let stage = Stage::new();
    stage.listed();
    // Nothing is read again: a file that cannot be opened any more is still listed from the index.
    let mut again = fs::read_to_string(stage.named()).unwrap();
    again.push_str(&again.replace("peonies", "dahlias"));
    fs::write(stage.named(), again).unwrap();
    assert_eq!(stage.listed().len(), 3);
    assert_eq!(stage.says(&["search", "dahlias", "--count"]).trim(), ONE);
    fs::remove_file(stage.named()).unwrap();
    assert_eq!(stage.listed().len(), 2);
}

#[test]
fn sessions_are_archived_and_restored() {
    let stage = Stage::new();
    // So that the root is not empty.
    let other = "22222222-2222-4222-8222-222222222222";
    Stage::write(&stage.root.join(format!("projects/-stays/{other}.jsonl")), other, "plant the bulbs");
    let before = stage.listed();
    let bytes = fs::read(stage.named()).unwrap();
    assert!(stage.says(&["archive"]).contains("archived 5 of 5 files"));
    assert!(stage.says(&["archive"]).contains("nothing new"));
    stage.says(&["archive", "verify"]);
    fs::remove_dir_all(stage.project()).unwrap();
    assert_eq!(stage.listed(), before);
    for name in &before {
        let to = format!("back-{name}");
        assert!(!stage.says(&["archive", "restore", name, "-o", &to]).is_empty());
    }
    let back = before.iter().map(|name| stage.sandbox.path(&format!("back-{name}/projects")));
    let back = back.map(|folder| folder.join(name(b"-home-\xfe")).join(name(b"garden\xfb.jsonl")));
    assert_eq!(back.filter_map(|path| fs::read(path).ok()).collect::<Vec<_>>(), [bytes]);
    stage.says(&["archive", "export", "-o", "all.tar"]);
    assert_eq!(stage.says(&["search", "peonies", "--count"]).trim(), ONE);
}

#[test]
fn sessions_are_exported() {
    let stage = Stage::new();
    for form in ["html", "md", "json"] {
        let mut to = OsString::from(format!("site-{form}"));
        to.push(name(b"\xfa"));
        let export = [OsString::from("export"), form.into(), to.clone()];
        assert!(stage.says(&export).contains("3 sessions written"), "{form}");
        assert!(stage.says(&export).contains("3 unchanged"), "{form}");
        assert!(stage.sandbox.path("").join(&to).is_dir());
    }
    let mut page = OsString::from("page");
    page.push(name(b"\xfa.html"));
    stage.says(&[OsString::from("show"), ID.into(), "--format".into(), "html".into(), "-o".into(), page.clone()]);
    assert!(stage.sandbox.path("").join(page).is_file());
}
