//! Reads the texts of steps from their lines.

use std::borrow::Cow;
use std::collections::HashMap;

use format::block::{Block, Content};
use format::{Body, Entry, Scratch, Text};
use serde::Deserialize;
use serde_json::value::RawValue;
use story::step::{self, NoticeKind};
use story::{BlockPlace, Step, StepId, StepKind, Story, Texts, Wanted};

use content::section::{Body as SectionBody, Section, Value};
use content::speech::{SpeechKind, parts};
use content::view::{Pastes, block_at, call_sections, is_hidden, speech_text, summary_text, text_at, transformations};
use content::{Again, SHOWN, content_of};

use super::json::Json;
use super::step::{CallResult, HumanWords, Streams};
use super::unfinished::Unfinished;

/// Reads texts from the lines of a story.
pub(super) struct Recall<'a> {
    story: &'a Story,
    texts: &'a mut dyn Texts,
    scratch: Scratch,
    /// The steps of the last entry that was asked about, each with the number of earlier ones like it.
    numbers: HashMap<StepId, usize>,
    /// Whether only one step is asked about.
    is_for_one: bool,
    /// The messages of which only pieces have arrived, once one was asked about.
    unfinished: Option<Unfinished>,
}

/// A text, or why it cannot be read.
pub(super) type Read<T> = Result<T, String>;

impl<'a> Recall<'a> {
    pub(super) fn new(story: &'a Story, texts: &'a mut dyn Texts) -> Self {
        Self {
            story,
            texts,
            scratch: Scratch::default(),
            numbers: HashMap::default(),
            is_for_one: false,
            unfinished: None,
        }
    }

    /// For a single step.
    pub(super) fn for_one(story: &'a Story, texts: &'a mut dyn Texts) -> Self {
        Self { is_for_one: true, ..Self::new(story, texts) }
    }

