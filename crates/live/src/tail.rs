//! The end of a story, as evidence for the session's state.

use std::fmt::Write as _;

use format::tool::{Ask, Tool};
use serde::Deserialize;
use serde_json::value::RawValue;
use story::step::{Call, CallState, Millis, NoticeKind, Severity, Step, StepKind};
use story::{BlockPlace, Story, Thread, ThreadId, ThreadKind, TurnState};

use crate::hooks::event::options;

/// The end of a story.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Tail {
    /// The state of its last turn.
    pub turn: Option<TurnState>,
    /// Calls of the conversation without a result so far, in order.
    pub open: Vec<Open>,
    /// Calls of the conversation that run in the background, in the last turn.
    pub background: Vec<Open>,
    /// How many subagents are working.
    pub agents: usize,
    /// The last API error or limit, if nothing followed it.
    pub trouble: Option<Trouble>,
    /// The first words of the model's last reply.
    pub words: Option<String>,
    /// Whether a run of `claude -p` reported its outcome.
    pub has_outcome: bool,
    /// The time of the last step.
    pub last: Option<Millis>,
}

/// A call without a result.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Open {
    /// Its id, if known.
    pub id: Option<String>,
    /// The tool.
    pub tool: String,
    /// Its subject: the command, the file, the question.
    pub subject: String,
    /// The options of a question, if known.
    pub options: Vec<String>,
    /// When it was called.
    pub since: Option<Millis>,
    /// Its position in the story.
    pub place: Option<BlockPlace>,
}

/// A problem with the API.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Trouble {
    /// Whether a limit of the plan or the budget is reached; otherwise a request failed.
    pub is_limit: bool,
    /// Whether it was given up.
    pub is_final: bool,
    /// The message.
    pub text: String,
    /// The number of tries.
    pub times: u32,
    /// Its position in the story.
    pub place: Option<BlockPlace>,
}

impl Tail {
    /// The end of a story.
    pub fn of(story: &Story) -> Self {
        let Some(main) = story.thread(ThreadId::MAIN) else { return Self::default() };
        let agents = story.threads().filter(|(_, thread)| is_agent_at_work(story, thread)).count();
        let mut tail = Self { turn: story.facts.state, agents, last: story.facts.last, ..Self::default() };
        let Some(turn) = main.turns.last() else { return tail };
        for (_, step) in story.steps(main, turn).filter(|(_, step)| !step.withdrawn) {
            tail.take(step);
        }
        tail
    }

    /// The same for a story that continues an earlier one: an empty story keeps the earlier end, and one that is still
    /// in the same turn keeps its last words.
    pub(crate) fn after(self, before: &Self, is_same_turn: bool) -> Self {
        if self.turn.is_none() {
            return Self { last: self.last.max(before.last), ..before.clone() };
        }
        let words = self.words.or_else(|| before.words.clone().filter(|_| is_same_turn));
        Self { words, ..self }
    }

    /// Adds details that only the lines contain: the options of a question, and when a request is retried.
    pub(crate) fn read_lines(&mut self, line_at: &mut dyn FnMut(BlockPlace) -> Option<Vec<u8>>) {
        for open in self.open.iter_mut().filter(|open| open.asks() == Some(Ask::Answer)) {
            let line = open.place.and_then(&mut *line_at);
            open.options = line.and_then(|line| options_in(&line, open.id.as_deref()?)).unwrap_or_default();
        }
        if let Some(trouble) = self.trouble.as_mut().filter(|trouble| !trouble.is_limit && !trouble.is_final) {
            let pause = trouble.place.and_then(line_at).and_then(|line| pause_in(&line));
            if let Some(seconds) = pause.filter(|seconds| *seconds >= 1.0) {
                // Writing to a string cannot fail.
                let _ = write!(trouble.text, " after {seconds:.0} s");
            }
        }
    }

    /// Whether nothing is in progress at the end.
    pub(crate) fn is_settled(&self) -> bool {
        self.open.is_empty() && self.background.is_empty() && self.agents == 0 && !self.has_outcome
    }

