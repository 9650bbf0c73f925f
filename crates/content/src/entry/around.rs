//! Entries around the conversation: titles, links, the queue, and entries that only streams contain.

use format::block::Content;
use format::entry::bookkeeping::QueueOperation;
use format::entry::capture::CaptureEvent;
use format::entry::stream::{StreamEvent, TurnResult};
use format::fields::Fields;
use format::{Body, Entry};
use story::Detail;

use crate::pen::{Form, Pen, word};
use crate::section::Speaker;
use crate::speech;

#[expect(clippy::too_many_lines, reason = "a table: one row for each kind")]
pub(super) fn around<'e>(entry: &'e Entry<'e>, pen: &mut Pen<'_, 'e>) {
    let envelope = &entry.envelope;
    match &entry.body {
        Body::Summary(title) => pen.by(Speaker::Claude).event(title, &[("summary", Form::Reply)]),
        Body::AiTitle(title) => pen.by(Speaker::Claude).event(title, &[("aiTitle", Form::Reply)]),
        Body::CustomTitle(title) => pen.human().event(title, &[("customTitle", Form::Words)]),
        Body::Tag(tag) => pen.human().event(tag, &[("tag", Form::Words)]),
        Body::AgentName(_) => pen.human().put_text("agentName", Form::Words, word(envelope.agent_name)),
        Body::AgentSetting(setting) => pen.record(setting, &[]),
        Body::AgentMetadata(agent) => put_facts(&**agent, ["agentType", "description", "name", "workflowPhase"], pen),
        // A title of last resort, perhaps from a prompt of another session.
        Body::LastPrompt(last) => pen.human().event(last, &[("lastPrompt", Form::Words)]),
        Body::PrLink(link) => {
            pen.by(Speaker::Claude).event(&**link, &[("prRepository", Form::Reply), ("prUrl", Form::Reply)]);
        }
        Body::FrameLink(link) => {
            let forms = ["title", "path", "frameUrl"].map(|key: &'static str| (key, Form::Reply));
            pen.by(Speaker::Claude).event(&**link, &forms);
        }
        Body::WorktreeState(state) => {
            if let Some(worktree) = state.session.as_deref() {
                put_facts(worktree, ["worktreePath", "worktreeName", "worktreeBranch"], pen);
            }
        }
        Body::BridgeSession(bridge) => put_facts(&**bridge, ["bridgeSessionId"], pen),
        Body::Relocated(moved) => put_facts(moved, ["relocatedCwd"], pen),
        Body::Checkpoint(checkpoint) => put_facts(checkpoint, ["label", "commit"], pen),
        Body::QueueOperation(change) => {
            // Only the enqueued prompt is new; later operations repeat it.
            let is_typed = change.operation == Some(QueueOperation::Enqueue);
            if is_typed {
                speech::beside(change.content.iter().flat_map(Content::texts), Speaker::Human, pen);
            }
            pen.event(&**change, &[("content", if is_typed { Form::Elsewhere } else { Form::Detail })]);
        }
        Body::History(line) => {
            pen.human().event(&**line, &[("display", Form::Words), ("pastedContents", Form::Elsewhere)]);
            for (_, pasted) in line.pasted_contents.iter() {
                pen.human().event(pasted, &[("content", Form::Words)]);
            }
        }
        Body::CollapseCommit(commit) => {
            let is_short = commit.summary.is_some();
            pen.by(Speaker::Claude).event(
                &**commit,
                &[("summary", Form::Reply), ("summaryContent", if is_short { Form::Detail } else { Form::Reply })],
            );
        }
        Body::WorkflowStarted(started) => put_facts(started, ["label", "phase"], pen),
        Body::WorkflowFailed(failed) => put_facts(failed, ["label", "phase", "error"], pen),
        Body::Result(result) => turn_result(result, pen),
        Body::StreamEvent(part) => match &part.event {
            Some(StreamEvent::Error(error)) => pen.record(error, &[]),
            // Pieces of messages that other lines contain whole.
            Some(_) | None => pen.event(&**part, &[]),
        },
        Body::Captured(record) => {
            pen.event(
                &**record,
                &[("text", Form::Output), ("event", Form::Elsewhere), ("claudeMessage", Form::Elsewhere)],
            );
            match record.event.as_deref() {
                Some(CaptureEvent::Start(start)) => {
                    pen.human().put_text("title", Form::Words, word(start.title));
                    start.tags.iter().for_each(|tag| pen.human().put_text("tag", Form::Words, tag.as_str()));
                    pen.event(
                        &**start,
                        &[("title", Form::Elsewhere), ("tags", Form::Elsewhere), ("command", Form::Fact)],
                    );
                }
                Some(CaptureEvent::End(end)) => pen.event(end, &[]),
                Some(CaptureEvent::Lost(lost)) => pen.event(lost, &[]),
                Some(CaptureEvent::Unknown(unknown)) => pen.event(unknown, &[]),
                None => {}
            }
        }
        Body::ToolUseSummary(summary) => pen.by(Speaker::Claude).event(summary, &[("summary", Form::Reply)]),
        Body::AuthStatus(status) => put_facts(status, ["output", "error"], pen),
        Body::ActiveGoal(goal) => {
            goal.value.iter().for_each(|goal| put_facts(&**goal, ["condition", "last_reason"], pen));
        }
        // Like all known entries that have no place in the conversation.
        Body::Unknown(unknown) if entry.is_beside() => pen.at(Detail::Raw).open(unknown, &[]),
        Body::Unknown(unknown) => pen.open(unknown, &[]),

        // The caller handles these.
        Body::User(_) | Body::Assistant(_) | Body::System(_) | Body::Attachment(_) => {}

        // Copies of other lines, some of them written every second.
        Body::Progress(entry) => quiet(&**entry, pen),
        Body::TaskSummary(entry) => quiet(entry, pen),
        Body::ContentReplacement(entry) => quiet(entry, pen),
        Body::CollapseSnapshot(entry) => quiet(&**entry, pen),
        Body::ApiRequestBlob(entry) => quiet(&**entry, pen),
        Body::TranscriptMirror(entry) => quiet(entry, pen),
        Body::PromptSuggestion(entry) => quiet(entry, pen),
        Body::ControlRequest(entry) => quiet(&**entry, pen),
        Body::ControlResponse(entry) => quiet(&**entry, pen),
        Body::ControlCancelRequest(entry) => quiet(entry, pen),
        // Figures, states and names of files.
        Body::AgentColor(entry) => quiet(entry, pen),
        Body::PermissionMode(entry) => quiet(entry, pen),
        Body::Mode(entry) => quiet(entry, pen),
        Body::FileHistorySnapshot(entry) => quiet(&**entry, pen),
        Body::FileHistoryDelta(entry) => quiet(&**entry, pen),
        Body::AttributionSnapshot(entry) => quiet(&**entry, pen),
        Body::SpeculationAccept(entry) => quiet(entry, pen),
        Body::CollapseReset(entry) => quiet(entry, pen),
        Body::ForkContextRef(entry) => quiet(entry, pen),
        Body::ArtifactAutoreactLedger(entry) | Body::ArtifactCommentMonitor(entry) => quiet(&**entry, pen),
        Body::AtisLatch(entry) => quiet(entry, pen),
        Body::CostState(entry) => quiet(&**entry, pen),
        Body::ApiRequest(entry) | Body::ApiRequestShape(entry) => quiet(&**entry, pen),
        Body::HistorySuppression(entry) => quiet(entry, pen),
        Body::ContinuedIn(entry) => quiet(entry, pen),
        Body::EndedByModel(entry) => quiet(entry, pen),
        Body::IsolationLatch(entry) => quiet(entry, pen),
        Body::ObserverRef(entry) => quiet(entry, pen),
        Body::SessionOwner(entry) => quiet(entry, pen),
        Body::ToolsUsed(entry) => quiet(entry, pen),
        Body::ReplMode(entry) => quiet(entry, pen),
        Body::MemoryMode(entry) => quiet(&**entry, pen),
        Body::DevMods(entry) => quiet(entry, pen),
        Body::DataFlowRecords(entry) => quiet(entry, pen),
        Body::DataFlowIncomplete(entry) => quiet(entry, pen),
        Body::DerivedFrom(entry) => quiet(entry, pen),
        Body::ResumeHeadVouch(entry) => quiet(entry, pen),
        Body::LineWithheld(entry) => quiet(entry, pen),
        Body::WorkflowLaunched(entry) => quiet(entry, pen),
        Body::ToolProgress(entry) => quiet(&**entry, pen),
        Body::RateLimitEvent(entry) => quiet(&**entry, pen),
        Body::ConversationReset(entry) => quiet(entry, pen),
        Body::CommandLifecycle(entry) => quiet(&**entry, pen),
        Body::AutocompactState(entry) => quiet(&**entry, pen),
        Body::KeepAlive(entry) => quiet(entry, pen),
    }
}

