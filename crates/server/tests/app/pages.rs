//! The contents of pages and of the API.

use serde_json::json;

use crate::site::{Answer, Site, session};

#[test]
fn the_board_shows_the_activity_of_sessions() {
    let site = Site::new();
    let mut transcript = session("aaaa");
    transcript.prompt("make the uploader retry");
    transcript.call("Bash", json!({"command": "make test"}));
    site.write("aaaa", &transcript);
    let is_there = |answer: &Answer| !answer.json()["sessions"].as_array().unwrap().is_empty();
    let board = site.get_until("/api/v1/board", is_there).json();
    assert_eq!(board["schema"], "recount.board/2");
    let card = &board["sessions"][0];
    assert_eq!(card["session"], "aaaa");
    assert_eq!(card["state"], "working");
    assert_eq!(card["state_is_certain"], false, "no process says so");
    assert_eq!(card["what"], "Bash make test");
    assert_eq!(card["bars"][0]["kind"], "command");
    assert_eq!(card["bars"][0]["to"], json!(null));
    let page = site.get("/").text();
    assert!(page.contains("working?") && page.contains("make test"), "{page}");
    let sessions = site.get("/api/v1/sessions").json();
    assert_eq!(sessions["total"], 1);
    assert_eq!(sessions["sessions"][0]["project"], "/w/shop");
    // The list, the session and its story are in the state that the board shows.
    let (one, story) = (site.get("/api/v1/sessions/aaaa").json(), site.get("/api/v1/sessions/aaaa/story").json());
    for key in ["state", "state_reason", "state_since", "state_is_certain"] {
        let said = [&sessions["sessions"][0][key], &one[key], &story["session"][key]];
        assert_eq!(said, [&card[key]; 3], "{key}");
    }
    assert!(site.get("/sessions").text().contains("<td>working?</td>"));
}

/// Claude Code shortens a transcript by renaming a new file over it (docs/format A.7).
#[test]
fn a_live_page_keeps_the_lines_of_a_transcript_that_is_compacted() {
    let site = Site::new();
    let mut transcript = session("aaaa");
    transcript.prompt("plant tulips");
    transcript.reply("Planted.");
    transcript.prompt("water roses");
    site.write("aaaa", &transcript);
    let site = site.with_archive();
    let has = |words: &'static [&str]| move |answer: &Answer| words.iter().all(|word| answer.text().contains(word));
    site.get_until("/session/aaaa", has(&["plant tulips", "water roses"]));
    let kept = transcript.jsonl().lines().skip(2).fold(String::new(), |kept, line| kept + line + "\n");
    transcript.prompt("rake leaves");
    let whole = transcript.jsonl();
    let file = site.file("aaaa");
    let temporary = file.with_extension("compact.tmp.1");
    std::fs::write(&temporary, kept + whole.lines().next_back().unwrap() + "\n").unwrap();
    std::fs::rename(&temporary, &file).unwrap();
    site.get_until("/session/aaaa", has(&["rake leaves"]));
    site.get_until("/session/aaaa", has(&["plant tulips", "water roses", "rake leaves"]));
    // Each is shown once.
    let story = site.get("/api/v1/sessions/aaaa/story?detail=prompts").json();
    assert_eq!(story["threads"][0]["turns"].as_array().unwrap().len(), 3, "{story}");
}

#[test]
fn a_long_session_is_handed_out_window_by_window() {
    let site = Site::new();
    let mut transcript = session("aaaa");
    for number in 0..300 {
        transcript.prompt(&format!("question number {number}"));
        transcript.reply(&format!("answer number {number}"));
    }
    site.write("aaaa", &transcript);
    let page = site.get_until("/session/aaaa", |answer| answer.status == 200).text();
    assert!(page.contains("question number 0<") && !page.contains("answer number 299<"));
    let growth = site.get("/session/aaaa/growth").json();
    let windows = growth["windows"].as_array().unwrap().clone();
    assert!(windows.len() > 5, "{windows:?}");
    let texts: Vec<String> = windows
        .iter()
        .map(|window| site.get(&format!("/session/aaaa/window/{}", window["name"].as_str().unwrap())).json())
        .map(|piece| piece["text"].as_str().unwrap().to_owned())
        .collect();
    let all = texts.concat();
    for number in 0..300 {
        assert_eq!(all.matches(&format!("answer number {number}<")).count(), 1, "{number}");
        assert_eq!(all.matches(&format!("id=\"turn-{}\"", number + 1)).count(), 1, "{number}");
    }
    // New lines change the last window, and no other.
    transcript.prompt("one more question");
    site.write("aaaa", &transcript);
    let grown = site.get("/session/aaaa/growth").json();
    let marks = |growth: &serde_json::Value| -> Vec<String> {
        growth["windows"].as_array().unwrap().iter().map(|window| window["mark"].to_string()).collect()
    };
    let (before, after) = (marks(&growth), marks(&grown));
    assert_eq!(before[..before.len() - 1], after[..before.len() - 1]);
    assert_ne!(before, after);
}

