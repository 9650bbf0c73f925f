//! The outcome of a call.

use format::Text;
use format::block::{Block, Content, ToolResultBlock};
use format::entry::User;
use format::id::AgentId;
use format::tool::{
    AgentResult, AgentStatus, ArtifactResult, AskUserQuestionResult, ClaudeDesignResult, Dimensions, EditResult,
    ExitPlanModeResult, Found, GlobResult, GrepMode, GrepResult, ListedTask, LspResult, McpResult, NotebookEditResult,
    ProjectsResult, PushNotificationResult, ReadResult, RefreshedServer, RemoteTriggerResult, ScheduleWakeupResult,
    SendMessageResult, SkillResult, TaskStatus, TaskStopResult, TaskUpdateResult, TextFile, ToolResult, TypedResult,
    WebFetchResult, WebSearchResult, WorkflowResult, WriteKind, WriteResult,
};

use super::fields::{self, gist_of_text};
use super::phrase::{counted, first_of, gist, line_count, list, pair, prose, seconds, sized, spaced, task, word};
use super::subject::{done_of, progress};
use super::{Outcome, change, failure, shell};
use crate::preview::{preview, shortened};
use crate::step::{CallState, Severity};

/// The outcome of a call.
///
/// `tool` is the name it was called by, `read` its result; `block` and `user` contain that result.
pub(crate) fn outcome(
    tool: Option<&str>,
    read: &TypedResult<'_>,
    block: Option<&ToolResultBlock<'_>>,
    user: Option<&User<'_>>,
) -> Outcome {
    match &read.result {
        ToolResult::Agent(result) => agent(result),
        ToolResult::Artifact(result) => artifact(result),
        ToolResult::AskUserQuestion(result) => answers(result),
        ToolResult::Bash(result) | ToolResult::PowerShell(result) => shell::command(result),
        ToolResult::BashOutput(result) => shell::shell_output(result),
        ToolResult::ClaudeDesign(result) => design(result),
        ToolResult::CronCreate(job) => Outcome::done(pair(word(job.human_schedule), ", as ", word(job.id))),
        ToolResult::CronDelete(_) => Outcome::done("cancelled"),
        ToolResult::CronList(result) => Outcome::done(counted(result.jobs.len(), "scheduled prompt")),
        ToolResult::Edit(result) => edit(result),
        ToolResult::EnterWorktree(result) => {
            Outcome::done(first_of([word(result.worktree_path), word(result.worktree_branch), word(result.message)]))
        }
        ToolResult::ExitPlanMode(result) => plan(result),
        ToolResult::Glob(result) => files(result),
        ToolResult::Grep(result) => matches(result),
        ToolResult::ListAgents(result) => Outcome::done(gist(word(result.listing))),
        ToolResult::ListMcpResources(result) | ToolResult::ReadMcpResourceDir(result) => {
            by_error(word(result.error), &counted(result.resources.len(), "resource"))
        }
        ToolResult::ListDirectory(result) => Outcome::done(counted(entries(word(result.tree)), "item")),
        ToolResult::Lsp(result) => symbols(result),
        ToolResult::Monitor(result) => Outcome::background(task(result.task_id)),
        ToolResult::MultiEdit(result) => {
            let change = change::of_patch(&result.patch).or_else(|| change::of_edits(&result.edits));
            Outcome::done(modified(result.user_modified)).changed(change)
        }
        ToolResult::NotebookEdit(result) => notebook(result),
        ToolResult::NotebookRead(result) => Outcome::done(counted(result.cells.len(), "cell")),
        ToolResult::OfferChromeSetup(result) => Outcome::done(word(result.outcome)),
        ToolResult::Projects(result) => project(result),
        ToolResult::ProposeSkills(result) => {
            Outcome::done(counted(result.proposal_count.unwrap_or_default(), "proposal"))
        }
        ToolResult::PushNotification(result) => notification(result),
        ToolResult::Read(result) => file(result),
        ToolResult::ReadMcpResource(result) => {
            let text = first_of(result.contents.iter().flat_map(|part| [word(part.text), word(part.blob_saved_to)]));
            by_error(word(result.error), &gist(text))
        }
        ToolResult::ReadNotifications(result) => Outcome::done(counted(result.notifications.len(), "notification")),
        ToolResult::RefreshMcpTools(result) => {
            let servers: Vec<_> = result.servers.iter().map(refreshed).collect();
            Outcome::done(list(servers.iter().map(String::as_str), ", "))
        }
        ToolResult::RemoteTrigger(result) => trigger(result),
        ToolResult::ReportFindings(result) => {
            let number = result.count.or_else(|| i64::try_from(result.findings.len()).ok());
            Outcome::done(counted(number.unwrap_or_default(), "finding"))
        }
        ToolResult::ScheduleWakeup(result) => wakeup(result),
        ToolResult::SendFeedback(result) => Outcome::by_success(result.success, word(result.message)),
        ToolResult::SendMessage(result) => message(result),
        ToolResult::SendUserFile(result) => Outcome::done(counted(result.attachments.len(), "file")),
        ToolResult::ShowOnboardingRolePicker(result) => {
            Outcome::done(if result.dismissed == Some(true) { "dismissed" } else { word(result.role) })
        }
        ToolResult::Skill(result) | ToolResult::SlashCommand(result) => skill(result),
        ToolResult::TaskCreate(result) => Outcome::done(result.task.as_ref().map(numbered).unwrap_or_default()),
        ToolResult::TaskGet(result) => Outcome::done(result.task.as_ref().map_or_else(|| "not found".into(), standing)),
        ToolResult::TaskList(result) => Outcome::done(standings(&result.tasks)),
        ToolResult::TaskOutput(result) => shell::task_output(result),
        ToolResult::TaskStop(result) => stopped(result),
        ToolResult::TaskUpdate(result) => task_update(result),
        ToolResult::TeamDelete(result) => Outcome::by_success(result.success, word(result.message)),
        ToolResult::TodoRead(result) => Outcome::done(progress(&result.todos)),
        // Their results only confirm the call.
        ToolResult::EnterPlanMode(_)
        | ToolResult::SetGoal(_)
        | ToolResult::SendUserMessage(_)
        | ToolResult::StructuredOutput(_)
        | ToolResult::TeamCreate(_)
        | ToolResult::TodoWrite(_) => Outcome::done(""),
        ToolResult::ToolSearch(result) => match result.matches.as_slice() {
            [] => Outcome::done("no tools found"),
            found => Outcome::done(list(found.iter().map(|name| name.as_str()), ", ")),
        },
        ToolResult::WebFetch(result) => page(result),
        ToolResult::WebSearch(result) => search(result),
        ToolResult::Workflow(result) => workflow(result),
        ToolResult::Write(result) => write(result),
        ToolResult::Mcp(McpResult::Content(given)) | ToolResult::Plain(given) => Outcome::done(content(given)),
        ToolResult::Mcp(McpResult::Value(json)) | ToolResult::Other(json) => {
            Outcome::done(fields::gist_of_json(json.as_json()))
        }
        ToolResult::Failed(result) => failure::outcome(tool, result, user),
        ToolResult::Detached => Outcome::background(""),
        ToolResult::Cleared => Outcome::done("cleared from the context"),
        ToolResult::Persisted(output) => {
            Outcome::done(shell::in_a_file(output.preview, output.size.unwrap_or_default()))
        }
        ToolResult::Nothing => {
            Outcome::done(block.and_then(|block| block.content.as_ref()).map(content).unwrap_or_default())
        }
        // Tools without a line of their own: the most informative field.
        result => Outcome::done(result.record().map(fields::gist_of_record).unwrap_or_default()),
    }
}

