//! The columns of lists of sessions and projects, each declared once: for tables in the terminal and on the web, CSV,
//! JSON with its schema, `--sort`, `?sort=`, and the documentation.

use std::borrow::Cow;
use std::cmp::{Ordering, Reverse};

use index::catalogue::{Agent, Project, Session, Used};
use story::Remnant;
use story::step::Millis;

/// A column of a list.
#[derive(Debug)]
pub struct Column<T: 'static> {
    /// Its name in `--sort` and `?sort=`.
    pub name: &'static str,
    /// Its key in JSON, and its heading in CSV.
    pub key: &'static str,
    /// Its heading in tables, if it is shown there.
    pub heading: Option<&'static str>,
    /// The least width at which tables show it.
    pub width: Width,
    /// Its meaning, for the documentation and the schema.
    pub about: &'static str,
    /// The order of lists sorted by it, if they can be.
    pub sort: Option<Sorting>,
    /// Its value, and thereby its kind.
    pub value: Getter<T>,
}

/// The order of lists sorted by a column.
#[derive(Debug, Clone, Copy)]
pub struct Sorting {
    /// Other names of the column.
    pub others: &'static [&'static str],
    /// The first rows in this order, in words.
    pub first: &'static str,
}

/// A function that gets the value of a column.
#[derive(Debug)]
pub enum Getter<T: 'static> {
    /// A text.
    Text(fn(&T) -> Cow<'_, str>),
    /// A text that may be missing.
    MaybeText(fn(&T) -> Option<&str>),
    /// Several texts.
    Texts(fn(&T) -> &[String]),
    /// A count.
    Count(fn(&T) -> u64),
    /// A count that may be missing.
    MaybeCount(fn(&T) -> Option<u64>),
    /// A count that is only shown if it is not zero.
    Faults(fn(&T) -> u64),
    /// Tokens.
    Tokens(fn(&T) -> u64),
    /// A cost with its quality.
    Cost(fn(&T) -> Used),
    /// A moment; it may be missing.
    Moment(fn(&T) -> Option<Millis>),
    /// A duration, in milliseconds.
    Duration(fn(&T) -> u64),
    /// Yes or no.
    Flag(fn(&T) -> bool),
}

/// The width of a table, from least to most.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Width {
    /// The least that makes sense.
    Tight,
    /// A narrow terminal.
    Least,
    /// About 80 columns.
    Narrow,
    /// About 100 columns.
    Middle,
    /// More than that.
    Wide,
}

impl Width {
    /// All of them, the widest first.
    pub const ALL: [Self; 5] = [Self::Wide, Self::Middle, Self::Narrow, Self::Least, Self::Tight];
}

/// A value of a column.
#[derive(Debug, Clone, PartialEq)]
pub enum Cell<'a> {
    /// No value.
    Empty,
    /// A text.
    Text(Cow<'a, str>),
    /// Several texts.
    Texts(&'a [String]),
    /// A count.
    Count(u64),
    /// A count that is only shown if it is not zero.
    Faults(u64),
    /// Tokens.
    Tokens(u64),
    /// A cost with its quality.
    Cost(Used),
    /// A moment.
    Moment(Millis),
    /// A duration, in milliseconds.
    Duration(u64),
    /// Yes or no.
    Flag(bool),
}

impl Cell<'_> {
    /// Texts are in ascending order, figures and moments in descending order.
    fn order(&self, other: &Self) -> Ordering {
        match (self, other) {
            (Self::Text(one), Self::Text(other)) => one.to_lowercase().cmp(&other.to_lowercase()),
            (Self::Cost(one), Self::Cost(other)) => other.cost.cmp(&one.cost),
            (one, other) => Reverse(one.figure()).cmp(&Reverse(other.figure())),
        }
    }

    fn figure(&self) -> Option<i128> {
        match self {
            Self::Count(number) | Self::Faults(number) | Self::Tokens(number) | Self::Duration(number) => {
                Some((*number).into())
            }
            Self::Moment(at) => Some((*at).into()),
            Self::Flag(flag) => Some((*flag).into()),
            Self::Empty | Self::Text(_) | Self::Texts(_) | Self::Cost(_) => None,
        }
    }
}

