//! `recount statusline`: prints one line about the running session for Claude Code's status line.

mod figures;
mod input;
mod status;
mod template;

use std::io::{self, IsTerminal as _, Read as _, Write as _};
use std::process::ExitCode;

use app::App;
use reader::Recent;

use crate::failure::{CommandError, Context as _};
use crate::flags::wants_colors;
use figures::Figures;
use input::Input;
use status::Status;
use template::Template;

/// Print a status line for the running session: model, costs, rest of the block, context, limits
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Statusline {
    /// Template of the line [default: from the settings]
    #[arg(long, value_name = "TEXT")]
    template: Option<String>,
}

const EXAMPLES: &str = "\
To have Claude Code run it, add this to ~/.claude/settings.json:

  {
    \"statusLine\": { \"type\": \"command\", \"command\": \"recount statusline\" }
  }

Claude Code passes its data about the session as JSON; the rest is read incrementally from the
sessions.
A template is text with placeholders in braces:
  {model} {effort} {agent} {title} {project} {worktree} {cost} {duration} {lines} {today} {block} {context} {limits}
and parts in brackets, which are omitted if a placeholder in them has no value.

Exit codes: 0 printed; 2 no JSON on standard input, or an error in the settings.

Examples:
  echo '{}' | recount statusline
  echo '{}' | recount statusline --template '{today} today[, {context} of the context]'";

/// Upper bound of the input; Claude Code sends a few thousand bytes.
const LONGEST_INPUT: u64 = 1 << 20;

/// Bytes of sessions read per call, which takes about five milliseconds.
const BUDGET: u64 = 4 << 20;

impl Statusline {
    pub(crate) fn run(self, app: &App) -> Result<ExitCode, CommandError> {
        let settings = app.settings()?;
        let text = self.template.as_deref().or(settings.statusline.as_deref()).unwrap_or(template::DEFAULT);
        let template: Template =
            text.parse().map_err(|why| CommandError::usage(format!("the template of the status line: {why}")))?;
        let input = read_input()?;
        let now = app.timestamp();
        let figures = figures(app, &input)?;
        let currency = &settings.locale.currency;
        let status = Status { input: &input, figures, currency, now, colours: wants_colors(app) };
        let line = template.fill(|word| status.value(word));
        writeln!(io::stdout().lock(), "{line}")?;
        Ok(ExitCode::SUCCESS)
    }
}

fn read_input() -> Result<Input, CommandError> {
    let stdin = io::stdin().lock();
    if stdin.is_terminal() {
        let message = "expected JSON from Claude Code on standard input";
        return Err(CommandError::usage(message).hint("`recount statusline --help` says how"));
    }
    let mut bytes = Vec::new();
    stdin.take(LONGEST_INPUT).read_to_end(&mut bytes).context("cannot read standard input")?;
    Input::read(&bytes).context("expected JSON from Claude Code on standard input")
}

/// Returns the figures of the sessions, if there is a folder to store them.
fn figures(app: &App, input: &Input) -> Result<Option<Figures>, CommandError> {
    let Some(cache) = &app.environment().cache else { return Ok(None) };
    let (now, settings) = (app.timestamp(), app.settings()?);
    let mut recent = Recent::open(cache, app.roots(), now.as_millisecond());
    recent.update(input.transcript(), BUDGET);
    let Some(ledger) = recent.ledger() else { return Ok(None) };
    let zone = &settings.locale.zone;
    Ok(Some(Figures::of(ledger, recent.is_behind(), &settings.prices, zone, input.session(), now)))
}
