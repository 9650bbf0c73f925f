//! What a tool is like, whatever a call does with it: the questions that other crates ask the table of tools.
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

/// What a tool is like.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Nature<'n> {
    /// The family, for icons, colours and groups.
    pub family: Family,
    /// What it asks the human for. A call that asks goes on when the human answers: until then it waits for you, and
    /// that time is not the tool's; a no is an answer, not a failure.
    pub asks: Option<Ask>,
    /// Whether it works on one file or folder, which [`ToolInput::path`](super::ToolInput::path) then names. The folder
    /// that a search is limited to does not count.
    pub has_path: bool,
    /// Whether it takes no time by itself: a call that has no result after some seconds waits for permission.
    pub is_quick: bool,
    /// The word for people who read about a call of it; for a tool that is not ours, its own name.
    pub label: &'n str,
}

impl<'n> Nature<'n> {
    /// The nature of a tool of which nothing else is known.
    const fn of(family: Family, label: &'n str) -> Self {
        Self { family, asks: None, has_path: false, is_quick: false, label }
    }
}

/// What a tool asks the human for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Ask {
    /// An answer to a question.
    Answer,
    /// The approval of a plan.
    Approval,
    /// Consent to what it is about to do, whatever the permissions are.
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
            /// All of them.
            pub const ALL: &[Self] = &[$( Self::$variant ),+];

            /// Its name, in attributes, style sheets and legends.
            pub const fn name(self) -> &'static str {
                match self {
                    $( Self::$variant => $name, )+
                }
            }
        }
    };
}

families! {
    /// Runs commands, or looks after them in the background.
    Shell = "shell",
    /// Reads files.
    Read = "read",
    /// Changes or writes files.
    Edit = "edit",
    /// Looks for files, symbols, words or tools.
    Search = "search",
    /// Starts agents and teams, and looks after them.
    Agent = "agent",
    /// Makes plans.
    Plan = "plan",
    /// Asks questions.
    Question = "question",
    /// Keeps the list of tasks.
    Task = "task",
    /// Looks for pages of the web, and reads them.
    Web = "web",
    /// Tools of MCP servers, and those that look after the servers.
    Mcp = "mcp",
    /// Says something to a human or to another agent.
    Message = "message",
    /// Uses skills and commands.
    Skill = "skill",
    /// Does something later, or elsewhere.
    Schedule = "schedule",
    /// Enters and leaves worktrees.
    Worktree = "worktree",
    /// Everything else, and tools that no known version has.
    Other = "other",
}

/// Declares the tools that run at the API: `Variant = "name" => Family, "Label"`.
macro_rules! server_tools {
    ($( $variant:ident = $name:literal => $family:ident, $label:literal; )+) => {
        /// A tool that runs at the API.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum ServerTool {
            $( #[doc = concat!("`", $name, "`")] $variant, )+
        }

        impl ServerTool {
            /// All of them.
            pub const ALL: &[Self] = &[$( Self::$variant ),+];

            /// The tool of this name.
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

            /// What it is like.
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

/// A tool, by the name that a call has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tool<'n> {
    /// A tool of Claude Code, under its present name or an earlier one.
    BuiltIn(ToolKind),
    /// A tool that runs at the API.
    Server(ServerTool),
    /// A tool of an MCP server: `mcp__server__tool`.
    Mcp {
        /// The server.
        server: &'n str,
        /// Its tool.
        tool: &'n str,
    },
    /// A tool that no known version has.
    Other(&'n str),
}

impl<'n> Tool<'n> {
    /// The tool that goes by a name. It allocates nothing.
    pub fn named(name: &'n str) -> Self {
        if let Some((server, tool)) = split_mcp(name) {
            return Self::Mcp { server, tool };
        }
        let built_in = ToolKind::named(name).map(Self::BuiltIn);
        built_in.or_else(|| ServerTool::named(name).map(Self::Server)).unwrap_or(Self::Other(name))
    }

    /// The tool, if it is a built-in one.
    pub const fn kind(self) -> Option<ToolKind> {
        match self {
            Self::BuiltIn(kind) => Some(kind),
            Self::Server(_) | Self::Mcp { .. } | Self::Other(_) => None,
        }
    }

    /// What it is like.
    ///
    /// ```
    /// use format::tool::Tool;
    /// let label = |name| Tool::named(name).nature().label;
    /// assert_eq!(["TodoWrite", "Task", "mcp__garden__dig", "Swim"].map(label), ["Tasks", "Agent", "dig", "Swim"]);
    /// ```
    pub const fn nature(self) -> Nature<'n> {
        match self {
            Self::BuiltIn(kind) => kind.nature(),
            Self::Server(tool) => tool.nature(),
            Self::Mcp { tool, .. } => Nature::of(Family::Mcp, tool),
            Self::Other(name) => Nature::of(Family::Other, name),
        }
    }

    /// Whether a filter that names a tool means this one. A name means its tool under all the names that the tool has
    /// had. The tools of an MCP server are meant by the name of the server and by their own. Case does not matter.
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

/// The name that calls of a tool are counted by: of a built-in tool the present one, any other as it is.
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

/// Whether some version of Claude Code has a tool of this name itself.
pub fn is_builtin(name: &str) -> bool {
    ToolKind::named(name).is_some()
}

/// How the names of MCP tools begin.
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
