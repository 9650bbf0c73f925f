//! Tests the usage of every kind of source.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use ledger::Prices;
use tempfile::TempDir;
use testkit::root::{RootOptions, write_root};

use super::*;
use sources::find::find_at;

fn read(paths: &[PathBuf], depth: Option<Depth>) -> Accounts {
    let mut accountant = Accountant::default();
    for (number, source) in find_at(paths).sources.iter().enumerate() {
        match depth {
            Some(_) if matches!(source.kind, SourceKind::History | SourceKind::Journal) => {}
            Some(depth) => drop(accountant.read_at(depth, number, source).unwrap()),
            None => accountant.read(number, source).unwrap(),
        }
    }
    accountant.finish()
}

/// Every row of a ledger.
fn books(ledger: &Ledger) -> Vec<String> {
    let mut books = Vec::new();
    ledger.each(&Prices::default(), |post| {
        let session = ledger.session_name(post.session);
        let agent = post.agent.map(|agent| ledger.agent_name(agent));
        let branch = post.branch.map(|branch| ledger.branch_name(branch));
        let place = (post.kind, post.message, session, agent, post.is_side, post.model_name, branch);
        books.push(format!("{place:?} {:?} {:?} {:?} {}", post.at, post.tokens, post.cost, post.context));
    });
    books.sort();
    books
}

fn shared(name: &str) -> Option<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared").join(name);
    folder.is_dir().then_some(folder)
}

#[test]
fn headers_give_the_same_ledger_as_entries() {
    let generated = tempfile::tempdir().unwrap();
    let options = RootOptions { bytes: 4_000_000, seed: 5, largest_session: 600_000, ..RootOptions::default() };
    write_root(generated.path(), &options).unwrap();
    let mut folders = vec![generated.path().to_path_buf()];
    folders.extend(shared("corpus"));
    let cases = shared("usage/cases").into_iter().flat_map(|cases| fs::read_dir(cases).unwrap());
    folders.extend(cases.map(|case| case.unwrap().path()).filter(|case| case.is_dir()));
    for (number, folder) in folders.into_iter().enumerate() {
        let folder = [folder];
        let (quick, full) = (read(&folder, None), read(&folder, Some(Depth::Entries)));
        assert!(number > 1 || books(&quick.ledger).len() > 50);
        assert_eq!(books(&quick.ledger), books(&full.ledger));
        assert_eq!(quick.doubtful_lines, full.doubtful_lines);
        assert_eq!(quick.ledger.limits(), full.ledger.limits());
    }
}

struct Files(TempDir);

impl Files {
    fn new(files: &[(&str, &[&str])]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        for (name, lines) in files {
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, lines.join("\n")).unwrap();
        }
        Self(folder)
    }

    fn read(&self) -> Accounts {
        read(&[self.0.path().to_path_buf()], None)
    }
}

/// Tokens by session and agent.
fn owners(accounts: &Accounts) -> BTreeMap<(String, Option<String>), u64> {
    let ledger = &accounts.ledger;
    let sums = ledger.by(&Prices::default(), |post| {
        let agent = post.agent.map(|agent| ledger.agent_name(agent).to_owned());
        Some((ledger.session_name(post.session).to_owned(), agent))
    });
    sums.into_iter().map(|(owner, sum)| (owner, sum.tokens.total())).collect()
}

fn message(id: &str, more: &str) -> String {
    format!(
        r#"{{"type":"assistant","timestamp":"2026-03-01T12:00:00Z",{more}"requestId":"r{id}","uuid":"u{id}","message":{{"id":"m{id}","model":"claude-opus-4-5","usage":{{"input_tokens":10}}}}}}"#
    )
}

