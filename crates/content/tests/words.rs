//! The words of the user in generated sessions of every era are whole at the lowest level of detail, in every form.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "these are tests")]

use std::collections::HashMap;
use std::fs;

use content::{Bill, Selection, Threads};
use human::Locale;
use page::{PageOptions, write_page};
use reader::SessionReader;
use render::github::{Figures, Images, Placing, write_markdown};
use render::terminal::{TerminalLook, write_terminal};
use serde_json::Value;
use sources::{Source, SourceKind, find_at};
use story::{Detail, SessionStatus, StateReason};
use testkit::root::{RootOptions, truth, write_root};
use wire::JsonLayout;
use wire::show::{SessionFigures, write_json};

/// Only the letters and digits: forms differ in all else.
fn letters(text: &str) -> String {
    text.chars().filter(|c| c.is_alphanumeric()).collect()
}

/// The text of the parts of a page that the lowest level shows.
fn shown_on_page(html: &str) -> String {
    let mut text = String::new();
    for part in html.split("data-level=\"").skip(1).filter(|part| part.starts_with('0')) {
        for piece in part.split('<') {
            text.push_str(piece.split_once('>').map_or("", |(_, text)| text));
        }
    }
    let entities = [("&quot;", "\""), ("&#39;", "'"), ("&lt;", "<"), ("&gt;", ">"), ("&amp;", "&")];
    entities.iter().fold(text, |text, (entity, sign)| text.replace(entity, sign))
}

fn texts_in(value: &Value, out: &mut String) {
    match value {
        Value::String(text) => out.push_str(text),
        Value::Array(items) => items.iter().for_each(|item| texts_in(item, out)),
        Value::Object(fields) => fields.values().for_each(|value| texts_in(value, out)),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// A session in every form, letters only.
fn forms(source: &Source) -> [(&'static str, String); 4] {
    let (mut reader, _) = SessionReader::of(source, &|_| {}).unwrap();
    let (story, texts) = reader.parts();
    let detail = Detail::Prompts;
    let selection = Selection { detail, threads: Threads::All, ..Selection::default() };
    let locale = Locale::default();
    let look = TerminalLook {
        width: 100,
        is_terminal: false,
        theme: None,
        locale: locale.clone(),
        bill: Bill::default(),
        status: None,
    };
    let (mut terminal, mut markdown, mut html, mut json) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    write_terminal(&mut terminal, story, texts, &selection, &look).unwrap();
    let mut placing = Placing::new(Images::Omit, |_: &str, _: &[u8]| Ok(None));
    let figures = Figures { locale: &locale, bill: &Bill::default(), status: None };
    write_markdown(&mut markdown, story, texts, &selection, &mut placing, &figures).unwrap();
    write_page(&mut html, story, texts, &PageOptions { detail, selection: Some(&selection), ..PageOptions::default() })
        .unwrap();
    let status = SessionStatus { reason: StateReason::Finished, since: None, is_certain: true };
    let figures = SessionFigures { bill: &Bill::default(), status };
    write_json(&mut json, story, texts, &[], &figures, &selection, JsonLayout::Compact).unwrap();
    let string = |bytes| String::from_utf8(bytes).unwrap();
    let mut said = String::new();
    texts_in(&serde_json::from_slice(&json).unwrap(), &mut said);
    [
        ("terminal", letters(&string(terminal))),
        ("markdown", letters(&string(markdown))),
        ("html", letters(&shown_on_page(&string(html)))),
        ("json", letters(&said)),
    ]
}

#[test]
fn the_users_words_in_generated_sessions_are_whole_in_every_form() {
    let root = tempfile::tempdir().unwrap();
    let options =
        RootOptions { bytes: 7_000_000, seed: 23, largest_session: 300_000, truth: true, ..RootOptions::default() };
    write_root(root.path(), &options).unwrap();
    let mut sessions: HashMap<String, Vec<String>> = HashMap::new();
    for line in fs::read_to_string(root.path().join(truth::WORDS)).unwrap().lines() {
        let said: Value = serde_json::from_str(line).unwrap();
        let text = |key: &str| said[key].as_str().unwrap().to_owned();
        sessions.entry(text("session")).or_default().push(text("words"));
    }
    let (mut count, mut lost) = (0, Vec::new());
    let sources = find_at(&[root.path().join("projects")]).sources;
    for source in sources.iter().filter(|source| source.kind == SourceKind::Transcript) {
        let id = source.input.path().and_then(|path| Some(path.file_stem()?.to_string_lossy().into_owned()));
        let Some(words) = id.and_then(|id| sessions.remove(&id)) else { continue };
        let forms = forms(source);
        for words in words {
            count += 1;
            let missing = forms.iter().filter(|(_, form)| !form.contains(&letters(&words)));
            lost.extend(missing.map(|(form, _)| format!("{}, {form}: {words}", source.input)));
        }
    }
    assert!(lost.is_empty(), "{} of {count} words: {lost:#?}", lost.len());
    assert!(count > 200 && sessions.is_empty(), "{count}, {} sessions were not found", sessions.len());
}
