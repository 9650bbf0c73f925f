//! Search without the index: reads all sessions, on all cores.

use app::parallel::read_all;
use app::{App, AppError};
use content::main_thread;
use index::search::scan::{Scan, Scanner, Shown};
use index::search::{Needle, Search, SessionHits};
use reader::{SessionReader, Surroundings};
use sources::FoundSources;
use sources::Problem;
use sources::Source;
use sources::naming::SessionNames;
use story::thread::ThreadKind;
use story::{Span, StepId, Story, Thread};

use super::Outcome;

/// Searches all sources.
pub(super) fn look(
    app: &App,
    needle: Needle<'_>,
    question: &Search<'_>,
    found: &FoundSources,
    counts: bool,
) -> Result<(Outcome, Vec<Problem>), AppError> {
    let (sources, names) = (found.sources.as_slice(), SessionNames::of(found));
    let scan = Scan {
        needle,
        conditions: question.conditions,
        columns: question.columns,
        cut: question.cut,
        kept: question.per_session,
        names: Some(&names),
    };
    let (scanned, problems) = read_all(app, sources, None, || Scanner::new(scan))?;
    if counts {
        return Ok((Outcome::Count(scanned.count(question.conditions)), problems));
    }
    let shown = Shown { limit: question.limit, per_session: question.per_session };
    let mut hits = scanned.hits(question.conditions, shown);
    for group in &mut hits.sessions {
        let source = sources.iter().find(|source| source.input.path() == Some(&group.session.path));
        if let Some(source) = source {
            let (locale, now) = (app.locale()?.clone(), app.timestamp().as_millisecond());
            look_up(group, source, Surroundings { locale, now, ..Surroundings::default() });
        }
    }
    Ok((Outcome::Hits(hits), problems))
}

/// Builds the story of the session to find its title, the turns of hits and details about agents.
fn look_up(group: &mut SessionHits, source: &Source, surroundings: Surroundings) {
    let Ok((reader, _)) = SessionReader::of(source, &|_| {}) else { return };
    let mut reader = reader.surrounded_by(surroundings);
    let (story, texts) = reader.parts();
    if let Some(title) = &story.facts.title {
        (group.session.title, group.session.title_source) = (title.text.to_string(), title.source);
    }
    let files = texts.labels();
    let Some(main) = story.thread(main_thread(story)) else { return };
    let turn_of_step = |step: StepId| {
        let at = main.steps.iter().position(|other| *other == step)?;
        Some(main.turns.iter().position(|turn| turn.steps.contains(&at))? as u64 + 1)
    };
    for hit in &mut group.hits {
        if let Some(agent) = &mut hit.agent {
            let thread = story
                .threads()
                .map(|(_, thread)| thread)
                .find(|thread| matches!(&thread.kind, ThreadKind::Agent(info) if *info.id == *agent.name));
            if let Some(ThreadKind::Agent(info)) = thread.map(|thread| &thread.kind) {
                agent.kind = info.agent_type.as_deref().map(str::to_owned);
                agent.description = info.description.as_deref().map(str::to_owned);
            }
            hit.turn = thread.and_then(|thread| started_by(story, thread)).and_then(turn_of_step);
            continue;
        }
        let path = hit.path.to_string_lossy();
        for (number, turn) in main.turns.iter().enumerate() {
            let first = main.steps.get(turn.steps.start).and_then(|step| story.step(*step));
            let span = first.and_then(|step| story.span(step.place.line));
            let is_before = |span: &Span| {
                files.get(span.source.index()).is_some_and(|file| *file == path) && u64::from(span.number) <= hit.line
            };
            if span.as_ref().is_some_and(is_before) {
                hit.turn = Some(number as u64 + 1);
            }
        }
    }
}

/// Returns the step of the main conversation that started an agent, through any number of agents in between.
fn started_by(story: &Story, thread: &Thread) -> Option<StepId> {
    let mut origin = thread.origin?;
    for _ in 0..story.threads().len() {
        if origin.thread == main_thread(story) {
            return origin.step;
        }
        origin = story.thread(origin.thread)?.origin?;
    }
    None
}