#[test]
fn usage_and_metrics_say_what_the_board_says() {
    let site = Site::new();
    let mut transcript = session("aaaa");
    transcript.prompt("make the uploader retry");
    transcript.call("Bash", json!({"command": "make test"}));
    site.write("aaaa", &transcript);
    let is_there = |answer: &Answer| !answer.json()["sessions"].as_array().unwrap().is_empty();
    let board = site.get_until("/api/v1/board", is_there).json();
    let cost = board["today"]["cost_usd"].as_f64().unwrap();
    assert!(cost > 0.0, "{board}");
    let metrics = site.get("/metrics").text();
    assert!(metrics.contains("\nrecount_sessions{state=\"working\"} 1\n"), "{metrics}");
    assert!(metrics.contains(&format!("\nrecount_today_cost_dollars {cost}\n")), "{metrics}");
    // The other way of counting gives the same result.
    let usage = site.get("/usage").text();
    let shown = format!("{cost:.2}");
    assert!(usage.contains(&format!("${shown}")) || cost < 0.01, "{shown}: {usage}");
    assert!(usage.contains("shop"), "{usage}");
}

#[test]
fn nothing_in_a_session_becomes_markup() {
    let site = Site::new();
    let mut transcript = session("aaaa");
    transcript.prompt("<script>alert(1)</script> \"><img src=x onerror=alert(2)>");
    transcript.call("Bash", json!({"command": "echo '</script><script>alert(3)</script>'"}));
    site.write("aaaa", &transcript);
    site.get_until("/session/aaaa", |answer| answer.status == 200);
    let places = [
        "/",
        "/sessions",
        "/sessions?q=%3Cscript%3Ealert(4)%3C/script%3E&sort=%22%3E%3Cimg%3E",
        "/search?q=alert",
        "/search?q=%3Cscript%3Ealert(5)%3C/script%3E",
        "/search?q=after:%3Cscript%3E",
        "/session/aaaa",
    ];
    for place in places {
        let page = site.get(place).text();
        assert!(page.contains("<body"), "{place}");
        assert!(!page.contains("<script>alert") && !page.contains("<img"), "{place}: {page}");
    }
}

#[test]
fn what_is_large_is_compressed() {
    let site = Site::new();
    let headers = [("Host", site.host()), ("Cookie", site.cookie()), ("Accept-Encoding", "gzip".to_owned())];
    let headers: Vec<(&str, &str)> = headers.iter().map(|(name, value)| (*name, value.as_str())).collect();
    assert_eq!(site.ask("GET", "/", &headers).header("content-encoding"), Some("gzip"));
}

#[test]
fn sessions_with_the_same_name_are_distinguished() {
    let site = Site::new();
    for (project, text) in [("-w-one", "water the garden"), ("-w-two", "paint the fence")] {
        let mut transcript = session("same");
        transcript.prompt(text);
        let path = site.file("same").parent().unwrap().parent().unwrap().join(project).join("same.jsonl");
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, transcript.jsonl()).unwrap();
    }
    let is_all = |answer: &Answer| answer.status == 200 && answer.json()["total"] == 2;
    let listed = site.get_until("/api/v1/sessions", is_all).json();
    let names: Vec<&str> =
        listed["sessions"].as_array().unwrap().iter().map(|session| session["session"].as_str().unwrap()).collect();
    assert!(names.iter().all(|name| name.starts_with("same~")) && names[0] != names[1], "{names:?}");
    // Each link leads to its own session, from lists and from search results.
    let mut pages: Vec<String> = names.iter().map(|name| site.get(&format!("/session/{name}")).text()).collect();
    pages.sort_by_key(|page| page.contains("paint the fence"));
    assert!(pages[0].contains("water the garden") && !pages[0].contains("paint the fence"));
    assert!(pages[1].contains("paint the fence") && !pages[1].contains("water the garden"));
    let found = site.get("/api/v1/search?q=fence").json();
    let address = found["sessions"][0]["hits"][0]["address"].as_str().unwrap().split('#').next().unwrap().to_owned();
    assert!(site.get(&address).text().contains("paint the fence"), "{address}");
    let is_all = |answer: &Answer| answer.json()["sessions"].as_array().unwrap().len() == 2;
    let cards = site.get_until("/api/v1/board", is_all).json();
    let mut shown: Vec<&str> =
        cards["sessions"].as_array().unwrap().iter().map(|card| card["session"].as_str().unwrap()).collect();
    shown.dedup();
    assert_eq!(shown.len(), 2, "{shown:?}");
}

