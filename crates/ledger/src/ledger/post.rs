//! The final figures, with their cost.

use super::settle::{Message, Settled};
use super::stated::Coverage;
use super::{Agent, Branch, Ledger, Model, Session};
use crate::cost::{Cost, Quality, Request};
use crate::money::Money;
use crate::prices::{ModelPrices, Prices};
use crate::record::Chain;
use crate::tokens::Tokens;
use crate::totals::Totals;

/// One row of the result: the usage of one model for one message, or the cost that a session states beyond its
/// messages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Post<'a> {
    /// The reason it exists.
    pub kind: PostKind,
    /// The API message, as the hash of its id in [`crate::record::Record::message`].
    pub message: Option<u64>,
    /// The session that owns it; subagents belong to the session that spawned them.
    pub session: Session,
    /// The subagent, if known.
    pub agent: Option<Agent>,
    /// Whether a subagent did it.
    pub is_side: bool,
    /// The model.
    pub model: Model,
    /// Its name, as written; empty if unknown.
    pub model_name: &'a str,
    /// The branch that was checked out, if the line names it.
    pub branch: Option<Branch>,
    /// When the first line of the message was written.
    pub at: Option<i64>,
    /// The usage.
    pub tokens: Tokens,
    /// The size of the context; zero except for messages.
    pub context: u32,
    /// What it cost.
    pub cost: Cost,
}

/// The reason that a post exists.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum PostKind {
    /// An API message.
    Message,
    /// Another model's usage for a message: an adviser, a compaction, the model before a fallback.
    Aside,
    /// The part of a session's stated cost without lines: helper models, and usage that was never finished.
    Rest,
}

impl Ledger {
    /// Settles the ledger: which messages there are, which session owns each, and what each cost. To iterate over the
    /// posts more than once, keep the result.
    pub fn books<'a, 'p>(&'a self, prices: &'p Prices) -> Books<'a, 'p> {
        let models = self.models.iter().map(|name| prices.of(name)).collect();
        let mut books = Books { ledger: self, prices, models, settled: self.settle(), coverage: Coverage::default() };
        books.coverage = books.covered();
        books
    }

    /// Passes every post to `each`, like [`Books::each`].
    pub fn each<'a>(&'a self, prices: &Prices, each: impl FnMut(Post<'a>)) {
        self.books(prices).each(each);
    }

    /// The sum of everything.
    pub fn totals(&self, prices: &Prices) -> Totals {
        let mut totals = Totals::default();
        self.each(prices, |post| totals.add(&post));
        totals
    }

    /// Totals by any key: the day, the session, the model, the agent… `None` leaves a post out.
    pub fn by<K: Ord>(
        &self,
        prices: &Prices,
        key: impl Fn(&Post<'_>) -> Option<K>,
    ) -> std::collections::BTreeMap<K, Totals> {
        let mut sums = std::collections::BTreeMap::new();
        self.each(prices, |post| {
            if let Some(key) = key(&post) {
                let totals: &mut Totals = sums.entry(key).or_default();
                totals.add(&post);
            }
        });
        sums
    }
}

/// The messages of a ledger with their prices.
#[derive(Debug)]
pub struct Books<'a, 'p> {
    pub(super) ledger: &'a Ledger,
    prices: &'p Prices,
    models: Vec<Option<ModelPrices<'p>>>,
    pub(super) settled: Settled,
    coverage: Coverage,
}

impl<'a> Books<'a, '_> {
    /// Passes every post to `each`: messages in the order of their first lines, then the stated remainders.
    pub fn each(&self, mut each: impl FnMut(Post<'a>)) {
        self.posts(|mut post| {
            self.coverage.approve(&mut post);
            each(post);
        });
        self.coverage.rest(self, each);
    }

    /// Every message, with the usage of other models for it.
    pub(super) fn posts(&self, mut each: impl FnMut(Post<'a>)) {
        for message in self.ledger.messages(&self.settled) {
            self.message(&message, &mut each);
        }
    }

    fn message(&self, message: &Message<'_>, each: &mut impl FnMut(Post<'a>)) {
        let group = message.group;
        let mut tokens = Tokens::from(group.usage);
        let asides = message.steps.map_or(&[][..], |steps| &steps.asides);
        if let Some(steps) = message.steps {
            let others = asides.iter().fold(Tokens::default(), |sum, aside| sum + aside.usage.into());
            // The total usually excludes the steps of other models; here it includes them.
            if tokens.covers(&(others + steps.own.into())) {
                tokens = tokens.without(others);
            }
        }
        let request = Request {
            at: message.at,
            tokens,
            prompt: group.context.into(),
            speed: group.speed,
            batch: group.batch,
            us_only: group.us_only,
        };
        let is_stated = group.stated > 0;
        let cost = if is_stated {
            Cost { amount: Money::from_picodollars(group.stated.into()), quality: Quality::Exact }
        } else {
            let cost = self.cost(group.model, &request);
            let is_low = cost.quality == Quality::Computed && group.may_be_placeholder && !group.finished;
            Cost { quality: if is_low { Quality::Low } else { cost.quality }, ..cost }
        };
        let post = self.post(PostKind::Message, message, group.model, tokens, cost);
        each(Post { context: group.context, ..post });
        for aside in asides {
            let tokens = Tokens::from(aside.usage);
            let request = Request { tokens, prompt: tokens.prompt(), ..request };
            // A cost stated by a line covers all of its message.
            let stated = Cost { amount: Money::ZERO, quality: Quality::Exact };
            let cost = if is_stated { stated } else { self.cost(aside.model, &request) };
            each(self.post(PostKind::Aside, message, aside.model, tokens, cost));
        }
    }

    fn cost(&self, model: Model, request: &Request) -> Cost {
        self.prices.cost(self.models.get(model.0 as usize).copied().flatten(), request)
    }

    fn post(&self, kind: PostKind, message: &Message<'_>, model: Model, tokens: Tokens, cost: Cost) -> Post<'a> {
        Post {
            kind,
            message: message.group.key.message(),
            session: message.owner.session,
            agent: message.owner.agent,
            is_side: message.group.chain < Chain::Main,
            model,
            model_name: self.ledger.model_name(model),
            branch: self.ledger.known_branch(message.group.branch),
            at: message.at,
            tokens,
            context: 0,
            cost,
        }
    }
}