/// A row of a list.
pub trait Listed: Sized + 'static {
    /// Its columns, in the order of JSON and CSV.
    fn columns() -> &'static [Column<Self>];
}

impl Listed for Session {
    fn columns() -> &'static [Column<Self>] {
        &SESSION_COLUMNS
    }
}

impl Listed for Project {
    fn columns() -> &'static [Column<Self>] {
        &PROJECT_COLUMNS
    }
}

/// A column that is neither shown in tables nor sortable, unless it is changed.
const fn column<T>(key: &'static str, about: &'static str, value: Getter<T>) -> Column<T> {
    Column { name: key, key, heading: None, width: Width::Wide, about, sort: None, value }
}

impl<T> Column<T> {
    /// The value in a row.
    pub fn cell<'t>(&self, row: &'t T) -> Cell<'t> {
        match self.value {
            Getter::Text(get) => Cell::Text(get(row)),
            Getter::MaybeText(get) => get(row).map_or(Cell::Empty, |text| Cell::Text(text.into())),
            Getter::Texts(get) => Cell::Texts(get(row)),
            Getter::Count(get) => Cell::Count(get(row)),
            Getter::MaybeCount(get) => get(row).map_or(Cell::Empty, Cell::Count),
            Getter::Faults(get) => Cell::Faults(get(row)),
            Getter::Tokens(get) => Cell::Tokens(get(row)),
            Getter::Cost(get) => Cell::Cost(get(row)),
            Getter::Moment(get) => get(row).map_or(Cell::Empty, Cell::Moment),
            Getter::Duration(get) => Cell::Duration(get(row)),
            Getter::Flag(get) => Cell::Flag(get(row)),
        }
    }

    /// Whether its values are figures, which are aligned to the right.
    pub const fn is_figure(&self) -> bool {
        match self.value {
            Getter::Count(_)
            | Getter::MaybeCount(_)
            | Getter::Faults(_)
            | Getter::Tokens(_)
            | Getter::Cost(_)
            | Getter::Duration(_) => true,
            Getter::Text(_) | Getter::MaybeText(_) | Getter::Texts(_) | Getter::Moment(_) | Getter::Flag(_) => false,
        }
    }

    /// Whether it has this name in `--sort`.
    pub fn is_sorted_by(&self, name: &str) -> bool {
        self.sort.is_some_and(|sorting| self.name == name || sorting.others.contains(&name))
    }

    /// Whether a value may be missing.
    pub const fn is_optional(&self) -> bool {
        matches!(self.value, Getter::MaybeText(_) | Getter::MaybeCount(_) | Getter::Moment(_))
    }

    /// Shows it in tables of this width and more.
    const fn shown(self, heading: &'static str, width: Width) -> Self {
        Self { heading: Some(heading), width, ..self }
    }

    /// Makes lists sortable by it, with this name and others.
    const fn sorted(self, name: &'static str, others: &'static [&'static str], first: &'static str) -> Self {
        Self { name, sort: Some(Sorting { others, first }), ..self }
    }
}

