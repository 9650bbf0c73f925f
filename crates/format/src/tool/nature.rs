//! The nature of a tool: the columns of the table of tools that other crates read.
//!
//! ```
//! use format::tool::{Ask, Family, Tool, ToolKind};
//!
//! let tool = Tool::named("exit_plan_mode");
//! assert_eq!(tool.kind(), Some(ToolKind::ExitPlanMode));
//! assert_eq!(tool.nature().asks, Some(Ask::Approval));
//! assert_eq!(Tool::named("mcp__garden__dig").nature().family, Family::Mcp);
//! assert_eq!(Tool::named("web_search").nature().family, Family::Web);
//! assert_eq!(Tool::named("Swim").nature().family, Family::Other);
//! ```

use super::ToolKind;

/// The properties of a tool that do not depend on the call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Nature<'n> {
    /// The family, for icons, colours and groups.
    pub family: Family,
    /// What it asks the user for. Such a call waits for the user's answer; the wait does not count as run time, and a
    /// "no" is an answer, not a failure.
    pub asks: Option<Ask>,
    /// Whether it works on one file or folder, which [`ToolInput::path`](super::ToolInput::path) returns. The folder
    /// that limits a search does not count.
    pub has_path: bool,
    /// Whether it finishes at once: a call without a result after some seconds waits for permission.
    pub is_quick: bool,
    /// The word for it in output for people; for MCP and unknown tools, their own name.
    pub label: &'n str,
}

impl<'n> Nature<'n> {
    /// A nature with a family and a label only.
    const fn of(family: Family, label: &'n str) -> Self {
        Self { family, asks: None, has_path: false, is_quick: false, label }
    }
}

/// What a tool asks the user for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Ask {
    /// An answer to a question.
    Answer,
    /// The approval of a plan.
    Approval,
    /// Consent to its action, regardless of the permissions.
    Consent,
}

/// Declares the families: `Variant = "name"`.
macro_rules! families {
    ($( $(#[$meta:meta])* $variant:ident = $name:literal ),+ $(,)?) => {
        /// The family of a tool.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Family {
            $( $(#[$meta])* $variant, )+
        }

        impl Family {
            /// All families.
            pub const ALL: &[Self] = &[$( Self::$variant ),+];

            /// The name, for attributes, style sheets and legends.
            pub const fn name(self) -> &'static str {
                match self {
                    $( Self::$variant => $name, )+
                }
            }
        }
    };
}

families! {
    /// Runs commands, or manages them in the background.
    Shell = "shell",
    /// Reads files.
    Read = "read",
    /// Changes or writes files.
    Edit = "edit",
    /// Finds files, symbols, words or tools.
    Search = "search",
    /// Starts and manages agents and teams.
    Agent = "agent",
    /// Makes plans.
    Plan = "plan",
    /// Asks questions.
    Question = "question",
    /// Keeps the list of tasks.
    Task = "task",
    /// Finds and reads web pages.
    Web = "web",
    /// Tools of MCP servers, and tools that manage the servers.
    Mcp = "mcp",
    /// Sends a message to the user or to another agent.
    Message = "message",
    /// Uses skills and commands.
    Skill = "skill",
    /// Acts later or elsewhere.
    Schedule = "schedule",
    /// Enters and leaves worktrees.
    Worktree = "worktree",
    /// Everything else, and unknown tools.
    Other = "other",
}

/// Declares the tools that run on the API's servers: `Variant = "name" => Family, "Label"`.
macro_rules! server_tools {
    ($( $variant:ident = $name:literal => $family:ident, $label:literal; )+) => {
        /// A tool that runs on the API's servers.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum ServerTool {
            $( #[doc = concat!("`", $name, "`")] $variant, )+
        }

        impl ServerTool {
            /// All server tools.
            pub const ALL: &[Self] = &[$( Self::$variant ),+];

            /// The tool with this name.
            pub fn named(name: &str) -> Option<Self> {
                match name {
                    $( $name => Some(Self::$variant), )+
                    _ => None,
                }
            }

            /// Its name.
            pub const fn name(self) -> &'static str {
                match self {
                    $( Self::$variant => $name, )+
                }
            }

            /// Its nature.
            pub const fn nature(self) -> Nature<'static> {
                match self {
                    $( Self::$variant => Nature::of(Family::$family, $label), )+
                }
            }
        }
    };
}

server_tools! {
    Advisor = "advisor" => Other, "Advisor";
    BashCodeExecution = "bash_code_execution" => Shell, "Run a command";
    CodeExecution = "code_execution" => Shell, "Run code";
    TextEditorCodeExecution = "text_editor_code_execution" => Edit, "Edit";
    ToolSearchBm25 = "tool_search_tool_bm25" => Search, "Search for tools";
    ToolSearchRegex = "tool_search_tool_regex" => Search, "Search for tools";
    WebFetch = "web_fetch" => Web, "Web fetch";
    WebSearch = "web_search" => Web, "Web search";
}

