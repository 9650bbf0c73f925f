//! The export itself: writes missing pages, keeps current ones, and removes stale ones.

mod found;
mod search;

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::io;
use std::path::Path;
use std::sync::Mutex;

use app::{App, SessionFilter, Settings};
use content::{Bill, Listed, Selection, Threads};
use human::Locale;
use ledger::Summary;
use page::{Dress, LedgerView, PageOptions, write_index, write_page_in_parts};
use rayon::prelude::*;
use reader::{Counting, RedactionError, SearchedSession, SessionReader, Surroundings, Texts};
use redact::{Category, Decisions, Findings, Replacer, Report};
use render::github::{Figures, Images, Placing, write_markdown, write_markdown_index};
use sources::FileKey;
use sources::FoundSources;
use sources::Neighbours;
use sources::Problem;
use sources::Source;
use sources::files_of_session;
use sources::naming::SessionNames;
use sources::sessions_of;
use story::step::{Delivery, PromptKind, StepKind};
use story::{Detail, Ending, SessionStatus, Story};
use wire::JsonLayout;
use wire::show::{SessionFigures, write_json};

use crate::folder::{Folder, SiteError};
use crate::name;
use crate::parts::PartFiles;
use crate::record::{Made, Record, Stamp, place_of};
use found::{Sources, hash_of};
use search::Search;

/// The default size of one page of a session: a browser loads that immediately.
pub const PART_BYTES: usize = 4_000_000;

/// The options of an export.
#[derive(Debug, Clone)]
pub struct Wish {
    /// The output format.
    pub form: Form,
    /// The level of detail.
    pub detail: Detail,
    /// The sessions to export.
    pub filter: SessionFilter,
    /// Whether every page contains its style and script.
    pub inline: bool,
    /// The approximate size of one page of a session; the rest goes into further files that it loads.
    pub part_bytes: usize,
    /// How many sessions are exported in parallel.
    pub threads: usize,
}

/// The output format.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// Pages.
    Html,
    /// GitHub-flavoured Markdown.
    Markdown,
    /// JSON documents.
    Json,
}

impl Form {
    const fn ending(self) -> &'static str {
        match self {
            Self::Html => "html",
            Self::Markdown => "md",
            Self::Json => "json",
        }
    }

    /// The file that lists all sessions.
    const fn index(self) -> &'static str {
        match self {
            Self::Html => "index.html",
            Self::Markdown => "README.md",
            Self::Json => "index.json",
        }
    }
}

/// The result of an export.
#[derive(Debug, Default)]
pub struct Exported {
    /// Sessions that were written.
    pub written: usize,
    /// Sessions that were up to date.
    pub unchanged: usize,
    /// Files that were removed because their sessions are gone.
    pub removed: usize,
    /// The sources that could not be read; the rest was exported.
    pub problems: Vec<Problem>,
    /// What was replaced, if anything was to be.
    pub report: Option<Report>,
}

/// Exports the sessions among what was found. Calls `on_total` with the number of bytes, then `on_bytes` with progress.
pub fn export(
    app: &App,
    all: &FoundSources,
    folder: &Path,
    wish: &Wish,
    on_total: &dyn Fn(u64),
    on_bytes: &(dyn Fn(u64) + Sync),
) -> Result<Exported, SiteError> {
    run(app, all, folder, wish, None, on_total, on_bytes)
}

