//! The task list, in its two generations, with what each call changed.

use std::borrow::Cow;

use format::tool::{
    ListedTask, TaskCreateResult, TaskGetResult, TaskListResult, TaskStatus, TaskUpdateResult, Todo, TodoWriteResult,
    ToolKind,
};
use story::Detail;
use story::step::Call;
use story::tasks::{self, TaskChange, TaskEvent};

use super::stands_in;
use crate::pen::{Form, Pen, word};
use crate::section::{Body, Label, Section, Speaker, Task, Value};

/// The older list.
pub(super) fn todos<'e>(todos: &'e [Todo<'e>], pen: &mut Pen<'_, 'e>) {
    if todos.is_empty() {
        pen.notice("no tasks");
    }
    for todo in todos {
        pen.put(
            "",
            Body::Task(Task {
                id: word(todo.id).into(),
                text: word(todo.content).into(),
                status: todo.status,
                remark: word(todo.priority),
                active_form: word(todo.active_form).into(),
                blocked_by: &[],
                blocks: &[],
                event: None,
                reworded_from: Cow::Borrowed(""),
            }),
        );
    }
}

/// The older list after it was written. The call shows it, and an earlier call shows the previous list.
pub(super) fn todos_written<'e>(given: &'e TodoWriteResult<'e>, pen: &mut Pen<'_, 'e>) {
    pen.record(given, &[("oldTodos", Form::Elsewhere), ("newTodos", Form::Elsewhere)]);
    let mut pen = pen.at(Detail::Raw);
    for list in [&given.new_todos, &given.old_todos].into_iter().filter(|list| !list.is_empty()) {
        todos(list, &mut pen);
    }
}

/// A task of the newer list.
fn listed<'e>(task: &'e ListedTask<'e>, pen: &mut Pen<'_, 'e>) {
    pen.put(
        "",
        Body::Task(Task {
            id: word(task.id).into(),
            text: word(task.subject).into(),
            status: task.status,
            remark: word(task.owner),
            active_form: word(task.active_form).into(),
            blocked_by: &task.blocked_by,
            blocks: &task.blocks,
            event: None,
            reworded_from: Cow::Borrowed(""),
        }),
    );
    pen.record(
        task,
        &[
            ("id", Form::Elsewhere),
            ("subject", Form::Elsewhere),
            ("status", Form::Elsewhere),
            ("owner", Form::Elsewhere),
            ("activeForm", Form::Elsewhere),
            ("blocks", Form::Elsewhere),
            ("blockedBy", Form::Elsewhere),
            ("description", Form::Prose),
        ],
    );
}

/// The changes of a task.
pub(super) fn updated<'e>(given: &'e TaskUpdateResult<'e>, pen: &mut Pen<'_, 'e>) {
    pen.record(given, &[("statusChange", Form::Elsewhere), ("error", Form::Output)]);
    let Some(change) = &given.status_change else { return };
    let [from, to] = [change.from, change.to].map(|status| status.map_or("?", TaskStatus::as_str));
    pen.put_text("statusChange", Form::Fact, format!("{from} → {to}").replace('_', " "));
}

/// A new task.
pub(super) fn created<'e>(given: &'e TaskCreateResult<'e>, pen: &mut Pen<'_, 'e>) {
    given.task.iter().for_each(|task| listed(task, pen));
}

/// A task, if it exists.
pub(super) fn got<'e>(given: &'e TaskGetResult<'e>, pen: &mut Pen<'_, 'e>) {
    match &given.task {
        Some(task) => listed(task, pen),
        None => pen.put("", Body::Notice(Cow::Borrowed("there is no such task"))),
    }
}

/// The newer list.
pub(super) fn all<'e>(given: &'e TaskListResult<'e>, pen: &mut Pen<'_, 'e>) {
    if given.tasks.is_empty() {
        pen.notice("no tasks");
    }
    given.tasks.iter().for_each(|task| listed(task, pen));
}

/// The changes of a call to the list of tasks that its line does not name, as tasks.
pub fn changes(call: &Call) -> Vec<Task<'_>> {
    let is_new = is_new_list(call);
    let shown = call.tasks.iter().filter(|change| is_list(call) || !is_named(&change.subject, call));
    shown.map(|change| changed(change, is_new)).collect()
}

/// A task of the list as a session left it.
pub fn left(task: &tasks::Task) -> Task<'_> {
    Task {
        id: borrowed(task.id.as_deref()),
        text: Cow::Borrowed(&task.subject),
        status: Some(status(task.status)),
        remark: task.owner.as_deref().unwrap_or_default(),
        active_form: borrowed(task.active_form.as_deref()),
        blocked_by: &[],
        blocks: &[],
        event: None,
        reworded_from: Cow::Borrowed(""),
    }
}

const fn status(status: tasks::TaskStatus) -> TaskStatus<'static> {
    match status {
        tasks::TaskStatus::Pending => TaskStatus::Pending,
        tasks::TaskStatus::InProgress => TaskStatus::InProgress,
        tasks::TaskStatus::Completed => TaskStatus::Completed,
    }
}

