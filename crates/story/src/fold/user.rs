//! Entries in the user's role: prompts, results, and much that no user wrote.

use format::block::{Block, Content};
use format::entry::{OriginKind, User};
use format::id::ToolUseId;
use format::text::{
    EventSource, HookSays, Segment, SegmentKind, TaskNotification, TaskStatus, segments, task_event, unescape,
};
use format::tool::Structured;
use format::{Envelope, Scratch, Text};

use super::agents::LaneId;
use super::inside::Answers;
use super::node::{NodeId, NodeKind, Placed};
use super::{Reader, Spot, StoryBuilder};
use crate::accounting::Fate;
use crate::key::Key;
use crate::place::BlockPlace;
use crate::preview::{preview, shortened};
use crate::step::{
    Compaction, Context, ContextKind, Delivery, Extent, Notice, NoticeKind, Output, Prompt, PromptKind, Severity,
    StepKind, Trigger,
};

/// The key that identifies copies of a user entry.
pub(super) fn identity(user: &User<'_>) -> (NodeKind, Option<Key>) {
    let content = user.message.as_ref().and_then(|message| message.content.as_ref());
    let blocks = content.map_or(&[][..], Content::blocks);
    let answered: Vec<&str> = blocks.iter().filter_map(Block::answers).map(ToolUseId::as_str).collect();
    if !answered.is_empty() {
        return (NodeKind::Result, Some(answered.iter().fold(Key::NONE, |key, id| key.and(Key::of(id).0))));
    }
    let texts = content.into_iter().flat_map(Content::texts);
    let said = texts.fold(Key::NONE.and(blocks.len() as u64), |key, text| key.and(Key::of(&text).0));
    (NodeKind::Prompt, Some(said))
}

/// The parsed text of an entry.
#[derive(Default)]
struct Said {
    steps: Vec<(usize, StepKind)>,
    /// The user's words: the block where they begin, and the text.
    speech: Option<(usize, PromptKind, String)>,
    images: Vec<i64>,
    /// The task that it mentions.
    task: Option<(Key, Option<Key>)>,
    is_warmup: bool,
}

impl StoryBuilder {
    pub(super) fn user(
        &mut self,
        spot: Spot,
        envelope: &Envelope<'_>,
        user: &User<'_>,
        mut structured: Option<Structured<'_>>,
        reader: &Reader,
    ) -> Fate {
        let content = user.message.as_ref().and_then(|message| message.content.as_ref());
        let blocks = content.map_or(&[][..], Content::blocks);
        let (kind, words) = identity(user);
        let said = if user.is_compact_summary == Some(true) { Said::default() } else { read(envelope, user) };
        let kind = match kind {
            NodeKind::Prompt if user.is_compact_summary == Some(true) || said.speech.is_none() => NodeKind::Meta,
            NodeKind::Prompt if said.is_command() => NodeKind::Command,
            kind => kind,
        };
        let answers = Answers { user, structured: structured.as_ref(), reader };
        if let Some(fate) = self.known_from_progress(spot, envelope, kind, words, Some(answers)) {
            return fate;
        }
        let node = match self.place(spot, envelope, kind, words) {
            Placed::New(node) => node,
            Placed::Copy(original) => return Fate::Duplicate(original),
        };
        if user.is_compact_summary == Some(true) {
            self.summary(node, spot, user, content);
            return Fate::Shown;
        }
        let results = blocks.iter().filter_map(Block::as_result).count();
        if results != 1 {
            // With several results, the entry does not say which of them this belongs to.
            structured = None;
        }
        let mut repeated = None;
        for (number, block) in blocks.iter().enumerate() {
            if let Some(result) = block.as_result() {
                let place = spot.block(number);
                let earlier = self.result(node, place, result, structured.take(), Some(user), reader);
                repeated = repeated.or(earlier);
            }
        }
        self.add_parsed_steps(node, spot, said);
        match (repeated, self.has_steps(node), results) {
            (Some(place), false, 1..) => Fate::Duplicate(place.line),
            (_, false, 0) => self.bookkeeping("user/empty"),
            _ => Fate::Shown,
        }
    }

    pub(super) fn has_steps(&self, node: NodeId) -> bool {
        self.nodes.get(node.index()).is_some_and(|node| node.steps().next().is_some())
    }

