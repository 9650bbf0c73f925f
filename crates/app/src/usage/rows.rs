//! Usage summed up by the subject of a report.

use std::collections::BTreeMap;
use std::num::NonZeroUsize;

use jiff::civil::Date;
use ledger::calendar::{Calendar, Period};
use ledger::prices::canonical;
use ledger::tools::ToolShares;
use ledger::{Books, Ledger, Money, Post, Totals};
use reader::Accounts;
use reader::account::Home;

use crate::filter::{Named, SessionFilter};

/// The subject of a report.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UsageKind {
    /// By day.
    Daily,
    /// By week.
    Weekly,
    /// By month, or from one billing day to the next.
    Monthly,
    /// By session, with its subagents.
    Session,
    /// By project.
    Project,
    /// By model.
    Model,
    /// By tool: the cost of calls and their results, estimated.
    Tool,
    /// By git branch.
    Branch,
    /// Main conversations, and subagents by type; for one session, each subagent.
    Agent,
    /// By five-hour window.
    Blocks,
}

impl UsageKind {
    /// All subjects with their names.
    pub const ALL: [Named<Self>; 10] = [
        (Self::Daily, "daily", &[], "By day"),
        (Self::Weekly, "weekly", &[], "By week"),
        (Self::Monthly, "monthly", &[], "By month, or from one billing day to the next"),
        (Self::Session, "session", &[], "By session, with its subagents"),
        (Self::Project, "project", &[], "By project"),
        (Self::Model, "model", &[], "By model"),
        (Self::Tool, "tool", &[], "By tool: the cost of calls and their results, estimated"),
        (Self::Branch, "branch", &[], "By git branch"),
        (Self::Agent, "agent", &[], "Main conversations, and subagents by type; with --session, each subagent"),
        (Self::Blocks, "blocks", &[], "By five-hour window"),
    ];

    /// Returns the name that users type.
    pub fn name(self) -> &'static str {
        Self::ALL.iter().find(|(kind, ..)| *kind == self).map_or("daily", |(_, name, ..)| name)
    }

    /// Returns the period of a row.
    pub fn period(self) -> Option<Period> {
        match self {
            Self::Daily => Some(Period::Day),
            Self::Weekly => Some(Period::Week),
            Self::Monthly => Some(Period::Month),
            Self::Session | Self::Project | Self::Model | Self::Tool | Self::Branch | Self::Agent | Self::Blocks => {
                None
            }
        }
    }
}

/// The label of a row.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum UsageLabel {
    /// The first day of a day, week or month; `None` for usage without a time.
    Since(Option<Date>),
    /// A session, by its id.
    Session(String),
    /// A folder; empty if unknown.
    Project(String),
    /// A model, in canonical spelling.
    Model(String),
    /// A tool, or `None` for the rest of the conversation.
    Tool(Option<String>),
    /// A git branch of a project.
    Branch {
        /// The folder.
        project: String,
        /// The branch; empty if unknown.
        branch: String,
    },
    /// The main conversation.
    MainAgent,
    /// Subagents of a type, which is empty if unknown; with an id, only that one.
    Subagent {
        /// The type.
        kind: String,
        /// The id of one subagent.
        id: Option<String>,
    },
}

/// A row of a report.
#[derive(Debug)]
pub struct UsageRow {
    /// The label.
    pub label: UsageLabel,
    /// The sums.
    pub sums: UsageSums,
    /// The home of its session.
    pub home: Option<Home>,
}

/// The sums of a row.
#[derive(Debug, Default)]
pub struct UsageSums {
    /// Everything.
    pub totals: Totals,
    /// The share of subagents.
    pub agents: Totals,
    /// By model, as written in the transcript.
    pub models: BTreeMap<String, Totals>,
    /// For a tool.
    pub tool: ToolSums,
}

/// The sums of a tool.
#[derive(Debug, Clone, Copy, Default)]
pub struct ToolSums {
    /// Number of calls.
    pub calls: u64,
    /// Tokens of its inputs, estimated.
    pub input_tokens: u64,
    /// Tokens of its results, estimated.
    pub result_tokens: u64,
    /// The cost of both, estimated.
    pub cost: Money,
}

impl ToolSums {
    /// Returns the tokens of inputs and results.
    pub fn tokens(&self) -> u64 {
        self.input_tokens.saturating_add(self.result_tokens)
    }
}

impl UsageSums {
    pub(crate) fn add(&mut self, post: &Post<'_>) {
        self.totals.add(post);
        if post.is_side {
            self.agents.add(post);
        }
        // A lookup first avoids an allocation, since most posts have a known model.
        match self.models.get_mut(post.model_name) {
            Some(totals) => totals.add(post),
            None => self.models.entry(post.model_name.to_owned()).or_default().add(post),
        }
    }

    /// Returns sums by model in canonical spelling, most expensive first.
    pub fn by_model(&self) -> Vec<(String, Totals)> {
        let mut models: BTreeMap<String, Totals> = BTreeMap::new();
        for (name, totals) in &self.models {
            *models.entry(canonical(name).id.into_owned()).or_default() += totals;
        }
        let mut models: Vec<_> = models.into_iter().collect();
        models.sort_by(|(name, one), (other_name, other)| {
            let rank = |totals: &Totals| (totals.cost, totals.tokens.total());
            rank(other).cmp(&rank(one)).then_with(|| name.cmp(other_name))
        });
        models
    }
}

