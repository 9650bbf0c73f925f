//! Sessions that begin with a copy of another: resume in 1.0, forks in 2.x.
//!
//! Copied entries keep their uuids; the session id is rewritten, in 1.0 only sometimes (docs/format G.6).

use super::session_file::{self, Finished};
use super::sink::Sink;
use super::{Studio, count, text_of};
use crate::json::Json;
use crate::{array, object};
use std::fs::File;
use std::io::{self, BufRead, BufReader};

/// Copies stop here: forks of very long sessions would add nothing new.
const LONGEST_COPY: u64 = 150_000;

/// Writes a session that begins like `original`; returns the time of its end.
pub(super) fn write(studio: &mut Studio, original: &Finished, now: i64, until: u64, seed: u64) -> io::Result<i64> {
    let mut session = session_file::new_session(original.version, &original.cwd, now, seed);
    let path = studio.project(&original.cwd).join(format!("{}.jsonl", session.id()));
    let mut sink = Sink::create(&path)?;
    studio.counts.files += 1;
    studio.counts.sessions += 1;
    studio.counts.transcripts += 1;

    let rewrites_id = original.version.since(2, 0, 0) || seed.is_multiple_of(2);
    let limit = LONGEST_COPY.min(until.saturating_sub(studio.counts.bytes));
    if original.version.since(2, 1, 280) {
        let from = object! { "type" => "claude_code_session", "id" => original.session.as_str(), "via" => "branch" };
        let line = object! {
            "type" => "derived-from", "v" => 1, "sessionId" => session.id(), "sessions" => array![from],
        };
        note(studio, &line);
        studio.counts.bytes += sink.write_json(&line)?;
    }
    let mut copied = 0;
    let mut leaf = None;
    for line in BufReader::new(File::open(&original.path)?).lines() {
        let line = line?;
        copied += line.len() as u64 + 1;
        if copied > limit {
            break;
        }
        let Ok(value) = serde_json::from_str::<serde_json::Value>(line.trim_start_matches('\0')) else { continue };
        let value = Json::from(value);
        note(studio, &value);
        if value.get("parentUuid").is_some() && value.get("isSidechain") == Some(&Json::Bool(false)) {
            leaf = Some(text_of(&value, "uuid").to_owned());
        }
        let line = if rewrites_id { line.replace(&original.session, session.id()) } else { line };
        studio.counts.bytes += sink.write_line(&line)?;
    }
    session.continue_from(leaf.as_deref());
    let finished = session_file::write_turns(studio, sink, session, original.era, until, seed, false)?;
    Ok(finished.ended)
}

/// Counts a copied line as if it were generated.
fn note(studio: &mut Studio, value: &Json) {
    let counts = &mut studio.counts;
    counts.lines += 1;
    let kind = text_of(value, "type");
    count(&mut counts.entries, kind);
    let inner = match kind {
        "system" => value.get("subtype").and_then(Json::as_str),
        "attachment" => value.get("attachment").map(|inner| text_of(inner, "type")),
        "progress" => value.get("data").map(|inner| text_of(inner, "type")),
        _ => None,
    };
    if let Some(inner) = inner {
        count(&mut counts.kinds, &format!("{kind}/{inner}"));
    }
    let Some(Json::Array(blocks)) = value.get("message").and_then(|message| message.get("content")) else { return };
    for block in blocks.iter().filter(|block| text_of(block, "type") == "tool_use") {
        count(&mut counts.tool_calls, text_of(block, "name"));
    }
}
