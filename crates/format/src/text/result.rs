//! What the text of a tool result says about the call: failed, rejected, moved to the background, spilled to a file
//! (docs/format F.4).

use super::agent;
use super::marker::interruption;
use super::reminder::split_trailing_reminders;
use super::scan::{Closer, first_line, opening, strip_any};

/// The text of a tool result, read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ResultText<'a> {
    /// `<tool_use_error>`: the call was malformed or the tool refused it.
    ToolUseError(&'a str),
    /// The output went to a file.
    Persisted(PersistedOutput<'a>),
    /// The output was cleared from the context.
    Cleared,
    /// A command failed.
    ExitCode {
        /// Its exit code.
        code: i32,
        /// What it printed.
        output: &'a str,
    },
    /// A command ran out of time.
    TimedOut {
        /// After how long: `2m 0s`.
        after: &'a str,
        /// What it had printed.
        output: &'a str,
    },
    /// The user interrupted the call.
    Interrupted {
        /// What it had printed.
        output: &'a str,
    },
    /// The user rejected the call.
    Rejected(Reply<'a>),
    /// The classifier of auto mode denied the call.
    AutoModeDenied {
        /// Its reason.
        reason: &'a str,
    },
    /// A permission rule, a mode or a missing answer denied the call.
    PermissionDenied {
        /// The tool, where the text names it.
        tool: Option<&'a str>,
        /// The whole text.
        text: &'a str,
    },
    /// The call was cancelled because a parallel one failed.
    SiblingErrored {
        /// The one that failed, such as `Bash(make test)`, in newer versions.
        sibling: Option<&'a str>,
    },
    /// A command goes on in the background.
    Background(BackgroundCommand<'a>),
    /// An agent was started in the background.
    AgentLaunched {
        /// The agent.
        agent_id: &'a str,
        /// Where its transcript grows.
        output_file: Option<&'a str>,
    },
    /// A file is the same as at the last read; its content is in an earlier result.
    Unchanged,
    /// Anything else, without the reminders that end it.
    Plain(&'a str),
}

/// Output that was too large to keep in the conversation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PersistedOutput<'a> {
    /// Its size, as written: `29.3KB`.
    pub size: Option<&'a str>,
    /// The file.
    pub path: Option<&'a str>,
    /// Its beginning.
    pub preview: &'a str,
}

/// What the user said when rejecting a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reply<'a> {
    /// Nothing: stop and wait.
    Silent,
    /// The user's own words.
    Said(&'a str),
    /// The user wants to talk about the questions first; the text is the program's.
    WantsToClarify(&'a str),
}

/// A command that goes on in the background.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BackgroundCommand<'a> {
    /// The task.
    pub id: &'a str,
    /// Where its output goes; absent in old versions.
    pub output_path: Option<&'a str>,
    /// How it came there.
    pub cause: BackgroundCause,
    /// What it had printed before.
    pub output: &'a str,
}

/// How a command came into the background.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BackgroundCause {
    /// It was started there.
    Started,
    /// The user sent it there.
    ByUser,
    /// It took too long.
    TookTooLong,
}

/// Reads the text of a tool result. An `Error: ` before it, as in `toolUseResult`, is accepted.
///
/// A tool's output may quote any of these texts; whether a call failed is for `is_error` to say.
///
/// ```
/// use format::text::{ResultText, result_text};
/// assert_eq!(result_text("Error: Exit code 2\nno such bed"), ResultText::ExitCode { code: 2, output: "no such bed" });
/// ```
pub fn result_text(text: &str) -> ResultText<'_> {
    let (plain, _) = split_trailing_reminders(text);
    let body = plain.trim();
    let body = body.strip_prefix("Error: ").unwrap_or(body);
    if let Some(inner) = whole_element(body, "tool_use_error") {
        return known(inner).unwrap_or(ResultText::ToolUseError(inner));
    }
    if let Some(inner) = whole_element(body, "persisted-output") {
        return ResultText::Persisted(persisted(inner));
    }
    known(body).unwrap_or(ResultText::Plain(plain))
}

/// The inside of an element that is all of `text`.
fn whole_element<'a>(text: &'a str, name: &str) -> Option<&'a str> {
    let open = opening(text).filter(|open| open.name == name)?;
    let (inner, after) = Closer::default().split(open.after, name)?;
    after.is_empty().then_some(inner.trim())
}

