//! Bash, in the foreground and in the background.

use super::{Call, Outcome, Workplace};
use crate::json::Json;
use crate::object;
use crate::rng::Rng;
use crate::text;

fn command(rng: &mut Rng) -> (String, String) {
    let mut line = String::new();
    let templates = [
        "cargo test -p $w -- --nocapture 2>&1 | tail -40",
        "git log --oneline -$n && git status --short",
        "rg -n \"$i\\(\" src/$w | head -50",
        "npm run build -- --filter=\"$w-$w\"",
        "sed -n '$n,$np' src/$i.rs",
        "python3 - <<'EOF'\nimport json\nprint(json.load(open(\"$w.json\"))[\"$w\"])\nEOF",
        "grep -rn \"$t\" --include='*.go' . | awk -F: '{print $1}' | sort -u",
        "ls -la src/$w && wc -l src/$w/*.ts",
        "docker compose logs --since 5m $w 2>/dev/null | grep -i \"$w\"",
        "curl -s localhost:$n/api/$w | jq '.[\"$w\"]'",
    ];
    text::fill(rng.pick::<str>(&templates), rng, &mut line);
    (line, text::capitalised(&text::phrase(rng)))
}

fn output(rng: &mut Rng, cwd: &str, length: usize) -> String {
    match rng.below(5) {
        0 => text::test_output(rng, length),
        1 => text::compiler_output(rng, length),
        2 => text::grep_output(rng, cwd, length),
        3 => {
            let language = text::Language::any(rng);
            text::code(rng, language, length)
        }
        _ => text::log_output(rng, length),
    }
}

fn input(place: &mut Workplace) -> Json {
    let (command, description) = command(&mut place.rng);
    let input = object! { "command" => command, "description" => description };
    if place.rng.chance(12) { input.with("timeout", 120_000) } else { input }
}

fn result(place: &Workplace, stdout: &str) -> Json {
    let result = object! { "stdout" => stdout, "stderr" => "", "interrupted" => false, "isImage" => false };
    if place.version.since(2, 1, 50) { result.with("noOutputExpected", false) } else { result }
}

/// A command that succeeds.
pub(super) fn bash(place: &mut Workplace) -> Call {
    let input = input(place);
    if place.rng.chance(15) {
        let outcome =
            Outcome::done("(Bash completed with no output)", result(place, "").with("noOutputExpected", true));
        return Call { name: "Bash".to_owned(), input, outcome: outcome.saying_no_error() };
    }
    let length = place.rng.log_between(20, 7000);
    let stdout = output(&mut place.rng, &place.cwd, length);
    let outcome = Outcome::done(stdout.as_str(), result(place, &stdout)).saying_no_error();
    Call { name: "Bash".to_owned(), input, outcome }
}

/// A commit; only newer versions say so in the result.
pub(super) fn commit(place: &mut Workplace) -> Call {
    let (sha, subject) = (place.rng.hex(7), text::phrase(&mut place.rng));
    let command = format!("git add -A && git commit -m \"$(cat <<'EOF'\n{subject}\n\nEOF\n)\"");
    let stdout = format!("[main {sha}] {subject}\n 3 files changed, 41 insertions(+), 7 deletions(-)");
    let result = result(place, &stdout);
    let result = if place.version.since(2, 1, 97) && place.rng.chance(60) {
        let operation = object! { "commit" => object! { "sha" => sha, "kind" => "committed" } };
        result.with("gitOperation", operation)
    } else {
        result
    };
    Call {
        name: "Bash".to_owned(),
        input: object! { "command" => command, "description" => "Commit the change" },
        outcome: Outcome::done(stdout, result).saying_no_error(),
    }
}

/// A pull request.
pub(super) fn pull_request(place: &mut Workplace) -> Call {
    let number = place.rng.integer(1, 900);
    let title = text::capitalised(&text::phrase(&mut place.rng));
    let stdout = format!("https://github.com/acme/shop/pull/{number}");
    let input = object! {
        "command" => format!("gh pr create --title \"{title}\" --body \"See the issue.\""),
        "description" => "Create a pull request",
    };
    let outcome = Outcome::done(stdout.as_str(), result(place, &stdout)).saying_no_error();
    Call { name: "Bash".to_owned(), input, outcome }
}

/// A search, a test or a comparison whose answer is no, as exit code 1.
pub(super) fn nothing_found(place: &mut Workplace) -> Call {
    let (command, report) = match place.next("no", 5) {
        0 => ("grep -rn \"leftover\" src", ""),
        1 => ("rg leftover", ""),
        2 => ("test -e dist", ""),
        3 => ("[ -d dist ]", ""),
        _ => ("diff a.txt b.txt", "\n1c1\n< a\n---\n> b"),
    };
    Call {
        name: "Bash".to_owned(),
        input: object! { "command" => command, "description" => "Look" },
        outcome: Outcome::failed(&format!("Exit code 1{report}")),
    }
}

/// A short command that succeeds.
pub(crate) fn quick_bash(place: &mut Workplace) -> Call {
    let mut command = String::new();
    text::fill("wc -l src/$w/$i.rs", &mut place.rng, &mut command);
    let stdout = format!("{} {}", place.rng.between(10, 900), command.trim_start_matches("wc -l "));
    let outcome = Outcome::done(stdout.as_str(), result(place, &stdout)).saying_no_error();
    Call { name: "Bash".to_owned(), input: object! { "command" => command, "description" => "Count" }, outcome }
}

