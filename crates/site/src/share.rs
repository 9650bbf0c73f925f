//! One session without its secrets and private things, in any form.
//!
//! Pages, documents and lines are made of the redacted lines ([`reader::redacted`]); nothing here sees the session as it
//! was. Nothing can be written before each likely secret is decided on.

use std::collections::BTreeSet;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use app::{App, AppError, RedactSessionError, Settings};
use content::{Selection, Threads};
use output::NewFile;
use page::{LedgerView, PageOptions, write_page};
use reader::{Counting, RedactedSession, SessionReader};
use redact::{Category, Decisions, Findings, Report, Scanner, Tracer, Undecided};
use render::github::{Figures, Images, Placing, write_markdown};
use sources::{Problem, Source};
use story::Detail;
use wire::JsonLayout;
use wire::show::{SessionFigures, write_json};

/// The form of a shared session.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ShareForm {
    /// A self-contained page.
    Html,
    /// GitHub-flavoured Markdown.
    Markdown,
    /// JSON for programs.
    Json,
    /// Its lines: a valid transcript.
    Lines,
}

impl ShareForm {
    /// All forms.
    pub const ALL: [Self; 4] = [Self::Html, Self::Markdown, Self::Json, Self::Lines];

    /// The ending of its files, by which it is known on the command line and in addresses.
    pub const fn ending(self) -> &'static str {
        match self {
            Self::Html => "html",
            Self::Markdown => "md",
            Self::Json => "json",
            Self::Lines => "jsonl",
        }
    }

    /// Its media type.
    pub const fn media_type(self) -> &'static str {
        match self {
            Self::Html => "text/html; charset=utf-8",
            Self::Markdown => "text/markdown; charset=utf-8",
            Self::Json => "application/json",
            Self::Lines => "application/jsonl; charset=utf-8",
        }
    }
}

/// Why a session is not shared.
#[derive(Debug, thiserror::Error)]
pub enum ShareError {
    /// It cannot be searched.
    #[error(transparent)]
    Search(#[from] RedactSessionError),
    /// Likely secrets need a decision.
    #[error(transparent)]
    Undecided(Box<Undecided>),
}

impl From<AppError> for ShareError {
    fn from(error: AppError) -> Self {
        Self::Search(error.into())
    }
}

/// A session that may leave this machine.
#[derive(Debug)]
pub struct Shared {
    session: RedactedSession,
    source: Source,
    /// What was replaced, and where.
    pub report: Report,
    /// Files that could not be read and are left out.
    pub problems: Vec<Problem>,
}

/// Reads a session without its secrets. `decide` is asked about what was found; `keep` are categories that stay. Calls
/// `on_bytes` with progress from time to time.
pub fn share(
    app: &App,
    source: &Source,
    keep: &BTreeSet<Category>,
    decide: &mut dyn FnMut(&Findings) -> Decisions,
    on_bytes: &dyn Fn(u64),
) -> Result<Shared, ShareError> {
    let detector = app.detector(keep)?;
    let mut scanner = Scanner::new(&detector);
    let searched = app.search_session(&mut scanner, source, on_bytes)?;
    let findings = scanner.finish();
    let decisions = decide(&findings);
    let mut tracer = Tracer::new(findings, &decisions).map_err(ShareError::Undecided)?;
    let failed = |error| ShareError::Search(RedactSessionError::Redaction(error));
    searched.trace(&mut tracer).map_err(failed)?;
    let mut replacer = tracer.finish();
    let counting = app.copied(source).map_or(Counting::BesideOthers, Counting::Except);
    let session = searched.redact(&mut replacer, counting).map_err(failed)?;
    let problems = searched.into_problems();
    Ok(Shared { session, source: source.clone(), report: replacer.report(), problems })
}

impl Shared {
    /// A name for its file, from the beginning of its id.
    pub fn file_stem(&mut self) -> String {
        const LENGTH: usize = 8;
        let (story, _) = self.session.reader.parts();
        let plain = story.facts.id.chars().filter(|c| c.is_ascii_alphanumeric() || *c == '-');
        let stem: String = plain.take(LENGTH).collect();
        if stem.is_empty() { "session".to_owned() } else { stem }
    }

    /// Writes the session in one piece. The lines are those of its own file, without those of its agents.
    pub fn write(&mut self, app: &App, form: ShareForm, detail: Detail, mut out: &mut dyn Write) -> io::Result<()> {
        if form == ShareForm::Lines {
            return self.session.write_lines(out);
        }
        let settings = app.settings().map_err(io::Error::other)?;
        let Settings { prices, locale, .. } = settings;
        let reader = &mut self.session.reader;
        let summary = reader.ledger().map(|ledger| ledger.summary(prices));
        let bill = settings.bill(reader);
        let (story, texts) = reader.parts();
        let status = app.status_of(&self.source, story);
        let selection = Selection { detail, threads: Threads::All, ..Selection::default() };
        let sources = texts.labels();
        match form {
            ShareForm::Html => {
                let options = PageOptions {
                    detail,
                    sources: &sources,
                    ledger: summary.as_ref().and_then(|summary| LedgerView::of(summary, bill, locale)),
                    status: Some(status),
                    locale: locale.clone(),
                    ..PageOptions::default()
                };
                write_page(out, story, texts, &options)
            }
            ShareForm::Markdown => {
                let mut placing = Placing::new(Images::Omit, |_: &str, _: &[u8]| Ok(None));
                let figures = Figures { locale, bill: &bill, status: Some(status) };
                write_markdown(out, story, texts, &selection, &mut placing, &figures)
            }
            ShareForm::Json => {
                let figures = SessionFigures { bill: &bill, status };
                write_json(&mut out, story, texts, &sources, &figures, &selection, JsonLayout::Compact)
            }
            ShareForm::Lines => Ok(()),
        }
    }

    /// Writes the session to a file, which is put in place whole. Lines of agents and large outputs come into the folder
    /// beside it, from where they are read again. Returns the files.
    pub fn write_file(&mut self, app: &App, form: ShareForm, detail: Detail, path: &Path) -> io::Result<Vec<PathBuf>> {
        let mut written = Vec::new();
        if form == ShareForm::Lines {
            let folder = path.with_extension("");
            for (name, file) in self.session.files_beside() {
                if folder == path {
                    let message = "the lines of its agents need a folder beside it; name a file with an ending: .jsonl";
                    return Err(io::Error::new(io::ErrorKind::InvalidInput, message));
                }
                let path = folder.join(name);
                put(&path, |out| file.write(out))?;
                written.push(path);
            }
        }
        put(path, |out| self.write(app, form, detail, out))?;
        written.insert(0, path.to_path_buf());
        Ok(written)
    }

    /// Its story without what was replaced.
    pub fn reader(&mut self) -> &mut SessionReader {
        &mut self.session.reader
    }

    /// The lines of its own file, to be read.
    pub fn lines(&self) -> io::Result<impl io::Read + '_> {
        self.session.lines()
    }

    /// How many files of the session are not in its own lines: those of its agents, and large outputs.
    pub fn files_beside(&self) -> usize {
        self.session.files_beside().len()
    }
}

/// Writes a file as a whole, in a folder that need not exist.
fn put(path: &Path, fill: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    let mut out = NewFile::create(path)?;
    fill(&mut out)?;
    out.finish()
}
