//! Figures, for people and programs: tools, projects, usage, archives, and the document that describes them.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::site::{Answer, Site, session};

/// Two sessions of two projects, with calls of every outcome.
fn with_calls() -> Site {
    let site = Site::new();
    let mut told = session("aaaa");
    told.prompt("make the uploader retry");
    for (number, millis) in [100, 200, 300, 400, 60_000].into_iter().enumerate() {
        let call = told.call("Bash", json!({"command": format!("make part{number}")}));
        told.wait(millis);
        told.result(&call, "done", json!({"stdout": "done", "stderr": "", "interrupted": false}));
    }
    for file in ["/w/shop/a.rs", "/w/shop/b.rs", "/w/shop/c.rs"] {
        let call = told.call("Edit", json!({"file_path": file, "old_string": "a", "new_string": "b"}));
        told.failure(
            &call,
            "<tool_use_error>File has not been read yet. Read it first before writing to it.</tool_use_error>",
        );
    }
    let call = told.call("BashOutput", json!({"bash_id": "b1"}));
    told.failure(&call, "No shell found with ID: b1");
    site.write("aaaa", &told);
    let mut other = session("bbbb").in_directory("/w/mail");
    other.prompt("fix the typo");
    let call = other.call("Edit", json!({"file_path": "/w/mail/x.txt", "old_string": "a", "new_string": "b"}));
    other.failure(
        &call,
        "<tool_use_error>File has not been read yet. Read it first before writing to it.</tool_use_error>",
    );
    site.write("bbbb", &other);
    // A file may be read while it is being written.
    site.get_until("/api/v1/tools", |answer| {
        let tools = answer.json();
        tool(&tools, "Edit")["calls"] == 4 && tool(&tools, "BashOutput")["calls"] == 1
    });
    site
}

fn tool<'t>(tools: &'t Value, name: &str) -> &'t Value {
    tools["tools"].as_array().unwrap().iter().find(|tool| tool["tool"] == name).unwrap_or(&Value::Null)
}

#[test]
fn tools_say_what_failed_and_how_long_they_took() {
    let site = with_calls();
    let tools = site.get("/api/v1/tools").json();
    assert_eq!(tools["sessions"], 2);
    let bash = tool(&tools, "Bash");
    assert_eq!((&bash["calls"], &bash["failed"], &bash["timed"]), (&json!(5), &json!(0), &json!(5)));
    assert_eq!((&bash["p50_ms"], &bash["p95_ms"]), (&json!(1_300), &json!(61_000)), "{bash}");
    let edit = tool(&tools, "Edit");
    assert_eq!((&edit["calls"], &edit["failed"]), (&json!(4), &json!(4)));
    // An expected failure does not count as one.
    let output = tool(&tools, "BashOutput");
    assert_eq!((&output["failed"], &output["failed_as_expected"]), (&json!(0), &json!(1)), "{tools}");
    let error = &tools["errors"][0];
    assert_eq!(error["text"], "File has not been read yet.");
    assert_eq!((&error["times"], &error["sessions"]), (&json!(4), &json!(2)));
    assert_eq!(tools["slowest"][0]["what"], "make part4");
    // Filtered by project, and by tool.
    let mail = site.get("/api/v1/tools?project=/w/mail").json();
    assert_eq!((mail["tools"].as_array().unwrap().len(), &mail["errors"][0]["times"]), (1, &json!(1)));
    let bash = site.get("/api/v1/tools?tool=Bash").json();
    assert_eq!((&bash["errors"], bash["slowest"].as_array().unwrap().len()), (&json!([]), 5));
    // By an earlier name of the tool, too.
    let output = site.get("/api/v1/tools?tool=BashOutputTool").json();
    let slowest = output["slowest"].as_array().unwrap();
    assert!(slowest.len() == 1 && slowest[0]["tool"] == "BashOutput", "{output}");
    let chosen = site.get("/tools?tool=BashOutputTool").text();
    assert!(chosen.contains("<tr data-chosen><th scope=\"row\"><a href=\"/tools?tool=BashOutput\">"), "{chosen}");
    let page = site.get("/tools").text();
    assert!(page.contains("File has not been read yet.") && page.contains("make part4"), "{page}");
    // The anchor of the slowest call is a step on its page.
    let address = tools["slowest"][0]["address"].as_str().unwrap();
    let (path, anchor) = address.split_once('#').unwrap();
    assert_eq!(site.get(&format!("{path}/place/{anchor}")).json()["anchor"], anchor);
}

