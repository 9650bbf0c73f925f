//! Sharing a session without its secrets.

use crate::site::{Site, session};

#[test]
fn a_session_is_downloaded_without_its_secrets_once_what_is_likely_is_decided_on() {
    let site = Site::new();
    let mut transcript = session("aaaa");
    transcript.prompt("/home/anatol/shop needs DB_PASSWORD=q7Zt0bX9mK2w");
    site.write("aaaa", &transcript);
    let page = site.get_until("/session/aaaa", |answer| answer.status == 200).text();
    assert!(page.contains("href=\"/session/aaaa/share\""), "{page}");
    let asked = site.get("/session/aaaa/share");
    assert_eq!(asked.status, 200);
    let text = asked.text();
    assert!(text.contains("env-password-assignment") && text.contains("?likely=replace"), "{text}");
    assert!(!text.contains("q7Zt0bX9mK2w"), "the page names the value");
    let refused = site.get("/session/aaaa/share?format=jsonl");
    assert_eq!(refused.status, 409);
    assert!(!refused.text().contains("q7Zt0bX9mK2w"));
    let report = site.get("/session/aaaa/share?likely=replace").text();
    assert!(report.contains("[password 1]") && report.contains("format=html&amp;likely=replace"), "{report}");
    for format in ["html", "md", "json", "jsonl"] {
        let answer = site.get(&format!("/session/aaaa/share?format={format}&likely=replace"));
        assert_eq!(answer.status, 200, "{format}");
        let expected = format!("attachment; filename=\"aaaa.{format}\"");
        assert_eq!(answer.header("content-disposition"), Some(expected.as_str()));
        // Markdown escapes brackets.
        let text = answer.text().replace('\\', "");
        assert!(!text.contains("q7Zt0bX9mK2w") && !text.contains("anatol"), "{format}");
        assert!(text.contains("[password 1]") && text.contains("user-1"), "{format}: {text}");
    }
    assert_eq!(site.get("/session/aaaa/share?format=exe").status, 400);
    assert_eq!(site.get("/session/bbbb/share").status, 404);
}
