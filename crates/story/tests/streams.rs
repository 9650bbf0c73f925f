//! Saved streams of `claude -p` and the SDK (docs/format H).

mod outline;

use outline::outline_of;

#[test]
fn one_turn() {
    insta::assert_snapshot!(outline_of("streams/one_turn"));
}

#[test]
fn several_turns() {
    insta::assert_snapshot!(outline_of("streams/several_turns"));
}

#[test]
fn several_turns_without_their_prompts() {
    insta::assert_snapshot!(outline_of("streams/several_turns_without_their_prompts"));
}

#[test]
fn not_allowed() {
    insta::assert_snapshot!(outline_of("streams/not_allowed"));
}

#[test]
fn too_many_turns() {
    insta::assert_snapshot!(outline_of("streams/too_many_turns"));
}

#[test]
fn failed_during_execution() {
    insta::assert_snapshot!(outline_of("streams/failed_during_execution"));
}

#[test]
fn subagent() {
    insta::assert_snapshot!(outline_of("streams/subagent"));
}

#[test]
fn pieces_of_a_subagent_and_of_the_main_thread() {
    insta::assert_snapshot!(outline_of("streams/pieces_of_a_subagent_and_of_the_main_thread"));
}

#[test]
fn stream_that_breaks_off() {
    insta::assert_snapshot!(outline_of("streams/stream_that_breaks_off"));
}

#[test]
fn signals() {
    insta::assert_snapshot!(outline_of("streams/signals"));
}

#[test]
fn interrupted_by_the_host() {
    insta::assert_snapshot!(outline_of("streams/interrupted_by_the_host"));
}
