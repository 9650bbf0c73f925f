//! The user's settings: a file, and variables that override it. Flags override both.

mod alerts;
mod prices;
mod redact_settings;
mod settings;
mod unknown;
mod zone;

pub use settings::{BillingDay, BlockLimit, Rate, Sign, WeekStart, Zone};
pub use unknown::UnknownSetting;

use std::fmt::Display;
use std::fs;
use std::hash::{DefaultHasher, Hasher as _};
use std::io;
use std::path::Path;
use std::str::FromStr;

use human::Currency;
use jiff::tz::TimeZone;
use ledger::Prices;
use ledger::calendar::Calendar;
use live::alert::Rules;
use serde::Deserialize;

use crate::{AppError, Environment};
use alerts::AlertSettings;
use prices::PriceSettings;
use redact_settings::RedactSettings;
use settings::Flag;

/// All settings. Unset ones have their defaults.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct Config {
    timezone: Option<Zone>,
    usage: UsageSettings,
    prices: PriceSettings,
    statusline: StatuslineSettings,
    alerts: AlertSettings,
    redact: RedactSettings,
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
    /// Loads the user's settings, and lists settings in the file that this version does not know.
    pub fn load(environment: &Environment) -> Result<(Self, Vec<UnknownSetting>), AppError> {
        let (mut config, unknown) = match &environment.config {
            Some(file) => match fs::read_to_string(&file.path) {
                Ok(text) => Self::read(&text, &file.path)?,
                Err(error) if error.kind() == io::ErrorKind::NotFound && !file.is_named => Default::default(),
                Err(error) => return Err(AppError::ConfigUnreadable { path: file.path.clone(), error }),
            },
            None => Default::default(),
        };
        config.take_variables(|name| environment.variable(name))?;
        Ok((config, unknown))
    }

    /// Parses a settings file. Unknown settings are ignored, so that one file serves two versions.
    fn read(text: &str, path: &Path) -> Result<(Self, Vec<UnknownSetting>), AppError> {
        let invalid = |error: &toml::de::Error| AppError::ConfigInvalid {
            path: path.to_path_buf(),
            line: line_of(text, error.span().map_or(0, |span| span.start)),
            message: error.message().to_owned(),
        };
        let mut document = toml::de::DeTable::parse(text).map_err(|error| invalid(&error))?;
        let mut unknown = Vec::new();
        unknown::take_out(document.get_mut(), &mut Vec::new(), &mut |names, expected, offset| {
            unknown.push(UnknownSetting {
                path: path.to_path_buf(),
                line: line_of(text, offset),
                name: names.join("."),
                expected,
            });
        });
        unknown.sort_by_key(|setting| setting.line);
        let config = Self::deserialize(toml::Deserializer::from(document)).map_err(|error| invalid(&error))?;
        Ok((config, unknown))
    }

    /// Applies variables.
    fn take_variables<'v>(&mut self, variable: impl Fn(&str) -> Option<&'v str>) -> Result<(), AppError> {
        let Self { timezone, usage, prices, statusline, alerts: _, redact: _ } = self;
        let of = &variable;
        *timezone = value_of("RECOUNT_TIMEZONE", of)?.or(timezone.take());
        usage.start_of_week = value_of("RECOUNT_START_OF_WEEK", of)?.unwrap_or(usage.start_of_week);
        usage.billing_day = value_of("RECOUNT_BILLING_DAY", of)?.unwrap_or(usage.billing_day);
        usage.currency = value_of("RECOUNT_CURRENCY", of)?.unwrap_or(std::mem::take(&mut usage.currency));
        usage.currency_rate = value_of("RECOUNT_CURRENCY_RATE", of)?.unwrap_or(usage.currency_rate);
        usage.block_limit = value_of("RECOUNT_BLOCK_LIMIT", of)?.or(usage.block_limit);
        prices.regions_cost_more = value_of("RECOUNT_REGIONS_COST_MORE", of)?.unwrap_or(prices.regions_cost_more);
        statusline.template = value_of("RECOUNT_STATUSLINE", of)?.or(statusline.template.take());
        Ok(())
    }

    /// Returns whether the user chose a time zone.
    pub fn has_time_zone(&self) -> bool {
        self.timezone.is_some()
    }

    /// Returns the time zone in which days begin.
    pub fn time_zone(&self, environment: &Environment) -> TimeZone {
        self.timezone.as_ref().map_or_else(|| zone::of_system(environment), |Zone(zone)| zone.clone())
    }

    /// Returns the calendar that assigns moments to days, weeks and months.
    pub fn calendar(&self, environment: &Environment) -> Calendar {
        let UsageSettings { start_of_week: WeekStart(week_starts), billing_day: BillingDay(billing_day), .. } =
            self.usage;
        Calendar { zone: self.time_zone(environment), week_starts, billing_day }
    }

    /// Returns the listed prices, with the user's own.
    pub fn prices(&self) -> Prices {
        self.prices.prices()
    }

    /// Returns a key that changes with the user's prices, so that figures computed with other prices are recognized as
    /// outdated.
    pub fn price_key(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        hasher.write(format!("{:?}", self.prices).as_bytes());
        hasher.finish()
    }

    /// Returns the currency of amounts.
    pub fn currency(&self) -> Currency {
        let (Sign(sign), Rate(rate)) = (&self.usage.currency, self.usage.currency_rate);
        Currency { sign: sign.clone(), rate }
    }

    /// Returns the token limit of a five-hour block.
    pub fn block_limit(&self) -> Option<BlockLimit> {
        self.usage.block_limit
    }

    /// Returns the alert rules of the board.
    pub fn rules(&self, currency: &Currency) -> Rules {
        self.alerts.rules(currency)
    }

    /// Returns what is kept and what is replaced, beyond the rules, in sessions that leave this machine.
    pub fn redaction(&self) -> redact::Settings {
        self.redact.settings()
    }

    /// Returns the template of the status line.
    pub fn statusline(&self) -> Option<&str> {
        self.statusline.template.as_deref()
    }
}

/// Returns the line of an offset in a text, from 1.
fn line_of(text: &str, offset: usize) -> usize {
    text.get(..offset).unwrap_or_default().matches('\n').count() + 1
}

/// Parses the value of a variable, if it is set.
fn value_of<'v, T: FromStr<Err: Display>>(
    name: &str,
    variable: impl Fn(&str) -> Option<&'v str>,
) -> Result<Option<T>, AppError> {
    let read = |value: &str| {
        value.parse().map_err(|error: T::Err| AppError::Variable {
            name: name.to_owned(),
            value: value.to_owned(),
            expected: error.to_string(),
        })
    };
    variable(name).map(read).transpose()
}

#[cfg(test)]
mod tests;
