//! What calls of tools say, in every form of `recount show`: tasks, shells, files, chapters, Code Mode.

use serde_json::{Value, json};
use testkit::{Session, entry};

use crate::sandbox::{Sandbox, without_colours};

/// The session in one form: `terminal`, `md`, `html` or `json`.
fn shown(session: &Session, form: &str, detail: &str) -> String {
    let sandbox = Sandbox::new();
    sandbox.write("a.jsonl", session.jsonl());
    let output = sandbox.recount(&["show", "a.jsonl", "--format", form, "--detail", detail]).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).unwrap();
    match form {
        "terminal" => without_colours(&text),
        // The head repeats tasks in their final states, and the script is no content.
        "html" => text[text.find("<main").unwrap()..text.find("</main>").unwrap()].to_owned(),
        _ => text,
    }
}

/// The calls of a session as JSON.
fn calls(session: &Session) -> Vec<Value> {
    let document: Value = serde_json::from_str(&shown(session, "json", "full")).unwrap();
    let turns = document["threads"][0]["turns"].as_array().unwrap().iter();
    let steps = turns.flat_map(|turn| turn["steps"].as_array().unwrap());
    steps.filter(|step| step["kind"] == "call").cloned().collect()
}

/// Each form for people, at each level that shows calls.
const FORMS: [(&str, &str); 5] =
    [("terminal", "steps"), ("terminal", "full"), ("md", "steps"), ("md", "full"), ("html", "full")];

fn todos(items: &[(&str, &str, &str)]) -> Value {
    let item = |(content, active, status): &(&str, &str, &str)| json!({"content": content, "activeForm": active, "status": status});
    items.iter().map(item).collect()
}

/// Two lists: of the second, one item is done and reworded, one started, one new, and one gone.
fn lists() -> Session {
    let first = todos(&[
        ("Dig the north bed", "Digging the north bed", "in_progress"),
        ("Sow the beans", "Sowing the beans", "pending"),
        ("Water everything", "Watering everything", "pending"),
    ]);
    let second = todos(&[
        ("Dig the south bed", "Digging the south bed", "completed"),
        ("Sow the beans", "Sowing the beans", "in_progress"),
        ("Mow the lawn", "Mowing the lawn", "pending"),
    ]);
    let mut session = Session::new();
    session.prompt("look after the garden");
    let call = session.call("TodoWrite", json!({"todos": first}));
    session.result(&call, "Todos have been modified successfully.", json!({"oldTodos": [], "newTodos": first}));
    let call = session.call("TodoWrite", json!({"todos": second}));
    session.result(&call, "Todos have been modified successfully.", json!({"oldTodos": first, "newTodos": second}));
    session
}

fn tasks() -> Session {
    let mut session = Session::new();
    session.prompt("look after the garden");
    let input = json!({"subject": "Dig the beds", "description": "deep", "activeForm": "Digging the beds"});
    let call = session.call("TaskCreate", input);
    let created = json!({"task": {"id": "1", "subject": "Dig the beds"}});
    session.result(&call, "Task #1 created successfully: Dig the beds", created);
    let call = session.call("TaskUpdate", json!({"taskId": "1", "status": "in_progress"}));
    let change = json!({"from": "pending", "to": "in_progress"});
    let updated = json!({"success": true, "taskId": "1", "updatedFields": ["status"], "statusChange": change});
    session.result(&call, "Updated task #1 status", updated);
    session
}

#[test]
fn the_task_in_progress_is_marked_in_all_forms() {
    for (form, detail) in FORMS {
        let text = shown(&lists(), form, detail);
        for active in ["Digging the north bed", "Sowing the beans"] {
            assert!(text.contains(&format!("in progress: {active}")), "{form} {detail}: {active}\n{text}");
        }
        let text = shown(&tasks(), form, detail);
        assert!(text.contains("in progress: Digging the beds"), "{form} {detail}\n{text}");
    }
    let started = &calls(&lists())[1]["tasks"][1];
    assert_eq!((&started["after"], &started["active_form"]), (&json!("in_progress"), &json!("Sowing the beans")));
}

