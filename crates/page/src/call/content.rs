//! What the model was told: text and blocks of any kind.

use format::Raw;
use format::block::{Attached, Block, Content, Resource, SearchResult, Source};
use format::text::split_trailing_reminders;
use maud::{Markup, html};
use serde::Deserialize;

use super::json;
use super::piece::{first_of, label, link, note, notes, sized, word};
use crate::{image, output};
use content::view::Image;

/// A whole content.
pub(super) fn content(content: &Content<'_>) -> Markup {
    match content {
        Content::Text(text) => words(text),
        Content::Raw(raw) => json::block(raw.as_json()),
        Content::Blocks(blocks) => html! { @for part in blocks { (block(part)) } },
    }
}

/// The content, if there is any.
pub(super) fn said(told: Option<&Content<'_>>) -> Markup {
    told.map(content).unwrap_or_default()
}

/// The images of a content.
pub(super) fn images(told: Option<&Content<'_>>) -> Markup {
    let blocks = told.map_or(&[][..], Content::blocks);
    html! { @for part in blocks { @if let Block::Image(image) = part { (picture(image)) } } }
}

/// A text without the reminders that the program adds for the model.
fn words(text: &str) -> Markup {
    json::block_or_output(split_trailing_reminders(text).0)
}

fn block(block: &Block<'_>) -> Markup {
    match block {
        Block::Text(text) => words(word(text.text)),
        Block::Image(image) => picture(image),
        Block::Document(document) => self::document(document),
        Block::SearchResult(found) => search_result(found),
        Block::ToolReference(tool) => note(word(tool.tool_name)),
        Block::Resource(resource) => self::resource(resource),
        Block::ToolResult(result) | Block::McpToolResult(result) => said(result.content.as_ref()),
        Block::WebSearchResult(result)
        | Block::WebFetchResult(result)
        | Block::AdvisorResult(result)
        | Block::CodeExecutionResult(result)
        | Block::BashCodeExecutionResult(result)
        | Block::TextEditorCodeExecutionResult(result)
        | Block::ToolSearchResult(result) => optional(result.content),
        Block::Thinking(thinking) => output(word(thinking.thinking)),
        Block::Compaction(compaction) => output(word(compaction.content)),
        Block::ContainerUpload(upload) => notes(&["a file", word(upload.file_id)]),
        Block::ToolUse(call) | Block::ServerToolUse(call) => {
            html! { (note(word(call.name))) (optional(call.input_json)) }
        }
        Block::McpToolUse(call) => html! { (note(word(call.name))) (optional(call.input)) },
        Block::McpToolListing(listing) | Block::ToolAddition(listing) | Block::ToolRemoval(listing) => {
            html! { (note(first_of([word(listing.server_name), word(listing.name)]))) (optional(listing.tools)) }
        }
        Block::RedactedThinking(_) | Block::Fallback(_) => html! {},
        Block::Unknown(unknown) => html! {
            (note(&unknown.kind))
            @for (key, value) in unknown.fields.iter() {
                @if key != "type" { (label(key)) (json::block(value.as_json())) }
            }
        },
    }
}

fn optional(json: Option<Raw<'_>>) -> Markup {
    json.map(|json| json::block(json.as_json())).unwrap_or_default()
}

fn picture(image: &Attached<'_>) -> Markup {
    let source = image.source.as_ref();
    let Some(data) = source.and_then(|source| source.data).or(image.data) else {
        return html! { p.note { "an image " (link("", source.map_or("", |source| word(source.url)))) } };
    };
    let media_type = source.and_then(|source| source.media_type).or(image.media_type);
    shown(first_of([word(media_type), "image/png"]), &data)
}

/// An image of this type, in base64.
pub(super) fn shown(media_type: &str, data: &str) -> Markup {
    image(&Image { media_type: media_type.to_owned(), data: data.to_owned() })
}

/// A document is named; only one of text is shown.
fn document(document: &Attached<'_>) -> Markup {
    let nothing = Source::default();
    let source = document.source.as_ref().unwrap_or(&nothing);
    let is_text = word(source.kind) == "text";
    let data = word(source.data.or(document.data));
    let size = if is_text { String::new() } else { sized(decoded_size(data)) };
    html! {
        (notes(&["a document", word(document.title), word(source.media_type.or(document.media_type)), &size]))
        @if is_text { (output(data)) }
    }
}

/// How many bytes a text of base64 stands for.
pub(super) fn decoded_size(base64: &str) -> Option<i64> {
    i64::try_from(base64.len() / 4 * 3).ok().filter(|size| *size > 0)
}

fn search_result(found: &SearchResult<'_>) -> Markup {
    html! {
        p { (link(word(found.title), word(found.source))) }
        (said(found.content.as_ref()))
    }
}

/// What a resource of an MCP server holds, where it is in place.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Held<'a> {
    #[serde(borrow)]
    uri: std::borrow::Cow<'a, str>,
    #[serde(borrow, rename = "mimeType")]
    media_type: std::borrow::Cow<'a, str>,
    #[serde(borrow)]
    text: std::borrow::Cow<'a, str>,
    #[serde(borrow)]
    blob: std::borrow::Cow<'a, str>,
}

fn resource(resource: &Resource<'_>) -> Markup {
    let raw = resource.resource.map_or("", Raw::as_json);
    let held: Held<'_> = serde_json::from_str(raw).unwrap_or_default();
    let uri = first_of([word(resource.uri), &held.uri]);
    let kind = first_of([word(resource.media_type), &held.media_type]);
    let is_empty = held.text.is_empty() && held.blob.is_empty();
    html! {
        p.note { (link(first_of([word(resource.title), word(resource.name)]), uri)) }
        (notes(&[kind, word(resource.description)]))
        @if held.blob.is_empty() { (words(&held.text)) }
        @else if kind.starts_with("image/") { (shown(kind, &held.blob)) }
        @else { (note(&sized(decoded_size(&held.blob)))) }
        @if is_empty && uri.is_empty() && !raw.is_empty() { (json::block(raw)) }
    }
}
