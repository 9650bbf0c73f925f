//! The board for programs. Its fields are described in `docs/watch-json.md`.

use std::io::{self, Write};

use live::board::{Board, Card};
use live::state::Confidence;
use serde::Serialize;

use crate::listing::json::{UsedOut, moment, write as write_document};

#[derive(Serialize)]
struct Document<'a> {
    schema: &'static str,
    at: Option<String>,
    needs_you: usize,
    sessions: Vec<CardOut<'a>>,
}

#[derive(Serialize)]
struct CardOut<'a> {
    session: &'a str,
    title: Option<&'a str>,
    project: Option<&'a str>,
    branch: Option<&'a str>,
    pid: Option<u32>,
    state: String,
    is_sure: bool,
    needs_you: bool,
    since: Option<String>,
    what: String,
    subagents: usize,
    #[serde(flatten)]
    used: Option<UsedOut>,
}

/// Writes the board as it was at a moment.
pub(crate) fn write(board: &Board, out: &mut impl Write, now: i64) -> io::Result<()> {
    let sessions: Vec<CardOut<'_>> = board.cards.iter().map(CardOut::of).collect();
    let needs_you = sessions.iter().filter(|card| card.needs_you).count();
    write_document(out, &Document { schema: "recount.board/1", at: moment(Some(now)), needs_you, sessions })
}

impl<'a> CardOut<'a> {
    fn of(card: &'a Card) -> Self {
        let doing = &card.state.doing;
        Self {
            session: &card.name,
            title: card.title(),
            project: card.project(),
            branch: card.session.as_ref().and_then(|session| session.branch.as_deref()),
            pid: card.process.as_ref().map(|process| process.pid),
            state: doing.word().replace(' ', "-"),
            is_sure: card.state.confidence == Confidence::Sure,
            needs_you: card.needs_you(),
            since: moment(card.state.since),
            what: doing.what(),
            subagents: card.glance.tail.agents,
            used: card.session.as_ref().map(|session| UsedOut::of(&session.used)),
        }
    }
}
