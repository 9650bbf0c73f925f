//! Messages of the program: failures and retries, hooks, limits, model changes; and the list of tasks (docs/format B.3,
//! B.4, E.5).

mod outline;

use outline::told;

#[test]
fn retries_are_one() {
    insta::assert_snapshot!(told("system/retries_are_one"));
}

#[test]
fn retries_of_different_requests_are_apart() {
    insta::assert_snapshot!(told("system/retries_of_different_requests_are_apart"));
}

#[test]
fn given_up() {
    insta::assert_snapshot!(told("system/given_up"));
}

#[test]
fn limits() {
    insta::assert_snapshot!(told("system/limits"));
}

#[test]
fn hooks() {
    insta::assert_snapshot!(told("system/hooks"));
}

#[test]
fn what_the_program_says() {
    insta::assert_snapshot!(told("system/what_the_program_says"));
}

#[test]
fn another_model_took_over() {
    insta::assert_snapshot!(told("system/another_model_took_over"));
}

#[test]
fn todos() {
    insta::assert_snapshot!(told("system/todos"));
}

#[test]
fn tasks() {
    insta::assert_snapshot!(told("system/tasks"));
}
