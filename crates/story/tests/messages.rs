//! One API message over several lines, blocks in order, growing copies, pieces of streams (docs/format G.3, H.3).

mod outline;

use outline::outline_of;

#[test]
fn one_message_over_several_lines() {
    insta::assert_snapshot!(outline_of("messages/one_message_over_several_lines"));
}

#[test]
fn blocks_interleaved_with_results() {
    insta::assert_snapshot!(outline_of("messages/blocks_interleaved_with_results"));
}

#[test]
fn several_blocks_in_one_line() {
    insta::assert_snapshot!(outline_of("messages/several_blocks_in_one_line"));
}

#[test]
fn nothing_is_hidden_for_want_of_a_stop_reason() {
    insta::assert_snapshot!(outline_of("messages/nothing_is_hidden_for_want_of_a_stop_reason"));
}

#[test]
fn growing_copies() {
    insta::assert_snapshot!(outline_of("messages/growing_copies"));
}

#[test]
fn growing_copies_of_a_whole_message() {
    insta::assert_snapshot!(outline_of("messages/growing_copies_of_a_whole_message"));
}

#[test]
fn pieces_then_the_whole_message() {
    insta::assert_snapshot!(outline_of("messages/pieces_then_the_whole_message"));
}

#[test]
fn pieces_without_the_whole_message() {
    insta::assert_snapshot!(outline_of("messages/pieces_without_the_whole_message"));
}

#[test]
fn spread_by_character() {
    insta::assert_snapshot!(outline_of("messages/spread_by_character"));
}

#[test]
fn thinking_that_is_speech() {
    insta::assert_snapshot!(outline_of("messages/thinking_that_is_speech"));
}
