//! The facts about a session, above its story.

use story::Story;
use story::facts::{Facts, LinkKind};

use super::TerminalLook;
use content::wording::{commits, note_of_emptiness, only_left, state_in_head};
use human::{counted, duration};
use styled::Line;
use styled::Role;
use styled::wrap;

pub(super) fn lines(story: &Story, look: &TerminalLook, width: usize) -> Vec<Line> {
    let facts = &story.facts;
    let title = facts.title.as_ref().map_or_else(|| facts.id.to_string(), |title| title.text.to_string());
    let rows = [place(facts), when(facts, look), amounts(story, look)];
    let mut lines = wrap(&Line::new().with(&title, Role::Heading), width, &Line::new(), &Line::new());
    for row in rows.iter().filter(|row| !row.is_empty()) {
        lines.extend(wrap(&Line::new().with(row, Role::Quiet), width, &Line::new(), &Line::new()));
    }
    for link in &facts.links {
        let kind = match link.kind {
            LinkKind::PullRequest => "pull request",
            LinkKind::Artifact => "artifact",
            LinkKind::Bridge => "remote control",
            LinkKind::Worktree => "worktree",
        };
        let line = Line::new().with(&format!("{kind} {} ", link.title), Role::Quiet).with(&link.url, Role::Link);
        lines.extend(wrap(&line, width, &Line::new(), &Line::new().with("  ", Role::Quiet)));
    }
    let (earlier, commits) = commits(facts);
    let earlier = (earlier > 0).then(|| format!("commits: {} earlier", human::thousands(earlier as u64)));
    for commit in earlier.into_iter().chain(commits.map(|commit| format!("commit {commit}"))) {
        let line = Line::new().with(&commit, Role::Quiet);
        lines.extend(wrap(&line, width, &Line::new(), &Line::new().with("  ", Role::Quiet)));
    }
    if let Some(note) = note_of_emptiness(story) {
        lines.push(Line::new());
        lines.extend(wrap(&Line::new().with(note, Role::Quiet), width, &Line::new(), &Line::new()));
    }
    lines
}

fn joined(parts: impl IntoIterator<Item = Option<String>>) -> String {
    parts.into_iter().flatten().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" · ")
}

fn place(facts: &Facts) -> String {
    let text = |text: &Option<Box<str>>| text.as_deref().map(str::to_owned);
    let models = (!facts.models.is_empty()).then(|| facts.models.join(", "));
    let version = facts.versions.last().map(|version| format!("Claude Code {version}"));
    joined([text(&facts.project), text(&facts.branch), models, version, Some(facts.id.to_string())])
}

fn when(facts: &Facts, look: &TerminalLook) -> String {
    let locale = &look.locale;
    let first = locale.date_and_time(facts.first);
    let same_day = locale.date(facts.first) == locale.date(facts.last);
    let last = if same_day { locale.time_of_day(facts.last) } else { locale.date_and_time(facts.last) };
    let times = if first.is_empty() || first.ends_with(&last) { first } else { format!("{first} to {last}") };
    let worked = (facts.active_ms >= 1000).then(|| format!("{} at work", duration(facts.active_ms)));
    let waited = (facts.waiting_ms >= 1000).then(|| format!("{} waiting for you", duration(facts.waiting_ms)));
    joined([Some(times), worked, waited])
}

fn amounts(story: &Story, look: &TerminalLook) -> String {
    let facts = &story.facts;
    let counts = &facts.counts;
    let some = |number: u32, one: &str, many: &str| (number > 0).then(|| counted(u64::from(number), one, many));
    let state = look.status.map(|status| state_in_head(status, &look.locale));
    joined([
        some(counts.turns, "turn", "turns"),
        some(counts.calls, "call", "calls"),
        (counts.failed > 0).then(|| format!("{} failed", counts.failed)),
        some(counts.agents, "agent", "agents"),
        some(counts.branches, "branch left", "branches left"),
        some(counts.compactions, "compaction", "compactions"),
        look.bill.session.map(|spent| look.locale.spent(&spent)),
        state,
        story.remnant().map(|remnant| only_left(remnant).to_owned()),
        facts.continued_in.as_ref().map(|session| format!("goes on in {session}")),
    ])
}