#[test]
fn changes_of_the_task_list_are_marked_in_all_forms() {
    for (form, detail) in FORMS {
        let text = shown(&lists(), form, detail);
        for news in ["done, reworded from “Dig the north bed”", "started", "new", "removed"] {
            let mark = if form == "html" { format!("<span class=\"badge\">{news}</span>") } else { news.to_owned() };
            assert_eq!(text.matches(&mark).count(), 1, "{form} {detail}: {news}\n{text}");
        }
    }
    let calls = calls(&lists());
    let events = |call: &Value| call["tasks"].as_array().unwrap().iter().map(|task| task["event"].clone()).collect();
    let first: Vec<Value> = events(&calls[0]);
    assert_eq!(first, ["new", "new", "new"]);
    let second: Vec<Value> = events(&calls[1]);
    assert_eq!(second, ["done", "started", "new", "removed"]);
    assert_eq!(calls[1]["tasks"][0]["reworded_from"], "Dig the north bed");
}

#[test]
fn a_call_prints_a_task_once_in_all_forms() {
    for (form, detail) in FORMS {
        let text = shown(&lists(), form, detail);
        for (task, times) in [("Mow the lawn", 1), ("Water everything", 2), ("Sow the beans", 2)] {
            assert_eq!(text.matches(task).count(), times, "{form} {detail}: {task}\n{text}");
        }
        // One call creates it, the other starts it.
        assert_eq!(shown(&tasks(), form, detail).matches("Dig the beds").count(), 2, "{form} {detail}");
    }
}

#[test]
fn an_update_names_its_task_in_all_forms() {
    let update = [
        ("terminal", "TaskUpdate #1 Dig the beds · pending → in progress"),
        ("md", "**TaskUpdate** \\#1 Dig the beds · pending → in progress"),
        ("html", "<span class=\"subject\">#1 Dig the beds</span>"),
    ];
    for (form, line) in update {
        let text = shown(&tasks(), form, "steps");
        assert!(text.contains(line), "{form}\n{text}");
    }
    assert_eq!(calls(&tasks())[1]["subject"], "#1 Dig the beds");
}

/// A shell in the background that is read, in both forms of its result, and stopped.
fn shells() -> Session {
    let mut session = Session::new();
    session.prompt("run it");
    let call = session.call("BashOutput", json!({"bash_id": "b1"}));
    let output = json!({"shellId": "b1", "command": "npm run dev", "status": "failed", "exitCode": 3, "stdout": "listening",
        "stderr": "address in use", "stdoutLines": 1, "stderrLines": 1, "timestamp": "2026-08-08T09:00:05.000Z"});
    session.result(&call, "<status>failed</status>", output);
    let call = session.call("BashOutput", json!({"bash_id": "b2"}));
    let text = "<status>completed</status>\n\n<exit_code>0</exit_code>\n\n<stdout>\nall good\n</stdout>\n\n<stderr>\nsome \
                noise\n</stderr>";
    session.result(&call, text, Value::Null);
    let call = session.call("KillShell", json!({"shell_id": "b1"}));
    let killed = json!({"success": true, "message": "Successfully killed shell: b1 (npm run dev)", "shell_id": "b1"});
    session.result(&call, "{}", killed);
    session
}

#[test]
fn state_and_streams_of_a_shell_are_apart_in_all_forms() {
    let text = shown(&shells(), "terminal", "full");
    for lines in [
        "status: failed\n    exit code: 3\n",
        "    listening\n    stderr:\n    ┃ address in use\n",
        "status: completed\n    exit code: 0\n",
        "    all good\n    stderr:\n    ┃ some noise\n",
        "KillShell b1 · stopped: npm run dev",
    ] {
        assert!(text.contains(lines), "{lines}\n{text}");
    }
    let text = shown(&shells(), "md", "full");
    for lines in ["- *exit code:* 3", "  ```\n  listening\n  ```\n\n  *stderr:*\n\n  ```\n  address in use\n  ```\n"] {
        assert!(text.contains(lines), "{lines}\n{text}");
    }
    let text = shown(&shells(), "html", "full");
    for part in [
        "<dt>status</dt><dd>failed</dd><dt>exit code</dt><dd>3</dd>",
        "<pre class=\"output\" tabindex=\"0\">listening</pre>",
        "<p class=\"label\">stderr</p><pre class=\"output stderr\" tabindex=\"0\">address in use</pre>",
    ] {
        assert!(text.contains(part), "{part}\n{text}");
    }
    let calls = calls(&shells());
    let streams = |status: &str, code: u8, stdout: &str, stderr: &str| json!({"status": status, "exit_code": code, "stdout": stdout, "stderr": stderr});
    assert_eq!(calls[0]["streams"], streams("failed", 3, "listening", "address in use"));
    assert_eq!(calls[1]["streams"], streams("completed", 0, "all good", "some noise"));
    assert_eq!(calls[2]["outcome"], "stopped: npm run dev");
}

