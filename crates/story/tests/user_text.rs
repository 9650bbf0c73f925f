//! Entries in the user's role: by the user, by commands, by the program (docs/format F, G.8).

mod outline;

use outline::outline_of;

#[test]
fn prompts() {
    insta::assert_snapshot!(outline_of("user_text/prompts"));
}

#[test]
fn commands_in_both_orders() {
    insta::assert_snapshot!(outline_of("user_text/commands_in_both_orders"));
}

#[test]
fn commands_of_the_program() {
    insta::assert_snapshot!(outline_of("user_text/commands_of_the_program"));
}

#[test]
fn bash_mode() {
    insta::assert_snapshot!(outline_of("user_text/bash_mode"));
}

#[test]
fn memory() {
    insta::assert_snapshot!(outline_of("user_text/memory"));
}

#[test]
fn editor_notices_before_a_prompt() {
    insta::assert_snapshot!(outline_of("user_text/editor_notices_before_a_prompt"));
}

#[test]
fn notifications() {
    insta::assert_snapshot!(outline_of("user_text/notifications"));
}

#[test]
fn images() {
    insta::assert_snapshot!(outline_of("user_text/images"));
}

#[test]
fn interruptions() {
    insta::assert_snapshot!(outline_of("user_text/interruptions"));
}

#[test]
fn resume_filler_is_hidden() {
    insta::assert_snapshot!(outline_of("user_text/resume_filler_is_hidden"));
}

#[test]
fn skill_bodies_are_context() {
    insta::assert_snapshot!(outline_of("user_text/skill_bodies_are_context"));
}

#[test]
fn hooks_talking_to_the_model() {
    insta::assert_snapshot!(outline_of("user_text/hooks_talking_to_the_model"));
}

#[test]
fn plan_hand_over() {
    insta::assert_snapshot!(outline_of("user_text/plan_hand_over"));
}

#[test]
fn steering_as_an_attachment() {
    insta::assert_snapshot!(outline_of("user_text/steering_as_an_attachment"));
}

#[test]
fn steering_only_in_the_queue() {
    insta::assert_snapshot!(outline_of("user_text/steering_only_in_the_queue"));
}

#[test]
fn queued_until_the_turn_ended() {
    insta::assert_snapshot!(outline_of("user_text/queued_until_the_turn_ended"));
}

#[test]
fn pulled_back_into_the_editor() {
    insta::assert_snapshot!(outline_of("user_text/pulled_back_into_the_editor"));
}

#[test]
fn still_waiting_in_the_queue() {
    insta::assert_snapshot!(outline_of("user_text/still_waiting_in_the_queue"));
}

#[test]
fn the_same_words_twice() {
    insta::assert_snapshot!(outline_of("user_text/the_same_words_twice"));
}

#[test]
fn interruption_and_prompt_in_one_entry() {
    insta::assert_snapshot!(outline_of("user_text/interruption_and_prompt_in_one_entry"));
}

#[test]
fn what_comes_before_the_first_prompt_is_in_its_turn() {
    insta::assert_snapshot!(outline_of("user_text/what_comes_before_the_first_prompt_is_in_its_turn"));
}

#[test]
fn hidden_context_is_nobody_speaking() {
    insta::assert_snapshot!(outline_of("user_text/hidden_context_is_nobody_speaking"));
}

#[test]
fn command_that_was_queued() {
    insta::assert_snapshot!(outline_of("user_text/command_that_was_queued"));
}

#[test]
fn steering_with_an_image() {
    insta::assert_snapshot!(outline_of("user_text/steering_with_an_image"));
}

#[test]
fn two_prompts_in_the_queue_and_one_taken_by_name() {
    insta::assert_snapshot!(outline_of("user_text/two_prompts_in_the_queue_and_one_taken_by_name"));
}

#[test]
fn other_voices() {
    insta::assert_snapshot!(outline_of("user_text/other_voices"));
}

#[test]
fn steering_behind_items_of_the_program() {
    insta::assert_snapshot!(outline_of("user_text/steering_behind_items_of_the_program"));
}

#[test]
fn guess_that_its_own_entry_corrects() {
    insta::assert_snapshot!(outline_of("user_text/guess_that_its_own_entry_corrects"));
}

#[test]
fn entry_before_it_leaves_the_queue() {
    insta::assert_snapshot!(outline_of("user_text/entry_before_it_leaves_the_queue"));
}

#[test]
fn steering_written_before_the_conversation() {
    insta::assert_snapshot!(outline_of("user_text/steering_written_before_the_conversation"));
}

#[test]
fn the_same_words_long_after_steering() {
    insta::assert_snapshot!(outline_of("user_text/the_same_words_long_after_steering"));
}

#[test]
fn events_are_not_typed() {
    insta::assert_snapshot!(outline_of("user_text/events_are_not_typed"));
}

#[test]
fn tags_are_not_typed() {
    insta::assert_snapshot!(outline_of("user_text/tags_are_not_typed"));
}
