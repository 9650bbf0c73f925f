//! The state of a session, from all evidence: the one place where it is decided.
//!
//! A session is blocked, working or paused only if something shows that it runs: a registered process or hook events.
//! Without these, lines or events of the last quarter of an hour will do, or a call without a result that began within
//! the last hour; then the state is uncertain. So is a wait for you that an event reported hours ago. Otherwise nothing
//! runs, and the last turn says whether the session ended or failed.

use format::tool::{Ask, Family, Tool};
use story::step::Millis;
use story::{Ending, OpenCall, SessionState, SessionStatus, StateReason, TurnState};

use crate::hooks::heard::{Heard, Phase};
use crate::registry::{Registered, Status};

/// The state of a session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct State {
    /// What it does or waits for.
    pub doing: Doing,
    /// How certain that is.
    pub confidence: Confidence,
    /// Since when, in milliseconds since 1970.
    pub since: Option<Millis>,
}

/// What a session does or waits for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Doing {
    /// The model or a tool is working.
    Working(Option<OpenCall>),
    /// A permission is needed: for this call, if known.
    Permission(Option<OpenCall>),
    /// A question needs an answer.
    Question(OpenCall),
    /// A plan needs approval.
    Plan(OpenCall),
    /// The model finished, with these words.
    YourTurn(Option<String>),
    /// The model finished, and something runs in the background.
    Background {
        /// The commands and other calls.
        calls: Vec<OpenCall>,
        /// How many agents work there.
        agents: usize,
    },
    /// API requests fail and are retried.
    Retrying(String),
    /// A limit of the plan or the budget is reached.
    Limited(String),
    /// An error ended the turn.
    Failed(Option<String>),
    /// Nothing runs, and the last turn finished.
    Finished,
    /// Nothing runs, and you stopped the last turn.
    Stopped,
    /// Nothing runs, and an error ended the last turn.
    GaveUp,
    /// Nothing runs, and the last turn has no end.
    Gone,
}

/// How certain a state is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Confidence {
    /// Inferred from lines alone.
    Probable,
    /// Stated by the process, by events, or by the end of the session.
    Sure,
}

/// Whether the process of a session is alive.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Process<'r> {
    /// It is, and registered this.
    Alive(&'r Registered),
    /// It was registered, and is gone.
    Gone,
    /// Processes of its root are registered, and none for this session. Not all register: those driven by other
    /// programs may not.
    Unlisted,
    /// There is no information.
    Unknown,
}

/// All evidence about a session.
#[derive(Debug, Clone, Copy)]
pub struct Sources<'s> {
    /// The end of its transcript.
    pub tail: &'s Ending,
    /// Its process.
    pub process: Process<'s>,
    /// The events from its hooks.
    pub heard: Option<&'s Heard>,
}

/// A call of a quick tool that has no result after this, in milliseconds, waits for permission.
const PATIENCE: Millis = 5_000;

/// Lines or events within this time, in milliseconds, show that a session may run.
const RECENT: Millis = 15 * 60 * 1000;

/// A call without a result that began within this time, in milliseconds, may still run.
const LONG: Millis = 60 * 60 * 1000;

/// A wait for you that an event reported within this time, in milliseconds, may still last: you may be at lunch, or asleep.
const AWAY: Millis = 24 * 60 * 60 * 1000;

impl Doing {
    /// The state of a session whose call waits for the user: by what its tool asks for, else for permission.
    fn asking(call: OpenCall) -> Self {
        match call.asks() {
            Some(Ask::Answer) => Self::Question(call),
            Some(Ask::Approval) => Self::Plan(call),
            Some(Ask::Consent) | None => Self::Permission(Some(call)),
        }
    }

    /// The reason for the state of the session, which implies the state.
    pub const fn reason(&self) -> StateReason {
        match self {
            Self::Working(_) => StateReason::Turn,
            Self::Permission(_) => StateReason::Permission,
            Self::Question(_) => StateReason::Question,
            Self::Plan(_) => StateReason::Plan,
            Self::YourTurn(_) => StateReason::YourTurn,
            Self::Background { .. } => StateReason::Background,
            Self::Retrying(_) => StateReason::Retry,
            Self::Limited(_) => StateReason::Limit,
            Self::Failed(_) | Self::GaveUp => StateReason::Error,
            Self::Finished => StateReason::Finished,
            Self::Stopped => StateReason::Stopped,
            Self::Gone => StateReason::Gone,
        }
    }

