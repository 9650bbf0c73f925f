//! The web app: its pages and its HTTP API.

use std::collections::HashMap;
use std::path::PathBuf;

use serde_json::Value;

use super::show::{head_of_page, moment, story};
use super::{Answers, Name, each};
use crate::html as page;
use crate::said::{Facts, Said};
use crate::sessions::{Session, listed};
use crate::stage::Stage;

/// All sessions that the HTTP API lists.
pub(crate) fn of_api(stage: &Stage, query: &str) -> Vec<Value> {
    let mut all = Vec::new();
    for page in 1.. {
        let document = stage.api(&format!("/sessions?page={page}{query}")).unwrap();
        let list = document["sessions"].as_array().unwrap().clone();
        if list.is_empty() {
            break;
        }
        all.extend(list);
    }
    all
}

pub(super) fn api_list(stage: &Stage, _: &[Session], _: &[usize]) -> Answers {
    of_api(stage, "").iter().map(|session| (path_of(session), listed(session))).collect()
}

fn path_of(session: &Value) -> Name {
    Name::Path(PathBuf::from(session["path"].as_str().unwrap()))
}

/// The ids of sessions in the web app, by file.
fn addresses(stage: &Stage) -> HashMap<PathBuf, String> {
    let address = |session: &Value| {
        let path = PathBuf::from(session["path"].as_str().unwrap());
        (path, session["session"].as_str().unwrap().to_owned())
    };
    of_api(stage, "").iter().map(address).collect()
}

pub(super) fn api_one(stage: &Stage, sessions: &[Session], numbers: &[usize]) -> Answers {
    let addresses = addresses(stage);
    each(sessions, numbers, |session| {
        let address = addresses.get(&session.path).unwrap_or(&session.id);
        Some(listed(&stage.api(&format!("/sessions/{address}"))?))
    })
}

pub(super) fn api_story(stage: &Stage, sessions: &[Session], numbers: &[usize]) -> Answers {
    let addresses = addresses(stage);
    each(sessions, numbers, |session| {
        let address = addresses.get(&session.path).unwrap_or(&session.id);
        Some(story(&stage.api(&format!("/sessions/{address}/story?detail=prompts"))?))
    })
}

pub(super) fn table(stage: &Stage, _: &[Session], _: &[usize]) -> Answers {
    let paths: HashMap<String, PathBuf> = addresses(stage).into_iter().map(|(path, name)| (name, path)).collect();
    let mut answers = Answers::new();
    for page in 1.. {
        let page = stage.get(&format!("/sessions?page={page}")).unwrap();
        let rows = page::rows(&page);
        if rows.is_empty() {
            break;
        }
        for row in rows {
            let cell = |name: &str| page::cell(&row, name).unwrap_or_default();
            let words = |name: &str| Said::words(page::text(cell(name)));
            let link = page::between(cell("title"), "<a ", "</a>").unwrap();
            let address = page::attribute(cell("title"), "href").unwrap();
            let name = address.strip_prefix("/session/").unwrap();
            let project = page::attribute(cell("project"), "title").unwrap_or_default();
            let facts = Facts::from([
                ("id", Said::words(name)),
                ("title", Said::words(page::text(link.split_once('>').unwrap().1))),
                ("project", Said::words(project)),
                (
                    "last",
                    page::between(cell("last active"), "<time", "</time>").map_or(Said::Value(Value::Null), moment),
                ),
                ("state", words("state")),
                ("turns", words("turns")),
                ("calls", words("calls")),
                ("failed", words("failed")),
                ("tokens", words("tokens")),
                ("cost", words("cost")),
                ("sure", words("cost")),
            ]);
            let known = paths.get(name).map_or_else(|| Name::Id(name.to_owned()), |path| Name::Path(path.clone()));
            answers.push((known, facts));
        }
    }
    answers
}

pub(super) fn page(stage: &Stage, sessions: &[Session], numbers: &[usize]) -> Answers {
    let addresses = addresses(stage);
    each(sessions, numbers, |session| {
        let address = addresses.get(&session.path).unwrap_or(&session.id);
        head_of_page(&stage.get(&format!("/session/{address}"))?)
    })
}
