//! `system` entries, of transcripts and streams (docs/format B.3, H.4).

use format::Text;
use format::entry::System;
use format::entry::system::{
    CodeChangePublished, CompactBoundary, CompactTrigger, FileAttachmentsMissing, FilesPersisted,
    InstructionSizeWarning, MicrocompactBoundary, ModelChange, Notification, PeerMessageHold, PermissionDenied,
    PluginInstall, PostTurnSummary, SessionWritesLost, Status, SystemEvent, TurnDuration, TurnState,
};

use super::{EntryOutcome, context, failure, hook, program, say, task, unknown, words};
use crate::preview::preview;
use crate::step::{Compaction, ContextKind, Extent, NoticeKind, Output, Severity, StepKind, Thinking, Trigger};

/// The step of a `system` entry.
///
/// The tags in `local_command` (commands and their outputs) are parsed by the caller; here the entry counts as output.
pub(crate) fn system(system: &System<'_>) -> EntryOutcome {
    use NoticeKind::{AwaySummary, Info, Memory, Permission, Session, Task};
    use Severity::{Expected, Normal, Warning};

    let content = words::of(system.content.as_ref().and_then(|content| content.texts().next()));
    let level = by_level(words::of(system.level));
    let Some(event) = &system.event else { return untyped(content, level).into() };
    let step = match event {
        SystemEvent::CompactBoundary(boundary) => Some(compaction(boundary)),
        SystemEvent::MicrocompactBoundary(boundary) => Some(microcompaction(boundary)),

        SystemEvent::LocalCommand(_) | SystemEvent::LocalCommandOutput(_) => output(content, level),
        SystemEvent::ShownThinking(_) => thinking(content),

        SystemEvent::TurnDuration(turn) => turn_duration(turn),
        SystemEvent::AwaySummary(_) => say(AwaySummary, Normal, without_hint(content)),
        SystemEvent::PostTurnSummary(summary) => turn_summary(summary),
        SystemEvent::Informational(remark) => {
            let floor = if remark.prevent_continuation == Some(true) { Warning } else { Normal };
            say(Info, level.max(floor), content)
        }
        SystemEvent::Notification(note) => notification(note),
        SystemEvent::TurnPreempted(_) => {
            say(NoticeKind::Interrupted, Expected, "the turn was given up for the message after it")
        }

        SystemEvent::StopHookSummary(summary) => hook::stop_summary(summary),
        SystemEvent::HookResponse(run) => hook::response(run),

        SystemEvent::ApiError(error) => failure::api_error(error),
        SystemEvent::ApiRetry(retry) => failure::api_retry(retry),

        SystemEvent::ModelRefusalFallback(change) => model_change(change, "refused", content),
        SystemEvent::ModelRefusalNoFallback(change) => refusal(change, content),
        SystemEvent::ModelFallback(change) | SystemEvent::ModelConsentFallback(change) => {
            model_change(change, words::of(change.trigger), content)
        }

        SystemEvent::PermissionRetry(retry) => {
            let commands = words::list(retry.commands.iter().map(|command| command.as_str()));
            say(Permission, Normal, or(content, &words::with("allowed after all", &commands)))
        }
        SystemEvent::PermissionDenied(denied) => permission_denied(denied),

        SystemEvent::ScheduledTaskFire(fire) => say(Task, Normal, &words::with(content, words::of(fire.prompt))),
        SystemEvent::AgentsKilled(_) => say(Task, Expected, or(content, "background agents were stopped")),
        SystemEvent::TaskNotification(ended) => task::notification(ended),
        SystemEvent::TaskUpdated(updated) => task::updated(updated),

        SystemEvent::MemorySaved(saved) => {
            let files = words::list(saved.written_paths.iter().map(|path| words::file_name(path)));
            say(Memory, Normal, or(content, &words::with("remembered", &files)))
        }
        SystemEvent::MemoryRecall(recall) => context(
            ContextKind::Instructions,
            &words::list(recall.memories.iter().map(|memory| words::of(memory.path))),
        ),

        SystemEvent::BridgeStatus(bridge) => {
            say(Session, Normal, or(content, &words::with("remote control", words::of(bridge.url))))
        }
        SystemEvent::Status(status) => compaction_error(status),
        SystemEvent::FilesPersisted(files) => files_not_stored(files),
        SystemEvent::FileAttachmentsMissing(files) => files_missing(files),
        SystemEvent::PluginInstall(plugin) => plugin_install(plugin),
        SystemEvent::WorkerShuttingDown(worker) => {
            say(Session, Normal, &words::with("the process ends", &words::spaced(words::of(worker.reason))))
        }
        SystemEvent::MirrorError(error) => {
            say(Session, Warning, &words::with("the transcript could not be copied", words::of(error.error)))
        }
        SystemEvent::SessionWritesLost(lost) => writes_lost(lost),
        SystemEvent::CodeChangePublished(change) => code_change(change),
        SystemEvent::PeerMessageHold(hold) => peer_message(hold),
        SystemEvent::InstructionSizeWarning(size) => instructions_too_long(size),

        // The configuration and state of the session are facts about the session, not steps.
        SystemEvent::Init(_)
        | SystemEvent::SessionStateChanged(_)
        | SystemEvent::SessionTitleChanged(_)
        | SystemEvent::SessionMetadata(_)
        | SystemEvent::CommandsChanged(_)
        | SystemEvent::VcsStateChanged(_)
        | SystemEvent::PerTurnEffortChanged(_)
        | SystemEvent::CloudSessionDelta(_)
        | SystemEvent::TurnHandoffAvailable(_)
        | SystemEvent::DevIntent(_)
        | SystemEvent::FileSnapshot(_)
        | SystemEvent::ApiMetrics(_) => None,

        SystemEvent::Unknown(event) => Some(unknown("system", &event.kind)),
        // Progress signals, drawings of plugins, and events that are no more than their text.
        _ => say(Info, level, content),
    };
    step.into()
}

