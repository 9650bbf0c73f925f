//! A secret of every kind in every place of a session is in no output.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use reader::SessionReader;
use redact::Decisions;
use serde_json::{Value, json};
use site::{ShareForm, share};
use sources::find_at;

use crate::leaks::Pieces;
use crate::samples::{self, Sample};
use crate::{app, replaced, source, written};

const SESSION: &str = "9f0c2a44-5d7e-4b3a-8c21-0a1b2c3d4e5f";

/// Writes a session with a secret somewhere.
struct Writer<'f> {
    folder: &'f Path,
    lines: Vec<String>,
    number: usize,
}

impl Writer<'_> {
    fn id(&mut self) -> String {
        self.number += 1;
        format!("00000000-0000-4000-8000-{:012}", self.number)
    }

    fn entry(&mut self, kind: &str, mut more: Value) {
        let parent = (self.number > 0).then(|| format!("00000000-0000-4000-8000-{:012}", self.number));
        let id = self.id();
        let second = self.number;
        let entry = more.as_object_mut().unwrap();
        entry.insert("type".into(), kind.into());
        entry.insert("uuid".into(), id.into());
        entry.insert("parentUuid".into(), parent.into());
        entry.insert("sessionId".into(), SESSION.into());
        entry.insert(
            "timestamp".into(),
            format!("2026-08-08T{:02}:{:02}:{:02}.000Z", second / 3600, second / 60 % 60, second % 60).into(),
        );
        self.lines.push(more.to_string());
    }

    fn prompt(&mut self, text: &str) {
        self.entry("user", json!({"message": {"role": "user", "content": text}}));
    }

    fn blocks(&mut self, blocks: &Value) {
        self.entry(
            "assistant",
            json!({"message": {"role": "assistant", "id": "msg_01", "model": "claude-opus-4-5", "content": blocks}}),
        );
    }

    fn call(&mut self, tool: &str, input: &Value) -> String {
        let id = format!("toolu_{:06}", self.number);
        self.blocks(&json!([{"type": "tool_use", "id": id, "name": tool, "input": input}]));
        id
    }

    fn result(&mut self, call: &str, text: &str, structured: &Value) {
        self.entry(
            "user",
            json!({"toolUseResult": structured, "message": {"role": "user",
                "content": [{"type": "tool_result", "tool_use_id": call, "content": text}]}}),
        );
    }

    fn beside(&self, name: &str, content: &str) {
        let path = self.folder.join(SESSION).join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
    }
}

