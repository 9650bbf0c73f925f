//! `recount statusline` from the outside: its output, and that nothing makes it fail.

use std::fs::{self, File};
use std::io::Write as _;
use std::path::PathBuf;
use std::time::{SystemTime, UNIX_EPOCH};

use crate::sandbox::Sandbox;
use assert_cmd::Command;
use serde_json::{Value, json};
use testkit::clock;

const MINUTE: i64 = 60 * 1000;
const HOUR: i64 = 60 * MINUTE;

/// A user in a zone where it is about noon.
struct User {
    sandbox: Sandbox,
    now: i64,
}

impl User {
    fn new() -> Self {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_millis();
        Self { sandbox: Sandbox::new(), now: i64::try_from(now).unwrap() }
    }

    /// A time zone in which it is this hour.
    fn zone_at(&self, hour: i64) -> String {
        let west = self.now / HOUR % 24 - hour;
        format!("LOC{}", if west > 12 { west - 24 } else { west })
    }

    fn transcript(&self, session: &str) -> PathBuf {
        self.sandbox.path(&format!("root/projects/-shop/{session}.jsonl"))
    }

    fn add(&self, session: &str, text: &str) {
        let path = self.transcript(session);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        File::options().create(true).append(true).open(path).unwrap().write_all(text.as_bytes()).unwrap();
    }

    fn statusline(&self) -> Command {
        let mut command = self.sandbox.recount(&["statusline"]);
        command
            .env("CLAUDE_CONFIG_DIR", self.sandbox.path("root"))
            .env("XDG_CACHE_HOME", self.sandbox.path("cache"))
            .env("XDG_CONFIG_HOME", self.sandbox.path("config"))
            .env("TZ", self.zone_at(12));
        command
    }

    /// The line for the session `a`.
    fn line(&self, input: &Value) -> String {
        // A second call within a moment gets the cached line.
        std::thread::sleep(std::time::Duration::from_millis(320));
        let mut input = input.clone();
        input["transcript_path"] = json!(self.transcript("a"));
        let assert = self.statusline().write_stdin(input.to_string()).assert().code(0).stderr("");
        let line = String::from_utf8(assert.get_output().stdout.clone()).unwrap();
        line.strip_suffix('\n').unwrap().to_owned()
    }

    fn kept(&self, extension: &str) -> PathBuf {
        let files = fs::read_dir(self.sandbox.path("cache/recount")).unwrap().map(|entry| entry.unwrap().path());
        files.into_iter().find(|path| path.extension().is_some_and(|it| it == extension)).unwrap()
    }
}

/// A message that costs a dollar.
fn dollar(id: &str, at: i64) -> String {
    message(id, at, "claude-opus-5")
}

fn message(id: &str, at: i64, model: &str) -> String {
    let line = json!({
        "type": "assistant", "sessionId": "a", "timestamp": clock::iso(at), "requestId": format!("r{id}"),
        "version": "2.1.226",
        "message": {"id": format!("m{id}"), "model": model, "stop_reason": "end_turn",
            "usage": {"input_tokens": 40_000, "output_tokens": 32_000}},
    });
    format!("{line}\n")
}

fn full_input(now: i64) -> Value {
    json!({
        "session_id": "a", "session_name": "uploader", "cwd": "/home/ana/work/shop", "version": "2.1.251",
        "model": {"id": "claude-opus-5", "display_name": "Opus 5"}, "effort": {"level": "high"},
        "workspace": {"current_dir": "/home/ana/work/shop/src", "project_dir": "/home/ana/work/shop"},
        "worktree": {"name": "feat"}, "agent": {"name": "reviewer"},
        "cost": {"total_cost_usd": 1.239, "total_duration_ms": 4_500_000, "total_lines_added": 1560, "total_lines_removed": 23},
        "context_window": {"context_window_size": 200_000, "used_percentage": 37, "current_usage": null},
        "rate_limits": {
            "five_hour": {"used_percentage": 23.4, "resets_at": (now + 161 * MINUTE + 30_000) / 1000},
            "seven_day": {"used_percentage": 41.2, "resets_at": (now + 90 * HOUR) / 1000},
        },
    })
}

#[test]
fn the_line_shows_everything_known() {
    let user = User::new();
    user.add("a", &dollar("1", user.now - MINUTE));
    user.add("b", &dollar("2", user.now - HOUR));
    assert_eq!(
        user.line(&full_input(user.now)),
        "Opus 5 · $1.24 session · $2.00 today · block 2h 41m left · 37% context · 5h 23% · 7d 41%"
    );
}

#[test]
fn missing_input_is_taken_from_the_sessions() {
    let user = User::new();
    user.add("a", &dollar("1", user.now - MINUTE));
    user.add("b", &dollar("2", user.now - 2 * MINUTE));
    let line = user.line(&json!({"session_id": "a"}));
    let (before, rest) = line.split_once("block ~").unwrap();
    assert_eq!(before, "claude-opus-5 · ≥$1.00 session · $2.00 today · ");
    // The block began on the hour, no more than an hour and two minutes ago.
    assert!(rest.starts_with("4h ") || rest.starts_with("3h 5"), "{rest}");
    assert!(rest.ends_with("m left · ~20% context"), "{rest}");
}

