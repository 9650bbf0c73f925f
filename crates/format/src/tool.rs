//! Tools: what goes in and what comes out (docs/format E).
//!
//! One table, `tools!`, names every tool with its aliases, the types of its input and its result, and its [`Nature`]: the
//! family, whether it asks the human, its path, whether it is quick, its label. A new tool is one line there, and the
//! records it names. Other crates ask the table through [`Tool`] and [`ToolKind`]; none compares names of tools itself.

mod agent;
mod artifact;
mod background;
mod edit;
mod failure;
mod file;
mod host;
mod mcp;
mod nature;
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
pub use nature::{Ask, Family, MCP_PREFIX, Nature, ServerTool, Tool, is_builtin, present_name, split_mcp};
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
use crate::json::{Broken, Cursor, Fields, Note, Notes, Place, Raw, Record, Shape, Text, Value, Visit, fill};
use crate::text::{PersistedOutput, ResultText};

/// The value of a column, or what it is where nothing is said.
macro_rules! given {
    ([$value:expr] $default:expr) => {
        $value
    };
    ([] $default:expr) => {
        $default
    };
}

/// Declares all tools: `Variant(Input, Result) = "name" | "earlier name" => Family, path: field, asks: Ask,
/// is_quick: true, label: "Label";`. What stands after the family may be left out, and comes in this order; [`Nature`]
/// says what it means.
macro_rules! tools {
    ($(
        $(#[$meta:meta])* $variant:ident ( $input:ty, $result:ty ) = $name:literal $(| $alias:literal)* => $family:ident
            $(, path: $path:ident)? $(, asks: $ask:ident)? $(, is_quick: $is_quick:literal)? $(, label: $label:literal)?;
    )+) => {
        /// A built-in tool, whichever of its names it was called by.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum ToolKind {
            $( #[doc = concat!("`", $name, "`")] $(#[$meta])* $variant, )+
        }

        impl ToolKind {
            /// All of them, in the order of the table.
            pub const ALL: &[Self] = &[$( Self::$variant ),+];

            /// The tool that has this name, or had it. Models also write names in the wrong case (docs/format B.10).
            ///
            /// ```
            /// use format::tool::ToolKind;
            /// assert_eq!(ToolKind::named("KillShell"), Some(ToolKind::TaskStop));
            /// assert_eq!(ToolKind::named("bash"), Some(ToolKind::Bash));
            /// ```
            pub fn named(name: &str) -> Option<Self> {
                match name {
                    $( $name $(| $alias)* => Some(Self::$variant), )+
                    _ => Self::named_in_any_case(name),
                }
            }

            /// The tool that has this name in another case, or had it.
            #[cold]
            fn named_in_any_case(name: &str) -> Option<Self> {
                const NAMES: &[(&str, ToolKind)] = &[$( ($name, ToolKind::$variant) $(, ($alias, ToolKind::$variant))* ),+];
                // The tools of MCP servers are frequent, and none of these.
                if name.starts_with(MCP_PREFIX) {
                    return None;
                }
                NAMES.iter().find(|(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, kind)| *kind)
            }

            /// All its names, the present one first.
            pub const fn names(self) -> &'static [&'static str] {
                match self {
                    $( Self::$variant => &[$name $(, $alias)*], )+
                }
            }

            /// Its present name.
            pub const fn name(self) -> &'static str {
                match self {
                    $( Self::$variant => $name, )+
                }
            }

            /// What it can be asked.
            pub fn input_shape(self) -> Shape {
                named::input_shape(self)
            }

            /// What it can give.
            pub fn result_shape(self) -> Shape {
                named::result_shape(self)
            }

            /// What it is like.
            pub const fn nature(self) -> Nature<'static> {
                match self {
                    $( Self::$variant => Nature {
                        family: Family::$family,
                        asks: given!([$( Some(Ask::$ask) )?] None),
                        has_path: !given!([$( stringify!($path) )?] "").is_empty(),
                        is_quick: given!([$( $is_quick )?] false),
                        label: given!([$( $label )?] $name),
                    }, )+
                }
            }
        }

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

        impl<'a> ToolInput<'a> {
            /// The tool, if it is a built-in one.
            pub fn kind(&self) -> Option<ToolKind> {
                match self {
                    $( Self::$variant(_) => Some(ToolKind::$variant), )+
                    Self::Server(_) | Self::Mcp(_) | Self::Unparsed(_) | Self::Other(_) => None,
                }
            }

            /// The fields, if it is the input of a built-in tool or of one at the API.
            pub fn record(&self) -> Option<&dyn Fields> {
                match self {
                    $( Self::$variant(input) => Some(&**input), )+
                    Self::Server(input) => Some(&**input),
                    Self::Mcp(_) | Self::Unparsed(_) | Self::Other(_) => None,
                }
            }

            /// The file or folder that the call is about, as it was named; see [`Nature::has_path`].
            pub fn path(&self) -> Option<Text<'a>> {
                match self {
                    $( $( Self::$variant(input) => input.$path, )? )+
                    _ => None,
                }
            }
        }

        impl ToolResult<'_> {
            /// The fields, if it is the result of a built-in tool in its known form.
            pub fn record(&self) -> Option<&dyn Fields> {
                match self {
                    $( Self::$variant(result) => Some(&**result), )+
                    Self::Mcp(_)
                    | Self::Failed(_)
                    | Self::Detached
                    | Self::Cleared
                    | Self::Persisted(_)
                    | Self::Plain(_)
                    | Self::Other(_)
                    | Self::Nothing => None,
                }
            }
        }

        /// The table, as functions by name.
        mod named {
            use super::*;

            /// What a tool can be asked.
            #[expect(clippy::extra_unused_lifetimes, reason = "the types of the table name it")]
            pub(super) fn input_shape<'a>(kind: ToolKind) -> Shape {
                match kind {
                    $( ToolKind::$variant => <$input as Visit>::shape(), )+
                }
            }

            /// What a tool can give.
            #[expect(clippy::extra_unused_lifetimes, reason = "the types of the table name it")]
            pub(super) fn result_shape<'a>(kind: ToolKind) -> Shape {
                match kind {
                    $( ToolKind::$variant => <$result as Visit>::shape(), )+
                }
            }

            /// Reads the input of a built-in tool; the outer `None` is for names that are not, and reads nothing.
            pub(super) fn input<'a>(
                name: &str,
                cursor: &mut Cursor<'a>,
                notes: &mut Notes<'a>,
            ) -> Result<Option<Option<ToolInput<'a>>>, Broken> {
                match ToolKind::named(name) {
                    $( Some(ToolKind::$variant) => {
                        let wrap = |input| ToolInput::$variant(Box::new(input));
                        read_input::<$input>(wrap, cursor, notes).map(Some)
                    } )+
                    None => Ok(None),
                }
            }

            /// Reads a `toolUseResult`; the outer `None` is for names that are not built in, and reads nothing.
            pub(super) fn structured<'a>(
                name: &str,
                cursor: &mut Cursor<'a>,
                notes: &mut Notes<'a>,
            ) -> Result<Option<Option<ToolResult<'a>>>, Broken> {
                match ToolKind::named(name) {
                    $( Some(ToolKind::$variant) => {
                        let result = read_outcome::<$result>(cursor, notes)?;
                        Ok(Some(result.map(|result| ToolResult::$variant(Box::new(result)))))
                    } )+
                    None => Ok(None),
                }
            }

            /// Reads the text for the model; the outer `None` is for names that are not built in.
            pub(super) fn said<'a>(name: &str, said: &Said<'a, '_>, notes: &mut Notes<'a>) -> Option<Option<ToolResult<'a>>> {
                match ToolKind::named(name)? {
                    $( ToolKind::$variant => {
                        Some(read_said::<$result>(said, notes).map(|result| ToolResult::$variant(Box::new(result))))
                    } )+
                }
            }
        }
    };
}

