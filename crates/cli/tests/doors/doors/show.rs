//! `recount show` in its formats, and the head of a page.

use regex::Regex;
use serde_json::{Value, json};

use super::{Answers, each};
use crate::html as page;
use crate::said::{Facts, Said, facts};
use crate::sessions::Session;
use crate::stage::Stage;

/// The argument of `recount show`: the file, or the id if the file is gone.
fn shown(session: &Session) -> String {
    // If only subagents are left, the path is that of one of them.
    let is_whole = !session.traits.contains(&"lone agent");
    if is_whole && session.path.is_file() { session.path.to_string_lossy().into_owned() } else { session.id.clone() }
}

/// Pointers to the facts in the JSON of a story.
const STORY: [(&str, &str); 10] = [
    ("id", "/session/id"),
    ("title", "/session/title/text"),
    ("project", "/session/project"),
    ("state", "/session/state"),
    ("first", "/session/first"),
    ("last", "/session/last"),
    ("turns", "/session/counts/turns"),
    ("calls", "/session/counts/calls"),
    ("failed", "/session/counts/failed"),
    ("agents", "/session/counts/agents"),
];

/// The facts of a story. A story without usage has used nothing.
pub(super) fn story(document: &Value) -> Facts {
    let mut facts = facts(document, &STORY);
    let usage = &document["session"]["usage"];
    let figure = |key: &str| if usage.is_null() { json!(0) } else { usage[key].clone() };
    let is_doubtful = usage["cost_is_at_least"] == true || usage["cost_is_partial"] == true;
    facts.extend([
        ("tokens", Said::Value(figure("tokens"))),
        ("cost", Said::Value(figure("cost_usd"))),
        ("sure", Said::Value(json!(!is_doubtful))),
    ]);
    facts
}

pub(super) fn json(stage: &Stage, sessions: &[Session], numbers: &[usize]) -> Answers {
    each(sessions, numbers, |session| {
        let text = stage.text(&["show", &shown(session), "--format", "json", "--detail", "prompts"]);
        Some(story(&serde_json::from_str(&text).ok()?))
    })
}

pub(super) fn text(stage: &Stage, sessions: &[Session], numbers: &[usize]) -> Answers {
    each(sessions, numbers, |session| {
        let text = stage.text(&["show", &shown(session), "--detail", "prompts"]);
        let head = text.split("\n\n── ").next().filter(|head| !head.is_empty())?;
        Some(head_of_text(head, session))
    })
}

/// The head of `recount show`: title, project, times and counts, which may be wrapped.
fn head_of_text(head: &str, session: &Session) -> Facts {
    /// The links and commits, which are at the end, one line each.
    const LINKS: [&str; 5] = ["pull request ", "artifact ", "remote control ", "worktree ", "commit"];
    // The first line is the title, whatever its words are.
    let is_link = |line: &str| LINKS.iter().any(|kind| line.starts_with(kind));
    let lines = head.lines().enumerate().filter(|(at, line)| *at == 0 || !is_link(line));
    let lines: Vec<&str> = lines.map(|(_, line)| line).collect();
    let head = lines.iter().flat_map(|line| line.split_whitespace()).collect::<Vec<_>>().join(" ");
    let title = match &session.facts["title"] {
        Said::Value(Value::String(title)) => title.split_whitespace().collect::<Vec<_>>().join(" "),
        _ => String::new(),
    };
    // Nothing marks the end of the title: it is the known title, or the first words.
    let (title, rest) = match head.strip_prefix(&title).filter(|_| !title.is_empty()) {
        Some(rest) => (title, rest.trim().to_owned()),
        None => {
            head.split_once(' ').map_or((head.clone(), String::new()), |(one, rest)| (one.to_owned(), rest.to_owned()))
        }
    };
    let parts: Vec<&str> = rest.split(" · ").collect();
    let mut facts = Facts::from([("title", Said::words(title))]);
    let known = match &session.facts["project"] {
        Said::Value(Value::String(project)) => project.as_str(),
        _ => "/",
    };
    let path = parts.iter().find(|part| **part == known || part.starts_with('/'));
    facts.insert("project", Said::words(path.unwrap_or(&"")));
    let id = Regex::new(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}").unwrap();
    let id = rest.find(&session.id).map(|_| session.id.as_str()).or_else(|| id.find(&rest).map(|id| id.as_str()));
    facts.insert("id", Said::words(id.unwrap_or_default()));
    amounts(&mut facts, &rest);
    times(&mut facts, &rest);
    let form = Regex::new(r"(?<cost>[^·\n]*)\s·\s(?<tokens>[0-9.,]+[kMG]?)\stokens").unwrap();
    spent(&mut facts, &form, &lines.get(1..).unwrap_or_default().join("\n"));
    let states = ["blocked", "working", "paused", "done", "ended", "failed"];
    // A state is one word, so no line break is in it.
    let mut words = lines.iter().skip(1).flat_map(|line| line.split(" · "));
    let state = words.find(|part| states.contains(&part.trim().trim_end_matches('?')));
    facts.insert("state", Said::words(state.unwrap_or_default()));
    facts
}

