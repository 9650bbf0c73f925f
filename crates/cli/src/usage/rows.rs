//! Posts summed up by what a report is about.

use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::path::Path;

use clap::ValueEnum as _;
use jiff::civil::Date;
use ledger::calendar::{Calendar, Period};
use ledger::prices::canonical;
use ledger::tools::ToolShares;
use ledger::{Books, Ledger, Money, Post, Totals};
use reader::Accounts;
use reader::account::Home;
use sources::project;

/// What a report is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Kind {
    /// By day
    Daily,
    /// By week
    Weekly,
    /// By month, or from one billing day to the next
    Monthly,
    /// By session, with its subagents
    Session,
    /// By project
    Project,
    /// By model
    Model,
    /// By tool: what calls and their results cost, as an estimate
    Tool,
    /// By git branch
    Branch,
    /// The main conversations, and subagents by their type; with --session, each subagent
    Agent,
    /// By five-hour window
    Blocks,
}

impl Kind {
    /// The word for it, as it is typed.
    pub(crate) fn name(self) -> String {
        self.to_possible_value().map(|value| value.get_name().to_owned()).unwrap_or_default()
    }

    /// The stretch of time that a row is for.
    pub(crate) fn period(self) -> Option<Period> {
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

/// What a row is about.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Label {
    /// The first day of a day, week or month; `None` for what has no time.
    Since(Option<Date>),
    Session(String),
    /// The folder; empty if it is not known.
    Project(String),
    Model(String),
    /// A tool, or the rest of the conversation.
    Tool(Option<String>),
    Branch {
        project: String,
        branch: String,
    },
    /// The main conversation.
    MainAgent,
    /// Subagents of a type, which is empty if it is not known; with an id, just that one.
    Subagent {
        kind: String,
        id: Option<String>,
    },
}

/// A row of a report.
#[derive(Debug)]
pub(crate) struct Row {
    pub(crate) label: Label,
    pub(crate) sums: Sums,
    /// Where its session is at home.
    pub(crate) home: Option<Home>,
}

/// What a row comes to.
#[derive(Debug, Default)]
pub(crate) struct Sums {
    pub(crate) totals: Totals,
    /// The part of subagents.
    pub(crate) agents: Totals,
    /// By model, as it is written.
    pub(crate) models: BTreeMap<String, Totals>,
    /// Of a tool.
    pub(crate) tool: ToolSums,
}

/// What is known of a tool.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct ToolSums {
    pub(crate) calls: u64,
    pub(crate) input_tokens: u64,
    pub(crate) result_tokens: u64,
    pub(crate) cost: Money,
}

impl ToolSums {
    /// Of inputs and results.
    pub(crate) fn tokens(&self) -> u64 {
        self.input_tokens.saturating_add(self.result_tokens)
    }
}

impl Sums {
    fn add(&mut self, post: &Post<'_>) {
        self.totals.add(post);
        if post.is_side {
            self.agents.add(post);
        }
        // Looked for first: most posts are of a model that is there.
        match self.models.get_mut(post.model_name) {
            Some(totals) => totals.add(post),
            None => self.models.entry(post.model_name.to_owned()).or_default().add(post),
        }
    }

    /// By model in one spelling, the dearest first.
    pub(crate) fn by_model(&self) -> Vec<(String, Totals)> {
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

/// The rows of a report, in their order, and what they come to.
#[derive(Debug, Default)]
pub(crate) struct Rows {
    pub(crate) list: Vec<Row>,
    /// How many more there are.
    pub(crate) left_out: usize,
    pub(crate) all: Sums,
}

/// Which posts are reported.
#[derive(Debug, Default)]
pub(crate) struct Filter {
    /// Milliseconds since 1970, both included.
    pub(crate) since: Option<i64>,
    pub(crate) until: Option<i64>,
    pub(crate) project: Option<ProjectFilter>,
    /// The beginning of a session's name.
    pub(crate) session: Option<String>,
}

/// Which projects are meant.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum ProjectFilter {
    /// A project, and those below it.
    Folder(String),
    /// All that have this in their paths.
    Text(String),
}

impl ProjectFilter {
    /// A path that is there means the project of that folder; anything else is a part of a path.
    pub(crate) fn of(text: &str) -> Self {
        let is_path = text.starts_with(['.', '/', '~']) && Path::new(text).is_dir();
        let folder = is_path.then(|| std::fs::canonicalize(text).ok()).flatten();
        match folder {
            Some(folder) => Self::Folder(project::project_of(&folder.to_string_lossy()).path),
            None => Self::Text(text.to_owned()),
        }
    }

