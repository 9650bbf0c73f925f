//! More calls, entries and sources than sixteen bits can count.

#![allow(clippy::unwrap_used, reason = "these are tests")]

mod outline;

use std::collections::HashSet;

use outline::build;
use story::step::CallState;
use story::{Anchors, Source, StepKind, StoryBuilder};

const MANY: usize = 70_000;

#[test]
fn calls_in_one_message() {
    let list = |block: &dyn Fn(usize) -> String| (0..MANY).map(block).collect::<Vec<_>>().join(",");
    let calls =
        list(&|n| format!(r#"{{"type":"tool_use","id":"t{n}","name":"Bash","input":{{"command":"echo {n}"}}}}"#));
    let results = list(&|n| format!(r#"{{"type":"tool_result","tool_use_id":"t{n}","content":"{n}"}}"#));
    let file = format!(
        "{}\n{}\n",
        format_args!(r#"{{"type":"assistant","uuid":"a1","message":{{"id":"m1","content":[{calls}]}}}}"#),
        format_args!(r#"{{"type":"user","uuid":"u1","parentUuid":"a1","message":{{"content":[{results}]}}}}"#),
    );
    let mut builder = build(&file);
    let story = builder.story();
    assert_eq!(story.facts.counts.calls as usize, MANY);
    let (_, main) = story.threads().next().unwrap();
    let mut places = HashSet::new();
    for (number, step) in main.steps.iter().map(|step| story.step(*step).unwrap()).enumerate() {
        let StepKind::Call(call) = &step.kind else { panic!("{step:?}") };
        assert_eq!((&*call.id, &*call.subject), (&*format!("t{number}"), &*format!("echo {number}")));
        assert_eq!((call.state, &*call.outcome), (CallState::Done, &*number.to_string()));
        assert_eq!((step.place.block as usize, call.result.unwrap().block as usize), (number, number));
        places.insert(step.place);
    }
    assert_eq!(places.len(), MANY);
    let stored = StoryBuilder::restore(&builder.store().unwrap());
    assert!(stored.unwrap().story() == builder.story());
}

#[test]
fn entries_on_one_line() {
    let entry = |n: usize| format!(r#"{{"type":"user","uuid":"u{n}","message":{{"content":"prompt {n}"}}}}"#);
    let entries = (0..MANY).map(entry).collect::<Vec<_>>().join(",");
    let mut builder = build(&format!("[{entries}]\n"));
    let story = builder.story();
    assert_eq!(story.facts.counts.prompts as usize, MANY);
    let anchors = Anchors::of(story);
    let (_, main) = story.threads().next().unwrap();
    let names: HashSet<String> =
        main.steps.iter().map(|step| anchors.at(story, story.step(*step).unwrap().place)).collect();
    assert_eq!(names.len(), MANY);
}

#[test]
fn sources_of_one_session() {
    let mut builder = StoryBuilder::default();
    let ids: HashSet<_> = (0..MANY).map(|_| builder.add_source(Source::default())).collect();
    assert_eq!(ids.len(), MANY);
    let last = *ids.iter().max().unwrap();
    for line in format::lines(br#"{"type":"user","uuid":"u1","message":{"content":"dig"}}"#) {
        builder.push(last, line);
    }
    let (_, span, _) = builder.story().lines().next().unwrap();
    assert_eq!(span.source.index(), MANY - 1);
}
