//! Whole pages of small sessions, and properties of every page.

use std::collections::HashSet;
use std::fmt::Write as _;
use std::io;

use story::{Role, SessionStatus, Source, Span, StateReason, StoryBuilder};

use super::*;
use content::{Bill, Threads};

/// Lines in memory, by source.
struct Kept(Vec<Vec<u8>>);

impl Texts for Kept {
    fn line(&mut self, span: Span) -> io::Result<&[u8]> {
        let start = usize::try_from(span.offset).unwrap();
        Ok(&self.0[span.source.index()][start..start + span.length as usize])
    }
}

const SESSION: &str = "5e55104e-0000-4000-8000-000000000001";

/// The page of a session: its own file, then those of agents.
fn page(files: &[(&str, &[u8])], options: &PageOptions<'_>) -> String {
    let mut builder = StoryBuilder::default();
    for (agent, file) in files {
        let role = if agent.is_empty() { Role::Main } else { Role::Agent { id: (*agent).into(), workflow: None } };
        let source = builder.add_source(Source { role, session: SESSION.into() });
        format::lines(file).for_each(|line| builder.push(source, line));
    }
    let mut out = Vec::new();
    let mut texts = Kept(files.iter().map(|(_, file)| file.to_vec()).collect());
    write_page(&mut out, builder.story(), &mut texts, options).unwrap();
    String::from_utf8(out).unwrap()
}

const SMALL: &[(&str, &[u8])] = &[
    ("", include_bytes!("../../../render/src/github/tests/session.jsonl")),
    ("a1b2c3", include_bytes!("../../../render/src/github/tests/agent.jsonl")),
];

fn at(detail: Detail) -> String {
    page(SMALL, &PageOptions { detail, ..PageOptions::default() })
}

