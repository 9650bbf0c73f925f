//! Using a page: detail, filters, folds, keys, search, links, copies.

use browser::{Browser, Page};

use crate::made::{SOON, demo, number, seen, words};

/// The reader's current place.
fn current(page: &Page<'_>) -> String {
    let id = page.evaluate("document.querySelector('[data-current]')?.id ?? ''").unwrap();
    id.as_str().unwrap().to_owned()
}

#[test]
fn the_detail_is_switched() {
    let (browser, made) = (Browser::launch().unwrap(), demo());
    let page = made.open(&browser);
    // Only nearby chunks are in the document; with less detail, more of them are.
    let (prompts, replies, calls) = (seen(&page, ".prompt"), seen(&page, ".reply"), seen(&page, "details.call"));
    assert!(prompts >= 5 && replies >= 8 && calls >= 20, "{prompts} {replies} {calls}");
    assert_eq!(seen(&page, ".context"), 0);
    page.click(".detail label:has([value=talk])").unwrap();
    assert_eq!(seen(&page, "details.call:not([data-severity])"), 0);
    assert!(seen(&page, ".reply") >= replies);
    page.press("1").unwrap();
    assert!(seen(&page, ".reply") == 0 && seen(&page, ".prompt") >= prompts);
    page.press("4").unwrap();
    page.wait_for("document.querySelectorAll('details.call[open] .body').length >= 10", SOON).unwrap();
    assert!(seen(&page, ".context") > 0, "context is shown at full");
    page.wait_for("location.hash.includes('detail=full')", SOON).unwrap();
    page.press("3").unwrap();
    assert!(seen(&page, ".context") == 0 && seen(&page, "details.call") >= 20);
    made.assert_quiet(&page);
}

#[test]
fn filters_hide_kinds_and_tools() {
    let (browser, made) = (Browser::launch().unwrap(), demo());
    let page = made.open(&browser);
    page.click(".filters > summary").unwrap();
    page.click(".filters [name=tool][value=Bash]").unwrap();
    assert!(seen(&page, "[data-tool=Bash]") == 0 && seen(&page, "[data-tool=Edit]") > 0);
    page.click("[data-action=filter-errors]").unwrap();
    assert!(seen(&page, ".step") > 0 && seen(&page, ".step:not([data-severity=error])") == 0);
    page.click("[data-action=filter-all]").unwrap();
    assert!(seen(&page, "[data-tool=Bash]") > 3);
    made.assert_quiet(&page);
}

#[test]
fn calls_open_and_close() {
    let (browser, made) = (Browser::launch().unwrap(), demo());
    let page = made.open(&browser);
    let call = "details.call[data-tool=Edit]";
    assert_eq!(seen(&page, &format!("{call} .diff")), 0);
    page.click(&format!("{call} > summary")).unwrap();
    page.wait_for(&format!("document.querySelector('{call} .diff .added')?.checkVisibility()"), SOON).unwrap();
    page.click(&format!("{call} > summary")).unwrap();
    page.wait_for(&format!("!document.querySelector('{call} .diff')?.checkVisibility()"), SOON).unwrap();
    page.press("O").unwrap();
    page.wait_for("document.querySelectorAll('details.call[open]').length > 10", SOON).unwrap();
    page.press("O").unwrap();
    page.wait_for("!document.querySelector('details.call[open]')", SOON).unwrap();
    made.assert_quiet(&page);
}

#[test]
fn an_agent_is_shown_at_the_call_that_started_it() {
    let (browser, made) = (Browser::launch().unwrap(), demo());
    let page = made.open(&browser);
    page.click("details.call[data-tool=Agent] > summary").unwrap();
    page.wait_for("document.querySelector('details.call[data-tool=Agent] .thread .reply')?.checkVisibility()", SOON)
        .unwrap();
    assert!(words(&page).contains("Nobody else catches"));
    made.assert_quiet(&page);
}

#[test]
fn keys_go_from_step_to_step() {
    let (browser, made) = (Browser::launch().unwrap(), demo());
    let page = made.open(&browser);
    let mut places = vec![current(&page)];
    for key in ["j", "j", "j"] {
        page.press(key).unwrap();
        places.push(current(&page));
    }
    places.dedup();
    assert_eq!(places.len(), 4, "{places:?}");
    page.press("k").unwrap();
    assert_eq!(current(&page), places[2]);
    page.press("J").unwrap();
    assert_eq!(current(&page), "turn-2");
    // The hook, then the tests.
    for _ in 0..2 {
        page.press("e").unwrap();
        assert_eq!(page.evaluate("document.querySelector('[data-current]').dataset.severity").unwrap(), "error");
    }
    page.press("o").unwrap();
    page.wait_for("document.querySelector('[data-current]').open", SOON).unwrap();
    assert!(words(&page).contains("assert 5 == 4"), "the failed test is there");
    page.press("G").unwrap();
    page.wait_for("scrollY > 1000", SOON).unwrap();
    page.press("g").unwrap();
    page.wait_for("scrollY === 0", SOON).unwrap();
    page.press("?").unwrap();
    assert!(seen(&page, "#help") > 0);
    page.press("Escape").unwrap();
    assert_eq!(seen(&page, "#help"), 0);
    made.assert_quiet(&page);
}

