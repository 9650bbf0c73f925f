//! Types for ids, so that a session is never looked up by the id of a message.

use crate::json::fields::{Each, FieldValue};
use crate::json::{Shape, Text, Value, Visit};

macro_rules! ids {
    ($( $(#[$meta:meta])* $name:ident ),+ $(,)?) => {$(
        $(#[$meta])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name<'a>(Text<'a>);

        impl<'a> $name<'a> {
            /// The id as text.
            pub const fn as_str(self) -> &'a str {
                self.0.as_str()
            }
        }

        impl<'a> From<&'a str> for $name<'a> {
            fn from(id: &'a str) -> Self {
                Self(Text::from(id))
            }
        }

        impl std::fmt::Debug for $name<'_> {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.as_str())
            }
        }

        impl std::fmt::Display for $name<'_> {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.as_str())
            }
        }

        impl Visit for $name<'_> {
            fn visit<'e>(&'e self, key: &'e str, each: &mut Each<'_, 'e>) {
                each(key, FieldValue::Id(self.as_str()));
            }
            fn shape() -> Shape {
                Shape::Id
            }
        }

        impl<'a> Value<'a> for $name<'a> {
            const EXPECTED: &'static str = "an id";

            fn from_text(text: &'a str) -> Option<Self> {
                Some(Self::from(text))
            }
            fn from_integer(number: i64, scratch: &'a crate::Scratch) -> Option<Self> {
                Text::from_integer(number, scratch).map(Self)
            }
        }
    )+};
}

ids! {
    /// A session: the stem of its main file. In a subagent's file, the parent session.
    SessionId,
    /// One entry (`uuid`). The same id reappears where history is copied to another file.
    EntryId,
    /// One API message (`message.id`), shared by the entries that contain its blocks.
    MessageId,
    /// One API request.
    RequestId,
    /// One tool call.
    ToolUseId,
    /// A subagent.
    AgentId,
    /// A background task: a shell, an agent, a workflow.
    TaskId,
    /// A prompt; shared by all entries of its turn.
    PromptId,
}

/// Whether a text has the form of a UUID, as the ids of sessions do.
pub fn is_uuid(text: &str) -> bool {
    text.len() == 36 && text.bytes().filter(|byte| *byte == b'-').count() == 4
}
