//! The cases that readers have told wrongly: each is present in the eras that had it.

use super::*;

/// The eras since this one.
fn since(first: Era) -> impl Iterator<Item = Era> {
    Era::ALL.into_iter().filter(move |era| *era >= first)
}

fn lines_of(era: Era) -> &'static [Value] {
    static LINES: [OnceLock<Vec<Value>>; Era::ALL.len()] = [const { OnceLock::new() }; Era::ALL.len()];
    LINES[era as usize].get_or_init(|| rich(era).transcripts().into_values().flatten().collect())
}

/// Whether a line of each of these eras passes the test.
fn assert_lines(eras: impl IntoIterator<Item = Era>, what: &str, test: impl Fn(&Value) -> bool) {
    for era in eras {
        assert!(lines_of(era).iter().any(&test), "{era} has no {what}");
    }
}

/// The text of a user entry that is not a result.
fn said(line: &Value) -> &str {
    line["message"]["content"].as_str().unwrap_or_default()
}

/// The text of a result.
fn result(line: &Value) -> &str {
    let block = &line["message"]["content"][0];
    if block["type"] == "tool_result" { block["content"].as_str().unwrap_or_default() } else { "" }
}

/// The input of a call of this tool.
fn input<'l>(line: &'l Value, tool: &str) -> Option<&'l Value> {
    let blocks = line["message"]["content"].as_array()?;
    Some(&blocks.iter().find(|block| block["type"] == "tool_use" && block["name"] == tool)?["input"])
}

#[test]
fn agents_are_in_files_in_copies_or_in_both() {
    for era in [Era::V2_1_12, Era::V2_1_63] {
        let root = rich(era);
        let mut copied: HashSet<String> = HashSet::new();
        for line in root.transcripts().values().flatten().filter(|line| line["data"]["type"] == "agent_progress") {
            copied.insert(line["data"]["agentId"].as_str().unwrap().to_owned());
        }
        let has_file = |agent: &String| {
            let name = format!("agent-{agent}.jsonl");
            root.files.keys().any(|path| path.file_name().is_some_and(|file| *file == *name))
        };
        let (both, alone): (Vec<&String>, Vec<&String>) = copied.iter().partition(|agent| has_file(agent));
        assert!(!both.is_empty() && !alone.is_empty(), "{era}: {} and {}", both.len(), alone.len());
    }
}

#[test]
fn the_user_has_words_beside_prompts() {
    assert_lines(Era::ALL, "rejection with words", |line| result(line).contains("the user said:\n"));
    assert_lines(Era::ALL, "rejection without words", |line| result(line).contains("STOP what you are doing"));
    assert_lines(Era::ALL, "approved plan", |line| result(line).starts_with("User has approved your plan"));
    assert_lines(Era::ALL, "prompt like an element", |line| said(line).starts_with("<div> is off-centre"));
    let answers = |line: &Value| line["toolUseResult"]["answers"].as_object().cloned().unwrap_or_default();
    let is_own = |answer: &Value| answer.as_str().is_some_and(|answer| !answer.contains("SQLite"));
    assert_lines(since(Era::V2_0), "answer in own words", |line| answers(line).values().any(is_own));
    assert_lines(since(Era::V2_0), "several labels", |line| {
        answers(line).values().any(|answer| answer == "SQLite, Postgres")
    });
    assert_lines(since(Era::V2_1_2xx), "labels as an array", |line| answers(line).values().any(Value::is_array));
    assert_lines(since(Era::V2_1_97), "note beside an answer", |line| line["toolUseResult"]["annotations"].is_object());
}

#[test]
fn notes_for_the_host_wait_in_the_queue() {
    let mut stale = 0;
    for lines in rich(Era::V2_1_12).transcripts().values() {
        let queue: Vec<&Value> = lines.iter().filter(|line| line["type"] == "queue-operation").collect();
        for pair in queue.windows(3) {
            let is_note = pair[0]["content"].as_str().is_some_and(|content| content.starts_with("{\"task_id\":"));
            let is_typed = pair[1]["content"].as_str().is_some_and(|content| !content.starts_with('{'));
            stale += u32::from(is_note && is_typed && pair[2]["operation"] == "remove" && pair[2]["content"].is_null());
        }
    }
    assert!(stale > 0);
}

