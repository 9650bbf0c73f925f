//! Values of the placeholders in a template.

use anstyle::{AnsiColor, Style};
use human::{Cost, Currency, duration, thousands};
use jiff::Timestamp;
use ledger::{Quality, Totals};

use super::figures::Figures;
use super::input::Input;
use super::template::Word;
use crate::terminal::clean;

/// Everything known about the running session.
pub(super) struct Status<'i> {
    pub(super) input: &'i Input,
    /// Figures from the sessions, if they are known.
    pub(super) figures: Option<Figures>,
    pub(super) currency: &'i Currency,
    pub(super) now: Timestamp,
    pub(super) colours: bool,
}

/// Percentage from which a share is highlighted.
const MUCH: f64 = 70.0;
const NEARLY_ALL: f64 = 90.0;

const WARNING: Style = AnsiColor::Yellow.on_default();
const ALARM: Style = AnsiColor::Red.on_default();

/// Windows of limits: our names and Claude Code's keys.
const LIMITS: [(&str, &str); 2] = [("5h", "five_hour"), ("7d", "seven_day")];

/// Context size of most models.
const USUAL_CONTEXT: u32 = 200_000;
const LARGE_CONTEXT: u32 = 1_000_000;

impl Status<'_> {
    /// Returns the value of a placeholder; `None` if it is unknown.
    pub(super) fn value(&self, word: Word) -> Option<String> {
        match word {
            Word::Model => self.model(),
            Word::Effort => self.input.name(&["/effort/level"]),
            Word::Agent => self.input.name(&["/agent/name"]),
            Word::Title => self.input.name(&["/session_name"]),
            Word::Project => self.project(),
            Word::Worktree => self.input.name(&["/worktree/name", "/workspace/git_worktree"]),
            Word::Cost => self.cost(),
            Word::Duration => self.input.count("/cost/total_duration_ms").map(duration),
            Word::Lines => self.lines(),
            Word::Today => self.today(),
            Word::Block => self.block(),
            Word::Context => self.context(),
            Word::Limits => self.limits(),
        }
    }

    fn model(&self) -> Option<String> {
        let said = self.input.name(&["/model/display_name", "/model/id"]);
        said.or_else(|| self.figures.as_ref()?.model.as_deref().map(|model| clean(model).into_owned()))
    }

    fn project(&self) -> Option<String> {
        let repository = self.input.name(&["/workspace/repo/name"]);
        repository.or_else(|| self.input.folder(&["/workspace/project_dir", "/workspace/current_dir", "/cwd"]))
    }

    /// Prefers Claude Code's exact figure; the messages of the last hours are only part of it.
    fn cost(&self) -> Option<String> {
        if let Some(dollars) = self.input.number("/cost/total_cost_usd") {
            return Some(self.currency.show(dollars));
        }
        let known = self.figures.as_ref().filter(|figures| figures.session.messages > 0)?;
        Some(self.amount(&known.session, true))
    }

    fn today(&self) -> Option<String> {
        let figures = self.figures.as_ref()?;
        // A message in progress is never fully known; that alone does not mark the sum as a lower bound.
        let low = figures.today.share(Quality::Low).cost.picodollars();
        let is_low = low.saturating_mul(100) > figures.today.cost.picodollars();
        Some(self.amount(&figures.today, figures.is_behind || is_low))
    }

    fn amount(&self, totals: &Totals, is_at_least: bool) -> String {
        let is_partial = !totals.unknown_models.is_empty();
        self.currency.cost(Cost { dollars: totals.cost.dollars(), is_at_least, is_partial })
    }

    fn lines(&self) -> Option<String> {
        let (added, removed) =
            (self.input.count("/cost/total_lines_added"), self.input.count("/cost/total_lines_removed"));
        if added.is_none() && removed.is_none() {
            return None;
        }
        Some(format!("+{} −{}", thousands(added.unwrap_or_default()), thousands(removed.unwrap_or_default())))
    }

    fn block(&self) -> Option<String> {
        let until = |end: i64| (end - self.now.as_millisecond()).max(0).unsigned_abs() / 60_000;
        if let Some(reset) = self.input.moment("/rate_limits/five_hour/resets_at").filter(|reset| *reset > self.now) {
            return Some(hours_and_minutes(until(reset.as_millisecond())));
        }
        let end = self.figures.as_ref()?.block_ends?;
        Some(format!("~{}", hours_and_minutes(until(end))))
    }

    fn context(&self) -> Option<String> {
        let of = |used: f64, size: f64| (size > 0.0).then(|| used / size * 100.0);
        let stated = || {
            let usage = |name: &str| self.input.number(&format!("/context_window/current_usage/{name}"));
            let input = usage("input_tokens")?;
            let caching = ["cache_creation_input_tokens", "cache_read_input_tokens"];
            let used: f64 = input + caching.iter().filter_map(|name| usage(name)).sum::<f64>();
            of(used, self.input.number("/context_window/context_window_size")?)
        };
        if let Some(percent) = self.input.number("/context_window/used_percentage").or_else(stated) {
            return Some(self.share("", percent));
        }
        let used = self.figures.as_ref()?.context?;
        let size = if used > USUAL_CONTEXT { LARGE_CONTEXT } else { USUAL_CONTEXT };
        Some(self.share("~", of(used.into(), size.into())?))
    }

    fn limits(&self) -> Option<String> {
        let limits: Vec<String> = LIMITS.iter().filter_map(|(name, key)| self.limit(name, key)).collect();
        (!limits.is_empty()).then(|| limits.join(" · "))
    }

    fn limit(&self, name: &str, key: &str) -> Option<String> {
        // A share from before a reset is outdated.
        if self.input.moment(&format!("/rate_limits/{key}/resets_at")).is_some_and(|reset| reset <= self.now) {
            return None;
        }
        let percent = self.input.number(&format!("/rate_limits/{key}/used_percentage"))?;
        Some(self.share(&format!("{name} "), percent))
    }

    /// Formats a share in percent, colored if it is large.
    fn share(&self, before: &str, percent: f64) -> String {
        let style = match percent {
            _ if !self.colours => Style::new(),
            _ if percent >= NEARLY_ALL => ALARM,
            _ if percent >= MUCH => WARNING,
            _ => Style::new(),
        };
        format!("{style}{before}{percent:.0}%{style:#}")
    }
}

/// Formats minutes as `2h 41m`.
fn hours_and_minutes(minutes: u64) -> String {
    match (minutes / 60, minutes % 60) {
        (0, minutes) => format!("{minutes}m"),
        (hours, minutes) => format!("{hours}h {minutes:02}m"),
    }
}
