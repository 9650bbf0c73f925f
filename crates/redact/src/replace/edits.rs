//! Changes to the bytes of a line.

use std::ops::Range;

use crate::view::StringSpan;

/// A transparent picture of one pixel, in base64.
const BLANK: &str = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGNgYGBgAAAABQABh6FO1AAAAABJRU5ErkJggg==";
/// Keys whose values the format needs as they are: kinds, ids, times and references. Only a certain secret is replaced
/// in them.
const STRUCTURE: [&[u8]; 58] = [
    b"type",
    b"subtype",
    b"role",
    b"uuid",
    b"parentUuid",
    b"logicalParentUuid",
    b"sessionId",
    b"session_id",
    b"timestamp",
    b"id",
    b"tool_use_id",
    b"toolUseID",
    b"toolUseId",
    b"parentToolUseID",
    b"parent_tool_use_id",
    b"messageId",
    b"message_id",
    b"requestId",
    b"request_id",
    b"model",
    b"version",
    b"stop_reason",
    b"stop_sequence",
    b"operation",
    b"agentId",
    b"agent_id",
    b"promptId",
    b"leafUuid",
    b"sourceToolAssistantUUID",
    b"sourceToolUseID",
    b"media_type",
    b"status",
    b"userType",
    b"entrypoint",
    b"level",
    b"service_tier",
    b"permissionMode",
    b"hookEvent",
    b"hook_event_name",
    b"messageUuid",
    b"taskId",
    b"task_id",
    b"promptSource",
    b"kind",
    b"event",
    b"format",
    b"encoding",
    b"is_error",
    b"interruptedMessageId",
    b"scheduledTaskId",
    b"runId",
    b"turnId",
    b"toolName",
    b"tool_name",
    b"name",
    b"outputMode",
    b"output_mode",
    b"mode",
];
/// Keys of the format that must stay, even if one of them is also a name to replace.
const KEYS: [&[u8]; 24] = [
    b"message",
    b"content",
    b"text",
    b"input",
    b"usage",
    b"cwd",
    b"thinking",
    b"signature",
    b"source",
    b"data",
    b"toolUseResult",
    b"stdout",
    b"stderr",
    b"file",
    b"filePath",
    b"file_path",
    b"command",
    b"description",
    b"prompt",
    b"summary",
    b"lines",
    b"caller",
    b"slug",
    b"error",
];

/// A range of bytes that becomes another text.
#[derive(Debug, Clone)]
pub(super) struct Edit {
    pub(super) range: Range<usize>,
    pub(super) text: String,
    pub(super) finding: Option<usize>,
    /// The text is what was there, encoded again.
    pub(super) is_encoded: bool,
    pub(super) is_counted: bool,
}

/// What stands in the place of data that cannot be changed in parts.
pub(super) fn instead_of_data(data: &[u8], replacement: Option<&str>) -> String {
    let is_picture = data.starts_with(b"\x89PNG")
        || data.starts_with(b"\xff\xd8\xff")
        || data.starts_with(b"GIF8")
        || (data.starts_with(b"RIFF") && data.get(8..12) == Some(b"WEBP"));
    if is_picture { BLANK.to_owned() } else { replacement.unwrap_or_default().to_owned() }
}

/// The edits that a line of JSON allows: inside strings that are not structure. A number that is a finding becomes 0.
pub(super) fn within_strings(
    line: &[u8],
    strings: &[StringSpan],
    edits: Vec<Edit>,
    is_certain: impl Fn(usize) -> bool,
) -> Vec<Edit> {
    let mut allowed = Vec::with_capacity(edits.len());
    for mut edit in edits {
        let first = strings.partition_point(|string| string.end <= edit.range.start);
        let touched = strings.get(first..).unwrap_or_default().iter();
        let mut touched = touched.take_while(|string| string.start < edit.range.end).peekable();
        if touched.peek().is_none() {
            if let Some(range) = number(line, &edit.range) {
                "0".clone_into(&mut edit.text);
                edit.range = range;
                allowed.push(edit);
            }
            continue;
        }
        for string in touched {
            if is_structure(line, string) && !edit.finding.is_some_and(&is_certain) {
                continue;
            }
            let range = edit.range.start.max(string.start)..edit.range.end.min(string.end);
            allowed.push(Edit { range, text: std::mem::take(&mut edit.text), ..edit });
            edit.is_counted = false;
        }
    }
    allowed
}

/// Whether the format needs a string as it is.
fn is_structure(line: &[u8], string: &StringSpan) -> bool {
    let content = line.get(string.range()).unwrap_or_default();
    if string.is_key {
        return STRUCTURE.contains(&content) || KEYS.contains(&content);
    }
    let key = string.key.and_then(|(from, to)| line.get(from..to)).unwrap_or_default();
    STRUCTURE.contains(&key) && is_plain(content)
}

/// Whether a value is a word, an id or a time, as structure is.
pub(super) fn is_plain(value: &[u8]) -> bool {
    value.len() <= 100
        && value.iter().all(|&byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.' | b':'))
}

/// The whole number around a range outside of strings.
fn number(line: &[u8], range: &Range<usize>) -> Option<Range<usize>> {
    let belongs = |byte: &&u8| byte.is_ascii_digit() || matches!(byte, b'.' | b'-' | b'+' | b'e' | b'E');
    let inside = line.get(range.clone())?;
    if inside.is_empty() || !inside.iter().all(|byte| belongs(&byte)) {
        return None;
    }
    let before = line.get(..range.start)?.iter().rev().take_while(belongs).count();
    let after = line.get(range.end..)?.iter().take_while(belongs).count();
    Some(range.start - before..range.end + after)
}

/// Makes the changes. Where they overlap, all of it is replaced by what replaces the first, and encoded text never
/// brings back what another change removes.
pub(super) fn apply(bytes: &[u8], mut edits: Vec<Edit>, mut counted: impl FnMut(usize)) -> Vec<u8> {
    edits.sort_by_key(|edit| (edit.range.start, std::cmp::Reverse(edit.range.end), edit.is_encoded));
    let mut merged: Vec<Edit> = Vec::with_capacity(edits.len());
    for edit in edits {
        match merged.last_mut() {
            Some(last) if edit.range.start < last.range.end => {
                let end = last.range.end.max(edit.range.end);
                if last.is_encoded && !edit.is_encoded {
                    last.text = edit.text;
                    last.finding = edit.finding;
                    last.is_encoded = false;
                    last.is_counted = true;
                }
                last.range.end = end;
            }
            _ => merged.push(edit),
        }
    }
    let mut text = Vec::with_capacity(bytes.len());
    let mut at = 0;
    for edit in merged {
        text.extend_from_slice(bytes.get(at..edit.range.start).unwrap_or_default());
        text.extend_from_slice(edit.text.as_bytes());
        at = edit.range.end;
        if let Some(finding) = edit.finding.filter(|_| edit.is_counted) {
            counted(finding);
        }
    }
    text.extend_from_slice(bytes.get(at..).unwrap_or_default());
    text
}
