//! What the end of a session's story says about where it stands.

use std::fmt::Write as _;

use format::tool::{Ask, Tool};
use serde::Deserialize;
use serde_json::value::RawValue;
use story::step::{Call, CallState, Millis, NoticeKind, Severity, Step, StepKind};
use story::{Place, Story, Thread, ThreadId, ThreadKind, TurnState};

use crate::hooks::event::options;

/// The end of a story.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Tail {
    /// How its last turn stands.
    pub turn: Option<TurnState>,
    /// Calls of the conversation that have no result yet, in their order.
    pub open: Vec<Open>,
    /// Calls of the conversation that go on in the background, in the last turn.
    pub background: Vec<Open>,
    /// How many subagents are at work.
    pub agents: usize,
    /// The last thing that the program said went wrong, if nothing came after it.
    pub trouble: Option<Trouble>,
    /// The first words of what the model said last.
    pub words: Option<String>,
    /// Whether a run of `claude -p` said how it ended.
    pub has_outcome: bool,
    /// When the last step happened.
    pub last: Option<Millis>,
}

/// A call without its result.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Open {
    /// Its id, if that is known.
    pub id: Option<String>,
    /// The tool.
    pub tool: String,
    /// What it is about: the command, the file, the question.
    pub subject: String,
    /// What may be answered to it, if it is a question and somebody said.
    pub options: Vec<String>,
    /// When it was called.
    pub since: Option<Millis>,
    /// Where it stands in its story.
    pub place: Option<Place>,
}

/// Something that went wrong with the API.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Trouble {
    /// Whether the plan or the budget allows no more; else a request failed.
    pub is_limit: bool,
    /// Whether it is given up.
    pub is_final: bool,
    /// What was said.
    pub text: String,
    /// How often.
    pub times: u32,
    /// Where that stands in its story.
    pub place: Option<Place>,
}

impl Tail {
    /// The end of a story as it stands.
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

    /// The same, of a story that goes on where another one ended so; if nothing has come yet, or still in the turn that
    /// it was in, what was said there stands.
    pub(crate) fn after(self, before: &Self, is_same_turn: bool) -> Self {
        if self.turn.is_none() {
            return Self { last: self.last.max(before.last), ..before.clone() };
        }
        let words = self.words.or_else(|| before.words.clone().filter(|_| is_same_turn));
        Self { words, ..self }
    }

    /// Adds what stories do not know, from the lines themselves: what may be answered to a question, and when a request
    /// is tried again.
    pub(crate) fn read_lines(&mut self, line_at: &mut dyn FnMut(Place) -> Option<Vec<u8>>) {
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

    /// Whether nothing is in the making that was begun before the end.
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
                    // To the story it is not part of the conversation, whose last moment that is.
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

    /// Whether both are the same call, as far as one knows: by their ids, else by what they are about.
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

/// What may be answered to the question that is asked in a line by the call with this id.
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

/// After how many seconds the request that failed in a line is tried again.
fn pause_in(line: &[u8]) -> Option<f64> {
    #[derive(Deserialize)]
    struct Retry {
        #[serde(rename = "retryInMs", alias = "retry_delay_ms")]
        milliseconds: f64,
    }
    let retry: Retry = serde_json::from_slice(line).ok()?;
    Some(retry.milliseconds / 1000.0)
}

/// Whether a thread is that of an agent whose last turn goes on.
fn is_agent_at_work(story: &Story, thread: &Thread) -> bool {
    let ThreadKind::Agent(agent) = &thread.kind else { return false };
    let is_called = thread.origin.and_then(|origin| story.step(origin.step?)).is_some_and(|step| match &step.kind {
        StepKind::Call(call) => matches!(call.state, CallState::Pending | CallState::Background),
        _ => false,
    });
    let is_working = thread.turns.last().is_some_and(|turn| turn.state == TurnState::Working);
    !agent.hidden && is_called && is_working
}
