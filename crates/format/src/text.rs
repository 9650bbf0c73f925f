//! Reads the tags and fixed texts that Claude Code adds to messages (docs/format F): who speaks, and about what.
//!
//! * [`segments`] splits a text in the user role into typed segments, without losing a byte.
//! * [`notice`] reads texts that Claude Code writes in the assistant role.
//! * [`result_text`], [`cat_n`], [`agent_trailer`] and [`tag`] read the text of tool results.
//! * [`split_trailing_reminders`], [`reminders`] and [`strip_reminders`] handle reminders anywhere in a text.
//!
//! All results borrow from the text, nothing fails, and the time is linear in the length of the text. A person may
//! paste any of these texts. If a flag of the entry (`isMeta`, `isCompactSummary`, `origin`) says who wrote the text,
//! trust the flag and not the text.

mod agent;
mod command;
mod context;
mod image;
mod marker;
mod notice;
mod numbered;
mod peer;
mod program;
mod reminder;
mod result;
mod scan;
mod tags;

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
pub use program::{TaskEvent, task_event};
pub use reminder::{reminders, split_trailing_reminders, strip_reminders};
pub use result::{BackgroundCause, BackgroundCommand, PersistedOutput, Reply, ResultText, result_text};
pub use scan::{Attributes, fields, tag, unescape};
pub use tags::{EventSource, known_tag};

use marker::Marker;
use memchr::memmem;
use peer::Peer;
use scan::{Closer, Opening, leading_number, opening};
use tags::Tag;

/// A segment of a text in the user role.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Segment<'a> {
    /// Its bytes in the text, with the surrounding whitespace.
    pub raw: &'a str,
    /// Its type and content.
    pub kind: SegmentKind<'a>,
}

impl Segment<'_> {
    /// Whether a person said this; see [`SegmentKind::is_speech`].
    pub fn is_speech(&self) -> bool {
        self.kind.is_speech()
    }
}

