//! The results of tools, with one row for each tool.
//!
//! As for inputs, the match is exhaustive, and fields that a row does not name are facts. Fields that repeat the call
//! have the highest level of detail.

use std::borrow::Cow;

use format::text::PersistedOutput;
use format::tool::{
    AgentResult, Found, GlobResult, GrepResult, McpResult, ProjectsResult, ReadMcpResourceResult, ShellResult,
    TaskKind, TaskOutputResult, ToolResult, WebSearchResult,
};

use super::{cell, failure, file, input, question, task};
use crate::block;
use crate::pen::{Form, Pen, first_of, word};
use crate::section::{Body, File, Matches};

/// The sections of a result.
#[expect(clippy::too_many_lines, reason = "a table: one row for each kind")]
pub(crate) fn result<'e>(result: &'e ToolResult<'e>, pen: &mut Pen<'_, 'e>) {
    match result {
        ToolResult::Agent(given) => agent(given, pen),
        ToolResult::Artifact(given) => {
            pen.record(&**given, &[("read", Form::Elsewhere)]);
            if let Some(read) = given.read.as_deref() {
                pen.within("read").record(read, &[("result", Form::Prose)]);
            }
        }
        ToolResult::AskUserQuestion(given) => question::answered(&[], given, pen),
        ToolResult::Bash(given) | ToolResult::PowerShell(given) => shell(given, pen),
        ToolResult::BashOutput(given) => {
            pen.record(
                &**given,
                &[("command", Form::Code("bash")), ("stdout", Form::Output), ("stderr", Form::Output)],
            );
        }
        ToolResult::ClaudeDesign(given) => pen.record(&**given, &[("content", Form::Output)]),
        ToolResult::CronCreate(given) => pen.record(&**given, &[("prompt", Form::Detail), ("cron", Form::Detail)]),
        ToolResult::CronDelete(given) => {
            pen.notice("no longer scheduled");
            pen.record(&**given, &[]);
        }
        ToolResult::CronList(given) => {
            pen.records("job", &given.jobs, &[("prompt", Form::Prose)]);
            if given.jobs.is_empty() {
                pen.notice("nothing is scheduled");
            }
        }
        ToolResult::Edit(given) => file::edited(given, pen),
        ToolResult::ExitPlanMode(given) => question::approved(given, pen),
        ToolResult::Glob(given) => globbed(given, pen),
        ToolResult::Grep(given) => grepped(given, pen),
        ToolResult::ListAgents(given) => pen.record(&**given, &[("listing", Form::Output)]),
        ToolResult::ListMcpResources(given) | ToolResult::ReadMcpResourceDir(given) => {
            pen.record(&**given, &[("error", Form::Output)]);
            if given.resources.is_empty() {
                pen.notice("no resources");
            }
        }
        ToolResult::ListDirectory(given) => pen.record(&**given, &[("tree", Form::Output)]),
        ToolResult::Lsp(given) => pen.record(&**given, &[("result", Form::Output)]),
        ToolResult::MultiEdit(given) => file::all_edited(given, pen),
        ToolResult::NotebookEdit(given) => cell::edited(given, pen),
        ToolResult::NotebookRead(given) => cell::all(&given.cells, pen),
        ToolResult::Projects(given) => project(given, pen),
        ToolResult::Read(given) => file::read(given, pen),
        ToolResult::ReadMcpResource(given) => resource(given, pen),
        ToolResult::ReadNotifications(given) => {
            pen.record(&**given, &[("notifications", Form::Elsewhere)]);
            pen.records("notification", &given.notifications, &[("content", Form::Output)]);
            if given.notifications.is_empty() {
                pen.notice("no notifications");
            }
        }
        ToolResult::RemoteTrigger(given) => pen.record(&**given, &[("json", Form::Output)]),
        ToolResult::ReportFindings(given) => {
            pen.record(&**given, &[("findings", Form::Elsewhere)]);
            input::findings(&given.findings, &mut pen.at(story::Detail::Raw));
        }
        ToolResult::SendMessage(given) => {
            pen.record(&**given, &[("routing", Form::Elsewhere), ("display", Form::Detail)]);
            // The call shows everything else.
            given.routing.iter().for_each(|routing| pen.event(routing, &[("sender", Form::Fact)]));
        }
        ToolResult::SendUserFile(given) => pen.record(&**given, &[("caption", Form::Detail)]),
        ToolResult::SendUserMessage(given) => pen.record(&**given, &[]),
        ToolResult::Skill(given) | ToolResult::SlashCommand(given) => {
            pen.record(&**given, &[("result", Form::Prose)]);
        }
        ToolResult::TaskCreate(given) => task::created(given, pen),
        ToolResult::TaskGet(given) => task::got(given, pen),
        ToolResult::TaskList(given) => task::all(given, pen),
        ToolResult::TaskOutput(given) => task_output(given, pen),
        ToolResult::TaskStop(given) => pen.record(&**given, &[("command", Form::Code("bash"))]),
        ToolResult::TaskUpdate(given) => task::updated(given, pen),
        ToolResult::TodoRead(given) => task::todos(&given.todos, pen),
        ToolResult::TodoWrite(given) => task::todos_written(given, pen),
        ToolResult::ToolSearch(given) => {
            pen.record(&**given, &[("query", Form::Detail), ("matches", Form::Item)]);
            if given.matches.is_empty() {
                pen.notice("no tools found");
            }
        }
        ToolResult::WebFetch(given) => pen.record(&**given, &[("result", Form::Prose)]),
        ToolResult::WebSearch(given) => searched(given, pen),
        ToolResult::Workflow(given) => pen.record(&**given, &[]),
        ToolResult::Write(given) => file::written(given, pen),

        // Tools with facts only.
        ToolResult::EnterPlanMode(given) => pen.record(&**given, &[]),
        ToolResult::EnterWorktree(given) => pen.record(&**given, &[]),
        ToolResult::ExitWorktree(given) => pen.record(&**given, &[]),
        ToolResult::Monitor(given) => pen.record(&**given, &[]),
        ToolResult::OfferChromeSetup(given) => pen.record(&**given, &[]),
        ToolResult::ProposeGoal(given) => pen.record(&**given, &[]),
        ToolResult::ProposeSkills(given) => pen.record(&**given, &[]),
        ToolResult::PushNotification(given) => pen.record(&**given, &[]),
        ToolResult::RefreshMcpTools(given) => pen.record(&**given, &[]),
        ToolResult::ScheduleWakeup(given) => pen.record(&**given, &[]),
        ToolResult::SendFeedback(given) => pen.record(&**given, &[]),
        ToolResult::ShowOnboardingRolePicker(given) => pen.record(&**given, &[]),
        ToolResult::TeamCreate(given) => pen.record(&**given, &[]),
        ToolResult::TeamDelete(given) => pen.record(&**given, &[]),
        ToolResult::EndConversation(given)
        | ToolResult::ShareOnboardingGuide(given)
        | ToolResult::StructuredOutput(given)
        | ToolResult::SubagentHandback(given)
        | ToolResult::WaitForMcpServers(given) => pen.open(&**given, &[("text", Form::Output)]),

        ToolResult::Mcp(McpResult::Content(given)) | ToolResult::Plain(given) => block::content(given, pen),
        ToolResult::Mcp(McpResult::Value(json)) | ToolResult::Other(json) => pen.json("", Form::Output, *json),
        ToolResult::Failed(given) => failure::failure(given, pen),
        ToolResult::Detached => pen.notice("runs in the background"),
        ToolResult::Cleared => pen.notice("the result was cleared from the context"),
        ToolResult::Persisted(output) => persisted(*output, pen),
        ToolResult::Nothing => {}
    }
}

