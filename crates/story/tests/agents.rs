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
fn only_in_progress() {
    insta::assert_snapshot!(outline_of("agents/only_in_progress"));
}

/// The file of one agent is whole; that of the other breaks off after its call.
#[test]
fn in_progress_and_in_its_file() {
    insta::assert_snapshot!(outline_of("agents/in_progress_and_in_its_file"));
}

/// A session that grows is read in another order than one that is read from the beginning.
#[test]
fn in_its_file_before_it_is_in_progress() {
    let first = outline_of("agents/in_progress_and_in_its_file");
    let last = outline::outline_of_agents_first("agents/in_progress_and_in_its_file");
    assert_eq!(first, last);
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
