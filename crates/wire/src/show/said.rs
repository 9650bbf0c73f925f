//! Which words of a text in the user's role belong to which step.
//!
//! One text can tell several steps: a reminder, what a command printed, a
//! prompt. Here it is taken apart again as the story did it.

use std::borrow::Cow;

use format::text::{Kind, Segment, segments};

/// What a part of a text is told as.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum As {
    /// A prompt, or nothing.
    Other,
    /// What a command printed.
    Output,
    /// What the model was told beside the prompt.
    Context,
    /// A summary of the conversation.
    Summary,
}

/// The part of a text that is told as the `number`th step of its kind.
///
/// If there are not as many, the last one it is: what the text says has not changed, only what we make of it.
pub(super) fn part(text: &str, told_as: As, number: usize, hidden: bool) -> Option<String> {
    let segments = segments(text);
    let mut parts = segments.iter().map(|segment| read(segment, hidden)).filter(|(part, _)| *part == told_as);
    let mut found = parts.next()?;
    for _ in 0..number {
        let Some(next) = parts.next() else { break };
        found = next;
    }
    Some(found.1.into_owned())
}

fn read<'a>(segment: &Segment<'a>, hidden: bool) -> (As, Cow<'a, str>) {
    let raw = segment.raw.trim();
    let (told_as, text) = match &segment.kind {
        Kind::Plain(text) if text.trim().is_empty() => (As::Other, ""),
        Kind::Plain(text) | Kind::Steering(text) if hidden => (As::Context, *text),
        Kind::ResumeFiller if hidden => (As::Context, raw),
        Kind::BashOutput(output) => return (As::Output, printed(output.stdout, output.stderr)),
        Kind::CommandOutput { text, .. } => (As::Output, *text),
        Kind::UnknownCommand { .. } => (As::Output, raw),
        Kind::CompactSummary(summary) => (As::Summary, summary.body),
        Kind::Caveat(text)
        | Kind::Reminder(text)
        | Kind::PeerNote(text)
        | Kind::TotalTokens { text, .. }
        | Kind::Diagnostics(text)
        | Kind::HookOutput { text, .. } => (As::Context, *text),
        Kind::OpenedFile(_)
        | Kind::Selection(_)
        | Kind::Hook(_)
        | Kind::SkillBody(_)
        | Kind::SkillLoaded { .. }
        | Kind::ImageNote(_)
        | Kind::UploadedFiles(_)
        | Kind::Injected { .. } => (As::Context, raw),
        Kind::Plain(_)
        | Kind::Steering(_)
        | Kind::ResumeFiller
        | Kind::Paste(_)
        | Kind::Command(_)
        | Kind::BashInput(_)
        | Kind::MemoryInput(_)
        | Kind::Plan(_)
        | Kind::Interruption { .. }
        | Kind::TaskNotification(_)
        | Kind::TaskEvent(_)
        | Kind::SystemNotice(_)
        | Kind::TeammateMessage(_)
        | Kind::CrossSessionMessage(_)
        | Kind::AgentMessage(_)
        | Kind::ChannelMessage(_)
        | Kind::CoordinatorMessage(_)
        | Kind::Fork { .. }
        | Kind::Warmup
        | Kind::SummaryRequest(_)
        | Kind::SuggestionRequest(_)
        | Kind::Tick(_)
        | Kind::Goal(_) => (As::Other, raw),
    };
    (told_as, Cow::Borrowed(text))
}

/// Both streams, if both say something.
fn printed<'a>(stdout: Option<&'a str>, stderr: Option<&'a str>) -> Cow<'a, str> {
    match (stdout.unwrap_or_default(), stderr.unwrap_or_default()) {
        (stdout, "") => stdout.into(),
        ("", stderr) => stderr.into(),
        (stdout, stderr) => format!("{stdout}\n{stderr}").into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_taken_apart_by_what_is_told() {
        let text = "<local-command-stdout>12 files</local-command-stdout>\n\
                    <local-command-stderr>none left</local-command-stderr>\n\
                    <system-reminder>be brief</system-reminder>";
        assert_eq!(part(text, As::Output, 0, false).as_deref(), Some("12 files"));
        assert_eq!(part(text, As::Output, 1, false).as_deref(), Some("none left"));
        assert_eq!(part(text, As::Output, 7, false).as_deref(), Some("none left"));
        assert_eq!(part(text, As::Context, 0, false).as_deref(), Some("be brief"));
        assert_eq!(part(text, As::Summary, 0, false), None);
    }

    #[test]
    fn what_is_hidden_is_context() {
        assert_eq!(part("look at it", As::Context, 0, true).as_deref(), Some("look at it"));
        assert_eq!(part("look at it", As::Context, 0, false), None);
    }

    #[test]
    fn both_streams_of_a_shell_are_one_output() {
        let text = "<bash-stdout>a</bash-stdout><bash-stderr>b</bash-stderr>";
        assert_eq!(part(text, As::Output, 0, false).as_deref(), Some("a\nb"));
    }
}
