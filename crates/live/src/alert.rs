//! Alerts: the rules, and which of them a session meets.

use human::Currency;
use ledger::Money;
use regex::Regex;
use story::step::Millis;

use crate::board::Card;

/// The rules. An unset rule never applies.
#[derive(Debug, Clone)]
pub struct Rules {
    /// It waits for you longer than this, in milliseconds.
    pub waiting: Option<Millis>,
    /// This many calls failed in a row.
    pub failed: Option<u32>,
    /// It cost more than this.
    pub cost: Option<Money>,
    /// All sessions together cost more than this today.
    pub budget: Option<Money>,
    /// This much of the context is used, in percent of the model's window.
    pub context: Option<u32>,
    /// The same call was made this many times in a row.
    pub repeated: Option<u32>,
    /// Its calls or its text match this.
    pub pattern: Option<Regex>,
    /// The currency that alerts name amounts in.
    pub currency: Currency,
}

impl Default for Rules {
    /// Rules that suit nearly everyone.
    fn default() -> Self {
        Self {
            waiting: None,
            failed: Some(5),
            cost: None,
            budget: None,
            context: Some(90),
            repeated: Some(8),
            pattern: None,
            currency: Currency::default(),
        }
    }
}

/// The smallest context window; larger ones are detected once they are used.
const WINDOW: u32 = 200_000;
const LARGE_WINDOW: u32 = 1_000_000;

/// The approximate context window of a model, judging by the tokens it has received.
pub const fn window(tokens: u32) -> u32 {
    if tokens > WINDOW { LARGE_WINDOW } else { WINDOW }
}

impl Rules {
    /// The alerts about a session, in the order of the rules.
    pub fn alerts(&self, card: &Card, now: Millis) -> Vec<String> {
        let mut alerts = Vec::new();
        if !card.state.doing.is_active() {
            return alerts;
        }
        let glance = &card.glance;
        let waits = card.state.since.filter(|_| card.needs_you()).map(|since| now - since);
        if self.waiting.is_some_and(|most| waits.is_some_and(|waits| waits > most)) {
            alerts.push("has waited for a long time".to_owned());
        }
        if self.failed.is_some_and(|least| least > 0 && glance.failed_in_a_row >= least) {
            alerts.push(format!("{} calls failed in a row", glance.failed_in_a_row));
        }
        let cost = card.session.as_ref().map(|session| session.used.cost);
        if let (Some(most), Some(cost)) = (self.cost, cost)
            && cost > most
        {
            alerts.push(format!("cost more than {}", self.currency.show(most.dollars())));
        }
        if let (Some(most), Some(tokens)) = (self.context, glance.context)
            && u64::from(tokens) * 100 >= u64::from(window(tokens)) * u64::from(most)
        {
            alerts.push("the context is nearly full".to_owned());
        }
        if self.repeated.is_some_and(|least| least > 1 && glance.repeated + 1 >= least) {
            alerts.push(format!("made the same call {} times", glance.repeated + 1));
        }
        if let Some(pattern) = &self.pattern {
            let (what, words) = (card.state.doing.what(), glance.tail.words.as_deref().unwrap_or_default());
            if let Some(found) = pattern.find(&what).or_else(|| pattern.find(words)) {
                alerts.push(format!("“{}”", found.as_str().chars().take(60).collect::<String>()));
            }
        }
        alerts
    }

    /// The alert about all sessions together.
    pub fn over_budget(&self, today: Money) -> Option<String> {
        let budget = self.budget.filter(|budget| today > *budget)?;
        let [today, budget] = [today, budget].map(|amount| self.currency.show(amount.dollars()));
        Some(format!("today cost {today}, more than {budget}"))
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use index::catalogue::{Session, Used};

    use story::OpenCall;

    use super::*;
    use crate::glance::Glance;
    use crate::state::{Confidence, Doing, State};

    fn card(doing: Doing, glance: Glance) -> Card {
        let state = State { doing, confidence: Confidence::Sure, since: Some(1_000) };
        Card { name: "a".to_owned(), session: None, process: None, state, glance: Arc::new(glance), alerts: Vec::new() }
    }

    fn working(command: &str) -> Doing {
        Doing::Working(Some(OpenCall { tool: "Bash".to_owned(), subject: command.to_owned(), ..OpenCall::default() }))
    }

    #[test]
    fn each_rule_reports_what_it_found() {
        let none = Rules { failed: None, context: None, repeated: None, ..Rules::default() };
        let busy = Glance { failed_in_a_row: 3, repeated: 4, context: Some(185_000), ..Glance::default() };
        assert!(none.alerts(&card(working("ls"), busy.clone()), 2_000).is_empty());
        let all = Rules {
            failed: Some(3),
            context: Some(90),
            repeated: Some(5),
            pattern: Some(Regex::new("rm -rf").unwrap()),
            ..none.clone()
        };
        assert_eq!(
            all.alerts(&card(working("rm -rf /tmp/x"), busy), 2_000),
            ["3 calls failed in a row", "the context is nearly full", "made the same call 5 times", "“rm -rf”"]
        );
        assert!(all.alerts(&card(working("ls"), Glance::default()), 2_000).is_empty());
    }

    #[test]
    fn only_waiting_sessions_wait_for_long() {
        let rules = Rules { waiting: Some(60_000), ..Rules::default() };
        let waits = card(Doing::YourTurn(None), Glance::default());
        assert!(rules.alerts(&waits, 61_000).is_empty());
        assert_eq!(rules.alerts(&waits, 61_001), ["has waited for a long time"]);
        assert!(rules.alerts(&card(working("sleep 99"), Glance::default()), 99_000).is_empty());
        assert!(
            rules.alerts(&card(Doing::Finished, Glance::default()), 99_000).is_empty(),
            "a finished session does not wait"
        );
    }

    fn that_cost(dollars: f64) -> Session {
        Session {
            id: 1,
            name: "a".to_owned(),
            path: "/w/a.jsonl".into(),
            used: Used { cost: Money::from_dollars(dollars), ..Used::default() },
            ..Session::default()
        }
    }

    #[test]
    fn a_session_may_exceed_its_cost() {
        let rules = Rules { cost: Some(Money::from_dollars(5.0)), ..Rules::default() };
        let costing = |dollars| Card { session: Some(that_cost(dollars)), ..card(working("ls"), Glance::default()) };
        assert!(rules.alerts(&costing(5.0), 2_000).is_empty());
        assert_eq!(rules.alerts(&costing(5.01), 2_000), ["cost more than $5.00"]);
        assert!(rules.alerts(&card(working("ls"), Glance::default()), 2_000).is_empty(), "its cost is unknown");
    }

    #[test]
    fn words_are_matched_too() {
        let rules = Rules { pattern: Some(Regex::new("(?i)give up").unwrap()), ..Rules::default() };
        let mut glance = Glance::default();
        glance.tail.words = Some("I give up on this test.".to_owned());
        assert_eq!(rules.alerts(&card(working("ls"), glance), 2_000), ["“give up”"]);
        let waits = card(Doing::YourTurn(Some("Shall I GIVE UP?".to_owned())), Glance::default());
        assert_eq!(rules.alerts(&waits, 2_000), ["“GIVE UP”"]);
    }

    #[test]
    fn a_budget_covers_all_sessions() {
        let rules = Rules { budget: Some(Money::from_dollars(50.0)), ..Rules::default() };
        assert_eq!(rules.over_budget(Money::from_dollars(50.0)), None);
        let said = rules.over_budget(Money::from_dollars(53.2)).unwrap();
        assert_eq!(said, "today cost $53.20, more than $50.00");
    }
}
