//! `recount replay`: replays a session with its original timing.

mod cast;
mod clock;
mod keys;
mod player;
mod stream;

use std::io::{self, IsTerminal as _};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use app::App;
use content::Bill;
use jiff::Timestamp;
use output::NewFile;
use reader::SessionReader;
use record::Conversation;
use render::replay::{Pace, Score, score};
use render::terminal::TerminalLook;
use sources::Source;
use sources::Twin;
use sources::find_at;

use crate::failure::{self, CommandError};
use crate::flags::{self, SessionFlags, wants_colors};
use crate::terminal;
use clock::Real;
use player::Player;

/// Replay a session in the terminal, as a recording, or as its original stream
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Replay {
    /// Conversation, session id or prefix, file, `last`, or words of its title
    #[arg(value_name = "SESSION", value_parser = flags::session_word(), required = true)]
    session: Vec<String>,
    /// Playback speed, from 0.1 to 100 times the original
    #[arg(long, value_name = "TIMES", default_value_t = 1.0, value_parser = speed)]
    speed: f64,
    /// Longest pause between steps, such as 2s or 500ms
    #[arg(long, value_name = "TIME", value_parser = pause)]
    max_pause: Option<Duration>,
    /// Start at this turn
    #[arg(long, value_name = "TURN", conflicts_with = "stream")]
    from: Option<usize>,
    /// Write an asciinema recording to FILE instead; `-` for standard output
    #[arg(long, value_name = "FILE", conflicts_with = "stream")]
    cast: Option<PathBuf>,
    /// Write the original lines to standard output with their original timing
    #[arg(long)]
    stream: bool,
    #[command(flatten)]
    sessions: SessionFlags,
}

const EXAMPLES: &str = "\
Keys: space pauses, → and ← go to the next and previous turn, ↑ and ↓ change the speed, . steps
forward, q quits. --stream writes a program's captured standard output byte for byte with its
original timing; for a transcript, it writes the lines. If a name matches several sessions, use
--project, --since and --until to choose one.
Exit codes: 0 played; 1 nothing to play; 2 wrong usage, or the session cannot be read.

Examples:
  recount replay last --speed 10 --max-pause 2s
  recount replay retries --from 3
  recount replay retries --cast retries.cast
  recount replay --stream retries | my-app";

fn speed(text: &str) -> Result<f64, String> {
    let speed: f64 = text.parse().map_err(|_| "expected a number from 0.1 to 100".to_owned())?;
    (0.1..=100.0).contains(&speed).then_some(speed).ok_or_else(|| "expected a number from 0.1 to 100".to_owned())
}

fn pause(text: &str) -> Result<Duration, String> {
    let span: jiff::SignedDuration = text.parse().map_err(|_| "expected a time such as 2s or 500ms".to_owned())?;
    Duration::try_from(span).map_err(|_| "expected a time such as 2s or 500ms".to_owned())
}

impl Replay {
    pub(crate) fn run(self, app: &App) -> Result<ExitCode, CommandError> {
        let name = self.session.join(" ");
        let source = app.find_session(&name, &self.sessions.filter(app)?)?;
        let pace = Pace { speed: self.speed, max_pause: self.max_pause };
        if self.stream {
            let played = stream::play(&captured(source, &name), pace, &mut Real::deaf(), &mut io::stdout().lock())?;
            return if played == 0 { Err(nothing(&name)) } else { Ok(ExitCode::SUCCESS) };
        }
        let is_here = self.cast.is_none() && io::stdout().is_terminal();
        let width = if self.cast.is_some() { cast::WIDTH } else { terminal::columns() };
        let has_colours = self.cast.is_some() || is_here && wants_colors(app);
        let theme = has_colours.then(styled::Theme::default);
        let look = TerminalLook {
            width,
            is_terminal: true,
            theme,
            locale: app.locale()?.clone(),
            bill: Bill::default(),
            status: None,
        };
        let (reader, problems) = SessionReader::of(&source, &|_| {})?;
        let mut reader = reader.surrounded_by(app.surroundings(&source)?);
        problems.iter().for_each(failure::report_problem);
        let (story, texts) = reader.parts();
        let title = story.facts.title.as_ref().map(|title| title.text.to_string());
        let mut score = score(story, texts, &look);
        if let Some(from) = self.from {
            begin_with(&mut score, from)?;
        }
        if score.frames.is_empty() {
            return Err(nothing(&name));
        }
        match &self.cast {
            Some(path) => write_cast(path, &score, pace, title.as_deref())?,
            None if is_here && io::stdin().is_terminal() => {
                let mut keys = keys::Keys::listen()?;
                Player::new(&score, pace, true).play(&mut keys, &mut io::stdout())?;
            }
            None => Player::new(&score, pace, false).play(&mut Real::deaf(), &mut io::stdout())?,
        }
        Ok(ExitCode::SUCCESS)
    }
}

/// Returns the captured streams of a session, or the session itself if it was not captured. The name of a conversation
/// selects only that conversation; the name of a session selects all of its conversations, in the order of recording.
fn captured(source: Source, name: &str) -> Vec<Source> {
    let Twin::CapturedIn(files) = &source.twin else { return vec![source] };
    let all: Vec<Conversation> = files.iter().map(|file| Conversation::at(&file.path)).collect();
    let called = |fits: &dyn Fn(&str) -> bool| -> Vec<Conversation> {
        all.iter().filter(|one| fits(one.name())).cloned().collect()
    };
    let is_count = name == "last" || name.starts_with("last~");
    let fitting = [called(&|it| it == name), called(&|it| it.starts_with(name))];
    let mut meant = fitting.into_iter().find(|some| !some.is_empty() && !is_count).unwrap_or_else(|| all.clone());
    meant.sort_by_cached_key(began);
    let sources = meant.iter().flat_map(|one| find_at(&[one.path().to_path_buf()]).sources);
    let sources: Vec<Source> = sources.collect();
    if sources.is_empty() { vec![source] } else { sources }
}

/// Returns when the first line of a conversation was recorded.
fn began(conversation: &Conversation) -> Option<Timestamp> {
    /// Upper bound of the records before the first line, unless the file is damaged.
    const RECORDS: usize = 100;
    let mut records = conversation.records().ok()?.take(RECORDS).flatten();
    records.find(|record| record.stream.is_some()).and_then(|record| record.at)
}

fn nothing(name: &str) -> CommandError {
    CommandError::nothing(format!("nothing to play: {name}")).hint("`recount check` shows what is in the file")
}

/// Removes everything before a turn.
fn begin_with(score: &mut Score, turn: usize) -> Result<(), CommandError> {
    let last = score.frames.iter().map(|frame| frame.turn).max().unwrap_or_default();
    score.frames.retain(|frame| frame.turn >= turn);
    let Some(first) = score.frames.first().map(|frame| frame.at) else {
        return Err(CommandError::usage(format!("there is no turn {turn}: the last one is {last}")));
    };
    score.frames.iter_mut().for_each(|frame| frame.at -= first.min(frame.at));
    score.began = score.began.map(|began| began.saturating_add_unsigned(first));
    Ok(())
}

fn write_cast(path: &Path, score: &Score, pace: Pace, title: Option<&str>) -> Result<(), CommandError> {
    if path.as_os_str() == "-" {
        cast::write(&mut io::stdout().lock(), score, pace, title)?;
        return Ok(());
    }
    let mut file = NewFile::create(path)?;
    cast::write(&mut file, score, pace, title)?;
    Ok(file.finish()?)
}
