//! The reports as tables, and their rows.

use super::REPORTS;
use super::root::{SHOP, report, sandbox, shown, usage};
use serde_json::{Value, json};

fn tables(columns: &str) -> String {
    let sandbox = sandbox();
    let tables = REPORTS.map(|name| {
        let output = usage(&sandbox, &[name]).env("COLUMNS", columns).output().unwrap();
        let text = sandbox.shown(&output);
        let wide = text.lines().map(|line| line.chars().count()).max().unwrap();
        assert!(wide <= columns.parse().unwrap(), "{name} is {wide} wide:\n{text}");
        // All reports have the same notes.
        if name == "daily" { text } else { text.split("\n≥  ").next().unwrap().to_owned() }
    });
    tables.concat()
}

#[test]
fn every_report_is_a_table() {
    insta::assert_snapshot!("usage_in_100_columns", tables("100"));
}

#[test]
fn tables_fit_narrow_terminals() {
    insta::assert_snapshot!("usage_in_60_columns", tables("60"));
}

#[test]
fn wide_terminals_show_the_models() {
    let output = usage(&sandbox(), &["session"]).env("COLUMNS", "160").output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("4c1e0f7a  shop    6 Aug 2026 09:20  opus-5, haiku-4-5"), "{text}");
}

#[test]
fn daily_is_the_default_report() {
    let sandbox = sandbox();
    assert_eq!(shown(&sandbox, &[]), shown(&sandbox, &["daily"]));
    let file = format!(".claude/projects/-home-ana-work-shop/{SHOP}.jsonl");
    assert_eq!(shown(&sandbox, &[&file]), shown(&sandbox, &["daily", &file]));
    assert!(shown(&sandbox, &[&file]).starts_with("exit 0\nUsage by day · 2 Aug 2026 to 6 Aug 2026"));
}

