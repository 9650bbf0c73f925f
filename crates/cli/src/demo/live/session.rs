//! A session that is being played: writes its entries line by line, in the current format.

use std::collections::HashMap;
use std::fs::{self, OpenOptions};
use std::io::Write as _;
use std::path::{Path, PathBuf};

use crate::failure::{CommandError, Context as _};
use app::Clock;
use jiff::Timestamp;
use serde::Serialize;
use serde_json::{Map, Value, json};

use super::names::Names;
use super::outcome::{self, Made, Report};
use super::process::Process;
use super::script::{Beat, Call, Deed, Hired, Outcome, Script};

/// The Claude Code version of the entries.
pub(super) const VERSION: &str = "2.1.325";

const MODEL: &str = "claude-opus-5";
const SMALL_MODEL: &str = "claude-haiku-4-5-20251001";

/// A session, until it is dropped.
#[derive(Debug)]
pub(super) struct Session<'s> {
    script: &'s Script,
    id: String,
    folder: PathBuf,
    process: Process,
    lanes: Lanes<'s>,
    /// Calls by their names in the script.
    calls: HashMap<&'s str, Made>,
    mode: &'s str,
    prompt: String,
    /// When the turn began.
    turn: i64,
    last: i64,
    clock: Clock,
}

#[derive(Debug)]
struct Lanes<'s> {
    main: Lane,
    /// Subagents by their names in the script.
    agents: HashMap<&'s str, Lane>,
}

/// A conversation with the user, or that of a subagent.
#[derive(Debug)]
struct Lane {
    file: PathBuf,
    agent: Option<String>,
    model: &'static str,
    parent: Option<String>,
    /// The current message, with its request and usage.
    message: Option<(String, String, Value)>,
    /// Tokens of the context.
    context: u64,
    calls: usize,
    words: String,
}

/// The common fields of all entries.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Entry<'e> {
    parent_uuid: Option<&'e str>,
    is_sidechain: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    agent_id: Option<&'e str>,
    #[serde(flatten)]
    body: Map<String, Value>,
    uuid: &'e str,
    timestamp: String,
    user_type: &'static str,
    entrypoint: &'static str,
    cwd: &'e str,
    session_id: &'e str,
    version: &'static str,
    git_branch: &'e str,
}

impl Lanes<'_> {
    fn of(&mut self, by: Option<&str>) -> Result<&mut Lane, CommandError> {
        match by {
            None => Ok(&mut self.main),
            Some(by) => self.agents.get_mut(by).with_context(|| format!("the demo knows no agent {by}")),
        }
    }
}

impl Lane {
    fn new(file: PathBuf, agent: Option<String>, model: &'static str) -> Self {
        let (parent, message, words) = (None, None, String::new());
        Self { file, agent, model, parent, message, context: 11_588, calls: 0, words }
    }

    /// Returns the current message, or a new one.
    fn message(&mut self, names: &mut Names) -> (String, String, Value) {
        if let Some(message) = &self.message {
            return message.clone();
        }
        let (written, said) = (800 + names.below(2_400), 120 + names.below(500));
        let usage = json!({
            "input_tokens": 3, "cache_creation_input_tokens": written, "cache_read_input_tokens": self.context,
            "output_tokens": said, "server_tool_use": {"web_search_requests": 0, "web_fetch_requests": 0},
            "service_tier": "standard",
            "cache_creation": {"ephemeral_1h_input_tokens": written, "ephemeral_5m_input_tokens": 0},
            "inference_geo": "not_available", "speed": "standard",
        });
        self.context += written + said;
        self.message.insert((names.of_api("msg_01"), names.of_api("req_011C"), usage)).clone()
    }
}

impl<'s> Session<'s> {
    pub(super) fn begin(
        root: &Path,
        script: &'s Script,
        clock: Clock,
        names: &mut Names,
    ) -> Result<Self, CommandError> {
        let (id, now) = (names.uuid(), clock.now().as_millisecond());
        let folder = root.join("projects").join(script.project.replace('/', "-"));
        let process = Process::start(root, &id, &script.project, &script.name, now)?;
        let main = Lane::new(folder.join(format!("{id}.jsonl")), None, MODEL);
        let lanes = Lanes { main, agents: HashMap::new() };
        let (calls, prompt) = (HashMap::new(), String::new());
        Ok(Self { script, id, folder, process, lanes, calls, mode: "default", prompt, turn: now, last: now, clock })
    }

    /// Returns a time later than all times before.
    fn now(&mut self) -> i64 {
        self.last = self.clock.now().as_millisecond().max(self.last + 1);
        self.last
    }