/// Output of which only the beginning is in the line.
pub(super) fn persisted<'e>(output: PersistedOutput<'e>, pen: &mut Pen<'_, 'e>) {
    pen.put_text("persistedOutputPath", Form::Fact, output.path.unwrap_or_default());
    pen.put_text("persistedOutputSize", Form::Fact, output.size.unwrap_or_default());
    pen.output("stdout", output.preview);
}

/// The answer of an agent, or its state while it works. The call shows its task.
fn agent<'e>(given: &'e AgentResult<'e>, pen: &mut Pen<'_, 'e>) {
    pen.record(
        given,
        &[
            ("content", Form::Elsewhere),
            ("wasInterrupted", Form::Elsewhere),
            ("prompt", Form::Detail),
            ("color", Form::Detail),
            ("tmux_session_name", Form::Detail),
            ("tmux_window_name", Form::Detail),
            ("tmux_pane_id", Form::Detail),
            ("is_splitpane", Form::Detail),
        ],
    );
    if given.was_interrupted == Some(true) {
        pen.human().notice("interrupted");
    }
    let Some(answer) = &given.content else { return };
    answer.texts().for_each(|text| pen.prose("answer", text.as_str()));
    block::others(answer, pen);
}

/// The output of a command, or a note that there is none.
fn shell<'e>(given: &'e ShellResult<'e>, pen: &mut Pen<'_, 'e>) {
    let (stdout, stderr) = (word(given.stdout), word(given.stderr));
    pen.record(
        given,
        &[
            // If the shell repeats one stream as the other, it is shown once.
            ("stderr", if stderr == stdout { Form::Elsewhere } else { Form::Output }),
            // The text for the model contains the image.
            ("stdout", if given.is_image == Some(true) { Form::Elsewhere } else { Form::Output }),
            ("isImage", Form::Detail),
            ("interrupted", Form::Elsewhere),
            ("noOutputExpected", Form::Detail),
            ("tokenSaverOutput", Form::Output),
        ],
    );
    let is_silent = stdout.trim().is_empty() && stderr.trim().is_empty();
    let is_over = given.background_task_id.is_none() && given.interrupted != Some(true);
    if given.interrupted == Some(true) {
        pen.human().notice("interrupted");
    }
    if is_silent && is_over && given.is_image != Some(true) {
        pen.notice("no output");
    }
}