    /// Adds the steps of the parsed text.
    fn add_parsed_steps(&mut self, node: NodeId, spot: Spot, said: Said) {
        let lane = self.nodes.get(node.index()).map_or(LaneId::MAIN, |node| node.lane);
        let mut prompt = None;
        if let Some((block, kind, text)) = said.speech {
            let queued = self.queue_delivers(&text);
            if let Some(lane) = self.lanes.get_mut(lane.index()).filter(|_| lane != LaneId::MAIN) {
                lane.first_prompt.get_or_insert_with(|| Key::of_words(&text));
                lane.is_warmup |= said.is_warmup;
            }
            let kind = if lane != LaneId::MAIN && kind == PromptKind::Typed { PromptKind::Parent } else { kind };
            if kind == PromptKind::Plan && lane == LaneId::MAIN {
                self.known.plan(&text);
            }
            let delivery = if queued { Delivery::Queued } else { Delivery::Direct };
            let images = said.images.into();
            prompt = Some((block, Prompt { kind, delivery, preview: preview(&text), images, thread: None }));
        }
        let steps = said.steps.into_iter().map(|(block, kind)| (block, with_summary(kind, spot.block(block))));
        let mut steps = steps.peekable();
        let mut context = Vec::new();
        while let Some((block, kind)) = steps.next_if(|(block, _)| prompt.as_ref().is_none_or(|(at, _)| block < at)) {
            match kind {
                // Context beside a prompt belongs to its turn.
                StepKind::Context(_) if prompt.is_some() => context.push((block, kind)),
                kind => {
                    self.add_step(node, spot.block(block), kind);
                }
            }
        }
        if let Some((task, Some(call))) = said.task {
            self.links.by_progress.entry(task).or_insert(call);
        }
        if let Some((block, prompt)) = prompt {
            let step = self.add_step(node, spot.block(block), StepKind::Prompt(Box::new(prompt)));
            if let Some((task, _)) = said.task {
                self.links.mentions.entry(task).or_default().push(step);
            }
        }
        for (block, kind) in context.into_iter().chain(steps) {
            self.add_step(node, spot.block(block), kind);
        }
    }

    /// Adds the summary to the compaction that requested it.
    fn summary(&mut self, node: NodeId, spot: Spot, user: &User<'_>, content: Option<&Content<'_>>) {
        let text = content.and_then(|content| content.texts().next()).map_or("", Text::as_str);
        let (first_words, place) = (preview(summary_of(text)), spot.block(0));
        let partial = user.summarize_metadata.is_some();
        let boundary = self
            .nodes
            .get(node.index())
            .and_then(|node| self.nodes.get(node.parent?.index()))
            .and_then(|parent| parent.steps().next())
            .filter(|step| {
                matches!(self.story.step(*step).map(|step| &step.kind), Some(StepKind::Compaction(compaction)) if compaction.summary.is_none())
            });
        let Some(boundary) = boundary else {
            self.add_step(
                node,
                place,
                StepKind::Compaction(Box::new(Compaction {
                    trigger: Trigger::Unknown,
                    tokens_before: None,
                    tokens_after: None,
                    preview: first_words,
                    summary: Some(place),
                    preserved: 0,
                    extent: if partial { Extent::Part } else { Extent::Whole },
                })),
            );
            return;
        };
        self.change_step(boundary, |step| {
            if let StepKind::Compaction(compaction) = &mut step.kind {
                compaction.preview = first_words;
                compaction.summary = Some(place);
                if partial {
                    compaction.extent = Extent::Part;
                }
            }
        });
    }
}

/// The full text of the prompt in an entry; `None` if it is not a prompt.
pub fn prompt_text(entry: &format::Entry<'_>) -> Option<String> {
    prompt_text_with(entry, &mut |_| None)
}

/// Like [`prompt_text`]; `paste` reads a large paste of a typed prompt by its hash.
pub fn prompt_text_with(entry: &format::Entry<'_>, paste: &mut dyn FnMut(&str) -> Option<String>) -> Option<String> {
    let entry = entry.inner();
    let content = match &entry.body {
        format::Body::History(line) => {
            return Some(super::typed::without_prefix(&super::typed::typed_text(line, paste)).to_owned());
        }
        format::Body::User(user) => return read(&entry.envelope, user).speech.map(|(_, _, speech)| speech),
        format::Body::Attachment(entry) => match entry.attachment.as_deref()? {
            format::entry::attachment::Attachment::QueuedCommand(queued) => queued.prompt.as_ref()?,
            _ => return None,
        },
        format::Body::QueueOperation(change) => change.content.as_ref()?,
        format::Body::System(system) => system.content.as_ref()?,
        _ => return None,
    };
    speech_of(&content.texts().map(Text::as_str).collect::<Vec<_>>())
}

/// A compaction known only from its summary points to it.
fn with_summary(mut kind: StepKind, place: BlockPlace) -> StepKind {
    if let StepKind::Compaction(compaction) = &mut kind {
        compaction.summary = Some(place);
    }
    kind
}

