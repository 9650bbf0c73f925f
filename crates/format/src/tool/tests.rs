//! Tests every tool on written examples, and on values that fit no tool.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use super::*;
use crate::block::ToolResultBlock;
use crate::json::{Scratch, read_value};

const EXAMPLES: [(&str, &str); 6] = [
    ("shell", include_str!("examples/shell.txt")),
    ("file", include_str!("examples/file.txt")),
    ("search", include_str!("examples/search.txt")),
    ("agent", include_str!("examples/agent.txt")),
    ("planning", include_str!("examples/planning.txt")),
    ("host", include_str!("examples/host.txt")),
];

/// The tools of an example file with their lines: a word for the kind, and JSON or text.
fn sections(examples: &str) -> impl Iterator<Item = (&str, Vec<(&str, &str)>)> {
    examples.split("\n\n").filter_map(|section| {
        let (tool, lines) = section.trim_start_matches('\n').split_once('\n')?;
        Some((tool, lines.lines().map(|line| line.split_at(7)).map(|(kind, rest)| (kind.trim(), rest)).collect()))
    })
}

fn input<'a>(tool: &'a str, json: &'a str, scratch: &'a Scratch) -> (Option<ToolInput<'a>>, Vec<Note<'a>>) {
    let mut notes = Notes::new(scratch);
    let input = ToolInput::read(tool, &mut Cursor::new(json), &mut notes).unwrap();
    (input, notes.list)
}

fn block(content: Content<'_>, is_error: Option<bool>) -> ToolResultBlock<'_> {
    ToolResultBlock { content: Some(content), is_error, ..ToolResultBlock::default() }
}

fn result<'a>(tool: Option<&str>, kind: &str, text: &str, scratch: &'a Scratch) -> TypedResult<'a> {
    let text = scratch.keep(text);
    if kind == "out" {
        return read_result(tool, Some(Raw::from(text).into()), None, scratch);
    }
    let content = match kind {
        "blocks" => read_value(text, &mut Notes::new(scratch)).unwrap(),
        _ => Content::Text(Text::from(scratch.keep(&text.replace("\\n", "\n")))),
    };
    read_result(tool, None, Some(&block(content, (kind == "error").then_some(true))), scratch)
}

#[test]
fn examples_of_all_tools() {
    for (name, examples) in EXAMPLES {
        let scratch = Scratch::default();
        let mut shown = String::new();
        for (tool, lines) in sections(examples) {
            for (kind, text) in lines {
                let notes = if kind == "in" {
                    let (input, notes) = input(tool, text, &scratch);
                    writeln!(shown, "{tool} in: {:#?}", input.unwrap()).unwrap();
                    notes
                } else {
                    let TypedResult { result, notes, source } = result(Some(tool), kind, text, &scratch);
                    writeln!(shown, "{tool} {kind} [{source:?}]: {result:#?}").unwrap();
                    notes
                };
                for note in notes {
                    writeln!(shown, "note: {note:?}").unwrap();
                }
                shown.push('\n');
            }
        }
        insta::with_settings!({ omit_expression => true }, { insta::assert_snapshot!(name, shown) });
    }
}

#[test]
fn every_tool_has_an_example() {
    let written: BTreeSet<_> =
        EXAMPLES.iter().flat_map(|(_, examples)| sections(examples)).map(|(tool, _)| tool).collect();
    let missing: Vec<_> = names().filter(|name| !written.contains(name)).collect();
    assert!(missing.is_empty(), "{missing:?}");
}

/// All names in the table.
fn names() -> impl Iterator<Item = &'static str> {
    ToolKind::ALL.iter().flat_map(|kind| kind.names()).copied()
}

