//! What all sessions used, by day, model and project. It is counted anew when somebody asks and the last count is old.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use jiff::civil::Date;
use jiff::tz::TimeZone;
use ledger::Totals;
use ledger::calendar::Calendar;
use library::account::Wish;
use library::{Accountant, Root, find_in_roots};

/// What was counted.
#[derive(Debug, Default)]
pub(crate) struct Usage {
    pub(crate) totals: Totals,
    /// From the first day on which something was used.
    pub(crate) days: BTreeMap<Date, Totals>,
    /// The dearest first.
    pub(crate) models: Vec<(String, Totals)>,
    pub(crate) projects: Vec<(String, Totals)>,
    /// How many files could not be read.
    pub(crate) unread: usize,
}

/// A count is good for so long.
const FRESH: Duration = Duration::from_secs(20);

/// The last count. One counts at a time; others wait for it.
#[derive(Debug, Default)]
pub(crate) struct Counted(Mutex<Option<(Instant, Arc<Usage>)>>);

impl Counted {
    pub(crate) fn get(&self, roots: &[Root], prices: &ledger::Prices, zone: &TimeZone) -> Arc<Usage> {
        let mut last = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((at, usage)) = &*last
            && at.elapsed() < FRESH
        {
            return Arc::clone(usage);
        }
        let usage = Arc::new(Usage::count(roots, prices, zone));
        *last = Some((Instant::now(), Arc::clone(&usage)));
        usage
    }
}

impl Usage {
    fn count(roots: &[Root], prices: &ledger::Prices, zone: &TimeZone) -> Self {
        let found = find_in_roots(roots);
        let mut usage = Self { unread: found.problems.len(), ..Self::default() };
        let mut accountant = Accountant::new(Wish::default());
        for (number, source) in found.sources.iter().enumerate() {
            usage.unread += usize::from(accountant.read(number, source).is_err());
        }
        let accounts = accountant.finish();
        let calendar = Calendar { zone: zone.clone(), ..Calendar::default() };
        let (mut models, mut projects) = (BTreeMap::<String, Totals>::new(), BTreeMap::<String, Totals>::new());
        accounts.ledger.each(prices, |post| {
            usage.totals.add(&post);
            if let Some(day) = post.at.and_then(|at| calendar.day(at)) {
                usage.days.entry(day).or_default().add(&post);
            }
            let home = accounts.homes.of(accounts.ledger.session_name(post.session));
            let project = home.and_then(|home| home.project.as_deref()).unwrap_or_default();
            projects.entry(project.to_owned()).or_default().add(&post);
            models.entry(post.model_name.to_owned()).or_default().add(&post);
        });
        let dearest = |sums: BTreeMap<String, Totals>| {
            let mut list: Vec<_> = sums.into_iter().collect();
            list.sort_by_key(|(_, totals)| std::cmp::Reverse((totals.cost, totals.tokens.total())));
            list
        };
        (usage.models, usage.projects) = (dearest(models), dearest(projects));
        usage
    }
}
