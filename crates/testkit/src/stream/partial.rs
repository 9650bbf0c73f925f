//! The raw API events of a message (`--include-partial-messages`).

use super::Tape;
use super::messages::{MODEL, Speaker};
use crate::json::Json;
use crate::{array, object};
use std::io::{self, Write};

impl Speaker {
    /// All events of one message with these blocks.
    pub(super) fn events<W: Write>(
        &mut self,
        tape: &mut Tape<'_, W>,
        id: &str,
        blocks: &[Json],
        parent: Option<&str>,
    ) -> io::Result<()> {
        if !self.partial {
            return Ok(());
        }
        let usage = object! { "input_tokens" => 3, "output_tokens" => 1 };
        let start = object! {
            "type" => "message_start",
            "message" => object! {
                "model" => MODEL, "id" => id, "type" => "message", "role" => "assistant", "content" => array![],
                "stop_reason" => Json::Null, "stop_sequence" => Json::Null, "usage" => usage,
            },
        };
        self.event(tape, start, parent)?;
        for (index, block) in blocks.iter().enumerate() {
            self.block_events(tape, index, block, parent)?;
        }
        let calls = blocks.iter().any(|block| super::kind(block) == "tool_use");
        let delta = object! {
            "type" => "message_delta",
            "delta" => object! {
                "stop_reason" => if calls { "tool_use" } else { "end_turn" }, "stop_sequence" => Json::Null,
            },
            "usage" => object! { "input_tokens" => 3, "output_tokens" => 187 },
        };
        self.event(tape, delta, parent)?;
        self.event(tape, object! { "type" => "message_stop" }, parent)
    }

    fn block_events<W: Write>(
        &mut self,
        tape: &mut Tape<'_, W>,
        index: usize,
        block: &Json,
        parent: Option<&str>,
    ) -> io::Result<()> {
        let text_of = |key: &str| block.get(key).and_then(Json::as_str).unwrap_or_default().to_owned();
        let (empty, deltas) = match super::kind(block) {
            "tool_use" => {
                let input = block.get("input").map_or_else(String::new, Json::to_string);
                (block.clone().with("input", object! {}), pieces("input_json_delta", "partial_json", &input))
            }
            "thinking" => {
                let mut deltas = pieces("thinking_delta", "thinking", &text_of("thinking"));
                deltas.push(object! { "type" => "signature_delta", "signature" => text_of("signature") });
                (object! { "type" => "thinking", "thinking" => "", "signature" => "" }, deltas)
            }
            _ => (object! { "type" => "text", "text" => "" }, pieces("text_delta", "text", &text_of("text"))),
        };
        let start = object! { "type" => "content_block_start", "index" => index, "content_block" => empty };
        self.event(tape, start, parent)?;
        for delta in deltas {
            self.event(tape, object! { "type" => "content_block_delta", "index" => index, "delta" => delta }, parent)?;
        }
        self.event(tape, object! { "type" => "content_block_stop", "index" => index }, parent)
    }

    fn event<W: Write>(&mut self, tape: &mut Tape<'_, W>, event: Json, parent: Option<&str>) -> io::Result<()> {
        tape.say(object! {
            "type" => "stream_event", "event" => event, "session_id" => self.session.as_str(),
            "parent_tool_use_id" => parent, "uuid" => self.place.rng.uuid(),
        })
    }
}

/// A text in deltas of about forty characters.
fn pieces(kind: &'static str, key: &'static str, text: &str) -> Vec<Json> {
    let letters: Vec<char> = text.chars().collect();
    letters.chunks(40).map(|piece| object! { "type" => kind }.with(key, piece.iter().collect::<String>())).collect()
}
