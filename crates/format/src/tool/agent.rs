//! Agents, teams and workflows.

use super::result::{Outcome, Said, said_in};
use crate::block::{Block, Content};
use crate::id::{AgentId, TaskId};
use crate::json::{Notes, Raw, Text, record, words};
use crate::message::Usage;
use crate::text::{self, ResultText};

words! {
    /// How an agent's call ended. One that was launched goes on; a notification tells its end.
    pub enum AgentStatus {
        Completed = "completed",
        AsyncLaunched = "async_launched",
        RemoteLaunched = "remote_launched",
        TeammateSpawned = "teammate_spawned",
        Forked = "forked",
    }

    /// What an old `SendMessage` sends.
    pub enum MessageKind {
        Message = "message",
        Broadcast = "broadcast",
        ShutdownRequest = "shutdown_request",
        ShutdownResponse = "shutdown_response",
        PlanApprovalResponse = "plan_approval_response",
    }
}

record! {
    /// What `Agent` takes, and `Task` before it.
    pub struct AgentInput<'a>: "Agent input" {
        description: Option<Text<'a>> = "description",
        prompt: Option<Text<'a>> = "prompt",
        subagent_type: Option<Text<'a>> = "subagent_type",
        model: Option<Text<'a>> = "model",
        effort: Option<Text<'a>> = "effort",
        run_in_background: Option<bool> = "run_in_background",
        name: Option<Text<'a>> = "name",
        team_name: Option<Text<'a>> = "team_name",
        /// A permission mode.
        mode: Option<Text<'a>> = "mode",
        /// `worktree` or `remote`.
        isolation: Option<Text<'a>> = "isolation",
        /// The agent to continue.
        resume: Option<AgentId<'a>> = "resume",
        max_turns: Option<i64> = "max_turns",
    }

    /// What an agent answered, or that it was started.
    pub struct AgentResult<'a>: "Agent result" {
        /// Absent up to 1.0.x.
        status: Option<AgentStatus<'a>> = "status",
        prompt: Option<Text<'a>> = "prompt",
        description: Option<Text<'a>> = "description",
        agent_id: Option<AgentId<'a>> = "agentId" | "agent_id",
        agent_type: Option<Text<'a>> = "agentType" | "agent_type",
        /// The answer.
        content: Option<Content<'a>> = "content",
        resolved_model: Option<Text<'a>> = "resolvedModel" | "model",
        models_used: Vec<Text<'a>> = "modelsUsed",
        total_duration_ms: Option<i64> = "totalDurationMs",
        /// Of the last request, not the sum (docs/format E.4).
        total_tokens: Option<i64> = "totalTokens",
        total_tool_use_count: Option<i64> = "totalToolUseCount",
        /// Of the last request, not the sum.
        usage: Option<Box<Usage<'a>>> = "usage",
        tools_used: Vec<Text<'a>> = "toolsUsed",
        tool_stats: Option<Box<ToolStats>> = "toolStats",
        worktree_path: Option<Text<'a>> = "worktreePath",
        worktree_branch: Option<Text<'a>> = "worktreeBranch",
        was_interrupted: Option<bool> = "wasInterrupted",
        is_async: Option<bool> = "isAsync",
        output_file: Option<Text<'a>> = "outputFile",
        can_read_output_file: Option<bool> = "canReadOutputFile",
        /// Of an agent that runs elsewhere.
        task_id: Option<TaskId<'a>> = "taskId",
        session_url: Option<Text<'a>> = "sessionUrl",
        teammate_id: Option<AgentId<'a>> = "teammate_id",
        name: Option<Text<'a>> = "name",
        color: Option<Text<'a>> = "color",
        team_name: Option<Text<'a>> = "team_name",
        tmux_session_name: Option<Text<'a>> = "tmux_session_name",
        tmux_window_name: Option<Text<'a>> = "tmux_window_name",
        tmux_pane_id: Option<Text<'a>> = "tmux_pane_id",
        is_splitpane: Option<bool> = "is_splitpane",
        plan_mode_required: Option<bool> = "plan_mode_required",
    }

    /// How often an agent used which kind of tool.
    pub struct ToolStats: "tool stats" {
        read_count: Option<i64> = "readCount",
        search_count: Option<i64> = "searchCount",
        bash_count: Option<i64> = "bashCount",
        edit_file_count: Option<i64> = "editFileCount",
        lines_added: Option<i64> = "linesAdded",
        lines_removed: Option<i64> = "linesRemoved",
        other_tool_count: Option<i64> = "otherToolCount",
        frame_count: Option<i64> = "frameCount",
    }

    /// What `SendMessage` takes.
    pub struct SendMessageInput<'a>: "SendMessage input" {
        to: Option<Text<'a>> = "to" | "recipient" | "target_agent_id",
        /// Text, or an object such as a shutdown request.
        message: Option<Raw<'a>> = "message" | "content",
        summary: Option<Text<'a>> = "summary",
        kind: Option<MessageKind<'a>> = "type",
        request_id: Option<Text<'a>> = "request_id",
        approve: Option<bool> = "approve",
    }

    /// Where a message went.
    pub struct SendMessageResult<'a>: "SendMessage result" {
        success: Option<bool> = "success",
        message: Option<Text<'a>> = "message",
        message_id: Option<Text<'a>> = "msg_id",
        routing: Option<Routing<'a>> = "routing",
        request_id: Option<Text<'a>> = "request_id",
        target: Option<Text<'a>> = "target",
        display: Option<Raw<'a>> = "display",
        recipients: Vec<Text<'a>> = "recipients",
    }

    /// From whom to whom.
    pub struct Routing<'a>: "routing" {
        sender: Option<Text<'a>> = "sender",
        sender_color: Option<Text<'a>> = "senderColor",
        target: Option<Text<'a>> = "target",
        target_color: Option<Text<'a>> = "targetColor",
        summary: Option<Text<'a>> = "summary",
        content: Option<Text<'a>> = "content",
    }

    /// What `TeamCreate` takes.
    pub struct TeamCreateInput<'a>: "TeamCreate input" {
        team_name: Option<Text<'a>> = "team_name",
        description: Option<Text<'a>> = "description",
        agent_type: Option<Text<'a>> = "agent_type",
    }

    /// A new team.
    pub struct TeamCreateResult<'a>: "TeamCreate result" {
        team_name: Option<Text<'a>> = "team_name",
        team_file_path: Option<Text<'a>> = "team_file_path",
        lead_agent_id: Option<AgentId<'a>> = "lead_agent_id",
    }

    /// Whether a team could be dissolved.
    pub struct TeamDeleteResult<'a>: "TeamDelete result" {
        success: Option<bool> = "success",
        message: Option<Text<'a>> = "message",
        team_name: Option<Text<'a>> = "team_name",
    }

    /// The agents there are, as text.
    pub struct ListAgentsResult<'a>: "ListAgents result" {
        listing: Option<Text<'a>> = "listing",
    }

    /// What `Workflow` takes: a script, in place or by name or path.
    pub struct WorkflowInput<'a>: "Workflow input" {
        script: Option<Text<'a>> = "script",
        name: Option<Text<'a>> = "name",
        script_path: Option<Text<'a>> = "scriptPath",
        description: Option<Text<'a>> = "description",
        title: Option<Text<'a>> = "title",
        args: Option<Raw<'a>> = "args",
        resume_from_run_id: Option<Text<'a>> = "resumeFromRunId",
    }

    /// A started workflow.
    pub struct WorkflowResult<'a>: "Workflow result" {
        status: Option<AgentStatus<'a>> = "status",
        is_async: Option<bool> = "isAsync",
        task_id: Option<TaskId<'a>> = "taskId",
        task_type: Option<Text<'a>> = "taskType",
        workflow_name: Option<Text<'a>> = "workflowName",
        run_id: Option<Text<'a>> = "runId",
        summary: Option<Text<'a>> = "summary",
        transcript_dir: Option<Text<'a>> = "transcriptDir",
        script_path: Option<Text<'a>> = "scriptPath",
        session_url: Option<Text<'a>> = "sessionUrl",
        warning: Option<Text<'a>> = "warning",
        error: Option<Text<'a>> = "error",
    }

    /// What `SubagentHandback` takes: an agent's report to whoever started it.
    pub struct HandbackInput<'a>: "SubagentHandback input" {
        to: Option<AgentId<'a>> = "to",
        message: Option<Text<'a>> = "message",
        summary: Option<Text<'a>> = "summary",
    }
}

