//! The test of the doors: every output shows a session with the same id, title, project, state, times, counts, tokens
//! and cost; the totals of reports equal the sum over the sessions; flags select the same sessions everywhere.
//!
//! Everything is compared with `recount ls --json`. The differences that exist today are listed in [`known`]; that list
//! may only get shorter.
//!
//! | module | purpose |
//! |---|---|
//! | `stage` | a home with sessions, settings and a server |
//! | `sessions` | the reference for all doors |
//! | `doors` | reads the facts that each door shows; a new door goes there |
//! | `said` | the compared fields, and how their values are parsed; a new field goes there |
//! | `totals`, `choices` | sums, and flags that select sessions |
//! | `known` | the known differences |
//!
//! `DOORS_EXAMPLES=100` shows more examples of each difference.

#![cfg(unix)]
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "these are tests")]

mod choices;
mod doors;
mod html;
mod known;
mod said;
mod sessions;
mod stage;
mod table;
mod totals;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use testkit::gallery;
use testkit::root::{RootOptions, write_root};

use choices::Choice;
use doors::{Answers, DOORS, Door, Extent, Name};
use known::{Difference, Root};
use said::{FIELDS, agrees};
use sessions::{Session, unmarked};
use stage::Stage;

/// For the corpus, doors that need a request per session are asked about one in this many.
const SAMPLE: u64 = 6;

#[test]
fn all_doors_say_the_same_about_the_gallery() {
    let mut stage = Stage::new(None);
    let work = stage.path("work");
    let some = RootOptions { bytes: 500_000, largest_session: 60_000, projects: 2, ..RootOptions::default() };
    write_root(&stage.root, &some).unwrap();
    stage.exhibits = gallery::write(&stage.root, &work, jiff::Timestamp::now().as_millisecond()).unwrap();
    for name in ["alone", "twin"] {
        let stream = stage.root.join(format!("stream-json/{name}.jsonl"));
        assert!(stage.run(&["import", stream.to_str().unwrap()]).status.success());
    }
    // One session is only in the archive.
    assert!(stage.run(&["archive"]).status.success());
    let archived = stage.exhibits.iter().find(|exhibit| exhibit.what == "generated title").unwrap();
    fs::remove_file(&archived.path).unwrap();

    let text = |text: &str| Some(text.to_owned());
    let choices = [
        Choice {
            name: "--project . of a repository",
            project: text("."),
            folder: Some(work.join("shop")),
            ..Choice::default()
        },
        Choice {
            name: "--project . of a worktree",
            project: text("."),
            folder: Some(work.join("shop-retries")),
            ..Choice::default()
        },
        Choice {
            name: "--project . of a folder",
            project: text("."),
            folder: Some(work.join("garden")),
            ..Choice::default()
        },
        Choice { name: "--project NAME", project: text("garden"), ..Choice::default() },
        Choice { name: "--project PART", project: text("shop"), ..Choice::default() },
        Choice { name: "--project PATH", project: text(work.join("shop").to_str().unwrap()), ..Choice::default() },
        Choice { name: "--since", since: text("2026-07-08"), ..Choice::default() },
        Choice { name: "--until", until: text("2026-07-08"), ..Choice::default() },
        Choice { name: "--since --until", since: text("2026-07-05"), until: text("2026-07-10"), ..Choice::default() },
        Choice { name: "--project --since", project: text("shop"), since: text("2026-07-08"), ..Choice::default() },
    ];
    compare(Root::Gallery, &stage, &choices);
}

#[test]
fn all_doors_say_the_same_about_real_sessions() {
    let default = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus");
    let corpus = std::env::var_os("RECOUNT_CORPUS").map_or(default, PathBuf::from);
    if !corpus.is_dir() {
        eprintln!("skipped: there is no {}", corpus.display());
        return;
    }
    let corpus = fs::canonicalize(corpus).unwrap();
    let stage = Stage::new(Some(&corpus));
    let text = |text: &str| Some(text.to_owned());
    let choices = [
        Choice { name: "--project PART", project: text("claude"), ..Choice::default() },
        Choice { name: "--since", since: text("2026-01-15"), ..Choice::default() },
        Choice { name: "--until", until: text("2026-01-15"), ..Choice::default() },
        Choice { name: "--since --until", since: text("2025-11-01"), until: text("2025-11-18"), ..Choice::default() },
    ];
    compare(Root::Corpus, &stage, &choices);
}

fn compare(root: Root, stage: &Stage, choices: &[Choice]) {
    let sessions = sessions::all(stage);
    let is_asked = |number: &usize| root == Root::Gallery || lot(&sessions[*number].path).is_multiple_of(SAMPLE);
    let asked: Vec<usize> = (0..sessions.len()).filter(is_asked).collect();
    let mut differences = Vec::new();
    for door in &DOORS {
        let answers = (door.read)(stage, &sessions, &asked);
        differences.extend(differences_of(door, &answers, &sessions, &asked));
    }
    differences.extend(totals::differences(stage, &sessions));
    differences.extend(choices::differences(stage, &sessions, choices));
    if let Err(report) = known::check(root, &differences) {
        panic!("the doors differ:\n{report}");
    }
}

/// A number for a file that does not depend on the other files.
fn lot(path: &Path) -> u64 {
    let name = path.file_name().unwrap_or_default().as_encoded_bytes();
    name.iter().fold(0xcbf2_9ce4_8422_2325, |lot, byte| (lot ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3))
}

/// The facts in which a door differs from `recount ls --json`, or that it leaves out.
fn differences_of(door: &Door, answers: &Answers, sessions: &[Session], asked: &[usize]) -> Vec<Difference> {
    let mut differences = Vec::new();
    let mut by_number: BTreeMap<usize, &said::Facts> = BTreeMap::new();
    for (name, facts) in answers {
        let fits = |number: &usize| match name {
            Name::Number(wanted) => number == wanted,
            Name::Path(path) => sessions[*number].path == *path,
            Name::Id(id) => sessions[*number].id == *id || unmarked(&sessions[*number].id) == id,
        };
        match (0..sessions.len()).find(|number| fits(number) && !by_number.contains_key(number)) {
            Some(number) => drop(by_number.insert(number, facts)),
            None => differences.push(Difference::new(door.name, "listed", &["unknown"], format!("{name:?}"))),
        }
    }
    let expected = match door.extent {
        Extent::All => (0..sessions.len()).collect(),
        Extent::Asked => asked.to_vec(),
        Extent::Some => Vec::new(),
    };
    for number in expected.iter().filter(|number| !by_number.contains_key(number)) {
        let Session { id, traits, .. } = &sessions[*number];
        differences.push(Difference::new(door.name, "listed", traits, format!("{id} is not there")));
    }
    for (field, kind) in FIELDS {
        if !by_number.values().any(|facts| facts.contains_key(field)) {
            if door.extent != Extent::Some {
                differences.push(Difference::new(door.name, field, &["does not say"], String::new()));
            }
            continue;
        }
        for (number, facts) in &by_number {
            let Session { id, traits, facts: truth, .. } = &sessions[*number];
            let Some(said) = facts.get(field) else { continue };
            if !agrees(kind, &truth[field], said) {
                let detail = format!("{id}: {said}, and ls has {}", truth[field]);
                differences.push(Difference::new(door.name, field, traits, detail));
            }
        }
    }
    differences
}
