//! Lines that carry state, not conversation: titles, modes, links, costs, and the context injected at the start of a
//! session.

use super::author::Author;
use crate::entry;
use crate::json::{Json, Object};
use crate::text;
use crate::{array, object};
use std::io;

impl Author<'_> {
    /// The lines before the first prompt.
    pub(super) fn open_session(&mut self) -> io::Result<()> {
        let version = self.version();
        if !version.since(2, 1, 23) {
            for _ in 0..self.place.rng.below(3) {
                // The leaf of another session: summaries were collected at the start of new files.
                let known = self.studio.untitled.remove(self.session.cwd());
                let leaf = known.unwrap_or_else(|| self.place.rng.uuid());
                let title = text::phrase(&mut self.place.rng);
                self.put(entry::summary(&text::capitalised(&title), &leaf))?;
            }
        }
        if version.since(2, 1, 80) {
            self.put(state("permission-mode", "permissionMode", "acceptEdits"))?;
            self.put(state("mode", "mode", "normal"))?;
        }
        if version.since(2, 1, 156) && self.chance(15) {
            let id = format!("cse_01{}", self.place.rng.base62(22));
            let line = entry::metadata("bridge-session")
                .with("sessionId", entry::SESSION)
                .with("bridgeSessionId", id)
                .with("lastSequenceNum", 0);
            self.put(line)?;
        }
        if version.has_progress() {
            let id = self.session.rng().uuid();
            for _ in 0..self.place.rng.below(3) {
                self.hook_progress("SessionStart", "startup", &id)?;
            }
        }
        if version.has_attachments() {
            self.session_start_hooks()?;
        }
        Ok(())
    }

    fn session_start_hooks(&mut self) -> io::Result<()> {
        let id = self.session.rng().uuid();
        let hook = |kind: &str, fields: Json| entry::attachment(kind, fields);
        self.put(hook(
            "hook_success",
            object! {
                "hookName" => "SessionStart:startup", "toolUseID" => id.as_str(), "hookEvent" => "SessionStart",
                "content" => "", "stdout" => "ready\n", "stderr" => "", "exitCode" => 0, "command" => "echo ready",
                "durationMs" => 12,
            },
        ))?;
        if self.chance(30) {
            self.put(hook(
                "hook_system_message",
                object! {
                    "content" => "Project hooks loaded", "hookName" => "SessionStart", "toolUseID" => id,
                    "hookEvent" => "SessionStart",
                },
            ))?;
        }
        if self.chance(15) {
            let url = format!("https://claude.ai/code/session_01{}", self.place.rng.base62(8));
            let line = entry::system("bridge_status")
                .with("content", format!("/remote-control is active. Code in CLI or at {url}"))
                .with("url", url)
                .with("isMeta", false);
            self.put(line)?;
        }
        Ok(())
    }

    /// Listings that follow the first prompt from 2.1.97 on.
    pub(super) fn first_context(&mut self) -> io::Result<()> {
        if !self.version().has_attachments() {
            return Ok(());
        }
        let tools = ["CronCreate", "EnterWorktree", "WebFetch", "WebSearch", "mcp__linear__get_issue"];
        let tools: Vec<Json> = tools.iter().map(|name| Json::from(*name)).collect();
        let mut delta = object! { "addedNames" => tools.clone(), "addedLines" => tools, "removedNames" => array![] };
        if self.version().since(2, 1, 200) {
            delta = delta
                .with("readdedNames", array![])
                .with("pendingMcpServers", array![])
                .with("needsAuthMcpServers", array![]);
        }
        self.put(entry::attachment("deferred_tools_delta", delta))?;
        if self.version().since(2, 1, 145) {
            let line = "- Explore: fast read-only search agent (Tools: All tools except Edit, Write)";
            let listing = object! {
                "addedTypes" => array!["Explore"], "addedLines" => array![line], "removedTypes" => array![],
                "isInitial" => true, "showConcurrencyNote" => true,
            };
            self.put(entry::attachment("agent_listing_delta", listing))?;
        }
        let blocks = array!["## linear\nUse \"get_issue\" before you change an issue."];
        let instructions =
            object! { "addedNames" => array!["linear"], "addedBlocks" => blocks, "removedNames" => array![] };
        self.put(entry::attachment("mcp_instructions_delta", instructions))?;
        let mut listing = String::new();
        for _ in 0..self.place.rng.between(8, 30) {
            text::fill("- $w-$w: ", &mut self.place.rng, &mut listing);
            text::sentence(&mut self.place.rng, &mut listing);
            listing.push('\n');
        }
        let skills = object! { "content" => listing, "skillCount" => 19, "isInitial" => true };
        let skills =
            if self.version().since(2, 1, 145) { skills.with("names", array!["pdf", "review"]) } else { skills };
        self.put(entry::attachment("skill_listing", skills)).map(drop)
    }

    /// Lines appended repeatedly so that the tail of the file contains them.
    pub(super) fn state_lines(&mut self) -> io::Result<()> {
        let version = self.version();
        if !version.since(2, 1, 71) {
            return Ok(());
        }
        let leaf = self.session.leaf().unwrap_or_default().to_owned();
        if self.chance(40) {
            let words = text::phrase(&mut self.place.rng);
            let mut line = entry::metadata("last-prompt").with("lastPrompt", words);
            if version.since(2, 1, 145) {
                line = line.with("leafUuid", leaf);
            }
            self.put(line.with("sessionId", entry::SESSION))?;
        }
        if version.since(2, 1, 80) {
            if self.chance(10) {
                let title = text::capitalised(&text::phrase(&mut self.place.rng));
                self.put(entry::ai_title(&title))?;
            }
            if self.chance(20) {
                self.put(state("permission-mode", "permissionMode", "acceptEdits"))?;
                self.put(state("mode", "mode", "normal"))?;
            }
        }
        Ok(())
    }

    /// The lines at the end of a session.
    pub(super) fn close_session(&mut self) -> io::Result<()> {
        let version = self.version();
        if version.since(2, 1, 29) && self.chance(25) {
            let number = self.place.rng.integer(1, 900);
            let line = entry::metadata("pr-link")
                .with("sessionId", entry::SESSION)
                .with("prNumber", number)
                .with("prUrl", format!("https://github.com/acme/shop/pull/{number}"))
                .with("prRepository", "acme/shop")
                .with("timestamp", self.session.time());
            self.put(line)?;
        }
        if version.since(2, 1, 71) && self.chance(25) {
            let title = text::phrase(&mut self.place.rng);
            self.put(entry::custom_title(&title))?;
            self.put(state("agent-name", "agentName", &title))?;
        }
        if version.since(2, 1, 49) && self.chance(10) {
            let line = entry::metadata("worktree-state").with("worktreeSession", Json::Null);
            self.put(line.with("sessionId", entry::SESSION))?;
        }
        if version.since(2, 1, 240) {
            self.cost_state()?;
        }
        if !version.since(2, 1, 23) {
            let leaf = self.session.leaf().unwrap_or_default().to_owned();
            if self.chance(50) {
                self.studio.untitled.insert(self.session.cwd().to_owned(), leaf);
                return Ok(());
            }
            let title = text::capitalised(&text::phrase(&mut self.place.rng));
            self.put(entry::summary(&title, &leaf))?;
        }
        Ok(())
    }

    fn cost_state(&mut self) -> io::Result<()> {
        let tokens = self.place.context;
        let (model, _) = self.era.models();
        let mut by_model = Object::default();
        by_model.push(
            model,
            object! {
                "inputTokens" => 812, "outputTokens" => tokens / 9, "thinkingTokens" => tokens / 40,
                "cacheReadInputTokens" => tokens * 30, "cacheCreationInputTokens" => tokens, "webSearchRequests" => 0,
                "costUSD" => 3.3,
            },
        );
        let managed = self.version().since(2, 1, 280) && self.place.next("basis", 2) == 1;
        if self.version().since(2, 1, 280)
            && let Some(Json::Object(usage)) = by_model.get_mut(model)
        {
            usage.push("costBasis", if managed { "managed" } else { "list" });
        }
        let line = entry::metadata("cost-state")
            .with("sessionId", entry::SESSION)
            .with("totalCostUSD", 3.41)
            .with("totalAPIDuration", 412_000)
            .with("totalAPIDurationWithoutRetries", 401_000)
            .with("totalToolDuration", 99_000)
            .with("totalLinesAdded", 120)
            .with("totalLinesRemoved", 14)
            .with("totalDuration", 5_400_000)
            .with("startTime", self.session.now() - 5_400_000)
            .with("modelUsage", by_model)
            .with("hasUnknownModelCost", false);
        self.put(line).map(drop)
    }
}

fn state(kind: &str, key: &'static str, value: &str) -> entry::Entry {
    entry::metadata(kind).with(key, value).with("sessionId", entry::SESSION)
}
