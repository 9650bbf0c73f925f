use super::*;

#[test]
fn errors_of_tools_lose_their_tag() {
    assert_eq!(result_text("<tool_use_error>No such bed.</tool_use_error>"), ResultText::ToolUseError("No such bed."));
    assert_eq!(
        result_text("Error: <tool_use_error>No such bed.</tool_use_error>"),
        ResultText::ToolUseError("No such bed.")
    );
    let quoted = "<tool_use_error>x</tool_use_error> is what it said";
    assert_eq!(result_text(quoted), ResultText::Plain(quoted));
}

#[test]
fn spilled_output_has_size_path_and_preview() {
    let text = "<persisted-output>\nOutput too large (29.3KB). Full output saved to: /p/tool results/b2.txt\n\n\
                Preview (first 2KB):\nrow 1\nrow 2\n...\n</persisted-output>";
    assert_eq!(
        result_text(text),
        ResultText::Persisted(PersistedOutput {
            size: Some("29.3KB"),
            path: Some("/p/tool results/b2.txt"),
            preview: "row 1\nrow 2\n...",
        })
    );
    let odd = result_text("<persisted-output>gone</persisted-output>");
    assert_eq!(odd, ResultText::Persisted(PersistedOutput { size: None, path: None, preview: "" }));
}

#[test]
fn cleared_and_unchanged_content() {
    assert_eq!(result_text("[Old tool result content cleared]"), ResultText::Cleared);
    assert_eq!(result_text("Wasted call — file unchanged since your last Read. See there."), ResultText::Unchanged);
}

#[test]
fn exit_codes_keep_the_output() {
    assert_eq!(result_text("Exit code 1"), ResultText::ExitCode { code: 1, output: "" });
    assert_eq!(
        result_text("Exit code 127\nspade: not found\n"),
        ResultText::ExitCode { code: 127, output: "spade: not found" }
    );
    assert_eq!(result_text("Exit code of conduct"), ResultText::Plain("Exit code of conduct"));
}

#[test]
fn time_outs_with_and_without_an_exit_code() {
    assert_eq!(result_text("Command timed out after 2m 0s"), ResultText::TimedOut { after: "2m 0s", output: "" });
    assert_eq!(
        result_text("Error: Exit code 143\nCommand timed out after 1m 30.5s\n\ndigging…"),
        ResultText::TimedOut { after: "1m 30.5s", output: "digging…" }
    );
    assert_eq!(
        result_text("Command timed out after 5s 3 beds dug"),
        ResultText::TimedOut { after: "5s", output: "3 beds dug" }
    );
    let vague = "Command timed out after a while";
    assert_eq!(result_text(vague), ResultText::Plain(vague));
}

#[test]
fn interruptions() {
    assert_eq!(result_text("[Request interrupted by user for tool use]"), ResultText::Interrupted { output: "" });
    assert_eq!(
        result_text("Exit code 137\nhalf a bed\n[Request interrupted by user for tool use]"),
        ResultText::Interrupted { output: "half a bed" }
    );
}

#[test]
fn rejections_carry_the_users_words() {
    let start = "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a file \
                 edit, the new_string was NOT written to the file).";
    let reply = |rest: &str| match result_text(&format!("{start} {rest}")) {
        ResultText::Rejected(Reply::Said(words)) => words.to_owned(),
        other => format!("{other:?}"),
    };
    assert_eq!(reply("To tell you how to proceed, the user said:\nuse the rake"), "use the rake");
    assert_eq!(reply("The user provided the following reason for the rejection:  too deep"), "too deep");
    assert_eq!(
        reply(
            "To tell you how to proceed, the user said:\nrake\n\nNote: The user's next message may contain a correction or preference. Listen."
        ),
        "rake"
    );
    assert_eq!(reply("STOP what you are doing."), "Rejected(Silent)");
    assert_eq!(
        result_text("Error: The user doesn't want to take this action right now. STOP what you are doing."),
        ResultText::Rejected(Reply::Silent)
    );
    let clarify = "The user wants to clarify these questions.\n    Ask.";
    assert_eq!(
        result_text(&format!("{start} To tell you how to proceed, the user said:\n{clarify}")),
        ResultText::Rejected(Reply::WantsToClarify(clarify))
    );
    assert_eq!(
        result_text("Permission for this tool use was denied. The tool use was rejected (eg. …). Try another way."),
        ResultText::Rejected(Reply::Silent)
    );
}

