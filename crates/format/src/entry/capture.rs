//! Records of captures: lines of a program, with stream and time (docs/store.md).

use crate::json::{Raw, Text, Time, record, tagged, words};

words! {
    /// The stream of a line.
    pub enum Side {
        Input = "stdin",
        Output = "stdout",
        Errors = "stderr",
    }
}

record! {
    /// A record. Reading it as an entry yields the message inside it, if there is one, and otherwise the record.
    pub struct Captured<'a>: "capture", loose {
        conversation_id: Option<Text<'a>> = "conversationId",
        timestamp: Option<Time<'a>> = "timestamp",
        stream: Option<Side<'a>> = "stream",
        /// The message, unchanged.
        message: Option<Raw<'a>> = "claudeMessage",
        /// A line that is not a message.
        text: Option<Text<'a>> = "text",
        /// A line that is not text.
        base64: Option<Text<'a>> = "base64",
        event: Option<Box<CaptureEvent<'a>>> = "event",
    }

    /// A run of a program begins.
    pub struct CaptureStart<'a>: "capture start" {
        version: Option<i64> = "version",
        command: Vec<Text<'a>> = "command",
        cwd: Option<Text<'a>> = "cwd",
        title: Option<Text<'a>> = "title",
        tags: Vec<Text<'a>> = "tags",
        imported_from: Option<Text<'a>> = "importedFrom",
    }

    /// A run of a program ends.
    pub struct CaptureEnd: "capture end" {
        code: Option<i64> = "code",
        signal: Option<i64> = "signal",
    }

    /// Lines that could not be recorded.
    pub struct CaptureLost: "capture lost" {
        records: Option<i64> = "records",
        bytes: Option<i64> = "bytes",
    }
}

tagged! {
    /// An event between the lines.
    pub enum CaptureEvent<'a>: "capture event" by "type" {
        Start(Box<CaptureStart<'a>>) = "start",
        End(CaptureEnd) = "end",
        Lost(CaptureLost) = "lost",
    }
}

/// Whether a line may be a record, by its first key and by the key that all records have.
pub(crate) fn may_be_record(line: &[u8]) -> bool {
    /// The keys that a record may begin with.
    const FIRST: [&[u8]; 6] =
        [b"\"id\"", b"\"conversationId\"", b"\"agentId\"", b"\"claudeMessage\"", b"\"costUSD\"", b"\"timestamp\""];
    const WITHIN: usize = 600;
    let Some(inside) = line.strip_prefix(b"{") else { return false };
    let inside = inside.trim_ascii_start();
    if !FIRST.iter().any(|key| inside.starts_with(key)) {
        return false;
    }
    let head = inside.get(..WITHIN).unwrap_or(inside);
    inside.starts_with(b"\"claudeMessage\"") || memchr::memmem::find(head, b"\"conversationId\"").is_some()
}
