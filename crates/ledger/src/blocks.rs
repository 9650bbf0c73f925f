//! The five-hour windows that limits hold for.
//!
//! A block starts at the full hour (UTC) of its first message. The next one
//! begins with the first message that comes more than five hours after the
//! start of the block, or after the message before. Where nobody wrote for more
//! than five hours there is a gap, from five hours after the last message on.
//!
//! Times come first and posts later, so that posts need not be kept.

use std::collections::BTreeSet;

use crate::ledger::Post;
use crate::money::Money;
use crate::totals::Totals;

/// How long a block is, in milliseconds.
pub const FIVE_HOURS: i64 = 5 * HOUR;

const HOUR: i64 = 60 * MINUTE;
const MINUTE: i64 = 60 * 1000;

/// All blocks, in the order of time.
///
/// ```
/// use ledger::blocks::{Blocks, FIVE_HOURS, Item};
///
/// let hour = 60 * 60 * 1000;
/// let blocks = Blocks::new(vec![20 * hour, 10 * hour + 1, 11 * hour], FIVE_HOURS);
/// let items: Vec<_> = blocks.items().collect();
/// let [Item::Block(first), Item::Gap(gap), Item::Block(second)] = &items[..] else { panic!() };
/// assert_eq!((first.start, first.end, second.start), (10 * hour, 15 * hour, 20 * hour));
/// assert_eq!((gap.from, gap.until), (16 * hour, 20 * hour));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Blocks {
    length: i64,
    all: Vec<Block>,
    /// Posts without a time, or with one that was not given before.
    pub outside: Totals,
}

/// A window of a limit. Times are in milliseconds since 1970.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Block {
    /// The full hour of its first message.
    pub start: i64,
    /// When it is over: a message at that very moment is still in it.
    pub end: i64,
    /// Its first message.
    pub first: i64,
    /// Its last message so far.
    pub last: i64,
    /// What was used in it.
    pub totals: Totals,
    /// The models that were used, as they are written.
    pub models: BTreeSet<Box<str>>,
    /// When the limit that was met is lifted, as the last message about it says.
    pub limit_resets: Option<i64>,
}

/// A time in which no block was open, and nobody wrote.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Gap {
    /// The length of a block after the last message before.
    pub from: i64,
    /// The first message after.
    pub until: i64,
}

/// What there is in the order of time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Item<'a> {
    /// A block.
    Block(&'a Block),
    /// Nothing.
    Gap(Gap),
}

/// How fast a block is used up, between its first and its last message.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Burn {
    /// Tokens of all kinds.
    pub tokens_per_minute: f64,
    /// Input and output without cached tokens: what tells a busy hour from a quiet one.
    pub fresh_per_minute: f64,
    /// What it costs.
    pub cost_per_hour: Money,
}

/// What a block comes to if it goes on like that.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Projection {
    /// Tokens of all kinds at its end.
    pub tokens: u64,
    /// What it will have cost.
    pub cost: Money,
    /// How long it still is, in milliseconds.
    pub remaining: i64,
}

impl Blocks {
    /// The blocks of messages at these times, in any order, each as long as `length`.
    pub fn new(mut times: Vec<i64>, length: i64) -> Self {
        times.sort_unstable();
        times.dedup();
        let mut all: Vec<Block> = Vec::new();
        for at in times {
            match all.last_mut() {
                Some(block) if block.goes_on_at(at, length) => block.last = at,
                _ => all.push(Block::at(at, length)),
            }
        }
        Self { length, all, outside: Totals::default() }
    }

    /// Puts a post into its block.
    pub fn add(&mut self, post: &Post<'_>) {
        let block = post.at.and_then(|at| {
            let (before, _) = self.around(at);
            self.all.get_mut(before?).filter(|block| at <= block.last)
        });
        let Some(block) = block else {
            self.outside.add(post);
            return;
        };
        block.totals.add(post);
        if !block.models.contains(post.model_name) {
            block.models.insert(post.model_name.into());
        }
    }

