//! Titles, names and modes of a session, and the prompts that were typed.

use crate::entry::user::PermissionMode;
use crate::id::{AgentId, EntryId, ToolUseId};
use crate::json::{Map, Text, record, words};

words! {
    /// Whether a session works itself or only directs others.
    pub enum SessionMode {
        Normal = "normal",
        Coordinator = "coordinator",
    }
}

record! {
    /// `summary`: a title, often of another session (1.0 to 2.1.22).
    pub struct Summary<'a>: "summary" {
        summary: Option<Text<'a>> = "summary",
        /// Belongs to the session that holds this entry.
        leaf_uuid: Option<EntryId<'a>> = "leafUuid",
    }

    /// `ai-title`: a title that the model found.
    pub struct AiTitle<'a>: "ai-title" {
        ai_title: Option<Text<'a>> = "aiTitle",
    }

    /// `custom-title`: a title that the user gave.
    pub struct CustomTitle<'a>: "custom-title" {
        custom_title: Option<Text<'a>> = "customTitle",
    }

    /// `agent-name`; the name is the envelope's.
    pub struct AgentName: "agent-name" {}

    /// `agent-color`; the colour is the envelope's.
    pub struct AgentColor: "agent-color" {}

    /// `agent-setting`: the agent that the session runs as.
    pub struct AgentSetting<'a>: "agent-setting" {
        agent_setting: Option<Text<'a>> = "agentSetting",
    }

    /// `tag`; an empty one means that the tag was taken away.
    pub struct Tag<'a>: "tag" {
        tag: Option<Text<'a>> = "tag",
    }

    /// `task-summary`: what the session is doing right now.
    pub struct TaskLine<'a>: "task-summary" {
        summary: Option<Text<'a>> = "summary",
    }

    /// `last-prompt`: the end of the active branch.
    pub struct LastPrompt<'a>: "last-prompt" {
        /// Shortened to 200 characters.
        last_prompt: Option<Text<'a>> = "lastPrompt",
        leaf_uuid: Option<EntryId<'a>> = "leafUuid",
        explicit: Option<bool> = "explicit",
    }

    /// `permission-mode`
    pub struct PermissionModeSet<'a>: "permission-mode" {
        permission_mode: Option<PermissionMode<'a>> = "permissionMode",
    }

    /// `mode`
    pub struct Mode<'a>: "mode" {
        mode: Option<SessionMode<'a>> = "mode",
    }

    /// A line of `history.jsonl`: a prompt as it was typed.
    pub struct HistoryLine<'a>: "history" {
        display: Option<Text<'a>> = "display",
        pasted_contents: Map<'a, Pasted<'a>> = "pastedContents",
        project: Option<Text<'a>> = "project",
    }

    /// Something pasted into a prompt.
    pub struct Pasted<'a>: "pasted content" {
        id: Option<i64> = "id",
        kind: Option<Text<'a>> = "type",
        content: Option<Text<'a>> = "content",
        /// Where a large paste is kept: `paste-cache/<hash>.txt`.
        content_hash: Option<Text<'a>> = "contentHash",
    }

    /// `agent_metadata`, and the `.meta.json` beside a subagent's file (docs/format G.7.2).
    pub struct AgentMeta<'a>: "agent metadata" {
        agent_type: Option<Text<'a>> = "agentType",
        description: Option<Text<'a>> = "description",
        /// The call that started the agent; absent for team members.
        tool_use_id: Option<ToolUseId<'a>> = "toolUseId",
        parent_agent_id: Option<AgentId<'a>> = "parentAgentId",
        spawn_depth: Option<i64> = "spawnDepth",
        request_shape: Option<Text<'a>> = "requestShape",
        request_non_interactive: Option<bool> = "requestNonInteractive",
        model: Option<Text<'a>> = "model",
        worktree_path: Option<Text<'a>> = "worktreePath",
        name: Option<Text<'a>> = "name",
        stopped_by_user: Option<bool> = "stoppedByUser",
        /// `in_process_teammate` marks team members.
        task_kind: Option<Text<'a>> = "taskKind",
        workflow_phase: Option<Text<'a>> = "workflowPhase",
    }
}
