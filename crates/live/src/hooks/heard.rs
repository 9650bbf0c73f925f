//! The combined state from a session's events.
//!
//! Hooks run in parallel with the session and with each other, so closely spaced events may arrive out of order. And
//! some things have no event: that the user allowed a call, rejected it, or interrupted a turn. [`crate::state`]
//! compares the events with other evidence by time.

use std::collections::{HashMap, HashSet};

use story::OpenCall;
use story::step::Millis;

use super::event::{Event, HookEventKind, INTERRUPT};

/// The events of all sessions.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Sessions(HashMap<String, Heard>);

impl Sessions {
    /// Adds an event.
    pub fn take(&mut self, event: Event) {
        match self.0.get_mut(&event.session) {
            Some(heard) => heard.take(event),
            None => self.0.entry(event.session.clone()).or_default().take(event),
        }
    }

    /// The state of a session.
    pub fn of(&self, session: &str) -> Option<&Heard> {
        self.0.get(session)
    }

    /// The time of the last event of any session.
    pub fn last(&self) -> Option<Millis> {
        self.0.values().map(|heard| heard.last).max()
    }
}

impl Extend<Event> for Sessions {
    fn extend<I: IntoIterator<Item = Event>>(&mut self, events: I) {
        events.into_iter().for_each(|event| self.take(event));
    }
}

/// The state of a session according to its events.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Heard {
    /// The time of the last event of the conversation or its subagents.
    pub last: Millis,
    /// The phase of the conversation, apart from calls that wait for the user.
    pub phase: Phase,
    /// The time of that event.
    pub at: Millis,
    /// Calls that have not ended, in the order they were reported.
    calls: Vec<Call>,
    /// Recently ended calls.
    ended: Vec<Call>,
}

/// The phase of a conversation.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Phase {
    /// No event yet.
    #[default]
    Unknown,
    /// The model or a tool is working.
    Working,
    /// The conversation is being compacted, manually or automatically.
    Compacting {
        /// Whether it is the user's turn afterwards.
        is_wanted: bool,
    },
    /// A permission is needed, in the program's words: versions without permission requests report nothing else.
    Asking(String),
    /// An MCP server has a question.
    Eliciting(String),
    /// The model finished.
    YourTurn {
        /// Its last words.
        words: Option<String>,
        /// Background tasks, if stated.
        background: Option<Vec<String>>,
    },
    /// The turn ended with an error.
    Failed {
        /// Whether a limit of the plan or the budget is reached.
        is_limit: bool,
        /// The message.
        text: String,
    },
    /// The session ended.
    Ended,
}

/// A call reported by an event.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Call {
    /// The subagent that made it.
    pub agent: Option<String>,
    /// The call itself.
    pub open: OpenCall,
    /// When the user was asked for permission.
    pub asked: Option<Millis>,
    /// When it was last reported.
    at: Millis,
}

/// Events within this time, in milliseconds, may arrive out of order; and calls that begin within it may be parallel.
const TOGETHER: Millis = 1_500;

/// How many ended calls are remembered, to recognise a permission request that arrives late.
const REMEMBERED: usize = 8;

impl Call {
    fn of(event: Event) -> Self {
        let open = OpenCall {
            id: event.call,
            tool: event.tool.unwrap_or_default(),
            subject: event.subject.unwrap_or_default(),
            options: event.options,
            since: Some(event.at),
            place: None,
        };
        Self { agent: event.agent, open, asked: None, at: event.at }
    }

    /// Whether both are the same call. Permission requests carry no call id.
    fn is(&self, other: &Self) -> bool {
        self.agent == other.agent && self.open.is(&other.open)
    }

    /// Since when it waits for the user, if it does.
    pub fn waits_since(&self) -> Option<Millis> {
        // Calls of these tools wait for an answer even in versions that do not ask for permission first.
        self.asked.or_else(|| self.open.since.filter(|_| self.open.asks().is_some()))
    }
}

impl Heard {
    /// Adds an event.
    pub fn take(&mut self, event: Event) {
        let at = event.at;
        self.last = self.last.max(at);
        match event.kind {
            HookEventKind::PreToolUse => {
                let is_main = event.agent.is_none();
                self.begin(Call::of(event));
                self.goes_on(is_main, at);
            }
            HookEventKind::PermissionRequest => {
                let is_main = event.agent.is_none();
                self.ask(Call::of(event));
                self.goes_on(is_main, at);
            }
            HookEventKind::PostToolUse | HookEventKind::PostToolUseFailure | HookEventKind::PermissionDenied => {
                let is_main = event.agent.is_none();
                let is_stopped = event.reason.as_deref() == Some(INTERRUPT);
                self.end(Call::of(event));
                if is_main && is_stopped {
                    // No other event reports that the user interrupted the turn.
                    self.turn_ends(Phase::YourTurn { words: None, background: None }, at);
                } else {
                    self.goes_on(is_main, at);
                }
            }
            HookEventKind::Notification => self.notify(event.reason.as_deref().unwrap_or_default(), event.text, at),
            HookEventKind::UserPromptSubmit => self.turn_ends(Phase::Working, at),
            HookEventKind::Stop if event.agent.is_none() => {
                self.turn_ends(Phase::YourTurn { words: event.text, background: event.background }, at);
            }
            HookEventKind::StopFailure if event.agent.is_none() => {
                let error = event.reason.unwrap_or_default();
                let is_limit = matches!(error.as_str(), "rate_limit" | "billing_error");
                self.turn_ends(Phase::Failed { is_limit, text: event.text.unwrap_or(error) }, at);
            }
            HookEventKind::Stop | HookEventKind::StopFailure | HookEventKind::SubagentStop => {
                self.calls.retain(|call| call.agent != event.agent);
            }
            HookEventKind::SessionStart => {
                self.calls.clear();
                match (event.reason.as_deref(), &self.phase) {
                    (Some("compact"), Phase::Compacting { is_wanted: false } | Phase::Working) => {
                        self.set(Phase::Working, at);
                    }
                    _ => self.set(Phase::YourTurn { words: None, background: None }, at),
                }
            }
            HookEventKind::SessionEnd => {
                self.calls.clear();
                self.set(Phase::Ended, at);
            }
            HookEventKind::PreCompact => {
                self.set(Phase::Compacting { is_wanted: event.reason.as_deref() == Some("manual") }, at);
            }
            HookEventKind::PostCompact => match self.phase {
                Phase::Compacting { is_wanted: true } => {
                    self.set(Phase::YourTurn { words: None, background: None }, at);
                }
                _ => self.set(Phase::Working, at),
            },
            HookEventKind::Elicitation => self.set(Phase::Eliciting(event.text.unwrap_or_default()), at),
            HookEventKind::ElicitationResult => self.set(Phase::Working, at),
            HookEventKind::SubagentStart | HookEventKind::Other => {}
        }
    }