fn by_level(level: &str) -> Severity {
    match level {
        "error" => Severity::Error,
        "warning" => Severity::Warning,
        _ => Severity::Normal,
    }
}

/// The program's own words, or ours if there are none.
fn or<'a>(content: &'a str, ours: &'a str) -> &'a str {
    if content.trim().is_empty() { ours } else { content }
}

/// Entries of 1.0.33 to 1.0.56, which contain only a text: mostly hooks that start and end.
fn untyped(content: &str, level: Severity) -> Option<StepKind> {
    let text = preview(content);
    if text.starts_with("Running ") && text.ends_with("...") {
        return None;
    }
    // `PostToolUse:Edit [ruff format] completed successfully: 1 file reformatted`
    let of_hook = text.split_once(" [").is_some_and(|(name, rest)| !name.contains(' ') && rest.contains("] "));
    let kind = if of_hook { NoticeKind::Hook } else { NoticeKind::Info };
    program::says(&text).or_else(|| say(kind, level, &text))
}

fn trigger(trigger: Option<CompactTrigger<'_>>) -> Trigger {
    match trigger {
        Some(CompactTrigger::Auto) => Trigger::Auto,
        Some(CompactTrigger::Manual) => Trigger::Manual,
        Some(CompactTrigger::Other(_)) | None => Trigger::Unknown,
    }
}

/// The summary is in the entry after this one.
fn compaction(boundary: &CompactBoundary<'_>) -> StepKind {
    let metadata = boundary.metadata.as_ref();
    let preserved = metadata.and_then(|metadata| metadata.preserved_messages.as_ref());
    // A segment's size is only known from its entries, except when it begins where it ends.
    let segment = metadata.and_then(|metadata| metadata.preserved_segment.as_ref());
    let single = segment.is_some_and(|segment| segment.head_uuid.is_some() && segment.head_uuid == segment.tail_uuid);
    let preserved = preserved.map_or(usize::from(single), |messages| messages.uuids.len());
    let in_part = metadata.is_some_and(|metadata| metadata.direction.is_some());
    StepKind::Compaction(Box::new(Compaction {
        trigger: trigger(metadata.and_then(|metadata| metadata.trigger)),
        tokens_before: metadata.and_then(|metadata| metadata.pre_tokens),
        tokens_after: metadata.and_then(|metadata| metadata.post_tokens),
        preview: Box::default(),
        summary: None,
        preserved: u32::try_from(preserved).unwrap_or(u32::MAX),
        extent: if in_part { Extent::Part } else { Extent::Whole },
    }))
}