#[test]
fn search_opens_what_it_finds() {
    let (browser, made) = (Browser::launch().unwrap(), demo());
    let page = made.open(&browser);
    assert!(!words(&page).contains("frozenset"), "the word is in a closed call");
    page.press("/").unwrap();
    page.type_text("frozenset").unwrap();
    page.press("Enter").unwrap();
    page.wait_for("document.querySelector('.found').textContent.startsWith('1 of ')", SOON).unwrap();
    page.wait_for("document.body.innerText.includes('frozenset')", SOON).unwrap();
    page.press("Escape").unwrap();
    page.press("/").unwrap();
    page.type_text("retry-after").unwrap();
    page.press("Enter").unwrap();
    page.wait_for("document.querySelector('.found').textContent.startsWith('1 of ')", SOON).unwrap();
    let of = |page: &Page<'_>| {
        let found = page.evaluate("document.querySelector('.found').textContent").unwrap();
        found.as_str().unwrap().to_owned()
    };
    let (_, total) = of(&page).split_once(" of ").map(|(at, total)| (at.to_owned(), total.to_owned())).unwrap();
    assert!(total.parse::<u32>().unwrap() > 5, "{total}");
    page.click("[data-action=next]").unwrap();
    assert_eq!(of(&page), format!("2 of {total}"));
    page.click("[data-action=previous]").unwrap();
    page.click("[data-action=previous]").unwrap();
    assert_eq!(of(&page), format!("{total} of {total}"));
    page.evaluate("document.querySelector('[name=regex]').click()").unwrap();
    page.evaluate("document.querySelector('[name=search]').select()").unwrap();
    page.type_text("Retry-After.{0,20}dat(e|um)").unwrap();
    page.wait_for("/found|of/.test(document.querySelector('.found').textContent)", SOON).unwrap();
    page.evaluate("document.querySelector('[name=search]').select()").unwrap();
    page.type_text("(").unwrap();
    page.wait_for("document.querySelector('.found').textContent === 'not a regular expression'", SOON).unwrap();
    made.assert_quiet(&page);
}

#[test]
fn a_link_leads_to_its_step() {
    let (browser, made) = (Browser::launch().unwrap(), demo());
    let page = made.open(&browser);
    let last = page.evaluate("document.querySelector('.rail li:last-child a').hash").unwrap();
    let in_agent = "document.querySelector('#thread-1 noscript').textContent.match(/ id=\"(a[^\"]*-l6)\"/)[1]";
    let agent = page.evaluate(in_agent).unwrap();
    for place in [last.as_str().unwrap().to_owned(), format!("#{}", agent.as_str().unwrap())] {
        let page = made.open_at(&browser, &place);
        let name = &place[1..];
        page.wait_for(&format!("document.getElementById('{name}')?.checkVisibility()"), SOON).unwrap();
        let script = format!("document.getElementById('{name}').getBoundingClientRect().top");
        page.wait_for(&format!("{script} >= 0 && {script} < innerHeight"), SOON).unwrap();
        assert_eq!(current(&page), name);
        made.assert_quiet(&page);
    }
    // A link includes the detail level and the search.
    let page = made.open_at(&browser, "#turn-2&detail=talk&q=jitter");
    assert_eq!(page.evaluate("document.documentElement.dataset.detail").unwrap(), "talk");
    page.wait_for("/found/.test(document.querySelector('.found').textContent)", SOON).unwrap();
}

#[test]
fn the_rail_goes_to_turns() {
    let (browser, made) = (Browser::launch().unwrap(), demo());
    let page = made.open(&browser);
    page.click(".rail [data-turn='5'] a").unwrap();
    page.wait_for("document.getElementById('turn-5').getBoundingClientRect().top < innerHeight / 2", SOON).unwrap();
    assert!(number(&page, "scrollY") > 500.0);
    page.wait_for("location.hash.startsWith('#turn-5')", SOON).unwrap();
    made.assert_quiet(&page);
}