impl<'a> Outcome<'a> for AgentResult<'a> {
    /// The oldest form: the answer alone.
    fn from_array(list: Raw<'a>, notes: &mut Notes<'a>) -> Option<Self> {
        Some(Self { content: list.read_as(notes), ..Self::default() })
    }

    fn from_said(said: &Said<'a, '_>, _: &mut Notes<'a>) -> Option<Self> {
        if let ResultText::AgentLaunched { agent_id, output_file } = said.reading {
            return Some(Self {
                status: Some(AgentStatus::AsyncLaunched),
                agent_id: Some(AgentId::from(agent_id)),
                output_file: output_file.map(Text::from),
                ..Self::default()
            });
        }
        if let Some(lines) = said.text.strip_prefix("Spawned successfully.") {
            return Some(spawned(lines));
        }
        let (content, trailer) = answer(said.content?)?;
        let usage = trailer.usage.unwrap_or_default();
        let whole = |number: Option<u64>| number.and_then(|number| i64::try_from(number).ok());
        Some(Self {
            status: Some(AgentStatus::Completed),
            agent_id: trailer.agent_id.map(AgentId::from),
            content: Some(content),
            total_tokens: whole(usage.tokens),
            total_tool_use_count: whole(usage.tool_uses),
            total_duration_ms: whole(usage.duration_ms),
            worktree_path: trailer.worktree_path.map(Text::from),
            worktree_branch: trailer.worktree_branch.map(Text::from),
            ..Self::default()
        })
    }
}