fn microcompaction(boundary: &MicrocompactBoundary<'_>) -> StepKind {
    let metadata = boundary.metadata.as_ref();
    let before = metadata.and_then(|metadata| metadata.pre_tokens);
    let saved = metadata.and_then(|metadata| metadata.tokens_saved);
    StepKind::Compaction(Box::new(Compaction {
        trigger: trigger(metadata.and_then(|metadata| metadata.trigger)),
        tokens_before: before,
        tokens_after: before.zip(saved).and_then(|(before, saved)| before.checked_sub(saved)),
        preview: Box::default(),
        summary: None,
        preserved: 0,
        extent: Extent::Results,
    }))
}

fn output(content: &str, level: Severity) -> Option<StepKind> {
    let preview = preview(content);
    let is_error = level == Severity::Error;
    (!preview.is_empty()).then(|| StepKind::Output(Box::new(Output { is_error, preview })))
}

fn thinking(content: &str) -> Option<StepKind> {
    let length = u32::try_from(content.len()).unwrap_or(u32::MAX);
    (length > 0).then_some(StepKind::Thinking(Thinking { length, partial: false }))
}

fn turn_duration(turn: &TurnDuration) -> Option<StepKind> {
    let running = |count: Option<i64>, noun| {
        let count = count.and_then(|count| usize::try_from(count).ok()).filter(|count| *count > 0);
        count.map_or_else(String::new, |count| format!("{} still running", words::counted(count, noun)))
    };
    let text = words::dotted([
        &words::duration(turn.duration_ms),
        &running(turn.pending_background_agents, "agent"),
        &running(turn.pending_workflows, "workflow"),
    ]);
    let mut step = say(NoticeKind::TurnDuration, Severity::Normal, &text)?;
    if let StepKind::Notice(notice) = &mut step {
        notice.duration_ms = turn.duration_ms.and_then(words::whole_millis);
    }
    Some(step)
}

/// A recap without the hint on how to disable recaps.
fn without_hint(recap: &str) -> &str {
    let recap = recap.trim_end();
    match recap.rsplit_once('(') {
        Some((text, hint)) if hint.ends_with("/config)") => text.trim_end(),
        _ => recap,
    }
}

fn turn_summary(summary: &PostTurnSummary<'_>) -> Option<StepKind> {
    if summary.is_noteworthy == Some(false) {
        return None;
    }
    let severity = match summary.status_category {
        Some(TurnState::Failed) => Severity::Error,
        Some(TurnState::Blocked) => Severity::Warning,
        Some(TurnState::Waiting | TurnState::Completed | TurnState::ReviewReady | TurnState::Other(_)) | None => {
            Severity::Normal
        }
    };
    let state = words::spaced(summary.status_category.map_or("", TurnState::as_str));
    let detail = words::of(summary.status_detail.or(summary.description).or(summary.title));
    let text = words::dotted([&words::with(&state, detail), words::of(summary.needs_action)]);
    say(NoticeKind::Info, severity, &text)
}

/// Notifications of low priority are tips that disappear after seconds.
fn notification(note: &Notification<'_>) -> Option<StepKind> {
    if !matches!(words::of(note.priority), "high" | "immediate") {
        return None;
    }
    let is_bad = words::of(note.key).contains("error") || matches!(words::of(note.color), "error" | "warning");
    let severity = if is_bad { Severity::Warning } else { Severity::Normal };
    say(NoticeKind::Info, severity, words::of(note.text))
}

fn model_change(change: &ModelChange<'_>, why: &str, content: &str) -> Option<StepKind> {
    let (from, to) = (words::of(change.original_model), words::of(change.fallback_model));
    let why = because(why, change.refusal_category);
    let text = match (from, to) {
        ("", "") => words::with(&why, content),
        (from, "") => words::with(from, &why),
        ("", to) => words::with(&format!("→ {to}"), &why),
        (from, to) => words::with(&format!("{from} → {to}"), &why),
    };
    say(NoticeKind::ModelChange, Severity::Warning, &text)
}

