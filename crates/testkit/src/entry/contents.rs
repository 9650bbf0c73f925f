//! The content of an entry: blocks, results, model, usage.

use super::UUID;
use super::assemble::{Entry, EntryKind};
use super::message::ToolUse;
use crate::json::Json;
use crate::object;

impl Entry {
    /// Replaces the whole `message.content`.
    pub fn content(mut self, content: impl Into<Json>) -> Self {
        self.message.content = content.into();
        self
    }

    /// Adds a content block.
    pub fn block(mut self, block: impl Into<Json>) -> Self {
        self.message.add_block(block.into());
        self
    }

    /// Adds a `text` block.
    pub fn text(self, text: impl Into<Json>) -> Self {
        self.block(object! { "type" => "text", "text" => text.into() })
    }

    /// Adds a `thinking` block with a signature.
    pub fn thinking(self, text: impl Into<Json>) -> Self {
        self.block(object! { "type" => "thinking", "thinking" => text.into(), "signature" => "EqQBCkYIBxgCKkDmXw3f" })
    }

    /// Adds a `tool_use` block whose id is derived from its name and input.
    pub fn tool_use(self, name: &str, input: impl Into<Json>) -> Self {
        let input = input.into();
        let id = derived_tool_use_id(name, &input);
        self.tool_use_with_id(&id, name, input)
    }

    /// Adds a `tool_use` block.
    pub fn tool_use_with_id(self, id: &str, name: &str, input: impl Into<Json>) -> Self {
        let call = object! { "type" => "tool_use", "id" => id, "name" => name, "input" => input.into() };
        let has_caller = self.written_version().since(2, 1, 42);
        self.block(if has_caller { call.with("caller", object! { "type" => "direct" }) } else { call })
    }

    /// Adds an `image` block with base64 data.
    pub fn image(self, media_type: &str, data: &str) -> Self {
        self.block(object! {
            "type" => "image",
            "source" => object! { "type" => "base64", "media_type" => media_type, "data" => data },
        })
    }

    /// The content of a tool result: text, or an array of blocks.
    pub fn output(mut self, content: impl Into<Json>) -> Self {
        self.message.set_in_result("content", content.into());
        self
    }

    /// A failed tool result: its text and `is_error: true`.
    pub fn error(mut self, content: impl Into<Json>) -> Self {
        self.message.set_in_result("content", content.into());
        self.message.set_in_result("is_error", true.into());
        self
    }

    /// Sets `is_error` of a tool result.
    pub fn is_error(mut self, flag: bool) -> Self {
        self.message.set_in_result("is_error", flag.into());
        self
    }

    /// The structured result beside the message (`toolUseResult`).
    pub fn with_result(self, result: impl Into<Json>) -> Self {
        self.with_after("toolUseResult", result)
    }

    /// The model that answered.
    pub fn model(mut self, model: impl Into<String>) -> Self {
        self.message.model = model.into();
        self
    }

    /// The id that all lines of one API message share.
    pub fn message_id(mut self, id: impl Into<String>) -> Self {
        self.message.id = id.into();
        self
    }

    /// The id of the API request.
    pub fn request_id(mut self, id: impl Into<String>) -> Self {
        self.request_id = id.into();
        self
    }

    /// Why the model stopped; null with `Json::Null`.
    pub fn stop_reason(mut self, reason: impl Into<Json>) -> Self {
        self.message.stop_reason = Some(reason.into());
        self
    }

    /// The whole `usage` object.
    pub fn usage(mut self, usage: impl Into<Json>) -> Self {
        self.message.usage = Some(usage.into());
        self
    }

    /// Adds a key at the end of the message of an answer.
    pub fn in_message(mut self, key: &'static str, value: impl Into<Json>) -> Self {
        self.message.more.set(key, value);
        self
    }

    /// The tool calls among the blocks.
    pub fn tool_uses(&self) -> Vec<ToolUse> {
        let Json::Array(blocks) = &self.message.content else { return Vec::new() };
        let text = |block: &Json, key| block.get(key).and_then(Json::as_str).unwrap_or_default().to_owned();
        blocks
            .iter()
            .filter(|block| block.get("type").and_then(Json::as_str) == Some("tool_use"))
            .map(|block| ToolUse {
                id: text(block, "id"),
                name: text(block, "name"),
                input: block.get("input").cloned().unwrap_or(Json::Null),
                entry: self.uuid.clone().unwrap_or_else(|| UUID.to_owned()),
            })
            .collect()
    }

    /// The names of the called tools.
    pub(crate) fn tool_names(&self) -> impl Iterator<Item = &str> {
        let blocks = match &self.message.content {
            Json::Array(blocks) if self.kind == EntryKind::Assistant => blocks.as_slice(),
            _ => &[],
        };
        blocks
            .iter()
            .filter(|block| block.get("type").and_then(Json::as_str) == Some("tool_use"))
            .filter_map(|block| block.get("name")?.as_str())
    }

    /// The text of a tool result.
    pub(crate) fn result_text(&self) -> Option<&str> {
        match &self.message.content {
            Json::Array(blocks) => blocks.first()?.get("content")?.as_str(),
            _ => None,
        }
    }
}

/// FNV-1a over the call, so that equal calls in one test have equal ids and a test can hard-code the id.
fn derived_tool_use_id(name: &str, input: &Json) -> String {
    let mut hash: u64 = 0xcbf2_9ce4_8422_2325;
    for byte in name.bytes().chain(input.to_string().bytes()) {
        hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    }
    crate::rng::Rng::new(hash).tool_use_id()
}
