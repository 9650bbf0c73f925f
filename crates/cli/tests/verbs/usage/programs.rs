//! The machine-readable reports: `--json` and `--csv`.

use super::REPORTS;
use super::root::{GARDEN, Message, SHOP, report, sandbox, shown, usage};
use crate::sandbox::Sandbox;
use serde_json::{Value, json};
use testkit::root::{RootOptions, write_root};

/// The sum of a field over rows; money in millionths of a dollar, so that it can be compared exactly.
fn sum(rows: &[Value], field: &str) -> i64 {
    let number = |row: &Value| {
        let value = row[field].as_f64().unwrap();
        if field.starts_with("cost") { value * 1e6 } else { value }
    };
    #[expect(clippy::cast_possible_truncation, reason = "they are small")]
    let rounded = rows.iter().map(number).sum::<f64>().round() as i64;
    rounded
}

const FIELDS: [&str; 9] = [
    "messages",
    "input_tokens",
    "output_tokens",
    "cache_write_tokens",
    "cache_write_1h_tokens",
    "cache_read_tokens",
    "total_tokens",
    "web_searches",
    "cost_usd",
];

/// Checks that the rows add up to the totals, and the parts of each row to the row. Returns the totals.
fn checked_totals(report: &Value) -> Value {
    let name = report["report"].as_str().unwrap();
    let totals = &report["totals"];
    let all = std::slice::from_ref(totals);
    let parts = |sums: &Value| -> Vec<Value> {
        ["exact", "managed", "computed", "low", "unknown"]
            .iter()
            .map(|quality| sums["parts"][quality].clone())
            .collect()
    };
    assert_eq!(sum(&parts(totals), "cost_usd"), sum(all, "cost_usd"), "{name}");
    match name {
        "tool" => {
            let rows = report["rows"].as_array().unwrap();
            let off = sum(rows, "cost_usd_estimated") - sum(all, "cost_usd");
            assert!(off.abs() <= 1, "{name}: {off} millionths are lost");
        }
        "blocks" => {
            let blocks = report["blocks"].as_array().unwrap().iter().filter(|block| block["kind"] == "block");
            let blocks: Vec<Value> = blocks.map(|block| block["totals"].clone()).collect();
            let outside = std::slice::from_ref(&report["outside_blocks"]);
            for (field, brief) in [("messages", "messages"), ("total_tokens", "tokens"), ("cost_usd", "cost_usd")] {
                assert_eq!(sum(&blocks, field) + sum(outside, brief), sum(all, field), "{name}: {field}");
            }
        }
        _ => {
            let rows = report["rows"].as_array().unwrap();
            for field in FIELDS {
                assert_eq!(sum(rows, field), sum(all, field), "{name}: {field}");
            }
            for row in rows {
                let models = row["models"].as_array().unwrap();
                for field in FIELDS {
                    assert_eq!(sum(models, field), sum(std::slice::from_ref(row), field), "{name}: {field} by model");
                }
                for field in ["messages", "tokens", "cost_usd"] {
                    let whole = if field == "tokens" { "total_tokens" } else { field };
                    assert_eq!(sum(&parts(row), field), sum(std::slice::from_ref(row), whole), "{name}: {field}");
                }
            }
        }
    }
    totals.clone()
}

#[test]
fn every_report_has_the_same_totals() {
    let sandbox = sandbox();
    let totals = REPORTS.map(|name| checked_totals(&report(&sandbox, &[name])));
    for (name, other) in REPORTS.iter().zip(&totals) {
        assert_eq!(*other, totals[0], "{name}");
    }
    assert_eq!(totals[0]["messages"], 6);
    assert_eq!(totals[0]["quality"], "unknown");
}

#[test]
fn a_large_root_has_the_same_totals_in_every_report() {
    let sandbox = Sandbox::new();
    let options = RootOptions { seed: 5, bytes: 4_000_000, ..RootOptions::default() };
    write_root(&sandbox.path(".claude"), &options).unwrap();
    let totals = REPORTS.map(|name| checked_totals(&report(&sandbox, &[name])));
    assert!(totals[0]["messages"].as_u64() > Some(300), "{}", totals[0]);
    for (name, other) in REPORTS.iter().zip(&totals) {
        assert_eq!(*other, totals[0], "{name}");
    }
    for threads in ["1", "3"] {
        assert_eq!(report(&sandbox, &["session"]), report(&sandbox, &["session", "--threads", threads]));
    }
}

