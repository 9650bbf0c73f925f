//! Content blocks: the parts of messages and of tool results.

use std::borrow::Cow;

use format::block::{Attached, Block, Content, Resource};
use format::text::split_trailing_reminders;
use story::Detail;

use crate::pen::{Form, Pen, first_of, word};
use crate::section::{Body, Image, Speaker, Value};

/// A whole content.
pub(crate) fn content<'e>(content: &'e Content<'e>, pen: &mut Pen<'_, 'e>) {
    content.texts().for_each(|text| words(text.as_str(), pen));
    others(content, pen);
}

/// The blocks of a content that are not text.
pub(crate) fn others<'e>(content: &'e Content<'e>, pen: &mut Pen<'_, 'e>) {
    match content {
        Content::Text(_) => {}
        Content::Raw(json) => pen.json("", Form::Output, *json),
        Content::Blocks(blocks) => {
            for block in blocks {
                match block {
                    Block::Text(text) => pen.event(text, &[("text", Form::Elsewhere)]),
                    block => self::block(block, pen),
                }
            }
        }
    }
}

/// A text, and separately the reminders that the program adds for the model.
fn words<'e>(text: &'e str, pen: &mut Pen<'_, 'e>) {
    let (text, reminders) = split_trailing_reminders(text);
    pen.output("", text);
    for reminder in reminders {
        pen.by(Speaker::Program).at(Detail::Raw).put_text("reminder", Form::Words, reminder);
    }
}

/// One block, as a tool returns it.
pub(crate) fn block<'e>(block: &'e Block<'e>, pen: &mut Pen<'_, 'e>) {
    match block {
        Block::Text(text) => {
            words(word(text.text), pen);
            pen.event(text, &[("text", Form::Elsewhere)]);
        }
        Block::Thinking(thinking) => {
            let text = word(thinking.thinking);
            if !text.trim().is_empty() {
                pen.put("", Body::Thinking(Cow::Borrowed(text)));
            }
            pen.event(thinking, &[("thinking", Form::Elsewhere)]);
        }
        Block::Image(image) => {
            picture(image, pen);
            pen.event(image, &[("source", Form::Elsewhere), ("mimeType", kind_of(image))]);
        }
        Block::Document(document) => self::document(document, pen),
        Block::SearchResult(found) => {
            pen.link(word(found.title), word(found.source), "");
            pen.event(&**found, &[("title", Form::Elsewhere), ("source", Form::Elsewhere), ("content", Form::Output)]);
        }
        Block::ToolReference(tool) => pen.record(tool, &[("tool_name", Form::Item)]),
        Block::Resource(resource) => self::resource(resource, pen),
        Block::ToolResult(result) | Block::McpToolResult(result) => {
            result.content.iter().for_each(|content| self::content(content, pen));
            pen.event(result, &[("content", Form::Elsewhere)]);
        }
        Block::WebSearchResult(result)
        | Block::WebFetchResult(result)
        | Block::AdvisorResult(result)
        | Block::CodeExecutionResult(result)
        | Block::BashCodeExecutionResult(result)
        | Block::TextEditorCodeExecutionResult(result)
        | Block::ToolSearchResult(result) => {
            result.content.iter().for_each(|json| served(*json, pen));
            pen.event(result, &[("content", Form::Elsewhere)]);
        }
        Block::Compaction(compaction) => pen.event(compaction, &[("content", Form::Prose)]),
        Block::ContainerUpload(upload) => pen.record(upload, &[]),
        // A call in a list of blocks is only named.
        Block::ToolUse(call) | Block::ServerToolUse(call) => {
            pen.event(call, &[("name", Form::Fact), ("input", Form::Fact)]);
        }
        Block::McpToolUse(call) => {
            pen.event(&**call, &[("server_name", Form::Fact), ("name", Form::Fact), ("input", Form::Fact)]);
        }
        Block::McpToolListing(listing) | Block::ToolAddition(listing) | Block::ToolRemoval(listing) => {
            pen.record(listing, &[]);
        }
        // Only the API can read it.
        Block::RedactedThinking(_) => {}
        Block::Fallback(fallback) => pen.record(fallback, &[]),
        Block::Unknown(unknown) => {
            pen.put("type", Body::Fact(Value::Word(unknown.kind.as_str())));
            pen.open(unknown, &[("type", Form::Elsewhere)]);
        }
    }
}

/// The result of a tool that runs at the API.
pub(crate) fn served<'e>(given: format::Raw<'e>, pen: &mut Pen<'_, 'e>) {
    pen.json("served", Form::Output, given);
}

/// An image. An image stored elsewhere is named.
pub(crate) fn picture<'e>(image: &'e Attached<'e>, pen: &mut Pen<'_, 'e>) {
    let source = image.source.as_ref();
    let media_type = source.and_then(|source| source.media_type).or(image.media_type);
    if let Some(data) = source.and_then(|source| source.data).or(image.data) {
        return shown(first_of([word(media_type), "image/png"]), data.as_str(), pen);
    }
    pen.notice("an image");
    if let Some(source) = source {
        pen.record(source, &[("type", Form::Detail)]);
    }
}

/// The type of an image or a document is a fact only if its data is missing, because the data shows it.
fn kind_of(attached: &Attached<'_>) -> Form {
    let is_there = attached.data.is_some() || attached.source.as_ref().is_some_and(|source| source.data.is_some());
    if is_there { Form::Elsewhere } else { Form::Detail }
}

/// An image of this type, in base64.
pub(crate) fn shown<'e>(media_type: &'e str, data: &'e str, pen: &mut Pen<'_, 'e>) {
    let (media_type, data) = (Cow::Borrowed(media_type), Cow::Borrowed(data));
    pen.put("", Body::Image(Image { media_type, data }));
}

/// A document is named; a text document is shown.
fn document<'e>(document: &'e Attached<'e>, pen: &mut Pen<'_, 'e>) {
    let source = document.source.as_ref();
    let is_text = source.and_then(|source| source.kind).is_some_and(|kind| kind == "text");
    let data = word(source.and_then(|source| source.data).or(document.data));
    let media_type = word(source.and_then(|source| source.media_type).or(document.media_type));
    pen.event(
        document,
        &[
            ("title", Form::Fact),
            ("context", Form::Prose),
            ("source", Form::Elsewhere),
            ("mimeType", kind_of(document)),
        ],
    );
    if let Some(source) = source {
        pen.event(source, &[("url", Form::Fact), ("content", Form::Output), ("media_type", kind_of(document))]);
    }
    match data {
        "" => {}
        text if is_text => pen.output("", text),
        data => shown(first_of([media_type, "document"]), data, pen),
    }
}

/// A resource of an MCP server: its address, and its content if it is embedded.
fn resource<'e>(resource: &'e Resource<'e>, pen: &mut Pen<'_, 'e>) {
    let Some(target) = resource.uri else { return pen.record(resource, &[]) };
    let title = first_of([word(resource.title), word(resource.name)]);
    pen.link(title, target.as_str(), word(resource.description));
    let is_title = |text: Option<format::Text<'_>>| if word(text) == title { Form::Elsewhere } else { Form::Fact };
    pen.record(
        resource,
        &[
            ("uri", Form::Elsewhere),
            ("title", is_title(resource.title)),
            ("name", is_title(resource.name)),
            ("description", Form::Elsewhere),
        ],
    );
}