#[test]
fn tools_follow_a_session_that_grows() {
    let site = Site::new();
    let mut told = session("aaaa");
    told.prompt("make the uploader retry");
    told.call("Bash", json!({"command": "make"}));
    site.write("aaaa", &told);
    site.get_until("/api/v1/tools", |answer| tool(&answer.json(), "Bash")["calls"] == 1);
    told.call("Bash", json!({"command": "make test"}));
    site.write("aaaa", &told);
    site.get_until("/api/v1/tools", |answer| tool(&answer.json(), "Bash")["calls"] == 2);
    std::fs::remove_file(site.file("aaaa")).unwrap();
    site.get_until("/api/v1/tools", |answer| answer.json()["tools"] == json!([]));
}

#[test]
fn projects_are_sums_of_their_sessions() {
    let site = with_calls();
    let projects = site.get("/api/v1/projects").json();
    let list = projects["projects"].as_array().unwrap();
    let shop = list.iter().find(|project| project["project"] == "/w/shop").unwrap();
    let sessions = site.get("/api/v1/sessions?project=/w/shop").json();
    assert_eq!(sessions["total"], 1);
    for field in ["turns", "calls", "failed", "tokens", "cost_usd"] {
        assert_eq!(shop[field], sessions["sessions"][0][field], "{field}");
    }
    let page = site.get("/projects").text();
    assert!(page.contains("/sessions?project=/w/mail"), "{page}");
    let page = site.get("/sessions?project=/w/mail").text();
    assert!(page.contains("fix the typo") && !page.contains("make the uploader"), "{page}");
}

#[test]
fn usage_adds_up_by_day_model_project_and_tool() {
    let site = with_calls();
    let usage = site.get("/api/v1/usage").json();
    let total = usage["totals"]["cost_usd"].as_f64().unwrap();
    assert!(total > 0.0);
    for list in ["days", "models", "projects", "tools"] {
        let sum: f64 = usage[list].as_array().unwrap().iter().map(|row| row["cost_usd"].as_f64().unwrap()).sum();
        assert!((sum - total).abs() < 1e-9, "{list}: {sum}, {total}");
    }
    let page = site.get("/usage?days=7").text();
    assert!(page.contains("<svg") && page.contains("/w/mail"), "{page}");
    assert_eq!(site.get("/usage?days=x").status, 400);
    // A number of days beyond the calendar's range means all.
    for page in ["/usage", "/projects", "/tools", "/api/v1/usage", "/api/v1/projects", "/api/v1/tools"] {
        assert_eq!(site.get(&format!("{page}?days={}", u32::MAX)).status, 200, "{page}");
    }
}

#[test]
fn an_archive_shows_its_contents() {
    let site = with_calls();
    assert!(site.get("/archive").text().contains("Nothing is archived yet"));
    assert_eq!(site.get("/api/v1/archive").json()["archives"], json!([]));
    let site = site.with_archive();
    let archive =
        site.get_until("/api/v1/archive", |answer| answer.json()["archives"][0]["held"]["session_count"] == 2).json();
    assert_eq!((&archive["archives"][0]["held"]["deleted"], &archive["only_archived"]), (&json!(0), &json!(0)));
    std::fs::remove_file(site.file("bbbb")).unwrap();
    let archive = site.get_until("/api/v1/archive", |answer| answer.json()["only_archived"] == 1).json();
    assert_eq!(archive["archives"][0]["held"]["deleted"], 1);
    let page = site.get("/archive").text();
    assert!(page.contains("fix the typo") && !page.contains("make the uploader"), "{page}");
    assert_eq!(site.get("/session/bbbb").status, 200, "it is read from the archive");
}

