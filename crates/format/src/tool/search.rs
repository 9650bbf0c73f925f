//! Inputs and results of tools that find files, lines, symbols and tools.

use super::result::{Outcome, Said, said_in};
use crate::block::Block;
use crate::json::{Notes, Raw, Text, record, words};

record! {
    /// Input of `Glob`.
    pub struct GlobInput<'a>: "Glob input" {
        pattern: Option<Text<'a>> = "pattern",
        path: Option<Text<'a>> = "path",
    }

    /// Files found by name.
    pub struct GlobResult<'a>: "Glob result" {
        filenames: Vec<Text<'a>> = "filenames",
        duration_ms: Option<i64> = "durationMs",
        num_files: Option<i64> = "numFiles",
        truncated: Option<bool> = "truncated",
        total_matches: Option<i64> = "totalMatches",
        count_is_complete: Option<bool> = "countIsComplete",
        timed_out: Option<bool> = "timedOut",
    }

    /// Input of `Grep`.
    pub struct GrepInput<'a>: "Grep input" {
        pattern: Option<Text<'a>> = "pattern",
        path: Option<Text<'a>> = "path",
        glob: Option<Text<'a>> = "glob" | "include",
        file_type: Option<Text<'a>> = "type",
        output_mode: Option<GrepMode<'a>> = "output_mode",
        after: Option<i64> = "-A",
        before: Option<i64> = "-B",
        context: Option<i64> = "context" | "-C",
        line_numbers: Option<bool> = "-n",
        ignore_case: Option<bool> = "-i",
        only_matching: Option<bool> = "-o",
        head_limit: Option<i64> = "head_limit",
        offset: Option<i64> = "offset",
        multiline: Option<bool> = "multiline",
    }

    /// Files found by content: their names, matching lines or counts.
    pub struct GrepResult<'a>: "Grep result" {
        mode: Option<GrepMode<'a>> = "mode",
        filenames: Vec<Text<'a>> = "filenames",
        num_files: Option<i64> = "numFiles",
        content: Option<Text<'a>> = "content",
        num_lines: Option<i64> = "numLines",
        num_matches: Option<i64> = "numMatches",
        total_files: Option<i64> = "totalFiles",
        total_lines: Option<i64> = "totalLines",
        applied_limit: Option<i64> = "appliedLimit",
        applied_offset: Option<i64> = "appliedOffset",
        duration_ms: Option<i64> = "durationMs",
        timed_out: Option<bool> = "timedOut",
    }

    /// Input of `LS`.
    pub struct ListDirectoryInput<'a>: "LS input" {
        path: Option<Text<'a>> = "path",
        ignore: Vec<Text<'a>> = "ignore",
    }

    /// A directory as an indented list.
    pub struct ListDirectoryResult<'a>: "LS result" {
        tree: Option<Text<'a>> = "tree",
    }

    /// Input of `LSP`.
    pub struct LspInput<'a>: "LSP input" {
        operation: Option<Text<'a>> = "operation",
        file_path: Option<Text<'a>> = "filePath",
        line: Option<i64> = "line",
        character: Option<i64> = "character",
        query: Option<Text<'a>> = "query",
    }

    /// The answer of a language server.
    pub struct LspResult<'a>: "LSP result" {
        operation: Option<Text<'a>> = "operation",
        result: Option<Text<'a>> = "result",
        file_path: Option<Text<'a>> = "filePath",
        result_count: Option<i64> = "resultCount",
        file_count: Option<i64> = "fileCount",
    }

    /// Input of `ToolSearch`, formerly `MCPSearch`.
    pub struct ToolSearchInput<'a>: "ToolSearch input" {
        /// Words, or tool names as `select:A,B`.
        query: Option<Text<'a>> = "query",
        max_results: Option<i64> = "max_results",
    }

    /// Tools that were found and loaded.
    pub struct ToolSearchResult<'a>: "ToolSearch result" {
        matches: Vec<Text<'a>> = "matches",
        query: Option<Text<'a>> = "query",
        total_deferred_tools: Option<i64> = "total_deferred_tools" | "total_mcp_tools",
        pending_mcp_servers: Vec<Raw<'a>> = "pending_mcp_servers",
    }
}

