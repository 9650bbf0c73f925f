//! Usage, projects, tools and archives, for programs.

use std::sync::Arc;

use axum::extract::{Query as InQuery, State};
use axum::response::Response;
use index::catalogue::Used;
use index::json::{ProjectsOut, UsedOut, moment};
use serde::Serialize;

use crate::archives::{ArchiveView, archive_views};
use crate::pages::session_address;
use crate::pages::tools::Wanted;
use crate::period::Period;
use crate::routes::{App, Failure, json};
use crate::tools::{Repeated, Report as ToolReport, Slow, Tool};
use crate::usage::Report;

pub(super) async fn usage(State(app): State<Arc<App>>, InQuery(period): InQuery<Period>) -> Result<Response, Failure> {
    let report = app.ask(move |app, _| Ok(app.counted.get().since(period.first_day(&app.zone)))).await?;
    Ok(json(&UsageOut::of(&report)))
}

pub(super) async fn projects(
    State(app): State<Arc<App>>,
    InQuery(period): InQuery<Period>,
) -> Result<Response, Failure> {
    let answer = app.ask(move |app, index| {
        let projects = crate::pages::projects::latest(&app.sessions_of(index, period, "")?);
        Ok(json(&ProjectsOut::new(&projects, projects.len())))
    });
    answer.await
}

pub(super) async fn tools(State(app): State<Arc<App>>, InQuery(wanted): InQuery<Wanted>) -> Result<Response, Failure> {
    let answer = app.ask(move |app, index| Ok(json(&ToolsOut::of(&wanted.report(app, index)?))));
    answer.await
}

pub(super) async fn archive(State(app): State<Arc<App>>) -> Result<Response, Failure> {
    let answer = app.ask(|app, index| {
        let gone = index.sessions()?.iter().filter(|session| session.is_archived && !session.is_agent).count();
        Ok(json(&ArchivesOut::of(&archive_views(&app.roots), gone)))
    });
    answer.await
}

/// What was used.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct UsageOut<'a> {
    schema: &'static str,
    totals: UsedOut,
    days: Vec<DayOut<'a>>,
    models: Vec<NamedOut<'a>>,
    projects: Vec<NamedOut<'a>>,
    tools: Vec<ToolUseOut<'a>>,
    unread_files: usize,
}

/// A day.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct DayOut<'a> {
    day: String,
    #[serde(flatten)]
    used: UsedOut,
    models: Vec<NamedOut<'a>>,
}

/// A model or a project.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct NamedOut<'a> {
    name: &'a str,
    #[serde(flatten)]
    used: UsedOut,
}

/// What is due to a tool, estimated; without a name it is the conversation.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct ToolUseOut<'a> {
    tool: Option<&'a str>,
    calls: u64,
    tokens: u64,
    cost_usd: f64,
}

impl<'a> UsageOut<'a> {
    fn of(report: &'a Report) -> Self {
        let named = |(name, used): (&'a String, &Used)| NamedOut { name, used: UsedOut::of(used) };
        Self {
            schema: "recount.figures/1",
            totals: UsedOut::of(&report.totals),
            days: report
                .days
                .iter()
                .map(|(day, (used, models))| DayOut {
                    day: day.to_string(),
                    used: UsedOut::of(used),
                    models: models.iter().map(named).collect(),
                })
                .collect(),
            models: report.models.iter().map(|(name, used)| named((name, used))).collect(),
            projects: report.projects.iter().map(|(name, used)| named((name, used))).collect(),
            tools: report
                .tools
                .iter()
                .map(|(tool, used)| ToolUseOut {
                    tool: tool.as_deref(),
                    calls: used.calls,
                    tokens: used.tokens,
                    cost_usd: used.cost.dollars(),
                })
                .collect(),
            unread_files: report.unread,
        }
    }
}

/// What tools did.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct ToolsOut<'a> {
    schema: &'static str,
    sessions: usize,
    tools: Vec<ToolOut<'a>>,
    errors: Vec<ErrorOut<'a>>,
    slowest: Vec<SlowOut<'a>>,
}

