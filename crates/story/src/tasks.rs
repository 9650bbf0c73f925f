//! The list of tasks, folded from the calls that change it.
//!
//! Two generations of tools maintain it: `TodoWrite` writes the whole list each time, the `Task` tools change one task
//! each and identify it by number. [`TaskList`] contains the result of both.

use format::Text;
use format::tool::{
    self, ListedTask, TaskCreateInput, TaskCreateResult, TaskUpdateInput, TaskUpdateResult, Todo, ToolInput, ToolResult,
};
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

use crate::preview::shortened;

/// One change to the list of tasks.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TaskChange {
    /// The task.
    pub subject: Box<str>,
    /// Its status before; `None` if it is new.
    pub before: Option<TaskStatus>,
    /// Its status now; `None` if it was removed.
    pub after: Option<TaskStatus>,
}

/// The status of a task.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum TaskStatus {
    /// Not started.
    Pending,
    /// In progress.
    InProgress,
    /// Completed.
    Completed,
}

/// One task.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Task {
    /// Its number, if the list has numbers.
    pub id: Option<Box<str>>,
    /// The task.
    pub subject: Box<str>,
    /// Its status.
    pub status: TaskStatus,
    /// The teammate who works on it.
    pub owner: Option<Box<str>>,
}

/// The current list of tasks.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TaskList {
    tasks: Vec<Task>,
}

/// The maximum number of tasks; longer lists are not useful to a reader.
const MOST: usize = 2000;

impl TaskList {
    /// The tasks, in the order they were added.
    pub fn items(&self) -> impl Iterator<Item = &Task> {
        self.tasks.iter()
    }

    /// Applies a call and its result; returns the changes.
    ///
    /// Calls of other tools change nothing, nor do calls that failed or have no result yet.
    pub(crate) fn apply(
        &mut self,
        input: Option<&ToolInput<'_>>,
        result: Option<&ToolResult<'_>>,
    ) -> Box<[TaskChange]> {
        let Some(result) = result.filter(|result| !matches!(result, ToolResult::Failed(_))) else {
            return Box::default();
        };
        match (input, result) {
            (Some(ToolInput::TodoWrite(written)), _) => self.replace(&written.todos, Task::from_todo, Task::subject),
            // A result that only confirms the call reads like this; it does not mean that the list is empty.
            (None, ToolResult::TodoWrite(written)) if written.old_todos.is_empty() && written.new_todos.is_empty() => {
                Box::default()
            }
            (None, ToolResult::TodoWrite(written)) => self.replace(&written.new_todos, Task::from_todo, Task::subject),
            (_, ToolResult::TodoRead(read)) => self.replace(&read.todos, Task::from_todo, Task::subject),
            (_, ToolResult::TaskList(read)) => self.replace(&read.tasks, Task::from_listed, Task::id),
            (_, ToolResult::TaskGet(read)) => read.task.iter().filter_map(|task| self.put(task)).collect(),
            (Some(ToolInput::TaskCreate(asked)), ToolResult::TaskCreate(created)) => self.create(asked, created),
            (Some(ToolInput::TaskCreate(asked)), _) => self.create(asked, &TaskCreateResult::default()),
            (None, ToolResult::TaskCreate(created)) => self.create(&TaskCreateInput::default(), created),
            (Some(ToolInput::TaskUpdate(asked)), ToolResult::TaskUpdate(updated)) => self.update(asked, updated),
            (Some(ToolInput::TaskUpdate(asked)), _) => self.update(asked, &TaskUpdateResult::default()),
            (None, ToolResult::TaskUpdate(updated)) => self.update(&TaskUpdateInput::default(), updated),
            _ => Box::default(),
        }
    }

    /// Replaces the list. Tasks with the same `key` are the same.
    fn replace<T>(
        &mut self,
        list: &[T],
        read: impl Fn(&T) -> Option<Task>,
        key: impl Fn(&Task) -> &str,
    ) -> Box<[TaskChange]> {
        let tasks: Vec<_> = list.iter().filter_map(read).take(MOST).collect();
        let mut before: FxHashMap<_, Vec<_>> = FxHashMap::default();
        for task in self.tasks.iter().rev() {
            before.entry(key(task)).or_default().push(task);
        }
        let mut changes: Vec<_> =
            tasks.iter().filter_map(|task| task.since(before.get_mut(key(task)).and_then(Vec::pop))).collect();
        let gone = self.tasks.iter().filter(|task| before.get_mut(key(task)).is_some_and(|same| same.pop().is_some()));
        changes.extend(gone.map(Task::removed));
        self.tasks = tasks;
        changes.into()
    }

