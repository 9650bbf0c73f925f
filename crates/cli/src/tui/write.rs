//! Writes a session to a file: a page to open in the browser, or a page or Markdown file in the current folder.

use std::collections::BTreeSet;
use std::io::{BufWriter, Write};
use std::path::Path;

use crate::failure::{CommandError, Context as _};
use app::{App, Settings};
use content::Selection;
use output::NewFile;
use page::{LedgerView, PageOptions, write_page};
use reader::SessionReader;
use redact::Decisions;
use render::github::{Figures, Images, Placing, write_markdown};
use site::{ShareError, ShareForm, share};
use sources::FileKey;
use story::{Detail, SessionStatus};

use crate::browser;
use crate::redaction::unused_name;
use crate::terminal::{clean, plural};

/// The format and destination of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    /// A page in a temporary folder, opened in the browser.
    Browser,
    /// A page in the current folder.
    Page,
    /// Markdown in the current folder.
    Markdown,
    /// A page in the current folder, without secrets and private things.
    Shared,
}

/// Writes a session without its secrets into the current folder, and returns a notice for the user.
fn write_shared(app: &App, main: &FileKey) -> Result<String, CommandError> {
    let missing = || CommandError::io(format!("no longer there: {}", main.path.display()));
    let source = app.session_at(main).ok_or_else(missing)?;
    let shared = share(app, &source, &BTreeSet::new(), &mut |_| Decisions::default(), &|_| {});
    let mut shared = match shared {
        Ok(shared) => shared,
        Err(ShareError::Undecided(undecided)) => {
            let number = plural(undecided.ids.len() as u64, "value is likely a secret", "values are likely secrets");
            let name = source.name().unwrap_or("SESSION");
            return Ok(clean(&format!("nothing written: {number}; recount share {name} --review")).into_owned());
        }
        Err(error) => return Err(error.into()),
    };
    let path = unused_name(&shared.file_stem(), ShareForm::Html.ending());
    let shown = clean(&path.display().to_string()).into_owned();
    let written = shared.write_file(app, ShareForm::Html, Detail::Steps, &path);
    written.with_context(|| format!("cannot write: {shown}"))?;
    let replaced = shared.report.findings.iter().map(|finding| finding.replaced).sum();
    Ok(format!("written: {shown}, {}", plural(replaced, "place replaced", "places replaced")))
}

/// Writes the session with this id, and returns a notice for the user.
pub(crate) fn write(
    app: &App,
    reader: &mut SessionReader,
    id: &str,
    (main, form): (&FileKey, Form),
    status: SessionStatus,
) -> Result<String, CommandError> {
    /// The length of the beginning of an id that names a file.
    const LENGTH: usize = 8;
    let name: String = id.chars().filter(|c| c.is_ascii_alphanumeric() || *c == '-').take(60).collect();
    let short: String = name.chars().take(LENGTH).collect();
    let stem = if short.is_empty() { "session" } else { &short };
    let shown = |path: &Path| clean(&path.display().to_string()).into_owned();
    let (path, fill): (_, Fill) = match form {
        Form::Shared => return write_shared(app, main),
        Form::Browser => {
            let (path, file) = app.new_page(&format!("session-{name}"))?;
            let mut out = BufWriter::new(file);
            let written = page(app, &mut out, reader, status);
            written.and_then(|()| Ok(out.flush()?)).with_context(|| format!("cannot write {}", shown(&path)))?;
            browser::start(&path)?;
            return Ok(format!("opened in the browser: {}", shown(&path)));
        }
        Form::Page => (unused_name(stem, "html"), page),
        Form::Markdown => (unused_name(stem, "md"), markdown),
    };
    let mut out = NewFile::create_new(&path)?;
    fill(app, &mut out, reader, status)?;
    out.finish()?;
    Ok(format!("written: {}", shown(&path)))
}

/// Writes a session in one format.
type Fill = fn(&App, &mut dyn Write, &mut SessionReader, SessionStatus) -> Result<(), CommandError>;

fn page(app: &App, out: &mut dyn Write, reader: &mut SessionReader, status: SessionStatus) -> Result<(), CommandError> {
    let settings = app.settings()?;
    let Settings { prices, locale, .. } = settings;
    let bill = settings.bill(reader);
    let ledger = reader.ledger().and_then(|ledger| LedgerView::of(&ledger.summary(prices), bill, locale));
    let (story, texts) = reader.parts();
    let sources = texts.labels();
    let (locale, status) = (locale.clone(), Some(status));
    let options = PageOptions { sources: &sources, ledger, locale, status, ..PageOptions::default() };
    Ok(write_page(out, story, texts, &options)?)
}

fn markdown(
    app: &App,
    out: &mut dyn Write,
    reader: &mut SessionReader,
    status: SessionStatus,
) -> Result<(), CommandError> {
    let settings = app.settings()?;
    let bill = settings.bill(reader);
    let figures = Figures { locale: &settings.locale, bill: &bill, status: Some(status) };
    let (story, texts) = reader.parts();
    let mut placing = Placing::new(Images::Omit, |_: &str, _: &[u8]| Ok(None));
    Ok(write_markdown(out, story, texts, &Selection::default(), &mut placing, &figures)?)
}
