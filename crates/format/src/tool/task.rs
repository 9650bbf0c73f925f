//! Inputs and results of the two generations of task lists.

use super::result::{Outcome, Said};
use crate::json::{Notes, Raw, Text, record, words};

words! {
    /// The state of a task on the list.
    pub enum TaskStatus {
        Pending = "pending",
        InProgress = "in_progress",
        Completed = "completed",
        Deleted = "deleted",
    }
}

record! {
    /// Input of `TodoWrite`: the whole list.
    pub struct TodoWriteInput<'a>: "TodoWrite input" {
        todos: Vec<Todo<'a>> = "todos",
    }

    /// One item of the older list.
    pub struct Todo<'a>: "todo" {
        content: Option<Text<'a>> = "content",
        status: Option<TaskStatus<'a>> = "status",
        /// The label while the item is in progress.
        active_form: Option<Text<'a>> = "activeForm",
        /// Up to 1.0.x.
        id: Option<Text<'a>> = "id",
        /// Up to 1.0.x.
        priority: Option<Text<'a>> = "priority",
    }

    /// The list before and after the call.
    pub struct TodoWriteResult<'a>: "TodoWrite result" {
        old_todos: Vec<Todo<'a>> = "oldTodos",
        new_todos: Vec<Todo<'a>> = "newTodos",
        verification_nudge_needed: Option<bool> = "verificationNudgeNeeded",
    }

    /// Result of `TodoRead`: the list without its keys.
    pub struct TodoReadResult<'a>: "TodoRead result" {
        todos: Vec<Todo<'a>> = "todos",
    }

    /// Input of `TaskCreate`.
    pub struct TaskCreateInput<'a>: "TaskCreate input" {
        subject: Option<Text<'a>> = "subject",
        description: Option<Text<'a>> = "description",
        active_form: Option<Text<'a>> = "activeForm",
        metadata: Option<Raw<'a>> = "metadata",
        /// Several tasks at once, tried for a short time.
        tasks: Vec<Raw<'a>> = "tasks",
    }

    /// The new task.
    pub struct TaskCreateResult<'a>: "TaskCreate result" {
        task: Option<ListedTask<'a>> = "task",
    }

    /// One task of the newer list.
    pub struct ListedTask<'a>: "listed task" {
        id: Option<Text<'a>> = "id",
        subject: Option<Text<'a>> = "subject",
        description: Option<Text<'a>> = "description",
        status: Option<TaskStatus<'a>> = "status",
        owner: Option<Text<'a>> = "owner",
        active_form: Option<Text<'a>> = "activeForm",
        blocks: Vec<Text<'a>> = "blocks",
        blocked_by: Vec<Text<'a>> = "blockedBy",
        metadata: Option<Raw<'a>> = "metadata",
    }

    /// Input of `TaskUpdate`.
    pub struct TaskUpdateInput<'a>: "TaskUpdate input" {
        task_id: Option<Text<'a>> = "taskId",
        status: Option<TaskStatus<'a>> = "status",
        subject: Option<Text<'a>> = "subject",
        description: Option<Text<'a>> = "description",
        active_form: Option<Text<'a>> = "activeForm",
        owner: Option<Text<'a>> = "owner",
        add_blocks: Vec<Text<'a>> = "addBlocks",
        add_blocked_by: Vec<Text<'a>> = "addBlockedBy",
        metadata: Option<Raw<'a>> = "metadata",
    }

    /// The changes to a task.
    pub struct TaskUpdateResult<'a>: "TaskUpdate result" {
        success: Option<bool> = "success",
        task_id: Option<Text<'a>> = "taskId",
        updated_fields: Vec<Text<'a>> = "updatedFields",
        status_change: Option<StatusChange<'a>> = "statusChange",
        error: Option<Text<'a>> = "error",
        verification_nudge_needed: Option<bool> = "verificationNudgeNeeded",
    }

    /// The status before and after a change.
    pub struct StatusChange<'a>: "status change" {
        from: Option<TaskStatus<'a>> = "from",
        to: Option<TaskStatus<'a>> = "to",
    }

    /// Input of `TaskGet`.
    pub struct TaskGetInput<'a>: "TaskGet input" {
        task_id: Option<Text<'a>> = "taskId",
    }

    /// The task, if it exists.
    pub struct TaskGetResult<'a>: "TaskGet result" {
        task: Option<ListedTask<'a>> = "task",
    }

    /// All tasks.
    pub struct TaskListResult<'a>: "TaskList result" {
        tasks: Vec<ListedTask<'a>> = "tasks",
    }
}

impl<'a> Outcome<'a> for TodoWriteResult<'a> {
    /// The text only confirms the call.
    fn from_said(said: &Said<'a, '_>, notes: &mut Notes<'a>) -> Option<Self> {
        let done = said.text.starts_with("Todos have been modified successfully");
        if done { Some(Self::default()) } else { said.json(notes) }
    }
}

