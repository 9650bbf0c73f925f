//! Tests that search results are correct and complete.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "these are tests")]

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};

use format::Scratch;
use format::tool::Calls;
use index::Index;
use index::query::Query;
use index::search::scan::{Scan, Scanner, Shown};
use index::search::touch::FileSearch;
use index::search::{Conditions, Cut, Hit, Hits, Needle, Order, Search};
use index::texts::{Column, Touch, marks, pieces};
use ledger::Prices;
use proptest::prelude::*;
use sources::Buffer;
use sources::FoundSources;
use sources::Input;
use sources::Lines;
use sources::Root;
use sources::find_at;
use sources::find_in_roots;
use tempfile::TempDir;
use testkit::root::{RootOptions, write_root};

/// A root, and an index beside it.
struct SearchFixture(TempDir);

impl SearchFixture {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn root(&self) -> PathBuf {
        self.0.path().join("root")
    }

    /// Writes a file below the projects.
    fn write(&self, name: &str, lines: &[String]) -> PathBuf {
        let path = self.root().join("projects").join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, lines.join("\n") + "\n").unwrap();
        path
    }

    fn index(&self) -> Index {
        let found = find_in_roots(&[Root { path: self.root(), named: false }]);
        let mut index = Index::open(&self.0.path().join("index.db")).unwrap();
        index.update(&found, &Prices::default(), &|_| {}).unwrap();
        index
    }
}

fn conditions(query: &Query) -> Conditions {
    Conditions::of(query, Path::new("/here"), |text| {
        text.parse::<jiff::Timestamp>().map(jiff::Timestamp::as_millisecond).map_err(|error| error.to_string())
    })
    .unwrap()
}

struct How {
    columns: Vec<Column>,
    order: Order,
    limit: usize,
    per_session: usize,
}

impl Default for How {
    fn default() -> Self {
        Self { columns: Vec::new(), order: Order::Recent, limit: 10, per_session: 3 }
    }
}

fn search_with(index: &Index, query: &str, how: &How) -> Hits {
    let query: Query = query.parse().unwrap();
    let conditions = conditions(&query);
    let How { columns, order, limit, per_session } = how;
    let search = Search {
        query: &query,
        conditions: &conditions,
        columns,
        order: *order,
        limit: *limit,
        per_session: *per_session,
        cut: Cut::Around(120),
    };
    let hits = index.search(&search).unwrap();
    let count = index.count(&Search { limit: 1, ..search }).unwrap();
    if !hits.is_partial && hits.changed == 0 {
        assert!(count.sessions >= hits.sessions.len() as u64, "{query:?}: {count:?}");
        assert_eq!(count.entries == 0, hits.sessions.is_empty(), "{query:?}: {count:?}");
    }
    hits
}

fn search(index: &Index, query: &str) -> Hits {
    search_with(index, query, &How::default())
}

/// The hits as `session:line`, in order.
fn places(hits: &Hits) -> Vec<String> {
    let of = |hit: &Hit| format!("{}:{}", hit.path.file_stem().unwrap().to_str().unwrap(), hit.line);
    hits.sessions.iter().flat_map(|group| group.hits.iter().map(of)).collect()
}

/// The highlighted words in the first snippet of each hit.
fn marked(hits: &Hits) -> Vec<String> {
    let all = hits.sessions.iter().flat_map(|group| &group.hits).flat_map(|hit| &hit.snippets);
    all.flat_map(|snippet| snippet.marks.iter().map(|mark| snippet.text[mark.clone()].to_owned())).collect()
}

fn json(text: &str) -> String {
    serde_json::to_string(text).unwrap()
}

/// A line with a speaker, the minute of the hour, and a text.
fn said(minute: u32, text: &str) -> String {
    said_at(&format!("2026-08-01T10:{minute:02}:00.000Z"), text)
}

fn said_at(at: &str, text: &str) -> String {
    format!(
        r#"{{"type":"user","timestamp":"{at}","cwd":"/w/garden","gitBranch":"main","sessionId":"s","message":{{"role":"user","content":{}}}}}"#,
        json(text)
    )
}

