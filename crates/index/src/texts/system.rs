//! `system` entries: what the program says, with the words of its events.

use format::Text;
use format::block::Content;
use format::entry::System;
use format::entry::system::{ApiError, HookRun, PostTurnSummary, StopHookSummary, SystemEvent, TaskNotification};

use super::speech::{self, Who};
use super::{Column, Pen};

pub(super) fn pieces(system: &System<'_>, pen: &mut Pen<'_>) {
    let texts = || system.content.iter().flat_map(Content::texts);
    match &system.event {
        Some(SystemEvent::LocalCommand(_)) => texts().for_each(|text| command(text.as_str(), pen)),
        // A recap: the model wrote it.
        Some(SystemEvent::AwaySummary(_)) => pen.put_all(Column::Replied, texts()),
        Some(SystemEvent::ShownThinking(_)) => pen.put_all(Column::Thought, texts()),
        _ => pen.put_all(Column::Seen, texts()),
    }
    if let Some(Content::Raw(json)) = system.content {
        pen.put_json(Column::Seen, [json]);
    }
    system.event.iter().for_each(|event| self::event(event, pen));
}

/// A command that the program carried out itself, or what it printed, in tags or without.
fn command(text: &str, pen: &mut Pen<'_>) {
    if text.contains('<') { speech::pieces(text, Who::Other, pen) } else { pen.put(Column::Seen, text) }
}

