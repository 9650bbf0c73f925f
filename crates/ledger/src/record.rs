//! The usage that one line states for its message.

use format::entry::ForkedFrom;
use format::header::UsageHeader;
use format::id::hash;
use format::message::{Iteration, StopReason};
use format::{Body, Entry, Text, Time};
use serde::{Deserialize, Serialize};

use crate::money::Money;
use crate::prices::canonical;
use crate::tokens::Usage;

/// The usage that a line states for its API message.
///
/// Several lines state it for one message, and not all of them finally (docs/format C.4.3); the
/// [`Ledger`](crate::Ledger) joins them.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Record<'a> {
    /// `message.id`, hashed.
    pub message: Option<u64>,
    /// `requestId`, hashed.
    pub request: Option<u64>,
    /// `uuid`, hashed; only where message or request are unknown, since it is not needed otherwise.
    pub entry: Option<u64>,
    /// The entry that this one was copied from when the session was forked, hashed.
    pub copy_of: Option<u64>,
    /// As written; empty if absent.
    pub model: &'a str,
    /// Milliseconds since 1970.
    pub at: Option<i64>,
    /// For the whole message, as far as this line knows.
    pub usage: Usage,
    /// The largest prompt of the message's requests: its context.
    pub context: u32,
    /// The usage of other models for the message, or of this one outside it.
    pub asides: Vec<(&'a str, Usage)>,
    /// The usage of the model itself, summed over its steps; only if there are asides.
    pub steps: Usage,
    /// The requested speed.
    pub speed: Speed,
    /// Whether it ran in a batch, which costs half.
    pub batch: bool,
    /// Whether it had to run in the United States, which costs more.
    pub us_only: bool,
    /// The cost that the line itself states; zero if it states none.
    pub stated: Money,
    /// Whether the usage is final: the model has stopped.
    pub finished: bool,
    /// Whether its version writes placeholders until the message is finished.
    pub may_be_placeholder: bool,
    /// The kind of line.
    pub chain: Chain,
    /// The subagent, if the line names it.
    pub agent: Option<&'a str>,
    /// The branch that was checked out; empty if absent.
    pub branch: &'a str,
    /// What could not be counted.
    pub doubts: Doubts,
}

/// The kind of line. A later variant replaces earlier ones of the same message.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Chain {
    /// A copy of a subagent's message in the file of its parent.
    Progress,
    /// A subagent's line. Its file may begin with a replay of its parent's messages.
    Side,
    /// The main line of a session.
    #[default]
    Main,
}

/// The requested speed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Speed {
    /// At the usual price: `standard`, absent, or an unknown word.
    #[default]
    Standard,
    /// At a multiple of it.
    Fast,
}

/// Values in a line that cannot be counted. The rest of the line is counted.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Doubts {
    /// A negative number of tokens.
    pub negative: bool,
    /// More tokens than any message can have.
    pub too_many: bool,
    /// The timestamp is missing or invalid: the line counts at the time of the line before it, if any.
    pub no_time: bool,
}

impl Doubts {
    /// Whether there are any.
    pub fn any(self) -> bool {
        self != Self::default()
    }

    /// The union of both.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        Self {
            negative: self.negative | other.negative,
            too_many: self.too_many | other.too_many,
            no_time: self.no_time | other.no_time,
        }
    }
}

/// The model name of messages that no model wrote.
pub(crate) const SYNTHETIC: &str = "<synthetic>";

/// The first version that wrote placeholders; since then only a stop reason marks usage as final.
const FIRST_PLACEHOLDERS: [u32; 3] = [2, 1, 12];