#[test]
fn a_name_in_the_wrong_case_is_the_same_tool() {
    let scratch = Scratch::default();
    let (typed, notes) = input("bash", r#"{"command":"ls"}"#, &scratch);
    assert!(matches!(&typed, Some(ToolInput::Bash(shell)) if shell.command.unwrap() == "ls"), "{typed:?}");
    assert_eq!(notes, []);
    let result = result(Some("bash"), "out", r#"{"stdout":"beds","stderr":"","interrupted":false}"#, &scratch).result;
    assert!(matches!(result, ToolResult::Bash(_)), "{result:?}");
    assert_eq!(["bash", "todowrite", "TASK"].map(present_name), ["Bash", "TodoWrite", "Agent"]);
    assert_eq!(["web_search", "mcp__garden__Bash", "bashful"].map(|name| Tool::named(name).kind()), [None; 3]);
}

#[test]
fn stray_inputs_are_known() {
    let scratch = Scratch::default();
    for (tool, json) in [
        ("ExitPlanMode", r##"{"plan":"# Dig","parameter":{"x":1},"summary":"Dig"}"##),
        ("Read", r#"{"relative_path":"beds/north.md"}"#),
        ("Bash", r#"{"command":"ls","tabId":"t1"}"#),
        ("Bash", r#"{"command":"ls","tabId":12}"#),
    ] {
        assert_eq!(input(tool, json, &scratch).1, [], "{tool} {json}");
    }
}

#[test]
fn names_are_resolved() {
    assert_eq!(["Task", "Agent", "Swim"].map(present_name), ["Agent", "Agent", "Swim"]);
    for kind in ToolKind::ALL {
        assert!(kind.names().iter().all(|name| Tool::named(name) == Tool::BuiltIn(*kind)), "{kind:?}");
        assert_eq!(kind.name(), kind.names()[0]);
    }
    for tool in ServerTool::ALL {
        assert_eq!(Tool::named(tool.name()), Tool::Server(*tool));
    }
    assert_eq!(Tool::named("mcp__garden__dig"), Tool::Mcp { server: "garden", tool: "dig" });
    assert_eq!(Tool::named("mcp__garden"), Tool::Other("mcp__garden"));
    assert!(is_builtin("exit_plan_mode") && !is_builtin("mcp__garden__dig") && !is_builtin(""));
    for name in ["mcp__", "mcp____dig", "mcp__garden", "mcp__garden__", "xmcp__a__b"] {
        assert_eq!(split_mcp(name), None, "{name}");
    }
}

#[test]
fn a_name_means_its_tool_under_all_its_names() {
    for kind in ToolKind::ALL {
        let all = kind.names();
        assert!(all.iter().all(|name| all.iter().all(|other| Tool::named(name).is_meant_by(other))), "{kind:?}");
    }
    assert!(Tool::named("TaskStop").is_meant_by("killshell") && !Tool::named("TaskStop").is_meant_by("Task"));
    let dig = Tool::named("mcp__garden__dig__deep");
    for name in ["mcp__garden__dig__deep", "mcp__garden", "mcp__Garden__Dig__Deep", "garden", "Garden", "dig__deep"] {
        assert!(dig.is_meant_by(name), "{name}");
    }
    for name in ["", "mcp__", "mcp__gard", "mcp__garden__dig", "gard", "dig", "mcp"] {
        assert!(!dig.is_meant_by(name), "{name}");
    }
    assert!(Tool::named("web_search").is_meant_by("Web_Search") && !Tool::named("web_search").is_meant_by("WebSearch"));
    assert!(Tool::named("Swim").is_meant_by("swim") && !Tool::named("Swim").is_meant_by("Bash"));
}

/// Every example of a tool with a path yields the path that the table declares.
#[test]
fn a_tool_with_a_path_names_it() {
    let scratch = Scratch::default();
    let mut named = BTreeSet::new();
    for (tool, lines) in EXAMPLES.iter().flat_map(|(_, examples)| sections(examples)) {
        for (_, json) in lines.iter().filter(|(kind, _)| *kind == "in") {
            let (input, _) = input(tool, json, &scratch);
            let (kind, path) = input.as_ref().map(|input| (input.kind(), input.path())).unwrap();
            assert_eq!(kind, ToolKind::named(tool), "{tool}");
            if path.is_some() {
                named.extend(kind);
            }
        }
    }
    let expected: BTreeSet<_> = ToolKind::ALL.iter().copied().filter(|kind| kind.nature().has_path).collect();
    assert_eq!(named, expected);
}

#[test]
fn an_input_is_small() {
    assert!(size_of::<ToolInput<'_>>() <= 24);
    assert!(size_of::<ToolResult<'_>>() <= 64);
}

#[test]
fn unknown_tools_are_kept_and_noted() {
    let scratch = Scratch::default();
    let name = "Task\" >\n<parameter name=\"description";
    let (read, notes) = input(name, r#"{"a":1}"#, &scratch);
    assert_eq!(read, Some(ToolInput::Other(Raw::from(r#"{"a":1}"#))));
    assert_eq!(notes, [Note::UnknownKind { of: "tool", name: Text::from(name) }]);
    let read = result(Some(name), "out", r#"{"stdout":""}"#, &scratch);
    assert_eq!((read.result, read.source), (ToolResult::Other(Raw::from(r#"{"stdout":""}"#)), ResultSource::Plain));
}

#[test]
fn an_input_that_was_no_json() {
    let scratch = Scratch::default();
    for tool in ["Bash", "mcp__garden__dig", "web_search", "Swim"] {
        let (read, notes) = input(tool, r#"{"__unparsedToolInput":"{\"command\": \"ls"}"#, &scratch);
        assert_eq!(read, Some(ToolInput::Unparsed(Text::from(r#"{"command": "ls"#))), "{tool}");
        assert!(notes.is_empty(), "{tool}");
    }
    assert_eq!(input("Bash", r#""ls""#, &scratch).0, Some(ToolInput::Unparsed(Text::from("ls"))));
}

#[test]
fn unknown_fields_are_noted() {
    let scratch = Scratch::default();
    let unknown =
        |record, field, value| Note::UnknownField { record, field: Text::from(field), value: Raw::from(value) };
    let (_, notes) = input("Grep", r#"{"pattern":"a","colour":"red"}"#, &scratch);
    assert_eq!(notes, [unknown("Grep input", "colour", "\"red\"")]);
    let read = result(Some("Grep"), "out", r#"{"numFiles":0,"colour":"red"}"#, &scratch);
    assert_eq!(read.notes, [unknown("Grep result", "colour", "\"red\"")]);
}

/// Reading continues after any value.
#[test]
fn hostile_shapes() {
    let deep = format!("{}1{}", "[".repeat(5000), "]".repeat(5000));
    let shapes = [
        "null",
        "true",
        "7",
        "-1.5e300",
        "\"\"",
        "\"Error: \"",
        "[]",
        "[null,1,\"a\",[],{}]",
        "{}",
        "[[[[]]]]",
        r#"{"type":null}"#,
        r#"{"type":7,"file":[]}"#,
        r#"{"file":{"type":"text"},"type":"text"}"#,
        r#"{"stdout":{},"stderr":[1],"interrupted":"maybe"}"#,
        r#"{"task":[],"tasks":{},"content":7,"usage":"a"}"#,
        r#"{"results":[null,7,{},[],"a"],"questions":"q","answers":["a"],"todos":{"a":1}}"#,
        r#"{"structuredPatch":[{"lines":[1,null]},7],"filenames":"one","matches":null}"#,
        &deep,
    ];
    let scratch = Scratch::default();
    for name in names().chain(["mcp__garden__dig", "web_search", "Swim", ""]) {
        for shape in shapes {
            let _ = ToolInput::read(name, &mut Cursor::new(shape), &mut Notes::new(&scratch));
            let _ = result(Some(name), "out", shape, &scratch);
            let _ = result(Some(name), "text", shape, &scratch);
            let _ = result(Some(name), "error", shape, &scratch);
        }
    }
    for shape in shapes {
        let _ = result(None, "out", shape, &scratch);
        let _ = result(None, "text", shape, &scratch);
    }
}

/// A result without the name of its tool is recognised by its keys or its text.
#[test]
fn orphans_are_recognised() {
    let scratch = Scratch::default();
    let kind = |how, text| {
        let shown = format!("{:?}", result(None, how, text, &scratch).result);
        shown.split('(').next().unwrap_or_default().to_owned()
    };
    assert_eq!(kind("out", r#"{"stdout":"a","stderr":""}"#), "Bash");
    assert_eq!(kind("out", r#"{"filePath":"/a","oldString":"a","structuredPatch":[]}"#), "Edit");
    assert_eq!(kind("out", r#"{"type":"create","filePath":"/a","structuredPatch":[]}"#), "Write");
    assert_eq!(kind("out", r#"{"agentId":"a1","commandName":"dig"}"#), "Skill");
    assert_eq!(kind("out", r#"[{"type":"text","text":"a"}]"#), "Plain");
    assert_eq!(kind("out", r#"{"beds":4}"#), "Other");
    assert_eq!(kind("text", "     1→a"), "Read");
    assert_eq!(kind("text", "<status>running</status>"), "BashOutput");
    assert_eq!(kind("text", "four"), "Plain");
    assert_eq!(kind("error", "four"), "Failed");
}

#[test]
fn failures_are_told_by_the_flag_the_block_or_the_result() {
    let scratch = Scratch::default();
    let read = |structured: Option<&'static str>, text: &'static str, is_error| {
        let block = block(Content::Text(Text::from(text)), is_error);
        match read_result(Some("Bash"), structured.map(|json| Raw::from(json).into()), Some(&block), &scratch).result {
            ToolResult::Failed(failure) => Some((failure.kind, failure.text.as_str())),
            _ => None,
        }
    };
    let rejected = FailureKind::Rejected { user_said: None, wants_to_clarify: false };
    assert_eq!(read(Some("\"Error: dry\""), "dry", None), Some((FailureKind::Error, "dry")));
    assert_eq!(read(Some("\"Error: dry\""), "", Some(true)), Some((FailureKind::Error, "dry")));
    assert_eq!(read(Some("\"User rejected tool use\""), "", None).map(|failure| failure.0), Some(FailureKind::Error));
    let text = "The user doesn't want to proceed with this tool use. The tool use was rejected.";
    assert_eq!(read(Some("\"User rejected tool use\""), text, Some(true)), Some((rejected, "")));
    assert_eq!(read(None, text, None), Some((rejected, "")));
    assert_eq!(read(None, text, Some(false)), None);
    assert_eq!(read(None, "Exit code 1\nno", None), None);
    assert_eq!(read(None, "Exit code 1\nno", Some(true)), Some((FailureKind::ExitCode(1), "no")));
    assert_eq!(read(Some("{\"stdout\":\"a\"}"), text, None), None);
    let sibling = FailureKind::SiblingErrored { sibling: None };
    assert_eq!(
        read(None, "<tool_use_error>Sibling tool call errored</tool_use_error>", Some(true)),
        Some((sibling, ""))
    );
    let reason = Text::from("too deep");
    let text = "Permission for this action was denied by the Claude Code auto mode classifier. Reason: too deep";
    assert_eq!(read(None, text, Some(true)), Some((FailureKind::Denied { reason: Some(reason) }, "too deep")));
}

#[test]
fn results_that_are_elsewhere() {
    let scratch = Scratch::default();
    assert_eq!(result(Some("Bash"), "out", r#"{"detachedToolCall":true}"#, &scratch).result, ToolResult::Detached);
    assert_eq!(result(Some("Bash"), "text", "[Old tool result content cleared]", &scratch).result, ToolResult::Cleared);
    let nothing = read_result(Some("Bash"), None, None, &scratch);
    assert_eq!((nothing.result, nothing.source), (ToolResult::Nothing, ResultSource::Plain));
}

#[test]
fn the_text_stands_in_for_an_empty_or_odd_object() {
    let scratch = Scratch::default();
    let block = block(Content::Text(Text::from("The file /a has been updated.")), None);
    for (json, odd) in [("{}", false), ("null", false), ("[]", true), ("7", true)] {
        let read = read_result(Some("Edit"), Some(Raw::from(json).into()), Some(&block), &scratch);
        let ToolResult::Edit(edit) = read.result else { panic!("{json}") };
        assert_eq!((edit.file_path, read.source), (Some(Text::from("/a")), ResultSource::Text), "{json}");
        assert_eq!(!read.notes.is_empty(), odd, "{json}");
    }
}