/// The type and content of a segment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SegmentKind<'a> {
    /// Words without a tag: a prompt, unless the entry says otherwise.
    Plain(&'a str),

    /// A slash command.
    Command(Command<'a>),
    /// Output of a local command, with terminal escapes.
    CommandOutput {
        /// The stream it was printed to.
        stream: Stream,
        /// The output.
        text: &'a str,
    },
    /// The warning that local commands produced the following messages.
    Caveat(&'a str),
    /// A `!` shell escape.
    BashInput(&'a str),
    /// Output of a shell escape.
    BashOutput(BashOutput<'a>),
    /// A `#` memory.
    MemoryInput(&'a str),
    /// The user's words in a voice call.
    Spoken(&'a str),

    /// A note from Claude Code to the model.
    Reminder(&'a str),
    /// A file that was open in the editor.
    OpenedFile(OpenedFile<'a>),
    /// Lines that were selected in the editor.
    Selection(Selection<'a>),
    /// Diagnostics from the editor: JSON or lines.
    Diagnostics(&'a str),
    /// Output of a hook in old versions.
    HookOutput {
        /// The tag: `session-start-hook`, `user-prompt-submit-hook`, `post-tool-use-hook`.
        hook: &'a str,
        /// The output.
        text: &'a str,
    },
    /// A tick of the proactive mode.
    Tick(&'a str),
    /// The session's goal.
    Goal(&'a str),
    /// The tokens that are left in the context.
    TotalTokens {
        /// The number, if the text begins with one.
        tokens: Option<u64>,
        /// The text.
        text: &'a str,
    },
    /// Text that the user pasted.
    Paste(Paste<'a>),
    /// Files that the user uploaded.
    UploadedFiles(UploadedFiles<'a>),
    /// The first prompt of a forked worker.
    Fork {
        /// The rules for forks.
        boilerplate: &'a str,
        /// The task of this worker.
        directive: &'a str,
    },
    /// A skill's instructions.
    SkillBody(SkillBody<'a>),
    /// A skill was requested whose instructions are already in the context.
    SkillLoaded {
        /// The skill.
        name: &'a str,
    },
    /// A note about an image.
    ImageNote(ImageNote<'a>),
    /// A message from a hook to the model.
    Hook(HookMessage<'a>),
    /// An approved plan that begins a fresh context.
    Plan(PlanHandover<'a>),
    /// The request to continue after a resume. People type these words too; then `isMeta` is not set.
    ResumeFiller,

    /// A report of a background task.
    TaskNotification(Box<TaskNotification<'a>>),
    /// A note to the host that a task has started, as bare JSON; see [`task_event`]. The model does not read it.
    TaskEvent(&'a str),
    /// Another automatic event.
    SystemNotice(&'a str),
    /// An event outside the session that wakes the model, such as `<ci-monitor-event>`.
    Event {
        /// Its source.
        source: EventSource,
        /// The attributes of its tag.
        attributes: Attributes<'a>,
        /// Its content.
        text: &'a str,
    },
    /// A message from a teammate.
    TeammateMessage(TeammateMessage<'a>),
    /// A message from another session.
    CrossSessionMessage(CrossSessionMessage<'a>),
    /// A message from an agent of this session, or from its caller.
    AgentMessage(AgentMessage<'a>),
    /// A message from an MCP server.
    ChannelMessage(ChannelMessage<'a>),
    /// Instructions on how to treat the preceding message from a peer.
    PeerNote(&'a str),
    /// A message from the coordinator.
    CoordinatorMessage(&'a str),
    /// A message from the user to a working agent.
    Steering(&'a str),

    /// The user interrupted the turn.
    Interruption {
        /// Whether a tool was running or waiting for permission.
        for_tool_use: bool,
    },
    /// The summary that replaces an older part of the conversation.
    CompactSummary(CompactSummary<'a>),
    /// The instruction to write such a summary.
    SummaryRequest(&'a str),
    /// The instruction to guess the next prompt.
    SuggestionRequest(&'a str),
    /// The prompt of a background agent that only warms the cache.
    Warmup,
    /// The answer to an unknown command.
    UnknownCommand {
        /// The command.
        name: &'a str,
    },
    /// An injected element without further structure, such as `<mcp-resource-update>`.
    Injected {
        /// The tag.
        name: &'a str,
        /// Its attributes.
        attributes: Attributes<'a>,
        /// Its content.
        text: &'a str,
    },
}

impl SegmentKind<'_> {
    /// Whether a person said this, as opposed to context that Claude Code added.
    ///
    /// A plan that is handed over counts: the user approved it, and people begin prompts with the same words.
    pub fn is_speech(&self) -> bool {
        match self {
            Self::Plain(text) => !text.is_empty(),
            Self::Command(_)
            | Self::BashInput(_)
            | Self::MemoryInput(_)
            | Self::Spoken(_)
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
            | Self::Event { .. }
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

/// Splits a text in the user role into segments whose `raw` parts add up to the text.
///
/// Tags and fixed texts count at the start and directly after one another, because people paste them too. Reminders
/// also count at the end, and pastes with an id count anywhere.
///
/// ```
/// use format::text::{SegmentKind, segments};
/// let found = segments("<bash-input>ls</bash-input>");
/// assert_eq!(found[0].kind, SegmentKind::BashInput("ls"));
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
        found.push(Segment { raw: rest, kind: SegmentKind::PeerNote(rest.trim_end()) });
    } else {
        plain_segments(rest, &mut found);
    }
    found.extend(trailing);
    found
}

/// The part of `text` before its suffix `after`.
fn before<'a>(text: &'a str, after: &str) -> &'a str {
    text.get(..text.len() - after.len()).unwrap_or(text)
}

/// Splits a text into its body and the reminders at its end.
fn trailing_segments(text: &str) -> (&str, Vec<Segment<'_>>) {
    let mut found = Vec::new();
    let mut body = text;
    while let Some((before, raw)) = reminder::last_reminder(body) {
        found.push(Segment { raw, kind: SegmentKind::Reminder(reminder::inside(raw)) });
        body = before;
    }
    found.reverse();
    (body, found)
}

/// Splits a text into plain words and pastes.
fn plain_segments<'a>(text: &'a str, found: &mut Vec<Segment<'a>>) {
    let plain = |raw: &'a str, found: &mut Vec<Segment<'a>>| {
        if !raw.is_empty() {
            found.push(Segment { raw, kind: SegmentKind::Plain(raw.trim()) });
        }
    };
    let mut rest = text;
    while let Some(at) = memmem::find(rest.as_bytes(), b"<pasted_content id=\"") {
        let Some((words, tag)) = rest.split_at_checked(at) else { break };
        // An unclosed paste hides the later ones, so many of them cost no more than one.
        let Some((paste, after)) = context::paste(tag) else { break };
        plain(words, found);
        found.push(Segment { raw: before(tag, after), kind: SegmentKind::Paste(paste) });
        rest = after;
    }
    plain(rest, found);
}

/// Reads the segment at the start of `text`, which has no leading whitespace, and returns the text after it.
fn leading<'a>(text: &'a str, closer: &mut Closer) -> Option<(SegmentKind<'a>, &'a str)> {
    match text.bytes().next()? {
        b'<' => element(text, closer),
        b'[' => None
            .or_else(|| task(text, closer))
            .or_else(|| context::image_note(text).map(|(note, after)| (SegmentKind::ImageNote(note), after)))
            .or_else(|| whole(text)),
        b'{' => {
            peer::bare_protocol(text).map(|message| (SegmentKind::TeammateMessage(message), "")).or_else(|| whole(text))
        }
        b'A' => peer::announced_peer(text, closer).map(|(peer, after)| (peer.into(), after)).or_else(|| whole(text)),
        _ => whole(text),
    }
}

fn task<'a>(text: &'a str, closer: &mut Closer) -> Option<(SegmentKind<'a>, &'a str)> {
    let (task, after) = peer::task_notification(text, closer)?;
    Some((SegmentKind::TaskNotification(Box::new(task)), after))
}

/// Reads an element that the format knows. An unknown one belongs to the user's words.
fn element<'a>(text: &'a str, closer: &mut Closer) -> Option<(SegmentKind<'a>, &'a str)> {
    let open = opening(text)?;
    let tag = tags::tag_named(open.name)?;
    let found = match tag {
        Tag::Command => command::command(text, closer).map(|(command, after)| (SegmentKind::Command(command), after)),
        Tag::BashOutput => {
            command::bash_output(text, closer).map(|(output, after)| (SegmentKind::BashOutput(output), after))
        }
        Tag::Notification => task(text, closer),
        Tag::Peer => peer::peer(text, closer).map(|(peer, after)| (peer.into(), after)),
        Tag::Paste => context::paste(text).map(|(paste, after)| (SegmentKind::Paste(paste), after)),
        _ => simple_element(tag, open, closer),
    };
    // An element that was cut off is still not the user's.
    let cut_off = SegmentKind::Injected { name: open.name, attributes: open.attributes, text: open.after.trim() };
    found.or_else(|| (!tag.is_ambiguous()).then_some((cut_off, "")))
}

/// Reads an element by its content alone.
fn simple_element<'a>(tag: Tag, open: Opening<'a>, closer: &mut Closer) -> Option<(SegmentKind<'a>, &'a str)> {
    let (inner, after) = closer.split(open.after, open.name)?;
    let inside = inner.trim();
    let kind = match tag {
        Tag::CommandOutput(stream) => SegmentKind::CommandOutput { stream, text: inner },
        Tag::Caveat => SegmentKind::Caveat(inside),
        Tag::BashInput => SegmentKind::BashInput(inside),
        Tag::MemoryInput => SegmentKind::MemoryInput(inside),
        Tag::Spoken => SegmentKind::Spoken(inside),
        Tag::Reminder => SegmentKind::Reminder(inside),
        Tag::OpenedFile => SegmentKind::OpenedFile(context::opened_file(inner)),
        Tag::Selection => SegmentKind::Selection(context::selection(inner)),
        Tag::Diagnostics => SegmentKind::Diagnostics(inside),
        Tag::HookOutput => context::hook_diagnostics(inner)
            .map_or(SegmentKind::HookOutput { hook: open.name, text: inside }, |list| {
                SegmentKind::Diagnostics(list.trim())
            }),
        // People structure their own prompts with these tags; Claude Code sends them alone.
        Tag::Tick if after.trim().is_empty() => SegmentKind::Tick(inside),
        Tag::Goal if after.trim().is_empty() => SegmentKind::Goal(inside),
        // The last five have readers of their own.
        Tag::Tick | Tag::Goal | Tag::Command | Tag::BashOutput | Tag::Notification | Tag::Peer | Tag::Paste => {
            return None;
        }
        Tag::TotalTokens => {
            SegmentKind::TotalTokens { tokens: leading_number(inside).map(|(tokens, _)| tokens), text: inside }
        }
        Tag::UploadedFiles => SegmentKind::UploadedFiles(context::uploaded_files(inner)),
        Tag::Fork => {
            let directive = after.trim();
            let directive = directive.strip_prefix("Your directive: ").unwrap_or(directive);
            return Some((SegmentKind::Fork { boilerplate: inside, directive }, ""));
        }
        Tag::Coordinator => SegmentKind::CoordinatorMessage(inside),
        Tag::Event(source) => SegmentKind::Event { source, attributes: open.attributes, text: inside },
        Tag::Injected | Tag::Pane => {
            SegmentKind::Injected { name: open.name, attributes: open.attributes, text: inside }
        }
    };
    Some((kind, after))
}

/// Reads a text that takes up the rest of the message.
fn whole(text: &str) -> Option<(SegmentKind<'_>, &str)> {
    let kind = None
        .or_else(|| marker::marker(text).map(SegmentKind::from))
        .or_else(|| context::skill_body(text).map(SegmentKind::SkillBody))
        .or_else(|| context::skill_loaded(text).map(|name| SegmentKind::SkillLoaded { name }))
        .or_else(|| context::hook_message(text).map(SegmentKind::Hook))
        .or_else(|| peer::coordinator_message(text).map(SegmentKind::CoordinatorMessage))
        .or_else(|| peer::steering(text).map(SegmentKind::Steering))
        .or_else(|| {
            let caveat = "Caveat: The messages below were generated by the user while running local commands";
            text.starts_with(caveat).then(|| SegmentKind::Caveat(text.trim_end()))
        })?;
    Some((kind, ""))
}

impl<'a> From<Marker<'a>> for SegmentKind<'a> {
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

impl<'a> From<Peer<'a>> for SegmentKind<'a> {
    fn from(peer: Peer<'a>) -> Self {
        match peer {
            Peer::Teammate(message) => Self::TeammateMessage(message),
            Peer::CrossSession(message) => Self::CrossSessionMessage(message),
            Peer::Agent(message) => Self::AgentMessage(message),
            Peer::Channel(message) => Self::ChannelMessage(message),
        }
    }
}

fn is_peer(kind: &SegmentKind<'_>) -> bool {
    matches!(
        kind,
        SegmentKind::TeammateMessage(_)
            | SegmentKind::CrossSessionMessage(_)
            | SegmentKind::AgentMessage(_)
            | SegmentKind::ChannelMessage(_)
    )
}

#[cfg(test)]
mod tests;
