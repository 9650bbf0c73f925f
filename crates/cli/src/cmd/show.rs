//! `recount show`: shows a session.

use std::fs;
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use app::App;
use content::Selection;
use content::Threads;
use page::{LedgerView, PageOptions, write_page};
use reader::SessionReader;
use reader::Texts;
use render::github::{Figures, Images, Placing, write_markdown};
use render::terminal::{TerminalLook, write_terminal};
use sources::Source;
use story::thread::ThreadKind;
use story::{Detail, Story, ThreadId};
use styled::Theme;
use wire::JsonLayout;
use wire::show::{SessionFigures, write_json};

use crate::browser;
use crate::failure::{self, CommandError};
use crate::flags::{self, JsonFlag, OutputFlag, SessionFlags, ToolFlag};
use crate::pager::Pager;
use crate::range::Range;
use crate::terminal::columns;

/// Show a session
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Show {
    /// Session id or prefix, file, `-` for standard input, `last`, `last~1`, or words of its title
    #[arg(value_name = "SESSION", value_parser = flags::session_word(), required = true)]
    session: Vec<String>,
    #[command(flatten)]
    how: How,
}

// How a session is shown. (A doc comment would become part of the help.)
#[derive(Debug, clap::Args)]
pub(crate) struct How {
    /// Output format
    #[arg(long, value_enum, default_value_t = Form::Terminal, value_name = "FORM")]
    format: Form,
    #[command(flatten)]
    json: JsonFlag,
    /// Level of detail; for pages, the initial level
    #[arg(long, value_enum, default_value_t = Level::Steps, value_name = "LEVEL")]
    detail: Level,
    /// Thread to show: `main`, `all`, an agent's id or name, or a number as shown
    #[arg(long, default_value = "main", value_name = "THREAD")]
    thread: String,
    /// Only these turns: 3..5, 3.., ..5, or 3
    #[arg(long, value_name = "N..M")]
    turn: Option<Range>,
    #[command(flatten)]
    sessions: SessionFlags,
    /// Omit thinking
    #[arg(long)]
    no_thinking: bool,
    #[command(flatten)]
    tools: ToolFlag,
    /// Print how each line was classified instead; the sum equals the number of lines
    #[arg(long)]
    accounting: bool,
    /// How to handle images in Markdown
    #[arg(long, value_enum, default_value_t = ImageChoice::Omit, value_name = "WHERE")]
    images: ImageChoice,
    #[command(flatten)]
    output: OutputFlag,
    /// Open in the browser
    #[arg(long)]
    open: bool,
    /// Do not use a pager
    #[arg(long)]
    no_pager: bool,
}

const EXAMPLES: &str = "\
Levels: prompts (your words, with failures counted), talk (plus replies and failures), steps
(plus one line per step), full (plus complete inputs and results), raw (plus bookkeeping and raw
lines). Your words are whole at every level.
--json is short for --format json, which docs/show-json.md describes. With --open and without
--output, the page is written to a temporary file. If a name matches several sessions, use
--project to choose one.
Exit codes: 0 shown; 2 wrong usage, or the session cannot be read.

Examples:
  recount show last
  recount show last --detail full --turn 3
  recount show 4c1e --thread all --tool Bash,Edit
  recount show last --format md --images files -o session.md
  recount show last --format html --open
  recount show retry logic --detail talk";

/// Output formats.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Form {
    /// Text for the terminal
    Terminal,
    /// GitHub-flavoured Markdown
    Md,
    /// Self-contained page; --detail sets its initial level
    Html,
    /// JSON for programs; docs/show-json.md describes its fields
    Json,
}

/// How images are handled in Markdown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum ImageChoice {
    /// Embed images in the document
    Embed,
    /// Write images to a folder beside the output file
    Files,
    /// Omit images
    Omit,
}

/// Levels of detail.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Level {
    Prompts,
    Talk,
    Steps,
    Full,
    Raw,
}

impl From<Level> for Detail {
    fn from(level: Level) -> Self {
        match level {
            Level::Prompts => Self::Prompts,
            Level::Talk => Self::Talk,
            Level::Steps => Self::Steps,
            Level::Full => Self::Full,
            Level::Raw => Self::Raw,
        }
    }
}

impl Show {
    pub(crate) fn run(self, app: &App) -> Result<ExitCode, CommandError> {
        let name = self.session.join(" ");
        let source = app.find_session(&name, &self.how.sessions.project_only(app))?;
        self.how.show(app, &source)
    }
}

