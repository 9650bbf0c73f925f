//! What a step shows in full, whatever it is shown on.
//!
//! A story knows where things stand; here their texts are read from the lines
//! and sorted into [`Section`]s, which every target shows in its own way. What
//! is special about a tool is in `call`.

mod call;

use format::block::{Attached, Block, Content};
use format::entry::attachment::Attachment;
use format::text::{Kind, segments};
use format::tool::{Calls, ToolInput, ToolResult};
use format::{Body, Entry, Raw, Scratch, Text};
use story::accounting::Fate;
use story::step::{Call, StepKind};
use story::{LineId, Place, Role, Span, Step, Story, Texts};

/// A piece of what a step shows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Section {
    /// Words in Markdown.
    Prose(String),
    /// Words as they were typed.
    Plain(String),
    /// What a program printed, perhaps in colours.
    Output(String),
    /// Code, data, or a file.
    Code {
        /// The language, if it is said.
        language: Option<String>,
        /// The path of the file that it is from, if it is.
        path: Option<String>,
        /// The number of its first line in that file.
        first_line: usize,
        /// The code.
        text: String,
    },
    /// Changes of a file.
    Patch {
        /// The file.
        path: String,
        /// The changes.
        hunks: Vec<PatchHunk>,
    },
    /// A text that took the place of another.
    Replacement {
        /// The file.
        path: String,
        /// What was there.
        old: String,
        /// What is there now.
        new: String,
    },
    /// Things to do, or things found.
    Items(Vec<Item>),
    /// An image.
    Image(Image),
    /// What could not be read, and why.
    Missing(String),
}

/// A change of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PatchHunk {
    /// The number of the first line before.
    pub old_start: usize,
    /// The number of the first line after.
    pub new_start: usize,
    /// Lines that begin with ` `, `-`, `+` or `\`.
    pub lines: Vec<String>,
}

/// One of several things.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Item {
    /// Whether it is done, where that makes sense.
    pub done: Option<bool>,
    /// What it is.
    pub text: String,
}

/// An image.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Image {
    /// `image/png`…
    pub media_type: String,
    /// The bytes, in base64.
    pub data: String,
}

/// What a call shows: what was asked, and what came of it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CallView {
    /// What was asked.
    pub input: Vec<Section>,
    /// What came of it.
    pub result: Vec<Section>,
}

/// What a step shows beside the line that names it. For calls see [`call_view`].
pub fn sections(story: &Story, texts: &mut dyn Texts, step: &Step) -> Vec<Section> {
    match &step.kind {
        StepKind::Prompt(prompt) => {
            let mut shown = with_entry(story, texts, step.place, |entry| {
                let text = story::prompt_text(entry).unwrap_or_else(|| prompt.preview.to_string());
                let mut shown = if text.trim().is_empty() { Vec::new() } else { vec![Section::Plain(text)] };
                shown.extend(images(entry));
                shown
            });
            if shown.is_empty() && !prompt.preview.is_empty() {
                shown.push(Section::Plain(prompt.preview.to_string()));
            }
            shown
        }
        // Of a message in pieces there is no line that has it all.
        StepKind::Reply(reply) if reply.partial => vec![Section::Prose(reply.preview.to_string())],
        StepKind::Reply(_) => block_text(story, texts, step.place, Section::Prose),
        StepKind::Thinking(_) => block_text(story, texts, step.place, Section::Plain),
        StepKind::Output(_) => with_entry(story, texts, step.place, |entry| {
            printed(entry).map(|text| vec![Section::Output(text)]).unwrap_or_default()
        }),
        StepKind::Context(_) => with_entry(story, texts, step.place, |entry| {
            let text = entry_text(entry, step.place);
            if text.trim().is_empty() { Vec::new() } else { vec![Section::Plain(text)] }
        }),
        StepKind::Compaction(compaction) => match compaction.summary {
            Some(place) => with_entry(story, texts, place, |entry| {
                let text = entry_text(entry, place);
                let summary = segments(&text).into_iter().find_map(|segment| match segment.kind {
                    Kind::CompactSummary(summary) => Some(summary.body.to_owned()),
                    _ => None,
                });
                vec![Section::Prose(summary.unwrap_or(text))]
            }),
            None => Vec::new(),
        },
        StepKind::Outcome(outcome) if outcome.is_error => {
            outcome.errors.iter().map(|error| Section::Plain(error.to_string())).collect()
        }
        StepKind::Call(_)
        | StepKind::Notice(_)
        | StepKind::Joint(_)
        | StepKind::Outcome(_)
        | StepKind::Orphan(_)
        | StepKind::Unknown(_) => Vec::new(),
    }
}

