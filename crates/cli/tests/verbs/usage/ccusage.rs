//! Compares `--json=ccusage` with the answers of ccusage 20.0.24 for fifty small roots, if they are available.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;

use assert_cmd::Command;
use serde_json::{Value, json};

/// Cases in which our rules give other figures: only the shape is compared. The ledger's test of these cases has the
/// figures, and the reasons.
const OURS: [&str; 20] = [
    "04_noreq_two_sessions",
    "05b_noreq_same_session_diff_ts",
    "08_no_message_id",
    "09_synthetic",
    "10_missing_usage",
    "11_cache_tiers",
    "12_models",
    "12b_model_null",
    "13_costusd",
    "14_tiers",
    "15_speed_tier_geo_websearch",
    "18b_advisor_costusd_modes",
    "20_null_in_tool_input",
    "20b_null_envelope",
    "21_spaced_json",
    "23_validation",
    "24_timestamps",
    "28_stream_json_file",
    "29_damaged",
    "36_bad_numbers",
];

/// Cases with equal sums but another answer: the case, the report, the fields (all, if none is named), and the reason.
const DIFFERENT: [(&str, &str, &[&str], &str); 14] = [
    ("03b_resume_copy_bigger_in_second", "session", &["sessionId"], "the earliest session owns a message"),
    ("03c_copy_other_day", "daily", &["date"], "a message belongs to the day of its first line"),
    ("03c_copy_other_day", "blocks", &["id", "startTime", "endTime", "actualEndTime"], "the same"),
    ("03c_copy_other_day", "session", &["sessionId", "firstActivity", "lastActivity"], "the same"),
    ("17c_block_usage_limit", "blocks", &["entries", "actualEndTime"], "the notice of a limit is no usage"),
    ("18_advisor", "blocks", &["entries"], "what an adviser does is part of the message"),
    ("22_agent_progress", "monthly", &[], "ccusage counts progress in daily only, we in every report"),
    ("22_agent_progress", "session", &[], "the same"),
    ("22_agent_progress", "blocks", &[], "the same"),
    ("25_paths", "session", &[], "agents of all eras belong to the session that spawned them"),
    ("34_dup_diff_cost", "monthly", &["cost", "totalCost"], "ccusage says $2 in daily and $1 elsewhere, we $2"),
    ("34_dup_diff_cost", "session", &["cost", "totalCost"], "the same"),
    ("34_dup_diff_cost", "blocks", &["costUSD"], "the same"),
    ("38b_dup_growing_two_days", "daily", &["date"], "a message belongs to the day of its first line"),
];

/// Fields that are only present if they have content.
const OPTIONAL: [&str; 3] = ["missingPricing", "unpricedModels", "usageLimitResetTime"];

/// A request to ccusage, and its answer.
struct Question {
    case: PathBuf,
    report: String,
    flags: Vec<String>,
    /// `None` if it refused to answer.
    answer: Option<Value>,
}

impl Question {
    /// Parses `claude_weekly_z_UTC_start-of-week_monday.json`; `None` for requests without a counterpart.
    fn read(case: &Path, file: &Path) -> Option<Self> {
        const FLAGS: [(&str, &str); 5] = [
            ("_z_", "--timezone"),
            ("_start-of-week_", "--start-of-week"),
            ("_since_", "--since"),
            ("_until_", "--until"),
            ("_session-length_", "--session-length"),
        ];
        let name = file.file_name()?.to_str()?.strip_suffix(".json")?.strip_prefix("claude_")?;
        let (report, mut rest) = name.split_at(name.find('_').unwrap_or(name.len()));
        // The only mode that recount has.
        rest = rest.strip_suffix("_mode_auto").unwrap_or(rest);
        let mut flags = Vec::new();
        while !rest.is_empty() {
            let (flag, value) = FLAGS.iter().find_map(|(sign, flag)| Some((*flag, rest.strip_prefix(sign)?)))?;
            let end = FLAGS.iter().filter_map(|(sign, _)| value.find(sign)).min().unwrap_or(value.len());
            flags.push(flag.to_owned());
            flags.push(if flag == "--timezone" { value[..end].replacen('-', "/", 1) } else { value[..end].to_owned() });
            rest = &value[end..];
        }
        let answer = serde_json::from_slice(&fs::read(file).ok()?).ok();
        Some(Self { case: case.to_owned(), report: report.to_owned(), flags, answer })
    }

    fn case(&self) -> &str {
        self.case.file_name().unwrap().to_str().unwrap()
    }

    /// Sends recount the same request, in the environment that ccusage had.
    fn ask(&self) -> Output {
        let home = self.case.join("home");
        let mut command = Command::new(assert_cmd::cargo::cargo_bin!("recount"));
        command.env_clear().current_dir(&home).env("HOME", &home).env("TZ", "UTC");
        match self.case() {
            "16b_env_TZ" => command.env("TZ", "Asia/Tokyo"),
            "30b_dirs_env" => {
                command.env("CLAUDE_CONFIG_DIR", format!("{0}/other,{0}/.claude/projects", home.display()))
            }
            "30c_dirs_env_bad" => command.env("CLAUDE_CONFIG_DIR", home.join("missing")),
            _ => &mut command,
        };
        command.args(["usage", &self.report, "--json=ccusage"]).args(&self.flags).output().unwrap()
    }
}

