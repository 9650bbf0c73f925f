//! Sessions and projects have the same identity in every list, despite several homes, worktrees and lost files.

use std::fs;

use serde_json::{Value, json};

use crate::sandbox::Sandbox;

const ID: &str = "4c1e0f3a-0000-4000-8000-00000000beef";

/// A session with one answer.
fn transcript(id: &str, folder: &str, words: &str) -> String {
    format!(
        r#"{{"type":"user","uuid":"u-{words}","sessionId":"{id}","cwd":"{folder}","timestamp":"2026-03-01T12:00:00Z","message":{{"role":"user","content":"{words}"}}}}
{{"type":"assistant","uuid":"a-{words}","parentUuid":"u-{words}","sessionId":"{id}","cwd":"{folder}","timestamp":"2026-03-01T12:01:00Z","message":{{"id":"m-{words}","role":"assistant","model":"claude-opus-5","content":[{{"type":"text","text":"It is {words}."}}],"usage":{{"input_tokens":10,"output_tokens":20}}}}}}
"#
    )
}

/// The file of a subagent.
fn agent(agent: &str) -> String {
    let lines = transcript(ID, "/w/shop", agent);
    lines.replace(r#""uuid""#, &format!(r#""isSidechain":true,"agentId":"{agent}","uuid""#))
}

fn json_of(sandbox: &Sandbox, arguments: &[&str]) -> Value {
    let output = sandbox.recount(arguments).output().unwrap();
    serde_json::from_slice(&output.stdout).map_err(|error| format!("{error}: {}", sandbox.shown(&output))).unwrap()
}

fn text_of(sandbox: &Sandbox, arguments: &[&str]) -> String {
    sandbox.shown(&sandbox.recount(arguments).env("COLUMNS", "120").output().unwrap())
}

fn fields<'v>(list: &'v Value, field: &str) -> Vec<&'v Value> {
    list.as_array().unwrap().iter().map(|item| &item[field]).collect()
}

#[test]
fn two_homes_with_the_same_session_id_are_two_sessions() {
    let sandbox = Sandbox::new();
    for (home, words) in [("one", "roses"), ("two", "walls")] {
        sandbox.write(&format!("{home}/projects/-w-shop/{ID}.jsonl"), transcript(ID, "/w/shop", words));
    }
    let homes = [sandbox.path("one"), sandbox.path("two")].map(|home| home.to_str().unwrap().to_owned());
    let roots = ["--root", &homes[0], "--root", &homes[1]];
    let sessions = json_of(&sandbox, &[&["ls", "--json"], &roots[..]].concat());
    let names = fields(&sessions["sessions"], "session");
    assert_eq!(names.len(), 2);
    let mut shown: Vec<String> = names
        .iter()
        .map(|name| {
            assert!(name.as_str().unwrap().starts_with(&format!("{ID}~")), "{name}");
            text_of(&sandbox, &[&["show", name.as_str().unwrap()], &roots[..]].concat())
        })
        .map(|text| ["roses", "walls"].into_iter().filter(|words| text.contains(&format!("It is {words}."))).collect())
        .collect();
    shown.sort();
    assert_eq!(shown, ["roses", "walls"]);
    // Their names are the same without the index.
    let usage = json_of(&sandbox, &[&["usage", "session", "--json"], &roots[..]].concat());
    let mut used = fields(&usage["rows"], "session");
    let mut names = names;
    used.sort_by_key(|name| name.as_str());
    names.sort_by_key(|name| name.as_str());
    assert_eq!(used, names);
}

