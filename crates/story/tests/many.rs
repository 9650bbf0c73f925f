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

/// A line about the queue.
fn queued(operation: &str, content: Option<usize>) -> String {
    let content = content.map(|number| format!(r#","content":"prompt {number}""#)).unwrap_or_default();
    format!(r#"{{"type":"queue-operation","operation":"{operation}"{content},"sessionId":"s1"}}"#)
}

/// How many prompts a session of these lines has that reached the model.
fn delivered(lines: impl Iterator<Item = String>) -> usize {
    let mut builder = build(&lines.collect::<Vec<_>>().join("\n"));
    let story = builder.story();
    let steps = story.threads().flat_map(|(_, thread)| &thread.steps).filter_map(|step| story.step(*step));
    let is_delivered = |step: &story::Step| matches!(&step.kind, StepKind::Prompt(prompt) if prompt.delivery != story::step::Delivery::Undelivered);
    steps.filter(|step| is_delivered(step)).count()
}

#[test]
fn queued_prompts_that_leave_the_queue_without_being_named() {
    let enqueued = (0..MANY).map(|number| queued("enqueue", Some(number)));
    assert_eq!(delivered(enqueued.chain((0..MANY).map(|_| queued("dequeue", None)))), MANY);
}

#[test]
fn queued_prompts_that_leave_the_queue_by_name_last_first() {
    let enqueued = (0..MANY).map(|number| queued("enqueue", Some(number)));
    let removed = (0..MANY).rev().map(|number| queued("dequeue", Some(number)));
    assert_eq!(delivered(enqueued.chain(removed)), MANY);
}

#[test]
fn queued_prompts_that_appear_in_the_conversation_last_first() {
    let enqueued = (0..MANY).map(|number| queued("enqueue", Some(number)));
    let left = (0..MANY).map(|_| queued("dequeue", None));
    let appear = (0..MANY).rev().map(|number| {
        format!(r#"{{"type":"user","uuid":"u{number}","message":{{"content":"prompt {number}"}},"sessionId":"s1"}}"#)
    });
    assert_eq!(delivered(enqueued.chain(left).chain(appear)), MANY);
}

#[test]
fn queue_operations_on_one_line() {
    let enqueued = (0..MANY).map(|number| queued("enqueue", Some(number)));
    let left = (0..MANY).map(|_| queued("remove", None));
    let appear = (0..MANY).rev().map(|number| {
        format!(r#"{{"type":"user","uuid":"u{number}","message":{{"content":"prompt {number}"}},"sessionId":"s1"}}"#)
    });
    let all: Vec<String> = enqueued.chain(left).chain(appear).collect();
    assert_eq!(delivered(std::iter::once(format!("[{}]", all.join(",")))), MANY);
}

#[test]
fn blocks_of_a_stream_in_descending_order() {
    let event = |event: String| format!(r#"{{"type":"stream_event","event":{event},"session_id":"s1"}}"#);
    let start = event(r#"{"type":"message_start","message":{"id":"m1","model":"claude-opus-5"}}"#.to_owned());
    let blocks = (0..MANY).rev().map(|index| {
        event(format!(
            r#"{{"type":"content_block_start","index":{index},"content_block":{{"type":"text","text":"word {index}"}}}}"#
        ))
    });
    let mut builder = build(&std::iter::once(start).chain(blocks).collect::<Vec<_>>().join("\n"));
    let story = builder.story();
    let (_, main) = story.threads().next().unwrap();
    assert_eq!(main.steps.len(), MANY);
    for (number, step) in main.steps.iter().enumerate() {
        let StepKind::Reply(reply) = &story.step(*step).unwrap().kind else { panic!() };
        assert_eq!(*reply.preview, format!("word {}", MANY - 1 - number));
    }
}

#[test]
fn pieces_of_white_space() {
    let piece = |text: &str| {
        let delta = format!(r#"{{"type":"text_delta","text":"{text}"}}"#);
        format!(
            r#"{{"type":"stream_event","event":{{"type":"content_block_delta","index":0,"delta":{delta}}},"session_id":"s1"}}"#
        )
    };
    let pieces = |text: &str| vec![piece(text); MANY / 2].join("\n");
    let mut builder = build(&[pieces(" "), piece("word"), pieces("  ")].join("\n"));
    let story = builder.story();
    let (_, main) = story.threads().next().unwrap();
    let StepKind::Reply(reply) = &story.step(main.steps[0]).unwrap().kind else { panic!() };
    assert_eq!((&*reply.preview, reply.length as usize, main.steps.len()), ("word", MANY / 2 * 3 + 4, 1));
}
