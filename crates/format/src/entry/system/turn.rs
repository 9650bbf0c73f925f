//! Events of a turn that are in transcripts: compactions, hooks, errors, changes of model.

use crate::id::{EntryId, RequestId, TaskId, ToolUseId};
use crate::json::fields::Each;
use crate::json::{Broken, Cursor, Map, Notes, Raw, Shape, Text, Value, Visit, record, words};
use crate::tool::ArtifactVersion;

words! {
    /// The trigger of a compaction.
    pub enum CompactTrigger {
        Auto = "auto",
        Manual = "manual",
    }

    /// The effect of a model change on the messages so far.
    pub enum FallbackDirection {
        Retry = "retry",
        Revert = "revert",
        Sticky = "sticky",
    }
}

record! {
    /// A compaction (docs/format B.3.1, G.5).
    pub struct CompactBoundary<'a>: "compact_boundary" {
        metadata: Option<CompactMetadata<'a>> = "compactMetadata" | "compact_metadata",
    }

    /// The effect of a compaction.
    pub struct CompactMetadata<'a>: "compactMetadata" {
        trigger: Option<CompactTrigger<'a>> = "trigger",
        pre_tokens: Option<i64> = "preTokens" | "pre_tokens",
        post_tokens: Option<i64> = "postTokens" | "post_tokens",
        duration_ms: Option<f64> = "durationMs" | "duration_ms",
        cumulative_dropped_tokens: Option<i64> = "cumulativeDroppedTokens" | "cumulative_dropped_tokens",
        pre_compact_discovered_tools: Vec<Text<'a>> = "preCompactDiscoveredTools" | "pre_compact_discovered_tools",
        messages_summarized: Option<i64> = "messagesSummarized" | "messages_summarized",
        /// The user's instructions for the summary.
        user_context: Option<Text<'a>> = "userContext" | "user_context",
        /// Set when only a part was summarised.
        direction: Option<Text<'a>> = "direction",
        preserved_segment: Option<PreservedSegment<'a>> = "preservedSegment" | "preserved_segment",
        preserved_messages: Option<PreservedMessages<'a>> = "preservedMessages" | "preserved_messages",
        /// Artifacts that the conversation had read.
        artifact_versions: Vec<ArtifactVersion<'a>>
            = "preCompactArtifactReadVersions" | "pre_compact_artifact_read_versions",
    }

    /// A run of entries that was kept word for word (mid-2026).
    pub struct PreservedSegment<'a>: "preservedSegment" {
        head_uuid: Option<EntryId<'a>> = "headUuid" | "head_uuid",
        anchor_uuid: Option<EntryId<'a>> = "anchorUuid" | "anchor_uuid",
        tail_uuid: Option<EntryId<'a>> = "tailUuid" | "tail_uuid",
    }

    /// Entries that were kept word for word.
    pub struct PreservedMessages<'a>: "preservedMessages" {
        anchor_uuid: Option<EntryId<'a>> = "anchorUuid" | "anchor_uuid",
        uuids: Vec<EntryId<'a>> = "uuids",
        all_uuids: Vec<EntryId<'a>> = "allUuids" | "all_uuids",
    }

    /// A small compaction that only drops tool results.
    pub struct MicrocompactBoundary<'a>: "microcompact_boundary" {
        metadata: Option<MicrocompactMetadata<'a>> = "microcompactMetadata" | "microcompact_metadata",
    }

    /// The results that a small compaction dropped.
    pub struct MicrocompactMetadata<'a>: "microcompactMetadata" {
        trigger: Option<CompactTrigger<'a>> = "trigger",
        pre_tokens: Option<i64> = "preTokens" | "pre_tokens",
        tokens_saved: Option<i64> = "tokensSaved" | "tokens_saved",
        compacted_tool_ids: Vec<ToolUseId<'a>> = "compactedToolIds" | "compacted_tool_ids",
        cleared_attachment_uuids: Vec<EntryId<'a>> = "clearedAttachmentUUIDs" | "cleared_attachment_uuids",
    }

    /// A built-in command; its tags are in the entry's content.
    pub struct LocalCommand<'a>: "local_command" {
        command_run: Option<Raw<'a>> = "commandRun" | "command_run",
        /// The output of `/context`.
        context_usage: Option<Raw<'a>> = "contextUsage" | "context_usage",
        source: Option<Text<'a>> = "source",
    }

    /// The duration of a turn; interactive sessions only.
    pub struct TurnDuration: "turn_duration" {
        duration_ms: Option<f64> = "durationMs" | "duration_ms",
        message_count: Option<i64> = "messageCount" | "message_count",
        pending_background_agents: Option<i64> = "pendingBackgroundAgentCount" | "pending_background_agent_count",
        pending_workflows: Option<i64> = "pendingWorkflowCount" | "pending_workflow_count",
    }

    /// The results of the stop hooks at the end of a turn.
    pub struct StopHookSummary<'a>: "stop_hook_summary" {
        hook_count: Option<i64> = "hookCount" | "hook_count",
        hook_infos: Vec<StopHook<'a>> = "hookInfos" | "hook_infos",
        hook_errors: Vec<Text<'a>> = "hookErrors" | "hook_errors",
        hook_additional_context: Vec<Text<'a>> = "hookAdditionalContext" | "hook_additional_context",
        prevented_continuation: Option<bool> = "preventedContinuation" | "prevented_continuation",
        stop_reason: Option<Text<'a>> = "stopReason" | "stop_reason",
        has_output: Option<bool> = "hasOutput" | "has_output",
    }

    /// One stop hook.
    pub struct StopHook<'a>: "hookInfos" {
        command: Option<Text<'a>> = "command",
        duration_ms: Option<f64> = "durationMs" | "duration_ms",
        prompt_text: Option<Text<'a>> = "promptText" | "prompt_text",
    }

    /// A request that failed and is retried (docs/format B.3.2).
    pub struct ApiError<'a>: "api_error" {
        error: Option<ErrorShape<'a>> = "error",
        cause: Option<ErrorCause<'a>> = "cause",
        retry_in_ms: Option<f64> = "retryInMs" | "retry_in_ms",
        retry_attempt: Option<i64> = "retryAttempt" | "retry_attempt",
        max_retries: Option<i64> = "maxRetries" | "max_retries",
        source: Option<Text<'a>> = "source",
    }

    /// An error as it was thrown. Old ones contain the response's headers, with the organisation's id.
    pub struct ErrorDetail<'a>: "api error" {
        status: Option<i64> = "status",
        message: Option<Text<'a>> = "message",
        formatted: Option<Text<'a>> = "formatted",
        name: Option<Text<'a>> = "name",
        kind: Option<Text<'a>> = "type",
        code: Option<Text<'a>> = "code",
        request_id: Option<RequestId<'a>> = "requestID" | "requestId" | "request_id",
        headers: Map<'a, Raw<'a>> = "headers",
        /// The response's body.
        body: Option<ErrorBody<'a>> = "error",
        cause: Option<ErrorCause<'a>> = "cause",
        connection: Option<ErrorCause<'a>> = "connection",
        is_network_down: Option<bool> = "isNetworkDown",
        rate_limits: Option<Raw<'a>> = "rateLimits",
    }

    /// The body of the API's answer: `{"type":"error","error":{…}}`.
    pub struct ErrorBody<'a>: "api error body" {
        kind: Option<Text<'a>> = "type",
        message: Option<Text<'a>> = "message",
        error: Option<ErrorReason<'a>> = "error",
        request_id: Option<RequestId<'a>> = "request_id",
        details: Option<Raw<'a>> = "details",
    }

    /// The API's own name for the error.
    pub struct ErrorReason<'a>: "api error reason" {
        kind: Option<Text<'a>> = "type",
        message: Option<Text<'a>> = "message",
        code: Option<Text<'a>> = "code",
        details: Option<Raw<'a>> = "details",
    }

    /// The error of the connection.
    pub struct ErrorCause<'a>: "api error cause" {
        code: Option<Text<'a>> = "code",
        message: Option<Text<'a>> = "message",
        path: Option<Text<'a>> = "path",
        errno: Option<i64> = "errno",
        is_ssl_error: Option<bool> = "isSSLError",
        cause: Option<Raw<'a>> = "cause",
    }

    /// A recap; the prose is the entry's content.
    pub struct AwaySummary: "away_summary" {}

    /// A remark to the user.
    pub struct Informational<'a>: "informational" {
        prevent_continuation: Option<bool> = "preventContinuation" | "prevent_continuation",
        tag: Option<Text<'a>> = "tag",
        source: Option<Text<'a>> = "source",
    }

    /// Remote control of the session.
    pub struct BridgeStatus<'a>: "bridge_status" {
        url: Option<Text<'a>> = "url",
        upgrade_nudge: Option<Text<'a>> = "upgradeNudge" | "upgrade_nudge",
    }

    /// Another model takes over, or none does.
    pub struct ModelChange<'a>: "model fallback" {
        direction: Option<FallbackDirection<'a>> = "direction",
        scope: Option<Text<'a>> = "scope",
        trigger: Option<Text<'a>> = "trigger",
        original_model: Option<Text<'a>> = "originalModel" | "original_model",
        fallback_model: Option<Text<'a>> = "fallbackModel" | "fallback_model",
        refusal_category: Option<Text<'a>> = "apiRefusalCategory" | "api_refusal_category",
        refusal_explanation: Option<Text<'a>> = "apiRefusalExplanation" | "api_refusal_explanation",
        /// Entries to be shown struck out.
        retracted_message_uuids: Vec<EntryId<'a>> = "retractedMessageUuids" | "retracted_message_uuids",
        refused_user_message_uuid: Option<EntryId<'a>> = "refusedUserMessageUuid" | "refused_user_message_uuid",
    }

    /// A scheduled prompt is due.
    pub struct ScheduledTaskFire<'a>: "scheduled_task_fire" {
        cron_kind: Option<Text<'a>> = "cronKind" | "cron_kind",
        cron: Option<Text<'a>> = "cron",
        prompt: Option<Text<'a>> = "prompt",
        task_id: Option<TaskId<'a>> = "taskId" | "task_id",
        source: Option<Text<'a>> = "source",
    }

    /// Background agents were stopped.
    pub struct AgentsKilled: "agents_killed" {}

    /// Calls are retried under another permission mode.
    pub struct PermissionRetry<'a>: "permission_retry" {
        commands: Vec<Text<'a>> = "commands",
    }

    /// The user's words in a voice call, beside the text in `content`.
    pub struct VoiceCallTalk<'a>: "voice_call_talk" {
        blocks: Option<Raw<'a>> = "blocks",
        message_version: Option<i64> = "msgV" | "msg_v",
    }

    /// Memory files were written.
    pub struct MemorySaved<'a>: "memory_saved" {
        written_paths: Vec<Text<'a>> = "writtenPaths" | "written_paths",
    }

    /// Copies of the session's own files, for rewinding.
    pub struct FileSnapshot<'a>: "file_snapshot" {
        files: Vec<Raw<'a>> = "snapshotFiles" | "snapshot_files" | "files",
    }

    /// The text is the entry's content.
    pub struct ShownThinking: "thinking event" {}

    /// Speed of a turn.
    pub struct ApiMetrics: "api_metrics" {
        ttft_ms: Option<f64> = "ttftMs" | "ttft_ms",
    }
}

