//! What versions from 2.1.280 on write beside the conversation (docs/format B.3, B.4, B.8).

use std::io;

use super::author::Author;
use crate::entry::{self, Entry};
use crate::json::Json;
use crate::text;
use crate::{array, object};

impl Author<'_> {
    /// The fields of an answer's line that were added since 2.1.270.
    pub(super) fn newest_fields(&self, line: Entry, block: usize) -> Entry {
        let version = self.version();
        if !version.since(2, 1, 270) {
            return line;
        }
        let line = line.with_after("apiBlockIndex", block).with_after("perTurnEffort", Json::Null);
        if !version.since(2, 1, 275) || self.place.rng.clone().below(30) != 0 {
            return line;
        }
        let dropped = object! {
            "type" => "thinking_dropped", "path" => "messages.2.content.0", "reason" => "prefix_binding_mismatch",
        };
        line.in_message("input_transformations", array![dropped])
    }

    /// Lines about the session, written again after many turns.
    pub(super) fn newest_state_lines(&mut self) -> io::Result<()> {
        if !self.version().has_owner_lines() {
            return Ok(());
        }
        let of = |kind: &str| entry::metadata(kind);
        let session = entry::SESSION;
        if self.chance(50) {
            let line = of("session-owner")
                .with("accountUuid", "6b1d7c52-0c1e-4d53-9a58-3f0c7d1be2a4")
                .with("organizationUuid", "e0a9f1c4-77b2-4c1b-8d5a-52f6c3b1d890");
            self.put(line.with("sessionId", session))?;
            let tools: Vec<Json> = self.memory.tools.iter().map(|tool| Json::from(tool.as_str())).collect();
            self.put(of("tools-used").with("tools", tools).with("sessionId", session))?;
        }
        match self.place.next("line", 8) {
            0 => {
                let (leaf, time) = (self.session.leaf().map_or(Json::Null, Json::from), self.session.time());
                let mode = if self.place.next("memory", 2) == 0 { "on" } else { "off" };
                let line = of("memory-mode").with("mode", mode).with("afterUuid", leaf).with("timestamp", time);
                let line = if mode == "off" { line.with("reason", "paused") } else { line };
                self.put(line.with("sessionId", session))?;
            }
            1 => drop(self.put(of("dev-mods").with("folder", "/home/ana/mods").with("sessionId", session))?),
            2 => {
                let sent = object! { "tool_name" => "Bash", "tool_use_id" => "toolu_01AGxgMnPT2uFuNbmDYN6SoW" };
                let inner = object! { "tool_name" => "REPL", "event_id" => "ev_1", "inner_call_index" => 0 };
                let listed = object! { "response_id" => "resp_1", "listed" => array!["/home/ana/notes.md"] };
                let line = of("data-flow-records").with("v", 1).with("sessionId", session);
                self.put(line.with("records", array![sent, inner, listed]))?;
            }
            3 => drop(self.put(of("data-flow-incomplete").with("v", 1).with("sessionId", session))?),
            4 => {
                let sum = self.place.rng.hex(32);
                self.put(of("resume-head-vouch").with("sessionId", session).with("sum", sum))?;
            }
            // Where a line was, in a file that somebody has shared.
            5 => drop(self.put(of("line-withheld").with("bytes", self.place.rng.clone().between(200, 90_000)))?),
            6 | 7 if self.version().since(2, 1, 323) => {
                let line = of("repl-mode").with("replMode", self.place.rng.clone().chance(50));
                self.put(line.with("typedEvents", true).with("sessionId", session))?;
            }
            _ => {}
        }
        Ok(())
    }

    /// An attachment or a system entry of a kind that has not been written for the longest time.
    pub(super) fn newest_kind(&mut self) -> io::Result<()> {
        if !self.version().since(2, 1, 280) || !self.chance(60) {
            return Ok(());
        }
        let number = self.studio.decks.newest;
        self.studio.decks.newest += 1;
        let kinds = super::kinds::ATTACHMENTS;
        let at = number % (kinds.len() + SYSTEM.len());
        if let Some((kind, fields)) = kinds.get(at) {
            return self.put(entry::attachment(kind, fields())).map(drop);
        }
        let Some(kind) = SYSTEM.get(at - kinds.len()) else { return Ok(()) };
        let line = entry::system(kind);
        let line = match *kind {
            "model_fallback" => line
                .with("content", "Another model continues.")
                .with("level", "warning")
                .with("trigger", "overloaded")
                .with("originalModel", "claude-fable-5-2")
                .with("fallbackModel", "claude-opus-5-5"),
            "model_consent_fallback" => line
                .with("choice", "switch")
                .with("originalModel", "claude-fable-5-2")
                .with("originalModelName", "Fable 5.2")
                .with("fallbackModel", "claude-opus-5-5")
                .with("persistedAsDefault", false),
            "memory_saved" => line.with("writtenPaths", array!["/home/ana/.claude/memory/style.md"]),
            "file_snapshot" => line.with("snapshotFiles", array![]),
            "cloud_session_status" => line
                .with("content", "The cloud session waits for you.")
                .with("entry", "waiting")
                .with("url", "https://claude.ai/code/session_01Q")
                .with("level", "notice"),
            "placed" => line.with("plugin", "gauge").with("id", "panel-1"),
            _ => line,
        };
        self.put(line.with("isMeta", false)).map(drop)
    }

    /// A prompt of the user is spoken in a call.
    pub(super) fn spoken(&mut self) -> io::Result<()> {
        let words = text::prose(&mut self.place.rng, 120);
        self.note_words(&words)?;
        let line = entry::system("voice_call_talk").with("content", words).with("msgV", 1).with("isMeta", true);
        self.put(line)?;
        self.step()?;
        self.reply()?;
        self.end_turn()
    }

    /// A prompt that is too large for the transcript, which has only its beginning.
    pub(super) fn prompt_in_file(&mut self) -> io::Result<()> {
        let prompt = self.prompt()?;
        let path = format!("/home/ana/.claude/prompts/{prompt}.txt");
        let fields = object! { "promptUuid" => prompt, "path" => path, "characters" => 812_345 };
        self.put(entry::attachment("prompt_as_file", fields))?;
        self.step()?;
        self.reply()?;
        self.end_turn()
    }
}

/// `system` entries that are new.
pub(super) const SYSTEM: &[&str] = &[
    "model_fallback",
    "model_consent_fallback",
    "memory_saved",
    "file_snapshot",
    "cloud_session_status",
    "rewind_stand_in",
    "placed",
];