/// Exports the sessions without their secrets and private things, and under the same names in all of them. `decide` is
/// asked about what was found; `keep` are categories that stay.
///
/// What is found in one session is replaced in all. Since a new session may have something that was in the others
/// unrecognised, all of them are written each time.
pub fn export_redacted(
    app: &App,
    all: &FoundSources,
    folder: &Path,
    wish: &Wish,
    (keep, decide): (&BTreeSet<Category>, Decide<'_>),
    on_total: &dyn Fn(u64),
    on_bytes: &(dyn Fn(u64) + Sync),
) -> Result<Exported, SiteError> {
    run(app, all, folder, wish, Some((keep, decide)), on_total, on_bytes)
}

/// Decides on what was found in sessions.
pub type Decide<'d> = &'d mut dyn FnMut(&Findings) -> Decisions;

fn run(
    app: &App,
    all: &FoundSources,
    folder: &Path,
    wish: &Wish,
    redaction: Option<(&BTreeSet<Category>, Decide<'_>)>,
    on_total: &dyn Fn(u64),
    on_bytes: &(dyn Fn(u64) + Sync),
) -> Result<Exported, SiteError> {
    let settings = app.settings()?;
    let (folder, before) = Folder::open(folder)?;
    // The options of an export may be private, and what is redacted is written each time.
    let made = if redaction.is_some() { String::new() } else { signature(wish, settings) };
    let is_same = before.made == made && redaction.is_none();
    let neighbours = Neighbours::of(all, HashMap::new());
    let (sessions, problems) = sessions_of(all, &neighbours);
    let surroundings = app.surroundings_of(&sessions, &SessionNames::of(all))?;
    let keys = sessions.iter().map(|session| session.input.key().unwrap_or_default());
    let surroundings = keys.zip(surroundings).collect();
    let around = Around { surroundings, neighbours, year: app.now()?.year() };
    let copied = app.all_copied();
    let found = Sources::of(&all.sources, &sessions, &copied);
    let mut exported = Exported { problems, ..Exported::default() };
    let mut searched = BTreeMap::new();
    let replacer = match redaction {
        Some((keep, decide)) => {
            on_total(sessions.iter().map(|source| source.size).sum());
            let search = Search { app, around: &around, filter: &wish.filter, on_bytes };
            let (found, replacer) = search.all(&sessions, keep, decide, &mut exported.problems)?;
            searched = found;
            Some(Mutex::new(replacer))
        }
        None => None,
    };
    let mut record = Record { made, ..Record::default() };
    let mut to_do = Vec::new();
    for (number, source) in sessions.iter().enumerate() {
        if replacer.is_some() {
            // The names of its files are private, and the next export does not ask for them.
            if searched.contains_key(&number) {
                to_do.push((number.to_string(), number, source));
            }
            continue;
        }
        let key = place_of(source).unwrap_or_else(|| source.input.to_string());
        // A session that runs or waits ends at some time, and its page says so.
        let has_same_state = |made: &Made| {
            made.files.is_empty() || made.listed.status() == Some(app.status_at(source, &made.id, &made.ending))
        };
        let is_current = |made: &&Made| {
            is_same
                && made.around == around.fingerprint(source)
                && found.is_current(source, made, &folder)
                && has_same_state(made)
        };
        match before.sessions.get(&key).filter(is_current) {
            Some(made) => {
                exported.unchanged += usize::from(!made.files.is_empty());
                record.sessions.insert(key, made.clone());
            }
            None if source.looks_like_transcript() => to_do.push((key, number, source)),
            None => {}
        }
    }
    on_total(to_do.iter().map(|(_, _, source)| source.size).sum());
    let work = Work { app, folder: &folder, wish, around, settings, found: &found, searched, replacer };
    let progress = Mutex::new((record, exported));
    let outcome = in_threads(wish.threads, || {
        to_do.par_iter().try_for_each(|(key, number, source)| {
            let made = work.session(*number, source, on_bytes);
            let mut progress = progress.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
            let (record, exported) = &mut *progress;
            match made {
                Ok((made, problems)) => {
                    exported.written += usize::from(!made.files.is_empty());
                    exported.problems.extend(problems);
                    record.sessions.insert(key.clone(), made);
                    Ok(())
                }
                Err(Obstacle::Unreadable(problem)) => {
                    exported.problems.push(problem);
                    Ok(())
                }
                // If one file cannot be written, the others cannot either.
                Err(Obstacle::Unwritable(error)) => Err(error),
            }
        })
    });
    let (mut record, mut exported) = into_inner(progress);
    record.shared = work.shared(&record)?;
    exported.report = work.replacer.map(|replacer| into_inner(replacer).report());
    // The record is saved even if the rest failed.
    let stale = remove_stale(&folder, &before, &record);
    folder.keep(&record)?;
    outcome?;
    exported.removed = stale?;
    Ok(exported)
}

fn into_inner<T>(mutex: Mutex<T>) -> T {
    mutex.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner)
}

/// The program, options and settings that wrote the export: other settings make other pages.
fn signature(wish: &Wish, settings: &Settings) -> String {
    let Wish { form, detail, filter, inline, part_bytes, threads: _ } = wish;
    let Locale { zone, is_zone_chosen, currency } = &settings.locale;
    let zone = zone.iana_name().unwrap_or("?");
    let prices = settings.price_key;
    let version = env!("CARGO_PKG_VERSION");
    let dress = Dress::fingerprint();
    format!(
        "recount {version} {form:?} {detail:?} {filter:?} {inline} {part_bytes} {dress} {zone} {is_zone_chosen} \
         {currency:?} {prices:x}"
    )
}

fn in_threads<T: Send>(jobs: usize, work: impl FnOnce() -> T + Send) -> T {
    match rayon::ThreadPoolBuilder::new().num_threads(jobs).build() {
        Ok(threads) => threads.install(work),
        // Falls back to the existing threads.
        Err(_) => work(),
    }
}

/// Removes files of an earlier export that are no longer current.
fn remove_stale(folder: &Folder, before: &Record, record: &Record) -> Result<usize, SiteError> {
    let files = |record: &Record| -> HashSet<String> {
        let made = record.sessions.values().flat_map(|made| made.files.iter());
        made.chain(&record.shared).cloned().collect()
    };
    let kept = files(record);
    let stale: Vec<String> = files(before).into_iter().filter(|name| !kept.contains(name)).collect();
    stale.iter().try_for_each(|name| folder.remove(name))?;
    Ok(stale.len())
}

/// Why a session was not written.
enum Obstacle {
    /// It cannot be read; the others can.
    Unreadable(Problem),
    /// Nothing can be written, or not without what was found.
    Unwritable(SiteError),
}

impl From<SiteError> for Obstacle {
    fn from(error: SiteError) -> Self {
        Self::Unwritable(error)
    }
}

/// What other sessions and the disk say about a session.
struct Around {
    surroundings: HashMap<FileKey, Surroundings>,
    neighbours: Neighbours,
    /// The present year, which texts about other years name.
    year: i16,
}

impl Around {
    fn of(&self, source: &Source) -> Surroundings {
        source.input.key().and_then(|key| self.surroundings.get(&key)).cloned().unwrap_or_default()
    }

    /// Changes when pages of the session change although its files do not.
    fn fingerprint(&self, source: &Source) -> u64 {
        let Surroundings { id, project, summaries, locale: _, now: _ } = self.of(source);
        let project = project.map(|(_, project)| (project.path, project.worktree));
        name::fingerprint(&(id, project, summaries, self.neighbours.summaries_beside(source), self.year))
    }
}

/// The state for exporting one session.
struct Work<'w> {
    app: &'w App,
    folder: &'w Folder,
    wish: &'w Wish,
    around: Around,
    settings: &'w Settings,
    found: &'w Sources<'w>,
    /// Of a redacted export, the sessions that are written, by their numbers.
    searched: BTreeMap<usize, SearchedSession>,
    replacer: Option<Mutex<Replacer>>,
}

