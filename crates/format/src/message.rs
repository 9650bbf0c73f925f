//! The API message inside `user` and `assistant` entries, with its usage.

use crate::block::Content;
use crate::id::MessageId;
use crate::json::{Asked, Raw, Text, record, words};

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
        /// Written by gateways.
        provider: Option<Text<'a>> = "provider",
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
