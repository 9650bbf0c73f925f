//! Facts about a session as a whole: titles, folders, times, counts, state, links (docs/format B.6, B.7, F.6, G.9).

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a failure here is a failed test")]

mod outline;

use format::tool::{Ask, ToolKind};
use outline::{build, facts, story};
use story::{CommitKind, Ending, Role, Source, StepKind, StoryBuilder, TurnState};

/// The title, and where it comes from.
fn title(fixture: &str) -> String {
    let title = story(fixture).facts.title.unwrap();
    format!("{:?}: {}", title.source, title.text)
}

/// The state of the last turn.
fn state(fixture: &str) -> TurnState {
    Ending::of(&story(fixture)).turn.unwrap()
}

/// What the end of a session asks the user for.
fn asks(fixture: &str) -> Option<Ask> {
    Ending::of(&story(fixture)).asking().map(|(ask, _)| ask)
}

#[test]
fn title_from_the_first_prompt() {
    assert_eq!(title("facts/title_from_the_first_prompt"), "FirstPrompt: add retries");
}

#[test]
fn title_from_a_summary() {
    assert_eq!(title("facts/title_from_a_summary"), "Summary: Uploader retries");
}

#[test]
fn title_from_the_last_prompt() {
    assert_eq!(title("facts/title_from_the_last_prompt"), "LastPrompt: add retries");
}

#[test]
fn title_from_the_model() {
    assert_eq!(title("facts/title_from_the_model"), "Model: Add retries to uploader");
}

#[test]
fn title_from_the_user() {
    assert_eq!(title("facts/title_from_the_user"), "Custom: uploader");
}

#[test]
fn title_not_from_another_session() {
    assert_eq!(title("facts/title_not_from_another_session"), "FirstPrompt: add retries");
}

#[test]
fn title_not_from_a_command() {
    assert_eq!(title("facts/title_not_from_a_command"), "FirstPrompt: add retries");
}

/// The title of a session with these prompts, each answered.
fn title_of_prompts(prompts: &[&str]) -> Option<String> {
    let line = |(number, text): (usize, &&str)| {
        let text = text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n");
        format!(
            r#"{{"type":"user","uuid":"u{number}","sessionId":"s1","message":{{"content":"{text}"}}}}
{{"type":"assistant","parentUuid":"u{number}","uuid":"a{number}","sessionId":"s1","message":{{"id":"m{number}","content":[{{"type":"text","text":"Done."}}]}}}}
"#
        )
    };
    let file: String = prompts.iter().enumerate().map(line).collect();
    let title = build(&file).story().facts.title.clone();
    title.map(|title| format!("{:?}: {}", title.source, title.text))
}

#[test]
fn titles_in_the_order_of_their_sources() {
    let teammate = "<teammate-message teammate_id=\"team-lead\">Count the seeds.</teammate-message>";
    let command = "<command-name>/sow</command-name><command-args>beans</command-args>";
    let plan = "Implement the following plan:\n\n# Dig the beds\n\n1. Spade";
    let typed = "add retries";
    let expected = [
        (teammate, "Task: Count the seeds."),
        (command, "Command: /sow beans"),
        (plan, "Plan: Dig the beds"),
        (typed, "FirstPrompt: add retries"),
    ];
    let mut prompts = Vec::new();
    for (prompt, title) in expected {
        prompts.push(prompt);
        assert_eq!(title_of_prompts(&prompts).as_deref(), Some(title));
    }
}

#[test]
fn titles_are_not_tags() {
    for text in [
        "<bash-exit-code>0</bash-exit-code>",
        "<command-contents>cut off",
        "<goal>win</goal> by dusk",
        "<ci-monitor-event>red</ci-monitor-event>",
        "{\"task_id\":\"b1\",\"description\":\"Sweep\"}",
        "Operation stopped by hook: no",
    ] {
        assert_eq!(title_of_prompts(&[text]), None, "{text}");
        assert_eq!(title_of_prompts(&[text, "dig"]).as_deref(), Some("FirstPrompt: dig"), "{text}");
    }
    assert_eq!(title_of_prompts(&["<div> is off-centre"]).as_deref(), Some("FirstPrompt: <div> is off-centre"));
    let custom = r#"{"type":"custom-title","customTitle":"<bash-input>ls</bash-input>","sessionId":"s1"}"#;
    assert_eq!(build(custom).story().facts.title, None);
}

#[test]
fn title_from_a_command_that_the_model_answered() {
    let file = r#"{"type":"user","uuid":"u1","message":{"content":"<command-name>/clear</command-name>"}}
{"type":"user","uuid":"u2","parentUuid":"u1","message":{"content":"<command-message>review</command-message><command-name>/review</command-name><command-args>12</command-args>"}}
{"type":"assistant","uuid":"a1","parentUuid":"u2","message":{"id":"m1","content":[{"type":"text","text":"Fine."}]}}
"#;
    assert_eq!(&*build(file).story().facts.title.clone().unwrap().text, "/review 12");
}

