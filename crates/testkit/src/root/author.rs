//! Writes entries, messages and results into a transcript, as the CLI of the session's version does.

use super::sink::Sink;
use super::truth::{Extras, Spent};
use super::{Studio, count, text_of};
use crate::entry::{self, Entry};
use crate::era::{Era, Layout, UsageTruth, Version};
use crate::json::Json;
use crate::object;
use crate::session::Session;
use crate::text;
use crate::tools::{self, Call, Outcome, Workplace};
use std::io;
use std::path::PathBuf;

/// A session or a subagent of it, with the file it is written to.
pub(super) struct Author<'a> {
    pub(super) studio: &'a mut Studio,
    pub(super) sink: &'a mut Sink,
    pub(super) session: &'a mut Session,
    pub(super) place: &'a mut Workplace,
    pub(super) era: Era,
    /// Stop when the root has this many bytes.
    pub(super) until: u64,
    /// The depth below the main thread.
    pub(super) depth: usize,
    pub(super) plan_file: &'a str,
    /// What the session has written so far.
    pub(super) memory: &'a mut Memory,
}

/// What a session has written so far, for its later lines.
#[derive(Debug, Default)]
pub(super) struct Memory {
    /// Every turn states its duration.
    pub(super) states_all: bool,
    /// The names of the tools that were used, in the order of their first use.
    pub(super) tools: Vec<String>,
    /// The conversation went back at least once.
    pub(super) rewound: bool,
}

/// A call that has been written and waits for its result.
pub(super) struct Pending {
    pub(super) id: String,
    pub(super) name: String,
    pub(super) entry: String,
    pub(super) outcome: Outcome,
}

