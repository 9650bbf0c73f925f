//! Tests that the catalogue agrees with the stories and ledgers of sessions.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "these are tests")]

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use index::Index;
use index::catalogue::Used;
use ledger::Prices;
use reader::SessionReader;
use sources::Source;
use sources::SourceKind;
use sources::{Neighbours, find_at, sessions_of};
use story::{Ending, Remnant, Story, ThreadId, ThreadKind};
use testkit::root::{RootOptions, write_root};

/// Compares an index of everything below a folder with stories built from the start and from the stored state.
fn compare(folder: &Path) -> usize {
    let found = find_at(&[folder.to_path_buf()]);
    let place = tempfile::tempdir().unwrap();
    let mut index = Index::open(&place.path().join("index.db")).unwrap();
    let prices = Prices::default();
    let updated = index.update(&found, &prices, &|_| {}).unwrap();
    assert!(updated.problems.is_empty(), "{:?}", updated.problems);
    let (all, _) = sessions_of(&found, &Neighbours::of(&found, HashMap::new()));
    let sessions = index.sessions().unwrap();
    assert_eq!(sessions.len(), all.len());
    for session in &sessions {
        // Two folders may contain agent files of the same session.
        let is_beside = |path: &Path| path.parent().is_some_and(|folder| session.path.starts_with(folder));
        let is_it = |source: &&Source| match (source.kind, source.input.path()) {
            (SourceKind::Partial, Some(path)) => {
                session.remnant == Some(Remnant::Subagents) && source.name() == Some(&session.stem) && is_beside(path)
            }
            (_, path) => session.remnant != Some(Remnant::Subagents) && path == Some(&session.path),
        };
        let source = all.iter().find(is_it).unwrap();
        // What others share is known to the index, and leads to the same figures for a reader of the files.
        let copied = index.copied(&session.key()).unwrap();
        assert!(copied.is_some(), "{}", session.path.display());
        let (mut reader, _) = SessionReader::counted(source, copied, &|_| {}).unwrap();
        let summary = reader.ledger().unwrap().summary(&prices);
        let (story, _) = reader.parts();
        let facts = &story.facts;
        let path = session.path.display();
        assert_eq!(session.counts, facts.counts, "{path}");
        match &facts.title {
            Some(title) => assert_eq!((&*session.title, session.title_source), (&*title.text, title.source), "{path}"),
            None => assert!(session.title.starts_with("Untitled"), "{path}: {}", session.title),
        }
        assert_eq!(session.folder.as_deref(), facts.folder.as_deref(), "{path}");
        assert_eq!(session.session_id.as_deref(), facts.session_id.as_deref(), "{path}");
        assert_eq!(session.branch.as_deref(), facts.branch.as_deref(), "{path}");
        assert_eq!(session.models, facts.models.iter().map(ToString::to_string).collect::<Vec<_>>(), "{path}");
        assert_eq!((session.first, session.last), (facts.first, facts.last), "{path}");
        assert_eq!((session.active_ms, session.waiting_ms), (facts.active_ms, facts.waiting_ms), "{path}");
        assert_eq!(session.ending, Ending::of(story).reduced(), "{path}");
        assert_eq!(session.continued_in.as_deref(), facts.continued_in.as_deref(), "{path}");
        // Of two saved streams that state totals of one session, a reader of one file does not know the other.
        let same = sessions.iter().filter(|other| other.session_id == session.session_id);
        let is_transcript = session.path.components().any(|part| part.as_os_str() == "projects");
        if is_transcript || same.count() == 1 {
            assert_eq!(session.used, Used::of(&summary.totals), "{path}");
        }
        let turns = index.turns(session.id).unwrap();
        // What was only copied is no turn that counts.
        let main = story.thread(ThreadId::MAIN).map_or(0, |thread| thread.turns.len());
        assert_eq!(turns.len(), main, "{path}");
        assert!(turns.len() >= facts.counts.turns as usize, "{path}");
        let agents = index.agents(session.id).unwrap();
        assert_eq!(agents.len(), facts.counts.agents as usize, "{path}");
        for agent in &agents {
            let used = summary.by_agent.get(&agent.name).map(Used::of).unwrap_or_default();
            assert_eq!(agent.used, used, "{path} {}", agent.name);
        }
        if let Some(mut kept) = index.reader(session).unwrap() {
            assert_eq!(outline(kept.parts().0), outline(story), "{path}");
            assert_eq!(kept.ledger().unwrap().summary(&prices), summary, "{path}");
        }
    }
    sessions.len()
}

/// Everything in a story, in order.
fn outline(story: &Story) -> Vec<String> {
    let mut lines = Vec::new();
    for (_, thread) in story.threads() {
        let kind = match &thread.kind {
            ThreadKind::Main => "main".to_owned(),
            ThreadKind::Branch => "branch".to_owned(),
            ThreadKind::Agent(agent) => format!("agent {}", agent.id),
        };
        for turn in &thread.turns {
            let steps: Vec<_> = story.steps(thread, turn).map(|(_, step)| (step.at, &step.kind)).collect();
            lines.push(format!("{kind} {:?} {steps:?}", turn.state));
        }
    }
    lines
}

#[test]
fn figures_of_generated_sessions_are_those_of_their_stories() {
    let place = tempfile::tempdir().unwrap();
    let options = RootOptions { bytes: 3_000_000, ..RootOptions::default() };
    write_root(place.path(), &options).unwrap();
    assert!(compare(place.path()) > 5);
}

#[test]
fn figures_of_the_corpus_are_those_of_its_stories() {
    let default = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus");
    let corpus = std::env::var_os("RECOUNT_CORPUS").map_or(default, PathBuf::from);
    if corpus.is_dir() {
        assert!(compare(&corpus) > 100);
    }
}
