//! A progress line for a running capture.

use std::io::{self, IsTerminal as _, Write as _};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use format::block::{Block, Content};
use format::{Body, Entry, Scratch};
use human::Currency;
use record::Stream;

use crate::failure;
use crate::terminal::{clean, columns, plural};

/// The state of a run so far.
#[derive(Debug, Default)]
pub(super) struct Progress {
    turn: u64,
    call: Option<String>,
    tokens: u64,
    /// The message whose tokens were counted last, since a message spans several lines.
    message: String,
    cost: f64,
    /// The currency for the cost.
    currency: Currency,
    /// Output lines that are part of a stream, and other lines.
    messages: u64,
    others: u64,
    scratch: Scratch,
}

impl Progress {
    pub(super) fn in_currency(currency: Currency) -> Self {
        Self { currency, ..Self::default() }
    }

    /// Counts a line. If nothing is shown, only the lines needed to detect a stream are parsed.
    pub(super) fn hear(&mut self, stream: Stream, line: &[u8], is_shown: bool) {
        if stream != Stream::Output || line.trim_ascii().is_empty() {
            return;
        }
        if self.messages > 0 && !is_shown && line.starts_with(b"{") && line.trim_ascii_end().ends_with(b"}") {
            self.messages += 1;
            return;
        }
        let mut scratch = std::mem::take(&mut self.scratch);
        scratch.reset();
        let reading = format::read(line, &scratch);
        let known = |entry: &&Entry<'_>| entry.foreign.is_none() && !matches!(entry.body, Body::Unknown(_));
        let mut is_known = false;
        for entry in reading.entries.iter().filter(known) {
            is_known = true;
            self.entry(entry);
        }
        *(if is_known { &mut self.messages } else { &mut self.others }) += 1;
        drop(reading);
        self.scratch = scratch;
    }

    fn entry(&mut self, entry: &Entry<'_>) {
        match &entry.body {
            Body::System(_) => self.turn = self.turn.max(1),
            Body::Assistant(assistant) => {
                let Some(message) = assistant.message.as_deref() else { return };
                let id = message.id.map(|id| id.as_str().to_owned()).unwrap_or_default();
                if let Some(usage) = message.usage.as_deref().filter(|_| id.is_empty() || id != self.message) {
                    let all = [
                        usage.input_tokens,
                        usage.output_tokens,
                        usage.cache_read_input_tokens,
                        usage.cache_creation_input_tokens,
                    ];
                    let sum: i64 = all.into_iter().flatten().fold(0, i64::saturating_add);
                    self.tokens = self.tokens.saturating_add(u64::try_from(sum).unwrap_or_default());
                    self.message = id;
                }
                let blocks = message.content.as_ref().map(Content::blocks).unwrap_or_default();
                for block in blocks {
                    if let Block::ToolUse(call) = block {
                        self.call = call.name.map(|name| name.as_str().to_owned());
                    }
                }
            }
            Body::User(_) => self.call = None,
            Body::Result(result) => {
                self.turn += 1;
                self.call = None;
                self.cost = result.total_cost_usd.or(result.cost_usd).unwrap_or(self.cost);
            }
            _ => {}
        }
    }

    /// Formats the progress as one line.
    fn line(&self) -> String {
        let mut parts = vec![format!("turn {}", self.turn.max(1))];
        parts.extend(self.call.as_deref().map(|call| clean(call).into_owned()));
        parts.push(human::counted_tokens(self.tokens));
        if self.cost > 0.0 {
            parts.push(self.currency.show(self.cost));
        }
        parts.join(" · ")
    }

    /// Prints the summary and warnings at the end.
    pub(super) fn conclude(&self, name: &str, is_shown: bool) {
        const HINT: &str = "run claude with --output-format stream-json --verbose; the lines are recorded unchanged";
        match (self.messages, self.others) {
            (0, 0) => {}
            (0, _) => failure::say(&format!("the output is not stream-json: {name}"), &[HINT.to_owned()]),
            (_, 0) => {}
            (_, others) => {
                let what = plural(others, "line of the output is", "lines of the output are");
                failure::say(&format!("{what} not stream-json: {name}"), &["recorded unchanged".to_owned()]);
            }
        }
        if is_shown {
            let cost = if self.cost > 0.0 { format!(", {}", self.currency.show(self.cost)) } else { String::new() };
            let messages = plural(self.messages, "message", "messages");
            let _ = writeln!(io::stderr(), "recorded {messages}{cost}: {}", clean(name));
        }
    }
}

/// A terminal line that is redrawn.
#[derive(Debug)]
pub(super) struct Screen {
    is_terminal: bool,
    /// The current content of the line.
    drawn: Option<String>,
}

impl Screen {
    /// Uses standard error if it is a terminal and the output does not go to the same one.
    pub(super) fn of_stderr() -> Self {
        let is_terminal = io::stderr().is_terminal() && !io::stdout().is_terminal();
        Self { is_terminal, drawn: None }
    }

    pub(super) fn is_shown(&self) -> bool {
        self.is_terminal
    }

    /// Draws the progress, if it changed.
    fn show(&mut self, progress: &Progress) {
        let line: String = progress.line().chars().take(columns().saturating_sub(1)).collect();
        if self.drawn.as_ref() != Some(&line) {
            let _ = io::stderr().write_all(format!("\r\x1b[2K{line}").as_bytes());
            self.drawn = Some(line);
        }
    }

    /// Clears the line.
    pub(super) fn clear(&mut self) {
        if self.drawn.take().is_some() {
            let _ = io::stderr().write_all(b"\r\x1b[2K");
        }
    }
}

/// Redraws the progress periodically until it is dropped.
#[derive(Debug)]
pub(super) struct Ticker(Option<(Sender<()>, JoinHandle<()>)>);

impl Ticker {
    pub(super) fn start(progress: &Arc<Mutex<Progress>>, screen: &Arc<Mutex<Screen>>) -> Self {
        const EVERY: Duration = Duration::from_millis(100);
        if !screen.lock().is_ok_and(|screen| screen.is_shown()) {
            return Self(None);
        }
        let (progress, screen) = (Arc::clone(progress), Arc::clone(screen));
        let (stop, stopped) = channel();
        let tick = move || {
            while stopped.recv_timeout(EVERY) == Err(RecvTimeoutError::Timeout) {
                let (Ok(progress), Ok(mut screen)) = (progress.lock(), screen.lock()) else { return };
                if progress.messages > 0 {
                    screen.show(&progress);
                }
            }
        };
        // If the thread cannot start, there is no progress line.
        let thread = thread::Builder::new().name("progress".to_owned()).spawn(tick);
        Self(thread.ok().map(|thread| (stop, thread)))
    }
}

impl Drop for Ticker {
    fn drop(&mut self) {
        if let Some((stop, thread)) = self.0.take() {
            drop(stop);
            let _ = thread.join();
        }
    }
}
