//! A session under construction: entries are chained, stamped and numbered.
//!
//! ```
//! use testkit::{entry, Session};
//! use serde_json::json;
//!
//! let mut session = Session::new();
//! session.prompt("what is in up.py?");
//! let call = session.call("Read", json!({"file_path": "/home/ana/work/shop/up.py"}));
//! session.result(&call, "1\timport os", json!({"type": "text"}));
//! session.reply("One import.");
//! assert_eq!(session.lines().len(), 4);
//! ```

use crate::clock;
use crate::entry::{self, Entry, Surroundings, ToolUse};
use crate::era::{Layout, Version};
use crate::json::Json;
use crate::rng::Rng;

/// A session whose entries follow each other by default.
#[derive(Clone, Debug)]
pub struct Session {
    id: String,
    cwd: String,
    version: Version,
    branch: String,
    slug: Option<String>,
    agent_id: Option<String>,
    prompt_id: Option<String>,
    sidechain: bool,
    leaf: Option<String>,
    now: i64,
    step: i64,
    rng: Rng,
    lines: Vec<String>,
}

impl Default for Session {
    fn default() -> Self {
        Self::new()
    }
}

impl Session {
    /// A session with the id [`entry::SESSION`] in the newest version.
    pub fn new() -> Self {
        Self::seeded(0).with_id(entry::SESSION)
    }

    /// A session whose id and entry ids are derived from `seed`.
    pub fn seeded(seed: u64) -> Self {
        let mut rng = Rng::new(seed);
        Self {
            id: rng.uuid(),
            cwd: entry::CWD.to_owned(),
            version: entry::VERSION.parse().unwrap_or(Version::new(2, 1, 226)),
            branch: "main".to_owned(),
            slug: None,
            agent_id: None,
            prompt_id: None,
            sidechain: false,
            leaf: None,
            now: clock::midnight(2026, 8, 8) + 33_322_118,
            step: 1000,
            rng,
            lines: Vec::new(),
        }
    }

    /// The same session under another id.
    #[must_use]
    pub fn with_id(mut self, id: impl Into<String>) -> Self {
        self.id = id.into();
        self
    }

    /// The same session in another directory.
    #[must_use]
    pub fn in_directory(mut self, cwd: impl Into<String>) -> Self {
        self.cwd = cwd.into();
        self
    }

    /// The same session written by another CLI version.
    #[must_use]
    pub fn written_by(mut self, version: Version) -> Self {
        self.version = version;
        self
    }

    /// The same session on another git branch.
    #[must_use]
    pub fn on_branch(mut self, branch: impl Into<String>) -> Self {
        self.branch = branch.into();
        self
    }

    /// The same session with a three-word nickname.
    #[must_use]
    pub fn nicknamed(mut self, slug: impl Into<String>) -> Self {
        self.slug = Some(slug.into());
        self
    }

    /// The same session starting at another time (milliseconds since 1970).
    #[must_use]
    pub fn starting_at(mut self, milliseconds: i64) -> Self {
        self.now = milliseconds;
        self
    }

    /// A session for the entries of a subagent: same session id, own chain. Without an agent id it is an inline
    /// sidechain.
    #[must_use]
    pub fn subagent(&mut self, agent_id: Option<&str>) -> Self {
        let mut agent = self.clone();
        agent.rng = self.rng.fork(self.rng.clone().next_u64());
        self.rng.next_u64();
        agent.sidechain = true;
        agent.agent_id = agent_id.map(str::to_owned);
        agent.leaf = None;
        if self.version.layout() == Layout::EnvelopeLast {
            agent.slug = None;
        }
        agent.lines.clear();
        agent
    }

    /// The session id.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// The working directory.
    pub fn cwd(&self) -> &str {
        &self.cwd
    }

    /// The CLI version.
    pub fn version(&self) -> Version {
        self.version
    }

    /// The uuid of the newest entry, which the next one will follow.
    pub fn leaf(&self) -> Option<&str> {
        self.leaf.as_deref()
    }

    /// Makes the next entry follow this one: a rewind, or the start of a branch.
    pub fn continue_from(&mut self, uuid: Option<&str>) {
        self.leaf = uuid.map(str::to_owned);
    }

    /// The prompt id of entries from now on (2.1.97 on).
    pub fn set_prompt_id(&mut self, id: Option<String>) {
        self.prompt_id = id;
    }

    /// Lets time pass.
    pub fn wait(&mut self, milliseconds: i64) {
        self.now += milliseconds;
    }

    /// The current time, milliseconds since 1970.
    pub fn now(&self) -> i64 {
        self.now
    }

    /// The current time, ISO 8601.
    pub fn time(&self) -> String {
        clock::iso(self.now)
    }

    /// The session's own source of ids.
    pub fn rng(&mut self) -> &mut Rng {
        &mut self.rng
    }

    /// Fills in ids, time, parent and envelope, and makes the entry the leaf. Returns the entry and its uuid (empty for
    /// metadata).
    pub fn stamp(&mut self, entry: Entry) -> (Entry, String) {
        let conversation = entry.is_conversation();
        let mut entry = entry.surrounded_by(&Surroundings {
            session: &self.id,
            cwd: &self.cwd,
            version: self.version,
            branch: &self.branch,
            slug: self.slug.as_deref(),
            agent_id: self.agent_id.as_deref(),
            prompt_id: self.prompt_id.as_deref(),
            sidechain: self.sidechain,
            parent: self.leaf.as_deref(),
        });
        if !conversation {
            return (entry, String::new());
        }
        let uuid = entry.given_uuid().map_or_else(|| self.rng.uuid(), str::to_owned);
        if !entry.has_time() {
            entry = entry.at(clock::iso(self.now));
            self.now += self.step;
        }
        self.leaf = Some(uuid.clone());
        (entry.uuid(uuid.as_str()), uuid)
    }

