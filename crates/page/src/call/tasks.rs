//! The list of tasks, and what changed in it.

use format::tool::{
    self, ListedTask, TaskCreateInput, TaskGetResult, TaskListResult, TaskUpdateInput, TaskUpdateResult, Todo,
};
use maud::{Markup, html};
use story::tasks::{TaskChange, TaskStatus};

use super::json;
use super::piece::{facts, first_of, label, note, word};
use crate::{prose, text};

/// The older list, with what changed in it since it was last written.
pub(super) fn todos(todos: &[Todo<'_>], changes: &[TaskChange]) -> Markup {
    let items = todos.iter().map(|todo| Item { subject: word(todo.content), status: todo.status, owner: "", id: "" });
    list(items, changes)
}

/// The newer list, as it was read.
pub(super) fn listed(tasks: &TaskListResult<'_>) -> Markup {
    list(tasks.tasks.iter().map(item), &[])
}

/// A line of the list.
struct Item<'a> {
    id: &'a str,
    subject: &'a str,
    status: Option<tool::TaskStatus<'a>>,
    owner: &'a str,
}

fn item<'a>(task: &ListedTask<'a>) -> Item<'a> {
    Item { id: word(task.id), subject: word(task.subject), status: task.status, owner: word(task.owner) }
}

/// Changes are in the order of the list; those that are no longer on it come last.
fn list<'a>(items: impl ExactSizeIterator<Item = Item<'a>>, changes: &[TaskChange]) -> Markup {
    if items.len() == 0 && changes.is_empty() {
        return note("no tasks");
    }
    // That all of a list is new is plain to see.
    let is_new = changes.len() == items.len() && changes.iter().all(|change| change.before.is_none());
    let mut changes = if is_new { &[] } else { changes }.iter().peekable();
    let mut lines = Vec::with_capacity(items.len());
    for item in items {
        let change = changes.next_if(|change| change.after.is_some() && is_about(change, item.subject));
        lines.push(line(&item, change));
    }
    html! {
        ul.tasks {
            @for line in lines { (line) }
            @for change in changes { (changed(change)) }
        }
    }
}

/// Whether a change is of this task; long ones are known by how they begin.
fn is_about(change: &TaskChange, subject: &str) -> bool {
    &*change.subject == subject || change.subject.strip_suffix('…').is_some_and(|start| subject.starts_with(start))
}

fn line(item: &Item<'_>, change: Option<&TaskChange>) -> Markup {
    let status = match item.status {
        Some(tool::TaskStatus::Completed) => "completed",
        Some(tool::TaskStatus::InProgress) => "in-progress",
        Some(tool::TaskStatus::Deleted) => "removed",
        Some(tool::TaskStatus::Pending | tool::TaskStatus::Other(_)) | None => "pending",
    };
    html! {
        li data-status=(status) {
            @if !item.id.is_empty() { "#" (text(item.id)) " " }
            (text(item.subject))
            @if !item.owner.is_empty() { " (" (text(item.owner)) ")" }
            @if let Some(words) = change.and_then(event) { " " span.badge { (words) } }
        }
    }
}

/// What a call changed, where it does not say the whole list.
pub(super) fn changes(changes: &[TaskChange]) -> Markup {
    html! { @if !changes.is_empty() { ul.tasks { @for change in changes { (changed(change)) } } } }
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

/// What happened to a task, in a word.
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

/// A task that is to be written down.
pub(super) fn create_asked(asked: &TaskCreateInput<'_>) -> Markup {
    html! {
        @if let Some(words) = asked.description { (prose(&words)) }
        @for task in &asked.tasks { (json::table(task.as_json())) }
        @if let Some(metadata) = asked.metadata { (label("metadata")) (json::block(metadata.as_json())) }
    }
}

/// What is to be changed, beside where it stands.
pub(super) fn update_asked(asked: &TaskUpdateInput<'_>) -> Markup {
    let ids = |ids: &[format::Text<'_>]| ids.iter().map(|id| format!("#{id}")).collect::<Vec<_>>().join(", ");
    html! {
        (facts(&[
            ("subject", word(asked.subject)),
            ("for", word(asked.owner)),
            ("blocked by", &ids(&asked.add_blocked_by)),
            ("blocks", &ids(&asked.add_blocks)),
        ]))
        @if let Some(words) = asked.description { (prose(&words)) }
        @if let Some(metadata) = asked.metadata.filter(|json| json.as_json().len() > 2) {
            (label("metadata")) (json::block(metadata.as_json()))
        }
    }
}

/// What was changed.
pub(super) fn updated(given: &TaskUpdateResult<'_>, changes: &[TaskChange]) -> Markup {
    let change = given.status_change.as_ref();
    let [from, to] = [change.and_then(|it| it.from), change.and_then(|it| it.to)]
        .map(|status| super::piece::spaced(status.map_or("", |status| status.as_str())));
    html! {
        (self::changes(changes))
        @if changes.is_empty() && !to.is_empty() { (note(&format!("{} → {to}", first_of([&from, "?"])))) }
        (note(word(given.error)))
    }
}

/// A task.
pub(super) fn got(given: &TaskGetResult<'_>) -> Markup {
    let Some(task) = &given.task else { return note("there is no such task") };
    let ids = |ids: &[format::Text<'_>]| ids.iter().map(|id| format!("#{id}")).collect::<Vec<_>>().join(", ");
    html! {
        ul.tasks { (line(&item(task), None)) }
        (facts(&[("blocked by", &ids(&task.blocked_by)), ("blocks", &ids(&task.blocks))]))
        @if let Some(words) = task.description { (prose(&words)) }
    }
}