#[test]
fn texts_and_links_can_be_copied() {
    let (browser, made) = (Browser::launch().unwrap(), demo());
    let page = made.open(&browser);
    let copied = |what: &str| {
        page.wait_for("document.querySelector('.toast').checkVisibility()", SOON).unwrap();
        let text = page.clipboard().unwrap();
        assert!(text.contains(what), "{text}");
        page.evaluate("document.querySelector('.toast').hidden = true").unwrap();
    };
    page.click(".resume .copy").unwrap();
    copied("cd /home/mira/code/tideclient && claude --resume d3e0a5c4-71de-4c0b-9a11-7d1de0c11e47");
    page.press("j").unwrap();
    page.press("y").unwrap();
    copied("Our nightly sync keeps dying");
    page.press("c").unwrap();
    copied(&format!("{}#{}", made.url, current(&page)));
    made.assert_quiet(&page);
}

#[test]
fn the_timeline_links_to_steps() {
    let (browser, made) = (Browser::launch().unwrap(), demo());
    let page = made.open(&browser);
    // A click in the middle of the timeline leads to a late point of the session.
    page.click(".timeline svg").unwrap();
    page.wait_for("scrollY > 500 && document.querySelector('.rail [aria-current]')?.dataset.turn > 1", SOON).unwrap();
    made.assert_quiet(&page);
}

#[test]
fn display_options_can_be_switched() {
    let (browser, made) = (Browser::launch().unwrap(), demo());
    let page = made.open(&browser);
    page.click(".step figure.image").unwrap();
    page.wait_for("document.querySelector('dialog.lightbox[open] img')?.naturalWidth > 0", SOON).unwrap();
    page.press("Escape").unwrap();
    page.wait_for("!document.querySelector('dialog.lightbox[open]')", SOON).unwrap();
    let paper = "getComputedStyle(document.body).backgroundColor";
    let before = page.evaluate(paper).unwrap();
    page.evaluate("document.querySelector('[name=theme]').value = 'dark'; document.querySelector('[name=theme]').dispatchEvent(new Event('change', { bubbles: true }))").unwrap();
    assert_ne!(page.evaluate(paper).unwrap(), before, "dark paper");
    page.press("d").unwrap();
    page.wait_for("document.documentElement.dataset.diff === 'side'", SOON).unwrap();
    let when = "document.querySelector('[data-fact=when] time').textContent";
    let exact = page.evaluate(when).unwrap();
    page.click("[data-action=times]").unwrap();
    assert_ne!(page.evaluate(when).unwrap(), exact, "relative instead of absolute times, or the reverse");
    page.press("?").unwrap();
    page.wait_for("document.querySelector('#help').open", SOON).unwrap();
    made.assert_quiet(&page);
}

#[test]
fn a_session_is_replayed() {
    let (browser, made) = (Browser::launch().unwrap(), demo());
    let page = made.open(&browser);
    let visible = "[...document.querySelectorAll('#conversation .step')].filter((step) => \
                   step.checkVisibility({visibilityProperty: true})).length";
    let all = number(&page, visible);
    assert!(all > 10.0);
    page.press("p").unwrap();
    page.wait_for(&format!("{visible} === 1"), SOON).unwrap();
    page.press(".").unwrap();
    page.wait_for(&format!("{visible} === 2"), SOON).unwrap();
    // A turn forward, and back.
    page.press("ArrowRight").unwrap();
    page.wait_for("document.querySelector('[data-current]')?.closest('.turn')?.dataset.turn === '2'", SOON).unwrap();
    page.press("ArrowLeft").unwrap();
    page.wait_for("document.querySelector('[data-current]')?.closest('.turn')?.dataset.turn === '1'", SOON).unwrap();
    // It advances by itself.
    let before = current(&page);
    page.evaluate("document.querySelector('.player select').value = '50'").unwrap();
    page.evaluate("document.querySelector('.player select').dispatchEvent(new Event('change'))").unwrap();
    page.click(".player button").unwrap();
    page.wait_for(&format!("document.querySelector('[data-current]')?.id !== '{before}'"), SOON).unwrap();
    page.wait_for("document.querySelectorAll('[data-current]').length === 1", SOON).unwrap();
    page.click(".player button").unwrap();
    // The scrubber leads to any point in time.
    page.evaluate("document.querySelector('.player [type=range]').value = '1000'").unwrap();
    page.evaluate("document.querySelector('.player [type=range]').dispatchEvent(new Event('change'))").unwrap();
    page.wait_for("Number(document.querySelector('[data-current]')?.closest('.turn')?.dataset.turn) > 3", SOON)
        .unwrap();
    page.press("Escape").unwrap();
    page.wait_for("!document.querySelector('.player')", SOON).unwrap();
    assert!(number(&page, visible) > 10.0);
    made.assert_quiet(&page);
}
