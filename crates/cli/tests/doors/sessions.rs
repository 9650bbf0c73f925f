//! The sessions as `recount ls --json` lists them: the reference for all other doors.

use std::collections::HashMap;
use std::fs;
use std::path::PathBuf;

use serde_json::Value;

use crate::said::{Facts, Said, facts};
use crate::stage::Stage;

/// A session.
#[derive(Debug)]
pub(crate) struct Session {
    pub(crate) id: String,
    pub(crate) path: PathBuf,
    /// Its traits: anything special about it.
    pub(crate) traits: Vec<&'static str>,
    pub(crate) facts: Facts,
}

/// Pointers to the facts in a session of `ls --json` and of the HTTP API.
pub(crate) const LISTED: [(&str, &str); 12] = [
    ("id", "/session"),
    ("title", "/title"),
    ("project", "/project"),
    ("state", "/state"),
    ("first", "/first"),
    ("last", "/last"),
    ("turns", "/turns"),
    ("calls", "/calls"),
    ("failed", "/failed"),
    ("agents", "/agents"),
    ("tokens", "/tokens"),
    ("cost", "/cost_usd"),
];

/// The facts of a session in such a list.
pub(crate) fn listed(session: &Value) -> Facts {
    let mut facts = facts(session, &LISTED);
    let is_sure = session["cost_is_at_least"] == false && session["cost_is_partial"] == false;
    facts.insert("sure", Said::Value(Value::Bool(is_sure)));
    facts
}

/// All sessions, latest first.
pub(crate) fn all(stage: &Stage) -> Vec<Session> {
    let exhibits = stage.exhibits.iter();
    let shown: HashMap<&str, &'static str> = exhibits.map(|exhibit| (exhibit.id.as_str(), exhibit.what)).collect();
    let document = stage.json(&["ls", "--json"]);
    let list = document["sessions"].as_array().unwrap();
    let mut counted: HashMap<&str, usize> = HashMap::new();
    for session in list {
        *counted.entry(unmarked(session["session"].as_str().unwrap())).or_default() += 1;
    }
    let session = |session: &Value| {
        let id = session["session"].as_str().unwrap();
        let path = PathBuf::from(session["path"].as_str().unwrap());
        let traits = [
            (shown.get(id).copied().unwrap_or("other"), true),
            ("lone agent", session["only_left"] == "subagents"),
            ("only prompts", session["only_left"] == "prompts"),
            ("copy", !session["copied_from"].is_null()),
            ("archived", session["is_archived"] == true),
            ("captured", path.components().any(|part| part.as_os_str() == "captures")),
            ("untitled", session["title_source"] == "untitled"),
            ("long title", session["title"].as_str().is_some_and(|title| title.chars().count() > 80)),
            ("no project", session["project"].is_null()),
            ("no turns", session["turns"] == 0),
            ("no time", session["first"].is_null()),
            ("with agents", session["agents"] != 0),
            ("with failures", session["failed"] != 0),
            ("no usage", session["tokens"] == 0),
            ("same id", counted[unmarked(id)] > 1),
            ("odd file name", !is_uuid(unmarked(id))),
            ("no line feed at the end", fs::read(&path).is_ok_and(|bytes| bytes.last() != Some(&b'\n'))),
            ("not ended", session["state"] != "ended"),
        ];
        Session {
            id: id.to_owned(),
            path,
            traits: traits.into_iter().filter_map(|(name, is_so)| is_so.then_some(name)).collect(),
            facts: listed(session),
        }
    };
    list.iter().map(session).collect()
}

/// The id in the name of a session that shares its id with others.
pub(crate) fn unmarked(name: &str) -> &str {
    name.split_once('~').map_or(name, |(id, _)| id)
}

fn is_uuid(id: &str) -> bool {
    id.len() == 36 && id.bytes().all(|byte| byte.is_ascii_hexdigit() || byte == b'-')
}
