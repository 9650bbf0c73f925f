//! Reads the tags and fixed texts that the program puts into messages (docs/format F): who speaks, and about what.
//!
//! * [`segments`] splits a text of the user's role into typed pieces, and loses nothing.
//! * [`notice`] reads what the program says in the assistant's place.
//! * [`result_text`], [`cat_n`], [`agent_trailer`] and [`tag`] read the text of tool results.
//! * [`split_trailing_reminders`], [`reminders`] and [`strip_reminders`] deal with reminders anywhere.
//!
//! Everything is borrowed from the text, nothing fails, and the time is linear in the length of the text. A human may
//! paste any of these texts; where a flag of the entry (`isMeta`, `isCompactSummary`, `origin`) says who wrote it, the
//! flag is right and the text is not.

mod agent;
mod command;
mod context;
mod image;
mod marker;
mod notice;
mod numbered;
mod peer;
mod reminder;
mod result;
mod scan;

pub use agent::{AgentTrailer, Usage, agent_trailer};
pub use command::{BashOutput, Command, CommandEffect, Stream};
pub use context::{HookMessage, HookSays, ImageNote, OpenedFile, Paste, Selection, SkillBody, UploadedFiles};
pub use image::{ImagePlaceholder, image_placeholders};
pub use marker::{CompactSummary, PlanHandover, SummaryForm};
pub use notice::{ApiError, ErrorBody, Limit, Notice, Reset, notice};
pub use numbered::{NumberedLine, cat_n};
pub use peer::{
    AgentMessage, ChannelMessage, CrossSessionMessage, TaskNotification, TaskStatus, TeammateBody, TeammateMessage,
};
pub use reminder::{reminders, split_trailing_reminders, strip_reminders};
pub use result::{BackgroundCause, BackgroundCommand, PersistedOutput, Reply, ResultText, result_text};
pub use scan::{Attributes, fields, tag, unescape};

use marker::Marker;
use memchr::memmem;
use peer::Peer;
use scan::{Closer, leading_number, opening};

/// A piece of a text of the user's role.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Segment<'a> {
    /// The bytes it takes in the text, with the whitespace around it.
    pub raw: &'a str,
    /// What it is.
    pub kind: Kind<'a>,
}

impl Segment<'_> {
    /// Whether a human said this; see [`Kind::is_speech`].
    pub fn is_speech(&self) -> bool {
        self.kind.is_speech()
    }
}

