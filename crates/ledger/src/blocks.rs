//! The five-hour windows of usage limits.
//!
//! A block starts at the full hour (UTC) of its first message. The next one begins with the first message that comes
//! more than five hours after the start of the block, or after the message before. More than five hours without a
//! message leave a gap, which begins five hours after the last message.
//!
//! Times come first and posts later, so that posts need not be stored.

use std::collections::BTreeSet;

use crate::ledger::Post;
use crate::money::Money;
use crate::totals::Totals;

/// The length of a block, in milliseconds.
pub const FIVE_HOURS: i64 = 5 * HOUR;

const HOUR: i64 = 60 * MINUTE;
const MINUTE: i64 = 60 * 1000;

/// All blocks, in chronological order.
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
    /// Posts without a time, or outside all blocks.
    pub outside: Totals,
}

/// One window of a usage limit. Times are in milliseconds since 1970.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Block {
    /// The full hour of its first message.
    pub start: i64,
    /// Its end, inclusive: a message at exactly that time belongs to the block.
    pub end: i64,
    /// Its first message.
    pub first: i64,
    /// Its last message so far.
    pub last: i64,
    /// The usage in it.
    pub totals: Totals,
    /// The models that were used, as written in the transcripts.
    pub models: BTreeSet<Box<str>>,
    /// When the limit that was reached resets, according to the last message about it.
    pub limit_resets: Option<i64>,
}

/// A period in which no block was open and no message was sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Gap {
    /// The last message before, plus the length of a block.
    pub from: i64,
    /// The first message after.
    pub until: i64,
}

/// A block or a gap.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Item<'a> {
    /// A block.
    Block(&'a Block),
    /// A gap.
    Gap(Gap),
}

/// The rate of usage between the first and the last message of a block.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Burn {
    /// Tokens of all kinds.
    pub tokens_per_minute: f64,
    /// Input and output without cached tokens: a better measure of activity.
    pub fresh_per_minute: f64,
    /// The cost.
    pub cost_per_hour: Money,
}

/// The totals at the end of a block at its current rate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Projection {
    /// Tokens of all kinds at its end.
    pub tokens: u64,
    /// The cost at its end.
    pub cost: Money,
    /// The time left, in milliseconds.
    pub remaining: i64,
}

impl Blocks {
    /// The blocks of messages at these times, in any order, each of this `length`.
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

    /// Adds a post to its block.
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

    /// Sets the limits that were reached: the time of each message about one, and when the limit resets.
    pub fn set_limits(&mut self, limits: &[(i64, i64)]) {
        let mut limits = limits.to_vec();
        limits.sort_unstable();
        for (at, resets) in limits {
            let (before, after) = self.around(at);
            let open = |block: &&mut Block| block.goes_on_at(at, block.length());
            // A block may begin with the message about the limit.
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
    /// A block can start before the end of the gap before it: it starts at the full hour, but the gap ends with the
    /// message.
    pub fn items(&self) -> impl Iterator<Item = Item<'_>> {
        let ends = std::iter::once(None).chain(self.all.iter().map(|block| Some(block.last)));
        self.all.iter().zip(ends).flat_map(|(block, before)| {
            let gap = before.map(|last| Gap { from: last.saturating_add(self.length), until: block.first });
            let gap = gap.filter(|gap| gap.from < gap.until).map(Item::Gap);
            gap.into_iter().chain([Item::Block(block)])
        })
    }

    /// The block that is open at a given time.
    pub fn active(&self, now: i64) -> Option<&Block> {
        self.all.iter().rev().find(|block| block.is_active(now))
    }

    /// The last block that begins before a given time, and the one after.
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

    /// Whether a message after its first one still belongs to it.
    fn goes_on_at(&self, at: i64, length: i64) -> bool {
        at.saturating_sub(self.start) <= length && at.saturating_sub(self.last) <= length
    }

    /// Whether it is open at a given time.
    pub fn is_active(&self, now: i64) -> bool {
        self.start <= now && now < self.end && now.saturating_sub(self.last) < self.length()
    }

    /// Its rate of usage; `None` if all messages have the same time.
    #[expect(clippy::cast_precision_loss, reason = "the displayed value has far fewer digits")]
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

    /// Its projection from a given time; `None` if it is not open then, or has no rate.
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