#[test]
fn events_are_not_typed() {
    assert_lines([Era::V2_0], "notification of an agent", |line| said(line).starts_with("<agent-notification>"));
    assert_lines([Era::V2_0], "notification of a shell", |line| said(line).starts_with("<bash-notification>"));
    assert_lines(since(Era::V2_0), "stop by a hook", |line| said(line).starts_with("Operation stopped by hook:"));
    let teams = [Era::V2_1_12, Era::V2_1_63, Era::V2_1_97];
    assert_lines(teams, "message of a teammate", |line| said(line).starts_with("<teammate-message"));
    assert_lines(teams, "JSON of a teammate", |line| said(line).starts_with("{\"type\":\"idle_notification\""));
    assert_lines(since(Era::V2_1_97), "event of a check", |line| said(line).starts_with("<ci-monitor-event"));
}

#[test]
fn calls_are_interleaved_across_messages() {
    for era in since(Era::V2_0) {
        let found = rich(era).transcripts().values().any(|lines| {
            // Two messages with calls follow each other, and a third one follows the result of the first.
            let calls: HashMap<&str, &Value> = lines
                .iter()
                .filter(|line| line["message"]["stop_reason"] != "end_turn" && line["type"] == "assistant")
                .filter_map(|line| Some((line["uuid"].as_str()?, line)))
                .collect();
            lines.iter().filter(|line| !result(line).is_empty()).any(|line| {
                let call = line["parentUuid"].as_str().and_then(|parent| calls.get(parent));
                call.is_some_and(|call| {
                    calls.values().any(|next| {
                        next["parentUuid"] == call["uuid"] && next["message"]["id"] != call["message"]["id"]
                    }) && calls.values().any(|next| next["parentUuid"] == line["uuid"])
                })
            })
        });
        assert!(found, "{era}");
    }
}

#[test]
fn some_failures_are_answers() {
    for command in ["grep -rn \"leftover\" src", "rg leftover", "test -e dist", "diff a.txt b.txt"] {
        for era in Era::ALL {
            let lines = lines_of(era);
            let is_call = |line: &&Value| input(line, "Bash").is_some_and(|input| input["command"] == command);
            let call = lines.iter().find(is_call).unwrap_or_else(|| panic!("{era} has no {command}"));
            let id = call["message"]["content"].as_array().unwrap().iter().find_map(|block| block["id"].as_str());
            let answer = lines.iter().find(|line| line["message"]["content"][0]["tool_use_id"].as_str() == id);
            assert!(answer.is_some_and(|line| result(line).starts_with("Exit code 1")), "{era}: {command}");
        }
    }
}

#[test]
fn summaries_are_in_other_files() {
    for era in [Era::V1_0, Era::V2_0, Era::V2_1_12] {
        let transcripts = rich(era).transcripts();
        let owner = |leaf: &str| {
            transcripts.iter().find(|(_, lines)| lines.iter().any(|line| line["uuid"] == leaf)).map(|(path, _)| *path)
        };
        let elsewhere = transcripts.iter().any(|(path, lines)| {
            let leaves = lines.iter().filter(|line| line["type"] == "summary");
            leaves.filter_map(|line| owner(line["leafUuid"].as_str()?)).any(|owner| owner != *path)
        });
        assert!(elsewhere, "{era}");
    }
}

