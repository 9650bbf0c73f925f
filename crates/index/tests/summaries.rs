//! Summaries in the files of other sessions, whatever order the files appear, change and vanish in.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "these are tests")]

mod index_contents;

use std::fs;
use std::path::Path;

use index::Index;
use index_contents::index_contents;
use ledger::Prices;
use sources::find_at;
use story::TitleSource;

const OWNER: &str = "4c1e0f7a-2b3c-4d5e-8f90-a1b2c3d4e5f6";
const HOLDER: &str = "9b2d6e10-2b3c-4d5e-8f90-a1b2c3d4e5f6";
const LATE: &str = "7a7a6e10-2b3c-4d5e-8f90-a1b2c3d4e5f6";

/// A session with a prompt and a reply, before which and after which lines may stand.
fn session(id: &str, prompt: &str, hour: u32) -> String {
    format!(
        r#"{{"type":"user","uuid":"u-{id}","sessionId":"{id}","timestamp":"2026-08-08T{hour:02}:00:00.000Z","message":{{"content":"{prompt}"}}}}
{{"type":"assistant","uuid":"a-{id}","parentUuid":"u-{id}","sessionId":"{id}","timestamp":"2026-08-08T{hour:02}:00:05.000Z","message":{{"id":"m-{id}","content":[{{"type":"text","text":"Done."}}]}}}}
"#
    )
}

fn summary(text: &str, leaf: &str) -> String {
    format!("{{\"type\":\"summary\",\"summary\":\"{text}\",\"leafUuid\":\"{leaf}\"}}\n")
}

/// A root and its index.
struct Stage {
    root: tempfile::TempDir,
    place: tempfile::TempDir,
}

impl Stage {
    fn new() -> Self {
        Self { root: tempfile::tempdir().unwrap(), place: tempfile::tempdir().unwrap() }
    }

    fn write(&self, id: &str, text: &str) {
        fs::write(self.root.path().join(format!("{id}.jsonl")), text).unwrap();
    }

    fn remove(&self, id: &str) {
        fs::remove_file(self.root.path().join(format!("{id}.jsonl"))).unwrap();
    }

    /// Updates the index, compares it with a fresh one, and returns the title of the owner.
    fn title(&self) -> (String, TitleSource) {
        let index = self.update(&self.place.path().join("index.db"));
        let fresh = self.place.path().join("fresh");
        let _ = fs::remove_dir_all(&fresh);
        self.update(&fresh.join("index.db"));
        assert_eq!(index_contents(&self.place.path().join("index.db")), index_contents(&fresh.join("index.db")));
        let session = index.session(OWNER).unwrap().unwrap();
        let mut reader = index.reader(&session).unwrap().unwrap();
        let title = reader.parts().0.facts.title.clone().unwrap();
        assert_eq!((&*title.text, title.source), (&*session.title, session.title_source), "the story has it, too");
        (session.title, session.title_source)
    }

    fn update(&self, path: &Path) -> Index {
        let mut index = Index::open(path).unwrap();
        index.update(&find_at(&[self.root.path().to_path_buf()]), &Prices::default(), &|_| {}).unwrap();
        index
    }
}

fn typed() -> (String, TitleSource) {
    ("prune the roses".to_owned(), TitleSource::FirstPrompt)
}

fn summarised() -> (String, TitleSource) {
    ("Pruning of roses".to_owned(), TitleSource::Summary)
}

#[test]
fn a_summary_in_another_file_is_the_title_whatever_file_comes_first() {
    let owner = session(OWNER, "prune the roses", 9);
    let holder = summary("Pruning of roses", &format!("a-{OWNER}")) + &session(HOLDER, "and the lilacs", 10);
    let stage = Stage::new();
    stage.write(OWNER, &owner);
    assert_eq!(stage.title(), typed());
    stage.write(HOLDER, &holder);
    assert_eq!(stage.title(), summarised());

    let stage = Stage::new();
    stage.write(HOLDER, &holder);
    stage.update(&stage.place.path().join("index.db"));
    stage.write(OWNER, &owner);
    assert_eq!(stage.title(), summarised());

    let stage = Stage::new();
    stage.write(OWNER, &owner);
    stage.write(HOLDER, &holder);
    assert_eq!(stage.title(), summarised());
}

#[test]
fn a_summary_follows_its_file() {
    let owner = session(OWNER, "prune the roses", 9);
    let stage = Stage::new();
    stage.write(OWNER, &owner);
    let others = session(HOLDER, "and the lilacs", 10);
    stage.write(HOLDER, &others);
    assert_eq!(stage.title(), typed());
    // At the end of a file that has grown, where the first lines do not show it.
    stage.write(HOLDER, &(others.clone() + &summary("Pruning of roses", &format!("a-{OWNER}"))));
    assert_eq!(stage.title(), summarised());
    // The owner goes on; the summary still covers its beginning.
    stage.write(OWNER, &(owner.clone() + &session("more", "and the hedge", 11)));
    assert_eq!(stage.title(), summarised());
    // Another text.
    stage.write(HOLDER, &(summary("Roses", &format!("u-{OWNER}")) + &others));
    assert_eq!(stage.title(), ("Roses".to_owned(), TitleSource::Summary));
    // Another file has one that covers more.
    stage.write(LATE, &(summary("Pruning of roses", &format!("a-{OWNER}")) + &session(LATE, "water", 12)));
    assert_eq!(stage.title(), summarised());
    stage.remove(LATE);
    assert_eq!(stage.title(), ("Roses".to_owned(), TitleSource::Summary));
    stage.remove(HOLDER);
    assert_eq!(stage.title(), typed());
}

#[test]
fn a_summary_of_the_session_itself_and_titles_take_precedence() {
    let stage = Stage::new();
    let own = session(OWNER, "prune the roses", 9) + &summary("Own words", &format!("u-{OWNER}"));
    stage.write(OWNER, &own);
    stage.write(HOLDER, &(summary("Pruning of roses", &format!("a-{OWNER}")) + &session(HOLDER, "lilacs", 10)));
    assert_eq!(stage.title(), ("Own words".to_owned(), TitleSource::Summary));
    let titled = own + "{\"type\":\"custom-title\",\"customTitle\":\"Garden\",\"sessionId\":\"x\"}\n";
    stage.write(OWNER, &titled);
    assert_eq!(stage.title(), ("Garden".to_owned(), TitleSource::Custom));
}

#[test]
fn a_session_without_a_title_is_named_by_its_time() {
    let stage = Stage::new();
    let answer = session(OWNER, "x", 9);
    stage.write(OWNER, answer.lines().nth(1).unwrap());
    assert_eq!(
        stage.update(&stage.place.path().join("i.db")).session(OWNER).unwrap().unwrap().title,
        "Untitled, 8 Aug 2026 09:00"
    );
}
