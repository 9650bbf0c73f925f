//! Tools with little to show: skills, schedules, worktrees, messages to the user, servers of tools.

use format::tool::{
    CronCreateInput, CronJob, CronListResult, EnterWorktreeResult, ExitWorktreeResult, Finding, ListMcpResourcesResult,
    Open, PushNotificationResult, ReadMcpResourceResult, ReadNotificationsResult, RefreshMcpToolsResult,
    RemoteTriggerResult, ScheduleWakeupInput, ScheduleWakeupResult, SendFeedbackInput, SendUserFileInput,
    SendUserFileResult, SendUserMessageInput, SkillInput, SkillProposal, SkillResult,
};
use jiff::tz::TimeZone;
use maud::{Markup, html};

use super::content::{decoded_size, said, shown};
use super::json;
use super::piece::{beyond, counted, facts, first_of, label, link, note, notes, sized, spaced, with, word};
use crate::{code, output, prose, text};
use content::view::CallParts;
use human::date_and_time;
use styled::highlight::Language;

/// What a skill is given.
pub(super) fn skill_asked(skill: &SkillInput<'_>, line: &str) -> Markup {
    let args = beyond(line, word(skill.args));
    html! { @if !args.is_empty() { (prose(args)) } }
}

/// A skill that was used.
pub(super) fn skill(skill: &SkillResult<'_>, parts: &CallParts<'_>) -> Markup {
    let tools = skill.allowed_tools.iter().map(|tool| tool.as_str()).collect::<Vec<_>>().join(", ");
    html! {
        (notes(&[word(skill.status), word(skill.model), &with("may use", &tools)]))
        @if let Some(words) = skill.result { (prose(&words)) } @else { (said(parts.content)) }
    }
}

