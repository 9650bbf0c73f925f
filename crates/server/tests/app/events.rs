//! Events arrive exactly once, also after a reconnect.

use std::fs::OpenOptions;
use std::io::Write as _;

use serde_json::{Value, json};

use crate::site::{Site, session};

fn event_of(page: &str) -> String {
    page.split("data-event=\"").nth(1).and_then(|rest| rest.split('"').next()).unwrap().to_owned()
}

#[test]
fn a_session_that_begins_and_grows_sends_events() {
    let site = Site::new();
    let page = site.get_until("/", |answer| answer.text().contains("data-ready"));
    let mut events = site.listen(&format!("/events?after={}", event_of(&page.text())), None);
    let mut transcript = session("aaaa");
    transcript.prompt("water the garden");
    site.write("aaaa", &transcript);
    let event = loop {
        let event = events.next();
        assert_eq!(event.name, "cards");
        let data: Value = serde_json::from_str(&event.data).unwrap();
        if data["changed"].as_array().unwrap().iter().any(|card| card["id"] == "aaaa") {
            assert_eq!(data["order"], json!(["aaaa"]));
            break event;
        }
    };
    // A line is added: the card shows it, and a client that reconnects receives the event too.
    let before = transcript.jsonl().len();
    transcript.call("Bash", json!({"command": "make <b>test</b>"}));
    let mut file = OpenOptions::new().append(true).open(site.file("aaaa")).unwrap();
    file.write_all(&transcript.jsonl().as_bytes()[before..]).unwrap();
    let is_there = |data: &str| data.contains("make &lt;b&gt;test&lt;/b&gt;");
    while !is_there(&events.next().data) {}
    let mut late = site.listen("/events", Some(&event.id));
    while !is_there(&late.next().data) {}
    let mut about = site.listen(&format!("/events?session=aaaa&after={}", event.id), None);
    let about = about.next();
    assert_eq!((about.name.as_str(), about.data.as_str()), ("session", r#"{"id":"aaaa"}"#));
}

#[test]
fn after_a_restart_everything_is_reloaded() {
    let site = Site::new();
    let page = site.get_until("/", |answer| answer.text().contains("data-ready"));
    let event = event_of(&page.text());
    let site = site.restarted();
    let again = site.get_until("/", |answer| answer.text().contains("data-ready"));
    assert_ne!(event_of(&again.text()).split('-').next(), event.split('-').next());
    assert_eq!(site.listen(&format!("/events?after={event}"), None).next().name, "reset");
    assert_eq!(site.listen("/events?after=nonsense", None).next().name, "reset");
}
