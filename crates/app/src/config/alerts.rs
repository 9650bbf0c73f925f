//! Settings of the board's alerts.

use human::Currency;
use jiff::SignedDuration;
use ledger::Money;
use live::alert::Rules;
use regex::Regex;
use serde::Deserialize;

/// The settings as written in the file. The value 0 disables an alert.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct AlertSettings {
    waiting: Option<Wait>,
    failed_in_a_row: Option<u32>,
    cost: Option<f64>,
    cost_per_day: Option<f64>,
    context: Option<u32>,
    repeated: Option<u32>,
    pattern: Option<Pattern>,
}

/// A duration as typed by users: `5m`, `1h 30m`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
struct Wait(SignedDuration);

impl TryFrom<String> for Wait {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        text.parse().map(Self).map_err(|_| format!("`{text}` is not a time; expected one such as 5m or 1h 30m"))
    }
}

/// A regular expression.
#[derive(Debug, Clone, Deserialize)]
#[serde(try_from = "String")]
struct Pattern(Regex);

impl PartialEq for Pattern {
    fn eq(&self, other: &Self) -> bool {
        self.0.as_str() == other.0.as_str()
    }
}

impl TryFrom<String> for Pattern {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        Regex::new(&text).map(Self).map_err(|error| format!("`{text}` is not a regular expression: {error}"))
    }
}

impl AlertSettings {
    pub(super) fn rules(&self, currency: &Currency) -> Rules {
        let usual = Rules::default();
        let number = |set: Option<u32>, usual: Option<u32>| set.or(usual).filter(|number| *number > 0);
        let money = |set: Option<f64>| set.filter(|amount| *amount > 0.0).map(Money::from_dollars);
        Rules {
            waiting: self.waiting.and_then(|Wait(wait)| i64::try_from(wait.as_millis()).ok()).filter(|wait| *wait > 0),
            failed: number(self.failed_in_a_row, usual.failed),
            cost: money(self.cost),
            budget: money(self.cost_per_day),
            context: number(self.context, usual.context),
            repeated: number(self.repeated, usual.repeated),
            currency: currency.clone(),
            pattern: self.pattern.clone().map(|Pattern(pattern)| pattern),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_come_from_the_file_or_have_defaults() {
        let none: AlertSettings = toml::from_str("").unwrap();
        let (rules, usual) = (none.rules(&Currency::default()), Rules::default());
        assert_eq!((rules.failed, rules.context, rules.waiting), (usual.failed, usual.context, None));
        let some: AlertSettings =
            toml::from_str("waiting = \"1m 30s\"\nfailed-in-a-row = 0\ncost-per-day = 50\npattern = 'rm -rf'").unwrap();
        let rules = some.rules(&Currency::default());
        assert_eq!((rules.waiting, rules.failed), (Some(90_000), None));
        assert_eq!(rules.budget, Some(Money::from_dollars(50.0)));
        assert!(rules.pattern.unwrap().is_match("sudo rm -rf /"));
    }

    #[test]
    fn invalid_rules_are_reported() {
        let error = |text: &str| toml::from_str::<AlertSettings>(text).unwrap_err().message().to_owned();
        assert!(error("waiting = \"soon\"").contains("`soon` is not a time"));
        assert!(error("pattern = '('").contains("is not a regular expression"));
        assert!(error("loud = true").contains("unknown field"));
    }
}