    /// Whether nothing happens without you: it is blocked, or its process waits for your next prompt.
    pub const fn needs_you(&self) -> bool {
        match self {
            Self::Permission(_) | Self::Question(_) | Self::Plan(_) | Self::YourTurn(_) | Self::Failed(_) => true,
            Self::Working(_)
            | Self::Background { .. }
            | Self::Retrying(_)
            | Self::Limited(_)
            | Self::Finished
            | Self::Stopped
            | Self::GaveUp
            | Self::Gone => false,
        }
    }

    /// Whether the session is not over: something runs, or its process is there.
    pub const fn is_active(&self) -> bool {
        !matches!(self, Self::Finished | Self::Stopped | Self::GaveUp | Self::Gone)
    }

    /// The subject of its work, or of its wait.
    pub fn what(&self) -> String {
        let call = |call: &OpenCall| match call.tool.as_str() {
            "" => call.subject.clone(),
            tool => format!("{tool} {}", call.subject),
        };
        match self {
            Self::Working(open) | Self::Permission(open) => open.as_ref().map(call).unwrap_or_default(),
            Self::Question(open) if !open.options.is_empty() => {
                format!("{} ({})", open.subject, open.options.join(" / "))
            }
            Self::Question(open) | Self::Plan(open) => open.subject.clone(),
            Self::YourTurn(words) | Self::Failed(words) => words.clone().unwrap_or_default(),
            Self::Background { calls, agents: 0 } => calls.iter().map(call).collect::<Vec<_>>().join(", "),
            // Agents are counted apart.
            Self::Background { calls, agents: _ } => {
                let others = calls.iter().filter(|call| Tool::named(&call.tool).nature().family != Family::Agent);
                others.map(call).collect::<Vec<_>>().join(", ")
            }
            Self::Retrying(text) | Self::Limited(text) => text.clone(),
            Self::Finished | Self::Stopped | Self::GaveUp | Self::Gone => String::new(),
        }
    }
}

impl State {
    /// The current state of a session.
    ///
    /// Later evidence overrides earlier. A wait for the user lasts until there is evidence of an answer, since nothing
    /// happens in the meantime.
    pub fn of(sources: &Sources<'_>, now: Millis) -> Self {
        let Sources { tail, process, heard } = *sources;
        // The events' phase counts unless the transcript has continued since.
        let newest = heard.filter(|heard| Some(heard.at) >= tail.last);
        match process {
            Process::Alive(registered) => {
                let heard_after = |heard: &&Heard| registered.status.is_none() || Some(heard.at) >= registered.since;
                match newest.filter(heard_after).and_then(|heard| of_ended(tail, heard)) {
                    Some(ended) => ended,
                    None => of_live(tail, Some(registered), heard, now),
                }
            }
            Process::Gone => newest.and_then(|heard| of_over(tail, heard)).unwrap_or_else(|| of_gone(tail)),
            Process::Unlisted | Process::Unknown => match newest.and_then(|heard| of_ended(tail, heard)) {
                Some(ended) => ended,
                None if tail.has_outcome => of_gone(tail),
                None => of_unregistered(tail, process, heard, now),
            },
        }
    }

    /// The state without its texts.
    pub const fn status(&self) -> SessionStatus {
        let is_certain = matches!(self.confidence, Confidence::Sure);
        SessionStatus { reason: self.doing.reason(), since: self.since, is_certain }
    }

    fn new(doing: Doing, confidence: Confidence, since: Option<Millis>) -> Self {
        Self { doing, confidence, since }
    }
}

/// No process is registered. What was heard or written recently shows that the session may run.
fn of_unregistered(tail: &Ending, process: Process<'_>, heard: Option<&Heard>, now: Millis) -> State {
    let is_within = |at: Option<Millis>, time: Millis| at.is_some_and(|at| now.saturating_sub(at) <= time);
    // What events say holds as long as events would say otherwise.
    let waits = heard.filter(|heard| heard.waits() && Some(heard.at) >= tail.last).map(|heard| heard.last);
    let is_heard = heard.is_some_and(|heard| is_within(Some(heard.last), RECENT))
        || is_within(heard.and_then(Heard::latest_call), LONG)
        || is_within(waits, LONG);
    let is_recent = is_within(tail.last, RECENT);
    // A process that waits reports nothing. Where processes register and this one has not, it has probably gone.
    let may_wait = is_within(waits, AWAY) && !matches!(process, Process::Unlisted);
    if !(is_heard || is_recent || may_wait || is_within(tail.latest_open(), LONG)) {
        return of_gone(tail);
    }
    let known = of_live(tail, None, heard, now);
    if is_heard {
        return known;
    }
    match known.doing.reason().state() {
        SessionState::Blocked | SessionState::Working | SessionState::Paused => {
            State { confidence: Confidence::Probable, ..known }
        }
        // It would be registered if its process were still there.
        SessionState::Done | SessionState::Failed if matches!(process, Process::Unlisted) => of_gone(tail),
        SessionState::Done => State { confidence: Confidence::Probable, ..known },
        SessionState::Failed | SessionState::Ended => known,
    }
}

