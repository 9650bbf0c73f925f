//! Command lines, as far as it takes to name the programs that they run. This is no shell.

use std::borrow::Cow;

/// How a simple command is joined to the next one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Joined {
    Pipe,
    And,
    /// By `||`, `;`, a line break, or not at all: how it ends does not matter to the next one.
    Loosely,
}

/// The first words of all simple commands of a line, each with what follows it. Quoted text is one word; this is no
/// shell, but enough to name programs.
pub(super) fn simple_commands(line: &str) -> Vec<(Joined, Vec<&str>)> {
    let mut all = Vec::new();
    let (mut start, mut quote) = (0, None);
    let mut letters = line.char_indices().peekable();
    while let Some((at, letter)) = letters.next() {
        match (quote, letter) {
            (None | Some('"'), '\\') => {
                letters.next();
            }
            (None, '\'' | '"') => quote = Some(letter),
            (Some(open), _) if open == letter => quote = None,
            (None, '|' | '&' | ';' | '\n') => {
                let is_double = letters.next_if(|(_, next)| *next == letter).is_some();
                let joined = match (letter, is_double) {
                    ('|', false) => Joined::Pipe,
                    ('&', true) => Joined::And,
                    // `2>&1` and `&>` are redirections.
                    ('&', false) if line.get(..at).is_some_and(|text| text.ends_with(['>', '<'])) => continue,
                    ('&', false) if line.get(at + 1..).is_some_and(|text| text.starts_with('>')) => continue,
                    _ => Joined::Loosely,
                };
                all.push((joined, words(line.get(start..at).unwrap_or_default())));
                start = at + if is_double { 2 } else { 1 };
            }
            _ => {}
        }
    }
    all.push((Joined::Loosely, words(line.get(start..).unwrap_or_default())));
    all
}

/// The words of a simple command, without assignments and prefixes such as `sudo`.
fn words(command: &str) -> Vec<&str> {
    let is_assignment = |word: &&str| {
        let name = word.split_once('=').map(|(name, _)| name);
        name.is_some_and(|name| !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_'))
    };
    let is_prefix = |word: &&str| {
        matches!(*word, "!" | "(" | "{" | "sudo" | "time" | "env" | "nice" | "exec" | "if" | "then" | "do" | "else")
    };
    let words = command.split_whitespace().skip_while(|word| is_assignment(word) || is_prefix(word));
    words.take(MOST_WORDS).collect()
}

/// More words than this are not needed to know a program.
const MOST_WORDS: usize = 32;

/// A command line without the texts of its here-documents, which are no commands.
pub(super) fn without_documents(line: &str) -> Cow<'_, str> {
    if !line.contains("<<") {
        return Cow::Borrowed(line);
    }
    let mut kept = String::with_capacity(line.len());
    let mut lines = line.split_inclusive('\n');
    let mut endless = 0;
    while let Some(command) = lines.next() {
        kept.push_str(command);
        for end in ends_of_documents(command) {
            if endless >= MOST_ENDLESS {
                break;
            }
            let mut rest = lines.clone();
            if rest.any(|line| line.trim() == end) {
                lines = rest;
            } else {
                // Without its end, it is no document. Each search for one reads the rest of the lines.
                endless += 1;
            }
        }
    }
    Cow::Owned(kept)
}

/// After as many words that end nothing, `<<` is not searched for any more.
const MOST_ENDLESS: usize = 8;

/// The words that end the here-documents of a line: `EOF` in `cat <<'EOF'`.
fn ends_of_documents(line: &str) -> impl Iterator<Item = &str> {
    /// A line with more of them is no command.
    const MOST: usize = 8;
    let starts = line.match_indices("<<").filter(|(at, _)| {
        let (before, after) = line.split_at(*at);
        !before.ends_with('<') && !after.starts_with("<<<")
    });
    starts.take(MOST).filter_map(|(at, _)| {
        let word = line.get(at + 2..)?.trim_start_matches('-').trim_start().trim_start_matches(['\'', '"', '\\']);
        let end = word.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).unwrap_or(word.len());
        word.get(..end).filter(|word| !word.is_empty())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn here_documents_are_no_commands() {
        let cases = [
            ("cat <<'EOF' > a\ngit commit\nEOF\nls", "cat <<'EOF' > a\nls"),
            ("git commit -m \"$(cat <<'EOF'\nsay \"x\nEOF\n)\" && ls", "git commit -m \"$(cat <<'EOF'\n)\" && ls"),
            ("cat <<A <<-\"B\"\n1\nA\n2\n\tB\nls", "cat <<A <<-\"B\"\nls"),
            ("cat <<EOF\nnever ends", "cat <<EOF\nnever ends"),
            ("wc <<< EOF\nls\nEOF", "wc <<< EOF\nls\nEOF"),
            ("echo $((1 << 2))\nls", "echo $((1 << 2))\nls"),
        ];
        for (line, expected) in cases {
            assert_eq!(without_documents(line), expected, "{line}");
        }
    }
}
