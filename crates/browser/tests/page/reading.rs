//! A page as it opens: with and without scripts, wide and narrow, light and dark.

use browser::{Browser, Page};

use crate::made::{demo, is_visible, number, seen};

#[test]
fn a_page_is_self_contained_and_has_no_errors() {
    let (browser, made) = (Browser::launch().unwrap(), demo());
    let page = made.open(&browser);
    assert_eq!(page.evaluate("document.title").unwrap(), "Add retries with backoff to the tide client · recount");
    let policy = page.evaluate("document.querySelector('meta[http-equiv=Content-Security-Policy]').content").unwrap();
    let policy = policy.as_str().unwrap();
    assert!(policy.starts_with("default-src 'none'") && !policy.contains("unsafe"), "{policy}");
    // Every feature once.
    for key in ["4", "O", "G", "g", "?", "Escape", "/", "Escape", "J", "o", "e", "t", "t", "t", "1"] {
        page.press(key).unwrap();
        page.evaluate("new Promise(requestAnimationFrame)").unwrap();
    }
    made.assert_quiet(&page);
}

#[test]
fn a_page_works_without_scripts() {
    let (browser, made) = (Browser::launch().unwrap(), demo());
    let page = browser.page().unwrap();
    page.set_script_enabled(false).unwrap();
    page.go(&made.url).unwrap();
    for words in
        ["Our nightly sync keeps dying", "All ten tests pass", "The pull request is open", "Nobody else catches"]
    {
        assert!(is_visible(&page, words), "{words}");
    }
    assert!(seen(&page, "summary") > 30, "calls are folded");
    assert_eq!(seen(&page, ".toolbar"), 0, "controls that need a script are missing");
    made.assert_quiet(&page);
}

#[test]
fn a_page_fits_a_phone() {
    let (browser, made) = (Browser::launch().unwrap(), demo());
    let page = made.open(&browser);
    for width in [360, 768, 1280] {
        page.set_viewport(width, 760).unwrap();
        for level in ["3", "4"] {
            page.press(level).unwrap();
            page.evaluate("new Promise(done => setTimeout(done, 200))").unwrap();
            let overhang = number(&page, "document.documentElement.scrollWidth - innerWidth");
            assert!(overhang <= 0.0, "{width} wide at level {level}: {overhang} too much: {}", widest(&page));
        }
    }
}

/// The elements that overflow.
fn widest(page: &Page<'_>) -> String {
    let script = "[...document.body.querySelectorAll('*')]
        .filter(e => e.checkVisibility() && e.getBoundingClientRect().right > innerWidth + 1)
        .slice(0, 5).map(e => e.outerHTML.slice(0, 160)).join('\\n')";
    page.evaluate(script).unwrap().to_string()
}

#[test]
fn a_page_can_be_light_or_dark() {
    let (browser, made) = (Browser::launch().unwrap(), demo());
    let page = made.open(&browser);
    let brightness = "(getComputedStyle(document.body).backgroundColor.match(/[\\d.]+/g) ?? [255])
        .slice(0, 3).reduce((sum, part) => sum + Number(part), 0) / 3";
    page.emulate_dark(false).unwrap();
    assert!(number(&page, brightness) > 200.0);
    page.emulate_dark(true).unwrap();
    assert!(number(&page, brightness) < 60.0);
    let choose = |theme: &str| {
        page.evaluate(&format!(
            "(() => {{ const choice = document.querySelector('[name=theme]'); choice.value = '{theme}';
                choice.dispatchEvent(new Event('change', {{ bubbles: true }})) }})()"
        ))
    };
    choose("light").unwrap();
    assert!(number(&page, brightness) > 200.0, "light although the system is dark");
    choose("auto").unwrap();
    assert!(number(&page, brightness) < 60.0);
}
