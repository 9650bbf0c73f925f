//! Text output of `recount search`.

use std::io::{self, Write};
use std::ops::Range;

use index::search::{Count, Hit, Hits, SessionHits, SessionInfo, Snippet};
use index::texts::Column;
use styled::Line;
use styled::Role;
use styled::Style;
use styled::Theme;
use styled::wrap;

use super::place::{self, Sight};
use crate::terminal::plural;

/// Formatting options.
pub(super) struct SearchLook<'a> {
    pub(super) width: usize,
    pub(super) colours: bool,
    pub(super) sight: Sight<'a>,
    /// Whether snippets keep the lines of the text.
    pub(super) is_long: bool,
}

/// Default number of lines of a snippet.
const LINES: usize = 2;

pub(super) fn write_count(out: &mut impl Write, count: Count) -> io::Result<()> {
    let (entries, sessions) =
        (plural(count.entries, "entry", "entries"), plural(count.sessions, "session", "sessions"));
    writeln!(out, "{entries} in {sessions}")
}

pub(super) fn write(out: &mut impl Write, hits: &Hits, look: &SearchLook<'_>) -> io::Result<()> {
    let theme = look.colours.then(Theme::default);
    let mut lines = Vec::new();
    if hits.is_partial && !hits.sessions.is_empty() {
        lines.push(Line::new().with("No entry contains all words. These contain most of them:", Role::Warning));
        lines.push(Line::new());
    }
    for (at, group) in hits.sessions.iter().enumerate() {
        if at > 0 {
            lines.push(Line::new());
        }
        session(&mut lines, group, look);
    }
    if hits.has_more && !hits.sessions.is_empty() {
        lines.push(Line::new());
        lines.push(Line::new().with("There are more sessions: --limit shows them.", Role::Quiet));
    }
    out.write_all(styled::write(&lines, theme.as_ref()).as_bytes())
}

fn session(lines: &mut Vec<Line>, group: &SessionHits, look: &SearchLook<'_>) {
    place::heading(lines, Line::new(), &group.session, look.width, &look.sight);
    for hit in &group.hits {
        self::hit(lines, hit, &group.session, look);
    }
    let more = group.matches.saturating_sub(group.hits.len() as u64);
    if more > 0 {
        let at_least = if group.has_more { "at least " } else { "" };
        let text = format!("  {at_least}{more} more in this session");
        lines.push(Line::new().with(&text, Role::Quiet).cut(look.width));
    }
}

fn hit(lines: &mut Vec<Line>, hit: &Hit, session: &SessionInfo, look: &SearchLook<'_>) {
    let mut line = Line::new().with("  ", Style::PLAIN);
    line.push(&who(hit), Role::Tool);
    if hit.is_error {
        line.push(" failed", Role::Error);
    }
    place::whereabouts(&mut line, hit.agent.as_ref(), hit.turn, hit.at, session, look.sight.locale);
    lines.extend(wrap(&line, look.width, &Line::new(), &Line::new().with("    ", Style::PLAIN)));
    for snippet in &hit.snippets {
        self::snippet(lines, snippet, look);
    }
}

/// Returns the speaker of a hit.
fn who(hit: &Hit) -> String {
    let tools = || if hit.tools.is_empty() { hit.kind.clone() } else { hit.tools.join(", ") };
    match hit.snippets.first().map(|snippet| snippet.column) {
        Some(Column::Said) => "you".to_owned(),
        Some(Column::Replied) => "Claude".to_owned(),
        Some(Column::Thought) => "Claude, thinking".to_owned(),
        Some(Column::Seen) if !hit.tools.is_empty() => format!("{}, result", tools()),
        Some(Column::Done | Column::Seen) | None => tools(),
    }
}

fn snippet(lines: &mut Vec<Line>, snippet: &Snippet, look: &SearchLook<'_>) {
    let indent = Line::new().with("    ", Style::PLAIN);
    if look.is_long {
        let mut start = 0;
        for text in snippet.text.split('\n') {
            let line = marked(snippet, start..start + text.len());
            lines.extend(wrap(&line, look.width, &indent, &indent));
            start += text.len() + 1;
        }
        return;
    }
    let mut line = Line::new();
    if snippet.is_cut_before {
        line.push("…", Role::Quiet);
    }
    line.append(&marked(snippet, 0..snippet.text.len()));
    if snippet.is_cut_after {
        line.push("…", Role::Quiet);
    }
    let mut wrapped = wrap(&line, look.width, &indent, &indent);
    if wrapped.len() > LINES {
        wrapped.truncate(LINES);
        if let Some(last) = wrapped.pop() {
            let mut last = last.cut(look.width.saturating_sub(1));
            last.push("…", Role::Quiet);
            wrapped.push(last);
        }
    }
    lines.extend(wrapped);
}

/// Puts part of a text on one line, with runs of blanks collapsed and matches marked.
fn marked(snippet: &Snippet, range: Range<usize>) -> Line {
    let mut line = Line::new();
    let mut at = range.start;
    let push = |line: &mut Line, range: Range<usize>, style: Style| {
        let text = snippet.text.get(range).unwrap_or_default();
        line.push(&squeeze(text, line.text().is_empty() || line.text().ends_with(' ')), style);
    };
    for mark in snippet.marks.iter().filter(|mark| mark.end > range.start && mark.start < range.end) {
        let (start, end) = (mark.start.max(range.start), mark.end.min(range.end));
        push(&mut line, at..start, Style::PLAIN);
        push(&mut line, start..end, Role::Strong | Role::Warning);
        at = end;
    }
    push(&mut line, at..range.end, Style::PLAIN);
    line
}

/// Collapses each run of blanks to one, or to none after a blank.
fn squeeze(text: &str, mut is_blank: bool) -> String {
    let mut squeezed = String::with_capacity(text.len());
    for c in text.chars() {
        let blank = c.is_whitespace();
        if !(blank && is_blank) {
            squeezed.push(if blank { ' ' } else { c });
        }
        is_blank = blank;
    }
    squeezed
}
