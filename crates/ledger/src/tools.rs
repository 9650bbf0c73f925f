//! An estimate of the cost of each tool.
//!
//! A tool costs when the model writes its input, when its result is read for the first time, and again in every later
//! request that still has both in its context. Usage states the size of a prompt, not its composition, which is
//! estimated as follows:
//!
//! - A thread of requests is followed in line order: a file is one thread, and so is each subagent that speaks in the
//!   file of another.
//! - The growth of a prompt over the one before is attributed to what came in between, in proportion to its bytes:
//!   results and inputs to their tools; prompts, replies and thinking to the conversation. A token is at least two
//!   bytes; growth beyond that is not visible in the file and belongs to the conversation, as does everything from
//!   before the start.
//! - A prompt that is smaller than the one before, or the first, contains what came in between at four bytes a token.
//!   The rest shrinks in proportion for all causes; after a compaction, or if less than half is left, it belongs to the
//!   conversation.
//! - The cost of a message is split in three. Output goes to causes by the bytes of its blocks. New tokens of the
//!   prompt cost what was written to the cache or not cached, old ones the rest; both go to causes by their tokens.
//!   Searches at the API belong to the tool that made them.
//!
//! Every message has its split by its id, so that copies are split once and sums follow the [`Post`](crate::Post)s,
//! even if some of these are left out.
//!
//! | module | for |
//! |---|---|
//! | `size` | the size of a block as text |
//! | `thread` | a growing context, and the split of each message |
//! | `shares` | the splits of all messages |

mod shares;
mod size;
mod thread;

pub use shares::{ToolPart, ToolShares};

use format::block::{Block, Content};
use format::entry::Envelope;
use format::entry::system::SystemEvent;
use format::id::{AgentId, ToolUseId, hash};
use format::message::Message;
use format::tool::{ServerTool, present_name};
use format::{Body, Entry, Text};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::prices::{ModelPrices, Prices};
use crate::record::{Record, SYNTHETIC};
use thread::{Cause, Thread};

/// Follows the threads of one file.
///
/// ```
/// use format::Scratch;
/// use ledger::{Ledger, Prices};
/// use ledger::tools::ToolFold;
///
/// let line = br#"{"type":"assistant","requestId":"r","timestamp":"2026-03-01T12:00:00Z","message":
///     {"id":"m","model":"claude-opus-4-5","usage":{"output_tokens":40},
///     "content":[{"type":"tool_use","id":"t","name":"Bash","input":{"command":"ls"}}]}}"#;
/// let (prices, mut ledger) = (Prices::default(), Ledger::default());
/// let (mut feed, mut fold) = (ledger.feed("s", None), ToolFold::new(&prices));
/// let scratch = Scratch::default();
/// for entry in &format::read(line, &scratch).entries {
///     ledger.push(&mut feed, entry);
///     fold.push(entry);
/// }
/// let shares = fold.finish();
/// ledger.each(&prices, |post| {
///     let bash = shares.split(&post).find(|part| part.tool == Some("Bash")).unwrap();
///     assert_eq!((bash.calls, bash.input_tokens), (1, 40));
/// });
/// ```
#[derive(Debug)]
pub struct ToolFold<'p> {
    prices: &'p Prices,
    threads: FxHashMap<u64, Thread<'p>>,
    /// The entries so far, by the hash of their ids: copies in the same file are in the context only once.
    seen: FxHashSet<u64>,
    /// The called tools, by the hash of the call's id.
    calls: FxHashMap<u64, Cause>,
    /// The prices of the last model, which is nearly always the next one, too.
    model: (String, Option<ModelPrices<'p>>),
    shares: ToolShares,
}

/// The thread of the session itself.
const MAIN: u64 = 0;

/// More than any real session uses. Further tools count as conversation, so that time does not grow with the product of
/// tools and messages.
const MOST_TOOLS: u16 = 256;

impl<'p> ToolFold<'p> {
    /// Starts a file.
    pub fn new(prices: &'p Prices) -> Self {
        let mut shares = ToolShares::default();
        // The empty name stands for the conversation.
        shares.number("");
        Self {
            prices,
            threads: FxHashMap::default(),
            seen: FxHashSet::default(),
            calls: FxHashMap::default(),
            model: (String::new(), prices.of("")),
            shares,
        }
    }