#[test]
fn remains_of_sessions_are_in_the_root() {
    for era in since(Era::V2_0) {
        let root = rich(era);
        assert!(root.written.lone_agents > 0 && root.written.deleted_sessions > 0, "{era}");
        let name = |path: &Path| path.file_stem().unwrap().to_string_lossy().into_owned();
        let transcripts = root.transcripts();
        let sessions: HashSet<String> = transcripts.keys().map(|path| name(path)).collect();
        let lone = transcripts.iter().filter(|(path, lines)| {
            name(path).starts_with("agent-") && !sessions.contains(lines[0]["sessionId"].as_str().unwrap())
        });
        assert_eq!(lone.count() as u64, root.written.lone_agents, "{era}");
        let history = String::from_utf8(root.files[Path::new("history.jsonl")].clone()).unwrap();
        let typed: Vec<Value> = history.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        let of_nobody: HashSet<&str> =
            typed.iter().filter_map(|line| line["sessionId"].as_str()).filter(|id| !sessions.contains(*id)).collect();
        assert_eq!(of_nobody.len() as u64, root.written.deleted_sessions, "{era}");
    }
    let mut leftovers = rich(Era::V2_1_326).files.keys().map(|path| path.to_string_lossy());
    assert!(leftovers.any(|path| path.contains(".jsonl.compact.tmp.")));
}

#[test]
fn files_have_tabs_and_spaces_and_change_again() {
    for era in Era::ALL {
        let lines = lines_of(era);
        let edits =
            lines.iter().map(|line| &line["toolUseResult"]).filter(|result| result["structuredPatch"].is_array());
        let (mut paths, mut again, mut tabs) = (HashSet::new(), 0, 0);
        for edit in edits {
            again += u32::from(!paths.insert(edit["filePath"].as_str().unwrap()));
            tabs += u32::from(edit["newString"].as_str().is_some_and(|new| new.contains("\t ")));
            let hunks = edit["structuredPatch"].as_array().unwrap();
            let shown = hunks.iter().flat_map(|hunk| hunk["lines"].as_array().unwrap());
            assert!(!shown.clone().any(|line| line.as_str().unwrap()[1..].starts_with('\t')), "{era}: {edit}");
        }
        assert!(again > 0 && tabs > 0, "{era}: {again} files changed again, {tabs} with spaces after tabs");
    }
}

#[test]
fn some_paths_are_of_windows() {
    assert_lines(since(Era::V2_0), "Windows path", |line| {
        line["cwd"].as_str().is_some_and(|cwd| cwd.starts_with("C:\\"))
            && line["toolUseResult"]["filePath"].as_str().is_some_and(|path| path.starts_with("C:\\"))
    });
}

#[test]
fn tasks_say_what_is_going_on_and_shells_how_they_ended() {
    assert_lines([Era::V2_0, Era::V2_1_12], "task in progress", |line| {
        let items = line["toolUseResult"]["newTodos"].as_array().cloned().unwrap_or_default();
        items.iter().any(|item| item["status"] == "in_progress" && item["activeForm"] != item["content"])
    });
    assert_lines([Era::V2_1_12, Era::V2_1_63, Era::V2_1_97, Era::V2_1_2xx], "active form", |line| {
        input(line, "TaskCreate").is_some_and(|input| input["activeForm"] != input["subject"])
    });
    let shell =
        |line: &Value, key: &str| line["toolUseResult"].get("shellId").map(|_| line["toolUseResult"][key].clone());
    assert_lines([Era::V2_0], "running shell", |line| shell(line, "status") == Some("running".into()));
    assert_lines([Era::V2_0], "exit code of a shell", |line| shell(line, "exitCode") == Some(0.into()));
    assert_lines([Era::V2_0], "stderr of a shell", |line| shell(line, "stderr").is_some_and(|text| text != ""));
}

#[test]
fn commits_and_pull_requests_are_printed() {
    let has_field = |line: &Value| line["toolUseResult"].get("gitOperation").is_some();
    assert_lines(Era::ALL, "commit without a field", |line| result(line).starts_with("[main ") && !has_field(line));
    assert_lines(since(Era::V2_1_97), "commit with a field", |line| {
        result(line).starts_with("[main ") && has_field(line)
    });
    assert_lines(Era::ALL, "pull request", |line| result(line).starts_with("https://github.com/acme/shop/pull/"));
}

#[test]
fn some_sessions_state_all_durations() {
    for era in since(Era::V2_1_12) {
        let all = rich(era).transcripts().values().any(|lines| {
            let prompts =
                lines.iter().filter(|line| line["permissionMode"].is_string() && line["type"] == "user").count();
            let stated = lines.iter().filter(|line| line["subtype"] == "turn_duration").count();
            prompts > 1 && stated >= prompts
        });
        assert!(all, "{era}");
    }
}

