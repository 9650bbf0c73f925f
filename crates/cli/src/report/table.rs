//! Tables with aligned columns.

use std::io::{self, Write};

/// The alignment of a column.
#[derive(Debug, Clone, Copy)]
pub(super) enum Align {
    Left,
    Right,
}

/// Rows of cells; every column is as wide as its widest cell.
#[derive(Debug)]
pub(super) struct Table<const N: usize> {
    columns: [Align; N],
    rows: Vec<[String; N]>,
}

impl<const N: usize> Table<N> {
    pub(super) fn new(columns: [Align; N]) -> Self {
        Self { columns, rows: Vec::new() }
    }

    pub(super) fn row(&mut self, cells: [String; N]) {
        self.rows.push(cells);
    }

    /// Writes the rows, indented by two spaces and with two between columns.
    pub(super) fn write(&self, out: &mut impl Write) -> io::Result<()> {
        let mut widths = [0; N];
        for row in &self.rows {
            for (width, cell) in widths.iter_mut().zip(row) {
                *width = (*width).max(cell.chars().count());
            }
        }
        for row in &self.rows {
            let mut line = String::new();
            for ((cell, width), align) in row.iter().zip(widths).zip(self.columns) {
                line.push_str("  ");
                let padding = " ".repeat(width - cell.chars().count());
                match align {
                    Align::Left => line.extend([cell, padding.as_str()]),
                    Align::Right => line.extend([padding.as_str(), cell]),
                }
            }
            writeln!(out, "{}", line.trim_end())?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_line_up() {
        let mut table = Table::new([Align::Left, Align::Right]);
        table.row(["grün".to_owned(), "1".to_owned()]);
        table.row(["a".to_owned(), "1,000".to_owned()]);
        let mut out = Vec::new();
        table.write(&mut out).unwrap();
        assert_eq!(String::from_utf8(out).unwrap(), "  grün      1\n  a     1,000\n");
    }
}
