//! What a session used, as every output shows it.

use human::Spent;
use story::ThreadId;

/// What a session used, and the share of each of its turns.
///
/// A turn has the share of the subagents that it started. The shares of the turns of the main thread and of rewound
/// branches add up to the session, with `rest`.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Bill {
    /// The session; `None` if it used nothing, or it was not counted.
    pub session: Option<Spent>,
    /// By thread and turn.
    pub turns: Vec<Vec<Spent>>,
    /// What belongs to no turn: the part of a stated cost that has no lines.
    pub rest: Option<Spent>,
}

impl Bill {
    /// The share of a turn, whose number counts from 1; `None` if it used nothing.
    pub fn turn(&self, thread: ThreadId, number: usize) -> Option<Spent> {
        let share = self.turns.get(thread.index())?.get(number.checked_sub(1)?)?;
        Some(*share).filter(|share| !share.is_nothing())
    }
}