fn questions() -> Vec<Question> {
    let shared = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared");
    let folder = std::env::var_os("RECOUNT_SHARED").map_or(shared, PathBuf::from).join("usage/cases");
    let below = |folder: &Path| {
        let mut paths: Vec<_> = fs::read_dir(folder).into_iter().flatten().map(|entry| entry.unwrap().path()).collect();
        paths.sort();
        paths
    };
    let files = below(&folder)
        .into_iter()
        .flat_map(|case| below(&case.join("ccusage")).into_iter().filter_map(move |file| Question::read(&case, &file)));
    files.collect()
}

/// The objects of an answer with their fields, and the types of the values.
fn outline(value: &Value, path: &str, found: &mut BTreeSet<String>) {
    match value {
        Value::Null => {}
        Value::Bool(_) => drop(found.insert(format!("{path}: bool"))),
        Value::Number(_) => drop(found.insert(format!("{path}: number"))),
        Value::String(_) => drop(found.insert(format!("{path}: string"))),
        Value::Array(items) => items.iter().for_each(|item| outline(item, &format!("{path}[]"), found)),
        Value::Object(fields) => {
            let names: Vec<&str> = fields.keys().map(String::as_str).filter(|name| !OPTIONAL.contains(name)).collect();
            found.insert(format!("{path} {{{}}}", names.join(" ")));
            fields.iter().for_each(|(name, value)| outline(value, &format!("{path}.{name}"), found));
        }
    }
}

/// The differences of two answers: the path, its last field, and both values.
fn differences(ours: &Value, theirs: &Value, path: &str, found: &mut Vec<String>) {
    match (ours, theirs) {
        (Value::Array(one), Value::Array(other)) if one.len() == other.len() => {
            // ccusage sorts entries of the same time by file, and files have no order.
            let is_models = path.ends_with("odelsUsed") || path.ends_with(".models");
            let names = |list: &[Value]| list.iter().map(ToString::to_string).collect::<BTreeSet<_>>();
            if !is_models || names(one) != names(other) {
                let pairs = one.iter().zip(other).enumerate();
                pairs.for_each(|(at, (one, other))| differences(one, other, &format!("{path}[{at}]"), found));
            }
        }
        (Value::Object(one), Value::Object(other)) => {
            for name in one.keys().chain(other.keys()).collect::<BTreeSet<_>>() {
                let of = |object: &serde_json::Map<_, _>| object.get(name).cloned().unwrap_or(json!("absent"));
                differences(&of(one), &of(other), &format!("{path}.{name}"), found);
            }
        }
        (Value::Number(one), Value::Number(other)) => {
            if (one.as_f64().unwrap() - other.as_f64().unwrap()).abs() > 1e-9 {
                found.push(format!("{path}: {one}, and ccusage says {other}"));
            }
        }
        _ if ours == theirs => {}
        _ => found.push(format!("{path}: {ours}, and ccusage says {theirs}")),
    }
}

#[test]
fn answers_are_those_of_ccusage_or_ours_with_a_reason() {
    let mut wrong = Vec::new();
    let mut different = BTreeSet::new();
    let mut outlines: BTreeMap<String, [BTreeSet<String>; 2]> = BTreeMap::new();
    let questions = questions();
    for question in &questions {
        let name = format!("{} {} {}", question.case(), question.report, question.flags.join(" "));
        let output = question.ask();
        let said = String::from_utf8(output.stderr).unwrap();
        let Some(theirs) = &question.answer else {
            assert_eq!(output.status.code(), Some(2), "{name}: ccusage refused, too");
            assert!(!said.is_empty(), "{name}");
            continue;
        };
        let ours: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert!(output.status.code() < Some(2), "{name}: {said}");
        let [of_ours, of_theirs] = outlines.entry(question.report.clone()).or_default();
        outline(&ours, "", of_ours);
        outline(theirs, "", of_theirs);
        if OURS.contains(&question.case()) {
            continue;
        }
        let mut found = Vec::new();
        differences(&ours, theirs, "", &mut found);
        let reason =
            DIFFERENT.iter().find(|(case, report, ..)| (*case, *report) == (question.case(), &question.report));
        if let Some((case, report, fields, _)) = reason {
            let known = |line: &String| fields.iter().any(|field| line.contains(&format!(".{field}: ")));
            different.extend((!found.is_empty()).then_some((*case, *report)));
            found.retain(|line| !fields.is_empty() && !known(line));
        }
        wrong.extend(found.iter().map(|line| format!("{name}: {line}")));
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    if questions.is_empty() {
        return;
    }
    assert_eq!(questions.len(), 164, "questions were left out");
    let reasons: BTreeSet<_> = DIFFERENT.iter().map(|(case, report, ..)| (*case, *report)).collect();
    assert_eq!(different, reasons, "some agree after all");
    for (report, [ours, theirs]) in outlines {
        assert_eq!(ours, theirs, "the shape of {report}");
    }
}
