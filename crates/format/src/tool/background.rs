//! Inputs and results of tools that read, stop and monitor background tasks.

use super::result::{Outcome, Said};
use crate::id::TaskId;
use crate::json::{Notes, Text, Time, Value, record, words};
use crate::text;

words! {
    /// The state of a background task.
    pub enum TaskState {
        Pending = "pending",
        Running = "running",
        InProgress = "in_progress",
        Completed = "completed",
        Failed = "failed",
        Killed = "killed",
        Stopped = "stopped",
    }

    /// The kind of a background task.
    pub enum TaskKind {
        LocalBash = "local_bash",
        LocalAgent = "local_agent",
        RemoteAgent = "remote_agent",
        InProcessTeammate = "in_process_teammate",
        LocalWorkflow = "local_workflow",
        MonitorMcp = "monitor_mcp",
    }

    /// Whether the output could be read.
    pub enum Retrieval {
        Success = "success",
        Timeout = "timeout",
        NotReady = "not_ready",
    }
}

record! {
    /// Input of `BashOutput`.
    pub struct ShellOutputInput<'a>: "BashOutput input" {
        bash_id: Option<TaskId<'a>> = "bash_id" | "shell_id" | "task_id",
        filter: Option<Text<'a>> = "filter",
        block: Option<bool> = "block",
        wait_up_to: Option<i64> = "wait_up_to",
    }

    /// Output of a background shell since the last read.
    pub struct ShellOutputResult<'a>: "BashOutput result" {
        shell_id: Option<TaskId<'a>> = "shellId",
        command: Option<Text<'a>> = "command",
        status: Option<TaskState<'a>> = "status",
        exit_code: Option<i64> = "exitCode",
        stdout: Option<Text<'a>> = "stdout",
        stderr: Option<Text<'a>> = "stderr",
        stdout_lines: Option<i64> = "stdoutLines",
        stderr_lines: Option<i64> = "stderrLines",
        timestamp: Option<Time<'a>> = "timestamp",
        filter_pattern: Option<Text<'a>> = "filterPattern",
    }

    /// Input of `TaskOutput` and `AgentOutputTool`.
    pub struct TaskOutputInput<'a>: "TaskOutput input" {
        task_id: Option<TaskId<'a>> = "task_id" | "agentId" | "agent_id" | "bash_id",
        block: Option<bool> = "block",
        /// In milliseconds.
        timeout: Option<i64> = "timeout",
        /// The older limit, in seconds.
        wait_up_to: Option<i64> = "wait_up_to",
    }

    /// Output of a background task so far.
    pub struct TaskOutputResult<'a>: "TaskOutput result" {
        retrieval_status: Option<Retrieval<'a>> = "retrieval_status",
        task: Option<BackgroundTask<'a>> = "task",
    }

    /// A background task with its output.
    pub struct BackgroundTask<'a>: "background task" {
        task_id: Option<TaskId<'a>> = "task_id",
        kind: Option<TaskKind<'a>> = "task_type",
        status: Option<TaskState<'a>> = "status",
        description: Option<Text<'a>> = "description",
        output: Option<Text<'a>> = "output",
        exit_code: Option<i64> = "exitCode",
        /// For agents only.
        prompt: Option<Text<'a>> = "prompt",
        result: Option<Text<'a>> = "result",
        is_raw_transcript: Option<bool> = "isRawTranscript",
        error: Option<Text<'a>> = "error",
    }

    /// Input of `TaskStop`, formerly `KillShell` and `KillBash`.
    pub struct TaskStopInput<'a>: "TaskStop input" {
        task_id: Option<TaskId<'a>> = "task_id",
        shell_id: Option<TaskId<'a>> = "shell_id",
    }

    /// The task that was stopped.
    pub struct TaskStopResult<'a>: "TaskStop result" {
        success: Option<bool> = "success",
        message: Option<Text<'a>> = "message",
        task_id: Option<TaskId<'a>> = "task_id",
        shell_id: Option<TaskId<'a>> = "shell_id",
        kind: Option<TaskKind<'a>> = "task_type",
        command: Option<Text<'a>> = "command",
    }

    /// Input of `Monitor`: a command, or a socket to listen to.
    pub struct MonitorInput<'a>: "Monitor input" {
        description: Option<Text<'a>> = "description",
        timeout_ms: Option<i64> = "timeout_ms",
        command: Option<Text<'a>> = "command",
        socket: Option<Socket<'a>> = "ws",
        persistent: Option<bool> = "persistent",
    }

    /// A web socket.
    pub struct Socket<'a>: "web socket" {
        url: Option<Text<'a>> = "url",
        protocols: Vec<Text<'a>> = "protocols",
    }

    /// A started monitor; its events arrive as notifications.
    pub struct MonitorResult<'a>: "Monitor result" {
        task_id: Option<TaskId<'a>> = "taskId",
        timeout_ms: Option<i64> = "timeoutMs",
        persistent: Option<bool> = "persistent",
    }
}

