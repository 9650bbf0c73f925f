//! Sessions that try to break out of the live pages: no text of theirs runs, loads or becomes an element.

#[path = "../../../browser/tests/page/payloads.rs"]
mod payloads;

use browser::{Browser, Page};
use serde_json::json;

use crate::browser::{PATIENCE, append, open};
use crate::site::{Site, session};
use payloads::{all, all_in_one, everywhere};

/// Checks that no attack succeeded.
fn check(page: &Page<'_>, site: &Site, place: &str) {
    assert_eq!(page.evaluate("window.__pwned === undefined").unwrap(), json!(true), "{place}: something ran");
    assert_eq!(page.policy_reports(), Vec::<String>::new(), "{place}: something was tried");
    let ours = format!("http://{}/", site.host());
    for request in page.requests() {
        let is_ours = request.url.starts_with(&ours) || request.url.starts_with("data:image/");
        assert!(is_ours, "{place} asks {}", request.url);
    }
    let foreign = "[...document.querySelectorAll('script, img, iframe, object, embed, link, base, meta, form, [style], \
        [onload], [onerror], [onfocus]')].filter(e => !e.closest('head') && !e.matches('#bars, header.top form, form.filter, \
        script[src^=\"/assets/\"], script[type=\"application/json\"], #toasts, [style]')).map(e => e.outerHTML.slice(0, 200))";
    assert_eq!(page.evaluate(foreign).unwrap(), json!([]), "{place}");
}

#[test]
fn nothing_breaks_out_of_the_live_pages() {
    let browser = Browser::launch().unwrap();
    let site = Site::new();
    let payloads = all();
    let board = open(&browser, &site, "/");
    board.wait_for("document.querySelector('#board')?.dataset.connected !== undefined", PATIENCE).unwrap();
    // Titles, prompts, commands, errors, branches, folders and models; each of these is shown somewhere.
    let mut talking = session("aaaa").in_directory(format!("/w/{}", all_in_one())).on_branch(all_in_one());
    let around = everywhere();
    for (number, payload) in payloads.iter().enumerate() {
        talking.prompt(payload);
        talking.reply(&around[number * 3 % around.len()]);
        let call = talking.call("Bash", json!({"command": payload, "description": payload}));
        talking.failure(&call, &format!("Exit code 1\n{payload}"));
    }
    talking.call("AskUserQuestion", json!({"questions": [{
        "question": all_in_one(), "header": payloads[0], "multiSelect": false,
        "options": payloads.iter().map(|payload| json!({"label": payload, "description": payload})).collect::<Vec<_>>(),
    }]}));
    site.write("aaaa", &talking);
    let mut planning = session("bbbb");
    planning.prompt(&all_in_one());
    planning.call("ExitPlanMode", json!({"plan": payloads.join("\n\n")}));
    site.write("bbbb", &planning);
    let mut editing = session("cccc");
    editing.prompt(&payloads[0]);
    editing.call(
        &all_in_one(),
        json!({"file_path": payloads[1], "old_string": all_in_one(), "new_string": payloads.join("\n")}),
    );
    site.write("cccc", &editing);
    board.wait_for("document.querySelectorAll('#board .card').length === 3", PATIENCE).unwrap();
    board
        .wait_for("document.querySelector('#s-aaaa .asked li') && document.querySelector('#s-bbbb .asked *')", PATIENCE)
        .unwrap();
    // Everything arrives once more, as events.
    for (id, transcript) in [("aaaa", &mut talking), ("bbbb", &mut planning), ("cccc", &mut editing)] {
        transcript.prompt(&all_in_one());
        append(&site, id, transcript);
    }
    board.wait_for("document.querySelectorAll('#work .card').length === 3", PATIENCE).unwrap();
    check(&board, &site, "the board");
    site.get_until("/session/aaaa", |answer| answer.status == 200);
    let places = [
        "/sessions",
        "/search?q=script",
        "/search?q=%3Cscript%3E",
        "/usage",
        "/projects",
        "/tools",
        "/archive",
        "/session/aaaa",
    ];
    for place in places {
        let page = open(&browser, &site, place);
        page.wait_for("document.readyState === 'complete'", PATIENCE).unwrap();
        check(&page, &site, place);
    }
    // The whole session, window by window.
    let page = open(&browser, &site, "/session/aaaa");
    let last = talking.lines().len();
    page.evaluate(&format!("location.hash = '#l{last}'")).unwrap();
    page.wait_for("document.querySelector('[data-current]')", PATIENCE).unwrap();
    page.evaluate("document.querySelectorAll('details').forEach(fold => (fold.open = true))").unwrap();
    check(&page, &site, "the end of a session");
}
