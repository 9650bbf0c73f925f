//! One main transcript from its first line to its last.

use super::Studio;
use super::author::{Author, Memory};
use super::sink::Sink;
use super::turns::Turn;
use crate::era::{Era, Version};
use crate::rng::Rng;
use crate::session::Session;
use crate::text;
use crate::tools::Workplace;
use std::io;
use std::path::PathBuf;

/// A completed transcript.
pub(super) struct Finished {
    pub(super) path: PathBuf,
    pub(super) session: String,
    pub(super) cwd: String,
    pub(super) era: Era,
    pub(super) version: Version,
    pub(super) lines: u64,
    pub(super) ended: i64,
}

/// Writes a session until the root has `until` bytes.
pub(super) fn write(
    studio: &mut Studio,
    era: Era,
    version: Version,
    cwd: &str,
    now: i64,
    until: u64,
    seed: u64,
) -> io::Result<Finished> {
    let session = new_session(version, cwd, now, seed);
    let path = studio.project(cwd).join(format!("{}.jsonl", session.id()));
    let sink = Sink::create(&path)?;
    studio.counts.files += 1;
    studio.counts.sessions += 1;
    studio.counts.transcripts += 1;
    write_turns(studio, sink, session, era, until, seed, true)
}

/// A session of this version in this directory.
pub(super) fn new_session(version: Version, cwd: &str, now: i64, seed: u64) -> Session {
    let mut rng = Rng::new(seed).fork(3);
    let mut session = Session::seeded(seed).written_by(version).in_directory(cwd).starting_at(now);
    if rng.chance(40) {
        session = session.on_branch(format!("feat/{}", rng.pick::<str>(text::NAMES)));
    }
    // Absent until the plan features of the CLI are used.
    if version.has_slug() && rng.chance(65) {
        session = session.nicknamed(text::nickname(&mut rng));
    }
    session
}

/// Writes turn after turn into the file.
pub(super) fn write_turns(
    studio: &mut Studio,
    mut sink: Sink,
    mut session: Session,
    era: Era,
    until: u64,
    seed: u64,
    fresh: bool,
) -> io::Result<Finished> {
    let (cwd, version) = (session.cwd().to_owned(), session.version());
    let separator = if cwd.contains('\\') { "\\" } else { "/" };
    let home = cwd.split(separator).take(3).collect::<Vec<_>>().join(separator);
    let companion = text::join(&home, &format!(".claude/projects/{}/{}", super::slug(&cwd), session.id()));
    let plan_file = text::join(&home, ".claude/plans/foamy-conjuring-crane.md");
    let rng = Rng::new(seed).with_words(studio.words).fork(5);
    let mut place = Workplace::new(rng, version, cwd.clone(), companion);
    place.exchange_rounds(&mut studio.decks.rounds);
    place.shelf.keeps_all = studio.files_truth.is_some();
    let mut memory = Memory { states_all: version.since(2, 1, 12) && seed.is_multiple_of(3), ..Memory::default() };
    let mut author = Author {
        studio,
        sink: &mut sink,
        session: &mut session,
        place: &mut place,
        era,
        until,
        depth: 0,
        plan_file: &plan_file,
        memory: &mut memory,
    };
    if fresh {
        author.open_session()?;
    }
    author.first_turn()?;
    if let Some(length) = author.studio.long_line.take() {
        author.long_line(length)?;
    }
    while !author.is_full() {
        let fits = |turn: Turn| !author.memory.states_all || turn.can_state_its_duration();
        let turn = author.studio.decks.turn(version, &mut author.place.rng, fits);
        author.play(turn)?;
        let pause = author.place.rng.integer(2_000, 240_000);
        author.session.wait(pause);
    }
    author.close_session()?;
    author.note_files(fresh)?;
    place.exchange_rounds(&mut studio.decks.rounds);
    sink.finish()?;
    Ok(Finished {
        path: sink.path().to_path_buf(),
        session: session.id().to_owned(),
        cwd,
        era,
        version,
        lines: sink.lines(),
        ended: session.now(),
    })
}
