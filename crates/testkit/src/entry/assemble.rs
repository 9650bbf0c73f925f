//! The entry under construction and the order of its keys.

use super::message::Message;
use super::{CWD, SESSION, TIME, UUID, VERSION};
use crate::era::{Layout, Version};
use crate::json::{Json, Object};
use std::borrow::Cow;

/// The family of key order of an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum EntryKind {
    User,
    Assistant,
    System,
    Attachment,
    Progress,
    Metadata,
}

/// The parent of an entry.
#[derive(Clone, Debug, Default)]
enum Parent {
    /// That of its session, or none.
    #[default]
    Unsaid,
    /// None: the entry is a root.
    None,
    /// Another entry.
    Entry(String),
}

/// One entry being built; ends in [`Entry::line`] or [`Entry::write`].
#[must_use]
#[derive(Clone, Debug)]
pub struct Entry {
    pub(super) kind: EntryKind,
    pub(super) message: Message,
    pub(super) request_id: String,
    /// Keys between the type and the `uuid`/`timestamp` pair.
    before: Object,
    /// Keys after that pair.
    after: Object,
    /// Set or replaced at the very end, at any position.
    overrides: Object,
    removed: Vec<Cow<'static, str>>,
    parent: Parent,
    logical_parent: Option<String>,
    sidechain: bool,
    agent_id: Option<String>,
    session: Option<String>,
    cwd: Option<String>,
    version: Option<Version>,
    branch: Option<String>,
    slug: Option<String>,
    prompt_id: Option<String>,
    entrypoint: Option<&'static str>,
    pub(super) uuid: Option<String>,
    time: Option<String>,
}

/// The context that a session adds to its entries.
pub(crate) struct Surroundings<'a> {
    pub(crate) session: &'a str,
    pub(crate) cwd: &'a str,
    pub(crate) version: Version,
    pub(crate) branch: &'a str,
    pub(crate) slug: Option<&'a str>,
    pub(crate) agent_id: Option<&'a str>,
    pub(crate) prompt_id: Option<&'a str>,
    pub(crate) sidechain: bool,
    pub(crate) parent: Option<&'a str>,
}

impl Entry {
    pub(super) fn of_kind(kind: EntryKind) -> Self {
        Self {
            kind,
            message: Message::default(),
            request_id: "req_011CX7AaN38jjdK9HirM8t4Q".to_owned(),
            before: Object::default(),
            after: Object::default(),
            overrides: Object::default(),
            removed: Vec::new(),
            parent: Parent::Unsaid,
            logical_parent: None,
            sidechain: false,
            agent_id: None,
            session: None,
            cwd: None,
            version: None,
            branch: None,
            slug: None,
            prompt_id: None,
            entrypoint: None,
            uuid: None,
            time: None,
        }
    }

    /// The time of the entry, ISO 8601.
    pub fn at(mut self, time: impl Into<String>) -> Self {
        let time = time.into();
        if self.kind == EntryKind::Metadata {
            self.before.set("timestamp", time);
        } else {
            self.time = Some(time);
        }
        self
    }

    /// The session the entry belongs to.
    pub fn in_session(mut self, session: impl Into<String>) -> Self {
        let session = session.into();
        if self.kind == EntryKind::Metadata {
            self.before.set("sessionId", session);
        } else {
            self.session = Some(session);
        }
        self
    }

    /// The id of the entry.
    pub fn uuid(mut self, uuid: impl Into<String>) -> Self {
        self.uuid = Some(uuid.into());
        self
    }

    /// The entry it follows.
    pub fn parent(mut self, uuid: impl Into<String>) -> Self {
        self.parent = Parent::Entry(uuid.into());
        self
    }

    /// Makes the entry a root: `parentUuid` is null.
    pub fn root(mut self) -> Self {
        self.parent = Parent::None;
        self
    }

    /// The leaf before a compaction.
    pub fn logical_parent(mut self, uuid: impl Into<String>) -> Self {
        self.logical_parent = Some(uuid.into());
        self
    }

    /// The CLI version, which also determines key order and message shape. Text that is not a version is written as it
    /// is, in the newest shape.
    pub fn version(mut self, version: &str) -> Self {
        match version.parse() {
            Ok(version) => self.version = Some(version),
            Err(_) => self.overrides.set("version", version),
        }
        self
    }

    /// The working directory.
    pub fn cwd(mut self, path: impl Into<String>) -> Self {
        self.cwd = Some(path.into());
        self
    }

