//! Inputs and results of tools that read files, and that read and edit notebooks.

use super::result::{Outcome, Said};
use crate::block::{Attached, Block};
use crate::json::{Notes, Raw, Text, record, tagged};
use crate::text::{self, ResultText};

record! {
    /// Input of `Read`.
    pub struct ReadInput<'a>: "Read input" {
        file_path: Option<Text<'a>> = "file_path" | "path",
        offset: Option<i64> = "offset",
        limit: Option<i64> = "limit",
        /// The pages of a PDF, e.g. `1-5`.
        pages: Option<Text<'a>> = "pages",
        allow_large: Option<bool> = "allow_large",
        /// Written by some models in place of the path.
        relative_path: Option<Text<'a>> = "relative_path",
    }
}

tagged! {
    /// Result of `Read`, by the kind of file.
    pub enum ReadResult<'a>: "Read result" by "type" {
        Text(ReadText<'a>) = "text",
        Image(ReadImage<'a>) = "image",
        Notebook(ReadNotebook<'a>) = "notebook",
        Pdf(ReadPdf<'a>) = "pdf",
        /// A large PDF, as images of its pages.
        Parts(ReadParts<'a>) = "parts",
        /// Unchanged since the last read: an earlier entry holds the content.
        Unchanged(ReadUnchanged<'a>) = "file_unchanged",
    }
}

record! {
    /// A text file that was read.
    pub struct ReadText<'a>: "Read result (text)" {
        file: Option<TextFile<'a>> = "file",
        artifact_read: Option<ArtifactVersion<'a>> = "artifactRead",
    }

    /// Lines of a text file.
    pub struct TextFile<'a>: "text file" {
        file_path: Option<Text<'a>> = "filePath",
        content: Option<Text<'a>> = "content",
        num_lines: Option<i64> = "numLines",
        start_line: Option<i64> = "startLine",
        total_lines: Option<i64> = "totalLines",
        truncated_by_token_cap: Option<bool> = "truncatedByTokenCap",
    }

    /// The version of an artifact that was read.
    pub struct ArtifactVersion<'a>: "artifact version" {
        slug: Option<Text<'a>> = "slug",
        version: Option<Text<'a>> = "ver",
        seeded: Option<bool> = "seeded",
    }

    /// An image that was read.
    pub struct ReadImage<'a>: "Read result (image)" {
        file: Option<ImageFile<'a>> = "file",
    }

    /// The data of an image.
    pub struct ImageFile<'a>: "image file" {
        file_path: Option<Text<'a>> = "filePath",
        base64: Option<Text<'a>> = "base64",
        media_type: Option<Text<'a>> = "type",
        original_size: Option<i64> = "originalSize",
        dimensions: Option<Dimensions> = "dimensions",
    }

    /// The size of an image, and the size at which the model saw it.
    pub struct Dimensions: "dimensions" {
        original_width: Option<i64> = "originalWidth",
        original_height: Option<i64> = "originalHeight",
        display_width: Option<i64> = "displayWidth",
        display_height: Option<i64> = "displayHeight",
    }

    /// A notebook that was read.
    pub struct ReadNotebook<'a>: "Read result (notebook)" {
        file: Option<NotebookFile<'a>> = "file",
    }

    /// The cells of a notebook.
    pub struct NotebookFile<'a>: "notebook file" {
        file_path: Option<Text<'a>> = "filePath",
        cells: Vec<Cell<'a>> = "cells",
    }

    /// One cell.
    pub struct Cell<'a>: "notebook cell" {
        /// `code` or `markdown`.
        kind: Option<Text<'a>> = "cellType" | "cell_type",
        source: Option<Text<'a>> = "source",
        outputs: Vec<Raw<'a>> = "outputs",
        id: Option<Text<'a>> = "cell_id" | "id",
        language: Option<Text<'a>> = "language",
        index: Option<i64> = "cell",
        execution_count: Option<i64> = "execution_count",
    }

    /// A PDF that was read.
    pub struct ReadPdf<'a>: "Read result (pdf)" {
        file: Option<PdfFile<'a>> = "file",
    }

    /// The data of a PDF.
    pub struct PdfFile<'a>: "PDF file" {
        file_path: Option<Text<'a>> = "filePath",
        base64: Option<Text<'a>> = "base64",
        original_size: Option<i64> = "originalSize",
    }

    /// Pages of a PDF that were read.
    pub struct ReadParts<'a>: "Read result (parts)" {
        file: Option<PartsFile<'a>> = "file",
        first_page: Option<i64> = "firstPage",
        pages: Vec<Page<'a>> = "pages",
    }

    /// The location of the pages of a PDF.
    pub struct PartsFile<'a>: "PDF parts" {
        file_path: Option<Text<'a>> = "filePath",
        original_size: Option<i64> = "originalSize",
        count: Option<i64> = "count",
        output_dir: Option<Text<'a>> = "outputDir",
    }

    /// One page as an image.
    pub struct Page<'a>: "PDF page" {
        base64: Option<Text<'a>> = "base64",
        media_type: Option<Text<'a>> = "mediaType",
        error: Option<Text<'a>> = "error",
    }

    /// A file that has not changed since it was last read.
    pub struct ReadUnchanged<'a>: "Read result (unchanged)" {
        file: Option<TextFile<'a>> = "file",
        source: Option<Text<'a>> = "source",
    }

    /// Input of `NotebookRead`.
    pub struct NotebookReadInput<'a>: "NotebookRead input" {
        notebook_path: Option<Text<'a>> = "notebook_path",
        cell_id: Option<Text<'a>> = "cell_id",
    }

    /// Result of `NotebookRead`: a list of cells.
    pub struct NotebookReadResult<'a>: "NotebookRead result" {
        cells: Vec<Cell<'a>> = "cells",
    }

    /// Input of `NotebookEdit`.
    pub struct NotebookEditInput<'a>: "NotebookEdit input" {
        notebook_path: Option<Text<'a>> = "notebook_path",
        cell_id: Option<Text<'a>> = "cell_id",
        /// Used before cells had ids.
        cell_number: Option<i64> = "cell_number",
        new_source: Option<Text<'a>> = "new_source",
        cell_type: Option<Text<'a>> = "cell_type",
        /// `replace`, `insert` or `delete`.
        edit_mode: Option<Text<'a>> = "edit_mode",
    }

    /// Result of `NotebookEdit`.
    pub struct NotebookEditResult<'a>: "NotebookEdit result" {
        notebook_path: Option<Text<'a>> = "notebook_path",
        cell_id: Option<Text<'a>> = "cell_id",
        cell_number: Option<i64> = "cell_number",
        new_source: Option<Text<'a>> = "new_source",
        old_source: Option<Text<'a>> = "old_source",
        cell_type: Option<Text<'a>> = "cell_type",
        language: Option<Text<'a>> = "language",
        edit_mode: Option<Text<'a>> = "edit_mode",
        /// Empty if there is none.
        error: Option<Text<'a>> = "error",
        original_file: Option<Text<'a>> = "original_file",
        updated_file: Option<Text<'a>> = "updated_file",
    }
}

