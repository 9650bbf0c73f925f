//! Changes as a patch for `git apply` and `patch -p1`.

use std::fmt::Write as _;

use super::compose::{Hunk, NO_NEWLINE, Patch};
use super::path::FilePath;
use super::sketch::Base;
use super::{Changes, FileChange};
use styled::clean::clean_line;
use styled::diff::Change;

/// All changes that a patch can contain. Files outside the project are left out, unless the user named them: no patch
/// reaches them from the project's folder.
pub(super) fn text(changes: &Changes) -> String {
    changes.in_patch().map(file).collect()
}

fn file(file: &FileChange) -> String {
    let mut text = String::new();
    for (number, patch) in file.patches.iter().enumerate() {
        // Tools skip any text between patches.
        if number > 0 {
            let _ = writeln!(text, "# {}: something else changed it in between", clean_line(&file.path.name));
        }
        if patch.base == Base::Lost {
            let _ = writeln!(text, "# {}: rewritten; its previous content is unknown", clean_line(&file.path.name));
        } else {
            if patch.is_guessed {
                let name = clean_line(&file.path.name);
                let _ = writeln!(text, "# {name}: tabs or spaces at the start of some lines are a guess");
            }
            one(&mut text, &file.path, patch);
        }
    }
    text
}

fn one(text: &mut String, file: &FilePath, patch: &Patch) {
    let [old, new] = ["a/", "b/"].map(|side| quoted(&format!("{side}{}", file.in_patch())));
    let _ = writeln!(text, "diff --git {old} {new}");
    let is_new = patch.base == Base::Absent;
    if is_new {
        text.push_str("new file mode 100644\n");
    }
    if patch.hunks.is_empty() {
        return;
    }
    // A name with blanks ends with a tab.
    let end = |name: &str| if name.contains(' ') { "\t" } else { "" };
    let _ = if is_new { writeln!(text, "--- /dev/null") } else { writeln!(text, "--- {old}{}", end(&old)) };
    let _ = writeln!(text, "+++ {new}{}", end(&new));
    patch.hunks.iter().for_each(|part| hunk(text, part));
}

fn hunk(text: &mut String, hunk: &Hunk) {
    let count = |other| hunk.lines.iter().filter(|(change, _)| *change != other).count();
    let range = |start: usize, count: usize| match count {
        // An empty range is positioned by the line before it.
        0 => format!("{},0", start.saturating_sub(1)),
        1 => start.to_string(),
        _ => format!("{start},{count}"),
    };
    let (old, new) = (range(hunk.old_start, count(Change::Added)), range(hunk.new_start, count(Change::Removed)));
    let _ = writeln!(text, "@@ -{old} +{new} @@");
    for (change, line) in &hunk.lines {
        text.push(match change {
            Change::Same | Change::Note => ' ',
            Change::Removed => '-',
            Change::Added => '+',
        });
        text.push_str(&line.text);
        text.push('\n');
        if !line.ended {
            let _ = writeln!(text, "\\{NO_NEWLINE}");
        }
    }
}

/// A name as git writes it: quoted, if it contains special characters.
fn quoted(name: &str) -> String {
    let is_plain = |c: char| !(c.is_control() || c == '"' || c == '\\' || turns(c));
    if name.chars().all(is_plain) {
        return name.to_owned();
    }
    let mut quoted = String::from("\"");
    for c in name.chars() {
        match c {
            '"' | '\\' => quoted.extend(['\\', c]),
            c if is_plain(c) => quoted.push(c),
            c => c.encode_utf8(&mut [0; 4]).bytes().for_each(|byte| {
                let _ = write!(quoted, "\\{byte:03o}");
            }),
        }
    }
    quoted.push('"');
    quoted
}

/// Whether a character changes the direction of the text around it.
fn turns(c: char) -> bool {
    matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}
