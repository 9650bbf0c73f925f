//! What a call shows when it is opened: one table for what was asked, one for what came of it.
//!
//! Both are exhaustive: a new tool does not compile until it has its look. What nobody has a look for shows its input
//! as a table and what the model was told.

use format::text::PersistedOutput;
use format::tool::{McpResult, ToolInput, ToolResult};
use maud::{Markup, html};
use story::step::Call;

use super::content::{content, said};
use super::failure::failure;
use super::piece::{beyond, label, note, word};
use super::stored::{self, Stored, whole};
use super::{agent, artifact, files, json, notebook, plan, rest, search, shell, tasks, web};
use crate::{output, text};
use content::view::CallParts;

/// A call as it was read from its lines.
#[derive(Clone, Copy)]
pub(super) struct Told<'a> {
    pub(super) call: &'a Call,
    pub(super) parts: &'a CallParts<'a>,
    /// The folder that paths are seen from; may be empty.
    pub(super) project: &'a str,
    /// Whether the thread that it started is on the page.
    pub(super) has_thread: bool,
    /// All that it printed, if that is kept elsewhere.
    pub(super) stored: Option<&'a Stored>,
}

/// What was asked, as far as what came of it does not say so better.
pub(super) fn asked(told: Told<'_>) -> Markup {
    match (told.parts.input, told.parts.input_json) {
        (Some(input), _) => typed_input(input, told),
        (None, Some(json)) => json::block(json.as_json()),
        (None, None) => missing(told.parts.input_missing),
    }
}

fn missing(why: Option<&str>) -> Markup {
    html! { @if let Some(why) = why { p.missing { (text(why)) } } }
}

/// All keys of the input.
fn all_keys(told: Told<'_>) -> Markup {
    told.parts.input_json.map(|json| json::table(json.as_json())).unwrap_or_default()
}