impl How {
    /// Shows a session.
    pub(crate) fn show(&self, app: &App, source: &Source) -> Result<ExitCode, CommandError> {
        let form = self.form()?;
        let progress = app.progress(source.size);
        let read = SessionReader::counted(source, app.copied(source), &|bytes| progress.add(bytes));
        drop(progress);
        let (reader, problems) = read?;
        let mut reader = reader.surrounded_by(app.surroundings(source)?);
        problems.iter().for_each(failure::report_problem);
        let settings = app.settings()?;
        let locale = &settings.locale;
        let summary = reader.ledger().map(|ledger| ledger.summary(&settings.prices));
        let bill = settings.bill(&mut reader);
        let (story, texts) = reader.parts();
        if self.accounting {
            let mut out = self.output.open()?;
            write!(out, "{}", story.accounting())?;
            out.finish()?;
            return Ok(ExitCode::SUCCESS);
        }
        let selection = self.selection(app, story)?;
        let status = app.status_of(source, story);
        let output = OutputFlag { output: self.output_file(app, form, &story.facts.id)? };
        let is_shown_here = output.is_terminal();
        let look = TerminalLook {
            width: columns(),
            is_terminal: true,
            theme: None,
            locale: locale.clone(),
            bill,
            status: Some(status),
        };
        if is_shown_here && form == Form::Terminal && !self.no_pager {
            let look = TerminalLook { theme: flags::has_colors().then(Theme::default), ..look };
            let mut pager = Pager::start();
            let outcome = write_terminal(&mut pager, story, texts, &selection, &look);
            pager.finish(outcome)?;
            return Ok(ExitCode::SUCCESS);
        }
        let mut out = output.open_raw()?;
        match form {
            Form::Terminal => {
                let look = TerminalLook {
                    theme: output.has_colors().then(Theme::default),
                    is_terminal: is_shown_here,
                    ..look
                };
                write_terminal(&mut out, story, texts, &selection, &look)?;
            }
            Form::Md => {
                self.write_markdown(
                    &mut out,
                    story,
                    texts,
                    &selection,
                    &Figures { locale, bill: &look.bill, status: Some(status) },
                )?;
            }
            Form::Html => {
                let sources = texts.labels();
                let options = PageOptions {
                    detail: self.detail.into(),
                    selection: Some(&selection),
                    sources: &sources,
                    ledger: summary.as_ref().and_then(|summary| LedgerView::of(summary, look.bill.clone(), locale)),
                    status: Some(status),
                    locale: locale.clone(),
                    ..PageOptions::default()
                };
                write_page(&mut out, story, texts, &options)?;
            }
            Form::Json => {
                let layout = if is_shown_here { JsonLayout::Pretty } else { JsonLayout::Compact };
                let sources = texts.labels();
                let figures = SessionFigures { bill: &look.bill, status };
                write_json(&mut out, story, texts, &sources, &figures, &selection, layout)?;
            }
        }
        out.finish()?;
        if let Some(path) = output.output.filter(|_| self.open) {
            browser::open(&path)?;
        }
        Ok(ExitCode::SUCCESS)
    }

    /// Returns the output format: `--json` is short for `--format json`.
    fn form(&self) -> Result<Form, CommandError> {
        match (self.json.json, self.format) {
            (false, form) => Ok(form),
            (true, Form::Terminal | Form::Json) => Ok(Form::Json),
            (true, Form::Md | Form::Html) => {
                Err(CommandError::usage("--json means --format json and cannot be combined with another format"))
            }
        }
    }

    /// Returns the output file, if there is one.
    fn output_file(&self, app: &App, form: Form, session: &str) -> Result<Option<PathBuf>, CommandError> {
        if self.open && form != Form::Html {
            return Err(CommandError::usage("--open works only for pages").hint("add --format html"));
        }
        let named = &self.output.output;
        if named.is_some() || !self.open {
            return Ok(named.clone());
        }
        let name: String = session.chars().filter(|c| c.is_ascii_alphanumeric() || *c == '-').take(60).collect();
        Ok(Some(app.new_page(&format!("session-{name}"))?.0))
    }

    fn write_markdown(
        &self,
        out: &mut dyn Write,
        story: &Story,
        texts: &mut Texts,
        selection: &Selection,
        figures: &Figures<'_>,
    ) -> Result<(), CommandError> {
        let images = match self.images {
            ImageChoice::Embed => Images::Embed,
            ImageChoice::Files => Images::Files,
            ImageChoice::Omit => Images::Omit,
        };
        let folder = self.output.output.as_ref().map(|path| path.with_extension("images"));
        if images == Images::Files && folder.is_none() {
            return Err(CommandError::usage("--images files needs an output file").hint("name it with --output"));
        }
        let mut placing = Placing::new(images, |name: &str, bytes: &[u8]| {
            let Some(folder) = &folder else { return Ok(None) };
            fs::create_dir_all(folder)?;
            output::write(&folder.join(name), bytes)?;
            let beside = folder.file_name().and_then(|name| name.to_str()).unwrap_or_default();
            Ok(Some(format!("{beside}/{name}")))
        });
        write_markdown(out, story, texts, selection, &mut placing, figures)?;
        Ok(())
    }

    fn selection(&self, app: &App, story: &Story) -> Result<Selection, CommandError> {
        let (since, until) = self.sessions.period(app)?;
        Ok(Selection {
            detail: self.detail.into(),
            thinking: !self.no_thinking,
            tools: (!self.tools.tools.is_empty()).then(|| self.tools.tools.clone()),
            threads: threads(&self.thread, story)?,
            turns: self.turn.as_ref().map(|Range(turns)| turns.clone()),
            since,
            until,
        })
    }
}

/// Resolves `--thread` to threads of the story.
fn threads(name: &str, story: &Story) -> Result<Threads, CommandError> {
    match name {
        "main" => return Ok(Threads::Main),
        "all" => return Ok(Threads::All),
        _ => {}
    }
    let number = name.parse().ok();
    let fits = |(id, thread): &(ThreadId, &story::Thread)| {
        let is_named = match &thread.kind {
            ThreadKind::Agent(agent) => agent.id.starts_with(name) || agent.name.as_deref() == Some(name),
            ThreadKind::Main | ThreadKind::Branch => false,
        };
        Some(id.index()) == number || is_named
    };
    let mut fitting = story.threads().filter(fits);
    match (fitting.next(), fitting.next()) {
        (Some((id, _)), None) => Ok(Threads::One(id)),
        (Some(_), Some(_)) => {
            Err(CommandError::usage(format!("several threads match: {name}")).hint("--thread all shows their numbers"))
        }
        (None, _) => {
            let threads = human::counted(story.threads().len() as u64, "thread", "threads");
            let message = format!("no such thread: {name}; the session has {threads}");
            Err(CommandError::usage(message).hint("--thread all shows them with their numbers"))
        }
    }
}