fn known(body: &str) -> Option<ResultText<'_>> {
    None.or_else(|| fixed(body))
        .or_else(|| exit_code(body))
        .or_else(|| timed_out(body))
        .or_else(|| rejected(body).map(ResultText::Rejected))
        .or_else(|| denied(body))
        .or_else(|| background(body).map(ResultText::Background))
        .or_else(|| {
            agent::launch(body).map(|(agent_id, output_file)| ResultText::AgentLaunched { agent_id, output_file })
        })
}

fn fixed(body: &str) -> Option<ResultText<'_>> {
    if body == "[Old tool result content cleared]" {
        return Some(ResultText::Cleared);
    }
    if body.starts_with("Wasted call — file unchanged since your last Read")
        || body.starts_with("File unchanged since last read")
    {
        return Some(ResultText::Unchanged);
    }
    if interruption(body).is_some() {
        return Some(ResultText::Interrupted { output: "" });
    }
    if body == "Sibling tool call errored" {
        return Some(ResultText::SiblingErrored { sibling: None });
    }
    let sibling = body.strip_prefix("Cancelled: parallel tool call ")?.strip_suffix(" errored")?;
    Some(ResultText::SiblingErrored { sibling: Some(sibling) })
}

fn exit_code(body: &str) -> Option<ResultText<'_>> {
    let (line, output) = first_line(body);
    let code = line.strip_prefix("Exit code ")?.trim_end().parse().ok()?;
    // A killed command has both an exit code and the reason why it was killed.
    if let Some(timed_out) = timed_out(output) {
        return Some(timed_out);
    }
    for marker in ["[Request interrupted by user for tool use]", "[Request interrupted by user]"] {
        if let Some(output) = output.trim_end().strip_suffix(marker) {
            return Some(ResultText::Interrupted { output: output.trim_end() });
        }
    }
    Some(ResultText::ExitCode { code, output })
}

fn timed_out(body: &str) -> Option<ResultText<'_>> {
    let rest = body.strip_prefix("Command timed out after ")?;
    let mut end = 0;
    for word in rest.split_inclusive(char::is_whitespace) {
        let span = word.trim_end();
        let units = span.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.');
        if units.len() == span.len() || !matches!(units, "ms" | "s" | "m" | "h") {
            break;
        }
        end += word.len();
        if word.ends_with('\n') {
            break;
        }
    }
    let (after, output) = rest.split_at_checked(end)?;
    (end > 0).then_some(ResultText::TimedOut { after: after.trim_end(), output: output.trim_start_matches('\n') })
}

fn rejected(body: &str) -> Option<Reply<'_>> {
    const STARTS: [&str; 5] = [
        "The user doesn't want to proceed with this tool use.",
        "The user doesn't want to take this action right now.",
        // The same as a subagent hears it.
        "Permission for this tool use was denied. The tool use was rejected",
        "User chose to stay in plan mode and continue planning",
        "The agent proposed a plan that was rejected by the user.",
    ];
    const WORDS: [&str; 2] = ["the user said:", "The user provided the following reason for the rejection:"];
    const HINT: &str = "\n\nNote: The user's next message may contain a correction or preference.";
    let rest = strip_any(body, &STARTS)?;
    // The fixed sentences are short; what the user says may quote them.
    let said = WORDS.iter().filter_map(|words| Some((rest.find(words)?, words))).min();
    let Some((at, words)) = said else { return Some(Reply::Silent) };
    let said = rest.get(at + words.len()..)?;
    let said = said.rsplit_once(HINT).map_or(said, |(said, _)| said).trim();
    Some(match said {
        "" => Reply::Silent,
        _ if said.starts_with("The user wants to clarify these questions.") => Reply::WantsToClarify(said),
        _ => Reply::Said(said),
    })
}

