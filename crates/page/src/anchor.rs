//! Names by which links find steps, turns and threads. Those of steps come from their places ([`story::Anchors`]).

use rustc_hash::{FxHashMap, FxHashSet};
use story::{Place, Step, Story, ThreadId};

/// The names of steps.
#[derive(Debug, Default)]
pub(super) struct Anchors {
    places: story::Anchors,
    given: FxHashSet<Place>,
    /// How often a place was named again.
    again: FxHashMap<Place, u32>,
}

impl Anchors {
    pub(super) fn of(story: &Story) -> Self {
        Self { places: story::Anchors::of(story), ..Self::default() }
    }

    /// The name of the first step at a place.
    pub(super) fn at(&self, story: &Story, place: Place) -> String {
        self.places.at(story, place)
    }

    /// The source and the line that a name speaks of.
    pub(super) fn line(&self, name: &str) -> Option<(u16, u32)> {
        self.places.line(name)
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
