//! Events that occur only on a stream: states, retries, running hooks, permissions, files.

use crate::entry::user::PermissionMode;
use crate::id::{EntryId, SessionId};
use crate::json::{Raw, Text, Time, record, words};

words! {
    /// The activity of a session.
    pub enum Activity {
        Compacting = "compacting",
        Requesting = "requesting",
    }

    /// Whether a session runs or waits.
    pub enum SessionState {
        Idle = "idle",
        Running = "running",
        RequiresAction = "requires_action",
    }

    /// How a hook ended.
    pub enum HookResult {
        Success = "success",
        Error = "error",
        Cancelled = "cancelled",
    }

    /// The outcome of a turn.
    pub enum TurnState {
        Blocked = "blocked",
        Waiting = "waiting",
        Completed = "completed",
        ReviewReady = "review_ready",
        Failed = "failed",
    }
}

record! {
    /// The current activity of the session; without a status, there is none.
    pub struct Status<'a>: "status" {
        status: Option<Activity<'a>> = "status",
        permission_mode: Option<PermissionMode<'a>> = "permissionMode",
        compact_result: Option<Text<'a>> = "compact_result",
        compact_error: Option<Text<'a>> = "compact_error",
    }

    /// A request is retried.
    pub struct ApiRetry<'a>: "api_retry" {
        attempt: Option<i64> = "attempt",
        max_retries: Option<i64> = "max_retries",
        retry_delay_ms: Option<f64> = "retry_delay_ms",
        /// Absent if there was no response.
        error_status: Option<i64> = "error_status",
        error: Option<Text<'a>> = "error",
        no_response: Option<NoResponse> = "no_response",
    }

    /// A request that was never answered.
    pub struct NoResponse: "no_response" {
        waited_ms: Option<f64> = "waited_ms",
        retry_wait_ms: Option<f64> = "retry_wait_ms",
    }

    /// A hook that starts, prints or ends.
    pub struct HookRun<'a>: "hook event" {
        hook_id: Option<Text<'a>> = "hook_id",
        hook_name: Option<Text<'a>> = "hook_name",
        hook_event: Option<Text<'a>> = "hook_event",
        stdout: Option<Text<'a>> = "stdout",
        stderr: Option<Text<'a>> = "stderr",
        output: Option<Text<'a>> = "output",
        exit_code: Option<i64> = "exit_code",
        outcome: Option<HookResult<'a>> = "outcome",
    }

    /// An estimate of the thinking tokens so far, while the model thinks.
    pub struct ThinkingTokens<'a>: "thinking_tokens" {
        estimated_tokens: Option<i64> = "estimated_tokens",
        estimated_tokens_delta: Option<i64> = "estimated_tokens_delta",
        user_message_uuid: Option<EntryId<'a>> = "user_message_uuid",
    }

    /// The text is the entry's content.
    pub struct LocalCommandOutput: "local_command_output" {}

    /// A short note on the screen.
    pub struct Notification<'a>: "notification" {
        key: Option<Text<'a>> = "key",
        text: Option<Text<'a>> = "text",
        priority: Option<Text<'a>> = "priority",
        color: Option<Text<'a>> = "color",
        timeout_ms: Option<f64> = "timeout_ms",
    }

    /// The session runs, waits, or wants an answer.
    pub struct SessionStateChanged<'a>: "session_state_changed" {
        state: Option<SessionState<'a>> = "state",
    }

    /// The user named the session.
    pub struct SessionTitleChanged<'a>: "session_title_changed" {
        title: Option<Text<'a>> = "title",
    }

    /// Metadata such as artifacts.
    pub struct SessionMetadata<'a>: "session_metadata" {
        metadata: Option<Raw<'a>> = "metadata",
    }

    /// The summary of a turn.
    pub struct PostTurnSummary<'a>: "post_turn_summary" {
        summarizes_uuid: Option<EntryId<'a>> = "summarizes_uuid",
        status_category: Option<TurnState<'a>> = "status_category",
        status_detail: Option<Text<'a>> = "status_detail",
        needs_action: Option<Text<'a>> = "needs_action",
        is_noteworthy: Option<bool> = "is_noteworthy",
        title: Option<Text<'a>> = "title",
        description: Option<Text<'a>> = "description",
        recent_action: Option<Text<'a>> = "recent_action",
        artifact_urls: Vec<Text<'a>> = "artifact_urls",
    }

    /// A call was denied.
    pub struct PermissionDenied<'a>: "permission_denied" {
        tool_name: Option<Text<'a>> = "tool_name",
        decision_reason_type: Option<Text<'a>> = "decision_reason_type",
        decision_reason_code: Option<Text<'a>> = "decision_reason_code",
        decision_reason: Option<Text<'a>> = "decision_reason",
        /// The message to the model.
        message: Option<Text<'a>> = "message",
    }

    /// An automatic check takes a long time.
    pub struct PermissionCheckStatus<'a>: "permission_check_status" {
        status: Option<Text<'a>> = "status",
    }

    /// Files were stored.
    pub struct FilesPersisted<'a>: "files_persisted" {
        files: Vec<PersistedFile<'a>> = "files",
        failed: Vec<PersistedFile<'a>> = "failed",
        processed_at: Option<Time<'a>> = "processed_at",
    }

    /// A file that was stored, or failed to be.
    pub struct PersistedFile<'a>: "persisted file" {
        filename: Option<Text<'a>> = "filename",
        file_id: Option<Text<'a>> = "file_id",
        error: Option<Text<'a>> = "error",
    }

    /// Files sent with a message that did not arrive.
    pub struct FileAttachmentsMissing<'a>: "file_attachments_missing" {
        message_uuid: Option<EntryId<'a>> = "message_uuid",
        sent_count: Option<i64> = "sent_count",
        missing: Vec<MissingFile<'a>> = "missing",
    }

    /// A file that did not arrive.
    pub struct MissingFile<'a>: "missing file" {
        file_uuid: Option<Text<'a>> = "file_uuid",
        reason: Option<Text<'a>> = "reason",
    }

    /// Memories were looked up.
    pub struct MemoryRecall<'a>: "memory_recall" {
        mode: Option<Text<'a>> = "mode",
        memories: Vec<RecalledMemory<'a>> = "memories",
    }

    /// A memory that was found.
    pub struct RecalledMemory<'a>: "recalled memory" {
        path: Option<Text<'a>> = "path",
        scope: Option<Text<'a>> = "scope",
        content: Option<Text<'a>> = "content",
    }

    /// The user answered an MCP server.
    pub struct ElicitationComplete<'a>: "elicitation_complete" {
        mcp_server_name: Option<Text<'a>> = "mcp_server_name",
        elicitation_id: Option<Text<'a>> = "elicitation_id",
    }

    /// The slash commands that are now available.
    pub struct CommandsChanged<'a>: "commands_changed" {
        commands: Vec<SlashCommand<'a>> = "commands",
    }

    /// A slash command.
    pub struct SlashCommand<'a>: "slash command" {
        name: Option<Text<'a>> = "name",
        description: Option<Text<'a>> = "description",
        argument_hint: Option<Text<'a>> = "argumentHint",
        aliases: Vec<Text<'a>> = "aliases",
        builtin: Option<bool> = "builtin",
    }

    /// A plugin is being installed.
    pub struct PluginInstall<'a>: "plugin_install" {
        status: Option<Text<'a>> = "status",
        name: Option<Text<'a>> = "name",
        error: Option<Text<'a>> = "error",
    }

    /// A control request takes a long time.
    pub struct ControlRequestProgress<'a>: "control_request_progress" {
        status: Option<Text<'a>> = "status",
        attempt: Option<i64> = "attempt",
        max_retries: Option<i64> = "max_retries",
        retry_delay_ms: Option<f64> = "retry_delay_ms",
        error_status: Option<i64> = "error_status",
    }

    /// The process ends.
    pub struct WorkerShuttingDown<'a>: "worker_shutting_down" {
        reason: Option<Text<'a>> = "reason",
    }

    /// A copy of the transcript could not be written.
    pub struct MirrorError<'a>: "mirror_error" {
        error: Option<Text<'a>> = "error",
        key: Option<MirrorKey<'a>> = "key",
    }

    /// The destination of the copy.
    pub struct MirrorKey<'a>: "mirror key" {
        project_key: Option<Text<'a>> = "projectKey",
        session_id: Option<SessionId<'a>> = "sessionId",
        subpath: Option<Text<'a>> = "subpath",
    }

    /// Entries that could not be written.
    pub struct SessionWritesLost<'a>: "session_writes_lost" {
        error_code: Option<Text<'a>> = "error_code",
        lost: Vec<Raw<'a>> = "lost",
        transcript_session_ids: Vec<SessionId<'a>> = "transcript_session_ids",
    }
}
