//! Attached files, memories and information from the editor.

use crate::json::{Raw, Text, record};
use crate::tool::ReadResult;

record! {
    /// A file with its content.
    pub struct File<'a>: "file attachment" {
        filename: Option<Text<'a>> = "filename",
        display_path: Option<Text<'a>> = "displayPath",
        /// The content, in the form that the Read tool returns.
        content: Option<ReadResult<'a>> = "content",
        truncated: Option<bool> = "truncated",
    }

    /// A file by its name only.
    pub struct FileReference<'a>: "file reference" {
        filename: Option<Text<'a>> = "filename",
        display_path: Option<Text<'a>> = "displayPath",
    }

    /// Lines that are selected in the editor.
    pub struct SelectedLines<'a>: "selected_lines_in_ide" {
        filename: Option<Text<'a>> = "filename",
        display_path: Option<Text<'a>> = "displayPath",
        ide_name: Option<Text<'a>> = "ideName",
        line_start: Option<i64> = "lineStart",
        line_end: Option<i64> = "lineEnd",
        content: Option<Text<'a>> = "content",
    }

    /// The listing of a directory.
    pub struct Directory<'a>: "directory attachment" {
        path: Option<Text<'a>> = "path",
        display_path: Option<Text<'a>> = "displayPath",
        content: Option<Text<'a>> = "content",
    }

    /// The lines of a file that changed.
    pub struct EditedTextFile<'a>: "edited_text_file" {
        filename: Option<Text<'a>> = "filename",
        snippet: Option<Text<'a>> = "snippet",
    }

    /// Errors and warnings of a language server.
    pub struct Diagnostics<'a>: "diagnostics" {
        files: Vec<DiagnosedFile<'a>> = "files",
        is_new: Option<bool> = "isNew",
    }

    /// The errors and warnings of one file.
    pub struct DiagnosedFile<'a>: "diagnosed file" {
        uri: Option<Text<'a>> = "uri",
        diagnostics: Vec<Diagnostic<'a>> = "diagnostics",
    }

    /// One error or warning.
    pub struct Diagnostic<'a>: "diagnostic" {
        message: Option<Text<'a>> = "message",
        severity: Option<Text<'a>> = "severity",
        range: Option<Range> = "range",
        source: Option<Text<'a>> = "source",
        code: Option<Text<'a>> = "code",
    }

    /// A stretch of a file.
    pub struct Range: "range" {
        start: Option<Position> = "start",
        end: Option<Position> = "end",
    }

    /// A position in a file, counted from 0.
    pub struct Position: "position" {
        line: Option<i64> = "line",
        character: Option<i64> = "character",
    }

    /// An instruction file found beside a file that was read.
    pub struct NestedMemory<'a>: "nested_memory" {
        path: Option<Text<'a>> = "path",
        display_path: Option<Text<'a>> = "displayPath",
        content: Option<MemoryFile<'a>> = "content",
    }

    /// An instruction file.
    pub struct MemoryFile<'a>: "memory file" {
        path: Option<Text<'a>> = "path",
        kind: Option<Text<'a>> = "type",
        content: Option<Text<'a>> = "content",
        /// Patterns for the files that it applies to.
        globs: Vec<Text<'a>> = "globs",
        content_differs_from_disk: Option<bool> = "contentDiffersFromDisk",
        raw_content: Option<Text<'a>> = "rawContent",
    }

    /// Memories that seem relevant.
    pub struct RelevantMemories<'a>: "relevant_memories" {
        memories: Vec<Raw<'a>> = "memories",
    }

    /// The texts of instruction files, or the changes to them.
    pub struct Instructions<'a>: "instructions" {
        files: Vec<Raw<'a>> = "files",
        removed: Option<Raw<'a>> = "removed",
        changed: Option<Raw<'a>> = "changed",
        reason: Option<Text<'a>> = "reason",
    }
}