/// What a call shows.
pub fn call_view(story: &Story, texts: &mut dyn Texts, step: &Step, call: &Call) -> CallView {
    with_call(story, texts, step, call, |parts| CallView { input: call::input(parts), result: call::result(parts) })
}

/// A call and its result, read from their lines again.
#[derive(Debug, Clone, Copy, Default)]
pub struct CallParts<'a> {
    /// What was asked, typed by the tool.
    pub input: Option<&'a ToolInput<'a>>,
    /// The same as it stands in the line.
    pub input_json: Option<Raw<'a>>,
    /// What came of it, typed by the tool.
    pub result: Option<&'a ToolResult<'a>>,
    /// What the model was told of that.
    pub content: Option<&'a Content<'a>>,
    /// What came of a tool that ran at the API.
    pub result_json: Option<Raw<'a>>,
    /// Why the line of the call cannot be read again.
    pub input_missing: Option<&'a str>,
    /// Why the line of the result cannot be read again.
    pub result_missing: Option<&'a str>,
}

/// Reads a call and its result from their lines.
pub fn with_call<T>(
    story: &Story,
    texts: &mut dyn Texts,
    step: &Step,
    call: &Call,
    show: impl FnOnce(&CallParts<'_>) -> T,
) -> T {
    let asked = line(story, texts, step.place).map(<[u8]>::to_vec);
    let answered = call.result.map(|place| line(story, texts, place)).transpose();
    let mut parts = CallParts::default();
    let scratch = Scratch::default();
    let reading = match &asked {
        Ok(line) => format::read(line, &scratch),
        Err(why) => {
            parts.input_missing = Some(why);
            format::Reading::default()
        }
    };
    let entry = reading.entries.get(usize::from(step.place.entry));
    match entry.and_then(|entry| block(entry, step.place)) {
        Some(Block::ToolUse(call) | Block::ServerToolUse(call)) => {
            (parts.input, parts.input_json) = (call.input.as_ref(), call.input_json);
        }
        Some(Block::McpToolUse(call)) => parts.input_json = call.input,
        _ => {}
    }
    let calls = Calls::default();
    calls.open(call.id.as_ref().into(), std::sync::Arc::clone(&call.tool));
    let mut reading = match &answered {
        Ok(Some(line)) => format::read_with(line, &scratch, &calls),
        Ok(None) => format::Reading::default(),
        Err(why) => {
            parts.result_missing = Some(why);
            format::Reading::default()
        }
    };
    let place = call.result.unwrap_or(step.place);
    let entry = reading.entries.get_mut(usize::from(place.entry));
    let structured = entry.and_then(|entry| entry.body.take_structured());
    let entry = reading.entries.get(usize::from(place.entry));
    let answer = entry.and_then(|entry| block(entry, place));
    let typed;
    if let Some(answer) = answer.and_then(Block::as_result) {
        // With several results in a line it is not said which of them it belongs to.
        let blocks = entry.and_then(content).map_or(&[][..], Content::blocks);
        let structured = structured.filter(|_| blocks.iter().filter_map(Block::as_result).count() == 1);
        typed = format::tool::read_result(Some(&call.tool), structured, Some(answer), &scratch);
        (parts.result, parts.content) = (Some(&typed.result), answer.content.as_ref());
    } else if let Some(answer) = answer.and_then(Block::as_server_result) {
        parts.result_json = answer.content;
    }
    show(&parts)
}

/// A line as it stands, for who wants to see everything.
pub fn raw_line(story: &Story, texts: &mut dyn Texts, place: Place) -> String {
    match line(story, texts, place) {
        Ok(line) => String::from_utf8_lossy(line).trim_end().to_owned(),
        Err(why) => why,
    }
}

/// The lines of a session that tell nothing, each with what it is.
pub fn untold_lines(story: &Story) -> impl Iterator<Item = (LineId, Span, &str)> {
    story.lines().filter_map(|(line, span, fate)| {
        let what = match fate {
            Fate::Told => return None,
            Fate::Bookkeeping(kind) => story.kind_name(kind),
            Fate::Duplicate(_) => "said before",
            Fate::Malformed => "malformed",
            Fate::Unknown => "unknown",
        };
        let is_own = story.source(span.source).is_some_and(|source| source.role != Role::Elsewhere);
        is_own.then_some((line, span, what))
    })
}

fn line<'t>(story: &Story, texts: &'t mut dyn Texts, place: Place) -> Result<&'t [u8], String> {
    let span = story.span(place.line).ok_or_else(|| "the line is not known".to_owned())?;
    texts.line(span).map_err(|error| format!("line {} cannot be read again: {error}", span.number))
}