// The text is the same JSON.
impl<'a> Outcome<'a> for TaskStopResult<'a> {}

impl<'a> Outcome<'a> for ShellOutputResult<'a> {
    fn from_said(said: &Said<'a, '_>, _: &mut Notes<'a>) -> Option<Self> {
        let mut output = Self::default();
        for (name, inside) in text::fields(said.text, &["status", "exit_code", "stdout", "stderr", "timestamp"]) {
            let inside = inside.trim_matches('\n');
            match name {
                "status" => output.status = TaskState::from_text(inside),
                "exit_code" => output.exit_code = inside.trim().parse().ok(),
                "stdout" => output.stdout = Some(Text::from(inside)),
                "stderr" => output.stderr = Some(Text::from(inside)),
                _ => output.timestamp = Some(Time::from(inside)),
            }
        }
        output.status.is_some().then_some(output)
    }
}

impl<'a> Outcome<'a> for TaskOutputResult<'a> {
    fn from_said(said: &Said<'a, '_>, _: &mut Notes<'a>) -> Option<Self> {
        const NAMES: [&str; 8] =
            ["retrieval_status", "task_id", "task_type", "status", "exit_code", "output", "result", "error"];
        let mut result = Self::default();
        let mut task = BackgroundTask::default();
        for (name, inside) in text::fields(said.text, &NAMES) {
            let inside = inside.trim_matches('\n');
            match name {
                "retrieval_status" => result.retrieval_status = Retrieval::from_text(inside),
                "task_id" => task.task_id = Some(TaskId::from(inside)),
                "task_type" => task.kind = TaskKind::from_text(inside),
                "status" => task.status = TaskState::from_text(inside),
                "exit_code" => task.exit_code = inside.trim().parse().ok(),
                "output" => task.output = Some(Text::from(inside)),
                "result" => task.result = Some(Text::from(inside)),
                _ => task.error = Some(Text::from(inside)),
            }
        }
        result.task = (task != BackgroundTask::default()).then_some(task);
        result.retrieval_status.is_some().then_some(result)
    }
}

impl<'a> Outcome<'a> for MonitorResult<'a> {
    /// `Monitor started (task bw71, timeout 180000ms). …`, or `persistent` instead of the timeout.
    fn from_said(said: &Said<'a, '_>, _: &mut Notes<'a>) -> Option<Self> {
        let (head, _) = said.text.strip_prefix("Monitor started (task ")?.split_once(')')?;
        let (id, limit) = head.split_once(", ").unwrap_or((head, ""));
        Some(Self {
            task_id: Some(TaskId::from(id)),
            timeout_ms: limit.strip_prefix("timeout ").and_then(|time| time.strip_suffix("ms")?.parse().ok()),
            persistent: limit.starts_with("persistent").then_some(true),
        })
    }
}
