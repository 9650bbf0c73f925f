//! The size of a block as text, in bytes.

use format::block::{Attached, Block, Content};
use format::entry::AttachmentEntry;
use format::entry::attachment::Attachment;
use format::tool::ReadResult;
use format::{Raw, Text};

/// An image has some 1,500 tokens, however many bytes it is stored in.
const IMAGE: u64 = 6000;

/// The size of any content.
pub(super) fn of_content(content: &Content<'_>) -> u64 {
    match content {
        Content::Text(text) => text_size(Some(*text)),
        Content::Blocks(blocks) => blocks.iter().map(of_block).sum(),
        Content::Raw(raw) => json_size(Some(*raw)),
    }
}

/// The size of any block.
pub(super) fn of_block(block: &Block<'_>) -> u64 {
    match block {
        Block::Text(it) => text_size(it.text),
        // The signature encodes the thinking, and is often all that is left of it.
        Block::Thinking(it) => text_size(it.thinking.filter(|text| !text.as_str().is_empty()).or(it.signature)),
        Block::RedactedThinking(it) => text_size(it.data),
        Block::ToolUse(it) | Block::ServerToolUse(it) => text_size(it.name) + json_size(it.input_json),
        Block::McpToolUse(it) => text_size(it.name) + json_size(it.input),
        Block::ToolResult(it) | Block::McpToolResult(it) => it.content.as_ref().map_or(0, of_content),
        Block::Image(_) => IMAGE,
        Block::Document(it) => of_document(it),
        Block::SearchResult(it) => it.content.as_ref().map_or(0, of_content),
        Block::ToolReference(it) => text_size(it.tool_name),
        Block::Resource(it) => json_size(it.resource) + text_size(it.uri) + text_size(it.description),
        Block::WebSearchResult(it)
        | Block::WebFetchResult(it)
        | Block::AdvisorResult(it)
        | Block::CodeExecutionResult(it)
        | Block::BashCodeExecutionResult(it)
        | Block::TextEditorCodeExecutionResult(it)
        | Block::ToolSearchResult(it) => json_size(it.content),
        Block::Compaction(it) => text_size(it.content),
        Block::McpToolListing(it) | Block::ToolAddition(it) | Block::ToolRemoval(it) => {
            json_size(it.tools) + json_size(it.tool)
        }
        Block::Fallback(_) | Block::ContainerUpload(_) | Block::Unknown(_) => 0,
    }
}

/// The size of what Claude Code adds by itself, as far as its text is recorded.
pub(super) fn of_attachment(entry: &AttachmentEntry<'_>) -> u64 {
    if entry.rendered.is_some() {
        return json_size(entry.rendered);
    }
    let texts = |texts: &[Text<'_>]| texts.iter().map(|text| text_size(Some(*text))).sum();
    match entry.attachment.as_deref() {
        Some(Attachment::SkillListing(it)) => text_size(it.content),
        Some(Attachment::AgentListingDelta(it)) => texts(&it.added_lines),
        Some(Attachment::DeferredToolsDelta(it)) => texts(&it.added_lines),
        Some(Attachment::McpInstructionsDelta(it)) => texts(&it.added_blocks),
        Some(Attachment::HookSuccess(it)) => text_size(it.content),
        Some(Attachment::HookAdditionalContext(it)) => texts(&it.content),
        Some(Attachment::EditedTextFile(it)) => text_size(it.snippet),
        Some(Attachment::Directory(it)) => text_size(it.content),
        Some(Attachment::NestedMemory(it)) => it.content.as_ref().map_or(0, |file| text_size(file.content)),
        Some(Attachment::QueuedCommand(it)) => it.prompt.as_ref().map_or(0, of_content),
        Some(Attachment::File(it)) => match &it.content {
            Some(ReadResult::Text(read)) => read.file.as_ref().map_or(0, |file| text_size(file.content)),
            _ => 0,
        },
        _ => 0,
    }
}

/// A page of a document is stored in far more bytes than it has letters.
fn of_document(document: &Attached<'_>) -> u64 {
    let Some(source) = &document.source else { return 0 };
    let data = text_size(source.data);
    let stored = if source.kind.is_some_and(|kind| kind == "base64") { data / 4 } else { data };
    stored + json_size(source.content)
}

fn text_size(text: Option<Text<'_>>) -> u64 {
    text.map_or(0, |text| text.as_str().len() as u64)
}

fn json_size(json: Option<Raw<'_>>) -> u64 {
    json.map_or(0, |json| json.as_json().len() as u64)
}
