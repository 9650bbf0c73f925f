//! Assembles messages from the events of a stream (docs/format H.3).
//!
//! The complete message follows its events as ordinary entries, so this only serves the live display of a message in
//! progress. Events may be missing, duplicated or out of order, and indices may be absurd.

use std::collections::BTreeMap;
use std::ops::Bound;

use serde::{Deserialize, Serialize};

use crate::block::Block;
use crate::entry::stream::{BlockDelta, BlockStart, Delta, MessageDelta, MessageStart, StreamEvent};
use crate::id::ToolUseId;
use crate::json::{Cursor, Text};
use crate::message::Usage;

/// The latest message of each thread: the main thread and every subagent.
///
/// ```
/// use format::Scratch;
/// use format::assemble::{Assembler, Step};
/// use format::entry::Body;
///
/// let mut assembler = Assembler::default();
/// let scratch = Scratch::default();
/// for piece in ["Hel", "lo"] {
///     let line = format!(
///         r#"{{"type":"stream_event","event":{{"type":"content_block_delta","index":0,"delta":{{"type":"text_delta","text":"{piece}"}}}}}}"#
///     );
///     let reading = format::read(line.as_bytes(), &scratch);
///     let Body::StreamEvent(part) = &reading.entries[0].body else { panic!() };
///     assert_eq!(assembler.push(part.event.as_ref().unwrap(), None), Step::Changed);
/// }
/// let message = assembler.message(None).unwrap();
/// assert_eq!(message.blocks().next().unwrap().text, "Hello");
/// ```
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Assembler {
    main: Option<Assembled>,
    agents: BTreeMap<String, Option<Assembled>>,
    /// The number of messages that began.
    begun: u64,
}

/// The effect of an event.
#[derive(Debug, Clone, PartialEq)]
pub enum Step {
    /// No visible effect.
    Nothing,
    /// A message began. If the previous message had not ended, it is returned, because no event will complete it.
    Started(Option<Box<Assembled>>),
    /// The message grew.
    Changed,
    /// The message is complete.
    Completed,
    /// The API gave up on the message.
    Failed,
}

/// A message, as far as it has arrived.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Assembled {
    /// Tells the messages of an assembler apart: how many had begun with it; 0 if its beginning is missing.
    pub number: u64,
    /// The API's id of the message.
    pub id: Option<String>,
    /// The model that wrote it.
    pub model: Option<String>,
    /// Why it ended.
    pub stop_reason: Option<String>,
    /// Token usage: for each field, the largest value of any event.
    pub usage: AssembledUsage,
    /// Why the API gave up.
    pub error: Option<String>,
    /// Whether it has ended.
    pub complete: bool,
    blocks: BTreeMap<i64, AssembledBlock>,
    /// The block of the latest event; an event without an index belongs to it.
    latest: i64,
}

/// A block, as far as it has arrived.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct AssembledBlock {
    /// Its type.
    pub kind: AssembledKind,
    /// Its text, thinking or summary.
    pub text: String,
    /// The signature of a thinking block.
    pub signature: String,
    /// The id of a call.
    pub id: Option<String>,
    /// The tool that is called.
    pub name: Option<String>,
    /// The input of a call, as far as it has arrived; see [`Self::input`].
    pub partial_json: String,
    /// Citations, each as JSON.
    pub citations: Vec<String>,
    /// Whether it has ended.
    pub complete: bool,
    started: bool,
    /// Where the first word of the text begins, if it has any.
    first_word: Option<usize>,
}

/// The type of a block.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum AssembledKind {
    /// Not known yet.
    #[default]
    Unknown,
    /// `text`
    Text,
    /// `thinking`
    Thinking,
    /// `redacted_thinking`
    RedactedThinking,
    /// `tool_use`
    ToolUse,
    /// `server_tool_use`
    ServerToolUse,
    /// `mcp_tool_use`
    McpToolUse,
    /// `compaction`
    Compaction,
    /// A block that arrives whole, by its type.
    Whole(String),
}

/// The token usage of a message.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct AssembledUsage {
    /// `input_tokens`
    pub input_tokens: i64,
    /// `output_tokens`
    pub output_tokens: i64,
    /// `output_tokens_details.thinking_tokens`
    pub thinking_tokens: i64,
    /// `cache_read_input_tokens`
    pub cache_read_input_tokens: i64,
    /// `cache_creation_input_tokens`
    pub cache_creation_input_tokens: i64,
    /// `cache_creation.ephemeral_5m_input_tokens`
    pub cache_creation_five_minutes: i64,
    /// `cache_creation.ephemeral_1h_input_tokens`
    pub cache_creation_one_hour: i64,
    /// `server_tool_use.web_search_requests`
    pub web_search_requests: i64,
    /// `server_tool_use.web_fetch_requests`
    pub web_fetch_requests: i64,
}