#[test]
fn standard_error_looks_different_in_all_forms() {
    let mut session = Session::new();
    session.prompt("build");
    let call = session.call("Bash", json!({"command": "make"}));
    session.result(&call, "built", json!({"stdout": "built", "stderr": "old rule", "interrupted": false}));
    session.push(entry::bash_input("ls nope"));
    session.push(entry::bash_output("a.py", "no such file"));
    for (form, marks) in [
        ("terminal", ["    stderr:\n    ┃ old rule\n", "    stderr:\n    ┃ no such file\n"]),
        ("md", ["*stderr:*\n\n  ```\n  old rule\n", "*stderr:*\n\n```\nno such file\n"]),
        (
            "html",
            [
                "<pre class=\"output stderr\" tabindex=\"0\">old rule<",
                "<pre class=\"output stderr\" tabindex=\"0\">no such file<",
            ],
        ),
    ] {
        let text = shown(&session, form, "full");
        for mark in marks {
            assert!(text.contains(mark), "{form}: {mark}\n{text}");
        }
    }
    let output = without_colours(&shown(&session, "terminal", "steps"));
    assert!(output.contains("    a.py\n    stderr:\n    ┃ no such file\n"), "{output}");
}

#[test]
fn lines_that_were_read_have_their_numbers_in_all_forms() {
    let mut session = Session::new();
    session.prompt("read it");
    let call = session.call("Read", json!({"file_path": "/home/ana/a.py", "offset": 9, "limit": 3}));
    let file = json!({"filePath": "/home/ana/a.py", "content": "def a():\n\n    return 1\n", "numLines": 3, "startLine": 9,
        "totalLines": 40});
    session.result(&call, "", json!({"type": "text", "file": file}));
    let call = session.call("Read", json!({"file_path": "/home/ana/b.txt"}));
    session.result(&call, "     1→one\n     2→two\n", Value::Null);
    for (form, marks) in [
        ("terminal", ["     9 │ def a():\n    10 │ \n    11 │     return 1\n", "    1 │ one\n    2 │ two\n"]),
        ("md", ["   9 │ def a():\n  10 │ \n  11 │     return 1\n", "  1 │ one\n  2 │ two\n"]),
        ("html", ["data-line=\"9\"", "data-line=\"1\""]),
    ] {
        let text = shown(&session, form, "full");
        for mark in marks {
            assert!(text.contains(mark), "{form}: {mark}\n{text}");
        }
    }
}

#[test]
fn chapters_are_headings_in_all_forms_and_in_the_outline() {
    let mut session = Session::new();
    session.prompt("look after the garden");
    let call =
        session.call("mcp__ccd_session__mark_chapter", json!({"title": "Sowing the beans", "summary": "in rows"}));
    session.result(&call, "ok", Value::Null);
    session.reply("Sown.");
    for detail in ["talk", "steps", "full"] {
        let text = shown(&session, "terminal", detail);
        assert!(text.contains("\n── Sowing the beans ──"), "{detail}\n{text}");
        assert!(shown(&session, "md", detail).contains("\n### Sowing the beans\n"), "{detail}");
    }
    assert!(!shown(&session, "terminal", "prompts").contains("Sowing"));
    let text = shown(&session, "html", "steps");
    assert!(text.contains("data-level=\"1\" data-kind=\"chapter\"><h3>Sowing the beans</h3>"), "{text}");
    assert_eq!(calls(&session)[0]["chapter"], "Sowing the beans");

    let sandbox = Sandbox::new();
    sandbox.write("a.jsonl", session.jsonl());
    let page = sandbox.recount(&["show", "a.jsonl", "--format", "html"]).output().unwrap();
    let page = String::from_utf8(page.stdout).unwrap();
    let outline = &page[page.find("<nav class=\"rail\"").unwrap()..page.find("</nav>").unwrap()];
    assert!(outline.contains("<li class=\"landmark\" data-kind=\"chapter\">"), "{outline}");
    assert!(outline.contains(">Sowing the beans</a>"), "{outline}");
}

