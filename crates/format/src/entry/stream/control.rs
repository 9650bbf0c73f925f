//! Requests between Claude Code and the program that runs it (docs/format H.6, H.7).
//!
//! The id that joins a request and its response is the envelope's `request_id`
//! on the request, and inside the response.

use crate::entry::user::PermissionMode;
use crate::id::{AgentId, EntryId, RequestId, TaskId, ToolUseId};
use crate::json::{Raw, Text, Unknown, record, tagged, words};

record! {
    /// `control_request`
    pub struct ControlRequest<'a>: "control_request" {
        request: Option<ControlCall<'a>> = "request",
    }

    /// `control_response`
    pub struct ControlResponse<'a>: "control_response" {
        response: Option<Box<ControlReply<'a>>> = "response",
    }

    /// `control_cancel_request`
    pub struct ControlCancelRequest: "control_cancel_request" {}
}

words! {
    /// Whether a control request was carried out.
    pub enum ControlOutcome {
        Success = "success",
        Error = "error",
    }
}

tagged! {
    /// What is asked for. Requests whose fields nobody has described keep them as they stand.
    pub enum ControlCall<'a>: "control request" by "subtype" {
        /// Claude Code asks whether a call is allowed.
        CanUseTool(Box<CanUseTool<'a>>) = "can_use_tool",
        HookCallback(Box<HookCallback<'a>>) = "hook_callback",
        McpMessage(Box<McpMessage<'a>>) = "mcp_message",
        Elicitation(Unknown<'a>) = "elicitation",
        RequestUserDialog(Unknown<'a>) = "request_user_dialog",
        Initialize(Unknown<'a>) = "initialize",
        Interrupt(Interrupt) = "interrupt",
        SetModel(SetModel<'a>) = "set_model",
        SetPermissionMode(SetPermissionMode<'a>) = "set_permission_mode",
        SetMaxThinkingTokens(SetMaxThinkingTokens<'a>) = "set_max_thinking_tokens",
        RewindFiles(RewindFiles<'a>) = "rewind_files",
        StopTask(StopTask<'a>) = "stop_task",
        SetColor(Unknown<'a>) = "set_color",
        RenameSession(Unknown<'a>) = "rename_session",
        McpStatus(Unknown<'a>) = "mcp_status",
        McpCall(Unknown<'a>) = "mcp_call",
        McpSetServers(Unknown<'a>) = "mcp_set_servers",
        McpReconnect(Unknown<'a>) = "mcp_reconnect",
        McpToggle(Unknown<'a>) = "mcp_toggle",
        McpReadResource(Unknown<'a>) = "mcp_read_resource",
        GetContextUsage(Unknown<'a>) = "get_context_usage",
        GetSessionCost(Unknown<'a>) = "get_session_cost",
        GetUsage(Unknown<'a>) = "get_usage",
        GetSettings(Unknown<'a>) = "get_settings",
        GetHooksListing(Unknown<'a>) = "get_hooks_listing",
        GetBinaryVersion(Unknown<'a>) = "get_binary_version",
        GetTaskOutput(Unknown<'a>) = "get_task_output",
        ListModels(Unknown<'a>) = "list_models",
        ListPermissionRules(Unknown<'a>) = "list_permission_rules",
        FileSuggestions(Unknown<'a>) = "file_suggestions",
        ReadFile(Unknown<'a>) = "read_file",
        SeedReadState(Unknown<'a>) = "seed_read_state",
        CancelAsyncMessage(Unknown<'a>) = "cancel_async_message",
        BackgroundTasks(Unknown<'a>) = "background_tasks",
        ApplyFlagSettings(Unknown<'a>) = "apply_flag_settings",
        UpdateSettings(Unknown<'a>) = "update_settings",
        RegisterRepoRoot(Unknown<'a>) = "register_repo_root",
        ReloadPlugins(Unknown<'a>) = "reload_plugins",
        ReloadSkills(Unknown<'a>) = "reload_skills",
        ReloadOutputStyles(Unknown<'a>) = "reload_output_styles",
        SetHasSubscribers(Unknown<'a>) = "set_has_subscribers",
    }
}

record! {
    /// May this call be made?
    pub struct CanUseTool<'a>: "can_use_tool" {
        tool_name: Option<Text<'a>> = "tool_name",
        tool_use_id: Option<ToolUseId<'a>> = "tool_use_id",
        input: Option<Raw<'a>> = "input",
        permission_suggestions: Vec<Raw<'a>> = "permission_suggestions",
        decision_reason: Option<Text<'a>> = "decision_reason",
        decision_reason_type: Option<Text<'a>> = "decision_reason_type",
        classifier_approvable: Option<bool> = "classifier_approvable",
        blocked_path: Option<Text<'a>> = "blocked_path",
        title: Option<Text<'a>> = "title",
        display_name: Option<Text<'a>> = "display_name",
        description: Option<Text<'a>> = "description",
        agent_id: Option<AgentId<'a>> = "agent_id",
    }

    /// A hook of the host is to run.
    pub struct HookCallback<'a>: "hook_callback" {
        callback_id: Option<Text<'a>> = "callback_id",
        input: Option<Raw<'a>> = "input",
        tool_use_id: Option<ToolUseId<'a>> = "tool_use_id",
    }

    /// A message to or from an MCP server that the host runs.
    pub struct McpMessage<'a>: "mcp_message" {
        server_name: Option<Text<'a>> = "server_name",
        message: Option<Raw<'a>> = "message",
    }

    /// Stop the turn.
    pub struct Interrupt: "interrupt" {
        cancel_queued: Option<bool> = "cancel_queued",
    }

    /// Use another model.
    pub struct SetModel<'a>: "set_model" {
        model: Option<Text<'a>> = "model",
    }

    /// Use another permission mode.
    pub struct SetPermissionMode<'a>: "set_permission_mode" {
        mode: Option<PermissionMode<'a>> = "mode",
    }

    /// Think more or less.
    pub struct SetMaxThinkingTokens<'a>: "set_max_thinking_tokens" {
        max_thinking_tokens: Option<i64> = "max_thinking_tokens",
        thinking_display: Option<Text<'a>> = "thinking_display",
    }

    /// Put files back as they were at a prompt.
    pub struct RewindFiles<'a>: "rewind_files" {
        user_message_id: Option<EntryId<'a>> = "user_message_id",
        dry_run: Option<bool> = "dry_run",
    }

    /// Stop a background task.
    pub struct StopTask<'a>: "stop_task" {
        task_id: Option<TaskId<'a>> = "task_id",
    }

    /// What was answered.
    pub struct ControlReply<'a>: "control response" {
        outcome: Option<ControlOutcome<'a>> = "subtype",
        request_id: Option<RequestId<'a>> = "request_id",
        response: Option<Raw<'a>> = "response",
        error: Option<Text<'a>> = "error",
        pending_permission_requests: Vec<Raw<'a>> = "pending_permission_requests",
    }
}
