//! Fixture sessions, each in a file or a folder under `fixtures/`.
//!
//! In a folder, the names show what a file is: `elsewhere-<session>.jsonl`, `main-<session>.jsonl`, `agent-<id>.jsonl`
//! with its `agent-<id>.meta.json`, and folders `wf_<run>` with the files of a workflow.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a failure here is a failed test")]

use std::fs;
use std::path::{Path, PathBuf};

use format::Scratch;
use story::{AgentNotes, Role, Source, Story, StoryBuilder};

/// A file of a session.
struct FixtureFile {
    source: Source,
    notes: Option<AgentNotes>,
    text: Vec<u8>,
}

/// The files of all fixtures.
pub(crate) fn fixtures() -> Vec<PathBuf> {
    let mut files = Vec::new();
    let mut folders = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures")];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() { folders.push(path) } else { files.push(path) }
        }
    }
    files.retain(|path| path.extension().is_some_and(|ending| ending == "jsonl"));
    files.sort();
    files
}

/// The story of a fixture in reviewable form: the threads, and the fates of the lines.
pub(crate) fn outline_of(fixture: &str) -> String {
    let story = story(fixture);
    format!("{}{}", super::outline(&story), super::accounts(&story))
}

/// The same, with the main file read last.
pub(crate) fn outline_of_agents_first(fixture: &str) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures").join(fixture);
    let mut parts = parts(&folder);
    parts.sort_by_key(|part| part.source.role == Role::Main);
    let story = build(&parts, |_| {});
    format!("{}{}", super::outline(&story), super::accounts(&story))
}

/// The story of a fixture. Checks that it is the same all at once, line by line, and stored and restored after each;
/// and that every line has a fate.
pub(crate) fn story(fixture: &str) -> Story {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures");
    let file = folder.join(format!("{fixture}.jsonl"));
    let parts = if file.is_file() {
        vec![FixtureFile { source: Source::default(), notes: None, text: fs::read(file).unwrap() }]
    } else {
        parts(&folder.join(fixture))
    };
    let at_once = build(&parts, |_| {});
    let line_by_line = build(&parts, |builder| {
        builder.story();
    });
    assert_eq!(at_once, line_by_line, "{fixture}: line by line gives the same story");
    let stored = build(&parts, |builder| *builder = StoryBuilder::restore(&builder.store().unwrap()).unwrap());
    assert_eq!(at_once, stored, "{fixture}: storing changes nothing");
    let accounting = at_once.accounting();
    assert_eq!(accounting.sum(), accounting.lines, "{fixture}: the accounting adds up");
    at_once
}

fn build(parts: &[FixtureFile], mut after_each_line: impl FnMut(&mut StoryBuilder)) -> Story {
    let mut builder = StoryBuilder::default();
    for part in parts {
        if let (Role::Agent { id, .. }, Some(notes)) = (&part.source.role, &part.notes) {
            builder.add_agent_notes(id, notes.clone());
        }
        let source = builder.add_source(part.source.clone());
        for line in format::lines(&part.text) {
            builder.push(source, line);
            after_each_line(&mut builder);
        }
    }
    builder.story().clone()
}

/// Other sessions come first, then the session, then its agents.
fn parts(folder: &Path) -> Vec<FixtureFile> {
    let mut paths = Vec::new();
    for path in listed(folder) {
        if path.is_dir() {
            paths.extend(listed(&path));
        } else {
            paths.push(path);
        }
    }
    let mut parts: Vec<FixtureFile> =
        paths.iter().filter(|path| path.extension().unwrap() == "jsonl").map(|p| part(p)).collect();
    parts.sort_by_key(|part| match part.source.role {
        Role::Elsewhere => 0,
        Role::Main | Role::Earlier | Role::Prompts => 1,
        Role::Agent { .. } | Role::Journal(_) | Role::Capture => 2,
    });
    parts
}

fn listed(folder: &Path) -> Vec<PathBuf> {
    let mut paths: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths
}

fn part(path: &Path) -> FixtureFile {
    let stem = path.file_stem().unwrap().to_str().unwrap();
    let (what, name) = stem.split_once('-').unwrap_or((stem, ""));
    let folder = path.parent().unwrap().file_name().unwrap().to_str().unwrap();
    let run = folder.starts_with("wf_").then(|| Box::from(folder));
    let role = match what {
        "main" => Role::Main,
        "earlier" => Role::Earlier,
        "elsewhere" => Role::Elsewhere,
        "prompts" => Role::Prompts,
        "agent" => Role::Agent { id: name.into(), workflow: run },
        "journal" => Role::Journal(run.unwrap()),
        what => panic!("unexpected file in a fixture: {what}"),
    };
    let session =
        if matches!(role, Role::Main | Role::Elsewhere | Role::Prompts) { name.into() } else { Box::default() };
    let notes = fs::read(path.with_extension("meta.json")).ok().map(|json| notes(&json));
    FixtureFile { source: Source { role, session }, notes, text: fs::read(path).unwrap() }
}

fn notes(json: &[u8]) -> AgentNotes {
    let scratch = Scratch::default();
    let meta = format::read_agent_meta(json, &scratch).unwrap();
    let text = |text: Option<format::Text<'_>>| text.map(|text| Box::from(text.as_str()));
    AgentNotes {
        agent_type: text(meta.agent_type),
        description: text(meta.description),
        tool_use_id: meta.tool_use_id.map(|id| id.as_str().into()),
        parent_agent: meta.parent_agent_id.map(|id| id.as_str().into()),
        name: text(meta.name),
        model: text(meta.model),
        teammate: meta.task_kind.is_some_and(|kind| kind == "in_process_teammate"),
    }
}