#[test]
fn models_are_shown_below_their_rows() {
    insta::assert_snapshot!(shown(&sandbox(), &["project", "--breakdown", "--project", "shop"]), @r"
    exit 0
    Usage by project · 2 Aug 2026 to 6 Aug 2026 · UTC

    project        input  output  cache write  cache read   tokens   cost
    shop         180,010  86,000       12,000      40,000  318,010  $2.35  ██████████
      opus-5      80,010  66,000       12,000      40,000  198,010  $2.15
      haiku-4-5  100,000  20,000            0           0  120,000  $0.20
    ");
}

#[test]
fn the_most_expensive_or_the_latest_come_first_or_alone() {
    let sandbox = sandbox();
    let labels = |arguments: &[&str], field: &str| -> Vec<Value> {
        let report = report(&sandbox, arguments);
        report["rows"].as_array().unwrap().iter().map(|row| row[field].clone()).collect()
    };
    let models = ["claude-opus-5", "claude-haiku-4-5", "claude-opus-4-5", "glm-5.1"];
    assert_eq!(labels(&["model"], "model"), models);
    assert_eq!(labels(&["model", "--order", "desc"], "model"), models);
    assert_eq!(labels(&["model", "--order", "asc", "--limit", "2"], "model"), ["claude-haiku-4-5", "claude-opus-5"]);
    assert_eq!(labels(&["model", "--no-cost", "--limit", "2"], "model"), ["claude-opus-5", "claude-haiku-4-5"]);
    let days = ["2026-08-02", "2026-08-06", "2026-08-08"];
    assert_eq!(labels(&["daily"], "since"), days);
    assert_eq!(labels(&["daily", "--limit", "2"], "since"), days[1..]);
    assert_eq!(labels(&["daily", "--limit", "2", "--order", "desc"], "since"), [days[2], days[1]]);
    let left = shown(&sandbox, &["daily", "--limit", "2"]);
    assert!(left.contains("\n  1 more\n") && left.contains("2 Aug 2026 to 8 Aug 2026"), "{left}");
}

/// The messages that are counted with these flags, by their usage.
#[test]
fn messages_are_chosen_by_time_project_and_session() {
    let sandbox = sandbox();
    let cases: [(&[&str], u64); 15] = [
        (&[], 6),
        (&["--since", "2026-08-06"], 4),
        (&["--since", "20260806", "--until", "20260806"], 2),
        (&["--until", "2026-08-06T09:15:00Z"], 3),
        (&["-s", "2026-08-06T09:15:01Z", "-u", "2026-08-08T10:00"], 2),
        (&["--since", "2026-08-06T05:16", "--timezone", "America/New_York"], 3),
        (&["--last", "500000h"], 6),
        (&["--project", "garden"], 2),
        (&["-p", "work/shop"], 4),
        (&["--project", "/home/ana/work"], 6),
        (&["--project", "nowhere"], 0),
        (&["--session", "4c1e"], 4),
        (&["--session", "4c1e", "--project", "garden"], 0),
        (&["--session", SHOP, "--since", "2026-08-06"], 2),
        (&["--session", "9b2d6e10-7a55-4f3e-9c1d-2e8f0a4b6c7d0"], 0),
    ];
    for (flags, messages) in cases {
        for name in REPORTS {
            let report = report(&sandbox, &[&[name], flags].concat());
            assert_eq!(report["totals"]["messages"], messages, "{name} {flags:?}");
        }
    }
}

#[test]
fn a_folder_means_its_sessions_and_those_below() {
    let sandbox = super::root::sandbox();
    let here = std::fs::canonicalize(sandbox.path("")).unwrap();
    for (session, folder) in [("a", "app"), ("b", "app/web"), ("c", "application")] {
        let message = super::root::Message::new(session, "2026-08-01T10:00:00Z");
        let line = message.with("cwd", here.join(folder).to_str().unwrap()).line();
        sandbox.write(&format!(".claude/projects/-{session}/{session}.jsonl"), line);
        std::fs::create_dir_all(sandbox.path(folder)).unwrap();
    }
    let messages = |arguments: &[&str], folder: &str| {
        let mut command = usage(&sandbox, arguments);
        let output = command.arg("--json").current_dir(sandbox.path(folder)).output().unwrap();
        serde_json::from_slice::<Value>(&output.stdout).unwrap()["totals"]["messages"].clone()
    };
    assert_eq!(messages(&["--project", "."], "app"), 2);
    assert_eq!(messages(&["--project", "./web"], "app"), 1);
    assert_eq!(messages(&["--project", ".."], "app"), 3);
    assert_eq!(messages(&["--project", "."], "application"), 1);
    assert_eq!(messages(&["--project", "app"], "application"), 3);
}

#[test]
fn days_weeks_and_months_follow_the_users_zone_and_settings() {
    let sandbox = sandbox();
    let since = |arguments: &[&str]| -> Vec<Value> {
        let report = report(&sandbox, arguments);
        report["rows"].as_array().unwrap().iter().map(|row| row["since"].clone()).collect()
    };
    assert_eq!(since(&["daily", "-z", "Asia/Tokyo"]), ["2026-08-03", "2026-08-06", "2026-08-08"]);
    assert_eq!(since(&["weekly"]), ["2026-08-02"]);
    assert_eq!(since(&["weekly", "--start-of-week", "monday"]), ["2026-07-27", "2026-08-03"]);
    assert_eq!(since(&["weekly", "--start-of-week", "Thursday"]), ["2026-07-30", "2026-08-06"]);
    assert_eq!(since(&["monthly"]), ["2026-08-01"]);
    assert_eq!(since(&["monthly", "--billing-day", "5"]), ["2026-07-05", "2026-08-05"]);
    assert_eq!(since(&["monthly", "--billing-day", "31"]), ["2026-07-31"]);
    let shown = shown(&sandbox, &["monthly", "--billing-day", "5"]);
    assert!(shown.contains("\n2026-07-05 ") && shown.contains("\n2026-08-05 "), "{shown}");
}

#[test]
fn the_last_days_are_counted_from_now() {
    let sandbox = super::root::sandbox();
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap().as_millis();
    let now = i64::try_from(now).unwrap();
    for (id, days) in [("now", 0), ("week", 6), ("long-ago", 30)] {
        let at = testkit::clock::iso(now - days * 24 * 3_600_000);
        let message = super::root::Message::new(id, &at).with("sessionId", "recent");
        sandbox.write(&format!(".claude/projects/-recent/{id}.jsonl"), message.line());
    }
    let messages = |span: &str| report(&sandbox, &["--project", "shop", "--last", span])["totals"]["messages"].clone();
    assert_eq!(messages("1d"), 1);
    assert_eq!(messages("7d"), 2);
    assert_eq!(messages("1w"), 2);
    assert_eq!(messages("1h"), 1);
}

#[test]
fn costs_are_left_out_or_shown_in_another_currency() {
    let sandbox = sandbox();
    insta::assert_snapshot!(shown(&sandbox, &["model", "--no-cost"]), @r"
    exit 0
    Usage by model · 2 Aug 2026 to 8 Aug 2026 · UTC

    model               input  output  cache write  cache read   tokens
    claude-opus-5      80,010  66,000       12,000      40,000  198,010  ██████████
    claude-haiku-4-5  100,000  20,000            0           0  120,000  ██████
    claude-opus-4-5         3       1            0      20,000   20,004  █
    glm-5.1             5,000     500            0           0    5,500  ▎
    ───────────────────────────────────────────────────────────────────
    total             185,013  86,501       12,000      60,000  343,514
    ");
    insta::assert_snapshot!(shown(&sandbox, &["tool", "--no-cost"]), @r"
    exit 0
    Usage by tool, estimated · 2 Aug 2026 to 8 Aug 2026 · UTC

    tool  calls  in inputs  in results
    Bash      1     32,000       5,400  ██████████

    An estimate: the context is attributed to tools by the size of their inputs and results, and every
    request pays for its whole context.
    ");
    let euros = shown(&sandbox, &["session", "--currency-rate", "0.92", "--currency", "€"]);
    assert!(euros.contains("€2.16") && !euros.contains('$'), "{euros}");
    let report = report(&sandbox, &["session", "--currency-rate", "0.92", "--currency", "€"]);
    assert_eq!(report["currency"], json!({"sign": "€", "per_dollar": 0.92}));
    assert_eq!(report["totals"]["cost_usd"], super::root::report(&sandbox, &["daily"])["totals"]["cost_usd"]);
}

#[test]
fn one_row_needs_no_total() {
    let shown = shown(&sandbox(), &["monthly"]);
    assert!(!shown.contains("total"), "{shown}");
}
