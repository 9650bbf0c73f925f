//! Tests that deleted sessions in the archive are listed, shown and found as before.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "these are tests")]

use std::fs;
use std::path::Path;
use std::time::Duration;

use archive::Writer;
use index::Index;
use index::catalogue::Session;
use index::query::Query;
use index::search::{Conditions, Cut, Order, Search};
use ledger::Prices;
use reader::SessionReader;
use sources::Root;
use sources::find_in_roots;
use sources::keep::{belongings, keep};
use story::Remnant;
use story::step::StepKind;
use testkit::root::{RootOptions, write_root};

/// All sessions of an index below roots, some of which may be archives.
fn sessions(index: &mut Index, roots: &[Root]) -> Vec<Session> {
    let found = find_in_roots(roots);
    let updated = index.update(&found, &Prices::default(), &|_| {}).unwrap();
    assert!(updated.problems.is_empty(), "{:?}", updated.problems);
    for source in &found.sources {
        assert!(SessionReader::of(source, &|_| {}).is_ok(), "{}", source.input);
    }
    index.sessions().unwrap()
}

fn archive(folder: &Path, roots: &[Root]) {
    let (files, problems) = belongings(roots);
    assert!(problems.is_empty(), "{problems:?}");
    let mut writer = Writer::open(folder, Duration::ZERO).unwrap();
    assert!(keep(&mut writer, &files, "", &|_| {}).unwrap().is_empty());
    writer.finish().unwrap();
}

#[test]
fn deleted_sessions_stay_available() {
    let place = tempfile::tempdir().unwrap();
    let (home, kept) = (place.path().join("root"), place.path().join("archive"));
    write_root(&home, &RootOptions { bytes: 2_000_000, ..RootOptions::default() }).unwrap();
    let roots = [Root { path: home.clone(), named: true }, Root { path: kept.clone(), named: false }];
    archive(&kept, &roots);

    let mut index = Index::open(&place.path().join("index.db")).unwrap();
    let before = sessions(&mut index, &roots);
    assert!(before.len() > 5 && before.iter().all(|session| !session.is_archived));
    let is_stored = |index: &Index, session: &Session| index.reader(session).unwrap().is_some();
    assert!(before.iter().all(|session| is_stored(&index, session)));

    fs::remove_dir_all(home.join("projects")).unwrap();
    fs::create_dir(home.join("projects")).unwrap();
    let after = sessions(&mut index, &roots);
    // Some were deleted before: the history has only their prompts.
    assert!(after.iter().all(|session| session.is_archived != (session.remnant == Some(Remnant::Prompts))));
    let as_before = |session: &Session| Session { is_archived: false, id: 0, ..session.clone() };
    assert_eq!(after.iter().map(as_before).collect::<Vec<_>>(), before.iter().map(as_before).collect::<Vec<_>>());
    assert!(after.iter().all(|session| is_stored(&index, session)));

    // A fresh index gives the same result from the archive alone.
    let mut fresh = Index::open(&place.path().join("fresh.db")).unwrap();
    let anew = sessions(&mut fresh, &roots);
    assert_eq!(anew.iter().map(as_before).collect::<Vec<_>>(), before.iter().map(as_before).collect::<Vec<_>>());

    // Without the archive, only typed prompts are left.
    let left = sessions(&mut index, &roots[..1]);
    assert!(!left.is_empty() && left.iter().all(|session| session.remnant == Some(Remnant::Prompts)));
    assert!(left.iter().all(|session| before.iter().any(|other| other.stem == session.stem)));
    fs::remove_file(home.join("history.jsonl")).unwrap();
    assert_eq!(sessions(&mut index, &roots[..1]), []);
}

#[test]
fn a_session_that_moved_is_not_gone() {
    let place = tempfile::tempdir().unwrap();
    let (home, kept) = (place.path().join("root"), place.path().join("archive"));
    let project = home.join("projects/-a");
    fs::create_dir_all(&project).unwrap();
    let line = r#"{"type":"user","uuid":"u","sessionId":"s","message":{"role":"user","content":"hello"}}"#;
    fs::write(project.join("5e55.jsonl"), format!("{line}\n")).unwrap();
    let roots = [Root { path: home.clone(), named: true }, Root { path: kept.clone(), named: false }];
    archive(&kept, &roots);
    fs::rename(&project, home.join("projects/-b")).unwrap();
    let found = find_in_roots(&roots);
    assert_eq!(found.sources.len(), 1);
    assert!(!found.sources[0].input.is_archived());
}

/// A line of a session: an entry with an id, the previous one, a second of a day, and words.
fn prompt(number: u32, words: &str) -> String {
    let parent = if number == 1 { "null".to_owned() } else { format!("\"u{}\"", number - 1) };
    format!(
        r#"{{"type":"user","uuid":"u{number}","parentUuid":{parent},"sessionId":"5e550000-0000-4000-8000-000000000001","timestamp":"2026-03-01T09:00:{number:02}.000Z","cwd":"/w","message":{{"role":"user","content":"{words}"}}}}
"#
    )
}

