//! Attachments that are known from the names and keys in the published program only (docs/format B.4).
//!
//! None was seen in a real file, so the values are read loosely: as text where a reader needs them, else as JSON.

use crate::id::ToolUseId;
use crate::json::{Raw, Text, record};

record! {
    /// Tool results that were shortened in the context.
    pub struct ToolResultsCut<'a>: "tool_results_cut" {
        call_ids: Vec<ToolUseId<'a>> = "callIds",
        stand_in: Option<Raw<'a>> = "standIn",
        rough_tokens: Option<i64> = "roughTokens",
    }

    /// Thinking that was left out of a request.
    pub struct ThinkingDrop<'a>: "thinking_drop" {
        request_id: Option<Text<'a>> = "requestId",
        model: Option<Text<'a>> = "model",
        query_source: Option<Text<'a>> = "querySource",
        requested_behavior: Option<Raw<'a>> = "requestedBehavior",
        thinking_blocks_sent: Option<Raw<'a>> = "thinkingBlocksSent",
        thinking_turns_sent: Option<Raw<'a>> = "thinkingTurnsSent",
        newly_dropped: Option<Raw<'a>> = "newlyDropped",
        block_hashes: Option<Raw<'a>> = "blockHashes",
    }

    /// Thinking that was removed from the history.
    pub struct ThinkingStripped<'a>: "thinking_stripped" {
        scope: Option<Raw<'a>> = "scope",
        from: Option<Raw<'a>> = "from",
    }

    /// Scheduled tasks that a resumed session takes over.
    pub struct SessionCronCarry<'a>: "session_cron_carry" {
        tasks: Vec<Raw<'a>> = "tasks",
        other_armed: Option<Raw<'a>> = "otherArmed",
        wakeup: Option<Raw<'a>> = "wakeup",
        tick_prompt: Option<Text<'a>> = "tickPrompt",
    }

    /// The files of images in a prompt.
    pub struct InlinedImagePaths<'a>: "inlined_image_paths" {
        paths: Vec<Text<'a>> = "paths",
        names: Vec<Text<'a>> = "names",
    }

    /// A note about one call.
    pub struct CallNote<'a>: "call note" {
        tool_use_id: Option<ToolUseId<'a>> = "toolUseID",
    }

    /// A skill or an agent that a prompt mentions.
    pub struct Mention<'a>: "mention" {
        name: Option<Text<'a>> = "skillName" | "agentType",
    }

    /// Another session that a prompt mentions.
    pub struct PeerMention<'a>: "peer_mention" {
        mention: Option<Text<'a>> = "mention",
        status: Option<Text<'a>> = "status",
        candidates: Option<Raw<'a>> = "candidates",
        total: Option<i64> = "total",
    }

    /// Files that a prompt mentions with `@`.
    pub struct AtMentionReference<'a>: "at_mention_reference" {
        mentions: Vec<Raw<'a>> = "mentions",
        unread: Option<Raw<'a>> = "unread",
        file_size: Option<i64> = "fileSize",
        display_path: Option<Text<'a>> = "displayPath",
    }

    /// A PDF that a prompt mentions.
    pub struct PdfReference<'a>: "pdf_reference" {
        filename: Option<Text<'a>> = "filename",
        display_path: Option<Text<'a>> = "displayPath",
        page_count: Option<i64> = "pageCount",
        file_size: Option<i64> = "fileSize",
        still_arriving: Option<bool> = "stillArriving",
    }

    /// Documents that were read for the prompt.
    pub struct DocumentReads<'a>: "document reads" {
        reads: Vec<Raw<'a>> = "reads",
    }

    /// Where a prompt is shown.
    pub struct PromptRenderPoint<'a>: "prompt_render_point" {
        cause: Option<Raw<'a>> = "cause",
    }

    /// The late answers of several hooks.
    pub struct HookBatch<'a>: "async_hook_response_batch" {
        hooks: Vec<Raw<'a>> = "hooks",
    }

    /// A call that a hook put off.
    pub struct HookDeferredTool<'a>: "hook_deferred_tool" {
        hook_name: Option<Text<'a>> = "hookName",
        hook_event: Option<Text<'a>> = "hookEvent",
        tool_use_id: Option<ToolUseId<'a>> = "toolUseID",
        tool_name: Option<Text<'a>> = "toolName",
        tool_input: Option<Raw<'a>> = "toolInput",
        permission_mode: Option<Text<'a>> = "permissionMode",
    }

    /// Lines about tools that run on another machine.
    pub struct ToolHosts<'a>: "tool hosts" {
        tool_use_id: Option<ToolUseId<'a>> = "toolUseID",
        host: Option<Raw<'a>> = "host",
        label: Option<Text<'a>> = "label",
        lines: Vec<Text<'a>> = "lines",
    }

    /// Events that arrived while the session waited.
    pub struct PollEvents<'a>: "poll_events" {
        envelopes: Vec<Raw<'a>> = "envelopes",
        kinds: Vec<Text<'a>> = "kinds",
        remaining_wake_count: Option<i64> = "remainingWakeCount",
        delivered_via: Option<Text<'a>> = "deliveredVia",
        poll_call: Option<Raw<'a>> = "pollCall",
    }

    /// Context from the coordinator or the account.
    pub struct GivenContext<'a>: "given context" {
        content: Option<Text<'a>> = "content",
        changed: Option<Raw<'a>> = "changed",
        version: Option<Raw<'a>> = "version",
        kind: Option<Text<'a>> = "kind",
    }

    /// Memories that were not passed on.
    pub struct WithheldMemory<'a>: "withheld_memory" {
        entries: Option<Raw<'a>> = "entries",
    }

    /// The sections of the context.
    pub struct ContextSections<'a>: "context_sections" {
        sections: Option<Raw<'a>> = "sections",
    }

    /// Lines of the desktop app.
    pub struct AppNotice<'a>: "claude_app_notice" {
        lines: Vec<Text<'a>> = "lines",
    }

    /// A command that does not exist.
    pub struct UnknownCommandFallback<'a>: "unknown_command_fallback" {
        command_name: Option<Text<'a>> = "commandName",
        suggestion: Option<Text<'a>> = "suggestion",
        available_command_names: Vec<Text<'a>> = "availableCommandNames",
        available_command_count: Option<i64> = "availableCommandCount",
    }

    /// Whether the advisor is available.
    pub struct AdvisorTool<'a>: "advisor_tool" {
        available: Option<bool> = "available",
        model: Option<Text<'a>> = "model",
        tool_change: Option<Raw<'a>> = "toolChange",
    }

    /// A question of a project's thread.
    pub struct ProjectsThreadAsk<'a>: "projects_thread_ask" {
        call: Option<Raw<'a>> = "call",
        after: Option<Raw<'a>> = "after",
    }

    /// Servers that need a login.
    pub struct ServersWithoutLogin<'a>: "repl_mcp_needs_auth" {
        servers: Vec<Text<'a>> = "servers",
    }

    /// Tools that the model has not looked for.
    pub struct UndiscoveredTools<'a>: "tool_search_usage_reminder" {
        names: Vec<Text<'a>> = "undiscoveredToolNames",
        count: Option<i64> = "undiscoveredCount",
    }

    /// The widgets that are shown.
    pub struct WidgetContextHint<'a>: "widget_context_hint" {
        views: Option<Raw<'a>> = "views",
    }

    /// An image that changed on disk outside the session.
    pub struct EditedImageFile<'a>: "edited_image_file" {
        filename: Option<Text<'a>> = "filename",
        content: Option<Raw<'a>> = "content",
    }

    /// Teammates that shut down.
    pub struct TeammateShutdown: "teammate_shutdown_batch" {
        count: Option<i64> = "count",
    }

    /// The language of the answers.
    pub struct Language<'a>: "language" {
        language: Option<Text<'a>> = "language",
    }

    /// How large workflows may be.
    pub struct WorkflowSize<'a>: "workflow_size_guideline_change" {
        size: Option<Text<'a>> = "size",
    }
}