/// The columns of a session.
pub static SESSION_COLUMNS: [Column<Session>; 38] = [
    column("session", "its id; where several listed sessions have the same id, the id and a mark, `ID~9f3a21`, that every verb accepts", Getter::Text(|it: &Session| (&*it.name).into()))
    .shown("session", Width::Tight),
    column("session_id", "its id in Claude Code, if its lines say it", Getter::MaybeText(|it: &Session| it.session_id.as_deref())),
    column("path", "its main file (where it was, if it is archived); a file of a subagent if only those are left", Getter::Text(|it: &Session| it.path.to_string_lossy())),
    column("machine", "the machine that it comes from, for sessions archived on another one", Getter::MaybeText(|it: &Session| Some(&*it.origin.machine).filter(|machine| !machine.is_empty()))),
    column("last", "the time of its last entry", Getter::Moment(|it: &Session| it.last))
        .shown("last active", Width::Tight)
        .sorted("last", &["when", "time"], "Latest first"),
    column("first", "the time of its first entry", Getter::Moment(|it: &Session| it.first)),
    column("project", "the repository in which it ran, as the path of the main worktree; the folder itself if it is in no repository", Getter::MaybeText(|it: &Session| it.project.as_deref()))
    .shown("project", Width::Middle)
    .sorted("project", &[], "By the project's path"),
    column("folder", "the folder in which it ran, which can be another worktree or below the root of the repository", Getter::MaybeText(|it: &Session| it.folder.as_deref())),
    column("title", "its title; `Untitled` and its first moment if it has none", Getter::Text(|it: &Session| (&*it.title).into()))
        .shown("title", Width::Tight)
        .sorted("title", &[], "By title"),
    column("title_source", "where the title comes from: `custom`, `model`, `summary`, `first_prompt`, `plan`, `command`, `task`, `command_line`, `last_prompt` or `untitled`", Getter::Text(|it: &Session| it.title_source.name().into())),
    column("branch", "the last git branch", Getter::MaybeText(|it: &Session| it.branch.as_deref())),
    column("models", "the models that answered", Getter::Texts(|it: &Session| &it.models)),
    column("turns", "turns of the conversation", Getter::Count(|it: &Session| it.counts.turns.into()))
        .shown("turns", Width::Tight)
        .sorted("turns", &[], "Most turns first"),
    column("prompts", "your prompts", Getter::Count(|it: &Session| it.counts.prompts.into())),
    column("replies", "replies of the model", Getter::Count(|it: &Session| it.counts.replies.into())),
    column("calls", "tool calls, with those of subagents", Getter::Count(|it: &Session| it.counts.calls.into()))
        .shown("calls", Width::Narrow)
        .sorted("calls", &[], "Most calls first"),
    column("failed", "calls that failed unexpectedly, with those of subagents", Getter::Faults(|it: &Session| it.counts.failed.into()))
        .shown("failed", Width::Middle)
        .sorted("failed", &["failures", "errors"], "Most failed calls first"),
    column("expected_failures", "calls whose failure was an answer: a search without a match, a shell that had already ended", Getter::Count(|it: &Session| it.counts.expected_failures.into())),
    column("denied", "calls that you, a rule or a mode denied", Getter::Count(|it: &Session| it.counts.denied.into())),
    column("interrupted", "calls that you interrupted", Getter::Count(|it: &Session| it.counts.interrupted.into())),
    column("cancelled", "calls that did not run because a call beside them failed", Getter::Count(|it: &Session| it.counts.cancelled.into())),
    column("agents", "subagents", Getter::Count(|it: &Session| it.counts.agents.into())),
    column("branches", "rewound branches of the conversation", Getter::Count(|it: &Session| it.counts.branches.into())),
    column("compactions", "how often the conversation was summarised", Getter::Count(|it: &Session| it.counts.compactions.into())),
    column("tokens", "tokens of all requests, with those of subagents; each API message counts once", Getter::Tokens(|it: &Session| it.used.tokens))
    .shown("tokens", Width::Wide)
    .sorted("tokens", &[], "Most tokens first"),
    column("cost_usd", "their cost in US dollars, without usage of unknown price", Getter::Cost(|it: &Session| it.used))
        .shown("cost", Width::Tight)
        .sorted("cost", &[], "Most expensive first"),
    column("cost_is_at_least", "whether only a first count of tokens was recorded for some of it", Getter::Flag(|it: &Session| it.used.is_low)),
    column("cost_is_partial", "whether some of it has no known price and is not in the cost", Getter::Flag(|it: &Session| it.used.is_partial)),
    column("active_ms", "the active time of its turns", Getter::Duration(|it: &Session| it.active_ms))
        .shown("active", Width::Wide)
        .sorted("active", &["duration", "worked", "time-worked"], "Longest active time first"),
    column("waiting_ms", "the time that it waited for you", Getter::Duration(|it: &Session| it.waiting_ms)),
    column("state", "its state: `blocked` (it waits for you), `working`, `paused` (a limit or a retry; it continues by itself), `done` (the turn is finished and the process is there), `ended` (nothing runs; the last turn finished, or you stopped it) or `failed` (the last turn never finished)", Getter::MaybeText(|it: &Session| it.status.map(|status| status.state().word())))
    .shown("state", Width::Least),
    column("state_reason", "the reason: `permission`, `question` or `plan` (blocked); `turn` or `background` (working); `retry` or `limit` (paused); `your_turn` (done); `finished` or `stopped` (ended); `error` or `gone` (failed)", Getter::MaybeText(|it: &Session| it.status.map(|status| status.reason.name()))),
    column("state_since", "since when", Getter::Moment(|it: &Session| it.status.and_then(|status| status.since))),
    column("state_is_certain", "whether more than its lines says so: a registered process, hook events, or the end of the session", Getter::Flag(|it: &Session| it.status.is_some_and(|status| status.is_certain))),
    column("copied_from", "the session that it was copied from", Getter::MaybeText(|it: &Session| it.copied_from.as_deref())),
    column("continued_in", "the session that continues it", Getter::MaybeText(|it: &Session| it.continued_in.as_deref())),
    column("only_left", "what is left of it if its transcript is gone: `subagents` or `prompts`", Getter::MaybeText(|it: &Session| it.remnant.map(Remnant::as_str))),
    column("is_archived", "whether it is gone from the disk and read from the archive", Getter::Flag(|it: &Session| it.is_archived)),
];

