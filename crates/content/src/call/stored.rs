//! The output of a call that was too long for its line and is stored in a file beside the session.
//!
//! The line contains the path of that file on the machine that wrote it. Only the file name is used here.

use format::Text;
use format::block::Content;
use format::text::{PersistedOutput, ResultText, result_text};
use format::tool::{McpResult, ToolResult};
use story::{LONGEST_COMPANION, Texts};

use crate::pen::{first_of, word};

/// The content of such a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stored {
    /// The content, up to a maximum size.
    pub text: String,
    /// Whether there is more.
    pub is_cut: bool,
}

impl Stored {
    /// Reads the file with this name; `None` if it is missing or not text.
    pub fn read(texts: &mut dyn Texts, name: &str) -> Option<Self> {
        let mut bytes = texts.companion(name).ok()??;
        let is_cut = bytes.len() > LONGEST_COMPANION;
        bytes.truncate(LONGEST_COMPANION);
        let is_text = !bytes.contains(&0);
        is_text.then(|| Self { text: String::from_utf8_lossy(&bytes).into_owned(), is_cut })
    }
}

/// The labels of the facts that locate the whole output.
pub(super) const KEYS: [&str; 3] = ["persistedOutputPath", "persistedOutputSize", "rawOutputPath"];

/// The name of the file with the whole result.
pub(super) fn name<'e>(result: &'e ToolResult<'e>) -> Option<&'e str> {
    let path = match result {
        ToolResult::Bash(shell) | ToolResult::PowerShell(shell) => {
            first_of([word(shell.persisted_output_path), word(shell.raw_output_path)])
        }
        result => persisted(result)?.path.unwrap_or_default(),
    };
    // The path may be of another system.
    path.rsplit(['/', '\\']).next().filter(|name| !name.is_empty())
}

/// The output, if only its beginning is in the line.
pub(super) fn persisted<'e>(result: &'e ToolResult<'e>) -> Option<PersistedOutput<'e>> {
    if let ToolResult::Persisted(output) = result {
        return Some(*output);
    }
    // The results of third-party tools are not parsed for this.
    let (ToolResult::Mcp(McpResult::Content(content)) | ToolResult::Plain(content)) = result else { return None };
    beginning(content)
}

fn beginning<'c>(content: &'c Content<'_>) -> Option<PersistedOutput<'c>> {
    let mut texts = content.texts();
    let text = texts.next().map(Text::as_str).filter(|text| text.trim_start().starts_with("<persisted-output>"))?;
    let ResultText::Persisted(output) = result_text(text) else { return None };
    texts.next().is_none().then_some(output)
}
