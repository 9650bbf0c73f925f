//! The five-hour windows of usage limits.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, clippy::float_cmp, reason = "these are tests")]

mod root;
mod shared;

use std::path::Path;

use format::Scratch;
use jiff::Timestamp;
use jiff::tz::TimeZone;
use ledger::blocks::{Blocks, Burn, FIVE_HOURS, Gap, Item, Projection};
use ledger::{Ledger, Money, Prices};
use proptest::prelude::*;
use serde_json::{Value, json};

const HOUR: i64 = 60 * 60 * 1000;

fn at(time: &str) -> i64 {
    time.parse::<Timestamp>().unwrap().as_millisecond()
}

fn time(at: i64) -> String {
    Timestamp::from_millisecond(at).unwrap().strftime("%dT%H:%M:%S%.3f").to_string()
}

/// A ledger with a message of a thousand tokens and a cent at each of these times.
fn ledger(times: &[i64]) -> Ledger {
    let mut ledger = Ledger::default();
    let mut feed = ledger.feed("s", None);
    for (number, at) in times.iter().enumerate() {
        let model = if number % 2 == 0 { "claude-opus-5" } else { "claude-haiku-4-5" };
        let line = json!({"type": "assistant", "sessionId": "s", "timestamp": at, "requestId": "r", "costUSD": 0.01,
            "message": {"id": format!("m{number}"), "model": model,
                "usage": {"input_tokens": 100, "output_tokens": 200, "cache_read_input_tokens": 700}}});
        let (line, scratch) = (line.to_string(), Scratch::default());
        for entry in &format::read(line.as_bytes(), &scratch).entries {
            ledger.push(&mut feed, entry);
        }
    }
    ledger
}

fn blocks(ledger: &Ledger, length: i64) -> Blocks {
    let mut times = Vec::new();
    ledger.each(&Prices::default(), |post| times.extend(post.at));
    let mut blocks = Blocks::new(times, length);
    ledger.each(&Prices::default(), |post| blocks.add(&post));
    blocks
}

/// Blocks as "start, first – last, messages", gaps as "from – until".
fn described(blocks: &Blocks) -> Vec<String> {
    let describe = |item| match item {
        Item::Block(it) => {
            format!("{}: {} – {}, {}", time(it.start), time(it.first), time(it.last), it.totals.messages)
        }
        Item::Gap(Gap { from, until }) => format!("gap {} – {}", time(from), time(until)),
    };
    blocks.items().map(describe).collect()
}

const TIMES: [&str; 7] = [
    "2026-03-01T10:55:10.000Z",
    "2026-03-01T14:30:00.000Z",
    "2026-03-01T15:00:00.000Z",
    "2026-03-01T15:00:00.001Z",
    "2026-03-01T20:00:00.001Z",
    "2026-03-02T01:00:00.002Z",
    "2026-03-02T09:10:00.000Z",
];

/// A message exactly five hours after the start is in the block, a millisecond later is not; the same for gaps.
#[test]
fn the_bounds_of_blocks_and_gaps_are_exact() {
    let ledger = ledger(&TIMES.map(at));
    assert_eq!(
        described(&blocks(&ledger, FIVE_HOURS)),
        [
            "01T10:00:00.000: 01T10:55:10.000 – 01T15:00:00.000, 3",
            "01T15:00:00.000: 01T15:00:00.001 – 01T15:00:00.001, 1",
            "01T20:00:00.000: 01T20:00:00.001 – 01T20:00:00.001, 1",
            "gap 02T01:00:00.001 – 02T01:00:00.002",
            "02T01:00:00.000: 02T01:00:00.002 – 02T01:00:00.002, 1",
            "gap 02T06:00:00.002 – 02T09:10:00.000",
            "02T09:00:00.000: 02T09:10:00.000 – 02T09:10:00.000, 1",
        ]
    );
    assert_eq!(
        described(&blocks(&ledger, 2 * HOUR)),
        [
            "01T10:00:00.000: 01T10:55:10.000 – 01T10:55:10.000, 1",
            "gap 01T12:55:10.000 – 01T14:30:00.000",
            "01T14:00:00.000: 01T14:30:00.000 – 01T15:00:00.001, 3",
            "gap 01T17:00:00.001 – 01T20:00:00.001",
            "01T20:00:00.000: 01T20:00:00.001 – 01T20:00:00.001, 1",
            "gap 01T22:00:00.001 – 02T01:00:00.002",
            "02T01:00:00.000: 02T01:00:00.002 – 02T01:00:00.002, 1",
            "gap 02T03:00:00.002 – 02T09:10:00.000",
            "02T09:00:00.000: 02T09:10:00.000 – 02T09:10:00.000, 1",
        ]
    );
}

