//! Decides which groups are the same message, and which session owns each.
//!
//! This needs all lines: a subagent's file may come before the message that it replays.

use std::collections::BTreeMap;

use rustc_hash::{FxHashMap, FxHashSet};

use super::group::{Group, Key, NEVER, Occurrence, Steps, occur};
use super::{Agent, Books, Ledger, Session};
use crate::record::Chain;

/// The groups that are not simply a message of their own.
#[derive(Debug, Default)]
pub(super) struct Settled {
    /// Groups that repeat another.
    dropped: FxHashSet<u32>,
    /// Groups joined from several.
    joined: FxHashMap<u32, Joined>,
    /// The rank of each session by age.
    order: Vec<u32>,
}

/// Several groups that are one message.
#[derive(Debug, Clone)]
struct Joined {
    group: Group,
    elsewhere: Vec<Occurrence>,
    steps: Option<Steps>,
}

/// One message, as it is counted.
#[derive(Debug)]
pub(super) struct Message<'a> {
    pub(super) group: &'a Group,
    /// Its steps, if some belong to other models.
    pub(super) steps: Option<&'a Steps>,
    /// The time of its first line.
    pub(super) at: Option<i64>,
    /// The occurrence that owns it.
    pub(super) owner: Occurrence,
}

impl Ledger {
    pub(super) fn settle(&self) -> Settled {
        let mut settled = Settled::default();
        self.settle_entries(&mut settled);
        self.settle_messages(&mut settled);
        settled.order = self.session_order(&settled);
        settled
    }

    /// All messages that count.
    pub(super) fn messages<'a>(&'a self, settled: &'a Settled) -> impl Iterator<Item = Message<'a>> {
        self.own(settled).map(|(number, group)| {
            let (group, steps) = match settled.joined.get(&number) {
                Some(joined) => (&joined.group, joined.steps.as_ref()),
                None => (group, self.steps.get(&number)),
            };
            let occurrences = || self.occurrences(settled, number);
            let first = occurrences().map(|occurrence| occurrence.at).min();
            let at = first.filter(|first| *first != NEVER);
            let rank = |occurrence: &&Occurrence| {
                let order = settled.order.get(occurrence.session.0 as usize).copied();
                let agent = occurrence.agent.map(|agent| self.agents.name(agent.number()));
                (occurrence.is_copy, order, occurrence.at, agent)
            };
            let owner = *occurrences().min_by_key(rank).unwrap_or(&group.occurrence);
            Message { group, steps, at, owner }
        })
    }

