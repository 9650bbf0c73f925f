//! Agents of all eras, linked to the calls that started them, with their answer shown once (docs/format G.7).

mod outline;

use outline::outline_of;

#[test]
fn inline_and_interleaved() {
    insta::assert_snapshot!(outline_of("agents/inline_and_interleaved"));
}

#[test]
fn by_the_call_in_its_notes() {
    insta::assert_snapshot!(outline_of("agents/by_the_call_in_its_notes"));
}

#[test]
fn by_the_id_in_the_result() {
    insta::assert_snapshot!(outline_of("agents/by_the_id_in_the_result"));
}

#[test]
fn by_its_signs_of_life() {
    insta::assert_snapshot!(outline_of("agents/by_its_signs_of_life"));
}

#[test]
fn by_what_it_was_asked() {
    insta::assert_snapshot!(outline_of("agents/by_what_it_was_asked"));
}

#[test]
fn nested() {
    insta::assert_snapshot!(outline_of("agents/nested"));
}

#[test]
fn resumed_with_another_prompt() {
    insta::assert_snapshot!(outline_of("agents/resumed_with_another_prompt"));
}

#[test]
fn in_the_background() {
    insta::assert_snapshot!(outline_of("agents/in_the_background"));
}

#[test]
fn in_the_background_and_killed() {
    insta::assert_snapshot!(outline_of("agents/in_the_background_and_killed"));
}

#[test]
fn team() {
    insta::assert_snapshot!(outline_of("agents/team"));
}

#[test]
fn teammate_with_a_session_of_its_own() {
    insta::assert_snapshot!(outline_of("agents/teammate_with_a_session_of_its_own"));
}

#[test]
fn workflow() {
    insta::assert_snapshot!(outline_of("agents/workflow"));
}

#[test]
fn forked_skill() {
    insta::assert_snapshot!(outline_of("agents/forked_skill"));
}

#[test]
fn warm_up_is_hidden() {
    insta::assert_snapshot!(outline_of("agents/warm_up_is_hidden"));
}

#[test]
fn call_that_failed() {
    insta::assert_snapshot!(outline_of("agents/call_that_failed"));
}
