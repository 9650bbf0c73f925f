//! Calls: a line of a list each, and below it what a reader who wants it all wants to see.

use std::io;

use story::step::{Call, CallState, Severity};
use story::tasks::{TaskChange, TaskStatus};
use story::{Detail, Step};

use crate::clean::clean_line;
use crate::human::duration;
use crate::view::{Section, call_view};

use super::sheet::quote;
use super::{Page, code, literal, section};

impl Page<'_> {
    pub(super) fn call(&mut self, step: &Step, call: &Call) -> io::Result<()> {
        let is_open = self.selection.detail >= Detail::Full;
        let mut line = self.call_line(call);
        if step.withdrawn {
            line.push_str(" · *taken back*");
        }
        self.sheet.item(&line)?;
        if let Some(words) = &call.user_said {
            self.sheet.below(&quote(&literal::lines(words)))?;
        }
        if !is_open {
            return Ok(());
        }
        for part in self.call_sections(step, call) {
            let block = section::nested(&part, self.images)?;
            self.sheet.below(&block)?;
        }
        Ok(())
    }

    fn call_line(&self, call: &Call) -> String {
        let mut line = format!("**{}**", tool(&call.tool));
        let subject = self.subject(call);
        if !subject.is_empty() {
            line.push(' ');
            line.push_str(&subject);
        }
        if let Some(change) = call.change {
            let counts = [('+', change.added), ('−', change.removed)];
            for (sign, count) in counts.into_iter().filter(|(_, count)| *count > 0) {
                line.push_str(&format!(" {sign}{count}"));
            }
        }
        let took = call.duration.filter(|took| took.millis >= 100).map(|took| duration(took.millis));
        let thread = call.thread.filter(|thread| self.selection.has_thread(self.story, *thread));
        let thread = thread.map(|thread| format!("[its thread](#{})", super::anchor(thread)));
        let parts = [state(call), Some(self.outcome(call)), took, thread];
        for part in parts.into_iter().flatten().filter(|part| !part.is_empty()) {
            line.push_str(" · ");
            line.push_str(&part);
        }
        line
    }

    fn subject(&self, call: &Call) -> String {
        let subject = match &self.project {
            Some(project) => call.subject.strip_prefix(project.as_str()).unwrap_or(&call.subject),
            None => &call.subject,
        };
        if is_code(&call.tool) { code::span(subject) } else { literal::line(subject) }
    }

    fn outcome(&self, call: &Call) -> String {
        literal::line(&call.outcome)
    }

    /// What stands below the line: all that it does not say already.
    fn call_sections(&mut self, step: &Step, call: &Call) -> Vec<Section> {
        let view = call_view(self.story, self.texts, step, call);
        // What an agent was asked and what it answered stands in its own thread.
        let is_elsewhere = call.thread.is_some_and(|thread| self.selection.has_thread(self.story, thread));
        let is_patched = view.result.iter().any(|part| matches!(part, Section::Patch { .. }));
        let is_new = |part: &Section| match part {
            Section::Prose(_) => !is_elsewhere,
            Section::Replacement { .. } | Section::Code { path: Some(_), .. } => !is_patched,
            Section::Code { text, path: None, .. } => clean_line(text).trim() != &*call.subject,
            Section::Output(text) => clean_line(text).trim() != &*call.outcome,
            Section::Plain(_)
            | Section::Patch { .. }
            | Section::Items(_)
            | Section::Image(_)
            | Section::Missing(_) => true,
        };
        let has_items = view.result.iter().any(|part| matches!(part, Section::Items(_)));
        let tasks = if has_items { None } else { tasks(&call.tasks) };
        let CallView { input, result } = view;
        input.into_iter().chain(result).filter(is_new).chain(tasks).collect()
    }
}

/// The name of a tool.
fn tool(name: &str) -> String {
    let name = match format::tool::split_mcp(name) {
        Some((server, tool)) => literal::line(&format!("{server}: {tool}")),
        None => literal::line(name),
    };
    if name.is_empty() { "?".to_owned() } else { name }
}

/// Whether what a call is about is no words but a command, a path, a pattern.
fn is_code(tool: &str) -> bool {
    matches!(
        format::tool::present_name(tool),
        Some(
            "Bash"
                | "BashOutput"
                | "Edit"
                | "EnterWorktree"
                | "Glob"
                | "Grep"
                | "LS"
                | "LSP"
                | "MultiEdit"
                | "NotebookEdit"
                | "NotebookRead"
                | "PowerShell"
                | "Read"
                | "ReadMcpResourceTool"
                | "ReadMcpResourceDirTool"
                | "SlashCommand"
                | "TaskOutput"
                | "TaskStop"
                | "ToolSearch"
                | "Write"
        )
    )
}

fn state(call: &Call) -> Option<String> {
    let word = match call.state {
        CallState::Done => return None,
        CallState::Pending => "no result yet",
        CallState::Background => "in the background",
        CallState::Failed => "failed",
        CallState::Rejected => "rejected",
        CallState::Interrupted => "interrupted",
        CallState::Lost => "no result",
    };
    Some(match call.severity {
        Severity::Normal | Severity::Expected => format!("*{word}*"),
        Severity::Warning | Severity::Error => format!("**{word}**"),
    })
}

fn tasks(changes: &[TaskChange]) -> Option<Section> {
    None
}
