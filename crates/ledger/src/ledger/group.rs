//! The lines of one message, joined.
//!
//! Joining takes the maximum of every field, so neither the order nor the number of lines matters.

use format::id::hash;
use std::cmp::Ordering;

use serde::ser::SerializeSeq as _;
use serde::{Deserialize, Serialize, Serializer};

use super::{Agent, Branch, Model, Session};
use crate::names::Names;
use crate::record::{Chain, Record, Speed};
use crate::tokens::Usage;

/// The key that the lines of a message share.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub(super) enum Key {
    /// The message, and the request it answers.
    Request { message: u64, request: u64 },
    /// The message in its session: gateways reuse ids.
    Conversation { message: u64, session: u64 },
    /// The line itself.
    Entry(u64),
}

impl Key {
    pub(super) fn message(self) -> Option<u64> {
        match self {
            Self::Request { message, .. } | Self::Conversation { message, .. } => Some(message),
            Self::Entry(_) => None,
        }
    }

    /// The hash of a session's name in a key.
    pub(super) fn of_session(name: &str) -> u64 {
        hash(&[name.as_bytes()])
    }

    /// The same key, for a session that gets this name and had none.
    pub(super) fn in_session(self, name: &str) -> Self {
        match self {
            Self::Conversation { message, session } if !name.is_empty() && session == Self::of_session("") => {
                Self::Conversation { message, session: Self::of_session(name) }
            }
            Self::Request { .. } | Self::Conversation { .. } | Self::Entry(_) => self,
        }
    }

    /// What a message has in common with its copies in other sessions.
    pub(super) fn shared(self) -> u64 {
        self.message().unwrap_or_else(|| self.hash())
    }

    /// Its key in a map.
    pub(super) fn hash(self) -> u64 {
        let (kind, one, other) = match self {
            Self::Request { message, request } => (b"r", message, request),
            Self::Conversation { message, session } => (b"c", message, session),
            Self::Entry(entry) => (b"e", entry, 0),
        };
        hash(&[kind, &one.to_le_bytes(), &other.to_le_bytes()])
    }
}

/// Where and when a message occurs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Occurrence {
    pub(super) session: Session,
    pub(super) agent: Option<Agent>,
    /// [`NEVER`] if unknown.
    pub(super) at: i64,
    /// Whether the line says that it was copied from another session.
    pub(super) is_copy: bool,
}

impl Occurrence {
    /// Joins another occurrence at the same place; `false` if the place differs.
    pub(super) fn join(&mut self, other: &Self) -> bool {
        if (self.session, self.agent) != (other.session, other.agent) {
            return false;
        }
        self.at = self.at.min(other.at);
        self.is_copy &= other.is_copy;
        true
    }
}

/// Later than all times, so that the minimum of several times is the first.
pub(super) const NEVER: i64 = i64::MAX;

/// Adds an occurrence to others.
pub(super) fn occur(all: &mut Vec<Occurrence>, occurrence: Occurrence) {
    if !all.iter_mut().any(|known| known.join(&occurrence)) {
        all.push(occurrence);
    }
}

/// The usage of another model for a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Aside {
    pub(super) model: Model,
    pub(super) usage: Usage,
}

/// The steps of a message, if some of them belong to other models.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Steps {
    pub(super) own: Usage,
    pub(super) asides: Vec<Aside>,
}

impl Steps {
    /// Joins the steps from another line of the same message.
    pub(super) fn join(&mut self, other: &Self) {
        self.own = self.own.max(other.own);
        for aside in &other.asides {
            match self.asides.iter_mut().find(|known| known.model == aside.model) {
                Some(known) => known.usage = known.usage.max(aside.usage),
                None => self.asides.push(*aside),
            }
        }
    }
}

