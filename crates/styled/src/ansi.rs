//! The output of commands, with their own colours.
//!
//! Colours and styles are preserved. Carriage returns, backspaces and erasing work within a line, so a progress bar is
//! shown in its last state. Other cursor movement, titles, links and pictures are dropped. So are blinking, which does
//! not help a reader, and hidden text, which would conceal something.

mod color;

use crate::escape::{self, Escape};
use crate::line::Line;
use crate::style::{Role, Style};
use color::recolor;

/// The distance of tab stops in a terminal.
const TAB: usize = 8;

/// How much of an output to read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// The columns of a line; longer ones are truncated with `…`.
    pub columns: usize,
    /// The number of lines from the start.
    pub lines: usize,
}

/// The output of a command.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Output {
    /// The lines within the limits.
    pub lines: Vec<Line>,
    /// How many more there are.
    pub left_out: usize,
}

/// Parses the output of a command.
///
/// ```
/// use styled::ansi::{Limits, output};
///
/// let limits = Limits { columns: 80, lines: 100 };
/// let shown = output("10 %\r50 %\r\x1b[32mdone\x1b[0m\n", limits);
/// assert_eq!(shown.lines[0].text(), "done");
/// ```
pub fn output(text: &str, limits: Limits) -> Output {
    let mut output = Output::default();
    let mut row = Row { columns: limits.columns, ..Row::default() };
    let mut rest = text;
    while !rest.is_empty() {
        if output.lines.len() >= limits.lines {
            output.left_out = rest.lines().count();
            break;
        }
        let (line, after) = rest.split_once('\n').unwrap_or((rest, ""));
        output.lines.push(row.read(line.strip_suffix('\r').unwrap_or(line)));
        rest = after;
    }
    output
}

/// All lines of the output of a command, one after another.
pub fn each_line(text: &str) -> impl Iterator<Item = Line> {
    let mut row = Row { columns: usize::MAX, ..Row::default() };
    text.split_terminator('\n').map(move |line| row.read(line.strip_suffix('\r').unwrap_or(line)))
}

/// One row of a terminal that has a limited number of columns.
#[derive(Default)]
struct Row {
    cells: Vec<Cell>,
    cursor: usize,
    columns: usize,
    /// Whether something did not fit.
    cut: bool,
    /// The style of the following text; it carries over to the next line.
    style: anstyle::Style,
}

#[derive(Clone, Copy, PartialEq, Eq)]
struct Cell {
    character: char,
    style: anstyle::Style,
}

impl Row {
    fn read(&mut self, line: &str) -> Line {
        if self.style == anstyle::Style::new() && !line.contains(|c: char| c.is_control()) {
            return Line::new().with(line, Style::PLAIN).cut(self.columns);
        }
        self.cells.clear();
        self.cursor = 0;
        self.cut = false;
        let mut rest = line;
        while let Some(character) = rest.chars().next() {
            if let Some((escape, after)) = escape::take(rest) {
                self.obey(&escape);
                rest = after;
                continue;
            }
            rest = rest.get(character.len_utf8()..).unwrap_or("");
            match character {
                '\r' => self.cursor = 0,
                '\u{8}' => self.cursor = self.cursor.saturating_sub(1),
                '\t' => (0..TAB - self.cursor % TAB).for_each(|_| self.print(' ')),
                c if c.is_control() => {}
                c => self.print(c),
            }
        }
        self.line()
    }

    fn print(&mut self, character: char) {
        let cell = Cell { character, style: self.style };
        match self.cells.get_mut(self.cursor) {
            Some(place) => *place = cell,
            None if self.cursor < self.columns => {
                self.cells.resize(self.cursor, Cell { character: ' ', style: anstyle::Style::new() });
                self.cells.push(cell);
            }
            None => {
                self.cut = true;
                return;
            }
        }
        self.cursor += 1;
    }

