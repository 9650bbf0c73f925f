//! The subject of a call.

use std::borrow::Cow;

use format::id::AgentId;
use format::tool::{
    ArtifactInput, AskUserQuestionInput, ExitPlanModeInput, GrepInput, ListedTask, LspInput, MonitorInput, ReadInput,
    ReportFindingsInput, ScheduleWakeupInput, SendMessageInput, ServerInput, TaskStatus, TaskUpdateInput, Todo,
    ToolInput, WorkflowInput,
};
use format::{Scratch, Text};

use super::fields;
use super::phrase::{counted, first_of, list, pair, path, seconds, spaced, task, title, word};
use crate::preview::preview;

/// The subject of a call in one line: the command, the file, the question.
pub(crate) fn subject(input: &ToolInput<'_>) -> Box<str> {
    preview(&about(input))
}

/// The subject of an update of a task, which names the task by its number only.
///
/// `name` is the task's wording before the update; `has_status` says that the outcome states the new status.
pub(crate) fn update_subject(update: &TaskUpdateInput<'_>, name: &str, has_status: bool) -> Box<str> {
    let task = pair(&numbered(word(update.task_id)), " ", name);
    let between = if name.is_empty() { " " } else { ": " };
    preview(&pair(&task, between, &about_update(update, has_status)))
}

/// The subject of a call that read one task.
pub(crate) fn got_subject(task: &ListedTask<'_>) -> Box<str> {
    preview(&pair(&numbered(word(task.id)), " ", word(task.subject)))
}

/// The status of a task that a call read.
pub(crate) fn got_status(task: &ListedTask<'_>) -> String {
    spaced(task.status.map_or("", TaskStatus::as_str))
}

