//! One session: its totals, its models, and how its context grew; and several sessions that share messages.

use std::collections::{BTreeMap, BTreeSet};

use format::Entry;
use serde::{Deserialize, Serialize};

use crate::cost::Quality;
use crate::ledger::{Feed, Ledger, Post, PostKind, Session};
use crate::prices::{Prices, canonical};
use crate::record::Doubts;
use crate::totals::Totals;

/// The role of a file in a session.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SessionPart<'a> {
    /// The session's own file.
    Main,
    /// The subagent with this id.
    Agent(&'a str),
    /// Another session with this id, from which this one has copied: that session owns what they share.
    Elsewhere(&'a str),
}

/// The ledger of one session, fed with all its files.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct SessionLedger {
    ledger: Ledger,
    /// The sessions from which this one was copied. What else is in its files, such as the later sessions of a captured
    /// conversation, counts for it. A ledger that is stored has none.
    #[serde(skip)]
    elsewhere: Vec<Session>,
}

/// The summary of a session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Summary {
    /// The totals, including subagents.
    pub totals: Totals,
    /// By canonical model name, most expensive first.
    pub models: Vec<(String, Totals)>,
    /// The share of the subagents.
    pub agents: Totals,
    /// The shares of subagents with files of their own, by id.
    pub by_agent: BTreeMap<String, Totals>,
    /// The time and context size of each message of the main line, in chronological order.
    pub context: Vec<(i64, u32)>,
}

/// The current figures of a session.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Standing {
    /// The totals, including subagents.
    pub totals: Totals,
    /// The part since a given time.
    pub since: Totals,
    /// The context size at the last message of the main line.
    pub context: Option<u32>,
}

/// No session id is empty.
const THIS: &str = "";

impl SessionLedger {
    /// Starts a file.
    pub fn feed(&mut self, part: SessionPart<'_>) -> Feed {
        match part {
            SessionPart::Main => self.ledger.feed(THIS, None),
            SessionPart::Agent(agent) => self.ledger.feed(THIS, Some(agent)),
            SessionPart::Elsewhere(session) => {
                self.elsewhere.push(self.ledger.session(session));
                self.ledger.feed(session, None)
            }
        }
    }

    /// Adds the usage in an entry, and returns what could not be counted.
    pub fn push(&mut self, feed: &mut Feed, entry: &Entry<'_>) -> Doubts {
        self.ledger.push(feed, entry)
    }

    /// The totals so far, and the part since a given time (in milliseconds since 1970), including subagents. It
    /// contains less than [`Self::summary`], and takes a fraction of the time.
    pub fn standing(&self, prices: &Prices, since: i64) -> Standing {
        let mut standing = Standing::default();
        let mut latest = None;
        self.each(prices, |post| {
            standing.totals.add(post);
            if post.at.is_some_and(|at| at >= since) {
                standing.since.add(post);
            }
            let is_spoken = post.kind == PostKind::Message && !post.is_side && post.context > 0;
            if is_spoken && post.at.is_some() && post.at >= latest {
                (latest, standing.context) = (post.at, Some(post.context));
            }
        });
        standing
    }

    /// The summary of the lines so far.
    pub fn summary(&self, prices: &Prices) -> Summary {
        let mut sums = Sums::default();
        self.each(prices, |post| sums.add(post, &self.ledger));
        sums.finish()
    }

    /// Passes every post of the session to `each`.
    pub fn each(&self, prices: &Prices, mut each: impl FnMut(&Post<'_>)) {
        self.ledger.each(prices, |post| {
            if !self.elsewhere.contains(&post.session) {
                each(&post);
            }
        });
    }

    /// The id of the subagent that a post is of, if it is known.
    pub fn agent_of(&self, post: &Post<'_>) -> Option<&str> {
        post.agent.map(|agent| self.ledger.agent_name(agent))
    }

    /// What identifies the messages of the session in others, in ascending order. Sessions with a common one may have
    /// copied from each other: [`settle_together`] says which of them owns it.
    pub fn message_keys(&self) -> Vec<u64> {
        self.ledger.shared_keys()
    }

    /// Leaves messages out of all figures, because they count for another session. This replaces earlier ones, and is
    /// not serialized.
    pub fn disown(&mut self, messages: impl IntoIterator<Item = u64>) {
        self.ledger.disown(messages);
    }
}

/// The part of a session in the usage of several that have messages in common.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SessionShare {
    /// The messages that it owns, as in a report about all sessions.
    pub summary: Summary,
    /// Its messages that another session owns, in ascending order ([`SessionLedger::message_keys`]).
    pub foreign: Vec<u64>,
    /// Its rank by age: the earliest session owns what several share.
    pub rank: u32,
}

