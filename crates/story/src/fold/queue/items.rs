//! Queued items in the order of the queue, found by their words and by their author in logarithmic time: a session may
//! hold a hundred thousand of them.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::{Departed, Queued, QueuedBy, is_recent};
use crate::fold::NodeId;
use crate::key::Key;
use crate::step::Delivery;

/// The items that wait. The number of an item's node is its position, so an item that is put back is where it was.
#[derive(Debug, Default)]
pub(super) struct Waiting {
    items: BTreeMap<NodeId, Queued>,
    by_words: BTreeSet<(Key, NodeId)>,
    by_author: BTreeSet<(QueuedBy, NodeId)>,
}

impl Waiting {
    pub(super) fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    /// Whether all items are events.
    pub(super) fn has_only_events(&self) -> bool {
        self.by_author.first().is_none_or(|(author, _)| *author == QueuedBy::Event)
    }

    pub(super) fn add(&mut self, queued: Queued) {
        self.by_words.insert((queued.words, queued.node));
        self.by_author.insert((queued.by, queued.node));
        self.items.insert(queued.node, queued);
    }

    /// Removes the first item with these words.
    pub(super) fn take_named(&mut self, words: Key) -> Option<Queued> {
        let (found, node) = *self.by_words.range((words, NodeId::new(0))..).next()?;
        if found == words { self.take(node) } else { None }
    }

    /// Removes the item that leaves the queue first.
    pub(super) fn take_likely(&mut self) -> Option<Queued> {
        let (_, node) = *self.by_author.first()?;
        self.take(node)
    }

    /// Removes the first item of the user.
    pub(super) fn take_users(&mut self) -> Option<Queued> {
        let (author, node) = *self.by_author.first()?;
        if author == QueuedBy::User { self.take(node) } else { None }
    }

    fn take(&mut self, node: NodeId) -> Option<Queued> {
        let queued = self.items.remove(&node)?;
        self.by_words.remove(&(queued.words, node));
        self.by_author.remove(&(queued.by, node));
        Some(queued)
    }
}

/// The items that left the queue and have not appeared elsewhere, in the order in which they left.
#[derive(Debug, Default)]
pub(super) struct Left {
    items: BTreeMap<usize, Departed>,
    by_words: BTreeSet<(Key, usize)>,
    /// Those that were taken off without being named.
    guesses: BTreeSet<usize>,
    /// Those that were delivered in the middle of a turn: they appear soon or not at all.
    steering: VecDeque<usize>,
    next: usize,
}

impl Left {
    pub(super) fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    /// Whether none of them left within the last few lines.
    pub(super) fn is_settled(&self, lines: usize) -> bool {
        self.items.last_key_value().is_none_or(|(_, departed)| !is_recent(departed.line, lines))
    }

    pub(super) fn add(&mut self, departed: Departed) {
        let number = self.next;
        self.next += 1;
        self.by_words.insert((departed.queued.words, number));
        if departed.is_guess {
            self.guesses.insert(number);
        }
        if departed.delivery == Delivery::Steering {
            self.steering.push_back(number);
        }
        self.items.insert(number, departed);
    }

    /// Forgets those that should have appeared by now. People repeat themselves: the same words later are others.
    pub(super) fn forget_old(&mut self, lines: usize) {
        while let Some(number) = self.steering.front().copied() {
            if self.items.get(&number).is_some_and(|departed| is_recent(departed.line, lines)) {
                break;
            }
            self.steering.pop_front();
            self.take(number);
        }
    }

    /// Removes the first with these words.
    pub(super) fn take_named(&mut self, words: Key) -> Option<Departed> {
        let (found, number) = *self.by_words.range((words, 0)..).next()?;
        if found == words { self.take(number) } else { None }
    }

    /// Removes the latest guess, if that is what `is_mistaken` says of it.
    pub(super) fn take_guess(&mut self, is_mistaken: impl Fn(&Departed) -> bool) -> Option<Departed> {
        let latest = *self.guesses.last()?;
        self.items.get(&latest).filter(|departed| is_mistaken(departed))?;
        self.take(latest)
    }

    fn take(&mut self, number: usize) -> Option<Departed> {
        let departed = self.items.remove(&number)?;
        self.by_words.remove(&(departed.queued.words, number));
        self.guesses.remove(&number);
        Some(departed)
    }
}

// Only the items are stored, in their order.

impl Serialize for Waiting {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.items.values())
    }
}

impl<'de> Deserialize<'de> for Waiting {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut waiting = Self::default();
        Vec::deserialize(deserializer)?.into_iter().for_each(|queued| waiting.add(queued));
        Ok(waiting)
    }
}

impl Serialize for Left {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.items.values())
    }
}

impl<'de> Deserialize<'de> for Left {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut left = Self::default();
        Vec::deserialize(deserializer)?.into_iter().for_each(|departed| left.add(departed));
        Ok(left)
    }
}
