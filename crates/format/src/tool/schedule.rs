//! Inputs and results of scheduled prompts, wakeups, worktrees and remote triggers.

use super::result::{Outcome, Said, said_in};
use crate::id::SessionId;
use crate::json::{Notes, Raw, Text, Time, record};

record! {
    /// Input of `CronCreate`.
    pub struct CronCreateInput<'a>: "CronCreate input" {
        cron: Option<Text<'a>> = "cron",
        prompt: Option<Text<'a>> = "prompt",
        recurring: Option<bool> = "recurring",
        durable: Option<bool> = "durable",
    }

    /// A scheduled prompt; also an item of `CronList`.
    pub struct CronJob<'a>: "cron job" {
        id: Option<Text<'a>> = "id",
        cron: Option<Text<'a>> = "cron",
        human_schedule: Option<Text<'a>> = "humanSchedule",
        prompt: Option<Text<'a>> = "prompt",
        recurring: Option<bool> = "recurring",
        durable: Option<bool> = "durable",
        next_fire_at: Option<Time<'a>> = "nextFireAt",
    }

    /// Input of `CronDelete`.
    pub struct CronDeleteInput<'a>: "CronDelete input" {
        id: Option<Text<'a>> = "id",
    }

    /// Result of `CronDelete`: the prompt that is no longer scheduled.
    pub struct CronDeleteResult<'a>: "CronDelete result" {
        id: Option<Text<'a>> = "id",
        ended_loop_wakeup: Option<bool> = "endedLoopWakeup",
    }

    /// The scheduled prompts.
    pub struct CronListResult<'a>: "CronList result" {
        jobs: Vec<CronJob<'a>> = "jobs",
    }

    /// Input of `ScheduleWakeup`.
    pub struct ScheduleWakeupInput<'a>: "ScheduleWakeup input" {
        delay_seconds: Option<f64> = "delaySeconds",
        reason: Option<Text<'a>> = "reason",
        prompt: Option<Text<'a>> = "prompt",
        /// Ends the loop.
        stop: Option<bool> = "stop",
        noop: Option<bool> = "noop",
    }

    /// The time at which the session wakes up.
    pub struct ScheduleWakeupResult<'a>: "ScheduleWakeup result" {
        scheduled_for: Option<Time<'a>> = "scheduledFor",
        clamped_delay_seconds: Option<f64> = "clampedDelaySeconds",
        was_clamped: Option<bool> = "wasClamped",
        stopped: Option<bool> = "stopped",
        cancelled_wakeups: Option<i64> = "cancelledWakeups",
    }

    /// Input of `EnterWorktree`.
    pub struct EnterWorktreeInput<'a>: "EnterWorktree input" {
        name: Option<Text<'a>> = "name",
        path: Option<Text<'a>> = "path",
    }

    /// The worktree that the session entered.
    pub struct EnterWorktreeResult<'a>: "EnterWorktree result" {
        worktree_path: Option<Text<'a>> = "worktreePath",
        worktree_branch: Option<Text<'a>> = "worktreeBranch",
        message: Option<Text<'a>> = "message",
    }

    /// Input of `ExitWorktree`.
    pub struct ExitWorktreeInput<'a>: "ExitWorktree input" {
        /// `keep` or `remove`.
        action: Option<Text<'a>> = "action",
        discard_changes: Option<bool> = "discard_changes",
    }

    /// The worktree that the session left.
    pub struct ExitWorktreeResult<'a>: "ExitWorktree result" {
        action: Option<Text<'a>> = "action",
        original_cwd: Option<Text<'a>> = "originalCwd",
        worktree_path: Option<Text<'a>> = "worktreePath",
        worktree_branch: Option<Text<'a>> = "worktreeBranch",
        tmux_session_name: Option<Text<'a>> = "tmuxSessionName",
        discarded_files: Option<i64> = "discardedFiles",
        discarded_commits: Option<i64> = "discardedCommits",
        message: Option<Text<'a>> = "message",
    }

    /// Input of `RemoteTrigger`.
    pub struct RemoteTriggerInput<'a>: "RemoteTrigger input" {
        /// `list`, `get`, `create`, `update`, `run`…
        action: Option<Text<'a>> = "action",
        trigger_id: Option<Text<'a>> = "trigger_id",
        session_id: Option<SessionId<'a>> = "session_id",
        cursor: Option<Text<'a>> = "cursor",
        body: Option<Raw<'a>> = "body",
    }

    /// The answer of the service.
    pub struct RemoteTriggerResult<'a>: "RemoteTrigger result" {
        /// The HTTP status.
        status: Option<i64> = "status",
        /// The answer, as JSON in a string.
        json: Option<Text<'a>> = "json",
        summary: Option<Text<'a>> = "summary",
    }
}

