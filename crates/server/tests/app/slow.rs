//! Clients that are slow, silent or send too much cannot block others, and hold no resources.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::time::Duration;

use crate::site::{Site, session};

/// More connections than the limit.
const MANY: usize = 300;

fn connect(site: &Site, says: &str) -> TcpStream {
    let mut stream = TcpStream::connect(site.address).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
    // The server may have closed the connection already.
    let _ = stream.write_all(says.as_bytes());
    stream
}

#[test]
fn unauthenticated_clients_cannot_block_others() {
    let site = Site::new();
    let page = site.get_until("/", |answer| answer.text().contains("data-ready"));
    // An authenticated client listens.
    let mut events = site.listen("/events", None);
    assert_eq!(events.next().name, "reset");
    let half = format!("GET / HTTP/1.1\r\nHost: {}\r\nX-Slow: ", site.host());
    let strangers: Vec<TcpStream> = (0..MANY).map(|at| connect(&site, if at % 2 == 0 { "" } else { &half })).collect();
    assert_eq!(site.get("/").status, 200);
    assert!(page.status == 200 && strangers.len() == MANY);
    // The client still receives events.
    let mut transcript = session("aaaa");
    transcript.prompt("water the garden");
    site.write("aaaa", &transcript);
    while !events.next().data.contains("aaaa") {}
}

#[test]
fn slow_requests_time_out() {
    let site = Site::new();
    let half = format!("GET / HTTP/1.1\r\nHost: {}\r\nX-Slow: ", site.host());
    for says in ["", &half] {
        let mut stream = connect(&site, says);
        let mut answer = Vec::new();
        // The connection ends, with or without a response.
        let ended = stream.read_to_end(&mut answer);
        assert!(ended.is_ok() || ended.unwrap_err().kind() != std::io::ErrorKind::WouldBlock, "{says:?}");
        assert!(!String::from_utf8_lossy(&answer).contains("200 OK"));
    }
}

#[test]
fn request_bodies_are_not_awaited() {
    let site = Site::new();
    let (host, cookie) = (site.host(), site.cookie());
    for method in ["GET", "POST"] {
        let head =
            format!("{method} / HTTP/1.1\r\nHost: {host}\r\nCookie: {cookie}\r\nContent-Length: 99999999999\r\n\r\n");
        let mut stream = connect(&site, &head);
        let mut answer = [0; 12];
        stream.read_exact(&mut answer).unwrap();
        let expected: &[u8] = if method == "GET" { b"HTTP/1.1 200" } else { b"HTTP/1.1 405" };
        assert_eq!(answer, expected);
        // The server does not read an endless request.
        let lump = vec![b'x'; 1 << 20];
        assert!((0..200).any(|_| stream.write_all(&lump).is_err()), "all of it was read");
    }
    assert_eq!(site.get("/").status, 200);
}

#[test]
fn a_client_that_never_reads_does_not_block_others() {
    let site = Site::new();
    site.get_until("/", |answer| answer.text().contains("data-ready"));
    let silent: Vec<_> = (0..20).map(|_| site.listen("/events", None)).collect();
    let mut events = site.listen("/events", None);
    let mut transcript = session("aaaa");
    for number in 0..30 {
        transcript.prompt(&format!("water bed {number}"));
        transcript.reply(&"They are wet. ".repeat(100));
        site.write("aaaa", &transcript);
    }
    while !events.next().data.contains("water bed 0") {}
    assert_eq!(silent.len(), 20);
}

#[test]
fn responses_are_compressed_on_request_and_events_are_not() {
    let site = Site::new();
    let (host, cookie) = (site.host(), site.cookie());
    let wants = [("Host", host.as_str()), ("Cookie", cookie.as_str()), ("Accept-Encoding", "gzip")];
    let plain = site.get("/api/v1/openapi.json");
    let packed = site.ask("GET", "/api/v1/openapi.json", &wants);
    assert_eq!((plain.header("content-encoding"), packed.header("content-encoding")), (None, Some("gzip")));
    assert!(packed.body.starts_with(&[0x1f, 0x8b]) && packed.body.len() * 2 < plain.body.len());
    let head = format!("GET /events HTTP/1.1\r\nHost: {host}\r\nCookie: {cookie}\r\nAccept-Encoding: gzip\r\n\r\n");
    let mut stream = connect(&site, &head);
    let mut answer = vec![0; 4096];
    let length = stream.read(&mut answer).unwrap();
    let answer = String::from_utf8_lossy(&answer[..length]).to_lowercase();
    assert!(answer.contains("text/event-stream") && !answer.contains("content-encoding"), "{answer}");
}

#[test]
fn light_requests_are_answered_while_stories_are_sent_to_slow_clients() {
    let site = Site::new();
    let mut transcript = session("aaaa");
    transcript.prompt("dig");
    // More than the system buffers for a client that does not read.
    for _ in 0..40 {
        transcript.reply(&"They are wet. ".repeat(40_000));
    }
    site.write("aaaa", &transcript);
    let story = "/api/v1/sessions/aaaa/story";
    site.get_until("/sessions", |answer| answer.text().contains("aaaa"));
    let head = format!("GET {story} HTTP/1.1\r\nHost: {}\r\nCookie: {}\r\n\r\n", site.host(), site.cookie());
    let mut slow: Vec<TcpStream> = (0..4).map(|_| connect(&site, &head)).collect();
    for stream in &mut slow {
        let mut answer = [0; 12];
        stream.read_exact(&mut answer).unwrap();
        assert_eq!(&answer, b"HTTP/1.1 200");
    }
    let refused = site.get(story);
    assert_eq!((refused.status, refused.header("retry-after")), (503, Some("5")));
    for light in ["/", "/sessions", "/usage", "/search?q=dig", "/session/aaaa", "/session/aaaa/growth"] {
        assert_eq!(site.get(light).status, 200, "{light}");
    }
    slow.pop();
    let story = site.get_until(story, |answer| answer.status == 200);
    assert_eq!(story.json()["schema"], "recount.story/2");
}