/// Everything that the lines of a message state.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub(super) struct Group {
    pub(super) key: Key,
    pub(super) occurrence: Occurrence,
    pub(super) usage: Usage,
    pub(super) context: u32,
    pub(super) model: Model,
    pub(super) branch: Branch,
    /// In picodollars: half the size of a [`Money`](crate::Money), which is made for sums.
    pub(super) stated: u64,
    pub(super) chain: Chain,
    pub(super) speed: Speed,
    pub(super) batch: bool,
    pub(super) us_only: bool,
    pub(super) finished: bool,
    pub(super) may_be_placeholder: bool,
}

impl Group {
    pub(super) fn new(
        key: Key,
        record: &Record<'_>,
        (model, branch): (Model, Branch),
        chain: Chain,
        occurrence: Occurrence,
    ) -> Self {
        Self {
            key,
            occurrence,
            usage: record.usage,
            context: record.context,
            model,
            branch,
            stated: u64::try_from(record.stated.picodollars()).unwrap_or(u64::MAX),
            chain,
            speed: record.speed,
            batch: record.batch,
            us_only: record.us_only,
            finished: record.finished,
            may_be_placeholder: record.may_be_placeholder,
        }
    }

    /// Joins other lines of the same message; the caller joins their occurrences.
    pub(super) fn join(&mut self, other: &Self, models: &Names, branches: &Names) {
        self.usage = self.usage.max(other.usage);
        self.context = self.context.max(other.context);
        self.stated = self.stated.max(other.stated);
        self.speed = self.speed.max(other.speed);
        self.batch |= other.batch;
        self.us_only |= other.us_only;
        self.finished |= other.finished;
        self.may_be_placeholder |= other.may_be_placeholder;
        if by_name(models, other.model.0, self.model.0) == Ordering::Less {
            self.model = other.model;
        }
        if by_name(branches, other.branch.0, self.branch.0) == Ordering::Less {
            self.branch = other.branch;
        }
    }
}

/// Lines of one message seldom name different models or branches: any order works, if it is stable.
fn by_name(names: &Names, one: u32, other: u32) -> Ordering {
    let rank = |number: u32| (names.name(number).is_empty(), names.name(number));
    if one == other { Ordering::Equal } else { rank(one).cmp(&rank(other)) }
}

/// Groups by number.
///
/// Stored in chunks: a single list would be copied whenever it grows, and be half empty afterwards.
#[derive(Debug, Clone, Default)]
pub(super) struct Groups(Vec<Vec<Group>>);

const PIECE: usize = 1024;

impl Serialize for Groups {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut list = serializer.serialize_seq(Some(self.next() as usize))?;
        for (_, group) in self.iter() {
            list.serialize_element(group)?;
        }
        list.end()
    }
}

impl Groups {
    pub(super) fn get(&self, number: u32) -> Option<&Group> {
        let number = number as usize;
        self.0.get(number / PIECE)?.get(number % PIECE)
    }

    pub(super) fn get_mut(&mut self, number: u32) -> Option<&mut Group> {
        let number = number as usize;
        self.0.get_mut(number / PIECE)?.get_mut(number % PIECE)
    }

    /// The number of the next group.
    pub(super) fn next(&self) -> u32 {
        let full = self.0.len().saturating_sub(1) * PIECE;
        u32::try_from(full + self.0.last().map_or(0, Vec::len)).unwrap_or(u32::MAX)
    }

    pub(super) fn push(&mut self, group: Group) {
        if self.0.last().is_none_or(|piece| piece.len() == PIECE) {
            self.0.push(Vec::with_capacity(PIECE));
        }
        if let Some(piece) = self.0.last_mut() {
            piece.push(group);
        }
    }

    /// Consumes the groups, freeing memory on the way.
    pub(super) fn into_iter(self) -> impl Iterator<Item = (u32, Group)> {
        (0..).zip(self.0.into_iter().flatten())
    }

    /// All groups with their numbers, in order.
    pub(super) fn iter(&self) -> impl Iterator<Item = (u32, &Group)> {
        (0..).zip(self.0.iter().flatten())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A root of two gigabytes has some two hundred thousand messages.
    #[test]
    fn groups_stay_small() {
        assert!(size_of::<Group>() <= 104, "{}", size_of::<Group>());
    }
}