impl<'a> Outcome<'a> for CronJob<'a> {
    /// `Scheduled recurring job 4e48 (Every 5 minutes). …` or `Scheduled one-shot task 9993 (0 20 16 9 *). …`
    fn from_said(said: &Said<'a, '_>, notes: &mut Notes<'a>) -> Option<Self> {
        const KINDS: [(&str, bool); 2] = [("Scheduled recurring job ", true), ("Scheduled one-shot task ", false)];
        let found = KINDS.iter().find_map(|(start, recurring)| Some((said.text.strip_prefix(start)?, *recurring)));
        let Some((rest, recurring)) = found else { return said.json(notes) };
        let (id, rest) = rest.split_once(" (")?;
        let (schedule, rest) = rest.split_once(')')?;
        Some(Self {
            id: Some(Text::from(id)),
            human_schedule: Some(Text::from(schedule)),
            recurring: Some(recurring),
            durable: rest.contains("Session-only").then_some(false),
            ..Self::default()
        })
    }
}

impl<'a> Outcome<'a> for CronDeleteResult<'a> {
    /// `Cancelled job 4e48.`
    fn from_said(said: &Said<'a, '_>, notes: &mut Notes<'a>) -> Option<Self> {
        let Some(rest) = said.text.strip_prefix("Cancelled job ") else { return said.json(notes) };
        let (id, _) = rest.split_once('.').unwrap_or((rest, ""));
        Some(Self { id: Some(Text::from(id)), ..Self::default() })
    }
}

impl<'a> Outcome<'a> for CronListResult<'a> {
    /// `4e48 — Every 5 minutes (recurring) [session-only]: prompt`, one per line.
    fn from_said(said: &Said<'a, '_>, notes: &mut Notes<'a>) -> Option<Self> {
        if said.text.starts_with("No scheduled jobs") {
            return Some(Self::default());
        }
        let jobs: Vec<_> = said.text.lines().filter_map(listed).collect();
        if jobs.is_empty() { said.json(notes) } else { Some(Self { jobs }) }
    }
}

fn listed(line: &str) -> Option<CronJob<'_>> {
    let (id, rest) = line.split_once(" — ")?;
    let (head, prompt) = rest.split_once(": ")?;
    let (head, durable) = head.strip_suffix(" [session-only]").map_or((head, None), |head| (head, Some(false)));
    let (schedule, recurring) = match head.strip_suffix(" (recurring)") {
        Some(schedule) => (schedule, true),
        None => (head.strip_suffix(" (one-shot)").unwrap_or(head), false),
    };
    Some(CronJob {
        id: Some(Text::from(id)),
        human_schedule: Some(Text::from(schedule)),
        recurring: Some(recurring),
        durable,
        prompt: Some(Text::from(prompt)),
        ..CronJob::default()
    })
}

impl<'a> Outcome<'a> for ScheduleWakeupResult<'a> {
    /// `Next wakeup scheduled for 19:54:00 (in 3624s).` or `Loop stopped.`
    fn from_said(said: &Said<'a, '_>, notes: &mut Notes<'a>) -> Option<Self> {
        if said.text.starts_with("Loop stopped") {
            return Some(Self { stopped: Some(true), ..Self::default() });
        }
        let Some(rest) = said.text.strip_prefix("Next wakeup scheduled for ") else { return said.json(notes) };
        let delay = rest.split_once("(in ").and_then(|(_, rest)| rest.split_once('s')).map(|(seconds, _)| seconds);
        Some(Self { clamped_delay_seconds: delay.and_then(|seconds| seconds.parse().ok()), ..Self::default() })
    }
}

impl<'a> Outcome<'a> for RemoteTriggerResult<'a> {
    /// `HTTP 200`, followed by the answer.
    fn from_said(said: &Said<'a, '_>, notes: &mut Notes<'a>) -> Option<Self> {
        let Some(rest) = said.text.strip_prefix("HTTP ") else { return said.json(notes) };
        let (line, body) = rest.split_once('\n').unwrap_or((rest, ""));
        let status = line.split(' ').next().and_then(|status| status.parse().ok())?;
        Some(Self { status: Some(status), json: (!body.is_empty()).then(|| Text::from(body)), ..Self::default() })
    }
}

said_in! { EnterWorktreeResult.message, ExitWorktreeResult.message }
