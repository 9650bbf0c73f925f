//! However long a session is followed, the board shows the same as if it were read from the start.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "these are tests")]

use std::fs::{self, OpenOptions};
use std::io::Write as _;
use std::path::{Path, PathBuf};

use index::Index;
use ledger::Prices;
use live::board::Card;
use live::glance::{Bar, Glance};
use live::process::{Life, Processes};
use live::session_follower::SessionFollower;
use sources::Root;
use story::step::Millis;
use testkit::era::Era;
use testkit::root::{RootOptions, write_root};

struct NoProcesses;

impl Processes for NoProcesses {
    fn life(&self, _: u32) -> Life {
        Life::Gone
    }
}

/// Long enough for all generated sessions.
const REACH: Millis = 10 * 365 * 24 * 60 * 60 * 1000;

fn follower(root: &Path) -> SessionFollower {
    let roots = vec![Root { path: root.to_path_buf(), named: true }];
    let mut follower = SessionFollower::new(Index::in_memory().unwrap(), roots, Prices::default(), REACH);
    follower.begin_day(0);
    follower
}

fn now() -> Millis {
    jiff::Timestamp::now().as_millisecond()
}

fn card(follower: &mut SessionFollower) -> Card {
    let mut board = follower.board(&NoProcesses, now());
    assert_eq!(board.cards.len(), 1);
    board.cards.remove(0)
}

/// A session of some megabytes, without its subagents.
fn long_session(seed: u64) -> Vec<String> {
    let folder = tempfile::tempdir().unwrap();
    let options = RootOptions {
        bytes: 9_000_000,
        seed,
        eras: vec![Era::V2_1_2xx],
        projects: 1,
        one_session: true,
        ..RootOptions::default()
    };
    write_root(folder.path(), &options).unwrap();
    let project = fs::read_dir(folder.path().join("projects")).unwrap().next().unwrap().unwrap().path();
    let files = fs::read_dir(project).unwrap().map(|entry| entry.unwrap().path());
    let transcripts = files.filter(|path| path.extension().is_some_and(|ending| ending == "jsonl"));
    let largest: PathBuf = transcripts.max_by_key(|path| fs::metadata(path).unwrap().len()).unwrap();
    fs::read_to_string(largest).unwrap().lines().map(str::to_owned).collect()
}

/// Without the parts that depend on where a story begins.
fn comparable(card: &Card) -> (String, Glance, Vec<Bar>) {
    let mut session = card.session.clone().unwrap();
    session.id = 0;
    let mut glance = Glance::clone(&card.glance);
    let mut bars = std::mem::take(&mut glance.bars);
    // Lanes of subagents are numbered per story.
    bars.retain(|bar| bar.lane == 0);
    glance.tail.open.iter_mut().for_each(|open| open.place = None);
    glance.tail.background.iter_mut().for_each(|open| open.place = None);
    glance.tail.trouble.iter_mut().for_each(|trouble| trouble.place = None);
    (format!("{session:#?}"), glance, bars)
}

#[test]
fn a_followed_session_equals_one_read_at_once() {
    for seed in [4, 11, 17, 42, 53] {
        let lines = long_session(seed);
        assert!(lines.len() > 1_500, "{} lines are not a long session", lines.len());
        let folder = tempfile::tempdir().unwrap();
        let project = folder.path().join("projects/-w-shop");
        fs::create_dir_all(&project).unwrap();
        let path = project.join("4c1e0f7a-2b3c-4d5e-8f90-a1b2c3d4e5f6.jsonl");
        let mut file = OpenOptions::new().create(true).append(true).open(&path).unwrap();
        let mut followed = follower(folder.path());
        for (number, chunk) in lines.chunks(7).enumerate() {
            file.write_all(format!("{}\n", chunk.join("\n")).as_bytes()).unwrap();
            if number == 0 {
                followed.look(&NoProcesses, now(), &|_| {}).unwrap();
            }
            followed.grew([path.as_path()], now()).unwrap();
            if number % 40 == 39 {
                let mut anew = follower(folder.path());
                anew.look(&NoProcesses, now(), &|_| {}).unwrap();
                let (one, other) = (comparable(&card(&mut followed)), comparable(&card(&mut anew)));
                assert_eq!(one.0, other.0, "seed {seed}, line {}", number * 7);
                assert_eq!(one.1, other.1, "seed {seed}, line {}", number * 7);
                assert_eq!(one.2, other.2, "seed {seed}, line {}", number * 7);
            }
        }
        assert!(followed.held_steps() < 800, "{} steps are held", followed.held_steps());
    }
}
