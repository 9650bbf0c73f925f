//! Tests that `--project`, `--since`, `--until` and `last` select the same sessions in every door.

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;

use serde_json::Value;

use crate::doors::{EVERYTHING, of_api};
use crate::known::Difference;
use crate::sessions::{Session, unmarked};
use crate::stage::Stage;

/// A selection of sessions.
#[derive(Debug, Clone, Default)]
pub(crate) struct Choice {
    /// Its name in the list of known differences.
    pub(crate) name: &'static str,
    pub(crate) project: Option<String>,
    pub(crate) since: Option<String>,
    pub(crate) until: Option<String>,
    /// The working directory of the program.
    pub(crate) folder: Option<PathBuf>,
}

impl Choice {
    fn flags(&self) -> Vec<&str> {
        let flags = [("--project", &self.project), ("--since", &self.since), ("--until", &self.until)];
        flags.into_iter().filter_map(|(flag, value)| Some([flag, value.as_deref()?])).flatten().collect()
    }

    /// The selection as the query of a URL.
    fn query(&self) -> String {
        let text = |value: &Option<String>| value.clone().unwrap_or_default();
        format!("project={}&since={}&until={}", text(&self.project), text(&self.since), text(&self.until))
    }

    fn json(&self, stage: &Stage, arguments: &[&str]) -> Value {
        let arguments = [arguments, &self.flags()].concat();
        let output = stage.run_in(&self.folder.clone().unwrap_or_else(|| stage.path("")), &arguments);
        serde_json::from_slice(&output.stdout)
            .unwrap_or_else(|error| panic!("{arguments:?}: {error}: {}", String::from_utf8_lossy(&output.stderr)))
    }
}

/// The selected sessions.
enum Chosen {
    Ids(BTreeSet<String>),
    /// The door only reports how many there are.
    Number(u64),
}

/// A door that selects sessions.
struct Chooser {
    door: &'static str,
    choose: fn(&Stage, &Choice) -> Chosen,
}

const CHOOSERS: [Chooser; 7] = [
    Chooser { door: "projects --json", choose: by_projects },
    Chooser { door: "usage session --json", choose: by_usage },
    Chooser { door: "export json", choose: by_export },
    Chooser { door: "search --json", choose: by_search },
    Chooser { door: "watch --json", choose: by_watch },
    Chooser { door: "GET /api/v1/sessions", choose: by_api },
    Chooser { door: "GET /api/v1/tools", choose: by_tools },
];

/// The selections that differ from those of `recount ls`.
pub(crate) fn differences(stage: &Stage, sessions: &[Session], choices: &[Choice]) -> Vec<Difference> {
    let mut differences = Vec::new();
    let everything = Choice::default();
    for chooser in &CHOOSERS {
        let listed = (chooser.choose)(stage, &everything);
        for choice in choices.iter().filter(|choice| is_possible(choice, chooser)) {
            let (truth, number) = by_ls(stage, choice);
            match ((chooser.choose)(stage, choice), &listed) {
                (Chosen::Ids(chosen), Chosen::Ids(listed)) => {
                    // Sessions that a door never lists are a difference of their own.
                    let truth: BTreeSet<String> = truth.intersection(listed).cloned().collect();
                    let is_known = |id: &String| sessions.iter().any(|session| unmarked(&session.id) == id);
                    let chosen: BTreeSet<String> = chosen.into_iter().filter(is_known).collect();
                    let more = chosen.difference(&truth).map(|id| (id, "chosen, and not by ls"));
                    let less = truth.difference(&chosen).map(|id| (id, "not chosen, but by ls"));
                    differences.extend(more.chain(less).map(|(id, how)| {
                        let session = sessions.iter().find(|session| unmarked(&session.id) == id).unwrap();
                        Difference::new(chooser.door, choice.name, &session.traits, format!("{id}: {how}"))
                    }));
                }
                (Chosen::Number(chosen), _) if chosen != number => {
                    let detail = format!("{chosen} sessions, and ls has {number}");
                    differences.push(Difference::new(chooser.door, choice.name, &["total"], detail));
                }
                _ => {}
            }
        }
    }
    differences.extend(last(stage, sessions));
    differences
}

