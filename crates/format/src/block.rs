//! Content blocks (docs/format D).

use crate::id::ToolUseId;
use crate::json::fields::{Each, FieldValue};
use crate::json::{
    Broken, Cursor, Field, Fields, Notes, Place, Raw, Record, Shape, Text, Value, Visit, read_leniently, record, tagged,
};
use crate::tool::ToolInput;

/// The content of a message or of a tool's result.
#[derive(Debug, Clone, PartialEq)]
pub enum Content<'a> {
    /// Plain text.
    Text(Text<'a>),
    /// A list of blocks.
    Blocks(Vec<Block<'a>>),
    /// Nested deeper than any known content: kept as raw JSON.
    Raw(Raw<'a>),
}

impl<'a> Content<'a> {
    /// The blocks; none if the content is plain text.
    pub fn blocks(&self) -> &[Block<'a>] {
        match self {
            Self::Blocks(blocks) => blocks,
            Self::Text(_) | Self::Raw(_) => &[],
        }
    }

    /// The texts: the plain text, or the texts of the text blocks.
    pub fn texts(&self) -> impl Iterator<Item = Text<'a>> {
        let plain = match self {
            Self::Text(text) => Some(*text),
            Self::Blocks(_) | Self::Raw(_) => None,
        };
        let of_blocks = self.blocks().iter().filter_map(|block| match block {
            Block::Text(block) => block.text,
            _ => None,
        });
        plain.into_iter().chain(of_blocks)
    }

    /// The call that is answered, if there is exactly one and it succeeded.
    fn answered(&self) -> Option<ToolUseId<'a>> {
        let mut results = self.blocks().iter().filter_map(Block::as_result);
        match (results.next(), results.next()) {
            (Some(result), None) if result.is_error != Some(true) => result.tool_use_id,
            _ => None,
        }
    }
}

impl<'a> Value<'a> for Content<'a> {
    const EXPECTED: &'static str = "text or a list of blocks";

    fn from_text(text: &'a str) -> Option<Self> {
        Some(Self::Text(Text::from(text)))
    }

    fn from_list(
        cursor: &mut Cursor<'a>,
        place: &'static Place,
        notes: &mut Notes<'a>,
    ) -> Result<Option<Self>, Broken> {
        Ok(Vec::from_list(cursor, place, notes)?.map(Self::Blocks))
    }

    /// A single block without its list.
    fn from_map(cursor: &mut Cursor<'a>, notes: &mut Notes<'a>) -> Result<Option<Self>, Broken> {
        Ok(Block::from_map(cursor, notes)?.map(|block| Self::Blocks(vec![block])))
    }

    fn read(cursor: &mut Cursor<'a>, place: &'static Place, notes: &mut Notes<'a>) -> Result<Option<Self>, Broken> {
        // Results contain blocks and blocks contain results. Real ones are never nested deeper than
        // this, and the limit protects the stack from others.
        const DEEPEST: u8 = 4;
        if notes.content_depth >= DEEPEST {
            return Ok(Raw::read(cursor, place, notes)?.map(Self::Raw));
        }
        notes.content_depth += 1;
        let content = read_leniently::<Self>(cursor, place, notes);
        notes.content_depth -= 1;
        if let (0, Ok(Some(content))) = (notes.content_depth, &content) {
            notes.answered = content.answered();
        }
        content
    }
}

