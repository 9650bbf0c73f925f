//! No other crate compares the names of tools: the table (`format::tool`) holds everything that varies by tool.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a failure here is a failed test")]

use std::fs;
use std::path::{Path, PathBuf};

use format::tool::{MCP_PREFIX, ServerTool, ToolKind};

/// Words that mean something else: the end of the file's path, the word, and its meaning there.
const OTHER_MEANINGS: &[(&str, &str, &str)] = &[
    ("src/pages.rs", "Projects", "a page of the web app"),
    ("pages/projects.rs", "Projects", "the title of that page"),
    ("pages/usage.rs", "Projects", "the heading of a table of projects"),
    ("src/plausible.rs", "mcp__", "the beginning of a name that is no secret"),
    ("src/github.rs", "Agent", "the heading of a thread, beside `Teammate`"),
];

/// Folders whose files may contain names of tools as data.
const DATA: [&str; 6] = ["testkit", "tests", "snapshots", "examples", "fixtures", "benches"];

/// The sources of all crates, without tests and without the table.
fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap();
        if path.ends_with("format/src/tool") || path.ends_with("format/src/tool.rs") {
            continue;
        }
        if path.is_dir() {
            if !DATA.contains(&name) {
                sources(&path, found);
            }
        } else if name != "tests.rs" && [".rs", ".js", ".mjs", ".css"].iter().any(|end| name.ends_with(end)) {
            found.push(path);
        }
    }
}

/// The names of tools in quotes, with their line numbers. Comments and the tests at the end of a file do not count.
fn quoted(text: &str) -> Vec<(usize, &'static str)> {
    let code = text.split_once("#[cfg(test)]\nmod tests {").map_or(text, |(code, _)| code);
    let built_in = ToolKind::ALL.iter().flat_map(|kind| kind.names().iter().copied());
    let names: Vec<_> = built_in.chain(ServerTool::ALL.iter().map(|tool| tool.name())).collect();
    let lines = (1..).zip(code.lines()).filter(|(_, line)| !line.trim_start().starts_with("//"));
    let mut found = Vec::new();
    for (number, line) in lines {
        for quote in ['"', '\'', '`'] {
            let whole = names.iter().filter(|name| line.contains(&format!("{quote}{name}{quote}")));
            found.extend(whole.map(|name| (number, *name)));
            found.extend(line.contains(&format!("{quote}{MCP_PREFIX}")).then_some((number, MCP_PREFIX)));
        }
    }
    found
}

#[test]
fn only_the_table_compares_names_of_tools() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let mut files = Vec::new();
    sources(crates, &mut files);
    files.sort();
    assert!(files.len() > 300, "{}", files.len());
    let (mut wrong, mut allowed) = (Vec::new(), vec![false; OTHER_MEANINGS.len()]);
    for file in files {
        for (line, name) in quoted(&fs::read_to_string(&file).unwrap()) {
            let is_meant = |(end, word, _): &(&str, &str, &str)| file.ends_with(end) && *word == name;
            match OTHER_MEANINGS.iter().position(is_meant) {
                Some(at) => allowed[at] = true,
                None => wrong.push(format!("{}:{line}: {name}", file.strip_prefix(crates).unwrap().display())),
            }
        }
    }
    assert!(wrong.is_empty(), "ask `format::tool` instead of comparing names:\n{}", wrong.join("\n"));
    let unused: Vec<_> = OTHER_MEANINGS.iter().zip(allowed).filter(|(_, used)| !used).collect();
    assert!(unused.is_empty(), "these exceptions are no longer needed: {unused:?}");
}

#[test]
fn names_in_quotes_are_seen() {
    let text = "// \"Bash\" is a tool\nmatch tool { \"Read\" | \"KillShell\" => 1, \"Reader\" => 2 }\n\
                if (name === 'web_search') {}\nname.starts_with(\"mcp__\")\n#[cfg(test)]\nmod tests {\n\"Edit\"\n}\n";
    assert_eq!(quoted(text), [(2, "Read"), (2, "KillShell"), (3, "web_search"), (4, MCP_PREFIX)]);
}
