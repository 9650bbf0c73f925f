//! Notebooks, cell by cell.

use std::borrow::Cow;

use format::Raw;
use format::tool::{Cell, NotebookEditInput, NotebookEditResult};
use maud::{Markup, html};
use serde::Deserialize;

use super::content::shown;
use super::files::replacement;
use super::json;
use super::piece::{first_of, label, notes, word};
use crate::{code, output, prose};
use styled::highlight::Language;

/// Cells with what they printed.
pub(super) fn cells(cells: &[Cell<'_>]) -> Markup {
    html! { @for cell in cells { (self::cell(cell)) } }
}

fn cell(cell: &Cell<'_>) -> Markup {
    let number = cell.execution_count.or(cell.index).map(|number| format!("[{number}]")).unwrap_or_default();
    html! {
        section.cell {
            (label([word(cell.kind), word(cell.id), &number].join(" ").trim()))
            (source(word(cell.source), word(cell.kind), word(cell.language)))
            @for printed in &cell.outputs { (self::printed(*printed)) }
        }
    }
}

fn source(source: &str, kind: &str, language: &str) -> Markup {
    if kind == "markdown" {
        return prose(source);
    }
    code(source, language_of(language), None)
}

fn language_of(name: &str) -> Option<Language> {
    Language::named(first_of([name, "python"]))
}

/// What a cell printed, as the tool hands it on.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Printed<'a> {
    #[serde(borrow)]
    text: Cow<'a, str>,
    #[serde(borrow)]
    image: Option<Picture<'a>>,
}

#[derive(Deserialize)]
struct Picture<'a> {
    #[serde(borrow)]
    image_data: Cow<'a, str>,
    #[serde(borrow, default)]
    media_type: Cow<'a, str>,
}

fn printed(json: Raw<'_>) -> Markup {
    let read: Printed<'_> = serde_json::from_str(json.as_json()).unwrap_or_default();
    html! {
        @if !read.text.is_empty() { (output(&read.text)) }
        @if let Some(image) = &read.image { (shown(first_of([&image.media_type, "image/png"]), &image.image_data)) }
        @if read.text.is_empty() && read.image.is_none() { (json::block(json.as_json())) }
    }
}

/// A change of a cell, as it was asked for.
pub(super) fn edit_asked(edit: &NotebookEditInput<'_>) -> Markup {
    html! {
        (notes(&[word(edit.edit_mode), word(edit.cell_type)]))
        @if word(edit.edit_mode) != "delete" { (source(word(edit.new_source), word(edit.cell_type), "")) }
    }
}

/// A change of a cell, as it was made.
pub(super) fn edited(edit: &NotebookEditResult<'_>, asked: Option<&NotebookEditInput<'_>>) -> Markup {
    let error = word(edit.error);
    let mode = first_of([word(edit.edit_mode), asked.map_or("", |asked| word(asked.edit_mode)), "replace"]);
    let kind = first_of([word(edit.cell_type), asked.map_or("", |asked| word(asked.cell_type))]);
    let new = edit.new_source.or_else(|| asked?.new_source);
    let language = word(edit.language);
    html! {
        (notes(&[mode, kind]))
        @match (mode, edit.old_source) {
            ("delete", Some(old)) => (source(&old, kind, language)),
            ("delete", None) => {},
            (_, Some(_)) => (replacement(edit.old_source, new, language_of(language))),
            (_, None) => (source(word(new), kind, language)),
        }
        @if !error.is_empty() { (label("error")) (output(error)) }
    }
}
