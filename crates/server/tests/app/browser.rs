//! The app in a real browser.

use std::fs::OpenOptions;
use std::io::Write as _;
use std::time::Duration;

use browser::{Browser, Page};
use serde_json::json;
use testkit::Session;

use crate::site::{Site, session};

pub(crate) const PATIENCE: Duration = Duration::from_secs(20);

pub(crate) fn open<'b>(browser: &'b Browser, site: &Site, path: &str) -> Page<'b> {
    let mark = if path.contains('?') { '&' } else { '?' };
    browser.open(&format!("http://{}{path}{mark}token={}", site.host(), site.token)).unwrap()
}

/// Appends the new lines of a session to its file.
pub(crate) fn append(site: &Site, name: &str, transcript: &Session) {
    let path = site.file(name);
    let before = usize::try_from(std::fs::metadata(&path).unwrap().len()).unwrap();
    let mut file = OpenOptions::new().append(true).open(path).unwrap();
    file.write_all(&transcript.jsonl().as_bytes()[before..]).unwrap();
}

pub(crate) fn check(page: &Page<'_>) {
    assert_eq!(page.console_errors(), Vec::<String>::new());
    assert_eq!(page.policy_reports(), Vec::<String>::new());
}

#[test]
fn the_board_fills_and_empties_in_place() {
    let browser = Browser::launch().unwrap();
    let site = Site::new();
    let page = open(&browser, &site, "/");
    page.wait_for("document.querySelector('#board')?.dataset.connected !== undefined", PATIENCE).unwrap();
    let mut transcript = session("aaaa");
    transcript.prompt("make the uploader retry");
    transcript.call(
        "AskUserQuestion",
        json!({"questions": [{"question": "How often?", "header": "Retries", "options": []}]}),
    );
    site.write("aaaa", &transcript);
    page.wait_for("document.querySelector('#needs .card')?.textContent.includes('How often?')", PATIENCE).unwrap();
    page.wait_for("document.title.startsWith('(1)')", PATIENCE).unwrap();
    // After the answer, the same card is working.
    transcript.prompt("three times");
    append(&site, "aaaa", &transcript);
    page.wait_for("!document.querySelector('#needs .card') && document.querySelector('#work #s-aaaa')", PATIENCE)
        .unwrap();
    page.wait_for("document.title.startsWith('Board')", PATIENCE).unwrap();
    page.wait_for("document.querySelector('#timeline rect.human')", PATIENCE).unwrap();
    check(&page);
}

#[test]
fn a_board_that_is_signed_out_says_so_and_continues_after_signing_in() {
    let browser = Browser::launch().unwrap();
    let site = Site::new();
    let page = open(&browser, &site, "/");
    page.wait_for("document.querySelector('#board[data-connected]')", PATIENCE).unwrap();
    let site = site.restarted();
    page.wait_for("document.getElementById('notes').textContent.includes('signed out')", PATIENCE).unwrap();
    // As another tab would.
    page.evaluate(&format!("fetch('/?token={}').then((answer) => answer.status)", site.token)).unwrap();
    page.wait_for("!document.getElementById('notes').textContent.includes('signed out')", PATIENCE).unwrap();
}

#[test]
fn the_board_continues_after_a_restart() {
    let browser = Browser::launch().unwrap();
    let site = Site::remembering();
    let mut transcript = session("aaaa");
    transcript.prompt("water the garden");
    site.write("aaaa", &transcript);
    let page = open(&browser, &site, "/");
    page.wait_for("document.getElementById('s-aaaa')", PATIENCE).unwrap();
    page.evaluate("globalThis.isSame = true").unwrap();
    let site = site.restarted();
    // The session continues while the page is disconnected.
    transcript.call("Bash", json!({"command": "make rain"}));
    append(&site, "aaaa", &transcript);
    page.wait_for("document.getElementById('s-aaaa').textContent.includes('make rain')", PATIENCE).unwrap();
    let mut other = session("bbbb");
    other.prompt("mow the lawn");
    site.write("bbbb", &other);
    page.wait_for("document.getElementById('s-bbbb')", PATIENCE).unwrap();
    assert_eq!(page.evaluate("globalThis.isSame").unwrap(), json!(true), "the page was not reloaded");
}