/// What a piece of a text of the user's role is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Kind<'a> {
    /// Words without a mark: a prompt, unless the entry says otherwise.
    Plain(&'a str),

    /// A slash command.
    Command(Command<'a>),
    /// What a local command printed, with terminal escapes.
    CommandOutput {
        /// Where it printed it.
        stream: Stream,
        /// What it printed.
        text: &'a str,
    },
    /// The warning that what follows came from local commands.
    Caveat(&'a str),
    /// A `!` shell escape.
    BashInput(&'a str),
    /// What a shell escape printed.
    BashOutput(BashOutput<'a>),
    /// A `#` memory.
    MemoryInput(&'a str),

    /// A note of the program to the model.
    Reminder(&'a str),
    /// A file was open in the editor.
    OpenedFile(OpenedFile<'a>),
    /// Lines were selected in the editor.
    Selection(Selection<'a>),
    /// Diagnostics of the editor: JSON or lines.
    Diagnostics(&'a str),
    /// Output of a hook in old versions.
    HookOutput {
        /// The tag: `session-start-hook`, `user-prompt-submit-hook`, `post-tool-use-hook`.
        hook: &'a str,
        /// What it printed.
        text: &'a str,
    },
    /// A tick of the proactive mode.
    Tick(&'a str),
    /// The session's goal.
    Goal(&'a str),
    /// How much of the context is left.
    TotalTokens {
        /// The number, if it starts the text.
        tokens: Option<u64>,
        /// The text.
        text: &'a str,
    },
    /// Something the human pasted.
    Paste(Paste<'a>),
    /// Files the human uploaded.
    UploadedFiles(UploadedFiles<'a>),
    /// The first prompt of a forked worker.
    Fork {
        /// The rules for forks.
        boilerplate: &'a str,
        /// What this one is to do.
        directive: &'a str,
    },
    /// A skill's instructions.
    SkillBody(SkillBody<'a>),
    /// A skill was asked for whose instructions are there already.
    SkillLoaded {
        /// The skill.
        name: &'a str,
    },
    /// A note about an image.
    ImageNote(ImageNote<'a>),
    /// A hook speaks to the model.
    Hook(HookMessage<'a>),
    /// An approved plan begins a fresh context.
    Plan(PlanHandover<'a>),
    /// The program asks to go on after a resume. People type these words too; then `isMeta` is not set.
    ResumeFiller,

    /// A background task reports.
    TaskNotification(Box<TaskNotification<'a>>),
    /// A background task reports, as bare JSON.
    TaskEvent(&'a str),
    /// Another automatic event.
    SystemNotice(&'a str),
    /// A teammate speaks.
    TeammateMessage(TeammateMessage<'a>),
    /// Another session speaks.
    CrossSessionMessage(CrossSessionMessage<'a>),
    /// An agent of this session, or its caller, speaks.
    AgentMessage(AgentMessage<'a>),
    /// An MCP server speaks.
    ChannelMessage(ChannelMessage<'a>),
    /// How to take the peer's message before it.
    PeerNote(&'a str),
    /// The coordinator speaks.
    CoordinatorMessage(&'a str),
    /// The human speaks to an agent at work.
    Steering(&'a str),

    /// The user interrupted the turn.
    Interruption {
        /// Whether a tool was running or waiting for permission.
        for_tool_use: bool,
    },
    /// The summary that replaces an older part of the conversation.
    CompactSummary(CompactSummary<'a>),
    /// The order to write such a summary.
    SummaryRequest(&'a str),
    /// The order to guess the next prompt.
    SuggestionRequest(&'a str),
    /// The prompt of a background agent that only warms the cache.
    Warmup,
    /// The answer to a command nobody knows.
    UnknownCommand {
        /// The command.
        name: &'a str,
    },
    /// An injected element that needs no more reading, such as `<mcp-resource-update>`.
    Injected {
        /// The tag.
        name: &'a str,
        /// Its attributes.
        attributes: Attributes<'a>,
        /// Its inside.
        text: &'a str,
    },
}

impl Kind<'_> {
    /// Whether a human said this, as opposed to context that the program put in.
    ///
    /// A handed-over plan counts: the human approved it, and people begin prompts with the same words.
    pub fn is_speech(&self) -> bool {
        match self {
            Self::Plain(text) => !text.is_empty(),
            Self::Command(_)
            | Self::BashInput(_)
            | Self::MemoryInput(_)
            | Self::Paste(_)
            | Self::Plan(_)
            | Self::Steering(_) => true,
            Self::CommandOutput { .. }
            | Self::Caveat(_)
            | Self::BashOutput(_)
            | Self::Reminder(_)
            | Self::OpenedFile(_)
            | Self::Selection(_)
            | Self::Diagnostics(_)
            | Self::HookOutput { .. }
            | Self::Tick(_)
            | Self::Goal(_)
            | Self::TotalTokens { .. }
            | Self::UploadedFiles(_)
            | Self::Fork { .. }
            | Self::SkillBody(_)
            | Self::SkillLoaded { .. }
            | Self::ImageNote(_)
            | Self::Hook(_)
            | Self::ResumeFiller
            | Self::TaskNotification(_)
            | Self::TaskEvent(_)
            | Self::SystemNotice(_)
            | Self::TeammateMessage(_)
            | Self::CrossSessionMessage(_)
            | Self::AgentMessage(_)
            | Self::ChannelMessage(_)
            | Self::PeerNote(_)
            | Self::CoordinatorMessage(_)
            | Self::Interruption { .. }
            | Self::CompactSummary(_)
            | Self::SummaryRequest(_)
            | Self::SuggestionRequest(_)
            | Self::Warmup
            | Self::UnknownCommand { .. }
            | Self::Injected { .. } => false,
        }
    }
}

/// Splits a text of the user's role into pieces whose `raw` add up to the text.
///
/// Tags and fixed texts count at the start and directly after one another, because people paste them too; reminders
/// count at the end as well, and pastes with an id anywhere.
///
/// ```
/// use format::text::{Kind, segments};
/// let found = segments("<bash-input>ls</bash-input>");
/// assert_eq!(found[0].kind, Kind::BashInput("ls"));
/// assert!(found[0].is_speech());
/// ```
pub fn segments(text: &str) -> Vec<Segment<'_>> {
    let (body, trailing) = trailing_segments(text);
    let mut found = Vec::new();
    let mut closer = Closer::default();
    let mut announced = false;
    let mut rest = body;
    while let Some((kind, after)) = leading(rest.trim_start(), &mut closer) {
        announced |= is_peer(&kind) && !rest.trim_start().starts_with('<');
        let after = after.trim_start();
        found.push(Segment { raw: before(rest, after), kind });
        rest = after;
    }
    if announced && !rest.is_empty() {
        found.push(Segment { raw: rest, kind: Kind::PeerNote(rest.trim_end()) });
    } else {
        plain_segments(rest, &mut found);
    }
    found.extend(trailing);
    found
}

/// The part of `text` before `after`, which is its end.
fn before<'a>(text: &'a str, after: &str) -> &'a str {
    text.get(..text.len() - after.len()).unwrap_or(text)
}

/// The reminders that end a text, and what is before them.
fn trailing_segments(text: &str) -> (&str, Vec<Segment<'_>>) {
    let mut found = Vec::new();
    let mut body = text;
    while let Some((before, raw)) = reminder::last_reminder(body) {
        found.push(Segment { raw, kind: Kind::Reminder(reminder::inside(raw)) });
        body = before;
    }
    found.reverse();
    (body, found)
}

/// Words, with the pastes between them.
fn plain_segments<'a>(text: &'a str, found: &mut Vec<Segment<'a>>) {
    let plain = |raw: &'a str, found: &mut Vec<Segment<'a>>| {
        if !raw.is_empty() {
            found.push(Segment { raw, kind: Kind::Plain(raw.trim()) });
        }
    };
    let mut rest = text;
    while let Some(at) = memmem::find(rest.as_bytes(), b"<pasted_content id=\"") {
        let Some((words, tag)) = rest.split_at_checked(at) else { break };
        // One that is not closed hides the later ones, so that many of them cost no more than one.
        let Some((paste, after)) = context::paste(tag) else { break };
        plain(words, found);
        found.push(Segment { raw: before(tag, after), kind: Kind::Paste(paste) });
        rest = after;
    }
    plain(rest, found);
}

/// Reads what starts `text`, which has no whitespace before it, and returns what follows it.
fn leading<'a>(text: &'a str, closer: &mut Closer) -> Option<(Kind<'a>, &'a str)> {
    match text.bytes().next()? {
        b'<' => element(text, closer),
        b'[' => None
            .or_else(|| task(text, closer))
            .or_else(|| context::image_note(text).map(|(note, after)| (Kind::ImageNote(note), after)))
            .or_else(|| whole(text)),
        b'A' => peer::announced_peer(text, closer).map(|(peer, after)| (peer.into(), after)).or_else(|| whole(text)),
        _ => whole(text),
    }
}

fn task<'a>(text: &'a str, closer: &mut Closer) -> Option<(Kind<'a>, &'a str)> {
    let (task, after) = peer::task_notification(text, closer)?;
    Some((Kind::TaskNotification(Box::new(task)), after))
}

/// Reads an element by its name.
fn element<'a>(text: &'a str, closer: &mut Closer) -> Option<(Kind<'a>, &'a str)> {
    let open = opening(text)?;
    match open.name {
        "command-name" | "command-message" => {
            return command::command(text, closer).map(|(command, after)| (Kind::Command(command), after));
        }
        "bash-stdout" | "bash-stderr" => {
            return command::bash_output(text, closer).map(|(output, after)| (Kind::BashOutput(output), after));
        }
        "task-notification" => return task(text, closer),
        "teammate-message" | "cross-session-message" | "agent-message" | "channel" => {
            return peer::peer(text, closer).map(|(peer, after)| (peer.into(), after));
        }
        "pasted_content" => return context::paste(text).map(|(paste, after)| (Kind::Paste(paste), after)),
        name if !ELEMENTS.contains(&name) => return None,
        _ => {}
    }
    let (inner, after) = closer.split(open.after, open.name)?;
    let inside = inner.trim();
    let kind = match open.name {
        "local-command-stdout" => Kind::CommandOutput { stream: Stream::Stdout, text: inner },
        "local-command-stderr" => Kind::CommandOutput { stream: Stream::Stderr, text: inner },
        "local-command-caveat" => Kind::Caveat(inside),
        "bash-input" => Kind::BashInput(inside),
        "user-memory-input" => Kind::MemoryInput(inside),
        "system-reminder" => Kind::Reminder(inside),
        "ide_opened_file" => Kind::OpenedFile(context::opened_file(inner)),
        "ide_selection" => Kind::Selection(context::selection(inner)),
        "ide_diagnostics" | "new-diagnostics" => Kind::Diagnostics(inside),
        "post-tool-use-hook" => context::hook_diagnostics(inner)
            .map_or(Kind::HookOutput { hook: open.name, text: inside }, |list| Kind::Diagnostics(list.trim())),
        "session-start-hook" | "user-prompt-submit-hook" => Kind::HookOutput { hook: open.name, text: inside },
        // People structure their own prompts with such tags; the program sends them alone.
        "tick" if after.trim().is_empty() => Kind::Tick(inside),
        "goal" if after.trim().is_empty() => Kind::Goal(inside),
        "tick" | "goal" => return None,
        "total_tokens" => Kind::TotalTokens { tokens: leading_number(inside).map(|(tokens, _)| tokens), text: inside },
        "uploaded_files" => Kind::UploadedFiles(context::uploaded_files(inner)),
        "fork-boilerplate" => {
            let directive = after.trim();
            let directive = directive.strip_prefix("Your directive: ").unwrap_or(directive);
            return Some((Kind::Fork { boilerplate: inside, directive }, ""));
        }
        name => Kind::Injected { name, attributes: open.attributes, text: inside },
    };
    Some((kind, after))
}

/// The elements that [`element`] reads by their inside alone.
const ELEMENTS: [&str; 22] = [
    "local-command-stdout",
    "local-command-stderr",
    "local-command-caveat",
    "bash-input",
    "user-memory-input",
    "system-reminder",
    "ide_opened_file",
    "ide_selection",
    "ide_diagnostics",
    "new-diagnostics",
    "post-tool-use-hook",
    "session-start-hook",
    "user-prompt-submit-hook",
    "tick",
    "goal",
    "total_tokens",
    "uploaded_files",
    "fork-boilerplate",
    "mcp-resource-update",
    "mcp-polling-update",
    "github-webhook-activity",
    "scheduled-task",
];

/// Reads a text that takes all the rest of the message.
fn whole(text: &str) -> Option<(Kind<'_>, &str)> {
    let kind = None
        .or_else(|| marker::marker(text).map(Kind::from))
        .or_else(|| context::skill_body(text).map(Kind::SkillBody))
        .or_else(|| context::skill_loaded(text).map(|name| Kind::SkillLoaded { name }))
        .or_else(|| context::hook_message(text).map(Kind::Hook))
        .or_else(|| peer::coordinator_message(text).map(Kind::CoordinatorMessage))
        .or_else(|| peer::steering(text).map(Kind::Steering))
        .or_else(|| {
            let caveat = "Caveat: The messages below were generated by the user while running local commands";
            text.starts_with(caveat).then(|| Kind::Caveat(text.trim_end()))
        })?;
    Some((kind, ""))
}

impl<'a> From<Marker<'a>> for Kind<'a> {
    fn from(marker: Marker<'a>) -> Self {
        match marker {
            Marker::Interruption { for_tool_use } => Self::Interruption { for_tool_use },
            Marker::Summary(summary) => Self::CompactSummary(summary),
            Marker::Plan(plan) => Self::Plan(plan),
            Marker::ResumeFiller => Self::ResumeFiller,
            Marker::Warmup => Self::Warmup,
            Marker::SuggestionRequest(text) => Self::SuggestionRequest(text),
            Marker::SummaryRequest(text) => Self::SummaryRequest(text),
            Marker::UnknownCommand(name) => Self::UnknownCommand { name },
            Marker::TaskEvent(json) => Self::TaskEvent(json),
            Marker::SystemNotice(text) => Self::SystemNotice(text),
        }
    }
}

impl<'a> From<Peer<'a>> for Kind<'a> {
    fn from(peer: Peer<'a>) -> Self {
        match peer {
            Peer::Teammate(message) => Self::TeammateMessage(message),
            Peer::CrossSession(message) => Self::CrossSessionMessage(message),
            Peer::Agent(message) => Self::AgentMessage(message),
            Peer::Channel(message) => Self::ChannelMessage(message),
        }
    }
}

fn is_peer(kind: &Kind<'_>) -> bool {
    matches!(
        kind,
        Kind::TeammateMessage(_) | Kind::CrossSessionMessage(_) | Kind::AgentMessage(_) | Kind::ChannelMessage(_)
    )
}

#[cfg(test)]
mod tests;