    /// The git branch.
    pub fn branch(mut self, branch: impl Into<String>) -> Self {
        self.branch = Some(branch.into());
        self
    }

    /// Marks the entry as part of the subagent `agent_id`.
    pub fn sidechain(mut self, agent_id: impl Into<String>) -> Self {
        self.sidechain = true;
        self.agent_id = Some(agent_id.into());
        self
    }

    /// Marks the entry as part of an inline sidechain, which has no agent id.
    pub fn inline_sidechain(mut self) -> Self {
        self.sidechain = true;
        self
    }

    /// The id of the prompt that began the turn.
    pub fn prompt_id(mut self, id: impl Into<String>) -> Self {
        self.prompt_id = Some(id.into());
        self
    }

    /// How the CLI was started: `cli` (the default), `sdk-ts`, ….
    pub fn entrypoint(mut self, entrypoint: &'static str) -> Self {
        self.entrypoint = Some(entrypoint);
        self
    }

    /// Hidden from the user (`isMeta`).
    pub fn meta(self) -> Self {
        self.with_before("isMeta", true)
    }

    /// Sets a top-level key: in place if the entry has it, otherwise where entries of this kind have their own keys.
    pub fn with(mut self, key: impl Into<Cow<'static, str>>, value: impl Into<Json>) -> Self {
        let key = key.into();
        match self.kind {
            EntryKind::System | EntryKind::Metadata => self.before.set(key, value),
            EntryKind::User | EntryKind::Assistant | EntryKind::Attachment | EntryKind::Progress => {
                self.overrides.set(key, value);
            }
        }
        self
    }

    /// Adds a key before the `uuid`/`timestamp` pair.
    pub fn with_before(mut self, key: &'static str, value: impl Into<Json>) -> Self {
        self.before.set(key, value);
        self
    }

    /// Adds a key after the `uuid`/`timestamp` pair.
    pub fn with_after(mut self, key: &'static str, value: impl Into<Json>) -> Self {
        self.after.set(key, value);
        self
    }

    /// Leaves out a top-level key.
    pub fn without(mut self, key: impl Into<Cow<'static, str>>) -> Self {
        self.removed.push(key.into());
        self
    }

    /// The line, without its newline.
    pub fn line(self) -> String {
        Json::Object(self.assemble()).to_string()
    }

    /// Appends the line, without its newline.
    pub fn write(self, out: &mut Vec<u8>) {
        self.assemble().write(out);
    }

    /// The entry as a JSON value.
    pub fn json(self) -> Json {
        Json::Object(self.assemble())
    }

    /// Whether the entry belongs to the parent tree.
    pub fn is_conversation(&self) -> bool {
        self.kind != EntryKind::Metadata
    }

    /// The `type` of the entry.
    pub fn type_name(&self) -> &str {
        match self.kind {
            EntryKind::User => "user",
            EntryKind::Assistant => "assistant",
            EntryKind::System => "system",
            EntryKind::Attachment => "attachment",
            EntryKind::Progress => "progress",
            EntryKind::Metadata => self.before.get("type").and_then(Json::as_str).unwrap_or_default(),
        }
    }

    /// `system/turn_duration`, `attachment/file`, `progress/bash_progress`.
    pub(crate) fn kind_name(&self) -> Option<String> {
        let kind = match self.kind {
            EntryKind::System => self.before.get("subtype")?,
            EntryKind::Attachment => self.before.get("attachment")?.get("type")?,
            EntryKind::Progress => self.before.get("data")?.get("type")?,
            EntryKind::User | EntryKind::Assistant | EntryKind::Metadata => return None,
        };
        Some(format!("{}/{}", self.type_name(), kind.as_str()?))
    }

    /// The uuid, if one was given.
    pub(crate) fn given_uuid(&self) -> Option<&str> {
        self.uuid.as_deref()
    }

    /// Whether a time was given.
    pub(crate) fn has_time(&self) -> bool {
        self.time.is_some()
    }

