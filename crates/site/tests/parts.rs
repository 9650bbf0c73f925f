//! Large sessions are exported in several linked files.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "these are tests")]

use std::collections::HashMap;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use app::{App, Environment, Flags, SessionFilter};
use site::{Form, Wish, export};
use sources::find_at;
use story::Detail;
use tempfile::TempDir;

const SESSION: &str = "11111111-1111-4111-8111-111111111111";

/// An app without settings.
fn app() -> App {
    App::new(Environment::default(), Flags::default())
}

/// A root with one session, and a folder beside it.
struct Bench {
    home: TempDir,
}

impl Bench {
    fn new(turns: usize) -> Self {
        let bench = Self { home: tempfile::tempdir().unwrap() };
        bench.write(turns);
        bench
    }

    /// Writes a session with this many turns, the first of which starts an agent with as many.
    fn write(&self, turns: usize) {
        let folder = self.home.path().join("projects/-home-ana");
        fs::create_dir_all(folder.join(SESSION).join("subagents")).unwrap();
        let start = |parent: &str| {
            line("assistant", "c0", parent, r#"[{"type":"tool_use","id":"t0","name":"Task","input":{"prompt":"dig"}}]"#)
                + &line("user", "r0", "\"c0\"", r#"[{"type":"tool_result","tool_use_id":"t0","content":"dug"}]"#)
                    .replace(
                        "\"message\"",
                        "\"toolUseResult\":{\"agentId\":\"a1\",\"status\":\"completed\"},\"message\"",
                    )
        };
        let main = line("user", "u", "null", "\"begin\"") + &start("\"u\"") + &said("m", turns, "\"r0\"");
        fs::write(folder.join(SESSION).with_extension("jsonl"), main).unwrap();
        let agent = said("s", turns, "null").replace("{\"type\"", "{\"isSidechain\":true,\"agentId\":\"a1\",\"type\"");
        fs::write(folder.join(SESSION).join("subagents/agent-a1.jsonl"), agent).unwrap();
    }

    fn export(&self, inline: bool) -> Vec<(String, String)> {
        let found = find_at(&[self.home.path().join("projects")]);
        let (form, detail) = (Form::Html, Detail::Steps);
        let wish = Wish { form, detail, filter: SessionFilter::default(), inline, part_bytes: 60_000, threads: 1 };
        let exported = export(&app(), &found, &self.site(), &wish, &|_| {}, &|_| {}).unwrap();
        assert!(exported.problems.is_empty(), "{:?}", exported.problems);
        pages(&self.site())
    }

    fn site(&self) -> PathBuf {
        self.home.path().join("site")
    }
}

fn line(kind: &str, id: &str, parent: &str, content: &str) -> String {
    format!(
        r#"{{"type":"{kind}","uuid":"{id}","parentUuid":{parent},"sessionId":"{SESSION}","cwd":"/home/ana/garden","timestamp":"2026-08-08T09:00:00.000Z","message":{{"id":"m{id}","role":"{kind}","content":{content}}}}}"#
    ) + "\n"
}

/// Prompts and replies of some length.
fn said(name: &str, turns: usize, first_parent: &str) -> String {
    let mut lines = String::new();
    let mut parent = first_parent.to_owned();
    for turn in 0..turns {
        let (asked, replied) = (format!("{name}u{turn}"), format!("{name}a{turn}"));
        lines += &line("user", &asked, &parent, &format!("\"{name} asks {turn}\""));
        let words = "peas and beans ".repeat(200);
        let reply = format!(r#"[{{"type":"text","text":"{name} replies {turn} {words}"}}]"#);
        write!(lines, "{}", line("assistant", &replied, &format!("\"{asked}\""), &reply)).unwrap();
        parent = format!("\"{replied}\"");
    }
    lines
}

/// The pages of the session with their names; the main page first.
fn pages(site: &Path) -> Vec<(String, String)> {
    let folders = fs::read_dir(site).unwrap().map(|entry| entry.unwrap().path());
    let folder = folders.filter(|path| path.is_dir()).find(|path| !path.ends_with("assets")).unwrap();
    let mut pages: Vec<(String, String)> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .map(|path| (path.file_name().unwrap().to_str().unwrap().to_owned(), fs::read_to_string(&path).unwrap()))
        .collect();
    let number = |name: &str| name.split('.').nth(1).and_then(|part| part.parse().ok()).unwrap_or(1);
    pages.sort_by_key(|(name, _)| number(name));
    pages
}

fn between<'t>(text: &'t str, before: &str, after: &str) -> Vec<&'t str> {
    text.split(before).skip(1).filter_map(|rest| rest.split_once(after)).map(|(inside, _)| inside).collect()
}

/// The conversation in a page, without placeholders for parts.
fn conversation(page: &str) -> String {
    let body = page.split_once("<body>").unwrap().1.split_once("<script").unwrap().0;
    let mut pieces = body.split("<div class=\"part\"");
    let mut conversation = pieces.next().unwrap().to_owned();
    for piece in pieces {
        conversation += piece.split_once("</div>").unwrap().1;
    }
    conversation
}

#[test]
fn a_large_session_is_split_and_everything_occurs_once() {
    for inline in [false, true] {
        let bench = Bench::new(60);
        let pages = bench.export(inline);
        assert!(pages.len() > 4, "{}", pages.len());
        let names: Vec<&str> = pages.iter().map(|(name, _)| name.as_str()).collect();
        let mut seen: HashMap<&str, usize> = HashMap::new();
        let all: Vec<String> = pages.iter().map(|(_, page)| conversation(page)).collect();
        for id in all.iter().flat_map(|page| between(page, " id=\"", "\"")) {
            *seen.entry(id).or_default() += 1;
        }
        // Every file has its own.
        seen.remove("conversation");
        assert!(seen.values().all(|times| *times == 1), "{seen:?}");
        for turn in 1..=60 {
            assert!(
                seen.contains_key(&*format!("turn-{turn}")) && seen.contains_key(&*format!("thread-1-turn-{turn}"))
            );
        }
        for reply in (0..60).flat_map(|turn| [format!("m replies {turn} "), format!("s replies {turn} ")]) {
            assert_eq!(all.iter().map(|page| page.matches(&reply).count()).sum::<usize>(), 1, "{reply}");
        }
        let policy = "frame-src 'self';";
        assert!(pages[0].1.contains(policy) && pages[1..].iter().all(|(_, page)| !page.contains(policy)));
        // Links lead to existing targets, and parts are in the order of the session.
        for (_, page) in &pages {
            let body = page.split_once("<body>").unwrap().1;
            for link in between(body, "href=\"", "\"").into_iter().filter(|link| link.contains(".html")) {
                let file = link.split('#').next().unwrap();
                assert!(file == "../index.html" || names.contains(&file), "{link}");
                if let Some((_, name)) = link.split_once('#') {
                    let target = pages.iter().find(|(name, _)| name == file).unwrap();
                    assert!(conversation(&target.1).contains(&format!(" id=\"{name}\"")), "{link}");
                }
            }
        }
        let mut stand_ins = between(&pages[0].1, "data-part=\"", "\"");
        stand_ins.dedup();
        assert_eq!(stand_ins, names[1..]);
        for (number, pair) in (2..).zip(pages[1..].windows(2)) {
            assert!(pair[0].1.contains(&format!("<a rel=\"next\" href=\"{}\">part {}</a>", pair[1].0, number + 1)));
            assert!(pair[1].1.contains(&format!("<a rel=\"prev\" href=\"{}\">part {number}</a>", pair[0].0)));
            assert!(pair[0].1.len() < 4 * 60_000 || inline, "{}", pair[0].1.len());
        }
        // The first chunk of a file is visible without a script.
        for (_, page) in &pages {
            let chunk = page.split("<div class=\"chunk\"").nth(1).unwrap();
            assert!(!chunk.split_once('>').unwrap().1.starts_with("<noscript>"));
        }
    }
}

#[test]
fn unneeded_parts_are_removed() {
    let bench = Bench::new(60);
    let many = bench.export(false).len();
    bench.write(20);
    let some = bench.export(false);
    assert!(1 < some.len() && some.len() < many, "{} of {many}", some.len());
    bench.write(1);
    let [(name, page)] = &*bench.export(false) else { panic!("one file is enough") };
    assert_eq!(name, &format!("{SESSION}.html"));
    assert!(page.contains("m replies 0") && !page.contains("class=\"part\""));
}