#[test]
fn lines_that_were_added_are_counted() {
    let user = User::new();
    let input = json!({"model": {"display_name": "Opus"}, "cost": {"total_cost_usd": 0}});
    let today = || user.line(&input).split(" · ").nth(2).unwrap().to_owned();
    assert_eq!(user.statusline().write_stdin("{}").output().unwrap().stdout, b"$0.00 today\n");
    user.add("a", &dollar("1", user.now));
    assert_eq!(today(), "$1.00 today");
    let line = dollar("2", user.now);
    user.add("a", &line[..100]);
    assert_eq!(today(), "$1.00 today");
    user.add("a", &line[100..]);
    assert_eq!(today(), "$2.00 today");
}

#[test]
fn copies_count_once_and_truncated_files_are_read_again() {
    let user = User::new();
    let line = || user.line(&json!({"model": {"display_name": "O"}, "cost": {"total_cost_usd": 0}}));
    user.add("a", &(dollar("1", user.now) + &dollar("2", user.now)));
    // A resumed session begins with a copy of the previous one.
    user.add("b", &(dollar("1", user.now) + &dollar("2", user.now) + &dollar("3", user.now)));
    assert!(line().contains("$3.00 today"));
    fs::write(user.transcript("a"), dollar("4", user.now)).unwrap();
    assert!(line().contains("$4.00 today"));
}

#[test]
fn days_begin_at_midnight_in_the_users_zone() {
    let user = User::new();
    user.add("a", &(dollar("1", user.now - 13 * HOUR) + &dollar("2", user.now - 2 * HOUR)));
    let template = [("RECOUNT_STATUSLINE", "{today}"), ("TZ", &user.zone_at(12))];
    let today = |zone: Option<String>| {
        let mut command = user.statusline();
        command.envs(template);
        if let Some(zone) = zone {
            command.env("RECOUNT_TIMEZONE", zone);
        }
        String::from_utf8(command.write_stdin("{}").output().unwrap().stdout).unwrap()
    };
    assert_eq!(today(None), "$1.00\n");
    assert_eq!(today(Some(user.zone_at(14))), "$2.00\n");
    assert_eq!(today(Some(user.zone_at(1))), "$0.00\n");
}

#[test]
fn figures_that_are_not_whole_are_marked() {
    let user = User::new();
    user.add("a", &(dollar("1", user.now) + &message("2", user.now, "glm-5.1")));
    let input = json!({"model": {"display_name": "O"}, "cost": {"total_cost_usd": 0}, "context_window": {"used_percentage": 1}});
    assert!(user.line(&input).starts_with("O · $0.00 session · $1.00 + ? today"));
    user.sandbox.write("config/recount/config.toml", "[prices.models.\"glm-5.1\"]\ninput = 25\noutput = 62.5\n");
    assert!(user.line(&input).starts_with("O · $0.00 session · $4.00 today"));
}

#[test]
fn figures_are_marked_until_everything_is_read() {
    let user = User::new();
    let many: String = (0..20_000).map(|number| message(&number.to_string(), user.now, "claude-haiku-4-5")).collect();
    user.add("b", &many);
    let input = json!({"cost": {"total_cost_usd": 0}, "model": {"display_name": "O"}});
    let lines = [user.line(&input), user.line(&input)];
    assert!(lines[0].starts_with("O · $0.00 session · ≥$3,") && !lines[0].contains("block"), "{lines:?}");
    assert!(lines[1].starts_with("O · $0.00 session · $4,000.00 today"), "{lines:?}");
}

#[test]
fn one_copy_reads_while_others_print_what_it_wrote() {
    let user = User::new();
    user.add("a", &dollar("1", user.now));
    let input = json!({"model": {"display_name": "Opus"}, "cost": {"total_cost_usd": 1}});
    assert!(user.line(&input).contains("$1.00 today"));
    let lock = File::options().write(true).open(user.kept("lock")).unwrap();
    lock.lock().unwrap();
    user.add("a", &dollar("2", user.now));
    assert!(user.line(&input).contains("$1.00 today"));
    lock.unlock().unwrap();
    assert!(user.line(&input).contains("$2.00 today"));
}

#[test]
fn a_damaged_state_still_gives_a_line() {
    let user = User::new();
    user.add("a", &dollar("1", user.now));
    let input = json!({"model": {"display_name": "Opus"}, "cost": {"total_cost_usd": 1}, "context_window": {"used_percentage": 5}});
    // The remaining minutes of the block may change in between.
    let parts = |line: String| {
        line.split(" · ").filter(|part| !part.starts_with("block")).map(str::to_owned).collect::<Vec<_>>()
    };
    let line = parts(user.line(&input));
    assert_eq!(line, ["Opus", "$1.00 session", "$1.00 today", "5% context"]);
    fs::write(user.kept("bin"), "junk").unwrap();
    assert_eq!(parts(user.line(&input)), line);
    fs::remove_dir_all(user.sandbox.path("cache")).unwrap();
    user.sandbox.write("cache", "no folder");
    assert_eq!(user.line(&input), "Opus · $1.00 session · 5% context");
}