/// The columns of a subagent. In tables it is below its session, with each value below the heading that fits best.
pub static AGENT_COLUMNS: [Column<Agent>; 12] = [
    column("agent", "its id", Getter::Text(|it: &Agent| (&*it.name).into())).shown("session", Width::Tight),
    column("agent_type", "its type", Getter::MaybeText(|it: &Agent| it.kind.as_deref()))
        .shown("project", Width::Middle),
    column("description", "its task", Getter::MaybeText(|it: &Agent| it.description.as_deref()))
        .shown("title", Width::Tight),
    column(
        "turn",
        "the turn of the conversation that it works for, from 1",
        Getter::MaybeCount(|it: &Agent| it.turn.map(u64::from)),
    ),
    column("first", "the time of its first entry", Getter::Moment(|it: &Agent| it.first)),
    column("last", "the time of its last entry", Getter::Moment(|it: &Agent| it.last))
        .shown("last active", Width::Tight),
    column("calls", "its tool calls", Getter::Count(|it: &Agent| it.calls.into())).shown("calls", Width::Narrow),
    column("failed", "its calls that failed", Getter::Faults(|it: &Agent| it.failed.into()))
        .shown("failed", Width::Middle),
    column("tokens", "its tokens", Getter::Tokens(|it: &Agent| it.used.tokens)).shown("tokens", Width::Wide),
    column("cost_usd", "their cost in US dollars, without usage of unknown price", Getter::Cost(|it: &Agent| it.used))
        .shown("cost", Width::Tight),
    column(
        "cost_is_at_least",
        "whether only a first count of tokens was recorded for some of it",
        Getter::Flag(|it: &Agent| it.used.is_low),
    ),
    column(
        "cost_is_partial",
        "whether some of it has no known price and is not in the cost",
        Getter::Flag(|it: &Agent| it.used.is_partial),
    ),
];