#[test]
fn a_session_grows_while_it_is_read_and_nothing_jumps() {
    let browser = Browser::launch().unwrap();
    let site = Site::new();
    let mut transcript = session("aaaa");
    for number in 0..200 {
        transcript.prompt(&format!("question number {number}"));
        transcript.reply(&format!("answer number {number}"));
    }
    site.write("aaaa", &transcript);
    site.get_until("/session/aaaa", |answer| answer.status == 200);
    let page = open(&browser, &site, "/session/aaaa");
    page.wait_for("document.documentElement.dataset.live !== undefined", PATIENCE).unwrap();
    // The reader is in the middle of the session.
    page.evaluate("location.hash = '#turn-60'").unwrap();
    page.wait_for("document.getElementById('turn-60')", PATIENCE).unwrap();
    page.evaluate("new Promise(done => setTimeout(done, 600))").unwrap();
    let place = "Math.round(document.getElementById('turn-60').getBoundingClientRect().top)";
    let before = page.evaluate(place).unwrap();
    transcript.prompt("one more question");
    transcript.reply("one more answer");
    append(&site, "aaaa", &transcript);
    page.wait_for("!document.querySelector('.growth').hidden", PATIENCE).unwrap();
    assert_eq!(page.evaluate(place).unwrap(), before, "what is read stays where it is");
    // The button goes to the new steps, and the page stays at its end.
    page.click(".growth").unwrap();
    page.wait_for("document.body.innerText.includes('one more answer')", PATIENCE).unwrap();
    transcript.prompt("and another one");
    append(&site, "aaaa", &transcript);
    let is_seen = "[...document.querySelectorAll('#conversation .step')].at(-1).textContent.includes('and another one') \
        && [...document.querySelectorAll('#conversation .step')].at(-1).getBoundingClientRect().top < innerHeight";
    page.wait_for(is_seen, PATIENCE).unwrap();
    // Every step is there once.
    let ids = "(() => { const ids = [...document.querySelectorAll('#conversation [id]')].map(e => e.id); \
        return ids.length - new Set(ids).size })()";
    assert_eq!(page.evaluate(ids).unwrap(), json!(0));
    check(&page);
}

#[test]
fn a_call_changes_in_place_when_its_result_comes() {
    let browser = Browser::launch().unwrap();
    let site = Site::new();
    let mut transcript = session("aaaa");
    transcript.prompt("run the tests");
    let call = transcript.call("Bash", json!({"command": "make test"}));
    site.write("aaaa", &transcript);
    site.get_until("/session/aaaa", |answer| answer.status == 200);
    let page = open(&browser, &site, "/session/aaaa");
    page.wait_for("document.documentElement.dataset.live !== undefined", PATIENCE).unwrap();
    page.evaluate("globalThis.prompted = document.querySelector('.step.prompt, [data-kind=prompt]')").unwrap();
    transcript.result(&call, "12 passed", json!({"stdout": "12 passed", "stderr": "", "interrupted": false}));
    append(&site, "aaaa", &transcript);
    page.wait_for("document.querySelector('[data-kind=call], .call')?.textContent.includes('12 passed')", PATIENCE)
        .unwrap();
    assert_eq!(page.evaluate("globalThis.prompted.isConnected").unwrap(), json!(true), "others are left alone");
    check(&page);
}

