//! The tags of the format, each with the reading of its element (docs/format F).

use super::command::Stream;

/// The reading of an element.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Tag {
    Command,
    BashOutput,
    Notification,
    Peer,
    Paste,
    CommandOutput(Stream),
    Caveat,
    BashInput,
    MemoryInput,
    Spoken,
    Reminder,
    OpenedFile,
    Selection,
    Diagnostics,
    HookOutput,
    Tick,
    Goal,
    TotalTokens,
    UploadedFiles,
    Fork,
    Coordinator,
    Event(EventSource),
    /// A pane of the desktop app, as context.
    Pane,
    /// Context without further structure.
    Injected,
}

/// The source of an event that wakes the model.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EventSource {
    /// The host of the session: it watches a pull request, a review, a repository.
    Host,
    /// A schedule.
    Schedule,
    /// A message in Slack.
    Slack,
}

impl Tag {
    /// Whether people begin their own prompts with this tag, too.
    pub(super) const fn is_ambiguous(self) -> bool {
        matches!(self, Self::Tick | Self::Goal | Self::Pane | Self::Paste | Self::Peer)
    }
}

/// All tags. A text that begins with any other is the user's.
const TAGS: [(&str, Tag); 63] = [
    ("command-name", Tag::Command),
    ("command-message", Tag::Command),
    ("command-args", Tag::Injected),
    ("command-contents", Tag::Injected),
    ("skill-format", Tag::Injected),
    ("local-command-stdout", Tag::CommandOutput(Stream::Stdout)),
    ("local-command-stderr", Tag::CommandOutput(Stream::Stderr)),
    ("local-command-caveat", Tag::Caveat),
    ("bash-input", Tag::BashInput),
    ("bash-stdout", Tag::BashOutput),
    ("bash-stderr", Tag::BashOutput),
    ("bash-exit-code", Tag::BashOutput),
    ("user-memory-input", Tag::MemoryInput),
    ("voice-call-talk", Tag::Spoken),
    ("system-reminder", Tag::Reminder),
    ("ide_opened_file", Tag::OpenedFile),
    ("ide_selection", Tag::Selection),
    ("ide_diagnostics", Tag::Diagnostics),
    ("new-diagnostics", Tag::Diagnostics),
    ("post-tool-use-hook", Tag::HookOutput),
    ("session-start-hook", Tag::HookOutput),
    ("user-prompt-submit-hook", Tag::HookOutput),
    ("tick", Tag::Tick),
    ("goal", Tag::Goal),
    ("total_tokens", Tag::TotalTokens),
    ("pasted_content", Tag::Paste),
    ("uploaded_files", Tag::UploadedFiles),
    ("fork-boilerplate", Tag::Fork),
    ("fork-source", Tag::Injected),
    ("forked-skill-launch", Tag::Injected),
    ("task-notification", Tag::Notification),
    ("agent-notification", Tag::Notification),
    ("bash-notification", Tag::Notification),
    ("teammate-message", Tag::Peer),
    ("cross-session-message", Tag::Peer),
    ("agent-message", Tag::Peer),
    ("channel", Tag::Peer),
    ("coordinator-relay", Tag::Coordinator),
    ("ci-monitor-event", Tag::Event(EventSource::Host)),
    ("github-webhook-activity", Tag::Event(EventSource::Host)),
    ("remote-review", Tag::Event(EventSource::Host)),
    ("remote-review-progress", Tag::Event(EventSource::Host)),
    ("scheduled-task", Tag::Event(EventSource::Schedule)),
    ("slack-ping", Tag::Event(EventSource::Slack)),
    ("slack-tag-message", Tag::Event(EventSource::Slack)),
    ("mcp-resource-update", Tag::Injected),
    ("mcp-polling-update", Tag::Injected),
    ("message-files-missing", Tag::Injected),
    ("message-files-moved", Tag::Injected),
    ("staged-files-missing", Tag::Injected),
    ("staged-files-still-copying", Tag::Injected),
    ("fetched-web-content", Tag::Injected),
    ("untrusted-widget-state", Tag::Injected),
    ("artifact-origin-notes", Tag::Injected),
    ("artifact-stored-declaration", Tag::Injected),
    ("sandbox_violations", Tag::Injected),
    ("tool_use_error", Tag::Injected),
    ("persisted-output", Tag::Injected),
    ("retrieval_status", Tag::Injected),
    ("task-type", Tag::Injected),
    ("terminal", Tag::Pane),
    ("browser", Tag::Pane),
    ("browser_instruction", Tag::Injected),
];

pub(super) fn tag_named(name: &str) -> Option<Tag> {
    TAGS.iter().find_map(|(known, tag)| (*known == name).then_some(*tag))
}

/// The tag of the format that a text begins with, whether or not it is closed. Such a text is not fit for a title.
///
/// ```
/// use format::text::known_tag;
/// assert_eq!(known_tag("<bash-exit-code>0</bash-exit-code>"), Some("bash-exit-code"));
/// assert_eq!(known_tag("<div> is off-centre"), None);
/// ```
pub fn known_tag(text: &str) -> Option<&str> {
    let inside = text.trim_start().strip_prefix('<')?;
    let inside = inside.strip_prefix('/').unwrap_or(inside);
    let end = inside.find(|c: char| !(c.is_ascii_alphanumeric() || c == '-' || c == '_')).unwrap_or(inside.len());
    let name = inside.get(..end)?;
    tag_named(name).map(|_| name)
}