impl Author<'_> {
    pub(super) fn version(&self) -> Version {
        self.place.version
    }

    /// Whether the session has reached its size.
    pub(super) fn is_full(&self) -> bool {
        self.studio.counts.bytes >= self.until
    }

    pub(super) fn chance(&mut self, percent: usize) -> bool {
        self.place.rng.chance(percent)
    }

    /// The directory beside the main transcript.
    pub(super) fn companion(&self) -> PathBuf {
        self.studio.project(self.session.cwd()).join(self.session.id())
    }

    /// Writes an entry; returns its uuid.
    pub(super) fn put(&mut self, entry: Entry) -> io::Result<String> {
        let (entry, uuid) = self.session.stamp(entry);
        if !self.sink.is_written() {
            self.sink.write(entry)?;
            return Ok(uuid);
        }
        let counts = &mut self.studio.counts;
        for name in entry.tool_names() {
            if !self.memory.tools.iter().any(|known| known == name) {
                self.memory.tools.push(name.to_owned());
            }
        }
        counts.lines += 1;
        count(&mut counts.entries, entry.type_name());
        if let Some(kind) = entry.kind_name() {
            count(&mut counts.kinds, &kind);
        }
        for name in entry.tool_names() {
            count(&mut counts.tool_calls, name);
        }
        counts.bytes += self.sink.write(entry)?;
        Ok(uuid)
    }

    /// Writes one API message, a line per block; returns the uuids of the lines.
    pub(super) fn message(&mut self, blocks: Vec<Json>, reason: &str) -> io::Result<Vec<String>> {
        let version = self.version();
        let (id, request) = (self.place.rng.message_id(), self.place.rng.request_id());
        let written = blocks.iter().map(approximate_length).sum::<usize>();
        let output = i64::try_from(written / 4).unwrap_or(1) + 12;
        let (fresh, read) = (output + self.place.rng.integer(80, 2600), self.place.context);
        self.place.context += fresh;
        let extras = self.extras();
        let guess = self.place.rng.integer(1, 8);
        let final_usage = extras.apply(entry::usage(version, 3, output, fresh, read));
        let mut placeholder = extras.apply(entry::usage(version, 3, guess, fresh, read));
        if version.has_placeholders_again() {
            placeholder = placeholder.without("iterations").without("server_tool_use").without("speed");
        }
        let is_placeholder = version.usage_truth() == UsageTruth::Placeholder;
        let mut spent = Spent {
            message: &id,
            model: self.model(),
            input: 3,
            output_said: if is_placeholder { guess } else { output.max(guess) },
            output,
            cache_write: fresh,
            cache_write_1h: if version.layout() == Layout::EnvelopeLast { fresh } else { 0 },
            cache_read: read,
            extras,
            stated: 0,
            at: 0,
        };
        let last = blocks.len().saturating_sub(1);
        let is_call = |block: &Json| text_of(block, "type") == "tool_use";
        // Copies in the parent hold only calls and their results.
        let first = if self.sink.is_written() { Some(0) } else { blocks.iter().position(is_call) };
        // Sidechains had placeholders long after the main thread (docs/format C.4.3).
        let sidechain_gap = self.depth > 0 && version.since(2, 1, 97) && self.chance(60);
        let mut uuids = Vec::with_capacity(blocks.len());
        for (index, block) in blocks.into_iter().enumerate() {
            let is_final = match version.usage_truth() {
                UsageTruth::LastLine | UsageTruth::LastLineWithReason => index == last,
                UsageTruth::Placeholder => false,
                UsageTruth::EveryLine => index == last || !sidechain_gap,
            };
            let says_reason = is_final && version.usage_truth() != UsageTruth::LastLine;
            let mut line = entry::assistant()
                .model(self.model())
                .message_id(id.as_str())
                .request_id(request.as_str())
                .block(block)
                .stop_reason(if says_reason { Json::from(reason) } else { Json::Null })
                .usage(if is_final { final_usage.clone() } else { placeholder.clone() });
            if !version.since(1, 0, 10) {
                let part = u8::try_from(index + 1).unwrap_or(1);
                let cost = 0.001_25 * f64::from(part);
                spent.stated = 1250 * u32::from(part);
                line = line.with_before("costUSD", cost).with_before("durationMs", self.place.rng.between(900, 9000));
            }
            if version.since(2, 1, 212) {
                line = line.with_after("effort", "high");
            }
            line = self.newest_fields(line, index);
            self.session.wait(self.place.rng.integer(200, 4000));
            if first == Some(index) {
                spent.at = self.session.now();
            }
            uuids.push(self.put(line)?);
        }
        if first.is_some() {
            self.note_truth(&spent)?;
        }
        Ok(uuids)
    }

    /// Some messages are fast, restricted to a region, or search the web; drawn separately, so that the rest of the
    /// session does not depend on it.
    fn extras(&self) -> Extras {
        let mut rng = self.place.rng.fork(77);
        if self.version().layout() != Layout::EnvelopeLast {
            return Extras::default();
        }
        Extras {
            fast: self.model().contains("opus") && rng.chance(4),
            us_only: rng.chance(4),
            searches: if rng.chance(4) { rng.integer(1, 3) } else { 0 },
        }
    }

    pub(super) fn model(&self) -> &'static str {
        let (main, cheap) = self.era.models();
        if self.depth > 0 { cheap } else { main }
    }

    /// A `thinking` block; its text is hidden in newer versions.
    pub(super) fn thinking(&mut self) -> Json {
        if self.version().since(2, 1, 97) && self.chance(1) {
            return object! { "type" => "redacted_thinking", "data" => format!("Em{}", self.place.rng.base64(300)) };
        }
        let rng = &mut self.place.rng;
        let (length, signed) = (rng.log_between(80, 3000), rng.log_between(220, 4000));
        let version = self.place.version;
        let is_shown = if version.speaks_in_thinking() { rng.chance(50) } else { !version.hides_thinking() };
        let thought = if is_shown { text::prose(rng, length) } else { String::new() };
        object! { "type" => "thinking", "thinking" => thought, "signature" => format!("Eq{}", rng.base64(signed)) }
    }

    /// A remark besides the work.
    pub(super) fn remark(&mut self) -> Json {
        let length = self.place.rng.log_between(40, 700);
        tools::text_block(text::prose(&mut self.place.rng, length))
    }

    /// The answer at the end of a turn.
    pub(super) fn reply(&mut self) -> io::Result<String> {
        let length = self.place.rng.log_between(120, 2400);
        let answer = text::markdown(&mut self.place.rng, length);
        self.reply_with(&answer)
    }

    /// This answer at the end of a turn.
    pub(super) fn reply_with(&mut self, answer: &str) -> io::Result<String> {
        let mut blocks = Vec::new();
        if self.chance(35) {
            blocks.push(self.thinking());
        }
        blocks.push(tools::text_block(answer));
        let uuids = self.message(blocks, "end_turn")?;
        Ok(uuids.last().cloned().unwrap_or_default())
    }

    /// One to four calls from the deck and their results.
    pub(super) fn step(&mut self) -> io::Result<()> {
        let number = match self.place.rng.below(100) {
            0..=73 => 1,
            74..=89 => 2,
            90..=96 => 3,
            _ => 4,
        };
        let mut calls = Vec::with_capacity(number);
        for _ in 0..number {
            if let Some(tool) = self.studio.decks.tool(self.place.version, &mut self.place.rng) {
                calls.push((tool.make)(self.place));
            }
        }
        self.calls(calls)
    }

    /// These calls in one message, and their results in random order; only changes of files are made one after the other.
    pub(super) fn calls(&mut self, calls: Vec<Call>) -> io::Result<()> {
        let mut pending = self.ask(calls)?;
        let changes = |call: &Pending| matches!(call.name.as_str(), "Edit" | "MultiEdit" | "Write");
        if pending.iter().filter(|call| changes(call)).count() < 2 {
            self.place.rng.shuffle(&mut pending);
        }
        for call in pending {
            self.answer(call)?;
        }
        self.after_step()
    }

    /// Writes a message with these calls, which then wait for their results.
    pub(super) fn ask(&mut self, calls: Vec<Call>) -> io::Result<Vec<Pending>> {
        let mut blocks = Vec::with_capacity(calls.len() + 2);
        if self.chance(38) {
            blocks.push(self.thinking());
        }
        // The newest models speak in their thinking.
        if !self.version().speaks_in_thinking() && self.chance(40) {
            blocks.push(self.remark());
        }
        let first_call = blocks.len();
        let has_caller = self.version().since(2, 1, 42);
        let mut pending = Vec::with_capacity(calls.len());
        for call in calls {
            let id = self.place.rng.tool_use_id();
            let block = object! {
                "type" => "tool_use", "id" => id.as_str(), "name" => call.name.as_str(), "input" => call.input,
            };
            blocks.push(if has_caller { block.with("caller", object! { "type" => "direct" }) } else { block });
            pending.push(Pending { id, name: call.name, entry: String::new(), outcome: call.outcome });
        }
        let uuids = self.message(blocks, "tool_use")?;
        for (call, uuid) in pending.iter_mut().zip(uuids.into_iter().skip(first_call)) {
            call.entry = uuid;
        }
        Ok(pending)
    }

    /// Writes the result of a call with the entries that its version stores around it.
    pub(super) fn answer(&mut self, call: Pending) -> io::Result<()> {
        self.progress_of(&call)?;
        if let Some((name, text)) = &call.outcome.spilled {
            let path = self.companion().join("tool-results").join(name);
            self.studio.write_file(&path, text.as_bytes())?;
        }
        self.session.wait(self.place.rng.integer(30, 9000));
        let (id, name) = (call.id.clone(), call.name.clone());
        self.result(call)?;
        self.hooks_after(&id, &name)
    }

    /// Writes only the result of a call.
    pub(super) fn result(&mut self, call: Pending) -> io::Result<String> {
        let version = self.version();
        let outcome = call.outcome;
        self.place.context += i64::try_from(approximate_length(&outcome.content) / 4).unwrap_or(0);
        let mut line = entry::tool_result(&call.id).output(outcome.content).parent(call.entry.as_str());
        if let Some(flag) = outcome.is_error {
            line = line.is_error(flag);
        }
        if self.depth == 0 || !version.since(2, 1, 12) {
            line = line.with_result(outcome.result);
        }
        if version.since(2, 1, 200) && outcome.is_error == Some(true) && text_of_rejection(&line) {
            line = line.with_after("toolDenialKind", "user-rejected");
        }
        if version.since(2, 1, 1) {
            line = line.with_after("sourceToolAssistantUUID", call.entry);
        }
        self.put(line)
    }
}

fn text_of_rejection(line: &Entry) -> bool {
    line.result_text().is_some_and(|text| text.starts_with("The user doesn't want to proceed"))
}

/// The approximate number of characters that the model wrote or read.
fn approximate_length(value: &Json) -> usize {
    match value {
        Json::Str(text) => text.len(),
        Json::Array(items) => items.iter().map(approximate_length).sum(),
        Json::Object(_) => ["text", "thinking", "input", "content", "command", "old_string", "new_string"]
            .iter()
            .filter_map(|key| value.get(key))
            .map(approximate_length)
            .sum::<usize>()
            .max(text_of(value, "signature").len()),
        Json::Null | Json::Bool(_) | Json::Int(_) | Json::Float(_) => 4,
    }
}
