//! Writes whole Claude config roots: projects, sessions, subagents, spilled outputs, prompt history.
//!
//! ```no_run
//! use testkit::root::{RootOptions, write_root};
//!
//! let options = RootOptions { bytes: 5_000_000, seed: 7, ..RootOptions::default() };
//! let written = write_root(std::path::Path::new("/tmp/claude"), &options)?;
//! println!("{} lines in {} transcripts", written.lines, written.transcripts);
//! # Ok::<(), std::io::Error>(())
//! ```
//!
//! A session is a sequence of turns. Turns and tools are drawn from shuffled decks (`Decks`), so that a root of a few
//! megabytes contains every feature of its era at least once and a large one has realistic shares. Lines go to disk as
//! they are generated; memory does not depend on the size.

mod agents;
mod author;
mod bookkeeping;
mod commands;
mod copies;
mod exchanges;
mod kinds;
mod newest;
mod oddities;
mod progress;
mod remains;
mod session_file;
mod sink;
pub mod truth;
mod turns;
mod voices;

use crate::clock;
use crate::era::{Era, Version};
use crate::json::Json;
use crate::object;
use crate::rng::{Rng, Words};
use crate::text;
use crate::tools::{self, Rounds, Tool};
use sink::Sink;
use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use turns::Turn;

/// The options of a root.
#[derive(Clone, Debug)]
pub struct RootOptions {
    /// Determines everything that is not an option.
    pub seed: u64,
    /// The approximate size of all files together; at least one small session per era is written.
    pub bytes: u64,
    /// The eras to write, each with an equal share of the bytes.
    pub eras: Vec<Era>,
    /// The number of project directories.
    pub projects: usize,
    /// The approximate size of the largest main transcript; smaller sizes are spread logarithmically, like real ones.
    pub largest_session: u64,
    /// If given, one line of about this many bytes is written per era.
    pub longest_line: Option<usize>,
    /// One session per era, as large as its share.
    pub one_session: bool,
    /// Also writes the usage of every message, the words of the user, and the bytes of the changed files to files
    /// ([`truth`]).
    pub truth: bool,
    /// The distribution of words in texts.
    pub words: Words,
}

impl Default for RootOptions {
    fn default() -> Self {
        Self {
            seed: 1,
            bytes: 10_000_000,
            eras: Era::ALL.to_vec(),
            projects: 5,
            largest_session: 16_000_000,
            longest_line: None,
            one_session: false,
            truth: false,
            words: Words::default(),
        }
    }
}

/// What was written, for tests to compare with what a reader finds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Written {
    /// Files of all kinds.
    pub files: u64,
    /// Bytes of all files.
    pub bytes: u64,
    /// Main transcripts (`<session>.jsonl`).
    pub sessions: u64,
    /// Subagent transcripts with a file of their own.
    pub agent_files: u64,
    /// Those of them whose session has no transcript.
    pub lone_agents: u64,
    /// Sessions of which only prompts in the history are left.
    pub deleted_sessions: u64,
    /// Main and subagent transcripts.
    pub transcripts: u64,
    /// Lines of all transcripts, copied ones included.
    pub lines: u64,
    /// Lines of `history.jsonl`.
    pub history_lines: u64,
    /// Lines of all transcripts by `type`.
    pub entries: BTreeMap<String, u64>,
    /// `system` lines by `subtype`, `attachment` lines by kind, `progress` lines by `data.type`, spelled
    /// `system/turn_duration`.
    pub kinds: BTreeMap<String, u64>,
    /// `tool_use` blocks by tool name.
    pub tool_calls: BTreeMap<String, u64>,
}

impl Written {
    /// All `tool_use` blocks.
    pub fn tool_call_count(&self) -> u64 {
        self.tool_calls.values().sum()
    }

    /// The lines of this `type`.
    pub fn entries_of(&self, kind: &str) -> u64 {
        self.entries.get(kind).copied().unwrap_or(0)
    }

    /// The lines of this kind, spelled `attachment/queued_command`.
    pub fn kind_of(&self, kind: &str) -> u64 {
        self.kinds.get(kind).copied().unwrap_or(0)
    }

    /// The calls of this tool.
    pub fn calls_of(&self, tool: &str) -> u64 {
        self.tool_calls.get(tool).copied().unwrap_or(0)
    }
}

/// Writes a config root below `dir`, which is created if necessary.
pub fn write_root(dir: &Path, options: &RootOptions) -> io::Result<Written> {
    let mut studio = Studio {
        root: dir.to_path_buf(),
        history: Sink::create(&dir.join("history.jsonl"))?,
        counts: Written { files: 1, ..Written::default() },
        decks: Decks::default(),
        spread: options.largest_session.max(40_000),
        long_line: None,
        truth: options.truth.then(|| Sink::create(&dir.join(truth::FILE))).transpose()?,
        words_truth: options.truth.then(|| Sink::create(&dir.join(truth::WORDS))).transpose()?,
        files_truth: options.truth.then(|| Sink::create(&dir.join(truth::FILES))).transpose()?,
        untitled: BTreeMap::new(),
        words: options.words,
    };
    let rng = Rng::new(options.seed);
    let share = options.bytes / u64::try_from(options.eras.len().max(1)).unwrap_or(1);
    for (number, era) in options.eras.iter().enumerate() {
        studio.long_line = options.longest_line;
        let end = studio.counts.bytes + share;
        let mut rng = rng.fork(u64::try_from(number).unwrap_or(0) + 1);
        let mut projects: Vec<String> = (0..options.projects.max(1)).map(|_| text::directory(&mut rng)).collect();
        if *era > Era::V1_0 && projects.len() > 2 {
            projects.push(text::windows_directory(&mut rng));
        }
        write_era(&mut studio, *era, &projects, end, options.one_session, &mut rng)?;
    }
    studio.history.finish()?;
    for truth in [&mut studio.truth, &mut studio.words_truth, &mut studio.files_truth].into_iter().flatten() {
        truth.finish()?;
    }
    Ok(studio.counts)
}