/// A prompt that waits in the queue: a line without an id.
fn queued(second: u32, words: &str) -> String {
    format!(
        r#"{{"type":"queue-operation","operation":"enqueue","timestamp":"2026-03-01T09:00:{second:02}.500Z","sessionId":"5e550000-0000-4000-8000-000000000001","content":"{words}"}}
"#
    )
}

/// The prompts of the only session of an index, and the number of search results for words.
fn shown(index: &Index, words: &[&str]) -> (Vec<String>, Vec<usize>) {
    let sessions = index.sessions().unwrap();
    assert_eq!(sessions.len(), 1);
    let mut reader = index.reader(&sessions[0]).unwrap().unwrap();
    let (story, _) = reader.parts();
    let (_, main) = story.threads().next().unwrap();
    let prompts = main.steps.iter().filter_map(|step| match &story.step(*step)?.kind {
        StepKind::Prompt(prompt) => Some(prompt.preview.to_string()),
        _ => None,
    });
    let found = words.iter().map(|word| {
        let query: Query = word.parse().unwrap();
        let conditions = Conditions::of(&query, Path::new("/"), |text| Err(text.to_owned())).unwrap();
        let (order, cut) = (Order::Recent, Cut::Around(120));
        let search =
            Search { query: &query, conditions: &conditions, columns: &[], order, limit: 9, per_session: 9, cut };
        index.search(&search).unwrap().sessions.iter().map(|session| session.hits.len()).sum()
    });
    (prompts.collect(), found.collect())
}

/// Claude Code shortens a transcript by renaming a new file over it (docs/format A.7).
#[test]
fn a_session_that_was_compacted_in_place_keeps_all_its_lines() {
    let place = tempfile::tempdir().unwrap();
    let (home, kept) = (place.path().join("root"), place.path().join("archive"));
    let project = home.join("projects/-w");
    fs::create_dir_all(&project).unwrap();
    let file = project.join("5e550000-0000-4000-8000-000000000001.jsonl");
    let before =
        [prompt(1, "plant tulips"), prompt(2, "water roses"), queued(2, "buy seeds"), prompt(3, "rake leaves")];
    fs::write(&file, before.concat()).unwrap();
    let roots = [Root { path: home.clone(), named: true }, Root { path: kept.clone(), named: false }];
    archive(&kept, &roots);
    let mut index = Index::open(&place.path().join("index.db")).unwrap();
    let words = ["tulips", "roses", "seeds", "leaves", "weeds", "moss"];
    sessions(&mut index, &roots);
    let all = ["plant tulips", "water roses", "rake leaves"];
    let (prompts, found) = shown(&index, &words);
    assert_eq!(prompts.iter().filter(|prompt| all.contains(&prompt.as_str())).count(), 3, "{prompts:?}");
    assert_eq!(found, [1, 1, 1, 1, 0, 0]);

    // The rest of the conversation goes on behind what was kept, in a shorter file with another inode.
    let compact = |more: &[String]| {
        let temporary = project.join("5e55.compact.tmp.1");
        fs::write(&temporary, [&before[2..], more].concat().concat()).unwrap();
        fs::rename(&temporary, &file).unwrap();
    };
    compact(&[prompt(4, "pull weeds")]);
    let mut lengths = Vec::new();
    for run in 0..3 {
        if run == 2 {
            // The archive has both versions now, and the file grows.
            archive(&kept, &roots);
            let more = [&before[2..], &[prompt(4, "pull weeds"), prompt(5, "scrape moss")]].concat().concat();
            fs::write(&file, more).unwrap();
        }
        let listed = sessions(&mut index, &roots);
        assert!(!listed[0].is_archived);
        let (prompts, found) = shown(&index, &words);
        let is_known = |prompt: &&String| prompt.split(' ').any(|word| words.contains(&word));
        lengths.push(prompts.iter().filter(is_known).count());
        assert_eq!(found, [1, 1, 1, 1, 1, usize::from(run == 2)], "run {run}");
        let mut fresh = Index::open(&place.path().join(format!("fresh{run}.db"))).unwrap();
        let anew = sessions(&mut fresh, &roots);
        let same = |session: &Session| Session { id: 0, ..session.clone() };
        assert_eq!(listed.iter().map(same).collect::<Vec<_>>(), anew.iter().map(same).collect::<Vec<_>>());
        assert_eq!(shown(&fresh, &words), (prompts, found));
    }
    // The queued prompt is repeated without an id, and is still one.
    assert_eq!(lengths, [5, 5, 6]);
}
