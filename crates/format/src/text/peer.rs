//! Reads messages from other speakers in the user role: background tasks, teammates, other sessions, the coordinator
//! (docs/format F.3).

use std::borrow::Cow;

use super::agent::Usage;
use super::program::{is_protocol, protocol_sender, protocol_words};
use super::scan::{Attributes, Closer, fields, first_line, opening, strip_any};

/// The report of a background task: a command, an agent or a monitor.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct TaskNotification<'a> {
    /// The task's id.
    pub task_id: Option<&'a str>,
    /// The call that started it; absent in old versions.
    pub tool_use_id: Option<&'a str>,
    /// `local_bash`, `local_agent`…; usually absent.
    pub task_type: Option<&'a str>,
    /// The file that holds its output.
    pub output_file: Option<&'a str>,
    /// How it ended; absent for a monitor's event.
    pub status: Option<TaskStatus<'a>>,
    /// One sentence, with entities such as `&amp;` still escaped (see [`unescape`](super::unescape)).
    pub summary: Option<&'a str>,
    /// A hint to the model.
    pub note: Option<&'a str>,
    /// The final answer of an agent.
    pub result: Option<&'a str>,
    /// The event that a monitor reported.
    pub event: Option<&'a str>,
    /// The worktree that the agent left behind.
    pub worktree_path: Option<&'a str>,
    /// The branch of that worktree.
    pub worktree_branch: Option<&'a str>,
    /// Its usage.
    pub usage: Option<Usage>,
    /// The path on the line after the notification.
    pub transcript_path: Option<&'a str>,
}

/// How a background task ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TaskStatus<'a> {
    /// It finished.
    Completed,
    /// It failed.
    Failed,
    /// It was killed.
    Killed,
    /// It was stopped.
    Stopped,
    /// It still runs.
    Running,
    /// A status of another version.
    Other(&'a str),
}

impl<'a> TaskStatus<'a> {
    fn read(word: &'a str) -> Self {
        match word {
            "completed" => Self::Completed,
            "failed" => Self::Failed,
            "killed" => Self::Killed,
            "stopped" => Self::Stopped,
            "running" => Self::Running,
            other => Self::Other(other),
        }
    }
}

/// A message from a teammate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TeammateMessage<'a> {
    /// Its name; `system` for the team's own notices.
    pub teammate_id: Option<&'a str>,
    /// Its colour in the terminal.
    pub color: Option<&'a str>,
    /// The subject.
    pub summary: Option<&'a str>,
    /// The message.
    pub body: TeammateBody<'a>,
}

/// The content of a teammate's message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TeammateBody<'a> {
    /// Words, as Markdown.
    Words(&'a str),
    /// A JSON object of the team's protocol (`{"type":"idle_notification",…}`), not speech.
    Protocol(&'a str),
}

impl<'a> TeammateBody<'a> {
    fn read(inner: &'a str) -> Self {
        let text = inner.trim();
        if text.starts_with('{') && text.ends_with('}') { Self::Protocol(text) } else { Self::Words(text) }
    }

    /// The body as written.
    pub fn text(self) -> &'a str {
        match self {
            Self::Words(text) | Self::Protocol(text) => text,
        }
    }

    /// The body in words: a message of the protocol by its type and what it says.
    pub fn words(self) -> Cow<'a, str> {
        match self {
            Self::Words(text) => Cow::Borrowed(text),
            Self::Protocol(json) => protocol_words(json).map_or(Cow::Borrowed(json), Cow::Owned),
        }
    }
}

/// A message from another session.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CrossSessionMessage<'a> {
    /// Its address, such as a socket.
    pub from: Option<&'a str>,
    /// Its name.
    pub from_name: Option<&'a str>,
    /// The permission mode it runs in.
    pub from_mode: Option<&'a str>,
    /// The message.
    pub body: &'a str,
}

/// A message from a subagent of this session, or from its caller.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AgentMessage<'a> {
    /// The agent's id or name.
    pub from: Option<&'a str>,
    /// The message; a hand-back is indented and preceded by a notice.
    pub body: &'a str,
}

/// An event that an MCP server pushed into the session.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ChannelMessage<'a> {
    /// The channel's name.
    pub source: Option<&'a str>,
    /// All attributes: chat, user and others that the server chose.
    pub attributes: Attributes<'a>,
    /// The message.
    pub body: &'a str,
}

