//! `init`: what a session runs with (docs/format H.1).

use crate::entry::user::PermissionMode;
use crate::json::{Map, Raw, Text, record, words};

words! {
    /// How the connection to an MCP server stands.
    pub enum McpStatus {
        Connected = "connected",
        Failed = "failed",
        NeedsAuth = "needs-auth",
        Pending = "pending",
        Disabled = "disabled",
    }
}

record! {
    /// The settings of a session, sent at the start of every turn.
    pub struct Init<'a>: "init" {
        model: Option<Text<'a>> = "model",
        claude_code_version: Option<Text<'a>> = "claude_code_version",
        permission_mode: Option<PermissionMode<'a>> = "permissionMode" | "permission_mode",
        api_key_source: Option<Text<'a>> = "apiKeySource",
        output_style: Option<Text<'a>> = "output_style",
        effort: Option<Text<'a>> = "effort",
        per_turn_effort_active: Option<bool> = "per_turn_effort_active",
        fast_mode_state: Option<Text<'a>> = "fast_mode_state",
        fast_mode_disabled_reason: Option<Text<'a>> = "fast_mode_disabled_reason",
        tools: Vec<Text<'a>> = "tools",
        slash_commands: Vec<Text<'a>> = "slash_commands",
        terminal_slash_commands: Vec<Text<'a>> = "terminal_slash_commands",
        agents: Vec<Text<'a>> = "agents",
        skills: Vec<Text<'a>> = "skills",
        plugins: Vec<Plugin<'a>> = "plugins",
        plugin_errors: Option<Raw<'a>> = "plugin_errors",
        plugin_warnings: Option<Raw<'a>> = "plugin_warnings",
        mcp_servers: Vec<McpServer<'a>> = "mcp_servers",
        mcp_server_errors: Option<Raw<'a>> = "mcp_server_errors",
        additional_directories: Vec<Text<'a>> = "additional_directories",
        original_cwd: Option<Text<'a>> = "original_cwd",
        scratchpad_path: Option<Text<'a>> = "scratchpad_path",
        powershell_path: Option<Text<'a>> = "powershell_path",
        messaging_socket_path: Option<Text<'a>> = "messaging_socket_path",
        memory_paths: Map<'a, Raw<'a>> = "memory_paths",
        betas: Vec<Text<'a>> = "betas",
        capabilities: Vec<Text<'a>> = "capabilities",
        analytics_disabled: Option<bool> = "analytics_disabled",
        product_feedback_disabled: Option<bool> = "product_feedback_disabled",
        ultrathink_available: Option<bool> = "ultrathink_available",
        view_mode: Option<Text<'a>> = "view_mode",
        footer_indicator: Option<Raw<'a>> = "footer_indicator",
        cloud_session: Option<Raw<'a>> = "cloud_session",
        worker_epoch: Option<i64> = "worker_epoch",
        startup_timing: Option<Box<StartupTiming<'a>>> = "startup_timing",
    }

    /// An MCP server.
    pub struct McpServer<'a>: "mcp_servers" {
        name: Option<Text<'a>> = "name",
        status: Option<McpStatus<'a>> = "status",
        source: Option<Text<'a>> = "source",
        error: Option<Text<'a>> = "error",
    }

    /// A plugin.
    pub struct Plugin<'a>: "plugins" {
        name: Option<Text<'a>> = "name",
        path: Option<Text<'a>> = "path",
        version: Option<Text<'a>> = "version",
        source: Option<Text<'a>> = "source",
    }

    /// How long the process took to start, by phase.
    pub struct StartupTiming<'a>: "startup_timing" {
        entrypoint: Option<Text<'a>> = "entrypoint",
        warm_spare_claimed: Option<bool> = "warm_spare_claimed",
        time_origin_ms: Option<f64> = "time_origin_ms",
        phases: Map<'a, f64> = "phases",
        phase_start_ms: Map<'a, f64> = "phase_start_ms",
    }
}