    /// Fills in what the entry does not set itself.
    pub(crate) fn surrounded_by(mut self, with: &Surroundings<'_>) -> Self {
        if self.kind == EntryKind::Metadata {
            if self.before.get("sessionId").and_then(Json::as_str) == Some(SESSION) {
                self.before.set("sessionId", with.session);
            }
            return self;
        }
        self.session.get_or_insert_with(|| with.session.to_owned());
        self.cwd.get_or_insert_with(|| with.cwd.to_owned());
        self.version.get_or_insert(with.version);
        self.branch.get_or_insert_with(|| with.branch.to_owned());
        if let (Parent::Unsaid, Some(uuid)) = (&self.parent, with.parent) {
            self.parent = Parent::Entry(uuid.to_owned());
        }
        self.sidechain |= with.sidechain;
        if self.slug.is_none() {
            self.slug = with.slug.map(str::to_owned);
        }
        if self.agent_id.is_none() {
            self.agent_id = with.agent_id.map(str::to_owned);
        }
        if self.prompt_id.is_none() {
            self.prompt_id = with.prompt_id.map(str::to_owned);
        }
        self
    }

    pub(super) fn written_version(&self) -> Version {
        self.version.or_else(|| VERSION.parse().ok()).unwrap_or(Version::new(2, 1, 226))
    }

    fn assemble(mut self) -> Object {
        let version = self.written_version();
        let mut line = Object::default();
        if self.kind == EntryKind::Metadata {
            line = self.before;
        } else {
            line.push(
                "parentUuid",
                match std::mem::take(&mut self.parent) {
                    Parent::Entry(uuid) => Json::from(uuid),
                    Parent::None | Parent::Unsaid => Json::Null,
                },
            );
            if let Some(leaf) = self.logical_parent.take() {
                line.push("logicalParentUuid", leaf);
            }
            line.push("isSidechain", self.sidechain);
            match version.layout() {
                Layout::EnvelopeFirst => {
                    self.push_envelope(version, &mut line);
                    self.push_agent(&mut line);
                    self.push_slug(&mut line);
                    self.push_body(version, &mut line);
                }
                Layout::EnvelopeLast => {
                    if let (EntryKind::User, Some(id)) = (self.kind, self.prompt_id.take()) {
                        line.push("promptId", id);
                    }
                    self.push_agent(&mut line);
                    self.push_body(version, &mut line);
                    self.push_envelope(version, &mut line);
                    self.push_slug(&mut line);
                }
            }
        }
        for (key, value) in self.overrides {
            line.set(key, value);
        }
        for key in &self.removed {
            line.remove(key);
        }
        line
    }

    fn push_envelope(&mut self, version: Version, line: &mut Object) {
        line.push("userType", "external");
        if version.layout() == Layout::EnvelopeLast {
            line.push("entrypoint", self.entrypoint.unwrap_or("cli"));
        }
        line.push("cwd", self.cwd.take().unwrap_or_else(|| CWD.to_owned()));
        let session = self.session.take().unwrap_or_else(|| SESSION.to_owned());
        line.push("sessionId", session.as_str());
        if self.kind == EntryKind::User && version.since(2, 1, 232) {
            line.push("session_id", session);
        }
        line.push("version", version.to_string());
        if version.has_git_branch() {
            line.push("gitBranch", self.branch.take().unwrap_or_else(|| "main".to_owned()));
        }
    }

    fn push_agent(&mut self, line: &mut Object) {
        if let Some(agent) = self.agent_id.take() {
            line.push("agentId", agent);
        }
    }

    fn push_slug(&mut self, line: &mut Object) {
        if let Some(slug) = self.slug.take() {
            line.push("slug", slug);
        }
    }

    /// The middle of the line: type, content, `uuid` and `timestamp`, extras.
    fn push_body(&mut self, version: Version, line: &mut Object) {
        let message = std::mem::take(&mut self.message);
        match self.kind {
            EntryKind::User => {
                line.push("type", "user");
                line.push("message", message.user());
            }
            EntryKind::Assistant => {
                line.push("message", message.assistant(version));
                line.push("requestId", std::mem::take(&mut self.request_id));
            }
            EntryKind::System | EntryKind::Attachment | EntryKind::Progress | EntryKind::Metadata => {}
        }
        line.append(std::mem::take(&mut self.before));
        if self.kind == EntryKind::Assistant {
            line.push("type", "assistant");
        }
        let uuid = self.uuid.take().unwrap_or_else(|| UUID.to_owned());
        let time = self.time.take().unwrap_or_else(|| TIME.to_owned());
        if self.kind == EntryKind::System {
            line.push("timestamp", time);
            line.push("uuid", uuid);
        } else {
            line.push("uuid", uuid);
            line.push("timestamp", time);
        }
        line.append(std::mem::take(&mut self.after));
    }
}
