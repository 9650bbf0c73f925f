//! Small messages of a stream (docs/format H.6).

use crate::id::{AgentId, EntryId, SessionId, TaskId, ToolUseId};
use crate::json::{Map, Text, Time, record, words};

words! {
    /// Whether requests are let through.
    pub enum RateLimitStatus {
        Allowed = "allowed",
        AllowedWarning = "allowed_warning",
        Rejected = "rejected",
    }

    /// Why a conversation began anew.
    pub enum ResetTrigger {
        Clear = "clear",
        PlanModeExit = "plan_mode_exit",
        FreshSession = "fresh_session",
        Onboarding = "onboarding",
    }
}

record! {
    /// `tool_progress`: a call is still running.
    pub struct ToolProgress<'a>: "tool_progress" {
        tool_use_id: Option<ToolUseId<'a>> = "tool_use_id",
        tool_name: Option<Text<'a>> = "tool_name",
        elapsed_seconds: Option<f64> = "elapsed_time_seconds",
        task_id: Option<TaskId<'a>> = "task_id",
        subagent_type: Option<Text<'a>> = "subagent_type",
        heartbeat: Option<bool> = "heartbeat",
        subagent_retry: Option<Box<SubagentRetry<'a>>> = "subagent_retry",
    }

    /// A subagent whose request is tried again.
    pub struct SubagentRetry<'a>: "subagent_retry" {
        agent_id: Option<AgentId<'a>> = "agent_id",
        attempt: Option<i64> = "attempt",
        max_retries: Option<i64> = "max_retries",
        retry_delay_ms: Option<f64> = "retry_delay_ms",
        error_status: Option<i64> = "error_status",
        error_category: Option<Text<'a>> = "error_category",
    }

    /// `tool_use_summary`: what some calls did, in a few words.
    pub struct ToolUseSummary<'a>: "tool_use_summary" {
        summary: Option<Text<'a>> = "summary",
        preceding_tool_use_ids: Vec<ToolUseId<'a>> = "preceding_tool_use_ids",
    }

    /// `auth_status`
    pub struct AuthStatus<'a>: "auth_status" {
        is_authenticating: Option<bool> = "isAuthenticating",
        output: Vec<Text<'a>> = "output",
        error: Option<Text<'a>> = "error",
    }

    /// `rate_limit_event`
    pub struct RateLimitEvent<'a>: "rate_limit_event" {
        info: Option<Box<RateLimit<'a>>> = "rate_limit_info",
    }

    /// The limits of a subscription. Times are seconds.
    pub struct RateLimit<'a>: "rate_limit_info" {
        status: Option<RateLimitStatus<'a>> = "status",
        /// `five_hour`, `seven_day`, `seven_day_opus`…
        kind: Option<Text<'a>> = "rateLimitType",
        /// From 0 to 1.
        utilization: Option<f64> = "utilization",
        resets_at: Option<Time<'a>> = "resetsAt",
        windows: Map<'a, RateWindow<'a>> = "unifiedWindows",
        overage_status: Option<RateLimitStatus<'a>> = "overageStatus",
        overage_resets_at: Option<Time<'a>> = "overageResetsAt",
        overage_disabled_reason: Option<Text<'a>> = "overageDisabledReason",
        is_using_overage: Option<bool> = "isUsingOverage",
        surpassed_threshold: Option<f64> = "surpassedThreshold",
        scope: Option<Text<'a>> = "limitScope",
        error_code: Option<Text<'a>> = "errorCode",
        grace_active: Option<bool> = "rateLimitGraceActive",
        fallback_available: Option<bool> = "unifiedRateLimitFallbackAvailable",
        can_user_purchase_credits: Option<bool> = "canUserPurchaseCredits",
        has_payment_method: Option<bool> = "hasChargeableSavedPaymentMethod",
        /// The limits of an API key, as some hosts write them.
        requests_limit: Option<i64> = "requests_limit",
        requests_remaining: Option<i64> = "requests_remaining",
        requests_reset: Option<Time<'a>> = "requests_reset",
        tokens_limit: Option<i64> = "tokens_limit",
        tokens_remaining: Option<i64> = "tokens_remaining",
        tokens_reset: Option<Time<'a>> = "tokens_reset",
        retry_after_ms: Option<f64> = "retry_after_ms",
    }

    /// How full one window is.
    pub struct RateWindow<'a>: "rate window" {
        utilization: Option<f64> = "utilization",
        resets_at: Option<Time<'a>> = "resetsAt",
    }

    /// `prompt_suggestion`: what the user may want to say next.
    pub struct PromptSuggestion<'a>: "prompt_suggestion" {
        suggestion: Option<Text<'a>> = "suggestion",
    }

    /// `conversation_reset`: what follows is another session.
    pub struct ConversationReset<'a>: "conversation_reset" {
        new_conversation_id: Option<SessionId<'a>> = "new_conversation_id",
        trigger: Option<ResetTrigger<'a>> = "trigger",
        user_message_uuid: Option<EntryId<'a>> = "user_message_uuid",
    }

    /// `command_lifecycle`: where a queued command is.
    pub struct CommandLifecycle<'a>: "command_lifecycle" {
        command_uuid: Option<Text<'a>> = "command_uuid",
        state: Option<Text<'a>> = "state",
        scheduled_for: Option<Time<'a>> = "scheduled_for",
        ran_ahead: Option<bool> = "ran_ahead",
        wakeup_source: Option<Text<'a>> = "wakeup_source",
    }

    /// `active_goal`; no value means that there is none.
    pub struct ActiveGoal<'a>: "active_goal" {
        value: Option<Box<Goal<'a>>> = "value",
    }

    /// A goal that the session works towards.
    pub struct Goal<'a>: "goal" {
        condition: Option<Text<'a>> = "condition",
        iterations: Option<i64> = "iterations",
        set_at: Option<Time<'a>> = "set_at",
        tokens_at_start: Option<i64> = "tokens_at_start",
        last_reason: Option<Text<'a>> = "last_reason",
    }

    /// `autocompact_state`: when the context will be compacted.
    pub struct AutocompactState<'a>: "autocompact_state" {
        value: Option<Autocompact<'a>> = "value",
    }

    /// The limits of automatic compaction.
    pub struct Autocompact<'a>: "autocompact" {
        enabled: Option<bool> = "enabled",
        effective_window: Option<i64> = "effective_window",
        threshold: Option<f64> = "threshold",
        enforced: Option<bool> = "enforced",
        source: Option<Text<'a>> = "source",
    }

    /// `keep_alive`
    pub struct KeepAlive: "keep_alive" {}
}