/// The rows of a report in order, and their total.
#[derive(Debug, Default)]
pub struct UsageRows {
    /// The rows.
    pub list: Vec<UsageRow>,
    /// Number of rows left out.
    pub left_out: usize,
    /// The total of all rows, including those left out.
    pub all: UsageSums,
}

/// Returns the folder that the session of a post ran in; empty if unknown.
fn project_of<'a>(post: &Post<'_>, accounts: &'a Accounts) -> &'a str {
    let home = accounts.homes.of(accounts.ledger.session_name(post.session));
    home.and_then(|home| home.project.as_deref()).unwrap_or_default()
}

impl UsageRows {
    /// Sums up the posts that match the filter.
    pub fn of(
        kind: UsageKind,
        books: &Books<'_, '_>,
        accounts: &Accounts,
        calendar: &Calendar,
        filter: &SessionFilter,
    ) -> Self {
        let mut sums: BTreeMap<UsageLabel, UsageSums> = BTreeMap::new();
        let mut all = UsageSums::default();
        books.each(|post| {
            if !filter.wants_post(&post, accounts) {
                return;
            }
            all.add(&post);
            match kind {
                UsageKind::Tool => add_tools(&mut sums, &post, &accounts.tools),
                // Blocks are not summed up by label.
                UsageKind::Blocks => {}
                _ => sums.entry(label(kind, &post, accounts, calendar, filter)).or_default().add(&post),
            }
        });
        let home = |label: &UsageLabel| match label {
            UsageLabel::Session(session) => accounts.homes.listed_as(session).cloned(),
            _ => None,
        };
        let list = sums.into_iter().map(|(label, sums)| UsageRow { home: home(&label), label, sums }).collect();
        Self { list, left_out: 0, all }
    }

    /// Sorts rows by time, or most expensive first; without costs, largest first. `reversed` reverses the order. Of
    /// more than `top` rows, the latest, most expensive or largest stay.
    pub fn sort(&mut self, kind: UsageKind, with_cost: bool, reversed: bool, top: Option<NonZeroUsize>) {
        let top = top.map_or(self.list.len(), NonZeroUsize::get);
        self.left_out = self.list.len().saturating_sub(top);
        if kind.period().is_some() {
            self.list.drain(..self.left_out);
        } else {
            let rank = |row: &UsageRow| {
                let UsageSums { totals, tool, .. } = &row.sums;
                let (cost, tokens) = match kind {
                    UsageKind::Tool => (tool.cost, tool.tokens()),
                    _ => (totals.cost, totals.tokens.total()),
                };
                (Some(cost).filter(|_| with_cost), tokens, tool.calls)
            };
            self.list.sort_by(|one, other| rank(other).cmp(&rank(one)).then_with(|| one.label.cmp(&other.label)));
            self.list.truncate(top);
        }
        if reversed {
            self.list.reverse();
        }
    }
}

fn label(
    kind: UsageKind,
    post: &Post<'_>,
    accounts: &Accounts,
    calendar: &Calendar,
    filter: &SessionFilter,
) -> UsageLabel {
    let Accounts { ledger, agent_types, .. } = accounts;
    let project = || project_of(post, accounts).to_owned();
    match kind {
        UsageKind::Session => {
            let id = ledger.session_name(post.session);
            let conversation = accounts.homes.of(id).and_then(|home| home.conversation.as_deref());
            UsageLabel::Session(conversation.unwrap_or(id).to_owned())
        }
        UsageKind::Project => UsageLabel::Project(project()),
        UsageKind::Model => UsageLabel::Model(canonical(post.model_name).id.into_owned()),
        UsageKind::Branch => UsageLabel::Branch { project: project(), branch: branch(post, ledger).to_owned() },
        UsageKind::Agent if !post.is_side => UsageLabel::MainAgent,
        UsageKind::Agent => {
            let id = post.agent.map(|agent| ledger.agent_name(agent));
            let kind = id.and_then(|id| agent_types.get(id)).map(ToString::to_string).unwrap_or_default();
            // For one session, each subagent is listed.
            UsageLabel::Subagent { kind, id: id.filter(|_| filter.session.is_some()).map(str::to_owned) }
        }
        UsageKind::Daily | UsageKind::Weekly | UsageKind::Monthly | UsageKind::Tool | UsageKind::Blocks => {
            let first_day = |at| calendar.first_day(kind.period().unwrap_or(Period::Day), at);
            UsageLabel::Since(post.at.and_then(first_day))
        }
    }
}

fn branch<'a>(post: &Post<'_>, ledger: &'a Ledger) -> &'a str {
    post.branch.map_or("", |branch| ledger.branch_name(branch))
}

fn add_tools(sums: &mut BTreeMap<UsageLabel, UsageSums>, post: &Post<'_>, tools: &ToolShares) {
    for part in tools.split(post) {
        let sum = &mut sums.entry(UsageLabel::Tool(part.tool.map(str::to_owned))).or_default().tool;
        sum.calls += part.calls;
        sum.input_tokens += part.input_tokens;
        sum.result_tokens += part.result_tokens;
        sum.cost += part.cost;
    }
}