    fn create(&mut self, asked: &TaskCreateInput<'_>, created: &TaskCreateResult<'_>) -> Box<[TaskChange]> {
        let created = created.task.clone().unwrap_or_default();
        let subject = created.subject.or(asked.subject);
        subject.and_then(|_| self.put(&ListedTask { subject, ..created })).into_iter().collect()
    }

    fn update(&mut self, asked: &TaskUpdateInput<'_>, updated: &TaskUpdateResult<'_>) -> Box<[TaskChange]> {
        let (Some(id), true) = (asked.task_id.or(updated.task_id), updated.success != Some(false)) else {
            return Box::default();
        };
        let change = updated.status_change.as_ref();
        let status = asked.status.or_else(|| change?.to);
        let is_known = status.is_some() || asked.subject.is_some();
        if self.position(id).is_none() && is_known {
            // Added elsewhere, in an earlier session or by another teammate.
            let subject = asked.subject.map_or_else(|| format!("#{id}"), |subject| subject.as_str().to_owned());
            let from = change.and_then(|change| change.from);
            self.put(&ListedTask {
                id: Some(id),
                subject: Some(Text::from(&*subject)),
                status: from,
                ..ListedTask::default()
            });
        }
        let Some(at) = self.position(id) else { return Box::default() };
        if status == Some(tool::TaskStatus::Deleted) {
            return Box::new([self.tasks.remove(at).removed()]);
        }
        let update =
            ListedTask { id: Some(id), subject: asked.subject, status, owner: asked.owner, ..ListedTask::default() };
        self.put(&update).into_iter().collect()
    }

    /// Adds a task, or updates the one with the same number.
    fn put(&mut self, said: &ListedTask<'_>) -> Option<TaskChange> {
        if let Some(at) = said.id.and_then(|id| self.position(id))
            && let Some(task) = self.tasks.get_mut(at)
        {
            let before = task.clone();
            task.learn(said);
            return task.since(Some(&before));
        }
        let task = Task::from_listed(said).filter(|_| self.tasks.len() < MOST)?;
        let change = task.since(None);
        self.tasks.push(task);
        change
    }

    fn position(&self, id: Text<'_>) -> Option<usize> {
        self.tasks.iter().position(|task| task.id.as_deref() == Some(id.as_str()))
    }
}

impl Task {
    fn new(id: Option<Text<'_>>, subject: Option<Text<'_>>, status: Option<tool::TaskStatus<'_>>) -> Option<Self> {
        let status = status.map_or(Some(TaskStatus::Pending), TaskStatus::read)?;
        Some(Self {
            id: id.map(|id| short(&id)),
            subject: short(subject.as_deref().unwrap_or_default()),
            status,
            owner: None,
        })
    }

    /// The older list's numbers are dropped: they restart with each list.
    fn from_todo(todo: &Todo<'_>) -> Option<Self> {
        Self::new(None, todo.content, todo.status)
    }

    fn from_listed(listed: &ListedTask<'_>) -> Option<Self> {
        let task = Self::new(listed.id, listed.subject, listed.status)?;
        Some(Self { owner: listed.owner.map(|owner| short(&owner)), ..task })
    }

    fn learn(&mut self, said: &ListedTask<'_>) {
        if let Some(subject) = said.subject {
            self.subject = short(&subject);
        }
        if let Some(status) = said.status.and_then(TaskStatus::read) {
            self.status = status;
        }
        if let Some(owner) = said.owner {
            self.owner = Some(short(&owner));
        }
    }

    fn subject(&self) -> &str {
        &self.subject
    }

    fn id(&self) -> &str {
        self.id.as_deref().unwrap_or(&self.subject)
    }

    /// The change since the task was as in `before`.
    fn since(&self, before: Option<&Self>) -> Option<TaskChange> {
        let is_same = before.is_some_and(|before| before.status == self.status && before.subject == self.subject);
        let (before, after) = (before.map(|before| before.status), Some(self.status));
        (!is_same).then(|| TaskChange { subject: self.subject.clone(), before, after })
    }

    fn removed(&self) -> TaskChange {
        TaskChange { subject: self.subject.clone(), before: Some(self.status), after: None }
    }
}