/// An error in any of its recorded forms.
#[derive(Debug, Clone, PartialEq)]
pub enum ErrorShape<'a> {
    /// Only a text.
    Text(Text<'a>),
    /// The error object.
    Object(Box<ErrorDetail<'a>>),
}

impl Visit for ErrorShape<'_> {
    fn visit<'e>(&'e self, key: &'e str, each: &mut Each<'_, 'e>) {
        match self {
            Self::Text(text) => text.visit(key, each),
            Self::Object(detail) => detail.visit(key, each),
        }
    }
    fn shape() -> Shape {
        Shape::Either(vec![Text::shape, ErrorDetail::shape])
    }
}

impl<'a> Value<'a> for ErrorShape<'a> {
    const EXPECTED: &'static str = "text or an object";

    fn from_text(text: &'a str) -> Option<Self> {
        Some(Self::Text(Text::from(text)))
    }

    fn from_map(cursor: &mut Cursor<'a>, notes: &mut Notes<'a>) -> Result<Option<Self>, Broken> {
        Ok(ErrorDetail::from_map(cursor, notes)?.map(|detail| Self::Object(Box::new(detail))))
    }
}

impl<'a> ApiError<'a> {
    fn detail(&self) -> Option<&ErrorDetail<'a>> {
        match &self.error {
            Some(ErrorShape::Object(detail)) => Some(detail),
            Some(ErrorShape::Text(_)) | None => None,
        }
    }

    fn body(&self) -> Option<&ErrorBody<'a>> {
        self.detail()?.body.as_ref()
    }

    fn causes(&self) -> impl Iterator<Item = &ErrorCause<'a>> {
        let detail = self.detail();
        let of_detail = detail.and_then(|detail| detail.cause.as_ref());
        let connection = detail.and_then(|detail| detail.connection.as_ref());
        of_detail.into_iter().chain(connection).chain(&self.cause)
    }

    /// The text of the error: the innermost message.
    pub fn message(&self) -> Option<Text<'a>> {
        if let Some(ErrorShape::Text(text)) = self.error {
            return Some(text);
        }
        let body = self.body();
        let inner = body.and_then(|body| body.error.as_ref().and_then(|reason| reason.message).or(body.message));
        inner
            .or_else(|| self.detail().and_then(|detail| detail.message.or(detail.formatted)))
            .or_else(|| self.causes().find_map(|cause| cause.message))
    }

    /// The name of the error: `overloaded_error`, `ECONNRESET`…
    pub fn code(&self) -> Option<Text<'a>> {
        self.body()
            .and_then(|body| body.error.as_ref().and_then(|reason| reason.kind))
            .or_else(|| self.causes().find_map(|cause| cause.code))
            .or_else(|| self.detail().and_then(|detail| detail.code.or(detail.kind)))
    }

    /// The HTTP status, if there was a response.
    pub fn status(&self) -> Option<i64> {
        self.detail()?.status
    }

    /// The request that failed.
    pub fn request_id(&self) -> Option<RequestId<'a>> {
        self.detail()?.request_id.or_else(|| self.body()?.request_id)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Scratch;
    use crate::json::read_value;

    /// The status, name, text and request of an error in any of its forms.
    fn parts_of_error(json: &str) -> (Option<i64>, String, String, String) {
        let scratch = Scratch::default();
        let error: ApiError<'_> = read_value(json, &mut Notes::new(&scratch)).expect("an object");
        let words = |text: Option<Text<'_>>| text.map(|text| text.to_string()).unwrap_or_default();
        let request = error.request_id().map(|id| id.to_string()).unwrap_or_default();
        (error.status(), words(error.code()), words(error.message()), request)
    }

    fn expected(
        status: Option<i64>,
        code: &str,
        message: &str,
        request: &str,
    ) -> (Option<i64>, String, String, String) {
        (status, code.to_owned(), message.to_owned(), request.to_owned())
    }

    #[test]
    fn errors_are_understood_in_every_shape() {
        assert_eq!(
            parts_of_error(
                r#"{"error":{"status":529,"requestID":"req_1","error":{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}}}"#
            ),
            expected(Some(529), "overloaded_error", "Overloaded", "req_1")
        );
        assert_eq!(
            parts_of_error(r#"{"error":{"cause":{"code":"ECONNRESET","errno":0}},"cause":{"code":"ECONNRESET"}}"#),
            expected(None, "ECONNRESET", "", "")
        );
        assert_eq!(parts_of_error(r#"{"error":{},"retryInMs":537.9}"#), expected(None, "", "", ""));
        assert_eq!(
            parts_of_error(
                r#"{"error":{"message":"Connection error.","status":529,"requestId":"req_2","connection":{"code":"ECONNREFUSED","message":"refused"}},"cause":null}"#
            ),
            expected(Some(529), "ECONNREFUSED", "Connection error.", "req_2")
        );
        assert_eq!(parts_of_error(r#"{"error":"Connection reset"}"#), expected(None, "", "Connection reset", ""));
        assert_eq!(parts_of_error(r#"{"error":[1,2]}"#), expected(None, "", "", ""));
    }
}
