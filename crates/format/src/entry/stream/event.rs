//! `stream_event`: a message in pieces, as the API sends it (docs/format H.3).

use crate::block::Block;
use crate::id::{EntryId, MessageId};
use crate::json::{Raw, Text, record, tagged};
use crate::message::{Message, StopReason, Usage};

record! {
    /// A `stream_event` line.
    pub struct StreamPart<'a>: "stream_event" {
        event: Option<StreamEvent<'a>> = "event",
        /// How long the first token took.
        ttft_ms: Option<f64> = "ttft_ms",
        user_message_uuid: Option<EntryId<'a>> = "user_message_uuid",
        user_message_uuids: Vec<EntryId<'a>> = "user_message_uuids",
        abandoned_blocks: Option<AbandonedBlocks<'a>> = "abandoned_blocks",
    }

    /// Blocks that will never be sent as a whole.
    pub struct AbandonedBlocks<'a>: "abandoned_blocks" {
        message_id: Option<MessageId<'a>> = "api_message_id",
        from_block_index: Option<i64> = "from_block_index",
    }
}

tagged! {
    /// An event of the Messages API.
    pub enum StreamEvent<'a>: "stream event" by "type" {
        MessageStart(MessageStart<'a>) = "message_start",
        BlockStart(BlockStart<'a>) = "content_block_start",
        BlockDelta(BlockDelta<'a>) = "content_block_delta",
        BlockStop(BlockStop) = "content_block_stop",
        MessageDelta(Box<MessageDelta<'a>>) = "message_delta",
        MessageStop(MessageStop) = "message_stop",
        Ping(Ping) = "ping",
        Error(StreamError<'a>) = "error",
    }

    /// A piece of a block.
    pub enum Delta<'a>: "delta" by "type" {
        Text(TextDelta<'a>) = "text_delta",
        InputJson(InputJsonDelta<'a>) = "input_json_delta",
        Thinking(ThinkingDelta<'a>) = "thinking_delta",
        Signature(SignatureDelta<'a>) = "signature_delta",
        Citations(CitationsDelta<'a>) = "citations_delta",
        Compaction(CompactionDelta<'a>) = "compaction_delta",
    }
}

record! {
    /// A message begins.
    pub struct MessageStart<'a>: "message_start" {
        message: Option<Box<Message<'a>>> = "message",
    }

    /// A block begins.
    pub struct BlockStart<'a>: "content_block_start" {
        index: Option<i64> = "index",
        block: Option<Box<Block<'a>>> = "content_block",
    }

    /// A block grows.
    pub struct BlockDelta<'a>: "content_block_delta" {
        index: Option<i64> = "index",
        delta: Option<Delta<'a>> = "delta",
    }

    /// A block is complete.
    pub struct BlockStop: "content_block_stop" {
        index: Option<i64> = "index",
    }

    /// The message as a whole changes, at its end.
    pub struct MessageDelta<'a>: "message_delta" {
        delta: Option<MessageChange<'a>> = "delta",
        usage: Option<Box<Usage<'a>>> = "usage",
        context_management: Option<Raw<'a>> = "context_management",
    }

    /// What changed about the message.
    pub struct MessageChange<'a>: "message change" {
        stop_reason: Option<StopReason<'a>> = "stop_reason",
        stop_sequence: Option<Text<'a>> = "stop_sequence",
        stop_details: Option<Raw<'a>> = "stop_details",
        container: Option<Raw<'a>> = "container",
    }

    /// The message is complete.
    pub struct MessageStop: "message_stop" {}

    /// Nothing, so that the connection stays open.
    pub struct Ping: "ping" {}

    /// The API gave up.
    pub struct StreamError<'a>: "stream error" {
        error: Option<StreamErrorReason<'a>> = "error",
    }

    /// Why the API gave up.
    pub struct StreamErrorReason<'a>: "stream error reason" {
        kind: Option<Text<'a>> = "type",
        message: Option<Text<'a>> = "message",
        details: Option<Raw<'a>> = "details",
    }

    /// More text.
    pub struct TextDelta<'a>: "text_delta" {
        text: Option<Text<'a>> = "text",
    }

    /// More of a call's input, not JSON until it is complete.
    pub struct InputJsonDelta<'a>: "input_json_delta" {
        partial_json: Option<Text<'a>> = "partial_json",
    }

    /// More thoughts.
    pub struct ThinkingDelta<'a>: "thinking_delta" {
        thinking: Option<Text<'a>> = "thinking",
        estimated_tokens: Option<i64> = "estimated_tokens",
    }

    /// The signature of the thoughts.
    pub struct SignatureDelta<'a>: "signature_delta" {
        signature: Option<Text<'a>> = "signature",
    }

    /// One more citation.
    pub struct CitationsDelta<'a>: "citations_delta" {
        citation: Option<Raw<'a>> = "citation",
    }

    /// More of a summary.
    pub struct CompactionDelta<'a>: "compaction_delta" {
        content: Option<Text<'a>> = "content",
    }
}