/// Any message that the line `Another Claude session sent a message:` announces.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Peer<'a> {
    Teammate(TeammateMessage<'a>),
    CrossSession(CrossSessionMessage<'a>),
    Agent(AgentMessage<'a>),
    Channel(ChannelMessage<'a>),
}

/// Reads a peer's message whose tag starts `text`, and returns the text after it.
pub(super) fn peer<'a>(text: &'a str, closer: &mut Closer) -> Option<(Peer<'a>, &'a str)> {
    let open = opening(text)?;
    let attributes = open.attributes;
    if !matches!(open.name, "teammate-message" | "cross-session-message" | "agent-message" | "channel") {
        return None;
    }
    let (inner, after) = closer.split(open.after, open.name)?;
    let body = inner.trim_matches('\n');
    let message = match open.name {
        "teammate-message" => Peer::Teammate(TeammateMessage {
            teammate_id: attributes.get("teammate_id"),
            color: attributes.get("color"),
            summary: attributes.get("summary"),
            body: TeammateBody::read(inner),
        }),
        "cross-session-message" => Peer::CrossSession(CrossSessionMessage {
            from: attributes.get("from"),
            from_name: attributes.get("from-name"),
            from_mode: attributes.get("from-mode"),
            body,
        }),
        "agent-message" => Peer::Agent(AgentMessage { from: attributes.get("from"), body }),
        _ => Peer::Channel(ChannelMessage { source: attributes.get("source"), attributes, body }),
    };
    Some((message, after))
}

/// Reads a peer's message together with the line that announces it.
pub(super) fn announced_peer<'a>(text: &'a str, closer: &mut Closer) -> Option<(Peer<'a>, &'a str)> {
    const LINES: [&str; 3] = [
        "Another Claude session sent a message:",
        "Another Claude session sent a message while you were working:",
        "A peer session sent a message while you were working:",
    ];
    peer(strip_any(text, &LINES)?.trim_start(), closer)
}

/// Reads a message of the team's protocol that has no tag around it.
pub(super) fn bare_protocol(text: &str) -> Option<TeammateMessage<'_>> {
    let json = text.trim_end();
    let body = is_protocol(json).then_some(TeammateBody::Protocol(json))?;
    Some(TeammateMessage { teammate_id: protocol_sender(json), color: None, summary: None, body })
}

/// Reads a task notification, with the warning before it (in newer versions) and the path after it. Its tag was
/// `agent-notification` or `bash-notification` up to 2.0.x.
pub(super) fn task_notification<'a>(text: &'a str, closer: &mut Closer) -> Option<(TaskNotification<'a>, &'a str)> {
    const PATH_LINES: [&str; 2] = ["Full transcript available at: ", "Read the output file to retrieve the result: "];
    const TAGS: [&str; 3] = ["task-notification", "agent-notification", "bash-notification"];
    const NAMES: [&str; 13] = [
        "task-id",
        "agent-id",
        "shell-id",
        "tool-use-id",
        "task-type",
        "output-file",
        "status",
        "summary",
        "note",
        "result",
        "event",
        "worktree",
        "usage",
    ];
    let text =
        if text.starts_with("[SYSTEM NOTIFICATION") { text.get(text.find("<task-notification>")?..)? } else { text };
    let open = opening(text).filter(|open| TAGS.contains(&open.name))?;
    let (inner, mut after) = closer.split(open.after, open.name)?;
    let mut task = TaskNotification::default();
    for (name, value) in fields(inner, &NAMES) {
        let value = value.trim();
        match name {
            "task-id" | "agent-id" | "shell-id" => task.task_id = Some(value),
            "tool-use-id" => task.tool_use_id = Some(value),
            "task-type" => task.task_type = Some(value),
            "output-file" => task.output_file = Some(value),
            "status" => task.status = Some(TaskStatus::read(value)),
            "summary" => task.summary = Some(value),
            "note" => task.note = Some(value),
            "result" => task.result = Some(value),
            "event" => task.event = Some(value),
            "usage" => task.usage = Some(Usage::read(value)),
            _ => {
                for (name, value) in fields(value, &["worktreePath", "worktreeBranch"]) {
                    let slot = if name == "worktreePath" { &mut task.worktree_path } else { &mut task.worktree_branch };
                    *slot = Some(value.trim());
                }
            }
        }
    }
    if let Some(line) = strip_any(after.trim_start(), &PATH_LINES) {
        let (path, rest) = first_line(line);
        task.transcript_path = Some(path.trim_end());
        after = rest;
    }
    Some((task, after))
}

