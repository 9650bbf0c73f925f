//! The task list and its changes.

use content::section::Task;
use format::tool::TaskStatus;
use maud::{Markup, html};

use crate::text;

/// A list of tasks, each with what the call changed about it.
pub(super) fn list<'t, 'e: 't>(tasks: impl IntoIterator<Item = &'t Task<'e>>) -> Markup {
    html! { ul.tasks { @for task in tasks { (line(task)) } } }
}

fn line(task: &Task<'_>) -> Markup {
    let status = match task.status {
        Some(TaskStatus::Completed) => "completed",
        Some(TaskStatus::InProgress) => "in-progress",
        Some(TaskStatus::Deleted) => "removed",
        Some(TaskStatus::Pending | TaskStatus::Other(_)) | None => "pending",
    };
    let (remarks, progress, news) = (task.remarks(), task.progress(), task.news());
    html! {
        li data-status=(status) {
            @if !task.id.is_empty() { "#" (text(&task.id)) " " }
            (text(&task.text))
            @if !remarks.is_empty() { " (" (text(&remarks)) ")" }
            @if !progress.is_empty() { " " span.progress { (text(&progress)) } }
            @if !news.is_empty() { " " span.badge { (text(&news)) } }
        }
    }
}
