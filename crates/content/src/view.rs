//! The sections of a step, whose lines are read again.
//!
//! A story contains only positions; the texts are in the lines. Sections borrow from a line, so they are passed to a
//! closure while the line is in memory.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::Arc;

use format::block::{Block, Content};
use format::message::InputTransformation;
use format::text::segments;
use format::tool::{Calls, Structured, read_result};
use format::{Body as EntryBody, Entry, Note, Reach, Scope, Scratch, Text};
use story::accounting::Fate;
use story::step::{Call, Context, Notice, NoticeKind, Output, Prompt, PromptKind, StepKind};
use story::{BlockPlace, Detail, LONGEST_COMPANION, LineId, Role, Span, Step, Story, Texts, Wanted};

use crate::again::{Again, SHOWN};
use crate::call::{CallParts, CallSections, Stored};
use crate::entry::{content_of, entry};
use crate::label::STDERR;
use crate::pen::Pen;
use crate::section::{Body, Label, Section, Speaker, drop_empty_groups};
use crate::speech::{self, SpeechKind, part};
use crate::{block, call};

/// The sections of a step, without its own line. For calls see [`call_sections`].
pub fn step_sections<T>(
    story: &Story,
    texts: &mut dyn Texts,
    step: &Step,
    show: impl FnOnce(&[Section<'_>]) -> T,
) -> T {
    let place = match &step.kind {
        StepKind::Compaction(compaction) => compaction.summary,
        StepKind::Joint(_) | StepKind::Call(_) => None,
        // No line contains the whole of a partial message.
        StepKind::Reply(reply) if reply.partial => {
            return show(&[section(Speaker::Claude, Detail::Talk, Body::Reply(Cow::Borrowed(&reply.preview)))]);
        }
        StepKind::Outcome(outcome) => {
            let errors = if outcome.is_error { &outcome.errors[..] } else { &[] };
            let error = |error| section(Speaker::Program, Detail::Talk, Body::Output(Cow::Borrowed(error)));
            return show(&errors.iter().map(|words| error(&**words)).collect::<Vec<_>>());
        }
        StepKind::Prompt(_)
        | StepKind::Reply(_)
        | StepKind::Thinking(_)
        | StepKind::Output(_)
        | StepKind::Notice(_)
        | StepKind::Context(_)
        | StepKind::Orphan(_)
        | StepKind::Unknown(_) => Some(step.place),
    };
    let Some(place) = place else { return show(&[]) };
    let pastes = if let StepKind::Prompt(_) = &step.kind { Pastes::of(story, texts, place) } else { Pastes::default() };
    let wanted = match &step.kind {
        StepKind::Prompt(_) => Wanted::Entry,
        // What the program changed in a message is said beside its blocks.
        StepKind::Notice(notice) if notice.kind == NoticeKind::Session => Wanted::Entry,
        StepKind::Orphan(_) => Wanted::Result,
        StepKind::Reply(_)
        | StepKind::Thinking(_)
        | StepKind::Output(_)
        | StepKind::Notice(_)
        | StepKind::Context(_)
        | StepKind::Compaction(_)
        | StepKind::Unknown(_)
        | StepKind::Call(_)
        | StepKind::Joint(_)
        | StepKind::Outcome(_) => Wanted::Block,
    };
    let again = match Again::of(story, texts, place, wanted) {
        Ok(again) => again,
        Err(why) => return show(&without(step, why)),
    };
    let (scratch, place) = (Scratch::default(), again.place());
    let Some((mut entry, _)) = again.read(&scratch, SHOWN) else { return show(&[]) };
    let structured = entry.body.take_structured();
    let entry = &entry;
    match &step.kind {
        StepKind::Prompt(prompt) => show(&self::prompt(entry, prompt, &pastes)),
        StepKind::Reply(_) => show(&words(entry, place, Detail::Talk, Body::Reply)),
        StepKind::Thinking(_) => show(&words(entry, place, Detail::Full, Body::Thinking)),
        StepKind::Output(output) => show(&self::output(entry, place, output)),
        StepKind::Notice(notice) => show(&self::notice(entry, notice)),
        StepKind::Context(context) => show(&self::context(entry, place, context)),
        StepKind::Compaction(_) => {
            let text = summary_text(entry, place);
            show(&one(text, |text| section(Speaker::Claude, Detail::Full, Body::Reply(text))))
        }
        StepKind::Orphan(_) => orphan(entry, place, structured, &scratch, show),
        StepKind::Unknown(_) => show(&unknown(entry, place)),
        StepKind::Call(_) | StepKind::Joint(_) | StepKind::Outcome(_) => show(&[]),
    }
}

/// The texts of large pastes in a typed prompt, which are stored beside the prompt history.
#[derive(Debug, Default)]
pub struct Pastes(HashMap<String, String>);

impl Pastes {
    /// Reads the pastes of the prompt at a place. One that is gone is left out.
    pub fn of(story: &Story, texts: &mut dyn Texts, place: BlockPlace) -> Self {
        let mut hashes: Vec<String> = Vec::new();
        let is_typed = story.span(place.line).and_then(|span| story.source(span.source));
        if is_typed.is_some_and(|source| source.role == Role::Prompts)
            && let Ok(again) = Again::of(story, texts, place, Wanted::Entry)
        {
            let scratch = Scratch::default();
            let entry = again.read(&scratch, SHOWN).map(|(entry, _)| entry);
            if let Some(EntryBody::History(typed)) = entry.as_ref().map(|entry| &entry.body) {
                let stored = typed.pasted_contents.iter().filter(|(_, pasted)| pasted.content.is_none());
                hashes.extend(stored.filter_map(|(_, pasted)| Some(pasted.content_hash?.as_str().to_owned())));
            }
        }
        let mut read = |hash: String| {
            let bytes = texts.paste(&hash).ok().flatten().filter(|bytes| bytes.len() <= LONGEST_COMPANION)?;
            Some((hash, String::from_utf8_lossy(&bytes).into_owned()))
        };
        Self(hashes.into_iter().filter_map(&mut read).collect())
    }

    /// The whole text of a prompt; `None` if the entry is none.
    pub fn prompt_text(&self, entry: &Entry<'_>) -> Option<String> {
        story::prompt_text_with(entry, &mut |hash| self.0.get(hash).cloned())
    }
}

/// The sections of a call, with its output if that is stored beside the session.
pub fn call_sections<T>(
    story: &Story,
    texts: &mut dyn Texts,
    step: &Step,
    call: &Call,
    mut show: impl FnMut(&CallSections<'_>) -> T,
) -> T {
    // Only the result shows whether more of it is stored elsewhere.
    let shown = with_call(story, texts, step, call, SHOWN, |parts| match parts.stored_name() {
        Some(name) => Err(name.to_owned()),
        None => Ok(show(&CallSections::new(call, parts, None))),
    });
    shown.unwrap_or_else(|name| {
        let stored = Stored::read(texts, &name);
        with_call(story, texts, step, call, SHOWN, |parts| show(&CallSections::new(call, parts, stored.as_ref())))
    })
}

/// Reads a call and its result from their lines, as far as `reach` says.
pub fn with_call<T>(
    story: &Story,
    texts: &mut dyn Texts,
    step: &Step,
    call: &Call,
    reach: Reach,
    show: impl FnOnce(&CallParts<'_>) -> T,
) -> T {
    let asked = Again::of(story, texts, step.place, Wanted::Call).map(Again::into_owned);
    let answered = call.result.map(|place| Again::of(story, texts, place, Wanted::Result)).transpose();
    let mut parts = CallParts::default();
    let scratch = Scratch::default();
    let entry = match &asked {
        Ok(again) => again.read(&scratch, reach).map(|(entry, _)| (entry, again.place())),
        Err(why) => {
            parts.input_missing = Some(why);
            None
        }
    };
    let asking = entry.as_ref().and_then(|(entry, place)| block_at(entry, *place));
    if let Some(Block::ToolUse(call) | Block::ServerToolUse(call)) = asking {
        (parts.input, parts.input_json) = (call.input.as_ref(), call.input_json);
    } else if let Some(Block::McpToolUse(call)) = asking {
        parts.input_json = call.input;
    }
    let entry = entry.as_ref().map(|(entry, _)| entry);
    let asked_notes = entry.map(|entry| tool_notes(entry, |block| block.call().is_some())).unwrap_or_default();
    parts.input_notes = &asked_notes;
    let calls = Calls::default();
    calls.open(call.id.as_ref().into(), Arc::clone(&call.tool));
    let read = match &answered {
        Ok(again) => again
            .as_ref()
            .and_then(|again| Some((again.read(&scratch, Scope { calls: Some(&calls), reach })?.0, again.place()))),
        Err(why) => {
            parts.result_missing = Some(why);
            None
        }
    };
    let (mut entry, place) = read.map_or((None, step.place), |(entry, place)| (Some(entry), place));
    let structured = entry.as_mut().and_then(|entry| entry.body.take_structured());
    let entry = entry.as_ref();
    let answer = entry.and_then(|entry| block_at(entry, place));
    let (typed, notes);
    if let Some(answer) = answer.and_then(Block::as_result) {
        // With several results, the line does not name the one to which the structured result belongs.
        let blocks = entry.and_then(content_of).map_or(&[][..], Content::blocks);
        let structured = structured.filter(|_| blocks.iter().filter_map(Block::as_result).count() == 1);
        typed = read_result(Some(&call.tool), structured, Some(answer), &scratch);
        (parts.result, parts.content) = (Some(&typed.result), answer.content.as_ref());
        let inline = entry.map(|entry| tool_notes(entry, |block| block.as_result().is_some())).unwrap_or_default();
        notes = inline.into_iter().chain(typed.notes.iter().copied()).collect::<Vec<_>>();
        parts.result_notes = &notes;
    } else if let Some(answer) = answer.and_then(Block::as_server_result) {
        parts.result_json = answer.content;
    }
    show(&parts)
}

/// The notes about the only call or result of an entry. With several, it is unknown to which one a note belongs.
fn tool_notes<'a>(entry: &Entry<'a>, is_of: impl Fn(&Block<'a>) -> bool) -> Vec<Note<'a>> {
    let blocks = content_of(entry).map_or(&[][..], Content::blocks);
    if entry.notes.is_empty() || blocks.iter().filter(|block| is_of(block)).count() != 1 {
        return Vec::new();
    }
    entry.notes.iter().filter(|note| call::is_of_tool(note)).copied().collect()
}

/// A line exactly as it is stored, for the level `raw`; of a line that holds many entries or blocks, the part of this
/// one.
pub fn raw_line(story: &Story, texts: &mut dyn Texts, place: BlockPlace) -> String {
    match Again::of(story, texts, place, Wanted::Block) {
        Ok(again) => String::from_utf8_lossy(again.bytes()).trim_end().to_owned(),
        Err(why) => why,
    }
}

/// The lines of a session that are not part of its story, each with its kind.
pub fn lines_not_shown(story: &Story) -> impl Iterator<Item = (LineId, Span, &str)> {
    story.lines().filter_map(|(line, span, fate)| {
        let what = match fate {
            Fate::Shown => return None,
            Fate::Bookkeeping(kind) => story.kind_name(kind),
            Fate::Duplicate(_) => "said before",
            Fate::Malformed => "malformed",
            Fate::Unknown => "unknown",
        };
        let is_own = story.source(span.source).is_some_and(|source| source.role != Role::Elsewhere);
        is_own.then_some((line, span, what))
    })
}

fn section(speaker: Speaker, level: Detail, body: Body<'_>) -> Section<'_> {
    Section { speaker, level, label: Label::default(), body }
}

fn one<'e>(text: Option<Cow<'e, str>>, section: impl FnOnce(Cow<'e, str>) -> Section<'e>) -> Vec<Section<'e>> {
    text.filter(|text| !text.trim().is_empty()).map(section).into_iter().collect()
}

/// The remaining sections of a step whose line cannot be read.
fn without(step: &Step, why: String) -> Vec<Section<'_>> {
    let missing = section(Speaker::Program, step.kind.detail(), Body::Missing(Cow::Owned(why)));
    match &step.kind {
        StepKind::Prompt(_)
        | StepKind::Reply(_)
        | StepKind::Thinking(_)
        | StepKind::Output(_)
        | StepKind::Context(_)
        | StepKind::Compaction(_) => vec![missing],
        // The lines of these steps are sufficient.
        StepKind::Call(_)
        | StepKind::Notice(_)
        | StepKind::Joint(_)
        | StepKind::Outcome(_)
        | StepKind::Orphan(_)
        | StepKind::Unknown(_) => Vec::new(),
    }
}

/// The block at a place.
pub fn block_at<'i, 'e>(entry: &'i Entry<'e>, place: BlockPlace) -> Option<&'i Block<'e>> {
    content_of(entry)?.blocks().get(place.block as usize)
}

/// The text at a place. Outside messages, only text blocks count.
pub fn text_at<'e>(entry: &Entry<'e>, place: BlockPlace) -> Option<&'e str> {
    let (content, number) = (content_of(entry)?, place.block as usize);
    let text = if let (Some(_), Content::Blocks(blocks)) = (entry.inner().body.message(), content) {
        let Block::Text(text) = blocks.get(number)? else { return None };
        text.text
    } else {
        content.texts().nth(number)
    };
    text.map(Text::as_str)
}

/// The text or thinking of the model at a place.
pub fn speech_text<'e>(entry: &Entry<'e>, place: BlockPlace) -> Option<&'e str> {
    if let Some(Block::Thinking(thinking)) = block_at(entry, place) {
        return thinking.thinking.map(Text::as_str);
    }
    text_at(entry, place)
}