impl Assembler {
    /// Applies the next event of a thread. `parent` is the call whose subagent speaks, or `None` for the main thread.
    pub fn push(&mut self, event: &StreamEvent<'_>, parent: Option<&str>) -> Step {
        let number = self.begun + 1;
        let slot = match parent {
            None => &mut self.main,
            Some(parent) => self.agents.entry(parent.to_owned()).or_default(),
        };
        match event {
            StreamEvent::MessageStart(start) => {
                let begun = Assembled { number, ..Assembled::begin(start) };
                let unfinished = slot.replace(begun).filter(|message| !message.complete);
                self.begun = number;
                Step::Started(unfinished.map(Box::new))
            }
            StreamEvent::BlockStart(start) => slot.get_or_insert_default().start_block(start),
            StreamEvent::BlockDelta(delta) => slot.get_or_insert_default().grow_block(delta),
            StreamEvent::BlockStop(stop) => {
                slot.get_or_insert_default().block(stop.index).complete = true;
                Step::Changed
            }
            StreamEvent::MessageDelta(delta) => slot.get_or_insert_default().change(delta),
            StreamEvent::MessageStop(_) => {
                slot.get_or_insert_default().complete = true;
                Step::Completed
            }
            StreamEvent::Error(error) => {
                let reason = error.error.as_ref().and_then(|reason| reason.message.or(reason.kind));
                slot.get_or_insert_default().error = Some(reason.map_or_else(String::new, owned));
                Step::Failed
            }
            StreamEvent::Ping(_) | StreamEvent::Unknown(_) => Step::Nothing,
        }
    }

    /// The latest message of a thread, complete or in progress.
    pub fn message(&self, parent: Option<&str>) -> Option<&Assembled> {
        match parent {
            None => self.main.as_ref(),
            Some(parent) => self.agents.get(parent)?.as_ref(),
        }
    }

    /// Drops the message of a thread, for example when its subagent ends.
    pub fn forget(&mut self, parent: Option<&str>) {
        match parent {
            None => self.main = None,
            Some(parent) => drop(self.agents.remove(parent)),
        }
    }
}

impl Assembled {
    /// The blocks, ordered by index.
    pub fn blocks(&self) -> impl Iterator<Item = &AssembledBlock> {
        self.blocks.values()
    }

    /// The block with this index.
    pub fn block_at(&self, index: i64) -> Option<&AssembledBlock> {
        self.blocks.get(&index)
    }

    /// The block of the latest event, with its index.
    pub fn latest(&self) -> Option<(i64, &AssembledBlock)> {
        Some((self.latest, self.blocks.get(&self.latest)?))
    }

    /// The indices of the blocks after this one, ascending.
    pub fn indices_after(&self, index: Option<i64>) -> impl Iterator<Item = i64> {
        let from = index.map_or(Bound::Unbounded, Bound::Excluded);
        self.blocks.range((from, Bound::Unbounded)).map(|(index, _)| *index)
    }

    fn begin(start: &MessageStart<'_>) -> Self {
        let mut begun = Self::default();
        if let Some(message) = &start.message {
            begun.id = message.id.map(|id| id.as_str().to_owned());
            begun.model = message.model.map(owned);
            begun.stop_reason = message.stop_reason.map(|reason| reason.as_str().to_owned());
            begun.usage.merge(message.usage.as_deref());
        }
        begun
    }

    fn block(&mut self, index: Option<i64>) -> &mut AssembledBlock {
        self.latest = index.unwrap_or(self.latest);
        self.blocks.entry(self.latest).or_default()
    }

    fn start_block(&mut self, start: &BlockStart<'_>) -> Step {
        let block = self.block(start.index);
        if block.started {
            // The same block starts again, and its content is sent again.
            *block = AssembledBlock::default();
        }
        block.started = true;
        if let Some(start) = start.block.as_deref() {
            block.begin(start);
        }
        Step::Changed
    }

    fn grow_block(&mut self, piece: &BlockDelta<'_>) -> Step {
        let Some(delta) = &piece.delta else { return Step::Nothing };
        self.block(piece.index).grow(delta);
        Step::Changed
    }

    fn change(&mut self, change: &MessageDelta<'_>) -> Step {
        if let Some(reason) = change.delta.as_ref().and_then(|delta| delta.stop_reason) {
            self.stop_reason = Some(reason.as_str().to_owned());
        }
        self.usage.merge(change.usage.as_deref());
        Step::Changed
    }
}

impl AssembledBlock {
    /// The input of a call; `None` until it is complete JSON.
    pub fn input(&self) -> Option<&str> {
        let json = self.partial_json.as_str();
        let mut cursor = Cursor::new(json);
        let whole = cursor.skip().is_ok() && cursor.peek().is_none();
        whole.then_some(json)
    }

    /// The text from its first word on; `None` if it has only white space.
    pub fn words(&self) -> Option<&str> {
        self.text.get(self.first_word?..)
    }

    /// Adds to the text. Where its words begin is noted, so that white space is not searched again for every piece.
    fn push(&mut self, piece: &str) {
        let first =
            || Some(self.text.len() + (piece.len() - Some(piece.trim_start()).filter(|rest| !rest.is_empty())?.len()));
        self.first_word = self.first_word.or_else(first);
        self.text.push_str(piece);
    }

