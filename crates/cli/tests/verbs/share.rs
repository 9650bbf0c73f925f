//! `recount share` from the outside: what is written, what stops it, and the report.

use std::fs;
use std::process::Output;

use serde_json::{Value, json};

use crate::sandbox::Sandbox;

const SESSION: &str = "11111111-1111-4111-8111-111111111111";

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// A session with a token, a password and private things.
fn sandbox(prompt: &str) -> Sandbox {
    let sandbox = Sandbox::new();
    let line = json!({"type": "user", "uuid": "u1", "sessionId": SESSION, "cwd": "/home/anatol/shop",
        "timestamp": "2026-08-08T09:00:00.000Z", "message": {"role": "user", "content": prompt}});
    sandbox.write(&format!(".claude/projects/-home-anatol-shop/{SESSION}.jsonl"), format!("{line}\n"));
    sandbox
}

fn run(sandbox: &Sandbox, arguments: &[&str]) -> Output {
    sandbox.recount(arguments).output().unwrap()
}

/// A key of Google by its form; none stands in the repository.
fn key() -> String {
    format!("AIzaSy{}", "q7Zt0bX9mK2wLr5VnB8cD3fG6hJ1kP4sT")
}

#[test]
fn a_page_is_written_beside_and_the_report_says_what_was_replaced() {
    let sandbox = sandbox(&format!("the key is {}, ask b.kerr@shop.io", key()));
    let output = run(&sandbox, &["share", "last"]);
    let (report, said) = (text(&output.stdout), text(&output.stderr));
    assert_eq!(output.status.code(), Some(0), "{report}{said}");
    assert!(report.starts_with("written: 11111111.html\n"), "{report}");
    assert!(report.contains("[gcp-api-key 1]") && report.contains("certain"), "{report}");
    assert!(report.contains("user-1") && report.contains("person-1@example.com"), "{report}");
    assert!(report.contains(&format!("{SESSION}.jsonl:1 message.content")), "{report}");
    assert!(!report.contains(&key()) && !report.contains("anatol"), "{report}");
    let page = fs::read_to_string(sandbox.path("11111111.html")).unwrap();
    for private in [key().as_str(), "anatol", "b.kerr"] {
        assert!(!page.contains(private), "{private}");
    }
    assert!(page.contains("[gcp-api-key 1]") && page.contains("/home/user-1/shop"));
    // Another run does not replace it.
    let again = run(&sandbox, &["share", "last"]);
    assert!(text(&again.stdout).starts_with("written: 11111111-2.html\n"));
}

#[test]
fn a_likely_secret_stops_the_writing_with_a_list_and_what_to_do() {
    let sandbox = sandbox("DB_PASSWORD=q7Zt0bX9mK2w");
    let output = run(&sandbox, &["share", "last", "-o", "out.html"]);
    let said = text(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(said.contains("env-password-assignment") && said.contains("q7…2w"), "{said}");
    assert!(said.contains("nothing was written: 1 value is likely a secret"), "{said}");
    assert!(said.contains("--review") && said.contains("--yes"), "{said}");
    assert!(!said.contains("q7Zt0bX9mK2w") && !sandbox.path("out.html").exists());
    let json: Value = serde_json::from_slice(&run(&sandbox, &["share", "last", "--json"]).stdout).unwrap();
    assert_eq!((json["schema"].as_str(), json["files"].as_array().map(Vec::len)), (Some("recount.share/1"), Some(0)));
    assert_eq!(json["findings"][0]["decision"], "undecided");
    let output = run(&sandbox, &["share", "last", "-o", "out.html", "--yes", "--json"]);
    let json: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(json["files"][0], "out.html");
    assert_eq!(json["findings"][0]["replacement"], "[password 1]");
    assert!(!fs::read_to_string(sandbox.path("out.html")).unwrap().contains("q7Zt0bX9mK2w"));
}

#[test]
fn a_review_keeps_replaces_and_remembers() {
    let sandbox = sandbox("DB_PASSWORD=q7Zt0bX9mK2w API_TOKEN=Zt0bX9mK2wLr5Vq7");
    let review = |answers: &str| {
        let mut command = sandbox.recount(&["share", "last", "--review", "--format", "jsonl", "-o", "-"]);
        command.write_stdin(answers).output().unwrap()
    };
    // What is not answered is not decided.
    let stopped = review("r\n");
    assert_eq!((stopped.status.code(), stopped.stdout.len()), (Some(1), 0));
    let output = review("nonsense\nreplace\nk\n");
    let lines = text(&output.stdout);
    assert!(lines.contains("DB_PASSWORD=[password 1] API_TOKEN=Zt0bX9mK2wLr5Vq7"), "{lines}");
    let said = text(&output.stderr);
    assert!(said.contains("1 of 2") && said.contains("q7Zt0bX9mK2w") && said.contains("kept: "), "{said}");
    // A value that is always kept is not asked about again, and is not stored.
    assert_eq!(review("r\na\n").status.code(), Some(0));
    let kept = sandbox.path(".local/share/recount/kept-values");
    assert!(!fs::read_to_string(&kept).unwrap().contains("Zt0bX9mK2wLr5Vq7"));
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        assert_eq!(fs::metadata(&kept).unwrap().permissions().mode() & 0o777, 0o600);
    }
    let output = review("r\n");
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    assert!(text(&output.stdout).contains("DB_PASSWORD=[password 1] API_TOKEN=Zt0bX9mK2wLr5Vq7"));
}