tagged! {
    /// One block of content.
    pub enum Block<'a>: "block" by "type" or Block::bare_text {
        Text(TextBlock<'a>) = "text",
        Thinking(Thinking<'a>) = "thinking",
        RedactedThinking(RedactedThinking<'a>) = "redacted_thinking",
        ToolUse(ToolUse<'a>) = "tool_use",
        ToolResult(ToolResultBlock<'a>) = "tool_result",
        Image(Box<Attached<'a>>) = "image",
        Document(Box<Attached<'a>>) = "document",
        SearchResult(Box<SearchResult<'a>>) = "search_result",
        ToolReference(ToolReference<'a>) = "tool_reference",
        /// A resource of an MCP server, inside a tool's result.
        Resource(Resource<'a>) = "resource" | "resource_link",
        /// The model changed in the middle of a message.
        Fallback(Fallback<'a>) = "fallback",
        /// A tool that runs at the API.
        ServerToolUse(ToolUse<'a>) = "server_tool_use",
        WebSearchResult(ServerToolResult<'a>) = "web_search_tool_result",
        WebFetchResult(ServerToolResult<'a>) = "web_fetch_tool_result",
        AdvisorResult(ServerToolResult<'a>) = "advisor_tool_result",
        CodeExecutionResult(ServerToolResult<'a>) = "code_execution_tool_result",
        BashCodeExecutionResult(ServerToolResult<'a>) = "bash_code_execution_tool_result",
        TextEditorCodeExecutionResult(ServerToolResult<'a>) = "text_editor_code_execution_tool_result",
        ToolSearchResult(ServerToolResult<'a>) = "tool_search_tool_result",
        /// A tool of an MCP server that the API itself calls.
        McpToolUse(Box<McpToolUse<'a>>) = "mcp_tool_use",
        McpToolResult(ToolResultBlock<'a>) = "mcp_tool_result",
        ContainerUpload(ContainerUpload<'a>) = "container_upload",
        /// Compaction at the API.
        Compaction(CompactionBlock<'a>) = "compaction",
        McpToolListing(Listing<'a>) = "mcp_tool_listing",
        ToolAddition(Listing<'a>) = "tool_addition",
        ToolRemoval(Listing<'a>) = "tool_removal",
    }
}

impl<'a> Block<'a> {
    /// A bare string in a list of blocks is a text block.
    fn bare_text(text: &'a str) -> Self {
        Self::Text(TextBlock { text: Some(Text::from(text)), ..TextBlock::default() })
    }

    /// The call in the block, for any kind of tool.
    pub fn call(&self) -> Option<Call<'a>> {
        match self {
            Self::ToolUse(call) | Self::ServerToolUse(call) => Some(Call { id: call.id, tool: call.name }),
            Self::McpToolUse(call) => Some(Call { id: call.id, tool: call.name }),
            _ => None,
        }
    }

    /// The result in the block, if Claude Code ran the tool.
    pub const fn as_result(&self) -> Option<&ToolResultBlock<'a>> {
        match self {
            Self::ToolResult(result) | Self::McpToolResult(result) => Some(result),
            _ => None,
        }
    }

    /// The result in the block, if the tool ran at the API: each such tool has its own type of block.
    pub const fn as_server_result(&self) -> Option<&ServerToolResult<'a>> {
        match self {
            Self::WebSearchResult(result)
            | Self::WebFetchResult(result)
            | Self::AdvisorResult(result)
            | Self::CodeExecutionResult(result)
            | Self::BashCodeExecutionResult(result)
            | Self::TextEditorCodeExecutionResult(result)
            | Self::ToolSearchResult(result) => Some(result),
            _ => None,
        }
    }

    /// The call that the block answers, if it is a result.
    pub fn answers(&self) -> Option<ToolUseId<'a>> {
        self.as_result().and_then(|result| result.tool_use_id).or_else(|| self.as_server_result()?.tool_use_id)
    }
}

/// A call, in the form that all kinds of blocks share.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Call<'a> {
    /// Its id.
    pub id: Option<ToolUseId<'a>>,
    /// The name of the tool.
    pub tool: Option<Text<'a>>,
}

record! {
    /// Prose.
    pub struct TextBlock<'a>: "text block" {
        text: Option<Text<'a>> = "text" | "content",
        citations: Option<Raw<'a>> = "citations",
        cache_control: Option<Raw<'a>> = "cache_control",
    }

    /// Thinking. The text is empty since 2.1.76; the signature stays.
    pub struct Thinking<'a>: "thinking block" {
        thinking: Option<Text<'a>> = "thinking",
        signature: Option<Text<'a>> = "signature",
        estimated_tokens: Option<i64> = "estimated_tokens",
    }

    /// Thinking that only the API can read.
    pub struct RedactedThinking<'a>: "redacted thinking block" {
        data: Option<Text<'a>> = "data",
    }

    /// The result of a tool.
    pub struct ToolResultBlock<'a>: "tool_result block" {
        tool_use_id: Option<ToolUseId<'a>> = "tool_use_id",
        content: Option<Content<'a>> = "content",
        is_error: Option<bool> = "is_error",
        cache_control: Option<Raw<'a>> = "cache_control",
    }

    /// An image or a document.
    pub struct Attached<'a>: "image or document block" {
        source: Option<Source<'a>> = "source",
        title: Option<Text<'a>> = "title",
        context: Option<Text<'a>> = "context",
        citations: Option<Raw<'a>> = "citations",
        cache_control: Option<Raw<'a>> = "cache_control",
        /// Data without a source around it: MCP's spelling.
        data: Option<Text<'a>> = "data",
        media_type: Option<Text<'a>> = "mimeType",
        /// Written by some hosts beside the source.
        dimensions: Option<Raw<'a>> = "dimensions",
    }

    /// The location of the data of an image or document.
    pub struct Source<'a>: "source" {
        /// `base64`, `text`, `url`, `file` or `content`.
        kind: Option<Text<'a>> = "type",
        media_type: Option<Text<'a>> = "media_type",
        data: Option<Text<'a>> = "data",
        url: Option<Text<'a>> = "url",
        file_id: Option<Text<'a>> = "file_id",
        content: Option<Raw<'a>> = "content",
    }

    /// A search result that the model may cite.
    pub struct SearchResult<'a>: "search_result block" {
        source: Option<Text<'a>> = "source",
        title: Option<Text<'a>> = "title",
        content: Option<Content<'a>> = "content",
        citations: Option<Raw<'a>> = "citations",
        cache_control: Option<Raw<'a>> = "cache_control",
    }

    /// A tool that was found and is now loaded.
    pub struct ToolReference<'a>: "tool_reference block" {
        tool_name: Option<Text<'a>> = "tool_name",
    }

    /// A resource, in place or as a link.
    pub struct Resource<'a>: "resource block" {
        resource: Option<Raw<'a>> = "resource",
        uri: Option<Text<'a>> = "uri",
        name: Option<Text<'a>> = "name",
        title: Option<Text<'a>> = "title",
        description: Option<Text<'a>> = "description",
        media_type: Option<Text<'a>> = "mimeType",
    }

    /// The model before and after.
    pub struct Fallback<'a>: "fallback block" {
        from: Option<ModelName<'a>> = "from",
        to: Option<ModelName<'a>> = "to",
        trigger: Option<Raw<'a>> = "trigger",
    }

    /// A model by its name.
    pub struct ModelName<'a>: "model name" {
        model: Option<Text<'a>> = "model",
    }

    /// The result of a tool that ran at the API: a list, an object, or an error object.
    pub struct ServerToolResult<'a>: "server tool result block" {
        tool_use_id: Option<ToolUseId<'a>> = "tool_use_id",
        content: Option<Raw<'a>> = "content",
        caller: Option<Raw<'a>> = "caller",
        is_error: Option<bool> = "is_error",
    }

    /// A call of an MCP server's tool by the API.
    pub struct McpToolUse<'a>: "mcp_tool_use block" {
        id: Option<ToolUseId<'a>> = "id",
        name: Option<Text<'a>> = "name",
        server_name: Option<Text<'a>> = "server_name",
        input: Option<Raw<'a>> = "input",
        cache_control: Option<Raw<'a>> = "cache_control",
    }

    /// A file for the code execution container.
    pub struct ContainerUpload<'a>: "container_upload block" {
        file_id: Option<Text<'a>> = "file_id",
    }

    /// The summary that replaces what the API left out.
    pub struct CompactionBlock<'a>: "compaction block" {
        content: Option<Text<'a>> = "content",
        encrypted_content: Option<Text<'a>> = "encrypted_content",
        signature: Option<Text<'a>> = "signature",
    }

    /// Tools listed, added or removed at the API; only the names of these blocks are known.
    pub struct Listing<'a>: "tool listing block" {
        server_name: Option<Text<'a>> = "server_name",
        tools: Option<Raw<'a>> = "tools",
        tool: Option<Raw<'a>> = "tool",
        name: Option<Text<'a>> = "name",
    }
}

/// A call of one of Claude Code's tools, or of a tool that runs at the API.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ToolUse<'a> {
    /// `id`
    pub id: Option<ToolUseId<'a>>,
    /// `name`
    pub name: Option<Text<'a>>,
    /// `input`, typed by the name.
    pub input: Option<ToolInput<'a>>,
    /// `input`, exactly as in the line.
    pub input_json: Option<Raw<'a>>,
    /// `caller`: the model itself, or code that it runs.
    pub caller: Option<Raw<'a>>,
    /// `toolset_name`
    pub toolset_name: Option<Text<'a>>,
    /// `cache_control`
    pub cache_control: Option<Raw<'a>>,
    /// Whether the input came before the name, and is not typed yet.
    is_early: bool,
}

impl Fields for ToolUse<'_> {
    fn each_field<'e>(&'e self, each: &mut Each<'_, 'e>) {
        self.id.visit("id", each);
        self.name.visit("name", each);
        self.input_json.visit("input", each);
        self.caller.visit("caller", each);
        self.toolset_name.visit("toolset_name", each);
        self.cache_control.visit("cache_control", each);
    }
}

impl Visit for ToolUse<'_> {
    fn visit<'e>(&'e self, key: &'e str, each: &mut Each<'_, 'e>) {
        each(key, FieldValue::Record(self));
    }
    fn shape() -> Shape {
        let text = |key| (key, Text::shape as fn() -> Shape);
        let json = |key| (key, Raw::shape as fn() -> Shape);
        Shape::Record(vec![
            ("id", ToolUseId::shape as fn() -> Shape),
            text("name"),
            json("input"),
            json("caller"),
            text("toolset_name"),
            json("cache_control"),
        ])
    }
}

