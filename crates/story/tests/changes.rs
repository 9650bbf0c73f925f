//! Whoever looks on while a session grows is told which steps to draw anew.

#![allow(clippy::unwrap_used, reason = "a fixture that cannot be read fails the test")]

mod outline;

use std::fs;

use outline::fixtures;
use story::{Source, Step, StepId, Story, Teller};

fn steps(story: &Story) -> Vec<(StepId, Step)> {
    let ids = story.threads().flat_map(|(_, thread)| thread.steps.iter().copied());
    let mut steps: Vec<(StepId, Step)> = ids.filter_map(|id| Some((id, story.step(id)?.clone()))).collect();
    steps.sort_by_key(|(id, _)| *id);
    steps
}

/// After every line of every fixture: a step that says something else than before is among the changes. It makes no
/// difference whether the session was stored in between.
#[test]
fn no_change_is_kept_from_who_looks_on() {
    let fixtures = fixtures();
    assert!(fixtures.len() > 50, "{}", fixtures.len());
    for (path, is_stored) in fixtures.iter().flat_map(|path| [(path, false), (path, true)]) {
        let bytes = fs::read(path).unwrap();
        let mut teller = Teller::default();
        let source = teller.add_source(Source::default());
        let mut before: Vec<(StepId, Step)> = Vec::new();
        for line in format::lines(&bytes) {
            if is_stored {
                teller = Teller::restore(&teller.store().unwrap()).unwrap();
            }
            teller.push(source, line);
            let changed = teller.take_changes();
            let after = steps(teller.story());
            for (id, step) in &after {
                let known = before.binary_search_by_key(id, |(id, _)| *id).ok().and_then(|at| before.get(at));
                let is_same = known.is_some_and(|(_, known)| known == step);
                assert!(is_same || changed.contains(id), "{}:{}: {step:?}", path.display(), line.number);
            }
            before = after;
        }
        assert!(teller.take_changes().is_empty(), "{}: nothing has come since", path.display());
    }
}
