//! `system` entries: messages of the program, with the words of its events.
//!
//! A row names the relevant fields; the others, and all fields of events without a row, are shown only at the highest
//! level of detail.

use format::block::Content;
use format::entry::System;
use format::entry::system::{ApiError, HookRun, SystemEvent};
use story::Detail;

use crate::pen::{Form, Pen, word};
use crate::section::Body;
use crate::section::{Speaker, Value};
use crate::{block, speech};

pub(super) fn system<'e>(system: &'e System<'e>, pen: &mut Pen<'_, 'e>) {
    let texts = || system.content.iter().flat_map(Content::texts);
    if let Some(SystemEvent::LocalCommand(_)) = &system.event {
        texts().for_each(|text| command(text.as_str(), pen));
    } else if let Some(SystemEvent::VoiceCallTalk(_)) = &system.event {
        texts().for_each(|text| speech::text(text.as_str(), Speaker::Human, pen));
    } else if let Some(SystemEvent::AwaySummary(_)) = &system.event {
        // The model wrote the recap.
        let mut pen = pen.by(Speaker::Claude);
        texts().for_each(|text| pen.at(Detail::Talk).put_text("", Form::Reply, text.as_str()));
    } else if let Some(SystemEvent::ShownThinking(_)) = &system.event {
        let mut pen = pen.by(Speaker::Claude);
        texts().for_each(|text| pen.put("", Body::Thinking(text.as_str().into())));
    } else {
        texts().for_each(|text| pen.put_text("", Form::Words, text.as_str()));
    }
    system.content.iter().for_each(|content| block::others(content, pen));
    pen.at(Detail::Raw).fact("level", system.level);
    if let Some(id) = system.tool_use_id {
        pen.at(Detail::Raw).put("toolUseID", Body::Fact(Value::Id(id.as_str())));
    }
    system.event.iter().for_each(|event| self::event(event, pen));
}

/// A command that the program executed itself, or its output, with or without tags.
fn command<'e>(text: &'e str, pen: &mut Pen<'_, 'e>) {
    if text.contains('<') {
        speech::text(text, Speaker::Program, pen);
    } else {
        pen.at(Detail::Steps).output("", text);
    }
}

/// The relevant fields of an event, as facts.
macro_rules! put_facts {
    ($pen:expr, $event:expr, $( $key:literal ),+) => {
        $pen.event($event, &[$( ($key, Form::Fact) ),+])
    };
}