fn about<'a>(input: &'a ToolInput<'a>) -> Cow<'a, str> {
    match input {
        ToolInput::Agent(agent) => {
            pair(word(agent.subagent_type), ": ", first_of([word(agent.description), word(agent.prompt)])).into()
        }
        ToolInput::Artifact(artifact) => about_artifact(artifact).into(),
        ToolInput::AskUserQuestion(asked) => about_questions(asked).into(),
        ToolInput::Bash(shell) | ToolInput::PowerShell(shell) => word(shell.command).into(),
        ToolInput::BashOutput(shell) => pair(task(shell.bash_id), " matching ", word(shell.filter)).into(),
        ToolInput::ClaudeDesign(design) => word(design.operation).into(),
        ToolInput::CronCreate(cron) => pair(word(cron.cron), ": ", word(cron.prompt)).into(),
        ToolInput::CronDelete(cron) => word(cron.id).into(),
        ToolInput::EnterWorktree(tree) => first_of([word(tree.name), word(tree.path)]).into(),
        ToolInput::ExitPlanMode(plan) => about_plan(plan).into(),
        ToolInput::ExitWorktree(tree) => word(tree.action).into(),
        ToolInput::Glob(glob) => pair(word(glob.pattern), " in ", &path(word(glob.path))).into(),
        ToolInput::Grep(grep) => about_search(grep).into(),
        ToolInput::ListMcpResources(server) | ToolInput::RefreshMcpTools(server) => word(server.server).into(),
        ToolInput::Lsp(lsp) => about_symbol(lsp).into(),
        ToolInput::Monitor(monitor) => about_monitor(monitor).into(),
        ToolInput::NotebookEdit(edit) => pair(&path(word(edit.notebook_path)), ", cell ", word(edit.cell_id)).into(),
        ToolInput::NotebookRead(read) => pair(&path(word(read.notebook_path)), ", cell ", word(read.cell_id)).into(),
        ToolInput::Projects(project) => {
            let method = word(project.method);
            let method = method.strip_prefix("project_").unwrap_or(method);
            pair(method, " ", first_of([word(project.query), word(project.path), word(project.local_path)])).into()
        }
        ToolInput::SetGoal(goal) => word(goal.condition).into(),
        ToolInput::ProposeSkills(skills) => list(skills.proposals.iter().map(|skill| word(skill.name)), ", ").into(),
        ToolInput::PushNotification(notification) => word(notification.message).into(),
        ToolInput::Read(read) => about_file(read).into(),
        ToolInput::ReadMcpResource(resource) | ToolInput::ReadMcpResourceDir(resource) => {
            first_of([word(resource.uri), word(resource.server)]).into()
        }
        ToolInput::RemoteTrigger(trigger) => pair(word(trigger.action), " ", word(trigger.trigger_id)).into(),
        ToolInput::ReportFindings(report) => about_findings(report).into(),
        ToolInput::ScheduleWakeup(wakeup) => about_wakeup(wakeup).into(),
        ToolInput::SendFeedback(feedback) => pair(word(feedback.kind), ": ", word(feedback.title)).into(),
        ToolInput::SendMessage(message) => about_message(message).into(),
        ToolInput::SendUserFile(sent) => {
            pair(&list(sent.files.iter().map(|file| file.as_str()), ", "), ": ", word(sent.caption)).into()
        }
        ToolInput::SendUserMessage(sent) => word(sent.message).into(),
        ToolInput::Skill(skill) => pair(word(skill.skill), " ", word(skill.args)).into(),
        ToolInput::SlashCommand(slash) => word(slash.command).into(),
        ToolInput::SubagentHandback(report) => {
            let to = report.to.map_or("", AgentId::as_str);
            pair(to, ": ", first_of([word(report.summary), word(report.message)])).into()
        }
        ToolInput::TaskCreate(created) => match created.tasks.len() {
            0 => first_of([word(created.subject), word(created.description)]).into(),
            number => counted(number, "task").into(),
        },
        ToolInput::TaskGet(got) => numbered(word(got.task_id)).into(),
        ToolInput::TaskOutput(read) => task(read.task_id).into(),
        ToolInput::TaskStop(stopped) => first_of([task(stopped.task_id), task(stopped.shell_id)]).into(),
        ToolInput::TaskUpdate(update) => {
            pair(&numbered(word(update.task_id)), " ", &about_update(update, false)).into()
        }
        ToolInput::TeamCreate(team) => pair(word(team.team_name), ": ", word(team.description)).into(),
        ToolInput::TodoWrite(list) => progress(&list.todos).into(),
        ToolInput::ToolSearch(search) => {
            let query = word(search.query);
            query.strip_prefix("select:").unwrap_or(query).into()
        }
        ToolInput::WebFetch(fetch) => word(fetch.url).into(),
        ToolInput::WebSearch(search) => word(search.query).into(),
        ToolInput::Workflow(workflow) => about_workflow(workflow).into(),
        ToolInput::Server(server) => about_server(server).into(),
        ToolInput::Mcp(mcp) => fields::gist_of_json(mcp.input.as_json()).into(),
        ToolInput::Unparsed(text) => text.as_str().into(),
        ToolInput::Other(input) => fields::gist_of_json(input.as_json()).into(),
        // Tools without a line of their own: the file that the table names, or the most informative field.
        input => match input.path() {
            Some(named) => path(named.as_str()),
            None => input.record().map(fields::gist_of_record).unwrap_or_default().into(),
        },
    }
}

fn about_artifact(artifact: &ArtifactInput<'_>) -> String {
    let paths = list(artifact.file_paths.iter().map(|path| path.as_str()), ", ");
    let what = [artifact.title, artifact.file_path, artifact.url, artifact.label, artifact.scope].map(word);
    pair(first_of([word(artifact.action), "publish"]), " ", first_of(what.into_iter().chain([paths.as_str()])))
}

fn about_questions(asked: &AskUserQuestionInput<'_>) -> String {
    let all = asked.questions.iter().map(|asked| first_of([word(asked.question), word(asked.header)]));
    list(all.chain([word(asked.question)]), " · ")
}

fn about_plan(plan: &ExitPlanModeInput<'_>) -> String {
    let path = path(word(plan.plan_file_path));
    preview(first_of([title(word(plan.plan)), &path])).into()
}

fn about_search(grep: &GrepInput<'_>) -> String {
    let files = pair(word(grep.glob), ", ", word(grep.file_type));
    let files = if files.is_empty() { files } else { format!("({files})") };
    let pattern = format!("\"{}\"", preview(word(grep.pattern)));
    pair(&pair(&pattern, " in ", &path(word(grep.path))), " ", &files)
}