tools! {
    Agent(AgentInput<'a>, AgentResult<'a>) = "Agent" | "Task" => Agent;
    Artifact(ArtifactInput<'a>, ArtifactResult<'a>) = "Artifact" => Other, path: file_path;
    AskUserQuestion(AskUserQuestionInput<'a>, AskUserQuestionResult<'a>) = "AskUserQuestion" | "ask_user_question"
        => Question, asks: Answer, label: "Question";
    Bash(ShellInput<'a>, ShellResult<'a>) = "Bash" => Shell;
    BashOutput(ShellOutputInput<'a>, ShellOutputResult<'a>) = "BashOutput" | "BashOutputTool" => Shell;
    ClaudeDesign(ClaudeDesignInput<'a>, ClaudeDesignResult<'a>) = "ClaudeDesign" => Other;
    CronCreate(CronCreateInput<'a>, CronJob<'a>) = "CronCreate" => Schedule;
    CronDelete(CronDeleteInput<'a>, CronDeleteResult<'a>) = "CronDelete" => Schedule;
    CronList(NoInput, CronListResult<'a>) = "CronList" => Schedule;
    Edit(EditInput<'a>, EditResult<'a>) = "Edit" => Edit, path: file_path, is_quick: true;
    EndConversation(Open<'a>, Open<'a>) = "EndConversation" => Other;
    EnterPlanMode(NoInput, EnterPlanModeResult<'a>) = "EnterPlanMode" => Plan, asks: Consent;
    EnterWorktree(EnterWorktreeInput<'a>, EnterWorktreeResult<'a>) = "EnterWorktree" => Worktree;
    ExitPlanMode(ExitPlanModeInput<'a>, ExitPlanModeResult<'a>) = "ExitPlanMode" | "exit_plan_mode" | "ExitPlanModeV2"
        => Plan, asks: Approval, label: "Plan";
    ExitWorktree(ExitWorktreeInput<'a>, ExitWorktreeResult<'a>) = "ExitWorktree" => Worktree;
    Glob(GlobInput<'a>, GlobResult<'a>) = "Glob" => Search;
    Grep(GrepInput<'a>, GrepResult<'a>) = "Grep" => Search;
    ListAgents(Open<'a>, ListAgentsResult<'a>) = "ListAgents" | "ListPeers" => Agent;
    ListMcpResources(McpServerInput<'a>, ListMcpResourcesResult<'a>) = "ListMcpResourcesTool" | "ListMcpResources"
        => Mcp, label: "List MCP resources";
    /// Up to 1.0.5x.
    ListDirectory(ListDirectoryInput<'a>, ListDirectoryResult<'a>) = "LS" => Search, path: path, label: "List";
    Lsp(LspInput<'a>, LspResult<'a>) = "LSP" => Search, path: file_path;
    Monitor(MonitorInput<'a>, MonitorResult<'a>) = "Monitor" => Shell;
    /// Up to about 2.0.
    MultiEdit(MultiEditInput<'a>, MultiEditResult<'a>) = "MultiEdit" => Edit, path: file_path, is_quick: true;
    NotebookEdit(NotebookEditInput<'a>, NotebookEditResult<'a>) = "NotebookEdit"
        => Edit, path: notebook_path, is_quick: true;
    NotebookRead(NotebookReadInput<'a>, NotebookReadResult<'a>) = "NotebookRead" => Read, path: notebook_path;
    OfferChromeSetup(Open<'a>, OfferChromeSetupResult<'a>) = "OfferChromeSetup" => Question, asks: Answer;
    PowerShell(ShellInput<'a>, ShellResult<'a>) = "PowerShell" => Shell;
    Projects(ProjectsInput<'a>, ProjectsResult<'a>) = "Projects" => Other;
    ProposeSkills(ProposeSkillsInput<'a>, ProposeSkillsResult) = "propose_skills" => Skill, label: "Propose skills";
    PushNotification(PushNotificationInput<'a>, PushNotificationResult<'a>) = "PushNotification" => Message;
    Read(ReadInput<'a>, ReadResult<'a>) = "Read" => Read, path: file_path;
    ReadMcpResource(McpResourceInput<'a>, ReadMcpResourceResult<'a>) = "ReadMcpResourceTool" | "ReadMcpResource"
        => Mcp, label: "Read MCP resource";
    ReadMcpResourceDir(McpResourceInput<'a>, ListMcpResourcesResult<'a>) = "ReadMcpResourceDirTool" | "ReadMcpResourceDir"
        => Mcp, label: "List MCP resources";
    ReadNotifications(NoInput, ReadNotificationsResult<'a>) = "ReadNotifications" => Message;
    RefreshMcpTools(McpServerInput<'a>, RefreshMcpToolsResult<'a>) = "RefreshMcpTools" => Mcp;
    RemoteTrigger(RemoteTriggerInput<'a>, RemoteTriggerResult<'a>) = "RemoteTrigger" => Schedule;
    /// Code Mode (docs/format E.8); its results are not published.
    Repl(ReplInput<'a>, Open<'a>) = "REPL" | "Eval" => Shell, label: "Code";
    ReportFindings(ReportFindingsInput<'a>, ReportFindingsResult<'a>) = "ReportFindings" => Other;
    ScheduleWakeup(ScheduleWakeupInput<'a>, ScheduleWakeupResult<'a>) = "ScheduleWakeup" => Schedule;
    SendFeedback(SendFeedbackInput<'a>, SendFeedbackResult<'a>) = "SendFeedback" => Message;
    SendMessage(SendMessageInput<'a>, SendMessageResult<'a>) = "SendMessage" => Message;
    SendUserFile(SendUserFileInput<'a>, SendUserFileResult<'a>) = "SendUserFile" => Message;
    /// Speech of the assistant in brief mode.
    SendUserMessage(SendUserMessageInput<'a>, SendUserMessageResult<'a>) = "SendUserMessage" | "Brief" => Message;
    SetGoal(Goal<'a>, Goal<'a>) = "SetGoal" | "ProposeGoal" => Plan, label: "Goal";
    ShareOnboardingGuide(Open<'a>, Open<'a>) = "ShareOnboardingGuide" => Other;
    ShowOnboardingRolePicker(NoInput, RolePickerResult<'a>) = "ShowOnboardingRolePicker" => Question, asks: Answer;
    Skill(SkillInput<'a>, SkillResult<'a>) = "Skill" => Skill;
    /// 1.0.123 to 2.0.x.
    SlashCommand(SlashCommandInput<'a>, SkillResult<'a>) = "SlashCommand" => Skill;
    /// With a schema that the caller brings.
    StructuredOutput(Open<'a>, Open<'a>) = "StructuredOutput" => Other;
    SubagentHandback(HandbackInput<'a>, Open<'a>) = "SubagentHandback" => Agent;
    TaskCreate(TaskCreateInput<'a>, TaskCreateResult<'a>) = "TaskCreate" => Task, label: "Tasks";
    TaskGet(TaskGetInput<'a>, TaskGetResult<'a>) = "TaskGet" => Task, label: "Tasks";
    TaskList(NoInput, TaskListResult<'a>) = "TaskList" => Task, label: "Tasks";
    TaskOutput(TaskOutputInput<'a>, TaskOutputResult<'a>) = "TaskOutput" | "AgentOutputTool" => Shell;
    TaskStop(TaskStopInput<'a>, TaskStopResult<'a>) = "TaskStop" | "KillShell" | "KillBash" => Shell;
    TaskUpdate(TaskUpdateInput<'a>, TaskUpdateResult<'a>) = "TaskUpdate" => Task, label: "Tasks";
    /// 2.1.32 to 2.1.178.
    TeamCreate(TeamCreateInput<'a>, TeamCreateResult<'a>) = "TeamCreate" => Agent;
    TeamDelete(Open<'a>, TeamDeleteResult<'a>) = "TeamDelete" => Agent;
    TodoRead(NoInput, TodoReadResult<'a>) = "TodoRead" => Task, label: "Tasks";
    TodoWrite(TodoWriteInput<'a>, TodoWriteResult<'a>) = "TodoWrite" => Task, label: "Tasks";
    ToolSearch(ToolSearchInput<'a>, ToolSearchResult<'a>) = "ToolSearch" | "MCPSearch" => Search;
    WaitForMcpServers(Open<'a>, Open<'a>) = "WaitForMcpServers" => Mcp;
    WebFetch(WebFetchInput<'a>, WebFetchResult<'a>) = "WebFetch" => Web;
    WebSearch(WebSearchInput<'a>, WebSearchResult<'a>) = "WebSearch" => Web;
    Workflow(WorkflowInput<'a>, WorkflowResult<'a>) = "Workflow" => Agent;
    Write(WriteInput<'a>, WriteResult<'a>) = "Write" => Edit, path: file_path, is_quick: true;
}

const INPUT: Place = Place { record: "tool_use block", field: "input" };

impl<'a> ToolInput<'a> {
    /// Reads the input of the tool `name`.
    pub(crate) fn read(name: &'a str, cursor: &mut Cursor<'a>, notes: &mut Notes<'a>) -> Result<Option<Self>, Broken> {
        if let Some(input) = named::input(name, cursor, notes)? {
            return Ok(input);
        }
        if ServerTool::named(name).is_some() {
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

/// Reads the text for the model as the result of its tool; `None` if it has another form.
fn read_said<'a, T: Outcome<'a>>(said: &Said<'a, '_>, notes: &mut Notes<'a>) -> Option<T> {
    match said.reading {
        ResultText::Persisted(output) => T::from_persisted(output),
        _ => T::from_said(said, notes),
    }
}

#[cfg(test)]
mod tests;
