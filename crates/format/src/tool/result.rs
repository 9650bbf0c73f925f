//! Reads the result of a tool from `toolUseResult`, else from the text that the model saw, else untyped.

use std::cell::OnceCell;

use super::failure::Failure;
use super::mcp::McpResult;
use super::structured::Structured;
use super::{ToolResult, named, split_mcp};
use crate::Scratch;
use crate::block::{Block, Content, ToolResultBlock};
use crate::json::{Cursor, Map, Note, Notes, Raw, Text, Value, read_value, record};
use crate::text::{PersistedOutput, ResultText, result_text, split_trailing_reminders};

/// A tool's result, and how it was read.
#[derive(Debug, Clone, PartialEq)]
pub struct TypedResult<'a> {
    /// The result.
    pub result: ToolResult<'a>,
    /// The values that did not fit into it.
    pub notes: Vec<Note<'a>>,
    /// Where it was read from.
    pub source: ResultSource,
}

/// Where a tool's result was read from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ResultSource {
    /// From `toolUseResult`.
    Structured,
    /// From the text of the `tool_result` block.
    Text,
    /// From neither: the result has no type.
    Plain,
}

/// Reads the result of the tool `tool`.
///
/// `structured` is the entry's `toolUseResult`, `block` its `tool_result`; either may be missing. Without the name of
/// the tool (the call is in another file, or lost), the keys of the object identify it.
///
/// ```
/// use format::tool::{ToolResult, read_result};
/// let scratch = format::Scratch::default();
/// let json = format::Raw::from(r#"{"stdout":"4 beds","stderr":"","interrupted":false}"#);
/// let read = read_result(Some("Bash"), Some(json.into()), None, &scratch);
/// let ToolResult::Bash(bash) = read.result else { panic!("no shell result") };
/// assert_eq!(bash.stdout.unwrap(), "4 beds");
/// ```
pub fn read_result<'a>(
    tool: Option<&str>,
    structured: Option<Structured<'a>>,
    block: Option<&ToolResultBlock<'a>>,
    scratch: &'a Scratch,
) -> TypedResult<'a> {
    let json = match structured {
        Some(Structured { typed: Some(result), .. }) => {
            return TypedResult { result, notes: Vec::new(), source: ResultSource::Structured };
        }
        Some(Structured { json, .. }) => Some(json),
        None => None,
    };
    let mut notes = Notes::new(scratch);
    let (result, source) = Given::new(json, block, scratch).read(tool, &mut notes);
    TypedResult { result, notes: notes.list, source }
}

/// A result of some tool.
pub(crate) trait Outcome<'a>: Value<'a> {
    /// Reads a `toolUseResult` that is a list.
    fn from_array(_: Raw<'a>, _: &mut Notes<'a>) -> Option<Self> {
        None
    }

    /// Reads the text that the model saw. For several tools, it is the same JSON.
    fn from_said(said: &Said<'a, '_>, notes: &mut Notes<'a>) -> Option<Self> {
        said.json(notes)
    }

    /// Builds the result from output that was saved to a file, if the type can represent that.
    fn from_persisted(_: PersistedOutput<'a>) -> Option<Self> {
        None
    }
}

/// Implements `Outcome` for results whose text is the value of one field.
macro_rules! said_in {
    ($( $name:ident . $field:ident ),+ $(,)?) => {$(
        impl<'a> crate::tool::result::Outcome<'a> for $name<'a> {
            #[allow(clippy::needless_update, reason = "a record may have no other field")]
            fn from_said(said: &crate::tool::result::Said<'a, '_>, _: &mut crate::json::Notes<'a>) -> Option<Self> {
                let text = || Self { $field: Some(crate::json::Text::from(said.text)), ..Self::default() };
                (!said.text.is_empty()).then(text)
            }
        }
    )+};
}
pub(super) use said_in;

/// The text that the model saw.
#[derive(Debug)]
pub(crate) struct Said<'a, 'b> {
    /// All texts, joined.
    pub(super) whole: &'a str,
    /// The text without the reminders at its end.
    pub(super) text: &'a str,
    /// The outcome that the text states, if it has a known form.
    pub(super) reading: ResultText<'a>,
    /// The content that the text comes from.
    pub(super) content: Option<&'b Content<'a>>,
}

