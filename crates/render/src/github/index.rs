//! The list of all sessions of a folder.

use std::io::{self, Write};

use jiff::tz::TimeZone;

use super::literal;
use content::Listed;
use human::{date_and_time, thousands};

/// Writes the list of all sessions, the latest first.
pub fn write_markdown_index(out: &mut dyn Write, sessions: &[Listed]) -> io::Result<()> {
    let mut sessions: Vec<&Listed> = sessions.iter().collect();
    sessions.sort_by(|one, other| other.last.cmp(&one.last).then_with(|| one.href.cmp(&other.href)));
    writeln!(
        out,
        "# Sessions\n\n| session | project | when (UTC) | turns | cost |\n| --- | --- | --- | ---: | ---: |"
    )?;
    for session in sessions {
        let title = if session.title.trim().is_empty() { "untitled" } else { &session.title };
        writeln!(
            out,
            "| [{}]({}) | {} | {} | {} | {} |",
            literal::words(title),
            session.href,
            literal::words(&session.project),
            date_and_time(session.last, &TimeZone::UTC),
            thousands(session.turns.into()),
            literal::words(session.cost.as_deref().unwrap_or("–")),
        )?;
    }
    Ok(())
}
