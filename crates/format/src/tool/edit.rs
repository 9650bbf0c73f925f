//! Inputs and results of tools that change files.

use super::result::{Outcome, Said};
use crate::json::{Asked, Notes, Text, record, words};
use crate::text;

record! {
    /// Input of `Edit`.
    pub struct EditInput<'a>: "Edit input" {
        file_path: Option<Text<'a>> = "file_path" | "path",
        old_string: Option<Text<'a>> = "old_string",
        new_string: Option<Text<'a>> = "new_string",
        replace_all: Option<bool> = "replace_all",
    }

    /// Result of `Edit`.
    pub struct EditResult<'a>: "Edit result" {
        file_path: Option<Text<'a>> = "filePath",
        old_string: Option<Text<'a>> = "oldString",
        new_string: Option<Text<'a>> = "newString",
        /// Null for large files since 2.1.97, and increasingly for others.
        original_file: Asked<Text<'a>> = "originalFile",
        patch: Vec<Hunk<'a>> = "structuredPatch",
        user_modified: Option<bool> = "userModified",
        replace_all: Option<bool> = "replaceAll",
        git_diff: Option<Box<GitDiff<'a>>> = "gitDiff",
        staged: Option<bool> = "staged",
        memdir_stamped: Option<bool> = "memdirStamped",
        stale_recovered: Option<bool> = "staleRecovered",
        /// Read only from the text.
        snippet: Option<Snippet<'a>> = "snippet",
    }

    /// One hunk of a patch.
    pub struct Hunk<'a>: "hunk" {
        old_start: Option<i64> = "oldStart",
        old_lines: Option<i64> = "oldLines",
        new_start: Option<i64> = "newStart",
        new_lines: Option<i64> = "newLines",
        /// Each begins with ` `, `-`, `+` or `\`.
        lines: Vec<Text<'a>> = "lines",
    }

    /// A change to a file, as git reports it.
    pub struct GitDiff<'a>: "git diff" {
        filename: Option<Text<'a>> = "filename",
        /// `modified` or `added`.
        status: Option<Text<'a>> = "status",
        additions: Option<i64> = "additions",
        deletions: Option<i64> = "deletions",
        changes: Option<i64> = "changes",
        patch: Option<Text<'a>> = "patch",
        repository: Option<Text<'a>> = "repository",
    }

    /// Lines of the changed file around the change.
    pub struct Snippet<'a>: "snippet" {
        start_line: Option<i64> = "startLine",
        lines: Vec<Text<'a>> = "lines",
    }

    /// Input of `MultiEdit`.
    pub struct MultiEditInput<'a>: "MultiEdit input" {
        file_path: Option<Text<'a>> = "file_path",
        edits: Vec<Replacement<'a>> = "edits",
    }

    /// One of several edits.
    pub struct Replacement<'a>: "edit" {
        old_string: Option<Text<'a>> = "old_string",
        new_string: Option<Text<'a>> = "new_string",
        replace_all: Option<bool> = "replace_all",
    }

    /// Result of `MultiEdit`.
    pub struct MultiEditResult<'a>: "MultiEdit result" {
        file_path: Option<Text<'a>> = "filePath",
        edits: Vec<Replacement<'a>> = "edits",
        original_file: Asked<Text<'a>> = "originalFileContents" | "originalFile",
        patch: Vec<Hunk<'a>> = "structuredPatch",
        user_modified: Option<bool> = "userModified",
    }

    /// Input of `Write`.
    pub struct WriteInput<'a>: "Write input" {
        file_path: Option<Text<'a>> = "file_path" | "path",
        content: Option<Text<'a>> = "content" | "data",
    }

    /// Result of `Write`.
    pub struct WriteResult<'a>: "Write result" {
        kind: Option<WriteKind<'a>> = "type",
        file_path: Option<Text<'a>> = "filePath",
        content: Option<Text<'a>> = "content",
        /// Empty for a new file.
        patch: Vec<Hunk<'a>> = "structuredPatch",
        original_file: Option<Text<'a>> = "originalFile",
        user_modified: Option<bool> = "userModified",
        git_diff: Option<Box<GitDiff<'a>>> = "gitDiff",
        staged: Option<bool> = "staged",
        memdir_stamped: Option<bool> = "memdirStamped",
        /// Read only from the text.
        snippet: Option<Snippet<'a>> = "snippet",
    }
}

words! {
    /// Whether the file is new.
    pub enum WriteKind {
        Create = "create",
        Update = "update",
    }
}

impl<'a> Outcome<'a> for EditResult<'a> {
    fn from_said(said: &Said<'a, '_>, _: &mut Notes<'a>) -> Option<Self> {
        let (path, rest) = updated(said.text)?;
        Some(Self {
            file_path: Some(Text::from(path)),
            replace_all: rest.contains("All occurrences").then_some(true),
            user_modified: rest.contains("The user modified your proposed changes").then_some(true),
            snippet: snippet(rest),
            ..Self::default()
        })
    }
}

impl<'a> Outcome<'a> for WriteResult<'a> {
    fn from_said(said: &Said<'a, '_>, _: &mut Notes<'a>) -> Option<Self> {
        if let Some(rest) = said.text.strip_prefix("File created successfully at: ") {
            let line = rest.lines().next().unwrap_or_default();
            let path = line.split_once(" (file state is current").map_or(line, |(path, _)| path);
            let kind = Some(WriteKind::Create);
            return Some(Self { kind, file_path: Some(Text::from(path)), ..Self::default() });
        }
        let (path, rest) = updated(said.text)?;
        Some(Self {
            kind: Some(WriteKind::Update),
            file_path: Some(Text::from(path)),
            user_modified: rest.contains("The user modified your proposed changes").then_some(true),
            snippet: snippet(rest),
            ..Self::default()
        })
    }
}

impl<'a> Outcome<'a> for MultiEditResult<'a> {
    /// `Applied 2 edits to /a.rs:`, then a shortened form of each.
    fn from_said(said: &Said<'a, '_>, _: &mut Notes<'a>) -> Option<Self> {
        let line = said.text.strip_prefix("Applied ")?.lines().next()?;
        let (_, path) = line.split_once(" to ")?;
        Some(Self { file_path: Some(Text::from(path.trim_end_matches(':'))), ..Self::default() })
    }
}

/// The path in `The file … has been updated`, and the text after it.
fn updated(text: &str) -> Option<(&str, &str)> {
    text.strip_prefix("The file ")?.split_once(" has been updated")
}

/// The numbered lines that older versions show after a change.
fn snippet(rest: &str) -> Option<Snippet<'_>> {
    let (_, numbered) = rest.split_once("snippet of the edited file:\n")?;
    let lines = text::cat_n(numbered)?;
    Some(Snippet {
        start_line: lines.first().and_then(|line| i64::try_from(line.number).ok()),
        lines: lines.iter().map(|line| Text::from(line.text)).collect(),
    })
}
