//! Messages of a stream and state records: most only keep the program running, a few matter to a reader (docs/format
//! B.8, H.5, H.6).

use format::entry::bookkeeping::{CollapseCommit, WorkflowFailed};
use format::entry::progress::Progress;
use format::entry::stream::{
    ControlCall, ConversationReset, RateLimit, RateLimitStatus, ResetTrigger, ResultKind, StreamEvent, TerminalReason,
    TurnResult,
};
use format::{Body, Raw, Scratch, Text};

use super::{capture, failure, program, say, task, unknown, words};
use crate::preview::preview;
use crate::step::{Compaction, Extent, NoticeKind, RunOutcome, Severity, StepKind, Trigger};

/// The step of an entry that is not a message, an event or an attachment. `None` if it is bookkeeping.
pub(crate) fn other(body: &Body<'_>) -> Option<StepKind> {
    match body {
        Body::Result(result) => turn_result(result),
        Body::RateLimitEvent(event) => rate_limit(event.info.as_ref()?),
        Body::ConversationReset(reset) => conversation_reset(reset),
        Body::AuthStatus(status) => {
            say(NoticeKind::Session, Severity::Error, &words::with("login failed", &status.error?))
        }
        Body::ActiveGoal(goal) => task::active_goal(goal.value.as_ref()?),
        Body::ToolProgress(progress) => failure::subagent_retry(progress.subagent_retry.as_ref()?),
        Body::StreamEvent(part) => stream_event(part.event.as_ref()?),
        Body::ControlRequest(control) => control_call(control.request.as_ref()?),
        Body::Progress(progress) => match progress.data.as_deref()? {
            Progress::Unknown(data) => Some(unknown("progress", &data.kind)),
            Progress::Bash(_)
            | Progress::Hook(_)
            | Progress::Agent(_)
            | Progress::Mcp(_)
            | Progress::WaitingForTask(_)
            | Progress::QueryUpdate(_)
            | Progress::SearchResultsReceived(_) => None,
        },

        Body::ContinuedIn(continued) => {
            let session = continued.session_id.map_or("another session", |id| id.as_str());
            say(NoticeKind::Info, Severity::Normal, &format!("the conversation goes on in {session}"))
        }
        Body::EndedByModel(_) => say(NoticeKind::Session, Severity::Warning, "the model ended the conversation"),
        Body::CollapseCommit(commit) => Some(collapse(commit)),
        Body::WorkflowFailed(failed) => workflow_failed(failed),
        Body::Captured(record) => capture::captured(record),

        Body::Unknown(entry) => Some(unknown("", &entry.kind)),

        // Handled elsewhere: messages, events, attachments and queued prompts.
        Body::User(_)
        | Body::Assistant(_)
        | Body::System(_)
        | Body::Attachment(_)
        | Body::QueueOperation(_)
        // Facts about the session as a whole.
        | Body::Summary(_)
        | Body::AiTitle(_)
        | Body::CustomTitle(_)
        | Body::AgentName(_)
        | Body::AgentColor(_)
        | Body::AgentSetting(_)
        | Body::AgentMetadata(_)
        | Body::Tag(_)
        | Body::TaskSummary(_)
        | Body::LastPrompt(_)
        | Body::PermissionMode(_)
        | Body::Mode(_)
        | Body::PrLink(_)
        | Body::FrameLink(_)
        | Body::WorktreeState(_)
        | Body::Relocated(_)
        | Body::BridgeSession(_)
        | Body::CostState(_)
        | Body::HistorySuppression(_)
        | Body::ForkContextRef(_)
        | Body::DerivedFrom(_)
        | Body::History(_)
        // These only keep the program running.
        | Body::FileHistorySnapshot(_)
        | Body::FileHistoryDelta(_)
        | Body::ContentReplacement(_)
        | Body::AttributionSnapshot(_)
        | Body::SpeculationAccept(_)
        | Body::CollapseSnapshot(_)
        | Body::CollapseReset(_)
        | Body::ArtifactAutoreactLedger(_)
        | Body::ArtifactCommentMonitor(_)
        | Body::AtisLatch(_)
        | Body::ApiRequest(_)
        | Body::ApiRequestShape(_)
        | Body::ApiRequestBlob(_)
        | Body::IsolationLatch(_)
        | Body::ObserverRef(_)
        | Body::SessionOwner(_)
        | Body::ToolsUsed(_)
        | Body::ReplMode(_)
        | Body::MemoryMode(_)
        | Body::DevMods(_)
        | Body::DataFlowRecords(_)
        | Body::DataFlowIncomplete(_)
        | Body::ResumeHeadVouch(_)
        | Body::LineWithheld(_)
        | Body::Checkpoint(_)
        | Body::TranscriptMirror(_)
        | Body::WorkflowLaunched(_)
        | Body::WorkflowStarted(_)
        | Body::PromptSuggestion(_)
        | Body::CommandLifecycle(_)
        | Body::AutocompactState(_)
        | Body::KeepAlive(_)
        | Body::ControlResponse(_)
        | Body::ControlCancelRequest(_)
        // Repeats in other words what the calls contain.
        | Body::ToolUseSummary(_) => None,
    }
}

