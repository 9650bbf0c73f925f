//! The output of commands, and the state of background tasks.

use format::tool::{
    BackgroundTask, GitOperation, Retrieval, ShellOutputResult, ShellResult, TaskOutputResult, TaskState,
};

use super::fields::gist_of_text;
use super::phrase::{complaint, first_line, first_of, gist, list, pair, sized, spaced, task, word};
use super::{Outcome, failure};

pub(super) fn command(shell: &ShellResult<'_>) -> Outcome {
    let (stdout, stderr) = (word(shell.stdout), word(shell.stderr));
    let output = first_of([stdout, stderr]);
    if shell.interrupted == Some(true) {
        return failure::interrupted(output);
    }
    if shell.background_task_id.is_some() {
        return Outcome::background(task(shell.background_task_id));
    }
    let meaning = word(shell.return_code_interpretation);
    match shell.exit_code.filter(|code| *code != 0) {
        Some(code) if meaning.is_empty() => Outcome::exited(code, &complaint(first_of([stderr, stdout]))),
        _ => Outcome::done(printed(shell, first_of([output, meaning]))),
    }
}

/// One line for a successful command.
fn printed(shell: &ShellResult<'_>, output: &str) -> String {
    let done = shell.git_operation.as_deref().map(git).unwrap_or_default();
    if !done.is_empty() {
        return done;
    }
    if shell.is_image == Some(true) {
        return "an image".to_owned();
    }
    match (shell.persisted_output_path, output) {
        (Some(_), _) => in_a_file(output, &sized(shell.persisted_output_size)),
        (None, "") if shell.no_output_expected != Some(true) => "no output".to_owned(),
        (None, _) => gist_of_text(output),
    }
}

/// Output of which only the start is known; the rest is in a file of this size.
pub(super) fn in_a_file(beginning: &str, size: &str) -> String {
    pair(&first_line(beginning), ", ", &pair("all of it in a file", " of ", size))
}

fn git(operation: &GitOperation<'_>) -> String {
    let commit =
        operation.commit.as_ref().map(|commit| pair(first_of([word(commit.kind), "commit"]), " ", word(commit.sha)));
    let branch = operation.branch.as_ref().map(|branch| pair(word(branch.action), " ", word(branch.reference)));
    let push = operation.push.as_ref().map(|push| pair("pushed", " ", word(push.branch)));
    let request = operation.pull_request.as_ref().map(|request| {
        let number = request.number.map_or_else(String::new, |number| format!("#{number}"));
        pair(&pair("pull request", " ", &number), " ", word(request.action))
    });
    list([commit, branch, push, request].iter().flatten().map(String::as_str), ", ")
}

pub(super) fn shell_output(shell: &ShellOutputResult<'_>) -> Outcome {
    let (stdout, stderr) = (word(shell.stdout), word(shell.stderr));
    // Of a failure, the errors say more.
    let has_failed = shell.status == Some(TaskState::Failed) || shell.exit_code.is_some_and(|code| code != 0);
    by_state(shell.status, shell.exit_code, first_of(if has_failed { [stderr, stdout] } else { [stdout, stderr] }))
}

pub(super) fn task_output(read: &TaskOutputResult<'_>) -> Outcome {
    let nothing = BackgroundTask::default();
    let task = read.task.as_ref().unwrap_or(&nothing);
    let output = first_of([word(task.error), word(task.result), word(task.output)]);
    let state = task.status.or(match read.retrieval_status {
        Some(Retrieval::Timeout | Retrieval::NotReady) => Some(TaskState::Running),
        Some(Retrieval::Success | Retrieval::Other(_)) | None => None,
    });
    by_state(state, task.exit_code, output)
}

/// The call succeeded, but the task it read may have failed.
fn by_state(state: Option<TaskState<'_>>, exit_code: Option<i64>, output: &str) -> Outcome {
    let name = &spaced(state.map_or("", TaskState::as_str));
    match (state, exit_code) {
        (Some(TaskState::Killed | TaskState::Stopped), _) => Outcome::done(pair(name, ": ", &gist(output))),
        (_, Some(code)) if code != 0 => Outcome::warning(pair(&format!("exit {code}"), ": ", &complaint(output))),
        (Some(TaskState::Failed), _) => Outcome::warning(pair(name, ": ", &complaint(output))),
        (
            Some(
                TaskState::Pending
                | TaskState::Running
                | TaskState::InProgress
                | TaskState::Completed
                | TaskState::Other(_),
            )
            | None,
            _,
        ) => Outcome::done(pair(name, ": ", &gist(output))),
    }
}
