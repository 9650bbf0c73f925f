//! Many files: sessions, copies of a session, agents.

use serde_json::{Value, json};

use super::Shape;
use crate::writer::{SESSION, Writer, entry, extend, message};

pub(crate) const SHAPES: &[Shape] = &[
    Shape {
        name: "sessions",
        base: 50,
        write: |w, n| {
            w.prompt("dig");
            (0..n).for_each(|k| session(w, "-w-shop", k, k));
        },
    },
    Shape {
        name: "sessions-in-projects",
        base: 50,
        write: |w, n| {
            w.prompt("dig");
            (0..n).for_each(|k| session(w, &format!("-w-{k}"), k, k));
        },
    },
    Shape {
        name: "copies-of-a-session",
        base: 50,
        write: |w, n| {
            w.prompt("dig");
            (0..n).for_each(|k| session(w, "-w-shop", k, 0));
        },
    },
    Shape {
        name: "one-id-in-projects",
        base: 50,
        write: |w, n| {
            w.prompt("dig");
            let bytes = w.main.clone();
            (0..n).for_each(|k| w.file(format!("projects/-w-{k}/{SESSION}.jsonl"), bytes.clone()));
        },
    },
    Shape {
        name: "summaries-of-others",
        base: 50,
        write: |w, n| {
            w.prompt("dig");
            (0..n).for_each(|k| {
                session(w, "-w-shop", k, k);
                w.line(
                    json!({"type": "summary", "summary": format!("Title {k}"), "leafUuid": format!("x{k}-0")})
                        .to_string(),
                );
            });
        },
    },
    Shape {
        name: "agents",
        base: 50,
        write: |w, n| {
            (0..n).for_each(|k| {
                call(w, k, "look around", &json!({"agentId": format!("a{k}"), "content": []}));
                agent(w, &format!("a{k}"), "look around", k);
            })
        },
    },
    Shape {
        name: "agents-by-prompt",
        base: 50,
        write: |w, n| {
            (0..n).for_each(|k| {
                call(w, k, "look around", &Value::Null);
                agent(w, &format!("a{k}"), "look around", k);
            })
        },
    },
    Shape {
        name: "agents-of-one-name",
        base: 50,
        write: |w, n| {
            (0..n).for_each(|k| {
                call(w, k, &format!("look {k}"), &json!({"name": "scout", "content": []}));
                agent(w, &format!("a{k}"), &format!("look {k}"), k);
                w.file(
                    format!("projects/-w-shop/{SESSION}/subagents/agent-a{k}.meta.json"),
                    json!({"agentType": "Explore", "name": "scout"}).to_string(),
                );
            })
        },
    },
    Shape {
        name: "agents-without-calls",
        base: 50,
        write: |w, n| {
            w.prompt("dig");
            (0..n).for_each(|k| agent(w, &format!("a{k}"), "look", k));
        },
    },
    Shape {
        name: "messages-to-one-agent",
        base: 500,
        write: |w, n| {
            call(w, 0, "look", &json!({"agentId": "a0", "content": []}));
            agent(w, "a0", "look", 0);
            (0..n).for_each(|k| {
                w.call("SendMessage", &json!({"to": "a0", "message": format!("go {k}")}), "sent", &Value::Null)
            });
        },
    },
];

fn session(w: &mut Writer, folder: &str, k: usize, words: usize) {
    let id = format!("{:08}-0000-4000-8000-000000000002", k + 1);
    let mut lines = String::new();
    for number in 0..4 {
        let parent = (number > 0).then(|| format!("x{words}-{}", number - 1));
        let mut entry = entry("assistant", &format!("x{words}-{number}"), parent.as_deref(), words + number);
        let said = json!([{"type": "text", "text": format!("said {words}")}]);
        extend(&mut entry, &json!({"sessionId": id, "message": message(words * 10 + number, &said)}));
        lines.push_str(&entry.to_string());
        lines.push('\n');
    }
    w.file(format!("projects/{folder}/{id}.jsonl"), lines);
}

fn call(w: &mut Writer, k: usize, prompt: &str, structured: &Value) {
    let input = json!({"prompt": prompt, "description": format!("look {k}"), "subagent_type": "Explore"});
    w.call("Agent", &input, "done", structured);
}

fn agent(w: &mut Writer, id: &str, prompt: &str, k: usize) {
    let mut asked = entry("user", &format!("{id}-0"), None, k);
    extend(&mut asked, &json!({"isSidechain": true, "agentId": id, "message": {"role": "user", "content": prompt}}));
    let mut said = entry("assistant", &format!("{id}-1"), Some(&format!("{id}-0")), k);
    let words = json!([{"type": "text", "text": "found"}]);
    extend(&mut said, &json!({"isSidechain": true, "agentId": id, "message": message(1_000_000 + k, &words)}));
    w.file(format!("projects/-w-shop/{SESSION}/subagents/agent-{id}.jsonl"), format!("{asked}\n{said}\n"));
}
