//! The common base of all commands, the server and pages.
//!
//! An [`App`] is built once in `main` from flags, environment and settings file, and handed to every verb, the server,
//! the site and the terminal browser. It alone decides which prices, zone, currency, roots and index are used, so that
//! all of them agree.
//!
//! It opens nothing before it is needed: settings are read on first use, and their errors are reported then.
//!
//! | module | for |
//! |---|---|
//! | [`config`] | the settings file and the variables that override it |
//! | [`environment`] | variables and folders of the process |
//! | [`clock`] | the current time |
//! | [`moment`] | moments as typed by users |
//! | [`indexed`] | opening, updating and repairing the index |
//! | `bill` | what one session used, and the share of each turn |
//! | [`filter`] | the session filter |
//! | [`forget`] | removing sessions for good |
//! | `kept` | the folders that recount keeps for itself, and temporary pages |
//! | [`columns`] | the columns of sessions and projects, and their order |
//! | `states` | the states of sessions |
//! | [`usage`] | usage totals of sessions |
//! | [`parallel`] | reading many sources at once |
//! | [`redaction`] | what is replaced in sessions that are shared |
//! | [`report`] | warnings and progress for the user |

mod bill;
pub mod clock;
pub mod columns;
pub mod config;
pub mod environment;
mod error;
pub mod filter;
pub mod forget;
pub mod indexed;
mod kept;
pub mod moment;
pub mod parallel;
pub mod redaction;
pub mod report;
mod states;
mod surroundings;
pub mod usage;

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use human::{Currency, Locale};
use jiff::tz::TimeZone;
use jiff::{Timestamp, Zoned};
use ledger::Prices;
use ledger::calendar::Calendar;
use live::alert::Rules;
use live::evidence::Evidence;
use reader::{LookupError, facts_of, find_session_where};
use sources::{FileKey, FoundSources, Neighbours, Root, Source, sessions_of};

pub use clock::Clock;
pub use columns::SortKey;
pub use config::Config;
pub use environment::Environment;
pub use error::AppError;
pub use filter::{ProjectFilter, SessionFilter, SessionHas};
pub use indexed::{Keeping, OpenIndex};
pub use moment::{End, Moments};
pub use redaction::RedactSessionError;
pub use report::{Progress, Reporter, Silent};

use config::{BlockLimit, Rate, Sign, Zone};

/// Flags that override settings or add roots.
#[derive(Debug, Clone, Default)]
pub struct Flags {
    /// `--root`
    pub roots: Vec<PathBuf>,
    /// `--timezone`
    pub timezone: Option<Zone>,
    /// `--currency`
    pub currency: Option<Sign>,
    /// `--currency-rate`
    pub currency_rate: Option<Rate>,
    /// `--quiet`
    pub is_quiet: bool,
}

/// All decisions that are made once. A clone is another handle to the same app.
#[derive(Clone)]
pub struct App {
    inner: Arc<Inner>,
}

struct Inner {
    environment: Environment,
    flags: Flags,
    clock: Clock,
    reporter: Box<dyn Reporter>,
    settings: OnceLock<Settings>,
    roots: OnceLock<Vec<Root>>,
    evidence: OnceLock<Evidence>,
}

/// The settings and the values derived from them.
#[derive(Debug, Clone)]
pub struct Settings {
    /// Prices of tokens.
    pub prices: Prices,
    /// A key that changes with the user's prices.
    pub price_key: u64,
    /// Time zone and currency of all output.
    pub locale: Locale,
    /// Assigns moments to days, weeks and months.
    pub calendar: Calendar,
    /// The alert rules of the board.
    pub rules: Rules,
    /// The token limit of a five-hour block.
    pub block_limit: Option<BlockLimit>,
    /// The template of the status line.
    pub statusline: Option<String>,
    /// What is kept and what is replaced, beyond the rules, in sessions that are shared.
    pub redaction: redact::Settings,
}

impl std::fmt::Debug for App {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Inner { environment, flags, clock, reporter: _, settings, roots, evidence: _ } = &*self.inner;
        f.debug_struct("App")
            .field("environment", environment)
            .field("flags", flags)
            .field("clock", clock)
            .field("settings", settings)
            .field("roots", roots)
            .finish_non_exhaustive()
    }
}

impl App {
    /// Creates an app that reports nothing.
    ///
    /// ```
    /// use app::{App, Environment, Flags};
    /// let app = App::new(Environment::default(), Flags::default());
    /// assert_eq!(app.locale().unwrap().money(3.5), "$3.50");
    /// ```
    pub fn new(environment: Environment, flags: Flags) -> Self {
        let clock = environment.clock();
        Self::made_of(environment, flags, clock, Box::new(Silent))
    }

    /// Creates an app that reports warnings and progress.
    pub fn reporting_to(reporter: Box<dyn Reporter>, environment: Environment, flags: Flags) -> Self {
        let clock = environment.clock();
        Self::made_of(environment, flags, clock, reporter)
    }

    /// Creates an app with a stopped clock, for tests.
    pub fn at(now: Timestamp, environment: Environment, flags: Flags) -> Self {
        Self::made_of(environment, flags, Clock::Stopped(now), Box::new(Silent))
    }

