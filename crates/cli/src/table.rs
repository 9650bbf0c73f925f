//! Tables that fit a given width.

use std::io::{self, Write};

use anstyle::{AnsiColor, Style};
use styled::width::width;

/// The alignment of a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Align {
    Left,
    Right,
}

/// A column with its heading.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Column {
    pub(crate) heading: &'static str,
    pub(crate) align: Align,
}

/// The kind of a row, which determines its style.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Weight {
    Normal,
    /// A part of the row above.
    Part,
    /// The total.
    Total,
}

/// Where text that is too long is cut.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Loses {
    /// In the middle, since both ends of a path or name are informative.
    Middle,
    /// At the end, for prose.
    End,
}

/// Rows of cells; one flexible column shrinks if the table is too wide.
#[derive(Debug)]
pub(crate) struct Table {
    columns: Vec<Column>,
    rows: Vec<(Weight, Vec<String>, Option<f64>)>,
    bars: bool,
    /// The column that shrinks.
    flexible: usize,
    /// Where its text is cut.
    loses: Loses,
}

const GAP: usize = 2;
/// Length of the longest bar.
const BAR: usize = 10;
/// Width of the flexible column before a narrower table is chosen.
const LABEL: usize = 24;
/// Minimum width of the flexible column.
const LEAST_LABEL: usize = 10;

const HEADING: Style = Style::new().bold();
const TOTAL: Style = Style::new().bold();
const PART: Style = Style::new().dimmed();
const BARS: Style = AnsiColor::Cyan.on_default();

impl Table {
    pub(crate) fn new(columns: Vec<Column>, bars: bool) -> Self {
        Self { columns, rows: Vec::new(), bars, flexible: 0, loses: Loses::Middle }
    }

    /// Makes a column of prose flexible instead of the first.
    pub(crate) fn with_prose(self, flexible: usize) -> Self {
        Self { flexible, loses: Loses::End, ..self }
    }

    /// Adds a row; `bar` is the length of its bar, from 0 to 1.
    pub(crate) fn row(&mut self, weight: Weight, cells: Vec<String>, bar: Option<f64>) {
        self.rows.push((weight, cells, bar));
    }

    fn widths(&self) -> Vec<usize> {
        let mut widths: Vec<usize> = self.columns.iter().map(|column| width(column.heading)).collect();
        for (_, cells, _) in &self.rows {
            for (known, cell) in widths.iter_mut().zip(cells) {
                *known = width(cell).max(*known);
            }
        }
        widths
    }

    /// Returns the minimum width at which the table is easy to read.
    pub(crate) fn least_width(&self) -> usize {
        let mut widths = self.widths();
        if let Some(flexible) = widths.get_mut(self.flexible) {
            *flexible = (*flexible).min(LABEL);
        }
        whole(&widths) + self.bar_width()
    }

    fn bar_width(&self) -> usize {
        if self.bars { GAP + BAR } else { 0 }
    }

    /// Writes the table in this many columns.
    pub(crate) fn write(&self, out: &mut impl Write, columns: usize) -> io::Result<()> {
        let mut widths = self.widths();
        let too_much = (whole(&widths) + self.bar_width()).saturating_sub(columns);
        if let Some(flexible) = widths.get_mut(self.flexible) {
            *flexible = flexible.saturating_sub(too_much).max(LEAST_LABEL.min(*flexible));
        }
        let headings: Vec<String> = self.columns.iter().map(|column| column.heading.to_owned()).collect();
        self.line(out, &widths, HEADING, &headings, None)?;
        for (weight, cells, bar) in &self.rows {
            let style = match weight {
                Weight::Normal => Style::new(),
                Weight::Part => PART,
                Weight::Total => TOTAL,
            };
            if *weight == Weight::Total {
                writeln!(out, "{PART}{}{PART:#}", "─".repeat(whole(&widths)))?;
            }
            self.line(out, &widths, style, cells, *bar)?;
        }
        Ok(())
    }

    fn line(
        &self,
        out: &mut impl Write,
        widths: &[usize],
        style: Style,
        cells: &[String],
        bar: Option<f64>,
    ) -> io::Result<()> {
        let mut line = String::new();
        for (at, ((cell, wide), column)) in cells.iter().zip(widths).zip(&self.columns).enumerate() {
            if at > 0 {
                line.push_str("  ");
            }
            let cell = shortened(cell, *wide, self.loses);
            let padding = " ".repeat(wide.saturating_sub(width(&cell)));
            match column.align {
                Align::Left => line.extend([cell.as_str(), &padding]),
                Align::Right => line.extend([padding.as_str(), &cell]),
            }
        }
        match bar.filter(|_| self.bars).map(bar_of).filter(|bar| !bar.is_empty()) {
            Some(bar) => writeln!(out, "{style}{line}{style:#}  {BARS}{bar}{BARS:#}"),
            None => writeln!(out, "{style}{}{style:#}", line.trim_end()),
        }
    }
}

