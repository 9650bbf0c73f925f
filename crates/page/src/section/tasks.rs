//! The task list and its changes.

use content::section::Task;
use format::tool;
use maud::{Markup, html};
use story::tasks::{TaskChange, TaskStatus};

use crate::text;

/// A list with the changes by a call. Changes are in the order of the list; removed tasks come last.
pub(super) fn list(tasks: &[&Task<'_>], changes: &[TaskChange]) -> Markup {
    // If the whole list is new, its tasks need no badges.
    let is_new = changes.len() == tasks.len() && changes.iter().all(|change| change.before.is_none());
    let mut changes = if is_new { &[] } else { changes }.iter().peekable();
    let mut lines = Vec::with_capacity(tasks.len());
    for task in tasks {
        let change = changes.next_if(|change| change.after.is_some() && is_about(change, task.text));
        lines.push(line(task, change));
    }
    html! {
        ul.tasks {
            @for line in lines { (line) }
            @for change in changes { (changed(change)) }
        }
    }
}

/// The changes by a call that does not state the whole list.
pub(crate) fn changes(changes: &[TaskChange]) -> Markup {
    html! { @if !changes.is_empty() { ul.tasks { @for change in changes { (changed(change)) } } } }
}

/// Whether a change is about this task; long subjects are compared by their beginnings.
fn is_about(change: &TaskChange, subject: &str) -> bool {
    &*change.subject == subject || change.subject.strip_suffix('…').is_some_and(|start| subject.starts_with(start))
}

fn line(task: &Task<'_>, change: Option<&TaskChange>) -> Markup {
    let status = match task.status {
        Some(tool::TaskStatus::Completed) => "completed",
        Some(tool::TaskStatus::InProgress) => "in-progress",
        Some(tool::TaskStatus::Deleted) => "removed",
        Some(tool::TaskStatus::Pending | tool::TaskStatus::Other(_)) | None => "pending",
    };
    let remarks = task.remarks();
    html! {
        li data-status=(status) {
            @if !task.id.is_empty() { "#" (text(task.id)) " " }
            (text(task.text))
            @if !remarks.is_empty() { " (" (text(&remarks)) ")" }
            @if let Some(words) = change.and_then(event) { " " span.badge { (words) } }
        }
    }
}

fn changed(change: &TaskChange) -> Markup {
    html! {
        li data-status=(change.after.map_or("removed", name)) {
            (text(&change.subject))
            @if let Some(words) = event(change) { " " span.badge { (words) } }
        }
    }
}

const fn name(status: TaskStatus) -> &'static str {
    match status {
        TaskStatus::Pending => "pending",
        TaskStatus::InProgress => "in-progress",
        TaskStatus::Completed => "completed",
    }
}

/// The change of a task, in a word.
fn event(change: &TaskChange) -> Option<&'static str> {
    match (change.before, change.after) {
        (_, None) => Some("removed"),
        (None, Some(TaskStatus::Pending)) => Some("new"),
        (None, Some(TaskStatus::InProgress)) => Some("new, in progress"),
        (None, Some(TaskStatus::Completed)) => Some("new, done"),
        (Some(before), Some(after)) if before == after => None,
        (Some(_), Some(TaskStatus::Completed)) => Some("done"),
        (Some(TaskStatus::Completed), Some(_)) => Some("open again"),
        (Some(_), Some(TaskStatus::InProgress)) => Some("begun"),
        (Some(_), Some(TaskStatus::Pending)) => Some("put off"),
    }
}
