//! Artifacts, projects and designs: things that are kept beside the session.

use format::tool::{
    ArtifactInput, ArtifactResult, Asset, ClaudeDesignResult, ProjectsInput, ProjectsResult, ToolResult,
};
use maud::{Markup, html};

use super::json;
use super::piece::{beyond, counted, facts, first_of, label, link, note, notes, sized, spaced, task, took, with, word};
use crate::{code, output, prose};
use content::view::CallParts;
use styled::highlight::Language;

/// What is to be done with an artifact.
pub(super) fn artifact_asked(asked: &ArtifactInput<'_>, line: &str, parts: &CallParts<'_>) -> Markup {
    // A link to it comes with what was done.
    let is_told = matches!(parts.result, Some(ToolResult::Artifact(given)) if given.url == asked.url);
    let files = asked.file_paths.iter().map(|path| path.as_str()).collect::<Vec<_>>().join("\n");
    html! {
        (facts(&[
            ("action", beyond(line, &spaced(word(asked.action)))),
            ("title", beyond(line, word(asked.title))),
            ("file", first_of([word(asked.file_path), &files])),
            ("for", word(asked.description)),
            ("label", word(asked.label)),
            ("asked", word(asked.prompt)),
            ("of", word(asked.scope)),
        ]))
        @if let (Some(url), false) = (asked.url, is_told) { p.note { (link("", &url)) } }
        @if let Some(may) = asked.capabilities { (label("capabilities")) (json::block(may.as_json())) }
    }
}

/// What became of an artifact.
pub(super) fn artifact(given: &ArtifactResult<'_>) -> Markup {
    let version = with("version", word(given.version));
    let left = given.publishes_remaining.map(|left| format!("may be published {left} more times")).unwrap_or_default();
    let state = match (given.unchanged, given.updated) {
        (Some(true), _) => "unchanged",
        (_, Some(true)) => "updated",
        _ => "",
    };
    let lists = [given.asset_list.as_deref(), given.asset_uploads.as_deref()];
    let assets = [&given.asset_upload, &given.asset_read, &given.asset_delete];
    html! {
        @if let Some(url) = given.url { p.note { (link(word(given.title), &url)) } }
        (notes(&[state, &version, word(given.audience), &left]))
        @for warning in &given.warnings { (notes(&["warning", warning])) }
        @if !given.artifacts.is_empty() {
            ul.links { @for listed in &given.artifacts {
                li { (link(word(listed.title), word(listed.url))) (notes(&[word(listed.relation), word(listed.role)])) }
            } }
        }
        @if let Some(read) = given.read.as_deref() {
            p.note { (link(word(read.title), word(read.url))) }
            (notes(&[word(read.code_text), &sized(read.bytes), &took(read.duration_ms)]))
            @if let Some(words) = read.result { (prose(&words)) }
        }
        @if let Some(watch) = given.watch.as_deref() {
            (notes(&[
                if watch.watching == Some(true) { "is watched" } else { "is not watched" },
                &with("as", task(watch.task_id)),
                first_of([word(watch.reason), word(watch.detail), word(watch.note), word(watch.outcome)]),
            ]))
        }
        @if given.unwatch.is_some() { (note("is no longer watched")) }
        @for list in lists.into_iter().flatten() { @for asset in &list.assets { (self::asset(asset)) } }
        @for asset in assets.into_iter().flatten() { (self::asset(asset)) }
        @if let Some(pin) = &given.pin { (note(if pin.pinned == Some(false) { "unpinned" } else { "pinned" })) }
        @if let Some(written) = given.written { (json::block(written.as_json())) }
    }
}

fn asset(asset: &Asset<'_>) -> Markup {
    let name = first_of([word(asset.file_name), word(asset.path), word(asset.file_path), word(asset.id)]);
    html! {
        p { (link(name, word(asset.url))) }
        (notes(&[
            word(asset.content_type),
            &sized(asset.size_bytes),
            &spaced(word(asset.status)),
            if asset.deleted == Some(true) { "deleted" } else { "" },
            first_of([word(asset.message), word(asset.reason)]),
        ]))
    }
}

/// What is to be done with a project.
pub(super) fn project_asked(asked: &ProjectsInput<'_>) -> Markup {
    let method = spaced(word(asked.method));
    html! {
        (facts(&[
            ("action", method.strip_prefix("project ").unwrap_or(&method)),
            ("file", first_of([word(asked.path), word(asked.local_path)])),
            ("query", word(asked.query)),
        ]))
        @if let Some(words) = asked.content { (code(&words, Language::of_path(word(asked.path)), None)) }
    }
}

/// What a project holds.
pub(super) fn project(given: &ProjectsResult<'_>) -> Markup {
    html! {
        (note(word(given.notice)))
        (facts(&[
            ("project", word(given.name)),
            ("for", word(given.description)),
            ("file", first_of([word(given.path), word(given.local_path), word(given.local_file)])),
            ("size", &sized(given.size_bytes)),
            ("documents", &counted(i64::try_from(given.docs.len()).ok().filter(|it| *it > 0), "document", "documents")),
        ]))
        @if let Some(words) = given.instructions { (prose(&words)) }
        @if !given.files.is_empty() {
            @for file in &given.files { (notes(&[word(file.path), word(file.file_kind), &sized(file.size_bytes)])) }
        }
        @for hit in &given.hits { (label(word(hit.name))) (output(word(hit.text))) }
        @if let Some(words) = given.content { (code(&words, Language::of_path(word(given.path)), None)) }
        (notes(&[
            if given.replaced == Some(true) { "replaced" } else { "" },
            if given.deleted == Some(true) { "deleted" } else { "" },
            if given.truncated == Some(true) { "cut" } else { "" },
        ]))
    }
}

/// What the design tool answered.
pub(super) fn design(given: &ClaudeDesignResult<'_>) -> Markup {
    html! { @for part in &given.content { (json::block(part.as_json())) } }
}