/// The context besides the prompt that begins with these words.
pub fn context_text<'e>(entry: &Entry<'e>, place: BlockPlace, first_words: &str) -> Option<Cow<'e, str>> {
    part(text_at(entry, place)?, SpeechKind::Context, first_words, is_hidden(entry))
}

/// Whether the words of an entry are hidden from the user.
pub fn is_hidden(entry: &Entry<'_>) -> bool {
    let entry = entry.inner();
    entry.envelope.is_meta == Some(true)
        || matches!(&entry.body, EntryBody::User(user) if user.is_synthetic == Some(true))
}

/// A summary of the conversation.
pub fn summary_text<'e>(entry: &Entry<'e>, place: BlockPlace) -> Option<Cow<'e, str>> {
    if let EntryBody::CollapseCommit(commit) = &entry.body {
        return commit.summary.or(commit.summary_content).map(|text| text.as_str().into());
    }
    if let EntryBody::User(user) = &entry.body {
        let text = text_at(entry, place)?;
        let is_summary = user.is_compact_summary == Some(true);
        return part(text, SpeechKind::Summary, "", false).or_else(|| is_summary.then_some(Cow::Borrowed(text)));
    }
    let Block::Compaction(compaction) = block_at(entry, place)? else { return None };
    compaction.content.map(|text| text.as_str().into())
}

