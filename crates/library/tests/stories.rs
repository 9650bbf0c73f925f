//! What must hold for the story of any session: those of the corpus, when it is there, and generated ones of
//! every era.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::{Path, PathBuf};

use format::Scratch;
use format::block::{Block, Content};
use library::{Buffer, Input, Lines, Source, SourceKind, Telling, find_at};
use story::accounting::Fate;
use story::step::CallState;
use story::{LineId, Role, StepKind, Story};

fn corpus() -> Option<PathBuf> {
    let default = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus");
    let corpus = std::env::var_os("RECOUNT_CORPUS").map_or(default, PathBuf::from);
    corpus.is_dir().then_some(corpus)
}

fn name(source: &Source) -> String {
    match &source.input {
        Input::File(path) => path.display().to_string(),
        Input::Stdin => "stdin".to_owned(),
    }
}

/// What the lines of a session hold, found without the story.
#[derive(Default)]
struct Plain {
    lines: u64,
    calls: BTreeMap<String, u32>,
    results: BTreeMap<String, u32>,
}

impl Plain {
    fn read(source: &Source) -> Self {
        let mut plain = Self::default();
        for part in library::files_of_session(source).0 {
            if part.role == Role::Elsewhere {
                continue;
            }
            let (mut buffer, mut scratch) = (Buffer::default(), Scratch::default());
            let mut lines = Lines::new(part.source.open().unwrap(), &mut buffer);
            while let Some(line) = lines.next_line().unwrap() {
                scratch.reset();
                plain.lines += line.span;
                for entry in format::read(line.bytes, &scratch).entries {
                    if entry.foreign.is_some() {
                        continue;
                    }
                    let content = entry.body.message().and_then(|message| message.content.as_ref());
                    for block in content.map_or(&[][..], Content::blocks) {
                        if let Some(id) = block.call().and_then(|call| call.id) {
                            *plain.calls.entry(id.as_str().to_owned()).or_default() += 1;
                        }
                        if let Some(id) = Block::answers(block) {
                            *plain.results.entry(id.as_str().to_owned()).or_default() += 1;
                        }
                    }
                }
            }
        }
        plain
    }
}

fn check(source: &Source) {
    let name = name(source);
    let (mut telling, problems) = Telling::of(source, &|_| {}).unwrap();
    assert!(problems.is_empty(), "{name}: {problems:?}");
    let (story, _) = telling.parts();
    let plain = Plain::read(source);
    let accounting = story.accounting();
    assert_eq!(accounting.lines, plain.lines, "{name}: every line was read");
    assert_eq!(accounting.sum(), accounting.lines, "{name}: the accounting adds up");

    let mut told: HashMap<&str, u32> = HashMap::new();
    let mut answered: HashSet<&str> = HashSet::new();
    let mut seen = HashSet::new();
    for (_, thread) in story.threads() {
        let mut next = 0;
        for turn in &thread.turns {
            assert_eq!(turn.steps.start, next, "{name}: turns share the steps among them");
            next = turn.steps.end;
        }
        assert_eq!(next, thread.steps.len(), "{name}");
        for id in &thread.steps {
            assert!(seen.insert(*id), "{name}: a step is told twice");
            match &story.step(*id).unwrap().kind {
                StepKind::Call(call) => {
                    *told.entry(&call.id).or_default() += 1;
                    let is_open = matches!(call.state, CallState::Pending | CallState::Lost);
                    assert!(call.result.is_some() || is_open || call.state == CallState::Interrupted, "{name}: {call:?}");
                    if call.result.is_some() {
                        assert!(!is_open, "{name}: {call:?}");
                        answered.insert(&call.id);
                    }
                }
                StepKind::Orphan(orphan) => {
                    answered.insert(&orphan.id);
                }
                _ => {}
            }
        }
    }
    let inherits = story.lines().any(|(_, _, fate)| matches!(fate, Fate::Duplicate(line) if is_elsewhere(story, line)));
    for id in plain.calls.keys().filter(|_| !inherits) {
        assert_eq!(told.get(id.as_str()), Some(&1), "{name}: the call {id} is told once");
    }
    for id in plain.results.keys().filter(|_| !inherits) {
        assert!(answered.contains(id.as_str()), "{name}: the result of {id} is paired, or an orphan");
    }
}

fn is_elsewhere(story: &Story, line: LineId) -> bool {
    let source = story.span(line).and_then(|span| story.source(span.source));
    source.is_some_and(|source| source.role == Role::Elsewhere)
}

fn sessions(folder: &Path) -> Vec<Source> {
    let sources = find_at(&[folder.to_path_buf()]).sources;
    sources.into_iter().filter(|source| source.kind == SourceKind::Transcript).collect()
}

#[test]
fn stories_of_the_corpus_hold() {
    let Some(corpus) = corpus() else { return };
    let sessions = sessions(&corpus);
    assert!(sessions.len() > 100);
    check_all(&sessions);
}

/// All that do not hold are listed, not only the first.
fn check_all(sessions: &[Source]) {
    let fails = |session: &&Source| std::panic::catch_unwind(|| check(session)).is_err();
    let failed: Vec<_> = sessions.iter().filter(fails).map(name).collect();
    assert!(failed.is_empty(), "{} of {}: {failed:#?}", failed.len(), sessions.len());
}
