//! What each tool shows: two tables, one for inputs and one for results, with a row for each tool.
//!
//! Both are exhaustive, so a new tool does not compile without its rows. A row names the fields that are more than short
//! facts, and their form; all other fields are facts, so no field is left out. Fields that repeat the call have the
//! highest level of detail. Forms that need more than a table are in [`input`](super::input) and
//! [`result`](super::result).

use format::tool::{McpResult, ToolInput, ToolResult};
use story::Detail;

use super::{cell, failure, file, input, question, result, task};
use crate::block;
use crate::pen::{Form, Pen, word};
use crate::section::Body;

/// The sections of an input.
pub(super) fn asked<'e>(input: &'e ToolInput<'e>, pen: &mut Pen<'_, 'e>) {
    match input {
        ToolInput::Agent(asked) => pen.record(&**asked, &[("prompt", Form::Prose)]),
        ToolInput::Artifact(asked) => pen.record(&**asked, &[("prompt", Form::Prose)]),
        ToolInput::AskUserQuestion(asked) => input::questions(asked, pen),
        ToolInput::Bash(asked) => input::shell(asked, "bash", pen),
        ToolInput::PowerShell(asked) => input::shell(asked, "powershell", pen),
        ToolInput::CronCreate(asked) => pen.record(&**asked, &[("prompt", Form::Prose)]),
        ToolInput::Edit(asked) => input::edit(asked, pen),
        ToolInput::ExitPlanMode(asked) => input::plan(asked, pen),
        ToolInput::Monitor(asked) => pen.record(&**asked, &[("command", Form::Code("bash"))]),
        ToolInput::MultiEdit(asked) => input::edits(asked, pen),
        ToolInput::NotebookEdit(asked) => input::notebook(asked, pen),
        ToolInput::Projects(asked) => {
            pen.record(&**asked, &[("content", Form::Elsewhere)]);
            input::file(word(asked.path), asked.content, pen);
        }
        ToolInput::ProposeSkills(asked) => input::proposals(&asked.proposals, pen),
        ToolInput::PushNotification(asked) => pen.record(&**asked, &[("message", Form::Reply)]),
        ToolInput::Repl(asked) => pen.record(&**asked, &[("code", Form::Code("javascript"))]),
        ToolInput::ReportFindings(asked) => {
            pen.record(&**asked, &[("findings", Form::Elsewhere)]);
            input::findings(&asked.findings, pen);
        }
        ToolInput::ScheduleWakeup(asked) => pen.record(&**asked, &[("prompt", Form::Prose)]),
        ToolInput::SendFeedback(asked) => pen.record(&**asked, &[("details", Form::Prose)]),
        ToolInput::SendMessage(asked) => pen.record(&**asked, &[("message", Form::Prose)]),
        ToolInput::SendUserFile(asked) => {
            pen.record(&**asked, &[("files", Form::Elsewhere)]);
            pen.put("files", Body::Paths(&asked.files));
        }
        // In brief mode, the model speaks through this tool.
        ToolInput::SendUserMessage(asked) => {
            pen.record(&**asked, &[("message", Form::Reply), ("attachments", Form::Elsewhere)]);
            if !asked.attachments.is_empty() {
                pen.put("attachments", Body::Paths(&asked.attachments));
            }
        }
        ToolInput::Server(asked) => input::server(asked, pen),
        ToolInput::Skill(asked) => pen.record(&**asked, &[("args", Form::Prose)]),
        ToolInput::SubagentHandback(asked) => pen.record(&**asked, &[("message", Form::Prose)]),
        ToolInput::TaskCreate(asked) => {
            pen.record(&**asked, &[("description", Form::Prose)]);
        }
        ToolInput::TaskUpdate(asked) => {
            pen.record(&**asked, &[("description", Form::Prose)]);
        }
        ToolInput::TodoWrite(asked) => task::todos(&asked.todos, pen),
        ToolInput::WebFetch(asked) => pen.record(&**asked, &[("prompt", Form::Prose)]),
        ToolInput::Workflow(asked) => pen.record(&**asked, &[("script", Form::Code("javascript"))]),
        ToolInput::Write(asked) => input::write(asked, pen),
        ToolInput::Mcp(asked) => pen.json("asked", Form::Words, asked.input),
        ToolInput::Other(json) => pen.json("asked", Form::Words, *json),
        ToolInput::Unparsed(text) => pen.output("what the model wrote is no JSON", text.as_str()),

        // Tools with facts only.
        ToolInput::BashOutput(asked) => pen.record(&**asked, &[]),
        ToolInput::ClaudeDesign(asked) => pen.record(&**asked, &[]),
        ToolInput::CronDelete(asked) => pen.record(&**asked, &[]),
        ToolInput::EnterWorktree(asked) => pen.record(&**asked, &[]),
        ToolInput::ExitWorktree(asked) => pen.record(&**asked, &[]),
        ToolInput::Glob(asked) => pen.record(&**asked, &[]),
        ToolInput::Grep(asked) => pen.record(&**asked, &[]),
        ToolInput::ListDirectory(asked) => pen.record(&**asked, &[]),
        ToolInput::ListMcpResources(asked) | ToolInput::RefreshMcpTools(asked) => pen.record(&**asked, &[]),
        ToolInput::Lsp(asked) => pen.record(&**asked, &[("line", Form::Detail)]),
        ToolInput::NotebookRead(asked) => pen.record(&**asked, &[]),
        ToolInput::SetGoal(asked) => pen.record(&**asked, &[]),
        // The line of the call shows the range of lines.
        ToolInput::Read(asked) => pen.record(&**asked, &[("offset", Form::Detail), ("limit", Form::Detail)]),
        ToolInput::ReadMcpResource(asked) | ToolInput::ReadMcpResourceDir(asked) => pen.record(&**asked, &[]),
        ToolInput::RemoteTrigger(asked) => pen.record(&**asked, &[]),
        ToolInput::SlashCommand(asked) => pen.record(&**asked, &[("command", Form::Code(""))]),
        ToolInput::TaskGet(asked) => pen.record(&**asked, &[]),
        ToolInput::TaskOutput(asked) => pen.record(&**asked, &[]),
        ToolInput::TaskStop(asked) => pen.record(&**asked, &[]),
        ToolInput::TeamCreate(asked) => pen.record(&**asked, &[]),
        ToolInput::ToolSearch(asked) => pen.record(&**asked, &[]),
        ToolInput::WebSearch(asked) => pen.record(&**asked, &[]),
        ToolInput::EndConversation(asked)
        | ToolInput::ListAgents(asked)
        | ToolInput::OfferChromeSetup(asked)
        | ToolInput::ShareOnboardingGuide(asked)
        | ToolInput::StructuredOutput(asked)
        | ToolInput::TeamDelete(asked)
        | ToolInput::WaitForMcpServers(asked) => pen.open(&**asked, &[]),
        ToolInput::CronList(asked)
        | ToolInput::EnterPlanMode(asked)
        | ToolInput::ReadNotifications(asked)
        | ToolInput::ShowOnboardingRolePicker(asked)
        | ToolInput::TaskList(asked)
        | ToolInput::TodoRead(asked) => pen.record(&**asked, &[]),
    }
}

