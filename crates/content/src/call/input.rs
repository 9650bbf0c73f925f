//! The inputs of tools, with one row for each tool.
//!
//! The match is exhaustive: a new tool does not compile without its row. A row names the fields that are more than
//! short facts; all other fields are facts by default, so no field is left out.

use std::borrow::Cow;

use format::fields::Fields;
use format::tool::{
    AskUserQuestionInput, EditInput, ExitPlanModeInput, Finding, MultiEditInput, NotebookEditInput, ServerInput,
    ShellInput, SkillProposal, ToolInput, WriteInput,
};
use story::Detail;

use super::{cell, question, task};
use crate::pen::{Form, Pen, first_of, word};
use crate::section::{Body, File};

/// The sections of an input.
pub(crate) fn input<'e>(input: &'e ToolInput<'e>, pen: &mut Pen<'_, 'e>) {
    match input {
        ToolInput::Agent(asked) => pen.record(&**asked, &[("prompt", Form::Prose)]),
        ToolInput::Artifact(asked) => pen.record(&**asked, &[("prompt", Form::Prose)]),
        ToolInput::AskUserQuestion(asked) => questions(asked, pen),
        ToolInput::Bash(asked) => shell(asked, "bash", pen),
        ToolInput::PowerShell(asked) => shell(asked, "powershell", pen),
        ToolInput::CronCreate(asked) => pen.record(&**asked, &[("prompt", Form::Prose)]),
        ToolInput::Edit(asked) => edit(asked, pen),
        ToolInput::ExitPlanMode(asked) => plan(asked, pen),
        ToolInput::Monitor(asked) => pen.record(&**asked, &[("command", Form::Code("bash"))]),
        ToolInput::MultiEdit(asked) => edits(asked, pen),
        ToolInput::NotebookEdit(asked) => notebook(asked, pen),
        ToolInput::Projects(asked) => {
            pen.record(&**asked, &[("content", Form::Elsewhere)]);
            file(word(asked.path), asked.content, pen);
        }
        ToolInput::ProposeSkills(asked) => proposals(&asked.proposals, pen),
        ToolInput::PushNotification(asked) => pen.record(&**asked, &[("message", Form::Reply)]),
        ToolInput::ReportFindings(asked) => {
            pen.record(&**asked, &[("findings", Form::Elsewhere)]);
            findings(&asked.findings, pen);
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
        ToolInput::Server(asked) => server(asked, pen),
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
        ToolInput::Write(asked) => write(asked, pen),
        ToolInput::Mcp(asked) => pen.json("asked", Form::Words, asked.input),
        ToolInput::Other(json) => pen.json("asked", Form::Words, *json),
        ToolInput::Unparsed(text) => pen.output("what the model wrote is no JSON", text.as_str()),

        // Tools with facts only.
        ToolInput::BashOutput(asked) => facts(&**asked, pen),
        ToolInput::ClaudeDesign(asked) => facts(&**asked, pen),
        ToolInput::CronDelete(asked) => facts(&**asked, pen),
        ToolInput::EnterWorktree(asked) => facts(&**asked, pen),
        ToolInput::ExitWorktree(asked) => facts(&**asked, pen),
        ToolInput::Glob(asked) => facts(&**asked, pen),
        ToolInput::Grep(asked) => facts(&**asked, pen),
        ToolInput::ListDirectory(asked) => facts(&**asked, pen),
        ToolInput::ListMcpResources(asked) | ToolInput::RefreshMcpTools(asked) => facts(&**asked, pen),
        ToolInput::Lsp(asked) => pen.record(&**asked, &[("line", Form::Detail)]),
        ToolInput::NotebookRead(asked) => facts(&**asked, pen),
        ToolInput::ProposeGoal(asked) => facts(&**asked, pen),
        // The line of the call shows the range of lines.
        ToolInput::Read(asked) => pen.record(&**asked, &[("offset", Form::Detail), ("limit", Form::Detail)]),
        ToolInput::ReadMcpResource(asked) | ToolInput::ReadMcpResourceDir(asked) => facts(&**asked, pen),
        ToolInput::RemoteTrigger(asked) => facts(&**asked, pen),
        ToolInput::SlashCommand(asked) => pen.record(&**asked, &[("command", Form::Code(""))]),
        ToolInput::TaskGet(asked) => facts(&**asked, pen),
        ToolInput::TaskOutput(asked) => facts(&**asked, pen),
        ToolInput::TaskStop(asked) => facts(&**asked, pen),
        ToolInput::TeamCreate(asked) => facts(&**asked, pen),
        ToolInput::ToolSearch(asked) => facts(&**asked, pen),
        ToolInput::WebSearch(asked) => facts(&**asked, pen),
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
        | ToolInput::TodoRead(asked) => facts(&**asked, pen),
    }
}

