//! Subagents of all eras, and subagent files whose sessions are gone.

use std::io;

use super::{Gallery, NEWEST, Truth, bash, end_turn, failing_bash, write_file};
use crate::entry::{self, ToolUse};
use crate::era::Version;
use crate::json::Json;
use crate::session::Session;
use crate::{array, object};

const INLINE: Version = Version::new(1, 0, 43);
const TOP_LEVEL: Version = Version::new(2, 0, 55);
const PROGRESS: Version = Version::new(2, 1, 29);

const TASK: &str = "Find all callers of upload().";

impl Gallery<'_> {
    pub(super) fn agents(&mut self) -> io::Result<()> {
        self.agent_in_companion()?;
        self.background_agent()?;
        self.inline_agent()?;
        self.agent_at_top_level()?;
        self.agent_in_progress_only()?;
        self.agent_in_file_and_progress()?;
        self.lone_agents()
    }

    fn agent_in_companion(&mut self) -> io::Result<()> {
        let mut session = self.session();
        session.prompt("who calls upload?");
        let call = delegate(&mut session, "Agent");
        let mut agent = session.subagent(Some("a3f19c27be5540d18"));
        look_around(&mut agent);
        self.write_companion(&session, &agent, "a3f19c27be5540d18", &call)?;
        report(&mut session, &call, "a3f19c27be5540d18");
        end_turn(&mut session, "Two callers.");
        self.show("agent in a folder of its session", &session, Truth::of(4, 1, 1))
    }

    fn background_agent(&mut self) -> io::Result<()> {
        let mut session = self.session();
        session.prompt("look for callers while we go on");
        let call = delegate(&mut session, "Agent");
        let mut agent = session.subagent(Some("a77e1c90d4b2f6a31"));
        look_around(&mut agent);
        self.write_companion(&session, &agent, "a77e1c90d4b2f6a31", &call)?;
        let launched = object! {
            "isAsync" => true, "status" => "async_launched", "agentId" => "a77e1c90d4b2f6a31",
            "description" => "Find callers", "prompt" => TASK, "outputFile" => "/tmp/tasks/a77e1c90d4b2f6a31.output",
        };
        session.result(&call, "Async agent launched successfully.\nagentId: a77e1c90d4b2f6a31", launched);
        end_turn(&mut session, "It is looking.");
        let notification = format!(
            "<task-notification>\n<task-id>a77e1c90d4b2f6a31</task-id>\n<tool-use-id>{}</tool-use-id>\n\
             <status>completed</status>\n<summary>Agent \"Find callers\" completed</summary>\n<result>Two.</result>\n\
             </task-notification>",
            call.id
        );
        session.push(entry::user(notification).with_after("origin", object! { "kind" => "task-notification" }));
        end_turn(&mut session, "It found two.");
        self.show("agent in the background", &session, Truth::of(4, 1, 1))
    }

    fn inline_agent(&mut self) -> io::Result<()> {
        let mut session = self.session_in("shop", INLINE);
        session.prompt("who calls upload?");
        let call = delegate(&mut session, "Task");
        let mut agent = session.subagent(None);
        look_around(&mut agent);
        for line in agent.lines() {
            session.push_raw(line.clone());
        }
        session.result(
            &call,
            array![object! { "type" => "text", "text" => "Two callers." }],
            object! {
                "content" => array![object! { "type" => "text", "text" => "Two callers." }], "totalDurationMs" => 9_000,
                "totalTokens" => 12_000, "totalToolUseCount" => 2,
            },
        );
        session.reply("Two callers.");
        self.show("agent inside the transcript", &session, Truth::of(4, 1, 1))
    }

    fn agent_at_top_level(&mut self) -> io::Result<()> {
        let mut session = self.session_in("shop", TOP_LEVEL);
        session.prompt("who calls upload?");
        let call = delegate(&mut session, "Task");
        let mut agent = session.subagent(Some("5d1e0aa"));
        look_around(&mut agent);
        write_file(&self.project(session.cwd()).join("agent-5d1e0aa.jsonl"), &agent.jsonl())?;
        report(&mut session, &call, "5d1e0aa");
        session.reply("Two callers.");
        self.show("agent beside its session", &session, Truth::of(4, 1, 1))
    }

    /// The copies of its messages are the only record of the agent.
    fn agent_in_progress_only(&mut self) -> io::Result<()> {
        let mut session = self.session_in("shop", PROGRESS);
        session.prompt("who calls upload?");
        let call = delegate(&mut session, "Task");
        let mut agent = session.subagent(Some("a2d8838"));
        look_around(&mut agent);
        copy_into(&mut session, &agent, &call, "a2d8838");
        report(&mut session, &call, "a2d8838");
        session.reply("Two callers.");
        self.show("agent in progress notes only", &session, Truth::of(4, 1, 1))
    }

    fn agent_in_file_and_progress(&mut self) -> io::Result<()> {
        let mut session = self.session_in("shop", PROGRESS);
        session.prompt("who calls upload?");
        let call = delegate(&mut session, "Task");
        let mut agent = session.subagent(Some("a91b7c2"));
        look_around(&mut agent);
        self.write_companion(&session, &agent, "a91b7c2", &call)?;
        copy_into(&mut session, &agent, &call, "a91b7c2");
        report(&mut session, &call, "a91b7c2");
        session.reply("Two callers.");
        self.show("agent in a file and progress notes", &session, Truth::of(4, 1, 1))
    }

    /// Files of agents whose sessions were deleted.
    fn lone_agents(&mut self) -> io::Result<()> {
        let mut gone = self.session_in("shop", TOP_LEVEL);
        let paths = ["1f0c3ab", "9b2e7d4"].map(|id| (id, self.project(gone.cwd()).join(format!("agent-{id}.jsonl"))));
        for (id, path) in &paths {
            let mut agent = gone.subagent(Some(id));
            look_around(&mut agent);
            write_file(path, &agent.jsonl())?;
        }
        let [(_, path), _] = paths;
        self.note("two agents without their session", &gone, path, Truth::of(6, 2, 2));

        let mut gone = self.session();
        let mut agent = gone.subagent(Some("ac04e1d77b93f2a60"));
        look_around(&mut agent);
        let companion = self.project(gone.cwd()).join(gone.id());
        write_file(&companion.join("subagents/agent-ac04e1d77b93f2a60.jsonl"), &agent.jsonl())?;
        self.note("companions without their session", &gone, companion, Truth::of(3, 1, 1));
        Ok(())
    }

    fn write_companion(&self, session: &Session, agent: &Session, id: &str, call: &ToolUse) -> io::Result<()> {
        let place = self.project(session.cwd()).join(session.id()).join("subagents").join(format!("agent-{id}.jsonl"));
        write_file(&place, &agent.jsonl())?;
        let mut about = object! { "agentType" => "Explore" };
        if session.version() == NEWEST {
            about = about.with("description", "Find callers").with("toolUseId", call.id.as_str());
        }
        write_file(&place.with_extension("meta.json"), &about.to_string())
    }
}