/// The end of a run; in a workflow's journal, the end of one of its agents.
fn turn_result(result: &TurnResult<'_>) -> Option<StepKind> {
    let text = result.result.map(text_of).unwrap_or_default();
    if result.key.is_some() {
        return say(NoticeKind::Task, Severity::Normal, &words::with("result", &text));
    }
    let kind = result.kind.map(ResultKind::as_str);
    // Other programs write tool results under the same type.
    if kind.is_none() && result.is_error.is_none() && result.num_turns.is_none() {
        return None;
    }
    let is_error = result.is_error.unwrap_or(kind.is_some_and(|kind| kind != ResultKind::Success.as_str()));
    let errors: Box<[_]> = result.errors.iter().map(|error| preview(error)).collect();
    let said = [
        preview(&text),
        errors.first().cloned().unwrap_or_default(),
        preview(&words::spaced(words::of(result.startup_failure_reason.or(result.api_error)))),
        preview(&words::spaced(result.terminal_reason.map_or("", TerminalReason::as_str))),
        preview(&words::spaced(kind.filter(|_| is_error).unwrap_or_default())),
    ];
    let preview = match program::says(&text) {
        Some(StepKind::Notice(notice)) if is_error => notice.text,
        _ => said.into_iter().find(|words| !words.is_empty()).unwrap_or_default(),
    };
    Some(StepKind::Outcome(Box::new(RunOutcome {
        kind: kind.unwrap_or(if is_error { "error" } else { "success" }).into(),
        is_error,
        preview,
        cost_usd: result.total_cost_usd.or(result.cost_usd),
        duration_ms: result.duration_ms.and_then(words::whole_millis),
        turns: result.num_turns.and_then(|turns| u32::try_from(turns).ok()),
        denied: result
            .permission_denials
            .iter()
            .map(|denial| crate::preview::preview(words::of(denial.tool_name)))
            .collect(),
        errors,
    })))
}

/// The text of a value; its JSON if it is not a string.
fn text_of(value: Raw<'_>) -> String {
    let scratch = Scratch::default();
    value.as_text(&scratch).map_or_else(|| value.as_json().to_owned(), |text| text.to_string())
}

/// A limit that is near or reached; `None` while enough is left.
fn rate_limit(limit: &RateLimit<'_>) -> Option<StepKind> {
    let used_up = [limit.requests_remaining, limit.tokens_remaining].contains(&Some(0));
    let name = limit_name(words::of(limit.kind));
    let (severity, what) = match limit.status {
        Some(RateLimitStatus::Rejected) if limit.is_using_overage == Some(true) => {
            (Severity::Warning, format!("{name} reached, now using extra usage"))
        }
        Some(RateLimitStatus::Rejected) => (Severity::Error, format!("{name} reached")),
        Some(RateLimitStatus::AllowedWarning) => (Severity::Warning, format!("{name} is near")),
        Some(RateLimitStatus::Allowed | RateLimitStatus::Other(_)) | None if !used_up => return None,
        Some(RateLimitStatus::Allowed | RateLimitStatus::Other(_)) | None => {
            (Severity::Warning, format!("{name} reached"))
        }
    };
    let used = limit.utilization.map_or_else(String::new, |used| format!("{:.0} % used", used * 100.0));
    let resets = words::resets(limit.resets_at.or(limit.requests_reset).or(limit.tokens_reset));
    say(NoticeKind::Limit, severity, &words::dotted([&what, &used, &resets]))
}

