//! Entries around the conversation.

use format::entry::attachment::Attachment;
use format::entry::progress::Progress;
use format::entry::system::SystemEvent;
use format::entry::{AttachmentEntry, ProgressEntry, System};
use format::{Body, Envelope, Text};

use super::node::{NodeKind, Placed};
use super::{Reader, Spot, StoryBuilder};
use crate::accounting::Fate;
use crate::describe::notice::{self, EntryOutcome};
use crate::key::Key;
use crate::source::Role;
use crate::step::{Delivery, StepKind};

impl StoryBuilder {
    pub(super) fn system(&mut self, spot: Spot, envelope: &Envelope<'_>, system: &System<'_>) -> Fate {
        let node = match self.place(spot, envelope, NodeKind::Beside, None) {
            Placed::New(node) => node,
            Placed::Copy(original) => return Fate::Duplicate(original),
        };
        let texts: Vec<&str> =
            system.content.as_ref().map(|content| content.texts().map(Text::as_str).collect()).unwrap_or_default();
        match &system.event {
            Some(SystemEvent::LocalCommand(_)) if texts.iter().any(|text| text.contains('<')) => {
                self.prompt_beside(node, spot, &texts, &[], Delivery::Direct);
                if self.has_steps(node) {
                    return Fate::Shown;
                }
            }
            Some(SystemEvent::VoiceCallTalk(_)) => {
                self.prompt_beside(node, spot, &texts, &[], Delivery::Direct);
                if self.has_steps(node) {
                    return Fate::Shown;
                }
            }
            Some(SystemEvent::Init(init)) => self.known.init(init),
            Some(
                SystemEvent::ModelRefusalFallback(change)
                | SystemEvent::ModelRefusalNoFallback(change)
                | SystemEvent::ModelFallback(change)
                | SystemEvent::ModelConsentFallback(change),
            ) => self.withdraw(&change.retracted_message_uuids),
            _ => {}
        }
        match notice::system(system) {
            EntryOutcome::Step(kind) => {
                let is_unknown = matches!(kind, StepKind::Unknown(_));
                self.add_step(node, spot.block(0), kind);
                if is_unknown { Fate::Unknown } else { Fate::Shown }
            }
            EntryOutcome::Bookkeeping => {
                let subtype = system.event.as_ref().map_or("", SystemEvent::kind);
                self.bookkeeping_of("system/", subtype)
            }
        }
    }

    pub(super) fn attachment(&mut self, spot: Spot, envelope: &Envelope<'_>, entry: &AttachmentEntry<'_>) -> Fate {
        let node = match self.place(spot, envelope, NodeKind::Beside, None) {
            Placed::New(node) => node,
            Placed::Copy(original) => return Fate::Duplicate(original),
        };
        let Some(attachment) = entry.attachment.as_deref() else { return self.bookkeeping("attachment/empty") };
        if let Attachment::QueuedCommand(queued) = attachment {
            let texts: Vec<&str> =
                queued.prompt.as_ref().map(|content| content.texts().map(Text::as_str).collect()).unwrap_or_default();
            let blocks = queued.prompt.as_ref().map_or(0, |content| content.blocks().len());
            let images = blocks.saturating_sub(texts.len());
            let pasted = queued.image_paste_ids.iter().copied().chain(std::iter::repeat(0));
            let images: Vec<i64> = pasted.take(images.max(queued.image_paste_ids.len())).collect();
            self.prompt_beside(node, spot, &texts, &images, Delivery::Steering);
            return Fate::Shown;
        }
        match notice::attachment(attachment) {
            EntryOutcome::Step(kind) => {
                let is_unknown = matches!(kind, StepKind::Unknown(_));
                self.add_step(node, spot.block(0), kind);
                if is_unknown { Fate::Unknown } else { Fate::Shown }
            }
            EntryOutcome::Bookkeeping => self.bookkeeping_of("attachment/", attachment.kind()),
        }
    }

    /// Progress entries show nothing, except those that carry an entry of an agent.
    pub(super) fn progress(
        &mut self,
        spot: Spot,
        envelope: &Envelope<'_>,
        entry: &mut ProgressEntry<'_>,
        reader: &Reader,
    ) -> Fate {
        if let Placed::Copy(original) = self.place(spot, envelope, NodeKind::Beside, None) {
            return Fate::Duplicate(original);
        }
        let Some(progress) = entry.data.as_deref_mut() else { return self.bookkeeping("progress") };
        let call = entry.parent_tool_use_id;
        if let (Progress::Agent(agent), Some(call)) = (&*progress, call)
            && let Some(id) = agent.agent_id
        {
            self.links.by_progress.entry(Key::of(id.as_str())).or_insert(Key::of(call.as_str()));
        }
        let inside = match progress {
            Progress::Agent(agent) => {
                agent.message.as_deref_mut().and_then(|inner| self.inside(spot, call, inner, reader))
            }
            _ => None,
        };
        inside.unwrap_or_else(|| self.bookkeeping_of("progress/", progress.kind()))
    }

    /// Everything else: bookkeeping, and the stream messages around the conversation.
    pub(super) fn around(&mut self, spot: Spot, envelope: &Envelope<'_>, body: &Body<'_>) -> Fate {
        let is_journal = matches!(self.role(spot), Role::Journal(_));
        if let (Body::WorkflowStarted(started), Some(agent)) = (body, envelope.agent_id) {
            self.label(agent.as_str(), started.label);
        }
        // A workflow agent's own lines contain its answer, but not its failure.
        if is_journal && !matches!(body, Body::WorkflowFailed(_)) {
            return self.bookkeeping_of("journal/", body.kind());
        }
        if let Body::QueueOperation(change) = body {
            return self.queue_change(spot, envelope, change);
        }
        if let Body::LastPrompt(last) = body
            && let Some(uuid) = last.leaf_uuid
        {
            self.leaf = Some((spot.line, Key::of(uuid.as_str())));
        }
        self.known.body(body);
        let kind = match body {
            Body::Unknown(unknown) => Some(StepKind::Unknown(crate::preview::preview(unknown.kind.as_str()))),
            body => notice::other(body),
        };
        let Some(kind) = kind else { return self.bookkeeping(body.kind()) };
        let is_unknown = matches!(kind, StepKind::Unknown(_));
        match self.place(spot, envelope, NodeKind::Beside, None) {
            Placed::New(node) => self.add_step(node, spot.block(0), kind),
            Placed::Copy(original) => return Fate::Duplicate(original),
        };
        if is_unknown { Fate::Unknown } else { Fate::Shown }
    }
}
