//! `system`: events around the conversation (docs/format B.3, H.1, H.4).
//!
//! Transcripts and streams share one table of subtypes. The common fields of an event (`content`, `level`, `toolUseID`)
//! belong to the enclosing entry; the records here hold what a subtype adds.

mod host;
mod init;
mod session;
mod task;
mod turn;

pub use host::*;
pub use init::*;
pub use session::*;
pub use task::*;
pub use turn::*;

use crate::json::tagged;

tagged! {
    /// The event of a `system` entry, by its subtype.
    pub enum SystemEvent<'a>: "system" by "subtype" {
        /// Everything before this was summarised.
        CompactBoundary(Box<CompactBoundary<'a>>) = "compact_boundary",
        /// Old tool results were dropped from the context (2.1.12 to 2.1.22).
        MicrocompactBoundary(Box<MicrocompactBoundary<'a>>) = "microcompact_boundary",
        /// A built-in command, or its output.
        LocalCommand(LocalCommand<'a>) = "local_command",
        /// The user's words in a voice call.
        VoiceCallTalk(VoiceCallTalk<'a>) = "voice_call_talk",
        TurnDuration(Box<TurnDuration>) = "turn_duration",
        StopHookSummary(Box<StopHookSummary<'a>>) = "stop_hook_summary",
        /// A request failed and is retried.
        ApiError(Box<ApiError<'a>>) = "api_error",
        /// A summary of events while the user was away.
        AwaySummary(AwaySummary) = "away_summary",
        Informational(Informational<'a>) = "informational",
        BridgeStatus(BridgeStatus<'a>) = "bridge_status",
        /// The model refused and another one took over; retracted messages no longer count.
        ModelRefusalFallback(Box<ModelChange<'a>>) = "model_refusal_fallback",
        ModelRefusalNoFallback(Box<ModelChange<'a>>) = "model_refusal_no_fallback",
        ModelFallback(Box<ModelChange<'a>>) = "model_fallback",
        ModelConsentFallback(Box<ModelChange<'a>>) = "model_consent_fallback",
        ScheduledTaskFire(Box<ScheduledTaskFire<'a>>) = "scheduled_task_fire",
        AgentsKilled(AgentsKilled) = "agents_killed",
        PermissionRetry(PermissionRetry<'a>) = "permission_retry",
        MemorySaved(MemorySaved<'a>) = "memory_saved",
        FileSnapshot(FileSnapshot<'a>) = "file_snapshot",
        /// Thinking as it was shown, in mirrored transcripts.
        ShownThinking(ShownThinking) = "thinking",
        ApiMetrics(ApiMetrics) = "api_metrics",

        /// The first line of a stream, repeated at every turn.
        Init(Box<Init<'a>>) = "init",
        Status(Box<Status<'a>>) = "status",
        ApiRetry(Box<ApiRetry<'a>>) = "api_retry",
        HookStarted(Box<HookRun<'a>>) = "hook_started",
        HookProgress(Box<HookRun<'a>>) = "hook_progress",
        HookResponse(Box<HookRun<'a>>) = "hook_response",
        TaskStarted(Box<TaskStarted<'a>>) = "task_started",
        TaskProgress(Box<TaskProgress<'a>>) = "task_progress",
        TaskUpdated(Box<TaskUpdated<'a>>) = "task_updated",
        TaskNotification(Box<TaskNotification<'a>>) = "task_notification",
        TaskSummary(TaskSummary<'a>) = "task_summary",
        BackgroundTasksChanged(BackgroundTasksChanged<'a>) = "background_tasks_changed",
        ThinkingTokens(ThinkingTokens<'a>) = "thinking_tokens",
        LocalCommandOutput(LocalCommandOutput) = "local_command_output",
        Notification(Box<Notification<'a>>) = "notification",
        SessionStateChanged(SessionStateChanged<'a>) = "session_state_changed",
        SessionTitleChanged(SessionTitleChanged<'a>) = "session_title_changed",
        SessionMetadata(SessionMetadata<'a>) = "session_metadata",
        PostTurnSummary(Box<PostTurnSummary<'a>>) = "post_turn_summary",
        PermissionDenied(Box<PermissionDenied<'a>>) = "permission_denied",
        PermissionCheckStatus(PermissionCheckStatus<'a>) = "permission_check_status",
        FilesPersisted(Box<FilesPersisted<'a>>) = "files_persisted",
        FileAttachmentsMissing(Box<FileAttachmentsMissing<'a>>) = "file_attachments_missing",
        MemoryRecall(MemoryRecall<'a>) = "memory_recall",
        ElicitationComplete(ElicitationComplete<'a>) = "elicitation_complete",
        CommandsChanged(CommandsChanged<'a>) = "commands_changed",
        PluginInstall(PluginInstall<'a>) = "plugin_install",
        ControlRequestProgress(Box<ControlRequestProgress<'a>>) = "control_request_progress",
        WorkerShuttingDown(WorkerShuttingDown<'a>) = "worker_shutting_down",
        MirrorError(Box<MirrorError<'a>>) = "mirror_error",
        /// The disk was full: parts of the transcript are missing.
        SessionWritesLost(Box<SessionWritesLost<'a>>) = "session_writes_lost",
        CodeChangePublished(Box<CodeChangePublished<'a>>) = "code_change_published",
        VcsStateChanged(VcsStateChanged<'a>) = "vcs_state_changed",
        PerTurnEffortChanged(PerTurnEffortChanged<'a>) = "per_turn_effort_changed",
        CloudSessionDelta(Box<CloudSessionDelta<'a>>) = "cloud_session_delta",
        TurnHandoffAvailable(Box<TurnHandoffAvailable<'a>>) = "turn_handoff_available",
        TurnPreempted(Box<TurnPreempted<'a>>) = "turn_preempted",
        PeerMessageHold(Box<PeerMessageHold<'a>>) = "peer_message_hold",
        InheritedAsksSettled(InheritedAsksSettled) = "inherited_asks_settled",
        InstructionSizeWarning(Box<InstructionSizeWarning>) = "instruction_size_warning",
        FeedbackDraftQueued(FeedbackDraftQueued) = "feedback_draft_queued",
        DevIntent(DevIntent<'a>) = "dev_intent",
        UiLog(UiText<'a>) = "ui_log",
        UiToast(UiText<'a>) = "ui_toast",
        UiStatus(UiText<'a>) = "ui_status",
        UiInvalidate(UiInvalidate<'a>) = "ui_invalidate",
        UiPanes(Box<UiPanes<'a>>) = "ui_panes",
        UiScroll(Box<UiSite<'a>>) = "ui_scroll",
        UiFocus(Box<UiSite<'a>>) = "ui_focus",
        UiPlaced(Box<UiSite<'a>>) = "ui_placed",
    }
}