/// The sections of an event, besides the text of its entry.
fn event<'e>(event: &'e SystemEvent<'e>, pen: &mut Pen<'_, 'e>) {
    match event {
        SystemEvent::CompactBoundary(boundary) => {
            let Some(metadata) = &boundary.metadata else { return };
            pen.human().put_text("", Form::Words, word(metadata.user_context));
            pen.event(metadata, &[("userContext", Form::Elsewhere)]);
        }
        SystemEvent::SessionTitleChanged(changed) => pen.human().event(changed, &[("title", Form::Words)]),
        SystemEvent::StopHookSummary(summary) => {
            pen.event(
                &**summary,
                &[
                    ("hookInfos", Form::Fact),
                    ("hookErrors", Form::Output),
                    ("hookAdditionalContext", Form::Output),
                    ("stopReason", Form::Fact),
                ],
            );
        }
        SystemEvent::HookResponse(run) => hook(run, pen),
        SystemEvent::ApiError(error) => api_error(error, pen),
        SystemEvent::ApiRetry(retry) => put_facts!(pen, &**retry, "error"),
        SystemEvent::BridgeStatus(bridge) => put_facts!(pen, bridge, "url", "upgradeNudge"),
        SystemEvent::ModelRefusalFallback(change)
        | SystemEvent::ModelRefusalNoFallback(change)
        | SystemEvent::ModelFallback(change)
        | SystemEvent::ModelConsentFallback(change) => put_facts!(
            pen,
            &**change,
            "originalModel",
            "fallbackModel",
            "trigger",
            "apiRefusalCategory",
            "apiRefusalExplanation"
        ),
        SystemEvent::ScheduledTaskFire(fire) => {
            pen.event(&**fire, &[("cron", Form::Fact), ("prompt", Form::Prose)]);
        }
        SystemEvent::PermissionRetry(retry) => put_facts!(pen, retry, "commands"),
        SystemEvent::PermissionDenied(denied) => {
            put_facts!(pen, &**denied, "tool_name", "decision_reason", "message");
        }
        SystemEvent::MemorySaved(saved) => put_facts!(pen, saved, "writtenPaths"),
        SystemEvent::MemoryRecall(recall) => put_facts!(pen, recall, "memories"),
        SystemEvent::TaskNotification(task) => {
            pen.event(
                &**task,
                &[
                    ("summary", Form::Words),
                    ("reason", Form::Fact),
                    ("output_file", Form::Fact),
                    ("resource_links", Form::Fact),
                    ("handback_report", Form::Fact),
                ],
            );
        }
        SystemEvent::TaskUpdated(updated) => {
            pen.event(&**updated, &[("patch", Form::Elsewhere)]);
            updated.patch.iter().for_each(|patch| put_facts!(pen, patch, "description", "error"));
        }
        SystemEvent::Notification(note) => pen.event(&**note, &[("text", Form::Words)]),
        // The model's summary of a turn.
        SystemEvent::PostTurnSummary(summary) => {
            let keys = ["title", "description", "status_detail", "needs_action", "recent_action", "artifact_urls"];
            pen.by(Speaker::Claude).event(&**summary, &keys.map(|key: &'static str| (key, Form::Reply)));
        }
        SystemEvent::Status(status) => put_facts!(pen, &**status, "compact_error"),
        SystemEvent::FilesPersisted(files) => put_facts!(pen, &**files, "failed"),
        SystemEvent::FileAttachmentsMissing(files) => {
            pen.event(&**files, &[("missing", Form::Elsewhere)]);
            files.missing.iter().for_each(|file| put_facts!(pen, file, "reason"));
        }
        SystemEvent::PluginInstall(plugin) => put_facts!(pen, plugin, "name", "error"),
        SystemEvent::WorkerShuttingDown(worker) => put_facts!(pen, worker, "reason"),
        SystemEvent::MirrorError(error) => put_facts!(pen, &**error, "error"),
        SystemEvent::SessionWritesLost(lost) => put_facts!(pen, &**lost, "error_code"),
        SystemEvent::CodeChangePublished(change) => {
            put_facts!(pen, &**change, "repo", "identifier", "action", "branch", "url");
        }
        SystemEvent::PeerMessageHold(hold) => {
            put_facts!(pen, &**hold, "from_name", "from", "state", "outcome", "cause");
        }
        SystemEvent::UiLog(said) | SystemEvent::UiToast(said) | SystemEvent::UiStatus(said) => {
            pen.event(said, &[("text", Form::Words)]);
        }
        SystemEvent::Unknown(unknown) => pen.open(unknown, &[]),

        // The text of the entry is sufficient, or other entries show the effect.
        other => pen.event(other, &[]),
    }
}

/// A finished hook. Its output usually contains both streams.
fn hook<'e>(run: &'e HookRun<'e>, pen: &mut Pen<'_, 'e>) {
    let output = word(run.output);
    let stream = |text: Option<format::Text<'_>>| {
        if output.contains(word(text).trim()) { Form::Detail } else { Form::Output }
    };
    pen.event(
        run,
        &[
            ("hook_name", Form::Fact),
            ("hook_event", if run.hook_name.is_some() { Form::Detail } else { Form::Fact }),
            ("output", Form::Output),
            ("stdout", stream(run.stdout)),
            ("stderr", stream(run.stderr)),
        ],
    );
}

/// The name, message and request id of an error; its other fields are shown only at the highest level of detail.
fn api_error<'e>(error: &'e ApiError<'e>, pen: &mut Pen<'_, 'e>) {
    pen.fact("error", error.code());
    pen.fact("message", error.message());
    if let Some(id) = error.request_id() {
        pen.put("request", Body::Fact(Value::Id(id.as_str())));
    }
    pen.event(error, &[]);
}
