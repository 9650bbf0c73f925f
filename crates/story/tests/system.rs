//! Messages of the program: failures and retries, hooks, limits, model changes; and the list of tasks (docs/format B.3,
//! B.4, E.5).

mod outline;

use outline::{outline_of, story};

#[test]
fn retries_are_one() {
    insta::assert_snapshot!(outline_of("system/retries_are_one"));
}

#[test]
fn retries_of_different_requests_are_apart() {
    insta::assert_snapshot!(outline_of("system/retries_of_different_requests_are_apart"));
}

#[test]
fn given_up() {
    insta::assert_snapshot!(outline_of("system/given_up"));
}

#[test]
fn limits() {
    insta::assert_snapshot!(outline_of("system/limits"));
}

#[test]
fn hooks() {
    insta::assert_snapshot!(outline_of("system/hooks"));
}

#[test]
fn what_the_program_says() {
    insta::assert_snapshot!(outline_of("system/what_the_program_says"));
}

#[test]
fn another_model_took_over() {
    insta::assert_snapshot!(outline_of("system/another_model_took_over"));
}

#[test]
fn todos() {
    insta::assert_snapshot!(outline_of("system/todos"));
}

#[test]
fn tasks() {
    insta::assert_snapshot!(outline_of("system/tasks"));
}

#[test]
fn bookkeeping_of_the_newest_version() {
    insta::assert_snapshot!(outline_of("system/bookkeeping_of_the_newest_version"));
    let story = story("system/bookkeeping_of_the_newest_version");
    assert_eq!(story.facts.derived_from.as_deref(), Some("0119"));
}