/// One line for any content.
fn content(content: &Content<'_>) -> String {
    let text = first_of(content.texts().map(Text::as_str));
    match content.blocks().iter().filter(|block| matches!(block, Block::Image(_))).count() {
        images if text.is_empty() && images > 0 => counted(images, "image"),
        _ => gist_of_text(text),
    }
}

fn by_error(error: &str, line: &str) -> Outcome {
    if error.is_empty() { Outcome::done(line) } else { Outcome::failed(error) }
}

/// The answer of a server; a refusal by the server is not a failure of the call.
fn by_status(status: Option<i64>, line: impl AsRef<str>) -> Outcome {
    if status.is_some_and(|status| status >= 400) { Outcome::warning(line) } else { Outcome::done(line) }
}

fn agent(agent: &AgentResult<'_>) -> Outcome {
    let ids = [agent.agent_id, agent.teammate_id].map(|id| id.map_or("", AgentId::as_str));
    let id = first_of(ids.into_iter().chain([task(agent.task_id)]));
    let answer = agent.content.as_ref().map_or("", |answer| first_of(answer.texts().map(Text::as_str)));
    let outcome = match agent.status {
        Some(AgentStatus::AsyncLaunched) => Outcome::background(""),
        Some(AgentStatus::RemoteLaunched) => {
            Outcome::new(CallState::Background, Severity::Normal, &pair("runs remotely", ": ", word(agent.session_url)))
        }
        Some(AgentStatus::TeammateSpawned) => {
            let line = pair(&pair("joined", " ", word(agent.team_name)), " as ", word(agent.name));
            Outcome::new(CallState::Background, Severity::Normal, &line)
        }
        Some(AgentStatus::Completed | AgentStatus::Forked | AgentStatus::Other(_)) | None
            if agent.was_interrupted == Some(true) =>
        {
            failure::interrupted(answer)
        }
        Some(AgentStatus::Completed | AgentStatus::Forked | AgentStatus::Other(_)) | None => {
            Outcome::done(prose(answer))
        }
    };
    outcome.measured(agent.total_duration_ms).of_agent(id)
}