#[test]
fn a_block_has_the_usage_in_it() {
    let blocks = blocks(&ledger(&TIMES.map(at)), FIVE_HOURS);
    let Some(Item::Block(block)) = blocks.items().next() else { panic!() };
    assert_eq!((block.totals.messages, block.totals.tokens.total()), (3, 3000));
    assert_eq!(block.totals.cost, Money::from_dollars(0.03));
    assert_eq!(block.models.iter().map(|name| &**name).collect::<Vec<_>>(), ["claude-haiku-4-5", "claude-opus-5"]);
}

#[test]
fn messages_without_a_time_are_counted_separately() {
    let mut ledger = Ledger::default();
    let mut feed = ledger.feed("s", None);
    let line = json!({"type": "assistant", "message": {"id": "m", "model": "claude-opus-5",
        "usage": {"output_tokens": 7}}});
    let (line, scratch) = (line.to_string(), Scratch::default());
    ledger.push(&mut feed, format::read(line.as_bytes(), &scratch).entries.first().unwrap());
    let blocks = blocks(&ledger, FIVE_HOURS);
    assert_eq!(blocks.items().count(), 0);
    assert_eq!((blocks.outside.messages, blocks.outside.tokens.output), (1, 7));
}

#[test]
fn a_block_is_active_until_it_ends() {
    let blocks = blocks(&ledger(&[at(TIMES[0]), at(TIMES[1])]), FIVE_HOURS);
    let start = at("2026-03-01T10:00:00Z");
    let active = |now: &str| blocks.active(at(now)).map(|block| block.start);
    assert_eq!(active("2026-03-01T14:59:59.999Z"), Some(start));
    assert_eq!(active("2026-03-01T15:00:00.000Z"), None);
    assert_eq!(active("2026-03-01T09:59:59.999Z"), None);
}

#[test]
fn the_burn_rate_spans_the_first_to_the_last_message() {
    let start = at("2026-03-01T10:00:00Z");
    let blocks =
        blocks(&ledger(&[start + HOUR / 2, start + HOUR, start + HOUR * 3 / 2, start + HOUR * 5 / 2]), FIVE_HOURS);
    let now = start + 3 * HOUR;
    let block = blocks.active(now).unwrap();
    assert_eq!(
        block.burn(),
        Some(Burn {
            tokens_per_minute: 4000.0 / 120.0,
            fresh_per_minute: 1200.0 / 120.0,
            cost_per_hour: Money::from_dollars(0.02),
        })
    );
    // Two hours remain, as long as the four messages took.
    let expected = Projection { tokens: 8000, cost: Money::from_dollars(0.08), remaining: 2 * HOUR };
    assert_eq!(block.projection(now), Some(expected));
    assert_eq!(block.projection(start + 5 * HOUR), None);
}

#[test]
fn a_single_time_has_no_rate() {
    let start = at("2026-03-01T10:00:00Z");
    let blocks = blocks(&ledger(&[start]), FIVE_HOURS);
    let block = blocks.active(start + 1).unwrap();
    assert_eq!((block.burn(), block.projection(start + 1)), (None, None));
}

#[test]
fn a_limit_belongs_to_the_block_that_reached_it() {
    let start = at("2026-03-01T10:00:00Z");
    let minutes = |count: i64| start + count * 60 * 1000;
    // From 10:00 to 15:00, and from 20:00 to 1:00.
    let mut blocks = blocks(&ledger(&[minutes(30), minutes(60), minutes(10 * 60 + 30)]), FIVE_HOURS);
    let limits = [
        (minutes(70), minutes(400)),
        (minutes(50), minutes(300)),
        (minutes(-1), minutes(1)),
        (minutes(5 * 60 + 1), minutes(2)),
        (minutes(10 * 60 + 10), minutes(900)),
    ];
    blocks.set_limits(&limits);
    let resets = blocks.items().filter_map(|item| match item {
        Item::Block(block) => Some(block.limit_resets),
        Item::Gap(_) => None,
    });
    assert_eq!(resets.collect::<Vec<_>>(), [Some(minutes(400)), Some(minutes(900))]);
}