/// The last event is the end of the session. If that is in the middle of a turn, you stopped it.
fn of_ended(tail: &Ending, heard: &Heard) -> Option<State> {
    let doing = match tail.turn {
        Some(TurnState::Interrupted | TurnState::Open) => Doing::Stopped,
        Some(TurnState::Done | TurnState::Failed) | None => Doing::Finished,
    };
    (heard.phase == Phase::Ended).then(|| State::new(doing, Confidence::Sure, Some(heard.at)))
}

/// The same for a session whose process is gone: it may have exited after its last words.
fn of_over(tail: &Ending, heard: &Heard) -> Option<State> {
    let is_done = matches!(heard.phase, Phase::YourTurn { .. }) && tail.turn != Some(TurnState::Interrupted);
    let done = || is_done.then(|| State::new(Doing::Finished, Confidence::Sure, Some(heard.at)));
    of_ended(tail, heard).or_else(done)
}

/// The session is active, as far as known.
fn of_live(tail: &Ending, registered: Option<&Registered>, heard: Option<&Heard>, now: Millis) -> State {
    let known = match registered {
        Some(registered) => of_alive(tail, registered, now),
        None => of_tail(tail, now),
    };
    let Some(heard) = heard else { return known };
    let status = registered.and_then(|registered| Some((registered.status?, registered.since?)));
    if let Some(waiting) = waiting(tail, status, heard) {
        return waiting;
    }
    let is_newest = Some(heard.at) >= tail.last && status.is_none_or(|(_, since)| heard.at >= since);
    match is_newest.then(|| of_heard(tail, &known, heard)).flatten() {
        Some(state) => state,
        None => without_doubt(known, heard),
    }
}

/// The wait for the user, if an event reported it and nothing has answered it since.
fn waiting(tail: &Ending, status: Option<(Status, Millis)>, heard: &Heard) -> Option<State> {
    let call = heard.waiting()?;
    let since = call.waits_since()?;
    // A process is neither busy nor idle while the user is asked.
    let is_answered = status.is_some_and(|(status, at)| status != Status::Waiting && at > since);
    // The transcript contains the call before the user is asked, and continues after the answer. Subagents have their
    // own.
    let is_open = tail.open.iter().any(|open| open.is(&call.open));
    let has_gone_on = call.agent.is_none() && !is_open && tail.last > Some(since);
    if is_answered || has_gone_on {
        return None;
    }
    Some(State::new(Doing::asking(call.open.clone()), Confidence::Sure, Some(since)))
}

/// The state according to events that are newer than all other evidence.
fn of_heard(tail: &Ending, known: &State, heard: &Heard) -> Option<State> {
    let named = |subject: &str| OpenCall { subject: subject.to_owned(), since: Some(heard.at), ..OpenCall::default() };
    let working = || heard.working().map(|call| call.open.clone());
    let (doing, since) = match &heard.phase {
        Phase::Unknown | Phase::Ended => return None,
        Phase::Working => {
            let call = working();
            let since = call.as_ref().map_or(Some(heard.at), |call| call.since);
            (Doing::Working(call), since)
        }
        Phase::Compacting { .. } => (Doing::Working(Some(named("compacting the conversation"))), Some(heard.at)),
        Phase::Asking(text) => (Doing::Permission(Some(working().unwrap_or_else(|| named(text)))), Some(heard.at)),
        Phase::Eliciting(text) => (Doing::Question(named(text)), Some(heard.at)),
        Phase::YourTurn { words, background } => {
            let (calls, agents) = match background {
                Some(tasks) => (tasks.iter().map(|task| named(task)).collect(), heard.agents()),
                None => (tail.background.clone(), tail.agents.max(heard.agents())),
            };
            let doing = if calls.is_empty() && agents == 0 {
                Doing::YourTurn(words.clone().or_else(|| tail.words.clone()))
            } else {
                Doing::Background { calls, agents }
            };
            // The process states the same, with the time since when it is true.
            let since = known.since.filter(|_| known.doing.reason() == doing.reason());
            (doing, since.or(Some(heard.at)))
        }
        Phase::Failed { is_limit: true, text } => (Doing::Limited(text.clone()), Some(heard.at)),
        Phase::Failed { is_limit: false, text } => {
            (Doing::Failed(Some(text.clone()).filter(|text| !text.is_empty())), Some(heard.at))
        }
    };
    Some(State::new(doing, Confidence::Sure, since))
}

