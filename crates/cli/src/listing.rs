//! Prints lists of sessions and projects: filter, order and format.

mod projects;
mod sessions;

pub(crate) use projects::ProjectList;
pub(crate) use sessions::{SessionList, folder_name};

use std::io::{self, Write};
use std::num::NonZeroUsize;

use app::App;
use app::columns::{Cell, Column, Listed};
use human::Locale;
use index::catalogue::Used;

use crate::failure::CommandError;
use crate::flags::{JsonFlag, LimitFlag, OutputFlag};
use crate::spreadsheet;
use crate::table;
use crate::terminal::{clean, columns};

// Output options of a list.
#[derive(Debug, Default, clap::Args)]
pub(crate) struct Printing {
    #[command(flatten)]
    limit: LimitFlag,
    #[command(flatten)]
    json: JsonFlag,
    /// Print comma-separated values, with costs in dollars
    #[arg(long, conflicts_with = "json")]
    csv: bool,
    #[command(flatten)]
    output: OutputFlag,
}

/// A list that can be printed.
pub(crate) trait List {
    fn is_empty(&self) -> bool;
    fn write_text(&self, out: &mut impl Write, look: &ListLook<'_>) -> io::Result<()>;
    fn write_json(&self, out: &mut impl Write, look: &ListLook<'_>) -> io::Result<()>;
    fn write_csv(&self, out: &mut impl Write, look: &ListLook<'_>) -> io::Result<()>;
}

impl Printing {
    /// Limits the list to this many rows.
    pub(crate) fn of(limit: usize) -> Self {
        Self { limit: LimitFlag { limit: Some(limit) }, ..Self::default() }
    }

    /// Prints a list; JSON and CSV are printed even if it is empty. Returns whether it has rows.
    pub(crate) fn print(&self, list: &impl List, app: &App) -> Result<bool, CommandError> {
        /// Default number of rows on a terminal.
        const USUAL: usize = 30;
        let is_for_programs = self.json.json || self.csv;
        if list.is_empty() && !is_for_programs {
            return Ok(false);
        }
        let usual = (!is_for_programs && self.output.is_terminal()).then_some(USUAL);
        let look = ListLook { limit: self.limit.or(usual), ..ListLook::new(app)? };
        let mut out = self.output.open()?;
        match (self.json.json, self.csv) {
            (true, _) => list.write_json(&mut out, &look)?,
            (_, true) => list.write_csv(&mut out, &look)?,
            _ => list.write_text(&mut out, &look)?,
        }
        out.finish()?;
        Ok(true)
    }
}

/// Formatting options of a list.
#[derive(Debug)]
pub(crate) struct ListLook<'a> {
    pub(crate) columns: usize,
    pub(crate) locale: &'a Locale,
    /// The user's home, shown as `~`.
    pub(crate) home: Option<String>,
    /// Maximum number of rows.
    pub(crate) limit: Option<NonZeroUsize>,
}

impl<'a> ListLook<'a> {
    /// Uses the width of the terminal.
    pub(crate) fn new(app: &'a App) -> Result<Self, CommandError> {
        Ok(Self { columns: columns(), locale: app.locale()?, home: app.environment().home(), limit: None })
    }
}

impl ListLook<'_> {
    /// Formats a cost with its quality.
    pub(crate) fn cost(&self, used: &Used) -> String {
        self.locale.cost(used.priced())
    }

    /// Shortens a folder relative to the user's home.
    pub(crate) fn folder(&self, path: &str) -> String {
        clean(&human::from_home(path, self.home.as_deref())).into_owned()
    }

    /// Formats a cell as text.
    fn cell(&self, cell: Cell<'_>) -> String {
        match cell {
            Cell::Empty | Cell::Faults(0) => String::new(),
            Cell::Text(text) => clean(&text).into_owned(),
            Cell::Texts(texts) => clean(&texts.join(" ")).into_owned(),
            Cell::Count(number) | Cell::Faults(number) => human::thousands(number),
            Cell::Tokens(number) => human::tokens(number),
            Cell::Cost(used) => self.cost(&used),
            Cell::Moment(at) => self.locale.date_and_time(Some(at)),
            Cell::Duration(millis) => human::duration(millis),
            Cell::Flag(flag) => if flag { "yes" } else { "" }.to_owned(),
        }
    }

    fn shown<'l, T>(&self, list: &'l [T]) -> (&'l [T], usize) {
        let limit = self.limit.map_or(list.len(), NonZeroUsize::get).min(list.len());
        list.split_at_checked(limit).map_or((list, 0), |(shown, rest)| (shown, rest.len()))
    }
}

/// Returns the headings of columns; figures are right-aligned.
fn headings<T: 'static>(columns: impl Iterator<Item = &'static Column<T>>) -> Vec<table::Column> {
    columns
        .map(|column| {
            let heading = column.heading.unwrap_or(column.key);
            if column.is_figure() { table::right(heading) } else { table::left(heading) }
        })
        .collect()
}

/// Writes all columns of a list as comma-separated values.
fn write_csv<T: Listed>(out: &mut impl Write, list: &[T]) -> io::Result<()> {
    let columns = T::columns();
    spreadsheet::line(out, &columns.iter().map(|column| column.key).collect::<Vec<_>>())?;
    for row in list {
        let cells = columns.iter().map(|column| match column.cell(row) {
            Cell::Empty => String::new(),
            Cell::Text(text) => spreadsheet::name(&text),
            Cell::Texts(texts) => spreadsheet::name(&texts.join(" ")),
            Cell::Count(number) | Cell::Faults(number) | Cell::Tokens(number) | Cell::Duration(number) => {
                number.to_string()
            }
            Cell::Cost(used) => used.cost.dollars().to_string(),
            Cell::Moment(at) => wire::moment(Some(at)).unwrap_or_default(),
            Cell::Flag(flag) => flag.to_string(),
        });
        spreadsheet::line(out, &cells.collect::<Vec<_>>())?;
    }
    Ok(())
}
