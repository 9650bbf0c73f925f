//! Private things get names that stay the same; what is no secret survives.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a failure here is a failed test")]

mod samples;
mod sharing;

use std::collections::BTreeSet;
use std::sync::Arc;

use redact::{Category, Choice, Decisions, Detector, Pseudonyms, Scanner, Settings, Tracer};
use serde_json::json;
use sharing::{detector, findings, found, replacer, share, share_bytes};

fn prompt(text: &str) -> String {
    json!({"type": "user", "message": {"role": "user", "content": text}}).to_string()
}

/// A text as it is shared.
fn shared(text: &str) -> String {
    let line: serde_json::Value = serde_json::from_str(&share(&[prompt(text)])[0]).unwrap();
    line["message"]["content"].as_str().unwrap().to_owned()
}

fn with(settings: Settings, lines: &[String]) -> String {
    let detector = Detector::new(settings).unwrap();
    share_bytes(&detector, lines)
        .iter()
        .map(|line| String::from_utf8_lossy(line).into_owned())
        .collect::<Vec<_>>()
        .join("\n")
}

#[test]
fn a_user_has_one_name_everywhere() {
    let text = "ls /home/anatol/work and /Users/anatol/x, C:\\Users\\anatol\\y, ~/.claude/projects/-home-anatol-work-shop: owner anatol";
    assert_eq!(
        shared(text),
        "ls /home/user-1/work and /Users/user-1/x, C:\\Users\\user-1\\y, ~/.claude/projects/-home-user-1-work-shop: owner user-1"
    );
}

#[test]
fn two_users_have_two_names() {
    assert_eq!(shared("/home/anatol /home/berta /home/anatol"), "/home/user-1 /home/user-2 /home/user-1");
}

#[test]
fn homes_of_nobody_in_particular_stay() {
    for text in
        ["/home/runner/work", "/home/node/app", "/Users/Shared", "https://api.example.com/users/17", "the -home-page-"]
    {
        assert_eq!(shared(text), text);
    }
}

#[test]
fn a_name_that_is_a_word_is_replaced_in_paths_only() {
    assert_eq!(shared("mark it: /home/mark/a"), "mark it: /home/user-1/a");
}

#[test]
fn mail_addresses_are_replaced_but_not_what_looks_like_one() {
    assert_eq!(shared("from anatol.k@shop.io"), "from person-1@example.com");
    for text in [
        "git@github.com:a/b",
        "icon@2x.png",
        "npm i left@1.2.3",
        "ana@example.com",
        "noreply@anthropic.com",
        "@types/node",
    ] {
        assert_eq!(shared(text), text);
    }
}

#[test]
fn addresses_are_replaced_but_not_versions_and_local_ones() {
    assert_eq!(shared("ssh 10.20.30.44, http://203.0.114.7:80/, 2a02:8108:1:2::3f"), "ssh ip-1, http://ip-2:80/, ip-3");
    for text in [
        "127.0.0.1",
        "0.0.0.0:80",
        "192.0.2.1",
        "Chrome/120.0.6099.109",
        "v1.2.3.4",
        "1.2.3.4.5",
        "::1",
        "std::fs::read",
        "12:30:45",
        "8.8.8.8",
    ] {
        assert_eq!(shared(text), text);
    }
}

#[test]
fn hosts_are_replaced() {
    assert_eq!(shared("on Anatols-MacBook.local, at Anatols-MacBook"), "on host-1, at host-1");
    assert_eq!(shared("settings.local.json and .env.local"), "settings.local.json and .env.local");
    let settings = Settings { hosts: vec!["workhorse".into()], ..Settings::default() };
    assert!(with(settings, &[prompt("at workhorse:")]).contains("at host-1:"));
}