/// The user's words in some texts.
pub(super) fn speech_of(texts: &[&str]) -> Option<String> {
    let mut said = Said::default();
    for (block, text) in texts.iter().enumerate() {
        said.read_text(block, text, false);
    }
    said.speech.map(|(_, _, speech)| speech)
}

/// The summary without the sentence before it.
fn summary_of(text: &str) -> &str {
    match segments(text).into_iter().next().map(|segment| segment.kind) {
        Some(SegmentKind::CompactSummary(summary)) => summary.body,
        _ => text,
    }
}

/// Parses the texts of an entry.
fn read(envelope: &Envelope<'_>, user: &User<'_>) -> Said {
    let mut said = Said::default();
    let hidden = envelope.is_meta == Some(true) || user.is_synthetic == Some(true);
    let content = user.message.as_ref().and_then(|message| message.content.as_ref());
    let mut pasted = user.image_paste_ids.iter().copied();
    match content {
        Some(Content::Text(text)) => said.read_text(0, text.as_str(), hidden),
        Some(Content::Blocks(blocks)) => {
            for (number, block) in blocks.iter().enumerate() {
                match block {
                    Block::Text(text) => said.read_text(number, text.text.map_or("", Text::as_str), hidden),
                    Block::Image(_) => said.images.push(pasted.next().unwrap_or_default()),
                    Block::Document(document) => {
                        let title = document.title.map_or("document", Text::as_str);
                        said.context(number, ContextKind::File, title);
                    }
                    Block::Unknown(unknown) => {
                        said.steps.push((number, StepKind::Unknown(preview(unknown.kind.as_str()))));
                    }
                    _ => {}
                }
            }
        }
        Some(Content::Raw(json)) => said.context(0, ContextKind::Hidden, json.as_json()),
        None => {}
    }
    if !said.images.is_empty() && said.speech.is_none() {
        if hidden || has_results(content) {
            said.context(0, ContextKind::Image, "image");
        } else {
            said.speech = Some((0, PromptKind::Typed, String::new()));
        }
    }
    said.read_origin(user);
    said
}

fn has_results(content: Option<&Content<'_>>) -> bool {
    content.is_some_and(|content| content.blocks().iter().any(|block| block.answers().is_some()))
}

/// How many steps besides the user's words one text becomes. Each of them is looked up in the whole text again.
const MOST_PARTS: usize = 256;

impl Said {
    fn is_command(&self) -> bool {
        let kind = self.speech.as_ref().map(|(_, kind, _)| kind);
        matches!(kind, Some(PromptKind::Command { .. } | PromptKind::Bash | PromptKind::Memory))
    }

    fn context(&mut self, block: usize, kind: ContextKind, about: &str) {
        self.steps.push((block, StepKind::Context(Box::new(Context { kind, preview: preview(about) }))));
    }

    fn notice(&mut self, block: usize, kind: NoticeKind, severity: Severity, text: &str) {
        let notice = Notice { kind, severity, text: preview(text), times: 1, duration_ms: None };
        self.steps.push((block, StepKind::Notice(Box::new(notice))));
    }

    fn output(&mut self, block: usize, is_error: bool, text: &str) {
        self.steps.push((block, StepKind::Output(Box::new(Output { is_error, preview: preview(text) }))));
    }

    /// Adds to the user's words. Several pieces form one prompt.
    fn speak(&mut self, block: usize, kind: PromptKind, text: &str) {
        match &mut self.speech {
            Some((_, known, speech)) => {
                if *known == PromptKind::Typed {
                    *known = kind;
                }
                speech.push('\n');
                speech.push_str(text);
            }
            None => self.speech = Some((block, kind, text.to_owned())),
        }
    }

    /// Parses a text. Hidden text is never the user's, whatever it looks like.
    fn read_text(&mut self, block: usize, text: &str, hidden: bool) {
        let before = self.steps.len();
        for Segment { raw, kind } in segments(text) {
            self.read_segment(block, raw, kind, hidden);
        }
        let more = (self.steps.len() - before).saturating_sub(MOST_PARTS);
        if more > 0 {
            self.steps.truncate(before + MOST_PARTS);
            self.context(block, ContextKind::Hidden, &format!("and {more} more like this"));
        }
    }

