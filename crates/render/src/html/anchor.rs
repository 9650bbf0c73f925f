//! Names by which links find steps, turns and threads.
//!
//! A step goes by the number of its line, which stays when a session grows: a link that was sent keeps its meaning.

use rustc_hash::{FxHashMap, FxHashSet};
use story::{Place, Role, Step, Story, ThreadId};

/// The names of steps.
#[derive(Debug, Default)]
pub(super) struct Anchors {
    /// What the names of a source's lines begin with.
    prefixes: Vec<String>,
    given: FxHashSet<Place>,
    /// How often a place was named again.
    again: FxHashMap<Place, u32>,
}

impl Anchors {
    pub(super) fn of(story: &Story) -> Self {
        let mut prefixes: Vec<String> = Vec::with_capacity(story.sources().len());
        let mut used = FxHashSet::default();
        for (number, source) in story.sources().enumerate() {
            let prefix = match &source.role {
                Role::Main => String::new(),
                Role::Agent { id, .. } => {
                    let id = id.chars().filter(char::is_ascii_alphanumeric).map(|c| c.to_ascii_lowercase());
                    format!("a{}-", id.take(40).collect::<String>())
                }
                Role::Journal(_) | Role::Capture | Role::Elsewhere => format!("s{number}-"),
            };
            let prefix = if used.insert(prefix.clone()) { prefix } else { format!("{prefix}s{number}-") };
            used.insert(prefix.clone());
            prefixes.push(prefix);
        }
        Self { prefixes, ..Self::default() }
    }

    /// The name of the first step at a place.
    pub(super) fn at(&self, story: &Story, place: Place) -> String {
        let span = story.span(place.line);
        let prefix = span.and_then(|span| self.prefixes.get(usize::from(span.source.number())));
        let prefix = prefix.map_or("", String::as_str);
        let number = span.map_or(0, |span| span.number);
        match (place.entry, place.block) {
            (0, 0) => format!("{prefix}l{number}"),
            (0, block) => format!("{prefix}l{number}-{block}"),
            (entry, block) => format!("{prefix}l{number}-{block}-{entry}"),
        }
    }

    /// A name for a step that no other step has.
    pub(super) fn give(&mut self, story: &Story, step: &Step) -> String {
        let name = self.at(story, step.place);
        if self.given.insert(step.place) {
            return name;
        }
        let times = self.again.entry(step.place).or_insert(1);
        *times += 1;
        format!("{name}x{times}")
    }
}

/// The name of a turn.
pub(super) fn turn(main: ThreadId, thread: ThreadId, number: usize) -> String {
    if thread == main { format!("turn-{number}") } else { format!("{}-turn-{number}", self::thread(thread)) }
}

/// The name of a thread.
pub(super) fn thread(id: ThreadId) -> String {
    format!("thread-{}", id.index())
}

/// The name of the place where a branch leaves.
pub(super) fn branch(id: ThreadId) -> String {
    format!("branch-{}", id.index())
}
