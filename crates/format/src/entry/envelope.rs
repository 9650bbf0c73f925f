//! The fields that entries of all kinds share (docs/format C.1), in both spellings.

use crate::id::{AgentId, EntryId, PromptId, RequestId, SessionId, ToolUseId};
use crate::json::{Raw, Text, Time, record};

record! {
    /// What is written around an entry: who, where, when, after what.
    pub struct Envelope<'a>: "envelope" {
        uuid: Option<EntryId<'a>> = "uuid",
        /// The previous entry of the branch; absent at a root. May dangle.
        parent_uuid: Option<EntryId<'a>> = "parentUuid" | "parent_uuid",
        /// On a compaction boundary: the last entry before it.
        logical_parent_uuid: Option<EntryId<'a>> = "logicalParentUuid" | "logical_parent_uuid",
        session_id: Option<SessionId<'a>> = "sessionId",
        /// The stream's spelling; on resumed sessions it may keep the id of the first.
        stream_session_id: Option<SessionId<'a>> = "session_id",
        timestamp: Option<Time<'a>> = "timestamp",
        is_sidechain: Option<bool> = "isSidechain",
        cwd: Option<Text<'a>> = "cwd",
        /// The version of Claude Code that wrote the entry.
        version: Option<Text<'a>> = "version",
        git_branch: Option<Text<'a>> = "gitBranch",
        user_type: Option<Text<'a>> = "userType",
        entrypoint: Option<Text<'a>> = "entrypoint",
        /// A three-word nickname that names the plan file.
        slug: Option<Text<'a>> = "slug",
        agent_id: Option<AgentId<'a>> = "agentId" | "agent_id",
        team_name: Option<Text<'a>> = "teamName",
        agent_name: Option<Text<'a>> = "agentName",
        agent_color: Option<Text<'a>> = "agentColor",
        prompt_id: Option<PromptId<'a>> = "promptId" | "prompt_id",
        session_kind: Option<Text<'a>> = "sessionKind",
        forked_from: Option<ForkedFrom<'a>> = "forkedFrom",
        /// Hidden from the user, sent to the model.
        is_meta: Option<bool> = "isMeta" | "is_meta",
        request_id: Option<RequestId<'a>> = "requestId" | "request_id",
        /// On the stream: the call whose subagent speaks.
        parent_tool_use_id: Option<ToolUseId<'a>> = "parent_tool_use_id",
        /// Only up to about 1.0.9.
        cost_usd: Option<f64> = "costUSD",
        audit_timestamp: Option<Time<'a>> = "_audit_timestamp",
        audit_hmac: Option<Raw<'a>> = "_audit_hmac",
    }

    /// The entry that this one is a copy of.
    pub struct ForkedFrom<'a>: "forkedFrom" {
        session_id: Option<SessionId<'a>> = "sessionId",
        message_uuid: Option<EntryId<'a>> = "messageUuid",
    }
}

impl<'a> Envelope<'a> {
    /// The session, in whichever spelling it is written.
    pub fn session(&self) -> Option<SessionId<'a>> {
        self.session_id.or(self.stream_session_id)
    }
}
