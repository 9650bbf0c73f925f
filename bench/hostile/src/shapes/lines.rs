//! Lines that are damaged, crowded, or unknown; bookkeeping.

use serde_json::{Map, Value, json};

use super::Shape;
use crate::writer::{SESSION, extend, message, pieces, time};

pub(crate) const SHAPES: &[Shape] = &[
    Shape {
        name: "array-of-messages",
        base: 1000,
        write: |w, n| {
            let all: Vec<Value> = (0..n)
                .map(|k| w.entry("user", &json!({"message": {"role": "user", "content": format!("prompt {k}")}})))
                .collect();
            w.line(Value::from(all).to_string());
        },
    },
    Shape {
        name: "array-of-calls",
        base: 500,
        write: |w, n| {
            let mut all = Vec::new();
            for k in 0..n {
                let m = message(
                    k,
                    &json!([{"type": "tool_use", "id": format!("t{k}"), "name": "Bash", "input": {"command": "ls"}}]),
                );
                all.push(w.entry("assistant", &json!({ "message": m })));
                all.push(w.entry("user", &json!({"message": {"role": "user", "content": [{"type": "tool_result", "tool_use_id": format!("t{k}"), "content": "ok"}]}})));
            }
            w.line(Value::from(all).to_string());
        },
    },
    Shape {
        name: "loglines",
        base: 1000,
        write: |w, n| {
            let all: Vec<Value> = (0..n)
                .map(|k| w.entry("user", &json!({"message": {"role": "user", "content": format!("prompt {k}")}})))
                .collect();
            w.line(json!({ "loglines": all }).to_string());
        },
    },
    Shape {
        name: "objects-on-one-line",
        base: 1000,
        write: |w, n| {
            let all: String = (0..n)
                .map(|k| {
                    w.entry("user", &json!({"message": {"role": "user", "content": format!("prompt {k}")}})).to_string()
                })
                .collect();
            w.line(all);
        },
    },
    Shape {
        name: "array-of-stream-events",
        base: 1000,
        write: |w, n| {
            let all: Vec<Value> = (0..n).map(|k| json!({"type": "stream_event", "session_id": SESSION, "event": {"type": "content_block_start", "index": k, "content_block": {"type": "text", "text": "x"}}})).collect();
            w.line(Value::from(all).to_string());
        },
    },
    Shape {
        name: "array-of-queue-operations",
        base: 1000,
        write: |w, n| {
            let one = |operation: &str, k: usize| json!({"type": "queue-operation", "operation": operation, "content": (operation == "enqueue").then(|| format!("p{k}")), "sessionId": SESSION});
            let all: Vec<Value> = (0..n).map(|k| one("enqueue", k)).chain((0..n).map(|k| one("remove", k))).collect();
            w.line(Value::from(all).to_string());
        },
    },
    Shape {
        name: "pretty-printed",
        base: 20_000,
        write: |w, n| {
            let text: Vec<String> = (0..n).map(|k| format!("line {k}")).collect();
            let entry =
                w.entry("user", &json!({"message": {"role": "user", "content": text.join(" ")}, "extra": text}));
            w.line(serde_json::to_string_pretty(&entry).unwrap_or_default());
        },
    },
    Shape { name: "openers", base: 20_000, write: |w, n| (0..n).for_each(|_| w.line("{")) },
    Shape { name: "array-openers", base: 20_000, write: |w, n| (0..n).for_each(|_| w.line("[{")) },
    Shape { name: "closers", base: 20_000, write: |w, n| (0..n).for_each(|_| w.line("}")) },
    Shape {
        name: "cut-lines",
        base: 2000,
        write: |w, n| {
            (0..n).for_each(|k| {
                let entry = w.entry("user", &json!({"message": {"role": "user", "content": "dig"}})).to_string();
                let end = entry.len() / 2 + k % 9;
                w.line(entry.get(..end).unwrap_or_default());
            })
        },
    },
    Shape {
        name: "cut-then-glued",
        base: 1000,
        write: |w, n| {
            let whole = w.entry("user", &json!({"message": {"role": "user", "content": "dig"}})).to_string();
            let half = whole.get(..whole.len() / 2).unwrap_or_default().repeat(n);
            w.line(format!("{half}{whole}"));
        },
    },
    Shape { name: "words-without-json", base: 10_000, write: |w, n| (0..n).for_each(|k| w.line(format!("word {k}"))) },
    Shape { name: "blank-lines", base: 100_000, write: |w, n| (0..n).for_each(|_| w.line("")) },
    Shape {
        name: "nul-lines",
        base: 2000,
        write: |w, n| {
            (0..n).for_each(|_| {
                let entry = w.entry("user", &json!({"message": {"role": "user", "content": "dig"}}));
                w.line(format!("\0\0\0\0{entry}"));
            })
        },
    },
    Shape {
        name: "nuls-in-one-line",
        base: 200_000,
        write: |w, n| {
            let entry = w.entry("user", &json!({"message": {"role": "user", "content": "dig"}}));
            w.line(format!("{}{entry}", "\0".repeat(n)));
        },
    },
    Shape {
        name: "invalid-utf8",
        base: 100_000,
        write: |w, n| {
            let entry = w.entry("user", &json!({"message": {"role": "user", "content": "dig@"}})).to_string();
            let (before, after) = entry.split_once('@').unwrap_or_default();
            let bytes = [before.as_bytes(), &b"\xff a".repeat(n), after.as_bytes()].concat();
            w.line(bytes);
        },
    },
    Shape {
        name: "lone-surrogates",
        base: 50_000,
        write: |w, n| {
            let entry = w.entry("user", &json!({"message": {"role": "user", "content": "dig@"}})).to_string();
            w.line(entry.replace('@', &"\\ud800".repeat(n)));
        },
    },
    Shape {
        name: "escapes",
        base: 100_000,
        write: |w, n| {
            let entry = w.entry("user", &json!({"message": {"role": "user", "content": "dig@"}})).to_string();
            w.line(entry.replace('@', &"\\u0041\\n".repeat(n)));
        },
    },
    Shape {
        name: "raw-control-characters",
        base: 100_000,
        write: |w, n| {
            let entry = w.entry("user", &json!({"message": {"role": "user", "content": "dig@"}})).to_string();
            w.line(entry.replace('@', &"\u{1}\t".repeat(n)));
        },
    },
    Shape {
        name: "deep-arrays",
        base: 200_000,
        write: |w, n| {
            let entry =
                w.entry("user", &json!({"message": {"role": "user", "content": "dig"}, "extra": "@"})).to_string();
            w.line(entry.replace("\"@\"", &format!("{}{}", "[".repeat(n), "]".repeat(n))));
        },
    },
    Shape {
        name: "arrays-1000-deep",
        base: 20,
        write: |w, n| {
            let deep = format!("{}{}", "[".repeat(1000), "]".repeat(1000));
            let input = vec![deep; n].join(",");
            let m = message(0, &json!([{"type": "tool_use", "id": "t0", "name": "Dig", "input": {"deep": "@"}}]));
            let entry = w.entry("assistant", &json!({ "message": m })).to_string();
            w.line(entry.replace("\"@\"", &format!("[{input}]")));
        },
    },
    Shape {
        name: "unknown-fields",
        base: 5000,
        write: |w, n| {
            let fields: Map<String, Value> = (0..n).map(|k| (format!("field{k}"), k.into())).collect();
            w.push("user", &{
                let mut rest = json!({"message": {"role": "user", "content": "dig"}});
                extend(&mut rest, &fields.into());
                rest
            });
        },
    },
    Shape {
        name: "doubled-keys",
        base: 20_000,
        write: |w, n| {
            let entry = w.entry("user", &json!({"message": {"role": "user", "content": "dig"}})).to_string();
            w.line(format!(
                "{}{}}}",
                entry.trim_end_matches('}'),
                pieces(n, |k| format!("}},\"message\":{{\"content\":\"{k}\""))
            ));
        },
    },
    Shape {
        name: "unknown-types",
        base: 2000,
        write: |w, n| (0..n).for_each(|k| w.push(&format!("hologram-{k}"), &json!({"a": 1}))),
    },
    Shape {
        name: "unknown-subtypes",
        base: 2000,
        write: |w, n| {
            (0..n).for_each(|k| w.push("system", &json!({"subtype": format!("hologram-{k}"), "content": "x"})))
        },
    },
    Shape {
        name: "unknown-blocks",
        base: 2000,
        write: |w, n| w.assistant(&(0..n).map(|k| json!({"type": format!("hologram-{k}"), "a": 1})).collect()),
    },
    Shape {
        name: "unknown-tools",
        base: 1000,
        write: |w, n| (0..n).for_each(|k| w.call(&format!("Dig{k}"), &json!({"bed": k}), "ok", &Value::Null)),
    },
    Shape {
        name: "type-comes-last",
        base: 2000,
        write: |w, n| {
            (0..n).for_each(|k| w.line(format!(r#"{{"message":{{"content":[{{"text":"dig {k}","type":"text"}}],"role":"user"}},"uuid":"u{k}","timestamp":"{}","sessionId":"{SESSION}","type":"user"}}"#, time(k))))
        },
    },
    Shape {
        name: "summaries",
        base: 2000,
        write: |w, n| {
            w.prompt("dig");
            (0..n).for_each(|k| {
                w.line(
                    json!({"type": "summary", "summary": format!("Title {k}"), "leafUuid": format!("u{k}")})
                        .to_string(),
                )
            });
        },
    },
    Shape {
        name: "titles",
        base: 2000,
        write: |w, n| {
            w.prompt("dig");
            (0..n).for_each(|k| {
                w.line(
                    json!({"type": "custom-title", "customTitle": format!("Title {k}"), "sessionId": SESSION})
                        .to_string(),
                )
            });
        },
    },
    Shape {
        name: "ai-titles",
        base: 2000,
        write: |w, n| {
            w.prompt("dig");
            (0..n).for_each(|k| {
                w.line(json!({"type": "ai-title", "aiTitle": format!("Title {k}"), "sessionId": SESSION}).to_string())
            });
        },
    },
    Shape {
        name: "last-prompts",
        base: 2000,
        write: |w, n| {
            (0..n).for_each(|k| { w.prompt("dig"); w.line(json!({"type": "last-prompt", "lastPrompt": "dig", "leafUuid": format!("u{k}"), "sessionId": SESSION}).to_string()); })
        },
    },
    Shape {
        name: "tags",
        base: 2000,
        write: |w, n| {
            w.prompt("dig");
            (0..n).for_each(|k| {
                w.line(json!({"type": "tag", "tag": format!("tag{k}"), "sessionId": SESSION}).to_string())
            });
        },
    },
    Shape {
        name: "pull-requests",
        base: 2000,
        write: |w, n| {
            w.prompt("dig");
            (0..n).for_each(|k| w.line(json!({"type": "pr-link", "prNumber": k, "prUrl": format!("https://github.com/w/shop/pull/{k}"), "prRepository": "w/shop", "sessionId": SESSION}).to_string()));
        },
    },
    Shape {
        name: "snapshots",
        base: 1000,
        write: |w, n| {
            w.prompt("dig");
            (0..n).for_each(|k| w.line(json!({"type": "file-history-snapshot", "messageId": format!("u{k}"), "isSnapshotUpdate": false, "snapshot": {"messageId": format!("u{k}"), "timestamp": time(k), "trackedFileBackups": {"a.py": {"backupFileName": format!("x@v{k}"), "version": k, "backupTime": time(k)}}}}).to_string()));
        },
    },
    Shape {
        name: "models",
        base: 1000,
        write: |w, n| {
            (0..n).for_each(|k| {
                let mut m = message(k, &json!([{"type": "text", "text": "x"}]));
                extend(&mut m, &json!({"model": format!("claude-opus-{k}")}));
                w.push("assistant", &json!({ "message": m }));
            })
        },
    },
    Shape {
        name: "folders-and-branches",
        base: 1000,
        write: |w, n| {
            (0..n).for_each(|k| w.push("user", &json!({"cwd": format!("/w/shop{k}"), "gitBranch": format!("b{k}"), "version": format!("2.1.{k}"), "message": {"role": "user", "content": "x"}})))
        },
    },
    Shape {
        name: "usage-iterations",
        base: 5000,
        write: |w, n| {
            let mut m = message(0, &json!([{"type": "text", "text": "x"}]));
            let iterations: Vec<Value> =
                (0..n).map(|_| json!({"type": "message", "input_tokens": 1, "output_tokens": 2})).collect();
            extend(&mut m, &json!({"usage": {"input_tokens": 1, "output_tokens": 2, "iterations": iterations}}));
            w.push("assistant", &json!({ "message": m }));
        },
    },
    Shape {
        name: "long-ids",
        base: 20_000,
        write: |w, n| {
            let id = "i".repeat(n);
            w.assistant(&json!([{"type": "tool_use", "id": id, "name": "Bash", "input": {"command": "ls"}}]));
            w.result(&id, "ok", &Value::Null);
        },
    },
    Shape {
        name: "long-keys",
        base: 50_000,
        write: |w, n| {
            let input: Value = Value::Object(Map::from_iter([("k".repeat(n), Value::from(1))]));
            w.call("Dig", &input, "ok", &Value::Null);
        },
    },
    Shape {
        name: "history",
        base: 2000,
        write: |w, n| {
            w.prompt("dig");
            let lines = pieces(n, |k| {
                format!(
                    "{}\n",
                    json!({"display": format!("prompt {k}"), "pastedContents": {}, "timestamp": 1_786_000_000_000_u64 + k as u64, "project": "/w/shop", "sessionId": format!("{:08}-0000-4000-8000-000000000001", k / 2)})
                )
            });
            w.file("history.jsonl", lines);
        },
    },
];
