//! Families of tools, for icons, colours and filters.

use format::tool::{present_name, split_mcp};

/// The family of a tool, by the name that it was called by: a word of a small closed set.
pub(crate) fn family(tool: &str) -> &'static str {
    match present_name(tool) {
        Some(name) => of_builtin(name).unwrap_or(OTHER),
        None if split_mcp(tool).is_some() => "mcp",
        // These run at the API.
        None => match tool {
            "web_search" | "web_fetch" => "web",
            "code_execution" | "bash_code_execution" => "shell",
            "text_editor_code_execution" => "edit",
            "tool_search_tool_regex" | "tool_search_tool_bm25" => "search",
            _ => OTHER,
        },
    }
}

const OTHER: &str = "other";

/// The table. A test holds that no tool is missing.
fn of_builtin(name: &str) -> Option<&'static str> {
    Some(match name {
        "Bash" | "PowerShell" | "BashOutput" | "TaskOutput" | "TaskStop" | "Monitor" => "shell",
        "Read" | "NotebookRead" => "read",
        "Edit" | "MultiEdit" | "NotebookEdit" => "edit",
        "Write" => "write",
        "Glob" | "Grep" | "LS" | "LSP" | "ToolSearch" => "search",
        "WebFetch" | "WebSearch" => "web",
        "Agent" | "ListAgents" | "SubagentHandback" | "TeamCreate" | "TeamDelete" | "Workflow" => "agent",
        "TaskCreate" | "TaskGet" | "TaskList" | "TaskUpdate" | "TodoRead" | "TodoWrite" => "task",
        "EnterPlanMode" | "ExitPlanMode" | "ProposeGoal" => "plan",
        "AskUserQuestion" | "OfferChromeSetup" | "ShowOnboardingRolePicker" => "ask",
        "PushNotification" | "ReadNotifications" | "SendFeedback" | "SendMessage" | "SendUserFile"
        | "SendUserMessage" => "message",
        "ListMcpResourcesTool"
        | "ReadMcpResourceTool"
        | "ReadMcpResourceDirTool"
        | "RefreshMcpTools"
        | "WaitForMcpServers" => "mcp",
        "Skill" | "SlashCommand" | "propose_skills" => "skill",
        "CronCreate" | "CronDelete" | "CronList" | "RemoteTrigger" | "ScheduleWakeup" => "schedule",
        "EnterWorktree" | "ExitWorktree" => "worktree",
        "Artifact"
        | "ClaudeDesign"
        | "EndConversation"
        | "Projects"
        | "ReportFindings"
        | "ShareOnboardingGuide"
        | "StructuredOutput" => OTHER,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::super::tests::examples;
    use super::*;

    #[test]
    fn every_tool_has_a_family() {
        for (tool, _) in examples() {
            assert!(present_name(tool).is_none_or(|name| of_builtin(name).is_some()), "{tool}");
        }
    }
}