#[test]
fn code_mode_is_javascript_and_a_shell() {
    let mut session = Session::new();
    session.prompt("list");
    for name in ["REPL", "Eval"] {
        let call = session.call(name, json!({"code": "const r = await Bash({command: \"ls\"});\nreturn r.stdout"}));
        session.failure(&call, "Error: Exit code 3\nno such folder");
    }
    let text = shown(&session, "terminal", "steps");
    assert_eq!(text.matches("exit 3: no such folder").count(), 2, "{text}");
    assert_eq!(shown(&session, "md", "full").matches("```javascript\n").count(), 2);
    let text = shown(&session, "html", "full");
    assert_eq!(text.matches("data-family=\"shell\"").count(), 2, "{text}");
    assert_eq!(text.matches("data-language=\"javascript\"").count(), 2, "{text}");
    for call in calls(&session) {
        assert_eq!(
            call["streams"],
            json!({"status": null, "exit_code": 3, "stdout": "no such folder", "stderr": null})
        );
    }
}

#[test]
fn goals_and_selected_lines_are_shown() {
    let mut session = Session::new();
    session.prompt("go on");
    for name in ["SetGoal", "ProposeGoal"] {
        let call = session.call(name, json!({"condition": "all tests pass", "ask_user": true}));
        session.result(&call, "ok", json!({"condition": "all tests pass", "askUser": true}));
    }
    let lines = json!({"ideName": "VS Code", "lineStart": 3, "lineEnd": 5, "filename": "/home/ana/a.py", "content": "one\ntwo",
        "displayPath": "a.py"});
    session.push(entry::attachment("selected_lines_in_ide", lines));
    let text = shown(&session, "terminal", "full");
    for line in
        ["SetGoal all tests pass", "ProposeGoal all tests pass", "editor: a.py · lines 3–5", "    one\n    two\n"]
    {
        assert!(text.contains(line), "{line}\n{text}");
    }
    for form in ["md", "html"] {
        let text = shown(&session, form, "full");
        assert_eq!(text.matches("all tests pass").count(), 2, "{form}\n{text}");
        assert!(text.contains("a.py · lines 3–5"), "{form}\n{text}");
    }
}

#[test]
fn changes_of_the_input_by_the_api_are_told_once() {
    let dropped =
        json!({"type": "thinking_dropped", "path": "messages.2.content.0", "reason": "model_binding_mismatch"});
    let mut session = Session::new();
    session.prompt("go on");
    let mut parent = session.leaf().unwrap().to_owned();
    for (uuid, text) in [("m1", "First words."), ("m2", "Other words.")] {
        let message = json!({"id": "msg_1", "type": "message", "role": "assistant", "model": "claude-opus-5-5",
            "content": [{"type": "text", "text": text}], "container": null, "input_transformations": [dropped, dropped]});
        let line = json!({"type": "assistant", "uuid": uuid, "parentUuid": parent, "timestamp": "2026-08-08T09:20:00.000Z",
            "sessionId": session.id(), "version": "2.1.326", "message": message});
        session.push_raw(line.to_string());
        parent = uuid.to_owned();
    }
    let words = "2 changes of the input by the API: thinking dropped: model binding mismatch";
    for form in ["terminal", "md", "html"] {
        let text = shown(&session, form, "full");
        assert_eq!(text.matches(words).count(), 1, "{form}\n{text}");
        assert_eq!(text.matches("First words.").count(), 1, "{form}\n{text}");
    }
    assert!(!shown(&session, "terminal", "steps").contains("by the API"));
}

#[test]
fn names_in_the_wrong_case_and_stray_inputs_are_read() {
    let mut session = Session::new();
    session.prompt("look");
    let call = session.call("bash", json!({"command": "ls -la", "tabId": "7"}));
    session.result(&call, "x", json!({"stdout": "x", "stderr": "", "interrupted": false, "isImage": false}));
    let call = session.call("READ", json!({"file_path": "/home/ana/a.py", "relative_path": "a.py"}));
    let file =
        json!({"filePath": "/home/ana/a.py", "content": "x = 1", "numLines": 1, "startLine": 1, "totalLines": 1});
    session.result(&call, "1→x = 1", json!({"type": "text", "file": file}));
    let call = session.call("exitplanmode", json!({"plan": "# Plan", "parameter": "x", "summary": "Dig"}));
    session.result(&call, "User has approved your plan", json!({"plan": "# Plan", "isAgent": false}));
    let text = shown(&session, "html", "full");
    for family in ["shell", "read", "plan"] {
        assert!(text.contains(&format!("data-family=\"{family}\"")), "{family}\n{text}");
    }
    let sandbox = Sandbox::new();
    sandbox.write("a.jsonl", session.jsonl());
    let checked = sandbox.shown(&sandbox.recount(&["check", "--strict", "a.jsonl"]).output().unwrap());
    assert!(checked.starts_with("exit 0\n") && checked.contains("Everything is read and understood."), "{checked}");
}