#[test]
fn the_api_returns_a_session_whole_or_in_part() {
    let site = with_calls();
    let mut told = session("cccc");
    for number in 1..=50 {
        told.prompt(&format!("question number {number}"));
        told.reply(&format!("answer number {number}"));
    }
    site.write("cccc", &told);
    let one = site.get_until("/api/v1/sessions/cccc", |answer| answer.status == 200).json();
    assert_eq!((&one["turns"], &one["turn_list"][49]["prompt"]), (&json!(50), &json!("question number 50")));
    let story = site.get("/api/v1/sessions/cccc/story").json();
    assert_eq!(story["threads"][0]["turns"].as_array().unwrap().len(), 50);
    let part = site.get("/api/v1/sessions/cccc/story?from=7&to=8&detail=talk");
    let turns = part.json()["threads"][0]["turns"].clone();
    assert_eq!(turns.as_array().unwrap().len(), 2);
    assert!(part.text().contains("answer number 8") && !part.text().contains("answer number 9"));
    assert_eq!(site.get("/api/v1/sessions/nobody/story").status, 404);
    assert_eq!(site.get("/api/v1/sessions/cccc/story?detail=loud").status, 400);
}

#[test]
fn the_document_describes_what_is_answered() {
    let site = with_calls().with_archive();
    site.get_until("/api/v1/archive", |answer| !answer.json()["archives"].as_array().unwrap().is_empty());
    site.get_until("/api/v1/board", |answer| answer.json()["sessions"].as_array().unwrap().len() == 2);
    let document = site.get("/api/v1/openapi.json").json();
    let paths = document["paths"].as_object().unwrap();
    assert_eq!(paths.len(), 9);
    for (path, operation) in paths {
        let place = path.replace("{id}", "aaaa");
        let operation = &operation["get"];
        let query = if path.ends_with("search") { "?q=uploader" } else { "" };
        let answer = site.get(&format!("{place}{query}"));
        let schema = &operation["responses"]["200"]["content"]["application/json"]["schema"];
        assert_eq!(faults(&answer.json(), schema, &document, path), Vec::<String>::new());
        for parameter in operation["parameters"].as_array().unwrap().iter().filter(|it| it["in"] == "query") {
            let name = parameter["name"].as_str().unwrap();
            let (good, bad) = match parameter["schema"]["type"].as_str().unwrap() {
                "integer" => ("1", Some("x")),
                "boolean" => ("true", Some("x")),
                _ if parameter["schema"]["enum"].is_array() => ("talk", Some("x")),
                _ if matches!(name, "since" | "until") => ("7d", Some("soon")),
                _ => ("a", None),
            };
            assert_eq!(site.get(&format!("{place}?{name}={good}")).status, 200, "{path} {name}");
            if let Some(bad) = bad {
                assert_eq!(site.get(&format!("{place}?{name}={bad}")).status, 400, "{path} {name}");
            }
        }
        if path.contains("{id}") {
            assert_eq!(site.get(&path.replace("{id}", "..%2F..%2Fetc%2Fpasswd")).status, 404);
        }
        assert_eq!(site.ask("GET", &place, &[("Host", &site.host())]).status, 401, "{path} without the token");
    }
}

/// The differences between a value and its schema: missing fields, unknown fields, and wrong types.
fn faults(value: &Value, schema: &Value, document: &Value, at: &str) -> Vec<String> {
    let mut known = BTreeSet::new();
    names(schema, document, &mut known);
    let is_map = schema["additionalProperties"].is_object() || known.is_empty();
    let unknown = value.as_object().into_iter().flatten().filter(|(name, _)| !is_map && !known.contains(name.as_str()));
    let mut faults: Vec<String> = unknown.map(|(name, _)| format!("{at}: nothing is said about {name}")).collect();
    faults.extend(shape(value, schema, document, at));
    faults
}

fn target<'d>(schema: &Value, document: &'d Value) -> Option<&'d Value> {
    let name = schema["$ref"].as_str()?.rsplit('/').next()?;
    Some(&document["components"]["schemas"][name])
}

/// The fields of a schema, including those of the schemas that it is composed of.
fn names<'d>(schema: &'d Value, document: &'d Value, known: &mut BTreeSet<&'d str>) {
    known.extend(schema["properties"].as_object().into_iter().flatten().map(|(name, _)| name.as_str()));
    let lists = ["allOf", "anyOf", "oneOf"].iter().flat_map(|list| schema[list].as_array().into_iter().flatten());
    for part in lists.chain(target(schema, document)) {
        names(part, document, known);
    }
}

