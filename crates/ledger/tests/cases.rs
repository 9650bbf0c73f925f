//! Fifty small roots with the answers of ccusage 20.0.24, when they are available.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::float_cmp, reason = "these are tests")]

mod root;
mod shared;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use ledger::Prices;
use serde_json::Value;

/// Input, output, cache writes, cache reads, millionths of a dollar.
type Figures = (u64, u64, u64, u64, f64);

/// A session, its tokens, and their cost.
type Sum = (&'static str, u64, f64);

/// Where our rules give a different answer than ccusage, and why.
const OURS: [(&str, Figures, &str); 23] = [
    ("04_noreq_two_sessions", (10, 20, 0, 0, 550.0), "the entry in the second session is a copy of the first"),
    ("05b_noreq_same_session_diff_ts", (3, 159, 0, 0, 3990.0), "chunks of one message, at any time"),
    ("08_no_message_id", (10, 20, 0, 0, 550.0), "one entry, written twice"),
    ("09_synthetic", (10, 20, 0, 0, 550.0), "no model wrote the other two"),
    ("10_missing_usage", (20, 31, 0, 0, 875.0), "the other fields count, though one is missing"),
    ("11_cache_tiers", (0, 0, 4_000_999, 0, 28_756_318.75), "flat field and parts disagree: the larger is right"),
    ("12_models", (2_800_000, 0, 0, 0, 5_130_000.0), "`opus` is not a model's name, so its price is unknown"),
    ("12b_model_null", (20, 40, 0, 0, 550.0), "a message without a model counts, at an unknown price"),
    ("13_costusd", (300_000, 0, 0, 0, 10_500_000.0), "a cost of 0 with usage means that no price was set"),
    ("14_tiers", (1_350_010, 1000, 300_000, 750_000, 11_722_560.0), "the tier depends on the request and its day"),
    ("15_speed_tier_geo_websearch", (1_300_000, 0, 0, 0, 12_300_000.0), "batch, region, searches, and any speed"),
    ("18b_advisor_costusd_modes", (100_002, 1100, 20, 200, 3_000_000.0), "the stated cost covers the whole line"),
    ("20_null_in_tool_input", (20, 40, 0, 0, 1100.0), "nulls in the input of a tool do not matter"),
    ("20b_null_envelope", (60, 120, 0, 0, 3300.0), "null is absent"),
    ("21_spaced_json", (20, 40, 0, 0, 1100.0), "JSON may have spaces"),
    ("23_validation", (70, 140, 0, 0, 3300.0), "odd versions and empty ids do not cancel usage"),
    ("24_timestamps", (70, 140, 0, 0, 3850.0), "all forms of time; without one, that of the line before"),
    ("26_session_filter", (40, 80, 0, 0, 2200.0), "queried with filters only"),
    ("28_stream_json_file", (10, 200, 0, 0, 500_000.0), "streams count, and their result states the cost"),
    ("29_damaged", (70, 140, 0, 0, 3850.0), "a BOM, invalid UTF-8 and a truncated last field lose no usage"),
    ("30c_dirs_env_bad", (0, 0, 0, 0, 0.0), "the root is empty"),
    ("36_bad_numbers", (19, 60, 0, 0, 1595.0), "one bad number does not spoil the others of its line"),
    ("17c_block_usage_limit", (10, 20, 0, 0, 550.0), "queried by blocks only"),
];

/// The roots of a case.
fn roots(case: &Path) -> Vec<PathBuf> {
    let home = case.join("home");
    let folders: &[&str] = match case.file_name().unwrap().to_str().unwrap() {
        "30b_dirs_env" => &["other", ".claude/projects"],
        "30c_dirs_env_bad" => &["missing"],
        _ => &[".claude", ".config/claude"],
    };
    folders.iter().map(|folder| home.join(folder)).collect()
}

/// The answer of ccusage for a whole root: its first answer to a query without filters.
fn ccusage(case: &Path) -> Option<Figures> {
    let names = ["daily", "daily_mode_auto", "daily_z_UTC", "daily_instances", "session"];
    let answers = names.iter().map(|name| case.join(format!("ccusage/claude_{name}.json")));
    let answer: Value =
        serde_json::from_slice(&fs::read(answers.into_iter().find(|path| path.exists())?).ok()?).ok()?;
    let totals = answer.get("totals")?;
    let count = |key: &str| totals[key].as_u64().unwrap_or_default();
    let dollars = totals["totalCost"].as_f64().unwrap_or_default();
    let (input, output) = (count("inputTokens"), count("outputTokens"));
    Some((input, output, count("cacheCreationTokens"), count("cacheReadTokens"), dollars * 1e6))
}

fn same(one: Figures, other: Figures) -> bool {
    let tokens = |it: Figures| (it.0, it.1, it.2, it.3);
    tokens(one) == tokens(other) && (one.4 - other.4).abs() < 1e-3
}

fn cases() -> Vec<PathBuf> {
    let Some(folder) = shared::folder("usage/cases") else { return Vec::new() };
    let mut cases: Vec<_> = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    cases.retain(|path| path.is_dir());
    cases.sort();
    assert!(cases.len() >= 50);
    cases
}

#[test]
fn figures_match_ccusage_or_differ_for_a_reason() {
    let ours: BTreeMap<_, _> = OURS.iter().map(|(name, figures, reason)| (*name, (*figures, *reason))).collect();
    let mut wrong = Vec::new();
    let mut agreeing = 0;
    for case in cases() {
        let name = case.file_name().unwrap().to_str().unwrap();
        let totals = root::read(&roots(&case)).ledger.totals(&Prices::default());
        let it = totals.tokens;
        let found = (it.input, it.output, it.cache_write, it.cache_read, totals.cost.dollars() * 1e6);
        let theirs = ccusage(&case);
        match ours.get(name) {
            Some((expected, _)) if !same(found, *expected) => {
                wrong.push(format!("{name}: {found:?}, not {expected:?}"));
            }
            Some((expected, reason)) if theirs.is_some_and(|theirs| same(theirs, *expected)) => {
                wrong.push(format!("{name}: ccusage agrees after all, but: {reason}"));
            }
            Some(_) => {}
            None => match theirs {
                Some(theirs) if same(found, theirs) => agreeing += 1,
                Some(theirs) => wrong.push(format!("{name}: {found:?}, and ccusage says {theirs:?}")),
                // This case only queries blocks, whose sums equal those of the messages.
                None if name.starts_with("17") => agreeing += usize::from(it.output == 20 * totals.messages),
                None => wrong.push(format!("{name}: {found:?}, and ccusage was not asked")),
            },
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(agreeing == 0 || agreeing == 27, "{agreeing} agree");
}

/// The totals of a case by session.
fn by_session(name: &str) -> BTreeMap<String, (u64, f64)> {
    let Some(case) = cases().into_iter().find(|case| case.ends_with(name)) else { return BTreeMap::new() };
    let ledger = root::read(&roots(&case)).ledger;
    let sums = ledger.by(&Prices::default(), |post| Some(ledger.session_name(post.session).to_owned()));
    sums.into_iter().map(|(name, sum)| (name, (sum.tokens.total(), sum.cost.dollars()))).collect()
}

#[test]
fn sessions_of_cases_have_their_own_figures() {
    let expected: [(&str, &[Sum]); 4] = [
        ("03_resume_copy_other_session", &[("s1", 110, 0.002_55), ("s2", 2, 0.000_03)]),
        // Agents of all eras belong to the session that spawned them.
        ("25_paths", &[("chat", 30, 0.000_55), ("deep", 30, 0.000_55), ("loose", 30, 0.000_55), ("s1", 120, 0.0022)]),
        (
            "14_tiers",
            &[
                ("h55_in300k", 300_000, 0.15),
                ("o46_in300k", 300_000, 3.0),
                ("s45_in300k", 300_000, 1.8),
                ("s4_1h_300k", 300_000, 3.6),
                ("s4_cr300k_in10", 300_010, 0.180_06),
                ("s4_cr300k_out1000", 301_000, 0.2025),
                ("s4_in150k_cr150k", 300_000, 0.99),
                ("s4_in300k", 300_000, 1.8),
            ],
        ),
        (
            "15_speed_tier_geo_websearch",
            &[
                ("h45_fast", 100_000, 0.1),
                ("o46_batch", 100_000, 0.25),
                ("o46_fast", 100_000, 3.0),
                ("o46_geo_us", 100_000, 0.55),
                ("o46_null", 100_000, 0.5),
                ("o46_priority", 100_000, 0.5),
                ("o46_std", 100_000, 0.5),
                ("o46_turbo", 100_000, 0.5),
                ("o46_websearch", 100_000, 0.6),
                ("o47_fast", 100_000, 3.0),
                ("o48_fast", 100_000, 1.0),
                ("o55_fast", 100_000, 0.8),
                ("o5_fast", 100_000, 1.0),
            ],
        ),
    ];
    for (name, expected) in expected {
        let sums = by_session(name);
        if !sums.is_empty() {
            let found: Vec<_> = sums.iter().map(|(name, (tokens, cost))| (name.as_str(), *tokens, *cost)).collect();
            assert_eq!(found, expected, "{name}");
        }
    }
}
