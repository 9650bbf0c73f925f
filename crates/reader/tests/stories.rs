//! Properties of the story of any session: those of the corpus, when it is present, and generated ones of every era.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "these are tests")]

use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::{Path, PathBuf};

use format::block::{Block, Content};
use format::entry::bookkeeping::QueueOperation;
use format::text::known_tag;
use format::{Body, Entry, Scratch};
use reader::SessionReader;
use serde_json::Value;
use sources::Buffer;
use sources::Lines;
use sources::Source;
use sources::SourceKind;
use sources::find_at;
use story::accounting::Fate;
use story::step::{CallState, PromptKind};
use story::{LineId, Role, StepKind, Story, StoryBuilder, ThreadKind};
use testkit::rng::Rng;
use testkit::root::{RootOptions, write_root};

fn corpus() -> Option<PathBuf> {
    let default = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus");
    let corpus = std::env::var_os("RECOUNT_CORPUS").map_or(default, PathBuf::from);
    corpus.is_dir().then_some(corpus)
}

fn name(source: &Source) -> String {
    source.input.to_string()
}

/// The content of a session's lines, collected without the story.
#[derive(Default)]
struct Plain {
    lines: u64,
    calls: BTreeMap<String, u32>,
    results: BTreeMap<String, u32>,
    /// Typed prompts, by source and line.
    prompts: Vec<(PathBuf, u64)>,
    /// The first words of typed prompts in the queue.
    queued: Vec<Box<str>>,
}