#[test]
fn rows_name_their_subject() {
    let sandbox = sandbox();
    let labels = |name: &str, fields: &[&str]| -> Value {
        let report = report(&sandbox, &[name]);
        let label = |row: &Value| fields.iter().map(|field| row[field].clone()).collect::<Value>();
        report["rows"].as_array().unwrap().iter().map(label).collect()
    };
    let (shop, garden) = ("/home/ana/work/shop", "/home/ana/work/garden");
    assert_eq!(labels("session", &["session", "project"]), json!([[SHOP, shop], [GARDEN, garden]]));
    assert_eq!(labels("project", &["project"]), json!([[shop], [garden]]));
    let branches = json!([["feat/retry", shop], ["main", shop], ["roses", garden]]);
    assert_eq!(labels("branch", &["branch", "project"]), branches);
    assert_eq!(labels("agent", &["agent", "agent_type"]), json!([["main", null], ["subagent", "Explore"]]));
    assert_eq!(labels("tool", &["tool", "calls"]), json!([[null, 0], ["Bash", 1]]));
    let of_session = report(&sandbox, &["agent", "--session", SHOP]);
    assert_eq!(of_session["rows"][1]["agent_id"], "a3f1");
    let session = &report(&sandbox, &["session"])["rows"][0];
    assert_eq!(session["subagents"], json!({"messages": 1, "tokens": 120_000, "cost_usd": 0.2}));
    assert_eq!(
        [&session["first_message"], &session["last_message"]],
        ["2026-08-02T22:30:00.000Z", "2026-08-06T09:20:00.000Z"]
    );
    assert_eq!(report(&sandbox, &["daily", "--limit", "1"])["left_out"], 2);
}

#[test]
fn figures_state_their_quality() {
    let sandbox = sandbox();
    let report = report(&sandbox, &["model"]);
    let qualities: Vec<_> = report["rows"].as_array().unwrap().iter().map(|row| row["quality"].clone()).collect();
    assert_eq!(qualities, ["computed", "computed", "low", "unknown"]);
    assert_eq!(report["unknown_models"], json!([{"model": "glm-5.1", "messages": 1, "tokens": 5_500}]));
    assert_eq!(report["totals"]["parts"]["low"]["messages"], 1);
}

#[test]
fn no_cost_removes_every_cost() {
    let sandbox = sandbox();
    for name in REPORTS {
        for form in ["--json", "--csv"] {
            let with = shown(&sandbox, &[name, form]);
            let without = shown(&sandbox, &[name, form, "--no-cost"]);
            let costs = without.lines().filter(|line| line.contains("cost"));
            let is_empty = |line: &str| line.trim_end_matches(',').ends_with(": null");
            assert!(with.contains("cost_usd"), "{name} {form}: {with}");
            assert!(costs.clone().all(is_empty), "{name} {form}: {:?}", costs.collect::<Vec<_>>());
        }
    }
}