/// The output of a background task. The output of an agent is its transcript; its answer is its result.
fn task_output<'e>(given: &'e TaskOutputResult<'e>, pen: &mut Pen<'_, 'e>) {
    pen.record(given, &[("task", Form::Elsewhere)]);
    let Some(task) = &given.task else { return };
    let is_agent = matches!(task.kind, Some(TaskKind::LocalAgent | TaskKind::RemoteAgent));
    let is_answer = is_agent && task.is_raw_transcript != Some(true);
    pen.record(
        task,
        &[
            ("prompt", Form::Prose),
            ("output", if is_answer { Form::Prose } else { Form::Output }),
            ("result", Form::Prose),
            ("error", Form::Output),
        ],
    );
}

fn globbed<'e>(found: &'e GlobResult<'e>, pen: &mut Pen<'_, 'e>) {
    // The list itself shows the number of files.
    pen.record(found, &[("filenames", Form::Elsewhere), ("numFiles", Form::Detail)]);
    if found.filenames.is_empty() {
        pen.notice("no files");
    } else {
        pen.put("", Body::Paths(&found.filenames));
    }
}

fn grepped<'e>(found: &'e GrepResult<'e>, pen: &mut Pen<'_, 'e>) {
    // The call shows the mode, and the list itself shows the number of matches.
    pen.record(
        found,
        &[
            ("filenames", Form::Elsewhere),
            ("content", Form::Elsewhere),
            ("mode", Form::Detail),
            ("numFiles", Form::Detail),
            ("numLines", Form::Detail),
        ],
    );
    let text = word(found.content);
    if !text.trim().is_empty() {
        pen.put("", Body::Matches(Matches { text, pattern: "", ignores_case: false }));
    }
    if !found.filenames.is_empty() {
        pen.put("", Body::Paths(&found.filenames));
    } else if text.trim().is_empty() {
        pen.notice("no matches");
    }
}

/// Web pages, and the comments of the model that searched.
fn searched<'e>(given: &'e WebSearchResult<'e>, pen: &mut Pen<'_, 'e>) {
    pen.record(given, &[("results", Form::Elsewhere), ("query", Form::Detail)]);
    for found in &given.results {
        match found {
            Found::Comment(words) => pen.prose("", words.as_str()),
            Found::Hits(hits) => {
                pen.event(hits, &[("content", Form::Elsewhere)]);
                for link in &hits.links {
                    pen.link(word(link.title), word(link.url), word(link.snippet));
                }
            }
        }
    }
    if given.results.is_empty() {
        pen.notice("nothing found");
    }
}

fn project<'e>(given: &'e ProjectsResult<'e>, pen: &mut Pen<'_, 'e>) {
    pen.record(given, &[("content", Form::Elsewhere), ("instructions", Form::Prose), ("hits", Form::Elsewhere)]);
    pen.records("hit", &given.hits, &[("text", Form::Output)]);
    if let Some(content) = given.content {
        let (path, text) = (word(given.path), Cow::Borrowed(content.as_str()));
        pen.put("", Body::File(File { path, first_line: None, lines: None, total_lines: None, text }));
    }
}

/// The content of a resource of an MCP server.
fn resource<'e>(given: &'e ReadMcpResourceResult<'e>, pen: &mut Pen<'_, 'e>) {
    pen.record(given, &[("contents", Form::Elsewhere), ("error", Form::Output)]);
    for part in &given.contents {
        pen.element("content", part, &[("text", Form::Output)]);
        let media_type = first_of([word(part.media_type), "application/octet-stream"]);
        part.blob.iter().for_each(|data| block::shown(media_type, data.as_str(), pen));
    }
}