impl TaskStatus {
    /// `None` for a task that is no longer there.
    fn read(word: tool::TaskStatus<'_>) -> Option<Self> {
        match word {
            tool::TaskStatus::Pending | tool::TaskStatus::Other(_) => Some(Self::Pending),
            tool::TaskStatus::InProgress => Some(Self::InProgress),
            tool::TaskStatus::Completed => Some(Self::Completed),
            tool::TaskStatus::Deleted => None,
        }
    }
}

/// The stored part of a text.
fn short(text: &str) -> Box<str> {
    shortened(text, 120)
}

#[cfg(test)]
mod tests {
    use std::fmt::Write as _;

    use format::block::Block;
    use format::tool::read_result;
    use format::{Body, Scratch};

    use super::*;

    /// Applies calls, each a tool with its input and its `toolUseResult`, and lists their changes.
    fn report(calls: &[(&str, &str, &str)]) -> String {
        let mut tasks = TaskList::default();
        let mut report = String::new();
        for (tool, input, result) in calls {
            let scratch = Scratch::default();
            let line = format!(
                r#"{{"type":"assistant","message":{{"content":[{{"type":"tool_use","id":"t","name":"{tool}","input":{input}}}]}}}}"#
            );
            let reading = format::read(line.as_bytes(), &scratch);
            let Body::Assistant(entry) = &reading.entries[0].body else { panic!("{line}") };
            let Block::ToolUse(call) = &entry.message.as_ref().unwrap().content.as_ref().unwrap().blocks()[0] else {
                panic!("{line}")
            };
            let result = read_result(Some(tool), Some(format::Raw::from(*result).into()), None, &scratch).result;
            let changes = tasks.apply(call.input.as_ref(), Some(&result));
            writeln!(report, "{tool}").unwrap();
            for TaskChange { subject, before, after } in changes {
                let name = |status: Option<TaskStatus>| status.map_or("-".into(), |status| format!("{status:?}"));
                writeln!(report, "  {subject}: {} → {}", name(before), name(after)).unwrap();
            }
        }
        for Task { id, subject, status, owner } in tasks.items() {
            let (id, owner) = (id.as_deref().unwrap_or("-"), owner.as_deref().unwrap_or("nobody"));
            writeln!(report, "{id} {subject}: {status:?}, {owner}").unwrap();
        }
        report
    }