/// What an event says beside the text of its entry.
fn event(event: &SystemEvent<'_>, pen: &mut Pen<'_>) {
    let mut seen = |texts: &[Option<Text<'_>>]| pen.put_all(Column::Seen, texts.iter().copied());
    match event {
        SystemEvent::CompactBoundary(boundary) => {
            let asked = boundary.metadata.as_ref().and_then(|metadata| metadata.user_context);
            pen.put_all(Column::Said, [asked]);
        }
        SystemEvent::SessionTitleChanged(changed) => pen.put_all(Column::Said, [changed.title]),
        SystemEvent::StopHookSummary(summary) => stop_hooks(summary, pen),
        SystemEvent::HookResponse(run) => hook(run, pen),
        SystemEvent::ApiError(error) => api_error(error, pen),
        SystemEvent::ApiRetry(retry) => seen(&[retry.error]),
        SystemEvent::BridgeStatus(bridge) => seen(&[bridge.url, bridge.upgrade_nudge]),
        SystemEvent::ModelRefusalFallback(change)
        | SystemEvent::ModelRefusalNoFallback(change)
        | SystemEvent::ModelFallback(change)
        | SystemEvent::ModelConsentFallback(change) => {
            seen(&[change.original_model, change.fallback_model, change.trigger]);
            seen(&[change.refusal_category, change.refusal_explanation]);
        }
        SystemEvent::ScheduledTaskFire(fire) => seen(&[fire.prompt, fire.cron]),
        SystemEvent::PermissionRetry(retry) => pen.put_all(Column::Seen, retry.commands.iter().copied()),
        SystemEvent::PermissionDenied(denied) => seen(&[denied.tool_name, denied.decision_reason, denied.message]),
        SystemEvent::MemorySaved(saved) => pen.put_all(Column::Seen, saved.written_paths.iter().copied()),
        SystemEvent::MemoryRecall(recall) => {
            recall.memories.iter().for_each(|memory| seen(&[memory.path, memory.content]));
        }
        SystemEvent::TaskNotification(task) => self::task(task, pen),
        SystemEvent::TaskUpdated(updated) => {
            updated.patch.iter().for_each(|patch| seen(&[patch.description, patch.error]));
        }
        SystemEvent::Notification(note) => seen(&[note.text]),
        SystemEvent::PostTurnSummary(summary) => turn_summary(summary, pen),
        SystemEvent::Status(status) => seen(&[status.compact_error]),
        SystemEvent::FilesPersisted(files) => files.failed.iter().for_each(|file| seen(&[file.filename, file.error])),
        SystemEvent::FileAttachmentsMissing(files) => files.missing.iter().for_each(|file| seen(&[file.reason])),
        SystemEvent::PluginInstall(plugin) => seen(&[plugin.name, plugin.error]),
        SystemEvent::WorkerShuttingDown(worker) => seen(&[worker.reason]),
        SystemEvent::MirrorError(error) => seen(&[error.error]),
        SystemEvent::SessionWritesLost(lost) => seen(&[lost.error_code]),
        SystemEvent::CodeChangePublished(change) => {
            seen(&[change.repo, change.identifier, change.action, change.branch, change.url]);
        }
        SystemEvent::PeerMessageHold(hold) => {
            seen(&[hold.from_name, hold.from, hold.state, hold.outcome, hold.cause]);
        }
        SystemEvent::UiLog(said) | SystemEvent::UiToast(said) | SystemEvent::UiStatus(said) => seen(&[said.text]),
        SystemEvent::Unknown(unknown) => {
            pen.put_json(Column::Seen, unknown.fields.iter().map(|(_, json)| *json));
        }

        // The text of the entry is all there is.
        SystemEvent::MicrocompactBoundary(_)
        | SystemEvent::LocalCommand(_)
        | SystemEvent::LocalCommandOutput(_)
        | SystemEvent::TurnDuration(_)
        | SystemEvent::AwaySummary(_)
        | SystemEvent::Informational(_)
        | SystemEvent::AgentsKilled(_)
        | SystemEvent::FileSnapshot(_)
        | SystemEvent::ShownThinking(_)
        | SystemEvent::ApiMetrics(_)
        // How the session stands, and signs of life: others say what comes of them.
        | SystemEvent::Init(_)
        | SystemEvent::HookStarted(_)
        | SystemEvent::HookProgress(_)
        | SystemEvent::TaskStarted(_)
        | SystemEvent::TaskProgress(_)
        | SystemEvent::TaskSummary(_)
        | SystemEvent::BackgroundTasksChanged(_)
        | SystemEvent::ThinkingTokens(_)
        | SystemEvent::SessionStateChanged(_)
        | SystemEvent::SessionMetadata(_)
        | SystemEvent::PermissionCheckStatus(_)
        | SystemEvent::ElicitationComplete(_)
        | SystemEvent::CommandsChanged(_)
        | SystemEvent::ControlRequestProgress(_)
        | SystemEvent::VcsStateChanged(_)
        | SystemEvent::PerTurnEffortChanged(_)
        | SystemEvent::CloudSessionDelta(_)
        | SystemEvent::TurnHandoffAvailable(_)
        | SystemEvent::TurnPreempted(_)
        | SystemEvent::InheritedAsksSettled(_)
        | SystemEvent::InstructionSizeWarning(_)
        | SystemEvent::FeedbackDraftQueued(_)
        | SystemEvent::DevIntent(_)
        | SystemEvent::UiInvalidate(_)
        | SystemEvent::UiPanes(_)
        | SystemEvent::UiScroll(_)
        | SystemEvent::UiFocus(_)
        | SystemEvent::UiPlaced(_) => {}
    }
}

fn stop_hooks(summary: &StopHookSummary<'_>, pen: &mut Pen<'_>) {
    for hook in &summary.hook_infos {
        pen.put_all(Column::Seen, [hook.command, hook.prompt_text]);
    }
    let said = summary.hook_errors.iter().chain(&summary.hook_additional_context);
    pen.put_all(Column::Seen, said.copied().chain(summary.stop_reason));
}

/// A hook that has ended. Its output holds both streams, as a rule.
fn hook(run: &HookRun<'_>, pen: &mut Pen<'_>) {
    pen.put_all(Column::Seen, [run.hook_name.or(run.hook_event), run.output]);
    let holds = |text: &Text<'_>| run.output.is_some_and(|output| output.contains(text.trim()));
    pen.put_all(Column::Seen, [run.stdout, run.stderr].into_iter().flatten().filter(|text| !holds(text)));
}

fn api_error(error: &ApiError<'_>, pen: &mut Pen<'_>) {
    pen.put_all(Column::Seen, [error.code(), error.message()]);
    error.request_id().iter().for_each(|id| pen.put(Column::Seen, id.as_str()));
}

fn task(task: &TaskNotification<'_>, pen: &mut Pen<'_>) {
    pen.put_all(Column::Seen, [task.summary, task.reason, task.output_file]);
    for link in &task.resource_links {
        pen.put_all(Column::Seen, [link.uri, link.name, link.title, link.description]);
    }
    if let Some(report) = &task.handback_report {
        pen.put_all(Column::Seen, [report.text, report.warning]);
    }
}

/// What a turn came to, as the model sees it.
fn turn_summary(summary: &PostTurnSummary<'_>, pen: &mut Pen<'_>) {
    let words = [summary.title, summary.description, summary.status_detail, summary.needs_action];
    pen.put_all(Column::Replied, words.into_iter().chain([summary.recent_action]));
    pen.put_all(Column::Replied, summary.artifact_urls.iter().copied());
}
