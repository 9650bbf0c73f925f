//! `attachment`: context that Claude Code adds by itself (docs/format B.4).
//!
//! The user wrote none of it, except queued commands.

mod file;
mod hook;
mod listing;
mod newest;
mod reminder;

pub use file::*;
pub use hook::*;
pub use listing::*;
pub use newest::*;
pub use reminder::*;

use crate::json::tagged;

tagged! {
    /// The attached context, by its `type`.
    pub enum Attachment<'a>: "attachment" by "type" {
        TotalTokensReminder(Reminder<'a>) = "total_tokens_reminder",
        SilentTurnReminder(Reminder<'a>) = "silent_turn_reminder",
        BatchingReminderSent(Reminder<'a>) = "batching_reminder_sent",
        CriticalSystemReminder(Reminder<'a>) = "critical_system_reminder",
        CompactionReminder(Reminder<'a>) = "compaction_reminder",
        BatchingReminder(Reminder<'a>) = "batching_reminder",
        SecondaryReminder(Reminder<'a>) = "secondary_reminder",
        SecondaryReminderSent(Reminder<'a>) = "secondary_reminder_sent",
        ElapsedTimeReminder(Reminder<'a>) = "elapsed_time_reminder",
        ToolSearchUsageReminder(UndiscoveredTools<'a>) = "tool_search_usage_reminder",
        ReadTruncationNotice(ReadTruncationNotice<'a>) = "read_truncation_notice",

        HookSuccess(Box<HookOutcome<'a>>) = "hook_success",
        HookNonBlockingError(Box<HookOutcome<'a>>) = "hook_non_blocking_error",
        HookErrorDuringExecution(Box<HookOutcome<'a>>) = "hook_error_during_execution",
        HookCancelled(Box<HookOutcome<'a>>) = "hook_cancelled",
        HookBlockingError(Box<HookBlockingError<'a>>) = "hook_blocking_error",
        HookAdditionalContext(Box<HookContext<'a>>) = "hook_additional_context",
        HookSystemMessage(Box<HookContext<'a>>) = "hook_system_message",
        HookPermissionDecision(Box<HookDecision<'a>>) = "hook_permission_decision",
        HookStoppedContinuation(Box<HookStop<'a>>) = "hook_stopped_continuation",
        AsyncHookResponse(Box<AsyncHookResponse<'a>>) = "async_hook_response",
        AsyncHookResponseBatch(HookBatch<'a>) = "async_hook_response_batch",
        HookDeferredTool(Box<HookDeferredTool<'a>>) = "hook_deferred_tool",

        /// A message that the user typed while the model worked, or a notice that arrived.
        QueuedCommand(Box<QueuedCommand<'a>>) = "queued_command",
        PromptAsFile(PromptAsFile<'a>) = "prompt_as_file",
        PromptRenderPoint(PromptRenderPoint<'a>) = "prompt_render_point",
        UnknownCommandFallback(Box<UnknownCommandFallback<'a>>) = "unknown_command_fallback",
        PollEvents(Box<PollEvents<'a>>) = "poll_events",
        TaskReminder(TaskReminder<'a>) = "task_reminder",
        TodoReminder(TodoReminder<'a>) = "todo_reminder",
        TaskStatus(Box<TaskStatus<'a>>) = "task_status",
        GoalStatus(Box<GoalStatus<'a>>) = "goal_status",
        BudgetUsd(Box<Budget>) = "budget_usd",
        TokenUsage(Box<Budget>) = "token_usage",
        MaxTurnsReached(NameOnly) = "max_turns_reached",

        SkillListing(Box<SkillListing<'a>>) = "skill_listing",
        DynamicSkill(Box<DynamicSkill<'a>>) = "dynamic_skill",
        InvokedSkills(InvokedSkills<'a>) = "invoked_skills",
        SkillDiscovery(NameOnly) = "skill_discovery",
        SkillMention(Mention<'a>) = "skill_mention",
        AgentMention(Mention<'a>) = "agent_mention",
        PeerMention(Box<PeerMention<'a>>) = "peer_mention",
        DeferredToolsDelta(Box<DeferredToolsDelta<'a>>) = "deferred_tools_delta",
        DeferredToolsRecord(DeferredToolsRecord<'a>) = "deferred_tools_record",
        McpInstructionsDelta(Box<McpInstructionsDelta<'a>>) = "mcp_instructions_delta",
        AgentListingDelta(Box<AgentListingDelta<'a>>) = "agent_listing_delta",
        CommandPermissions(CommandPermissions<'a>) = "command_permissions",
        AdvisorTool(AdvisorTool<'a>) = "advisor_tool",
        ReplMcpNeedsAuth(ServersWithoutLogin<'a>) = "repl_mcp_needs_auth",
        ToolHostResultLines(Box<ToolHosts<'a>>) = "tool_host_result_lines",
        ToolHostsNotice(Box<ToolHosts<'a>>) = "tool_hosts_notice",
        ToolHostsCorrection(Box<ToolHosts<'a>>) = "tool_hosts_correction",
        ToolResultsCut(Box<ToolResultsCut<'a>>) = "tool_results_cut",
        ArtifactOpeningPrefetch(Box<GivenContext<'a>>) = "artifact_opening_prefetch",
        ProjectsThreadAsk(ProjectsThreadAsk<'a>) = "projects_thread_ask",
        LinkedPluginToolsNote(Reminder<'a>) = "linked_plugin_tools_note",
        PluginNote(NameOnly) = "plugin_note",

        PlanMode(PlanMode<'a>) = "plan_mode",
        PlanModeExit(PlanMode<'a>) = "plan_mode_exit",
        PlanModeReentry(PlanMode<'a>) = "plan_mode_reentry",
        PlanFileReference(PlanFileReference<'a>) = "plan_file_reference",
        AutoMode(AutoMode<'a>) = "auto_mode",
        AutoModeExit(AutoMode<'a>) = "auto_mode_exit",
        UltraEffortEnter(Effort<'a>) = "ultra_effort_enter",
        UltraEffortExit(Effort<'a>) = "ultra_effort_exit",
        UltrathinkEffort(Effort<'a>) = "ultrathink_effort",
        OutputStyle(NameOnly) = "output_style",
        OutputStyleInstructions(NameOnly) = "output_style_instructions",
        StructuredOutput(NameOnly) = "structured_output",
        Language(Language<'a>) = "language",
        OutputLimitNote(NameOnly) = "output_limit_note",
        OutputTokenUsage(NameOnly) = "output_token_usage",
        WorkflowKeywordRequest(NameOnly) = "workflow_keyword_request",
        WorkflowSizeGuidelineChange(WorkflowSize<'a>) = "workflow_size_guideline_change",

        /// A file that the user mentioned with `@`.
        File(Box<File<'a>>) = "file",
        AlreadyReadFile(NameOnly) = "already_read_file",
        Directory(Box<Directory<'a>>) = "directory",
        /// A file that changed on disk outside the session.
        EditedTextFile(EditedTextFile<'a>) = "edited_text_file",
        EditedImageFile(EditedImageFile<'a>) = "edited_image_file",
        CompactFileReference(FileReference<'a>) = "compact_file_reference",
        AtMentionReference(Box<AtMentionReference<'a>>) = "at_mention_reference",
        PdfReference(Box<PdfReference<'a>>) = "pdf_reference",
        MessagePdfReads(DocumentReads<'a>) = "message_pdf_reads",
        ProjectDocReads(DocumentReads<'a>) = "project_doc_reads",
        OpenedFileInIde(NameOnly) = "opened_file_in_ide",
        SelectedLinesInIde(Box<SelectedLines<'a>>) = "selected_lines_in_ide",
        InlinedImagePaths(InlinedImagePaths<'a>) = "inlined_image_paths",
        McpResource(NameOnly) = "mcp_resource",
        Diagnostics(Diagnostics<'a>) = "diagnostics",
        NestedMemory(Box<NestedMemory<'a>>) = "nested_memory",
        RelevantMemories(RelevantMemories<'a>) = "relevant_memories",
        AccountMemoryRecall(NameOnly) = "account_memory_recall",
        WithheldMemory(WithheldMemory<'a>) = "withheld_memory",
        CoworkMemoryContext(Box<GivenContext<'a>>) = "cowork_memory_context",
        InstructionFilesNotLoaded(NameOnly) = "instruction_files_not_loaded",
        /// The texts of instruction files.
        Instructions(Box<Instructions<'a>>) = "instructions",

        DateChange(Date<'a>) = "date_change",
        Date(Date<'a>) = "date",
        Model(Box<Model<'a>>) = "model",
        Environment(Box<Environment<'a>>) = "environment",
        /// Holds the user's address and the state of the repository.
        SessionContext(Box<SessionContext<'a>>) = "session_context",
        /// The whole system prompt and all tools: large.
        PromptSnapshot(Box<PromptSnapshot<'a>>) = "prompt_snapshot",
        ContextSections(ContextSections<'a>) = "context_sections",
        CoordinatorContext(Box<GivenContext<'a>>) = "coordinator_context",
        SandboxInstructions(Reminder<'a>) = "sandbox_instructions",
        DirSyncNotice(Reminder<'a>) = "dir_sync_notice",
        CredentialOrg(NameOnly) = "credential_org",
        RemoteSessionChange(NameOnly) = "remote_session_change",
        TeamContext(NameOnly) = "team_context",
        TeammateMailbox(NameOnly) = "teammate_mailbox",
        TeammateShutdownBatch(TeammateShutdown) = "teammate_shutdown_batch",
        ForkBriefing(Reminder<'a>) = "fork_briefing",
        PrefixDelta(Reminder<'a>) = "prefix_delta",
        ClaudeAppNotice(AppNotice<'a>) = "claude_app_notice",
        WidgetContextHint(WidgetContextHint<'a>) = "widget_context_hint",
        ThreadState(NameOnly) = "thread_state",
        CompanionIntro(CompanionIntro<'a>) = "companion_intro",
        BashOutputAudienceNote(CallNote<'a>) = "bash_output_audience_note",
        ThinkingDrop(Box<ThinkingDrop<'a>>) = "thinking_drop",
        ThinkingStripped(ThinkingStripped<'a>) = "thinking_stripped",
        AdvisorStripped(NameOnly) = "advisor_stripped",
        WholeTextsWithdrawn(NameOnly) = "whole_texts_withdrawn",
        SessionCronCarry(Box<SessionCronCarry<'a>>) = "session_cron_carry",
    }
}