#[test]
fn rows_are_lines_for_spreadsheets() {
    let sandbox = sandbox();
    let csv = |arguments: &[&str]| {
        let output = usage(&sandbox, arguments).arg("--csv").output().unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        assert!(text.lines().count() > 1 && text.ends_with("\r\n") && !text.replace("\r\n", "").contains('\n'));
        text.replace("\r\n", "\n")
    };
    insta::assert_snapshot!(csv(&["session"]), @r"
    session,project,messages,input_tokens,output_tokens,cache_write_tokens,cache_write_1h_tokens,cache_read_tokens,total_tokens,cost_usd,cost_usd_low_part,tokens_without_price,last_message
    4c1e0f7a-2b3c-4d5e-8f90-a1b2c3d4e5f6,/home/ana/work/shop,4,180010,86000,12000,0,40000,318010,2.34505,0,0,2026-08-06T09:20:00.000Z
    9b2d6e10-7a55-4f3e-9c1d-2e8f0a4b6c7d,/home/ana/work/garden,2,5003,501,0,0,20000,25504,0.01004,0.01004,5500,2026-08-08T10:05:00.000Z
    ");
    insta::assert_snapshot!(csv(&["agent", "--breakdown"]), @r"
    agent,agent_id,model,messages,input_tokens,output_tokens,cache_write_tokens,cache_write_1h_tokens,cache_read_tokens,total_tokens,cost_usd,cost_usd_low_part,tokens_without_price,last_message
    (main),,claude-opus-5,3,80010,66000,12000,0,40000,198010,2.14505,0,0,2026-08-06T09:15:00.000Z
    (main),,claude-opus-4-5,1,3,1,0,0,20000,20004,0.01004,0.01004,0,2026-08-08T10:05:00.000Z
    (main),,glm-5.1,1,5000,500,0,0,0,5500,0,0,5500,2026-08-08T10:00:00.000Z
    Explore,,claude-haiku-4-5,1,100000,20000,0,0,0,120000,0.2,0,0,2026-08-06T09:20:00.000Z
    ");
    assert!(csv(&["agent", "--session", SHOP]).contains("\nExplore,a3f1,1,100000,"));
    insta::assert_snapshot!(csv(&["tool"]), @r"
    tool,calls,input_tokens_estimated,result_tokens_estimated,cost_usd_estimated
    (conversation),0,0,0,1.500481020204
    Bash,1,32000,5400,0.854608979796
    ");
    insta::assert_snapshot!(csv(&["blocks"]), @r"
    start,end,active,messages,input_tokens,output_tokens,cache_write_tokens,cache_write_1h_tokens,cache_read_tokens,total_tokens,cost_usd,cost_usd_low_part,tokens_without_price,last_message
    2026-08-02T22:00:00.000Z,2026-08-03T03:00:00.000Z,false,2,40010,34000,12000,0,40000,126010,1.14505,0,0,2026-08-02T22:31:00.000Z
    2026-08-06T09:00:00.000Z,2026-08-06T14:00:00.000Z,false,2,140000,52000,0,0,0,192000,1.2,0,0,2026-08-06T09:20:00.000Z
    2026-08-08T10:00:00.000Z,2026-08-08T15:00:00.000Z,false,2,5003,501,0,0,20000,25504,0.01004,0.01004,5500,2026-08-08T10:05:00.000Z
    ");
    // Every line has as many cells as there are headings.
    for name in REPORTS {
        let text = csv(&[name, "--breakdown"]);
        let cells: Vec<usize> = text.lines().map(|line| line.split(',').count()).collect();
        assert!(cells.iter().all(|count| *count == cells[0]), "{name}: {text}");
    }
}

#[test]
fn json_has_all_the_documented_fields() {
    let sandbox = sandbox();
    let documented = include_str!("../../../../../docs/usage-json.md");
    for name in REPORTS {
        check_documented(&report(&sandbox, &[name]), documented);
        let csv = shown(&sandbox, &[name, "--csv"]);
        for heading in csv.lines().nth(1).unwrap().split(',') {
            assert!(documented.contains(&format!("`{heading}`")), "{name}: {heading} is not documented");
        }
    }
}

fn check_documented(value: &Value, documented: &str) {
    match value {
        Value::Object(fields) => {
            for (field, value) in fields {
                assert!(documented.contains(&format!("`{field}`")), "{field} is not documented");
                check_documented(value, documented);
            }
        }
        Value::Array(items) => items.iter().for_each(|item| check_documented(item, documented)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

/// A run of `claude -p --output-format stream-json`: the result states the cost, including models without messages.
#[test]
fn a_run_can_be_piped_in() {
    let sandbox = Sandbox::new();
    let message = Message::new("1", "").with("session_id", "run").says("stop_reason", Value::Null);
    let mut line: Value = serde_json::from_str(&message.line()).unwrap();
    for field in ["sessionId", "timestamp", "requestId", "version", "gitBranch", "cwd", "isSidechain"] {
        line.as_object_mut().unwrap().remove(field);
    }
    let init =
        json!({"type": "system", "subtype": "init", "session_id": "run", "cwd": "/home/ana/work/shop", "uuid": "i"});
    let result = json!({
        "type": "result", "subtype": "success", "session_id": "run", "uuid": "e", "total_cost_usd": 1.25,
        "modelUsage": {
            "claude-opus-5": {"inputTokens": 40_000, "outputTokens": 32_000, "costUSD": 1.0},
            "claude-haiku-4-5": {"inputTokens": 250_000, "outputTokens": 0, "costUSD": 0.25},
        },
    });
    let run = format!("{init}\n{line}\n{result}\n");
    let output = usage(&sandbox, &["daily", "-", "--json"]).write_stdin(run.clone()).output().unwrap();
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(report["totals"]["cost_usd"], 1.25);
    assert_eq!(report["totals"]["quality"], "exact");
    assert_eq!(report["totals"]["total_tokens"], 322_000);
    let output = usage(&sandbox, &["-"]).write_stdin(run).output().unwrap();
    insta::assert_snapshot!(sandbox.shown(&output), @"
    exit 0
    Usage by day · UTC

    day      models               input  output  cache write  cache read   tokens   cost
    no date  opus-5, haiku-4-5  290,000  32,000            0           0  322,000  $1.25  ██████████

    $0.25 of it is only in the totals that sessions state: titles, summaries, hooks, permission checks
    and stopped calls leave no lines.
    ");
}