/// `5 turns · 11 calls · 4 failed · 2 agents`, without those that are zero.
fn amounts(facts: &mut Facts, text: &str) {
    for (field, word) in [("turns", "turns?"), ("calls", "calls?"), ("failed", "failed"), ("agents", "agents?")] {
        let counted = Regex::new(&format!(r"(?:^|[ ·])([0-9,]+) {word}(?: ·|$|\b)")).unwrap();
        let number = counted.captures_iter(text).last().map_or("0".to_owned(), |found| found[1].to_owned());
        facts.insert(field, Said::words(number));
    }
}

/// Tokens and cost; missing for a session that used nothing.
fn spent(facts: &mut Facts, form: &Regex, text: &str) {
    let found = form.captures(text);
    let part = |name: &str| found.as_ref().map_or(String::new(), |found| found[name].to_owned());
    let cost = Said::words(part("cost"));
    facts.extend([("tokens", Said::words(part("tokens"))), ("cost", cost.clone()), ("sure", cost)]);
}

/// `2026-02-26 07:00 to 07:05`, `2026-02-26 07:00 to 2026-02-27 08:00`, or one moment.
fn times(facts: &mut Facts, text: &str) {
    let day = r"(?:\d{4}-\d\d-\d\d|\d{1,2} [A-Z][a-z]{2}(?: \d{4})?)";
    let moments =
        Regex::new(&format!(r"({day}) (\d\d:\d\d)(?: to (?:({day}) )?(\d\d:\d\d))?( [A-Z]{{2,5}})?")).unwrap();
    let Some(found) = moments.captures(text) else {
        facts.insert("first", Said::words(""));
        facts.insert("last", Said::words(""));
        return;
    };
    let part = |number: usize| found.get(number).map(|part| part.as_str());
    let (day, time, zone) = (&found[1], &found[2], part(5).unwrap_or_default());
    facts.insert("first", Said::words(format!("{day} {time}{zone}")));
    let last = format!("{} {}{zone}", part(3).unwrap_or(day), part(4).unwrap_or(time));
    facts.insert("last", Said::words(last));
}

