//! The ledger as it is kept on disk, and what of it is forgotten.

use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

use super::group::{Group, Groups, Occurrence, Steps};
use super::stated::Stated;
use super::{Agent, Branch, Ledger, Limit, Model, Session};
use crate::names::Names;

/// All of a ledger but what follows from the rest.
#[derive(Serialize, Deserialize)]
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
    limits: Vec<Limit>,
}

impl From<Ledger> for Stored {
    fn from(ledger: Ledger) -> Self {
        let (sessions, agents, models, branches) = (ledger.sessions, ledger.agents, ledger.models, ledger.branches);
        Self {
            sessions,
            agents,
            models,
            branches,
            groups: ledger.groups.into_iter().map(|(_, group)| group).collect(),
            elsewhere: ledger.elsewhere.into_iter().collect(),
            steps: ledger.steps.into_iter().collect(),
            entries: ledger.entries,
            stated: ledger.stated,
            limits: ledger.limits,
        }
    }
}

impl From<Stored> for Ledger {
    fn from(stored: Stored) -> Self {
        let mut groups = Groups::default();
        let mut by_key = FxHashMap::default();
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
            limits: stored.limits,
        }
    }
}

impl Ledger {
    /// Forgets all messages before a moment, and everything that sessions state: a sum since their beginning says
    /// nothing about what is left. Feeds from before do not fit any more.
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
        kept.limits = old.limits.into_iter().filter(|limit| limit.at >= at).collect();
        *self = kept;
    }

    /// The same place in another ledger.
    fn moved(&self, place: Occurrence, to: &mut Self) -> Occurrence {
        Occurrence {
            session: Session(self.sessions.moved(place.session.0, &mut to.sessions)),
            agent: place.agent.map(|agent| Agent::new(self.agents.moved(agent.number(), &mut to.agents))),
            ..place
        }
    }
}
