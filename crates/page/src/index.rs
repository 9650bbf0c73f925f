//! The list of all sessions of a site.
//!
//! ```html
//! <body class="site"><header class="head"><h1>Sessions</h1><p class="where">2 projects · 14 sessions</p></header>
//! <main><input type="search" class="filter" hidden>            shown by the script
//!   <section><h2>~/code/x</h2><table class="sessions">…
//!     <tr data-row="7"><td class="title"><a href="…">…</a> <small>main</small></td>
//!       <td class="status">ended</td> <td class="when" data-sort="1786179600000"><time …>…</td> <td class="number" data-sort="12">12</td>…
//! <script type="application/json" id="prompts">                the prompts, by row number
//! ```

use std::collections::BTreeMap;
use std::io::{self, Write};

use maud::{DOCTYPE, Markup, PreEscaped, html};

use super::document::{Dress, moment::moment, zone_attribute};
use super::text;
use content::Listed;
use human::{Locale, bytes, counted, thousands};
use story::SessionStatus;

/// Writes the list of all sessions by project, latest first.
pub fn write_index(out: &mut dyn Write, sessions: &[Listed], dress: &Dress, locale: &Locale) -> io::Result<()> {
    let mut projects: BTreeMap<&str, Vec<(usize, &Listed)>> = BTreeMap::new();
    for (row, session) in sessions.iter().enumerate() {
        projects.entry(&session.project).or_default().push((row, session));
    }
    let mut projects: Vec<_> = projects.into_iter().collect();
    for (_, sessions) in &mut projects {
        sessions.sort_by_key(|(row, session)| (std::cmp::Reverse(session.last), *row));
    }
    projects.sort_by_key(|(_, sessions)| std::cmp::Reverse(sessions.iter().map(|(_, session)| session.last).max()));
    let about = format!(
        "{} · {}",
        counted(projects.len() as u64, "project", "projects"),
        counted(sessions.len() as u64, "session", "sessions")
    );
    let opening = html! {
        (DOCTYPE)
        (PreEscaped(format!("<html lang=\"en\"{}>", zone_attribute(locale))))
        head { (dress.head()) title { "Sessions · recount" } }
        (PreEscaped("<body class=\"site\">\n"))
        header.head { h1 { "Sessions" } p.where { (about) } }
        (PreEscaped("<main>"))
        input.filter type="search" placeholder="Filter by title, project, branch, or what was asked"
            aria-label="Filter sessions" hidden;
        p.none role="status" hidden { "no session fits" }
    };
    out.write_all(opening.into_string().as_bytes())?;
    for (project, sessions) in projects {
        out.write_all(section(project, &sessions, locale).into_string().as_bytes())?;
    }
    let prompts: Vec<&[String]> = sessions.iter().map(|session| session.prompts.as_slice()).collect();
    let prompts = serde_json::to_string(&prompts)?.replace('<', "\\u003c");
    let closing = html! {
        (PreEscaped("</main>\n"))
        script #prompts type="application/json" { (PreEscaped(prompts)) }
        (dress.scripts())
        (PreEscaped("</body></html>\n"))
    };
    out.write_all(closing.into_string().as_bytes())
}

fn section(project: &str, sessions: &[(usize, &Listed)], locale: &Locale) -> Markup {
    let column = |name: &str, class: &str, order: &str| {
        html! { th class=(class) scope="col" aria-sort=(order) { button type="button" { (name) } } }
    };
    html! {
        section {
            @if project.is_empty() { h2.unknown { "no project" } } @else { h2 { (text(project)) } }
            table.sessions {
                thead { tr {
                    (column("session", "title", "none"))
                    (column("state", "status", "none"))
                    (column("when", "when", "descending"))
                    (column("turns", "number", "none"))
                    (column("cost", "number", "none"))
                    (column("size", "number", "none"))
                } }
                tbody { @for (row, session) in sessions { (session_row(*row, session, locale)) } }
            }
        }
        "\n"
    }
}

fn session_row(row: usize, session: &Listed, locale: &Locale) -> Markup {
    let state = session.status().map(SessionStatus::word).unwrap_or_default();
    let cost = session.cost.as_deref().unwrap_or("–");
    // `$1,204.50` sorts as a number.
    let digits = cost.trim_start_matches(|c: char| !c.is_ascii_digit());
    let amount: String = digits.chars().filter(|c| c.is_ascii_digit() || *c == '.').collect();
    html! {
        tr data-row=(row) {
            td.title {
                a href=(text(&session.href)) { (text(&session.title)) }
                @if session.branch.is_some() || session.failed > 0 {
                    " " small {
                        @if let Some(branch) = &session.branch { (text(branch)) }
                        @if session.branch.is_some() && session.failed > 0 { " · " }
                        @if session.failed > 0 { b.failed { (thousands(session.failed.into())) " failed" } }
                    }
                }
            }
            td.status { (state) }
            td.when data-sort=[session.last] {
                (moment(session.last, locale))
            }
            td.number data-sort=(session.turns) { (thousands(session.turns.into())) }
            td.number data-sort=(amount) { (text(cost)) }
            td.number data-sort=(session.bytes) { (bytes(session.bytes)) }
        }
    }
}
