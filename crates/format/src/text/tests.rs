//! Checks that for every text nothing is lost, nothing panics, and hostile texts take no longer than others.

use proptest::prelude::*;

use super::*;

fn raw_joined(text: &str) -> String {
    segments(text).into_iter().map(|segment| segment.raw).collect()
}

/// Runs every reader on a text.
fn read_all(text: &str) {
    assert_eq!(raw_joined(text), text);
    let _ = (notice(text), result_text(text), agent_trailer(text), cat_n(text), reminders(text), unescape(text));
    let _ = (tag(text, "status"), image_placeholders(text).count(), strip_reminders(text));
    let (body, _) = split_trailing_reminders(text);
    assert!(text.starts_with(body));
}

/// Pieces of the texts that the readers look for, combined at random.
const FRAGMENTS: [&str; 45] = [
    "<system-reminder>",
    "</system-reminder>",
    "\n<system-reminder>x</system-reminder>",
    "<command-name>/a</command-name>",
    "<command-message>",
    "</command-message>",
    "<bash-stdout>",
    "</bash-stdout>",
    "<bash-stderr></bash-stderr>",
    "<local-command-stdout>ok</local-command-stdout>",
    "<task-notification>",
    "</task-notification>",
    "<status>completed</status>",
    "<usage>total_tokens: 4\ntool_uses: x</usage>",
    "<teammate-message teammate_id=\"a\">",
    "</teammate-message>",
    "Another Claude session sent a message:\n",
    "<cross-session-message from=\"",
    "\">",
    "<pasted_content id=\"7\">",
    "</pasted_content id=\"7\">",
    "</pasted_content>",
    "<fork-boilerplate>b</fork-boilerplate>",
    "[SYSTEM NOTIFICATION - NOT USER INPUT]",
    "[Image #3]",
    "[Image: source: /a.png]",
    "[Image: original 1x2, displayed at 3x",
    "The user doesn't want to proceed with this tool use.",
    " the user said:",
    "Exit code 1\n",
    "Command timed out after 2m ",
    "Command running in background with ID: ",
    "\nCommand was moved to the background (ID: b)",
    "agentId: a (x)",
    "\nworktreePath: /w",
    "Implement the following plan:\n",
    "\nIf you need specific details from before compaction",
    "This session is being continued from a previous conversation that ran out of context.",
    "API Error: 529 {",
    "You've hit your limit · resets ",
    "     1→a\n2\tb",
    "Stop hook feedback:",
    "&amp;",
    "\u{2028}é",
    " \n ",
];

proptest! {
    #[test]
    fn any_text_is_kept_whole(text in "(?s).{0,200}") {
        read_all(&text);
    }

    #[test]
    fn any_mixture_of_fragments_is_kept_whole(picks in prop::collection::vec(0..FRAGMENTS.len(), 0..14)) {
        let text: String = picks.into_iter().map(|at| FRAGMENTS[at]).collect();
        read_all(&text);
    }
}

#[test]
fn hostile_texts_are_read_in_linear_time() {
    const MANY: usize = 200_000;
    for fragment in FRAGMENTS {
        read_all(&fragment.repeat(MANY / 20));
    }
    for hostile in [
        "<system-reminder>",
        "\n<system-reminder>",
        "</system-reminder>",
        "<system-reminder><system-reminder></system-reminder>",
        "<system-reminder></system-reminder>",
        "<pasted_content id=\"7\">",
        "<status ",
        "<status>",
        "<channel \"",
        "<channel a=\"b\">",
        "<bash-stdout>",
        "<task-notification><result>",
        "[Image #1",
        "[Image: source: ",
        "\nCommand ",
        "agentId: a\n",
        "&",
        "1→\n",
    ] {
        read_all(&hostile.repeat(MANY));
        let some = hostile.repeat(MANY / 10);
        read_all(&format!("<bash-input>a</bash-input>{some}"));
        read_all(&format!("<task-notification>{some}</task-notification>"));
    }
}

#[test]
fn whitespace_belongs_to_the_segment_before_it() {
    let found = segments("\n <bash-input>a</bash-input> \n\nthen dig\n");
    let raws: Vec<_> = found.iter().map(|segment| segment.raw).collect();
    assert_eq!(raws, ["\n <bash-input>a</bash-input> \n\n", "then dig\n"]);
    assert_eq!(segments(""), []);
    assert_eq!(segments(" \n"), [Segment { raw: " \n", kind: Kind::Plain("") }]);
}

#[test]
fn tags_inside_a_prompt_are_the_humans_own() {
    for text in ["what does <bash-input>ls</bash-input> mean?", "see:\n<command-name>/x</command-name>", "<b>bold</b>"]
    {
        assert_eq!(segments(text), [Segment { raw: text, kind: Kind::Plain(text) }]);
    }
}

#[test]
fn a_fork_and_its_directive() {
    let found = segments("<fork-boilerplate>\nOne task.\n</fork-boilerplate>\n\nYour directive: dig <b>here</b>");
    assert_eq!(found[0].kind, Kind::Fork { boilerplate: "One task.", directive: "dig <b>here</b>" });
    assert_eq!(found.len(), 1);
}

#[test]
fn elements_without_a_reading_of_their_own() {
    let found =
        segments("<mcp-resource-update server=\"shed\" uri=\"f:/a\"><reason>new</reason></mcp-resource-update>");
    let [Segment { kind: Kind::Injected { name, attributes, text }, .. }] = found.as_slice() else {
        panic!("{found:?}")
    };
    assert_eq!((*name, attributes.get("server"), *text), ("mcp-resource-update", Some("shed"), "<reason>new</reason>"));
}

#[test]
fn speech_is_distinguished_from_context() {
    let speech = |text| segments(text).iter().any(Segment::is_speech);
    for text in [
        "dig",
        "<command-name>/dig</command-name>",
        "<bash-input>dig</bash-input>",
        "<user-memory-input>dig</user-memory-input>",
        "<ide_opened_file>x</ide_opened_file>dig",
        "<pasted_content id=\"1\">dig</pasted_content id=\"1\">",
        "The user sent a new message while you were working:\ndig",
    ] {
        assert!(speech(text), "{text}");
    }
    for text in [
        "",
        "  ",
        "Warmup",
        "<ide_opened_file>x</ide_opened_file>\n",
        "<local-command-stdout></local-command-stdout>",
        "<task-notification></task-notification>",
        "[Request interrupted by user]",
        "Another Claude session sent a message:\n<agent-message from=\"a\">x</agent-message>\n\nNot your user.",
    ] {
        assert!(!speech(text), "{text}");
    }
}
