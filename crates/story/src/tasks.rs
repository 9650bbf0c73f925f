//! The list of tasks, folded from the calls that change it.
//!
//! Two generations of tools maintain it: `TodoWrite` writes the whole list each time, the `Task` tools change one task
//! each and identify it by number. [`TaskList`] contains the result of both.

use format::Text;
use format::tool::{
    self, ListedTask, TaskCreateInput, TaskCreateResult, TaskUpdateInput, TaskUpdateResult, Todo, ToolInput, ToolResult,
};
use rustc_hash::{FxHashMap, FxHashSet};
use serde::{Deserialize, Serialize};

use crate::preview::shortened;

/// One change to the list of tasks.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TaskChange {
    /// Its number, if the list has numbers.
    pub id: Option<Box<str>>,
    /// The task.
    pub subject: Box<str>,
    /// Its earlier wording, if that changed.
    pub reworded_from: Option<Box<str>>,
    /// Its wording while it is in progress.
    pub active_form: Option<Box<str>>,
    /// What changed.
    pub event: TaskEvent,
    /// Its status before; `None` if it is new.
    pub before: Option<TaskStatus>,
    /// Its status now; `None` if it was removed.
    pub after: Option<TaskStatus>,
}

/// What changed about a task.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum TaskEvent {
    /// It was added.
    New,
    /// It is in progress now.
    Started,
    /// It is completed now.
    Done,
    /// It was completed and no longer is.
    Reopened,
    /// It was in progress and is pending again.
    PutOff,
    /// Only its wording changed.
    Reworded,
    /// It was removed.
    Removed,
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
    /// Its wording while it is in progress.
    pub active_form: Option<Box<str>>,
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

    /// The wording of the task with this number.
    pub(crate) fn subject_of(&self, id: &str) -> Option<&str> {
        let task = self.tasks.iter().find(|task| task.id.as_deref() == Some(id));
        task.filter(|task| !task.is_nameless()).map(|task| &*task.subject)
    }

    /// Replaces the list. Tasks with the same `key` are the same, and so are similar ones in the same place.
    fn replace<T>(
        &mut self,
        list: &[T],
        read: impl Fn(&T) -> Option<Task>,
        key: impl Fn(&Task) -> &str,
    ) -> Box<[TaskChange]> {
        let tasks: Vec<_> = list.iter().filter_map(read).take(MOST).collect();
        let earlier = matched(&self.tasks, &tasks, key);
        let mut is_gone = vec![true; self.tasks.len()];
        let mut changes = Vec::new();
        for (task, earlier) in tasks.iter().zip(earlier) {
            if let Some(flag) = earlier.and_then(|at| is_gone.get_mut(at)) {
                *flag = false;
            }
            changes.extend(task.since(earlier.and_then(|at| self.tasks.get(at))));
        }
        let gone = self.tasks.iter().zip(is_gone).filter(|(_, is_gone)| *is_gone);
        changes.extend(gone.map(|(task, _)| task.removed()));
        self.tasks = tasks;
        changes.into()
    }

    fn create(&mut self, asked: &TaskCreateInput<'_>, created: &TaskCreateResult<'_>) -> Box<[TaskChange]> {
        let created = created.task.clone().unwrap_or_default();
        let subject = created.subject.or(asked.subject);
        let active_form = created.active_form.or(asked.active_form);
        subject.and_then(|_| self.put(&ListedTask { subject, active_form, ..created })).into_iter().collect()
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
        let update = ListedTask {
            id: Some(id),
            subject: asked.subject,
            status,
            owner: asked.owner,
            active_form: asked.active_form,
            ..ListedTask::default()
        };
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

/// For each of the `after` tasks, the one of `before` that it was.
///
/// Tasks with the same key are the same. A task that has none is an earlier one in other words if both follow the same
/// task and they are similar.
fn matched(before: &[Task], after: &[Task], key: impl Fn(&Task) -> &str) -> Vec<Option<usize>> {
    let mut by_key: FxHashMap<_, Vec<_>> = FxHashMap::default();
    for (at, task) in before.iter().enumerate().rev() {
        by_key.entry(key(task)).or_default().push(at);
    }
    let mut matched: Vec<_> = after.iter().map(|task| by_key.get_mut(key(task)).and_then(Vec::pop)).collect();
    let mut is_free = vec![true; before.len()];
    for at in matched.iter().flatten() {
        if let Some(flag) = is_free.get_mut(*at) {
            *flag = false;
        }
    }
    // Where a free task is: the task that it follows, and how far after it.
    let mut places = FxHashMap::default();
    let mut place = (None, 0);
    for (at, is_free) in is_free.into_iter().enumerate() {
        place = if is_free { (place.0, place.1 + 1) } else { (Some(at), 0) };
        if is_free {
            places.insert(place, at);
        }
    }
    let mut place = (None, 0);
    for (task, matched) in after.iter().zip(&mut matched) {
        if matched.is_some() {
            place = (*matched, 0);
            continue;
        }
        place.1 += 1;
        let earlier = places.get(&place).filter(|at| before.get(**at).is_some_and(|before| before.is_like(task)));
        *matched = earlier.copied();
    }
    matched
}

impl Task {
    fn new(id: Option<Text<'_>>, subject: Option<Text<'_>>, status: Option<tool::TaskStatus<'_>>) -> Option<Self> {
        let status = status.map_or(Some(TaskStatus::Pending), TaskStatus::read)?;
        Some(Self {
            id: id.map(|id| short(&id)),
            subject: short(subject.as_deref().unwrap_or_default()),
            status,
            active_form: None,
            owner: None,
        })
    }

    /// The older list's numbers are dropped: they restart with each list.
    fn from_todo(todo: &Todo<'_>) -> Option<Self> {
        let task = Self::new(None, todo.content, todo.status)?;
        Some(Self { active_form: todo.active_form.map(|form| short(&form)), ..task })
    }

    fn from_listed(listed: &ListedTask<'_>) -> Option<Self> {
        let task = Self::new(listed.id, listed.subject, listed.status)?;
        let [active_form, owner] = [listed.active_form, listed.owner].map(|text| text.map(|text| short(&text)));
        Some(Self { active_form, owner, ..task })
    }

    fn learn(&mut self, said: &ListedTask<'_>) {
        if let Some(subject) = said.subject {
            self.subject = short(&subject);
        }
        if let Some(status) = said.status.and_then(TaskStatus::read) {
            self.status = status;
        }
        if let Some(active_form) = said.active_form {
            self.active_form = Some(short(&active_form));
        }
        if let Some(owner) = said.owner {
            self.owner = Some(short(&owner));
        }
    }

    fn subject(&self) -> &str {
        &self.subject
    }

    /// Whether only its number is known.
    fn is_nameless(&self) -> bool {
        self.subject.strip_prefix('#').is_some_and(|number| Some(number) == self.id.as_deref())
    }

    fn id(&self) -> &str {
        self.id.as_deref().unwrap_or(&self.subject)
    }

    /// Whether another task without its key can be the same in other words: it has the same wording while in progress,
    /// or at least half of its words.
    fn is_like(&self, other: &Self) -> bool {
        if self.active_form.is_some() && self.active_form == other.active_form {
            return true;
        }
        let words = |task: &Self| task.subject.split_whitespace().map(str::to_lowercase).collect::<FxHashSet<_>>();
        let (own, others) = (words(self), words(other));
        let shared = own.intersection(&others).count();
        shared > 0 && shared * 2 >= own.len().max(others.len())
    }

    /// The change since the task was as in `before`.
    fn since(&self, before: Option<&Self>) -> Option<TaskChange> {
        let earlier = before.map(|before| before.status);
        let named = before.filter(|before| !before.is_nameless());
        let reworded_from = named.map(|before| &before.subject).filter(|subject| **subject != self.subject);
        let event = match (earlier, self.status) {
            (None, _) => TaskEvent::New,
            (Some(before), now) if before == now => reworded_from.map(|_| TaskEvent::Reworded)?,
            (Some(_), TaskStatus::Completed) => TaskEvent::Done,
            (Some(TaskStatus::Completed), TaskStatus::Pending | TaskStatus::InProgress) => TaskEvent::Reopened,
            (Some(_), TaskStatus::InProgress) => TaskEvent::Started,
            (Some(_), TaskStatus::Pending) => TaskEvent::PutOff,
        };
        Some(self.change(event, earlier, Some(self.status), reworded_from.cloned()))
    }

    fn removed(&self) -> TaskChange {
        self.change(TaskEvent::Removed, Some(self.status), None, None)
    }

    fn change(
        &self,
        event: TaskEvent,
        before: Option<TaskStatus>,
        after: Option<TaskStatus>,
        reworded_from: Option<Box<str>>,
    ) -> TaskChange {
        let Self { id, subject, active_form, .. } = self.clone();
        TaskChange { id, subject, reworded_from, active_form, event, before, after }
    }
}

impl TaskEvent {
    /// The event in a word or two.
    pub const fn words(self) -> &'static str {
        match self {
            Self::New => "new",
            Self::Started => "started",
            Self::Done => "done",
            Self::Reopened => "open again",
            Self::PutOff => "put off",
            Self::Reworded => "reworded",
            Self::Removed => "removed",
        }
    }
}

impl TaskStatus {
    /// The status as people write it.
    pub const fn words(self) -> &'static str {
        match self {
            Self::Pending => "pending",
            Self::InProgress => "in progress",
            Self::Completed => "completed",
        }
    }

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
mod tests;