fn words<'e>(
    entry: &Entry<'e>,
    place: BlockPlace,
    level: Detail,
    body: fn(Cow<'e, str>) -> Body<'e>,
) -> Vec<Section<'e>> {
    let text = speech_text(entry, place).map(Cow::Borrowed);
    one(text, |text| section(Speaker::Claude, level, body(text)))
}

/// The output of a command: each stream apart, and the exit code.
fn output<'e>(entry: &'e Entry<'e>, place: BlockPlace, output: &Output) -> Vec<Section<'e>> {
    let Some(text) = text_at(entry, place) else { return Vec::new() };
    let mut has_tags = false;
    let sections = gathered(Speaker::Program, |pen| has_tags = speech::output(text, &output.preview, pen));
    // The output of a local command has no tags if a field marks it as output.
    let is_plain = matches!(entry.body, EntryBody::System(_)) && !text.contains("<local-command-");
    if has_tags || !is_plain {
        return sections;
    }
    let key = if output.is_error { STDERR } else { "stdout" };
    let label = Label { key, ..Label::default() };
    one(Some(Cow::Borrowed(text)), |text| Section {
        label,
        ..section(Speaker::Program, Detail::Steps, Body::Output(text))
    })
}

/// Collects the sections that `put` adds.
fn gathered<'e>(speaker: Speaker, put: impl FnOnce(&mut Pen<'_, 'e>)) -> Vec<Section<'e>> {
    let mut sections = Vec::new();
    let mut each = |section| sections.push(section);
    put(&mut Pen::new(Detail::Full, &mut each).by(speaker));
    sections
}

