//! Texts in the user's role: words of the user, and everything that the program sends in this role.

use std::borrow::Cow;

use format::entry::attachment::QueuedCommand;
use format::entry::{OriginKind, User};
use format::text::{
    Segment, SegmentKind, Stream, TaskNotification, TaskStatus, TeammateBody, segments, task_event, unescape,
};
use format::{Envelope, Scratch, Text};
use story::Detail;

use crate::label::STDERR;
use crate::pen::{Form, Pen};
use crate::section::{Body, Speaker, Value};

/// The speaker of an entry in the user's role, if the text has no mark. The entry's own fields take precedence over the
/// text.
pub(crate) fn speaker(envelope: &Envelope<'_>, user: &User<'_>) -> Speaker {
    let flags = [envelope.is_meta, envelope.is_sidechain, user.is_synthetic];
    let scheduled = user.scheduled_task_id.is_some() || user.turn_origin.is_some_and(|origin| origin == "scheduled");
    let is_other = flags.contains(&Some(true))
        || envelope.parent_tool_use_id.is_some()
        || scheduled
        || !is_human(user.origin.as_ref().and_then(|origin| origin.kind));
    if is_other { Speaker::Program } else { Speaker::Human }
}

/// The speaker of a queued prompt.
pub(crate) fn queue_speaker(queued: &QueuedCommand<'_>) -> Speaker {
    let is_other = queued.is_meta == Some(true) || !is_human(queued.origin.as_ref().and_then(|origin| origin.kind));
    if is_other { Speaker::Program } else { Speaker::Human }
}

/// Whether an origin permits a human speaker.
const fn is_human(origin: Option<OriginKind<'_>>) -> bool {
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

/// Splits a text into sections. `speaker` is the speaker of parts without a mark.
pub(crate) fn text<'e>(text: &'e str, speaker: Speaker, pen: &mut Pen<'_, 'e>) {
    for segment in segments(text) {
        self::segment(&segment, speaker, pen);
    }
}

/// A summary of the conversation, which the model wrote.
pub(crate) fn summary<'e>(text: &'e str, pen: &mut Pen<'_, 'e>) {
    let mut pen = pen.by(Speaker::Claude);
    let mut pen = pen.at(Detail::Talk);
    match segments(text).as_slice() {
        [Segment { kind: SegmentKind::CompactSummary(summary), .. }] => {
            pen.put_text("summary", Form::Reply, summary.body);
            pen.at(Detail::Raw).put_text("transcript", Form::Fact, summary.transcript_path.unwrap_or_default());
        }
        _ => pen.put_text("summary", Form::Reply, text),
    }
}

