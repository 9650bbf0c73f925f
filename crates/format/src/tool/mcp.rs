//! Tools of MCP servers, and the tools about MCP servers.

use super::result::Outcome;
use crate::block::Content;
use crate::json::{Notes, Raw, Text, record};

/// What a tool of an MCP server takes: whatever its server declares.
#[derive(Debug, Clone, PartialEq)]
pub struct McpInput<'a> {
    /// The server.
    pub server: Text<'a>,
    /// The tool, as the server names it.
    pub tool: Text<'a>,
    /// The input.
    pub input: Raw<'a>,
}

/// What a tool of an MCP server gives.
#[derive(Debug, Clone, PartialEq)]
pub enum McpResult<'a> {
    /// Text or blocks.
    Content(Content<'a>),
    /// Anything else.
    Value(Raw<'a>),
}

record! {
    /// What `ListMcpResourcesTool` and `RefreshMcpTools` take.
    pub struct McpServerInput<'a>: "MCP server input" {
        server: Option<Text<'a>> = "server",
    }

    /// Resources of servers, given as a list without a key.
    pub struct ListMcpResourcesResult<'a>: "ListMcpResources result" {
        resources: Vec<McpResource<'a>> = "resources",
        error: Option<Text<'a>> = "error",
    }

    /// One resource.
    pub struct McpResource<'a>: "MCP resource" {
        uri: Option<Text<'a>> = "uri",
        name: Option<Text<'a>> = "name",
        title: Option<Text<'a>> = "title",
        media_type: Option<Text<'a>> = "mimeType",
        description: Option<Text<'a>> = "description",
        server: Option<Text<'a>> = "server",
    }

    /// What `ReadMcpResourceTool` and `ReadMcpResourceDirTool` take.
    pub struct McpResourceInput<'a>: "MCP resource input" {
        server: Option<Text<'a>> = "server",
        uri: Option<Text<'a>> = "uri",
    }

    /// What a resource holds.
    pub struct ReadMcpResourceResult<'a>: "ReadMcpResource result" {
        contents: Vec<McpContents<'a>> = "contents",
        error: Option<Text<'a>> = "error",
    }

    /// One part of a resource.
    pub struct McpContents<'a>: "MCP contents" {
        uri: Option<Text<'a>> = "uri",
        media_type: Option<Text<'a>> = "mimeType",
        text: Option<Text<'a>> = "text",
        blob: Option<Text<'a>> = "blob",
        /// The file that binary content went to.
        blob_saved_to: Option<Text<'a>> = "blobSavedTo",
    }

    /// Servers that were asked for their tools again, given as a list without a key.
    pub struct RefreshMcpToolsResult<'a>: "RefreshMcpTools result" {
        servers: Vec<RefreshedServer<'a>> = "servers",
    }

    /// One server after that.
    pub struct RefreshedServer<'a>: "refreshed server" {
        server: Option<Text<'a>> = "server",
        /// `refreshed`, `error` or `not_connected`.
        status: Option<Text<'a>> = "status",
        tool_count: Option<i64> = "toolCount",
        added: Vec<Text<'a>> = "added",
        removed: Vec<Text<'a>> = "removed",
        error: Option<Text<'a>> = "error",
    }
}

impl<'a> Outcome<'a> for ReadMcpResourceResult<'a> {}

impl<'a> Outcome<'a> for ListMcpResourcesResult<'a> {
    fn from_array(list: Raw<'a>, notes: &mut Notes<'a>) -> Option<Self> {
        Some(Self { resources: list.read_as(notes)?, ..Self::default() })
    }
}

impl<'a> Outcome<'a> for RefreshMcpToolsResult<'a> {
    fn from_array(list: Raw<'a>, notes: &mut Notes<'a>) -> Option<Self> {
        Some(Self { servers: list.read_as(notes)? })
    }
}
