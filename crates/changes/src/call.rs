//! Extracts from a call how it changed or read a file.

use format::Text;
use format::tool::{
    EditInput, EditResult, Hunk, NotebookEditResult, ReadResult, Replacement as EditReplacement, Snippet, TextFile,
    ToolInput, ToolResult, WriteInput, WriteKind, WriteResult,
};

use super::edit::{PatchPart, Replacement, parts};
use super::history::{Edited, History, Written};
use super::seen::Seen;
use content::CallParts;

fn word(text: Option<Text<'_>>) -> &str {
    text.map_or("", Text::as_str)
}

/// The file of a call.
pub(super) fn path<'a>(call: &CallParts<'a>) -> Option<&'a str> {
    let answered = match call.result {
        Some(ToolResult::Edit(edit)) => edit.file_path,
        Some(ToolResult::MultiEdit(edit)) => edit.file_path,
        Some(ToolResult::Write(write)) => write.file_path,
        Some(ToolResult::NotebookEdit(edit)) => edit.notebook_path,
        Some(ToolResult::Read(read)) => text_file(read).and_then(|file| file.file_path),
        _ => None,
    };
    let asked = call.input.and_then(ToolInput::path);
    [answered, asked].into_iter().flatten().map(Text::as_str).find(|path| !path.trim().is_empty())
}

fn text_file<'r, 'a>(read: &'r ReadResult<'a>) -> Option<&'r TextFile<'a>> {
    match read {
        ReadResult::Text(read) => read.file.as_ref(),
        _ => None,
    }
}

/// Adds a call to the history of its file; returns whether it changed something.
pub(super) fn add_call(history: &mut History, call: &CallParts<'_>) -> bool {
    match (call.result, call.input) {
        (Some(ToolResult::Read(read)), _) => {
            if let Some(file) = text_file(read) {
                self::read(history, file);
            }
            return false;
        }
        (Some(ToolResult::Edit(edit)), input) => {
            let asked = match input {
                Some(ToolInput::Edit(asked)) => Some(&**asked),
                _ => None,
            };
            edited(history, edit, asked);
        }
        (Some(ToolResult::MultiEdit(edit)), input) => {
            let asked = match input {
                Some(ToolInput::MultiEdit(asked)) => asked.edits.as_slice(),
                _ => &[],
            };
            let edits = if edit.edits.is_empty() { asked } else { &edit.edits };
            let before = edit.original_file.map(Text::as_str);
            make(history, before, &edit.patch, &replacements(edits), None);
        }
        (Some(ToolResult::Write(write)), input) => {
            let asked = match input {
                Some(ToolInput::Write(asked)) => Some(&**asked),
                _ => None,
            };
            written(history, write, asked);
        }
        (Some(ToolResult::NotebookEdit(edit)), input) => {
            let asked = match input {
                Some(ToolInput::NotebookEdit(asked)) => asked.new_source,
                _ => None,
            };
            return notebook(history, edit, word(asked));
        }
        // The result has no known form, but the call succeeded.
        (_, Some(ToolInput::Edit(asked))) => edited(history, &EditResult::default(), Some(asked)),
        (_, Some(ToolInput::MultiEdit(asked))) => make(history, None, &[], &replacements(&asked.edits), None),
        (_, Some(ToolInput::Write(asked))) => written(history, &WriteResult::default(), Some(asked)),
        (_, Some(ToolInput::NotebookEdit(asked))) => history.unplaced("", word(asked.new_source)),
        _ => return false,
    }
    true
}

fn edited(history: &mut History, edit: &EditResult<'_>, asked: Option<&EditInput<'_>>) {
    let is_other = edit.user_modified == Some(true);
    let replacement = Replacement {
        old: word(edit.old_string.or(asked.and_then(|asked| asked.old_string))),
        // If the user modified the edit, the input does not apply.
        new: word(edit.new_string.or(asked.filter(|_| !is_other).and_then(|asked| asked.new_string))),
        everywhere: edit.replace_all.or(asked.and_then(|asked| asked.replace_all)) == Some(true),
    };
    let replacements = [replacement];
    let is_given = edit.new_string.is_some() || !is_other;
    let replacements = if is_given { &replacements[..] } else { &[] };
    make(history, edit.original_file.map(Text::as_str), &edit.patch, replacements, edit.snippet.as_ref());
}

fn replacements<'e>(edits: &'e [EditReplacement<'_>]) -> Vec<Replacement<'e>> {
    let replacement = |edit: &'e EditReplacement<'_>| Replacement {
        old: edit.old_string.as_ref().map_or("", |text| text.as_str()),
        new: edit.new_string.as_ref().map_or("", |text| text.as_str()),
        everywhere: edit.replace_all == Some(true),
    };
    edits.iter().map(replacement).collect()
}

fn make(
    history: &mut History,
    before: Option<&str>,
    patch: &[Hunk<'_>],
    replacements: &[Replacement<'_>],
    snippet: Option<&Snippet<'_>>,
) {
    let parts = parts(patch).unwrap_or_default();
    let snippet = snippet.and_then(|snippet| {
        let at = usize::try_from(snippet.start_line?).ok()?.saturating_sub(1);
        Some((at, snippet.lines.iter().flat_map(|line| [line.as_str(), "\n"]).collect::<String>()))
    });
    let snippet = snippet.as_ref().map(|(at, text)| (*at, text.as_str()));
    history.edit(&Edited { before, parts: &parts, replacements, snippet });
}

fn written(history: &mut History, write: &WriteResult<'_>, asked: Option<&WriteInput<'_>>) {
    let content = word(write.content.or(asked.and_then(|asked| asked.content)));
    let parts: Vec<PatchPart> = parts(&write.patch).unwrap_or_default();
    let is_new = write.kind == Some(WriteKind::Create);
    let before = write.original_file.map(Text::as_str).filter(|_| !is_new);
    history.write(&Written { content, before, parts: &parts, is_new });
}

fn notebook(history: &mut History, edit: &NotebookEditResult<'_>, asked: &str) -> bool {
    if edit.error.is_some_and(|error| !error.is_empty()) {
        return false;
    }
    if let (Some(before), Some(content)) = (edit.original_file, edit.updated_file) {
        let (before, content) = (Some(before.as_str()), content.as_str());
        history.write(&Written { content, before, parts: &[], is_new: false });
    } else {
        let is_gone = edit.edit_mode.is_some_and(|mode| mode == "delete");
        let new = if is_gone { "" } else { edit.new_source.map_or(asked, Text::as_str) };
        history.unplaced(word(edit.old_source), new);
    }
    true
}

/// Adds the content of a file. Lines are counted as by the reader: the text after the last newline is a line, too.
fn read(history: &mut History, file: &TextFile<'_>) {
    let (Some(content), Some(start)) = (file.content, file.start_line.or(Some(1))) else { return };
    let Some(at) = usize::try_from(start).ok().map(|start| start.saturating_sub(1)) else { return };
    let mut texts: Vec<&str> = content.split('\n').collect();
    let last = at.saturating_add(texts.len());
    let total = file.total_lines.and_then(|total| usize::try_from(total).ok());
    let is_cut = file.truncated_by_token_cap == Some(true);
    let is_end = total == Some(last) && !is_cut;
    // Whether the line ends here is not known.
    if !is_end && (total.is_none() || is_cut) {
        texts.pop();
    }
    let count = texts.len();
    let lines = texts.into_iter().zip(1..).map(|(text, number)| Seen::exact(text, !(is_end && number == count)));
    let lines: Vec<Seen> = lines.filter(|line| line.ended || !line.text.is_empty()).collect();
    history.read(at, &lines, is_end);
}
