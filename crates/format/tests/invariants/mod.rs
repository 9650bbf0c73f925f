//! Invariants that hold for any bytes. The property tests and the fuzz targets call them.

#![allow(dead_code, reason = "each target uses its own part")]

use std::hint::black_box;

use format::assemble::Assembler;
use format::block::Block;
use format::id::{EntryId, ToolUseId};
use format::tool::{Calls, TypedResult};
use format::{
    Body, Entry, Framer, Malformed, Reading, Scratch, Text, Wrapping, read, read_header, read_usage_header, text, tool,
};

/// The lines add up to the input, with consecutive numbers and offsets, in whatever pieces the input arrives.
pub(crate) fn lines(input: &[u8]) {
    let mut next = (1, 0);
    let mut whole = Vec::new();
    for line in format::lines(input) {
        assert_eq!((line.number, line.offset), next, "lines follow one another");
        assert!(line.span >= 1 && !line.bytes.is_empty());
        next = (line.number + line.span, line.offset + line.bytes.len() as u64);
        whole.push(line);
    }
    let joined: Vec<u8> = whole.iter().flat_map(|line| line.bytes).copied().collect();
    assert_eq!(joined, input, "nothing is lost");

    // The input itself determines the size of the pieces.
    let size = usize::from(input.first().copied().unwrap_or(1)).max(1);
    let (mut framer, mut buffer, mut found) = (Framer::default(), Vec::new(), Vec::new());
    let mut pieces = input.chunks(size);
    loop {
        let piece = pieces.next();
        buffer.extend_from_slice(piece.unwrap_or_default());
        while let Some(line) = framer.next(&buffer, piece.is_none()) {
            found.push((line.number, line.offset, line.span));
            let length = line.bytes.len();
            buffer.drain(..length);
        }
        if piece.is_none() {
            break;
        }
    }
    let expected: Vec<_> = whole.iter().map(|line| (line.number, line.offset, line.span)).collect();
    assert_eq!(found, expected, "pieces of {size} bytes give the same lines");
}

/// Every line is accounted for: it has entries or a reason, or it is blank. An object of strict JSON is never
/// malformed, and the header agrees with the entry.
pub(crate) fn entries(input: &[u8]) {
    let mut scratch = Scratch::default();
    for line in format::lines(input) {
        scratch.reset();
        let reading = read(line.bytes, &scratch);
        black_box(format!("{reading:?}"));
        let strict: Option<serde_json::Value> = serde_json::from_slice(line.bytes).ok();
        if let Some(Malformed { reason, at, .. }) = &reading.malformed {
            assert!(!reason.is_empty() && *at <= line.bytes.len());
            let object = strict.as_ref().is_some_and(serde_json::Value::is_object);
            assert!(!object, "strict JSON is called malformed: {reason}");
        } else if reading.entries.is_empty() {
            let visible = String::from_utf8_lossy(line.bytes);
            let is_blank = visible
                .trim_matches(|c: char| c.is_control() || c.is_whitespace() || "\u{feff}\u{fffd}".contains(c))
                .is_empty();
            let is_empty_list = reading.wrapping != Wrapping::Line;
            assert!(is_blank || is_empty_list, "a line is neither read nor called malformed");
        }
        headers(line.bytes, &reading, &scratch);
        let [entry] = reading.entries.as_slice() else { continue };
        // A wrapper is not part of the entries inside it.
        let is_line = reading.wrapping == Wrapping::Line && !matches!(entry.body, Body::Captured(_));
        if let (Some(serde_json::Value::Object(object)), true) = (strict, is_line) {
            let uuid = object.get("uuid").and_then(serde_json::Value::as_str);
            assert!(uuid.is_none() || uuid == entry.envelope.uuid.map(EntryId::as_str), "strings read alike");
        }
    }
}

