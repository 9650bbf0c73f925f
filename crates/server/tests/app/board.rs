//! The live board in a real browser: waits, notifications, and updates.

use browser::{Browser, Page};
use serde_json::json;

use crate::browser::{PATIENCE, append, check, open};
use crate::site::{Site, session};

fn open_board<'b>(browser: &'b Browser, site: &Site) -> Page<'b> {
    let page = open(browser, site, "/");
    page.wait_for("document.querySelector('#board')?.dataset.connected !== undefined", PATIENCE).unwrap();
    page
}

fn question(text: &str) -> serde_json::Value {
    json!({"questions": [{
        "question": text, "header": "Retries", "multiSelect": false,
        "options": [{"label": "Three times", "description": "as the others do"}, {"label": "Never", "description": "fail at once"}],
    }]})
}

#[test]
fn the_longest_wait_comes_first_with_its_question() {
    let browser = Browser::launch().unwrap();
    let site = Site::new();
    let page = open_board(&browser, &site);
    let plain = page.evaluate("document.getElementById('icon').href").unwrap();
    let mut asking = session("aaaa");
    asking.prompt("make the uploader retry");
    asking.wait(20_000);
    asking.call("AskUserQuestion", question("How often?"));
    let mut planning = session("bbbb");
    planning.prompt("a page for returned orders");
    planning.call("ExitPlanMode", json!({"plan": "# Returns\n\n1. A table `return_item`"}));
    site.write("aaaa", &asking);
    site.write("bbbb", &planning);
    // The plan has waited longer.
    let order =
        "[...document.querySelectorAll('#needs .card')].map(card => card.dataset.session).join() === 'bbbb,aaaa'";
    page.wait_for(order, PATIENCE).unwrap();
    page.wait_for("document.querySelector('#s-bbbb .asked code')?.textContent === 'return_item'", PATIENCE).unwrap();
    page.wait_for("document.querySelector('#s-aaaa .asked')?.innerText.includes('as the others do')", PATIENCE)
        .unwrap();
    page.wait_for("document.title.startsWith('(2)')", PATIENCE).unwrap();
    // A session has already waited for a minute.
    page.wait_for("document.querySelector('[data-waited]').textContent.includes('min')", PATIENCE).unwrap();
    page.wait_for("document.getElementById('icon').href.startsWith('data:image/png')", PATIENCE).unwrap();
    // Their numbers are their keys.
    page.press("2").unwrap();
    page.wait_for("location.pathname === '/session/aaaa'", PATIENCE).unwrap();
    page.evaluate("history.back()").unwrap();
    page.wait_for("document.querySelectorAll('#needs .card').length === 2", PATIENCE).unwrap();
    planning.prompt("do so");
    asking.prompt("three times");
    append(&site, "bbbb", &planning);
    append(&site, "aaaa", &asking);
    page.wait_for("document.title.startsWith('Board') && !document.querySelector('#needs .card')", PATIENCE).unwrap();
    assert_eq!(page.evaluate("document.getElementById('icon').href").unwrap(), plain);
    check(&page);
}

/// Replaces notifications, and records them.
const NOTES: &str = "globalThis.notes = [];
    globalThis.Notification = class extends EventTarget {
        static permission = 'granted';
        static requestPermission = async () => 'granted';
        constructor(title, options) { super(); notes.push([title, options.body, options.tag]); }
    };
    document.hasFocus = () => false;";

#[test]
fn each_wait_notifies_once_and_not_the_reader_of_the_session() {
    let browser = Browser::launch().unwrap();
    let site = Site::new();
    let page = browser.page().unwrap();
    page.call("Page.addScriptToEvaluateOnNewDocument", &json!({"source": NOTES})).unwrap();
    page.go(&format!("http://{}/?token={}", site.host(), site.token)).unwrap();
    page.wait_for("document.querySelector('#board')?.dataset.connected !== undefined", PATIENCE).unwrap();
    let titles = || page.evaluate("notes.map(([title]) => title)").unwrap();
    let ask = |id: &str| {
        let mut asking = session(id);
        asking.prompt(&format!("task {id}"));
        asking.call("AskUserQuestion", question("How often?"));
        site.write(id, &asking);
        page.wait_for(&format!("document.querySelector('#needs #s-{id}')"), PATIENCE).unwrap();
        asking
    };
    // Notifications are not enabled.
    ask("aaaa");
    assert_eq!(titles(), json!([]));
    page.click("#notify").unwrap();
    page.wait_for("document.getElementById('notify').ariaPressed === 'true'", PATIENCE).unwrap();
    let mut asking = ask("bbbb");
    assert_eq!(titles(), json!(["task bbbb · blocked? · asks a question"]));
    assert_eq!(page.evaluate("notes[0][1]").unwrap(), json!("How often? (Three times / Never)"));
    // The card changes, but the wait is the same.
    asking.push(testkit::entry::custom_title("Retries"));
    append(&site, "bbbb", &asking);
    page.wait_for("document.querySelector('#s-bbbb h3').textContent === 'Retries'", PATIENCE).unwrap();
    // The next session is open in another tab.
    page.evaluate("globalThis.elsewhere = new BroadcastChannel('recount'); elsewhere.postMessage({reading: 'cccc'})")
        .unwrap();
    ask("cccc");
    assert_eq!(titles().as_array().unwrap().len(), 1);
    // It is answered and asks again: that is another wait.
    asking.prompt("three times");
    append(&site, "bbbb", &asking);
    page.wait_for("document.querySelector('#work #s-bbbb')", PATIENCE).unwrap();
    asking.call("AskUserQuestion", question("How long in between?"));
    append(&site, "bbbb", &asking);
    page.wait_for("document.querySelector('#needs #s-bbbb')", PATIENCE).unwrap();
    assert_eq!(titles(), json!(["task bbbb · blocked? · asks a question", "Retries · blocked? · asks a question"]));
    check(&page);
}

