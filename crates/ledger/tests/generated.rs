//! A root of every era, counted a second time in the plainest way there is.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "these are tests")]

mod root;

use std::collections::HashMap;

use ledger::{PostKind, Prices};
use library::Input;
use serde_json::Value;
use testkit::root::{RootOptions, write_root};

/// The fields of a message, each the largest of its lines.
#[derive(Default, Clone)]
struct Plain {
    is_main: bool,
    model: String,
    first: String,
    counts: [u64; 5],
    stated: f64,
}

/// Dollars per million: input, output, five minutes, an hour, read.
fn price(model: &str, day: &str) -> [f64; 5] {
    let (input, output) = match model {
        "claude-opus-4-20250514" => (15.0, 75.0),
        "claude-sonnet-4-20250514" | "claude-sonnet-4-5-20250929" => (3.0, 15.0),
        "claude-sonnet-5" if day < "2026-07-01" => (3.0, 15.0),
        "claude-sonnet-5" => (2.0, 10.0),
        "claude-haiku-4-5-20251001" => (1.0, 5.0),
        "claude-fable-5" => (10.0, 50.0),
        "claude-opus-4-5-20251101" | "claude-opus-4-6" | "claude-opus-4-8" | "claude-opus-5" => (5.0, 25.0),
        _ => unreachable!("{model}"),
    };
    [input, output, input * 1.25, input * 2.0, input / 10.0]
}

fn plain(line: &[u8], messages: &mut HashMap<(String, String), Plain>) {
    let Ok(line) = serde_json::from_slice::<Value>(line) else { return };
    let message = &line["message"];
    let model = message["model"].as_str().unwrap_or_default();
    if line["type"] != "assistant" || message["usage"].is_null() || model == "<synthetic>" {
        return;
    }
    let id = |value: &Value| value.as_str().map(str::to_owned);
    let key = (id(&message["id"]).unwrap(), id(&line["requestId"]).unwrap());
    let is_main = line["isSidechain"] != true;
    let known = messages.entry(key).or_default();
    if known.is_main && !is_main {
        return;
    }
    if is_main && !known.is_main {
        *known = Plain { is_main, ..Plain::default() };
    }
    model.clone_into(&mut known.model);
    let at = line["timestamp"].as_str().unwrap();
    if known.first.is_empty() || at < known.first.as_str() {
        at.clone_into(&mut known.first);
    }
    let usage = &message["usage"];
    let count = |value: &Value| value.as_u64().unwrap_or_default();
    let hour = count(&usage["cache_creation"]["ephemeral_1h_input_tokens"]);
    let five = count(&usage["cache_creation"]["ephemeral_5m_input_tokens"]);
    let write = count(&usage["cache_creation_input_tokens"]).max(hour + five);
    let counts = [&usage["input_tokens"], &usage["output_tokens"], &usage["cache_read_input_tokens"]].map(count);
    let counts = [counts[0], counts[1], write, hour, counts[2]];
    for (known, count) in known.counts.iter_mut().zip(counts) {
        *known = count.max(*known);
    }
    known.stated = known.stated.max(line["costUSD"].as_f64().unwrap_or_default());
}

#[test]
fn a_generated_root_counts_the_same_in_the_plainest_way() {
    let folder = tempfile::tempdir().unwrap();
    let options = RootOptions { bytes: 8_000_000, seed: 11, largest_session: 900_000, ..RootOptions::default() };
    write_root(folder.path(), &options).unwrap();
    let folders = [folder.path().to_path_buf()];

    let mut messages = HashMap::new();
    for source in library::find_at(&folders).sources {
        let Input::File(path) = &source.input else { unreachable!("files are read here") };
        for line in std::fs::read(path).unwrap().split(|byte| *byte == b'\n') {
            plain(line, &mut messages);
        }
    }
    let mut tokens = [0; 5];
    let mut dollars = 0.0;
    for message in messages.values() {
        let [input, output, write, hour, read] = message.counts;
        tokens.iter_mut().zip(message.counts).for_each(|(sum, count)| *sum += count);
        assert!(input + write + read <= 100_000 || message.model.contains("opus"), "no long prompts are expected");
        #[expect(clippy::cast_precision_loss, reason = "so many tokens are never used")]
        let counts = [input, output, write - hour, hour, read].map(|count| count as f64);
        let computed: f64 =
            price(&message.model, &message.first).iter().zip(counts).map(|(price, count)| price * count).sum();
        dollars += if message.stated > 0.0 { message.stated } else { computed / 1e6 };
    }

    let mut counted = [0; 5];
    let mut cost = ledger::Money::ZERO;
    let mut number = 0;
    root::read(&folders).ledger.each(&Prices::default(), |post| {
        if post.kind != PostKind::Rest {
            let it = post.tokens;
            let counts = [it.input, it.output, it.cache_write, it.cache_write_1h, it.cache_read];
            counted.iter_mut().zip(counts).for_each(|(sum, count)| *sum += count);
            cost += post.cost.amount;
            number += 1;
        }
    });
    assert!(number > 500, "{number}");
    assert_eq!((number, counted), (messages.len(), tokens));
    assert!((cost.dollars() - dollars).abs() < 1e-6, "{} {dollars}", cost.dollars());
}
