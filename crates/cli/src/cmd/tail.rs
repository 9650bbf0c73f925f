//! `recount tail`: prints the last steps of a session, one per line, and follows new ones.

mod active;
mod followed;
mod line;

use std::io::Write as _;
use std::path::Path;
use std::process::ExitCode;
use std::time::{Duration, Instant};
use wire::tail::{TailEvent, TailOut};

use app::{App, SessionFilter};
use reader::Surroundings;
use sources::Input;
use sources::Problem;
use sources::Root;
use sources::Source;
use sources::find_at;
use sources::find_in_roots;
use styled::Theme;

use crate::failure::{self, CommandError};
use crate::flags::{self, JsonFlag, LimitFlag, Out, OutputFlag, SessionFlags};
use crate::listing::folder_name;
use crate::stop::Stop;
use crate::terminal::columns;
use active::Active;
use followed::{Followed, Growth, News};
use line::TailLook;

/// Print the last steps of a session, one per line; with -f, follow new steps
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Tail {
    /// Session id or prefix, file, `-` for standard input, `last`, `last~1`, or words of its title
    #[arg(value_name = "SESSION", value_parser = flags::session_word(), required_unless_present = "all", conflicts_with = "all")]
    session: Vec<String>,
    /// Keep printing steps as they arrive, until you stop it
    #[arg(short, long)]
    follow: bool,
    /// Print all active sessions; with --follow, also sessions that start later
    #[arg(long)]
    all: bool,
    #[command(flatten)]
    sessions: SessionFlags,
    #[command(flatten)]
    limit: LimitFlag,
    // Old name of --limit.
    #[arg(long = "steps", value_name = "N", hide = true, conflicts_with = "limit")]
    steps: Option<usize>,
    #[command(flatten)]
    json: JsonFlag,
    #[command(flatten)]
    output: OutputFlag,
}

const EXAMPLES: &str = "\
A long-running call is printed twice: when it starts and when its result arrives. Steps of
subagents are prefixed with their names. If a session is truncated, replaced or moved to another
folder, this is reported on standard error and tail keeps following it. Lines are cut to the width
of a terminal and otherwise printed whole. --limit counts steps [default: 20]. docs/tail-json.md
describes the JSON, one object per line.
Exit codes: 0 printed, or stopped while following; 1 nothing to print; 2 wrong usage, or the
session cannot be read.

Examples:
  recount tail last -f
  recount tail retry logic -n 50
  recount tail --all -f
  recount tail last -f --json | jq -r 'select(.step.kind == \"reply\").step.text'";

/// How often followed files are read, and how often new files are discovered.
const POLL: Duration = Duration::from_millis(150);
const LOOK: Duration = Duration::from_secs(1);

/// With `--all`, a session that stays silent for this long is dropped until it continues.
const SILENCE: Duration = Duration::from_secs(30 * 60);

/// Default number of steps printed at first.
const STEPS: usize = 20;

impl Tail {
    pub(crate) fn run(self, app: &App) -> Result<ExitCode, CommandError> {
        let stop = if self.follow { Stop::listen()? } else { Stop::default() };
        let filter = self.sessions.filter(app)?;
        let mut tails = Tails::new(&self, app, &filter)?;
        if self.all {
            let (active, sources) = Active::new(app, filter);
            for source in sources {
                // An unreadable session does not prevent the others from being shown.
                let surroundings = app.surroundings(&source)?;
                if let Err(problem) = tails.add(source, surroundings) {
                    failure::report_problem(&problem);
                }
            }
            tails.active = Some(active);
        } else {
            // The period filters steps; the name and the project select the session.
            let source = app.find_session(&self.session.join(" "), &self.sessions.project_only(app))?;
            if self.follow && source.input == Input::Stdin {
                let message = "-f: standard input cannot be followed; name a file, or omit -f";
                return Err(CommandError::usage(message));
            }
            let surroundings = app.surroundings(&source)?;
            tails.add(source, surroundings)?;
        }
        let steps = self.limit.or(self.steps.or(Some(STEPS))).map_or(usize::MAX, usize::from);
        let is_empty = !tails.print(steps)?;
        if self.follow {
            tails.follow(&stop)?;
        }
        tails.out.finish()?;
        if is_empty && !self.follow {
            return Err(if self.all {
                CommandError::nothing("no session is active").hint("`recount watch` lists those that ended recently")
            } else {
                CommandError::nothing("nothing to show").hint("`recount check` shows what is in it")
            });
        }
        Ok(ExitCode::SUCCESS)
    }
}