#[test]
fn cards_and_timeline_move_and_lead_to_the_step() {
    let browser = Browser::launch().unwrap();
    let site = Site::new();
    let page = open_board(&browser, &site);
    let mut working = session("aaaa");
    working.prompt("make the uploader retry");
    working.reply("I look at the tests first.");
    let call = working.call("Bash", json!({"command": "make test"}));
    site.write("aaaa", &working);
    page.wait_for("document.querySelector('#work #s-aaaa .what')?.textContent.includes('make test')", PATIENCE)
        .unwrap();
    page.wait_for("document.querySelector('#s-aaaa .words').textContent.includes('tests first')", PATIENCE).unwrap();
    // Its time and its bar advance without events.
    page.evaluate("globalThis.before = document.querySelector('#s-aaaa .ago').textContent").unwrap();
    page.wait_for("document.querySelector('#s-aaaa .ago').textContent !== before", PATIENCE).unwrap();
    page.wait_for("document.querySelector('#timeline rect.command.open')", PATIENCE).unwrap();
    working.wait(30_000);
    working.failure(&call, "Exit code 2\nmake: *** No rule to make target 'test'");
    append(&site, "aaaa", &working);
    page.wait_for("document.querySelector('#timeline rect.failed:not(.open)')", PATIENCE).unwrap();
    // Zoom in, zoom out, pan back, and return to now.
    let width = "document.querySelector('#timeline rect.failed').getBoundingClientRect().width";
    page.evaluate(&format!("globalThis.before = {width}")).unwrap();
    page.click("[data-span='14400000']").unwrap();
    page.wait_for(&format!("{width} < before / 4"), PATIENCE).unwrap();
    page.click("[data-span='900000']").unwrap();
    page.wait_for(&format!("{width} > 10"), PATIENCE).unwrap();
    page.evaluate("document.querySelector('#timeline .plot').focus()").unwrap();
    page.press("ArrowLeft").unwrap();
    page.wait_for("!document.getElementById('now').hidden", PATIENCE).unwrap();
    page.click("#now").unwrap();
    page.wait_for("document.getElementById('now').hidden", PATIENCE).unwrap();
    let line = working.lines().iter().position(|line| line.contains("make test")).unwrap() + 1;
    page.click("#timeline rect.failed").unwrap();
    let is_there = format!(
        "location.pathname === '/session/aaaa' && document.getElementById('l{line}')?.matches('[data-current]')"
    );
    page.wait_for(&is_there, PATIENCE).unwrap();
    check(&page);
}

#[test]
fn keys_filter_and_groups_find_a_session() {
    let browser = Browser::launch().unwrap();
    let site = Site::new();
    let page = open_board(&browser, &site);
    for (id, folder) in [("aaaa", "/w/shop"), ("bbbb", "/w/mail"), ("cccc", "/w/shop")] {
        let mut working = session(id).in_directory(folder);
        working.prompt(&format!("task {id}"));
        working.call("Bash", json!({"command": "make test"}));
        site.write(id, &working);
    }
    page.wait_for("document.querySelectorAll('#work .card').length === 3", PATIENCE).unwrap();
    let focused = "document.activeElement.closest('.card')?.dataset.session";
    page.press("j").unwrap();
    let first = page.evaluate(focused).unwrap();
    page.press("j").unwrap();
    assert_ne!(page.evaluate(focused).unwrap(), first);
    page.press("k").unwrap();
    assert_eq!(page.evaluate(focused).unwrap(), first);
    page.press("g").unwrap();
    let groups = "[...document.querySelectorAll('#work li.group')].map(group => group.textContent).sort()";
    assert_eq!(page.evaluate(groups).unwrap(), json!(["/w/mail", "/w/shop"]));
    page.press("f").unwrap();
    page.type_text("mail").unwrap();
    page.wait_for("document.querySelectorAll('#work .card:not([hidden])').length === 1", PATIENCE).unwrap();
    page.press("Escape").unwrap();
    page.press("/").unwrap();
    assert_eq!(page.evaluate("document.activeElement.name").unwrap(), json!("q"));
    page.press("Escape").unwrap();
    page.press("j").unwrap();
    page.press("Enter").unwrap();
    page.wait_for("location.pathname === '/session/bbbb'", PATIENCE).unwrap();
    check(&page);
}
