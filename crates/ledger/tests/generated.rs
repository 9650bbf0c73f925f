//! A root of every era, compared with the usage recorded by its generator, priced in the simplest possible way.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "these are tests")]

mod root;

use std::collections::BTreeMap;
use std::fs;

use ledger::{Money, PostKind, Prices, Quality};
use serde_json::Value;
use testkit::root::{RootOptions, truth, write_root};

/// Dollars per million cached tokens of these models, where it is not a tenth of the input.
fn reading(model: &str, day: &str) -> Option<f64> {
    match model {
        "claude-opus-5-5" => Some(0.2),
        "claude-sonnet-5-5" if day >= "2026-10-07" => Some(0.1),
        _ => None,
    }
}

/// Dollars per million: input and output.
fn price(model: &str, day: &str, prompt: u64) -> (f64, f64) {
    match model {
        "claude-opus-5-5" => (4.0, 20.0),
        "claude-opus-4-20250514" => (15.0, 75.0),
        // Long prompts cost more: for Sonnet 4 since August 2025, for Sonnet 4.5 from the start.
        "claude-sonnet-4-20250514" if prompt > 200_000 && day >= "2025-08-12" => (6.0, 22.5),
        "claude-sonnet-4-5-20250929" if prompt > 200_000 => (6.0, 22.5),
        "claude-sonnet-4-20250514" | "claude-sonnet-4-5-20250929" => (3.0, 15.0),
        "claude-sonnet-5" | "claude-sonnet-5-5" => (2.0, 10.0),
        "claude-haiku-4-5-20251001" => (1.0, 5.0),
        // Long prompts cost more until the end of March 2026.
        "claude-opus-4-6" if prompt > 200_000 && day < "2026-03-27" => (10.0, 37.5),
        "claude-opus-4-5-20251101" | "claude-opus-4-6" | "claude-opus-4-8" | "claude-opus-5" => (5.0, 25.0),
        _ => unreachable!("{model}"),
    }
}

/// The cost of a message.
#[expect(clippy::cast_precision_loss, reason = "token counts are far below the precision limit")]
fn dollars(message: &Value) -> f64 {
    let count = |key: &str| message[key].as_u64().unwrap();
    let stated = count("stated_micros");
    if stated > 0 {
        return stated as f64 / 1e6;
    }
    let (write, hour, read) = (count("cache_write"), count("cache_write_1h"), count("cache_read"));
    let model = message["model"].as_str().unwrap();
    let day = jiff::Timestamp::from_millisecond(message["at"].as_i64().unwrap()).unwrap().to_string();
    let (input, output) = price(model, &day, count("input") + write + read);
    let tokens = input * (count("input") as f64)
        + output * (count("output") as f64)
        + input * 1.25 * ((write - hour) as f64)
        + input * 2.0 * (hour as f64)
        + reading(model, &day).unwrap_or(input * 0.1) * (read as f64);
    let fast = if message["fast"] == true { 2.0 } else { 1.0 };
    let region = if message["us_only"] == true { 1.1 } else { 1.0 };
    tokens / 1e6 * fast * region + 0.01 * (count("searches") as f64)
}

/// Messages, input, output, cache writes, those for an hour, cache reads, searches.
type Counts = [u64; 7];

fn add(sums: &mut BTreeMap<(String, bool), Counts>, key: (String, bool), counts: Counts) {
    let sum = sums.entry(key).or_default();
    sum.iter_mut().zip(counts).for_each(|(sum, count)| *sum += count);
}

#[test]
fn a_generated_root_matches_its_generator() {
    let folder = tempfile::tempdir().unwrap();
    let options =
        RootOptions { bytes: 24_000_000, seed: 11, largest_session: 3_000_000, truth: true, ..RootOptions::default() };
    write_root(folder.path(), &options).unwrap();

    let (mut expected, mut cost, mut low) = (BTreeMap::new(), 0.0, 0);
    let (mut fast, mut long) = (0, 0);
    for line in fs::read_to_string(folder.path().join(truth::FILE)).unwrap().lines() {
        let message: Value = serde_json::from_str(line).unwrap();
        let count = |key: &str| message[key].as_u64().unwrap();
        let counts = ["input", "output", "cache_write", "cache_write_1h", "cache_read", "searches"].map(count);
        let key = (message["session"].as_str().unwrap().to_owned(), message["agent"].as_bool().unwrap());
        add(&mut expected, key, [1, counts[0], counts[1], counts[2], counts[3], counts[4], counts[5]]);
        cost += dollars(&message);
        low += u64::from(message["output"] != message["output_really"]);
        fast += u32::from(message["fast"] == true);
        long += u32::from(counts[0] + counts[2] + counts[4] > 200_000);
    }
    assert!(fast > 5 && long > 5 && low > 50, "{fast} fast, {long} long, {low} placeholders");

    let (mut counted, mut sum, mut low_counted) = (BTreeMap::new(), Money::ZERO, 0);
    let ledger = root::read(&[folder.path().to_path_buf()]).ledger;
    ledger.each(&Prices::default(), |post| {
        // The generator does not record the stated remainders.
        if post.kind != PostKind::Rest {
            let it = post.tokens;
            let key = (ledger.session_name(post.session).to_owned(), post.is_side);
            let counts = [1, it.input, it.output, it.cache_write, it.cache_write_1h, it.cache_read, it.web_searches];
            add(&mut counted, key, counts);
            sum += post.cost.amount;
            low_counted += u64::from(post.cost.quality == Quality::Low);
        }
    });
    assert_eq!(counted, expected);
    assert!((sum.dollars() - cost).abs() < 1e-6, "{} {cost}", sum.dollars());
    assert!(low_counted >= low, "{low_counted} of {low} placeholders are marked as such");
}
