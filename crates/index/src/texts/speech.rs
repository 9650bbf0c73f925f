//! What is said in the user's role: by a human, or by the program that speaks through it.

use format::entry::{OriginKind, User};
use format::text::{Kind, Segment, TaskNotification, segments, unescape};
use format::{Envelope, Text};

use super::{Column, Pen};

/// Who speaks in the user's role, where the words themselves do not say it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Who {
    /// The user.
    Human,
    /// Somebody else: the program, a schedule, another session, the agent that started this one.
    Other,
}

impl Who {
    /// Who speaks in an entry. What the entry says about that is right, whatever the words look like.
    pub(super) fn of(envelope: &Envelope<'_>, user: &User<'_>) -> Self {
        let flags = [envelope.is_meta, envelope.is_sidechain, user.is_synthetic];
        let scheduled =
            user.scheduled_task_id.is_some() || user.turn_origin.is_some_and(|origin| origin == "scheduled");
        let is_other = flags.contains(&Some(true))
            || envelope.parent_tool_use_id.is_some()
            || scheduled
            || !is_human(user.origin.as_ref().and_then(|origin| origin.kind));
        if is_other { Self::Other } else { Self::Human }
    }

    const fn column(self) -> Column {
        match self {
            Self::Human => Column::Said,
            Self::Other => Column::Seen,
        }
    }
}

/// Whether an origin leaves it to a human to have spoken.
pub(super) const fn is_human(origin: Option<OriginKind<'_>>) -> bool {
    match origin {
        None | Some(OriginKind::Human | OriginKind::Unclassified | OriginKind::Other(_)) => true,
        Some(
            OriginKind::TaskNotification
            | OriginKind::Coordinator
            | OriginKind::Peer
            | OriginKind::Channel
            | OriginKind::Observer
            | OriginKind::ObserverActivity
            | OriginKind::AutoContinuation,
        ) => false,
    }
}

/// Takes a text of the user's role apart.
pub(super) fn pieces(text: &str, who: Who, pen: &mut Pen<'_>) {
    for segment in segments(text) {
        piece(&segment, who, pen);
    }
}

/// A summary of the conversation: the model wrote it.
pub(super) fn summary(text: &str, pen: &mut Pen<'_>) {
    match segments(text).as_slice() {
        [Segment { kind: Kind::CompactSummary(summary), .. }] => pen.put(Column::Replied, summary.body),
        _ => pen.put(Column::Replied, text),
    }
}

fn piece(segment: &Segment<'_>, who: Who, pen: &mut Pen<'_>) {
    let raw = segment.raw.trim();
    let mut seen = |texts: &[Option<&str>]| texts.iter().flatten().for_each(|text| pen.put(Column::Seen, text));
    match &segment.kind {
        Kind::Plain(text) | Kind::Steering(text) => pen.put(who.column(), text),
        Kind::ResumeFiller => pen.put(who.column(), raw),
        Kind::Paste(paste) => pen.put(who.column(), paste.text),
        Kind::Command(command) => {
            pen.put(Column::Said, command.name);
            pen.put(Column::Said, command.args.unwrap_or_default());
            pen.put(Column::Seen, command.contents.unwrap_or_default());
        }
        Kind::BashInput(text) | Kind::MemoryInput(text) => pen.put(Column::Said, text),
        // The user approved it, and people begin prompts like this.
        Kind::Plan(plan) => pen.put(who.column(), plan.plan),
        Kind::CompactSummary(summary) => pen.put(Column::Replied, summary.body),
        Kind::CommandOutput { text, .. }
        | Kind::Caveat(text)
        | Kind::Reminder(text)
        | Kind::Diagnostics(text)
        | Kind::Tick(text)
        | Kind::Goal(text)
        | Kind::TotalTokens { text, .. }
        | Kind::TaskEvent(text)
        | Kind::SystemNotice(text)
        | Kind::PeerNote(text)
        | Kind::CoordinatorMessage(text)
        | Kind::SummaryRequest(text)
        | Kind::SuggestionRequest(text) => seen(&[Some(text)]),
        Kind::BashOutput(output) => seen(&[output.stdout, output.stderr]),
        Kind::HookOutput { hook, text } => seen(&[Some(hook), Some(text)]),
        Kind::Fork { boilerplate, directive } => seen(&[Some(directive), Some(boilerplate)]),
        Kind::TaskNotification(task) => notification(task, pen),
        Kind::TeammateMessage(message) => seen(&[message.teammate_id, message.summary, Some(message.body.text())]),
        Kind::CrossSessionMessage(message) => seen(&[message.from_name.or(message.from), Some(message.body)]),
        Kind::AgentMessage(message) => seen(&[message.from, Some(message.body)]),
        Kind::ChannelMessage(message) => seen(&[message.source, Some(message.body)]),
        Kind::OpenedFile(_)
        | Kind::Selection(_)
        | Kind::UploadedFiles(_)
        | Kind::SkillBody(_)
        | Kind::SkillLoaded { .. }
        | Kind::ImageNote(_)
        | Kind::Hook(_)
        | Kind::Interruption { .. }
        | Kind::Warmup
        | Kind::UnknownCommand { .. }
        | Kind::Injected { .. } => seen(&[Some(raw)]),
    }
}

fn notification(task: &TaskNotification<'_>, pen: &mut Pen<'_>) {
    pen.put(Column::Seen, &unescape(task.summary.unwrap_or_default()));
    let texts = [task.task_id, task.event, task.result, task.note, task.output_file, task.transcript_path];
    let places = [task.worktree_path, task.worktree_branch];
    texts.iter().chain(&places).flatten().for_each(|text| pen.put(Column::Seen, text));
}

/// Takes the texts of a prompt apart that reached the model beside the conversation.
pub(super) fn beside<'a>(texts: impl Iterator<Item = Text<'a>>, who: Who, pen: &mut Pen<'_>) {
    texts.for_each(|text| pieces(text.as_str(), who, pen));
}
