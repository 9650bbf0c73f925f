//! Messages about mistakes in arguments, unreadable files and damaged lines.

use super::REPORTS;
use super::root::{Message, SHOP, report, sandbox, shown, usage};
use crate::sandbox::{Sandbox, steers, without_colours};
use serde_json::json;

#[test]
fn wrong_words_are_refused() {
    let sandbox = sandbox();
    let cases: [(&[&str], &str); 16] = [
        (&["dayly"], "invalid value 'dayly' for '[REPORT]'\n  [possible values: daily, weekly,"),
        (&["--since", "soon"], "recount: --since soon: expected a time such as"),
        (&["--until", "2026-13-01"], "recount: --until 2026-13-01: expected a time such as"),
        (&["--last", "a week"], "recount: --last a week: expected a number of days"),
        (&["--last", "7d", "--since", "2026-08-01"], "cannot be used with"),
        (&["--timezone", "Not/AZone"], "unknown time zone `Not/AZone`, expected one such as Europe/Riga or UTC"),
        (&["--start-of-week", "moonday"], "unknown day `moonday`, expected one from monday to sunday"),
        (&["--billing-day", "32"], "expected a day from 1 to 31"),
        (&["--currency-rate", "0"], "expected the value of a dollar, such as 0.92"),
        (&["--currency", "\u{1b}[2J"], "expected a currency symbol such as € or CHF"),
        (&["--limit", "lots"], "expected a number of rows; the tokens of a five-hour block are --block-limit"),
        (&["blocks", "--block-limit", "lots"], "expected a number of tokens, or \"max\""),
        (&["blocks", "--length", "0"], "invalid value '0' for '--length <HOURS>'"),
        (&["--json", "--csv"], "cannot be used with"),
        (&["tool", "--json=ccusage"], "recount: ccusage has no report like `tool`"),
        (&["run.jsonl", "--root", "elsewhere"], "recount: --root selects all sessions of a config root"),
    ];
    for (arguments, message) in cases {
        let output = usage(&sandbox, arguments).output().unwrap();
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {said}");
        assert!(said.contains(message) && output.stdout.is_empty(), "{arguments:?}: {said}");
        assert!(!said.contains("\u{1b}[2J"), "{arguments:?}");
    }
}

