//! Recognises entries of other agents whose files look like Claude Code's (docs/format B.9).

use std::fmt;

use super::system::SystemEvent;
use super::{Body, Envelope};
use crate::json::Note;

/// An agent whose files resemble Claude Code's.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Agent {
    /// Amp.
    Amp,
    /// Cline.
    Cline,
    /// Codex CLI.
    Codex,
    /// Factory Droid.
    Droid,
    /// Gemini CLI.
    Gemini,
    /// iFlow CLI.
    IFlow,
    /// `OpenClaude`.
    OpenClaude,
    /// Qwen Code.
    Qwen,
    /// An unknown agent that writes generic session events.
    SessionEvents,
}

impl Agent {
    /// The agent whose files are below a folder of this name. Some write entries that cannot be told from Claude Code's.
    ///
    /// ```
    /// use format::entry::Agent;
    /// assert_eq!(Agent::of_folder(".openclaude"), Some(Agent::OpenClaude));
    /// assert_eq!(Agent::of_folder(".claude"), None);
    /// ```
    pub fn of_folder(name: &str) -> Option<Self> {
        const FOLDERS: [(&str, Agent); 2] = [(".iflow", Agent::IFlow), (".openclaude", Agent::OpenClaude)];
        FOLDERS.iter().find(|(folder, _)| *folder == name).map(|(_, agent)| *agent)
    }
}

impl fmt::Display for Agent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Amp => "Amp",
            Self::Cline => "Cline",
            Self::Codex => "Codex",
            Self::Droid => "Factory Droid",
            Self::Gemini => "Gemini CLI",
            Self::IFlow => "iFlow CLI",
            Self::OpenClaude => "OpenClaude",
            Self::Qwen => "Qwen Code",
            Self::SessionEvents => "another agent (session events)",
        })
    }
}

/// The other agent that wrote an entry, if the entry has its marks.
pub(super) fn recognise(envelope: &Envelope<'_>, body: &Body<'_>, notes: &[Note<'_>]) -> Option<Agent> {
    // Amp numbers its threads `T-…`; Claude Code's sessions are plain UUIDs.
    if envelope.stream_session_id.is_some_and(|id| id.as_str().starts_with("T-")) {
        return Some(Agent::Amp);
    }
    // So does iFlow, whose version never changes.
    if envelope.session_id.is_some_and(|id| id.as_str().starts_with("session-"))
        && envelope.version.is_some_and(|version| version == "1.0.0")
    {
        return Some(Agent::IFlow);
    }
    if notes.is_empty() {
        return None;
    }
    let unknown = match body {
        Body::Unknown(unknown) => Some(unknown),
        Body::System(system) => system.event.as_ref().and_then(|event| match event {
            SystemEvent::Unknown(unknown) => Some(unknown),
            _ => None,
        }),
        _ => None,
    };
    let has = |key: &str| {
        let kept = unknown.is_some_and(|unknown| unknown.fields.get(key).is_some());
        kept || notes.iter().any(|note| matches!(note, Note::UnknownField { field, .. } if field == key))
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Scratch;

    #[test]
    fn each_look_alike_is_named() {
        for (line, expected) in [
            (r#"{"type":"system","subtype":"init","session_id":"T-2775dc92","cwd":"/tmp"}"#, Some(Agent::Amp)),
            (r#"{"type":"tool","agentSlug":"fixer","content":"ok"}"#, Some(Agent::Cline)),
            (r#"{"type":"user","agentSlug":"fixer","message":{"role":"user"}}"#, Some(Agent::Cline)),
            (r#"{"type":"session_meta","payload":{"id":"0199"}}"#, Some(Agent::Codex)),
            (r#"{"type":"response_item","payload":{"type":"message"}}"#, Some(Agent::Codex)),
            (r#"{"type":"tool_call","timestamp":1754640000000,"tool":"Read"}"#, Some(Agent::Droid)),
            (r#"{"type":"gemini","content":"hi"}"#, Some(Agent::Gemini)),
            (
                r#"{"type":"user","sessionId":"session-7f3a","version":"1.0.0","message":{"role":"user","content":"hi"}}"#,
                Some(Agent::IFlow),
            ),
            (r#"{"type":"user","sessionId":"session-7f3a","message":{"role":"user","content":"hi"}}"#, None),
            (r#"{"$set":{"lastUpdated":"2026-01-01"}}"#, Some(Agent::Gemini)),
            (
                r#"{"type":"user","version":"0.3.1","message":{"role":"user","parts":[{"text":"hi"}]}}"#,
                Some(Agent::Qwen),
            ),
            (r#"{"type":"system","subtype":"ui_telemetry","systemPayload":{}}"#, Some(Agent::Qwen)),
            (r#"{"type":"session_event","event":"start"}"#, Some(Agent::SessionEvents)),
            (r#"{"type":"user","message":{"role":"user","content":"hi"}}"#, None),
            (r#"{"type":"hologram","x":1}"#, None),
        ] {
            let scratch = Scratch::default();
            assert_eq!(crate::read(line.as_bytes(), &scratch).entries[0].foreign, expected, "{line}");
        }
    }
}
