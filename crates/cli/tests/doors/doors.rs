//! The doors: each is a function that reads facts from one output. A new door is a function and a line in `DOORS`.

mod export;
mod show;
mod web;

pub(crate) use web::of_api;

use std::collections::HashMap;
use std::path::PathBuf;

use rayon::prelude::*;
use serde_json::{Value, json};
use testkit::gallery::{Exhibit, Truth};

use crate::said::{FIELDS, Facts, Said, ValueKind, facts};
use crate::sessions::Session;
use crate::stage::Stage;
use crate::table;

/// The way a door identifies a session.
#[derive(Debug, Clone)]
pub(crate) enum Name {
    /// By its id, or by another text in place of the id.
    Id(String),
    /// By its main file.
    Path(PathBuf),
    /// By the request, which names one session.
    Number(usize),
}

/// The facts that a door gives about sessions.
pub(crate) type Answers = Vec<(Name, Facts)>;

/// A door: a function that reads facts about all sessions, or about the given ones if each needs a request.
pub(crate) struct Door {
    pub(crate) name: &'static str,
    pub(crate) read: fn(&Stage, &[Session], &[usize]) -> Answers,
    pub(crate) extent: Extent,
}

/// The sessions that a door covers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Extent {
    /// All sessions, in one list.
    All,
    /// One session per request.
    Asked,
    /// Some sessions, with some of the fields.
    Some,
}

/// All doors except `ls --json`.
pub(crate) const DOORS: [Door; 22] = [
    Door { name: "as it was written", read: gallery, extent: Extent::Some },
    Door { name: "ls", read: ls, extent: Extent::All },
    Door { name: "ls --csv", read: ls_csv, extent: Extent::All },
    Door { name: "show --format json", read: show::json, extent: Extent::Asked },
    Door { name: "show", read: show::text, extent: Extent::Asked },
    Door { name: "show --format md", read: show::markdown, extent: Extent::Asked },
    Door { name: "show --format html", read: show::html, extent: Extent::Asked },
    Door { name: "export html: index", read: export::html_index, extent: Extent::All },
    Door { name: "export html: pages", read: export::html_pages, extent: Extent::All },
    Door { name: "export md: index", read: export::markdown_index, extent: Extent::All },
    Door { name: "export json: index", read: export::json_index, extent: Extent::All },
    Door { name: "export json: documents", read: export::json_documents, extent: Extent::All },
    Door { name: "usage session --json", read: usage_json, extent: Extent::All },
    Door { name: "usage session --csv", read: usage_csv, extent: Extent::All },
    Door { name: "usage session --json=ccusage", read: usage_ccusage, extent: Extent::All },
    Door { name: "search --json", read: search, extent: Extent::All },
    Door { name: "watch --json", read: watch, extent: Extent::All },
    Door { name: "GET /api/v1/sessions", read: web::api_list, extent: Extent::All },
    Door { name: "GET /api/v1/sessions/{id}", read: web::api_one, extent: Extent::Asked },
    Door { name: "GET /api/v1/sessions/{id}/story", read: web::api_story, extent: Extent::Asked },
    Door { name: "GET /sessions", read: web::table, extent: Extent::All },
    Door { name: "GET /session/{id}", read: web::page, extent: Extent::Asked },
];

/// Requests each of these sessions. Sessions without an answer are left out.
pub(super) fn each(sessions: &[Session], numbers: &[usize], ask: impl Fn(&Session) -> Option<Facts> + Sync) -> Answers {
    let ask = |number: &usize| Some((Name::Number(*number), ask(&sessions[*number])?));
    numbers.par_iter().filter_map(ask).collect()
}

/// The true facts about the sessions of the gallery.
fn gallery(stage: &Stage, _: &[Session], _: &[usize]) -> Answers {
    let facts = |exhibit: &Exhibit| {
        let Truth { calls, failed, agents, title, project, state } = &exhibit.truth;
        let counts = [("calls", json!(calls)), ("failed", json!(failed)), ("agents", json!(agents))];
        let words = [("title", json!(title)), ("project", json!(project)), ("state", json!(state))];
        let known = words.into_iter().filter(|(_, value)| !value.is_null());
        let facts = counts.into_iter().chain(known).map(|(field, value)| (field, Said::Value(value)));
        (Name::Id(exhibit.id.clone()), facts.collect())
    };
    stage.exhibits.iter().map(facts).collect()
}

fn ls(stage: &Stage, _: &[Session], _: &[usize]) -> Answers {
    let rows = table::rows(&stage.text(&["ls"]));
    let row = |(number, row): (usize, &HashMap<String, String>)| {
        let said = [
            ("id", "session"),
            ("title", "title"),
            ("project", "project"),
            ("state", "state"),
            ("last", "last active"),
            ("turns", "turns"),
            ("calls", "calls"),
            ("failed", "failed"),
            ("tokens", "tokens"),
            ("cost", "cost"),
            ("sure", "cost"),
        ];
        // In the order of `ls --json`.
        let said = said.iter().filter_map(|(field, column)| Some((*field, Said::words(row.get(*column)?))));
        (Name::Number(number), said.collect())
    };
    rows.iter().enumerate().map(row).collect()
}

