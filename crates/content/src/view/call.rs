//! What calls and results show, tool by tool.
//!
//! What a call is about stands in its line already; here is what a reader who
//! opens it wants to see: the command and what it printed, the file, the change.

use format::block::{Block, Content};
use format::tool::{
    AgentResult, Failure, Hunk, McpResult, ReadResult, ShellResult, TaskOutputResult, Todo, ToolInput, ToolResult,
};
use format::{Raw, Text};

use super::{CallParts, Image, Item, PatchHunk, Section, image_section, json_section};

fn text(text: Option<Text<'_>>) -> String {
    text.map_or("", Text::as_str).to_owned()
}

fn code(language: &str, code: String) -> Section {
    Section::Code { language: Some(language.to_owned()), path: None, first_line: 1, text: code }
}

fn file(path: Option<Text<'_>>, first_line: Option<i64>, content: Option<Text<'_>>) -> Section {
    let first_line = first_line.and_then(|line| usize::try_from(line).ok()).unwrap_or(1);
    Section::Code { language: None, path: path.map(|path| path.to_string()), first_line, text: text(content) }
}

/// What was asked, as far as the line of the call does not say it.
pub(super) fn input(parts: &CallParts<'_>) -> Vec<Section> {
    match (parts.input, parts.input_json) {
        (Some(input), _) => typed_input(input),
        (None, Some(json)) => vec![json_section(json.as_json())],
        (None, None) => parts.input_missing.map(missing).into_iter().collect(),
    }
}

fn missing(why: &str) -> Section {
    Section::Missing(why.to_owned())
}

fn typed_input(input: &ToolInput<'_>) -> Vec<Section> {
    match input {
        ToolInput::Bash(shell) => vec![code("bash", text(shell.command))],
        ToolInput::PowerShell(shell) => vec![code("powershell", text(shell.command))],
        ToolInput::Agent(agent) => vec![Section::Prose(text(agent.prompt))],
        ToolInput::Write(write) => vec![file(write.file_path, None, write.content)],
        ToolInput::Edit(edit) => vec![Section::Replacement {
            path: text(edit.file_path),
            old: text(edit.old_string),
            new: text(edit.new_string),
        }],
        ToolInput::MultiEdit(edits) => edits
            .edits
            .iter()
            .map(|edit| Section::Replacement {
                path: text(edits.file_path),
                old: text(edit.old_string),
                new: text(edit.new_string),
            })
            .collect(),
        ToolInput::NotebookEdit(edit) => vec![file(edit.notebook_path, None, edit.new_source)],
        ToolInput::ExitPlanMode(plan) => plan.plan.map(|plan| Section::Prose(plan.to_string())).into_iter().collect(),
        ToolInput::SendUserMessage(message) => vec![Section::Prose(text(message.message))],
        ToolInput::Unparsed(text) => vec![Section::Plain(text.to_string())],
        ToolInput::Mcp(mcp) => vec![json_section(mcp.input.as_json())],
        ToolInput::Other(json) => vec![json_section(json.as_json())],
        // All there is to say stands in the line of the call.
        _ => Vec::new(),
    }
}

/// What came of it.
pub(super) fn result(parts: &CallParts<'_>) -> Vec<Section> {
    match (parts.result, parts.result_json) {
        (Some(result), _) => typed_result(result, parts.content),
        (None, Some(json)) => vec![json_section(json.as_json())],
        (None, None) => parts.result_missing.map(missing).into_iter().collect(),
    }
}