    fn obey(&mut self, escape: &Escape<'_>) {
        match escape {
            Escape::Control { parameters, action: 'm' } => self.style = recolor(self.style, parameters),
            Escape::Control { parameters, action: 'K' } => self.erase(parameters),
            // Moves to the first column, as spinners do.
            Escape::Control { parameters: "" | "0" | "1", action: 'G' } => self.cursor = 0,
            Escape::Control { .. } | Escape::Other => {}
        }
    }

    fn erase(&mut self, what: &str) {
        match what {
            "" | "0" => {
                self.cells.truncate(self.cursor);
                self.cut = false;
            }
            "1" => {
                let blank = Cell { character: ' ', style: anstyle::Style::new() };
                self.cells.iter_mut().take(self.cursor.saturating_add(1)).for_each(|cell| *cell = blank);
            }
            "2" => {
                self.cells.clear();
                self.cut = false;
            }
            _ => {}
        }
    }

    fn line(&self) -> Line {
        let mut line = Line::new();
        let mut piece = String::new();
        for run in self.cells.chunk_by(|one, other| one.style == other.style) {
            let Some(first) = run.first() else { continue };
            piece.clear();
            piece.extend(run.iter().map(|cell| cell.character));
            line.push(&piece, Style::raw(first.style));
        }
        if self.cut {
            line.push("…", Role::Quiet);
        }
        line.cut(self.columns)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::line::tests::{hold, marked};
    use crate::write;
    use testkit::hostile::hostile;

    fn shown(text: &str) -> String {
        write(&output(text, Limits { columns: 40, lines: 10 }).lines, None)
    }

    #[test]
    fn progress_is_shown_in_its_last_state() {
        assert_eq!(shown("10 %\r20 %\rdone\n"), "done\n");
        assert_eq!(shown("a long message\rshort\x1b[K\r\n"), "short\n");
        assert_eq!(shown("working\x1b[2K\x1b[1Gdone"), "done\n");
        assert_eq!(shown("12345\r\x1b[1Kab"), "ab345\n");
        assert_eq!(shown("long text\rab\n"), "abng text\n");
        assert_eq!(shown("abc\x08\x08X\n"), "aXc\n");
    }

    #[test]
    fn non_text_is_dropped() {
        assert_eq!(shown("\x1b[?25l\x1b[3A\x1b]0;title\x07a\x1b[2Jb\0\x0e\x1b[?25h"), "ab\n");
        assert_eq!(shown("a\tb\r\n\r\nc"), "a       b\n\nc\n");
        assert_eq!(shown("\x1b[m\ta\tb"), "        a       b\n");
    }

    #[test]
    fn colours_carry_over_lines() {
        let text = "\x1b[1;31merror\x1b[0m: no\n\x1b[38;5;208mone\ntwo\x1b[39m three";
        let lines = output(text, Limits { columns: 40, lines: 10 }).lines;
        insta::assert_snapshot!(marked(&lines), @"
        ⟨1m31m error⟩: no
        ⟨38;5;208m one⟩
        ⟨38;5;208m two⟩ three
        ");
    }

    #[test]
    fn limits_apply() {
        let output = output("a\nb\nc\nd\n", Limits { columns: 10, lines: 2 });
        assert_eq!((output.lines.len(), output.left_out), (2, 2));
        for text in ["0123456789 and more", "\x1b[m0123456789 and more", "\x1b[m日本語日本語日本語"] {
            let line = super::output(text, Limits { columns: 10, lines: 1 }).lines.remove(0);
            assert!(line.text().ends_with('…') && line.width() <= 10, "{line:?}");
        }
    }

    proptest! {
        #[test]
        fn any_output_is_made_safe(text in hostile(), columns in 0_usize..40, lines in 0_usize..9) {
            let output = output(&text, Limits { columns, lines });
            hold(&output.lines, columns);
            prop_assert!(output.lines.len() <= lines);
        }
    }
}