/// The model refused and no other took over: the turn is lost.
fn refusal(change: &ModelChange<'_>, content: &str) -> Option<StepKind> {
    let model = change.original_model.map_or("the model", Text::as_str);
    let what = because(&format!("{model} refused"), change.refusal_category);
    let why = words::of(change.refusal_explanation);
    say(NoticeKind::ModelChange, Severity::Error, &words::with(&what, or(why, content)))
}

fn because(what: &str, category: Option<Text<'_>>) -> String {
    let what = preview(what);
    category.map_or_else(|| what.to_string(), |category| format!("{what} ({category})"))
}

fn permission_denied(denied: &PermissionDenied<'_>) -> Option<StepKind> {
    let tool = denied.tool_name.map_or("a call", Text::as_str);
    let why = words::of(denied.decision_reason.or(denied.message));
    say(NoticeKind::Permission, Severity::Warning, &words::with(&format!("{tool} not allowed"), why))
}

fn compaction_error(status: &Status<'_>) -> Option<StepKind> {
    let error = status.compact_error?;
    say(NoticeKind::Session, Severity::Warning, &words::with("compaction failed", &error))
}

fn files_not_stored(files: &FilesPersisted<'_>) -> Option<StepKind> {
    let first = files.failed.first()?;
    let what = format!("{} not stored", words::counted(files.failed.len(), "file"));
    let which = words::dotted([words::of(first.filename), words::of(first.error)]);
    say(NoticeKind::Session, Severity::Warning, &words::with(&what, &which))
}

fn files_missing(files: &FileAttachmentsMissing<'_>) -> Option<StepKind> {
    let missing = match (files.missing.len(), files.sent_count) {
        (missing, Some(sent)) => {
            format!("{missing} of {}", words::counted(usize::try_from(sent).unwrap_or_default(), "file"))
        }
        (missing, None) => words::counted(missing, "file"),
    };
    let reasons = words::list(files.missing.iter().map(|file| words::of(file.reason)));
    let text = words::with(&format!("{missing} did not arrive"), &words::spaced(&reasons));
    say(NoticeKind::Session, Severity::Warning, &text)
}

fn plugin_install(plugin: &PluginInstall<'_>) -> Option<StepKind> {
    if plugin.error.is_none() && words::of(plugin.status) != "failed" {
        return None;
    }
    let what = format!("plugin {} not installed", words::of(plugin.name));
    say(NoticeKind::Session, Severity::Warning, &words::with(&what, words::of(plugin.error)))
}

fn writes_lost(lost: &SessionWritesLost<'_>) -> Option<StepKind> {
    let what = match lost.lost.len() {
        0 => "entries were lost".to_owned(),
        1 => "1 entry was lost".to_owned(),
        count => format!("{count} entries were lost"),
    };
    let why = match words::of(lost.error_code) {
        "ENOSPC" => "the disk is full",
        "EDQUOT" => "the disk quota is used up",
        other => other,
    };
    say(NoticeKind::Session, Severity::Error, &words::with(&what, why))
}

fn code_change(change: &CodeChangePublished<'_>) -> Option<StepKind> {
    let repo = words::of(change.repo);
    let what = change.identifier.map_or_else(|| repo.to_owned(), |number| format!("{repo} #{number}"));
    let text =
        words::dotted([&words::with(&what, words::of(change.action)), words::of(change.branch), words::of(change.url)]);
    say(NoticeKind::Info, Severity::Normal, &text)
}

fn peer_message(hold: &PeerMessageHold<'_>) -> Option<StepKind> {
    let state = words::of(hold.outcome.or(hold.state));
    let severity = if state == "held" { Severity::Warning } else { Severity::Normal };
    let from = hold.from_name.or(hold.from).map_or("another session", Text::as_str);
    let text = words::with(&format!("message from {from} {state}"), &words::spaced(words::of(hold.cause)));
    say(NoticeKind::Session, severity, &text)
}

fn instructions_too_long(size: &InstructionSizeWarning) -> Option<StepKind> {
    let total = size.total_chars.map_or_else(String::new, |total| format!("{} characters", words::short(total)));
    let limit = size.total_limit_chars.map_or_else(String::new, |limit| format!("limit {}", words::short(limit)));
    let text = words::with("the instruction files are too long", &words::list([total.as_str(), limit.as_str()]));
    say(NoticeKind::Session, Severity::Warning, &text)
}