/// The answers of ccusage to the cases about blocks: start, end, last or nothing for a gap, tokens.
type Said = Vec<(String, String, Option<String>, u64)>;

fn ccusage(answer: &Path) -> Said {
    let answer: Value = serde_json::from_slice(&std::fs::read(answer).unwrap()).unwrap();
    let text = |value: &Value| value.as_str().map(str::to_owned);
    let described = |it: &Value| {
        let last = text(&it["actualEndTime"]);
        (text(&it["startTime"]).unwrap(), text(&it["endTime"]).unwrap(), last, it["totalTokens"].as_u64().unwrap())
    };
    answer["blocks"].as_array().unwrap().iter().map(described).collect()
}

fn ours(ledger: &Ledger, length: i64) -> Said {
    let time = |at: i64| Timestamp::from_millisecond(at).unwrap().strftime("%FT%T.%3fZ").to_string();
    let blocks = blocks(ledger, length);
    let mut said: Said = blocks
        .items()
        .map(|item| match item {
            Item::Block(it) => (time(it.start), time(it.end), Some(time(it.last)), it.totals.tokens.total()),
            Item::Gap(it) => (time(it.from), time(it.until), None, 0),
        })
        .collect();
    said.sort();
    said
}

#[test]
fn blocks_match_ccusage() {
    let Some(folder) = shared::folder("usage/cases") else { return };
    let cases = [
        ("17_blocks", "claude_blocks", 5),
        ("17_blocks", "claude_blocks_session-length_2", 2),
        ("17_blocks", "claude_blocks_z_Asia-Tokyo", 5),
        ("17b_block_half_hour_zone", "claude_blocks_z_Asia-Kolkata", 5),
    ];
    for (case, answer, hours) in cases {
        let case = folder.join(case);
        let ledger = root::read(&[case.join("home/.claude")]).ledger;
        let theirs = ccusage(&case.join("ccusage").join(format!("{answer}.json")));
        assert_eq!(ours(&ledger, hours * HOUR), theirs, "{}", case.display());
    }
}

/// Messages that no model wrote do not count, but the limits they mention do.
#[test]
fn the_limit_matches_ccusage() {
    let Some(folder) = shared::folder("usage/cases/17c_block_usage_limit") else { return };
    let ledger = root::read(&[folder.join("home/.claude")]).ledger;
    let mut blocks = blocks(&ledger, FIVE_HOURS);
    let limits = ledger.limits().into_iter().filter_map(|limit| Some((limit.at, limit.resets_at(&TimeZone::UTC)?)));
    blocks.set_limits(&limits.collect::<Vec<_>>());
    let Some(Item::Block(block)) = blocks.items().next() else { panic!() };
    assert_eq!(block.limit_resets, Some(at("2026-03-01T16:00:00.000Z")));
    assert_eq!((block.totals.messages, block.last), (1, at("2026-03-01T10:55:10.000Z")));
}

proptest! {
    #[test]
    fn order_changes_nothing((times, shuffled) in prop::collection::vec(0..60 * HOUR, 0..12)
        .prop_flat_map(|times| (Just(times.clone()), Just(times).prop_shuffle())), length in 0..8 * HOUR) {
        prop_assert_eq!(Blocks::new(times, length), Blocks::new(shuffled, length));
    }

    /// No post is lost, at any time and length.
    #[test]
    fn every_post_is_in_its_block(times in prop::collection::vec(prop_oneof![any::<i64>(), 0..20 * HOUR], 1..12),
        length in prop_oneof![any::<i64>(), Just(FIVE_HOURS)], now in any::<i64>()) {
        let ledger = ledger(&times);
        let mut blocks = blocks(&ledger, length);
        blocks.set_limits(&[(now, now)]);
        let mut messages = blocks.outside.messages;
        for item in blocks.items() {
            if let Item::Block(block) = item {
                messages += block.totals.messages;
                let (first, last) = block.totals.span.unwrap();
                prop_assert_eq!((first, last), (block.first, block.last));
                block.projection(now);
            }
        }
        prop_assert_eq!(messages, times.len() as u64);
    }
}
