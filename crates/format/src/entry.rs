//! One entry: the typed reading of an object that Claude Code wrote (docs/format B, C, H).
//!
//! Transcripts and stream-json share these types; the two spellings of a field
//! are one field here.

mod assistant;
pub mod attachment;
pub mod bookkeeping;
pub mod capture;
mod envelope;
mod foreign;
pub mod progress;
mod spread;
pub mod stream;
pub mod system;
mod user;

pub use assistant::{Assistant, QuotaLimits};
pub use envelope::{Envelope, ForkedFrom};
pub use foreign::Agent;
pub use user::{Origin, OriginKind, PermissionMode, ThinkingMetadata, ToolDenial, User};

use attachment::Attachment;
use bookkeeping::{
    AgentColor, AgentMeta, AgentName, AgentSetting, AiTitle, ApiRequest, ApiRequestBlob, ArtifactWatch, AtisLatch,
    AttributionSnapshot, BridgeSession, Checkpoint, CollapseCommit, CollapseReset, CollapseSnapshot,
    ContentReplacement, ContinuedIn, CostState, CustomTitle, DataFlowIncomplete, DataFlowRecords, DerivedFrom, DevMods,
    EndedByModel, FileHistoryDelta, FileHistorySnapshot, ForkContextRef, FrameLink, HistoryLine, HistorySuppression,
    IsolationLatch, LastPrompt, LineWithheld, MemoryMode, Mode, ObserverRef, PermissionModeSet, PrLink, QueueChange,
    Relocated, ReplMode, ResumeHeadVouch, SessionOwner, SpeculationAccept, Summary, Tag, TaskLine, ToolsUsed,
    TranscriptMirror, WorkflowFailed, WorkflowLaunched, WorkflowStarted, WorktreeState,
};
use capture::Captured;
use progress::Progress;
use stream::{
    ActiveGoal, AuthStatus, AutocompactState, CommandLifecycle, ControlCancelRequest, ControlRequest, ControlResponse,
    ConversationReset, KeepAlive, PromptSuggestion, RateLimitEvent, StreamPart, ToolProgress, ToolUseSummary,
    TurnResult,
};
use system::SystemEvent;

use crate::block::Content;
use crate::id::{EntryId, ToolUseId};
use crate::json::fields::{Each, FieldValue};
use crate::json::{
    Broken, Cursor, Field, Fields, Note, Notes, Place, Raw, Record, Scratch, Shape, Tagged, Text, Time, Unknown, Value,
    Visit, Waiting, fill, record, tagged,
};
use crate::message::Message;
use crate::read::Scope;
use crate::tool::Structured;

/// An object of a transcript or a stream.
#[derive(Debug, Clone, PartialEq)]
pub struct Entry<'a> {
    /// The fields that all entries share.
    pub envelope: Envelope<'a>,
    /// Its type and the fields of that type.
    pub body: Body<'a>,
    /// The values that the types could not express.
    pub notes: Vec<Note<'a>>,
    /// The other agent that wrote it, if it only looks like one of ours.
    pub foreign: Option<Agent>,
}