fn typed_result(result: &ToolResult<'_>, content: Option<&Content<'_>>) -> Vec<Section> {
    match result {
        ToolResult::Bash(shell) | ToolResult::PowerShell(shell) => printed(shell),
        ToolResult::Edit(edit) if !edit.patch.is_empty() => vec![patch(edit.file_path, &edit.patch)],
        ToolResult::MultiEdit(edit) if !edit.patch.is_empty() => vec![patch(edit.file_path, &edit.patch)],
        ToolResult::Write(write) if !write.patch.is_empty() => vec![patch(write.file_path, &write.patch)],
        // A new file is shown as it was asked for.
        ToolResult::Edit(_) | ToolResult::MultiEdit(_) | ToolResult::Write(_) => Vec::new(),
        ToolResult::Read(read) => read_file(read, content),
        ToolResult::Agent(agent) => answer(agent),
        ToolResult::TaskOutput(output) => task_output(output),
        ToolResult::Failed(Failure { text, .. }) => output(text.as_str()),
        ToolResult::Mcp(McpResult::Content(content)) | ToolResult::Plain(content) => blocks(content),
        ToolResult::Mcp(McpResult::Value(json)) | ToolResult::Other(json) => vec![json_section(json.as_json())],
        ToolResult::TodoWrite(todos) => items(todos.new_todos.iter().map(todo).collect()),
        ToolResult::ExitPlanMode(plan) => plan.plan.map(|plan| Section::Prose(plan.to_string())).into_iter().collect(),
        // What the model was told says it best.
        _ => said(content),
    }
}

fn todo(todo: &Todo<'_>) -> Item {
    Item { done: todo.status.map(|status| status.as_str() == "completed"), text: text(todo.content) }
}

fn items(items: Vec<Item>) -> Vec<Section> {
    if items.is_empty() { Vec::new() } else { vec![Section::Items(items)] }
}

fn output(text: &str) -> Vec<Section> {
    if text.trim().is_empty() { Vec::new() } else { vec![Section::Output(text.to_owned())] }
}

fn printed(shell: &ShellResult<'_>) -> Vec<Section> {
    let mut shown = output(shell.stdout.map_or("", Text::as_str));
    if shell.stderr != shell.stdout {
        shown.extend(output(shell.stderr.map_or("", Text::as_str)));
    }
    shown
}

fn patch(path: Option<Text<'_>>, hunks: &[Hunk<'_>]) -> Section {
    let number = |line: Option<i64>| line.and_then(|line| usize::try_from(line).ok()).unwrap_or(1);
    let hunk = |hunk: &Hunk<'_>| PatchHunk {
        old_start: number(hunk.old_start),
        new_start: number(hunk.new_start),
        lines: hunk.lines.iter().map(ToString::to_string).collect(),
    };
    Section::Patch { path: text(path), hunks: hunks.iter().map(hunk).collect() }
}

fn read_file(read: &ReadResult<'_>, content: Option<&Content<'_>>) -> Vec<Section> {
    match read {
        ReadResult::Text(read) => {
            read.file.as_ref().map(|read| vec![file(read.file_path, read.start_line, read.content)]).unwrap_or_default()
        }
        _ => said(content),
    }
}

fn answer(agent: &AgentResult<'_>) -> Vec<Section> {
    agent.content.as_ref().map(prose).unwrap_or_default()
}

fn task_output(output: &TaskOutputResult<'_>) -> Vec<Section> {
    output.task.as_ref().and_then(|task| task.output).map(|text| self::output(text.as_str())).unwrap_or_default()
}

fn prose(content: &Content<'_>) -> Vec<Section> {
    content.texts().map(|text| Section::Prose(text.to_string())).collect()
}

/// What the model was told.
fn said(content: Option<&Content<'_>>) -> Vec<Section> {
    content.map(blocks).unwrap_or_default()
}

fn blocks(content: &Content<'_>) -> Vec<Section> {
    match content {
        Content::Text(text) => output(format::text::split_trailing_reminders(text.as_str()).0),
        Content::Raw(json) => vec![json_section(Raw::as_json(*json))],
        Content::Blocks(blocks) => blocks.iter().flat_map(block).collect(),
    }
}

fn block(block: &Block<'_>) -> Vec<Section> {
    match block {
        Block::Text(block) => output(format::text::split_trailing_reminders(block.text.map_or("", Text::as_str)).0),
        Block::Image(image) => image_section(image).into_iter().collect(),
        Block::Document(document) => document
            .source
            .as_ref()
            .and_then(|source| Some((source.media_type?, source.data?)))
            .map(|(media_type, data)| {
                Section::Image(Image { media_type: media_type.to_string(), data: data.to_string() })
            })
            .into_iter()
            .collect(),
        Block::ToolReference(tool) => output(tool.tool_name.map_or("", Text::as_str)),
        _ => Vec::new(),
    }
}