#[test]
fn categories_are_kept_and_own_words_replaced() {
    let sandbox = sandbox("project Bluebird, CASE-1234, b.kerr@shop.io");
    sandbox.write(
        ".config/recount/config.toml",
        "[redact]\nkeep = [\"users\"]\nwords = [\"bluebird\"]\npatterns = ['CASE-\\d+']\n",
    );
    let shared = |more: &[&str]| {
        let output = run(&sandbox, &[&["share", "last", "--format", "jsonl", "-o", "-"], more].concat());
        assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
        text(&output.stdout)
    };
    assert!(shared(&[]).contains("project [private 1], [private 2], person-1@example.com"));
    assert!(shared(&["--keep", "emails"]).contains("project [private 1], [private 2], b.kerr@shop.io"));
    assert!(shared(&[]).contains("/home/anatol/shop"));
    let wrong = run(&sandbox, &["share", "last", "--keep", "secrets"]);
    assert_eq!(wrong.status.code(), Some(2));
}

#[test]
fn lines_come_with_those_of_agents_and_are_read_again() {
    let sandbox = sandbox("start");
    let folder = format!(".claude/projects/-home-anatol-shop/{SESSION}");
    let line = json!({"type": "user", "uuid": "u2", "sessionId": SESSION, "agentId": "a1", "isSidechain": true,
        "timestamp": "2026-08-08T09:00:01.000Z", "message": {"role": "user", "content": "look in /home/anatol"}});
    sandbox.write(&format!("{folder}/subagents/agent-a1.jsonl"), format!("{line}\n"));
    sandbox.write(
        &format!("{folder}/subagents/agent-a1.meta.json"),
        r#"{"agentType":"Explore","description":"ask anatol"}"#,
    );
    sandbox.write(&format!("{folder}/tool-results/b1.txt"), "output of anatol\n");
    let output = run(&sandbox, &["share", "last", "--format", "jsonl", "-o", "copy.jsonl"]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let written = |name: &str| fs::read_to_string(sandbox.path(name)).unwrap();
    assert!(written("copy/subagents/agent-a1.jsonl").contains("look in /home/user-1"));
    assert!(written("copy/subagents/agent-a1.meta.json").contains("ask user-1"));
    assert_eq!(written("copy/tool-results/b1.txt"), "output of user-1\n");
    let shown = text(&run(&sandbox, &["show", "copy.jsonl", "--thread", "all"]).stdout);
    assert!(shown.contains("look in /home/user-1"), "{shown}");
    let piped = run(&sandbox, &["share", "last", "--format", "jsonl", "-o", "-"]);
    assert!(text(&piped.stderr).contains("3 files of its agents and large outputs are not written"));
}

#[test]
fn a_line_that_is_neither_json_nor_text_is_left_out_and_named() {
    let sandbox = sandbox("start");
    let wide: Vec<u8> = "{\"type\":\"user\",\"uuid\":\"u2\"}".encode_utf16().flat_map(u16::to_le_bytes).collect();
    let path = format!(".claude/projects/-home-anatol-shop/{SESSION}.jsonl");
    let mut bytes = fs::read(sandbox.path(&path)).unwrap();
    bytes.extend(wide);
    sandbox.write(&path, bytes);
    let output = run(&sandbox, &["share", "last", "-o", "out.html"]);
    let report = text(&output.stdout);
    assert!(report.contains(&format!("left out: line 2 of {SESSION}.jsonl is neither JSON nor text")), "{report}");
}

#[test]
fn cat_and_export_redact_as_well() {
    let sandbox = sandbox("DB_PASSWORD=q7Zt0bX9mK2w");
    for arguments in [&["cat", "last", "--redact"][..], &["export", "html", "site", "--redact"]] {
        let refused = run(&sandbox, arguments);
        assert_eq!((refused.status.code(), refused.stdout.len()), (Some(1), 0), "{arguments:?}");
    }
    let lines = run(&sandbox, &["cat", "last", "--redact", "--yes"]);
    assert_eq!(lines.status.code(), Some(0));
    let printed: Value = serde_json::from_slice(&lines.stdout).unwrap();
    assert_eq!(printed["message"]["content"], "DB_PASSWORD=[password 1]");
    assert!(text(&lines.stderr).contains("[password 1]"));
    let exported = run(&sandbox, &["export", "html", "site", "--redact", "--yes"]);
    assert_eq!(exported.status.code(), Some(0), "{}", text(&exported.stderr));
    let mut files = Vec::new();
    collect(&sandbox.path("site"), &mut files);
    assert!(files.len() > 2);
    for file in &files {
        let content = text(&fs::read(file).unwrap());
        assert!(!content.contains("q7Zt0bX9mK2w") && !content.contains("anatol"), "{}", file.display());
        assert!(!file.to_string_lossy().contains("anatol"), "{}", file.display());
    }
    // Another run replaces it, and a plain export writes everything again.
    assert!(text(&run(&sandbox, &["export", "html", "site", "--redact", "-y"]).stdout).contains("1 session written"));
    assert!(text(&run(&sandbox, &["export", "html", "site"]).stdout).contains("1 session written"));
    let wrong = run(&sandbox, &["cat", "last", "--yes"]);
    assert_eq!(wrong.status.code(), Some(2));
}

fn collect(folder: &std::path::Path, files: &mut Vec<std::path::PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() { collect(&path, files) } else { files.push(path) }
    }
}
