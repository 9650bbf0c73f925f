//! What was asked of a tool.

use format::block::ToolUse;
use format::tool::{Todo, ToolInput};

use super::{Column, Pen};

/// The name of the tool, and all that its input says. The inputs that are many or long are known by their fields; all
/// others are taken as they stand.
pub(super) fn pieces(call: &ToolUse<'_>, pen: &mut Pen<'_>) {
    pen.put_all(Column::Done, [call.name]);
    match &call.input {
        Some(ToolInput::Bash(shell) | ToolInput::PowerShell(shell)) => {
            pen.put_all(Column::Done, [shell.command, shell.description]);
        }
        Some(ToolInput::Read(read)) => pen.put_all(Column::Done, [read.file_path, read.pages]),
        Some(ToolInput::Write(write)) => pen.put_all(Column::Done, [write.file_path, write.content]),
        Some(ToolInput::Edit(edit)) => pen.put_all(Column::Done, [edit.file_path, edit.old_string, edit.new_string]),
        Some(ToolInput::MultiEdit(edits)) => {
            pen.put_all(Column::Done, [edits.file_path]);
            for edit in &edits.edits {
                pen.put_all(Column::Done, [edit.old_string, edit.new_string]);
            }
        }
        Some(ToolInput::Grep(grep)) => {
            pen.put_all(Column::Done, [grep.pattern, grep.path, grep.glob, grep.file_type]);
        }
        Some(ToolInput::Glob(glob)) => pen.put_all(Column::Done, [glob.pattern, glob.path]),
        Some(ToolInput::Agent(agent)) => {
            pen.put_all(Column::Done, [agent.description, agent.prompt, agent.subagent_type, agent.name]);
            pen.put_all(Column::Done, [agent.team_name, agent.model, agent.mode, agent.isolation, agent.effort]);
            agent.resume.iter().for_each(|agent| pen.put(Column::Done, agent.as_str()));
        }
        Some(ToolInput::TodoWrite(list)) => list.todos.iter().for_each(|todo| self::todo(todo, pen)),
        // In brief mode this is how the model speaks.
        Some(ToolInput::SendUserMessage(message)) => {
            pen.put_all(Column::Replied, [message.message]);
            pen.put_all(Column::Done, message.attachments.iter().copied());
        }
        Some(ToolInput::Unparsed(text)) => pen.put(Column::Done, text.as_str()),
        _ => pen.put_open_json(Column::Done, call.input_json),
    }
}

fn todo(todo: &Todo<'_>, pen: &mut Pen<'_>) {
    pen.put_all(Column::Done, [todo.content, todo.active_form, todo.id]);
}
