//! A small root: two projects, a subagent, three branches, four models.

use crate::sandbox::Sandbox;
use assert_cmd::Command;
use serde_json::{Value, json};

pub(crate) const SHOP: &str = "4c1e0f7a-2b3c-4d5e-8f90-a1b2c3d4e5f6";
pub(crate) const GARDEN: &str = "9b2d6e10-7a55-4f3e-9c1d-2e8f0a4b6c7d";

/// A line of an API message.
#[derive(Clone)]
pub(super) struct Message(Value);

impl Message {
    /// A message that costs a dollar: 40,000 tokens in, 32,000 out.
    pub(super) fn new(id: &str, at: &str) -> Self {
        Self(json!({
            "type": "assistant", "uuid": format!("u-{id}"), "requestId": format!("r-{id}"), "timestamp": at,
            "sessionId": SHOP, "cwd": "/home/ana/work/shop", "gitBranch": "main", "version": "2.1.226",
            "isSidechain": false,
            "message": {
                "id": format!("m-{id}"), "role": "assistant", "model": "claude-opus-5", "stop_reason": "end_turn",
                "content": [{"type": "text", "text": "Done."}],
                "usage": {"input_tokens": 40_000, "output_tokens": 32_000},
            },
        }))
    }

    /// Changes a field of the line.
    pub(super) fn with(mut self, field: &str, value: impl Into<Value>) -> Self {
        self.0[field] = value.into();
        self
    }

    /// Changes a field of the message.
    pub(super) fn says(mut self, field: &str, value: impl Into<Value>) -> Self {
        self.0["message"][field] = value.into();
        self
    }

    pub(super) fn model(self, name: &str) -> Self {
        self.says("model", name)
    }

    pub(super) fn used(self, input: u64, output: u64, cache_write: u64, cache_read: u64) -> Self {
        self.says(
            "usage",
            json!({"input_tokens": input, "output_tokens": output, "cache_creation_input_tokens": cache_write,
                "cache_read_input_tokens": cache_read}),
        )
    }

    pub(super) fn line(&self) -> String {
        format!("{}\n", self.0)
    }
}

/// The result of a tool.
fn result(call: &str, at: &str, text: &str) -> String {
    let content = json!([{"type": "tool_result", "tool_use_id": call, "content": text}]);
    let line = json!({
        "type": "user", "uuid": format!("u-{call}"), "timestamp": at, "sessionId": SHOP, "cwd": "/home/ana/work/shop",
        "gitBranch": "main", "version": "2.1.226", "message": {"role": "user", "content": content},
    });
    format!("{line}\n")
}

/// A sandbox with that root as the user's own.
pub(crate) fn sandbox() -> Sandbox {
    let sandbox = Sandbox::new();
    let call = json!([{"type": "tool_use", "id": "t1", "name": "Bash", "input": {"command": "make test"}}]);
    let shop = [
        Message::new("1", "2026-08-02T22:30:00Z").says("content", call).line(),
        result("t1", "2026-08-02T22:30:05Z", &"all is well\n".repeat(900)),
        Message::new("2", "2026-08-02T22:31:00Z").used(10, 2_000, 12_000, 40_000).line(),
        Message::new("3", "2026-08-06T09:15:00Z").with("gitBranch", "feat/retry").line(),
    ];
    let agent = Message::new("4", "2026-08-06T09:20:00Z").model("claude-haiku-4-5").used(100_000, 20_000, 0, 0);
    let agent = agent.with("isSidechain", true).with("agentId", "a3f1").with("gitBranch", "feat/retry");
    let garden = |id: &str, at: &str| {
        Message::new(id, at).with("cwd", "/home/ana/work/garden").with("sessionId", GARDEN).with("gitBranch", "roses")
    };
    let placeholder = garden("6", "2026-08-08T10:05:00Z").model("claude-opus-4-5-20251101").with("version", "2.1.30");
    let garden = [
        garden("5", "2026-08-08T10:00:00Z").model("glm-5.1").used(5_000, 500, 0, 0),
        placeholder.says("stop_reason", Value::Null).used(3, 1, 0, 20_000),
    ];
    sandbox.write(&format!(".claude/projects/-home-ana-work-shop/{SHOP}.jsonl"), shop.concat());
    let agents = format!(".claude/projects/-home-ana-work-shop/{SHOP}/subagents");
    sandbox.write(&format!("{agents}/agent-a3f1.jsonl"), agent.line());
    sandbox.write(&format!("{agents}/agent-a3f1.meta.json"), r#"{"agentType":"Explore"}"#);
    let lines: String = garden.iter().map(Message::line).collect();
    sandbox.write(&format!(".claude/projects/-home-ana-work-garden/{GARDEN}.jsonl"), lines);
    sandbox
}

/// `recount usage` with these arguments.
pub(super) fn usage(sandbox: &Sandbox, arguments: &[&str]) -> Command {
    let mut command = sandbox.recount(&["usage"]);
    command.args(arguments).env("COLUMNS", "100");
    command
}

/// The output of a report.
pub(super) fn shown(sandbox: &Sandbox, arguments: &[&str]) -> String {
    sandbox.shown(&usage(sandbox, arguments).output().unwrap())
}

/// The report as JSON.
pub(super) fn report(sandbox: &Sandbox, arguments: &[&str]) -> Value {
    let output = usage(sandbox, arguments).arg("--json").output().unwrap();
    serde_json::from_slice(&output.stdout).unwrap()
}