fn typed_input(input: &ToolInput<'_>, told: Told<'_>) -> Markup {
    let (parts, line) = (told.parts, &*told.call.subject);
    match input {
        ToolInput::Agent(asked) => agent::started(asked, line, told.has_thread),
        ToolInput::Artifact(asked) => artifact::artifact_asked(asked, line, parts),
        ToolInput::AskUserQuestion(asked) => plan::questions_asked(asked, parts),
        ToolInput::Bash(asked) => shell::command(asked, "bash"),
        ToolInput::PowerShell(asked) => shell::command(asked, "powershell"),
        ToolInput::BashOutput(asked) => shell::output_asked(asked),
        ToolInput::ExitPlanMode(asked) => plan::plan_asked(asked, parts),
        ToolInput::Grep(asked) => search::grep_asked(asked),
        ToolInput::Mcp(asked) => json::block(asked.input.as_json()),
        ToolInput::Monitor(asked) => shell::monitor(asked, line),
        ToolInput::Projects(asked) => artifact::project_asked(asked),
        ToolInput::ProposeGoal(asked) => plan::goal(asked),
        ToolInput::ProposeSkills(asked) => rest::proposals(&asked.proposals),
        ToolInput::PushNotification(asked) => note(beyond(line, word(asked.message))),
        ToolInput::ReportFindings(asked) => rest::findings(&asked.findings),
        ToolInput::ScheduleWakeup(asked) => rest::wakeup_asked(asked, line),
        ToolInput::SendFeedback(asked) => rest::feedback(asked),
        ToolInput::SendMessage(asked) => agent::message(asked, line),
        ToolInput::SendUserMessage(asked) => rest::speech(asked),
        ToolInput::Server(asked) => web::server_asked(asked),
        ToolInput::Skill(asked) => rest::skill_asked(asked, line),
        ToolInput::SubagentHandback(asked) => agent::report(asked),
        ToolInput::TaskCreate(asked) => tasks::create_asked(asked),
        ToolInput::TaskUpdate(asked) => tasks::update_asked(asked),
        ToolInput::TeamCreate(asked) => agent::team(asked, line),
        ToolInput::TodoWrite(asked) => tasks::todos(&asked.todos, &told.call.tasks),
        ToolInput::WebFetch(asked) => web::fetch_asked(asked),
        ToolInput::WebSearch(asked) => web::search_asked(asked),
        ToolInput::Workflow(asked) => agent::workflow(asked, line),
        ToolInput::Unparsed(words) => html! { (label("what the model wrote is no JSON")) (output(words)) },
        // What was done says it all, if it was done.
        ToolInput::CronCreate(_) if matches!(parts.result, Some(ToolResult::CronCreate(job)) if job.prompt.is_some()) =>
        {
            html! {}
        }
        ToolInput::CronCreate(asked) => rest::job_asked(asked, line),
        ToolInput::Edit(_) if matches!(parts.result, Some(ToolResult::Edit(_))) => html! {},
        ToolInput::Edit(asked) => files::edit_asked(asked),
        ToolInput::MultiEdit(_) if matches!(parts.result, Some(ToolResult::MultiEdit(_))) => html! {},
        ToolInput::MultiEdit(asked) => files::edits_asked(asked),
        ToolInput::NotebookEdit(_) if matches!(parts.result, Some(ToolResult::NotebookEdit(_))) => html! {},
        ToolInput::NotebookEdit(asked) => notebook::edit_asked(asked),
        ToolInput::SendUserFile(_) if matches!(parts.result, Some(ToolResult::SendUserFile(_))) => html! {},
        ToolInput::SendUserFile(asked) => rest::files_asked(asked),
        ToolInput::Write(_) if matches!(parts.result, Some(ToolResult::Write(_))) => html! {},
        ToolInput::Write(asked) => files::write_asked(asked),
        // All that was asked stands in the line of the call.
        ToolInput::CronDelete(_)
        | ToolInput::CronList(_)
        | ToolInput::EnterPlanMode(_)
        | ToolInput::EnterWorktree(_)
        | ToolInput::ExitWorktree(_)
        | ToolInput::Glob(_)
        | ToolInput::ListDirectory(_)
        | ToolInput::ListMcpResources(_)
        | ToolInput::Lsp(_)
        | ToolInput::NotebookRead(_)
        | ToolInput::Read(_)
        | ToolInput::ReadNotifications(_)
        | ToolInput::RefreshMcpTools(_)
        | ToolInput::ShowOnboardingRolePicker(_)
        | ToolInput::SlashCommand(_)
        | ToolInput::TaskGet(_)
        | ToolInput::TaskList(_)
        | ToolInput::TaskOutput(_)
        | ToolInput::TaskStop(_)
        | ToolInput::TodoRead(_)
        | ToolInput::ToolSearch(_) => html! {},
        ToolInput::ClaudeDesign(_)
        | ToolInput::EndConversation(_)
        | ToolInput::ListAgents(_)
        | ToolInput::OfferChromeSetup(_)
        | ToolInput::Other(_)
        | ToolInput::ReadMcpResource(_)
        | ToolInput::ReadMcpResourceDir(_)
        | ToolInput::RemoteTrigger(_)
        | ToolInput::ShareOnboardingGuide(_)
        | ToolInput::StructuredOutput(_)
        | ToolInput::TeamDelete(_)
        | ToolInput::WaitForMcpServers(_) => all_keys(told),
    }
}

/// What came of it.
pub(super) fn came(told: Told<'_>) -> Markup {
    match (told.parts.result, told.parts.result_json) {
        (Some(result), _) => typed_result(result, told),
        (None, Some(json)) => web::served(json),
        (None, None) => missing(told.parts.result_missing),
    }
}

