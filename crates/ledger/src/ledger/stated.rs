//! The costs that sessions state, and the part of them without lines.

use std::collections::BTreeMap;

use rustc_hash::FxHashSet;
use serde::{Deserialize, Serialize};

use super::post::{Books, Post, PostKind};
use super::{Model, Session};
use crate::cost::{Cost, Quality};
use crate::money::Money;
use crate::prices::canonical;
use crate::statement::Scope;
use crate::tokens::Tokens;

/// A statement of a session.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Stated {
    pub(super) session: Session,
    pub(super) scope: Scope,
    pub(super) id: u64,
    pub(super) at: Option<i64>,
    /// Its index among the statements of its file.
    pub(super) order: u32,
    /// When its process began, if known.
    pub(super) process: Option<i64>,
    pub(super) cost: Money,
    /// Whether its process continues the totals of those before it, where the transcript has them.
    pub(super) is_continued: bool,
    pub(super) models: Vec<StatedSum>,
    /// The model for costs that are not broken down by model.
    pub(super) unnamed: Model,
}

/// What a statement says about a model.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub(super) struct StatedSum {
    pub(super) model: Model,
    pub(super) tokens: Tokens,
    pub(super) cost: Money,
    pub(super) is_managed: bool,
}

/// Tokens and cost of a model.
#[derive(Debug, Clone, Copy, Default)]
struct Sum {
    model: Option<Model>,
    tokens: Tokens,
    cost: Money,
    is_managed: bool,
}

impl Sum {
    /// The part beyond another sum. The cost may be negative: it makes up for prices that differ.
    fn beyond(self, other: Self) -> Self {
        Self { tokens: self.tokens.without(other.tokens), cost: self.cost - other.cost, ..self }
    }

    fn add(&mut self, other: Self) {
        self.model = self.model.or(other.model);
        self.tokens += other.tokens;
        self.cost += other.cost;
        self.is_managed |= other.is_managed;
    }
}

/// Everything a session states, summed over its processes.
#[derive(Debug, Default)]
struct Whole {
    /// It does not cover anything later.
    until: Option<i64>,
    cost: Money,
    /// By the canonical name of the model.
    models: BTreeMap<String, Sum>,
    /// The same for the messages it covers.
    counted: BTreeMap<String, Sum>,
    last: Option<i64>,
    unnamed: Option<Model>,
    /// Whether it covers every message there is: those of the streams that it ends.
    is_of_streams: bool,
}

/// The sessions whose statements apply to their messages.
#[derive(Debug, Default)]
pub(super) struct Coverage {
    sessions: BTreeMap<Session, Whole>,
}

impl Whole {
    fn covers(&self, post: &Post<'_>) -> bool {
        self.until.is_none() || post.at.is_none() || post.at <= self.until
    }

    /// Whether it states the cost of all these messages. This is the only place that decides it.
    ///
    /// The result of a stream is what its process cost, even where its lines have more tokens than its `modelUsage`
    /// (retries, other spellings of a model, no tokens at all). The total in a transcript may lack the part before it
    /// was first written, so it must include all counted tokens.
    fn holds(&self) -> bool {
        let is_counted = self.counted.values().any(|counted| counted.tokens.total() > 0);
        // A zero beside usage means that no price was set.
        if self.cost == Money::ZERO && is_counted {
            return false;
        }
        self.is_of_streams
            || self.models.is_empty()
            || self.counted.iter().all(|(model, counted)| {
                self.models.get(model).is_some_and(|stated| stated.tokens.covers(&counted.tokens))
            })
    }

    /// The quality of the cost of a model.
    fn quality(&self, canonical: &str) -> Quality {
        let is_managed = match self.models.get(canonical) {
            Some(stated) => stated.is_managed,
            None => self.models.values().any(|stated| stated.is_managed),
        };
        if is_managed { Quality::Managed } else { Quality::Exact }
    }

    /// The part of the statement beyond the messages, by model.
    fn rests(&self) -> Vec<Sum> {
        let mut rests = Vec::new();
        // Models that only the lines name, less those that only the statement names: gateways use other names.
        let (mut strangers, mut others) = (Sum::default(), Sum::default());
        let has_strangers = self.counted.keys().any(|model| !self.models.contains_key(model));
        for (_, counted) in self.counted.iter().filter(|(model, _)| !self.models.contains_key(*model)) {
            strangers.add(*counted);
        }
        for (model, stated) in &self.models {
            match self.counted.get(model) {
                Some(counted) => rests.push(stated.beyond(*counted)),
                None if has_strangers => others.add(*stated),
                None => rests.push(*stated),
            }
        }
        let stated: Money = self.models.values().map(|stated| stated.cost).sum();
        let unnamed = Sum { model: others.model.or(self.unnamed), cost: self.cost - stated, ..Sum::default() };
        let mut left = others.beyond(strangers);
        left.add(unnamed);
        left.model = unnamed.model;
        rests.push(left);
        rests.retain(|rest| rest.tokens != Tokens::default() || rest.cost != Money::ZERO);
        rests
    }
}

