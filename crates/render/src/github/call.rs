//! Calls: a line of a list each, and below it what a reader who wants it all wants to see.

use std::fmt::Write as _;
use std::io;

use format::tool::{Family, ToolKind};
use story::step::{Call, CallState, Severity};
use story::tasks::{TaskChange, TaskStatus};
use story::{Detail, Step};

use content::view::{CallView, Section, call_view};
use human::duration;

use super::sheet::quote;
use super::{Page, code, literal, section};

impl Page<'_> {
    pub(super) fn call(&mut self, step: &Step, call: &Call) -> io::Result<()> {
        let is_open = self.selection.detail >= Detail::Full;
        let view = if is_open { call_view(self.story, self.texts, step, call) } else { CallView::default() };
        let sections = self.new_sections(call, view);
        let mut line = self.line(call, &sections);
        if step.withdrawn {
            line.push_str(" · *taken back*");
        }
        self.sheet.item(&line)?;
        if let Some(words) = &call.user_said {
            self.sheet.below(&quote(&literal::lines(words)))?;
        }
        for part in &sections {
            let block = section::nested(part, self.images)?;
            self.sheet.below(&block)?;
        }
        // A result that has the whole list has the changes too.
        if is_open && !sections.iter().any(|part| matches!(part, Section::Items(_))) {
            self.sheet.below(&call.tasks.iter().map(change).collect::<Vec<_>>().join("\n"))?;
        }
        Ok(())
    }

    /// Of what a call shows, all that stands neither in its line nor anywhere else.
    fn new_sections(&self, call: &Call, view: CallView) -> Vec<Section> {
        // What an agent was asked and what it answered stands in its own thread.
        let is_elsewhere = call.thread.is_some_and(|thread| self.has_thread(thread));
        let is_patched = view.result.iter().any(|part| matches!(part, Section::Patch { .. }));
        let is_new = |part: &Section| match part {
            Section::Prose(_) => !is_elsewhere,
            Section::Replacement { .. } | Section::Code { path: Some(_), .. } => !is_patched,
            Section::Code { text, path: None, .. } => text.trim() != &*call.subject,
            Section::Output(text) => text.trim() != &*call.outcome,
            Section::Plain(_) | Section::Patch { .. } | Section::Items(_) | Section::Image(_) | Section::Missing(_) => {
                true
            }
        };
        view.input.into_iter().chain(view.result).filter(is_new).collect()
    }

    fn line(&self, call: &Call, below: &[Section]) -> String {
        let mut line = format!("**{}**", tool(&call.tool));
        let subject = self.subject(call);
        if !subject.is_empty() {
            line.push(' ');
            line.push_str(&subject);
        }
        if let Some(change) = call.change {
            let counts = [('+', change.added), ('−', change.removed)];
            for (sign, count) in counts.into_iter().filter(|(_, count)| *count > 0) {
                let _ = write!(line, " {sign}{count}");
            }
        }
        let took = call.duration.filter(|took| took.millis >= 100).map(|took| duration(took.millis));
        let thread = call.thread.filter(|thread| self.has_thread(*thread));
        let thread = thread.map(|thread| format!("[its thread](#{})", super::anchor(thread)));
        let parts = [state(call), outcome(call, below), took, thread];
        for part in parts.into_iter().flatten().filter(|part| !part.is_empty()) {
            line.push_str(" · ");
            line.push_str(&part);
        }
        line
    }

    fn subject(&self, call: &Call) -> String {
        let is_below = |project: &&str| call.nature().has_path && !project.is_empty();
        let project = self.story.facts.project.as_deref().filter(is_below);
        let path = project.and_then(|project| call.subject.strip_prefix(project)?.strip_prefix(['/', '\\']));
        let subject = path.filter(|path| !path.is_empty()).unwrap_or(&call.subject);
        if is_code(&call.tool) { code::span(subject) } else { literal::words(subject) }
    }
}

/// What came of a call, unless what stands below says so.
fn outcome(call: &Call, below: &[Section]) -> Option<String> {
    let is_words = |part: &Section| matches!(part, Section::Output(_) | Section::Prose(_));
    let is_quiet = call.severity < Severity::Warning && call.result.is_some() && below.iter().any(is_words);
    (!is_quiet && call.user_said.is_none()).then(|| literal::words(&call.outcome))
}

/// The name of a tool.
fn tool(name: &str) -> String {
    let name = match format::tool::split_mcp(name) {
        Some((server, tool)) => literal::words(&format!("{server}: {tool}")),
        None => literal::words(name),
    };
    if name.is_empty() { "?".to_owned() } else { name }
}

/// Whether what a call is about is no words but a command, a path, a pattern.
fn is_code(tool: &str) -> bool {
    let Some(kind) = ToolKind::named(tool) else { return false };
    match kind.nature().family {
        Family::Shell => kind != ToolKind::Monitor,
        Family::Read | Family::Edit | Family::Search => true,
        Family::Mcp => matches!(kind, ToolKind::ReadMcpResource | ToolKind::ReadMcpResourceDir),
        Family::Skill => kind == ToolKind::SlashCommand,
        Family::Worktree => kind == ToolKind::EnterWorktree,
        Family::Agent
        | Family::Plan
        | Family::Question
        | Family::Task
        | Family::Web
        | Family::Message
        | Family::Schedule
        | Family::Other => false,
    }
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

/// A change of the list of tasks.
fn change(change: &TaskChange) -> String {
    match change.after {
        Some(status) => task(&change.subject, status),
        None => format!("- ~~{}~~", literal::words(&change.subject)),
    }
}

/// A task.
pub(super) fn task(subject: &str, status: TaskStatus) -> String {
    let subject = literal::words(subject);
    match status {
        TaskStatus::Pending => format!("- [ ] {subject}"),
        TaskStatus::InProgress => format!("- [ ] {subject} · *in progress*"),
        TaskStatus::Completed => format!("- [x] {subject}"),
    }
}