#[test]
fn bad_input_is_one_line_on_standard_error() {
    let user = User::new();
    let deep = "[".repeat(100_000);
    for input in ["", "{", "opus", deep.as_str()] {
        let assert = user.statusline().write_stdin(input).assert().code(2).stdout("");
        let message = String::from_utf8(assert.get_output().stderr.clone()).unwrap();
        assert!(message.starts_with("recount: expected JSON from Claude Code on standard input: "), "{message}");
        assert_eq!(message.lines().count(), 1, "{message}");
    }
}

#[test]
fn input_of_other_shapes_does_no_harm() {
    let user = User::new();
    let inputs = [
        json!(null),
        json!([1]),
        json!({"model": "opus", "cost": {"total_cost_usd": "much"}, "context_window": {"used_percentage": -3}}),
        json!({"model": {"display_name": ""}, "rate_limits": {"five_hour": {"resets_at": 1e300, "used_percentage": null}}}),
        json!({"transcript_path": "../../etc/passwd", "rate_limits": {"five_hour": {"used_percentage": 99, "resets_at": 12}}}),
        json!({"transcript_path": "/dev/zero", "session_id": 7}),
    ];
    for input in inputs {
        let assert = user.statusline().write_stdin(input.to_string()).assert().code(0).stderr("");
        assert_eq!(String::from_utf8_lossy(&assert.get_output().stdout), "$0.00 today\n", "{input}");
    }
}

#[test]
fn control_characters_are_shown_as_escapes() {
    let user = User::new();
    let name = format!("\u{1b}]0;owned\u{7}{}", "x".repeat(100));
    let line = user.line(&json!({"model": {"display_name": name}, "cost": {"total_cost_usd": 0}}));
    assert!(line.starts_with("\\u{1b}]0;owned\\u{7}xxx") && line.contains("x… · $0.00 session"), "{line}");
}

#[test]
fn large_shares_are_coloured() {
    let user = User::new();
    let line = |used: i64, no_color: &str| {
        let input = json!({"context_window": {"current_usage": {"input_tokens": used, "cache_read_input_tokens": 1000},
            "context_window_size": 100_000}});
        let mut command = user.statusline();
        let command = command.env("RECOUNT_STATUSLINE", "{context}").env("NO_COLOR", no_color);
        String::from_utf8(command.write_stdin(input.to_string()).output().unwrap().stdout).unwrap()
    };
    assert_eq!(line(68_000, ""), "69%\n");
    assert_eq!(line(69_000, ""), "\u{1b}[33m70%\u{1b}[0m\n");
    assert_eq!(line(89_000, ""), "\u{1b}[31m90%\u{1b}[0m\n");
    assert_eq!(line(89_000, "1"), "90%\n");
}

#[test]
fn the_template_is_the_users() {
    let user = User::new();
    user.add("a", &dollar("1", user.now));
    user.sandbox.write(
        "config/recount/config.toml",
        "[statusline]\ntemplate = \"{project}/{worktree} {title} {agent} {effort} {duration} {lines}[ {today}]\"\n",
    );
    let input = full_input(user.now);
    assert_eq!(user.line(&input), "shop/feat uploader reviewer high 1 h 15 min +1,560 −23 $1.00");
    let output = |template: &str| {
        let output = user.statusline().args(["--template", template]).write_stdin("{}").output().unwrap();
        user.sandbox.shown(&output)
    };
    assert_eq!(output("[{model}]nothing"), "exit 0\nnothing\n");
    insta::assert_snapshot!(output("{modell}"), @r"
    exit 2
    recount: the template of the status line: unknown placeholder `{modell}`, expected one of model, effort, agent, title, project, worktree, cost, duration, lines, today, block, context, limits
    ");
}

#[test]
fn help_says_how_to_install_it_and_names_every_word() {
    let user = User::new();
    let assert = user.sandbox.recount(&["statusline", "--help"]).assert().code(0);
    let help = String::from_utf8(assert.get_output().stdout.clone()).unwrap();
    assert!(help.contains("\"statusLine\": { \"type\": \"command\", \"command\": \"recount statusline\" }"), "{help}");
    let unknown = user.statusline().args(["--template", "{?}"]).write_stdin("{}").output().unwrap();
    let message = String::from_utf8(unknown.stderr).unwrap();
    let (_, words) = message.split_once("expected one of ").unwrap();
    let documented = include_str!("../../../../docs/statusline.md");
    for word in words.trim().split(", ") {
        assert!(help.contains(&format!("{{{word}}}")), "{word} is not in the help");
        assert!(documented.contains(&format!("| `{{{word}}}` |")), "{word} is not documented");
    }
}