    /// Plays an event.
    pub(super) fn play(&mut self, beat: &'s Beat, names: &mut Names) -> Result<(), CommandError> {
        let by = beat.by.as_deref();
        match &beat.deed {
            Deed::Status(status) => {
                let now = self.now();
                self.process.say(&status.is, status.waits_for.as_deref(), now)
            }
            Deed::Mode(mode) => {
                self.mode = mode;
                self.note(&json!({"type": "permission-mode", "permissionMode": mode, "sessionId": self.id}))
            }
            Deed::Title(title) => self.note(&json!({"type": "ai-title", "aiTitle": title, "sessionId": self.id})),
            Deed::Prompt(text) => self.prompt(by, text, names),
            Deed::Think(text) => {
                let block = json!({"type": "thinking", "thinking": text, "signature": names.of_api("sig")});
                self.say(by, &block, false, names).map(drop)
            }
            Deed::Say(text) => self.say(by, &json!({"type": "text", "text": text}), false, names).map(drop),
            Deed::Done(text) => self.end_turn(by, text, names),
            Deed::Call(call) => self.call(by, call, names),
            Deed::Result(outcome) => self.result(by, outcome, names),
            Deed::Agent(hired) => self.hire(hired, names),
            Deed::ApiError(attempt) => self.api_error(*attempt, names),
            Deed::Notification(notification) => self.notify(&notification.of, names),
            Deed::Leave => Ok(()),
        }
    }

    fn made(&self, name: &str) -> Result<&Made, CommandError> {
        self.calls.get(name).with_context(|| format!("the demo knows no call {name}"))
    }

    /// Writes an entry after the previous or the named one. Returns its id.
    fn add(
        &mut self,
        by: Option<&str>,
        after: Option<&str>,
        body: Value,
        names: &mut Names,
    ) -> Result<String, CommandError> {
        let (uuid, now) = (names.uuid(), self.now());
        let Value::Object(body) = body else {
            return Err(CommandError::io("an entry of the demo is no object"));
        };
        let lane = self.lanes.of(by)?;
        let entry = serde_json::to_string(&Entry {
            parent_uuid: after.or(lane.parent.as_deref()),
            is_sidechain: lane.agent.is_some(),
            agent_id: lane.agent.as_deref(),
            body,
            uuid: &uuid,
            timestamp: moment(now),
            user_type: "external",
            entrypoint: "cli",
            cwd: &self.script.project,
            session_id: &self.id,
            version: VERSION,
            git_branch: &self.script.branch,
        })?;
        append(&lane.file, &entry)?;
        lane.parent = Some(uuid.clone());
        Ok(uuid)
    }

    /// Writes a line that is not part of the conversation.
    fn note(&self, line: &Value) -> Result<(), CommandError> {
        append(&self.lanes.main.file, &line.to_string())
    }

    fn prompt(&mut self, by: Option<&str>, text: &str, names: &mut Names) -> Result<(), CommandError> {
        let message = json!({"role": "user", "content": text});
        let mut body = json!({"type": "user", "promptId": self.prompt, "message": message});
        if by.is_none() {
            self.prompt = names.uuid();
            body = json!({
                "type": "user", "promptId": self.prompt, "message": message, "permissionMode": self.mode,
                "origin": {"kind": "human"}, "promptSource": "typed",
            });
        }
        self.lanes.of(by)?.message = None;
        self.add(by, None, body, names)?;
        if by.is_none() {
            self.turn = self.last;
        }
        Ok(())
    }

    fn say(
        &mut self,
        by: Option<&str>,
        block: &Value,
        is_last: bool,
        names: &mut Names,
    ) -> Result<String, CommandError> {
        let lane = self.lanes.of(by)?;
        let (message, request, usage) = lane.message(names);
        let body = json!({
            "type": "assistant", "requestId": request,
            "message": {
                "model": lane.model, "id": message, "type": "message", "role": "assistant", "content": [block],
                "stop_reason": if is_last { "end_turn" } else { "tool_use" }, "stop_sequence": null,
                "stop_details": null, "usage": usage, "diagnostics": null,
            },
        });
        self.add(by, None, body, names)
    }

    fn end_turn(&mut self, by: Option<&str>, text: &str, names: &mut Names) -> Result<(), CommandError> {
        self.say(by, &json!({"type": "text", "text": text}), true, names)?;
        let lane = self.lanes.of(by)?;
        lane.message = None;
        text.clone_into(&mut lane.words);
        if by.is_none() {
            let took = self.last - self.turn;
            let body = json!({
                "type": "system", "subtype": "turn_duration", "durationMs": took, "messageCount": 2 + self.lanes.main.calls * 2,
                "isMeta": false,
            });
            self.add(None, None, body, names)?;
        }
        Ok(())
    }

    fn call(&mut self, by: Option<&str>, call: &'s Call, names: &mut Names) -> Result<(), CommandError> {
        let id = names.of_api("toolu_01");
        let block = json!({
            "type": "tool_use", "id": id, "name": call.tool, "input": call.input, "caller": {"type": "direct"},
        });
        let entry = self.say(by, &block, false, names)?;
        self.lanes.of(by)?.calls += 1;
        let is_in_background = call.input.get("run_in_background").and_then(Value::as_bool).unwrap_or_default();
        let task = is_in_background.then(|| names.task());
        let (tool, input, at) = (call.tool.clone(), call.input.clone(), self.last);
        self.calls.insert(&call.name, Made { id, tool, input, entry, at, task });
        Ok(())
    }

