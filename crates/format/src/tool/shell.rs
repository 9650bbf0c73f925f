//! Inputs and results of shell commands in the foreground.

use super::result::{Outcome, Said};
use crate::block::Block;
use crate::id::TaskId;
use crate::json::{Notes, Raw, Text, record};
use crate::text::{BackgroundCause, PersistedOutput, ResultText};

record! {
    /// Input of `Bash` and `PowerShell`.
    pub struct ShellInput<'a>: "shell input" {
        command: Option<Text<'a>> = "command",
        description: Option<Text<'a>> = "description",
        /// In milliseconds.
        timeout: Option<i64> = "timeout",
        run_in_background: Option<bool> = "run_in_background",
        dangerously_disable_sandbox: Option<bool> = "dangerouslyDisableSandbox",
        /// Up to about 1.0.30.
        sandbox: Option<bool> = "sandbox",
        /// A stray field of browser tools.
        tab_id: Option<Text<'a>> = "tabId",
    }

    /// Input of `REPL`.
    pub struct ReplInput<'a>: "REPL input" {
        /// JavaScript.
        code: Option<Text<'a>> = "code",
    }

    /// Output of a command. There is no exit code on success; failures are texts.
    pub struct ShellResult<'a>: "shell result" {
        /// Usually holds both streams.
        stdout: Option<Text<'a>> = "stdout",
        stderr: Option<Text<'a>> = "stderr",
        interrupted: Option<bool> = "interrupted",
        is_image: Option<bool> = "isImage",
        no_output_expected: Option<bool> = "noOutputExpected",
        /// The meaning of an exit code other than 0, e.g. `No matches found`.
        return_code_interpretation: Option<Text<'a>> = "returnCodeInterpretation",
        /// Written by some hosts only.
        exit_code: Option<i64> = "exit_code" | "exitCode",
        background_task_id: Option<TaskId<'a>> = "backgroundTaskId",
        backgrounded_by_user: Option<bool> = "backgroundedByUser",
        assistant_auto_backgrounded: Option<bool> = "assistantAutoBackgrounded",
        timed_out_after_ms: Option<i64> = "timedOutAfterMs",
        background_cwd_hint: Option<Text<'a>> = "backgroundCwdHint",
        background_ends_with_final_response: Option<bool> = "backgroundEndsWithFinalResponse",
        background_wakes_owner: Option<bool> = "backgroundWakesOwner",
        dangerously_disable_sandbox: Option<bool> = "dangerouslyDisableSandbox",
        sandbox: Option<bool> = "sandbox",
        /// The file for output that is too large for the context.
        persisted_output_path: Option<Text<'a>> = "persistedOutputPath",
        persisted_output_size: Option<i64> = "persistedOutputSize",
        raw_output_path: Option<Text<'a>> = "rawOutputPath",
        /// The file that a background command writes to; read only from the text.
        output_file: Option<Text<'a>> = "outputFile",
        structured_content: Vec<Raw<'a>> = "structuredContent",
        stale_read_file_state_hint: Option<Text<'a>> = "staleReadFileStateHint",
        gh_rate_limit_hint: Option<Text<'a>> = "ghRateLimitHint",
        /// The shortened output that the model saw instead.
        token_saver_output: Option<Text<'a>> = "tokenSaverOutput",
        git_operation: Option<Box<GitOperation<'a>>> = "gitOperation",
    }

    /// The effect of the command on the repository.
    pub struct GitOperation<'a>: "git operation" {
        commit: Option<GitCommit<'a>> = "commit",
        push: Option<GitPush<'a>> = "push",
        branch: Option<GitBranch<'a>> = "branch",
        pull_request: Option<PullRequest<'a>> = "pr",
    }

    /// A commit.
    pub struct GitCommit<'a>: "git commit" {
        sha: Option<Text<'a>> = "sha",
        /// `committed`, `amended` or `cherry-picked`.
        kind: Option<Text<'a>> = "kind",
        branch: Option<Text<'a>> = "branch",
    }

    /// A push.
    pub struct GitPush<'a>: "git push" {
        branch: Option<Text<'a>> = "branch",
    }

    /// A merge or a rebase.
    pub struct GitBranch<'a>: "git branch" {
        reference: Option<Text<'a>> = "ref",
        /// `merged` or `rebased`.
        action: Option<Text<'a>> = "action",
    }

    /// A pull request.
    pub struct PullRequest<'a>: "pull request" {
        number: Option<i64> = "number",
        url: Option<Text<'a>> = "url",
        /// `created`, `edited`, `merged`, `commented`, `closed`…
        action: Option<Text<'a>> = "action",
    }
}

impl<'a> Outcome<'a> for ShellResult<'a> {
    fn from_said(said: &Said<'a, '_>, _: &mut Notes<'a>) -> Option<Self> {
        if let ResultText::Background(command) = said.reading {
            return Some(Self {
                stdout: Some(Text::from(command.output)),
                background_task_id: Some(TaskId::from(command.id)),
                backgrounded_by_user: (command.cause == BackgroundCause::ByUser).then_some(true),
                output_file: command.output_path.map(Text::from),
                ..Self::default()
            });
        }
        let silent = said.text.starts_with('(') && said.text.ends_with(" completed with no output)");
        let is_image = said.blocks().iter().any(|block| matches!(block, Block::Image(_)));
        Some(Self {
            stdout: Some(Text::from(if silent { "" } else { without_rerun(said.text) })),
            is_image: is_image.then_some(true),
            ..Self::default()
        })
    }

    fn from_persisted(output: PersistedOutput<'a>) -> Option<Self> {
        Some(Self {
            stdout: Some(Text::from(output.preview)),
            persisted_output_path: output.path.map(Text::from),
            ..Self::default()
        })
    }
}

/// Removes the `[rerun: b9]` that 2.1.101 added for the model.
fn without_rerun(text: &str) -> &str {
    let mark = text.strip_suffix(']').and_then(|text| text.rsplit_once("\n[rerun: "));
    mark.filter(|(_, id)| !id.contains(']')).map_or(text, |(output, _)| output)
}