fn replied(minute: u32, text: &str) -> String {
    format!(
        r#"{{"type":"assistant","timestamp":"2026-08-01T10:{minute:02}:00.000Z","cwd":"/w/garden","gitBranch":"feature/beds","message":{{"role":"assistant","model":"claude-opus-4-6","content":[{{"type":"text","text":{}}}]}}}}"#,
        json(text)
    )
}

fn called(minute: u32, id: &str, tool: &str, input: &str) -> String {
    format!(
        r#"{{"type":"assistant","timestamp":"2026-08-01T10:{minute:02}:00.000Z","cwd":"/w/garden","message":{{"role":"assistant","model":"claude-haiku-5","content":[{{"type":"tool_use","id":"{id}","name":"{tool}","input":{input}}}]}}}}"#
    )
}

fn answered(minute: u32, id: &str, text: &str, is_error: bool, structured: &str) -> String {
    format!(
        r#"{{"type":"user","timestamp":"2026-08-01T10:{minute:02}:00.000Z","cwd":"/w/garden","message":{{"role":"user","content":[{{"type":"tool_result","tool_use_id":"{id}","content":{},"is_error":{is_error}}}]}},"toolUseResult":{structured}}}"#,
        json(text)
    )
}

/// Two sessions, one with an agent.
fn garden() -> (SearchFixture, Index) {
    let place = SearchFixture::new();
    place.write(
        "-w-garden/aaaa.jsonl",
        &[
            said(1, "Plan the raised beds, please"),
            replied(2, "The retryPolicy waters the beds."),
            called(3, "t1", "Bash", r#"{"command":"ls src/beds.rs"}"#),
            answered(4, "t1", "no such file: src/beds.rs", true, r#""Error: no such file""#),
            called(5, "t2", "Edit", r#"{"file_path":"/w/garden/src/main.rs","old_string":"a","new_string":"b"}"#),
            answered(
                6,
                "t2",
                "The file has been updated.",
                false,
                r#"{"filePath":"/w/garden/src/main.rs","oldString":"a","newString":"b","structuredPatch":[{"oldStart":3,"oldLines":2,"newStart":3,"newLines":2,"lines":[" x","-a","+b"]}]}"#,
            ),
            said(20, "日本語の庭を見てください naïve café"),
        ],
    );
    place.write(
        "-w-garden/bbbb.jsonl",
        &[
            said(8, "Seeds for the beds"),
            replied(9, "Sow them in the \"north\" bed-row at C:\\beds\\north.txt"),
            called(10, "t9", "Read", r#"{"file_path":"/w/garden/src/main.rs"}"#),
        ],
    );
    let asked = said(11, "Count the compost heaps of the beds").replacen('{', r#"{"isSidechain":true,"#, 1);
    place.write("-w-garden/bbbb/subagents/agent-ccc.jsonl", &[asked]);
    let index = place.index();
    (place, index)
}

#[test]
fn the_latest_sessions_come_first() {
    let (_place, index) = garden();
    // The last match counts, not the last line: aaaa continues until 10:20.
    assert_eq!(places(&search(&index, "beds")), ["agent-ccc:1", "bbbb:2", "bbbb:1", "aaaa:4", "aaaa:3", "aaaa:2"]);
    let hits = search(&index, "beds");
    assert_eq!(hits.sessions.iter().map(|group| group.session.name.as_str()).collect::<Vec<_>>(), ["bbbb", "aaaa"]);
    assert_eq!((hits.sessions[1].matches, hits.sessions[1].has_more), (4, false));
    assert_eq!(hits.sessions[0].session.project.as_deref(), Some("/w/garden"));
    assert_eq!(hits.sessions[0].hits[0].agent.as_ref().unwrap().name, "ccc");
    assert_eq!(hits.sessions[0].hits[1].turn, Some(1));
    let one = search_with(&index, "beds", &How { limit: 1, per_session: 1, ..How::default() });
    assert_eq!((places(&one), one.has_more), (vec!["agent-ccc:1".to_owned()], true));
}

#[test]
fn words_phrases_and_names_are_found_and_marked() {
    let (_place, index) = garden();
    for (query, found, marks) in [
        ("policy", "aaaa:2", vec!["Policy"]),
        ("retry_policy", "aaaa:2", vec!["retryPolicy"]),
        ("\"raised beds\"", "aaaa:1", vec!["raised beds"]),
        ("src/beds.rs tool:Bash is:error", "aaaa:4", vec!["src/beds.rs"]),
        ("日本", "aaaa:7", vec!["日本"]),
        ("庭", "aaaa:7", vec!["庭"]),
        ("cafe NAIVE", "aaaa:7", vec!["naïve", "café"]),
        ("north.txt", "bbbb:2", vec!["north.txt"]),
        ("compos*", "agent-ccc:1", vec!["compost"]),
        ("sow OR compost heap*", "agent-ccc:1", vec!["compost", "heaps"]),
        ("beds -seeds -src -retrypolicy -compost -sow", "aaaa:1", vec!["beds"]),
    ] {
        let hits = search(&index, query);
        assert!(!hits.is_partial, "{query}");
        assert_eq!(places(&hits), [found], "{query}");
        assert_eq!(marked(&hits), marks, "{query}");
    }
    for query in ["\"beds raised\"", "xylophone", "raised -plan"] {
        assert_eq!(places(&search(&index, query)), [""; 0], "{query}");
    }
}

#[test]
fn filters_accept_what_they_describe() {
    let (_place, index) = garden();
    for (query, found) in [
        ("beds project:garden role:assistant", vec!["bbbb:2", "aaaa:3", "aaaa:2"]),
        ("beds project:GARD session:aaaa role:user", vec!["aaaa:4", "aaaa:1"]),
        ("beds project:other", vec![]),
        ("tool:bash", vec!["aaaa:4", "aaaa:3"]),
        ("tool:Bash OR tool:Edit -is:error role:assistant", vec!["aaaa:5", "aaaa:3"]),
        ("is:error", vec!["aaaa:4"]),
        ("model:opus", vec!["bbbb:2", "aaaa:2"]),
        ("-model:opus role:assistant", vec!["bbbb:3", "aaaa:5", "aaaa:3"]),
        ("branch:beds", vec!["bbbb:2", "aaaa:2"]),
        ("branch:feature", vec!["bbbb:2", "aaaa:2"]),
        ("file:main.rs", vec!["bbbb:3", "aaaa:5"]),
        ("file:src/ tool:Read", vec!["bbbb:3"]),
        ("beds after:2026-08-01T10:09:00Z", vec!["agent-ccc:1", "bbbb:2"]),
        ("beds before:2026-08-01T10:02:00Z", vec!["aaaa:1"]),
        ("beds session:last", vec!["aaaa:4", "aaaa:3", "aaaa:2"]),
        ("type:USER session:bbbb", vec!["agent-ccc:1", "bbbb:1"]),
        ("-\"raised\" type:user session:aaaa before:2026-08-01T10:05:00Z", vec!["aaaa:4"]),
    ] {
        assert_eq!(places(&search(&index, query)), found, "{query}");
    }
}

#[test]
fn a_tool_is_found_by_all_its_names() {
    let place = SearchFixture::new();
    let called = |minute, id, tool| called(minute, id, tool, "{}");
    let (stop, dig) = (called(3, "t3", "KillShell"), called(4, "t4", "mcp__garden__dig"));
    place.write("-w-garden/aaaa.jsonl", &[called(1, "t1", "Task"), called(2, "t2", "Agent"), stop, dig]);
    let index = place.index();
    for (query, found) in [
        ("tool:Task", &["aaaa:2", "aaaa:1"][..]),
        ("tool:agent", &["aaaa:2", "aaaa:1"]),
        ("tool:TaskStop", &["aaaa:3"]),
        ("tool:KillBash", &["aaaa:3"]),
        ("tool:garden", &["aaaa:4"]),
        ("tool:dig", &["aaaa:4"]),
    ] {
        assert_eq!(places(&search(&index, query)), found, "{query}");
    }
}

#[test]
fn columns_narrow_a_search() {
    let (_place, index) = garden();
    let within = |columns: &[Column], query: &str| {
        places(&search_with(&index, query, &How { columns: columns.to_vec(), ..How::default() }))
    };
    assert_eq!(within(&[Column::Said], "beds"), ["bbbb:1", "aaaa:1"]);
    assert_eq!(within(&[Column::Done], "beds"), ["aaaa:3"]);
    assert_eq!(within(&[Column::Seen, Column::Done], "beds"), ["agent-ccc:1", "aaaa:4", "aaaa:3"]);
}

#[test]
fn the_best_come_first_on_request() {
    let place = SearchFixture::new();
    let filler = "some words about nothing much at all ".repeat(40);
    place.write("-w/long.jsonl", &[replied(50, &format!("{filler} seeds {filler} water"))]);
    place.write("-w/near.jsonl", &[said(1, "water the seeds")]);
    let index = place.index();
    let ranked = How { order: Order::Rank, ..How::default() };
    assert_eq!(places(&search(&index, "seeds water")), ["long:1", "near:1"]);
    assert_eq!(places(&search_with(&index, "seeds water", &ranked)), ["near:1", "long:1"]);
}

#[test]
fn questions_find_entries_with_most_of_their_words() {
    let place = SearchFixture::new();
    let noise: Vec<String> =
        (0..40).map(|n| said(1 + n / 2, &format!("why did the thing number {n} do that"))).collect();
    place.write("-w/noise.jsonl", &noise);
    place.write("-w/answer.jsonl", &[replied(30, "The compost pump failed in the greenhouse.")]);
    let index = place.index();
    let hits = search(&index, "why did the compost pump fail yesterday");
    assert!(hits.is_partial);
    assert_eq!(places(&hits)[0], "answer:1");
    assert!(marked(&hits).contains(&"pump".to_owned()));
    // Excluded terms are still excluded.
    let hits = search(&index, "compost pump yesterday -greenhouse");
    assert_eq!(places(&hits), [""; 0]);
    assert!(!search(&index, "compost pump").is_partial);
}

#[test]
fn lines_changed_since_are_left_out() {
    let place = SearchFixture::new();
    let path = place.write("-w/aaaa.jsonl", &[said(1, "seeds here"), said(2, "and more seeds")]);
    place.write("-w/bbbb.jsonl", &[said(3, "seeds there")]);
    let index = place.index();
    assert_eq!(places(&search(&index, "seeds")), ["bbbb:1", "aaaa:2", "aaaa:1"]);
    let first = fs::read_to_string(&path).unwrap().replace("seeds", "weeds");
    fs::write(&path, &first).unwrap();
    let hits = search(&index, "seeds");
    assert_eq!((places(&hits), hits.is_partial), (vec!["bbbb:1".to_owned()], false));
    fs::write(&path, "").unwrap();
    assert_eq!(search(&index, "seeds").changed, 2);
    fs::remove_file(&path).unwrap();
    let hits = search(&index, "seeds");
    assert_eq!((places(&hits), hits.changed), (vec!["bbbb:1".to_owned()], 2));
}

/// A file that is found late has high line ids but may be old.
#[test]
fn the_order_is_that_of_time_whenever_a_file_was_found() {
    let place = SearchFixture::new();
    let at = |hour: u32, minute: u32| format!("2026-08-01T{hour:02}:{minute:02}:00.000Z");
    let many = |hour: u32, text: &str| (0..50).map(|minute| said_at(&at(hour, minute), text)).collect::<Vec<_>>();
    for hour in 0..5 {
        place.write(&format!("-w/new{hour}.jsonl"), &many(10 + hour, "seeds and soil"));
    }
    drop(place.index());
    for hour in 0..5 {
        place.write(&format!("-w/old{hour}.jsonl"), &many(hour, "seeds and sand"));
    }
    let index = place.index();
    let names = |hits: &Hits| hits.sessions.iter().map(|group| group.session.name.clone()).collect::<Vec<_>>();
    let how = How { limit: 3, per_session: 1, ..How::default() };
    assert_eq!(names(&search_with(&index, "seeds", &how)), ["new4", "new3", "new2"]);
    let how = How { limit: 7, per_session: 1, ..How::default() };
    assert_eq!(names(&search_with(&index, "seeds", &how)), ["new4", "new3", "new2", "new1", "new0", "old4", "old3"]);
    assert_eq!(names(&search_with(&index, "sand", &how))[..2], ["old4", "old3"]);
}

/// Lines of sessions, each with its minute and whether it matches.
fn histories() -> impl Strategy<Value = Vec<Vec<(u16, bool)>>> {
    let line = (0..60_000_u16, prop::bool::weighted(0.04));
    prop::collection::vec(prop::collection::vec(line, 1..25), 8..40)
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(60) })]

    /// Regardless of how rare matches are, where they are, and when a file was found or has grown.
    #[test]
    fn the_latest_of_rare_matches_come_first(histories in histories(), grown in 0_usize..4) {
        let place = SearchFixture::new();
        let mut latest = Vec::new();
        let write = |number: usize, lines: &[(u16, bool)]| {
            let said = |(minute, is_it): &(u16, bool)| {
                let at = jiff::Timestamp::from_second(1_780_000_000 + i64::from(*minute) * 60).unwrap();
                said_at(&at.to_string(), if *is_it { "the rarest of seeds" } else { "the usual soil" })
            };
            place.write(&format!("-w/{number:04}.jsonl"), &lines.iter().map(said).collect::<Vec<_>>());
        };
        // Some sessions, or parts of them, exist from the beginning.
        for (number, lines) in histories.iter().enumerate().filter(|(number, _)| number % 4 < grown) {
            write(number, &lines[..lines.len().div_ceil(2)]);
        }
        drop(place.index());
        for (number, lines) in histories.iter().enumerate() {
            let mut lines = lines.clone();
            lines.sort_unstable();
            lines.dedup_by_key(|(minute, _)| *minute);
            write(number, &lines);
            let last = lines.iter().filter(|(_, is_it)| *is_it).map(|(minute, _)| *minute).max();
            latest.extend(last.map(|last| (last, format!("{number:04}"))));
        }
        let index = place.index();
        latest.sort_unstable_by(|one, other| other.cmp(one));
        let how = How { limit: 3, per_session: 1, ..How::default() };
        for query in ["seeds", "\"rarest of seeds\""] {
            let hits = search_with(&index, query, &how);
            let found: Vec<&str> = hits.sessions.iter().map(|group| group.session.name.as_str()).collect();
            // Of two matches at the same time, either may be first.
            let moments = |names: &[&str]| -> Vec<u16> {
                names.iter().map(|name| latest.iter().find(|(_, known)| known == name).unwrap().0).collect()
            };
            let wanted: Vec<u16> = latest.iter().map(|(minute, _)| *minute).take(3).collect();
            prop_assert_eq!(moments(&found), wanted, "{}: {:?}", query, found);
            prop_assert!(hits.has_more || latest.len() <= 3);
        }
    }
}

/// A long session has the lines of many others between its own.
#[test]
fn a_search_in_one_session_finds_matches_anywhere_in_it() {
    let place = SearchFixture::new();
    let at = |day: u32, minute: u32| format!("2026-08-{day:02}T{:02}:{:02}:00.000Z", minute / 60, minute % 60);
    let began = said_at(&at(1, 0), "build the shed");
    let failed = r#"{"type":"user","timestamp":"2026-08-01T00:01:00.000Z","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t","is_error":true,"content":"no nails"}]}}"#;
    place.write("-w/long.jsonl", &[began.clone(), failed.to_owned()]);
    drop(place.index());
    for other in 0..12 {
        let lines: Vec<String> = (0..400).map(|minute| said_at(&at(2, minute), "build something else")).collect();
        place.write(&format!("-w/other{other}.jsonl"), &lines);
    }
    drop(place.index());
    let rest = (0..7_000).map(|minute| said_at(&at(3, minute % 1_440), "paint it"));
    place.write("-w/long.jsonl", &[began, failed.to_owned()].into_iter().chain(rest).collect::<Vec<_>>());
    let index = place.index();
    for (query, found) in
        [("build session:long", "long:1"), ("is:error session:long", "long:2"), ("is:error", "long:2")]
    {
        assert_eq!(places(&search(&index, query)), [found], "{query}");
    }
    // Each match is counted once, whichever step found it.
    let hits = search(&index, "nails");
    assert_eq!(hits.sessions.iter().map(|group| group.matches).collect::<Vec<_>>(), [1]);
}

#[test]
fn the_last_session_is_one_of_the_selected_ones() {
    let (place, index) = garden();
    let elsewhere = place.0.path().join("elsewhere");
    fs::create_dir_all(elsewhere.join("projects/-x")).unwrap();
    fs::write(elsewhere.join("projects/-x/zzzz.jsonl"), said_at("2027-01-01T00:00:00.000Z", "other beds")).unwrap();
    drop(index);
    let roots = [place.root(), elsewhere].map(|path| Root { path, named: false });
    let mut index = Index::open(&place.0.path().join("index.db")).unwrap();
    index.update(&find_in_roots(&roots), &Prices::default(), &|_| {}).unwrap();
    assert_eq!(places(&search(&index, "beds session:last")), ["zzzz:1"]);
    let index = index.within(vec![place.root()]);
    let names: Vec<String> =
        search(&index, "beds session:last").sessions.into_iter().map(|it| it.session.name).collect();
    assert_eq!(names, ["aaaa"]);
}

/// Many words share a prefix, whether they are in most lines or in one.
#[test]
fn beginnings_of_many_words_are_found() {
    let place = SearchFixture::new();
    let letters = "abcdefghij";
    let pairs = letters.chars().flat_map(|one| letters.chars().map(move |other| format!("seed{one}{other}")));
    let words: Vec<String> = pairs.collect();
    let noise: Vec<String> = (0..200).map(|n| said(n % 60, "nothing but weeds")).collect();
    place.write("-w/noise.jsonl", &noise);
    place.write("-w/rare.jsonl", &[vec![said(1, &words.join(" "))], noise.clone()].concat());
    let index = place.index();
    assert_eq!(places(&search(&index, "seed*")), ["rare:1"]);
    assert_eq!(places(&search(&index, "weeds -seed*")).len(), 6);
    let common: Vec<String> = words.iter().map(|word| said(30, word)).collect();
    place.write("-w/common.jsonl", &common);
    let index = place.index();
    let hits = search(&index, "seed*");
    assert_eq!(hits.sessions.iter().map(|group| group.hits.len()).collect::<Vec<_>>(), [3, 1]);
}

#[test]
fn only_the_folders_that_are_meant_are_looked_at() {
    let (place, mut index) = garden();
    for (folder, expected) in [("", 2), ("projects", 2), ("other", 0)] {
        index = index.within(vec![place.root().join(folder)]);
        let touched = FileSearch {
            path: "main.rs",
            here: Path::new("/w/garden"),
            since: None,
            until: None,
            project: None,
            limit: 10,
        };
        let touched: usize = index.touches(&touched).unwrap().iter().map(|history| history.sessions.len()).sum();
        let found = search(&index, "beds").sessions.len();
        assert_eq!((found, touched, index.sessions().unwrap().len()), (expected, expected, expected), "{folder}");
    }
    // A file is not removed because it is missing from another folder.
    index.update(&FoundSources::default(), &Prices::default(), &|_| {}).unwrap();
    assert_eq!(index.within(Vec::new()).sessions().unwrap().len(), 2);
}

#[test]
fn a_file_lists_the_sessions_that_touched_it() {
    let (_place, index) = garden();
    let touches = |path: &str| {
        let search =
            FileSearch { path, here: Path::new("/w/garden"), since: None, until: None, project: None, limit: 10 };
        index.touches(&search).unwrap()
    };
    for path in ["main.rs", "src/main.rs", "./src/main.rs", "/w/garden/src/main.rs"] {
        let histories = touches(path);
        assert_eq!(histories.len(), 1, "{path}");
        let sessions = &histories[0].sessions;
        assert_eq!((histories[0].path.as_str(), sessions.len()), ("/w/garden/src/main.rs", 2), "{path}");
        assert_eq!((sessions[0].session.name.as_str(), sessions[0].touches[0].touch), ("bbbb", Touch::Read));
        let edit = &sessions[1].touches[0];
        assert_eq!((edit.touch, edit.counts(), edit.turn), (Touch::Edit, (1, 1), Some(1)));
        assert_eq!(edit.patch[0].lines, [" x", "-a", "+b"]);
    }
    assert_eq!(touches("ain.rs"), []);
}

#[test]
fn both_separators_of_windows_paths_are_one() {
    let place = SearchFixture::new();
    let read = |minute, id, path| called(minute, id, "Read", &format!(r#"{{"file_path":{}}}"#, json(path)));
    let lines = [
        said(1, "Read it"),
        read(2, "t1", r"C:\go\segments\path.go"),
        read(3, "t2", "c:/go/segments/path.go"),
        read(4, "t3", r"C:\go\other\path.go"),
    ];
    place.write("-w-garden/aaaa.jsonl", &lines);
    let index = place.index();
    for path in ["segments/path.go", r"segments\path.go", "C:/go/segments/path.go", r"c:\go\segments\path.go"] {
        let search = FileSearch { path, here: Path::new("/w"), since: None, until: None, project: None, limit: 10 };
        let histories = index.touches(&search).unwrap();
        assert_eq!(histories.len(), 1, "{path}: one file");
        assert_eq!(histories[0].path, "C:/go/segments/path.go");
        assert_eq!(histories[0].sessions[0].touches.len(), 2);
    }
    for query in ["file:segments/path.go", r"file:segments\path.go", "file:segments/"] {
        assert_eq!(places(&search(&index, query)).len(), 2, "{query}");
    }
    for words in ["segments/path.go", r"segments\path.go"] {
        assert_eq!(places(&search(&index, words)).len(), 2, "{words}");
    }
}

/// A scan of all sources finds the same words.
#[test]
fn scanning_finds_the_same() {
    let (place, index) = garden();
    let sources = find_in_roots(&[Root { path: place.root(), named: false }]).sources;
    for query in [
        "beds",
        "beds -seeds",
        "policy",
        "日本",
        "tool:Bash",
        "is:error",
        "beds session:last",
        "file:main.rs",
        "beds project:garden role:user",
        "model:opus OR model:haiku",
        "beds before:2026-08-01T10:02:00Z",
        "branch:beds",
    ] {
        let parsed: Query = query.parse().unwrap();
        let conditions = conditions(&parsed);
        let needle = Needle::Words(&parsed);
        let scan = Scan { needle, conditions: &conditions, columns: &[], cut: Cut::Around(120), kept: 3, names: None };
        let mut reader = Scanner::new(scan);
        for source in &sources {
            reader.read(source).unwrap();
        }
        let scanned = reader.finish().hits(&conditions, Shown { limit: 10, per_session: 3 });
        let asked = search(&index, query);
        assert_eq!(places(&scanned), places(&asked), "{query}");
        assert_eq!(marked(&scanned), marked(&asked), "{query}");
    }
}

fn corpus() -> Option<PathBuf> {
    let default = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus");
    let corpus = std::env::var_os("RECOUNT_CORPUS").map_or(default, PathBuf::from);
    corpus.is_dir().then_some(corpus)
}

/// For every `step`-th word of all lines, a search finds its line, and every result contains the word.
fn every_word_is_found(folder: &Path, step: usize, least: usize) {
    let place = SearchFixture::new();
    let found = find_at(&[folder.to_path_buf()]);
    let sources = &found.sources;
    let mut index = Index::open(&place.0.path().join("index.db")).unwrap();
    index.update(&found, &Prices::default(), &|_| {}).unwrap();
    let (mut seen, mut asked, mut lost) = (0, 0, Vec::new());
    let (mut buffer, mut scratch) = (Buffer::default(), Scratch::default());
    for source in sources {
        let Input::File(path) = &source.input else { continue };
        let calls = Calls::default();
        let mut lines = Lines::new(source.open().unwrap(), &mut buffer);
        while let Some(line) = lines.next_line().unwrap() {
            scratch.reset();
            let mut words: HashSet<String> = HashSet::new();
            for entry in &format::read_with(line.bytes, &scratch, &calls).entries {
                marks(entry).calls.iter().for_each(|call| calls.open(call.id.unwrap_or("").into(), call.tool));
                pieces(entry, |_, text| {
                    for word in text.split(|c: char| !c.is_alphanumeric() && c != '_') {
                        seen += 1;
                        if seen % step == 0 && !word.is_empty() {
                            words.insert(word.to_owned());
                        }
                    }
                });
            }
            for word in words {
                let quoted = format!("\"{word}\"");
                let Ok(query) = quoted.parse::<Query>() else { continue };
                asked += 1;
                let conditions = Conditions::default();
                let search = Search {
                    query: &query,
                    conditions: &conditions,
                    columns: &[],
                    order: Order::Recent,
                    limit: usize::MAX,
                    per_session: usize::MAX,
                    cut: Cut::Around(60),
                };
                let hits = index.search(&search).unwrap();
                let mut all = hits.sessions.iter().flat_map(|group| &group.hits);
                if !all.any(|hit| hit.path == *path && hit.offset == line.offset) {
                    lost.push(format!("{word} {}:{}", path.display(), line.number));
                }
                let is_marked = |hit: &Hit| hit.share >= 1.0 && hit.snippets.iter().any(|it| !it.marks.is_empty());
                assert!(hits.sessions.iter().flat_map(|group| &group.hits).all(is_marked), "{word}");
            }
        }
    }
    assert!(lost.is_empty(), "of {asked} not found: {lost:#?}");
    assert!(asked > least, "only {asked} words were looked for");
}

#[test]
fn every_word_of_generated_sessions_is_found() {
    let root = tempfile::tempdir().unwrap();
    let options = RootOptions { bytes: 1_500_000, seed: 5, largest_session: 300_000, ..RootOptions::default() };
    write_root(root.path(), &options).unwrap();
    every_word_is_found(&root.path().join("projects"), 499, 100);
}

#[test]
fn every_word_of_the_corpus_is_found() {
    let Some(corpus) = corpus() else { return };
    every_word_is_found(&corpus, 4999, 100);
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(300) })]

    /// Any typed text is either rejected or searched.
    #[test]
    fn hostile_queries_do_no_harm(text in hostile()) {
        thread_local! {
            static GARDEN: (SearchFixture, Index) = garden();
        }
        if let Ok(query) = text.parse::<Query>()
            && let Ok(conditions) = Conditions::of(&query, Path::new("/"), |_| Err("no".to_owned()))
        {
            GARDEN.with(|(_, index)| {
                for order in [Order::Recent, Order::Rank] {
                    for columns in [&[][..], &[Column::Said]] {
                        let search = Search {
                            query: &query, conditions: &conditions, columns, order, limit: 3, per_session: 2,
                            cut: Cut::Lines(1),
                        };
                        index.search(&search).unwrap();
                    }
                }
            });
        }
    }
}

fn hostile() -> impl Strategy<Value = String> {
    let pieces = [
        "\"",
        "'",
        "*",
        "^",
        "(",
        ")",
        "{said}",
        ":",
        "-",
        "+",
        "NEAR(a b, 2)",
        "AND",
        "OR",
        "NOT",
        "beds",
        "日",
        "本語",
        "tool:",
        "tool:Bash",
        "file:'",
        "project:%",
        "session:last~9",
        "is:error",
        "--",
        ";",
        "\0",
        "\u{e000}",
        "\u{202e}",
        "a_b",
        "/x/y.z",
        "é",
        " ",
        " ",
        " ",
        "DROP TABLE line",
        "role:user",
        "type:\"a b\"",
        "branch:\\",
        "\u{1b}[31m",
    ];
    let piece = prop_oneof![4 => prop::sample::select(pieces.to_vec()).prop_map(str::to_owned), 1 => ".{0,6}"];
    prop::collection::vec(piece, 0..12).prop_map(|pieces| pieces.concat())
}