impl Plain {
    fn read(source: &Source) -> Self {
        let mut plain = Self::default();
        for part in sources::files_of_session(source, &sources::Neighbours::default()).0 {
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
                    if let Body::QueueOperation(change) = &entry.body
                        && change.operation == Some(QueueOperation::Enqueue)
                        && let Some(text) = change.content.as_ref().and_then(|content| content.texts().next())
                        && is_plain(&text)
                    {
                        plain.queued.push(story::preview(&text));
                    }
                    let content = entry.inner().body.message().and_then(|message| message.content.as_ref());
                    if is_typed(&entry) && part.role == Role::Main {
                        plain.prompts.push((path(&part.source), line.number));
                    }
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

fn path(source: &Source) -> PathBuf {
    source.input.path().map(Path::to_path_buf).unwrap_or_default()
}

/// Whether a text has no tags.
fn is_plain(text: &str) -> bool {
    let mut segments = format::text::segments(text).into_iter();
    segments
        .next()
        .is_some_and(|first| matches!(first.kind, format::text::SegmentKind::Plain(text) if !text.trim().is_empty()))
        && segments.next().is_none()
}

/// Whether an entry is clearly typed by the user.
fn is_typed(entry: &Entry<'_>) -> bool {
    let Body::User(user) = &entry.body else { return false };
    let Some(content) = user.message.as_ref().and_then(|message| message.content.as_ref()) else { return false };
    let hidden = [entry.envelope.is_meta, entry.envelope.is_sidechain, user.is_compact_summary, user.is_synthetic];
    !hidden.contains(&Some(true))
        && entry.envelope.parent_tool_use_id.is_none()
        && !content.blocks().iter().any(|block| block.answers().is_some())
        && content.texts().next().is_some_and(|text| is_plain(&text))
}

/// Every line with a typed prompt is shown, or repeats one that is; and no prompt is shown twice.
fn check_prompts(name: &str, story: &Story, plain: &Plain) {
    let mut shown_lines = HashSet::new();
    let mut shown_prompts = HashSet::new();
    for (_, thread) in story.threads() {
        for id in &thread.steps {
            let step = story.step(*id).unwrap();
            if let StepKind::Prompt(prompt) = &step.kind {
                shown_lines.insert(step.place.line);
                let is_new = shown_prompts.insert((
                    step.at,
                    &prompt.preview,
                    format!("{:?}", prompt.kind),
                    prompt.images.clone(),
                ));
                assert!(is_new || step.at.is_none(), "{name}: shown twice: {prompt:?}");
            }
        }
    }
    let main =
        story.lines().filter(|(_, span, _)| story.source(span.source).is_some_and(|source| source.role == Role::Main));
    let fates: HashMap<u64, (LineId, Fate)> =
        main.map(|(id, span, fate)| (u64::from(span.number), (id, fate))).collect();
    for (_, number) in &plain.prompts {
        let (line, fate) = fates[number];
        let is_kept = match fate {
            Fate::Shown => shown_lines.contains(&line),
            Fate::Duplicate(of) => shown_lines.contains(&of) || is_elsewhere(story, of),
            _ => false,
        };
        assert!(is_kept, "{name}:{number}: a prompt is lost: {fate:?}");
    }
}

/// Words that were typed into the queue are shown; elements of the program are neither typed prompts nor titles; and
/// the user went back from every branch.
fn check_words(name: &str, story: &Story, plain: &Plain) {
    let is_element = |text: &str| {
        // People begin their own prompts with these.
        known_tag(text).is_some_and(|tag| !["tick", "goal", "terminal", "browser", "pasted_content"].contains(&tag))
    };
    let mut shown = HashSet::new();
    for (_, thread) in story.threads() {
        let steps = || thread.steps.iter().map(|id| &story.step(*id).unwrap().kind);
        for step in steps() {
            let StepKind::Prompt(prompt) = step else { continue };
            let is_typed = prompt.kind == PromptKind::Typed;
            assert!(!is_typed || !is_element(&prompt.preview), "{name}: not typed: {prompt:?}");
            assert!(!prompt.preview.starts_with("{\"task_id\""), "{name}: not a prompt: {prompt:?}");
            if prompt.kind.is_human() {
                shown.insert(&prompt.preview);
            }
        }
        let is_more_than_a_command = |step: &StepKind| match step {
            StepKind::Prompt(prompt) => {
                !matches!(prompt.kind, PromptKind::Command { .. } | PromptKind::Bash | PromptKind::Memory)
            }
            StepKind::Reply(_) | StepKind::Thinking(_) | StepKind::Call(_) => true,
            _ => false,
        };
        assert!(
            thread.kind != ThreadKind::Branch || steps().any(is_more_than_a_command),
            "{name}: a branch of commands: {:?}",
            steps().collect::<Vec<_>>()
        );
    }
    for words in &plain.queued {
        assert!(shown.contains(words), "{name}: queued words are lost: {words}");
    }
    if let Some(title) = &story.facts.title {
        assert!(!title.text.trim().is_empty() && known_tag(&title.text).is_none(), "{name}: {title:?}");
    }
}

fn check(source: &Source) {
    let name = name(source);
    let (mut reader, problems) = SessionReader::of(source, &|_| {}).unwrap();
    assert!(problems.is_empty(), "{name}: {problems:?}");
    let (story, _) = reader.parts();
    let plain = Plain::read(source);
    let accounting = story.accounting();
    assert_eq!(accounting.lines, plain.lines, "{name}: every line was read");
    assert_eq!(accounting.sum(), accounting.lines, "{name}: the accounting adds up");

    check_prompts(&name, story, &plain);
    check_words(&name, story, &plain);
    let mut call_counts: HashMap<&str, u32> = HashMap::new();
    let mut answered: HashSet<&str> = HashSet::new();
    let mut seen = HashSet::new();
    for (_, thread) in story.threads() {
        let mut next = 0;
        for turn in &thread.turns {
            assert_eq!(turn.steps.start, next, "{name}: the turns partition the steps");
            next = turn.steps.end;
        }
        assert_eq!(next, thread.steps.len(), "{name}");
        for id in &thread.steps {
            assert!(seen.insert(*id), "{name}: a step occurs twice");
            match &story.step(*id).unwrap().kind {
                StepKind::Call(call) => {
                    *call_counts.entry(&call.id).or_default() += 1;
                    let is_open = matches!(call.state, CallState::Pending | CallState::Lost);
                    assert!(
                        call.result.is_some() || is_open || call.state == CallState::Interrupted,
                        "{name}: {call:?}"
                    );
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
        assert_eq!(call_counts.get(id.as_str()), Some(&1), "{name}: the call {id} occurs once");
    }
    for id in call_counts.keys().filter(|id| !inherits && !id.is_empty()) {
        assert!(plain.calls.contains_key(*id), "{name}: the call {id} is in a file");
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

/// A root with sessions of every era.
fn generated() -> tempfile::TempDir {
    let root = tempfile::tempdir().unwrap();
    let options = RootOptions { bytes: 6_000_000, seed: 3, largest_session: 600_000, ..RootOptions::default() };
    write_root(root.path(), &options).unwrap();
    root
}

#[test]
fn stories_of_generated_roots_hold() {
    let root = generated();
    let sessions = sessions(&root.path().join("projects"));
    assert!(sessions.len() > 12);
    check_all(&sessions);
}

/// Reads the first `lines` lines of a session and calls `at_stop` after each of `stops`.
fn build(source: &Source, lines: usize, stops: &[usize], at_stop: impl Fn(&mut StoryBuilder)) -> StoryBuilder {
    let mut builder = StoryBuilder::default();
    let mut number = 0;
    for part in sources::files_of_session(source, &sources::Neighbours::default()).0 {
        if let (Role::Agent { id, .. }, Some(notes)) = (&part.role, part.notes) {
            builder.add_agent_notes(id, notes);
        }
        let id = builder.add_source(story::Source { role: part.role, session: part.session });
        let mut buffer = Buffer::default();
        let mut file = Lines::new(part.source.open().unwrap(), &mut buffer);
        while let Some(line) = file.next_line().unwrap() {
            if number == lines {
                return builder;
            }
            builder.push(id, line);
            number += 1;
            if stops.contains(&number) {
                at_stop(&mut builder);
            }
        }
    }
    builder
}

/// Reading line by line gives the same story as reading all at once, at any point; and so does reading it again.
fn check_growing(source: &Source) {
    let all = build(source, usize::MAX, &[], |_| {}).story().clone();
    let count = all.lines().count();
    let stops: Vec<usize> = (1..=7).map(|part| part * count / 7).collect();
    for stop in &stops {
        let grown = build(source, *stop, &stops, |builder| _ = builder.story()).story().clone();
        let at_once = build(source, *stop, &[], |_| {}).story().clone();
        assert_eq!(grown, at_once, "{} after {stop} of {count} lines", name(source));
    }
}

#[test]
fn growing_stories_are_the_same() {
    let root = generated();
    let mut sessions = sessions(&root.path().join("projects"));
    sessions.extend(corpus().iter().flat_map(|corpus| self::sessions(corpus)).step_by(3));
    sessions.iter().for_each(check_growing);
}

/// A session stored and restored at any point has the same story as one that never was.
fn check_stored(source: &Source, rng: &mut Rng) {
    let mut all = build(source, usize::MAX, &[], |_| {});
    let count = all.story().lines().count();
    let stops: Vec<usize> = (0..3).map(|_| rng.between(1, count)).chain([count]).collect();
    let mut stored = build(source, usize::MAX, &stops, |builder| {
        let mut restored = StoryBuilder::restore(&builder.store().unwrap()).unwrap();
        assert!(restored.story() == builder.story(), "{}: the same story", name(source));
        assert!(restored.store() == builder.store(), "{}: nothing is forgotten", name(source));
        *builder = restored;
    });
    assert_eq!(stored.story(), all.story(), "{} stored after {stops:?} of {count} lines", name(source));
}

#[test]
fn stored_stories_are_the_same() {
    let root = generated();
    let mut sessions = sessions(&root.path().join("projects"));
    sessions.extend(corpus().iter().flat_map(|corpus| self::sessions(corpus)));
    let mut rng = Rng::new(6);
    for session in &sessions {
        check_stored(session, &mut rng);
    }
}

#[test]
fn stories_of_the_corpus_hold() {
    let Some(corpus) = corpus() else { return };
    let sessions = sessions(&corpus);
    assert!(sessions.len() > 100);
    check_all(&sessions);
}

/// Lists all sessions that fail, not only the first.
fn check_all(sessions: &[Source]) {
    let fails = |session: &&Source| std::panic::catch_unwind(|| check(session)).is_err();
    let failed: Vec<_> = sessions.iter().filter(fails).map(name).collect();
    assert!(failed.is_empty(), "{} of {}: {failed:#?}", failed.len(), sessions.len());
}

/// The commits of a session, by what its lines print: the results of commands that contain `git … commit`, read without
/// the types and the story.
fn plainly_committed(source: &Source) -> Vec<String> {
    let (mut commands, mut commits) = (HashMap::new(), Vec::<String>::new());
    let mut add = |sha: &str| {
        if !commits.iter().any(|known| known.starts_with(sha) || sha.starts_with(known.as_str())) {
            commits.push(sha.to_owned());
        }
    };
    for part in sources::files_of_session(source, &sources::Neighbours::default()).0 {
        if part.role == Role::Elsewhere {
            continue;
        }
        let text = std::fs::read_to_string(part.source.input.path().unwrap()).unwrap_or_default();
        for entry in text.lines().filter_map(|line| serde_json::from_str::<Value>(line.trim_start_matches('\0')).ok()) {
            let blocks = entry["message"]["content"].as_array().cloned().unwrap_or_default();
            for block in &blocks {
                if let (Some(id), Some(command)) = (block["id"].as_str(), block["input"]["command"].as_str()) {
                    commands.insert(id.to_owned(), command.to_owned());
                }
                let Some(command) = block["tool_use_id"].as_str().and_then(|id| commands.get(id)) else { continue };
                let texts = match &block["content"] {
                    Value::String(text) => text.clone(),
                    parts => parts.as_array().into_iter().flatten().filter_map(|it| it["text"].as_str()).collect(),
                };
                let words: Vec<&str> = command.split_whitespace().collect();
                let git = words.iter().position(|word| *word == "git" && !command.starts_with("rtk"));
                if git.is_some_and(|at| words[at..].contains(&"commit")) {
                    texts.lines().filter_map(printed_sha).for_each(&mut add);
                }
                if let Some(sha) = entry["toolUseResult"]["gitOperation"]["commit"]["sha"].as_str() {
                    add(sha);
                }
            }
        }
    }
    commits.sort();
    commits
}

/// The name in `[main 6ddd049] fix`.
fn printed_sha(line: &str) -> Option<&str> {
    let sha = line.strip_prefix('[')?.split("] ").next()?.split(' ').next_back()?;
    (sha.len() >= 7 && sha.bytes().all(|byte| byte.is_ascii_hexdigit())).then_some(sha)
}

/// The number of commits in these sessions: those that their commands printed.
fn check_commits(sessions: &[Source]) -> usize {
    let mut all = 0;
    for source in sessions {
        let (mut reader, _) = SessionReader::of(source, &|_| {}).unwrap();
        let mut commits: Vec<String> = reader.parts().0.facts.commits.iter().map(|it| it.sha.to_string()).collect();
        commits.sort();
        assert_eq!(commits, plainly_committed(source), "{}", name(source));
        all += commits.len();
    }
    all
}

#[test]
fn commits_of_the_corpus_are_those_that_its_commands_printed() {
    let Some(corpus) = corpus() else { return };
    let all = check_commits(&sessions(&corpus));
    assert!(all > 50, "{all}");
}

#[test]
fn commits_of_generated_roots_are_those_that_their_commands_printed() {
    let root = generated();
    let all = check_commits(&sessions(&root.path().join("projects")));
    assert!(all > 10, "{all}");
}