    /// The user's words in the result of a call.
    pub(super) fn human_words(&mut self, step: &Step, call: &step::Call) -> Vec<HumanWords> {
        call_sections(self.story, self.texts, step, call, |sections| {
            let words = |section: &Section<'_>| match &section.body {
                SectionBody::Answer { question, words } => {
                    let question = Some((*question).to_owned()).filter(|question| !question.is_empty());
                    Some(HumanWords { question, words: (*words).to_owned() })
                }
                body => body.text().map(|words| HumanWords { question: None, words: words.to_owned() }),
            };
            sections.human_words().filter_map(words).collect()
        })
    }

    /// The state and the output of a command.
    pub(super) fn streams(&mut self, step: &Step, call: &step::Call) -> Option<Streams> {
        call_sections(self.story, self.texts, step, call, |sections| {
            let mut streams = Streams::default();
            for section in &sections.result {
                match (&section.body, section.label.key) {
                    (SectionBody::Fact(Value::Word(status)), "status") => streams.status = Some((*status).to_owned()),
                    (SectionBody::Fact(Value::Number(code)), "exitCode" | "exit_code") => {
                        streams.exit_code = Some(*code);
                    }
                    (SectionBody::Output(text), _) if section.is_stderr() => {
                        streams.stderr = Some(text.clone().into_owned());
                    }
                    (SectionBody::Output(text), _) => streams.stdout = Some(text.clone().into_owned()),
                    _ => {}
                }
            }
            (streams != Streams::default()).then_some(streams)
        })
    }

    /// Reads an entry again, or as much of it as is wanted around a block, and its JSON.
    fn entry<T>(
        &mut self,
        place: BlockPlace,
        wanted: Wanted,
        look: impl FnOnce(&Entry<'_>, &[u8], BlockPlace) -> T,
    ) -> Read<T> {
        let number = self.story.span(place.line).map_or(0, |span| span.number);
        let again = Again::of(self.story, self.texts, place, wanted)?;
        self.scratch.reset();
        let read = again.read(&self.scratch, SHOWN);
        let looked = read
            .map(|(entry, json)| look(&entry, json, again.place()))
            .ok_or_else(|| format!("line {number} cannot be read again: it has changed"));
        // The texts of a very long line are not kept while the next one is read.
        self.scratch.reset();
        looked
    }

    /// The entry, exactly as in its line; of an entry with many blocks, this one.
    pub(super) fn raw(&mut self, place: BlockPlace) -> Read<String> {
        self.entry(place, Wanted::Block, |_, json, _| String::from_utf8_lossy(json).trim_end().to_owned())
    }

    /// The whole text of a prompt.
    pub(super) fn prompt(&mut self, place: BlockPlace) -> Read<Option<String>> {
        let pastes = Pastes::of(self.story, self.texts, place);
        self.entry(place, Wanted::Entry, |entry, _, _| pastes.prompt_text(entry))
    }

    /// A reply or thinking of the model.
    pub(super) fn speech(&mut self, place: BlockPlace, is_partial: bool) -> Read<Option<String>> {
        if is_partial {
            return self.pieces(place);
        }
        self.entry(place, Wanted::Block, |entry, _, place| {
            speech_text(entry, place).filter(|text| !text.is_empty()).map(str::to_owned)
        })
    }

    /// The text so far of a block that was never finished.
    fn pieces(&mut self, place: BlockPlace) -> Read<Option<String>> {
        self.entry(place, Wanted::Entry, |_, _, _| ())?;
        if self.unfinished.is_none() {
            self.unfinished = Some(self.read_unfinished(self.is_for_one.then_some(place)));
        }
        Ok(self.unfinished.as_ref().and_then(|texts| texts.text(place)).map(str::to_owned))
    }

    /// Puts all messages together of which only pieces have arrived, in one pass: a stream may hold thousands.
    fn read_unfinished(&mut self, only: Option<BlockPlace>) -> Unfinished {
        let story = self.story;
        let mut unfinished = only.map_or_else(|| Unfinished::of(story), Unfinished::at);
        let Some(first) = unfinished.first_line() else { return unfinished };
        for (line, span, _) in story.lines().skip(first.index()).filter(|(_, span, _)| span.length > 0) {
            for entry in 0..story.entries_on(line) {
                let place = BlockPlace { line, entry, block: 0 };
                let piece = self.entry(place, Wanted::Entry, |entry, _, _| {
                    if let Body::StreamEvent(part) = &entry.body
                        && let Some(event) = &part.event
                    {
                        unfinished.push(span.source, entry.envelope.parent_tool_use_id, place, event);
                    }
                });
                // A line that is not an entry is not a piece either.
                drop(piece);
            }
        }
        unfinished.finish();
        unfinished
    }

    /// The input of a tool.
    pub(super) fn input(&mut self, place: BlockPlace) -> Read<Option<Json>> {
        self.entry(place, Wanted::Block, |entry, _, place| {
            let json = match block_at(entry, place)? {
                Block::ToolUse(call) | Block::ServerToolUse(call) => call.input_json,
                Block::McpToolUse(call) => call.input,
                _ => None,
            };
            Json::new(json?.as_json())
        })
    }

    /// The result of a tool.
    pub(super) fn result(&mut self, place: BlockPlace) -> Read<CallResult> {
        self.entry(place, Wanted::Result, |entry, _, place| {
            let Some(block) = block_at(entry, place) else { return CallResult::default() };
            if let Some(result) = block.as_server_result() {
                let structured = result.content.and_then(|json| Json::new(json.as_json()));
                return CallResult { structured, ..CallResult::default() };
            }
            let content = block.as_result().and_then(|result| result.content.as_ref());
            CallResult { structured: structured(entry), ..content.map(result_of).unwrap_or_default() }
        })
    }

    /// The output of a command.
    pub(super) fn output(&mut self, id: StepId, step: &Step) -> Read<Option<String>> {
        let number = self.number(id, step);
        self.entry(step.place, Wanted::Block, |entry, _, place| {
            let text = text_at(entry, place)?;
            // A local command's output has no tags if a field identifies it.
            numbered_part(text, SpeechKind::Output, number, false)
                .or_else(|| matches!(entry.body, Body::System(_)).then(|| text.to_owned()))
        })
    }

    /// Context for the model besides the prompt: its text and its attachment.
    pub(super) fn context(&mut self, id: StepId, step: &Step) -> Read<(Option<String>, Option<Json>)> {
        let number = self.number(id, step);
        self.entry(step.place, Wanted::Block, |entry, json, place| {
            let part = |text| numbered_part(text, SpeechKind::Context, number, is_hidden(entry));
            let said = text_at(entry, place).and_then(part);
            let Body::Attachment(attached) = &entry.body else { return (said, None) };
            let scratch = Scratch::default();
            let sent = attached.rendered.and_then(|json| json.as_text(&scratch).map(|text| text.to_string()));
            (sent.or(said), attachment(json))
        })
    }

    /// A summary of the conversation.
    pub(super) fn summary(&mut self, place: BlockPlace) -> Read<Option<String>> {
        self.entry(place, Wanted::Block, |entry, _, place| summary_text(entry, place).map(Cow::into_owned))
    }

    /// The text and the attachment of a notice.
    pub(super) fn notice(&mut self, place: BlockPlace, kind: NoticeKind) -> Read<(Option<String>, Option<Json>)> {
        let wanted = if kind == NoticeKind::Session { Wanted::Entry } else { Wanted::Block };
        self.entry(place, wanted, |entry, json, place| match &entry.body {
            // The text of the message has a step of its own.
            Body::Assistant(_) if kind == NoticeKind::Session && transformations(entry).is_some() => (None, None),
            Body::System(_) | Body::Assistant(_) => (text_at(entry, place).map(str::to_owned), None),
            Body::Attachment(_) => (None, attachment(json)),
            _ => (None, None),
        })
    }

    /// The result of a run: its text, and the structured output if one was requested.
    pub(super) fn outcome(&mut self, place: BlockPlace) -> Read<(Option<String>, Option<Json>)> {
        self.entry(place, Wanted::Entry, |entry, _, _| {
            let Body::Result(result) = &entry.body else { return (None, None) };
            let scratch = Scratch::default();
            let text = result.result.and_then(|json| json.as_text(&scratch).map(|text| text.to_string()));
            (text, result.structured_output.and_then(|json| Json::new(json.as_json())))
        })
    }

    /// How many earlier steps of the same kind come from the same block.
    fn number(&mut self, id: StepId, step: &Step) -> usize {
        if !self.numbers.contains_key(&id) {
            self.numbers = numbers(self.story, id, step);
        }
        self.numbers.get(&id).copied().unwrap_or_default()
    }
}

