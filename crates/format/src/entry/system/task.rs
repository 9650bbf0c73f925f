//! Events of background tasks on the stream: shells, agents and workflows that run beside the turn.

use crate::id::TaskId;
use crate::json::{Raw, Text, Time, record, words};

words! {
    /// The state of a task.
    pub enum TaskState {
        Pending = "pending",
        Running = "running",
        Paused = "paused",
        Completed = "completed",
        Failed = "failed",
        Killed = "killed",
        Stopped = "stopped",
    }

    /// Whether a subagent's report was delivered.
    pub enum Handback {
        Send = "send",
        Flagged = "flagged",
        Withheld = "withheld",
    }
}

record! {
    /// A task began.
    pub struct TaskStarted<'a>: "task_started" {
        task_id: Option<TaskId<'a>> = "task_id",
        run_id: Option<Text<'a>> = "run_id",
        parent_task_id: Option<TaskId<'a>> = "parent_task_id",
        /// `local_bash`, `local_agent`, `remote_agent`…
        task_type: Option<Text<'a>> = "task_type",
        description: Option<Text<'a>> = "description",
        prompt: Option<Text<'a>> = "prompt",
        subagent_type: Option<Text<'a>> = "subagent_type",
        workflow_name: Option<Text<'a>> = "workflow_name",
        is_backgrounded: Option<bool> = "is_backgrounded",
        spawn_depth: Option<i64> = "spawn_depth",
        skip_transcript: Option<bool> = "skip_transcript",
        /// Runs independently of the turn.
        ambient: Option<bool> = "ambient",
    }

    /// The progress of a task.
    pub struct TaskProgress<'a>: "task_progress" {
        task_id: Option<TaskId<'a>> = "task_id",
        run_id: Option<Text<'a>> = "run_id",
        description: Option<Text<'a>> = "description",
        subagent_type: Option<Text<'a>> = "subagent_type",
        usage: Option<TaskUsage> = "usage",
        last_tool_name: Option<Text<'a>> = "last_tool_name",
        summary: Option<Text<'a>> = "summary",
        workflow_progress: Option<Raw<'a>> = "workflow_progress",
    }

    /// The usage of a task so far.
    pub struct TaskUsage: "task usage" {
        total_tokens: Option<i64> = "total_tokens",
        tool_uses: Option<i64> = "tool_uses",
        duration_ms: Option<f64> = "duration_ms",
    }

    /// Something about a task changed.
    pub struct TaskUpdated<'a>: "task_updated" {
        task_id: Option<TaskId<'a>> = "task_id",
        run_id: Option<Text<'a>> = "run_id",
        patch: Option<TaskPatch<'a>> = "patch",
    }

    /// The changes to a task.
    pub struct TaskPatch<'a>: "task patch" {
        status: Option<TaskState<'a>> = "status",
        description: Option<Text<'a>> = "description",
        end_time: Option<Time<'a>> = "end_time",
        total_paused_ms: Option<f64> = "total_paused_ms",
        error: Option<Text<'a>> = "error",
        is_backgrounded: Option<bool> = "is_backgrounded",
    }

    /// A task ended.
    pub struct TaskNotification<'a>: "task_notification" {
        task_id: Option<TaskId<'a>> = "task_id",
        run_id: Option<Text<'a>> = "run_id",
        status: Option<TaskState<'a>> = "status",
        reason: Option<Text<'a>> = "reason",
        output_file: Option<Text<'a>> = "output_file",
        summary: Option<Text<'a>> = "summary",
        usage: Option<TaskUsage> = "usage",
        resource_links: Vec<ResourceLink<'a>> = "resource_links",
        skip_transcript: Option<bool> = "skip_transcript",
        ambient: Option<bool> = "ambient",
        handback: Option<Handback<'a>> = "handback",
        handback_report: Option<HandbackReport<'a>> = "handback_report",
    }

    /// A file or page that a task created.
    pub struct ResourceLink<'a>: "resource link" {
        kind: Option<Text<'a>> = "type",
        uri: Option<Text<'a>> = "uri",
        name: Option<Text<'a>> = "name",
        title: Option<Text<'a>> = "title",
        description: Option<Text<'a>> = "description",
        media_type: Option<Text<'a>> = "mimeType",
        size: Option<i64> = "size",
    }

    /// A subagent's report to its caller.
    pub struct HandbackReport<'a>: "handback report" {
        text: Option<Text<'a>> = "text",
        warning: Option<Text<'a>> = "warning",
    }

    /// One line about the current activity.
    pub struct TaskSummary<'a>: "task_summary" {
        detail: Option<Text<'a>> = "detail",
    }

    /// All tasks that are running now.
    pub struct BackgroundTasksChanged<'a>: "background_tasks_changed" {
        tasks: Vec<BackgroundTask<'a>> = "tasks",
    }

    /// A running task.
    pub struct BackgroundTask<'a>: "background task" {
        task_id: Option<TaskId<'a>> = "task_id",
        run_id: Option<Text<'a>> = "run_id",
        parent_task_id: Option<TaskId<'a>> = "parent_task_id",
        task_type: Option<Text<'a>> = "task_type",
        subagent_type: Option<Text<'a>> = "subagent_type",
        description: Option<Text<'a>> = "description",
        ambient: Option<bool> = "ambient",
    }
}