/// Counts sessions that have messages in common, so that each message counts for one of them: the earliest. The
/// ledgers contain only lines of their own session, whose name is given.
///
/// ```
/// use format::Scratch;
/// use ledger::session::settle_together;
/// use ledger::{Prices, SessionLedger, SessionPart};
///
/// let line = br#"{"type":"assistant","requestId":"r","timestamp":"2026-03-01T12:00:00Z","message":
///     {"id":"m","model":"claude-opus-4-5","usage":{"input_tokens":10,"output_tokens":20}}}"#;
/// let ledger = || {
///     let mut ledger = SessionLedger::default();
///     let mut feed = ledger.feed(SessionPart::Main);
///     let scratch = Scratch::default();
///     for entry in &format::read(line, &scratch).entries {
///         ledger.push(&mut feed, entry);
///     }
///     ledger
/// };
/// let shares = settle_together([("a", ledger()), ("b", ledger())], &Prices::default());
/// let tokens: Vec<u64> = shares.iter().map(|share| share.summary.totals.tokens.total()).collect();
/// assert_eq!(tokens, [30, 0]);
/// ```
pub fn settle_together<'n>(
    sessions: impl IntoIterator<Item = (&'n str, SessionLedger)>,
    prices: &Prices,
) -> Vec<SessionShare> {
    let mut all = Ledger::default();
    let (mut members, mut keys, mut others) = (Vec::new(), Vec::new(), Vec::new());
    for (place, (name, ledger)) in sessions.into_iter().enumerate() {
        members.push(all.session(name));
        keys.push(ledger.message_keys());
        let named = ledger.ledger.session_names().filter(|name| *name != THIS);
        others.extend(named.map(|name| (all.session(name), place)));
        all.take_in(ledger.ledger, name);
    }
    // Captures may contain sessions that are not listed otherwise.
    let mut place: BTreeMap<Session, usize> = others.into_iter().rev().collect();
    place.extend(members.iter().copied().enumerate().rev().map(|(place, session)| (session, place)));
    let books = all.books(prices);
    let mut sums: Vec<Sums> = members.iter().map(|_| Sums::default()).collect();
    books.each(|post| {
        if let Some(sums) = place.get(&post.session).and_then(|place| sums.get_mut(*place)) {
            sums.add(&post, &all);
        }
    });
    let mut owned: Vec<BTreeSet<u64>> = vec![BTreeSet::new(); members.len()];
    books.each_owner(|message, owner| {
        if let Some(owned) = place.get(&owner).and_then(|place| owned.get_mut(*place)) {
            owned.insert(message);
        }
    });
    let mut shares = Vec::with_capacity(sums.len());
    for (((session, sums), keys), owned) in members.into_iter().zip(sums).zip(keys).zip(owned) {
        shares.push(SessionShare {
            summary: sums.finish(),
            // A message that was joined with another one has the key of that one.
            foreign: keys.into_iter().filter(|key| !owned.contains(key)).collect(),
            rank: books.rank(session).unwrap_or(u32::MAX),
        });
    }
    shares
}

/// The sums of a [`Summary`].
#[derive(Debug, Default)]
struct Sums {
    totals: Totals,
    agents: Totals,
    models: BTreeMap<String, Totals>,
    by_agent: BTreeMap<String, Totals>,
    context: Vec<(i64, u32)>,
}

impl Sums {
    fn add(&mut self, post: &Post<'_>, ledger: &Ledger) {
        self.totals.add(post);
        self.models.entry(canonical(post.model_name).id.into_owned()).or_default().add(post);
        if post.is_side {
            self.agents.add(post);
        }
        if let Some(agent) = post.agent {
            self.by_agent.entry(ledger.agent_name(agent).to_owned()).or_default().add(post);
        }
        if let (Some(at), PostKind::Message, false) = (post.at, post.kind, post.is_side)
            && post.context > 0
        {
            self.context.push((at, post.context));
        }
    }

    fn finish(self) -> Summary {
        let Self { totals, agents, models, by_agent, mut context } = self;
        context.sort_by_key(|(at, _)| *at);
        let mut models: Vec<_> = models.into_iter().collect();
        models.sort_by(|(one_name, one), (name, other)| {
            let rank = |totals: &Totals| (totals.cost, totals.share(Quality::Unknown).tokens, totals.tokens.total());
            rank(other).cmp(&rank(one)).then_with(|| one_name.cmp(name))
        });
        Summary { totals, models, agents, by_agent, context }
    }
}
