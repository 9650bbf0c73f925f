//! `attachment`: context that Claude Code adds by itself (docs/format B.4).
//!
//! The user wrote none of it, except queued commands.

mod file;
mod hook;
mod listing;
mod reminder;

pub use file::*;
pub use hook::*;
pub use listing::*;
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

        /// A message that the user typed while the model worked, or a notice that arrived.
        QueuedCommand(Box<QueuedCommand<'a>>) = "queued_command",
        PromptAsFile(PromptAsFile<'a>) = "prompt_as_file",
        TaskReminder(TaskReminder<'a>) = "task_reminder",
        TodoReminder(TodoReminder<'a>) = "todo_reminder",
        TaskStatus(Box<TaskStatus<'a>>) = "task_status",
        GoalStatus(Box<GoalStatus<'a>>) = "goal_status",
        BudgetUsd(Box<Budget>) = "budget_usd",
        MaxTurnsReached(NameOnly) = "max_turns_reached",

        SkillListing(Box<SkillListing<'a>>) = "skill_listing",
        DynamicSkill(Box<DynamicSkill<'a>>) = "dynamic_skill",
        InvokedSkills(InvokedSkills<'a>) = "invoked_skills",
        SkillDiscovery(NameOnly) = "skill_discovery",
        SkillMention(NameOnly) = "skill_mention",
        DeferredToolsDelta(Box<DeferredToolsDelta<'a>>) = "deferred_tools_delta",
        DeferredToolsRecord(DeferredToolsRecord<'a>) = "deferred_tools_record",
        McpInstructionsDelta(Box<McpInstructionsDelta<'a>>) = "mcp_instructions_delta",
        AgentListingDelta(Box<AgentListingDelta<'a>>) = "agent_listing_delta",
        CommandPermissions(CommandPermissions<'a>) = "command_permissions",

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

        /// A file that the user mentioned with `@`.
        File(Box<File<'a>>) = "file",
        AlreadyReadFile(NameOnly) = "already_read_file",
        Directory(Box<Directory<'a>>) = "directory",
        /// A file that changed on disk outside the session.
        EditedTextFile(EditedTextFile<'a>) = "edited_text_file",
        CompactFileReference(FileReference<'a>) = "compact_file_reference",
        OpenedFileInIde(NameOnly) = "opened_file_in_ide",
        SelectedLinesInIde(NameOnly) = "selected_lines_in_ide",
        InlinedImagePaths(NameOnly) = "inlined_image_paths",
        McpResource(NameOnly) = "mcp_resource",
        Diagnostics(Diagnostics<'a>) = "diagnostics",
        NestedMemory(Box<NestedMemory<'a>>) = "nested_memory",
        RelevantMemories(RelevantMemories<'a>) = "relevant_memories",
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
        ContextSections(NameOnly) = "context_sections",
        CredentialOrg(NameOnly) = "credential_org",
        RemoteSessionChange(NameOnly) = "remote_session_change",
        TeamContext(NameOnly) = "team_context",
        TeammateMailbox(NameOnly) = "teammate_mailbox",
        CompanionIntro(CompanionIntro<'a>) = "companion_intro",
        BashOutputAudienceNote(NameOnly) = "bash_output_audience_note",
        ThinkingDrop(NameOnly) = "thinking_drop",
        SessionCronCarry(NameOnly) = "session_cron_carry",
    }
}