/// Fields that are shown only at the highest level of detail.
fn quiet<'e>(entry: &'e impl Fields, pen: &mut Pen<'_, 'e>) {
    pen.event(entry, &[]);
}

/// The relevant fields, as facts.
fn put_facts<'e, const N: usize>(entry: &'e impl Fields, keys: [&'static str; N], pen: &mut Pen<'_, 'e>) {
    pen.event(entry, &keys.map(|key| (key, Form::Fact)));
}

/// The end of a run. It repeats the last reply, but a run may have been saved without its replies.
fn turn_result<'e>(result: &'e TurnResult<'e>, pen: &mut Pen<'_, 'e>) {
    let is_error = result.is_error == Some(true);
    let (speaker, form) = if is_error { (Speaker::Program, Form::Words) } else { (Speaker::Claude, Form::Reply) };
    let mut said = pen.by(speaker);
    let mut said = said.at(Detail::Talk);
    result.result.iter().for_each(|json| said.json("", form, *json));
    result.structured_output.iter().for_each(|json| said.json("structured_output", form, *json));
    result.permission_denials.iter().for_each(|denial| put_facts(denial, ["tool_name"], pen));
    pen.event(
        result,
        &[
            ("result", Form::Elsewhere),
            ("structured_output", Form::Elsewhere),
            ("permission_denials", Form::Elsewhere),
            ("api_error", Form::Fact),
            ("startup_failure_reason", Form::Fact),
            ("invalid_config_file", Form::Fact),
            ("errors", Form::Output),
        ],
    );
}