/// A teammate, from `agent_id: …`, `name: …` and `team_name: …` on lines of their own.
fn spawned(lines: &str) -> AgentResult<'_> {
    let value = |key: &str| lines.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix(": "));
    AgentResult {
        status: Some(AgentStatus::TeammateSpawned),
        agent_id: value("agent_id").map(AgentId::from),
        name: value("name").map(Text::from),
        team_name: value("team_name").map(Text::from),
        ..AgentResult::default()
    }
}

/// The answer without the machine lines that end it, and those lines.
fn answer<'a>(content: &Content<'a>) -> Option<(Content<'a>, text::AgentTrailer<'a>)> {
    match content {
        Content::Text(text) => {
            let (answer, trailer) = text::agent_trailer(text.as_str());
            Some((Content::Text(Text::from(answer)), trailer))
        }
        Content::Blocks(blocks) => {
            let mut blocks = blocks.clone();
            let Some(Block::Text(last)) = blocks.last_mut() else {
                return Some((Content::Blocks(blocks), text::AgentTrailer::default()));
            };
            let (answer, trailer) = text::agent_trailer(last.text.map_or("", Text::as_str));
            last.text = Some(Text::from(answer));
            if answer.is_empty() {
                blocks.pop();
            }
            Some((Content::Blocks(blocks), trailer))
        }
        Content::Raw(_) => None,
    }
}

impl<'a> Outcome<'a> for WorkflowResult<'a> {
    /// `Workflow launched in background. Task ID: w1`, and more lines like it.
    fn from_said(said: &Said<'a, '_>, notes: &mut Notes<'a>) -> Option<Self> {
        let Some(lines) = said.text.strip_prefix("Workflow launched in background. ") else { return said.json(notes) };
        let value =
            |key: &str| lines.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix(": ")).map(Text::from);
        Some(Self {
            status: Some(AgentStatus::AsyncLaunched),
            task_id: value("Task ID").map(|id| TaskId::from(id.as_str())),
            run_id: value("Run ID"),
            summary: value("Summary"),
            transcript_dir: value("Transcript dir"),
            script_path: value("Script file"),
            ..Self::default()
        })
    }
}

// Their texts are the same JSON.
impl<'a> Outcome<'a> for SendMessageResult<'a> {}
impl<'a> Outcome<'a> for TeamCreateResult<'a> {}
impl<'a> Outcome<'a> for TeamDeleteResult<'a> {}

said_in! { ListAgentsResult.listing }
