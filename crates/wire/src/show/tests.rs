//! Written documents, read again.

use std::cell::{Cell, RefCell};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::{fs, io};

use serde_json::Value;
use story::{Detail, SessionStatus, Source, Span, StateReason, Story, StoryBuilder, Texts};

use super::{Document, SessionFigures, write_json};
use crate::JsonLayout;
use crate::schema::{schema_of, violations};
use content::{Bill, Selection, Threads};

/// The figures of a session that has ended.
const FIGURES: SessionFigures<'_> = SessionFigures {
    bill: &Bill { session: None, turns: Vec::new(), rest: None },
    status: SessionStatus { reason: StateReason::Finished, since: Some(1_786_179_600_000), is_certain: true },
};

/// The lines of one source, in memory.
struct Lines(Vec<u8>);

impl Texts for Lines {
    fn line(&mut self, span: Span) -> io::Result<&[u8]> {
        let start = usize::try_from(span.offset).unwrap();
        self.0.get(start..start + span.length as usize).ok_or_else(|| io::Error::other("it is gone"))
    }
}

fn build(file: &[u8]) -> Story {
    let mut builder = StoryBuilder::default();
    let source = builder.add_source(Source { session: "4c1e0f7a".into(), ..Source::default() });
    format::lines(file).for_each(|line| builder.push(source, line));
    builder.story().clone()
}

fn written(story: &Story, texts: &mut dyn Texts, selection: &Selection, layout: JsonLayout) -> String {
    let mut out = Vec::new();
    write_json(&mut out, story, texts, &["4c1e0f7a.jsonl".to_owned()], &FIGURES, selection, layout).unwrap();
    String::from_utf8(out).unwrap()
}

fn document(file: &str, detail: Detail) -> Value {
    let selection = Selection { detail, threads: Threads::All, ..Selection::default() };
    let text = written(&build(file.as_bytes()), &mut Lines(file.into()), &selection, JsonLayout::Compact);
    serde_json::from_str(&text).unwrap()
}

/// All steps of a document.
fn steps(document: &Value) -> Vec<&Value> {
    let turns = document["threads"].as_array().unwrap().iter().flat_map(|thread| thread["turns"].as_array().unwrap());
    turns.flat_map(|turn| turn["steps"].as_array().unwrap()).collect()
}

/// A field of all steps of a kind.
fn field(document: &Value, kind: &str, pointer: &str) -> Vec<Value> {
    let of_kind = steps(document).into_iter().filter(|step| step["kind"] == kind);
    of_kind.filter_map(|step| step.pointer(pointer).cloned()).collect()
}

const SESSION: &str = include_str!("tests/session.jsonl");

#[test]
fn a_session_with_all_its_texts() {
    let selection = Selection { detail: Detail::Full, ..Selection::default() };
    let text = written(&build(SESSION.as_bytes()), &mut Lines(SESSION.into()), &selection, JsonLayout::Pretty);
    insta::assert_snapshot!(text);
}

#[test]
fn each_level_has_more_texts() {
    let mut table = String::new();
    for detail in [Detail::Prompts, Detail::Talk, Detail::Steps, Detail::Full, Detail::Raw] {
        let document = document(SESSION, detail);
        let _ = writeln!(table, "{detail:?}");
        for step in steps(&document) {
            let texts = ["text", "summary", "input", "result", "raw"].into_iter().filter(|name| !step[*name].is_null());
            let _ = writeln!(table, "  {}: {}", step["kind"].as_str().unwrap(), texts.collect::<Vec<_>>().join(" "));
        }
    }
    insta::assert_snapshot!(table);
}

#[test]
fn every_document_matches_the_schema() {
    let schema = schema_of::<Document<'static>>();
    let mut kinds = std::collections::BTreeSet::new();
    let mut files = fixtures(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../story/tests/fixtures"));
    files.push(PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("src/show/tests/session.jsonl"));
    assert!(files.len() > 20);
    for path in files {
        let file = fs::read_to_string(&path).unwrap();
        for detail in [Detail::Prompts, Detail::Raw] {
            let document = document(&file, detail);
            assert_eq!(violations(&schema, &document), [""; 0], "{}", path.display());
            kinds.extend(steps(&document).iter().map(|step| step["kind"].as_str().unwrap().to_owned()));
            assert!(steps(&document).iter().all(|step| step["text_error"].is_null()), "{}", path.display());
        }
    }
    let known =
        ["call", "compaction", "context", "notice", "orphan", "outcome", "output", "prompt", "reply", "thinking"];
    assert!(known.iter().all(|kind| kinds.contains(*kind)), "{kinds:?}");
}

fn fixtures(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files.extend(fixtures(&path));
        } else if path.extension().is_some_and(|extension| extension == "jsonl") {
            files.push(path);
        }
    }
    files.sort();
    files
}

