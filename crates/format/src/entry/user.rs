//! `user`: prompts, tool results, and every other message in the user role.

use crate::id::{EntryId, MessageId, ToolUseId};
use crate::json::{Raw, Text, Time, record, words};
use crate::message::Message;
use crate::tool::Structured;

record! {
    /// A `user` entry (docs/format B.1, C.2, H.2).
    pub struct User<'a>: "user" {
        message: Option<Box<Message<'a>>> = "message",
        /// The structured result, typed by the tool's name: [`crate::tool::read_result`].
        tool_use_result: Option<Structured<'a>> = "toolUseResult" | "tool_use_result",
        source_tool_assistant_uuid: Option<EntryId<'a>> = "sourceToolAssistantUUID" | "source_tool_assistant_uuid",
        source_tool_use_id: Option<ToolUseId<'a>> = "sourceToolUseID" | "source_tool_use_id",
        is_compact_summary: Option<bool> = "isCompactSummary" | "is_compact_summary",
        is_visible_in_transcript_only: Option<bool> = "isVisibleInTranscriptOnly" | "is_visible_in_transcript_only",
        summarize_metadata: Option<Raw<'a>> = "summarizeMetadata" | "summarize_metadata",
        repeats_compact_summary: Option<Raw<'a>> = "repeatsCompactSummary",
        summarized_turn_prompt_uuids: Vec<EntryId<'a>> = "summarizedTurnPromptUuids",
        permission_mode: Option<PermissionMode<'a>> = "permissionMode" | "permission_mode",
        thinking_metadata: Option<ThinkingMetadata<'a>> = "thinkingMetadata",
        todos: Vec<Raw<'a>> = "todos",
        /// Numbers of the pasted images, as in `[Image #2]`, in addition to the image blocks.
        image_paste_ids: Vec<i64> = "imagePasteIds" | "image_paste_ids",
        plan_content: Option<Text<'a>> = "planContent" | "plan_content",
        origin: Option<Origin<'a>> = "origin",
        prompt_source: Option<Text<'a>> = "promptSource" | "prompt_source",
        turn_origin: Option<Text<'a>> = "turnOrigin" | "turn_origin",
        turn_position: Option<Raw<'a>> = "turnPosition" | "turn_position",
        turn_companion: Option<Raw<'a>> = "turnCompanion" | "turn_companion",
        queue_priority: Option<Text<'a>> = "queuePriority" | "priority",
        queue_origin: Option<Raw<'a>> = "queueOrigin",
        queue_skip_attachments: Option<bool> = "queueSkipAttachments",
        queue_skip_slash_commands: Option<bool> = "queueSkipSlashCommands",
        queue_transcript_only: Option<bool> = "queueTranscriptOnly",
        tool_denial_kind: Option<ToolDenial<'a>> = "toolDenialKind",
        permission_decision: Option<Raw<'a>> = "permissionDecision",
        tool_ends_turn: Option<bool> = "toolEndsTurn",
        user_feedback: Option<Raw<'a>> = "userFeedback",
        classifier_meta_lines: Option<Raw<'a>> = "classifierMetaLines",
        server_classifier_context: Option<Raw<'a>> = "serverClassifierContext",
        interrupted_message_id: Option<MessageId<'a>> = "interruptedMessageId" | "interrupted_message_id",
        interrupted_by_shutdown: Option<bool> = "interruptedByShutdown",
        mcp_meta: Option<Raw<'a>> = "mcpMeta" | "mcp_meta",
        scheduled_task_id: Option<Text<'a>> = "scheduledTaskId",
        scheduled_fire_id: Option<Text<'a>> = "scheduledFireId",
        refused_message_id: Option<MessageId<'a>> = "refusedMessageId" | "refused_message_id",
        is_synthetic: Option<bool> = "isSynthetic",
        is_replay: Option<bool> = "isReplay",
        should_query: Option<bool> = "shouldQuery",
        client_composed: Option<Raw<'a>> = "client_composed",
        file_attachments: Option<Raw<'a>> = "file_attachments",
        pasted_content: Option<Raw<'a>> = "pasted_content",
        inline_pastes: Option<Raw<'a>> = "inline_pastes",
        tool_result_meta: Option<Raw<'a>> = "tool_result_meta",
        is_virtual: Option<bool> = "is_virtual" | "isVirtual",
        historical: Option<bool> = "historical",
        initiator: Option<Raw<'a>> = "initiator",
        inbound_origin: Option<Raw<'a>> = "inbound_origin",
        text_not_typed: Option<Raw<'a>> = "text_not_typed",
        /// On the stream: the type of the subagent that speaks.
        subagent_type: Option<Text<'a>> = "subagent_type",
        task_description: Option<Text<'a>> = "task_description",
        /// The duration of the entry, up to about 1.0.9.
        duration_ms: Option<f64> = "durationMs",
    }

    /// The requested amount of thinking (2.0.x to 2.1.5x).
    pub struct ThinkingMetadata<'a>: "thinkingMetadata" {
        level: Option<Text<'a>> = "level",
        disabled: Option<bool> = "disabled",
        triggers: Vec<Raw<'a>> = "triggers",
        max_thinking_tokens: Option<i64> = "maxThinkingTokens",
    }

    /// The origin of a message in the user role.
    pub struct Origin<'a>: "origin" {
        kind: Option<OriginKind<'a>> = "kind",
        subkind: Option<Text<'a>> = "subkind",
        fire_reason: Option<Text<'a>> = "fireReason",
        run_id: Option<Text<'a>> = "runId",
        from: Option<Text<'a>> = "from",
        name: Option<Text<'a>> = "name",
        from_mode: Option<Text<'a>> = "fromMode",
        from_session: Option<Text<'a>> = "fromSession",
        sender_task_id: Option<Text<'a>> = "senderTaskId",
        body: Option<Text<'a>> = "body",
        verified_peer_pid: Option<i64> = "verifiedPeerPid",
        server: Option<Text<'a>> = "server",
        at: Option<Time<'a>> = "timestamp",
    }
}

words! {
    /// The speaker of a message in the user role.
    pub enum OriginKind {
        Human = "human",
        TaskNotification = "task-notification",
        Coordinator = "coordinator",
        Peer = "peer",
        Channel = "channel",
        Observer = "observer",
        ObserverActivity = "observer-activity",
        AutoContinuation = "auto-continuation",
        Unclassified = "unclassified",
    }

    /// The permission mode of a session.
    pub enum PermissionMode {
        Default = "default",
        AcceptEdits = "acceptEdits",
        BypassPermissions = "bypassPermissions",
        Plan = "plan",
        Auto = "auto",
        DontAsk = "dontAsk",
        Ask = "ask",
    }

    /// Why a call was denied.
    pub enum ToolDenial {
        UserRejected = "user-rejected",
        PermissionRule = "permission-rule",
        AutoModeBlocked = "automode-blocked",
        AutoModeUnavailable = "automode-unavailable",
        Interrupted = "interrupted",
    }
}