#[test]
fn a_session_of_which_only_subagents_are_left_is_listed_once_and_marked() {
    let site = Site::new();
    let mut transcript = session("lost");
    transcript.prompt("water the garden");
    let folder = site.file("lost").with_extension("").join("subagents");
    std::fs::create_dir_all(&folder).unwrap();
    for agent in ["a1", "a2"] {
        std::fs::write(folder.join(format!("agent-{agent}.jsonl")), transcript.jsonl()).unwrap();
    }
    let is_there = |answer: &Answer| answer.status == 200 && answer.json()["total"] == 1;
    let listed = site.get_until("/api/v1/sessions", is_there).json();
    let first = &listed["sessions"][0];
    assert_eq!((first["session"].as_str(), &first["only_left"]), (Some("lost"), &"subagents".into()));
    let page = site.get("/sessions").text();
    assert_eq!(page.matches("only subagents").count(), 1, "{page}");
    assert!(site.get("/session/lost").text().contains("only subagents are left"));
}

#[test]
fn a_session_of_which_only_prompts_are_left_is_listed_once_and_shown() {
    let site = Site::new();
    let history = site.file("x").ancestors().nth(3).unwrap().join("history.jsonl");
    let typed = |text: &str| {
        format!(r#"{{"display":"{text}","timestamp":1770000000000,"project":"/w/shop","sessionId":"gone"}}"#) + "\n"
    };
    std::fs::write(&history, typed("water the garden")).unwrap();
    let is_there = |answer: &Answer| answer.status == 200 && answer.json()["total"] == 1;
    let listed = site.get_until("/api/v1/sessions", is_there).json();
    let first = &listed["sessions"][0];
    assert_eq!((first["session"].as_str(), &first["only_left"]), (Some("gone"), &"prompts".into()));
    let page = site.get("/sessions").text();
    assert_eq!(page.matches("only prompts").count(), 1, "{page}");
    let page = site.get("/session/gone").text();
    assert!(page.contains("only prompts are left") && page.contains("water the garden"), "{page}");
    let story = site.get("/api/v1/sessions/gone/story").json();
    assert_eq!(story["session"]["only_left"], "prompts");
    assert_eq!(site.get("/api/v1/search?q=garden").json()["sessions"][0]["session"], "gone");
    // More prompts are shown as soon as the index has them.
    std::fs::write(&history, typed("water the garden") + &typed("feed the hens")).unwrap();
    let has_more = |answer: &Answer| answer.json()["sessions"][0]["turns"] == 2;
    site.get_until("/api/v1/sessions", has_more);
    assert!(site.get("/session/gone").text().contains("feed the hens"));
}

/// The index is a cache, and may be deleted at any time.
#[test]
fn a_deleted_index_is_rebuilt() {
    let site = Site::new();
    let mut transcript = session("aaaa");
    transcript.prompt("water the garden");
    site.write("aaaa", &transcript);
    let is_there = |answer: &Answer| answer.status == 200 && answer.json()["total"] == 1;
    site.get_until("/api/v1/sessions", is_there);
    for name in ["index.db", "index.db-wal", "index.db-shm"] {
        let _ = std::fs::remove_file(site.folder.path().join("cache").join(name));
    }
    transcript.reply("Done.");
    site.write("aaaa", &transcript);
    site.get_until("/api/v1/search?q=done", |answer| {
        answer.status == 200 && !answer.json()["sessions"].as_array().unwrap().is_empty()
    });
    site.get_until("/api/v1/sessions", is_there);
    assert_eq!(site.get("/session/aaaa").status, 200);
}
