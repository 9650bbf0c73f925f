//! Messages to and from the browser: JSON, each terminated by a zero byte.

use std::collections::HashMap;
use std::fs::File;
use std::io::{BufRead as _, BufReader, Write as _};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::Duration;

use anyhow::{Context as _, Result, bail};
use serde_json::{Value, json};

use crate::seen::Seen;

/// Timeout for an answer.
const PATIENCE: Duration = Duration::from_secs(60);

#[derive(Debug)]
pub(crate) struct Pipe {
    input: File,
    messages: Receiver<Value>,
    calls: u64,
    /// The events of each page, by its session.
    seen: HashMap<String, Seen>,
}

impl Pipe {
    pub(crate) fn new(input: File, output: File) -> Self {
        let (sender, messages) = channel();
        // Ends with the browser, which closes the other end.
        thread::spawn(move || {
            let mut output = BufReader::new(output);
            let mut message = Vec::new();
            while output.read_until(0, &mut message).is_ok_and(|length| length > 0) {
                message.pop();
                let Ok(value) = serde_json::from_slice(&message) else { break };
                if sender.send(value).is_err() {
                    break;
                }
                message.clear();
            }
        });
        Self { input, messages, calls: 0, seen: HashMap::new() }
    }

    /// Sends a command and waits for the answer.
    pub(crate) fn call(&mut self, session: Option<&str>, method: &str, parameters: &Value) -> Result<Value> {
        self.calls += 1;
        let id = self.calls;
        let mut message = json!({"id": id, "method": method, "params": parameters});
        if let (Some(session), Some(message)) = (session, message.as_object_mut()) {
            message.insert("sessionId".to_owned(), session.into());
        }
        let mut bytes = serde_json::to_vec(&message)?;
        bytes.push(0);
        self.input.write_all(&bytes).context("the browser has ended")?;
        loop {
            let mut answer = self.messages.recv_timeout(PATIENCE).with_context(|| format!("no answer to {method}"))?;
            if answer.get("id").and_then(Value::as_u64) != Some(id) {
                self.note(&answer);
                continue;
            }
            if let Some(error) = answer.get("error") {
                bail!("{method}: {error}");
            }
            return Ok(answer.get_mut("result").map(Value::take).unwrap_or_default());
        }
    }

    /// The events of a page so far.
    pub(crate) fn seen(&mut self, session: &str) -> &Seen {
        while let Ok(message) = self.messages.try_recv() {
            self.note(&message);
        }
        self.seen.entry(session.to_owned()).or_default()
    }

    fn note(&mut self, message: &Value) {
        if let (Some(session), Some(method)) = (message["sessionId"].as_str(), message["method"].as_str()) {
            self.seen.entry(session.to_owned()).or_default().note(method, &message["params"]);
        }
    }
}