impl<'a> Outcome<'a> for TodoReadResult<'a> {
    fn from_array(list: Raw<'a>, notes: &mut Notes<'a>) -> Option<Self> {
        Some(Self { todos: list.read_as(notes)? })
    }

    /// The list as JSON, after a sentence.
    fn from_said(said: &Said<'a, '_>, notes: &mut Notes<'a>) -> Option<Self> {
        said.json_from('[', notes)
    }
}

impl<'a> Outcome<'a> for TaskCreateResult<'a> {
    /// `Task #3 created successfully: Subject`.
    fn from_said(said: &Said<'a, '_>, notes: &mut Notes<'a>) -> Option<Self> {
        let Some(rest) = said.text.strip_prefix("Task #") else { return said.json(notes) };
        let (id, subject) = rest.split_once(" created successfully: ")?;
        let task = ListedTask { id: Some(Text::from(id)), subject: Some(Text::from(subject)), ..ListedTask::default() };
        Some(Self { task: Some(task) })
    }
}

impl<'a> Outcome<'a> for TaskUpdateResult<'a> {
    /// `Updated task #3 owner, status`.
    fn from_said(said: &Said<'a, '_>, notes: &mut Notes<'a>) -> Option<Self> {
        if said.text.starts_with("Task ") && said.text.ends_with("not found") {
            return Some(Self { success: Some(false), error: Some(Text::from(said.text)), ..Self::default() });
        }
        let Some(rest) = said.text.strip_prefix("Updated task #") else { return said.json(notes) };
        let line = rest.lines().next()?;
        let (id, fields) = line.split_once(' ').unwrap_or((line, ""));
        Some(Self {
            success: Some(true),
            task_id: Some(Text::from(id)),
            updated_fields: fields.split(", ").filter(|field| !field.is_empty()).map(Text::from).collect(),
            ..Self::default()
        })
    }
}

impl<'a> Outcome<'a> for TaskGetResult<'a> {
    /// `Task #2: Subject`, then `Status: …`, `Description: …`, `Blocked by: #1` and `Blocks: #3, #4`.
    fn from_said(said: &Said<'a, '_>, notes: &mut Notes<'a>) -> Option<Self> {
        if said.text.starts_with("Task ") && said.text.ends_with("not found") {
            return Some(Self::default());
        }
        let Some(rest) = said.text.strip_prefix("Task #") else { return said.json(notes) };
        let (head, lines) = rest.split_once('\n').unwrap_or((rest, ""));
        let (id, subject) = head.split_once(": ")?;
        let value = |key: &str| lines.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix(": "));
        // The description may have several lines; it ends at the last keys.
        let description = lines.split_once("Description: ").map(|(_, rest)| {
            let end = ["\nBlocked by: #", "\nBlocks: #"].iter().filter_map(|key| rest.find(key)).min();
            rest.get(..end.unwrap_or(rest.len())).unwrap_or(rest)
        });
        let task = ListedTask {
            id: Some(Text::from(id)),
            subject: Some(Text::from(subject)),
            status: value("Status").map(|word| TaskStatus::new(Text::from(word))),
            description: description.map(Text::from),
            blocks: value("Blocks").map(numbers).unwrap_or_default(),
            blocked_by: value("Blocked by").map(numbers).unwrap_or_default(),
            ..ListedTask::default()
        };
        Some(Self { task: Some(task) })
    }
}

/// The ids in `#1, #2`.
fn numbers(list: &str) -> Vec<Text<'_>> {
    list.split(", ").filter_map(|id| id.strip_prefix('#')).map(Text::from).collect()
}

impl<'a> Outcome<'a> for TaskListResult<'a> {
    /// `#3 [pending] Subject (owner) [blocked by #1, #2]`, one per line.
    fn from_said(said: &Said<'a, '_>, notes: &mut Notes<'a>) -> Option<Self> {
        if said.text == "No tasks found" {
            return Some(Self::default());
        }
        if !said.text.starts_with('#') {
            return said.json(notes);
        }
        Some(Self { tasks: said.text.lines().filter_map(listed).collect() })
    }
}

fn listed(line: &str) -> Option<ListedTask<'_>> {
    let (id, rest) = line.strip_prefix('#')?.split_once(" [")?;
    let (status, rest) = rest.split_once("] ")?;
    let (rest, blocked_by) = match rest.strip_suffix(']').and_then(|rest| rest.rsplit_once(" [blocked by ")) {
        Some((rest, list)) => (rest, numbers(list)),
        None => (rest, Vec::new()),
    };
    // A subject may end with a remark in parentheses; an owner is one word.
    let ends_with_owner = rest.strip_suffix(')').and_then(|rest| rest.rsplit_once(" ("));
    let (subject, owner) = match ends_with_owner.filter(|(_, owner)| !owner.contains(' ')) {
        Some((subject, owner)) => (subject, Some(owner)),
        None => (rest, None),
    };
    Some(ListedTask {
        id: Some(Text::from(id)),
        subject: Some(Text::from(subject)),
        status: Some(TaskStatus::new(Text::from(status))),
        owner: owner.map(Text::from),
        blocked_by,
        ..ListedTask::default()
    })
}
