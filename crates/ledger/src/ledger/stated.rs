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
    pub(super) models: Vec<(Model, Tokens, Money)>,
    /// The model for costs that are not broken down by model.
    pub(super) unnamed: Model,
}

/// Tokens and cost of a model.
#[derive(Debug, Clone, Copy, Default)]
struct Sum {
    model: Option<Model>,
    tokens: Tokens,
    cost: Money,
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

    /// Whether it includes all counted tokens: then it covers all of these messages.
    fn is_whole(&self) -> bool {
        self.models.is_empty()
            || self.counted.iter().all(|(model, counted)| {
                self.models.get(model).is_some_and(|stated| stated.tokens.covers(&counted.tokens))
            })
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
        sessions.retain(|_, whole| whole.is_whole());
        Coverage { sessions }
    }

    fn wholes(&self) -> BTreeMap<Session, Whole> {
        let mut by_session: BTreeMap<Session, Vec<&Stated>> = BTreeMap::new();
        for stated in &self.ledger.stated {
            by_session.entry(stated.session).or_default().push(stated);
        }
        by_session.into_iter().map(|(session, stated)| (session, self.whole(stated))).collect()
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
                && (next.cost < one.cost || next.process != one.process)
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
        for (model, tokens, cost) in &stated.models {
            let sum = whole.models.entry(canonical(self.ledger.model_name(*model)).id.into_owned()).or_default();
            sum.model = Some(*model);
            sum.tokens += *tokens;
            sum.cost += *cost;
        }
    }
}

impl Coverage {
    /// Messages covered by a statement are exact: together with the rest they add up to the stated figure.
    pub(super) fn approve(&self, post: &mut Post<'_>) {
        if self.sessions.get(&post.session).is_some_and(|whole| whole.covers(post)) {
            post.cost.quality = Quality::Exact;
        }
    }

    /// The part of the statements beyond the messages.
    pub(super) fn rest<'a>(&self, books: &Books<'a, '_>, mut each: impl FnMut(Post<'a>)) {
        for (session, whole) in &self.sessions {
            let mut left = whole.cost - whole.counted.values().map(|sum| sum.cost).sum();
            let mut rests = Vec::new();
            for (name, stated) in &whole.models {
                let counted = whole.counted.get(name).copied().unwrap_or_default();
                let amount = stated.cost - counted.cost;
                left = left - amount;
                rests.push((stated.model, stated.tokens.without(counted.tokens), amount));
            }
            rests.push((whole.unnamed, Tokens::default(), left));
            for (model, tokens, amount) in rests {
                let Some(model) = model.filter(|_| tokens != Tokens::default() || amount != Money::ZERO) else {
                    continue;
                };
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
                    tokens,
                    context: 0,
                    cost: Cost { amount, quality: Quality::Exact },
                });
            }
        }
    }
}