fn shape(value: &Value, schema: &Value, document: &Value, at: &str) -> Vec<String> {
    let mut faults = Vec::new();
    let all = schema["allOf"].as_array().into_iter().flatten();
    for part in all.chain(target(schema, document)) {
        faults.extend(shape(value, part, document, at));
    }
    for choices in ["anyOf", "oneOf"].iter().filter_map(|list| schema[list].as_array()) {
        if !choices.iter().any(|choice| shape(value, choice, document, at).is_empty()) {
            faults.push(format!("{at}: none of several fits {value}"));
        }
    }
    let is_of = |kind: &Value| match kind.as_str().unwrap() {
        "null" => value.is_null(),
        "string" => value.is_string(),
        "boolean" => value.is_boolean(),
        "integer" => value.is_i64() || value.is_u64(),
        "number" => value.is_number(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        other => panic!("{other}"),
    };
    let is_good = match &schema["type"] {
        Value::Null => true,
        Value::Array(kinds) => kinds.iter().any(is_of),
        kind => is_of(kind),
    };
    let is_word = schema["enum"].as_array().is_none_or(|words| words.contains(value));
    if !is_good || !is_word || schema.get("const").is_some_and(|word| word != value) {
        faults.push(format!("{at}: {value} is not {schema}"));
    }
    if let Value::Object(fields) = value {
        let required = schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str);
        faults.extend(required.filter(|name| !fields.contains_key(*name)).map(|name| format!("{at}: no {name}")));
        for (name, of_field) in schema["properties"].as_object().into_iter().flatten() {
            let field = fields.get(name).into_iter();
            faults.extend(field.flat_map(|field| self::faults(field, of_field, document, &format!("{at}.{name}"))));
        }
    }
    for item in value.as_array().into_iter().flatten().filter(|_| schema["items"].is_object()) {
        faults.extend(self::faults(item, &schema["items"], document, &format!("{at}[]")));
    }
    faults
}

#[test]
fn the_board_shows_the_waiting_time() {
    let site = Site::new();
    let mut told = session("aaaa");
    told.prompt("make the uploader retry");
    let call = told.call(
        "AskUserQuestion",
        json!({"questions": [{"question": "How often?", "header": "Retries", "options": []}]}),
    );
    told.wait(20_000);
    told.result(
        &call,
        "User has answered your questions: \"How often?\"=\"twice\"",
        json!({"answers": {"How often?": "twice"}}),
    );
    told.reply("It does.");
    told.wait(10_000);
    told.prompt("thanks");
    told.call("Bash", json!({"command": "make"}));
    site.write("aaaa", &told);
    let is_there = |answer: &Answer| answer.json()["sessions"][0]["what"] == "Bash make";
    let board = site.get_until("/api/v1/board", is_there).json();
    let bars = board["sessions"][0]["bars"].as_array().unwrap();
    let kinds: Vec<&str> = bars.iter().map(|bar| bar["kind"].as_str().unwrap()).collect();
    assert_eq!(kinds, ["human", "waiting", "command"]);
    assert_eq!(bars[1]["to"].as_i64().unwrap() - bars[1]["from"].as_i64().unwrap(), 11_000);
    // The day may have just begun.
    let (waited, worked) =
        (board["today"]["waiting_ms"].as_u64().unwrap(), board["today"]["active_ms"].as_u64().unwrap());
    assert!(waited <= 32_000 && worked <= 10_000, "{board}");
    let hour = jiff::Timestamp::now().as_second() % 86_400;
    assert!(waited == 32_000 || hour < 120, "{waited}");
}

#[test]
fn sessions_are_sorted_filtered_and_paged() {
    let site = with_calls();
    let names = |query: &str| -> Vec<String> {
        let answer: Answer = site.get(&format!("/api/v1/sessions?{query}"));
        answer.json()["sessions"]
            .as_array()
            .unwrap()
            .iter()
            .map(|it| it["session"].as_str().unwrap().to_owned())
            .collect()
    };
    assert_eq!(names("sort=calls"), ["aaaa", "bbbb"]);
    assert_eq!(names("sort=calls&reverse=true"), ["bbbb", "aaaa"]);
    assert_eq!(names("q=TYPO"), ["bbbb"]);
    assert_eq!(names("page=2"), Vec::<String>::new());
    let part = site.get("/sessions?q=typo&part=true").text();
    assert!(part.contains("fix the typo") && !part.contains("<html"), "{part}");
}
