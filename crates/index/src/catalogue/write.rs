//! Writes the rows of a session from its story and its ledger.

use std::borrow::Cow;

use ledger::{Prices, SessionLedger, Summary, Totals};
use reader::SessionReader;
use rusqlite::{Connection, Row, ToSql, params, params_from_iter};
use sources::{Source, SourceKind};
use story::step::{CallState, StepKind};
use story::{Counts, Ending, Remnant, Role, Story, Thread, ThreadId, ThreadKind, TitleSource};

use super::ending::EndingColumns;
use super::{REMNANTS, Used};

/// Writes the catalogue rows of a session. `sources` are the rows of its files, in the order of the story.
pub(crate) fn write(
    db: &Connection,
    session: i64,
    reader: &mut SessionReader,
    sources: &[i64],
    main: &Source,
    prices: &Prices,
) -> rusqlite::Result<()> {
    let bill = reader.ledger().map(|ledger| Bill::of(ledger, prices));
    let (story, _) = reader.parts();
    write_facts(db, session, story, main)?;
    write_turns(db, session, story, sources)?;
    write_agents(db, session, story, sources)?;
    super::tools::write(db, session, story)?;
    bill.map_or(Ok(()), |bill| bill.write(db, session))
}

fn write_facts(db: &Connection, session: i64, story: &Story, main: &Source) -> rusqlite::Result<()> {
    let facts = &story.facts;
    // A session is looked up by the stem of its file, even if its lines contain another id.
    let name = main.listed_name().unwrap_or_else(|| Cow::from(facts.session_id.as_deref().unwrap_or_default()));
    // The lines of a fork name its origin, even if that session is gone; other copies are found by their entries.
    let found = story.sources().find(|source| source.role == Role::Elsewhere).map(|source| &*source.session);
    let copied_from = facts.derived_from.as_deref().or(found);
    let ending = EndingColumns::of(&Ending::of(story));
    let title = facts.title.as_ref();
    let title_source = title.and_then(|title| TitleSource::ALL.iter().position(|source| *source == title.source));
    let counts = facts.counts.values();
    let stated: [(&str, &dyn ToSql); 22] = [
        ("name", &name),
        ("session_id", &facts.session_id.as_deref()),
        ("remnant", &remnant_of(main)),
        ("title", &title.map(|title| &*title.text)),
        ("title_source", &title_source.and_then(|number| i64::try_from(number).ok())),
        ("folder", &facts.folder.as_deref()),
        ("branch", &facts.branch.as_deref()),
        ("models", &facts.models.join("\n")),
        ("first", &facts.first),
        ("last", &facts.last),
        ("active_ms", &facts.active_ms.cast_signed()),
        ("waiting_ms", &facts.waiting_ms.cast_signed()),
        ("copied_from", &copied_from),
        ("continued_in", &facts.continued_in.as_deref()),
        ("last_turn", &ending.last_turn),
        ("open_tool", &ending.open_tool),
        ("open_since", &ending.open_since),
        ("open_latest", &ending.open_latest),
        ("trouble", &ending.trouble),
        ("background", &ending.background),
        ("has_outcome", &ending.has_outcome),
        ("last_sign", &ending.last_sign),
    ];
    let counted = Counts::NAMES.into_iter().zip(counts.iter().map(|count| count as &dyn ToSql));
    let (names, values): (Vec<_>, Vec<_>) = stated.into_iter().chain(counted).unzip();
    let update = format!("UPDATE session SET {} = ? WHERE id = ?", names.join(" = ?, "));
    let values = values.into_iter().chain([&session as &dyn ToSql]);
    db.prepare_cached(&update)?.execute(params_from_iter(values))?;
    Ok(())
}

/// What is left of a session, as a number.
fn remnant_of(main: &Source) -> Option<i64> {
    let remnant = match main.kind {
        SourceKind::Partial => Remnant::Subagents,
        SourceKind::Prompts => Remnant::Prompts,
        SourceKind::Transcript
        | SourceKind::Subagent
        | SourceKind::Journal
        | SourceKind::History
        | SourceKind::Capture => return None,
    };
    REMNANTS.iter().position(|known| *known == remnant).and_then(|at| i64::try_from(at).ok())
}

/// A turn as a row.
#[derive(PartialEq, Eq)]
struct TurnRow {
    source: i64,
    line: i64,
    at: Option<i64>,
    prompt: String,
}

fn write_turns(db: &Connection, session: i64, story: &Story, sources: &[i64]) -> rusqlite::Result<()> {
    let main = story.thread(ThreadId::MAIN);
    let turns: Vec<TurnRow> = main
        .map(|thread| thread.turns.iter().map(|turn| TurnRow::of(story, thread, turn, sources)).collect())
        .unwrap_or_default();
    let there: Vec<TurnRow> = db
        .prepare_cached("SELECT source, line, at, prompt FROM turn WHERE session = ? ORDER BY number")?
        .query_map([session], TurnRow::read)?
        .collect::<rusqlite::Result<_>>()?;
    // Conversations grow at the end, so the unchanged rows at the beginning stay.
    let same = turns.iter().zip(&there).take_while(|(one, other)| one == other).count();
    let same_number = i64::try_from(same).unwrap_or(i64::MAX);
    db.prepare_cached("DELETE FROM turn WHERE session = ? AND number > ?")?.execute([session, same_number])?;
    let mut insert =
        db.prepare_cached("INSERT INTO turn (session, number, source, line, at, prompt) VALUES (?, ?, ?, ?, ?, ?)")?;
    for (number, turn) in (1_i64..).zip(&turns).skip(same) {
        insert.execute(params![session, number, turn.source, turn.line, turn.at, turn.prompt])?;
    }
    db.prepare_cached("UPDATE session SET turn_rows = ? WHERE id = ?")?
        .execute(params![i64::try_from(turns.len()).unwrap_or(i64::MAX), session])?;
    Ok(())
}