/// Skills that are proposed.
pub(super) fn proposals(proposals: &[SkillProposal<'_>]) -> Markup {
    html! {
        @for skill in proposals {
            (facts(&[
                ("skill", word(skill.name)),
                ("kind", word(skill.kind)),
                ("of", word(skill.target)),
                ("for", word(skill.description)),
                ("because", &skill.evidence.iter().map(|it| it.as_str()).collect::<Vec<_>>().join("\n")),
            ]))
            @if let Some(words) = skill.skill_md { (code(&words, Language::named("markdown"), None)) }
        }
    }
}

/// A prompt that is to be scheduled.
pub(super) fn job_asked(asked: &CronCreateInput<'_>, line: &str) -> Markup {
    html! { (note(beyond(line, word(asked.cron)))) (prose(word(asked.prompt))) }
}

/// A scheduled prompt, one of several or alone.
pub(super) fn job(job: &CronJob<'_>) -> Markup {
    let next = job.next_fire_at.and_then(format::Time::milliseconds);
    let next = date_and_time(next, &TimeZone::UTC);
    html! {
        (facts(&[
            ("id", word(job.id)),
            ("when", first_of([word(job.human_schedule), word(job.cron)])),
            ("next", &(if next.is_empty() { next } else { format!("{next} UTC") })),
        ]))
        (notes(&[
            match job.recurring { Some(true) => "again and again", Some(false) => "once", None => "" },
            if job.durable == Some(false) { "only in this session" } else { "" },
        ]))
        @if let Some(words) = job.prompt { (prose(&words)) }
    }
}

/// All scheduled prompts.
pub(super) fn jobs(list: &CronListResult<'_>) -> Markup {
    html! {
        @for job in &list.jobs { (self::job(job)) }
        @if list.jobs.is_empty() { (note("nothing is scheduled")) }
    }
}

/// When to go on.
pub(super) fn wakeup_asked(asked: &ScheduleWakeupInput<'_>, line: &str) -> Markup {
    html! {
        (note(beyond(line, word(asked.reason))))
        @if let Some(words) = asked.prompt { (prose(&words)) }
    }
}

/// When it goes on.
pub(super) fn wakeup(given: &ScheduleWakeupResult<'_>) -> Markup {
    let at = date_and_time(given.scheduled_for.and_then(format::Time::milliseconds), &TimeZone::UTC);
    let at = if at.is_empty() { at } else { format!("at {at} UTC") };
    notes(&[
        if given.stopped == Some(true) { "stopped" } else { at.as_str() },
        if given.was_clamped == Some(true) { "not as asked: there are limits" } else { "" },
    ])
}

/// Where the session is now.
pub(super) fn entered(tree: &EnterWorktreeResult<'_>) -> Markup {
    let parts = [("worktree", word(tree.worktree_path)), ("branch", word(tree.worktree_branch))];
    html! { (facts(&parts)) (note(word(tree.message))) }
}

/// Where the session was.
pub(super) fn left(tree: &ExitWorktreeResult<'_>) -> Markup {
    let lost = |number: Option<i64>, one: &str, many: &str| counted(number.filter(|number| *number > 0), one, many);
    html! {
        (facts(&[
            ("worktree", word(tree.worktree_path)),
            ("branch", word(tree.worktree_branch)),
            ("back in", word(tree.original_cwd)),
            ("lost", lost(tree.discarded_files, "changed file", "changed files").as_str()),
            ("and", lost(tree.discarded_commits, "commit", "commits").as_str()),
        ]))
        (note(word(tree.message)))
    }
}

/// What a service answered.
pub(super) fn triggered(given: &RemoteTriggerResult<'_>) -> Markup {
    let status = given.status.map(|status| format!("HTTP {status}")).unwrap_or_default();
    html! {
        (notes(&[status.as_str(), word(given.summary)]))
        @if let Some(answer) = given.json { (json::block_or_output(&answer)) }
    }
}

/// Whether a notification reached the user.
pub(super) fn notified(given: &PushNotificationResult<'_>) -> Markup {
    match (given.push_sent, given.local_sent, given.disabled_reason) {
        (Some(true), _, _) | (_, Some(true), _) => note("sent"),
        (_, _, Some(reason)) => note(&format!("not sent: {}", spaced(&reason))),
        (_, _, None) => note(word(given.message)),
    }
}

/// Notifications that had been waiting.
pub(super) fn notifications(given: &ReadNotificationsResult<'_>) -> Markup {
    html! {
        @for notification in &given.notifications {
            (label(first_of([word(notification.origin), "notification"])))
            (output(word(notification.content)))
        }
        (note(&with("still waiting:", &counted(given.remaining.filter(|it| *it > 0), "one", "more"))))
        @if given.notifications.is_empty() { (note("no notifications")) }
    }
}

/// Files for the user.
pub(super) fn files_asked(sent: &SendUserFileInput<'_>) -> Markup {
    html! {
        (note(word(sent.caption)))
        ul.names { @for file in &sent.files { li { code { (text(file)) } } } }
    }
}

/// Files that the user has now.
pub(super) fn files_sent(sent: &SendUserFileResult<'_>) -> Markup {
    html! {
        @for file in &sent.attachments {
            (notes(&[word(file.path), word(file.media_type), &sized(file.size)]))
        }
    }
}

/// What the model says to the user.
pub(super) fn speech(sent: &SendUserMessageInput<'_>) -> Markup {
    html! {
        (prose(word(sent.message)))
        @if !sent.attachments.is_empty() {
            ul.names { @for file in &sent.attachments { li { code { (text(file)) } } } }
        }
    }
}

/// What the model tells the makers of the program.
pub(super) fn feedback(sent: &SendFeedbackInput<'_>) -> Markup {
    html! {
        (facts(&[
            ("kind", &spaced(word(sent.kind))),
            ("title", word(sent.title)),
            ("area", &spaced(word(sent.area))),
            ("what went wrong", &spaced(word(sent.failure_mode))),
            ("task", &spaced(word(sent.task_category))),
        ]))
        @if let Some(words) = sent.details { (prose(&words)) }
    }
}

/// What a review found.
pub(super) fn findings(findings: &[Finding<'_>]) -> Markup {
    html! {
        @if findings.is_empty() { (note("no findings")) }
        @for found in findings { (finding(found)) }
    }
}

fn finding(found: &Finding<'_>) -> Markup {
    let line = found.line.map(|line| format!(":{line}")).unwrap_or_default();
    let place = format!("{}{line}", word(found.file));
    html! {
        section.finding {
            p { b { (text(first_of([word(found.short_summary), word(found.summary)]))) } }
            (notes(&[
                place.as_str(),
                &spaced(word(found.category)),
                &spaced(word(found.verdict)).to_lowercase(),
                &spaced(word(found.outcome)),
            ]))
            @if let (Some(_), Some(words)) = (found.short_summary, found.summary) { (prose(&words)) }
            @if let Some(words) = found.failure_scenario { (prose(&words)) }
        }
    }
}

/// Resources of servers.
pub(super) fn resources(list: &ListMcpResourcesResult<'_>) -> Markup {
    html! {
        @if list.resources.is_empty() { (note("no resources")) } @else {
            ul.links { @for resource in &list.resources {
                li {
                    (link(first_of([word(resource.title), word(resource.name)]), word(resource.uri)))
                    (notes(&[word(resource.server), word(resource.media_type), word(resource.description)]))
                }
            } }
        }
        (note(word(list.error)))
    }
}

/// What a resource holds.
pub(super) fn resource(read: &ReadMcpResourceResult<'_>) -> Markup {
    html! {
        @for part in &read.contents {
            (notes(&[word(part.uri), word(part.media_type), &with("saved to", word(part.blob_saved_to))]))
            @if let Some(words) = part.text { (json::block_or_output(&words)) }
            @if let Some(data) = part.blob {
                @if word(part.media_type).starts_with("image/") { (shown(word(part.media_type), &data)) }
                @else { (note(&sized(decoded_size(&data)))) }
            }
        }
        (note(word(read.error)))
    }
}

/// Servers that were asked for their tools again.
pub(super) fn refreshed(given: &RefreshMcpToolsResult<'_>) -> Markup {
    let names = |names: &[format::Text<'_>]| names.iter().map(|name| name.as_str()).collect::<Vec<_>>().join(", ");
    html! {
        @for server in &given.servers {
            (notes(&[
                word(server.server),
                &spaced(word(server.status)),
                &counted(server.tool_count, "tool", "tools"),
                &with("new:", &names(&server.added)),
                &with("gone:", &names(&server.removed)),
                word(server.error),
            ]))
        }
    }
}

/// An object of any form.
pub(super) fn open(open: &Open<'_>) -> Markup {
    html! {
        @if let Some(words) = open.text { (json::block_or_output(&words)) }
        @for (key, value) in open.fields.iter() { (label(key)) (json::block(value.as_json())) }
    }
}
