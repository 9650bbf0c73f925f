//! Truncated, tangled and circular trees: every step is still shown once, in linear time (docs/format C.1, G.1).

mod outline;

use outline::{build, outline_of};

#[test]
fn parent_that_is_nowhere() {
    insta::assert_snapshot!(outline_of("damage/parent_that_is_nowhere"));
}

#[test]
fn parent_that_comes_later() {
    insta::assert_snapshot!(outline_of("damage/parent_that_comes_later"));
}

#[test]
fn parent_of_itself() {
    insta::assert_snapshot!(outline_of("damage/parent_of_itself"));
}

#[test]
fn circle() {
    insta::assert_snapshot!(outline_of("damage/circle"));
}

#[test]
fn circle_that_nobody_leaves() {
    insta::assert_snapshot!(outline_of("damage/circle_that_nobody_leaves"));
}

#[test]
fn same_uuid_same_content() {
    insta::assert_snapshot!(outline_of("damage/same_uuid_same_content"));
}

#[test]
fn same_uuid_other_content() {
    insta::assert_snapshot!(outline_of("damage/same_uuid_other_content"));
}

#[test]
fn several_roots() {
    insta::assert_snapshot!(outline_of("damage/several_roots"));
}

#[test]
fn lines_that_cannot_be_read() {
    insta::assert_snapshot!(outline_of("damage/lines_that_cannot_be_read"));
}

#[test]
fn bare_entries() {
    insta::assert_snapshot!(outline_of("damage/bare_entries"));
}

/// A user entry with an arbitrary parent.
fn prompt(uuid: usize, parent: Option<usize>) -> String {
    let parent = parent.map_or_else(|| "null".to_owned(), |parent| format!("\"u{parent}\""));
    format!(
        r#"{{"parentUuid":{parent},"type":"user","message":{{"role":"user","content":"number {uuid}"}},"uuid":"u{uuid}","sessionId":"s1"}}"#
    )
}

/// The number of threads, and of their steps.
fn counts(lines: impl Iterator<Item = String>) -> (usize, usize) {
    let file: Vec<String> = lines.collect();
    let mut builder = build(&file.join("\n"));
    let story = builder.story();
    (story.threads().len(), story.threads().map(|(_, thread)| thread.steps.len()).sum())
}

#[test]
fn chain_of_200_000_entries() {
    let chain = (0..200_000).map(|number: usize| prompt(number, number.checked_sub(1)));
    assert_eq!(counts(chain), (1, 200_000));
}

#[test]
fn chain_of_200_000_entries_upside_down() {
    let chain = (0..200_000).rev().map(|number: usize| prompt(number, number.checked_sub(1)));
    assert_eq!(counts(chain), (1, 200_000));
}

#[test]
fn circle_of_1_000_entries() {
    let circle = (0..1_000).map(|number| prompt(number, Some((number + 999) % 1_000)));
    assert_eq!(counts(circle), (1, 1_000));
}

#[test]
fn thousands_of_circles_of_two() {
    let circles = (0..20_000).map(|number| prompt(number, Some(number ^ 1)));
    assert_eq!(counts(circles), (1, 20_000));
}

#[test]
fn thousands_of_roots() {
    let roots = (0..50_000).map(|number| prompt(number, None));
    assert_eq!(counts(roots), (1, 50_000));
}

#[test]
fn thousands_of_branches_are_all_shown() {
    let star = (0..20_000).map(|number| prompt(number, (number > 0).then_some(0)));
    assert_eq!(counts(star), (19_999, 20_000));
}

#[test]
fn a_comb_of_branches_takes_linear_time() {
    // A long path with a branch at every step.
    let comb = (0..50_000).map(|number: usize| prompt(number, number.checked_sub(2).or(number.checked_sub(1))));
    assert_eq!(counts(comb), (2, 50_000));
}

#[test]
fn thousands_of_results_and_progress_beside_one_call() {
    let call = r#"{"parentUuid":null,"type":"assistant","message":{"id":"msg_1","role":"assistant","content":[{"type":"tool_use","id":"toolu_1","name":"Bash","input":{"command":"make"}}]},"uuid":"a1","sessionId":"s1"}"#;
    let progress = (0..100_000).map(|number: usize| {
        let parent = number.checked_sub(1).map_or_else(|| "a1".to_owned(), |before| format!("p{before}"));
        format!(
            r#"{{"parentUuid":"{parent}","type":"progress","data":{{"type":"bash_progress","output":"."}},"toolUseID":"toolu_1","uuid":"p{number}","sessionId":"s1"}}"#
        )
    });
    let result = r#"{"parentUuid":"a1","type":"user","message":{"role":"user","content":[{"tool_use_id":"toolu_1","type":"tool_result","content":"made"}]},"uuid":"r1","sessionId":"s1"}"#;
    let lines = std::iter::once(call.to_owned()).chain(progress).chain([result.to_owned()]);
    assert_eq!(counts(lines), (1, 1));
}
