//! `recount statusline`: one line about the session that runs, for Claude Code to show.

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

/// Print one line about the running session: model, costs, what is left of the block, context, limits
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Statusline {
    /// What the line looks like, instead of what the settings say
    #[arg(long, value_name = "TEXT")]
    template: Option<String>,
}

const EXAMPLES: &str = "\
Claude Code calls it when its ~/.claude/settings.json says so:

  {
    \"statusLine\": { \"type\": \"command\", \"command\": \"recount statusline\" }
  }

It hands in what it knows about the session as JSON; the rest is read from the sessions, only what is new each time.
A template is text with words in braces, which stand for
  {model} {effort} {agent} {title} {project} {worktree} {cost} {duration} {lines} {today} {block} {context} {limits}
and parts in brackets, which are left out when a word in them stands for nothing.

Exit codes: 0 printed; 2 no JSON on standard input, or a mistake in the settings.

Examples:
  echo '{}' | recount statusline
  echo '{}' | recount statusline --template '{today} today[, {context} of the context]'";

/// Claude Code sends a few thousand bytes.
const LONGEST_INPUT: u64 = 1 << 20;

/// How much of the sessions is read at a time, in bytes: some five milliseconds.
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

/// What the sessions say, if there is a place to keep it.
fn figures(app: &App, input: &Input) -> Result<Option<Figures>, CommandError> {
    let Some(cache) = &app.environment().cache else { return Ok(None) };
    let (now, settings) = (app.timestamp(), app.settings()?);
    let mut recent = Recent::open(cache, app.roots(), now.as_millisecond());
    recent.update(input.transcript(), BUDGET);
    let Some(ledger) = recent.ledger() else { return Ok(None) };
    let zone = &settings.locale.zone;
    Ok(Some(Figures::of(ledger, recent.is_behind(), &settings.prices, zone, input.session(), now)))
}
