//! Look-alikes: entries of other agents that turn up beside ours (FORMAT.md B.9).

use std::fmt;

use super::{Body, Envelope};
use crate::json::Note;

/// An agent that writes files much like Claude Code's.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Agent {
    /// Amp.
    Amp,
    /// Cline.
    Cline,
    /// OpenAI Codex.
    Codex,
    /// Factory Droid.
    Droid,
    /// Gemini CLI.
    Gemini,
    /// Qwen Code.
    Qwen,
    /// Some agent that writes generic session events.
    SessionEvents,
}

impl fmt::Display for Agent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Amp => "Amp",
            Self::Cline => "Cline",
            Self::Codex => "Codex",
            Self::Droid => "Factory Droid",
            Self::Gemini => "Gemini CLI",
            Self::Qwen => "Qwen Code",
            Self::SessionEvents => "another agent (session events)",
        })
    }
}

/// The other agent that wrote an entry, if its marks are there.
pub(super) fn recognise(envelope: &Envelope<'_>, body: &Body<'_>, notes: &[Note<'_>]) -> Option<Agent> {
    // Amp numbers its threads `T-…`; Claude Code's sessions are plain UUIDs.
    if envelope.stream_session_id.is_some_and(|id| id.as_str().starts_with("T-")) {
        return Some(Agent::Amp);
    }
    if notes.is_empty() {
        return None;
    }
    let has = |field: &str| {
        let noted = |note: &Note<'_>| matches!(note, Note::UnknownField { field: name, .. } if name == field);
        let kept = |body: &Body<'_>| matches!(body, Body::Unknown(unknown) if unknown.fields.get(field).is_some());
        notes.iter().any(noted) || kept(body)
    };
    match body.kind() {
        "session_meta" | "response_item" | "event_msg" | "turn_context" => Some(Agent::Codex),
        "gemini" => Some(Agent::Gemini),
        "session_event" => Some(Agent::SessionEvents),
        "tool" if has("agentSlug") => Some(Agent::Cline),
        "message" | "tool_call" | "completion" => Some(Agent::Droid),
        _ if has("$set") => Some(Agent::Gemini),
        _ if has("agentSlug") => Some(Agent::Cline),
        _ if has("systemPayload") || has("parts") => Some(Agent::Qwen),
        _ => None,
    }
}