/// Hooks report when the user is asked. If there were events since the call and none of them asked, it is working.
fn without_doubt(known: State, heard: &Heard) -> State {
    match known {
        State { doing: Doing::Working(call) | Doing::Permission(call), confidence: Confidence::Probable, since }
            if since.is_some_and(|since| heard.last >= since) =>
        {
            State::new(Doing::Working(call), Confidence::Sure, since)
        }
        known => known,
    }
}

/// The process is alive. Its own status overrides the transcript, which lags behind.
fn of_alive(tail: &Ending, registered: &Registered, now: Millis) -> State {
    let known = of_tail(tail, now);
    let since = registered.since;
    match registered.status {
        None => known,
        // A busy process does not need the user, even if the transcript still suggests it.
        Some(Status::Busy) => match known.doing {
            Doing::Working(_) | Doing::Retrying(_) => State::new(known.doing, Confidence::Sure, known.since.or(since)),
            Doing::Permission(call) => State::new(Doing::Working(call), Confidence::Sure, known.since.or(since)),
            _ => State::new(Doing::Working(None), Confidence::Sure, since),
        },
        Some(Status::Waiting) => match known.doing {
            Doing::Question(_) | Doing::Plan(_) => State::new(known.doing, Confidence::Sure, since.or(known.since)),
            Doing::Working(call) | Doing::Permission(call) => State::new(
                Doing::Permission(call.or_else(|| named(registered))),
                Confidence::Sure,
                since.or(known.since),
            ),
            _ => State::new(Doing::Permission(named(registered)), Confidence::Sure, since),
        },
        Some(Status::Idle) => match known.doing {
            Doing::Background { .. } | Doing::Limited(_) | Doing::Failed(_) | Doing::YourTurn(_) => {
                State::new(known.doing, Confidence::Sure, since.or(known.since))
            }
            _ => State::new(Doing::YourTurn(tail.words.clone()), Confidence::Sure, since),
        },
        Some(Status::Shell) => State::new(Doing::YourTurn(tail.words.clone()), Confidence::Sure, since),
    }
}

/// What a process waits for, in its own words.
fn named(registered: &Registered) -> Option<OpenCall> {
    let subject = registered.waiting_for.clone()?;
    Some(OpenCall { subject, since: registered.since, ..OpenCall::default() })
}

/// Nothing runs.
fn of_gone(tail: &Ending) -> State {
    let doing = match tail.turn {
        Some(TurnState::Done) | None => Doing::Finished,
        Some(TurnState::Interrupted) => Doing::Stopped,
        // What is gone no longer waits for you.
        Some(TurnState::Open) => Doing::Gone,
        Some(TurnState::Failed) => Doing::GaveUp,
    };
    State::new(doing, Confidence::Sure, tail.last)
}

/// According to the transcript alone.
fn of_tail(tail: &Ending, now: Millis) -> State {
    if let Some((_, call)) = tail.asking() {
        return State::new(Doing::asking(call.clone()), Confidence::Sure, call.since);
    }
    if let Some(trouble) = &tail.trouble {
        let text = trouble.text.clone();
        let doing = match (trouble.is_limit, trouble.is_final) {
            (true, _) => Doing::Limited(text),
            (false, true) => Doing::Failed(Some(text)),
            (false, false) => Doing::Retrying(text),
        };
        return State::new(doing, Confidence::Sure, tail.last);
    }
    match tail.turn {
        Some(TurnState::Open) => {
            let call = tail.open.first().cloned();
            let since = call.as_ref().map_or(tail.last, |call| call.since);
            let is_late = since.is_some_and(|since| now.saturating_sub(since) > PATIENCE);
            match call {
                Some(call) if is_late && Tool::named(&call.tool).nature().is_quick => {
                    State::new(Doing::Permission(Some(call)), Confidence::Probable, since)
                }
                call => State::new(Doing::Working(call), Confidence::Probable, since),
            }
        }
        Some(TurnState::Failed) => State::new(Doing::Failed(None), Confidence::Sure, tail.last),
        Some(TurnState::Done) if !tail.background.is_empty() || tail.agents > 0 => {
            let doing = Doing::Background { calls: tail.background.clone(), agents: tail.agents };
            State::new(doing, Confidence::Probable, tail.last)
        }
        Some(TurnState::Done | TurnState::Interrupted) | None => {
            State::new(Doing::YourTurn(tail.words.clone()), Confidence::Sure, tail.last)
        }
    }
}