pub(super) fn markdown(stage: &Stage, sessions: &[Session], numbers: &[usize]) -> Answers {
    each(sessions, numbers, |session| {
        let text = stage.text(&["show", &shown(session), "--format", "md", "--detail", "prompts"]);
        let head = text.split("\n## ").next().filter(|head| !head.is_empty())?;
        let row = |name: &str| {
            let mark = format!("- **{name}:** ");
            head.lines().find_map(|line| line.strip_prefix(&mark)).unwrap_or_default().to_owned()
        };
        let code = |name: &str| row(name).split('`').nth(1).unwrap_or_default().to_owned();
        let title = head.lines().find_map(|line| line.strip_prefix("# ")).unwrap_or_default();
        let mut facts = Facts::from([
            ("title", Said::words(unescaped(title))),
            ("project", Said::words(code("Project"))),
            ("state", Said::words(row("State"))),
            ("id", Said::words(code("Session"))),
        ]);
        let turns = row("Turns");
        amounts(&mut facts, &turns);
        facts.insert("turns", Said::words(turns.split(" · ").next().unwrap_or_default()));
        times(&mut facts, &row("When"));
        let form = Regex::new(r"(?<cost>.*) · (?<tokens>[0-9.,]+[kMG]?) tokens").unwrap();
        spent(&mut facts, &form, &unescaped(&row("Cost")));
        Some(facts)
    })
}

/// Markdown as plain text: without escaping backslashes and the marks of code and links.
pub(super) fn unescaped(text: &str) -> String {
    let mut plain = String::new();
    let (mut signs, mut is_link) = (text.chars().peekable(), false);
    while let Some(c) = signs.next() {
        match c {
            '\\' if signs.peek().is_some_and(char::is_ascii_punctuation) => plain.extend(signs.next()),
            '`' => {}
            '<' if signs.peek() == Some(&'h') => is_link = true,
            '>' if is_link => is_link = false,
            c => plain.push(c),
        }
    }
    plain
}

pub(super) fn html(stage: &Stage, sessions: &[Session], numbers: &[usize]) -> Answers {
    each(sessions, numbers, |session| {
        head_of_page(&stage.text(&["show", &shown(session), "--format", "html", "--detail", "prompts"]))
    })
}

/// The head of a session's page.
pub(super) fn head_of_page(page: &str) -> Option<Facts> {
    let head = page::between(page, "<header class=\"head\">", "</header>")?;
    let fact = |name: &str| page::between(head, &format!("data-fact=\"{name}\">"), "</dd>").unwrap_or_default();
    let words = |name: &str| {
        let fact = fact(name);
        Said::words(page::text(fact.split_once("<dd>").map_or("", |(_, value)| value)))
    };
    let number = |name: &str| match words(name) {
        Said::Words(text) if text.is_empty() => Said::words("0"),
        Said::Words(text) => Said::words(text.split(" · ").next().unwrap_or_default()),
        said => said,
    };
    let mut facts = Facts::from([
        ("title", Said::words(page::text(page::between(head, "<h1>", "</h1>")?))),
        (
            "project",
            Said::words(page::text(page::between(head, "<code class=\"project\">", "</code>").unwrap_or_default())),
        ),
        ("state", words("state")),
        ("id", Said::words(page::text(page::between(fact("session"), "<code>", "</code>").unwrap_or_default()))),
        ("turns", number("turns")),
        ("calls", number("calls")),
        (
            "failed",
            Said::words(page::text(
                page::between(fact("calls"), "class=\"failed\">", "</b>").unwrap_or("0").trim_end_matches(" failed"),
            )),
        ),
        ("agents", number("agents")),
        ("tokens", words("tokens")),
        ("cost", words("cost")),
        ("sure", words("cost")),
    ]);
    let moments: Vec<Said> = page::all_between(fact("when"), "<time", "</time>").into_iter().map(moment).collect();
    let (first, last) = match moments.as_slice() {
        [] => (Said::Value(Value::Null), Said::Value(Value::Null)),
        // Both times are in the same minute.
        [Said::Both(_, text)] => (Said::words(text), Said::words(text)),
        [first, .., last] => (first.clone(), last.clone()),
        [one] => (one.clone(), one.clone()),
    };
    facts.extend([("first", first), ("last", last)]);
    Some(facts)
}

/// A time on a page, for scripts and for people.
pub(super) fn moment(element: &str) -> Said {
    match page::attribute(element, "datetime") {
        Some(datetime) => Said::Both(json!(datetime), page::text(element.split_once('>').map_or("", |(_, text)| text))),
        None => Said::Value(Value::Null),
    }
}
