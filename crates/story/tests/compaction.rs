//! Summaries that replace history, whole or in part, and how earlier versions wrote them (docs/format G.5).

mod outline;

use outline::outline_of;

#[test]
fn boundary_and_summary() {
    insta::assert_snapshot!(outline_of("compaction/boundary_and_summary"));
}

#[test]
fn in_the_middle_of_a_turn() {
    insta::assert_snapshot!(outline_of("compaction/in_the_middle_of_a_turn"));
}

#[test]
fn twice() {
    insta::assert_snapshot!(outline_of("compaction/twice"));
}

#[test]
fn preserved_messages_going_on_from_the_summary() {
    insta::assert_snapshot!(outline_of("compaction/preserved_messages_going_on_from_the_summary"));
}

#[test]
fn preserved_messages_going_on_from_the_last_of_them() {
    insta::assert_snapshot!(outline_of("compaction/preserved_messages_going_on_from_the_last_of_them"));
}

#[test]
fn preserved_segment() {
    insta::assert_snapshot!(outline_of("compaction/preserved_segment"));
}

#[test]
fn asked_for_by_the_user() {
    insta::assert_snapshot!(outline_of("compaction/asked_for_by_the_user"));
}

#[test]
fn microcompaction() {
    insta::assert_snapshot!(outline_of("compaction/microcompaction"));
}

#[test]
fn old_preamble_in_a_new_file() {
    insta::assert_snapshot!(outline_of("compaction/old_preamble_in_a_new_file"));
}

#[test]
fn old_preamble_with_the_prompt_in_it() {
    insta::assert_snapshot!(outline_of("compaction/old_preamble_with_the_prompt_in_it"));
}

#[test]
fn of_a_part() {
    insta::assert_snapshot!(outline_of("compaction/of_a_part"));
}

#[test]
fn collapsed_in_place() {
    insta::assert_snapshot!(outline_of("compaction/collapsed_in_place"));
}
