//! Files that are read, written and changed.

use std::borrow::Cow;

use format::Text;
use format::tool::{
    EditResult, GitDiff, Hunk, MultiEditResult, ReadResult, Replacement, Snippet, TextFile, WriteResult,
};
use story::Detail;

use super::cell;
use crate::block::shown;
use crate::pen::{Form, Pen, first_of, word};
use crate::section::{Body, File, Value};

/// The content of a file, by its type.
pub(super) fn read<'e>(read: &'e ReadResult<'e>, pen: &mut Pen<'_, 'e>) {
    match read {
        ReadResult::Text(read) => {
            pen.record(read, &[("file", Form::Elsewhere)]);
            read.file.iter().for_each(|file| text_file(file, pen));
        }
        ReadResult::Image(read) => {
            let Some(file) = &read.file else { return };
            // The type is a fact only if the data is missing, because the data shows it.
            pen.record(file, &[("type", if file.base64.is_some() { Form::Elsewhere } else { Form::Fact })]);
            if let Some(data) = file.base64 {
                shown(first_of([word(file.media_type), "image/png"]), data.as_str(), pen);
            }
        }
        ReadResult::Notebook(read) => {
            let Some(file) = &read.file else { return };
            pen.record(file, &[("cells", Form::Elsewhere)]);
            cell::all(&file.cells, pen);
        }
        ReadResult::Pdf(read) => {
            let Some(file) = &read.file else { return };
            pen.record(file, &[]);
            file.base64.iter().for_each(|data| shown("application/pdf", data.as_str(), pen));
        }
        ReadResult::Parts(read) => {
            pen.record(read, &[("pages", Form::Elsewhere)]);
            for page in &read.pages {
                let kind = if page.base64.is_some() { Form::Elsewhere } else { Form::Fact };
                pen.record(page, &[("mediaType", kind), ("error", Form::Output)]);
                let media_type = first_of([word(page.media_type), "image/jpeg"]);
                page.base64.iter().for_each(|data| shown(media_type, data.as_str(), pen));
            }
        }
        ReadResult::Unchanged(read) => {
            pen.notice("unchanged since it was last read");
            pen.record(read, &[]);
        }
        ReadResult::Unknown(unknown) => {
            pen.put("type", Body::Fact(Value::Word(unknown.kind.as_str())));
            pen.record(unknown, &[("type", Form::Elsewhere)]);
        }
    }
}

fn text_file<'e>(file: &'e TextFile<'e>, pen: &mut Pen<'_, 'e>) {
    // The lines themselves show which part of the file they are.
    let elsewhere = ["content", "numLines", "startLine", "totalLines"].map(|key: &'static str| (key, Form::Elsewhere));
    pen.record(file, &elsewhere);
    let text = word(file.content);
    if file.content.is_some() && text.is_empty() {
        pen.notice("an empty file");
    }
    pen.put(
        "",
        Body::File(File {
            path: word(file.file_path),
            first_line: file.start_line,
            lines: file.num_lines,
            total_lines: file.total_lines,
            text: Cow::Borrowed(text),
        }),
    );
}

/// A replacement of one text by another, at an unknown position in the file.
pub(super) fn replacement<'e>(path: &'e str, old: Option<Text<'e>>, new: Option<Text<'e>>, pen: &mut Pen<'_, 'e>) {
    let (old, new) = (Cow::Borrowed(word(old)), Cow::Borrowed(word(new)));
    pen.put("", Body::Replacement { path, language: "", old, new });
}

/// Several replacements, in order.
pub(super) fn replacements<'e>(path: &'e str, edits: &'e [Replacement<'e>], pen: &mut Pen<'_, 'e>) {
    for edit in edits {
        pen.record(edit, &[("old_string", Form::Elsewhere), ("new_string", Form::Elsewhere)]);
        replacement(path, edit.old_string, edit.new_string, pen);
    }
}

/// A file after an edit. The call shows the requested change.
pub(super) fn edited<'e>(edit: &'e EditResult<'e>, pen: &mut Pen<'_, 'e>) {
    let elsewhere = ["oldString", "newString", "structuredPatch", "gitDiff", "snippet"]
        .map(|key: &'static str| (key, Form::Elsewhere));
    pen.record(edit, &elsewhere);
    let path = word(edit.file_path);
    patch(path, &edit.patch, pen);
    if edit.old_string.is_some() || edit.new_string.is_some() {
        replacement(path, edit.old_string, edit.new_string, &mut pen.at(Detail::Raw));
    }
    snippet(path, edit.snippet.as_ref(), pen);
    git_diff(edit.git_diff.as_deref(), pen);
}

/// A file after several edits.
pub(super) fn all_edited<'e>(edit: &'e MultiEditResult<'e>, pen: &mut Pen<'_, 'e>) {
    pen.record(edit, &[("edits", Form::Elsewhere), ("structuredPatch", Form::Elsewhere)]);
    let path = word(edit.file_path);
    patch(path, &edit.patch, pen);
    replacements(path, &edit.edits, &mut pen.at(Detail::Raw));
}

/// The changes of a file that was written. The call shows the whole file, unless you changed it.
pub(super) fn written<'e>(write: &'e WriteResult<'e>, pen: &mut Pen<'_, 'e>) {
    pen.record(
        write,
        &[
            // The line of the call shows it.
            ("type", Form::Detail),
            ("content", Form::Elsewhere),
            ("structuredPatch", Form::Elsewhere),
            ("gitDiff", Form::Elsewhere),
            ("snippet", Form::Elsewhere),
        ],
    );
    let path = word(write.file_path);
    patch(path, &write.patch, pen);
    let old = write.original_file.filter(|old| write.patch.is_empty() && Some(*old) != write.content);
    if old.is_some() && write.content.is_some() {
        replacement(path, old, write.content, pen);
    }
    if let Some(content) = write.content {
        let text = Cow::Borrowed(content.as_str());
        let file = File { path, first_line: None, lines: None, total_lines: None, text };
        let level = if write.user_modified == Some(true) { Detail::Full } else { Detail::Raw };
        pen.at(level).put("", Body::File(file));
    }
    snippet(path, write.snippet.as_ref(), pen);
    git_diff(write.git_diff.as_deref(), pen);
}

fn patch<'e>(path: &'e str, hunks: &'e [Hunk<'e>], pen: &mut Pen<'_, 'e>) {
    if !hunks.is_empty() {
        pen.put("", Body::Patch { path, hunks });
    }
}

/// The lines around a change, in older versions.
fn snippet<'e>(path: &'e str, snippet: Option<&'e Snippet<'e>>, pen: &mut Pen<'_, 'e>) {
    let Some(snippet) = snippet else { return };
    let text = snippet.lines.iter().map(|line| line.as_str()).collect::<Vec<_>>().join("\n");
    let file = File { path, first_line: snippet.start_line, lines: None, total_lines: None, text: Cow::Owned(text) };
    pen.at(if snippet.lines.is_empty() { Detail::Raw } else { Detail::Full }).put("", Body::File(file));
}

/// The change of a file as git reports it: the same change, and its repository.
fn git_diff<'e>(diff: Option<&'e GitDiff<'e>>, pen: &mut Pen<'_, 'e>) {
    let Some(diff) = diff else { return };
    pen.fact("repository", diff.repository);
    pen.at(Detail::Raw)
        .within("gitDiff")
        .record(diff, &[("patch", Form::Code("diff")), ("repository", Form::Elsewhere)]);
}
