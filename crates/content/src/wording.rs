//! Wording that is the same in every output.

use human::{Locale, shortened};
use story::facts::Facts;
use story::step::ContextKind;
use story::{Commit, Remnant, SessionStatus, Story};
use styled::clean::clean_line;

/// The remark on a session without a file of its own.
pub const fn only_left(remnant: Remnant) -> &'static str {
    match remnant {
        Remnant::Subagents => "only subagents are left",
        Remnant::Prompts => "only prompts are left",
    }
}

/// The commits that the head of a session names, in one line each: the latest, after the number of earlier ones.
pub fn commits(facts: &Facts) -> (usize, impl Iterator<Item = String>) {
    const NAMED: usize = 8;
    let earlier = facts.commits.len().saturating_sub(NAMED);
    let line = |commit: &Commit| format!("{} {}", commit.sha, commit.subject).trim_end().to_owned();
    (earlier, facts.commits.iter().skip(earlier).map(line))
}

/// The state of a session and its reason: `blocked · asks a question`.
pub fn state(status: SessionStatus) -> String {
    let detail = status.reason.detail().map(|detail| format!(" · {detail}")).unwrap_or_default();
    format!("{}{detail}", status.word())
}

/// The same in the head of a session, with the time since when something runs or waits.
pub fn state_in_head(status: SessionStatus, locale: &Locale) -> String {
    let since = status.since.filter(|_| status.state().is_under_way());
    let since = since.map(|at| format!(" · since {}", locale.date_and_time(Some(at)))).unwrap_or_default();
    format!("{}{since}", state(status))
}

/// The kind of context besides the prompt.
pub const fn context(kind: ContextKind) -> &'static str {
    match kind {
        ContextKind::File => "file",
        ContextKind::Editor => "editor",
        ContextKind::Image => "image",
        ContextKind::Instructions => "instructions",
        ContextKind::Skill => "skill",
        ContextKind::Hook => "hook",
        ContextKind::Plan => "plan",
        ContextKind::Tasks => "tasks",
        ContextKind::Listing => "available",
        ContextKind::Environment => "environment",
        ContextKind::Reminder => "reminder",
        ContextKind::Filler => "filler",
        ContextKind::Hidden => "hidden",
    }
}

/// The note for a session without a step; `None` for any other one.
pub fn note_of_emptiness(story: &Story) -> Option<&'static str> {
    let is_empty = story.threads().all(|(_, thread)| thread.steps.is_empty());
    is_empty.then_some("Nothing to show: its lines contain no prompt, reply or call.")
}

/// The maximum length of a title that is not shortened.
const TITLE: usize = 110;

/// The title of a session; never empty.
pub fn title(facts: &Facts) -> String {
    let names = [facts.title.as_ref().map(|title| &*title.text), Some(&*facts.id)];
    let mut names = names.into_iter().flatten().map(|name| clean_line(name).trim().to_owned());
    names.find(|name| !name.is_empty()).map_or_else(|| "Session".to_owned(), |name| shortened(&name, TITLE))
}