fn write_era(
    studio: &mut Studio,
    era: Era,
    projects: &[String],
    end: u64,
    one_session: bool,
    rng: &mut Rng,
) -> io::Result<()> {
    let (year, month, day) = era.begins();
    let mut now = clock::midnight(year, month, day) + 7 * 3_600_000;
    let mut number = 0;
    loop {
        let version = era.versions().get(number % era.versions().len()).copied().unwrap_or(Version::new(2, 1, 226));
        let cwd = projects.get(rng.below(projects.len())).map_or("/", String::as_str);
        // The smaller of two draws: most sessions are short.
        let largest = usize::try_from(studio.spread).unwrap_or(usize::MAX);
        let size = rng.log_between(24_000, largest).min(rng.log_between(24_000, largest));
        let size = if one_session { u64::MAX } else { u64::try_from(size).unwrap_or(u64::MAX) };
        let until = studio.counts.bytes.saturating_add(size).min(end);
        let seed = rng.next_u64();
        let finished = session_file::write(studio, era, version, cwd, now, until, seed)?;
        now = finished.ended + rng.integer(60_000, 4 * 3_600_000);
        number += 1;
        // Staying slightly below the target is better than one more session above it.
        if studio.counts.bytes + 12_000 >= end {
            return Ok(());
        }
        if finished.lines > 20 && number % 6 == 2 {
            let seed = rng.next_u64();
            let until = (studio.counts.bytes + 60_000).min(end);
            now = copies::write(studio, &finished, now, until, seed)? + 60_000;
        }
        if number % 4 == 1 {
            remains::write(studio, era, version, cwd, now, rng.next_u64())?;
            if version.has_owner_lines() {
                remains::write_leftover(studio, &finished.path)?;
            }
        }
    }
}

/// The state that all sessions of a root share while it is written.
struct Studio {
    root: PathBuf,
    history: Sink,
    counts: Written,
    decks: Decks,
    spread: u64,
    long_line: Option<usize>,
    truth: Option<Sink>,
    words_truth: Option<Sink>,
    files_truth: Option<Sink>,
    /// The last leaf in a directory whose summary nobody has written yet.
    untitled: BTreeMap<String, String>,
    words: Words,
}

impl Studio {
    /// The project directory of a working directory.
    fn project(&self, cwd: &str) -> PathBuf {
        self.root.join("projects").join(slug(cwd))
    }

    /// Writes a small file.
    fn write_file(&mut self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        if let Some(parent) = path.parent() {
            std::fs::create_dir_all(parent)?;
        }
        std::fs::write(path, bytes)?;
        self.counts.files += 1;
        self.counts.bytes += bytes.len() as u64;
        Ok(())
    }

    /// Adds a typed prompt to `history.jsonl`.
    fn remember_prompt(
        &mut self,
        display: &str,
        cwd: &str,
        session: &str,
        now: i64,
        version: Version,
    ) -> io::Result<()> {
        let paste = format!("[Pasted text #1 +{} lines]", display.lines().count());
        let pasted = display.len() > 600;
        let contents = if pasted {
            object! { "1" => object! { "id" => 1, "type" => "text", "content" => display } }
        } else {
            object! {}
        };
        let line = object! {
            "display" => if pasted { &paste } else { display }, "pastedContents" => contents, "timestamp" => now,
            "project" => cwd,
        };
        let line = if version.since(2, 0, 0) { line.with("sessionId", session) } else { line };
        self.counts.bytes += self.history.write_json(&line)?;
        self.counts.history_lines += 1;
        Ok(())
    }
}

/// The directory name of a path: everything except letters and digits becomes a dash.
pub(crate) fn slug(path: &str) -> String {
    path.encode_utf16()
        .map(|unit| u8::try_from(unit).ok().filter(u8::is_ascii_alphanumeric).map_or('-', char::from))
        .collect()
}

/// Shuffled tools and turns, one deck per version.
#[derive(Default)]
struct Decks {
    tools: BTreeMap<Version, Vec<&'static Tool>>,
    turns: BTreeMap<Version, Vec<Turn>>,
    /// The next of the kinds that are new.
    newest: usize,
    rounds: Rounds,
}

impl Decks {
    fn tool(&mut self, version: Version, rng: &mut Rng) -> Option<&'static Tool> {
        let first_round = !self.tools.contains_key(&version);
        let deck = self.tools.entry(version).or_default();
        if deck.is_empty() {
            *deck = tools::deck(version, rng, first_round);
        }
        deck.pop()
    }

    /// The next turn that fits.
    fn turn(&mut self, version: Version, rng: &mut Rng, fits: impl Fn(Turn) -> bool) -> Turn {
        let first_round = !self.turns.contains_key(&version);
        let deck = self.turns.entry(version).or_default();
        if deck.is_empty() {
            *deck = turns::deck(version, rng, first_round);
        }
        let next = deck.iter().rposition(|turn| fits(*turn));
        next.map_or(Turn::Work, |at| deck.remove(at))
    }
}

/// Increments a counter.
fn count(map: &mut BTreeMap<String, u64>, key: &str) {
    match map.get_mut(key) {
        Some(number) => *number += 1,
        None => {
            map.insert(key.to_owned(), 1);
        }
    }
}

/// A text field of an object; empty if absent.
fn text_of<'a>(value: &'a Json, key: &str) -> &'a str {
    value.get(key).and_then(Json::as_str).unwrap_or_default()
}

#[cfg(test)]
mod tests;
