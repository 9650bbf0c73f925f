//! What all sessions used, by day, model, project and tool.
//!
//! All files are counted when somebody asks. What was counted a moment ago is handed out as it is, and counted again
//! meanwhile for whoever asks next.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use index::catalogue::Used;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use ledger::calendar::Calendar;
use ledger::prices::canonical;
use ledger::{Money, Prices, Totals};
use reader::Accountant;
use reader::Accounts;
use reader::account::Wish;
use sources::Found;
use sources::Root;
use sources::Source;
use sources::find_in_roots;
use sources::naming::SessionNames;

/// What was counted.
#[derive(Debug, Default)]
pub(crate) struct Usage {
    /// By day, model and project. What has no time has no day.
    sums: BTreeMap<(Option<Date>, String, String), Used>,
    /// By day and tool; what has no tool is the conversation's.
    tools: BTreeMap<(Option<Date>, Option<String>), ToolUse>,
    /// How many files could not be read.
    unread: usize,
}

/// What is due to a tool. All of it is estimated but the calls.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct ToolUse {
    pub(crate) calls: u64,
    pub(crate) tokens: u64,
    pub(crate) cost: Money,
}

/// The sums of some days.
#[derive(Debug, Default)]
pub(crate) struct Report {
    pub(crate) totals: Used,
    /// What each day came to, and its models.
    pub(crate) days: BTreeMap<Date, (Used, BTreeMap<String, Used>)>,
    /// The dearest first.
    pub(crate) models: Vec<(String, Used)>,
    pub(crate) projects: Vec<(String, Used)>,
    pub(crate) tools: Vec<(Option<String>, ToolUse)>,
    pub(crate) unread: usize,
}

/// A count is as good as new for so long.
const FRESH: Duration = Duration::from_secs(10);

/// A count is good enough for so long, if it is counted again meanwhile.
const GOOD: Duration = Duration::from_secs(600);

/// More threads than this do not read faster.
const MOST_THREADS: usize = 8;

/// What is counted, and how.
#[derive(Debug)]
pub(crate) struct Counted {
    roots: Vec<Root>,
    prices: Prices,
    zone: TimeZone,
    last: Mutex<Option<(Instant, Arc<Usage>)>>,
    is_counting: AtomicBool,
}

impl Counted {
    pub(crate) fn new(roots: Vec<Root>, prices: Prices, zone: TimeZone) -> Self {
        Self { roots, prices, zone, last: Mutex::default(), is_counting: AtomicBool::new(false) }
    }

    /// The last count, if it is good enough; else a new one, which all who ask wait for.
    pub(crate) fn get(self: &Arc<Self>) -> Arc<Usage> {
        let mut last = self.lock();
        match &*last {
            Some((at, usage)) if at.elapsed() < FRESH => Arc::clone(usage),
            Some((at, usage)) if at.elapsed() < GOOD => {
                self.renew();
                Arc::clone(usage)
            }
            _ => {
                let usage = Arc::new(Usage::count(&self.roots, &self.prices, &self.zone));
                *last = Some((Instant::now(), Arc::clone(&usage)));
                usage
            }
        }
    }

    /// Counts again, for later.
    fn renew(self: &Arc<Self>) {
        if self.is_counting.swap(true, Ordering::Relaxed) {
            return;
        }
        let counted = Arc::clone(self);
        let renewed = std::thread::Builder::new().name("usage".to_owned()).spawn(move || {
            let usage = Usage::count(&counted.roots, &counted.prices, &counted.zone);
            *counted.lock() = Some((Instant::now(), Arc::new(usage)));
            counted.is_counting.store(false, Ordering::Relaxed);
        });
        if renewed.is_err() {
            // Another one tries again.
            self.is_counting.store(false, Ordering::Relaxed);
        }
    }

