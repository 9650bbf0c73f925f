//! Written examples of every tool, as a table to review.

use std::fmt::Write as _;

use format::block::Block;
use format::tool::{ToolInput, read_result};
use format::{Body, Scratch};

use super::*;

/// One section per tool: `in` is an input, `out` a `toolUseResult`; `text`, `error` and `blocks` are the content that
/// the model received, `error` with its flag. A call that was not allowed has the kind of denial before its text.
const EXAMPLES: &str = include_str!("examples.txt");

/// The block of an entry that has just one.
fn only_block<'a, 'b>(body: &'b Body<'a>) -> Option<&'b Block<'a>> {
    let message = match body {
        Body::Assistant(entry) => entry.message.as_ref(),
        Body::User(entry) => entry.message.as_ref(),
        _ => None,
    };
    message?.content.as_ref()?.blocks().first()
}

fn with_input<T>(tool: &str, json: &str, tell: impl FnOnce(&ToolInput<'_>) -> T) -> Option<T> {
    let scratch = Scratch::default();
    let line = format!(
        r#"{{"type":"assistant","message":{{"content":[{{"type":"tool_use","id":"t","name":"{tool}","input":{json}}}]}}}}"#
    );
    let reading = format::read(line.as_bytes(), &scratch);
    let block = reading.entries.first().and_then(|entry| only_block(&entry.body));
    let Some(Block::ToolUse(call) | Block::ServerToolUse(call)) = block else { panic!("{line}") };
    call.input.as_ref().map(tell)
}

/// The outcome of a result of the tool, given in one of the forms of the examples.
fn came_of(tool: &str, kind: &str, text: &str) -> Outcome {
    let scratch = Scratch::default();
    let (block, entry) = match kind {
        "out" => (String::new(), format!(r#","toolUseResult":{text}"#)),
        "blocks" => (format!(r#","content":{text}"#), String::new()),
        "text" => (format!(r#","content":"{text}""#), String::new()),
        "error" => (format!(r#","is_error":true,"content":"{text}""#), String::new()),
        denial => (format!(r#","is_error":true,"content":"{text}""#), format!(r#","toolDenialKind":"{denial}""#)),
    };
    let block = format!(r#"{{"type":"tool_result","tool_use_id":"t"{block}}}"#);
    let line = format!(r#"{{"type":"user","message":{{"content":[{block}]}}{entry}}}"#);
    let reading = format::read(line.as_bytes(), &scratch);
    let Some(Body::User(user)) = reading.entries.first().map(|entry| &entry.body) else { panic!("{line}") };
    let block = reading.entries.first().and_then(|entry| only_block(&entry.body)).and_then(Block::as_result);
    let read = read_result(Some(tool), user.tool_use_result.clone(), block, &scratch);
    outcome(Some(tool), &read, block, Some(user))
}

#[test]
fn examples_of_all_tools() {
    let mut shown = String::new();
    for section in EXAMPLES.split("\n\n") {
        let Some((tool, lines)) = section.trim().split_once('\n') else { continue };
        writeln!(shown, "{tool}").unwrap();
        for (kind, text) in lines.lines().map(|line| line.split_once(' ').unwrap()) {
            let text = text.trim_start();
            if kind == "in" {
                writeln!(shown, "    {}", with_input(tool, text, subject).unwrap()).unwrap();
                continue;
            }
            let Outcome { state, severity, preview, change, measured_ms, user_said, agent, .. } =
                came_of(tool, kind, text);
            let change = change.map_or_else(String::new, |change| format!("+{} −{}", change.added, change.removed));
            write!(shown, "        {state:?} {severity:?} | {preview} | {change}").unwrap();
            for (name, value) in
                [("ms", measured_ms.map(|millis| millis.to_string().into())), ("said", user_said), ("agent", agent)]
            {
                if let Some(value) = value {
                    write!(shown, " | {name} {value}").unwrap();
                }
            }
            shown.push('\n');
        }
    }
    insta::with_settings!({ omit_expression => true }, { insta::assert_snapshot!("calls", shown) });
}

#[test]
fn hostile_shapes() {
    let long = format!("\"{}\"", "x\\n\\u001b[1m\\u202e".repeat(5000));
    let deep = format!("{}1{}", "[".repeat(100), "]".repeat(100));
    let shapes = [
        "null",
        "7",
        "\"\"",
        "[]",
        "{}",
        "[null,1,\"a\",[],{}]",
        r#"{"":""}"#,
        r#"{"query":[],"title":null}"#,
        &long,
        &deep,
    ];
    let keys =
        ["command", "file_path", "content", "prompt", "message", "todos", "questions", "stdout", "result", "text"];
    let tools: Vec<_> = EXAMPLES.split("\n\n").filter_map(|section| section.trim().lines().next()).collect();
    for tool in tools.into_iter().chain(["mcp__a__b", "Swim", ""]) {
        for shape in shapes {
            let object = keys.map(|key| format!("\"{key}\":{shape}")).join(",");
            for json in [shape, &format!("{{{object}}}")] {
                clean(&with_input(tool, json, subject).unwrap_or_default());
                clean(&came_of(tool, "out", json).preview);
                clean(&came_of(tool, "blocks", json).preview);
            }
        }
    }
}

fn clean(line: &str) {
    assert!(line.chars().count() <= crate::preview::LONGEST + 1 && !line.contains(char::is_control), "{line:?}");
}
