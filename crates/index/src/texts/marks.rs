//! The marks that narrow a search: role, tools, files and failure.

use format::block::{Block, Content};
use format::entry::attachment::Attachment;
use format::entry::system::SystemEvent;
use format::id::ToolUseId;
use format::text::{ResultText, result_text};
use format::tool::{Family, ToolInput, ToolKind};
use format::{Body, Entry, Text};

/// The role of an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Role {
    /// The user's role: prompts, and results of tools.
    User,
    /// The model.
    Assistant,
    /// The program.
    System,
}

impl Role {
    /// Its name in the format.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::User => "user",
            Self::Assistant => "assistant",
            Self::System => "system",
        }
    }
}

/// The kind of action on a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Touch {
    /// It is read, or its content is given to the model.
    Read,
    /// It is written as a whole.
    Write,
    /// A part of it is changed.
    Edit,
}

impl Touch {
    /// Its name.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Write => "write",
            Self::Edit => "edit",
        }
    }
}

/// A call of a tool.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Call<'e> {
    /// Its id, which links it to its result.
    pub id: Option<&'e str>,
    /// The name of the tool, as called.
    pub tool: &'e str,
}

/// The marks of an entry.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Marks<'e> {
    /// The type of the entry, such as `user` or `attachment`.
    pub kind: &'e str,
    /// The role; `None` for bookkeeping.
    pub role: Option<Role>,
    /// The model that replies.
    pub model: Option<&'e str>,
    /// Whether a tool or a request failed, other than by the user's denial.
    pub is_error: bool,
    /// The tools that are called.
    pub calls: Vec<Call<'e>>,
    /// The ids of the calls that have results here. The lines with the calls name their tools.
    pub answers: Vec<&'e str>,
    /// The files of the calls, as named. The results determine whether the calls succeeded.
    pub files: Vec<(Touch, &'e str)>,
}

/// Extracts the marks of an entry.
///
/// ```
/// use index::texts::{Touch, marks};
///
/// let line = br#"{"type":"assistant","message":{"model":"claude-opus-4-6","content":[
///     {"type":"tool_use","id":"t1","name":"Read","input":{"file_path":"/g/beds.rs"}}]}}"#;
/// let scratch = format::Scratch::default();
/// let reading = format::read(line, &scratch);
/// let marks = marks(&reading.entries[0]);
/// assert_eq!((marks.kind, marks.model), ("assistant", Some("claude-opus-4-6")));
/// assert_eq!(marks.calls[0].tool, "Read");
/// assert_eq!(marks.files, [(Touch::Read, "/g/beds.rs")]);
/// ```
pub fn marks<'e>(entry: &'e Entry<'_>) -> Marks<'e> {
    let mut marks = Marks { kind: entry.body.kind(), ..Marks::default() };
    let body = &entry.inner().body;
    match body {
        Body::User(_) | Body::History(_) => marks.role = Some(Role::User),
        Body::Assistant(assistant) => {
            marks.role = Some(Role::Assistant);
            marks.is_error = assistant.is_api_error_message == Some(true);
        }
        Body::System(system) => {
            marks.role = Some(Role::System);
            let is_failed_request = matches!(&system.event, Some(SystemEvent::ApiError(_) | SystemEvent::ApiRetry(_)));
            marks.is_error = is_failed_request || system.level.is_some_and(|level| level == "error");
        }
        Body::Attachment(attached) => {
            marks.role = Some(Role::System);
            match attached.attachment.as_deref() {
                Some(Attachment::QueuedCommand(_)) => marks.role = Some(Role::User),
                Some(Attachment::File(file)) => {
                    marks.files.extend(file.filename.map(|path| (Touch::Read, path.as_str())));
                }
                Some(Attachment::HookBlockingError(_) | Attachment::HookErrorDuringExecution(_)) => {
                    marks.is_error = true;
                }
                _ => {}
            }
        }
        Body::Result(result) => marks.is_error = result.is_error == Some(true),
        Body::WorkflowFailed(_) => marks.is_error = true,
        _ => {}
    }
    let message = body.message();
    marks.model = message.and_then(|message| message.model).map(Text::as_str).filter(|model| *model != "<synthetic>");
    let content = message.and_then(|message| message.content.as_ref());
    content.map_or(&[][..], Content::blocks).iter().for_each(|block| marks.block(block));
    marks
}

impl<'e> Marks<'e> {
    fn block(&mut self, block: &'e Block<'_>) {
        if let Some(call) = block.call() {
            let tool = call.tool.map_or("", Text::as_str);
            self.calls.push(Call { id: call.id.map(ToolUseId::as_str), tool });
        }
        if let Block::ToolUse(call) = block {
            self.files.extend(call.input.as_ref().and_then(touched));
        }
        self.answers.extend(block.answers().map(ToolUseId::as_str));
        let first_text = || block.as_result().and_then(|result| result.content.as_ref()?.texts().next());
        let text = || first_text().map_or("", Text::as_str);
        self.is_error |= match block.as_result() {
            Some(result) => result.is_error.unwrap_or_else(|| text().starts_with("<tool_use_error>")) && is_bad(text()),
            None => block.as_server_result().is_some_and(|result| result.is_error == Some(true)),
        };
    }
}

/// Whether a text that is marked as an error is a failure, not a denial or an interruption.
fn is_bad(text: &str) -> bool {
    match result_text(text) {
        ResultText::Rejected(_)
        | ResultText::Interrupted { .. }
        | ResultText::AutoModeDenied { .. }
        | ResultText::PermissionDenied { .. }
        | ResultText::SiblingErrored { .. } => false,
        ResultText::ToolUseError(_)
        | ResultText::Persisted(_)
        | ResultText::Cleared
        | ResultText::ExitCode { .. }
        | ResultText::TimedOut { .. }
        | ResultText::Background(_)
        | ResultText::AgentLaunched { .. }
        | ResultText::Unchanged
        | ResultText::Plain(_) => true,
    }
}

/// The file of a call, and the action on it.
fn touched<'e>(input: &'e ToolInput<'_>) -> Option<(Touch, &'e str)> {
    let kind = input.kind()?;
    let family = kind.nature().family;
    let changed = if kind == ToolKind::Write { Touch::Write } else { Touch::Edit };
    let reads = (family == Family::Read).then_some(Touch::Read);
    let touch = reads.or_else(|| (family == Family::Edit).then_some(changed))?;
    Some((touch, input.path()?.as_str()))
}
