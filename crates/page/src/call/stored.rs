//! What a call printed, where that was too long for its line and is kept in a file beside the session.
//!
//! The line says where that file was on the machine that wrote it. Only its name is looked for here.

use format::Text;
use format::block::Content;
use format::text::{PersistedOutput, ResultText, result_text};
use format::tool::{McpResult, ShellResult, ToolResult};
use maud::{Markup, html};
use story::{LONGEST_COMPANION, Texts};

use super::json::block_or_output;
use super::piece::{first_of, notes, with, word};
use human::bytes;

/// What is in such a file.
pub(super) struct Stored {
    text: String,
    is_cut: bool,
}

impl Stored {
    /// Reads the file of this name, unless it is not there or is no text.
    pub(super) fn read(texts: &mut dyn Texts, name: &str) -> Option<Self> {
        let mut bytes = texts.companion(name).ok()??;
        let is_cut = bytes.len() > LONGEST_COMPANION;
        bytes.truncate(LONGEST_COMPANION);
        let is_text = memchr::memchr(0, &bytes).is_none();
        is_text.then(|| Self { text: String::from_utf8_lossy(&bytes).into_owned(), is_cut })
    }
}

/// The name of the file that has the whole result.
pub(super) fn name(result: Option<&ToolResult<'_>>) -> Option<String> {
    let path = match result? {
        ToolResult::Bash(shell) | ToolResult::PowerShell(shell) => path(shell),
        ToolResult::Persisted(output) => output.path.unwrap_or_default(),
        ToolResult::Mcp(McpResult::Content(content)) | ToolResult::Plain(content) => {
            persisted(content)?.path.unwrap_or_default()
        }
        _ => "",
    };
    // It may be of another system than this.
    path.rsplit(['/', '\\']).next().filter(|name| !name.is_empty()).map(str::to_owned)
}

/// What a tool of others answered, if only its beginning is there.
pub(super) fn persisted<'c>(content: &'c Content<'_>) -> Option<PersistedOutput<'c>> {
    let mut texts = content.texts();
    let text = texts.next().map(Text::as_str).filter(|text| text.trim_start().starts_with("<persisted-output>"))?;
    match result_text(text) {
        ResultText::Persisted(output) if texts.next().is_none() => Some(output),
        _ => None,
    }
}

/// Where the whole output of a command is.
pub(super) fn path<'s>(shell: &'s ShellResult<'_>) -> &'s str {
    first_of([word(shell.persisted_output_path), word(shell.raw_output_path)])
}

/// All that was printed, as far as it is known: from its file, or its beginning and where the rest is.
pub(super) fn whole(stored: Option<&Stored>, beginning: &Markup, path: &str, size: &str) -> Markup {
    let size = if path.is_empty() { "" } else { size };
    let part = format!("only the first {}; all of it is in", bytes(LONGEST_COMPANION as u64));
    html! {
        @if let Some(Stored { text, is_cut }) = stored {
            (block_or_output(text))
            @if *is_cut { (notes(&[&with(&part, path), size])) }
        } @else {
            (beginning)
            (notes(&[&with("only the beginning; all of it is in", path), size]))
        }
    }
}