/// The sections of a prompt: its words, its images, and additions to a prompt that no person typed.
fn prompt<'e>(entry: &'e Entry<'e>, prompt: &'e Prompt, pastes: &Pastes) -> Vec<Section<'e>> {
    let speaker = if prompt.kind.is_human() { Speaker::Human } else { Speaker::Program };
    let text = pastes.prompt_text(entry).map_or(Cow::Borrowed(&*prompt.preview), Cow::Owned);
    let body = |text: Cow<'e, str>| match &prompt.kind {
        // A user may type anything; a model writes Markdown.
        PromptKind::Parent | PromptKind::Plan => Body::Prose(text),
        PromptKind::Bash => Body::Code { language: "bash", text },
        PromptKind::Typed
        | PromptKind::Command { .. }
        | PromptKind::Memory
        | PromptKind::Notification { .. }
        | PromptKind::Scheduled
        | PromptKind::Teammate(_)
        | PromptKind::Peer(_)
        | PromptKind::Channel(_)
        | PromptKind::Program => Body::Words(text),
    };
    let mut sections = one(Some(text), |text| section(speaker, Detail::Prompts, body(text)));
    if !prompt.kind.is_human() {
        let text = sections.first().and_then(|section| section.body.text().map(str::to_owned)).unwrap_or_default();
        let pieces = content_of(entry).into_iter().flat_map(Content::texts).flat_map(|text| segments(text.as_str()));
        let more = pieces.filter(|segment| speech::speech_kind(segment) == SpeechKind::Prompt).flat_map(|segment| {
            let mut more = gathered(speaker, |pen| speech::segment(&segment, speaker, pen));
            more.retain(|section| section.level == Detail::Full && section.body.text() != Some(&*text));
            more
        });
        sections.extend(more);
    }
    for image in content_of(entry).map_or(&[][..], Content::blocks) {
        if let Block::Image(image) = image {
            let mut images = gathered(speaker, |pen| block::picture(image, pen));
            images.retain(|section| matches!(section.body, Body::Image(_)));
            for section in &mut images {
                section.level = Detail::Prompts;
            }
            sections.extend(images);
        }
    }
    sections
}

