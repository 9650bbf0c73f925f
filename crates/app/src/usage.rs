//! What sessions used: counted once, and summed up by whatever a report is about.
//!
//! | module | for |
//! |---|---|
//! | `rows` | sums by day, week, month, session, project, model, tool, branch or agent |
//! | `blocks` | sums by five-hour window |

mod blocks;
mod rows;

use std::num::NonZeroUsize;

use reader::account::Wish;
use reader::{Accountant, Accounts};
use sources::{Problem, Source};

pub use blocks::BlockReport;
pub use rows::{ToolSums, UsageKind, UsageLabel, UsageRow, UsageRows, UsageSums};

use crate::parallel::read_all;
use crate::{App, AppError};

/// What has to be known beside tokens and costs.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct UsageWish {
    /// Which tools messages are due to.
    pub tools: bool,
    /// Which type subagents are of.
    pub agent_types: bool,
}

impl UsageWish {
    /// What a report needs.
    pub fn of(kind: UsageKind) -> Self {
        Self { tools: kind == UsageKind::Tool, agent_types: kind == UsageKind::Agent }
    }
}

impl App {
    /// Counts what sources used, and gives those that could not be read.
    pub fn count_usage(
        &self,
        sources: &[Source],
        wish: UsageWish,
        threads: Option<NonZeroUsize>,
    ) -> Result<(Accounts, Vec<Problem>), AppError> {
        let wish = Wish { tools: if wish.tools { Some(self.prices()?) } else { None }, agent_types: wish.agent_types };
        read_all(self, sources, threads, || Accountant::new(wish))
    }

    /// Sums up what was counted.
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