fn ls_csv(stage: &Stage, _: &[Session], _: &[usize]) -> Answers {
    let fields = [
        ("id", "session"),
        ("title", "title"),
        ("project", "project"),
        ("state", "state"),
        ("first", "first"),
        ("last", "last"),
        ("turns", "turns"),
        ("calls", "calls"),
        ("failed", "failed"),
        ("agents", "agents"),
        ("tokens", "tokens"),
        ("cost", "cost_usd"),
    ];
    table::csv(&stage.text(&["ls", "--csv"]))
        .iter()
        .map(|row| (Name::Path(PathBuf::from(&row["path"])), spreadsheet(row, &fields)))
        .collect()
}

/// The facts in a CSV row: numbers become numbers, and empty cells are left out.
fn spreadsheet(row: &HashMap<String, String>, fields: &[(&'static str, &str)]) -> Facts {
    let value = |field: &str, text: &str| {
        let is_number = |(name, kind): &(&str, ValueKind)| {
            *name == field && matches!(kind, ValueKind::Count | ValueKind::Tokens | ValueKind::Money)
        };
        match text {
            "" => Value::Null,
            text if FIELDS.iter().any(is_number) => text.parse().map_or_else(|_| json!(text), Value::Number),
            // A leading sign protects text that a spreadsheet could take for a formula.
            text => json!(text.strip_prefix('\'').unwrap_or(text)),
        }
    };
    let said = fields.iter().filter_map(|(field, column)| Some((*field, Said::Value(value(field, row.get(*column)?)))));
    said.collect()
}

fn usage_json(stage: &Stage, _: &[Session], _: &[usize]) -> Answers {
    let document = stage.json(&["usage", "session", "--json"]);
    let pointers = [("id", "/session"), ("project", "/project"), ("tokens", "/total_tokens"), ("cost", "/cost_usd")];
    let answer = |row: &Value| {
        let mut facts = facts(row, &pointers);
        let is_sure = matches!(row["quality"].as_str(), Some("exact" | "computed"));
        facts.insert("sure", Said::Value(json!(is_sure)));
        (Name::Id(row["session"].as_str().unwrap().to_owned()), facts)
    };
    document["rows"].as_array().unwrap().iter().map(answer).collect()
}

fn usage_csv(stage: &Stage, _: &[Session], _: &[usize]) -> Answers {
    let fields = [("id", "session"), ("project", "project"), ("tokens", "total_tokens"), ("cost", "cost_usd")];
    let rows = table::csv(&stage.text(&["usage", "session", "--csv"]));
    rows.iter().map(|row| (Name::Id(row["session"].clone()), spreadsheet(row, &fields))).collect()
}

fn usage_ccusage(stage: &Stage, _: &[Session], _: &[usize]) -> Answers {
    let document = stage.json(&["usage", "session", "--json=ccusage"]);
    let pointers = [
        ("id", "/sessionId"),
        ("first", "/firstActivity"),
        ("last", "/lastActivity"),
        ("tokens", "/totalTokens"),
        ("cost", "/totalCost"),
    ];
    let rows = document["sessions"].as_array().unwrap();
    rows.iter().map(|row| (Name::Id(row["sessionId"].as_str().unwrap().to_owned()), facts(row, &pointers))).collect()
}

fn search(stage: &Stage, _: &[Session], _: &[usize]) -> Answers {
    let pointers =
        [("id", "/session"), ("title", "/title"), ("project", "/project"), ("first", "/first"), ("last", "/last")];
    let answer =
        |session: &Value| (Name::Path(PathBuf::from(session["file"].as_str().unwrap())), facts(session, &pointers));
    stage.json(&EVERYTHING)["sessions"].as_array().unwrap().iter().map(answer).collect()
}

/// A search that matches every session with a message.
pub(crate) const EVERYTHING: [&str; 7] =
    ["search", "role:user OR role:assistant", "--json", "--hits", "1", "-n", "100000"];

fn watch(stage: &Stage, _: &[Session], _: &[usize]) -> Answers {
    let document = stage.json(&["watch", "--json", "--since", "2020-01-01"]);
    let pointers = [
        ("id", "/session"),
        ("title", "/title"),
        ("project", "/project"),
        ("state", "/state"),
        ("tokens", "/tokens"),
        ("cost", "/cost_usd"),
    ];
    let answer = |card: &Value| {
        let mut facts = facts(card, &pointers);
        let is_sure = card["cost_is_at_least"] == false && card["cost_is_partial"] == false;
        facts.insert("sure", Said::Value(json!(is_sure)));
        (Name::Id(card["session"].as_str().unwrap().to_owned()), facts)
    };
    document["sessions"].as_array().unwrap().iter().map(answer).collect()
}
