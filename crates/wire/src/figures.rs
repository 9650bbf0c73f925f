//! Responses of the web app's API: figures of usage, tools and archives, and one session with its turns.

use std::borrow::Cow;

use serde::Serialize;
use story::readable::Moment;

use crate::archive::HeldOut;
use crate::list::SessionOut;
use crate::used::UsedOut;

/// The name and version of the figures of usage.
pub const FIGURES: &str = "recount.figures/1";

/// The name and version of the figures of tools.
pub const TOOLS: &str = "recount.tools/1";

/// The name and version of the list of archives.
pub const ARCHIVES: &str = "recount.archives/2";

/// The name and version of one session.
pub const SESSION: &str = "recount.session/2";

/// Figures of usage.
#[derive(Debug, Serialize)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema))]
pub struct FiguresOut<'a> {
    /// The name and version of this document.
    #[cfg_attr(any(test, feature = "schema"), schemars(extend("const" = FIGURES)))]
    pub schema: &'static str,
    /// All of it.
    pub totals: UsedOut,
    /// By day.
    pub days: Vec<DayOut<'a>>,
    /// By model.
    pub models: Vec<NamedOut<'a>>,
    /// By project.
    pub projects: Vec<NamedOut<'a>>,
    /// By tool; estimated.
    pub tools: Vec<ToolUseOut<'a>>,
    /// Files that could not be read.
    pub unread_files: usize,
}

/// A day.
#[derive(Debug, Serialize)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema))]
pub struct DayOut<'a> {
    /// The day.
    pub day: String,
    /// Tokens and cost.
    #[serde(flatten)]
    pub used: UsedOut,
    /// By model.
    pub models: Vec<NamedOut<'a>>,
}

/// A model or a project.
#[derive(Debug, Serialize)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema))]
pub struct NamedOut<'a> {
    /// Its name.
    pub name: Cow<'a, str>,
    /// Tokens and cost.
    #[serde(flatten)]
    pub used: UsedOut,
}

/// The estimated usage of a tool; without a name, of the conversation itself.
#[derive(Debug, Serialize)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema))]
pub struct ToolUseOut<'a> {
    /// Its name.
    pub tool: Option<&'a str>,
    /// Calls.
    pub calls: u64,
    /// Tokens.
    pub tokens: u64,
    /// Their cost in US dollars.
    pub cost_usd: f64,
}

/// Figures of tools.
#[derive(Debug, Serialize)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema))]
pub struct ToolsOut<'a> {
    /// The name and version of this document.
    #[cfg_attr(any(test, feature = "schema"), schemars(extend("const" = TOOLS)))]
    pub schema: &'static str,
    /// Sessions.
    pub sessions: usize,
    /// By tool; estimated.
    pub tools: Vec<ToolOut<'a>>,
    /// Errors that repeat.
    pub errors: Vec<ErrorOut<'a>>,
    /// The slowest calls.
    pub slowest: Vec<SlowOut<'a>>,
}

/// A tool. Durations are those of finished calls.
#[derive(Debug, Serialize)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema))]
pub struct ToolOut<'a> {
    /// Its name.
    pub tool: &'a str,
    /// Calls.
    pub calls: u64,
    /// Calls that failed.
    pub failed: u64,
    /// Calls with a harmless failure.
    pub failed_as_expected: u64,
    /// Calls that were denied.
    pub rejected: u64,
    /// Calls that you interrupted.
    pub interrupted: u64,
    /// Calls with a duration.
    pub timed: u64,
    /// The median duration.
    pub p50_ms: Option<u64>,
    /// The 95th percentile of durations.
    pub p95_ms: Option<u64>,
    /// The longest duration.
    pub longest_ms: Option<u64>,
    /// The sum of durations.
    pub total_ms: u64,
}

/// An error that occurred more than once.
#[derive(Debug, Serialize)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema))]
pub struct ErrorOut<'a> {
    /// Its name.
    pub tool: &'a str,
    /// The error.
    pub text: &'a str,
    /// How often it occurred.
    pub times: u64,
    /// Sessions.
    pub sessions: usize,
    /// When it last occurred.
    pub last: Option<Moment>,
    /// Its URL in the web app.
    pub address: String,
}

/// A slow call.
#[derive(Debug, Serialize)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema))]
pub struct SlowOut<'a> {
    /// Its name.
    pub tool: &'a str,
    /// The call.
    pub what: &'a str,
    /// Its duration.
    pub took_ms: u64,
    /// Its time.
    pub at: Option<Moment>,
    /// Its URL in the web app.
    pub address: String,
}

/// Archives.
#[derive(Debug, Serialize)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema))]
pub struct ArchivesOut {
    /// The name and version of this document.
    #[cfg_attr(any(test, feature = "schema"), schemars(extend("const" = ARCHIVES)))]
    pub schema: &'static str,
    /// Sessions that are gone from the disk and read from an archive.
    pub only_archived: usize,
    /// The archives.
    pub archives: Vec<ArchiveOut>,
}

/// An archive.
#[derive(Debug, Serialize)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema))]
pub struct ArchiveOut {
    /// The folder.
    pub folder: String,
    /// Why it cannot be read.
    pub error: Option<String>,
    /// Its contents; `null` if it cannot be read.
    pub held: Option<HeldOut>,
}

/// A session with its turns and its subagents.
#[derive(Debug, Serialize)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema))]
pub struct SessionDetailOut<'a> {
    /// The name and version of this document.
    #[cfg_attr(any(test, feature = "schema"), schemars(extend("const" = SESSION)))]
    pub schema: &'static str,
    /// Its columns.
    #[serde(flatten)]
    pub session: SessionOut<'a>,
    /// Its turns.
    pub turn_list: Vec<TurnOut<'a>>,
}

/// A turn.
#[derive(Debug, Serialize)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema))]
pub struct TurnOut<'a> {
    /// Its number, from 1.
    pub number: u32,
    /// Its time.
    pub at: Option<Moment>,
    /// The first words of its prompt.
    pub prompt: &'a str,
}
