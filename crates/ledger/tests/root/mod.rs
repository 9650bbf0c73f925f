//! Reads whole roots into a ledger.

use std::path::{Path, PathBuf};

use format::Scratch;
use ledger::{Doubts, Ledger};
use library::{Buffer, Input, Lines, Source, SourceKind};

/// Everything below `paths`, and the lines of which not all could be counted.
pub(crate) fn read(paths: &[PathBuf]) -> (Ledger, Vec<(String, Doubts)>) {
    let mut ledger = Ledger::default();
    let mut doubtful = Vec::new();
    for source in library::find_at(paths).sources {
        let (session, agent) = owner(&source);
        let mut feed = ledger.feed(&session, agent.as_deref());
        for_each_line(&source, |number, line| {
            let scratch = Scratch::default();
            for entry in &format::read(line, &scratch).entries {
                let doubts = ledger.push(&mut feed, entry);
                if doubts.any() {
                    doubtful.push((format!("{session}:{number}"), doubts));
                }
            }
        });
    }
    (ledger, doubtful)
}

/// The session that a file belongs to, and the agent that it is of.
pub(crate) fn owner(source: &Source) -> (String, Option<String>) {
    let stem = source.stem().unwrap().to_str().unwrap();
    let Input::File(path) = &source.input else { unreachable!("only files are read here") };
    if source.kind != SourceKind::Subagent {
        return (stem.to_owned(), None);
    }
    let folder = path.ancestors().find(|folder| folder.ends_with("subagents"));
    let parent = folder.and_then(Path::parent).and_then(Path::file_name).and_then(|name| name.to_str());
    let session = parent.map_or_else(|| said_session(source).unwrap_or_default(), str::to_owned);
    (session, stem.strip_prefix("agent-").map(str::to_owned))
}

/// The session that the lines of a file say they are of.
fn said_session(source: &Source) -> Option<String> {
    let mut said = None;
    for_each_line(source, |_, line| {
        let scratch = Scratch::default();
        let session = format::read_header(line, &scratch).and_then(|header| header.session_id);
        said = said.take().or_else(|| session.map(|session| session.as_str().to_owned()));
    });
    said
}

pub(crate) fn for_each_line(source: &Source, mut each: impl FnMut(u64, &[u8])) {
    let mut buffer = Buffer::default();
    let mut lines = Lines::new(source.open().unwrap(), &mut buffer);
    while let Some(line) = lines.next_line().unwrap() {
        each(line.number, line.bytes);
    }
}
