//! Skills, tools and agents that are there, and the circumstances of the session.

use crate::id::AgentId;
use crate::json::{Map, Raw, Text, Time, record};

record! {
    /// The skills that can be used.
    pub struct SkillListing<'a>: "skill_listing" {
        content: Option<Text<'a>> = "content",
        skill_count: Option<i64> = "skillCount",
        is_initial: Option<bool> = "isInitial",
        names: Vec<Text<'a>> = "names",
    }

    /// Skills found in a directory on the way.
    pub struct DynamicSkill<'a>: "dynamic_skill" {
        skill_dir: Option<Text<'a>> = "skillDir",
        skill_names: Vec<Text<'a>> = "skillNames",
        display_path: Option<Text<'a>> = "displayPath",
    }

    /// Skills in use, told again after a compaction.
    pub struct InvokedSkills<'a>: "invoked_skills" {
        skills: Vec<InvokedSkill<'a>> = "skills",
    }

    /// A skill in use.
    pub struct InvokedSkill<'a>: "invoked skill" {
        name: Option<Text<'a>> = "name",
        path: Option<Text<'a>> = "path",
        content: Option<Text<'a>> = "content",
    }

    /// Skills that seemed to fit.
    pub struct SkillDiscovery<'a>: "skill_discovery" {
        skills: Vec<Raw<'a>> = "skills",
        signal: Option<Raw<'a>> = "signal",
        source: Option<Text<'a>> = "source",
    }

    /// Only its name is known.
    pub struct SkillMention: "skill_mention" {}

    /// Tools that can now be searched for, or no longer.
    pub struct DeferredToolsDelta<'a>: "deferred_tools_delta" {
        added_names: Vec<Text<'a>> = "addedNames",
        added_lines: Vec<Text<'a>> = "addedLines",
        removed_names: Vec<Text<'a>> = "removedNames",
        readded_names: Vec<Text<'a>> = "readdedNames",
        pending_mcp_servers: Vec<Text<'a>> = "pendingMcpServers",
        needs_auth_mcp_servers: Vec<Text<'a>> = "needsAuthMcpServers",
    }

    /// All tools that can be searched for.
    pub struct DeferredToolsRecord<'a>: "deferred_tools_record" {
        names: Vec<Text<'a>> = "names",
    }

    /// Instructions of MCP servers that came or went.
    pub struct McpInstructionsDelta<'a>: "mcp_instructions_delta" {
        added_names: Vec<Text<'a>> = "addedNames",
        added_blocks: Vec<Text<'a>> = "addedBlocks",
        removed_names: Vec<Text<'a>> = "removedNames",
    }

    /// Kinds of agents that came or went.
    pub struct AgentListingDelta<'a>: "agent_listing_delta" {
        added_types: Vec<Text<'a>> = "addedTypes",
        added_lines: Vec<Text<'a>> = "addedLines",
        removed_types: Vec<Text<'a>> = "removedTypes",
        is_initial: Option<bool> = "isInitial",
        show_concurrency_note: Option<bool> = "showConcurrencyNote",
    }

    /// What a command may do without asking.
    pub struct CommandPermissions<'a>: "command_permissions" {
        allowed_tools: Vec<Text<'a>> = "allowedTools",
        model: Option<Text<'a>> = "model",
    }

    /// The day, or that it is another one now.
    pub struct Date<'a>: "date attachment" {
        date: Option<Text<'a>> = "newDate" | "date",
    }

    /// The model that answers.
    pub struct Model<'a>: "model attachment" {
        identity: Option<ModelIdentity<'a>> = "identity",
        text: Option<Text<'a>> = "text",
    }

    /// The names of a model.
    pub struct ModelIdentity<'a>: "model identity" {
        model_id: Option<Text<'a>> = "modelId",
        marketing_name: Option<Text<'a>> = "marketingName",
        knowledge_cutoff: Option<Text<'a>> = "knowledgeCutoff",
    }

    /// The machine and the directory.
    pub struct Environment<'a>: "environment" {
        snapshot: Option<EnvironmentSnapshot<'a>> = "snapshot",
    }

    /// The machine and the directory at one moment.
    pub struct EnvironmentSnapshot<'a>: "environment snapshot" {
        working_directory: Option<Text<'a>> = "workingDirectory",
        is_worktree: Option<bool> = "isWorktree",
        is_git_repo: Option<bool> = "isGitRepo",
        additional_working_directories: Vec<Text<'a>> = "additionalWorkingDirectories",
        platform: Option<Text<'a>> = "platform",
        shell: Option<Text<'a>> = "shell",
        os_version: Option<Text<'a>> = "osVersion",
    }

    /// Who works on what; private.
    pub struct SessionContext<'a>: "session_context" {
        context: Map<'a, Raw<'a>> = "context",
        changed: Option<Raw<'a>> = "changed",
        reason: Option<Text<'a>> = "reason",
    }

    /// What the model was given at the first turn.
    pub struct PromptSnapshot<'a>: "prompt_snapshot" {
        system_prompt: Vec<Raw<'a>> = "systemPrompt",
        tools: Vec<Raw<'a>> = "tools",
        cli_prefix: Option<Text<'a>> = "cliPrefix",
        context_rendering: Option<Raw<'a>> = "contextRendering",
    }

    /// Only its name is known.
    pub struct ContextSections: "context_sections" {}

    /// Only its name is known.
    pub struct CredentialOrg: "credential_org" {}

    /// Only its name is known.
    pub struct RemoteSessionChange: "remote_session_change" {}

    /// An agent that the user mentioned with `@`.
    pub struct AgentMention<'a>: "agent_mention" {
        agent_type: Option<Text<'a>> = "agentType",
    }

    /// The team that a session belongs to.
    pub struct TeamContext<'a>: "team_context" {
        agent_id: Option<AgentId<'a>> = "agentId",
        agent_name: Option<Text<'a>> = "agentName",
        team_name: Option<Text<'a>> = "teamName",
        team_config_path: Option<Text<'a>> = "teamConfigPath",
        task_list_path: Option<Text<'a>> = "taskListPath",
    }

    /// Messages of the team.
    pub struct TeammateMailbox<'a>: "teammate_mailbox" {
        messages: Vec<TeammateMessage<'a>> = "messages",
    }

    /// A message of a team member.
    pub struct TeammateMessage<'a>: "teammate message" {
        from: Option<Text<'a>> = "from",
        text: Option<Text<'a>> = "text",
        timestamp: Option<Time<'a>> = "timestamp",
        color: Option<Text<'a>> = "color",
        summary: Option<Text<'a>> = "summary",
    }

    /// A small creature beside the prompt.
    pub struct CompanionIntro<'a>: "companion_intro" {
        name: Option<Text<'a>> = "name",
        species: Option<Text<'a>> = "species",
    }

    /// Only its name is known.
    pub struct BashOutputAudienceNote: "bash_output_audience_note" {}

    /// Only its name is known.
    pub struct ThinkingDrop: "thinking_drop" {}

    /// Only its name is known.
    pub struct SessionCronCarry: "session_cron_carry" {}
}
