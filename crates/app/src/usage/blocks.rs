//! Usage by five-hour window, the windows that limits are counted in.

use std::num::NonZeroUsize;

use jiff::tz::TimeZone;
use ledger::Books;
use ledger::blocks::{Block, Blocks, FIVE_HOURS, Item};
use reader::Accounts;

use crate::config::BlockLimit;
use crate::filter::SessionFilter;

/// The five-hour windows.
#[derive(Debug)]
pub struct BlockReport {
    /// The windows.
    pub blocks: Blocks,
    /// How many hours each has.
    pub hours: u16,
    /// The current time, in milliseconds since 1970.
    pub now: i64,
    /// How many tokens a window may have.
    pub limit: Option<BlockLimit>,
    /// Only the open one.
    pub only_active: bool,
    /// Only so many, the latest.
    pub top: Option<NonZeroUsize>,
    /// The latest first.
    pub reversed: bool,
}

impl BlockReport {
    /// The windows of what the filter lets through, each so many hours long. Posts are read twice: first their times,
    /// then themselves, so that they need not be kept.
    pub fn of(
        books: &Books<'_, '_>,
        accounts: &Accounts,
        filter: &SessionFilter,
        zone: &TimeZone,
        hours: u16,
        now: i64,
    ) -> Self {
        let mut times = Vec::new();
        books.each(|post| times.extend(post.at.filter(|_| filter.wants_post(&post, accounts))));
        let mut blocks = Blocks::new(times, FIVE_HOURS / 5 * i64::from(hours));
        books.each(|post| {
            if filter.wants_post(&post, accounts) {
                blocks.add(&post);
            }
        });
        let limits: Vec<(i64, i64)> =
            accounts.ledger.limits().iter().filter_map(|limit| Some((limit.at, limit.resets_at(zone)?))).collect();
        blocks.set_limits(&limits);
        Self { blocks, hours, now, limit: None, only_active: false, top: None, reversed: false }
    }

    /// How many tokens a block may have.
    pub fn limit_tokens(&self) -> Option<u64> {
        match self.limit? {
            BlockLimit::Tokens(tokens) => Some(tokens),
            BlockLimit::Max => {
                let closed = self.all().filter(|block| !block.is_active(self.now));
                closed.map(|block| block.totals.tokens.total()).max()
            }
        }
    }

    /// What is shown: blocks and the gaps between them, or the open block.
    pub fn items(&self) -> Vec<Item<'_>> {
        let is_shown = |item: &Item<'_>| match item {
            Item::Block(block) => !self.only_active || block.is_active(self.now),
            Item::Gap(_) => !self.only_active,
        };
        let mut items: Vec<_> = self.blocks.items().filter(is_shown).collect();
        if let Some(top) = self.top {
            let blocks = items.iter().enumerate().filter(|(_, item)| matches!(item, Item::Block(_)));
            let first = blocks.rev().nth(top.get() - 1).map_or(0, |(at, _)| at);
            items.drain(..first);
        }
        if self.reversed {
            items.reverse();
        }
        items
    }

    /// How many blocks are not shown because there are later ones.
    pub fn left_out(&self) -> usize {
        self.top.filter(|_| !self.only_active).map_or(0, |top| self.all().count().saturating_sub(top.get()))
    }

    /// From the first message that is shown to the last.
    pub fn span(&self) -> Option<(i64, i64)> {
        let spans = self.items().into_iter().filter_map(|item| match item {
            Item::Block(block) => Some((block.first, block.last)),
            Item::Gap(_) => None,
        });
        spans.reduce(|one, other| (one.0.min(other.0), one.1.max(other.1)))
    }

    /// All windows, shown or not.
    pub fn all(&self) -> impl Iterator<Item = &Block> {
        self.blocks.items().filter_map(|item| match item {
            Item::Block(block) => Some(block),
            Item::Gap(_) => None,
        })
    }
}
