//! Background work, and the goal of a session.

use format::entry::attachment::{GoalStatus, TaskReminder, TaskStatus, TodoReminder};
use format::entry::stream::Goal;
use format::entry::system::{Handback, TaskNotification, TaskState, TaskUpdated};

use super::{context, say, words};
use crate::step::{ContextKind, NoticeKind, Severity, StepKind};

fn severity(state: Option<TaskState<'_>>) -> Severity {
    match state {
        Some(TaskState::Failed) => Severity::Error,
        Some(TaskState::Killed | TaskState::Stopped) => Severity::Expected,
        Some(
            TaskState::Pending | TaskState::Running | TaskState::Paused | TaskState::Completed | TaskState::Other(_),
        )
        | None => Severity::Normal,
    }
}

fn state_word(state: Option<TaskState<'_>>) -> &str {
    state.map_or("", TaskState::as_str)
}

/// A task has ended.
///
/// A stream reports this for foreground commands as well; those have no output file, and their call shows the outcome.
pub(super) fn notification(task: &TaskNotification<'_>) -> Option<StepKind> {
    let in_foreground = task.output_file.is_some_and(|path| path.is_empty());
    if in_foreground || task.ambient == Some(true) || task.skip_transcript == Some(true) {
        return None;
    }
    let (held_back, severity) = match task.handback {
        Some(Handback::Withheld) => ("report withheld", Severity::Warning),
        Some(Handback::Flagged) => ("report flagged", Severity::Warning),
        Some(Handback::Send | Handback::Other(_)) | None => ("", severity(task.status)),
    };
    let summary = words::of(task.summary);
    // `Agent "Research" completed` already contains it.
    let state = Some(state_word(task.status)).filter(|word| !summary.contains(word)).unwrap_or_default();
    let usage = task.usage.as_ref();
    let text = words::dotted([
        summary,
        state,
        held_back,
        &words::spaced(words::of(task.reason)),
        &words::duration(usage.and_then(|usage| usage.duration_ms)),
        &words::tokens(usage.and_then(|usage| usage.total_tokens)),
    ]);
    say(NoticeKind::Task, severity, &text)
}

/// A task changed; only a failure is news, since the notification reports its end.
pub(super) fn updated(task: &TaskUpdated<'_>) -> Option<StepKind> {
    let patch = task.patch.as_ref()?;
    let failed = patch.status == Some(TaskState::Failed);
    if !failed && patch.error.is_none() {
        return None;
    }
    let id = task.task_id.map_or("", |id| id.as_str());
    let what = patch.description.map_or_else(|| format!("task {id}"), |description| description.to_string());
    let severity = if failed { Severity::Error } else { severity(patch.status).max(Severity::Expected) };
    say(NoticeKind::Task, severity, &words::dotted([&what, state_word(patch.status), words::of(patch.error)]))
}

pub(super) fn status(task: &TaskStatus<'_>) -> Option<StepKind> {
    let text = words::dotted([words::of(task.description), state_word(task.status), words::of(task.delta_summary)]);
    say(NoticeKind::Task, severity(task.status), &text)
}

/// The tasks, repeated.
pub(super) fn tasks(reminder: &TaskReminder<'_>) -> Option<StepKind> {
    let items: Vec<_> = reminder.content.iter().map(|task| (words::of(task.subject), words::of(task.status))).collect();
    checklist(&items)
}

/// The to-do list, repeated.
pub(super) fn todos(reminder: &TodoReminder<'_>) -> Option<StepKind> {
    let items: Vec<_> = reminder.content.iter().map(|todo| (words::of(todo.content), words::of(todo.status))).collect();
    checklist(&items)
}

/// The progress of a list of items with their states, and the next item.
fn checklist(items: &[(&str, &str)]) -> Option<StepKind> {
    if items.is_empty() {
        return None;
    }
    let with = |wanted: &'static str| items.iter().filter(move |(_, status)| *status == wanted);
    let next = with("in_progress").chain(with("pending")).next().map_or("", |(what, _)| what);
    let far = format!("{} of {} done", with("completed").count(), items.len());
    context(ContextKind::Tasks, &words::dotted([&far, next]))
}

/// Whether the goal is met. With a sentinel, the user has just set or withdrawn it.
pub(super) fn goal_status(goal: &GoalStatus<'_>) -> Option<StepKind> {
    let what = match (goal.met == Some(true), goal.sentinel == Some(true)) {
        (false, true) => "goal set",
        (true, true) => "goal ended",
        (false, false) => "goal not met yet",
        (true, false) => "goal met",
    };
    let text = words::dotted([
        &words::with(what, words::of(goal.condition)),
        &rounds(goal.iterations),
        &words::duration(goal.duration_ms),
        &words::tokens(goal.tokens),
        words::of(goal.reason),
    ]);
    say(NoticeKind::Info, Severity::Normal, &text)
}

pub(super) fn active_goal(goal: &Goal<'_>) -> Option<StepKind> {
    let goal_text = words::with("goal", words::of(goal.condition));
    let text = words::dotted([&goal_text, &rounds(goal.iterations), words::of(goal.last_reason)]);
    say(NoticeKind::Info, Severity::Normal, &text)
}

fn rounds(iterations: Option<i64>) -> String {
    let iterations = iterations.and_then(|iterations| usize::try_from(iterations).ok()).unwrap_or_default();
    if iterations == 0 { String::new() } else { words::counted(iterations, "round") }
}