    /// Puts the initial text before the pieces that arrived early.
    fn put_before(&mut self, initial: &str) {
        let early = std::mem::take(&mut self.text);
        self.first_word = None;
        self.push(initial);
        self.push(&early);
    }

    /// Takes the initial content of the block. Deltas that arrived before the start follow it.
    fn begin(&mut self, block: &Block<'_>) {
        self.kind = match block {
            Block::Text(block) => {
                self.put_before(text(block.text));
                AssembledKind::Text
            }
            Block::Thinking(block) => {
                self.put_before(text(block.thinking));
                self.signature.insert_str(0, text(block.signature));
                AssembledKind::Thinking
            }
            Block::Compaction(block) => {
                self.put_before(text(block.content));
                AssembledKind::Compaction
            }
            Block::RedactedThinking(_) => AssembledKind::RedactedThinking,
            Block::ToolUse(call) => self.call(call.id, call.name, AssembledKind::ToolUse),
            Block::ServerToolUse(call) => self.call(call.id, call.name, AssembledKind::ServerToolUse),
            Block::McpToolUse(call) => self.call(call.id, call.name, AssembledKind::McpToolUse),
            Block::ToolResult(_)
            | Block::Image(_)
            | Block::Document(_)
            | Block::SearchResult(_)
            | Block::ToolReference(_)
            | Block::Resource(_)
            | Block::Fallback(_)
            | Block::WebSearchResult(_)
            | Block::WebFetchResult(_)
            | Block::AdvisorResult(_)
            | Block::CodeExecutionResult(_)
            | Block::BashCodeExecutionResult(_)
            | Block::TextEditorCodeExecutionResult(_)
            | Block::ToolSearchResult(_)
            | Block::McpToolResult(_)
            | Block::ContainerUpload(_)
            | Block::McpToolListing(_)
            | Block::ToolAddition(_)
            | Block::ToolRemoval(_)
            | Block::Unknown(_) => AssembledKind::Whole(block.kind().to_owned()),
        };
    }

    fn call(&mut self, id: Option<ToolUseId<'_>>, name: Option<Text<'_>>, kind: AssembledKind) -> AssembledKind {
        self.id = id.map(|id| id.as_str().to_owned());
        self.name = name.map(owned);
        kind
    }

    fn grow(&mut self, delta: &Delta<'_>) {
        let kind = match delta {
            Delta::Text(delta) => {
                self.push(text(delta.text));
                AssembledKind::Text
            }
            Delta::Thinking(delta) => {
                self.push(text(delta.thinking));
                AssembledKind::Thinking
            }
            Delta::Signature(delta) => {
                self.signature.push_str(text(delta.signature));
                AssembledKind::Thinking
            }
            Delta::InputJson(delta) => {
                self.partial_json.push_str(text(delta.partial_json));
                AssembledKind::ToolUse
            }
            Delta::Citations(delta) => {
                self.citations.extend(delta.citation.map(|citation| citation.as_json().to_owned()));
                AssembledKind::Text
            }
            Delta::Compaction(delta) => {
                self.push(text(delta.content));
                AssembledKind::Compaction
            }
            Delta::Unknown(_) => AssembledKind::Unknown,
        };
        // Without a start event, the first delta determines the type.
        if self.kind == AssembledKind::Unknown {
            self.kind = kind;
        }
    }
}

impl AssembledUsage {
    /// Keeps the larger value of each field, because later events repeat some fields as zero.
    fn merge(&mut self, usage: Option<&Usage<'_>>) {
        let Some(usage) = usage else { return };
        let cache = usage.cache_creation.as_ref();
        let server = usage.server_tool_use.as_ref();
        let details = usage.output_tokens_details.as_ref();
        for (known, reported) in [
            (&mut self.input_tokens, usage.input_tokens),
            (&mut self.output_tokens, usage.output_tokens),
            (&mut self.thinking_tokens, details.and_then(|details| details.thinking_tokens)),
            (&mut self.cache_read_input_tokens, usage.cache_read_input_tokens),
            (&mut self.cache_creation_input_tokens, usage.cache_creation_input_tokens),
            (&mut self.cache_creation_five_minutes, cache.and_then(|cache| cache.five_minutes)),
            (&mut self.cache_creation_one_hour, cache.and_then(|cache| cache.one_hour)),
            (&mut self.web_search_requests, server.and_then(|server| server.web_search_requests)),
            (&mut self.web_fetch_requests, server.and_then(|server| server.web_fetch_requests)),
        ] {
            *known = reported.map_or(*known, |reported| reported.max(*known));
        }
    }
}

fn text(text: Option<Text<'_>>) -> &str {
    text.map_or("", Text::as_str)
}

fn owned(text: Text<'_>) -> String {
    text.as_str().to_owned()
}

#[cfg(test)]
mod tests;
