//! The individual messages of a run.

use super::{StreamOptions, Tape};
use crate::entry;
use crate::era::Version;
use crate::json::{Json, Object};
use crate::rng::Rng;
use crate::tools::{self, Tool, Workplace};
use crate::{array, object};
use std::io::{self, Write};

/// The version whose stream is written.
const VERSION: Version = Version::new(2, 1, 226);
/// The model that answers.
pub(super) const MODEL: &str = "claude-opus-5";

/// The process that prints the messages.
pub(super) struct Speaker {
    pub(super) session: String,
    pub(super) place: Workplace,
    pub(super) partial: bool,
    pub(super) number: u64,
    cost: f64,
    deck: Vec<&'static Tool>,
}

impl Speaker {
    pub(super) fn new(options: &StreamOptions) -> Self {
        let mut rng = Rng::new(options.seed);
        let session = rng.uuid();
        let companion = format!("/home/ana/.claude/projects/-home-ana-work-shop/{session}");
        Self {
            place: Workplace::new(rng, VERSION, entry::CWD.to_owned(), companion),
            session,
            partial: options.partial_messages,
            number: 0,
            cost: 0.0,
            deck: Vec::new(),
        }
    }

    /// The next tool of the deck.
    pub(super) fn call(&mut self) -> Option<tools::Call> {
        if self.deck.is_empty() {
            self.deck = tools::deck(VERSION, &mut self.place.rng, self.number == 0);
        }
        self.deck.pop().map(|tool| (tool.make)(&mut self.place))
    }

    /// Hooks run before the first turn.
    pub(super) fn before_the_first_turn<W: Write>(&mut self, tape: &mut Tape<'_, W>) -> io::Result<()> {
        let hook = self.place.rng.uuid();
        let about = |kind: &str| {
            object! {
                "type" => "system", "subtype" => kind, "hook_id" => hook.as_str(), "hook_name" => "SessionStart:startup",
                "hook_event" => "SessionStart",
            }
        };
        let started = about("hook_started");
        let response = about("hook_response")
            .with("output", "ready\n")
            .with("stdout", "ready\n")
            .with("stderr", "")
            .with("exit_code", 0)
            .with("outcome", "success");
        for message in [started, response] {
            let message = self.signed(message);
            tape.say(message)?;
        }
        Ok(())
    }

    /// The message with its own id and the session's.
    pub(super) fn signed(&mut self, message: Json) -> Json {
        message.with("uuid", self.place.rng.uuid()).with("session_id", self.session.as_str())
    }

    /// A `system` message of this subtype.
    pub(super) fn system(&mut self, subtype: &str, fields: Json) -> Json {
        let mut message = Object::default();
        message.push("type", "system");
        message.push("subtype", subtype);
        if let Json::Object(fields) = fields {
            message.append(fields);
        }
        self.signed(message.into())
    }

    /// The state of the process at the start of a turn.
    pub(super) fn init(&mut self) -> Json {
        let plugin = object! { "name" => "superpowers", "path" => "/home/ana/.claude/plugins/superpowers", "version" => "5.0.7" };
        object! {
            "type" => "system", "subtype" => "init", "cwd" => entry::CWD, "session_id" => self.session.as_str(),
            "tools" => array!["Agent", "Bash", "Edit", "Read", "Write", "WebFetch", "mcp__linear__get_issue"],
            "mcp_servers" => array![object! { "name" => "linear", "status" => "connected" }],
            "model" => MODEL, "permissionMode" => "default", "slash_commands" => array!["compact", "review"],
            "apiKeySource" => "none", "claude_code_version" => VERSION.to_string(), "output_style" => "default",
            "agents" => array!["Explore", "general-purpose"], "skills" => array!["pdf"], "plugins" => array![plugin],
            "analytics_disabled" => false, "uuid" => self.place.rng.uuid(), "fast_mode_state" => "off",
        }
    }

    /// A line of an API message: one block, with usage that is not final.
    pub(super) fn assistant(&mut self, ids: &(String, String), block: Json, parent: Option<&str>) -> Json {
        let read = self.place.context;
        self.place.context += 400;
        object! {
            "type" => "assistant",
            "message" => object! {
                "model" => MODEL, "id" => ids.0.as_str(), "type" => "message", "role" => "assistant",
                "content" => array![block], "stop_reason" => Json::Null, "stop_sequence" => Json::Null,
                "stop_details" => Json::Null, "usage" => entry::usage(VERSION, 3, 1, 400, read),
            },
            "parent_tool_use_id" => parent, "session_id" => self.session.as_str(), "uuid" => self.place.rng.uuid(),
            "request_id" => ids.1.as_str(),
        }
    }

    /// A prompt, echoed.
    pub(super) fn prompt(&mut self, text: &str, time: String) -> Json {
        object! {
            "type" => "user", "message" => object! { "role" => "user", "content" => text },
            "session_id" => self.session.as_str(), "parent_tool_use_id" => Json::Null, "uuid" => self.place.rng.uuid(),
            "timestamp" => time, "isReplay" => true,
        }
    }

    /// A tool result.
    pub(super) fn result_of(&mut self, id: &str, outcome: tools::Outcome, parent: Option<&str>, time: String) -> Json {
        let mut block = object! { "tool_use_id" => id, "type" => "tool_result", "content" => outcome.content };
        if let Some(flag) = outcome.is_error {
            block = block.with("is_error", flag);
        }
        object! {
            "type" => "user", "message" => object! { "role" => "user", "content" => array![block] },
            "parent_tool_use_id" => parent, "session_id" => self.session.as_str(), "uuid" => self.place.rng.uuid(),
            "timestamp" => time, "tool_use_result" => outcome.result,
        }
    }

    /// The end of a turn.
    pub(super) fn result(&mut self, answer: Option<&str>, steps: usize) -> Json {
        self.cost += 0.0234;
        let output = self.place.rng.integer(200, 9000);
        let usage = entry::usage(VERSION, 12, output, 4012, self.place.context);
        let mut by_model = Object::default();
        by_model.push(
            MODEL,
            object! {
                "inputTokens" => 12, "outputTokens" => output, "cacheReadInputTokens" => self.place.context,
                "cacheCreationInputTokens" => 4012, "webSearchRequests" => 0, "costUSD" => self.cost,
                "contextWindow" => 1_000_000, "maxOutputTokens" => 64_000,
            },
        );
        let subtype = if answer.is_some() { "success" } else { "error_max_turns" };
        let mut message = object! {
            "type" => "result", "subtype" => subtype, "is_error" => answer.is_none(), "duration_ms" => 45_678,
            "duration_api_ms" => 12_345, "ttft_ms" => 812, "num_turns" => steps + 1,
        };
        message = match answer {
            Some(answer) => message.with("result", answer).with("stop_reason", "end_turn"),
            None => message.with("stop_reason", "tool_use"),
        };
        message = message
            .with("session_id", self.session.as_str())
            .with("total_cost_usd", self.cost)
            .with("usage", usage)
            .with("modelUsage", by_model)
            .with("permission_denials", array![])
            .with("terminal_reason", if answer.is_some() { "completed" } else { "max_turns" })
            .with("fast_mode_state", "off")
            .with("uuid", self.place.rng.uuid());
        if answer.is_none() {
            message = message.with("errors", array!["Reached maximum number of turns (5)"]);
        }
        message
    }
}
