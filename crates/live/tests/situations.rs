//! Recorded situations, one test each: the registered processes, the transcripts, the hook events, and the resulting
//! state of the session.
//!
//! A file in `situations/` begins with a description. It is followed by the files of a config root, the running
//! processes (`--- process`, with their start times), and the hook events with their times; at the end comes the state
//! of the session.

#![allow(clippy::unwrap_used, clippy::panic, reason = "these are tests")]

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use index::Index;
use ledger::Prices;
use live::hooks::Event;
use live::process::{Life, Processes};
use live::session_follower::SessionFollower;
use sources::Root;
use story::step::Millis;

/// Nine o'clock, when all of them begin.
const NINE: Millis = 1_786_179_600_000;
const DAY: Millis = 24 * 60 * 60 * 1000;

/// The processes of a situation.
#[derive(Default)]
struct Listed(BTreeMap<u32, String>);

impl Processes for Listed {
    fn life(&self, pid: u32) -> Life {
        self.0.get(&pid).map_or(Life::Gone, |began| Life::Since(began.clone()))
    }
}

/// A time of day, in milliseconds since 1970.
fn moment(clock: &str) -> Millis {
    let parts: Vec<Millis> = clock.split(':').map(|part| part.parse().unwrap()).collect();
    let [hours, minutes, seconds] = parts[..] else { panic!("no moment: {clock}") };
    NINE + ((hours - 9) * 3600 + minutes * 60 + seconds) * 1000
}

fn clock(at: Millis) -> String {
    let seconds = (at - NINE) / 1000 + 9 * 3600;
    format!("{:02}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60)
}

/// Plays a situation, and returns the actual and the expected state of its session.
fn play(text: &str) -> (String, String) {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().join("root");
    fs::create_dir_all(root.join("projects")).unwrap();
    let (mut processes, mut events, mut stands) = (Listed::default(), Vec::new(), None);
    for part in text.split("\n--- ").skip(1) {
        let (head, body) = part.split_once('\n').unwrap_or((part, ""));
        match head.split_once(' ').unwrap_or((head, "")) {
            ("process", _) => {
                let (pid, began) = body.split_once(' ').unwrap();
                processes.0.insert(pid.parse().unwrap(), began.trim_end().to_owned());
            }
            ("hook", at) => events.push(Event::read(body.as_bytes(), moment(at)).unwrap()),
            ("stands", at) => stands = Some((moment(at.strip_prefix("at ").unwrap()), body.to_owned())),
            (path, "") => write(&root.join(path), body),
            _ => panic!("unknown section: {head}"),
        }
    }
    // A secret lies beside every process file and must never be opened: opening it would block forever.
    for pid in processes.0.keys().filter(|_| root.join("sessions").is_dir()) {
        let key = root.join(format!("sessions/{pid}.key"));
        assert!(std::process::Command::new("mkfifo").arg(key).status().unwrap().success());
    }
    let (now, expected) = stands.unwrap();
    let roots = vec![Root { path: root, named: true }];
    let mut follower = SessionFollower::new(Index::in_memory().unwrap(), roots, Prices::default(), DAY);
    follower.hear(events);
    follower.look(&processes, now, &|_| {}).unwrap();
    let board = follower.board(&processes, now);
    // Without a prompt so far, there is nothing to read.
    assert!(board.problems.is_empty() || !text.contains("--- projects/"), "{:?}", board.problems);
    let [card] = &board.cards[..] else { panic!("one session was expected: {:?}", board.cards) };
    let status = card.state.status();
    let yes = |it: bool| if it { "yes" } else { "no" };
    let mut found = format!(
        "state: {}\nreason: {}\nwhat: {}\nsure: {}\nsince: {}\nneeds_you: {}\n",
        status.state().word(),
        status.reason.name(),
        card.state.doing.what(),
        yes(status.is_certain),
        status.since.map(clock).unwrap_or_default(),
        yes(card.needs_you()),
    );
    if expected.contains("\nsubagents: ") {
        writeln!(found, "subagents: {}", card.glance.tail.agents).unwrap();
    }
    (found, expected)
}

fn write(path: &Path, text: &str) {
    if path.as_os_str().to_string_lossy().ends_with('/') {
        return fs::create_dir_all(path).unwrap();
    }
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, format!("{text}\n")).unwrap();
}

macro_rules! situations {
    ($($name:ident)*) => {
        $(
            #[test]
            fn $name() {
                let text = include_str!(concat!("situations/", stringify!($name), ".txt"));
                let (found, expected) = play(text);
                assert_eq!(found, expected, "{text}");
            }
        )*

        #[test]
        fn every_situation_is_played() {
            let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/situations");
            let name = |entry: fs::DirEntry| entry.path().file_stem().unwrap().to_string_lossy().into_owned();
            let there: BTreeSet<String> = fs::read_dir(folder).unwrap().map(|entry| name(entry.unwrap())).collect();
            let played: BTreeSet<String> = [$(stringify!($name)),*].into_iter().map(str::to_owned).collect();
            assert_eq!(there, played);
        }
    };
}

situations! {
    agent_in_background
    api_error_and_left
    api_error_given_up
    api_error_over
    api_error_retrying
    background_pending
    command_allowed
    command_to_allow
    command_to_allow_heard
    command_to_allow_unwritten
    compacted_by_hand
    compacting
    desktop_session_done
    edit_alone
    edit_busy
    edit_just_made
    ended_by_user
    interrupted
    interrupted_and_left
    left_after_last_words
    limited_until
    next_prompt_unwritten
    not_asked_yet
    old_registry_file
    plan_to_approve
    question_alone
    question_answered
    question_long_ago
    question_waiting
    sdk_session_working
    shell_in_session
    silent_for_long
    slow_command_alone
    slow_command_busy
    slow_command_heard
    stale_registry_dead_pid
    stale_registry_reused_pid
    subagent_asks
    subagent_at_work
    tool_server_asks
    unlisted_at_work
    unknown_status
    your_turn
    your_turn_alone
    your_turn_long_ago
}
