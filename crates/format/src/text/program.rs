//! Reads the JSON that Claude Code puts into texts for itself: the protocol of a team, and notes to its host
//! (docs/format F.3).

use memchr::memmem;

use crate::id::ToolUseId;
use crate::json::{self, Notes, Scratch, Text, record};

record! {
    /// A note to the host that a task has started, which 2.1.3x to 2.1.5x put into the queue of prompts.
    pub struct TaskEvent<'a>: "task event" {
        task_id: Option<Text<'a>> = "task_id",
        tool_use_id: Option<ToolUseId<'a>> = "tool_use_id",
        description: Option<Text<'a>> = "description",
        /// `local_bash`, `local_agent`…
        task_type: Option<Text<'a>> = "task_type",
    }

    /// A message of the protocol of a team.
    struct ProtocolMessage<'a>: "team protocol" {
        kind: Option<Text<'a>> = "type",
        subject: Option<Text<'a>> = "subject",
        summary: Option<Text<'a>> = "summary",
        description: Option<Text<'a>> = "description",
        message: Option<Text<'a>> = "message",
        reason: Option<Text<'a>> = "reason",
        feedback: Option<Text<'a>> = "feedback",
        idle_reason: Option<Text<'a>> = "idleReason" | "idle_reason",
        failure_reason: Option<Text<'a>> = "failureReason" | "failure_reason",
    }
}

/// The types of messages that teammates exchange.
const PROTOCOL: [&str; 15] = [
    "idle_notification",
    "shutdown_request",
    "shutdown_response",
    "shutdown_approved",
    "shutdown_rejected",
    "teammate_terminated",
    "task_assignment",
    "task_completed",
    "plan_approval_request",
    "plan_approval_response",
    "permission_request",
    "permission_response",
    "sandbox_permission_request",
    "sandbox_permission_response",
    "mode_set_request",
];

/// Reads a [`SegmentKind::TaskEvent`](super::SegmentKind::TaskEvent).
pub fn task_event<'a>(json: &'a str, scratch: &'a Scratch) -> Option<TaskEvent<'a>> {
    json::read_value(json, &mut Notes::new(scratch))
}

/// Whether a text is a message of the protocol.
pub(super) fn is_protocol(text: &str) -> bool {
    let Some(rest) = text.strip_prefix("{\"type\":\"").filter(|_| text.ends_with('}')) else { return false };
    rest.split_once('"').is_some_and(|(kind, _)| PROTOCOL.contains(&kind))
}

/// The sender of a message of the protocol.
pub(super) fn protocol_sender(json: &str) -> Option<&str> {
    const FROM: &str = "\"from\":\"";
    let start = memmem::find(json.as_bytes(), FROM.as_bytes())? + FROM.len();
    let (name, _) = json.get(start..)?.split_once('"')?;
    Some(name).filter(|name| !name.contains('\\'))
}

/// A message of the protocol in words; `None` if it is not JSON or has no type.
pub(super) fn protocol_words(json: &str) -> Option<String> {
    let scratch = Scratch::default();
    let message: ProtocolMessage<'_> = json::read_value(json, &mut Notes::new(&scratch))?;
    let kind = message.kind?.replace('_', " ");
    let kind = kind.strip_suffix(" notification").unwrap_or(&kind);
    let said = [
        message.subject,
        message.summary,
        message.description,
        message.message,
        message.feedback,
        message.reason,
        message.failure_reason,
        message.idle_reason,
    ];
    let said = said.into_iter().flatten().map(Text::as_str).filter(|text| !text.trim().is_empty());
    Some(std::iter::once(kind).chain(said).collect::<Vec<_>>().join(" · "))
}