#[test]
fn every_file_belongs_to_a_session() {
    let said = r#""sessionId":"s1","cwd":"/home/ana/shop","#;
    let [main, agent, flow, flat] = ["1", "2", "3", "4"].map(|id| message(id, said));
    let elsewhere = message("5", r#""sessionId":"s1","cwd":"/home/ana/other","#);
    let stream = message("6", r#""session_id":"s6","#).replace(r#""timestamp":"2026-03-01T12:00:00Z","#, "");
    let init = r#"{"type":"system","subtype":"init","session_id":"s6","cwd":"/srv"}"#;
    let files = Files::new(&[
        ("projects/-home-ana-shop/s1.jsonl", &[r#"{"type":"summary"}"#, &main]),
        ("projects/-home-ana-shop/s1/subagents/agent-a.jsonl", &[&agent]),
        ("projects/-home-ana-shop/s1/subagents/workflows/wf_1/agent-b.jsonl", &[&flow]),
        ("projects/-home-ana-shop/agent-c.jsonl", &[&flat]),
        ("projects/-home-ana-other/renamed.jsonl", &[&elsewhere]),
        ("runs/yesterday.jsonl", &[init, &stream]),
    ]);
    let accounts = files.read();
    let agent = |name: &str| ("s1".to_owned(), Some(name.to_owned()));
    let expected = [
        (("renamed".to_owned(), None), 10),
        (("s1".to_owned(), None), 10),
        (agent("a"), 10),
        (agent("b"), 10),
        (agent("c"), 10),
        (("s6".to_owned(), None), 10),
    ];
    assert_eq!(owners(&accounts), expected.into());
    let home = |session: &str| {
        let home = accounts.homes.of(session).unwrap();
        (home.project.as_deref().unwrap().to_owned(), home.folder.to_string())
    };
    assert_eq!(home("s1"), ("/home/ana/shop".to_owned(), "-home-ana-shop".to_owned()));
    assert_eq!(home("renamed"), ("/home/ana/other".to_owned(), "-home-ana-other".to_owned()));
    assert_eq!(home("s6"), ("/srv".to_owned(), "runs".to_owned()));
}

#[test]
fn lines_that_cannot_be_counted_are_listed() {
    let good = message("1", "");
    let negative = message("2", "").replace("10", "-10");
    let huge = message("3", "").replace("10", "99999999999");
    let torn = message("4", "").replace("\"usage\":", "\"usage\":{");
    let timeless = message("5", "").replace("2026-03-01T12:00:00Z", "yesterday");
    let files = Files::new(&[("a.jsonl", &[&good, "{}", &negative, &huge, &torn]), ("b.jsonl", &[&good, &timeless])]);
    let accounts = files.read();
    let doubts: Vec<_> = (accounts.doubtful.iter())
        .map(|doubtful| {
            let why = match &doubtful.why {
                Doubt::Malformed(_) => "malformed",
                Doubt::Negative => "negative",
                Doubt::TooMany => "too many",
                Doubt::NoTime => "no time",
            };
            (doubtful.place.source, doubtful.place.line, why)
        })
        .collect();
    assert_eq!(doubts, [(0, 3, "negative"), (0, 4, "too many"), (0, 5, "malformed"), (1, 2, "no time")]);
    // The line counts at the time of the line before it.
    let at = accounts.ledger.totals(&Prices::default()).span.unwrap();
    assert_eq!(at.0, at.1);
}

#[test]
fn the_list_of_doubtful_lines_is_bounded() {
    let bad: Vec<String> = (0..500).map(|id| message(&id.to_string(), "").replace("10}", "-10}")).collect();
    let bad: Vec<&str> = bad.iter().map(String::as_str).collect();
    let mut accounts = Files::new(&[("a.jsonl", &bad)]).read();
    accounts.merge(Files::new(&[("b.jsonl", &bad)]).read());
    assert_eq!((accounts.doubtful_lines, accounts.doubtful.len()), (1000, MOST_DOUBTFUL));
}

#[test]
fn a_message_spread_by_character_is_counted_however_its_line_is_spelled() {
    let stream = concat!(
        "event: message_start\ndata: {\"type\":\"message_start\",\"message\":{\"id\":\"msg_1\",\"role\":\"assistant\",",
        "\"model\":\"claude-sonnet-4-6\",\"usage\":{\"input_tokens\":7,\"output_tokens\":1}}}\n\n",
        "event: message_delta\ndata: {\"type\":\"message_delta\",\"usage\":{\"output_tokens\":42}}\n\n",
    );
    let characters = stream.chars().enumerate().map(|(at, c)| (at.to_string(), serde_json::Value::from(c.to_string())));
    let message: serde_json::Map<_, _> = characters.collect();
    // The order of the keys is that of the characters.
    let keys: Vec<String> = (0..message.len()).map(|at| format!("\"{at}\": {}", message[&at.to_string()])).collect();
    let blank = format!(
        "{{\"type\": \"assistant\", \"timestamp\": \"2026-08-08T09:00:00.000Z\", \"message\": {{ {}, \"content\": []}}}}\n",
        keys.join(", ")
    );
    let compact = blank.replace("\": ", "\":").replace("{ \"0\"", "{\"0\"").replace(", \"", ",\"");
    for line in [blank, compact] {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("aaaa1111.jsonl");
        fs::write(&path, &line).unwrap();
        let (quick, full) =
            (read(std::slice::from_ref(&path), None), read(std::slice::from_ref(&path), Some(Depth::Entries)));
        assert_eq!(books(&quick.ledger).len(), 1, "{line}");
        assert_eq!(books(&quick.ledger), books(&full.ledger));
    }
}
