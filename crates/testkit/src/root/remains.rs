//! What is left of sessions whose transcripts are gone: files of their agents, prompts in the history. And what a
//! compaction in place leaves behind.

use std::io;

use super::Studio;
use super::author::{Author, Memory};
use super::session_file;
use super::sink::Sink;
use crate::entry;
use crate::era::{AgentPlace, Era, Version};
use crate::rng::Rng;
use crate::text;
use crate::tools::{self, Workplace};

/// Writes both for a session of this version in this directory.
pub(super) fn write(studio: &mut Studio, era: Era, version: Version, cwd: &str, now: i64, seed: u64) -> io::Result<()> {
    let mut rng = Rng::new(seed).fork(9);
    if version.agent_place() != AgentPlace::Inline {
        lone_agent(studio, era, version, cwd, now, &mut rng)?;
    }
    if version.since(2, 0, 0) {
        deleted_session(studio, version, cwd, now, &mut rng)?;
    }
    Ok(())
}

/// The file of an agent without the transcript of its session.
fn lone_agent(studio: &mut Studio, era: Era, version: Version, cwd: &str, now: i64, rng: &mut Rng) -> io::Result<()> {
    let mut session = session_file::new_session(version, cwd, now, rng.next_u64());
    let suggests = version.since(2, 1, 97) && rng.chance(40);
    let id = if suggests { format!("aprompt_suggestion-{}", rng.hex(6)) } else { format!("a{}", rng.hex(6)) };
    let folder = studio.project(cwd);
    let path = match version.agent_place() {
        AgentPlace::Companion => folder.join(session.id()).join("subagents").join(format!("agent-{id}.jsonl")),
        AgentPlace::Inline | AgentPlace::TopLevel => folder.join(format!("agent-{id}.jsonl")),
    };
    let mut sink = Sink::create(&path)?;
    let mut thread = session.subagent(Some(&id));
    let mut place = Workplace::new(rng.fork(1).with_words(studio.words), version, cwd.to_owned(), cwd.to_owned());
    place.exchange_rounds(&mut studio.decks.rounds);
    let mut agent = Author {
        studio: &mut *studio,
        sink: &mut sink,
        session: &mut thread,
        place: &mut place,
        era,
        until: u64::MAX,
        // The deepest one has no agents of its own.
        depth: 3,
        plan_file: "",
        memory: &mut Memory::default(),
    };
    let answer = text::prose(rng, 120);
    if suggests {
        agent.put(entry::user("[SUGGESTION MODE: Suggest what the user might naturally type next.]"))?;
        agent.message(vec![tools::text_block(answer)], "end_turn")?;
    } else {
        agent.think_through(&text::prose(rng, 200), &answer)?;
    }
    place.exchange_rounds(&mut studio.decks.rounds);
    sink.finish()?;
    studio.counts.files += 1;
    studio.counts.agent_files += 1;
    studio.counts.lone_agents += 1;
    studio.counts.transcripts += 1;
    Ok(())
}

/// Prompts in the history of a session that was deleted.
fn deleted_session(studio: &mut Studio, version: Version, cwd: &str, now: i64, rng: &mut Rng) -> io::Result<()> {
    let session = rng.uuid();
    for number in 0..rng.between(1, 4) {
        let length = rng.log_between(20, 900);
        let words = text::prose(rng, length);
        let at = now + i64::try_from(number).unwrap_or(0) * 60_000;
        studio.remember_prompt(&words, cwd, &session, at, version)?;
    }
    studio.counts.deleted_sessions += 1;
    Ok(())
}

/// What a compaction in place has left of its new file, beside the transcript.
pub(super) fn write_leftover(studio: &mut Studio, transcript: &std::path::Path) -> io::Result<()> {
    let name = transcript.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    studio.write_file(&transcript.with_file_name(format!("{name}.compact.tmp.81f2")), b"{\"type\":\"mode\"")
}
