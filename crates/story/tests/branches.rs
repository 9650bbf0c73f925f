//! Rewound branches: rewinds, edits, sessions resumed twice, replays, retracted answers (docs/format G.2, G.4).

mod outline;

use outline::outline_of;

#[test]
fn rewind_makes_a_sibling() {
    insta::assert_snapshot!(outline_of("branches/rewind_makes_a_sibling"));
}

#[test]
fn edited_twice() {
    insta::assert_snapshot!(outline_of("branches/edited_twice"));
}

#[test]
fn branch_of_a_branch() {
    insta::assert_snapshot!(outline_of("branches/branch_of_a_branch"));
}

#[test]
fn left_before_an_answer() {
    insta::assert_snapshot!(outline_of("branches/left_before_an_answer"));
}

#[test]
fn left_in_the_middle_of_calls() {
    insta::assert_snapshot!(outline_of("branches/left_in_the_middle_of_calls"));
}

#[test]
fn resumed_twice() {
    insta::assert_snapshot!(outline_of("branches/resumed_twice"));
}

#[test]
fn replays_with_the_same_time() {
    insta::assert_snapshot!(outline_of("branches/replays_with_the_same_time"));
}

#[test]
fn last_prompt_names_the_leaf() {
    insta::assert_snapshot!(outline_of("branches/last_prompt_names_the_leaf"));
}

#[test]
fn last_prompt_is_old() {
    insta::assert_snapshot!(outline_of("branches/last_prompt_is_old"));
}

#[test]
fn retracted_by_a_fallback() {
    insta::assert_snapshot!(outline_of("branches/retracted_by_a_fallback"));
}

#[test]
fn superseded() {
    insta::assert_snapshot!(outline_of("branches/superseded"));
}

#[test]
fn commands_are_not_branches() {
    insta::assert_snapshot!(outline_of("branches/commands_are_not_branches"));
}

#[test]
fn command_at_the_end_of_the_conversation() {
    insta::assert_snapshot!(outline_of("branches/command_at_the_end_of_the_conversation"));
}

#[test]
fn calls_interleaved_across_messages() {
    insta::assert_snapshot!(outline_of("branches/calls_interleaved_across_messages"));
}