impl TurnRow {
    fn of(story: &Story, thread: &Thread, turn: &story::Turn, sources: &[i64]) -> Self {
        let mut steps = story.steps(thread, turn).map(|(_, step)| step);
        let first = steps.next();
        let span = first.and_then(|step| story.span(step.place.line));
        let source = span.and_then(|span| sources.get(span.source.index()));
        let mut prompts = first.into_iter().chain(steps).filter_map(|step| match &step.kind {
            StepKind::Prompt(prompt) => Some(&*prompt.preview),
            _ => None,
        });
        Self {
            source: source.copied().unwrap_or_default(),
            line: span.map_or(0, |span| span.number.into()),
            at: turn.started,
            prompt: prompts.next().unwrap_or_default().to_owned(),
        }
    }

    fn read(row: &Row<'_>) -> rusqlite::Result<Self> {
        Ok(Self { source: row.get(0)?, line: row.get(1)?, at: row.get(2)?, prompt: row.get(3)? })
    }
}

fn write_agents(db: &Connection, session: i64, story: &Story, sources: &[i64]) -> rusqlite::Result<()> {
    db.prepare_cached("DELETE FROM agent WHERE session = ?")?.execute([session])?;
    for (id, thread) in story.threads() {
        let ThreadKind::Agent(agent) = &thread.kind else { continue };
        if agent.hidden {
            continue;
        }
        let file = story.sources().zip(sources).find(|(source, _)| match &source.role {
            Role::Agent { id, .. } => *id == agent.id,
            Role::Main | Role::Earlier | Role::Capture | Role::Journal(_) | Role::Elsewhere | Role::Prompts => false,
        });
        let parent = thread
            .origin
            .map(|origin| origin.thread)
            .filter(|parent| story.thread(*parent).is_some_and(|thread| matches!(thread.kind, ThreadKind::Agent(_))));
        let number = |id: ThreadId| i64::try_from(id.index()).unwrap_or(i64::MAX);
        let (mut calls, mut failed) = (0_u32, 0_u32);
        for step in thread.steps.iter().filter_map(|step| story.step(*step)) {
            if let StepKind::Call(call) = &step.kind
                && story.is_counted(call)
            {
                calls += 1;
                failed += u32::from(call.state == CallState::Failed);
            }
        }
        db.prepare_cached(
            "INSERT INTO agent (session, number, name, source, parent, turn, kind, description, first, last, calls,
                failed, tokens, cost, cost_quality)
             VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0, 0, 0)",
        )?
        .execute(params![
            session,
            number(id),
            agent.id,
            file.map(|(_, source)| *source),
            parent.map(number),
            turn_of(story, id),
            agent.agent_type.as_deref(),
            agent.description.as_deref(),
            thread.turns.first().and_then(|turn| turn.started),
            thread.turns.last().and_then(|turn| turn.ended),
            calls,
            failed,
        ])?;
    }
    Ok(())
}

/// The number of the turn in which a thread was started, from 1.
fn turn_of(story: &Story, mut id: ThreadId) -> Option<i64> {
    // Agents start agents, but damaged data could form a loop.
    for _ in 0..100 {
        let origin = story.thread(id)?.origin?;
        if origin.thread == ThreadId::MAIN {
            let main = story.thread(ThreadId::MAIN)?;
            let step = origin.step?;
            let at = main.steps.iter().position(|it| *it == step)?;
            let turn = main.turns.iter().position(|turn| turn.steps.contains(&at))?;
            return i64::try_from(turn + 1).ok();
        }
        id = origin.thread;
    }
    None
}

/// The usage of a session and its agents.
pub(crate) struct Bill(Summary);

impl Bill {
    pub(crate) fn of(ledger: &SessionLedger, prices: &Prices) -> Self {
        Self(ledger.summary(prices))
    }

    pub(crate) fn write(&self, db: &Connection, session: i64) -> rusqlite::Result<()> {
        let (tokens, cost, quality) = row(&self.0.totals);
        db.prepare_cached("UPDATE session SET tokens = ?2, cost = ?3, cost_quality = ?4 WHERE id = ?1")?
            .execute(params![session, tokens, cost, quality])?;
        // Update single rows by key: a statement that changes several rows makes the full-text table flush its buffer.
        let mut agents =
            db.prepare_cached("SELECT number, name, tokens, cost, cost_quality FROM agent WHERE session = ?")?;
        let mut rows = agents.query([session])?;
        while let Some(agent) = rows.next()? {
            let (number, name): (i64, String) = (agent.get(0)?, agent.get(1)?);
            let known: (i64, i64, i64) = (agent.get(2)?, agent.get(3)?, agent.get(4)?);
            let (tokens, cost, quality) = self.0.by_agent.get(name.as_str()).map_or((0, 0, 0), row);
            if (tokens, cost, quality) == known {
                continue;
            }
            db.prepare_cached(
                "UPDATE agent SET tokens = ?3, cost = ?4, cost_quality = ?5 WHERE session = ?1 AND number = ?2",
            )?
            .execute(params![session, number, tokens, cost, quality])?;
        }
        Ok(())
    }
}

impl From<Summary> for Bill {
    fn from(summary: Summary) -> Self {
        Self(summary)
    }
}

fn row(totals: &Totals) -> (i64, i64, i64) {
    let used = Used::of(totals);
    let picodollars = i64::try_from(used.cost.picodollars()).unwrap_or(i64::MAX);
    (used.tokens.cast_signed(), picodollars, used.quality())
}
