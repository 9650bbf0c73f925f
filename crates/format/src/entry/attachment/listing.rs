//! The available skills, tools and agents, and the circumstances of the session.

use crate::json::{Map, Raw, Text, record};

record! {
    /// The available skills.
    pub struct SkillListing<'a>: "skill_listing" {
        content: Option<Text<'a>> = "content",
        skill_count: Option<i64> = "skillCount",
        is_initial: Option<bool> = "isInitial",
        names: Vec<Text<'a>> = "names",
    }

    /// Skills found in a directory during the session.
    pub struct DynamicSkill<'a>: "dynamic_skill" {
        skill_dir: Option<Text<'a>> = "skillDir",
        skill_names: Vec<Text<'a>> = "skillNames",
        display_path: Option<Text<'a>> = "displayPath",
    }

    /// The skills in use, repeated after a compaction.
    pub struct InvokedSkills<'a>: "invoked_skills" {
        skills: Vec<InvokedSkill<'a>> = "skills",
    }

    /// A skill in use.
    pub struct InvokedSkill<'a>: "invoked skill" {
        name: Option<Text<'a>> = "name",
        path: Option<Text<'a>> = "path",
        content: Option<Text<'a>> = "content",
    }

    /// Tools that became searchable, or stopped being so.
    pub struct DeferredToolsDelta<'a>: "deferred_tools_delta" {
        added_names: Vec<Text<'a>> = "addedNames",
        added_lines: Vec<Text<'a>> = "addedLines",
        removed_names: Vec<Text<'a>> = "removedNames",
        readded_names: Vec<Text<'a>> = "readdedNames",
        pending_mcp_servers: Vec<Text<'a>> = "pendingMcpServers",
        needs_auth_mcp_servers: Vec<Text<'a>> = "needsAuthMcpServers",
    }

    /// All searchable tools.
    pub struct DeferredToolsRecord<'a>: "deferred_tools_record" {
        names: Vec<Text<'a>> = "names",
    }

    /// Instructions of MCP servers that were added or removed.
    pub struct McpInstructionsDelta<'a>: "mcp_instructions_delta" {
        added_names: Vec<Text<'a>> = "addedNames",
        added_blocks: Vec<Text<'a>> = "addedBlocks",
        removed_names: Vec<Text<'a>> = "removedNames",
    }

    /// Agent types that were added or removed.
    pub struct AgentListingDelta<'a>: "agent_listing_delta" {
        added_types: Vec<Text<'a>> = "addedTypes",
        added_lines: Vec<Text<'a>> = "addedLines",
        removed_types: Vec<Text<'a>> = "removedTypes",
        is_initial: Option<bool> = "isInitial",
        show_concurrency_note: Option<bool> = "showConcurrencyNote",
    }

    /// The actions that a command may take without asking.
    pub struct CommandPermissions<'a>: "command_permissions" {
        allowed_tools: Vec<Text<'a>> = "allowedTools",
        model: Option<Text<'a>> = "model",
    }

    /// The current date, or the change to a new date.
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

    /// The machine and the working directory.
    pub struct Environment<'a>: "environment" {
        snapshot: Option<EnvironmentSnapshot<'a>> = "snapshot",
    }

    /// The machine and the working directory at one moment.
    pub struct EnvironmentSnapshot<'a>: "environment snapshot" {
        working_directory: Option<Text<'a>> = "workingDirectory",
        is_worktree: Option<bool> = "isWorktree",
        is_git_repo: Option<bool> = "isGitRepo",
        additional_working_directories: Vec<Text<'a>> = "additionalWorkingDirectories",
        platform: Option<Text<'a>> = "platform",
        shell: Option<Text<'a>> = "shell",
        os_version: Option<Text<'a>> = "osVersion",
    }

    /// The user and the repository; private.
    pub struct SessionContext<'a>: "session_context" {
        context: Map<'a, Raw<'a>> = "context",
        changed: Option<Raw<'a>> = "changed",
        reason: Option<Text<'a>> = "reason",
    }

    /// The system prompt and the tools at the first turn.
    pub struct PromptSnapshot<'a>: "prompt_snapshot" {
        system_prompt: Vec<Raw<'a>> = "systemPrompt",
        tools: Vec<Raw<'a>> = "tools",
        cli_prefix: Option<Text<'a>> = "cliPrefix",
        context_rendering: Option<Raw<'a>> = "contextRendering",
        reminder_fold: Option<Raw<'a>> = "reminderFold",
    }

    /// A small creature beside the prompt.
    pub struct CompanionIntro<'a>: "companion_intro" {
        name: Option<Text<'a>> = "name",
        species: Option<Text<'a>> = "species",
    }

    /// An attachment of which only the name is known.
    pub struct NameOnly: "attachment known by name" {}
}