/// A command that runs for longer than the user waits with the next message.
pub(crate) fn slow_bash(place: &mut Workplace) -> Call {
    let stdout = text::test_output(&mut place.rng, 900);
    let outcome = Outcome::done(stdout.as_str(), result(place, &stdout)).saying_no_error();
    let input = object! { "command" => "npm test", "description" => "Run the tests" };
    Call { name: "Bash".to_owned(), input, outcome }
}

/// A command that fails.
pub(super) fn failing_bash(place: &mut Workplace) -> Call {
    let input = input(place);
    let length = place.rng.log_between(60, 3000);
    let report = text::compiler_output(&mut place.rng, length);
    let code = place.rng.pick::<str>(&["1", "2", "101", "127"]);
    let outcome = Outcome::failed(&format!("Exit code {code}\n{report}"));
    Call { name: "Bash".to_owned(), input, outcome }
}

/// A command whose output is too large for the transcript.
pub(super) fn spilled_bash(place: &mut Workplace) -> Call {
    let input = input(place);
    let length = place.rng.between(31_000, 60_000);
    let all = output(&mut place.rng, &place.cwd, length);
    let name = format!("b{}.txt", place.rng.hex(8));
    let path = text::join(&place.companion, &format!("tool-results/{name}"));
    let preview: String = all.chars().take(2000).collect();
    let content = format!(
        "<persisted-output>\nOutput too large ({}.{}KB). Full output saved to: {path}\n\nPreview (first 2KB):\n{preview}\n...\n</persisted-output>",
        all.len() / 1024,
        all.len() % 1024 / 103,
    );
    let shown: String = all.chars().take(30_000).collect();
    let result = result(place, &shown).with("persistedOutputPath", path).with("persistedOutputSize", all.len());
    let mut outcome = Outcome::done(content, result).saying_no_error();
    outcome.spilled = Some((name, all));
    Call { name: "Bash".to_owned(), input, outcome }
}

/// A command moved to the background; the second value is its task id.
pub(crate) fn background_bash(place: &mut Workplace) -> (Call, String) {
    let id = if place.version.since(2, 0, 64) { format!("b{}", place.rng.hex(6)) } else { place.rng.hex(6) };
    let (command, description) = command(&mut place.rng);
    let input = object! { "command" => command, "description" => description, "run_in_background" => true };
    let content = if place.version.since(2, 1, 12) {
        format!(
            "Command running in background with ID: {id}. Output is being written to: /tmp/claude-1000/tasks/{id}.output"
        )
    } else {
        format!("Command running in background with ID: {id}")
    };
    let result = result(place, "").with("backgroundTaskId", id.as_str());
    (Call { name: "Bash".to_owned(), input, outcome: Outcome::done(content, result) }, id)
}

/// Reads the output of a background command.
pub(crate) fn output_of_background(place: &mut Workplace, id: &str, time: &str) -> Call {
    let stdout = text::log_output(&mut place.rng, 400);
    if place.version.since(2, 0, 64) {
        let content = format!(
            "<retrieval_status>success</retrieval_status>\n\n<task_id>{id}</task_id>\n\n<task_type>local_bash</task_type>\n\n<status>completed</status>\n\n<exit_code>0</exit_code>\n\n<output>\n{stdout}\n</output>"
        );
        let task = object! {
            "task_id" => id, "task_type" => "local_bash", "status" => "completed",
            "description" => "Run the server", "output" => stdout, "exitCode" => 0,
        };
        return Call {
            name: "TaskOutput".to_owned(),
            input: object! { "task_id" => id, "block" => true, "timeout" => 30_000 },
            outcome: Outcome::done(content, object! { "retrieval_status" => "success", "task" => task }),
        };
    }
    let is_over = place.next("shell", 2) == 1;
    let (status, code) = if is_over { ("completed", Json::from(0)) } else { ("running", Json::Null) };
    let exit = if is_over { "<exit_code>0</exit_code>\n\n" } else { "" };
    let warned = if place.next("stderr", 3) == 1 { "warning: port 3000 is in use" } else { "" };
    let stderr = if warned.is_empty() { String::new() } else { format!("<stderr>\n{warned}\n</stderr>\n\n") };
    let content = format!(
        "<status>{status}</status>\n\n{exit}<stdout>\n{stdout}\n</stdout>\n\n{stderr}<timestamp>{time}</timestamp>"
    );
    let lines = stdout.lines().count();
    Call {
        name: "BashOutput".to_owned(),
        input: object! { "bash_id" => id },
        outcome: Outcome::done(
            content,
            object! {
                "shellId" => id, "command" => "npm run dev", "status" => status, "exitCode" => code,
                "stdout" => stdout, "stderr" => warned, "stdoutLines" => lines, "stderrLines" => 1, "timestamp" => time,
            },
        ),
    }
}

/// Stops a background command.
pub(crate) fn stop_background(place: &Workplace, id: &str) -> Call {
    if place.version.since(2, 1, 12) {
        let message = format!("Successfully stopped task: {id} (npm run dev)");
        let result =
            object! { "message" => message, "task_id" => id, "task_type" => "local_bash", "command" => "npm run dev" };
        return Call {
            name: "TaskStop".to_owned(),
            input: object! { "task_id" => id },
            outcome: Outcome::done(result.to_string(), result),
        };
    }
    let message = format!("Successfully killed shell: {id} (npm run dev)");
    let result = object! { "message" => message, "shell_id" => id };
    Call {
        name: "KillShell".to_owned(),
        input: object! { "shell_id" => id },
        outcome: Outcome::done(result.to_string(), result),
    }
}
