//! The start and end of a turn: prompts with the entries stored beside them, and the notes after an answer.

use super::author::Author;
use crate::entry::{self, Entry};
use crate::json::Json;
use crate::text;
use crate::{array, object};
use std::io;

/// The source of a prompt.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum PromptSource {
    Typed,
    Queued,
}

impl Author<'_> {
    /// A typed prompt; returns its uuid.
    pub(super) fn prompt(&mut self) -> io::Result<String> {
        let length = self.place.rng.log_between(20, 900);
        let text = text::prose(&mut self.place.rng, length);
        self.prompt_with(entry::user(text.as_str()), &text, PromptSource::Typed)
    }

    /// This prompt with the fields of its version; returns its uuid.
    pub(super) fn prompt_with(&mut self, prompt: Entry, words: &str, source: PromptSource) -> io::Result<String> {
        let version = self.version();
        self.note_words(words)?;
        let uuid = self.session.rng().uuid();
        if version.since(2, 1, 97) {
            let id = self.session.rng().uuid();
            self.session.set_prompt_id(Some(id));
        }
        if version.since(2, 0, 0) {
            self.snapshot(&uuid)?;
        }
        let (cwd, session, now) = (self.session.cwd().to_owned(), self.session.id().to_owned(), self.session.now());
        self.studio.remember_prompt(words, &cwd, &session, now, version)?;
        let mut prompt = prompt.uuid(uuid.as_str());
        if version.since(2, 0, 0) && !version.since(2, 1, 76) {
            let thinking = if version.since(2, 1, 12) {
                object! { "maxThinkingTokens" => 31_999 }
            } else {
                object! { "level" => "high", "disabled" => false, "triggers" => array![] }
            };
            prompt = prompt.with_after("thinkingMetadata", thinking).with_after("todos", array![]);
        }
        if version.since(2, 1, 12) {
            prompt = prompt.with_after("permissionMode", "acceptEdits");
        }
        if version.since(2, 1, 219) {
            let how = if source == PromptSource::Typed { "typed" } else { "queued" };
            prompt = prompt.with_after("origin", object! { "kind" => "human" }).with_after("promptSource", how);
        }
        if version.has_owner_lines() && self.chance(6) {
            self.sink.tear();
        }
        self.put(prompt)?;
        self.context_of_prompt()?;
        Ok(uuid)
    }

    fn snapshot(&mut self, message: &str) -> io::Result<()> {
        let time = self.session.time();
        let mut backups = crate::json::Object::default();
        for _ in 0..self.place.rng.below(4) {
            let mut path = "src/".to_owned();
            text::identifier(&mut self.place.rng, &mut path);
            path.push_str(".rs");
            let name = format!("{}@v1", self.place.rng.hex(16));
            backups.set(path, object! { "backupFileName" => name, "version" => 1, "backupTime" => time.as_str() });
        }
        let update = self.chance(30);
        self.put(entry::file_history_snapshot(message, backups).with("isSnapshotUpdate", update))?;
        if self.version().since(2, 1, 217) && self.chance(50) {
            let path = text::file_name(&mut self.place.rng, &self.place.cwd, ".md");
            let backup = object! {
                "backupFileName" => Json::Null, "version" => 1, "backupTime" => time.as_str(),
                "realParentDir" => self.place.cwd.as_str(),
            };
            let delta = entry::metadata("file-history-delta")
                .with("messageId", message)
                .with("snapshotMessageId", message)
                .with("trackingPath", path)
                .with("backup", backup)
                .with("timestamp", time);
            self.put(delta)?;
        }
        Ok(())
    }

    /// Context injected after a prompt, stored from 2.1.97 on.
    fn context_of_prompt(&mut self) -> io::Result<()> {
        if !self.version().has_attachments() {
            return Ok(());
        }
        if self.chance(6) {
            let code = text::code(&mut self.place.rng, text::Language::Go, 900);
            let lines = code.lines().count();
            let path = text::file_name(&mut self.place.rng, &self.place.cwd, ".go");
            let file = object! {
                "filePath" => path.as_str(), "content" => code, "numLines" => lines, "startLine" => 1, "totalLines" => lines,
            };
            let fields = object! {
                "filename" => path, "content" => object! { "type" => "text", "file" => file }, "displayPath" => "src/up.go",
            };
            self.put(entry::attachment("file", fields))?;
        }
        if self.chance(4) {
            self.put(entry::attachment("date_change", object! { "newDate" => "2026-08-09" }))?;
        }
        Ok(())
    }

    /// The entries after the answer: stop hooks, durations, recaps, state.
    pub(super) fn end_turn(&mut self) -> io::Result<()> {
        let version = self.version();
        let hooks = version.since(2, 0, 64) && self.chance(55);
        let id = self.session.rng().uuid();
        if hooks && version.has_progress() {
            self.hook_progress("Stop", "", &id)?;
        }
        if hooks {
            self.stop_hooks(&id)?;
        }
        if version.since(2, 1, 12) && (self.memory.states_all || self.chance(55)) {
            let mut line = entry::system("turn_duration").with("durationMs", self.place.rng.between(2000, 400_000));
            if version.since(2, 1, 97) {
                line = line.with("messageCount", self.place.rng.between(2, 300));
            }
            self.put(line.with_after("isMeta", false))?;
        }
        if version.since(2, 1, 108) && self.chance(7) {
            let recap = text::prose(&mut self.place.rng, 160);
            let line = entry::system("away_summary").with("content", recap).with_after("isMeta", false);
            self.put(line)?;
        }
        self.newest_kind()?;
        self.state_lines()?;
        self.newest_state_lines()
    }

    fn stop_hooks(&mut self, id: &str) -> io::Result<()> {
        let info = object! { "command" => "npm run lint -- --quiet" };
        let info = if self.version().since(2, 1, 97) { info.with("durationMs", 812) } else { info };
        let line = entry::system("stop_hook_summary")
            .with("hookCount", 1)
            .with("hookInfos", array![info])
            .with("hookErrors", array![]);
        let line = if self.version().since(2, 1, 200) { line.with("hookAdditionalContext", array![]) } else { line };
        let line = line
            .with("preventedContinuation", false)
            .with("stopReason", "")
            .with("hasOutput", false)
            .with("level", "suggestion")
            .with_after("toolUseID", id);
        self.put(line).map(drop)
    }
}
