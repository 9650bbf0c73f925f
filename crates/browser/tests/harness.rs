//! The browser does what the tests of pages rely on.

use std::path::Path;
use std::time::Duration;

use browser::Browser;
use serde_json::json;

fn url(path: &Path) -> String {
    format!("file://{}", path.display())
}

const PAGE: &str = r#"<!doctype html><title>A page</title>
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'">
<style>body { color: black } @media (prefers-color-scheme: dark) { body { color: white } }</style>
<input id="words"><button id="copy">copy</button><button hidden id="hidden">no</button><noscript><b>no script</b></noscript>
<script>
  const keys = []; addEventListener("keydown", event => keys.push(event.key));
  copy.onclick = () => navigator.clipboard.writeText("copied");
</script>"#;

#[test]
fn a_page_can_be_used_like_a_person_would() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("page.html");
    std::fs::write(&path, PAGE).unwrap();
    let browser = Browser::launch().unwrap();
    let page = browser.open(&url(&path)).unwrap();
    assert_eq!(page.evaluate("document.title").unwrap(), "A page");
    assert_eq!(page.evaluate("Promise.resolve([1, 2])").unwrap(), json!([1, 2]));
    assert!(page.evaluate("missing()").unwrap_err().to_string().contains("missing is not defined"));

    for key in ["j", "?", "Enter", "Escape"] {
        page.press(key).unwrap();
    }
    assert_eq!(page.evaluate("keys").unwrap(), json!(["j", "?", "Enter", "Escape"]));
    page.click("#words").unwrap();
    page.type_text("some words").unwrap();
    assert_eq!(page.evaluate("words.value").unwrap(), "some words");
    page.click("#copy").unwrap();
    page.wait_for("navigator.clipboard.readText().then(text => text === 'copied')", Duration::from_secs(5)).unwrap();
    assert_eq!(page.clipboard().unwrap(), "copied");
    assert!(page.click("#hidden").unwrap_err().to_string().contains("not visible"));
    assert!(page.click("#gone").unwrap_err().to_string().contains("no such element"));

    page.emulate_dark(true).unwrap();
    assert_eq!(page.evaluate("getComputedStyle(document.body).color").unwrap(), "rgb(255, 255, 255)");
    page.set_viewport(360, 640).unwrap();
    assert_eq!(page.evaluate("innerWidth").unwrap(), 360);
    let shot = folder.path().join("shot.png");
    page.screenshot(&shot).unwrap();
    assert!(std::fs::read(shot).unwrap().starts_with(b"\x89PNG"));
    let metrics = page.metrics().unwrap();
    assert!(metrics.nodes > 10.0 && metrics.heap_bytes > 1000.0, "{metrics:?}");

    assert_eq!(page.console_errors(), Vec::<String>::new());
    assert_eq!(page.requests().iter().map(|request| request.url.as_str()).collect::<Vec<_>>(), [url(&path)]);
}

#[test]
fn errors_in_a_page_are_recorded() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("page.html");
    std::fs::write(&path, PAGE).unwrap();
    let browser = Browser::launch().unwrap();
    let page = browser.open(&url(&path)).unwrap();
    page.evaluate("setTimeout(() => { throw new Error('thrown') }); console.error('said'); 0").unwrap();
    page.evaluate("document.body.insertAdjacentHTML('beforeend', '<img src=http://127.0.0.1:9/x>')").unwrap();
    page.evaluate("new Promise(done => setTimeout(done, 300))").unwrap();
    let errors = page.console_errors().join("\n");
    assert!(errors.contains("thrown") && errors.contains("said") && errors.contains("127.0.0.1:9"), "{errors}");
    assert_eq!(page.policy_reports().len(), 1, "{:?}", page.policy_reports());
}

#[test]
fn a_page_can_be_opened_without_scripts() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("page.html");
    std::fs::write(&path, PAGE).unwrap();
    let browser = Browser::launch().unwrap();
    let page = browser.page().unwrap();
    page.set_script_enabled(false).unwrap();
    page.go(&url(&path)).unwrap();
    assert_eq!(page.evaluate("document.querySelector('noscript b').innerText").unwrap(), "no script");
}
