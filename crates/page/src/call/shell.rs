//! Commands, and what runs in the background.

use format::Text;
use format::tool::{
    GitOperation, MonitorInput, MonitorResult, PullRequest, ShellInput, ShellOutputInput, ShellOutputResult,
    ShellResult, TaskKind, TaskOutputResult, TaskState, TaskStopResult,
};
use maud::{Markup, html};

use super::content::{images, said};
use super::json::block_or_output;
use super::piece::{beyond, first_of, label, link, note, notes, sized, spaced, task, took, with, word};
use super::stored::{self, Stored, whole};
use crate::{code, output, prose};
use content::view::CallParts;
use styled::highlight::Language;

/// A command, and what it is for.
pub(super) fn command(shell: &ShellInput<'_>, language: &str) -> Markup {
    let limit = with("at most", &took(shell.timeout));
    let outside = if shell.dangerously_disable_sandbox == Some(true) { "outside the sandbox" } else { "" };
    html! {
        (notes(&[word(shell.description), &limit, outside]))
        (code(word(shell.command), Language::named(language), None))
    }
}

/// What a command printed.
pub(super) fn printed(shell: &ShellResult<'_>, parts: &CallParts<'_>, stored: Option<&Stored>) -> Markup {
    let exit = shell.exit_code.filter(|code| *code != 0).map(|code| format!("exit code {code}")).unwrap_or_default();
    let is_silent = shell.background_task_id.is_none() && shell.interrupted != Some(true);
    html! {
        @if shell.is_image == Some(true) {
            (images(parts.content))
        } @else {
            (whole(stored, &stdout(shell.stdout), stored::path(shell), &sized(shell.persisted_output_size)))
            (stderr(shell.stdout, shell.stderr, is_silent && stored.is_none()))
        }
        (notes(&[&exit, word(shell.return_code_interpretation)]))
        @if let Some(seen) = shell.token_saver_output { (label("what the model saw of it")) (output(&seen)) }
        (background(shell))
        @if let Some(request) = shell.git_operation.as_deref().and_then(|done| done.pull_request.as_ref()) {
            (pull_request(request))
        }
    }
}

/// Both streams, the second with its name.
fn streams(out: Option<Text<'_>>, err: Option<Text<'_>>, says_nothing: bool) -> Markup {
    html! { (stdout(out)) (stderr(out, err, says_nothing)) }
}

fn stdout(stdout: Option<Text<'_>>) -> Markup {
    block_or_output(word(stdout))
}

/// The second stream, and whether there was anything at all.
fn stderr(stdout: Option<Text<'_>>, stderr: Option<Text<'_>>, says_nothing: bool) -> Markup {
    let (stdout, stderr) = (word(stdout), word(stderr));
    let has_stderr = !stderr.trim().is_empty() && stderr != stdout;
    html! {
        @if has_stderr { (label("stderr")) (output(stderr)) }
        @if says_nothing && !has_stderr && stdout.trim().is_empty() { (note("no output")) }
    }
}

fn background(shell: &ShellResult<'_>) -> Markup {
    let id = task(shell.background_task_id);
    let cause = match (shell.backgrounded_by_user, shell.timed_out_after_ms) {
        (Some(true), _) => "sent there by the user".to_owned(),
        (_, Some(limit)) => with("because it took longer than", &took(Some(limit))),
        _ => String::new(),
    };
    let file = with("output in", word(shell.output_file));
    html! { @if !id.is_empty() { (notes(&[&with("runs in the background as", id), &cause, &file])) } }
}

/// What a command did to the repository, in a few words each.
pub(super) fn git(done: &GitOperation<'_>) -> Vec<String> {
    let pair = |one: &str, other: &str| format!("{one} {other}").trim().to_owned();
    let commit = done.commit.as_ref().map(|it| pair(first_of([word(it.kind), "commit"]), word(it.sha)));
    let branch = done.branch.as_ref().map(|it| pair(word(it.action), word(it.reference)));
    let push = done.push.as_ref().map(|it| pair("pushed", word(it.branch)));
    let request = done.pull_request.as_ref().map(|it| pair(&numbered(it), word(it.action)));
    [commit, branch, push, request].into_iter().flatten().filter(|words| !words.is_empty()).collect()
}

fn numbered(request: &PullRequest<'_>) -> String {
    let number = request.number.map(|number| format!(" #{number}")).unwrap_or_default();
    format!("pull request{number}")
}

fn pull_request(request: &PullRequest<'_>) -> Markup {
    html! { @if request.url.is_some() { p.note { (link(&numbered(request), word(request.url))) } } }
}

/// Which output is read.
pub(super) fn output_asked(asked: &ShellOutputInput<'_>) -> Markup {
    let seconds = asked.wait_up_to.and_then(|seconds| seconds.checked_mul(1000));
    note(&with("waits at most", &took(seconds)))
}

/// What a shell in the background has printed.
pub(super) fn shell_output(read: &ShellOutputResult<'_>) -> Markup {
    html! {
        @if let Some(command) = read.command { (code(&command, Language::named("bash"), None)) }
        (notes(&[standing(read.status).as_str(), &exit(read.exit_code)]))
        (streams(read.stdout, read.stderr, true))
    }
}

/// What a task in the background has given.
pub(super) fn task_output(read: &TaskOutputResult<'_>, parts: &CallParts<'_>) -> Markup {
    let Some(task) = read.task.as_ref() else { return said(parts.content) };
    // What an agent printed is its transcript; its answer is its result.
    let answer = word(task.result);
    let is_agent = matches!(task.kind, Some(TaskKind::LocalAgent | TaskKind::RemoteAgent));
    html! {
        (notes(&[word(task.description), &standing(task.status), &exit(task.exit_code)]))
        @if !answer.trim().is_empty() { (prose(answer)) }
        @else if is_agent && task.is_raw_transcript != Some(true) { (prose(word(task.output))) }
        @else { (streams(task.output, None, task.error.is_none())) }
        @if let Some(error) = task.error { (label("error")) (output(&error)) }
    }
}

fn standing(state: Option<TaskState<'_>>) -> String {
    spaced(state.map_or("", TaskState::as_str))
}

fn exit(code: Option<i64>) -> String {
    code.map(|code| format!("exit code {code}")).unwrap_or_default()
}

/// What was stopped.
pub(super) fn stopped(stopped: &TaskStopResult<'_>) -> Markup {
    html! {
        (note(word(stopped.message)))
        @if let Some(command) = stopped.command { (code(&command, Language::named("bash"), None)) }
    }
}

/// What is watched.
pub(super) fn monitor(asked: &MonitorInput<'_>, line: &str) -> Markup {
    let limit = if asked.persistent == Some(true) { String::new() } else { with("at most", &took(asked.timeout_ms)) };
    let socket = asked.socket.as_ref().map_or("", |socket| word(socket.url));
    html! {
        (notes(&[beyond(line, word(asked.description)), &with("listens to", socket), &limit]))
        @if let Some(command) = asked.command { (code(&command, Language::named("bash"), None)) }
    }
}

/// That it is watched.
pub(super) fn monitored(started: &MonitorResult<'_>) -> Markup {
    note(&with("runs in the background as", task(started.task_id)))
}