fn skill(skill: &SkillResult<'_>) -> Outcome {
    let id = skill.agent_id.map_or("", AgentId::as_str);
    Outcome::by_success(skill.success, prose(word(skill.result))).of_agent(id)
}

fn message(sent: &SendMessageResult<'_>) -> Outcome {
    let target = sent.routing.as_ref().map_or("", |routing| word(routing.target));
    let target = first_of([word(sent.target), target]).trim_start_matches('@');
    Outcome::by_success(sent.success, word(sent.message)).of_agent(target)
}

fn workflow(workflow: &WorkflowResult<'_>) -> Outcome {
    let error = word(workflow.error);
    if !error.is_empty() && workflow.task_id.is_none() {
        return Outcome::failed(error);
    }
    Outcome::background(task(workflow.task_id))
}

fn artifact(artifact: &ArtifactResult<'_>) -> Outcome {
    if let Some(read) = artifact.read.as_deref() {
        return by_status(read.code, prose(word(read.result))).measured(read.duration_ms);
    }
    if let Some(watch) = artifact.watch.as_deref().filter(|watch| watch.watching == Some(true)) {
        return Outcome::background(task(watch.task_id));
    }
    if artifact.unchanged == Some(true) {
        return Outcome::done("unchanged");
    }
    let assets = artifact.asset_list.as_deref().or(artifact.asset_uploads.as_deref());
    let asset = [&artifact.asset_upload, &artifact.asset_read, &artifact.asset_delete].into_iter().flatten().next();
    let line = match (assets, asset, artifact.pin.as_ref()) {
        (Some(list), _, _) => counted(list.assets.len(), "asset"),
        (None, Some(asset), _) => first_of([word(asset.file_name), word(asset.path), word(asset.id)]).to_owned(),
        (None, None, Some(pin)) => if pin.pinned == Some(false) { "unpinned" } else { "pinned" }.to_owned(),
        (None, None, None) if !artifact.artifacts.is_empty() => counted(artifact.artifacts.len(), "artifact"),
        (None, None, None) => word(artifact.url).to_owned(),
    };
    Outcome::done(line)
}

/// Each question with its answer.
fn answers(asked: &AskUserQuestionResult<'_>) -> Outcome {
    let name = |question: &str| short_question(asked, question);
    let mut line: Vec<_> = asked.answers.iter().map(|(question, answer)| pair(&name(question), " ", answer)).collect();
    for (question, annotation) in asked.annotations.iter() {
        if let Some(unanswered) = annotation.unanswered {
            line.push(pair(&name(question), " ", &format!("({})", spaced(&unanswered))));
        }
    }
    if let Some(response) = asked.response {
        line.push(preview(&response).into());
    }
    if line.is_empty() && asked.afk_timeout_ms.is_some() {
        return Outcome::warning("no answer: the user was away");
    }
    Outcome::done(list(line.iter().map(String::as_str), " · "))
}

/// A question short enough to leave room for its answer: itself, or its header and a colon.
fn short_question(asked: &AskUserQuestionResult<'_>, question: &str) -> String {
    const LONGEST: usize = 40;
    let header =
        asked.questions.iter().find(|asked| word(asked.question) == question).map_or("", |asked| word(asked.header));
    match question.chars().count() {
        0..=LONGEST => question.to_owned(),
        _ if header.is_empty() => shortened(question, LONGEST).into(),
        _ if header.ends_with('?') => header.to_owned(),
        _ => format!("{header}:"),
    }
}

fn plan(plan: &ExitPlanModeResult<'_>) -> Outcome {
    Outcome::done(match (plan.awaiting_leader_approval, plan.plan_was_edited) {
        (Some(true), _) => "waits for the leader's approval",
        (_, Some(true)) => "approved, edited by the user",
        _ => "approved",
    })
}

fn edit(edit: &EditResult<'_>) -> Outcome {
    Outcome::done(modified(edit.user_modified)).changed(change::of_edit(edit))
}

