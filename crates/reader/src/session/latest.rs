//! `last`: the sessions with the latest activity, as lists order them.
//!
//! A file is hardly ever older than its last entry, so its modification time bounds the activity in it. Files are looked
//! at from the newest on, until no other one can contain anything later.

use std::cmp::Reverse;
use std::collections::{BTreeSet, HashMap};
use std::time::{SystemTime, UNIX_EPOCH};

use story::step::Millis;

use super::LookupError;
use crate::title::facts_of;
use sources::files::{Neighbours, sessions_of};
use sources::source::{Source, SourceKind};
use sources::{FileKey, FoundSources};

/// The session after the given number of later ones.
pub(super) fn latest(
    name: &str,
    steps: usize,
    found: &FoundSources,
    is_wanted: &dyn Fn(&Source) -> bool,
) -> Result<Source, LookupError> {
    let neighbours = Neighbours::default();
    // What cannot be read cannot be the latest; lists report it.
    let (sessions, _) = sessions_of(found, &neighbours);
    let agents = agents_by_session(found, &neighbours);
    let agents_of = |session: &Source| {
        let key = session.input.key();
        key.and_then(|key| agents.get(&key)).map_or(&[][..], Vec::as_slice)
    };
    let bound = |session: &Source| {
        let files = agents_of(session).iter().copied().chain([session]);
        files.filter_map(|file| file.modified).max().map_or(Millis::MIN, milliseconds)
    };
    let mut sessions: Vec<(Millis, &Source)> = sessions.iter().map(|session| (bound(session), session)).collect();
    sessions.sort_by(|(one, a), (other, b)| other.cmp(one).then_with(|| a.input.cmp(&b.input)));

    // The latest sessions so far, one more than the steps back.
    let mut latest = BTreeSet::new();
    let mut among = 0;
    for (number, (bound, session)) in sessions.iter().enumerate() {
        let last = latest.last().map(|(Reverse(at), ..): &(Reverse<Millis>, _, _, _)| *at);
        if latest.len() > steps && last.is_some_and(|last| last > *bound) {
            break;
        }
        if session.looks_like_transcript() && is_wanted(session) {
            among += 1;
            let at = activity(session, agents_of(session));
            // Without any activity, the file that was written last counts as later.
            let written = session.modified.filter(|_| at == Millis::MIN);
            latest.insert((Reverse(at), Reverse(written), session.name().map(str::to_owned), number));
            if latest.len() > steps + 1 {
                latest.pop_last();
            }
        }
    }
    let place = latest.into_iter().nth(steps).and_then(|(.., number)| sessions.get(number));
    place.map(|(_, session)| (*session).clone()).ok_or_else(|| LookupError::TooFew { name: name.to_owned(), among })
}

/// The files of agents, by the main files of their sessions.
fn agents_by_session<'f>(found: &'f FoundSources, neighbours: &Neighbours) -> HashMap<FileKey, Vec<&'f Source>> {
    let mut agents: HashMap<FileKey, Vec<&Source>> = HashMap::new();
    for agent in found.sources.iter().filter(|source| source.kind == SourceKind::Subagent) {
        agents.entry(neighbours.main_of(agent)).or_default().push(agent);
    }
    for session in &found.partial {
        if let Some(key) = session.input.key() {
            agents.entry(key).or_default().extend(&session.strays);
        }
    }
    agents
}

/// The time of the last activity in a session, as far as the ends of its files show it.
fn activity(session: &Source, agents: &[&Source]) -> Millis {
    let last = |file: &Source| facts_of(file).and_then(|facts| facts.last).unwrap_or(Millis::MIN);
    let main = if session.kind == SourceKind::Partial { Millis::MIN } else { last(session) };
    let later = agents.iter().filter(|agent| agent.modified.is_none_or(|at| milliseconds(at) > main));
    later.map(|agent| last(agent)).max().unwrap_or(main).max(main)
}

fn milliseconds(at: SystemTime) -> Millis {
    let since = at.duration_since(UNIX_EPOCH).unwrap_or_default();
    Millis::try_from(since.as_millis()).unwrap_or(Millis::MAX)
}
