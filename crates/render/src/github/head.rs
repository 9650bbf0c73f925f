//! The head of a document: the title and the facts about the session.

use std::io;

use story::{Facts, Link, LinkKind, Story};

use content::wording::{commits, note_of_emptiness, only_left, state_in_head};
use human::{Locale, counted, duration};

use super::{Page, code, joined, literal, section, shortened};

/// Maximum number of characters of a title.
const TITLE: usize = 110;

impl Page<'_> {
    pub(super) fn head(&mut self) -> io::Result<()> {
        let facts = &self.story.facts;
        let title = facts.title.as_ref().map_or(&facts.id, |title| &title.text);
        let title = literal::words(&shortened(title, TITLE));
        self.sheet.block(&format!("# {}", if title.is_empty() { "Session" } else { &title }))?;
        let rows = [
            ("Project", place(facts)),
            ("Models", codes(&facts.models)),
            ("When", when(facts, self.locale)),
            ("Turns", amounts(facts)),
            ("Cost", self.cost()),
            ("State", self.status.map(|status| state_in_head(status, self.locale)).unwrap_or_default()),
            ("Links", facts.links.iter().map(link).collect::<Vec<_>>().join(" · ")),
            ("Commits", commits_of(facts)),
            ("Session", session(self.story)),
        ];
        for (name, row) in rows.iter().filter(|(_, row)| !row.is_empty()) {
            self.sheet.item(&format!("**{name}:** {row}"))?;
        }
        note_of_emptiness(self.story).map_or(Ok(()), |note| self.sheet.block(note))
    }

    /// The session's usage and cost.
    fn cost(&self) -> String {
        let spent = self.bill.session.map(|spent| literal::words(&self.locale.spent(&spent)));
        spent.unwrap_or_default()
    }

    /// The tasks in their final states.
    pub(super) fn tasks(&mut self) -> io::Result<()> {
        let tasks: Vec<String> =
            self.story.tasks.items().map(|item| section::task(&content::call::left(item))).collect();
        if tasks.is_empty() {
            return Ok(());
        }
        self.sheet.block("## Tasks")?;
        self.sheet.text(&tasks.join("\n"), Some('-'))
    }
}

fn commits_of(facts: &Facts) -> String {
    let (earlier, named) = commits(facts);
    let earlier = (earlier > 0).then(|| format!("{} earlier", human::thousands(earlier as u64)));
    let named = named.map(|commit| match commit.split_once(' ') {
        Some((sha, subject)) => format!("{} {}", code::span(sha), literal::words(subject)),
        None => code::span(&commit),
    });
    earlier.into_iter().chain(named).collect::<Vec<_>>().join(" · ")
}

fn codes(names: &[Box<str>]) -> String {
    names.iter().map(|name| code::span(name)).collect::<Vec<_>>().join(", ")
}

fn place(facts: &Facts) -> String {
    let code = |text: &Option<Box<str>>| text.as_deref().map(code::span).filter(|code| !code.is_empty());
    match (code(&facts.project), code(&facts.branch)) {
        (Some(project), Some(branch)) => format!("{project} on {branch}"),
        (Some(one), None) | (None, Some(one)) => one,
        (None, None) => String::new(),
    }
}

fn when(facts: &Facts, locale: &Locale) -> String {
    let first = locale.date_and_time(facts.first);
    let is_one_day = locale.date(facts.first) == locale.date(facts.last);
    let last = if is_one_day { locale.time_of_day(facts.last) } else { locale.date_and_time(facts.last) };
    let zone = locale.zone_at(facts.last.or(facts.first));
    let times = if first.is_empty() || first.ends_with(&last) { first } else { format!("{first} to {last}") };
    joined([
        (!times.is_empty()).then(|| format!("{times} {zone}")),
        (facts.active_ms > 0).then(|| format!("{} at work", duration(facts.active_ms))),
        (facts.waiting_ms > 0).then(|| format!("{} waiting for the user", duration(facts.waiting_ms))),
    ])
}

fn amounts(facts: &Facts) -> String {
    let counts = &facts.counts;
    let some = |number: u32, one: &str, many: &str| (number > 0).then(|| counted(u64::from(number), one, many));
    joined([
        Some(counts.turns.to_string()),
        some(counts.calls, "call", "calls"),
        (counts.failed > 0).then(|| format!("{} failed", counts.failed)),
        some(counts.agents, "agent", "agents"),
        some(counts.branches, "branch left", "branches left"),
        some(counts.compactions, "compaction", "compactions"),
    ])
}

fn link(link: &Link) -> String {
    let kind = match link.kind {
        LinkKind::PullRequest => "pull request",
        LinkKind::Artifact => "artifact",
        LinkKind::Bridge => "remote control",
        LinkKind::Worktree => "worktree",
    };
    section::link(format!("{kind} {}", link.title).trim_end(), &link.url)
}

fn session(story: &Story) -> String {
    let facts = &story.facts;
    let id = Some(code::span(&facts.id)).filter(|id| !id.is_empty());
    let version = facts.versions.last().map(|version| format!("Claude Code {}", literal::words(version)));
    let next = facts.continued_in.as_ref().map(|next| format!("goes on in {}", code::span(next)));
    let left = story.remnant().map(|remnant| only_left(remnant).to_owned());
    joined([id, version, next, left])
}
