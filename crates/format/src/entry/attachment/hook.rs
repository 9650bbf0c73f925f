//! Results and messages of hooks.

use crate::id::ToolUseId;
use crate::json::{Raw, Text, record};

record! {
    /// A hook that completed, failed or was cancelled.
    pub struct HookOutcome<'a>: "hook attachment" {
        hook_name: Option<Text<'a>> = "hookName",
        hook_event: Option<Text<'a>> = "hookEvent",
        tool_use_id: Option<ToolUseId<'a>> = "toolUseID",
        command: Option<Text<'a>> = "command",
        /// The text for the model.
        content: Option<Text<'a>> = "content",
        stdout: Option<Text<'a>> = "stdout",
        stderr: Option<Text<'a>> = "stderr",
        exit_code: Option<i64> = "exitCode",
        duration_ms: Option<f64> = "durationMs",
        timed_out: Option<bool> = "timedOut",
        timeout_ms: Option<f64> = "timeoutMs",
    }

    /// A hook that blocked the action it was asked about.
    pub struct HookBlockingError<'a>: "hook_blocking_error" {
        hook_name: Option<Text<'a>> = "hookName",
        hook_event: Option<Text<'a>> = "hookEvent",
        tool_use_id: Option<ToolUseId<'a>> = "toolUseID",
        blocking_error: Option<BlockingError<'a>> = "blockingError",
    }

    /// The reason, and the command that reported it.
    pub struct BlockingError<'a>: "blockingError" {
        blocking_error: Option<Text<'a>> = "blockingError",
        command: Option<Text<'a>> = "command",
    }

    /// A message from a hook to the model or the user.
    pub struct HookContext<'a>: "hook context" {
        hook_name: Option<Text<'a>> = "hookName",
        hook_event: Option<Text<'a>> = "hookEvent",
        tool_use_id: Option<ToolUseId<'a>> = "toolUseID",
        content: Vec<Text<'a>> = "content",
    }

    /// A hook's decision about a permission.
    pub struct HookDecision<'a>: "hook_permission_decision" {
        hook_name: Option<Text<'a>> = "hookName",
        hook_event: Option<Text<'a>> = "hookEvent",
        tool_use_id: Option<ToolUseId<'a>> = "toolUseID",
        decision: Option<Text<'a>> = "decision",
    }

    /// A hook that ended the turn.
    pub struct HookStop<'a>: "hook_stopped_continuation" {
        hook_name: Option<Text<'a>> = "hookName",
        hook_event: Option<Text<'a>> = "hookEvent",
        tool_use_id: Option<ToolUseId<'a>> = "toolUseID",
        message: Option<Text<'a>> = "message",
    }

    /// The late answer of a hook that ran in the background.
    pub struct AsyncHookResponse<'a>: "async_hook_response" {
        process_id: Option<Text<'a>> = "processId",
        hook_name: Option<Text<'a>> = "hookName",
        hook_event: Option<Text<'a>> = "hookEvent",
        tool_name: Option<Text<'a>> = "toolName",
        tool_use_id: Option<ToolUseId<'a>> = "toolUseID",
        response: Option<Raw<'a>> = "response",
        stdout: Option<Text<'a>> = "stdout",
        stderr: Option<Text<'a>> = "stderr",
        exit_code: Option<i64> = "exitCode",
    }
}