#[test]
fn ids_of_accounts_are_replaced() {
    let line = json!({"type": "system", "organizationUuid": "9f0c2a44-5d7e-4b3a-8c21-0a1b2c3d4e5f", "uuid": "1f0c2a44-5d7e-4b3a-8c21-0a1b2c3d4e5f",
        "ownerAccountUuid": "2f0c2a44-5d7e-4b3a-8c21-0a1b2c3d4e5f"}).to_string();
    let output = &share(&[line])[0];
    assert!(
        output.contains(r#""organizationUuid":"account-1""#) || output.contains(r#""organizationUuid":"account-2""#),
        "{output}"
    );
    assert!(output.contains("1f0c2a44-5d7e-4b3a-8c21-0a1b2c3d4e5f") && !output.contains("2f0c2a44"), "{output}");
}

#[test]
fn own_words_and_patterns_are_replaced() {
    let settings =
        Settings { words: vec!["Bluebird".into()], patterns: vec![r"CASE-\d{4}".into()], ..Settings::default() };
    let output = with(settings, &[prompt("project bluebird, CASE-1234")]);
    assert!(output.contains("project [private 1], [private 2]"), "{output}");
    assert!(Detector::new(Settings { patterns: vec!["(".into()], ..Settings::default() }).is_err());
}

#[test]
fn categories_and_values_can_be_kept() {
    let lines = [prompt("/home/anatol b.kerr@shop.io")];
    let settings = Settings { keep: BTreeSet::from([Category::Email]), ..Settings::default() };
    assert!(with(settings, &lines).contains("/home/user-1 b.kerr@shop.io"));
    let settings = Settings { allow: BTreeSet::from(["anatol".to_owned()]), ..Settings::default() };
    assert!(with(settings, &lines).contains("/home/anatol person-1@example.com"));
    let fingerprint = found(&lines)[0].fingerprint();
    let settings = Settings { allow_fingerprints: BTreeSet::from([fingerprint]), ..Settings::default() };
    assert!(with(settings, &lines).contains("/home/anatol person-1@example.com"));
}

#[test]
fn a_map_of_the_team_gives_the_numbers() {
    struct Team;
    impl Pseudonyms for Team {
        fn number(&self, category: Category, value: &str) -> Option<u64> {
            (category == Category::User && value == "anatol").then_some(17)
        }
    }
    let settings = Settings { pseudonyms: Some(Arc::new(Team)), ..Settings::default() };
    assert!(with(settings, &[prompt("/home/anatol")]).contains("/home/user-17"));
}

#[test]
fn ids_hashes_and_placeholders_survive() {
    let texts = [
        "commit 3f786850e387550fdab836ed7e6dc881de23001b",
        "token_id: 9f0c2a44-5d7e-4b3a-8c21-0a1b2c3d4e5f",
        "\"integrity\": \"sha512-vH0aPKxRd0nGmOk2YQGqQ3q1ZQ4b3l5XzC0pJ8bq0yV7m9n2w4t6u8A0c2E4g6I8==\"",
        "toolu_01A2b3C4d5E6f7G8h9J0k1L2 msg_01XyZ9a8b7C6d5E4f3G2 req_011CQabcDEF123ghi456",
        "API_KEY=<your key>",
        "API_KEY=${API_KEY}",
        "token = get_token(user_1)",
        "password: string",
        "const token: AccessToken2 = process.env.TOKEN_2",
        "PASSWORD=changeme",
        "postgres://postgres:postgres@localhost:5432/shop",
        "\"input_tokens\": 48213, \"max_tokens\": 4096",
        "-----BEGIN RSA PRIVATE KEY-----",
        "AKIAIOSFODNN7EXAMPLE",
        "secret_key_base: config/secrets.yml",
    ];
    for text in texts {
        assert_eq!(shared(text), text);
    }
}

#[test]
fn values_beside_telling_words_are_likely_in_all_notations() {
    let texts = [
        "DB_PASSWORD=q7Zt0bX9mK2w",
        "export API_TOKEN='q7Zt0bX9mK2wLr5V'",
        r#"{"clientSecret": "q7Zt0bX9mK2wLr5V"}"#,
        "api_key: q7Zt0bX9mK2wLr5V",
        "token = \"q7Zt0bX9mK2wLr5V\"",
        "run --password q7Zt0bX9mK2w",
        "https://x.io/?token=q7Zt0bX9mK2wLr5V&page=2",
        "X-Api-Key: q7Zt0bX9mK2wLr5V",
        "<password>q7Zt0bX9mK2w</password>",
        "the password is q7Zt0bX9mK2w",
        r#"{\"secret\":\"q7Zt0bX9mK2wLr5V\"}"#,
        "CREATE USER a IDENTIFIED BY 'q7Zt0bX9mK2w'",
    ];
    for text in texts {
        let output = shared(text);
        assert!(!output.contains("q7Zt0bX9mK2w"), "{text} became {output}");
    }
}

#[test]
fn what_is_likely_needs_a_decision() {
    let lines = [prompt("DB_PASSWORD=q7Zt0bX9mK2w")];
    let undecided = Tracer::new(findings(detector(), &lines), &Decisions::default()).unwrap_err();
    assert_eq!(undecided.ids, [0]);
    assert_eq!(undecided.findings.list()[0].preview, "q7…2w");
    let decisions = Decisions { likely: None, each: [(0, Choice::Keep)].into() };
    let mut kept = Tracer::new(undecided.findings, &decisions).unwrap().finish();
    assert_eq!(kept.line(lines[0].as_bytes()), lines[0].as_bytes());
    assert_eq!(kept.report().findings[0].replacement, None);
}

#[test]
fn the_report_says_what_was_replaced_and_where_and_gives_nothing_away() {
    let sample = samples::all(1).into_iter().find(|sample| sample.rule == "github-pat-classic").unwrap();
    let lines = [prompt("hello"), prompt(&format!("{0} {0}", sample.secret))];
    let mut replacer = replacer(detector(), &lines);
    for line in &lines {
        replacer.line(line.as_bytes());
    }
    let report = serde_json::to_value(replacer.report()).unwrap();
    let finding = &report["findings"][0];
    assert_eq!(finding["rule"], "github-pat-classic");
    assert_eq!(finding["replaced"], 2);
    assert_eq!(finding["places"][0], json!({"source": "main", "line": 2, "path": "message.content"}));
    assert!(finding["preview"].as_str().unwrap().starts_with("ghp_…"));
    assert!(!report.to_string().contains(&sample.secret));
}

#[test]
fn titles_and_file_names_are_replaced_like_lines() {
    let mut scanner = Scanner::new(detector());
    scanner.look_at_text("name", "-home-anatol-work/notes.jsonl");
    scanner.look("main", 1, prompt("/home/anatol").as_bytes());
    let mut replacer = Tracer::new(scanner.finish(), &Decisions::replace_all()).unwrap().finish();
    assert_eq!(replacer.text("-home-anatol-work/notes.jsonl"), "-home-user-1-work/notes.jsonl");
    assert_eq!(replacer.text("nothing here"), "nothing here");
}

#[test]
fn a_line_that_cannot_be_read_is_left_out_and_reported() {
    let wide: Vec<u8> = prompt("ghp").encode_utf16().flat_map(u16::to_le_bytes).collect();
    let lines = [prompt("a").into_bytes(), wide];
    let mut replacer = replacer(detector(), &lines);
    let output = replacer.line(&lines[1]).into_owned();
    assert!(output.starts_with(b"["), "{output:?}");
    assert_eq!(replacer.report().left_out[0].line, 2);
    assert_eq!(replacer.report().lines_left_out, 1);
}

#[test]
fn a_picture_with_a_secret_in_it_becomes_blank() {
    let sample = samples::all(2).into_iter().find(|sample| sample.rule == "anthropic-api-key").unwrap();
    let mut picture = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR".to_vec();
    picture.extend(std::iter::repeat_n(0xf3, 300));
    picture.extend_from_slice(format!("tEXtComment\0{}\0", sample.secret).as_bytes());
    picture.extend(std::iter::repeat_n(0xf3, 300));
    let encoded = base64::Engine::encode(&base64::engine::general_purpose::STANDARD, &picture);
    let line = json!({"type": "user", "message": {"role": "user", "content": [{"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": encoded}}]}}).to_string();
    let output: serde_json::Value = serde_json::from_str(&share(&[line])[0]).unwrap();
    let data = output["message"]["content"][0]["source"]["data"].as_str().unwrap();
    assert!(data.starts_with("iVBORw0KGgo") && data.len() < 200, "{data}");
}

#[test]
fn text_in_base64_stays_base64() {
    let encoded =
        base64::Engine::encode(&base64::engine::general_purpose::STANDARD, "the log of /home/anatol/work is long");
    let output = shared(&format!("data {encoded} end"));
    let inner = output.trim_start_matches("data ").trim_end_matches(" end");
    let decoded = base64::Engine::decode(&base64::engine::general_purpose::STANDARD, inner).unwrap();
    assert_eq!(String::from_utf8(decoded).unwrap(), "the log of /home/user-1/work is long");
}