#[test]
fn worktrees_of_a_repository_are_one_project() {
    let sandbox = Sandbox::new();
    // The files that git keeps for a repository and for a worktree beside it.
    sandbox.write("w/shop/.git/HEAD", "ref: refs/heads/main\n");
    sandbox.write("w/shop/.git/worktrees/till/commondir", "../..\n");
    sandbox.write("w/shop-till/.git", format!("gitdir: {}\n", sandbox.path("w/shop/.git/worktrees/till").display()));
    fs::create_dir_all(sandbox.path("w/shop/src")).unwrap();
    sandbox.write("w/other/notes", "");
    let real = fs::canonicalize(sandbox.path("w")).unwrap();
    let folder = |name: &str| real.join(name).to_str().unwrap().to_owned();
    // The last worktree is gone, and recognized by its path.
    let folders = ["shop", "shop-till", "shop/src", "shop/.claude/worktrees/gone"].map(folder);
    for (number, folder) in folders.iter().chain([&folder("other")]).enumerate() {
        let id = format!("4c1e0f3a-0000-4000-8000-00000000000{number}");
        let text = transcript(&id, folder, &format!("words-{number}"));
        sandbox.write(&format!("home/.claude/projects/-p{number}/{id}.jsonl"), text);
    }
    let home = sandbox.path("home/.claude").to_str().unwrap().to_owned();
    let roots = ["--root", home.as_str()];

    let list = |arguments: &[&str]| json_of(&sandbox, &[&["ls", "--json"], arguments, &roots[..]].concat());
    let sessions = list(&[]);
    let of_shop = |values: Vec<&Value>| values.into_iter().filter(|value| **value == json!(folder("shop"))).count();
    assert_eq!(of_shop(fields(&sessions["sessions"], "project")), 4);
    let mut ran_in = fields(&sessions["sessions"], "folder");
    ran_in.retain(|ran_in| **ran_in != json!(folder("other")));
    assert_eq!(ran_in.len(), 4);
    assert!(ran_in.iter().all(|ran_in| folders.iter().any(|folder| **ran_in == json!(folder))));

    let projects = json_of(&sandbox, &[&["projects", "--json"], &roots[..]].concat());
    let mut counted: Vec<_> =
        projects["projects"].as_array().unwrap().iter().map(|it| (&it["project"], &it["sessions"])).collect();
    counted.sort_by_key(|(project, _)| project.as_str());
    assert_eq!(counted, [(&json!(folder("other")), &json!(1)), (&json!(folder("shop")), &json!(4))]);

    let usage = json_of(&sandbox, &[&["usage", "project", "--json"], &roots[..]].concat());
    let mut used = fields(&usage["rows"], "project");
    used.sort_by_key(|project| project.as_str());
    assert_eq!(used, [&json!(folder("other")), &json!(folder("shop"))]);

    for folder in &folders[..3] {
        assert_eq!(list(&["--project", folder])["sessions"].as_array().unwrap().len(), 4, "{folder}");
        let usage = json_of(&sandbox, &[&["usage", "session", "--json", "--project", folder], &roots[..]].concat());
        assert_eq!(usage["rows"].as_array().unwrap().len(), 4, "{folder}");
    }

    let site = sandbox.path("site").to_str().unwrap().to_owned();
    text_of(&sandbox, &[&["export", "json", &site], &roots[..]].concat());
    let index: Value = serde_json::from_slice(&fs::read(sandbox.path("site/index.json")).unwrap()).unwrap();
    assert_eq!(of_shop(fields(&index, "project")), 4);
}

#[test]
fn a_session_of_which_only_subagents_are_left_is_listed_once_and_marked() {
    let sandbox = Sandbox::new();
    for name in ["a1", "a2"] {
        sandbox.write(&format!("home/projects/-w-shop/{ID}/subagents/agent-{name}.jsonl"), agent(name));
    }
    let home = sandbox.path("home").to_str().unwrap().to_owned();
    let roots = ["--root", home.as_str()];
    let sessions = json_of(&sandbox, &[&["ls", "--json"], &roots[..]].concat());
    let session = &sessions["sessions"][0];
    assert_eq!((&sessions["total"], &session["session"]), (&json!(1), &json!(ID)));
    assert_eq!((&session["only_left"], &session["agents"]), (&json!("subagents"), &json!(2)));
    let text = text_of(&sandbox, &[&["ls"], &roots[..]].concat());
    assert_eq!(text.matches("4c1e0f3a").count(), 1, "{text}");
    assert!(text.contains("only subagents"), "{text}");

    for arguments in [&["show", "4c1e0f3a"][..], &["show", ID, "--format", "md"], &["show", "last", "--format", "html"]]
    {
        let shown = text_of(&sandbox, &[arguments, &roots[..]].concat());
        for words in ["only subagents are left", "It is a1.", "It is a2."] {
            assert!(shown.contains(words), "{arguments:?} {words}: {shown}");
        }
    }
    let shown = json_of(&sandbox, &[&["show", ID, "--format", "json"], &roots[..]].concat());
    assert_eq!(shown["session"]["only_left"], "subagents");
    assert_eq!(shown["threads"].as_array().unwrap().len(), 2);

    // With its own file, it is an ordinary session.
    sandbox.write(&format!("home/projects/-w-shop/{ID}.jsonl"), transcript(ID, "/w/shop", "roses"));
    let sessions = json_of(&sandbox, &[&["ls", "--json"], &roots[..]].concat());
    assert_eq!(fields(&sessions["sessions"], "only_left"), [&json!(null)]);
}
