//! `recount demo`: shows a sample session, or plays sample sessions live.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use crate::failure::{CommandError, Context as _};
use app::{App, SessionFilter};

use crate::cmd::show::How;
use crate::demo::live::demo_folder::DemoFolder;
use crate::demo::live::{self, Pace};
use crate::stop::Stop;
use crate::terminal::clean;

/// Show a sample session: retries for a small HTTP client, from the first look to the pull request
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Demo {
    /// Play a sample config root instead: six sessions that start, work, wait for you and end
    #[arg(long)]
    live: bool,
    /// With --live: folder to play in, new or empty [default: a temporary folder, removed at the end]
    #[arg(value_name = "DIR", requires = "live")]
    folder: Option<PathBuf>,
    /// With --live: playback speed; a round takes about three minutes at speed 1
    #[arg(long, value_name = "N", requires = "live", default_value = "1", value_parser = speed)]
    speed: f64,
    /// With --live: stop after one round instead of starting again with new sessions
    #[arg(long, alias = "once", requires = "live")]
    one_round: bool,
    #[command(flatten)]
    how: How,
}

/// Parses a playback speed.
fn speed(text: &str) -> Result<f64, String> {
    let speed = text.parse().ok().filter(|speed| (0.01..=10_000.0).contains(speed));
    speed.ok_or_else(|| "expected a number from 0.01 to 10000".to_owned())
}

const EXAMPLES: &str = "\
With --live, everything is written to DIR and nowhere else, as Claude Code would write it, until
you press Ctrl-C.
Exit codes: 0 shown, or stopped while playing; 2 wrong usage, or something cannot be written.

Examples:
  recount demo
  recount demo --live
  recount demo --detail full --turn 2
  recount demo --format html -o demo.html";

/// The files of the session, as they would be in a project's folder.
const FILES: [(&str, &str); 3] = [
    (SESSION, include_str!("../demo/d3e0a5c4-71de-4c0b-9a11-7d1de0c11e47.jsonl")),
    (
        "d3e0a5c4-71de-4c0b-9a11-7d1de0c11e47/subagents/agent-a7c41e90b2d85f36d.jsonl",
        include_str!("../demo/d3e0a5c4-71de-4c0b-9a11-7d1de0c11e47/subagents/agent-a7c41e90b2d85f36d.jsonl"),
    ),
    (
        "d3e0a5c4-71de-4c0b-9a11-7d1de0c11e47/subagents/agent-a7c41e90b2d85f36d.meta.json",
        include_str!("../demo/d3e0a5c4-71de-4c0b-9a11-7d1de0c11e47/subagents/agent-a7c41e90b2d85f36d.meta.json"),
    ),
];

const SESSION: &str = "d3e0a5c4-71de-4c0b-9a11-7d1de0c11e47.jsonl";

impl Demo {
    pub(crate) fn run(self, app: &App) -> Result<ExitCode, CommandError> {
        if self.live {
            return self.play(app);
        }
        let folder = tempfile::Builder::new().prefix("recount-demo-").tempdir().context("cannot create a folder")?;
        for (name, text) in FILES {
            let path = folder.path().join(name);
            write(&path, text).with_context(|| format!("cannot write: {}", path.display()))?;
        }
        let session = folder.path().join(SESSION);
        let source = app.find_session(&session.to_string_lossy(), &SessionFilter::default())?;
        self.how.show(app, &source)
    }

    fn play(&self, app: &App) -> Result<ExitCode, CommandError> {
        let stop = Stop::listen()?;
        let place = DemoFolder::of(app, self.folder.as_deref())?;
        let folder = clean(&place.path().display().to_string()).into_owned();
        anstream::println!(
            "Made-up sessions are played in {folder}\nLook at them from another terminal:\n  \
             CLAUDE_CONFIG_DIR={folder} recount watch\n  CLAUDE_CONFIG_DIR={folder} recount tail --all -f\n\
             Ctrl-C ends it."
        );
        live::play(place.path(), Pace { speed: self.speed, once: self.one_round }, app.clock(), &stop)?;
        Ok(ExitCode::SUCCESS)
    }
}

fn write(path: &Path, text: &str) -> io::Result<()> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    fs::write(path, text)
}
