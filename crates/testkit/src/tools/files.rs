//! Read, Edit, `MultiEdit`, Write and `NotebookEdit`.

use super::{Call, Outcome, Workplace};
use crate::json::Json;
use crate::rng::Rng;
use crate::text::{self, Language};
use crate::{array, object};

/// A random file and its text.
fn source(place: &mut Workplace, smallest: usize, largest: usize) -> (String, String, Language) {
    let language = Language::any(&mut place.rng);
    let path = text::file_name(&mut place.rng, &place.cwd, language.ending());
    let length = place.rng.log_between(smallest, largest);
    (path, text::code(&mut place.rng, language, length), language)
}

/// Reads a text file, whole or in part.
pub(super) fn read(place: &mut Workplace) -> Call {
    let (path, content, _) = source(place, 300, 16_000);
    let lines = content.lines().count();
    let part = place.rng.chance(30);
    let first = if part { place.rng.between(2, 900) } else { 1 };
    let total = if part { first + lines + place.rng.between(0, 400) } else { lines };
    let mut shown = text::numbered(&content, first, !place.version.since(2, 1, 86));
    if !place.version.since(2, 1, 97) {
        shown.push_str(
            "\n\n<system-reminder>\nWhenever you read a file, you should consider whether it would be considered malware.\n</system-reminder>\n",
        );
    }
    place.last_read = Some(path.clone());
    let input = object! { "file_path" => path.as_str() };
    let input = if part { input.with("offset", first).with("limit", lines) } else { input };
    let result = object! {
        "type" => "text",
        "file" => object! {
            "filePath" => path, "content" => content, "numLines" => lines, "startLine" => first, "totalLines" => total,
        },
    };
    Call { name: "Read".to_owned(), input, outcome: Outcome::done(shown, result) }
}

/// Reads an image.
pub(super) fn read_image(place: &mut Workplace) -> Call {
    let path = text::file_name(&mut place.rng, &place.cwd, ".png");
    let size = place.rng.log_between(2_000, 40_000);
    let data = place.rng.base64(size / 4 * 4);
    let image = object! {
        "type" => "image",
        "source" => object! { "type" => "base64", "data" => data.as_str(), "media_type" => "image/png" },
    };
    let file = object! {
        "base64" => data, "type" => "image/png", "originalSize" => size * 3 / 4,
        "dimensions" => object! {
            "originalWidth" => 1280, "originalHeight" => 720, "displayWidth" => 1280, "displayHeight" => 720,
        },
    };
    Call {
        name: "Read".to_owned(),
        input: object! { "file_path" => path },
        outcome: Outcome::done(array![image], object! { "type" => "image", "file" => file }),
    }
}

/// Reads a notebook.
pub(super) fn read_notebook(place: &mut Workplace) -> Call {
    let path = text::file_name(&mut place.rng, &place.cwd, ".ipynb");
    let mut shown = String::new();
    let mut cells = Vec::new();
    for number in 0..place.rng.between(2, 6) {
        let length = place.rng.between(60, 600);
        let code = text::code(&mut place.rng, Language::Python, length);
        let id = place.rng.hex(8);
        for part in ["<cell id=\"", &id, "\">", &code, "</cell id=\"", &id, "\">\n"] {
            shown.push_str(part);
        }
        let outputs =
            if number % 2 == 0 { array![] } else { array![object! { "output_type" => "stream", "text" => "ok\n" }] };
        cells.push(object! {
            "cellType" => "code", "source" => code, "outputs" => outputs, "cell_id" => id, "language" => "python",
        });
    }
    let result = object! {
        "type" => "notebook", "file" => object! { "filePath" => path.as_str(), "cells" => cells },
    };
    Call {
        name: "Read".to_owned(),
        input: object! { "file_path" => path },
        outcome: Outcome::done(array![super::text_block(shown)], result),
    }
}

/// Reads a file that has not changed since the last time.
pub(super) fn read_unchanged(place: &mut Workplace) -> Call {
    let path = match &place.last_read {
        Some(path) => path.clone(),
        None => text::file_name(&mut place.rng, &place.cwd, ".rs"),
    };
    let content = "File unchanged since last read. The content from the earlier Read tool_result in this conversation is still current.";
    Call {
        name: "Read".to_owned(),
        input: object! { "file_path" => path.as_str() },
        outcome: Outcome::done(
            content,
            object! { "type" => "file_unchanged", "file" => object! { "filePath" => path } },
        ),
    }
}

/// Reads a file that does not exist.
pub(super) fn read_missing(place: &mut Workplace) -> Call {
    let path = text::file_name(&mut place.rng, &place.cwd, ".toml");
    let outcome = Outcome::tool_error(&format!("File does not exist. Current working directory: {}", place.cwd));
    Call { name: "Read".to_owned(), input: object! { "file_path" => path }, outcome }
}

/// One replacement in a text: the old text, the new text, and the hunk.
struct Change {
    old: String,
    new: String,
    hunk: Json,
    snippet: String,
}

