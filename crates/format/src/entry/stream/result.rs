//! `result`: the end of a turn of a stream, or of an agent in a workflow's journal (docs/format G.7.6, H.5).

use crate::entry::bookkeeping::ModelUsage;
use crate::entry::user::Origin;
use crate::id::{EntryId, ToolUseId};
use crate::json::{Map, Raw, Text, Time, record, words};
use crate::message::{StopReason, Usage};

words! {
    /// How a turn ended. `success` with `is_error` means that the result is the text of an API error.
    pub enum ResultKind {
        Success = "success",
        ErrorDuringExecution = "error_during_execution",
        ErrorMaxTurns = "error_max_turns",
        ErrorMaxBudget = "error_max_budget_usd",
        ErrorStructuredOutput = "error_max_structured_output_retries",
    }

    /// Why a turn ended.
    pub enum TerminalReason {
        Completed = "completed",
        MaxTurns = "max_turns",
        BudgetExhausted = "budget_exhausted",
        BlockingLimit = "blocking_limit",
        RapidRefillBreaker = "rapid_refill_breaker",
        PromptTooLong = "prompt_too_long",
        ImageError = "image_error",
        ModelError = "model_error",
        ApiError = "api_error",
        MalformedToolUse = "malformed_tool_use_exhausted",
        AbortedStreaming = "aborted_streaming",
        AbortedTools = "aborted_tools",
        StopHookPrevented = "stop_hook_prevented",
        HookStopped = "hook_stopped",
        ToolDeferred = "tool_deferred",
        ToolDeferredUnavailable = "tool_deferred_unavailable",
        BackgroundRequested = "background_requested",
        StructuredOutputExhausted = "structured_output_retry_exhausted",
        TurnSetupFailed = "turn_setup_failed",
    }
}

record! {
    /// A `result` line.
    pub struct TurnResult<'a>: "result" {
        /// In a workflow's journal: the agent that gave the result.
        key: Option<Text<'a>> = "key",
        kind: Option<ResultKind<'a>> = "subtype",
        is_error: Option<bool> = "is_error",
        /// Text on a stream; any value in a journal.
        result: Option<Raw<'a>> = "result",
        errors: Vec<Text<'a>> = "errors" | "error",
        terminal_reason: Option<TerminalReason<'a>> = "terminal_reason",
        stop_reason: Option<StopReason<'a>> = "stop_reason",
        api_error: Option<Text<'a>> = "api_error",
        api_error_status: Option<i64> = "api_error_status",
        startup_failure_reason: Option<Text<'a>> = "startup_failure_reason",
        invalid_config_file: Option<Text<'a>> = "invalid_config_file",
        num_turns: Option<i64> = "num_turns",
        duration_ms: Option<f64> = "duration_ms",
        duration_api_ms: Option<f64> = "duration_api_ms",
        /// Of the process so far, with subagents and helper models.
        total_cost_usd: Option<f64> = "total_cost_usd",
        /// Instead of the total, up to 1.0.x.
        cost_usd: Option<f64> = "cost_usd",
        /// Of this turn, without subagents.
        usage: Option<Box<Usage<'a>>> = "usage",
        /// Of the process so far.
        model_usage: Map<'a, ModelUsage<'a>> = "modelUsage" | "model_usage",
        model_usage_since_last_result: Map<'a, ModelUsage<'a>> = "model_usage_since_last_result",
        subagent_stats: Option<Raw<'a>> = "subagent_stats",
        safety_stops: Option<i64> = "safety_stops",
        permission_denials: Vec<PermissionDenial<'a>> = "permission_denials",
        structured_output: Option<Raw<'a>> = "structured_output",
        deferred_tool_use: Option<Box<DeferredToolUse<'a>>> = "deferred_tool_use",
        origin: Option<Box<Origin<'a>>> = "origin",
        user_message_uuid: Option<EntryId<'a>> = "user_message_uuid",
        user_message_uuids: Vec<EntryId<'a>> = "user_message_uuids",
        resume_reason: Option<Text<'a>> = "resume_reason",
        local_command: Option<Raw<'a>> = "local_command",
        result_index: Option<i64> = "result_index",
        queued_turn_count: Option<i64> = "queued_turn_count",
        fast_mode_state: Option<Text<'a>> = "fast_mode_state",
        fast_mode_disabled_reason: Option<Text<'a>> = "fast_mode_disabled_reason",
        credential_expires_at: Option<Time<'a>> = "credential_expires_at",
        ttft_ms: Option<f64> = "ttft_ms",
        ttft_stream_ms: Option<f64> = "ttft_stream_ms",
        time_to_request_ms: Option<f64> = "time_to_request_ms",
        time_to_request_from_spawn_ms: Option<f64> = "time_to_request_from_spawn_ms",
        time_to_request_cpu_ms: Option<f64> = "time_to_request_cpu_ms",
        time_to_request_loop_lag_ms: Option<f64> = "time_to_request_loop_lag_ms",
        time_to_request_major_faults: Option<i64> = "time_to_request_major_faults",
        time_to_request_phases_ms: Map<'a, f64> = "time_to_request_phases_ms",
        time_origin_ms: Option<f64> = "time_origin_ms",
        request_sent_wall_ms: Option<f64> = "request_sent_wall_ms",
        frame_received_wall_ms: Option<f64> = "frame_received_wall_ms",
        frame_enqueued_wall_ms: Option<f64> = "frame_enqueued_wall_ms",
        turn_started_wall_ms: Option<f64> = "turn_started_wall_ms",
        turn_start_phases_ms: Map<'a, f64> = "turn_start_phases_ms",
        turn_start_control_requests_ms: Option<f64> = "turn_start_control_requests_ms",
        turn_start_resume_kind: Option<Text<'a>> = "turn_start_resume_kind",
        first_stream_post_queue_wait_ms: Option<f64> = "first_stream_post_queue_wait_ms",
        first_stream_post_queued_behind: Option<Text<'a>> = "first_stream_post_queued_behind",
        first_text_post_ms: Option<f64> = "first_text_post_ms",
        first_text_post_wall_ms: Option<f64> = "first_text_post_wall_ms",
        first_text_post_queue_wait_ms: Option<f64> = "first_text_post_queue_wait_ms",
        first_text_post_queued_behind: Option<Text<'a>> = "first_text_post_queued_behind",
        process_turn_index: Option<i64> = "process_turn_index",
        warm_spare_claimed: Option<bool> = "warm_spare_claimed",
        flag_fetch_kick: Option<Raw<'a>> = "flag_fetch_kick",
        input_attachments_detail: Option<Raw<'a>> = "input_attachments_detail",
        resume_store_confirm_detail: Option<Raw<'a>> = "resume_store_confirm_detail",
    }

    /// A call that was not allowed.
    pub struct PermissionDenial<'a>: "permission denial" {
        tool_name: Option<Text<'a>> = "tool_name",
        tool_use_id: Option<ToolUseId<'a>> = "tool_use_id",
        tool_input: Option<Raw<'a>> = "tool_input",
    }

    /// A call that the host is to make later.
    pub struct DeferredToolUse<'a>: "deferred_tool_use" {
        id: Option<ToolUseId<'a>> = "id",
        name: Option<Text<'a>> = "name",
        input: Option<Raw<'a>> = "input",
    }
}
