//! The user's settings: a file, and variables that go before it. Flags go before both.

mod alerts;
mod prices;
mod settings;
mod zone;

pub(crate) use settings::{BillingDay, BlockLimit, Currency, Rate, Sign, WeekStart, Zone};

use std::fmt::Display;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use anyhow::Context as _;
use jiff::tz::TimeZone;
use ledger::Prices;
use ledger::calendar::Calendar;
use live::alert::Rules;
use serde::Deserialize;

use alerts::Alerts;
use prices::PriceSettings;
use settings::Flag;

/// All settings. What nobody set is as it is without a file.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct Config {
    timezone: Option<Zone>,
    usage: UsageSettings,
    prices: PriceSettings,
    statusline: StatuslineSettings,
    alerts: Alerts,
}

#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
struct UsageSettings {
    start_of_week: WeekStart,
    billing_day: BillingDay,
    currency: Sign,
    currency_rate: Rate,
    block_limit: Option<BlockLimit>,
}

#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
struct StatuslineSettings {
    template: Option<String>,
}

impl Config {
    /// The settings of this user.
    pub(crate) fn load() -> anyhow::Result<Self> {
        let variable = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
        let mut config = match path() {
            Some((path, is_named)) => match fs::read_to_string(&path) {
                Ok(text) => Self::read(&text, &path)?,
                Err(error) if error.kind() == io::ErrorKind::NotFound && !is_named => Self::default(),
                Err(error) => {
                    return Err(error).with_context(|| format!("cannot read the settings: {}", path.display()));
                }
            },
            None => Self::default(),
        };
        config.take_variables(variable)?;
        Ok(config)
    }

    /// The settings in a file.
    fn read(text: &str, path: &Path) -> anyhow::Result<Self> {
        toml::from_str(text).map_err(|error| {
            let before = error.span().and_then(|span| text.get(..span.start)).unwrap_or_default();
            let line = before.matches('\n').count() + 1;
            anyhow::anyhow!("{}:{line}: {}", path.display(), error.message())
        })
    }

    /// Takes what variables say.
    fn take_variables(&mut self, variable: impl Fn(&str) -> Option<String>) -> anyhow::Result<()> {
        let Self { timezone, usage, prices, statusline, alerts: _ } = self;
        let of = &variable;
        *timezone = said("RECOUNT_TIMEZONE", of)?.or(timezone.take());
        usage.start_of_week = said("RECOUNT_START_OF_WEEK", of)?.unwrap_or(usage.start_of_week);
        usage.billing_day = said("RECOUNT_BILLING_DAY", of)?.unwrap_or(usage.billing_day);
        usage.currency = said("RECOUNT_CURRENCY", of)?.unwrap_or(std::mem::take(&mut usage.currency));
        usage.currency_rate = said("RECOUNT_CURRENCY_RATE", of)?.unwrap_or(usage.currency_rate);
        usage.block_limit = said("RECOUNT_BLOCK_LIMIT", of)?.or(usage.block_limit);
        prices.regions_cost_more = said("RECOUNT_REGIONS_COST_MORE", of)?.unwrap_or(prices.regions_cost_more);
        statusline.template = said("RECOUNT_STATUSLINE", of)?.or(statusline.template.take());
        Ok(())
    }

    /// Where days begin.
    pub(crate) fn time_zone(&self) -> TimeZone {
        self.timezone.as_ref().map_or_else(zone::of_system, |Zone(zone)| zone.clone())
    }

    /// How moments become days, weeks and months.
    pub(crate) fn calendar(&self) -> Calendar {
        let UsageSettings { start_of_week: WeekStart(week_starts), billing_day: BillingDay(billing_day), .. } =
            self.usage;
        Calendar { zone: self.time_zone(), week_starts, billing_day }
    }

    /// The listed prices, and those that the user set.
    pub(crate) fn prices(&self) -> Prices {
        self.prices.prices()
    }

    /// What amounts are shown in.
    pub(crate) fn currency(&self) -> Currency {
        let (Sign(sign), Rate(rate)) = (&self.usage.currency, self.usage.currency_rate);
        Currency { sign: sign.clone(), rate }
    }

    /// How many tokens a block may have.
    pub(crate) fn block_limit(&self) -> Option<BlockLimit> {
        self.usage.block_limit
    }

    /// What somebody wants to be told about.
    pub(crate) fn rules(&self) -> Rules {
        self.alerts.rules()
    }

    /// What the status line looks like.
    pub(crate) fn statusline(&self) -> Option<&str> {
        self.statusline.template.as_deref()
    }
}

/// What a variable says, if it is set.
fn said<T: FromStr<Err: Display>>(name: &str, variable: impl Fn(&str) -> Option<String>) -> anyhow::Result<Option<T>> {
    let read = |text: String| text.parse().map_err(|error| anyhow::anyhow!("{name}={text}: {error}"));
    variable(name).map(read).transpose()
}

/// Where the settings are, and whether somebody said so.
fn path() -> Option<(PathBuf, bool)> {
    let folder = |name| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    if let Some(path) = folder("RECOUNT_CONFIG") {
        return Some((path, true));
    }
    let config = folder("XDG_CONFIG_HOME").filter(|path| path.is_absolute());
    let config = config.or_else(|| Some(std::env::home_dir()?.join(".config")))?;
    Some((config.join("recount").join("config.toml"), false))
}

#[cfg(test)]
mod tests;
