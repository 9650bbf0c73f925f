//! File changes of a session, for a terminal.

use std::io::{self, Write};

use crate::terminal::TerminalLook;
use changes::{Changes, FileChange};
use human::{counted, thousands};
use styled::Line;
use styled::diff::{Change, unified};
use styled::write;
use styled::{Role, Style};
use styled::{fold, wrap};

/// Minimum width for wrapping: below it no line is readable, and the terminal wraps as it likes.
const NARROWEST: usize = 30;

/// Writes the changes by file.
pub fn write_changes(out: &mut dyn Write, changes: &Changes, look: &TerminalLook) -> io::Result<()> {
    let width = look.width.max(NARROWEST);
    let mut show = |lines: &[Line]| out.write_all(write(lines, look.theme.as_ref()).as_bytes());
    for file in &changes.files {
        show(&heading(file, width))?;
        for (number, patch) in file.patches.iter().enumerate() {
            if number > 0 {
                show(&[note("something else changed the file here")])?;
            }
            if patch.hunks.is_empty() {
                show(&[note("an empty file")])?;
            }
            show(&unified(&patch.shown(), width))?;
        }
        for change in &file.unplaced {
            show(&[note("where in the file is not known:")])?;
            show(&texts(&change.old, Change::Removed, width))?;
            show(&texts(&change.new, Change::Added, width))?;
        }
        show(&[Line::new()])?;
    }
    show(&[total(changes)])?;
    for words in changes.notes() {
        show(&wrap(&Line::new().with(&words, Role::Quiet), width, &Line::new(), &Line::new()))?;
    }
    Ok(())
}

/// Writes one line per file.
pub fn write_stat(out: &mut dyn Write, changes: &Changes, look: &TerminalLook) -> io::Result<()> {
    let amounts: Vec<(String, String)> = changes.files.iter().map(|file| amounts(file.counts())).collect();
    let widest = |column: fn(&(String, String)) -> usize| amounts.iter().map(column).max().unwrap_or(0);
    let (first, second) = (widest(|row| row.0.chars().count()), widest(|row| row.1.chars().count()));
    let mut lines = Vec::with_capacity(changes.files.len() + 1);
    for (file, (added, removed)) in changes.files.iter().zip(&amounts) {
        let mut line = Line::new().with(&format!("{added:>first$}"), Role::Added);
        line.push(&format!(" {removed:>second$}"), Role::Removed);
        line.push("  ", Style::PLAIN);
        line.push(&file.path.name, Style::PLAIN);
        for note in file.notes() {
            line.push(&format!(" · {note}"), Role::Quiet);
        }
        lines.push(line);
    }
    lines.push(total(changes));
    out.write_all(write(&lines, look.theme.as_ref()).as_bytes())
}

/// Writes a patch, without control characters that could affect the terminal.
pub fn write_patch(out: &mut dyn Write, changes: &Changes, look: &TerminalLook) -> io::Result<()> {
    for text in changes.patch().split_terminator('\n') {
        let role = match text.as_bytes().first() {
            Some(b'+') => Role::Added.into(),
            Some(b'-') => Role::Removed.into(),
            Some(b'@' | b'#' | b'\\') => Role::Quiet.into(),
            Some(b' ') | None => Style::PLAIN,
            Some(_) => Role::Strong.into(),
        };
        out.write_all(write(&[Line::new().with(text, role)], look.theme.as_ref()).as_bytes())?;
    }
    Ok(())
}

fn amounts((added, removed): (usize, usize)) -> (String, String) {
    (format!("+{}", thousands(added as u64)), format!("−{}", thousands(removed as u64)))
}

fn heading(file: &FileChange, width: usize) -> Vec<Line> {
    let (added, removed) = amounts(file.counts());
    let mut line = Line::new().with(&file.path.name, Role::Heading);
    line.push(&format!("  {added}"), Role::Added);
    line.push(&format!(" {removed}"), Role::Removed);
    for note in file.notes() {
        line.push(&format!(" · {note}"), Role::Quiet);
    }
    wrap(&line, width, &Line::new(), &Line::new().with("  ", Style::PLAIN))
}

fn note(words: &str) -> Line {
    Line::new().with(&format!("· {words}"), Role::Quiet)
}

/// Lines without known numbers.
fn texts(text: &str, change: Change, width: usize) -> Vec<Line> {
    let (sign, role) = if change == Change::Added { ("+ ", Role::Added) } else { ("- ", Role::Removed) };
    let first = Line::new().with(sign, role);
    let next = Line::new().with("  ", Style::PLAIN);
    text.lines().flat_map(|line| fold(&Line::new().with(line, role), width, &first, &next)).collect()
}

fn total(changes: &Changes) -> Line {
    let (added, removed) = amounts(changes.counts());
    let files = counted(changes.files.len() as u64, "file", "files");
    let line = Line::new().with(&format!("{files} changed "), Role::Quiet);
    line.with(&added, Role::Added).with(" ", Style::PLAIN).with(&removed, Role::Removed)
}
