//! Calls and their results: paired by id, wherever the result is, and described by its meaning (docs/format E, G.3).

mod outline;

use format::lines;
use outline::outline_of;
use story::{Source, StepKind, StoryBuilder};

#[test]
fn results_out_of_order() {
    insta::assert_snapshot!(outline_of("pairing/results_out_of_order"));
}

#[test]
fn result_before_its_call() {
    insta::assert_snapshot!(outline_of("pairing/result_before_its_call"));
}

#[test]
fn result_in_another_file() {
    insta::assert_snapshot!(outline_of("pairing/result_in_another_file"));
}

#[test]
fn no_result_yet() {
    insta::assert_snapshot!(outline_of("pairing/no_result_yet"));
}

#[test]
fn no_result_because_of_an_interruption() {
    insta::assert_snapshot!(outline_of("pairing/no_result_because_of_an_interruption"));
}

#[test]
fn no_result_because_of_a_crash() {
    insta::assert_snapshot!(outline_of("pairing/no_result_because_of_a_crash"));
}

#[test]
fn result_without_a_call() {
    insta::assert_snapshot!(outline_of("pairing/result_without_a_call"));
}

#[test]
fn the_same_result_twice() {
    insta::assert_snapshot!(outline_of("pairing/the_same_result_twice"));
}

#[test]
fn inputs_and_results_by_tool() {
    insta::assert_snapshot!(outline_of("pairing/inputs_and_results_by_tool"));
}

#[test]
fn failures_by_what_they_mean() {
    insta::assert_snapshot!(outline_of("pairing/failures_by_what_they_mean"));
}

/// A live view learns which step to redraw.
#[test]
fn a_result_changes_its_call() {
    let mut builder = StoryBuilder::default();
    let source = builder.add_source(Source::default());
    let mut lines = lines(include_bytes!("fixtures/pairing/the_same_result_twice.jsonl"));
    let mut changes_after = |count: usize| {
        lines.by_ref().take(count).for_each(|line| builder.push(source, line));
        let changed = builder.take_changes();
        changed.into_iter().filter_map(|step| builder.story().step(step).cloned()).collect::<Vec<_>>()
    };
    assert_eq!(changes_after(2).len(), 2, "a prompt and a call");
    let changed = changes_after(1);
    assert!(matches!(changed.as_slice(), [step] if matches!(step.kind, StepKind::Call(_))), "its result");
    assert!(changes_after(1).is_empty(), "the same result again");
}

#[test]
fn exit_code_one_of_a_search_is_an_answer() {
    insta::assert_snapshot!(outline_of("pairing/exit_code_one_of_a_search_is_an_answer"));
}
