use super::*;
use serde_json::Value;
use std::collections::{HashMap, HashSet};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};

/// A root in memory: written to disk, read back, removed.
struct Root {
    written: Written,
    files: BTreeMap<PathBuf, Vec<u8>>,
}

impl Root {
    fn write(options: &RootOptions) -> Self {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let dir = std::env::temp_dir().join(format!("testkit-{}-{number}", std::process::id()));
        let written = write_root(&dir, options).unwrap();
        let mut files = BTreeMap::new();
        let mut open = vec![dir.clone()];
        while let Some(below) = open.pop() {
            for item in std::fs::read_dir(below).unwrap() {
                let path = item.unwrap().path();
                if path.is_dir() {
                    open.push(path);
                } else {
                    files.insert(path.strip_prefix(&dir).unwrap().to_path_buf(), std::fs::read(&path).unwrap());
                }
            }
        }
        std::fs::remove_dir_all(&dir).unwrap();
        Self { written, files }
    }

    fn transcripts(&self) -> BTreeMap<&Path, Vec<Value>> {
        let is_transcript =
            |path: &Path| path.starts_with("projects") && path.extension().is_some_and(|end| end == "jsonl");
        let read = |bytes: &Vec<u8>| {
            assert!(bytes.ends_with(b"\n"));
            let text = std::str::from_utf8(bytes).unwrap();
            text.lines().map(|line| serde_json::from_str(line.trim_start_matches('\0')).unwrap()).collect()
        };
        self.files
            .iter()
            .filter(|(path, _)| is_transcript(path))
            .map(|(path, bytes)| (path.as_path(), read(bytes)))
            .collect()
    }
}

fn of_era(era: Era, bytes: u64) -> RootOptions {
    RootOptions { eras: vec![era], bytes, seed: 11, ..RootOptions::default() }
}

/// A root of one era, large enough to contain all of its features.
fn rich(era: Era) -> &'static Root {
    static ROOTS: [OnceLock<Root>; Era::ALL.len()] = [const { OnceLock::new() }; Era::ALL.len()];
    ROOTS[era as usize].get_or_init(|| Root::write(&RootOptions { largest_session: 900_000, ..of_era(era, 7_000_000) }))
}

#[test]
fn the_same_seed_gives_the_same_files() {
    let options = RootOptions { bytes: 1_200_000, ..RootOptions::default() };
    let (one, two) = (Root::write(&options), Root::write(&options));
    assert_eq!(one.written, two.written);
    assert_eq!(one.files, two.files);
    let other = Root::write(&RootOptions { seed: 2, ..options });
    assert_ne!(one.files, other.files);
}