/// One piece of a text.
#[expect(clippy::too_many_lines, reason = "a table: one row for each kind")]
pub(crate) fn segment<'e>(segment: &Segment<'e>, speaker: Speaker, pen: &mut Pen<'_, 'e>) {
    let raw = segment.raw.trim();
    let mut said = pen.by(speaker);
    let mut said = said.at(Detail::Prompts);
    match &segment.kind {
        SegmentKind::Plain(text) | SegmentKind::Steering(text) => said.put_text("", Form::Words, *text),
        SegmentKind::ResumeFiller => said.put_text("", Form::Words, raw),
        SegmentKind::Paste(paste) => {
            said.put_text("", Form::Words, paste.text);
            let attributes = paste.attributes.iter().map(|(_, value)| value);
            attributes.for_each(|value| said.at(Detail::Raw).put_text("pasted", Form::Fact, value));
        }
        // The user approved it, and people begin prompts like this.
        SegmentKind::Plan(plan) => {
            said.put_text("", Form::Plan, plan.plan);
            said.at(Detail::Raw).put_text("transcript", Form::Fact, plan.transcript_path.unwrap_or_default());
        }
        SegmentKind::Command(command) => {
            pen.human().put_text("command", Form::Words, command.name);
            pen.human().put_text("args", Form::Words, command.args.unwrap_or_default());
            pen.put_text("contents", Form::Words, command.contents.unwrap_or_default());
            pen.at(Detail::Raw).put_text("message", Form::Fact, command.message.unwrap_or_default());
        }
        SegmentKind::BashInput(text) => pen.human().put_text("", Form::Code("bash"), *text),
        SegmentKind::MemoryInput(text) | SegmentKind::Spoken(text) => pen.human().put_text("", Form::Words, *text),
        SegmentKind::CompactSummary(_) => summary(segment.raw, pen),
        SegmentKind::CommandOutput { stream: Stream::Stdout, text } => pen.at(Detail::Steps).output("stdout", *text),
        SegmentKind::CommandOutput { stream: Stream::Stderr, text } => pen.at(Detail::Steps).output(STDERR, *text),
        SegmentKind::BashOutput(output) => {
            pen.at(Detail::Steps).output("stdout", output.stdout.unwrap_or_default());
            pen.at(Detail::Steps).output(STDERR, output.stderr.unwrap_or_default());
            pen.at(Detail::Steps).put_text("exit_code", Form::Fact, output.exit_code.unwrap_or_default());
        }
        SegmentKind::UnknownCommand { .. } => pen.at(Detail::Steps).output("", raw),
        SegmentKind::TaskNotification(task) => notification(task, &mut pen.sent()),
        SegmentKind::TeammateMessage(message) => {
            let mut sent = pen.sent();
            sent.put_text("", Form::Words, message.body.words());
            if let TeammateBody::Protocol(json) = message.body {
                sent.at(Detail::Raw).put_text("message", Form::Fact, json);
            }
            sent.at(Detail::Full).put_text("from", Form::Fact, message.teammate_id.unwrap_or_default());
            sent.at(Detail::Full).put_text("summary", Form::Fact, message.summary.unwrap_or_default());
            sent.at(Detail::Raw).put_text("color", Form::Fact, message.color.unwrap_or_default());
        }
        SegmentKind::CrossSessionMessage(message) => {
            let mut sent = pen.sent();
            sent.put_text("", Form::Words, message.body);
            sent.at(Detail::Full).put_text("from", Form::Fact, message.from_name.unwrap_or_default());
            sent.at(Detail::Full).put_text("from", Form::Fact, message.from.unwrap_or_default());
            sent.at(Detail::Raw).put_text("mode", Form::Fact, message.from_mode.unwrap_or_default());
        }
        SegmentKind::AgentMessage(message) => {
            let mut sent = pen.sent();
            sent.put_text("", Form::Words, message.body);
            sent.at(Detail::Full).put_text("from", Form::Fact, message.from.unwrap_or_default());
        }
        SegmentKind::ChannelMessage(message) => {
            let mut sent = pen.sent();
            sent.put_text("", Form::Words, message.body);
            sent.at(Detail::Full).put_text("from", Form::Fact, message.source.unwrap_or_default());
            let attributes = message.attributes.iter().map(|(_, value)| value);
            attributes.for_each(|value| sent.at(Detail::Raw).put_text("attribute", Form::Fact, value));
        }
        SegmentKind::Event { attributes, text, .. } => {
            let mut sent = pen.sent();
            sent.put_text("", Form::Words, *text);
            let attributes = attributes.iter().map(|(_, value)| value);
            attributes.for_each(|value| sent.at(Detail::Raw).put_text("attribute", Form::Fact, value));
        }
        SegmentKind::TaskEvent(json) => {
            pen.put_text("", Form::Words, task_words(json));
            pen.at(Detail::Raw).put_text("event", Form::Fact, *json);
        }
        SegmentKind::CoordinatorMessage(text)
        | SegmentKind::SystemNotice(text)
        | SegmentKind::Tick(text)
        | SegmentKind::Goal(text)
        | SegmentKind::SummaryRequest(text)
        | SegmentKind::SuggestionRequest(text) => pen.sent().put_text("", Form::Words, *text),
        SegmentKind::Fork { boilerplate, directive } => {
            pen.sent().put_text("", Form::Words, *directive);
            pen.put_text("rules", Form::Words, *boilerplate);
        }
        SegmentKind::HookOutput { hook, text } => {
            pen.put_text("hook", Form::Fact, *hook);
            pen.output("", *text);
        }
        SegmentKind::Caveat(text)
        | SegmentKind::Reminder(text)
        | SegmentKind::Diagnostics(text)
        | SegmentKind::PeerNote(text) => {
            pen.put_text("", Form::Words, *text);
        }
        SegmentKind::TotalTokens { text, .. } => pen.put_text("", Form::Words, *text),
        SegmentKind::OpenedFile(_)
        | SegmentKind::Selection(_)
        | SegmentKind::UploadedFiles(_)
        | SegmentKind::SkillBody(_)
        | SegmentKind::SkillLoaded { .. }
        | SegmentKind::ImageNote(_)
        | SegmentKind::Hook(_)
        | SegmentKind::Interruption { .. }
        | SegmentKind::Warmup
        | SegmentKind::Injected { .. } => pen.put_text("", Form::Words, raw),
    }
}

