//! Builders for single entries, so that tests read like prose.
//!
//! ```
//! use testkit::entry;
//!
//! let line = entry::user("add retries").at("2026-08-08T09:15:22.118Z").line();
//! assert!(line.contains(r#""message":{"role":"user","content":"add retries"}"#));
//! ```
//!
//! Every builder gives a complete, valid line; fields that a test does not set have fixed defaults. The key order is
//! that of the CLI version of the entry ([`Entry::version`], by default [`VERSION`]).

mod assemble;
mod contents;
mod message;

pub use assemble::Entry;
pub(crate) use assemble::Surroundings;
pub use message::ToolUse;
pub(crate) use message::usage;

use crate::json::Json;
use crate::{array, object};
use assemble::EntryKind;

/// The default session id.
pub const SESSION: &str = "4c1e0f7a-2b3c-4d5e-8f90-a1b2c3d4e5f6";
/// The default working directory.
pub const CWD: &str = "/home/ana/work/shop";
/// The default CLI version.
pub const VERSION: &str = "2.1.226";
/// The default time.
pub const TIME: &str = "2026-08-08T09:15:22.118Z";
/// The default uuid.
pub const UUID: &str = "1fd0a1ce-64a7-4e0f-8d51-0f2b3c4d5e6f";

/// A prompt, or any other `user` entry whose content is a plain string.
pub fn user(text: impl Into<Json>) -> Entry {
    Entry::of_kind(EntryKind::User).content(text)
}

/// A `user` entry whose content is an array; add blocks with [`Entry::text`], [`Entry::image`] and [`Entry::block`].
pub fn user_blocks() -> Entry {
    Entry::of_kind(EntryKind::User).content(array![])
}

/// The result of a tool call, by the call or its id; add the text with
/// [`Entry::output`] and the structured form with [`Entry::with_result`].
///
/// ```
/// use testkit::entry;
/// let line = entry::tool_result("toolu_01").output("ok").line();
/// assert!(line.contains(r#"{"tool_use_id":"toolu_01","type":"tool_result","content":"ok"}"#));
/// ```
pub fn tool_result(call: impl AsRef<str>) -> Entry {
    Entry::of_kind(EntryKind::User).content(array![object! {
        "tool_use_id" => call.as_ref(),
        "type" => "tool_result",
        "content" => "",
    }])
}

/// An answer of the model; add blocks with [`Entry::text`], [`Entry::thinking`] and [`Entry::tool_use`].
pub fn assistant() -> Entry {
    Entry::of_kind(EntryKind::Assistant).content(array![])
}

/// A `system` entry; add its fields with [`Entry::with`].
pub fn system(subtype: &str) -> Entry {
    Entry::of_kind(EntryKind::System).with("type", "system").with("subtype", subtype)
}

/// A `system` entry of 1.0.33 to 1.0.56, which has no subtype.
pub fn system_note(content: &str, tool_use_id: &str) -> Entry {
    Entry::of_kind(EntryKind::System)
        .with("type", "system")
        .with("content", content)
        .with("isMeta", false)
        .with_after("toolUseID", tool_use_id)
        .with_after("level", "info")
}

/// An `attachment` entry of this kind; `fields` is an object without `type`.
pub fn attachment(kind: &str, fields: impl Into<Json>) -> Entry {
    let mut body = crate::json::Object::default();
    body.push("type", kind);
    if let Json::Object(fields) = fields.into() {
        body.append(fields);
    }
    Entry::of_kind(EntryKind::Attachment).with_before("attachment", body).with_before("type", "attachment")
}

/// A `progress` entry (up to 2.1.81); `data` is the whole `data` object.
pub fn progress(data: impl Into<Json>, tool_use_id: &str, parent_tool_use_id: &str) -> Entry {
    Entry::of_kind(EntryKind::Progress)
        .with_before("type", "progress")
        .with_before("data", data)
        .with_before("toolUseID", tool_use_id)
        .with_before("parentToolUseID", parent_tool_use_id)
}