fn about_symbol(lsp: &LspInput<'_>) -> String {
    let line = lsp.line.map_or_else(String::new, |line| line.to_string());
    let place = pair(&path(word(lsp.file_path)), ":", &line);
    pair(word(lsp.operation), " ", first_of([word(lsp.query), &place]))
}

fn about_monitor(monitor: &MonitorInput<'_>) -> String {
    let socket = monitor.socket.as_ref().map_or("", |socket| word(socket.url));
    preview(first_of([word(monitor.description), word(monitor.command), socket])).into()
}

fn about_file(read: &ReadInput<'_>) -> String {
    let part = match (read.pages, read.offset, read.limit) {
        (Some(pages), _, _) => format!("pages {pages}"),
        (None, Some(from), Some(limit)) => format!("lines {from}–{}", from.saturating_add(limit).saturating_sub(1)),
        (None, Some(from), None) => format!("from line {from}"),
        (None, None, Some(limit)) => format!("first {}", counted(limit, "line")),
        (None, None, None) => String::new(),
    };
    pair(&path(first_of([word(read.file_path), word(read.relative_path)])), ", ", &part)
}

fn about_findings(report: &ReportFindingsInput<'_>) -> String {
    let first = report.findings.first().map_or("", |first| first_of([word(first.short_summary), word(first.summary)]));
    pair(&counted(report.findings.len(), "finding"), ": ", first)
}

fn about_wakeup(wakeup: &ScheduleWakeupInput<'_>) -> String {
    if wakeup.stop == Some(true) {
        return pair("stop", ": ", word(wakeup.reason));
    }
    let delay = wakeup.delay_seconds.map_or_else(String::new, |delay| format!("in {}", seconds(delay)));
    pair(&delay, ": ", first_of([word(wakeup.reason), word(wakeup.prompt)]))
}

fn about_message(message: &SendMessageInput<'_>) -> String {
    let scratch = Scratch::default();
    let kind = spaced(message.kind.map_or("", |kind| kind.as_str()));
    let body = message.message.map_or_else(String::new, |message| {
        message.as_text(&scratch).map_or_else(|| fields::gist_of_json(message.as_json()), |text| preview(&text).into())
    });
    pair(word(message.to), ": ", first_of([word(message.summary), &body, &kind]))
}

/// What an update changes.
fn about_update(update: &TaskUpdateInput<'_>, has_status: bool) -> String {
    let status = spaced(update.status.filter(|_| !has_status).map_or("", TaskStatus::as_str));
    let with = |role: &str, value: &str| if value.is_empty() { String::new() } else { format!("{role} {value}") };
    let tasks = |ids: &[Text<'_>]| list(ids.iter().map(|id| id.as_str()), ", ");
    let others = [
        with("for", word(update.owner)),
        with("blocked by", &tasks(&update.add_blocked_by)),
        with("blocks", &tasks(&update.add_blocks)),
    ];
    let texts = [&status, word(update.subject), word(update.description)];
    first_of(texts.into_iter().chain(others.iter().map(String::as_str))).to_owned()
}

/// The id of a task on the list.
fn numbered(id: &str) -> String {
    if id.is_empty() { String::new() } else { format!("#{id}") }
}

/// The progress of a list.
pub(super) fn progress(todos: &[Todo<'_>]) -> String {
    let done = todos.iter().filter(|todo| todo.status == Some(TaskStatus::Completed)).count();
    done_of(done, todos.len())
}

pub(super) fn done_of(done: usize, all: usize) -> String {
    if all == 0 { "no tasks".to_owned() } else { format!("{done} of {all} done") }
}

fn about_workflow(workflow: &WorkflowInput<'_>) -> String {
    let path = path(word(workflow.script_path));
    let name = first_of([word(workflow.title), word(workflow.name)]);
    pair(name, ": ", first_of([word(workflow.description), &path, word(workflow.script)]))
}

fn about_server(server: &ServerInput<'_>) -> String {
    let what = [server.query, server.pattern, server.url, server.code].map(word);
    first_of(what.into_iter().chain([pair(word(server.command), " ", word(server.path)).as_str()])).to_owned()
}