/// Returns the total width of columns.
fn whole(widths: &[usize]) -> usize {
    widths.iter().map(|column| column + GAP).sum::<usize>().saturating_sub(GAP)
}

/// Writes the first table that fits, or the last one if none does.
pub(crate) fn write_widest(out: &mut impl Write, tables: &[Table], columns: usize) -> io::Result<()> {
    let fitting = tables.iter().find(|table| table.least_width() <= columns).or(tables.last());
    fitting.map_or(Ok(()), |table| table.write(out, columns))
}

/// A right-aligned column of numbers.
pub(crate) fn right(heading: &'static str) -> Column {
    Column { heading, align: Align::Right }
}

/// A left-aligned column of words.
pub(crate) fn left(heading: &'static str) -> Column {
    Column { heading, align: Align::Left }
}

/// Cuts a text to this many columns.
fn shortened(text: &str, columns: usize, loses: Loses) -> String {
    if width(text) <= columns {
        return text.to_owned();
    }
    let room = columns.saturating_sub(1);
    let front = match loses {
        Loses::Middle => room / 3,
        Loses::End => room,
    };
    let back = room - front;
    let take = |chars: &mut dyn Iterator<Item = char>, room: usize| {
        let mut taken = Vec::new();
        let mut used = 0;
        for c in chars {
            used += width(c.encode_utf8(&mut [0; 4]));
            if used > room {
                break;
            }
            taken.push(c);
        }
        taken
    };
    let start: String = take(&mut text.chars(), front).into_iter().collect();
    let end: String = take(&mut text.chars().rev(), back).into_iter().rev().collect();
    format!("{start}…{end}")
}

/// Draws a bar for a number from 0 to 1, in steps of an eighth of a column.
fn bar_of(share: f64) -> String {
    const EIGHTHS: [&str; 8] = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, clippy::cast_precision_loss, reason = "small")]
    let eighths = (share.clamp(0.0, 1.0) * (BAR * 8) as f64).round() as usize;
    // Anything above zero is visible.
    let eighths = if share > 0.0 { eighths.max(1) } else { 0 };
    "█".repeat(eighths / 8) + EIGHTHS.get(eighths % 8).copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bars_are_as_long_as_their_share() {
        assert_eq!(bar_of(0.0), "");
        assert_eq!(bar_of(0.0001), "▏");
        assert_eq!(bar_of(0.5), "█████");
        assert_eq!(bar_of(7.0), "██████████");
        assert_eq!(bar_of(f64::NAN), "");
    }

    #[test]
    fn long_texts_lose_their_middle_or_their_end() {
        assert_eq!(shortened("/home/ana/work/shop/frontend", 16, Loses::Middle), "/home…p/frontend");
        assert_eq!(shortened("漢字漢字漢字漢字", 8, Loses::Middle), "漢…漢字");
        assert_eq!(shortened("short", 16, Loses::Middle), "short");
        assert_eq!(shortened("make checkout idempotent", 16, Loses::End), "make checkout i…");
        assert_eq!(shortened("漢字漢字漢字漢字", 8, Loses::End), "漢字漢…");
    }

    #[test]
    fn a_table_fits_its_width() {
        let column = |heading, align| Column { heading, align };
        let mut table = Table::new(vec![column("project", Align::Left), column("cost", Align::Right)], true);
        table.row(Weight::Normal, vec!["/home/ana/work/shop/frontend".to_owned(), "$1.00".to_owned()], Some(1.0));
        table.row(Weight::Total, vec!["total".to_owned(), "$1.00".to_owned()], None);
        let mut out = Vec::new();
        table.write(&mut out, 42).unwrap();
        let text = anstream::adapter::strip_str(std::str::from_utf8(&out).unwrap()).to_string();
        let expected = [
            "project                   cost",
            "/home/a…k/shop/frontend  $1.00  ██████████",
            "──────────────────────────────",
            "total                    $1.00",
        ];
        assert_eq!(text.lines().collect::<Vec<_>>(), expected);
    }
}
