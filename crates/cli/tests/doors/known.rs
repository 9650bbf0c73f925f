//! The known differences between doors, each with its reason. The list may only get shorter: a difference that is not
//! in it fails the test, and so does an entry that no longer occurs.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

/// The sessions that are compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Root {
    Gallery,
    Corpus,
}

use Root::{Corpus, Gallery};

/// A fact that differs from `recount ls --json`.
#[derive(Debug)]
pub(crate) struct Difference {
    door: String,
    field: String,
    /// The traits of the session.
    traits: Vec<&'static str>,
    detail: String,
}

impl Difference {
    pub(crate) fn new(door: &str, field: &str, traits: &[&'static str], detail: String) -> Self {
        Self { door: door.to_owned(), field: field.to_owned(), traits: traits.to_vec(), detail }
    }
}

/// Known differences. Every combination of a door, a field and a trait has to occur on every root.
struct Known {
    doors: &'static [&'static str],
    /// A field, `listed` for missing or extra sessions, a figure of a sum, or flags.
    fields: &'static [&'static str],
    /// Traits of sessions (`sessions.rs`): a session has at least one of them; if empty, any session. There are also
    /// `unknown` (ls does not list it), `total` (it is about all sessions) and `does not say`.
    of: &'static [&'static str],
    on: &'static [Root],
    why: &'static str,
}

/// Both.
const ALL: &[Root] = &[Gallery, Corpus];

const USAGE: &[&str] = &["usage session --json", "usage session --csv", "usage session --json=ccusage"];

#[rustfmt::skip]
const KNOWN: &[Known] = &[
    // Times.
    Known { doors: &["usage session --json=ccusage"], fields: &["first", "last"], of: &[], on: ALL,
        why: "as in ccusage, the first and the last message, not the first prompt and the last entry" },

    // Sessions that are missing from lists.
    Known { doors: &["watch --json"], fields: &["listed"], of: &["lone agent"], on: ALL, why: "nothing runs in it" },
    Known { doors: &["watch --json"], fields: &["listed"], of: &["only prompts"], on: &[Gallery], why: "nothing runs in it" },
    Known { doors: USAGE, fields: &["listed"], of: &["no usage"], on: ALL, why: "sessions that used nothing are not listed" },
    Known { doors: &["search --json"], fields: &["listed"], of: &["no usage"], on: ALL, why: "there is nothing to be found in it" },
    Known { doors: &["watch --json"], fields: &["listed"], of: &["no time"], on: ALL, why: "nothing says when it was active" },
    Known { doors: &["watch --json"], fields: &["listed"], of: &["archived"], on: &[Gallery], why: "what is only archived is not watched" },

    // Sums.
    Known { doors: &["usage tool --json", "GET /api/v1/usage"], fields: &["calls"], of: &["total"], on: &[Corpus],
        why: "reports of usage do not have calls of messages without usage" },

    // Facts that doors leave out.
    Known { doors: &["ls"], fields: &["first", "agents"], of: SILENT, on: ALL, why: "no column" },
    Known { doors: &["ls --csv"], fields: &["sure"], of: SILENT, on: ALL, why: "no column" },
    Known { doors: &["export html: index", "export json: index"], fields: &["id", "first", "calls", "agents", "tokens"],
        of: SILENT, on: ALL, why: "no column" },
    Known { doors: &["export md: index"], fields: &["id", "first", "calls", "failed", "agents", "tokens"], of: SILENT, on: ALL,
        why: "no column" },
    Known { doors: &["usage session --json"], fields: &["title", "state", "first", "last", "turns", "calls", "failed", "agents"],
        of: SILENT, on: ALL, why: "only of what was used" },
    Known { doors: &["usage session --csv"], fields: &["title", "state", "first", "last", "turns", "calls", "failed", "agents", "sure"],
        of: SILENT, on: ALL, why: "only of what was used" },
    Known { doors: &["usage session --json=ccusage"], fields: &["title", "project", "state", "turns", "calls", "failed", "agents", "sure"],
        of: SILENT, on: ALL, why: "ccusage's JSON has no such field" },
    Known { doors: &["search --json"], fields: &["state", "turns", "calls", "failed", "agents", "tokens", "cost", "sure"], of: SILENT, on: ALL,
        why: "only of sessions with a match" },
    Known { doors: &["watch --json"], fields: &["first", "last", "turns", "calls", "failed", "agents"], of: SILENT, on: ALL,
        why: "only the current activity" },
    Known { doors: &["GET /sessions"], fields: &["first", "agents"], of: SILENT, on: ALL, why: "no column" },
];

