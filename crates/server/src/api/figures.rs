//! Usage, projects, tools and archives, for programs.

use std::sync::Arc;

use app::usage::{UsageLabel, UsageRow};
use axum::extract::{Query as InQuery, State};
use axum::response::Response;
use index::catalogue::Used;
use ledger::Totals;
use story::readable::Moment;
use wire::archive::HeldOut;
use wire::figures::{
    ARCHIVES, ArchiveOut, ArchivesOut, DayOut, ErrorOut, FIGURES, FiguresOut, NamedOut, SlowOut, TOOLS, ToolOut,
    ToolUseOut, ToolsOut,
};
use wire::list::ProjectsOut;
use wire::used::UsedOut;

use crate::archives::{ArchiveView, archive_views};
use crate::chosen::Chosen;
use crate::pages::session_address;
use crate::pages::tools::ToolsQuery;
use crate::routes::{Failure, WebApp, json};
use crate::tools::{Repeated, Report as ToolReport, Slow, Tool};
use crate::usage::{UsageReports, name_of};

pub(super) async fn usage(
    State(app): State<Arc<WebApp>>,
    InQuery(chosen): InQuery<Chosen>,
) -> Result<Response, Failure> {
    let answer = app.ask(move |app, _| {
        let reports = app.counted.get()?.reports(&app.app, &chosen.filter(app)?)?;
        Ok(json(&figures_of(&reports)))
    });
    answer.await
}

pub(super) async fn projects(
    State(app): State<Arc<WebApp>>,
    InQuery(chosen): InQuery<Chosen>,
) -> Result<Response, Failure> {
    let answer = app.ask(move |app, index| {
        let projects = crate::pages::projects::latest(&app.sessions(index, &chosen.filter(app)?)?);
        Ok(json(&ProjectsOut::new(&projects, projects.len())))
    });
    answer.await
}

pub(super) async fn tools(
    State(app): State<Arc<WebApp>>,
    InQuery(chosen): InQuery<Chosen>,
    InQuery(query): InQuery<ToolsQuery>,
) -> Result<Response, Failure> {
    let answer = app.ask(move |app, index| Ok(json(&tools_of(&query.report(app, index, &chosen)?))));
    answer.await
}

pub(super) async fn archive(State(app): State<Arc<WebApp>>) -> Result<Response, Failure> {
    let answer = app.ask(|app, index| {
        let gone = index.sessions()?.iter().filter(|session| session.is_archived).count();
        Ok(json(&archives_of(&archive_views(app.app.roots()), gone)))
    });
    answer.await
}

fn figures_of<'a>(reports: &'a UsageReports) -> FiguresOut<'a> {
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
    FiguresOut {
        schema: FIGURES,
        totals: used(&reports.days.all.totals),
        days: reports.days.list.iter().filter_map(day).collect(),
        models: reports.models.list.iter().map(named).collect(),
        projects: reports.projects.list.iter().map(named).collect(),
        tools: reports.tools.list.iter().map(tool_use).collect(),
        unread_files: reports.unread,
    }
}

fn tool_use(row: &UsageRow) -> ToolUseOut<'_> {
    let tool = &row.sums.tool;
    ToolUseOut {
        tool: Some(name_of(row)).filter(|_| row.label != UsageLabel::Tool(None)),
        calls: tool.calls,
        tokens: tool.tokens(),
        cost_usd: tool.cost.dollars(),
    }
}

fn tools_of(report: &ToolReport) -> ToolsOut<'_> {
    ToolsOut {
        schema: TOOLS,
        sessions: report.sessions,
        tools: report.tools.iter().map(tool_of).collect(),
        errors: report.errors.iter().map(error_of).collect(),
        slowest: report.slowest.iter().map(slow_of).collect(),
    }
}

fn tool_of(tool: &Tool) -> ToolOut<'_> {
    let durations = &tool.durations;
    ToolOut {
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

fn error_of(error: &Repeated) -> ErrorOut<'_> {
    ErrorOut {
        tool: &error.tool,
        text: &error.text,
        times: error.times,
        sessions: error.sessions,
        last: error.at.map(Moment),
        address: session_address(&error.session, &error.anchor),
    }
}

fn slow_of(slow: &Slow) -> SlowOut<'_> {
    SlowOut {
        tool: &slow.tool,
        what: &slow.call.subject,
        took_ms: slow.call.millis,
        at: slow.call.at.map(Moment),
        address: session_address(&slow.session, &slow.call.anchor),
    }
}

fn archives_of(archive_views: &[ArchiveView], only_archived: usize) -> ArchivesOut {
    let archives = archive_views.iter().map(|shelf| ArchiveOut {
        folder: shelf.folder.display().to_string(),
        error: shelf.state.as_ref().err().cloned(),
        held: shelf.state.as_ref().ok().map(|state| HeldOut {
            session_count: state.holdings.sessions,
            deleted: state.holdings.deleted,
            files: state.holdings.files,
            versions: state.holdings.versions,
            bytes: state.holdings.bytes,
            stored: state.holdings.stored,
            last_run: state.last_run.map(Moment),
            last_change: state.last_change.map(Moment),
        }),
    });
    ArchivesOut { schema: ARCHIVES, only_archived, archives: archives.collect() }
}
