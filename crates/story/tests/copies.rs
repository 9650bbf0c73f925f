//! History copied from another session: its owner shows it, the copy marks where it joins (docs/format G.6).

mod outline;

use outline::outline_of;
use story::{Role, Source, StepKind, StoryBuilder};

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

#[test]
fn what_was_copied_is_no_turn() {
    let text = include_bytes!("fixtures/copies/old_resume/elsewhere-11111111-1111-4111-8111-111111111111.jsonl");
    let mut builder = StoryBuilder::default();
    for (role, session) in [(Role::Elsewhere, "11111111-1111-4111-8111-111111111111"), (Role::Main, "")] {
        let source = builder.add_source(Source { role, session: session.into() });
        format::lines(text).for_each(|line| builder.push(source, line));
    }
    let story = builder.story();
    let (_, main) = story.threads().next().unwrap();
    let steps: Vec<_> = main.steps.iter().filter_map(|step| story.step(*step)).collect();
    assert!(matches!(steps.as_slice(), [step] if matches!(step.kind, StepKind::Joint(_))), "{steps:?}");
    assert_eq!(story.facts.counts.turns, 0);
}
