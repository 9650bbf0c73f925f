//! What every command, server and page is built on.
//!
//! An [`App`] is made once in `main`, from flags, environment and settings file, and handed to every verb, the server,
//! the site and the terminal browser. It decides which prices, zone, currency, roots and index are used; nothing else
//! does, so that all of them say the same.
//!
//! It opens nothing before it is asked: settings are read when the first of them is needed, and what is wrong with them
//! is reported then.
//!
//! | module | for |
//! |---|---|
//! | [`config`] | the settings file and the variables that override it |
//! | [`environment`] | what the process was started with |
//! | [`clock`] | the current time |
//! | [`moment`] | moments as people type them |
//! | [`indexed`] | opening, updating and repairing the index |
//! | [`filter`] | which sessions are meant |
//! | [`columns`] | the columns of sessions and projects, and their order |
//! | [`usage`] | what sessions used, summed up |
//! | [`parallel`] | reading many sources at once |
//! | [`report`] | warnings and progress on their way to a person |

pub mod clock;
pub mod columns;
pub mod config;
pub mod environment;
mod error;
pub mod filter;
pub mod indexed;
pub mod moment;
pub mod parallel;
pub mod report;
pub mod usage;

use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use human::{Currency, Locale};
use jiff::tz::TimeZone;
use jiff::{Timestamp, Zoned};
use ledger::Prices;
use ledger::calendar::Calendar;
use live::alert::Rules;
use reader::{LookupError, facts_of, find_session_where};
use sources::{Found, Root, Source};

pub use clock::Clock;
pub use columns::SortKey;
pub use config::Config;
pub use environment::Environment;
pub use error::AppError;
pub use filter::{ProjectFilter, SessionFilter, SessionHas};
pub use indexed::{Keeping, OpenIndex};
pub use moment::{End, Moments};
pub use report::{Progress, Reporter, Silent};

use config::{BlockLimit, Rate, Sign, Zone};

/// Flags that override settings, and roots that are added.
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

/// Everything that is decided once. A clone is another handle to the same.
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
}

/// The settings with what follows from them.
#[derive(Debug, Clone)]
pub struct Settings {
    /// What tokens cost.
    pub prices: Prices,
    /// Another number for other prices of the user.
    pub price_key: u64,
    /// The zone and the currency that everything is shown in.
    pub locale: Locale,
    /// How moments become days, weeks and months.
    pub calendar: Calendar,
    /// What the board warns about.
    pub rules: Rules,
    /// How many tokens a five-hour block may have.
    pub block_limit: Option<BlockLimit>,
    /// The template of the status line.
    pub statusline: Option<String>,
}

impl std::fmt::Debug for App {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Inner { environment, flags, clock, reporter: _, settings, roots } = &*self.inner;
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
    /// An app that says nothing.
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

    /// An app that speaks to a person.
    pub fn reporting_to(reporter: Box<dyn Reporter>, environment: Environment, flags: Flags) -> Self {
        let clock = environment.clock();
        Self::made_of(environment, flags, clock, reporter)
    }

    /// An app whose time stands still, for tests.
    pub fn at(now: Timestamp, environment: Environment, flags: Flags) -> Self {
        Self::made_of(environment, flags, Clock::Stopped(now), Box::new(Silent))
    }

    fn made_of(environment: Environment, flags: Flags, clock: Clock, reporter: Box<dyn Reporter>) -> Self {
        let (settings, roots) = (OnceLock::new(), OnceLock::new());
        Self { inner: Arc::new(Inner { environment, flags, clock, reporter, settings, roots }) }
    }

    /// What the process was started with.
    pub fn environment(&self) -> &Environment {
        &self.inner.environment
    }

    /// The working directory.
    pub fn here(&self) -> &Path {
        &self.inner.environment.here
    }

    /// The settings, which are read now if they were not before.
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
        // Another thread may have been faster, and has warned.
        for warning in warnings.iter().filter(|_| is_first) {
            self.inner.reporter.warn(&warning.to_string(), &warning.hints());
        }
        Ok(settings)
    }

    /// What follows from the settings and the flags that override them.
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
        }
    }

    /// What tokens cost.
    pub fn prices(&self) -> Result<&Prices, AppError> {
        Ok(&self.settings()?.prices)
    }

    /// The zone and the currency that everything is shown in.
    pub fn locale(&self) -> Result<&Locale, AppError> {
        Ok(&self.settings()?.locale)
    }

    /// The zone that times are shown in.
    pub fn zone(&self) -> Result<&TimeZone, AppError> {
        Ok(&self.settings()?.locale.zone)
    }

    /// Where the current time comes from, for threads that outlive a borrow.
    pub fn clock(&self) -> Clock {
        self.inner.clock
    }

    /// The current time.
    pub fn timestamp(&self) -> Timestamp {
        self.inner.clock.now()
    }

    /// The current time, in the user's zone.
    pub fn now(&self) -> Result<Zoned, AppError> {
        Ok(self.timestamp().to_zoned(self.zone()?.clone()))
    }

    /// When this day began in the user's zone, in milliseconds since 1970.
    pub fn midnight(&self) -> Result<i64, AppError> {
        Ok(self.now()?.start_of_day().map_or(0, |start| start.timestamp().as_millisecond()))
    }

    /// Reads moments as people type them.
    pub fn moments(&self) -> Result<Moments, AppError> {
        Ok(Moments::new(self.now()?, self.settings()?.calendar.week_starts))
    }

    /// Where sessions are: the roots of the environment, and those that flags add.
    pub fn roots(&self) -> &[Root] {
        self.inner.roots.get_or_init(|| sources::roots(&self.inner.environment.sources, &self.inner.flags.roots))
    }

    /// The roots that flags add.
    pub fn named_roots(&self) -> &[PathBuf] {
        &self.inner.flags.roots
    }

    /// All sources of all roots.
    pub fn sources(&self) -> Found {
        sources::find_in_roots(self.roots())
    }

    /// A session by what a person calls it: a path, `-`, `last`, an id, the beginning of one, or words of its title.
    /// Among several that fit, those that the filter wants are meant.
    pub fn find_session(&self, name: &str, filter: &SessionFilter) -> Result<Source, LookupError> {
        let is_wanted =
            |source: &Source| filter.is_empty() || facts_of(source).is_some_and(|facts| filter.wants_facts(&facts));
        find_session_where(name, self.roots(), &is_wanted)
    }

    /// Whether nothing but results and errors is to be printed.
    pub fn is_quiet(&self) -> bool {
        self.inner.flags.is_quiet
    }

    /// Warns the person who waits.
    pub fn warn(&self, message: &str, hints: &[String]) {
        self.inner.reporter.warn(message, hints);
    }

    /// Shows that work on so many bytes begins.
    pub fn progress(&self, total: u64) -> Box<dyn Progress> {
        self.inner.reporter.progress(total)
    }
}