    #[expect(clippy::too_many_lines, reason = "a table: one row for each kind")]
    fn read_segment(&mut self, block: usize, raw: &str, kind: SegmentKind<'_>, hidden: bool) {
        match kind {
            SegmentKind::Plain(text) if text.trim().is_empty() => {}
            SegmentKind::Plain(text) | SegmentKind::Steering(text) if hidden => {
                self.context(block, ContextKind::Hidden, text);
            }
            SegmentKind::Plain(text) | SegmentKind::Steering(text) | SegmentKind::Spoken(text) => {
                self.speak(block, PromptKind::Typed, text);
            }
            SegmentKind::Command(command) => {
                let name = shortened(&format!("/{}", command.name.trim_start_matches('/')), 80);
                let args = preview(command.args.unwrap_or_default());
                let text = format!("{name} {}", command.args.unwrap_or_default());
                self.speak(block, PromptKind::Command { name, args }, text.trim_end());
            }
            SegmentKind::BashInput(command) => self.speak(block, PromptKind::Bash, command),
            SegmentKind::MemoryInput(memory) => self.speak(block, PromptKind::Memory, memory),
            SegmentKind::Plan(plan) => self.speak(block, PromptKind::Plan, plan.plan),
            SegmentKind::CommandOutput { stream, text } => {
                self.output(block, stream == format::text::Stream::Stderr, text);
            }
            SegmentKind::BashOutput(output) => {
                self.output(block, output.is_error(), &output.printed());
            }
            SegmentKind::UnknownCommand { name } => self.output(block, true, &format!("Unknown command: {name}")),
            SegmentKind::Interruption { for_tool_use } => {
                let text = if for_tool_use { "interrupted while a tool was used" } else { "interrupted" };
                self.notice(block, NoticeKind::Interrupted, Severity::Warning, text);
            }
            SegmentKind::TaskNotification(notification) => self.notification(block, &notification),
            SegmentKind::TaskEvent(json) => self.task_event(block, json),
            SegmentKind::Event { text, .. } if hidden => self.context(block, ContextKind::Hidden, text),
            SegmentKind::Event { source, text, .. } => {
                let kind = match source {
                    EventSource::Host => PromptKind::Program,
                    EventSource::Schedule => PromptKind::Scheduled,
                    EventSource::Slack => PromptKind::Channel("Slack".into()),
                };
                self.speak(block, kind, text);
            }
            SegmentKind::SystemNotice(text) | SegmentKind::Tick(text) | SegmentKind::Goal(text) => {
                self.speak(block, PromptKind::Program, text);
            }
            SegmentKind::TeammateMessage(message) => {
                let from = shortened(message.teammate_id.unwrap_or_default(), 80);
                self.speak(block, PromptKind::Teammate(from), &message.body.words());
            }
            SegmentKind::CrossSessionMessage(message) => {
                let from = shortened(message.from_name.or(message.from).unwrap_or_default(), 80);
                self.speak(block, PromptKind::Peer(from), message.body);
            }
            SegmentKind::AgentMessage(message) => {
                self.speak(block, PromptKind::Peer(shortened(message.from.unwrap_or_default(), 80)), message.body);
            }
            SegmentKind::ChannelMessage(message) => {
                let source = shortened(message.source.unwrap_or_default(), 80);
                self.speak(block, PromptKind::Channel(source), message.body);
            }
            SegmentKind::CoordinatorMessage(text) => self.speak(block, PromptKind::Peer("coordinator".into()), text),
            SegmentKind::Fork { directive, .. } => self.speak(block, PromptKind::Typed, directive),
            SegmentKind::Warmup => {
                self.is_warmup = true;
                self.speak(block, PromptKind::Program, raw);
            }
            SegmentKind::SummaryRequest(text) | SegmentKind::SuggestionRequest(text) => {
                self.is_warmup = true;
                self.speak(block, PromptKind::Program, text);
            }
            SegmentKind::CompactSummary(summary) => {
                let compaction = Compaction {
                    trigger: Trigger::Unknown,
                    tokens_before: None,
                    tokens_after: None,
                    preview: preview(summary.body),
                    summary: None,
                    preserved: 0,
                    extent: Extent::Whole,
                };
                self.steps.push((block, StepKind::Compaction(Box::new(compaction))));
            }
            SegmentKind::Caveat(text) => self.context(block, ContextKind::Filler, text),
            SegmentKind::ResumeFiller if hidden => self.context(block, ContextKind::Filler, raw),
            SegmentKind::Paste(_) | SegmentKind::ResumeFiller => self.speak(block, PromptKind::Typed, raw),
            SegmentKind::Reminder(text) | SegmentKind::PeerNote(text) | SegmentKind::TotalTokens { text, .. } => {
                self.context(block, ContextKind::Reminder, text);
            }
            SegmentKind::OpenedFile(file) => self.context(block, ContextKind::Editor, file.path.unwrap_or(raw)),
            SegmentKind::Selection(selection) => {
                self.context(block, ContextKind::Editor, selection.path.unwrap_or(raw));
            }
            SegmentKind::Diagnostics(text) => self.context(block, ContextKind::Editor, text),
            SegmentKind::HookOutput { hook, text } => {
                self.context(block, ContextKind::Hook, &format!("{hook}: {text}"));
            }
            SegmentKind::Hook(hook) if hook.says == HookSays::PromptStopped && !hidden => {
                self.notice(block, NoticeKind::Hook, Severity::Warning, raw);
            }
            SegmentKind::Hook(_) => self.context(block, ContextKind::Hook, raw),
            SegmentKind::SkillBody(_) => self.context(block, ContextKind::Skill, raw),
            SegmentKind::SkillLoaded { name } => self.context(block, ContextKind::Skill, name),
            SegmentKind::ImageNote(_) => self.context(block, ContextKind::Image, raw),
            SegmentKind::UploadedFiles(_) => self.context(block, ContextKind::File, raw),
            SegmentKind::Injected { name, .. } => self.context(block, ContextKind::Hidden, name),
        }
    }