impl<'a> Record<'a> for ToolUse<'a> {
    const LABEL: &'static str = "tool_use block";

    fn field(&mut self, key: &'a str, cursor: &mut Cursor<'a>, notes: &mut Notes<'a>) -> Result<bool, Broken> {
        const PLACE: Place = Place { record: ToolUse::LABEL, field: "a field" };
        match key {
            "id" => self.id.read_field(cursor, &PLACE, notes)?,
            "name" => self.name.read_field(cursor, &PLACE, notes)?,
            "input" => {
                self.is_early = self.name.is_none();
                let Some(name) = self.name else {
                    self.input_json.read_field(cursor, &PLACE, notes)?;
                    return Ok(true);
                };
                cursor.peek();
                let before = cursor.clone();
                self.input = ToolInput::read(name.as_str(), cursor, notes)?;
                self.input_json = Some(Raw::from(before.text_until(cursor)));
            }
            "caller" => self.caller.read_field(cursor, &PLACE, notes)?,
            "toolset_name" => self.toolset_name.read_field(cursor, &PLACE, notes)?,
            "cache_control" => self.cache_control.read_field(cursor, &PLACE, notes)?,
            _ => return Ok(false),
        }
        Ok(true)
    }

    fn finish(&mut self, notes: &mut Notes<'a>) {
        if let (true, Some(input)) = (std::mem::take(&mut self.is_early), self.input_json) {
            let name = self.name.map_or("", Text::as_str);
            // It was well formed when it was kept.
            self.input = ToolInput::read(name, &mut Cursor::new(input.as_json()), notes).ok().flatten();
        }
    }
}