    /// Groups that count, and count here.
    fn own<'a>(&'a self, settled: &'a Settled) -> impl Iterator<Item = (u32, &'a Group)> {
        let is_own =
            |(_, group): &(u32, &Group)| self.foreign.is_empty() || !self.foreign.contains(&group.key.shared());
        self.counted(settled).filter(is_own)
    }

    fn occurrences<'a>(&'a self, settled: &'a Settled, number: u32) -> impl Iterator<Item = &'a Occurrence> {
        let (first, others) = match settled.joined.get(&number) {
            Some(joined) => (Some(&joined.group.occurrence), Some(&joined.elsewhere)),
            None => (self.groups.get(number).map(|group| &group.occurrence), self.elsewhere.get(&number)),
        };
        first.into_iter().chain(others.into_iter().flatten())
    }

    fn joined(&self, number: u32) -> Option<Joined> {
        Some(Joined {
            group: *self.groups.get(number)?,
            elsewhere: self.elsewhere.get(&number).cloned().unwrap_or_default(),
            steps: self.steps.get(&number).cloned(),
        })
    }

    /// Joins two groups into one message, `into`.
    fn join_groups(&self, settled: &mut Settled, from: u32, into: u32) {
        let Some(source) = settled.joined.remove(&from).or_else(|| self.joined(from)) else { return };
        let Some(target) = settled.joined.remove(&into).or_else(|| self.joined(into)) else { return };
        settled.dropped.insert(from);
        let key = target.group.key;
        let (mut best, lesser) =
            if source.group.chain > target.group.chain { (source, target) } else { (target, source) };
        if best.group.chain == lesser.group.chain {
            best.group.join(&lesser.group, &self.models, &self.branches);
            for occurrence in std::iter::once(lesser.group.occurrence).chain(lesser.elsewhere) {
                if !best.group.occurrence.join(&occurrence) {
                    occur(&mut best.elsewhere, occurrence);
                }
            }
            if let Some(steps) = lesser.steps {
                best.steps.get_or_insert_default().join(&steps);
            }
        }
        best.group.key = key;
        settled.joined.insert(into, best);
    }

    /// Without a request, a message is the same in two sessions if they share an entry.
    fn settle_entries(&self, settled: &mut Settled) {
        let mut entries = self.entries.clone();
        entries.sort_unstable_by_key(|(entry, number)| (*entry, self.stable(*number)));
        entries.dedup();
        let mut leaders = Leaders::default();
        for pair in entries.windows(2) {
            let [(entry, one), (next, other)] = pair else { continue };
            if entry == next {
                leaders.unite(*one, *other, |number| self.stable(number));
            }
        }
        let mut numbers: Vec<u32> = leaders.0.keys().copied().collect();
        numbers.sort_unstable_by_key(|number| self.stable(*number));
        for number in numbers {
            let leader = leaders.find(number);
            if leader != number {
                self.join_groups(settled, number, leader);
            }
        }
    }

    /// Groups that are not dropped so far.
    fn counted<'a>(&'a self, settled: &'a Settled) -> impl Iterator<Item = (u32, &'a Group)> {
        self.groups.iter().filter(|(number, _)| !settled.dropped.contains(number))
    }

    /// A key that orders groups the same way, regardless of the reading order.
    fn stable(&self, number: u32) -> Option<Key> {
        self.groups.get(number).map(|group| group.key)
    }

    /// Settles messages with several groups: replays, copies and lines that lost their request.
    fn settle_messages(&self, settled: &mut Settled) {
        // Nearly all messages have one group, so those with several are found first by message id alone.
        let mut messages: Vec<u64> = self.counted(settled).filter_map(|(_, group)| group.key.message()).collect();
        messages.sort_unstable();
        let several: Vec<u64> =
            messages.chunk_by(u64::eq).filter(|same| same.len() > 1).filter_map(|same| same.first().copied()).collect();
        drop(messages);
        let with_message = self.counted(settled).filter_map(|(number, group)| Some((group.key.message()?, number)));
        let mut by_message: Vec<(u64, u32)> =
            with_message.filter(|(message, _)| several.binary_search(message).is_ok()).collect();
        by_message.sort_unstable_by_key(|(message, number)| (*message, self.stable(*number)));
        for same in by_message.chunk_by(|(one, _), (other, _)| one == other) {
            let numbers: Vec<u32> = same.iter().map(|(_, number)| *number).collect();
            self.settle_message(settled, &numbers);
        }
        self.drop_copies_of_agents(settled);
    }

    fn settle_message(&self, settled: &mut Settled, numbers: &[u32]) {
        // A group without a request belongs to the same message of the same session.
        let has_request = |number: &u32| matches!(self.stable(*number), Some(Key::Request { .. }));
        let mut with_request: FxHashMap<Session, u32> = FxHashMap::default();
        for number in numbers.iter().copied().filter(has_request) {
            for occurrence in self.occurrences(settled, number) {
                with_request.entry(occurrence.session).or_insert(number);
            }
        }
        for number in numbers.iter().copied().filter(|number| !has_request(number)) {
            let places = self.occurrences(settled, number);
            let same = places.filter_map(|occurrence| with_request.get(&occurrence.session).copied());
            if let Some(same) = same.min_by_key(|same| self.stable(*same)) {
                self.join_groups(settled, number, same);
            }
        }
        // The parent's message counts, not its replay; and the agent's, not the copy of it.
        let mut best: FxHashMap<Session, Chain> = FxHashMap::default();
        let left: Vec<u32> = numbers.iter().copied().filter(|number| !settled.dropped.contains(number)).collect();
        for number in &left {
            let chain = self.chain(settled, *number);
            for occurrence in self.occurrences(settled, *number) {
                let known = best.entry(occurrence.session).or_insert(chain);
                *known = chain.max(*known);
            }
        }
        for number in left {
            let chain = self.chain(settled, number);
            let is_better = |other: Chain| match chain {
                Chain::Main => false,
                Chain::Side => other == Chain::Main,
                Chain::Progress => other > Chain::Progress,
            };
            let is_replay = self
                .occurrences(settled, number)
                .any(|occurrence| best.get(&occurrence.session).copied().is_some_and(is_better));
            if is_replay {
                settled.dropped.insert(number);
            }
        }
    }

    fn chain(&self, settled: &Settled, number: u32) -> Chain {
        let joined = settled.joined.get(&number).map(|joined| &joined.group);
        joined.or_else(|| self.groups.get(number)).map_or(Chain::Main, |group| group.chain)
    }

    /// Copies in the parent's file count only if the agent has no lines of its own.
    fn drop_copies_of_agents(&self, settled: &mut Settled) {
        let is_copy = |group: &Group| group.chain == Chain::Progress;
        if !self.groups.iter().any(|(_, group)| is_copy(group)) {
            return;
        }
        let mut present: FxHashSet<(Session, Agent)> = FxHashSet::default();
        for (number, _) in self.groups.iter().filter(|(_, group)| !is_copy(group)) {
            let places = self.occurrences(settled, number);
            present.extend(places.filter_map(|occurrence| Some((occurrence.session, occurrence.agent?))));
        }
        let copies = self.groups.iter().filter(|(_, group)| is_copy(group)).map(|(number, _)| number);
        let known = copies.filter(|number| {
            self.occurrences(settled, *number)
                .any(|occurrence| occurrence.agent.is_some_and(|agent| present.contains(&(occurrence.session, agent))))
        });
        let known: Vec<u32> = known.collect();
        settled.dropped.extend(known);
    }

    /// The rank of each session: the earliest owns what several share.
    ///
    /// Copied history keeps its old times, so both sessions begin at the same time. Then the original is the one that
    /// first continued with lines of its own, or that ended first.
    fn session_order(&self, settled: &Settled) -> Vec<u32> {
        #[derive(Clone, Copy)]
        struct Times {
            first: i64,
            first_alone: i64,
            last: i64,
        }
        let none = Times { first: NEVER, first_alone: NEVER, last: i64::MIN };
        let mut times = vec![none; self.sessions.len()];
        for number in self.groups.iter().map(|(number, _)| number) {
            if settled.dropped.contains(&number) {
                continue;
            }
            let sessions = || self.occurrences(settled, number).map(|occurrence| occurrence.session);
            let is_alone = sessions().all(|session| Some(session) == sessions().next());
            for occurrence in self.occurrences(settled, number) {
                let Some(times) = times.get_mut(occurrence.session.0 as usize) else { continue };
                times.first = times.first.min(occurrence.at);
                times.last = times.last.max(occurrence.at);
                if is_alone {
                    times.first_alone = times.first_alone.min(occurrence.at);
                }
            }
        }
        let went_on = |times: &Times| if times.first_alone == NEVER { times.last } else { times.first_alone };
        let rank = |times: &Times| (times.first, went_on(times));
        let mut sorted: BTreeMap<((i64, i64), &str), u32> = BTreeMap::new();
        for ((number, times), name) in (0..).zip(&times).zip(self.sessions.iter()) {
            sorted.insert((rank(times), name), number);
        }
        let mut order = vec![0; self.sessions.len()];
        for (rank, number) in (0..).zip(sorted.into_values()) {
            if let Some(place) = order.get_mut(number as usize) {
                *place = rank;
            }
        }
        order
    }
}

