//! Tools: what goes in and what comes out (docs/format E).
//!
//! One table names every tool with the types of its input and its result. A new tool is one line there, and the
//! records it names.

mod agent;
mod artifact;
mod background;
mod edit;
mod failure;
mod file;
mod host;
mod mcp;
mod open;
mod planning;
mod result;
mod schedule;
mod search;
mod shell;
mod skill;
mod structured;
mod task;
mod web;

pub use agent::*;
pub use artifact::*;
pub use background::*;
pub use edit::*;
pub use failure::{Failure, FailureKind};
pub use file::*;
pub use host::*;
pub use mcp::*;
pub use open::{NoInput, Open, ServerInput};
pub use planning::*;
pub use result::{ResultSource, TypedResult, read_result};
pub use schedule::*;
pub use search::*;
pub use shell::*;
pub use skill::*;
pub use structured::{Calls, Structured};
pub use task::*;
pub use web::*;

use self::result::{Outcome, Said};
use crate::block::Content;
use crate::json::{Broken, Cursor, Note, Notes, Place, Raw, Record, Text, Value, fill};
use crate::text::{PersistedOutput, ResultText};

/// Declares all tools: `Variant(Input, Result) = "name" | "earlier name"`.
macro_rules! tools {
    ($( $(#[$meta:meta])* $variant:ident ( $input:ty, $result:ty ) = $name:literal $(| $alias:literal)* ),+ $(,)?) => {
        /// The input of a tool call, typed by the tool's name.
        #[derive(Debug, Clone, PartialEq)]
        pub enum ToolInput<'a> {
            $( #[doc = concat!("`", $name, "`")] $(#[$meta])* $variant(Box<$input>), )+
            /// A tool that runs at the API.
            Server(Box<ServerInput<'a>>),
            /// A tool of an MCP server.
            Mcp(Box<McpInput<'a>>),
            /// What the model wrote was no JSON.
            Unparsed(Text<'a>),
            /// A tool that no known version has.
            Other(Raw<'a>),
        }

        /// What a tool gave back, typed by the tool's name.
        #[derive(Debug, Clone, PartialEq)]
        pub enum ToolResult<'a> {
            $( #[doc = concat!("`", $name, "`")] $(#[$meta])* $variant(Box<$result>), )+
            /// A tool of an MCP server.
            Mcp(McpResult<'a>),
            /// The call failed, whatever the tool.
            Failed(Failure<'a>),
            /// The call was moved to the background as a whole.
            Detached,
            /// The result was cleared from the context.
            Cleared,
            /// The result was too large and went to a file.
            Persisted(PersistedOutput<'a>),
            /// Text or blocks of no known form.
            Plain(Content<'a>),
            /// A `toolUseResult` of no known form.
            Other(Raw<'a>),
            /// There is no result.
            Nothing,
        }

        /// The present name of a built-in tool, for its present and its earlier names.
        ///
        /// ```
        /// assert_eq!(format::tool::present_name("KillShell"), Some("TaskStop"));
        /// ```
        pub fn present_name(name: &str) -> Option<&'static str> {
            match name {
                $( $name $(| $alias)* => Some($name), )+
                _ => None,
            }
        }

        /// All names in the table.
        #[cfg(test)]
        const NAMES: &[&str] = &[$( $name $(, $alias)* ),+];

        /// The table, as functions by name.
        mod named {
            use super::*;

            /// Reads the input of a built-in tool; the outer `None` is for names that are not, and reads nothing.
            pub(super) fn input<'a>(
                name: &str,
                cursor: &mut Cursor<'a>,
                notes: &mut Notes<'a>,
            ) -> Result<Option<Option<ToolInput<'a>>>, Broken> {
                match name {
                    $( $name $(| $alias)* => {
                        let wrap = |input| ToolInput::$variant(Box::new(input));
                        read_input::<$input>(wrap, cursor, notes).map(Some)
                    } )+
                    _ => Ok(None),
                }
            }

            /// Reads a `toolUseResult`; the outer `None` is for names that are not built in, and reads nothing.
            pub(super) fn structured<'a>(
                name: &str,
                cursor: &mut Cursor<'a>,
                notes: &mut Notes<'a>,
            ) -> Result<Option<Option<ToolResult<'a>>>, Broken> {
                match name {
                    $( $name $(| $alias)* => {
                        let result = read_outcome::<$result>(cursor, notes)?;
                        Ok(Some(result.map(|result| ToolResult::$variant(Box::new(result)))))
                    } )+
                    _ => Ok(None),
                }
            }

            /// Reads what the model was told; the outer `None` is for names that are not built in.
            pub(super) fn said<'a>(name: &str, said: &Said<'a, '_>, notes: &mut Notes<'a>) -> Option<Option<ToolResult<'a>>> {
                match name {
                    $( $name $(| $alias)* => {
                        Some(read_said::<$result>(said, notes).map(|result| ToolResult::$variant(Box::new(result))))
                    } )+
                    _ => None,
                }
            }
        }
    };
}

tools! {
    Agent(AgentInput<'a>, AgentResult<'a>) = "Agent" | "Task",
    Artifact(ArtifactInput<'a>, ArtifactResult<'a>) = "Artifact",
    AskUserQuestion(AskUserQuestionInput<'a>, AskUserQuestionResult<'a>) = "AskUserQuestion" | "ask_user_question",
    Bash(ShellInput<'a>, ShellResult<'a>) = "Bash",
    BashOutput(ShellOutputInput<'a>, ShellOutputResult<'a>) = "BashOutput" | "BashOutputTool",
    ClaudeDesign(ClaudeDesignInput<'a>, ClaudeDesignResult<'a>) = "ClaudeDesign",
    CronCreate(CronCreateInput<'a>, CronJob<'a>) = "CronCreate",
    CronDelete(CronDeleteInput<'a>, CronDeleteResult<'a>) = "CronDelete",
    CronList(NoInput, CronListResult<'a>) = "CronList",
    Edit(EditInput<'a>, EditResult<'a>) = "Edit",
    EndConversation(Open<'a>, Open<'a>) = "EndConversation",
    EnterPlanMode(NoInput, EnterPlanModeResult<'a>) = "EnterPlanMode",
    EnterWorktree(EnterWorktreeInput<'a>, EnterWorktreeResult<'a>) = "EnterWorktree",
    ExitPlanMode(ExitPlanModeInput<'a>, ExitPlanModeResult<'a>) = "ExitPlanMode" | "exit_plan_mode" | "ExitPlanModeV2",
    ExitWorktree(ExitWorktreeInput<'a>, ExitWorktreeResult<'a>) = "ExitWorktree",
    Glob(GlobInput<'a>, GlobResult<'a>) = "Glob",
    Grep(GrepInput<'a>, GrepResult<'a>) = "Grep",
    ListAgents(Open<'a>, ListAgentsResult<'a>) = "ListAgents",
    ListMcpResources(McpServerInput<'a>, ListMcpResourcesResult<'a>) = "ListMcpResourcesTool" | "ListMcpResources",
    /// Up to 1.0.5x.
    ListDirectory(ListDirectoryInput<'a>, ListDirectoryResult<'a>) = "LS",
    Lsp(LspInput<'a>, LspResult<'a>) = "LSP",
    Monitor(MonitorInput<'a>, MonitorResult<'a>) = "Monitor",
    /// Up to about 2.0.
    MultiEdit(MultiEditInput<'a>, MultiEditResult<'a>) = "MultiEdit",
    NotebookEdit(NotebookEditInput<'a>, NotebookEditResult<'a>) = "NotebookEdit",
    NotebookRead(NotebookReadInput<'a>, NotebookReadResult<'a>) = "NotebookRead",
    OfferChromeSetup(Open<'a>, OfferChromeSetupResult<'a>) = "OfferChromeSetup",
    PowerShell(ShellInput<'a>, ShellResult<'a>) = "PowerShell",
    Projects(ProjectsInput<'a>, ProjectsResult<'a>) = "Projects",
    ProposeGoal(Goal<'a>, Goal<'a>) = "ProposeGoal",
    ProposeSkills(ProposeSkillsInput<'a>, ProposeSkillsResult) = "propose_skills",
    PushNotification(PushNotificationInput<'a>, PushNotificationResult<'a>) = "PushNotification",
    Read(ReadInput<'a>, ReadResult<'a>) = "Read",
    ReadMcpResource(McpResourceInput<'a>, ReadMcpResourceResult<'a>) = "ReadMcpResourceTool" | "ReadMcpResource",
    ReadMcpResourceDir(McpResourceInput<'a>, ListMcpResourcesResult<'a>) = "ReadMcpResourceDirTool" | "ReadMcpResourceDir",
    ReadNotifications(NoInput, ReadNotificationsResult<'a>) = "ReadNotifications",
    RefreshMcpTools(McpServerInput<'a>, RefreshMcpToolsResult<'a>) = "RefreshMcpTools",
    RemoteTrigger(RemoteTriggerInput<'a>, RemoteTriggerResult<'a>) = "RemoteTrigger",
    ReportFindings(ReportFindingsInput<'a>, ReportFindingsResult<'a>) = "ReportFindings",
    ScheduleWakeup(ScheduleWakeupInput<'a>, ScheduleWakeupResult<'a>) = "ScheduleWakeup",
    SendFeedback(SendFeedbackInput<'a>, SendFeedbackResult<'a>) = "SendFeedback",
    SendMessage(SendMessageInput<'a>, SendMessageResult<'a>) = "SendMessage",
    SendUserFile(SendUserFileInput<'a>, SendUserFileResult<'a>) = "SendUserFile",
    /// Speech of the assistant in brief mode.
    SendUserMessage(SendUserMessageInput<'a>, SendUserMessageResult<'a>) = "SendUserMessage" | "Brief",
    ShareOnboardingGuide(Open<'a>, Open<'a>) = "ShareOnboardingGuide",
    ShowOnboardingRolePicker(NoInput, RolePickerResult<'a>) = "ShowOnboardingRolePicker",
    Skill(SkillInput<'a>, SkillResult<'a>) = "Skill",
    /// 1.0.123 to 2.0.x.
    SlashCommand(SlashCommandInput<'a>, SkillResult<'a>) = "SlashCommand",
    /// With a schema that the caller brings.
    StructuredOutput(Open<'a>, Open<'a>) = "StructuredOutput",
    SubagentHandback(HandbackInput<'a>, Open<'a>) = "SubagentHandback",
    TaskCreate(TaskCreateInput<'a>, TaskCreateResult<'a>) = "TaskCreate",
    TaskGet(TaskGetInput<'a>, TaskGetResult<'a>) = "TaskGet",
    TaskList(NoInput, TaskListResult<'a>) = "TaskList",
    TaskOutput(TaskOutputInput<'a>, TaskOutputResult<'a>) = "TaskOutput" | "AgentOutputTool",
    TaskStop(TaskStopInput<'a>, TaskStopResult<'a>) = "TaskStop" | "KillShell" | "KillBash",
    TaskUpdate(TaskUpdateInput<'a>, TaskUpdateResult<'a>) = "TaskUpdate",
    /// 2.1.32 to 2.1.178.
    TeamCreate(TeamCreateInput<'a>, TeamCreateResult<'a>) = "TeamCreate",
    TeamDelete(Open<'a>, TeamDeleteResult<'a>) = "TeamDelete",
    TodoRead(NoInput, TodoReadResult<'a>) = "TodoRead",
    TodoWrite(TodoWriteInput<'a>, TodoWriteResult<'a>) = "TodoWrite",
    ToolSearch(ToolSearchInput<'a>, ToolSearchResult<'a>) = "ToolSearch" | "MCPSearch",
    WaitForMcpServers(Open<'a>, Open<'a>) = "WaitForMcpServers",
    WebFetch(WebFetchInput<'a>, WebFetchResult<'a>) = "WebFetch",
    WebSearch(WebSearchInput<'a>, WebSearchResult<'a>) = "WebSearch",
    Workflow(WorkflowInput<'a>, WorkflowResult<'a>) = "Workflow",
    Write(WriteInput<'a>, WriteResult<'a>) = "Write",
}

/// Whether some version of Claude Code has a tool of this name itself.
pub fn is_builtin(name: &str) -> bool {
    present_name(name).is_some()
}

/// The server and the tool in `mcp__server__tool`.
///
/// ```
/// assert_eq!(format::tool::split_mcp("mcp__garden__list__beds"), Some(("garden", "list__beds")));
/// ```
pub fn split_mcp(name: &str) -> Option<(&str, &str)> {
    name.strip_prefix("mcp__")?.split_once("__").filter(|(server, tool)| !server.is_empty() && !tool.is_empty())
}

/// Whether this is a tool that runs at the API.
fn is_server_tool(name: &str) -> bool {
    const NAMES: [&str; 8] = [
        "web_search",
        "web_fetch",
        "advisor",
        "code_execution",
        "bash_code_execution",
        "text_editor_code_execution",
        "tool_search_tool_regex",
        "tool_search_tool_bm25",
    ];
    NAMES.contains(&name)
}

const INPUT: Place = Place { record: "tool_use block", field: "input" };

impl<'a> ToolInput<'a> {
    /// Reads the input of the tool `name`.
    pub(crate) fn read(name: &'a str, cursor: &mut Cursor<'a>, notes: &mut Notes<'a>) -> Result<Option<Self>, Broken> {
        if let Some(input) = named::input(name, cursor, notes)? {
            return Ok(input);
        }
        if is_server_tool(name) {
            return read_input::<ServerInput<'a>>(|input| Self::Server(Box::new(input)), cursor, notes);
        }
        let Some(input) = Raw::read(cursor, &INPUT, notes)? else { return Ok(None) };
        if let Some(text) = unparsed(input, notes) {
            return Ok(Some(Self::Unparsed(text)));
        }
        if let Some((server, tool)) = split_mcp(name) {
            let (server, tool) = (Text::from(server), Text::from(tool));
            return Ok(Some(Self::Mcp(Box::new(McpInput { server, tool, input }))));
        }
        notes.push(Note::UnknownKind { of: "tool", name: Text::from(name) });
        Ok(Some(Self::Other(input)))
    }
}

/// The key that stands alone where what the model wrote was no JSON.
const UNPARSED: &str = "__unparsedToolInput";

/// The text that was no JSON, in an input that has no record of its own.
fn unparsed<'a>(input: Raw<'a>, notes: &mut Notes<'a>) -> Option<Text<'a>> {
    let inside = input.as_json().strip_prefix('{')?.trim_start().strip_prefix('"')?;
    inside.starts_with(UNPARSED).then(|| input.read_as::<Input<'a, Open<'a>>>(notes))??.unparsed
}

/// An input as it comes: the tool's record, or the text that was no JSON.
struct Input<'a, R> {
    record: R,
    unparsed: Option<Text<'a>>,
}

fn read_input<'a, R: Record<'a> + Default>(
    wrap: impl FnOnce(R) -> ToolInput<'a>,
    cursor: &mut Cursor<'a>,
    notes: &mut Notes<'a>,
) -> Result<Option<ToolInput<'a>>, Broken> {
    let input = Input::<'a, R>::read(cursor, &INPUT, notes)?;
    Ok(input.map(|input| input.unparsed.map_or_else(|| wrap(input.record), ToolInput::Unparsed)))
}

impl<'a, R: Record<'a>> Record<'a> for Input<'a, R> {
    const LABEL: &'static str = R::LABEL;

    fn label(&self) -> &'static str {
        self.record.label()
    }

    fn field(&mut self, key: &'a str, cursor: &mut Cursor<'a>, notes: &mut Notes<'a>) -> Result<bool, Broken> {
        if key == UNPARSED {
            self.unparsed = Text::read(cursor, &INPUT, notes)?;
            return Ok(true);
        }
        self.record.field(key, cursor, notes)
    }

    fn finish(&mut self, notes: &mut Notes<'a>) {
        self.record.finish(notes);
    }
}

impl<'a, R: Record<'a> + Default> Value<'a> for Input<'a, R> {
    const EXPECTED: &'static str = "an object";

    /// Gateways hand on what they could not parse as plain text.
    fn from_text(text: &'a str) -> Option<Self> {
        Some(Self { record: R::default(), unparsed: Some(Text::from(text)) })
    }

    fn from_map(cursor: &mut Cursor<'a>, notes: &mut Notes<'a>) -> Result<Option<Self>, Broken> {
        let mut input = Self { record: R::default(), unparsed: None };
        fill(&mut input, cursor, notes)?;
        Ok(Some(input))
    }
}

/// Reads a `toolUseResult` as the result of its tool; `None` if it has another form.
fn read_outcome<'a, T: Outcome<'a>>(cursor: &mut Cursor<'a>, notes: &mut Notes<'a>) -> Result<Option<T>, Broken> {
    match cursor.peek() {
        Some(b'{') => T::read(cursor, &Place::WHOLE, notes),
        Some(b'[') => cursor.raw().map(|json| T::from_array(Raw::from(json), notes)),
        _ => cursor.skip().map(|()| None),
    }
}

/// Reads what the model was told as the result of its tool; `None` if it has another form.
fn read_said<'a, T: Outcome<'a>>(said: &Said<'a, '_>, notes: &mut Notes<'a>) -> Option<T> {
    match said.reading {
        ResultText::Persisted(output) => T::from_persisted(output),
        _ => T::from_said(said, notes),
    }
}

#[cfg(test)]
mod tests;