/// A metadata entry: no `uuid`, no parent, only the fields added with [`Entry::with`].
pub fn metadata(kind: &str) -> Entry {
    Entry::of_kind(EntryKind::Metadata).with("type", kind)
}

/// A `summary` line; the leaf may be in another file.
pub fn summary(text: &str, leaf: &str) -> Entry {
    metadata("summary").with("summary", text).with("leafUuid", leaf)
}

/// A `custom-title` line. Name the session with [`Entry::in_session`].
pub fn custom_title(title: &str) -> Entry {
    metadata("custom-title").with("customTitle", title).with("sessionId", SESSION)
}

/// An `ai-title` line.
pub fn ai_title(title: &str) -> Entry {
    metadata("ai-title").with("aiTitle", title).with("sessionId", SESSION)
}

/// A `last-prompt` line that names the active leaf.
pub fn last_prompt(prompt: &str, leaf: &str) -> Entry {
    metadata("last-prompt").with("lastPrompt", prompt).with("leafUuid", leaf).with("sessionId", SESSION)
}

/// A `queue-operation` line: `enqueue`, `dequeue`, `remove` or `popAll`; add the text of `enqueue` with
/// `.with("content", …)`.
pub fn queue_operation(operation: &str) -> Entry {
    metadata("queue-operation").with("operation", operation).with("timestamp", TIME).with("sessionId", SESSION)
}

/// A `file-history-snapshot` line for the user message `message_id`.
pub fn file_history_snapshot(message_id: &str, backups: impl Into<Json>) -> Entry {
    metadata("file-history-snapshot")
        .with("messageId", message_id)
        .with(
            "snapshot",
            object! { "messageId" => message_id, "trackedFileBackups" => backups.into(), "timestamp" => TIME },
        )
        .with("isSnapshotUpdate", false)
}

/// The marker of an interruption by the user.
pub fn interruption() -> Entry {
    user_blocks().text("[Request interrupted by user]")
}

/// The marker of an interruption while a tool ran.
pub fn interruption_of_tool_use() -> Entry {
    user_blocks().text("[Request interrupted by user for tool use]")
}

/// A `compact_boundary`: a root that names the old leaf.
pub fn compact_boundary(trigger: &str, old_leaf: &str, metadata: impl Into<Json>) -> Entry {
    let details = object! { "trigger" => trigger };
    let details = match (details, metadata.into()) {
        (Json::Object(mut base), Json::Object(more)) => {
            base.append(more);
            Json::Object(base)
        }
        (base, _) => base,
    };
    system("compact_boundary")
        .root()
        .logical_parent(old_leaf)
        .with("content", "Conversation compacted")
        .with("isMeta", false)
        .with_after("level", "info")
        .with_after("compactMetadata", details)
}

/// The summary that follows a [`compact_boundary`].
pub fn compact_summary(text: &str) -> Entry {
    user(format!(
        "This session is being continued from a previous conversation that ran out of context. \
         The summary below covers the earlier portion of the conversation.\n\n{text}"
    ))
    .with_before("isVisibleInTranscriptOnly", true)
    .with_before("isCompactSummary", true)
}

/// A built-in slash command as `user` text: `slash_command("/model", "opus")`.
pub fn slash_command(name: &str, arguments: &str) -> Entry {
    let message = name.trim_start_matches('/');
    user(format!(
        "<command-name>{name}</command-name>\n            <command-message>{message}</command-message>\n            \
         <command-args>{arguments}</command-args>"
    ))
}

/// The output of a local command.
pub fn local_command_stdout(text: &str) -> Entry {
    user(format!("<local-command-stdout>{text}</local-command-stdout>"))
}

/// A command typed in bash mode (`!ls`).
pub fn bash_input(command: &str) -> Entry {
    user(format!("<bash-input>{command}</bash-input>"))
}

/// The output of a command in bash mode.
pub fn bash_output(stdout: &str, stderr: &str) -> Entry {
    user(format!("<bash-stdout>{stdout}</bash-stdout><bash-stderr>{stderr}</bash-stderr>"))
}

#[cfg(test)]
mod tests;