tagged! {
    /// The body of an entry, by its `type`.
    pub enum Body<'a>: "entry" by "type" {
        // Conversation (docs/format B.1 to B.5).
        User(Box<User<'a>>) = "user",
        Assistant(Box<Assistant<'a>>) = "assistant",
        System(Box<System<'a>>) = "system",
        Attachment(Box<AttachmentEntry<'a>>) = "attachment",
        Progress(Box<ProgressEntry<'a>>) = "progress",

        // Titles, names, modes (docs/format B.6).
        Summary(Summary<'a>) = "summary",
        AiTitle(AiTitle<'a>) = "ai-title",
        CustomTitle(CustomTitle<'a>) = "custom-title",
        AgentName(AgentName) = "agent-name",
        AgentColor(AgentColor) = "agent-color",
        AgentSetting(AgentSetting<'a>) = "agent-setting",
        Tag(Tag<'a>) = "tag",
        TaskSummary(TaskLine<'a>) = "task-summary",
        LastPrompt(LastPrompt<'a>) = "last-prompt",
        PermissionMode(PermissionModeSet<'a>) = "permission-mode",
        Mode(Mode<'a>) = "mode",

        // Files, queue, links (docs/format B.7).
        FileHistorySnapshot(Box<FileHistorySnapshot<'a>>) = "file-history-snapshot",
        FileHistoryDelta(Box<FileHistoryDelta<'a>>) = "file-history-delta",
        QueueOperation(Box<QueueChange<'a>>) = "queue-operation",
        PrLink(Box<PrLink<'a>>) = "pr-link",
        FrameLink(Box<FrameLink<'a>>) = "frame-link",
        WorktreeState(Box<WorktreeState<'a>>) = "worktree-state",
        Relocated(Relocated<'a>) = "relocated",
        BridgeSession(Box<BridgeSession<'a>>) = "bridge-session",

        // State (docs/format B.8).
        ContentReplacement(ContentReplacement<'a>) = "content-replacement",
        AttributionSnapshot(Box<AttributionSnapshot<'a>>) = "attribution-snapshot",
        SpeculationAccept(SpeculationAccept) = "speculation-accept",
        CollapseCommit(Box<CollapseCommit<'a>>) = "marble-origami-commit",
        CollapseSnapshot(Box<CollapseSnapshot<'a>>) = "marble-origami-snapshot",
        CollapseReset(CollapseReset) = "marble-origami-reset",
        ForkContextRef(ForkContextRef<'a>) = "fork-context-ref",
        ArtifactAutoreactLedger(Box<ArtifactWatch<'a>>) = "artifact-autoreact-ledger",
        ArtifactCommentMonitor(Box<ArtifactWatch<'a>>) = "artifact-comment-monitor",
        AtisLatch(AtisLatch<'a>) = "atis-latch",
        CostState(Box<CostState<'a>>) = "cost-state",
        ApiRequest(Box<ApiRequest<'a>>) = "api-request",
        ApiRequestShape(Box<ApiRequest<'a>>) = "api-request-shape",
        ApiRequestBlob(Box<ApiRequestBlob<'a>>) = "api-request-blob",
        HistorySuppression(HistorySuppression<'a>) = "history-suppression",
        ContinuedIn(ContinuedIn<'a>) = "continued-in",
        EndedByModel(EndedByModel) = "ended-by-model",
        IsolationLatch(IsolationLatch<'a>) = "isolation-latch",
        ObserverRef(ObserverRef) = "observer-ref",
        SessionOwner(SessionOwner<'a>) = "session-owner",
        ToolsUsed(ToolsUsed<'a>) = "tools-used",
        ReplMode(ReplMode) = "repl-mode",
        MemoryMode(Box<MemoryMode<'a>>) = "memory-mode",
        DevMods(DevMods<'a>) = "dev-mods",
        DataFlowRecords(DataFlowRecords<'a>) = "data-flow-records",
        DataFlowIncomplete(DataFlowIncomplete) = "data-flow-incomplete",
        DerivedFrom(DerivedFrom<'a>) = "derived-from",
        ResumeHeadVouch(ResumeHeadVouch<'a>) = "resume-head-vouch",
        LineWithheld(LineWithheld) = "line-withheld",
        Checkpoint(Checkpoint<'a>) = "checkpoint",
        AgentMetadata(Box<AgentMeta<'a>>) = "agent_metadata",
        TranscriptMirror(TranscriptMirror<'a>) = "transcript_mirror",

        // A workflow's journal (docs/format G.7.6); its results are [`Body::Result`] with a key.
        WorkflowLaunched(WorkflowLaunched) = "launched",
        WorkflowStarted(WorkflowStarted<'a>) = "started",
        WorkflowFailed(WorkflowFailed<'a>) = "failed",

        // Only on the stream (docs/format H).
        StreamEvent(Box<StreamPart<'a>>) = "stream_event",
        Result(Box<TurnResult<'a>>) = "result",
        ToolProgress(Box<ToolProgress<'a>>) = "tool_progress",
        ToolUseSummary(ToolUseSummary<'a>) = "tool_use_summary",
        AuthStatus(AuthStatus<'a>) = "auth_status",
        RateLimitEvent(Box<RateLimitEvent<'a>>) = "rate_limit_event",
        PromptSuggestion(PromptSuggestion<'a>) = "prompt_suggestion",
        ConversationReset(ConversationReset<'a>) = "conversation_reset",
        CommandLifecycle(Box<CommandLifecycle<'a>>) = "command_lifecycle",
        ActiveGoal(Box<ActiveGoal<'a>>) = "active_goal",
        AutocompactState(Box<AutocompactState<'a>>) = "autocompact_state",
        KeepAlive(KeepAlive) = "keep_alive",
        ControlRequest(Box<ControlRequest<'a>>) = "control_request",
        ControlResponse(Box<ControlResponse<'a>>) = "control_response",
        ControlCancelRequest(ControlCancelRequest) = "control_cancel_request",

        /// A recorded line that is not a message, or an event around the lines.
        Captured(Box<Captured<'a>>) = "capture",

        /// A line of `history.jsonl`, which has no type of its own.
        History(Box<HistoryLine<'a>>) = "history",
    }
}

impl<'a> Body<'a> {
    /// The message, if the entry is part of the conversation.
    pub fn message(&self) -> Option<&Message<'a>> {
        match self {
            Self::User(user) => user.message.as_deref(),
            Self::Assistant(assistant) => assistant.message.as_deref(),
            _ => None,
        }
    }

    /// Takes the `toolUseResult` out.
    pub fn take_structured(&mut self) -> Option<Structured<'a>> {
        match self {
            Self::User(user) => user.tool_use_result.take(),
            Self::Assistant(assistant) => assistant.tool_use_result.take(),
            _ => None,
        }
    }
}

record! {
    /// An `attachment` entry: context that was given to the model.
    pub struct AttachmentEntry<'a>: "attachment entry" {
        attachment: Option<Box<Attachment<'a>>> = "attachment",
        /// The exact text that was sent, and where.
        rendered: Option<Raw<'a>> = "rendered",
        rendered_role: Option<Text<'a>> = "renderedRole",
        rendered_beside_tool_result: Option<Raw<'a>> = "renderedBesideToolResult",
        rendered_in_human_turn: Option<Raw<'a>> = "renderedInHumanTurn",
    }

    /// A `progress` entry: the activity of a running tool or hook.
    pub struct ProgressEntry<'a>: "progress entry" {
        data: Option<Box<Progress<'a>>> = "data",
        tool_use_id: Option<ToolUseId<'a>> = "toolUseID",
        parent_tool_use_id: Option<ToolUseId<'a>> = "parentToolUseID",
    }
}

impl<'a> ProgressEntry<'a> {
    /// The entry of a subagent that it carries.
    fn carried(&self) -> Option<&Entry<'a>> {
        match self.data.as_deref()? {
            Progress::Agent(agent) => agent.message.as_deref(),
            _ => None,
        }
    }

    /// Completes the entry that it carries with what only the outside says.
    fn complete(&mut self, envelope: &Envelope<'a>) {
        let Some(Progress::Agent(agent)) = self.data.as_deref_mut() else { return };
        let Some(carried) = agent.message.as_deref_mut().map(|entry| &mut entry.envelope) else { return };
        carried.is_sidechain = Some(true);
        carried.agent_id = agent.agent_id.or(carried.agent_id).or(envelope.agent_id);
        carried.session_id = carried.session_id.or(envelope.session_id);
        carried.timestamp = carried.timestamp.or(envelope.timestamp);
        carried.version = carried.version.or(envelope.version);
        carried.git_branch = carried.git_branch.or(envelope.git_branch);
        carried.cwd = carried.cwd.or(envelope.cwd);
    }
}

/// A `system` entry: the fields that most of them share, and the event.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct System<'a> {
    /// `content`
    pub content: Option<Content<'a>>,
    /// `level`
    pub level: Option<Text<'a>>,
    /// `toolUseID`
    pub tool_use_id: Option<ToolUseId<'a>>,
    /// The event, by the `subtype`; absent in 1.0.33 to 1.0.56.
    pub event: Option<SystemEvent<'a>>,
    /// Fields that came before the subtype.
    waiting: Waiting<'a>,
}

impl Fields for System<'_> {
    fn each_field<'e>(&'e self, each: &mut Each<'_, 'e>) {
        self.content.visit("content", each);
        self.level.visit("level", each);
        self.tool_use_id.visit("toolUseID", each);
        self.event.visit(SystemEvent::TAG, each);
    }
}

impl Visit for System<'_> {
    fn visit<'e>(&'e self, key: &'e str, each: &mut Each<'_, 'e>) {
        each(key, FieldValue::Record(self));
    }
    /// Without the event, whose keys are beside these.
    fn shape() -> Shape {
        Shape::Record(vec![
            ("content", Content::shape as fn() -> Shape),
            ("level", Text::shape as fn() -> Shape),
            ("toolUseID", ToolUseId::shape as fn() -> Shape),
        ])
    }
}

impl<'a> Record<'a> for System<'a> {
    const LABEL: &'static str = "system";

    fn label(&self) -> &'static str {
        self.event.as_ref().map_or(Self::LABEL, Record::label)
    }

    fn field(&mut self, key: &'a str, cursor: &mut Cursor<'a>, notes: &mut Notes<'a>) -> Result<bool, Broken> {
        const PLACE: Place = Place { record: System::LABEL, field: "a common field" };
        match key {
            "content" => self.content.read_field(cursor, &PLACE, notes)?,
            "level" => self.level.read_field(cursor, &PLACE, notes)?,
            "toolUseID" | "tool_use_id" => self.tool_use_id.read_field(cursor, &PLACE, notes)?,
            SystemEvent::TAG => {
                if let Some(tag) = Text::read(cursor, &PLACE, notes)? {
                    let mut event = SystemEvent::begin(tag, notes);
                    self.waiting.replay(&mut event, notes);
                    self.event = Some(event);
                }
            }
            _ => {
                return match &mut self.event {
                    Some(event) => event.field(key, cursor, notes),
                    None => self.waiting.push(key, cursor).map(|()| true),
                };
            }
        }
        Ok(true)
    }

    fn finish(&mut self, notes: &mut Notes<'a>) {
        match &mut self.event {
            Some(event) => event.finish(notes),
            None => self.waiting.replay(&mut Without, notes),
        }
    }
}

/// A system entry without a subtype has no fields of its own; others are noted.
struct Without;

impl<'a> Record<'a> for Without {
    const LABEL: &'static str = "system without subtype";

    fn field(&mut self, _: &'a str, _: &mut Cursor<'a>, _: &mut Notes<'a>) -> Result<bool, Broken> {
        Ok(false)
    }
}

impl<'a> Entry<'a> {
    /// Whether it has no place in the conversation: it names neither itself nor the entry before it. An unknown entry of
    /// this kind is bookkeeping, like all known ones (docs/format B.0).
    pub fn is_beside(&self) -> bool {
        self.envelope.uuid.is_none() && self.envelope.parent_uuid.is_none()
    }

    /// Reads the object at the cursor. An error means that it is not well formed.
    pub(crate) fn read(cursor: &mut Cursor<'a>, scratch: &'a Scratch, scope: Scope<'a>) -> Result<Self, Broken> {
        let mut notes = Notes { scope, ..Notes::new(scratch) };
        let mut building = Building::default();
        fill(&mut building, cursor, &mut notes)?;
        let mut entry = building.entry();
        if !notes.list.is_empty() {
            spread::join(&mut entry.body, &mut notes);
        }
        if let Body::Progress(progress) = &mut entry.body {
            progress.complete(&entry.envelope);
        }
        entry.foreign = foreign::recognise(&entry.envelope, &entry.body, &notes.list);
        entry.notes = notes.list;
        Ok(entry)
    }

    /// The entry with the message: the subagent's entry in an `agent_progress` note, and this one otherwise.
    ///
    /// The notes about its values are in [`Self::notes`] of this one.
    ///
    /// ```
    /// let line = br#"{"type":"progress","data":{"type":"agent_progress","agentId":"a1","message":
    ///     {"type":"user","message":{"content":"dig"}}}}"#;
    /// let scratch = format::Scratch::default();
    /// let reading = format::read(line, &scratch);
    /// let entry = reading.entries[0].inner();
    /// assert_eq!((entry.body.kind(), entry.envelope.agent_id.unwrap().as_str()), ("user", "a1"));
    /// ```
    pub fn inner(&self) -> &Self {
        match &self.body {
            Body::Progress(progress) => progress.carried().unwrap_or(self),
            _ => self,
        }
    }

    /// Takes the entry with the message out, with the notes about it.
    #[must_use]
    pub fn into_inner(mut self) -> Self {
        let Body::Progress(progress) = &mut self.body else { return self };
        let Some(Progress::Agent(agent)) = progress.data.as_deref_mut() else { return self };
        match agent.message.take() {
            Some(carried) => Self { notes: self.notes, foreign: self.foreign, ..*carried },
            None => self,
        }
    }

    /// Reads a value that is known to be well formed. Values other than objects are unknown entries.
    pub(crate) fn of_value(value: &'a str, scratch: &'a Scratch, scope: Scope<'a>) -> Self {
        Self::read(&mut Cursor::new(value), scratch, scope).unwrap_or_else(|_| {
            let mut unknown = Unknown::default();
            unknown.fields.push(Text::default(), Raw::from(value));
            let note = Note::UnknownKind { of: Body::LABEL, name: Text::default() };
            Self { envelope: Envelope::default(), body: Body::Unknown(unknown), notes: vec![note], foreign: None }
        })
    }
}

/// An entry inside another one. Its values are noted with those of the outer entry.
impl<'a> Value<'a> for Entry<'a> {
    const EXPECTED: &'static str = "an object";

    fn from_map(cursor: &mut Cursor<'a>, notes: &mut Notes<'a>) -> Result<Option<Self>, Broken> {
        let mut building = Building { is_inside: true, ..Building::default() };
        fill(&mut building, cursor, notes)?;
        Ok(Some(building.entry()))
    }
}

impl Fields for Entry<'_> {
    fn each_field<'e>(&'e self, each: &mut Each<'_, 'e>) {
        self.envelope.each_field(each);
        self.body.each_field(each);
    }
}

impl Visit for Entry<'_> {
    fn visit<'e>(&'e self, key: &'e str, each: &mut Each<'_, 'e>) {
        each(key, FieldValue::Record(self));
    }
    /// As an entry inside another one is written.
    fn shape() -> Shape {
        Shape::Record(vec![
            ("type", Text::shape as fn() -> Shape),
            ("message", Message::shape as fn() -> Shape),
            ("uuid", EntryId::shape as fn() -> Shape),
            ("timestamp", Time::shape as fn() -> Shape),
        ])
    }
}

/// An entry whose fields are being read.
#[derive(Default)]
struct Building<'a> {
    /// Whether it is inside another entry. Only a message is read there, so that nothing nests without end.
    is_inside: bool,
    envelope: Envelope<'a>,
    body: Option<Body<'a>>,
    /// The main field, which came before the type.
    early: Option<Early<'a>>,
    /// Other fields that came before the type and are not part of the envelope.
    waiting: Waiting<'a>,
}

/// A field that is often written before the type, and too large to read twice: read as what it
/// nearly always is, with its JSON kept in case it is not.
struct Early<'a> {
    key: &'a str,
    json: Raw<'a>,
    field: EarlyField<'a>,
    notes: Vec<Note<'a>>,
}

enum EarlyField<'a> {
    Message(Box<Message<'a>>),
    Attachment(Box<Attachment<'a>>),
}

impl<'a> Early<'a> {
    /// Reads the value of `key` if it is such a field; leaves the cursor before the value otherwise.
    fn read(key: &'a str, cursor: &mut Cursor<'a>, notes: &mut Notes<'a>) -> Result<Option<Self>, Broken> {
        let (before, mut ahead) = (notes.list.len(), cursor.clone());
        let field = match key {
            "message" => Box::read(&mut ahead, &Place::WHOLE, notes)?.map(EarlyField::Message),
            "attachment" => Box::read(&mut ahead, &Place::WHOLE, notes)?.map(EarlyField::Attachment),
            _ => None,
        };
        let notes = notes.list.split_off(before);
        let Some(field) = field else { return Ok(None) };
        let json = Raw::from(cursor.text_until(&ahead));
        *cursor = ahead;
        Ok(Some(Self { key, json, field, notes }))
    }

    /// Puts the field where it belongs, now that this is known; returns it if it belongs nowhere.
    fn settle(self, body: &mut Body<'a>, notes: &mut Notes<'a>) -> Option<(&'a str, Raw<'a>)> {
        match (body, self.field) {
            (Body::User(user), EarlyField::Message(message)) => user.message = Some(message),
            (Body::Assistant(assistant), EarlyField::Message(message)) => assistant.message = Some(message),
            (Body::Attachment(entry), EarlyField::Attachment(attachment)) => entry.attachment = Some(attachment),
            _ => return Some((self.key, self.json)),
        }
        notes.list.extend(self.notes);
        None
    }
}

impl<'a> Building<'a> {
    fn entry(self) -> Entry<'a> {
        let body = self.body.unwrap_or_else(|| Body::Unknown(Unknown::default()));
        Entry { envelope: self.envelope, body, notes: Vec::new(), foreign: None }
    }

    /// Sets the type. If there are several, the last one wins.
    fn begin(&mut self, tag: Text<'a>, notes: &mut Notes<'a>) {
        match self.body.take() {
            Some(body) if tag == body.kind() => {
                self.body = Some(body);
                return;
            }
            Some(Body::Unknown(unknown)) => self.waiting.extend(unknown.into_fields()),
            _ => {}
        }
        let mut body = if self.is_inside && !matches!(tag.as_str(), "user" | "assistant") {
            notes.push(Note::UnknownKind { of: "entry inside another one", name: tag });
            Body::Unknown(Unknown { kind: tag, ..Unknown::default() })
        } else {
            Body::begin(tag, notes)
        };
        let strange = self.early.take().and_then(|early| early.settle(&mut body, notes));
        self.waiting.extend(strange);
        self.waiting.replay(&mut body, notes);
        self.body = Some(body);
    }
}

impl<'a> Record<'a> for Building<'a> {
    const LABEL: &'static str = Body::LABEL;

    fn label(&self) -> &'static str {
        self.body.as_ref().map_or(Self::LABEL, Record::label)
    }

    fn field(&mut self, key: &'a str, cursor: &mut Cursor<'a>, notes: &mut Notes<'a>) -> Result<bool, Broken> {
        const TYPE: Place = Place { record: "entry", field: "type" };
        if key == Body::TAG {
            if let Some(tag) = Text::read(cursor, &TYPE, notes)? {
                self.begin(tag, notes);
            }
            return Ok(true);
        }
        if self.envelope.field(key, cursor, notes)? {
            return Ok(true);
        }
        if let Some(body) = &mut self.body {
            return body.field(key, cursor, notes);
        }
        if self.early.is_none() {
            self.early = Early::read(key, cursor, notes)?;
            if self.early.is_some() {
                return Ok(true);
            }
        }
        self.waiting.push(key, cursor).map(|()| true)
    }

    fn finish(&mut self, notes: &mut Notes<'a>) {
        if self.body.is_none() {
            // `history.jsonl` is the only known file whose lines have no type.
            let kind = if self.waiting.has("display") { "history" } else { "" };
            self.begin(Text::from(kind), notes);
        }
        if let Some(body) = &mut self.body {
            body.finish(notes);
        }
    }
}