fn is_possible(choice: &Choice, chooser: &Chooser) -> bool {
    // A server does not know the working directory of the user.
    !(choice.folder.is_some() && chooser.door.starts_with("GET"))
}

fn ids<'v>(list: impl IntoIterator<Item = &'v Value>, key: &str) -> BTreeSet<String> {
    // Not all doors distinguish sessions with the same id.
    let id = |row: &Value| unmarked(row[key].as_str().unwrap()).to_owned();
    list.into_iter().map(id).collect()
}

fn by_ls(stage: &Stage, choice: &Choice) -> (BTreeSet<String>, u64) {
    let document = choice.json(stage, &["ls", "--json"]);
    (ids(document["sessions"].as_array().unwrap(), "session"), document["total"].as_u64().unwrap())
}

fn by_projects(stage: &Stage, choice: &Choice) -> Chosen {
    let document = choice.json(stage, &["projects", "--json"]);
    Chosen::Number(document["projects"].as_array().unwrap().iter().map(|row| row["sessions"].as_u64().unwrap()).sum())
}

fn by_usage(stage: &Stage, choice: &Choice) -> Chosen {
    Chosen::Ids(ids(choice.json(stage, &["usage", "session", "--json"])["rows"].as_array().unwrap(), "session"))
}

fn by_export(stage: &Stage, choice: &Choice) -> Chosen {
    let folder = stage.path(&format!("chosen-{}", choice.name.replace(['/', ' ', '.'], "-")));
    let arguments = ["export", "json", folder.to_str().unwrap(), "--detail", "prompts"];
    let flags = choice.flags();
    stage.run_in(&choice.folder.clone().unwrap_or_else(|| stage.path("")), &[&arguments[..], &flags].concat());
    let Ok(index) = fs::read(folder.join("index.json")) else { return Chosen::Ids(BTreeSet::new()) };
    let index: Vec<Value> = serde_json::from_slice(&index).unwrap();
    let id = |listed: &Value| {
        let document = fs::read(folder.join(listed["href"].as_str().unwrap())).unwrap();
        let document: Value = serde_json::from_slice(&document).unwrap();
        document["session"]["id"].as_str().unwrap_or_default().to_owned()
    };
    Chosen::Ids(index.iter().map(id).collect())
}

fn by_search(stage: &Stage, choice: &Choice) -> Chosen {
    Chosen::Ids(ids(choice.json(stage, &EVERYTHING)["sessions"].as_array().unwrap(), "session"))
}

fn by_watch(stage: &Stage, choice: &Choice) -> Chosen {
    // Without `--since`, the board shows only the last days.
    let since = choice.since.clone().or_else(|| Some("2020-01-01".to_owned()));
    let choice = Choice { since, ..choice.clone() };
    Chosen::Ids(ids(choice.json(stage, &["watch", "--json"])["sessions"].as_array().unwrap(), "session"))
}

fn by_api(stage: &Stage, choice: &Choice) -> Chosen {
    Chosen::Ids(ids(&of_api(stage, &format!("&{}", choice.query())), "session"))
}

fn by_tools(stage: &Stage, choice: &Choice) -> Chosen {
    Chosen::Number(stage.api(&format!("/tools?{}", choice.query())).unwrap()["sessions"].as_u64().unwrap())
}

/// `last` is the first of `recount ls`.
fn last(stage: &Stage, sessions: &[Session]) -> Vec<Difference> {
    let latest = &sessions[0];
    let shown = stage.json(&["show", "last", "--format", "json", "--detail", "prompts"]);
    let printed = stage.run(&["cat", "last"]).stdout;
    let said = [
        ("show last", shown["session"]["id"] == latest.id.as_str()),
        ("cat last", fs::read(&latest.path).is_ok_and(|bytes| bytes == printed)),
    ];
    let differs = said.into_iter().filter(|(_, is_it)| !is_it);
    differs.map(|(door, _)| Difference::new(door, "last", &["total"], format!("not {}", latest.id))).collect()
}
