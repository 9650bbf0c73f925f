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

/// The hash of an id, the same on every machine and in every version: what is counted of a message and what is shown
/// of it find each other by it.
///
/// Processes eight bytes at a time, since every line has three ids. Among a hundred million ids, the chance of a
/// collision is one in four thousand.
pub fn hash(parts: &[&[u8]]) -> u64 {
    const START: u64 = 0xcbf2_9ce4_8422_2325;
    const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;
    let mix = |state: u64, word: u64| {
        let mixed = (state ^ word).wrapping_mul(FACTOR);
        mixed ^ (mixed >> 32)
    };
    parts.iter().fold(START, |state, part| {
        let (words, rest) = part.as_chunks::<8>();
        let state = words.iter().fold(state, |state, word| mix(state, u64::from_le_bytes(*word)));
        let last = rest.iter().fold(0, |last, byte| last << 8 | u64::from(*byte));
        // The length distinguishes parts that end with the same bytes, and one part from two.
        mix(mix(state, last), part.len() as u64)
    })
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn different_ids_have_different_hashes() {
        let ids: Vec<String> = (0..200_000).map(|id| format!("msg_01{id:022x}")).collect();
        let hashes: HashSet<u64> = ids.iter().map(|id| hash(&[id.as_bytes()])).collect();
        assert_eq!(hashes.len(), ids.len());
        let parts: [&[&[u8]]; 7] = [&[], &[b""], &[b"a"], &[b"a", b""], &[b"", b"a"], &[b"a\0"], &[b"aaaaaaaa"]];
        let hashes: HashSet<u64> = parts.iter().map(|parts| hash(parts)).collect();
        assert_eq!(hashes.len(), parts.len());
    }
}