#[test]
fn denials() {
    assert_eq!(
        result_text(
            "Permission for this action was denied by the Claude Code auto mode classifier. Reason: [Digging]. If you have other tasks that don't depend on this action, continue."
        ),
        ResultText::AutoModeDenied { reason: "[Digging]." }
    );
    let tool = |text: &'static str| match result_text(text) {
        ResultText::PermissionDenied { tool, .. } => tool,
        other => panic!("{other:?}"),
    };
    assert_eq!(tool("Permission to use Bash with command dig -f has been denied."), Some("Bash"));
    assert_eq!(tool("Permission to use Write has been auto-denied in dontAsk mode."), Some("Write"));
    assert_eq!(
        tool("Claude requested permissions to use WebSearch, but you haven't granted it yet."),
        Some("WebSearch")
    );
    assert_eq!(tool("Claude requested permissions to write to /g/a, but you haven't granted it yet."), None);
    assert_eq!(tool("This command requires approval"), None);
    assert_eq!(tool("File is in a directory that is denied by your permission settings."), None);
    assert_eq!(tool("Permission prompt was aborted."), None);
    assert_eq!(tool("some-model is unavailable, so auto mode cannot determine the safety of Bash right now."), None);
}

#[test]
fn cancelled_siblings() {
    let plain = ResultText::SiblingErrored { sibling: None };
    assert_eq!(result_text("Sibling tool call errored"), plain);
    assert_eq!(result_text("<tool_use_error>Sibling tool call errored</tool_use_error>"), plain);
    assert_eq!(
        result_text("<tool_use_error>Cancelled: parallel tool call Bash(dig …) errored</tool_use_error>"),
        ResultText::SiblingErrored { sibling: Some("Bash(dig …)") }
    );
}

#[test]
fn commands_in_the_background() {
    let read = |text| match result_text(text) {
        ResultText::Background(command) => command,
        other => panic!("{other:?}"),
    };
    let old = read("Command running in background with ID: dce0af");
    assert_eq!((old.id, old.output_path, old.cause), ("dce0af", None, BackgroundCause::Started));
    let new = read(
        "Command running in background with ID: b1. Output is being written to: /t/a b/b1.output. You will be notified.",
    );
    assert_eq!((new.id, new.output_path), ("b1", Some("/t/a b/b1.output")));
    let by_user =
        read("Command was manually backgrounded by user with ID: b2. Output is being written to: /t/b2.output");
    assert_eq!((by_user.output_path, by_user.cause), (Some("/t/b2.output"), BackgroundCause::ByUser));
    let slow = read(
        "sowing…\nCommand did not complete within its 120s timeout and was moved to the background (ID: b3). Output is \
         being written to: C:\\t\\b3.output. You will be notified when it completes.\nSession cwd remains D:\\g.",
    );
    assert_eq!((slow.id, slow.output_path), ("b3", Some("C:\\t\\b3.output")));
    assert_eq!((slow.cause, slow.output), (BackgroundCause::TookTooLong, "sowing…"));
    let quoted = "log:\nCommand running in background with ID: b4\nand\nmore\nlines";
    assert_eq!(result_text(quoted), ResultText::Plain(quoted));
}

#[test]
fn agents_in_the_background() {
    let text = "Async agent launched successfully.\nagentId: a9 (internal ID - do not mention to user.)\n\
                output_file: /t/a9.output\nDo NOT read it.";
    assert_eq!(result_text(text), ResultText::AgentLaunched { agent_id: "a9", output_file: Some("/t/a9.output") });
}

#[test]
fn anything_else_is_plain_without_its_reminders() {
    assert_eq!(result_text(""), ResultText::Plain(""));
    assert_eq!(result_text("  beds: 4\n"), ResultText::Plain("  beds: 4\n"));
    assert_eq!(result_text("Error: dry"), ResultText::Plain("Error: dry"));
    assert_eq!(result_text("wet\n\n<system-reminder>\nx\n</system-reminder>\n"), ResultText::Plain("wet"));
}