/// What the API changed in the input of a message. The rest of the entry has steps of its own.
pub fn transformations<'i, 'e>(entry: &'i Entry<'e>) -> Option<&'i [InputTransformation<'e>]> {
    let EntryBody::Assistant(assistant) = &entry.body else { return None };
    let changes = &assistant.message.as_deref()?.input_transformations;
    (!changes.is_empty()).then_some(changes)
}

/// The sections of a notice, without its own line.
fn notice<'e>(entry: &'e Entry<'e>, notice: &Notice) -> Vec<Section<'e>> {
    let mut sections = Vec::new();
    if let (Some(changes), NoticeKind::Session) = (transformations(entry), notice.kind) {
        return gathered(Speaker::Program, |pen| pen.records("change", changes, &[]));
    }
    // A text in the user's role may contain several steps, and the line of its notice is complete.
    if !matches!(entry.body, EntryBody::User(_)) {
        self::entry(entry, Detail::Full, &mut |section| sections.push(section));
    }
    sections.retain(|section| !is_said(section, &notice.text));
    drop_empty_groups(&mut sections);
    sections
}

/// Whether a line contains the whole text of a section, not only its beginning.
fn is_said(section: &Section<'_>, line: &str) -> bool {
    section.body.text().is_some_and(|text| {
        let words = story::preview(text);
        !words.ends_with('…') && line.contains(&*words)
    })
}

/// The context for the model besides the prompt.
fn context<'e>(entry: &'e Entry<'e>, place: BlockPlace, context: &Context) -> Vec<Section<'e>> {
    if let Some(text) = context_text(entry, place, &context.preview) {
        return one(Some(text), |text| section(Speaker::Program, Detail::Full, Body::Words(text)));
    }
    let mut sections = Vec::new();
    if !matches!(entry.body, EntryBody::User(_)) {
        self::entry(entry, Detail::Full, &mut |section| sections.push(section));
    } else if let Some(part) = block_at(entry, place).filter(|part| !matches!(part, Block::Text(_))) {
        sections = gathered(Speaker::Program, |pen| block::block(part, pen));
    }
    sections.retain(|section| !is_said(section, &context.preview));
    drop_empty_groups(&mut sections);
    sections
}

/// A result without its call, whose keys determine its type.
fn orphan<'e, T>(
    entry: &'e Entry<'e>,
    place: BlockPlace,
    structured: Option<Structured<'e>>,
    scratch: &'e Scratch,
    show: impl FnOnce(&[Section<'_>]) -> T,
) -> T {
    let Some(answer) = block_at(entry, place).and_then(Block::as_result) else {
        let served = block_at(entry, place).and_then(Block::as_server_result).and_then(|answer| answer.content);
        return show(&gathered(Speaker::Tool, |pen| served.iter().for_each(|json| block::served(*json, pen))));
    };
    let is_single = content_of(entry).map_or(&[][..], Content::blocks).iter().filter_map(Block::as_result).count() == 1;
    let typed = read_result(None, structured.filter(|_| is_single), Some(answer), scratch);
    let parts = CallParts { result: Some(&typed.result), content: answer.content.as_ref(), ..CallParts::default() };
    show(&call::came(&parts))
}

/// A block or an entry that no known version writes.
fn unknown<'e>(entry: &'e Entry<'e>, place: BlockPlace) -> Vec<Section<'e>> {
    if let Some(part) = block_at(entry, place) {
        return gathered(Speaker::Program, |pen| block::block(part, pen));
    }
    let mut sections = Vec::new();
    self::entry(entry, Detail::Full, &mut |section| sections.push(section));
    sections
}
