//! Reads text tables and comma-separated values.

use std::collections::HashMap;

use styled::width::width;

/// The rows of a table with left-aligned words and right-aligned figures. Columns are two blanks apart.
pub(crate) fn rows(text: &str) -> Vec<HashMap<String, String>> {
    /// Columns of words.
    const WORDS: [&str; 5] = ["session", "last active", "project", "title", "state"];
    let mut lines = text.lines();
    let head = lines.next().unwrap_or_default();
    let mut columns: Vec<(String, usize, usize)> = Vec::new();
    for name in head.split("  ").map(str::trim).filter(|name| !name.is_empty()) {
        let from = columns.last().map_or(0, |(_, _, end)| *end);
        let start = from + head[from..].find(name).unwrap();
        columns.push((name.to_owned(), start, start + name.len()));
    }
    let read = |line: &str| {
        let cells = columns.iter().enumerate().map(|(at, (name, start, end))| {
            let is_words = WORDS.contains(&name.as_str());
            let next = columns.get(at + 1);
            let cell = match next {
                // Words extend to the next column of words, or to figures that end where their heading ends.
                Some((after, next, _)) if is_words && WORDS.contains(&after.as_str()) => part(line, *start, *next),
                Some((_, _, next)) if is_words => {
                    let both = part(line, *start, *next);
                    both.rsplit_once("  ").map_or(both.clone(), |(words, _)| words.to_owned())
                }
                None if is_words => part(line, *start, usize::MAX),
                _ => {
                    let before = part(line, 0, *end);
                    if before.ends_with(' ') {
                        String::new()
                    } else {
                        before.rsplit("  ").next().unwrap_or_default().to_owned()
                    }
                }
            };
            (name.clone(), cell.trim().to_owned())
        });
        cells.collect()
    };
    lines.map(read).collect()
}

/// The text in these columns of a terminal; blanks if the line is shorter.
fn part(line: &str, from: usize, to: usize) -> String {
    let mut part = String::new();
    let mut at = 0;
    for c in line.chars() {
        if at >= from && at < to {
            part.push(c);
        }
        at += width(c.encode_utf8(&mut [0; 4]));
    }
    if to != usize::MAX {
        part.extend(std::iter::repeat_n(' ', to.saturating_sub(at.max(from))));
    }
    part
}

/// CSV rows, by the names of their columns.
pub(crate) fn csv(text: &str) -> Vec<HashMap<String, String>> {
    let mut rows: Vec<Vec<String>> = vec![vec![String::new()]];
    let mut is_quoted = false;
    let mut signs = text.chars().peekable();
    while let Some(c) = signs.next() {
        let row = rows.last_mut().unwrap();
        match c {
            '"' if is_quoted && signs.peek() == Some(&'"') => row.last_mut().unwrap().extend(signs.next()),
            '"' => is_quoted = !is_quoted,
            ',' if !is_quoted => row.push(String::new()),
            '\n' if !is_quoted => rows.push(vec![String::new()]),
            '\r' if !is_quoted => {}
            c => row.last_mut().unwrap().push(c),
        }
    }
    let mut rows = rows.into_iter().filter(|row| row.len() > 1);
    let names = rows.next().unwrap_or_default();
    rows.map(|row| names.iter().cloned().zip(row).collect()).collect()
}