    fn notification(&mut self, block: usize, notification: &TaskNotification<'_>) {
        let status = match notification.status {
            Some(TaskStatus::Completed) => "completed",
            Some(TaskStatus::Failed) => "failed",
            Some(TaskStatus::Killed) => "killed",
            Some(TaskStatus::Stopped) => "stopped",
            Some(TaskStatus::Running) => "running",
            Some(TaskStatus::Other(status)) => status,
            None => "",
        };
        let task = notification.task_id.unwrap_or_default();
        let words = notification.summary.or(notification.event).or(notification.result).unwrap_or_default();
        let kind = PromptKind::Notification { task: shortened(task, 80), status: shortened(status, 40) };
        self.speak(block, kind, &unescape(words));
        if !task.is_empty() {
            self.task = Some((Key::of(task), notification.tool_use_id.map(Key::of)));
        }
    }

    /// A task has started. The call that started it is shown anyway; this only links the two.
    fn task_event(&mut self, block: usize, json: &str) {
        let scratch = Scratch::default();
        let event = task_event(json, &scratch).unwrap_or_default();
        self.context(block, ContextKind::Tasks, event.description.map_or(json, Text::as_str));
        if let (Some(task), Some(call)) = (event.task_id, event.tool_use_id) {
            self.task = Some((Key::of(&task), Some(Key::of(call.as_str()))));
        }
    }

    /// The entry's own statement about the speaker overrides the look of the text.
    fn read_origin(&mut self, user: &User<'_>) {
        let Some((_, kind, _)) = &mut self.speech else { return };
        if *kind != PromptKind::Typed {
            return;
        }
        let name = |text: Option<Text<'_>>| shortened(text.map_or("", Text::as_str), 80);
        let scheduled =
            user.scheduled_task_id.is_some() || user.turn_origin.is_some_and(|origin| origin == "scheduled");
        match user.origin.as_ref().and_then(|origin| Some((origin, origin.kind?))) {
            _ if scheduled => *kind = PromptKind::Scheduled,
            Some((origin, OriginKind::Peer)) => *kind = PromptKind::Peer(name(origin.name.or(origin.from))),
            Some((_, OriginKind::Coordinator)) => *kind = PromptKind::Peer("coordinator".into()),
            Some((origin, OriginKind::Channel)) => *kind = PromptKind::Channel(name(origin.server)),
            Some((
                _,
                OriginKind::TaskNotification
                | OriginKind::Observer
                | OriginKind::ObserverActivity
                | OriginKind::AutoContinuation,
            )) => *kind = PromptKind::Program,
            Some((_, OriginKind::Human | OriginKind::Unclassified | OriginKind::Other(_))) | None => {}
        }
    }
}

impl StoryBuilder {
    /// A prompt that reached the model outside the conversation: as an attachment, or by a command of the program.
    pub(super) fn prompt_beside(
        &mut self,
        node: NodeId,
        spot: Spot,
        texts: &[&str],
        images: &[i64],
        delivery: Delivery,
    ) {
        let mut said = Said::default();
        for (block, text) in texts.iter().enumerate() {
            said.read_text(block, text, false);
        }
        said.images = images.to_vec();
        if said.speech.is_none() && !said.images.is_empty() {
            said.speech = Some((0, PromptKind::Typed, String::new()));
        }
        let before = self.story.steps.len();
        self.add_parsed_steps(node, spot, said);
        for step in self.story.steps.iter_mut().skip(before) {
            if let StepKind::Prompt(prompt) = &mut step.kind {
                prompt.delivery = delivery;
            }
        }
    }
}