fn modified(by_user: Option<bool>) -> &'static str {
    if by_user == Some(true) { "changed by the user" } else { "" }
}

fn write(write: &WriteResult<'_>) -> Outcome {
    let change = change::of_write(write);
    let kind = match write.kind {
        Some(WriteKind::Create) => "created",
        Some(WriteKind::Update) if change.is_none() && write.original_file.is_some() => "unchanged",
        Some(WriteKind::Update) if change.is_none() => "updated",
        Some(WriteKind::Update | WriteKind::Other(_)) | None => "",
    };
    Outcome::done(pair(kind, ", ", modified(write.user_modified))).changed(change)
}

fn notebook(edit: &NotebookEditResult<'_>) -> Outcome {
    let line = match word(edit.edit_mode) {
        "insert" => "cell inserted",
        "delete" => "cell deleted",
        _ => "",
    };
    by_error(word(edit.error), line).changed(change::of_notebook(edit))
}

fn file(read: &ReadResult<'_>) -> Outcome {
    Outcome::done(match read {
        ReadResult::Text(text) => text.file.as_ref().map(lines).unwrap_or_default(),
        ReadResult::Image(image) => {
            let file = image.file.as_ref();
            let size = file.and_then(|file| file.dimensions.as_ref()).map(dimensions).unwrap_or_default();
            pair(&pair("an image", ", ", &size), ", ", &sized(file.and_then(|file| file.original_size)))
        }
        ReadResult::Notebook(notebook) => counted(notebook.file.as_ref().map_or(0, |file| file.cells.len()), "cell"),
        ReadResult::Pdf(pdf) => pair("a PDF", ", ", &sized(pdf.file.as_ref().and_then(|file| file.original_size))),
        ReadResult::Parts(parts) => {
            counted(parts.file.as_ref().and_then(|file| file.count).unwrap_or_default(), "page")
        }
        ReadResult::Unchanged(_) => {
            return Outcome::new(CallState::Done, Severity::Expected, "unchanged since the last read");
        }
        ReadResult::Unknown(unknown) => unknown.kind.as_str().to_owned(),
    })
}

/// How much of a file was read.
fn lines(file: &TextFile<'_>) -> String {
    let known = file.num_lines.or_else(|| i64::try_from(line_count(word(file.content))).ok()).unwrap_or_default();
    let read = counted(known, "line");
    match file.total_lines.filter(|total| *total > known) {
        Some(total) => format!("{read} of {}", human::thousands(total.unsigned_abs())),
        None => read,
    }
}

fn dimensions(size: &Dimensions) -> String {
    match (size.original_width, size.original_height) {
        (Some(width), Some(height)) => format!("{width} × {height}"),
        _ => String::new(),
    }
}

fn files(found: &GlobResult<'_>) -> Outcome {
    let number = found.num_files.or_else(|| i64::try_from(found.filenames.len()).ok()).unwrap_or_default();
    let more = match (found.timed_out, found.truncated) {
        (Some(true), _) => "timed out",
        (_, Some(true)) => "and more",
        _ => "",
    };
    Outcome::done(pair(&counted(number, "file"), ", ", more)).measured(found.duration_ms)
}

fn matches(found: &GrepResult<'_>) -> Outcome {
    let files = found.num_files.filter(|number| *number > 0).map(|number| counted(number, "file")).unwrap_or_default();
    let line = match found.mode {
        Some(GrepMode::Content) => {
            let number = found.num_lines.unwrap_or_default();
            // Without context every line is a match, but the input is not known here.
            pair(&if number == 0 { counted(0, "match") } else { counted(number, "line") }, " in ", &files)
        }
        Some(GrepMode::Count) => pair(&counted(found.num_matches.unwrap_or_default(), "match"), " in ", &files),
        Some(GrepMode::Files | GrepMode::Other(_)) | None => {
            let number = found.num_files.or_else(|| i64::try_from(found.filenames.len()).ok()).unwrap_or_default();
            counted(number, "file")
        }
    };
    let more = if found.timed_out == Some(true) { "timed out" } else { "" };
    Outcome::done(pair(&line, ", ", more)).measured(found.duration_ms)
}

/// The number of entries in a tree: one per line, except the root and the notes below it.
fn entries(tree: &str) -> usize {
    tree.lines().filter(|line| line.trim_start().starts_with("- ")).count().saturating_sub(1)
}

fn symbols(lsp: &LspResult<'_>) -> Outcome {
    let Some(number) = lsp.result_count else { return Outcome::done(gist(word(lsp.result))) };
    let files = lsp.file_count.filter(|number| *number > 0).map(|number| counted(number, "file")).unwrap_or_default();
    Outcome::done(pair(&counted(number, "result"), " in ", &files))
}