impl<'a> Record<'a> {
    /// The usage in an entry; `None` if there is none.
    pub fn of(entry: &Entry<'a>) -> Option<Self> {
        if entry.foreign.is_some() {
            return None;
        }
        let envelope = &entry.envelope;
        match &entry.body {
            Body::Assistant(assistant) if assistant.is_virtual == Some(true) => None,
            Body::Assistant(assistant) => {
                let message = assistant.message.as_deref()?;
                let side = envelope.is_sidechain == Some(true) || envelope.parent_tool_use_id.is_some();
                let said = Said {
                    id: message.id.map(format::id::MessageId::as_str),
                    model: message.model,
                    stop_reason: message.stop_reason,
                    usage: message.usage.as_deref()?,
                    request: envelope.request_id.map(format::id::RequestId::as_str),
                    uuid: envelope.uuid.map(format::id::EntryId::as_str),
                    timestamp: envelope.timestamp,
                    version: envelope.version,
                    on_stream: envelope.session_id.is_none() && envelope.stream_session_id.is_some(),
                    cost: envelope.cost_usd,
                    chain: if side { Chain::Side } else { Chain::Main },
                    agent: envelope.agent_id.map(format::id::AgentId::as_str),
                    branch: envelope.git_branch,
                    forked_from: envelope.forked_from.as_ref(),
                };
                said.record()
            }
            Body::Progress(_) => Said::of_copy(entry.inner())?.record(),
            _ => None,
        }
    }

    /// The same from a header, which is cheaper to parse.
    ///
    /// Headers of `progress` entries do not contain the message; parse those in full.
    pub fn of_header(header: &UsageHeader<'a>) -> Option<Self> {
        if header.kind? != "assistant" || header.is_virtual == Some(true) {
            return None;
        }
        let message = header.message.as_ref()?;
        let side = header.is_sidechain == Some(true) || header.parent_tool_use_id.is_some();
        let said = Said {
            id: message.id.map(format::id::MessageId::as_str),
            model: message.model,
            stop_reason: message.stop_reason,
            usage: message.usage.as_ref()?,
            request: header.request_id.map(format::id::RequestId::as_str),
            uuid: header.uuid.map(format::id::EntryId::as_str),
            timestamp: header.timestamp,
            version: header.version,
            on_stream: header.session_id.is_none() && header.stream_session_id.is_some(),
            cost: header.cost_usd,
            chain: if side { Chain::Side } else { Chain::Main },
            agent: header.agent_id.map(format::id::AgentId::as_str),
            branch: header.git_branch,
            forked_from: header.forked_from.as_ref(),
        };
        said.record()
    }
}

/// The raw fields of any kind of line.
struct Said<'a, 'u> {
    id: Option<&'a str>,
    model: Option<Text<'a>>,
    stop_reason: Option<StopReason<'a>>,
    usage: &'u format::message::Usage<'a>,
    request: Option<&'a str>,
    uuid: Option<&'a str>,
    timestamp: Option<Time<'a>>,
    version: Option<Text<'a>>,
    on_stream: bool,
    cost: Option<f64>,
    chain: Chain,
    agent: Option<&'a str>,
    branch: Option<Text<'a>>,
    forked_from: Option<&'u ForkedFrom<'a>>,
}

impl<'a, 'u> Said<'a, 'u> {
    /// A message of a subagent inside a progress entry.
    fn of_copy(copy: &'u Entry<'a>) -> Option<Self> {
        let (envelope, message) = (&copy.envelope, copy.body.message()?);
        Some(Self {
            id: message.id.map(format::id::MessageId::as_str),
            model: message.model,
            stop_reason: message.stop_reason,
            usage: message.usage.as_deref()?,
            request: envelope.request_id.map(format::id::RequestId::as_str),
            uuid: envelope.uuid.map(format::id::EntryId::as_str),
            timestamp: envelope.timestamp,
            version: envelope.version,
            on_stream: false,
            cost: None,
            chain: Chain::Progress,
            agent: envelope.agent_id.map(format::id::AgentId::as_str),
            branch: envelope.git_branch,
            forked_from: None,
        })
    }

    fn record(self) -> Option<Record<'a>> {
        let model = self.model.map_or("", Text::as_str);
        if model == SYNTHETIC {
            return None;
        }
        let said = self.usage;
        let mut doubts = Doubts::default();
        let usage = usage_of(said, &mut doubts);
        let at = self.timestamp.and_then(Time::milliseconds);
        // Lines of streams usually have none.
        doubts.no_time = at.is_none() && (self.timestamp.is_some() || !self.on_stream);
        let (message, request) = (self.id.and_then(id_hash), self.request.and_then(id_hash));
        let is_known = message.is_some() && request.is_some();
        let entry = self.uuid.filter(|_| !is_known).and_then(id_hash);
        let mut record = Record {
            message,
            request,
            entry,
            copy_of: self.forked_from.and_then(|from| id_hash(from.message_uuid?.as_str())),
            model,
            at,
            usage,
            context: usage.prompt(),
            speed: if said.speed.is_some_and(|speed| speed == "fast") { Speed::Fast } else { Speed::Standard },
            batch: said.service_tier.is_some_and(|tier| tier == "batch"),
            us_only: said.inference_geo.is_some_and(|geo| geo == "us"),
            // A zero cost with non-zero usage means that no price was set.
            stated: Money::from_dollars(self.cost.unwrap_or_default()).max(Money::ZERO),
            finished: self.stop_reason.is_some(),
            may_be_placeholder: self.on_stream
                || self.version.and_then(version).is_some_and(|it| it >= FIRST_PLACEHOLDERS),
            chain: self.chain,
            agent: self.agent,
            branch: self.branch.map_or("", Text::as_str),
            doubts,
            ..Record::default()
        };
        record.add_steps(&said.iterations);
        Some(record)
    }
}

