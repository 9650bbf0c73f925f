//! Anchors of steps, turns and threads, for links. Those of steps derive from their places ([`story::Anchors`]).

use rustc_hash::{FxHashMap, FxHashSet};
use story::{BlockPlace, Step, Story, ThreadId};

/// The anchors of steps.
#[derive(Debug, Default)]
pub(super) struct Anchors {
    places: story::Anchors,
    given: FxHashSet<BlockPlace>,
    /// Number of steps so far, for places with more than one.
    again: FxHashMap<BlockPlace, u32>,
}

impl Anchors {
    pub(super) fn of(story: &Story) -> Self {
        Self { places: story::Anchors::of(story), ..Self::default() }
    }

    /// The anchor of the first step at a place.
    pub(super) fn at(&self, story: &Story, place: BlockPlace) -> String {
        self.places.at(story, place)
    }

    /// The source and the line that an anchor refers to.
    pub(super) fn line(&self, name: &str) -> Option<(u32, u32)> {
        self.places.line(name)
    }

    /// A unique anchor for a step.
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

/// The anchor of a turn.
pub(super) fn turn(main: ThreadId, thread: ThreadId, number: usize) -> String {
    if thread == main { format!("turn-{number}") } else { format!("{}-turn-{number}", self::thread(thread)) }
}

/// The anchor of a thread.
pub(super) fn thread(id: ThreadId) -> String {
    format!("thread-{}", id.index())
}

/// The anchor of the point where a branch leaves.
pub(super) fn branch(id: ThreadId) -> String {
    format!("branch-{}", id.index())
}