#[test]
fn the_pages_are_accessible() {
    let browser = Browser::launch().unwrap();
    let site = Site::new();
    let mut transcript = session("aaaa");
    transcript.prompt("make the uploader retry");
    let call = transcript.call("Bash", json!({"command": "make test"}));
    transcript.wait(2_000);
    transcript.failure(&call, "Exit code 2\nmake: *** No rule to make target 'test'");
    transcript.call(
        "AskUserQuestion",
        json!({"questions": [{"question": "How often?", "header": "Retries", "options": [
        {"label": "Three times", "description": "as the others do"}]}]}),
    );
    site.write("aaaa", &transcript);
    let mut working = session("bbbb").in_directory("/w/mail/.claude/worktrees/typo").on_branch("typo");
    working.prompt("fix the typo");
    working.reply("I look for it.");
    working.call("Bash", json!({"command": "grep -rn 'teh' ."}));
    site.write("bbbb", &working);
    let two_hours_ago = jiff::Timestamp::now().as_millisecond() - 2 * 60 * 60 * 1000;
    let mut ended = session("cccc").starting_at(two_hours_ago);
    ended.prompt("water the garden");
    ended.reply("It is watered.");
    site.write("cccc", &ended);
    let site = site.with_archive();
    site.get_until("/session/aaaa", |answer| answer.status == 200);
    site.get_until("/", |answer| ["s-aaaa", "s-bbbb", "s-cccc"].iter().all(|id| answer.text().contains(id)));
    for path in ["/", "/sessions", "/search?q=uploader", "/usage", "/projects", "/tools", "/archive", "/session/aaaa"] {
        for (width, is_dark) in [(1300, false), (1300, true), (390, false), (390, true)] {
            let page = open(&browser, &site, path);
            page.set_viewport(width, 900).unwrap();
            page.emulate_dark(is_dark).unwrap();
            page.wait_for("document.readyState === 'complete'", PATIENCE).unwrap();
            let is_narrow = "document.documentElement.scrollWidth <= innerWidth";
            page.wait_for(is_narrow, PATIENCE).unwrap_or_else(|_| panic!("{path} is wider than {width}"));
            page.wait_for("document.fonts.status === 'loaded'", PATIENCE).unwrap();
            assert_eq!(page.hurdles().unwrap(), Vec::<String>::new(), "{path} {width} {is_dark}");
            check(&page);
            // Browsers limit connections per host, and every listening page has one.
            page.go("about:blank").unwrap();
        }
    }
}

#[test]
fn a_link_leads_to_its_step_however_far_away_that_is() {
    let browser = Browser::launch().unwrap();
    let site = Site::new();
    let mut transcript = session("aaaa");
    for number in 0..600 {
        transcript.prompt(&format!("question number {number}"));
        transcript.reply(&format!("answer number {number}"));
    }
    let call = transcript.call("Bash", json!({"command": "make test"}));
    let line = transcript.lines().len();
    transcript.result(&call, "12 passed", json!({"stdout": "12 passed", "stderr": "", "interrupted": false}));
    site.write("aaaa", &transcript);
    site.get_until("/session/aaaa", |answer| answer.status == 200);
    // A result has no step of its own: it is part of its call.
    for named in [line, line + 1] {
        // The first URL contains the token.
        let page = open(&browser, &site, "/sessions");
        page.go(&format!("http://{}/session/aaaa#l{named}", site.host())).unwrap();
        let is_there = format!(
            "document.getElementById('l{line}')?.matches('[data-current]') \
             && document.getElementById('l{line}').getBoundingClientRect().top < innerHeight"
        );
        page.wait_for(&is_there, PATIENCE).unwrap();
        let windows = page.requests().iter().filter(|request| request.url.contains("/window/")).count();
        assert!(windows < 6, "{windows} windows were asked for");
        check(&page);
    }
}

#[test]
fn the_search_follows_typing() {
    let browser = Browser::launch().unwrap();
    let site = Site::new();
    for (id, text) in [("aaaa", "make the uploader retry"), ("bbbb", "water the garden")] {
        let mut transcript = session(id);
        transcript.prompt(text);
        transcript.reply(&format!("about to {text}"));
        site.write(id, &transcript);
    }
    site.get_until("/api/v1/sessions", |answer| answer.json()["total"] == 2);
    let page = open(&browser, &site, "/search");
    page.type_text("garden").unwrap();
    page.wait_for("document.querySelector('#found mark')?.textContent === 'garden'", PATIENCE).unwrap();
    page.wait_for("location.search === '?q=garden'", PATIENCE).unwrap();
    page.click("#found li a").unwrap();
    page.wait_for("location.pathname === '/session/bbbb' && document.querySelector('[data-current]')", PATIENCE)
        .unwrap();
    check(&page);
    let page = open(&browser, &site, "/sessions");
    page.evaluate("document.querySelector('form.filter input').focus()").unwrap();
    page.type_text("uploader").unwrap();
    page.wait_for("document.querySelectorAll('#listed tbody tr').length === 1", PATIENCE).unwrap();
    check(&page);
}
