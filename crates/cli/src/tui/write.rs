//! Writes a session to a file: a page to open in the browser, or a page or Markdown file in the current folder.

use std::io::{BufWriter, Write};
use std::path::PathBuf;

use crate::failure::{CommandError, Context as _};
use app::{App, Settings};
use content::Selection;
use output::NewFile;
use page::{LedgerView, PageOptions, write_page};
use reader::SessionReader;
use render::github::{Figures, Images, Placing, write_markdown};
use story::SessionStatus;

use crate::browser;
use crate::terminal::clean;

/// The format and destination of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    /// A page in a temporary folder, opened in the browser.
    Browser,
    /// A page in the current folder.
    Page,
    /// Markdown in the current folder.
    Markdown,
}

/// Writes the session with this id, and returns a notice for the user.
pub(crate) fn write(
    app: &App,
    reader: &mut SessionReader,
    id: &str,
    form: Form,
    status: SessionStatus,
) -> Result<String, CommandError> {
    let name: String = id.chars().filter(|c| c.is_ascii_alphanumeric() || *c == '-').take(60).collect();
    let shown = |path: &PathBuf| clean(&path.display().to_string()).into_owned();
    if form == Form::Browser {
        let (path, file) = app.new_page(&format!("session-{name}"))?;
        let mut out = BufWriter::new(file);
        let written = page(app, &mut out, reader, status);
        written.and_then(|()| Ok(out.flush()?)).with_context(|| format!("cannot write {}", shown(&path)))?;
        browser::start(&path)?;
        return Ok(format!("opened in the browser: {}", shown(&path)));
    }
    let path = unused(&name, if form == Form::Page { "html" } else { "md" });
    let mut out = NewFile::create_new(&path)?;
    match form {
        Form::Browser | Form::Page => page(app, &mut out, reader, status)?,
        Form::Markdown => markdown(app, &mut out, reader, status)?,
    }
    out.finish()?;
    Ok(format!("written: {}", shown(&path)))
}

/// A name for a new file, after the beginning of an id, that no file has.
fn unused(id: &str, ending: &str) -> PathBuf {
    const LENGTH: usize = 8;
    let short: String = id.chars().take(LENGTH).collect();
    let stem = if short.is_empty() { "session".to_owned() } else { short };
    let mut path = PathBuf::from(format!("{stem}.{ending}"));
    let mut number = 1;
    while path.symlink_metadata().is_ok() {
        number += 1;
        path = PathBuf::from(format!("{stem}-{number}.{ending}"));
    }
    path
}

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
