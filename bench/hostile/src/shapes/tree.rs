//! Entries in trees, queues and streams.

use serde_json::{Value, json};

use super::Shape;
use crate::writer::{SESSION, Writer, entry, extend, message, time};

pub(crate) const SHAPES: &[Shape] = &[
    Shape { name: "prompts", base: 2000, write: |w, n| (0..n).for_each(|k| w.prompt(&format!("prompt {k}"))) },
    Shape { name: "same-prompts", base: 2000, write: |w, n| (0..n).for_each(|_| w.prompt("again")) },
    Shape { name: "replies", base: 2000, write: |w, n| (0..n).for_each(|k| w.reply(&format!("reply {k}"))) },
    Shape {
        name: "turns",
        base: 1000,
        write: |w, n| (0..n).for_each(|k| (w.prompt("dig"), w.reply(&format!("{k}"))).0),
    },
    Shape { name: "calls", base: 1000, write: |w, n| (0..n).for_each(|k| bash(w, k)) },
    Shape {
        name: "calls-in-one-message",
        base: 1000,
        write: |w, n| {
            many_calls(w, n);
            many_results(w, n);
        },
    },
    Shape {
        name: "calls-in-one-message-results-apart",
        base: 1000,
        write: |w, n| {
            many_calls(w, n);
            (0..n).for_each(|k| w.result(&format!("t{k}"), "ok", &Value::Null));
        },
    },
    Shape {
        name: "results-in-one-message-calls-apart",
        base: 1000,
        write: |w, n| {
            (0..n).for_each(|k| one_call(w, k));
            many_results(w, n);
        },
    },
    Shape {
        name: "results-last-first",
        base: 1000,
        write: |w, n| {
            (0..n).for_each(|k| one_call(w, k));
            (0..n).rev().for_each(|k| w.result(&format!("t{k}"), "ok", &Value::Null));
        },
    },
    Shape {
        name: "results-before-calls",
        base: 1000,
        write: |w, n| {
            (0..n).for_each(|k| w.result(&format!("t{k}"), "ok", &Value::Null));
            (0..n).for_each(|k| one_call(w, k));
        },
    },
    Shape {
        name: "results-without-calls",
        base: 2000,
        write: |w, n| (0..n).for_each(|k| w.result(&format!("t{k}"), "ok", &Value::Null)),
    },
    Shape { name: "calls-without-results", base: 2000, write: |w, n| (0..n).for_each(|k| one_call(w, k)) },
    Shape {
        name: "results-of-one-call",
        base: 2000,
        write: |w, n| {
            one_call(w, 0);
            (0..n).for_each(|_| w.result("t0", "ok", &Value::Null));
        },
    },
    Shape { name: "copies-of-one-call", base: 2000, write: |w, n| (0..n).for_each(|_| one_call(w, 0)) },
    Shape {
        name: "blocks-in-one-reply",
        base: 2000,
        write: |w, n| w.assistant(&(0..n).map(|k| json!({"type": "text", "text": format!("block {k}")})).collect()),
    },
    Shape {
        name: "thinking-blocks",
        base: 2000,
        write: |w, n| {
            w.assistant(
                &(0..n)
                    .map(|k| json!({"type": "thinking", "thinking": format!("block {k}"), "signature": "EqQB"}))
                    .collect(),
            )
        },
    },
    Shape {
        name: "text-blocks-in-one-prompt",
        base: 2000,
        write: |w, n| {
            let content: Value = (0..n).map(|k| json!({"type": "text", "text": format!("block {k}")})).collect();
            w.push("user", &json!({"message": {"role": "user", "content": content}}));
        },
    },
    Shape {
        name: "lines-of-one-message",
        base: 2000,
        write: |w, n| {
            (0..n).for_each(|k| {
                let m = message(0, &json!([{"type": "text", "text": format!("part {k}")}]));
                w.push("assistant", &json!({ "message": m }));
            })
        },
    },
    Shape { name: "star", base: 2000, write: |w, n| tree(w, n, |k| (k > 0).then_some(0)) },
    Shape {
        name: "star-of-replies",
        base: 1000,
        write: |w, n| {
            (0..n).for_each(|k| {
                let mut e = entry("assistant", &format!("u{k}"), (k > 0).then_some("u0"), k);
                extend(&mut e, &json!({"message": message(k, &json!([{"type": "text", "text": "x"}]))}));
                w.line(e.to_string());
            })
        },
    },
    Shape { name: "comb", base: 2000, write: |w, n| tree(w, n, |k| k.checked_sub(2).or(k.checked_sub(1))) },
    Shape {
        name: "two-chains",
        base: 2000,
        write: |w, n| tree(w, n, |k| if k % 2 == 0 { k.checked_sub(2) } else { Some(k.saturating_sub(2)) }),
    },
    Shape { name: "binary-tree", base: 2000, write: |w, n| tree(w, n, |k| k.checked_sub(1).map(|k| k / 2)) },
    Shape { name: "upside-down", base: 2000, write: |w, n| tree(w, n, |k| Some(k + 1)) },
    Shape { name: "circle", base: 2000, write: |w, n| tree(w, n, |k| Some((k + n - 1) % n)) },
    Shape { name: "circles-of-two", base: 2000, write: |w, n| tree(w, n, |k| Some(k ^ 1)) },
    Shape { name: "roots", base: 2000, write: |w, n| tree(w, n, |_| None) },
    Shape { name: "parents-that-are-nowhere", base: 2000, write: |w, n| tree(w, n, |k| Some(k + n)) },
    Shape { name: "one-missing-parent", base: 2000, write: |w, n| tree(w, n, |_| Some(usize::MAX)) },
    Shape { name: "one-uuid-same-words", base: 2000, write: |w, n| (0..n).for_each(|_| same_uuid(w, 0, 0)) },
    Shape { name: "one-uuid-other-words", base: 2000, write: |w, n| (0..n).for_each(|k| same_uuid(w, k, k)) },
    Shape {
        name: "one-time",
        base: 2000,
        write: |w, n| {
            (0..n).for_each(|k| {
                let mut e = entry("user", &format!("u{k}"), None, 0);
                extend(&mut e, &json!({"message": {"role": "user", "content": format!("p{k}")}}));
                w.line(e.to_string());
            })
        },
    },
    Shape {
        name: "commands-in-a-row",
        base: 2000,
        write: |w, n| {
            (0..n).for_each(|_| w.prompt("<command-name>/cost</command-name>\n<command-message>cost</command-message>"))
        },
    },
    Shape {
        name: "beside-in-a-row",
        base: 2000,
        write: |w, n| {
            w.prompt("dig");
            (0..n).for_each(|_| {
                w.push("progress", &json!({"data": {"type": "bash_progress", "output": "."}, "toolUseID": "t0"}))
            });
        },
    },
    Shape {
        name: "attachments",
        base: 2000,
        write: |w, n| {
            (0..n).for_each(|k| {
                w.push(
                    "attachment",
                    &json!({"attachment": {"type": "edited_text_file", "filename": format!("/w/{k}"), "snippet": "x"}}),
                )
            })
        },
    },
    Shape {
        name: "notices",
        base: 2000,
        write: |w, n| {
            (0..n).for_each(|k| {
                w.push(
                    "system",
                    &json!({"subtype": "informational", "content": format!("notice {k}"), "level": "info"}),
                )
            })
        },
    },
    Shape {
        name: "retries",
        base: 2000,
        write: |w, n| {
            (0..n).for_each(|k| w.push("system", &json!({"subtype": "api_error", "retryAttempt": k, "maxRetries": n, "retryInMs": 500, "error": {"status": 529}})))
        },
    },
    Shape {
        name: "compactions",
        base: 1000,
        write: |w, n| {
            (0..n).for_each(|k| { w.push("system", &json!({"subtype": "compact_boundary", "content": "Conversation compacted", "compactMetadata": {"trigger": "auto", "preTokens": 1000}})); w.push("user", &json!({"isCompactSummary": true, "message": {"role": "user", "content": format!("This session is being continued from a previous conversation that ran out of context. {k}")}})); })
        },
    },
    Shape {
        name: "turn-durations",
        base: 1000,
        write: |w, n| {
            (0..n).for_each(|_| {
                w.prompt("dig");
                w.push("system", &json!({"subtype": "turn_duration", "durationMs": 5}));
            })
        },
    },
    Shape {
        name: "retracted",
        base: 1000,
        write: |w, n| {
            (0..n).for_each(|k| {
                let m = message(k, &json!([{"type": "text", "text": "x"}]));
                w.push("assistant", &json!({"message": m, "supersedesUuids": ["u0", "u1", format!("u{}", k / 2)]}));
            })
        },
    },
    Shape {
        name: "forks",
        base: 1000,
        write: |w, n| {
            (0..n).for_each(|k| w.push("user", &json!({"forkedFrom": {"sessionId": format!("{k:08}-0000-4000-8000-000000000000"), "messageUuid": format!("f{k}")}, "message": {"role": "user", "content": "x"}})))
        },
    },
    Shape {
        name: "old-agents",
        base: 1000,
        write: |w, n| {
            (0..n).for_each(|k| {
                one_agent(w, k);
                let mut e = entry("user", &format!("s{k}"), None, k);
                extend(&mut e, &json!({"isSidechain": true, "message": {"role": "user", "content": "look"}}));
                w.line(e.to_string());
            })
        },
    },
    Shape {
        name: "agents-in-progress",
        base: 500,
        write: |w, n| {
            (0..n).for_each(|k| { one_agent(w, k); let inner = json!({"type": "user", "uuid": format!("x{k}"), "timestamp": time(k), "message": {"role": "user", "content": [{"type": "text", "text": "look"}]}}); w.push("progress", &json!({"data": {"type": "agent_progress", "message": inner, "agentId": format!("a{k}"), "prompt": "look"}, "parentToolUseID": format!("t{k}"), "toolUseID": format!("agent_{k}")})); })
        },
    },
    Shape {
        name: "progress-of-one-agent",
        base: 1000,
        write: |w, n| {
            one_agent(w, 0);
            (0..n).for_each(|k| { let inner = json!({"type": "assistant", "uuid": format!("x{k}"), "timestamp": time(k), "message": message(k, &json!([{"type": "tool_use", "id": format!("i{k}"), "name": "Read", "input": {"file_path": "/w/a"}}]))}); w.push("progress", &json!({"data": {"type": "agent_progress", "message": inner, "agentId": "a0"}, "parentToolUseID": "t0", "toolUseID": format!("agent_{k}")})); });
        },
    },
    Shape {
        name: "agents-on-a-stream",
        base: 1000,
        write: |w, n| {
            (0..n).for_each(|k| { one_agent(w, k); let m = message(k + n, &json!([{"type": "text", "text": "x"}])); w.line(json!({"type": "assistant", "parent_tool_use_id": format!("t{k}"), "session_id": SESSION, "message": m}).to_string()); })
        },
    },
    Shape {
        name: "nested-agents-on-a-stream",
        base: 1000,
        write: |w, n| {
            (0..n).for_each(|k| { let m = message(k, &json!([{"type": "tool_use", "id": format!("t{}", k + 1), "name": "Agent", "input": {"prompt": "look", "description": "d"}}])); w.line(json!({"type": "assistant", "parent_tool_use_id": (k > 0).then(|| format!("t{k}")), "session_id": SESSION, "message": m}).to_string()); })
        },
    },
    Shape {
        name: "queue-dequeue",
        base: 2000,
        write: |w, n| {
            (0..n).for_each(|k| queue(w, "enqueue", Some(k)));
            (0..n).for_each(|_| queue(w, "dequeue", None));
        },
    },
    Shape {
        name: "queue-remove-last-first",
        base: 2000,
        write: |w, n| {
            (0..n).for_each(|k| queue(w, "enqueue", Some(k)));
            (0..n).rev().for_each(|k| queue(w, "remove", Some(k)));
        },
    },
    Shape {
        name: "queue-appears",
        base: 1000,
        write: |w, n| {
            (0..n).for_each(|k| queue(w, "enqueue", Some(k)));
            (0..n).for_each(|_| queue(w, "dequeue", None));
            (0..n).rev().for_each(|k| w.prompt(&format!("prompt {k}")));
        },
    },
    Shape {
        name: "queue-pop-all",
        base: 1000,
        write: |w, n| {
            (0..n).for_each(|k| { queue(w, "enqueue", Some(k)); w.line(json!({"type": "queue-operation", "operation": "enqueue", "content": "<task-notification><task-id>b1</task-id><status>completed</status><summary>done</summary></task-notification>", "timestamp": time(k), "sessionId": SESSION}).to_string()); queue(w, "popAll", None); })
        },
    },
    Shape {
        name: "stream-pieces",
        base: 2000,
        write: |w, n| {
            start(w, 0);
            (0..n).for_each(|k| w.event(&delta(0, &format!("word{k} ")), None));
        },
    },
    Shape {
        name: "stream-pieces-of-white-space",
        base: 2000,
        write: |w, n| {
            start(w, 0);
            (0..n).for_each(|_| w.event(&delta(0, "        "), None));
        },
    },
    Shape {
        name: "stream-blocks",
        base: 2000,
        write: |w, n| {
            start(w, 0);
            (0..n).for_each(|k| w.event(&block(k), None));
        },
    },
    Shape {
        name: "stream-blocks-last-first",
        base: 2000,
        write: |w, n| {
            start(w, 0);
            (0..n).rev().for_each(|k| w.event(&block(k), None));
        },
    },
    Shape {
        name: "stream-messages",
        base: 1000,
        write: |w, n| {
            (0..n).for_each(|k| {
                start(w, k);
                w.event(&block(0), None);
            })
        },
    },
    Shape {
        name: "stream-parents",
        base: 1000,
        write: |w, n| (0..n).for_each(|k| w.event(&block(0), Some(&format!("t{k}")))),
    },
    Shape {
        name: "stream-whole-messages",
        base: 1000,
        write: |w, n| {
            (0..n).for_each(|k| {
                start(w, k);
                w.event(&block(0), None);
                let m = message(k, &json!([{"type": "text", "text": format!("block {k}")}]));
                w.line(json!({"type": "assistant", "session_id": SESSION, "message": m}).to_string());
            })
        },
    },
    Shape {
        name: "stream-long-id",
        base: 20_000,
        write: |w, n| {
            w.event(
                &json!({"type": "message_start", "message": {"id": "m".repeat(n), "model": "claude-opus-5"}}),
                None,
            );
            (0..n / 20).for_each(|_| w.event(&delta(0, "word "), None));
        },
    },
    Shape {
        name: "growing-copies",
        base: 1000,
        write: |w, n| {
            (0..n).for_each(|k| {
                let m = message(0, &json!([{"type": "text", "text": format!("block {k}")}]));
                w.line(json!({"type": "assistant", "session_id": SESSION, "message": m}).to_string());
            })
        },
    },
    Shape {
        name: "results-of-a-stream",
        base: 1000,
        write: |w, n| {
            (0..n).for_each(|k| w.line(json!({"type": "result", "subtype": "success", "is_error": false, "result": format!("done {k}"), "total_cost_usd": 0.01, "num_turns": 1, "session_id": SESSION, "usage": {"input_tokens": 1, "output_tokens": 1}}).to_string()))
        },
    },
];

