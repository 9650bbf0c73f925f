//! The kinds of attachments that are new in versions from 2.1.280 on (docs/format B.4.5).

use crate::json::Json;
use crate::{array, object};

/// A kind and its fields.
type Kind = (&'static str, fn() -> Json);

fn text() -> Json {
    object! { "text" => "<system-reminder>Go on with the task.</system-reminder>" }
}

fn content() -> Json {
    object! { "content" => "The folder is shared with another machine." }
}

fn lines() -> Json {
    object! { "lines" => array!["tools run on build-7"] }
}

fn nothing() -> Json {
    object! {}
}

pub(super) const ATTACHMENTS: &[Kind] = &[
    (
        "tool_results_cut",
        || object! { "callIds" => array!["toolu_01AGxgMnPT2uFuNbmDYN6SoW"], "standIn" => "[cut]", "roughTokens" => 8_100 },
    ),
    ("thinking_drop", || {
        object! {
            "requestId" => "req_011CX7AaN38jjdK9HirM8t4Q", "model" => "claude-opus-5-5", "querySource" => "main",
            "requestedBehavior" => "drop", "thinkingBlocksSent" => 4, "thinkingTurnsSent" => 2, "newlyDropped" => 1,
            "blockHashes" => array!["9f2c01"],
        }
    }),
    ("thinking_stripped", || object! { "scope" => "all", "from" => "claude-opus-5" }),
    ("advisor_stripped", nothing),
    ("whole_texts_withdrawn", nothing),
    ("session_cron_carry", || {
        let task = object! {
            "id" => "cron-1", "cron" => "0 9 * * 1", "prompt" => "check the build", "createdAt" => 1_791_200_000_000_i64,
            "recurring" => true,
        };
        object! { "tasks" => array![task] }
    }),
    ("inlined_image_paths", || object! { "paths" => array!["/home/ana/a.png"], "names" => array!["a.png"] }),
    ("bash_output_audience_note", || object! { "toolUseID" => "toolu_01AGxgMnPT2uFuNbmDYN6SoW" }),
    ("skill_mention", || object! { "skillName" => "review" }),
    ("agent_mention", || object! { "agentType" => "Explore" }),
    (
        "peer_mention",
        || object! { "mention" => "@docs", "status" => "found", "candidates" => array!["docs 2"], "total" => 1 },
    ),
    (
        "at_mention_reference",
        || object! { "mentions" => array!["src/up.py"], "fileSize" => 2_048, "displayPath" => "src/up.py" },
    ),
    (
        "pdf_reference",
        || object! { "filename" => "/home/ana/paper.pdf", "pageCount" => 12, "fileSize" => 812_000, "displayPath" => "paper.pdf" },
    ),
    ("message_pdf_reads", || object! { "reads" => array![] }),
    ("project_doc_reads", || object! { "reads" => array![] }),
    ("prompt_render_point", || object! { "cause" => "resume" }),
    ("async_hook_response_batch", || object! { "hooks" => array![] }),
    ("hook_deferred_tool", || {
        object! {
            "toolUseID" => "toolu_01AGxgMnPT2uFuNbmDYN6SoW", "toolName" => "Bash",
            "toolInput" => object! { "command" => "make deploy" }, "hookName" => "PreToolUse:Bash",
            "hookEvent" => "PreToolUse", "permissionMode" => "acceptEdits",
        }
    }),
    ("tool_host_result_lines", || {
        object! { "toolUseID" => "toolu_01AGxgMnPT2uFuNbmDYN6SoW", "host" => "build-7", "lines" => array!["done on build-7"] }
    }),
    ("tool_hosts_notice", lines),
    ("tool_hosts_correction", lines),
    ("poll_events", || object! { "envelopes" => array![], "kinds" => array![], "remainingWakeCount" => 3 }),
    ("coordinator_context", || object! { "content" => "Two workers are busy.", "changed" => true }),
    ("cowork_memory_context", || object! { "version" => 1, "content" => "Prefers tables." }),
    ("account_memory_recall", nothing),
    ("withheld_memory", || object! { "entries" => array![] }),
    ("context_sections", || object! { "sections" => array![] }),
    ("fork_briefing", text),
    ("batching_reminder", text),
    ("secondary_reminder", text),
    ("secondary_reminder_sent", text),
    ("elapsed_time_reminder", text),
    ("linked_plugin_tools_note", text),
    ("prefix_delta", text),
    ("critical_system_reminder", content),
    ("dir_sync_notice", content),
    ("sandbox_instructions", content),
    ("claude_app_notice", lines),
    ("plugin_note", nothing),
    ("token_usage", || object! { "used" => 41_000, "total" => 200_000, "remaining" => 159_000 }),
    ("unknown_command_fallback", || {
        object! {
            "commandName" => "reveiw", "suggestion" => "review", "availableCommandNames" => array!["review"],
            "availableCommandCount" => 1,
        }
    }),
    ("advisor_tool", || object! { "available" => true, "model" => "claude-opus-5-5" }),
    ("artifact_opening_prefetch", || object! { "content" => "<h1>Report</h1>", "kind" => "html" }),
    ("projects_thread_ask", || object! { "call" => "read" }),
    ("repl_mcp_needs_auth", || object! { "servers" => array!["linear"] }),
    (
        "tool_search_usage_reminder",
        || object! { "undiscoveredToolNames" => array!["WebFetch"], "undiscoveredCount" => 1 },
    ),
    ("widget_context_hint", || object! { "views" => array![] }),
    ("edited_image_file", || object! { "filename" => "/home/ana/a.png", "content" => array![] }),
    ("teammate_shutdown_batch", || object! { "count" => 2 }),
    ("language", || object! { "language" => "German" }),
    ("selected_lines_in_ide", || {
        object! {
            "ideName" => "VS Code", "lineStart" => 3, "lineEnd" => 9, "filename" => "/home/ana/work/shop/up.py",
            "content" => "def upload():", "displayPath" => "up.py",
        }
    }),
    ("workflow_keyword_request", nothing),
    ("workflow_size_guideline_change", || object! { "size" => "large" }),
    ("output_limit_note", nothing),
    ("output_token_usage", nothing),
    ("instruction_files_not_loaded", nothing),
    ("thread_state", nothing),
];