#[test]
fn a_missing_line_is_shown_without_its_text() {
    let selection = Selection { detail: Detail::Raw, ..Selection::default() };
    let text = written(&build(SESSION.as_bytes()), &mut Lines(Vec::new()), &selection, JsonLayout::Compact);
    let document: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(violations(&schema_of::<Document<'static>>(), &document), [""; 0]);
    assert_eq!(steps(&document)[0]["text_error"], "line 1 cannot be read again: it is gone");
    assert!(steps(&document).iter().all(|step| step.get("text_error").is_some()));
    assert_eq!(field(&document, "prompt", "/preview")[0], "add retries to up.py");
}

#[test]
fn a_changed_line_is_shown_without_its_text() {
    let blank = " ".repeat(SESSION.len());
    let selection = Selection::default();
    let text = written(&build(SESSION.as_bytes()), &mut Lines(blank.into()), &selection, JsonLayout::Compact);
    assert!(text.contains("line 1 cannot be read again: it has changed"));
}

#[test]
fn entries_of_a_wrapped_line_are_separate() {
    let lines: Vec<&str> = SESSION.lines().collect();
    let wrapped = format!("[null,{}]\n", lines.join(","));
    let (apart, together) = (document(SESSION, Detail::Full), document(&wrapped, Detail::Raw));
    for (kind, pointer) in [("prompt", "/text"), ("reply", "/text"), ("call", "/input"), ("call", "/result/text")] {
        assert_eq!(field(&together, kind, pointer), field(&apart, kind, pointer), "{kind}{pointer}");
    }
    assert_eq!(field(&together, "prompt", "/raw")[0], lines[0]);
    assert_eq!(field(&together, "reply", "/line/number")[0], 1);
    assert_ne!(field(&together, "reply", "/line/entry")[0], 0);
}

#[test]
fn a_message_in_pieces_is_shown_as_far_as_it_goes() {
    let event = |event: &str| format!("{{\"type\":\"stream_event\",\"session_id\":\"s\",\"event\":{event}}}\n");
    let delta = |text: &str| {
        let delta = format!(r#"{{"type":"text_delta","text":"{text}"}}"#);
        event(&format!(r#"{{"type":"content_block_delta","index":0,"delta":{delta}}}"#))
    };
    let file = [
        "{\"type\":\"user\",\"uuid\":\"u1\",\"message\":{\"role\":\"user\",\"content\":\"look\"}}\n".to_owned(),
        event(r#"{"type":"message_start","message":{"id":"m1","role":"assistant","content":[]}}"#),
        event(r#"{"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}"#),
        delta("I will "),
        delta("look at it."),
    ]
    .concat();
    let document = document(&file, Detail::Talk);
    assert_eq!(field(&document, "reply", "/partial"), [true]);
    assert_eq!(field(&document, "reply", "/text"), ["I will look at it."]);
}

/// Counts the bytes written.
struct Counted(Rc<Cell<usize>>);

impl io::Write for Counted {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.set(self.0.get() + bytes.len());
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Records how much was written when a line was read.
struct Noted(Lines, Rc<Cell<usize>>, RefCell<Vec<usize>>);

impl Texts for Noted {
    fn line(&mut self, span: Span) -> io::Result<&[u8]> {
        self.2.borrow_mut().push(self.1.get());
        self.0.line(span)
    }
}

#[test]
fn steps_are_written_one_by_one() {
    let mut file = String::new();
    for n in 10..60 {
        let at = format!("2026-08-08T09:00:{n}.000Z");
        let _ = writeln!(
            file,
            r#"{{"type":"user","uuid":"u{n}","timestamp":"{at}","message":{{"role":"user","content":"prompt {n}"}}}}"#
        );
    }
    let count = Rc::new(Cell::new(0));
    let mut texts = Noted(Lines(file.clone().into()), Rc::clone(&count), RefCell::default());
    let mut out = Counted(count);
    let selection = Selection { threads: Threads::All, ..Selection::default() };
    write_json(&mut out, &build(file.as_bytes()), &mut texts, &[], &FIGURES, &selection, JsonLayout::Compact).unwrap();
    let moments = texts.2.into_inner();
    assert_eq!(moments.len(), 50);
    assert!(moments.windows(2).all(|pair| pair[0] < pair[1]), "each line is read after the step before was written");
}

#[test]
fn a_write_error_is_returned() {
    struct Full;
    impl io::Write for Full {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            Err(io::ErrorKind::BrokenPipe.into())
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    let selection = Selection::default();
    let result =
        write_json(&mut Full, &build(b""), &mut Lines(Vec::new()), &[], &FIGURES, &selection, JsonLayout::Pretty);
    assert_eq!(result.unwrap_err().kind(), io::ErrorKind::BrokenPipe);
}