    /// Reads the next entry of the file.
    pub fn push(&mut self, entry: &Entry<'_>) {
        if entry.foreign.is_some() {
            return;
        }
        let thread = thread_of(&entry.envelope);
        let is_new = entry.envelope.uuid.is_none_or(|uuid| self.seen.insert(hash(&[uuid.as_str().as_bytes()])));
        if !is_new {
            return;
        }
        match &entry.body {
            Body::Assistant(reply) => {
                if let Some(message) = reply.message.as_deref() {
                    self.push_reply(thread, entry, message);
                }
            }
            Body::User(user) => {
                if let Some(message) = user.message.as_deref() {
                    self.push_content(thread, message, Thread::hear);
                }
            }
            Body::Attachment(attachment) => {
                self.thread(thread).hear(Cause::CONVERSATION, size::of_attachment(attachment));
            }
            Body::Progress(_) => {
                let inner = entry.inner();
                if let Some(message) = inner.body.message() {
                    let thread = thread_of(&inner.envelope);
                    match &inner.body {
                        Body::Assistant(_) => self.push_reply(thread, entry, message),
                        _ => self.push_content(thread, message, Thread::hear),
                    }
                }
            }
            Body::System(system) => {
                if matches!(system.event, Some(SystemEvent::CompactBoundary(_))) {
                    self.forget(thread);
                }
            }
            Body::ConversationReset(_) => self.forget(thread),
            _ => {}
        }
    }

    /// The splits of all messages.
    pub fn finish(mut self) -> ToolShares {
        let threads: Vec<u64> = self.threads.keys().copied().collect();
        for thread in threads {
            self.settle(thread);
        }
        self.shares
    }

    /// Adds a message of the model.
    fn push_reply(&mut self, thread: u64, entry: &Entry<'_>, message: &Message<'_>) {
        let model = message.model.map_or("", Text::as_str);
        if model == SYNTHETIC {
            return;
        }
        if let Some(record) = Record::of(entry) {
            if !self.thread(thread).goes_on_with(&record) {
                self.settle(thread);
            }
            if self.model.0 != model {
                self.model = (model.to_owned(), self.prices.of(model));
            }
            let prices = self.model.1;
            self.thread(thread).open(&record, prices);
        }
        self.push_content(thread, message, Thread::write);
    }

    /// Adds the content of a message; what is neither a call nor a result goes to the conversation through `take`.
    fn push_content(&mut self, thread: u64, message: &Message<'_>, take: fn(&mut Thread<'p>, Cause, u64)) {
        match &message.content {
            Some(Content::Blocks(blocks)) => blocks.iter().for_each(|block| self.push_block(thread, block, take)),
            Some(content) => take(self.thread(thread), Cause::CONVERSATION, size::of_content(content)),
            None => {}
        }
    }

    fn push_block(&mut self, thread: u64, block: &Block<'_>, take: fn(&mut Thread<'p>, Cause, u64)) {
        let size = size::of_block(block);
        let id = |id: ToolUseId<'_>| hash(&[id.as_str().as_bytes()]);
        if let Some(call) = block.call() {
            let cause = self.cause(call.tool.map_or("", Text::as_str));
            // A repeated call id is a copy, on whichever line.
            if call.id.is_none_or(|it| self.calls.insert(id(it), cause).is_none()) {
                self.thread(thread).call(cause, size);
            }
        } else if let Some(answered) = block.answers() {
            let cause = self.calls.get(&id(answered)).copied().unwrap_or(Cause::CONVERSATION);
            self.thread(thread).hear_result(cause, size);
        } else {
            take(self.thread(thread), Cause::CONVERSATION, size);
        }
    }

    fn thread(&mut self, thread: u64) -> &mut Thread<'p> {
        self.threads.entry(thread).or_default()
    }

    fn cause(&mut self, tool: &str) -> Cause {
        // Some tools had other names before.
        let tool = present_name(tool);
        let number = u16::try_from(self.shares.number(tool)).unwrap_or(u16::MAX);
        if number < MOST_TOOLS { Cause(number) } else { Cause::CONVERSATION }
    }

    fn forget(&mut self, thread: u64) {
        self.settle(thread);
        self.threads.remove(&thread);
    }

    /// Closes the open message of a thread.
    fn settle(&mut self, thread: u64) {
        let has_searched = self.threads.get(&thread).is_some_and(Thread::has_searched);
        // The API takes a fee for searches.
        let searcher = has_searched.then(|| self.cause(ServerTool::WebSearch.name()));
        let settled = self.threads.get_mut(&thread).and_then(|thread| thread.settle(self.prices, searcher));
        if let Some((message, split)) = settled {
            self.shares.keep(message, split);
        }
    }
}

/// The thread that an entry belongs to.
fn thread_of(envelope: &Envelope<'_>) -> u64 {
    let is_side = envelope.is_sidechain == Some(true) || envelope.parent_tool_use_id.is_some();
    let agent = envelope.agent_id.map(AgentId::as_str);
    let speaker = agent.or(envelope.parent_tool_use_id.map(ToolUseId::as_str));
    if is_side { side_thread(speaker.unwrap_or_default()) } else { MAIN }
}

/// The thread of a subagent. Their number is bounded to save memory.
fn side_thread(speaker: &str) -> u64 {
    const MOST_THREADS: u64 = 4096;
    1 + hash(&[speaker.as_bytes()]) % MOST_THREADS
}
