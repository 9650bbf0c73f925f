//! The share of each turn in what a session used.
//!
//! A message counts for the turn in which it is shown, and a subagent for the turn that started it, wherever its
//! messages are recorded and however long it ran. So the shares of the turns of the main thread and of rewound branches
//! add up to the session, together with what belongs to no turn: the part of a stated cost that has no lines.

use ledger::{PostKind, Prices, SessionLedger, Totals};
use rustc_hash::FxHashMap;
use story::{StepId, Story, StoryBuilder, Thread, ThreadKind};

/// The share of each turn in what a session used.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TurnShares {
    /// By thread and turn, each with the subagents that it started.
    pub turns: Vec<Vec<Totals>>,
    /// What belongs to no turn.
    pub rest: Totals,
}

/// A turn: its thread, and its place in it.
type TurnPlace = (usize, usize);

impl TurnShares {
    /// Divides the usage of a session among its turns.
    pub(crate) fn of(builder: &mut StoryBuilder, ledger: &SessionLedger, prices: &Prices) -> Self {
        let messages: Vec<(u64, StepId)> = builder.steps_of_messages().collect();
        let places = Places::of(builder.story(), &messages);
        let turns = places.threads.iter().map(|thread| vec![Totals::default(); thread.turns.len()]);
        let mut shares = Self { turns: turns.collect(), rest: Totals::default() };
        ledger.each(prices, |post| {
            let shown = post.message.and_then(|message| places.of_message.get(&message).copied());
            // Nothing is shown of some messages, such as those that were never finished.
            let place = shown.or_else(|| places.at(ledger.agent_of(post), post.at));
            shares.share(place.filter(|_| post.kind != PostKind::Rest)).add(post);
        });
        shares.add_agents(&places);
        shares
    }

    fn share(&mut self, place: Option<TurnPlace>) -> &mut Totals {
        let Self { turns, rest } = self;
        let found = place.and_then(|(thread, turn)| turns.get_mut(thread)?.get_mut(turn));
        found.unwrap_or(rest)
    }

    /// Adds the share of an agent's thread to the turn that started it.
    fn hand_up(&mut self, thread: usize, to: Option<TurnPlace>) {
        let mut sum = Totals::default();
        self.turns.get(thread).into_iter().flatten().for_each(|share| sum += share);
        *self.share(to) += &sum;
    }

    /// Adds each agent to the turn that started it, the innermost first.
    fn add_agents(&mut self, places: &Places<'_>) {
        let mut waiting: Vec<u32> = vec![0; places.threads.len()];
        let parents = places.starts.iter().map(|start| start.of_parent());
        for parent in parents.clone().flatten() {
            if let Some(waiting) = waiting.get_mut(parent) {
                *waiting += 1;
            }
        }
        let mut ready: Vec<usize> =
            (0..).zip(&waiting).filter(|(_, left)| **left == 0).map(|(thread, _)| thread).collect();
        let mut is_done = vec![false; waiting.len()];
        while let Some(thread) = ready.pop() {
            if let Some(is_done) = is_done.get_mut(thread) {
                *is_done = true;
            }
            let Some(Start::By(turn)) = places.starts.get(thread).copied() else { continue };
            self.hand_up(thread, turn);
            if let Some((parent, _)) = turn
                && let Some(left) = waiting.get_mut(parent)
            {
                *left -= 1;
                if *left == 0 {
                    ready.push(parent);
                }
            }
        }
        // Only damaged files have agents that started each other.
        for (thread, start) in places.starts.iter().enumerate() {
            if matches!(start, Start::By(_)) && is_done.get(thread) == Some(&false) {
                self.hand_up(thread, None);
            }
        }
    }
}

/// What a thread began with.
#[derive(Debug, Clone, Copy)]
enum Start {
    /// A prompt of the user.
    Prompt,
    /// A turn of another thread, if it is known.
    By(Option<TurnPlace>),
}

impl Start {
    fn of_parent(self) -> Option<usize> {
        match self {
            Self::Prompt | Self::By(None) => None,
            Self::By(Some((parent, _))) => Some(parent),
        }
    }
}

/// Where the turns of a story are.
struct Places<'s> {
    threads: Vec<&'s Thread>,
    /// When the turns of each thread began, in order of time.
    begins: Vec<Vec<(i64, usize)>>,
    starts: Vec<Start>,
    /// The turn in which each message is shown.
    of_message: FxHashMap<u64, TurnPlace>,
    /// The thread of each agent.
    of_agent: FxHashMap<&'s str, usize>,
}

impl<'s> Places<'s> {
    fn of(story: &'s Story, messages: &[(u64, StepId)]) -> Self {
        let threads: Vec<&Thread> = story.threads().map(|(_, thread)| thread).collect();
        let mut of_step: FxHashMap<StepId, TurnPlace> = FxHashMap::default();
        let mut begins = Vec::with_capacity(threads.len());
        let mut of_agent: FxHashMap<&str, usize> = FxHashMap::default();
        for (number, thread) in threads.iter().enumerate() {
            let mut times = Vec::with_capacity(thread.turns.len());
            for (turn, it) in thread.turns.iter().enumerate() {
                let steps = thread.steps.get(it.steps.clone()).unwrap_or_default();
                of_step.extend(steps.iter().map(|step| (*step, (number, turn))));
                times.extend(it.started.map(|started| (started, turn)));
            }
            times.sort_unstable();
            begins.push(times);
            if let ThreadKind::Agent(agent) = &thread.kind {
                of_agent.entry(&agent.id).or_insert(number);
            }
        }
        let mut of_message: FxHashMap<u64, TurnPlace> = FxHashMap::default();
        for (message, step) in messages {
            if let Some(place) = of_step.get(step).copied() {
                // An agent may begin with messages of the thread that started it.
                of_message.entry(*message).and_modify(|known| *known = place.min(*known)).or_insert(place);
            }
        }
        let mut places = Self { threads, begins, starts: Vec::new(), of_message, of_agent };
        places.starts =
            (0..).zip(&places.threads).map(|(number, thread)| places.start(number, thread, &of_step)).collect();
        places
    }

    fn start(&self, number: usize, thread: &Thread, of_step: &FxHashMap<StepId, TurnPlace>) -> Start {
        // The first thread of a session of which only subagents are left is one of them.
        if number == 0 || !matches!(thread.kind, ThreadKind::Agent(_)) {
            return Start::Prompt;
        }
        let call = thread.origin.and_then(|origin| of_step.get(&origin.step?).copied());
        // Without its call, an agent counts for the turn in which it began.
        let began = || Some((0, self.turn_at(0, thread.turns.iter().find_map(|turn| turn.started))?));
        Start::By(call.filter(|(parent, _)| *parent != number).or_else(began))
    }

    /// The turn of a message of which nothing is shown: that of its time, in the thread of its agent.
    fn at(&self, agent: Option<&str>, at: Option<i64>) -> Option<TurnPlace> {
        let thread = agent.and_then(|agent| self.of_agent.get(agent).copied()).unwrap_or_default();
        Some((thread, self.turn_at(thread, at)?))
    }

    /// The last turn of a thread that had begun at a time, or else the first.
    fn turn_at(&self, thread: usize, at: Option<i64>) -> Option<usize> {
        let begins = self.begins.get(thread)?;
        let begun = begins.partition_point(|(began, _)| Some(*began) <= at);
        let found = begun.checked_sub(1).and_then(|last| begins.get(last)).map(|(_, turn)| *turn);
        found.or_else(|| (!self.threads.get(thread)?.turns.is_empty()).then_some(0))
    }
}