/// A tool. Durations are those of calls that came to an end.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct ToolOut<'a> {
    tool: &'a str,
    calls: u64,
    failed: u64,
    failed_as_expected: u64,
    rejected: u64,
    interrupted: u64,
    timed: u64,
    p50_ms: Option<u64>,
    p95_ms: Option<u64>,
    longest_ms: Option<u64>,
    total_ms: u64,
}

/// An error that came again.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct ErrorOut<'a> {
    tool: &'a str,
    text: &'a str,
    times: u64,
    sessions: usize,
    last: Option<String>,
    address: String,
}

/// A call that took long.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct SlowOut<'a> {
    tool: &'a str,
    what: &'a str,
    took_ms: u64,
    at: Option<String>,
    address: String,
}

impl<'a> ToolsOut<'a> {
    fn of(report: &'a ToolReport) -> Self {
        Self {
            schema: "recount.tools/1",
            sessions: report.sessions,
            tools: report.tools.iter().map(ToolOut::of).collect(),
            errors: report.errors.iter().map(ErrorOut::of).collect(),
            slowest: report.slowest.iter().map(SlowOut::of).collect(),
        }
    }
}

impl<'a> ToolOut<'a> {
    fn of(tool: &'a Tool) -> Self {
        let durations = &tool.durations;
        Self {
            tool: &tool.name,
            calls: tool.calls,
            failed: tool.failed,
            failed_as_expected: tool.expected,
            rejected: tool.rejected,
            interrupted: tool.interrupted,
            timed: durations.count(),
            p50_ms: durations.percentile(50),
            p95_ms: durations.percentile(95),
            longest_ms: durations.longest(),
            total_ms: durations.sum(),
        }
    }
}

impl<'a> ErrorOut<'a> {
    fn of(error: &'a Repeated) -> Self {
        Self {
            tool: &error.tool,
            text: &error.text,
            times: error.times,
            sessions: error.sessions,
            last: moment(error.at),
            address: session_address(&error.session, &error.anchor),
        }
    }
}

impl<'a> SlowOut<'a> {
    fn of(slow: &'a Slow) -> Self {
        Self {
            tool: &slow.tool,
            what: &slow.call.subject,
            took_ms: slow.call.millis,
            at: moment(slow.call.at),
            address: session_address(&slow.session, &slow.call.anchor),
        }
    }
}

/// Archives.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct ArchivesOut {
    schema: &'static str,
    /// Sessions that are gone from the disk and read from an archive.
    only_archived: usize,
    archives: Vec<ArchiveOut>,
}

/// An archive.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct ArchiveOut {
    folder: String,
    /// Why it cannot be read.
    error: Option<String>,
    #[serde(flatten)]
    held: Option<HeldOut>,
}

/// What an archive holds.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct HeldOut {
    sessions: u64,
    deleted: u64,
    files: u64,
    versions: u64,
    bytes: u64,
    stored: u64,
    last_run: Option<String>,
    last_change: Option<String>,
}

impl ArchivesOut {
    fn of(archive_views: &[ArchiveView], only_archived: usize) -> Self {
        let archives = archive_views.iter().map(|shelf| ArchiveOut {
            folder: shelf.folder.display().to_string(),
            error: shelf.state.as_ref().err().cloned(),
            held: shelf.state.as_ref().ok().map(|state| HeldOut {
                sessions: state.holdings.sessions,
                deleted: state.holdings.deleted,
                files: state.holdings.files,
                versions: state.holdings.versions,
                bytes: state.holdings.bytes,
                stored: state.holdings.stored,
                last_run: moment(state.last_run),
                last_change: moment(state.last_change),
            }),
        });
        Self { schema: "recount.archives/1", only_archived, archives: archives.collect() }
    }
}
