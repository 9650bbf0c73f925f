//! Files, memories and what an editor shows.

use crate::json::{Raw, Text, Time, record};
use crate::tool::ReadResult;

record! {
    /// A file with its content.
    pub struct File<'a>: "file attachment" {
        filename: Option<Text<'a>> = "filename",
        display_path: Option<Text<'a>> = "displayPath",
        /// As if the file had been read by the tool.
        content: Option<ReadResult<'a>> = "content",
        truncated: Option<bool> = "truncated",
    }

    /// A PDF too large to attach.
    pub struct PdfReference<'a>: "pdf_reference" {
        filename: Option<Text<'a>> = "filename",
        display_path: Option<Text<'a>> = "displayPath",
        page_count: Option<i64> = "pageCount",
        file_size: Option<i64> = "fileSize",
    }

    /// A file by its name only.
    pub struct FileReference<'a>: "file reference" {
        filename: Option<Text<'a>> = "filename",
        display_path: Option<Text<'a>> = "displayPath",
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
        display_path: Option<Text<'a>> = "displayPath",
        snippet: Option<Text<'a>> = "snippet",
    }

    /// What the user has selected in the editor.
    pub struct SelectedLines<'a>: "selected_lines_in_ide" {
        ide_name: Option<Text<'a>> = "ideName",
        filename: Option<Text<'a>> = "filename",
        display_path: Option<Text<'a>> = "displayPath",
        line_start: Option<i64> = "lineStart",
        line_end: Option<i64> = "lineEnd",
        line_range: Option<Raw<'a>> = "lineRange",
        content: Option<Text<'a>> = "content",
    }

    /// Only its name is known.
    pub struct InlinedImagePaths: "inlined_image_paths" {}

    /// A resource of an MCP server.
    pub struct McpResource<'a>: "mcp_resource" {
        server: Option<Text<'a>> = "server",
        uri: Option<Text<'a>> = "uri",
        name: Option<Text<'a>> = "name",
        description: Option<Text<'a>> = "description",
        content: Option<Raw<'a>> = "content",
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

    /// A place in a file, counted from 0.
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
        /// The files that it is for.
        globs: Vec<Text<'a>> = "globs",
        content_differs_from_disk: Option<bool> = "contentDiffersFromDisk",
        raw_content: Option<Text<'a>> = "rawContent",
        parent: Option<Text<'a>> = "parent",
    }

    /// Memories that seemed to fit.
    pub struct RelevantMemories<'a>: "relevant_memories" {
        memories: Vec<RelevantMemory<'a>> = "memories",
    }

    /// One memory.
    pub struct RelevantMemory<'a>: "relevant memory" {
        path: Option<Text<'a>> = "path",
        content: Option<Text<'a>> = "content",
        header: Option<Text<'a>> = "header",
        modified: Option<Time<'a>> = "mtimeMs",
        limit: Option<i64> = "limit",
    }

    /// The texts of instruction files, or what changed in them.
    pub struct Instructions<'a>: "instructions" {
        files: Vec<Raw<'a>> = "files",
        removed: Option<Raw<'a>> = "removed",
        changed: Option<Raw<'a>> = "changed",
        reason: Option<Text<'a>> = "reason",
    }
}