/// A session of some turns, each with a prompt, a reply, and some calls.
fn long(turns: usize, calls: usize, words: &str) -> Vec<u8> {
    let mut lines = String::new();
    let words = serde_json::to_string(words).unwrap();
    let mut parent = "null".to_owned();
    for turn in 0..turns {
        let minute = format!("2026-08-08T{:02}:{:02}", 9 + turn / 60, turn % 60);
        let mut line = |id: String, kind: &str, second: usize, content: String| {
            writeln!(
                lines,
                r#"{{"type":"{kind}","uuid":"{id}","parentUuid":{parent},"sessionId":"{SESSION}","timestamp":"{minute}:{second:02}.000Z","cwd":"/home/ana/x","message":{{"id":"m{id}","role":"{kind}","content":{content}}}}}"#
            )
            .unwrap();
            parent = format!("\"{id}\"");
        };
        line(format!("u{turn}"), "user", 0, words.clone());
        line(format!("a{turn}"), "assistant", 1, format!(r#"[{{"type":"text","text":{words}}}]"#));
        for call in 0..calls {
            let id = format!("t{turn}-{call}");
            let input = format!(r#"[{{"type":"tool_use","id":"{id}","name":"Bash","input":{{"command":{words}}}}}]"#);
            line(format!("c{id}"), "assistant", 2, input);
            line(
                format!("r{id}"),
                "user",
                4,
                format!(r#"[{{"type":"tool_result","tool_use_id":"{id}","content":{words}}}]"#),
            );
        }
    }
    lines.into_bytes()
}

/// All texts between two markers.
fn between<'t>(text: &'t str, before: &'t str, after: &'t str) -> Vec<&'t str> {
    text.split(before).skip(1).map(|rest| rest.split_once(after).map_or(rest, |(inside, _)| inside)).collect()
}

fn facts(page: &str) -> serde_json::Value {
    serde_json::from_str(between(page, r#"<script id="facts" type="application/json">"#, "</script>")[0]).unwrap()
}

/// The document between its head and its scripts.
fn body(page: &str) -> &str {
    let (_, body) = page.split_once("<body>").unwrap();
    body.split_once("<script").unwrap().0
}

/// The elements of a page, one per line, without their contents.
fn outline(body: &str) -> String {
    let mut outline = String::new();
    for tag in body.split('<').skip(1) {
        let tag = tag.split('>').next().unwrap();
        let is_part = ["div class=\"chunk", "time class=\"at", "noscript", "main", "section", "/section", "/main"]
            .iter()
            .any(|part| tag.starts_with(part));
        if is_part || tag.contains("class=\"step") || tag.contains("class=\"thread-") || tag.contains("class=\"raw") {
            writeln!(outline, "<{tag}>").unwrap();
        }
    }
    outline
}

#[test]
fn what_is_known_of_a_session() {
    let context = vec![(1_786_179_600_000, 20_000), (1_786_179_640_000, 167_000), (1_786_179_660_000, 30_000)];
    let ledger = LedgerView {
        tokens: "12.9k".to_owned(),
        kinds: "12,000 in, 900 out".to_owned(),
        cost: "$0.42".to_owned(),
        context,
        bill: Bill::default(),
    };
    let sources = ["/a/b.jsonl".to_owned(), "/a/c.jsonl".to_owned()];
    let since = Some(1_786_179_600_000);
    let status = Some(SessionStatus { reason: StateReason::Question, since, is_certain: false });
    let options = PageOptions {
        detail: Detail::Steps,
        sources: &sources,
        ledger: Some(ledger),
        status,
        ..PageOptions::default()
    };
    let page = page(SMALL, &options);
    let body = body(&page);
    // One element per line.
    let parts = [("<header", "</header>"), ("<figure class=\"timeline", "</figure>"), ("<nav", "</nav>")];
    let parts = parts.map(|(start, end)| between(body, start, end)[0].replace("><", ">\n<"));
    insta::assert_snapshot!(parts.join("\n\n"));
}

#[test]
fn a_small_session() {
    insta::assert_snapshot!(outline(body(&at(Detail::Steps))));
}

#[test]
fn branches_are_kept_where_they_left() {
    let lines = [
        ("user", "u1", "null", r#""one""#),
        ("assistant", "a1", "\"u1\"", r#"[{"type":"text","text":"first"}]"#),
        ("user", "u2", "\"a1\"", r#""left""#),
        ("assistant", "a2", "\"u2\"", r#"[{"type":"text","text":"lost"}]"#),
        ("user", "u3", "\"a1\"", r#""instead""#),
        ("assistant", "a3", "\"u3\"", r#"[{"type":"text","text":"kept"}]"#),
    ];
    let lines = (0..).zip(lines).map(|(second, (kind, id, parent, content))| {
        format!(
            r#"{{"type":"{kind}","uuid":"{id}","parentUuid":{parent},"sessionId":"{SESSION}","timestamp":"2026-08-08T09:{second:02}:00.000Z","message":{{"id":"m{id}","role":"{kind}","content":{content}}}}}"#
        ) + "\n"
    });
    let page = page(&[("", lines.collect::<String>().as_bytes())], &PageOptions::default());
    assert!(
        page.contains(r##"<li class="landmark" data-kind="branch"><a href="#branch-1">abandoned branch</a></li>"##)
    );
    assert!(page.contains("<summary>abandoned branch · 2 steps</summary>"));
    assert!(page.contains(r##"2 steps · <a href="#branch-1">left here</a>"##));
    insta::assert_snapshot!(outline(body(&page)));
}

#[test]
fn times_stand_where_the_minute_is_another() {
    let lines = [
        ("user", "0:05", r#""go""#),
        ("assistant", "0:30", r#"[{"type":"text","text":"same minute as the turn"}]"#),
        ("assistant", "1:00", r#"[{"type":"thinking","thinking":"at full"}]"#),
        ("assistant", "1:10", r#"[{"type":"text","text":"at talk, and told at full"}]"#),
        ("assistant", "1:20", r#"[{"type":"text","text":"told"}]"#),
    ];
    let lines = (0..).zip(lines).map(|(id, (kind, time, content))| {
        format!(
            r#"{{"type":"{kind}","uuid":"{id}","sessionId":"{SESSION}","timestamp":"2026-08-08T09:0{time}.000Z","message":{{"id":"m{id}","role":"{kind}","content":{content}}}}}"#
        ) + "\n"
    });
    let page = page(&[("", lines.collect::<String>().as_bytes())], &PageOptions::default());
    let times = between(body(&page), "<time class=\"at\" ", ">");
    assert_eq!(
        times,
        [
            r#"data-level="3" datetime="2026-08-08T09:01:00Z""#,
            r#"data-level="1" data-below="3" datetime="2026-08-08T09:01:10Z""#,
        ]
    );
}

#[test]
fn the_head_of_the_document() {
    let page = at(Detail::Talk);
    assert!(page.starts_with("<!DOCTYPE html><html lang=\"en\" data-detail=\"talk\"><head><meta charset=\"utf-8\">"));
    let policy = between(&page, "http-equiv=\"Content-Security-Policy\" content=\"", "\"")[0];
    let style = between(&page, "<style>", "</style>")[0];
    let script = between(&page, "<script type=\"module\">", "</script>")[0];
    let expected = format!(
        "default-src 'none'; img-src data:; style-src '{}'; script-src '{}'; base-uri 'none'; form-action 'none'",
        assets::fingerprint(style),
        assets::fingerprint(script)
    );
    assert_eq!(policy, expected);
    assert!(!page.contains(" style=") && !page.contains(" onclick="));
}

#[test]
fn names_are_given_once() {
    for page in [at(Detail::Raw), page(&[("", &long(30, 5, "hi"))], &PageOptions::default())] {
        let ids = between(body(&page), " id=\"", "\"");
        let different: HashSet<&str> = ids.iter().copied().collect();
        assert_eq!(ids.len(), different.len());
        // Every link on the page has its target.
        for target in between(body(&page), "href=\"#", "\"") {
            assert!(different.contains(target), "{target}");
        }
    }
}

#[test]
fn only_the_first_chunk_stands_open() {
    let page = page(&[("", &long(40, 10, "hi"))], &PageOptions::default());
    let (_, main) = page.split_once("<main").unwrap();
    let chunks: Vec<&str> = main.split("<div class=\"chunk\"").skip(1).collect();
    assert_eq!(chunks.len(), 8);
    let is_closed: Vec<bool> = chunks.iter().map(|chunk| chunk.contains("<noscript>")).collect();
    assert!(!is_closed[0] && is_closed[1..].iter().all(|closed| *closed));
    assert!(chunks[0].starts_with(" data-rows=\"") && chunks[0].contains(" data-turns=\"1-5\">"));
    let facts = facts(&page);
    assert_eq!(facts["turns"][0], serde_json::json!([1, 1_786_179_600_000_u64, 0]));
    for turn in facts["turns"].as_array().unwrap() {
        let chunk = chunks[usize::try_from(turn[2].as_u64().unwrap()).unwrap()];
        assert!(chunk.contains(&format!("<section class=\"turn\" id=\"turn-{}\"", turn[0])), "{turn}");
    }
}

#[test]
fn a_long_turn_goes_on_in_the_next_chunk() {
    let page = page(&[("", &long(1, 150, "hi"))], &PageOptions::default());
    assert_eq!(page.matches("data-turns=\"1-1\"").count(), 3);
    assert_eq!(page.matches("<section class=\"turn\" data-turn=\"1\" data-level=\"0\" data-continues>").count(), 2);
    assert_eq!(body(&page).matches("<section").count(), body(&page).matches("</section>").count());
}

#[test]
fn nothing_that_is_said_ends_an_element() {
    let words =
        "</noscript></script></style><script>alert(1)</script><img src=x onerror=alert(1)>\u{202e}\u{1b}]0;x\u{7}";
    let hostile = page(&[("", &long(40, 2, words))], &PageOptions { detail: Detail::Raw, ..PageOptions::default() });
    let harmless = page(&[("", &long(40, 2, "hi"))], &PageOptions { detail: Detail::Raw, ..PageOptions::default() });
    for tag in ["<script", "</script", "<img", "</style", "onerror=alert(1)>"] {
        assert_eq!(hostile.matches(tag).count(), harmless.matches(tag).count(), "{tag}");
    }
    assert_eq!(body(&hostile).matches("<noscript>").count(), body(&hostile).matches("</noscript").count());
    assert!(!hostile.contains(['\u{202e}', '\u{1b}', '\u{7}']));
}

#[test]
fn facts_are_what_the_page_has() {
    let facts = facts(&at(Detail::Steps));
    assert_eq!(facts["session"], SESSION);
    assert_eq!(facts["levels"], serde_json::json!(["prompts", "talk", "steps", "full"]));
    insta::assert_snapshot!(facts["totals"], @r#"{"agents":1,"errors":1,"prompts":3,"replies":3,"system":4,"thinking":1,"tools":{"Bash":2,"Edit":1,"Grep":1,"Read":1,"Task":1,"TodoWrite":1}}"#);
    insta::assert_snapshot!(facts["timeline"], @"[[0,1786179600000],[1000,1786179670000]]");
}

#[test]
fn raw_has_every_line_once() {
    let page = at(Detail::Raw);
    let lines: usize = SMALL.iter().map(|(_, file)| format::lines(file).count()).sum();
    assert_eq!(page.matches("<details class=\"raw\"").count(), lines);
    assert!(page.contains("<input type=\"radio\" name=\"detail\" value=\"raw\" checked>"));
    assert!(!at(Detail::Full).contains("class=\"raw\""));
}

#[test]
fn a_session_without_anything_is_a_page_too() {
    let page = page(&[("", b"")], &PageOptions::default());
    assert!(page.contains("<h1>") && page.contains("<main id=\"conversation\""));
    assert_eq!(facts(&page)["turns"], serde_json::json!([]));
}

/// The page of a part of a session.
fn part(files: &[(&str, &[u8])], detail: Detail, selection: &Selection) -> String {
    page(files, &PageOptions { detail, selection: Some(selection), ..PageOptions::default() })
}

/// The description of the part on a page.
fn part_words(page: &str) -> Vec<&str> {
    between(page, "<p class=\"part\">", "</p>")
}

#[test]
fn a_page_of_all_is_the_page() {
    for threads in [Threads::Main, Threads::All] {
        let selection = Selection { detail: Detail::Prompts, threads, ..Selection::default() };
        assert_eq!(part(SMALL, Detail::Steps, &selection), at(Detail::Steps));
    }
}

#[test]
fn only_some_turns() {
    let session = long(6, 2, "hi");
    let selection = Selection { turns: Some(3..=5), ..Selection::default() };
    let page = part(&[("", &session)], Detail::Raw, &selection);
    assert_eq!(part_words(&page), ["A part of the session: only turns 3–5."]);
    assert_eq!(between(&page, "<section class=\"turn\" id=\"", "\""), ["turn-3", "turn-4", "turn-5"]);
    assert_eq!(between(&page, "<li data-turn=\"", "\""), ["3", "4", "5"]);
    assert_eq!(facts(&page)["totals"]["prompts"], 3);
    assert_eq!(facts(&page)["totals"]["tools"]["Bash"], 6);
    assert!(!page.contains("<section class=\"lines\""));
}

#[test]
fn agents_are_there_if_what_started_them_is() {
    let turns = |turns| part(SMALL, Detail::Steps, &Selection { turns: Some(turns), ..Selection::default() });
    let whole = at(Detail::Steps);
    let agents = |page: &str| between(page, "<section class=\"thread\" id=\"", "\"").len();
    assert_eq!(agents(&whole), 1);
    assert_eq!(agents(&turns(1..=u64::MAX)), 1);
    assert_eq!(agents(&turns(900..=900)), 0);
    assert!(!body(&turns(900..=900)).contains("class=\"turn\""));
}

#[test]
fn one_thread_is_the_conversation() {
    let page = part(SMALL, Detail::Steps, &Selection { threads: Threads::One(agent()), ..Selection::default() });
    assert!(part_words(&page)[0].starts_with("A part of the session: only the agent "), "{:?}", part_words(&page));
    assert!(!page.contains("class=\"thread\""));
    assert!(page.contains("id=\"turn-1\""));
    assert!(!page.contains("href=\"#thread-"));
}

/// The agent of the small session.
fn agent() -> story::ThreadId {
    let mut builder = StoryBuilder::default();
    for (agent, file) in SMALL {
        let role = if agent.is_empty() { Role::Main } else { Role::Agent { id: (*agent).into(), workflow: None } };
        let source = builder.add_source(Source { role, session: SESSION.into() });
        format::lines(file).for_each(|line| builder.push(source, line));
    }
    let agents = builder.story().threads().filter(|(_, thread)| matches!(thread.kind, story::ThreadKind::Agent(_)));
    agents.map(|(id, _)| id).next().unwrap()
}

#[test]
fn only_some_calls_times_and_no_thoughts() {
    let tools = Some(vec!["Read".to_owned(), "Edit".to_owned()]);
    let page = part(SMALL, Detail::Steps, &Selection { tools, thinking: false, ..Selection::default() });
    assert_eq!(part_words(&page), ["A part of the session: only calls of Read, Edit · without thoughts."]);
    let mut tools = between(&page, "data-tool=\"", "\"");
    tools.sort_unstable();
    tools.dedup();
    assert!(tools.iter().all(|tool| ["Read", "Edit"].contains(tool)), "{tools:?}");
    assert!(!page.contains("data-kind=\"thinking\""));
    let nine = 1_786_179_600_000;
    let session = long(6, 0, "hi");
    let selection = Selection { since: Some(nine + 60_000), until: Some(nine + 179_999), ..Selection::default() };
    let page = part(&[("", &session)], Detail::Steps, &selection);
    assert_eq!(between(&page, "<section class=\"turn\" id=\"", "\""), ["turn-2", "turn-3"]);
    assert!(part_words(&page)[0].contains("only from <time"));
}

/// A call that started in the background says how it ended, and links there.
#[test]
fn a_background_task_shows_its_outcome() {
    let session = concat!(
        r#"{"type":"user","uuid":"u1","message":{"content":"soak it"}}"#,
        "\n",
        r#"{"type":"assistant","uuid":"a1","parentUuid":"u1","message":{"content":[{"type":"tool_use","id":"t1","name":"Bash","input":{"command":"make soak","run_in_background":true}}]}}"#,
        "\n",
        r#"{"type":"user","uuid":"u2","parentUuid":"a1","message":{"content":[{"type":"tool_result","tool_use_id":"t1","content":"Command running in background with ID: b7"}]},"toolUseResult":{"stdout":"","stderr":"","interrupted":false,"backgroundTaskId":"b7"}}"#,
        "\n",
        r#"{"type":"user","uuid":"u3","parentUuid":"u2","message":{"content":"<task-notification>\n<task-id>b7</task-id>\n<status>completed</status>\n<summary>Soak test went well</summary>\n</task-notification>"}}"#,
        "\n",
    );
    let page = page(&[("", session.as_bytes())], &PageOptions::default());
    assert!(page.contains(r##"<p class="became"><a href="#l4">completed</a> · Soak test went well</p>"##), "{page}");
}

/// A page is valid HTML, with scripts and without.
#[test]
fn pages_are_valid() {
    use html5ever::tendril::TendrilSink as _;
    let pages = [
        at(Detail::Steps),
        at(Detail::Raw),
        page(&[("", &long(40, 6, "<b>look</b> & \"see\""))], &PageOptions::default()),
    ];
    for (page, scripting_enabled) in pages.iter().flat_map(|page| [(page, true), (page, false)]) {
        let tree_builder = html5ever::tree_builder::TreeBuilderOpts { scripting_enabled, ..Default::default() };
        let options = html5ever::ParseOpts { tree_builder, ..Default::default() };
        let read = html5ever::parse_document(markup5ever_rcdom::RcDom::default(), options).one(page.as_str());
        assert!(read.errors.borrow().is_empty(), "{:?}", read.errors.borrow());
    }
}