fn typed_result(result: &ToolResult<'_>, told: Told<'_>) -> Markup {
    let parts = told.parts;
    let tasks = &told.call.tasks;
    match result {
        ToolResult::Agent(given) => agent::answered(given),
        ToolResult::Artifact(given) => artifact::artifact(given),
        ToolResult::AskUserQuestion(given) => plan::answered(given, parts),
        ToolResult::Bash(given) | ToolResult::PowerShell(given) => shell::printed(given, parts, told.stored),
        ToolResult::BashOutput(given) => shell::shell_output(given),
        ToolResult::ClaudeDesign(given) => artifact::design(given),
        ToolResult::CronCreate(given) => rest::job(given),
        ToolResult::CronDelete(_) => note("no longer scheduled"),
        ToolResult::CronList(given) => rest::jobs(given),
        ToolResult::Edit(given) => files::edited(given, parts),
        ToolResult::EnterPlanMode(given) => note(word(given.message)),
        ToolResult::EnterWorktree(given) => rest::entered(given),
        ToolResult::ExitPlanMode(given) => plan::approved(given, parts),
        ToolResult::ExitWorktree(given) => rest::left(given),
        ToolResult::Glob(given) => search::globbed(given, told.project),
        ToolResult::Grep(given) => search::grepped(given, parts, told.project),
        ToolResult::ListAgents(given) => agent::agents(given),
        ToolResult::ListMcpResources(given) | ToolResult::ReadMcpResourceDir(given) => rest::resources(given),
        ToolResult::ListDirectory(given) => search::listed(given),
        ToolResult::Lsp(given) => search::symbols(given, parts),
        ToolResult::Monitor(given) => shell::monitored(given),
        ToolResult::MultiEdit(given) => files::all_edited(given, parts),
        ToolResult::NotebookEdit(given) => {
            let asked = match parts.input {
                Some(ToolInput::NotebookEdit(asked)) => Some(&**asked),
                _ => None,
            };
            notebook::edited(given, asked)
        }
        ToolResult::NotebookRead(given) => notebook::cells(&given.cells),
        ToolResult::Projects(given) => artifact::project(given),
        ToolResult::PushNotification(given) => rest::notified(given),
        ToolResult::Read(given) => files::read(given, parts),
        ToolResult::ReadMcpResource(given) => rest::resource(given),
        ToolResult::ReadNotifications(given) => rest::notifications(given),
        ToolResult::RefreshMcpTools(given) => rest::refreshed(given),
        ToolResult::RemoteTrigger(given) => rest::triggered(given),
        ToolResult::ScheduleWakeup(given) => rest::wakeup(given),
        ToolResult::SendFeedback(given) => note(word(given.message)),
        ToolResult::SendMessage(given) => agent::delivered(given),
        ToolResult::SendUserFile(given) => rest::files_sent(given),
        ToolResult::Skill(given) | ToolResult::SlashCommand(given) => rest::skill(given, parts),
        ToolResult::TaskCreate(_) => tasks::changes(tasks),
        ToolResult::TaskGet(given) => tasks::got(given),
        ToolResult::TaskList(given) => tasks::listed(given),
        ToolResult::TaskOutput(given) => shell::task_output(given, parts),
        ToolResult::TaskStop(given) => shell::stopped(given),
        ToolResult::TaskUpdate(given) => tasks::updated(given, tasks),
        ToolResult::TeamCreate(given) => agent::founded(given),
        ToolResult::TeamDelete(given) => agent::dissolved(given),
        ToolResult::TodoRead(given) => tasks::todos(&given.todos, &[]),
        // The list stands in what was asked, unless that is lost.
        ToolResult::TodoWrite(given) if parts.input.is_none() => tasks::todos(&given.new_todos, tasks),
        ToolResult::ToolSearch(given) => search::tools(given),
        ToolResult::WebFetch(given) => web::fetched(given),
        ToolResult::WebSearch(given) => web::searched(given),
        ToolResult::Workflow(given) => agent::launched(given, &told.call.subject),
        ToolResult::Write(given) => files::written(given, parts),
        ToolResult::EndConversation(given)
        | ToolResult::ShareOnboardingGuide(given)
        | ToolResult::StructuredOutput(given)
        | ToolResult::SubagentHandback(given)
        | ToolResult::WaitForMcpServers(given) => rest::open(given),
        ToolResult::Mcp(McpResult::Content(given)) | ToolResult::Plain(given) => match stored::persisted(given) {
            Some(output) => too_long(output, told),
            None => content(given),
        },
        ToolResult::Mcp(McpResult::Value(json)) | ToolResult::Other(json) => json::block(json.as_json()),
        ToolResult::Failed(given) => failure(given),
        ToolResult::Detached => note("runs in the background"),
        ToolResult::Cleared => note("the result was cleared from the context"),
        ToolResult::Persisted(output) => too_long(*output, told),
        ToolResult::ReportFindings(given) if parts.input.is_none() => rest::findings(&given.findings),
        // They say no more than that it was done.
        ToolResult::ProposeGoal(_)
        | ToolResult::ReportFindings(_)
        | ToolResult::SendUserMessage(_)
        | ToolResult::TodoWrite(_) => html! {},
        // What the model was told says it best.
        ToolResult::Nothing
        | ToolResult::OfferChromeSetup(_)
        | ToolResult::ProposeSkills(_)
        | ToolResult::ShowOnboardingRolePicker(_) => said(parts.content),
    }
}

fn too_long(PersistedOutput { size, path, preview }: PersistedOutput<'_>, told: Told<'_>) -> Markup {
    let beginning = json::block_or_output(preview);
    whole(told.stored, &beginning, path.unwrap_or_default(), size.unwrap_or_default())
}