    fn lock(&self) -> MutexGuard<'_, Option<(Instant, Arc<Usage>)>> {
        self.last.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Reads sources on several threads, and says how many could not be read.
fn read(found: &Found, prices: &Prices) -> (Accounts, usize) {
    let (sources, names) = (found.sources.as_slice(), SessionNames::of(found));
    // The largest first, so that no thread is left alone with one at the end.
    let mut order: Vec<(usize, &Source)> = sources.iter().enumerate().collect();
    order.sort_by_key(|(_, source)| Reverse(source.size));
    let next = AtomicUsize::new(0);
    let work = || {
        let mut accountant = Accountant::new(Wish { tools: Some(prices), names: Some(&names), ..Wish::default() });
        let mut unread = 0;
        while let Some((number, source)) = order.get(next.fetch_add(1, Ordering::Relaxed)) {
            unread += usize::from(accountant.read(*number, source).is_err());
        }
        (accountant.finish(), unread)
    };
    let threads = std::thread::available_parallelism().map_or(1, NonZeroUsize::get).min(MOST_THREADS);
    std::thread::scope(|scope| {
        let others: Vec<_> = (1..threads).map(|_| scope.spawn(work)).collect();
        let mut all = work();
        for other in others {
            // One that came to nothing is as good as its files unread.
            let Ok((accounts, unread)) = other.join() else {
                all.1 += 1;
                continue;
            };
            all.0.merge(accounts);
            all.1 += unread;
        }
        all
    })
}

impl Usage {
    fn count(roots: &[Root], prices: &Prices, zone: &TimeZone) -> Self {
        let found = find_in_roots(roots);
        let (mut accounts, unread) = read(&found, prices);
        accounts.homes.find_projects();
        let calendar = Calendar { zone: zone.clone(), ..Calendar::default() };
        let mut sums: BTreeMap<(Option<Date>, String, String), Totals> = BTreeMap::new();
        let mut usage = Self { unread: unread + found.problems.len(), ..Self::default() };
        accounts.ledger.each(prices, |post| {
            let day = post.at.and_then(|at| calendar.day(at));
            let home = accounts.homes.of(accounts.ledger.session_name(post.session));
            let project = home.and_then(|home| home.project.as_deref()).unwrap_or_default();
            let model = canonical(post.model_name).id.into_owned();
            sums.entry((day, model, project.to_owned())).or_default().add(&post);
            for part in accounts.tools.split(&post) {
                let tool = usage.tools.entry((day, part.tool.map(str::to_owned))).or_default();
                tool.calls += part.calls;
                tool.tokens += part.input_tokens + part.result_tokens;
                tool.cost += part.cost;
            }
        });
        usage.sums = sums.iter().map(|(key, totals)| (key.clone(), Used::of(totals))).collect();
        usage
    }

    /// The sums from a day on, or of all days.
    pub(crate) fn since(&self, first: Option<Date>) -> Report {
        let mut report = Report { unread: self.unread, ..Report::default() };
        let is_wanted = |day: &Option<Date>| first.is_none_or(|first| day.is_some_and(|day| day >= first));
        let (mut models, mut projects) = (BTreeMap::<&str, Used>::new(), BTreeMap::<&str, Used>::new());
        for ((day, model, project), used) in self.sums.iter().filter(|((day, ..), _)| is_wanted(day)) {
            report.totals += *used;
            *models.entry(model).or_default() += *used;
            *projects.entry(project).or_default() += *used;
            if let Some(day) = day {
                let (sum, by_model) = report.days.entry(*day).or_default();
                *sum += *used;
                *by_model.entry(model.clone()).or_default() += *used;
            }
        }
        let mut tools: BTreeMap<Option<&str>, ToolUse> = BTreeMap::new();
        for ((_, tool), used) in self.tools.iter().filter(|((day, _), _)| is_wanted(day)) {
            let sum = tools.entry(tool.as_deref()).or_default();
            sum.calls += used.calls;
            sum.tokens += used.tokens;
            sum.cost += used.cost;
        }
        report.models = dearest(models);
        report.projects = dearest(projects);
        report.tools = tools.into_iter().map(|(tool, used)| (tool.map(str::to_owned), used)).collect();
        report.tools.sort_by_key(|(_, used)| Reverse((used.cost, used.calls)));
        report
    }
}

fn dearest(sums: BTreeMap<&str, Used>) -> Vec<(String, Used)> {
    let mut list: Vec<_> = sums.into_iter().map(|(name, used)| (name.to_owned(), used)).collect();
    list.sort_by_key(|(_, used)| Reverse((used.cost, used.tokens)));
    list
}
