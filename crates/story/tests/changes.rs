//! [`StoryBuilder::take_changes`](story::StoryBuilder::take_changes) names every step that a live view has to redraw.

#![allow(clippy::unwrap_used, reason = "a fixture that cannot be read fails the test")]

mod outline;

use std::fs;

use outline::fixtures;
use story::{Source, Step, StepId, Story, StoryBuilder};

fn steps(story: &Story) -> Vec<(StepId, Step)> {
    let ids = story.threads().flat_map(|(_, thread)| thread.steps.iter().copied());
    let mut steps: Vec<(StepId, Step)> = ids.filter_map(|id| Some((id, story.step(id)?.clone()))).collect();
    steps.sort_by_key(|(id, _)| *id);
    steps
}

/// After every line of every fixture, each step that differs from before is among the changes, whether or not the
/// session was stored in between.
#[test]
fn every_changed_step_is_reported() {
    let fixtures = fixtures();
    assert!(fixtures.len() > 50, "{}", fixtures.len());
    for (path, is_stored) in fixtures.iter().flat_map(|path| [(path, false), (path, true)]) {
        let bytes = fs::read(path).unwrap();
        let mut builder = StoryBuilder::default();
        let source = builder.add_source(Source::default());
        let mut before: Vec<(StepId, Step)> = Vec::new();
        for line in format::lines(&bytes) {
            if is_stored {
                builder = StoryBuilder::restore(&builder.store().unwrap()).unwrap();
            }
            builder.push(source, line);
            let changed = builder.take_changes();
            let after = steps(builder.story());
            for (id, step) in &after {
                let known = before.binary_search_by_key(id, |(id, _)| *id).ok().and_then(|at| before.get(at));
                let is_same = known.is_some_and(|(_, known)| known == step);
                assert!(is_same || changed.contains(id), "{}:{}: {step:?}", path.display(), line.number);
            }
            before = after;
        }
        assert!(builder.take_changes().is_empty(), "{}: nothing has changed since", path.display());
    }
}