fn denied(body: &str) -> Option<ResultText<'_>> {
    if let Some(rest) =
        body.strip_prefix("Permission for this action was denied by the Claude Code auto mode classifier.")
    {
        let reason = rest.trim_start().strip_prefix("Reason:").unwrap_or(rest);
        let reason = reason.split_once(" If you have other tasks").map_or(reason, |(reason, _)| reason);
        return Some(ResultText::AutoModeDenied { reason: reason.trim() });
    }
    let (line, _) = first_line(body);
    if let Some(rest) = body.strip_prefix("Permission to use ") {
        let tool = rest.split(' ').next();
        return rest.contains("denied").then_some(ResultText::PermissionDenied { tool, text: body });
    }
    if let Some(rest) = line.strip_prefix("Claude requested permissions to ")
        && rest.contains("haven't granted it")
    {
        let tool = rest.strip_prefix("use ").and_then(|rest| rest.split_once(',')).map(|(tool, _)| tool);
        return Some(ResultText::PermissionDenied { tool, text: body });
    }
    let unanswered = body == "Permission prompt was aborted."
        || line.starts_with("File is in a directory that is denied by your permission settings")
        || line.contains("so auto mode cannot determine the safety of ")
        || line.starts_with("This command requires approval")
        || line.starts_with("This Bash command contains multiple operations.")
        || line.starts_with("Commands that change directories and write via output redirection require")
        || line.contains(" was blocked. For security, Claude Code may only ");
    unanswered.then_some(ResultText::PermissionDenied { tool: None, text: body })
}

/// Reads the sentence about the background, which stands alone or after what the command had printed.
fn background(body: &str) -> Option<BackgroundCommand<'_>> {
    if let Some(command) = background_sentence(body) {
        return Some(command);
    }
    // At most one more line (about the working directory) follows the sentence.
    let mut lines = body.rmatch_indices("\nCommand ").take(1);
    let (at, _) = lines.next()?;
    let (output, sentence) = body.split_at_checked(at)?;
    let sentence = sentence.trim_start();
    let command = background_sentence(sentence).filter(|_| sentence.lines().count() <= 2)?;
    Some(BackgroundCommand { output, ..command })
}

fn background_sentence(text: &str) -> Option<BackgroundCommand<'_>> {
    let (line, _) = first_line(text);
    let rest = line.strip_prefix("Command ")?;
    let (cause, rest) = None
        .or_else(|| Some((BackgroundCause::Started, rest.strip_prefix("running in background with ID: ")?)))
        .or_else(|| Some((BackgroundCause::ByUser, rest.strip_prefix("was manually backgrounded by user with ID: ")?)))
        .or_else(|| Some((BackgroundCause::TookTooLong, rest.split_once("was moved to the background with ID: ")?.1)))
        .or_else(|| Some((BackgroundCause::TookTooLong, rest.split_once("was moved to the background (ID: ")?.1)))?;
    let end = rest.find(|c: char| !(c.is_ascii_alphanumeric() || c == '-' || c == '_')).unwrap_or(rest.len());
    let (id, rest) = rest.split_at_checked(end)?;
    let output_path = rest.split_once("Output is being written to: ").map(|(_, path)| {
        let path = path.split_once(". ").map_or(path, |(path, _)| path);
        path.trim_end_matches(['.', ' ', '\r'])
    });
    (!id.is_empty()).then_some(BackgroundCommand { id, output_path, cause, output: "" })
}

fn persisted(inner: &str) -> PersistedOutput<'_> {
    let (head, preview) = inner.split_once("\n\nPreview").unwrap_or((inner, ""));
    let size = head.split_once('(').and_then(|(_, rest)| rest.split_once(')')).map(|(size, _)| size);
    let path = head.split_once("saved to: ").map(|(_, path)| first_line(path).0.trim_end());
    // `Preview (first 2KB):` is the rest of that line.
    let preview = if preview.is_empty() { "" } else { first_line(preview).1 };
    PersistedOutput { size, path, preview }
}

#[cfg(test)]
mod tests;