    fn made_of(environment: Environment, flags: Flags, clock: Clock, reporter: Box<dyn Reporter>) -> Self {
        let (settings, roots, evidence) = (OnceLock::new(), OnceLock::new(), OnceLock::new());
        Self { inner: Arc::new(Inner { environment, flags, clock, reporter, settings, roots, evidence }) }
    }

    /// Returns the environment of the process.
    pub fn environment(&self) -> &Environment {
        &self.inner.environment
    }

    /// Returns the working directory.
    pub fn here(&self) -> &Path {
        &self.inner.environment.here
    }

    /// Returns the settings, and reads them on first use.
    pub fn settings(&self) -> Result<&Settings, AppError> {
        if let Some(settings) = self.inner.settings.get() {
            return Ok(settings);
        }
        let (config, warnings) = Config::load(&self.inner.environment)?;
        let mut is_first = false;
        let settings = self.inner.settings.get_or_init(|| {
            is_first = true;
            self.settle(&config)
        });
        // If another thread was faster, it has warned already.
        for warning in warnings.iter().filter(|_| is_first) {
            self.inner.reporter.warn(&warning.to_string(), &warning.hints());
        }
        Ok(settings)
    }

    /// Derives values from the settings and the flags that override them.
    fn settle(&self, config: &Config) -> Settings {
        let Flags { roots: _, timezone, currency, currency_rate, is_quiet: _ } = &self.inner.flags;
        let mut calendar = config.calendar(&self.inner.environment);
        if let Some(Zone(zone)) = timezone {
            calendar.zone = zone.clone();
        }
        let Currency { sign, rate } = config.currency();
        let currency = Currency {
            sign: currency.as_ref().map_or(sign, |Sign(sign)| sign.clone()),
            rate: currency_rate.map_or(rate, |Rate(rate)| rate),
        };
        let is_zone_chosen = timezone.is_some() || config.has_time_zone();
        let locale = Locale { zone: calendar.zone.clone(), is_zone_chosen, currency };
        Settings {
            prices: config.prices(),
            price_key: config.price_key(),
            rules: config.rules(&locale.currency),
            locale,
            calendar,
            block_limit: config.block_limit(),
            statusline: config.statusline().map(str::to_owned),
            redaction: config.redaction(),
        }
    }

    /// Returns the prices of tokens.
    pub fn prices(&self) -> Result<&Prices, AppError> {
        Ok(&self.settings()?.prices)
    }

    /// Returns the time zone and currency of all output.
    pub fn locale(&self) -> Result<&Locale, AppError> {
        Ok(&self.settings()?.locale)
    }

    /// Returns the time zone of all output.
    pub fn zone(&self) -> Result<&TimeZone, AppError> {
        Ok(&self.settings()?.locale.zone)
    }

    /// Returns the source of the current time, for threads that outlive a borrow.
    pub fn clock(&self) -> Clock {
        self.inner.clock
    }

    /// Returns the current time.
    pub fn timestamp(&self) -> Timestamp {
        self.inner.clock.now()
    }

    /// Returns the current time in the user's zone.
    pub fn now(&self) -> Result<Zoned, AppError> {
        Ok(self.timestamp().to_zoned(self.zone()?.clone()))
    }

    /// Returns the start of today in the user's zone, in milliseconds since 1970.
    pub fn midnight(&self) -> Result<i64, AppError> {
        Ok(self.now()?.start_of_day().map_or(0, |start| start.timestamp().as_millisecond()))
    }

    /// Returns a parser of moments as typed by users.
    pub fn moments(&self) -> Result<Moments, AppError> {
        Ok(Moments::new(self.now()?, self.settings()?.calendar.week_starts))
    }

    /// Returns the roots of the environment and those that flags add.
    pub fn roots(&self) -> &[Root] {
        self.inner.roots.get_or_init(|| sources::roots(&self.inner.environment.sources, &self.inner.flags.roots))
    }

    /// Returns the roots that flags add.
    pub fn named_roots(&self) -> &[PathBuf] {
        &self.inner.flags.roots
    }

    /// Returns all sources of all roots.
    pub fn sources(&self) -> FoundSources {
        sources::find_in_roots(self.roots())
    }

    /// Finds a session by a path, `-`, `last`, an id, a prefix of one, or words of its title. If several match, the
    /// filter chooses among them.
    pub fn find_session(&self, name: &str, filter: &SessionFilter) -> Result<Source, LookupError> {
        let is_wanted =
            |source: &Source| filter.is_empty() || facts_of(source).is_some_and(|facts| filter.wants_facts(&facts));
        find_session_where(name, self.roots(), &is_wanted)
    }

    /// Returns the session with this main file, as it is found now.
    pub fn session_at(&self, main: &FileKey) -> Option<Source> {
        let found = self.sources();
        let (sessions, _) = sessions_of(&found, &Neighbours::of(&found, HashMap::new()));
        sessions.into_iter().find(|session| session.input.key().as_ref() == Some(main))
    }

    /// Returns whether to print only results and errors.
    pub fn is_quiet(&self) -> bool {
        self.inner.flags.is_quiet
    }

    /// Shows a warning.
    pub fn warn(&self, message: &str, hints: &[String]) {
        self.inner.reporter.warn(message, hints);
    }

    /// Shows that work on this many bytes begins.
    pub fn progress(&self, total: u64) -> Box<dyn Progress> {
        self.inner.reporter.progress(total)
    }
}
