//! The task list, in its two generations.

use std::borrow::Cow;

use format::tool::{
    ListedTask, TaskCreateResult, TaskGetResult, TaskListResult, TaskStatus, TaskUpdateResult, Todo, TodoWriteResult,
};
use story::Detail;

use crate::pen::{Form, Pen, word};
use crate::section::{Body, Task};

/// The older list.
pub(super) fn todos<'e>(todos: &'e [Todo<'e>], pen: &mut Pen<'_, 'e>) {
    if todos.is_empty() {
        pen.notice("no tasks");
    }
    for todo in todos {
        pen.put(
            "",
            Body::Task(Task {
                id: word(todo.id),
                text: word(todo.content),
                status: todo.status,
                remark: word(todo.priority),
                active_form: word(todo.active_form),
                blocked_by: &[],
                blocks: &[],
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
            id: word(task.id),
            text: word(task.subject),
            status: task.status,
            remark: word(task.owner),
            active_form: word(task.active_form),
            blocked_by: &task.blocked_by,
            blocks: &task.blocks,
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
