//! The splits of all messages.

use std::cmp::Ordering;
use std::collections::hash_map::Entry;

use rustc_hash::FxHashMap;

use crate::ledger::{Post, PostKind};
use crate::money::Money;
use crate::names::Names;

/// The share of each tool in each message.
#[derive(Debug, Clone, Default)]
pub struct ToolShares {
    tools: Names,
    /// By the hash of the message's id; only messages that involve tools.
    messages: FxHashMap<u64, Split>,
}

/// The share of a tool in a post. All figures except the calls are estimates.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ToolPart<'a> {
    /// The tool; `None` for the conversation itself, and for everything that cannot be attributed.
    pub tool: Option<&'a str>,
    /// How often the message calls it.
    pub calls: u64,
    /// The part of the message's output that is its inputs.
    pub input_tokens: u64,
    /// The tokens that its results added to the context just before the message.
    pub result_tokens: u64,
    /// Its part of the post's amount, for this and for earlier calls.
    pub cost: Money,
}

/// The split of a message. The remainder belongs to the conversation.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Split {
    shares: Box<[Share]>,
    /// The few tools that are directly involved in this message. Each also has a share.
    uses: Box<[Use]>,
}

/// A tool's share of a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Share {
    pub(super) tool: u16,
    /// In parts of [`WHOLE`].
    pub(super) share: u16,
}

/// The direct involvement of a tool in a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Use {
    pub(super) tool: u16,
    pub(super) calls: u16,
    pub(super) input_tokens: u32,
    pub(super) result_tokens: u32,
}

/// Shares are rounded down, so that they never add up to more than this.
pub(super) const WHOLE: u32 = 1 << 16;

impl Use {
    pub(super) fn is_any(&self) -> bool {
        self.calls > 0 || self.input_tokens > 0 || self.result_tokens > 0
    }
}

impl Split {
    pub(super) fn new(shares: Vec<Share>, uses: Vec<Use>) -> Self {
        Self { shares: shares.into(), uses: uses.into() }
    }

    fn calls(&self) -> u32 {
        self.uses.iter().map(|it| u32::from(it.calls)).sum()
    }

    fn of_tools(&self) -> u32 {
        self.shares.iter().map(|it| u32::from(it.share)).sum()
    }

    /// The same with other tool numbers; tools without one count as conversation.
    fn moved(&self, number: impl Fn(u16) -> Option<u16>) -> Self {
        let shares = self.shares.iter().filter_map(|it| Some(Share { tool: number(it.tool)?, ..*it }));
        let uses = self.uses.iter().filter_map(|it| Some(Use { tool: number(it.tool)?, ..*it }));
        Self { shares: shares.collect(), uses: uses.collect() }
    }

    /// Chooses between two splits of a message: the file that knows more wins. Any order works, if it is stable.
    fn compare(&self, other: &Self, tools: &Names) -> Ordering {
        let sum = |it: &Self| (it.calls(), it.of_tools());
        let all = |it: &Self| {
            let name = |tool: u16| tools.name(tool.into());
            let mut shares: Vec<_> = it.shares.iter().map(|it| (name(it.tool), it.share)).collect();
            let mut uses: Vec<_> =
                it.uses.iter().map(|it| (name(it.tool), it.calls, it.input_tokens, it.result_tokens)).collect();
            shares.sort_unstable();
            uses.sort_unstable();
            (shares, uses)
        };
        sum(self).cmp(&sum(other)).then_with(|| all(self).cmp(&all(other)))
    }
}

impl ToolShares {
    /// Adds the shares from other files.
    pub fn merge(&mut self, other: &Self) {
        let numbers: Vec<_> = other.tools.iter().map(|name| u16::try_from(self.tools.number(name)).ok()).collect();
        for (message, split) in &other.messages {
            let split = split.moved(|tool| numbers.get(usize::from(tool)).copied().flatten());
            self.keep(*message, split);
        }
    }

    /// Splits the amount of a post; the parts add up to it.
    pub fn split<'a>(&'a self, post: &Post<'_>) -> impl Iterator<Item = ToolPart<'a>> + use<'a> {
        let amount = post.cost.amount;
        // The usage of other models for a message is independent of its context.
        let split = post.message.filter(|_| post.kind == PostKind::Message).and_then(|id| self.messages.get(&id));
        let of = move |share: &Share| {
            Money::from_picodollars(amount.picodollars().saturating_mul(share.share.into()) / i128::from(WHOLE))
        };
        let shares = split.map_or(&[][..], |split| &split.shares);
        let uses = split.map_or(&[][..], |split| &split.uses);
        let rest = amount - shares.iter().map(of).sum();
        let tools = shares.iter().map(move |share| {
            let own = uses.iter().find(|it| it.tool == share.tool);
            ToolPart {
                tool: Some(self.tools.name(share.tool.into())),
                calls: own.map_or(0, |it| it.calls.into()),
                input_tokens: own.map_or(0, |it| it.input_tokens.into()),
                result_tokens: own.map_or(0, |it| it.result_tokens.into()),
                cost: of(share),
            }
        });
        let rest = ToolPart { tool: None, calls: 0, input_tokens: 0, result_tokens: 0, cost: rest };
        tools.chain([rest])
    }

    /// The number of a tool.
    pub(super) fn number(&mut self, tool: &str) -> u32 {
        self.tools.number(tool)
    }

    /// Stores the split of a message, or the better one if there are several.
    pub(super) fn keep(&mut self, message: u64, split: Split) {
        if split.shares.is_empty() {
            return;
        }
        match self.messages.entry(message) {
            Entry::Vacant(place) => {
                place.insert(split);
            }
            Entry::Occupied(mut place) => {
                if place.get().compare(&split, &self.tools) == Ordering::Less {
                    place.insert(split);
                }
            }
        }
    }
}