/// All depths of reading agree: a line has a header if it is one entry, and the header agrees with the entry.
fn headers(line: &[u8], reading: &Reading<'_>, scratch: &Scratch) {
    let (header, usage) = (read_header(line, scratch), read_usage_header(line, scratch));
    let is_sound = reading.malformed.is_none() && !reading.repairs.any();
    let entry = match (reading.entries.as_slice(), reading.wrapping) {
        ([entry], Wrapping::Line | Wrapping::Captured) if is_sound => entry,
        _ => {
            assert!(header.is_none(), "a header of what is not one entry: {reading:?}");
            assert!(usage.is_none(), "a usage header of what is not one entry: {reading:?}");
            return;
        }
    };
    // A record of a capture has the header of its message, if that is an object, and no usage header. Only a full read
    // shows whether a line is a record.
    let has = |key: &str| String::from_utf8_lossy(line).contains(key);
    let may_be_record = has("conversationId") || has("claudeMessage");
    // Only a full read joins a message that was spread into characters.
    let may_be_spread = has("\"0\"") || has("\\u0030");
    assert!(header.is_some() || may_be_record, "an entry without a header: {reading:?}");
    assert!(usage.is_some() || may_be_record || may_be_spread, "an entry without a usage header: {reading:?}");
    assert!(usage.is_none() || reading.wrapping == Wrapping::Line);
    let (envelope, message) = (&entry.envelope, entry.body.message());
    if let Some(header) = &header {
        kinds(header.kind, entry);
        assert_eq!(
            (header.uuid, header.parent_uuid, header.logical_parent_uuid, header.timestamp),
            (envelope.uuid, envelope.parent_uuid, envelope.logical_parent_uuid, envelope.timestamp)
        );
        assert_eq!(
            (header.session_id, header.stream_session_id, header.agent_id, header.team_name),
            (envelope.session_id, envelope.stream_session_id, envelope.agent_id, envelope.team_name)
        );
        assert_eq!(
            (header.prompt_id, header.request_id, header.parent_tool_use_id, header.is_sidechain, header.is_meta),
            (
                envelope.prompt_id,
                envelope.request_id,
                envelope.parent_tool_use_id,
                envelope.is_sidechain,
                envelope.is_meta
            )
        );
        assert_eq!(
            (header.cwd, header.git_branch, header.entrypoint, header.cost_usd),
            (envelope.cwd, envelope.git_branch, envelope.entrypoint, envelope.cost_usd)
        );
        if let Some(message) = message.filter(|_| !may_be_spread) {
            let said = header.message.as_ref();
            assert_eq!(
                said.map(|said| (said.id, said.role, said.model, said.stop_reason, &said.usage)),
                Some((message.id, message.role, message.model, message.stop_reason, &*message.usage))
            );
        }
    }
    if let Some(usage) = &usage {
        kinds(usage.kind, entry);
        assert_eq!(
            (usage.uuid, usage.timestamp, usage.session_id, usage.stream_session_id, usage.agent_id),
            (envelope.uuid, envelope.timestamp, envelope.session_id, envelope.stream_session_id, envelope.agent_id)
        );
        assert_eq!(
            (usage.request_id, usage.parent_tool_use_id, usage.is_sidechain, usage.git_branch, usage.cost_usd),
            (
                envelope.request_id,
                envelope.parent_tool_use_id,
                envelope.is_sidechain,
                envelope.git_branch,
                envelope.cost_usd
            )
        );
        assert_eq!(usage.forked_from, envelope.forked_from);
        if let Some(message) = message {
            let said = usage.message.as_ref();
            assert_eq!(
                said.map(|said| (said.id, said.model, said.stop_reason, said.usage.as_ref())),
                Some((message.id, message.model, message.stop_reason, message.usage.as_deref()))
            );
        }
    }
}

/// The header and the entry have the same type. Lines of `history.jsonl` have no type and are recognised by their
/// fields.
fn kinds(written: Option<Text<'_>>, entry: &Entry<'_>) {
    match written {
        Some(kind) => assert_eq!(kind, entry.body.kind()),
        None => assert!(matches!(entry.body.kind(), "" | "history"), "{entry:?}"),
    }
}

