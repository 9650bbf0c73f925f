//! A stand-in for `claude` that plays a script: its output and timing, and how it ends.
//!
//! `FAKE_CLAUDE_SCRIPT` names the script. For each run, a line of JSON with the arguments and the working directory is
//! appended to `FAKE_CLAUDE_LOG`, followed by its input. The script has one action per line:
//!
//! | line | action |
//! |---|---|
//! | `out TEXT` | a line on standard output; `$SESSION` in it is the id of the session |
//! | `half TEXT` | the same without a line feed |
//! | `raw HEX` | bytes on standard output |
//! | `err TEXT` | a line on standard error |
//! | `init` | a `system/init` |
//! | `say TEXT` | an `assistant` message |
//! | `partial TEXT` | the same in pieces, word by word, and then complete |
//! | `huge BYTES` | the same with this many bytes |
//! | `result SUBTYPE COST` | a `result`, with the total cost so far |
//! | `stream SEED BYTES` | a whole run, as the test kit generates them |
//! | `file PATH` | the bytes of a file |
//! | `wait MILLISECONDS` | a pause |
//! | `hear` | waits for a line on standard input, and logs it |
//! | `stay` | runs until standard input ends |
//! | `exit CODE` | exits; at the end of the script with 0 |
//! | `crash` | ends by a signal |

#![allow(clippy::print_stderr, reason = "the program it imitates does")]

use std::env;
use std::fs::{self, OpenOptions};
use std::io::{self, BufRead as _, Write as _};
use std::process::ExitCode;
use std::thread;
use std::time::Duration;

use serde_json::json;
use testkit::stream::{self, StreamOptions};

