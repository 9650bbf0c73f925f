//! The list of all sessions of an export.

use std::io::{self, Write};

use super::literal;
use content::Listed;
use human::{Locale, thousands};
use story::SessionStatus;

/// Writes the list of all sessions, latest first.
pub fn write_markdown_index(out: &mut dyn Write, sessions: &[Listed], locale: &Locale) -> io::Result<()> {
    let mut sessions: Vec<&Listed> = sessions.iter().collect();
    sessions.sort_by(|one, other| other.last.cmp(&one.last).then_with(|| one.href.cmp(&other.href)));
    let zone = locale.zone.iana_name().map(|name| format!(" ({})", literal::words(name))).unwrap_or_default();
    writeln!(
        out,
        "# Sessions\n\n| session | project | state | when{zone} | turns | cost |\n| --- | --- | --- | --- | ---: | ---: |"
    )?;
    for session in sessions {
        writeln!(
            out,
            "| [{}]({}) | {} | {} | {} | {} | {} |",
            literal::words(&session.title),
            session.href,
            literal::words(&session.project),
            session.status().map(SessionStatus::word).unwrap_or_default(),
            locale.date_and_time(session.last),
            thousands(session.turns.into()),
            literal::words(session.cost.as_deref().unwrap_or("–")),
        )?;
    }
    Ok(())
}
