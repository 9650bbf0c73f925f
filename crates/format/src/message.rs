//! The API message inside `user` and `assistant` entries, with its usage.

use crate::block::Content;
use crate::id::MessageId;
use crate::json::{Asked, OnRequest, Raw, Text, record, words};
use crate::read::Reach;

words! {
    /// Why the model stopped. Absent while streaming, and always absent in 2.1.12 to 2.1.52.
    pub enum StopReason {
        EndTurn = "end_turn",
        ToolUse = "tool_use",
        MaxTokens = "max_tokens",
        StopSequence = "stop_sequence",
        PauseTurn = "pause_turn",
        Refusal = "refusal",
        ContextExceeded = "model_context_window_exceeded",
        Compaction = "compaction",
    }
}

record! {
    /// An API message; on disk each entry contains one block of it (docs/format G.3).
    pub struct Message<'a>: "message" {
        id: Option<MessageId<'a>> = "id",
        kind: Option<Text<'a>> = "type",
        role: Option<Text<'a>> = "role",
        model: Option<Text<'a>> = "model",
        content: Option<Content<'a>> = "content",
        stop_reason: Option<StopReason<'a>> = "stop_reason" | "stopReason",
        stop_sequence: Option<Text<'a>> = "stop_sequence",
        stop_details: Option<Raw<'a>> = "stop_details",
        usage: Asked<Box<Usage<'a>>> = "usage",
        container: Option<Raw<'a>> = "container",
        context_management: Option<Raw<'a>> = "context_management",
        diagnostics: Option<Raw<'a>> = "diagnostics",
        input_transformations: Vec<InputTransformation<'a>> = "input_transformations",
        /// Written by gateways.
        provider: Option<Text<'a>> = "provider",
    }

    /// A change of the API to the input: a block of thinking that it left out.
    pub struct InputTransformation<'a>: "input transformation" {
        kind: Option<Text<'a>> = "type",
        path: Option<Text<'a>> = "path",
        reason: Option<Text<'a>> = "reason",
    }

    /// The usage of a request. Not final on every line: docs/format C.4.3.
    pub struct Usage<'a>: "usage" {
        /// Excludes cached tokens.
        input_tokens: Option<i64> = "input_tokens",
        output_tokens: Option<i64> = "output_tokens",
        cache_creation_input_tokens: Option<i64> = "cache_creation_input_tokens",
        cache_read_input_tokens: Option<i64> = "cache_read_input_tokens",
        cache_creation: Option<CacheCreation> = "cache_creation",
        server_tool_use: Option<ServerToolUsage> = "server_tool_use",
        service_tier: Option<Text<'a>> = "service_tier",
        inference_geo: Option<Text<'a>> = "inference_geo",
        speed: Option<Text<'a>> = "speed",
        iterations: Vec<Iteration<'a>> = "iterations",
        output_tokens_details: Option<OutputDetails> = "output_tokens_details",
        fallback_credit: Option<Raw<'a>> = "fallback_credit",
    }

    /// Cache writes by lifetime; the two cost differently.
    pub struct CacheCreation: "cache_creation" {
        five_minutes: Option<i64> = "ephemeral_5m_input_tokens",
        one_hour: Option<i64> = "ephemeral_1h_input_tokens",
    }

    /// Requests of server-side tools.
    pub struct ServerToolUsage: "server_tool_use" {
        web_search_requests: Option<i64> = "web_search_requests",
        web_fetch_requests: Option<i64> = "web_fetch_requests",
        code_execution_requests: Option<i64> = "code_execution_requests",
        tool_search_requests: Option<i64> = "tool_search_requests",
    }

    /// One sampling step of a request.
    pub struct Iteration<'a>: "iteration" {
        kind: Option<Text<'a>> = "type",
        model: Option<Text<'a>> = "model",
        input_tokens: Option<i64> = "input_tokens",
        output_tokens: Option<i64> = "output_tokens",
        cache_creation_input_tokens: Option<i64> = "cache_creation_input_tokens",
        cache_read_input_tokens: Option<i64> = "cache_read_input_tokens",
        cache_creation: Option<CacheCreation> = "cache_creation",
        output_tokens_details: Option<OutputDetails> = "output_tokens_details",
    }

    /// Parts of the output tokens.
    pub struct OutputDetails: "output_tokens_details" {
        thinking_tokens: Option<i64> = "thinking_tokens",
    }
}

impl OnRequest for Box<Usage<'_>> {
    const REACH: Reach = Reach::Usage;
}

impl Message<'_> {
    /// Whether its thinking is what the user saw between the calls: see [`speaks_in_thinking`].
    pub fn speaks_in_thinking(&self) -> bool {
        self.model.is_some_and(|model| speaks_in_thinking(&model))
    }
}

/// Whether the thinking of a model, where it has text, is what the user saw between the calls (docs/format D.2).
///
/// ```
/// use format::message::speaks_in_thinking;
/// assert!(["claude-opus-5-5", "anthropic/claude-sonnet-5.5", "claude-fable-5-2[1m]"].into_iter().all(speaks_in_thinking));
/// assert!(!["claude-opus-5-20260514", "claude-fable-5", "gpt-5.5"].into_iter().any(speaks_in_thinking));
/// ```
pub fn speaks_in_thinking(model: &str) -> bool {
    /// The families, each with its first such version.
    const FIRST: [(&str, (u32, u32)); 3] = [("opus-", (5, 5)), ("sonnet-", (5, 5)), ("fable-", (5, 1))];
    FIRST.into_iter().any(|(family, first)| {
        let version = model.split_once(family).map_or("", |(_, version)| version);
        // Longer numbers are dates.
        let mut numbers = version.split(['-', '.', '[', '@', ':']).map(|part| part.parse().ok().filter(|it| *it < 100));
        let major: Option<u32> = numbers.next().flatten();
        let minor = numbers.next().flatten().unwrap_or_default();
        major.is_some_and(|major| (major, minor) >= first)
    })
}
