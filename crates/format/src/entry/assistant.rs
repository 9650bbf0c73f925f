//! `assistant`: one block of a reply from the model (docs/format B.2, C.3, H.2).

use crate::id::{EntryId, MessageId};
use crate::json::{Raw, Text, Time, record};
use crate::message::Message;
use crate::tool::Structured;

record! {
    /// An `assistant` entry.
    pub struct Assistant<'a>: "assistant" {
        message: Option<Box<Message<'a>>> = "message",
        is_api_error_message: Option<bool> = "isApiErrorMessage" | "is_api_error_message",
        /// The kind of error, e.g. `rate_limit`.
        error: Option<Raw<'a>> = "error",
        api_error: Option<Raw<'a>> = "apiError" | "api_error",
        api_error_status: Option<i64> = "apiErrorStatus" | "api_error_status",
        api_error_params: Option<Raw<'a>> = "apiErrorParams" | "api_error_params",
        error_details: Option<Raw<'a>> = "errorDetails",
        quota_limits: Option<QuotaLimits<'a>> = "quotaLimits",
        effort: Option<Text<'a>> = "effort",
        per_turn_effort: Option<Text<'a>> = "perTurnEffort" | "per_turn_effort",
        requested_model: Option<Text<'a>> = "requestedModel",
        advisor_model: Option<Text<'a>> = "advisorModel" | "advisor_model",
        attribution_agent: Option<Text<'a>> = "attributionAgent" | "attribution_agent",
        attribution_skill: Option<Text<'a>> = "attributionSkill" | "attribution_skill",
        attribution_plugin: Option<Text<'a>> = "attributionPlugin" | "attribution_plugin",
        attribution_mcp_server: Option<Text<'a>> = "attributionMcpServer" | "attribution_mcp_server",
        attribution_mcp_tool: Option<Text<'a>> = "attributionMcpTool" | "attribution_mcp_tool",
        is_aborted_mid_stream: Option<bool> = "isAbortedMidStream" | "aborted",
        truncated_after_output: Option<Raw<'a>> = "truncatedAfterOutput",
        /// Earlier entries that this one replaces.
        supersedes_uuids: Vec<EntryId<'a>> = "supersedesUuids" | "supersedes",
        api_block_index: Option<i64> = "apiBlockIndex",
        wire_tool_inputs: Option<Raw<'a>> = "wireToolInputs" | "wire_tool_inputs",
        wire_ingest_context: Option<Raw<'a>> = "wireIngestContext" | "wire_ingest_context",
        thinking_duration_ms: Option<f64> = "thinkingDurationMs" | "thinking_duration_ms",
        thinking_display: Option<Text<'a>> = "thinkingDisplay" | "thinking_display",
        /// A reference to `api-request` records.
        request_ref: Option<Raw<'a>> = "requestRef",
        request_not_recorded: Option<Raw<'a>> = "requestNotRecorded",
        request_hook_changed: Option<Raw<'a>> = "requestHookChanged",
        prompt_cache_requested: Option<Raw<'a>> = "promptCacheRequested",
        session_failure_notice: Option<Raw<'a>> = "sessionFailureNotice",
        refused_message_id: Option<MessageId<'a>> = "refusedMessageId" | "refused_message_id",
        server_classifier_request: Option<Raw<'a>> = "serverClassifierRequest",
        user_message_uuid: Option<EntryId<'a>> = "user_message_uuid",
        user_message_uuids: Vec<EntryId<'a>> = "user_message_uuids",
        resume_reason: Option<Text<'a>> = "resume_reason",
        resumed_from_incomplete_thinking: Option<bool> = "resumed_from_incomplete_thinking" | "resumedFromIncompleteThinking",
        context_usage: Option<Raw<'a>> = "context_usage",
        usage_report: Option<Raw<'a>> = "usage_report",
        /// A copy for display only; it is never counted.
        is_virtual: Option<bool> = "is_virtual" | "isVirtual",
        historical: Option<bool> = "historical",
        batch_tool_uses: Option<Raw<'a>> = "batch_tool_uses",
        tool_use_meta: Option<Raw<'a>> = "tool_use_meta",
        /// On the stream: the type of the subagent that speaks.
        subagent_type: Option<Text<'a>> = "subagent_type",
        task_description: Option<Text<'a>> = "task_description",
        /// The duration of the entry, up to about 1.0.9.
        duration_ms: Option<f64> = "durationMs",
        tool_use_result: Option<Structured<'a>> = "toolUseResult",
    }

    /// The usage limits that a request hit.
    pub struct QuotaLimits<'a>: "quotaLimits" {
        status: Option<Text<'a>> = "status",
        resets_at: Option<Time<'a>> = "resetsAt",
        fallback_available: Option<bool> = "unifiedRateLimitFallbackAvailable",
        rate_limit_type: Option<Text<'a>> = "rateLimitType",
        overage_status: Option<Text<'a>> = "overageStatus",
        overage_disabled_reason: Option<Text<'a>> = "overageDisabledReason",
        is_using_overage: Option<bool> = "isUsingOverage",
        upgrade_paths: Option<Raw<'a>> = "upgradePaths",
    }
}