    #[test]
    fn the_whole_list_is_replaced() {
        let done = r#"{"oldTodos":[],"newTodos":[]}"#;
        let shown = report(&[
            (
                "TodoWrite",
                r#"{"todos":[{"content":"Dig","status":"in_progress"},{"content":"Sow","status":"pending"}]}"#,
                done,
            ),
            (
                "TodoWrite",
                r#"{"todos":[{"content":"Dig","status":"in_progress"},{"content":"Sow","status":"pending"}]}"#,
                done,
            ),
            ("TodoWrite", r#"{"todos":[]}"#, r#""Error: Exit code 1""#),
            (
                "TodoWrite",
                r#"{"todos":[{"content":"Dig","status":"completed"},{"content":"Water","status":"in_progress"}]}"#,
                done,
            ),
            ("Bash", r#"{"command":"ls"}"#, r#"{"stdout":""}"#),
            ("TodoRead", "{}", r#"[{"id":"1","content":"Water","status":"completed"}]"#),
        ]);
        insta::assert_snapshot!(shown, @r"
        TodoWrite
          Dig: - → InProgress
          Sow: - → Pending
        TodoWrite
        TodoWrite
        TodoWrite
          Dig: InProgress → Completed
          Water: - → InProgress
          Sow: Pending → -
        Bash
        TodoRead
          Water: InProgress → Completed
          Dig: Completed → -
        - Water: Completed, nobody
        ");
    }

    #[test]
    fn tasks_are_changed_one_by_one() {
        let shown = report(&[
            ("TaskCreate", r#"{"subject":"Dig","description":"deep"}"#, r#"{"task":{"id":"1","subject":"Dig"}}"#),
            ("TaskCreate", r#"{"subject":"Sow","description":"all"}"#, r#"{"task":{"id":"2","subject":"Sow"}}"#),
            ("TaskCreate", r#"{"subject":"Rest","description":""}"#, r#""Error: no""#),
            (
                "TaskUpdate",
                r#"{"taskId":"1","status":"in_progress","owner":"ana"}"#,
                r#"{"success":true,"taskId":"1","updatedFields":["status","owner"],"statusChange":{"from":"pending","to":"in_progress"}}"#,
            ),
            (
                "TaskUpdate",
                r#"{"taskId":"2","subject":"Sow beans"}"#,
                r#"{"success":true,"taskId":"2","updatedFields":["subject"]}"#,
            ),
            (
                "TaskUpdate",
                r#"{"taskId":"2","description":"more"}"#,
                r#"{"success":true,"taskId":"2","updatedFields":["description"]}"#,
            ),
            (
                "TaskUpdate",
                r#"{"taskId":"3","status":"completed"}"#,
                r#"{"success":false,"taskId":"3","updatedFields":[],"error":"Task not found"}"#,
            ),
            (
                "TaskUpdate",
                r#"{"taskId":"7","status":"completed"}"#,
                r#"{"success":true,"taskId":"7","updatedFields":["status"],"statusChange":{"from":"in_progress","to":"completed"}}"#,
            ),
            (
                "TaskUpdate",
                r#"{"taskId":"2","status":"deleted"}"#,
                r#"{"success":true,"taskId":"2","updatedFields":["deleted"]}"#,
            ),
            (
                "TaskGet",
                r#"{"taskId":"7"}"#,
                r#"{"task":{"id":"7","subject":"Fence","status":"completed","blocks":[],"blockedBy":[]}}"#,
            ),
            ("TaskGet", r#"{"taskId":"9"}"#, r#"{"task":null}"#),
            (
                "TaskList",
                "{}",
                r#"{"tasks":[{"id":"1","subject":"Dig","status":"completed","owner":"ana","blockedBy":[]},{"id":"8","subject":"Rake","status":"pending","blockedBy":["1"]}]}"#,
            ),
        ]);
        insta::assert_snapshot!(shown, @r"
        TaskCreate
          Dig: - → Pending
        TaskCreate
          Sow: - → Pending
        TaskCreate
        TaskUpdate
          Dig: Pending → InProgress
        TaskUpdate
          Sow beans: Pending → Pending
        TaskUpdate
        TaskUpdate
        TaskUpdate
          #7: InProgress → Completed
        TaskUpdate
          Sow beans: Pending → -
        TaskGet
          Fence: Completed → Completed
        TaskGet
        TaskList
          Dig: InProgress → Completed
          Rake: - → Pending
          Fence: Completed → -
        1 Dig: Completed, ana
        8 Rake: Pending, nobody
        ");
    }

    #[test]
    fn a_result_alone_shows_the_change() {
        let scratch = Scratch::default();
        let mut tasks = TaskList::default();
        let read = |tool, json| read_result(Some(tool), Some(format::Raw::from(json).into()), None, &scratch).result;
        let written = read("TodoWrite", r#"{"oldTodos":[],"newTodos":[{"content":"Dig","status":"pending"}]}"#);
        assert_eq!(tasks.apply(None, Some(&written)).len(), 1);
        let created = read("TaskCreate", r#"{"task":{"id":"1","subject":"Sow"}}"#);
        assert_eq!(tasks.apply(None, Some(&created)).len(), 1);
        let updated =
            read("TaskUpdate", r#"{"success":true,"taskId":"1","statusChange":{"from":"pending","to":"completed"}}"#);
        assert_eq!(
            *tasks.apply(None, Some(&updated)),
            [TaskChange {
                subject: "Sow".into(),
                before: Some(TaskStatus::Pending),
                after: Some(TaskStatus::Completed)
            }]
        );
        let silent = ["TodoWrite", "TaskUpdate"].map(|tool| {
            let json = r#"{"success":true,"taskId":"9","updatedFields":["owner"]}"#;
            read_result(Some(tool), Some(format::Raw::from(json).into()), None, &scratch).result
        });
        let before = tasks.clone();
        assert!(silent.iter().all(|result| tasks.apply(None, Some(result)).is_empty()));
        assert_eq!(tasks.apply(None, None).len(), 0);
        assert_eq!(tasks, before);
    }

    #[test]
    fn the_list_stays_small() {
        let scratch = Scratch::default();
        let many = vec![format!(r#"{{"content":"{}","status":"pending"}}"#, "x".repeat(500)); 3 * MOST];
        let json = format!(r#"{{"oldTodos":[],"newTodos":[{}]}}"#, many.join(","));
        let result = read_result(Some("TodoWrite"), Some(format::Raw::from(&*json).into()), None, &scratch).result;
        let mut tasks = TaskList::default();
        assert_eq!(tasks.apply(None, Some(&result)).len(), MOST);
        assert!(tasks.items().all(|task| task.subject.chars().count() <= 121));
    }
}