    fn result(&mut self, by: Option<&str>, outcome: &Outcome, names: &mut Names) -> Result<(), CommandError> {
        let call = self.made(&outcome.of)?;
        let agent = outcome.agent.as_deref().and_then(|name| self.lanes.agents.get(name));
        let report = agent.map(|lane| Report {
            id: lane.agent.as_deref().unwrap_or_default(),
            model: lane.model,
            words: &lane.words,
            calls: lane.calls,
            tokens: lane.context,
            took: self.last - call.at,
        });
        let forms = outcome::forms(call, outcome, report.as_ref());
        let mut block = json!({"tool_use_id": call.id, "type": "tool_result", "content": forms.content});
        if let (Some(is_error), Some(block)) = (forms.is_error, block.as_object_mut()) {
            block.insert("is_error".to_owned(), is_error.into());
        }
        let entry = call.entry.clone();
        let body = json!({
            "type": "user", "promptId": self.prompt, "message": {"role": "user", "content": [block]},
            "toolUseResult": forms.kept, "sourceToolAssistantUUID": entry,
        });
        self.lanes.of(by)?.message = None;
        self.add(by, Some(&entry), body, names).map(drop)
    }

    /// Creates the file of a subagent, and its metadata file.
    fn hire(&mut self, hired: &'s Hired, names: &mut Names) -> Result<(), CommandError> {
        let id = names.agent();
        let folder = self.folder.join(&self.id).join("subagents");
        let call = self.made(&hired.of)?;
        let about = json!({
            "agentType": call.input.get("subagent_type"), "description": call.input.get("description"),
            "toolUseId": call.id, "spawnDepth": 1, "requestShape": "foreground",
        });
        let note = folder.join(format!("agent-{id}.meta.json"));
        fs::create_dir_all(&folder)
            .and_then(|()| fs::write(&note, about.to_string()))
            .with_context(|| format!("cannot write: {}", note.display()))?;
        let lane = Lane::new(folder.join(format!("agent-{id}.jsonl")), Some(id), SMALL_MODEL);
        self.lanes.agents.insert(&hired.name, lane);
        Ok(())
    }

    fn api_error(&mut self, attempt: u32, names: &mut Names) -> Result<(), CommandError> {
        let request = names.of_api("req_011C");
        let body = json!({
            "type": "system", "subtype": "api_error", "level": "error",
            "error": {
                "status": 529, "headers": {"request-id": request, "x-should-retry": "true"}, "requestID": request,
                "error": {"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}},
            },
            "retryInMs": 550.0 * f64::from(1 << attempt.min(6)), "retryAttempt": attempt, "maxRetries": 10,
            "source": "request_retry",
        });
        self.add(None, None, body, names).map(drop)
    }

    /// Adds the notification for the model that a background command has finished.
    fn notify(&mut self, of: &str, names: &mut Names) -> Result<(), CommandError> {
        let call = self.made(of)?;
        let task = call.task.as_deref().unwrap_or_default();
        let what = call.input.get("description").and_then(Value::as_str).unwrap_or_default();
        let text = format!(
            "<task-notification>\n<task-id>{task}</task-id>\n<tool-use-id>{}</tool-use-id>\n<output-file>{}\
             </output-file>\n<status>completed</status>\n<summary>Background command \"{what}\" completed (exit code \
             0)</summary>\n</task-notification>",
            call.id,
            Made::output_file(task)
        );
        let now = moment(self.now());
        self.note(&json!({
            "type": "queue-operation", "operation": "enqueue", "timestamp": now, "sessionId": self.id, "content": text,
        }))?;
        self.note(&json!({"type": "queue-operation", "operation": "dequeue", "timestamp": now, "sessionId": self.id}))?;
        self.prompt = names.uuid();
        let body = json!({
            "type": "user", "promptId": self.prompt, "message": {"role": "user", "content": text},
            "origin": {"kind": "task-notification"}, "promptSource": "system",
        });
        self.add(None, None, body, names)?;
        self.turn = self.last;
        Ok(())
    }
}

fn moment(at: i64) -> String {
    Timestamp::from_millisecond(at).map(|at| format!("{at:.3}")).unwrap_or_default()
}

fn append(file: &Path, line: &str) -> Result<(), CommandError> {
    let write = || {
        if let Some(folder) = file.parent() {
            fs::create_dir_all(folder)?;
        }
        OpenOptions::new().append(true).create(true).open(file)?.write_all(format!("{line}\n").as_bytes())
    };
    write().with_context(|| format!("cannot write: {}", file.display()))
}
