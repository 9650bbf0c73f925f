//! Serialization of the ledger, and dropping old messages.

use std::collections::BTreeSet;

use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};
use serde::{Deserialize, Serialize, Serializer};

use super::group::{Group, Groups, Occurrence, Steps};
use super::stated::Stated;
use super::{Agent, Branch, Ledger, Limit, Model, Session};
use crate::names::Names;

/// The whole ledger, except what follows from the rest.
#[derive(Deserialize)]
pub(super) struct Stored {
    sessions: Names,
    agents: Names,
    models: Names,
    branches: Names,
    groups: Vec<Group>,
    elsewhere: Vec<(u32, Vec<Occurrence>)>,
    steps: Vec<(u32, Steps)>,
    entries: Vec<(u64, u32)>,
    stated: Vec<Stated>,
    transcripts: BTreeSet<Session>,
    limits: Vec<Limit>,
}

/// The same for serializing, without copies.
#[derive(Serialize)]
struct Writing<'a> {
    sessions: &'a Names,
    agents: &'a Names,
    models: &'a Names,
    branches: &'a Names,
    groups: &'a Groups,
    elsewhere: Vec<(&'a u32, &'a Vec<Occurrence>)>,
    steps: Vec<(&'a u32, &'a Steps)>,
    entries: &'a [(u64, u32)],
    stated: &'a [Stated],
    transcripts: &'a BTreeSet<Session>,
    limits: &'a [Limit],
}

impl Serialize for Ledger {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self { sessions, agents, models, branches, groups, entries, stated, transcripts, limits, .. } = self;
        let (elsewhere, steps) = (self.elsewhere.iter().collect(), self.steps.iter().collect());
        Writing { sessions, agents, models, branches, groups, elsewhere, steps, entries, stated, transcripts, limits }
            .serialize(serializer)
    }
}

impl From<Stored> for Ledger {
    fn from(stored: Stored) -> Self {
        let mut groups = Groups::default();
        let mut by_key = FxHashMap::with_capacity_and_hasher(stored.groups.len(), FxBuildHasher);
        for group in stored.groups {
            by_key.insert(group.key.hash(), groups.next());
            groups.push(group);
        }
        Self {
            sessions: stored.sessions,
            agents: stored.agents,
            models: stored.models,
            branches: stored.branches,
            groups,
            by_key,
            elsewhere: stored.elsewhere.into_iter().collect(),
            steps: stored.steps.into_iter().collect(),
            entries: stored.entries,
            stated: stored.stated,
            transcripts: stored.transcripts,
            limits: stored.limits,
            foreign: FxHashSet::default(),
        }
    }
}

impl Ledger {
    /// Drops all messages before a given time, and all statements: a total since the start of a session says nothing
    /// about what is left. Existing feeds become invalid.
    pub fn forget_before(&mut self, at: i64) {
        let mut old = std::mem::take(self);
        let is_old = |group: &Group| group.occurrence.at < at;
        let mut kept = Self::default();
        let mut numbers = FxHashMap::default();
        for (number, group) in std::mem::take(&mut old.groups).into_iter().filter(|(_, group)| !is_old(group)) {
            let mut elsewhere = old.elsewhere.remove(&number).unwrap_or_default();
            for place in &mut elsewhere {
                *place = old.moved(*place, &mut kept);
            }
            let mut steps = old.steps.remove(&number).unwrap_or_default();
            for aside in &mut steps.asides {
                aside.model = Model(old.models.moved(aside.model.0, &mut kept.models));
            }
            let group = Group {
                occurrence: old.moved(group.occurrence, &mut kept),
                model: Model(old.models.moved(group.model.0, &mut kept.models)),
                branch: Branch(old.branches.moved(group.branch.0, &mut kept.branches)),
                ..group
            };
            numbers.insert(number, kept.fold(group, &elsewhere, &steps));
        }
        let entries = old.entries.iter().filter_map(|(entry, number)| Some((*entry, *numbers.get(number)?)));
        kept.entries = entries.collect();
        kept.foreign = std::mem::take(&mut old.foreign);
        kept.limits = old.limits.into_iter().filter(|limit| limit.at >= at).collect();
        *self = kept;
    }

    /// The same occurrence in another ledger.
    fn moved(&self, place: Occurrence, to: &mut Self) -> Occurrence {
        Occurrence {
            session: Session(self.sessions.moved(place.session.0, &mut to.sessions)),
            agent: place.agent.map(|agent| Agent::new(self.agents.moved(agent.number(), &mut to.agents))),
            ..place
        }
    }
}
