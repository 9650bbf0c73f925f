//! Usage, projects, tools and archives, for programs.

use std::borrow::Cow;
use std::sync::Arc;

use app::usage::{UsageLabel, UsageRow};
use axum::extract::{Query as InQuery, State};
use axum::response::Response;
use index::catalogue::Used;
use ledger::Totals;
use serde::Serialize;
use wire::list::ProjectsOut;
use wire::moment;
use wire::used::UsedOut;

use crate::archives::{ArchiveView, archive_views};
use crate::chosen::Chosen;
use crate::pages::session_address;
use crate::pages::tools::Wanted;
use crate::routes::{Failure, WebApp, json};
use crate::tools::{Repeated, Report as ToolReport, Slow, Tool};
use crate::usage::{UsageReports, name_of};

pub(super) async fn usage(
    State(app): State<Arc<WebApp>>,
    InQuery(chosen): InQuery<Chosen>,
) -> Result<Response, Failure> {
    let answer = app.ask(move |app, _| {
        let reports = app.counted.get()?.reports(&app.app, &chosen.filter(app)?)?;
        Ok(json(&UsageOut::of(&reports)))
    });
    answer.await
}

pub(super) async fn projects(
    State(app): State<Arc<WebApp>>,
    InQuery(chosen): InQuery<Chosen>,
) -> Result<Response, Failure> {
    let answer = app.ask(move |app, index| {
        let projects = crate::pages::projects::latest(&WebApp::sessions(index, &chosen.filter(app)?)?);
        Ok(json(&ProjectsOut::new(&projects, projects.len())))
    });
    answer.await
}

pub(super) async fn tools(
    State(app): State<Arc<WebApp>>,
    InQuery(chosen): InQuery<Chosen>,
    InQuery(wanted): InQuery<Wanted>,
) -> Result<Response, Failure> {
    let answer = app.ask(move |app, index| Ok(json(&ToolsOut::of(&wanted.report(app, index, &chosen)?))));
    answer.await
}

pub(super) async fn archive(State(app): State<Arc<WebApp>>) -> Result<Response, Failure> {
    let answer = app.ask(|app, index| {
        let gone = index.sessions()?.iter().filter(|session| session.is_archived).count();
        Ok(json(&ArchivesOut::of(&archive_views(app.app.roots()), gone)))
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
    name: Cow<'a, str>,
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
    fn of(reports: &'a UsageReports) -> Self {
        let used = |totals: &Totals| UsedOut::of(&Used::of(totals));
        let named = |row: &'a UsageRow| NamedOut { name: name_of(row).into(), used: used(&row.sums.totals) };
        let day = |row: &'a UsageRow| match row.label {
            UsageLabel::Since(Some(day)) => Some(DayOut {
                day: day.to_string(),
                used: used(&row.sums.totals),
                models: (row.sums.by_model().into_iter())
                    .map(|(name, totals)| NamedOut { name: name.into(), used: used(&totals) })
                    .collect(),
            }),
            _ => None,
        };
        Self {
            schema: "recount.figures/1",
            totals: used(&reports.days.all.totals),
            days: reports.days.list.iter().filter_map(day).collect(),
            models: reports.models.list.iter().map(named).collect(),
            projects: reports.projects.list.iter().map(named).collect(),
            tools: reports.tools.list.iter().map(ToolUseOut::of).collect(),
            unread_files: reports.unread,
        }
    }
}

impl<'a> ToolUseOut<'a> {
    fn of(row: &'a UsageRow) -> Self {
        let tool = &row.sums.tool;
        Self {
            tool: Some(name_of(row)).filter(|_| row.label != UsageLabel::Tool(None)),
            calls: tool.calls,
            tokens: tool.tokens(),
            cost_usd: tool.cost.dollars(),
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
