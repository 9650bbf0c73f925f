//! `recount show`: a session told.

use std::fs::{self, File};
use std::io::{self, BufWriter, IsTerminal as _, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anstream::ColorChoice;
use content::Selection;
use content::Threads;
use jiff::tz::TimeZone;
use jiff::{Timestamp, Zoned};
use ledger::Prices;
use page::{LedgerView, PageOptions, write_page};
use reader::Telling;
use reader::Texts;
use reader::find_session;
use render::github::{Images, Placing, write_markdown};
use render::terminal::{Look, write_terminal};
use sources::Environment;
use sources::Source;
use sources::roots;
use story::thread::ThreadKind;
use story::{Detail, Story, ThreadId};
use styled::Theme;
use wire::JsonLayout;
use wire::show::write_json;

use crate::browser;
use crate::failure::{self, FOUND_FAULT};
use crate::moment::{self, End};
use crate::pager::Pager;
use crate::progress::Progress;
use crate::range::Range;
use crate::terminal::columns;

/// Tell a session again: what was asked, said and done
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Show {
    /// An id or the beginning of one, a file, `-` for standard input, `last`, `last~1`, or words of its title
    #[arg(value_name = "SESSION", required = true)]
    session: Vec<String>,
    #[command(flatten)]
    how: How,
    /// Look for the session in this config root too (may be repeated)
    #[arg(long = "root", value_name = "DIR")]
    roots: Vec<PathBuf>,
}

// How a session is told. (A doc comment would become part of the help.)
#[derive(Debug, clap::Args)]
pub(crate) struct How {
    /// In which form
    #[arg(long, value_enum, default_value_t = Form::Terminal, value_name = "FORM")]
    format: Form,
    /// How much is told
    #[arg(long, value_enum, default_value_t = Level::Steps, value_name = "LEVEL")]
    detail: Level,
    /// Which thread: `main`, `all`, an agent by its id or name, or a number as shown
    #[arg(long, default_value = "main", value_name = "THREAD")]
    thread: String,
    /// Only these turns: 3..5, 3.., ..5, or 3
    #[arg(long, value_name = "N..M")]
    turn: Option<Range>,
    /// Only from this time on: 2026-08-08T09:15:00Z, 2026-08-08, or 2h, 3d ago
    #[arg(long, value_name = "TIME")]
    since: Option<String>,
    /// Only up to this time; a date includes the whole day
    #[arg(long, value_name = "TIME")]
    until: Option<String>,
    /// Leave out what the model thought
    #[arg(long)]
    no_thinking: bool,
    /// Only calls of these tools, by any of their names
    #[arg(long, value_delimiter = ',', value_name = "NAME,…")]
    tools: Vec<String>,
    /// Print what became of every line instead: the sum is the number of lines
    #[arg(long)]
    accounting: bool,
    /// What becomes of images in Markdown
    #[arg(long, value_enum, default_value_t = ImageChoice::Omit, value_name = "WHERE")]
    images: ImageChoice,
    /// Write to this file instead
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Open the page in the browser; without --output, it is written to a temporary file
    #[arg(long)]
    open: bool,
    /// Do not use a pager
    #[arg(long)]
    no_pager: bool,
}

const EXAMPLES: &str = "\
Levels: prompts (what was asked), talk (and what was said), steps (and what was done, a line
each), full (everything, opened), raw (with bookkeeping and the lines themselves). Failures are
always shown.
Exit codes: 0 told; 1 nothing to tell; 2 wrong usage, or the session cannot be read.

Examples:
  recount show last
  recount show last --detail full --turn 3
  recount show 4c1e --thread all --tools Bash,Edit
  recount show last --format md --images files -o session.md
  recount show last --format html --open
  recount show retry logic --detail talk";

/// In which form.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Form {
    /// To be read here
    Terminal,
    /// GitHub-flavoured Markdown
    Md,
    /// A page that needs nothing else; --detail is what it shows at first
    Html,
    /// For programs; docs/show-json.md says what is in it
    Json,
}

/// What becomes of images in Markdown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum ImageChoice {
    /// In the document itself
    Embed,
    /// In a folder beside the file that is written
    Files,
    /// Left out
    Omit,
}

/// How much is told.
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
    pub(crate) fn run(self) -> anyhow::Result<ExitCode> {
        let name = self.session.join(" ");
        let source = find_session(&name, &roots(&Environment::of_process(), &self.roots))?;
        self.how.tell(&source, &name)
    }
}