/// The columns of a project.
pub static PROJECT_COLUMNS: [Column<Project>; 13] = [
    column("project", "the repository, as the path of its main worktree, or the folder; sessions that do not say where they ran are listed together", Getter::MaybeText(|it: &Project| Some(it.path.as_str()).filter(|path| !path.is_empty())))
    .shown("project", Width::Tight)
    .sorted("project", &["title"], "By the project's path"),
    column("last", "the time of its last entry", Getter::Moment(|it: &Project| it.last))
        .shown("last active", Width::Tight)
        .sorted("last", &["when", "time"], "Latest first"),
    column("first", "the time of its first entry", Getter::Moment(|it: &Project| it.first)),
    column("sessions", "its sessions", Getter::Count(|it: &Project| it.sessions)).shown("sessions", Width::Tight),
    column("turns", "turns of their conversations", Getter::Count(|it: &Project| it.turns))
        .shown("turns", Width::Wide)
        .sorted("turns", &[], "Most turns first"),
    column("calls", "tool calls, with those of subagents", Getter::Count(|it: &Project| it.calls))
        .shown("calls", Width::Wide)
        .sorted("calls", &[], "Most calls first"),
    column("failed", "calls that failed", Getter::Faults(|it: &Project| it.failed))
        .shown("failed", Width::Wide)
        .sorted("failed", &["failures", "errors"], "Most failed calls first"),
    column("tokens", "tokens of all requests", Getter::Tokens(|it: &Project| it.used.tokens))
        .shown("tokens", Width::Wide)
        .sorted("tokens", &[], "Most tokens first"),
    column("cost_usd", "their cost in US dollars, without usage of unknown price", Getter::Cost(|it: &Project| it.used))
        .shown("cost", Width::Tight)
        .sorted("cost", &[], "Most expensive first"),
    column("cost_is_at_least", "whether only a first count of tokens was recorded for some of it", Getter::Flag(|it: &Project| it.used.is_low)),
    column("cost_is_partial", "whether some of it has no known price and is not in the cost", Getter::Flag(|it: &Project| it.used.is_partial)),
    column("active_ms", "the active time of their turns", Getter::Duration(|it: &Project| it.active_ms))
        .shown("active", Width::Wide)
        .sorted("active", &["duration", "worked", "time-worked"], "Longest active time first"),
    column("waiting_ms", "the time that they waited for you", Getter::Duration(|it: &Project| it.waiting_ms)),
];

/// The column that a list is sorted by, with the same names in `--sort` and `?sort=`, for sessions and for projects.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SortKey(&'static str);

impl Default for SortKey {
    fn default() -> Self {
        Self::LAST
    }
}

impl SortKey {
    /// The latest activity.
    pub const LAST: Self = Self("last");
    /// The highest cost.
    pub const COST: Self = Self("cost");
    /// The most turns.
    pub const TURNS: Self = Self("turns");
    /// The most failed calls.
    pub const FAILED: Self = Self("failed");
    /// The longest active time.
    pub const ACTIVE: Self = Self("active");
    /// The title.
    pub const TITLE: Self = Self("title");

    /// All keys of lists of sessions.
    pub fn all() -> impl Iterator<Item = Self> {
        SESSION_COLUMNS.iter().filter(|column| column.sort.is_some()).map(|column| Self(column.name))
    }

    /// The key with a name.
    pub fn named(name: &str) -> Option<Self> {
        SESSION_COLUMNS.iter().find(|column| column.is_sorted_by(name)).map(|column| Self(column.name))
    }

