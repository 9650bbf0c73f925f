//! Files that are read, written and changed.

use format::Text;
use format::tool::{
    EditInput, EditResult, Hunk as PatchHunk, MultiEditInput, MultiEditResult, ReadResult, Replacement, TextFile,
    ToolInput, WriteInput, WriteResult,
};
use maud::{Markup, html};

use super::content::{decoded_size, said, shown};
use super::notebook;
use super::piece::{counted, first_of, note, notes, sized, word};
use crate::{code, diff};
use content::view::CallParts;
use human::thousands;
use styled::diff::{Hunk, hunks};
use styled::highlight::Language;

/// How many unchanged lines stand around a change.
const CONTEXT: usize = 3;

/// The file that a call is about, as it was asked for.
fn path_of<'a>(parts: &CallParts<'a>) -> &'a str {
    word(parts.input.and_then(ToolInput::path))
}

/// What a file holds.
pub(super) fn read(read: &ReadResult<'_>, parts: &CallParts<'_>) -> Markup {
    match read {
        ReadResult::Text(read) => read.file.as_ref().map(|file| text_file(file, path_of(parts))).unwrap_or_default(),
        ReadResult::Image(read) => {
            let Some(file) = read.file.as_ref() else { return said(parts.content) };
            let size = file
                .dimensions
                .as_ref()
                .and_then(|size| Some(format!("{} × {} pixels", size.original_width?, size.original_height?)));
            html! {
                @match file.base64 {
                    Some(data) => (shown(first_of([word(file.media_type), "image/png"]), &data)),
                    None => (said(parts.content)),
                }
                (notes(&[size.as_deref().unwrap_or_default(), &sized(file.original_size)]))
            }
        }
        ReadResult::Notebook(read) => notebook::cells(read.file.as_ref().map_or(&[][..], |file| &file.cells)),
        ReadResult::Pdf(read) => {
            let file = read.file.as_ref();
            let size = file.and_then(|file| file.original_size.or_else(|| decoded_size(word(file.base64))));
            notes(&["a PDF", &sized(size)])
        }
        ReadResult::Parts(read) => {
            let file = read.file.as_ref();
            let pages = counted(file.and_then(|file| file.count), "page", "pages");
            html! {
                (notes(&["a PDF", &pages, &sized(file.and_then(|file| file.original_size))]))
                @for page in &read.pages {
                    @if let Some(data) = page.base64 { (shown(first_of([word(page.media_type), "image/jpeg"]), &data)) }
                    (note(word(page.error)))
                }
            }
        }
        ReadResult::Unchanged(_) => note("unchanged since it was last read"),
        ReadResult::Unknown(unknown) => {
            html! { (notes(&["a file of another kind:", &unknown.kind])) (said(parts.content)) }
        }
    }
}

fn text_file(file: &TextFile<'_>, asked: &str) -> Markup {
    let content = word(file.content);
    let number = |line: Option<i64>| line.and_then(|line| u64::try_from(line).ok());
    let start = number(file.start_line).unwrap_or(1).max(1);
    let lines = number(file.num_lines).unwrap_or_else(|| content.lines().count() as u64);
    let last = start.saturating_add(lines).saturating_sub(1);
    let range = match number(file.total_lines) {
        Some(total) if lines < total => {
            format!("lines {}–{} of {}", thousands(start), thousands(last), thousands(total))
        }
        _ if start > 1 => format!("lines {}–{}", thousands(start), thousands(last)),
        _ => String::new(),
    };
    let cut = if file.truncated_by_token_cap == Some(true) { "cut, because it was too long" } else { "" };
    let language = Language::of_path(first_of([word(file.file_path), asked]));
    html! {
        (notes(&[range.as_str(), cut]))
        @if content.is_empty() { (note("an empty file")) } @else { (code(content, language, usize::try_from(start).ok())) }
    }
}

/// A file as it is to be written, as long as nothing says how it was.
pub(super) fn write_asked(write: &WriteInput<'_>) -> Markup {
    whole(word(write.content), word(write.file_path))
}

fn whole(content: &str, path: &str) -> Markup {
    html! {
        @if content.is_empty() { (note("an empty file")) } @else { (code(content, Language::of_path(path), Some(1))) }
    }
}

/// A file after it was written: what changed, or all of it if it is new.
pub(super) fn written(write: &WriteResult<'_>, parts: &CallParts<'_>) -> Markup {
    let path = first_of([word(write.file_path), path_of(parts)]);
    if !write.patch.is_empty() {
        return patch(&write.patch, path);
    }
    let asked = match parts.input {
        Some(ToolInput::Write(asked)) => word(asked.content),
        _ => "",
    };
    let content = write.content.map_or(asked, Text::as_str);
    match write.original_file.filter(|old| *old != content) {
        Some(old) => diff(&hunks(&old, content, CONTEXT), Language::of_path(path)),
        None => whole(content, path),
    }
}

/// A change as it was asked for.
pub(super) fn edit_asked(edit: &EditInput<'_>) -> Markup {
    replacement(edit.old_string, edit.new_string, Language::of_path(word(edit.file_path)))
}

/// A change as it was made.
pub(super) fn edited(edit: &EditResult<'_>, parts: &CallParts<'_>) -> Markup {
    let path = first_of([word(edit.file_path), path_of(parts)]);
    if !edit.patch.is_empty() {
        return patch(&edit.patch, path);
    }
    match parts.input {
        Some(ToolInput::Edit(asked)) if edit.old_string.is_none() && edit.new_string.is_none() => edit_asked(asked),
        _ => replacement(edit.old_string, edit.new_string, Language::of_path(path)),
    }
}

/// Several changes as they were asked for.
pub(super) fn edits_asked(edits: &MultiEditInput<'_>) -> Markup {
    replacements(&edits.edits, word(edits.file_path))
}

/// Several changes as they were made.
pub(super) fn all_edited(edit: &MultiEditResult<'_>, parts: &CallParts<'_>) -> Markup {
    let path = first_of([word(edit.file_path), path_of(parts)]);
    if !edit.patch.is_empty() {
        return patch(&edit.patch, path);
    }
    match parts.input {
        Some(ToolInput::MultiEdit(asked)) if edit.edits.is_empty() => edits_asked(asked),
        _ => replacements(&edit.edits, path),
    }
}

fn replacements(edits: &[Replacement<'_>], path: &str) -> Markup {
    let language = Language::of_path(path);
    html! { @for edit in edits { (replacement(edit.old_string, edit.new_string, language)) } }
}

/// A text that took the place of another. Where they stand in the file is not known.
pub(super) fn replacement(old: Option<Text<'_>>, new: Option<Text<'_>>, language: Option<Language>) -> Markup {
    let hunks = hunks(word(old), word(new), CONTEXT);
    html! {
        @if hunks.is_empty() { (note("nothing changed")) } @else { div.unnumbered { (diff(&hunks, language)) } }
    }
}

fn patch(hunks: &[PatchHunk<'_>], path: &str) -> Markup {
    let number = |line: Option<i64>| line.and_then(|line| usize::try_from(line).ok()).unwrap_or(1);
    let hunks: Vec<Hunk<'_>> = hunks
        .iter()
        .map(|hunk| {
            let lines = hunk.lines.iter().map(|line| line.as_str());
            Hunk::from_patch(number(hunk.old_start), number(hunk.new_start), lines)
        })
        .collect();
    diff(&hunks, Language::of_path(path))
}