/// Numbers the steps of an entry: how many earlier ones of the same kind come from the same block. They follow one
/// another.
fn numbers(story: &Story, id: StepId, step: &Step) -> HashMap<StepId, usize> {
    let is_beside = |other: &Step| (other.place.line, other.place.entry) == (step.place.line, step.place.entry);
    let earlier = story.steps_before(id).take_while(|step| is_beside(step)).count();
    let mut counts: HashMap<(u32, bool), usize> = HashMap::default();
    let mut numbers = HashMap::default();
    for (id, step) in story.steps_from(id, earlier).take_while(|(_, step)| is_beside(step)) {
        let is_output = match step.kind {
            StepKind::Output(_) => true,
            StepKind::Context(_) => false,
            _ => continue,
        };
        let count = counts.entry((step.place.block, is_output)).or_default();
        numbers.insert(id, *count);
        *count += 1;
    }
    numbers
}

/// The part of a text that is shown as the `number`th step of its kind.
///
/// If there are fewer parts, the last one: the text has not changed, only its division into steps.
fn numbered_part(text: &str, speech_kind: SpeechKind, number: usize, is_hidden: bool) -> Option<String> {
    parts(text, speech_kind, is_hidden).take(number.saturating_add(1)).last().map(Cow::into_owned)
}

/// The texts of a result, and the types of its other blocks.
fn result_of(content: &Content<'_>) -> CallResult {
    let texts: Vec<&str> = content.texts().map(Text::as_str).collect();
    let text = match content {
        Content::Raw(json) => Some(json.as_json().to_owned()),
        Content::Text(_) | Content::Blocks(_) => (!texts.is_empty()).then(|| texts.join("\n")),
    };
    let others = content.blocks().iter().filter(|block| !matches!(block, Block::Text(_)));
    CallResult { text, other_blocks: others.map(|block| block.kind().to_owned()).collect(), ..CallResult::default() }
}

/// The `toolUseResult`. If there are several results, nothing says which of them it belongs to.
fn structured(entry: &Entry<'_>) -> Option<Json> {
    let results = content_of(entry)?.blocks().iter().filter_map(Block::as_result).count();
    let json = match &entry.body {
        Body::User(user) if results == 1 => user.tool_use_result.as_ref()?.json,
        _ => return None,
    };
    Json::new(json.as_json())
}

/// The attachment of an entry, exactly as in its line.
fn attachment(json: &[u8]) -> Option<Json> {
    #[derive(Deserialize)]
    struct Attached<'a> {
        #[serde(borrow)]
        attachment: Option<&'a RawValue>,
    }
    let text = String::from_utf8_lossy(json);
    // Debris around a line is no part of it.
    let object = text.get(text.find('{')?..=text.rfind('}')?)?;
    Json::new(serde_json::from_str::<Attached<'_>>(object).ok()?.attachment?.get())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_is_found_by_its_number() {
        let text = "<local-command-stdout>12 files</local-command-stdout>\n\
                    <local-command-stderr>none left</local-command-stderr>";
        let part = |number| numbered_part(text, SpeechKind::Output, number, false);
        assert_eq!([0, 1, 7].map(part), ["12 files", "none left", "none left"].map(|part| Some(part.to_owned())));
        assert_eq!(numbered_part(text, SpeechKind::Summary, 0, false), None);
    }
}