fn with_entry(
    story: &Story,
    texts: &mut dyn Texts,
    place: Place,
    show: impl FnOnce(&Entry<'_>) -> Vec<Section>,
) -> Vec<Section> {
    let line = match line(story, texts, place) {
        Ok(line) => line,
        Err(why) => return vec![Section::Missing(why)],
    };
    let scratch = Scratch::default();
    let reading = format::read(line, &scratch);
    reading.entries.get(usize::from(place.entry)).map(show).unwrap_or_default()
}

fn content<'e, 'a>(entry: &'e Entry<'a>) -> Option<&'e Content<'a>> {
    match &entry.body {
        Body::System(system) => system.content.as_ref(),
        Body::QueueOperation(change) => change.content.as_ref(),
        Body::Attachment(entry) => match entry.attachment.as_deref()? {
            Attachment::QueuedCommand(queued) => queued.prompt.as_ref(),
            _ => None,
        },
        body => body.message()?.content.as_ref(),
    }
}

fn block<'e, 'a>(entry: &'e Entry<'a>, place: Place) -> Option<&'e Block<'a>> {
    content(entry)?.blocks().get(usize::from(place.block))
}

fn block_text(story: &Story, texts: &mut dyn Texts, place: Place, section: fn(String) -> Section) -> Vec<Section> {
    with_entry(story, texts, place, |entry| {
        let text = entry_text(entry, place);
        if text.trim().is_empty() { Vec::new() } else { vec![section(text)] }
    })
}

/// The text of a block, or of the whole entry where there are none.
fn entry_text(entry: &Entry<'_>, place: Place) -> String {
    let text = match (content(entry), block(entry, place)) {
        (_, Some(Block::Text(block))) => block.text,
        (_, Some(Block::Thinking(block))) => block.thinking,
        (_, Some(Block::Compaction(block))) => block.content,
        (Some(Content::Text(text)), _) => Some(*text),
        _ => None,
    };
    // Attachments are data: what they are about is told already, and the rest is in their lines.
    text.map_or("", Text::as_str).to_owned()
}

/// What a command printed.
fn printed(entry: &Entry<'_>) -> Option<String> {
    let texts: Vec<&str> = content(entry)?.texts().map(Text::as_str).collect();
    let mut printed = String::new();
    for segment in texts.iter().flat_map(|text| segments(text)) {
        match segment.kind {
            Kind::CommandOutput { text, .. } => printed.push_str(text),
            Kind::BashOutput(output) => {
                for text in [output.stdout, output.stderr].into_iter().flatten().filter(|text| !text.is_empty()) {
                    printed.push_str(text);
                    printed.push('\n');
                }
            }
            _ => {}
        }
    }
    if printed.trim().is_empty() {
        return Some(texts.join("\n")).filter(|text| !text.trim().is_empty() && !text.contains("<local-command-"));
    }
    Some(printed)
}

fn images(entry: &Entry<'_>) -> Vec<Section> {
    let blocks = content(entry).map_or(&[][..], Content::blocks);
    let image = |block: &Block<'_>| match block {
        Block::Image(image) => image_section(image),
        _ => None,
    };
    blocks.iter().filter_map(image).collect()
}

fn image_section(image: &Attached<'_>) -> Option<Section> {
    let source = image.source.as_ref();
    let data = source.and_then(|source| source.data).or(image.data)?;
    let media_type = source.and_then(|source| source.media_type).or(image.media_type);
    let media_type = media_type.map_or("image/png", Text::as_str).to_owned();
    Some(Section::Image(Image { media_type, data: data.as_str().to_owned() }))
}

fn json_section(json: &str) -> Section {
    Section::Code { language: Some("json".to_owned()), path: None, first_line: 1, text: json.to_owned() }
}