words! {
    /// The output mode of `Grep`.
    pub enum GrepMode {
        Content = "content",
        Files = "files_with_matches",
        Count = "count",
    }
}

impl<'a> Outcome<'a> for GlobResult<'a> {
    /// One file per line.
    fn from_said(said: &Said<'a, '_>, _: &mut Notes<'a>) -> Option<Self> {
        let (files, note) = match said.text.rsplit_once("\n(Results are truncated") {
            Some((files, note)) => (files, Some(note)),
            None => (said.text, None),
        };
        let filenames = listed(files);
        Some(Self {
            num_files: i64::try_from(filenames.len()).ok(),
            filenames,
            truncated: Some(note.is_some()),
            ..Self::default()
        })
    }
}

/// The files, one per line; empty for `No files found`.
fn listed(text: &str) -> Vec<Text<'_>> {
    text.lines().filter(|line| !line.is_empty() && *line != "No files found").map(Text::from).collect()
}

impl<'a> Outcome<'a> for GrepResult<'a> {
    fn from_said(said: &Said<'a, '_>, _: &mut Notes<'a>) -> Option<Self> {
        let text = said.text;
        if text == "No matches found" {
            return Some(Self { mode: Some(GrepMode::Content), num_lines: Some(0), ..Self::default() });
        }
        if let Some(files) = found_files(text) {
            let filenames = listed(files);
            let num_files = i64::try_from(filenames.len()).ok();
            return Some(Self { mode: Some(GrepMode::Files), num_files, filenames, ..Self::default() });
        }
        if let Some((counts, (matches, files))) = counted(text) {
            return Some(Self {
                mode: Some(GrepMode::Count),
                content: Some(Text::from(counts)),
                num_matches: Some(matches),
                num_files: Some(files),
                ..Self::default()
            });
        }
        let lines = text.rsplit_once("\n\n[Showing results with pagination").map_or(text, |(lines, _)| lines);
        Some(Self {
            mode: Some(GrepMode::Content),
            content: Some(Text::from(lines)),
            num_lines: i64::try_from(lines.lines().count()).ok(),
            ..Self::default()
        })
    }
}

/// The text after `Found 3 files`, or `No files found`.
fn found_files(text: &str) -> Option<&str> {
    if text == "No files found" {
        return Some(text);
    }
    let (head, files) = text.split_once('\n').unwrap_or((text, ""));
    let (number, noun) = head.strip_prefix("Found ")?.split_once(' ')?;
    (number.parse::<u64>().is_ok() && noun.starts_with("file")).then_some(files)
}

/// The counts by file, and both numbers of `Found 5 total occurrences across 2 files.`
fn counted(text: &str) -> Option<(&str, (i64, i64))> {
    let (counts, total) = text.rsplit_once("\n\nFound ")?;
    let (matches, rest) = total.split_once(" total occurrence")?;
    let (_, files) = rest.split_once(" across ")?;
    let (files, _) = files.split_once(' ')?;
    Some((counts, (matches.parse().ok()?, files.parse().ok()?)))
}

impl<'a> Outcome<'a> for ToolSearchResult<'a> {
    fn from_said(said: &Said<'a, '_>, notes: &mut Notes<'a>) -> Option<Self> {
        let matches: Vec<_> = said.blocks().iter().filter_map(reference).collect();
        if matches.is_empty() && !said.text.starts_with("No matching ") {
            return said.json(notes);
        }
        Some(Self { matches, ..Self::default() })
    }
}

fn reference<'a>(block: &Block<'a>) -> Option<Text<'a>> {
    match block {
        Block::ToolReference(reference) => reference.tool_name,
        _ => None,
    }
}

said_in! { ListDirectoryResult.tree, LspResult.result }
