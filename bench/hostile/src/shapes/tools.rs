//! Calls of tools: many edits of a file, long inputs and results, lists.

use serde_json::{Map, Value, json};

use super::Shape;
use crate::writer::{Writer, message, pieces};

pub(crate) const SHAPES: &[Shape] = &[
    Shape { name: "edits-of-one-file", base: 500, write: |w, n| (0..n).for_each(|k| edit(w, "/w/a.py", k)) },
    Shape {
        name: "edits-without-patches",
        base: 1000,
        write: |w, n| {
            (0..n).for_each(|k| w.call("Edit", &json!({"file_path": "/w/a.py", "old_string": format!("x{k}"), "new_string": format!("x{}", k + 1)}), "ok", &Value::Null))
        },
    },
    Shape {
        name: "edits-of-many-files",
        base: 500,
        write: |w, n| (0..n).for_each(|k| edit(w, &format!("/w/{k}.py"), k)),
    },
    Shape {
        name: "edits-far-apart",
        base: 500,
        write: |w, n| {
            (0..n).for_each(|k| { let patch = json!([{"oldStart": 10 * k + 1, "oldLines": 1, "newStart": 10 * k + 1, "newLines": 1, "lines": [format!("-a{k}"), format!("+b{k}")]}]); w.call("Edit", &json!({"file_path": "/w/a.py", "old_string": format!("a{k}"), "new_string": format!("b{k}")}), "ok", &json!({"filePath": "/w/a.py", "oldString": format!("a{k}"), "newString": format!("b{k}"), "structuredPatch": patch})); })
        },
    },
    Shape {
        name: "edits-backwards",
        base: 500,
        write: |w, n| {
            (0..n).rev().for_each(|k| { let patch = json!([{"oldStart": 10 * k + 1, "oldLines": 1, "newStart": 10 * k + 1, "newLines": 2, "lines": [format!("-a{k}"), format!("+b{k}"), "+c"]}]); w.call("Edit", &json!({"file_path": "/w/a.py", "old_string": format!("a{k}"), "new_string": format!("b{k}\nc")}), "ok", &json!({"filePath": "/w/a.py", "structuredPatch": patch})); })
        },
    },
    Shape {
        name: "edits-of-a-read-file",
        base: 200,
        write: |w, n| {
            let text = pieces(n * 4, |k| format!("line {k}\n"));
            read(w, "/w/a.py", &text);
            (0..n).for_each(|k| w.call("Edit", &json!({"file_path": "/w/a.py", "old_string": format!("line {k}\n"), "new_string": format!("line {k}!\n")}), "ok", &Value::Null));
        },
    },
    Shape {
        name: "edits-that-grow-a-file",
        base: 500,
        write: |w, n| {
            w.call(
                "Write",
                &json!({"file_path": "/w/a.py", "content": "a\nend\n"}),
                "ok",
                &json!({"type": "create", "filePath": "/w/a.py", "content": "a\nend\n", "structuredPatch": []}),
            );
            (0..n).for_each(|k| {
                w.call(
                    "Edit",
                    &json!({"file_path": "/w/a.py", "old_string": "end\n", "new_string": format!("b{k}\nend\n")}),
                    "ok",
                    &Value::Null,
                )
            });
        },
    },
    Shape {
        name: "multi-edits",
        base: 1000,
        write: |w, n| {
            let edits: Value =
                (0..n).map(|k| json!({"old_string": format!("a{k}"), "new_string": format!("b{k}")})).collect();
            w.call("MultiEdit", &json!({"file_path": "/w/a.py", "edits": edits}), "ok", &Value::Null);
        },
    },
    Shape {
        name: "hunks-of-one-patch",
        base: 1000,
        write: |w, n| {
            let hunks: Value = (0..n).map(|k| json!({"oldStart": 10 * k + 1, "oldLines": 1, "newStart": 10 * k + 1, "newLines": 1, "lines": ["-a", "+b"]})).collect();
            w.call(
                "Edit",
                &json!({"file_path": "/w/a.py", "old_string": "a", "new_string": "b", "replace_all": true}),
                "ok",
                &json!({"filePath": "/w/a.py", "structuredPatch": hunks}),
            );
        },
    },
    Shape {
        name: "lines-of-one-hunk",
        base: 3000,
        write: |w, n| {
            let lines: Value = (0..n).map(|k| if k % 2 == 0 { format!("-a{k}") } else { format!("+b{k}") }).collect();
            w.call("Edit", &json!({"file_path": "/w/a.py", "old_string": "a", "new_string": "b"}), "ok", &json!({"filePath": "/w/a.py", "structuredPatch": [{"oldStart": 1, "oldLines": n / 2, "newStart": 1, "newLines": n / 2, "lines": lines}]}));
        },
    },
    Shape {
        name: "versions-of-a-file",
        base: 300,
        write: |w, n| {
            (0..n).for_each(|k| {
                let text = format!("version {k}\nsame\n");
                w.call(
                    "Write",
                    &json!({"file_path": "/w/a.py", "content": text}),
                    "ok",
                    &json!({"type": "update", "filePath": "/w/a.py", "content": text, "structuredPatch": []}),
                );
            })
        },
    },
    Shape {
        name: "reads-of-one-file",
        base: 500,
        write: |w, n| (0..n).for_each(|_| read(w, "/w/a.py", "line\nline\n")),
    },
    Shape { name: "a-long-read", base: 5000, write: |w, n| read(w, "/w/a.py", &"x = 1\n".repeat(n)) },
    Shape {
        name: "found-files",
        base: 3000,
        write: |w, n| {
            let names: Vec<String> = (0..n).map(|k| format!("src/file{k}.rs")).collect();
            w.call(
                "Glob",
                &json!({"pattern": "**/*.rs"}),
                &names.join("\n"),
                &json!({"filenames": names, "numFiles": n, "truncated": false, "durationMs": 1}),
            );
        },
    },
    Shape {
        name: "found-lines",
        base: 3000,
        write: |w, n| {
            let text = pieces(n, |k| format!("src/file{k}.rs:{k}:let x = 1;\n"));
            w.call(
                "Grep",
                &json!({"pattern": "x", "output_mode": "content"}),
                &text,
                &json!({"mode": "content", "content": text, "numFiles": n, "filenames": []}),
            );
        },
    },
    Shape {
        name: "found-pages",
        base: 1000,
        write: |w, n| {
            let links: Value = (0..n)
                .map(|k| json!({"title": format!("Page {k}"), "url": format!("https://example.com/{k}")}))
                .collect();
            w.call(
                "WebSearch",
                &json!({"query": "x"}),
                "ok",
                &json!({"query": "x", "results": [{"tool_use_id": "s1", "content": links}], "durationSeconds": 1.0}),
            );
        },
    },
    Shape {
        name: "wide-input",
        base: 3000,
        write: |w, n| {
            let input: Map<String, Value> = (0..n).map(|k| (format!("key{k}"), k.into())).collect();
            w.call("mcp__dig__bed", &input.into(), "ok", &Value::Null);
        },
    },
    Shape {
        name: "long-list-input",
        base: 5000,
        write: |w, n| w.call("mcp__dig__bed", &json!({"beds": (0..n).collect::<Vec<_>>()}), "ok", &Value::Null),
    },
    Shape {
        name: "objects-in-input",
        base: 2000,
        write: |w, n| {
            w.call(
                "mcp__dig__bed",
                &json!({"beds": (0..n).map(|k| json!({"id": k, "name": "x"})).collect::<Vec<_>>()}),
                "ok",
                &Value::Null,
            )
        },
    },
    Shape {
        name: "deep-input",
        base: 100,
        write: |w, n| {
            (0..n).for_each(|_| {
                let deep = (0..100).fold(json!(1), |inner, _| json!({ "a": inner }));
                w.call("mcp__dig__bed", &deep, "ok", &Value::Null);
            })
        },
    },
    Shape {
        name: "wide-result",
        base: 3000,
        write: |w, n| {
            let result: Map<String, Value> = (0..n).map(|k| (format!("key{k}"), k.into())).collect();
            w.call("Bash", &json!({"command": "ls"}), "ok", &result.into());
        },
    },
    Shape {
        name: "blocks-of-a-result",
        base: 2000,
        write: |w, n| {
            w.assistant(&json!([{"type": "tool_use", "id": "b0", "name": "mcp__dig__bed", "input": {}}]));
            let blocks: Value = (0..n).map(|k| json!({"type": "text", "text": format!("part {k}")})).collect();
            w.push("user", &json!({"message": {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "b0", "content": blocks}]}}));
        },
    },
    Shape {
        name: "questions",
        base: 500,
        write: |w, n| {
            let questions: Value = (0..n).map(|k| json!({"question": format!("Bed {k}?"), "header": "Bed", "multiSelect": false, "options": [{"label": "A", "description": "a"}, {"label": "B", "description": "b"}]})).collect();
            let answers: Map<String, Value> = (0..n).map(|k| (format!("Bed {k}?"), "A".into())).collect();
            w.call(
                "AskUserQuestion",
                &json!({ "questions": questions }),
                "User has answered your questions",
                &json!({"questions": questions, "answers": answers}),
            );
        },
    },
    Shape {
        name: "options-of-a-question",
        base: 1000,
        write: |w, n| {
            let options: Value = (0..n).map(|k| json!({"label": format!("A{k}"), "description": "a"})).collect();
            w.call(
                "AskUserQuestion",
                &json!({"questions": [{"question": "Bed?", "header": "Bed", "multiSelect": true, "options": options}]}),
                "ok",
                &json!({"answers": {"Bed?": pieces(n, |k| format!("A{k}, "))}}),
            );
        },
    },
    Shape {
        name: "todos",
        base: 1000,
        write: |w, n| {
            let todos = |state: &str| {
                (0..n)
                    .map(|k| json!({"content": format!("dig {k}"), "status": state, "activeForm": "digging"}))
                    .collect::<Value>()
            };
            w.call(
                "TodoWrite",
                &json!({"todos": todos("pending")}),
                "ok",
                &json!({"oldTodos": [], "newTodos": todos("pending")}),
            );
            w.call(
                "TodoWrite",
                &json!({"todos": todos("completed")}),
                "ok",
                &json!({"oldTodos": todos("pending"), "newTodos": todos("completed")}),
            );
        },
    },
    Shape {
        name: "todo-lists",
        base: 500,
        write: |w, n| {
            (0..n).for_each(|k| w.call("TodoWrite", &json!({"todos": [{"content": format!("dig {k}"), "status": "pending", "activeForm": "digging"}, {"content": "plant", "status": "pending", "activeForm": "planting"}]}), "ok", &Value::Null))
        },
    },
    Shape {
        name: "tasks-created",
        base: 1000,
        write: |w, n| {
            (0..n).for_each(|k| {
                w.call(
                    "TaskCreate",
                    &json!({"subject": format!("dig {k}"), "description": "x"}),
                    &format!("Task #{k} created successfully: dig {k}"),
                    &json!({"task": {"id": k.to_string(), "subject": format!("dig {k}")}}),
                )
            })
        },
    },
    Shape {
        name: "tasks-updated",
        base: 500,
        write: |w, n| {
            (0..n).for_each(|k| {
                w.call(
                    "TaskCreate",
                    &json!({"subject": format!("dig {k}"), "description": "x"}),
                    &format!("Task #{k} created successfully: dig {k}"),
                    &json!({"task": {"id": k.to_string(), "subject": format!("dig {k}")}}),
                )
            });
            (0..n).for_each(|k| w.call("TaskUpdate", &json!({"taskId": k.to_string(), "status": "completed"}), "Updated task", &json!({"success": true, "taskId": k.to_string(), "updatedFields": ["status"], "statusChange": {"from": "pending", "to": "completed"}})));
        },
    },
    Shape {
        name: "one-task-updated",
        base: 1000,
        write: |w, n| {
            w.call(
                "TaskCreate",
                &json!({"subject": "dig", "description": "x"}),
                "Task #1 created successfully: dig",
                &json!({"task": {"id": "1", "subject": "dig"}}),
            );
            (0..n).for_each(|k| {
                w.call(
                    "TaskUpdate",
                    &json!({"taskId": "1", "status": if k % 2 == 0 { "completed" } else { "pending" }}),
                    "Updated task",
                    &json!({"success": true, "taskId": "1", "updatedFields": ["status"]}),
                )
            });
        },
    },
    Shape {
        name: "background-tasks",
        base: 500,
        write: |w, n| {
            (0..n).for_each(|k| {
                w.call(
                    "Bash",
                    &json!({"command": "make", "run_in_background": true}),
                    &format!("Command running in background with ID: b{k}"),
                    &json!({"stdout": "", "stderr": "", "interrupted": false, "backgroundTaskId": format!("b{k}")}),
                )
            });
            (0..n).for_each(|k| w.prompt(&format!("<task-notification><task-id>b{k}</task-id><status>completed</status><summary>done</summary></task-notification>")));
        },
    },
    Shape {
        name: "outputs-of-one-task",
        base: 500,
        write: |w, n| {
            (0..n).for_each(|_| w.call("TaskOutput", &json!({"task_id": "b1"}), "still running", &json!({"retrieval_status": "success", "task": {"task_id": "b1", "task_type": "local_bash", "status": "running", "description": "make", "output": "x"}})))
        },
    },
    Shape {
        name: "failures",
        base: 1000,
        write: |w, n| {
            (0..n).for_each(|k| { w.assistant(&json!([{"type": "tool_use", "id": format!("e{k}"), "name": "Bash", "input": {"command": "false"}}])); w.push("user", &json!({"toolUseResult": "Error: Exit code 1", "message": {"role": "user", "content": [{"type": "tool_result", "tool_use_id": format!("e{k}"), "is_error": true, "content": "Exit code 1"}]}})); })
        },
    },
    Shape {
        name: "long-command",
        base: 20_000,
        write: |w, n| w.call("Bash", &json!({"command": "echo a && ".repeat(n)}), "ok", &Value::Null),
    },
    Shape {
        name: "command-of-pipes",
        base: 20_000,
        write: |w, n| w.call("Bash", &json!({"command": "a | ".repeat(n)}), "ok", &Value::Null),
    },
    Shape {
        name: "command-of-heredocs",
        base: 10_000,
        write: |w, n| w.call("Bash", &json!({"command": "cat <<A\n".repeat(n)}), "ok", &Value::Null),
    },
    Shape {
        name: "command-of-quotes",
        base: 20_000,
        write: |w, n| w.call("Bash", &json!({"command": "echo '\" ".repeat(n)}), "ok", &Value::Null),
    },
    Shape {
        name: "images",
        base: 1000,
        write: |w, n| {
            let image = json!({"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "iVBORw0KGgo="}});
            let content: Value = (0..n).map(|_| image.clone()).collect();
            w.push("user", &json!({"message": {"role": "user", "content": content}}));
        },
    },
    Shape {
        name: "a-long-image",
        base: 200_000,
        write: |w, n| {
            w.push("user", &json!({"message": {"role": "user", "content": [{"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "QUJD".repeat(n / 4)}}]}}))
        },
    },
    Shape {
        name: "a-plan",
        base: 3000,
        write: |w, n| {
            w.call(
                "ExitPlanMode",
                &json!({"plan": "1. dig\n".repeat(n)}),
                "User has approved your plan",
                &json!({"plan": "1. dig\n".repeat(n), "isAgent": false}),
            )
        },
    },
    Shape {
        name: "served-searches",
        base: 1000,
        write: |w, n| {
            let content: Value = (0..n).flat_map(|k| [json!({"type": "server_tool_use", "id": format!("s{k}"), "name": "web_search", "input": {"query": "x"}}), json!({"type": "web_search_tool_result", "tool_use_id": format!("s{k}"), "content": [{"type": "web_search_result", "title": "x", "url": "https://example.com"}]})]).collect();
            let m = message(0, &content);
            w.push("assistant", &json!({ "message": m }));
        },
    },
    Shape {
        name: "a-long-thought",
        base: 20_000,
        write: |w, n| w.assistant(&json!([{"type": "thinking", "thinking": "hm. ".repeat(n), "signature": "EqQB"}])),
    },
    Shape {
        name: "skills",
        base: 500,
        write: |w, n| {
            (0..n).for_each(|k| {
                w.call(
                    "Skill",
                    &json!({"skill": format!("s{k}")}),
                    "Launching skill",
                    &json!({"success": true, "commandName": format!("s{k}")}),
                )
            })
        },
    },
];

fn edit(w: &mut Writer, path: &str, k: usize) {
    let (old, new) = (format!("x = {k}"), format!("x = {}", k + 1));
    let hunks = json!([{"oldStart": 1, "oldLines": 1, "newStart": 1, "newLines": 1, "lines": [format!("-{old}"), format!("+{new}")]}]);
    let structured = json!({"filePath": path, "oldString": old, "newString": new, "originalFile": format!("{old}\n"), "structuredPatch": hunks, "userModified": false, "replaceAll": false});
    w.call("Edit", &json!({"file_path": path, "old_string": old, "new_string": new}), "ok", &structured);
}

fn read(w: &mut Writer, path: &str, text: &str) {
    let lines = text.lines().count();
    let mut rest = text.lines();
    let numbered = pieces(lines, |k| format!("{:>6}→{}\n", k + 1, rest.next().unwrap_or_default()));
    let structured = json!({"type": "text", "file": {"filePath": path, "content": text, "numLines": lines, "startLine": 1, "totalLines": lines}});
    w.call("Read", &json!({"file_path": path}), &numbered, &structured);
}
