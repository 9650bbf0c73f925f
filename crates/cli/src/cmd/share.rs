//! `recount share`: writes a session without its secrets.

use std::cell::RefCell;
use std::io::{self, Write as _};
use std::path::PathBuf;
use std::process::ExitCode;

use app::{App, Silent};
use redact::Findings;
use site::{ShareError, ShareForm, Shared, share};
use wire::share::ShareOut;

use crate::cmd::show::Level;
use crate::failure::{self, CommandError, Context as _, FOUND_FAULT};
use crate::flags::{JsonFlag, SessionFlags};
use crate::redaction::{DecisionFlags, print_report, unused_name};
use crate::terminal::{clean, plural};

/// Write a session without its secrets and private things, to be sent to others
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Share {
    /// Session id or prefix, file, `-` for standard input, `last`, `last~1`, or words of its title
    #[arg(value_name = "SESSION", required = true)]
    session: Vec<String>,
    /// Output format
    #[arg(long, value_enum, default_value_t = Form::Html, value_name = "FORM")]
    format: Form,
    /// Level of detail; for pages, the initial level
    #[arg(long, value_enum, default_value_t = Level::Steps, value_name = "LEVEL")]
    detail: Level,
    /// Write to PATH instead of a new file in this folder; `-` for standard output
    #[arg(short, long, value_name = "PATH")]
    output: Option<PathBuf>,
    #[command(flatten)]
    decisions: DecisionFlags,
    /// Only this project: a folder such as `.`, or part of its path
    #[arg(short, long, value_name = "PROJECT")]
    project: Option<String>,
    #[command(flatten)]
    json: JsonFlag,
}

const EXAMPLES: &str = "\
Secrets are replaced by their kind and a number ([github-pat-classic 1]), private things by
user-1, host-1, person-1@example.com, ip-1 and account-1, the same value by the same name
everywhere. Certain secrets are always replaced. If a value is only likely to be a secret, nothing
is written before it is decided on: with --yes or --review. Words and patterns of your own are in
the settings. The report says what was replaced and where; --json prints it for programs.
docs/share.md says what is found, and what cannot be promised. Read the result before you send it.
Formats: html (page), md (Markdown), json (for programs), jsonl (a transcript with the same lines
and ids; those of its agents come into a folder beside it).
Exit codes: 0 written; 1 something needs a decision; 2 wrong usage, or the session cannot be read
or written.

Examples:
  recount share last
  recount share last --review -o session.html
  recount share 4c1e --format jsonl --yes --keep emails
  recount share last --format md -o - | pbcopy";

/// Output formats.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Form {
    /// Self-contained page
    Html,
    /// GitHub-flavoured Markdown
    Md,
    /// JSON for programs; docs/show-json.md describes its fields
    Json,
    /// The lines of the transcript
    Jsonl,
}

impl From<Form> for ShareForm {
    fn from(form: Form) -> Self {
        match form {
            Form::Html => Self::Html,
            Form::Md => Self::Markdown,
            Form::Json => Self::Json,
            Form::Jsonl => Self::Lines,
        }
    }
}

impl Share {
    pub(crate) fn run(self, app: &App) -> Result<ExitCode, CommandError> {
        let name = self.session.join(" ");
        let sessions = SessionFlags { project: self.project.clone(), ..SessionFlags::default() };
        let source = app.find_session(&name, &sessions.project_only(app))?;
        let shared = self.decisions.ask_or(app, |decide| {
            let progress = RefCell::new(app.progress(source.size));
            let mut decide = |findings: &Findings| {
                // Questions and a progress bar do not go together.
                *progress.borrow_mut() = Box::new(Silent);
                decide(findings)
            };
            share(app, &source, &self.decisions.keep(), &mut decide, &|bytes| progress.borrow().add(bytes))
        })?;
        match shared {
            Ok(shared) => self.write(app, shared),
            Err(ShareError::Undecided(findings)) if self.json.json => {
                print_json(&ShareOut::undecided(&findings), false)?;
                Ok(ExitCode::from(FOUND_FAULT))
            }
            Err(error) => Err(error.into()),
        }
    }

    fn write(&self, app: &App, mut shared: Shared) -> Result<ExitCode, CommandError> {
        let (form, detail) = (ShareForm::from(self.format), self.detail.into());
        let is_piped = self.output.as_ref().is_some_and(|path| path.as_os_str() == "-");
        let files = if is_piped {
            let mut out = io::BufWriter::new(io::stdout().lock());
            shared.write(app, form, detail, &mut out)?;
            out.flush()?;
            Vec::new()
        } else {
            let path = match &self.output {
                Some(path) => path.clone(),
                None => unused_name(&shared.file_stem(), form.ending()),
            };
            let shown = path.display().to_string();
            shared.write_file(app, form, detail, &path).with_context(|| format!("cannot write: {shown}"))?
        };
        if is_piped && form == ShareForm::Lines && shared.files_beside() > 0 {
            let files = plural(shared.files_beside() as u64, "file", "files");
            app.warn(
                &format!("{files} of its agents and large outputs are not written"),
                &["name a file with -o".to_owned()],
            );
        }
        if self.json.json {
            print_json(&ShareOut::written(&files, &shared.report, &shared.problems), is_piped)?;
        } else if !app.is_quiet() || !is_piped {
            let mut report = Vec::new();
            for file in &files {
                writeln!(report, "written: {}", clean(&file.display().to_string()))?;
            }
            print_report(&mut report, &shared.report, &shared.problems)?;
            let report = String::from_utf8_lossy(&report);
            if is_piped {
                anstream::eprint!("{report}");
            } else {
                anstream::print!("{report}");
            }
        } else {
            shared.problems.iter().for_each(failure::report_problem);
        }
        Ok(ExitCode::SUCCESS)
    }
}

/// Prints the report, to standard error if the session went to standard output.
fn print_json(report: &ShareOut, is_piped: bool) -> Result<(), CommandError> {
    let json = serde_json::to_string(report).map_err(io::Error::from)?;
    if is_piped {
        anstream::eprintln!("{json}");
    } else {
        anstream::println!("{json}");
    }
    Ok(())
}
