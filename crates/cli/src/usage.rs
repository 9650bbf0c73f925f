//! What `recount usage` reports, for people ([`text`]) and for programs ([`json`], [`csv`], [`ccusage`]).

pub(crate) mod ccusage;
pub(crate) mod csv;
pub(crate) mod json;
mod rows;
pub(crate) mod text;

pub(crate) use rows::{Filter, Kind, ProjectFilter, Rows};

use std::num::NonZeroUsize;

use jiff::tz::TimeZone;
use ledger::blocks::{Block, Blocks, Item};
use reader::account::Doubtful;
use sources::Input;
use sources::Source;

use crate::config::{BlockLimit, Currency};

/// All that is reported.
pub(crate) struct Report<'a> {
    pub(crate) kind: Kind,
    pub(crate) rows: Rows,
    /// Instead of rows, if those were asked for.
    pub(crate) blocks: Option<BlockReport>,
    pub(crate) filter: &'a Filter,
    pub(crate) zone: &'a TimeZone,
    pub(crate) currency: &'a Currency,
    /// Models below each row.
    pub(crate) breakdown: bool,
    pub(crate) with_cost: bool,
    pub(crate) doubtful: &'a [Doubtful],
    pub(crate) doubtful_lines: u64,
    /// What the numbers in places stand for.
    pub(crate) sources: &'a [Source],
}

/// The five-hour windows.
pub(crate) struct BlockReport {
    pub(crate) blocks: Blocks,
    /// How many hours each has.
    pub(crate) hours: u16,
    pub(crate) now: i64,
    pub(crate) limit: Option<BlockLimit>,
    /// Only the open one.
    pub(crate) only_active: bool,
    /// Only so many, the latest.
    pub(crate) top: Option<NonZeroUsize>,
    /// The latest first.
    pub(crate) reversed: bool,
}

impl BlockReport {
    /// How many tokens a block may have.
    pub(crate) fn limit_tokens(&self) -> Option<u64> {
        match self.limit? {
            BlockLimit::Tokens(tokens) => Some(tokens),
            BlockLimit::Max => {
                let closed = self.all().filter(|block| !block.is_active(self.now));
                closed.map(|block| block.totals.tokens.total()).max()
            }
        }
    }

    /// What is shown: blocks and the gaps between them, or the open block.
    fn items(&self) -> Vec<Item<'_>> {
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
    fn left_out(&self) -> usize {
        self.top.filter(|_| !self.only_active).map_or(0, |top| self.all().count().saturating_sub(top.get()))
    }

    /// From the first message that is shown to the last.
    fn span(&self) -> Option<(i64, i64)> {
        let spans = self.items().into_iter().filter_map(|item| match item {
            Item::Block(block) => Some((block.first, block.last)),
            Item::Gap(_) => None,
        });
        spans.reduce(|one, other| (one.0.min(other.0), one.1.max(other.1)))
    }

    fn all(&self) -> impl Iterator<Item = &Block> {
        self.blocks.items().filter_map(|item| match item {
            Item::Block(block) => Some(block),
            Item::Gap(_) => None,
        })
    }
}

impl Report<'_> {
    /// Where a doubtful line is.
    fn input(&self, doubtful: &Doubtful) -> Option<&Input> {
        self.sources.get(doubtful.place.source).map(|source| &source.input)
    }

    /// Whether there is nothing to report.
    pub(crate) fn is_empty(&self) -> bool {
        match &self.blocks {
            Some(report) => report.items().is_empty(),
            None => self.rows.list.is_empty(),
        }
    }
}