/// Results of any shape are read for every tool, from the structured form and from the text.
pub(crate) fn tool_results(input: &[u8]) {
    const TOOLS: [&str; 24] = [
        "Bash",
        "Read",
        "Edit",
        "MultiEdit",
        "Write",
        "NotebookEdit",
        "Glob",
        "Grep",
        "LS",
        "Task",
        "TaskOutput",
        "BashOutput",
        "KillShell",
        "TodoWrite",
        "TaskCreate",
        "TaskUpdate",
        "AskUserQuestion",
        "WebSearch",
        "WebFetch",
        "ExitPlanMode",
        "Skill",
        "ToolSearch",
        "mcp__server__tool",
        "NoSuchTool",
    ];
    let mut scratch = Scratch::default();
    for line in format::lines(input) {
        scratch.reset();
        let reading = read(line.bytes, &scratch);
        for entry in &reading.entries {
            let Body::User(user) = &entry.body else { continue };
            let Some(content) = user.message.as_ref().and_then(|message| message.content.as_ref()) else { continue };
            let results: Vec<_> = content.blocks().iter().filter_map(Block::as_result).collect();
            // One tool per line, chosen by the length of the line: all tools would take too long.
            let chosen = TOOLS.get(line.bytes.len() % TOOLS.len());
            for name in TOOLS.iter().map(Some).chain([None]) {
                let tool = name.copied();
                for result in &results {
                    black_box(tool::read_result(tool, None, Some(result), &scratch));
                    let read = tool::read_result(tool, user.tool_use_result.clone(), Some(result), &scratch);
                    if let ([_], Some(tool), true) = (results.as_slice(), tool, name == chosen) {
                        in_one_pass(line.bytes, tool, &read, entry.notes.len());
                    }
                }
            }
        }
    }
}

/// Typing a result while its line is read, or afterwards, gives the same result.
fn in_one_pass(line: &[u8], name: &str, expected: &TypedResult<'_>, other_notes: usize) {
    let (scratch, calls) = (Scratch::default(), Calls::default());
    let mut reading = read(line, &scratch);
    let [entry] = reading.entries.as_slice() else { return };
    let Some(id) =
        entry.body.message().and_then(|message| message.content.as_ref()?.blocks().iter().find_map(Block::answers))
    else {
        return;
    };
    calls.open(id, name);
    reading = format::read_with(line, &scratch, &calls);
    assert_eq!(reading.entries.len(), 1, "calls change nothing else");
    let Some(entry) = reading.entries.first_mut() else { return };
    let structured = entry.body.take_structured();
    let content = entry.body.message().and_then(|message| message.content.as_ref());
    let block = content.and_then(|content| content.blocks().iter().find_map(Block::as_result));
    let read = tool::read_result(Some(name), structured, block, &scratch);
    assert_eq!((&read.result, read.source), (&expected.result, expected.source));
    // There are more notes if the key is repeated, because the overwritten value has notes too.
    assert!(entry.notes.len() + read.notes.len() >= other_notes + expected.notes.len());
}

/// The segments add up to the text, and the readers accept any text.
pub(crate) fn tags(input: &[u8]) {
    let input = String::from_utf8_lossy(input);
    let joined: String = text::segments(&input).iter().map(|segment| segment.raw).collect();
    assert_eq!(joined, input, "nothing is lost");
    let (kept, reminders) = text::split_trailing_reminders(&input);
    assert!(input.starts_with(kept) && reminders.iter().all(|reminder| input.contains(reminder)));
    black_box((text::result_text(&input), text::notice(&input), text::cat_n(&input), text::agent_trailer(&input)));
    black_box((text::strip_reminders(&input), text::image_placeholders(&input).count(), text::tag(&input, "status")));
}

/// The events of a stream are assembled in any order.
pub(crate) fn assembly(input: &[u8]) {
    let mut assembler = Assembler::default();
    let mut scratch = Scratch::default();
    for line in format::lines(input) {
        scratch.reset();
        for entry in read(line.bytes, &scratch).entries {
            if let Body::StreamEvent(part) = &entry.body {
                let parent = entry.envelope.parent_tool_use_id.map(ToolUseId::as_str);
                if let Some(event) = &part.event {
                    black_box(assembler.push(event, parent));
                    black_box(assembler.message(parent));
                }
            }
        }
    }
}