/// The words in `The coordinator sent a message while you were working:\n…`.
pub(super) fn coordinator_message(text: &str) -> Option<&str> {
    let words = text.strip_prefix("The coordinator sent a message while you were working:")?.trim();
    Some(words.strip_suffix("Address this before completing your current task.").unwrap_or(words).trim_end())
}

/// The words in `The user sent a new message while you were working:\n…`: the user steers an agent.
pub(super) fn steering(text: &str) -> Option<&str> {
    const NOTES: [&str; 2] =
        ["\n\nThis is how Claude Code surfaces", "\n\nIMPORTANT: After completing your current task"];
    let words = text.strip_prefix("The user sent a new message while you were working:")?;
    let end = NOTES.iter().find_map(|note| words.rfind(note)).unwrap_or(words.len());
    words.get(..end).map(str::trim)
}

#[cfg(test)]
mod tests {
    use super::super::{SegmentKind, segments};
    use super::*;

    fn kinds(text: &str) -> Vec<SegmentKind<'_>> {
        segments(text).into_iter().map(|segment| segment.kind).collect()
    }

    fn task(text: &str) -> TaskNotification<'_> {
        match kinds(text).as_slice() {
            [SegmentKind::TaskNotification(task)] => **task,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_notification_of_an_agent() {
        let text = "<task-notification>\n<task-id>a1</task-id>\n<tool-use-id>toolu_1</tool-use-id>\n\
                    <output-file>/t/a1.output</output-file>\n<status>completed</status>\n\
                    <summary>Agent \"Count &amp; sort\" completed</summary>\n<note>Read it.</note>\n\
                    <result>Seven, see <status>failed</status>.</result>\n\
                    <worktree><worktreePath>/w</worktreePath><worktreeBranch>b</worktreeBranch></worktree>\n\
                    <usage><subagent_tokens>45</subagent_tokens><tool_uses>3</tool_uses><duration_ms>160</duration_ms></usage>\n\
                    </task-notification>";
        assert_eq!(
            task(text),
            TaskNotification {
                task_id: Some("a1"),
                tool_use_id: Some("toolu_1"),
                task_type: None,
                output_file: Some("/t/a1.output"),
                status: Some(TaskStatus::Completed),
                summary: Some("Agent \"Count &amp; sort\" completed"),
                note: Some("Read it."),
                result: Some("Seven, see <status>failed</status>."),
                event: None,
                worktree_path: Some("/w"),
                worktree_branch: Some("b"),
                usage: Some(Usage { tokens: Some(45), tool_uses: Some(3), duration_ms: Some(160) }),
                transcript_path: None,
            }
        );
    }

    #[test]
    fn an_old_notification_and_its_path_line() {
        let text = "<task-notification>\n<task-id>c3</task-id>\n<status>killed</status>\n<result>x</result>\n\
                    <usage>total_tokens: 23\ntool_uses: 2\nduration_ms: 15</usage>\n</task-notification>\n\
                    Full transcript available at: /t/c3.output";
        let task = task(text);
        assert_eq!(task.status, Some(TaskStatus::Killed));
        assert_eq!(task.usage, Some(Usage { tokens: Some(23), tool_uses: Some(2), duration_ms: Some(15) }));
        assert_eq!(task.transcript_path, Some("/t/c3.output"));
    }

    #[test]
    fn a_notification_under_its_first_name() {
        let text = "<agent-notification>\n<agent-id>a8</agent-id>\n<output-file>/t/a8.output</output-file>\n\
                    <status>completed</status>\n<summary>Agent \"Weed\" completed.</summary>\n\
                    Read the output file to retrieve the full result.\n</agent-notification>";
        let task = task(text);
        assert_eq!((task.task_id, task.status), (Some("a8"), Some(TaskStatus::Completed)));
        assert_eq!(task.summary, Some("Agent \"Weed\" completed."));
    }

    #[test]
    fn a_monitor_event_and_unknown_words() {
        let text = "[SYSTEM NOTIFICATION - NOT USER INPUT]\nNot the user.\n\n<task-notification>\n<task-id>b2</task-id>\n\
                    <summary>Monitor event: \"door\"</summary>\n<event>opened</event>\n</task-notification>";
        let event = task(text);
        assert_eq!((event.status, event.event), (None, Some("opened")));
        let odd = task("<task-notification><status>paused</status></task-notification>");
        assert_eq!(odd.status, Some(TaskStatus::Other("paused")));
    }

    #[test]
    fn several_teammates_in_one_text() {
        let text = "<teammate-message teammate_id=\"ida\" color=\"blue\" summary=\"beds > 3\">\n**done**\n</teammate-message>\n\n\
                    <teammate-message teammate_id=\"system\">\n{\"type\":\"idle_notification\"}\n</teammate-message>";
        assert_eq!(
            kinds(text),
            [
                SegmentKind::TeammateMessage(TeammateMessage {
                    teammate_id: Some("ida"),
                    color: Some("blue"),
                    summary: Some("beds > 3"),
                    body: TeammateBody::Words("**done**"),
                }),
                SegmentKind::TeammateMessage(TeammateMessage {
                    teammate_id: Some("system"),
                    color: None,
                    summary: None,
                    body: TeammateBody::Protocol("{\"type\":\"idle_notification\"}"),
                }),
            ]
        );
    }

    #[test]
    fn the_protocol_of_a_team_in_words() {
        let words = |text: &str| match kinds(text).as_slice() {
            [SegmentKind::TeammateMessage(message)] => {
                (message.teammate_id.map(str::to_owned), message.body.words().into_owned())
            }
            other => panic!("{other:?}"),
        };
        let idle = r#"{"type":"idle_notification","from":"ida","idleReason":"available","summary":"beds \"dug\""}"#;
        assert_eq!(words(idle), (Some("ida".to_owned()), "idle · beds \"dug\" · available".to_owned()));
        let tagged = format!("<teammate-message teammate_id=\"system\">\n{idle}\n</teammate-message>");
        assert_eq!(words(&tagged).0.as_deref(), Some("system"));
        let gone = r#"{"type":"teammate_terminated","message":"ida has shut down."}"#;
        assert_eq!(words(gone), (None, "teammate terminated · ida has shut down.".to_owned()));
        let typed = r#"{"type":"bed","from":"ida"}"#;
        assert_eq!(kinds(typed), [SegmentKind::Plain(typed)]);
    }

    #[test]
    fn another_session_and_the_note_after_it() {
        let text = "Another Claude session sent a message:\n<cross-session-message from=\"uds:/s/1\" from-name=\"shed 7\" \
                    from-mode=\"prompting\">\nbring twine\n</cross-session-message>\n\nThis came from another session.";
        assert_eq!(
            kinds(text),
            [
                SegmentKind::CrossSessionMessage(CrossSessionMessage {
                    from: Some("uds:/s/1"),
                    from_name: Some("shed 7"),
                    from_mode: Some("prompting"),
                    body: "bring twine",
                }),
                SegmentKind::PeerNote("This came from another session."),
            ]
        );
        let typed = "Another Claude session sent a message: really?";
        assert_eq!(kinds(typed), [SegmentKind::Plain(typed)]);
    }

    #[test]
    fn agents_and_channels() {
        assert_eq!(
            kinds("<agent-message from=\"a9\">\n  all wet\n</agent-message>"),
            [SegmentKind::AgentMessage(AgentMessage { from: Some("a9"), body: "  all wet" })]
        );
        let found = kinds("<channel source=\"bell\" chat_id=\"4\">ring</channel>");
        let [SegmentKind::ChannelMessage(message)] = found.as_slice() else { panic!("{found:?}") };
        assert_eq!((message.source, message.body), (Some("bell"), "ring"));
        assert_eq!(message.attributes.get("chat_id"), Some("4"));
    }

    #[test]
    fn words_that_arrive_in_the_middle_of_work() {
        assert_eq!(
            kinds(
                "The coordinator sent a message while you were working:\nhurry\n\nAddress this before completing your current task."
            ),
            [SegmentKind::CoordinatorMessage("hurry")]
        );
        assert_eq!(
            kinds(
                "The user sent a new message while you were working:\nslower\n\nThis is how Claude Code surfaces it."
            ),
            [SegmentKind::Steering("slower")]
        );
    }
}