#[test]
fn nothing_to_report_exits_with_1() {
    let sandbox = sandbox();
    insta::assert_snapshot!(shown(&sandbox, &["--since", "2030-01-01"]), @r"
    exit 1
    recount: no usage found
    hint: without --since, --until, --last, --project and --session everything is counted
    ");
    for name in REPORTS {
        usage(&sandbox, &[name, "--project", "nowhere"]).assert().code(1).stdout("");
        usage(&sandbox, &[name, "--project", "nowhere", "--json"]).assert().code(1);
    }
    let empty = report(&sandbox, &["--project", "nowhere"]);
    assert_eq!((&empty["rows"], &empty["totals"]["cost_usd"]), (&json!([]), &json!(0.0)));
    let output = usage(&sandbox, &["--project", "nowhere", "--csv"]).output().unwrap();
    assert_eq!(String::from_utf8(output.stdout).unwrap().lines().count(), 1);
}

#[test]
fn without_any_root_it_says_where_it_looked() {
    insta::assert_snapshot!(shown(&Sandbox::new(), &[]), @r"
    exit 2
    recount: no sessions found: looked in [HERE]/.claude, [HERE]/.config/claude
    hint: set CLAUDE_CONFIG_DIR, or name a file, a folder, or another root with --root
    ");
}

#[test]
fn readable_files_are_reported() {
    let sandbox = sandbox();
    let file = format!(".claude/projects/-home-ana-work-shop/{SHOP}.jsonl");
    let output = usage(&sandbox, &["monthly", &file, "gone.jsonl"]).output().unwrap();
    insta::assert_snapshot!(sandbox.shown(&output), @r"
    exit 2
    Usage by month · 2 Aug 2026 to 6 Aug 2026 · UTC

    month    models   input  output  cache write  cache read   tokens   cost
    2026-08  opus-5  80,010  66,000       12,000      40,000  198,010  $2.15  ██████████
    recount: no such file or folder: gone.jsonl
    hint: check the spelling; without a path, all sessions of the config roots are read
    ");
    insta::assert_snapshot!(shown(&sandbox, &["gone.jsonl"]), @r"
    exit 2
    recount: no such file or folder: gone.jsonl
    hint: check the spelling; without a path, all sessions of the config roots are read
    ");
}

#[cfg(target_os = "linux")]
#[test]
fn read_errors_are_reported() {
    let sandbox = sandbox();
    let file = format!(".claude/projects/-home-ana-work-shop/{SHOP}.jsonl");
    let shown = shown(&sandbox, &["daily", "/proc/self/mem", &file]);
    assert!(shown.starts_with("exit 2\nUsage by day") && shown.contains("\n2026-08-06 "), "{shown}");
    assert!(shown.contains("\nrecount: cannot read: /proc/self/mem: "), "{shown}");
}

#[test]
fn lines_that_cannot_be_counted_are_named() {
    let sandbox = Sandbox::new();
    let negative = Message::new("2", "2026-08-01T10:01:00Z");
    let negative = negative.says("usage", json!({"input_tokens": -5, "output_tokens": 10}));
    let huge = Message::new("3", "2026-08-01T10:02:00Z");
    let huge = huge.says("usage", json!({"input_tokens": 9_000_000_000_000_u64, "output_tokens": 10}));
    let fine = Message::new("1", "2026-08-01T10:00:00Z");
    let cut = &Message::new("5", "2026-08-01T10:03:00Z").line()[..200];
    let lines = [fine.line(), negative.line(), huge.line(), Message::new("4", "yesterday").line()].concat();
    sandbox.write("s/a.jsonl", format!("{lines}{}\n{cut}\"usage\":", r#"{"type":"assistant","message":{"usage":["#));
    insta::assert_snapshot!(shown(&sandbox, &["daily", "s"]), @r"
    exit 0
    Usage by day · 1 Aug 2026 · UTC

    day         models   input  output  cache write  cache read   tokens   cost
    2026-08-01  opus-5  80,000  64,020            0           0  144,020  $2.00  ██████████

    5 lines could not be counted in full:
      s/a.jsonl:2: a negative number of tokens, counted as none
      s/a.jsonl:3: too many tokens for one message, counted as none
      s/a.jsonl:4: no valid time, counted at the time of the line before it, if any
      s/a.jsonl:5: cannot be read: the line ends in the middle of a value (byte 42)
      s/a.jsonl:6: cannot be read: expected a comma or a closing bracket (byte 201)
    ");
    let uncounted = &report(&sandbox, &["daily", "s"])["uncounted"];
    assert_eq!(uncounted["lines"], 5);
    assert_eq!(uncounted["first"][0]["file"], "s/a.jsonl");
    assert_eq!(uncounted["first"][0]["line"], 2);
}

#[test]
fn nothing_in_a_session_steers_the_terminal() {
    let evil = "a\u{1b}]0;owned\u{7}b\u{1b}[2Jc\u{9b}31md\u{202e}e\r\u{8}f\ng";
    let sandbox = Sandbox::new();
    let call = json!([{"type": "tool_use", "id": "t1", "name": evil, "input": {"command": evil}}]);
    let message = |id: &str| {
        let message = Message::new(id, "2026-08-01T10:00:00Z").with("gitBranch", evil).with("sessionId", evil);
        message.with("cwd", format!("/home/{evil}")).says("content", call.clone())
    };
    let agent = message("2").with("isSidechain", true).with("agentId", "a1");
    let lines = [
        message("1").line(),
        message("3").model(evil).with("timestamp", evil).line(),
        message("4").says("usage", json!({"input_tokens": -1})).line(),
    ];
    sandbox.write(".claude/projects/-p/s.jsonl", lines.concat());
    sandbox.write(".claude/projects/-p/s/subagents/agent-a1.jsonl", agent.line());
    sandbox.write(".claude/projects/-p/s/subagents/agent-a1.meta.json", json!({"agentType": evil}).to_string());
    sandbox.write(&format!(".claude/projects/-p/{}.jsonl", evil.replace('/', "")), message("5").line());
    for name in REPORTS {
        for form in [&[][..], &["--breakdown"], &["--csv"], &["--csv", "--breakdown"]] {
            for colours in ["0", "1"] {
                let mut command = usage(&sandbox, &[&[name], form].concat());
                let output = command.env("CLICOLOR_FORCE", colours).env("COLUMNS", "200").output().unwrap();
                let text = String::from_utf8(output.stdout).unwrap() + &String::from_utf8(output.stderr).unwrap();
                // Only our own colours are left.
                let rest = without_colours(&text).replace("\r\n", "\n");
                assert!(!rest.is_empty() && !rest.contains(steers), "{name} {form:?}: {rest:?}");
            }
        }
    }
    let branches = shown(&sandbox, &["branch"]);
    assert!(branches.contains("\\u{1b}"), "what was there is shown as an escape: {branches}");
}