/// The followed sessions and how to print them.
struct Tails {
    app: App,
    out: Out,
    /// Start and end of the period of steps to print.
    since: Option<i64>,
    until: Option<i64>,
    seats: Vec<Seat>,
    /// Finds sessions that start later, with `--all`.
    active: Option<Active>,
    roots: Vec<Root>,
    waits: bool,
    names_sessions: bool,
    /// How text looks; `None` for JSON.
    look: Option<TailLook>,
}

/// A followed session.
struct Seat {
    followed: Followed,
    presence: Presence,
    /// When the session last changed.
    heard: Instant,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Presence {
    There,
    /// The file is gone; it may have moved.
    Away,
    /// The file was not found again, and the warning is printed.
    Missed,
}

impl Tails {
    fn new(tail: &Tail, app: &App, filter: &SessionFilter) -> Result<Self, CommandError> {
        let look = if tail.json.json {
            None
        } else {
            Some(TailLook {
                width: tail.output.is_terminal().then(columns),
                theme: tail.output.has_colors().then(Theme::default),
                locale: app.locale()?.clone(),
                clock: app.clock(),
            })
        };
        Ok(Self {
            app: app.clone(),
            out: if tail.follow { tail.output.open_growing()? } else { tail.output.open_raw()? },
            since: filter.since,
            until: filter.until,
            seats: Vec::new(),
            active: None,
            roots: app.roots().to_vec(),
            waits: tail.follow,
            names_sessions: tail.all,
            look,
        })
    }

    fn add(&mut self, source: Source, surroundings: Surroundings) -> Result<(), Problem> {
        let (followed, problems) = Followed::open(source, surroundings, self.waits)?;
        problems.iter().for_each(failure::report_problem);
        self.seats.push(Seat::new(followed));
        Ok(())
    }

    /// Prints new steps, at most the last `most`. Returns whether there are any.
    fn print(&mut self, most: usize) -> Result<bool, CommandError> {
        let mut all: Vec<(usize, News)> = Vec::new();
        for (at, seat) in self.seats.iter_mut().enumerate() {
            all.extend(seat.followed.news().into_iter().map(|news| (at, news)));
        }
        let is_in_time =
            |at: i64| self.since.is_none_or(|since| at >= since) && self.until.is_none_or(|until| at <= until);
        all.retain(|(_, news)| is_in_time(news.at));
        // The sort is stable, so the steps of one session stay in order.
        all.sort_by_key(|(_, news)| news.at);
        for (at, news) in all.iter().skip(all.len().saturating_sub(most)) {
            let Some(seat) = self.seats.get_mut(*at) else { continue };
            let name = seat.followed.id();
            let (story, texts) = seat.followed.parts();
            let line = match &self.look {
                None => {
                    let event = if news.is_result { TailEvent::Result } else { TailEvent::Step };
                    match TailOut::of(event, &name, story, texts, (news.thread, news.step)) {
                        Some(document) => serde_json::to_string(&document)? + "\n",
                        None => String::new(),
                    }
                }
                Some(look) => {
                    let label = self.names_sessions.then(|| short_name(&name, story.facts.project.as_deref()));
                    line::write(*news, label.as_deref(), story, texts, look)
                }
            };
            self.out.write_all(line.as_bytes())?;
            // A following reader sees each line at once.
            self.out.flush()?;
        }
        Ok(!all.is_empty())
    }

