//! Tests that a flag has one meaning in the whole command line, verb by verb.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use clap::{Arg, Command, CommandFactory as _};

use super::*;

/// All verbs and subverbs by name: `ls`, `archive restore`.
fn verbs() -> Vec<(String, Command)> {
    fn walk(prefix: &str, command: &Command, all: &mut Vec<(String, Command)>) {
        for verb in command.get_subcommands() {
            let name = format!("{prefix} {}", verb.get_name()).trim().to_owned();
            walk(&name, verb, all);
            all.push((name, verb.clone()));
        }
    }
    let mut command = Arguments::command();
    command.build();
    let mut all = Vec::new();
    walk("", &command, &mut all);
    all.retain(|(name, _)| !name.ends_with("help"));
    all
}

fn help(flag: &Arg) -> String {
    flag.get_help().map(ToString::to_string).unwrap_or_default()
}

/// The meanings of a name, and the verbs that use each.
type Meanings = BTreeMap<String, BTreeMap<String, Vec<String>>>;

/// Lists names with several meanings, as text.
fn several(meanings: &Meanings) -> String {
    let mut text = String::new();
    for (name, meanings) in meanings.iter().filter(|(_, meanings)| meanings.len() > 1) {
        for (meaning, verbs) in meanings {
            let _ = writeln!(text, "{name} is “{meaning}” in {}", verbs.join(", "));
        }
    }
    text
}

#[test]
fn a_letter_has_one_meaning() {
    let mut meanings = Meanings::new();
    for (verb, command) in verbs() {
        for flag in command.get_arguments().filter(|flag| flag.get_id() != "help") {
            let long = flag.get_long().unwrap_or_default();
            if let Some(letter) = flag.get_short().filter(|_| !APART.iter().any(|(apart, _)| *apart == long)) {
                let meaning = format!("--{long}: {}", help(flag));
                meanings.entry(format!("-{letter}")).or_default().entry(meaning).or_default().push(verb.clone());
            }
        }
    }
    assert!(meanings.len() > 10, "{meanings:?}");
    assert_eq!(several(&meanings), "");
}

/// Long flags that intentionally have different help texts, with the reason.
const APART: [(&str, &str); 4] = [
    ("output", "without it, share writes a new file in this folder, since pages are not for a terminal"),
    ("yes", "it says what is done without asking"),
    ("speed", "a replay has the times of a session, the demo those of its script"),
    ("print", "what is printed is a command in one verb, and settings in others"),
];

#[test]
fn a_long_flag_has_one_meaning() {
    let mut meanings = Meanings::new();
    for (verb, command) in verbs() {
        for flag in command.get_arguments().filter(|flag| flag.get_id() != "help" && !flag.is_hide_set()) {
            if let Some(long) = flag.get_long().filter(|long| !APART.iter().any(|(apart, _)| apart == long)) {
                meanings.entry(format!("--{long}")).or_default().entry(help(flag)).or_default().push(verb.clone());
            }
        }
    }
    assert_eq!(several(&meanings), "");
}

/// Flags of every verb that lists or chooses sessions.
const SHARED: [&str; 9] = ["project", "since", "until", "root", "json", "limit", "output", "color", "quiet"];

/// Verbs that list or choose sessions, and the flags that they lack, with the reason.
const CHOOSING: [(&str, &[&str]); 14] = [
    ("ls", &[]),
    ("projects", &[]),
    ("usage", &[]),
    ("search", &[]),
    ("file", &[]),
    ("watch", &[]),
    ("tail", &[]),
    // A report about all sessions has no rows to limit.
    ("check", &["limit"]),
    // Turns and levels limit what is shown of one session.
    ("show", &["limit"]),
    ("diff", &["limit"]),
    // The lines are the output.
    ("cat", &["limit", "json"]),
    // Playback; --cast and --stream select other outputs.
    ("replay", &["limit", "json", "output"]),
    // Prints one line; the folder is the output.
    ("export", &["limit", "json", "output"]),
    // The page has its own filters.
    ("serve", &["project", "since", "until", "json", "limit", "output"]),
];

#[test]
fn verbs_that_choose_sessions_have_the_shared_flags() {
    let verbs: BTreeMap<String, Command> = verbs().into_iter().collect();
    for (verb, lacks) in CHOOSING {
        let has = |name: &str| verbs[verb].get_arguments().any(|flag| flag.get_long() == Some(name));
        for name in SHARED {
            assert_eq!(has(name), !lacks.contains(&name), "{verb} --{name}");
        }
    }
}

#[test]
fn moments_are_documented_once() {
    for (verb, command) in verbs() {
        for flag in command.get_arguments().filter(|flag| flag.get_long() == Some("since")) {
            assert!(help(flag).contains(app::moment::FORMS), "{verb}: {}", help(flag));
        }
    }
}

#[test]
fn old_names_of_flags_still_work() {
    for typed in [
        "usage --top 3",
        "usage blocks --token-limit max --session-length 5",
        "export html out --jobs 2",
        "show last --tools Bash,Edit",
        "tail last --steps 5",
        "archive restore 4c1e --all",
        "demo --live folder --once",
        "usage --tz UTC",
    ] {
        let words = ["recount"].into_iter().chain(typed.split(' ')).map(OsString::from);
        assert!(Arguments::try_parse_from(words).is_ok(), "{typed}");
    }
}

#[test]
fn flags_of_every_verb_may_precede_it() {
    let words = |text: &str| text.split(' ').map(OsString::from).collect::<Vec<_>>();
    let typed = words("recount --root /mnt/old --color never search retry -test");
    assert_eq!(verb_of(&typed), Some("search"));
    let Ok(Arguments { verb: Some(Verb::Search(_)), .. }) = Arguments::try_parse_from(prepared(typed)) else {
        panic!("not read");
    };
    assert_eq!(verb_of(&words("recount -q ls --project search")), Some("ls"));
    assert_eq!(verb_of(&words("recount --root=/mnt")), None);
}

#[test]
fn words_of_a_query_are_distinguished_from_options() {
    for word in ["test", "so", "us", "no", "linear", "100%"] {
        assert!(is_word(word), "{word}");
    }
    for options in ["l", "c", "lc", "n5", "C2", "n", "p", "-project", "q", "jn3"] {
        assert!(!is_word(options), "{options}");
    }
}

/// `recount statusline` has definitions of its own for speed; they are those of the verb.
#[test]
fn the_status_line_alone_has_the_flags_and_the_help_of_the_verb() {
    let typed = |words: &[&str]| ["recount"].iter().chain(words).map(OsString::from).collect::<Vec<_>>();
    let said = |error: clap::Error| error.to_string();
    for words in [&["statusline", "--help"][..], &["statusline", "-h"], &["statusline", "--swim"], &["statusline", "x"]]
    {
        let (alone, among_all) = (Arguments::parsed(&typed(words)), Arguments::try_parse_from(typed(words)));
        assert_eq!(alone.map_err(said).unwrap_err(), among_all.map_err(said).unwrap_err(), "{words:?}");
    }
    let words = typed(&["statusline", "--template", "{cost}", "--quiet", "--root", "r", "-z", "UTC"]);
    let (alone, among_all) = (Arguments::parsed(&words).unwrap(), Arguments::try_parse_from(&words).unwrap());
    assert_eq!(format!("{alone:?}"), format!("{among_all:?}"));
}
