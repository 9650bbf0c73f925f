//! `progress`: the activity of tools, hooks and agents while they run (docs/format B.5, up to 2.1.81).

use super::Entry;
use crate::id::{AgentId, TaskId};
use crate::json::{Raw, Text, record, tagged, words};

tagged! {
    /// The `data` of a progress entry.
    pub enum Progress<'a>: "progress" by "type" {
        /// The output so far, repeated every second.
        Bash(Box<BashProgress<'a>>) = "bash_progress",
        Hook(HookProgress<'a>) = "hook_progress",
        /// An entry of a subagent; its usage counts only where the agent wrote it.
        Agent(Box<AgentProgress<'a>>) = "agent_progress",
        Mcp(Box<McpProgress<'a>>) = "mcp_progress",
        WaitingForTask(WaitingForTask<'a>) = "waiting_for_task",
        QueryUpdate(SearchProgress<'a>) = "query_update",
        SearchResultsReceived(SearchProgress<'a>) = "search_results_received",
    }
}

words! {
    /// The progress of a call of an MCP tool.
    pub enum McpProgressStatus {
        Started = "started",
        Progress = "progress",
        Completed = "completed",
        Failed = "failed",
    }
}

record! {
    /// A command that is running.
    pub struct BashProgress<'a>: "bash_progress" {
        /// The last lines.
        output: Option<Text<'a>> = "output",
        full_output: Option<Text<'a>> = "fullOutput",
        elapsed_seconds: Option<f64> = "elapsedTimeSeconds",
        total_lines: Option<i64> = "totalLines",
        total_bytes: Option<i64> = "totalBytes",
        timeout_ms: Option<f64> = "timeoutMs",
        task_id: Option<TaskId<'a>> = "taskId",
    }

    /// A hook that is running.
    pub struct HookProgress<'a>: "hook_progress" {
        hook_event: Option<Text<'a>> = "hookEvent",
        hook_name: Option<Text<'a>> = "hookName",
        command: Option<Text<'a>> = "command",
    }

    /// A subagent that is working.
    pub struct AgentProgress<'a>: "agent_progress" {
        /// Its entry, `user` or `assistant`; use [`Entry::inner`].
        message: Option<Box<Entry<'a>>> = "message",
        normalized_messages: Vec<Raw<'a>> = "normalizedMessages",
        /// The prompt of the agent.
        prompt: Option<Text<'a>> = "prompt",
        agent_id: Option<AgentId<'a>> = "agentId",
    }

    /// A call of an MCP tool.
    pub struct McpProgress<'a>: "mcp_progress" {
        status: Option<McpProgressStatus<'a>> = "status",
        server_name: Option<Text<'a>> = "serverName",
        tool_name: Option<Text<'a>> = "toolName",
        elapsed_ms: Option<f64> = "elapsedTimeMs",
        progress: Option<f64> = "progress",
        total: Option<f64> = "total",
        progress_message: Option<Text<'a>> = "progressMessage",
    }

    /// A call that waits for a background task.
    pub struct WaitingForTask<'a>: "waiting_for_task" {
        task_description: Option<Text<'a>> = "taskDescription",
        task_type: Option<Text<'a>> = "taskType",
    }

    /// A web search in progress.
    pub struct SearchProgress<'a>: "search progress" {
        query: Option<Text<'a>> = "query",
        result_count: Option<i64> = "resultCount",
    }
}
