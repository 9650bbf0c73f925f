//! Requests without authentication are rejected, and pages have no more permissions than they need.

use crate::site::{Site, session};

/// All routes, as the server itself lists them, and one that does not exist.
fn places() -> Vec<String> {
    let sources = [include_str!("../../src/routes.rs"), include_str!("../../src/api.rs")];
    let routes = sources.into_iter().flat_map(|source| source.split(".route(").skip(1));
    let listed = routes.map(|rest| rest.split('"').nth(1).unwrap());
    let examples = [("{id}", "aaaa"), ("{name}", "0-0"), ("{call}", "toolu_1"), ("{file}", "app.css")];
    let named =
        listed.map(|path| examples.iter().fold(path.to_owned(), |path, (place, name)| path.replace(place, name)));
    let places: Vec<String> =
        named.chain(["/nothing", "/api/v1/nothing", "/../../etc/passwd"].map(str::to_owned)).collect();
    assert!(
        ["/events", "/api/v1/board"].iter().all(|path| places.contains(&(*path).to_owned()))
            && places.iter().all(|path| !path.contains('{'))
    );
    places
}

#[test]
fn nothing_is_answered_without_the_token() {
    let site = Site::new();
    let host = site.host();
    let wrong = "0".repeat(64);
    for place in &places() {
        for method in ["GET", "HEAD", "POST", "OPTIONS"] {
            assert_eq!(site.ask(method, place, &[("Host", &host)]).status, 401, "{method} {place}");
        }
        let port = site.address.port();
        let of_the_token = format!("recount_{port}={}", site.token);
        for cookie in [format!("recount_{port}={wrong}"), format!("recount_{port}="), of_the_token] {
            assert_eq!(site.ask("GET", place, &[("Host", &host), ("Cookie", &cookie)]).status, 401, "{place} {cookie}");
        }
        for bearer in ["Bearer ", &format!("Bearer {wrong}"), &format!("Basic {}", site.token)] {
            let asked = site.ask("GET", place, &[("Host", &host), ("Authorization", bearer)]);
            assert_eq!(asked.status, 401, "{place} {bearer}");
        }
    }
    assert_eq!(site.ask("GET", &format!("/?token={wrong}"), &[("Host", &host)]).status, 401);
    for scheme in ["Bearer", "bearer", "BEARER"] {
        let bearer = format!("{scheme} {}", site.token);
        assert_eq!(site.ask("GET", "/api/v1/board", &[("Host", &host), ("Authorization", &bearer)]).status, 200);
    }
}

#[test]
fn the_token_in_the_address_becomes_a_cookie_that_no_script_reads() {
    let site = Site::new();
    let path = format!("/sessions?q=tea&token={}", site.token);
    let answer = site.ask("GET", &path, &[("Host", &site.host())]);
    assert_eq!(answer.status, 303);
    assert_eq!(answer.header("location"), Some("/sessions?q=tea"));
    let cookie = answer.header("set-cookie").unwrap();
    for part in ["HttpOnly", "SameSite=Strict", "Path=/"] {
        assert!(cookie.contains(part), "{cookie}");
    }
    // Cookies are sent to all servers of this machine, so there is no token in it, and it ends with the browser.
    assert!(!cookie.contains(&site.token) && !cookie.contains("Max-Age"), "{cookie}");
    let (cookie, _) = cookie.split_once(';').unwrap();
    let board = |cookie: &str| site.ask("GET", "/api/v1/board", &[("Host", &site.host()), ("Cookie", cookie)]).status;
    assert_eq!(board(cookie), 200);
    let (_, key) = cookie.split_once('=').unwrap();
    let bearer = format!("Bearer {key}");
    let asked = site.ask("GET", "/api/v1/board", &[("Host", &site.host()), ("Authorization", &bearer)]);
    assert_eq!(asked.status, 401, "the key of a browser is not the token");
    // There is no redirect to another host.
    let elsewhere = site.ask("GET", &format!("//evil.example/?token={}", site.token), &[("Host", &site.host())]);
    assert_eq!(elsewhere.header("location"), Some("/evil.example/"));
}

