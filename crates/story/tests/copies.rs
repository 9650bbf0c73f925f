//! History copied from another session: its owner shows it, the copy marks where it joins (docs/format G.6).

mod outline;

use outline::outline_of;

#[test]
fn old_resume() {
    insta::assert_snapshot!(outline_of("copies/old_resume"));
}

#[test]
fn old_resume_without_the_original() {
    insta::assert_snapshot!(outline_of("copies/old_resume_without_the_original"));
}

#[test]
fn old_resume_with_new_ids() {
    insta::assert_snapshot!(outline_of("copies/old_resume_with_new_ids"));
}

#[test]
fn fork_with_the_same_ids() {
    insta::assert_snapshot!(outline_of("copies/fork_with_the_same_ids"));
}

#[test]
fn original_of_a_fork() {
    insta::assert_snapshot!(outline_of("copies/original_of_a_fork"));
}

#[test]
fn sdk_fork_with_its_owner() {
    insta::assert_snapshot!(outline_of("copies/sdk_fork_with_its_owner"));
}

#[test]
fn sdk_fork_without_its_owner() {
    insta::assert_snapshot!(outline_of("copies/sdk_fork_without_its_owner"));
}
