//! Which sessions an address asks for: `?project=`, `?since=`, `?until=` mean what the flags of commands mean.

use app::{End, ProjectFilter, SessionFilter};
use jiff::Span;
use jiff::civil::Date;

use crate::routes::{Failure, WebApp};

/// The part of an address that chooses sessions.
#[derive(Debug, Clone, Default, PartialEq, Eq, serde::Deserialize)]
#[serde(default)]
pub(crate) struct Chosen {
    /// A part of a project's path, or all of it.
    pub(crate) project: String,
    /// From when on.
    pub(crate) since: String,
    /// Until when.
    pub(crate) until: String,
    /// How many days, with today; nothing or 0 are all. It overrides `since`.
    pub(crate) days: u32,
}

impl Chosen {
    /// The numbers of days that a page offers.
    pub(crate) const DAYS: [(u32, &'static str); 4] = [(7, "7 days"), (30, "30 days"), (90, "90 days"), (0, "all")];

    /// What is asked for.
    pub(crate) fn filter(&self, app: &WebApp) -> Result<SessionFilter, Failure> {
        let moments = app.app.moments()?;
        let text = |text: &str| Some(text.to_owned()).filter(|text| !text.trim().is_empty());
        let since = moments.read_flag("since", text(&self.since).as_deref(), End::Start)?;
        let until = moments.read_flag("until", text(&self.until).as_deref(), End::End)?;
        let project = text(&self.project).map(|text| ProjectFilter::of(&text, app.app.here()));
        let since = self.first_of_days(app).and_then(|day| app.midnight_of(day)).or(since);
        Ok(SessionFilter { project, since, until, ..SessionFilter::default() })
    }

    /// The first of the last days, if so many are asked for.
    fn first_of_days(&self, app: &WebApp) -> Option<Date> {
        let back = i64::from(self.days).checked_sub(1).filter(|back| *back >= 0)?;
        // More days than there are in a calendar are all.
        app.today().checked_sub(Span::new().try_days(back).ok()?).ok()
    }

    /// What it says, for addresses; days can be others.
    pub(crate) fn parts<'c>(&'c self, days: &'c str) -> [(&'static str, &'c str); 4] {
        let days = if days == "0" { "" } else { days };
        [("project", &self.project), ("since", &self.since), ("until", &self.until), ("days", days)]
    }
}