    /// Whether a folder is meant.
    pub(crate) fn matches(&self, project: &str) -> bool {
        match self {
            Self::Folder(folder) => {
                project.strip_prefix(folder.as_str()).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
            }
            Self::Text(text) => project.contains(text.as_str()),
        }
    }
}

impl Filter {
    /// Whether a post is reported.
    pub(crate) fn wants(&self, post: &Post<'_>, accounts: &Accounts) -> bool {
        let is_in_time = match post.at {
            Some(at) => self.since.is_none_or(|since| at >= since) && self.until.is_none_or(|until| at <= until),
            // Nobody knows when that was.
            None => self.since.is_none() && self.until.is_none(),
        };
        is_in_time
            && self
                .session
                .as_ref()
                .is_none_or(|session| accounts.ledger.session_name(post.session).starts_with(session.as_str()))
            && self.project.as_ref().is_none_or(|project| project.matches(project_of(post, accounts)))
    }
}

/// The folder that the session of a post ran in; empty if it is not known.
fn project_of<'a>(post: &Post<'_>, accounts: &'a Accounts) -> &'a str {
    let home = accounts.homes.of(accounts.ledger.session_name(post.session));
    home.and_then(|home| home.project.as_deref()).unwrap_or_default()
}

impl Rows {
    /// Sums up what the filter lets through.
    pub(crate) fn of(
        kind: Kind,
        books: &Books<'_, '_>,
        accounts: &Accounts,
        calendar: &Calendar,
        filter: &Filter,
    ) -> Self {
        let mut sums: BTreeMap<Label, Sums> = BTreeMap::new();
        let mut all = Sums::default();
        books.each(|post| {
            if !filter.wants(&post, accounts) {
                return;
            }
            all.add(&post);
            match kind {
                Kind::Tool => add_tools(&mut sums, &post, &accounts.tools),
                // They are not summed up by a label.
                Kind::Blocks => {}
                _ => sums.entry(label(kind, &post, accounts, calendar, filter)).or_default().add(&post),
            }
        });
        let home = |label: &Label| match label {
            Label::Session(session) => accounts.homes.of(session).cloned(),
            _ => None,
        };
        let list = sums.into_iter().map(|(label, sums)| Row { home: home(&label), label, sums }).collect();
        Self { list, left_out: 0, all }
    }

    /// Sorts them: by time, or the dearest first, without costs the largest; `reversed` turns that around. Of more
    /// than `top` the latest, the dearest or the largest stay.
    pub(crate) fn sort(&mut self, kind: Kind, with_cost: bool, reversed: bool, top: Option<NonZeroUsize>) {
        let top = top.map_or(self.list.len(), NonZeroUsize::get);
        self.left_out = self.list.len().saturating_sub(top);
        if kind.period().is_some() {
            self.list.drain(..self.left_out);
        } else {
            let rank = |row: &Row| {
                let Sums { totals, tool, .. } = &row.sums;
                let (cost, tokens) = match kind {
                    Kind::Tool => (tool.cost, tool.tokens()),
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

fn label(kind: Kind, post: &Post<'_>, accounts: &Accounts, calendar: &Calendar, filter: &Filter) -> Label {
    let Accounts { ledger, agent_types, .. } = accounts;
    let project = || project_of(post, accounts).to_owned();
    match kind {
        Kind::Session => Label::Session(ledger.session_name(post.session).to_owned()),
        Kind::Project => Label::Project(project()),
        Kind::Model => Label::Model(canonical(post.model_name).id.into_owned()),
        Kind::Branch => Label::Branch { project: project(), branch: branch(post, ledger).to_owned() },
        Kind::Agent if !post.is_side => Label::MainAgent,
        Kind::Agent => {
            let id = post.agent.map(|agent| ledger.agent_name(agent));
            let kind = id.and_then(|id| agent_types.get(id)).map(ToString::to_string).unwrap_or_default();
            // Of one session people want to know each.
            Label::Subagent { kind, id: id.filter(|_| filter.session.is_some()).map(str::to_owned) }
        }
        Kind::Daily | Kind::Weekly | Kind::Monthly | Kind::Tool | Kind::Blocks => {
            let first_day = |at| calendar.first_day(kind.period().unwrap_or(Period::Day), at);
            Label::Since(post.at.and_then(first_day))
        }
    }
}

fn branch<'a>(post: &Post<'_>, ledger: &'a Ledger) -> &'a str {
    post.branch.map_or("", |branch| ledger.branch_name(branch))
}

fn add_tools(sums: &mut BTreeMap<Label, Sums>, post: &Post<'_>, tools: &ToolShares) {
    for part in tools.split(post) {
        let sum = &mut sums.entry(Label::Tool(part.tool.map(str::to_owned))).or_default().tool;
        sum.calls += part.calls;
        sum.input_tokens += part.input_tokens;
        sum.result_tokens += part.result_tokens;
        sum.cost += part.cost;
    }
}
