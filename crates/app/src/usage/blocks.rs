//! Usage by five-hour window, the period of limits.

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
    /// The length of each window in hours.
    pub hours: u16,
    /// The current time, in milliseconds since 1970.
    pub now: i64,
    /// The token limit of a window.
    pub limit: Option<BlockLimit>,
    /// Whether to show only the open window.
    pub only_active: bool,
    /// Maximum number of windows; the latest are shown.
    pub top: Option<NonZeroUsize>,
    /// Whether the latest comes first.
    pub reversed: bool,
}

impl BlockReport {
    /// Creates the windows of this length from the posts that match the filter. It reads posts twice, first their times
    /// and then their usage, so that they need not be kept in memory.
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

    /// Returns the token limit of a block.
    pub fn limit_tokens(&self) -> Option<u64> {
        match self.limit? {
            BlockLimit::Tokens(tokens) => Some(tokens),
            BlockLimit::Max => {
                let closed = self.all().filter(|block| !block.is_active(self.now));
                closed.map(|block| block.totals.tokens.total()).max()
            }
        }
    }

    /// Returns the items to show: blocks and the gaps between them, or the open block.
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

    /// Returns the number of earlier blocks that are not shown.
    pub fn left_out(&self) -> usize {
        self.top.filter(|_| !self.only_active).map_or(0, |top| self.all().count().saturating_sub(top.get()))
    }

    /// Returns the times of the first and last message shown.
    pub fn span(&self) -> Option<(i64, i64)> {
        let spans = self.items().into_iter().filter_map(|item| match item {
            Item::Block(block) => Some((block.first, block.last)),
            Item::Gap(_) => None,
        });
        spans.reduce(|one, other| (one.0.min(other.0), one.1.max(other.1)))
    }

    /// Returns all windows, shown or not.
    pub fn all(&self) -> impl Iterator<Item = &Block> {
        self.blocks.items().filter_map(|item| match item {
            Item::Block(block) => Some(block),
            Item::Gap(_) => None,
        })
    }
}