#[test]
fn features_of_2_1_326() {
    assert_features(
        Era::V2_1_326,
        &[
            "session-owner",
            "tools-used",
            "repl-mode",
            "memory-mode",
            "dev-mods",
            "data-flow-records",
            "data-flow-incomplete",
            "derived-from",
            "resume-head-vouch",
            "line-withheld",
            "system/voice_call_talk",
            "attachment/prompt_as_file",
            "cost-state",
            "REPL",
            "Eval",
            "SetGoal",
            "ProposeGoal",
            "mcp__ccd_session__mark_chapter",
            "bash",
            "attachment/total_tokens_reminder",
        ],
        &["progress", "Glob", "Grep", "TaskOutput", "TodoWrite", "Task", "TaskCreate"],
    );
    for kind in crate::root::kinds::ATTACHMENTS {
        assert!(rich(Era::V2_1_326).written.kind_of(&format!("attachment/{}", kind.0)) > 0, "{}", kind.0);
    }
    for kind in crate::root::newest::SYSTEM {
        assert!(rich(Era::V2_1_326).written.kind_of(&format!("system/{kind}")) > 0, "{kind}");
    }
    let newest = [Era::V2_1_326];
    assert_lines(newest, "exit code", |line| said(line).contains("</bash-stderr><bash-exit-code>"));
    assert_lines(newest, "exit code alone", |line| said(line).starts_with("<bash-exit-code>"));
    for tag in ["slack-ping", "coordinator-relay", "mcp-resource-update", "sandbox_violations", "voice-call-talk"] {
        assert_lines(newest, tag, |line| said(line).starts_with(&format!("<{tag}")));
    }
    assert_lines(newest, "transformation", |line| line["message"]["input_transformations"].is_array());
    assert_lines(newest, "managed price", |line| line.to_string().contains("\"costBasis\":\"managed\""));
    assert_lines(newest, "path under another name", |line| {
        input(line, "Read").is_some_and(|input| input.get("relative_path").is_some())
    });
    assert_lines(newest, "tab of a terminal", |line| {
        input(line, "Bash").is_some_and(|input| input["tabId"].is_string())
    });
    assert_lines(newest, "stray keys", |line| {
        input(line, "ExitPlanMode").is_some_and(|input| input["parameter"].is_string() && input["summary"].is_string())
    });
    let torn = rich(Era::V2_1_326).files.iter().filter(|(path, _)| path.starts_with("projects"));
    assert!(torn.flat_map(|(_, bytes)| bytes.split(|byte| *byte == b'\n')).any(|line| line.starts_with(b"\0")));
}

/// Placeholders are back, and the commentary is in the thinking.
#[test]
fn messages_of_2_1_326() {
    let lines = lines_of(Era::V2_1_326);
    let mut messages: HashMap<&str, Vec<&Value>> = HashMap::new();
    let answers = lines.iter().filter(|line| line["type"] == "assistant" && line["message"]["model"] != "<synthetic>");
    for line in answers.filter(|line| spread(line).is_none()) {
        messages.entry(line["message"]["id"].as_str().unwrap()).or_default().push(line);
    }
    let mut placeholders = 0;
    for parts in messages.values() {
        for part in parts {
            let usage = &part["message"]["usage"];
            assert_eq!(part["message"]["stop_reason"].is_null(), usage.get("iterations").is_none());
            placeholders += u32::from(usage.get("iterations").is_none());
        }
    }
    assert!(placeholders > 10);
    let thoughts = lines.iter().flat_map(|line| line["message"]["content"].as_array().into_iter().flatten());
    let thoughts: Vec<_> = thoughts.filter(|block| block["type"] == "thinking").collect();
    assert!(thoughts.iter().any(|block| block["thinking"] == ""));
    assert!(thoughts.iter().any(|block| block["thinking"] != ""));
}

#[test]
fn some_messages_are_spread_by_character() {
    assert_lines(since(Era::V2_1_97), "spread message", |line| {
        spread(line).is_some_and(|events| events.starts_with("event: message_start\n"))
    });
}
