//! The report on tools in many sessions, summed from the figures in the index.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use index::catalogue::Session;
use index::catalogue::tools::{Durations, SlowCall, Tools};
use story::step::Millis;

/// Maximum number of slow calls and errors in the report.
pub(crate) const MOST: usize = 30;

/// The report.
#[derive(Debug, Default)]
pub(crate) struct Report {
    /// Number of sessions.
    pub(crate) sessions: usize,
    /// Most calls first.
    pub(crate) tools: Vec<Tool>,
    /// The slowest calls.
    pub(crate) slowest: Vec<Slow>,
    /// The most frequent errors.
    pub(crate) errors: Vec<Repeated>,
}

/// The figures of a tool.
#[derive(Debug, Default, Clone)]
pub(crate) struct Tool {
    pub(crate) name: String,
    pub(crate) calls: u64,
    pub(crate) failed: u64,
    pub(crate) expected: u64,
    pub(crate) rejected: u64,
    pub(crate) interrupted: u64,
    pub(crate) durations: Durations,
}

/// A slow call.
#[derive(Debug)]
pub(crate) struct Slow {
    pub(crate) tool: String,
    pub(crate) session: String,
    pub(crate) title: String,
    pub(crate) call: SlowCall,
}

/// An error that occurred more than once.
#[derive(Debug)]
pub(crate) struct Repeated {
    pub(crate) tool: String,
    pub(crate) text: String,
    pub(crate) times: u64,
    pub(crate) sessions: usize,
    /// The last occurrence: when, and at which step.
    pub(crate) at: Option<Millis>,
    pub(crate) session: String,
    pub(crate) anchor: String,
}

impl Tool {
    fn add(&mut self, other: &Self) {
        self.calls += other.calls;
        self.failed += other.failed;
        self.expected += other.expected;
        self.rejected += other.rejected;
        self.interrupted += other.interrupted;
        self.durations.merge(&other.durations);
    }

    /// Failures per hundred calls.
    pub(crate) fn failure_rate(&self) -> f64 {
        #[expect(clippy::cast_precision_loss, reason = "it is a share")]
        let share = self.failed as f64 / self.calls.max(1) as f64;
        share * 100.0
    }
}

impl Report {
    /// The sums over sessions. Slow calls and errors are limited to one tool, if it is named.
    pub(crate) fn of(sessions: Vec<(&Session, Tools)>, only: Option<&str>) -> Self {
        let mut report = Self { sessions: sessions.len(), ..Self::default() };
        let mut tools: BTreeMap<String, Tool> = BTreeMap::new();
        let mut errors: BTreeMap<(String, String), Repeated> = BTreeMap::new();
        for (session, of_session) in sessions {
            for (name, figures) in of_session {
                let sum = tools.entry(name.clone()).or_insert_with(|| Tool { name: name.clone(), ..Tool::default() });
                sum.add(&Tool {
                    name: String::new(),
                    calls: figures.calls.into(),
                    failed: figures.failed.into(),
                    expected: figures.expected.into(),
                    rejected: figures.rejected.into(),
                    interrupted: figures.interrupted.into(),
                    durations: figures.durations,
                });
                if only.is_some_and(|only| !format::tool::Tool::named(&name).is_meant_by(only)) {
                    continue;
                }
                for call in figures.slowest {
                    let (tool, session, title) = (name.clone(), session.name.clone(), session.title.clone());
                    report.slowest.push(Slow { tool, session, title, call });
                }
                for (text, mistake) in figures.errors {
                    let repeated = errors.entry((name.clone(), text)).or_insert_with_key(|(tool, text)| Repeated {
                        tool: tool.clone(),
                        text: text.clone(),
                        times: 0,
                        sessions: 0,
                        at: None,
                        session: String::new(),
                        anchor: String::new(),
                    });
                    repeated.times += u64::from(mistake.times);
                    repeated.sessions += 1;
                    if repeated.session.is_empty() || repeated.at < mistake.at {
                        (repeated.at, repeated.anchor) = (mistake.at, mistake.anchor);
                        repeated.session.clone_from(&session.name);
                    }
                }
            }
            report.keep_slowest(MOST * 8);
        }
        report.keep_slowest(MOST);
        report.tools = tools.into_values().collect();
        report.tools.sort_by_key(|tool| Reverse(tool.calls));
        report.errors = errors.into_values().collect();
        report.errors.sort_by_key(|error| Reverse((error.times, error.at)));
        report.errors.truncate(MOST);
        report
    }

    /// Keeps only the slowest calls, once there are many.
    fn keep_slowest(&mut self, most: usize) {
        if self.slowest.len() > most || most == MOST {
            self.slowest.sort_by_key(|slow| Reverse(slow.call.millis));
            self.slowest.truncate(MOST);
        }
    }

    /// The sum over all tools.
    pub(crate) fn totals(&self) -> Tool {
        let mut totals = Tool::default();
        for tool in &self.tools {
            totals.add(tool);
        }
        totals
    }
}
