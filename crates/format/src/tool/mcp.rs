//! Inputs and results of the tools of MCP servers, and of the tools that manage the servers.

use super::result::Outcome;
use crate::block::Content;
use crate::json::{Notes, Raw, Text, record};

/// Input of a tool of an MCP server, as its server declares it.
#[derive(Debug, Clone, PartialEq)]
pub struct McpInput<'a> {
    /// The server.
    pub server: Text<'a>,
    /// The tool's name on the server.
    pub tool: Text<'a>,
    /// The input.
    pub input: Raw<'a>,
}

/// Result of a tool of an MCP server.
#[derive(Debug, Clone, PartialEq)]
pub enum McpResult<'a> {
    /// Text or blocks.
    Content(Content<'a>),
    /// Anything else.
    Value(Raw<'a>),
}

record! {
    /// Input of `ListMcpResourcesTool` and `RefreshMcpTools`.
    pub struct McpServerInput<'a>: "MCP server input" {
        server: Option<Text<'a>> = "server",
    }

    /// Resources of servers, as a list without a key.
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

    /// Input of `ReadMcpResourceTool` and `ReadMcpResourceDirTool`.
    pub struct McpResourceInput<'a>: "MCP resource input" {
        server: Option<Text<'a>> = "server",
        uri: Option<Text<'a>> = "uri",
    }

    /// The content of a resource.
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
        /// The file that holds binary content.
        blob_saved_to: Option<Text<'a>> = "blobSavedTo",
    }

    /// Servers whose tools were listed again, as a list without a key.
    pub struct RefreshMcpToolsResult<'a>: "RefreshMcpTools result" {
        servers: Vec<RefreshedServer<'a>> = "servers",
    }

    /// The state of one server after that.
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
