//! Usage of sessions: counted once, and summed up for each kind of report.
//!
//! | module | for |
//! |---|---|
//! | `rows` | sums by day, week, month, session, project, model, tool, branch or agent |
//! | `blocks` | sums by five-hour window |
//! | `report` | all of a report |

mod blocks;
mod report;
mod rows;

use std::num::NonZeroUsize;

use reader::account::Wish;
use reader::{Accountant, Accounts};
use sources::naming::SessionNames;
use sources::{FoundSources, Problem};

pub use blocks::BlockReport;
pub use report::UsageReport;
pub use rows::{ToolSums, UsageKind, UsageLabel, UsageRow, UsageRows, UsageSums};

use crate::parallel::read_all;
use crate::{App, AppError};

/// Data to collect beside tokens and costs.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct UsageWish {
    /// The tools that messages are attributed to.
    pub tools: bool,
    /// The types of subagents.
    pub agent_types: bool,
}

impl UsageWish {
    /// Returns the data that a report needs.
    pub fn of(kind: UsageKind) -> Self {
        Self { tools: kind == UsageKind::Tool, agent_types: kind == UsageKind::Agent }
    }
}

impl App {
    /// Counts the usage of sources. Also returns the sources that could not be read.
    pub fn count_usage(
        &self,
        found: &FoundSources,
        wish: UsageWish,
        threads: Option<NonZeroUsize>,
    ) -> Result<(Accounts, Vec<Problem>), AppError> {
        let (names, tools) = (SessionNames::of(found), if wish.tools { Some(self.prices()?) } else { None });
        let wish = Wish { tools, agent_types: wish.agent_types, names: Some(&names) };
        let (mut accounts, problems) = read_all(self, &found.sources, threads, || Accountant::new(wish))?;
        accounts.homes.find_projects();
        Ok((accounts, problems))
    }

    /// Sums up the counted usage.
    pub fn usage_rows(
        &self,
        kind: UsageKind,
        accounts: &Accounts,
        filter: &crate::SessionFilter,
    ) -> Result<UsageRows, AppError> {
        let settings = self.settings()?;
        let books = accounts.ledger.books(&settings.prices);
        Ok(UsageRows::of(kind, &books, accounts, &settings.calendar, filter))
    }
}
