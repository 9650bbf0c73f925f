//! The head of a page: facts about the session.

use maud::{Markup, html};
use story::Story;
use story::facts::{Facts, Link, LinkKind};
use story::tasks::TaskStatus;

use super::chart::chart;
use super::document::layout::Layout;
use super::document::moment::moment;
use super::document::{LedgerView, PageOptions};
use super::text;
use super::timeline::Axis;
use content::call::left;
use content::wording::{commits, note_of_emptiness, only_left, state_in_head, title};
use human::{Locale, counted, duration, thousands};
use styled::clean::clean_line;

/// The head of a page.
pub(super) fn head(layout: &Layout<'_>, page: &PageOptions<'_>, axis: Option<&Axis>) -> Markup {
    let facts = &layout.story.facts;
    html! {
        header.head {
            h1 { (text(&title(facts))) }
            (place(facts))
            @if let Some(part) = layout.excerpt() { p.part { "A part of the session: " (part) "." } }
            dl.facts {
                (fact("when", "When", &when(facts, &layout.locale)))
                (fact("took", "Took", &plain(&took(facts))))
                (amounts(facts))
                (fact("models", "Models", &codes(&facts.models)))
                @if let Some(ledger) = &page.ledger { (costs(ledger)) }
                (fact("state", "State", &plain(&page.status.map(|it| state_in_head(it, &layout.locale)).unwrap_or_default())))
                (fact("session", "Session", &session(layout.story)))
                (fact("links", "Links", &links(facts)))
                (fact("commits", "Commits", &commit_list(facts)))
                (fact("file", "File", &files(page.sources)))
            }
            @if let Some(command) = resume(facts) {
                p.resume { code { (text(&command)) } " " button.copy type="button" data-copy=(text(&command)) { "copy" } }
            }
            @if let Some(address) = page.share {
                p.share { a href=(address) { "Share" } " without secrets and private things" }
            }
            @if let (Some(ledger), Some(axis)) = (&page.ledger, axis) { (chart(layout, axis, &ledger.context)) }
            (tasks(layout))
            @if let Some(note) = note_of_emptiness(layout.story) { p.none role="note" { (note) } }
        }
    }
}

fn fact(key: &str, name: &str, value: &Markup) -> Markup {
    html! {
        @if !value.0.is_empty() { div.fact data-fact=(key) { dt { (name) } dd { (value) } } }
    }
}

fn plain(words: &str) -> Markup {
    html! { (text(words)) }
}

fn codes(names: &[Box<str>]) -> Markup {
    html! {
        @for (number, name) in names.iter().enumerate() { @if number > 0 { ", " } code { (text(name)) } }
    }
}

fn place(facts: &Facts) -> Markup {
    html! {
        @if facts.project.is_some() || facts.branch.is_some() {
            p.where {
                @if let Some(project) = &facts.project { code.project { (text(project)) } " " }
                @if let Some(branch) = &facts.branch { code.branch { (text(branch)) } }
            }
        }
    }
}

fn when(facts: &Facts, locale: &Locale) -> Markup {
    let [first, last] = [facts.first, facts.last].map(|at| locale.date_and_time(at));
    html! {
        (moment(facts.first, locale))
        @if first != last { @if !first.is_empty() { " to " } (moment(facts.last, locale)) }
    }
}

fn took(facts: &Facts) -> String {
    let worked = (facts.active_ms > 0).then(|| format!("{} at work", duration(facts.active_ms)));
    let waited = (facts.waiting_ms > 0).then(|| format!("{} waiting for the user", duration(facts.waiting_ms)));
    [worked, waited].into_iter().flatten().collect::<Vec<_>>().join(" · ")
}

fn amounts(facts: &Facts) -> Markup {
    let counts = &facts.counts;
    let number = |number: u32| plain(&if number > 0 { thousands(u64::from(number)) } else { String::new() });
    let calls = html! {
        @if counts.calls > 0 {
            (thousands(u64::from(counts.calls)))
            @if counts.failed > 0 { " · " b.failed { (thousands(u64::from(counts.failed))) " failed" } }
        }
    };
    html! {
        (fact("turns", "Turns", &number(counts.turns)))
        (fact("calls", "Calls", &calls))
        (fact("agents", "Agents", &number(counts.agents)))
        (fact("branches", "Branches left", &number(counts.branches)))
        (fact("compactions", "Compactions", &number(counts.compactions)))
    }
}

fn costs(ledger: &LedgerView) -> Markup {
    html! {
        (fact("tokens", "Tokens", &html! { span title=(text(&ledger.kinds)) { (text(&ledger.tokens)) } }))
        (fact("cost", "Cost", &plain(&ledger.cost)))
    }
}

fn session(story: &Story) -> Markup {
    let facts = &story.facts;
    html! {
        @if !facts.id.is_empty() { code { (text(&facts.id)) } }
        @for (number, version) in facts.versions.iter().enumerate() {
            @if number > 0 { ", " } @else if facts.id.is_empty() { "Claude Code " } @else { " · Claude Code " }
            (text(version))
        }
        @if let Some(next) = &facts.continued_in { " · goes on in " code { (text(next)) } }
        @if let Some(remnant) = story.remnant() { " · " (only_left(remnant)) }
    }
}

fn links(facts: &Facts) -> Markup {
    html! {
        @if !facts.links.is_empty() {
            ul.links { @for link in &facts.links { (self::link(link)) } }
        }
    }
}