impl How {
    /// Tells a session that goes by this name.
    pub(crate) fn tell(&self, source: &Source, name: &str) -> anyhow::Result<ExitCode> {
        let progress = Progress::new(source.size);
        let tell = if self.format == Form::Html { Telling::counted } else { Telling::of };
        let told = tell(source, &|bytes| progress.add(bytes));
        progress.finish();
        let (mut telling, problems) = told?;
        problems.iter().for_each(failure::report_problem);
        let ledger = telling.ledger().and_then(|ledger| LedgerView::of(&ledger.summary(&Prices::default())));
        let (story, texts) = telling.parts();
        if self.accounting {
            write!(anstream::stdout().lock(), "{}", story.accounting())?;
            return Ok(ExitCode::SUCCESS);
        }
        if story.threads().all(|(_, thread)| thread.steps.is_empty()) {
            let hint = "`recount check` says what is in it";
            failure::say(&format!("nothing to tell: {name}"), Some(hint));
            return Ok(ExitCode::from(FOUND_FAULT));
        }
        let selection = self.selection(story)?;
        let stdout = io::stdout();
        let output = self.output_file(&story.facts.id)?;
        let is_shown_here = stdout.is_terminal() && output.is_none();
        if is_shown_here && self.format == Form::Terminal && !self.no_pager {
            let mut pager = Pager::start();
            let outcome = write_terminal(&mut pager, story, texts, &selection, &look(has_colours(), true));
            pager.finish(outcome)?;
            return Ok(ExitCode::SUCCESS);
        }
        let mut out: BufWriter<Box<dyn Write>> = BufWriter::new(match &output {
            Some(path) => Box::new(create(path)?),
            None => Box::new(stdout.lock()),
        });
        match self.format {
            Form::Terminal => {
                let colours = output.is_none() && has_colours();
                write_terminal(&mut out, story, texts, &selection, &look(colours, is_shown_here))?;
            }
            Form::Md => self.write_markdown(&mut out, story, texts, &selection)?,
            Form::Html => {
                let sources = texts.labels();
                let detail = self.detail.into();
                write_page(
                    &mut out,
                    story,
                    texts,
                    &PageOptions {
                        detail,
                        selection: Some(&selection),
                        sources: &sources,
                        ledger,
                        ..PageOptions::default()
                    },
                )?;
            }
            Form::Json => {
                let layout = if is_shown_here { JsonLayout::Pretty } else { JsonLayout::Compact };
                let sources = texts.labels();
                write_json(&mut out, story, texts, &sources, &selection, layout)?;
            }
        }
        out.flush()?;
        if let Some(path) = output.filter(|_| self.open) {
            browser::open(&path)?;
        }
        Ok(ExitCode::SUCCESS)
    }

    /// The file to write to, if it is one.
    fn output_file(&self, session: &str) -> anyhow::Result<Option<PathBuf>> {
        anyhow::ensure!(!self.open || self.format == Form::Html, "--open: only pages are opened; add --format html");
        if self.output.is_some() || !self.open {
            return Ok(self.output.clone());
        }
        let name: String = session.chars().filter(|c| c.is_ascii_alphanumeric() || *c == '-').take(60).collect();
        let folder = tempfile::Builder::new().prefix("recount-").tempdir()?;
        // The browser reads it after we are gone.
        Ok(Some(folder.keep().join(format!("session-{name}.html"))))
    }

    fn write_markdown(
        &self,
        out: &mut dyn Write,
        story: &Story,
        texts: &mut Texts,
        selection: &Selection,
    ) -> anyhow::Result<()> {
        let images = match self.images {
            ImageChoice::Embed => Images::Embed,
            ImageChoice::Files => Images::Files,
            ImageChoice::Omit => Images::Omit,
        };
        let folder = self.output.as_ref().map(|path| path.with_extension("images"));
        anyhow::ensure!(
            images != Images::Files || folder.is_some(),
            "--images files: beside which file? Name it with --output"
        );
        let mut placing = Placing::new(images, |name: &str, bytes: &[u8]| {
            let Some(folder) = &folder else { return Ok(None) };
            fs::create_dir_all(folder)?;
            fs::write(folder.join(name), bytes)?;
            let beside = folder.file_name().and_then(|name| name.to_str()).unwrap_or_default();
            Ok(Some(format!("{beside}/{name}")))
        });
        write_markdown(out, story, texts, selection, &mut placing)?;
        Ok(())
    }

    fn selection(&self, story: &Story) -> anyhow::Result<Selection> {
        let now = Zoned::now();
        let moment = |text: Option<&String>, flag, end| {
            let read = moment::read_option(text.map(String::as_str), flag, end, &now)?;
            anyhow::Ok(read.map(Timestamp::as_millisecond))
        };
        Ok(Selection {
            detail: self.detail.into(),
            thinking: !self.no_thinking,
            tools: (!self.tools.is_empty()).then(|| self.tools.clone()),
            threads: threads(&self.thread, story)?,
            turns: self.turn.as_ref().map(|Range(turns)| turns.clone()),
            since: moment(self.since.as_ref(), "--since", End::Start)?,
            until: moment(self.until.as_ref(), "--until", End::End)?,
        })
    }
}

fn create(path: &Path) -> anyhow::Result<File> {
    File::create(path).map_err(|error| anyhow::anyhow!("cannot write: {}: {error}", path.display()))
}

fn has_colours() -> bool {
    anstream::AutoStream::choice(&io::stdout()) != ColorChoice::Never
}

fn look(colours: bool, is_terminal: bool) -> Look {
    Look { width: columns(), is_terminal, theme: colours.then(Theme::default), zone: TimeZone::system() }
}

/// The threads that somebody means.
fn threads(name: &str, story: &Story) -> anyhow::Result<Threads> {
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
        (Some(_), Some(_)) => anyhow::bail!("several threads fit: {name}\n  --thread all shows their numbers"),
        (None, _) => anyhow::bail!(
            "no such thread: {name}; there are {}\n  --thread all shows them with their numbers",
            human::counted(story.threads().len() as u64, "thread", "threads")
        ),
    }
}