    /// The call that has waited longest for the user.
    pub fn waiting(&self) -> Option<&Call> {
        self.calls.iter().filter(|call| call.waits_since().is_some()).min_by_key(|call| call.waits_since())
    }

    /// The running call: preferably one of the main conversation.
    pub fn working(&self) -> Option<&Call> {
        let latest = |is_main: bool| self.calls.iter().rev().find(|call| call.agent.is_none() == is_main);
        latest(true).or_else(|| latest(false))
    }

    /// When the latest call that has not ended began.
    pub fn latest_call(&self) -> Option<Millis> {
        self.calls.iter().filter_map(|call| call.open.since).max()
    }

    /// The number of subagents with calls that have not ended.
    pub fn agents(&self) -> usize {
        let agents: HashSet<&str> = self.calls.iter().filter_map(|call| call.agent.as_deref()).collect();
        agents.len()
    }

    /// Whether you were asked for something and have not answered.
    pub fn waits(&self) -> bool {
        self.waiting().is_some() || matches!(self.phase, Phase::Asking(_) | Phase::Eliciting(_))
    }

    fn set(&mut self, phase: Phase, at: Millis) {
        self.phase = phase;
        self.at = self.at.max(at);
    }

    /// Records activity of the main conversation, or of a subagent, which may continue after the turn has ended.
    fn goes_on(&mut self, is_main: bool, at: Millis) {
        let is_over = matches!(self.phase, Phase::YourTurn { .. } | Phase::Failed { .. } | Phase::Ended);
        if is_main || !is_over {
            self.set(Phase::Working, at);
        }
    }

    /// Records the end or start of a turn: earlier requests no longer wait.
    fn turn_ends(&mut self, phase: Phase, at: Millis) {
        self.calls.retain(|call| call.agent.is_some() && call.waits_since().is_none());
        self.set(phase, at);
    }

    fn begin(&mut self, call: Call) {
        if call.open.id.is_some() && self.ended.iter().any(|ended| ended.open.id == call.open.id) {
            return;
        }
        // A new call means that the last request was answered, unless both calls are parallel.
        self.calls.retain(|known| known.agent != call.agent || call.at.saturating_sub(known.at) <= TOGETHER);
        // A permission request may arrive before its call.
        match self.calls.iter_mut().find(|known| known.open.id.is_none() && known.is(&call)) {
            Some(asked) => asked.open.id = call.open.id,
            None => self.calls.push(call),
        }
    }

    fn ask(&mut self, mut call: Call) {
        let at = call.at;
        if self.ended.iter().any(|ended| ended.is(&call) && at.saturating_sub(ended.at) <= TOGETHER) {
            return;
        }
        call.asked = Some(at);
        match self.calls.iter_mut().find(|known| known.asked.is_none() && known.is(&call)) {
            Some(known) => {
                known.asked = Some(at);
                known.at = at;
                if known.open.options.is_empty() {
                    known.open.options = call.open.options;
                }
            }
            None => self.calls.push(call),
        }
    }

    fn end(&mut self, call: Call) {
        if let Some(at) = self.calls.iter().position(|known| known.is(&call)) {
            self.calls.remove(at);
        }
        if self.ended.len() >= REMEMBERED {
            self.ended.remove(0);
        }
        self.ended.push(call);
    }

    fn notify(&mut self, kind: &str, text: Option<String>, at: Millis) {
        let text = text.unwrap_or_default();
        match (kind, &self.phase) {
            // The call is already known.
            ("permission_prompt", _) if self.waiting().is_some() => {}
            ("permission_prompt", _) => self.set(Phase::Asking(text), at),
            ("elicitation_dialog", _) => self.set(Phase::Eliciting(text), at),
            ("elicitation_complete" | "elicitation_response", Phase::Eliciting(_)) => self.set(Phase::Working, at),
            ("idle_prompt", Phase::Working | Phase::Unknown) => {
                self.turn_ends(Phase::YourTurn { words: None, background: None }, at);
            }
            _ => {}
        }
    }
}
