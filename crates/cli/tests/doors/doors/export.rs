//! `recount export`: the lists, and the pages and documents behind them.

use std::collections::HashMap;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

use rayon::prelude::*;
use regex::Regex;
use serde_json::Value;

use super::show::{head_of_page, moment, story, unescaped};
use super::{Answers, Name};
use crate::html as page;
use crate::said::{Facts, Said, facts};
use crate::sessions::Session;
use crate::stage::Stage;

/// Exports all sessions once. Returns the folder, and the main file of each session by its URL without extension.
fn exported(stage: &Stage, form: &str) -> (PathBuf, HashMap<String, PathBuf>) {
    let export = |form: &str| {
        let folder = stage.path(&format!("exported-{form}"));
        if !folder.is_dir() {
            stage.run(&["export", form, folder.to_str().unwrap(), "--detail", "prompts"]);
        }
        folder
    };
    let documents = export("json");
    let mut paths = HashMap::new();
    for listed in index_of(&documents) {
        let href = listed["href"].as_str().unwrap();
        let document: Value = serde_json::from_slice(&fs::read(documents.join(href)).unwrap()).unwrap();
        let sources = document["sources"].as_array().unwrap();
        let mut files = sources.iter().filter_map(|source| source["label"].as_str()).map(PathBuf::from);
        // The sources may include files of other sessions; the page is named after the session's own file.
        let plain = |name: &OsStr| name.to_string_lossy().replace(|c: char| !c.is_ascii_alphanumeric(), "-");
        let name = plain(Path::new(href).file_stem().unwrap());
        let stem = |file: &PathBuf| plain(file.file_stem().unwrap_or_default());
        let own = files.clone().filter(|file| name.starts_with(&stem(file))).max_by_key(|file| stem(file).len());
        paths.insert(without_ending(href), own.or_else(|| files.next()).unwrap_or_default());
    }
    (export(form), paths)
}

fn index_of(documents: &Path) -> Vec<Value> {
    serde_json::from_slice(&fs::read(documents.join("index.json")).unwrap()).unwrap()
}

fn without_ending(href: &str) -> String {
    href.rsplit_once('.').map_or(href, |(name, _)| name).to_owned()
}

pub(super) fn html_index(stage: &Stage, _: &[Session], _: &[usize]) -> Answers {
    let (folder, paths) = exported(stage, "html");
    let index = fs::read_to_string(folder.join("index.html")).unwrap();
    let mut answers = Answers::new();
    for section in page::all_between(&index, "<section>", "</section>") {
        let project = page::text(page::between(section, "<h2>", "</h2>").unwrap_or_default());
        for row in page::rows(section) {
            let cell = |name: &str| page::cell(&row, name).unwrap_or_default();
            let title = cell("session");
            let href = page::attribute(title, "href").unwrap();
            let failed = page::between(title, "class=\"failed\">", " failed").unwrap_or("0");
            let facts = Facts::from([
                (
                    "title",
                    Said::words(page::text(
                        page::between(title, "<a ", "</a>").and_then(|a| a.split_once('>')).unwrap().1,
                    )),
                ),
                ("project", Said::words(&project)),
                ("last", page::between(cell("when"), "<time", "</time>").map_or(Said::Value(Value::Null), moment)),
                ("state", Said::words(page::text(cell("state")))),
                ("turns", Said::words(page::text(cell("turns")))),
                ("failed", Said::words(failed)),
                ("cost", Said::words(page::text(cell("cost")))),
                ("sure", Said::words(page::text(cell("cost")))),
            ]);
            answers.push((Name::Path(paths[&without_ending(&href)].clone()), facts));
        }
    }
    answers
}

pub(super) fn html_pages(stage: &Stage, _: &[Session], _: &[usize]) -> Answers {
    let (folder, paths) = exported(stage, "html");
    let page = |(name, path): (&String, &PathBuf)| {
        let page = fs::read_to_string(folder.join(format!("{name}.html"))).ok()?;
        Some((Name::Path(path.clone()), head_of_page(&page)?))
    };
    paths.par_iter().filter_map(page).collect()
}

pub(super) fn markdown_index(stage: &Stage, _: &[Session], _: &[usize]) -> Answers {
    let (folder, paths) = exported(stage, "md");
    let index = fs::read_to_string(folder.join("README.md")).unwrap();
    let row = Regex::new(r"^\| \[(.*)\]\((.*)\) \| (.*) \| (.*) \| (.*) \| (.*) \| (.*) \|$").unwrap();
    let rows = index.lines().filter_map(|line| row.captures(line));
    let plain = |text: &str| Said::words(unescaped(text));
    let facts = |row: regex::Captures<'_>| {
        let facts = Facts::from([
            ("title", plain(&row[1])),
            ("project", plain(&row[3])),
            ("state", plain(&row[4])),
            ("last", plain(&row[5])),
            ("turns", plain(&row[6])),
            ("cost", plain(&row[7])),
            ("sure", plain(&row[7])),
        ]);
        (Name::Path(paths[&without_ending(&row[2])].clone()), facts)
    };
    rows.map(facts).collect()
}

pub(super) fn json_index(stage: &Stage, _: &[Session], _: &[usize]) -> Answers {
    let (folder, paths) = exported(stage, "json");
    let pointers = [
        ("title", "/title"),
        ("project", "/project"),
        ("state", "/state"),
        ("last", "/last"),
        ("turns", "/turns"),
        ("failed", "/failed"),
    ];
    let answer = |listed: &Value| {
        let mut facts = facts(listed, &pointers);
        // Costs are formatted for people.
        let cost = Said::words(listed["cost"].as_str().unwrap_or_default());
        facts.extend([("cost", cost.clone()), ("sure", cost)]);
        (Name::Path(paths[&without_ending(listed["href"].as_str().unwrap())].clone()), facts)
    };
    index_of(&folder).iter().map(answer).collect()
}

pub(super) fn json_documents(stage: &Stage, _: &[Session], _: &[usize]) -> Answers {
    let (folder, paths) = exported(stage, "json");
    let document = |(name, path): (&String, &PathBuf)| {
        let bytes = fs::read(folder.join(format!("{name}.json"))).unwrap();
        (Name::Path(path.clone()), story(&serde_json::from_slice(&bytes).unwrap()))
    };
    paths.par_iter().map(document).collect()
}