impl Books<'_, '_> {
    /// Passes each message, by [`Key::shared`], with the session that owns it.
    pub(crate) fn each_owner(&self, mut each: impl FnMut(u64, Session)) {
        for message in self.ledger.messages(&self.settled) {
            each(message.group.key.shared(), message.owner.session);
        }
    }

    /// The rank of a session by age: the earliest owns what several share.
    pub(crate) fn rank(&self, session: Session) -> Option<u32> {
        self.settled.order.get(session.0 as usize).copied()
    }
}

/// Groups that belong together, by the group that represents them.
#[derive(Default)]
struct Leaders(FxHashMap<u32, u32>);

impl Leaders {
    fn find(&mut self, number: u32) -> u32 {
        let mut leader = number;
        while let Some(next) = self.0.get(&leader).copied().filter(|next| *next != leader) {
            leader = next;
        }
        // Shortens the path for later lookups.
        let mut at = number;
        while let Some(next) = self.0.insert(at, leader).filter(|next| *next != leader && *next != at) {
            at = next;
        }
        leader
    }

    fn unite<K: Ord>(&mut self, one: u32, other: u32, order: impl Fn(u32) -> K) {
        let (one, other) = (self.find(one), self.find(other));
        let (leader, follower) = if order(one) <= order(other) { (one, other) } else { (other, one) };
        self.0.insert(follower, leader);
    }
}