fn one_call(w: &mut Writer, k: usize) {
    w.assistant(&json!([{"type": "tool_use", "id": format!("t{k}"), "name": "Bash", "input": {"command": format!("echo {k}")}}]));
}

fn one_agent(w: &mut Writer, k: usize) {
    w.assistant(&json!([{"type": "tool_use", "id": format!("t{k}"), "name": "Agent", "input": {"prompt": "look", "description": "d", "subagent_type": "Explore"}}]));
}

fn many_calls(w: &mut Writer, n: usize) {
    let call = |k| json!({"type": "tool_use", "id": format!("t{k}"), "name": "Bash", "input": {"command": format!("echo {k}")}});
    w.assistant(&(0..n).map(call).collect());
}

fn many_results(w: &mut Writer, n: usize) {
    let result = |k| json!({"type": "tool_result", "tool_use_id": format!("t{k}"), "content": format!("{k}")});
    let content: Value = (0..n).map(result).collect();
    w.push("user", &json!({"message": {"role": "user", "content": content}}));
}

fn bash(w: &mut Writer, k: usize) {
    let structured = json!({"stdout": "ok", "stderr": "", "interrupted": false});
    w.call("Bash", &json!({"command": format!("echo {k}")}), "ok", &structured);
}

fn tree(w: &mut Writer, n: usize, parent: impl Fn(usize) -> Option<usize>) {
    for k in 0..n {
        let parent = parent(k).map(|parent| format!("u{parent}"));
        let mut entry = entry("user", &format!("u{k}"), parent.as_deref(), k);
        extend(&mut entry, &json!({"message": {"role": "user", "content": format!("prompt {k}")}}));
        w.line(entry.to_string());
    }
}

fn same_uuid(w: &mut Writer, at: usize, words: usize) {
    let mut entry = entry("user", "u0", None, at);
    extend(&mut entry, &json!({"message": {"role": "user", "content": format!("prompt {words}")}}));
    w.line(entry.to_string());
}

fn queue(w: &mut Writer, operation: &str, content: Option<usize>) {
    let content = content.map(|k| format!("prompt {k}"));
    let line = json!({"type": "queue-operation", "operation": operation, "content": content, "sessionId": SESSION});
    w.line(line.to_string());
}

fn start(w: &mut Writer, k: usize) {
    w.event(&json!({"type": "message_start", "message": {"id": format!("msg_{k}"), "model": "claude-opus-5"}}), None);
}

fn delta(index: usize, text: &str) -> Value {
    json!({"type": "content_block_delta", "index": index, "delta": {"type": "text_delta", "text": text}})
}

fn block(index: usize) -> Value {
    json!({"type": "content_block_start", "index": index, "content_block": {"type": "text", "text": format!("block {index}")}})
}
