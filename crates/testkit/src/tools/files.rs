//! Read, Edit, `MultiEdit`, Write and `NotebookEdit`.

use super::shelf::Source;
use super::{Call, Outcome, Workplace};
use crate::json::Json;
use crate::rng::Rng;
use crate::text::{self, Language};
use crate::{array, object};

/// Reads a text file, whole or in part; sometimes one that was changed before.
pub(super) fn read(place: &mut Workplace) -> Call {
    if place.rng.chance(30)
        && let Some(file) = place.known_source()
    {
        return read_known(place, file);
    }
    let Source { path, text: content, .. } = place.new_source(300, 16_000);
    let lines = content.lines().count();
    let part = place.rng.chance(30);
    let first = if part { place.rng.between(2, 900) } else { 1 };
    let total = if part { first + lines + place.rng.between(0, 400) } else { lines };
    let shown = shown(place, &content, first);
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

/// The lines of a file as the model sees them.
fn shown(place: &Workplace, content: &str, first: usize) -> String {
    let mut shown = text::numbered(content, first, !place.version.since(2, 1, 86));
    if !place.version.since(2, 1, 97) {
        shown.push_str(
            "\n\n<system-reminder>\nWhenever you read a file, you should consider whether it would be considered malware.\n</system-reminder>\n",
        );
    }
    shown
}

/// Reads a file as the session has left it. The empty line after the last newline counts as a line.
fn read_known(place: &mut Workplace, file: Source) -> Call {
    let all: Vec<&str> = file.text.split('\n').collect();
    let (skipped, most) =
        if place.rng.chance(40) { (place.rng.below(all.len()), place.rng.between(1, 60)) } else { (0, all.len()) };
    let lines: Vec<&str> = all.iter().skip(skipped).take(most).copied().collect();
    let (count, content) = (lines.len(), lines.join("\n"));
    let input = object! { "file_path" => file.path.as_str() };
    let input = if count < all.len() { input.with("offset", skipped + 1).with("limit", count) } else { input };
    let shown = shown(place, &content, skipped + 1);
    let result = object! {
        "type" => "text",
        "file" => object! {
            "filePath" => file.path, "content" => content, "numLines" => count, "startLine" => skipped + 1,
            "totalLines" => all.len(),
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

/// One replacement in a text.
struct Change {
    old: String,
    new: String,
    /// Whether every occurrence is replaced.
    all: bool,
    after: String,
}

/// A change of a text, which must not be empty.
fn change(rng: &mut Rng, before: &str, language: Language) -> Change {
    if rng.chance(7)
        && let Some(change) = renaming(rng, before)
    {
        return change;
    }
    let lines: Vec<&str> = before.lines().collect();
    let first = rng.below(lines.len().max(1));
    let mut count = rng.between(1, 7);
    // An edit of text that occurs twice is refused.
    let old = loop {
        let old = lines.iter().skip(first).take(count).copied().collect::<Vec<_>>().join("\n");
        if first + count >= lines.len() || !old.is_empty() && before.matches(&old).count() == 1 {
            break if before.matches(&old).count() == 1 { old } else { before.to_owned() };
        }
        count += 1;
    };
    let new = match rng.below(10) {
        0 => String::new(),
        1 | 2 => indented(rng, &old),
        _ => {
            let length = rng.log_between(30, 900);
            text::code(rng, language, length).trim_end().to_owned()
        }
    };
    let new = if new == old { format!("{old} // checked") } else { new };
    // A line that is removed is removed with its newline.
    let with_newline = format!("{old}\n");
    let removed =
        if new.is_empty() && !old.ends_with('\n') && before.contains(&with_newline) { &with_newline } else { &old };
    let after = before.replacen(removed, &new, 1);
    Change { old, new, all: false, after }
}

/// The same lines with other indentation: tabs, spaces, or spaces after tabs.
fn indented(rng: &mut Rng, old: &str) -> String {
    let indent = rng.pick::<str>(&["\t ", "  ", "\t"]);
    let deeper = |line: &str| if line.is_empty() { String::new() } else { format!("{indent}{line}") };
    old.split('\n').map(deeper).collect::<Vec<_>>().join("\n")
}

/// A word is replaced everywhere.
fn renaming(rng: &mut Rng, before: &str) -> Option<Change> {
    let words: Vec<&str> = before.split(|c: char| !c.is_ascii_alphabetic()).filter(|word| word.len() > 4).collect();
    let old = (*words.get(rng.below(words.len().max(1)))?).to_owned();
    let new = text::capitalised(&format!("{old}2"));
    (old != new).then(|| Change { after: before.replace(&old, &new), old, new, all: true })
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

/// The file to edit: often one that was changed before.
fn to_edit(place: &mut Workplace, largest: usize) -> Source {
    let known = if place.rng.chance(45) { place.known_source() } else { None };
    // What is left may be too small, or has grown.
    let fits = |file: &Source| (200..60_000).contains(&file.text.len());
    match known.filter(fits) {
        Some(file) => file,
        None => place.new_source(1200, largest),
    }
}

/// Replaces text in a file.
pub(super) fn edit(place: &mut Workplace) -> Call {
    let Source { path, text: before, language } = to_edit(place, 24_000);
    let change = change(&mut place.rng, &before, language);
    place.shelf.put(&path, Some(&before), &change.after, language);
    let patch = text::hunks(&before, &change.after);
    let content = edit_message(place, &path, &snippet(&change.after, &patch));
    let input = object! {
        "replace_all" => change.all, "file_path" => path.as_str(),
        "old_string" => change.old.as_str(), "new_string" => change.new.as_str(),
    };
    let result = object! {
        "filePath" => path, "oldString" => change.old, "newString" => change.new,
        "originalFile" => original_file(place, before), "structuredPatch" => patch,
        "userModified" => false, "replaceAll" => change.all,
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

/// The lines of a file around a change, with their numbers.
fn snippet(after: &str, patch: &[Json]) -> String {
    let number = |key| match patch.first().and_then(|hunk| hunk.get(key)) {
        Some(Json::Int(number)) => usize::try_from(*number).unwrap_or(1),
        _ => 1,
    };
    let (start, count) = (number("newStart"), number("newLines"));
    let lines: Vec<&str> = after.lines().skip(start - 1).take(count).collect();
    text::numbered(&lines.join("\n"), start, true)
}

/// Makes several replacements in one file, one after the other.
pub(super) fn multi_edit(place: &mut Workplace) -> Call {
    let Source { path, text: before, language } = to_edit(place, 16_000);
    let mut edits = Vec::new();
    let mut after = before.clone();
    for _ in 0..place.rng.between(2, 5) {
        if after.len() < 200 {
            break;
        }
        let change = change(&mut place.rng, &after, language);
        edits.push(object! { "old_string" => change.old, "new_string" => change.new, "replace_all" => change.all });
        after = change.after;
    }
    place.shelf.put(&path, Some(&before), &after, language);
    let content = format!("Applied {} edits to {path}.", edits.len());
    let patch = text::hunks(&before, &after);
    let result = object! {
        "filePath" => path.as_str(), "edits" => edits.clone(), "originalFileContents" => before,
        "structuredPatch" => patch, "userModified" => false,
    };
    Call {
        name: "MultiEdit".to_owned(),
        input: object! { "file_path" => path, "edits" => edits },
        outcome: Outcome::done(content, result),
    }
}

/// Writes a file: a new one, or one that was changed before.
pub(super) fn write(place: &mut Workplace) -> Call {
    let Source { path, text: content, language } = place.new_source(300, 12_000);
    if place.version.since(2, 0, 0)
        && place.rng.chance(30)
        && let Some(known) = place.known_source()
    {
        return write_again(place, known, content);
    }
    place.shelf.put(&path, None, &content, language);
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

fn write_again(place: &mut Workplace, known: Source, content: String) -> Call {
    let Source { path, text: before, language } = known;
    place.shelf.put(&path, Some(&before), &content, language);
    let patch = text::hunks(&before, &content);
    let result = object! {
        "type" => "update", "filePath" => path.as_str(), "content" => content.as_str(), "structuredPatch" => patch,
        "originalFile" => original_file(place, before),
    };
    Call {
        name: "Write".to_owned(),
        input: object! { "file_path" => path.as_str(), "content" => content },
        outcome: Outcome::done(format!("The file {path} has been updated successfully."), result),
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