/// A session as it is written.
struct Read {
    reader: SessionReader,
    problems: Vec<Problem>,
    from: Option<Vec<Stamp>>,
    bytes: u64,
}

/// What is shown of a session and does not stand in its story.
struct BesideStory<'b> {
    summary: Option<&'b Summary>,
    bill: &'b Bill,
    status: SessionStatus,
}

impl Work<'_> {
    /// Reads a session, without what was found in it if it is redacted.
    fn read(&self, number: usize, source: &Source, on_bytes: &dyn Fn(u64)) -> Result<Read, Obstacle> {
        let copied = self.found.copied(source);
        let counting = copied.cloned().map_or(Counting::BesideOthers, Counting::Except);
        if let Some(replacer) = &self.replacer {
            let gone = || SiteError::Redaction(RedactionError::Changed { label: source.input.to_string() });
            let searched = self.searched.get(&number).ok_or_else(gone)?;
            let mut replacer = replacer.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
            let redacted = searched.redact(&mut replacer, counting).map_err(SiteError::Redaction)?;
            on_bytes(source.size);
            let (reader, bytes) = (redacted.reader, searched.size());
            return Ok(Read { reader, problems: Vec::new(), from: None, bytes });
        }
        let files = files_of_session(source, &self.around.neighbours);
        let from: Option<Vec<Stamp>> = files.0.iter().map(|part| Stamp::of(&part.source)).collect();
        let bytes = files.0.iter().map(|part| part.source.size).sum();
        let (mut reader, problems) =
            SessionReader::of_files(source, files, counting, on_bytes).map_err(Obstacle::Unreadable)?;
        reader.add_summaries(&self.around.neighbours.summaries_beside(source));
        Ok(Read { reader: reader.surrounded_by(self.around.of(source)), problems, from, bytes })
    }

    /// Exports one session.
    fn session(
        &self,
        number: usize,
        source: &Source,
        on_bytes: &dyn Fn(u64),
    ) -> Result<(Made, Vec<Problem>), Obstacle> {
        let Read { mut reader, problems, from, bytes } = self.read(number, source, on_bytes)?;
        let copied = self.found.copied(source);
        let summary = reader.ledger().map(|ledger| ledger.summary(&self.settings.prices));
        let bill = self.settings.bill(&mut reader);
        let (story, texts) = reader.parts();
        let ending = Ending::of(story).reduced();
        let id = story.facts.session_id.as_deref().unwrap_or_default();
        let status = self.app.status_at(source, id, &ending);
        let listed = self.listed(source, story, bytes, &bill).in_state(status);
        let mut made = Made {
            from: from.unwrap_or_default(),
            around: if self.replacer.is_some() { 0 } else { self.around.fingerprint(source) },
            relatives: self.found.relatives(source),
            copied: hash_of(copied),
            files: Vec::new(),
            listed,
            id: id.to_owned(),
            ending,
        };
        // What is redacted was chosen before.
        if self.replacer.is_some() || self.wish.filter.wants_facts(&story.facts) {
            let name = made.listed.href.clone();
            let mut parts = PartFiles::new(self.folder, &name, self.wish.part_bytes);
            self.folder.write(&name, |out| {
                let beside = BesideStory { summary: summary.as_ref(), bill: &bill, status };
                self.write_page(out, &mut parts, story, texts, &beside)?;
                // The page comes last, so that its parts are already in place.
                parts.place()
            })?;
            made.files = parts.into_names();
            made.files.push(name);
        }
        Ok((made, problems))
    }

    fn listed(&self, source: &Source, story: &Story, bytes: u64, bill: &Bill) -> Listed {
        let facts = &story.facts;
        let project = facts.project.as_deref().unwrap_or_default();
        let path = place_of(source).unwrap_or_else(|| source.input.to_string());
        let stem = source.stem().unwrap_or_default();
        let (path, shown) = match &self.replacer {
            Some(replacer) => {
                let mut replacer = replacer.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
                (replacer.text(&path).into_owned(), replacer.id(&stem.to_string_lossy()).into_owned())
            }
            None => (path, stem.to_string_lossy().into_owned()),
        };
        let mut name = name::of_session(&shown, &path);
        if self.found.shared_names.contains(stem) {
            name = format!("{name}-{}", name::of_session("", &path));
        }
        Listed {
            href: format!("{}/{name}.{}", name::of_project(project), self.wish.form.ending()),
            title: facts.title.as_ref().map(|title| title.text.to_string()).unwrap_or_default(),
            project: project.to_owned(),
            branch: facts.branch.as_deref().map(str::to_owned),
            last: facts.last,
            turns: facts.counts.turns,
            failed: facts.counts.failed,
            cost: bill.session.map(|spent| self.settings.locale.cost(spent.cost)),
            bytes,
            prompts: prompts(story),
            ..Listed::default()
        }
    }

    fn write_page(
        &self,
        mut out: &mut dyn io::Write,
        parts: &mut PartFiles<'_>,
        story: &Story,
        texts: &mut Texts,
        beside: &BesideStory<'_>,
    ) -> io::Result<()> {
        let (detail, locale) = (self.wish.detail, &self.settings.locale);
        let &BesideStory { summary, bill, status } = beside;
        let selection = Selection { detail, threads: Threads::All, ..Selection::default() };
        match self.wish.form {
            Form::Html => {
                let sources = texts.labels();
                let dress = if self.wish.inline { Dress::page() } else { Dress::page().shared("../") };
                let index = Some("../index.html");
                write_page_in_parts(
                    out,
                    parts,
                    story,
                    texts,
                    &PageOptions {
                        detail,
                        selection: None,
                        sources: &sources,
                        ledger: summary.and_then(|summary| LedgerView::of(summary, bill.clone(), locale)),
                        status: Some(status),
                        locale: locale.clone(),
                        dress,
                        index,
                        ..PageOptions::default()
                    },
                )
            }
            Form::Markdown => {
                let mut placing = Placing::new(Images::Omit, |_: &str, _: &[u8]| Ok(None));
                let figures = Figures { locale, bill, status: Some(status) };
                write_markdown(out, story, texts, &selection, &mut placing, &figures)
            }
            Form::Json => {
                let sources = texts.labels();
                let figures = SessionFigures { bill, status };
                write_json(&mut out, story, texts, &sources, &figures, &selection, JsonLayout::Compact)
            }
        }
    }

    /// Writes the files that belong to no session; returns their names.
    fn shared(&self, record: &Record) -> Result<Vec<String>, SiteError> {
        let made = record.sessions.values().filter(|made| !made.files.is_empty());
        let sessions: Vec<Listed> = made.map(|made| made.listed.clone()).collect();
        let mut names = Vec::new();
        let mut index = Vec::new();
        let failed = |error| SiteError::Write { path: self.wish.form.index().into(), error };
        match self.wish.form {
            Form::Html => {
                let dress = if self.wish.inline { Dress::index() } else { Dress::index().shared("") };
                write_index(&mut index, &sessions, &dress, &self.settings.locale).map_err(failed)?;
                if !self.wish.inline {
                    for (name, content) in Dress::shared_files() {
                        self.folder.write_news(&name, content.as_bytes())?;
                        names.push(name);
                    }
                }
            }
            Form::Markdown => write_markdown_index(&mut index, &sessions, &self.settings.locale).map_err(failed)?,
            Form::Json => {
                serde_json::to_writer_pretty(&mut index, &sessions).map_err(|error| failed(error.into()))?;
                index.push(b'\n');
            }
        }
        self.folder.write_news(self.wish.form.index(), &index)?;
        names.push(self.wish.form.index().to_owned());
        Ok(names)
    }
}

/// The first words of the user's prompts.
fn prompts(story: &Story) -> Vec<String> {
    /// More would not help to find a session.
    const MOST: usize = 200;
    let Some((_, main)) = story.threads().next() else { return Vec::new() };
    let asked = main.steps.iter().filter_map(|step| match &story.step(*step)?.kind {
        StepKind::Prompt(prompt)
            if matches!(prompt.kind, PromptKind::Typed | PromptKind::Command { .. } | PromptKind::Plan)
                && prompt.delivery != Delivery::Undelivered
                && !prompt.preview.is_empty() =>
        {
            Some(prompt.preview.to_string())
        }
        _ => None,
    });
    asked.take(MOST).collect()
}