    /// Adds an entry; returns its uuid (empty for metadata).
    pub fn push(&mut self, entry: Entry) -> String {
        let (entry, uuid) = self.stamp(entry);
        self.lines.push(entry.line());
        uuid
    }

    /// Adds any line as it is.
    pub fn push_raw(&mut self, line: impl Into<String>) {
        self.lines.push(line.into());
    }

    /// Adds a prompt; returns its uuid.
    pub fn prompt(&mut self, text: &str) -> String {
        self.push(entry::user(text))
    }

    /// Adds a message of one text block; returns its uuid.
    pub fn reply(&mut self, text: &str) -> String {
        let (message, request) = (self.rng.message_id(), self.rng.request_id());
        self.push(entry::assistant().message_id(message).request_id(request).text(text))
    }

    /// Adds a message of one tool call.
    pub fn call(&mut self, name: &str, input: impl Into<Json>) -> ToolUse {
        let message = (self.rng.message_id(), self.rng.request_id());
        self.call_within(&message, name, input)
    }

    /// Adds parallel calls: one message, one line per call, each following the one before.
    pub fn parallel_calls<I: Into<Json>>(
        &mut self,
        calls: impl IntoIterator<Item = (&'static str, I)>,
    ) -> Vec<ToolUse> {
        let message = (self.rng.message_id(), self.rng.request_id());
        calls.into_iter().map(|(name, input)| self.call_within(&message, name, input)).collect()
    }

    fn call_within(&mut self, message: &(String, String), name: &str, input: impl Into<Json>) -> ToolUse {
        let (id, input) = (self.rng.tool_use_id(), input.into());
        let line = entry::assistant()
            .message_id(message.0.as_str())
            .request_id(message.1.as_str())
            .version(&self.version.to_string())
            .tool_use_with_id(&id, name, input.clone());
        let entry = self.push(line);
        ToolUse { id, name: name.to_owned(), input, entry }
    }

    /// Adds the result of a call, as a child of its call; returns its uuid.
    pub fn result(&mut self, call: &ToolUse, text: impl Into<Json>, result: impl Into<Json>) -> String {
        self.push(entry::tool_result(call).output(text).with_result(result).parent(call.entry.as_str()))
    }

    /// Adds a failed result of a call; returns its uuid.
    pub fn failure(&mut self, call: &ToolUse, text: &str) -> String {
        let result = format!("Error: {text}");
        self.push(entry::tool_result(call).error(text).with_result(result).parent(call.entry.as_str()))
    }

    /// The lines so far, without newlines.
    pub fn lines(&self) -> &[String] {
        &self.lines
    }

    /// The file so far.
    pub fn jsonl(&self) -> String {
        let mut text = self.lines.join("\n");
        if !text.is_empty() {
            text.push('\n');
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    fn values(session: &Session) -> Vec<Value> {
        session.lines().iter().map(|line| serde_json::from_str(line).unwrap()).collect()
    }

    #[test]
    fn entries_form_a_chain() {
        let mut session = Session::new();
        let prompt = session.prompt("hi");
        let reply = session.reply("hello");
        session.push(entry::ai_title("Greeting"));
        session.prompt("bye");
        let lines = values(&session);
        assert_eq!(lines[0]["parentUuid"], Value::Null);
        assert_eq!(lines[1]["parentUuid"], prompt);
        assert_eq!(lines[2]["sessionId"], session.id());
        assert_eq!(lines[3]["parentUuid"], reply);
        assert!(lines[0]["timestamp"].as_str() < lines[1]["timestamp"].as_str());
    }

    #[test]
    fn parallel_results_hang_on_their_own_calls() {
        let mut session = Session::new();
        session.prompt("look");
        let calls = session.parallel_calls([("Read", json!({"file_path": "a"})), ("Read", json!({"file_path": "b"}))]);
        session.result(&calls[1], "b", json!({}));
        session.result(&calls[0], "a", json!({}));
        let lines = values(&session);
        assert_eq!(lines[1]["message"]["id"], lines[2]["message"]["id"]);
        assert_eq!(lines[2]["parentUuid"], lines[1]["uuid"]);
        assert_eq!(lines[3]["parentUuid"], lines[2]["uuid"]);
        assert_eq!(lines[4]["parentUuid"], lines[1]["uuid"]);
    }

    #[test]
    fn a_rewind_creates_a_sibling() {
        let mut session = Session::new();
        let start = session.reply("ready");
        session.prompt("wrong");
        session.continue_from(Some(&start));
        session.prompt("right");
        let lines = values(&session);
        assert_eq!(lines[1]["parentUuid"], lines[2]["parentUuid"]);
    }

    #[test]
    fn the_same_calls_give_the_same_bytes() {
        let build = || {
            let mut session = Session::seeded(9);
            session.prompt("x");
            session.call("Bash", json!({"command": "ls"}));
            session.jsonl()
        };
        assert_eq!(build(), build());
    }

    #[test]
    fn subagents_keep_the_session_id() {
        let mut session = Session::new();
        session.prompt("go");
        let mut agent = session.subagent(Some("a3f19c27be5540d18"));
        agent.prompt("look around");
        let line = &values(&agent)[0];
        assert_eq!(line["sessionId"], session.id());
        assert_eq!(line["agentId"], "a3f19c27be5540d18");
        assert_eq!(line["isSidechain"], true);
        assert_eq!(line["parentUuid"], Value::Null);
    }
}