/// The description of a task that has started.
fn task_words(json: &str) -> Cow<'_, str> {
    let scratch = Scratch::default();
    let description = task_event(json, &scratch).and_then(|event| event.description);
    description.map_or(Cow::Borrowed(json), |text| Cow::Owned(text.to_string()))
}

/// A report of a background task.
fn notification<'e>(task: &TaskNotification<'e>, pen: &mut Pen<'_, 'e>) {
    pen.put_text("", Form::Words, unescape(task.summary.unwrap_or_default()));
    pen.put_text("event", Form::Words, task.event.unwrap_or_default());
    let mut pen = pen.at(Detail::Full);
    if let Some(status) = task.status {
        let word = match status {
            TaskStatus::Completed => "completed",
            TaskStatus::Failed => "failed",
            TaskStatus::Killed => "killed",
            TaskStatus::Stopped => "stopped",
            TaskStatus::Running => "running",
            TaskStatus::Other(word) => word,
        };
        pen.put("status", Body::Fact(Value::Word(word)));
    }
    let facts = [
        ("task", task.task_id),
        ("task_type", task.task_type),
        ("outputFile", task.output_file),
        ("note", task.note),
        ("worktree", task.worktree_path),
        ("branch", task.worktree_branch),
        ("transcript", task.transcript_path),
    ];
    for (key, text) in facts {
        pen.put_text(key, Form::Fact, text.unwrap_or_default());
    }
    if let Some(usage) = &task.usage {
        let figures = [("tokens", usage.tokens), ("tool_uses", usage.tool_uses), ("duration_ms", usage.duration_ms)];
        for (key, figure) in figures {
            if let Some(figure) = figure.and_then(|figure| i64::try_from(figure).ok()) {
                pen.put(key, Body::Fact(Value::Number(figure)));
            }
        }
    }
    pen.prose("answer", task.result.unwrap_or_default());
    pen.at(Detail::Raw).put_text("tool_use_id", Form::Fact, task.tool_use_id.unwrap_or_default());
}

/// The kind of step to which a piece of a text belongs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SpeechKind {
    /// A prompt, or nothing.
    Prompt,
    /// The output of a command.
    Output,
    /// Context for the model besides the prompt.
    Context,
    /// A summary of the conversation.
    Summary,
}

/// The kind of step of a visible piece of a text.
pub(crate) fn speech_kind(segment: &Segment<'_>) -> SpeechKind {
    read(segment, false).0
}

/// The parts of a text for steps of this kind, one for each step.
///
/// One text can contain several steps: a reminder, the output of a command, a prompt. This function splits it in the
/// same way as the story.
pub fn parts(text: &str, speech_kind: SpeechKind, hidden: bool) -> impl Iterator<Item = Cow<'_, str>> {
    let parts = segments(text).into_iter().map(move |segment| read(&segment, hidden));
    parts.filter(move |(part, _)| *part == speech_kind).map(|(_, text)| text)
}

/// The part of a text that belongs to a step of this kind, which is identified by its first words.
///
/// If no part begins with these words, returns the first part: the text has not changed, only the way it is split.
pub fn part<'e>(text: &'e str, speech_kind: SpeechKind, first_words: &str, hidden: bool) -> Option<Cow<'e, str>> {
    let mut parts = parts(text, speech_kind, hidden);
    let first = parts.next()?;
    if has_first_words(&first, first_words) {
        return Some(first);
    }
    Some(parts.find(|part| has_first_words(part, first_words)).unwrap_or(first))
}

/// The sections of the output of a command that begins with these words: each stream apart, and the exit code.
pub(crate) fn output<'e>(text: &'e str, first_words: &str, pen: &mut Pen<'_, 'e>) -> bool {
    let outputs = segments(text).into_iter().filter(|piece| speech_kind(piece) == SpeechKind::Output);
    let outputs: Vec<_> = outputs.collect();
    let begins = |piece: &&Segment<'_>| has_first_words(&read(piece, false).1, first_words);
    let Some(piece) = outputs.iter().find(begins).or(outputs.first()) else { return false };
    segment(piece, Speaker::Program, pen);
    true
}

fn has_first_words(text: &str, first_words: &str) -> bool {
    first_words.is_empty() || *story::preview(text) == *first_words
}

