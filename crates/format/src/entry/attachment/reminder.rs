//! Reminders to the model, queued commands, modes and budgets.

use crate::block::Content;
use crate::entry::system::TaskState;
use crate::entry::user::Origin;
use crate::id::{EntryId, TaskId, ToolUseId};
use crate::json::{Raw, Text, Time, record, words};

words! {
    /// The kind of a queued command.
    pub enum CommandMode {
        Prompt = "prompt",
        TaskNotification = "task-notification",
        Bash = "bash",
    }
}

record! {
    /// A sentence for the model.
    pub struct Reminder<'a>: "reminder attachment" {
        text: Option<Text<'a>> = "text" | "content",
        model: Option<Text<'a>> = "model",
    }

    /// The notice that a file was not read to its end.
    pub struct ReadTruncationNotice<'a>: "read_truncation_notice" {
        banner: Option<Text<'a>> = "banner",
        tool_use_id: Option<ToolUseId<'a>> = "toolUseID",
    }

    /// A message that waited in the queue and reached the model in the middle of a turn.
    pub struct QueuedCommand<'a>: "queued_command" {
        prompt: Option<Content<'a>> = "prompt",
        command_mode: Option<CommandMode<'a>> = "commandMode",
        image_paste_ids: Vec<i64> = "imagePasteIds",
        /// When it was queued.
        timestamp: Option<Time<'a>> = "timestamp",
        origin: Option<Origin<'a>> = "origin",
        source_uuid: Option<EntryId<'a>> = "source_uuid" | "sourceUuid",
        is_meta: Option<bool> = "isMeta",
    }

    /// A huge prompt is stored in a file: the text of its entry is only a stub.
    pub struct PromptAsFile<'a>: "prompt_as_file" {
        prompt_uuid: Option<EntryId<'a>> = "promptUuid" | "prompt_uuid",
        path: Option<Text<'a>> = "path",
        characters: Option<i64> = "characters",
    }

    /// The tasks, repeated.
    pub struct TaskReminder<'a>: "task_reminder" {
        content: Vec<TaskItem<'a>> = "content",
        item_count: Option<i64> = "itemCount",
    }

    /// A task of the session's list.
    pub struct TaskItem<'a>: "task item" {
        id: Option<Text<'a>> = "id",
        subject: Option<Text<'a>> = "subject",
        description: Option<Text<'a>> = "description",
        active_form: Option<Text<'a>> = "activeForm",
        status: Option<Text<'a>> = "status",
        owner: Option<Text<'a>> = "owner",
        blocks: Vec<Text<'a>> = "blocks",
        blocked_by: Vec<Text<'a>> = "blockedBy",
        metadata: Option<Raw<'a>> = "metadata",
    }

    /// The to-do list, repeated.
    pub struct TodoReminder<'a>: "todo_reminder" {
        content: Vec<TodoItem<'a>> = "content",
        item_count: Option<i64> = "itemCount",
    }

    /// An item of a to-do list.
    pub struct TodoItem<'a>: "todo item" {
        id: Option<Text<'a>> = "id",
        content: Option<Text<'a>> = "content",
        active_form: Option<Text<'a>> = "activeForm",
        status: Option<Text<'a>> = "status",
        priority: Option<Text<'a>> = "priority",
    }

    /// The state of a background task.
    pub struct TaskStatus<'a>: "task_status" {
        task_id: Option<TaskId<'a>> = "taskId",
        task_type: Option<Text<'a>> = "taskType",
        description: Option<Text<'a>> = "description",
        status: Option<TaskState<'a>> = "status",
        delta_summary: Option<Text<'a>> = "deltaSummary",
        output_file_path: Option<Text<'a>> = "outputFilePath",
    }

    /// Whether the goal of the session is met.
    pub struct GoalStatus<'a>: "goal_status" {
        met: Option<bool> = "met",
        condition: Option<Text<'a>> = "condition",
        /// Set if the goal was only just given.
        sentinel: Option<bool> = "sentinel",
        reason: Option<Text<'a>> = "reason",
        iterations: Option<i64> = "iterations",
        duration_ms: Option<f64> = "durationMs",
        tokens: Option<i64> = "tokens",
    }

    /// The amount used, and the limit.
    pub struct Budget: "budget_usd" {
        used: Option<f64> = "used",
        total: Option<f64> = "total",
        remaining: Option<f64> = "remaining",
    }

    /// Plan mode is on, was left or was entered again.
    pub struct PlanMode<'a>: "plan mode" {
        /// `full` or `sparse`.
        reminder_type: Option<Text<'a>> = "reminderType",
        is_sub_agent: Option<bool> = "isSubAgent",
        plan_file_path: Option<Text<'a>> = "planFilePath",
        plan_exists: Option<bool> = "planExists",
    }

    /// The plan, repeated after a compaction.
    pub struct PlanFileReference<'a>: "plan_file_reference" {
        plan_file_path: Option<Text<'a>> = "planFilePath",
        plan_content: Option<Text<'a>> = "planContent",
    }

    /// Auto mode is on or was left.
    pub struct AutoMode<'a>: "auto mode" {
        reminder_type: Option<Text<'a>> = "reminderType",
        consent_flow: Option<bool> = "autoModeConsentFlow",
        bash_first: Option<bool> = "bashFirst",
        steer_only: Option<bool> = "steerOnly",
        bypass: Option<bool> = "bypass",
    }

    /// How hard the model should think.
    pub struct Effort<'a>: "effort attachment" {
        reminder_type: Option<Text<'a>> = "reminderType",
        level: Option<Text<'a>> = "level",
    }
}
