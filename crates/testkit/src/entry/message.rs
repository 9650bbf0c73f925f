//! The `message` of user and assistant entries: role, blocks, model, usage.

use crate::era::{Layout, Version};
use crate::json::{Json, Object};
use crate::{array, object};

/// A tool call that a result can refer to.
#[derive(Clone, Debug, PartialEq)]
pub struct ToolUse {
    /// The `tool_use` id, `toolu_…`.
    pub id: String,
    /// The name of the tool.
    pub name: String,
    /// The input of the call.
    pub input: Json,
    /// The uuid of the entry that contains the call.
    pub entry: String,
}

impl AsRef<str> for ToolUse {
    fn as_ref(&self) -> &str {
        &self.id
    }
}

/// The parts of a message before they are ordered.
#[derive(Clone, Debug)]
pub(super) struct Message {
    pub(super) content: Json,
    pub(super) model: String,
    pub(super) id: String,
    pub(super) stop_reason: Option<Json>,
    pub(super) usage: Option<Json>,
    /// Further keys at the end.
    pub(super) more: Object,
}

impl Default for Message {
    fn default() -> Self {
        Self {
            content: Json::Null,
            model: "claude-opus-5".to_owned(),
            id: "msg_01SQxiSj56kZvabczbt1CGYu".to_owned(),
            stop_reason: None,
            usage: None,
            more: Object::default(),
        }
    }
}

impl Message {
    pub(super) fn add_block(&mut self, block: Json) {
        match &mut self.content {
            Json::Array(blocks) => blocks.push(block),
            Json::Str(text) => {
                let first = object! { "type" => "text", "text" => std::mem::take(text).into_owned() };
                self.content = array![first, block];
            }
            _ => self.content = array![block],
        }
    }

    /// Changes the first `tool_result` block.
    pub(super) fn set_in_result(&mut self, key: &'static str, value: Json) {
        if let Json::Array(blocks) = &mut self.content
            && let Some(Json::Object(block)) = blocks.first_mut()
        {
            block.set(key, value);
        }
    }

    pub(super) fn user(self) -> Json {
        object! { "role" => "user", "content" => self.content }
    }

    pub(super) fn assistant(self, version: Version) -> Json {
        let stop_reason = self.stop_reason.unwrap_or_else(|| default_stop_reason(&self.content));
        let usage = self.usage.unwrap_or_else(|| usage(version, 3, 187, 812, 41_250));
        let mut message = Object::default();
        let old_order = !version.since(2, 0, 0);
        if !old_order {
            message.push("model", self.model.as_str());
        }
        message.push("id", self.id);
        message.push("type", "message");
        message.push("role", "assistant");
        if old_order {
            message.push("model", self.model);
        }
        message.push("content", self.content);
        message.push("stop_reason", stop_reason);
        message.push("stop_sequence", Json::Null);
        let newest = version.since(2, 1, 108);
        if newest {
            message.push("stop_details", Json::Null);
        }
        message.push("usage", usage);
        if newest {
            message.push("diagnostics", Json::Null);
        }
        message.append(self.more);
        message.into()
    }
}

fn default_stop_reason(content: &Json) -> Json {
    let calls = match content {
        Json::Array(blocks) => blocks.iter().any(|block| block.get("type").and_then(Json::as_str) == Some("tool_use")),
        _ => false,
    };
    Json::from(if calls { "tool_use" } else { "end_turn" })
}

/// A `usage` object with the keys and the order of this version.
pub(crate) fn usage(version: Version, input: i64, output: i64, cache_write: i64, cache_read: i64) -> Json {
    if version.layout() == Layout::EnvelopeLast {
        return object! {
            "input_tokens" => input,
            "cache_creation_input_tokens" => cache_write,
            "cache_read_input_tokens" => cache_read,
            "output_tokens" => output,
            "server_tool_use" => object! { "web_search_requests" => 0, "web_fetch_requests" => 0 },
            "service_tier" => "standard",
            "cache_creation" => object! {
                "ephemeral_1h_input_tokens" => cache_write, "ephemeral_5m_input_tokens" => 0,
            },
            "inference_geo" => "not_available",
            "iterations" => array![object! {
                "input_tokens" => input,
                "output_tokens" => output,
                "cache_read_input_tokens" => cache_read,
                "cache_creation_input_tokens" => cache_write,
                "cache_creation" => object! {
                    "ephemeral_5m_input_tokens" => 0, "ephemeral_1h_input_tokens" => cache_write,
                },
                "type" => "message",
            }],
            "speed" => "standard",
        };
    }
    let mut usage = Object::default();
    usage.push("input_tokens", input);
    usage.push("cache_creation_input_tokens", cache_write);
    usage.push("cache_read_input_tokens", cache_read);
    if version.since(1, 0, 51) {
        usage.push(
            "cache_creation",
            object! { "ephemeral_5m_input_tokens" => cache_write, "ephemeral_1h_input_tokens" => 0 },
        );
    }
    usage.push("output_tokens", output);
    usage.push("service_tier", "standard");
    if version.since(2, 1, 30) {
        usage.push("inference_geo", "not_available");
    }
    usage.into()
}