    /// Its name.
    pub const fn name(self) -> &'static str {
        self.0
    }

    /// Other names of it.
    pub fn other_names(self) -> &'static [&'static str] {
        self.sorting().map_or(&[], |sorting| sorting.others)
    }

    /// The first rows in this order, in words.
    pub fn description(self) -> &'static str {
        self.sorting().map_or("", |sorting| sorting.first)
    }

    fn sorting(self) -> Option<Sorting> {
        self.column::<Session>()?.sort
    }

    /// Sorts a list: texts ascending, figures and moments descending. Equal rows stay in order of time.
    pub fn sort<T: Listed>(self, list: &mut [T], reverse: bool) {
        let chosen = T::columns().iter().find(|column| column.is_sorted_by(self.0));
        for column in [Self::LAST.column::<T>(), chosen].into_iter().flatten() {
            list.sort_by(|one, other| column.cell(one).order(&column.cell(other)));
        }
        if reverse {
            list.reverse();
        }
    }

    fn column<T: Listed>(self) -> Option<&'static Column<T>> {
        T::columns().iter().find(|column| column.name == self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn project(path: &str, last: i64, turns: u64) -> Project {
        Project { path: path.to_owned(), last: Some(last), turns, ..Project::default() }
    }

    fn sorted(key: SortKey, reverse: bool) -> String {
        let mut list = [project("b", 1, 3), project("a", 3, 3), project("c", 2, 9)];
        key.sort(&mut list, reverse);
        list.iter().map(|project| project.path.as_str()).collect()
    }

    #[test]
    fn equal_rows_stay_in_the_order_of_time() {
        assert_eq!(sorted(SortKey::LAST, false), "acb");
        assert_eq!(sorted(SortKey::TURNS, false), "cab");
        assert_eq!(sorted(SortKey::named("project").unwrap(), false), "abc");
        assert_eq!(sorted(SortKey::TITLE, false), "abc", "a project has no other title");
        assert_eq!(sorted(SortKey::TURNS, true), "bac");
    }

    #[test]
    fn every_name_means_one_key() {
        let mut names = Vec::new();
        for key in SortKey::all() {
            for name in key.other_names().iter().chain([&key.name()]) {
                assert_eq!(SortKey::named(name), Some(key), "{name}");
                names.push(*name);
            }
        }
        let count = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), count, "{names:?}");
        assert_eq!(SortKey::named("size"), None);
        for key in [SortKey::LAST, SortKey::COST, SortKey::TURNS, SortKey::FAILED, SortKey::ACTIVE, SortKey::TITLE] {
            assert_eq!(SortKey::named(key.name()), Some(key));
        }
    }

    #[test]
    fn every_heading_of_an_agent_is_one_of_sessions() {
        for column in AGENT_COLUMNS.iter().filter(|column| column.heading.is_some()) {
            let same = SESSION_COLUMNS.iter().find(|of_session| of_session.heading == column.heading);
            assert_eq!(same.map(|same| same.width), Some(column.width), "{}", column.key);
        }
    }

    /// The tables in the documentation match the columns.
    #[test]
    fn columns_are_documented() {
        let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/ls-json.md");
        let mut text = std::fs::read_to_string(&path).unwrap();
        for (name, table) in [
            ("sessions", table(&SESSION_COLUMNS)),
            ("subagents", table(&AGENT_COLUMNS)),
            ("projects", table(&PROJECT_COLUMNS)),
        ] {
            let (begin, end) = (format!("<!-- {name} -->\n"), format!("<!-- end of {name} -->"));
            let (before, rest) = text.split_once(&begin).unwrap();
            let (_, after) = rest.split_once(&end).unwrap();
            text = format!("{before}{begin}{table}{end}{after}");
        }
        if std::env::var_os("RECOUNT_UPDATE_DOCS").is_some() {
            std::fs::write(&path, &text).unwrap();
        }
        let hint = "hint: RECOUNT_UPDATE_DOCS=1 cargo test -p recount-app columns";
        assert!(std::fs::read_to_string(&path).unwrap() == text, "docs/ls-json.md is out of date; {hint}");
    }

    fn table<T>(columns: &[Column<T>]) -> String {
        let row = |column: &Column<T>| {
            let sort = if column.sort.is_some() { format!("`{}`", column.name) } else { String::new() };
            let null = if column.is_optional() { "; null if unknown" } else { "" };
            format!("| `{}` | {}{null} | {sort} |\n", column.key, column.about)
        };
        format!("| field | meaning | `--sort` |\n|---|---|---|\n{}", columns.iter().map(row).collect::<String>())
    }
}