    /// Takes all messages that say that a limit was met: when each came, and when it says that the limit is lifted.
    pub fn set_limits(&mut self, limits: &[(i64, i64)]) {
        let mut limits = limits.to_vec();
        limits.sort_unstable();
        for (at, resets) in limits {
            let (before, after) = self.around(at);
            let open = |block: &&mut Block| block.goes_on_at(at, block.length());
            // It may be the message about the limit that a block begins with.
            let block = match before.and_then(|before| self.all.get_mut(before)).filter(open) {
                Some(block) => Some(block),
                None => self.all.get_mut(after).filter(|block| block.start <= at),
            };
            if let Some(block) = block {
                block.limit_resets = Some(resets);
            }
        }
    }

    /// Blocks, and the gaps between them.
    ///
    /// A block can start before the gap ahead of it: its start is the full hour, the gap ends with the message.
    pub fn items(&self) -> impl Iterator<Item = Item<'_>> {
        let ends = std::iter::once(None).chain(self.all.iter().map(|block| Some(block.last)));
        self.all.iter().zip(ends).flat_map(|(block, before)| {
            let gap = before.map(|last| Gap { from: last.saturating_add(self.length), until: block.first });
            let gap = gap.filter(|gap| gap.from < gap.until).map(Item::Gap);
            gap.into_iter().chain([Item::Block(block)])
        })
    }

    /// The block that is open at a moment.
    pub fn active(&self, now: i64) -> Option<&Block> {
        self.all.iter().rev().find(|block| block.is_active(now))
    }

    /// The last block that begins before a moment, and the one after.
    fn around(&self, at: i64) -> (Option<usize>, usize) {
        let after = self.all.partition_point(|block| block.first <= at);
        (after.checked_sub(1), after)
    }
}

impl Block {
    fn at(first: i64, length: i64) -> Self {
        let start = first.saturating_sub(first.rem_euclid(HOUR));
        Self {
            start,
            end: start.saturating_add(length),
            first,
            last: first,
            totals: Totals::default(),
            models: BTreeSet::new(),
            limit_resets: None,
        }
    }

    fn length(&self) -> i64 {
        self.end.saturating_sub(self.start)
    }

    /// Whether a message that comes after its first one is still in it.
    fn goes_on_at(&self, at: i64, length: i64) -> bool {
        at.saturating_sub(self.start) <= length && at.saturating_sub(self.last) <= length
    }

    /// Whether it is open at a moment.
    pub fn is_active(&self, now: i64) -> bool {
        self.start <= now && now < self.end && now.saturating_sub(self.last) < self.length()
    }

    /// How fast it is used up; `None` if all of it was at one moment.
    #[expect(clippy::cast_precision_loss, reason = "what is shown has far fewer digits")]
    pub fn burn(&self) -> Option<Burn> {
        let elapsed = self.elapsed()?;
        let tokens = &self.totals.tokens;
        let per_minute = |count: u64| count as f64 * MINUTE as f64 / elapsed as f64;
        Some(Burn {
            tokens_per_minute: per_minute(tokens.total()),
            fresh_per_minute: per_minute(tokens.input.saturating_add(tokens.output)),
            cost_per_hour: Money::from_picodollars(share(self.totals.cost.picodollars(), HOUR, elapsed)),
        })
    }

    /// What it comes to at its end, seen from a moment; `None` if it is not open then, or does not burn.
    pub fn projection(&self, now: i64) -> Option<Projection> {
        let elapsed = self.elapsed()?;
        if !self.is_active(now) {
            return None;
        }
        let remaining = self.end.saturating_sub(now);
        let tokens = self.totals.tokens.total();
        let more = share(tokens.into(), remaining, elapsed);
        let cost = Money::from_picodollars(share(self.totals.cost.picodollars(), remaining, elapsed));
        Some(Projection {
            tokens: tokens.saturating_add(u64::try_from(more).unwrap_or(u64::MAX)),
            cost: self.totals.cost + cost,
            remaining,
        })
    }

    fn elapsed(&self) -> Option<i64> {
        let elapsed = self.last.saturating_sub(self.first);
        (elapsed > 0).then_some(elapsed)
    }
}

/// `amount` times `part` by `whole`, to the nearest.
fn share(amount: i128, part: i64, whole: i64) -> i128 {
    let (part, whole) = (i128::from(part), i128::from(whole.max(1)));
    amount.saturating_mul(part).saturating_add(whole / 2) / whole
}