fn delegate(session: &mut Session, tool: &str) -> ToolUse {
    session.call(tool, object! { "description" => "Find callers", "subagent_type" => "Explore", "prompt" => TASK })
}

/// The agent's work: three calls, one of which fails.
fn look_around(agent: &mut Session) {
    agent.prompt(TASK);
    bash(agent, "grep -rn 'upload(' src", "src/a.py:3: upload()\nsrc/b.py:9: upload()");
    bash(agent, "cat src/a.py", "upload()");
    failing_bash(agent, "cat src/c.py", "Exit code 1\ncat: src/c.py: No such file or directory");
    agent.reply("Two callers.");
}

/// The result of the agent's call.
fn report(session: &mut Session, call: &ToolUse, id: &str) {
    let blocks = array![object! { "type" => "text", "text" => "Two callers." }];
    let result = object! {
        "status" => "completed", "prompt" => TASK, "agentId" => id, "content" => blocks.clone(),
        "totalDurationMs" => 9_000, "totalTokens" => 12_000, "totalToolUseCount" => 3,
    };
    session.result(call, blocks, result);
}

/// Copies the messages of an agent into its parent, as versions from 2.1.12 to 2.1.81 did.
fn copy_into(session: &mut Session, agent: &Session, call: &ToolUse, id: &str) {
    for line in agent.lines() {
        let Ok(value) = serde_json::from_str::<serde_json::Value>(line) else { continue };
        let value = Json::from(value);
        let mut message = object! {};
        for key in ["type", "message", "uuid", "timestamp", "toolUseResult"] {
            if let Some(part) = value.get(key) {
                message = message.with(key, part.clone());
            }
        }
        let data = object! {
            "message" => message, "normalizedMessages" => array![], "type" => "agent_progress", "prompt" => TASK,
            "agentId" => id,
        };
        let uuid = value.get("uuid").and_then(Json::as_str).unwrap_or_default();
        session.push(entry::progress(data, &format!("agent_{uuid}"), &call.id));
    }
}