/// Marks what a call changed about the tasks in its sections, and adds the tasks that they lack.
///
/// The line of a call that changes one task names it, so it is not repeated below: only what the line does not say.
pub(super) fn mark<'e>(sections: &mut Vec<Section<'e>>, call: &Call) {
    let mut rest = call.tasks.iter().peekable();
    let is_new = is_new_list(call);
    for section in sections.iter_mut() {
        let Body::Task(task) = &mut section.body else { continue };
        let Some(change) = rest.next_if(|change| change.after.is_some() && is_about(change, task)) else { continue };
        task.event = (!is_new).then_some(change.event);
        task.reworded_from = Cow::Owned(change.reworded_from.as_deref().unwrap_or_default().to_owned());
        if task.active_form.is_empty() && is_list(call) {
            task.active_form = Cow::Owned(change.active_form.as_deref().unwrap_or_default().to_owned());
        }
    }
    let end =
        sections.iter().rposition(|section| matches!(section.body, Body::Task(_))).map_or(sections.len(), |at| at + 1);
    let missing = rest.filter(|change| is_list(call) || !is_named(&change.subject, call));
    let missing = missing.map(|change| owned(changed(change, is_new))).map(|task| Section {
        speaker: Speaker::Tool,
        level: Detail::Full,
        label: Label::default(),
        body: Body::Task(task),
    });
    sections.splice(end..end, missing.collect::<Vec<_>>());
    if !is_list(call) {
        let named = |section: Section<'e>| match section.body {
            Body::Task(task) if is_named(&task.text, call) => beside_line(task, section.speaker, section.level),
            body => vec![Section { body, ..section }],
        };
        *sections = std::mem::take(sections).into_iter().flat_map(named).collect();
    }
}

/// Whether the line of the call that updates a task says this fact.
pub(super) fn is_in_line(section: &Section<'_>, call: &Call) -> bool {
    const SAID: [&str; 5] = ["status", "statusChange", "subject", "taskId", "updatedFields"];
    matches!(ToolKind::named(&call.tool), Some(ToolKind::TaskUpdate | ToolKind::TaskGet))
        && matches!(section.body, Body::Fact(_))
        && SAID.contains(&section.label.key)
}

/// Whether the call is about the whole list.
fn is_list(call: &Call) -> bool {
    matches!(ToolKind::named(&call.tool), Some(ToolKind::TodoWrite | ToolKind::TodoRead | ToolKind::TaskList))
}

/// Whether all of a whole list is new, so that there is nothing to compare with.
fn is_new_list(call: &Call) -> bool {
    is_list(call) && call.tasks.iter().all(|change| change.event == TaskEvent::New)
}

/// Whether the line of the call names a task; a long name by its beginning.
fn is_named(subject: &str, call: &Call) -> bool {
    const ENOUGH: usize = 60;
    let end = subject.char_indices().nth(ENOUGH).map_or(subject.len(), |(at, _)| at);
    let beginning = subject.get(..end).unwrap_or(subject);
    [&call.subject, &call.outcome].into_iter().any(|line| stands_in(beginning, line))
}

/// Whether a change is about this task; long texts are compared by their beginnings.
fn is_about(change: &TaskChange, task: &Task<'_>) -> bool {
    let is_same_id = change.id.as_deref().is_some_and(|id| *id == *task.id);
    let subject = &*change.subject;
    is_same_id || *subject == *task.text || subject.strip_suffix('…').is_some_and(|start| task.text.starts_with(start))
}

/// A task as a call left it.
fn changed(change: &TaskChange, is_new: bool) -> Task<'_> {
    Task {
        id: borrowed(change.id.as_deref()),
        text: Cow::Borrowed(&change.subject),
        status: Some(change.after.map_or(TaskStatus::Deleted, status)),
        remark: "",
        active_form: borrowed(change.active_form.as_deref()),
        blocked_by: &[],
        blocks: &[],
        event: (!is_new).then_some(change.event),
        reworded_from: borrowed(change.reworded_from.as_deref()),
    }
}

fn borrowed(text: Option<&str>) -> Cow<'_, str> {
    Cow::Borrowed(text.unwrap_or_default())
}

fn owned<'e>(task: Task<'_>) -> Task<'e> {
    let Task { id, text, active_form, event, reworded_from, status, .. } = task;
    let [id, text, active_form, reworded_from] =
        [id, text, active_form, reworded_from].map(|text| Cow::Owned(text.into_owned()));
    let status = match status {
        Some(TaskStatus::Pending) => Some(TaskStatus::Pending),
        Some(TaskStatus::InProgress) => Some(TaskStatus::InProgress),
        Some(TaskStatus::Completed) => Some(TaskStatus::Completed),
        Some(TaskStatus::Deleted) => Some(TaskStatus::Deleted),
        Some(TaskStatus::Other(_)) | None => None,
    };
    Task { id, text, status, remark: "", active_form, blocked_by: &[], blocks: &[], event, reworded_from }
}

/// What the line of a call does not say about the task that it names.
fn beside_line<'e>(task: Task<'e>, speaker: Speaker, level: Detail) -> Vec<Section<'e>> {
    let fact = |key: &'static str, value: Cow<'e, str>| Section {
        speaker,
        level,
        label: Label::new(key),
        body: Body::Fact(Value::Text(value)),
    };
    let numbers = |ids: &'e [format::Text<'e>]| ids.iter().map(|id| Cow::Owned(format!("#{id}")));
    let own = [("owner", Cow::Borrowed(task.remark)), ("activeForm", task.active_form)];
    let own = own.into_iter().filter(|(_, value)| !value.is_empty()).map(|(key, value)| fact(key, value));
    let blocked = numbers(task.blocked_by).map(|number| fact("addBlockedBy", number));
    let blocks = numbers(task.blocks).map(|number| fact("addBlocks", number));
    own.chain(blocked).chain(blocks).collect()
}