    fn follow(&mut self, stop: &Stop) -> Result<(), CommandError> {
        let mut next = Instant::now() + LOOK;
        while !stop.wait(POLL) {
            for seat in &mut self.seats {
                seat.read_on(&self.app);
            }
            let is_wanted = self.seats.iter().any(|seat| seat.presence == Presence::Away);
            if is_wanted || Instant::now() >= next {
                let began = Instant::now();
                self.look_around();
                // With very many files, discovery takes a while.
                next = Instant::now() + LOOK.max(began.elapsed() * 10);
            }
            self.print(usize::MAX)?;
        }
        Ok(())
    }

    /// Looks for new files and for files that disappeared.
    fn look_around(&mut self) {
        for seat in &mut self.seats {
            match seat.presence {
                Presence::There => {
                    if seat.followed.look_for_files() {
                        seat.heard = Instant::now();
                    }
                }
                Presence::Away | Presence::Missed => seat.find_again(&self.app, &self.roots),
            }
        }
        let Some(active) = &mut self.active else { return };
        self.seats.retain(|seat| {
            let is_kept = seat.heard.elapsed() < SILENCE;
            if !is_kept {
                active.leave(&seat.followed);
            }
            is_kept
        });
        let seats = &self.seats;
        let begun = active.look(|name| seats.iter().any(|seat| seat.followed.name() == name));
        let begun: Vec<Followed> = begun.iter().filter_map(|source| active.open(source)).collect();
        self.seats.extend(begun.into_iter().map(Seat::new));
    }
}

impl Seat {
    fn new(followed: Followed) -> Self {
        Self { followed, presence: Presence::There, heard: Instant::now() }
    }

    fn read_on(&mut self, app: &App) {
        if self.presence != Presence::There {
            return;
        }
        match self.followed.read_on() {
            Ok(Growth::Nothing) => {}
            Ok(Growth::Lines) => self.heard = Instant::now(),
            Ok(Growth::Replaced) => {
                let source = self.followed.source.clone();
                app.warn(&format!("truncated or rewritten: {}; continuing with new lines", source.input), &[]);
                self.open_again(source);
            }
            Err(_) => self.presence = Presence::Away,
        }
    }

    fn open_again(&mut self, source: Source) {
        self.heard = Instant::now();
        self.presence = match self.followed.open_again(source) {
            Ok(()) => Presence::There,
            Err(_) => Presence::Away,
        };
    }

    /// Looks for the file at its old path, or under the same name in another folder.
    fn find_again(&mut self, app: &App, roots: &[Root]) {
        let before = &self.followed.source;
        let Some(path) = before.input.path() else { return };
        if let Some(source) = find_at(&[path.to_path_buf()]).sources.pop() {
            app.warn(&format!("back again: {}", source.input), &[]);
            return self.open_again(source);
        }
        // A session given by its path may be in a root that was not configured.
        let projects = path.parent().and_then(Path::parent).filter(|folder| folder.ends_with("projects"));
        let own = projects.and_then(Path::parent).map(|path| Root { path: path.to_path_buf(), named: false });
        let roots: Vec<Root> = roots.iter().cloned().chain(own).collect();
        let is_it = |source: &Source| {
            let is_file = matches!(source.input, Input::File(_));
            is_file && source.kind == before.kind && source.input.path().and_then(Path::file_name) == path.file_name()
        };
        let found = find_in_roots(&roots).sources.into_iter().filter(is_it).max_by_key(|source| source.modified);
        match found {
            Some(source) => {
                app.warn(&format!("moved: {} to {}; continuing there", before.input, source.input), &[]);
                self.open_again(source);
            }
            None if self.presence == Presence::Away => {
                app.warn(&format!("gone: {}; waiting for it to come back", before.input), &[]);
                self.presence = Presence::Missed;
            }
            None => {}
        }
    }
}

/// Short label of a session: its folder and the beginning of its id.
fn short_name(id: &str, project: Option<&str>) -> String {
    const LENGTH: usize = 8;
    let id: String = id.chars().take(LENGTH).collect();
    match folder_name(project) {
        folder if folder.is_empty() => id,
        folder => format!("{folder}/{id}"),
    }
}