fn limit_name(kind: &str) -> String {
    match kind {
        "" => "rate limit".to_owned(),
        "five_hour" => "5-hour limit".to_owned(),
        "seven_day" => "weekly limit".to_owned(),
        kind => match kind.strip_prefix("seven_day_") {
            Some(model) => format!("weekly limit of {}", words::spaced(model)),
            None => format!("{} limit", words::spaced(kind)),
        },
    }
}

fn conversation_reset(reset: &ConversationReset<'_>) -> Option<StepKind> {
    let why = match reset.trigger {
        Some(ResetTrigger::Clear) => "/clear",
        Some(ResetTrigger::PlanModeExit) => "plan approved",
        Some(ResetTrigger::FreshSession) => "fresh session",
        Some(ResetTrigger::Onboarding) => "onboarding",
        Some(ResetTrigger::Other(word)) => word.as_str(),
        None => "",
    };
    say(NoticeKind::Info, Severity::Normal, &words::with("a new conversation begins", why))
}

/// Pieces of messages are assembled elsewhere; only an error becomes a step.
fn stream_event(event: &StreamEvent<'_>) -> Option<StepKind> {
    match event {
        StreamEvent::Error(error) => failure::stream_error(error.error.as_ref()?),
        StreamEvent::Unknown(event) => Some(unknown("stream_event", &event.kind)),
        StreamEvent::MessageStart(_)
        | StreamEvent::BlockStart(_)
        | StreamEvent::BlockDelta(_)
        | StreamEvent::BlockStop(_)
        | StreamEvent::MessageDelta(_)
        | StreamEvent::MessageStop(_)
        | StreamEvent::Ping(_) => None,
    }
}

/// The few of some forty requests that change what happens next; the others only query.
fn control_call(call: &ControlCall<'_>) -> Option<StepKind> {
    match call {
        ControlCall::Interrupt(_) => say(NoticeKind::Interrupted, Severity::Normal, "interrupted by the host"),
        ControlCall::SetModel(set) => {
            let model = set.model.map_or("default", Text::as_str);
            say(NoticeKind::ModelChange, Severity::Normal, &format!("model set to {model}"))
        }
        ControlCall::SetPermissionMode(set) => {
            let mode = set.mode?.as_str();
            say(NoticeKind::Permission, Severity::Normal, &format!("permission mode set to {mode}"))
        }
        ControlCall::RewindFiles(rewind) if rewind.dry_run != Some(true) => {
            say(NoticeKind::Info, Severity::Normal, "files put back as they were at an earlier prompt")
        }
        ControlCall::Unknown(call) => Some(unknown("control_request", &call.kind)),
        _ => None,
    }
}

/// A part of the conversation was collapsed in place.
fn collapse(commit: &CollapseCommit<'_>) -> StepKind {
    StepKind::Compaction(Box::new(Compaction {
        trigger: Trigger::Unknown,
        tokens_before: None,
        tokens_after: None,
        preview: preview(words::of(commit.summary.or(commit.summary_content))),
        summary: None,
        preserved: 0,
        extent: Extent::Part,
    }))
}

fn workflow_failed(failed: &WorkflowFailed<'_>) -> Option<StepKind> {
    let agent = failed.label.or(failed.phase).map_or("an agent", Text::as_str);
    let error = failed.error.map(text_of).unwrap_or_default();
    say(NoticeKind::Task, Severity::Error, &words::with(&format!("{agent} failed"), &error))
}