/// Pins the bytes themselves. If this fails on another machine, the generator depends on something it must not; if it
/// fails after a change of the generator, update the number: benches then have a new input.
#[test]
fn the_bytes_are_the_same_everywhere() {
    let root = Root::write(&RootOptions { bytes: 600_000, ..RootOptions::default() });
    let mut hash: u64 = 0xcbf2_9ce4_8422_2325;
    for (path, bytes) in &root.files {
        for byte in path.to_string_lossy().replace('\\', "/").bytes().chain(bytes.iter().copied()) {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
    assert_eq!(hash, 17_597_841_620_393_630_274);
}

#[test]
fn sizes_are_close_to_the_request() {
    for era in Era::ALL {
        for bytes in [1_000_000_u64, 4_000_000] {
            let root = Root::write(&of_era(era, bytes));
            let on_disk: u64 = root.files.values().map(|file| file.len() as u64).sum();
            assert_eq!(root.written.bytes, on_disk);
            assert_eq!(root.written.files, root.files.len() as u64);
            assert!(on_disk.abs_diff(bytes) <= bytes / 10, "{era}: {on_disk} of {bytes}");
        }
    }
    let root = Root::write(&RootOptions { bytes: 12_000_000, ..RootOptions::default() });
    assert!(root.written.bytes.abs_diff(12_000_000) <= 1_200_000, "{}", root.written.bytes);
}

#[test]
fn counts_agree_with_the_files() {
    for era in Era::ALL {
        let Root { written, files } = rich(era);
        let transcripts = rich(era).transcripts();
        assert_eq!(written.transcripts, transcripts.len() as u64);
        assert_eq!(written.sessions + written.agent_files, written.transcripts);
        let mut counted = Written::default();
        for line in transcripts.values().flatten() {
            counted.lines += 1;
            count(&mut counted.entries, line["type"].as_str().unwrap());
            for block in line["message"]["content"].as_array().into_iter().flatten() {
                if block["type"] == "tool_use" {
                    count(&mut counted.tool_calls, block["name"].as_str().unwrap());
                }
            }
        }
        assert_eq!((counted.lines, &counted.entries), (written.lines, &written.entries), "{era}");
        assert_eq!(counted.tool_calls, written.tool_calls, "{era}");
        let history = &files[Path::new("history.jsonl")];
        assert_eq!(history.split(|byte| *byte == b'\n').count() as u64 - 1, written.history_lines);
    }
}

#[test]
fn parents_exist_and_results_have_calls() {
    for era in Era::ALL {
        for (path, lines) in rich(era).transcripts() {
            let uuids: HashMap<&str, &Value> =
                lines.iter().filter_map(|line| Some((line["uuid"].as_str()?, line))).collect();
            let mut calls = HashMap::new();
            let spread_calls: HashSet<String> = lines.iter().filter_map(spread_call).collect();
            for line in &lines {
                // The parent of a spread message is its request.
                if let Some(parent) = line["parentUuid"].as_str().filter(|parent| !parent.starts_with("request_")) {
                    assert!(uuids.contains_key(parent), "{}: dangling {line}", path.display());
                }
                for block in line["message"]["content"].as_array().into_iter().flatten() {
                    if let Some(id) = block["id"].as_str() {
                        calls.insert(id.to_owned(), line["uuid"].clone());
                    }
                    let id = block["tool_use_id"].as_str().filter(|id| !spread_calls.contains(*id));
                    if let Some(id) = id {
                        assert_eq!(calls.get(id), Some(&line["parentUuid"]), "{}", path.display());
                    }
                }
            }
        }
    }
}

/// The events of a message that was spread by character.
fn spread(line: &Value) -> Option<String> {
    let message = &line["message"];
    message["0"].as_str()?;
    Some((0..).map_while(|at| message[at.to_string()].as_str()).collect())
}

/// The id of the call in a spread message.
fn spread_call(line: &Value) -> Option<String> {
    let events = spread(line)?;
    events.split_once("\"id\":\"toolu_")?.1.split_once('"').map(|(id, _)| format!("toolu_{id}"))
}

/// The count of a `type`, of a `type/kind` as in `Written::kinds`, or of a tool name.
fn number_of(written: &Written, what: &str) -> u64 {
    written.entries_of(what) + written.kind_of(what) + written.calls_of(what)
}

fn assert_features(era: Era, present: &[&str], absent: &[&str]) {
    let written = &rich(era).written;
    for what in present {
        assert!(number_of(written, what) > 0, "{era} has no {what}");
    }
    for what in absent {
        assert_eq!(number_of(written, what), 0, "{era} has {what}");
    }
}

const ALWAYS: &[&str] =
    &["user", "assistant", "Bash", "Read", "Edit", "Write", "NotebookEdit", "WebSearch", "WebFetch"];

#[test]
fn every_era_has_the_common_tools() {
    for era in Era::ALL {
        assert_features(era, ALWAYS, &[]);
    }
}

#[test]
fn features_of_1_0() {
    assert_features(
        Era::V1_0,
        &[
            "summary",
            "system",
            "Task",
            "MultiEdit",
            "LS",
            "TodoWrite",
            "Glob",
            "Grep",
            "ExitPlanMode",
            "exit_plan_mode",
        ],
        &[
            "attachment",
            "progress",
            "file-history-snapshot",
            "queue-operation",
            "Agent",
            "system/compact_boundary",
            "TaskOutput",
        ],
    );
    let root = rich(Era::V1_0);
    let written = &root.written;
    assert_eq!(written.agent_files, 0);
    let transcripts = root.transcripts();
    let lines: Vec<_> = transcripts.values().flatten().collect();
    assert!(lines.iter().any(|line| line["isSidechain"] == true && line["parentUuid"].is_null()));
    assert!(lines.iter().all(|line| line.get("agentId").is_none() && line.get("slug").is_none()));
    assert!(lines.iter().any(|line| line["type"] == "system" && line.get("subtype").is_none()));
    assert!(lines.iter().any(|line| line["costUSD"].is_f64() && line["durationMs"].is_i64()));
}

#[test]
fn features_of_2_0() {
    assert_features(
        Era::V2_0,
        &[
            "summary",
            "file-history-snapshot",
            "queue-operation",
            "system/compact_boundary",
            "system/stop_hook_summary",
            "Task",
            "TodoWrite",
            "BashOutput",
            "TaskOutput",
            "KillShell",
            "Skill",
            "AskUserQuestion",
            "EnterPlanMode",
        ],
        &["attachment", "progress", "Agent", "MultiEdit", "TaskCreate", "TaskStop", "permission-mode"],
    );
    let root = rich(Era::V2_0);
    let written = &root.written;
    assert!(written.agent_files > 0);
    assert!(root.transcripts().keys().all(|path| !path.to_string_lossy().contains("subagents")));
    let agent = |path: &Path| path.file_name().unwrap().to_string_lossy().starts_with("agent-");
    assert_eq!(root.transcripts().keys().filter(|path| agent(path)).count() as u64, written.agent_files);
}

#[test]
fn features_of_2_1_12() {
    assert_features(
        Era::V2_1_12,
        &[
            "progress/bash_progress",
            "progress/hook_progress",
            "progress/agent_progress",
            "progress/mcp_progress",
            "progress/query_update",
            "progress/search_results_received",
            "progress/waiting_for_task",
            "system/local_command",
            "system/microcompact_boundary",
            "system/turn_duration",
            "system/api_error",
            "TodoWrite",
            "TaskCreate",
            "TaskUpdate",
            "TaskList",
            "TaskOutput",
            "TaskStop",
            "Task",
        ],
        &["attachment", "Agent", "last-prompt"],
    );
    let root = rich(Era::V2_1_12);
    let written = &root.written;
    assert!(written.entries_of("progress") > written.lines / 5, "no flood: {written:?}");
    assert!(root.files.keys().any(|path| path.to_string_lossy().ends_with(".meta.json")));
    assert!(root.files.keys().any(|path| path.to_string_lossy().contains("tool-results")));
    for line in root.transcripts().values().flatten().filter(|line| line["type"] == "assistant") {
        if line["message"]["model"] != "<synthetic>" {
            assert!(line["message"]["stop_reason"].is_null());
            assert!(line["message"]["usage"]["output_tokens"].as_i64().unwrap() <= 8);
        }
    }
}

#[test]
fn features_of_2_1_63() {
    assert_features(
        Era::V2_1_63,
        &[
            "progress/bash_progress",
            "progress/agent_progress",
            "Agent",
            "Task",
            "ToolSearch",
            "SendMessage",
            "EnterWorktree",
            "ExitWorktree",
            "TaskCreate",
        ],
        &["attachment", "TodoWrite", "summary"],
    );
    let transcripts = rich(Era::V2_1_63).transcripts();
    let mut blocks =
        transcripts.values().flatten().flat_map(|line| line["message"]["content"].as_array().into_iter().flatten());
    assert!(blocks.any(|block| block["type"] == "thinking" && block["thinking"] != ""));
}

#[test]
fn features_of_2_1_97() {
    assert_features(
        Era::V2_1_97,
        &[
            "attachment/hook_success",
            "attachment/queued_command",
            "attachment/skill_listing",
            "attachment/plan_mode",
            "attachment/task_reminder",
            "attachment/deferred_tools_delta",
            "attachment/compact_file_reference",
            "system/away_summary",
            "last-prompt",
            "permission-mode",
            "mode",
            "ai-title",
            "Agent",
            "Grep",
            "CronCreate",
        ],
        &["progress", "summary", "Task", "attachment/total_tokens_reminder", "file-history-delta"],
    );
    let transcripts = rich(Era::V2_1_97).transcripts();
    let lines: Vec<_> = transcripts.values().flatten().collect();
    let main = lines
        .iter()
        .filter(|line| line["type"] == "assistant" && line["isSidechain"] == false && spread(line).is_none());
    assert!(main.clone().all(|line| line["message"]["stop_reason"].is_string()));
    assert!(lines.iter().any(|line| line["toolUseResult"]["type"] == "file_unchanged"));
    assert!(lines.iter().any(|line| line["isSidechain"] == true
        && line["message"]["stop_reason"].is_null()
        && line["type"] == "assistant"));
    for block in lines.iter().flat_map(|line| line["message"]["content"].as_array().into_iter().flatten()) {
        assert!(block["type"] != "thinking" || block["thinking"] == "");
    }
}

#[test]
fn features_of_2_1_2xx() {
    assert_features(
        Era::V2_1_2xx,
        &[
            "attachment/total_tokens_reminder",
            "file-history-delta",
            "cost-state",
            "system/model_refusal_fallback",
            "system/scheduled_task_fire",
            "TaskStop",
            "Agent",
            "TaskCreate",
            "last-prompt",
        ],
        &["progress", "Glob", "Grep", "TaskOutput", "TodoWrite", "Task"],
    );
    let transcripts = rich(Era::V2_1_2xx).transcripts();
    let has = |test: &dyn Fn(&Value) -> bool| transcripts.values().flatten().any(test);
    assert!(has(&|line| line["promptSource"] == "typed" && line["origin"]["kind"] == "human"));
    assert!(has(&|line| line["promptSource"] == "queued"));
    assert!(has(&|line| line["session_id"].is_string() && line["session_id"] == line["sessionId"]));
    assert!(has(&|line| line["origin"]["kind"] == "task-notification"));
    assert!(has(&|line| line["effort"] == "high"));
    assert!(has(&|line| line["type"] == "last-prompt" && line["leafUuid"].is_string()));
    assert!(has(&|line| line["operation"] == "remove" && line["content"].is_string()));
    assert!(has(&|line| line["toolDenialKind"] == "user-rejected"));
    assert!(has(&|line| line["toolUseResult"]["status"] == "async_launched"));
}

#[test]
fn stories_have_branches_copies_and_parallel_calls() {
    for era in Era::ALL {
        let transcripts = rich(era).transcripts();
        let mut homes: HashMap<&str, usize> = HashMap::new();
        let (mut siblings, mut shared_messages, mut compacted) = (0, 0, 0);
        for lines in transcripts.values() {
            let mut prompts: HashMap<&str, usize> = HashMap::new();
            let mut messages: HashMap<&str, usize> = HashMap::new();
            for line in lines {
                if let Some(uuid) = line["uuid"].as_str() {
                    *homes.entry(uuid).or_default() += 1;
                }
                if line["type"] == "user" && line["message"]["content"].is_string() {
                    *prompts.entry(line["parentUuid"].as_str().unwrap_or_default()).or_default() += 1;
                }
                *messages.entry(line["message"]["id"].as_str().unwrap_or_default()).or_default() += 1;
                compacted += usize::from(line["isCompactSummary"] == true);
            }
            siblings += prompts.iter().filter(|(parent, number)| !parent.is_empty() && **number > 1).count();
            shared_messages += messages.values().filter(|number| **number > 2).count();
        }
        assert!(siblings > 0, "{era}: no rewinds");
        assert!(shared_messages > 0, "{era}: no messages over several lines");
        assert!(compacted > 0, "{era}: no compaction");
        assert!(homes.values().any(|number| *number > 1), "{era}: no copies across files");
    }
}

#[test]
fn one_line_can_have_any_length() {
    let options = RootOptions { longest_line: Some(2_000_000), ..of_era(Era::V2_1_97, 3_000_000) };
    let root = Root::write(&options);
    assert!(root.written.bytes.abs_diff(3_000_000) <= 300_000);
    let longest = root.files.iter().filter(|(path, _)| path.starts_with("projects"));
    let longest = longest.filter_map(|(_, bytes)| bytes.split(|byte| *byte == b'\n').map(<[u8]>::len).max()).max();
    assert!((2_000_000..2_010_000).contains(&longest.unwrap()));
}

#[test]
fn slugs_match_the_format() {
    assert_eq!(slug("/home/ana/work/my_app.v2"), "-home-ana-work-my-app-v2");
    assert_eq!(slug("/tmp/a🚀b"), "-tmp-a--b");
}

mod cases;
