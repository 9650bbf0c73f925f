//! Five-hour windows: closed ones and the current one.

use std::time::{SystemTime, UNIX_EPOCH};

use super::root::{Message, report, sandbox, shown};
use crate::sandbox::Sandbox;
use serde_json::{Value, json};
use testkit::clock;

const MINUTE: i64 = 60_000;

fn now() -> i64 {
    i64::try_from(SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_millis()).unwrap()
}

/// A root with a block of $3 long ago, and $2 in the last twenty minutes.
fn busy() -> Sandbox {
    let sandbox = Sandbox::new();
    let now = now();
    let old = (1..4).map(|hour| Message::new(&format!("old-{hour}"), &format!("2026-08-01T0{hour}:00:00Z")).line());
    let new = [20, 1].map(|ago| Message::new(&format!("new-{ago}"), &clock::iso(now - ago * MINUTE)).line());
    sandbox.write(".claude/projects/-shop/a.jsonl", old.chain(new).collect::<String>());
    sandbox
}

#[test]
fn the_open_block_is_projected() {
    let sandbox = busy();
    let report = report(&sandbox, &["blocks", "--active", "--block-limit", "max"]);
    let blocks = report["blocks"].as_array().unwrap();
    let [block] = blocks.as_slice() else { panic!("{blocks:#?}") };
    assert_eq!((&block["active"], &block["totals"]["cost_usd"]), (&json!(true), &json!(2.0)));
    // Two dollars and 144,000 tokens in 19 minutes.
    assert!((block["burn"]["cost_usd_per_hour"].as_f64().unwrap() - 2.0 * 60.0 / 19.0).abs() < 1e-6, "{block:#}");
    assert!((block["burn"]["tokens_per_minute"].as_f64().unwrap() - 144_000.0 / 19.0).abs() < 1e-6, "{block:#}");
    let left = block["projection"]["remaining_minutes"].as_f64().unwrap();
    assert!((219.0..=281.0).contains(&left), "{left} minutes left");
    let expected = 144_000.0 * (1.0 + left / 19.0);
    let projected = block["projection"]["total_tokens"].as_f64().unwrap();
    assert!((projected - expected).abs() < 144_000.0 / 19.0 * 1.1, "{projected}, not about {expected}");
    // The largest closed block had three messages.
    assert!((block["of_limit"].as_f64().unwrap() - 2.0 / 3.0).abs() < 1e-9);
    assert_eq!(report["totals"]["cost_usd"], 5.0);
}

#[test]
fn the_open_block_is_shown() {
    let sandbox = busy();
    let shown = shown(&sandbox, &["blocks", "--active", "--block-limit", "max"]);
    let begins = [
        "exit 0",
        "Usage in five-hour blocks · ",
        "",
        "block ",
        // The block itself, which begins with a date.
        "",
        "",
        "open now  ",
        "burning   7,579 tokens a minute, $6.32 an hour",
        "by ",
        "limit     72,000 of 216,000 tokens left",
    ];
    let lines: Vec<_> = shown.lines().collect();
    assert_eq!(lines.len(), begins.len(), "{shown}");
    for (line, begin) in lines.iter().zip(begins) {
        assert!(line.starts_with(begin), "`{line}` begins with `{begin}`");
    }
    assert!(lines[4].contains(":00 – ") && lines[4].contains("  open  ") && lines[4].contains("66.7 %"), "{shown}");
    assert!(lines[8].ends_with(" at this rate") && lines[8].contains(" % of the limit), $"), "{shown}");
    let without_cost = super::root::shown(&sandbox, &["blocks", "--active", "--no-cost"]);
    assert!(
        !without_cost.contains('$') && without_cost.contains("burning   7,579 tokens a minute\n"),
        "{without_cost}"
    );
}

