//! The end of a story: the evidence that its lines give about the state of the session.
//!
//! No clock: whether an open call still runs, or a question still waits, depends on the time and on the process, which
//! `live` knows. The index keeps the [`Ending::reduced`] part of it in columns, so that a list needs no story.

use format::tool::{Ask, Tool};
use serde::{Deserialize, Serialize};

use crate::step::{Call, CallState, Millis, NoticeKind, Severity, Step, StepKind};
use crate::{BlockPlace, Story, Thread, ThreadId, ThreadKind, TurnState};

/// The end of a story.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Ending {
    /// The state of its last turn.
    pub turn: Option<TurnState>,
    /// Calls of the conversation without a result so far, in order.
    pub open: Vec<OpenCall>,
    /// Calls of the conversation that run in the background, in the last turn.
    pub background: Vec<OpenCall>,
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
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct OpenCall {
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
    #[serde(skip)]
    pub place: Option<BlockPlace>,
}

/// A problem with the API.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
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
    #[serde(skip)]
    pub place: Option<BlockPlace>,
}

impl Ending {
    /// The end of a story.
    pub fn of(story: &Story) -> Self {
        let Some(main) = story.thread(ThreadId::MAIN) else { return Self::default() };
        let agents = story.threads().filter(|(_, thread)| is_agent_working(story, thread)).count();
        let turn = main.turns.last();
        let mut ending = Self { turn: turn.map(|turn| turn.state), agents, last: story.facts.last, ..Self::default() };
        let Some(turn) = turn else { return ending };
        for (_, step) in story.steps(main, turn).filter(|(_, step)| !step.withdrawn) {
            ending.take(step);
        }
        ending
    }

    /// The same for a story that continues an earlier one: an empty story keeps the earlier end, and one that is still
    /// in the same turn keeps its last words.
    #[must_use]
    pub fn after(self, before: &Self, is_same_turn: bool) -> Self {
        if self.turn.is_none() {
            return Self { last: self.last.max(before.last), ..before.clone() };
        }
        let words = self.words.or_else(|| before.words.clone().filter(|_| is_same_turn));
        Self { words, ..self }
    }

    /// The call that asks you for something, if one does: a question comes before a plan, and a plan before a consent.
    pub fn asking(&self) -> Option<(Ask, &OpenCall)> {
        self.open.iter().filter_map(|call| Some((call.asks()?, call))).min_by_key(|(ask, _)| *ask)
    }

    /// When the latest call without a result began.
    pub fn latest_open(&self) -> Option<Millis> {
        self.open.iter().filter_map(|call| call.since).max()
    }

    /// Whether nothing is in progress at the end.
    pub fn is_settled(&self) -> bool {
        self.open.is_empty() && self.background.is_empty() && self.agents == 0 && !self.has_outcome
    }

    /// The part that decides the state of a session and its reason, without texts. What is left has a fixed size: the
    /// call that stands for all open ones, and the start of the latest.
    #[must_use]
    pub fn reduced(&self) -> Self {
        let first = self.asking().map(|(_, call)| call).or(self.open.first());
        let latest = self.latest_open().filter(|at| first.is_some_and(|first| first.since != Some(*at)));
        let bare = |tool: &str, since| OpenCall { tool: tool.to_owned(), since, ..OpenCall::default() };
        let open = first.map(|call| bare(&call.tool, call.since));
        let trouble = self.trouble.as_ref().map(|trouble| Trouble {
            is_limit: trouble.is_limit,
            is_final: trouble.is_final,
            ..Trouble::default()
        });
        Self {
            turn: self.turn,
            open: open.into_iter().chain(latest.map(|at| bare("", Some(at)))).collect(),
            background: Vec::new(),
            agents: self.background.len() + self.agents,
            trouble,
            words: None,
            has_outcome: self.has_outcome,
            last: self.last,
        }
    }

    fn take(&mut self, step: &Step) {
        match &step.kind {
            StepKind::Call(call) => {
                self.trouble = None;
                match call.state {
                    CallState::Pending => self.open.push(OpenCall::of(call, step)),
                    CallState::Background => self.background.push(OpenCall::of(call, step)),
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

impl OpenCall {
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

/// Whether a thread belongs to an agent whose last turn is still open.
fn is_agent_working(story: &Story, thread: &Thread) -> bool {
    let ThreadKind::Agent(agent) = &thread.kind else { return false };
    let is_called = thread.origin.and_then(|origin| story.step(origin.step?)).is_some_and(|step| match &step.kind {
        StepKind::Call(call) => matches!(call.state, CallState::Pending | CallState::Background),
        _ => false,
    });
    let is_working = thread.turns.last().is_some_and(|turn| turn.state == TurnState::Open);
    !agent.hidden && is_called && is_working
}
