//! What stands around the conversation: titles, links, the queue, and what only streams say.

use format::block::Content;
use format::entry::bookkeeping::QueueOperation;
use format::entry::capture::CaptureEvent;
use format::entry::stream::{StreamEvent, TurnResult};
use format::{Body, Envelope};

use super::speech::{self, Who};
use super::{Column, Pen};

pub(super) fn pieces(envelope: &Envelope<'_>, body: &Body<'_>, pen: &mut Pen<'_>) {
    match body {
        Body::Summary(title) => pen.put_all(Column::Replied, [title.summary]),
        Body::AiTitle(title) => pen.put_all(Column::Replied, [title.ai_title]),
        Body::CustomTitle(title) => pen.put_all(Column::Said, [title.custom_title]),
        Body::Tag(tag) => pen.put_all(Column::Said, [tag.tag]),
        Body::AgentName(_) => pen.put_all(Column::Said, [envelope.agent_name]),
        Body::AgentSetting(setting) => pen.put_all(Column::Seen, [setting.agent_setting]),
        Body::AgentMetadata(agent) => {
            pen.put_all(Column::Seen, [agent.agent_type, agent.description, agent.name, agent.workflow_phase]);
        }
        // A title where there is no better one, and perhaps of a prompt that another session holds.
        Body::LastPrompt(last) => pen.put_all(Column::Said, [last.last_prompt]),
        Body::PrLink(link) => pen.put_all(Column::Replied, [link.repository, link.url]),
        Body::FrameLink(link) => pen.put_all(Column::Replied, [link.title, link.path, link.url]),
        Body::WorktreeState(state) => {
            if let Some(worktree) = &state.session {
                pen.put_all(Column::Seen, [worktree.worktree_path, worktree.worktree_name, worktree.worktree_branch]);
            }
        }
        Body::BridgeSession(bridge) => pen.put_all(Column::Seen, [bridge.bridge_session_id]),
        Body::Relocated(moved) => pen.put_all(Column::Seen, [moved.cwd]),
        Body::Checkpoint(checkpoint) => pen.put_all(Column::Seen, [checkpoint.label, checkpoint.commit]),
        // The one that was typed; what becomes of it says nothing new.
        Body::QueueOperation(change) if change.operation == Some(QueueOperation::Enqueue) => {
            speech::beside(change.content.iter().flat_map(Content::texts), Who::Human, pen);
        }
        Body::History(line) => {
            pen.put_all(Column::Said, [line.display]);
            pen.put_all(Column::Said, line.pasted_contents.iter().map(|(_, pasted)| pasted.content));
        }
        Body::CollapseCommit(commit) => pen.put_all(Column::Replied, [commit.summary.or(commit.summary_content)]),
        Body::WorkflowStarted(started) => pen.put_all(Column::Seen, [started.label, started.phase]),
        Body::WorkflowFailed(failed) => {
            pen.put_all(Column::Seen, [failed.label, failed.phase]);
            pen.put_json(Column::Seen, failed.error);
        }
        Body::Result(result) => turn_result(result, pen),
        Body::StreamEvent(part) => {
            if let Some(StreamEvent::Error(error)) = &part.event {
                let reason = error.error.iter();
                reason.for_each(|reason| pen.put_all(Column::Seen, [reason.kind, reason.message]));
            }
        }
        Body::Captured(record) => {
            pen.put_all(Column::Seen, [record.text]);
            if let Some(CaptureEvent::Start(start)) = record.event.as_deref() {
                pen.put_all(Column::Said, [start.title]);
                pen.put_all(Column::Said, start.tags.iter().copied());
                pen.put_all(Column::Seen, start.command.iter().copied());
            }
        }
        Body::ToolUseSummary(summary) => pen.put_all(Column::Replied, [summary.summary]),
        Body::AuthStatus(status) => pen.put_all(Column::Seen, status.output.iter().copied().chain(status.error)),
        Body::ActiveGoal(goal) => {
            goal.value.iter().for_each(|goal| pen.put_all(Column::Seen, [goal.condition, goal.last_reason]));
        }
        Body::Unknown(unknown) => pen.put_json(Column::Seen, unknown.fields.iter().map(|(_, json)| *json)),

        // Told apart before anybody comes here.
        Body::User(_)
        | Body::Assistant(_)
        | Body::System(_)
        | Body::Attachment(_)
        // Copies of what other lines say, some of them every second.
        | Body::Progress(_)
        | Body::QueueOperation(_)
        | Body::TaskSummary(_)
        | Body::ContentReplacement(_)
        | Body::CollapseSnapshot(_)
        | Body::ApiRequestBlob(_)
        | Body::TranscriptMirror(_)
        | Body::PromptSuggestion(_)
        | Body::ControlRequest(_)
        | Body::ControlResponse(_)
        | Body::ControlCancelRequest(_)
        // Figures, states and names of files.
        | Body::AgentColor(_)
        | Body::PermissionMode(_)
        | Body::Mode(_)
        | Body::FileHistorySnapshot(_)
        | Body::FileHistoryDelta(_)
        | Body::AttributionSnapshot(_)
        | Body::SpeculationAccept(_)
        | Body::CollapseReset(_)
        | Body::ForkContextRef(_)
        | Body::ArtifactAutoreactLedger(_)
        | Body::ArtifactCommentMonitor(_)
        | Body::AtisLatch(_)
        | Body::CostState(_)
        | Body::ApiRequest(_)
        | Body::ApiRequestShape(_)
        | Body::HistorySuppression(_)
        | Body::ContinuedIn(_)
        | Body::EndedByModel(_)
        | Body::IsolationLatch(_)
        | Body::ObserverRef(_)
        | Body::WorkflowLaunched(_)
        | Body::ToolProgress(_)
        | Body::RateLimitEvent(_)
        | Body::ConversationReset(_)
        | Body::CommandLifecycle(_)
        | Body::AutocompactState(_)
        | Body::KeepAlive(_) => {}
    }
}

/// The end of a run. It says the last reply again, but a run may have been saved without its replies.
fn turn_result(result: &TurnResult<'_>, pen: &mut Pen<'_>) {
    let column = if result.is_error == Some(true) { Column::Seen } else { Column::Replied };
    pen.put_json(column, result.result.into_iter().chain(result.structured_output));
    pen.put_all(Column::Seen, result.errors.iter().copied());
    pen.put_all(Column::Seen, result.permission_denials.iter().map(|denial| denial.tool_name));
    pen.put_all(Column::Seen, [result.api_error, result.startup_failure_reason, result.invalid_config_file]);
}
