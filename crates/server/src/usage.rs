//! The usage of all sessions, counted on request.
//!
//! A recent count is returned as it is, and renewed in the background for the next request.

use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use app::usage::{UsageKind, UsageRow, UsageRows, UsageWish};
use app::{App, AppError, SessionFilter};
use reader::Accounts;

/// The result of a count.
#[derive(Debug)]
pub(crate) struct Usage {
    accounts: Accounts,
    /// Number of files that could not be read.
    unread: usize,
}

/// Reports on the same sessions.
#[derive(Debug)]
pub(crate) struct UsageReports {
    /// In order of time; usage without a time has no day.
    pub(crate) days: UsageRows,
    /// Most expensive first.
    pub(crate) models: UsageRows,
    pub(crate) projects: UsageRows,
    pub(crate) tools: UsageRows,
    pub(crate) unread: usize,
}

/// Maximum age of a count that is returned without a recount.
const FRESH: Duration = Duration::from_secs(10);

/// Maximum age of a count that is returned while a new one is made in the background.
const GOOD: Duration = Duration::from_secs(600);

/// More threads do not read faster.
const MOST_THREADS: usize = 8;

/// The last count, and the means to make the next one.
#[derive(Debug)]
pub(crate) struct Counted {
    app: App,
    last: Mutex<Option<(Instant, Arc<Usage>)>>,
    is_counting: AtomicBool,
}

impl Counted {
    pub(crate) fn new(app: App) -> Self {
        Self { app, last: Mutex::default(), is_counting: AtomicBool::new(false) }
    }

    /// The last count, if it is recent enough; else a new one, which all requests wait for.
    pub(crate) fn get(self: &Arc<Self>) -> Result<Arc<Usage>, AppError> {
        let mut last = self.lock();
        match &*last {
            Some((at, usage)) if at.elapsed() < FRESH => Ok(Arc::clone(usage)),
            Some((at, usage)) if at.elapsed() < GOOD => {
                self.renew();
                Ok(Arc::clone(usage))
            }
            _ => {
                let usage = Arc::new(Usage::count(&self.app)?);
                *last = Some((Instant::now(), Arc::clone(&usage)));
                Ok(usage)
            }
        }
    }

    /// Counts again in the background.
    fn renew(self: &Arc<Self>) {
        if self.is_counting.swap(true, Ordering::Relaxed) {
            return;
        }
        let counted = Arc::clone(self);
        let renewed = std::thread::Builder::new().name("usage".to_owned()).spawn(move || {
            if let Ok(usage) = Usage::count(&counted.app) {
                *counted.lock() = Some((Instant::now(), Arc::new(usage)));
            }
            counted.is_counting.store(false, Ordering::Relaxed);
        });
        if renewed.is_err() {
            // The next request tries again.
            self.is_counting.store(false, Ordering::Relaxed);
        }
    }

    fn lock(&self) -> MutexGuard<'_, Option<(Instant, Arc<Usage>)>> {
        self.last.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Usage {
    fn count(app: &App) -> Result<Self, AppError> {
        let found = app.sources();
        let threads = std::thread::available_parallelism().map_or(1, NonZeroUsize::get).min(MOST_THREADS);
        let wish = UsageWish { tools: true, agent_types: false };
        let (accounts, unread) = app.count_usage(&found, wish, NonZeroUsize::new(threads))?;
        Ok(Self { accounts, unread: unread.len() + found.problems.len() })
    }

    /// The usage of the selected sessions inside the period.
    pub(crate) fn reports(&self, app: &App, filter: &SessionFilter) -> Result<UsageReports, AppError> {
        let rows = |kind: UsageKind| {
            let mut rows = app.usage_rows(kind, &self.accounts, filter)?;
            rows.sort(kind, true, false, None);
            Ok::<_, AppError>(rows)
        };
        Ok(UsageReports {
            days: rows(UsageKind::Daily)?,
            models: rows(UsageKind::Model)?,
            projects: rows(UsageKind::Project)?,
            tools: rows(UsageKind::Tool)?,
            unread: self.unread,
        })
    }
}

impl UsageReports {
    /// Whether nothing was used.
    pub(crate) fn is_empty(&self) -> bool {
        self.models.list.is_empty()
    }
}

/// The name of a row about a model or a project; empty if it is unknown.
pub(crate) fn name_of(row: &UsageRow) -> &str {
    use app::usage::UsageLabel::{Branch, MainAgent, Model, Project, Session, Since, Subagent, Tool};
    match &row.label {
        Model(name) | Project(name) | Session(name) => name,
        Tool(name) => name.as_deref().unwrap_or_default(),
        Since(_) | Branch { .. } | MainAgent | Subagent { .. } => "",
    }
}
