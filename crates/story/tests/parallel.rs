//! Forks that are not branches: parallel calls, progress, attachments, late results (docs/format G.1, G.3).

mod outline;

use outline::outline_of;

#[test]
fn three_calls_going_on_from_the_last_result() {
    insta::assert_snapshot!(outline_of("parallel/three_calls_going_on_from_the_last_result"));
}

#[test]
fn three_calls_going_on_from_the_first_result() {
    insta::assert_snapshot!(outline_of("parallel/three_calls_going_on_from_the_first_result"));
}

#[test]
fn lagging_result() {
    insta::assert_snapshot!(outline_of("parallel/lagging_result"));
}

#[test]
fn progress_beside_results() {
    insta::assert_snapshot!(outline_of("parallel/progress_beside_results"));
}

#[test]
fn going_on_from_progress() {
    insta::assert_snapshot!(outline_of("parallel/going_on_from_progress"));
}

#[test]
fn attachments_beside_results() {
    insta::assert_snapshot!(outline_of("parallel/attachments_beside_results"));
}

#[test]
fn prompt_before_the_last_result() {
    insta::assert_snapshot!(outline_of("parallel/prompt_before_the_last_result"));
}
