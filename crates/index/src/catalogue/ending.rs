//! The end of a story in columns of the table `session`: the part of it that decides the state of the session.

use rusqlite::Row;
use story::{Ending, OpenCall, Trouble, TurnState};

/// The states of turns, indexed by the numbers that represent them in the file.
const TURN_STATES: [TurnState; 4] = [TurnState::Open, TurnState::Done, TurnState::Interrupted, TurnState::Failed];

/// Bits of the column `trouble`.
const LIMIT: i64 = 1;
const FINAL: i64 = 2;

/// The values of the columns.
pub(super) struct EndingColumns {
    pub(super) last_turn: Option<i64>,
    pub(super) open_tool: Option<String>,
    pub(super) open_since: Option<i64>,
    pub(super) open_latest: Option<i64>,
    pub(super) trouble: Option<i64>,
    pub(super) background: i64,
    pub(super) has_outcome: bool,
    pub(super) last_sign: Option<i64>,
}

impl EndingColumns {
    /// The columns of the end of a story.
    pub(super) fn of(ending: &Ending) -> Self {
        let Ending { turn, open, background: _, agents, trouble, words: _, has_outcome, last } = ending.reduced();
        let number = |state: TurnState| TURN_STATES.iter().position(|known| *known == state);
        let bits = |trouble: Trouble| i64::from(trouble.is_limit) * LIMIT + i64::from(trouble.is_final) * FINAL;
        let mut open = open.into_iter();
        let (first, latest) = (open.next(), open.next());
        Self {
            last_turn: turn.and_then(number).and_then(|number| i64::try_from(number).ok()),
            open_since: first.as_ref().and_then(|call| call.since),
            open_tool: first.map(|call| call.tool),
            open_latest: latest.and_then(|call| call.since),
            trouble: trouble.map(bits),
            background: i64::try_from(agents).unwrap_or(i64::MAX),
            has_outcome,
            last_sign: last,
        }
    }

    /// The columns of a row, from a position on.
    pub(super) fn read(row: &Row<'_>, at: usize) -> rusqlite::Result<Self> {
        Ok(Self {
            last_turn: row.get(at)?,
            open_tool: row.get(at + 1)?,
            open_since: row.get(at + 2)?,
            open_latest: row.get(at + 3)?,
            trouble: row.get(at + 4)?,
            background: row.get(at + 5)?,
            has_outcome: row.get(at + 6)?,
            last_sign: row.get(at + 7)?,
        })
    }

    /// The reduced end of the story.
    pub(super) fn ending(self) -> Ending {
        let call = |tool: String, since| OpenCall { tool, since, ..OpenCall::default() };
        let first = self.open_tool.map(|tool| call(tool, self.open_since));
        let latest = self.open_latest.map(|at| call(String::new(), Some(at)));
        Ending {
            turn: self.last_turn.and_then(|number| TURN_STATES.get(usize::try_from(number).ok()?).copied()),
            open: first.into_iter().chain(latest).collect(),
            background: Vec::new(),
            agents: usize::try_from(self.background).unwrap_or_default(),
            trouble: self.trouble.map(|bits| Trouble {
                is_limit: bits & LIMIT != 0,
                is_final: bits & FINAL != 0,
                ..Trouble::default()
            }),
            words: None,
            has_outcome: self.has_outcome,
            last: self.last_sign,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_hold_what_decides_the_state() {
        let call = |tool: &str, since| OpenCall {
            tool: tool.to_owned(),
            subject: "a subject".to_owned(),
            since: Some(since),
            ..OpenCall::default()
        };
        let endings = [
            Ending::default(),
            Ending { turn: Some(TurnState::Done), words: Some("Done.".to_owned()), last: Some(7), ..Ending::default() },
            Ending {
                turn: Some(TurnState::Open),
                open: vec![call("Bash", 1), call("ExitPlanMode", 2), call("AskUserQuestion", 3), call("Read", 4)],
                last: Some(4),
                ..Ending::default()
            },
            Ending { turn: Some(TurnState::Open), open: vec![call("Bash", 1)], last: Some(1), ..Ending::default() },
            Ending {
                turn: Some(TurnState::Interrupted),
                background: vec![call("Bash", 1)],
                agents: 2,
                has_outcome: true,
                ..Ending::default()
            },
        ];
        let troubles = [(false, false), (false, true), (true, false), (true, true)].map(|(is_limit, is_final)| {
            let trouble = Trouble { is_limit, is_final, text: "529".to_owned(), times: 3, place: None };
            Ending { turn: Some(TurnState::Failed), trouble: Some(trouble), ..Ending::default() }
        });
        for ending in endings.into_iter().chain(troubles) {
            let kept = EndingColumns::of(&ending).ending();
            assert_eq!(kept, ending.reduced());
            assert_eq!(kept.reduced(), kept, "it is reduced already");
            assert_eq!(
                kept.asking().map(|(ask, call)| (ask, call.since)),
                ending.asking().map(|(ask, call)| (ask, call.since))
            );
            assert_eq!(kept.latest_open(), ending.latest_open());
        }
    }
}