impl<'a, 'b> Said<'a, 'b> {
    fn new(whole: &'a str, content: Option<&'b Content<'a>>) -> Self {
        Self { whole, text: split_trailing_reminders(whole).0, reading: result_text(whole), content }
    }

    /// The blocks, if the content is a list.
    pub(super) fn blocks(&self) -> &'b [Block<'a>] {
        self.content.map_or(&[], Content::blocks)
    }

    /// Reads the text as JSON.
    pub(super) fn json<T: Outcome<'a>>(&self, notes: &mut Notes<'a>) -> Option<T> {
        let text = self.text.trim();
        match text.as_bytes().first() {
            Some(b'{') => json_text(text, notes),
            Some(b'[') => T::from_array(Raw::from(text), notes),
            _ => None,
        }
    }

    /// Reads the JSON from the first `opener` to the end of the text.
    pub(super) fn json_from<T: Outcome<'a>>(&self, opener: char, notes: &mut Notes<'a>) -> Option<T> {
        let json = self.text.get(self.text.find(opener)?..)?;
        Self { text: json, ..*self }.json(notes)
    }
}

/// Reads JSON inside a string; a text that is not JSON leaves no notes.
pub(super) fn json_text<'a, T: Value<'a>>(text: &'a str, notes: &mut Notes<'a>) -> Option<T> {
    let mut own = Notes::new(notes.scratch);
    let value = read_value(text, &mut own)?;
    notes.list.append(&mut own.list);
    Some(value)
}

/// Everything that an entry holds about a result.
struct Given<'a, 'b> {
    /// `toolUseResult`, unless it is text.
    structured: Option<Raw<'a>>,
    /// `toolUseResult`, if it is text.
    words: Option<&'a str>,
    /// `tool_result`, which may be empty for a silent command.
    block: Option<&'b ToolResultBlock<'a>>,
    /// The text of the block; read on demand, because it may be long.
    said: OnceCell<Said<'a, 'b>>,
    scratch: &'a Scratch,
}

impl<'a, 'b> Given<'a, 'b> {
    fn new(structured: Option<Raw<'a>>, block: Option<&'b ToolResultBlock<'a>>, scratch: &'a Scratch) -> Self {
        let words = structured.and_then(|json| json.as_text(scratch)).map(Text::as_str);
        let structured = structured.filter(|json| words.is_none() && json.as_json() != "null");
        Self { structured, words, block, said: OnceCell::new(), scratch }
    }

    fn said(&self) -> &Said<'a, 'b> {
        self.said.get_or_init(|| {
            let content = self.content();
            Said::new(content.map_or("", |content| joined(content, self.scratch)), content)
        })
    }

    fn content(&self) -> Option<&'b Content<'a>> {
        self.block?.content.as_ref()
    }

    fn read(&self, tool: Option<&str>, notes: &mut Notes<'a>) -> (ToolResult<'a>, ResultSource) {
        if self.structured.is_some_and(is_detached) {
            return (ToolResult::Detached, ResultSource::Structured);
        }
        if let Some(failure) = self.failure() {
            let source = if self.words.is_some() { ResultSource::Structured } else { ResultSource::Text };
            return (ToolResult::Failed(failure), source);
        }
        if tool.is_some_and(|name| split_mcp(name).is_some()) {
            return self.read_mcp(notes);
        }
        self.read_structured(tool, notes)
            .map(|result| (result, ResultSource::Structured))
            .or_else(|| self.read_words(tool, notes))
            .or_else(|| self.read_text(tool, notes))
            .or_else(|| Some((self.read_empty(tool, notes)?, ResultSource::Structured)))
            .unwrap_or_else(|| (self.plain(notes), ResultSource::Plain))
    }