impl<'a> Outcome<'a> for ReadResult<'a> {
    fn from_said(said: &Said<'a, '_>, notes: &mut Notes<'a>) -> Option<Self> {
        if said.reading == ResultText::Unchanged {
            return Some(Self::Unchanged(ReadUnchanged::default()));
        }
        for block in said.blocks() {
            match block {
                Block::Image(image) => return Some(Self::Image(ReadImage { file: Some(image_file(image)) })),
                Block::Document(document) => return Some(Self::Pdf(ReadPdf { file: Some(pdf_file(document)) })),
                _ => {}
            }
        }
        let is_empty = said.text.is_empty() && said.whole.contains("the file exists but the contents are empty");
        let file = if is_empty {
            TextFile { content: Some(Text::from("")), num_lines: Some(0), ..TextFile::default() }
        } else {
            text_file(said.whole, notes)?
        };
        Some(Self::Text(ReadText { file: Some(file), ..ReadText::default() }))
    }
}

/// Builds a file from its numbered lines.
fn text_file<'a>(numbered: &'a str, notes: &Notes<'a>) -> Option<TextFile<'a>> {
    let lines = text::cat_n(numbered)?;
    let first = lines.first()?;
    let content = lines.iter().map(|line| line.text).collect::<Vec<_>>().join("\n");
    Some(TextFile {
        content: Some(Text::from(notes.scratch.keep(&content))),
        start_line: i64::try_from(first.number).ok(),
        num_lines: i64::try_from(lines.len()).ok(),
        ..TextFile::default()
    })
}

fn image_file<'a>(image: &Attached<'a>) -> ImageFile<'a> {
    let source = image.source.as_ref();
    ImageFile {
        base64: source.and_then(|source| source.data).or(image.data),
        media_type: source.and_then(|source| source.media_type).or(image.media_type),
        ..ImageFile::default()
    }
}

fn pdf_file<'a>(document: &Attached<'a>) -> PdfFile<'a> {
    let data = document.source.as_ref().and_then(|source| source.data);
    PdfFile { base64: data.or(document.data), ..PdfFile::default() }
}

impl<'a> Outcome<'a> for NotebookReadResult<'a> {
    fn from_array(list: Raw<'a>, notes: &mut Notes<'a>) -> Option<Self> {
        Some(Self { cells: list.read_as(notes)? })
    }
}

impl<'a> Outcome<'a> for NotebookEditResult<'a> {
    /// `Updated cell c1 with …`, `Inserted cell c1 with …` or `Deleted cell c1`.
    fn from_said(said: &Said<'a, '_>, _: &mut Notes<'a>) -> Option<Self> {
        const MODES: [(&str, &str); 3] =
            [("Updated cell ", "replace"), ("Inserted cell ", "insert"), ("Deleted cell ", "delete")];
        let (rest, mode) = MODES.iter().find_map(|(start, mode)| Some((said.text.strip_prefix(start)?, *mode)))?;
        let (id, source) = rest.split_once(" with ").unzip();
        Some(Self {
            cell_id: Some(Text::from(id.unwrap_or(rest))),
            new_source: source.map(Text::from),
            edit_mode: Some(Text::from(mode)),
            ..Self::default()
        })
    }
}