#[test]
fn a_code_is_good_for_one_and_once() {
    let site = Site::new();
    let code = std::fs::read_to_string(site.folder.path().join("code")).unwrap();
    // A browser that is started with a file calls that another site.
    let ask = |code: &str| {
        site.ask("GET", &format!("/?code={code}"), &[("Host", &site.host()), ("Sec-Fetch-Site", "cross-site")])
    };
    assert_eq!(ask(&"0".repeat(64)).status, 401, "a wrong one");
    let answer = ask(&code);
    assert_eq!(answer.status, 200);
    assert!(answer.text().contains("url=/") && !answer.text().contains(&code), "{}", answer.text());
    let cookie = answer.header("set-cookie").unwrap();
    assert!(!cookie.contains(&site.token) && !cookie.contains(&code), "{cookie}");
    assert_eq!(ask(&code).status, 401, "another client that saw it");
}

#[test]
fn a_browser_is_signed_out_when_the_server_ends() {
    let site = Site::new();
    let cookie = site.cookie();
    let site = site.restarted();
    let ask = |site: &Site| site.ask("GET", "/", &[("Host", &site.host()), ("Cookie", &cookie)]).status;
    assert_eq!((ask(&site), site.get("/").status), (401, 200));
}

#[test]
fn a_browser_stays_signed_in_where_that_is_asked_for() {
    let site = Site::remembering();
    let cookie = site.cookie();
    let site = site.restarted();
    assert_eq!(site.ask("GET", "/", &[("Host", &site.host()), ("Cookie", &cookie)]).status, 200);
}

#[test]
fn a_new_token_ends_everything_that_the_old_one_opened() {
    let site = Site::new();
    let mut events = site.listen("/events", None);
    let cookie = site.cookie();
    // The time of the file must differ.
    std::thread::sleep(std::time::Duration::from_millis(20));
    let new = server::token::Token::rotate(&site.folder.path().join("token")).unwrap();
    assert_eq!(site.ask("GET", "/", &[("Host", &site.host()), ("Cookie", &cookie)]).status, 401);
    let ask = |token: &str| {
        let bearer = format!("Bearer {token}");
        site.ask("GET", "/", &[("Host", &site.host()), ("Authorization", &bearer)]).status
    };
    assert_eq!((ask(&site.token), ask(new.as_str())), (401, 200));
    assert!(events.ends(), "events go on for a browser that is signed out");
}

#[test]
fn only_names_of_this_machine_lead_here() {
    let site = Site::new();
    let (port, cookie) = (site.address.port(), site.cookie());
    let status = |host: &str| site.ask("GET", "/api/v1/board", &[("Host", host), ("Cookie", &cookie)]).status;
    for ours in ["127.0.0.1", "localhost", "LOCALHOST", "[::1]", "desk.example"] {
        assert_eq!(status(&format!("{ours}:{port}")), 200, "{ours}");
    }
    let others = [
        "evil.example",
        "127.0.0.1",
        "localhost",
        &format!("127.0.0.1.evil.example:{port}"),
        &format!("localhost.:{port}"),
        &format!("evil.example:{port}"),
        &format!("127.0.0.1:{}", port.wrapping_add(1)),
        &format!("0.0.0.0:{port}"),
        &format!("user@127.0.0.1:{port}"),
        "",
    ];
    for other in others {
        assert_eq!(status(other), 421, "{other}");
    }
    assert_eq!(site.ask("GET", "/", &[("Cookie", &cookie)]).status, 421, "without a name");
    let twice = [("Host", site.host()), ("Host", "evil.example".to_owned()), ("Cookie", cookie.clone())];
    let twice: Vec<(&str, &str)> = twice.iter().map(|(name, value)| (*name, value.as_str())).collect();
    assert!([400, 421].contains(&site.ask("GET", "/", &twice).status));
    let absolute = format!("http://evil.example:{port}/");
    assert_eq!(site.ask("GET", &absolute, &[("Host", &site.host()), ("Cookie", &cookie)]).status, 421);
}

