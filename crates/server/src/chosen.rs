//! The sessions that a URL selects: `?project=`, `?since=`, `?until=` mean the same as the flags of commands.

use app::{End, ProjectFilter, SessionFilter};
use jiff::Span;
use jiff::civil::Date;

use crate::routes::{Failure, WebApp};

/// The query parameters that select sessions.
#[derive(Debug, Clone, Default, PartialEq, Eq, serde::Deserialize)]
#[serde(default)]
pub(crate) struct Chosen {
    /// A part of a project's path, or all of it.
    pub(crate) project: String,
    /// Start of the period.
    pub(crate) since: String,
    /// End of the period.
    pub(crate) until: String,
    /// Number of days up to and including today; empty or 0 means all. Overrides `since`.
    pub(crate) days: u32,
}

impl Chosen {
    /// The numbers of days that a page offers.
    pub(crate) const DAYS: [(u32, &'static str); 4] = [(7, "7 days"), (30, "30 days"), (90, "90 days"), (0, "all")];

    /// The filter that the parameters describe.
    pub(crate) fn filter(&self, app: &WebApp) -> Result<SessionFilter, Failure> {
        let moments = app.app.moments()?;
        let text = |text: &str| Some(text.to_owned()).filter(|text| !text.trim().is_empty());
        let since = moments.read_flag("since", text(&self.since).as_deref(), End::Start)?;
        let until = moments.read_flag("until", text(&self.until).as_deref(), End::End)?;
        let project = text(&self.project).map(|text| ProjectFilter::of(&text, app.app.here()));
        let since = self.first_of_days(app).and_then(|day| app.midnight_of(day)).or(since);
        Ok(SessionFilter { project, since, until, ..SessionFilter::default() })
    }

    /// The first day of the range, if a number of days is given.
    fn first_of_days(&self, app: &WebApp) -> Option<Date> {
        let back = i64::from(self.days).checked_sub(1).filter(|back| *back >= 0)?;
        // A number of days beyond the calendar's range means all.
        app.today().checked_sub(Span::new().try_days(back).ok()?).ok()
    }

    /// The parameters for a URL; `days` replaces the number of days.
    pub(crate) fn parts<'c>(&'c self, days: &'c str) -> [(&'static str, &'c str); 4] {
        let days = if days == "0" { "" } else { days };
        [("project", &self.project), ("since", &self.since), ("until", &self.until), ("days", days)]
    }
}