    fn take(&mut self, step: &Step) {
        match &step.kind {
            StepKind::Call(call) => {
                self.trouble = None;
                match call.state {
                    CallState::Pending => self.open.push(Open::of(call, step)),
                    CallState::Background => self.background.push(Open::of(call, step)),
                    CallState::Done
                    | CallState::Failed
                    | CallState::ExpectedFailure
                    | CallState::Cancelled
                    | CallState::Rejected
                    | CallState::Interrupted
                    | CallState::Lost => {}
                }
            }
            StepKind::Reply(reply) => {
                self.trouble = None;
                self.words = Some(reply.preview.to_string());
            }
            StepKind::Notice(notice) => match notice.kind {
                NoticeKind::ApiError | NoticeKind::Limit => {
                    // The story does not count it towards the last time of the conversation.
                    self.last = self.last.max(step.at);
                    self.trouble = Some(Trouble {
                        is_limit: notice.kind == NoticeKind::Limit,
                        is_final: notice.severity == Severity::Error,
                        text: notice.text.to_string(),
                        times: notice.times,
                        place: Some(step.place),
                    });
                }
                NoticeKind::Interrupted
                | NoticeKind::Hook
                | NoticeKind::TurnDuration
                | NoticeKind::AwaySummary
                | NoticeKind::ModelChange
                | NoticeKind::Permission
                | NoticeKind::Task
                | NoticeKind::Memory
                | NoticeKind::Session
                | NoticeKind::Info => {}
            },
            StepKind::Outcome(_) => self.has_outcome = true,
            StepKind::Prompt(_) | StepKind::Thinking(_) => self.trouble = None,
            StepKind::Output(_)
            | StepKind::Context(_)
            | StepKind::Compaction(_)
            | StepKind::Joint(_)
            | StepKind::Orphan(_)
            | StepKind::Unknown(_) => {}
        }
    }
}

impl Open {
    fn of(call: &Call, step: &Step) -> Self {
        Self {
            id: Some(call.id.to_string()),
            tool: call.tool.to_string(),
            subject: call.subject.to_string(),
            options: Vec::new(),
            since: step.at,
            place: Some(step.place),
        }
    }

    /// Whether both are the same call: by id, else by subject.
    pub fn is(&self, other: &Self) -> bool {
        match (&self.id, &other.id) {
            (Some(one), Some(other)) => one == other,
            _ => self.tool == other.tool && self.subject == other.subject,
        }
    }

    /// What it asks the user for, if it does.
    pub fn asks(&self) -> Option<Ask> {
        Tool::named(&self.tool).nature().asks
    }
}

/// The options of the question asked by the call with this id in a line.
fn options_in(line: &[u8], id: &str) -> Option<Vec<String>> {
    #[derive(Deserialize)]
    struct Entry<'l> {
        #[serde(borrow)]
        message: Message<'l>,
    }
    #[derive(Deserialize)]
    struct Message<'l> {
        #[serde(borrow)]
        content: Vec<Block<'l>>,
    }
    #[derive(Deserialize)]
    struct Block<'l> {
        id: Option<String>,
        #[serde(borrow)]
        input: Option<&'l RawValue>,
    }
    let entry: Entry<'_> = serde_json::from_slice(line).ok()?;
    let asked = entry.message.content.into_iter().find(|block| block.id.as_deref() == Some(id))?;
    Some(options(asked.input?.get()))
}

/// The seconds until the request that failed in a line is retried.
fn pause_in(line: &[u8]) -> Option<f64> {
    #[derive(Deserialize)]
    struct Retry {
        #[serde(rename = "retryInMs", alias = "retry_delay_ms")]
        milliseconds: f64,
    }
    let retry: Retry = serde_json::from_slice(line).ok()?;
    Some(retry.milliseconds / 1000.0)
}

/// Whether a thread belongs to an agent whose last turn is still open.
fn is_agent_at_work(story: &Story, thread: &Thread) -> bool {
    let ThreadKind::Agent(agent) = &thread.kind else { return false };
    let is_called = thread.origin.and_then(|origin| story.step(origin.step?)).is_some_and(|step| match &step.kind {
        StepKind::Call(call) => matches!(call.state, CallState::Pending | CallState::Background),
        _ => false,
    });
    let is_working = thread.turns.last().is_some_and(|turn| turn.state == TurnState::Working);
    !agent.hidden && is_called && is_working
}