/// A summary stands in a file of another session, which hands it over.
#[test]
fn title_from_a_summary_in_another_file() {
    let mut other = build(r#"{"type":"summary","summary":"Uploader retries","leafUuid":"a1"}"#);
    assert_eq!(other.story().facts.title, None);
    let handed: Vec<(u64, String)> = other.summaries_of_others().map(|(leaf, text)| (leaf, text.to_owned())).collect();
    let file = r#"{"type":"user","uuid":"u1","message":{"content":"add retries"}}
{"type":"assistant","uuid":"a1","parentUuid":"u1","message":{"id":"m1","content":[{"type":"text","text":"Done."}]}}
"#;
    let mut owner = build(file);
    let mut stranger = build(&file.replace("\"a1\"", "\"a2\""));
    for (leaf, text) in handed {
        owner.add_summary(leaf, &text);
        stranger.add_summary(leaf, &text);
    }
    let title = |builder: &mut StoryBuilder| builder.story().facts.title.clone().unwrap().text.to_string();
    assert_eq!((title(&mut owner), title(&mut stranger)), ("Uploader retries".into(), "add retries".into()));
}

#[test]
fn last_title_wins() {
    assert_eq!(title("facts/last_title_wins"), "Custom: uploader 2");
}

#[test]
fn state_asked() {
    assert_eq!(state("facts/state_asked"), TurnState::Open);
}

#[test]
fn state_working() {
    assert_eq!(state("facts/state_working"), TurnState::Open);
}

#[test]
fn state_working_between_calls() {
    assert_eq!(state("facts/state_working_between_calls"), TurnState::Open);
}

#[test]
fn state_asking() {
    assert_eq!((state("facts/state_asking"), asks("facts/state_asking")), (TurnState::Open, Some(Ask::Answer)));
    assert_eq!(asks("facts/state_working"), None);
}

#[test]
fn state_asking_about_a_plan() {
    assert_eq!(asks("facts/state_asking_about_a_plan"), Some(Ask::Approval));
}

/// A tool asks by whichever name it was called, and the time until the answer is the human's.
#[test]
fn state_asking_by_any_name() {
    let names = ToolKind::ALL.iter().filter(|kind| kind.nature().asks.is_some()).flat_map(|kind| kind.names());
    let names: Vec<_> = names.collect();
    assert!(
        ["exit_plan_mode", "ExitPlanModeV2", "ask_user_question", "EnterPlanMode"].iter().all(|it| names.contains(&it))
    );
    for name in names {
        let asked = format!(
            r#"{{"type":"user","uuid":"u1","timestamp":"2026-08-08T09:00:00.000Z","message":{{"content":"add retries"}}}}
{{"parentUuid":"u1","type":"assistant","uuid":"a1","timestamp":"2026-08-08T09:00:10.000Z","message":{{"id":"m1","content":[{{"type":"tool_use","id":"t1","name":"{name}","input":{{}}}}]}}}}
"#
        );
        assert!(Ending::of(build(&asked).story()).asking().is_some(), "{name}");
        let answered = r#"{"parentUuid":"a1","type":"user","uuid":"r1","timestamp":"2026-08-08T09:00:50.000Z","message":{"content":[{"type":"tool_result","tool_use_id":"t1","content":"Yes"}]}}
{"parentUuid":"r1","type":"assistant","uuid":"a2","timestamp":"2026-08-08T09:01:00.000Z","message":{"id":"m2","content":[{"type":"text","text":"Done."}]}}
"#;
        let mut builder = build(&(asked + answered));
        let facts = &builder.story().facts;
        assert_eq!((facts.active_ms, facts.waiting_ms), (20_000, 40_000), "{name}");
    }
}

#[test]
fn state_done() {
    assert_eq!(state("facts/state_done"), TurnState::Done);
}

#[test]
fn state_done_with_hooks_after_it() {
    assert_eq!(state("facts/state_done_with_hooks_after_it"), TurnState::Done);
}

#[test]
fn state_said_before_a_call() {
    assert_eq!(state("facts/state_said_before_a_call"), TurnState::Open);
}

#[test]
fn state_interrupted() {
    assert_eq!(state("facts/state_interrupted"), TurnState::Interrupted);
}

#[test]
fn state_failed() {
    assert_eq!(state("facts/state_failed"), TurnState::Failed);
}

#[test]
fn state_command_only() {
    assert_eq!(state("facts/state_command_only"), TurnState::Done);
}

#[test]
fn where_it_ran() {
    insta::assert_snapshot!(facts(&story("facts/where_it_ran").facts));
}

#[test]
fn times_of_work_and_waiting() {
    insta::assert_snapshot!(facts(&story("facts/times_of_work_and_waiting").facts));
}

/// The active time and the time of waiting, in milliseconds.
fn times(fixture: &str) -> (u64, u64) {
    let facts = story(fixture).facts;
    (facts.active_ms, facts.waiting_ms)
}

#[test]
fn active_time_is_the_stated_duration() {
    let (active, _) = times("facts/active_time_is_the_stated_duration");
    assert_eq!(active, 28_500 + 61_500);
}

#[test]
fn a_wait_for_approval_is_not_active_time() {
    // The Edit waited for 12 h 40 min and ran for a second at most; the command had a timeout of one minute.
    let story = story("facts/a_wait_for_approval_is_not_active_time");
    assert_eq!(story.facts.active_ms, 91_000);
    assert_eq!(story.facts.waiting_ms, (12 * 60 + 40) * 60_000 - 1000 + 9 * 60_000);
    let main = story.threads().next().unwrap().1;
    let steps = main.steps.iter().filter_map(|step| story.step(*step));
    let durations = steps.filter_map(|step| match &step.kind {
        StepKind::Call(call) => Some(call.duration?.millis),
        _ => None,
    });
    assert_eq!(durations.collect::<Vec<_>>(), [1000, 60_000]);
}

#[test]
fn a_suspended_night_is_not_active_time() {
    assert_eq!(times("facts/a_suspended_night_is_not_active_time"), (11_000, 0));
}

#[test]
fn a_microcompaction_is_not_a_compaction() {
    assert_eq!(story("facts/a_microcompaction_is_not_a_compaction").facts.counts.compactions, 0);
}

#[test]
fn counts() {
    insta::assert_snapshot!(facts(&story("facts/counts").facts));
}

#[test]
fn links() {
    insta::assert_snapshot!(facts(&story("facts/links").facts));
}

#[test]
fn times_without_recaps_and_bookkeeping() {
    insta::assert_snapshot!(facts(&story("facts/times_without_recaps_and_bookkeeping").facts));
}

#[test]
fn models_are_in_the_order_of_their_answers_in_any_reading_order() {
    let answer = |model: &str, second: u32| {
        format!(
            r#"{{"type":"assistant","uuid":"{model}{second}","timestamp":"2026-08-08T09:15:0{second}Z","message":{{"id":"m{second}","role":"assistant","model":"{model}","content":[{{"type":"text","text":"{second}"}}]}}}}"#
        )
    };
    let main = [answer("opus", 1), answer("sonnet", 5), answer("opus", 6)].join("\n");
    let agent = [answer("haiku", 3), answer("sonnet", 4)].join("\n");
    let roles = [Role::Main, Role::Agent { id: "a1".into(), workflow: None }];
    for order in [[0, 1], [1, 0]] {
        let mut builder = StoryBuilder::default();
        let sources = roles.clone().map(|role| builder.add_source(Source { role, ..Source::default() }));
        for file in order {
            for line in format::lines([&main, &agent][file].as_bytes()) {
                builder.push(sources[file], line);
            }
        }
        assert_eq!(builder.story().facts.models.join(" "), "opus haiku sonnet");
    }
}

/// What `git commit` and `gh pr create` print, in each form, and what only looks like it.
#[test]
fn commits_and_pull_requests_are_recognised_from_the_output_of_the_commands_that_make_them() {
    let facts = story("facts/commits").facts;
    let commits: Vec<_> =
        facts.commits.iter().map(|it| (&*it.sha, it.kind, it.branch.as_deref(), &*it.subject)).collect();
    assert_eq!(
        commits,
        [
            ("1000001", CommitKind::Committed, Some("main"), "Begin"),
            ("1000002", CommitKind::Committed, Some("main"), "Add retries"),
            ("1000003", CommitKind::Amended, Some("main"), "Add retries"),
            ("1000004", CommitKind::Committed, None, "Try"),
            ("1000005", CommitKind::Committed, Some("next"), "one"),
            ("1000006", CommitKind::Committed, Some("next"), "two"),
            ("1000007", CommitKind::Committed, Some("next"), ""),
            ("1000008", CommitKind::CherryPicked, Some("next"), "Try"),
            ("1000009", CommitKind::Reverted, Some("next"), "Revert \"Try\""),
            ("100000a", CommitKind::Committed, Some("next"), "Before the tests"),
        ]
    );
    let calls: Vec<&str> = facts.commits.iter().map(|commit| &*commit.tool_use_id).collect();
    assert_eq!(calls[..6], ["toolu_01", "toolu_02", "toolu_03", "toolu_04", "toolu_05", "toolu_05"]);
    let links: Vec<_> = facts.links.iter().map(|it| (&*it.title, &*it.url, it.tool_use_id.as_deref())).collect();
    assert_eq!(
        links,
        [
            ("acme/shop#7", "https://github.com/acme/shop/pull/7", Some("toolu_13")),
            ("acme/shop#8", "https://github.com/acme/shop/pull/8", Some("toolu_14")),
        ]
    );
}