impl<'a> Record<'a> {
    /// Separates the model's own steps from those of others.
    fn add_steps(&mut self, steps: &[Iteration<'a>]) {
        let mut largest = 0;
        for step in steps {
            let usage = usage_of_step(step, &mut self.doubts);
            let model = step.model.map_or(self.model, Text::as_str);
            let kind = step.kind.map_or("message", Text::as_str);
            let is_own = model == self.model || canonical(model).id == canonical(self.model).id;
            if is_own && matches!(kind, "message" | "fallback_message") {
                self.steps = self.steps + usage;
                largest = largest.max(usage.prompt());
                continue;
            }
            match self.asides.iter_mut().find(|(of, _)| *of == model) {
                Some((_, sum)) => *sum = *sum + usage,
                None => self.asides.push((model, usage)),
            }
        }
        if largest > 0 {
            self.context = largest.min(self.context);
        }
        if self.asides.is_empty() {
            self.steps = Usage::default();
        }
    }
}

/// An empty id counts as missing.
fn id_hash(id: &str) -> Option<u64> {
    (!id.is_empty()).then(|| hash(&[id.as_bytes()]))
}

/// `2.1.29`, and `2.1.29-beta`, but not `dev`.
pub(crate) fn version(text: Text<'_>) -> Option<[u32; 3]> {
    let mut numbers = text.as_str().split(['.', '-', '+']).map(|part| part.parse().ok());
    Some([numbers.next()??, numbers.next()??, numbers.next()??])
}

fn usage_of(said: &format::message::Usage<'_>, doubts: &mut Doubts) -> Usage {
    let tools = said.server_tool_use.as_ref();
    let writes = said.cache_creation.as_ref();
    let five_minutes = count(writes.and_then(|writes| writes.five_minutes), doubts);
    let one_hour = count(writes.and_then(|writes| writes.one_hour), doubts);
    Usage {
        input: count(said.input_tokens, doubts),
        output: count(said.output_tokens, doubts),
        cache_read: count(said.cache_read_input_tokens, doubts),
        // Either may be missing or zero while the other is right.
        cache_write: count(said.cache_creation_input_tokens, doubts).max(five_minutes.saturating_add(one_hour)),
        cache_write_1h: one_hour,
        web_searches: count(tools.and_then(|tools| tools.web_search_requests), doubts),
        web_fetches: count(tools.and_then(|tools| tools.web_fetch_requests), doubts),
    }
}

fn usage_of_step(step: &Iteration<'_>, doubts: &mut Doubts) -> Usage {
    let writes = step.cache_creation.as_ref();
    let five_minutes = count(writes.and_then(|writes| writes.five_minutes), doubts);
    let one_hour = count(writes.and_then(|writes| writes.one_hour), doubts);
    Usage {
        input: count(step.input_tokens, doubts),
        output: count(step.output_tokens, doubts),
        cache_read: count(step.cache_read_input_tokens, doubts),
        cache_write: count(step.cache_creation_input_tokens, doubts).max(five_minutes.saturating_add(one_hour)),
        cache_write_1h: one_hour,
        ..Usage::default()
    }
}

fn count(said: Option<i64>, doubts: &mut Doubts) -> u32 {
    let said = said.unwrap_or(0);
    u32::try_from(said).unwrap_or_else(|_| {
        if said < 0 {
            doubts.negative = true;
        } else {
            doubts.too_many = true;
        }
        0
    })
}
