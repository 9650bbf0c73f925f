//! Subagents of the three eras, background agents and background shells.

use super::author::{Author, Pending};
use super::sink::Sink;
use crate::entry;
use crate::era::AgentPlace;
use crate::json::Json;
use crate::text;
use crate::tools::{self, Call, Outcome};
use crate::{array, object};
use std::io;

/// The prompt and the answer of a subagent.
struct Report {
    agent_id: String,
    prompt: String,
    description: String,
    answer: String,
    tool_count: u64,
}

impl Author<'_> {
    /// A turn with one to three parallel subagents.
    pub(super) fn agents(&mut self) -> io::Result<()> {
        self.prompt()?;
        self.delegate()?;
        self.steps(2)?;
        self.reply()?;
        self.end_turn()
    }

    fn delegate(&mut self) -> io::Result<()> {
        let calls = (0..self.place.rng.between(1, 3)).map(|_| self.agent_call(false)).collect();
        for mut pending in self.ask(calls)? {
            let report = self.run_agent(&pending, false)?;
            pending.outcome = self.finished(&report);
            self.answer(pending)?;
        }
        self.after_step()
    }

    /// The call; its outcome is filled in when the agent has finished.
    fn agent_call(&mut self, background: bool) -> Call {
        let version = self.version();
        let length = self.place.rng.log_between(300, 4000);
        let prompt = text::markdown(&mut self.place.rng, length);
        let description = text::phrase(&mut self.place.rng);
        let mut input = object! { "description" => description, "subagent_type" => "Explore" };
        if background {
            input = input.with("run_in_background", true);
        }
        let name = if version.says_agent() { "Agent" } else { "Task" };
        Call {
            name: name.to_owned(),
            input: input.with("prompt", prompt.as_str()),
            outcome: Outcome::done(prompt, Json::Null),
        }
    }

    fn agent_id(&mut self) -> String {
        match self.version() {
            version if version.since(2, 1, 59) => format!("a{}", self.place.rng.hex(16)),
            version if version.since(2, 1, 12) => format!("a{}", self.place.rng.hex(6)),
            _ => self.place.rng.hex(7),
        }
    }

    /// Writes the thread of a subagent where its version stores it.
    fn run_agent(&mut self, call: &Pending, background: bool) -> io::Result<Report> {
        let prompt = call.outcome.content.as_str().unwrap_or_default().to_owned();
        let agent_id = self.agent_id();
        let description = text::phrase(&mut self.place.rng);
        let before = self.studio.counts.tool_call_count();
        let length = self.place.rng.log_between(300, 3000);
        let answer = text::markdown(&mut self.place.rng, length);
        let place = self.version().agent_place();
        let project = self.studio.project(self.session.cwd());
        // The copies in the parent are the only record of some agents.
        let is_copied_only =
            !background && self.depth == 0 && self.version().has_progress() && self.place.next("agent", 3) == 1;
        let path = match place {
            _ if is_copied_only => None,
            AgentPlace::Inline => None,
            AgentPlace::TopLevel => Some(project.join(format!("agent-{agent_id}.jsonl"))),
            AgentPlace::Companion => Some(self.companion().join("subagents").join(format!("agent-{agent_id}.jsonl"))),
        };
        let mut own_file = match &path {
            Some(path) => Some(Sink::create(path)?.keeping_lines()),
            None => is_copied_only.then(Sink::unwritten),
        };
        let mut thread = self.session.subagent(own_file.is_some().then_some(agent_id.as_str()));
        let mut agent = Author {
            studio: &mut *self.studio,
            sink: own_file.as_mut().unwrap_or(&mut *self.sink),
            session: &mut thread,
            place: &mut *self.place,
            era: self.era,
            until: self.until,
            depth: self.depth + 1,
            plan_file: self.plan_file,
            memory: &mut *self.memory,
        };
        agent.think_through(&prompt, &answer)?;
        self.session.wait(thread.now() - self.session.now());
        let mut lines = Vec::new();
        if let Some(file) = &mut own_file {
            lines = file.take_lines();
            file.finish()?;
        }
        if let Some(path) = path {
            self.studio.counts.files += 1;
            self.studio.counts.agent_files += 1;
            self.studio.counts.transcripts += 1;
            if place == AgentPlace::Companion {
                self.write_sidecar(&path, call, &description, background)?;
            }
        }
        let mut tool_count = self.studio.counts.tool_call_count() - before;
        if is_copied_only {
            tool_count = lines.iter().filter(|line| line.contains("\"type\":\"tool_use\"")).count() as u64;
        }
        let report = Report { agent_id, prompt, description, answer, tool_count };
        if self.version().has_progress() && self.depth == 0 {
            self.agent_progress(call, &report, &lines)?;
        }
        Ok(report)
    }

    /// A whole sidechain: prompt, steps, answer; sometimes with agents of its own.
    pub(super) fn think_through(&mut self, prompt: &str, answer: &str) -> io::Result<()> {
        self.put(entry::user(prompt))?;
        self.steps(5)?;
        if self.depth < 3 && self.version().since(2, 1, 219) && self.chance(10) && !self.is_full() {
            self.delegate()?;
        }
        self.message(vec![tools::text_block(answer)], "end_turn").map(drop)
    }

    fn write_sidecar(
        &mut self,
        path: &std::path::Path,
        call: &Pending,
        description: &str,
        background: bool,
    ) -> io::Result<()> {
        let mut meta = object! { "agentType" => "Explore" };
        if self.version().since(2, 1, 97) {
            meta = meta.with("description", description).with("toolUseId", call.id.as_str());
        }
        if self.version().since(2, 1, 219) {
            meta = meta.with("spawnDepth", self.depth + 1);
            if background {
                meta = meta.with("requestShape", "background");
            }
        }
        self.studio.write_file(&path.with_extension("meta.json"), meta.to_string().as_bytes())
    }

    /// The prompt, the calls and the results of the agent, copied into the parent (2.1.12 to 2.1.81).
    fn agent_progress(&mut self, call: &Pending, report: &Report, lines: &[String]) -> io::Result<()> {
        let mut is_first = true;
        for line in lines {
            let line: serde_json::Value = serde_json::from_str(line)?;
            let text = |pointer: &str| line.pointer(pointer).and_then(serde_json::Value::as_str);
            let is_tool = text("/message/content/0/type").is_some_and(|kind| kind.starts_with("tool_"));
            if !(is_tool || is_first && text("/type") == Some("user")) {
                continue;
            }
            let mut message = object! {};
            for key in ["type", "message", "uuid", "timestamp", "requestId", "toolUseResult"] {
                if let Some(part) = line.get(key) {
                    message = message.with(key, Json::from(part.clone()));
                }
            }
            let mut data = object! { "message" => message };
            if !self.version().since(2, 1, 71) {
                data = data.with("normalizedMessages", array![]);
            }
            let prompt = if std::mem::take(&mut is_first) { report.prompt.as_str() } else { "" };
            let data =
                data.with("type", "agent_progress").with("prompt", prompt).with("agentId", report.agent_id.as_str());
            let id = format!("agent_{}", self.place.rng.message_id());
            self.put(entry::progress(data, &id, &call.id))?;
        }
        Ok(())
    }

    /// The result of a finished agent.
    fn finished(&mut self, report: &Report) -> Outcome {
        let version = self.version();
        let (tokens, duration) = (self.place.rng.integer(9_000, 80_000), self.place.rng.integer(8_000, 300_000));
        let tools = i64::try_from(report.tool_count).unwrap_or(0);
        let usage = entry::usage(version, 2, 648, 3943, 40_622);
        let blocks = array![tools::text_block(report.answer.as_str())];
        if !version.since(2, 0, 0) {
            let result = object! {
                "content" => blocks.clone(), "totalDurationMs" => duration, "totalTokens" => tokens,
                "totalToolUseCount" => tools, "usage" => usage,
            };
            return Outcome::done(blocks, result);
        }
        let trailer = format!(
            "agentId: {} (use SendMessage with to: '{}' to continue this agent)\n<usage>total_tokens: {tokens}\ntool_uses: {tools}\nduration_ms: {duration}</usage>",
            report.agent_id, report.agent_id
        );
        let content = array![tools::text_block(report.answer.as_str()), tools::text_block(trailer)];
        let mut result = object! {
            "status" => "completed", "prompt" => report.prompt.as_str(), "agentId" => report.agent_id.as_str(),
        };
        if version.since(2, 1, 97) {
            result = result.with("agentType", "Explore");
        }
        result = result
            .with("content", blocks)
            .with("totalDurationMs", duration)
            .with("totalTokens", tokens)
            .with("totalToolUseCount", tools)
            .with("usage", usage);
        Outcome::done(content, result)
    }

    /// An agent that works while the conversation continues, and reports later.
    pub(super) fn background_agent(&mut self) -> io::Result<()> {
        self.prompt()?;
        let call = self.agent_call(true);
        let mut launched = None;
        for mut pending in self.ask(vec![call])? {
            let report = self.run_agent(&pending, true)?;
            let output = format!("/tmp/claude-1000/tasks/{}.output", report.agent_id);
            let text = format!(
                "Async agent launched successfully.\nagentId: {} (internal ID - do not mention to user.)\noutput_file: {output}",
                report.agent_id
            );
            let mut result = object! {
                "isAsync" => true, "status" => "async_launched", "agentId" => report.agent_id.as_str(),
                "description" => report.description.as_str(), "prompt" => report.prompt.as_str(),
                "outputFile" => output.as_str(),
            };
            if self.version().since(2, 1, 97) {
                result = result.with("canReadOutputFile", true);
            }
            pending.outcome = Outcome::done(array![tools::text_block(text)], result);
            let id = pending.id.clone();
            self.answer(pending)?;
            launched = Some((id, output, report));
        }
        self.reply()?;
        self.end_turn()?;
        let Some((call_id, output, report)) = launched else { return Ok(()) };
        self.notify(&call_id, &output, &report)?;
        self.reply()?;
        self.end_turn()
    }

    /// The notification of a finished background agent.
    fn notify(&mut self, call_id: &str, output: &str, report: &Report) -> io::Result<()> {
        let version = self.version();
        let Report { agent_id, description, answer, .. } = report;
        let called =
            if version.since(2, 1, 59) { format!("<tool-use-id>{call_id}</tool-use-id>\n") } else { String::new() };
        let usage = if version.since(2, 1, 200) {
            "<subagent_tokens>45215</subagent_tokens><tool_uses>13</tool_uses><duration_ms>160098</duration_ms>"
        } else {
            "total_tokens: 45215\ntool_uses: 13\nduration_ms: 160098"
        };
        let text = format!(
            "<task-notification>\n<task-id>{agent_id}</task-id>\n{called}<output-file>{output}</output-file>\n\
             <status>completed</status>\n<summary>Agent \"{description}\" completed</summary>\n\
             <result>{answer}</result>\n<usage>{usage}</usage>\n</task-notification>"
        );
        self.queue("enqueue", Some(&text))?;
        self.queue("dequeue", None)?;
        let mut line = entry::user(text);
        if version.since(2, 1, 97) {
            line = line.with_after("origin", object! { "kind" => "task-notification" });
        }
        if version.since(2, 1, 219) {
            line = line.with_after("promptSource", "system");
        }
        self.put(line).map(drop)
    }

    /// A server in the background: started, watched, stopped.
    pub(super) fn background_shell(&mut self) -> io::Result<()> {
        self.prompt()?;
        let (start, id) = tools::background_bash(self.place);
        self.calls(vec![start])?;
        self.step()?;
        if !self.version().since(2, 1, 200) {
            let time = self.session.time();
            let look = tools::output_of_background(self.place, &id, &time);
            self.calls(vec![look])?;
        }
        let stop = tools::stop_background(self.place, &id);
        self.calls(vec![stop])?;
        self.reply()?;
        self.end_turn()
    }
}