    /// The failure, if the call failed. The block's text says more than that of `toolUseResult`.
    fn failure(&self) -> Option<Failure<'a>> {
        let is_error = self.block.and_then(|block| block.is_error);
        if self.structured.is_some() && is_error != Some(true) {
            return None;
        }
        let said = self.said();
        let stated = Failure::stated(said.reading).or_else(|| Failure::stated(result_text(self.words?)));
        let is_told = match is_error {
            Some(is_error) => is_error,
            None => self.words.is_some_and(|words| words.starts_with("Error: ") || words == "User rejected tool use"),
        };
        if !is_told {
            return stated.filter(|failure| is_error.is_none() && failure.is_unmistakable());
        }
        let text = self.words.filter(|_| said.text.is_empty()).unwrap_or(said.text);
        Some(stated.unwrap_or_else(|| Failure::from_text(text)))
    }

    fn read_structured(&self, tool: Option<&str>, notes: &mut Notes<'a>) -> Option<ToolResult<'a>> {
        let json = self.structured.filter(|json| json.as_json() != "{}")?;
        let tool = match tool {
            Some(name) => name,
            None => guess_by_keys(json, notes.scratch)?,
        };
        let read = named::structured(tool, &mut Cursor::new(json.as_json()), notes).ok()??;
        if read.is_none() {
            let expected = "the result of the tool";
            notes.push(Note::OddValue { record: "user", field: "toolUseResult", expected });
        }
        read
    }

    /// Reads a `toolUseResult` that is an empty object; a text that says more takes precedence.
    fn read_empty(&self, tool: Option<&str>, notes: &mut Notes<'a>) -> Option<ToolResult<'a>> {
        let json = self.structured.filter(|json| json.as_json() == "{}")?;
        named::structured(tool?, &mut Cursor::new(json.as_json()), notes).ok()??
    }

    /// Reads a `toolUseResult` that is text and not a failure. The text that the model saw has notes added to it
    /// (`LS`).
    fn read_words(&self, tool: Option<&str>, notes: &mut Notes<'a>) -> Option<(ToolResult<'a>, ResultSource)> {
        let said = Said::new(self.words?, None);
        read_said(tool, &said, notes).map(|result| (result, ResultSource::Structured))
    }

    fn read_text(&self, tool: Option<&str>, notes: &mut Notes<'a>) -> Option<(ToolResult<'a>, ResultSource)> {
        self.block?;
        Some((read_said(tool, self.said(), notes)?, ResultSource::Text))
    }

    fn read_mcp(&self, notes: &mut Notes<'a>) -> (ToolResult<'a>, ResultSource) {
        let result = match (self.structured, self.words, self.content()) {
            (Some(json), _, _) => blocks(json, notes).map_or(McpResult::Value(json), McpResult::Content),
            (None, Some(words), _) => McpResult::Content(Content::Text(Text::from(words))),
            (None, None, Some(content)) => {
                return (ToolResult::Mcp(McpResult::Content(content.clone())), ResultSource::Text);
            }
            (None, None, None) => return (ToolResult::Nothing, ResultSource::Plain),
        };
        (ToolResult::Mcp(result), ResultSource::Structured)
    }

    fn plain(&self, notes: &mut Notes<'a>) -> ToolResult<'a> {
        if let Some(json) = self.structured {
            return blocks(json, notes).map_or(ToolResult::Other(json), ToolResult::Plain);
        }
        let words = self.words.map(|words| Content::Text(Text::from(words)));
        words.or_else(|| self.content().cloned()).map_or(ToolResult::Nothing, ToolResult::Plain)
    }
}

fn read_said<'a>(tool: Option<&str>, said: &Said<'a, '_>, notes: &mut Notes<'a>) -> Option<ToolResult<'a>> {
    if said.reading == ResultText::Cleared {
        return Some(ToolResult::Cleared);
    }
    let tool = match tool {
        Some(name) => name,
        None => guess_by_opening(said)?,
    };
    let read = named::said(tool, said, notes)?;
    match said.reading {
        ResultText::Persisted(output) => Some(read.unwrap_or(ToolResult::Persisted(output))),
        _ => read,
    }
}

/// The texts of a content, joined by line breaks.
fn joined<'a>(content: &Content<'a>, scratch: &'a Scratch) -> &'a str {
    let mut texts = content.texts();
    let first = texts.next().map_or("", Text::as_str);
    let rest: Vec<_> = texts.map(Text::as_str).collect();
    if rest.is_empty() { first } else { scratch.keep(&format!("{first}\n{}", rest.join("\n"))) }
}