fn read<'e>(segment: &Segment<'e>, hidden: bool) -> (SpeechKind, Cow<'e, str>) {
    let raw = segment.raw.trim();
    let (speech_kind, text) = match &segment.kind {
        SegmentKind::Plain(text) if text.trim().is_empty() => (SpeechKind::Prompt, ""),
        SegmentKind::Plain(text) | SegmentKind::Steering(text) if hidden => (SpeechKind::Context, *text),
        SegmentKind::ResumeFiller if hidden => (SpeechKind::Context, raw),
        SegmentKind::BashOutput(output) => return (SpeechKind::Output, output.printed()),
        SegmentKind::TaskEvent(json) => return (SpeechKind::Context, task_words(json)),
        SegmentKind::Event { text, .. } if hidden => (SpeechKind::Context, *text),
        SegmentKind::CommandOutput { text, .. } => (SpeechKind::Output, *text),
        SegmentKind::UnknownCommand { .. } => (SpeechKind::Output, raw),
        SegmentKind::CompactSummary(summary) => (SpeechKind::Summary, summary.body),
        SegmentKind::Caveat(text)
        | SegmentKind::Reminder(text)
        | SegmentKind::PeerNote(text)
        | SegmentKind::TotalTokens { text, .. }
        | SegmentKind::Diagnostics(text)
        | SegmentKind::HookOutput { text, .. } => (SpeechKind::Context, *text),
        SegmentKind::OpenedFile(_)
        | SegmentKind::Selection(_)
        | SegmentKind::Hook(_)
        | SegmentKind::SkillBody(_)
        | SegmentKind::SkillLoaded { .. }
        | SegmentKind::ImageNote(_)
        | SegmentKind::UploadedFiles(_)
        | SegmentKind::Injected { .. } => (SpeechKind::Context, raw),
        SegmentKind::Plain(_)
        | SegmentKind::Steering(_)
        | SegmentKind::ResumeFiller
        | SegmentKind::Paste(_)
        | SegmentKind::Command(_)
        | SegmentKind::BashInput(_)
        | SegmentKind::MemoryInput(_)
        | SegmentKind::Plan(_)
        | SegmentKind::Interruption { .. }
        | SegmentKind::Spoken(_)
        | SegmentKind::TaskNotification(_)
        | SegmentKind::Event { .. }
        | SegmentKind::SystemNotice(_)
        | SegmentKind::TeammateMessage(_)
        | SegmentKind::CrossSessionMessage(_)
        | SegmentKind::AgentMessage(_)
        | SegmentKind::ChannelMessage(_)
        | SegmentKind::CoordinatorMessage(_)
        | SegmentKind::Fork { .. }
        | SegmentKind::Warmup
        | SegmentKind::SummaryRequest(_)
        | SegmentKind::SuggestionRequest(_)
        | SegmentKind::Tick(_)
        | SegmentKind::Goal(_) => (SpeechKind::Prompt, raw),
    };
    (speech_kind, Cow::Borrowed(text))
}

/// Splits the texts of a prompt that reached the model outside the conversation.
pub(crate) fn beside<'e>(texts: impl Iterator<Item = Text<'e>>, speaker: Speaker, pen: &mut Pen<'_, 'e>) {
    texts.for_each(|text| self::text(text.as_str(), speaker, pen));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_split_by_kind_of_speech() {
        let text = "<local-command-stdout>12 files</local-command-stdout>\n\
                    <local-command-stderr>none left</local-command-stderr>\n\
                    <system-reminder>be brief</system-reminder>";
        assert_eq!(part(text, SpeechKind::Output, "12 files", false).as_deref(), Some("12 files"));
        assert_eq!(part(text, SpeechKind::Output, "none left", false).as_deref(), Some("none left"));
        assert_eq!(part(text, SpeechKind::Output, "another reading", false).as_deref(), Some("12 files"));
        assert_eq!(part(text, SpeechKind::Context, "be brief", false).as_deref(), Some("be brief"));
        assert_eq!(part(text, SpeechKind::Summary, "", false), None);
    }

    #[test]
    fn hidden_text_is_context() {
        assert_eq!(part("look at it", SpeechKind::Context, "", true).as_deref(), Some("look at it"));
        assert_eq!(part("look at it", SpeechKind::Context, "", false), None);
    }

    #[test]
    fn both_streams_of_a_shell_are_one_output() {
        let text = "<bash-stdout>a</bash-stdout><bash-stderr>b</bash-stderr>";
        assert_eq!(part(text, SpeechKind::Output, "", false).as_deref(), Some("a\nb"));
    }
}
