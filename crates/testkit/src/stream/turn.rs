//! One turn of a run: init, work, the occasional system message, result.

use super::Tape;
use super::messages::Speaker;
use crate::json::Json;
use crate::text;
use crate::tools::{self, Outcome};
use crate::{array, object};
use std::io::{self, Write};

impl Speaker {
    /// Writes one turn; ends early when `enough` bytes have been written.
    pub(super) fn turn<W: Write>(&mut self, tape: &mut Tape<'_, W>, enough: u64) -> io::Result<()> {
        let init = self.init();
        tape.say(init)?;
        let words = text::phrase(&mut self.place.rng);
        let time = tape.time();
        let prompt = self.prompt(&words, time);
        tape.say(prompt)?;
        let steps = self.place.rng.between(2, 7);
        for step in 0..steps {
            self.interlude(tape, step)?;
            self.step(tape, None)?;
            if tape.made >= enough {
                break;
            }
        }
        if self.number % 3 == 1 {
            self.subagent(tape)?;
        }
        if self.number % 7 == 5 {
            let result = self.result(None, steps);
            tape.say(result)?;
        } else {
            let answer = text::markdown(&mut self.place.rng, 500);
            self.speak(tape, vec![tools::text_block(answer.as_str())], None)?;
            let result = self.result(Some(&answer), steps);
            tape.say(result)?;
        }
        self.number += 1;
        Ok(())
    }

    /// Writes a message: its events, then a line per block.
    fn speak<W: Write>(&mut self, tape: &mut Tape<'_, W>, blocks: Vec<Json>, parent: Option<&str>) -> io::Result<()> {
        let ids = (self.place.rng.message_id(), self.place.rng.request_id());
        self.events(tape, &ids.0, &blocks, parent)?;
        for block in blocks {
            let line = self.assistant(&ids, block, parent);
            tape.say(line)?;
        }
        Ok(())
    }

    /// One or two calls and their results.
    fn step<W: Write>(&mut self, tape: &mut Tape<'_, W>, parent: Option<&str>) -> io::Result<()> {
        let mut blocks = Vec::new();
        if self.place.rng.chance(40) {
            let signature = format!("Eq{}", self.place.rng.base64(600));
            blocks.push(object! { "type" => "thinking", "thinking" => "", "signature" => signature });
        }
        let mut pending = Vec::new();
        for _ in 0..self.place.rng.between(1, 2) {
            let Some(call) = self.call() else { break };
            let id = self.place.rng.tool_use_id();
            blocks.push(object! {
                "type" => "tool_use", "id" => id.as_str(), "name" => call.name.as_str(), "input" => call.input,
                "caller" => object! { "type" => "direct" },
            });
            pending.push((id, call.name, call.outcome));
        }
        self.speak(tape, blocks, parent)?;
        for (id, name, outcome) in pending {
            if name == "Bash" && self.place.rng.chance(20) {
                let note = self.signed(object! {
                    "type" => "tool_progress", "tool_use_id" => id.as_str(), "tool_name" => name,
                    "parent_tool_use_id" => parent, "elapsed_time_seconds" => 3.2,
                });
                tape.say(note)?;
            }
            let time = tape.time();
            let line = self.result_of(&id, outcome, parent, time);
            tape.say(line)?;
        }
        Ok(())
    }

    /// System messages in between, each kind in turn.
    fn interlude<W: Write>(&mut self, tape: &mut Tape<'_, W>, step: usize) -> io::Result<()> {
        let turn = usize::try_from(self.number).unwrap_or(0);
        let message = match (turn * 3 + step) % 11 {
            0 => self.system("status", object! { "status" => "requesting" }),
            1 => self.system("thinking_tokens", object! { "estimated_tokens" => 120, "estimated_tokens_delta" => 40 }),
            2 => {
                let info = object! {
                    "status" => "allowed_warning", "resetsAt" => 1_786_190_000, "rateLimitType" => "five_hour",
                    "utilization" => 0.91, "isUsingOverage" => false,
                };
                self.signed(object! { "type" => "rate_limit_event", "rate_limit_info" => info })
            }
            3 => self.system(
                "api_retry",
                object! {
                    "attempt" => 1, "max_retries" => 10, "retry_delay_ms" => 537.9, "error_status" => 529,
                    "error" => "overloaded",
                },
            ),
            5 => {
                let details = object! { "trigger" => "auto", "pre_tokens" => 167_204, "post_tokens" => 21_877 };
                self.system("compact_boundary", object! { "compact_metadata" => details })
            }
            6 => self.system(
                "notification",
                object! { "key" => "context-low", "text" => "Context low", "priority" => "medium" },
            ),
            8 => {
                let id = self.place.rng.tool_use_id();
                let words = "Permission to use Bash has been denied.";
                self.system(
                    "permission_denied",
                    object! { "tool_name" => "Bash", "tool_use_id" => id, "message" => words },
                )
            }
            _ => return Ok(()),
        };
        tape.say(message)
    }

    /// A subagent: task messages around lines that name its call.
    fn subagent<W: Write>(&mut self, tape: &mut Tape<'_, W>) -> io::Result<()> {
        let (id, task) = (self.place.rng.tool_use_id(), format!("a{}", self.place.rng.hex(16)));
        let (prompt, answer) = (text::prose(&mut self.place.rng, 400), text::markdown(&mut self.place.rng, 600));
        let call = object! {
            "type" => "tool_use", "id" => id.as_str(), "name" => "Agent",
            "input" => object! { "description" => "Look around", "subagent_type" => "Explore", "prompt" => prompt.as_str() },
            "caller" => object! { "type" => "direct" },
        };
        self.speak(tape, vec![call], None)?;
        let about =
            object! { "task_id" => task.as_str(), "tool_use_id" => id.as_str(), "description" => "Look around" };
        let started = self.system("task_started", about.clone().with("task_type", "local_agent"));
        tape.say(started)?;
        self.step(tape, Some(&id))?;
        let usage = object! { "total_tokens" => 9120, "tool_uses" => 2, "duration_ms" => 8123 };
        let progress = self.system("task_progress", about.with("usage", usage.clone()).with("last_tool_name", "Read"));
        tape.say(progress)?;
        self.step(tape, Some(&id))?;
        let patch = object! { "status" => "completed", "end_time" => 1_786_180_599_000_i64 };
        let updated = self.system("task_updated", object! { "task_id" => task.as_str(), "patch" => patch });
        tape.say(updated)?;
        let done = self.system(
            "task_notification",
            object! {
                "task_id" => task.as_str(), "tool_use_id" => id.as_str(), "status" => "completed",
                "output_file" => format!("/tmp/claude-1000/tasks/{task}.output"), "summary" => "Look around",
                "usage" => usage,
            },
        );
        tape.say(done)?;
        let blocks = array![tools::text_block(answer)];
        let result = object! {
            "status" => "completed", "prompt" => prompt, "agentId" => task, "agentType" => "Explore",
            "content" => blocks.clone(), "totalDurationMs" => 8123, "totalTokens" => 9120, "totalToolUseCount" => 2,
        };
        let time = tape.time();
        let line = self.result_of(&id, Outcome::done(blocks, result), None, time);
        tape.say(line)
    }
}
