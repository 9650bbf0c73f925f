//! The header of an entry: the fields for structure, index and counting, without texts.
//!
//! Reading a header takes a little more than half of the time of reading the entry: text,
//! results and everything unknown are skipped. Code that only counts reads
//! even less: the [`UsageHeader`].

use crate::entry::ForkedFrom;
use crate::id::{AgentId, EntryId, MessageId, PromptId, RequestId, SessionId, ToolUseId};
use crate::json::fields::Each;
use crate::json::{Broken, Cursor, Notes, Place, Shape, Text, Time, Value, Visit, read_leniently, record};
use crate::message::{StopReason, Usage};

record! {
    /// The identity of an entry, and its relations to others.
    pub struct Header<'a>: "header", loose {
        /// Absent in `history.jsonl`, and in files that Claude Code did not write.
        kind: Option<Text<'a>> = "type",
        subtype: Option<Text<'a>> = "subtype",
        uuid: Option<EntryId<'a>> = "uuid",
        parent_uuid: Option<EntryId<'a>> = "parentUuid" | "parent_uuid",
        logical_parent_uuid: Option<EntryId<'a>> = "logicalParentUuid" | "logical_parent_uuid",
        session_id: Option<SessionId<'a>> = "sessionId",
        stream_session_id: Option<SessionId<'a>> = "session_id",
        timestamp: Option<Time<'a>> = "timestamp",
        is_sidechain: Option<bool> = "isSidechain",
        is_meta: Option<bool> = "isMeta" | "is_meta",
        is_compact_summary: Option<bool> = "isCompactSummary" | "is_compact_summary",
        is_api_error: Option<bool> = "isApiErrorMessage" | "is_api_error_message",
        agent_id: Option<AgentId<'a>> = "agentId" | "agent_id",
        team_name: Option<Text<'a>> = "teamName",
        prompt_id: Option<PromptId<'a>> = "promptId" | "prompt_id",
        request_id: Option<RequestId<'a>> = "requestId" | "request_id",
        parent_tool_use_id: Option<ToolUseId<'a>> = "parent_tool_use_id",
        version: Option<Text<'a>> = "version" | "claude_code_version",
        cwd: Option<Text<'a>> = "cwd",
        git_branch: Option<Text<'a>> = "gitBranch",
        entrypoint: Option<Text<'a>> = "entrypoint",
        message: Option<MessageHeader<'a>> = "message",
        attachment: Option<KindOnly<'a>> = "attachment",
        progress: Option<KindOnly<'a>> = "data",
        source_tool_assistant_uuid: Option<EntryId<'a>> = "sourceToolAssistantUUID",
        leaf_uuid: Option<EntryId<'a>> = "leafUuid",
        cost_usd: Option<f64> = "costUSD",
    }

    /// An API message without its text.
    pub struct MessageHeader<'a>: "message", loose {
        id: Option<MessageId<'a>> = "id",
        role: Option<Text<'a>> = "role",
        model: Option<Text<'a>> = "model",
        stop_reason: Option<StopReason<'a>> = "stop_reason" | "stopReason",
        usage: Option<Box<Usage<'a>>> = "usage",
        content: Option<ContentHeader<'a>> = "content",
    }

    /// A block without its text.
    pub struct BlockHeader<'a>: "block", loose {
        kind: Option<Text<'a>> = "type",
        /// Of a call.
        id: Option<ToolUseId<'a>> = "id",
        name: Option<Text<'a>> = "name",
        /// Of a result.
        tool_use_id: Option<ToolUseId<'a>> = "tool_use_id",
        is_error: Option<bool> = "is_error",
    }

    /// The usage in an entry, and the message to which it belongs.
    pub struct UsageHeader<'a>: "header", loose {
        kind: Option<Text<'a>> = "type",
        uuid: Option<EntryId<'a>> = "uuid",
        session_id: Option<SessionId<'a>> = "sessionId",
        stream_session_id: Option<SessionId<'a>> = "session_id",
        timestamp: Option<Time<'a>> = "timestamp",
        is_sidechain: Option<bool> = "isSidechain",
        agent_id: Option<AgentId<'a>> = "agentId" | "agent_id",
        request_id: Option<RequestId<'a>> = "requestId" | "request_id",
        parent_tool_use_id: Option<ToolUseId<'a>> = "parent_tool_use_id",
        version: Option<Text<'a>> = "version" | "claude_code_version",
        git_branch: Option<Text<'a>> = "gitBranch",
        is_api_error: Option<bool> = "isApiErrorMessage" | "is_api_error_message",
        is_virtual: Option<bool> = "is_virtual" | "isVirtual",
        forked_from: Option<ForkedFrom<'a>> = "forkedFrom",
        message: Option<MessageUsage<'a>> = "message",
        cost_usd: Option<f64> = "costUSD",
    }

    /// The usage of an API message.
    pub struct MessageUsage<'a>: "message", loose {
        id: Option<MessageId<'a>> = "id",
        model: Option<Text<'a>> = "model",
        stop_reason: Option<StopReason<'a>> = "stop_reason" | "stopReason",
        usage: Option<Usage<'a>> = "usage",
        /// The first character of a message that was spread into characters (docs/format B.10).
        first_character: Option<Text<'a>> = "0",
    }

    /// The kind of an attachment or a progress note.
    pub struct KindOnly<'a>: "kind", loose {
        kind: Option<Text<'a>> = "type",
    }
}

/// Content without its text.
#[derive(Debug, Clone, PartialEq)]
pub enum ContentHeader<'a> {
    /// Plain text.
    Text,
    /// Blocks.
    Blocks(Vec<BlockHeader<'a>>),
}

impl Visit for ContentHeader<'_> {
    fn visit<'e>(&'e self, key: &'e str, each: &mut Each<'_, 'e>) {
        match self {
            Self::Text => {}
            Self::Blocks(blocks) => blocks.visit(key, each),
        }
    }
    fn shape() -> Shape {
        Vec::<BlockHeader<'_>>::shape()
    }
}

impl<'a> Value<'a> for ContentHeader<'a> {
    const EXPECTED: &'static str = "text or a list of blocks";

    /// Plain text is skipped, not unescaped.
    fn read(cursor: &mut Cursor<'a>, place: &'static Place, notes: &mut Notes<'a>) -> Result<Option<Self>, Broken> {
        if cursor.peek() == Some(b'"') {
            return cursor.skip().map(|()| Some(Self::Text));
        }
        read_leniently(cursor, place, notes)
    }
    fn from_list(
        cursor: &mut Cursor<'a>,
        place: &'static Place,
        notes: &mut Notes<'a>,
    ) -> Result<Option<Self>, Broken> {
        Ok(Vec::from_list(cursor, place, notes)?.map(Self::Blocks))
    }
}
