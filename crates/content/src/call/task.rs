//! The list of tasks, in its two generations.

use std::borrow::Cow;

use format::tool::{ListedTask, TaskCreateResult, TaskGetResult, TaskListResult, Todo, TodoWriteResult};
use story::Detail;

use crate::pen::{Form, Pen, word};
use crate::section::{Body, Task};

/// The older list.
pub(super) fn todos<'e>(todos: &'e [Todo<'e>], pen: &mut Pen<'_, 'e>) {
    if todos.is_empty() {
        pen.notice("no tasks");
    }
    for todo in todos {
        let task =
            Task { id: word(todo.id), text: word(todo.content), status: todo.status, remark: word(todo.priority) };
        pen.put("", Body::Task(task));
    }
    // What is shown while a task is done says the same in another form.
    for todo in todos {
        pen.at(Detail::Raw).put_text("activeForm", Form::Item, word(todo.active_form));
    }
}

/// The older list after it was written. It is said by the call, and what was there before by an earlier one.
pub(super) fn todos_written<'e>(given: &'e TodoWriteResult<'e>, pen: &mut Pen<'_, 'e>) {
    pen.record(given, &[("oldTodos", Form::Elsewhere), ("newTodos", Form::Elsewhere)]);
    let mut pen = pen.at(Detail::Raw);
    for list in [&given.new_todos, &given.old_todos].into_iter().filter(|list| !list.is_empty()) {
        todos(list, &mut pen);
    }
}

/// A task of the newer list.
fn listed<'e>(task: &'e ListedTask<'e>, pen: &mut Pen<'_, 'e>) {
    let line = Task { id: word(task.id), text: word(task.subject), status: task.status, remark: word(task.owner) };
    pen.put("", Body::Task(line));
    pen.record(
        task,
        &[
            ("id", Form::Elsewhere),
            ("subject", Form::Elsewhere),
            ("status", Form::Elsewhere),
            ("owner", Form::Elsewhere),
            ("activeForm", Form::Detail),
            ("description", Form::Prose),
        ],
    );
}

/// A new task.
pub(super) fn created<'e>(given: &'e TaskCreateResult<'e>, pen: &mut Pen<'_, 'e>) {
    given.task.iter().for_each(|task| listed(task, pen));
}

/// A task, if there is one.
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
