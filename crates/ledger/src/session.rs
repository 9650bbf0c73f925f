//! One session: its totals, its models, and how its context grew.

use std::collections::BTreeMap;

use format::Entry;
use serde::{Deserialize, Serialize};

use crate::cost::Quality;
use crate::ledger::{Feed, Ledger, PostKind};
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
pub struct SessionLedger(Ledger);

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
            SessionPart::Main => self.0.feed(THIS, None),
            SessionPart::Agent(agent) => self.0.feed(THIS, Some(agent)),
            SessionPart::Elsewhere(session) => self.0.feed(session, None),
        }
    }

    /// Adds the usage in an entry, and returns what could not be counted.
    pub fn push(&mut self, feed: &mut Feed, entry: &Entry<'_>) -> Doubts {
        self.0.push(feed, entry)
    }

    /// The totals so far, and the part since a given time (in milliseconds since 1970), including subagents. It
    /// contains less than [`Self::summary`], and takes a fraction of the time.
    pub fn standing(&self, prices: &Prices, since: i64) -> Standing {
        let mut standing = Standing::default();
        let mut latest = None;
        self.0.each(prices, |post| {
            if self.0.session_name(post.session) != THIS {
                return;
            }
            standing.totals.add(&post);
            if post.at.is_some_and(|at| at >= since) {
                standing.since.add(&post);
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
        let mut totals = Totals::default();
        let mut agents = Totals::default();
        let mut models: BTreeMap<String, Totals> = BTreeMap::new();
        let mut by_agent: BTreeMap<String, Totals> = BTreeMap::new();
        let mut context = Vec::new();
        self.0.each(prices, |post| {
            if self.0.session_name(post.session) != THIS {
                return;
            }
            totals.add(&post);
            models.entry(canonical(post.model_name).id.into_owned()).or_default().add(&post);
            if post.is_side {
                agents.add(&post);
            }
            if let Some(agent) = post.agent {
                by_agent.entry(self.0.agent_name(agent).to_owned()).or_default().add(&post);
            }
            if let (Some(at), PostKind::Message, false) = (post.at, post.kind, post.is_side)
                && post.context > 0
            {
                context.push((at, post.context));
            }
        });
        context.sort_by_key(|(at, _)| *at);
        let mut models: Vec<_> = models.into_iter().collect();
        models.sort_by(|(one_name, one), (name, other)| {
            let rank = |totals: &Totals| (totals.cost, totals.share(Quality::Unknown).tokens, totals.tokens.total());
            rank(other).cmp(&rank(one)).then_with(|| one_name.cmp(name))
        });
        Summary { totals, models, agents, by_agent, context }
    }
}