#[test]
fn other_sites_may_not_ask() {
    let site = Site::new();
    let (host, cookie) = (site.host(), site.cookie());
    let status = |name: &str, value: &str| {
        site.ask("GET", "/api/v1/board", &[("Host", &host), ("Cookie", &cookie), (name, value)]).status
    };
    assert_eq!(status("Origin", &format!("http://{host}")), 200);
    assert_eq!(status("Sec-Fetch-Site", "same-origin"), 200);
    assert_eq!(status("Sec-Fetch-Site", "none"), 200);
    for origin in ["http://evil.example", "null", &format!("https://{host}"), &format!("http://{host}.evil.example")] {
        assert_eq!(status("Origin", origin), 403, "{origin}");
    }
    for site in ["cross-site", "same-site"] {
        assert_eq!(status("Sec-Fetch-Site", site), 403, "{site}");
    }
    let answer = site.get("/api/v1/board");
    assert!(answer.headers.iter().all(|(name, _)| !name.starts_with("access-control")));
}

#[test]
fn one_can_only_read() {
    let site = Site::new();
    for method in ["POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE"] {
        let answer = site.ask(method, "/", &[("Host", &site.host()), ("Cookie", &site.cookie())]);
        assert_eq!(answer.status, 405, "{method}");
    }
    assert_eq!(site.ask("HEAD", "/", &[("Host", &site.host()), ("Cookie", &site.cookie())]).status, 200);
}

#[test]
fn every_answer_says_what_may_be_done_with_it() {
    let site = Site::new();
    let refused = site.ask("GET", "/", &[("Host", &site.host())]);
    let answers = [site.get("/"), site.get("/nothing"), site.get("/api/v1/board"), refused];
    for answer in answers {
        let policy = answer.header("content-security-policy").unwrap();
        assert!(policy.contains("default-src 'none'") && policy.contains("frame-ancestors 'none'"), "{policy}");
        assert!(!policy.contains("unsafe"), "{policy}");
        assert_eq!(answer.header("x-frame-options"), Some("DENY"));
        assert_eq!(answer.header("x-content-type-options"), Some("nosniff"));
        assert_eq!(answer.header("referrer-policy"), Some("no-referrer"));
        assert_eq!(answer.header("cache-control"), Some("no-store"));
    }
}

#[test]
fn clients_give_ids_and_never_paths() {
    let site = Site::new();
    let mut transcript = session("aaaa");
    transcript.prompt("water the garden");
    site.write("aaaa", &transcript);
    site.get_until("/session/aaaa", |answer| answer.status == 200);
    let path = site.file("aaaa");
    let path = path.to_str().unwrap();
    let names = ["..%2f..%2fetc%2fpasswd", "%2e%2e", "aaaa.jsonl", &path.replace('/', "%2f"), "AAAA", "a%00a"];
    for name in names {
        assert_eq!(site.get(&format!("/session/{name}")).status, 404, "{name}");
    }
    for window in ["9-9", "0-1", "..", "x", "-1--1", "99999999999999999999-0"] {
        assert_eq!(site.get(&format!("/session/aaaa/window/{window}")).status, 404, "{window}");
    }
    assert_eq!(site.get("/assets/..%2ftoken").status, 404);
}

#[test]
fn oversized_and_malformed_requests_are_rejected() {
    let site = Site::new();
    let long = "x".repeat(100_000);
    let answer = site.ask("GET", "/", &[("Host", &site.host()), ("Cookie", &site.cookie()), ("X-Long", &long)]);
    assert!([0, 400, 431].contains(&answer.status), "{}", answer.status);
    assert!([0, 400, 414, 431].contains(&site.get(&format!("/{long}")).status));
    assert!([0, 400].contains(&site.send("\x16\x03\x01 nonsense\r\n\r\n").status));
    // The server keeps running.
    assert_eq!(site.get("/").status, 200);
}
