//! Shapes that look damaged and are real: calls interleaved across messages, a message spread by character.

use std::io;

use super::author::Author;
use super::truth::{Extras, Spent};
use crate::entry;
use crate::json::{Json, Object};
use crate::object;
use crate::text;
use crate::tools::{self, Outcome};

impl Author<'_> {
    /// A message follows a call before its result is there, and the next one follows that result: the calls of three
    /// messages are neither a chain nor branches.
    pub(super) fn interleaved(&mut self) -> io::Result<()> {
        self.prompt()?;
        let mut waiting = Vec::new();
        for _ in 0..2 {
            let call = tools::quick_bash(self.place);
            waiting.extend(self.ask(vec![call])?);
        }
        waiting.reverse();
        if let Some(first) = waiting.pop() {
            let result = self.result(first)?;
            self.session.continue_from(Some(&result));
        }
        let call = tools::quick_bash(self.place);
        waiting.extend(self.ask(vec![call])?);
        for call in waiting {
            self.result(call)?;
        }
        self.reply()?;
        self.end_turn()
    }

    /// A message of which the raw events of the stream were stored, one key per character (docs/format B.2).
    pub(super) fn spread(&mut self) -> io::Result<()> {
        self.prompt()?;
        let (id, call) = (self.place.rng.message_id(), self.place.rng.tool_use_id());
        let (said, command) = (text::prose(&mut self.place.rng, 60), "ls beds");
        let (output, fresh, read) = (42, 1_200, self.place.context);
        self.place.context += fresh;
        let usage = object! {
            "input_tokens" => 3, "cache_creation_input_tokens" => fresh, "cache_read_input_tokens" => read,
            "output_tokens" => 1,
        };
        let message = object! {
            "id" => id.as_str(), "type" => "message", "role" => "assistant", "model" => self.model(),
            "content" => crate::array![], "usage" => usage,
        };
        let start = |index: i64, block: Json| object! { "type" => "content_block_start", "index" => index, "content_block" => block };
        let delta =
            |index: i64, delta: Json| object! { "type" => "content_block_delta", "index" => index, "delta" => delta };
        let use_block =
            object! { "type" => "tool_use", "id" => call.as_str(), "name" => "Bash", "input" => object! {} };
        let input = object! { "command" => command }.to_string();
        let events = [
            object! { "type" => "message_start", "message" => message },
            start(0, object! { "type" => "text", "text" => "" }),
            delta(0, object! { "type" => "text_delta", "text" => said.as_str() }),
            start(1, use_block),
            delta(1, object! { "type" => "input_json_delta", "partial_json" => input }),
            object! {
                "type" => "message_delta", "delta" => object! { "stop_reason" => "tool_use" },
                "usage" => object! { "output_tokens" => output },
            },
        ];
        let mut letters = Object::default();
        let mut stream = String::new();
        for event in &events {
            let kind = event.get("type").and_then(Json::as_str).unwrap_or_default();
            for part in ["event: ", kind, "\ndata: ", &event.to_string(), "\n\n"] {
                stream.push_str(part);
            }
        }
        for (at, letter) in stream.chars().enumerate() {
            letters.push(at.to_string(), letter.to_string());
        }
        letters.push("content", crate::array![]);
        let request = format!("request_{}", self.place.rng.uuid());
        let spent = Spent {
            message: &id,
            model: self.model(),
            input: 3,
            output_said: output,
            output,
            cache_write: fresh,
            cache_write_1h: 0,
            cache_read: read,
            extras: Extras::default(),
            stated: 0,
            at: self.session.now(),
        };
        self.note_truth(&spent)?;
        let line = entry::assistant().with("message", Json::Object(letters)).without("requestId").entrypoint("sdk-ts");
        let entry = self.put(line.parent(request))?;
        let result = object! { "stdout" => "north\nsouth", "stderr" => "", "interrupted" => false };
        let outcome = Outcome::done("north\nsouth", result);
        self.answer(super::author::Pending { id: call, name: "Bash".to_owned(), entry, outcome })?;
        self.reply()?;
        self.end_turn()
    }
}