fn facts<'e>(record: &'e impl Fields, pen: &mut Pen<'_, 'e>) {
    pen.record(record, &[]);
}

fn shell<'e>(asked: &'e ShellInput<'e>, language: &'static str, pen: &mut Pen<'_, 'e>) {
    pen.record(asked, &[("command", Form::Code(language))]);
}

/// The new content of a file, if there is any.
fn file<'e>(path: &'e str, content: Option<format::Text<'e>>, pen: &mut Pen<'_, 'e>) {
    let Some(content) = content else { return };
    let text = Cow::Borrowed(content.as_str());
    pen.put("", Body::File(File { path, first_line: None, lines: None, total_lines: None, text }));
}

fn write<'e>(asked: &'e WriteInput<'e>, pen: &mut Pen<'_, 'e>) {
    pen.record(asked, &[("content", Form::Elsewhere)]);
    file(word(asked.file_path), asked.content, pen);
}

fn edit<'e>(asked: &'e EditInput<'e>, pen: &mut Pen<'_, 'e>) {
    pen.record(asked, &[("old_string", Form::Elsewhere), ("new_string", Form::Elsewhere)]);
    let path = word(asked.file_path);
    super::file::replacement(path, asked.old_string, asked.new_string, pen);
}

fn edits<'e>(asked: &'e MultiEditInput<'e>, pen: &mut Pen<'_, 'e>) {
    pen.record(asked, &[("edits", Form::Elsewhere)]);
    super::file::replacements(word(asked.file_path), &asked.edits, pen);
}

fn notebook<'e>(asked: &'e NotebookEditInput<'e>, pen: &mut Pen<'_, 'e>) {
    pen.record(asked, &[("new_source", Form::Elsewhere)]);
    cell::source(word(asked.new_source), word(asked.cell_type), "", pen);
}

/// A plan, and the actions that it permits without asking.
fn plan<'e>(asked: &'e ExitPlanModeInput<'e>, pen: &mut Pen<'_, 'e>) {
    pen.record(asked, &[("plan", Form::Elsewhere), ("allowedPrompts", Form::Elsewhere)]);
    pen.at(Detail::Talk).put_text("", Form::Plan, word(asked.plan));
    for allowed in &asked.allowed_prompts {
        let words = format!("{}: {}", word(allowed.tool), word(allowed.prompt));
        pen.put_text("allowedPrompts", Form::Item, words);
    }
}

/// Questions, with their answers if the program has added them.
fn questions<'e>(asked: &'e AskUserQuestionInput<'e>, pen: &mut Pen<'_, 'e>) {
    pen.record(
        asked,
        &[
            ("questions", Form::Elsewhere),
            ("question", Form::Elsewhere),
            ("answers", Form::Elsewhere),
            ("annotations", Form::Elsewhere),
        ],
    );
    pen.at(Detail::Talk).prose("", word(asked.question));
    question::all(&asked.questions, &asked.answers, &asked.annotations, pen);
}

fn proposals<'e>(proposals: &'e [SkillProposal<'e>], pen: &mut Pen<'_, 'e>) {
    pen.records("proposal", proposals, &[("evidence", Form::Item), ("skillMd", Form::Code("markdown"))]);
}

/// The findings of a review.
pub(super) fn findings<'e>(findings: &'e [Finding<'e>], pen: &mut Pen<'_, 'e>) {
    for finding in findings {
        let is_short = finding.short_summary.is_some();
        let title = first_of([word(finding.short_summary), word(finding.summary)]);
        pen.put("finding", Body::Group(Cow::Borrowed(title)));
        pen.record(
            finding,
            &[
                ("short_summary", Form::Elsewhere),
                ("summary", if is_short { Form::Prose } else { Form::Elsewhere }),
                ("failure_scenario", Form::Prose),
            ],
        );
    }
}

/// The input of a tool that runs at the API.
fn server<'e>(asked: &'e ServerInput<'e>, pen: &mut Pen<'_, 'e>) {
    // A tool that edits files has commands such as `view`.
    let command = if asked.path.is_some() { Form::Fact } else { Form::Code("bash") };
    pen.record(
        asked,
        &[
            ("command", command),
            ("code", Form::Code("python")),
            ("file_text", Form::Elsewhere),
            ("old_str", Form::Elsewhere),
            ("new_str", Form::Elsewhere),
        ],
    );
    let path = word(asked.path);
    file(path, asked.file_text, pen);
    if asked.old_str.is_some() || asked.new_str.is_some() {
        super::file::replacement(path, asked.old_str, asked.new_str, pen);
    }
}