fn change(rng: &mut Rng, original: &str, language: Language) -> Change {
    let lines: Vec<&str> = original.lines().collect();
    let first = rng.below(lines.len());
    let removed: Vec<&str> = lines.iter().skip(first).take(rng.between(1, 7)).copied().collect();
    let length = rng.log_between(30, 900);
    let new = text::code(rng, language, length);
    let new = new.trim_end();
    let added: Vec<&str> = new.lines().collect();
    let context_start = first.saturating_sub(3);
    let before: Vec<&str> = lines.iter().skip(context_start).take(first - context_start).copied().collect();
    let after: Vec<&str> = lines.iter().skip(first + removed.len()).take(3).copied().collect();
    let marked = |mark: char, lines: &[&str]| lines.iter().map(|line| format!("{mark}{line}")).collect::<Vec<_>>();
    let mut patch = marked(' ', &before);
    patch.extend(marked('-', &removed));
    patch.extend(marked('+', &added));
    patch.extend(marked(' ', &after));
    let hunk = object! {
        "oldStart" => context_start + 1,
        "oldLines" => before.len() + removed.len() + after.len(),
        "newStart" => context_start + 1,
        "newLines" => before.len() + added.len() + after.len(),
        "lines" => patch,
    };
    let snippet = [before, added.clone(), after].concat().join("\n");
    Change {
        old: removed.join("\n"),
        new: new.to_owned(),
        hunk,
        snippet: text::numbered(&snippet, context_start + 1, true),
    }
}

/// The whole file before the edit; newer versions leave large ones out.
fn original_file(place: &Workplace, original: String) -> Json {
    if place.version.since(2, 1, 97) && original.len() > 10_000 { Json::Null } else { original.into() }
}

fn edit_message(place: &Workplace, path: &str, snippet: &str) -> String {
    if place.version.since(2, 1, 12) {
        format!("The file {path} has been updated successfully.")
    } else {
        format!(
            "The file {path} has been updated. Here's the result of running `cat -n` on a snippet of the edited file:\n{snippet}"
        )
    }
}

/// Replaces text in a file.
pub(super) fn edit(place: &mut Workplace) -> Call {
    let (path, original, language) = source(place, 1200, 24_000);
    let change = change(&mut place.rng, &original, language);
    let content = edit_message(place, &path, &change.snippet);
    let input = object! {
        "replace_all" => false, "file_path" => path.as_str(),
        "old_string" => change.old.as_str(), "new_string" => change.new.as_str(),
    };
    let result = object! {
        "filePath" => path, "oldString" => change.old, "newString" => change.new,
        "originalFile" => original_file(place, original), "structuredPatch" => array![change.hunk],
        "userModified" => false, "replaceAll" => false,
    };
    Call { name: "Edit".to_owned(), input, outcome: Outcome::done(content, result) }
}

/// Replaces text in a file that was not read.
pub(super) fn edit_unread(place: &mut Workplace) -> Call {
    let path = text::file_name(&mut place.rng, &place.cwd, ".rs");
    Call {
        name: "Edit".to_owned(),
        input: object! { "file_path" => path, "old_string" => "let total = 0;", "new_string" => "let total = 1;" },
        outcome: Outcome::tool_error("File has not been read yet. Read it first before writing to it."),
    }
}

/// Makes several replacements in one file.
pub(super) fn multi_edit(place: &mut Workplace) -> Call {
    let (path, original, language) = source(place, 1200, 16_000);
    let mut edits = Vec::new();
    let mut hunks = Vec::new();
    let mut snippet = String::new();
    for _ in 0..place.rng.between(2, 5) {
        let change = change(&mut place.rng, &original, language);
        edits.push(object! { "old_string" => change.old, "new_string" => change.new, "replace_all" => false });
        hunks.push(change.hunk);
        snippet = change.snippet;
    }
    let content = format!("Applied {} edits to {path}:\n{snippet}", edits.len());
    let result = object! {
        "filePath" => path.as_str(), "edits" => edits.clone(), "originalFileContents" => original,
        "structuredPatch" => hunks, "userModified" => false,
    };
    Call {
        name: "MultiEdit".to_owned(),
        input: object! { "file_path" => path, "edits" => edits },
        outcome: Outcome::done(content, result),
    }
}

/// Writes a new file.
pub(super) fn write(place: &mut Workplace) -> Call {
    let (path, content, _) = source(place, 300, 12_000);
    let message = format!("File created successfully at: {path}");
    let result = object! {
        "type" => "create", "filePath" => path.as_str(), "content" => content.as_str(), "structuredPatch" => array![],
    };
    let result = if place.version.since(2, 0, 0) { result.with("originalFile", Json::Null) } else { result };
    Call {
        name: "Write".to_owned(),
        input: object! { "file_path" => path, "content" => content },
        outcome: Outcome::done(message, result),
    }
}

/// Replaces a cell of a notebook.
pub(super) fn notebook_edit(place: &mut Workplace) -> Call {
    let path = text::file_name(&mut place.rng, &place.cwd, ".ipynb");
    let source = text::code(&mut place.rng, Language::Python, 240);
    let id = place.rng.hex(8);
    let input = object! {
        "notebook_path" => path.as_str(), "cell_id" => id.as_str(), "new_source" => source.as_str(), "cell_type" => "code",
    };
    let result = object! {
        "new_source" => source, "cell_type" => "code", "language" => "python", "edit_mode" => "replace",
        "cell_id" => id.as_str(), "error" => "", "notebook_path" => path,
    };
    Call { name: "NotebookEdit".to_owned(), input, outcome: Outcome::done(format!("Updated cell {id}"), result) }
}