const SILENT: &[&str] = &["does not say"];

/// The differences that are not known, and the known ones that no longer occur.
pub(crate) fn check(root: Root, differences: &[Difference]) -> Result<(), String> {
    check_against(KNOWN, root, differences)
}

fn check_against(known: &[Known], root: Root, differences: &[Difference]) -> Result<(), String> {
    let known: Vec<&Known> = known.iter().filter(|known| known.on.contains(&root)).collect();
    let mut occurs: BTreeSet<(usize, &str, &str, &str)> = BTreeSet::new();
    let mut unknown: BTreeMap<(&str, &str), Vec<&Difference>> = BTreeMap::new();
    for difference in differences {
        let mut is_known = false;
        for (number, known) in known.iter().enumerate() {
            let door = known.doors.iter().find(|door| **door == difference.door);
            let field = known.fields.iter().find(|field| **field == difference.field);
            let (Some(door), Some(field)) = (door, field) else { continue };
            let of = if known.of.is_empty() { &[""] } else { known.of };
            for one in of.iter().filter(|one| one.is_empty() || difference.traits.contains(one)) {
                is_known = true;
                occurs.insert((number, door, field, one));
            }
        }
        if !is_known {
            unknown.entry((&difference.door, &difference.field)).or_default().push(difference);
        }
    }
    let mut report = String::new();
    for ((door, field), differences) in &unknown {
        let _ = writeln!(report, "{door}: {field} differs {} times", differences.len());
        for Difference { traits, detail, .. } in differences.iter().take(most()) {
            let _ = writeln!(report, "    [{}] {detail}", traits.join(", "));
        }
    }
    for (number, known) in known.iter().enumerate() {
        let of = if known.of.is_empty() { &[""] } else { known.of };
        for (door, field) in known.doors.iter().flat_map(|door| known.fields.iter().map(move |field| (*door, *field))) {
            for one in of.iter().filter(|one| !occurs.contains(&(number, door, field, **one))) {
                let of = if one.is_empty() { String::new() } else { format!(" of “{one}”") };
                let _ =
                    writeln!(report, "{door}: {field}{of} does not differ any more: shorten the list ({})", known.why);
            }
        }
    }
    if report.is_empty() { Ok(()) } else { Err(report) }
}

/// The number of examples shown.
fn most() -> usize {
    std::env::var("DOORS_EXAMPLES").ok().and_then(|number| number.parse().ok()).unwrap_or(4)
}

#[test]
fn differences_must_be_known_and_known_ones_must_occur() {
    const LIST: &[Known] =
        &[Known { doors: &["show", "ls"], fields: &["title"], of: &["untitled"], on: &[Gallery], why: "a reason" }];
    let difference = |door, traits: &[&'static str]| Difference::new(door, "title", traits, "x, not y".to_owned());
    let both = [difference("show", &["other", "untitled"]), difference("ls", &["untitled"])];
    assert_eq!(check_against(LIST, Gallery, &both), Ok(()));
    assert_eq!(check_against(LIST, Corpus, &[]), Ok(()));
    let report = check_against(LIST, Gallery, &both[..1]).unwrap_err();
    assert_eq!(report, "ls: title of “untitled” does not differ any more: shorten the list (a reason)\n");
    let [one, other] = both;
    let report = check_against(LIST, Gallery, &[one, other, difference("ls", &["copy"])]).unwrap_err();
    assert_eq!(report, "ls: title differs 1 times\n    [copy] x, not y\n");
}