fn design(design: &ClaudeDesignResult<'_>) -> Outcome {
    let parts: Vec<_> = design.content.iter().map(|part| fields::gist_of_json(part.as_json())).collect();
    Outcome::by_success(design.is_error.map(|is_error| !is_error), list(parts.iter().map(String::as_str), " "))
}

fn project(project: &ProjectsResult<'_>) -> Outcome {
    let hits = if project.hits.is_empty() { String::new() } else { counted(project.hits.len(), "hit") };
    let texts = [project.notice, project.content, project.name, project.path].map(word);
    Outcome::done(first_of([hits.as_str()].into_iter().chain(texts)))
}

fn trigger(trigger: &RemoteTriggerResult<'_>) -> Outcome {
    let status = trigger.status.map_or_else(String::new, |status| format!("HTTP {status}"));
    by_status(trigger.status, pair(&status, ": ", word(trigger.summary)))
}

fn notification(sent: &PushNotificationResult<'_>) -> Outcome {
    let reason = word(sent.disabled_reason);
    Outcome::done(match (sent.push_sent, sent.local_sent) {
        (Some(true), _) | (_, Some(true)) => "sent".to_owned(),
        _ if !reason.is_empty() => pair("not sent", ": ", &spaced(reason)),
        _ => String::new(),
    })
}

fn refreshed(server: &RefreshedServer<'_>) -> String {
    let tools = server.tool_count.map(|number| counted(number, "tool")).unwrap_or_default();
    pair(word(server.server), ": ", first_of([word(server.error), &tools, &spaced(word(server.status))]))
}

fn wakeup(wakeup: &ScheduleWakeupResult<'_>) -> Outcome {
    if wakeup.stopped == Some(true) {
        return Outcome::done("stopped");
    }
    let delay = wakeup.clamped_delay_seconds.filter(|_| wakeup.was_clamped != Some(false));
    Outcome::done(delay.map_or_else(String::new, |delay| format!("in {}", seconds(delay))))
}

fn numbered(task: &ListedTask<'_>) -> String {
    task.id.map_or_else(String::new, |id| format!("#{id}"))
}

fn standing(task: &ListedTask<'_>) -> String {
    let status = spaced(task.status.map_or("", TaskStatus::as_str));
    pair(word(task.subject), ": ", &status)
}

/// The progress of a list.
fn standings(tasks: &[ListedTask<'_>]) -> String {
    let done = tasks.iter().filter(|task| task.status == Some(TaskStatus::Completed)).count();
    done_of(done, tasks.len())
}

fn task_update(update: &TaskUpdateResult<'_>) -> Outcome {
    let error = first_of([word(update.error), "not updated"]);
    if update.success == Some(false) {
        return Outcome::failed(error);
    }
    let words = |status: Option<TaskStatus<'_>>| spaced(status.map_or("", TaskStatus::as_str));
    let change = update.status_change.as_ref().map(|change| pair(&words(change.from), " → ", &words(change.to)));
    Outcome::done(change.unwrap_or_default())
}

fn stopped(stopped: &TaskStopResult<'_>) -> Outcome {
    // `Successfully killed shell: bash_1 (npm run dev)`
    let message = word(stopped.message);
    let command = message.split_once(" (").and_then(|(_, rest)| rest.strip_suffix(')')).unwrap_or(message);
    let command = first_of([word(stopped.command), command]);
    let status = if stopped.success == Some(false) { "" } else { "stopped" };
    Outcome::by_success(stopped.success, pair(status, ": ", command))
}

fn page(page: &WebFetchResult<'_>) -> Outcome {
    let status = page.code.filter(|code| *code >= 400).map_or_else(String::new, |code| code.to_string());
    let status = if status.is_empty() { status } else { pair(&status, " ", word(page.code_text)) };
    by_status(page.code, pair(&status, ": ", &prose(word(page.result)))).measured(page.duration_ms)
}

fn search(search: &WebSearchResult<'_>) -> Outcome {
    let number: usize = search
        .results
        .iter()
        .map(|found| match found {
            Found::Hits(hits) => hits.links.len(),
            Found::Comment(_) => 0,
        })
        .sum();
    let millis =
        search.duration_seconds.map(|seconds| std::time::Duration::try_from_secs_f64(seconds).unwrap_or_default());
    Outcome::done(counted(number, "result")).measured(millis.and_then(|time| i64::try_from(time.as_millis()).ok()))
}