impl Books<'_, '_> {
    /// Compares stated with counted usage.
    pub(super) fn covered(&self) -> Coverage {
        let mut sessions = self.wholes();
        if sessions.is_empty() {
            return Coverage { sessions };
        }
        self.posts(|post| {
            let Some(whole) = sessions.get_mut(&post.session).filter(|whole| whole.covers(&post)) else { return };
            let sum = whole.counted.entry(canonical(post.model_name).id.into_owned()).or_default();
            sum.tokens += post.tokens;
            sum.cost += post.cost.amount;
            whole.last = whole.last.max(post.at);
        });
        sessions.retain(|_, whole| whole.holds());
        Coverage { sessions }
    }

    fn wholes(&self) -> BTreeMap<Session, Whole> {
        let mut by_session: BTreeMap<Session, Vec<&Stated>> = BTreeMap::new();
        for stated in &self.ledger.stated {
            by_session.entry(stated.session).or_default().push(stated);
        }
        let whole = |session: Session, stated| Whole {
            is_of_streams: !self.ledger.transcripts.contains(&session),
            ..self.whole(stated)
        };
        by_session.into_iter().map(|(session, stated)| (session, whole(session, stated))).collect()
    }

    fn whole(&self, mut stated: Vec<&Stated>) -> Whole {
        let mut whole = Whole { until: stated.iter().map(|stated| stated.at).max().flatten(), ..Whole::default() };
        if stated.iter().any(|stated| stated.scope == Scope::Session) {
            // A total since the start only grows: the largest is the last.
            let last = stated.into_iter().filter(|it| it.scope == Scope::Session).max_by_key(|it| (it.cost, it.at));
            if let Some(last) = last {
                whole.until = last.at;
                self.add(&mut whole, last);
            }
            return whole;
        }
        stated.sort_by_key(|stated| (stated.at, stated.order, stated.id));
        let mut known = FxHashSet::default();
        stated.retain(|stated| known.insert(stated.id));
        // A total smaller than the one before belongs to a new process, as does one with another process start.
        for pair in stated.windows(2) {
            if let [one, next] = pair
                && (next.cost < one.cost || next.process != one.process && !next.is_continued)
            {
                self.add(&mut whole, one);
            }
        }
        if let Some(last) = stated.last() {
            self.add(&mut whole, last);
        }
        whole
    }

    fn add(&self, whole: &mut Whole, stated: &Stated) {
        whole.cost += stated.cost;
        whole.unnamed = Some(stated.unnamed);
        for StatedSum { model, tokens, cost, is_managed } in stated.models.iter().copied() {
            let sum = whole.models.entry(canonical(self.ledger.model_name(model)).id.into_owned()).or_default();
            sum.add(Sum { model: Some(model), tokens, cost, is_managed });
        }
    }
}

impl Coverage {
    /// Messages covered by a statement are exact: together with the rest they add up to the stated figure.
    pub(super) fn approve(&self, post: &mut Post<'_>) {
        if let Some(whole) = self.sessions.get(&post.session).filter(|whole| whole.covers(post)) {
            post.cost.quality = whole.quality(&canonical(post.model_name).id);
        }
    }

    /// The part of the statements beyond the messages.
    pub(super) fn rest<'a>(&self, books: &Books<'a, '_>, mut each: impl FnMut(Post<'a>)) {
        for (session, whole) in &self.sessions {
            for rest in whole.rests() {
                let Some(model) = rest.model else { continue };
                let quality = if rest.is_managed { Quality::Managed } else { Quality::Exact };
                each(Post {
                    kind: PostKind::Rest,
                    message: None,
                    branch: None,
                    session: *session,
                    agent: None,
                    is_side: false,
                    model,
                    model_name: books.ledger.model_name(model),
                    at: whole.until.or(whole.last),
                    tokens: rest.tokens,
                    context: 0,
                    cost: Cost { amount: rest.cost, quality },
                });
            }
        }
    }
}