/// A tool, identified by the name in a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tool<'n> {
    /// A tool of Claude Code, under its current name or an earlier one.
    BuiltIn(ToolKind),
    /// A tool that runs on the API's servers.
    Server(ServerTool),
    /// A tool of an MCP server: `mcp__server__tool`.
    Mcp {
        /// The server.
        server: &'n str,
        /// The tool on that server.
        tool: &'n str,
    },
    /// An unknown tool.
    Other(&'n str),
}

impl<'n> Tool<'n> {
    /// The tool with this name. Does not allocate.
    pub fn named(name: &'n str) -> Self {
        if let Some((server, tool)) = split_mcp(name) {
            return Self::Mcp { server, tool };
        }
        let built_in = ToolKind::named(name).map(Self::BuiltIn);
        built_in.or_else(|| ServerTool::named(name).map(Self::Server)).unwrap_or(Self::Other(name))
    }

    /// The tool, if it is built in.
    pub const fn kind(self) -> Option<ToolKind> {
        match self {
            Self::BuiltIn(kind) => Some(kind),
            Self::Server(_) | Self::Mcp { .. } | Self::Other(_) => None,
        }
    }

    /// Its nature.
    ///
    /// ```
    /// use format::tool::Tool;
    /// let label = |name| Tool::named(name).nature().label;
    /// assert_eq!(["TodoWrite", "Task", "mcp__garden__dig", "Swim"].map(label), ["Tasks", "Agent", "dig", "Swim"]);
    /// ```
    pub fn nature(self) -> Nature<'n> {
        match self {
            Self::BuiltIn(kind) => kind.nature(),
            Self::Server(tool) => tool.nature(),
            Self::Mcp { server, tool } => Nature::of(mcp_family(server, tool), tool),
            Self::Other(name) => Nature::of(Family::Other, name),
        }
    }

    /// Whether its calls begin chapters of the conversation, each with the title in its input.
    ///
    /// ```
    /// use format::tool::Tool;
    /// assert!(Tool::named("mcp__ccd_session__mark_chapter").marks_chapter());
    /// ```
    pub fn marks_chapter(self) -> bool {
        matches!(self, Self::Mcp { server: "ccd_session", tool: "mark_chapter" })
    }

    /// Whether a filter for `name` selects this tool. A name selects its tool under every name the tool has had. The
    /// tools of an MCP server are selected by the server's name and by their own. Case is ignored.
    ///
    /// ```
    /// use format::tool::Tool;
    /// assert!(Tool::named("Agent").is_meant_by("Task") && Tool::named("Task").is_meant_by("agent"));
    /// let dig = Tool::named("mcp__garden__dig");
    /// assert!(["mcp__garden__dig", "mcp__garden", "garden", "dig"].iter().all(|name| dig.is_meant_by(name)));
    /// ```
    pub fn is_meant_by(self, name: &str) -> bool {
        let is = |own: &str| own.eq_ignore_ascii_case(name);
        match self {
            Self::BuiltIn(kind) => kind.names().iter().any(|own| is(own)),
            Self::Server(tool) => is(tool.name()),
            Self::Mcp { server, tool } => {
                let of_server = |rest: &str| match split_parts(rest) {
                    Some((one, other)) => server.eq_ignore_ascii_case(one) && tool.eq_ignore_ascii_case(other),
                    None => server.eq_ignore_ascii_case(rest),
                };
                is(server) || is(tool) || name.strip_prefix(MCP_PREFIX).is_some_and(of_server)
            }
            Self::Other(own) => is(own),
        }
    }
}

/// The family of an MCP tool: Cowork has its shell and its fetch on a server of its own (docs/format E.6).
fn mcp_family(server: &str, tool: &str) -> Family {
    match (server, tool) {
        ("workspace", "bash") => Family::Shell,
        ("workspace", "web_fetch") => Family::Web,
        _ => Family::Mcp,
    }
}

/// The name under which calls of a tool are counted: the current name of a built-in tool, any other name unchanged.
///
/// ```
/// use format::tool::present_name;
/// assert_eq!(["KillShell", "Swim"].map(present_name), ["TaskStop", "Swim"]);
/// ```
pub fn present_name(name: &str) -> &str {
    match ToolKind::named(name) {
        Some(kind) => kind.name(),
        None => name,
    }
}

/// Whether any version of Claude Code has a built-in tool of this name.
pub fn is_builtin(name: &str) -> bool {
    ToolKind::named(name).is_some()
}

/// The prefix of the names of MCP tools.
pub const MCP_PREFIX: &str = "mcp__";

/// The server and the tool in `mcp__server__tool`.
///
/// ```
/// assert_eq!(format::tool::split_mcp("mcp__garden__list__beds"), Some(("garden", "list__beds")));
/// ```
pub fn split_mcp(name: &str) -> Option<(&str, &str)> {
    split_parts(name.strip_prefix(MCP_PREFIX)?)
}

fn split_parts(rest: &str) -> Option<(&str, &str)> {
    rest.split_once("__").filter(|(server, tool)| !server.is_empty() && !tool.is_empty())
}