#[test]
fn a_block_may_have_another_length_and_order() {
    let sandbox = busy();
    let starts = |arguments: &[&str]| -> Vec<Value> {
        let report = report(&sandbox, &[&["blocks", "--until", "2026-08-02"], arguments].concat());
        let blocks = report["blocks"].as_array().unwrap().iter();
        blocks.map(|block| block[if block["kind"] == "gap" { "from" } else { "start" }].clone()).collect()
    };
    let hour = |hour: i64| json!(format!("2026-08-01T0{hour}:00:00.000Z"));
    assert_eq!(starts(&[]), [hour(1)]);
    assert_eq!(starts(&["--length", "2"]), [hour(1)]);
    assert_eq!(starts(&["--length", "1"]), [hour(1), hour(3)]);
    assert_eq!(starts(&["--session-length", "1", "--order", "desc"]), [hour(3), hour(1)]);
    assert_eq!(starts(&["--length", "1", "--limit", "1"]), [hour(3)]);
    let shown = shown(&sandbox, &["blocks", "--length", "2", "--until", "2026-08-02"]);
    assert!(shown.starts_with("exit 0\nUsage in blocks of 2 hours · 1 Aug 2026"), "{shown}");
}

#[test]
fn limits_that_were_reached_are_shown() {
    let sandbox = Sandbox::new();
    let notice = Message::new("2", "2026-08-01T02:00:00Z").model("<synthetic>").with("isApiErrorMessage", true);
    let text = "Claude AI usage limit reached|1785560400";
    let notice = notice.says("content", json!([{"type": "text", "text": text}])).used(0, 0, 0, 0);
    let lines = Message::new("1", "2026-08-01T01:30:00Z").line() + &notice.line();
    sandbox.write(".claude/projects/-shop/a.jsonl", lines);
    insta::assert_snapshot!(shown(&sandbox, &["blocks"]), @r"
    exit 0
    Usage in five-hour blocks · 1 Aug 2026 · UTC

    block                                         models  tokens   cost
    1 Aug 2026 01:00 – 06:00  limit, until 05:00  opus-5  72,000  $1.00  ██████████
    ");
    assert_eq!(report(&sandbox, &["blocks"])["blocks"][0]["limit_resets"], "2026-08-01T05:00:00.000Z");
    let of_ccusage = shown(&sandbox, &["blocks", "--json=ccusage"]);
    assert!(of_ccusage.contains("\"usageLimitResetTime\": \"2026-08-01T05:00:00.000Z\""), "{of_ccusage}");
}

#[test]
fn usage_without_a_time_is_in_no_block() {
    let sandbox = Sandbox::new();
    let lines = Message::new("1", "some day").line() + &Message::new("2", "2026-08-01T01:30:00Z").line();
    sandbox.write(".claude/projects/-shop/a.jsonl", lines);
    insta::assert_snapshot!(shown(&sandbox, &["blocks"]), @r"
    exit 0
    Usage in five-hour blocks · 1 Aug 2026 · UTC

    block                     models  tokens   cost
    1 Aug 2026 01:00 – 06:00  opus-5  72,000  $1.00  ██████████

    72,000 tokens, $1.00 are in no block: their time is unknown.

    1 line could not be counted in full:
      .claude/projects/-shop/a.jsonl:1: no valid time, counted at the time of the line before it, if any
    ");
    assert_eq!(
        report(&sandbox, &["blocks"])["outside_blocks"],
        json!({"messages": 1, "tokens": 72_000, "cost_usd": 1.0})
    );
}

#[test]
fn a_missing_open_block_is_reported() {
    insta::assert_snapshot!(shown(&sandbox(), &["blocks", "--active"]), @r"
    exit 1
    recount: no block is open now
    hint: without --active all blocks are shown
    ");
    let report = report(&sandbox(), &["blocks", "--active"]);
    assert_eq!(report["blocks"], json!([]));
}

#[test]
fn a_projection_is_judged_as_ccusage_does() {
    let sandbox = busy();
    let output = shown(&sandbox, &["blocks", "--active", "--json=ccusage", "--block-limit", "10000000"]);
    let report: Value = serde_json::from_str(output.strip_prefix("exit 0\n").unwrap()).unwrap();
    let block = &report["blocks"][0];
    let fields = |value: &Value| value.as_object().unwrap().keys().cloned().collect::<Vec<_>>();
    assert_eq!(fields(&block["burnRate"]), ["costPerHour", "tokensPerMinute", "tokensPerMinuteForIndicator"]);
    assert_eq!(fields(&block["projection"]), ["remainingMinutes", "totalCost", "totalTokens"]);
    assert_eq!(fields(&block["tokenLimitStatus"]), ["limit", "percentUsed", "projectedUsage", "status"]);
    assert_eq!(block["tokenLimitStatus"]["status"], "ok");
    assert_eq!(block["isActive"], true);
}