/// Content blocks; `None` for a list of something else.
fn blocks<'a>(json: Raw<'a>, notes: &mut Notes<'a>) -> Option<Content<'a>> {
    if !json.as_json().starts_with('[') {
        return None;
    }
    let mut own = Notes::new(notes.scratch);
    let content = json.read_as(&mut own)?;
    if !own.list.iter().all(|note| matches!(note, Note::UnknownField { .. })) {
        return None;
    }
    notes.list.append(&mut own.list);
    Some(content)
}

record! {
    /// A call that was moved to the background as a whole.
    struct Detachment: "detached call" {
        detached: Option<bool> = "detachedToolCall",
    }
}

pub(super) fn is_detached(json: Raw<'_>) -> bool {
    const KEY: &str = "\"detachedToolCall\"";
    json.as_json().len() < 4 * KEY.len()
        && json.as_json().contains(KEY)
        && json
            .read_as::<Detachment>(&mut Notes::new(&Scratch::default()))
            .is_some_and(|call| call.detached == Some(true))
}

/// Keys that occur only in the results of one tool; earlier rows win.
const KEYS: [(&str, &str); 40] = [
    ("stdoutLines", "BashOutput"),
    ("stdout", "Bash"),
    ("file", "Read"),
    ("oldString", "Edit"),
    ("originalFileContents", "MultiEdit"),
    ("structuredPatch", "Write"),
    ("updated_file", "NotebookEdit"),
    ("newTodos", "TodoWrite"),
    ("mode", "Grep"),
    ("filenames", "Glob"),
    ("retrieval_status", "TaskOutput"),
    ("task_type", "TaskStop"),
    ("shell_id", "TaskStop"),
    ("timeoutMs", "Monitor"),
    ("answers", "AskUserQuestion"),
    ("commandName", "Skill"),
    ("total_deferred_tools", "ToolSearch"),
    ("codeText", "WebFetch"),
    ("durationSeconds", "WebSearch"),
    ("isAgent", "ExitPlanMode"),
    ("updatedFields", "TaskUpdate"),
    ("tasks", "TaskList"),
    ("task", "TaskGet"),
    ("lead_agent_id", "TeamCreate"),
    ("routing", "SendMessage"),
    ("workflowName", "Workflow"),
    ("transcriptDir", "Workflow"),
    ("totalToolUseCount", "Agent"),
    ("agentId", "Agent"),
    ("teammate_id", "Agent"),
    ("sessionUrl", "Agent"),
    ("humanSchedule", "CronCreate"),
    ("jobs", "CronList"),
    ("scheduledFor", "ScheduleWakeup"),
    ("originalCwd", "ExitWorktree"),
    ("worktreePath", "EnterWorktree"),
    ("listing", "ListAgents"),
    ("operation", "LSP"),
    ("findings", "ReportFindings"),
    ("notifications", "ReadNotifications"),
];

fn guess_by_keys<'a>(json: Raw<'a>, scratch: &'a Scratch) -> Option<&'static str> {
    let fields: Map<'a, Raw<'a>> = json.read_as(&mut Notes::new(scratch))?;
    KEYS.iter().find(|(key, _)| fields.get(key).is_some()).map(|(_, tool)| *tool)
}

/// Beginnings of texts that only one tool writes.
const OPENINGS: [(&str, &str); 14] = [
    ("<retrieval_status>", "TaskOutput"),
    ("<status>", "BashOutput"),
    ("File created successfully at: ", "Write"),
    ("The file ", "Edit"),
    ("Applied ", "MultiEdit"),
    ("Todos have been modified successfully", "TodoWrite"),
    ("Async agent launched successfully", "Agent"),
    ("Command running in background with ID: ", "Bash"),
    ("User has answered your questions: ", "AskUserQuestion"),
    ("Your questions have been answered: ", "AskUserQuestion"),
    ("User has approved your plan", "ExitPlanMode"),
    ("Web search results for query: ", "WebSearch"),
    ("Launching skill: ", "Skill"),
    ("Updated task #", "TaskUpdate"),
];

fn guess_by_opening(said: &Said<'_, '_>) -> Option<&'static str> {
    if crate::text::cat_n(said.whole).is_some() {
        return Some("Read");
    }
    OPENINGS.iter().find(|(opening, _)| said.text.starts_with(opening)).map(|(_, tool)| *tool)
}
