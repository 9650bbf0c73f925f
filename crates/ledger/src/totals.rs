//! Sums of posts, with their quality.

use std::collections::BTreeMap;
use std::ops::AddAssign;

use crate::cost::Quality;
use crate::ledger::{Post, PostKind};
use crate::money::Money;
use crate::prices::OutdatedList;
use crate::tokens::Tokens;

/// Total usage and cost.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Totals {
    /// API messages.
    pub messages: u64,
    /// Tokens by kind.
    pub tokens: Tokens,
    /// Without unknown costs.
    pub cost: Money,
    /// The part that sessions state themselves.
    pub exact: Share,
    /// The part that sessions state themselves at prices of their organisation.
    pub managed: Share,
    /// The part from final usage and known prices.
    pub computed: Share,
    /// The part that is a lower bound.
    pub low: Share,
    /// The part without a price.
    pub unknown: Share,
    /// The part that sessions state beyond their messages, whatever its quality: calls of helper models, permission
    /// checks and stopped calls leave no lines. Negative if the messages at list price come to more.
    pub without_lines: Share,
    /// The models without a price, by name.
    pub unknown_models: BTreeMap<Box<str>, Share>,
    /// The earliest and the latest time, in milliseconds since 1970.
    pub span: Option<(i64, i64)>,
}

/// A part of a sum.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Share {
    /// API messages.
    pub messages: u64,
    /// Tokens of all kinds.
    pub tokens: u64,
    /// Their cost.
    pub cost: Money,
}

impl AddAssign for Share {
    fn add_assign(&mut self, other: Self) {
        self.messages += other.messages;
        self.tokens = self.tokens.saturating_add(other.tokens);
        self.cost += other.cost;
    }
}

impl Totals {
    /// Adds a post.
    pub fn add(&mut self, post: &Post<'_>) {
        let messages = u64::from(post.kind == PostKind::Message);
        let share = Share { messages, tokens: post.tokens.total(), cost: post.cost.amount };
        self.messages += messages;
        self.tokens += post.tokens;
        self.cost += post.cost.amount;
        *self.share_mut(post.cost.quality) += share;
        if post.kind == PostKind::Rest {
            self.without_lines += share;
        }
        // Zero tokens cost nothing, at any price.
        if post.cost.quality == Quality::Unknown && share.tokens > 0 {
            *self.unknown_models.entry(post.model_name.into()).or_default() += share;
        }
        self.span = around(self.span, post.at.map(|at| (at, at)));
    }

    /// The part with a given quality.
    pub fn share(&self, quality: Quality) -> Share {
        match quality {
            Quality::Exact => self.exact,
            Quality::Managed => self.managed,
            Quality::Computed => self.computed,
            Quality::Low => self.low,
            Quality::Unknown => self.unknown,
        }
    }

    fn share_mut(&mut self, quality: Quality) -> &mut Share {
        match quality {
            Quality::Exact => &mut self.exact,
            Quality::Managed => &mut self.managed,
            Quality::Computed => &mut self.computed,
            Quality::Low => &mut self.low,
            Quality::Unknown => &mut self.unknown,
        }
    }

    /// Whether the price list is older than a model in the sum ([`Prices::outdated_by`](crate::Prices::outdated_by)).
    pub fn outdated_list(&self) -> Option<OutdatedList> {
        OutdatedList::of(self.unknown_models.keys().map(|model| &**model))
    }

    /// The quality of the sum: that of its worst part.
    pub fn quality(&self) -> Quality {
        let all = [Quality::Unknown, Quality::Low, Quality::Computed, Quality::Managed];
        let worst = all.into_iter().find(|quality| self.share(*quality).tokens > 0);
        worst.unwrap_or(Quality::Exact)
    }
}

impl AddAssign<&Self> for Totals {
    fn add_assign(&mut self, other: &Self) {
        self.messages += other.messages;
        self.tokens += other.tokens;
        self.cost += other.cost;
        for quality in [Quality::Exact, Quality::Managed, Quality::Computed, Quality::Low, Quality::Unknown] {
            *self.share_mut(quality) += other.share(quality);
        }
        self.without_lines += other.without_lines;
        for (model, share) in &other.unknown_models {
            *self.unknown_models.entry(model.clone()).or_default() += *share;
        }
        self.span = around(self.span, other.span);
    }
}

/// The union of two spans.
fn around(one: Option<(i64, i64)>, other: Option<(i64, i64)>) -> Option<(i64, i64)> {
    match (one, other) {
        (Some(one), Some(other)) => Some((one.0.min(other.0), one.1.max(other.1))),
        (one, other) => one.or(other),
    }
}