type Plant = fn(&mut Writer<'_>, &str);

const PLACES: [(&str, Plant); 21] = [
    ("a prompt", |writer, text| writer.prompt(&format!("look: {text} ok?"))),
    ("a reply", |writer, text| writer.blocks(&json!([{"type": "text", "text": format!("It is `{text}`.")}]))),
    ("code in a reply", |writer, text| {
        writer.blocks(&json!([{"type": "text", "text": format!("```sh\n{text}\n```")}]));
    }),
    ("thinking and its signature", |writer, text| {
        writer.blocks(&json!([{"type": "thinking", "thinking": text, "signature": STANDARD.encode(format!("signed: {text}, at last"))}]));
    }),
    ("a command and its output", |writer, text| {
        let call = writer.call("Bash", &json!({"command": format!("cat <<E\n{text}\nE"), "description": "Show it"}));
        writer.result(&call, text, &json!({"stdout": text, "stderr": format!("warning: {text}")}));
    }),
    ("a name of a file", |writer, text| {
        let call = writer.call("Read", &json!({"file_path": format!("/srv/{text}")}));
        let file = json!({"filePath": format!("/srv/{text}"), "content": "nothing", "numLines": 1});
        writer.result(&call, "     1\u{2192}nothing", &json!({"type": "text", "file": file}));
    }),
    ("a file that is read", |writer, text| {
        let call = writer.call("Read", &json!({"file_path": "/srv/notes.txt"}));
        let lines: Vec<String> =
            text.lines().enumerate().map(|(at, line)| format!("{:6}\u{2192}{line}", at + 1)).collect();
        let numbered = lines.join("\n");
        writer.result(
            &call,
            &numbered,
            &json!({"type": "text", "file": {"filePath": "/srv/notes.txt", "content": text}}),
        );
    }),
    ("an edit", |writer, text| {
        let input = json!({"file_path": "/srv/notes.txt", "old_string": "before", "new_string": text});
        let call = writer.call("Edit", &input);
        let lines: Vec<String> = text.lines().map(|line| format!("+{line}")).collect();
        let patch = json!([{"oldStart": 1, "oldLines": 1, "newStart": 1, "newLines": lines.len(), "lines": lines}]);
        let result = json!({"filePath": "/srv/notes.txt", "oldString": "before", "newString": text, "originalFile": text,
            "structuredPatch": patch});
        writer.result(&call, "The file has been updated.", &result);
    }),
    ("a tool of a server", |writer, text| {
        let call = writer.call("mcp__garden__dig", &json!({"bed": {"deep": [text, 1]}, (text): true}));
        writer.result(
            &call,
            &json!({"found": text}).to_string(),
            &json!([{"type": "text", "text": json!({"a": text}).to_string()}]),
        );
    }),
    ("nested JSON", |writer, text| {
        writer.prompt(&json!({"log": json!({"line": text}).to_string()}).to_string());
    }),
    ("base64", |writer, text| {
        writer.prompt(&format!("data {} end", STANDARD.encode(format!("the log of today: {text}\n"))));
    }),
    ("an attachment", |writer, text| {
        writer.entry(
            "attachment",
            json!({"attachment": {"type": "file", "filename": "/srv/notes.txt",
            "content": {"type": "text", "file": {"filePath": "/srv/notes.txt", "content": text, "numLines": 1}}}}),
        );
    }),
    ("a picture", |writer, text| {
        let mut picture = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR".to_vec();
        picture.extend(std::iter::repeat_n(0xf3, 200));
        picture.extend_from_slice(format!("tEXtComment\0{text}\0").as_bytes());
        picture.extend(std::iter::repeat_n(0xf3, 200));
        let source = json!({"type": "base64", "media_type": "image/png", "data": STANDARD.encode(picture)});
        let content = json!([{"type": "text", "text": "look"}, {"type": "image", "source": source}]);
        writer.entry("user", json!({"message": {"role": "user", "content": content}}));
    }),
    ("a notice", |writer, text| {
        writer.entry("system", json!({"subtype": "local_command", "content": format!("<local-command-stdout>{text}</local-command-stdout>")}));
    }),
    ("an unknown entry", |writer, text| {
        writer.entry("hologram", json!({"shape": {"inside": text}}));
    }),
    ("a title and a summary", |writer, text| {
        let id = writer.number;
        writer.lines.push(json!({"type": "custom-title", "customTitle": text, "sessionId": SESSION}).to_string());
        writer.lines.push(json!({"type": "summary", "summary": format!("About {text}"), "leafUuid": format!("00000000-0000-4000-8000-{id:012}")}).to_string());
    }),
    ("a folder", |writer, text| {
        writer.entry(
            "user",
            json!({"cwd": format!("/srv/{text}"), "gitBranch": text, "message": {"role": "user", "content": "here"}}),
        );
    }),
    ("a queued prompt", |writer, text| {
        writer.lines.push(
            json!({"type": "queue-operation", "operation": "enqueue", "sessionId": SESSION,
            "timestamp": "2026-08-08T09:00:00.000Z", "content": text})
            .to_string(),
        );
    }),
    ("a subagent and its notes", |writer, text| {
        let id = format!("a{:06}", writer.number);
        let call = writer.call(
            "Task",
            &json!({"description": "dig", "prompt": format!("Look at {text}"), "subagent_type": "Explore"}),
        );
        let line = json!({"type": "user", "uuid": writer.id(), "sessionId": SESSION, "agentId": id, "isSidechain": true,
            "timestamp": "2026-08-08T09:00:00.000Z", "message": {"role": "user", "content": format!("Look at {text}")}});
        writer.beside(&format!("subagents/agent-{id}.jsonl"), &format!("{line}\n"));
        let notes = json!({"agentType": "Explore", "description": text, "toolUseId": call});
        writer.beside(&format!("subagents/agent-{id}.meta.json"), &notes.to_string());
        writer.result(
            &call,
            "done",
            &json!({"agentId": id, "status": "completed", "content": [{"type": "text", "text": text}]}),
        );
    }),
    ("a large output", |writer, text| {
        let name = format!("b{:06}.txt", writer.number);
        let call = writer.call("Bash", &json!({"command": "make"}));
        let path = format!("/home/ana/.claude/projects/-srv/{SESSION}/tool-results/{name}");
        let said =
            format!("<persisted-output>\nOutput too large (52KB). Full output saved to: {path}\n</persisted-output>");
        writer.result(
            &call,
            &said,
            &json!({"stdout": "", "stderr": "", "persistedOutputPath": path, "persistedOutputSize": 52000}),
        );
        writer.beside(&format!("tool-results/{name}"), &format!("first line\n{text}\nlast line\n"));
    }),
    ("a damaged line", |writer, text| {
        writer.prompt(&format!("look: {text} ok?"));
        let line = writer.lines.last_mut().unwrap();
        line.truncate(line.len() - 3);
    }),
];

/// A session with a secret of every kind in one place.
fn session(folder: &Path, samples: &[Sample], plant: Plant) -> std::path::PathBuf {
    let mut writer = Writer { folder, lines: Vec::new(), number: 0 };
    writer.prompt("begin");
    for sample in samples {
        plant(&mut writer, &sample.text());
    }
    let path = folder.join(format!("{SESSION}.jsonl"));
    fs::write(&path, writer.lines.join("\n") + "\n").unwrap();
    path
}

#[test]
fn secrets_of_every_kind_in_every_place_are_in_no_form() {
    let app = app();
    let mut failures = Vec::new();
    for (number, (place, plant)) in PLACES.into_iter().enumerate() {
        let samples = samples::all(100 + number as u64);
        let pieces = Pieces::of(&samples);
        let folder = tempfile::tempdir().unwrap();
        let path = session(folder.path(), &samples, plant);
        let mut shared = replaced(&app, &path);
        for form in ShareForm::ALL {
            for (rule, piece) in pieces.left_in(&written(&app, &mut shared, form)) {
                failures.push(format!("{rule} in {place}, {}: {piece}", form.ending()));
            }
        }
    }
    failures.iter().take(60).for_each(|failure| println!("{failure}"));
    assert!(failures.is_empty(), "{} are left", failures.len());
}

#[test]
fn secrets_in_two_adjacent_blocks_are_in_no_form() {
    let app = app();
    let samples: Vec<Sample> = samples::all(50).into_iter().filter(|sample| !sample.secret.contains('\n')).collect();
    let folder = tempfile::tempdir().unwrap();
    let mut writer = Writer { folder: folder.path(), lines: Vec::new(), number: 0 };
    for sample in &samples {
        let text = sample.text();
        let (first, second) = text.split_at(sample.before.len() + sample.secret.len() / 2);
        let (first, second) = (format!("See: {first}"), format!("{second} ."));
        writer.blocks(&json!([{"type": "text", "text": first}, {"type": "text", "text": second}]));
    }
    let path = folder.path().join("a.jsonl");
    fs::write(&path, writer.lines.join("\n")).unwrap();
    let mut shared = replaced(&app, &path);
    for form in ShareForm::ALL {
        let left = Pieces::of(&samples).left_in(&written(&app, &mut shared, form));
        assert!(left.is_empty(), "{form:?}: {left:?}");
    }
}

#[test]
fn a_session_that_is_not_redacted_has_all_of_them() {
    // The search itself is tested here: what it does not find in a session as it is, it would miss in a redacted one.
    let app = app();
    for number in [0, 4, 7, 9, 12] {
        let (place, plant) = PLACES[number];
        let samples = samples::all(100 + number as u64);
        let folder = tempfile::tempdir().unwrap();
        let path = session(folder.path(), &samples, plant);
        let found = find_at(std::slice::from_ref(&path));
        let (mut reader, _) = SessionReader::counted(&found.sources[0], None, &|_| {}).unwrap();
        let (story, texts) = reader.parts();
        let mut page = Vec::new();
        let options = page::PageOptions { detail: story::Detail::Full, ..page::PageOptions::default() };
        page::write_page(&mut page, story, texts, &options).unwrap();
        for (form, output) in [("html", page), ("jsonl", fs::read(&path).unwrap())] {
            let left = Pieces::of(&samples).left_in(&output).len();
            let expected = if place == "a picture" && form == "html" { 0 } else { samples.len() * 9 / 10 };
            assert!(left >= expected, "{place}, {form}: only {left} are found");
        }
        drop(app.clone());
    }
}

#[test]
fn names_of_files_and_projects_are_redacted() {
    let app = app();
    let token = samples::all(1).into_iter().find(|sample| sample.rule == "github-pat-classic").unwrap().secret;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("home/anatol/.claude/projects/-home-anatol-shop").join(format!("{token}.jsonl"));
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    let line = json!({"type": "user", "uuid": "u1", "cwd": "/home/anatol/shop", "message": {"role": "user", "content": "anatol@shop.io says hello from 10.20.30.40"}});
    fs::write(&path, line.to_string()).unwrap();
    let mut shared = replaced(&app, &path);
    for form in ShareForm::ALL {
        let output = String::from_utf8(written(&app, &mut shared, form)).unwrap();
        for private in ["anatol", token.as_str(), "10.20.30.40"] {
            assert!(!output.contains(private), "{private} is in {form:?}");
        }
        assert!(output.contains("user-1"), "{form:?}");
    }
    assert!(!shared.file_stem().contains(&token[..8]));
    let kept = BTreeSet::from([redact::Category::Email]);
    let mut shared = share(&app, &source(&path), &kept, &mut |_| Decisions::replace_all(), &|_| {}).unwrap();
    assert!(String::from_utf8(written(&app, &mut shared, ShareForm::Lines)).unwrap().contains("@shop.io"));
}