fn main() -> io::Result<ExitCode> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let log = env::var_os("FAKE_CLAUDE_LOG");
    let note = |what: serde_json::Value| -> io::Result<()> {
        let Some(log) = &log else { return Ok(()) };
        let mut file = OpenOptions::new().create(true).append(true).open(log)?;
        file.write_all(format!("{what}\n").as_bytes())
    };
    // The entry ids of a resumed session differ from those before.
    let log_before = log.as_ref().and_then(|log| fs::read_to_string(log).ok()).unwrap_or_default();
    let runs = log_before.lines().filter(|line| line.starts_with("{\"args\"")).count();
    let run = if arguments.iter().any(|word| word == "--resume") { runs } else { 0 };
    note(json!({"args": arguments, "cwd": env::current_dir()?}))?;
    let script = env::var_os("FAKE_CLAUDE_SCRIPT").ok_or_else(|| wrong("FAKE_CLAUDE_SCRIPT is not set"))?;
    let value_of = |flag: &str| arguments.iter().skip_while(|word| *word != flag).nth(1).cloned();
    let session = value_of("--resume").or_else(|| value_of("--session-id"));
    let session = session.unwrap_or_else(|| "5e551000-0000-4000-8000-000000000001".to_owned());
    let mut player = Player { session, run, message: 0 };
    for line in fs::read_to_string(script)?.lines() {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        let number = || rest.trim().parse::<u64>().map_err(|_| wrong(&format!("not a number: {line}")));
        match word {
            "" | "#" => {}
            "out" => player.write(format!("{rest}\n").as_bytes())?,
            "half" => player.write(rest.as_bytes())?,
            "raw" => player.write(&bytes(rest).ok_or_else(|| wrong(line))?)?,
            "err" => io::stderr().write_all(format!("{rest}\n").as_bytes())?,
            "init" => player.init()?,
            "say" => player.say(rest)?,
            "partial" => player.partial(rest)?,
            "huge" => player.say(&"x".repeat(usize::try_from(number()?).unwrap_or_default()))?,
            "result" => player.result(rest)?,
            "stream" => play_stream(rest).ok_or_else(|| wrong(line))??,
            "file" => player.write(&fs::read(rest)?)?,
            "wait" => thread::sleep(Duration::from_millis(number()?)),
            "hear" => {
                let mut heard = String::new();
                io::stdin().lock().read_line(&mut heard)?;
                note(json!({"heard": heard}))?;
            }
            "stay" => drop(io::copy(&mut io::stdin().lock(), &mut io::sink())?),
            "exit" => return Ok(ExitCode::from(u8::try_from(number()?).unwrap_or(u8::MAX))),
            "crash" => std::process::abort(),
            _ => return Err(wrong(&format!("not a word of scripts: {line}"))),
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn wrong(why: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, why.to_owned())
}

/// The bytes of pairs of hexadecimal digits.
fn bytes(text: &str) -> Option<Vec<u8>> {
    let digits: String = text.split_whitespace().collect();
    let pairs = (0..digits.len()).step_by(2);
    pairs.map(|at| u8::from_str_radix(digits.get(at..at + 2)?, 16).ok()).collect()
}

struct Player {
    session: String,
    /// The number of earlier runs, if it resumes one.
    run: usize,
    message: u32,
}

impl Player {
    fn write(&self, bytes: &[u8]) -> io::Result<()> {
        let mut out = io::stdout().lock();
        match std::str::from_utf8(bytes) {
            Ok(text) if text.contains("$SESSION") => {
                out.write_all(text.replace("$SESSION", &self.session).as_bytes())?;
            }
            _ => out.write_all(bytes)?,
        }
        out.flush()
    }

    fn print(&self, message: &serde_json::Value) -> io::Result<()> {
        self.write(format!("{message}\n").as_bytes())
    }

    fn uuid(&self, kind: u32) -> String {
        format!("{kind:08x}-{:04x}-4000-8000-{:012x}", self.run, self.message)
    }

    fn id(&self, message: u32) -> String {
        format!("msg_{:02}{message:04}", self.run)
    }

    fn init(&mut self) -> io::Result<()> {
        self.message += 1;
        self.print(&json!({
            "type": "system", "subtype": "init", "cwd": env::current_dir()?, "session_id": self.session,
            "tools": ["Bash", "Edit", "Read"], "mcp_servers": [], "model": "claude-opus-5",
            "permissionMode": "default", "claude_code_version": "2.1.325", "uuid": self.uuid(1),
        }))
    }

    fn say(&mut self, text: &str) -> io::Result<()> {
        self.message += 1;
        self.print(&json!({
            "type": "assistant", "session_id": self.session, "uuid": self.uuid(2), "parent_tool_use_id": null,
            "message": {
                "id": self.id(self.message), "type": "message", "role": "assistant",
                "model": "claude-opus-5", "content": [{"type": "text", "text": text}],
                "stop_reason": null, "usage": {"input_tokens": 10, "output_tokens": 5},
            },
        }))
    }

    fn partial(&mut self, text: &str) -> io::Result<()> {
        let id = self.id(self.message + 1);
        let session = self.session.clone();
        let mut events = vec![
            json!({"type": "message_start", "message": {"id": id, "role": "assistant", "content": [],
                "model": "claude-opus-5", "usage": {"input_tokens": 10, "output_tokens": 1}}}),
            json!({"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}}),
        ];
        for word in text.split_inclusive(' ') {
            let delta = json!({"type": "text_delta", "text": word});
            events.push(json!({"type": "content_block_delta", "index": 0, "delta": delta}));
        }
        for event in events {
            self.print(&json!({"type": "stream_event", "event": event, "session_id": session}))?;
        }
        self.say(text)?;
        for kind in ["content_block_stop", "message_stop"] {
            let event = json!({"type": kind, "index": 0});
            self.print(&json!({"type": "stream_event", "event": event, "session_id": session}))?;
        }
        Ok(())
    }

    fn result(&mut self, rest: &str) -> io::Result<()> {
        let (subtype, cost) = rest.split_once(' ').unwrap_or((rest, "0"));
        let cost: f64 = cost.trim().parse().map_err(|_| wrong(&format!("not a number: {rest}")))?;
        self.message += 1;
        let mut message = json!({
            "type": "result", "subtype": subtype, "is_error": subtype != "success", "duration_ms": 1500,
            "duration_api_ms": 900, "num_turns": 1, "session_id": self.session, "total_cost_usd": cost,
            "usage": {"input_tokens": 10, "output_tokens": 5}, "permission_denials": [], "uuid": self.uuid(3),
        });
        if let Some(message) = message.as_object_mut() {
            if subtype == "success" {
                message.insert("result".to_owned(), json!("Done."));
            } else {
                message.insert("errors".to_owned(), json!([format!("stopped: {subtype}")]));
            }
        }
        self.print(&message)
    }
}

fn play_stream(rest: &str) -> Option<io::Result<()>> {
    let (seed, size) = rest.split_once(' ')?;
    let options = StreamOptions { seed: seed.parse().ok()?, bytes: size.parse().ok()?, ..StreamOptions::default() };
    Some(stream::write_stream(&mut io::stdout().lock(), &options).map(drop))
}