fn commit_list(facts: &Facts) -> Markup {
    let (earlier, named) = commits(facts);
    html! {
        @if !facts.commits.is_empty() {
            ul.links {
                @if earlier > 0 { li { (human::thousands(earlier as u64)) " earlier" } }
                @for commit in named {
                    @let (sha, subject) = commit.split_once(' ').unwrap_or((&commit, ""));
                    li data-kind="commit" { code { (text(sha)) } " " (text(subject)) }
                }
            }
        }
    }
}

fn link(link: &Link) -> Markup {
    let (kind, name) = match link.kind {
        LinkKind::PullRequest => ("pull-request", "pull request"),
        LinkKind::Artifact => ("artifact", "artifact"),
        LinkKind::Bridge => ("bridge", "remote control"),
        LinkKind::Worktree => ("worktree", "worktree"),
    };
    let words = format!("{name} {}", link.title);
    let is_web = link.url.starts_with("https://") || link.url.starts_with("http://");
    html! {
        li data-kind=(kind) {
            @if is_web { a href=(text(&link.url)) rel="noreferrer" { (text(words.trim_end())) } }
            @else { (text(words.trim_end())) }
        }
    }
}

fn files(sources: &[String]) -> Markup {
    html! {
        @if let Some(first) = sources.first() { code { (text(first)) } }
        @if let Some(more) = sources.len().checked_sub(1).filter(|more| *more > 0) {
            " and " (counted(more as u64, "other", "others"))
        }
    }
}

/// The command that resumes the session in a terminal.
fn resume(facts: &Facts) -> Option<String> {
    let is_id = |c: char| c.is_ascii_alphanumeric() || c == '-';
    let id = facts
        .session_id
        .as_deref()
        .filter(|id| id.starts_with(|c: char| c.is_ascii_alphanumeric()) && id.chars().all(is_id))?;
    // A path with characters that cannot be shown should not be pasted into a shell.
    let folder = facts.folder.as_deref().filter(|path| !path.is_empty() && clean_line(path) == *path);
    Some(match folder {
        Some(path) => format!("cd {} && claude --resume {id}", quoted(path)),
        None => format!("claude --resume {id}"),
    })
}

/// A path, quoted for a shell.
fn quoted(path: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '/' | '.' | '_' | '-' | '@' | '+' | ',');
    let path = if path.starts_with('-') { format!("./{path}") } else { path.to_owned() };
    if path.chars().all(is_plain) { path } else { format!("'{}'", path.replace('\'', r"'\''")) }
}

fn tasks(layout: &Layout<'_>) -> Markup {
    let done = layout.story.tasks.items().filter(|task| task.status == TaskStatus::Completed).count();
    let all = layout.story.tasks.items().count();
    html! {
        @if all > 0 {
            details.tasks {
                summary { "tasks · " (done) " of " (all) " done" }
                ul {
                    @for task in layout.story.tasks.items() {
                        @let (status, progress) = (task.status, left(task).progress());
                        li data-status=(status_name(status)) {
                            (text(&task.subject))
                            @if !progress.is_empty() { " " span.progress { (text(&progress)) } }
                            @if let Some(owner) = &task.owner { " " span.owner { (text(owner)) } }
                        }
                    }
                }
            }
        }
    }
}

const fn status_name(status: TaskStatus) -> &'static str {
    match status {
        TaskStatus::Pending => "pending",
        TaskStatus::InProgress => "in-progress",
        TaskStatus::Completed => "completed",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn facts(id: &str, project: &str) -> Facts {
        Facts { id: id.into(), session_id: Some(id.into()), folder: Some(project.into()), ..Facts::default() }
    }

    #[test]
    fn the_command_is_safe_to_paste() {
        let command = |id, project| resume(&facts(id, project)).unwrap_or_default();
        assert_eq!(command("5e55-1", "/home/ana/x"), "cd /home/ana/x && claude --resume 5e55-1");
        assert_eq!(command("5e55", "/tmp/it's $(rm) here"), r"cd '/tmp/it'\''s $(rm) here' && claude --resume 5e55");
        assert_eq!(command("5e55", "~"), "cd '~' && claude --resume 5e55");
        assert_eq!(command("5e55", "-x"), "cd ./-x && claude --resume 5e55");
        assert_eq!(command("5e55", r"D:\garden"), r"cd 'D:\garden' && claude --resume 5e55");
        assert_eq!(command("5e55", "/a\n/b"), "claude --resume 5e55");
        assert_eq!(command("", "/a"), "");
        assert_eq!(command("--help", "/a"), "");
        assert_eq!(command("a;b", "/a"), "");
    }

    #[test]
    fn only_the_web_is_linked_to() {
        let link = |url: &str| {
            let title = "<b>".into();
            super::link(&Link { kind: LinkKind::PullRequest, title, url: url.into(), tool_use_id: None }).into_string()
        };
        assert_eq!(
            link("https://a.b/\"c"),
            "<li data-kind=\"pull-request\"><a href=\"https://a.b/&quot;c\" rel=\"noreferrer\">pull request &lt;b&gt;</a></li>"
        );
        assert_eq!(link("javascript:x"), "<li data-kind=\"pull-request\">pull request &lt;b&gt;</li>");
    }

    #[test]
    fn there_is_always_a_title() {
        assert_eq!(title(&facts("\u{1b}[1m5e55", "")), "5e55");
        assert_eq!(title(&Facts::default()), "Session");
    }
}