/// The sections of a result.
#[expect(clippy::too_many_lines, reason = "a table: one row for each kind")]
pub(super) fn given<'e>(result: &'e ToolResult<'e>, pen: &mut Pen<'_, 'e>) {
    match result {
        ToolResult::Agent(given) => result::agent(given, pen),
        ToolResult::Artifact(given) => {
            pen.record(&**given, &[("read", Form::Elsewhere)]);
            if let Some(read) = given.read.as_deref() {
                pen.within("read").record(read, &[("result", Form::Prose)]);
            }
        }
        ToolResult::AskUserQuestion(given) => question::answered(&[], given, pen),
        ToolResult::Bash(given) | ToolResult::PowerShell(given) => result::shell(given, pen),
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
        ToolResult::Glob(given) => result::globbed(given, pen),
        ToolResult::Grep(given) => result::grepped(given, pen),
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
        ToolResult::Projects(given) => result::project(given, pen),
        ToolResult::Read(given) => file::read(given, pen),
        ToolResult::ReadMcpResource(given) => result::resource(given, pen),
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
            input::findings(&given.findings, &mut pen.at(Detail::Raw));
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
        ToolResult::TaskOutput(given) => result::task_output(given, pen),
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
        ToolResult::WebSearch(given) => result::searched(given, pen),
        ToolResult::Workflow(given) => pen.record(&**given, &[]),
        ToolResult::Write(given) => file::written(given, pen),

        // Tools with facts only.
        ToolResult::EnterPlanMode(given) => pen.record(&**given, &[]),
        ToolResult::EnterWorktree(given) => pen.record(&**given, &[]),
        ToolResult::ExitWorktree(given) => pen.record(&**given, &[]),
        ToolResult::Monitor(given) => pen.record(&**given, &[]),
        ToolResult::OfferChromeSetup(given) => pen.record(&**given, &[]),
        ToolResult::SetGoal(given) => pen.record(&**given, &[]),
        ToolResult::ProposeSkills(given) => pen.record(&**given, &[]),
        ToolResult::PushNotification(given) => pen.record(&**given, &[]),
        ToolResult::RefreshMcpTools(given) => pen.record(&**given, &[]),
        ToolResult::ScheduleWakeup(given) => pen.record(&**given, &[]),
        ToolResult::SendFeedback(given) => pen.record(&**given, &[]),
        ToolResult::ShowOnboardingRolePicker(given) => pen.record(&**given, &[]),
        ToolResult::TeamCreate(given) => pen.record(&**given, &[]),
        ToolResult::TeamDelete(given) => pen.record(&**given, &[]),
        ToolResult::EndConversation(given)
        | ToolResult::Repl(given)
        | ToolResult::ShareOnboardingGuide(given)
        | ToolResult::StructuredOutput(given)
        | ToolResult::SubagentHandback(given)
        | ToolResult::WaitForMcpServers(given) => pen.open(&**given, &[("text", Form::Output)]),

        ToolResult::Mcp(McpResult::Content(given)) | ToolResult::Plain(given) => block::content(given, pen),
        ToolResult::Mcp(McpResult::Value(json)) | ToolResult::Other(json) => pen.json("", Form::Output, *json),
        ToolResult::Failed(given) => failure::failure(given, pen),
        ToolResult::Detached => pen.notice("runs in the background"),
        ToolResult::Cleared => pen.notice("the result was cleared from the context"),
        ToolResult::Persisted(output) => result::persisted(*output, pen),
        ToolResult::Nothing => {}
    }
}
